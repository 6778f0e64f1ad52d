"""The tables: what is read of Lark's serialized form, when they are made, and how they come into the package."""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rulekit import library
from rulekit.syntax import lark_tables
from rulekit.syntax.parse_tables import Tables, tables, tables_in
from tests.paths import GRAMMAR, ROOT

READ = {
    "@", "__type__", "alias", "empty_indices", "end_states", "expand1", "expansion", "filter_out", "flags", "ignore",
    "keep_all_tokens", "lexer_conf", "name", "options", "origin", "parser", "pattern", "priority", "rules", "start",
    "start_states", "states", "terminals", "tokens", "value",
}  # fmt: skip
"""The names in Lark's serialized form that are read."""


@cache
def serialized() -> tuple[Any, Any]:
    return lark_tables.serialized(library.grammar())


def names(value: Any) -> Iterator[str]:
    """Every name in a serialized form."""
    if isinstance(value, dict):
        yield from (name for name in value if isinstance(name, str))
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ():
        yield from names(one)


def without(value: Any, lost: Container[str]) -> Any:
    """The same form, in which some names are nowhere."""
    if isinstance(value, dict):
        return {key: without(one, lost) for key, one in value.items() if key not in lost}
    return [without(one, lost) for one in value] if isinstance(value, (list, tuple)) else value


