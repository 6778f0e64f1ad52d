"""Snapshots for `secretly each`, where a block may read what others change there (fork-join).

Every block begins with a snapshot of all words and lists that a block may
change (fork); what it leaves is kept, and what differs from the snapshot is
merged when all have finished (join).  Nobody changes but the own, so merges
cannot conflict.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.moves.occupancy_index import rebuild_index
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, add, binary

PARTS = ("who", "before", "left")
"""The local sequences of a block: the seats that finished, the snapshot, and what each seat left."""


def begin(m: Builder, place: int) -> None:
    """Take the snapshot for the block at a place."""
    if place in m.aside:
        who, before, left = _parts(m, place)
        m.emit(p.New(who), p.New(left), _call(m, before, "read_values", _read_values))


def buffer(m: Builder, place: int, seat: p.Expr) -> None:
    """Keep all values as a seat's block has left them, and restore the snapshot."""
    if place not in m.aside:
        return
    who, before, left = _parts(m, place)
    now, end = m.temp("list", "s"), m.temp()
    m.emit(p.Push(who, seat), _call(m, now, "read_values", _read_values))
    m.each_in(p.Get(now), lambda value: m.emit(p.Push(left, value)))
    m.emit(_call(m, end, "write_values", _write_values, p.Get(now), p.Get(before), ZERO))
    _count(m)


def commit(m: Builder, place: int) -> None:
    """Merge what each block has changed, in the order in which the seats were asked."""
    if place not in m.aside:
        return
    who, before, left = _parts(m, place)
    at = m.temp()
    write = _call(m, at, "write_values", _write_values, p.Get(before), p.Get(left), p.Get(at))
    m.emit(p.Set(at, ZERO))
    m.each_in(p.Get(who), lambda _: m.emit(write))
    _count(m)


def _parts(m: Builder, place: int) -> tuple[str, ...]:
    names = tuple(f"{part}{place}" for part in PARTS)
    m.types.update(dict.fromkeys(names, "list"))
    return names


def _call(m: Builder, into: str, name: str, make: Callable[[Builder], p.Function], *args: p.Expr) -> p.Do:
    return p.Do(into, m.program.function(name, lambda: make(Builder(m.program, name))), args)


def _count(m: Builder) -> None:
    """Rebuild the occupancy indexes, which follow from where the pieces stand."""
    if m.storage.boards:
        m.emit(p.Do(None, m.program.function("count_anew", lambda: rebuild_index(m.program)), ()))


# ---------------------------------------------------------------- what is put aside


def _own_words(program: Program) -> tuple[int, ...]:
    """The words that a block may change one by one: variables, and the positions of pieces and copies."""
    storage, setting = program.storage, program.setting
    found: list[int] = []
    for index, base in storage.word_base.items():
        found += range(base, base + setting.owners(setting.game.variables[index]))
    for piece in setting.piece_slot:
        found += [storage.pieces + piece] if storage.gone is None else [storage.pieces + piece, storage.gone + piece]
    return (*found, *(storage.lies + copy for copy in range(setting.copy_base, len(setting.things))))


def _order_words(program: Program) -> tuple[int, ...]:
    """The words about the order of shuffled piles, two for each; the two are merged together."""
    under = program.storage.under
    return tuple(word for number, first in program.storage.known.items() for word in (first, under.get(number, first)))


def _lists(program: Program) -> p.Expr:
    """The numbers of the lists of all variables."""
    return program.row((tuple(program.storage.list_of.values()),), ZERO)


def _read_values(m: Builder) -> p.Function:
    """All words, then all lists, each preceded by its size."""
    values, numbers = m.new(), (*_own_words(m.program), *_order_words(m.program))
    m.each_in(m.program.row((numbers,), ZERO), lambda at: m.emit(p.Push(values, p.Word(at))))

    def one(number: p.Expr) -> None:
        m.emit(p.Push(values, p.Size(p.Stored(number))))
        m.each_in(p.Stored(number), lambda item: m.emit(p.Push(values, item)))

    m.each_in(_lists(m.program), one)
    m.emit(p.Return(p.Get(values)))
    return m.function("", "list")


def _write_values(m: Builder) -> p.Function:
    """Write those of the values from `at` on that differ from `before`; gives the end of those that were read."""
    own, order = _own_words(m.program), _order_words(m.program)
    numbers, before, values = m.program.row(((*own, *order),), ZERO), p.Get("before"), p.Get("values")

    def differs(i: p.Expr) -> p.Expr:
        return binary("!=", p.Item(before, i), p.Item(values, binary("+", p.Get("at"), i)))

    def write(i: p.Expr) -> p.Statement:
        return p.Store(p.Item(numbers, i), p.Item(values, binary("+", p.Get("at"), i)))

    def both(pair: p.Expr) -> None:
        i = m.atom(add(binary("*", pair, p.Const(2)), p.Const(len(own))))
        m.emit(p.If(binary("|", differs(i), differs(add(i, ONE))), (write(i), write(add(i, ONE)))))

    m.each_number(ZERO, p.Const(len(own) - 1), lambda i: m.emit(p.If(differs(i), (write(i),))))
    m.each_number(ZERO, p.Const(len(order) // 2 - 1), both)
    old, new, at = m.temp("list", "s"), m.temp("list", "s"), m.temp()
    words = p.Const(len(own) + len(order))
    m.emit(p.Set(at, words), p.Set("at", add(p.Get("at"), words)))

    def one(number: p.Expr) -> None:
        _take_one(m, old, "before", at)
        _take_one(m, new, "values", "at")
        same = p.Alike(p.Get(old), p.Get(new), True)
        m.emit(p.If(p.Not(same), (p.Fill(number, p.Get(new)),)))

    m.each_in(_lists(m.program), one)
    m.emit(p.Return(p.Get("at")))
    return m.function("at", "int", (("before", "list"), ("values", "list")))


def _take_one(m: Builder, name: str, source: str, at: str) -> None:
    """Copy the list that begins at a position, and advance the position behind it."""
    m.emit(p.New(name))
    size = m.atom(p.Item(p.Get(source), p.Get(at)))
    first = m.atom(binary("+", p.Get(at), ONE))
    last = binary("-", size, ONE)
    m.each_number(ZERO, last, lambda i: m.emit(p.Push(name, p.Item(p.Get(source), binary("+", first, i)))))
    m.emit(p.Set(at, binary("+", first, size)))
