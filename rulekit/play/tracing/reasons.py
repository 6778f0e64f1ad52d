"""The reasons of an event: what decided its values, then what decided that it happened, nearest first."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import define, field

from rulekit.model import ops
from rulekit.model.control_dependence import deciding
from rulekit.play.machine.provenance import FrameTrails, Trail, meet
from rulekit.play.machine.working_state import CallFrame, Machine, trace_of
from rulekit.play.state.event import NO_REASONS, Audience, Reason, Reasons


@define(eq=False)
class Recorder:
    """Works out the reasons of each event when it happens in a traced match."""

    found: list[Reasons] = field(factory=list)

    def noted(self, machine: object, line: tuple[str, ...]) -> int:
        assert isinstance(machine, Machine)
        self.found.append(_reasons(machine, line))
        return len(self.found) - 1

    def reasons(self, number: int) -> Reasons:
        return self.found[number]


def _reasons(m: Machine, line: tuple[str, ...]) -> Reasons:
    if m.op is None or not m.frames:
        return NO_REASONS
    levels, trail = list(_levels(m)), trace_of(m).trail
    known: Audience = None
    audiences = []
    for level in reversed(levels):
        for control, _ in level:
            known = meet(known, control.read)
        audiences.append(known)
    decided = Trail()
    values = Trail(dict(trail.why), trail.read, trail.members)
    values.flatten()
    decided.join(values, known)
    for level, may_know in zip(levels, reversed(audiences), strict=True):
        for control, cites in level:
            decided.join(control, may_know)
            decided.add(cites, may_know)
    told = [Reason(clause, audience) for clause, audience in decided.why.items() if clause not in line]
    return Reasons(known, tuple(told))


_Level = list[tuple[Trail, tuple[str, ...]]]
"""Of one frame what decided that it came where it is, nearest first, each with the clauses of the line that asked."""


def _levels(m: Machine) -> Iterable[_Level]:
    """For each frame, the innermost first."""
    game, trace = m.setting.game, trace_of(m)
    places: dict[tuple[int, int], tuple[int, ...]] = game.kept.setdefault("deciding", {})
    for depth, frame in enumerate(reversed([*trace.outer, *m.frames])):
        at, code = frame.pc - 1 if depth else trace.at, game.codes[frame.code].ops
        if (frame.code, at) not in places:
            places[frame.code, at] = deciding(code, at)
        yield _level(frame, code, at, places[frame.code, at])


def _level(frame: CallFrame, code: tuple[ops.Op, ...], at: int, places: tuple[int, ...]) -> _Level:
    trails = frame.trails or FrameTrails()
    found = []
    for place in places:
        trail, op = trails.control.get(place), code[place]
        if trail is not None and isinstance(op, ops.AskWay):
            trail = trail.of(max(number for number, (_, _, to) in enumerate(op.ways) if to <= at or number == 0))
        found.append((trail or Trail(), op.own))
    return [*found, (trails.call, code[at].cites)]
