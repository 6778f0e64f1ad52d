"""What every bot that thinks has in common: a memory of all it was told, and a belief made from it."""

from __future__ import annotations

from attrs import define, field

from rulekit.bots.belief import Belief
from rulekit.bots.bot import Chair
from rulekit.bots.history import Message
from rulekit.bots.luck import Luck
from rulekit.bots.playing import any_answer
from rulekit.play.event import Event
from rulekit.play.state import Decision
from rulekit.play.value import Value
from rulekit.play.view import View


@define(eq=False)
class Thinker:
    """A bot that says with `choose` how it answers where there is a choice.

    thought: whether there was a choice at its last decision.
    Its memory is perfect; its thoughts depend on the seed, its seat and what it was told, and on nothing else.
    """

    chair: Chair
    belief: Belief = field(init=False)
    turns: int = field(init=False, default=0)
    thought: bool = field(init=False, default=False)
    listens: bool = field(init=False, default=True)
    _mine: tuple[Value, ...] = field(init=False, default=())

    def __attrs_post_init__(self) -> None:
        self.belief = Belief(self.chair, Luck.of(self.chair.seed, f"bot:{self.chair.name}"))

    def told(self, view: View, events: tuple[Event, ...]) -> None:
        self.belief.told(Message(self._mine, view, events))
        self._mine = ()

    def answer(self, view: View, decision: Decision) -> Value:
        self.thought = _is_choice(decision)
        if not self.thought:
            return decision.options[: decision.least] if decision.several else decision.options[0]
        luck = Luck.of(self.chair.seed, f"bot:{self.chair.name}:{self.turns}")
        if not self.belief.now().particles:
            # No history was found that fits what was told: nothing to think with.
            return any_answer(decision, luck)
        return self.choose(decision, luck)

    def answered(self, decision: Decision, value: Value) -> None:
        if _is_choice(decision):
            # Also for answers of before an undo, so that what is believed later is the same.
            self.belief.now()
        self._mine += (value,)
        self.turns += 1

    def choose(self, decision: Decision, luck: Luck) -> Value:
        raise NotImplementedError


def _is_choice(decision: Decision) -> bool:
    if decision.several:
        return decision.most > 0 and not decision.least == decision.most == len(decision.options)
    return len(decision.options) > 1
