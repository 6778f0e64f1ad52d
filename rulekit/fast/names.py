"""What the names in the rules stand for while a function is made."""

from __future__ import annotations

from typing import Any

from rulekit.fast import plan as p
from rulekit.fast.maker import Maker


def names_of(m: Maker) -> tuple[Any, ...]:
    return m.locals, m.shapes, m.reaches, m.sure, m.elements, m.cells, m.cell_elements, m.mosts


def use_names(m: Maker, names: tuple[Any, ...]) -> None:
    """What the parameters and elements of an expression stand for from now on."""
    m.locals, m.shapes, m.reaches, m.sure, m.elements, m.cells, m.cell_elements, m.mosts = names


def bind(m: Maker, local: int, value: p.Expr, shaped: int) -> None:
    """A local of the rules gets its value."""
    name = f"v{local}"
    kind = "list" if shaped else "int"
    known = m.types.setdefault(name, kind)
    assert known == kind, name
    m.emit(p.Copy(name, value) if shaped else p.Set(name, value))
    m.locals[local], m.shapes[local] = p.Get(name), shaped


def bind_list(m: Maker, local: int, value: p.Expr, is_new: bool, shaped: int) -> None:
    """A local of the rules gets a set: the sequence just made for it, a name for a row, or else a copy."""
    if is_new and isinstance(value, p.Get) and value.local not in m.aliases:
        m.locals[local], m.shapes[local] = value, shaped
        m.lasting.add(value.local)
        return
    name = f"v{local}"
    known = m.types.setdefault(name, "list")
    assert known == "list", name
    m.emit(p.Set(name, value) if isinstance(value, p.Row) else p.Copy(name, value))
    m.locals[local], m.shapes[local] = p.Get(name), shaped
    m.lasting.add(name)
