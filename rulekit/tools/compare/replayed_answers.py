"""The answers of a match given again, as far as they are offered; beyond them, and for chance, random ones."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import define

from rulekit.play.state import counter_rng
from rulekit.play.state.state import CHANCE, Action, Decision
from rulekit.play.state.value import Value
from rulekit.tools.compare.differential_execution import Moment


@define(eq=False)
class ReplayedAnswers:
    """Answers one decision after the other.

    tail:     the decisions of the match whose answers are given again, in order.
    attempt:  seeds the random answers; the same number gives the same answers.
    used:     answers of `tail` given so far; drawn: the place in the random stream.
    """

    tail: Sequence[Moment]
    attempt: int
    used: int = 0
    drawn: int = 0

    def __call__(self, question: Decision) -> Value:
        if question.seat != CHANCE and self.used < len(self.tail):
            answer = self.tail[self.used].action
            self.used += 1
            if answer.seat == question.seat and _is_offered(question, answer):
                return answer.answer
        return self._random(question)

    def _random(self, question: Decision) -> Value:
        if question.several:
            return question.options[: question.least]
        key = counter_rng.stream_key(counter_rng.seed_number(f"go on {self.attempt}"), "answers")
        place, self.drawn = counter_rng.below(key, self.drawn, max(1, len(question.options)))
        return question.options[place]


def _is_offered(question: Decision, action: Action) -> bool:
    if not question.several:
        return action.answer in question.options
    taken = action.answer
    return isinstance(taken, tuple) and all(item in question.options for item in taken)
