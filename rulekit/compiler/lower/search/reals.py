"""Reals in plans: constants, arithmetic, and the natural logarithm from a table, so that every engine has its bits."""

from __future__ import annotations

from math import log
from struct import pack, unpack

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import binary

TABLED = 4096
"""So many logarithms stand in a table."""


def bits(real: float) -> int:
    """A real as an integer with its bits."""
    return int(unpack("<q", pack("<d", real))[0])


def real(value: float) -> p.Expr:
    return p.Const(bits(value))


def converted(value: p.Expr) -> p.Expr:
    """An integer as a real."""
    return p.Real("float", value)


def logarithm(program: Program) -> p.Function:
    """The natural logarithm of a number from 1 on; that of a large one is that of its first bits and their place."""
    logs = pack(f"<{TABLED}d", *(log(max(number, 1)) for number in range(TABLED)))
    m = Builder(program, "search_logarithm")
    number, more = p.Get("number"), m.temp()
    m.emit(p.Set(more, real(0.0)))
    halve = (
        p.If(binary("<", number, p.Const(TABLED)), (p.Break("halving"),)),
        p.Set("number", binary("//", number, p.Const(2))),
        p.Set(more, p.Real("+", p.Get(more), real(log(2)))),
    )
    m.emit(p.Loop("halving", halve))
    found = program.entry(unpack(f"<{TABLED}q", logs), number)
    m.emit(p.Return(p.Real("+", found, p.Get(more))))
    return m.function("number", "int")


NO_REAL, HALF, ONE_REAL = real(0.0), real(0.5), real(1.0)
