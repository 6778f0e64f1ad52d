"""Chance operations: draws, rolls and shuffles; and the lazily decided order of a shuffled pile.

A shuffle decides nothing; the order is sampled when a rule first needs it.
Each single draw is one number of its stream, or one question to the caller
if the match has no seed.
"""

from __future__ import annotations

from typing import Any

from rulekit import limits
from rulekit.model import ops
from rulekit.play.machine.closure_compilation import HANDLERS, LEFT, Act, Meanings, NeedsOrder, meanings
from rulekit.play.machine.visibility import knowing_all, seeing
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.meaning.state_changes import forget_order, put_on_pile, target_slot
from rulekit.play.state import counter_rng
from rulekit.play.state.event import Told
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import CHANCE, Pending
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value
from rulekit.values import evolve


def pick(m: Machine, stream: str, n: int) -> int:
    """The next number below n of a stream; each stream counts its own draws."""
    assert m.setting.seed is not None
    then = m.setting.game.streams_then
    key = counter_rng.stream_key(m.setting.seed, stream if then is None else then(stream))
    value, m.streams[stream] = counter_rng.below(key, m.streams.get(stream, 0), n)
    return value


def _draw(c: Meanings, op: ops.Draw) -> Act:
    source, amount, kind = c.of(op.source), None if op.amount is None else c.of(op.amount), _element(op)

    def draw(m: Machine, frame: CallFrame) -> bool:
        items = source(m)
        wanted = 1 if amount is None else _said(m, amount(m))
        if amount is None and not items:
            raise m.error("no-answer", f"there is nothing to {op.verb} from")
        if op.replaced and wanted > limits.SET:
            raise m.error("set-too-large", f"at most {limits.SET} dice can be rolled at once")
        question = Pending(CHANCE, op.name, "chance", tuple(items), type=kind, wanted=wanted, stream=op.stream)
        _go_on(m, frame, evolve(question, replaced=op.replaced))
        return LEFT

    return draw


def _said(m: Machine, amount: Any) -> int:
    if amount is None:
        raise m.error("of-nothing", "it is not said how many")
    number: int = amount
    return number


def _element(op: ops.Draw) -> Any:
    kind: Any = op.type
    return kind.element if op.amount is not None else kind


def _deal(c: Meanings, op: ops.Deal) -> Act:
    source, amount, kind = c.of(op.source), c.of(op.amount), c.setting.game.variables[op.to.variable].type.element

    def deal(m: Machine, frame: CallFrame) -> bool:
        items, wanted = source(m), _said(m, amount(m))
        question = Pending(CHANCE, "dealt", "chance", tuple(items), type=kind, wanted=wanted, stream=op.stream)
        _go_on(m, frame, question)
        return LEFT

    return deal


def _check_untried(m: Machine, what: str) -> None:
    """RuleError where chance is needed by what is only tried, or by one of several who decide at the same time."""
    if m.trial is not None:
        raise m.error("trial", f"{what} cannot be tried")
    if m.branch is not None:
        raise m.error("trial", f"{what} cannot be used inside `secretly each`")


def _go_on(m: Machine, frame: CallFrame, question: Pending) -> None:
    """Draw what is still wanted; ask the caller where the match has no seed."""
    _check_untried(m, "chance")
    if m.setting.seed is not None:
        question = _draw_from_stream(m, question)
    while len(question.drawn) < question.wanted and question.options:
        if len(set(_rows(m.setting, question))) > 1:
            frame.pc -= 1
            m.pending = evolve(question, weights=(), clauses=m.cites(), rule=m.rule())
            return
        question = _taken(question, 0)
    _finish(m, frame, question)


def _draw_from_stream(m: Machine, question: Pending) -> Pending:
    """Draw all that is still wanted from the stream of the question, and return the question with it."""
    options, drawn = list(question.options), list(question.drawn)
    while len(drawn) < question.wanted and options:
        index = pick(m, question.stream, len(options))
        drawn.append(options[index] if question.replaced else options.pop(index))
    return evolve(question, options=tuple(options), drawn=tuple(drawn))


def _rows(setting: Setting, question: Pending) -> list[Any]:
    if question.type is None or question.type.name != "thing":
        return list(question.options)
    things: tuple[Any, ...] = question.options
    return [setting.row_of[thing] for thing in things]


def _taken(question: Pending, index: int) -> Pending:
    rest = question.options[:index] + question.options[index + 1 :]
    left = question.options if question.replaced else rest
    return evolve(question, options=left, drawn=(*question.drawn, question.options[index]))


def _finish(m: Machine, frame: CallFrame, question: Pending) -> None:
    op = m.op
    if isinstance(op, ops.Draw):
        drawn = question.drawn if op.amount is not None else question.drawn[0]
        frame.locals[op.local] = drawn
        if question.drawn:
            m.about(drawn)
            _tell_draw(m, op, question)
    elif isinstance(op, ops.Deal):
        put_on_pile(m, question.drawn, target_slot(meanings(m.setting), op.to)(m), "deal")
        if len(question.drawn) < question.wanted:
            m.about(question.drawn)
            m.emit("short", [Told("dealt", len(question.drawn)), Told("wanted", question.wanted)])


