"""The abstract syntax tree: what the author wrote, as frozen values.

No name is resolved here, no type known, no default filled in.  Equality
ignores spans, so that a formatted file equals the one it was made from.
Fields stand in the order in which a rule of the grammar gives them; the
exceptions are methods of `ast_builder`.
"""

from __future__ import annotations

from attrs import field

from rulekit.source import NOWHERE, Span
from rulekit.values import frozen


class Name(str):
    """A name that knows where it is written; else the same as its letters."""

    span: Span

    def __new__(cls, text: str, span: Span = NOWHERE) -> Name:
        made = super().__new__(cls, text)
        made.span = span
        return made


@frozen
class Clause:
    """`> ID text`: a sentence of the rule text; `>- ID text` needs no rule."""

    id: str
    text: str
    needs_rule: bool = True
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Citation:
    """`@ID`: ties a line to a clause that stands elsewhere."""

    id: str
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Comment:
    """`# text` on a line of its own; text "" is a blank line kept by the formatter."""

    text: str


@frozen
class Margin:
    """What stands beside a node: lines above it in order, citations and a comment on its own line."""

    above: tuple[Clause | Comment, ...] = ()
    cites: tuple[Citation, ...] = ()
    comment: str | None = None


EMPTY = Margin()


@frozen(kw_only=True)
class Node:
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen(kw_only=True)
class Line(Node):
    """A node that begins a line of its own."""

    margin: Margin = field(default=EMPTY, repr=False)


# ---------------------------------------------------------------- expressions


@frozen
class Number(Node):
    value: int


@frozen
class Flag(Node):
    value: bool


@frozen
class Nothing(Node):
    """`none`."""


@frozen
class Word(Node):
    """A bare name."""

    name: str


@frozen
class Attribute(Node):
    of: Expr
    name: str


@frozen
class Call(Node):
    function: Expr
    args: tuple[Expr, ...]


@frozen
class Item(Node):
    of: Expr
    index: Expr


@frozen
class CellAt(Node):
    """`board[column, row]`."""

    of: Expr
    column: Expr
    row: Expr


@frozen
class Listing(Node):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@frozen
class Reach(Node):
    """`low..high`, both ends included."""

    low: Expr
    high: Expr


@frozen
class Unary(Node):
    """op: `-`, not, count, any, no, first, last, possible."""

    op: str
    of: Expr


@frozen
class Fold(Node):
    """op: sum, least, most."""

    op: str
    value: Expr
    over: Expr


@frozen
class Binary(Node):
    """op: or, and, +, -, *, /, mod, or a comparison (is, is not, in, not in, below, above, at least, at most)."""

    op: str
    left: Expr
    right: Expr


@frozen
class Choice(Node):
    """`if test then yes else no`, as a value."""

    test: Expr
    then: Expr
    other: Expr


@frozen
class Filter(Node):
    """`of where test` (bare=False) or `of whose test` (bare=True: bare names are the element's own)."""

    of: Expr
    test: Expr
    bare: bool


@frozen
class Except(Node):
    of: Expr
    less: Expr


@frozen
class Naming(Node):
    """`of as name`: the element's name in what follows."""

    of: Expr
    name: str


@frozen
class Extreme(Node):
    """`of with lowest key`: all that tie."""

    of: Expr
    lowest: bool
    key: Expr


@frozen
class Key(Node):
    ranking: str | None  # lowest, highest or unsaid
    value: Expr


@frozen
class Ordered(Node):
    """`of by key then key`: sorted, lowest first unless said."""

    of: Expr
    keys: tuple[Key, ...]


Expr = (
    Number | Flag | Nothing | Word | Attribute | Call | Item | CellAt | Listing | Reach | Unary | Fold | Binary
    | Choice | Filter | Except | Naming | Extreme | Ordered
)  # fmt: skip


