"""From the engine's own values to values by meaning, and back."""

from __future__ import annotations

from typing import Any

from rulekit.model import words
from rulekit.model.types import Type
from rulekit.play.machine import Machine
from rulekit.play.setting import Setting
from rulekit.play.value import Ref, Value, notation

_DIRECTION_NAMES = {way: name for name, way in words.DIRECTIONS.items()}


def outward(setting: Setting, kind: Type, value: Any) -> Value:
    """An inner value of the given type, by meaning."""
    if value is None or kind.name in ("number", "flag"):
        return value  # type: ignore[no-any-return]
    if kind.is_set:
        return tuple(outward(setting, kind.element, item) for item in value)
    if kind.name == "player":
        return Ref("player", setting.seats[value])
    if kind.name == "thing":
        return setting.ref(value)
    if kind.name == "direction":
        return Ref("direction", _DIRECTION_NAMES[value])
    if kind.name in ("cell", "offset"):
        return Ref(kind.name, f"{value[0]},{value[1]}")
    if kind.name == "reading":
        option = setting.game.option(kind.kind)
        return Ref("reading", option.readings[value][0]) if option else None
    return value  # type: ignore[no-any-return]


def options_outward(m: Machine, kind: Type, options: tuple[Any, ...]) -> tuple[Value, ...]:
    """Options by meaning; where two read alike, with the pile that each lies in."""
    values = [outward(m.setting, kind, option) for option in options]
    if len(set(values)) == len(values):
        return tuple(values)
    return tuple(_placed(m, value, option, values) for value, option in zip(values, options, strict=True))


def _placed(m: Machine, value: Value, option: Any, values: list[Value]) -> Value:
    if not isinstance(value, Ref) or values.count(value) == 1 or not isinstance(option, int):
        return value
    slot = m.lies_in(option)
    return value if slot is None else Ref(value.kind, f"{value.key} in {m.setting.path(slot)}")


def text(setting: Setting, kind: Type, value: Any) -> str:
    return notation(outward(setting, kind, value))
