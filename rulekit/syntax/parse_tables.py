"""The lexer's pattern and the LALR(1) parse tables of the grammar, as plain data.

Lark makes them when the package is built (`lark_tables`), so that reading
rules needs no parser generator.  In a checkout, where they are missing or not
those of the grammar that is there, it makes them now, and they are kept in the
user's cache folder.  Knows nothing of what a rule means.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from rulekit import library, user_cache
from rulekit.syntax import lark_tables
from rulekit.values import field, frozen

_CACHED = "grammar.tables"
"""Under this name new tables are kept for the next run."""


@frozen
class Rule:
    """One alternative of a rule.

    origin: the rule's name, as the states know it.
    size:   how many symbols it has.
    makes:  the builder's method; "" where its children go into the rule around it; None where its one child stands
            for it.
    picks:  the children that are kept: the number of a symbol; ~number, where that is a list whose members are taken;
            None for one that is absent.
    """

    origin: str
    size: int
    makes: str | None
    picks: tuple[int | None, ...]


@frozen
class Tables:
    """An LALR(1) automaton with its lexer.

    scanner:  finds the next token; the group that matched is its terminal.
    words:    the terminals that look like a name, by their text.  marks: the other fixed texts, by their terminal.
    ignored:  terminals that the automaton never sees.
    states:   by terminal the state after it, or ~number of the rule that ends before it; by rule the state after it.
              The first is the start; end: that in which a whole file has been read.
    """

    scanner: re.Pattern[str] = field(repr=False)
    words: dict[str, str] = field(repr=False)
    marks: dict[str, str] = field(repr=False)
    ignored: frozenset[str]
    rules: tuple[Rule, ...] = field(repr=False)
    states: list[dict[str, int]] = field(repr=False)
    end: int


@cache
def tables() -> Tables:
    """The tables of the grammar: those that were built with it or kept by an earlier run, else new ones."""
    grammar = library.grammar()
    return valid(library.grammar_tables(), grammar) or valid(user_cache.read(_CACHED), grammar) or _new(grammar)


def valid(text: str, grammar: str) -> Tables | None:
    """Tables out of JSON, if they were made of this grammar, in the form of today."""
    try:
        data = json.loads(text)
        is_valid = (data["form"], data["grammar"]) == (lark_tables.FORM, grammar)
        return tables_in(data) if is_valid else None
    except (ValueError, KeyError, TypeError):
        return None


def _new(grammar: str) -> Tables:
    text = lark_tables.text(grammar)
    user_cache.keep(_CACHED, text)
    return tables_in(json.loads(text))


def tables_in(data: dict[str, Any]) -> Tables:
    """Tables out of plain data, as `lark_tables.made` gives it."""
    return Tables(
        scanner=re.compile(data["scanner"]),
        words=data["words"],
        marks=data["marks"],
        ignored=frozenset(data["ignored"]),
        rules=tuple(Rule(origin, size, makes, tuple(picks)) for origin, size, makes, picks in data["rules"]),
        states=data["states"],
        end=data["end"],
    )
