"""The base class of bots that choose by a belief state: a memory of all they were told, and positions that fit it."""

from __future__ import annotations

from rulekit.bots.belief import proposals
from rulekit.bots.belief.history import Message
from rulekit.bots.belief.particle_filter import Belief
from rulekit.bots.bot import Chair
from rulekit.bots.random_playout import random_answer
from rulekit.bots.rng import Rng
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.play.view import View
from rulekit.values import define, field

_MOST_SETS = 48
"""How many sets are weighed at most where several things are to be chosen."""


@define(eq=False)
class BeliefBot:
    """A subclass says with `choose` how it answers where there is a choice.

    had_choice:  whether there was a choice at its last decision.

    Its recall is perfect; its answers depend on the seed, its seat and what it was told, and on nothing else.
    """

    chair: Chair
    belief: Belief = field(init=False)
    turns: int = field(init=False, default=0)
    had_choice: bool = field(init=False, default=False)
    listens: bool = field(init=False, default=True)
    _own_answers: tuple[Value, ...] = field(init=False, default=())

    def __attrs_post_init__(self) -> None:
        self.belief = Belief(self.chair, Rng.of(self.chair.seed, f"bot:{self.chair.name}"))

    def told(self, view: View, events: tuple[Event, ...]) -> None:
        self.belief.told(Message(self._own_answers, view, events))
        self._own_answers = ()

    def answer(self, view: View, decision: Decision) -> Value:
        self.had_choice = _is_choice(decision)
        if not self.had_choice:
            return decision.options[: decision.least] if decision.several else decision.options[0]
        rng = Rng.of(self.chair.seed, f"bot:{self.chair.name}:{self.turns}")
        if not self.belief.now().particles:
            # No history was found that fits what was told: nothing to choose by.
            return random_answer(decision, rng)
        chosen = self.choose(decision, rng)
        return random_answer(decision, rng) if chosen in decision.refused else chosen

    def answered(self, decision: Decision, value: Value) -> None:
        if _is_choice(decision):
            # Also for answers of before an undo, so that what is believed later is the same.
            self.belief.now()
        self._own_answers += (value,)
        self.turns += 1

    def choose(self, decision: Decision, rng: Rng) -> Value:
        raise NotImplementedError


def _is_choice(decision: Decision) -> bool:
    if decision.several:
        return decision.most > 0 and not decision.least == decision.most == len(decision.options)
    return len(decision.options) > 1


def candidate_answers(decision: Decision, rng: Rng) -> tuple[Value, ...]:
    """The answers that a search weighs: all of them, or of a great many sets a random sample."""
    if not decision.several or proposals.count(decision) <= _MOST_SETS:
        return tuple(answer for answer, _ in proposals.every(decision) if answer not in decision.refused)
    drawn = (random_answer(decision, rng) for _ in range(2 * _MOST_SETS))
    return tuple(dict.fromkeys(drawn))[:_MOST_SETS]
