"""What else a table could agree on: every other choice of one option, and of two where that may matter."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from itertools import zip_longest

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.play.value import Value
from rulekit.tools.parts import within

Choices = dict[str, Value]


def agreements(game: model.Game, but: Container[str] = ()) -> list[Choices]:
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


def paired(single: Collection[Choices], named: Container[str]) -> list[Choices]:
    """Two choices of `agreements` at once, one of them about an option in `named`."""
    found: list[Choices] = []
    for choice in single:
        if any(name in named for name in choice):
            found += [{**choice, **other} for other in single if not choice.keys() & other.keys()]
    return [pair for place, pair in enumerate(found) if pair not in found[:place]]


def options_apart(a: model.Game, b: model.Game) -> frozenset[str]:
    """The options that are looked at in those rules of two games that are not the same."""
    return frozenset({*_read(a, _unlike(a, b)), *_read(b, _unlike(b, a))})


def options_agreed_apart(a: model.Game, b: model.Game) -> frozenset[str]:
    """The options that are looked at where the two say what may be agreed, and do not say the same."""
    return frozenset({*_read(a, _unlike_guards(a, b)), *_read(b, _unlike_guards(b, a))})


def _read(game: model.Game, rules: Iterable[object]) -> Iterator[str]:
    for rule in rules:
        yield from (game.options[e.index].name for e in within(rule, game) if isinstance(e, x.OptionValue))


def _unlike(game: model.Game, other: model.Game) -> Iterator[object]:
    """Operations and the values of defines that stand in one game alone, rule by rule."""
    for mine, theirs in zip_longest(game.codes, other.codes):
        if mine is not None and (theirs is None or mine.ops != theirs.ops):
            there = theirs.ops if theirs is not None else ()
            yield tuple(op for op, twin in zip_longest(mine.ops, there[: len(mine.ops)]) if op != twin)
    for own, their in zip_longest(game.defines, other.defines):
        if own is not None and (their is None or own.value != their.value):
            yield own.value


def _unlike_guards(game: model.Game, other: model.Game) -> Iterator[object]:
    theirs = {option.name: _guards(option) for option in other.options}
    yield from (_guards(option) for option in game.options if _guards(option) != theirs.get(option.name))


def _guards(option: model.Option) -> tuple[x.Expr, ...]:
    return tuple(test for _, test, _ in option.guards)
