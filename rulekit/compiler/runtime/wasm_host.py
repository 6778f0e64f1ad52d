"""What runs WebAssembly: the one place that imports wasmtime, and knows whether it can start here; or a browser's own.

Imports little, since it is there for runs that are over in a moment.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from struct import pack
from types import SimpleNamespace
from typing import Any

from rulekit.compiler.runtime import browser_engine
from rulekit.compiler.runtime.signal_watch import stop_on_signal
from rulekit.errors import BadInput, Interrupted
from rulekit.library import ABSENT
from rulekit.values import define, field, frozen

MOST = 1 << 29
"""Bytes of a module's memory, at most."""
_PAGE = 65536
_TO_COMPILE = 1 << 27
"""Bytes that compiling takes, and what else a command needs by then."""
_ALL_ADDRESSES = 1 << 32
SYSTEMS = ("linux", "darwin", "win32", "android")
PROCESSORS = ("x86_64", "AMD64", "aarch64", "arm64", "ARM64")
"""For these there is a wasmtime, as `sys.platform` and `platform.machine` call them."""
_SMALLEST = '(module (func (export "nothing")))'


STOP_REQUEST = 16
"""Address of the word by which the host requests a stop; every module reads it before each question and match."""
ENDLESS = 3
"""As `ir.Status` has it."""
Rows = list[tuple[int, ...]]


class Missing(BadInput):
    """Nothing runs WebAssembly here; says why, and what to do about it."""


@frozen
class Host:
    """An engine, which compiles modules and runs them.

    reserved:  bytes of addresses that each memory takes.  With all that a module can name no access is checked, which
               is faster; code that was compiled for one size does not run with another.
    """

    engine: Any
    reserved: int


@frozen
class SeriesPlaces:
    """Where in a module's memory the exchange, the sums of a series and the words of the storage lie.

    room:  bytes of the exchange.
    """

    exchange: int
    sums: int
    room: int
    words: int


def package() -> Any:
    """The package wasmtime.  Errors: `Missing`."""
    try:
        import wasmtime
    except ABSENT as fault:
        raise Missing(_why_absent(fault)) from None
    return wasmtime


def _why_absent(fault: Exception) -> str:
    import platform

    where = f"{sys.platform} {platform.machine()}".strip()
    if isinstance(fault, RuntimeError) or sys.platform not in SYSTEMS or platform.machine() not in PROCESSORS:
        return f"there is no WebAssembly engine for this Python on {where}"
    if isinstance(fault, ModuleNotFoundError):
        return "WebAssembly needs the package wasmtime; pip install wasmtime"
    mend = "raise the limit of memory (ulimit -v)" if _is_limited() else "pip install --force-reinstall wasmtime"
    return f"the package wasmtime does not start ({_first_line(fault)}); {mend}"


def host() -> Host:
    """An engine whose memories can be reserved here.  Errors: `Missing`."""
    if browser_engine.is_here():
        return Host(None, MOST)
    # Where addresses are limited, one memory leaves some to others.
    for reserved in (MOST,) if _is_limited() else (_ALL_ADDRESSES, MOST):
        engine = _engine(reserved)
        if _can_reserve(engine):
            return Host(engine, reserved)
    raise Missing(_WITHOUT_MEMORY)


def _engine(reserved: int) -> Any:
    wasmtime = package()
    config = wasmtime.Config()
    config.memory_may_move = False
    config.memory_reservation = reserved
    if reserved == _ALL_ADDRESSES:
        # What lies at a fixed place far from the begin is not checked either.
        config.memory_guard_size = MOST
    # Every thread that compiles takes addresses, too.
    config.parallel_compilation = not _is_limited()
    return wasmtime.Engine(config)


_WITHOUT_MEMORY = f"WebAssembly needs {MOST >> 20} MiB of addresses; raise the limit of memory (ulimit -v)"


