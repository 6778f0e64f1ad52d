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

from attrs import define, field, frozen

from rulekit.compiler.plan.ir import Plan, Status
from rulekit.compiler.runtime import wasm_host
from rulekit.compiler.runtime.protocols import Answer
from rulekit.compiler.runtime.wasm_host import Host
from rulekit.compiler.wasm.memory_layout import ANSWER, EXCHANGE, Layout
from rulekit.compiler.wasm.module import text


@frozen
class Compiled:
    """A module ready to run; any number of machines may use it, each in a thread of its own."""

    plan: Plan
    layout: Layout
    host: Host
    module: Any

    def machine(self) -> WasmMachine:
        """Errors: `Missing` where nothing is left for another memory."""
        return WasmMachine(self)


def compiled(plan: Plan) -> Compiled:
    """A plan compiled to machine code.

    Errors:  `wasm_host.Missing`, if there is nothing here that runs WebAssembly.
    """
    host = wasm_host.host()
    written = text(plan)
    return Compiled(plan, written.layout, host, wasm_host.compiled(host, written.text))


@define(eq=False, weakref_slot=True)
class WasmMachine:
    """See `machine.Machine`.

    memory:  as 64-bit integers; it is reserved as a whole, so that it never moves when it grows.
    """

    compiled: Compiled
    plan: Plan = field(init=False)
    store: Any = field(init=False, repr=False)
    exports: Any = field(init=False, repr=False)
    memory: memoryview[int] = field(init=False, repr=False)
    answer: Answer | None = field(init=False, default=None)
    failure: BaseException | None = field(init=False, default=None)

    def __attrs_post_init__(self) -> None:
        self.plan = self.compiled.plan
        started = wasm_host.instance(self.compiled.host, self.compiled.module, _question(self))
        self.store, self.exports, self.memory = started.store, started.exports, started.memory

    # ------------------------------------------------------------ matches

    def play(self, seed: int, answer: Answer | None = None) -> int:
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
            return int(self.exports[name](self.store, *args))
        except wasm_host.package().Trap as trap:
            return self._trapped(trap)

    def playouts(self, seed: int, first: int, count: int, figures: Sequence[int]) -> list[tuple[int, ...]]:
        self._hook(0)
        width, room = 2 + len(figures), EXCHANGE // 8 - len(figures)
        made: list[tuple[int, ...]] = []
        while len(made) < count:
            wanted = min(count - len(made), room // width)
            values = self._batch(seed, first + len(made), wanted, figures)
            made += [tuple(values[start : start + width]) for start in range(0, len(values), width)]
        return made

    def _batch(self, seed: int, first: int, count: int, figures: Sequence[int]) -> list[int]:
        """At most as many matches as the exchange has room for; fewer where the module paused or had to be ended."""
        self._write(self.compiled.layout.exchange, figures)
        ended: list[int] = []
        try:
            self.exports["playouts"](self.store, signed(seed), first, count, len(figures))
        except wasm_host.package().Trap as trap:
            status, words = self._trapped(trap), self.words()
            ended = [status, self.decisions(), *(words[figure] for figure in figures)]
        results = self.compiled.layout.exchange + 8 * len(figures)
        return self._read(results, (2 + len(figures)) * self._number("done")) + ended

    def _trapped(self, trap: Exception) -> int:
        """What stopped the module: somebody's answer, or too much of something; anything else is our fault."""
        if self.failure is not None:
            failure, self.failure = self.failure, None
            raise failure
        if self._number("overfull"):
            return Status.ENDLESS
        raise AssertionError(f"{self.plan.title}: the plan is not valid") from trap

    def sums(self) -> list[int]:
        found = self._read(self.compiled.layout.sums, len(self.plan.sums))
        self._write(self.compiled.layout.sums, self.plan.sums)
        return found

    # ------------------------------------------------------------ looking

    def words(self) -> list[int]:
        return self._read(self.compiled.layout.words, len(self.plan.words))

    def lists(self) -> list[list[int]]:
        return [self._sequence(address) for address in self.compiled.layout.lists]

    def decisions(self) -> int:
        return self._number("decisions")

    def _number(self, name: str) -> int:
        return int(self.exports[name].value(self.store))

    def _sequence(self, address: int) -> list[int]:
        """Its size stands in the lower half of its first integer."""
        return self._read(address + 8, self.memory[address >> 3] & 0xFFFFFFFF)

    def _read(self, address: int, count: int) -> list[int]:
        place = address >> 3
        return self.memory[place : place + count].tolist()

    def _write(self, address: int, values: Sequence[int]) -> None:
        for place, number in enumerate(values, address >> 3):
            self.memory[place] = number

    # ------------------------------------------------------------ answers

    def asked(self) -> None:
        """A question of the module lies in the exchange, and so will the answer.  -1 stops the module."""
        exchange = self.compiled.layout.exchange
        try:
            self._write(exchange + ANSWER, self._answered(*self._read(exchange, ANSWER >> 3)))
        except BaseException as failure:
            self.failure = failure
            self._write(exchange + ANSWER, (-1,))

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


def signed(number: int) -> int:
    """An unsigned number of 64 bits as the signed one with the same bits."""
    return (number + 2**63) % 2**64 - 2**63
