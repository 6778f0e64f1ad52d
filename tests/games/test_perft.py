"""Perft, known counts: in how many ways the first moves of board games can be made.

Source: the counts of tic-tac-toe, connect four, Reversi (Othello) and English draughts
stand in many collections of such results; those of breakthrough were counted with OpenSpiel 2.0.2,
those of Hex on three by three cells by a program of its own that keeps positions as sets.
Of Hex the published figure is that of the shortest chains, (n + 1) * 2^(n - 2) on n by n cells: A096367 of the
On-Line Encyclopedia of Integer Sequences (D. Bevan, 2004), in its comment.  Counts of positions were not found.
"""

from __future__ import annotations

from math import factorial, perm

import pytest

from benchmarks.fuel import spent
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.compiler.wasm.stepping import WasmStepping, stepping
from rulekit.loading import load_text
from tests.paths import EXAMPLES

KNOWN = {
    ("tic_tac_toe", "cell"): (9, 72, 504, 3024, 15120),
    ("connect_four", "column"): (7, 49, 343, 2401, 16807),
    ("breakthrough", "pawn"): (22, 484, 11132),
    ("hex", "cell"): (49, 2352),
    ("reversi", "cell"): (4, 12, 56, 244, 1396, 8200),
    ("draughts", "man"): (7, 49, 302, 1469, 7361),
}
"""By game and the question with which a move begins: by number of moves, how many ways."""


def ways(machine: WasmStepping, first: str, status: int, moves: int) -> int:
    """How many ways there are to make so many more moves; each began with the question `first`."""
    if status != Status.WAITING:
        return int(moves == 0)
    asked = machine.waiting()
    if machine.plan.asks[asked.ask].name == first:
        if moves == 0:
            return 1
        moves -= 1
    saved, found = machine.saved(), 0
    for place in range(len(asked.options)):
        found += ways(machine, first, machine.resume(place), moves)
        machine.restore(saved)
    return found


@pytest.mark.parametrize(("name", "first"), KNOWN)
def test_the_first_moves_can_be_made_in_so_many_ways(name: str, first: str) -> None:
    rules = (EXAMPLES / f"{name}.rules").read_text(encoding="utf-8")
    # A move that is the only one is made without asking, and would not be counted.
    plan, _ = lowered(load_text(rules.replace(f" chooses {first} ", f" always chooses {first} ")), {}, 2)
    machine = stepping(plan)
    known = KNOWN[name, first]
    assert tuple(ways(machine, first, machine.begin(1), moves) for moves in range(1, len(known) + 1)) == known


@pytest.mark.parametrize(("size", "known"), [(2, (4, 12, 24, 12)), (3, (9, 72, 504, 3024, 15120, 54720))])
def test_small_hex_ends_where_a_chain_is_closed(size: int, known: tuple[int, ...]) -> None:
    rules = (EXAMPLES / "hex.rules").read_text(encoding="utf-8").partition("scenario")[0]
    for large, small in (("7 by 7", f"{size} by {size}"), ("25", str(size * size // 2 + 1)), (" is 7", f" is {size}")):
        rules = rules.replace(large, small)
    machine = stepping(lowered(load_text(rules.replace(" chooses cell ", " always chooses cell ")), {}, 2)[0])
    found = tuple(ways(machine, "cell", machine.begin(1), moves) for moves in range(1, len(known) + 1))
    assert found == known
    # All begin with as many moves as there are orders of cells; then those drop out in which the first n stones of the
    # first player are one of the shortest chains.
    first = 2 * size - 1
    shortest, cells = (size + 1) * 2 ** (size - 2), size * size
    closed = shortest * factorial(size) * perm(cells - size, size - 1)
    assert found[:first] == tuple(perm(cells, moves) for moves in range(1, first + 1))
    assert found[first] == (found[first - 1] - closed) * (cells - first)


def test_cells_with_six_sides_cost_at_most_a_third_more_than_squares() -> None:
    rules = (EXAMPLES / "hex.rules").read_text(encoding="utf-8").partition("scenario")[0]
    made = [spent(lowered(load_text(text), {}, 2)[0], 10) for text in (rules, rules.replace(" hexagonal", ""))]
    hexagons, squares = (instructions / decisions for instructions, decisions in made)
    assert hexagons <= 1.3 * squares
