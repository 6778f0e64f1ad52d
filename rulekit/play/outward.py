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
        return setting.seat_refs[int(value)]
    if kind.name == "thing":
        return setting.ref(value)
    if kind.name == "direction":
        return Ref("direction", _DIRECTION_NAMES[value])
    if kind.name == "cell":
        return Ref("cell", f"{value[0] + 1},{value[1] + 1}")
    if kind.name == "offset":
        return Ref(kind.name, f"{value[0]},{value[1]}")
    if kind.name == "reading":
        option = setting.game.option(kind.kind)
        return Ref("reading", option.readings[value][0]) if option else None
    return value  # type: ignore[no-any-return]


def options_outward(m: Machine, kind: Type, options: tuple[Any, ...]) -> tuple[Value, ...]:
    """Options by meaning; where two read alike but lie in different piles, with the pile of each."""
    values = [outward(m.setting, kind, option) for option in options]
    if len(set(values)) == len(values) or kind.name != "thing":
        return tuple(values)
    piles: dict[Value, set[int | None]] = {}
    for value, option in zip(values, options, strict=True):
        piles.setdefault(value, set()).add(None if option is None else m.lies_in(option))
    return tuple(
        _placed(m, value, option) if len(piles[value]) > 1 else value
        for value, option in zip(values, options, strict=True)
    )


def _placed(m: Machine, value: Value, option: int) -> Value:
    slot = m.lies_in(option)
    return (
        value
        if slot is None or not isinstance(value, Ref)
        else Ref(value.kind, f"{value.key} in {m.setting.path(slot)}")
    )


def text(setting: Setting, kind: Type, value: Any) -> str:
    return notation(outward(setting, kind, value))
