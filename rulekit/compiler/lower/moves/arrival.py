"""Lower the arrival of a piece on a space that may be full: one plan function for each place, made on demand."""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import ANY, Builder, Interval, Program
from rulekit.compiler.lower.moves.full_spaces import (
    always_gives_way,
    come_to_rest,
    count_turn,
    holds_one,
    on_full_space,
    place_number,
    with_turns,
)
from rulekit.compiler.lower.moves.placement import place_piece
from rulekit.compiler.lower.moves.spaces import bounds_of, capacity_of, each_piece, is_among, occupants
from rulekit.compiler.passes.dead_stores import without_dead_stores
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ZERO, binary, negation, same, word
from rulekit.model import game as model


def arrive(
    m: Builder, place: model.Place, piece: p.Expr, space: p.Expr, way: p.Expr, *, moved: bool, known: Interval = ANY
) -> None:
    """Put a piece on a space, or do what its place says where that is full.

    way:    the direction it comes from, 0 for none; moved: whether it travelled.
    known:  the bounds of `space` on a track.
    """
    if not place.capacity:
        place_piece(m, place, piece, space, p.Const(int(moved)))
        return

    def with_others() -> None:
        name = f"arrive_{place_number(m, place)}"
        m.program.function(name, lambda: _arrive_function(m.program, name, place))
        m.emit(p.Do(None, name, (piece, space, way, p.Const(int(moved)))))

    if space == NOTHING or place.form == "grid":
        limited: p.Expr = p.Const(int(space != NOTHING))
    else:
        space = m.atom(space)
        limited = is_limited(m, place, space, known)
    m.when(limited, with_others, lambda: place_piece(m, place, piece, space, p.Const(int(moved))))


def is_limited(m: Builder, place: model.Place, space: p.Expr, known: Interval = ANY) -> p.Expr:
    """Whether a space holds a certain number of pieces only."""
    if isinstance(space, p.Const):
        inside = [spaces is None or space.value in spaces for spaces, _ in place.capacity]
        return p.Const(int(any(inside)))
    result: p.Expr = ZERO
    for spaces, _ in place.capacity:
        far = spaces is not None and (bounds_of(spaces)[1] < known[0] or known[1] < bounds_of(spaces)[0])
        result = result if far else binary("|", result, is_among(m, spaces, space))
    return result


def _arrive_function(program: Program, name: str, place: model.Place) -> p.Function:
    """Come to rest on a space, or follow the policy of a full one; a chain of pushes is a loop, not a recursion."""
    m = Builder(program, name)
    with_turns(m, lambda: _arrive_once(m, place))
    m.body = [*without_dead_stores(tuple(m.body))]
    return m.function("piece space way moved", origin=place.name)


def _arrive_once(m: Builder, place: model.Place) -> None:
    piece, space = p.Get("piece"), p.Get("space")
    if holds_one(place):
        _arrive_alone(m, place)
        return
    count_turn(m)
    m.when(same(space, NOTHING), lambda: come_to_rest(m, place))
    room = m.atom(capacity_of(m, place, space))
    m.when(same(room, NOTHING), lambda: come_to_rest(m, place))
    count, first = occupants(m, place, space, piece)
    m.when(binary("<", count, room), lambda: come_to_rest(m, place))
    m.fault(same(count, ZERO), "full")
    on_full_space(m, place, first)


def _arrive_alone(m: Builder, place: model.Place) -> None:
    """The same for a place whose limited spaces hold one piece each: at most one other piece stands there."""
    piece, space = p.Get("piece"), p.Get("space")
    if not always_gives_way(place):
        count_turn(m)
    m.when(negation(is_limited(m, place, space)), lambda: come_to_rest(m, place))
    first = _first_on(m, place, space, piece)
    m.when(same(first, NOTHING), lambda: come_to_rest(m, place))
    on_full_space(m, place, first)


def _first_on(m: Builder, place: model.Place, space: p.Expr, but: p.Expr) -> p.Expr:
    """The first other piece that stands on a space, or nothing."""
    first, label = m.temp(), m.fresh("f")

    def one(piece: p.Expr) -> None:
        here = binary("&", binary("!=", piece, but), same(word(m.storage.pieces, piece), space))
        m.emit(p.If(here, (p.Set(first, piece), p.Break(label))))

    m.emit(p.Set(first, NOTHING), p.Block(label, m.collect(lambda: each_piece(m, place, one))))
    return p.Get(first)
