"""What the Python of a plan calls: decisions, chance, tries and guards.

Answers by chance are written into the Python itself where one thing is asked
for; it comes here for several, and for anything if a hook answers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from typing import Any

from attrs import Factory, define, field

from rulekit import limits
from rulekit.compiler.plan import ir as p
from rulekit.compiler.python.chance import Budget, Seat, Stream
from rulekit.play.state import counter_rng

Function = Callable[..., Any]
Position = tuple[list[int], list[list[int]]]
"""Words and lists."""
Hook = Callable[[int, int, tuple[int, ...], int, int], int | tuple[int, ...]]
"""An `Answer` without the machine."""


class Unwound(Exception):
    """Leaves all functions up to one that catches the status, which is all that it is made with."""

    @property
    def status(self) -> int:
        return int(self.args[0])


class Broken(Exception):
    """Ends the whole run from inside a try, whoever catches the status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


@define(eq=False)
class Storage:
    """The position.  The lists keep their identity, so that the Python of a plan can name them."""

    words: list[int]
    lists: list[list[int]]

    def position(self) -> Position:
        return self.words[:], [one[:] for one in self.lists]

    def restore(self, words: list[int], lists: list[list[int]], kept: int = 0) -> None:
        """As it was, but for the first words that are `kept`."""
        self.words[kept:] = words[kept:]
        for own, saved in zip(self.lists, lists, strict=True):
            if own != saved:
                own[:] = saved


@define(eq=False)
class Guard:
    """A bounding function at work: what it remembers, and from which answer on."""

    function: Function
    args: tuple[Any, ...]
    position: Position
    first: int
    live: bool = False


@define(eq=False)
class Exploring:
    """Answers in a try: those given, then the first ways on, each with those still to come.  at: how many are taken."""

    given: Sequence[Any] = ()
    ways: list[tuple[Any, Iterator[Any]]] = Factory(list)
    at: int = 0

    def answer(self, answers: Iterable[Any]) -> Any:
        at, self.at = self.at, self.at + 1
        if at < len(self.given):
            return self.given[at]
        at -= len(self.given)
        if at == len(self.ways):
            rest = iter(answers)
            self.ways.append((next(rest), rest))
        return self.ways[at][0]

    def is_given(self) -> bool:
        """Whether some answer is still given again."""
        return self.at < len(self.given)

    def goes_on(self) -> bool:
        """Turn to the next line of answers, if there is one."""
        self.at = 0
        while self.ways:
            _, rest = self.ways.pop()
            for way in rest:
                self.ways.append((way, rest))
                return True
        return False


