"""The difference of two games in behaviour: the shortest way found to a decision after which they part.

Matches are played side by side with the same chance and answers, each only
as long as the shortest way known.  Where that finds nothing, whole series
in the compiled engines say which matches end differently, and those are
looked at.  The end of the way is then told as a scenario from a position
near by, which holds in the first game and fails in the second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from attrs import define, evolve, frozen

from rulekit.bots.random_bot import RandomBot
from rulekit.model.game import Game
from rulekit.play import engine
from rulekit.play.errors import BadSetup, RuleError
from rulekit.play.state import Decision
from rulekit.play.value import Value
from rulekit.tools import series
from rulekit.tools.agreeing import agreements
from rulekit.tools.edits import Rules
from rulekit.tools.example import CannotSay, Example, answer_line, begun, calls, is_same, passes, placed
from rulekit.tools.going_on import Again
from rulekit.tools.lockstep import Moment, Pair, Parting, Side, acted, played
from rulekit.tools.pauses import pauses

_LONGEST = 400
"""Decisions of one match that are looked at."""
_FEW = 10
"""Decisions within which a difference should show."""
_FIRST = 6
"""Matches that are played side by side in any case, and of those that end differently."""
_SIDES, _MOST_SEATS = 3, 12
"""Numbers of players with which matches are played side by side, and with which it is asked whether they may start."""
_AGREED, _SLOW = 200, 20
"""Matches for each other choice of an option, and where no compiled engine can play."""
_PAUSES = 16
"""Calls before the end from which it is tried."""
_TRIES = 6
"""Ways to go on by chance from one position."""
_PIECE = 500


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
    clauses:   of each game, behind what happened in it alone.
    example:   a scenario from a reachable position that holds in the first game and fails in the second, or None.
    decisions: how many it takes: those of the example, or of the match.
    """

    seats: int
    options: Mapping[str, Value]
    number: int
    parting: Parting
    past: tuple[Moment, ...]
    clauses: tuple[tuple[str, ...], tuple[str, ...]]
    example: Example | None
    decisions: int


@frozen
class Progress:
    """games: matches compared so far."""

    games: int


