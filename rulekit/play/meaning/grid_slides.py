"""Built-in words about sliding on a grid: how far pieces can slide together, and where they meet others."""

from __future__ import annotations

from typing import Any

from rulekit.model import game as model
from rulekit.model.builtin_signatures import sides
from rulekit.play.machine.closure_compilation import WORDS
from rulekit.play.machine.memo import memo_of
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning.grid import Cell, Way, beyond, line, reach, standing
from rulekit.play.meaning.grid_builtins import cells_of, given, grid_of
from rulekit.play.meaning.travel import on_board
from rulekit.values import frozen


@frozen
class _Apart:
    """A set of pieces and all others on its grid, by cells.

    reach:     after how many steps it can meet nothing new.
    has_edge:  whether the grid ends somewhere, and holds it back there.
    is_inside: whether it stands on cells of a grid with width and height.
    """

    place: model.Place
    own: list[Cell]
    others: frozenset[Cell]
    reach: int
    has_edge: bool
    is_inside: bool

    def free(self, way: Way, steps: int) -> bool:
        """Whether the set could stand so far on: on no other piece, nor beyond an edge that holds it back."""
        for cell in self.own:
            to = beyond(self.place, cell, way, steps)
            if to in self.others or (self.has_edge and not on_board(self.place, to)):
                return False
        return True

    def free_steps(self, way: Way) -> int | None:
        """How far it can slide; None if nothing ever ends it."""
        if self.is_inside:
            least = None
            for cell in self.own:
                steps = self._free_along(cell, way)
                if steps is not None and (least is None or steps < least):
                    least = steps
            return least
        for steps in range(1, self.reach + 1):
            if not self.free(way, steps):
                return steps - 1
        return None

    def _free_along(self, start: Cell, way: Way) -> int | None:
        """The same of one on a cell of a grid with width and height."""
        place, others = self.place, self.others
        assert place.width is not None
        assert place.height is not None
        cells = line(place.width, place.height, place.edge == "wraps", start, way)
        for steps, cell in enumerate(cells):
            if cell in others:
                return steps
        return len(cells) if self.has_edge else None

    def in_contact(self, way: Way, steps: int) -> bool:
        cells = [beyond(self.place, cell, way, steps) for cell in self.own]
        ways = sides(hexagonal=self.place.hexagonal)
        beside = (beyond(self.place, cell, way) for cell in cells if on_board(self.place, cell) for way in ways)
        return any(cell in self.others for cell in beside)


def _apart(m: Machine, e: Any, pieces: tuple[Any, ...]) -> _Apart:
    memo, key = m.memo or memo_of(m), (_Apart, pieces)
    found: _Apart | None = memo.get(key)
    if found is None:
        found = memo[key] = _set_apart(m, e, pieces)
    return found


def _set_apart(m: Machine, e: Any, pieces: tuple[Any, ...]) -> _Apart:
    own, inside = cells_of(m, e, pieces), set(pieces)
    place = grid_of(m, pieces)
    at = standing(m, place)
    others = frozenset(at).difference([cell for cell in own if inside.issuperset(at.get(cell, ()))])
    return pieces_apart(place, own, others)


def pieces_apart(place: model.Place, own: list[Cell], others: frozenset[Cell]) -> _Apart:
    """What stands on these cells of a grid, and on those of the others."""
    is_bounded = place.width is not None and place.height is not None
    has_edge = is_bounded and place.edge not in ("leaves", "wraps")
    is_inside = is_bounded and all(on_board(place, cell) for cell in own)
    return _Apart(place, own, others, reach(place, own, others), has_edge, is_inside)


def _contact_steps(m: Machine, e: Any, args: list[Any]) -> int | None:
    pieces, way = args
    given(m, e, [way])
    apart = _apart(m, e, pieces)
    for steps in range(apart.reach + 1):
        if steps and not apart.free(way, steps):
            return None
        if apart.in_contact(way, steps):
            return steps
    return None


def _free_steps(m: Machine, e: Any, args: list[Any]) -> int | None:
    pieces, way = args
    if way is None:
        given(m, e, args)
    apart = _apart(m, e, pieces)
    return apart.free_steps(way)


def _contact_jumps(m: Machine, e: Any, args: list[Any]) -> tuple[Way, ...]:
    """Shortest first, then from top to bottom and left to right; to stay is no jump."""
    apart = _apart(m, e, args[0])
    ways = sides(hexagonal=apart.place.hexagonal)
    landings = [beyond(apart.place, cell, way) for cell in apart.others for way in ways]
    jumps = {_offset(apart.place, cell, to) for cell in apart.own for to in landings if on_board(apart.place, to)}
    good = [jump for jump in jumps if jump != (0, 0) and _lands(apart, jump)]
    return tuple(sorted(good, key=lambda jump: (abs(jump[0]) + abs(jump[1]), jump[1], jump[0])))


def _offset(place: model.Place, start: Cell, end: Cell) -> Way:
    """From one cell to another; on a grid that wraps the nearer way round."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    if place.width is None or place.height is None or place.edge != "wraps":
        return dx, dy
    return _nearer(dx, place.width), _nearer(dy, place.height)


def _nearer(distance: int, round_: int) -> int:
    distance %= round_
    return distance - round_ if 2 * distance > round_ else distance


def _lands(apart: _Apart, jump: Way) -> bool:
    cells = [beyond(apart.place, cell, jump) for cell in apart.own]
    return all(on_board(apart.place, cell) and cell not in apart.others for cell in cells)


WORDS.update({"contact_steps": _contact_steps, "free_steps": _free_steps, "contact_jumps": _contact_jumps})
