"""View model of a position: what a reader may see of it, arranged for showing as places, tables and piles.

Plain values for any front-end to draw.  Made from what `play.view` gives alone.
"""

from __future__ import annotations

from itertools import groupby
from typing import Any

from attrs import frozen

from rulekit.model import game as model
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import SPECTATOR, Seen, view, worth_seeing
from rulekit.tools.language.display_names import Names, plain
from rulekit.tools.language.translation import Tongue

_LONG_TRACK = 16
_GAP = 4
_LONGEST = 60
"""Spaces of a track, or of a side of a grid, that are looked at one by one."""


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
    """Rows of cells, "" where nothing stands; columns and rows are numbered from the given ones."""

    name: str
    first_column: int
    first_row: int
    rows: tuple[tuple[str, ...], ...]


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


def seen_values(state: State, seat: int | None) -> tuple[Seen, ...]:
    """What a seat sees, slot by slot; None sees all that any seat sees."""
    if seat is not None:
        return view(state, seat).values
    views = [view(state, SPECTATOR), *(view(state, other) for other in range(state.setting.players))]
    return tuple(max(slot, key=_openness) for slot in zip(*(each.values for each in views), strict=True))


def _openness(seen: Seen) -> int:
    if seen.hidden and seen.count is None:
        return -1
    return len(seen.shown) if isinstance(seen.shown, tuple) else 0


def board(state: State, seat: int | None, names: Names) -> Board:
    """The position as a seat sees it, or with all that anybody sees."""
    slots = tuple(enumerate(seen_values(state, seat)))
    forms = ("piece", "group")
    pieces = [_standing(state, slot, seen, names) for slot, seen in slots if _variable(state, slot).form in forms]
    places = state.setting.places.values()
    return Board(
        tracks=tuple(
            _cells(place, pieces, names.place_name(place))
            if place.form == "grid"
            else _track(place, state, pieces, names)
            for place in places
            if place.form != "grid" or _is_huge(place, pieces)
        ),
        grids=tuple(
            _grid(place, pieces, names.place_name(place))
            for place in places
            if place.form == "grid" and not _is_huge(place, pieces)
        ),
        tables=_tables(state, slots, names),
        shared=(
            *((names.shown(show), names.short(value)) for show, value in worth_seeing(state)),
            *(
                (names.column(variable), _text(variable, seen, names))
                for variable, seen in ((_variable(state, slot), seen) for slot, seen in slots)
                if not variable.owner and _is_value(variable)
            ),
        ),
        off=tuple(piece.full for piece in pieces if piece.space is None),
    )


def _variable(state: State, slot: int) -> model.Variable:
    return state.setting.game.variables[state.setting.slot_variable[slot]]


# ---------------------------------------------------------------- places


@frozen
class _Piece:
    label: str
    full: str
    place: str
    space: Value


def _standing(state: State, slot: int, seen: Seen, names: Names) -> _Piece:
    setting = state.setting
    variable = _variable(state, slot)
    index = setting.slot_variable[slot]
    thing = setting.things[setting.piece_first[index] + slot - setting.bases[index]]
    full = names.ref(Ref(thing.kind, thing.key))
    return _Piece(_label(state, variable, thing, names), full.removeprefix("the "), variable.place, seen.shown)


def _label(state: State, variable: model.Variable, thing: Any, names: Names) -> str:
    """As short as the place allows: the owner alone where nobody has two sorts of piece there."""
    number = f" {thing.key.rpartition('_')[2]}" if variable.count > 1 and thing.owner is not None else ""
    if thing.owner is None:
        return names.kinds(thing.kind, 1) if thing.kind == thing.key else plain(thing.key)
    here = [v for v in state.setting.game.variables if v.place == variable.place and v.owner == "player"]
    kind = f" {names.kinds(thing.kind, 1)}" if len(here) > 1 else ""
    return plain(state.setting.seats[thing.owner]) + kind + number


def _track(place: model.Place, state: State, pieces: list[_Piece], names: Names) -> Track:
    title = names.place_name(place)
    on: dict[str, list[str]] = {}
    for piece in pieces:
        if piece.place == place.name and piece.space is not None:
            on.setdefault(str(piece.space), []).append(piece.label)
    leads: dict[str, str] = {}
    if place.form == "course":
        kind = state.setting.game.kinds[place.kind]
        spaces_there = [member.key for member in kind.members]
        leads = {key: _leads(kind, number, names) for number, key in enumerate(spaces_there)}
    else:
        numbers = _numbers(place, [int(name) for name in on])
        if len(numbers) > _LONGEST:
            return Track(title, tuple(_stretches(numbers, on)))
        spaces_there = [str(number) for number in numbers]
    spaces = [Space(name, tuple(on.get(name, ())), leads.get(name, "")) for name in spaces_there]
    return Track(title, tuple(_shortened(spaces) if len(spaces) > _LONG_TRACK else spaces))


def _leads(kind: model.Kind, number: int, names: Names) -> str:
    """`to hill or lake`, `the end`; "" where a space of a course leads to the next one, and of the last one."""
    following: Any = kind.traits["next"][number]
    links = [int(space) - kind.base for space in following]
    if links == [number + 1] or (not links and number == len(kind.members) - 1):
        return ""
    keys = [names.short(Ref(kind.name, kind.members[space].key)) for space in links]
    if not keys:
        return names.tongue.say("leads-nowhere")
    return names.tongue.say("leads", spaces=names.tongue.either(keys))


def _numbers(place: model.Place, occupied: list[int]) -> range:
    high = place.high if place.high is not None else max([place.low, *occupied]) + 1
    return range(place.low, high + 1)


