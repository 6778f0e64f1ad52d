"""Shrinking: a difference of two games told from the nearest position before it that a scenario can say.

As in delta debugging, ever longer tails of the match are tried, and the first
that still shows the difference is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from rulekit.model.game import Game
from rulekit.play import engine, seat_names
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.match_state import Step
from rulekit.play.state.value import Value
from rulekit.tools.compare.bookkeeping import Cell
from rulekit.tools.compare.breakpoints import breakpoints
from rulekit.tools.compare.differential_execution import Moment, Pair, ReplayedAnswers, played
from rulekit.tools.compare.divergence import Divergence, Side
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
)
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define, evolve, field, frozen

FEW = 10
"""Decisions within which a difference should show."""
STARTS = "parting-start"
"""The phrase for what differs where only one of the two can be played."""
_LONG = 60
"""Decisions that an example may take at most, if bookkeeping differed long before anything else did."""
_CALLS = 16
"""Calls before the end from which it is tried."""
_TRIES = 6
"""Ways to go on by chance from one position."""


@frozen
class Version:
    """One of the two: rules with what is agreed."""

    rules: Rules
    options: Mapping[str, Value]
    game: Game


@frozen
class Difference:
    """How two games part.

    options:   what was agreed besides what the two versions say.
    number:    the match, with seed `SEED#number`; past: its decisions until then.
    find:      gives `clauses`, for which matches are played again, so only if somebody asks.
    example:   a scenario from a reachable position that holds in the first game and fails in the second, or None.
    decisions: how many it takes: those of the example, or of the match.
    since:     after so many decisions bookkeeping differed, if that came before.
    also:      bookkeeping in which the two differ for good, where nothing else does.
    """

    seats: int
    options: Mapping[str, Value]
    number: int
    divergence: Divergence
    past: tuple[Moment, ...]
    find: Callable[[], tuple[tuple[str, ...], tuple[str, ...]]] = field(eq=False, repr=False)
    example: Example | None
    decisions: int
    since: int | None = None
    also: frozenset[Cell] = frozenset()

    @cached_property
    def clauses(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The clauses of each game behind what happened in it alone."""
        return self.find()

    @property
    def is_of_the_agreement(self) -> bool:
        """Whether only one of the two can be played with what is agreed, or by so many."""
        return isinstance(self.divergence.what, Message) and self.divergence.what.id == STARTS

    @property
    def is_only_heard(self) -> bool:
        """Whether all that differs is what is announced or revealed."""
        what = self.divergence.what
        return isinstance(what, Message) and what.id in ("parting-announce", "parting-reveal")


def match_start(version: Version, options: Mapping[str, Value], seats: int, seed: str) -> Side | BadSetup:
    """A match of a version at its first decision."""
    try:
        return engine.start(version.game, {**version.options, **options}, seats, seed)
    except (RuleError, BadSetup) as fault:
        return fault


@define(eq=False)
class Shrinker:
    """seed:  of the series whose matches were compared."""

    a: Version
    b: Version
    seed: str

    def of(self, found: Difference) -> Difference:
        """The same difference from the nearest position before it that a scenario can say."""
        if found.example is not None:
            return found
        if not found.past:
            return evolve(found, example=self._at_once(found))
        for tail in _tails(found):
            example = self._from(found, found.past[-tail:])
            if example is not None:
                count = sum(line.startswith("when ") for line in example.lines)
                return evolve(found, example=example, decisions=count)
        return self._from_a_call(found)

    def _at_once(self, found: Difference) -> Example | None:
        """What is so before anybody was asked."""
        if not found.divergence.holds:
            return None
        lines = (found.divergence.holds,)
        made, there = (
            Example(seat_names.default_names(found.seats), {**version.options, **found.options}, lines=lines)
            for version in (self.a, self.b)
        )
        return made if passes(self.a.rules, made) and not passes(self.b.rules, there) else None

    def _from_a_call(self, found: Difference) -> Difference:
        """The same from the last call of an action that a scenario can make, a few decisions before the end."""
        agreed = {**self.a.options, **found.options}
        actions = [moment.action for moment in found.past]
        try:
            seed = f"{self.seed}#{found.number}"
            every = breakpoints(self.a.game, agreed, found.seats, seed, actions)
            near = [each for each in every if each.after >= len(actions) - FEW]
        except (BadSetup, RuleError):
            return found
        # The last ones first; but an inner call may come too late, so the outermost before those in it.
        near.reverse()
        for begin in sorted(near, key=lambda each: len(each.state.frames))[:_CALLS]:
            try:
                example = example_at(begin.state, agreed, begin.call)
                first, there = started(self.a.rules, example), {**self.b.options, **found.options}
                made = self._tried(example, first, there, found.past[begin.after :], found.also)
            except (CannotSay, BadSetup, RuleError):
                continue
            if made is not None:
                count = sum(line.startswith("when ") for line in made.lines)
                return evolve(found, example=made, decisions=count)
        return found

    def _from(self, found: Difference, tail: Sequence[Moment]) -> Example | None:
        """The example from the beginning of play, or of the innermost action that begins where the match stood."""
        moment, options = tail[0], found.options
        for call in ("", *reversed(running_calls(moment.state))):
            try:
                example = example_at(moment.state, {**self.a.options, **options}, call)
                first = started(self.a.rules, example)
                if not is_same_position(first.state, moment.state, exactly=not call):
                    continue
                made = self._tried(example, first, {**self.b.options, **options}, tail, found.also)
            except (CannotSay, BadSetup, RuleError):
                continue
            if made is not None:
                return made
        return None

    def _tried(
        self,
        example: Example,
        first: Step,
        options: Mapping[str, Value],
        tail: Sequence[Moment],
        also: frozenset[Cell],
    ) -> Example | None:
        there = evolve(example, options=options)
        second = _started(self.b.rules, there)
        tries = (
            self._continued(example, there, Pair(first, second, also=also), ReplayedAnswers(tail, attempt))
            for attempt in range(_TRIES)
        )
        return next((made for made in tries if made is not None), None)

    def _continued(self, example: Example, there: Example, pair: Pair, answers: ReplayedAnswers) -> Example | None:
        """The example with answers until the games part, if the two verdicts on it differ."""
        if pair.divergence is None:
            pair = played(pair, answers, max(FEW, len(answers.tail)))
        if pair.divergence is None or not pair.divergence.holds:
            return None
        lines = [answer_line(each.state, each.action) for each in pair.past]
        made = example.then(*lines, pair.divergence.holds)
        there = there.then(*lines, pair.divergence.holds)
        return made if passes(self.a.rules, made) and not passes(self.b.rules, there) else None


def _tails(found: Difference) -> list[int]:
    """How many of the last decisions are tried: few, then as many as since bookkeeping differed."""
    tails = list(range(1, min(len(found.past), FEW) + 1))
    early = [] if found.since is None else [len(found.past) - found.since, len(found.past) - found.since + 1]
    return tails + [tail for tail in early if FEW < tail <= min(len(found.past), _LONG)]


def _started(rules: Rules, example: Example) -> Side:
    try:
        return started(rules, example)
    except RuleError as fault:
        return fault
