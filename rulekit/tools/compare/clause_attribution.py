"""Clause attribution: which part of the rules makes two games diverge, and the clauses of that part.

What differs is known from the two texts; which of it decided is proved by
taking it back: without it the two no longer part where they did.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest

from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup
from rulekit.source import Span
from rulekit.tools.compare.differential_execution import Pair
from rulekit.tools.compare.divergence import Side
from rulekit.tools.compare.shrinking import Difference, Version, match_start
from rulekit.tools.structure.clause_relevance import nearest_clauses
from rulekit.tools.structure.structural_difference import Hunk, structural_difference, taken_back
from rulekit.values import define, frozen


@frozen
class Change:
    """A part of the rules that makes two games diverge.

    here, there:  where it stands in the first and in the second; None where one has none.
    clauses:      the nearest first; none where no clause covers it.
    """

    here: Span | None
    there: Span | None
    clauses: tuple[str, ...]


def changes_behind(
    a: Version, b: Version, found: Difference, seed: str, in_time: Callable[[], bool]
) -> tuple[Change, ...]:
    """What differs between two rules files and makes them part as they do; all that differs, if nothing can be proved.

    What decided where they part comes first.
    seed:     of the match in which they do.
    in_time:  whether more changes may be taken back to see what they do.
    """
    hunks = structural_difference(a.rules.declarations, b.rules.declarations)
    acted = dict.fromkeys(clause for side in found.clauses for clause in side)
    changes = {id(hunk): _change(hunk, a.game, b.game, acted) for hunk in hunks}
    order = list(acted)
    hunks.sort(key=lambda hunk: _place(order, changes[id(hunk)]))
    if len(hunks) > 1:
        hunks = _Proof(a, b, found, seed, in_time).of(hunks)
    return tuple(changes[id(hunk)] for hunk in hunks)


def named_first(changes: Iterable[Change], game: Game, acted: Sequence[str]) -> tuple[str, ...]:
    """The clauses of what differs, as far as a game has them, then those that acted."""
    nearest = zip_longest(*(change.clauses for change in changes))
    named = [clause for level in nearest for clause in level if clause is not None and clause in game.clauses]
    return tuple(dict.fromkeys([*named, *acted]))


def _change(hunk: Hunk, a: Game, b: Game, acted: Mapping[str, None]) -> Change:
    here, there = (sites[0].span if sites else None for sites in (hunk.here, hunk.there))
    return Change(here, there, nearest_clauses(hunk, (a, b), acted))


def _place(order: Sequence[str], change: Change) -> int:
    """How near to what happened a change is: the place of the first of its nearest clauses among those that acted."""
    return min((order.index(clause) for clause in change.clauses[:2] if clause in order), default=len(order))


@define(eq=False)
class _Proof:
    """Takes changes back in the second game, and looks whether the two still part where they did."""

    a: Version
    b: Version
    found: Difference
    seed: str
    in_time: Callable[[], bool]

    def of(self, hunks: list[Hunk]) -> list[Hunk]:
        """Those without which there is no difference; else those that make one alone; else all."""
        needed = [hunk for hunk in hunks if self.in_time() and self._is_gone([hunk])]
        return needed or [hunk for hunk in hunks if self.in_time() and self._is_enough(hunk, hunks)] or hunks

    def _is_enough(self, hunk: Hunk, hunks: list[Hunk]) -> bool:
        """Whether they part as well if nothing else differs."""
        pair = self._without([one for one in hunks if one is not hunk])
        return pair is not None and not self._agree(pair)

    def _is_gone(self, hunks: list[Hunk]) -> bool:
        """Whether the same decisions lead to no difference without these changes; no, where that is no game."""
        pair = self._without(hunks)
        return pair is not None and self._agree(pair)

    def _without(self, hunks: list[Hunk]) -> tuple[Side | BadSetup, Side | BadSetup] | None:
        """The beginning of the match in the first game, and in the second without these changes."""
        game = self.b.rules.resolved(taken_back(self.b.rules.declarations, hunks))
        if game is None:
            return None
        other = Version(self.b.rules, self.b.options, game)
        begun = [match_start(version, self.found.options, self.found.seats, self.seed) for version in (self.a, other)]
        return begun[0], begun[1]

    def _agree(self, begun: tuple[Side | BadSetup, Side | BadSetup]) -> bool:
        """Whether the match goes on to its last decision, and nothing differs."""
        one, other = begun
        if isinstance(one, BadSetup) or isinstance(other, BadSetup):
            return isinstance(one, BadSetup) and isinstance(other, BadSetup)
        pair = Pair(one, other, listening=self.found.is_only_heard)
        for moment in self.found.past:
            if pair.is_over or not pair.takes(moment.action):
                return False
            pair.act(moment.action)
        return pair.divergence is None
