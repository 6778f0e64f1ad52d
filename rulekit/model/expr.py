"""The intermediate representation of expressions: every name resolved; what the engines evaluate.

Values are plain: numbers and flags, seats and things as small integers,
directions and cells as pairs, sets as tuples, nothing as None.  The type of
each place is known statically, so a value need not carry it.
"""

from __future__ import annotations

from rulekit.source import NOWHERE, Span
from rulekit.values import field, frozen

Value = int | bool | None | tuple["Value", ...]


@frozen(kw_only=True)
class Expr:
    """cites: the clauses that this part of a line carries out, where they are not those of the whole line."""

    span: Span = field(default=NOWHERE, eq=False, repr=False)
    cites: tuple[str, ...] = field(default=(), eq=False, repr=False)


@frozen
class Const(Expr):
    value: Value


@frozen
class Direction(Const):
    """A way on a grid: (dx, dy), which a set of two numbers could be taken for."""


@frozen
class Local(Expr):
    """A value named by the running action: parameter, `let`, loop or choice.

    is_set_or_none:  a set that somebody may have declined to choose, and that is read as a set.
    """

    index: int
    is_set_or_none: bool = field(default=False, eq=False)


@frozen
class Element(Expr):
    """The element that a query or fold is looking at; index counts the queries around it."""

    index: int


@frozen
class OptionValue(Expr):
    """index: place among the game's options."""

    index: int


@frozen
class Stored(Expr):
    """The value of a variable; `of` is its player, card, row … or None."""

    variable: int
    of: Expr | None


@frozen
class PieceOf(Expr):
    """The piece itself that a `piece` variable declares."""

    variable: int
    of: Expr | None


@frozen
class GroupOf(Expr):
    """The pieces, not removed ones, of a `pieces` declaration."""

    variable: int
    of: Expr | None


@frozen
class AllOf(Expr):
    """Every member of a kind, in order; pieces only while they are in the game."""

    kind: str


@frozen
class Seats(Expr):
    """who: players (from the starter), neutrals or everyone."""

    who: str


@frozen
class Spaces(Expr):
    """The numbered spaces of a bounded track."""

    low: int
    high: int


@frozen
class Cells(Expr):
    """All cells of a grid, row by row; an error where it has no end."""

    place: str


@frozen
class CellAt(Expr):
    """One cell of a grid by column and row from 1; it may lie off the board."""

    column: Expr
    row: Expr


@frozen
class SpaceOf(Expr):
    """Where a piece stands; an error if it is off the board."""

    piece: Expr


@frozen
class Placed(Expr):
    piece: Expr


@frozen
class HomeOf(Expr):
    piece: Expr


@frozen
class NumberOf(Expr):
    """The number that is a thing's key."""

    thing: Expr


@frozen
class Ordinal(Expr):
    """The place of a thing among the printed members of its kind, from 1."""

    thing: Expr
    kind: str


@frozen
class Trait(Expr):
    """A column of a table or trait of a member; values by member, in order."""

    thing: Expr
    kind: str
    name: str
    values: tuple[Value, ...] = field(repr=False)


@frozen
class OwnerOf(Expr):
    """Whose piece, or whose pile a thing lies in."""

    thing: Expr


@frozen
class Lookup(Expr):
    """The member of a kind with this number as key."""

    kind: str
    key: Expr


@frozen
class ItemOf(Expr):
    """The index-th of a set, from 1."""

    of: Expr
    index: Expr


@frozen
class Mapped(Expr):
    """`S.attribute`, `all of E over S`: of every element; `flat` joins sets, `distinct` drops what was there before."""

    of: Expr
    slot: int
    value: Expr
    flat: bool
    distinct: bool


@frozen
class Not(Expr):
    of: Expr


@frozen
class Negative(Expr):
    of: Expr


@frozen
class Count(Expr):
    of: Expr


@frozen
class Some(Expr):
    """`any S`, or with negate `no S`."""

    of: Expr
    negate: bool


@frozen
class End(Expr):
    """`first S` or `last S`."""

    of: Expr
    last: bool


@frozen
class Fold(Expr):
    """op: sum, least, most; 0 of an empty set."""

    op: str
    of: Expr
    slot: int
    value: Expr


@frozen
class Both(Expr):
    left: Expr
    right: Expr


@frozen
class Either(Expr):
    left: Expr
    right: Expr


@frozen
class Arithmetic(Expr):
    """op: + - * / mod."""

    op: str
    left: Expr
    right: Expr


@frozen
class Compare(Expr):
    """op: below, above, at least, at most; between numbers."""

    op: str
    left: Expr
    right: Expr


@frozen
class Same(Expr):
    """Equality.  how: plain, thing (printed card or piece), set or things (in any order), or ordered before these."""

    left: Expr
    right: Expr
    negate: bool
    how: str


@frozen
class Among(Expr):
    """Membership.  how: plain or thing."""

    left: Expr
    right: Expr
    negate: bool
    how: str


@frozen
class Choice(Expr):
    test: Expr
    then: Expr
    other: Expr


@frozen
class Filter(Expr):
    of: Expr
    slot: int
    test: Expr


@frozen
class Without(Expr):
    """`of except less`; how as in `Among`."""

    of: Expr
    less: Expr
    how: str


@frozen
class Union(Expr):
    """Each member of both once.  how: as in `Among`; copies stay apart, but a printed card stands for its copies."""

    left: Expr
    right: Expr
    how: str = "plain"


@frozen
class Extreme(Expr):
    """All elements whose key is lowest (or highest)."""

    of: Expr
    slot: int
    key: Expr
    lowest: bool


@frozen
class Ordered(Expr):
    """Sorted by keys (value, lowest first?); equal ones stay in order."""

    of: Expr
    slot: int
    keys: tuple[tuple[Expr, bool], ...]


@frozen
class Listed(Expr):
    items: tuple[Expr, ...]


@frozen
class Interval(Expr):
    low: Expr
    high: Expr


@frozen
class Builtin(Expr):
    """A built-in word with its arguments; see `model.builtin_signatures`.  how: as in `Among`, for `index`, `cycle`."""

    word: str
    args: tuple[Expr, ...]
    how: str = "plain"


@frozen
class Invoke(Expr):
    """A `define` of the game."""

    define: int
    args: tuple[Expr, ...]


@frozen
class Possible(Expr):
    """Whether an action can be carried through; `code` is its place among the game's codes."""

    code: int
    args: tuple[Expr, ...]
