"""Functions of a plan as closures: what each expression and statement means, as `rulekit.compiler.plan.ir` says it.

A closure takes the frame of a call: what the function gives, its guard, parameters, locals, constants.  That of an
expression gives a value, an integer or a sequence; that of a statement gives None where control goes on behind it, else
the jump.  A sequence is a tuple, which nothing changes: whoever has it under another name keeps it as it was.

What the specification says never happens is asserted here: whoever runs a plan so also checks what it promises.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from operator import contains, eq, itemgetter
from typing import TYPE_CHECKING, Any

from attrs import define, field

from rulekit.compiler.plan import ir as p
from tests.plans.function_validator import INT, LEAST, MOST
from tests.plans.reals import Cells, hashed, reckoned

if TYPE_CHECKING:
    from tests.plans.evaluator import Evaluator

Frame = list[Any]
Value = Callable[[Frame], Any]
Act = Callable[[Frame], str | None]
Entries = tuple[int, ...]
Position = tuple[list[int], list[Entries]]
"""Words and lists."""
RESULT, GUARD, FIRST = range(3)
"""Places in a frame: what the function gives, its guard, the first of its parameters and locals."""
RETURN = "return"


class Unwound(Exception):
    """Leaves all functions up to one that catches the status; `whole`, from inside a try: the run."""

    def __init__(self, status: int, *, whole: bool = False) -> None:
        super().__init__(status)
        self.status, self.whole = status, whole


# ---------------------------------------------------------------- numbers and sequences


def _beyond(value: int) -> int:
    raise AssertionError(f"{value} is beyond 64 bits")


def _divisor(value: int) -> int:
    assert value, "a division by 0"
    return value


def _flag(value: int) -> int:
    assert value in (0, 1), f"{value} is no flag"
    return value


def _place(entries: Sequence[Any], place: int) -> int:
    """A place that must be there; Python would take one below 0 from behind."""
    assert 0 <= place < len(entries), f"there is no place {place} of {len(entries)}"
    return place


def _entry(entries: Sequence[Any], place: int) -> Any:
    return entries[_place(entries, place)]


def _found(entries: Entries, item: int) -> int:
    return entries.index(item) if item in entries else -1


def _places(first: int, mask: int) -> Entries:
    assert mask >= 0, f"a mask of {mask}"
    return tuple(first + place for place in range(mask.bit_length()) if mask >> place & 1)


def _alike(left: Entries, right: Entries) -> bool:
    return sorted(left) == sorted(right)


def _with(entries: Entries, place: int, value: int) -> Entries:
    return (*entries[:place], value, *entries[place:])


def _without(entries: Entries, place: int) -> Entries:
    return entries[: _place(entries, place)] + entries[place + 1 :]


def _sorted(width: int, entries: Entries, keys: Entries) -> Entries:
    assert len(keys) == width * len(entries), f"{len(keys)} keys for {len(entries)} entries"
    places = sorted(range(len(entries)), key=lambda place: keys[place * width : place * width + width])
    return tuple(entries[place] for place in places)


# ---------------------------------------------------------------- storage


@define(eq=False)
class Storage:
    """The words, lists, sums and cells of a plan."""

    plan: p.Plan
    words: list[int] = field(factory=list, init=False)
    lists: list[Entries] = field(factory=list, init=False)
    sums: list[int] = field(init=False)
    cells: Cells = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.sums = list(self.plan.sums)
        self.cells = Cells(self.plan.cells)

    def position(self) -> Position:
        return self.words[:], self.lists[:]

    def restore(self, position: Position, kept: int = 0) -> None:
        """As it was, but for the last words that are `kept`."""
        words, lists = position
        undone = len(words) - kept
        self.words[:undone] = words[:undone]
        self.lists[:] = lists

    def store(self, at: int, value: int) -> None:
        self.words[_place(self.words, at)] = value

    def sum(self, manner: str, at: int, value: int) -> None:
        old = _entry(self.sums, at)
        made = {"+": old + value, "min": min(old, value), "max": max(old, value)}[manner]
        self.sums[at] = made if LEAST <= made <= MOST else _beyond(made)

    def add(self, number: int, value: int) -> None:
        self.fill(number, (*_entry(self.lists, number), value))

    def take(self, number: int, at: int) -> None:
        self.fill(number, _without(_entry(self.lists, number), at))

    def put(self, number: int, at: int, value: int) -> None:
        self.fill(number, _with(_without(_entry(self.lists, number), at), at, value))

    def move(self, number: int, start: int, end: int) -> None:
        entries = _entry(self.lists, number)
        assert 0 <= end <= start, f"moved from {start} behind it, to {end}"
        self.fill(number, _with(_without(entries, start), end, entries[start]))

    def fill(self, number: int, entries: Entries) -> None:
        room = self.plan.rooms[_place(self.lists, number)]
        assert len(entries) <= room, f"list {number} is beyond its room"
        self.lists[number] = entries


# ---------------------------------------------------------------- functions


@define(eq=False)
class Code:
    """One function as closures.  places: of parameters and locals in a frame."""

    machine: Evaluator
    function: p.Function
    places: dict[str, int] = field(init=False)
    run: Act = field(init=False)
    _more: Frame = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._more = [0 if kind == INT else () for _, kind in self.function.locals]
        names = [name for name, _ in (*self.function.params, *self.function.locals)]
        self.places = {name: place for place, name in enumerate(names, FIRST)}
        self.run = self.body(self.function.body)

    def frame(self, args: Iterable[Any]) -> Frame:
        """Of a call that begins: its integers are 0 and its sequences empty."""
        return [None, None, *args, *self._more]

    def gone_on(self, frame: Frame) -> Frame:
        """Of a call that goes on: those that are brief begin anew."""
        for name in self.function.brief:
            frame[self.places[name]] = self._more[self.places[name] - FIRST - len(self.function.params)]
        return frame

    def always(self, value: Any) -> Value:
        """A constant, which stands in the frame."""
        self._more.append(value)
        return itemgetter(FIRST + len(self.function.params) + len(self._more) - 1)

    def value(self, expr: p.Expr | None) -> Value:
        return self.always(None) if expr is None else _VALUES[type(expr)](self, expr)

    def applied(self, function: Callable[..., Any], *operands: p.Expr | None) -> Value:
        """What a function of Python gives for the values of some expressions."""
        values = [self.value(operand) for operand in operands]
        if len(values) == 1:
            (one,) = values
            return lambda frame: function(one(frame))
        if len(values) == 2:
            left, right = values
            return lambda frame: function(left(frame), right(frame))
        return lambda frame: function(*[value(frame) for value in values])

    def body(self, body: p.Body) -> Act:
        acts = [self.act(statement) for statement in body]
        if len(acts) < 2:
            return acts[0] if acts else self.always(None)

        def run(frame: Frame) -> str | None:
            for act in acts:
                jump = act(frame)
                if jump is not None:
                    return jump
            return None

        return run

    def act(self, statement: p.Statement) -> Act:
        if type(statement) in _CONTROL:
            return _CONTROL[type(statement)](self, statement)
        made, local = _STATEMENTS[type(statement)](self, statement), getattr(statement, "local", None)
        return made if local is None else _sets(self.places[local], made)


def _choice(test: Value, then: Value, other: Value) -> Value:
    return lambda frame: then(frame) if test(frame) else other(frame)


def _held(entries: Sequence[Any], at: p.Expr, place: Value) -> Value:
    """An entry of what always stands there; a constant place has been looked at by the validator."""
    if isinstance(at, p.Const):
        known = at.value
        return lambda frame: entries[known]
    return lambda frame: _entry(entries, place(frame))


_BINARY: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda left, right: (
        lambda frame: value if LEAST <= (value := left(frame) + right(frame)) <= MOST else _beyond(value)
    ),
    "-": lambda left, right: (
        lambda frame: value if LEAST <= (value := left(frame) - right(frame)) <= MOST else _beyond(value)
    ),
    "*": lambda left, right: (
        lambda frame: value if LEAST <= (value := left(frame) * right(frame)) <= MOST else _beyond(value)
    ),
    "//": lambda left, right: (
        lambda frame: value if LEAST <= (value := left(frame) // _divisor(right(frame))) <= MOST else _beyond(value)
    ),
    "%": lambda left, right: lambda frame: left(frame) % _divisor(right(frame)),
    "<": lambda left, right: lambda frame: left(frame) < right(frame),
    "<=": lambda left, right: lambda frame: left(frame) <= right(frame),
    "==": lambda left, right: lambda frame: left(frame) == right(frame),
    "!=": lambda left, right: lambda frame: left(frame) != right(frame),
    "&": lambda left, right: lambda frame: _flag(left(frame)) and _flag(right(frame)),
    "|": lambda left, right: lambda frame: _flag(left(frame)) or _flag(right(frame)),
    "or": lambda left, right: lambda frame: left(frame) | right(frame),
    "min": lambda left, right: lambda frame: min(left(frame), right(frame)),
    "max": lambda left, right: lambda frame: max(left(frame), right(frame)),
}
_VALUES: dict[type, Callable[[Code, Any], Value]] = {
    p.Const: lambda code, e: code.always(e.value),
    p.Get: lambda code, e: itemgetter(code.places[e.local]),
    p.Pick: lambda code, e: _choice(code.value(e.test), code.value(e.then), code.value(e.other)),
    p.Binary: lambda code, e: _BINARY[e.op](code.value(e.left), code.value(e.right)),
    p.Not: lambda code, e: code.applied(lambda flag: 1 - _flag(flag), e.of),
    p.Word: lambda code, e: _held(code.machine.storage.words, e.at, code.value(e.at)),
    p.Entry: lambda code, e: _held(code.machine.plan.tables[e.table], e.at, code.value(e.at)),
    p.Cell: lambda code, e: code.applied(code.machine.storage.cells.get, e.at),
    p.Spent: lambda code, e: code.applied(lambda: code.machine.work),
    p.StepsLeft: lambda code, e: code.applied(code.machine.steps_left),
    p.Trying: lambda code, e: code.applied(lambda: int(code.machine.trial is not None)),
    p.Real: lambda code, e: code.applied(partial(reckoned, e.op), e.left, e.right),
    p.Hash: lambda code, e: code.applied(hashed, e.key, e.value),
    p.Row: lambda code, e: _held(code.machine.plan.rows[e.table], e.at, code.value(e.at)),
    p.Bits: lambda code, e: code.applied(partial(_places, e.first), e.mask),
    p.Stored: lambda code, e: _held(code.machine.storage.lists, e.list, code.value(e.list)),
    p.Item: lambda code, e: code.applied(_entry, e.of, e.at),
    p.Size: lambda code, e: code.applied(len, e.of),
    p.Has: lambda code, e: code.applied(contains, e.of, e.item),
    p.Find: lambda code, e: code.applied(_found, e.of, e.item),
    p.Alike: lambda code, e: code.applied(eq if e.ordered else _alike, e.left, e.right),
}


# ---------------------------------------------------------------- statements


def _sets(place: int, value: Value) -> Act:
    def sets(frame: Frame) -> None:
        frame[place] = value(frame)

    return sets


def _returns(code: Code, s: p.Return) -> Act:
    value = code.value(s.value)

    def returns(frame: Frame) -> str:
        frame[RESULT] = value(frame)
        return RETURN

    return returns


def _block(code: Code, s: p.Block) -> Act:
    body, leaves = code.body(s.body), f"break {s.label}"

    def block(frame: Frame) -> str | None:
        jump = body(frame)
        return None if jump == leaves else jump

    return block


def _loop(code: Code, s: p.Loop) -> Act:
    body, leaves, again = code.body(s.body), f"break {s.label}", f"again {s.label}"

    def loop(frame: Frame) -> str | None:
        while True:
            jump = body(frame)
            if jump is not None and jump != again:
                return None if jump == leaves else jump

    return loop


def _through(code: Code, s: p.Each | p.Count, values: Value) -> Act:
    place, body, leaves, again = code.places[s.local], code.body(s.body), f"break {s.label}", f"again {s.label}"

    def loop(frame: Frame) -> str | None:
        for frame[place] in values(frame):
            jump = body(frame)
            if jump is not None and jump != again:
                return None if jump == leaves else jump
        return None

    return loop


def _numbers(low: int, high: int) -> range:
    return range(low, high + 1)


_CONTROL: dict[type, Callable[[Code, Any], Act]] = {
    p.If: lambda code, s: _choice(code.value(s.test), code.body(s.then), code.body(s.other)),
    p.Block: _block,
    p.Loop: _loop,
    p.Each: lambda code, s: _through(code, s, code.value(s.of)),
    p.Count: lambda code, s: _through(code, s, code.applied(_numbers, s.low, s.high)),
    p.Break: lambda code, s: code.always(f"break {s.label}"),
    p.Again: lambda code, s: code.always(f"again {s.label}"),
    p.Return: _returns,
}
_STATEMENTS: dict[type, Callable[[Code, Any], Value]] = {
    p.Set: lambda code, s: code.value(s.value),
    p.New: lambda code, s: code.always(()),
    p.Copy: lambda code, s: code.value(s.of),
    p.Push: lambda code, s: code.applied(lambda entries, value: (*entries, value), p.Get(s.local), s.value),
    p.Drop: lambda code, s: code.applied(_without, p.Get(s.local), s.at),
    p.Sort: lambda code, s: code.applied(partial(_sorted, s.width), p.Get(s.local), s.keys),
    p.Store: lambda code, s: code.applied(code.machine.storage.store, s.at, s.value),
    p.Sum: lambda code, s: code.applied(partial(code.machine.storage.sum, s.manner), s.at, s.value),
    p.SetCell: lambda code, s: code.applied(code.machine.storage.cells.set, s.at, s.value),
    p.Add: lambda code, s: code.applied(code.machine.storage.add, s.list, s.value),
    p.Take: lambda code, s: code.applied(code.machine.storage.take, s.list, s.at),
    p.Put: lambda code, s: code.applied(code.machine.storage.put, s.list, s.at, s.value),
    p.Move: lambda code, s: code.applied(code.machine.storage.move, s.list, s.start, s.end),
    p.Fill: lambda code, s: code.applied(code.machine.storage.fill, s.list, s.of),
    p.Do: lambda code, s: code.applied(partial(code.machine.do, s.function, s.local is not None), *s.args),
    p.Unwind: lambda code, s: code.applied(code.machine.unwind, s.status),
    p.Fail: lambda code, s: code.applied(code.machine.fail, s.status),
    p.Spend: lambda code, s: code.applied(partial(code.machine.spend, s.checked), s.steps),
    p.Apart: lambda code, s: code.applied(partial(code.machine.apart, s.ends), s.begun),
    p.Draw: lambda code, s: code.applied(partial(code.machine.draw, s.stream), s.n),
    p.Ask: lambda code, s: code.applied(partial(code.machine.ask, s.ask), s.seat, s.options, s.among),
    p.AskSeveral: lambda code, s: code.applied(
        partial(code.machine.ask_several, s.ask), s.seat, s.options, s.least, s.most, s.nothing
    ),
    p.Noted: lambda code, s: code.applied(code.machine.note, s.answer),
    p.Live: lambda code, s: lambda frame: code.machine.live(frame[GUARD], s.on),
    p.Try: lambda code, s: code.applied(partial(code.machine.tried, s.function), *s.args),
    p.Feasible: lambda code, s: code.applied(code.machine.feasible, s.options),
}
"""A statement with a local sets that to the value given here; the others give nothing."""
