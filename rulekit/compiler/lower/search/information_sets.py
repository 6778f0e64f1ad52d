"""Information sets: what each seat sees of the storage by declaration, and the function that makes a key of it.

A seat's information set is the question, its options, what the seat sees of
the storage, the open answers since the search began and its own.  What was
revealed or told on the way is not in it: a set may be larger than it is, never
smaller.  Inside `secretly each` nothing of other seats is in it, as only these
things may have changed in the meantime.  In a game of perfect information the
answers alone tell one position from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from rulekit.compiler.lower.analysis.dependence import changed_apart
from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.search.tree import KNOWN, LINK, cell
from rulekit.compiler.lower.storage.layout import LISTED, Storage
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, add, binary
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.values import frozen

WORD, THING, SIZE, NUMBERS, THINGS, TOP = range(6)
"""How something is looked at: a word that is a number or a thing; how long a list is; all of a list, which are numbers
or things; its last thing."""
SHARED = -1
ASKED = (("number", "int"), ("seat", "int"), ("options", "list"))
"""Parameters: a question."""


@frozen
class Observable:
    """One word or list of which a seat sees something.

    number:  of the word or list.  owner: the seat that owns it, or SHARED, as of pieces that nobody moves in secret.
    """

    form: int
    number: int
    owner: int


@frozen
class Asking:
    """What of a question enters information sets.

    things: whether its options are things, of which copies are alike.  open: whether all learn the answer."""

    things: bool
    open: bool
    apart: bool


def asking(game: model.Game, question: p.Question) -> Asking:
    """What of a question enters information sets, as the rules declare it."""
    op = game.codes[question.code].ops[question.place]
    assert isinstance(op, ops.Ask | ops.AskWay)
    kind = getattr(op, "type", None)
    kind = getattr(kind, "element", None) or kind
    return Asking(getattr(kind, "name", "") == "thing", not (op.secretly or question.apart), question.apart)


def observables(storage: Storage, seat: int) -> Iterator[Observable]:
    """What a seat sees, as the rules declare who sees what."""
    setting = storage.setting
    yield Observable(WORD, storage.starter, SHARED)
    for index, variable in enumerate(setting.game.variables):
        for owner in range(setting.owners(variable)):
            of = owner if variable.owner == "player" else SHARED
            count = variable.count if variable.form == "group" else 1
            audience = setting.audiences[setting.bases[index] + owner * count]
            sees = audience is None or seat in audience
            if variable.form in LISTED:
                yield from _of_list(variable, storage.list_base[index] + owner, of, sees)
            elif sees and index in storage.word_base:
                form = THING if variable.type.name == "thing" else WORD
                yield Observable(form, storage.word_base[index] + owner, of)
    changed = changed_apart(setting.game)
    for piece, slot in setting.piece_slot.items():
        if setting.game.variables[setting.slot_variable[slot]].seen == model.PUBLIC:
            mover = setting.seat_of[slot] if setting.slot_variable[slot] in changed else None
            yield Observable(WORD, storage.pieces + piece, SHARED if mover is None else mover)


def _of_list(variable: model.Variable, number: int, owner: int, sees: bool) -> Iterator[Observable]:
    """Its size everybody sees."""
    yield Observable(SIZE, number, owner)
    if sees:
        whole = THINGS if variable.form == "pile" else NUMBERS
        yield Observable(TOP if variable.seen == model.TOP else whole, number, owner)


def question_flag(program: Program, flag: Callable[[Asking], bool]) -> p.Expr:
    """A flag of the question in the parameter `number`."""
    flags = (flag(asking(program.setting.game, question)) for question in program.asks)
    return program.entry(tuple(map(int, flags)) or (0,), p.Get("number"))


def as_printed(program: Program, thing: p.Expr) -> p.Expr:
    """A thing as a seat can tell it apart: the printed one."""
    rows = tuple(program.setting.row_of)
    if rows == tuple(range(len(rows))):
        return thing
    return p.Pick(binary("<=", ZERO, thing), program.entry(rows, thing), thing)


def as_seen(program: Program, value: p.Expr) -> p.Expr:
    """An option of the question in the parameter `number`, as the seat can tell it apart."""
    things = question_flag(program, lambda asked: asked.things)
    return p.Pick(things, as_printed(program, value), value) if things != ZERO else value


def information_set(program: Program) -> p.Function:
    """The key of a seat's information set at a question; where nothing is hidden, the link that leads to its node."""
    m = Builder(program, "search_key")
    if has_perfect_information(program):
        m.emit(p.Return(p.Cell(LINK)))
        return m.function("", "int", ASKED)
    key, seat = m.temp(), p.Get("seat")

    def mix(value: p.Expr) -> None:
        m.emit(p.Set(key, p.Hash(p.Get(key), value)))

    m.emit(p.Set(key, p.Hash(p.Get("number"), seat)))
    mix(p.Cell(p.Const(KNOWN)))
    m.each_in(p.Get("options"), lambda value: mix(as_seen(program, value)))
    mix(cell(KNOWN + 1, seat))
    for form in _MIXED:
        _each_observable(m, form, mix)
    m.emit(p.Return(p.Get(key)))
    return m.function("", "int", ASKED)


def has_perfect_information(program: Program) -> bool:
    """Whether the answers that all know lead to one position: there is no chance, and no answer is secret."""
    return not program.storage.streams and all(asking(program.setting.game, one).open for one in program.asks)


Mix = Callable[[p.Expr], None]
"""Lets a value enter a key."""


def _each_observable(m: Builder, form: int, mix: Mix) -> None:
    """A loop over all that the seat looks at in this form; of the seats' own only its own where it is asked apart."""
    seats = range(m.setting.players)
    seen = [[one for one in observables(m.storage, seat) if one.form == form] for seat in seats]
    apart = [[one for one in seen[seat] if one.owner in (SHARED, seat)] for seat in seats]
    rows = tuple(tuple(one.number for one in ones) for ones in (*seen, *apart))
    if any(rows):
        is_apart = binary("*", question_flag(m.program, lambda asked: asked.apart), p.Const(len(seats)))
        m.each_in(m.program.row(rows, add(p.Get("seat"), is_apart)), lambda at: _MIXED[form](m, at, mix))


def _things(m: Builder, at: p.Expr, mix: Mix) -> None:
    m.each_in(p.Stored(at), lambda thing: mix(as_printed(m.program, thing)))


def _top(m: Builder, at: p.Expr, mix: Mix) -> None:
    size = m.atom(p.Size(p.Stored(at)))
    last = p.Item(p.Stored(at), binary("-", size, ONE))
    m.when(binary("<", ZERO, size), lambda: mix(as_printed(m.program, m.atom(last))))


_MIXED: dict[int, Callable[[Builder, p.Expr, Mix], Any]] = {
    WORD: lambda m, at, mix: mix(p.Word(at)),
    THING: lambda m, at, mix: mix(as_printed(m.program, m.atom(p.Word(at)))),
    SIZE: lambda m, at, mix: mix(p.Size(p.Stored(at))),
    NUMBERS: lambda m, at, mix: m.each_in(p.Stored(at), mix),
    THINGS: _things,
    TOP: _top,
}
"""How an observable enters a key, by its form.  Sizes go before what is in the lists, so that no two of them mix."""
