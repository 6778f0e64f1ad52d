"""The offer: which numbers stand for which answers to a question, as a function of the plan.

Which number means what is said from outside (`Actions`); here it becomes tables.  Where two options have one number,
it means the first of them that is still free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from rulekit import limits
from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.compiler.plan.ir import Get
from rulekit.values import field, frozen

PAGE, COUNT, LACKING, PICKED = range(4)
"""Cells, see `ir.Drive`."""
CODES = PICKED + limits.OPTIONS
LARGEST_TABLE = 1 << 16
"""Entries of a table of numbers; options that lie further apart are told by their places."""
QUESTION = (("number", "int"), ("seat", "int"), ("options", "list"), ("least", "int"), ("most", "int"))


@frozen
class Block:
    """The numbers of one question.

    first:   of those that are places among what is offered now, if the question has such.
    by_value:  by option, as the storage has it, its number; None: by place.
    by_pile:  by thing and slot of the pile in which it lies, where things that read alike lie in several.
    alike:   by thing, one that reads alike; by which it is seen whether they do.
    """

    first: int
    by_value: Mapping[int, int] | None = None
    by_pile: Mapping[tuple[int, int], int] = field(factory=dict)
    alike: Mapping[int, int] = field(factory=dict)


@frozen
class Actions:
    """What numbers mean in all questions of a game.

    size:    how many numbers there are.  done: the one by which a set is complete.
    page:    how many options are told by their places at once; of more, first a page is chosen, by the number of its
             place behind these.
    blocks:  by code and place of the operation that asks.
    """

    size: int
    done: int
    page: int
    blocks: Mapping[tuple[int, int], Block]


def offer(program: Program, actions: Actions) -> p.Function:
    """Marks at a question what every number does now, see `ir.Drive`."""
    m = Builder(program, "drive_offer")
    several = tuple(int(question.form == "several") for question in program.asks)
    for numbers, block in _grouped(program, actions):
        inside = program.entry(tuple(int(n in numbers) for n in range(len(program.asks))), Get("number"))
        m.when(inside, partial(_offered, m, actions, block))
    if any(several):
        complete = binary("&", same(p.Cell(p.Const(PAGE)), p.Const(-1)), p.Binary("<=", Get("least"), _cell(COUNT)))
        test = binary("&", program.entry(several, Get("number")), complete)
        m.emit(p.If(test, (_mark(p.Const(actions.done), p.Const(p.COMPLETE)),)))
    return m.function("", others=QUESTION)


def _grouped(program: Program, actions: Actions) -> list[tuple[set[int], Block]]:
    """The questions that share their numbers, with these."""
    found: dict[int, tuple[set[int], Block]] = {}
    for number, question in enumerate(program.asks):
        block = actions.blocks[question.code, question.place]
        found.setdefault(id(block), (set(), block))[0].add(number)
    return list(found.values())


def _cell(number: int) -> p.Expr:
    return p.Cell(p.Const(number))


def _mark(action: p.Expr, code: p.Expr) -> p.Statement:
    return p.SetCell(add(action, p.Const(CODES)), code)


def _offered(m: Builder, actions: Actions, block: Block) -> None:
    if block.by_value is None:
        _by_place(m, actions, block)
        return
    whole = (ZERO, binary("-", p.Size(Get("options")), ONE))
    tell = _numbered(m, block)

    def one(place: p.Expr) -> None:
        action = tell(m.atom(p.Item(Get("options"), place)))
        known = binary("<=", ZERO, action)
        free = m.collect(lambda: _mark_first(m, action, place))
        m.emit(p.If(known, free, (p.SetCell(p.Const(LACKING), ONE),)))

    m.each_number(*whole, lambda place: _if_free(m, place, lambda: one(place)))


def _mark_first(m: Builder, action: p.Expr, place: p.Expr) -> None:
    unmarked = same(p.Cell(add(action, p.Const(CODES))), ZERO)
    m.emit(p.If(unmarked, (_mark(action, add(place, ONE)),)))


def _if_free(m: Builder, place: p.Expr, write: Callable[[], None]) -> None:
    """What is written counts where the option at a place was not chosen for a set already."""
    if not any(question.form == "several" for question in m.program.asks):
        write()
        return
    taken = m.called(m.program.function("drive_taken", lambda: _taken(m.program)), place)
    m.when(same(taken, ZERO), write)


def _taken(program: Program) -> p.Function:
    """Whether the option at a place was chosen for a set already."""
    m = Builder(program, "drive_taken")
    last = add(_cell(COUNT), p.Const(PICKED - 1))
    m.each_number(p.Const(PICKED), last, lambda at: m.emit(p.If(same(p.Cell(at), Get("place")), (p.Return(ONE),))))
    m.emit(p.Return(ZERO))
    return m.function("place", "int")


# ---------------------------------------------------------------- by place


def _by_place(m: Builder, actions: Actions, block: Block) -> None:
    last, page = binary("-", p.Size(Get("options")), ONE), p.Const(actions.page)
    chosen = m.atom(_cell(PAGE))
    low, high = m.temp(), m.temp()
    begin = binary("*", binary("max", chosen, ZERO), page)
    m.emit(p.Set(low, begin), p.Set(high, binary("min", last, add(Get(low), p.Const(actions.page - 1)))))

    def page_of(place: p.Expr) -> None:
        at = m.atom(binary("//", place, page))
        m.emit(_mark(add(at, p.Const(block.first + actions.page)), binary("-", p.Const(-1), at)))

    def itself(place: p.Expr) -> None:
        m.emit(_mark(add(binary("-", place, Get(low)), p.Const(block.first)), add(place, ONE)))

    def each(first: p.Expr, last: p.Expr, one: Callable[[p.Expr], None]) -> Callable[[], None]:
        return lambda: m.each_number(first, last, lambda place: _if_free(m, place, lambda: one(place)))

    many = binary("&", binary("<", chosen, ZERO), p.Binary("<=", page, last))
    m.when(many, each(ZERO, last, page_of), each(Get(low), Get(high), itself))


# ---------------------------------------------------------------- by value


def _numbered(m: Builder, block: Block) -> Callable[[p.Expr], p.Expr]:
    """What writes the number of an option, -1 for one that has none."""
    assert block.by_value is not None
    by_value = dict(block.by_value)
    nothing = p.Const(by_value.pop(p.NONE, -1))

    def tell(value: p.Expr) -> p.Expr:
        action = m.temp()
        m.emit(p.Set(action, nothing))
        there = m.collect(lambda: m.emit(p.Set(action, _of_value(m, by_value, value))))
        m.emit(p.If(binary("!=", value, NOTHING), there))
        if block.by_pile:
            _say_pile(m, block, value, action)
        return Get(action)

    return tell


def _of_value(m: Builder, by_value: Mapping[int, int], value: p.Expr) -> p.Expr:
    if not by_value:
        return p.Const(-1)
    low, high = min(by_value), max(by_value)
    if high - low < LARGEST_TABLE:
        return _tabled(m, {key - low: action for key, action in by_value.items()}, binary("-", value, p.Const(low)))
    pairs = {p.unpaired(key): action for key, action in by_value.items()}
    left, top = min(x for x, _ in pairs), min(y for _, y in pairs)
    rows = max(y for _, y in pairs) - top + 1
    if (max(x for x, _ in pairs) - left + 1) * rows > LARGEST_TABLE:
        raise Unsupported("a question whose answers lie so far apart, for matches that are driven")
    moved = m.atom(add(value, p.Const(p.pair(-left, -top))))
    column, row = m.atom(binary("//", moved, p.Const(p.WIDTH))), m.atom(binary("%", moved, p.Const(p.WIDTH)))
    table = {(x - left) * rows + y - top: action for (x, y), action in pairs.items()}
    found = _tabled(m, table, p.Binary("+", binary("*", column, p.Const(rows)), row))
    return p.Pick(p.Binary("<", row, p.Const(rows)), found, p.Const(-1))


def _tabled(m: Builder, table: Mapping[int, int], at: p.Expr) -> p.Expr:
    """The entry of a table of actions; -1 outside of it."""
    entries = tuple(table.get(number, -1) for number in range(max(table) + 1))
    at = m.atom(at)
    inside = binary("&", p.Binary("<=", ZERO, at), p.Binary("<", at, p.Const(len(entries))))
    return p.Pick(inside, m.program.entry(entries, at), p.Const(-1))


def _say_pile(m: Builder, block: Block, value: p.Expr, action: str) -> None:
    """Where another option reads alike and lies in another pile, the number is of this thing in its pile."""
    things = len(m.setting.things)
    alike = tuple(block.alike.get(thing, -1 - thing) for thing in range(things))
    other, lies, label = m.temp(), m.temp(), m.fresh("alike")

    def compare(option: p.Expr) -> None:
        m.emit(p.Set(other, option))
        reads_so = p.Pick(
            binary("<=", ZERO, Get(other)),
            same(m.program.entry(alike, Get(other)), m.program.entry(alike, value)),
            ZERO,
        )
        m.when(binary("&", reads_so, binary("!=", m.lies(Get(other)), Get(lies))), placed)

    def placed() -> None:
        m.emit(p.Set(action, _of_pile(m, block, value, Get(lies))), p.Break(label))

    def look() -> None:
        m.emit(p.Set(lies, m.lies(value)))
        m.each_in(Get("options"), compare)

    copy = binary("<=", p.Const(m.setting.copy_base), value)
    m.when(copy, lambda: m.emit(p.Block(label, m.collect(look))))


def _of_pile(m: Builder, block: Block, value: p.Expr, lies: p.Expr) -> p.Expr:
    """The number of a thing in a list of the storage."""
    base, width, lists = m.setting.copy_base, len(m.storage.lists), m.storage.list_of
    table = {
        (thing - base) * width + lists[slot]: action
        for (thing, slot), action in block.by_pile.items()
        if thing >= base and slot in lists
    }
    at = p.Binary("+", binary("*", binary("-", value, p.Const(base)), p.Const(width)), lies)
    return _tabled(m, table, at) if table else p.Const(-1)
