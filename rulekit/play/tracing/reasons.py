"""The reasons of an event: what decided its values, then what decided that it happened, nearest first."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.model import ops
from rulekit.model.control_dependence import deciding
from rulekit.play.machine.provenance import FrameTrails, Trail, meet
from rulekit.play.machine.working_state import CallFrame, Machine, trace_of
from rulekit.play.state.event import NO_REASONS, Audience, Reason, Reasons
from rulekit.values import define, field


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
    for one in reversed(levels):
        for _, control in one:
            known = meet(known, control.read)
        audiences.append(known)
    decided = Trail()
    values = Trail(dict(trail.why), trail.read, trail.members)
    values.flatten()
    decided.join(values, known)
    for one, may_know in zip(levels, reversed(audiences), strict=True):
        for cites, control in one:
            decided.add(cites, may_know)
            decided.join(control, may_know)
    told = [Reason(clause, audience) for clause, audience in decided.why.items() if clause not in line]
    return Reasons(known, tuple(told))


_Level = list[tuple[tuple[str, ...], Trail]]
"""Of one frame what decided that it came where it is, nearest first: clauses of lines, and behind them a trail."""


def _levels(m: Machine) -> Iterable[_Level]:
    """For each frame, the innermost first."""
    game, trace = m.setting.game, trace_of(m)
    places: dict[tuple[int, int], tuple[int, ...]] = game.kept.setdefault("deciding", {})
    for depth, frame in enumerate(reversed([*trace.outer, *m.frames])):
        at, code = frame.pc - 1 if depth else trace.at, game.codes[frame.code].ops
        if (frame.code, at) not in places:
            places[frame.code, at] = deciding(code, at)
        yield level(frame, code, at, places[frame.code, at])


def level(frame: CallFrame, code: tuple[ops.Op, ...], at: int, places: tuple[int, ...] | None = None) -> _Level:
    """The lines and conditions around an operation; then those that were passed by, or held; then the call."""
    trails, cites = frame.trails or FrameTrails(), code[at].cites
    around: _Level = []
    passed: _Level = []
    for place in deciding(code, at) if places is None else places:
        op, trail = code[place], trails.control.get(place) or Trail()
        if isinstance(op, ops.Unless) and at >= op.to:
            passed += [((), trail), (op.own, Trail())]
            continue
        if isinstance(op, ops.OnlyIf):
            if place in trails.control:
                passed += [((), trail), (op.own, Trail())]
            continue
        if isinstance(op, ops.AskWay):
            trail = trail.of(max(number for number, (_, _, to) in enumerate(op.ways) if to <= at or number == 0))
        around.append((tuple([clause for clause in cites if clause not in op.cites]), trail))
    return [*around, (cites, Trail()), *passed, ((), trails.call)]
