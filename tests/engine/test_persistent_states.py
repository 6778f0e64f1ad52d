"""States are persistent values: a match goes on from the newest, from earlier ones again, after refusals and faults.

Events may be asked for late.
"""

from __future__ import annotations

from copy import copy, deepcopy
from pathlib import Path

import pytest
from attrs import evolve

from rulekit import Action, Game, IllegalAction, LimitError, State, Step, apply, decisions, limits, start
from rulekit.bots.players.random_bot import RandomBot
from rulekit.loading import examine_text
from rulekit.source import Source
from tests.generators.random_matches import GAMES, game

HEAD = 'game "Small"\n    players 1..3\n'
END = "\nresult\n    rank players\n"


def small(rules: str) -> Game:
    loaded = examine_text(Source("small.rules", HEAD + rules + END))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def answered(state: State, turn: int) -> Action:
    waiting = decisions(state)
    decision = waiting[turn % len(waiting)]
    return Action(decision.seat, RandomBot("on", str(decision.seat)).answer(decision, turn))


def played(step: Step, most: int) -> list[tuple[Step, Action]]:
    """Steps of a match, each with the action that is taken there."""
    steps: list[tuple[Step, Action]] = []
    while decisions(step.state) and len(steps) < most:
        action = answered(step.state, len(steps))
        steps.append((step, action))
        step = apply(step.state, action)
    return steps


def whole(step: Step) -> tuple[object, ...]:
    """All of a step, also what does not make states differ."""
    state = step.state
    return state.key(), state.frames, state.steps, sorted(state.unclear), [(repr(e), e.span) for e in step.events]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", ["7", None])
def test_going_on_again_leads_to_the_same(path: Path, seed: str | None) -> None:
    steps = played(start(game(path), seed=seed), 25)
    told = [whole(step) for step, _ in steps]
    for (step, action), after in zip(steps, told[1:], strict=False):
        # The machine that came to this state has long gone on: these are new ones, and they go on alike.
        first, second = apply(step.state, action), apply(step.state, action)
        assert whole(first) == whole(second) == after
        further = answered(first.state, 0)
        assert whole(apply(first.state, further)) == whole(apply(second.state, further))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_copy_of_a_state_goes_on_like_it(path: Path) -> None:
    for step, action in played(start(game(path)), 20):
        after = whole(apply(step.state, action))
        assert whole(apply(copy(step.state), action)) == whole(apply(evolve(step.state), action)) == after


CLIMB = """counter n
play
    repeat
        each player
            player chooses k from 1..3
            while n mod 50 below 49
                raise n by 1
            raise n by k"""


def test_a_refused_answer_changes_nothing() -> None:
    step = start(small(CLIMB))
    for turn in range(3):
        before = whole(step)
        with pytest.raises(IllegalAction):
            apply(step.state, Action(0, 4))
        assert whole(step) == before
        step = apply(step.state, Action(0, 1))
        assert step.state.values[0] == 50 * (turn + 1)


def test_after_a_fault_the_state_still_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    state = apply(start(small(CLIMB)).state, Action(0, 1)).state
    monkeypatch.setattr(limits, "STEPS_PER_DECISION", 60)
    with pytest.raises(LimitError):
        apply(state, Action(0, 1))
    monkeypatch.undo()
    assert apply(state, Action(0, 2)).state.values[0] == 101


def test_tables_of_one_game_are_apart() -> None:
    rules = small(
        'option high "How high?" 1..9 default 2\nplay\n    each player: player chooses k from 1..high\n    end game'
    )
    tables = [(high, seats) for high in (2, 5, 2) for seats in (1, 3)]
    states = [start(rules, {"high": high}, seats).state for high, seats in tables]
    assert [(len(decisions(state)[0].options), len(state.setting.seats)) for state in states] == tables
    assert start(rules, seats=["ann", "bob"]).state.setting.seats == ("ann", "bob")
    assert start(rules, seats=2).state.setting.seats == ("red", "blue")


def test_what_is_kept_with_a_game_stays_with_it() -> None:
    rules = small("play\n    end game")
    start(rules)
    assert rules.kept
    assert not evolve(rules).kept
    assert not deepcopy(rules.kept)
    assert evolve(rules) == rules


def test_events_asked_for_late_are_those_asked_for_at_once() -> None:
    for path in GAMES:
        at_once = [step.events for step, _ in played(start(game(path)), 30) if step.events is step.events]
        late = [step for step, _ in played(start(game(path)), 30)]
        assert [step.events for step in reversed(late)] == at_once[::-1]


@pytest.mark.parametrize(("depth", "found"), [(limits.DEFINES, False), (limits.DEFINES + 1, True)])
def test_defines_inside_one_another_in_play(depth: int, found: bool) -> None:
    lines = ["define d1 is 1", *(f"define d{n} is d{n - 1}" for n in range(2, depth + 1))]
    rules = small("\n".join(lines) + f"\nplay\n    let deep be d{depth}\n    end game")
    if not found:
        start(rules)
        return
    with pytest.raises(LimitError, match="nested too deep") as fault:
        start(rules)
    assert fault.value.code == "too-deep"
    assert fault.value.span.line > 0
