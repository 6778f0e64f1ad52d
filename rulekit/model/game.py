"""The checked game: every name resolved, every type known.

Made once from syntax; nothing in it depends on how many play or what was
chosen.  `play.state.setting` makes a table for given seats and options from it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.late_fields import has_late
from rulekit.model.expr import Const, Expr, Value
from rulekit.model.ops import Code, Target, Together
from rulekit.model.types import Parameter, Type
from rulekit.source import NOWHERE, Source, Span
from rulekit.syntax import nodes
from rulekit.values import field, frozen


def _plain_pairs(pairs: tuple[tuple[str, str], ...]) -> tuple[tuple[str, str], ...]:
    """Letters alone: a name of the syntax knows where it is written, and nobody at the table shall."""
    return tuple((str(name), str(text)) for name, text in pairs)


PUBLIC, OWNER, NOBODY, TOP = "public", "owner", "nobody", "top"
OTHERS, SOME = "others", "some"
"""Who sees what a variable holds."""


@frozen(kw_only=True)
class Written:
    """What has a place in a text."""

    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen(kw_only=True)
class Cited(Written):
    """What is tied to clauses as well, by their ids."""

    cites: tuple[str, ...] = ()


@frozen
class Clause(Written):
    """A sentence of the rule text.  needs_rule: some line of the rules should cite it."""

    id: str
    text: str
    needs_rule: bool


@frozen
class Member(Cited):
    """One printed member of a kind.

    cites:  of its line or row; where that has none, of the table around it.
    code:   what it does, as a place in `Game.codes`.
    tied:   by name the clauses of traits that have their own.
    renamed:  whether people read the title in place of the key, also of one that is a number.
    """

    key: str = field(converter=str)
    title: str = field(converter=str)
    glyph: str = ""
    renamed: bool = field(default=False, eq=False)
    copies: int = 1
    code: int | None = None
    tied: dict[str, tuple[str, ...]] = field(factory=dict, eq=False, repr=False)

    def behind(self, trait: str) -> tuple[str, ...]:
        """The clauses that are carried out where a trait of it is read."""
        return self.tied.get(trait, self.cites)


@frozen
class Kind:
    """A kind of thing.

    base:      printed members have the ids base, base + 1, …
    numbered:  all keys are numbers, so a member counts as its number.
    piece:     its things stand on places; made by piece declarations.
    traits:    values by member, in order.
    looks:     how members are drawn, by the name of the look: words, "" without; nothing that rules see.
    """

    name: str = field(converter=str)
    base: int
    members: tuple[Member, ...]
    numbered: bool = False
    piece: bool = False
    copied: bool = False
    traits: dict[str, tuple[Value, ...]] = field(factory=dict, repr=False)
    trait_types: dict[str, Type] = field(factory=dict, repr=False)
    set_name: str = ""
    looks: dict[str, tuple[str, ...]] = field(factory=dict, eq=False, repr=False)

    @property
    def ids(self) -> tuple[int, ...]:
        return tuple(range(self.base, self.base + len(self.members)))


@frozen
class Guard(Cited):
    """What an option `requires` of other choices, or `conflicts` with; without clauses it has those of the option."""

    conflicts: bool
    test: Expr


@frozen
class Option(Cited):
    """values: readings' names; for a number or set, low and high bound it.

    default: for readings the index, for flags a bool, for sets a tuple.
    tied:    the clauses of each reading's line.
    """

    name: str = field(converter=str)
    text: str
    unclear: bool
    type: Type
    readings: tuple[tuple[str, str], ...] = field(default=(), converter=_plain_pairs)
    low: int = 0
    high: int = 0
    default: Value = 0
    guards: tuple[Guard, ...] = ()
    tied: tuple[tuple[str, ...], ...] = ()

    def behind(self, value: Value) -> tuple[str, ...]:
        """The clauses that are carried out where this value of it counts: none of a variant that is not played."""
        if self.readings and isinstance(value, int):
            return tuple(dict.fromkeys((*self.tied[value], *self.cites)))
        return self.cites if value or self.unclear or self.type.name != "flag" else ()


@frozen
class Full(Cited):
    word: str
    way: int
    test: Expr | None


@frozen
class SpaceLook:
    """How some spaces of a track are drawn.  look: its name; word: the colour or glyph; at: which spaces, a set."""

    look: str
    word: str
    at: Expr


@frozen
class Place(Cited):
    """A track, course or grid with its arrival policy.

    form:       track, course or grid.
    low, high:  of a track; high None: open.  Of a grid 0 and None; width and height None: unbounded.
    bounded:    whether a grid has its width and height in a match; None: always.
    hexagonal:  whether the cells of a grid have six sides.
    capacity:   (spaces or None for all, how many); the first entry about a space counts; holding: the clauses of each.
    headings:   names of ways, each 1 (up) or -1 (down).
    tied:       the clauses of its lines about the edge and about halts, by these words.
    looks:      of a track, how spaces are drawn; nothing that rules see.
    """

    name: str = field(converter=str)
    form: str
    kind: str = ""
    low: int = 0
    high: int | None = None
    width: int | None = None
    height: int | None = None
    bounded: Expr | None = None
    hexagonal: bool = False
    capacity: tuple[tuple[range | frozenset[int] | None, Expr], ...] = ()
    holding: tuple[tuple[str, ...], ...] = field(default=(), eq=False, repr=False)
    full: tuple[Full, ...] = ()
    edge: str = "stops"
    free_only: bool = False
    halts: Expr | None = None
    headings: dict[str, int] = field(factory=dict)
    tied: dict[str, tuple[str, ...]] = field(factory=dict, eq=False, repr=False)
    looks: tuple[SpaceLook, ...] = field(default=(), eq=False, repr=False)


PAST = ("snapshot", "history")
"""Forms of variables that hold how it was: they are compared, and else nothing can be said of what lies in them."""


@frozen
class Compared:
    """What a history compares: one value, or pieces, of which `kind` is the kind.

    printed:  whether the value is a thing, so that copies of one card are equal.
    """

    value: Expr
    kind: str = field(default="", converter=str)
    printed: bool = False


@frozen
class Variable(Cited):
    """One declared variable.

    form:   counter, flag, value, piece, group, pile, list, snapshot or history.
    owner:  "" (one), "player" (one for everyone), or a kind (one for each member).
    seen:   public, owner, nobody, top, others (all but the owner) or some: those that `watchers` gives.
    start:  the value at first; of a list, of each of its places.
    keys:   of a list, the kind whose members name its places; "": they are numbered, first..last.
    compared:  of a history, what is noted each time; `last` is how often it can be.
    own:    the clauses of its line, without those of the `each … has` around it.
    watchers:  the define that gives who sees it, asked once, before a match begins.
    title:  what people read instead of the name, or "".
    """

    name: str = field(converter=str)
    form: str
    owner: str = field(converter=str)
    type: Type
    seen: str = PUBLIC
    low: int | None = None
    high: int | None = None
    start: Expr | None = None
    place: str = field(default="", converter=str)
    count: int = 1
    first: int = 1
    last: int = 0
    keys: str = field(default="", converter=str)
    own: tuple[str, ...] = ()
    watchers: int | None = None
    title: str = ""
    compared: tuple[Compared, ...] = ()

    @property
    def is_written(self) -> bool:
        """Whether the rules declare it; else an analysis counts with it."""
        return bool(self.span.line)

    @property
    def may_be_empty(self) -> bool:
        """Whether the places of a list may hold nothing, as they do at first."""
        return self.form == "list" and isinstance(self.start, Const) and self.start.value is None


@frozen
class Define(Cited):
    """is_open: what it is depends on nothing that anybody may not see, if what it is asked with does not."""

    name: str = field(converter=str)
    handed: tuple[Parameter, ...]
    value: Expr
    type: Type
    is_open: bool = False

    @property
    def parameters(self) -> int:
        """With how many values it is asked."""
        return len(self.handed)


@frozen
class Reaction:
    """word: lands, reaches, enters or leaves; low and high None: any space."""

    kind: str = field(converter=str)
    word: str
    low: Expr | None
    high: Expr | None
    is_open: bool
    code: int


@frozen
class Invariant(Cited):
    text: str
    test: Expr


@frozen
class Show(Cited):
    """Something worth seeing beside the board.

    is_open:  it is a define that depends on nothing that anybody may not see.
    """

    name: str
    text: str
    is_open: bool = False


@frozen
class Pictured:
    """By which value the pieces of a kind are drawn.  variable: its place; None: the value is a trait."""

    name: str
    variable: int | None = None


@frozen
class Ruleset(Cited):
    name: str = field(converter=str)
    choices: tuple[tuple[str, Value], ...]


@frozen
class Assumption(Cited):
    text: str
    names: tuple[str, ...]


# ---------------------------------------------------------------- scenarios


@frozen
class Fact(Written):
    """`given`: a target and the value it gets."""

    target: Target
    value: Expr
    type: Type


@frozen
class Given:
    facts: tuple[Fact, ...]


@frozen
class GivenCells:
    """Pieces placed by a picture, and the rest of the group taken off.

    group:  all pieces that the picture is about; cells: those it shows, with column and row from 0.
    shown:  the variable by which they are drawn, if there is one; values: what the picture says that it is, by piece.
    """

    group: tuple[int, ...]
    cells: tuple[tuple[int, tuple[int, int]], ...]
    shown: int | None = None
    values: tuple[tuple[int, Value], ...] = ()


@frozen
class Answer(Written):
    """who None: the chance seat.  reply: an expression, or what was written, to be matched by meaning."""

    who: int | None
    reply: Expr | nodes.Expr | nodes.Label
    type: Type | None
    refused: bool = False


@frozen
class Run(Written):
    """`do action(…)`: code is its place among the game's codes."""

    code: int


