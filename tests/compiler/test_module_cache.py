"""The cache of compiled modules: the same report without reading the rules; whatever is not as it was is not used."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.apps.series import disk_cache, simulation_run

RULES = """game "Kept"
    players 2
option gift "What does the first player begin with?" 0..6 default 0
each player has
    counter wealth 0..40
setup
    raise starter.wealth by gift
play
    each player
        player chooses n from 0..3 "How much?"
        raise player.wealth by n
result
    rank players by highest wealth
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "cache"
    monkeypatch.setenv("RULEKIT_CACHE", str(folder))
    return folder


@pytest.fixture
def rules(tmp_path: Path) -> Path:
    file = tmp_path / "kept.rules"
    file.write_text(RULES, encoding="utf-8")
    return file


@pytest.fixture
def slow_ways(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which files were read as rules."""
    read: list[str] = []
    real = simulation_run.simulate

    def noted(file: str, *rest: Any) -> int:
        read.append(file)
        return real(file, *rest)

    monkeypatch.setattr(simulation_run, "simulate", noted)
    return read


def simulate(file: Path, *words: str) -> str:
    run = CliRunner().invoke(
        cli, ["simulate", str(file), "--seed", "k", "--games", "50", *words], catch_exceptions=False
    )
    assert run.exit_code == 0
    return run.stdout


@pytest.mark.usefixtures("cache")
def test_the_second_run_of_a_game_that_all_win_together_tells_the_same(tmp_path: Path, slow_ways: list[str]) -> None:
    file = tmp_path / "together.rules"
    play = "play\n    starter chooses n from 0..3\n    raise reached by n * 4500"
    file.write_text(f'game "Together"\n    players 2\ncounter reached 0..20000\n{play}\nresult: all reach reached\n')
    for words in ((), ("--json",), ("--jobs", "2")):
        first, before = simulate(file, *words), len(slow_ways)
        assert simulate(file, *words) == first
        assert len(slow_ways) == before


@pytest.mark.usefixtures("cache")
def test_the_second_run_reads_no_rules_and_tells_the_same(rules: Path, slow_ways: list[str]) -> None:
    for words in ((), ("--json",), ("--option", "gift=2"), ("--jobs", "2"), ("--players", "2", "--engine", "wasm")):
        first = simulate(rules, *words)
        before = len(slow_ways)
        assert simulate(rules, *words) == first
        assert len(slow_ways) == before
    assert slow_ways


def test_other_rules_or_another_engine_are_played_from_the_rules(
    rules: Path, cache: Path, slow_ways: list[str]
) -> None:
    first = simulate(rules)
    rules.write_text(RULES.replace("0..3", "0..2"), encoding="utf-8")
    assert simulate(rules) != first
    simulate(rules, "--engine", "interpreter")
    assert len(slow_ways) == 3
    assert len(list(cache.glob("*.json"))) == 1


def test_a_file_that_would_now_be_extended_instead_is_noticed(
    tmp_path: Path, cache: Path, slow_ways: list[str]
) -> None:
    variant = tmp_path / "variant.rules"
    variant.write_text('game "V"\n    extends "magpies_twin"\n', encoding="utf-8")
    (tmp_path / "magpies_twin.rules").write_text(RULES, encoding="utf-8")
    simulate(variant)
    simulate(variant)
    assert len(slow_ways) == 1
    (tmp_path / "magpies_twin.rules").write_text(RULES.replace("0..3", "0..1"), encoding="utf-8")
    simulate(variant)
    assert len(slow_ways) == 2
    data = json.loads(next(cache.glob("*.json")).read_text(encoding="utf-8"))
    assert [Path(name).name for name, _ in data["files"]] == ["variant.rules", "magpies_twin.rules"]


@pytest.mark.parametrize("part", ["json", "module"])
@pytest.mark.parametrize("damage", ["", "x", "half", "bit", "name"])
def test_what_is_damaged_counts_as_not_there(
    part: str, damage: str, rules: Path, cache: Path, slow_ways: list[str]
) -> None:
    first = simulate(rules)
    path = next(cache.glob(f"*.{part}"))
    whole = path.read_bytes()
    flipped = bytes([whole[len(whole) // 2] ^ 1])
    broken = {
        "": b"",
        "x": b"{}",
        "half": whole[: len(whole) // 2],
        "bit": whole[: len(whole) // 2] + flipped + whole[len(whole) // 2 + 1 :],
        "name": whole.replace(b"decisions", b"debisions"),
    }
    path.write_bytes(broken[damage])
    assert simulate(rules).split("engine")[1] == first.split("engine")[1]
    assert simulate(rules) == first
    assert len(slow_ways) <= 2


def test_a_folder_in_which_others_can_write_is_not_trusted(rules: Path, cache: Path, slow_ways: list[str]) -> None:
    simulate(rules)
    cache.chmod(0o777)
    simulate(rules)
    assert len(slow_ways) == 2


def test_where_nothing_can_be_written_everything_works(
    rules: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, slow_ways: list[str]
) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    for folder in (str(file), str(file / "below"), ""):
        monkeypatch.setenv("RULEKIT_CACHE", folder)
        simulate(rules)
    assert len(slow_ways) == 3
    assert file.read_text(encoding="utf-8") == "mine"


def test_old_entries_go(rules: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk_cache, "MOST_ENTRIES", 2)
    for gift in range(4):
        simulate(rules, "--option", f"gift={gift}")
    kept = sorted(path.suffix for path in cache.iterdir() if path.name != "grammar.tables")
    assert kept == [".json", ".json", ".module", ".module"]


def test_the_quick_way_imports_neither_the_language_nor_the_engines(rules: Path, cache: Path) -> None:
    simulate(rules)
    program = (
        "import sys\nfrom rulekit.apps.commands import cli\n"
        f"cli(['simulate', {str(rules)!r}, '--games', '9', '--seed', 'k'], standalone_mode=False)\n"
        "print(*sorted(name for name in sys.modules if name.startswith(('rulekit.', 'lark'))))"
    )
    environment = {**os.environ, "RULEKIT_CACHE": str(cache)}
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True)
    names = run.stdout.splitlines()[-1].split()
    heavy = (
        "rulekit.syntax",
        "rulekit.model",
        "rulekit.loading",
        "rulekit.play.engine",
        "rulekit.compiler.plan.ir",
        "lark",
    )
    assert all(find_spec(name) for name in heavy)
    assert not [name for name in names if name.startswith(heavy)]
