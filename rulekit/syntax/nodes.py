"""The abstract syntax tree: what the author wrote, as frozen values.

No name is resolved here, no type known, no default filled in.  Equality
ignores spans, so that a formatted file equals the one it was made from.
Fields stand in the order in which a rule of the grammar gives them; the
exceptions are methods of `ast_builder`.
"""

from __future__ import annotations

from typing import ClassVar

from rulekit.late_fields import has_late
from rulekit.source import NOWHERE, Span
from rulekit.values import field, frozen


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
    """What stands beside a node: lines above it in order, citations and a comment on its own line.

    parts:  the clauses that parts of the line cite; of those above, these belong to no more of it.
    """

    above: tuple[Clause | Comment, ...] = ()
    cites: tuple[Citation, ...] = ()
    comment: str | None = None
    parts: frozenset[str] = frozenset()


EMPTY = Margin()


@frozen(kw_only=True)
class Node:
    """form: how it is written, in terms of its fields (see `unparse_expr.Slot`); "" where a function writes it."""

    form: ClassVar[str] = ""
    span: Span = field(default=NOWHERE, eq=False, repr=False)

    def __init_subclass__(cls, form: str = "") -> None:
        # attrs makes each class twice, the second time without what was said of its form.
        if form:
            cls.form = form


@frozen(kw_only=True)
class Line(Node):
    """A node that begins a line of its own."""

    margin: Margin = field(default=EMPTY, repr=False)


# ---------------------------------------------------------------- expressions


@frozen
class Number(Node, form="{value}"):
    value: int


@frozen
class Flag(Node):
    value: bool


@frozen
class Nothing(Node, form="none"):
    """`none`."""


@frozen
class Word(Node):
    """A bare name."""

    name: str


@frozen
class Attribute(Node, form="{of:postfix}.{name}"):
    of: Expr
    name: str


@frozen
class Call(Node, form="{function:postfix}({args:query})"):
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
class Onward(Node):
    """`of[low..]`: all from this place on."""

    of: Expr
    low: Expr


@frozen
class Listing(Node):
    """`[a, b]`."""

    items: tuple[Expr, ...]


@frozen
class Reach(Node, form="{low:sum}..{high:sum}"):
    """`low..high`, both ends included."""

    low: Expr
    high: Expr


@frozen
class Unary(Node):
    """op: `-`, not, count, any, no, all, first, last, possible."""

    op: str
    of: Expr


@frozen
class Fold(Node, form="{op} of {value:sum} over {over:postfix}"):
    """op: sum, least, most; all, for the set of all values."""

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
class Choice(Node, form="if {test} then {then} else {other:choice}"):
    """`if test then yes else no`, as a value."""

    test: Expr
    then: Expr
    other: Expr


@frozen
class Cited(Node):
    """`of @AB-12`: a part of a line that carries out other clauses than the line, or only some of them."""

    of: Expr
    cites: tuple[Citation, ...]


@frozen
class Filter(Node):
    """`of where test` (bare=False) or `of whose test` (bare=True: bare names are the element's own)."""

    of: Expr
    test: Expr
    bare: bool


@frozen
class Except(Node, form="{of:query} except {less}"):
    of: Expr
    less: Expr


@frozen
class Naming(Node, form="{of:query} as {name}"):
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
class Ordered(Node, form="{of:query} by {keys:logic then}"):
    """`of by key then key`: sorted, lowest first unless said."""

    of: Expr
    keys: tuple[Key, ...]


@frozen
class Case(Line):
    """`if test: value`, `else if test: value` or, with no test, `else: value`; word is what stands before the test."""

    word: str
    test: Expr | None
    value: Expr


@frozen
class Cases(Node):
    """The value of the first case that holds, each on a line of its own; the last holds always."""

    cases: tuple[Case, ...]


Expr = (
    Number | Flag | Nothing | Word | Attribute | Call | Item | CellAt | Onward | Listing | Reach | Unary | Fold | Binary
    | Choice | Cases | Cited | Filter | Except | Naming | Extreme | Ordered
)  # fmt: skip


@frozen
class Bounds(Node):
    """`low`, `low..` or `low..high`; high is None and open is True for `low..`."""

    low: Expr
    high: Expr | None = None
    open: bool = False


# ---------------------------------------------------------------- statements


@frozen
class Let(Line, form="let {name} be {value:query}"):
    name: str
    value: Expr


