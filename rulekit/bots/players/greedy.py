"""`greedy`: one-ply search; takes the answer after which the static evaluation is best for its seat.

Each answer is tried on positions sampled from the belief: what follows at once, and, where others decide at the same
time, what follows when they have answered at random.  Ties are broken at random.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.bots.players.belief_bot import BeliefBot, candidate_answers
from rulekit.bots.players.evaluation import evaluation_of
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
        drawn = [self.belief.draw(rng) for _ in range(count)]
        positions = [with_sampled_chance(state, rng) for state in drawn if state is not None]
        worths = [self._worth(positions, answer, rng.key) for answer in answers]
        best = max(worths)
        return rng.choice([answer for answer, worth in zip(answers, worths, strict=True) if worth == best])

    def _worth(self, positions: Sequence[State], answer: Value, key: int) -> Worth:
        # Common random numbers: every answer meets the same chance, so that the difference is the answer's.
        found = [self._after(state, answer, Rng(key, 2**32)) for state in positions]
        return sum(part for part, _ in found) / len(found), sum(lead for _, lead in found) / len(found)

    def _after(self, state: State, answer: Value, rng: Rng) -> Worth:
        seat = self.chair.seat
        try:
            after = after_answer(state, Action(seat, answer), rng)
        except (RuleError, IllegalAction):
            return 0.0, 0.0
        value = evaluation_of(after)
        if value is None:
            return 0.0, 0.0
        return value.utilities[seat], 0.0 if value.leads is None else value.leads[seat]
