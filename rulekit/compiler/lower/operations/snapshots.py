"""Snapshots for `secretly each`, where a block may read anything that others change there (fork-join).

Every block begins with a snapshot of the words and lists that a block may
change (fork); what it leaves is kept, and what differs from the snapshot is
merged when all have finished (join).  Nobody changes but the own, so merges
cannot conflict.
"""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import ONE, ZERO, Builder, Program, add, binary
from rulekit.compiler.lower.moves.occupancy_index import rebuild_index
from rulekit.compiler.plan import ir as p

PARTS = ("who", "words", "lists", "made_words", "made_lists")
"""The local sequences of a block: the seats that finished, the snapshot, and the results of each seat."""
BOTH = (("before", "list"), ("values", "list"))
"""Parameters: what is compared."""


def begin(m: Builder, place: int) -> None:
    """Take the snapshot for the block at a place."""
    who, words, lists, made_words, made_lists = _parts(m, place)
    m.emit(p.New(who), p.New(made_words), p.New(made_lists))
    m.emit(_call(m, words, "read_words"), _call(m, lists, "read_lists"))


def buffer(m: Builder, place: int, seat: p.Expr) -> None:
    """Keep all values as a seat's block has left them, and restore the snapshot."""
    who, words, lists, made_words, made_lists = _parts(m, place)
    now_words, now_lists, end = m.temp("list", "s"), m.temp("list", "s"), m.temp()
    m.emit(p.Push(who, seat), _call(m, now_words, "read_words"), _call(m, now_lists, "read_lists"))
    m.each_in(p.Get(now_words), lambda value: m.emit(p.Push(made_words, value)))
    m.each_in(p.Get(now_lists), lambda value: m.emit(p.Push(made_lists, value)))
    m.emit(_call(m, None, "write_words", p.Get(now_words), p.Get(words), ZERO))
    m.emit(_call(m, end, "write_lists", p.Get(now_lists), p.Get(lists), ZERO))
    _count(m)


def commit(m: Builder, place: int) -> None:
    """Merge what each block has changed, in the order in which the seats were asked."""
    who, words, lists, made_words, made_lists = _parts(m, place)
    at_words, at_lists = m.temp(), m.temp()
    m.emit(p.Set(at_words, ZERO), p.Set(at_lists, ZERO))

    def one(_: p.Expr) -> None:
        m.emit(_call(m, None, "write_words", p.Get(words), p.Get(made_words), p.Get(at_words)))
        m.emit(_call(m, at_lists, "write_lists", p.Get(lists), p.Get(made_lists), p.Get(at_lists)))
        m.emit(p.Set(at_words, p.Binary("+", p.Get(at_words), p.Size(p.Get(words)))))

    m.each_in(p.Get(who), one)
    _count(m)


def _parts(m: Builder, place: int) -> tuple[str, ...]:
    names = tuple(f"{part}{place}" for part in PARTS)
    m.types.update(dict.fromkeys(names, "list"))
    return names


def _call(m: Builder, into: str | None, name: str, *args: p.Expr) -> p.Do:
    return p.Do(into, m.program.function(name, lambda: _FUNCTIONS[name](m.program)), args)


def _count(m: Builder) -> None:
    """Rebuild the occupancy indexes, which follow from where the pieces stand."""
    if m.storage.boards:
        m.emit(p.Do(None, m.program.function("count_anew", lambda: rebuild_index(m.program)), ()))


# ---------------------------------------------------------------- words


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
    storage = program.storage
    return tuple(word for number, known in storage.known.items() for word in (known, storage.under.get(number, known)))


def _read_words(program: Program) -> p.Function:
    m = Builder(program, "read_words")
    values, numbers = m.new(), (*_own_words(program), *_order_words(program))
    m.each_in(program.row((numbers,), ZERO), lambda at: m.emit(p.Push(values, p.Word(at))))
    m.emit(p.Return(p.Get(values)))
    return m.function("", "list")


def _write_words(program: Program) -> p.Function:
    """Write those of the values from `at` on that differ from `before`."""
    m = Builder(program, "write_words")
    own, order = _own_words(program), _order_words(program)
    numbers, before, values = program.row(((*own, *order),), ZERO), p.Get("before"), p.Get("values")

    def differs(i: p.Expr) -> p.Expr:
        return binary("!=", p.Item(before, i), p.Item(values, binary("+", p.Get("at"), i)))

    def write(i: p.Expr) -> p.Statement:
        return p.Store(p.Item(numbers, i), p.Item(values, binary("+", p.Get("at"), i)))

    def both(pair: p.Expr) -> None:
        i = m.atom(add(binary("*", pair, p.Const(2)), p.Const(len(own))))
        m.emit(p.If(binary("|", differs(i), differs(add(i, ONE))), (write(i), write(add(i, ONE)))))

    m.each_number(ZERO, p.Const(len(own) - 1), lambda i: m.emit(p.If(differs(i), (write(i),))))
    m.each_number(ZERO, p.Const(len(order) // 2 - 1), both)
    return m.function("at", "", BOTH)


# ---------------------------------------------------------------- lists


def _numbers(program: Program) -> p.Expr:
    """The numbers of the lists of all variables."""
    storage, game = program.storage, program.setting.game
    bases = storage.list_base.items()
    found = [base + owner for index, base in bases for owner in range(program.setting.owners(game.variables[index]))]
    return program.row((tuple(found),), ZERO)


def _read_lists(program: Program) -> p.Function:
    """All lists as one sequence, each preceded by its size."""
    m = Builder(program, "read_lists")
    values = m.new()

    def one(number: p.Expr) -> None:
        m.emit(p.Push(values, p.Size(p.Stored(number))))
        m.each_in(p.Stored(number), lambda item: m.emit(p.Push(values, item)))

    m.each_in(_numbers(program), one)
    m.emit(p.Return(p.Get(values)))
    return m.function("", "list")


def _write_lists(program: Program) -> p.Function:
    """Write those of the lists from `at` on that differ from `before`; gives the end of the lists that were read."""
    m = Builder(program, "write_lists")
    old, new, at = m.temp("list", "s"), m.temp("list", "s"), m.temp()
    m.emit(p.Set(at, ZERO))

    def one(number: p.Expr) -> None:
        _take_one(m, old, "before", at)
        _take_one(m, new, "values", "at")
        same = p.Alike(p.Get(old), p.Get(new), True)
        m.emit(p.If(p.Not(same), (p.Fill(number, p.Get(new)),)))

    m.each_in(_numbers(program), one)
    m.emit(p.Return(p.Get("at")))
    return m.function("at", "int", BOTH)


def _take_one(m: Builder, name: str, source: str, at: str) -> None:
    """Copy the list that begins at a position, and advance the position behind it."""
    m.emit(p.New(name))
    size = m.atom(p.Item(p.Get(source), p.Get(at)))
    first = m.atom(binary("+", p.Get(at), ONE))
    m.each_number(
        ZERO, binary("-", size, ONE), lambda i: m.emit(p.Push(name, p.Item(p.Get(source), binary("+", first, i))))
    )
    m.emit(p.Set(at, binary("+", first, size)))


_FUNCTIONS = {
    "read_words": _read_words,
    "write_words": _write_words,
    "read_lists": _read_lists,
    "write_lists": _write_lists,
}
