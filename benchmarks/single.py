"""Ratios of two things that happen once: copying a match, starting a series, compiling, working in threads."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from tempfile import TemporaryDirectory
from typing import Any

import rulekit
from benchmarks.contenders import NUMBER, handmade
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.compiler.wasm import backend
from rulekit.compiler.wasm.stepping import WasmStepping, stepping

ROOT = Path(__file__).parent.parent
GAMES = sorted((ROOT / "games").glob("*.rules"))


def singles(rounds: int) -> Iterator[str]:
    for path in GAMES:
        name = f"{path.stem}: copy of a match / copy of a list of as many integers"
        yield line(name, copying(path, rounds), "≤ 20", "≤ 1.5")
    for path in GAMES:
        name = f"{path.stem}: simulations of a search of 200 / playouts"
        yield line(name, searches(path, rounds), "≥ 0.3", "≥ 0.9")
    for path in GAMES:
        first, again = starting(path, rounds)
        yield line(f"{path.stem}: simulate --games 1000, the first time / starting Python", first, "≤ 60", "≤ 15")
        yield line(f"{path.stem}: simulate --games 1000, with a kept module / starting Python", again, "≤ 60", "≤ 15")
    for path in GAMES:
        yield line(f"{path.stem}: compiling / `rulekit check`", compiling(path, rounds), "≤ 1", "≤ 1")
    if gains := threads(rounds):
        yield line("two threads / one, over the same of C by hand", gains, "≥ 0.9", "≥ 0.98")


def line(name: str, ratios: list[float], gate: str, aim: str) -> str:
    return f"| {name} | {statistics.median(ratios):.3g} | {min(ratios):.3g} to {max(ratios):.3g} | {gate} | {aim} |"


def best(action: Callable[[], object], times: int) -> float:
    """Seconds for one, the least of five runs of so many."""
    found = []
    for _ in range(5):
        before = time.process_time()
        for _ in range(times):
            action()
        found.append((time.process_time() - before) / times)
    return min(found)


def copying(path: Path, rounds: int) -> list[float]:
    """A match in its middle: saved and taken up again, so that both can go on."""
    rules = rulekit.load(path)
    plan, _ = lowered(rules, {}, max(rules.least, 3))
    machine = stepping(plan)
    status, asked = machine.begin(NUMBER), 0
    while status == Status.WAITING and asked < 60:
        question = machine.waiting()
        several = plan.asks[question.ask].form == "several"
        status, asked = machine.resume(tuple(range(question.least)) if several else 0), asked + 1
    if status != Status.WAITING:
        machine.begin(NUMBER)
    integers = list(range(len(machine.words()) + sum(len(one) for one in machine.lists())))
    return [best(lambda: machine.restore(machine.saved()), 500) / best(integers.copy, 5000) for _ in range(rounds)]


def searches(path: Path, rounds: int) -> list[float]:
    """Searches begun at some ten decisions of one match, from the first to near the end; playouts are whole matches."""
    rules = rulekit.load(path)
    seats = min(rules.most, 4)
    plain = backend.compiled(lowered(rules, {}, seats)[0]).machine()
    plan, _ = lowered(rules, {}, seats, searching=True)
    machine = stepping(plan)
    positions = _positions(machine)
    count = 200 * len(positions)

    def search() -> None:
        for position in positions:
            machine.search([position], NUMBER, 0, 200)
            machine.weighed(position)

    return [
        best(lambda: plain.playouts(NUMBER, 0, 200, ()), 1) / 200 / (best(search, 1) / count) for _ in range(rounds)
    ]


def _positions(machine: WasmStepping) -> list[Any]:
    """Of a match in which everybody takes the answer of a fixed number."""
    found, status = [], machine.begin(NUMBER)
    while status == Status.WAITING:
        found.append(machine.saved())
        asked, mark = machine.waiting(), 7 * len(found)
        several = machine.plan.asks[asked.ask].form == "several"
        status = machine.resume(tuple(range(asked.least)) if several else mark % len(asked.options))
    return found[:: max(1, len(found) // 10)]


def starting(path: Path, rounds: int) -> tuple[list[float], list[float]]:
    """The first run of a game, with an empty cache, and the next, in processes of their own, by processor time."""
    command = [sys.executable, "-m", "rulekit", "simulate", str(path), "--games", "1000"]
    first, again = list[float](), list[float]()
    with TemporaryDirectory() as folder:
        kept = _as_installed(folder)
        _processor(command, kept | {"RULEKIT_CACHE": ""})
        for number in range(rounds):
            kept["RULEKIT_CACHE"] = f"{folder}/{number}"
            bare = min(_processor([sys.executable, "-c", "pass"], kept) for _ in range(5))
            first.append(_processor(command, kept) / bare)
            again.append(_processor(command, kept) / bare)
    return first, again


def _as_installed(folder: str) -> dict[str, str]:
    """An environment in which Python finds its files compiled, as pip leaves them, once they were run."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return kept | {"PYTHONPYCACHEPREFIX": f"{folder}/bytecode"}


def _processor(command: list[str], environment: dict[str, str]) -> float:
    before = getrusage(RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=environment)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def compiling(path: Path, rounds: int) -> list[float]:
    """Of processor time, that of all threads."""
    check = [sys.executable, "-m", "rulekit", "check", str(path)]
    rules = rulekit.load(path)

    def compile_() -> None:
        plan, _ = lowered(rules, {}, max(rules.least, 3))
        backend.compiled(plan).machine()

    found = []
    with TemporaryDirectory() as folder:
        kept = _as_installed(folder)
        _processor(check, kept)
        for _ in range(rounds):
            before = time.process_time()
            compile_()
            took = time.process_time() - before
            found.append(took / _processor(check, kept))
    return found


def threads(rounds: int) -> list[float]:
    """What two threads gain over one, over what two native threads gain in the same round."""
    made = backend.compiled(lowered(rulekit.load(ROOT / "games/fuzzy_tiger.rules"), {}, 4)[0])
    machines = [made.machine(), made.machine()]
    names = ("red", "blue", "green", "yellow")
    natives = [handmade(names, None)[-1] for _ in range(2)]
    if natives[0].name != "C by hand":
        return []
    ours = [lambda one=one: one.playouts(NUMBER, 0, 20_000, ()) for one in machines]
    theirs = [lambda one=one: one.run(0, 40_000) for one in natives]
    return [_gain(ours) / _gain(theirs) for _ in range(rounds)]


def _gain(works: Sequence[Callable[[], object]]) -> float:
    """How many times as much two threads do, by the best of three each, since others take time away; 2 at best."""
    both, alone = (min(_took(some) for _ in range(3)) for some in (works, works[:1]))
    return 2 * alone / both


def _took(works: Sequence[Callable[[], object]]) -> float:
    """In seconds by the clock, each in a thread of its own."""
    threads = [threading.Thread(target=work) for work in works]
    before = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.perf_counter() - before
