"""Dynamic scope of steps: which running action a `skip` means, where only play tells.

A `skip` means the innermost running action that has a step of that name.
Mostly that is one action, with a word that says whether the step is to be
skipped.  Other names have a word that holds the current binding (shallow
binding), which callers save and restore, however the call ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, same
from rulekit.compiler.plan.ir import NONE
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import callees, reachable, tried
from rulekit.values import evolve

Saved = list[tuple[int, str]]
"""Addresses of words, and the locals that hold their saved values."""


def step_words(program: Program) -> None:
    """Lay out a word for every step that some rule may skip, and one for every name that is bound dynamically."""
    game, storage = program.setting.game, program.storage
    skipped = {op.step for code in game.codes for op in code.ops if isinstance(op, ops.Skip)}
    for number, code in enumerate(game.codes):
        for step in sorted(code.steps & skipped):
            program.steps[number, step] = storage.word(f"skip {step}", 0)
    for step in sorted({step for number, step in _skips(game) if _holder(game, number, step) is None}):
        program.innermost[step] = storage.word(f"skip {step} of", NONE)


def _skips(game: model.Game) -> Iterator[tuple[int, str]]:
    """Codes that skip a step which is not their own."""
    for number, code in enumerate(game.codes):
        yield from ((number, op.step) for op in code.ops if isinstance(op, ops.Skip) and op.step not in code.steps)


def _holder(game: model.Game, number: int, step: str) -> int | None:
    """The one code whose step a `skip` always means (static binding); None if play decides."""
    holders = [one for one, code in enumerate(game.codes) if step in code.steps and number in reachable(game, [one])]
    if len(holders) != 1 or number in _secret(game) or number in _past(game, holders[0]):
        return None
    return holders[0]


def _past(game: model.Game, holder: int) -> set[int]:
    """Codes that may run while `holder` does not."""
    waiting, found = [game.main, game.result, *tried(game)], set[int]()
    while waiting:
        code = waiting.pop()
        if code not in found and code != holder:
            found.add(code)
            waiting += callees(game, game.codes[code])
    return found


def _secret(game: model.Game) -> set[int]:
    """Codes that run inside a `secretly each`, or hold a `skip` there, from which steps around it cannot be skipped."""
    found: set[int] = set()
    for number, code in enumerate(game.codes):
        for start, op in enumerate(code.ops):
            if isinstance(op, ops.SecretStart):
                inside = evolve(code, ops=code.ops[start : op.end])
                found |= reachable(game, callees(game, inside))
                found |= {number} if any(isinstance(one, ops.Skip) for one in inside.ops) else set()
    return found


def skip(m: Builder, op: ops.Skip) -> None:
    """Mark the step that is meant as skipped."""
    at = m.program.steps.get((m.code, op.step))
    if at is None and op.step in m.program.innermost:
        word = m.atom(p.Word(p.Const(m.program.innermost[op.step])))
        m.fault(same(word, NOTHING), "no-such-step")
        m.emit(p.Store(word, ONE))
        return
    if at is None:
        holder = _holder(m.setting.game, m.code, op.step)
        assert holder is not None, op.step
        at = m.program.steps[holder, op.step]
    m.emit(p.Store(p.Const(at), ONE))


# ---------------------------------------------------------------- around calls


def entry_statements(program: Program, code: int) -> list[p.Statement]:
    """At the entry of an action: none of its steps is skipped, and their names are bound to them."""
    own = [(step, word) for (owner, step), word in sorted(program.steps.items()) if owner == code]
    fresh: list[p.Statement] = [p.Store(p.Const(word), p.Const(0)) for _, word in own]
    names = program.innermost
    return [*fresh, *(p.Store(p.Const(names[step]), p.Const(word)) for step, word in own if step in names)]


def save_bindings(m: Builder, codes: Iterable[int]) -> Saved:
    """Save the words that a call of one of these codes may change, among them its own where it may be recursive."""
    words = list(m.program.innermost.values())
    if m.storage.deep is not None:
        words += [word for (owner, _), word in sorted(m.program.steps.items()) if owner in set(codes)]
    before = [(word, m.temp()) for word in words]
    m.emit(*(p.Set(local, p.Word(p.Const(word))) for word, local in before))
    return before


def restore_bindings(m: Builder, before: Saved) -> None:
    """Restore them behind the call."""
    m.emit(*(p.Store(p.Const(word), p.Get(local)) for word, local in before))


def reset_bindings(m: Builder, code: int | None = None) -> None:
    """Bind all names to nothing, or to the steps of one code."""
    for step, word in m.program.innermost.items():
        own = NONE if code is None else m.program.steps.get((code, step), NONE)
        m.emit(p.Store(p.Const(word), p.Const(own)))
