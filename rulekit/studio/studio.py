"""The studio: a text of rules, and all that follows from it - findings, the match, the examples, the figures.

What takes time is done by workers that each take the newest only (`latest`), so that a text that is typed over is
never waited for.  Everything that is found is published (`parts`); nothing here knows a page or HTTP.
"""

from __future__ import annotations

from threading import Event, Lock, Thread

from rulekit.diagnostics import Diagnostic
from rulekit.loading import Loaded, Workspace
from rulekit.model.game import Game
from rulekit.play.beginning import beginning
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.record.json_values import chosen_options
from rulekit.record.log import HUMAN, parse
from rulekit.source import Source
from rulekit.studio.arranging import Arranging
from rulekit.studio.assistance import Assistance
from rulekit.studio.figures.balance import Balance, Progress, Versions
from rulekit.studio.figures.line_counts import LineCounts
from rulekit.studio.latest import IsStale, Latest
from rulekit.studio.line_trace import LineTrace, traced
from rulekit.studio.parts import Parts, Payload
from rulekit.studio.played_match import Arrangement, PlayedMatch
from rulekit.studio.rules_file import RulesFile
from rulekit.tools.examples import runner
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, evolve, field, frozen

EVERY = 1.0
"""Seconds between two looks at the file."""


@frozen
class Text:
    """What stands in the editor.  number: goes up with each change."""

    text: str
    number: int


@frozen
class Series:
    """What the figures are about.  players: None for the fewest.  bots: at every seat, "" for answers by chance."""

    players: int | None = None
    bots: str = ""


@define(eq=False)
class Studio:
    """text:    that is edited; game: the last that it was, None before the first; before: what figures compare with.

    trace:   of the match as it was when it was last traced; arranged: a position that somebody arranges by hand.
    """

    file: RulesFile
    parts: Parts = field(init=False, factory=Parts)
    match: PlayedMatch = field(init=False)
    text: Text = field(init=False)
    game: Game | None = field(init=False, default=None)
    before: Game | None = field(init=False, default=None)
    trace: LineTrace | None = field(init=False, default=None)
    series: Series = field(init=False, factory=Series)
    progress: Progress | None = field(init=False, default=None)
    arranged: Arranging | None = field(init=False, default=None)
    assistance: Assistance = field(init=False)
    _workspace: Workspace = field(init=False, factory=Workspace)
    _checker: Latest[Text] = field(init=False)
    _player: Latest[Versions] = field(init=False)
    _tracer: Latest[int] = field(init=False)
    _watch: Thread = field(init=False)
    _closed: Event = field(init=False, factory=Event)
    _lock: Lock = field(init=False, factory=Lock)

    def __attrs_post_init__(self) -> None:
        self.assistance = Assistance(self.file.path)
        self.match = PlayedMatch(self.tell_match)
        self._checker = Latest("check", self._check)
        self._player = Latest("figures", Balance(self._tell_figures, self._tell_lines).play)
        self._tracer = Latest("trace", self._trace)
        self.put(Text(self.file.known, 0))
        self._watch = Thread(target=self._look_at_file, name="file", daemon=True)
        self._watch.start()

    def close(self) -> None:
        self._closed.set()
        for worker in (self._checker, self._player, self._tracer):
            worker.close()
        self.match.close()

    @property
    def failed(self) -> list[BaseException]:
        """Faults of our own, for whoever runs the program."""
        return [fault for worker in (self._checker, self._player, self._tracer) for fault in worker.failed]

    # ------------------------------------------------------------ a new text

    def put(self, text: Text) -> None:
        """Look at this text next; returns at once."""
        self.text = text
        self._checker.put(text)

    def _check(self, text: Text, is_stale: IsStale) -> None:
        loaded = self._workspace.examine_text(Source(self.file.path, text.text))
        self.parts.publish("findings", {"number": text.number, "found": _findings(loaded, self.file.path)})
        if loaded.game is None or is_stale():
            return
        self._take(loaded.game)
        if not is_stale():
            self._run_examples(loaded.game, text.number, is_stale)

    def _take(self, game: Game) -> None:
        """Put a game under the match and the figures."""
        with self._lock:
            self.game = game
            self.before = self.before or game
        self.match.go_over(game)
        self.tell_match()
        self.play_series()

    def _run_examples(self, game: Game, number: int, is_stale: IsStale) -> None:
        found: list[Payload] = []
        for scenario in game.scenarios:
            if is_stale():
                return
            found.append(_example(runner.run(game, scenario)))
        self.parts.publish("examples", {"number": number, "examples": found})

    # ------------------------------------------------------------ the match

    def tell_match(self) -> None:
        """The match has changed: say so, and trace it anew."""
        table = self.match.table
        if table is None:
            return
        with table.lock:
            length = len(table.match.history)
        self.parts.publish("match", {"length": length})
        self._tracer.put(length)

    def begin_at(self, name: str) -> Message | str:
        """A match from the position of an example: "" if it was begun, else why not."""
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

    def begin(self, how: Arrangement) -> Message | str:
        """A new match: "" if it was begun, else why not."""
        game = self.game
        if game is None:
            return Message("studio-no-game")
        try:
            self.match.begin(game, how)
        except (BadSetup, RuleError, ValueError) as fault:
            return str(fault)
        self.tell_match()
        return ""

    def _trace(self, length: int, is_stale: IsStale) -> None:
        table = self.match.table
        if table is None:
            return
        with table.lock:
            log, game = parse(table.log()), table.game
        found = traced(log, game, is_stale)
        if found is not None:
            self.trace = found
            self.parts.publish("trace", {"length": len(log.entries), "counts": dict(found.counts)})

    # ------------------------------------------------------------ figures

    def play_series(self) -> None:
        """Play pairs of matches under what was kept and under what stands there now."""
        with self._lock:
            game, before = self.game, self.before
        if game is not None and before is not None:
            players = self.series.players or game.least
            self._player.put(Versions(before, game, self.text.number, {}, players, self.series.bots))

    def measure(self, series: Series) -> None:
        self.series = series
        self.play_series()

    def keep(self) -> None:
        """From now on figures compare with the rules as they are."""
        with self._lock:
            self.before = self.game
        self.play_series()

    def stop_series(self) -> None:
        """Play no more pairs until something changes."""
        self._player.stop()

    def _tell_figures(self, progress: Progress) -> None:
        self.progress = progress
        self.parts.publish("figures", {"progress": progress})

    def _tell_lines(self, number: int, found: LineCounts) -> None:
        self.parts.publish("lines", {"number": number, "games": found.games, "counts": dict(found.counts)})

    # ------------------------------------------------------------ the file

    def _look_at_file(self) -> None:
        while not self._closed.wait(EVERY):
            is_new, text = self.file.news()
            if is_new:
                self.parts.publish("disk", {"text": text})

    def settled(self, timeout: float, *, figures: bool = True) -> bool:
        """Wait until all that follows from the newest text has been found; whether it came within so many seconds.

        figures: they too; else no more pairs are played.
        """
        found = self._checker.settled(timeout) and self._tracer.settled(timeout)
        if not figures:
            self.stop_series()
        return self._player.settled(timeout) and found


# ---------------------------------------------------------------- plain values


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
    failure = result.failure
    made: Payload = {"name": result.scenario.name, "line": result.scenario.span.line, "passed": result.passed}
    if failure is not None:
        made |= {"at": failure.span.line, "said": failure.said, "found": failure.found}
    return made
