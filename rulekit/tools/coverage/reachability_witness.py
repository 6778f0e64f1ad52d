"""Reachability witness: a position found in which a clause is carried out, as an example that is about the clause.

Whole series in the fastest engine say in which matches the lines of the
clause ran; those are played again, event by event, up to decisions by which
something happened that cites it; the end of the way is told from the nearest
position that a scenario can say.  And a witness proves itself: with some
change of the clause's part of the rules its scenario fails.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from rulekit.compiler.plan.ir import Status
from rulekit.model import game as model
from rulekit.play import engine, seat_names
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Value
from rulekit.tools.analysis.statement_coverage import CoverageProbes
from rulekit.tools.compare.breakpoints import Breakpoint, breakpoints
from rulekit.tools.compare.differential_execution import Moment, ReplayedAnswers, random_match
from rulekit.tools.compare.divergence import Side
from rulekit.tools.compare.option_combinations import single_changes
from rulekit.tools.coverage.clause_coverage import Traceability, unshowable
from rulekit.tools.coverage.witness_proof import Carried, Proof, Prover, carried, cited_in
from rulekit.tools.estimation.failures import Failures, merge_failures
from rulekit.tools.examples import runner
from rulekit.tools.examples.mutation_operators import Rules
from rulekit.tools.examples.scenario_writer import (
    CannotSay,
    Example,
    example_at,
    is_same_position,
    running_calls,
    started,
    with_example,
)
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.series import simulation
from rulekit.tools.series.failure_causes import SeriesSpec, find_causes
from rulekit.values import define, evolve, field, frozen

_FEW = 10
_LOOKED_AT = 3
"""Matches that are played again, event by event."""
_SHOWN = 2
"""Decisions of one match that are looked at, by which the clause was carried out."""
_LONGEST = 600
_TRIES = 2
_OTHER = 300
"""Matches with each other choice of an option."""
_WATCHED, _GLANCED = 8, 2
"""Matches that are played again with what is agreed at first, and with each other choice."""
_IN_ALL = 36
_PROOFS = 150
"""Changes of the clause's part that are tried at most, each one in one position."""
_CALLS = 6


@frozen
class Witness:
    """Where a clause is carried out.

    past:     the decisions of a match up to there, under `options`.
    example:  the same from a position near by, None where no example can say it.
    proof:    a change of the clause's part with which the example fails, or the match goes on otherwise.
    """

    seats: int
    options: Mapping[str, Value]
    seed: str
    past: tuple[Moment, ...]
    example: Example | None = None
    proof: Proof | None = None


