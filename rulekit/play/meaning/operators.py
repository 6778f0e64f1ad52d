"""Meaning of operators: logic, numbers, comparing, counting, choosing between two, and calls of defines and words."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any

from rulekit import limits
from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model.set_sizes import size_parts
from rulekit.model.state_dependence import Reading, reading
from rulekit.model.traversal import parts
from rulekit.play.machine.closure_compilation import MEANING, WORDS, Inner, Meaning, Meanings, fail, spend
from rulekit.play.machine.memo import ENTRIES, memo_of
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning.reading import ordered_pile
from rulekit.play.state.cost_model import MEMBER, SCANNED
from rulekit.play.state.errors import LimitError

# ---------------------------------------------------------------- logic


def _not(c: Meanings, e: x.Not) -> Meaning:
    of = c.of(e.of)
    return lambda m: not of(m)


def _both(c: Meanings, e: x.Both) -> Meaning:
    left, right, steps = c.of(e.left), c.of(e.right), c.deferred_steps(e.right)
    if not steps:
        return lambda m: left(m) and right(m)

    def both(m: Machine) -> Inner:
        if not left(m):
            return False
        spend(m, steps)
        return right(m)

    return both


def _either(c: Meanings, e: x.Either) -> Meaning:
    left, right, steps = c.of(e.left), c.of(e.right), c.deferred_steps(e.right)
    if not steps:
        return lambda m: left(m) or right(m)

    def either(m: Machine) -> Inner:
        if left(m):
            return True
        spend(m, steps)
        return right(m)

    return either


def _choice(c: Meanings, e: x.Choice) -> Meaning:
    test, then, other = c.of(e.test), c.of(e.then), c.of(e.other)
    steps_then, steps_other = c.deferred_steps(e.then), c.deferred_steps(e.other)
    if not steps_then and not steps_other:
        return lambda m: then(m) if test(m) else other(m)

    def choice(m: Machine) -> Inner:
        chosen, steps = (then, steps_then) if test(m) else (other, steps_other)
        spend(m, steps)
        return chosen(m)

    return choice


# ---------------------------------------------------------------- numbers


def bounded(m: Machine, e: x.Expr, value: int) -> int:
    """A number; `LimitError` if it is beyond the limit for integers."""
    if -limits.INTEGER <= value <= limits.INTEGER:
        return value
    raise LimitError("number-too-large", f"a number beyond {limits.INTEGER}", e.span, m.cites(), m.rule())


_ARITHMETIC: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "mod": operator.mod,
}


def _arithmetic(c: Meanings, e: x.Arithmetic) -> Meaning:
    left_of, right_of, reckoned = c.of(e.left), c.of(e.right), _ARITHMETIC[e.op]
    divides = e.op in ("/", "mod")

    def arithmetic(m: Machine) -> Inner:
        left, right = left_of(m), right_of(m)
        if left is None or right is None:
            raise fail(m, e, "of-nothing", "nothing cannot be reckoned with")
        if divides and right == 0:
            raise fail(m, e, "division-by-zero", "division by zero")
        return bounded(m, e, reckoned(left, right))

    return arithmetic


def _negative(c: Meanings, e: x.Negative) -> Meaning:
    of = c.of(e.of)

    def negative(m: Machine) -> Inner:
        value = of(m)
        if value is None:
            raise fail(m, e, "of-nothing", "nothing cannot be reckoned with")
        return -value

    return negative


_COMPARE: dict[str, Callable[[int, int], bool]] = {
    "below": operator.lt,
    "above": operator.gt,
    "at least": operator.ge,
    "at most": operator.le,
}


def _compare(c: Meanings, e: x.Compare) -> Meaning:
    left_of, right_of, compared = c.of(e.left), c.of(e.right), _COMPARE[e.op]

    def compare(m: Machine) -> Inner:
        left, right = left_of(m), right_of(m)
        if left is None or right is None:
            raise fail(m, e, "of-nothing", "nothing cannot be compared with a number")
        return compared(left, right)

    def compare_with(m: Machine) -> Inner:
        left = left_of(m)
        if left is None:
            raise fail(m, e, "of-nothing", "nothing cannot be compared with a number")
        return compared(left, number)

    number: Any = e.right.value if isinstance(e.right, x.Const) else None
    return compare if number is None else compare_with


def _number(c: Meanings, of: x.Expr, *, is_exact: bool) -> Callable[[Machine], int]:
    """How many there are; of a pile, or of what was taken from one, everybody may know it."""
    items_of = c.of(of)
    sizes = () if isinstance(of, x.Local) else size_parts(c.setting.game, of, is_exact=is_exact)
    if not c.watched or sizes == (of,):
        return lambda m: len(items_of(m))
    noted = [c.of(part) for part in sizes if not isinstance(part, x.Element | x.Seats)]

    def unnoted(m: Machine) -> int:
        for read in noted:
            read(m)
        reads, m.reads = m.reads, None
        number = len(items_of(m))
        m.reads = reads
        return number

    return unnoted


def _count(c: Meanings, e: x.Count) -> Meaning:
    return _number(c, e.of, is_exact=True)


def _some(c: Meanings, e: x.Some) -> Meaning:
    found: Callable[[Machine], Any] = _number(c, e.of, is_exact=False) if c.watched else c.of(e.of)
    return (lambda m: not found(m)) if e.negate else (lambda m: bool(found(m)))


# ---------------------------------------------------------------- being the same


def same_row(m: Machine, thing: Inner) -> Inner:
    """What makes two things equal: the printed card they are copies of."""
    return None if thing is None else m.setting.row_of[thing]


def _sorted(items: Inner) -> list[Inner]:
    """The members of a set in one order, however they came."""
    return sorted(items, key=lambda item: (item is None, item))


_SAME: dict[str, Callable[[Machine, Inner, Inner], bool]] = {
    "plain": lambda m, left, right: left == right,
    "set": lambda m, left, right: _sorted(left) == _sorted(right),
    "things": lambda m, left, right: _sorted(same_row(m, i) for i in left) == _sorted(same_row(m, i) for i in right),
    "ordered set": lambda m, left, right: left == right,
    "ordered things": lambda m, left, right: [same_row(m, i) for i in left] == [same_row(m, i) for i in right],
}


def _same(c: Meanings, e: x.Same) -> Meaning:
    left, right, negate = c.of(e.left), c.of(e.right), e.negate
    if isinstance(e.right, x.Const) and e.how in ("plain", "thing"):
        return _same_as(c, e, e.right.value)
    if e.how == "plain":
        return (lambda m: left(m) != right(m)) if negate else (lambda m: left(m) == right(m))
    if e.how == "thing":
        return _same_thing(left, right, negate, c.setting.row_of)
    same = _SAME[e.how]
    if not c.is_measured(e):
        return lambda m: same(m, left(m), right(m)) != negate

    def measured(m: Machine) -> bool:
        one, other = left(m), right(m)
        spend(m, MEMBER * (len(one or ()) + len(other or ())))
        return same(m, one, other) != negate

    return measured


def _same_thing(left_of: Meaning, right_of: Meaning, negate: bool, row_of: Sequence[int]) -> Meaning:
    def same_thing(m: Machine) -> bool:
        left, right = left_of(m), right_of(m)
        if left is None or right is None:
            return (left is right) != negate
        return (row_of[left] == row_of[right]) != negate

    return same_thing


def _same_as(c: Meanings, e: x.Same, value: Inner) -> Meaning:
    """Equality with what is written in the rules."""
    left, negate, row_of = c.of(e.left), e.negate, c.setting.row_of
    if e.how == "thing" and value is not None:
        row = row_of[value]

        def same_thing(m: Machine) -> bool:
            thing = left(m)
            return (thing is not None and row_of[thing] == row) != negate

        return same_thing
    return (lambda m: left(m) != value) if negate else (lambda m: left(m) == value)


def written_range(e: x.Expr) -> tuple[int, ...] | None:
    """The numbers of a range whose ends stand in the rules; None for any other set."""
    if isinstance(e, x.Interval) and isinstance(e.low, x.Const) and isinstance(e.high, x.Const):
        first, last = e.low.value, e.high.value
        if isinstance(first, int) and isinstance(last, int) and last - first < limits.SET:
            return tuple(range(first, last + 1))
    return None


def _among(c: Meanings, e: x.Among) -> Meaning:
    if c.is_measured(e):
        return _measured_among(c, e)
    if e.how == "thing":
        return _thing_among(c, e)
    left, negate, numbers = c.of(e.left), e.negate, written_range(e.right)
    return _in_range(left, numbers, negate) if numbers is not None else _in_set(left, c.of(e.right), negate)


def _measured_among(c: Meanings, e: x.Among) -> Meaning:
    """Membership in a set of unknown size, which is counted as searched."""
    left_of, right_of, negate, row_of = c.of(e.left), c.of(e.right), e.negate, c.setting.row_of

    def among(m: Machine) -> bool:
        left, right = left_of(m), right_of(m)
        spend(m, len(right) // SCANNED)
        if e.how != "thing":
            return (left in right) != negate
        row = None if left is None else row_of[left]
        return any(item is not None and row_of[item] == row for item in right) != negate

    return among


def _in_range(left: Meaning, numbers: tuple[int, ...], negate: bool) -> Meaning:
    return lambda m: (left(m) in numbers) != negate


def _in_set(left: Meaning, right: Meaning, negate: bool) -> Meaning:
    return lambda m: (left(m) in right(m)) != negate


def _thing_among(c: Meanings, e: x.Among) -> Meaning:
    """A printed thing stands for its copies, and they for it."""
    left, right, negate, row_of = c.of(e.left), c.of(e.right), e.negate, c.setting.row_of

    def thing_among(m: Machine) -> Inner:
        thing, things = left(m), right(m)
        row = None if thing is None else row_of[thing]
        for item in things:
            if item is not None and row_of[item] == row:
                return not negate
        return negate

    return thing_among


# ---------------------------------------------------------------- asking further


def _invoke(c: Meanings, e: x.Invoke) -> Meaning:
    define = c.setting.game.defines[e.define]
    args_of = arguments(c, e.args)
    value: Meaning | None = None
    elements: list[Inner] = []

    def invoke(m: Machine, args: list[Inner] | None = None) -> Inner:
        nonlocal value
        if args is None:
            args = args_of(m)
        if value is None:
            value = c.of(define.value)
            elements.extend([None] * queried(define.value))
            if c.setting.visits is not None:
                c.setting.visits.defines.add(e.define)
        outer_locals, outer_elements = m.locals, m.elements
        m.locals = args
        if elements:
            m.elements = elements.copy()
        m.in_define += 1
        if m.in_define > limits.DEFINES:
            m.out_of_depth()
        try:
            return value(m)
        finally:
            m.in_define -= 1
            m.locals, m.elements = outer_locals, outer_elements

    noted = c.watched or c.traced or c.setting.visits is not None
    reads = None if noted else reading(c.setting.game, e.define)
    return invoke if reads is None else _kept(invoke, _key(c, e), reads)


def _kept(
    invoke: Callable[[Machine, list[Inner]], Inner], key_of: Callable[[Machine], tuple[Inner, ...]], reads: Reading
) -> Meaning:
    """A define that comes to the same, after as many steps, whenever it is asked the same: for ever, or for now."""
    always_so: dict[Any, tuple[Inner, int]] = {}
    by_places, deepest = reads.places, limits.DEFINES - reads.calls - 1

    def kept(m: Machine) -> Inner:
        key = key_of(m)
        known = (m.memo or memo_of(m)) if by_places else always_so
        found = known.get(key)
        if found is None or m.in_define > deepest:
            begun = m.steps
            value = invoke(m, [*key[1:]])
            if len(known) < ENTRIES:
                known[key] = value, m.steps - begun
            return value
        value, steps = found
        if steps:
            spend(m, steps)
        return value

    return kept


def _key(c: Meanings, e: x.Invoke) -> Callable[[Machine], tuple[Inner, ...]]:
    """A define, with what it is handed."""
    number, several = e.define, c.each(e.args)
    match [_local_alone(c, arg) for arg in e.args]:
        case [int(one)]:
            return lambda m: (number, m.locals[one])
        case [int(one), int(other)]:
            return lambda m: (number, m.locals[one], m.locals[other])
    match several:
        case [only]:
            return lambda m: (number, only(m))
        case [first, second]:
            return lambda m: (number, first(m), second(m))
    return lambda m: (number, *[arg(m) for arg in several])


def _local_alone(c: Meanings, e: x.Expr) -> int | None:
    """The local that an expression reads if that is all it does, and nobody notes it."""
    return e.index if isinstance(e, x.Local) and not (c.watched or c.traced or e.is_set_or_none) else None


def queried(e: x.Expr) -> int:
    """How many elements the queries of an expression look at, one inside the other."""
    return max(getattr(part, "slot", -1) + 1 for part in parts(e))


def arguments(c: Meanings, args: tuple[x.Expr, ...]) -> Callable[[Machine], list[Inner]]:
    """The values that are handed over to what is called."""
    match [_local_alone(c, arg) for arg in args]:
        case [int(one)]:
            return lambda m: [m.locals[one]]
        case [int(one), int(other)]:
            return lambda m: [m.locals[one], m.locals[other]]
    several = c.each(args)
    match several:
        case [only]:
            return lambda m: [only(m)]
        case [first, second]:
            return lambda m: [first(m), second(m)]
    return lambda m: [arg(m) for arg in several]


def _in_order(c: Meanings, args: tuple[x.Expr, ...]) -> Callable[[Machine], list[Inner]]:
    """The same, where the order of the first one matters."""
    first, *others = args
    items_of, others_of = ordered_pile(c, first), arguments(c, tuple(others))
    return lambda m: [items_of(m), *others_of(m)]


def _builtin(c: Meanings, e: x.Builtin) -> Meaning:
    reads_order = builtin_signatures.WORDS[e.word].reads_order
    args_of, word = (_in_order if reads_order else arguments)(c, e.args), WORDS[e.word]

    def builtin(m: Machine) -> Inner:
        return word(m, e, args_of(m))

    return builtin


MEANING.update(
    {
        x.Not: _not,
        x.Both: _both,
        x.Either: _either,
        x.Choice: _choice,
        x.Arithmetic: _arithmetic,
        x.Negative: _negative,
        x.Compare: _compare,
        x.Count: _count,
        x.Some: _some,
        x.Same: _same,
        x.Among: _among,
        x.Invoke: _invoke,
        x.Builtin: _builtin,
    }
)
