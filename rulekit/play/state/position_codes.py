"""How a history writes a piece as one number: where it stands, how it looks, and what it has.

Pieces that can stand for each other have the same number, so a position of
pieces is a sorted sequence of numbers.  What these are is declared here; each
engine works them out for itself.
"""

from __future__ import annotations

from typing import Any

from rulekit.model import game as model
from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.play.state.setting import Setting
from rulekit.values import frozen

COLUMN = 2**21
"""A cell counts as its column times this and its row."""


@frozen
class Digit:
    """What a variable of a piece adds.  low: its lowest value, which counts 1; nothing counts 0; size: how many."""

    variable: int
    low: int
    size: int
    is_direction: bool = False


@frozen
class PieceCode:
    """nowhere:  counts for the place of a piece that stands nowhere.

    looks:   by piece; of all kinds, so that two that look alike have the same.
    width:   how many pieces are written at the most; those that stand nowhere are only where they have `digits`.
    """

    nowhere: int
    width: int
    looks: dict[int, int]
    digits: tuple[Digit, ...]

    @property
    def several(self) -> int:
        """How many looks there are."""
        return max(self.looks.values(), default=0) + 1


def code_of(setting: Setting, kind: str) -> PieceCode:
    """How the pieces of a kind are written; worked out once for a match."""
    known: PieceCode | None = setting.codes.get(kind)
    if known is None:
        known = setting.codes[kind] = _code(setting, kind)
    return known


def width(setting: Setting, variable: model.Variable) -> int:
    """How many numbers one entry of a history has."""
    return sum(code_of(setting, one.kind).width if one.kind else 1 for one in variable.compared)


def _code(setting: Setting, kind: str) -> PieceCode:
    pieces = [piece for piece in setting.piece_slot if setting.things[piece].kind == kind]
    place = setting.place_at[pieces[0]] if pieces else None
    digits = tuple(
        _digit(setting, index, variable)
        for index, variable in enumerate(setting.game.variables)
        if variable.owner == kind
    )
    room = len(pieces) if digits or place is None else min(len(pieces), _room(place, len(pieces)))
    seen: dict[Any, int] = {}
    looks = {piece: seen.setdefault(_look(setting, piece), len(seen)) for piece in pieces}
    return PieceCode(_nowhere(setting, place), room, looks, digits)


def _room(place: model.Place, most: int) -> int:
    """How many pieces can stand on a place, where one line says how many each space holds, and full ones refuse."""
    if place.form != "grid" or place.width is None or place.height is None or len(place.capacity) != 1 or place.full:
        return most
    spaces, holds = place.capacity[0]
    value = getattr(holds, "value", None)
    return place.width * place.height * value if spaces is None and isinstance(value, int) else most


def _nowhere(setting: Setting, place: model.Place | None) -> int:
    if place is None:
        return 0
    if place.form == "grid":
        return (place.width or 0) * COLUMN
    return len(setting.things) if place.form == "course" else (place.high or 0) + 1


def _look(setting: Setting, piece: int) -> Any:
    """Equal for pieces that can stand for each other: those of one owner with the same traits."""
    thing = setting.things[piece]
    kind = setting.game.kinds[thing.kind]
    at = piece - kind.base
    return thing.owner, tuple(values[at] for values in kind.traits.values() if 0 <= at < len(values))


def _digit(setting: Setting, index: int, variable: model.Variable) -> Digit:
    if variable.form == "flag":
        return Digit(index, 0, 3)
    if variable.form == "counter":
        assert variable.low is not None
        assert variable.high is not None
        return Digit(index, variable.low, variable.high - variable.low + 2)
    if variable.type.name == "player":
        return Digit(index, 0, setting.everyone + 1)
    if variable.type.name == "direction":
        return Digit(index, 0, len(DIRECTIONS) + 2, is_direction=True)
    return Digit(index, setting.kind_base[variable.type.kind], setting.kind_count[variable.type.kind] + 1)