@frozen
class Expect(Written):
    """One expected fact; `fails` marks a misprint that must be the first to differ."""

    test: Expr
    fails: bool = False
    sides: tuple[Expr, Expr, Type, Type] | None = None
    """Both sides of an `is`, to say what was found instead."""


@frozen
class ExpectCells(Written):
    picture: GivenCells


@frozen
class Asked(Written):
    """Exactly these are asked; None: chance."""

    seats: tuple[int | None, ...]


@frozen
class Offered(Written):
    """Exactly these answers are offered to one player; who None: the chance seat."""

    who: int | None
    replies: tuple[Answer, ...]


@frozen
class Ranked(Written):
    """The whole ranking by seats, the first place first."""

    places: tuple[tuple[int, ...], ...]


@frozen
class Happened(Written):
    """An event with these facts: the name of each, its value as an answer is said, and its words, for paths."""

    event: str
    facts: tuple[tuple[str, Answer, str], ...]


@frozen
class AfterStep(Written):
    step: str


Expectation = Asked | Offered | Ranked | Happened
Scene = Given | GivenCells | Answer | Run | Expect | ExpectCells | Expectation | AfterStep


@frozen
class Scenario(Cited):
    name: str
    seats: tuple[str, ...]
    choices: tuple[tuple[str, Value], ...]
    scenes: tuple[Scene, ...]
    has_run: bool


