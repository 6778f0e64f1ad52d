"""Decisions: who is asked, what is offered, what is tried before it is offered.

An `only if` further on takes away every option from which it cannot be met:
each is tried on a copy, to the end of the action that says it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import combinations, compress
from operator import ne
from typing import Any

from attrs import evolve

from rulekit import limits
from rulekit.model import ops
from rulekit.play.errors import LimitError
from rulekit.play.evaluate import Meanings
from rulekit.play.event import Audience, Later, Told, notes_of, telling
from rulekit.play.machine import (
    HANDLERS,
    LEFT,
    Act,
    Machine,
    Running,
    TrialEnd,
    freeze_frames,
    frozen_known,
    thaw_frames,
    thawed_known,
)
from rulekit.play.outward import outward
from rulekit.play.setting import Setting
from rulekit.play.state import Branch, Pending, had_back, leave
from rulekit.play.value import Value

_Known = dict[int, tuple[int, int]]

# ---------------------------------------------------------------- asking


def _ask(c: Meanings, op: ops.Ask) -> Act:
    who, options_of = c.of(op.who), c.of(op.options)
    question_of = _one(c, op) if op.least is None else _several(c, op)

    def ask(m: Machine, frame: Running) -> bool:
        seat = _asked(m, who(m))
        options = options_of(m)
        if len(options) > limits.OPTIONS:
            title = f"more than {limits.OPTIONS} options at one decision"
            raise LimitError("too-many-options", title, op.span, m.cites(), m.rule())
        _put(m, frame, op, question_of(m, seat, options))
        return LEFT

    return ask


_Question = Callable[[Machine, int, tuple[Any, ...]], Pending]


def _one(c: Meanings, op: ops.Ask) -> _Question:
    asked = partial(Pending, name=op.name, form="one", type=op.type, **_how(op))
    asks_for: Any = op.type
    kind = c.setting.game.kinds.get(asks_for.kind) if getattr(asks_for, "name", "") == "thing" else None
    distinct = _distinct if kind is None else _distinct_pieces if kind.piece else _distinct_cards

    def question(m: Machine, seat: int, options: tuple[Any, ...]) -> Pending:
        options = distinct(m, options)
        if op.manner == "may" and None not in options:
            options = (*options, None)
        return asked(seat=seat, options=options, clauses=m.cites(), rule=m.rule())

    return question


def _several(c: Meanings, op: ops.Ask) -> _Question:
    assert op.least is not None, op
    assert op.most is not None, op
    least_of, most_of = c.of(op.least), c.of(op.most)
    asked = partial(Pending, name=op.name, form="several", type=_element(op), **_how(op))

    def question(m: Machine, seat: int, options: tuple[Any, ...]) -> Pending:
        least, most = least_of(m), most_of(m)
        most = max(0, min(most, len(options)))
        if least > len(options):
            raise m.error("too-few", f"{least} are to be chosen, but there are only {len(options)}")
        least = max(0, least)
        return asked(seat=seat, options=tuple(options), least=least, most=most, clauses=m.cites(), rule=m.rule())

    return question


def _element(op: ops.Ask) -> Any:
    """The type of one option; the answer to a choice of several is a set of them."""
    kind: Any = op.type
    return kind.element


def _ask_way(c: Meanings, op: ops.AskWay) -> Act:
    who, tests = c.of(op.who), [None if test is None else c.of(test) for _, test, _ in op.ways]
    asked = partial(Pending, form="way", labels=tuple(label for label, _, _ in op.ways), **_how(op))

    def ask_way(m: Machine, frame: Running) -> bool:
        seat, rule = _asked(m, who(m)), m.rule()
        open_ways = tuple(i for i, test in enumerate(tests) if test is None or test(m))
        _put(m, frame, op, asked(seat=seat, name=rule, options=open_ways, clauses=m.cites(), rule=rule))
        return LEFT

    return ask_way


def _how(op: ops.Ask | ops.AskWay) -> dict[str, Any]:
    """What is the same of a question whenever it is put."""
    return {"secret": op.secretly, "prompt": op.prompt, "span": op.span}


def _asked(m: Machine, who: Any) -> int:
    if who is None:
        raise m.error("of-nothing", "there is nobody to decide this")
    if who >= m.setting.players:
        raise m.error("neutral-decides", f"{m.setting.seats[who]} is neutral and cannot decide")
    if m.branch is not None and who != m.branch:
        raise m.error("secret", "inside `secretly each` only the player it is about can decide")
    return int(who)


def _distinct(m: Machine, options: tuple[Any, ...]) -> tuple[Any, ...]:
    """Options without what nobody could tell apart; a choice of several keeps it."""
    return tuple(dict.fromkeys(options))


def _distinct_cards(m: Machine, options: tuple[Any, ...]) -> tuple[Any, ...]:
    """Copies of one card in one pile stand for each other."""
    row_of = m.setting.row_of
    if None not in options and len({row_of[thing] for thing in options}) == len(options):
        return options
    seen: dict[Any, Any] = {}
    for thing in options:
        seen.setdefault(None if thing is None else (row_of[thing], m.lies_in(thing)), thing)
    return tuple(seen.values())


def _distinct_pieces(m: Machine, options: tuple[Any, ...]) -> tuple[Any, ...]:
    seen: dict[Any, Any] = {}
    for piece in options:
        seen.setdefault(None if piece is None else _piece_signature(m, piece), piece)
    return tuple(seen.values())


def _piece_signature(m: Machine, piece: int) -> Any:
    """Pieces of one group stand for each other if they stand together and nothing else tells them apart."""
    slot = m.setting.piece_slot.get(piece)
    if slot is None:
        return piece
    variable = m.setting.game.variables[m.setting.slot_variable[slot]]
    kind = m.setting.game.kinds[m.setting.things[piece].kind]
    if variable.form != "group" or kind.members:
        return piece
    own = [i for i, v in enumerate(m.setting.game.variables) if v.owner == kind.name]
    values = tuple(m.values[m.setting.slot(i, piece)] for i in own)
    return (m.setting.slot_variable[slot], m.setting.slot_owner[slot], m.values[slot], values)


def _put(m: Machine, frame: Running, op: ops.Ask | ops.AskWay, question: Pending) -> None:
    """Ask, or take the only answer there is where that gives nothing away."""
    bound = _bound(m)
    if m.trial is None and bound is not None and question.form != "several":
        question = evolve(question, options=_feasible(m, question, bound))
    if not question.options and question.form != "several":
        if m.trial is not None:
            raise TrialEnd(False)
        raise m.error("no-answer", f"{m.setting.seats[question.seat]} has nothing to choose from")
    always = isinstance(op, ops.Ask) and op.manner == "always"
    if _settled(question) and not (always or question.secret or op.hidden or m.branch is not None):
        answer(m, frame, question, _only_answer(question), asked=False)
        return
    frame.pc -= 1
    m.pending = question


def _settled(question: Pending) -> bool:
    if question.form == "several":
        return question.most == 0 or question.least == question.most == len(question.options)
    return len(question.options) == 1


def _only_answer(question: Pending) -> Any:
    if question.form == "several":
        return question.options[: question.most]
    return question.options[0]


def answer(m: Machine, frame: Running, question: Pending, value: Any, *, asked: bool = True) -> None:
    """Give a decision its answer; the machine stands behind the question afterwards."""
    op = m.setting.game.codes[frame.code].ops[frame.pc if asked else frame.pc - 1]
    m.op, m.pending = op, None
    if isinstance(op, ops.AskWay):
        frame.pc = op.ways[value][2]
    else:
        assert isinstance(op, ops.Ask), op
        frame.locals[op.local] = value
        if m.setting.watched and question.secret:
            frame.secrets[op.local] = op.name
        frame.pc += 1 if asked else 0
    _tell(m, question, value, asked)


def _tell(m: Machine, question: Pending, value: Any, asked: bool) -> None:
    # Others learn of a secret answer only how many were chosen.
    hidden = question.secret or m.branch is not None
    audience = frozenset([question.seat]) if hidden else None
    facts = Later(_told, m.setting, question, value, audience, asked)
    m.emit("choose", facts, audience if m.branch is not None else None)


def _told(setting: Setting, question: Pending, value: Any, audience: Audience, asked: bool) -> tuple[Told, ...]:
    count = len(value) if question.form == "several" else None
    answer = Told("answer", _shown(setting, question, value), audience, count)
    return Told("player", setting.seat_refs[question.seat]), Told("what", question.name), answer, Told("asked", asked)


def _shown(setting: Setting, question: Pending, value: Any) -> Value:
    if question.form == "way":
        return question.labels[int(value)]
    if question.form == "several":
        return tuple(outward(setting, question.type, item) for item in value)
    return outward(setting, question.type, value)


# ---------------------------------------------------------------- trying


def _bound(m: Machine) -> int | None:
    """How many frames lie below the outermost running action with an `only if` still ahead."""
    codes = m.setting.game.codes
    for depth, frame in enumerate(m.frames):
        code = codes[frame.code]
        if code.has_only_if and any(isinstance(op, ops.OnlyIf) for op in code.ops[max(0, frame.pc - 1) :]):
            return depth
    return None


def _feasible(m: Machine, question: Pending, bound: int) -> tuple[Any, ...]:
    return tuple(option for option in question.options if _leads_on(m, question, option, bound))


def _leads_on(m: Machine, question: Pending, option: Any, bound: int) -> bool:
    trial = m.clone()
    trial.trial = bound
    answer(trial, trial.frames[-1], question, option, asked=False)
    passed = _explore(trial)
    m.steps = trial.steps
    return passed


def _explore(trial: Machine) -> bool:
    """Whether some completion passes."""
    try:
        trial.run()
    except TrialEnd as end:
        return end.passed
    question = trial.pending
    if question is None:
        return True
    for option in _answers(question):
        further = trial.clone()
        answer(further, further.frames[-1], question, option)
        passed = _explore(further)
        trial.steps = further.steps
        if passed:
            return True
    return False


def _answers(question: Pending) -> Any:
    """Every answer to a question, one after the other."""
    if question.form != "several":
        return iter(question.options)
    sizes = range(question.least, question.most + 1)
    return (chosen for size in sizes for chosen in combinations(question.options, size))


def can_carry_through(m: Machine, code: int, args: list[Any]) -> bool:
    """`possible A(x)`: whether some way through the action meets every `only if` in it."""
    trial = m.clone()
    trial.trial = len(trial.frames)
    trial.push(code, list(args))
    passed = _explore(trial)
    m.steps = trial.steps
    return passed


def _only_if(c: Meanings, op: ops.OnlyIf) -> Act:
    test = c.of(op.test)

    def only_if(m: Machine, frame: Running) -> None:
        if test(m):
            return
        if m.trial is not None:
            raise TrialEnd(False)
        raise m.error("only-if", "an `only if` that no choice could meet does not hold")

    return only_if


# ---------------------------------------------------------------- apart from each other


def _secret_start(c: Meanings, op: ops.SecretStart) -> Act:
    """Each seat of the set gets its own copy of the block's start and runs apart."""
    over = c.of(op.over)

    def secret_start(m: Machine, frame: Running) -> bool:
        if m.trial is not None:
            raise m.error("trial", "`only if` and `possible` cannot look through `secretly each`")
        seats, inside = over(m), frame.pc
        frame.pc = op.end
        m.arrived = []
        for seat in seats:
            own = Running(frame.code, inside, frame.locals.copy(), frame.skips.copy())
            own.locals[op.local] = seat
            apart = m.clone([own])
            apart.branches = []
            apart.branch = seat
            m.branches.append(_run_apart(apart))
            m.steps = apart.steps
        if seats:
            merge_if_done(m)
        return LEFT

    return secret_start


