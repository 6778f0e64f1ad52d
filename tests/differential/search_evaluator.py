"""The evaluator of plans as an engine that searches, by the functions of the plan that `ir.Search` names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define

from rulekit.compiler.lower.search.parameters import SEARCH_SEED
from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.plan import ir as p
from rulekit.compiler.runtime.questions import Asked, Weighed
from rulekit.compiler.runtime.tree_search import weighed
from rulekit.play.state import counter_rng
from tests.plans.evaluator import Evaluator, Places
from tests.plans.reals import signed


def searching(plan: p.Plan) -> SearchEvaluator:
    return SearchEvaluator(suspendable(plan))


@define(eq=False)
class SearchEvaluator(Evaluator):
    """See `stepping.WasmStepping`."""

    @property
    def shape(self) -> p.Search:
        assert self.plan.search is not None
        return self.plan.search

    def search(self, positions: Sequence[Any], seed: int, first: int, count: int) -> int:
        ended = 0
        for number in range(first, first + count):
            self.restore(positions[number % len(positions)])
            self.match.seed = counter_rng.output(seed, number)
            luck = counter_rng.splitmix64((self.match.seed + SEARCH_SEED) % 2**64)
            self.call("search_begin", number, signed(luck))
            if self._on(hook=_chosen) == p.Status.DONE:
                self.call("search_learn")
                ended += 1
        return ended

    def judge(self, ending: int) -> int:
        self.storage.store(ending, 1)
        self.match.in_result, self.match.question = True, None
        self.match.frames.clear()
        return self._on(waits=True)

    def weighed(self, position: Any) -> list[Weighed]:
        self.restore(position)
        asked = self.waiting()
        self.call("search_begin", 1, 0)
        key = self.call("search_key", asked.ask, asked.seat, asked.options)
        return weighed(self, key, asked, several=self.plan.asks[asked.ask].form == "several")

    def answers(self, key: int, size: int) -> Sequence[Sequence[int]]:
        first, width = self.call("search_node", key, 0), self.shape.answer
        starts = range(first, first + width * size, width) if first else ()
        return [[self.storage.cells.get(at), self.storage.cells.get(at + 1)] for at in starts]

    def behind(self, key: int, place: int) -> int:
        return int(self.call("search_behind", key, place))

    def chosen(self, asked: Asked) -> Places:
        """An answer of the search, by chance once it has left its trees."""
        if not self.storage.cells.get(self.shape.inside):
            return self._by_chance(asked)
        of = asked.ask, asked.seat, asked.options
        if self.plan.asks[asked.ask].form != "several":
            return (self.call("search_choose_one", *of),)
        given: Places = self.call("search_choose_several", *of, asked.least, asked.most)
        return given


def _chosen(machine: Any, *asked: Any) -> Places:
    return machine.chosen(Asked(*asked))  # type: ignore[no-any-return]
