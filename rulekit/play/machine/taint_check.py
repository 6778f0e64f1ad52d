"""Dynamic taint tracking: under test, nothing that everybody sees may follow from what not everybody may know.

While a watched match runs (a checked one, or a scenario), every value that an operation reads is noted if
some seat may not see it; a local that was worked out from it is tainted as well.
What everybody can tell from what happens (`Effects.shows`) or from what
happens next (`Effects.steers`, an implicit flow) must not follow from it, outside of
`secretly each`; else it is an error with both places.  How many things lie
in a pile is public.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.traversal import parts
from rulekit.play.machine.closure_compilation import evaluate, meanings
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.state.errors import RuleError


def note_slot(m: Machine, slot: int) -> None:
    """A value was read: remember its place if some seat may not see it."""
    assert m.reads is not None
    if m.sees(slot) is None and m.setting.game.variables[m.setting.slot_variable[slot]].seen != model.TOP:
        return
    value = m.values[slot]
    if slot in m.setting.pile_slots and all(thing in m.open_things for thing in value):
        return
    m.reads.add(m.setting.path(slot))


def note_local(m: Machine, index: int) -> None:
    assert m.reads is not None
    # Inside a define a local is an argument, whose own reading was noted when it was worked out.
    source = m.frames[-1].secret(index) if m.frames and not m.in_define else None
    if source is not None:
        m.reads.add(source)


def before(m: Machine, op: ops.Op) -> set[str] | None:
    """The secrets read by that part of an operation of which everybody can tell the value; None: by all of it."""
    if m.branch is not None or m.trial is not None:
        return set()
    fields = _open_fields(m, op)
    kind: Any = type(op)
    if fields and _are_all_read(kind, fields):
        return None
    m.reads = found = set[str]()
    for name in fields:
        _work_out(m, getattr(op, name))
    for name in op.effects.counts:
        evaluate(m, meanings(m.setting).count(getattr(op, name)))
    return found


@cache
def _are_all_read(kind: Any, fields: effects.Fields) -> bool:
    """Whether these are all the fields that such an operation reads."""
    return set(effects.expressions(kind)) <= set(fields)


def _open_fields(m: Machine, op: ops.Op) -> effects.Fields:
    """The fields of which everybody can tell the values from what happens now, or next."""
    row = op.effects
    shows = row.shows if not row.writes or _writes_what_all_see(m, op) else ()
    return shows if m.ending else shows + row.steers


def _writes_what_all_see(m: Machine, op: ops.Op) -> bool:
    variables = m.setting.game.variables
    return all(variables[getattr(op, name).variable].seen == model.PUBLIC for name in op.effects.writes)


def _work_out(m: Machine, part: Any) -> None:
    if isinstance(part, tuple):
        for each in part:
            _work_out(m, each)
    elif isinstance(part, ops.Target):
        _work_out(m, (part.of, part.index))
    elif isinstance(part, x.Expr):
        evaluate(m, part)


def propagate(m: Machine, frame: CallFrame, op: ops.Op, shown: set[str] | None) -> None:
    """Pass secrecy on to the locals that an operation bound, and object to what it showed.

    shown:  what `before` found.
    """
    reads, m.reads = m.reads, None
    local = effects.binds(op)
    if local is not None:
        source = getattr(op, op.effects.source) if op.effects.source else None
        # What is bound in a choice is told by the answer, which may come later.
        if op.effects.declassifies:
            frame.mark(local, None)
        elif not op.effects.asks:
            frame.mark(local, frame.secret(source) if isinstance(source, int) else min(reads or (), default=None))
    if isinstance(op, ops.Call) and m.frames[-1] is not frame:
        for place, arg in enumerate(op.args):
            m.frames[-1].mark(place, _secret(m, frame, arg))
    found = min((reads if shown is None else shown) or (), default=None)
    if found is not None:
        since = _hidden_since(m.setting.game, found, op)
        title = f"{since}this shows something of `{found}`, which not everybody may see"
        raise RuleError("secret-shown", title, op.span, op.cites, m.setting.game.codes[frame.code].name)


def _hidden_since(game: model.Game, path: str, op: ops.Op) -> str:
    """The line of a variant that may have hidden again what the game that it extends reveals; "" if there is none.

    Without, the fault would stand at a line that was right before, and that is not the variant's.
    """
    own, name = game.sources[0][0], path.rpartition(".")[2].partition("[")[0]
    if op.span.source == own:
        return ""
    ours = (one for code in game.codes for one in code.ops if one.span.source == own)
    changing = next((one for one in ours if any(game.variables[each].name == name for each in _changed(one))), None)
    return "" if changing is None else f"perhaps since {game.quoted(changing.span)} "


def _changed(op: ops.Op) -> Iterator[int]:
    """The variables in which something else stands or lies behind an operation."""
    row = op.effects
    yield from (getattr(op, name).variable for name in (*row.writes, *row.fills, *row.shuffles))
    if row.exchanges:
        taken = parts(tuple(getattr(op, name) for name in row.takes))
        yield from (part.variable for part in taken if isinstance(part, x.Stored))


def _secret(m: Machine, frame: CallFrame, arg: Any) -> str | None:
    """What an argument was worked out from, read again in the caller's frame."""
    callee = m.frames.pop()
    m.reads, m.locals = set(), frame.locals
    try:
        evaluate(m, arg)
        return min(m.reads) if m.reads else None
    finally:
        m.reads = None
        m.frames.append(callee)
