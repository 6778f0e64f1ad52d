"""Execution trace of a match: which line ran, under which conditions, with which values.

The game is instrumented with announcements of the values that each line is
about to read; played again, its events are split into those of the rules and
ours, and ours become a tree: each line stands below the conditions and loops
that it depends on (control dependence).  The reference engine plays, unchanged.

A value is announced only where the line itself would work it out: behind an
`and` only if what stands before holds, in a branch only if it is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.control_dependence import around
from rulekit.model.effects import expressions
from rulekit.model.game import Game
from rulekit.model.types import Type
from rulekit.play.state.event import Event
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref
from rulekit.source import Span
from rulekit.tools.analysis.control_operations import non_control_operations
from rulekit.tools.analysis.rule_instrumentation import instrumented
from rulekit.tools.analysis.type_reconstruction import ExpressionTypes
from rulekit.tools.explain.source_text import valued, written
from rulekit.values import define, evolve, field, frozen

_RAW = Type("raw")
"""A type that nothing else has: its values cross the border as they are."""
_OURS = ((),)
"""What every announcement of ours begins with: a set of sets of sets, which no rule can announce."""
_ENTER = -1
"""The place of the announcement that a code begins."""


@frozen
class ReadValue:
    """A value that a line read: what is written for it, and what it was worth."""

    text: str
    value: str


@frozen
class Ran:
    """One operation that ran.

    depth:   how many actions lie around it.
    rule:    the action, card or part that it stands in.
    span:    its line.
    clauses: of the line and the lines around it.
    """

    code: int
    pc: int
    depth: int
    rule: str
    span: Span
    clauses: tuple[str, ...]
    readings: tuple[ReadValue, ...]


@frozen
class Caused:
    """An event of the match with what led to it, nearest first: its line, conditions and loops around it, calls.

    clauses:     of its line, or else the nearest.
    decided_by:  the others that decided its values and that it happened.
    """

    event: Event
    causes: tuple[Ran, ...]
    clauses: tuple[str, ...]
    decided_by: tuple[str, ...] = ()


@frozen
class _Leaf:
    """A part of an expression worth showing, guarded by what must hold for it to be worked out."""

    text: str
    kind: Type
    value: x.Expr
    guarded: bool


@define(eq=False)
class Tracer:
    """A game prepared for tracing; `told` reads the events of one of its matches in order."""

    game: Game
    traced: Game = field(init=False, repr=False)
    leaves: dict[tuple[int, int], tuple[_Leaf, ...]] = field(init=False, factory=dict, repr=False)
    _doing: list[set[int]] = field(init=False, factory=list, repr=False)

    def __attrs_post_init__(self) -> None:
        types = ExpressionTypes(self.game)
        self._doing = [non_control_operations(code) for code in self.game.codes]
        for index, code in enumerate(self.game.codes):
            for pc, op in enumerate(code.ops):
                self.leaves[index, pc] = tuple(_leaves_of(self.game, types, index, op))
        self.traced = instrumented(self.game, self._announced, lambda code: [_announcement(code, _ENTER, ())])

    def _announced(self, code: int, pc: int, op: ops.Op) -> list[ops.Op]:
        is_control = op.effects.joins and pc not in self._doing[code]
        return [] if is_control else [_announcement(code, pc, self.leaves[code, pc])]

    def reader(self) -> Reader:
        return Reader(self)


def _announcement(code: int, pc: int, leaves: Sequence[_Leaf]) -> ops.Op:
    values = (x.Const(_OURS), x.Const(code), x.Const(pc), *(leaf.value for leaf in leaves))
    return ops.Announce(x.Listed(values), x.Seats("players"), _RAW)


def is_ours(event: Event) -> bool:
    """Whether an event of a traced match is an announcement of the trace."""
    value = event.get("value") if event.name == "announce" else None
    return isinstance(value, tuple) and value[:1] == (_OURS,)


def place_of(event: Event) -> tuple[tuple[int, int], ...]:
    """The code and place of the operation that an announcement of ours stands for; nothing for other events."""
    value: Any = event.get("value") if is_ours(event) else None
    return () if value is None or value[2] == _ENTER else ((value[1], value[2]),)


# ---------------------------------------------------------------- what is worth showing


def _leaves_of(game: Game, types: ExpressionTypes, code: int, op: ops.Op) -> Iterator[_Leaf]:
    """The values that an operation reads, each once."""
    seen: set[str] = set()
    for e, guard in _parts(op):
        kind = types.of(e, code)
        text = written(game, e.span)
        if not text or text in seen or e.span == op.span or isinstance(e, x.PieceOf | x.GroupOf | x.Lookup):
            continue
        seen.add(text)
        yield _Leaf(text, kind, e if guard is None else x.Choice(guard, e, x.Const(None)), guard is not None)


Guarded = tuple[x.Expr, x.Expr | None]


def _parts(op: ops.Op) -> Iterator[Guarded]:
    for e in _read(op):
        yield from _split(e, None)


def _read(op: ops.Op) -> Iterator[x.Expr]:
    """The expressions that an operation works out whatever happens."""
    kind: Any = type(op)
    for name in expressions(kind):
        # What is ranked by is worked out for each player, and what chance draws from is told by the event.
        if not (isinstance(op, ops.Rank) and name == "keys") and not (op.effects.draws and name == "source"):
            yield from _held(getattr(op, name))


def _held(part: object) -> Iterator[x.Expr]:
    if isinstance(part, x.Expr):
        yield part
    elif isinstance(part, ops.Target):
        yield from _held((part.of, part.index))
    elif isinstance(part, tuple):
        for each in part:
            yield from _held(each)


def _split(e: x.Expr, guard: x.Expr | None) -> Iterator[Guarded]:
    """The parts of an expression that are values of their own."""
    if isinstance(e, x.Const):
        return
    if isinstance(e, x.Not | x.Negative):
        yield from _split(e.of, guard)
    elif isinstance(e, x.Both | x.Either):
        yield from _split(e.left, guard)
        wanted = e.left if isinstance(e, x.Both) else x.Not(e.left)
        yield from _split(e.right, wanted if guard is None else x.Both(guard, wanted))
    elif isinstance(e, x.Compare | x.Same | x.Among | x.Arithmetic):
        yield from _split(e.left, guard)
        yield from _split(e.right, guard)
    elif isinstance(e, x.Choice):
        yield from _split(e.test, guard)
        for part, test in ((e.then, e.test), (e.other, x.Not(e.test))):
            yield from _split(part, test if guard is None else x.Both(guard, test))
    else:
        yield e, guard


# ---------------------------------------------------------------- reading it again


@define(eq=False)
class _Activation:
    """An action at work: what each of its operations last read, and what called it."""

    code: int
    call: Ran | None
    last: dict[int, Ran] = field(factory=dict)


@define(eq=False)
class Reader:
    """The events of one match, in order, as what ran and what it caused.  Keeps its place between decisions.

    now:    what ran last; tied: what ran last of what is tied to a clause.
    ended:  the end of the game was said, so that what begins next has nothing around it.
    """

    tracer: Tracer
    stack: list[_Activation] = field(factory=list)
    now: Ran | None = None
    tied: Ran | None = None
    ended: bool = False

    def told(self, events: Iterable[Event], setting: Setting) -> Iterator[Ran | Caused]:
        for event in events:
            if not is_ours(event):
                yield self._caused(event)
                continue
            ran = self._ran(event, setting)
            if ran is not None:
                yield ran

    def _ran(self, event: Event, setting: Setting) -> Ran | None:
        value: Any = event["value"]
        _, code, pc, *raw = value
        if pc == _ENTER:
            if self.ended:
                self.stack.clear()
            self.stack.append(_Activation(code, self.now))
            return None
        self._unwind(code)
        op = self.tracer.game.codes[code].ops[pc]
        shown = tuple(_readings(setting, self.tracer.leaves[code, pc], raw))
        rule = self.tracer.game.codes[code].name
        self.now = Ran(code, pc, len(self.stack) - 1, rule, op.span, op.cites or event.clauses, shown)
        self.stack[-1].last[pc] = self.now
        self.ended = op.effects.ends
        self.tied = self.now if self.now.clauses else self.tied
        if isinstance(op, ops.Return):
            self.stack.pop()
            return None
        return self.now

    def _unwind(self, code: int) -> None:
        """What was stopped from deeper down, or begun before anything was told, is put right."""
        while self.stack and self.stack[-1].code != code:
            self.stack.pop()
        if not self.stack:
            self.stack.append(_Activation(code, self.now))

    def _caused(self, event: Event) -> Caused:
        """An event; what no line of the rules says, as the end behind the last line, comes of what ran last."""
        causes = self._causes() or ((self.tied,) if self.tied is not None else ())
        if event.clauses or event.decided_by:
            return Caused(event, causes, event.clauses, event.decided_by)
        return Caused(event, causes, next((ran.clauses for ran in (*causes, self.tied) if ran and ran.clauses), ()))

    def _causes(self) -> tuple[Ran, ...]:
        found: list[Ran] = []
        ran = self.now
        for activation in reversed(self.stack):
            if ran is None or ran.code != activation.code:
                ran = next(reversed(activation.last.values()), None)
            if ran is not None:
                found += [ran, *self._around(activation, ran)]
            ran = activation.call
        return tuple(_by_line(found))

    def _around(self, activation: _Activation, ran: Ran) -> list[Ran]:
        """The conditions and loops that a line stands in, as they last ran, nearest first."""
        code = self.tracer.game.codes[ran.code].ops
        return [activation.last[pc] for pc in reversed(around(code, ran.pc)) if pc in activation.last]


def _readings(setting: Setting, leaves: Sequence[_Leaf], raw: Sequence[Any]) -> Iterator[ReadValue]:
    for leaf, value in zip(leaves, raw, strict=True):
        text = "" if leaf.guarded and value is None else valued(setting, leaf.kind, value)
        if text and leaf.text != text:
            yield ReadValue(leaf.text, text)


def _by_line(found: Iterable[Ran]) -> list[Ran]:
    """What ran, with all that was read on one line together."""
    lines: dict[tuple[int, str, int], Ran] = {}
    for ran in found:
        key = ran.code, ran.span.source, ran.span.line
        first = lines.setdefault(key, ran)
        lines[key] = evolve(first, readings=tuple(dict.fromkeys(first.readings + ran.readings)))
    return list(lines.values())


def of_arrival(game: Game, event: Event) -> tuple[str, ...]:
    """The clauses of the line about full spaces that pushed a piece."""
    piece = event.get("piece")
    if event.name != "push" or not isinstance(piece, Ref):
        return ()
    places = {v.place for v in game.variables if v.place and piece.kind in (v.type.kind, v.type.element.kind)}
    full = [full for name in places for full in game.places[name].full if full.word == "pushes"]
    return full[0].cites if len(full) == 1 else ()
