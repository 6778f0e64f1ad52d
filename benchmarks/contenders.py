"""Who is measured: rulekit's engines, and programs written by hand for one game."""

from __future__ import annotations

import ctypes
import importlib.util
import shutil
import subprocess
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from benchmarks import by_hand
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.wasm import backend
from rulekit.compiler.wasm.stepping import stepping
from rulekit.model.game import Game
from rulekit.play.state import counter_rng
from rulekit.tools.series import simulation
from rulekit.values import frozen

HERE = Path(__file__).parent
SEED = "benchmark"
NUMBER = counter_rng.seed_number(SEED)


@frozen
class Contender:
    """run: plays matches from the first-th on, so many; gives how many decisions were made (0: not known)."""

    name: str
    run: Callable[[int, int], int]


@frozen
class Rate:
    """Per second of processor: matches, and decisions (None where nobody counts them)."""

    matches: float
    decisions: float | None


def rate(contender: Contender, seconds: float) -> Rate:
    """Runs of growing size until one takes half of `seconds`; the last one counts."""
    count, first = 1, 0
    while True:
        before = time.process_time()
        decisions = contender.run(first, count)
        took = time.process_time() - before
        if took >= seconds / 2:
            return Rate(count / took, decisions / took if decisions else None)
        first += count
        count = max(2 * count, min(16 * count, int(count * seconds / max(took, 1e-6))))


# ---------------------------------------------------------------- our engines


def engines(game: Game, seats: int) -> list[Contender]:
    """The compiled engines without statistics, and the fastest with those of `rulekit simulate`."""
    plan, _ = lowered(game, {}, seats)
    counted = simulation.series(game, {}, seats, SEED, "wasm")
    return [
        compiled("WebAssembly", backend.compiled(plan).machine()),
        Contender("WebAssembly, counting", lambda first, count: _counted(counted, first, count)),
    ]


def compiled(name: str, machine: Any) -> Contender:
    return Contender(name, lambda first, count: sum(row[1] for row in machine.playouts(NUMBER, first, count, ())))


def search(game: Game, seats: int) -> Contender:
    """Simulations of a search from the opening, in place of matches."""
    machine = stepping(lowered(game, {}, seats, searching=True)[0])
    machine.begin(NUMBER)
    opening = machine.saved()
    return Contender("search", lambda first, count: 0 * machine.search([opening], first, 0, count))


def _counted(one: simulation.Series, first: int, count: int) -> int:
    decisions = sum(row[1] for row in one.rows(first, count, ()))
    one.sums()
    return decisions


# ---------------------------------------------------------------- by hand


def handmade(names: tuple[str, ...], folder: Path | None) -> list[Contender]:
    """Our own programs for one game, and somebody else's: `ft_bespoke.py` and `ft.c` in a folder."""
    found = [Contender("Python by hand", lambda first, count: sum(m.decisions for m in _matches(names, first, count)))]
    found += _in_c(names)
    return found + (_yardsticks(folder) if folder else [])


def _matches(names: tuple[str, ...], first: int, count: int) -> Any:
    return by_hand.matches(names, NUMBER, first, count)


def _in_c(names: tuple[str, ...]) -> list[Contender]:
    library = built(HERE / "by_hand.c")
    if library is None:
        return []
    return [
        Contender("C by hand", lambda first, count: _playouts(library, names, NUMBER, first, count)[0]),
    ]


def in_c(library: ctypes.CDLL, names: tuple[str, ...], seed: int, first: int, count: int) -> list[tuple[int, ...]]:
    """Of each match the decisions, and by seat the place (0: defeated)."""
    made, width = _playouts(library, names, seed, first, count)[1], len(names) + 1
    return [tuple(made[at : at + width]) for at in range(0, count * width, width)]


def _playouts(library: ctypes.CDLL, names: tuple[str, ...], seed: int, first: int, count: int) -> tuple[int, Any]:
    library.playouts.restype = ctypes.c_int64
    streams = (ctypes.c_uint64 * len(names))(*(counter_rng.stream_number(f"bot:{name}") for name in names))
    made = (ctypes.c_int32 * (count * (len(names) + 1)))()
    numbers = ctypes.c_uint64(seed), ctypes.c_int64(first), ctypes.c_int64(count)
    return int(library.playouts(*numbers, len(names), streams, made)), made


def built(source: Path) -> ctypes.CDLL | None:
    """A C file as a library; None where there is no compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    to = (
        Path(tempfile.mkdtemp(prefix="rulekit-benchmark-")) / f"{source.stem}{sysconfig.get_config_var('SHLIB_SUFFIX')}"
    )
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", str(to), str(source)], check=True)
    return ctypes.CDLL(str(to))


def _yardsticks(folder: Path) -> list[Contender]:
    """They count no decisions, so they are compared by matches."""
    module = _module(folder / "ft_bespoke.py")
    found = [Contender("yardstick in Python", lambda first, count: _bespoke(module, first, count))]
    library = built(folder / "ft.c")
    if library is not None:
        wins = (ctypes.c_int64 * 4)()

        def run(first: int, count: int) -> int:
            library.playouts(ctypes.c_int64(count), ctypes.c_uint64(first), wins)
            return 0

        found.append(Contender("yardstick in C", run))
    return found


def _bespoke(module: ModuleType, first: int, count: int) -> int:
    module.playouts(count, first)
    return 0


def _module(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
