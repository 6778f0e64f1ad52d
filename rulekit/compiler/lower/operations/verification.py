"""Lower invariants to tests at every wait of a match: instrumentation behind a gate, a cell that is 1 while they count.

The gate opens behind the setup, in matches that are not spared (`ir.Plan.spares`); nothing counts while something is
only tried.  What seats decide at once is looked at where they begin.
"""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, binary, negation
from rulekit.model import ops
from rulekit.play.invariants import setup_codes

SPARED, GATE, CELLS = 0, 1, 2
"""The cells of a plan that verifies, and how many they are."""


def verifies(program: Program) -> bool:
    """Whether matches of this plan can be tested."""
    return program.checked and bool(program.setting.game.invariants)


def check(m: Builder) -> None:
    """A fault unless every invariant of the game holds here, where the gate is open."""
    if verifies(m.program) and not m.apart:
        name = m.program.function("invariants", lambda: _invariants(m))
        open_ = binary("&", p.Cell(p.Const(GATE)), p.Not(p.Trying()))
        m.emit(p.If(open_, (p.Do(None, name, ()),)))


def _invariants(outer: Builder) -> p.Function:
    m = Builder(outer.program, "invariants")
    for number, invariant in enumerate(m.setting.game.invariants):
        m.fault(negation(m.value(invariant.test)), f"invariant {number}")
    return m.function()


def set_gate(m: Builder, code: ops.Code, place: int) -> None:
    """In the main code: closed while the match is set up, then open unless it is spared."""
    setups = len(setup_codes(m.setting.game))
    if not verifies(m.program) or m.code != m.setting.game.main or place not in (0, setups):
        return
    spared = p.Cell(p.Const(SPARED))
    m.emit(p.SetCell(p.Const(GATE), p.Pick(spared, ZERO, ONE) if place == setups else ZERO))
