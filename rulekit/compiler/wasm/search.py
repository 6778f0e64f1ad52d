"""A WebAssembly machine that searches: all simulations of a search run inside the module."""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack

from attrs import define

from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.plan.ir import Plan
from rulekit.compiler.runtime.information_sets import observer
from rulekit.compiler.runtime.protocols import Weighed
from rulekit.compiler.runtime.tree_search import most_visited
from rulekit.compiler.wasm import backend
from rulekit.compiler.wasm.runtime_search import MAX_POSITIONS, POSITIONS, SearchLayout
from rulekit.compiler.wasm.stepping import Saved, WasmStepping

_MASK = 2**64 - 1


def searching(plan: Plan, storage: Storage) -> WasmSearching:
    """A machine for a plan, lowered with `leading=True` where leads are to count.  Errors: `wasm_host.Missing`."""
    return WasmSearching(backend.compiled(suspendable(plan), observer(plan, storage)))


@define(eq=False, weakref_slot=True)
class WasmSearching(WasmStepping):
    """See `machine.Searching`."""

    def search(self, positions: Sequence[Saved], seed: int, first: int, count: int) -> int:
        self._place(positions)
        done = ended = 0
        while done < count:
            self._called("search", backend.signed(seed), first + done, count - done, len(positions))
            # A simulation that took too much room ended the call, and is passed over.
            done += self._number("begun")
            ended += self._number("ended")
        self.waits = False
        return ended

    def weighed(self, position: Saved) -> list[Weighed]:
        self.restore(position)
        key = int(self.exports["root"](self.store)) & _MASK
        asked = self.waiting()
        if self.plan.asks[asked.ask].form == "several":
            return [most_visited(self._answers, key, (len(asked.options), asked.least, asked.most))]
        found = self._answers(key) if len(asked.options) > 1 else [(0, 0.0)]
        return [Weighed((place,), visits, worth) for place, (visits, worth) in enumerate(found)]

    def _place(self, positions: Sequence[Saved]) -> None:
        """Put the positions where the module finds them."""
        found = self._found()
        assert 0 < len(positions) <= MAX_POSITIONS, len(positions)
        at, starts = found.positions, []
        for one in positions:
            written = pack("<II", len(one.match), len(one.log)) + one.match + one.log
            assert at + len(written) <= found.positions + POSITIONS, "positions without room"
            self.raw[at : at + len(written)] = written
            starts.append(at)
            at += -(-len(written) // 8) * 8
        listed = pack(f"<{len(starts)}I", *starts)
        self.raw[found.starts : found.starts + len(listed)] = listed

    def _found(self) -> SearchLayout:
        found = self.compiled.layout.further
        assert isinstance(found, SearchLayout)
        return found

    def _answers(self, key: int) -> list[tuple[int, float]]:
        """How often each was tried, and what that came to; empty where the search never came there."""
        node = int(self.exports["weighed"](self.store, backend.signed(key)))
        if not node:
            return []
        size = self.memory[(node + 8) >> 3] & 0xFFFFFFFF
        values = self.raw[node + 16 : node + 16 + 16 * size]
        return list(zip(values.cast("q")[::2].tolist(), values.cast("d")[1::2].tolist(), strict=True))
