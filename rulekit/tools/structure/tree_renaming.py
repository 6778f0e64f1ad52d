"""Renaming: which names of one syntax tree are called otherwise in another, everywhere where they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.tools.structure.tree_alignment import parts, plain
from rulekit.values import evolve

_WORD = re.compile(r"[a-z_][a-z0-9_]*")
_NAMES = (nodes.Line, nodes.Parameter, nodes.Naming, nodes.Trait)


def renamings(a: tuple[Any, ...], b: tuple[Any, ...]) -> dict[str, str]:
    """Names that only the first tree declares, with those that only the second does and that stand where they stood."""
    same = {id(one) for one in a} & {id(one) for one in b}
    here, there = (tuple(one for one in tree if id(one) not in same) for tree in (a, b))
    ours, theirs = _uses(here), _uses(there)
    gone = [name for name in _declared(here) if name not in theirs]
    new = [name for name in _declared(there) if name not in ours]
    if gone and new:
        # What both have uses a name as often in either.
        both = _uses(tuple(one for one in a if id(one) in same))
        gone, new = ([name for name in names if name not in both] for names in (gone, new))
    found: dict[str, str] = {}
    for name in gone:
        match = next((other for other in new if theirs[other] == ours[name]), None)
        if match is not None:
            new.remove(match)
            found[name] = match
    return found


def _declared(tree: tuple[Any, ...]) -> list[str]:
    named = [node for node in walk(tree) if isinstance(node, _NAMES) and not isinstance(node, nodes.Reading)]
    names = [getattr(node, "name", None) for node in named]
    return list(dict.fromkeys(str(name) for name in names if isinstance(name, str)))


def _uses(tree: tuple[Any, ...]) -> dict[str, Counter[tuple[str, str]]]:
    """How often each word stands in which field of which kind of node."""
    found: dict[str, Counter[tuple[str, str]]] = {}
    for node in walk(tree):
        for name, word in _words(node):
            found.setdefault(word, Counter())[type(node).__name__, name] += 1
    return found


def _words(node: nodes.Node) -> Iterator[tuple[str, str]]:
    for name in parts(node):
        value = getattr(node, name)
        if isinstance(value, str):
            yield name, str(value)
        elif isinstance(value, tuple) and plain(value):
            yield from ((name, word) for text in value if isinstance(text, str) for word in _WORD.findall(text))


def renamed(value: Any, names: Mapping[str, str]) -> Any:
    """A tree in which names are called otherwise."""
    if isinstance(value, tuple):
        return tuple(renamed(one, names) for one in value)
    if isinstance(value, str):
        if value in names:
            return names[value]
        return value
    if not isinstance(value, nodes.Node):
        return value
    if isinstance(value, nodes.Row):
        cells = tuple(_WORD.sub(lambda word: names.get(word[0], word[0]), cell) for cell in value.cells)
        return evolve(value, cells=cells)
    return evolve(value, **{name: renamed(getattr(value, name), names) for name in parts(value)})
