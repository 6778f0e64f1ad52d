"""Python of a plan whose matches wait at every question."""

from __future__ import annotations

from typing import Any

from attrs import define, evolve, field, frozen

from rulekit.compiler.plan import ir as p
from rulekit.compiler.python.backend import PythonMachine, status_of
from rulekit.compiler.python.chance import Stream
from rulekit.compiler.python.runtime import Guard, Hook, Position, Run, Unwound, some_by_chance
from rulekit.compiler.runtime.protocols import Asked, Script
from rulekit.play.state import counter_rng


@frozen
class Saved:
    """Everything of a match that waits; its parts are its own.

    frames:  what the functions at work put aside, the first of them last; a guard is the last entry of its function.
    keys:    of the seats' own streams; turns: how far each has answered.
    """

    position: Position = field(repr=False)
    frames: list[tuple[Any, ...]] = field(repr=False)
    guards: list[Guard] = field(repr=False)
    log: list[Any] = field(repr=False)
    decisions: int
    streams: list[Stream] = field(repr=False)
    keys: list[int] = field(repr=False)
    turns: list[int]
    question: Asked
    in_result: bool


@define(eq=False)
class SteppingRun(Run):
    """waits:     whether questions wait, where nobody from outside answers.
    resuming:  whether the question that comes now has been asked already.
    given:     its answer, as the places among its options; None where it is to be found by chance.
    left:      of a script, answers by seat and chance that are still to come, the next ones last; or None.
    """

    left: tuple[list[list[tuple[int, ...]]], list[tuple[int, int, int]]] | None = None

    waits: bool = False
    resuming: bool = False
    given: Any = None
    question: Asked | None = None
    keys: list[int] = field(factory=list)
    turns: list[int] = field(factory=list)
    frames: list[tuple[Any, ...]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.space["frames"] = self.frames

    def start(self, seed: int, hook: Hook | None) -> None:
        super().start(seed, hook)
        self.frames.clear()
        self.question, self.resuming, self.waits, self.left = None, False, False, None
        self.turns = [0] * self.plan.seats
        self.key(seed)

    def _seat(self, seed: int) -> None:
        """Answers by chance are made one at a time."""

    def key(self, seed: int) -> None:
        """All chance is that of this seed."""
        self.streams = [Stream(counter_rng.stream_key(seed, stream)) for stream in self.plan.streams]
        self.keys = [counter_rng.stream_key(seed, f"bot:{name}") for name in self.plan.names[: self.plan.seats]]

    def ask(self, number: int, seat: int, options: list[int], among: list[int] | None = None) -> int:
        if self.space["trying"]:
            return self.explore(len(options))
        place = int(self._found(number, seat, options, 1, 1))
        if self.guards:
            self.log.append(place if among is None else among.index(options[place]))
        return place

    def ask_several(self, number: int, seat: int, options: list[int], least: int, most: int) -> list[int]:
        if self.space["trying"]:
            return super().ask_several(number, seat, options, least, most)
        places = self._found(number, seat, options, least, most)
        if self.guards:
            self.log.append(places)
        return [options[place] for place in places]

    def _found(self, number: int, seat: int, options: list[int], least: int, most: int) -> Any:
        """The answer; or the match waits for it."""
        question = Asked(number, int(seat), tuple(map(int, options)), int(least), int(most))
        again, self.resuming = self.resuming, False
        if not again:
            self._bound()
            if self.left is not None and self.left[0][question.seat]:
                return self._scripted(number, question.seat)
            if self.waits:
                self.question = question
                raise Unwound(p.Status.WAITING)
        self._count()
        self.turns[seat] += counter_rng.TURN
        if self.hook is not None:
            return self.hook(number, question.seat, question.options, question.least, question.most)
        if again and self.given is not None:
            return self.given
        return self.by_chance(number, question.seat, options, question.least, question.most)

    def _scripted(self, number: int, seat: int) -> Any:
        assert self.left is not None
        self._count()
        self.turns[seat] += counter_rng.TURN
        places = self.left[0][seat].pop()
        return places if self.plan.asks[number].form == "several" else places[0]

    def draw(self, stream: int, n: int) -> int:
        chance = None if self.left is None else self.left[1]
        if not chance or self.space["trying"]:
            return super().draw(stream, n)
        self.storage.words[self.plan.first_draw + stream] += 1
        # What the script leaves out is a draw from what is all alike.
        return chance.pop()[2] if chance[-1][:2] == (stream, n) else 0

    def by_chance(self, number: int, seat: int, options: list[int], least: int, most: int) -> Any:
        turn = self.turns[seat] - counter_rng.TURN
        if self.plan.asks[number].form == "several":
            return some_by_chance(self.keys[seat], turn, len(options), least, most)
        return counter_rng.below(self.keys[seat], turn, len(options))[0]


@define(eq=False)
class PythonStepping(PythonMachine):
    """See `machine.Stepping`."""

    _in_result: bool = field(init=False, default=False)

    def begin(self, seed: int) -> int:
        run = self._only()
        run.start(seed, None)
        run.waits = True
        return self._on(in_result=False)

    def enter(self, script: Script, seed: int = 0) -> int:
        run = self._only()
        run.start(seed, None)
        run.waits = True
        run.left = [list(reversed(answers)) for answers in script.answers], list(reversed(script.chance))
        status = self._on(in_result=False)
        run.left = None
        return status

    def waiting(self) -> Asked:
        question = self._only().question
        assert question is not None
        return question

    def resume(self, answer: int | tuple[int, ...]) -> int:
        run = self._only()
        run.waits, run.hook = True, None
        return self._gone_on(answer)

    def playout(self, seed: int) -> int:
        run = self._only()
        run.waits, run.hook = False, None
        run.key(seed)
        return self._gone_on(None)

    def saved(self) -> Saved:
        run = self._only()
        assert run.question is not None
        guards = [evolve(guard) for guard in run.guards]
        return Saved(
            run.storage.position(), _frames(run.frames, run.guards, guards), guards, run.log[:], run.space["asked"],
            run.streams, run.keys, run.turns[:], run.question, self._in_result,
        )  # fmt: skip

    def restore(self, saved: Saved) -> None:
        run = self._only()
        run.storage.restore(*saved.position)
        run.guards[:] = [evolve(guard) for guard in saved.guards]
        run.frames[:] = _frames(saved.frames, saved.guards, run.guards)
        run.log[:] = saved.log
        run.space.update(trying=False, ticks=0, asked=saved.decisions)
        run.streams, run.keys, run.turns = saved.streams, saved.keys, saved.turns[:]
        run.question, self._in_result = saved.question, saved.in_result

    def decisions(self) -> int:
        return int(self._only().space.get("asked", 0))

    def _gone_on(self, given: int | tuple[int, ...] | None) -> int:
        run = self._only()
        assert run.question is not None
        run.question, run.resuming, run.given = None, True, given
        return self._on(in_result=self._in_result)

    def _on(self, *, in_result: bool) -> int:
        """From the beginning, or from where it was; the result is a part of the match."""
        run = self._only()
        self._in_result = in_result
        if not in_result:
            status = status_of(run, self.plan.main)
            if status != p.Status.END:
                return status
            self._in_result = True
        return status_of(run, self.plan.result)

    def _run(self, *, hooked: bool) -> Run:
        if not self._runs:
            self._runs[True] = self._made(self._kind(), hooked=True)
        return self._runs[True]

    def _kind(self) -> type[SteppingRun]:
        return SteppingRun

    def _only(self) -> SteppingRun:
        assert isinstance(self._last, SteppingRun)
        return self._last


def _frames(frames: list[tuple[Any, ...]], guards: list[Guard], copies: list[Guard]) -> list[tuple[Any, ...]]:
    """Copies of what was put aside, with other guards."""
    other = dict(zip(map(id, guards), copies, strict=True))
    return [tuple(_copied(value, other) for value in frame) for frame in frames]


def _copied(value: Any, guards: dict[int, Guard]) -> Any:
    if isinstance(value, list):
        return value[:]
    return guards[id(value)] if isinstance(value, Guard) else value
