"""`greedy`: one-ply search; takes the answer after which the static evaluation is best for its seat.

Each answer is tried on positions sampled from the belief: what follows at once, and, where others decide at the same
time, what follows when they have answered at random.  Ties are broken at random.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.bots.belief.history import Node
from rulekit.bots.players.belief_bot import BeliefBot, candidate_answers
from rulekit.bots.players.compiled_lookahead import compiled_lookahead
from rulekit.bots.players.evaluation import Evaluation, evaluation_of
from rulekit.bots.random_playout import after_answer, with_sampled_chance
from rulekit.bots.rng import Rng
from rulekit.play.state.errors import IllegalAction, RuleError
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.values import define

_POSITIONS, _TRIES = 8, 200
"""On how many sampled positions an answer is tried; fewer if that makes more tries than this, but two at least."""
Worth = tuple[float, float]
"""The utility of the seat and its lead, see `Evaluation`."""


@define(eq=False)
class Greedy(BeliefBot):
    """Where the result cannot be computed early, all answers are equally good."""

    def choose(self, decision: Decision, rng: Rng) -> Value:
        answers = candidate_answers(decision, rng)
        count = max(2, min(_POSITIONS, _TRIES // len(answers)))
        drawn = [self.belief.drawn_history(rng) for _ in range(count)]
        worths = self._worths(decision, answers, [node for node in drawn if node is not None], rng)
        best = max(worths)
        return rng.choice([answer for answer, worth in zip(answers, worths, strict=True) if worth == best])

    def _worths(self, decision: Decision, answers: Sequence[Value], histories: list[Node], rng: Rng) -> list[Worth]:
        # Common random numbers: every answer meets the same chance, so that the difference is the answer's.
        machine = compiled_lookahead(self.chair)
        if machine is not None and machine.believe(histories, rng):
            return [self._mean(machine.evaluations(decision, answer, rng.key)) for answer in answers]
        positions = [with_sampled_chance(node.state, rng) for node in histories]
        return [self._mean([self._after(state, answer, rng.key) for state in positions]) for answer in answers]

    def _mean(self, found: Sequence[Evaluation | None]) -> Worth:
        seat, known = self.chair.seat, [one for one in found if one is not None]
        leads = [one.leads[seat] for one in known if one.leads is not None]
        return sum(one.utilities[seat] for one in known) / len(found), sum(leads) / len(found)

    def _after(self, state: State, answer: Value, key: int) -> Evaluation | None:
        """For games that no plan can say, and where WebAssembly cannot run."""
        try:
            after = after_answer(state, Action(self.chair.seat, answer), Rng(key, 2**32))
        except (RuleError, IllegalAction):
            return None
        return evaluation_of(after)
