"""Search in Python: many simulations from positions that fit what a seat knows, along trees of information sets.

Information-set Monte Carlo tree search with a tree for every seat (Cowling,
Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012).  A node is
an information set, so all that it counts is counted for its seat alone, and
answers at the same time are chosen without knowing one another.  A simulation
follows the trees, tries one new answer, and goes on by chance.  A choice of
several things is a chain: how many, then how many are passed over before each.
The WebAssembly of `runtime_search` does the same, number for number.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any

from attrs import define, field

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import NONE
from rulekit.compiler.python.runtime import Hook
from rulekit.compiler.python.stepping import PythonStepping, Saved, SteppingRun
from rulekit.compiler.runtime import information_sets as s
from rulekit.compiler.runtime.protocols import Weighed
from rulekit.compiler.runtime.tree_search import (
    DEFEATED,
    EXPLORATION,
    LEAD_WEIGHT,
    MAX_ANSWERS,
    MAX_DEPTH,
    MAX_NODES,
    SEARCH_SEED,
    UNPLACED,
    extended_key,
    logarithm,
    most_visited,
)
from rulekit.play.state import counter_rng


@define(eq=False)
class Node:
    """visits, worths: by answer."""

    visits: list[int]
    worths: list[float]


@define(eq=False)
class Leads:
    """How far ahead seats came in this search, so that a lead counts by what is usual in this game."""

    count: float = 0.0
    total: float = 0.0
    squares: float = 0.0

    def part(self, lead: float) -> float:
        """A lead as a number from 0 to 1; a usual one is 1/2."""
        self.count += 1.0
        self.total += lead
        self.squares += lead * lead
        mean = self.total / self.count
        spread = sqrt(max(self.squares / self.count - mean * mean, 1e-9))
        away = (lead - mean) / spread
        return 0.5 + 0.5 * away / (1.0 + abs(away))


@define(eq=False)
class Tree:
    """What one search remembers.

    path:    node, answer and seat of each choice of the simulation at work.
    inside:  whether it still follows the trees.
    known:   what all know, then what each seat knows besides, of the answers since the search began.
    """

    sight: s.Observer
    nodes: dict[int, Node] = field(factory=dict)
    answers: int = 0
    leads: Leads = field(factory=Leads)
    path: list[tuple[Node, int, int]] = field(factory=list)
    inside: bool = False
    known: list[int] = field(factory=list)
    key: int = 0
    used: int = 0

    def begin(self, seed: int) -> None:
        self.path, self.inside = [], True
        self.known = [0] * (1 + len(self.sight.looks))
        self.key, self.used = extended_key(seed, SEARCH_SEED), 0

    def below(self, n: int) -> int:
        value, self.used = counter_rng.below(self.key, self.used, n)
        return value

    def choice(self, key: int, size: int, seat: int, *, secret: bool) -> int:
        """One of so many answers: never tried, else the one that promises most.

        Of secret ones with some chance in it: else two seats that weigh answers to each other fall into step.
        """
        if size == 1:
            return 0
        node = self._node(key, size) if self.inside else None
        if node is None:
            self.inside = False
            return self.below(size)
        new = node.visits.count(0)
        if new:
            skip = self.below(new)
            place = [at for at, visits in enumerate(node.visits) if not visits][skip]
        else:
            place = self._most_promising(node, secret=secret)
        self.path.append((node, place, seat))
        self.inside = not new and len(self.path) < MAX_DEPTH
        return place

    def _node(self, key: int, size: int) -> Node | None:
        node = self.nodes.get(key)
        if node is None and len(self.nodes) < MAX_NODES and self.answers + size <= MAX_ANSWERS:
            self.answers += size
            node = self.nodes[key] = Node([0] * size, [0.0] * size)
        return node

    def _most_promising(self, node: Node, *, secret: bool) -> int:
        logged = logarithm(sum(node.visits))
        best, found = -1.0, 0
        for place, (visits, worth) in enumerate(zip(node.visits, node.worths, strict=True)):
            curiosity = EXPLORATION * (0.5 + self._share()) if secret else EXPLORATION
            promise = worth / visits + curiosity * sqrt(logged / visits)
            if promise > best:
                best, found = promise, place
        return found

    def _share(self) -> float:
        """A number from 0 on, below 1."""
        value = counter_rng.output(self.key, self.used)
        self.used += 1
        return (value >> 11) * 2.0**-53

    def passed(self, left: int, wanted: int) -> int:
        """How many of those left are passed over before the next of those wanted, each set as likely as any other."""
        count = 0
        while self.below(left - count) >= wanted:
            count += 1
        return count

    def answered(self, key: int) -> list[tuple[int, float]]:
        """How often each answer was tried, and what that came to; empty where the search never came there."""
        node = self.nodes.get(key)
        return [] if node is None else list(zip(node.visits, node.worths, strict=True))

    def learn(self, worths: Sequence[float]) -> None:
        """What the simulation at work came to."""
        for node, place, seat in self.path:
            node.visits[place] += 1
            node.worths[place] += worths[seat]


@define(eq=False)
class SearchingRun(SteppingRun):
    """tree:  the search at work, or None."""

    tree: Tree | None = None

    def start(self, seed: int, hook: Hook | None) -> None:
        self.tree = None
        super().start(seed, hook)

    def by_chance(self, number: int, seat: int, options: list[int], least: int, most: int) -> Any:
        tree = self.tree
        if tree is None or not tree.inside:
            return super().by_chance(number, seat, options, least, most)
        asked, values = tree.sight.asks[number], self._values(tree.sight, number, options)
        key = self.information(tree, number, seat, values)
        if self.plan.asks[number].form == "several":
            places = self._several(tree, key, (len(options), least, most), seat, secret=not asked.open)
        else:
            places = (tree.choice(key, len(options), seat, secret=not asked.open),)
        knower = 0 if asked.open else 1 + seat
        for place in places:
            tree.known[knower] = extended_key(tree.known[knower], values[place] + number + 1)
        return places if self.plan.asks[number].form == "several" else places[0]

    def _several(
        self, tree: Tree, key: int, sizes: tuple[int, int, int], seat: int, *, secret: bool
    ) -> tuple[int, ...]:
        """sizes: how many options there are, and how many of them are to be chosen."""
        size, least, most = sizes
        wanted = least + tree.choice(key, most - least + 1, seat, secret=secret)
        key = extended_key(key, wanted + 1)
        places: list[int] = []
        at = 0
        while wanted > len(places):
            left, more = size - at, wanted - len(places)
            inside = tree.inside
            over = tree.choice(key, left - more + 1, seat, secret=secret) if inside else tree.passed(left, more)
            key = extended_key(key, over + 1)
            places.append(at + over)
            at += over + 1
        return tuple(places)

    def _values(self, sight: s.Observer, number: int, options: list[int]) -> list[int]:
        """Options as the seat can tell them apart."""
        return [_row(sight, option) for option in options] if sight.asks[number].things else options

    def information(self, tree: Tree, number: int, seat: int, values: list[int]) -> int:
        """The key of an information set."""
        sight = tree.sight
        key = extended_key(extended_key(0, number), seat)
        for value in values:
            key = extended_key(key, value)
        key = extended_key(extended_key(key, tree.known[0]), tree.known[1 + seat])
        for look in sight.looks[seat]:
            if sight.asks[number].apart and look.owner not in (s.SHARED, seat):
                continue
            for value in self._looked(sight, look):
                key = extended_key(key, value)
        return key

    def _looked(self, sight: s.Observer, look: s.Observable) -> list[int]:
        if look.form == s.WORD:
            return [self.storage.words[look.number]]
        if look.form == s.THING:
            return [_row(sight, self.storage.words[look.number])]
        entries = self.storage.lists[look.number]
        if look.form == s.SIZE:
            return [len(entries)]
        if look.form == s.NUMBERS:
            return [len(entries), *entries]
        seen = entries[-1:] if look.form == s.TOP else entries
        return [len(entries), *(_row(sight, entry) for entry in seen)]


def _row(sight: s.Observer, thing: int) -> int:
    return sight.rows[thing] if 0 <= thing < len(sight.rows) else thing


@define(eq=False)
class PythonSearching(PythonStepping):
    """See `machine.Searching`."""

    sight: s.Observer
    _tree: Tree | None = field(init=False, default=None)

    def _kind(self) -> type[SteppingRun]:
        return SearchingRun

    def search(self, positions: Sequence[Saved], seed: int, first: int, count: int) -> int:
        run = self._only()
        assert isinstance(run, SearchingRun)
        if first == 0 or self._tree is None:
            self._tree = Tree(self.sight)
        done = 0
        for number in range(first, first + count):
            self.restore(positions[number % len(positions)])
            simulation = counter_rng.output(seed, number)
            self._tree.begin(simulation)
            run.tree = self._tree
            if self.playout(simulation) == p.Status.DONE:
                self._tree.learn(self._worths(self._tree))
                done += 1
            run.tree = None
        return done

    def weighed(self, position: Saved) -> list[Weighed]:
        run, tree = self._only(), self._tree
        assert isinstance(run, SearchingRun)
        assert tree is not None
        self.restore(position)
        tree.begin(0)
        asked = self.waiting()
        options = list(asked.options)
        key = run.information(tree, asked.ask, asked.seat, run._values(self.sight, asked.ask, options))
        if self.plan.asks[asked.ask].form == "several":
            return [most_visited(tree.answered, key, (len(options), asked.least, asked.most))]
        found = tree.answered(key) if len(options) > 1 else [(0, 0.0)]
        return [Weighed((place,), visits, worth) for place, (visits, worth) in enumerate(found)]

    def _worths(self, tree: Tree) -> list[float]:
        words, sight, seats = self._storage.words, tree.sight, self.plan.seats
        classes = [_class(words, sight, seat) for seat in range(seats)]
        parts = [_part(classes, seat) for seat in range(seats)]
        if sight.leads is None or any(words[sight.leads + seat] == NONE for seat in range(seats)):
            return parts
        values = words[sight.leads : sight.leads + seats]
        if seats == 1:
            # Nobody else is there to be ahead of: the value itself is what counts.
            return [parts[0] * tree.leads.part(float(values[0]))]
        return [
            (1.0 - LEAD_WEIGHT) * parts[seat] + LEAD_WEIGHT * tree.leads.part(float(_lead(values, seat)))
            for seat in range(seats)
        ]


def _class(words: list[int], sight: s.Observer, seat: int) -> int:
    """Smaller is better."""
    if words[sight.defeated + seat] != NONE:
        return DEFEATED
    place = words[sight.rank + seat]
    return UNPLACED if place == NONE else place


def _part(classes: list[int], seat: int) -> float:
    """1 for the first place, 0 for the last one, shared places averaged; 0 if everybody is defeated."""
    own, seats = classes[seat], len(classes)
    if classes.count(DEFEATED) == seats:
        return 0.0
    if seats == 1:
        return 1.0
    better = sum(one < own for one in classes)
    middle = float(2 * better + classes.count(own) - 1)
    return 1.0 - middle / float(2 * (seats - 1))


def _lead(values: list[int], seat: int) -> int:
    others = [value for at, value in enumerate(values) if at != seat]
    return values[seat] - max(others) if others else values[seat]