@define(eq=False)
class Search:
    """The search for one difference.  `run` says how far it is; `found` is the best so far."""

    a: Version
    b: Version
    seats: Sequence[int]
    games: int
    seed: str
    best: Difference | None = None
    compared: int = 0
    engine: str = "auto"

    def run(self) -> Iterator[Progress]:
        """First what may be agreed, then a few matches side by side, then whole series; then other choices."""
        agreed = self._agreements()
        self._setups([{}, *agreed])
        if self.best is None:
            yield from self._side_by_side()
        for options in [{}, *agreed]:
            if self.best is None:
                yield from self._series(options, self.games if not options else min(self.games, _AGREED))
        if self.best is not None:
            self.best = self._shortened(self.best)

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
        found = agreements(self.a.game, but)
        return found + [choice for choice in agreements(self.b.game, but) if choice not in found]

    # ------------------------------------------------------------ matches side by side

    def _side_by_side(self) -> Iterator[Progress]:
        for number in range(min(self.games, _FIRST)):
            for seats in self.seats[:_SIDES]:
                self._look(seats, {}, number)
                self.compared += 1
                yield Progress(self.compared)
            if self.best is not None and self.best.decisions <= 1:
                return

    def _look(self, seats: int, options: Mapping[str, Value], number: int) -> None:
        """One match in both games, if it parts sooner than the best does."""
        most = _LONGEST if self.best is None else len(self.best.past) - 1
        pair = self._started(seats, options, number)
        if pair is None:
            return
        bots = [RandomBot(f"{self.seed}#{number}", name) for name in engine.default_names(seats)]
        turns = [0] * seats

        def answer(question: Decision) -> Value:
            turns[question.seat] += 1
            return bots[question.seat].answer(question, turns[question.seat] - 1)

        played(pair, answer, most)
        if pair.parting is not None:
            clauses = acted(pair.a, pair.b), acted(pair.b, pair.a)
            past = tuple(pair.past)
            self.best = Difference(seats, options, number, pair.parting, past, clauses, None, len(past))

    def _started(self, seats: int, options: Mapping[str, Value], number: int) -> Pair | None:
        """Both games at their first decision; None for what neither can be played with."""
        sides = [_start(version, options, seats, f"{self.seed}#{number}") for version in (self.a, self.b)]
        if isinstance(sides[0], BadSetup) and isinstance(sides[1], BadSetup):
            return None
        if isinstance(sides[0], BadSetup) or isinstance(sides[1], BadSetup):
            self._refused(seats, options, number, sides)
            return None
        return Pair(sides[0], sides[1])

    def _refused(self, seats: int, options: Mapping[str, Value], number: int, sides: list[Side | BadSetup]) -> None:
        """Only one of the two may be played with so many, or with what is agreed."""
        words = [str(side) if isinstance(side, BadSetup) else "it can" for side in sides]
        parting = Parting("whether the game can start", words[0], words[1])
        names = engine.default_names(seats)
        agreed = {**self.a.options, **options}
        example = None if isinstance(sides[0], BadSetup) else Example(names, agreed, lines=("expect not game_over",))
        cites = [_guards(version.game, side) for version, side in zip((self.a, self.b), sides, strict=True)]
        self.best = Difference(seats, options, number, parting, (), (cites[0], cites[1]), example, 0)

    def _series(self, options: Mapping[str, Value], games: int) -> Iterator[Progress]:
        """Whole matches in the fastest engine; the first that end differently are looked at."""
        for seats in self.seats:
            try:
                both = [self._played_by(version, options, seats) for version in (self.a, self.b)]
            except BadSetup:
                continue
            slow = any(one.engine == "interpreter" for one in both)
            for first in range(0, min(games, _SLOW) if slow else games, _PIECE):
                count = min(_PIECE, games - first)
                ends = [series.played(one, first, count) for one in both]
                self.compared += count
                yield Progress(self.compared)
                differing = [one.index for one, other in zip(*ends, strict=True) if one != other]
                for number in differing[:_FIRST]:
                    self._look(seats, options, number)
                if self.best is not None:
                    return

    def _played_by(self, version: Version, options: Mapping[str, Value], seats: int) -> series.Series:
        return series.series(version.game, {**version.options, **options}, seats, self.seed, self.engine)

    # ------------------------------------------------------------ shorter, from a position

    def _shortened(self, found: Difference) -> Difference:
        """The same difference from the nearest position before it that a scenario can say."""
        if found.example is not None:
            return found
        for tail in range(1, min(len(found.past), _FEW) + 1):
            moment = found.past[-tail]
            example = self._from(found.options, moment, found.past[-tail:])
            if example is not None:
                count = sum(line.startswith("when ") for line in example.lines)
                return evolve(found, example=example, decisions=count)
        return self._from_a_call(found)

    def _from_a_call(self, found: Difference) -> Difference:
        """The same from the last call of an action that a scenario can make, a few decisions before the end."""
        agreed = {**self.a.options, **found.options}
        actions = [moment.action for moment in found.past]
        try:
            seed = f"{self.seed}#{found.number}"
            near = [
                p for p in pauses(self.a.game, agreed, found.seats, seed, actions) if p.after >= len(actions) - _FEW
            ]
        except (BadSetup, RuleError):
            return found
        # The last ones first; but an inner call may come too late, so the outermost before those in it.
        near.reverse()
        for pause in sorted(near, key=lambda pause: len(pause.state.frames))[:_PAUSES]:
            try:
                example = placed(pause.state, agreed, pause.call)
                made = self._tried(example, {**self.b.options, **found.options}, found.past[pause.after :])
            except (CannotSay, BadSetup, RuleError):
                continue
            if made is not None:
                count = sum(line.startswith("when ") for line in made.lines)
                return evolve(found, example=made, decisions=count)
        return found

    def _from(self, options: Mapping[str, Value], moment: Moment, tail: Sequence[Moment]) -> Example | None:
        """The example from the beginning of play, or of the innermost action that begins where the match stood."""
        for call in ("", *reversed(calls(moment.state))):
            try:
                example = placed(moment.state, {**self.a.options, **options}, call)
                first = begun(self.a.rules, example).state
                if not is_same(first, moment.state, exactly=not call):
                    continue
                made = self._tried(example, {**self.b.options, **options}, tail)
            except (CannotSay, BadSetup, RuleError):
                continue
            if made is not None:
                return made
        return None

    def _tried(self, example: Example, options: Mapping[str, Value], tail: Sequence[Moment]) -> Example | None:
        for attempt in range(_TRIES):
            made = self._continued(example, options, tail, attempt)
            if made is not None:
                return made
        return None

    def _continued(
        self, example: Example, options: Mapping[str, Value], tail: Sequence[Moment], attempt: int
    ) -> Example | None:
        """The example with answers until the games part, if the two verdicts on it differ."""
        there = evolve(example, options=options)
        pair = Pair(begun(self.a.rules, example), _begun(self.b.rules, there))
        if len(pair.past) == 0 and pair.parting is None:
            pair = played(pair, Again(tail, attempt), _FEW)
        if pair.parting is None or not pair.parting.holds:
            return None
        lines = [answer_line(each.state, each.action) for each in pair.past]
        made = example.then(*lines, pair.parting.holds)
        there = there.then(*lines, pair.parting.holds)
        return made if passes(self.a.rules, made) and not passes(self.b.rules, there) else None


def _guards(game: Game, side: Side | BadSetup) -> tuple[str, ...]:
    """The clauses of the options, if it is they that do not let a game start."""
    if not isinstance(side, BadSetup) or "the choice of" not in str(side):
        return ()
    return tuple(dict.fromkeys(clause for option in game.options if option.guards for clause in option.cites))


def _start(version: Version, options: Mapping[str, Value], seats: int, seed: str) -> Side | BadSetup:
    try:
        return engine.start(version.game, {**version.options, **options}, seats, seed)
    except (RuleError, BadSetup) as fault:
        return fault


def _begun(rules: Rules, example: Example) -> Side:
    try:
        return begun(rules, example)
    except RuleError as fault:
        return fault


Watch = Callable[[Progress], None]


def difference(
    a: Version, b: Version, seats: Sequence[int], games: int, seed: str, watch: Watch | None = None
) -> Search:
    """Search to the end."""
    search = Search(a, b, seats, games, seed)
    for progress in search.run():
        if watch is not None:
            watch(progress)
    return search
