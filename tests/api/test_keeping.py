"""States that are saved, pickled and sent; and logs of matches driven from Python, also with chance from outside."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import pytest

from rulekit import (
    CHANCE,
    REFEREE,
    Action,
    BadSave,
    BadSetup,
    IllegalAction,
    Recorder,
    Ref,
    Value,
    apply,
    decisions,
    dump,
    outcome,
    position,
    replay,
    restore,
    start,
    view,
)
from rulekit.record.log import Writer
from rulekit.record.replay import read
from rulekit.record.resumption import DoesNotHold
from tests import paths
from tests.cli.test_run import called
from tests.generators.random_matches import GAMES, Answers, game, steps
from tests.sizes import some

TIGER, MOON = game(paths.GAMES / "fuzzy_tiger.rules"), game(paths.GAMES / "china_moon.rules")


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_is_saved_and_pickled_is_the_same_state(path: Path) -> None:
    rules = game(path)
    for before, action, step in some(list(steps(rules, rules.least, "kept", most=60))[::12], 3):
        assert restore(dump(step.state), rules) == step.state
        again = pickle.loads(pickle.dumps(step))
        assert again == step
        assert [event.decided_by for event in again.events] == [event.decided_by for event in step.events]
        assert decisions(again.state) == decisions(step.state)
        if action is not None:
            assert apply(pickle.loads(pickle.dumps(before)), action) == step


def test_pickled_states_share_the_game_that_is_pickled_with_them() -> None:
    states = [step.state for _, _, step in steps(TIGER, 2, "many", most=20)]
    one, many = len(pickle.dumps(states[:1])), len(pickle.dumps(states))
    assert many < one + 20 * 8000
    assert pickle.loads(pickle.dumps(states)) == states


def test_a_copy_of_a_state_is_itself() -> None:
    state = start(TIGER).state
    assert copy.copy(state) is state
    assert copy.deepcopy([state])[0] is state


def test_a_save_of_other_rules_is_refused() -> None:
    with pytest.raises(BadSave, match="other rules"):
        restore(dump(start(TIGER).state), game(paths.GAMES / "hornochsen.rules"))


# ---------------------------------------------------------------- logs


def driven(recorder: Recorder, name: str) -> None:
    answers = Answers(name)
    while waiting := recorder.decisions():
        asked = waiting[answers.below(len(waiting))]
        recorder.answer(asked.seat, answers.to(asked))


@pytest.mark.parametrize("seed", ["tuesday", 7, None])
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_match_driven_from_python_replays(path: Path, seed: str | int | None) -> None:
    rules = game(path)
    recorder = Recorder(rules, seed=seed, seats=rules.least)
    driven(recorder, "driven")
    again = replay(recorder.log(), rules)
    assert again.fault is None
    assert again.state == recorder.state
    assert again.outcome == recorder.outcome() is not None
    if seed is None and path.stem not in ("fuzzy_tiger", "shear_panic"):
        assert any(entry.seat is None for entry in recorder.log().entries)


def test_a_log_is_written_while_the_match_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "match.log"
    with Recorder(TIGER, seats=["ann", "bob"], file=file, players=["human", "dice"]) as recorder:
        for count in (1, 2, 3):
            asked = recorder.decisions()[0]
            recorder.answer(recorder.state.setting.seats[asked.seat], asked.options[0])
            assert file.read_bytes() == bytes(recorder)
            assert file.read_bytes().count(b"\n") == 1 + count
    again = replay(file, TIGER)
    assert (again.held, again.fault, again.state) == (3, None, recorder.state)
    header = json.loads(file.read_bytes().splitlines()[0])
    assert (header["seats"], header["players"], header["seed"]) == (["ann", "bob"], ["human", "dice"], "0")


@pytest.mark.parametrize("seed", ["tuesday", None])
@pytest.mark.parametrize("name", ["fuzzy_tiger", "hornochsen"])
def test_a_recorded_match_goes_on_from_its_file(name: str, seed: str | None, tmp_path: Path) -> None:
    """As after a program that was killed in the middle of a line."""
    rules, file, whole = game(paths.GAMES / f"{name}.rules"), tmp_path / "match.log", tmp_path / "whole.log"
    with Recorder(rules, seed=seed, file=whole) as recorder:
        driven(recorder, "driven")
    lines = whole.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[: len(lines) // 2]) + lines[len(lines) // 2][:20])
    assert replay(file, rules).torn == len(lines) // 2 + 1
    with Recorder.resume(file, rules) as recorder:
        for entry in read(whole).entries[len(lines) // 2 - 1 :]:
            recorder.answer(CHANCE if entry.seat is None else entry.seat, entry.answer)
        assert bytes(recorder) == file.read_bytes() == whole.read_bytes()
        assert recorder.outcome() is not None
    with pytest.raises(ValueError, match="this match is over"):
        Recorder.resume(file, rules)
    with pytest.raises(DoesNotHold, match="line 2: decision 1 does not hold"):
        Recorder.resume(changed(whole, tmp_path), rules)


def changed(file: Path, folder: Path) -> Path:
    """The same log, in which the first decision is another's."""
    log, made = read(file), folder / "changed.log"
    lines: list[bytes] = []
    writer = Writer(lines.append)
    writer.header(log.header)
    seat = next(seat for seat in range(len(log.header.seats)) if log.header.seats[seat] != log.entries[0].seat)
    writer.decision(log.header.seats, Action(seat, "nothing of this kind"), log.entries[0].what)
    made.write_bytes(b"".join(lines))
    return made


