"""Deterministic replay: play a log again under a game, and say where it no longer holds.

Every decision is put to the rules anew and never trusted; with changed rules
the first that they would not ask or not offer is told.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from rulekit import library
from rulekit.arguments import require_type
from rulekit.model.game import Game
from rulekit.play import beginning, engine, position_setup
from rulekit.play.machine.legality import LegalityOracle
from rulekit.play.state.errors import BadSetup, IllegalAction, RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import CHANCE, Action, Decision, Outcome, State, Step
from rulekit.play.state.value import Value, notation
from rulekit.record.json_values import earlier_digest, rules_digest
from rulekit.record.log import End, Entry, Log, end_of, parse
from rulekit.record.ways import are_same, way_meant, ways_asked
from rulekit.values import define, field, frozen


@frozen
class Fault:
    """Why a log no longer holds.

    code:      setup, other-decision, not-offered, error, other-outcome or other-state.
    decision:  its number, from 1; 0 for the setup.  line: where it stands in the log.
    clauses:   of the rule that cannot be carried out, if it is that.
    """

    code: str
    decision: int
    line: int
    reason: str
    clauses: tuple[str, ...] = ()

    def __str__(self) -> str:
        where = f"decision {self.decision} (line {self.line})" if self.decision else "the setup (line 1)"
        return f"{where} no longer holds: {self.reason}"


@frozen
class Played:
    """A decision that holds.  number: from 1; 0 with no action for the setup.  state: where it led."""

    number: int
    action: Action | None
    what: str
    events: tuple[Event, ...]
    state: State


@frozen
class Replay:
    """state: the last position reached, None if the match cannot even be set up.

    held:        how many decisions hold.
    fault:       where and why the log stops holding, None if all of it holds.
    same_rules:  whether the rules text is the one that the log was made with.
    reworded:    ways that the rules put otherwise now: the text in the log, and that which it was taken for.
    torn:        the number of an unfinished last line, which was left out, or 0.
    """

    state: State | None
    outcome: Outcome | None
    held: int
    events: tuple[Event, ...]
    fault: Fault | None
    same_rules: bool
    reworded: tuple[tuple[str, str], ...] = ()
    torn: int = 0


def read(path: str | os.PathLike[str]) -> Log:
    """A log from a file; raises `library.Unreadable` or `Damaged`."""
    return parse(library.read_log(path))


def rules_named(name: str, log_file: str) -> str | None:
    """The rules that a log calls `name`: from here, beside the log, or among those that ship; None if not there.

    A path that leads out of these folders is not followed: a log may come
    from anybody, and findings show lines of what is read.
    """
    named = Path(name)
    folders = (Path(), Path(log_file).parent, library.games())
    for path in (named, *(folder / named.name for folder in folders[1:])):
        try:
            if path.is_file() and any(path.resolve().is_relative_to(folder.resolve()) for folder in folders):
                return str(path)
        except (OSError, ValueError):
            continue
    return None


def replay(log: Log | str | os.PathLike[str], game: Game, to: int | None = None) -> Replay:
    """Play a log, or the log in a file, again under `game`, up to decision `to`."""
    require_type("log", log, (Log, str, os.PathLike), "a Log, or the path of its file")
    require_type("game", game, Game, "a Game, which `load` reads from a file")
    again = LogReplay(log if isinstance(log, Log) else read(log), game, to)
    events: list[Event] = []
    held, state = 0, None
    for played in again:
        held, state = played.number, played.state
        events += played.events
    outcome = None if state is None else engine.outcome(state)
    return Replay(
        state, outcome, held, tuple(events), again.fault, again.same_rules, tuple(again.reworded), again.log.torn
    )


@define(eq=False)
class LogReplay:
    """The decisions of a log one by one, as far as they hold; afterwards `fault` says why no further.

    verified:  test every invariant whenever the match waits, as where people play.
    failed:    the decision at which a rule could not be carried out, with what happened up to that.
    reworded:  as of `Replay`, each once.
    oracle:    as of `engine.start`.
    """

    log: Log
    game: Game
    to: int | None = None
    verified: bool = False
    oracle: LegalityOracle | None = None
    fault: Fault | None = field(init=False, default=None)
    failed: Played | None = field(init=False, default=None)
    same_rules: bool = field(init=False)
    reworded: list[tuple[str, str]] = field(init=False, factory=list)

    def __attrs_post_init__(self) -> None:
        self.same_rules = self.log.header.rules == rules_digest(self.game)

    def __iter__(self) -> Iterator[Played]:
        try:
            step = self._begun()
        except (BadSetup, RuleError) as fault:
            self.fault = Fault("setup", 0, 1, str(fault), fault.cites if isinstance(fault, RuleError) else ())
            return
        yield Played(0, None, "", step.events, step.state)
        for number, entry in enumerate(self.log.entries[: self.to], 1):
            made = self._made(number, entry, step.state)
            if made is None:
                return
            step = Step(made.state, made.events)
            yield made
        if self.to is None or self.to >= len(self.log.entries):
            self._compare(step.state)

    def _begun(self) -> Step:
        header = self.log.header
        if header.begun is None:
            return engine.start(
                self.game, header.options, header.seats, header.seed, verified=self.verified, oracle=self.oracle
            )
        return beginning.begun(self.game, header.options, header.seats, header.seed, header.begun)

    def _made(self, number: int, entry: Entry, state: State) -> Played | None:
        """One decision put to the rules; None, with the fault set, if it does not hold."""
        asked = engine.decisions(state)
        found = [question for question in asked if _seat_name(state, question) == entry.seat]
        now = ways_asked(state, found[0].seat) if found else ()
        if not found or not (found[0].name in (entry.what, *entry.or_what) or are_same(entry.ways, now)):
            self.fault = Fault("other-decision", number, entry.line, _other(state, entry, asked))
            return None
        action = Action(found[0].seat, way_meant(entry.answer, entry.ways, now))
        try:
            step = engine.apply(state, action)
            step = position_setup.settled(step) if self._is_part() else step
        except IllegalAction as fault:
            self.fault = Fault("not-offered", number, entry.line, f"for `{entry.what}`, {fault}")
            return None
        except RuleError as fault:
            self.fault = Fault("error", number, entry.line, str(fault), fault.cites)
            self.failed = Played(number, action, entry.what, fault.events, state)
            return None
        self._note(entry.answer, action.answer)
        return Played(number, action, found[0].name, step.events, step.state)

    def _note(self, then: Value, now: Value) -> None:
        if then != now and (str(then), str(now)) not in self.reworded:
            self.reworded.append((str(then), str(now)))

    def _is_part(self) -> bool:
        at = self.log.header.begun
        return at is not None and beginning.runs_alone(self.game, at)

    def _compare(self, state: State) -> None:
        """The end of the log with the end that was reached."""
        logged, reached = self.log.end, engine.outcome(state)
        if logged is None:
            return
        found, count = None if reached is None else end_of(state, reached), len(self.log.entries)
        if found is None:
            reason = "the match ended here, but under these rules it goes on"
            self.fault = Fault("other-outcome", count, logged.line, reason)
        elif _result(logged) != _result(found):
            reason = f"the outcome was {_told(logged)}; now it is {_told(found)}"
            self.fault = Fault("other-outcome", count, logged.line, reason)
        elif self.same_rules and logged.state not in (found.state, earlier_digest(state)):
            reason = "the outcome is the same, but the last position is another one"
            self.fault = Fault("other-state", count, logged.line, reason)


def _seat_name(state: State, question: Decision) -> str | None:
    return None if question.seat == CHANCE else state.setting.seats[question.seat]


def _other(state: State, entry: Entry, asked: tuple[Decision, ...]) -> str:
    said = f"{entry.seat or 'chance'} answered `{entry.what}` with {notation(entry.answer)}"
    if not asked:
        return f"{said}, but now the match is over before"
    now = ", ".join(f"{_seat_name(state, question) or 'chance'} `{question.name}`" for question in asked)
    return f"{said}, but now other questions are asked: {now}"


def _result(end: End) -> tuple[object, ...]:
    return end.ranking, end.defeated, end.winners


def _told(end: End) -> str:
    places = [" and ".join(place) for place in end.ranking]
    text = ", ".join(f"{number}. {names}" for number, names in enumerate(places, 1))
    lost = f"defeated {' and '.join(end.defeated)}" if end.defeated else ""
    return "; ".join(part for part in (text, lost) if part) or "nobody ranked"
