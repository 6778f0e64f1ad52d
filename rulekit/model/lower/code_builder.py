"""Lowering of bodies to flat operations: structure becomes jumps, names become slots.

One `Lowering` builds one code; where a jump goes is filled in once that is
known (backpatching).  What each statement becomes stands in `flow_statements`,
`choice_statements` and `change_statements`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.model.resolve import type_inference
from rulekit.model.resolve.symbol_table import Scope, World
from rulekit.model.types import FLAG, NUMBER, Parameter, Type
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites
from rulekit.values import define, evolve, field, frozen


@define
class Label:
    """A place in the code that is not known yet."""

    at: int = -1


@frozen
class Loop:
    """A loop around what is being lowered.  lines: how many lines stand around what is in it."""

    name: str
    again: int
    leave: Label
    secret_depth: int
    lines: int = 0


@frozen
class CallSite:
    """A call, for the checks over all codes: who calls, what, and what the author says it may stop.

    kind, thing:  of a thing that does what is printed on it.
    """

    caller: int
    code: int | None
    kind: str | None
    may_stop: str | None
    span: Span
    thing: x.Expr | None = None


@define(eq=False)
class Tally:
    """What lowering finds out about all codes together."""

    calls: list[CallSite] = field(factory=list)
    stops: dict[int, set[int]] = field(factory=dict)
    skips: list[tuple[int, str, Span]] = field(factory=list)
    steps: dict[int, set[str]] = field(factory=dict)
    changes: list[nodes.Change] = field(factory=list)
    changed: set[str] = field(factory=set)
    conflicts: list[tuple[nodes.Change, nodes.Change]] = field(factory=list)


@define(eq=False)
class Lowering:
    """The code under construction.

    cites, beside:  the clauses of each line around, and whether it stands beside the one before: on the same line.
    """

    world: World
    tally: Tally
    index: int
    name: str
    scope: Scope
    made: list[ops.Op] = field(factory=list)
    scopes: list[tuple[int, ...]] = field(factory=list)
    labels: list[tuple[int, str, Label]] = field(factory=list)
    cites: list[tuple[str, ...]] = field(factory=list)
    beside: list[bool] = field(factory=list)
    loops: list[Loop] = field(factory=list)
    steps: set[str] = field(factory=set)
    originals: list[tuple[str, nodes.Body]] = field(factory=list)
    secret: int = 0
    span: Span | None = None

    # ------------------------------------------------------------ building

    def emit(self, op: ops.Op, **labels: Label) -> int:
        """Add an operation.  Its scope leaves out the local that it is about to bind."""
        at = len(self.made)
        binds = effects.binds(op)
        cites = tuple(dict.fromkeys(cite for level in reversed(self.cites) for cite in level))
        self.made.append(evolve(op, cites=cites, own=self._own(), span=self.span or op.span))
        self.scopes.append(tuple(index for index in self.scope.in_force() if index != binds))
        self.labels += [(at, name, label) for name, label in labels.items()]
        return at

    def _own(self) -> tuple[str, ...]:
        """The clauses of the line that is being lowered."""
        found: list[str] = []
        for level, beside in zip(reversed(self.cites), reversed(self.beside), strict=True):
            found += level
            if not beside:
                break
        return tuple(dict.fromkeys(found))

    def passes(self, word: str, lines: int) -> str:
        """`word`, if the line or one around it, within the innermost but so many, has a clause."""
        return word if any(self.cites[lines:]) else ""

    @contextmanager
    def line(self, cites: tuple[str, ...], *, beside: bool = False) -> Iterator[None]:
        """While a line with these clauses is lowered, and what hangs on it."""
        self.cites.append(cites)
        self.beside.append(beside)
        yield
        self.cites.pop()
        self.beside.pop()

    def here(self, label: Label) -> None:
        label.at = len(self.made)

    def finish(self, handed: tuple[Parameter, ...], span: Span, cites: tuple[str, ...]) -> ops.Code:
        self.emit(ops.Return())
        for at, name, label in self.labels:
            assert label.at >= 0, (self.name, at, name)
            self.made[at] = _with_label(self.made[at], name, label.at)
        only_if = any(isinstance(op, ops.OnlyIf) for op in self.made)
        self.tally.steps[self.index] = self.steps
        return ops.Code(
            self.name, handed, self.scope.count, tuple(self.made), tuple(self.scopes), frozenset(self.steps),
            only_if, span, cites,
        )  # fmt: skip

    def body(self, body: nodes.Body) -> None:
        self.scope.blocks.append({})
        for statement in body.statements:
            self.statement(statement, beside=body.inline)
        self.scope.blocks.pop()

    def statement(self, node: nodes.Statement, *, beside: bool = False) -> None:
        before = self.span
        self.span = node.span
        with self.line(cites(node), beside=beside):
            LOWER[type(node)](self, node)
        self.span = before

    def error(self, code: str, title: str, span: Span, hint: str = "") -> None:
        self.world.error(code, title, span, hint)

    def not_secretly(self, span: Span, what: str) -> None:
        if self.secret:
            self.error("secret", f"{what} cannot stand inside `secretly each`", span)

    def bind(self, name: str, kind: Type, span: Span) -> int:
        if self.scope.local(name) is not None:
            self.error("shadowed-name", f"`{name}` is already something else here", span, "give it another name")
        return self.scope.bind(name, kind)

    def flag(self, node: nodes.Expr) -> x.Expr:
        return type_inference.expect(self.scope, node, FLAG)

    def number(self, node: nodes.Expr) -> x.Expr:
        return type_inference.expect(self.scope, node, NUMBER)


def _with_label(op: ops.Op, name: str, at: int) -> ops.Op:
    """The operation with a jump set that now is known: that of a field, or of one of several ways."""
    return effects.retargeted(op, lambda field, number, old: at if name in (field, f"way{number}") else old)


LOWER: dict[type, Callable[[Lowering, Any], None]] = {}
"""What each statement becomes; filled by the modules that say it."""
