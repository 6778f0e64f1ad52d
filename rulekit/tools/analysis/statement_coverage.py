"""Statement coverage: which lines of the rules ran in a match, told by any engine at its end.

The game is instrumented with a flag for each basic block, that is for each
stretch of operations that run together, and with the probes of
`branch_coverage` in its expressions.  A line that is only tried (`only if`,
`possible`) does not count, but what an expression looks at in a try does: it
decides what is offered.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import Place, reachable, run_by
from rulekit.model.effects import ends_block, targets
from rulekit.model.types import FLAG
from rulekit.play.state.match_state import State
from rulekit.tools.analysis.branch_coverage import BranchProbes, Guard, Point, Points
from rulekit.tools.analysis.rule_instrumentation import instrumented
from rulekit.values import define, evolve, field

if TYPE_CHECKING:
    # Whoever checks or tests rules imports this, and compiles nothing.
    from rulekit.compiler.lower.counting.counters import Counters


@define(eq=False)
class CoverageProbes:
    """A game in which it is told where matches come by: at which basic blocks, and which ways its expressions go.

    game:     as it is; marked: with flags and probes.
    flags:    the variable of each block, by the place where the block begins.
    block:    by operation the beginning of the block in which it lies.
    branches: the probes in expressions; probed: those that stand for blocks, by their number.
    """

    game: model.Game
    marked: model.Game = field(init=False, repr=False)
    branches: BranchProbes = field(init=False, repr=False)
    flags: dict[Place, int] = field(init=False, factory=dict, repr=False)
    block: dict[Place, Place] = field(init=False, factory=dict, repr=False)
    probed: dict[Place, int] = field(init=False, factory=dict, repr=False)
    _apart: dict[Place, int] = field(init=False, factory=dict, repr=False)
    _blind: set[int] = field(init=False, factory=set, repr=False)

    def __attrs_post_init__(self) -> None:
        self._apart, self._blind = secret_places(self.game)
        self.branches = BranchProbes(self.game)
        variables = list(self.game.variables)
        for place in self._blocks():
            if place[0] in self._blind:
                self.probed[place] = self.branches.probe(Guard("block", None, "", lambda: frozenset()))
            else:
                self.flags[place] = len(variables)
                owner = "player" if place in self._apart else ""
                variables.append(model.Variable(f"came by {place[0]} {place[1]}", "flag", owner, FLAG))
        marked = instrumented(evolve(self.branches.watched, variables=tuple(variables)), self._mark)
        codes = [evolve(code, locals=code.locals + (index in self._blind)) for index, code in enumerate(marked.codes)]
        self.marked = self.branches.with_options(evolve(marked, codes=tuple(codes)))

    def _blocks(self) -> Iterator[Place]:
        """Where the basic blocks begin that are told of; which operations lie in each is noted."""
        self.block.update(basic_blocks(self.game))
        return told_blocks(self.game, self.block)

    def _mark(self, code: int, pc: int, op: ops.Op) -> list[ops.Op]:
        """What is put before an operation: its block has a flag, or a probe where no flag can be set.

        In what is called from a secret block nobody's flags are known to be the seat's own.
        """
        if (code, pc) in self.probed:
            return [ops.Let(self.game.codes[code].locals, self.branches.read(self.probed[code, pc]))]
        if (code, pc) not in self.flags:
            return []
        seat = self._apart.get((code, pc))
        target = ops.Target(self.flags[code, pc], None if seat is None else x.Local(seat))
        return [ops.Assign(target, x.Const(True))]

    # ------------------------------------------------------------ where a match came by

    def points(self, of: Iterable[Point]) -> frozenset[Point]:
        """The points that matches tell of: of an operation the block in which it lies."""
        return frozenset([point if isinstance(point, int) else self.block[point] for point in of])

    def summing(self, wanted: Iterable[Points]) -> model.Game:
        """The marked game that sums up in how many matches any of some points is come by, for each such set."""
        probes = {point: probe for probe, point in self._probes()}
        first = len(self.game.options)
        return evolve(
            self.marked,
            tallies=tuple(
                model.Tally(
                    tuple(self.flags[point] for point in points if point in self.flags),
                    tuple(first + probes[point] for point in points if point in probes),
                    is_any=True,
                )
                for points in wanted
            ),
        )

    @property
    def told(self) -> Iterator[Point]:
        """The points that matches tell of."""
        yield from self.flags
        yield from (point for _, point in self._probes())

    def words(self, counters: Counters) -> tuple[list[Point], tuple[int, ...]]:
        """Where matches of the marked game store what they came by: the words, and of which point each is."""
        points, words = list[Point](), list[int]()
        for place, variable in self.flags.items():
            first, width = counters.storage.word_base[variable], counters.everyone if place in self._apart else 1
            words += range(first, first + width)
            points += [place] * width
        for probe, point in self._probes():
            words.append(counters.storage.unclear[len(self.game.options) + probe])
            points.append(point)
        return points, tuple(words)

    def _probes(self) -> Iterator[tuple[int, Point]]:
        """Every probe, and the point that it stands for."""
        places: dict[int, Point] = {probe: place for place, probe in self.probed.items()}
        for probe in range(len(self.branches.guards)):
            yield probe, places.get(probe, probe)

    def blocks_run(self, points: Sequence[Point], row: Sequence[int]) -> frozenset[Point]:
        """The blocks and probes that a match came by, by its words."""
        return frozenset([point for point, value in zip(points, row, strict=True) if value])

    def came_by(self, state: State) -> frozenset[Point]:
        """The same of a match in the reference engine, by its position."""
        bases, owned = state.setting.bases, state.setting.everyone
        found: set[Point] = set()
        for place, variable in self.flags.items():
            first = bases[variable]
            if any(state.values[first : first + (owned if place in self._apart else 1)]):
                found.add(place)
        met = state.unclear.union(*(branch.unclear for branch in state.branches))
        first = len(self.game.options)
        return frozenset(found | {point for probe, point in self._probes() if first + probe in met})


def basic_blocks(game: model.Game) -> dict[Place, Place]:
    """By operation the beginning of the basic block in which it lies."""
    found: dict[Place, Place] = {}
    for index, code in enumerate(game.codes):
        begins, begin = _beginnings(code), 0
        for pc in range(len(code.ops)):
            begin = pc if pc in begins else begin
            found[index, pc] = (index, begin)
    return found


def told_blocks(game: model.Game, block: Mapping[Place, Place]) -> Iterator[Place]:
    """The beginnings of blocks before which something can be put.

    Engines take the two operations at the head of a loop as one.
    """
    for index, pc in dict.fromkeys(block.values()):
        if index != game.main and not isinstance(game.codes[index].ops[pc], ops.EachNext):
            yield index, pc


def _beginnings(code: ops.Code) -> set[int]:
    """Where basic blocks begin: at the first operation, at what is jumped to, and behind what may not go on."""
    found = {0}
    for pc, op in enumerate(code.ops):
        found |= {*targets(op), *([pc + 1] if ends_block(op.effects) else [])}
    return found


def secret_places(game: model.Game) -> tuple[dict[Place, int], set[int]]:
    """What lies in secret blocks, each with the local of its seat; and the codes that are called from there.

    Only the seat's own values may be set in the block, and in what it calls nobody's are known to be.
    """
    apart: dict[Place, int] = {}
    for index, code in enumerate(game.codes):
        apart.update({(index, pc): begin.local for pc, begin in ops.secret_blocks(code).items()})
    called = {code for index, pc in apart for code in run_by(game, game.codes[index].ops[pc])}
    return apart, reachable(game, called)
