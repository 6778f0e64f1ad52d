"""Aggregated statistics of a series: exact sums over matches, and the estimates with intervals that follow from them.

Sums of several pieces of a series add up, so that it does not matter how it was cut.
Reads the cells by the schema of the counters alone; needs neither game nor engine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulekit.compiler.lower.counting.schema import EDGES, ENTRY, MEASURE, QUESTION, WIN, Group, Question, Schema
from rulekit.tools.estimation.confidence_intervals import UNKNOWN, Estimate, deviation, mean, ratio, share, slope
from rulekit.tools.estimation.histogram import HistogramBin, bins_of_edges, bins_of_values
from rulekit.values import define, evolve, field, frozen


@frozen
class Measure:
    """A number of every match, summed up.

    seat:   whose it is, or None.  bins: how often it lay in each bin of `EDGES`.
    """

    name: str
    seat: int | None
    total: int
    squares: int
    least: int
    most: int
    bins: tuple[int, ...] = field(repr=False)

    @property
    def count(self) -> int:
        return sum(self.bins)

    def mean(self) -> Estimate:
        """Source: the normal approximation; matches are independent of each other."""
        return mean(self.count, self.total, self.squares)

    def deviation(self) -> float:
        return deviation(self.count, self.total, self.squares)

    def shown(self) -> Iterator[tuple[int, int]]:
        """The least number and the count of each bin between the least and the most, as JSON had them first."""
        used = [place for place, count in enumerate(self.bins) if count]
        for place in range(used[0], used[-1] + 1) if used else ():
            yield EDGES[place], self.bins[place]


@frozen
class QuestionTally:
    """A question: how often it was asked, how many options it had in all and at most."""

    question: Question
    times: int
    options: int
    most: int


@frozen
class Occurrence:
    """Something that can come up in a match: one label of a `Group`.

    times, matches:  how often, and in how many matches.
    seats, wins:     in how many matches of how many seats, and how many of these won.
    effect:          what doing it once more than the others, in one match, adds to the chance of winning;
                     a ratio estimate, or a regression slope where there is one player.
    """

    kind: str
    group: str
    label: str
    line: int
    owned: bool
    times: int
    matches: int
    seats: int
    wins: int
    effect: Estimate

    @property
    def name(self) -> str:
        return self.label if self.kind == "rule" else f"{self.group}: {self.label}"

    @property
    def share(self) -> Estimate:
        """The share of wins of those who did it at all."""
        return share(self.wins, self.seats)


@define
class Tally:
    """Sums over matches, in whatever pieces they come.

    unfinished:  index and status of matches that the rules did not bring to an end.
    bot_wins:    by bot the wins of all its seats, where bots change seats.
    reached:     how often all reached each value together, of the matches whose rows state it.
    """

    sheet: Schema
    games: int = 0
    unfinished: list[tuple[int, int]] = field(factory=list)
    bot_wins: Counter[str] = field(factory=Counter)
    reached: Counter[int] = field(factory=Counter)
    cells: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.cells = self.sheet.cells()

    def add(self, first: int, rows: list[tuple[int, ...]], sums: list[int], row_words: tuple[int, ...] = ()) -> None:
        """Add the matches from `first` on.

        rows:       each begins with the status and the number of decisions.
        row_words:  the words of the position whose values follow in each row.
        """
        self.games += len(rows)
        self.unfinished += [(first + place, row[0]) for place, row in enumerate(rows) if row[0]]
        self.sheet.add(self.cells, sums)
        if self.sheet.reached_word in row_words:
            place = 2 + row_words.index(self.sheet.reached_word)
            self.reached.update(row[place] for row in rows if not row[0])

    def count_bot_wins(self, bots: tuple[str, ...], index: int, winners: tuple[int, ...]) -> None:
        """Count a win for the bots on the seats that won; bots rotate, one seat further on in each match."""
        for seat in winners:
            if seat < len(bots):
                self.bot_wins[bots[(seat - index) % len(bots)]] += 1

    @property
    def finished(self) -> int:
        return self.games - len(self.unfinished)

    # ------------------------------------------------------------ wins

    def _win(self, place: int) -> int:
        return self.cells[self.sheet.first_win + place]

    def won(self, seat: int) -> int:
        """Matches that a seat won alone."""
        return self._win(seat)

    def shared(self, seat: int) -> int:
        """Matches that it won together with others."""
        return self._win(self.sheet.everyone + seat)

    @property
    def ties(self) -> int:
        """Matches that several seats won together."""
        return self._win(2 * self.sheet.everyone)

    @property
    def nobody(self) -> int:
        """Matches that nobody won."""
        return self._win(2 * self.sheet.everyone + 1)

    def wins(self, seat: int) -> Estimate:
        """The share of matches that a seat won, alone or with others."""
        return share(self.won(seat) + self.shared(seat), self.finished)

    def parts(self, seat: int) -> float:
        """How many wins a seat has come to, where those who win together have equal parts of the win."""
        return self.cells[self.sheet.first_part + seat] / WIN

    def beginner_wins(self) -> Estimate:
        """The share of matches that who began has won, alone or with others."""
        return share(self.cells[self.sheet.first_part + self.sheet.everyone], self.finished)

    def places(self, seat: int) -> dict[int | None, int]:
        """How often it came to each place; None: was defeated."""
        width = self.sheet.everyone + 1
        first = seat * width
        found = enumerate(self.cells[first : first + width])
        return {place or None: count for place, count in found if count}

    # ------------------------------------------------------------ numbers, questions, what came up

    def measures(self) -> list[Measure]:
        made = []
        for number, (name, seat) in enumerate(self.sheet.measures):
            first = self.sheet.first_measure + number * (MEASURE + len(EDGES))
            total, squares, least, most = self.cells[first : first + MEASURE]
            bins = tuple(self.cells[first + MEASURE : first + MEASURE + len(EDGES)])
            made.append(Measure(name, seat, total, squares, least, most, bins))
        return made

    def histogram(self, measure: Measure) -> list[HistogramBin]:
        """Return how the values of a measure are distributed; every bin holds at least one match."""
        is_reached = self.sheet.together is not None and (measure.name, measure.seat) == (self.sheet.together[0], None)
        if is_reached and self.reached.total() == measure.count:
            return bins_of_values(self.reached)
        return bins_of_edges(measure.bins, measure.least, measure.most)

    def general(self) -> list[Measure]:
        """The measures that every game has."""
        return self.measures()[: -self.sheet.figures or None]

    def own(self) -> list[Measure]:
        """Those that the game itself names: counters and places on tracks."""
        return self.measures()[len(self.general()) :]

    def measure(self, name: str) -> Measure | None:
        return next((one for one in self.general() if one.name == name), None)

    def questions(self) -> list[QuestionTally]:
        made = []
        for number, one in enumerate(self.sheet.questions):
            first = self.sheet.first_question + QUESTION * number
            made.append(QuestionTally(one, *self.cells[first : first + QUESTION]))
        return made

    def occurrences(self) -> list[Occurrence]:
        """All that came up at all."""
        found, first = [], self.sheet.first_entry
        names = [(group.kind, group.name) for group in self.sheet.groups]
        for known in self.sheet.groups:
            alone = names.count((known.kind, known.name)) == 1
            group = known if alone else evolve(known, name=f"{known.name} (line {known.line})")
            for label, owned in zip(group.labels, group.owned, strict=True):
                if self.cells[first]:
                    found.append(self._occurrence(group, label, owned, self.cells[first : first + ENTRY]))
                first += ENTRY
        return found

    def never_chosen(self) -> list[str]:
        """Cards and ways that nobody ever chose, though they can be offered and others there were chosen."""
        found, first = [], self.sheet.first_entry
        for group in self.sheet.groups:
            times = [self.cells[first + ENTRY * place] for place in range(len(group.labels))]
            first += ENTRY * len(group.labels)
            if group.named and any(times):
                # The last label is for nothing.
                counted = enumerate(zip(group.labels[:-1], times, strict=False))
                found += [
                    f"{group.name}: {name}"
                    for place, (name, count) in counted
                    if not count and place not in group.barred
                ]
        return found

    def _occurrence(self, group: Group, label: str, owned: bool, sums: list[int]) -> Occurrence:
        times, matches, seats, wins, *products = sums
        effect = self._effect(times, *products) if owned else UNKNOWN
        return Occurrence(group.kind, group.name, label, group.line, owned, times, matches, seats, wins, effect)

    def _effect(self, times: int, t: int, tt: int, u: int, uu: int, tu: int) -> Estimate:
        if self.sheet.players == 1:
            return slope(self.finished, times, uu, t, self.won(0))
        return ratio(t, tt, u, uu, tu)
