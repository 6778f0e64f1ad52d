"""Decisions: who is asked, what is offered, and which options are feasible.

An `only if` further on is a constraint: it takes away every option from which
it cannot be met.  Each option is tried on a copy by a depth-first backtracking
search, to the end of the action that says it.  Where several things are chosen
their sets are too many to try: there the one that was chosen is, and refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.play.interpreter.main_loop import run
from rulekit.play.machine.closure_compilation import HANDLERS, LEFT, MEANING, Act, Meaning, Meanings, evaluate
from rulekit.play.machine.working_state import CallFrame, Machine, TrialEnd, span_of
from rulekit.play.meaning.operators import arguments
from rulekit.play.state.errors import LimitError, Refused, RuleError
from rulekit.play.state.event import Audience, Later, Told
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import Pending
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value
from rulekit.source import PLACEHOLDER
from rulekit.values import evolve

Question = ops.Ask | ops.AskWay

# ---------------------------------------------------------------- asking


def _ask(c: Meanings, op: ops.Ask) -> Act:
    return _ask_one(c, op) if op.least is None else _ask_several(c, op)


def _ask_one(c: Meanings, op: ops.Ask) -> Act:
    who_of, options_of, may = c.of(op.who), c.of(op.options), op.manner == "may"
    asks_for: Any = op.type
    kind = c.setting.game.kinds.get(asks_for.kind) if getattr(asks_for, "name", "") == "thing" else None
    distinct = _distinct if kind is None else _distinct_pieces if kind.piece else _distinct_cards

    def ask(m: Machine, frame: CallFrame) -> bool:
        who, options = who_of(m), options_of(m)
        seat = _asked(m, who)
        options = distinct(m, _not_too_many(m, options))
        if may and None not in options:
            options = (*options, None)
        return _put(m, frame, op, seat, options)

    return ask


def _ask_several(c: Meanings, op: ops.Ask) -> Act:
    who_of, options_of, least_of, most_of = c.of(op.who), c.of(op.options), c.of(op.least), c.of(op.most)

    def ask(m: Machine, frame: CallFrame) -> bool:
        who, options, least, most = who_of(m), options_of(m), least_of(m), most_of(m)
        if least is None or most is None:
            raise m.error("of-nothing", "it is not said how many")
        seat, options = _asked(m, who), _not_too_many(m, options)
        most = max(0, min(most, len(options)))
        if least > len(options):
            raise m.error("too-few", f"{least} are to be chosen, but there are only {len(options)}")
        return _put(m, frame, op, seat, tuple(options), max(0, least), most)

    return ask


def _not_too_many(m: Machine, options: tuple[Any, ...]) -> tuple[Any, ...]:
    if len(options) > limits.OPTIONS:
        title = f"more than {limits.OPTIONS} options at one decision"
        raise LimitError("too-many-options", title, span_of(m.op), m.cites(), m.rule())
    return options


def _ask_way(c: Meanings, op: ops.AskWay) -> Act:
    who, tests = c.of(op.who), [None if test is None else c.of(test) for _, test, _ in op.ways]

    def ask_way(m: Machine, frame: CallFrame) -> bool:
        seat = _asked(m, who(m))
        return _put(m, frame, op, seat, tuple(i for i, test in enumerate(tests) if test is None or test(m)))

    return ask_way


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


def stand_ins(m: Machine, question: Pending) -> Iterator[tuple[int, int]]:
    """The pieces that could be chosen but are not offered, each with the option that stands for it.

    `m` stands at the question; it is used up.
    """
    frame, kind = m.frames[-1], m.setting.game.kinds.get(getattr(question.type, "kind", ""))
    op = m.setting.game.codes[frame.code].ops[frame.pc]
    if question.form != "one" or kind is None or not kind.piece or not isinstance(op, ops.Ask):
        return
    m.op, m.locals, m.elements = op, frame.locals, m.fresh_elements()
    offered = {_piece_signature(m, piece): piece for piece in question.options if isinstance(piece, int)}
    for piece in evaluate(m, op.options):
        if piece is not None and piece not in question.options and _piece_signature(m, piece) in offered:
            yield piece, offered[_piece_signature(m, piece)]


def _put(
    m: Machine, frame: CallFrame, op: Question, seat: int, options: tuple[Any, ...], least: int = 1, most: int = 1
) -> bool:
    """Ask, or take the only answer there is where that gives nothing away."""
    several, values = takes_several(op), _named_in_braces(m, op) if op.values else ()
    if m.setting.has_only_if and m.trial is None and not several and (bound := _bound(m)) is not None:
        options = _feasible(m, op, seat, options, bound)
    if not options and not several:
        if m.trial is not None:
            raise TrialEnd(False)
        raise m.error("no-answer", f"{m.setting.seats[seat]} has nothing to choose from")
    if m.branch is None and _settled(op, options, least, most) and not _hides(op):
        _take(m, frame, op, seat, _only_answer(op, options, most), asked=False)
        return False
    if m.answers is None:
        frame.pc -= 1
        m.pending = evolve(_pending(m, op, seat, options, least, most), values=values)
        return LEFT
    if several:
        _take(m, frame, op, seat, _several_answered(m, frame, op, seat, options, least, most), asked=True)
        return False
    _take(m, frame, op, seat, m.answers(m, frame, op, seat, options, least, most), asked=True)
    m.gone_on()
    return False


def _named_in_braces(m: Machine, op: Question) -> tuple[tuple[str, Value], ...]:
    """What the texts of a question name in braces, with its value now."""
    found = []
    for name, value, kind in op.values:
        known: Any = kind
        found.append((name, outward(m.setting, known, evaluate(m, value))))
    return tuple(found)


def _several_answered(
    m: Machine, frame: CallFrame, op: Question, seat: int, options: tuple[Any, ...], least: int, most: int
) -> tuple[Any, ...]:
    """The answer that is given at once to a question for several things; one that is refused is asked again."""
    assert m.answers is not None
    bound = _bound(m) if m.setting.has_only_if else None
    # What is tried counts as work since the question, as it does where the question waits.
    m.gone_on()
    if bound is not None:

        def refuses(chosen: tuple[Any, ...]) -> bool:
            before, meant = m.steps, _by_meaning(m, op, options, chosen)
            if _is_taken(m, op, seat, meant, bound, _sets(options, least, most)):
                return False
            m.steps = before
            return True

        m.refuses = refuses
    try:
        return _by_meaning(m, op, options, m.answers(m, frame, op, seat, options, least, most))
    finally:
        m.refuses = None


def _by_meaning(m: Machine, op: Question, options: tuple[Any, ...], chosen: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is chosen as somebody would have who can name cards but not tell copies in one pile apart."""
    assert isinstance(op, ops.Ask), op
    row_of, kind = m.setting.row_of, _element(op)
    if kind.name != "thing" or len({row_of[thing] for thing in options}) == len(options):
        return chosen
    meant = Counter([(row_of[thing], m.lies_in(thing)) for thing in chosen])
    found = []
    for thing in options:
        like = row_of[thing], m.lies_in(thing)
        if meant[like]:
            meant[like] -= 1
            found.append(thing)
    return tuple(found)


