"""Why-not explanation: the first condition that kept something from being offered, with its values and clauses.

The set that a decision chooses from is taken apart step by step, in the
position where it was asked, until the step is found that lets the thing go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

from rulekit.model import builtin_signatures, ops
from rulekit.model import expr as x
from rulekit.model.types import FLAG, NUMBER, UNKNOWN, Type, set_of
from rulekit.play.interpreter.answering import takes_several
from rulekit.play.interpreter.feasibility import dead_ends, frame_conditions
from rulekit.play.machine.closure_compilation import NeedsOrder, evaluate
from rulekit.play.machine.working_state import Machine, thaw
from rulekit.play.state.errors import RuleError
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import Branch, Pending, State
from rulekit.play.state.value import Value
from rulekit.source import Span
from rulekit.tools.analysis.type_reconstruction import ExpressionTypes
from rulekit.tools.explain.cited_parts import cited
from rulekit.tools.explain.source_text import valued, written
from rulekit.tools.language.lazy_message import Message, Text, all_of
from rulekit.values import define, evolve, frozen

_TRIED = 200
"""So many ways on from an answer are followed to where they end."""


@frozen
class Refused:
    """A thing that could have been meant and was not offered.

    reason:   one plain sentence, with the values that mattered.
    span:     the condition that excludes it.
    clauses:  of the parts that exclude it, then of the define or line in which that condition stands.
    """

    option: Value
    reason: Text
    span: Span
    clauses: tuple[str, ...]


@frozen
class _Why:
    """parts: the clauses that the parts of the line cite which exclude it; clauses: of the line."""

    text: Text
    span: Span
    clauses: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()

    def told(self, line: tuple[str, ...]) -> tuple[str, ...]:
        """Its clauses, or else those of the line that asks, behind those of the parts."""
        return tuple(dict.fromkeys((*self.parts, *(self.clauses or line))))

    def within(self, e: x.Expr) -> _Why:
        """The same as a part of another expression."""
        return evolve(self, parts=(*self.parts, *e.cites)) if e.cites else self


def refused(
    state: State, seat: int, types: ExpressionTypes | None = None, most: int | None = None
) -> tuple[Refused, ...]:
    """Everything of the sort that `seat` is asked about now and cannot answer, each with its reason.

    most:    so many of them, the first ones.
    Shape:   in the order of the kind; empty if the seat is asked nothing, or asked by chance.
    """
    asked = _asked(state, seat)
    if asked is None:
        return ()
    m, question = asked
    frame = m.frames[-1]
    op = state.setting.game.codes[frame.code].ops[frame.pc]
    looking = _Looking(m, question, op, frame.code, types or ExpressionTypes(state.setting.game))
    if isinstance(op, ops.AskWay):
        return tuple(islice(looking.ways(op), most))
    assert isinstance(op, ops.Ask), op
    return tuple(islice(looking.things(op), most))


def _asked(state: State, seat: int) -> tuple[Machine, Pending] | None:
    """The position as the asked seat's own flow stands in it, and the question."""
    branch = next((b for b in state.branches if b.seat == seat and b.pending is not None), None)
    alone = state if branch is None else _apart(state, branch)
    question = alone.pending
    if question is None or question.seat != seat or question.form == "chance":
        return None
    m = thaw(alone)
    m.locals = m.frames[-1].locals
    return m, question


def _apart(state: State, branch: Branch) -> State:
    return evolve(
        state, values=branch.values, lies=branch.lies, frames=branch.frames, pending=branch.pending, branches=(),
        known=branch.known, open_things=branch.open_things, open_slots=branch.open_slots, gone=branch.gone,
    )  # fmt: skip


