"""The machine: a working copy of a state, which operations change; its call frames; thawing and freezing.

An abstract machine with a control stack, as plain data: it is thawed from a `State`, changed, and frozen again.  It
knows neither what operations do nor what expressions mean (`closure_compilation`), and the interpreter runs it.  All of
these import it, so it imports none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulekit import limits
from rulekit.errors import RulekitError
from rulekit.model import ops
from rulekit.play.machine.cancellation import STEPS_BETWEEN_CHECKS, check_cancelled
from rulekit.play.machine.legality import Verdicts
from rulekit.play.machine.provenance import FrameTrails, Trace
from rulekit.play.state.errors import LimitError, RuleError
from rulekit.play.state.event import Audience, Event, Note, Origin, Told
from rulekit.play.state.match_state import (
    FLOW_FRAMES,
    Branch,
    Ended,
    Frame,
    Pending,
    Score,
    Shuffled,
    State,
    keep_machine,
    take_machine,
)
from rulekit.play.state.setting import Setting
from rulekit.source import NOWHERE
from rulekit.values import define, field

ELEMENTS = 20


@define(eq=False)
class CallFrame:
    """A call frame (activation record) at work: a code, the place in it, its locals, the steps it will skip.

    secrets:  in a watched match, locals worked out from what not everybody may see, each with what that is.
    trails:   while a match is traced, what decided its locals and that it came where it is.
    """

    code: int
    pc: int
    locals: list[Any]
    skips: frozenset[str] = frozenset()
    secrets: dict[int, str] | None = None
    trails: FrameTrails | None = None

    def secret(self, local: int) -> str | None:
        """From what a local was worked out that not everybody may see."""
        return None if self.secrets is None else self.secrets.get(local)

    def mark(self, local: int, source: str | None) -> None:
        if source is not None:
            self.secrets = {**(self.secrets or {}), local: source}
        elif self.secrets is not None:
            self.secrets.pop(local, None)

    def copy(self) -> CallFrame:
        """For a trial, which asks for no trails."""
        secrets = None if self.secrets is None else self.secrets.copy()
        return CallFrame(self.code, self.pc, self.locals.copy(), self.skips, secrets)


class TrialEnd(RulekitError):
    """A trial came to its end: whether what was tried can be carried through."""

    def __init__(self, passed: bool) -> None:
        super().__init__(passed)
        self.passed = passed


Answers = Callable[["Machine", CallFrame, ops.Ask | ops.AskWay, int, tuple[Any, ...], int, int], Any]
"""What a seat answers to a question: an option, or at least and at most so many.  The frame stands behind it."""


@define(eq=False)
class Machine:
    """A mutable working copy of a state.

    trial:      while something is only tried, the number of frames below which the trial has passed.
    branch:     the seat whose `secretly each` block runs apart, or None.
    answers:    who answers at once, so that nothing waits; None where the machine stops at every question.
    refuses:    while somebody is asked for several things that not every answer may be: whether one is refused.
    silent:     nobody wants to be told what happens.
    whole:      while seats play apart and at once: who has answered last, and all who have.
    was_asked:  whether a question was put since then.
    origin:     where it can be asked later what decided an event.
    trace:      while a match is traced, what decided what is being worked out.
    verdicts:   until the next question: who says which options lead on; None where that is tried.
    begun:      the steps that were counted when the running operation began.
    checkpoint: the count of steps beyond which the limit and a cancellation are looked at.
    memo:       what was worked out from where things stand now, by itself: see `memo`; None if nothing was.
    """

    setting: Setting
    values: list[Any]
    lies: list[int]
    frames: list[CallFrame]
    streams: dict[str, int] = field(factory=dict)
    known: dict[int, tuple[int, int]] = field(factory=dict)
    open_things: set[int] = field(factory=set)
    open_slots: set[int] = field(factory=set)
    gone: set[int] = field(factory=set)
    ranks: list[tuple[int, ...]] = field(factory=list)
    defeated: list[int] = field(factory=list)
    starter: int = 0
    last_answer: int | None = None
    over: bool = False
    ending: bool = False
    pending: Pending | None = None
    branches: list[Branch] = field(factory=list)
    arrived: list[int] = field(factory=list)
    steps: int = 0
    step_limit: int = 0
    unclear: set[int] = field(factory=set)
    events: list[Note | Event] = field(factory=list)
    trial: int | None = None
    branch: int | None = None
    done: bool = False
    locals: list[Any] = field(factory=list)
    elements: list[Any] = field(factory=lambda: [None] * ELEMENTS)
    landings: list[tuple[int, Any, Any, bool]] = field(factory=list)
    op: ops.Op | None = None
    reads: set[str] | None = None
    in_define: int = 0
    answers: Answers | None = None
    refuses: Callable[[tuple[Any, ...]], bool] | None = None
    silent: bool = False
    whole: tuple[int | None, list[int]] | None = None
    was_asked: bool = False
    origin: Origin | None = None
    trace: Trace | None = None
    scores: list[Score] = field(factory=list)
    ended: Ended | None = None
    memo: dict[Any, Any] | None = None
    verdicts: Verdicts | None = None
    begun: int = 0
    checkpoint: int = 0

    # ------------------------------------------------------------ steps

    def limit_steps(self, limit: int) -> None:
        """Allow steps up to this count."""
        self.step_limit, self.checkpoint = limit, 0

    def pass_checkpoint(self) -> None:
        """Go on counting.  Errors: `LimitError` beyond the limit, `Interrupted` where the work is cancelled."""
        if self.steps > self.step_limit:
            self.out_of_steps()
        check_cancelled()
        self.checkpoint = min(self.step_limit, self.steps + STEPS_BETWEEN_CHECKS)

    def out_of_steps(self) -> None:
        per_game = self.step_limit >= limits.STEPS_PER_GAME
        what = f"{limits.STEPS_PER_GAME:,} steps in this game" if per_game else f"{limits.STEPS_PER_DECISION:,} steps"
        title = f"the rules did not come to a decision within {what}"
        raise LimitError("endless", title, self.op.span if self.op else NOWHERE, self.cites(), self.rule())

    def out_of_depth(self) -> None:
        title = "expressions and defines are nested too deep here"
        raise LimitError("too-deep", title, span_of(self.op), self.cites(), self.rule()) from None

    def push(self, code: int, args: list[Any]) -> None:
        if len(self.frames) >= limits.CALLS + FLOW_FRAMES:
            raise LimitError(
                "too-deep", f"calls more than {limits.CALLS} deep", span_of(self.op), self.cites(), self.rule()
            )
        setting = self.setting
        if setting.entered is not None and self.trial is None:
            setting.entered(self, code, args)
        self.frames.append(CallFrame(code, 0, args + [None] * (setting.game.codes[code].locals - len(args))))

    def fresh_elements(self) -> list[Any]:
        return [None] * ELEMENTS

    # ------------------------------------------------------------ saying what happens

    def rule(self) -> str:
        return self.setting.game.codes[self.frames[-1].code].name if self.frames else ""

    def cites(self) -> tuple[str, ...]:
        """The clauses of the running line, or else of the nearest call that led here."""
        if self.op is not None and self.op.cites:
            return self.op.cites
        codes = self.setting.game.codes
        for frame in reversed(self.frames[:-1]):
            calling = codes[frame.code].ops[frame.pc - 1]
            if calling.cites:
                return calling.cites
        return ()

    def emit(
        self, name: str, facts: Iterable[Told], audience: Audience = None, clauses: tuple[str, ...] | None = None
    ) -> None:
        """Tell what happens.  clauses: what it carries out, where that is not the line of the operation."""
        if self.silent:
            return
        op, frames = self.op, self.frames
        rule = self.setting.game.codes[frames[-1].code].name if frames else ""
        own, span = ((), NOWHERE) if op is None else (op.own, op.span)
        line = own if clauses is None else clauses
        number = 0 if self.origin is None else self.origin.noted(self, line)
        near = () if line else self.cites()
        self.events.append((name, facts, line, rule, audience, span, near, self.origin, number))

    def because(self, clauses: tuple[str, ...]) -> None:
        """These decide what is being worked out; noted only while a match is traced."""
        if self.trace is not None:
            self.trace.trail.add(clauses)

    def about(self, value: Any) -> None:
        """What is told next is about this, one thing or several; what let in others decides nothing of it."""
        if self.trace is not None:
            self.trace.narrow(value)

    def error(self, code: str, title: str) -> RuleError:
        return RuleError(code, title, span_of(self.op), self.cites(), self.rule())

    # ------------------------------------------------------------ things and who may see them

    def lies_in(self, thing: int) -> int | None:
        index = thing - self.setting.copy_base
        return None if index < 0 or self.lies[index] < 0 else self.lies[index]

    def sees(self, slot: int) -> Audience:
        """The seats that may know what lies in a slot."""
        return None if slot in self.open_slots else self.setting.audiences[slot]

    def changed(self) -> None:
        """Forget what follows from the position: a piece, a plain value or the starter is another now."""
        self.memo = None

    def check_write(self, slot: int) -> None:
        """Inside `secretly each` only the own player's things may change."""
        if self.branch is not None and self.setting.seat_of[slot] != self.branch:
            name = self.setting.path(slot)
            raise self.error(
                "secret-write", f"`{name}` cannot change inside `secretly each`: it is not the player's own"
            )

    def allow_steps(self) -> None:
        """A new budget of steps, as after any answer."""
        self.limit_steps(_budget(self.steps))

    def gone_on(self) -> None:
        """After a question was answered at once."""
        self.allow_steps()
        self.was_asked = True
        if self.whole is not None:
            self.last_answer, self.arrived = self.whole[0], self.whole[1].copy()

    # ------------------------------------------------------------ copies

    def clone(self, frames: list[CallFrame] | None = None) -> Machine:
        """An independent copy, for trials and branches, with these frames or copies of its own, and no events."""
        if frames is None:
            frames = [f.copy() for f in self.frames]
        return Machine(
            self.setting, self.values.copy(), self.lies.copy(), frames,
            self.streams.copy(), self.known.copy(), self.open_things.copy(), self.open_slots.copy(), self.gone.copy(),
            self.ranks.copy(), self.defeated.copy(), self.starter, self.last_answer, self.over, self.ending,
            self.pending, self.branches.copy(), self.arrived.copy(), self.steps, self.step_limit, self.unclear,
            [], self.trial, self.branch, op=self.op, silent=self.silent, memo=self.memo,
        )  # fmt: skip

    def tried(self, below: int | None) -> Machine:
        """A copy in which something is tried; nobody is told of it, or asked."""
        copy = self.clone()
        copy.trial, copy.silent = below, True
        if copy.setting.untraced is not None:
            copy.setting = copy.setting.untraced
        return copy


