"""A cache of compiled modules: series that run in a WebAssembly module compiled before, without the game or its plan.

Imports little, since it is there for runs that are over in a moment.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.counting.schema import Group, Question, Schema
from rulekit.compiler.runtime import wasm_host
from rulekit.compiler.runtime.wasm_host import Host, Instance, Rows, SeriesPlaces
from rulekit.play.state import counter_rng
from rulekit.values import asdict, define, field, frozen


@frozen
class Module:
    """A module of WebAssembly as wasmtime keeps it, and what must be known of it."""

    code: bytes = field(repr=False)
    places: SeriesPlaces
    sheet: Schema


def plain_module(of: Module) -> dict[str, Any]:
    """What is known of a module, as plain values, without its code."""
    return {"places": tuple(asdict(of.places).values()), "sheet": asdict(of.sheet)}


def module_from_plain(code: bytes, data: dict[str, Any]) -> Module:
    """The module of which `plain_module` made these values.  Errors: KeyError, TypeError, ValueError for others."""
    sheet = data["sheet"]
    lists = {
        "seats": tuple(sheet["seats"]),
        "teams": tuple(map(tuple, sheet["teams"])),
        "together": tuple(sheet["together"]) if sheet["together"] else None,
        "measures": tuple((name, seat) for name, seat in sheet["measures"]),
        "questions": tuple(Question(**one) for one in sheet["questions"]),
        "groups": tuple(
            Group(**one | {name: tuple(one[name]) for name in ("labels", "owned", "barred")}) for one in sheet["groups"]
        ),
    }
    return Module(code, SeriesPlaces(*data["places"]), Schema(**sheet | lists))


@define(eq=False)
class CachedSeries(Instance):
    """A series as `tools.series.simulation` has them, without the game that could name its words."""

    module: Module
    seed: str
    host: Host
    ready: Any
    tests_all: bool = field(init=False, default=False)
    engine: str = field(init=False, default="wasm")

    def __attrs_post_init__(self) -> None:
        self.start(self.host, self.ready, lambda: None)

    def twin(self) -> CachedSeries:
        """The same series for another thread.  Errors: `Missing` where nothing is left for another memory."""
        twin = CachedSeries(self.module, self.seed, self.host, self.ready)
        if self.tests_all:
            twin.test_all()
        return twin

    def interrupt(self) -> None:
        """From any thread: let `rows` raise `Interrupted`, in the middle of a match too, until `go_on`."""
        self.request_stop()

    def go_on(self) -> None:
        self.clear_stop_request()

    def test_all(self) -> None:
        self.tests_all = True
        super().test_all()

    def rows(self, first: int, count: int, words: tuple[int, ...] = ()) -> Rows:
        """Status and decisions of each match, and these words of the storage at its end."""
        return self.series(self.module.places, counter_rng.seed_number(self.seed), first, count, words)

    def sums(self) -> list[int]:
        return self.taken_sums(self.module.places, self.module.sheet.cells())


def open_series(module: Module, seed: str, host: Host) -> CachedSeries:
    """A series in a cached module.

    Errors: `Missing` where its memory cannot be had; whatever wasmtime says of code that another one made.
    """
    return CachedSeries(module, seed, host, wasm_host.package().Module.deserialize(host.engine, module.code))
