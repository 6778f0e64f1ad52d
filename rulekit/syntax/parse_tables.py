"""The lexer's pattern and the LALR(1) parse tables of the grammar, as plain data.

They are kept beside the grammar, so that reading rules needs no parser
generator.  Where they are not those of the grammar that is there, Lark makes
them anew (`lark_tables`).  Knows nothing of what a rule means.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from typing import Any

from attrs import field, frozen

from rulekit import library


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
    """The tables of the grammar; made by Lark where the kept ones belong to another text of the grammar."""
    grammar = library.grammar()
    kept = json.loads(library.grammar_tables() or "{}")
    if kept.get("grammar") != digest(grammar):
        from rulekit.syntax.lark_tables import made

        kept = made(grammar)
    return tables_in(kept)


def digest(grammar: str) -> str:
    """What ties kept tables to their grammar: SHA-256, in hexadecimal."""
    return hashlib.sha256(grammar.encode("utf-8")).hexdigest()


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
