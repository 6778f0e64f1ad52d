"""Built-in words about grids: adjacency, lines, connected groups and shapes.

Nothing here moves a piece.  A cell off the board is a cell all the same: it
is not empty, nothing touches it, and no piece can come to rest on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rulekit.model import game as model
from rulekit.model.builtin_signatures import sides
from rulekit.play.machine.closure_compilation import WORDS, fail
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning.grid import Cell, Way, along, beyond, line, run_before, standing
from rulekit.play.meaning.travel import on_board, place_of, space_of

# ---------------------------------------------------------------- what the arguments mean


def given(m: Machine, e: Any, args: Sequence[Any]) -> None:
    if None in args:
        raise fail(m, e, "of-nothing", f"`{e.word}` is asked of nothing")


def _cell_of(m: Machine, e: Any, piece: int) -> Cell:
    """Where a single piece stands; it must stand somewhere."""
    cell: Cell | None = m.values[m.setting.piece_slot[piece]]
    if cell is None:
        raise fail(m, e, "not-placed", f"`{m.setting.things[piece].title}` stands nowhere")
    return cell


def _spot(m: Machine, e: Any, at: int | Cell) -> tuple[model.Place, Cell]:
    """The grid and cell of a piece that must stand somewhere, or of a cell itself."""
    if isinstance(at, tuple):
        return grid_of(m), at
    cell = m.values[m.setting.piece_slot[at]]
    return m.setting.place_at[at], _cell_of(m, e, at) if cell is None else cell


def cells_of(m: Machine, e: Any, items: tuple[Any, ...]) -> list[Cell]:
    """The cells of a set of pieces or cells; pieces that stand nowhere have none."""
    given(m, e, items)
    values, slots = m.values, m.setting.piece_slot
    cells = [item if isinstance(item, tuple) else values[slots[item]] for item in items]
    return [cell for cell in cells if cell is not None]


def grid_of(m: Machine, *sets: tuple[Any, ...]) -> model.Place:
    """The grid of the first piece, or else the only one there is."""
    for items in sets:
        for item in items:
            if not isinstance(item, tuple):
                return place_of(m, item)
    assert m.setting.grid is not None
    return m.setting.grid


# ---------------------------------------------------------------- single cells and lines


def _empty(m: Machine, e: Any, args: list[Any]) -> bool:
    given(m, e, args)
    place = grid_of(m)
    return on_board(place, args[0]) and args[0] not in standing(m, place)


def _beside(m: Machine, e: Any, args: list[Any]) -> Cell:
    given(m, e, args)
    at, way = args
    place, cell = _spot(m, e, at)
    return beyond(place, cell, way)


def _neighbours(m: Machine, e: Any, args: list[Any]) -> tuple[int, ...]:
    cell, ways = args
    given(m, e, (cell, *ways))
    place = grid_of(m)
    at = standing(m, place)
    return tuple(dict.fromkeys(piece for way in ways for piece in at.get(beyond(place, cell, way), ())))


def _touching(m: Machine, e: Any, args: list[Any]) -> bool:
    some, others, ways = args
    given(m, e, (*ways, *some, *others))
    place = grid_of(m, some, others)
    taken = {cell for cell in cells_of(m, e, others) if on_board(place, cell)}
    here = [cell for cell in cells_of(m, e, some) if on_board(place, cell)]
    return any(beyond(place, cell, way) in taken for cell in here for way in ways)


def _chain(m: Machine, e: Any, args: list[Any]) -> tuple[int, ...]:
    given(m, e, args)
    at, way = args
    return run_before(m, *_spot(m, e, at), way)


def _ahead(m: Machine, e: Any, args: list[Any]) -> tuple[int, ...]:
    spot, way = args
    if spot is None or way is None:
        given(m, e, args)
    place, start = _spot(m, e, spot)
    at = standing(m, place)
    if place.width is None or place.height is None:
        return _on_ray(start, way, at)
    cells = line(place.width, place.height, place.edge == "wraps", start, way)
    return tuple([piece for cell in cells if cell in at for piece in at[cell]])


def _on_ray(start: Cell, way: Way, at: Mapping[Cell, Sequence[int]]) -> tuple[int, ...]:
    """The pieces on the ray from a cell, the nearest first; on a grid without edges nobody walks."""
    found = []
    for cell, pieces in at.items():
        column, row = cell[0] - start[0], cell[1] - start[1]
        far = column * way[0] + row * way[1]
        if column * way[1] == row * way[0] and far > 0:
            found.append((far, *pieces))
    return tuple([piece for _, *pieces in sorted(found) for piece in pieces])


def _first_gap(m: Machine, e: Any, args: list[Any]) -> Cell:
    """Without a gap: the cell beyond the edge, or where the grid wraps the piece's own; neither is empty."""
    given(m, e, args)
    spot, way = args
    place, start = _spot(m, e, spot)
    at = standing(m, place)
    cell = beyond(place, start, way)
    while cell in at and cell != start:
        cell = beyond(place, cell, way)
    return cell