def trace_of(m: Machine) -> Trace:
    """The trails of a machine whose match is traced."""
    assert m.trace is not None
    return m.trace


def span_of(op: ops.Op | None) -> Any:
    """The place of an operation in the rules, or nowhere."""
    return op.span if op is not None else NOWHERE


def freeze(m: Machine) -> State:
    """The state at which a machine stands, as plain values; the machine is not changed."""
    return State(
        m.setting, tuple(m.values), tuple(m.lies), freeze_frames(m), tuple(sorted(m.streams.items())),
        frozen_known(m.known), frozenset(m.open_things), frozenset(m.open_slots), tuple(m.ranks), tuple(m.defeated),
        m.starter, m.last_answer, m.over, m.pending, tuple(m.branches), frozenset(m.gone), tuple(m.arrived), m.ending,
        m.steps, frozenset(m.unclear), tuple(m.scores), m.ended,
    )  # fmt: skip


def freeze_frames(m: Machine) -> tuple[Frame, ...]:
    """The frames with only the locals that are in force where each stands."""
    codes = m.setting.game.codes
    return tuple([_frozen(frame, codes[frame.code].scopes[frame.pc]) for frame in m.frames])


def _frozen(frame: CallFrame, scope: tuple[int, ...]) -> Frame:
    own = kept = frame.locals
    if len(scope) < len(own):
        kept = [None] * len(own)
        for index in scope:
            kept[index] = own[index]
    secrets = _in_scope(frame.secrets, scope) if frame.secrets else ()
    return frame.code, frame.pc, tuple(kept), frame.skips, secrets


