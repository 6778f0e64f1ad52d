"""Machines for the threads that play one compiled series: each has a memory of its own, as far as there is room."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from typing import Any

from rulekit.compiler.runtime.wasm_host import Missing
from rulekit.values import define, field


@define(eq=False)
class Machines:
    """A machine in WebAssembly for each thread, if there is memory for so many; Python waits while they run.

    one: a series that has a `twin` for another thread.
    """

    one: Any
    _idle: SimpleQueue[Any] = field(factory=SimpleQueue)
    _busy: set[Any] = field(factory=set)

    def __attrs_post_init__(self) -> None:
        self._idle.put(self.one)

    @contextmanager
    def free(self) -> Iterator[Any]:
        """A machine that is nobody else's meanwhile."""
        machine = self._free()
        try:
            machine.go_on()
            self._busy.add(machine)
            yield machine
        finally:
            self._busy.discard(machine)
            self._idle.put(machine)

    def interrupt(self) -> None:
        """From any thread: let whatever plays now raise `Interrupted`."""
        for machine in tuple(self._busy):
            machine.interrupt()

    def _free(self) -> Any:
        """A machine that nobody uses: one that has played, a new one, or the first that another thread leaves."""
        with suppress(Empty):
            return self._idle.get_nowait()
        with suppress(Missing):
            return self.one.twin()
        return self._idle.get()
