"""Which options are feasible: those from which some completion meets every `only if` further on.

An `only if` is a constraint: it takes away every option from which it cannot
be met.  Each option is tried on a copy by a depth-first backtracking search, to
the end of the action that says it.  Where several things are chosen their sets
are too many to try: there the one that was chosen is, and refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, compress
from typing import Any

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.control_flow import conditions_ahead
from rulekit.play.interpreter.answering import Question, gone_behind, hides, take
from rulekit.play.interpreter.main_loop import run
from rulekit.play.machine.closure_compilation import HANDLERS, MEANING, Act, Meaning, Meanings, spend
from rulekit.play.machine.legality import Verdicts
from rulekit.play.machine.working_state import CallFrame, Machine, TrialEnd
from rulekit.play.meaning.operators import arguments
from rulekit.play.state.cost_model import ANSWER
from rulekit.play.state.errors import LimitError, Refused, RuleError
from rulekit.play.state.match_state import Pending


def leads_on(m: Machine, frame: CallFrame, question: Pending, value: Any) -> bool:
    """Whether each `only if` further on can be met after an answer to a question that waits; `m` is used up."""
    op = gone_behind(m, frame)
    bound = trial_bound(m)
    return bound is None or can_lead_on(m, op, question.seat, value, bound, look_ahead(1))


def feasible(m: Machine, op: Question, seat: int, options: tuple[Any, ...]) -> tuple[Any, ...]:
    """The options from which every `only if` further on can be met."""
    said = None if m.verdicts is None else _said(m, m.verdicts, op, options)
    bound = trial_bound(m)
    if said is not None and m.verdicts is not None:
        if bound is not None or all(said):
            return tuple(compress(options, said))
        m.verdicts.distrust("an option is refused where no condition is ahead")
    if bound is None:
        return options
    share = look_ahead(len(options))
    found = [(option, *_look_ahead(m, op, seat, option, bound, share)) for option in options]
    _report_trial(m, sum(steps for _, _, steps in found))
    return tuple(option for option, passed, _ in found if passed)


def _said(m: Machine, verdicts: Verdicts, op: Question, options: tuple[Any, ...]) -> Sequence[bool] | None:
    kind = op.type if isinstance(op, ops.Ask) else None
    return verdicts.leads_on(m.frames[-1].code, kind, options, alone=len(options) == 1 and not hides(op))


def look_ahead(options: int) -> int:
    """The steps that may be taken to look ahead from each option of a question."""
    return limits.STEPS_PER_DECISION // max(1, options)


def _report_trial(m: Machine, steps: int) -> None:
    """Tell the oracle, if there is one, how much work was done with trying."""
    if m.verdicts is not None:
        m.verdicts.tried(steps)


def see_taken(m: Machine, op: Question, question: Pending, value: Any) -> None:
    """Raises `Refused` for an answer that keeps an `only if` further on from being met."""
    bound = trial_bound(m)
    if bound is None or is_taken(m, op, question.seat, value, bound, answers_to(question)):
        return
    condition = frame_conditions(m, bound)[0]
    reason = f"whatever follows, {_quoted(m, condition)} could not be met"
    raise Refused("refused", reason, condition.test.span, condition.cites)


def is_taken(m: Machine, op: Question, seat: int, chosen: Any, bound: int, sets: Iterator[Any]) -> bool:
    """Whether an answer leads on; RuleError if none of the sets that could be chosen does."""
    if can_lead_on(m, op, seat, chosen, bound, look_ahead(1)):
        return True
    if not _any_leads_on(m, op, seat, bound, sets):
        what = op.name if isinstance(op, ops.Ask) else m.rule()
        condition = frame_conditions(m, bound)[0]
        title = f"nothing remains to be chosen as `{what}`: no choice could meet {_quoted(m, condition)}"
        raise m.error("only-if", title)
    return False


def _any_leads_on(m: Machine, op: Question, seat: int, bound: int, sets: Iterator[Any]) -> bool:
    """Return whether one of the sets leads on.  They share the steps for looking ahead."""
    left = look_ahead(1)
    for chosen in sets:
        passed, steps = _look_ahead(m, op, seat, chosen, bound, left)
        if passed:
            return True
        left -= steps
    return False


def can_lead_on(m: Machine, op: Question, seat: int, option: Any, bound: int, share: int) -> bool:
    """Return whether each `only if` further on can be met; True where that takes more steps than the share."""
    passed, _ = _look_ahead(m, op, seat, option, bound, share)
    return passed


def _look_ahead(m: Machine, op: Question, seat: int, option: Any, bound: int, share: int) -> tuple[bool, int]:
    """Try what follows an answer, with a budget of its own; return whether it passes and the steps it took."""
    trial = m.tried(bound)
    trial.steps = 0
    trial.limit_steps(share)
    take(trial, trial.frames[-1], op, seat, option, asked=False)
    try:
        return _explore(trial), trial.steps
    except RuleError as fault:
        if isinstance(fault, LimitError) and fault.code == "endless":
            return True, share
        why = f"what stands before {_quoted(m, frame_conditions(m, bound)[0])} is tried with each answer"
        raise _tried(fault, why) from None


def dead_ends(m: Machine, question: Pending, option: Any) -> Iterator[Machine]:
    """Where the ways on from an option that is not feasible come to nothing, each at the operation that ends it.

    `m` stands at the question.  Errors: `RuleError`, if what follows cannot be tried.
    """
    trial = m.tried(trial_bound(m))
    _answered(trial, question, option)
    yield from _dead_ends(trial)


def _dead_ends(trial: Machine) -> Iterator[Machine]:
    try:
        run(trial)
    except TrialEnd as end:
        if not end.passed:
            yield trial
        return
    if (question := trial.pending) is None:
        return
    for option in answers_to(question):
        further = trial.tried(trial.trial)
        _answered(further, question, option)
        yield from _dead_ends(further)


def _answered(trial: Machine, question: Pending, value: Any) -> None:
    frame = trial.frames[-1]
    take(trial, frame, gone_behind(trial, frame), question.seat, value, asked=True)


def _tried(fault: RuleError, why: str) -> RuleError:
    """A fault of what is only tried, which stands at a line that is innocent: with what has it tried."""
    if fault.code != "trial":
        return fault
    return RuleError(fault.code, f"{fault.title}: {why}", fault.span, fault.cites, fault.rule)


def _explore(trial: Machine) -> bool:
    """Whether some completion passes."""
    try:
        run(trial)
    except TrialEnd as end:
        return end.passed
    question = trial.pending
    if question is None:
        return True
    for option in answers_to(question):
        spend(trial, ANSWER)
        further = trial.tried(trial.trial)
        _answered(further, question, option)
        passed = _explore(further)
        trial.steps = further.steps
        if passed:
            return True
    return False


def answers_to(question: Pending) -> Any:
    """Every answer to a question, one after the other."""
    if question.form != "several":
        return iter(question.options)
    return sets_of(question.options, question.least, question.most)


def sets_of(options: tuple[Any, ...], least: int, most: int) -> Iterator[tuple[Any, ...]]:
    """The sets of at least and at most so many of the options, small ones first."""
    return (chosen for size in range(least, most + 1) for chosen in combinations(options, size))


def trial_bound(m: Machine) -> int | None:
    """How many frames lie below the outermost running action with an `only if` still ahead."""
    codes = m.setting.game.codes
    for depth, frame in enumerate(m.frames):
        if codes[frame.code].has_only_if and frame_conditions(m, depth):
            return depth
    return None


def frame_conditions(m: Machine, depth: int) -> tuple[ops.OnlyIf, ...]:
    """Each `only if` that some path of a running action still comes to, in the order of the text from there."""
    frame = m.frames[depth]
    waits = m.pending is not None and depth == len(m.frames) - 1
    return conditions_ahead(m.setting.game, frame.code, frame.pc if waits else max(0, frame.pc - 1))


def unmet_condition(m: Machine) -> str:
    """The first `only if` ahead of a question to which no answer leads on, as a message quotes it."""
    bound = trial_bound(m)
    assert bound is not None, "an option is refused where no condition is ahead"
    return _quoted(m, frame_conditions(m, bound)[0])


def _quoted(m: Machine, condition: ops.OnlyIf) -> str:
    return m.setting.game.quoted(condition.span)


def _possible(c: Meanings, e: x.Possible) -> Meaning:
    """`possible A(x)`: whether some way through the action meets every `only if` in it."""
    args_of, code = arguments(c, e.args), e.code

    def possible(m: Machine) -> bool:
        args = args_of(m)
        said = None if m.verdicts is None else m.verdicts.is_possible(code, args)
        if said is not None:
            passed, steps = said
            spend(m, steps)
            return passed
        before = m.steps
        trial = m.tried(len(m.frames))
        trial.push(code, args)
        try:
            passed = _explore(trial)
        except RuleError as fault:
            raise _tried(fault, f"what {m.setting.game.quoted(e.span)} asks about is tried") from None
        m.steps = trial.steps
        _report_trial(m, m.steps - before)
        return passed

    return possible


def _only_if(c: Meanings, op: ops.OnlyIf) -> Act:
    test, counts = c.of(op.test), c.costs.counts_on_the_way(op.test)

    def only_if(m: Machine, frame: CallFrame) -> None:
        if (m.verdicts is not None and not counts and m.verdicts.holds()) or test(m):
            return
        if m.trial is not None:
            raise TrialEnd(False)
        raise m.error("only-if", "an `only if` that no choice could meet does not hold")

    return only_if


MEANING[x.Possible] = _possible
HANDLERS[ops.OnlyIf] = _only_if
