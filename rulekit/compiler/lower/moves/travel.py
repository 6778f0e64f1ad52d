"""Lower moves on tracks and courses, moves to a named space, and swaps.

A journey is one addition where nothing can stop or turn it, else a loop step by step.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.analysis.abstract_interpretation import (
    element_interval,
    element_maybe,
    interval_of,
    may_be_nothing,
)
from rulekit.compiler.lower.analysis.intervals import places_of, space_bounds
from rulekit.compiler.lower.builder.ir_builder import ANY, GRID, OPS, Builder, Interval
from rulekit.compiler.lower.expressions.scalars import home_of, not_nothing
from rulekit.compiler.lower.moves.arrival import arrive
from rulekit.compiler.lower.moves.piles import put
from rulekit.compiler.lower.moves.placement import place_piece
from rulekit.compiler.lower.moves.spaces import for_place_of, has_room, past_edge
from rulekit.compiler.lower.storage.non_null import variables_named
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, binary, same, word
from rulekit.model import game as model
from rulekit.model import ops


def _move_piece(m: Builder, op: ops.MovePiece) -> None:
    space = m.value(op.to)
    names, maybe, known = places_of(m, op.piece), may_be_nothing(m, op.to), interval_of(m, op.to)
    if op.many:
        space = m.atom(space)
    _each_moved(m, op, lambda piece: move_to(m, names, piece, space, maybe, known))


def _each_moved(m: Builder, op: ops.MovePiece | ops.GoHome, move: Callable[[p.Expr], None]) -> None:
    """Move one piece, or several one after the other; none of them may be nothing."""
    if not op.many:
        move(not_nothing(m, op.piece))
        return
    maybe = element_maybe(m, op.piece)

    def one(piece: p.Expr) -> None:
        if maybe:
            m.fault(same(piece, NOTHING), "of-nothing")
        move(piece)

    m.each_in(p.Get(m.held(op.piece)), one)


def move_to(m: Builder, names: list[str], piece: p.Expr, space: p.Expr, maybe: bool, known: Interval) -> None:
    """Move a piece to a space, after a check that it is on the board.

    names:  the possible places of the piece; maybe: whether `space` may be nothing; known: its bounds.
    """
    piece, space = m.atom(piece), m.atom(space)

    def here(place: model.Place) -> None:
        if place.form == "grid":
            arrive(m, place, piece, GRID["goal"](m, place, space), ZERO, moved=False)
            return
        if place.form == "track":
            beyond = binary("<", space, p.Const(place.low)) if known[0] < place.low else ZERO
            if place.high is not None and known[1] > place.high:
                beyond = binary("|", beyond, binary("<", p.Const(place.high), space))
            if maybe:
                beyond = binary("&", binary("!=", space, NOTHING), beyond)
            m.fault(beyond, "off-the-board")
        arrive(m, place, piece, space, ZERO, moved=False, known=known)

    for_place_of(m, names, piece, here)


def _go_home(m: Builder, op: ops.GoHome) -> None:
    names, bounds = places_of(m, op.piece), (element_interval if op.many else interval_of)(m, op.piece)
    _each_moved(m, op, lambda piece: _one_home(m, names, m.atom(piece), bounds))


def _one_home(m: Builder, names: list[str], piece: p.Expr, bounds: Interval) -> None:
    """Move one piece to its home; bounds: between which the number of the piece lies."""
    home = home_of(m, piece, bounds)
    known = (home.value, home.value) if isinstance(home, p.Const) else ANY
    move_to(m, names, piece, home, home == NOTHING or known == ANY, known)


# ---------------------------------------------------------------- journeys


def _travel(m: Builder, op: ops.Travel) -> None:
    piece = m.atom(not_nothing(m, op.piece))
    amount = not_nothing(m, op.amount)
    start = m.atom(word(m.storage.pieces, piece))
    if not variables_named(m.setting, op.piece) <= m.storage.always_placed:
        m.fault(same(start, NOTHING), "not-placed")
    by = m.atom(amount if op.way > 0 else binary("-", ZERO, amount))
    low, high = interval_of(m, op.amount)
    known = (low, high) if op.way > 0 else (-high, -low)
    for_place_of(m, places_of(m, op.piece), piece, lambda place: _along(m, op, place, piece, start, by, known))


def _along(
    m: Builder, op: ops.Travel, place: model.Place, piece: p.Expr, start: p.Expr, by: p.Expr, known: Interval
) -> None:
    way = m.atom(_direction(op, by))
    low, high = space_bounds(m, place.name)
    ends = low + known[0], high + known[1]
    if not (place.halts is not None or place.free_only or place.edge == "bounces"):
        arrive(m, place, piece, past_edge(m, place, binary("+", start, by), ends), way, moved=True)
        return
    end, last_way = _step_by_step(m, place, piece, start, by, way)
    arrive(m, place, piece, end, last_way, moved=True)


def _direction(op: ops.Travel, by: p.Expr) -> p.Expr:
    """The direction of a journey, 1 or -1; one of no steps has the direction that the rule says."""
    if isinstance(by, p.Const):
        return p.Const(op.way if by.value == 0 else 1 if by.value > 0 else -1)
    sure = binary("<=", ZERO, by) if op.way > 0 else binary("<", ZERO, by)
    return p.Pick(sure, ONE, p.Const(-1))


def _step_by_step(
    m: Builder, place: model.Place, piece: p.Expr, start: p.Expr, by: p.Expr, way: p.Expr
) -> tuple[p.Expr, p.Expr]:
    with m.uncounted():
        halts = None if place.halts is None else p.Get(m.held(place.halts))
    passed = m.costs.journey_step(place)
    space, left, turn = m.temp(), m.temp(), m.temp()
    m.emit(p.Set(space, start), p.Set(left, binary("max", by, binary("-", ZERO, by))), p.Set(turn, way))
    label = m.fresh("w")

    def step() -> None:
        m.emit(p.If(binary("<=", p.Get(left), ZERO), (p.Break(label),)))
        m.spend(passed)
        ahead = m.temp()
        m.emit(p.Set(ahead, binary("+", p.Get(space), p.Get(turn))))
        if place.edge == "bounces":
            back = (
                p.Set(turn, binary("-", ZERO, p.Get(turn))),
                p.Set(ahead, binary("+", p.Get(space), p.Get(turn))),
            )
            m.emit(p.If(binary("!=", past_edge(m, place, p.Get(ahead)), p.Get(ahead)), back))
        on = m.atom(past_edge(m, place, p.Get(ahead)))
        stays = binary("|", same(on, NOTHING), same(on, p.Get(space)))
        m.emit(p.If(stays, (p.Set(space, on), p.Break(label))), p.Set(space, on))
        fewer = p.Set(left, binary("-", p.Get(left), ONE))
        if place.free_only:
            m.when(has_room(m, place, p.Get(space), piece), lambda: m.emit(fewer))
        else:
            m.emit(fewer)
        if halts is not None:
            m.emit(p.If(p.Has(halts, p.Get(space)), (p.Break(label),)))

    m.emit(p.Loop(label, m.collect(step)))
    return p.Get(space), p.Get(turn)


# ---------------------------------------------------------------- changing places


def _swap(m: Builder, op: ops.Swap) -> None:
    left = m.atom(not_nothing(m, op.left))
    right = m.atom(not_nothing(m, op.right))
    here, there = m.atom(word(m.storage.pieces, left)), m.atom(word(m.storage.pieces, right))
    for_place_of(m, places_of(m, op.left), left, lambda place: place_piece(m, place, left, there, ZERO))
    for_place_of(m, places_of(m, op.right), right, lambda place: place_piece(m, place, right, here, ZERO))


def _swap_cards(m: Builder, op: ops.SwapCards) -> None:
    left = m.atom(not_nothing(m, op.left))
    right = m.atom(not_nothing(m, op.right))
    here, there = m.atom(m.lies(left)), m.atom(m.lies(right))
    m.fault(binary("|", binary("<", here, ZERO), binary("<", there, ZERO)), "not-placed")
    put(m, left, there)
    put(m, right, here)


OPS.update(
    {
        ops.MovePiece: _move_piece,
        ops.GoHome: _go_home,
        ops.Travel: _travel,
        ops.Swap: _swap,
        ops.SwapCards: _swap_cards,
    }
)
