"""Clause relevance: the clauses of a part of the rules, the nearest first.

Nearest are those of the part itself; where it asks for an option and for
nothing else, those of the option; where it is a test, those of the values that
it chooses between; then those of the lines around it, or, of a line that has
none, of its other parts.
Where one line carries several, those come first that acted in a match; then
those whose words name what stands there (as in information retrieval: a word
that several of them have counts less).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from itertools import zip_longest
from typing import Any

from rulekit.model.game import Game, Option
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, cites_inside, walk
from rulekit.tools.structure.structural_difference import Hunk, Site

_WORD = re.compile(r"[a-z]+|\d+")
_STEM = 5
"""So many letters are enough: `singles` is what a `single` is."""
_TESTS = {"is", "is not", "in", "not in", "below", "above", "at least", "at most", "not"}
_EVERYWHERE = {"0", "1"}
"""Numbers that stand in so many lines and clauses that they say little."""


def nearest_clauses(hunk: Hunk, games: tuple[Game, Game], acted: Container[str]) -> tuple[str, ...]:
    """The clauses of what differs, in both files."""
    whole = not hunk.here or not hunk.there or bool(hunk.passed)
    sides = [(site, game) for sites, game in zip((hunk.here, hunk.there), games, strict=True) for site in sites]
    ordered = [_in_order(site, game, acted, whole=whole) for site, game in sides]
    passed = [_in_order(site, games[1], acted, whole=False) for site in hunk.passed]
    if passed:
        # Of lines that changed places each is as near as the other.
        ordered = [[level for group in each for level in ([group[:1], group[1:]])] for each in (*ordered, *passed)]
    levels = zip_longest(*ordered, fillvalue=())
    return tuple(dict.fromkeys(clause for level in levels for group in level for clause in group))


def _in_order(site: Site, game: Game, acted: Container[str], *, whole: bool) -> list[tuple[str, ...]]:
    """The clauses of a part, level by level outwards."""
    levels = list(dict.fromkeys(_levels(site, game, whole=whole)))
    return [_by_relevance(level, site, game, acted) for level in levels]


def _levels(site: Site, game: Game, *, whole: bool) -> Iterator[tuple[str, ...]]:
    """whole: the part itself came or went, with all that stands in it."""
    yield _own(site.node)
    if whole or not isinstance(site.node, nodes.Line):
        yield from (_own(node) for node in _inside(site.node))
    yield _of_options(site, game)
    inner = site.node
    for node in reversed(site.around):
        yield _own(node)
        if isinstance(node, nodes.Choice) and inner is node.test:
            yield from (_own(value) for value in (node.then, node.other))
        elif isinstance(node, nodes.Line) and not cites(node):
            yield tuple(cite.id for cite in cites_inside(inner))
        inner = node


def _of_options(site: Site, game: Game) -> tuple[str, ...]:
    """The clauses of the options that the smallest condition around a part looks at, if it looks at nothing else."""
    words = dict.fromkeys(_words_of(_condition(site)))
    options = [option for option in game.options if option.name in words]
    readings = {name for option in options for name, _ in option.readings}
    if words.keys() - readings - {option.name for option in options}:
        return ()
    named = [cites for option in options for cites in _named_readings(option, words)]
    return tuple(dict.fromkeys(clause for cites in (*named, *(option.cites for option in options)) for clause in cites))


def _named_readings(option: Option, words: Container[str]) -> list[tuple[str, ...]]:
    return [cites for (name, _), cites in zip(option.readings, option.tied, strict=False) if name in words]


def _condition(site: Site) -> Any:
    """The part, with the comparison or negation that it stands right in."""
    around = site.around[-1] if site.around else None
    tests = isinstance(around, nodes.Binary | nodes.Unary) and around.op in _TESTS
    return around if tests else site.node


def _words_of(node: Any) -> Iterator[str]:
    return (one.name for one in _inside(node) if isinstance(one, nodes.Word | nodes.Attribute))


def _inside(node: Any) -> Iterator[nodes.Node]:
    return walk(node) if isinstance(node, nodes.Node) else iter(())


def _own(node: Any) -> tuple[str, ...]:
    if isinstance(node, nodes.Cited):
        return tuple(cite.id for cite in node.cites)
    return cites(node) if isinstance(node, nodes.Line) else ()


def _by_relevance(level: tuple[str, ...], site: Site, game: Game, acted: Container[str]) -> tuple[str, ...]:
    if len(level) <= 1:
        return level
    texts = {id_: _stems([game.clauses[id_].text]) if id_ in game.clauses else frozenset() for id_ in level}
    common = Counter(word for words in texts.values() for word in words)
    worth = dict.fromkeys(level, 0.0)
    for distance, words in enumerate(_words_outwards(site), start=1):
        for id_ in level:
            worth[id_] += sum(_weight(word) / common[word] for word in words & texts[id_]) / distance
    return tuple(sorted(level, key=lambda id_: (id_ not in acted, -worth[id_])))


def _weight(word: str) -> float:
    return 0.25 if word in _EVERYWHERE else 1.0


def _words_outwards(site: Site) -> Iterator[frozenset[str]]:
    """The names and numbers of a part, then those that each part around it adds, as far as its line."""
    known: frozenset[str] = frozenset()
    for node in (site.node, *reversed(site.around)):
        words = _stems(_names(node))
        yield words - known
        known |= words
        if isinstance(node, nodes.Line):
            return


def _names(node: Any) -> Iterator[str]:
    for one in walk(node):
        if isinstance(one, nodes.Number):
            yield str(one.value)
        elif isinstance(one, nodes.Row):
            yield from one.cells
        elif isinstance(getattr(one, "name", None), str):
            yield str(getattr(one, "name", ""))


def _stems(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_STEM] for text in texts for word in _WORD.findall(text.lower()))
