"""Instrumentation of the reference engine: counts in each match, and sums over a series, exactly as compiled plans do.

What is counted and where it stands says `Counters` of the compiler, so that
the sums of all engines can be compared cell by cell.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit.compiler.lower.counting.counters import Counters, Group
from rulekit.compiler.lower.counting.schema import EDGES, ENTRY, MEASURE, OFTEN, QUESTION, WIN, binned
from rulekit.compiler.lower.storage.layout import encoded
from rulekit.compiler.plan.ir import LARGEST, NONE
from rulekit.model.game import Tally
from rulekit.model.ops import Rank
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine
from rulekit.play.state.errors import RuleError
from rulekit.values import define, field


def places_of(ranks: list[int], defeated: list[int]) -> list[int | None]:
    """The places by seat, from 1: who was not ranked stands behind all who were; None for the defeated."""
    last = max(0, *ranks) + 1
    each = zip(ranks, defeated, strict=True)
    return [None if lost != NONE else last if rank == NONE else rank for rank, lost in each]


@define(eq=False)
class Observer:
    """Counters of the match at hand, and sums over the series.

    words:  of the match at hand, as in a plan's storage; those before `Counters.entries` are filled at its end.

    asked, answers:  by code and place, the word of a question and the group of its answers.
    """

    counters: Counters
    words: list[int] = field(init=False)
    sums: list[int] = field(init=False)
    ends: dict[int, bool] = field(init=False)
    asked: dict[tuple[int, int], int] = field(init=False)
    answers: dict[tuple[int, int], Group] = field(init=False)
    spaces: list[Group] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.begin_match()
        self.ends = self.counters.sheet.ends()
        groups = self.counters.groups
        self.asked = {one.op: one.word for one in self.counters.questions}
        self.answers = {one.op: one for one in groups if one.told.kind == "answer"}
        self.spaces = [one for one in groups if one.told.kind == "space"]
        self.sums = self.counters.sheet.cells()

    def begin_match(self) -> None:
        self.words = list(self.counters.storage.words)

    def take_sums(self) -> list[int]:
        """The sums since this was last asked."""
        found, self.sums = self.sums, self.counters.sheet.cells()
        return found

    # ------------------------------------------------------------ in a match

    def entered(self, m: Machine, code: int, args: list[Any]) -> None:
        """A rule begins to run."""
        counters = self.counters
        group = counters.groups[-1]
        if code in group.domain.numbers:
            place = group.domain.numbers.index(code)
            if not group.told.owned[place]:
                self._up(counters.entries + (group.first + place) * counters.seats)
            elif isinstance(args[0], int) and 0 <= args[0] < counters.seats:
                self._up(counters.entries + (group.first + place) * counters.seats + args[0])

    def round_begun(self, m: Machine) -> Callable[[], None]:
        """Count a round that begins; returns what takes that back."""
        counters = self.counters
        counted = (counters.rounds, counters.began, counters.leader, counters.changes)
        before = [self.words[word] for word in counted]
        self._up(counters.rounds)
        if self.words[counters.began] == NONE:
            self.words[counters.began] = m.starter
        self.update_leader(m)

        def take_back() -> None:
            for word, value in zip(counted, before, strict=True):
                self.words[word] = value

        return take_back

    def update_leader(self, m: Machine) -> None:
        """Note who leads now, if it is one alone, and whether the lead changed."""
        found = self.standings(m)
        best = max(found, default=0)
        if found.count(best) != 1:
            return
        who, last = found.index(best), self.words[self.counters.leader]
        if last not in (NONE, who):
            self._up(self.counters.changes)
        self.words[self.counters.leader] = who

    def standings(self, m: Machine) -> list[int]:
        """What the players are ranked by, by seat: more is better; `NONE` where it cannot be evaluated."""
        standing = self.counters.ranking_key
        if standing is None:
            return []
        saved, m.elements = m.elements, m.fresh_elements()
        made = []
        for seat in range(self.counters.seats):
            m.elements[standing.slot] = seat
            made.append(_standing(m, standing))
        m.elements = saved
        return made

    def answered(
        self, values: Sequence[Any], op: tuple[int, int], seat: int, options: Sequence[Any], chosen: Sequence[Any]
    ) -> None:
        """A question is about to be answered with these options.  op: the code and the place of the question."""
        size, words = len(options), self.words
        word = self.asked.get(op)
        if word is not None:
            words[word] += 1
            words[word + 1] += size
            words[word + 2] = max(words[word + 2], size)
        group = self.answers.get(op)
        if group is not None:
            for value in chosen:
                self._came(group, encoded(value), seat)
        for held in self.spaces:
            self._held(held, seat, values)

    def _held(self, group: Group, seat: int, values: Sequence[Any]) -> None:
        setting = self.counters.storage.setting
        variable = setting.game.variables[group.op[0]]
        first = setting.piece_first[group.op[0]] + (seat * variable.count if variable.owner else 0)
        for piece in range(first, first + variable.count):
            self._came(group, encoded(values[setting.piece_slot[piece]]), seat)

    def _came(self, group: Group, value: int, seat: int) -> None:
        entry = group.first + group.domain.entry(self.counters.storage, value)
        self._up(self.counters.entries + entry * self.counters.seats + seat)

    def _up(self, word: int) -> None:
        self.words[word] += 1

    # ------------------------------------------------------------ behind a match

    def gathered(self, end: Machine, words: list[int], decisions: int) -> None:
        """Add up a match that came to its end.  words: of its last position."""
        counters = self.counters
        self.words[: counters.entries] = words[: counters.entries]
        won = self._places()
        self._measures(end, decisions)
        for number, question in enumerate(counters.questions):
            self._sum(
                counters.sheet.first_question + QUESTION * number, self.words[question.word : question.word + QUESTION]
            )
        tallies = counters.storage.setting.game.tallies
        self._sum(counters.sheet.first_tally, [self._tallied(one) for one in tallies])
        for entry in range(counters.size):
            at = counters.entries + entry * counters.seats
            times = self.words[at : at + counters.seats]
            if any(times):
                self._sum(counters.sheet.first_entry + ENTRY * entry, _products(times, won))

    def _tallied(self, tally: Tally) -> int:
        held = [self.words[word] for word in self.counters.tallied(tally)]
        return max(held, default=0) if tally.is_any else sum(held)

    def _sum(self, first: int, values: list[int]) -> None:
        for place, value in enumerate(values, first):
            old = self.sums[place]
            self.sums[place] = old + value if place not in self.ends else (max if self.ends[place] else min)(old, value)

    def _places(self) -> list[int]:
        counters, everyone = self.counters, self.counters.everyone
        storage = counters.storage
        ranks = self.words[storage.rank : storage.rank + everyone]
        places = places_of(ranks, self.words[storage.defeated : storage.defeated + everyone])
        won = [int(place == 1) for place in places]
        setting = storage.setting
        teams = sum(one for seat, one in enumerate(won) if seat == setting.team_of(seat)[0])
        alone = teams == 1
        for seat, place in enumerate(places):
            self._sum(seat * (everyone + 1) + (place or 0), [1])
        wins = [one * alone for one in won] + [one * (not alone) for one in won]
        self._sum(counters.sheet.first_win, [*wins, int(teams > 1), int(teams == 0)])
        noted = self.words[counters.began]
        began = self.words[storage.starter] if noted == NONE else noted
        parts = [one * (WIN // max(1, teams)) for one in won]
        self._sum(counters.sheet.first_part, [*parts, won[began]])
        return won[: counters.seats]

    def _measures(self, end: Machine, decisions: int) -> None:
        counters = self.counters
        values = [decisions]
        if counters.round_start is not None:
            values.append(self.words[counters.rounds])
        if counters.ranking_key is not None:
            found = self.standings(end)
            if counters.round_start is not None:
                self.update_leader(end)
            known = min(found) != NONE and max(found) != LARGEST
            values += [self.words[counters.changes], max(found) - min(found) if known else NONE]
        values += [self.words[figure.word] for figure in counters.figures]
        for number, value in enumerate(values):
            if value != NONE:
                first = counters.sheet.first_measure + number * (MEASURE + len(EDGES))
                self._sum(first, [value, value * value, value, value])
                self._sum(first + MEASURE + binned(value), [1])


def _standing(m: Machine, ranks: Rank) -> int:
    key, lowest = ranks.keys[0]
    try:
        value = encoded(evaluate(m, key))
    except RuleError:
        return NONE
    return -value if lowest else value


def _products(times: list[int], won: list[int]) -> list[int]:
    """What is summed for an entry: the same products as in the aggregation of a plan."""
    few = [min(k, OFTEN) for k in times]
    count, total = len(few), sum(few)
    t, u = sum(k * w for k, w in zip(few, won, strict=True)), total
    if count > 1:
        t = count * t - total * sum(won)
        u = count * sum(k * k for k in few) - total * total
    did = [int(k > 0) for k in times]
    wins = sum(one * w for one, w in zip(did, won, strict=True))
    return [sum(times), 1, sum(did), wins, t, t * t, u, u * u, t * u]
