"""Members that are equal: doubles in lists, printed cards and their copies, pieces out of the game; in every engine."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import rulekit
from rulekit import load_text
from rulekit.play import engine
from tests.differential.lockstep import plan_of, same_match
from tests.generators.handmade_plans import ENGINES

HEAD = """game "Equal members"
    players 2
cards deck of card
    | card | worth | copies |
    | two  | 2     | 2      |
    | six  | 6     | 1      |
track lane 0..9
pieces crew of hand on lane
    | hand |
    | h1   |
    | h2   |
pile rest of card starts deck
pile hand of card
value best of card
counter found 0..999
each player has
    piece cart on lane at 3
    pieces 2 vans of van on lane at 3
    value liked of card
define joined(those of deck, others of deck) is those + others
define twice(numbers of lane) is numbers + numbers
"""


def values_in_every_engine(expressions: Iterable[str], before: str = "") -> dict[str, Any]:
    """Return what numbers come to after some lines of play; the engines must agree."""
    names = {f"found_{place}": expression for place, expression in enumerate(expressions)}
    counters = "".join(f"counter {name} -99..999 starts 0\ndefine read_{name} is {name}\n" for name in names)
    lines = "".join(f"    {line}\n" for line in before.splitlines())
    lines += "".join(f"    set {name} to {expression}\n" for name, expression in names.items())
    game = load_text(f"{HEAD}{counters}play\n{lines}result: rank players by highest seat\n")
    plan, storage = plan_of(game, {}, 2)
    for machine in ENGINES.values():
        same_match(machine(plan), storage, game, {}, 2, "0")
    state = engine.start(game, {}, 2, "0").state
    return {expression: rulekit.read(state, f"read_{name}") for name, expression in names.items()}


LISTS = {
    "count ([1, 1, 2] + [])": 2,
    "count ([] + [1, 1, 2])": 2,
    "count ([1, 1, 2] + [3])": 3,
    "count ([3] + [1, 1, 2])": 3,
    "count ([1, 1, 2] + [1, 1, 2])": 2,
    "count ([1, 1] + [2, 2])": 2,
    "count twice([4, 4, 5])": 2,
    "sum of it over ([2, 2, 1] + [3, 3])": 6,
    "([2, 2, 1] + [3, 3])[2]": 1,
    "count (all of it over [1, 1, 2])": 2,
    "count [1, 1, 2]": 3,
    "sum of it over [1, 1, 2]": 4,
    "count ([1, 1, 2] except 1)": 1,
    "if [1, 1, 2] is [1, 2, 1] then 1 else 0": 1,
    "if [1, 1, 2] is [1, 2] then 1 else 0": 0,
    "if [1, 1, 2] is [1, 2, 2] then 1 else 0": 0,
}


def test_a_sum_of_sets_has_each_value_once_and_a_list_keeps_its_doubles() -> None:
    assert values_in_every_engine(LISTS) == LISTS


PRINTED = {
    # The things of `rest` are copies of two, two and six; `deck` holds the printed ones.
    "index(six, rest)": 3,
    "index(two, rest)": 1,
    "index(rest[2], rest)": 2,
    "index(last rest, deck)": 2,
    "index(rest[2], deck)": 1,
    "count cycle(rest, six)": 2,
    "count cycle(rest, two)": 2,
    "(first cycle(rest, rest[2])).worth": 6,
    "(first cycle(deck, last rest)).worth": 2,
    "count cycle(deck, last rest)": 1,
    "count ([six] + rest)": 3,
    "count ([two] + rest)": 3,
    "count (rest + [six])": 3,
    "count (rest + [two])": 3,
    "count (rest + deck)": 3,
    "count joined(deck, rest)": 3,
    "count joined(rest, deck)": 3,
    "count ([six] + [two])": 2,
    "count ([six] + [last rest])": 1,
    "(first ([two] + [last rest])).worth": 2,
    "count (rest + rest)": 3,
    "count (rest except six)": 2,
    "count (rest where it is two)": 2,
    "if six in rest and last rest in deck then 1 else 0": 1,
    "if [six, two, two] is rest then 1 else 0": 1,
    "if [six, two] is rest then 1 else 0": 0,
    "count (all of it over rest)": 3,
}


def test_a_printed_card_stands_for_its_copies() -> None:
    assert values_in_every_engine(PRINTED) == PRINTED


REMOVED = {
    "count players.cart": 1,
    "count (all of it.cart over players)": 1,
    "(first players.cart).number": 5,
    "least of it.number over players.cart": 5,
    "count (players.cart where it.placed)": 1,
    "if (first players).cart in players.cart then 1 else 0": 0,
    "if players.cart[1].owner is last players then 1 else 0": 1,
    "count (players.cart + [(first players).cart])": 2,
    "if (first players).cart.placed then 1 else 0": 0,
}


def test_a_single_piece_that_is_removed_is_in_no_set() -> None:
    before = "move (last players).cart to 5\nremove (first players).cart"
    assert values_in_every_engine(REMOVED, before) == REMOVED


def test_a_removed_single_piece_that_is_moved_onto_a_space_is_in_the_set_again() -> None:
    back = {"count players.cart": 1, "(first players.cart).number": 4}
    assert values_in_every_engine(back, "remove players.cart\nmove (first players).cart to 4") == back
    gone = {"count players.cart": 0, "if (first players.cart) is none then 1 else 0": 1}
    assert values_in_every_engine(gone, "remove players.cart") == gone