@frozen
class Bounds(Node):
    """`low`, `low..` or `low..high`; high is None and open is True for `low..`."""

    low: Expr
    high: Expr | None = None
    open: bool = False


# ---------------------------------------------------------------- statements


@frozen
class Let(Line):
    name: str
    value: Expr


@frozen
class Set(Line):
    target: Expr
    value: Expr


@frozen
class ChangeBy(Line):
    """`raise` or `lower` a counter by an amount."""

    verb: str
    target: Expr
    amount: Expr


@frozen
class MoveTo(Line):
    thing: Expr
    to: Expr


@frozen
class Travel(Line):
    """`move piece heading by amount`: along a track."""

    piece: Expr
    heading: str
    amount: Expr


@frozen
class GoHome(Line):
    piece: Expr


@frozen
class Swap(Line):
    left: Expr
    right: Expr


@frozen
class Push(Line):
    """`push X toward D` or `compact S toward D`."""

    verb: str
    thing: Expr
    toward: Expr


@frozen
class Shift(Line):
    """`shift S toward D by n`, or by an offset when toward is None."""

    things: Expr
    toward: Expr | None
    by: Expr


@frozen
class Remove(Line):
    thing: Expr


@frozen
class Shuffle(Line):
    pile: Expr


@frozen
class Reveal(Line):
    what: Expr


@frozen
class Announce(Line):
    what: Expr
    to: Expr


@frozen
class Deal(Line):
    amount: Expr
    source: Expr
    to: Expr


@frozen
class Amount(Node):
    """How many: exactly `low`, or between low and high (None: no upper limit).  `(range)` has only `low`."""

    low: Expr
    high: Expr | None = None
    is_open: bool = False


@frozen
class Chance(Line):
    """`draw` or `roll`."""

    verb: str
    amount: Amount | None
    name: str
    source: Expr


@frozen
class Do(Line):
    """`do action(args)`, or `do thing for owner`; `may stop X` says that it may not return."""

    call: Expr
    owner: Expr | None = None
    may_stop: str | None = None


@frozen
class Skip(Line):
    step: str


@frozen
class Stop(Line):
    what: str


@frozen
class Next(Line):
    what: str


@frozen
class End(Line):
    """`end game`."""


@frozen
class Rank(Line):
    players: Expr


@frozen
class Defeat(Line):
    players: Expr


@frozen
class OnlyIf(Line):
    test: Expr


@frozen
class Choose(Line):
    """manner: may, always or unsaid."""

    secretly: bool
    who: Expr
    manner: str | None
    amount: Amount | None
    name: str
    source: Expr
    prompt: str | None


@frozen
class Way(Line):
    """body None: nothing happens."""

    label: str
    test: Expr | None
    body: Body | None = None


@frozen
class Ways(Line):
    """A choice between labelled ways."""

    secretly: bool
    who: Expr
    prompt: str | None
    ways: tuple[Way, ...]


@frozen
class Arm(Line):
    """One `if`, `else if` (test) or `else` (no test) with its body."""

    test: Expr | None
    body: Body


@frozen
class If(Line):
    arms: tuple[Arm, ...]


@frozen
class Each(Line):
    secretly: bool
    name: str
    over: Expr | None
    body: Body


@frozen
class While(Line):
    test: Expr
    body: Body


@frozen
class Repeat(Line):
    body: Body


@frozen
class Step(Line):
    name: str
    body: Body


@frozen
class Row(Line):
    """`| a | b |`: its cells, stripped, and the column of the text in which each begins."""

    cells: tuple[str, ...]
    columns: tuple[int, ...] = field(default=(), eq=False, repr=False)

    def cell(self, index: int) -> Span:
        """Where a cell stands."""
        if index >= len(self.columns):
            return self.span
        column, line = self.columns[index], self.span.line
        return Span(self.span.source, line, column, line, column + max(1, len(self.cells[index])))


@frozen
class Picture(Line):
    place: str
    rows: tuple[Row, ...]