@frozen
class Set(Line):
    target: Expr
    value: Expr


@frozen
class ChangeBy(Line, form="{verb} {target:postfix} by {amount}"):
    """`raise` or `lower` a counter by an amount."""

    verb: str
    target: Expr
    amount: Expr


@frozen
class MoveTo(Line, form="move {thing} to {to}"):
    thing: Expr
    to: Expr


@frozen
class MoveOnto(Line, form="move {thing} to the {end} of {to:postfix}"):
    """Onto or under what lies in a pile; end: top or bottom."""

    thing: Expr
    end: str
    to: Expr


@frozen
class Travel(Line, form="move {piece:postfix} {heading} by {amount}"):
    """`move piece heading by amount`: along a track."""

    piece: Expr
    heading: str
    amount: Expr


@frozen
class GoHome(Line, form="move {piece:postfix} home"):
    piece: Expr


@frozen
class Swap(Line, form="swap {left} for {right}"):
    left: Expr
    right: Expr


@frozen
class Push(Line, form="{verb} {thing} toward {toward}"):
    """`push X toward D` or `compact S toward D`."""

    verb: str
    thing: Expr
    toward: Expr


@frozen
class Shift(Line, form="shift {things}[ toward {toward}] by {by}"):
    """`shift S toward D by n`, or by an offset when toward is None."""

    things: Expr
    toward: Expr | None
    by: Expr


@frozen
class Remove(Line, form="remove {thing}"):
    thing: Expr


@frozen
class Shuffle(Line, form="shuffle {pile:postfix}"):
    pile: Expr


@frozen
class Reveal(Line, form="reveal {what}"):
    what: Expr


@frozen
class Declassify(Line, form="reveal [{whether} ]{what} as {name}"):
    """All learn a value, as a referee says it, but not what it follows from; `whether` stands before a condition."""

    whether: str | None
    what: Expr
    name: str


@frozen
class Announce(Line, form="announce {what} to {to}"):
    what: Expr
    to: Expr


@frozen
class Deal(Line, form="deal {amount:sum} from {source} to {to}"):
    amount: Expr
    source: Expr
    to: Expr


@frozen
class DealFrom(Line, form="deal {amount:sum} from the {end} of {source:postfix} to {to}"):
    """In order; end: top or bottom."""

    amount: Expr
    end: str
    source: Expr
    to: Expr


@frozen
class Amount(Node):
    """How many: exactly `low`, or between low and high.  `(range)` has only `low`."""

    low: Expr
    high: Expr | None = None


@frozen
class Chance(Line):
    """`draw` or `roll`."""

    verb: str
    amount: Amount | None
    name: str
    source: Expr


@frozen
class Dice(Line, form="roll {amount} dice as {name} from {source:query}"):
    """So many rolls, each of which may come as another came."""

    amount: Amount
    name: str
    source: Expr


@frozen
class Different(Line, form="roll {amount} different {name} from {source:query}"):
    """So many faces, no two of them alike."""

    amount: Amount
    name: str
    source: Expr


@frozen
class Until(Line, form="roll {name} from {source:query} until {test}"):
    """Rolls again as long as the condition does not hold of the face."""

    name: str
    source: Expr
    test: Expr


@frozen
class Do(Line, form="do {call:postfix}[ for {owner}][, may stop {may_stop}]"):
    """`do action(args)`, or `do thing for owner`; `may stop X` says that it may not return."""

    call: Expr
    owner: Expr | None = None
    may_stop: str | None = None


@frozen
class Skip(Line, form="skip {step}"):
    step: str


@frozen
class Stop(Line, form="stop {what}"):
    what: str


@frozen
class Next(Line, form="next {what}"):
    what: str


@frozen
class End(Line, form="end game"):
    """`end game`."""


@frozen
class Rank(Line, form="rank {players:query}"):
    players: Expr


@frozen
class Defeat(Line, form="defeat {players:query}"):
    players: Expr


@frozen
class Note(Line, form="note {history}"):
    """The present situation is one of those that were there."""

    history: str


@frozen
class Together(Line, form="all reach {counter}"):
    """The end of a match for all players together."""

    counter: str


@frozen
class OnlyIf(Line, form="only if {test}"):
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
class Way(Line, form='"{label}"[ if {test}]'):
    """body None: nothing happens."""

    label: str
    test: Expr | None
    body: Body | None = None


