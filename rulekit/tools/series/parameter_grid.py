"""A parameter grid from a command line, for sweeps and tuning: `rows=3..8`, `wake_at=below_one,one`, `double=all`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import product
from math import prod

from rulekit.model.game import Game, Option
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value, notation
from rulekit.tools.series.option_values import chosen, value_of, words_of
from rulekit.values import frozen

MOST = 1000
"""Values of one option, and combinations of all."""
_SPAN = re.compile(r"(-?\d{1,9})\.\.(-?\d{1,9})")


@frozen
class Axis:
    """One axis of a grid: an option with the values that it takes.

    numbers:  whether these are all numbers from the first to the last.
    """

    name: str
    values: tuple[Value, ...]
    numbers: bool = False


def parsed_grid(game: Game, written: Iterable[str]) -> tuple[Axis, ...]:
    """The axes of a grid, each from a text `NAME=VALUES`.  Errors: `BadSetup`."""
    made: list[Axis] = []
    for text in written:
        name, _, values = (part.strip() for part in text.partition("="))
        option = game.option(name)
        if option is None:
            chosen(game, None, [text])
        assert option is not None
        if name in [one.name for one in made]:
            raise BadSetup(f"the option `{name}` is given twice")
        made.append(_axis(option, values))
    return tuple(made)


def _axis(option: Option, text: str) -> Axis:
    span = _SPAN.fullmatch(text)
    if span is not None and option.type.name == "number":
        low, high = int(span[1]), int(span[2])
        if not low <= high < low + MOST:
            raise BadSetup(f"`{option.name}`: from less to more, at most {MOST} values, not {text}")
        return Axis(option.name, tuple(value_of(option, str(number)) for number in range(low, high + 1)), True)
    words = _all(option) if text == "all" else [word.strip() for word in text.split(";" if option.type.is_set else ",")]
    return Axis(option.name, tuple(dict.fromkeys(value_of(option, word) for word in words)))


def _all(option: Option) -> list[str]:
    if words := words_of(option):
        return words
    if option.type.is_set or option.high - option.low >= MOST:
        raise BadSetup(f"`{option.name}` has too many values for `all`")
    return [str(number) for number in range(option.low, option.high + 1)]


def combinations(of: tuple[Axis, ...]) -> list[dict[str, Value]]:
    """Every combination; the last option changes fastest.  Errors: `BadSetup` for too many."""
    count = prod(len(one.values) for one in of)
    if count > MOST:
        raise BadSetup(f"{count:,} combinations of options; at most {MOST:,} are played")
    return [dict(zip([one.name for one in of], values, strict=True)) for values in product(*(one.values for one in of))]


def assignment_text(options: Mapping[str, Value]) -> str:
    """`rows = 3, double = yes`."""
    return ", ".join(f"{name} = {notation(value)}" for name, value in options.items())
