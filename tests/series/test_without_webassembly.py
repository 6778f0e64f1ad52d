"""Where wasmtime is absent or cannot start: the interpreter plays, the figures are the same, and one line says so."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

import pytest
from click.testing import CliRunner, Result

from rulekit.apps import console
from rulekit.apps.commands import cli
from rulekit.apps.series.batches import batches_of
from rulekit.compiler import compiler_faults
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.runtime import wasm_host
from rulekit.compiler.runtime.wasm_host import MOST, Missing
from rulekit.compiler.wasm import backend
from rulekit.tools.series import simulation
from tests import paths
from tests.generators.random_matches import game

TIGER, GOATS = str(paths.GAMES / "fuzzy_tiger.rules"), str(paths.EXAMPLES / "goat_path.rules")
SEEDED = ("--seed", "a", "--games", "12", "--json")
SLOWER = "played in the interpreter, which is slower: "

RULES = """game "Gifts"
    players 2..3
option gift "What does the first player begin with?" 0..6 default 0
unclear ties "Who wins of those who have the same?"
    all "all of them" default
    none "nobody"
each player has
    counter wealth 0..40
setup
    raise starter.wealth by gift
play
    each player
        player chooses n from 0..3 "How much?"
        raise player.wealth by n                                   @G-1
    if ties is none and starter.wealth is 3: defeat players
> G-1 In turn, everybody takes what is wanted.
result
    rank players by highest wealth
"""
HIDDEN = {
    "not installed": "raise ModuleNotFoundError('No module named wasmtime')",
    "a wheel without native code": "raise RuntimeError('unsupported architecture for wasmtime: riscv64')",
    "a library that cannot be loaded": "raise OSError('_libwasmtime.so: cannot open shared object file')",
    "without memory": "raise MemoryError",
}


def hide(how: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From here on `import wasmtime` does what it does where wasmtime does not run."""
    (folder / "wasmtime.py").write_text(HIDDEN[how], encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    for name in [known for known in sys.modules if known.partition(".")[0] == "wasmtime"]:
        monkeypatch.delitem(sys.modules, name)


@pytest.fixture
def hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    return lambda how="not installed": hide(how, tmp_path, monkeypatch)


def rulekit(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), catch_exceptions=False)


def told(*words: str) -> Any:
    run = rulekit(*words)
    assert run.exit_code == 0, run.output
    return json.loads(run.stdout)


@pytest.fixture
def gifts(tmp_path: Path) -> str:
    file = tmp_path / "gifts.rules"
    file.write_text(RULES, encoding="utf-8")
    return str(file)


SERIES = {
    "simulate": ("simulate", TIGER, *SEEDED),
    "sweep": ("sweep", "GIFTS", "--option", "gift=0..2", *SEEDED),
    "tune": ("tune", "GIFTS", "--option", "gift=0..2", *SEEDED, "--trials", "4", "--target", "ties 0%"),
    "compare": ("compare", "GIFTS", "--b", "gift=1", *SEEDED),
    "coverage": ("text", "coverage", "GIFTS", "--games", "20", "--seed", "a", "--json"),
    "unclear": ("text", "unclear", "GIFTS", "--games", "20", "--json"),
    "pin": ("text", "pin", "GIFTS", "--clause", "G-1", "--games", "5", "--json"),
    "witness": ("text", "witness", "GIFTS", "G-1", "--games", "20", "--json"),
    "diff": ("diff", "GIFTS", "--b", "gift=1", "--games", "20", "--json"),
}


@pytest.mark.parametrize("command", SERIES)
def test_the_interpreter_gives_the_same_and_one_line_says_so(
    command: str, gifts: str, hidden: Callable[..., None]
) -> None:
    words = [gifts if word == "GIFTS" else word for word in SERIES[command]]
    compiled = rulekit(*words)
    hidden()
    interpreted = rulekit(*words)
    assert compiled.stderr == ""
    assert interpreted.stderr == f"{SLOWER}WebAssembly needs the package wasmtime; pip install wasmtime\n"
    assert interpreted.exit_code == compiled.exit_code
    assert interpreted.stdout == compiled.stdout.replace('"engine": "wasm"', '"engine": "interpreter"')


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("not installed", "WebAssembly needs the package wasmtime; pip install wasmtime"),
        ("a wheel without native code", "there is no WebAssembly engine for this Python on "),
        ("a library that cannot be loaded", "the package wasmtime does not start (_libwasmtime.so: cannot open"),
        ("without memory", "the package wasmtime does not start (MemoryError); "),
    ],
)
def test_however_it_is_absent(how: str, reason: str, gifts: str, hidden: Callable[..., None]) -> None:
    hidden(how)
    assert simulation.series(game(Path(GOATS)), {}, 2, "a").engine == "interpreter"
    for words in (
        ("simulate", GOATS, "--games", "3"),
        ("simulate", GOATS, "--games", "1", "--bots", "mcts:2"),
        ("sweep", gifts, "--option", "gift=0..1", "--games", "2"),
        ("run", GOATS, "--seats", "mcts:2,mcts:2,greedy", "--seed", "a"),
    ):
        run = rulekit(*words)
        assert run.exit_code == 0
        assert run.stderr.startswith(SLOWER + reason)
        assert run.stderr.count("\n") == 1


def test_who_asks_for_webassembly_is_told_what_is_missing(hidden: Callable[..., None]) -> None:
    hidden()
    run = CliRunner().invoke(cli, ["simulate", TIGER, "--games", "2", "--engine", "wasm"])
    assert str(run.exception) == (
        "error: WebAssembly needs the package wasmtime; pip install wasmtime; or use --engine auto"
    )


