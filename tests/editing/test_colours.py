"""Colours without a server, and the extension for Visual Studio Code: held to the grammar's words, and packed.

`python -m tests.editing.test_colours` renews the TextMate grammar.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest
from pygments.token import Keyword, Name, Text

from rulekit.apps.editor.colours import RulesLexer, builtins, keywords, patterns, textmate
from rulekit.syntax.parse_tables import tables
from tests.editing.texts import games
from tests.extras import needs
from tests.paths import ROOT

EXTENSION = ROOT / "editors" / "vscode"
GRAMMAR = EXTENSION / "syntaxes" / "rulekit.tmLanguage.json"


def _colour(word: str) -> set[object]:
    return {token for token, text in RulesLexer().get_tokens(word) if text.strip()}


def test_every_word_of_the_grammar_has_the_colour_of_a_keyword() -> None:
    for word in tables().words:
        assert _colour(word) <= {Keyword, Keyword.Constant}, word
    assert {*keywords(), "yes", "no", "none"} == set(tables().words)
    assert all(_colour(word) == {Name.Builtin} for word in builtins())


@pytest.mark.parametrize("word", ["settle", "my_set", "'set'", "no_one"])
def test_what_only_holds_a_keyword_is_a_name(word: str) -> None:
    assert _colour(word) == {Name}


@pytest.mark.parametrize("path", games(), ids=lambda path: path.stem)
def test_every_letter_of_a_game_has_a_colour(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    found = list(RulesLexer(stripnl=False, ensurenl=False).get_tokens(text))
    assert "".join(part for _, part in found) == text
    assert not [part for token, part in found if token is Text]


def test_pygments_finds_the_lexer_by_its_entry_point() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    module, _, name = project["entry-points"]["pygments.lexers"]["rulekit"].partition(":")
    assert getattr(import_module(module), name) is RulesLexer


def test_the_textmate_grammar_is_that_of_the_words() -> None:
    assert GRAMMAR.read_text(encoding="utf-8") == textmate(), "python -m tests.editing.test_colours"
    assert [one["match"] for one in json.loads(textmate())["patterns"]][1:] == [one.expression for one in patterns()]


def test_the_extension_names_files_that_are_there() -> None:
    manifest = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    language, grammar = manifest["contributes"]["languages"][0], manifest["contributes"]["grammars"][0]
    for name in (manifest["main"], language["configuration"], grammar["path"]):
        assert (EXTENSION / name).is_file(), name
    assert json.loads(GRAMMAR.read_text(encoding="utf-8"))["scopeName"] == grammar["scopeName"]
    assert language["id"] == grammar["language"]
    configured = json.loads((EXTENSION / language["configuration"]).read_text(encoding="utf-8"))
    assert re.fullmatch(configured["wordPattern"], "HI-1")
    assert (EXTENSION / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


@needs("vsce")
def test_the_extension_is_packed_with_what_it_needs(tmp_path: Path) -> None:
    tools = Path(os.environ["RULEKIT_VSCE"])
    folder = tmp_path / "vscode"
    shutil.copytree(EXTENSION, folder, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copytree(tools / "client" / "node_modules", folder / "node_modules")
    packed = tmp_path / "rules.vsix"
    vsce = tools / "node_modules" / "@vscode" / "vsce" / "vsce"
    subprocess.run(["node", str(vsce), "package", "-o", str(packed)], cwd=folder, check=True, capture_output=True)
    names = zipfile.ZipFile(packed).namelist()
    for name in ("extension.js", "language-configuration.json", "syntaxes/rulekit.tmLanguage.json"):
        assert f"extension/{name}" in names
    assert "extension/node_modules/vscode-languageclient/package.json" in names


if __name__ == "__main__":
    GRAMMAR.write_text(textmate(), encoding="utf-8")