def _tell_draw(m: Machine, op: ops.Draw, question: Pending) -> None:
    shown: tuple[Value, ...] = tuple(outward(m.setting, question.type, item) for item in question.drawn)
    # What was drawn from a hidden pile is as hidden as the pile.
    things: tuple[Any, ...] = question.drawn if question.type.name == "thing" else ()
    audience = knowing_all(seeing(m, thing) for thing in things)
    m.emit(op.verb, [Told("what", op.name), Told("drawn", shown, audience, len(shown)), Told("from", op.stream)])


def answer(m: Machine, question: Pending, option: Any) -> None:
    """Chance's answer from outside: one thing among the options."""
    m.pending = None
    if question.pile is not None:
        _settle(m, question.pile, option)
        return
    frame = m.frames[-1]
    m.op = m.setting.game.codes[frame.code].ops[frame.pc]
    m.locals = frame.locals
    frame.pc += 1
    _go_on(m, frame, _taken(question, question.options.index(option)))


# ---------------------------------------------------------------- shuffled piles


def _shuffle(c: Meanings, op: ops.Shuffle) -> Act:
    slot_in = target_slot(c, op.pile)

    def shuffle(m: Machine, frame: CallFrame) -> None:
        slot = slot_in(m)
        m.check_write(slot)
        _check_untried(m, "chance")
        m.known[slot] = (0, 0)
        forget_order(m, slot)
        m.values[slot] = tuple(sorted(m.values[slot], key=lambda thing: (m.setting.row_of[thing], thing)))
        m.open_things -= set(m.values[slot])
        m.emit("shuffle", [Told("pile", m.setting.path(slot))])

    return shuffle


def decide_order(m: Machine, need: NeedsOrder) -> None:
    """Sample the next thing of a shuffled pile, or the whole order if it is needed; asks the caller without a seed."""
    _check_untried(m, "the order of a shuffled pile")
    slot = need.slot
    if need.whole and m.setting.seed is not None:
        _settle_all(m, slot)
        return
    for _ in range(len(_undecided(m, slot)) if need.whole else 1):
        if not _decide_next(m, slot, need.whole):
            return


def _undecided(m: Machine, slot: int) -> tuple[Any, ...]:
    top, under = m.known[slot]
    pile: tuple[Any, ...] = m.values[slot]
    return pile[top : len(pile) - under]


def _decide_next(m: Machine, slot: int, whole: bool) -> bool:
    """Decide one more; False if the caller must be asked first.  whole: the others are needed too."""
    rest = _undecided(m, slot)
    stream = m.setting.path(slot)
    if m.setting.seed is not None:
        _settle(m, slot, rest[pick(m, stream, len(rest))])
        return True
    if len({m.setting.row_of[thing] for thing in rest}) == 1:
        _settle(m, slot, rest[0])
        return True
    kind = m.setting.game.variables[m.setting.slot_variable[slot]].type.element
    m.pending = Pending(CHANCE, stream, "chance", rest, type=kind, stream=stream, pile=slot, rule=m.rule())
    m.pending = evolve(m.pending, wanted=len(rest) if whole else 1)
    return False


def _settle(m: Machine, slot: int, thing: Any) -> None:
    """Put a thing behind those already known."""
    pile, (top, under) = list(m.values[slot]), m.known[slot]
    pile.remove(thing)
    pile.insert(top, thing)
    m.values[slot] = tuple(pile)
    m.known[slot] = (top + 1, under)
    forget_order(m, slot)


def _settle_all(m: Machine, slot: int) -> None:
    """Sample the whole order of what is not decided, as `_decide_next` does one by one."""
    stream, rest, (top, under) = m.setting.path(slot), list(_undecided(m, slot)), m.known[slot]
    pile, chosen = m.values[slot], list[Any]()
    while rest:
        chosen.append(rest.pop(pick(m, stream, len(rest))))
    m.values[slot] = (*pile[:top], *chosen, *pile[len(pile) - under :])
    m.known[slot] = (top + len(chosen), under)
    forget_order(m, slot)


def weights(setting: Setting, question: Pending) -> tuple[tuple[Any, ...], tuple[int, ...]]:
    """Chance's options without those that nobody can tell apart, and how many each of them stands for."""
    rows = _rows(setting, question)
    first: dict[Any, Any] = {}
    count: dict[Any, int] = {}
    for row, option in zip(rows, question.options, strict=True):
        first.setdefault(row, option)
        count[row] = count.get(row, 0) + 1
    return tuple(first.values()), tuple(count.values())


HANDLERS.update({ops.Draw: _draw, ops.Deal: _deal, ops.Shuffle: _shuffle})
