"""Lower chance nodes: draws and deals, by sampling without replacement from the random stream of each source."""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.analysis.cardinality import distinct
from rulekit.compiler.lower.builder.environment import bound
from rulekit.compiler.lower.builder.ir_builder import GRID, OPS, Builder, Known
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.expressions.sequences import target_list
from rulekit.compiler.lower.moves.piles import put
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, binary, same
from rulekit.model import ops
from rulekit.values import evolve


def _draw(m: Builder, op: ops.Draw) -> None:
    stream = m.storage.stream(op.stream)
    if op.amount is None:
        of, place = m.list(op.source), m.temp()
        size = m.program.size(of)
        m.fault(same(size, ZERO), "no-answer")
        m.emit(p.Draw(place, stream, size))
        known = Known(bound(m, op.local, m.program.item(of, p.Get(place))))
    else:
        left = m.held(op.source) if op.replaced else m.own(op.source)
        amount = not_nothing(m, op.amount)
        if op.replaced:
            amount = m.atom(amount)
            m.fault(binary("<", p.Const(limits.SET), amount), "set-too-large")
        drawn = _drawn(m, left, amount, stream, replaced=op.replaced)
        differ = not op.replaced and distinct(m, op.source)
        known = Known(bound(m, op.local, p.Get(drawn), "list"), 1, distinct=differ)
    m.locals[op.local] = evolve(known, maybe=False, cells=GRID["are_cells"](m, op.source))


def _drawn(m: Builder, left: str, amount: p.Expr, stream: int, *, replaced: bool = False) -> str:
    """Sample from a local sequence; gives a new sequence.

    replaced:  with replacement, as many as wanted, or none from nothing; else as many as wanted and available.
    """
    drawn, place = m.new(), m.temp()
    size = p.Size(p.Get(left))
    most = p.Pick(same(size, ZERO), ZERO, amount) if replaced else binary("min", amount, size)
    wanted = m.atom(most)

    def one(_: p.Expr) -> None:
        m.emit(
            p.Draw(place, stream, p.Size(p.Get(left))),
            p.Push(drawn, p.Item(p.Get(left), p.Get(place))),
            *(() if replaced else (p.Drop(left, p.Get(place)),)),
        )

    m.each_number(ONE, wanted, one)
    return drawn


def _deal(m: Builder, op: ops.Deal) -> None:
    left = m.own(op.source)
    amount = not_nothing(m, op.amount)
    drawn = _drawn(m, left, amount, m.storage.stream(op.stream))
    pile = target_list(m, op.to)
    m.each_in(p.Get(drawn), lambda thing: put(m, thing, pile))


OPS.update({ops.Draw: _draw, ops.Deal: _deal})