@define(eq=False)
class _Looking:
    """One decision being looked at.

    sort:      the type of what is chosen.
    elements:  the types of what the queries around are looking at.
    args:      the types of a define's arguments, while it is looked into.
    clauses:   of the innermost define that was gone into.
    """

    m: Machine
    question: Pending
    op: ops.Op
    code: int
    types: ExpressionTypes
    sort: Type = UNKNOWN
    elements: tuple[Type, ...] = ()
    args: tuple[Type, ...] | None = None
    clauses: tuple[str, ...] = ()

    # ------------------------------------------------------------ ways

    def ways(self, op: ops.AskWay) -> Iterator[Refused]:
        for index, (label, test, _) in enumerate(op.ways):
            if index not in self.question.options:
                why = self._way(test, index)
                yield Refused(label, why.text, why.span, why.told(self.question.clauses))

    def _way(self, test: x.Expr | None, index: int) -> _Why:
        if test is not None and not self.eval(test):
            return self.false(test)
        return self._later(None, index)

    # ------------------------------------------------------------ things

    def things(self, op: ops.Ask) -> Iterator[Refused]:
        kind: Any = op.type
        self.sort = kind = kind.element if op.least is not None else kind
        for thing in self._all(kind, op.options):
            if self._has(self.question.options, thing, of=kind):
                continue
            why = self._thing(op, kind, thing)
            option = outward(self.m.setting, kind, thing)
            yield Refused(option, why.text, why.span, why.told(self.question.clauses))

    def _thing(self, op: ops.Ask, kind: Type, thing: Any) -> _Why:
        for member in self._meant(kind, thing):
            if self._has(self.eval(op.options), member):
                return self._later(valued(self.m.setting, kind, thing), member)
        return self.absent(op.options, self._meant(kind, thing)[0])

    def _meant(self, kind: Type, thing: Any) -> list[Any]:
        """What could be taken for a printed card: itself and its copies, those that lie somewhere first."""
        if kind.name != "thing" or thing in self.m.setting.piece_slot:
            return [thing]
        row_of = self.m.setting.row_of
        copies = [copy for copy in range(self.m.setting.copy_base, len(row_of)) if row_of[copy] == thing]
        return [*sorted(copies, key=self._nearness), thing]

    def _nearness(self, copy: int) -> int:
        slot = self.m.lies_in(copy)
        if slot is None:
            return 2
        return 0 if self.m.setting.slot_owner[slot] == self.question.seat else 1

    def _has(self, items: Any, thing: Any, of: Type = UNKNOWN) -> bool:
        if thing in items:
            return True
        if of.name != "thing" or thing is None:
            return False
        row_of = self.m.setting.row_of
        return any(item is not None and row_of[item] == row_of[thing] for item in items)

    def _all(self, kind: Type, options: x.Expr) -> list[Any]:
        """Everything of the sort that is chosen from."""
        setting = self.m.setting
        if kind.name == "player":
            return list(range(setting.everyone))
        if kind.name == "thing":
            first = setting.kind_base.get(kind.kind, 0)
            return list(range(first, first + setting.kind_count.get(kind.kind, 0)))
        if kind == FLAG:
            return [False, True]
        if kind.name == "direction":
            return list(builtin_signatures.DIRECTIONS.values())
        bases = [item for base in _bases(options, self.m) for item in self._quietly(base) or ()]
        found = list(dict.fromkeys(bases))
        if kind == NUMBER and found and all(isinstance(item, int) for item in found):
            return list(range(min(found), max(found) + 1))
        return found

    def _quietly(self, e: x.Expr) -> Any:
        try:
            return self.eval(e)
        except (RuleError, NeedsOrder, IndexError, TypeError):
            return None

    def _later(self, what: str | None, value: Any) -> _Why:
        """Why what the set holds is not offered all the same: it would lead into an `only if` that cannot be met."""
        bound = _only_if(self.m)
        if bound is None:
            alike = Message("why-alike") if what is None else Message("why-alike-named", what=what)
            return _Why(alike, self.question.span)
        ends = [end for end in self._dead_ends(value) if isinstance(end.op, ops.OnlyIf)]
        tests = list(dict.fromkeys(_test(end) for end in ends)) or [bound]
        if len(ends) == 1:
            return self._unmet(ends[0], tests[0])
        said = all_of([f"`only if {self.text(test.test.span)}`" for test in tests])
        return _Why(Message("why-never-met", tests=said), tests[0].test.span, tests[0].cites)

    def _dead_ends(self, value: Any) -> list[Machine]:
        """Where the ways on from an answer come to nothing; none if there are too many, or they cannot be tried."""
        assert isinstance(self.op, ops.Ask | ops.AskWay), self.op
        if takes_several(self.op):
            return []
        try:
            found = list(islice(dead_ends(self.m, self.question, value), _TRIED + 1))
        except (RuleError, NeedsOrder):
            return []
        return found if len(found) <= _TRIED else []

    def _unmet(self, end: Machine, op: ops.OnlyIf) -> _Why:
        """Why the one `only if` that an answer leads into does not hold there."""
        end.locals, end.elements = end.frames[-1].locals, end.fresh_elements()
        code = end.frames[-1].code
        there = evolve(self, m=end, code=code, elements=(), args=None, clauses=op.cites)
        found = there.false(op.test)
        return found if found.clauses else evolve(found, clauses=op.cites)

    # ------------------------------------------------------------ sets

    def absent(self, e: x.Expr, thing: Any) -> _Why:
        """Why a set does not hold a thing."""
        found = _ABSENT.get(type(e), _Looking._not_there)(self, e, thing).within(e)
        return found if found.clauses else evolve(found, clauses=self.clauses)

    def _not_there(self, e: Any, thing: Any) -> _Why:
        shown = valued(self.m.setting, set_of(self.sort), self.eval(e))
        text = self.text(e.span)
        held = Message("why-only", set=text) if shown == text else Message("why-is", what=f"`{text}`", value=shown)
        return _Why(self._elsewhere(held, thing), e.span)

    def _named(self, e: x.Local, thing: Any) -> _Why:
        """A set that was named before: what it was made of, if that is still worth the same."""
        code = self.m.setting.game.codes[self.code].ops
        lets = [op for op in code if isinstance(op, ops.Let) and op.local == e.index]
        if self.args is not None or len(lets) != 1 or self._quietly(lets[0].value) != self.eval(e):
            return self._not_there(e, thing)
        found = self.absent(lets[0].value, thing)
        return found if found.clauses else evolve(found, clauses=lets[0].cites)

    def _elsewhere(self, held: Message, thing: Any) -> Message:
        """With where a card is instead, since the set is mostly a pile."""
        if self.sort.name != "thing" or not isinstance(thing, int) or thing < self.m.setting.copy_base:
            return held
        slot = self.m.lies_in(thing)
        return held if slot is None else Message("why-elsewhere", why=held, pile=self.m.setting.path(slot))

    def _filter(self, e: x.Filter, thing: Any) -> _Why:
        if not self._has(self.eval(e.of), thing):
            return self.absent(e.of, thing)
        outer, old = self.elements, self.m.elements[e.slot]
        self.elements = (*outer[: e.slot], self.kind(e.of).element)
        self.m.elements[e.slot] = thing
        try:
            return self.false(e.test)
        finally:
            self.elements, self.m.elements[e.slot] = outer, old

    def _without(self, e: x.Without, thing: Any) -> _Why:
        if not self._has(self.eval(e.of), thing):
            return self.absent(e.of, thing)
        left_out = Message("why-left-out", set=self.text(e.less.span))
        return _Why(_since(left_out, self._worth(e.less)), e.less.span, (), self._cited(e.less))

    def _extreme(self, e: x.Extreme, thing: Any) -> _Why:
        items = self.eval(e.of)
        if not self._has(items, thing):
            return self.absent(e.of, thing)
        keys = {item: self._key(e, item) for item in items}
        best = min(keys.values()) if e.lowest else max(keys.values())
        said = "why-not-lowest" if e.lowest else "why-not-highest"
        text = Message(said, key=self.text(e.key.span), value=keys.get(thing), best=best)
        self.m.elements[e.slot] = thing
        return _Why(text, e.key.span, (), self._cited(e.key))

    def _key(self, e: x.Extreme, item: Any) -> Any:
        self.m.elements[e.slot] = item
        return self.eval(e.key)

    def _ordered(self, e: x.Ordered, thing: Any) -> _Why:
        return self.absent(e.of, thing)

    def _union(self, e: x.Union, thing: Any) -> _Why:
        left, right = self.absent(e.left, thing), self.absent(e.right, thing)
        clauses = tuple(dict.fromkeys(left.clauses + right.clauses))
        return _Why(_both(left, right), left.span, clauses, left.parts + right.parts)

    def _chosen(self, e: x.Choice, thing: Any) -> _Why:
        return self.absent(e.then if self.eval(e.test) else e.other, thing)

    def _invoked(self, e: x.Invoke, thing: Any) -> _Why:
        return self._inside(e, lambda value: self.absent(value, thing))

    def _inside(self, e: x.Invoke, read: Callable[[x.Expr], _Why]) -> _Why:
        """Go into a define: its arguments are its locals, its clauses are the reason's."""
        define_ = self.m.setting.game.defines[e.define]
        given = [self.eval(arg) for arg in e.args]
        types = tuple(self.kind(arg) for arg in e.args)
        before = self.m.locals, self.m.elements, self.elements, self.args, self.clauses
        self.m.locals, self.m.elements = given, self.m.fresh_elements()
        self.elements, self.args, self.clauses = (), types, define_.cites or self.clauses
        try:
            found = read(define_.value)
            return found if found.clauses else evolve(found, clauses=self.clauses)
        finally:
            self.m.locals, self.m.elements, self.elements, self.args, self.clauses = before

    # ------------------------------------------------------------ conditions

    def false(self, e: x.Expr) -> _Why:
        """Why a condition does not hold: the first part of it that fails."""
        if isinstance(e, x.Both):
            return self.false(e.right if self.eval(e.left) else e.left).within(e)
        if isinstance(e, x.Choice):
            return self.false(e.then if self.eval(e.test) else e.other).within(e)
        if isinstance(e, x.Either):
            left, right = self.false(e.left), self.false(e.right)
            clauses, parts = left.clauses or right.clauses, left.parts + right.parts
            return _Why(_both(left, right), left.span, clauses, parts).within(e)
        if isinstance(e, x.Invoke) and self._has_parts(e):
            return self._inside(e, self.false).within(e)
        fails = Message("why-fails", test=self.text(e.span))
        return _Why(_since(fails, *self._sides(e)), e.span, self.clauses, self._cited(e))

    def _cited(self, e: x.Expr) -> tuple[str, ...]:
        return cited(e, self._quietly)

    def _has_parts(self, e: x.Invoke) -> bool:
        value = self.m.setting.game.defines[e.define].value
        return isinstance(value, x.Both | x.Either | x.Compare | x.Same | x.Among | x.Not | x.Some | x.Choice)

    def _sides(self, e: x.Expr) -> list[Message | None]:
        inner = e.of if isinstance(e, x.Not) else e
        if isinstance(inner, x.Compare | x.Same | x.Among):
            return [self._worth(side) for side in (inner.left, inner.right)]
        return [self._worth(inner.of)] if isinstance(inner, x.Some) else []

    def _worth(self, e: x.Expr) -> Message | None:
        """`X is 3`, or nothing for what says so itself."""
        text, value = self.text(e.span), self._quietly(e)
        shown = valued(self.m.setting, self.kind(e), value)
        plain = not text or not shown or text == shown or isinstance(e, x.Const)
        return None if plain else Message("why-is", what=text, value=shown)

    # ------------------------------------------------------------ words

    def eval(self, e: x.Expr) -> Any:
        return evaluate(self.m, e)

    def kind(self, e: x.Expr) -> Type:
        return self.types.of(e, self.code, self.elements, self.args)

    def text(self, span: Span) -> str:
        return written(self.m.setting.game, span)