# ---------------------------------------------------------------- sets of pieces


def _depth(m: Machine, e: Any, args: list[Any]) -> int:
    piece, pieces, way = args
    given(m, e, (piece, way))
    cells = cells_of(m, e, pieces)
    if not cells:
        raise fail(m, e, "outside", "there is no foremost line of pieces that stand nowhere")
    return max(along(cell, way) for cell in cells) - along(_cell_of(m, e, piece), way) + 1


def _groups(m: Machine, e: Any, args: list[Any]) -> tuple[tuple[int, ...], ...]:
    """Sets in the order of their first members; members in the order of the whole set."""
    pieces = args[0]
    cells_of(m, e, pieces)
    place = grid_of(m, pieces)
    at: dict[Cell, list[int]] = {}
    for piece in pieces:
        cell = piece if isinstance(piece, tuple) else space_of(m, piece)
        if cell is not None:
            at.setdefault(cell, []).append(piece)
    found: list[tuple[int, ...]] = []
    while at:
        members = {piece for cell in _connected(place, at, next(iter(at))) for piece in at.pop(cell)}
        found.append(tuple(piece for piece in pieces if piece in members))
    return tuple(found)


def _connected(place: model.Place, at: dict[Cell, list[int]], start: Cell) -> set[Cell]:
    reached, edge = {start}, [start]
    while edge:
        cell = edge.pop()
        new = {beyond(place, cell, way) for way in sides(hexagonal=place.hexagonal)} & at.keys() - reached
        reached |= new
        edge += new
    return reached


def _shifted(m: Machine, e: Any, args: list[Any]) -> tuple[Cell, ...]:
    pieces, way, steps = args
    given(m, e, (way, steps, *pieces))
    place = grid_of(m, pieces)
    return tuple(beyond(place, cell, way, steps) for cell in cells_of(m, e, pieces))


def _alike(m: Machine, e: Any, args: list[Any]) -> bool:
    """A board with edges has no shifts: there every cell counts as it is."""
    pieces, snapshot = args
    given(m, e, (snapshot, *pieces))
    place = grid_of(m, pieces)
    return _shape(m, place, [(piece, space_of(m, piece)) for piece in pieces]) == _shape(m, place, snapshot)


def _shape(m: Machine, place: model.Place, placed: Iterable[tuple[int, Any]]) -> Counter[Any]:
    """How many pieces of which looks stand where."""
    stood = [(piece, cell) for piece, cell in placed if cell is not None]
    free = place.width is None
    left = min((cell[0] for _, cell in stood), default=0) if free else 0
    top = min((cell[1] for _, cell in stood), default=0) if free else 0
    return Counter((cell[0] - left, cell[1] - top, _looks(m, piece)) for piece, cell in stood)


def _looks(m: Machine, piece: int) -> Any:
    """Equal for pieces that may stand for each other: kind, owner and every trait."""
    thing = m.setting.things[piece]
    kind = m.setting.game.kinds[thing.kind]
    return thing.kind, thing.owner, tuple(values[piece - kind.base] for values in kind.traits.values())


def _length(m: Machine, e: Any, args: list[Any]) -> int:
    if args[0] is None:
        raise fail(m, e, "of-nothing", "there is no offset whose length could be asked")
    return int(abs(args[0][0]) + abs(args[0][1]))


def _counted(side: int) -> Any:
    """The column (0) or row (1) of a cell, from 1."""

    def number(m: Machine, e: Any, args: list[Any]) -> int:
        if args[0] is None:
            raise fail(m, e, "of-nothing", f"there is no cell whose {e.word} could be asked")
        return int(args[0][side]) + 1

    return number


WORDS.update(
    {
        "column": _counted(0),
        "row": _counted(1),
        "empty": _empty,
        "length": _length,
        "beside": _beside,
        "neighbours": _neighbours,
        "touching": _touching,
        "chain": _chain,
        "ahead": _ahead,
        "first_gap": _first_gap,
        "depth": _depth,
        "groups": _groups,
        "shifted": _shifted,
        "alike": _alike,
    }
)