def _in_scope(secrets: dict[int, str], scope: tuple[int, ...]) -> tuple[tuple[int, str], ...]:
    return tuple(sorted((local, source) for local, source in secrets.items() if local in scope))


def frozen_known(known: dict[int, tuple[int, int]]) -> tuple[Shuffled, ...]:
    """What is known of shuffled piles, as a state holds it."""
    return tuple(sorted([(slot, top, under) for slot, (top, under) in known.items()])) if known else ()


def thawed_known(known: tuple[Shuffled, ...]) -> dict[int, tuple[int, int]]:
    """What is known of shuffled piles, as a machine holds it."""
    return {slot: (top, under) for slot, top, under in known}


def thaw_frames(frames: tuple[Frame, ...]) -> list[CallFrame]:
    """Working call frames at the places of these."""
    return [
        CallFrame(code, pc, list(values), skips, dict(secrets) or None) for code, pc, values, skips, secrets in frames
    ]


def thaw(state: State) -> Machine:
    """A new machine at this state."""
    return Machine(
        state.setting, list(state.values), list(state.lies), thaw_frames(state.frames), dict(state.streams),
        thawed_known(state.known), set(state.open_things), set(state.open_slots), set(state.gone), list(state.ranks),
        list(state.defeated), state.starter, state.last_answer, state.over, state.ending, state.pending,
        list(state.branches), list(state.arrived), state.steps, _budget(state.steps), set(state.unclear),
        scores=list(state.scores), ended=state.ended,
    )  # fmt: skip


def suspend(m: Machine) -> State:
    """Freeze a machine.  Unless the match is watched the state keeps it, so that who goes on first need not thaw."""
    state = freeze(m)
    if not (m.over or m.setting.watched):
        keep_machine(state, m)
    return state


def suspend_apart(m: Machine, s: State) -> State:
    """Freeze a machine where, since state `s`, only seats inside `secretly each` have gone on: the rest is shared."""
    state = State(
        s.setting, s.values, s.lies, s.frames, s.streams, s.known, s.open_things, s.open_slots, s.ranks, s.defeated,
        s.starter, m.last_answer, s.over, s.pending, tuple(m.branches), s.gone, tuple(m.arrived), s.ending, m.steps,
        s.unclear, s.scores, s.ended,
    )  # fmt: skip
    if not m.setting.watched:
        keep_machine(state, m)
    state.share_questions(s)
    return state


def resume(state: State) -> Machine:
    """A machine at this state: the one that the state keeps, if nobody has taken it yet, or a new one."""
    m: Machine | None = take_machine(state)
    if m is None:
        return thaw(state)
    m.events, m.op, m.origin = [], None, None
    m.limit_steps(_budget(m.steps))
    return m


def _budget(steps: int) -> int:
    return min(steps + limits.STEPS_PER_DECISION, limits.STEPS_PER_GAME)
