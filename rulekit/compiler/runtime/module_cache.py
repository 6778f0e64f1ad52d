"""A cache of compiled modules: series that run in a WebAssembly module compiled before, without the game or its plan.

Imports little, since it is there for runs that are over in a moment.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from rulekit.compiler.lower.counting.schema import Group, Question, Schema
from rulekit.compiler.runtime import wasm_host
from rulekit.compiler.runtime.wasm_host import Host
from rulekit.play.state import counter_rng

ENDLESS = 3
"""As `ir.Status` has it."""


@frozen
class Module:
    """A module of WebAssembly as wasmtime keeps it, and what must be known of it.

    exchange, sums:  where these lie in its memory.  room: bytes of the exchange.
    """

    code: bytes = field(repr=False)
    exchange: int
    sums: int
    room: int
    sheet: Schema


def plain_module(of: Module) -> dict[str, Any]:
    """What is known of a module, as plain values, without its code."""
    sheet = of.sheet
    return {
        "places": [of.exchange, of.sums, of.room],
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
    exchange, sums, room = data["places"]
    return Module(code, exchange, sums, room, sheet)


@define(eq=False)
class CachedSeries:
    """A series as `tools.series.simulation` has them, but rows hold status and decisions alone."""

    module: Module
    seed: str
    host: Host
    ready: Any
    engine: str = field(init=False, default="wasm")
    store: Any = field(init=False, repr=False)
    exports: Any = field(init=False, repr=False)
    memory: memoryview[int] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        started = wasm_host.instance(self.host, self.ready, lambda: None)
        self.store, self.exports, self.memory = started.store, started.exports, started.memory

    def twin(self) -> CachedSeries:
        """The same series for another thread.  Errors: `Missing` where nothing is left for another memory."""
        return CachedSeries(self.module, self.seed, self.host, self.ready)

    def rows(self, first: int, count: int, words: tuple[int, ...] = ()) -> list[tuple[int, ...]]:
        """Status and decisions of each match."""
        assert not words
        made: list[tuple[int, ...]] = []
        while len(made) < count:
            values = self._batch(first + len(made), min(count - len(made), self.module.room // 16))
            made += zip(values[::2], values[1::2], strict=True)
        return made

    def _batch(self, first: int, count: int) -> list[int]:
        seed = counter_rng.seed_number(self.seed)
        ended: list[int] = []
        try:
            self.exports["playouts"](self.store, (seed + 2**63) % 2**64 - 2**63, first, count, 0)
        except wasm_host.package().Trap:
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


def open_series(module: Module, seed: str, host: Host) -> CachedSeries:
    """A series in a cached module.

    Errors: `Missing` where its memory cannot be had; whatever wasmtime says of code that another one made.
    """
    return CachedSeries(module, seed, host, wasm_host.package().Module.deserialize(host.engine, module.code))
