"""View model for drawings: what one seat sees of a position, whole and without any text of its own.

Spaces with their links, pieces with owner and kind, piles with what is shown
and how many things are not.  Made from what `play.view` gives and from what
is printed; a drawing needs nothing else.
"""

from __future__ import annotations

from attrs import frozen

from rulekit.play.state.value import Value


@frozen
class Token:
    """A piece.

    value:   the piece as an answer names it; path: where a view tells of it.
    label:   what is written on it; title: what it is called.
    owner:   the number of its seat; None: nobody's.
    kind:    what it is, as the rules call it; colour: of the trait whose values are named like colours, "" without one.
    on:      the space on which it stands, as a view tells it; None: nowhere.
    """

    value: Value
    path: str
    label: str
    title: str
    kind: str
    owner: int | None = None
    colour: str = ""
    on: Value = None


@frozen
class Mark:
    """Something on a space that is no piece.

    text: its value in words, shown: as a view tells it by `path`; colour: as of a `Token`.
    """

    path: str
    name: str
    text: str
    colour: str = ""
    shown: Value = None


@frozen
class Spot:
    """A space of a board.

    value:   the space as an answer names it; name: what is written on it.
    sort:    of a course, the first trait of the space that is a member of a kind: spaces of one sort look alike.
    links:   the spaces that follow it, by their place in the board.
    marks:   what belongs to the space and is not nothing.
    column, row:  of a grid, from 0, as drawn.
    fill:    the colour of its ground, if its look says so; "" otherwise.
    glyph:   what stands on it: as its look says, else what tells its sort from others; "" for the sort of most.
    at:      where it lies on a course, if its look says so: spaces from the left, spaces from above.
    """

    value: Value
    name: str
    title: str
    tokens: tuple[Token, ...] = ()
    sort: str = ""
    links: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()
    column: int = 0
    row: int = 0
    fill: str = ""
    glyph: str = ""
    at: tuple[int, int] | None = None


@frozen
class Board:
    """A track, a course or a grid.  sorts: the sorts of its spaces, in the order of the file."""

    name: str
    title: str
    form: str
    spots: tuple[Spot, ...]
    sorts: tuple[str, ...] = ()


@frozen
class Card:
    """A thing in a pile that is seen.  lines: its traits in words; colour: as of a `Token`; glyph: as its look says."""

    value: Value
    name: str
    title: str
    lines: tuple[str, ...] = ()
    colour: str = ""
    glyph: str = ""


@frozen
class Pile:
    """Things that lie together; covered: how many more of them are not seen."""

    path: str
    title: str
    cards: tuple[Card, ...]
    covered: int = 0


@frozen
class Figure:
    """A number, flag or other value by its path, as a view shows it.

    boxes: the values of a list, each with its place.
    """

    path: str
    title: str
    text: str
    boxes: tuple[tuple[str, str], ...] = ()
    shown: Value = None


@frozen
class Owned:
    """What belongs to one seat, or one member of a kind; seat None: to everybody, or to a thing.

    value: who owns it, as an answer names it; kind: of a thing, "" otherwise.
    """

    name: str
    seat: int | None
    value: Value
    piles: tuple[Pile, ...]
    figures: tuple[Figure, ...]
    off: tuple[Token, ...] = ()
    """Its pieces that stand nowhere."""
    kind: str = ""


@frozen
class Picture:
    """All that is to be drawn.

    things:   owners that are no seats, without those that have nothing.
    deciding: the seats that must decide, of whom `decides` says so.
    """

    boards: tuple[Board, ...]
    players: tuple[Owned, ...]
    shared: Owned
    things: tuple[Owned, ...]
    seats: tuple[str, ...]
    deciding: tuple[int, ...]
    turn: int | None
    decides: str = ""
