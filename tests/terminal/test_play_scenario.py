"""A match is played from the position of a scenario; its log holds that position, replays and goes on."""

from __future__ import annotations

import io
import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve
from click.shell_completion import ShellComplete

import rulekit
from rulekit import Damaged
from rulekit.apps.commands import cli
from rulekit.apps.play.scenario import position_of, scenario_named
from rulekit.play.beginning import Beginning, beginning, begun
from rulekit.record.json_values import chosen_options
from rulekit.record.log import Header, Writer, parse
from rulekit.record.replay import read
from rulekit.tools.examples.runner import Failure, placed
from tests.cli.test_commands import Run, run
from tests.generators.random_matches import game
from tests.paths import EXAMPLES, GAMES

__all__ = ["run"]
FUZZY, FOXY = str(GAMES / "fuzzy_tiger.rules"), str(GAMES / "foxy.rules")
PUSH = "a push down the whole line"


def _types(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


@pytest.mark.parametrize(
    "path", [*sorted(GAMES.glob("*.rules")), *sorted(EXAMPLES.glob("*.rules"))], ids=lambda path: path.stem
)
def test_the_position_of_every_scenario_is_what_a_match_begins_with(path: Path) -> None:
    rules = game(path)
    for scenario in rules.scenarios:
        state = placed(rules, scenario)
        assert not isinstance(state, Failure), state
        at = _written_and_read(beginning(state, begin=()))
        assert begun(rules, dict(chosen_options(state.setting)), scenario.seats, None, at).state == state


def _written_and_read(at: Beginning) -> Beginning:
    lines: list[bytes] = []
    Writer(lines.append).header(evolve(_plain(), begun=at))
    found = parse(b"".join(lines)).header.begun
    assert found is not None
    return found


@cache
def _plain() -> Header:
    return rulekit.Recorder(game(GAMES / "fuzzy_tiger.rules")).log().header


def _header() -> dict[str, Any]:
    """The head of a log whose match begins in a scenario, to be spoilt."""
    tiger = game(GAMES / "fuzzy_tiger.rules")
    at, options = position_of(tiger, scenario_named(tiger, PUSH))
    lines: list[bytes] = []
    seats = tuple(scenario_named(tiger, PUSH).seats)
    Writer(lines.append).header(
        evolve(_plain(), begun=at, options=options, seats=seats, players=("random",) * len(seats))
    )
    return json.loads(lines[0])  # type: ignore[no-any-return]


def test_the_do_of_a_scenario_is_played_and_its_log_replays(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    _types(monkeypatch, "2")
    code, out, _ = run("run", FUZZY, "--scenario", PUSH, "--seats", "human", "--record", "a.log")
    assert code == 0
    assert f'From the position of "{PUSH}"' in out
    assert "Red's monkey goes to space" in out
    assert "That is all that this example runs." in out
    assert "wins" not in out
    code, out, _ = run("replay", "a.log")
    assert code == 0
    assert "Red's monkey goes to space" in out
    assert "All 1 decisions hold" in out
    assert "wins" not in out


def test_a_match_from_a_scenario_goes_on_to_its_end_and_can_be_taken_up(run: Run, tmp_path: Path) -> None:
    name = "three bears and two cats"
    assert run("run", FOXY, "--scenario", name, "--seed", "5", "--record", "whole.log")[0] == 0
    assert read("whole.log").end is not None
    assert run("replay", "whole.log")[0] == 0
    lines = (tmp_path / "whole.log").read_bytes().splitlines(keepends=True)
    (tmp_path / "cut.log").write_bytes(b"".join(lines[: len(lines) // 2]))
    assert run("run", "--resume", "cut.log")[0] == 0
    assert (tmp_path / "cut.log").read_bytes() == (tmp_path / "whole.log").read_bytes()


def test_words_of_a_name_are_enough_if_only_one_has_them(run: Run) -> None:
    assert run("run", FUZZY, "--scenario", "down the whole")[0] == 0
    code, _, err = run("run", FUZZY, "--scenario", "the")
    assert code == 1
    assert "several scenarios have 'the' in their name" in err
    code, _, err = run("run", FUZZY, "--scenario", "a push down the hole lime")
    assert code == 1
    assert f"did you mean `{PUSH}`?" in err


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ([FUZZY, "--scenario"], True),
        (["fuzzy_tiger", "--seed", "1", "--scenario"], True),
        ([str(GAMES / "none.rules"), "--scenario"], False),
        (["--scenario"], False),
    ],
)
def test_a_shell_offers_the_names_of_the_file(typed: list[str], offered: bool) -> None:
    found = ShellComplete(cli, {}, "rulekit", "_RULEKIT_COMPLETE").get_completions(["run", *typed], "a push d")
    assert (PUSH in [item.value for item in found]) is offered


@pytest.mark.parametrize("words", [("--players", "3"), ("--names", "a,b"), ("--option", "end_when=one")])
def test_seats_and_options_are_those_of_the_scenario(run: Run, words: tuple[str, ...]) -> None:
    code, _, err = run("run", FUZZY, "--scenario", PUSH, *words)
    assert code == 2
    assert "--scenario says who plays" in err


def test_bots_that_go_by_what_happened_before_are_refused(run: Run) -> None:
    code, _, err = run("run", FUZZY, "--scenario", PUSH, "--seats", "mcts:20")
    assert code == 2
    assert "mcts:20 needs to know what happened before" in err


def test_a_program_is_told_when_what_runs_alone_is_done(run: Run) -> None:
    code, out, _ = run("run", FUZZY, "--scenario", PUSH, "--seed", "1", "--json")
    assert code == 0
    assert json.loads(out.splitlines()[-1]) == {"decisions": 1, "seed": "1", "type": "done"}


def test_under_other_rules_a_position_that_cannot_be_is_told(run: Run, tmp_path: Path) -> None:
    run("run", FUZZY, "--scenario", PUSH, "--seed", "1", "--record", "a.log")
    text = Path(FUZZY).read_text(encoding="utf-8")
    (tmp_path / "other.rules").write_text(text.replace(PUSH, "a push"), encoding="utf-8")
    code, _, err = run("replay", "a.log", "--rules", "other.rules")
    assert code == 1
    assert f'there is no scenario "{PUSH}" any more' in err


@pytest.mark.parametrize(
    ("field", "worth"),
    [("values", []), ("out", "x"), ("out", [1]), ("undecided", [["deck"]]), ("undecided", [["deck", -1, 0]]),
     ("begin", "x"), ("turn", 1), ("open", [["deck", True]]), ("more", 1)],
)  # fmt: skip
def test_a_beginning_of_another_form_is_damage(field: str, worth: object) -> None:
    header = _header()
    header["begun"][field] = worth
    with pytest.raises(Damaged, match="line 1: "):
        parse(_linked(header))


@pytest.mark.parametrize(
    ("field", "worth"),
    [("undecided", [["deck", 1, 1]]), ("open", [["red.hand", 99]]), ("shown", ["moon"]), ("values", {"red.moon": 1}),
     ("begin", ["moon"]), ("turn", "ann")],
)  # fmt: skip
def test_a_beginning_that_the_game_does_not_know_is_told(field: str, worth: object) -> None:
    header = _header()
    header["begun"] |= {field: worth, "scenario": ""}
    replayed = rulekit.replay(parse(_linked(header)), game(GAMES / "fuzzy_tiger.rules"))
    assert replayed.fault is not None
    assert replayed.fault.code == "setup"


def _linked(header: dict[str, object]) -> bytes:
    """A header as somebody who knows how would write it."""
    from rulekit.record.log import _linked as link

    del header["link"]
    return (json.dumps({**header, "link": link("", header)}) + "\n").encode()  # type: ignore[arg-type]