has_late(Scenario, "scenes")


class Memo(dict[Any, Any]):
    """A memo table: what later stages work out once for a game.  It lives as long as the game; no copy has it."""

    def __reduce__(self) -> tuple[type[Memo], tuple[()]]:
        return Memo, ()


@frozen
class Tally:
    """A number that is summed over all matches of a series, those without an end too.

    It is what variables hold, all seats' together, and one for each of some options, whose readings are open, that was
    looked at.  is_any: it is one if any of these is one.
    """

    variables: tuple[int, ...]
    options: tuple[int, ...] = ()
    is_any: bool = False


@frozen
class Game:
    """neutrals: how many seats are nobody's, with the clauses of the line that says so.

    teams:    the define that gives the players of a player's team; None: everybody plays alone.
    tallies:  what an analysis that put variables or options in wants summed.
    streams_then:  the name that a stream of chance had, where a log is played again that was made under other names.
    """

    title: str
    author: str
    least: int
    most: int
    neutrals: Expr | None
    clauses: dict[str, Clause]
    options: tuple[Option, ...]
    rulesets: tuple[Ruleset, ...]
    assumptions: tuple[Assumption, ...]
    kinds: dict[str, Kind]
    places: dict[str, Place]
    variables: tuple[Variable, ...]
    defines: tuple[Define, ...]
    codes: tuple[Code, ...]
    main: int
    result: int
    reactions: tuple[Reaction, ...]
    invariants: tuple[Invariant, ...]
    scenarios: tuple[Scenario, ...]
    shows: tuple[Show, ...]
    pictured: dict[str, Pictured] = field(factory=dict, eq=False, repr=False)
    teams: int | None = None
    tallies: tuple[Tally, ...] = ()
    sources: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    cited: frozenset[str] = frozenset()
    streams_then: Callable[[str], str] | None = field(default=None, eq=False, repr=False)
    kept: Memo = field(init=False, factory=Memo, eq=False, repr=False)

    def _repr_html_(self) -> str:
        """As a notebook shows it: what can be agreed."""
        from html import escape

        from rulekit.table import Table

        rows = [(each.name, each.text, ", ".join(name for name, _ in each.readings)) for each in self.options]
        table = Table(("option", "question", "readings"), rows)
        return f"<h3>{escape(self.title)}</h3><p>{self.least} to {self.most} players</p>{table._repr_html_()}"

    @property
    def together(self) -> Together | None:
        """What all players reach together at the end; None where each stands for itself, or each team."""
        if "together" not in self.kept:
            found = (op for code in self.codes for op in code.ops if isinstance(op, Together))
            self.kept["together"] = next(found, None)
        known: Together | None = self.kept["together"]
        return known

    def option(self, name: str) -> Option | None:
        return next((option for option in self.options if option.name == name), None)

    def quoted(self, span: Span) -> str:
        """What is written at a place of the rules, with that place; of several lines the first."""
        line = Source(span.source, dict(self.sources).get(span.source, "")).line(span.line)
        written = line[span.column - 1 : span.end_column - 1 if span.end_line == span.line else None]
        return f"`{written.strip()}` ({span})"

    def member(self, thing: int) -> tuple[Kind, Member]:
        """The kind and printed member with this id."""
        for kind in self.kinds.values():
            if not kind.piece and kind.base <= thing < kind.base + len(kind.members):
                return kind, kind.members[thing - kind.base]
        raise AssertionError(f"no printed thing has the id {thing}")