def _stretches(numbers: range, on: dict[str, list[str]]) -> list[Space]:
    """As `_shortened`, but without a look at every empty space."""
    result: list[Space] = []
    first = numbers.start
    for number in (*sorted(int(name) for name in on), numbers.stop):
        gap = range(first, number)
        empty = [f"{gap[0]}-{gap[-1]}"] if len(gap) >= _GAP else [str(space) for space in gap]
        result += [Space(name) for name in empty]
        if number < numbers.stop:
            result.append(Space(str(number), tuple(on[str(number)])))
        first = number + 1
    return result


def _shortened(spaces: list[Space]) -> list[Space]:
    """Long stretches of empty spaces as one entry each."""
    result: list[Space] = []
    for is_taken, group in groupby(spaces, lambda space: bool(space.pieces or space.leads)):
        run = list(group)
        result += [Space(f"{run[0].name}-{run[-1].name}")] if len(run) >= _GAP and not is_taken else run
    return result


def _grid(place: model.Place, pieces: list[_Piece], title: str) -> Grid:
    cells = _occupied(place, pieces)
    columns, rows = _extent(place, cells)
    lines = tuple(tuple(cells.get((column, row), "") for column in columns) for row in rows)
    return Grid(title, columns.start, rows.start, lines)


def _cells(place: model.Place, pieces: list[_Piece], title: str) -> Track:
    """A grid too large to draw: its occupied cells, row by row."""
    cells = sorted(_occupied(place, pieces).items(), key=lambda cell: (cell[0][1], cell[0][0]))
    return Track(title, tuple(Space(f"{column},{row}", (label,)) for (column, row), label in cells))


def _is_huge(place: model.Place, pieces: list[_Piece]) -> bool:
    return any(len(side) > _LONGEST for side in _extent(place, _occupied(place, pieces)))


def _occupied(place: model.Place, pieces: list[_Piece]) -> dict[tuple[int, int], str]:
    cells: dict[tuple[int, int], str] = {}
    for piece in pieces:
        if piece.place == place.name and isinstance(piece.space, Ref):
            column, row = piece.space.key.split(",")
            cells[int(column), int(row)] = piece.label
    return cells


def _extent(place: model.Place, cells: dict[tuple[int, int], str]) -> tuple[range, range]:
    """The columns and rows to draw: all of them, or of a long side only those in use."""
    columns, rows = _reach([column for column, _ in cells]), _reach([row for _, row in cells])
    if place.width is not None and place.width <= _LONGEST:
        columns = range(1, place.width + 1)
    if place.height is not None and place.height <= _LONGEST:
        rows = range(1, place.height + 1)
    return columns, rows


def _reach(numbers: list[int]) -> range:
    return range(min(numbers), max(numbers) + 1) if numbers else range(0)


# ---------------------------------------------------------------- values and piles


def _is_value(variable: model.Variable) -> bool:
    """Whether it is told in a table or list, since it stands on no place."""
    return variable.form not in ("piece", "group", "snapshot")


def _tables(state: State, slots: tuple[tuple[int, Seen], ...], names: Names) -> tuple[Table, ...]:
    """One table for the players, one for each kind of thing that has values."""
    owners: dict[str, list[tuple[int, Seen]]] = {}
    for slot, seen in slots:
        variable = _variable(state, slot)
        if variable.owner and _is_value(variable):
            owners.setdefault(variable.owner, []).append((slot, seen))
    return tuple(_table(state, owner, cells, names) for owner, cells in owners.items())


def _table(state: State, owner: str, cells: list[tuple[int, Seen]], names: Names) -> Table:
    """Rows without anything in them are left out, except of players."""
    columns = tuple(dict.fromkeys(names.column(_variable(state, slot)) for slot, _ in cells))
    rows: dict[int, list[str]] = {}
    for slot, seen in cells:
        rows.setdefault(state.setting.slot_owner[slot], []).append(_text(_variable(state, slot), seen, names))
    kept = {
        index: row
        for index, row in rows.items()
        if owner == "player" or any(not is_nothing(text, names.tongue) for text in row)
    }
    named = tuple((_owner_name(state, owner, index, names), *row) for index, row in kept.items())
    title = names.tongue.say("players") if owner == "player" else names.kinds(owner)
    return Table(title, columns, named, owner == "player")


EMPTY = "-"
"""The text of a value that is not there."""


def is_nothing(text: str, tongue: Tongue) -> bool:
    """Whether the text of a value says that there is nothing."""
    return text in (EMPTY, "0", tongue.say("no"))


def _owner_name(state: State, owner: str, index: int, names: Names) -> str:
    if owner == "player":
        return plain(state.setting.seats[index])
    thing = state.setting.things[state.setting.kind_base[owner] + index]
    return names.short(Ref(thing.kind, thing.key))


def _text(variable: model.Variable, seen: Seen, names: Names) -> str:
    if seen.hidden and seen.count is None:
        return names.tongue.say("hidden")
    if seen.count is not None:
        return _pile_text(variable, seen, names)
    if seen.shown is None or seen.shown == ():
        return EMPTY
    if variable.keys and isinstance(seen.shown, tuple):
        return ", ".join(names.places(variable, seen.shown)) or EMPTY
    return names.short(seen.shown)


def _pile_text(variable: model.Variable, seen: Seen, names: Names) -> str:
    """What can be seen of a pile, and how many things cannot."""
    things = seen.shown if isinstance(seen.shown, tuple) else ()
    shown = ", ".join(names.counted(map(names.short, things), "times-short"))
    covered = (seen.count or 0) - len(things)
    if not covered:
        return shown or EMPTY
    if shown:
        return f"{shown} + {names.tongue.count('hidden-count', covered)}"
    return f"{covered} {names.kinds(variable.type.element.kind, covered)}"
