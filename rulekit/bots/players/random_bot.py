"""A player that answers by chance, every answer as likely as any other.

Its own stream of our generator for each seat, with room for 65,536 outputs at
each of the seat's decisions: the same seed gives the same answers in whatever
order seats decide, also after an undo, and the match's own draws are never
touched.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

from rulekit.bots.bot import Chair
from rulekit.play.interpreter.answering import Question, takes_several
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.state import counter_rng
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.play.view import View
from rulekit.values import define, field, frozen

Refuses = Callable[[tuple[Any, ...]], bool]


@frozen
class RandomBot:
    """seed: any text.  name: of the seat, so that seats answer apart from each other."""

    seed: str
    name: str

    @cached_property
    def _key(self) -> int:
        return counter_rng.stream_key(counter_rng.seed_number(self.seed), f"bot:{self.name}")

    def answer(self, decision: Decision, turn: int) -> Value:
        """A value among the options, or a tuple of them.  turn: how many decisions the seat made before."""
        if decision.several:
            refused = decision.refused
            return self.some(decision.options, decision.least, decision.most, turn, lambda chosen: chosen in refused)
        chosen: Value = self.one(decision.options, turn)
        return chosen

    def one(self, options: tuple[Any, ...], turn: int) -> Any:
        place, _ = counter_rng.below(self._key, turn * counter_rng.TURN, len(options))
        return options[place]

    def some(
        self, options: tuple[Any, ...], least: int, most: int, turn: int, refuses: Refuses | None = None
    ) -> tuple[Any, ...]:
        """At least and at most so many of the options, in their order; the first such that is not refused."""
        used = turn * counter_rng.TURN
        while True:
            chosen, used = self._drawn(options, least, most, used)
            if refuses is None or not refuses(chosen):
                return chosen

    def _drawn(self, options: tuple[Any, ...], least: int, most: int, used: int) -> tuple[tuple[Any, ...], int]:
        """Some of the options, and the place in the stream behind them."""
        key, left = self._key, list(range(len(options)))
        size, used = counter_rng.below(key, used, most - least + 1)
        chosen: list[int] = []
        for _ in range(least + size):
            place, used = counter_rng.below(key, used, len(left))
            chosen.append(left.pop(place))
        return tuple(options[place] for place in sorted(chosen)), used


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


@define(eq=False)
class RandomAnswers:
    """All seats of a match that is played at once, see `play.playout`; they answer as at a table.

    turns:  how many decisions each seat has made.
    """

    seed: str
    seats: tuple[str, ...]
    turns: list[int] = field(init=False)
    _bots: list[RandomBot] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.turns = [0] * len(self.seats)
        self._bots = [RandomBot(self.seed, name) for name in self.seats]

    def __call__(
        self, m: Machine, frame: CallFrame, op: Question, seat: int, options: tuple[Any, ...], least: int, most: int
    ) -> Any:
        turn = self.turns[seat]
        self.turns[seat] = turn + 1
        if takes_several(op):
            return self._bots[seat].some(options, least, most, turn, m.refuses)
        return self._bots[seat].one(options, turn)
