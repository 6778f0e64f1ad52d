"""Statement coverage: which lines of the rules ran in a match, told by any engine at its end.

The game is instrumented with a flag (a probe) for each basic block, that is
for each stretch of operations that run together.  What is only tried
(`only if`, `possible`) does not count.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define, evolve, field

from rulekit.compiler.lower.counting.counters import Counters
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import Place, reachable, run_by
from rulekit.model.effects import ends_block, targets
from rulekit.model.types import FLAG
from rulekit.tools.analysis.rule_instrumentation import instrumented


@define(eq=False)
class CoverageProbes:
    """A game with a flag for each basic block of its rules.

    game:   as it is; marked: with the flags.
    flags:  the variable of each block, by the place where the block begins.
    block:  by operation the beginning of the block in which it lies.
    """

    game: model.Game
    marked: model.Game = field(init=False, repr=False)
    flags: dict[Place, int] = field(init=False, factory=dict, repr=False)
    block: dict[Place, Place] = field(init=False, factory=dict, repr=False)
    _apart: dict[Place, int] = field(init=False, factory=dict, repr=False)
    _blind: set[int] = field(init=False, factory=set, repr=False)

    def __attrs_post_init__(self) -> None:
        self._apart, self._blind = secret_places(self.game)
        variables = list(self.game.variables)
        for index, code in enumerate(self.game.codes):
            begins = _beginnings(code)
            begin = 0
            for pc in range(len(code.ops)):
                begin = pc if pc in begins else begin
                self.block[index, pc] = (index, begin)
                # Engines take the two operations at the head of a loop as one.
                head = isinstance(code.ops[pc], ops.EachNext)
                if pc == begin and index != self.game.main and index not in self._blind and not head:
                    self.flags[index, pc] = len(variables)
                    owner = "player" if (index, pc) in self._apart else ""
                    variables.append(model.Variable(f"came by {index} {pc}", "flag", owner, FLAG))
        self.marked = instrumented(evolve(self.game, variables=tuple(variables)), self._mark)

    def _mark(self, code: int, pc: int, op: ops.Op) -> list[ops.Op]:
        if (code, pc) not in self.flags:
            return []
        seat = self._apart.get((code, pc))
        target = ops.Target(self.flags[code, pc], None if seat is None else x.Local(seat))
        return [ops.Assign(target, x.Const(True))]

    # ------------------------------------------------------------ what ran

    def words(self, counters: Counters) -> tuple[list[Place], tuple[int, ...]]:
        """Where matches of the marked game store what ran: the words, and of which block each is.

        In what is called from a secret block no flag can be set; that it began is told by how often the rule ran,
        which every series counts.
        """
        places, words = list[Place](), list[int]()
        for place, variable in self.flags.items():
            first, width = counters.storage.word_base[variable], counters.everyone if place in self._apart else 1
            words += range(first, first + width)
            places += [place] * width
        rules = counters.groups[-1]
        assert rules.domain is not None
        for number, code in enumerate(rules.domain.numbers):
            if code in self._blind:
                first = counters.entries + (rules.first + number) * counters.seats
                words += range(first, first + counters.seats)
                places += [(code, 0)] * counters.seats
        return places, tuple(words)

    def blocks_run(self, places: Sequence[Place], row: Sequence[int]) -> frozenset[Place]:
        """The blocks that ran in a match, by its words."""
        return frozenset(place for place, value in zip(places, row, strict=True) if value)


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
