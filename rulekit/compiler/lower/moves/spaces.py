"""Lower what moves ask of places: dispatch on the place of a piece, the edge of a track, occupants, capacity."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import Any

from rulekit.compiler.lower.builder.ir_builder import ANY, Builder, Interval
from rulekit.compiler.lower.moves.occupancy_index import count_word, is_indexed
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, negation, same, word
from rulekit.model import expr as x
from rulekit.model import game as model


def for_place_of(m: Builder, names: list[str], piece: p.Expr, write: Callable[[model.Place], Any]) -> None:
    """Dispatch on the place of a piece: `write` is called for each place that is possible.

    names:  of the possible places; where there are several, a table by piece decides at run time.
    """
    place = m.setting.places[names[0]]
    if len(names) == 1:
        write(place)
        return
    pieces = set(m.setting.on_place[names[0]])
    table = tuple(int(thing in pieces) for thing in range(len(m.setting.things)))
    m.when(m.program.entry(table, piece), lambda: write(place), lambda: for_place_of(m, names[1:], piece, write))


# ---------------------------------------------------------------- the edge of a track


def past_edge(m: Builder, place: model.Place, space: p.Expr, known: Interval = ANY) -> p.Expr:
    """The space of a track where a piece comes to stand: beyond the end, what its edge says (leaves, wraps, stops).

    known:  the bounds of `space`.
    """
    if place.low <= known[0] and place.high is not None and known[1] <= place.high:
        return space
    return _EDGES[place.edge](m, place, space, known)


def may_stop(place: model.Place) -> bool:
    """Whether a piece that is sent beyond the edge of a track may stay on its space."""
    return place.edge != "leaves" and not (place.edge == "wraps" and place.high is not None and place.low < place.high)


def _stops(m: Builder, place: model.Place, space: p.Expr, known: Interval) -> p.Expr:
    if place.high is not None and known[1] > place.high:
        space = binary("min", space, p.Const(place.high))
    return binary("max", space, p.Const(place.low)) if known[0] < place.low else space


def _wraps(m: Builder, place: model.Place, space: p.Expr, known: Interval) -> p.Expr:
    """An open track has no other end to come in at: it stops."""
    if place.high is None:
        return _stops(m, place, space, known)
    low = p.Const(place.low)
    return add(binary("%", binary("-", space, low), p.Const(place.high - place.low + 1)), low)


def _leaves(m: Builder, place: model.Place, space: p.Expr, known: Interval) -> p.Expr:
    space = m.atom(space)
    beyond = binary("<", space, p.Const(place.low))
    if place.high is not None:
        beyond = binary("|", beyond, binary("<", p.Const(place.high), space))
    return p.Pick(beyond, NOTHING, space)


_EDGES: dict[str, Callable[[Builder, model.Place, p.Expr, Interval], p.Expr]] = {
    "stops": _stops,
    "bounces": _stops,
    "wraps": _wraps,
    "leaves": _leaves,
}
"""What an edge does with a space beyond it.  One that bounces turns journeys before; what is pushed it stops."""


# ---------------------------------------------------------------- who stands there


def occupants(m: Builder, place: model.Place, space: p.Expr, *but: p.Expr) -> tuple[p.Expr, p.Expr]:
    """How many pieces other than `but` stand on a space, and the first of them or nothing."""
    count, first = m.temp(), m.temp()
    m.emit(p.Set(count, ZERO), p.Set(first, NOTHING))

    def one(piece: p.Expr) -> None:
        others = reduce(partial(binary, "&"), [binary("!=", piece, other) for other in but])
        here = binary("&", others, same(word(m.storage.pieces, piece), space))
        # A piece that is gone stands nowhere, so it is never here.
        found = (
            p.If(same(p.Get(count), ZERO), (p.Set(first, piece),)),
            p.Set(count, p.Binary("+", p.Get(count), ONE)),
        )
        m.emit(p.If(here, found))

    if is_indexed(m, place):
        taken = same(p.Word(m.atom(count_word(m, place, space))), ZERO)
        m.when(negation(m.atom(taken)), lambda: each_piece(m, place, one))
    else:
        each_piece(m, place, one)
    return p.Get(count), p.Get(first)


def each_piece(m: Builder, place: model.Place, write: Callable[[p.Expr], Any]) -> None:
    """Write something for every piece of a place, wherever it stands, by number."""
    pieces = m.setting.on_place.get(place.name, [])
    if not pieces:
        return
    if pieces == list(range(pieces[0], pieces[0] + len(pieces))):
        m.each_number(p.Const(pieces[0]), p.Const(pieces[-1]), write)
    else:
        m.each_in(m.program.row((tuple(pieces),), ZERO), write)


# ---------------------------------------------------------------- room


Spaces = range | frozenset[int] | None


def capacity_of(m: Builder, place: model.Place, space: p.Expr) -> p.Expr:
    """How many pieces a space holds; `NOTHING` for any number."""
    if not place.capacity:
        return NOTHING
    with m.uncounted():
        if place.capacity[0][0] is None:
            return m.value(place.capacity[0][1])
        result = m.temp()
        m.emit(p.Set(result, NOTHING))
        _room(m, list(place.capacity), space, result)
        return p.Get(result)


def _room(m: Builder, left: list[tuple[Spaces, x.Expr]], space: p.Expr, result: str) -> None:
    if not left:
        return
    spaces, hold = left[0]
    m.when(
        is_among(m, spaces, space),
        lambda: m.emit(p.Set(result, m.value(hold))),
        lambda: _room(m, left[1:], space, result),
    )


def is_among(m: Builder, spaces: Spaces, space: p.Expr) -> p.Expr:
    """Whether a space is one of these; None stands for all."""
    if spaces is None:
        return ONE
    low, high = bounds_of(spaces)
    if isinstance(spaces, frozenset) and high - low + 1 > len(spaces):
        return p.Has(m.program.row((tuple(sorted(spaces)),), ZERO), space)
    return binary("&", binary("<=", p.Const(low), space), binary("<=", space, p.Const(high)))


def bounds_of(spaces: range | frozenset[int]) -> Interval:
    return (spaces.start, spaces.stop - 1) if isinstance(spaces, range) else (min(spaces), max(spaces))


def has_room(m: Builder, place: model.Place, space: p.Expr, but: p.Expr) -> p.Expr:
    """Whether a space holds one more piece than those other than `but` that stand there."""
    if not place.capacity:
        return ONE
    room, result = m.atom(capacity_of(m, place, space)), m.temp()
    m.emit(p.Set(result, ONE))

    def counted() -> None:
        count, _ = occupants(m, place, space, but)
        m.emit(p.Set(result, binary("<", count, room)))

    m.when(binary("!=", room, NOTHING), counted)
    return p.Get(result)
