"""The occupancy index of a grid with edges: who stands on a cell, without a search among all pieces.

Each cell has a word: how many pieces stand there, in its upper half, and the
sum of their numbers, which is the piece where it stands alone.  A grid without
edges has no index, nor has a very large one (`layout.LARGEST`).  `put_piece`
keeps the index up to date (incremental view maintenance).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.storage.layout import ONE_PIECE, words_of_column
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ZERO, add, binary, same, word
from rulekit.model import expr as x
from rulekit.model import game as model


def is_indexed(m: Builder, place: model.Place) -> bool:
    """Whether a place has an occupancy index."""
    return place.name in m.storage.boards


def stands_alone(m: Builder, kind: str) -> bool:
    """Whether no two pieces of a kind ever stand on one cell or space."""
    places = {m.setting.piece_place[piece] for piece in m.setting.piece_slot if m.setting.things[piece].kind == kind}
    return all(is_unshared(m, m.setting.places[name]) for name in places)


def rebuild_index(program: Program) -> p.Function:
    """The function that rebuilds all indexes from where the pieces stand."""
    m = Builder(program, "count_anew")
    for name, base in m.storage.boards.items():
        place = m.setting.places[name]
        assert place.width is not None
        last = base + place.width * words_of_column(place) - 1
        m.each_number(p.Const(base), p.Const(last), lambda at: m.emit(p.Store(at, ZERO)))
        for piece in m.setting.on_place.get(name, ()):
            cell = m.atom(word(m.storage.pieces, p.Const(piece)))
            m.when(binary("!=", cell, NOTHING), partial(_count, m, place, cell, p.Const(ONE_PIECE + piece)))
    return m.function()


def is_written_once(m: Builder, place: model.Place) -> bool:
    """Whether what is written for the pieces on a cell stands in one place of the plan, not in two."""
    return not is_indexed(m, place) or is_unshared(m, place)


def is_unshared(m: Builder, place: model.Place) -> bool:
    """Whether no two pieces ever stand on one cell of a grid."""
    everywhere = place.capacity[:1] == ((None, x.Const(1)),)
    alone = m.storage.apart_for is None and place.form == "grid"
    return alone and everywhere and all(full.word in ("refuses", "swaps") for full in place.full)


def count_word(m: Builder, place: model.Place, cell: p.Expr) -> p.Expr:
    """The address of the word of a cell, which must be on the board; 0 is there where nobody stands."""
    stride, width = words_of_column(place), p.Const(p.WIDTH)
    # column * stride + row, where the cell is column * WIDTH + row
    if stride & (stride - 1):
        number = binary("-", cell, binary("*", binary("//", cell, width), p.Const(p.WIDTH - stride)))
    else:
        number = add(binary("//", cell, p.Const(p.WIDTH // stride)), binary("%", cell, width))
    return add(number, p.Const(m.storage.boards[place.name]))


def put_piece(m: Builder, place: model.Place, piece: p.Expr, cell: p.Expr) -> None:
    """Write where a piece stands, a cell or `NOTHING`, and update the index; all moves end here.

    Whoever stands somewhere is in the game again.
    """
    if not is_indexed(m, place):
        m.emit(p.Store(add(piece, p.Const(m.storage.pieces)), cell))
        m.when(binary("!=", cell, NOTHING), lambda: _brought_back(m, piece))
        return
    name = f"put_on_{list(m.storage.boards).index(place.name)}"
    function = m.program.function(name, lambda: _put_function(m, place, name))
    m.emit(p.Do(None, function, (piece, cell)))


def _put_function(outer: Builder, place: model.Place, name: str) -> p.Function:
    m = Builder(outer.program, name)
    piece, cell = p.Get("piece"), p.Get("cell")
    old = m.atom(word(m.storage.pieces, piece))
    m.when(binary("!=", old, NOTHING), lambda: _count(m, place, old, binary("-", p.Const(-ONE_PIECE), piece)))
    m.emit(p.Store(add(piece, p.Const(m.storage.pieces)), cell))

    def arrives() -> None:
        _count(m, place, cell, add(piece, p.Const(ONE_PIECE)))
        _brought_back(m, piece)

    m.when(binary("!=", cell, NOTHING), arrives)
    return m.function("piece cell")


def _brought_back(m: Builder, piece: p.Expr) -> None:
    if m.storage.gone is not None:
        m.emit(p.Store(add(piece, p.Const(m.storage.gone)), ZERO))


def _count(m: Builder, place: model.Place, cell: p.Expr, more: p.Expr) -> None:
    at = m.atom(count_word(m, place, cell))
    m.emit(p.Store(at, binary("+", p.Word(at), more)))


def with_occupants(
    m: Builder, place: model.Place, cell: p.Expr, alone: Callable[[p.Expr], Any], several: Callable[[], Any]
) -> None:
    """Write `alone(piece)` for the one piece on a cell of the board, `several()` for where there are more."""
    found = m.atom(p.Word(count_word(m, place, cell)))
    one = add(found, p.Const(-ONE_PIECE))
    if is_unshared(m, place):
        m.when(binary("!=", found, ZERO), lambda: alone(m.atom(one)))
        return
    count = m.atom(binary("//", found, p.Const(ONE_PIECE)))
    m.when(same(count, p.Const(1)), lambda: alone(m.atom(one)))
    m.when(binary("<", p.Const(1), count), several)
