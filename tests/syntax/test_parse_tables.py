"""The tables: what is read of Lark's serialized form."""

from __future__ import annotations

from collections.abc import Container, Iterator
from functools import cache
from typing import Any

import pytest

from rulekit import library
from rulekit.syntax import lark_tables
from rulekit.syntax.parse_tables import tables, tables_in

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
    assert made == tables(), "renew them: python -m tests.syntax.grammar_tables"


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
