"""What an action does, as a flat list of operations.

Structure (if, each, steps) has become jumps, so that the place in the flow
is two numbers and a state can be saved in the middle of any effect.  Every
operation knows its line and the clauses that its line and the lines around
it cite.
"""

from __future__ import annotations

from attrs import field

from rulekit.model.expr import Expr
from rulekit.source import NOWHERE, Span
from rulekit.values import frozen


@frozen(kw_only=True)
class Op:
    span: Span = field(default=NOWHERE, eq=False, repr=False)
    cites: tuple[str, ...] = field(default=(), eq=False, repr=False)


# ---------------------------------------------------------------- flow


@frozen
class Let(Op):
    local: int
    value: Expr


@frozen
class Jump(Op):
    to: int


@frozen
class Unless(Op):
    """Jump if the test does not hold."""

    test: Expr
    to: int


@frozen
class EachStart(Op):
    """Work out the set once; `items` and `position` are locals of the loop."""

    items: int
    position: int
    over: Expr


@frozen
class EachNext(Op):
    """Bind the next element, or jump to `exit`."""

    items: int
    position: int
    element: int
    exit: int


@frozen
class EnterStep(Op):
    """Begin a named step; jump to `end` if it is to be skipped."""

    step: str = field(converter=str)
    end: int


@frozen
class Skip(Op):
    step: str = field(converter=str)


@frozen
class Call(Op):
    code: int
    args: tuple[Expr, ...]


@frozen
class Perform(Op):
    """`do thing for owner`: run what the thing does, if anything."""

    thing: Expr
    owner: Expr


@frozen
class StopCode(Op):
    """Leave the action with this code, from any depth."""

    code: int


@frozen
class Return(Op):
    pass


@frozen
class EndGame(Op):
    pass


# ---------------------------------------------------------------- decisions and chance


@frozen
class Ask(Op):
    """A decision.

    least, most:  how many (None, None: exactly one thing, not a set).
    manner:       may, always or None.
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


@frozen
class AskWay(Op):
    """A decision between labelled ways: (label, condition, where it begins)."""

    who: Expr
    ways: tuple[tuple[str, Expr | None, int], ...]
    secretly: bool = False
    prompt: str = ""
    hidden: bool = False


@frozen
class SecretStart(Op):
    """`secretly each`: the body runs from the next operation to SecretEnd, once for each seat, apart."""

    over: Expr
    local: int
    end: int


@frozen
class SecretEnd(Op):
    pass


@frozen
class OnlyIf(Op):
    test: Expr


@frozen
class Draw(Op):
    """verb draw or roll.  least None: one thing; else a set of that many (most: chance does not choose how many)."""

    verb: str
    local: int
    name: str = field(converter=str)
    source: Expr
    amount: Expr | None
    stream: str = field(converter=str)
    type: object = None


@frozen
class Deal(Op):
    amount: Expr
    source: Expr
    to: Target
    stream: str = field(converter=str)


@frozen
class Shuffle(Op):
    pile: Target


# ---------------------------------------------------------------- changes


@frozen
class Target:
    """A variable that can be changed; `index` is the place in a list."""

    variable: int
    of: Expr | None
    index: Expr | None = None
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class Assign(Op):
    target: Target
    value: Expr


@frozen
class SetStarter(Op):
    value: Expr


@frozen
class MovePiece(Op):
    """`move piece to space`; several pieces if `many`."""

    piece: Expr
    to: Expr
    many: bool = False


@frozen
class MoveToPile(Op):
    """`move things to pile`; a set or one thing."""

    things: Expr
    to: Target
    many: bool


@frozen
class Travel(Op):
    """Along a track; way is 1 (up) or -1 (down)."""

    piece: Expr
    way: int
    amount: Expr


@frozen
class GoHome(Op):
    piece: Expr


@frozen
class Swap(Op):
    left: Expr
    right: Expr
    pieces: bool


@frozen
class PushRun(Op):
    piece: Expr
    toward: Expr


@frozen
class Compact(Op):
    pieces: Expr
    toward: Expr


@frozen
class Shift(Op):
    """toward None: `by` is an offset."""

    pieces: Expr
    toward: Expr | None
    by: Expr


@frozen
class Remove(Op):
    things: Expr
    many: bool


@frozen
class Reveal(Op):
    """What becomes public: things of a set, or the variables themselves."""

    things: Expr | None
    targets: tuple[tuple[int, Expr | None], ...] = ()


@frozen
class Announce(Op):
    what: Expr
    to: Expr
    type: object = None


@frozen
class Place(Op):
    """Put pieces on a grid as a picture shows: (variable, cells by piece in declared order)."""

    cells: tuple[tuple[int, tuple[int, int]], ...]


# ---------------------------------------------------------------- results


@frozen
class Rank(Op):
    players: Expr
    keys: tuple[tuple[Expr, bool], ...] = ()
    slot: int = 0


@frozen
class Defeat(Op):
    players: Expr


@frozen
class Code:
    """A runnable body.

    parameters:  number of locals that a call fills.
    locals:      number of locals in all.
    scopes:      for each operation the locals in force there.
    steps:       names of the steps it has.
    """

    name: str = field(converter=str)
    parameters: int
    locals: int
    ops: tuple[Op, ...] = field(repr=False)
    scopes: tuple[tuple[int, ...], ...] = field(repr=False)
    steps: frozenset[str] = frozenset()
    has_only_if: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)
    cites: tuple[str, ...] = ()
