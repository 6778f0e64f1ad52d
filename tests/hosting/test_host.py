"""A host: tokens, who hears of what, bots, trials, and rules that change under matches."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from rulekit.bots.players import random_bot
from rulekit.bots.players.seating import joined
from rulekit.bots.seated_bots import SeatedBots
from rulekit.hosting import bot_threads, trial
from rulekit.hosting.host import Host
from rulekit.hosting.seat_page import Accepted, Moment, Refused
from rulekit.hosting.table import Table
from rulekit.play.state.errors import BadSetup
from rulekit.play.view import SPECTATOR
from rulekit.record.log import HUMAN
from rulekit.tools.language.lazy_message import Message
from tests.generators.random_matches import Answers
from tests.hosting.tables import MAGPIES, answer, asked, hosting, people, play
from tests.processes import HANG
from tests.secrecy.received import body, plain


def test_a_token_opens_its_seat_and_is_not_in_the_file(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made = host.create(str(MAGPIES), (HUMAN, "random", HUMAN))
        assert [bool(token) for token in made.tokens] == [True, False, True]
        opened = {token: host.seat_of(token) for token in (*made.tokens, made.spectator, "", made.match, "\ud800")}
        assert [place and place.seat for place in opened.values()] == [0, None, 2, SPECTATOR, None, None][: len(opened)]
    found = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert made.match.encode() in found
    assert not any(token.encode() in found for token in (*made.tokens, made.spectator) if token)
    with sqlite3.connect(tmp_path / "matches.store") as db:
        assert len(db.execute("select * from token").fetchall()) == 3
    db.close()


@pytest.mark.parametrize("setup", [{"players": (HUMAN,)}, {"players": (HUMAN,) * 2, "names": ("a", "b", "c")}])
def test_a_match_that_cannot_be_is_refused(setup: dict[str, tuple[str, ...]], tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        with pytest.raises(BadSetup):
            host.create(str(MAGPIES), **setup)  # type: ignore[arg-type]
        assert host.matches() == ()


# ---------------------------------------------------------------- who hears of what


def heard(host: Host, table: Table) -> dict[int, list[int]]:
    """What listeners of all seats note from now on."""
    found: dict[int, list[int]] = {seat: [] for seat in (SPECTATOR, 0, 1)}
    for seat, notes in found.items():
        host.subscribe(table.match_id, seat, lambda notes=notes: notes.append(1))
    return found


def test_who_sees_no_difference_hears_nothing(tmp_path: Path) -> None:
    """A secret that takes two answers: after the first, nobody else hears of it."""
    rules = MAGPIES.read_text().replace(
        "        move feather to player.shown\n",
        '        move feather to player.shown\n        player chooses rival from players "Against whom?"\n',
    )
    file = tmp_path / "twice.rules"
    file.write_text(rules.split("scenario")[0])
    with hosting(tmp_path) as host:
        _, table = people(host, file)
        notes = heard(host, table)
        answer(host, table, 0, Answers("hears"))
        assert [len(one) for one in notes.values()] == [0, 1, 0]
        answer(host, table, 0, Answers("hears"))
        assert [len(one) for one in notes.values()] == [1, 2, 1]


def test_a_listener_that_left_hears_nothing(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made, table = people(host)
        notes: list[int] = []
        leave = host.subscribe(made.match, asked(table), lambda: notes.append(1))
        leave()
        leave()
        play(host, table, 3, Answers("left"))
        assert notes == []


# ---------------------------------------------------------------- bots


def test_bots_play_beside_people_and_go_on_after_undo(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made = host.create(str(MAGPIES), (HUMAN, "greedy", "random"), seed="bots")
        table = host.table(made.match)
        undone, answers = 0, Answers("bots")
        while True:
            assert host.settled(60)
            if table.match.outcome() is not None:
                break
            assert {one.seat for one in table.match.decisions()} == {0}
            result = answer(host, table, 0, answers)
            assert isinstance(result, Accepted)
            undone += isinstance(host.undo(made.match, 0), Accepted)
        assert table.fault is None
    with hosting(tmp_path) as host:
        assert host.table(made.match).match.outcome() is not None


def test_a_bot_that_fails_is_told_and_others_play_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("planted")

    monkeypatch.setattr(random_bot.RandomSeat, "answer", fails)
    with hosting(tmp_path) as host:
        made = host.create(str(MAGPIES), (HUMAN, "random"))
        assert host.settled(60)
        assert host.table(made.match).page(0).fault == Message("table-bot-failed")
        _, other = people(host)
        play(host, other, 3, Answers("others"))
        assert len(other.match.history) == 3


def test_nobody_waits_while_a_bot_is_told_what_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first time it hears of a match it may have to make ready for seconds."""
    begun, go_on = Event(), Event()

    def slowly(*given: Any) -> SeatedBots:
        begun.set()
        assert go_on.wait(HANG)
        return joined(*given)

    monkeypatch.setattr(bot_threads, "joined", slowly)
    with hosting(tmp_path) as host:
        made = host.create(str(MAGPIES), (HUMAN, "random"))
        table = host.table(made.match)
        try:
            assert begun.wait(HANG)
            assert table.lock.acquire(blocking=False)
            table.lock.release()
        finally:
            go_on.set()
        assert host.settled(HANG)
        assert asked(table) == 0


