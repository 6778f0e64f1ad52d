"""A cache of compiled modules: series that run in a WebAssembly module compiled before, without the game or its plan.

Imports little, since it is there for runs that are over in a moment.
"""

from __future__ import annotations

import ctypes
from typing import Any

from attrs import define, field, frozen

from rulekit.compiler.lower.counting.schema import Group, Question, Schema
from rulekit.play.state import counter_rng

ENDLESS = 3
"""As `ir.Status` has it."""


@frozen
class Module:
    """A module of WebAssembly as wasmtime keeps it, and what must be known of it.

    exchange, sums:  where these lie in its memory.  room: bytes of the exchange; memory: bytes that are reserved.
    """

    code: bytes = field(repr=False)
    exchange: int
    sums: int
    room: int
    memory: int
    sheet: Schema


def plain_module(of: Module) -> dict[str, Any]:
    """What is known of a module, as plain values, without its code."""
    sheet = of.sheet
    return {
        "places": [of.exchange, of.sums, of.room, of.memory],
        "title": sheet.title,
        "author": sheet.author,
        "seats": list(sheet.seats),
        "players": sheet.players,
        "measures": [list(one) for one in sheet.measures],
        "figures": sheet.figures,
        "questions": [[one.name, one.rule, one.line] for one in sheet.questions],
        "groups": [[g.kind, g.name, g.line, list(g.labels), list(g.owned), g.named] for g in sheet.groups],
    }


def module_from_plain(code: bytes, data: dict[str, Any]) -> Module:
    """The module of which `plain_module` made these values.  Errors: KeyError, TypeError, ValueError for others."""
    sheet = Schema(
        title=data["title"],
        author=data["author"],
        seats=tuple(data["seats"]),
        players=data["players"],
        measures=tuple((name, seat) for name, seat in data["measures"]),
        figures=data["figures"],
        questions=tuple(Question(*one) for one in data["questions"]),
        groups=tuple(
            Group(kind, name, line, tuple(a), tuple(b), named) for kind, name, line, a, b, named in data["groups"]
        ),
    )
    exchange, sums, room, memory = data["places"]
    return Module(code, exchange, sums, room, memory, sheet)


@define(eq=False)
class CachedSeries:
    """A series as `tools.series.simulation` has them, but rows hold status and decisions alone."""

    module: Module
    seed: str
    ready: Any
    engine: str = field(init=False, default="wasm")
    store: Any = field(init=False, repr=False)
    exports: Any = field(init=False, repr=False)
    memory: memoryview[int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        import wasmtime

        engine, module = self.ready
        self.store = wasmtime.Store(engine)
        never = wasmtime.Func(self.store, wasmtime.FuncType([], []), lambda: None)
        self.exports = wasmtime.Instance(self.store, module, [never]).exports(self.store)
        start = ctypes.addressof(self.exports["memory"].data_ptr(self.store).contents)
        self.memory = memoryview((ctypes.c_char * self.module.memory).from_address(start)).cast("B").cast("q")

    def twin(self) -> CachedSeries:
        """The same series for another thread."""
        return CachedSeries(self.module, self.seed, self.ready)

    def rows(self, first: int, count: int, words: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
        """Status and decisions of each match."""
        assert not words
        made: list[tuple[int, ...]] = []
        while len(made) < count:
            values = self._batch(first + len(made), min(count - len(made), self.module.room // 16))
            made += zip(values[::2], values[1::2], strict=True)
        return made

    def _batch(self, first: int, count: int) -> list[int]:
        import wasmtime

        seed = counter_rng.seed_number(self.seed)
        ended: list[int] = []
        try:
            self.exports["playouts"](self.store, (seed + 2**63) % 2**64 - 2**63, first, count, 0)
        except wasmtime.Trap:
            assert self._number("overfull")
            ended = [ENDLESS, self._number("decisions")]
        return self._read(self.module.exchange, 2 * self._number("done")) + ended

    def sums(self) -> list[int]:
        cells = self.module.sheet.cells()
        found = self._read(self.module.sums, len(cells))
        place = self.module.sums >> 3
        for number, value in enumerate(cells, place):
            self.memory[number] = value
        return found

    def _number(self, name: str) -> int:
        return int(self.exports[name].value(self.store))

    def _read(self, address: int, count: int) -> list[int]:
        return self.memory[address >> 3 : (address >> 3) + count].tolist()


def open_series(module: Module, seed: str) -> CachedSeries:
    """A series in a cached module.

    Errors: ImportError without wasmtime; whatever wasmtime says of code that another one made.
    """
    import wasmtime

    config = wasmtime.Config()
    config.memory_may_move = False
    engine = wasmtime.Engine(config)
    return CachedSeries(module, seed, (engine, wasmtime.Module.deserialize(engine, module.code)))
