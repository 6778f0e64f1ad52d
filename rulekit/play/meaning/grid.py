"""Operations that move pieces of a grid together, and where a cell's neighbours lie.

A cell is (column, row), a way (dx, dy).  Pieces that move together have all
left before the first arrives, so they are never in each other's way.  Beyond
the edge of a bounded grid there is nothing: one that `wraps` (a torus) goes on
at the other side, one that pieces leave takes them off the board, any other
refuses.  Of a set of pieces only those count that stand somewhere.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.machine.closure_compilation import HANDLERS, Act, Meanings
from rulekit.play.machine.memo import memo_of
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.meaning.travel import arrive, goal, on_board, place_of, space_of

Cell = tuple[int, int]
Way = tuple[int, int]

# ---------------------------------------------------------------- cells


def wraps(place: model.Place) -> bool:
    return place.edge == "wraps" and place.width is not None and place.height is not None


def beyond(place: model.Place, cell: Cell, way: Way, steps: int = 1) -> Cell:
    """The cell so many steps on: round the edge where the grid wraps, else perhaps off the board."""
    column, row = cell[0] + steps * way[0], cell[1] + steps * way[1]
    if place.width is not None and place.height is not None and place.edge == "wraps":
        return column % place.width, row % place.height
    return column, row


def standing(m: Machine, place: model.Place) -> Mapping[Cell, Sequence[int]]:
    """The pieces on a grid by cell."""
    pieces = m.setting.on_place.get(place.name, ())
    memo = m.memo or memo_of(m)
    found: Mapping[Cell, Sequence[int]] | None = memo.get(place.name)
    if found is None:
        found = memo[place.name] = _by_cell(m, pieces)
    return found


def _by_cell(m: Machine, pieces: Iterable[int]) -> Mapping[Cell, Sequence[int]]:
    values, slots, gone = m.values, m.setting.piece_slot, m.gone
    found: dict[Cell, tuple[int, ...]] = {}
    for piece in pieces:
        cell = values[slots[piece]]
        if cell is not None and piece not in gone:
            found[cell] = (*found[cell], piece) if cell in found else (piece,)
    return found


def run_before(m: Machine, place: model.Place, start: Cell, way: Way) -> tuple[int, ...]:
    """The pieces on the unbroken run of taken cells next to a cell, nearest first."""
    taken = standing(m, place)
    run: list[int] = []
    cell = beyond(place, start, way)
    while cell in taken and cell != start:
        run += taken[cell]
        cell = beyond(place, cell, way)
    return tuple(run)


def reach(place: model.Place, own: Iterable[Cell], others: Iterable[Cell]) -> int:
    """After how many steps in one way nothing new can be met."""
    if place.width is not None and place.height is not None:
        return math.lcm(place.width, place.height) if wraps(place) else max(place.width, place.height)
    both = [*own, *others]
    spans = [max(c[i] for c in both) - min(c[i] for c in both) for i in (0, 1)] if both else [0]
    return max(spans) + 1


@lru_cache(maxsize=4096)
def line(width: int, height: int, is_torus: bool, start: Cell, way: Way) -> tuple[Cell, ...]:
    """The cells farther on, nearest first: as many as it takes to meet all, not beyond the edge, and once round."""
    most = math.lcm(width, height) if is_torus else max(width, height)
    found: list[Cell] = []
    column, row = start[0] + way[0], start[1] + way[1]
    while len(found) < most and (is_torus or (0 <= column < width and 0 <= row < height)):
        cell = (column % width, row % height)
        if cell == start:
            break
        found.append(cell)
        column, row = cell[0] + way[0], cell[1] + way[1]
    return tuple(found)


def along(cell: Cell, way: Way) -> int:
    """How far on a cell lies; equal for the cells of one line across the way."""
    return cell[0] * way[0] + cell[1] * way[1]


def _lane(cell: Cell, way: Way) -> int:
    """Equal for the cells of one line in the way."""
    return cell[0] * way[1] - cell[1] * way[0]


# ---------------------------------------------------------------- moving together


def settle(m: Machine, moves: Iterable[tuple[int, Cell]], word: str) -> None:
    """Pieces come to rest together, each on its cell; one already there does not move."""
    slots = m.setting.piece_slot
    left = [(piece, cell, space_of(m, piece)) for piece, cell in moves if space_of(m, piece) != cell]
    for piece, _, _ in left:
        m.values[slots[piece]] = None
    m.changed()
    for piece, cell, old in left:
        m.values[slots[piece]] = old
        m.changed()
        arrive(m, piece, goal(m, place_of(m, piece), cell), 0, word)


def _push_run(c: Meanings, op: ops.PushRun) -> Act:
    piece_of, toward = c.of(op.piece), _way(c, op.toward)

    def push_run(m: Machine, frame: CallFrame) -> bool:
        piece, way = piece_of(m), toward(m)
        if piece is None:
            raise m.error("of-nothing", "there is no piece to push")
        place, start = place_of(m, piece), space_of(m, piece)
        if start is None:
            raise m.error("not-placed", f"`{m.setting.things[piece].title}` stands nowhere")
        run = (piece, *run_before(m, place, start, way))
        settle(m, [(p, beyond(place, space_of(m, p), way)) for p in run], "push")
        return bool(m.landings)

    return push_run


def _compact(c: Meanings, op: ops.Compact) -> Act:
    pieces_of, toward = c.of(op.pieces), _way(c, op.toward)

    def compact(m: Machine, frame: CallFrame) -> bool:
        pieces, way = _placed(m, pieces_of(m)), toward(m)
        lanes: dict[int, list[int]] = {}
        for piece in sorted(pieces, key=lambda p: -along(space_of(m, p), way)):
            lanes.setdefault(_lane(space_of(m, piece), way), []).append(piece)
        ruler = max((along(space_of(m, piece), way) for piece in pieces), default=0)
        settle(m, [move for lane in lanes.values() for move in _slid(m, lane, way, ruler)], "compact")
        return bool(m.landings)

    return compact


def _slid(m: Machine, lane: list[int], way: Way, ruler: int) -> list[tuple[int, Cell]]:
    """The pieces of one line, foremost first, with the cells from the ruler backward.

    Slantwise only every other line across meets the ruler: the others end one short of it.
    """
    place, front = place_of(m, lane[0]), space_of(m, lane[0])
    free = (ruler - along(front, way)) // along(way, way)
    while not on_board(place, _straight(front, way, free)):
        free -= 1
    return [(piece, _straight(front, way, free - behind)) for behind, piece in enumerate(lane)]


def _straight(cell: Cell, way: Way, steps: int) -> Cell:
    return cell[0] + steps * way[0], cell[1] + steps * way[1]


def _shift(c: Meanings, op: ops.Shift) -> Act:
    pieces_of, by_of, toward = c.of(op.pieces), c.of(op.by), None if op.toward is None else _way(c, op.toward)

    def shift(m: Machine, frame: CallFrame) -> bool:
        pieces, by = _placed(m, pieces_of(m)), by_of(m)
        if by is None:
            raise m.error("of-nothing", "it is not said how far to shift")
        way, steps = (by, 1) if toward is None else (toward(m), by)
        settle(m, [(p, beyond(place_of(m, p), space_of(m, p), way, steps)) for p in pieces], "shift")
        return bool(m.landings)

    return shift


def _place(c: Meanings, op: ops.Place) -> Act:
    def place(m: Machine, frame: CallFrame) -> bool:
        settle(m, op.cells, "place")
        return bool(m.landings)

    return place


def _way(c: Meanings, toward: x.Expr) -> Callable[[Machine], Way]:
    way_of = c.of(toward)

    def way_in(m: Machine) -> Way:
        way: Way | None = way_of(m)
        if way is None:
            raise m.error("of-nothing", "there is no direction to move in")
        return way

    return way_in


def _placed(m: Machine, pieces: tuple[int | None, ...]) -> list[int]:
    """The pieces of a set that stand somewhere."""
    found = [piece for piece in pieces if piece is not None]
    if len(found) < len(pieces):
        raise m.error("of-nothing", "there is no piece to move")
    return [piece for piece in found if space_of(m, piece) is not None]


HANDLERS.update({ops.PushRun: _push_run, ops.Compact: _compact, ops.Shift: _shift, ops.Place: _place})
