"""`greedy`: tries each answer once on guessed positions and takes the one after which its seat stands best.

It looks one step ahead: what follows at once, and, where others decide at the same time, what follows when they have
answered by chance.  Answers that are equally good are drawn among.
"""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from rulekit.bots.candidates import candidates
from rulekit.bots.luck import Luck
from rulekit.bots.playing import seeded, tried
from rulekit.bots.standing import standing
from rulekit.bots.thinker import Thinker
from rulekit.play.errors import IllegalAction, RuleError
from rulekit.play.state import Action, Decision, State
from rulekit.play.value import Value

_POSITIONS, _TRIES = 8, 200
"""On how many guessed positions an answer is tried; fewer if that makes more tries than this, but two at least."""
Worth = tuple[float, float]
"""The part of the seat and its lead, see `standing.Standing`."""


@define(eq=False)
class Greedy(Thinker):
    """Where the result cannot be read early, all answers are equally good."""

    def choose(self, decision: Decision, luck: Luck) -> Value:
        answers = candidates(decision, luck)
        count = max(2, min(_POSITIONS, _TRIES // len(answers)))
        drawn = [self.belief.draw(luck) for _ in range(count)]
        positions = [seeded(state, luck) for state in drawn if state is not None]
        worths = [self._worth(positions, answer, luck.key) for answer in answers]
        best = max(worths)
        return luck.one_of([answer for answer, worth in zip(answers, worths, strict=True) if worth == best])

    def _worth(self, positions: Sequence[State], answer: Value, key: int) -> Worth:
        # The same chance for every answer, so that they are compared on the same luck.
        found = [self._after(state, answer, Luck(key, 2**32)) for state in positions]
        return sum(part for part, _ in found) / len(found), sum(lead for _, lead in found) / len(found)

    def _after(self, state: State, answer: Value, luck: Luck) -> Worth:
        seat = self.chair.seat
        try:
            after = tried(state, Action(seat, answer), luck)
        except (RuleError, IllegalAction):
            return 0.0, 0.0
        stands = standing(after)
        if stands is None:
            return 0.0, 0.0
        return stands.parts[seat], 0.0 if stands.leads is None else stands.leads[seat]
