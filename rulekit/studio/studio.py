"""The studio: a text of rules, and all that follows from it - findings, the match, the examples, the figures.

What takes time is done by workers that each take the newest only (`latest`), so that a text that is typed over is
never waited for.  Python does one thing at a time, so what people wait for comes in this order: findings, the board,
the first figures, then the story
and the examples.  A new text breaks off the figures at once, not only when it has been read.
Everything that is found is published (`parts`); nothing here knows a page or HTTP.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread
from typing import Any

from rulekit.bots.players import registry
from rulekit.diagnostics import Diagnostic
from rulekit.errors import Interrupted
from rulekit.loading import Loaded, Workspace
from rulekit.model.game import Expect, Expectation, ExpectCells, Game
from rulekit.play.beginning import beginning
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.record.json_values import chosen_options
from rulekit.record.log import HUMAN, parse
from rulekit.source import Source
from rulekit.studio.arranging import Arranging
from rulekit.studio.assistance import Assistance
from rulekit.studio.figures.balance import GAMES, THINKING, Balance, Progress, Since, Versions, go_on_unless
from rulekit.studio.figures.line_counts import LineCounts
from rulekit.studio.latest import IsStale, Latest
from rulekit.studio.line_trace import LineTrace, traced
from rulekit.studio.outdated_texts import Numbers, Outdated, numbers, outdated
from rulekit.studio.parts import Parts, Payload
from rulekit.studio.played_match import Arrangement, PlayedMatch
from rulekit.studio.rules_file import FileState, RulesFile
from rulekit.studio.unsaved_texts import UnsavedText, UnsavedTexts
from rulekit.syntax import nodes
from rulekit.tools.examples import runner
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, evolve, field, frozen

EVERY = 1.0
"""Seconds between two looks at the file."""
_HEARS = 0.05
"""Seconds after which what waits for figures hears of a newer text."""
_PATIENCE = 2.0
"""Seconds that it waits for them at most."""


@frozen
class Text:
    """What stands in the editor.  number: goes up with each change.  read: the version of the file it was made of."""

    text: str
    number: int
    read: str = ""


@frozen
class Series:
    """What the figures are about.  players: None for the fewest.  bots: at every seat, "" for answers by chance."""

    players: int | None = None
    bots: str = ""


@frozen(eq=False)
class _Pairs:
    """What figures are made of.  begun: once there are some, or none will come soon; ended: once all have come."""

    versions: Versions
    begun: Event = field(factory=Event)
    ended: Event = field(factory=Event)


@frozen(eq=False)
class _Examples:
    """The examples of a text, which run once its figures have begun.  declarations: its syntax."""

    game: Game
    declarations: tuple[nodes.Declaration, ...]
    number: int
    after: Event


@define(eq=False)
class Studio:
    """looked:  told every second whether nobody waits for anything.  clock: the time in seconds, from whenever;
             time_of_day: as people say it.
    text:    that is edited; game: the last that it was, None before the first; opened: the first that it was.
    game_number: of the text that was this game; game_time: when it was last looked at; is_game: whether the text that
             was looked at last is one.
    before:  what figures compare with; since: what that is.

    trace:   of the match as it was when it was last traced; arranged: a position that somebody arranges by hand.
    outdated: clauses that say another number than the rules have by now.
    unsaved: what pages hold that the file does not.
    """

    file: RulesFile
    looked: Callable[[bool], None] = lambda is_at_rest: None
    clock: Callable[[], float] = lambda: 0.0
    time_of_day: Callable[[], str] = lambda: ""
    parts: Parts = field(init=False, factory=Parts)
    match: PlayedMatch = field(init=False)
    text: Text = field(init=False)
    game: Game | None = field(init=False, default=None)
    game_number: int = field(init=False, default=0)
    game_time: str = field(init=False, default="")
    is_game: bool = field(init=False, default=True)
    opened: Game | None = field(init=False, default=None)
    before: Game | None = field(init=False, default=None)
    since: Since = field(init=False)
    trace: LineTrace | None = field(init=False, default=None)
    series: Series = field(init=False, factory=Series)
    progress: Progress | None = field(init=False, default=None)
    arranged: Arranging | None = field(init=False, default=None)
    outdated: tuple[Outdated, ...] = field(init=False, default=())
    unsaved: UnsavedTexts = field(init=False, factory=UnsavedTexts)
    assistance: Assistance = field(init=False)
    _opened: Since = field(init=False)
    _numbers: Numbers | None = field(init=False, default=None)
    _workspace: Workspace = field(init=False, factory=Workspace)
    _checker: Latest[Text] = field(init=False)
    _balance: Balance = field(init=False)
    _player: Latest[_Pairs] = field(init=False)
    _pairs: _Pairs | None = field(init=False, default=None)
    _playing: _Pairs | None = field(init=False, default=None)
    _runner: Latest[_Examples] = field(init=False)
    _tracer: Latest[Event | None] = field(init=False)
    _untraced: bool = field(init=False, default=False)
    _is_behind: bool = field(init=False, default=False)
    _watch: Thread = field(init=False)
    _closed: Event = field(init=False, factory=Event)
    _lock: Lock = field(init=False, factory=Lock)
    _putting: Lock = field(init=False, factory=Lock)

    def __attrs_post_init__(self) -> None:
        self.assistance = Assistance(self.file.path)
        self.since = self._opened = Since(self.time_of_day())
        self.match = PlayedMatch(self.tell_match)
        self._checker = Latest("check", self._check)
        self._balance = Balance(self._tell_figures, self._tell_lines, self.clock)
        self._player = Latest("figures", self._play, self._balance.interrupt)
        self._runner = Latest("examples", self._run_examples)
        self._tracer = Latest("trace", self._trace)
        self.file.on_change = self._tell_file
        self._tell_file(self.file.state)
        self.put(Text(self.file.state.text or "", 0, self.file.state.version))
        self._watch = Thread(target=self._look_at_file, name="file", daemon=True)
        self._watch.start()

    def close(self) -> None:
        self._closed.set()
        for worker in self._workers:
            worker.close()
        self.match.close()

    @property
    def failed(self) -> list[BaseException]:
        """Faults of our own, for whoever runs the program."""
        return [fault for worker in self._workers for fault in worker.failed]

    @property
    def _workers(self) -> tuple[Latest[Any], ...]:
        return self._checker, self._player, self._runner, self._tracer

    # ------------------------------------------------------------ a new text

    def put_text(self, text: str, read: str) -> int:
        """Look at a text next, if it is another one than the last; returns its number.  read: as of `Text`."""
        with self._putting:
            if text == self.text.text:
                self.text = evolve(self.text, read=read)
            else:
                self.put(Text(text, self.text.number + 1, read))
            return self.text.number

    def put(self, text: Text) -> None:
        """Look at this text next; returns at once."""
        self.text = text
        for worker in (self._player, self._runner, self._tracer):
            worker.stop()
        self._checker.put(text)

    def _check(self, text: Text, is_stale: IsStale) -> None:
        loaded = self._workspace.examine_text(Source(self.file.path, text.text))
        self.is_game = loaded.game is not None
        if self.is_game:
            self.game_time = self.time_of_day()
        found = {"number": text.number, "found": _findings(loaded, self.file.path)}
        self.parts.publish("findings", found | {"is_game": self.is_game, "game_time": self.game_time})
        if is_stale():
            return
        with suppress(Interrupted):
            self._go_on(loaded, text, is_stale)

    def _go_on(self, loaded: Loaded, text: Text, is_stale: IsStale) -> None:
        """Errors: `Interrupted` if something newer comes while the match is played again."""
        game = loaded.game
        if game is None and not self._is_behind:
            self._go_on_playing()
            return
        # The match may still be under older rules than those of the last text that was a game.
        self._take(game or self.game, text.number if game else self.game_number, is_stale)
        if game is not None and self._pairs is not None:
            self._runner.put(_Examples(game, loaded.declarations, text.number, self._pairs.begun))

    def _take(self, game: Game | None, number: int, is_stale: IsStale) -> None:
        """Put a game under the match and the figures.  number: of its text.  Errors: as of `_go_on`."""
        assert game is not None
        with self._lock:
            self.game, self.game_number, self._is_behind = game, number, True
            self.opened = self.opened or game
            self.before = self.before or game
        self.match.go_over(game, partial(go_on_unless, is_stale), self._workspace.known())
        self._is_behind = False
        self._show_match()
        self.play_series()
        self._trace_match()

    def _run_examples(self, job: _Examples, is_stale: IsStale) -> None:
        _wait(job.after, is_stale)
        found: list[Payload] = []
        for scenario in job.game.scenarios:
            if is_stale():
                return
            found.append(_example(runner.run(job.game, scenario)))
        self.parts.publish("examples", {"number": job.number, "examples": found})
        self._look_at_texts(job)

    def _look_at_texts(self, job: _Examples) -> None:
        """Which clauses say what the rules had when they were opened; the match shows it."""
        now = numbers(job.game, job.declarations)
        self._numbers = self._numbers or now
        found = outdated(self._numbers, now)
        if found != self.outdated:
            self.outdated = found
            self._show_match()

    # ------------------------------------------------------------ the match

    def tell_match(self) -> None:
        """The match has changed: say so, and trace it anew."""
        self._show_match()
        self._trace_match()

    def _show_match(self) -> None:
        table, length = self.match.table, 0
        if table is not None:
            with table.lock:
                length = len(table.match.history)
        self.parts.publish("match", {"length": length})

    def _trace_match(self) -> None:
        """Once the figures of its rules have begun."""
        self._untraced = True
        self._tracer.put(None if self._pairs is None else self._pairs.begun)

    def begin_at(self, name: str) -> Message | None:
        """Begin a match in the position of an example; returns why it was refused, None if it was not."""
        game = self.game
        scenario = next((one for one in game.scenarios if one.name == name), None) if game else None
        if game is None or scenario is None:
            return Message("studio-no-example")
        state = runner.placed(game, scenario)
        if isinstance(state, runner.Failure):
            return Message("studio-no-start", why=state.found)
        setting, at = state.setting, beginning(state, scenario=scenario.name)
        names = setting.seats[: setting.players]
        return self.begin(Arrangement((HUMAN,) * len(names), dict(chosen_options(setting)), at=at, names=names))

    def begin(self, how: Arrangement) -> Message | None:
        """Begin a new match; returns why it was refused, None if it was not."""
        game = self.game
        if game is None:
            return Message("studio-no-game")
        try:
            self.match.begin(game, how)
        except (BadSetup, RuleError, ValueError) as fault:
            return Message("studio-no-begin", why=str(fault))
        self.tell_match()
        return None

    def _trace(self, after: Event | None, is_stale: IsStale) -> None:
        _wait(after, is_stale)
        table = self.match.table
        if table is None:
            return
        with table.lock:
            log, game = parse(table.log()), table.game
        with self._lock:
            # A match that keeps older rules belongs to no text that stands in the editor.
            number = self.game_number if game is self.game else -1
        found = traced(log, game, is_stale)
        if found is not None:
            self.trace, self._untraced = found, False
            counts = dict(found.counts)
            self.parts.publish("trace", {"length": len(log.entries), "number": number, "counts": counts})

    # ------------------------------------------------------------ figures

    def play_series(self) -> None:
        """Play pairs of matches under what was kept and under what stands there now."""
        with self._lock:
            game, before, since, number = self.game, self.before, self.since, self.game_number
        if game is not None and before is not None:
            players = self.series.players or game.least
            self._wait_no_more()
            bots = self.series.bots
            games = GAMES if not bots or bots == registry.RANDOM else THINKING
            self._pairs = _Pairs(Versions(before, game, number, {}, players, bots, games, since))
            self._player.put(self._pairs)

    def _go_on_playing(self) -> None:
        """The text is no game: the figures and the story of the last one are still wanted."""
        if self._pairs is not None and not self._pairs.ended.is_set():
            self.play_series()
        if self._untraced:
            self._trace_match()

    def _play(self, pairs: _Pairs, is_stale: IsStale) -> None:
        self._playing = pairs
        if pairs.versions.bots:
            pairs.begun.set()
        try:
            self._balance.play(pairs.versions, is_stale)
        finally:
            pairs.begun.set()
        if not is_stale():
            pairs.ended.set()

    def _wait_no_more(self) -> None:
        """Let the examples begin."""
        if self._pairs is not None:
            self._pairs.begun.set()

    def measure(self, series: Series) -> None:
        self.series = series
        self.play_series()

    def keep(self) -> None:
        """From now on figures compare with the rules as they are."""
        with self._lock:
            self.before, self.since = self.game, Since(self.time_of_day(), is_opened=False)
        self.play_series()

    def compare_opened(self) -> None:
        """From now on figures compare with the rules as they were opened."""
        with self._lock:
            self.before, self.since = self.opened, self._opened
        self.play_series()

    def stop_series(self) -> None:
        """Play no more pairs until something changes."""
        self._player.stop()
        self._wait_no_more()
        if self._pairs is not None:
            self._pairs.ended.set()

    def _tell_figures(self, progress: Progress) -> None:
        if progress.done and self._playing is not None:
            self._playing.begun.set()
        self.progress = progress
        self.parts.publish("figures", {"progress": progress})

    def _tell_lines(self, number: int, found: LineCounts) -> None:
        self.parts.publish("lines", {"number": number, "games": found.games, "counts": dict(found.counts)})

    # ------------------------------------------------------------ the file

    def _look_at_file(self) -> None:
        while not self._closed.wait(EVERY):
            self.file.look()
            self.looked(self._is_at_rest())

    def keep_unsaved(self, page: str, unsaved: UnsavedText) -> None:
        """Keep a page's text for other pages; one that the file holds is not unsaved."""
        if unsaved.text == self.file.state.text:
            self.unsaved.discard(page)
        else:
            self.unsaved.keep(page, unsaved)

    def _tell_file(self, state: FileState) -> None:
        self.unsaved.discard_saved(state.text)
        self.parts.publish("disk", file_payload(state))

    def _is_at_rest(self) -> bool:
        """Whether nobody waits for anything; figures that have begun may go on."""
        others = (self._checker, self._runner, self._tracer)
        has_begun = self._pairs is None or self._pairs.begun.is_set()
        return has_begun and not any(worker.is_busy() for worker in others)

    def settled(self, timeout: float, *, figures: bool = True) -> bool:
        """Wait until all that follows from the newest text has been found; whether it came within so many seconds.

        figures: they too; else no more pairs are played.
        """
        found = self._checker.settled(timeout)
        if not figures:
            self.stop_series()
        return all(one.settled(timeout) for one in (self._tracer, self._player, self._runner)) and found


