"""Control dependence: which conditions, loops and choices decide whether an operation is reached."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.model import ops


def around(code: Sequence[ops.Op], at: int) -> list[int]:
    """The conditions and loops that decide whether an operation is reached, the furthest first."""
    found: list[int] = []
    for pc, op in enumerate(code[:at]):
        if isinstance(op, ops.Unless):
            if at < op.to or _leaves(code, pc, op, at):
                found.append(pc)
        elif isinstance(op, ops.EachNext) and at < op.exit:
            found.append(pc - 1)
    return found


def _leaves(code: Sequence[ops.Op], pc: int, op: ops.Unless, at: int) -> bool:
    """Whether what stands under a condition goes elsewhere, so that what is behind it runs only if it fails."""
    last = code[op.to - 1]
    if isinstance(last, ops.Jump):
        if last.to < op.to:  # back to the loop around it, which ends where that says
            head = code[last.to]
            return isinstance(head, ops.EachNext) and at < head.exit and last.to < pc
        return at < last.to
    return not (last.effects.continues or last.effects.jumps)


def deciding(code: Sequence[ops.Op], at: int) -> tuple[int, ...]:
    """As `around`, with choices between ways of which it stands in one, and each `only if` before it; nearest first."""
    reaching = _reaching(code, at)
    guards = [pc for pc, op in enumerate(code[:at]) if isinstance(op, ops.OnlyIf) and _reaching(code, pc) <= reaching]
    return tuple(sorted({*reaching, *guards}, reverse=True))


def _reaching(code: Sequence[ops.Op], at: int) -> set[int]:
    choices = [pc for pc, op in enumerate(code[:at]) if isinstance(op, ops.AskWay) and at < _behind(code, op)]
    return {*around(code, at), *choices}


def _behind(code: Sequence[ops.Op], op: ops.AskWay) -> int:
    """Where all ways of a choice come together: each of them ends with a jump there."""
    starts = sorted(to for _, _, to in op.ways)
    if len(starts) > 1:
        last = code[starts[1] - 1]
        assert isinstance(last, ops.Jump), last
        return last.to
    return next(_ends(code, starts[0]))


def _ends(code: Sequence[ops.Op], start: int) -> Iterator[int]:
    """The places to which a jump leads that stands right before them."""
    for pc in range(start, len(code)):
        op = code[pc]
        if isinstance(op, ops.Jump) and op.to == pc + 1:
            yield op.to
    yield len(code)
