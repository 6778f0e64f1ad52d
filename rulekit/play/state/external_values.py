"""Translation of the engine's own values to values by meaning, as they cross its border, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulekit.model import builtin_signatures
from rulekit.model.types import PLAIN, Parameter, Type, thing
from rulekit.play.state.match_state import State
from rulekit.play.state.setting import Setting, seat_number
from rulekit.play.state.value import Ref, Value, notation, value_of

_DIRECTIONS = {way: Ref("direction", name) for name, way in builtin_signatures.DIRECTIONS.items()}


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
        return _DIRECTIONS[value]
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


# ---------------------------------------------------------------- back


def inward(setting: Setting, kind: Type, value: Value) -> Any:
    """The inner value of the given type that somebody means.

    Errors: `ValueError`, which says what is wanted.
    """
    if value is None and not kind.is_set:
        return None
    if kind.is_set:
        if not isinstance(value, tuple):
            raise ValueError(f"{notation(value)} is one thing, and {kind} is wanted: give a list")
        return tuple([inward(setting, kind.element, item) for item in value])
    read = _READERS.get(kind.name)
    inner = None if read is None else read(setting, kind, value)
    if inner is None:
        raise ValueError(f"{notation(value)} is not {kind}")
    return inner


def handed(setting: Setting, name: str, wanted: Sequence[Parameter], given: Sequence[object]) -> list[Any]:
    """What a define or an action of this name is handed, as inner values.

    Errors: `ValueError` for too many or too few, and with the parameter whose value is not of its type.
    """
    if len(given) != len(wanted):
        what = ", ".join(f"`{one.name}` ({one.type})" for one in wanted) or "nothing"
        raise ValueError(f"`{name}` is handed {what}: {len(wanted)}, not {len(given)}")
    found = []
    for one, value in zip(wanted, given, strict=True):
        try:
            found.append(inward(setting, one.type, value_of(value)))
        except (TypeError, ValueError) as fault:
            raise ValueError(f"`{name}`, `{one.name}`: {fault}") from None
    return found


def of_any_type(setting: Setting, value: Value) -> Any:
    """The same where no type is declared: a text is a seat, and a thing is given as a `Ref`."""
    if isinstance(value, tuple):
        return tuple([of_any_type(setting, item) for item in value])
    if isinstance(value, str):
        return seat_number(setting, value, setting.everyone)
    if isinstance(value, Ref):
        return inward(setting, PLAIN.get(value.kind) or thing(value.kind), value)
    return value


def _number(setting: Setting, kind: Type, value: Value) -> Any:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _flag(setting: Setting, kind: Type, value: Value) -> Any:
    return value if isinstance(value, bool) else None


def _player(setting: Setting, kind: Type, value: Value) -> Any:
    return seat_number(setting, value, setting.everyone)


def _thing(setting: Setting, kind: Type, value: Value) -> Any:
    if isinstance(value, bool | tuple) or (isinstance(value, Ref) and value.kind != kind.kind):
        return None
    keys = {one.key: at for at, one in reversed([*enumerate(setting.things)]) if one.kind == kind.kind}
    found = keys.get(str(value))
    if found is None:
        raise ValueError(f"there is no {kind.kind} `{value}`; {_meant(str(value), tuple(keys))}")
    return setting.row_of[found]


def _meant(word: str, known: tuple[str, ...]) -> str:
    from rulekit.diagnostics import nearest

    return nearest(word, known) or f"there are {', '.join(sorted(known)[:_LISTED])}{' …' if known[_LISTED:] else ''}"


_LISTED = 20
"""So many keys are listed in a message."""


def _pair(value: Value) -> tuple[int, int] | None:
    """Two numbers, as a pair or as in the text of a cell or an offset."""
    parts = value if isinstance(value, tuple) else str(value).split(",")
    try:
        first, second = [int(str(part)) for part in parts]
    except ValueError:
        return None
    return first, second


def _cell(setting: Setting, kind: Type, value: Value) -> Any:
    pair = _pair(value)
    return None if pair is None else (pair[0] - 1, pair[1] - 1)


def _offset(setting: Setting, kind: Type, value: Value) -> Any:
    return _pair(value)


def _direction(setting: Setting, kind: Type, value: Value) -> Any:
    return builtin_signatures.DIRECTIONS.get(str(value))


_READERS = {
    "number": _number,
    "flag": _flag,
    "player": _player,
    "thing": _thing,
    "cell": _cell,
    "offset": _offset,
    "direction": _direction,
}
