"""Triggers: which reactions a piece that has come to rest fires, about which spaces, in which order."""

from __future__ import annotations

from typing import Any

from rulekit import limits
from rulekit.model import game as model
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.errors import LimitError
from rulekit.source import NOWHERE


def react(m: Machine) -> None:
    """Push what reacts to the landings just made, so that the first comes to run first."""
    landings, m.landings = m.landings, []
    calls: list[tuple[int, list[Any]]] = []
    for piece, old, space, moved in landings:
        for reaction in m.setting.game.reactions:
            if m.setting.things[piece].kind == reaction.kind:
                calls += [(reaction.code, [piece, at]) for at in _concerned(m, reaction, old, space, moved)]
    if len(m.frames) + len(calls) > limits.REACTIONS and calls:
        span = m.op.span if m.op else NOWHERE
        raise LimitError("too-deep", f"reactions more than {limits.REACTIONS} deep", span, m.cites(), m.rule())
    for code, args in reversed(calls):
        m.push(code, args)


def _concerned(m: Machine, reaction: model.Reaction, old: Any, space: Any, moved: bool) -> list[Any]:
    """The spaces about which a reaction is called for one landing."""
    if reaction.word == "lands":
        return [space] if space is not None and _within(m, reaction, space) else []
    if reaction.word == "enters":
        return [space] if _within(m, reaction, space) and not _within(m, reaction, old) else []
    if reaction.word == "leaves":
        return [old] if _within(m, reaction, old) and not _within(m, reaction, space) else []
    if old is None or space is None or not moved:
        return []
    return [at for at in _marks(m, reaction, old, space) if old < at <= space]


def _marks(m: Machine, reaction: model.Reaction, old: int, space: int) -> list[int]:
    """The marked spaces that a forward journey may have reached: of an open range its first."""
    assert reaction.low is not None
    low = evaluate(m, reaction.low)
    if isinstance(low, tuple):
        return sorted(low)
    high = low if reaction.is_open or reaction.high is None else evaluate(m, reaction.high)
    return list(range(max(low, old + 1), min(high, space) + 1)) if not reaction.is_open else [low]


def _within(m: Machine, reaction: model.Reaction, space: Any) -> bool:
    if space is None:
        return False
    if reaction.low is None:
        return True
    low = evaluate(m, reaction.low)
    if isinstance(low, tuple):
        return low == space or space in low
    if m.setting.game.kinds.get(reaction.kind) is not None and not isinstance(space, int):
        return False
    high = None if reaction.high is None else evaluate(m, reaction.high)
    return bool(low <= space and (high is None or space <= high))
