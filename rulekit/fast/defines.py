"""What a define stands for is written out wherever it is used."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.fast import plan as p
from rulekit.fast.known import cells_among, known_of, named_values, shape
from rulekit.fast.layout import Unsupported
from rulekit.fast.maker import LISTS, LOOPS, VALUES, Maker, Reach, Write
from rulekit.fast.names import names_of, use_names
from rulekit.model import expr as x

DEEPEST = 40
"""Defines inside one another, written out where they are used."""


def inlined(m: Maker, e: x.Invoke, write: Callable[[x.Expr], Any]) -> None:
    """Write what a define stands for, with its parameters bound to the arguments."""
    define = m.setting.game.defines[e.define]
    if m.depth > DEEPEST:
        raise Unsupported("defines nested so deep")
    bound = [_bound(m, arg) for arg in e.args]
    outer = names_of(m)
    use_names(m, (*named_values(bound), cells_among(m, e.args), set(), {}))
    m.depth += 1
    write(define.value)
    m.depth -= 1
    use_names(m, outer)


def _bound(m: Maker, arg: x.Expr) -> tuple[p.Expr, int, Reach, bool]:
    shaped = shape(m, arg)
    value = m.list(arg) if shaped else m.atom(m.value(arg))
    return value, shaped, *known_of(m, arg)


def _invoke_value(m: Maker, e: x.Invoke) -> p.Expr:
    made: list[p.Expr] = []
    inlined(m, e, lambda value: made.append(m.value(value)))
    return made[0]


def _invoke_list(m: Maker, e: x.Invoke) -> p.Expr:
    made: list[p.Expr] = []
    inlined(m, e, lambda value: made.append(m.list(value)))
    return made[0]


def _invoke(m: Maker, e: x.Invoke, write: Write) -> None:
    outer = names_of(m)

    def one(item: p.Expr) -> None:
        inner = names_of(m)
        use_names(m, outer)
        write(item)
        use_names(m, inner)

    inlined(m, e, lambda value: m.over(value, one))


VALUES.update({x.Invoke: _invoke_value})
LISTS.update({x.Invoke: _invoke_list})
LOOPS.update({x.Invoke: _invoke})
