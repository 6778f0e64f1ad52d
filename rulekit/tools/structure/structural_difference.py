"""The structural difference of two rules files: which parts of their syntax trees are not the same, hunk by hunk.

Texts for people, margins, layout, examples and invariants do not count, nor
does the order of declarations with a name, or another name for the same.
What stands on one line is one hunk; each can be taken back alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.source import NOWHERE, Span
from rulekit.syntax import nodes
from rulekit.tools.examples.mutation_variant import Path
from rulekit.tools.structure.tree_alignment import Keys, Step, aligned, parts, plain
from rulekit.tools.structure.tree_renaming import renamed, renamings
from rulekit.values import define, evolve, field, frozen

_MEANINGLESS = (nodes.Scenario, nodes.Invariant, nodes.Ruleset)


@frozen
class Site:
    """A part of a tree: its node, and the nodes around it, outermost first."""

    node: Any
    around: tuple[Any, ...]

    @property
    def span(self) -> Span:
        return next(
            (node.span for node in (self.node, *reversed(self.around)) if isinstance(node, nodes.Node)), NOWHERE
        )

    @property
    def line(self) -> Any:
        """The innermost line that it is or that it stands in."""
        return next((node for node in reversed((*self.around, self.node)) if isinstance(node, nodes.Line)), None)


@frozen
class Undo:
    """A step by which the second tree becomes more like the first.

    verb:  set what is at a path to a node or value, insert it there, or remove what is there.
    """

    verb: str
    path: Path = field(eq=False)
    new: Any = field(eq=False, default=None)


@define(eq=False)
class Hunk:
    """What differs on one line.

    here, there:  where, in the first tree and in the second.
    passed:       lines that a moved one has changed places with.
    undo:         what takes it back in the second.
    """

    here: list[Site] = field(factory=list)
    there: list[Site] = field(factory=list)
    passed: list[Site] = field(factory=list)
    undo: list[Undo] = field(factory=list)


def structural_difference(a: Sequence[nodes.Declaration], b: Sequence[nodes.Declaration]) -> list[Hunk]:
    """The hunks, in the order of the second tree."""
    first, second = tuple(a), tuple(b)
    names = renamings(first, second)
    comparison = _Comparison(Keys())
    comparison.declarations(renamed(first, names) if names else first, second)
    return comparison.hunks()


def taken_back(b: Sequence[nodes.Declaration], hunks: Iterable[Hunk]) -> tuple[nodes.Declaration, ...]:
    """The second tree without these hunks: there it is as the first."""
    steps = [step for hunk in hunks for step in hunk.undo]
    # From the end, so that places before stay what they are; what is inserted at a place comes before what was there.
    order = sorted(enumerate(steps), key=lambda pair: (_key(pair[1].path), pair[1].verb != "insert", pair[0]))
    root: Any = tuple(b)
    for _, step in reversed(order):
        root = _with(root, step.path, step)
    return tuple(root)


def _key(path: Path) -> tuple[tuple[int, int, str], ...]:
    return tuple((0, part, "") if isinstance(part, int) else (1, 0, part) for part in path)


def _with(root: Any, path: Path, step: Undo) -> Any:
    head, rest = path[0], path[1:]
    if isinstance(head, str):
        return evolve(root, **{head: _with(getattr(root, head), rest, step) if rest else step.new})
    if rest:
        return (*root[:head], _with(root[head], rest, step), *root[head + 1 :])
    kept = root[head:] if step.verb == "insert" else root[head + 1 :]
    return (*root[:head], *(() if step.verb == "remove" else (step.new,)), *kept)


@frozen
class _Found:
    """One difference; `a` or `b` is None where something stands in one tree only."""

    a: Site | None
    b: Site | None
    undo: tuple[Undo, ...]
    within: Path
    at: int = 0


@define(eq=False)
class _Comparison:
    """Goes through two trees side by side.

    found:  differences of what stands in both.
    lost, added:  members of sequences that stand in one of them.
    """

    keys: Keys
    found: list[_Found] = field(factory=list)
    lost: list[_Found] = field(factory=list)
    added: list[_Found] = field(factory=list)

    # ------------------------------------------------------------ declarations

    def declarations(self, a: tuple[Any, ...], b: tuple[Any, ...]) -> None:
        here, there = _declared(a), _declared(b)
        for name in dict.fromkeys([*here, *there]):
            self._namesakes(here.get(name, []), there.get(name, []))

    def _namesakes(self, here: list[tuple[Path, Site]], there: list[tuple[Path, Site]]) -> None:
        """Declarations of one name; those that have none, as the parts of the setup, stand in an order."""
        alone = len(here) == len(there) == 1
        ours, theirs = ([site.node for _, site in each] for each in (here, there))
        for step in [Step(0, 0, 0)] if alone else aligned(self.keys, ours, theirs):
            if step.a is None and step.b is not None:
                path, site = there[step.b]
                self.added.append(_Found(None, site, (Undo("remove", path),), path[:-1], step.b))
            elif step.b is None and step.a is not None:
                path, site = here[step.a]
                # Behind all others: among declarations the order does not matter.
                self.lost.append(_Found(site, None, (Undo("insert", (_LAST,), site.node),), (), step.a))
            elif step.a is not None and step.b is not None:
                (_, one), (path, other) = here[step.a], there[step.b]
                if not self.keys.alike(one.node, other.node):
                    self.nodes(one, other, path)

    # ------------------------------------------------------------ nodes

    def nodes(self, a: Site, b: Site, path: Path) -> None:
        """What differs between two nodes that are not the same."""
        if isinstance(b.node, nodes.Cited):
            self.nodes(a, Site(b.node.of, (*b.around, b.node)), (*path, "of"))
        elif isinstance(a.node, nodes.Cited):
            self.nodes(Site(a.node.of, (*a.around, a.node)), b, path)
        elif type(a.node) is not type(b.node) or not self._parts(a, b, path):
            self._operand(a, b, path)

    def _parts(self, a: Site, b: Site, path: Path) -> bool:
        """By the fields of two nodes of one kind; False where it is better told as a whole."""
        names = [name for name in parts(a.node) if self._differ(a.node, b.node, name)]
        if isinstance(a.node, nodes.Binary) and (len(names) > 1 or self._operand_of(a.node, b.node) is not None):
            return False
        plain_ones = [name for name in names if plain(getattr(b.node, name))]
        for name in names:
            if name not in plain_ones:
                self._field(a, b, (*path, name), name)
        if plain_ones:
            undo = tuple(Undo("set", (*path, name), getattr(a.node, name)) for name in plain_ones)
            self.found.append(_Found(a, b, undo, path))
        return True

    def _differ(self, a: Any, b: Any, name: str) -> bool:
        return self.keys.of(getattr(a, name)) != self.keys.of(getattr(b, name))

    def _field(self, a: Site, b: Site, path: Path, name: str) -> None:
        one, other = getattr(a.node, name), getattr(b.node, name)
        inner = (*a.around, a.node), (*b.around, b.node)
        if isinstance(one, tuple) and isinstance(other, tuple):
            self._members(one, other, inner, path)
        elif one is None or other is None:
            self._set(Site(one, inner[0]), Site(other, inner[1]), path)
        else:
            self.nodes(Site(one, inner[0]), Site(other, inner[1]), path)

    def _members(
        self, a: tuple[Any, ...], b: tuple[Any, ...], inner: tuple[tuple[Any, ...], tuple[Any, ...]], path: Path
    ) -> None:
        for step in self._steps(a, b):
            if step.b is None and step.a is not None:
                site = Site(a[step.a], inner[0])
                self.lost.append(_Found(site, None, (Undo("insert", (*path, step.at), site.node),), path, step.at))
            elif step.a is None and step.b is not None:
                site = Site(b[step.b], inner[1])
                self.added.append(_Found(None, site, (Undo("remove", (*path, step.b)),), path, step.b))
            elif step.a is not None and step.b is not None:
                one, other = a[step.a], b[step.b]
                if self.keys.of(one) != self.keys.of(other):
                    self.nodes(Site(one, inner[0]), Site(other, inner[1]), (*path, step.b))

    def _steps(self, a: tuple[Any, ...], b: tuple[Any, ...]) -> list[Step]:
        if a and b and isinstance(a[0], nodes.VariableLine):
            return _by_name(a, b)
        return aligned(self.keys, a, b)

    def _operand(self, a: Site, b: Site, path: Path) -> None:
        """Two nodes as a whole; where one is only a part of the other, it is the rest that differs."""
        rest, other = self._operand_of(b.node, a.node), self._operand_of(a.node, b.node)
        if rest is not None:
            b = Site(rest, (*b.around, b.node))
        elif other is not None:
            a = Site(other, (*a.around, a.node))
        undo = Undo("set", path, a.node if other is None else a.around[-1])
        self.found.append(_Found(a, b, (undo,), path))

    def _operand_of(self, whole: Any, part: Any) -> Any:
        """What a node has besides a part, if that is all of it."""
        if not isinstance(whole, nodes.Binary | nodes.Unary | nodes.Filter | nodes.Except | nodes.Ordered):
            return None
        inner = [getattr(whole, name) for name in parts(whole) if not plain(getattr(whole, name))]
        rest = [one for one in inner if self.keys.of(one) != self.keys.of(part)]
        if len(rest) == len(inner):
            return None
        return rest[0] if len(rest) == 1 else whole

    def _set(self, a: Site, b: Site, path: Path) -> None:
        self.found.append(_Found(a, b, (Undo("set", path, a.node),), path))

    # ------------------------------------------------------------ hunks

    def hunks(self) -> list[Hunk]:
        """Differences on one line together, and what left one place and came to another."""
        made = list(self._moves())
        by_place: dict[tuple[Any, ...], Hunk] = {}
        for one in (*self.found, *self.lost, *self.added):
            # What came where something went belongs to that.
            lines = (id(one.a.line), id(one.b.line)) if one.a and one.b else (one.within, one.at)
            hunk = by_place.setdefault(lines, Hunk())
            hunk.here += [one.a] if one.a is not None else []
            hunk.there += [one.b] if one.b is not None else []
            hunk.undo += one.undo
        return [*made, *by_place.values()]

    def _moves(self) -> Iterator[Hunk]:
        """What was lost in one place and added in another; of one sequence together."""
        together: dict[Path, Hunk] = {}
        for gone in list(self.lost):
            came = next((one for one in self.added if self._is_same(gone, one)), None)
            if came is None:
                continue
            self.lost.remove(gone)
            self.added.remove(came)
            hunk = together.setdefault(came.within, Hunk())
            assert gone.a is not None
            assert came.b is not None
            hunk.here.append(gone.a)
            hunk.there.append(came.b)
            hunk.passed += _passed(gone, came)
            hunk.undo += (*gone.undo, *came.undo)
        yield from together.values()

    def _is_same(self, gone: _Found, came: _Found) -> bool:
        assert gone.a is not None
        assert came.b is not None
        return self.keys.of(gone.a.node) == self.keys.of(came.b.node)


_LAST = 10**9
"""Where a lost declaration is put back: behind all others."""


def _passed(gone: _Found, came: _Found) -> list[Site]:
    """What stands between the two places of something moved in its sequence."""
    if gone.within != came.within or came.b is None:
        return []
    holder = came.b.around[-1]
    members: tuple[Any, ...] = getattr(holder, str(gone.within[-1]))
    low, high = sorted((gone.at, came.at))
    return [Site(members[at], came.b.around) for at in range(low, min(high + 1, len(members))) if at != came.at]


def _declared(declarations: tuple[Any, ...]) -> dict[Any, list[tuple[Path, Site]]]:
    """The declarations that can make a difference, by what they are called, out of their `assume`."""
    found: dict[Any, list[tuple[Path, Site]]] = {}
    waiting: list[tuple[Path, Site]] = [((at,), Site(node, ())) for at, node in enumerate(declarations)]
    while waiting:
        path, site = waiting.pop(0)
        if isinstance(site.node, nodes.Assume):
            inner = enumerate(site.node.declarations)
            waiting += [((*path, "declarations", at), Site(node, (*site.around, site.node))) for at, node in inner]
        elif not isinstance(site.node, _MEANINGLESS):
            found.setdefault(_called(site.node), []).append((path, site))
    return found


def _called(node: Any) -> tuple[str, ...]:
    """What tells a declaration from others; those that are called the same stand in an order."""
    names = [str(getattr(node, name)) for name in ("word", "name", "target", "piece") if getattr(node, name, None)]
    if isinstance(node, nodes.Has | nodes.Member):
        names += [node.kind, str(getattr(node, "key", ""))]
    return type(node).__name__, *names


def _by_name(a: tuple[Any, ...], b: tuple[Any, ...]) -> list[Step]:
    """What an owner has, in whatever order it is declared."""
    places = {one.name: at for at, one in enumerate(a)}
    both = [Step(places.get(one.name), at, at) for at, one in enumerate(b)]
    names = {one.name for one in b}
    return both + [Step(at, None, len(b)) for at, one in enumerate(a) if one.name not in names]
