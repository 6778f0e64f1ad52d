"""What else a table could agree on: every other choice of one option."""

from __future__ import annotations

from collections.abc import Container

from rulekit.model import game as model
from rulekit.play.value import Value


def agreements(game: model.Game, but: Container[str] = ()) -> list[dict[str, Value]]:
    """One option chosen otherwise than by default in each, options named in `but` left alone."""
    free = [option for option in game.options if option.name not in but]
    return [{option.name: value} for option in free for value in others(option)]


def others(option: model.Option) -> list[Value]:
    """Other values of an option than its default: all readings, else the ends, of a set one to three members."""
    if option.readings:
        return [name for index, (name, _) in enumerate(option.readings) if index != option.default]
    if option.type.name == "flag":
        return [not option.default]
    ends = list(dict.fromkeys([option.low, option.high]))
    if option.type.is_set:
        return [(option.low,), tuple(ends), tuple(range(option.low, min(option.low + 3, option.high + 1)))]
    return [value for value in ends if value != option.default]
