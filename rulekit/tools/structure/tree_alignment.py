"""Alignment of syntax trees: which nodes are the same, and which members of two sequences belong together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.values import define, field, fields, frozen

_FOR_PEOPLE = {"span", "margin", "columns", "prompt", "title", "text", "inline", "author"}
"""Fields that change nothing of what the rules do."""
_BINDERS = (nodes.Let, nodes.Each, nodes.Chance, nodes.Choose, nodes.Parameter, nodes.Naming)
_LIKE = 0.3
"""How much of two lines must be the same so that one is told as a change of the other."""
_MANY = 2_000
"""Above so many pairs those are not compared; what comes first belongs together."""


def parts(node: Any) -> tuple[str, ...]:
    """The fields of a node that matter, in the order of the text."""
    kind: Any = type(node)
    return _parts(kind)


@cache
def _parts(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind) if one.name not in _FOR_PEOPLE)


def plain(value: Any) -> bool:
    """Whether it is a word or number and no node, nor a sequence of nodes."""
    if isinstance(value, tuple):
        return bool(value) and not isinstance(value[0], nodes.Node)
    return value is not None and not isinstance(value, nodes.Node)


@define(eq=False)
class Keys:
    """A number for every tree; trees that are the same have the same (hash consing)."""

    _known: dict[Any, int] = field(factory=dict)
    _of: dict[int, tuple[Any, int]] = field(factory=dict)

    def of(self, value: Any) -> int:
        if isinstance(value, tuple):
            return self._number(("tuple", *map(self.of, value)))
        if not isinstance(value, nodes.Node):
            return self._number((type(value) is bool, str(value) if isinstance(value, str) else value))
        if isinstance(value, nodes.Cited):
            return self.of(value.of)
        kept = self._of.get(id(value))
        if kept is None:
            names = parts(value)
            number = self._number((type(value).__name__, *(self.of(getattr(value, name)) for name in names)))
            kept = self._of[id(value)] = value, number
        return kept[1]

    def _number(self, key: Any) -> int:
        return self._known.setdefault(key, len(self._known))

    def alike(self, a: Any, b: Any) -> bool:
        """Whether two declarations are the same, however what is named inside them is called (alpha equivalence)."""
        return a is b or self.of(a) == self.of(b) or (type(a) is type(b) and _anonymous(a) == _anonymous(b))


def _anonymous(node: Any) -> list[Any]:
    """A declaration as its words in order; the names that it gives itself are numbered as they come."""
    own = {one.name for one in walk(node) if isinstance(one, _BINDERS)}
    numbers: dict[str, int] = {}
    return [
        numbers.setdefault(word, len(numbers)) if isinstance(word, str) and word in own else word
        for word in _words(node)
    ]


def _words(value: Any) -> Iterator[Any]:
    if isinstance(value, tuple):
        yield len(value)
        for one in value:
            yield from _words(one)
    elif isinstance(value, nodes.Cited):
        yield from _words(value.of)
    elif isinstance(value, nodes.Node):
        yield type(value)
        for name in parts(value):
            yield from _words(getattr(value, name))
    else:
        yield value


# ---------------------------------------------------------------- sequences


@frozen
class Step:
    """Members of two sequences that belong together; None where one has none.

    at:  the place in the second sequence, or before which the member of the first would stand in it.
    """

    a: int | None
    b: int | None
    at: int


def aligned(keys: Keys, a: Sequence[Any], b: Sequence[Any]) -> list[Step]:
    """As many as can be are the same; between those, what is most alike belongs together."""
    found: list[Step] = []
    moved = {keys.of(one) for one in a} & {keys.of(one) for one in b}
    matcher = SequenceMatcher(None, [keys.of(one) for one in a], [keys.of(one) for one in b], autojunk=False)
    for _, a_low, a_high, b_low, b_high in matcher.get_opcodes():
        same = a_high - a_low == b_high - b_low and keys.of(tuple(a[a_low:a_high])) == keys.of(tuple(b[b_low:b_high]))
        if same:
            found += [Step(a_low + n, b_low + n, b_low + n) for n in range(a_high - a_low)]
        else:
            found += _gap(_Likeness(keys, moved), a, b, range(a_low, a_high), range(b_low, b_high))
    return found


@frozen
class _Likeness:
    """How much of two nodes is the same, from 0 to about 1.

    moved:  keys of what stands in both sequences: that is no change of anything else.
    """

    keys: Keys
    moved: Set[int]

    def of(self, a: Any, b: Any) -> float:
        if self.keys.of(a) in self.moved or self.keys.of(b) in self.moved:
            return 0.0
        if not isinstance(a, nodes.Line):
            return 1.0
        if type(a) is not type(b):
            return 0.0
        if isinstance(a, nodes.Row) and isinstance(b, nodes.Row):
            same = sum(one == other for one, other in zip(a.cells, b.cells, strict=False))
            return _LIKE + same / max(len(a.cells), len(b.cells))
        return self._of_lines(a, b)

    def _of_lines(self, a: Any, b: Any) -> float:
        one, other = (Counter(self.keys.of(node) for node in walk(each)) for each in (a, b))
        names = parts(a)
        same = sum(self.keys.of(getattr(a, name)) == self.keys.of(getattr(b, name)) for name in names)
        common = 2 * sum((one & other).values()) / (sum(one.values()) + sum(other.values()))
        return _LIKE * same / max(1, len(names)) + common


def _gap(like: _Likeness, a: Sequence[Any], b: Sequence[Any], ours: range, theirs: range) -> Iterator[Step]:
    pairs = _paired(like, [a[at] for at in ours], [b[at] for at in theirs])
    one, other = ours.start, theirs.start
    for left, right in [*pairs, (len(ours), len(theirs))]:
        yield from (Step(at, None, other) for at in range(one, ours.start + left))
        yield from (Step(None, at, at) for at in range(other, theirs.start + right))
        if left < len(ours) and right < len(theirs):
            yield Step(ours.start + left, theirs.start + right, theirs.start + right)
        one, other = ours.start + left + 1, theirs.start + right + 1


def _paired(like: _Likeness, a: list[Any], b: list[Any]) -> list[tuple[int, int]]:
    """The pairs, in order, that have most in common together."""
    if len(a) * len(b) > _MANY:
        return [(at, at) for at in range(min(len(a), len(b))) if type(a[at]) is type(b[at])]
    best: list[list[tuple[float, list[tuple[int, int]]]]] = [[(0.0, [])] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i in reversed(range(len(a))):
        for j in reversed(range(len(b))):
            worth = like.of(a[i], b[j])
            taken = best[i + 1][j + 1]
            ways = [best[i + 1][j], best[i][j + 1]]
            ways += [(taken[0] + worth, [(i, j), *taken[1]])] if worth >= _LIKE else []
            best[i][j] = max(ways, key=lambda way: way[0])
    return best[0][0][1]
