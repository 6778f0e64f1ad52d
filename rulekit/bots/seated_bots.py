"""The bots at the seats of one match (a mediator): each is told what its seat may know when that changes.

Nothing else of the match reaches them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulekit.bots.bot import Bot
from rulekit.play import engine
from rulekit.play.state.event import Event, heard
from rulekit.play.state.match_state import Action, Decision, State
from rulekit.play.state.value import Value
from rulekit.play.view import View, view
from rulekit.values import define, evolve, field


def accepted(state: State, decision: Decision, answer: Callable[[Decision], Value]) -> Value:
    """The first of somebody's answers that is not refused; each time the question tells those that were."""
    while True:
        value = answer(decision)
        if not decision.several or engine.refusal(state, Action(decision.seat, value)) is None:
            return value
        decision = evolve(decision, refused=(*decision.refused, value))


@define(eq=False)
class SeatedBots:
    """bots: by seat; seats without one belong to persons.

    Whoever runs the match calls `tell` for its beginning and after each decision.
    """

    bots: Mapping[int, Bot]
    _views: dict[int, View] = field(factory=dict)

    def tell(self, state: State, events: tuple[Event, ...], actor: int | None = None) -> None:
        """Pass on what happened.  actor: the seat that decided, which notices that in any case."""
        for seat, bot in self.bots.items():
            if not bot.listens:
                continue
            told = tuple(known for known in (heard(event, seat) for event in events) if known is not None)
            now, before = view(state, seat), self._views.get(seat)
            self._views[seat] = now
            # Where nothing changed for a seat, it must not even notice that somebody decided.
            if told or seat == actor or now != before:
                bot.told(now, told)

    def answer(self, state: State, decision: Decision) -> Value:
        """What the bot of the asked seat answers; it is asked again while that is refused."""
        now, bot = self._views.get(decision.seat), self.bots[decision.seat]
        sees = view(state, decision.seat) if now is None else now
        return accepted(state, decision, lambda asked: bot.answer(sees, asked))

    def answered(self, decision: Decision, value: Value) -> None:
        """An answer of any seat was taken."""
        if decision.seat in self.bots:
            self.bots[decision.seat].answered(decision, value)
