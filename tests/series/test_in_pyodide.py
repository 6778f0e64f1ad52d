"""The wheel in a browser's Python: without processes, threads and wasmtime, games are checked and played all the same.

RULEKIT_PYODIDE names a folder with a wheel of rulekit and `node_modules/pyodide`; `.ci/run` makes one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement

from tests import paths
from tests.extras import needs
from tests.series.test_without_webassembly import SLOWER, told

pytestmark = needs("pyodide")

THERE = {"sys_platform": "emscripten", "platform_machine": "wasm32", "python_version": "3.14", "extra": ""}
TIGER = "games/fuzzy_tiger.rules"
SERIES = ("--seed", "a", "--games", "20", "--json")


def copy_packages(requirements: list[str], folder: Path, known: set[str]) -> None:
    """What a wheel requires there, and what that requires: all of it pure Python, so taken from here."""
    for one in map(Requirement, requirements):
        if one.name in known or (one.marker is not None and not one.marker.evaluate(THERE)):
            continue
        known.add(one.name)
        found = metadata.distribution(one.name)
        for file in found.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(found.locate_file(file), folder / file)
        copy_packages(found.requires or [], folder, known)


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and what it needs, as pip would lay them out there."""
    folder = tmp_path_factory.mktemp("packages")
    (wheel,) = Path(os.environ["RULEKIT_PYODIDE"]).glob("rulekit_games-*.whl")
    zipfile.ZipFile(wheel).extractall(folder)
    (about,) = folder.glob("rulekit_games-*.dist-info")
    known: set[str] = set()
    copy_packages(metadata.Distribution.at(about).requires or [], folder, known)
    assert "lark" in known
    assert "wasmtime" not in known
    return folder


def in_pyodide(packages: Path, *commands: tuple[str, ...]) -> list[Any]:
    """Exit code, standard output and standard error of each command."""
    pyodide = Path(os.environ["RULEKIT_PYODIDE"]) / "node_modules" / "pyodide"
    words = ["node", str(Path(__file__).with_name("in_pyodide.mjs")), str(pyodide), str(packages), json.dumps(commands)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_games_are_checked_played_and_searched_there(packages: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(paths.ROOT)
    here = told("simulate", TIGER, *SERIES)
    checked, simulated, run = in_pyodide(
        packages,
        ("check", TIGER),
        ("simulate", TIGER, *SERIES),
        ("run", TIGER, "--seats", "mcts:3", "--seed", "a"),
    )
    assert checked == [0, "1 file: nothing found\n", ""]
    line = f"{SLOWER}there is no WebAssembly engine for this Python on emscripten wasm32\n"
    assert simulated[0] == 0
    assert json.loads(simulated[1]) == {**here, "engine": "interpreter"}
    assert simulated[2] == line
    assert run[0] == 0
    assert run[2] == line
