"""Which operations do what a line says, and which only lead to them."""

from __future__ import annotations

from rulekit.model import ops


def doing(code: ops.Code) -> set[int]:
    """The operations that do what a line says: not the tests, loops and jumps that lead to them."""
    around = {
        op.span for op in code.ops if isinstance(op, ops.Unless | ops.EachStart | ops.EnterStep | ops.SecretStart)
    }
    found: set[int] = set()
    for pc, op in enumerate(code.ops):
        if isinstance(op, ops.Unless | ops.EachStart | ops.EachNext | ops.EnterStep | ops.SecretEnd):
            continue
        if (isinstance(op, ops.Jump) and op.span in around) or (isinstance(op, ops.Return) and op.span == code.span):
            continue
        found.add(pc)
    return found
