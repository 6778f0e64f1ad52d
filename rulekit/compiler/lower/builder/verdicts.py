"""Verdicts: a plan that notes in its cells what came of its tries, for an interpreter that asks instead of trying.

Noted is what is tried in earnest, in order: not what is tried inside of a try, and not what seats decide at once, apart
from each other.  Whoever goes on with a match empties the cells before.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.builder.ir_builder import Builder, Known
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, binary

FULL, COUNT, FIRST = range(3)
"""Cells: whether there was no room for all, the next free cell, the first one."""
EMPTIED = (0, FIRST)
"""What those before the first one hold when nothing is noted yet."""
CELLS = 1 << 14
"""All of them."""


def note_feasible(m: Builder, options: p.Expr, kept: p.Expr) -> None:
    """Of a question: its code, how many options there are, and those that lead on."""
    if _notes(m):
        head = (p.Const(question_mark(m.code)), m.program.size(options), p.Size(kept))
        _note(m, head, p.Size(kept), lambda: m.each_in(kept, lambda value: _append(m, value)))


def note_possible(
    m: Builder, code: int, sorts: tuple[Known, ...], args: tuple[p.Expr, ...], result: p.Expr, steps: p.Expr
) -> None:
    """Of a code that could be carried out or not: what it was handed, but for sets and cells, whether it could be.

    steps: that the trial took, which are noted last.
    """
    if _notes(m):
        plain = [arg if sort.is_thing else ZERO for arg, sort in zip(args, sorts, strict=True)]
        _note(m, (p.Const(attempt_mark(code)), p.Const(len(plain)), *plain, result, steps), ZERO, lambda: None)


def question_mark(code: int) -> int:
    """What stands before what was found out of a question of this code."""
    return 2 * code


def attempt_mark(code: int) -> int:
    return 2 * code + 1


def _notes(m: Builder) -> bool:
    return m.program.verdicts and not m.apart


def _note(m: Builder, head: tuple[p.Expr, ...], more: p.Expr, rest: Callable[[], object]) -> None:
    end = binary("+", binary("+", p.Cell(p.Const(COUNT)), p.Const(len(head))), more)

    def noted() -> None:
        for value in head:
            _append(m, value)
        rest()

    def full() -> None:
        m.emit(p.SetCell(p.Const(FULL), ONE))

    m.when(p.Not(p.Trying()), lambda: m.when(binary("<=", end, p.Const(CELLS)), noted, full))


def _append(m: Builder, value: p.Expr) -> None:
    at = p.Cell(p.Const(COUNT))
    m.emit(p.SetCell(at, value), p.SetCell(p.Const(COUNT), binary("+", at, ONE)))
