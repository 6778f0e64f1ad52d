"""The WebAssembly back end: a plan at work as a module, by wasmtime.

A match needs nothing from here but one call; so does a series of matches.
Only an `Answer` that somebody gives comes back for every question.  While a
module runs, other threads of Python go on: one machine for each, all of the
same `Compiled` plan.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import ref

from rulekit.compiler.plan.ir import Plan, Status
from rulekit.compiler.runtime import wasm_host
from rulekit.compiler.runtime.questions import Answer
from rulekit.compiler.runtime.wasm_host import Host, Instance, Rows, SeriesPlaces, signed
from rulekit.compiler.wasm.memory_layout import ANSWER, EXCHANGE, Layout
from rulekit.compiler.wasm.module import Written, text
from rulekit.errors import Interrupted
from rulekit.values import define, field, frozen


@frozen
class Compiled:
    """A module ready to run; any number of machines may use it, each in a thread of its own."""

    plan: Plan
    layout: Layout
    host: Host
    module: Any
    written: Written = field(repr=False)

    @property
    def places(self) -> SeriesPlaces:
        return SeriesPlaces(self.layout.exchange, self.layout.sums, EXCHANGE, self.layout.words)

    def machine(self) -> WasmMachine:
        """Errors: `Missing` where nothing is left for another memory."""
        return WasmMachine(self)


def compiled(plan: Plan, *, like: Compiled | None = None) -> Compiled:
    """A plan compiled to machine code.

    like:    one of a plan that may have much in common with it, as before an edit: the same comes out sooner.
    Errors:  `wasm_host.Missing`, if there is nothing here that runs WebAssembly.
    """
    host = wasm_host.host()
    made = text(plan, None if like is None else like.written)
    return Compiled(plan, made.layout, host, wasm_host.compiled(host, made.text), made.written)


@define(eq=False)
class WasmMachine(Instance):
    """One compiled plan at work.  A run ends with a status of `ir.Status`: DONE where the rules came to their end.

    After the status END the plan's result function runs; if it ends, the run is DONE.
    """

    compiled: Compiled
    plan: Plan = field(init=False)
    answer: Answer | None = field(init=False, default=None)
    failure: BaseException | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.plan = self.compiled.plan
        self.start(self.compiled.host, self.compiled.module, _question(self))

    # ------------------------------------------------------------ matches

    def play(self, seed: int, answer: Answer | None = None) -> int:
        """One match from the start; gives its status.  Without `answer` the seats answer by chance.

        By chance means as `bots.players.random_bot` does: seat s at its t-th decision (from 0) uses the stream
        `bot:` + its name from output t * 65536 on; of several things first how many, then which one after the other
        of those left.
        """
        self.answer, self.failure = answer, None
        self._hook(int(answer is not None))
        try:
            return self._called("run", signed(seed))
        finally:
            self.answer = None

    def _hook(self, who: int) -> None:
        self.exports["hook"].set_value(self.store, who)

    def _called(self, name: str, *args: int) -> int:
        """The status that an exported function gives."""
        try:
            return int(self.call(name, *args))
        except (wasm_host.trap(), Interrupted) as stopped:
            return self._trapped(stopped)

    def playouts(self, seed: int, first: int, count: int, figures: Sequence[int]) -> Rows:
        """Matches `first` to `first + count - 1` of a series, answered by chance.

        Match i has the seed number `generator.output(seed, i)`.  For each: status, decisions asked, and the words
        `figures` at the end.
        """
        self._hook(0)
        return self.series(self.compiled.places, seed, first, count, figures)

    def _trapped(self, trap: Exception) -> int:
        """What stopped the module: somebody's answer, or too much of something; anything else is our fault."""
        if self.failure is not None:
            failure, self.failure = self.failure, None
            wasm_host.forget_frames(trap)
            raise failure
        if isinstance(trap, Interrupted):
            raise trap
        if self.number("overfull"):
            wasm_host.forget_frames(trap)
            return Status.ENDLESS
        raise AssertionError(f"{self.plan.title}: the plan is not valid") from trap

    def sums(self) -> list[int]:
        """What the matches of `playouts` have come to since this was last asked, as `Plan.after` sums it up."""
        return self.taken_sums(self.compiled.places, self.plan.sums)

    # ------------------------------------------------------------ looking

    def words(self) -> list[int]:
        return self.read(self.compiled.layout.words, len(self.plan.words))

    def lists(self) -> list[list[int]]:
        return [self._sequence(address) for address in self.compiled.layout.lists]

    def decisions(self) -> int:
        """How many decisions have been asked in this match."""
        return self.number("decisions")

    def steps(self) -> int:
        """How many steps were counted in this match, or since it was gone on with."""
        return self.number("work")

    def _sequence(self, address: int) -> list[int]:
        return self.read(address + 8, self._size(address))

    def _size(self, address: int) -> int:
        """It stands in the lower half of the first integer of a sequence."""
        return int(self.memory[address >> 3]) & 0xFFFFFFFF

    # ------------------------------------------------------------ answers

    def asked(self) -> None:
        """A question of the module lies in the exchange, and so will the answer.  -1 stops the module."""
        exchange = self.compiled.layout.exchange
        try:
            self.write(exchange + ANSWER, self._answered(*self.read(exchange, ANSWER >> 3)))
        except BaseException as failure:
            self.failure = failure
            self.write(exchange + ANSWER, (-1,))

    def _answered(self, ask: int, seat: int, options: int, least: int, most: int, several: int) -> tuple[int, ...]:
        assert self.answer is not None
        among = tuple(self._sequence(options))
        given = self.answer(self, ask, seat, among, least, most)
        return answered(given, len(among), least, most, several=bool(several))


def answered(given: int | tuple[int, ...], size: int, least: int, most: int, *, several: bool) -> tuple[int, ...]:
    """An answer as the module takes it: how many places, and which."""
    places = given if isinstance(given, tuple) else (given,)
    assert isinstance(given, tuple) == several, given
    assert least <= len(places) <= most, given
    assert list(places) == sorted(set(places)), given
    assert not places or 0 <= places[0] <= places[-1] < size, given
    return (len(places), *places)


def _question(machine: WasmMachine) -> Callable[[], None]:
    """What the module calls; it holds no machine alive."""
    known = ref(machine)

    def ask() -> None:
        at_work = known()
        assert at_work is not None
        at_work.asked()

    return ask
