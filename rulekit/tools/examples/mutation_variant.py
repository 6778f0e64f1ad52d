"""What a mutation operator makes of a node, and the constants that it may put in one another's place.

A variant is a node with something else at a place inside it.  Operators are
named as in the literature on mutation testing; none looks at how a game is
played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from rulekit.model import game as model
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.values import frozen

Path = tuple[str | int, ...]


@frozen
class Variant:
    """One way in which a node can be changed.

    operator:  the name of the mutation operator.
    old, new:  what is changed, as it is written; new "" for what is left out.
    node:      what is put there.
    path:      where in the node, () for the node itself.
    span:      where the change stands.
    lines:     the lines that are changed as wholes: left out, or exchanged.
    """

    operator: str
    old: str
    new: str
    node: Any
    span: Span
    path: Path = ()
    lines: tuple[nodes.Line | nodes.Cited, ...] = ()


@frozen
class Constants:
    """Named constants that can stand for one another: members of a kind, readings of an option, headings."""

    families: tuple[tuple[str, ...], ...]

    def beside(self, name: str) -> str | None:
        """Another one of the same family: the next, after the last the first."""
        for family in self.families:
            if name in family and len(family) > 1:
                return family[(family.index(name) + 1) % len(family)]
        return None


Operator = Callable[[Any, Constants], Iterable[Variant]]
"""Gives the changes of one node."""


def constants_of(game: model.Game, declarations: Iterable[nodes.Declaration]) -> Constants:
    """The families of the named constants that a game declares."""
    kinds = [tuple(member.key for member in kind.members) for kind in game.kinds.values() if not kind.numbered]
    readings = [tuple(name for name, _ in option.readings) for option in game.options]
    lines = (node for node in walk(tuple(declarations)) if isinstance(node, nodes.Headings))
    headings = [tuple(word.name for word in line.words) for line in lines]
    return Constants(tuple(family for family in (*kinds, *readings, *headings, ("up", "down")) if family))


def beside(value: int) -> list[int]:
    """The numbers next to one, none below 0."""
    return [value + 1, value - 1] if value else [1]


def yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def without(items: Sequence[Any], index: int) -> tuple[Any, ...]:
    """All but one."""
    return (*items[:index], *items[index + 1 :])


def swapped(items: Sequence[Any]) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Each two neighbours exchanged, with the place of the first."""
    for index in range(len(items) - 1):
        yield index, (*items[:index], items[index + 1], items[index], *items[index + 2 :])