def _wait(until: Event | None, is_stale: IsStale) -> None:
    patience = int(_PATIENCE / _HEARS)
    while until is not None and patience and not (is_stale() or until.wait(_HEARS)):
        patience -= 1


# ---------------------------------------------------------------- plain values


def file_payload(state: FileState) -> Payload:
    """The state of the file as the page takes it."""
    return {"text": state.text, "version": state.version, "serial": state.serial, "returns": state.returns}


def _findings(loaded: Loaded, path: str) -> list[Payload]:
    return [_finding(one if one.span.source == path else _at_top(one, path)) for one in loaded.findings]


def _at_top(one: Diagnostic, path: str) -> Diagnostic:
    """A finding in a file that this one extends, told at its first line."""
    span = evolve(one.span, source=path, line=1, column=1, end_line=1, end_column=1)
    return evolve(one, title=f"{one.span}: {one.title}", span=span)


def _finding(one: Diagnostic) -> Payload:
    span = one.span
    return {
        "level": one.level,
        "code": one.code,
        "title": one.title,
        "note": one.note,
        "hint": one.hint,
        "from": [max(span.line, 1), max(span.column, 1)],
        "to": [max(span.end_line, 1), max(span.end_column, 1)],
    }


def _example(result: runner.Result) -> Payload:
    failure, scenario = result.failure, result.scenario
    made: Payload = {"name": scenario.name, "line": scenario.span.line, "passed": result.passed}
    made["checks"] = any(isinstance(scene, Expect | ExpectCells | Expectation) for scene in scenario.scenes)
    if failure is not None:
        made |= {"at": failure.span.line, "said": failure.said, "found": failure.found}
    return made
