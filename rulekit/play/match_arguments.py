"""What a match is started with, as somebody gives it from outside: seats, options and a seed become the engine's own.

Nothing is guessed: what cannot be meant is a `BadSetup` that says what can.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, TypeGuard

from rulekit import limits
from rulekit.arguments import require_type
from rulekit.legibility import without_joiners
from rulekit.model import game as model
from rulekit.play.seat_names import default_names
from rulekit.play.state import counter_rng
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value, notation, value_of

# ---------------------------------------------------------------- seats and seed


def seat_names(game: model.Game, seats: int | Sequence[str] | None) -> tuple[str, ...]:
    """The names of the players, from a number of them or their names; the smallest number for None."""
    require_type("game", game, model.Game, "a Game, which `load` reads from a file")
    names = default_names(game.least if seats is None else seats) if _is_count(seats) else _names_given(seats)
    if not game.least <= len(names) <= game.most:
        span = f"{game.least}" if game.least == game.most else f"{game.least} to {game.most}"
        raise BadSetup(f"{game.title} is for {span} players, not {len(names)}")
    if len(set(map(without_joiners, names))) < len(names) or len(names) > limits.SEATS:
        raise BadSetup("every seat needs a name of its own")
    return names


def _is_count(seats: object) -> TypeGuard[int | None]:
    return isinstance(seats, int | None) and not isinstance(seats, bool)


def _names_given(seats: object) -> tuple[str, ...]:
    unordered = (str, bytes, AbstractSet, Mapping)
    names = tuple(seats) if isinstance(seats, Iterable) and not isinstance(seats, unordered) else ()
    if not names or not all(isinstance(name, str) for name in names):
        raise BadSetup(f"the seats are a number of players or their names in order, not {seats!r}")
    return names


def check_names(setting: Setting) -> None:
    """No value has the path of another one, as it would where a seat is called like something else that has it."""
    if len(set(setting.seats)) < setting.everyone:
        raise BadSetup(f"every seat needs a name of its own, also beside {', '.join(setting.seats[setting.players :])}")
    known: dict[str, int] = {}
    for slot in range(len(setting.values)):
        path = setting.told_paths[slot]
        if path in known:
            raise BadSetup(f"`{path}` would be two things: a seat cannot be called `{path.split('.')[0]}` here")
        known[path] = slot


def seed_number(seed: str | int | None) -> int | None:
    """The 64 bits of a seed; None where the caller answers for all chance."""
    text = seed_text(seed)
    return None if text is None else counter_rng.seed_number(text)


def seed_text(seed: object) -> str | None:
    """A seed as text; a number is its text."""
    if isinstance(seed, bool) or not isinstance(seed, str | int | None):
        raise BadSetup(f"a seed is a text, a number or None, not {seed!r}")
    return None if seed is None else str(seed)


# ---------------------------------------------------------------- options


def _unknown_options(game: model.Game, options: Mapping[str, Value]) -> None:
    known = [option.name for option in game.options]
    for name in options:
        if name not in known:
            from rulekit.diagnostics import nearest

            hint = nearest(name, known) or f"the options are: {', '.join(known) or '(none)'}"
            raise BadSetup(f"there is no option `{name}`; {hint}")


def option_values(game: model.Game, options: Mapping[str, Value]) -> tuple[Any, ...]:
    """The inner values of all options in order of declaration; those that are not given have their defaults."""
    if not isinstance(options, Mapping):
        raise BadSetup(f"options are given by name, as {{'name': value}}, not {options!r}")
    values = tuple(_option_value(game, option, options) for option in game.options)
    _unknown_options(game, options)
    return values


def _option_value(game: model.Game, option: model.Option, given: Mapping[str, Value]) -> Any:
    """The inner value of an option; readings and numbers are checked against what is declared."""
    if option.name not in given:
        return option.default
    value = _given(given[option.name])
    if option.readings:
        names = [name for name, _ in option.readings]
        text = notation(value)
        if text not in names:
            raise BadSetup(f"`{option.name}` is one of {', '.join(names)}, not {text}")
        return names.index(text)
    if option.type.name == "flag":
        if not isinstance(value, bool) and value not in ("yes", "no"):
            raise BadSetup(f"`{option.name}` is yes or no, not {notation(value)}")
        return value if isinstance(value, bool) else value == "yes"
    return _numbers(option, value)


def _given(value: object) -> Value:
    try:
        return value_of(value)
    except TypeError as fault:
        raise BadSetup(str(fault)) from None


def _numbers(option: model.Option, value: Value) -> Any:
    several = option.type.is_set
    items = value if isinstance(value, tuple) else (value,)
    bounds = f"{option.low}..{option.high}"
    good = all(isinstance(i, int) and not isinstance(i, bool) and option.low <= i <= option.high for i in items)
    if not good or (not several and len(items) != 1) or isinstance(value, tuple) != several:
        what = "a set of numbers" if several else "a number"
        raise BadSetup(f"`{option.name}` is {what} in {bounds}, not {notation(value)}")
    return tuple(sorted(set(items))) if several else items[0]
