"""What `secretly each` becomes: its block once for each seat, one seat after the other."""

from __future__ import annotations

from rulekit.fast import aside
from rulekit.fast import plan as p
from rulekit.fast.apart import shared
from rulekit.fast.graph import Way
from rulekit.fast.loops import Cursor
from rulekit.fast.maker import NOTHING, WAYS, ZERO, Maker
from rulekit.fast.running_steps import alone
from rulekit.fast.sets import as_numbers
from rulekit.model import ops

NEXT, FIRST, LAST = 1_000_000, 2_000_000, 3_000_000
"""Where a `secretly each` at place n looks for its next seat, begins its block and ends, each so far behind n."""


def _secret_start(m: Maker, code: ops.Code, place: int, op: ops.SecretStart) -> Way:
    """One seat after the other: nobody's block finds what another's has changed."""
    m.aside[place] = shared(m, code.ops[place + 1 : op.end], op.local)
    aside.begin(m, place)
    bounds = as_numbers(m, op.over)
    if bounds is None:
        m.cursors[-1 - place] = (ZERO, m.held(op.over), ZERO)
    else:
        m.cursors[-1 - place] = (bounds[0], None, bounds[1])
    m.emit(p.Set(f"turn{place}", m.cursors[-1 - place][0]))
    m.types[f"turn{place}"] = m.types[f"v{op.local}"] = "int"
    for step, word in _own_steps(m):
        m.types[step] = "int"
        m.emit(p.Set(step, p.Word(p.Const(word))))
    for local, word in _around(m, place):
        m.types[local] = "int"
        m.emit(p.Set(local, p.Word(p.Const(word))))
    m.reaches[op.local] = 0, m.setting.players - 1
    m.sure.add(op.local)
    return Way((), (place + NEXT,))


def _own_steps(m: Maker) -> list[tuple[str, int]]:
    """Each seat skips steps for itself: the words of this code's steps, and where they are kept meanwhile."""
    return [(f"step{word}", word) for (code, _), word in sorted(m.program.steps.items()) if code == m.code]


def _around(m: Maker, place: int) -> list[tuple[str, int]]:
    """Whose steps are meant around the block, and where that is kept meanwhile."""
    return [(f"around{place}_{word}", word) for word in m.program.innermost.values()]


def last_apart(m: Maker, place: int) -> None:
    aside.put_back(m, place)
    m.emit(*(p.Store(p.Const(word), p.Get(local)) for local, word in _around(m, place)))


def next_apart(m: Maker, code: ops.Code, place: int) -> Way:
    op, there = code.ops[place], m.temp()
    assert isinstance(op, ops.SecretStart)
    m.emit(*(p.Store(p.Const(word), p.Get(step)) for step, word in _own_steps(m)))
    m.emit(Cursor(there, f"v{op.local}", f"turn{place}", *m.cursors[-1 - place]))
    m.locals[op.local], m.shapes[op.local] = p.Get(f"v{op.local}"), 0
    return Way((p.Get(there),), (FIRST + place, LAST + place))


def first_apart(m: Maker, code: ops.Code, place: int) -> Way:
    if m.storage.order_matters:
        m.types[f"asked{place}"] = "int"
        m.emit(p.Set(f"asked{place}", ZERO))
    op = code.ops[place]
    assert isinstance(op, ops.SecretStart)
    aside.keep(m, place, p.Get(f"v{op.local}"))
    alone(m, m.code)
    if m.storage.apart_for is not None:
        m.emit(p.Store(p.Const(m.storage.apart_for), p.Get(f"v{op.local}")))
    return Way((), (place + 1,))


def _secret_end(m: Maker, code: ops.Code, place: int, op: ops.SecretEnd) -> Way:
    start = around(code, place)
    assert start is not None
    begin = code.ops[start]
    assert isinstance(begin, ops.SecretStart)
    if m.storage.order_matters:
        last = p.Store(p.Const(m.storage.last_answer), p.Get(f"v{begin.local}"))
        m.emit(p.If(p.Get(asked(code, place)), (last,)))
    if m.storage.apart_for is not None:
        m.emit(p.Store(p.Const(m.storage.apart_for), NOTHING))
    aside.put_aside(m, start, p.Get(f"v{begin.local}"))
    return Way((), (start + NEXT,))


# ---------------------------------------------------------------- inside of one


def around(code: ops.Code, place: int) -> int | None:
    """The `secretly each` inside which an operation stands."""
    for start, op in enumerate(code.ops):
        if isinstance(op, ops.SecretStart) and start < place < op.end:
            return start
    return None


def notes_order(m: Maker, code: ops.Code, place: int) -> bool:
    return m.storage.order_matters and around(code, place) is not None


def asked(code: ops.Code, place: int) -> str:
    return f"asked{around(code, place)}"


WAYS.update({ops.SecretStart: _secret_start, ops.SecretEnd: _secret_end})
