"""The schema of a series: which of its sums stands where, and under which name.

Nothing here needs the game, so that a series that was compiled before is told
without reading its rules again.
"""

from __future__ import annotations

from bisect import bisect_right

from rulekit.values import frozen

ENTRY = 9
"""Sums of an entry: times; matches; seats; seats that won; then T, T*T, U, U*U, T*U, see `aggregation`."""
QUESTION = 3
"""Sums of a question: times, options, most options."""
MEASURE = 4
"""Sums of a measure: values, squares, least, most; then a count for each bin."""
WIN = 232_792_560
"""A win, where parts of wins are summed: all numbers up to 22 divide it, so k winners have a k-th each."""
OFTEN = 1000
"""More than so many times count as so many where products are summed."""
LEAST, MOST = 2**60, -(2**60)
"""What the least and the most of no numbers are."""


def _edges() -> tuple[int, ...]:
    """Small numbers have a bin each; further up bins grow with the numbers, to about a thirtieth of them."""
    made = [*range(-LEAST_BIN, -64, 32), *range(-64, 128)]
    for octave in range(7, 12):
        made += range(1 << octave, 2 << octave, 1 << (octave - 5))
    return (*made, 4096)


LEAST_BIN = 1024
EDGES = _edges()
"""The least number of each bin; what is less than all is in the first one."""


def binned(value: int) -> int:
    """The bin of a value."""
    return max(0, bisect_right(EDGES, value) - 1)


@frozen
class Question:
    """rule, line: where it is asked."""

    name: str
    rule: str
    line: int


@frozen
class Group:
    """Things that may come up, each an entry of its own.

    kind:    answer (to a question), space (held by a piece when its owner decides) or rule.
    line:    of answers and spaces; 0 for rules.
    owned:   by entry, whether it is somebody's: a rule is, if it is what a card does for its owner.
    named:   whether these are answers that the rules name one by one: cards and labelled ways.
    barred:  places of labels that the rules never offer.
    """

    kind: str
    name: str
    line: int
    labels: tuple[str, ...]
    owned: tuple[bool, ...]
    named: bool = False
    barred: tuple[int, ...] = ()


@frozen
class Schema:
    """What a series sums up, by which names, and where each sum stands.

    players:      how many are counted for, the first seats; seats: names of all that have a place at the end.
    measures:     names of the numbers that every match comes to, with the seat that each belongs to.
    figures:      how many of these, the last ones, are counters and places on tracks.
    begins:       whether the rules say who begins, so that this need not be the first seat.
    teams:        the seats of each team; () where everybody plays alone.
    tallies:      how many numbers of every match are summed alone, the last of all sums.
    together:     the measure that all reach together, with the most that it can be; None where each is for itself.
    reached_word: the word of a position that holds this measure.
    """

    title: str
    author: str
    seats: tuple[str, ...]
    players: int
    measures: tuple[tuple[str, int | None], ...]
    figures: int
    questions: tuple[Question, ...]
    groups: tuple[Group, ...]
    begins: bool = False
    teams: tuple[tuple[int, ...], ...] = ()
    together: tuple[str, int] | None = None
    tallies: int = 0
    reached_word: int | None = None

    @property
    def row_words(self) -> tuple[int, ...]:
        """The words that a report needs from every single match, since their sums do not suffice."""
        return () if self.reached_word is None else (self.reached_word,)

    @property
    def sides(self) -> tuple[tuple[str, int], ...]:
        """Who wins or loses as one: the names of the seats of each team, or of each seat, and the first of them."""
        alone = [seat for seat in range(self.everyone) if not any(seat in team for team in self.teams)]
        teams = sorted([*self.teams, *((seat,) for seat in alone)])
        return tuple((" + ".join(self.seats[seat] for seat in team), team[0]) for team in teams)

    @property
    def everyone(self) -> int:
        return len(self.seats)

    @property
    def own(self) -> tuple[tuple[str, int | None], ...]:
        """The measures that the game itself names; those before them every game has."""
        return self.measures[len(self.measures) - self.figures :]

    @property
    def entries(self) -> int:
        return sum(len(group.labels) for group in self.groups)

    # ------------------------------------------------------------ where sums begin; first come the places by seat

    @property
    def first_win(self) -> int:
        """Behind the places: wins alone and wins shared by seat, ties, matches that nobody won."""
        return self.everyone * (self.everyone + 1)

    @property
    def first_part(self) -> int:
        """Behind the wins: by seat the parts of wins, in units of which `WIN` are one, then wins of who began."""
        return self.first_win + 2 * self.everyone + 2

    @property
    def first_measure(self) -> int:
        return self.first_part + self.everyone + 1

    @property
    def first_question(self) -> int:
        return self.first_measure + len(self.measures) * (MEASURE + len(EDGES))

    @property
    def first_entry(self) -> int:
        return self.first_question + len(self.questions) * QUESTION

    @property
    def first_tally(self) -> int:
        return self.first_entry + ENTRY * self.entries

    @property
    def size(self) -> int:
        return self.first_tally + self.tallies

    def ends(self) -> dict[int, bool]:
        """The sums that are no sums: a least (False) or a most (True)."""
        found: dict[int, bool] = {}
        for number in range(len(self.measures)):
            first = self.first_measure + number * (MEASURE + len(EDGES))
            found |= {first + 2: False, first + 3: True}
        for number in range(len(self.questions)):
            found[self.first_question + QUESTION * number + 2] = True
        return found

    def cells(self) -> list[int]:
        """The sums of no match."""
        made = [0] * self.size
        for place, most in self.ends().items():
            made[place] = MOST if most else LEAST
        return made

    def add(self, into: list[int], more: list[int]) -> None:
        """Sums of other matches come to these."""
        ends = {place: (into[place], more[place]) for place in self.ends()}
        into[:] = [one + other for one, other in zip(into, more, strict=True)]
        for place, most in self.ends().items():
            into[place] = (max if most else min)(ends[place])
