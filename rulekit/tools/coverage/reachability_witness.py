"""Reachability witness: the shortest game or position found in which a clause is carried out, as an example.

Whole series in the fastest engine say in which matches the lines of the
clause ran; those are played again, event by event, up to the first decision
that led there; and the end of the way is told from the nearest position that
a scenario can say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from attrs import define, evolve, field, frozen

from rulekit.play import engine
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, State
from rulekit.play.state.value import Value
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.compare.differential_execution import Moment, ReplayedAnswers, random_match
from rulekit.tools.compare.divergence import changes
from rulekit.tools.compare.option_combinations import single_changes
from rulekit.tools.coverage.clause_coverage import Traceability
from rulekit.tools.examples import runner
from rulekit.tools.examples.mutation_operators import Rules
from rulekit.tools.examples.scenario_writer import (
    CannotSay,
    Example,
    answer_line,
    example_at,
    is_same_position,
    passes,
    running_calls,
    started,
    with_example,
)
from rulekit.tools.explain.execution_trace import Tracer, of_arrival, place_of
from rulekit.tools.series import simulation

_FEW = 10
_LOOKED_AT = 5
"""Matches that are played again, event by event."""
_LONGEST = 600
_TRIES = 4
_OTHER = 300
"""Matches with each other choice of an option."""


@frozen
class Witness:
    """Where a clause is carried out.

    past:     the decisions of a match up to there, under `options`.
    example:  the same from a position near by, None where no example can say it.
    """

    seats: int
    options: Mapping[str, Value]
    seed: str
    past: tuple[Moment, ...]
    example: Example | None


@define(eq=False)
class WitnessSearch:
    """The search for one clause; `compared` matches were played by now."""

    rules: Rules
    clause: str
    games: int
    seed: str = "witness"
    found: Witness | None = None
    compared: int = 0
    ties: Traceability = field(init=False)
    _tracer: Tracer = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ties = Traceability(self.rules.game)
        self._tracer = Tracer(self.rules.game)

    @property
    def is_done_by_rules(self) -> bool:
        """Whether any line of the rules carries the clause out; else play can never show it."""
        return bool(self.ties.places.get(self.clause)) or self.clause in self.ties.of_places

    def run(self) -> Iterator[int]:
        """Search; yields how many matches were looked at by now."""
        game = self.rules.game
        for options, games in [({}, self.games), *((each, _OTHER) for each in single_changes(game))]:
            for seats in range(game.least, min(game.most, game.least + 3) + 1):
                yield from self._in(seats, options, games)
                if self.found is not None:
                    self.found = self._shortened(self.found)
                    return

    def _in(self, seats: int, options: Mapping[str, Value], games: int) -> Iterator[int]:
        try:
            for number in self._matches(seats, options, games):
                yield self.compared
                self._look(seats, options, f"{self.seed}#{number}")
        except BadSetup:
            return

    def _matches(self, seats: int, options: Mapping[str, Value], games: int) -> list[int]:
        """The first matches in which the clause came up; of what only arriving tells, simply the first."""
        if not self.ties.places.get(self.clause):
            self.compared += _LOOKED_AT
            return list(range(_LOOKED_AT))
        marked = CoverageProbes(self.rules.game)
        one = simulation.series(marked.marked, options, seats, self.seed)
        places, words = marked.words(one.counters)
        wanted = {marked.block[place] for place in self.ties.places[self.clause]}
        rows = one.rows(0, games, words)
        self.compared += games
        hits = [number for number, row in enumerate(rows) if wanted & marked.blocks_run(places, row[2:])]
        return sorted(hits, key=lambda number: rows[number][1])[:_LOOKED_AT]

    # ------------------------------------------------------------ one match

    def _look(self, seats: int, options: Mapping[str, Value], seed: str) -> None:
        """Play a match again until the clause is carried out, if that is sooner than known."""
        most = _LONGEST if self.found is None else len(self.found.past) - 1
        past: list[Moment] = []
        with suppress(RuleError):
            for step, action in random_match(self._tracer.traced, options, seats, seed):
                if any(self._shows(event) for event in step.events):
                    self.found = Witness(seats, options, seed, tuple(past), None)
                    return
                if action is None or len(past) >= most:
                    return
                past.append(Moment(step.state, action))

    def _shows(self, event: Event) -> bool:
        """Whether an event tells that the clause was carried out."""
        places = self.ties.places.get(self.clause, ())
        return any(place in places for place in place_of(event)) or self.clause in of_arrival(self.rules.game, event)

    # ------------------------------------------------------------ shorter

    def _shortened(self, found: Witness) -> Witness:
        found = evolve(found, past=tuple(self._plainly(found)))
        for tail in range(1, min(len(found.past), _FEW) + 1):
            for example in self._from(found, found.past[-tail:]):
                return evolve(found, example=example)
        return found

    def _plainly(self, found: Witness) -> Iterator[Moment]:
        """The same decisions in the game as it is, not as it is watched."""
        state = engine.start(self.rules.game, found.options, found.seats, found.seed).state
        for moment in found.past:
            yield Moment(state, moment.action)
            state = engine.apply(state, moment.action).state

    def _from(self, found: Witness, tail: Sequence[Moment]) -> Iterator[Example]:
        """Examples that begin where the last decisions do."""
        start = tail[0].state
        for call in ("", *reversed(running_calls(start))):
            try:
                example = example_at(start, found.options, call)
                if not is_same_position(started(self.rules, example).state, start, exactly=not call):
                    continue
                yield from self._shown(example, tail)
            except (CannotSay, BadSetup, RuleError):
                continue

    def _shown(self, example: Example, tail: Sequence[Moment]) -> Iterator[Example]:
        for attempt in range(_TRIES):
            made = self._answered(example, ReplayedAnswers(tail, attempt))
            if made is not None and passes(self.rules, made) and is_shown(self.rules, made, self.clause):
                yield made
                return

    def _answered(self, example: Example, answers: ReplayedAnswers) -> Example | None:
        """The example with answers until something of the clause happens, and what is true then."""
        step = started(self.rules, example)
        for _ in range(_FEW):
            waiting = engine.decisions(step.state)
            if not waiting:
                return None
            action = Action(waiting[0].seat, answers(waiting[0]))
            before, step = step, engine.apply(step.state, action)
            example = example.then(answer_line(before.state, action))
            if any(self.clause in event.all_clauses for event in step.events):
                return example.then(*expected(before.state, step.state))
            if answers.used == len(answers.tail):
                break
        return example.then(*expected(before.state, step.state))


def expected(before: State, after: State) -> list[str]:
    """Lines that say what a decision has changed: the first values, or that the game is over."""
    if after.over and after.ending:
        return ["expect game_over"]
    return [f"expect {fact}" for fact in changes(before, after)[:3]]


def is_shown(rules: Rules, example: Example, clause: str) -> bool:
    """Whether lines of a clause run in an example."""
    game, scenario = with_example(rules, example)
    tracer, ties = Tracer(game), Traceability(game)
    places, came = ties.places.get(clause, ()), list[bool]()

    def heard(event: Event) -> None:
        came.append(any(place in places for place in place_of(event)) or clause in of_arrival(game, event))

    runner.run(tracer.traced, scenario, heard)
    return any(came)
