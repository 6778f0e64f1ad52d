"""The intermediate representation of bodies: what an action does, as a flat list of operations.

Structure (if, each, steps) has become jumps, so that the place in the flow
is two numbers and a state can be saved in the middle of any effect.  Every
operation knows its line, the clauses of that line, and those of the lines
around it.
"""

from __future__ import annotations

from typing import ClassVar

from rulekit.model.effects import Effects, declared
from rulekit.model.expr import Expr, Stored
from rulekit.model.types import Parameter
from rulekit.source import NOWHERE, Span
from rulekit.values import field, frozen


@frozen(kw_only=True)
class Op:
    """An operation.  Each class says beside its fields what it may do (`Effects`); without that it cannot be made.

    cites: the clauses of its line and then of the lines around it, nearest first; own: those of its line alone.
    """

    span: Span = field(default=NOWHERE, eq=False, repr=False)
    cites: tuple[str, ...] = field(default=(), eq=False, repr=False)
    own: tuple[str, ...] = field(default=(), eq=False, repr=False)

    effects: ClassVar[Effects]

    def __init_subclass__(cls) -> None:
        cls.effects = declared(cls)


# ---------------------------------------------------------------- flow


@frozen
class Let(Op):
    local: int
    value: Expr

    effects = Effects(binds="local", source="value")


@frozen
class Jump(Op):
    """passes: `next` or `stop`, if a clause of its own says that something is passed over."""

    to: int
    passes: str = field(default="", eq=False, repr=False)

    effects = Effects(continues=False, jumps=("to",), joins=True)


@frozen
class Unless(Op):
    """Jump if the test does not hold."""

    test: Expr
    to: int

    effects = Effects(jumps=("to",), opens=True, steers=("test",))


@frozen
class EachStart(Op):
    """Work out the set once; `items` and `position` are locals of the loop."""

    items: int
    position: int
    over: Expr

    effects = Effects(opens=True, binds="items", source="over", counts=("over",))


@frozen
class EachNext(Op):
    """Bind the next element, or jump to `exit`.  name, kind: of the element."""

    items: int
    position: int
    element: int
    exit: int
    name: str = field(default="", converter=str, eq=False, repr=False)
    kind: object = field(default=None, eq=False, repr=False)

    effects = Effects(jumps=("exit",), joins=True, binds="element", source="items")


@frozen
class EnterStep(Op):
    """Begin a named step; jump to `end` if it is to be skipped."""

    step: str = field(converter=str)
    end: int

    effects = Effects(jumps=("end",), opens=True)


@frozen
class Skip(Op):
    step: str = field(converter=str)

    effects = Effects()


@frozen
class Call(Op):
    code: int
    args: tuple[Expr, ...]

    effects = Effects(calls="code")


@frozen
class Perform(Op):
    """`do thing for owner`: run what the thing does, if anything.  kind: of the thing."""

    thing: Expr
    owner: Expr
    kind: str = field(eq=False)

    effects = Effects(performs="thing", steers=("thing", "owner"))


@frozen
class StopCode(Op):
    """Leave the action with this code, from any depth.  passes: as for `Jump`."""

    code: int
    passes: str = field(default="", eq=False, repr=False)

    effects = Effects(continues=False)


@frozen
class Return(Op):
    """passes: as for `Jump`."""

    passes: str = field(default="", eq=False, repr=False)

    effects = Effects(continues=False)


@frozen
class EndGame(Op):
    effects = Effects(continues=False, ends=True, public="`end game`")


# ---------------------------------------------------------------- decisions and chance


@frozen
class Ask(Op):
    """A decision.

    least, most:  how many (None, None: exactly one thing, not a set).
    manner:       may, always or None.
    values:       what its text names in braces: (name, value, type).
    """

    local: int
    name: str = field(converter=str)
    who: Expr
    options: Expr
    least: Expr | None = None
    most: Expr | None = None
    manner: str | None = None
    secretly: bool = False
    prompt: str = ""
    type: object = None
    hidden: bool = False
    values: tuple[tuple[str, Expr, object], ...] = ()

    effects = Effects(binds="local", source="options", hides="secretly", asks="who", shows=("values",), steers=("who",))