def takes_several(op: Question) -> bool:
    """Whether the answer is a set of options and not one of them."""
    return type(op) is ops.Ask and op.least is not None


def _pending(m: Machine, op: Question, seat: int, options: tuple[Any, ...], least: int, most: int) -> Pending:
    how: Any = {"secret": op.secretly, "prompt": op.prompt, "span": op.span, "clauses": m.cites(), "rule": m.rule()}
    if isinstance(op, ops.AskWay):
        labels = tuple(label for label, _, _ in op.ways)
        return Pending(seat, m.rule(), "way", options, labels=labels, **how)
    if op.least is None:
        return Pending(seat, op.name, "one", options, type=op.type, **how)
    return Pending(seat, op.name, "several", options, least, most, type=_element(op), **how)


def _element(op: ops.Ask) -> Any:
    """The type of one option; the answer to a choice of several is a set of them."""
    kind: Any = op.type
    return kind.element


def _settled(op: Question, options: tuple[Any, ...], least: int, most: int) -> bool:
    if takes_several(op):
        return most == 0 or least == most == len(options)
    return len(options) == 1


def _hides(op: Question) -> bool:
    """Whether the question is put even if there is but one answer: that there was, tells something."""
    return op.secretly or op.hidden or op.manner == "always"


def _only_answer(op: Question, options: tuple[Any, ...], most: int) -> Any:
    return options[:most] if takes_several(op) else options[0]


