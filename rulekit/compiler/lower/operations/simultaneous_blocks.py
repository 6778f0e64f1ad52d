"""Lower `secretly each`, where seats act simultaneously: a loop that runs the block for one seat after the other.

Sequentialization of parallel blocks, which must not see each other's changes.
`dependence` finds what they could see, `snapshots` hide it.
"""

from __future__ import annotations

from rulekit.compiler.lower.analysis.dependence import may_race
from rulekit.compiler.lower.builder.ir_builder import TERMINATORS, Builder, Known
from rulekit.compiler.lower.builder.loop_recognition import Cursor
from rulekit.compiler.lower.builder.structuring import Terminator
from rulekit.compiler.lower.expressions.sets import cursor_of
from rulekit.compiler.lower.operations import snapshots, verification
from rulekit.compiler.lower.operations.dynamic_scope import reset_bindings
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ZERO, binary
from rulekit.model import ops

NEXT, FIRST, LAST = 1_000_000, 2_000_000, 3_000_000
"""The numbers of the additional basic blocks of a `secretly each` at place n: loop head, entry and exit, plus n."""


def _secret_start(m: Builder, code: ops.Code, place: int, op: ops.SecretStart) -> Terminator:
    """Before the loop: empty buffers, and where the loop over the seats begins."""
    if may_race(m, code.ops[place + 1 : op.end], op.local):
        m.aside.add(place)
    snapshots.begin(m, place)
    m.cursors[-1 - place] = cursor_of(m, op.over)
    _verify(m, *m.cursors[-1 - place])
    m.emit(p.Set(f"turn{place}", m.cursors[-1 - place][0]))
    m.types[_steps_local(place)] = "int"
    m.emit(p.Set(_steps_local(place), p.StepsLeft()))
    m.types[f"turn{place}"] = m.types[f"v{op.local}"] = "int"
    for local, word in (*_own_steps(m), *_saved_bindings(m, place)):
        m.types[local] = "int"
        m.emit(p.Set(local, p.Word(p.Const(word))))
    return Terminator((), (place + NEXT,))


def _verify(m: Builder, first: p.Expr, seats: p.Expr | None, last: p.Expr) -> None:
    """What seats decide at once begins where all wait, if there are any."""
    some = binary("<=", first, last) if seats is None else binary("<", ZERO, p.Size(seats))
    body = m.collect(lambda: verification.check(m))
    if body:
        m.emit(p.If(some, body))


def _own_steps(m: Builder) -> list[tuple[str, int]]:
    """The words that say which steps of this code are skipped, and the locals that restore them for each seat."""
    return [(f"step{word}", word) for (code, _), word in sorted(m.program.steps.items()) if code == m.code]


def _saved_bindings(m: Builder, place: int) -> list[tuple[str, int]]:
    """The bindings of step names around the block, and the locals that hold them meanwhile."""
    return [(f"around{place}_{word}", word) for word in m.program.innermost.values()]


def _steps_local(place: int) -> str:
    """The local that holds how many steps are left where the block at this place begins."""
    return f"steps{place}"


def exit_block(m: Builder, place: int) -> None:
    """Behind the loop: all buffered changes take effect."""
    m.emit(p.Apart(p.Get(_steps_local(place)), ends=True))
    snapshots.commit(m, place)
    m.emit(*(p.Store(p.Const(word), p.Get(local)) for local, word in _saved_bindings(m, place)))


def head_block(m: Builder, code: ops.Code, place: int) -> Terminator:
    """The head of the loop: the next seat, or the exit."""
    op, there = code.ops[place], m.temp()
    assert isinstance(op, ops.SecretStart)
    m.emit(*(p.Store(p.Const(word), p.Get(step)) for step, word in _own_steps(m)))
    m.emit(Cursor(there, f"v{op.local}", f"turn{place}", *m.cursors[-1 - place]))
    m.locals[op.local] = Known(p.Get(f"v{op.local}"), reach=(0, m.setting.players - 1), maybe=False)
    return Terminator((p.Get(there),), (FIRST + place, LAST + place))


def entry_block(m: Builder, code: ops.Code, place: int) -> Terminator:
    """Before the block of one seat: who runs, and that it was not asked yet."""
    if m.storage.order_matters:
        m.types[f"asked{place}"] = "int"
        m.emit(p.Set(f"asked{place}", ZERO))
    op = code.ops[place]
    assert isinstance(op, ops.SecretStart)
    m.emit(p.Apart(p.Get(_steps_local(place)), ends=False))
    reset_bindings(m, m.code)
    if m.storage.apart_for is not None:
        m.emit(p.Store(p.Const(m.storage.apart_for), p.Get(f"v{op.local}")))
    return Terminator((), (place + 1,))


def _secret_end(m: Builder, code: ops.Code, place: int, op: ops.SecretEnd) -> Terminator:
    start = enclosing_block(code, place)
    assert start is not None
    begin = code.ops[start]
    assert isinstance(begin, ops.SecretStart)
    if m.storage.order_matters:
        last = p.Store(p.Const(m.storage.last_answer), p.Get(f"v{begin.local}"))
        m.emit(p.If(p.Get(asked_local(code, place)), (last,)))
    if m.storage.apart_for is not None:
        m.emit(p.Store(p.Const(m.storage.apart_for), NOTHING))
    snapshots.buffer(m, start, p.Get(f"v{begin.local}"))
    return Terminator((), (start + NEXT,))


# ---------------------------------------------------------------- inside of one


def enclosing_block(code: ops.Code, place: int) -> int | None:
    """The place of the `secretly each` inside which an operation stands, or None."""
    for start, op in enumerate(code.ops):
        if isinstance(op, ops.SecretStart) and start < place < op.end:
            return start
    return None


def tracks_answers(m: Builder, code: ops.Code, place: int) -> bool:
    """Whether it must be noted that the seat was asked here, because some rule reads who answered last."""
    return m.storage.order_matters and enclosing_block(code, place) is not None


def asked_local(code: ops.Code, place: int) -> str:
    """The local that says whether the seat was asked in its block."""
    return f"asked{enclosing_block(code, place)}"


TERMINATORS.update({ops.SecretStart: _secret_start, ops.SecretEnd: _secret_end})