def _run_apart(apart: Machine, before: Iterable[Any] = ()) -> Branch:
    apart.run()
    assert apart.branch is not None
    branch = Branch(
        apart.branch, tuple(apart.values), tuple(apart.lies), () if apart.done else freeze_frames(apart), apart.pending,
        (), apart.done, frozen_known(apart.known), frozenset(apart.open_things), frozenset(apart.open_slots),
        frozenset(apart.gone), frozenset(apart.unclear),
    )  # fmt: skip
    if apart.pending is not None and not apart.setting.watched:
        leave(branch, apart)
    return telling(branch, (*before, *apart.events))


def answer_apart(m: Machine, branch: Branch, value: Any) -> None:
    """Go on in one seat's branch with its answer."""
    apart = _resumed(m, branch)
    assert branch.pending is not None
    apart.locals = apart.frames[-1].locals
    answer(apart, apart.frames[-1], branch.pending, value)
    made = _run_apart(apart, notes_of(branch))
    m.steps = apart.steps
    m.branches = [made if old.seat == branch.seat else old for old in m.branches]
    if made.done:
        m.arrived.append(made.seat)
        m.last_answer = made.seat
        m.op = None
        m.emit("ready", Later(_told_ready, m.setting, made.seat))
    merge_if_done(m)


def _told_ready(setting: Setting, seat: int) -> tuple[Told, ...]:
    return (Told("player", setting.seat_refs[seat]),)


