"""Reals in plans: constants, arithmetic, and from a table how much is explored, so that every engine has its bits."""

from __future__ import annotations

from math import log, sqrt
from struct import pack, unpack

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.search.parameters import EXPLORATION
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import binary

TABLED = 4096
"""So many widths of exploration stand in a table."""


def bits(real: float) -> int:
    """A real as an integer with its bits."""
    return int(unpack("<q", pack("<d", real))[0])


def real(value: float) -> p.Expr:
    return p.Const(bits(value))


def converted(value: p.Expr) -> p.Expr:
    """An integer as a real."""
    return p.Real("float", value)


def exploration(program: Program) -> p.Function:
    """What UCB1 adds for so many visits, 1 or more, before division: its constant times the root of their logarithm.

    That of many visits is made of that of their first bits and of the place of these.
    """
    widths = [EXPLORATION * sqrt(log(max(visits, 1))) for visits in range(TABLED)]
    m, visits = Builder(program, "search_exploration"), p.Get("visits")
    found, more = program.entry(tuple(map(bits, widths)), visits), m.temp()
    halve = (
        p.Set("visits", binary("//", visits, p.Const(2))),
        p.Set(more, p.Real("+", p.Get(more), real(EXPLORATION**2 * log(2)))),
        p.If(binary("<", visits, p.Const(TABLED)), (p.Break("halving"),)),
    )
    m.emit(p.If(binary("<", visits, p.Const(TABLED)), (p.Return(found),)))
    m.emit(p.Set(more, NO_REAL), p.Loop("halving", halve))
    m.emit(p.Return(p.Real("sqrt", p.Real("+", p.Real("*", found, found), p.Get(more)))))
    return m.function("visits", "int")


NO_REAL, HALF, ONE_REAL = real(0.0), real(0.5), real(1.0)