def renamed(value: Any, word: str) -> Any:
    """The same form, in which a class of Lark has another name."""
    if isinstance(value, dict):
        return {key: renamed(one, word) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [renamed(one, word) for one in value]
    return f"Other{word}" if value == word else value


def test_lark_serializes_what_is_read_and_the_tables_in_use_say_the_same() -> None:
    """A new version of Lark is noticed here: by `UnknownForm`, which says what is missing, or by other tables."""
    made = tables_in(lark_tables.made(library.grammar()))
    assert made == tables(), "`pip install` again; if that does not help, tables changed: raise `lark_tables.FORM`"


@pytest.mark.parametrize("name", sorted(READ))
def test_what_lark_no_longer_serializes_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lacking = without(serialized(), [name])
    monkeypatch.setattr(lark_tables, "serialized", lambda _: lacking)
    with pytest.raises(lark_tables.UnknownForm, match=rf"^Lark [\d.]+ serializes .*'{name}'"):
        lark_tables.made("")


def test_nothing_else_is_read() -> None:
    whole = lark_tables.made(library.grammar())
    others = set(names(serialized())) - READ
    assert len(others) > 20
    assert lark_tables.tables_of(*without(serialized(), others)) == whole


@pytest.mark.parametrize("word", ["PatternRE", "NonTerminal"])
def test_a_class_of_lark_with_another_name_is_named(word: str, monkeypatch: pytest.MonkeyPatch) -> None:
    other = renamed(serialized(), word)
    monkeypatch.setattr(lark_tables, "serialized", lambda _: other)
    with pytest.raises(lark_tables.UnknownForm, match=f"Other{word}"):
        lark_tables.made("")


# ---------------------------------------------------------------- which tables are used


SMALL = """
start: ("say" NAME)*
NAME: /[a-z]+/
BAD.-1: /[^ ]/
_NL: /\\n+/
%ignore _NL
"""


@pytest.fixture
def cached(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where new tables are kept."""
    monkeypatch.setenv("RULEKIT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "grammar.tables"


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small grammar in place of that of the rules, and the tables that were built with it."""
    monkeypatch.setattr(library, "grammar", lambda: SMALL)
    text = lark_tables.text(SMALL)
    monkeypatch.setattr(library, "grammar_tables", lambda: text)


@pytest.fixture
def made_by_lark(built: None, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The grammars of which Lark makes tables from now on."""
    made: list[str] = []
    real = lark_tables.text

    def noted(grammar: str) -> str:
        made.append(grammar)
        return real(grammar)

    monkeypatch.setattr(lark_tables, "text", noted)
    return made


def used() -> Tables:
    """The tables that a new process would use."""
    return tables.__wrapped__()


def files() -> dict[Path, int]:
    """When each file of the project's own was written."""
    return {path: path.stat().st_mtime_ns for folder in (GRAMMAR, ROOT / "rulekit") for path in folder.rglob("*.*")}


def test_what_was_built_is_used(made_by_lark: list[str], cached: Path) -> None:
    assert used().words == {"say": "SAY"}
    assert not made_by_lark
    assert not cached.exists()


def test_a_changed_grammar_counts_at_once_and_its_tables_are_kept_outside_the_project(
    made_by_lark: list[str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    edited, before = SMALL.replace("say", "tell"), files()
    monkeypatch.setattr(library, "grammar", lambda: edited)
    assert used().words == used().words == {"tell": "TELL"}
    assert made_by_lark == [edited]
    assert json.loads(cached.read_text(encoding="utf-8"))["grammar"] == edited
    assert [path.name for path in cached.parent.iterdir()] == [cached.name]
    assert files() == before


@pytest.mark.parametrize("damaged", ["", "{", "[]", "{}", '{"form":1}'])
def test_without_good_tables_they_are_made(
    damaged: str, made_by_lark: list[str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = used()
    monkeypatch.setattr(library, "grammar_tables", lambda: damaged)
    assert used() == used() == good
    assert len(made_by_lark) == 1
    cached.write_text(damaged, encoding="utf-8")
    assert used() == good
    assert len(made_by_lark) == 2


def test_tables_of_an_older_form_are_made_anew(
    made_by_lark: list[str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lark_tables, "FORM", lark_tables.FORM + 1)
    assert used() == used()
    assert len(made_by_lark) == 1
    assert cached.is_file()


def test_where_nothing_may_be_kept_tables_are_made_each_time(
    made_by_lark: list[str], cached: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(library, "grammar_tables", str)
    used()
    cached.parent.chmod(0o777)
    used()
    monkeypatch.setenv("RULEKIT_CACHE", "")
    used()
    monkeypatch.setenv("RULEKIT_CACHE", str(cached))
    used()
    assert len(made_by_lark) == 4
    assert [path.name for path in cached.parent.iterdir()] == [cached.name]


# ---------------------------------------------------------------- the build of the package


@pytest.fixture
def hook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The build's own step, in a project that has no more than a grammar; hatchling is not there for tests."""

    class Plain:
        root = str(tmp_path)

    interface = ModuleType("hatchling.builders.hooks.plugin.interface")
    vars(interface)["BuildHookInterface"] = Plain
    monkeypatch.setitem(sys.modules, interface.__name__, interface)
    monkeypatch.setattr(sys, "path", [str(ROOT), *sys.path])
    (tmp_path / "grammar").mkdir()
    (tmp_path / "grammar" / "rules.lark").write_text(SMALL, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "hatch_build", raising=False)
    return import_module("hatch_build").GrammarTables()


def test_a_wheel_gets_tables_and_leaves_none_behind(hook: Any, tmp_path: Path) -> None:
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("standard", data)
    ((file, place),) = data["force_include"].items()
    assert place == "rulekit/_data/grammar/rules.json"
    assert Path(file).read_text(encoding="utf-8") == lark_tables.text(SMALL)
    hook.finalize("standard", data, "")
    assert not Path(file).exists()
    assert [path.name for path in (tmp_path / "grammar").iterdir()] == ["rules.lark"]


def test_an_editable_install_has_tables_beside_the_grammar(hook: Any, tmp_path: Path) -> None:
    data: dict[str, Any] = {"force_include": {}}
    hook.initialize("editable", data)
    hook.finalize("editable", data, "")
    assert data == {"force_include": {}}
    made = tmp_path / "grammar" / "rules.json"
    assert made.read_text(encoding="utf-8") == lark_tables.text(SMALL)
    assert "/grammar/rules.json" in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
