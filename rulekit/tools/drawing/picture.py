"""View model: what one seat sees of a position, whole and without any text of its own.

Spaces with their links, pieces with owner and kind, piles with what is shown
and how many things are not.  Made from what `play.view` gives and from what
is printed; a drawing needs nothing else.
"""

from __future__ import annotations

from rulekit.play.state.value import Value
from rulekit.values import frozen


@frozen
class Token:
    """A piece.

    value:   the piece as an answer names it; path: where a view tells of it.
    label:   what is written on it; title: what it is called.
    owner:   the number of its seat; None: nobody's.  side: the seat in whose colour it is painted, if that is another.
    kind:    what it is, as the rules call it; colour: of the trait whose values are named like colours, "" without one.
    on:      the space on which it stands, as a view tells it; None: nowhere; is_out: it is out of the game.
    name:    what it is called in a line of text, where its owner has to be told.
    painted: the value by which it is drawn, as a view tells it by `painted_path`; "" where none changes its looks.
    """

    value: Value
    path: str
    label: str
    title: str
    kind: str
    owner: int | None = None
    colour: str = ""
    on: Value = None
    is_out: bool = False
    name: str = ""
    side: int | None = None
    painted: Value = None
    painted_path: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Paths of the values that its place and its looks depend on."""
        return (self.path, self.painted_path) if self.painted_path else (self.path,)


@frozen
class Mark:
    """Something on a space that is no piece.

    text: its value in words, shown: as a view tells it by `path`; colour: as of a `Token`.
    in_pile: `shown` is one thing of a pile, or the number of its covered things.
    """

    path: str
    name: str
    text: str
    colour: str = ""
    shown: Value = None
    in_pile: bool = False


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
    left:    the pieces that stood here at an earlier look, and stand elsewhere on the board now.
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
    left: tuple[Token, ...] = ()


@frozen
class Board:
    """A track, a course or a grid.

    sorts:  the sorts of its spaces, in the order of the file; kind: of a course, what its spaces are.
    ends:   of a track, the numbers of its first and last space; not all between are spots where they are very many.
    size:   of a grid, how many columns and rows it has; None: without an end.
    hexagonal: whether its cells have six sides, so that each row begins half a cell farther to the right.
    sides:  of a grid on which directions matter, what is written above, at the right, below and at the left.
    """

    name: str
    title: str
    form: str
    spots: tuple[Spot, ...]
    sorts: tuple[str, ...] = ()
    kind: str = ""
    ends: tuple[int, int] = (0, 0)
    size: tuple[int | None, int | None] = (None, None)
    hexagonal: bool = False
    sides: tuple[str, ...] = ()


@frozen
class Card:
    """A thing in a pile that is seen.

    lines: its traits in words; colour: as of a `Token`; glyph: as its look says.
    text:  what it does, in the words of its clauses.
    """

    value: Value
    name: str
    title: str
    lines: tuple[str, ...] = ()
    colour: str = ""
    glyph: str = ""
    text: str = ""


@frozen
class Pile:
    """Things that lie together; covered: how many more of them are not seen; text: the same in words."""

    path: str
    title: str
    cards: tuple[Card, ...]
    covered: int = 0
    text: str = ""


@frozen
class Strip:
    """What is printed on a thing, one after the other.  title: as the rules call it."""

    title: str
    cards: tuple[Card, ...]


@frozen
class Figure:
    """A number, flag or other value by its path, as a view shows it.

    boxes: the values of a list, each with its place; is_nothing: it is 0, no or none.
    """

    path: str
    title: str
    text: str
    boxes: tuple[tuple[str, str], ...] = ()
    shown: Value = None
    is_nothing: bool = False


@frozen
class Owned:
    """What belongs to one seat, or one member of a kind; seat None: to everybody, or to a thing.

    value: who owns it, as an answer names it; short: its name in a table; kind: of a thing, else "player" or "".
    group: what all of its kind are called.
    off:   its pieces that stand nowhere, but not those out of the game.
    strips: what is printed on a thing that has piles, such as the spaces of its row.
    """

    name: str
    seat: int | None
    value: Value
    parts: tuple[Pile | Figure, ...]
    off: tuple[Token, ...] = ()
    kind: str = ""
    short: str = ""
    group: str = ""
    strips: tuple[Strip, ...] = ()

    @property
    def piles(self) -> tuple[Pile, ...]:
        return tuple(part for part in self.parts if isinstance(part, Pile))

    @property
    def figures(self) -> tuple[Figure, ...]:
        return tuple(part for part in self.parts if isinstance(part, Figure))


@frozen
class Picture:
    """All that is to be drawn or told.

    owners:   seats and things, one after the other of each kind, in the order in which the rules give them something.
    worth:    what the rules show of themselves; off: all pieces that stand nowhere.
    colours:  of the seats, as drawings paint them.
    deciding: the seats that must decide, of whom `decides` says so; you: what is said of the seat that looks.
    key:      what says how things are drawn that may be chosen, are new or have left: the class of each, and words.
    """

    boards: tuple[Board, ...]
    owners: tuple[Owned, ...]
    shared: Owned
    worth: tuple[Figure, ...]
    off: tuple[Token, ...]
    seats: tuple[str, ...]
    colours: tuple[str, ...]
    deciding: tuple[int, ...]
    turn: int | None
    decides: str = ""
    you: str = ""
    key: tuple[tuple[str, str], ...] = ()

    @property
    def players(self) -> tuple[Owned, ...]:
        return tuple(owner for owner in self.owners if owner.seat is not None)

    @property
    def things(self) -> tuple[Owned, ...]:
        """Owners that are no seats, nor spaces that are drawn."""
        drawn = {board.kind for board in self.boards}
        return tuple(owner for owner in self.owners if owner.seat is None and owner.kind not in drawn)
