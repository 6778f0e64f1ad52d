"""A WebAssembly module whose matches wait at every question.

A match that waits is copied as spans of memory; nothing of it lies elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack

from attrs import define, field, frozen

from rulekit.fast import wasm
from rulekit.fast.machine import Answer, Asked, Script
from rulekit.fast.plan import Plan, Status
from rulekit.fast.stopping import stopping
from rulekit.fast.wasm_layout import ANSWER, DRAWN, EXCHANGE, QUEUES, WAITS
from rulekit.fast.wasm_stopping import SCRIPT, WAIT

_FRAMES, _LOG, _DECISIONS = WAITS.index("frames"), WAITS.index("log"), WAITS.index("decisions")


@frozen
class Saved:
    """Bytes: storage and what goes with it, the arena with all functions at work, what guards remember of answers."""

    storage: bytes = field(repr=False)
    arena: bytes = field(repr=False)
    log: bytes = field(repr=False)


def stepping(plan: Plan) -> WasmStepping:
    """A machine for a plan.  Errors: `wasm.Missing`."""
    return WasmStepping(wasm.compiled(stopping(plan)))


@define(eq=False, weakref_slot=True)
class WasmStepping(wasm.WasmMachine):
    """See `machine.Stepping`.

    raw:    the memory as bytes.  waits: whether a match waits.
    """

    raw: memoryview[int] = field(init=False, repr=False)
    waits: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.raw = self.memory.cast("B")

    def begin(self, seed: int) -> int:
        self._hook(WAIT)
        return self._went(self._called("run", wasm.signed(seed)))

    def play(self, seed: int, answer: Answer | None = None) -> int:
        return self._went(super().play(seed, answer))

    def enter(self, script: Script, seed: int = 0) -> int:
        exchange = self.compiled.layout.exchange
        queues = _queues(script, exchange + QUEUES)
        drawn = b"".join(pack("<iIii", stream, n, place, 0) for stream, n, place in script.chance)
        assert len(queues) <= DRAWN - QUEUES, "a script without room"
        assert len(drawn) <= EXCHANGE - DRAWN, "a script without room"
        self.raw[exchange + QUEUES : exchange + QUEUES + len(queues)] = queues
        self.raw[exchange + DRAWN : exchange + DRAWN + len(drawn)] = drawn
        self.exports["drawn_at"].set_value(self.store, exchange + DRAWN)
        self.exports["drawn_end"].set_value(self.store, exchange + DRAWN + len(drawn))
        self._hook(SCRIPT)
        return self._went(self._called("run", wasm.signed(seed)))

    def waiting(self) -> Asked:
        assert self.waits
        ask, seat, options, least, most, _ = self._known()[:6]
        return Asked(ask, seat, tuple(self._sequence(options)), least, most)

    def resume(self, answer: int | tuple[int, ...]) -> int:
        assert self.waits
        _, _, options, least, most, several = self._known()[:6]
        places = wasm.answered(answer, len(self._sequence(options)), least, most, several=bool(several))
        self._write(self.compiled.layout.exchange + ANSWER, places)
        self._hook(WAIT)
        return self._went(self._called("resume"))

    def playout(self, seed: int) -> int:
        assert self.waits
        return self._went(self._called("playout", wasm.signed(seed)))

    def saved(self) -> Saved:
        assert self.waits
        layout, raw, first = self.compiled.layout, self.raw, self.compiled.layout.waits >> 3
        log, frames = self.memory[first + _LOG], self.memory[first + _FRAMES]
        return Saved(
            raw[layout.words : layout.waits + 8 * len(WAITS)].tobytes(),
            raw[layout.arena : frames].tobytes(),
            raw[layout.log : log].tobytes(),
        )

    def restore(self, saved: Saved) -> None:
        layout, raw = self.compiled.layout, self.raw
        raw[layout.words : layout.words + len(saved.storage)] = saved.storage
        raw[layout.arena : layout.arena + len(saved.arena)] = saved.arena
        raw[layout.log : layout.log + len(saved.log)] = saved.log
        self.waits = True

    def decisions(self) -> int:
        return self._known()[_DECISIONS] if self.waits else super().decisions()

    def _known(self) -> Sequence[int]:
        return self._read(self.compiled.layout.waits, len(WAITS))

    def _went(self, status: int) -> int:
        self.waits = status == Status.WAITING
        return status


def _queues(script: Script, at: int) -> bytes:
    """For each seat where its answers begin and end, then these."""
    heads, body = b"", b""
    at += 8 * len(script.answers)
    for answers in script.answers:
        made = b"".join(pack(f"<{1 + len(places)}q", len(places), *places) for places in answers)
        heads += pack("<II", at + len(body), at + len(body) + len(made))
        body += made
    return heads + body