@frozen
class Ways(Line):
    """A choice between labelled ways.  manner: always or unsaid."""

    secretly: bool
    who: Expr
    manner: str | None
    prompt: str | None
    ways: tuple[Way, ...]


@frozen
class Arm(Line, form="else[ if {test:query}]"):
    """One `if`, `else if` (test) or `else` (no test) with its body."""

    test: Expr | None
    body: Body


@frozen
class If(Line):
    arms: tuple[Arm, ...]


@frozen
class Each(Line, form="[{secretly} ]each {name}[ in {over:query}]"):
    secretly: bool
    name: str
    over: Expr | None
    body: Body


@frozen
class While(Line, form="while {test}"):
    test: Expr
    body: Body


@frozen
class Repeat(Line, form="repeat"):
    body: Body


@frozen
class Step(Line, form="step {name}"):
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
class Picture(Line, form="picture {place}"):
    place: str
    rows: tuple[Row, ...]


Statement = (
    Let | Set | ChangeBy | MoveTo | MoveOnto | Travel | GoHome | Swap | Push | Shift | Remove | Shuffle | Reveal
    | Declassify | Announce | Deal | DealFrom | Chance | Dice | Different | Until
    | Do | Skip | Stop | Next | End | Rank | Defeat | Together | Note | OnlyIf | Choose | Ways
    | If | Each | While | Repeat | Step | Picture
)  # fmt: skip


@frozen
class Body(Node):
    """inline: written after a colon, on the line of its head."""

    statements: tuple[Statement, ...]
    inline: bool = False


# ---------------------------------------------------------------- declarations


@frozen
class By(Line, form='by "{author}"'):
    author: str


@frozen
class Extends(Line, form='extends "{base}"'):
    base: str


@frozen
class Players(Line, form="players {bounds}"):
    bounds: Bounds


@frozen
class Neutrals(Line, form="neutrals {count:choice}"):
    count: Expr


@frozen
class Teams(Line, form="teams by {key:choice}"):
    """key: what is the same for two players, `player`, of one team."""

    key: Expr


@frozen
class GameHead(Line, form='game "{title}"'):
    title: str
    facts: tuple[By | Extends | Players | Neutrals | Teams, ...] = ()


@frozen
class Reading(Line, form='{name} "{text}"[ {default}]'):
    name: str
    text: str
    default: bool = False


@frozen
class Guard(Line, form="{word} {test}"):
    """`requires` or `conflicts`."""

    word: str
    test: Expr


@frozen
class OptionType(Node):
    """flag; number or set of a range."""

    kind: str
    range: Expr | None = None


@frozen
class Option(Line, form='{word} {name} "{text}"[ {type} default {default}]'):
    """word: option or unclear."""

    word: str
    name: str
    text: str
    type: OptionType | None = None
    default: Expr | None = None
    readings: tuple[Reading, ...] = ()
    guards: tuple[Guard, ...] = ()


@frozen
class Use(Line, form="use {option} is {value:choice}"):
    option: str
    value: Expr


@frozen
class Ruleset(Line, form='ruleset "{name}"'):
    name: str
    uses: tuple[Use, ...]


@frozen
class Assume(Line, form='assume "{text}"'):
    text: str
    declarations: tuple[Declaration, ...]


@frozen
class Face(Node, form='{name}[ as "{glyph}"]'):
    """A member of a short enumeration, with its glyph in pictures."""

    name: str
    glyph: str | None = None


@frozen
class Kind(Line, form="kind {name}: {faces}"):
    name: str
    faces: tuple[Face, ...]


@frozen
class Trait(Node, form="{name}[ {value:unary}]"):
    name: str
    value: Expr | None = None


@frozen
class Member(Line, form='{kind} {key}[ "{title}"][, {traits}]'):
    """One card, space or word of a kind, with its traits and what it does."""

    kind: str
    key: str
    title: str | None = None
    traits: tuple[Trait, ...] = ()
    body: Body | None = None


@frozen
class KindBlock(Line, form="kind {name}"):
    name: str
    members: tuple[Member, ...]


@frozen
class Deck(Line):
    """word: cards (things that lie in piles) or table (rows that never move).

    own:  each copy is a member of its own, which may have things that the others have not.
    rows: the first names the columns; a member among them has taken the place of a row of the extended game.
    """

    word: str
    name: str
    kind: str
    rows: tuple[Row | Member, ...] = ()
    members: tuple[Member, ...] = ()
    own: bool = False