def answer(m: Machine, frame: CallFrame, question: Pending, value: Any) -> None:
    """Give the question that waits its answer; the machine then stands behind it.

    Errors: `Refused` for things chosen together that keep an `only if` further on from being met.
    """
    op = _gone_behind(m, frame)
    if m.setting.has_only_if and m.trial is None and takes_several(op):
        _see_taken(m, op, question, value)
    _take(m, frame, op, question.seat, value, asked=True)


def leads_on(m: Machine, frame: CallFrame, question: Pending, value: Any) -> bool:
    """Whether each `only if` further on can be met after an answer to a question that waits; `m` is used up."""
    op = _gone_behind(m, frame)
    bound = _bound(m)
    return bound is None or _leads_on(m, op, question.seat, value, bound)


def _gone_behind(m: Machine, frame: CallFrame) -> Question:
    """The question that waits; the machine then stands behind it."""
    op = m.setting.game.codes[frame.code].ops[frame.pc]
    assert isinstance(op, ops.Ask | ops.AskWay), op
    m.op, m.pending, m.locals = op, None, frame.locals
    frame.pc += 1
    return op


def _see_taken(m: Machine, op: Question, question: Pending, value: Any) -> None:
    """Raises `Refused` for an answer that keeps an `only if` further on from being met."""
    bound = _bound(m)
    if bound is None or _is_taken(m, op, question.seat, value, bound, _answers(question)):
        return
    condition = _conditions(m, bound)[0]
    reason = f"whatever follows, {_quoted(m, condition)} could not be met"
    raise Refused("refused", reason, condition.test.span, condition.cites)


def _is_taken(m: Machine, op: Question, seat: int, chosen: Any, bound: int, sets: Iterator[Any]) -> bool:
    """Whether an answer leads on; RuleError if none of the sets that could be chosen does."""
    if _leads_on(m, op, seat, chosen, bound):
        return True
    if not any(_leads_on(m, op, seat, other, bound) for other in sets):
        what = op.name if isinstance(op, ops.Ask) else m.rule()
        condition = _conditions(m, bound)[0]
        title = f"nothing remains to be chosen as `{what}`: no choice could meet {_quoted(m, condition)}"
        raise m.error("only-if", title)
    return False


def _take(m: Machine, frame: CallFrame, op: Question, seat: int, value: Any, *, asked: bool) -> None:
    """Go on with an answer.  asked: somebody gave it; else it was the only one."""
    rule = "" if m.silent else m.rule()
    if isinstance(op, ops.AskWay):
        frame.pc = op.ways[value][2]
    else:
        frame.locals[op.local] = value
        if m.setting.watched and op.secretly:
            frame.mark(op.local, op.name)
    if not m.silent:
        _tell(m, op, seat, value, rule, asked)


def _tell(m: Machine, op: Question, seat: int, value: Any, rule: str, asked: bool) -> None:
    # Others learn of a secret answer only how many were chosen.
    hidden = op.secretly or m.branch is not None
    audience = frozenset([seat]) if hidden else None
    before = m.steps
    values = _named_in_braces(m, op) if op.values else ()
    # A match takes as many steps whether anybody is told of it or not.
    m.steps = before
    facts = Later(_told, m.setting, op, seat, value, rule, audience, asked, values)
    line = (*op.own, *op.tied[value]) if isinstance(op, ops.AskWay) else op.own
    m.emit("choose", facts, audience if m.branch is not None else None, line)


