"""Bots that think beside whoever plays: a bounded number of threads, one table in each at a time.

A bot listens and thinks without holding its table; what it answers counts only if nothing was taken back meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Executor, Future
from threading import Condition

from rulekit.bots.players.seating import catch_up, joined
from rulekit.bots.seated_bots import SeatedBots
from rulekit.hosting.seat_page import Accepted
from rulekit.hosting.store import StoreFault
from rulekit.hosting.table import Table
from rulekit.play.state.match_state import Decision
from rulekit.record.match import Match
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, field


@define(eq=False)
class _Mind:
    """The bots at one table, as far as they were told."""

    table: Table
    bots: SeatedBots
    turns: int
    told: int


@define(eq=False)
class BotThreads:
    """pool: where bots think.  acted: told of every table at which a bot has answered.

    failed:  faults of our own that kept bots from answering, for whoever runs the program.
    """

    pool: Executor
    acted: Callable[[Table], None]
    failed: list[BaseException] = field(init=False, factory=list)
    _minds: dict[str, _Mind] = field(init=False, factory=dict)
    _busy: dict[str, Table] = field(init=False, factory=dict)
    _again: dict[str, Table] = field(init=False, factory=dict)
    _changed: Condition = field(init=False, factory=Condition)
    _closing: bool = field(init=False, default=False)

    def wake(self, table: Table) -> None:
        """Let bots of a table think if they are asked; returns at once."""
        if not asked_bots(table):
            return
        with self._changed:
            if self._closing:
                return
            if table.match_id in self._busy:
                self._again[table.match_id] = table
                return
            self._begin(table)

    def _begin(self, table: Table) -> None:
        self._busy[table.match_id] = table
        self.pool.submit(self._think, table).add_done_callback(lambda done: self._done(table, done))

    def _think(self, table: Table) -> None:
        while not self._closing and self._one_answer(table):
            self.acted(table)

    def _one_answer(self, table: Table) -> bool:
        """Whether it makes sense to look at the table again."""
        with table.lock:
            asked = asked_bots(table)
            if not asked:
                if table.broken or table.match.outcome() is not None:
                    self._minds.pop(table.match_id, None)
                return False
            match, turns = table.copied(), table.turns
        value = self._mind(table, match, turns).bots.answer(match.state, asked[0])
        with table.lock:
            if table.broken:
                self._minds.pop(table.match_id, None)
                return False
            if table.turns != turns or asked[0] not in table.match.decisions():
                return True
            return isinstance(table.decide(asked[0], value), Accepted)

    def _mind(self, table: Table, match: Match, turns: int) -> _Mind:
        """The bots of a table, told all that has happened in a copy of its match."""
        mind, count = self._minds.get(table.match_id), len(match.history)
        if mind is None or mind.table is not table or mind.turns != turns:
            bots = joined(match, table.header.players, table.header.seed or "")
            mind = self._minds[table.match_id] = _Mind(table, bots, turns, count)
        elif mind.told < count:
            catch_up(mind.bots, match, mind.told)
            mind.told = count
        return mind

    def _done(self, table: Table, done: Future[None]) -> None:
        """A table has no bot left that is asked, or something was changed there meanwhile and is looked at again."""
        fault = None if done.cancelled() else done.exception()
        if fault is not None and not isinstance(fault, StoreFault):
            table.fault = Message("table-bot-failed")
            self.failed.append(fault)
        with self._changed:
            again = self._again.pop(table.match_id, None)
            if again is not None and not self._closing:
                self._begin(again)
            else:
                self._busy.pop(table.match_id, None)
                self._changed.notify_all()
        if table.fault:
            self.acted(table)

    def is_busy(self, match: str) -> bool:
        """Whether a bot of a match thinks now."""
        return match in self._busy

    def settled(self, timeout: float | None = None) -> bool:
        """Wait until no bot thinks; whether that came within so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._busy, timeout)

    def close(self) -> None:
        """Let those who think come to the end of their answer, and begin no other."""
        with self._changed:
            self._closing = True
        self.pool.shutdown(wait=True, cancel_futures=True)


def asked_bots(table: Table) -> list[Decision]:
    """The questions that wait for bots."""
    with table.lock:
        if table.broken or table.fault:
            return []
        return [one for one in table.match.decisions() if one.seat >= 0 and one.seat not in table.people]