@define(eq=False)
class WitnessSearch:
    """The search for one clause; `compared` matches were played by now.

    failures:  of all series by now, with the lines at which matches failed; they show nothing.
    watched:   so many of them were played again; came: whether lines of the clause ran in any.
    found:     the witness, proved.
    unproved:  the shortest match in which the clause was carried out and no change of its part made a difference.
    """

    rules: Rules
    clause: str
    games: int
    seed: str = "witness"
    found: Witness | None = None
    unproved: Witness | None = None
    compared: int = 0
    failures: Failures = Failures()
    watched: int = 0
    came: bool = False
    ties: Traceability = field(init=False)
    prover: Prover = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.ties = Traceability(self.rules.game)
        self.prover = Prover(self.rules, self.clause, _PROOFS)

    @property
    def is_done_by_rules(self) -> bool:
        """Whether anything of the rules carries the clause out; else play can never show it."""
        return bool(self.ties.places.get(self.clause) or self.prover.edits)

    @property
    def is_without_lines(self) -> bool:
        """Whether the rules only say how things are where they cite the clause, and no event came of that."""
        return not self.ties.places.get(self.clause) and self.unproved is None

    @property
    def why_not(self) -> Message:
        """Why nothing was found."""
        if self.unproved is not None:
            return Message("nothing-altered", clause=self.clause)
        if self.is_without_lines:
            return unshowable(self.rules.game, self.rules.game.clauses[self.clause])
        matches = Message("some-matches", self.compared)
        return Message("not-cited" if self.came else "not-carried-out", clause=self.clause, matches=matches)

    def run(self) -> Iterator[int]:
        """Search; yields how many matches were looked at by now."""
        game = self.rules.game
        for options, games in self._agreements():
            most = min(_IN_ALL, self.watched + (_WATCHED if games == self.games else _GLANCED))
            for seats in range(game.least, min(game.most, game.least + 3) + 1):
                if self.watched < most:
                    yield from self._in(seats, options, games)
                if self.found is not None or not self.prover.left:
                    return

    def _agreements(self) -> Iterator[tuple[Mapping[str, Value], int]]:
        """What is agreed, so that the clause counts, and how many matches are played so."""
        own = chosen_by(self.rules.game, self.clause) or [{}]
        yield from ((options, self.games) for options in own)
        # Where no line of its own tells in which matches it counts, few can be looked at.
        others = single_changes(self.rules.game) if self.ties.places.get(self.clause) else []
        for options in own:
            yield from (({**options, **other}, _OTHER) for other in others if not options.keys() & other.keys())

    def _in(self, seats: int, options: Mapping[str, Value], games: int) -> Iterator[int]:
        """With so many players: where the clause is carried out soonest is tried first."""
        found: list[Witness] = []
        try:
            for number in self._matches(seats, options, games):
                yield self.compared
                found += self._shown(seats, options, f"{self.seed}#{number}")
        except BadSetup:
            return
        for each in sorted(found, key=lambda each: len(each.past))[:_LOOKED_AT]:
            self.found = self.found or self._proved(each)
            self.unproved = self.unproved or each
            yield self.compared

    def _matches(self, seats: int, options: Mapping[str, Value], games: int) -> list[int]:
        """The first matches in which the clause came up; where no line of its own tells, simply the first."""
        if not self.ties.places.get(self.clause):
            self.compared += _SHOWN
            return list(range(_SHOWN))
        marked = CoverageProbes(self.rules.game)
        one = simulation.series(marked.marked, options, seats, self.seed)
        places, words = marked.words(one.counters)
        known = set(places)
        blocks = {marked.block[place] for place in self.ties.places[self.clause]}
        # Of what is called from a secret block only its beginning is known.
        wanted = {block if block in known else (block[0], 0) for block in blocks}
        rows = one.rows(0, games, words)
        failed = [(number, row[0]) for number, row in enumerate(rows) if row[0] != Status.DONE]
        spec = SeriesSpec(self.rules.game, options, seats, self.seed)
        found = find_causes(spec, failed, games, names_seats=True)
        self.failures = merge_failures([self.failures, found])
        self.compared += games - len(failed)
        done = ((number, row) for number, row in enumerate(rows) if row[0] == Status.DONE)
        hits = [number for number, row in done if wanted & marked.blocks_run(places, row[2:])]
        self.came = self.came or bool(hits)
        return sorted(hits, key=lambda number: rows[number][1])[:_LOOKED_AT]

    # ------------------------------------------------------------ one match

    def _shown(self, seats: int, options: Mapping[str, Value], seed: str) -> list[Witness]:
        """The first decisions of a match by which something happened that cites the clause."""
        found: list[Witness] = []
        past: list[Moment] = []
        self.watched += 1
        with suppress(RuleError):
            for step, action in random_match(self.rules.game, options, seats, seed):
                if cited_in(step.events, self.clause) is not None:
                    found.append(Witness(seats, options, seed, tuple(past)))
                if action is None or len(past) >= _LONGEST or len(found) >= _SHOWN:
                    break
                past.append(Moment(step.state, action))
        return found

    # ------------------------------------------------------------ told from near by, and proved

    def _proved(self, seen: Witness) -> Witness | None:
        """As an example; else, where no example can say it, the match itself."""
        can_say = False
        for shown in self._told(seen):
            can_say = True
            made = self.prover.of_example(shown)
            if made is not None:
                return evolve(seen, example=made[0], proof=made[1])
        if can_say:
            return None
        proof = self.prover.of_match(self._begun(self.rules, seen), seen.past, lambda rules: self._begun(rules, seen))
        return None if proof is None else evolve(seen, proof=proof)

    def _begun(self, rules: Rules, seen: Witness) -> Side:
        """Errors: `BadSetup` where the rules no longer take what is agreed."""
        try:
            return engine.start(rules.game, seen.options, seen.seats, seen.seed)
        except RuleError as fault:
            return fault

    def _told(self, seen: Witness) -> Iterator[Carried]:
        """Play from positions before the end of the way, the nearest first, until the clause is carried out."""
        for example, tail in self._positions(seen):
            for attempt in range(_TRIES):
                with suppress(CannotSay, BadSetup, RuleError):
                    shown = carried(self.prover.rules, example, ReplayedAnswers(tail, attempt), self.clause)
                    if shown is not None:
                        yield shown
                        break

    def _positions(self, seen: Witness) -> Iterator[tuple[Example, Sequence[Moment]]]:
        if not seen.past:
            names = seat_names.default_names(seen.seats)
            yield Example(names, seen.options), ()
        for tail in range(1, min(len(seen.past), _FEW) + 1):
            state = seen.past[-tail].state
            for example in self._from(state, seen.options):
                yield example, seen.past[-tail:]
        yield from self._from_calls(seen)

    def _from(self, state: State, options: Mapping[str, Value]) -> Iterator[Example]:
        """Where a match waits, from the beginning of play or of an action."""
        for call in ("", *reversed(running_calls(state))):
            with suppress(CannotSay, BadSetup, RuleError):
                example = example_at(state, options, call)
                if is_same_position(started(self.prover.rules, example).state, state, exactly=not call):
                    yield example

    def _from_calls(self, seen: Witness) -> Iterator[tuple[Example, Sequence[Moment]]]:
        """Where an action begins between the last decisions: first those that say what the clause does."""
        actions = [moment.action for moment in seen.past]
        with suppress(BadSetup, RuleError):
            every = breakpoints(self.rules.game, seen.options, seen.seats, seen.seed, actions)
            near = [each for each in every if each.after >= len(actions) - _FEW]
            for begin in self._likely(near[::-1]):
                with suppress(CannotSay, BadSetup, RuleError):
                    yield example_at(begin.state, seen.options, begin.call), seen.past[begin.after :]

    def _likely(self, near: Sequence[Breakpoint]) -> list[Breakpoint]:
        """The last calls of what carries the clause out; then the outermost, since an inner one may come too late."""
        game = self.rules.game
        names = {game.codes[code].name for code, _ in self.ties.places.get(self.clause, ())}
        own = [each for each in near if each.call.split("(")[0] in names][:_CALLS]
        outer = sorted(near, key=lambda each: len(each.state.frames))[:_CALLS]
        return [*own, *(each for each in outer if each not in own)]


def chosen_by(game: model.Game, clause: str) -> list[dict[str, Value]]:
    """What has to be agreed for a clause to count: the variant that it tells, or the reading.

    A clause that stands at one reading of an unclear passage may tell what is unclear: the others come behind.
    """
    found: list[dict[str, Value]] = []
    for option in game.options:
        tied = zip(option.readings, option.tied, strict=False)
        values: list[Value] = [name for (name, _), cites in tied if clause in cites]
        if values and option.unclear:
            values += [name for name, _ in option.readings if name not in values]
        if not option.unclear and not option.readings and clause in option.cites:
            values += _turned_on(option)
        found += [{option.name: value} for value in values]
    return found


def _turned_on(option: model.Option) -> list[Value]:
    """With a variant that is a matter of yes or no, or of a set that is empty where nothing is agreed."""
    if option.type.is_set:
        return [] if option.default else [(option.low,)]
    return [True] if option.type.name == "flag" else []


def is_shown(rules: Rules, example: Example, clause: str) -> bool:
    """Whether something happens in an example that cites a clause."""
    game, scenario = with_example(rules, example)
    came = list[bool]()
    runner.run(game, scenario, lambda event: came.append(clause in event.all_clauses))
    return any(came)
