"""Bots that search in a page: by the game's own module in the browser's engine, with the same answers as here."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from rulekit.compiler.runtime import browser_engine, wasm_host
from rulekit.export import bundle, searching
from rulekit.loading import load
from tests.export import searched_match
from tests.extras import needs
from tests.generators.random_matches import game as loaded
from tests.paths import GAMES

TIGER = GAMES / "fuzzy_tiger.rules"


@needs("wasmtime")
def test_a_module_for_each_number_of_seats_goes_with_the_game() -> None:
    game = loaded(TIGER)
    found = searching.modules(game)
    assert len(found) == searching.MOST_SEATS - game.least + 1
    assert all(name.startswith("modules/") and code.startswith(b"\0asm") for name, code in found.items())
    assert searching.modules(game) == found


def test_without_wasmtime_a_page_has_no_modules(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(text: str) -> bytes:
        raise wasm_host.Missing

    monkeypatch.setattr(wasm_host, "assembled", missing)
    assert searching.modules(load(TIGER)) == {}


def test_what_functions_take_is_read_from_the_text() -> None:
    run = '(func $run (export "run") (param $seed i64) (param $end i32) (result i32)'
    assert browser_engine.kinds(f'{run}\n(func (export "root") (result i64)\n') == {"run": ("i64", "i32"), "root": ()}


@needs("wasmtime")
@needs("pyodide")
def test_a_search_in_a_browsers_python_answers_as_here(tmp_path: Path) -> None:
    game, archive = loaded(TIGER), tmp_path / "bundle.zip"
    archive.write_bytes(bundle.bundle(game))
    python = Path(os.environ["RULEKIT_PYODIDE"], "node_modules", "pyodide")
    here = Path(searched_match.__file__)
    words = ["node", here.with_suffix(".mjs"), python, archive, here, bundle.rules_name(game), "8"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    there = json.loads(done.stdout)
    assert there == searched_match.answers(str(TIGER), 8)
    assert there[-1] == "CompiledSearch"
