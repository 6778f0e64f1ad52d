"""Lower chance nodes: draws and deals, by sampling without replacement from the random stream of each source."""

from __future__ import annotations

from rulekit.compiler.lower.builder.environment import bind
from rulekit.compiler.lower.builder.ir_builder import GRID, ONE, OPS, ZERO, Builder, binary, same
from rulekit.compiler.lower.expressions.sequences import target_list
from rulekit.compiler.lower.moves.piles import put
from rulekit.compiler.plan import ir as p
from rulekit.model import ops


def _draw(m: Builder, op: ops.Draw) -> None:
    left = m.own(op.source)
    stream = m.storage.stream(op.stream)
    if op.amount is None:
        m.fault(same(p.Size(p.Get(left)), ZERO), "no-answer")
        place = m.temp()
        m.emit(p.Draw(place, stream, p.Size(p.Get(left))))
        bind(m, op.local, p.Item(p.Get(left), p.Get(place)), 0)
    else:
        drawn = _drawn(m, left, m.value(op.amount), stream)
        bind(m, op.local, p.Get(drawn), 1)
    m.sure.add(op.local)
    (m.cells.add if GRID["are_cells"](m, op.source) else m.cells.discard)(op.local)


def _drawn(m: Builder, left: str, amount: p.Expr, stream: int) -> str:
    """Sample without replacement from a local sequence, as many as wanted and available; gives a new sequence."""
    drawn, place = m.new(), m.temp()
    wanted = m.atom(binary("min", amount, p.Size(p.Get(left))))

    def one(_: p.Expr) -> None:
        m.emit(
            p.Draw(place, stream, p.Size(p.Get(left))),
            p.Push(drawn, p.Item(p.Get(left), p.Get(place))),
            p.Drop(left, p.Get(place)),
        )

    m.each_number(ONE, wanted, one)
    return drawn


def _deal(m: Builder, op: ops.Deal) -> None:
    left = m.own(op.source)
    amount = m.value(op.amount)
    drawn = _drawn(m, left, amount, m.storage.stream(op.stream))
    pile = target_list(m, op.to)
    m.each_in(p.Get(drawn), lambda thing: put(m, thing, pile))


OPS.update({ops.Draw: _draw, ops.Deal: _deal})