# ---------------------------------------------------------------- trials


def tried(host: Host, other: int) -> bytes:
    """What seat 0 sees in its trial when seat 1 has answered something in secret."""
    made, table = people(host)
    page = table.page(1)
    assert isinstance(host.answer(made.match, 1, page.number, [other]), Accepted)
    copy = trial.trial_of(table.match, 0, "seed")
    assert copy is not None
    pages: list[Moment | Refused] = [copy.page(), copy.answer([0])]
    assert table.page(0).question is not None
    return body(plain(pages))


def test_a_trial_tells_nothing_hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with hosting(tmp_path) as host:
        pages = {tried(host, other) for other in range(7)}
        assert len(pages) == 1
        monkeypatch.setattr(
            trial, "trial_of", lambda match, seat, seed: trial.Trial(seat, match.state, trial.Rng.of(seed, "trial"))
        )
        assert len({tried(host, other) for other in range(7)}) > 1


def test_a_trial_changes_nothing_at_its_table(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made, table = people(host)
        play(host, table, 2, Answers("trial"))
        before, rows = table.page(0), len(table.rows)
        copy = host.trial(made.match, 0)
        assert not isinstance(copy, Refused)
        first = copy.page()
        assert isinstance(copy.answer([0]), Moment)
        assert copy.back().view == first.view
        assert isinstance(copy.answer([99]), Refused)
        assert (table.page(0), len(table.rows)) == (before, rows)
        assert isinstance(host.trial(made.match, SPECTATOR), Refused)


# ---------------------------------------------------------------- rules that change


def written(tmp_path: Path, old: str, new: str) -> Path:
    file = tmp_path / "magpies.rules"
    text = MAGPIES.read_text()
    assert old in text
    file.write_text(text.replace(old, new))
    return file


def test_a_match_goes_on_under_changed_rules(tmp_path: Path) -> None:
    file = written(tmp_path, "", "")
    with hosting(tmp_path) as host:
        made, table = people(host, file)
        play(host, table, 4, Answers("over"))
        number, history = table.number(0), len(table.match.history)
        written(tmp_path, "worth 9", "worth 8")
        assert host.reload(str(file)).over == (made.match,)
        assert "worth 8" in table.game.sources[0][1]
        assert (table.number(0), len(table.match.history)) == (number + 1, history)
        assert host.reload(str(file)).over == ()
    with hosting(tmp_path) as host:
        assert host.table(made.match).page(0).view == table.page(0).view
        play(host, host.table(made.match), 1000, Answers("on"))
        assert host.table(made.match).match.outcome() is not None


def test_a_match_that_cannot_go_on_keeps_its_rules_and_tells_by_which_clause(tmp_path: Path) -> None:
    file = written(tmp_path, "", "")
    with hosting(tmp_path) as host:
        made, table = people(host, file)
        page = table.page(0)
        assert page.question is not None
        assert isinstance(host.answer(made.match, 0, page.number, [len(page.question.options) - 1]), Accepted)
        state, rows = table.state, len(table.rows)
        written(tmp_path, "| 1..7    |", "| 1..6    |")
        ((match, parted),) = host.reload(str(file)).parted
        assert (match, parted.clauses) == (made.match, ("MP-2",))
        assert "7" in parted.reason
        assert (table.state, len(table.rows)) == (state, rows)
        kept = table.page(0).rules
        assert kept is not None
        assert kept.clauses == ("MP-2",)
        assert parted.reason not in repr(table.page(0))
        written(tmp_path, "", "")
        host.reload(str(file))
        assert table.page(0).rules is None


def test_a_file_that_is_no_game_changes_nothing(tmp_path: Path) -> None:
    file = written(tmp_path, "", "")
    with hosting(tmp_path) as host:
        _, table = people(host, file)
        before = table.page(0)
        written(tmp_path, "move first bush", "mvoe first bush")
        assert "mvoe" in host.reload(str(file)).problem
        file.unlink()
        assert "no such file" in host.reload(str(file)).problem
        assert table.page(0) == before
