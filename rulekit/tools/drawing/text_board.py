"""The short form of a picture, for text: places, tables and what is worth seeing, in words alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from rulekit.play.state.match_state import State
from rulekit.play.state.value import Ref
from rulekit.tools.drawing import picture as drawn
from rulekit.tools.drawing.picture_making import EMPTY, picture
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

_LONG_TRACK = 16
_GAP = 4
_LONGEST = 60
"""Spaces of a side of a grid that are looked at one by one."""


@frozen
class Space:
    """One space with who stands on it; a stretch of empty ones is one entry, `12-17`.

    leads:  where it leads, in words, if not just to the one that follows.
    """

    name: str
    pieces: tuple[str, ...] = ()
    leads: str = ""


@frozen
class Track:
    """A track or course as its spaces in order."""

    name: str
    spaces: tuple[Space, ...]


@frozen
class Grid:
    """Rows of cells, "" where nothing stands; columns and rows are numbered from the given ones.

    slants: whether each row begins half a cell farther to the right than the one above.
    """

    name: str
    first_column: int
    first_row: int
    rows: tuple[tuple[str, ...], ...]
    slants: bool = False


@frozen
class Table:
    """Values by owner.  rows: the owner's name, then a text for each column."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    of_players: bool = False


@frozen
class Board:
    """off: pieces that stand nowhere.  shared: name and text of what is worth seeing, and of what belongs to nobody."""

    tracks: tuple[Track, ...]
    grids: tuple[Grid, ...]
    tables: tuple[Table, ...]
    shared: tuple[tuple[str, str], ...]
    off: tuple[str, ...]


def board(state: State, seat: int | None, names: Names) -> Board:
    """The position as a seat sees it, or with all that anybody sees."""
    return short_form(picture(state, seat, names), names.tongue)


def short_form(whole: drawn.Picture, tongue: Tongue) -> Board:
    """A picture in words."""
    having = [owner for owner in whole.owners if owner.parts]
    grids = [place for place in whole.boards if place.form == "grid"]
    huge = {place.name for place in grids if any(len(side) > _LONGEST for side in _extent(place, _occupied(place)))}
    return Board(
        tracks=tuple(
            _cells(place) if place.form == "grid" else _track(place, tongue)
            for place in whole.boards
            if place.form != "grid" or place.name in huge
        ),
        grids=tuple(_grid(place) for place in grids if place.name not in huge),
        tables=tuple(_table(list(alike), tongue) for _, alike in groupby(having, key=lambda owner: owner.kind)),
        shared=tuple((part.title, part.text) for part in (*whole.worth, *whole.shared.parts)),
        off=tuple(token.title for token in whole.off),
    )


# ---------------------------------------------------------------- places


def _track(place: drawn.Board, tongue: Tongue) -> Track:
    leads: dict[str, str] = {}
    if place.form == "course":
        names = [spot.name for spot in place.spots]
        leads = {spot.name: _leads(place.spots, number, tongue) for number, spot in enumerate(place.spots)}
    else:
        names = list(map(str, range(place.ends[0], place.ends[1] + 1)))
    on = {spot.name: tuple(token.name for token in spot.tokens) for spot in place.spots if spot.tokens}
    spaces = [Space(name, on.get(name, ()), leads.get(name, "")) for name in names]
    return Track(place.title, tuple(_shortened(spaces) if len(spaces) > _LONG_TRACK else spaces))


def _leads(spots: Sequence[drawn.Spot], number: int, tongue: Tongue) -> str:
    """`to hill or lake`, `the end`; "" where a space of a course leads to the next one, and of the last one."""
    links = spots[number].links
    if links == (number + 1,) or (not links and number == len(spots) - 1):
        return ""
    if not links:
        return tongue.say("leads-nowhere")
    return tongue.say("leads", spaces=tongue.either([spots[link].name for link in links]))


def _shortened(spaces: Sequence[Space]) -> list[Space]:
    """Long stretches of empty spaces as one entry each."""
    result: list[Space] = []
    for is_taken, group in groupby(spaces, lambda space: bool(space.pieces or space.leads)):
        run = list(group)
        result += [Space(f"{run[0].name}-{run[-1].name}")] if len(run) >= _GAP and not is_taken else run
    return result


def _grid(place: drawn.Board) -> Grid:
    cells = _occupied(place)
    columns, rows = _extent(place, cells)
    lines = tuple(tuple(cells.get((column, row), "") for column in columns) for row in rows)
    return Grid(place.title, columns.start, rows.start, lines, place.hexagonal)


def _cells(place: drawn.Board) -> Track:
    """A grid too large to draw: its occupied cells, row by row."""
    cells = sorted(_occupied(place).items(), key=lambda cell: (cell[0][1], cell[0][0]))
    return Track(place.title, tuple(Space(f"{column},{row}", (label,)) for (column, row), label in cells))


def _occupied(place: drawn.Board) -> dict[tuple[int, int], str]:
    cells: dict[tuple[int, int], str] = {}
    for spot in place.spots:
        if spot.tokens and isinstance(spot.value, Ref):
            column, row = spot.value.key.split(",")
            cells[int(column), int(row)] = spot.tokens[-1].name
    return cells


def _extent(place: drawn.Board, cells: Mapping[tuple[int, int], str]) -> tuple[range, range]:
    """The columns and rows to draw: all of them, or of a long side only those in use."""
    columns, rows = (_reach([cell[side] for cell in cells], place.size[side]) for side in (0, 1))
    return columns, rows


def _reach(numbers: list[int], size: int | None) -> range:
    if size is not None and size <= _LONGEST:
        return range(1, size + 1)
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)


# ---------------------------------------------------------------- values and piles


def _table(owners: Sequence[drawn.Owned], tongue: Tongue) -> Table:
    """Rows without anything in them are left out, except of players."""
    of_players = owners[0].seat is not None
    columns = tuple(dict.fromkeys(part.title for owner in owners for part in owner.parts))
    rows = [(owner.short, *(part.text for part in owner.parts)) for owner in owners]
    kept = [row for row in rows if of_players or any(not is_nothing(text, tongue) for text in row[1:])]
    return Table(owners[0].group, columns, tuple(kept), of_players)


def is_nothing(text: str, tongue: Tongue) -> bool:
    """Whether the text of a value says that there is nothing."""
    return text in (EMPTY, "0", tongue.say("no"))
