"""Lower moves of cards from pile to pile, and removals from the game.

The pile in which each copy lies is kept in a word (a back reference), as far
as anything reads it.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.analysis.abstract_interpretation import interval_of
from rulekit.compiler.lower.builder.ir_builder import ANY, OPS, Builder, Interval
from rulekit.compiler.lower.expressions.scalars import not_nothing
from rulekit.compiler.lower.expressions.sequences import list_number, target_list
from rulekit.compiler.lower.expressions.shuffling import (
    if_counted,
    known_word,
    note_added,
    note_laid_on,
    note_taken,
    under_word,
)
from rulekit.compiler.lower.moves import ownership_checks
from rulekit.compiler.lower.moves.occupancy_index import put_piece
from rulekit.compiler.lower.moves.spaces import for_place_of
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.values import evolve


def _move_to_pile(m: Builder, op: ops.MoveToPile) -> None:
    if op.ahead:
        _move_ahead(m, op)
        return
    if isinstance(op.things, x.Stored) and m.setting.game.variables[op.things.variable].form == "pile":
        _pour(m, list_number(m, op.things.variable, op.things.of), op.things.variable, target_list(m, op.to))
        return
    if isinstance(op.things, x.Union) and _are_two_piles(m, op.things):
        # No copy lies in both, so what is moved one after the other is what is moved together.
        for part in (op.things.left, op.things.right):
            _move_to_pile(m, evolve(op, things=part))
        return
    if op.many:
        things, pile = m.held(op.things), target_list(m, op.to)
        m.each_in(p.Get(things), lambda thing: put(m, thing, pile))
        return
    thing = m.atom(not_nothing(m, op.things))
    lies = m.lying.get(op.things.index) if isinstance(op.things, x.Local) else None
    put(m, thing, target_list(m, op.to), interval_of(m, op.things), lies)


def _move_ahead(m: Builder, op: ops.MoveToPile) -> None:
    """Put things before all that lies in a pile: the last of them first, so that they keep their order."""
    pile = target_list(m, op.to)
    if not op.many:
        put(m, m.atom(not_nothing(m, op.things)), pile, interval_of(m, op.things), ahead=True)
        return
    things, size = m.held(op.things), m.temp()
    m.emit(p.Set(size, p.Size(p.Get(things))))

    def one(number: p.Expr) -> None:
        thing = m.atom(p.Item(p.Get(things), binary("-", p.Get(size), number)))
        put(m, thing, pile, ahead=True)

    m.each_number(ONE, p.Get(size), one)


def _are_two_piles(m: Builder, e: x.Union) -> bool:
    """Whether it is two piles whose order is always known: to put others together may take chance to order them."""
    parts = (e.left, e.right)
    return not m.is_measured(e) and all(
        isinstance(one, x.Stored) and one.variable not in m.storage.shuffled for one in parts
    )


def _pour(m: Builder, source: p.Expr, variable: int, pile: p.Expr) -> None:
    """Move a whole pile onto another one, keeping its order."""
    source = m.atom(source)
    ownership_checks.check_list(m, pile)
    m.when(binary("<", ZERO, p.Size(p.Stored(source))), lambda: ownership_checks.check_list(m, source))

    def all_things() -> None:
        note_added(m, pile, p.Size(p.Stored(source)))
        m.each_in(p.Stored(source), lambda thing: m.emit(p.Add(pile, thing)))
        m.each_in(p.Stored(source), lambda thing: m.note_lies(thing, pile))
        m.emit(p.Fill(source, m.program.row(((),), ZERO)))
        if variable in m.storage.shuffled:
            m.emit(p.Store(known_word(m, source), NOTHING))
            if_counted(m, under_word(m, source), lambda word: m.emit(p.Store(word, ZERO)))

    m.when(binary("!=", source, pile), all_things)


Lies = tuple[p.Expr, p.Expr]
"""The number of a list, and the position in it where a copy lies."""


def put(
    m: Builder, thing: p.Expr, pile: p.Expr, known: Interval = ANY, lies: Lies | None = None, *, ahead: bool = False
) -> None:
    """Move one copy from the pile in which it lies, if any, to the end of another; ahead: to its beginning.

    known:  the bounds of `thing`; lies: where it surely lies, if that is known.
    """
    if known[0] < m.setting.copy_base:
        m.fault(binary("<", thing, p.Const(m.setting.copy_base)), "not-a-copy")
    ownership_checks.check_list(m, pile)
    take_out(m, thing, lies)
    m.emit(p.Add(pile, thing))
    m.note_lies(thing, pile)
    if not ahead:
        note_added(m, pile, ONE)
        return
    m.emit(p.Move(pile, binary("-", p.Size(p.Stored(pile)), ONE), ZERO))
    note_laid_on(m, pile)


def take_out(m: Builder, thing: p.Expr, known: Lies | None = None) -> None:
    """Take a copy out of the pile in which it lies, if any; known: where it surely lies, if that is known."""
    lies = m.atom(m.lies(thing) if known is None else known[0])

    def out() -> None:
        ownership_checks.check_list(m, lies)
        at: p.Expr = p.Find(p.Stored(lies), thing) if known is None else known[1]
        if m.storage.known:
            at = m.atom(at)
        m.emit(p.Take(lies, at))
        if m.storage.known:
            note_taken(m, lies, at)

    m.when(binary("<=", ZERO, lies) if known is None else ONE, out)


def _remove(m: Builder, op: ops.Remove) -> None:
    def take_away(piece: p.Expr) -> None:
        assert m.storage.gone is not None
        ownership_checks.check_piece(m, piece)
        _off_the_board(m, piece)
        m.emit(p.Store(add(piece, p.Const(m.storage.gone)), ONE))

    _each_thing(m, op.pieces, op.many, take_away)


def _remove_cards(m: Builder, op: ops.RemoveCards) -> None:
    def take_away(card: p.Expr) -> None:
        m.fault(binary("<", card, p.Const(m.setting.copy_base)), "not-a-copy")
        take_out(m, card)
        m.note_lies(card, p.Const(-1))

    _each_thing(m, op.things, op.many, take_away)


def _each_thing(m: Builder, things: x.Expr, many: bool, do: Callable[[p.Expr], None]) -> None:
    if many:
        m.each_in(p.Get(m.held(things)), do)
    else:
        do(m.atom(not_nothing(m, things)))


def _off_the_board(m: Builder, piece: p.Expr) -> None:
    names = [name for name, pieces in m.setting.on_place.items() if pieces]
    for_place_of(m, names, piece, lambda place: put_piece(m, place, piece, NOTHING))


OPS.update({ops.MoveToPile: _move_to_pile, ops.Remove: _remove, ops.RemoveCards: _remove_cards})
