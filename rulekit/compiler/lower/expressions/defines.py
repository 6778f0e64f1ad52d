"""Lower the use of a define: inline expansion, or a call.

A define is expanded where it is used, with its parameters bound to the
arguments.  Where expansion goes too deep or happened too often, the define
becomes a plan function of its own (outlining), one for each sort of arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import DEEPEST, known_of, shape
from rulekit.compiler.lower.builder.environment import inside_define, named
from rulekit.compiler.lower.builder.ir_builder import LISTS, LOOPS, VALUES, Builder, Write
from rulekit.compiler.lower.expressions.specialization import Sorts, arguments, named_for, parameters
from rulekit.compiler.plan import ir as p
from rulekit.model import expr as x

INLINE_LIMIT = 300
"""How many uses of defines a plan expands inline; every later use calls a function."""


def is_outlined(m: Builder) -> bool:
    """Whether a define becomes a function here: too many uses were expanded, or they nest too deeply."""
    return m.depth >= DEEPEST or m.program.written_out >= INLINE_LIMIT


def expand_inline(m: Builder, e: x.Invoke, write: Callable[[x.Expr], Any]) -> None:
    """Write the body of a define in place, with its parameters bound to the arguments.

    write:  is given the body; the names around the use are hidden meanwhile.
    """
    bound = [known_of(m, arg, m.list(arg) if shape(m, arg) else m.atom(m.value(arg))) for arg in e.args]
    m.program.written_out += 1
    with inside_define(m, tuple(bound)):
        write(m.setting.game.defines[e.define].value)


# ---------------------------------------------------------------- expanded: as a value, a set, a loop


def _result(m: Builder, e: x.Invoke, get: Callable[[x.Expr], p.Expr]) -> p.Expr:
    if is_outlined(m):
        return _called(m, e)
    made: list[p.Expr] = []
    expand_inline(m, e, lambda value: made.append(get(value)))
    return made[0]


def _invoke(m: Builder, e: x.Invoke, write: Write) -> None:
    if is_outlined(m):
        m.each_in(_called(m, e), write)
        return
    outer = m.locals, m.elements

    def one(item: p.Expr) -> None:
        with named(m, *outer):
            write(item)

    expand_inline(m, e, lambda value: m.over(value, one))


# ---------------------------------------------------------------- outlined: as a function


def _called(m: Builder, e: x.Invoke) -> p.Expr:
    """The result of a define by a call of its function, which is made once for each sort of arguments."""
    sorts, args = arguments(m, e.args, changes=False)
    name, gives = named_for(f"define_{e.define}", sorts), "list" if shape(m, e) else "int"
    name += "" if m.counts else "_uncounted"
    function = m.program.function(name, lambda: _function(m, name, e.define, sorts, gives))
    return m.called(function, *args, gives=gives)


def _function(outer: Builder, name: str, number: int, sorts: Sorts, gives: str) -> p.Function:
    define, m = outer.setting.game.defines[number], Builder(outer.program, name, counts=outer.counts)
    params = parameters(m, sorts)
    m.emit(p.Return(m.list(define.value) if gives == "list" else m.value(define.value)))
    return m.function("", gives, params, define.name)


VALUES[x.Invoke] = lambda m, e: _result(m, e, m.value)
LISTS[x.Invoke] = lambda m, e: _result(m, e, m.list)
LOOPS.update({x.Invoke: _invoke})