Statement = (
    Let | Set | ChangeBy | MoveTo | Travel | GoHome | Swap | Push | Shift | Remove | Shuffle | Reveal
    | Announce | Deal | Chance | Do | Skip | Stop | Next | End | Rank | Defeat | OnlyIf | Choose | Ways
    | If | Each | While | Repeat | Step | Picture
)  # fmt: skip


@frozen
class Body(Node):
    """inline: written after a colon, on the line of its head."""

    statements: tuple[Statement, ...]
    inline: bool = False


# ---------------------------------------------------------------- declarations


@frozen
class By(Line):
    author: str


@frozen
class Extends(Line):
    base: str


@frozen
class Players(Line):
    bounds: Bounds


@frozen
class Neutrals(Line):
    count: Expr


@frozen
class GameHead(Line):
    title: str
    facts: tuple[By | Extends | Players | Neutrals, ...] = ()


@frozen
class Reading(Line):
    name: str
    text: str
    default: bool = False


@frozen
class Guard(Line):
    """`requires` or `conflicts`."""

    word: str
    test: Expr


@frozen
class OptionType(Node):
    """flag; number or set of a range."""

    kind: str
    range: Expr | None = None


@frozen
class Option(Line):
    """word: option or unclear."""

    word: str
    name: str
    text: str
    type: OptionType | None = None
    default: Expr | None = None
    readings: tuple[Reading, ...] = ()
    guards: tuple[Guard, ...] = ()


@frozen
class Use(Line):
    option: str
    value: Expr


@frozen
class Ruleset(Line):
    name: str
    uses: tuple[Use, ...]


@frozen
class Assume(Line):
    text: str
    declarations: tuple[Declaration, ...]


@frozen
class Face(Node):
    """A member of a short enumeration, with its glyph in pictures."""

    name: str
    glyph: str | None = None


@frozen
class Kind(Line):
    name: str
    faces: tuple[Face, ...]


@frozen
class Trait(Node):
    name: str
    value: Expr | None = None


@frozen
class Member(Line):
    """One card, space or word of a kind, with its traits and what it does."""

    kind: str
    key: str
    title: str | None = None
    traits: tuple[Trait, ...] = ()
    body: Body | None = None


@frozen
class KindBlock(Line):
    name: str
    members: tuple[Member, ...]


@frozen
class Deck(Line):
    """word: cards (things that lie in piles) or table (rows that never move).

    rows: the first names the columns; a member among them has taken the place of a row of the extended game.
    """

    word: str
    name: str
    kind: str
    rows: tuple[Row | Member, ...] = ()
    members: tuple[Member, ...] = ()


@frozen
class Pieces(Line):
    name: str
    kind: str
    place: str | None
    rows: tuple[Row, ...]


@frozen
class Capacity(Line):
    spaces: Bounds
    hold: Expr


@frozen
class Full(Line):
    """word: pushes (with a heading), refuses, stacks, goes_on, stops_short or swaps."""

    word: str
    heading: str | None = None
    test: Expr | None = None


@frozen
class Edge(Line):
    word: str


@frozen
class Steps(Line):
    word: str


@frozen
class Halts(Line):
    at: Expr


@frozen
class Heading(Node):
    name: str
    means: str


@frozen
class Headings(Line):
    words: tuple[Heading, ...]


Arrival = Capacity | Full | Edge | Steps | Halts | Headings


@frozen
class Track(Line):
    name: str
    bounds: Bounds
    arrivals: tuple[Arrival, ...] = ()


@frozen
class Course(Line):
    name: str
    kind: str
    arrivals: tuple[Arrival, ...] = ()


@frozen
class Grid(Line):
    """width and height None: unbounded.  test: unbounded where it does not hold."""

    name: str
    width: Expr | None
    height: Expr | None
    test: Expr | None = None
    arrivals: tuple[Arrival, ...] = ()


@frozen
class Die(Line):
    name: str
    faces: tuple[Expr, ...]