@frozen
class AskWay(Op):
    """A decision between labelled ways: (label, condition, where it begins).

    tied: the clauses of each way's line.  manner: always or None.  values: as those of `Ask`, of the ways as well.
    """

    who: Expr
    ways: tuple[tuple[str, Expr | None, int], ...]
    secretly: bool = False
    prompt: str = ""
    hidden: bool = False
    values: tuple[tuple[str, Expr, object], ...] = ()
    manner: str | None = None
    tied: tuple[tuple[str, ...], ...] = field(default=(), eq=False, repr=False)

    effects = Effects(jumps=("ways",), asks="who", shows=("values",), steers=("who",))


@frozen
class SecretStart(Op):
    """`secretly each`: the body runs from the next operation to SecretEnd, once for each seat, apart."""

    over: Expr
    local: int
    end: int

    effects = Effects(jumps=("end",), binds="local", asks="over", steers=("over",), public="`secretly each`")


@frozen
class SecretEnd(Op):
    effects = Effects(joins=True)


@frozen
class OnlyIf(Op):
    test: Expr

    effects = Effects()


@frozen
class Draw(Op):
    """verb draw or roll.  amount None: one thing; else a set of that many.  replaced: of which some may be equal."""

    verb: str
    local: int
    name: str = field(converter=str)
    source: Expr
    amount: Expr | None
    stream: str = field(converter=str)
    type: object = None
    replaced: bool = False

    effects = Effects(binds="local", source="source", draws="stream", shows=("amount",), public="`draw` and `roll`")


@frozen
class Deal(Op):
    amount: Expr
    source: Expr
    to: Target
    stream: str = field(converter=str)

    effects = Effects(takes=("source",), fills=("to",), draws="stream", shows=("amount", "to"), public="`deal`")


@frozen
class Shuffle(Op):
    pile: Target

    effects = Effects(shuffles=("pile",), shows=("pile",), public="`shuffle`")


# ---------------------------------------------------------------- changes


@frozen
class Target:
    """A variable that can be changed; `index` is the place in a list.  cites: of this part of the line."""

    variable: int
    of: Expr | None
    index: Expr | None = None
    cites: tuple[str, ...] = field(default=(), eq=False, repr=False)
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Assign(Op):
    target: Target
    value: Expr

    effects = Effects(writes=("target",), shows=("target", "value"))


@frozen
class Note(Op):
    """Keep what a history compares, as it is now.  values: what that is, in the order of the declaration."""

    target: Target
    values: tuple[Expr, ...]

    effects = Effects(writes=("target",), shows=("values",), common="`note`")


@frozen
class SetStarter(Op):
    value: Expr

    effects = Effects(alters="starter", shows=("value",), common="`set starter`")


@frozen
class MovePiece(Op):
    """`move piece to space`; several pieces if `many`."""

    piece: Expr
    to: Expr
    many: bool = False

    effects = Effects(moves=("piece",), lifts=("piece",), shows=("piece", "to"))


@frozen
class MoveToPile(Op):
    """`move things to pile`; a set or one thing.

    ahead: before all that lies there, not behind it; dealt: so it is called.
    """

    things: Expr
    to: Target
    many: bool
    ahead: bool = False
    dealt: bool = False

    effects = Effects(takes=("things",), fills=("to",), shows=("to",))


@frozen
class Travel(Op):
    """Along a track; way is 1 (up) or -1 (down)."""

    piece: Expr
    way: int
    amount: Expr

    effects = Effects(moves=("piece",), shows=("piece", "amount"))


@frozen
class GoHome(Op):
    """`move piece home`; several pieces if `many`, each to its own."""

    piece: Expr
    many: bool = False

    effects = Effects(moves=("piece",), shows=("piece",))


