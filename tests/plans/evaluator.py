"""A plain evaluator of plans: the second engine that WebAssembly is compared with, written from their specification.

It does what `rulekit.compiler.plan.ir` says in the simplest way we know, and asserts what that promises of every plan.
What single expressions and statements mean is in `closures`; here are matches, chance, decisions, tries, waiting.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from copy import copy
from itertools import combinations
from typing import Any

from attrs import define, evolve, field

from rulekit import limits
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import REPEATED, SAMPLE, Status
from rulekit.compiler.runtime.questions import Answer, Asked, Script
from rulekit.play.state import counter_rng
from rulekit.play.state.cost_model import ANSWER
from tests.plans.closures import GUARD, RESULT, Code, Frame, Position, Storage, Unwound
from tests.plans.validator import faults

DEEP = 50_000
"""Frames of Python: a call of a plan takes a few for each statement and expression around it."""
Places = tuple[int, ...]


@define(eq=False)
class Guard:
    """What a function that bounds remembers, and whether it is live."""

    function: str
    args: tuple[Any, ...]
    position: Position
    answers: tuple[Any, ...] = ()
    live: bool = False


@define(eq=False)
class Trial:
    """Runs of what is tried, one after the other.

    given:   answers that are given again.  chosen: those tried now behind them; others: of each what comes next.
    taken:   how many have been taken in this run.
    known:   how many were known when this run began.  before: the steps that were counted by then.
    """

    given: tuple[Any, ...] = ()
    chosen: list[Any] = field(factory=list)
    others: list[Iterator[Any]] = field(factory=list)
    taken: int = 0
    known: int = 0
    before: int = 0

    def begins(self, work: int) -> None:
        """A run begins, when so many steps were counted."""
        self.taken, self.known, self.before = 0, len(self.given) + len(self.chosen), work

    def steps_at_begin(self) -> int:
        """The count of steps from which a run goes on: what leads to answers given again meets no limit."""
        return self.before - REPEATED if self.known else self.before

    def is_new(self) -> bool:
        """Return whether a question comes up that no answer is known to yet."""
        return self.taken == len(self.given) + len(self.chosen)

    def gives_again(self) -> bool:
        return self.taken < len(self.given)

    def answer(self, choices: Iterable[Any]) -> Any:
        place, self.taken = self.taken - len(self.given), self.taken + 1
        if place < 0:
            return self.given[place]
        if place == len(self.chosen):
            self.others.append(iter(choices))
            self.chosen.append(next(self.others[-1]))
        return self.chosen[place]

    def goes_on(self) -> bool:
        """Turn to the next answers, if there are any: depth first."""
        while self.others:
            self.chosen.pop()
            for choice in self.others[-1]:
                self.chosen.append(choice)
                return True
            self.others.pop()
        return False


@define(eq=False)
class Match:
    """All of a match that waits but its storage.

    turns:   by seat, questions answered.  frames: what functions put aside.  question: what it waits for.
    """

    seed: int
    turns: list[int]
    asked: int = 0
    in_result: bool = False
    frames: list[Frame] = field(factory=list)
    question: Asked | None = None

    def copied(self) -> Match:
        return evolve(self, turns=self.turns[:], frames=[_copied(frame) for frame in self.frames])


def _copied(frame: Frame) -> Frame:
    """Of all that stands in a frame only a guard can change."""
    made = frame[:]
    made[GUARD] = copy(frame[GUARD])
    return made


@define(eq=False)
class Evaluator:
    """See `backend.WasmMachine`, and of a plan that is made by `suspension.suspendable` also `stepping.WasmStepping`.

    guards:  the functions at work that bound, the outermost one first.  trial: what is being tried, if anything.
    hook:    who answers in place of chance.  waits: whether questions wait for which no answer is known.
    ahead:   by seat, answers that are known.  drawn: chance that is known, as in a `Script`.
    drawn_to:  where who answers by chance draws on, if a question is put again.
    """

    plan: p.Plan
    storage: Storage = field(init=False)
    match: Match = field(init=False)
    trial: Trial | None = field(default=None, init=False)
    guards: list[Guard] = field(factory=list, init=False)
    hook: Answer | None = field(default=None, init=False)
    waits: bool = field(default=False, init=False)
    ahead: list[list[Places]] = field(factory=list, init=False)
    drawn: list[tuple[int, int, int]] = field(factory=list, init=False)
    drawn_to: int | None = field(default=None, init=False)
    limit: int = field(default=0, init=False)
    every: int = field(default=SAMPLE, init=False)
    work: int = field(default=0, init=False)
    _codes: dict[str, Code] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        found = faults(self.plan)
        assert not found, found
        self.storage = Storage(self.plan)
        self._start(0)

    # ------------------------------------------------------------ a machine

    def play(self, seed: int, answer: Answer | None = None) -> int:
        self._start(seed)
        return self._on(hook=answer)

    def playouts(self, seed: int, first: int, count: int, figures: Sequence[int]) -> list[tuple[int, ...]]:
        made = []
        for number in range(first, first + count):
            if self.plan.spares is not None:
                self.storage.cells.set(self.plan.spares, int(number % self.every != 0))
            status = self.play(counter_rng.output(seed, number))
            if self.plan.after:
                self.call(self.plan.after, status, self.decisions())
            words = self.words()
            made.append((status, self.decisions(), *(words[figure] for figure in figures)))
        return made

    def sums(self) -> list[int]:
        found = [int(value) for value in self.storage.sums]
        self.storage.sums[:] = self.plan.sums
        return found

    def words(self) -> list[int]:
        return [int(value) for value in self.storage.words]

    def lists(self) -> list[list[int]]:
        return [[int(value) for value in entries] for entries in self.storage.lists]

    def decisions(self) -> int:
        return self.match.asked

    def steps(self) -> int:
        return self.work

    # ------------------------------------------------------------ a machine whose matches wait

    def begin(self, seed: int) -> int:
        self._start(seed)
        return self._on(waits=True)

    def enter(self, script: Script, seed: int = 0) -> int:
        self._start(seed)
        self.ahead, self.drawn = [list(answers) for answers in script.answers], list(script.chance)
        return self._on(waits=True)

    def waiting(self) -> Asked:
        assert self.match.question is not None
        return self.match.question

    def resume(self, answer: int | Places) -> int:
        self.ahead[self.waiting().seat] = [answer if isinstance(answer, tuple) else (answer,)]
        return self._on(waits=True)

    def playout(self, seed: int) -> int:
        self.match.seed = seed
        return self._on()

    def saved(self) -> tuple[Position, Match]:
        return self.storage.position(), self.match.copied()

    def restore(self, saved: tuple[Position, Match]) -> None:
        position, match = saved
        self.storage.restore(position)
        self.match = match.copied()

    # ------------------------------------------------------------ runs

    def _start(self, seed: int) -> None:
        self.storage.restore((list(self.plan.words), list(self.plan.lists)))
        self.match = Match(seed, [0] * self.plan.seats)
        self.ahead, self.drawn = [[] for _ in self.match.turns], []

    def _on(self, *, hook: Answer | None = None, waits: bool = False) -> int:
        """From the beginning, or from where it was; the result is a part of the match."""
        self.hook, self.waits, self.trial, self.work = hook, waits, None, 0
        self.allow()
        match = self.match
        status = p.Status.END.value if match.in_result else self._run(self.plan.main)
        if status == Status.END:
            match.in_result = True
            status = self._run(self.plan.result)
        if status != Status.WAITING and self.work > self.limit:
            status = int(Status.ENDLESS)
        assert (status == Status.WAITING) == bool(match.frames), "a function never took back what it put aside"
        self.ahead, self.drawn = [[] for _ in self.ahead], []
        return status

    def _run(self, function: str) -> int:
        try:
            with _deep():
                self.call(function)
        except Unwound as unwound:
            return int(unwound.status)
        return Status.DONE.value

    def call(self, name: str, *args: Any) -> Any:
        """What a function gives that begins, or that goes on where it was left."""
        code = self._code(name)
        frame = self._frame(code, args)
        guards = [] if frame[GUARD] is None else [frame[GUARD]]
        self.guards += guards
        try:
            code.run(frame)
        except Unwound as unwound:
            if unwound.status == Status.WAITING:
                assert code.function.stops, f"{name} is left, but does not stop"
                self.match.frames.append(frame)
            if unwound.whole or unwound.status not in code.function.catches:
                raise
        finally:
            del self.guards[len(self.guards) - len(guards) :]
        return frame[RESULT]

    def _code(self, name: str) -> Code:
        if name not in self._codes:
            self._codes[name] = Code(self, next(one for one in self.plan.functions if one.name == name))
        return self._codes[name]

    def _frame(self, code: Code, args: tuple[Any, ...]) -> Frame:
        if code.function.stops and self.match.frames:
            return code.gone_on(self.match.frames.pop())
        frame = code.frame(args)
        if code.function.bounds and self.trial is None:
            frame[GUARD] = Guard(code.function.name, args, self.storage.position())
        return frame

    def do(self, name: str, wanted: bool, *args: Any) -> Any:
        """Nothing where nobody wants what the function gives."""
        given = self.call(name, *args)
        return given if wanted else None

    def unwind(self, status: int) -> None:
        raise Unwound(status)

    def fail(self, status: int) -> None:
        raise Unwound(Status.FAILED if self.trial else status)

    def allow(self) -> None:
        """As many steps from here on as between two answers."""
        self.limit = min(self.work + limits.STEPS_PER_DECISION, limits.STEPS_PER_GAME)

    def spend(self, checked: bool, steps: int) -> None:
        self.work += steps
        if checked and self.work > self.limit:
            raise Unwound(Status.ENDLESS)

    def steps_left(self) -> int:
        return self.match.asked << 40 | self.limit - self.work

    def apart(self, ends: bool, begun: int) -> None:
        if not ends:
            self.limit = self.work + (begun & (1 << 40) - 1)
        elif begun >> 40 != self.match.asked:
            self.allow()

    def _try_answer(self) -> None:
        """Count the first answer that is tried to a question."""
        if self.trial is not None and self.trial.is_new():
            self.work += ANSWER

    def came_to(self) -> None:
        """Behind the last answer that was known before, what came before it was counted already."""
        trial = self.trial
        if trial is not None and trial.taken == trial.known:
            self.work = trial.before

    # ------------------------------------------------------------ chance

    def draw(self, stream: int, n: int) -> int:
        assert n >= 1, "a draw from less than 1"
        if self.trial and not self.trial.gives_again():
            raise Unwound(Status.CHANCE)
        words, count = self.storage.words, self.plan.first_draw + stream
        if self.drawn and not self.trial:
            words[count] += 1
            # What a script leaves out is a draw from what is all alike.
            return self.drawn.pop(0)[2] if self.drawn[0][:2] == (stream, n) else 0
        key = counter_rng.stream_key(self.match.seed, self.plan.streams[stream])
        value, words[count] = counter_rng.below(key, words[count], n)
        return value

    def _by_chance(self, question: Asked) -> Places:
        """As `bots.players.random_bot` answers."""
        key = counter_rng.stream_key(self.match.seed, f"bot:{self.plan.names[question.seat]}")
        begin = self.match.turns[question.seat] * counter_rng.TURN
        used, size = begin if self.drawn_to is None else self.drawn_to, 1
        if self.plan.asks[question.ask].form == "several":
            more, used = counter_rng.below(key, used, question.most - question.least + 1)
            size = question.least + more
        left, chosen = list(range(len(question.options))), []
        for _ in range(size):
            place, used = counter_rng.below(key, used, len(left))
            chosen.append(left.pop(place))
        self.drawn_to = used
        return tuple(sorted(chosen))

    # ------------------------------------------------------------ decisions

    def ask(self, number: int, seat: int, options: Places, among: Places | None) -> int:
        assert options, "a question without options"
        if self.trial:
            assert among in (None, options), "a guard took options away in a try"
            self._try_answer()
            place = int(self.trial.answer(range(len(options))))
            self.came_to()
            return place
        self.drawn_to = None
        (place,) = self._answer(Asked(number, seat, options, 1, 1))
        self.note(place if among is None else among.index(options[place]))
        return place

    def ask_several(
        self, number: int, seat: int, options: Places, least: int, most: int, nothing: int | None
    ) -> Places:
        assert 0 <= least <= most <= len(options), f"{least} to {most} of {len(options)} options"
        if self.trial:
            self._try_answer()
            sizes, every = range(least, most + 1), range(len(options))
            places = self.trial.answer(chosen for size in sizes for chosen in combinations(every, size))
            self.came_to()
        else:
            places = self._accepted(Asked(number, seat, options, least, most), nothing)
        return tuple(options[place] for place in places)

    def _accepted(self, question: Asked, nothing: int | None) -> Places:
        """The first answer that is not refused, noted."""
        noted, turn = [guard.answers for guard in self.guards], self.match.turns[question.seat]
        self.drawn_to = None
        while True:
            places = self._answer(question)
            self.note(places)
            if nothing is None or self.can_end():
                return places
            for guard, answers in zip(self.guards, noted, strict=True):
                guard.answers = answers
            if not self.can_end():
                raise Unwound(nothing)
            self.match.asked -= 1
            self.match.turns[question.seat] = turn

    def _answer(self, question: Asked) -> Places:
        """Of somebody who is asked."""
        assert 0 <= question.seat < self.plan.seats, f"nobody decides at seat {question.seat}"
        match, ahead = self.match, self.ahead[question.seat]
        assert match.question in (None, question), "goes on with another question than it was left at"
        if match.asked == limits.DECISIONS or self.work > self.limit:
            raise Unwound(Status.ENDLESS)
        self.allow()
        if self.waits and not ahead:
            match.question = question
            raise Unwound(Status.WAITING)
        match.asked += 1
        places = ahead.pop(0) if ahead else self._hooked(question) if self.hook else self._by_chance(question)
        assert list(places) == sorted(set(places) & set(range(len(question.options)))), places
        assert question.least <= len(places) <= question.most, places
        match.turns[question.seat] += 1
        match.question = None
        return places

    def _hooked(self, question: Asked) -> Places:
        assert self.hook is not None
        answer = self.hook(self, question.ask, question.seat, question.options, question.least, question.most)
        return answer if isinstance(answer, tuple) else (answer,)

    def note(self, answer: Any) -> None:
        """All guards remember an answer; where answers are given again it is one of them."""
        if self.trial is None:
            for guard in self.guards:
                guard.answers += (answer,)
        elif self.trial.gives_again():
            self.trial.taken += 1
            self.came_to()

    def live(self, guard: Guard | None, on: int) -> None:
        if guard is not None:
            guard.live = on in (p.AHEAD, p.SURE)

    # ------------------------------------------------------------ tries

    def tried(self, name: str, *args: Any) -> int:
        return self._explored(name, args, self.storage.position(), Trial())

    def feasible(self, options: tuple[int, ...]) -> tuple[int, ...]:
        share = limits.STEPS_PER_DECISION // max(1, len(options))
        return tuple(option for place, option in enumerate(options) if self.can_end(place, share=share))

    def can_end(self, *answer: int, share: int | None = None) -> int:
        """With the answer in question, if there is one behind those that are noted.  share: of steps."""
        for guard in self.guards:
            if guard.live and not self.trial:
                trial = Trial((*guard.answers, *answer))
                return self._looked_ahead(guard, trial, limits.STEPS_PER_DECISION if share is None else share)
        return 1

    def _looked_ahead(self, guard: Guard, trial: Trial, share: int) -> int:
        """Explore with so many steps; what takes more comes to its end."""
        before = self.work, self.limit
        self.work, self.limit = 0, share
        try:
            passed = self._explored(guard.function, guard.args, guard.position, trial)
            return int(passed or self.work > self.limit)
        except Unwound as unwound:
            if unwound.status != Status.ENDLESS:
                raise
            return 1
        finally:
            self.work, self.limit = before

    def _explored(self, name: str, args: tuple[Any, ...], start: Position, trial: Trial) -> int:
        """Whether some answers lead a function from a position to its end."""
        now, outer, self.trial = self.storage.position(), self.trial, trial
        try:
            self.storage.restore(start, self.plan.kept)
            trial.begins(self.work)
            self.work = trial.steps_at_begin()
            while not self._passes(name, args):
                if not trial.goes_on():
                    return 0
                self.storage.restore(start, self.plan.kept)
                trial.begins(self.work + ANSWER)
                self.work = trial.steps_at_begin()
            return 1
        finally:
            self.storage.restore(now, self.plan.kept)
            self.trial = outer

    def _passes(self, name: str, args: tuple[Any, ...]) -> bool:
        try:
            self.call(name, *args)
        except Unwound as unwound:
            if unwound.whole or unwound.status not in (Status.END, Status.FAILED):
                raise Unwound(unwound.status, whole=True) from None
            return unwound.status == Status.END
        return True


@contextmanager
def _deep() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, DEEP))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
