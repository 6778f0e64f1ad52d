"""The wheel in a fresh environment of the oldest and the newest Python that is here: a game played from another folder.

RULEKIT_PYODIDE names a folder with the wheel; `.ci/run` makes one.  What the
wheel requires comes from the package index.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

from tests.extras import needs
from tests.paths import ROOT
from tests.processes import HANG

pytestmark = needs("wheel")

Version = tuple[int, int]
BINARIES = "Scripts" if sys.platform == "win32" else "bin"
OLDEST_ALLOWED: Version = (3, 11)
ASK = "import ensurepip, sys, venv; print(*sys.version_info[:2])"


@cache
def pythons() -> dict[Version, Path]:
    """Every Python here that rulekit allows and that can make environments: on the path, and where pyenv keeps them."""
    kept = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    named = [Path(found) for minor in range(11, 30) if (found := shutil.which(f"python3.{minor}"))]
    found: dict[Version, Path] = {}
    for one in [Path(sys.executable), *named, *sorted(kept.glob("3.*/bin/python"))]:
        asked = subprocess.run([one, "-c", ASK], capture_output=True, text=True, check=False)
        if asked.returncode == 0:
            major, minor = map(int, asked.stdout.split())
            found.setdefault((major, minor), one)
    return {version: one for version, one in found.items() if version >= OLDEST_ALLOWED}


def test_the_oldest_python_is_the_one_that_the_package_allows() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["requires-python"]
    assert stated == f">={OLDEST_ALLOWED[0]}.{OLDEST_ALLOWED[1]}"


@pytest.fixture(scope="module", params=["oldest", "newest"])
def fresh(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the programs of an environment in which nothing but the wheel was asked for."""
    versions = sorted(pythons())
    if request.param == "newest" and len(versions) == 1:
        pytest.skip(f"only Python {versions[0][0]}.{versions[0][1]} is here")
    python = pythons()[versions[0 if request.param == "oldest" else -1]]
    (wheel,) = Path(os.environ["RULEKIT_PYODIDE"]).glob("rulekit_games-*.whl")
    environment = tmp_path_factory.mktemp("fresh") / "environment"
    subprocess.run([python, "-m", "venv", environment], check=True, env=bare(), timeout=HANG)
    programs = environment / BINARIES
    subprocess.run([programs / "python", "-m", "pip", "install", "-q", wheel], check=True, env=bare(), timeout=HANG)
    return programs


def bare() -> dict[str, str]:
    """The environment without what leads Python back to this tree or its packages."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "RULEKIT", "VIRTUAL"))}


def called(programs: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    cache_folder = {"RULEKIT_CACHE": str(folder / "cache")}
    return subprocess.run(
        [programs / "rulekit", *words], cwd=folder, env=bare() | cache_folder, capture_output=True, text=True,
        encoding="utf-8", check=False, timeout=HANG,
    )  # fmt: skip


def here(*words: str) -> str:
    """What the command says in this tree."""
    done = subprocess.run([sys.executable, "-m", "rulekit", *words], cwd=ROOT, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("language", ["en", "it"])
def test_a_game_is_played_by_its_name_as_it_is_here(fresh: Path, language: str, tmp_path: Path) -> None:
    words = ("run", "games/fuzzy_tiger.rules", "--seed", "1", "--lang", language)
    there = called(fresh, tmp_path, *words)
    assert there.returncode == 0, there.stderr
    assert there.stdout == here(*words)
    assert there.stderr.count("\n") == 1
    assert "ships" in there.stderr


def test_a_series_is_compiled_and_comes_to_the_same(fresh: Path, tmp_path: Path) -> None:
    words = ("simulate", "foxy", "--players", "3", "--games", "200", "--seed", "1", "--json")
    there = called(fresh, tmp_path, *words)
    assert there.returncode == 0, there.stderr
    told, known = json.loads(there.stdout), json.loads(here(*words))
    assert {**told, "file": ""} == {**known, "file": ""}


def test_one_begins_a_variant_and_checks_it(fresh: Path, tmp_path: Path) -> None:
    assert called(fresh, tmp_path, "games").stdout == here("games")
    begun = called(fresh, tmp_path, "new", "mine", "--extends", "fuzzy_tiger")
    assert begun.returncode == 0, begun.stderr
    for words in (("check", "--strict"), ("test",), ("rulebook", "--lang", "de", "-o", "mine.html")):
        done = called(fresh, tmp_path, words[0], "mine.rules", *words[1:])
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_hint_installs_what_is_missing(fresh: Path, tmp_path: Path) -> None:
    """Typed as it is told, in the folder where it is told."""
    books, game = ROOT / "tests" / "books", ROOT / "examples" / "goat_path.rules"
    named = ("--book", str(books / "goat_path.it.md"), "--anchors", str(books / "goat_path.it.anchors"))
    audit = ("text", "audit", str(game), *named)
    missing = called(fresh, tmp_path, *audit)
    assert "numbers in words need text2num: " in missing.stderr
    hint = missing.stderr.strip().partition("text2num: ")[2]
    assert hint.startswith(f"{fresh / 'python'} -m pip install ")
    subprocess.run(hint, shell=True, cwd=tmp_path, env=bare(), check=True, capture_output=True, timeout=HANG)
    assert "text2num" not in called(fresh, tmp_path, *audit).stderr


def test_the_other_project_of_that_name_is_noticed(fresh: Path, tmp_path: Path) -> None:
    where = "import sysconfig; print(sysconfig.get_path('purelib'))"
    asked = subprocess.run([fresh / "python", "-c", where], capture_output=True, text=True, check=True, env=bare())
    other = Path(asked.stdout.strip()) / "rulekit-2.1.24.2.dist-info"
    other.mkdir()
    try:
        done = called(fresh, tmp_path, "games")
    finally:
        other.rmdir()
    assert done.returncode == 0
    assert done.stderr.startswith("warning: another project called rulekit is installed in the same folder")