def _told(
    setting: Setting,
    op: Question,
    seat: int,
    value: Any,
    rule: str,
    audience: Audience,
    asked: bool,
    values: tuple[tuple[str, Value], ...],
) -> tuple[Told, ...]:
    count = len(value) if takes_several(op) else None
    name = op.name if isinstance(op, ops.Ask) else rule
    answer = Told("answer", _shown(setting, op, value), audience, count)
    told = Told("player", setting.seat_refs[seat]), Told("what", name), answer, Told("asked", asked)
    named = PLACEHOLDER.findall(op.ways[int(value)][0]) if isinstance(op, ops.AskWay) else ()
    return (*told, *(Told(f"with {name}", known, audience) for name, known in values if name in named))


def _shown(setting: Setting, op: Question, value: Any) -> Value:
    if isinstance(op, ops.AskWay):
        return op.ways[int(value)][0]
    kind: Any = op.type
    if op.least is not None:
        return tuple(outward(setting, kind.element, item) for item in value)
    return outward(setting, kind, value)


# ---------------------------------------------------------------- trying


def _bound(m: Machine) -> int | None:
    """How many frames lie below the outermost running action with an `only if` still ahead."""
    codes = m.setting.game.codes
    for depth, frame in enumerate(m.frames):
        if codes[frame.code].has_only_if and _conditions(m, depth):
            return depth
    return None


def _conditions(m: Machine, depth: int) -> list[ops.OnlyIf]:
    """Those that are still ahead in a frame."""
    frame = m.frames[depth]
    ahead = m.setting.game.codes[frame.code].ops[max(0, frame.pc - 1) :]
    return [op for op in ahead if isinstance(op, ops.OnlyIf)]


def _quoted(m: Machine, condition: ops.OnlyIf) -> str:
    return m.setting.game.quoted(condition.span)


def _feasible(m: Machine, op: Question, seat: int, options: tuple[Any, ...], bound: int) -> tuple[Any, ...]:
    return tuple(option for option in options if _leads_on(m, op, seat, option, bound))


def _leads_on(m: Machine, op: Question, seat: int, option: Any, bound: int) -> bool:
    trial = m.tried(bound)
    _take(trial, trial.frames[-1], op, seat, option, asked=False)
    try:
        passed = _explore(trial)
    except RuleError as fault:
        why = f"what stands before {_quoted(m, _conditions(m, bound)[0])} is tried with each answer"
        raise _tried(fault, why) from None
    m.steps = trial.steps
    return passed


def dead_ends(m: Machine, question: Pending, option: Any) -> Iterator[Machine]:
    """Where the ways on from an option that is not feasible come to nothing, each at the operation that ends it.

    `m` stands at the question.  Errors: `RuleError`, if what follows cannot be tried.
    """
    trial = m.tried(_bound(m))
    answer(trial, trial.frames[-1], question, option)
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
    for option in _answers(question):
        further = trial.tried(trial.trial)
        answer(further, further.frames[-1], question, option)
        yield from _dead_ends(further)


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
    for option in _answers(question):
        further = trial.tried(trial.trial)
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
    return _sets(question.options, question.least, question.most)


def _sets(options: tuple[Any, ...], least: int, most: int) -> Iterator[tuple[Any, ...]]:
    """The sets of at least and at most so many of the options, small ones first."""
    return (chosen for size in range(least, most + 1) for chosen in combinations(options, size))


def _possible(c: Meanings, e: x.Possible) -> Meaning:
    """`possible A(x)`: whether some way through the action meets every `only if` in it."""
    args_of, code = arguments(c, e.args), e.code

    def possible(m: Machine) -> bool:
        args = args_of(m)
        trial = m.tried(len(m.frames))
        trial.push(code, args)
        try:
            passed = _explore(trial)
        except RuleError as fault:
            raise _tried(fault, f"what {m.setting.game.quoted(e.span)} asks about is tried") from None
        m.steps = trial.steps
        return passed

    return possible


def _only_if(c: Meanings, op: ops.OnlyIf) -> Act:
    test = c.of(op.test)

    def only_if(m: Machine, frame: CallFrame) -> None:
        if test(m):
            return
        if m.trial is not None:
            raise TrialEnd(False)
        raise m.error("only-if", "an `only if` that no choice could meet does not hold")

    return only_if


MEANING[x.Possible] = _possible
HANDLERS.update(
    {
        ops.Ask: _ask,
        ops.AskWay: _ask_way,
        ops.OnlyIf: _only_if,
    }
)