def test_nothing_is_said_where_nothing_would_be_faster(hidden: Callable[..., None]) -> None:
    hidden()
    for words in (("simulate", GOATS, "--games", "2", "--engine", "interpreter"), ("run", GOATS, "--seats", "greedy")):
        assert rulekit(*words).stderr == ""


@pytest.mark.parametrize("command", ["simulate", "compare", "sweep", "tune"])
def test_the_engine_that_was_withdrawn_says_what_plays_now(command: str) -> None:
    run = rulekit(command, TIGER, "--engine", "python")
    assert run.exit_code == 2
    assert "Python made of rules is no engine any more; leave --engine out" in run.stderr


# ---------------------------------------------------------------- memory


def limited(kilobytes: int, *words: str) -> subprocess.CompletedProcess[str]:
    """A command with as few addresses as `ulimit -v` leaves it."""
    size = kilobytes * 1024
    return subprocess.run(
        [sys.executable, "-m", "rulekit", *words],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size)),
    )


@pytest.mark.parametrize("words", [("--jobs", "1"), ("--jobs", "8")])
def test_with_few_addresses_the_same_matches_are_played(words: tuple[str, ...]) -> None:
    run = limited(3_000_000, "simulate", TIGER, *SEEDED, *words)
    assert run.stderr == ""
    assert json.loads(run.stdout) == told("simulate", TIGER, *SEEDED)


def test_where_no_memory_can_be_reserved_the_interpreter_plays() -> None:
    run = limited(400_000, "simulate", TIGER, *SEEDED)
    assert run.stderr == f"{SLOWER}WebAssembly needs 512 MiB of addresses; raise the limit of memory (ulimit -v)\n"
    assert json.loads(run.stdout) == {**told("simulate", TIGER, *SEEDED), "engine": "interpreter"}


def test_where_nothing_is_left_at_all_it_says_so_in_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    def too_much() -> None:
        raise MemoryError

    assert console.guarded(too_much, debug=False) == console.LIMIT
    assert capsys.readouterr().err == "error: not enough memory\n"


def test_each_size_has_a_module_of_its_own_in_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    whole = told("simulate", TIGER, *SEEDED)
    for few, modules in ((True, 2), (False, 2), (True, 2)):
        monkeypatch.setattr(wasm_host, "_is_limited", lambda few=few: few)
        assert told("simulate", TIGER, *SEEDED) == whole
        assert len(list((tmp_path / "cache").glob("*.module"))) == modules


class Alone:
    """A series for which no twin can be made, and which nobody may use while somebody does."""

    engine = "wasm"

    def __init__(self) -> None:
        self.mine, self.asked = Lock(), 0

    def twin(self) -> None:
        self.asked += 1
        raise Missing("nothing is left")

    def rows(self, first: int, count: int, words: tuple[int, ...]) -> list[tuple[int, ...]]:
        assert self.mine.acquire(blocking=False)
        time.sleep(0.002)
        self.mine.release()
        return [(0, first + number) for number in range(count)]

    def sums(self) -> list[int]:
        return []

    def interrupt(self) -> None: ...

    def go_on(self) -> None: ...


def test_threads_for_which_there_is_no_memory_share_a_machine() -> None:
    alone = Alone()
    played = [row for batch in batches_of(alone, 100_000, 4) for row in batch.rows]
    assert played == [(0, number) for number in range(100_000)]
    assert alone.asked


def test_a_memory_with_few_addresses_grows_to_the_same_size(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wasm_host, "_is_limited", lambda: True)
    host = wasm_host.host()
    text = '(module (import "" "" (func)) (memory (export "memory") 1 8192) (func (export "grow") (result i32) '
    module = wasm_host.compiled(host, f"{text} (memory.grow (i32.const 8191))))")
    made = wasm_host.Instance()
    made.start(host, module, lambda: None)
    assert host.reserved == MOST
    assert made.exports["grow"](made.store) == 1
    made.memory[(MOST >> 3) - 1] = 7
    assert made.memory[(MOST >> 3) - 1] == 7


def test_where_not_all_addresses_can_be_had_fewer_are_reserved(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [False, True]
    monkeypatch.setattr(wasm_host, "_can_reserve", lambda engine: answers.pop(0))
    assert wasm_host.host().reserved == MOST


def test_where_no_machine_code_can_be_made_the_interpreter_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    wasmtime = wasm_host.package()

    def refuses(*_: Any) -> None:
        raise wasmtime.WasmtimeError("failed to make memory executable\nfor some reason")

    monkeypatch.setattr(wasmtime, "Module", refuses)
    one = simulation.series(game(Path(GOATS)), {}, 2, "a")
    assert (one.engine, one.why) == (
        "interpreter",
        "WebAssembly cannot start here (failed to make memory executable)",
    )


def test_where_the_compiler_itself_fails_the_interpreter_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise RuntimeError("type mismatch: expected i64, found i32")

    monkeypatch.setattr(backend, "compiled", fails)
    monkeypatch.delenv(compiler_faults.STRICT)
    one = simulation.series(game(Path(GOATS)), {}, 2, "a")
    assert (one.engine, one.why) == (
        "interpreter",
        "no compiled engine can say this game, by a fault of ours (RuntimeError)",
    )
    with pytest.raises(Unsupported):
        simulation.series(game(Path(GOATS)), {}, 2, "a", "wasm")


def test_a_module_that_is_wrong_is_our_own_fault() -> None:
    with pytest.raises(wasm_host.package().WasmtimeError):
        wasm_host.compiled(wasm_host.host(), "(module (nonsense))")
