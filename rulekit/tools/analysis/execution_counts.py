"""Execution counts (a profile by instrumentation): how often each line of the rules ran, and which way each test went.

The game is instrumented with a counter for each basic block, and any engine plays it; the matches stay the same.
What is only tried (`only if`, `possible`) does not count.  Not known is what an action does that a secret block
calls: no counter can be set there, since none is known to be the seat's own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from rulekit.compiler.lower.counting.schema import Schema
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import Place
from rulekit.model.effects import targets
from rulekit.model.types import NUMBER
from rulekit.play.state.match_state import State
from rulekit.source import Span
from rulekit.tools.analysis.control_operations import non_control_operations
from rulekit.tools.analysis.rule_instrumentation import instrumented
from rulekit.tools.analysis.statement_coverage import basic_blocks, secret_places, told_blocks
from rulekit.values import define, evolve, field, frozen


@frozen
class Test:
    """How often a test of a line held, and how often it failed; None where that cannot be told."""

    span: Span
    held: int | None
    failed: int | None


@define(eq=False)
class ExecutionCounts:
    """A game that counts where matches come by.

    game:     as it is; counted: with counters.
    counters: the variable of each block, by the place where the block begins.
    block:    by operation the beginning of the block in which it lies.
    """

    game: model.Game
    counted: model.Game = field(init=False, repr=False)
    counters: dict[Place, int] = field(init=False, factory=dict, repr=False)
    block: dict[Place, Place] = field(init=False, repr=False)
    _apart: dict[Place, int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._apart, blind = secret_places(self.game)
        self.block = basic_blocks(self.game)
        variables = list(self.game.variables)
        for place in told_blocks(self.game, self.block):
            if place[0] not in blind:
                self.counters[place] = len(variables)
                owner = "player" if place in self._apart else ""
                variables.append(model.Variable(f"ran {place[0]} {place[1]}", "counter", owner, NUMBER))
        tallies = tuple(model.Tally((variable,)) for variable in self.counters.values())
        self.counted = instrumented(evolve(self.game, variables=tuple(variables), tallies=tallies), self._count)

    def _count(self, code: int, pc: int, op: ops.Op) -> list[ops.Op]:
        """What is put before an operation where a block begins."""
        if (code, pc) not in self.counters:
            return []
        variable, seat = self.counters[code, pc], self._apart.get((code, pc))
        whose = None if seat is None else x.Local(seat)
        more = x.Arithmetic("+", x.Stored(variable, whose), x.Const(1))
        return [ops.Assign(ops.Target(variable, whose), more)]

    # ------------------------------------------------------------ what matches counted

    def summed(self, sheet: Schema, sums: Sequence[int]) -> Counter[Place]:
        """How often matches of the counted game came by each block, by the sums of their series."""
        return Counter(dict(zip(self.counters, sums[sheet.first_tally :], strict=True)))

    def of_state(self, state: State) -> Counter[Place]:
        """The same of one match in the reference engine, by its position."""
        bases, owned = state.setting.bases, state.setting.everyone
        found = Counter[Place]()
        for place, variable in self.counters.items():
            for count in state.values[bases[variable] :][: owned if place in self._apart else 1]:
                assert isinstance(count, int), (place, count)
                found[place] += count
        return found

    # ------------------------------------------------------------ lines and tests

    def lines(self, counts: Mapping[Place, int]) -> dict[Span, int]:
        """How often each line ran that can be counted; what stands behind a colon has a place of its own."""
        found = Counter[Span]()
        for place, span in self._begun():
            found[span] += counts[self.block[place]]
        return dict(found)

    def _begun(self) -> Iterator[tuple[Place, Span]]:
        """Where lines begin.  One that stands at several places of a code, since a rule is changed, does so at each."""
        for index, code in enumerate(self.game.codes):
            doing, before = non_control_operations(code), None
            for pc, op in enumerate(code.ops):
                is_begun = op.span != before and (pc in doing or op.effects.opens)
                before = op.span
                if is_begun and self.block[index, pc] in self.counters:
                    yield (index, pc), op.span

    def tests(self, counts: Mapping[Place, int]) -> Iterator[Test]:
        """Of each test that decides whether lines below it run, how often it held and failed."""
        for index, code in enumerate(self.game.codes):
            led = {goal for op in code.ops for goal in targets(op)}
            for pc, op in enumerate(code.ops):
                if isinstance(op, ops.Unless) and self.block[index, pc] in self.counters:
                    asked, held = counts[self.block[index, pc]], None if pc + 1 in led else counts[index, pc + 1]
                    yield Test(op.test.span, held, None if held is None else asked - held)
