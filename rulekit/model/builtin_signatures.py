"""The signatures of the built-in words of the language, one row each.

A row has the name, what the word takes, what it gives, what it means, and
whether it reads where pieces stand.  It is the only place that says so:
checker, compiler and tools ask the row.  Types are named as in `types`; `set`
is any set, `element` the element of the first set, `same` the type of the
first argument, `piece` any piece, `spot` a piece on a grid or a cell; `?`
behind a type says that the word may give none.  How a word is computed is the
engines' affair.
"""

from __future__ import annotations

from collections import ChainMap

from rulekit.model.types import PLAIN, UNKNOWN, Type, set_of
from rulekit.values import frozen

_TYPES = PLAIN | {f"set {name}": set_of(kind) for name, kind in PLAIN.items()}
_BY_ARGUMENTS = {"same": 0, "set space": 1, "set piece": 1, "set pieces": 2}
"""What depends on the arguments: with how many sets inside one another (of `same`, the argument tells)."""


@frozen
class BuiltIn:
    """A built-in word.

    takes:            the types of its arguments; of an attribute, of what stands before the dot.
    gives:            the type of its value, with `?` if that may be none.
    reads_positions:  whether its value depends on where pieces stand, beyond what the arguments say.
    reads_order:      whether its value depends on the order of its first argument, so that a shuffled one is settled.
    on_squares:       whether it counts columns and rows, or turns by quarters: on hexagons it would mean nothing.
    """

    name: str
    takes: tuple[str, ...]
    gives: str
    meaning: str
    reads_positions: bool = True
    reads_order: bool = False
    on_squares: bool = False

    def __attrs_post_init__(self) -> None:
        is_type = self.gives.removesuffix("?") in _TYPES.keys() | _BY_ARGUMENTS
        assert is_type, f"`{self.name}` gives no type: {self.gives}"
        assert self.gives != "same" or self.takes, f"`{self.name}` gives the type of an argument, and takes none"

    @property
    def may_be_nothing(self) -> bool:
        return self.gives.endswith("?")

    @property
    def type(self) -> Type:
        """The type of its value; `UNKNOWN` if that depends on the arguments."""
        return _TYPES.get(self.gives.removesuffix("?"), UNKNOWN)

    @property
    def depth(self) -> int:
        """How many sets stand inside one another in its value; of `same`, ask the first argument."""
        return _BY_ARGUMENTS.get(self.gives, int(self.type.is_set))

    @property
    def follows_course(self) -> bool:
        """Whether its value depends on where the links of spaces lead."""
        return "space" in self.takes or self.gives == "set space"


def _row(name: str, takes: str, gives: str, meaning: str, *, reads_positions: bool = True) -> tuple[str, BuiltIn]:
    return name, BuiltIn(name, tuple(takes.split()), gives, meaning, reads_positions)


def _blind(name: str, takes: str, gives: str, meaning: str) -> tuple[str, BuiltIn]:
    """The row of a word that does not read where pieces stand."""
    return _row(name, takes, gives, meaning, reads_positions=False)


def _square(name: str, takes: str, gives: str, meaning: str, *, reads_positions: bool = False) -> tuple[str, BuiltIn]:
    """The row of a word that is about square cells alone."""
    return name, BuiltIn(name, tuple(takes.split()), gives, meaning, reads_positions, on_squares=True)


def _placed(name: str, takes: str, meaning: str) -> tuple[str, BuiltIn]:
    """The row of a word that picks from a set by places."""
    return name, BuiltIn(name, tuple(takes.split()), "same", meaning, reads_positions=False, reads_order=True)


