"""Mutation testing of examples: each number and condition is changed, one at a time, and the examples run.

A change that no example notices (a surviving mutant) is something the
examples do not pin down.  For it a new example is looked for that holds as
the rules are and fails with the change; where none is found, the change may be
one that changes nothing (an equivalent mutant).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rulekit.model import game as model
from rulekit.play.state.setting import Visits
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.match_cache import MatchCache
from rulekit.tools.compare.shrinking import Version
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.examples import runner
from rulekit.tools.examples.expression_mutations import INSERTION
from rulekit.tools.examples.mutation_operators import Edit, Rules, edits, rule_variants
from rulekit.tools.examples.scenario_writer import Example
from rulekit.tools.examples.test_selection import affected, visits_of
from rulekit.values import define, field, frozen

_NEAR = 6
"""So many examples that cite a clause are tried before all."""


@frozen
class Found:
    """What the search for a new example came to, for a change that no example notices.

    example:  a new one that does, tried on both; None where none was found in `games` matches.
    parts:    whether any difference was found, even one that no example can say.
    agreed:   whether all that differs is with which choices and how many players the game may be played.
    """

    example: Example | None
    parts: bool = False
    agreed: bool = False
    games: int = 0


@frozen
class Survivor:
    """A surviving mutant: a change that no example notices, with what was found for it."""

    edit: Edit
    found: Found

    @property
    def example(self) -> Example | None:
        return self.found.example


@define(eq=False)
class MutationTest:
    """All changes of one game, tried one after the other.

    whole:         whether every change is tried, not only a sample.
    left_out:      how many changes are not in the sample.
    tried, wrong:  changes tried, and those that leave no correct game.
    noticed:       changes that an example noticed.
    killed:        by the name of an example, how many changes it noticed first.
    survivors:     the changes that none noticed.
    failures:      the matches of the unchanged rules that failed while examples were looked for.
    """

    rules: Rules
    games: int
    seed: str = "pin"
    propose: bool = True
    only: Sequence[str] = ()
    whole: bool = False
    tried: int = 0
    left_out: int = 0
    wrong: int = 0
    noticed: int = 0
    killed: Counter[str] = field(factory=Counter)
    survivors: list[Survivor] = field(factory=list)
    failures: Failures = Failures()
    _visits: dict[str, Visits] = field(factory=dict, init=False, repr=False)
    _asked: set[int] = field(factory=set, init=False, repr=False)
    _ends: MatchCache | None = field(default=None, init=False, repr=False)

    def changes(self) -> list[Edit]:
        """What is to be tried, in the order of the lines: of clauses of `only` everything, else a sample."""
        found = [
            edit for edit in edits(self.rules, rule_variants) if not self.only or set(self.only) & set(edit.clauses)
        ]
        tried = sample(found) if self._is_sampled else found
        self.left_out = len(found) - len(tried)
        return sorted(tried, key=lambda edit: (edit.span.source, edit.span.line, edit.span.column))

    @property
    def _is_sampled(self) -> bool:
        return not self.only and not self.whole

    def run(self, changes: Sequence[Edit]) -> Iterator[Edit]:
        """Try them; yields each when it is done."""
        self._visits = visits_of(self.rules.game)
        for edit in changes:
            self._try(edit)
            yield edit
        if self._ends is not None:
            self.failures = self._ends.find_failures()

    def join(
        self, tried: int, wrong: int, killed: Mapping[str, int], found: Iterable[Survivor], failures: Failures
    ) -> None:
        """Add what another process did.  All play the same matches of the unchanged rules: the most failures count."""
        self.failures = max(self.failures, failures, key=lambda one: one.failed)
        self.tried, self.wrong = self.tried + tried, self.wrong + wrong
        self.noticed += sum(killed.values())
        self.killed.update(killed)
        self.survivors += found

    def forget(self) -> None:
        """As before the first change."""
        self.tried = self.wrong = self.noticed = 0
        self.killed, self.survivors = Counter(), []

    def _try(self, edit: Edit) -> None:
        mutant = self.rules.put(edit)
        noticed, is_right = self._noticed(edit, mutant)
        changed = mutant.whole() if is_right and noticed is None else None
        if noticed is None and changed is None:
            self.wrong += 1
            return
        self.tried += 1
        if noticed is not None:
            self.noticed += 1
            self.killed[noticed] += 1
        elif changed is not None:
            self.survivors.append(Survivor(edit, self._proposed(changed, edit.span.line)))

    def _noticed(self, edit: Edit, mutant: Rules) -> tuple[str | None, bool]:
        """The first example that notices a change, and whether the changed rules are right as far as they were read.

        Of the examples only those are read that come by where the change may be noticed; those of its clauses are read
        and played before the others.
        """
        bare, game, near = self.rules.bare(), mutant.bare(), self._near(edit)
        assert bare is not None, self.rules.source.name
        if game is None:
            return None, False
        wanted = affected(bare, game, self._visits)
        for names in filter(None, (wanted & near, wanted - near)):
            game = mutant.with_named(names)
            noticed = None if game is None else first_failing(game, names, edit.clauses)
            if game is None or noticed is not None:
                return noticed, game is not None
        return None, True

    def _near(self, edit: Edit) -> set[str]:
        """Some examples that cite the clauses of a change: they are likely to notice it, and quickly read."""
        cited = [each.name for each in self.rules.game.scenarios if set(each.cites) & set(edit.nearest)]
        return set(cited[:_NEAR]) & self._visits.keys()

    def _proposed(self, changed: Rules, line: int) -> Found:
        """An example that tells the changed rules from those as they are; in a sample one for a line."""
        if not self.propose or line in self._asked:
            return Found(None)
        if self._is_sampled:
            self._asked.add(line)
        game = self.rules.game
        seats = tuple(sorted({game.least, min(game.least + 1, game.most), min(game.most, 5)}))
        version, other = Version(self.rules, {}, game), Version(changed, {}, changed.game)
        self._ends = self._ends or MatchCache(version, self.seed)
        search = Search(version, other, seats, self.games, self.seed, ends=self._ends)
        for _ in search.run():
            pass
        found = search.best
        if found is None:
            return Found(None, games=search.compared)
        return Found(found.example, True, found.is_of_the_agreement, search.compared)


def sample(found: Sequence[Edit]) -> list[Edit]:
    """One change of each place, of a number those to either side; none that only adds to a value as a whole.

    Of a place with several that one is taken whose mutation operator was taken least so far.
    """
    places: dict[tuple[str, int, int, str], list[Edit]] = {}
    for edit in found:
        if edit.operator != INSERTION:
            span, number = edit.span, edit.new if edit.old.isdigit() else ""
            places.setdefault((span.source, span.line, span.column, number), []).append(edit)
    taken, met = list[Edit](), Counter[str]()
    for each in places.values():
        taken.append(min(each, key=lambda edit: met[edit.operator]))
        met[taken[-1].operator] += 1
    return taken


def first_failing(game: model.Game, passing: set[str], clauses: Sequence[str]) -> str | None:
    """The first example that no longer passes; those that cite one of these clauses are tried first."""
    wanted = [scenario for scenario in game.scenarios if scenario.name in passing]
    for scenario in sorted(wanted, key=lambda s: not set(s.cites) & set(clauses)):
        if not runner.run(game, scenario).passed:
            return scenario.name
    return None


def by_clause(found: Sequence[Survivor]) -> dict[str, list[Survivor]]:
    """The changes under the nearest clause of each; "" for lines without one."""
    grouped: dict[str, list[Survivor]] = {}
    for each in found:
        grouped.setdefault(each.edit.clauses[0] if each.edit.clauses else "", []).append(each)
    return grouped
