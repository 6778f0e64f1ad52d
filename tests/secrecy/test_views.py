"""What a seat receives, as bytes: equal while only hidden things differ, different when anything it may know does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from attrs import evolve

from rulekit import REFEREE, Action, Event, Game, RuleError, State, apply, decisions, seen, start, view
from rulekit.loading import examine_text
from rulekit.play.machine.working_state import thaw
from rulekit.play.view import SPECTATOR
from rulekit.source import Source
from tests import paths
from tests.generators.random_matches import GAMES, Answers, game, steps
from tests.sizes import some


def received(state: State, events: tuple[Event, ...], seat: int) -> bytes:
    """Everything that a step sends to a seat: view, options, prompts, who is waited for, events and their order."""
    told = [event for event in (seen(event, seat) for event in events) if event is not None]
    return repr((view(state, seat), told)).encode()


def secret_answers(path: Path, seats: int) -> Iterator[tuple[State, int, list[Action]]]:
    """States with simultaneous decisions, a seat that decides, and two different answers of it."""
    for _, _, step in steps(game(path), seats, "secret", most=120):
        for decision in decisions(step.state):
            if step.state.branches and not decision.several and len(decision.options) > 1:
                yield step.state, decision.seat, [Action(decision.seat, option) for option in decision.options[:2]]
            elif step.state.branches and decision.several and len(decision.options) > decision.least > 0:
                first = decision.options[: decision.least]
                other = decision.options[-decision.least :]
                if first != other:
                    yield step.state, decision.seat, [Action(decision.seat, first), Action(decision.seat, other)]


SECRET = [path for path in GAMES if path.stem not in ("china_moon", "shear_panic")]
"""Games with simultaneous secret decisions; the other two are open."""


@pytest.mark.parametrize("path", SECRET, ids=lambda p: p.stem)
def test_a_pending_secret_answer_shows_nothing(path: Path) -> None:
    tested = 0
    for state, seat, (one, other) in secret_answers(path, 3):
        if len(decisions(state)) == 1:
            continue  # the last to answer: the rules go on
        steps_ = [apply(state, one), apply(state, other)]
        for watcher in (*range(3), SPECTATOR):
            bytes_ = [received(step.state, step.events, watcher) for step in steps_]
            if watcher == seat:
                assert bytes_[0] != bytes_[1], "a seat knows its own answer"
            else:
                assert bytes_[0] == bytes_[1]
                tested += 1
    assert tested > 30


def with_values(state: State, changes: dict[int, object], lies: dict[int, int] | None = None) -> State:
    """The state with some slots (and places of copies) changed, in pending private copies too."""

    def changed(old: tuple[object, ...], new: dict[int, object]) -> tuple[object, ...]:
        return tuple(new.get(index, value) for index, value in enumerate(old))

    moved = dict(lies or {})
    branches = tuple(
        evolve(branch, values=changed(branch.values, changes), lies=changed(branch.lies, moved))
        for branch in state.branches
    )
    return evolve(state, values=changed(state.values, changes), lies=changed(state.lies, moved), branches=branches)


def untouched(state: State) -> bool:
    """No private copy has gone on from its start: there, a change made from outside could be overwritten already."""
    return all(branch.values == state.values for branch in state.branches)


def exchanges(state: State) -> Iterator[tuple[State, frozenset[int]]]:
    """The state with two unlike copies exchanged that lie in hidden places, and the seats that see either place."""
    m = thaw(state)
    setting = state.setting
    hidden = [slot for slot in setting.pile_slots if m.sees(slot) is not None and state.values[slot]]
    for here, there in pairwise(hidden):
        one = next((t for t in state.values[here] if t not in state.open_things), None)
        other = next(
            (
                t
                for t in state.values[there]
                if t not in state.open_things and one is not None and setting.row_of[t] != setting.row_of[one]
            ),
            None,
        )
        if one is None or other is None:
            continue
        changes: dict[int, object] = {
            here: tuple(other if t == one else t for t in state.values[here]),
            there: tuple(one if t == other else t for t in state.values[there]),
        }
        lies = {one - setting.copy_base: there, other - setting.copy_base: here}
        knowing = (m.sees(here) or frozenset()) | (m.sees(there) or frozenset())
        yield with_values(state, changes, lies), knowing


@pytest.mark.parametrize("path", SECRET, ids=lambda p: p.stem)
def test_two_unseen_things_exchanged_show_nothing(path: Path) -> None:
    tested = 0
    for _, _, step in steps(game(path), 3, "exchange", most=100):
        if not untouched(step.state):
            continue
        before = {seat: received(step.state, (), seat) for seat in (*range(3), SPECTATOR)}
        for changed, knowing in exchanges(step.state):
            for seat, was in before.items():
                same = was == received(changed, (), seat)
                assert same == (seat not in knowing)
                tested += same
    if path.stem != "fuzzy_tiger":  # there, what is in a hand follows from what was played
        assert tested > 30


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_a_public_change_changes_every_view(path: Path) -> None:
    tested = 0
    for _, _, step in some(list(steps(game(path), game(path).least, "public", most=40)), 3):
        state = step.state
        m = thaw(state)
        if not untouched(state):
            continue
        before = {seat: received(state, (), seat) for seat in (*range(len(state.setting.seats)), SPECTATOR)}
        for slot, variable in enumerate(state.setting.slot_variable):
            form = state.setting.game.variables[variable].form
            old = state.values[slot]
            if form not in ("counter", "flag", "pile") or m.sees(slot) is not None or old == ():
                continue
            new = old[1:] if isinstance(old, tuple) else (not old) if form == "flag" else int(str(old)) + 1
            changed = with_values(state, {slot: new})
            for seat, was in before.items():
                assert was != received(changed, (), seat)
                tested += 1
    assert tested > 10


@pytest.mark.parametrize("path", SECRET, ids=lambda p: p.stem)
def test_an_own_secret_changed_changes_the_own_view(path: Path) -> None:
    tested = 0
    for _, _, step in steps(game(path), 2, "own", most=60):
        state = step.state
        m = thaw(state)
        if not untouched(state):
            continue
        for slot, variable in enumerate(state.setting.slot_variable):
            declared = state.setting.game.variables[variable]
            if declared.seen != "owner" or m.sees(slot) is None:
                continue
            old = state.values[slot]
            new = old[1:] if isinstance(old, tuple) else int(str(old)) + 1
            if new == old:
                continue
            changed = with_values(state, {slot: new})
            owner = state.setting.slot_owner[slot]
            assert received(state, (), owner) != received(changed, (), owner)
            tested += 1
    assert tested > 5


@pytest.mark.parametrize("path", SECRET, ids=lambda p: p.stem)
def test_one_seat_learns_nothing_early_over_a_whole_replay(path: Path) -> None:
    """Two matches that differ only in one pending answer send the others the same bytes until all have answered."""
    rules = game(path)
    seen_bytes = 0
    for state, seat, (one, other) in secret_answers(path, 3):
        if len(decisions(state)) == 1:
            continue
        left, right = apply(state, one), apply(state, other)
        answers = Answers("others")
        while len(waiting := [d for d in decisions(left.state) if d.seat != seat]) > 1:
            action = Action(waiting[0].seat, answers.to(waiting[0]))
            left, right = apply(left.state, action), apply(right.state, action)
            for watcher in set(range(3)) - {seat}:
                assert received(left.state, left.events, watcher) == received(right.state, right.events, watcher)
                seen_bytes += 1
    assert seen_bytes > 10, rules.title


LEAK = """game "Leak"
    players 2
{declared}
play
    each player
        secretly player chooses number from 1..3
        set player.secret to number
{rule}
    end game