def _is_limited() -> bool:
    try:
        import resource
    except ImportError:
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def _can_reserve(engine: Any) -> bool:
    """Whether there are addresses for a memory, and for whoever compiles what is to run in it."""
    import mmap

    wasmtime = package()
    store, kind = wasmtime.Store(engine), wasmtime.MemoryType(wasmtime.Limits(1, MOST // _PAGE))
    with suppress(wasmtime.WasmtimeError, OSError):
        wasmtime.Memory(store, kind)
        if _is_limited():
            mmap.mmap(-1, _TO_COMPILE).close()
        return True
    return False


def compiled(on: Host, text: str) -> Any:
    """A module of WebAssembly compiled to machine code.  Errors: `Missing` where no machine code can be made."""
    if browser_engine.is_here():
        return _looked_up(text)
    wasmtime = package()
    try:
        return wasmtime.Module(on.engine, text)
    except wasmtime.WasmtimeError:
        _raise_if_it_fails_for_any_module(on)
        raise


def _looked_up(text: str) -> Any:
    try:
        return browser_engine.module(text)
    except browser_engine.NoModule:
        raise Missing("a browser plays only modules that were made for it") from None


def assembled(text: str) -> bytes:
    """A module as bytes, for other engines.  Errors: `Missing`."""
    return bytes(package().wat2wasm(text))


def trap() -> type[Exception]:
    """What is raised where a module stops."""
    made: type[Exception] = browser_engine.trap() if browser_engine.is_here() else package().Trap
    return made


def _raise_if_it_fails_for_any_module(on: Host) -> None:
    wasmtime = package()
    try:
        wasmtime.Module(on.engine, _SMALLEST)
    except wasmtime.WasmtimeError as fault:
        raise Missing(f"WebAssembly cannot start here ({_first_line(fault)})") from None


@define(eq=False)
class Instance:
    """A module at work, with a memory of its own, and the series that it plays.

    memory:  as 64-bit integers; it is reserved as a whole, so that it never moves when it grows.
    """

    store: Any = field(init=False, repr=False)
    exports: Any = field(init=False, repr=False)
    memory: memoryview[int] = field(init=False, repr=False)

    def start(self, on: Host, module: Any, asked: Callable[[], None]) -> None:
        """Get the memory.

        asked:   what the module calls; it must hold no machine alive.
        Errors:  `Missing` where nothing is left for another memory.
        """
        if browser_engine.is_here():
            self.store, self.exports = None, browser_engine.exports(module, asked)
            self.memory = self.exports["memory"]
            return
        import ctypes

        wasmtime = package()
        self.store = wasmtime.Store(on.engine)
        host_function = wasmtime.Func(self.store, wasmtime.FuncType([], []), asked)
        try:
            self.exports = dict(wasmtime.Instance(self.store, module, [host_function]).exports(self.store))
        except wasmtime.WasmtimeError as fault:
            # All that a module asks for is memory.
            why = _WITHOUT_MEMORY if _is_limited() else f"WebAssembly cannot start here ({_first_line(fault)})"
            raise Missing(why) from None
        _keep_types(self.store, [one for one in self.exports.values() if isinstance(one, wasmtime.Func)])
        begin = ctypes.addressof(self.exports["memory"].data_ptr(self.store).contents)
        self.memory = memoryview((ctypes.c_char * MOST).from_address(begin)).cast("B").cast("q")

    def request_stop(self) -> None:
        """From any thread: let what the module runs raise `Interrupted`, until the request is cleared."""
        self.memory[STOP_REQUEST >> 3] = 1

    def clear_stop_request(self) -> None:
        self.memory[STOP_REQUEST >> 3] = 0

    def call(self, name: str, *arguments: int) -> Any:
        """Call an exported function; Ctrl-C and SIGTERM stop it while it runs in the main thread.

        Errors: `Interrupted` where a stop was requested; the engine's trap for everything else that stops it.
        """
        try:
            with stop_on_signal(self.request_stop) as watch:
                return self.exports[name](self.store, *arguments)
        except trap() as stopped:
            if not self.memory[STOP_REQUEST >> 3]:
                raise
            if watch is not None and watch.has_stopped:  # The handler of the signal says what happens next.
                self.clear_stop_request()
            forget_frames(stopped)
            raise Interrupted from None

    def number(self, name: str) -> int:
        """A global of the module."""
        return int(self.exports[name].value(self.store))

    def read(self, address: int, count: int) -> list[int]:
        return self.memory[address >> 3 : (address >> 3) + count].tolist()

    def write(self, address: int, values: Sequence[int]) -> None:
        for place, number in enumerate(values, address >> 3):
            self.memory[place] = number

    def series(self, places: SeriesPlaces, seed: int, first: int, count: int, words: Sequence[int]) -> Rows:
        """Matches of a series: of each its status, how many decisions, and these words of the storage at its end."""
        width, most = 2 + len(words), places.room // 8 - len(words)
        made: Rows = []
        while len(made) < count:
            values = self._batch(places, seed, first + len(made), min(count - len(made), most // width), words)
            made += [tuple(values[start : start + width]) for start in range(0, len(values), width)]
        return made

    def _batch(self, places: SeriesPlaces, seed: int, first: int, count: int, words: Sequence[int]) -> list[int]:
        """At most as many matches as there is room for; fewer where the module paused or had to be ended."""
        self.write(places.exchange, words)
        ended: list[int] = []
        try:
            self.call("playouts", signed(seed), first, count, len(words))
        except trap() as stopped:
            if not self.number("overfull"):
                raise AssertionError("the plan is not valid") from stopped
            forget_frames(stopped)
            self.exports["after"](self.store, ENDLESS, self.number("decisions"))
            ended = [ENDLESS, self.number("decisions"), *(self.read(places.words + 8 * word, 1)[0] for word in words)]
        return self.read(places.exchange + 8 * len(words), (2 + len(words)) * self.number("done")) + ended

    def test_all(self) -> None:
        """Every match of a series is tested for invariants, not a sample of them."""
        self.exports["every"].set_value(self.store, 1)

    def taken_sums(self, places: SeriesPlaces, zero: Sequence[int]) -> list[int]:
        """What the series came to since this was last asked; it begins anew with `zero`."""
        found = self.read(places.sums, len(zero))
        begun = pack(f"<{len(zero)}q", *zero)
        self.memory.cast("B")[places.sums : places.sums + len(begun)] = begun
        return found


def _keep_types(store: Any, functions: Sequence[Any]) -> None:
    """Have the type of each function at hand, which wasmtime works out anew whenever one is called."""
    for one in functions:
        known = SimpleNamespace(params=one.type(store).params, results=one.type(store).results)
        one.type = partial(_same, known)


def _same(known: SimpleNamespace, _: Any) -> SimpleNamespace:
    return known


def forget_frames(stopped: Exception) -> None:
    """A frame of wasmtime holds the trap that it raised; together they would hold the memory of the module."""
    stopped.__traceback__ = None


def signed(number: int) -> int:
    """An unsigned number of 64 bits as the signed one with the same bits."""
    return (number + 2**63) % 2**64 - 2**63


def _first_line(fault: Exception) -> str:
    return str(fault).strip().partition("\n")[0][:200] or type(fault).__name__
