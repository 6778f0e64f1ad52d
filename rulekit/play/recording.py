"""Dynamic slicing on demand: what decided an event is found by playing its decision again, traced.

An action is a pure function of a state, so nothing has to be noted while a
match goes on: the first who asks for the reasons of an event has the decision
that led to it played again with trails, and with it those before, as far as
names or conditions in force come from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rulekit.model import effects, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.builtin_signatures import WORDS
from rulekit.model.control_dependence import deciding
from rulekit.model.traversal import parts
from rulekit.play.machine.provenance import FrameTrails, Trace, Trail
from rulekit.play.machine.working_state import Machine, thaw, trace_of
from rulekit.play.state.event import Reasons
from rulekit.play.state.match_state import State, recording_of, take_machine
from rulekit.play.state.setting import Setting
from rulekit.play.tracing.reasons import Recorder
from rulekit.values import define, evolve

_NOBODY = Reasons(frozenset())
"""Of what cannot be found: its line is told to nobody."""
Trails = tuple[FrameTrails | None, ...]
_NO_BLOCKS: Mapping[int, Trails] = MappingProxyType({})


@define(eq=False)
class Recording:
    """What happened by one decision, and how to have it happen again; then, with trails, what decided it.

    begin, go:  the state before it, or who gives a machine there, and what goes on with that; None when it has been
                played again.
    before:     the recording of the decision before, where something in force comes from there.
    trails:     of the frames, and by seat of those in secret blocks, that wait after it.
    """

    begin: State | Callable[[], Machine] | None
    go: Callable[[Machine], Any] | None
    before: Recording | None = None
    count: int = 0
    found: Sequence[Reasons] = ()
    trails: Trails = ()
    blocks: Mapping[int, Trails] = _NO_BLOCKS

    def noted(self, machine: object, line: tuple[str, ...]) -> int:
        """Nothing but the number of an event."""
        self.count += 1
        return self.count - 1

    def reasons(self, number: int) -> Reasons:
        waiting: list[Recording] = []
        recording: Recording | None = self
        while recording is not None and recording.begin is not None:
            waiting.append(recording)
            recording = recording.before
        for recording in reversed(waiting):
            recording._play()
        return self.found[number] if number < len(self.found) else _NOBODY

    def _play(self) -> None:
        assert self.begin is not None
        assert self.go is not None
        m = traced(self.begin) if isinstance(self.begin, State) else self.begin()
        m.trace = Trace()
        recorder = Recorder()
        if self.before is None:
            _forget(m)
        else:
            for frame, trails in zip(m.frames, self.before.trails, strict=False):
                frame.trails = trails and trails.copy()
            trace_of(m).blocks = dict(self.before.blocks)
        m.origin = recorder
        m.limit_steps(_NO_LIMIT)
        try:
            self.go(m)
        except RecursionError:
            pass  # Trails lie a little deeper than values; then nothing is known of what happened here.
        else:
            self.found = recorder.found
            self.trails = tuple(frame.trails for frame in m.frames)
            self.blocks = _in_blocks(m)
        self.begin = self.go = self.before = None


_NO_LIMIT = 10**18


def _in_blocks(m: Machine) -> dict[int, Trails]:
    found = dict(trace_of(m).blocks)
    for branch in m.branches:
        machine = take_machine(branch)
        if machine is not None:
            found[branch.seat] = tuple(frame.trails for frame in machine.frames)
    return found


def recorded(state: State, go: Callable[[Machine], Any]) -> Recording:
    """The recording of what goes on from a state."""
    return Recording(state, go, recording_of(state))


def traced(state: State) -> Machine:
    """A machine at a state, in which it is noted what decides."""
    # Branches keep machines that go on untraced; these are others.
    branches = tuple([evolve(branch, events=()) for branch in state.branches])
    return thaw(evolve(state, setting=tracing(state.setting), branches=branches))


def tracing(setting: Setting) -> Setting:
    """The setting of a match that is played again to find what decides."""
    return evolve(setting, untraced=setting, entered=None, round_begun=None, watched=False, checked=False)


# ---------------------------------------------------------------- what must be known of the decisions before


def _forget(m: Machine) -> None:
    """What was decided before may have followed from anything: nobody is told what follows from it."""
    game = m.setting.game
    for frame in m.frames:
        frame.trails = _unknown(game, frame.code, frame.pc)
    trace_of(m).blocks = {b.seat: tuple(_unknown(game, frame[0], frame[1]) for frame in b.frames) for b in m.branches}


def _unknown(game: model.Game, number: int, pc: int) -> FrameTrails:
    code = game.codes[number]
    named = {local: Trail(read=frozenset()) for local in code.scopes[pc] if _is_decided(game, code, local)}
    places = [at for at in deciding(code.ops, pc) if not isinstance(code.ops[at], ops.OnlyIf)]
    control = {at: Trail(read=frozenset()) for at in places if _may_decide(game, code.ops[at])}
    return FrameTrails(named, control)


def carries(state: State) -> bool:
    """Whether something in force at a state may have been decided by clauses in decisions before."""
    game = state.setting.game
    kept: dict[tuple[int, int], bool] = game.kept.setdefault("carrying", {})
    frames = state.frames
    for branch in state.branches:
        frames += branch.frames
    for frame in frames:
        place = frame[:2]
        if place not in kept:
            kept[place] = _carries(game, *place)
        if kept[place]:
            return True
    return False


def _carries(game: model.Game, number: int, pc: int) -> bool:
    code = game.codes[number]
    named = any(_is_decided(game, code, local) for local in code.scopes[pc])
    return named or any(_may_decide(game, code.ops[at]) for at in deciding(code.ops, pc))


def _is_decided(game: model.Game, code: ops.Code, local: int) -> bool:
    binding = [at for at, op in enumerate(code.ops) if effects.binds(op) == local]
    sources = [code.ops[at - 1] if isinstance(code.ops[at], ops.EachNext) else code.ops[at] for at in binding]
    return local < code.parameters or any(_may_decide(game, op) for op in sources)


def _may_decide(game: model.Game, op: ops.Op) -> bool:
    """Whether clauses may decide what an operation reads, or not everybody may know it."""
    return bool(op.effects.asks) or any(_is_tied(game, e) for e in parts(op))


def _is_tied(game: model.Game, e: x.Expr) -> bool:
    if isinstance(e, x.Stored):
        return game.variables[e.variable].seen != model.PUBLIC
    if isinstance(e, x.Seats) and e.who != "players" and game.neutrals is not None and game.neutrals.cites:
        return True
    if isinstance(e, x.Const | x.Seats | x.AllOf | x.Spaces | x.Interval):
        return bool(e.cites)
    if isinstance(e, x.Builtin) and WORDS[e.word].follows_course:
        return True
    return bool(e.cites) or isinstance(e, x.Local | x.Invoke | x.Trait | x.NumberOf | x.OptionValue | x.Possible)
