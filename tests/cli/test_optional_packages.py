"""A package that is missing, or that does not start on this machine, is told in a line that says how to get it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.apps.console import Failed
from rulekit.library import NoPackage
from rulekit.tools.audit import number_tokens
from tests import paths

GOATS = str(paths.EXAMPLES / "goat_path.rules")
BOOK, ANCHORS = str(paths.BOOKS / "goat_path.it.md"), str(paths.BOOKS / "goat_path.it.anchors")
COMMANDS = {
    "optuna": ("tune", str(paths.GAMES / "fuzzy_tiger.rules"), "--option", "wake_at=all", "--target", "ties 0%"),
    "pyarrow": ("simulate", GOATS, "--games", "2", "--out", "FOLDER", "--parquet"),
    "joblib": ("simulate", GOATS, "--games", "2", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"),
    "distributed": ("simulate", GOATS, "--games", "2", "--backend", "dask", "--scheduler", "tcp://127.0.0.1:1"),
    "typst": ("rulebook", GOATS, "--pdf", "-o", "FOLDER.pdf"),
    "openpyxl": ("text", "send", str(paths.GAMES / "text" / "foxy.it.po"), "-o", "FOLDER.xlsx"),
    "polib": ("text", "extract", GOATS),
    "docx": ("text", "audit", GOATS, "--book", "FOLDER.docx", "--anchors", ANCHORS),
    "pypdf": ("text", "audit", GOATS, "--book", "FOLDER.pdf", "--anchors", ANCHORS),
    "pdfminer": ("text", "audit", GOATS, "--book", "FOLDER.pdf", "--anchors", ANCHORS),
    "text_to_num": ("text", "audit", GOATS, "--book", BOOK, "--anchors", ANCHORS),
}
NAMES = {"text_to_num": "text2num", "docx": "python-docx"}
"""What is installed for a package, where it has another name."""


@pytest.mark.parametrize("fault", ["ModuleNotFoundError", "ImportError", "RuntimeError", "OSError"])
@pytest.mark.parametrize("package", COMMANDS)
def test_what_is_missing_is_named_with_how_to_get_it(
    package: str, fault: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "made.docx").write_bytes(b"PK")
    (tmp_path / "made.pdf").write_bytes(b"%PDF-")
    (tmp_path / f"{package}.py").write_text(f"raise {fault}('not on this machine')", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    for name in [known for known in sys.modules if known.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    for known in (number_tokens._single_number, number_tokens._spelt, number_tokens._ends_as_fraction):
        known.cache_clear()
    words = [word.replace("FOLDER", str(tmp_path / "made")) for word in COMMANDS[package]]
    run = CliRunner().invoke(cli, words)
    assert isinstance(run.exception, Failed | NoPackage), run.output
    hint = str(run.exception).partition(" -m pip install ")[2]
    assert f"'{NAMES.get(package, package)}" in hint, run.exception
    assert "\n" not in str(run.exception)