def test_what_is_refused_is_not_written() -> None:
    recorder = Recorder(TIGER)
    before = bytes(recorder)
    for seat, answer in ((0, "none such"), ("nobody", "4"), (CHANCE, 1)):
        with pytest.raises(IllegalAction):
            recorder.answer(seat, answer)
    assert bytes(recorder) == before


@pytest.mark.parametrize("answer", ["4", 4, Ref("card", "4")])
def test_an_answer_is_recorded_as_the_rules_offer_it(answer: Value) -> None:
    recorder = Recorder(TIGER)
    recorder.answer("red", answer)
    assert [(entry.seat, entry.answer) for entry in recorder.log().entries] == [("red", Ref("card", "4"))]


def test_decisions_are_taken_back() -> None:
    recorder = Recorder(TIGER)
    recorder.answer(0, "4")
    first = recorder.state
    recorder.answer(1, "5")
    recorder.back(1)
    assert recorder.state == first
    recorder.answer(1, "6")
    assert [entry.answer.key for entry in recorder.log().entries] == ["4", "6"]  # type: ignore[union-attr]
    assert replay(recorder.log(), TIGER).state == recorder.state
    for count in (2, 3, -1):
        with pytest.raises(ValueError, match=f"no way back to {count} decisions from 2"):
            recorder.back(count)


def test_a_log_is_never_written_over(tmp_path: Path) -> None:
    file = tmp_path / "match.log"
    file.write_text("mine")
    with pytest.raises(FileExistsError, match="there is a file already"):
        Recorder(TIGER, file=file)
    assert file.read_text() == "mine"
    with pytest.raises(OSError, match="no log can be written here"):
        Recorder(TIGER, file=tmp_path / "none" / "match.log")


def test_a_match_that_cannot_begin_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadSetup):
        Recorder(TIGER, seats=77, file=tmp_path / "match.log")
    assert not list(tmp_path.iterdir())


def test_the_command_replays_what_python_recorded_with_chance_from_outside(tmp_path: Path) -> None:
    file = tmp_path / "dice.log"
    rules = game(paths.GAMES / "hornochsen.rules")
    with Recorder(rules, seed=None, file=file) as recorder:
        driven(recorder, "dice")
    run = called("replay", str(file), typed="")
    assert (run.returncode, run.stderr) == (0, "")
    assert outcome(recorder.state) is not None


GIVEN = {"red.monkey": 3, "red.hand": [1, 9], "red.discard": range(2, 9), "starter": "blue"}


@pytest.mark.parametrize("seed", ["5", None])
@pytest.mark.parametrize("more", [{}, {"turn": "blue"}, {"begin": ("turn", "red")}])
def test_a_match_that_begins_in_a_position_replays(seed: str | None, more: dict[str, object]) -> None:
    rules, values = (MOON, {"starter": "blue"}) if more else (TIGER, GIVEN)
    recorder = Recorder(rules, None, ["red", "blue"], seed, values=values, **more)  # type: ignore[arg-type]
    begun = position(rules, values, None, ["red", "blue"], seed, **more)  # type: ignore[arg-type]
    assert (recorder.state, recorder.events) == (begun.state, begun.events)
    answers = Answers("there")
    while asked := recorder.decisions():
        recorder.answer(asked[0].seat, answers.to(asked[0]))
    assert (recorder.outcome() is None) == ("begin" in more)
    again = replay(recorder.log(), rules)
    assert (again.state, again.outcome, again.fault) == (recorder.state, recorder.outcome(), None)


def test_a_referees_view_is_a_position_to_record_from() -> None:
    for _, _, step in list(steps(TIGER, 3, "mid", most=40))[::9]:
        seen = view(step.state, REFEREE)
        recorder = Recorder(TIGER, values=seen)
        assert view(recorder.state, REFEREE).seats == seen.seats
        assert replay(recorder.log(), TIGER).state == recorder.state


@pytest.mark.parametrize("more", [{"values": {"red.moon": 1}}, {"turn": "ann"}, {"begin": "moon"}, {"begin": [1.5]}])
def test_where_no_match_can_begin_none_is_recorded(more: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(BadSetup):
        Recorder(TIGER, file=tmp_path / "a.log", **more)  # type: ignore[arg-type]
    assert not (tmp_path / "a.log").exists()
