"""Lower the use of a define: inline expansion, or a call.

A define is expanded where it is used, with its parameters bound to the
arguments.  Where expansion goes too deep or happened too often, the define
becomes a plan function of its own (outlining), one for each sort of arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import (
    DEEPEST,
    Bound,
    cells_among,
    known_of,
    named_values,
    shape,
)
from rulekit.compiler.lower.builder.environment import environment_of, use_environment
from rulekit.compiler.lower.builder.ir_builder import ANY, GRID, LISTS, LOOPS, VALUES, Builder, Program, Write
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
    define = m.setting.game.defines[e.define]
    bound = [_bound(m, arg) for arg in e.args]
    outer = environment_of(m)
    use_environment(m, (*named_values(bound), cells_among(m, e.args), set(), {}, set()))
    m.depth += 1
    m.program.written_out += 1
    try:
        write(define.value)
    finally:
        m.depth -= 1
        use_environment(m, outer)


def _bound(m: Builder, arg: x.Expr) -> Bound:
    shaped = shape(m, arg)
    value = m.list(arg) if shaped else m.atom(m.value(arg))
    return value, shaped, *known_of(m, arg)


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
    outer = environment_of(m)

    def one(item: p.Expr) -> None:
        inner = environment_of(m)
        use_environment(m, outer)
        write(item)
        use_environment(m, inner)

    expand_inline(m, e, lambda value: m.over(value, one))


# ---------------------------------------------------------------- outlined: as a function


def _called(m: Builder, e: x.Invoke) -> p.Expr:
    """The result of a define by a call of its function, which is made once for each sort of arguments."""
    sorts = tuple((shape(m, arg), known_of(m, arg)[1], GRID["are_cells"](m, arg)) for arg in e.args)
    args = tuple(
        m.list(arg) if shaped else m.atom(m.value(arg)) for arg, (shaped, _, _) in zip(e.args, sorts, strict=True)
    )
    letters = ("".join((str(shaped), "o" if maybe else "n", "c" if cells else "")) for shaped, maybe, cells in sorts)
    name = "_".join(["define", str(e.define), *letters])
    gives = "list" if shape(m, e) else "int"
    function = m.program.function(name, lambda: _function(m.program, name, e.define, sorts, gives))
    return m.called(function, *args, gives=gives)


Sort = tuple[int, bool, bool]
"""The shape of an argument, whether it or what is in it may be nothing, and whether it is a cell or cells."""


def _function(program: Program, name: str, number: int, sorts: tuple[Sort, ...], gives: str) -> p.Function:
    define, m = program.setting.game.defines[number], Builder(program, name)
    params = tuple((f"v{index}", "list" if shaped else "int") for index, (shaped, _, _) in enumerate(sorts))
    bound: list[Bound] = [
        (p.Get(local), shaped, ANY, maybe) for (local, _), (shaped, maybe, _) in zip(params, sorts, strict=True)
    ]
    cells = {index for index, (_, _, are_cells) in enumerate(sorts) if are_cells}
    use_environment(m, (*named_values(bound), cells, set(), {}, set()))
    m.emit(p.Return(m.list(define.value) if gives == "list" else m.value(define.value)))
    return m.function("", gives, params, define.name)


VALUES[x.Invoke] = lambda m, e: _result(m, e, m.value)
LISTS[x.Invoke] = lambda m, e: _result(m, e, m.list)
LOOPS.update({x.Invoke: _invoke})
