"""Clause coverage: which clauses, rules, cards and readings examples and random matches exercise, and why others never.

It rests on traceability: at which points of a match each clause of the rule
text is carried out; and it tells of each condition whether it held and whether
it failed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from rulekit.compiler.plan.ir import Status
from rulekit.model import game as model
from rulekit.model.expr import Value as Inner
from rulekit.play import engine
from rulekit.play.state.errors import RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.value import Ref, Value
from rulekit.source import NOWHERE, Span
from rulekit.tools.analysis.branch_coverage import Condition, Point, Points
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.compare.differential_execution import random_match
from rulekit.tools.coverage.traceability import ClausePoints
from rulekit.tools.coverage.traceability import Traceability as Traceability
from rulekit.tools.coverage.unreached import Unreached
from rulekit.tools.estimation.failures import Failures, merge_failures
from rulekit.tools.examples import runner
from rulekit.tools.explain.source_text import line_of, written
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.series import simulation
from rulekit.tools.series.failure_causes import SeriesSpec, find_causes
from rulekit.values import define, field, frozen

_PIECE = {"wasm": 1000, "interpreter": 25}
"""So many matches are played at once, by engine."""


@frozen
class Line:
    """What was exercised of one thing.

    kind:      clause, rule, card or reading.
    name:      its id or name; text: its words.
    examples:  the names of those that exercise it.
    games:     in how many random matches it happened; None where play cannot tell.
    why:       of what never happened in the matches, why.
    """

    kind: str
    name: str
    text: str
    examples: tuple[str, ...]
    games: int | None
    why: Message | None = None
    span: Span = NOWHERE

    @property
    def is_never(self) -> bool:
        return self.games == 0


@frozen
class Way:
    """A condition that in all the matches that looked at it went one way.

    missing:   held or failed: what it never did.
    text:      as it is written; clauses: its own, or those of its line.
    games:     in how many matches it was looked at.
    examples:  the names of those in which it goes the way that is missing.
    """

    missing: str
    text: str
    clauses: tuple[str, ...]
    games: int
    examples: tuple[str, ...]
    span: Span


@frozen
class Agreed:
    """What a part of the series is played with."""

    seats: int
    options: Mapping[str, Value]


@frozen
class FailedMatch:
    """A match that failed.  seed: of its series; status: of the plan."""

    agreed: Agreed
    seed: str
    index: int
    status: int


@frozen
class Counted:
    """Matches of one worker: how many, in how many of them each point and clause came up, and what was agreed.

    games, started, failed:  as of `Coverage`.
    """

    games: int
    started: int
    failed: tuple[FailedMatch, ...]
    counts: Counter[Point]
    fired: Counter[str]
    played: frozenset[str]
    read: Counter[tuple[int, Inner]]
    agreed: frozenset[tuple[int, Inner]]


@define(eq=False)
class Coverage:
    """What examples and matches exercised so far; `lines` and `ways` tell it.

    examples:  by point the examples that came by; shown: by clause those that exercise it.
    counts:    by point the number of matches that came by; fired: by clause the number of those that exercise it.
    played:    the clauses that tell of no variant, or of one that was played.
    read:      by option and choice the matches that looked at it; agreed: those that were played with.
    edges:     by clause the matches, of `looked`, in which an edge or a halt of its track or grid decided.
    games:     matches that came to their end: all numbers are of these; started: all, with those that failed.
    failed:    the matches that failed.
    """

    game: model.Game
    marked: CoverageProbes = field(init=False, repr=False)
    points: ClausePoints = field(init=False, repr=False)
    ties: Traceability = field(init=False, repr=False)
    examples: dict[Point, list[str]] = field(init=False, factory=dict, repr=False)
    shown: dict[str, list[str]] = field(init=False, factory=dict, repr=False)
    counts: Counter[Point] = field(init=False, factory=Counter, repr=False)
    fired: Counter[str] = field(init=False, factory=Counter, repr=False)
    played: set[str] = field(init=False, factory=set, repr=False)
    read: Counter[tuple[int, Inner]] = field(init=False, factory=Counter, repr=False)
    agreed: set[tuple[int, Inner]] = field(init=False, factory=set, repr=False)
    edges: Counter[str] = field(init=False, factory=Counter, repr=False)
    games: int = 0
    started: int = 0
    failed: list[FailedMatch] = field(init=False, factory=list, repr=False)
    looked: int = 0

    def __attrs_post_init__(self) -> None:
        self.marked = CoverageProbes(self.game)
        self.points = ClausePoints(self.marked)
        self.ties = Traceability(self.game)

    # ------------------------------------------------------------ looking

    def look_at_examples(self) -> Iterator[str]:
        for scenario in self.game.scenarios:
            state = runner.reached(self.marked.marked, scenario)
            came = frozenset[Point]() if state is None else self.marked.came_by(state)
            for point in came:
                self.examples.setdefault(point, []).append(scenario.name)
            for clause in self.points.exercised(came, () if state is None else state.setting.options):
                self.shown.setdefault(clause, []).append(scenario.name)
            yield scenario.name

    def play(self, agreed: Agreed, games: int, seed: str, first: int = 0) -> Iterator[int]:
        """Play matches; yields how many are done after each piece.  Errors: `BadSetup`."""
        options = engine.prepared(self.game, agreed.options, agreed.seats, "0", checked=False).setting.options
        wanted = self._wanted(options)
        one = simulation.series(self.marked.summing(wanted), agreed.options, agreed.seats, seed)
        self.played.update(clause for clause in self.game.clauses if self.points.is_played(clause, options))
        self.agreed.update(enumerate(options[: len(self.game.options)]))
        piece, end = _PIECE[one.engine], first + games
        for begin in range(first, end, piece):
            rows = one.rows(begin, min(piece, end - begin), ())
            ends = enumerate((row[0] for row in rows), begin)
            failed = [FailedMatch(agreed, seed, index, status) for index, status in ends if status != Status.DONE]
            self.failed += failed
            self.started += len(rows)
            sums = one.sums()[one.counters.sheet.first_tally :]
            self._add(len(rows) - len(failed), dict(zip(wanted, sums, strict=True)), options)
            yield len(rows)

    def _wanted(self, options: Sequence[Inner]) -> list[Points]:
        """For which sets of points it is counted in how many matches any of them is come by."""
        alone = (frozenset([point]) for point in self.marked.told)
        return list(dict.fromkeys([*alone, *self.points.agreed(options).values(), *self.points.choices.values()]))

    def look_closely(self, agreed: Agreed, games: int, seed: str) -> Iterator[int]:
        """Some matches event by event, for what only what decided an event tells: edges and halts."""
        clauses, kinds = self._of_edges()
        for number in range(games if clauses else 0):
            match = random_match(self.game, agreed.options, agreed.seats, f"{seed}#{number}")
            moved = (event for step, _ in match for event in step.events if _kind_of(event) in kinds)
            # Those that fail are reported by `find_failures`, since they are among the first of the series.
            with suppress(RuleError):
                self.edges.update(clauses.intersection(clause for event in moved for clause in event.all_clauses))
                self.looked += 1
            yield 1

    def _of_edges(self) -> tuple[set[str], set[str]]:
        """The clauses of edges and halts that stand nowhere else, and the kinds of the pieces that may come there."""
        known, clauses, kinds = set(self.points.carried_out), set[str](), set[str]()
        for variable in self.game.variables:
            place = self.game.places.get(variable.place)
            told = {clause for tied in place.tied.values() for clause in tied} - known if place is not None else set()
            clauses |= told
            kinds |= {variable.type.kind or variable.type.element.kind} if told else set()
        return clauses, kinds

    def _add(self, games: int, came: Mapping[Points, int], options: Sequence[Inner]) -> None:
        self.games += games
        self.counts.update({point: came[frozenset([point])] for point in self.marked.told})
        self.fired.update({clause: came[points] for clause, points in self.points.agreed(options).items()})
        self.read.update({(index, options[index]): came[points] for index, points in self.points.choices.items()})

    def counted(self) -> Counted:
        """What the matches came to, to be added to what others did."""
        played, agreed, failed = frozenset(self.played), frozenset(self.agreed), tuple(self.failed)
        return Counted(self.games, self.started, failed, self.counts, self.fired, played, self.read, agreed)

    def join(self, more: Counted) -> None:
        self.games += more.games
        self.started += more.started
        self.failed += more.failed
        self.counts.update(more.counts)
        self.fired.update(more.fired)
        self.played.update(more.played)
        self.read.update(more.read)
        self.agreed.update(more.agreed)

    def forget(self) -> None:
        """As before the first match."""
        self.games, self.counts, self.fired, self.played = 0, Counter(), Counter(), set()
        self.read, self.agreed, self.started, self.failed = Counter(), set(), 0, []

    def find_failures(self) -> Failures:
        """The matches that failed, with the lines of the rules at which they did."""
        series = dict[str, list[FailedMatch]]()
        for match in self.failed:
            series.setdefault(f"{match.agreed.seats} {match.agreed.options} {match.seed}", []).append(match)
        return merge_failures([Failures(self.started), *map(self._find_causes, series.values())])

    def _find_causes(self, failed: Sequence[FailedMatch]) -> Failures:
        """Of matches that were played with the same."""
        first = failed[0]
        spec = SeriesSpec(self.game, first.agreed.options, first.agreed.seats, first.seed)
        return find_causes(spec, [(match.index, match.status) for match in failed], 0, names_seats=True)

    # ------------------------------------------------------------ telling

    def lines(self) -> Iterator[Line]:
        yield from self._clauses()
        yield from self._rules()
        yield from self._readings()

    def ways(self) -> Iterator[Way]:
        """The conditions that went one way alone in all the matches that looked at them, in the order of the text."""
        for one in sorted(self.marked.branches.conditions, key=lambda one: (one.test.span.source, one.test.span.line)):
            held, failed = self.counts.get(one.held, 0), self.counts.get(one.failed, 0)
            if bool(held) != bool(failed) and one.test.span.line:
                yield self._way(one, held, failed)

    def _way(self, one: Condition, held: int, failed: int) -> Way:
        missing, probe = ("failed", one.failed) if held else ("held", one.held)
        text, examples = written(self.game, one.test.span), tuple(self.examples.get(probe, ()))
        return Way(missing, text, one.clauses, held or failed, examples, one.test.span)

    def _clauses(self) -> Iterator[Line]:
        for clause in self.game.clauses.values():
            named = [s.name for s in self.game.scenarios if clause.id in s.cites]
            found = tuple(dict.fromkeys([*self.shown.get(clause.id, ()), *named]))
            points = self.points.of(clause.id)
            if not points:
                yield Line("clause", clause.id, clause.text, found, None, self._uncounted(clause), clause.span)
                continue
            games = self.fired.get(clause.id, 0)
            reason = None if games else self._never(clause.id, points)
            yield Line("clause", clause.id, clause.text, found, games, reason, clause.span)

    def unreached(self) -> Unreached:
        """What finds out why something never happened in the matches."""
        return Unreached(self.marked, self.ties.calls, self.counts)

    def _never(self, clause: str, points: Sequence[Point]) -> Message:
        if clause not in self.played and self.games:
            return Message("variant-not-played", option=self.points.variant(clause))
        return self._why(points)

    def _why(self, points: Sequence[Point]) -> Message:
        """Why no match that came to its end came by any of these points."""
        if self.failed and not self.games:
            return Message("every-match-failed")
        return self.unreached().why(points)

    def _uncounted(self, clause: model.Clause) -> Message:
        """Why matches are not counted for a clause: nothing of which matches tell carries it out."""
        if clause.id in self._of_edges()[0] and self.looked:
            return Message("at-edge", games=self.edges.get(clause.id, 0), all=self.looked)
        return unshowable(self.game, clause)

    def _rules(self) -> Iterator[Line]:
        cards = {m.code: f"{kind.name} {m.key}" for kind in self.game.kinds.values() for m in kind.members}
        for index, code in enumerate(self.game.codes):
            if index == self.game.main or code.name in ("do", "the end") or not code.span.line:
                continue
            kind = "card" if index in cards else "rule"
            games = self.counts.get((index, 0), 0)
            why = None if games else self._why([(index, 0)])
            examples = tuple(self.examples.get((index, 0), ()))
            text = line_of(self.game, code.span)
            yield Line(kind, cards.get(index, code.name), text, examples, games, why, code.span)

    def _readings(self) -> Iterator[Line]:
        """Of readings that the matches were played with, in how many of them the option was looked at."""
        for index, option in enumerate(self.game.options):
            said = [(s.name, dict(s.choices).get(option.name)) for s in self.game.scenarios]
            silent = sum(choice is None for _, choice in said)
            for number, (name, text) in enumerate(option.readings):
                examples = tuple(each for each, choice in said if choice == number)
                games = self.read.get((index, number), 0) if (index, number) in self.agreed else None
                why = Message("by-default", silent) if number == option.default else None
                if games == 0:
                    why = self._why(sorted(self.points.choices.get(index, ()), key=str))
                yield Line("reading", f"{option.name}={name}", text, examples, games, why, option.span)


def _kind_of(event: Event) -> str | None:
    """The kind of the piece that an event is about."""
    piece = event.get("piece")
    return piece.kind if isinstance(piece, Ref) else None


def unshowable(game: model.Game, clause: model.Clause) -> Message:
    """Why play can never show a clause."""
    if not clause.needs_rule:
        return Message("needs-no-rule")
    return Message("how-things-are" if clause.id in game.cited else "nothing-carries-out")
