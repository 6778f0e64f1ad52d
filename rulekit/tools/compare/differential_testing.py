"""Differential testing of two games: the shortest way found to a decision after which they behave differently.

Matches are played side by side with the same chance and answers, each only
as long as the shortest way known.  Where that finds nothing, whole series
in the compiled engines say which matches end differently, and those are
looked at.  The end of the way is then shrunk to a scenario from a position
near by, which holds in the first game and fails in the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

from rulekit.bots.players.random_bot import RandomBot
from rulekit.compiler.plan.ir import Status
from rulekit.model.game import Game
from rulekit.play import seat_names
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.match_state import Decision, Step
from rulekit.play.state.value import Value
from rulekit.tools.compare.bookkeeping import left_different
from rulekit.tools.compare.differential_execution import Pair, both_acted, played
from rulekit.tools.compare.divergence import Divergence, Side
from rulekit.tools.compare.match_cache import CachedMatches, MatchCache
from rulekit.tools.compare.option_combinations import (
    options_in_changed_guards,
    options_in_changed_rules,
    pairwise_changes,
    single_changes,
)
from rulekit.tools.compare.shrinking import STARTS, Difference, Shrinker, Version, match_start
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.examples.scenario_writer import Example
from rulekit.tools.language.lazy_message import Message
from rulekit.values import define

_LONGEST = 400
"""The most decisions of one match that are compared."""
_FIRST, _GLANCES = 6, 2
"""At most _FIRST matches are played side by side, and as many of a series that end differently are looked at.