def _since(what: Message, *values: Message | None) -> Message:
    """With the values that mattered, if there are any."""
    found = [value for value in values if value is not None]
    return Message("why-since", what=what, values=all_of(found)) if found else what


def _both(left: _Why, right: _Why) -> Message:
    return Message("why-both", one=left.text, other=right.text)


_ABSENT: dict[type, Callable[[_Looking, Any, Any], _Why]] = {
    x.Local: _Looking._named,
    x.Filter: _Looking._filter,
    x.Without: _Looking._without,
    x.Extreme: _Looking._extreme,
    x.Ordered: _Looking._ordered,
    x.Union: _Looking._union,
    x.Choice: _Looking._chosen,
    x.Invoke: _Looking._invoked,
}


def _bases(e: x.Expr, m: Machine) -> Iterator[x.Expr]:
    """The widest sets that an expression takes its members from."""
    if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
        yield from _bases(e.of, m)
    elif isinstance(e, x.Union):
        yield from _bases(e.left, m)
        yield from _bases(e.right, m)
    elif isinstance(e, x.Choice):
        yield from _bases(e.then, m)
        yield from _bases(e.other, m)
    elif isinstance(e, x.Invoke) and not e.args:
        yield from _bases(m.setting.game.defines[e.define].value, m)
    else:
        yield e


def _only_if(m: Machine) -> ops.OnlyIf | None:
    """The first `only if` still ahead in the running actions."""
    return next((op for depth in range(len(m.frames)) for op in frame_conditions(m, depth)), None)


def _test(end: Machine) -> ops.OnlyIf:
    assert isinstance(end.op, ops.OnlyIf), end.op
    return end.op