@frozen
class Pieces(Line, form="pieces {name} of {kind}[ on {place}]"):
    name: str
    kind: str
    place: str | None
    rows: tuple[Row, ...]


@frozen
class Capacity(Line):
    spaces: Bounds
    hold: Expr


@frozen
class Full(Line, form="full {word}[ {heading}][ if {test}]"):
    """word: pushes (with a heading), refuses, stacks, goes_on, stops_short or swaps."""

    word: str
    heading: str | None = None
    test: Expr | None = None


@frozen
class Edge(Line, form="edge {word}"):
    word: str


@frozen
class Steps(Line, form="steps {word}"):
    word: str


@frozen
class Halts(Line, form="halts at {at}"):
    at: Expr


@frozen
class SpaceColour(Line, form="look_colour {word} at {at}"):
    """How spaces of a track are drawn."""

    word: str
    at: Expr


@frozen
class SpaceGlyph(Line, form='look_glyph "{word}" at {at}'):
    """What is written on spaces of a track."""

    word: str
    at: Expr


@frozen
class Heading(Node, form="{name} is {means}"):
    name: str
    means: str


@frozen
class Headings(Line, form="{words}"):
    words: tuple[Heading, ...]


Arrival = Capacity | Full | Edge | Steps | Halts | Headings | SpaceColour | SpaceGlyph


@frozen
class Track(Line, form="track {name} {bounds}"):
    name: str
    bounds: Bounds
    arrivals: tuple[Arrival, ...] = ()


@frozen
class Course(Line, form="course {name} of {kind}"):
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
    hexagonal: bool = False
    arrivals: tuple[Arrival, ...] = ()


@frozen
class PlaceLines(Line, form="{word} {name}"):
    """Behind `replace`: some lines of a track, course or grid, which take the place of those of their sort."""

    word: str
    name: str
    arrivals: tuple[Arrival, ...]


@frozen
class Die(Line, form="die {name}: {faces:query}"):
    name: str
    faces: tuple[Expr, ...]


@frozen
class Seen(Node, form="seen {word} {whom}"):
    """`seen by owner`, `seen by nobody`, `seen on top`."""

    word: str
    whom: str


@frozen
class VariableLine(Line):
    name: str


@frozen
class TitledLine(VariableLine):
    """title: what people read, where the name is not enough."""

    title: str | None


@frozen
class Counter(TitledLine):
    bounds: Bounds | None
    starts: Expr | None
    seen: Seen | None


@frozen
class FlagVariable(TitledLine, form='flag {name}[ "{title}"][ starts {starts}][, {seen}]'):
    starts: Expr | None
    seen: Seen | None


@frozen
class Value(TitledLine, form='value {name}[ "{title}"] of {of}[ starts {starts:sum}][, {seen}]'):
    of: str
    starts: Expr | None
    seen: Seen | None


@frozen
class Piece(VariableLine, form="piece {name} on {place}[ at {at:sum}][, {seen}]"):
    place: str
    at: Expr | None
    seen: Seen | None


@frozen
class PieceGroup(VariableLine, form="pieces {count} {name} of {kind} on {place}[ at {at:sum}][, {seen}]"):
    count: int
    name: str
    kind: str
    place: str
    at: Expr | None
    seen: Seen | None


@frozen
class Pile(TitledLine, form='pile {name}[ "{title}"] of {of}[ starts {starts:sum}][, {seen}]'):
    of: str
    starts: Expr | None
    seen: Seen | None


@frozen
class Snapshot(VariableLine, form="snapshot {name} of {of}[, {seen}]"):
    of: str
    seen: Seen | None


@frozen
class History(TitledLine, form='history {name}[ "{title}"] of {parts:query} for {index:range}'):
    """parts: what is compared; index: the places for what is noted."""

    parts: tuple[Expr, ...]
    index: Expr


@frozen
class ListVariable(
    TitledLine, form='list {name}[ "{title}"] of {of:range} for {index:range}[ starts {starts:sum}][, {seen}]'
):
    of: Expr
    index: Expr
    starts: Expr | None
    seen: Seen | None


Variable = Counter | FlagVariable | Value | Piece | PieceGroup | Pile | Snapshot | History | ListVariable


