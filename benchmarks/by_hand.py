"""Fuzzy Tiger written by hand in Python: the clauses of `games/fuzzy_tiger.rules`, default readings, any seats.

For measuring and nothing else: no events, no views, no options, no trace.
Seats answer by chance from the streams that `rulekit simulate` gives them,
so that every match ends as the same match does in rulekit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.play.state import counter_rng

MASK = 2**64 - 1
STEP = counter_rng.GOLDEN * counter_rng.TURN & MASK
NOT_SHARED = frozenset((2, 4, 5, 6, 7, 8))
OTHERS = {n: [[other for other in range(n) if other != seat] for seat in range(n)] for n in range(2, 6)}
LIMITS = [0] + [2**64 - 2**64 % n for n in range(1, 10)]


class Ended(Exception):
    """The game is over at once."""


class Match:
    """Positions by seat; hands are lists in the order in which cards came."""

    def __init__(self, keys: Sequence[int]) -> None:
        seats = len(keys)
        self.seats = range(seats)
        self.others = OTHERS.get(seats, [])
        self.chance = [(key + counter_rng.GOLDEN) & MASK for key in keys]
        self.decisions = 0
        self.monkey = [6] * seats
        self.score = [0] * seats
        self.harm = [0] * seats
        self.sheltered = [False] * seats
        self.hand = [[1, 2, 3, 4, 5, 6, 7, 8, 9] for _ in self.seats]
        self.spent: list[list[int]] = [[] for _ in self.seats]
        self.played = [0] * seats
        self.tiger = 6
        self.timer: int | None = None

    def below(self, seat: int, n: int) -> int:
        """An answer by chance; each decision of a seat has outputs of its own."""
        self.decisions += 1
        start = z = self.chance[seat]
        self.chance[seat] = (start + STEP) & MASK
        while True:
            z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
            z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
            z ^= z >> 31
            if z < LIMITS[n]:
                return z % n
            start = z = (start + counter_rng.GOLDEN) & MASK

    def play(self) -> None:
        try:
            while True:
                self.round()
        except Ended:
            pass

    def round(self) -> None:
        played = self.played
        for seat in self.seats:
            hand = self.hand[seat]
            played[seat] = hand.pop(self.below(seat, len(hand)))
            self.sheltered[seat] = False
        for card in sorted(set(played)):
            owners = [seat for seat in self.seats if played[seat] == card]
            if len(owners) > 1 and card in NOT_SHARED:
                continue
            if self.act(card, owners):
                break
        for seat in self.seats:
            if played[seat] != 9:
                self.spent[seat].append(played[seat])

    def act(self, card: int, owners: list[int]) -> bool:
        """Whether the tiger woke."""
        monkey = self.monkey
        self.instructions(card, owners)
        if self.tiger < 1:
            return self.wake(card)
        for seat in owners:
            if monkey[seat] == 0:
                monkey[seat] = 5
        near = [seat for seat in owners if 1 <= monkey[seat] <= 2]
        if near:
            if len(near) > 1:
                near.sort(key=monkey.__getitem__)
            if card != 2:
                for seat in near:
                    taken = 3 - monkey[seat]
                    self.score[seat] += taken
                    self.tiger -= taken
                    if self.tiger < 1:
                        return self.wake(card)
            if card != 1:
                for seat in near:
                    monkey[seat] = 5 if monkey[seat] == 2 else 6
        for seat in self.seats:
            if monkey[seat] == 0:
                monkey[seat] = 5
        return False

    def instructions(self, card: int, owners: list[int]) -> None:
        seat = owners[0]
        if card == 9:
            for seat in owners:
                self.take_back(seat)
        elif card == 6:
            self.nearer(seat, 3)
        elif card == 5:
            self.nearer(seat, 1 + self.below(seat, 2))
        elif card == 4:
            if self.below(seat, 2):
                self.put(seat, 3)
            else:
                self.nearer(seat, 2)
        elif card == 8:
            others = self.others[seat]
            other = others[self.below(seat, len(others))] if len(others) > 1 else others[0]
            self.monkey[seat], self.monkey[other] = self.monkey[other], self.monkey[seat]
        elif card == 7:
            self.nearer(seat, 4)
            self.tiger -= 1
        elif card == 2:
            self.nearer(seat, 1)
            self.tiger = 6
        elif card == 3:
            if len(owners) == 1:
                self.nearer(seat, 2)
            self.tiger -= 2 * len(owners)
        else:
            if len(owners) == 1:
                self.nearer(seat, 1)
            for seat in owners:
                self.sheltered[seat] = True

    def nearer(self, seat: int, steps: int) -> None:
        self.put(seat, max(0, self.monkey[seat] - steps))

    def put(self, seat: int, space: int) -> None:
        """Who stands on 1 to 4 is pushed one nearer, and so on down the line."""
        monkey = self.monkey
        while 1 <= space <= 4:
            monkey[seat] = -1
            if space not in monkey:
                break
            pushed = monkey.index(space)
            monkey[seat] = space
            seat, space = pushed, space - 1
        monkey[seat] = space

    def take_back(self, seat: int) -> None:
        self.hand[seat] += self.spent[seat]
        self.hand[seat].append(9)
        self.spent[seat].clear()

    def wake(self, card: int) -> bool:
        monkey, harm = self.monkey, self.harm
        near = [monkey[seat] for seat in self.seats if not self.sheltered[seat] and monkey[seat] <= 4]
        if near:
            nearest = min(near)
            for seat in self.seats:
                if monkey[seat] == nearest and not self.sheltered[seat]:
                    harm[seat] += 2
        farthest = max(monkey)
        if monkey.count(farthest) == 1:
            harm[monkey.index(farthest)] += 1
        if self.timer is not None and max(self.score) >= self.timer:
            raise Ended
        self.monkey = [6] * len(monkey)
        self.tiger = 6
        self.timer = 15 if self.timer is None else self.timer - 1
        if card != 9:
            for seat in self.seats:
                if self.played[seat] == 9:
                    self.take_back(seat)
        return True

    def places(self) -> list[int | None]:
        """By seat, from 1; None for who is defeated."""
        worst = max(self.harm)
        left = [seat for seat in self.seats if self.harm[seat] < worst] or list(self.seats)
        marks = {seat: (self.harm[seat] - self.score[seat], self.monkey[seat]) for seat in left}
        ordered = sorted(set(marks.values()))
        return [1 + ordered.index(marks[seat]) if seat in marks else None for seat in self.seats]


def matches(names: Sequence[str], seed: int, first: int, count: int) -> Iterator[Match]:
    """Matches of a series, played to their ends."""
    numbers = [counter_rng.stream_number(f"bot:{name}") for name in names]
    for index in range(first, first + count):
        number = counter_rng.output(seed, index)
        match = Match([counter_rng.splitmix64((number + stream) & MASK) for stream in numbers])
        match.play()
        yield match
