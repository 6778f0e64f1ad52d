"""The environment: what the names of the rules stand for while a function is built."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulekit.compiler.lower.builder.ir_builder import Builder, Known
from rulekit.compiler.plan import ir as p


@contextmanager
def named(m: Builder, names: dict[int, Known], elements: dict[int, Known]) -> Iterator[None]:
    """Meanwhile names and the elements of queries mean this, and nothing else."""
    outer = m.locals, m.elements
    m.locals, m.elements = names, elements
    try:
        yield
    finally:
        m.locals, m.elements = outer


@contextmanager
def inside_define(m: Builder, parameters: tuple[Known, ...]) -> Iterator[None]:
    """Meanwhile names mean what they mean in a define with these parameters."""
    m.depth += 1
    try:
        with named(m, dict(enumerate(parameters)), {}):
            yield
    finally:
        m.depth -= 1


def bound(m: Builder, local: int, value: p.Expr, kind: str = "int") -> p.Expr:
    """A value in the variable of a local of the rules; kind: "int", or "list" for a sequence."""
    name = f"v{local}"
    assert m.types.setdefault(name, kind) == kind, name
    m.emit(p.Set(name, value) if kind == "int" or isinstance(value, p.Row) else p.Copy(name, value))
    return p.Get(name)


def bound_list(m: Builder, local: int, value: p.Expr, is_new: bool) -> p.Expr:
    """A set for a local of the rules: the sequence just made for it, a name for a row, or else a copy."""
    if is_new and isinstance(value, p.Get) and value.local not in m.aliases:
        m.lasting.add(value.local)
        return value
    if isinstance(value, p.Row) and (isinstance(value.at, p.Const) or value.table in m.program.universes):
        return p.Row(value.table, _kept(m, value.at))
    m.lasting.add(f"v{local}")
    return bound(m, local, value, "list")


def _kept(m: Builder, value: p.Expr) -> p.Expr:
    """A number in a local of its own, unless it is constant."""
    if isinstance(value, p.Const):
        return value
    name = m.temp()
    m.emit(p.Set(name, value))
    return p.Get(name)
