"""Combinations of options to test: each option changed by itself, and pairwise changes where two may interact.

This is pairwise testing (combinatorial testing), cut down by a static comparison: in
each pair is an option that is read in rules that differ.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator
from itertools import zip_longest

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.traversal import within
from rulekit.play.state.value import Value

Choices = dict[str, Value]


def single_changes(game: model.Game, but: Container[str] = ()) -> list[Choices]:
    """Each option changed from its default by itself, to each of its other values; those named in `but` never."""
    free = [option for option in game.options if option.name not in but]
    return [{option.name: value} for option in free for value in other_values(option)]


def other_values(option: model.Option) -> list[Value]:
    """Other values of an option than its default: all readings, else the ends, of a set one to three members."""
    if option.readings:
        return [name for index, (name, _) in enumerate(option.readings) if index != option.default]
    if option.type.name == "flag":
        return [not option.default]
    ends = list(dict.fromkeys([option.low, option.high]))
    if option.type.is_set:
        return [(option.low,), tuple(ends), tuple(range(option.low, min(option.low + 3, option.high + 1)))]
    return [value for value in ends if value != option.default]


def pairwise_changes(single: Collection[Choices], named: Container[str]) -> list[Choices]:
    """Two choices of `single_changes` at once, one of them about an option in `named`."""
    found: list[Choices] = []
    for choice in single:
        if any(name in named for name in choice):
            found += [{**choice, **other} for other in single if not choice.keys() & other.keys()]
    return [pair for place, pair in enumerate(found) if pair not in found[:place]]


def options_in_changed_rules(a: model.Game, b: model.Game) -> frozenset[str]:
    """The options that are read in those rules of two games that differ."""
    return frozenset({*_read(a, _unlike(a, b)), *_read(b, _unlike(b, a))})


def options_in_changed_guards(a: model.Game, b: model.Game) -> frozenset[str]:
    """The options that are read in guards (what may be agreed) that differ between the two."""
    return frozenset({*_read(a, _unlike_guards(a, b)), *_read(b, _unlike_guards(b, a))})


def _read(game: model.Game, rules: Iterable[object]) -> Iterator[str]:
    for rule in rules:
        yield from (game.options[e.index].name for e in within(rule, game.defines) if isinstance(e, x.OptionValue))


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
    return tuple(guard.test for guard in option.guards)
