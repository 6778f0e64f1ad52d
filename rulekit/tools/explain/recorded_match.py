"""A recorded match replayed and explained: every event by its clauses, every thing not offered by what excludes it."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.state.match_state import Decision, State
from rulekit.record.log import Log
from rulekit.record.replay import Fault, LogReplay, Played
from rulekit.tools.analysis.type_reconstruction import ExpressionTypes
from rulekit.tools.explain.execution_trace import Caused, Ran, Tracer
from rulekit.tools.explain.why_not import Refused, refused
from rulekit.values import frozen


@frozen
class Explained:
    """One decision of a match, or the setup (number 0, nothing asked).

    asked:    the question as it was put; refused: what it did not offer.
    told:     what ran and what happened, in order.
    state:    where it led.
    """

    number: int
    played: Played
    asked: Decision | None
    refused: tuple[Refused, ...]
    told: tuple[Ran | Caused, ...]
    state: State

    @property
    def events(self) -> tuple[Caused, ...]:
        return tuple(entry for entry in self.told if isinstance(entry, Caused))


class Explainer:
    """The decisions of a log one by one, explained; `fault` says afterwards why the log holds no further."""

    def __init__(self, log: Log, game: Game, to: int | None = None) -> None:
        self.tracer = Tracer(game)
        self.types = ExpressionTypes(game)
        self.again = LogReplay(log, self.tracer.traced, to)

    @property
    def fault(self) -> Fault | None:
        return self.again.fault

    def __iter__(self) -> Iterator[Explained]:
        reader, before = self.tracer.reader(), None
        for played in self.again:
            asked, missing = None, ()
            if before is not None and played.action is not None:
                seat = played.action.seat
                asked = next(question for question in engine.decisions(before) if question.seat == seat)
                missing = refused(before, seat, self.types)
            told = tuple(reader.told(played.events, played.state.setting))
            yield Explained(played.number, played, asked, missing, told, played.state)
            before = played.state
