"""Translation of the engine's own values to values by meaning, as they cross its border."""

from __future__ import annotations

from typing import Any

from rulekit.model import builtin_signatures
from rulekit.model.types import Type
from rulekit.play.state.match_state import State
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value, notation

_DIRECTION_NAMES = {way: name for name, way in builtin_signatures.DIRECTIONS.items()}


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


def options_outward(state: State, kind: Type, options: tuple[Any, ...]) -> tuple[Value, ...]:
    """Options by meaning; where two read alike but lie in different piles, with the pile of each."""
    if kind.name != "thing":
        return tuple([outward(state.setting, kind, option) for option in options])
    refs = state.setting.refs
    values = tuple([None if option is None else refs[option] for option in options])
    # Things that read alike have one ref between them.
    if len(set(map(id, values))) == len(values):
        return values
    piles: dict[Value, set[int | None]] = {}
    for value, option in zip(values, options, strict=True):
        piles.setdefault(value, set()).add(_pile_of(state, option))
    return tuple(
        _placed(state, value, option) if len(piles[value]) > 1 else value
        for value, option in zip(values, options, strict=True)
    )


def _pile_of(state: State, option: int | None) -> int | None:
    return None if option is None else state.setting.lies_in(state.lies, option)


def _placed(state: State, value: Ref | None, option: int | None) -> Value:
    slot = _pile_of(state, option)
    return value if slot is None or value is None else Ref(value.kind, f"{value.key} in {state.setting.path(slot)}")


def text(setting: Setting, kind: Type, value: Any) -> str:
    """A value as short text, as in logs and menus."""
    return notation(outward(setting, kind, value))
