"""Decisions: who is asked, what is offered, and how the question is answered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from rulekit import limits
from rulekit.model import ops
from rulekit.play.interpreter.answering import (
    Question,
    element,
    gone_behind,
    hides,
    named_in_braces,
    take,
    takes_several,
)
from rulekit.play.interpreter.feasibility import (
    feasible,
    is_taken,
    see_taken,
    sets_of,
    trial_bound,
    unmet_condition,
)
from rulekit.play.machine.closure_compilation import HANDLERS, LEFT, Act, Meanings, evaluate
from rulekit.play.machine.working_state import CallFrame, Machine, TrialEnd, span_of
from rulekit.play.state.errors import LimitError
from rulekit.play.state.match_state import Pending


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
    values, slots = m.values, m.setting.piece_slot
    if len({values[slots[piece]] for piece in options if piece in slots}) == len(options):
        return options
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
    several, values = takes_several(op), named_in_braces(m, op) if op.values else ()
    if m.setting.has_only_if and m.trial is None and not several:
        feasible_options = feasible(m, op, seat, options)
        if options and not feasible_options:
            title = f"{m.setting.seats[seat]} has nothing to choose from: no answer could meet {unmet_condition(m)}"
            raise m.error("no-answer", title)
        options = feasible_options
    if not options and not several:
        if m.trial is not None:
            raise TrialEnd(False)
        raise m.error("no-answer", f"{m.setting.seats[seat]} has nothing to choose from")
    if m.branch is None and _settled(op, options, least, most) and not hides(op):
        take(m, frame, op, seat, _only_answer(op, options, most), asked=False)
        return False
    if m.answers is None:
        frame.pc -= 1
        m.pending = _pending(m, op, seat, options, least, most, values)
        return LEFT
    if several:
        take(m, frame, op, seat, _several_answered(m, frame, op, seat, options, least, most), asked=True)
        return False
    take(m, frame, op, seat, m.answers(m, frame, op, seat, options, least, most), asked=True)
    m.gone_on()
    return False


def _several_answered(
    m: Machine, frame: CallFrame, op: Question, seat: int, options: tuple[Any, ...], least: int, most: int
) -> tuple[Any, ...]:
    """The answer that is given at once to a question for several things; one that is refused is asked again."""
    assert m.answers is not None
    bound = trial_bound(m) if m.setting.has_only_if else None
    m.gone_on()
    if bound is not None:

        def refuses(chosen: tuple[Any, ...]) -> bool:
            meant = _by_meaning(m, op, options, chosen)
            return not is_taken(m, op, seat, meant, bound, sets_of(options, least, most))

        m.refuses = refuses
    try:
        return _by_meaning(m, op, options, m.answers(m, frame, op, seat, options, least, most))
    finally:
        m.refuses = None


def _by_meaning(m: Machine, op: Question, options: tuple[Any, ...], chosen: tuple[Any, ...]) -> tuple[Any, ...]:
    """What is chosen as somebody would have who can name cards but not tell copies in one pile apart."""
    assert isinstance(op, ops.Ask), op
    row_of, kind = m.setting.row_of, element(op)
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


def _pending(
    m: Machine,
    op: Question,
    seat: int,
    options: tuple[Any, ...],
    least: int,
    most: int,
    values: tuple[tuple[str, Any], ...],
) -> Pending:
    how, clauses, rule = (op.secretly, op.prompt), m.cites(), m.rule()
    if isinstance(op, ops.AskWay):
        labels = tuple([label for label, _, _ in op.ways])
        told = *how, labels, values, (), clauses, rule
        return Pending(seat, rule, "way", options, least, most, None, *told, span=op.span)
    form, kind = ("one", op.type) if op.least is None else ("several", element(op))
    return Pending(seat, op.name, form, options, least, most, kind, *how, (), values, (), clauses, rule, span=op.span)


def _settled(op: Question, options: tuple[Any, ...], least: int, most: int) -> bool:
    if takes_several(op):
        return most == 0 or least == most == len(options)
    return len(options) == 1


def _only_answer(op: Question, options: tuple[Any, ...], most: int) -> Any:
    return options[:most] if takes_several(op) else options[0]


def answer(m: Machine, frame: CallFrame, question: Pending, value: Any) -> None:
    """Give the question that waits its answer; the machine then stands behind it.

    Errors: `Refused` for things chosen together that keep an `only if` further on from being met.
    """
    op = gone_behind(m, frame)
    if m.setting.has_only_if and m.trial is None and takes_several(op):
        see_taken(m, op, question, value)
    take(m, frame, op, question.seat, value, asked=True)


HANDLERS[ops.Ask] = _ask
HANDLERS[ops.AskWay] = _ask_way
