"""Which operations do what a line says, and which are control flow that only leads to them."""

from __future__ import annotations

from rulekit.model import ops


def non_control_operations(code: ops.Code) -> set[int]:
    """The operations that do what a line says: not the tests, loops and jumps that lead to them."""
    around = {op.span for op in code.ops if op.effects.opens}
    found: set[int] = set()
    for pc, op in enumerate(code.ops):
        row = op.effects
        # A `next` or `stop` is said by a line of its own.
        if row.opens or (row.joins and (row.continues or op.span in around)):
            continue
        if isinstance(op, ops.Return) and op.span == code.span:
            continue
        found.add(pc)
    return found