result
    rank players
"""
OWN = "each player has\n    counter secret, seen by owner\ncounter shown"


@pytest.mark.parametrize(
    "rule",
    [
        "    if any (players where it.secret is 2): raise shown by 1",
        "    each player: set shown to player.secret",
        "    let sum_of be sum of secret over players\n    if sum_of above 3: raise shown by 1",
        "    each p in players by secret\n        set shown to p.seat",
    ],
)
def test_a_rule_that_shows_a_secret_is_an_error_under_test(rule: str) -> None:
    loaded = examine_text(Source("leak.rules", LEAK.format(declared=OWN, rule=rule)))
    assert loaded.game is not None, loaded.findings
    with pytest.raises(RuleError) as caught:
        for _ in run(loaded.game):
            pass
    assert caught.value.code == "secret-shown"
    assert "secret" in str(caught.value)


@pytest.mark.parametrize(
    "rule",
    ["    reveal players.secret\n    if any (players where it.secret is 2): raise shown by 1", "    raise shown by 1"],
)
def test_what_is_revealed_may_be_used(rule: str) -> None:
    loaded = examine_text(Source("leak.rules", LEAK.format(declared=OWN, rule=rule)))
    assert loaded.game is not None, loaded.findings
    assert list(run(loaded.game))


def run(rules: Game) -> Iterator[State]:
    for _, _, step in steps(rules, 2, "leak"):
        yield step.state


# ---------------------------------------------------------------- the referee


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_a_referee_sees_all_that_any_seat_sees_and_all_questions(path: Path) -> None:
    for _, _, step in steps(game(path), min(3, game(path).most), "referee", most=60):
        state, whole = step.state, view(step.state, REFEREE)
        assert whole.asked == decisions(state)
        assert not any(found.hidden for found in whole.values)
        assert [seen(event, REFEREE) for event in step.events] == list(step.events)
        for seat in range(len(state.setting.seats)):
            own = {slot for slot, owner in enumerate(state.setting.seat_of) if owner == seat}
            for slot, (mine, all_of_it) in enumerate(zip(view(state, seat).values, whole.values, strict=True)):
                # In a secret block a seat sees what is not its own as it was at the start of the block.
                if not mine.hidden and (slot in own or not state.branches):
                    assert mine == all_of_it


TURNS = """game "Turns"
    players 3
