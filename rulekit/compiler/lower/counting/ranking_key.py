"""The ranking key: the first number by which the result ranks players, as a function that runs before the end."""

from __future__ import annotations

from rulekit.compiler.lower.analysis.abstract_interpretation import with_element
from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.storage.layout import Storage, Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import binary
from rulekit.compiler.plan.traversal import statements, with_bodies
from rulekit.model import ops

CALM = (
    *(p.Set, p.If, p.Loop, p.Block, p.Each, p.Count, p.Break, p.Again, p.Return),
    *(p.New, p.Copy, p.Push, p.Drop, p.Sort),
)
"""Statements that neither end anything nor change what others see."""


def ranking_key(storage: Storage) -> ops.Rank | None:
    """By whose first number the result ranks; None where by none, or where to read it early could fail."""
    game = storage.setting.game
    found = [
        op
        for code in game.codes
        for op in code.ops
        if isinstance(op, ops.Rank) and op.keys and code is not game.codes[game.main]
    ]
    if not found:
        return None
    try:
        function = _key_function(Program(storage), found[-1])
    except Unsupported:
        return None
    return found[-1] if all(isinstance(s, CALM) for s in statements(function.body)) else None


def standing(program: Program) -> str:
    """The function of the key by which a plan that counts ranks."""
    return program.function("standing", lambda: _key_function(program, program.counters.ranking_key))


def _key_function(program: Program, of: ops.Rank) -> p.Function:
    """A function of a seat that gives the number, more always better; NONE where there is none yet."""
    m, (key, lowest) = Builder(program, "standing"), of.keys[0]
    m.types["seat_of"] = "int"
    with_element(m, of.slot, p.Get("seat_of"), of.players)
    value = m.value(key)
    m.emit(p.Return(binary("-", p.Const(0), value) if lowest else value))
    del m.types["seat_of"]
    m.body = [*_forgiving(tuple(m.body))]
    return m.function("seat_of", "int")


def _forgiving(body: p.Body) -> p.Body:
    """What would be a fault at the end only means that nothing is known yet."""
    return tuple(p.Return(p.Const(p.NONE)) if isinstance(s, p.Unwind) else with_bodies(s, _forgiving) for s in body)
