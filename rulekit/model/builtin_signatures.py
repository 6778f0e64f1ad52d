"""The signatures of the built-in functions (the words of the language), one row each.

A row has the name, what it takes, what it gives and what it means.  Types are
named as in `types`; `set` is any set, `element` the element of the first set,
`same` the type of the first argument, `piece` any piece, `spot` a piece on a
grid or a cell.  How a word is computed is the engines' affair.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class BuiltIn:
    name: str
    takes: tuple[str, ...]
    gives: str
    meaning: str


def _row(name: str, takes: str, gives: str, meaning: str) -> tuple[str, BuiltIn]:
    return name, BuiltIn(name, tuple(takes.split()), gives, meaning)


FUNCTIONS: dict[str, BuiltIn] = dict(
    (
        _row("min", "number number", "number", "the smaller of two numbers"),
        _row("max", "number number", "number", "the larger of two numbers"),
        _row("abs", "number", "number", "a number without its sign"),
        _row("index", "element set", "number", "the place of a thing in a set, from 1; an error if it is not in it"),
        _row("cycle", "set element", "same", "the others, from the one after it round to the one before it"),
        _row("seats_after", "player", "number", "how far behind the starter in turn order, from 0"),
        _row("turns_after", "player player", "number", "seats from the second to the first in turn order, 1 to all"),
        _row("first_free", "piece", "set space", "for each path forward the first space with room, or the path's end"),
        _row("behind", "space", "set space", "all spaces from which a space can be reached"),
        _row("links", "space space", "number", "the fewest links from one space forward to another"),
        _row("touching", "pieces pieces directions", "flag", "whether a piece of one set is next to one of the other"),
        _row("neighbours", "cell directions", "set piece", "the pieces next to a cell in these directions"),
        _row("beside", "spot direction", "cell", "the cell next to a piece or cell"),
        _row("chain", "spot direction", "set piece", "the unbroken run of pieces next to it, nearest first"),
        _row("ahead", "spot direction", "set piece", "all pieces farther on in a line, nearest first"),
        _row("first_gap", "spot direction", "cell", "the first empty cell of a line; without one the cell past it"),
        _row("depth", "piece pieces direction", "number", "the line of a piece counted from the foremost line, from 1"),
        _row("groups", "pieces", "set pieces", "the sets of pieces that hang together by their sides"),
        _row("shifted", "pieces direction number", "set cell", "the cells where pieces would stand after a shift"),
        _row("contact_steps", "pieces direction", "number?", "free shifts until side contact with others, or none"),
        _row("free_steps", "pieces direction", "number?", "free shifts before piece or edge; none if nothing blocks"),
        _row("contact_jumps", "pieces", "set offset", "the displacements that end in side contact and on no piece"),
        _row("alike", "pieces snapshot", "flag", "equal up to a shift (none on a bounded grid), like pieces exchanged"),
    )
)
"""Words that are called with arguments."""

DIRECTIONS: dict[str, tuple[int, int]] = {
    "north": (0, -1),
    "northeast": (1, -1),
    "east": (1, 0),
    "southeast": (1, 1),
    "south": (0, 1),
    "southwest": (-1, 1),
    "west": (-1, 0),
    "northwest": (-1, -1),
}
"""Columns grow eastward, rows southward."""

ORTHOGONALS = ("north", "east", "south", "west")
DIAGONALS = ("northeast", "southeast", "southwest", "northwest")
DIRECTION_SETS: dict[str, tuple[str, ...]] = {
    "orthogonals": ORTHOGONALS,
    "diagonals": DIAGONALS,
    "directions": tuple(DIRECTIONS),
}
SEAT_SETS = ("players", "neutrals", "everyone")
TURNS: dict[str, str] = {"left": "a quarter turn to the left", "right": "to the right", "opposite": "half a turn"}
CELL_NUMBERS: dict[str, str] = {"column": "counted from the west, from 1", "row": "counted from the north, from 1"}
OUTCOME: dict[str, str] = {
    "game_over": "whether the match has come to its end",
    "winners": "the players of the first place, without the defeated; nobody before the end",
    "runners_up": "the players of the second place",
    "losers": "the defeated players",
}
"""Words about the end of a match; only a scenario may say them."""
_ALONE = ("starter", "answered_last", "it", "this", "owner", "player")
RESERVED = (*SEAT_SETS, *OUTCOME, *_ALONE, *DIRECTIONS, *DIRECTION_SETS, *FUNCTIONS)
"""Names that a declaration may not take: they mean something everywhere."""