play
    each player
        do turn(player)
    secretly each player
        player chooses number from 1..3
    end game
action turn(owner of player)
    each p in players except owner
        p always chooses number from 1..3
result
    rank players
"""


def test_a_view_says_whose_turn_it_is() -> None:
    loaded = examine_text(Source("turns.rules", TURNS))
    assert loaded.game is not None, loaded.findings
    step, told = start(loaded.game), []
    while waiting := decisions(step.state):
        told.append((waiting[0].seat, view(step.state, SPECTATOR).turn))
        step = apply(step.state, Action(waiting[0].seat, 1))
    assert told == [(1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (0, None), (1, None), (2, None)]
    assert view(step.state, SPECTATOR).turn is None


# ---------------------------------------------------------------- others than the owner

OTHERS = paths.CASES / "hidden" / "others.rules"


@pytest.mark.parametrize("seats", [2, 4])
def test_who_sees_what_follows_from_the_declaration(seats: int) -> None:
    """`seen by others` is all but the owner; `seen by team` those that the define gives, here every second seat."""
    readers: dict[str, set[tuple[int, int]]] = {}
    for state in (step.state for _, _, step in steps(game(OTHERS), seats, "seen", most=40)):
        for seat in range(seats):
            for what in view(state, seat).values:
                owner, _, name = what.path.rpartition(".")
                if name in ("brow", "hand") and isinstance(what.shown, tuple) and len(what.shown) == what.count > 0:
                    readers.setdefault(name, set()).add((state.setting.seats.index(owner), seat))
    pairs = {(owner, seat) for owner in range(seats) for seat in range(seats)}
    assert {(owner, seat) for owner, seat in pairs if owner != seat} <= readers["brow"]
    assert readers["hand"] == {(owner, seat) for owner, seat in pairs if owner % 2 == seat % 2}
