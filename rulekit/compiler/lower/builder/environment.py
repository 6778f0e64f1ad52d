"""The environment: what the names of the rules stand for while a function is built."""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.builder.ir_builder import Builder
from rulekit.compiler.plan import ir as p


def environment_of(m: Builder) -> tuple[Any, ...]:
    """All that is known of the names in force: values, shapes, bounds, which may be nothing, and so on."""
    return m.locals, m.shapes, m.reaches, m.sure, m.elements, m.cells, m.cell_elements, m.mosts, m.distinct


def use_environment(m: Builder, names: tuple[Any, ...]) -> None:
    """From now on names mean what they meant when `environment_of` gave this."""
    m.locals, m.shapes, m.reaches, m.sure, m.elements, m.cells, m.cell_elements, m.mosts, m.distinct = names


def bind(m: Builder, local: int, value: p.Expr, shaped: int) -> None:
    """A local of the rules gets its value.  shaped: 0 for an integer, else for a sequence."""
    name = f"v{local}"
    kind = "list" if shaped else "int"
    known = m.types.setdefault(name, kind)
    assert known == kind, name
    m.emit(p.Copy(name, value) if shaped else p.Set(name, value))
    m.locals[local], m.shapes[local] = p.Get(name), shaped


def bind_list(m: Builder, local: int, value: p.Expr, is_new: bool, shaped: int) -> None:
    """A local of the rules gets a set: the sequence just made for it, a name for a row, or else a copy."""
    if is_new and isinstance(value, p.Get) and value.local not in m.aliases:
        m.locals[local], m.shapes[local] = value, shaped
        m.lasting.add(value.local)
        return
    if isinstance(value, p.Row) and (isinstance(value.at, p.Const) or value.table in m.program.universes):
        m.locals[local], m.shapes[local] = p.Row(value.table, _kept(m, value.at)), shaped
        return
    name = f"v{local}"
    known = m.types.setdefault(name, "list")
    assert known == "list", name
    m.emit(p.Set(name, value) if isinstance(value, p.Row) else p.Copy(name, value))
    m.locals[local], m.shapes[local] = p.Get(name), shaped
    m.lasting.add(name)


def _kept(m: Builder, value: p.Expr) -> p.Expr:
    """A number in a local of its own, unless it is constant."""
    if isinstance(value, p.Const):
        return value
    name = m.temp()
    m.emit(p.Set(name, value))
    return p.Get(name)
