"""A player that answers by chance, every answer as likely as any other.

Its own stream of our generator for each seat, with room for 65,536 outputs at
each of the seat's decisions: the same seed gives the same answers in whatever
order seats decide, also after an undo, and the match's own draws are never
touched.
"""

from __future__ import annotations

from functools import cached_property

from attrs import define, field, frozen

from rulekit.bots.bot import Chair
from rulekit.play import generator
from rulekit.play.event import Event
from rulekit.play.state import Decision
from rulekit.play.value import Value
from rulekit.play.view import View


@frozen
class RandomBot:
    """seed: any text.  name: of the seat, so that seats answer apart from each other."""

    seed: str
    name: str

    @cached_property
    def _key(self) -> int:
        return generator.stream_key(generator.seed_number(self.seed), f"bot:{self.name}")

    def answer(self, decision: Decision, turn: int) -> Value:
        """A value among the options, or a tuple of them.  turn: how many decisions the seat made before."""
        key = self._key
        if not decision.several:
            place, _ = generator.below(key, turn * generator.TURN, len(decision.options))
            return decision.options[place]
        size, used = generator.below(key, turn * generator.TURN, decision.most - decision.least + 1)
        return _some(decision.options, decision.least + size, key, used)


@define(eq=False)
class RandomSeat:
    """The same at a table: it counts its decisions itself."""

    chair: Chair
    turns: int = 0
    listens: bool = False
    _bot: RandomBot = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._bot = RandomBot(self.chair.seed, self.chair.name)

    def told(self, view: View, events: tuple[Event, ...]) -> None:
        """It does not listen."""

    def answer(self, view: View, decision: Decision) -> Value:
        return self._bot.answer(decision, self.turns)

    def answered(self, decision: Decision, value: Value) -> None:
        self.turns += 1


def _some(options: tuple[Value, ...], count: int, key: int, used: int) -> tuple[Value, ...]:
    """That many of the options, in their order."""
    left = list(range(len(options)))
    chosen: list[int] = []
    for _ in range(count):
        place, used = generator.below(key, used, len(left))
        chosen.append(left.pop(place))
    return tuple(options[place] for place in sorted(chosen))