@define(eq=False)
class Run:
    """One match at work.

    space:   the globals of the plan's Python.  There stand `trying`, `ticks`, `asked` (how many decisions), `guards`,
             `log` (the answers since the outermost bounding function began) and `CHANCE` (for each seat its answers).
    """

    plan: p.Plan
    storage: Storage
    space: dict[str, Any]
    first: Position = field(init=False)
    hook: Hook | None = None
    streams: list[Stream] = Factory(list)
    seats: list[Seat] = Factory(list)
    budget: Budget = Factory(lambda: Budget(0))
    guards: list[Guard] = Factory(list)
    log: list[Any] = Factory(list)
    exploring: Exploring = field(factory=Exploring)

    def __attrs_post_init__(self) -> None:
        self.first = list(self.plan.words), [list(one) for one in self.plan.lists]
        self.space |= {"find": find, "sort": sort, "Unwound": Unwound}
        for name in ("draw", "explore", "ask", "ask_several", "note", "attempt", "begin", "end", "feasible"):
            self.space[name] = getattr(self, name)
        self.space |= {"guards": self.guards, "log": self.log}

    def start(self, seed: int, hook: Hook | None) -> None:
        self.storage.restore(*self.first)
        self.hook = hook
        self.guards.clear()
        self.log.clear()
        self.streams = [Stream(counter_rng.stream_key(seed, stream)) for stream in self.plan.streams]
        self.space.update(trying=False, ticks=0, work=0, asked=0)
        if hook is None:
            self._seat(seed)

    def _seat(self, seed: int) -> None:
        names = self.plan.names[: self.plan.seats]
        keys = [counter_rng.stream_key(seed, f"bot:{name}") for name in names]
        if not self.seats or self.budget.is_spent:
            self.budget = Budget(limits.DECISIONS)
            self.seats = self.budget.seats = [Seat(0, 32, self.budget) for _ in names]
            turns = [seat.turns() for seat in self.seats]
            self.space |= {"CHANCE": turns} | {f"CHANCE{number}": one for number, one in enumerate(turns)}
        for seat, key in zip(self.seats, keys, strict=True):
            seat.begin(key)

    # ------------------------------------------------------------ chance

    def draw(self, stream: int, n: int) -> int:
        if self.space["trying"] and not self.exploring.is_given():
            raise Unwound(p.Status.CHANCE)
        words, count = self.storage.words, self.plan.first_draw + stream
        value, words[count] = self.streams[stream].draw(words[count], n)
        return value

    # ------------------------------------------------------------ decisions

    def explore(self, size: int) -> int:
        """The answer to a question in a try."""
        return int(self.exploring.answer(range(size)))

    def ask(self, number: int, seat: int, options: list[int], among: list[int] | None = None) -> int:
        """The hook's answer."""
        if self.space["trying"]:
            return self.explore(len(options))
        self._count()
        assert self.hook is not None
        place = _one(self.hook(number, int(seat), tuple(map(int, options)), 1, 1), len(options))
        if self.guards:
            self.log.append(place if among is None else among.index(options[place]))
        return place

    def ask_several(self, number: int, seat: int, options: list[int], least: int, most: int) -> list[int]:
        if self.space["trying"]:
            return [options[place] for place in self.exploring.answer(_choices(len(options), least, most))]
        self._count()
        if self.hook is None:
            places = self._by_chance(seat, len(options), least, most)
        else:
            places = _some(self.hook(number, int(seat), tuple(map(int, options)), least, most), len(options))
            assert least <= len(places) <= most, places
        if self.guards:
            self.log.append(places)
        return [options[place] for place in places]

    def decisions(self) -> int:
        """How many have been asked."""
        return int(self.space["asked"]) if self.hook else sum(seat.taken() for seat in self.seats)

    def _count(self) -> None:
        self._bound()
        self.space["asked"] += 1

    def _bound(self) -> None:
        """A question that would be one too many is not asked, nor one after too much work."""
        self.space["work"] += self.space["ticks"]
        self.space["ticks"] = 0
        if self.space["asked"] == limits.DECISIONS or self.space["work"] > limits.STEPS_PER_GAME:
            raise Unwound(p.Status.ENDLESS)

    def _by_chance(self, seat: int, size: int, least: int, most: int) -> tuple[int, ...]:
        next(self.space["CHANCE"][seat])  # Which bounds how many there are.
        own = self.seats[seat]
        return some_by_chance(own.key, (own.taken() - 1) * counter_rng.TURN, size, least, most)

    def note(self, answer: int) -> None:
        if not self.space["trying"]:
            if self.guards:
                self.log.append(answer)
        elif self.exploring.is_given():
            self.exploring.at += 1

    # ------------------------------------------------------------ tries and guards

    def attempt(self, function: Function, args: tuple[Any, ...]) -> int:
        return self._explored(function, args, Exploring(), None)

    def begin(self, function: Function, args: tuple[Any, ...]) -> Guard:
        guard = Guard(function, args, self.storage.position(), len(self.log))
        self.guards.append(guard)
        return guard

    def end(self, guard: Guard) -> None:
        assert self.guards.pop() is guard
        if not self.guards:
            self.log.clear()

    def feasible(self, answer: int) -> int:
        for guard in self.guards:
            if guard.live:
                given = (*self.log[guard.first :], answer)
                return self._explored(guard.function, guard.args, Exploring(given), guard.position)
        return 1

    def _explored(self, function: Function, args: tuple[Any, ...], exploring: Exploring, start: Position | None) -> int:
        """Whether a function comes to its end from a position, or from that of now, which is there again afterwards."""
        now, outer, trying = self.storage.position(), self.exploring, self.space["trying"]
        self.exploring, self.space["trying"] = exploring, True
        try:
            if start is not None:
                self.storage.restore(*start, self.plan.kept)
            while not _passes(function, args):
                if not exploring.goes_on():
                    return 0
                self.storage.restore(*(start or now), self.plan.kept)
            return 1
        finally:
            self.storage.restore(*now, self.plan.kept)
            self.exploring, self.space["trying"] = outer, trying


def _passes(function: Function, args: tuple[Any, ...]) -> bool:
    try:
        function(*args)
    except Unwound as unwound:
        if unwound.status not in (p.Status.END, p.Status.FAILED):
            raise Broken(unwound.status) from None
        return unwound.status == p.Status.END
    return True


def some_by_chance(key: int, first: int, size: int, least: int, most: int) -> tuple[int, ...]:
    """Places of least to most things among so many, from output `first` of a stream on."""
    more, used = counter_rng.below(key, first, most - least + 1)
    left = list(range(size))
    chosen: list[int] = []
    for _ in range(least + more):
        place, used = counter_rng.below(key, used, len(left))
        chosen.append(left.pop(place))
    return tuple(sorted(chosen))


def _one(answer: int | tuple[int, ...], size: int) -> int:
    assert isinstance(answer, int), answer
    assert 0 <= answer < size, answer
    return answer


def _some(answer: int | tuple[int, ...], size: int) -> tuple[int, ...]:
    assert isinstance(answer, tuple), answer
    assert list(answer) == sorted(set(answer) & set(range(size))), answer
    return answer


def _choices(size: int, least: int, most: int) -> Iterator[tuple[int, ...]]:
    """Places of all that may be chosen, the smallest numbers first."""
    return (places for number in range(least, most + 1) for places in combinations(range(size), number))


# ---------------------------------------------------------------- sequences


def find(sequence: list[int], item: int) -> int:
    return sequence.index(item) if item in sequence else -1


def sort(sequence: list[int], keys: list[int], width: int) -> None:
    """Order by keys, `width` for each entry."""
    if width == 1:
        order = sorted(range(len(sequence)), key=keys.__getitem__)
    else:
        order = sorted(range(len(sequence)), key=lambda place: keys[place * width : (place + 1) * width])
    sequence[:] = [sequence[place] for place in order]
