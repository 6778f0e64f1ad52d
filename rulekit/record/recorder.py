"""A match driven from Python, written to a log while it goes on; chance may come from outside, as from real dice.

Every decision is made by the engine first and written then, so that a log
holds none that was refused.  Whoever asks is somebody else.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import rulekit
from rulekit import library
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.beginning import Beginning, beginning, first, turn_of
from rulekit.play.given_values import PLAY, position
from rulekit.play.match_arguments import seed_text
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, Outcome, Seat, State
from rulekit.play.state.value import Value
from rulekit.play.view import View
from rulekit.record.json_values import chosen_options, rules_digest
from rulekit.record.log import Header, Log, Writer, parse
from rulekit.record.match import Match, started
from rulekit.record.replay import read
from rulekit.record.resumption import played_again, written_on
from rulekit.values import define, field


@define(eq=False)
class Recorder:
    """A match with its log.

    options, seats, seed:  as for `start`; without a seed all chance is asked of the caller, and recorded as answered.
    values, begin, turn:   as for `position`, for a match that begins in one; the log holds it.
    file:     where the log is written, line by line, each before the match goes on; None keeps it here alone.
    players:  who sits at each seat, as the log tells it (`human`, `random`); `outside` where nothing is said.
    events:   what happened last: by the setup, or by the last decision.
    Errors:   `BadSetup`, `RuleError`; `FileExistsError` or another `OSError` if no new file can be written there.
    """

    game: Game
    options: Mapping[str, Any] | None = None
    seats: int | Sequence[str] | None = None
    seed: str | int | None = "0"
    values: Mapping[str, Any] | View | None = field(default=None, kw_only=True)
    begin: str | Sequence[Any] | None = field(default=PLAY, kw_only=True)
    turn: Seat | None = field(default=None, kw_only=True)
    file: str | os.PathLike[str] | None = field(default=None, kw_only=True)
    players: Sequence[str] | None = field(default=None, kw_only=True)
    events: tuple[Event, ...] = field(init=False)
    _resumed: Log | None = field(default=None, kw_only=True, repr=False)
    _match: Match = field(init=False)
    _at: Beginning | None = field(init=False, default=None)
    _lines: list[bytes] = field(init=False, factory=list)
    _file: library.LogFile | None = field(init=False, default=None)
    _writer: Writer = field(init=False)

    @classmethod
    def resume(cls, file: str | os.PathLike[str], game: Game) -> Recorder:
        """The match in a log that was stopped, chance from outside too; the same file is written on.

        Errors: `Damaged` for a file that is no whole log; `BadSetup`, `RuleError` and `DoesNotHold` where the rules
                say otherwise now; `ValueError` if the match is over, or goes on elsewhere; `library.Unreadable`.
        """
        return cls(game, file=file, resumed=read(file))

    def __attrs_post_init__(self) -> None:
        if self._resumed is not None:
            self._go_on(self._resumed)
            return
        self._match = self._started()
        header = self._header()
        self._file = None if self.file is None else library.new_log(self.file)
        self._writer = Writer(self._put)
        self._writer.header(header)
        self.events = self._match.opening
        self._end()

    def _go_on(self, log: Log) -> None:
        header = log.header
        if log.end is not None:
            raise ValueError("this match is over: replay shows it")
        self.options, self.seats, self.seed, self.players = header.options, header.seats, header.seed, header.players
        self._match, self._at = played_again(log, self.game), header.begun
        self.events = self._match.history[-1].events if log.entries else self._match.opening
        assert self.file is not None
        self._file = written_on(log, self.file)
        self._lines.append(self._file.written())
        self._file.keep(log.size)
        self._writer = Writer(self._put, log.link)

    def _started(self) -> Match:
        if self.values is None and self.begin == PLAY and self.turn is None:
            return started(self.game, self.options, self.seats, self.seed)
        state = position(self.game, self.values or {}, self.options, self.seats, self.seed, begin=None).state
        setting = state.setting
        self._at = beginning(state, begin=first(self.begin), turn=turn_of(setting, self.turn))
        return started(
            self.game, dict(chosen_options(setting)), setting.seats[: setting.players], self.seed, at=self._at
        )

    @property
    def state(self) -> State:
        """The position now."""
        return self._match.state

    def decisions(self) -> tuple[Decision, ...]:
        """The questions that wait, as of `rulekit.decisions`."""
        return self._match.decisions()

    def outcome(self) -> Outcome | None:
        """Who stands where; None while the match goes on."""
        return self._match.outcome()

    def answer(self, seat: Seat, answer: Value) -> tuple[Event, ...]:
        """Make a decision and write it down: what happened.  Errors: as of `rulekit.apply`; then nothing is written."""
        action = engine.meant(self.state, Action(seat, answer))
        self.events = self._match.act(action)
        past = self._match.history[-1]
        self._writer.decision(self.state.setting.seats, action, past.what, past.ways)
        self._end()
        return self.events

    def back(self, count: int) -> None:
        """As it was after `count` decisions, and so the log tells it; not after the end.  Errors: `ValueError`."""
        made = len(self._match.history)
        if self.outcome() is not None or not 0 <= count < made:
            raise ValueError(f"there is no way back to {count} decisions from {made}")
        self._match.back_to(count)
        self._writer.back(count)
        self.events = ()

    def log(self) -> Log:
        """What was recorded so far, to be played again by `rulekit.replay`."""
        return parse(bytes(self))

    def __bytes__(self) -> bytes:
        return b"".join(self._lines)

    def close(self) -> None:
        """Close the file; a match that is not over can be told by its log all the same."""
        if self._file is not None:
            self._file.close()

    def __enter__(self) -> Recorder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _put(self, line: bytes) -> None:
        if self._file is not None:
            self._file.put(line)
        self._lines.append(line)

    def _end(self) -> None:
        end = self.outcome()
        if end is not None:
            self._writer.end(self.state, end)

    def _header(self) -> Header:
        setting = self.state.setting
        seats = setting.seats[: setting.players]
        return Header(
            rulekit=rulekit.__version__,
            file=self.game.sources[0][0].encode("utf-8", "backslashreplace").decode() if self.game.sources else "",
            rules=rules_digest(self.game),
            title=self.game.title,
            options=dict(chosen_options(setting)),
            ruleset="",
            seats=seats,
            players=tuple(self.players) if self.players is not None else ("outside",) * len(seats),
            seed=seed_text(self.seed),
            begun=self._at,
        )
