"""The house: which room may import which, who may touch the world, and no game in the engine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "rulekit"
ROOMS = (
    "values",
    "source",
    "limits",
    "diagnostics",
    "library",
    "syntax",
    "model",
    "loading",
    "play",
    "fast",
    "record",
    "bots",
    "tools",
    "apps",
)
"""A room imports only from itself and from rooms before it."""
OUTSIDE = {
    "lark": "syntax/lark_tables.py",
    "cattrs": "record/codec.py",
    "wasmtime": "compiler/wasm/backend.py compiler/runtime/module_cache.py",
    "polib": "tools/language/po_files.py",
    "optuna": "apps/series/tune.py",
    "pyarrow": "apps/series/output_folder.py",
    "joblib": "apps/series/batches.py",
    "distributed": "apps/series/batches.py",
    "text_to_num": "tools/audit/numeral_parsing.py",
}
WORLD = {"open", "print", "input"}
CLOCKS = {"time", "random", "datetime", "locale", "secrets", "socket", "subprocess"}
NEVER = {"eval", "exec", "compile", "__import__"}
EXECUTES = ("play/jit/code_execution.py", {"exec", "compile"})
"""The one module that runs text as a program, and how."""
NEVER_MODULES = {"pickle", "marshal", "shelve"}

GAME_WORDS = (
    "monkey monkeys tiger whisker whiskers liana lasso frog frogs lotus lily pond moon silly butterfly sheep flock "
    "shear sheared panic lamb ewe roger fence boing fox foxy hen rabbit zebra giraffe dolphin octopus hornochse "
    "hornochsen ox oxen bull bulls pat pats dung eye eyes happy pawn pawns shelter sheltered hypnosis stones charge"
)
"""Titles, cards and pieces of the games that ship, as far as they are no words of games or programs in general."""


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def name(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def room(module: str) -> str:
    return module.split(".")[1] if module.count(".") else ""


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return found


@pytest.mark.parametrize("path", modules(), ids=name)
def test_a_room_imports_only_from_rooms_before_it(path: Path) -> None:
    own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    if own in ("__init__", "__main__"):
        return
    allowed = ROOMS[: ROOMS.index(own) + 1]
    inside = {room(module) for module in imported(path) if module.startswith("rulekit.")}
    assert inside <= set(allowed), f"{name(path)} reaches into {inside - set(allowed)}"


@pytest.mark.parametrize("path", modules(), ids=name)
def test_packages_live_in_one_module_each(path: Path) -> None:
    tops = {module.split(".")[0] for module in imported(path)}
    for package, home in OUTSIDE.items():
        assert package not in tops or name(path) in home.split()


@pytest.mark.parametrize("path", modules(), ids=name)
def test_only_library_and_apps_touch_the_world(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    calls = {n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    assert not calls & (NEVER - EXECUTES[1] if name(path) == EXECUTES[0] else NEVER)
    tops = {module.split(".")[0] for module in imported(path)}
    assert not tops & NEVER_MODULES
    if path.relative_to(PACKAGE).parts[0] in ("library.py", "apps"):
        return
    assert not calls & WORLD
    assert not tops & CLOCKS


def test_no_module_is_a_drawer() -> None:
    stems = {path.stem for path in modules()}
    assert not stems & {"utils", "helpers", "common", "misc"}


def test_apps_do_not_import_one_another() -> None:
    shared = {
        *("cli", "commands", "console", "language", "opened", "progress", "screen", "session"),
        *("kept_modules", "out_folder", "pieces", "series_command", "simulated", "sweeping"),
    }
    for path in (PACKAGE / "apps").glob("*.py"):
        others = {m.split(".")[2] for m in imported(path) if m.startswith("rulekit.apps.")}
        assert path.stem in shared or others <= shared | {"console"}, path.name


@pytest.mark.parametrize("path", [*modules(), *sorted((ROOT / "grammar").glob("*"))], ids=lambda p: p.name)
def test_no_game_lives_in_the_engine(path: Path) -> None:
    words = set(re.findall(r"[a-z]+", path.read_text(encoding="utf-8").lower().replace("_", " ")))
    assert not words & set(GAME_WORDS.split())


def test_imports_make_no_ring() -> None:
    graph = {
        "rulekit." + name(path).removesuffix(".py").replace("/", "."): {
            m for m in _top_imports(path) if m.startswith("rulekit.")
        }
        for path in modules()
    }
    done: set[str] = set()

    def visit(module: str, path: tuple[str, ...]) -> None:
        assert module not in path, " → ".join([*path, module])
        if module not in done:
            for other in graph.get(module, set()):
                visit(other, (*path, module))
            done.add(module)

    for module in graph:
        visit(module, ())


def _top_imports(path: Path) -> set[str]:
    """Modules imported when the module is loaded, not inside functions or for types alone."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            home = PACKAGE.parent / node.module.replace(".", "/")
            inner = {f"{node.module}.{a.name}" for a in node.names if (home / f"{a.name}.py").exists()}
            found |= inner or {node.module}
    return found