def _resumed(m: Machine, branch: Branch) -> Machine:
    """The machine that came to a branch, if nobody has gone on with it, told what has changed for all; or a new one."""
    apart: Machine | None = had_back(branch)
    if apart is None:
        return _thawed(m, branch)
    apart.events, apart.op, apart.unclear = [], m.op, set(branch.unclear)
    apart.steps, apart.step_limit, apart.last_answer = m.steps, m.step_limit, m.last_answer
    apart.arrived, apart.ranks, apart.defeated = m.arrived.copy(), m.ranks.copy(), m.defeated.copy()
    return apart


def _thawed(m: Machine, branch: Branch) -> Machine:
    """The machine of one seat's branch, as that seat left it."""
    return Machine(
        m.setting, list(branch.values), list(branch.lies), thaw_frames(branch.frames), m.streams.copy(),
        thawed_known(branch.known), set(branch.open_things), set(branch.open_slots), set(branch.gone), m.ranks.copy(),
        m.defeated.copy(), m.starter, m.last_answer, m.over, m.ending, m.pending, [], m.arrived.copy(), m.steps,
        m.step_limit, set(branch.unclear), branch=branch.seat, op=m.op,
    )  # fmt: skip


def merge_if_done(m: Machine) -> None:
    """When all have finished: their effects and events, in the order of the set."""
    if not all(branch.done for branch in m.branches):
        return
    branches, m.branches = m.branches, []
    start, start_lies, start_known = tuple(m.values), tuple(m.lies), m.known.copy()
    for branch in branches:
        _merge(m.values, start, branch.values)
        _merge(m.lies, start_lies, branch.lies)
        if start_known:
            _merge_known(m.known, start_known, thawed_known(branch.known))
        # Nothing is revealed inside; what moved or was set again is covered, though others saw it until now.
        m.open_things &= branch.open_things
        m.open_slots &= branch.open_slots
        m.gone |= branch.gone
        m.unclear |= branch.unclear
        m.events += notes_of(branch)


def _merge(into: list[Any], start: tuple[Any, ...], branch: tuple[Any, ...]) -> None:
    """What differs from the start of the block."""
    for index in compress(range(len(start)), map(ne, start, branch)):
        into[index] = branch[index]


def _merge_known(into: _Known, start: _Known, branch: _Known) -> None:
    for slot in start:
        if slot not in branch:
            into.pop(slot, None)
        elif branch[slot] != start[slot]:
            into[slot] = branch[slot]


def _secret_end(c: Meanings, op: ops.SecretEnd) -> Act:
    def secret_end(m: Machine, frame: Running) -> bool:
        m.done = True
        return LEFT

    return secret_end


HANDLERS.update(
    {
        ops.Ask: _ask,
        ops.AskWay: _ask_way,
        ops.OnlyIf: _only_if,
        ops.SecretStart: _secret_start,
        ops.SecretEnd: _secret_end,
    }
)