@frozen
class Swap(Op):
    """Two pieces change places."""

    left: Expr
    right: Expr

    effects = Effects(moves=("left", "right"), exchanges=True, shows=("left", "right"))


@frozen
class SwapCards(Op):
    """Two cards change places, each in the pile of the other."""

    left: Expr
    right: Expr

    effects = Effects(takes=("left", "right"), exchanges=True)


@frozen
class PushRun(Op):
    piece: Expr
    toward: Expr

    effects = Effects(moves=("piece",), along=True, shows=("piece", "toward"))


@frozen
class Compact(Op):
    pieces: Expr
    toward: Expr

    effects = Effects(moves=("pieces",), shows=("pieces", "toward"))


@frozen
class Shift(Op):
    """toward None: `by` is an offset."""

    pieces: Expr
    toward: Expr | None
    by: Expr

    effects = Effects(moves=("pieces",), shows=("pieces", "toward", "by"))


@frozen
class Remove(Op):
    """Take a piece out of the match; several if `many`."""

    pieces: Expr
    many: bool

    effects = Effects(lifts=("pieces",), removes=("pieces",), shows=("pieces",))


@frozen
class RemoveCards(Op):
    """Take a card out of the match; a set if `many`."""

    things: Expr
    many: bool

    effects = Effects(takes=("things",))


@frozen
class Reveal(Op):
    """What becomes public: things of a set, or the variables themselves."""

    things: Expr | None
    targets: tuple[tuple[int, Expr | None], ...] = ()

    effects = Effects(shows=("targets",), public="`reveal`")


@frozen
class Declassify(Op):
    """Everybody learns a value, and it has a name from here on; what it was worked out from stays hidden."""

    local: int
    name: str = field(converter=str)
    value: Expr
    type: object = None

    effects = Effects(binds="local", source="value", declassifies=True, public="`reveal`")


@frozen
class Announce(Op):
    what: Expr
    to: Expr
    type: object = None

    effects = Effects(shows=("to",), public="`announce`")


@frozen
class Place(Op):
    """Put pieces on a grid as a picture shows: (variable, cells by piece in declared order)."""

    cells: tuple[tuple[int, tuple[int, int]], ...]

    effects = Effects(along=True)


# ---------------------------------------------------------------- results


@frozen
class Rank(Op):
    """keys: by what, in order, and whether the lowest comes first.  is_open: everybody may see what they are."""

    players: Expr
    keys: tuple[tuple[Expr, bool], ...] = ()
    slot: int = 0
    is_open: bool = False

    effects = Effects(steers=("players", "keys"), common="`rank`")


@frozen
class Defeat(Op):
    players: Expr

    effects = Effects(steers=("players",), common="`defeat`")


@frozen
class Together(Op):
    """All players reach what the counter shows, between its bounds."""

    value: Stored
    low: int
    high: int

    effects = Effects(shows=("value",), common="`all reach`")


@frozen
class Code:
    """A runnable body.

    handed:      what a call fills the first locals with.
    locals:      number of locals in all.
    scopes:      for each operation the locals in force there.
    steps:       names of the steps it has.
    """

    name: str = field(converter=str)
    handed: tuple[Parameter, ...]
    locals: int
    ops: tuple[Op, ...] = field(repr=False)
    scopes: tuple[tuple[int, ...], ...] = field(repr=False)
    steps: frozenset[str] = frozenset()
    has_only_if: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)
    cites: tuple[str, ...] = ()

    @property
    def parameters(self) -> int:
        """The number of locals that a call fills."""
        return len(self.handed)


def secret_blocks(code: Code) -> dict[int, SecretStart]:
    """By the place of each operation inside a `secretly each` what began the block; its end belongs to it."""
    return {
        inside: op
        for place, op in enumerate(code.ops)
        if isinstance(op, SecretStart)
        for inside in range(place + 1, op.end)
    }