FUNCTIONS: dict[str, BuiltIn] = dict(
    (
        _blind("min", "number number", "number", "the smaller of two numbers"),
        _blind("max", "number number", "number", "the larger of two numbers"),
        _blind("abs", "number", "number", "a number without its sign"),
        _blind("index", "element set", "number", "the place of a thing in a set, from 1; an error if it is not in it"),
        _blind("cycle", "set element", "same", "the others, from the one after it round to the one before it"),
        _placed("going_round", "set number", "all of a set, from this place on and round to the one before it"),
        _blind("seats_after", "player", "number", "how far behind the starter in turn order, from 0"),
        _blind("turns_after", "player player", "number", "seats from the second to the first in turn order, 1 to all"),
        _row("first_free", "piece", "set space", "for each path forward the first space with room, or the path's end"),
        _blind("behind", "space", "set space", "all spaces from which a space can be reached"),
        _blind("links", "space space", "number", "the fewest links from one space forward to another"),
        _row("touching", "pieces pieces directions", "flag", "whether a piece of one set is next to one of the other"),
        _row("neighbours", "cell directions", "set piece", "the pieces next to a cell in these directions"),
        _row("beside", "spot direction", "cell", "the cell next to a piece or cell"),
        _row("chain", "spot direction", "set piece", "the unbroken run of pieces next to it, nearest first"),
        _row("ahead", "spot direction", "set piece", "all pieces farther on in a line, nearest first"),
        _row("first_gap", "spot direction", "cell", "the first empty cell of a line; without one the cell past it"),
        _square(
            "depth",
            "piece pieces direction",
            "number",
            "the line of a piece counted from the foremost line, from 1",
            reads_positions=True,
        ),
        _row("groups", "pieces", "set pieces", "the sets of pieces that hang together by their sides"),
        _row("shifted", "pieces direction number", "set cell", "the cells where pieces would stand after a shift"),
        _row("contact_steps", "pieces direction", "number?", "free shifts until side contact with others, or none"),
        _row("free_steps", "pieces direction", "number?", "free shifts before piece or edge; none if nothing blocks"),
        _square(
            "contact_jumps",
            "pieces",
            "set offset",
            "the displacements that end in side contact and on no piece",
            reads_positions=True,
        ),
        _row("seen_before", "history", "number", "how often what a history compares was noted as it is now"),
        _row("alike", "pieces snapshot", "flag", "equal up to a shift (none on a bounded grid), like pieces exchanged"),
    )
)
"""Words that are called with arguments."""

ATTRIBUTES: dict[str, BuiltIn] = dict(
    (
        _blind("seat", "player", "number", "the number of a seat, from 1"),
        _square("left", "direction", "direction", "a quarter turn to the left"),
        _square("right", "direction", "direction", "a quarter turn to the right"),
        _blind("opposite", "direction", "direction", "half a turn"),
        _row("empty", "cell", "flag", "whether no piece stands on a cell of the board"),
        _blind("column", "cell", "number", "counted from the west, from 1"),
        _blind("row", "cell", "number", "counted from the north, from 1"),
        _square("length", "offset", "number", "columns and rows of a displacement together"),
    )
)
"""Words behind a dot, of what they take; those that are expressions of their own stand in `resolve.attributes`."""

SEAT_WORDS: dict[str, BuiltIn] = dict(
    (
        _blind("starter", "", "player", "the player who begins a round"),
        _blind("answered_last", "", "player?", "who finished last in the latest `secretly each`, or none"),
    )
)
"""Words that name one seat."""

OUTCOME: dict[str, BuiltIn] = dict(
    (
        _row("game_over", "", "flag", "whether the match has come to its end"),
        _row("winners", "", "set player", "the first place, without the defeated; nobody before the end"),
        _row("runners_up", "", "set player", "the players of the second place"),
        _row("losers", "", "set player", "the defeated players"),
    )
)
"""Words about the end of a match; only a scenario may say them."""

_UNSAID: dict[str, BuiltIn] = dict(
    (
        _placed("slice", "set set", "the members of a set at these places: `set[places]`"),
        _placed("onward", "set number", "the members of a set from this place on: `set[place..]`"),
        _row("a_copy", "thing", "same", "in a scenario: the first copy of a printed card that lies anywhere"),
    )
)
"""What other notation stands for; nobody can write these names."""

WORDS = ChainMap(FUNCTIONS, ATTRIBUTES, SEAT_WORDS, OUTCOME, _UNSAID)
"""Every word that a `Builtin` of `expr` may have.  One without a row is an error for all who ask."""

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
HEXAGONALS = ("north", "northeast", "east", "south", "southwest", "west")
"""The ways over the six sides of a hexagonal cell, whose rows lie each half a cell farther east than the one above."""


def sides(*, hexagonal: bool) -> tuple[tuple[int, int], ...]:
    """The ways over the sides of a cell."""
    return tuple(DIRECTIONS[name] for name in (HEXAGONALS if hexagonal else ORTHOGONALS))


DIRECTION_SETS: dict[str, tuple[str, ...]] = {
    "orthogonals": ORTHOGONALS,
    "diagonals": DIAGONALS,
    "hexagonals": HEXAGONALS,
    "directions": tuple(DIRECTIONS),
}
SEAT_SETS = ("players", "neutrals", "everyone")
CONTEXT = {
    "it": "`it` is what a query looks at, as in `players where it.seat is 1`",
    "this": "`this` is the card or thing whose own rule it is: it means something below such a line",
    "owner": "`owner` is whom a card is done for; an action takes one as in `action a(owner of player)`",
    "player": "`player` is the one of an `each player` around; an action takes one as in `action a(player)`",
}
"""Words that mean something in their place only, and which that is."""
EVERYWHERE = (*SEAT_SETS, *SEAT_WORDS, *DIRECTIONS, *DIRECTION_SETS, *FUNCTIONS)
"""Names that any line of the rules may say."""
RESERVED = (*EVERYWHERE, *OUTCOME, *CONTEXT)
"""Names that a declaration may not take: they mean something everywhere."""