Before any series only _GLANCES are played side by side, unless they differ.
"""
_SIDES, _MOST_SEATS = 3, 20
"""Matches are played side by side for at most _SIDES numbers of players; games are started with up to _MOST_SEATS."""
_AGREED, _SLOW = 200, 20
"""At most so many matches of a series: under another choice of an option, and where no compiled engine can play."""
_PAIRS = 100
"""At most so many choices of two options at once."""
_PIECE = 500
_WAYS = 2
"""Other ways to go on where at first nothing but bookkeeping differs."""


@define(eq=False)
class Search:
    """The search for one difference.  `run` says how many matches were compared so far; `best` is the best so far.

    Matches that fail in both games alike show no difference, and are not counted as compared.

    ends:       of the first game, for who compares it with several.
    listening:  whether by now a difference counts that is only announced or revealed.
    """

    a: Version
    b: Version
    seats: Sequence[int]
    games: int
    seed: str
    best: Difference | None = None
    compared: int = 0
    engine: str = "auto"
    ends: MatchCache | None = None
    listening: bool = False

    def run(self) -> Iterator[int]:
        """In order: whether games may start, a few matches side by side, whole series, series under other options.

        After those, two other options at once, if one of them is read where the rules differ.  What is only announced
        or revealed counts if nothing else differs, and bookkeeping that somebody sees if it differs for good.
        """
        near = options_in_changed_rules(self.a.game, self.b.game)
        agreed = sorted(self._agreements(), key=lambda choice: not choice.keys() & near)
        pairs = pairwise_changes(agreed, near)[:_PAIRS]
        guarded = pairwise_changes(agreed, options_in_changed_guards(self.a.game, self.b.game))[:_PAIRS]
        self._setups([{}, *agreed, *guarded])
        if self.best is None:
            yield from self._side_by_side(range(_FIRST), _GLANCES)
        if self.best is None:
            yield from self._series({}, self.games, self.seats)
        for place, options in enumerate(agreed):
            if self.best is None:
                counts = self.seats if options.keys() & near else self.seats[place % len(self.seats) :][:1]
                yield from self._series(options, min(self.games, _AGREED), counts)
        for options in pairs:
            if self.best is None:
                yield from self._series(options, min(self.games, _AGREED), self._middle())
        if self.best is None:
            self.listening = True
            yield from self._side_by_side(range(min(_GLANCES, self.games - 1), _FIRST), _FIRST)
        if self.best is not None:
            self.best = Shrinker(self.a, self.b, self.seed).of(self.best)

    def _setups(self, agreed: Sequence[Mapping[str, Value]]) -> None:
        """Whether the two may be played with the same choices and seats."""
        games = self.a.game, self.b.game
        most = min(max(game.most for game in games), _MOST_SEATS)
        every = range(min(game.least for game in games), most + 1) if len(self.seats) > 1 else self.seats
        for options in agreed:
            for seats in every:
                if self.best is None:
                    self._started(seats, options, 0)

    def _agreements(self) -> list[dict[str, Value]]:
        """Every other choice of one option that neither version has chosen already."""
        known = [{option.name for option in version.game.options} for version in (self.a, self.b)]
        but = {*self.a.options, *self.b.options, *(known[0] ^ known[1])}
        found = single_changes(self.a.game, but)
        return found + [choice for choice in single_changes(self.b.game, but) if choice not in found]

    def _middle(self) -> Sequence[int]:
        """One number of players, neither few nor many."""
        seats = [count for count in self.seats if self.a.game.least <= count <= self.a.game.most]
        return seats[len(seats) // 2 :][:1]

    # ------------------------------------------------------------ matches side by side

    def _side_by_side(self, numbers: range, patience: int) -> Iterator[int]:
        """Matches with these numbers.  patience: after so many it ends, unless a difference was found by then."""
        for number in numbers:
            if number >= min(self.games, _FIRST) or (self.best is None and number >= patience):
                return
            for seats in self.seats[:_SIDES]:
                self.compared += self._look(seats, {}, number)
                yield self.compared
            if self.best is not None and self.best.decisions <= 1:
                return

    def find_failures(self) -> Failures:
        """The matches of the first game that failed, with the lines of the rules at which they did."""
        return Failures() if self.ends is None else self.ends.find_failures()

    def _cache(self) -> MatchCache:
        """The matches of the first game."""
        self.ends = self.ends or MatchCache(self.a, self.seed, self.engine)
        return self.ends

    def _look(self, seats: int, options: Mapping[str, Value], number: int) -> bool:
        """Play one match in both games, if it parts sooner than the best does; False if it fails in both alike."""
        most = _LONGEST if self.best is None else len(self.best.past) - 1
        pair = self._started(seats, options, number)
        if pair is None:
            return True
        pair = self._seen(played(pair, _bots(f"{self.seed}#{number}", seats), most), f"{self.seed}#{number}", most)
        if pair.divergence is None and self.listening:
            pair = self._left(pair, self._started(seats, options, number), number)
        if pair.divergence is not None:
            clauses = partial(both_acted, pair.a, pair.b)
            past = tuple(pair.past)
            since = None if pair.unseen is None else pair.unseen.after
            self.best = Difference(
                seats, options, number, pair.divergence, past, clauses, None, len(past), since, pair.also
            )
        if isinstance(pair.a, Step) or pair.divergence is not None:
            return True
        self._cache().of(options, seats).note_failure(number, pair.a)
        return False

    def _seen(self, pair: Pair, seed: str, most: int) -> Pair:
        """A pair that differed in nothing but bookkeeping, gone on with otherwise from there until more differs."""
        unseen = pair.unseen
        if pair.divergence is not None or unseen is None:
            return pair
        for attempt in range(_WAYS):
            seats = len(unseen.a.state.setting.seats)
            again = Pair(unseen.a, unseen.b, pair.past[: unseen.after], pair.listening, unseen=unseen)
            played(again, _bots(f"{seed} {attempt}", seats), most)
            if again.divergence is not None:
                return again
        return pair

    def _left(self, pair: Pair, again: Pair | None, number: int) -> Pair:
        """A match in which bookkeeping that somebody sees stays different to the end, as far as it first does."""
        if again is None or not isinstance(pair.a, Step) or not isinstance(pair.b, Step):
            return pair
        also = left_different(pair.a.state, pair.b.state)
        if not also:
            return pair
        again = Pair(again.a, again.b, listening=True, also=also)
        return played(again, _bots(f"{self.seed}#{number}", len(pair.a.state.setting.seats)), _LONGEST)

    def _started(self, seats: int, options: Mapping[str, Value], number: int) -> Pair | None:
        """Both games at their first decision; None for what neither can be played with."""
        sides = [match_start(version, options, seats, f"{self.seed}#{number}") for version in (self.a, self.b)]
        if isinstance(sides[0], BadSetup) and isinstance(sides[1], BadSetup):
            return None
        if isinstance(sides[0], BadSetup) or isinstance(sides[1], BadSetup):
            self._refused(seats, options, number, sides)
            return None
        return Pair(sides[0], sides[1], listening=self.listening)

    def _refused(self, seats: int, options: Mapping[str, Value], number: int, sides: list[Side | BadSetup]) -> None:
        """Only one of the two may be played with so many, or with what is agreed."""
        words = [str(side) if isinstance(side, BadSetup) else Message("parting-can") for side in sides]
        divergence = Divergence(Message(STARTS), words[0], words[1])
        names = seat_names.default_names(seats)
        agreed = {**self.a.options, **options}
        example = None if isinstance(sides[0], BadSetup) else Example(names, agreed, lines=("expect not game_over",))
        cites = [_guards(version.game, side) for version, side in zip((self.a, self.b), sides, strict=True)]
        self.best = Difference(seats, options, number, divergence, (), lambda: (cites[0], cites[1]), example, 0)

    def _series(self, options: Mapping[str, Value], games: int, counts: Sequence[int]) -> Iterator[int]:
        """Whole matches in the fastest engine; the first that end differently are looked at."""
        first = self._cache()
        second = MatchCache(self.b, self.seed, self.engine)
        for seats in counts:
            both = first.of(options, seats), second.of(options, seats)
            try:
                slow = "interpreter" in [one.engine for one in both]
            except BadSetup:
                continue
            yield from self._compared(both, min(games, _SLOW) if slow else games)
            both[0].rest()
            if self.best is not None:
                return

    def _compared(self, both: tuple[CachedMatches, CachedMatches], games: int) -> Iterator[int]:
        """The same matches in both, piece by piece, until some that end differently are found."""
        for first in range(0, games, _PIECE):
            count = min(_PIECE, games - first)
            ends = [one.part(first, count) for one in both]
            alike = (one == other and one.status != Status.DONE for one, other in zip(*ends, strict=True))
            self.compared += count - sum(alike)
            yield self.compared
            differing = [one.index for one, other in zip(*ends, strict=True) if one != other]
            for number in differing[:_FIRST]:
                self._look(both[0].seats, both[0].options, number)
            if self.best is not None:
                return


def _bots(seed: str, seats: int) -> Callable[[Decision], Value]:
    """Answers by chance for all seats."""
    bots = [RandomBot(seed, name) for name in seat_names.default_names(seats)]
    turns = [0] * seats

    def answer(question: Decision) -> Value:
        turns[question.seat] += 1
        return bots[question.seat].answer(question, turns[question.seat] - 1)

    return answer


def _guards(game: Game, side: Side | BadSetup) -> tuple[str, ...]:
    """The clauses of the options, if it is they that do not let a game start."""
    if not isinstance(side, BadSetup) or "the choice of" not in str(side):
        return ()
    return tuple(dict.fromkeys(clause for option in game.options if option.guards for clause in option.cites))
