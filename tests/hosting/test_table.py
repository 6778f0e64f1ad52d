"""Answers at a table: stale, double and foreign ones change nothing; what is taken back, and what never is."""

from __future__ import annotations

from pathlib import Path
from threading import Barrier, Thread

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.seat_page import Accepted, Refused, chosen_value
from rulekit.hosting.store import Store
from rulekit.hosting.table import Table
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Decision
from rulekit.play.view import SPECTATOR
from rulekit.record.log import HUMAN
from rulekit.tools.language.lazy_message import Message
from tests.generators.random_matches import GAMES, Answers, game
from tests.hosting.tables import MAGPIES, answer, asked, chosen, hosting, people, play
from tests.sizes import IS_LONG


def code(result: Accepted | Refused) -> str:
    return result.code if isinstance(result, Refused) else "accepted"


def test_double_late_and_foreign_answers_change_nothing(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made, table = people(host)
        answers = Answers("double")
        seat = asked(table)
        page = table.page(seat)
        assert page.question is not None
        places = chosen(page.question, answers)
        assert code(host.answer(made.match, seat, page.number, places)) == "accepted"
        for _ in range(3):
            before = len(table.rows), table.state
            assert code(host.answer(made.match, seat, page.number, places)) == "stale"
            assert code(host.answer(made.match, seat, page.number + 7, places)) == "stale"
            assert code(host.answer(made.match, SPECTATOR, 0, places)) == "not-asked"
            assert code(host.answer(made.match, 99, 0, places)) == "not-asked"
            assert (len(table.rows), table.state) == before
            play(host, table, 3, answers)


@pytest.mark.parametrize("places", [(), (99,), (-1,), (0, 0), (True,), ("0",), (None,)])
def test_what_is_not_offered_is_refused(places: tuple[int, ...], tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        _, table = people(host)
        seat = asked(table)
        assert code(host.answer(table.match_id, seat, table.page(seat).number, places)) == "not-offered"


@pytest.mark.parametrize(
    ("question", "places", "words"),
    [
        (Decision(0, "tile", "", (4, 5, 6), 2, 2, several=True), [0], "Choose 2; you chose 1."),
        (Decision(0, "tile", "", (4, 5, 6), 1, 2, several=True), [0, 1, 2], "Choose 1 to 2; you chose 3."),
        (Decision(0, "tile", "", (4, 5, 6)), [], "Choose one; you chose 0."),
    ],
)
def test_who_chooses_another_number_of_things_hears_how_many_they_were(
    question: Decision, places: list[int], words: str
) -> None:
    refused = chosen_value(question, places)
    assert isinstance(refused, Refused)
    assert str(refused.reason) == words


def test_a_form_of_before_an_undo_is_stale(tmp_path: Path) -> None:
    """It asks the same again, but it was asked of another number then, and posted late it must not count."""
    with hosting(tmp_path) as host:
        made, table = people(host)
        seat = asked(table)
        page = table.page(seat)
        answer(host, table, seat, Answers("undo"))
        assert code(host.undo(made.match, seat)) == "accepted"
        assert table.page(seat).question == page.question
        assert code(host.answer(made.match, seat, page.number, [0])) == "stale"
        assert [one.seat for one in table.page(seat).undone] == [seat]


def test_many_at_once_make_one_answer(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made, table = people(host)
        for _ in range(5):
            seat = asked(table)
            number, found, together = table.page(seat).number, list[str](), Barrier(6)

            def post(seat: int = seat, number: int = number, together: Barrier = together) -> None:
                together.wait()
                found.append(code(host.answer(made.match, seat, number, [0])))

            threads = [Thread(target=post) for _ in range(6)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            assert sorted(found) == ["accepted", *["stale"] * 5]
        assert [row.number for row in table.rows] == list(range(len(table.rows)))


NEVER = {"draw", "roll", "deal", "shuffle", "reveal", "announce"}


def passed(table: Table, seat: int) -> list[str]:
    """What an undo of a seat would take back that it never may: by what happened, not by the rule for undo."""
    last = table.match.last_of(seat)
    assert last is not None
    gone = table.match.history[last:]
    if table.match.is_apart(last):
        gone = [past for past in gone if past.action.seat == seat]
    names = [event.name for past in gone for event in past.events if _counts(event)]
    others = [f"seat {past.action.seat}" for past in gone if past.action.seat in table.people - {seat}]
    drawn = ["chance"] if any(one.state.streams != two for one, two in _streams(table, gone)) else []
    return [*(name for name in names if name in NEVER), *others, *drawn]


def _counts(event: Event) -> bool:
    return event.audience is None or bool(event.audience)


def _streams(table: Table, gone: list) -> list:  # type: ignore[type-arg]
    after = [*(past.state.streams for past in gone[1:]), table.state.streams]
    return list(zip(gone, after, strict=True)) if not table.state.branches else []


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_undo_never_passes_what_was_learned(path: Path) -> None:
    answers, done, refused = Answers(f"undo {path.stem}"), 0, 0
    count = min(game(path).most, max(2, game(path).least))
    with Host(Store(":memory:")) as host:
        host.known.keep(str(path), game(path))
        for number in range(10 if IS_LONG else 1):
            made = host.create(str(path), (HUMAN,) * count, seed=f"undo {number}")
            table = host.table(made.match)
            for _ in range(300 if IS_LONG else 30):
                if not table.match.decisions():
                    break
                play(host, table, 1, answers)
                seat = answers.below(count)
                if answers.below(3) or table.match.last_of(seat) is None or table.match.outcome() is not None:
                    continue
                never, rows = passed(table, seat), len(table.rows)
                result = host.undo(made.match, seat)
                assert not (never and isinstance(result, Accepted)), never
                done, refused = done + isinstance(result, Accepted), refused + isinstance(result, Refused)
                assert (len(table.rows) > rows) == isinstance(result, Accepted)
                assert isinstance(result, Accepted) or result.reason
    assert done
    assert refused


def test_an_undo_past_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulekit.record.match import Match

    monkeypatch.setattr(Match, "why_not_back", lambda *_: None)
    with pytest.raises(AssertionError):
        test_undo_never_passes_what_was_learned(next(path for path in GAMES if path.stem == "foxy"))


def test_history_shows_a_seat_what_it_saw_then(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        _, table = people(host)
        answers, pages, looked = Answers("history"), [], 0
        for _ in range(12):
            pages.append([table.page(seat) for seat in (0, 1)])
            play(host, table, 1, answers)
        for seat in (0, 1):
            for page in (both[seat] for both in pages):
                moment, place = table.history(seat, page.moments - 1), table.place(seat, page.moments - 1)
                assert moment is not None
                if page.question is not None and place is not None and place < len(table.match.history):
                    assert (moment.view.values, moment.question) == (page.view.values, page.question)
                    looked += 1
        assert looked > 5
        assert table.history(0, -1) is None
        assert table.history(0, table.page(0).moments) is None


def test_spectators_are_told_the_last_round_of_secret_choices(tmp_path: Path) -> None:
    """Of a game without any open decision too; nothing moves while the next round is decided."""
    with hosting(tmp_path) as host:
        _, table = people(host)
        answers = Answers("watch")
        while table.match.decisions():
            before = len(table.match.history)
            moments = table.page(SPECTATOR).moments
            answer(host, table, asked(table), answers)
            assert table.page(SPECTATOR).moments == moments
            answer(host, table, asked(table), answers)
            told = table.page(SPECTATOR).events
            assert [event.name for event in told].count("reveal") == 2
            assert told == table._told(SPECTATOR, before, before + 2)
            assert table.page(SPECTATOR).moments == moments + 1
        assert table.match.outcome() is not None


def test_spectators_look_back_to_where_each_secret_round_began(tmp_path: Path) -> None:
    """And a seat that decides there only to its own answer: the place of that in the round is a secret."""
    with hosting(tmp_path) as host:
        _, table = people(host)
        play(host, table, 10_000, Answers("back"))
        rounds = len(table.match.history) // 2
        assert [table.place(SPECTATOR, number) for number in range(rounds)] == list(range(0, 2 * rounds, 2))
        assert [table.page(seat).moments for seat in (0, 1)] == [rounds + 1, rounds + 1]


OUT = """game "Out"
    players 3
> O-1 The third player is out at once; the two others bid, first in secret.
each player has
    counter bid 0..9
counter day
define bidders is players where it.seat below 3
play
    defeat players except bidders
    while day below 3
        secretly each player in bidders: do offer(player)
        raise day by 1
    while day below 6
        each player in bidders: do offer(player)
        raise day by 1
action offer(player)
    player chooses "How much?"
        "one": set player.bid to 1
        "two": set player.bid to 2
result: rank players by highest bid
"""


def test_a_player_who_is_out_is_told_the_last_round_as_spectators_are(tmp_path: Path) -> None:
    """And not all since the own last answer, which would grow until the match ends."""
    (tmp_path / "out.rules").write_text(OUT, "utf-8")
    with hosting(tmp_path) as host:
        _, table = people(host, tmp_path / "out.rules", 3)
        answers = Answers("out")
        while table.match.decisions():
            play(host, table, 1, answers)
            out, watching = table.page(2), table.page(SPECTATOR)
            if len(table.match.history) > 1:
                assert (out.events, out.moments) == (watching.events, watching.moments)
        assert 0 < len(out.events) < len(table.story(2)) / 2


def test_the_log_is_kept_back_while_others_play(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made, table = people(host)
        assert table.why_no_log() == Message("table-no-log")
        assert isinstance(host.branch(made.match, 0, 0), Refused)
        play(host, table, 10_000, Answers("log"))
        assert table.why_no_log() is None
        branched = host.branch(made.match, 0, 3)
        assert not isinstance(branched, Refused)
        other = host.table(branched.match)
        assert len(other.match.history) == table.place(0, 3)
        assert other.page(0).view.values == table.history(0, 3).view.values  # type: ignore[union-attr]
        assert other.match.outcome() is None


def test_magpies_hide_something() -> None:
    assert "seen by" in MAGPIES.read_text()