@frozen
class Has(Line, form="each {kind} has"):
    """`each KIND has`: variables for every player, card, row …"""

    kind: str
    variables: tuple[Variable, ...]


@frozen
class Parameter(Node, form="{name}[ of {of}]"):
    name: str
    of: str | None = None


@frozen
class Define(Line):
    name: str
    parameters: tuple[Parameter, ...]
    value: Expr


@frozen
class Action(Line, form="action {name}[({parameters})]"):
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
class Invariant(Line, form='invariant "{text}": {test}'):
    text: str
    test: Expr


@frozen
class Part(Line, form="{word}"):
    """word: setup, play or result."""

    word: str
    body: Body


@frozen
class Show(Line, form='show {name} as "{text}"'):
    name: str
    text: str


@frozen
class ShownAs(Line, form="show {kind} as {value}"):
    """Pieces of a kind are drawn by a value that each of them has."""

    kind: str
    value: str


@frozen
class Replace(Line):
    declaration: Declaration | PlaceLines


@frozen
class Add(Line, form="add {member}"):
    member: Member


# ---------------------------------------------------------------- scenarios


@frozen
class Label(Node, form='"{text}"'):
    """A labelled way as an answer."""

    text: str


@frozen
class Seats(Line, form="players {names}"):
    names: tuple[str, ...]


@frozen
class Given(Line, form="given {facts:query}"):
    facts: tuple[Expr, ...]


@frozen
class GivenPicture(Line, form="given picture {place}"):
    place: str
    rows: tuple[Row, ...]


@frozen
class Answer(Line, form="when {who:postfix} chooses {replies:logic then}"):
    who: Expr
    replies: tuple[Expr | Label, ...]


@frozen
class Run(Line, form="do {call:postfix}[ for {owner}]"):
    call: Expr
    owner: Expr | None = None


@frozen
class Expect(Line, form="expect {facts:query}"):
    facts: tuple[Expr, ...]


@frozen
class ExpectPicture(Line, form="expect picture {place}"):
    place: str
    rows: tuple[Row, ...]


@frozen
class Refuse(Line, form="refuse {who:postfix} chooses {reply}"):
    who: Expr
    reply: Expr | Label


@frozen
class Fails(Line, form="fails at {fact}"):
    """`fails at E`: the first expectation that does not hold; the scenario passes only then."""

    fact: Expr


@frozen
class Asked(Line, form="asked {who:postfix}"):
    """Exactly these are asked something now; `nobody` alone: nobody is."""

    who: tuple[Expr, ...]


@frozen
class Offered(Line, form="offered {who:postfix} only {replies:logic}"):
    """Exactly these answers are offered to one player."""

    who: Expr
    replies: tuple[Expr | Label, ...]


@frozen
class SharedPlace(Node, form="{who:postfix}"):
    """Who shares one place in the ranking."""

    who: tuple[Expr, ...]


@frozen
class Ranked(Line, form="ranked {places:logic then}"):
    """The whole ranking, the first place first."""

    places: tuple[SharedPlace, ...]


@frozen
class EventFact(Node, form="{name} is {value:logic}"):
    name: Name
    value: Expr


@frozen
class Happened(Line, form="happened {event}[ {facts}]"):
    """An event with these facts, since the expectation before."""

    event: Name
    facts: tuple[EventFact, ...]


@frozen
class AfterStep(Line, form="after step {step}"):
    """The state in which a named step has ended, though nobody is asked anything there."""

    step: Name


Scene = (
    Seats | Use | Given | GivenPicture | Answer | Run | Expect | ExpectPicture | Refuse | Fails
    | Asked | Offered | Ranked | Happened | AfterStep
)  # fmt: skip


@frozen
class Scenario(Line, form='scenario "{name}"'):
    name: str
    scenes: tuple[Scene, ...]


# Most of a long file, and of no concern to its rules: where its parts stand is worked out when somebody asks.
has_late(Scenario, "scenes")

Declaration = (
    GameHead | Option | Ruleset | Assume | Kind | KindBlock | Deck | Pieces | Track | Course | Grid | Die
    | Has | Variable | Define | Action | Change | When | Invariant | Part | Scenario | Show | ShownAs | Replace | Add
    | Member
)  # fmt: skip


@frozen
class File(Node):
    """A whole rules file; `tail` is what stands after its last line."""

    declarations: tuple[Declaration, ...]
    tail: tuple[Clause | Comment, ...] = ()