@frozen
class Seen(Node):
    """`seen by owner`, `seen by nobody`, `seen on top`."""

    word: str
    whom: str


@frozen
class VariableLine(Line):
    name: str


@frozen
class Counter(VariableLine):
    bounds: Bounds | None
    starts: Expr | None
    seen: Seen | None


@frozen
class FlagVariable(VariableLine):
    starts: Expr | None
    seen: Seen | None


@frozen
class Value(VariableLine):
    of: str
    starts: Expr | None
    seen: Seen | None


@frozen
class Piece(VariableLine):
    place: str
    at: Expr | None
    seen: Seen | None


@frozen
class PieceGroup(VariableLine):
    count: int
    name: str
    kind: str
    place: str
    at: Expr | None
    seen: Seen | None


@frozen
class Pile(VariableLine):
    of: str
    starts: Expr | None
    seen: Seen | None


@frozen
class Snapshot(VariableLine):
    of: str
    seen: Seen | None


@frozen
class ListVariable(VariableLine):
    of: Expr
    index: Expr
    seen: Seen | None


Variable = Counter | FlagVariable | Value | Piece | PieceGroup | Pile | Snapshot | ListVariable


@frozen
class Has(Line):
    """`each KIND has`: variables for every player, card, row …"""

    kind: str
    variables: tuple[Variable, ...]


@frozen
class Parameter(Node):
    name: str
    of: str | None = None


@frozen
class Define(Line):
    name: str
    parameters: tuple[Parameter, ...]
    value: Expr


@frozen
class Action(Line):
    name: str
    parameters: tuple[Parameter, ...]
    body: Body


@frozen
class Change(Line):
    """word: before, after or instead."""

    word: str
    target: str
    test: Expr | None
    body: Body


@frozen
class When(Line):
    """word: lands, reaches, enters or leaves."""

    piece: str
    word: str
    spaces: Bounds | None
    body: Body


@frozen
class Invariant(Line):
    text: str
    test: Expr


@frozen
class Part(Line):
    """word: setup, play or result."""

    word: str
    body: Body


@frozen
class Show(Line):
    name: str
    text: str


@frozen
class Replace(Line):
    declaration: Declaration


@frozen
class Add(Line):
    member: Member


# ---------------------------------------------------------------- scenarios


@frozen
class Label(Node):
    """A labelled way as an answer."""

    text: str


@frozen
class Seats(Line):
    names: tuple[str, ...]


@frozen
class Given(Line):
    facts: tuple[Expr, ...]


@frozen
class GivenPicture(Line):
    place: str
    rows: tuple[Row, ...]


@frozen
class Answer(Line):
    who: Expr
    replies: tuple[Expr | Label, ...]


@frozen
class Run(Line):
    call: Expr
    owner: Expr | None = None


@frozen
class Expect(Line):
    facts: tuple[Expr, ...]


@frozen
class ExpectPicture(Line):
    place: str
    rows: tuple[Row, ...]


@frozen
class Refuse(Line):
    who: Expr
    reply: Expr | Label


@frozen
class Fails(Line):
    """`fails at E`: the first expectation that does not hold; the scenario passes only then."""

    fact: Expr


Scene = Seats | Use | Given | GivenPicture | Answer | Run | Expect | ExpectPicture | Refuse | Fails


@frozen
class Scenario(Line):
    name: str
    scenes: tuple[Scene, ...]


Declaration = (
    GameHead | Option | Ruleset | Assume | Kind | KindBlock | Deck | Pieces | Track | Course | Grid | Die
    | Has | Variable | Define | Action | Change | When | Invariant | Part | Scenario | Show | Replace | Add | Member
)  # fmt: skip


@frozen
class File(Node):
    """A whole rules file; `tail` is what stands after its last line."""

    declarations: tuple[Declaration, ...]
    tail: tuple[Clause | Comment, ...] = ()
