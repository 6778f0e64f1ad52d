"""Clause coverage: which clauses, rules, cards and readings examples and random matches exercise, and why others never.

It rests on traceability: which operations of the game carry out which clauses of the rule text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from attrs import define, field, frozen

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.call_graph import Place, callers
from rulekit.model.control_dependence import around
from rulekit.model.traversal import within
from rulekit.play.state.value import Value
from rulekit.source import NOWHERE, Span
from rulekit.tools.analysis.control_operations import non_control_operations
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.compare.differential_execution import random_match
from rulekit.tools.examples import runner
from rulekit.tools.explain.execution_trace import Tracer, of_arrival, place_of
from rulekit.tools.explain.source_text import line_of, written
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.series import simulation

_PIECE = 250


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
class Agreed:
    """What a part of the series is played with."""

    seats: int
    options: Mapping[str, Value]


@frozen
class Counted:
    """Matches of one worker: how many, and in how many of them each basic block and each clause came up."""

    games: int
    counts: Counter[Place]
    fired: Counter[str]


@define(eq=False)
class Coverage:
    """What examples and matches exercised so far; `lines` tells it.

    examples:  by operation the examples that came by.
    counts:    by basic block the number of matches in which it ran; fired: the same by clause.
    arrivals:  by clause the matches, of `looked`, in which something arrived on a full space by it.
    """

    game: model.Game
    marked: CoverageProbes = field(init=False, repr=False)
    examples: dict[Place, list[str]] = field(init=False, factory=dict, repr=False)
    counts: Counter[Place] = field(init=False, factory=Counter, repr=False)
    ties: Traceability = field(init=False, repr=False)
    fired: Counter[str] = field(init=False, factory=Counter, repr=False)
    arrivals: Counter[str] = field(init=False, factory=Counter, repr=False)
    games: int = 0
    looked: int = 0

    def __attrs_post_init__(self) -> None:
        self.marked = CoverageProbes(self.game)
        self.ties = Traceability(self.game)

    # ------------------------------------------------------------ looking

    def look_at_examples(self) -> Iterator[str]:
        tracer = Tracer(self.game)
        for scenario in self.game.scenarios:
            came: set[Place] = set()
            runner.run(tracer.traced, scenario, lambda event, came=came: came.update(place_of(event)))  # type: ignore[misc]
            for place in came:
                self.examples.setdefault(place, []).append(scenario.name)
            yield scenario.name

    def play(self, agreed: Agreed, games: int, seed: str, first: int = 0) -> Iterator[int]:
        """Play matches; yields how many are done after each piece.  Errors: `BadSetup`."""
        one = simulation.series(self.marked.marked, agreed.options, agreed.seats, seed)
        places, words = self.marked.words(one.counters)
        for begin in range(first, first + games, _PIECE):
            rows = one.rows(begin, min(_PIECE, first + games - begin), words)
            self.add([self.marked.blocks_run(places, row[2:]) for row in rows])
            yield len(rows)

    def look_closely(self, agreed: Agreed, games: int, seed: str) -> Iterator[int]:
        """Some matches event by event, for what only arriving on a full space tells."""
        for number in range(games if self.ties.of_places else 0):
            match = random_match(self.game, agreed.options, agreed.seats, f"{seed}#{number}")
            events = (event for step, _ in match for event in step.events)
            self.arrivals.update({clause for event in events for clause in of_arrival(self.game, event)})
            self.looked += 1
            yield 1

    def add(self, matches: Sequence[frozenset[Place]]) -> None:
        self.games += len(matches)
        for came in matches:
            self.counts.update(came)
            block, ties = self.marked.block, self.ties.places
            self.fired.update(id_ for id_, places in ties.items() if any(block[place] in came for place in places))

    def counted(self) -> Counted:
        """What the matches came to, to be added to what others did."""
        return Counted(self.games, self.counts, self.fired)

    def join(self, more: Counted) -> None:
        self.games += more.games
        self.counts.update(more.counts)
        self.fired.update(more.fired)

    def forget(self) -> None:
        """As before the first match."""
        self.games, self.counts, self.fired = 0, Counter(), Counter()

    # ------------------------------------------------------------ telling

    def lines(self) -> Iterator[Line]:
        yield from self._clauses()
        yield from self._rules()
        yield from self._readings()

    def _clauses(self) -> Iterator[Line]:
        for clause in self.game.clauses.values():
            places = self.ties.places.get(clause.id, ())
            named = [s.name for s in self.game.scenarios if clause.id in s.cites]
            found = list(dict.fromkeys([n for place in places for n in self.examples.get(place, ())] + named))
            if not places:
                why_not = self._why_uncounted(clause)
                yield Line("clause", clause.id, clause.text, tuple(found), None, why_not, clause.span)
                continue
            games = self.fired.get(clause.id, 0)
            why = None if games else self.why(places)
            yield Line("clause", clause.id, clause.text, tuple(found), games, why, clause.span)

    def _why_uncounted(self, clause: model.Clause) -> Message:
        """Why matches are not counted for a clause: no operation carries it out."""
        if clause.id in self.ties.of_places and self.looked:
            return Message("full-space", games=self.arrivals.get(clause.id, 0), all=self.looked)
        return unshowable(self.game, clause)

    def _rules(self) -> Iterator[Line]:
        cards = {m.code: f"{kind.name} {m.key}" for kind in self.game.kinds.values() for m in kind.members}
        for index, code in enumerate(self.game.codes):
            if index == self.game.main or code.name in ("do", "the end") or not code.span.line:
                continue
            kind = "card" if index in cards else "rule"
            games = self.counts.get((index, 0), 0)
            why = None if games else self.why([(index, 0)])
            examples = tuple(self.examples.get((index, 0), ()))
            text = line_of(self.game, code.span)
            yield Line(kind, cards.get(index, code.name), text, examples, games, why, code.span)

    def _readings(self) -> Iterator[Line]:
        for option in self.game.options:
            said = [(s.name, dict(s.choices).get(option.name)) for s in self.game.scenarios]
            silent = sum(choice is None for _, choice in said)
            for number, (name, text) in enumerate(option.readings):
                examples = tuple(each for each, choice in said if choice == number)
                why = Message("by-default", silent) if number == option.default else None
                yield Line("reading", f"{option.name}={name}", text, examples, None, why, option.span)

    # ------------------------------------------------------------ why never

    def why(self, places: Sequence[Place]) -> Message:
        """Why none of these operations ever ran in the matches: the reason nearest to play."""
        return self._why(places[0], frozenset()) if places else Message("never-reached")

    def _came(self, place: Place) -> bool:
        return self.counts.get(self.marked.block[place], 0) > 0

    def _why(self, place: Place, seen: frozenset[int]) -> Message:
        index, pc = place
        code = self.game.codes[index]
        if not self._came((index, 0)):
            return self._uncalled(index, seen | {index})
        for at in around(code.ops, pc):
            if not self._came((index, at)):
                continue
            reason = self._closed(index, at, pc)
            if reason is not None:
                return reason
        return self._way(index, pc)

    def _closed(self, index: int, at: int, pc: int) -> Message | None:
        """Why the condition or loop at `at`, which ran, never led on to the operation at `pc`; None if it did."""
        op = self.game.codes[index].ops[at]
        if isinstance(op, ops.Unless):
            inside = pc < op.to
            behind = at + 1 if inside else op.to
            if self._came((index, behind)):
                return None
            text = written(self.game, op.test.span)
            return Message("never-true" if inside else "shadowed", test=text, line=op.span.line)
        if isinstance(op, ops.EachStart) and not self._came((index, at + 2)):
            return Message("never-anything", set=written(self.game, op.over.span), line=op.span.line)
        return None

    def _way(self, index: int, pc: int) -> Message:
        for at, op in enumerate(self.game.codes[index].ops[:pc]):
            if isinstance(op, ops.AskWay) and self._came((index, at)):
                for label, _, begin in op.ways:
                    if begin == self.marked.block[index, pc][1]:
                        return Message("way-never-chosen", texts={"label": ("way", label)}, line=op.span.line)
            if isinstance(op, ops.EnterStep) and at < pc < op.end and not self._came((index, at + 1)):
                return Message("always-skipped", step=op.step, line=op.span.line)
        return Message("left-before")

    def _uncalled(self, index: int, seen: frozenset[int]) -> Message:
        """Why a code was never begun: nobody calls it, or no caller came so far."""
        calls = [place for place in self.ties.calls.get(index, ()) if place[0] not in seen]
        if not calls:
            return Message("uncalled", name=self.game.codes[index].name)
        for place in calls:
            if self._came(place):
                line = self.game.codes[place[0]].ops[place[1]].span.line
                return Message("never-came-up", name=self.game.codes[index].name, line=line)
        return self._why(calls[0], seen)


def unshowable(game: model.Game, clause: model.Clause) -> Message:
    """Why play can never show a clause."""
    if not clause.needs_rule:
        return Message("needs-no-rule")
    return Message("how-things-are" if clause.id in game.cited else "nothing-carries-out")


# ---------------------------------------------------------------- clauses and operations


@define(eq=False)
class Traceability:
    """Which operations carry out which clauses: the traceability of the rule text to the rules.

    places:  by clause the operations that do what it says.
    calls:   by code the operations that may begin it.
    of_places:  the clauses of pushes on full spaces.
    """

    game: model.Game
    places: dict[str, tuple[Place, ...]] = field(init=False, repr=False)
    calls: dict[int, list[Place]] = field(init=False, repr=False)
    of_places: frozenset[str] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        pushing = [full.cites for place in self.game.places.values() for full in place.full if full.word == "pushes"]
        self.of_places = frozenset(clause for cites in pushing for clause in cites)
        own: dict[str, list[Place]] = {}
        for index, code in enumerate(self.game.codes):
            # What a scenario calls is not of the rules.
            acts = non_control_operations(code) if code.name != "do" else set()
            for pc, op in enumerate(code.ops):
                if pc in acts:
                    for clause in dict.fromkeys((*op.cites, *self._read(op))):
                        own.setdefault(clause, []).append((index, pc))
        self.places = {clause: tuple(self._nearest(clause, found)) for clause, found in own.items()}
        self.calls = callers(self.game)

    def _nearest(self, clause: str, found: list[Place]) -> list[Place]:
        """What a clause stands at, without what is called from there: its own lines if it has any."""
        return [place for place in found if clause in self.game.codes[place[0]].ops[place[1]].cites] or found

    def _read(self, op: ops.Op) -> Iterator[str]:
        """The clauses of the defines and options that an operation reads."""
        for e in within(op, self.game.defines):
            yield from e.cites
            if isinstance(e, x.Invoke):
                yield from self.game.defines[e.define].cites
            elif isinstance(e, x.OptionValue):
                yield from self.game.options[e.index].cites
