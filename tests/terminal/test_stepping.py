"""A log looked through step by step, and a match that goes on from any of its decisions in a new log."""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from rulekit.apps.play import replay as command
from rulekit.apps.play.screen import Screen
from rulekit.loading import load
from rulekit.play.state.match_state import State
from rulekit.record.replay import read, replay
from tests.cli.test_commands import Run, run
from tests.paths import GAMES

__all__ = ["run"]
FUZZY = str(GAMES / "fuzzy_tiger.rules")


@pytest.fixture
def logged(run: Run, tmp_path: Path) -> Path:
    run("run", FUZZY, "--seed", "5", "--record", "match.log")
    return tmp_path / "match.log"


def _types(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """Somebody at a terminal."""
    monkeypatch.setattr(command, "_is_at_terminal", lambda: True)
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


def _decisions(out: str) -> list[str]:
    """The numbers of the decisions that were shown, in order."""
    return [line.partition(".")[0] for line in out.splitlines() if line.partition(".")[0].isdecimal()]


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        (["", "n", "q"], ["1", "2"]),
        (["", "", "p", "n", "q"], ["1", "2", "1", "2"]),
        (["p", "q"], []),
        (["7", "p", "", "q"], ["7", "6", "7"]),
        (["9", "2", "q"], ["9", "2"]),
        (["what?", "3"], ["3"]),
    ],
)
def test_a_log_is_looked_through_both_ways(
    run: Run, logged: Path, monkeypatch: pytest.MonkeyPatch, typed: list[str], shown: list[str]
) -> None:
    before = logged.read_bytes()
    _types(monkeypatch, *typed)
    code, out, _ = run("replay", "match.log")
    assert code == 0
    assert _decisions(out) == shown
    assert logged.read_bytes() == before


def test_what_a_decision_changed_is_marked(run: Run, logged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[tuple[State, State | None]] = []
    monkeypatch.setattr(Screen, "board", lambda _, state, *__, before: shown.append((state, before)))
    _types(monkeypatch, "", "", "p", "6")
    run("replay", "match.log")
    (start, none), (first, at_start), (_, at_first), again, (_, at_fifth) = shown
    assert (none, at_start, at_first, again) == (None, start, first, (first, start))
    assert at_fifth == replay(logged, load(FUZZY), 5).state


def test_each_step_shows_what_a_replay_tells(run: Run, logged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = len(read(logged).entries)
    _, whole, _ = run("replay", "match.log")
    _types(monkeypatch, *[""] * (count + 1))
    _, stepped, _ = run("replay", "match.log")
    told = [line for line in whole.splitlines() if line.strip()]
    left = iter(stepped.splitlines())
    assert all(line in left for line in told[:-12])
    assert _decisions(stepped) == [str(number) for number in range(1, count + 1)]
    assert "The log ends here." in stepped


def test_the_end_and_numbers_beyond_it_lead_to_the_last(
    run: Run, logged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    count = str(len(read(logged).entries))
    for typed in ("e", "100000"):
        _types(monkeypatch, typed, "p")
        assert _decisions(run("replay", "match.log")[1]) == [count, str(int(count) - 1)]


def test_where_it_no_longer_holds_is_told(run: Run, logged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Path(FUZZY).read_text(encoding="utf-8").partition("\nscenario")[0]
    (logged.parent / "other.rules").write_text(text.replace("card 1 ", "card 17 ", 1), encoding="utf-8")
    _types(monkeypatch, "e", "p")
    code, out, err = run("replay", "match.log", "--rules", "other.rules")
    assert code == 1
    assert "no longer holds" in out + err


def test_all_is_written_at_once_on_a_terminal_too(run: Run, logged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (("--all",), ("--to", "3"), ("--json",)):
        _types(monkeypatch, "q")
        assert "After 0 of" not in run("replay", "match.log", *words)[1]


def test_play_goes_on_from_a_step_in_a_new_log(run: Run, logged: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = logged.read_bytes()
    _types(monkeypatch, "4", "c", "1", "q")
    code, out, _ = run("replay", "match.log")
    assert code == 0
    assert "Going on after 4 decisions." in out
    assert "match-4.log" in out
    assert logged.read_bytes() == before
    old, new = read(logged), read(logged.with_name("match-4.log"))
    assert new.entries[:4] == old.entries[:4]
    assert len(new.entries) > 4
    assert new.header.players == ("human", "random")
    _types(monkeypatch, "4", "c", "q")
    assert "match-4-2.log" in run("replay", "match.log")[1]


def test_a_match_goes_on_from_any_decision_in_a_new_log(run: Run, logged: Path) -> None:
    """The same seed and bots bring the same match, whatever it goes on from."""
    before = logged.read_bytes()
    for at in (5, len(read(logged).entries)):
        assert run("run", "--resume", "match.log", "--at", str(at), "--record", f"{at}.log")[0] == 0
        new = logged.with_name(f"{at}.log")
        assert read(new).entries == read(logged).entries
        assert read(new).end == read(logged).end
    assert logged.read_bytes() == before
    code, _, err = run("run", "--resume", "match.log", "--at", "5", "--record", "match.log")
    assert code == 1
    assert "there is a file already" in err


def test_others_may_play_on_and_by_other_rules(run: Run, logged: Path) -> None:
    text = Path(FUZZY).read_text(encoding="utf-8")
    (logged.parent / "other.rules").write_text(f"{text}\n# mended\n", encoding="utf-8")
    words = ("--resume", "match.log", "--at", "5", "--seats", "greedy", "--record", "new.log")
    assert run("run", "other.rules", *words)[0] == 0
    new = read(logged.with_name("new.log"))
    assert new.header.players == ("greedy", "random")
    assert (new.header.file, new.entries[:5]) == ("other.rules", read(logged).entries[:5])


def test_what_was_mended_in_the_ways_does_not_keep_anybody_from_playing_on(run: Run, logged: Path) -> None:
    way = next(place for place, entry in enumerate(read(logged).entries, 1) if entry.answer == "swing 2 nearer")
    text = Path(FUZZY).read_text(encoding="utf-8")
    (logged.parent / "other.rules").write_text(text.replace('"swing 2 nearer"', '"Swing 2 nearer!"'), encoding="utf-8")
    code, _, err = run("run", "other.rules", "--resume", "match.log", "--at", str(way), "--record", "new.log")
    assert (code, err) == (0, "")
    assert read(logged.with_name("new.log")).entries[way - 1].answer == "Swing 2 nearer!"


@pytest.mark.parametrize(
    ("words", "code", "reason"),
    [
        (("--at", "3"), 2, "--at stands beside --resume"),
        (("--resume", "match.log", "--at", "100000"), 1, "the log has only"),
        (("--resume", "match.log", "--at", "3", "--seed", "1"), 2, "--resume with --at goes on as it was"),
        (
            ("--resume", "match.log", "--at", "3", "--seats", "human,human,human"),
            2,
            "--seats names 3 seats, but 2 play",
        ),
    ],
)
def test_what_cannot_be_gone_on_with_is_refused(
    run: Run, logged: Path, words: tuple[str, ...], code: int, reason: str
) -> None:
    got, _, err = run("run", *words)
    assert got == code
    assert reason in err
