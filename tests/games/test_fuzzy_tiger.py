"""Fuzzy Tiger as its specification says it: examples, hard spots, every option, and who wins."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from rulekit import Action, BadSetup, Ref, State, Value, apply, decisions, outcome, start, view
from rulekit.diagnostics import Problems, render_all
from rulekit.loading import Loaded, examine, examine_text
from rulekit.model.declare.variables import cites
from rulekit.model.game import Game, Scenario
from rulekit.play import position_setup
from rulekit.play.machine.working_state import thaw
from rulekit.play.view import SPECTATOR
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.parse import parse
from rulekit.syntax.traversal import walk
from rulekit.tools.examples import runner
from tests import paths
from tests.generators.random_matches import Answers
from tests.sizes import IS_LONG, some

RULES = paths.GAMES / "fuzzy_tiger.rules"
GAMES_EACH = 5 if IS_LONG else 2
NOT_BY_A_SCENARIO: dict[str, str] = {}
"""Clauses that no scenario cites, and why."""
CLAUSES = {
    *(f"FT-{n:02}" for n in (*range(1, 25), *range(28, 42))),
    *(f"R{n}" for n in range(1, 18) if n != 7),
}
"""The clauses of the specification and R17, without R7: two monkeys are never nearest."""


@cache
def loaded() -> Loaded:
    found = examine(RULES)
    assert found.game is not None, render_all(found.findings, found.sources)
    return found


def game() -> Game:
    found = loaded().game
    assert found is not None
    return found


def text() -> str:
    return RULES.read_text(encoding="utf-8")


def game_of(changed: str) -> Game:
    found = examine_text(Source("changed.rules", changed))
    assert found.game is not None, render_all(found.findings, found.sources)
    return found.game


# ---------------------------------------------------------------- scenarios


@pytest.mark.parametrize("scenario", game().scenarios, ids=lambda s: s.name)
def test_a_scenario_passes(scenario: Scenario) -> None:
    result = runner.run(game(), scenario)
    assert result.passed, result.failure


def test_scenarios_have_names_of_their_own() -> None:
    names = [scenario.name for scenario in game().scenarios]
    assert len(set(names)) == len(names)


def test_there_are_no_findings() -> None:
    assert loaded().findings == ()


def test_every_clause_stands_in_the_file() -> None:
    assert set(game().clauses) >= CLAUSES


def test_every_clause_is_shown_by_a_scenario() -> None:
    file = parse(Source(str(RULES), text()), Problems()).file
    lines = [line for node in file.declarations if isinstance(node, nodes.Scenario) for line in walk((node,))]
    shown = {clause for line in lines if isinstance(line, nodes.Line) for clause in cites(line)}
    assert CLAUSES - shown == set(NOT_BY_A_SCENARIO)


def test_the_misprint_is_the_first_thing_that_differs() -> None:
    changed = game_of(text().replace("    fails at green.monkey is 3", "    expect green.monkey is 3"))
    printed = next(s for s in changed.scenarios if s.name == "example A as printed")
    difference = runner.run(changed, printed).failure
    assert difference is not None
    assert (difference.said, difference.found) == ("green.monkey is 3", "green.monkey is 4")


def test_a_wrong_number_in_any_scenario_is_found_on_its_line() -> None:
    """The first number that each scenario expects is made another one."""
    lines, wrong = text().split("\n"), {}
    for number, line in enumerate(lines):
        if line.startswith("scenario "):
            name, done = line.split('"')[1], False
        elif line.startswith("    expect ") and (match := re.search(r" is (\d+)(?=,|$| )", line)) and not done:
            wrong[name], done = number + 1, True
            lines[number] = f"{line[: match.start(1)]}{int(match[1]) + 1}{line[match.end(1) :]}"
    assert len(wrong) > 40
    changed = game_of("\n".join(lines))
    for scenario in changed.scenarios:
        if scenario.name in wrong:
            difference = runner.run(changed, scenario).failure
            assert difference is not None, scenario.name
            assert difference.span.line == wrong[scenario.name], scenario.name


# ---------------------------------------------------------------- options


def choices() -> list[tuple[str, dict[str, Value]]]:
    """The defaults, every other reading alone, all others together, and cards left out."""
    found: list[tuple[str, dict[str, Value]]] = [("defaults", {})]
    others: dict[str, Value] = {}
    for option in game().options:
        for index, (name, _) in enumerate(option.readings):
            if index != option.default:
                found.append((f"{option.name}-{name}", {option.name: name}))
                others[option.name] = name
    return [*found, ("all-others", others)]


LEFT_OUT: list[tuple[int, tuple[int, ...]]] = [
    *((seats, (card,)) for seats in (2, 3, 4) for card in range(1, 9)),
    *((seats, cards) for seats in (2, 3) for cards in ((1, 2), (3, 7), (4, 8), (6, 7))),
]


def test_every_unclear_place_has_another_reading() -> None:
    unclear = {option.name: len(option.readings) for option in game().options if option.unclear}
    assert len(unclear) == 11
    assert [name for name, readings in unclear.items() if readings != 2] == ["end_when", "shared_card", "lassoed"]


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize(
    ("name", "options"), some(choices(), 2), ids=lambda value: value if isinstance(value, str) else ""
)
def test_every_reading_plays_to_an_end(name: str, options: dict[str, Value], seats: int) -> None:
    for number in range(GAMES_EACH):
        final = played(options, seats, f"{name} {number}")
        check_result(final, options)


@pytest.mark.parametrize("left_out_by", ["same", "own"])
@pytest.mark.parametrize(("seats", "cards"), some(LEFT_OUT, 3), ids=str)
def test_without_some_cards_it_plays_to_an_end(seats: int, cards: tuple[int, ...], left_out_by: str) -> None:
    for number in range(GAMES_EACH if len(cards) == 2 else 1):
        check_result(played({"left_out": cards, "left_out_by": left_out_by}, seats, f"{cards} {number}"), {})


@pytest.mark.parametrize(
    ("seats", "cards", "named"),
    [
        (2, (), ()),
        (2, (4,), ("left_out_by",)),
        (2, (4, 6, 8), ("left_out_by", "limits")),
        (3, (4, 6), ("left_out_by",)),
        (5, (4,), ("left_out_by", "limits")),
    ],
    ids=str,
)
def test_readings_of_what_is_left_out_are_named_where_they_mattered(
    seats: int, cards: tuple[int, ...], named: tuple[str, ...]
) -> None:
    result = outcome(played({"left_out": cards, "limits": "free"}, seats, "named"))
    assert result is not None
    assert {"left_out_by", "limits"} & set(result.unclear) == set(named)


@pytest.mark.parametrize(
    ("seats", "options", "words"),
    [
        (1, {}, "2 to 5 players, not 1"),
        (6, {}, "2 to 5 players, not 6"),
        (2, {"left_out": (1, 2, 3)}, "`left_out` requires"),
        (3, {"left_out": (1, 2, 3)}, "`left_out` requires"),
        (4, {"left_out": (1, 2)}, "`left_out` requires"),
        (5, {"left_out": (1,)}, "`left_out` requires"),
        (3, {"left_out": (1, 2, 3), "limits": "free"}, "`left_out` requires"),
        (4, {"left_out": (1, 2), "limits": "free"}, "`left_out` requires"),
        (2, {"left_out": (9,)}, "a set of numbers in 1..8"),
        (2, {"left_out": (0,)}, "a set of numbers in 1..8"),
        (2, {"left_out": 4}, "a set of numbers in 1..8"),
        (2, {"left_out": ("2",)}, "a set of numbers in 1..8"),
        (2, {"wake_at": "two"}, "`wake_at` is one of below_one, one"),
        (2, {"wake_at": 0}, "`wake_at` is one of below_one, one"),
        (2, {"wakes_at": "one"}, "did you mean `wake_at`"),
    ],
)
def test_what_cannot_be_agreed(seats: int, options: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetup) as caught:
        start(game(), options, seats=seats)
    assert words in str(caught.value)


def played(options: dict[str, Value], seats: int, name: str) -> State:
    """The last state of a random match; every invariant is tested whenever it waits."""
    answers = Answers(name)
    state = start(game(), options, seats=seats, seed=name, checked=True).state
    for _ in range(20_000):
        waiting = decisions(state)
        if not waiting:
            return state
        decision = waiting[answers.below(len(waiting))]
        assert len(set(decision.options)) == len(decision.options)
        state = apply(state, Action(decision.seat, answers.to(decision))).state
    raise AssertionError(f"{name}: no end")


# ---------------------------------------------------------------- who wins


def check_result(state: State, options: dict[str, Value]) -> None:
    """FT-29, FT-30 and R9, reckoned apart from the rules file."""
    seen, names = view(state, SPECTATOR), state.setting.seats
    score, harm, space = (
        [number(seen[f"{name}.{what}"].shown) for name in names] for what in ("score", "harm", "monkey")
    )
    worst = [seat for seat, h in enumerate(harm) if h == max(harm)]
    if len(worst) == len(names) or (len(worst) > 1 and options.get("most_damage_tied") == "nobody"):
        worst = []
    others = [seat for seat in range(len(names)) if seat not in worst]
    key = {seat: (harm[seat] - score[seat], space[seat]) for seat in others}
    best = tuple(seat for seat in others if key[seat] == min(key.values()))
    result = outcome(state)
    assert result is not None
    assert (result.winners, sorted(result.defeated)) == (best, worst)
    assert max(score) >= number(seen["timer"].shown)


def number(value: Value) -> int:
    assert isinstance(value, int), value
    return value


# ---------------------------------------------------------------- facts that hold everywhere


def test_a_hand_is_never_empty_when_a_card_is_to_be_chosen() -> None:
    """FT-05: whoever has one card left has the 9."""
    for name in range(30):
        answers = Answers(f"hand {name}")
        state = start(game(), seats=2, seed=str(name)).state
        while waiting := decisions(state):
            for decision in waiting:
                if decision.name == "card" and len(decision.options) == 1:
                    assert decision.options == (Ref("card", "9"),)
            decision = waiting[answers.below(len(waiting))]
            state = apply(state, Action(decision.seat, answers.to(decision))).state


def test_nobody_learns_a_card_before_all_have_chosen() -> None:
    before = start(game(), seats=3).state
    three, four = (apply(before, Action(0, card)).state for card in (3, 4))
    assert view(three, 1) == view(four, 1)
    assert view(three, SPECTATOR) == view(four, SPECTATOR)
    assert view(three, 0) != view(four, 0)


def test_in_play_at_most_one_monkey_is_on_0_when_the_tiger_wakes() -> None:
    """So there is one nearest at most, and nothing to read in two ways: only a made-up position can have two there."""
    seen = set()
    for name in range(20):
        answers = Answers(f"zero {name}")
        state = start(game(), seats=5, seed=str(name)).state
        on_zero: set[str] = set()
        while waiting := decisions(state):
            decision = waiting[answers.below(len(waiting))]
            step = apply(state, Action(decision.seat, answers.to(decision)))
            state = step.state
            for event in step.events:
                piece = event.get("piece")
                if isinstance(piece, Ref) and piece.kind == "monkey":
                    (on_zero.add if event["to"] == 0 else on_zero.discard)(piece.key)
                    seen.add(len(on_zero))
    assert seen == {0, 1}


def test_a_position_may_be_made_up() -> None:
    state = position_setup.position(game(), seats=3)
    assert thaw(state).values == list(state.values)
    assert decisions(state) == ()
