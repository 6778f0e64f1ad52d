"""From a grammar to parse tables as plain data, by Lark as parser generator: the only module that knows Lark.

What Lark would do with the children of a rule while it parses (leave out
marks, put lists into the rule around them, keep a place for what is absent)
is said here once for each alternative.
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from typing import Any


def made(grammar: str) -> dict[str, Any]:
    """The tables of a grammar as plain data, for `parse_tables.tables_in`.  Errors: Lark's own for a faulty grammar."""
    lark = _lark(grammar)
    lexer = lark.parser.lexer.lexer
    patterns = "|".join(f"(?P<{one.name}>{one.pattern.to_regexp()})" for one in lexer.scanner.terminals)
    fixed = {one.pattern.value: one.name for one in lark.terminals if one.pattern.type == "str"}
    table = lark.parser.parser._parse_table
    states = _ordered(table.states, table.start_states["start"])
    rules = {rule: number for number, rule in enumerate(lark.rules)}
    return {
        "scanner": patterns,
        "words": {text: name for text, name in sorted(fixed.items()) if text.isidentifier()},
        "marks": {name: text for text, name in sorted(fixed.items()) if not text.isidentifier()},
        "ignored": sorted(lexer.ignore_types),
        "end": states[table.end_states["start"]],
        "rules": [_rule(rule) for rule in lark.rules],
        "states": [_row(table.states[state], rules, states) for state in states],
    }


def _lark(grammar: str) -> Any:
    from lark import Lark
    from lark.lark import PostLex

    class KeepBad(PostLex):
        """Keeps the terminal for unknown characters, though no rule has it: each is reported in its place."""

        always_accept = ("BAD",)

        def process(self, stream: Iterator[Any]) -> Iterator[Any]:
            return stream

    return Lark(grammar, parser="lalr", lexer="basic", postlex=KeepBad())


def _ordered(rows: dict[int, dict[str, tuple[Any, Any]]], start: int) -> dict[int, int]:
    """New numbers for the states, as they are come to from the first: Lark's are others each time."""
    numbers = {start: 0}
    waiting = [start]
    for state in waiting:
        for _, (_, target) in sorted(rows[state].items(), key=itemgetter(0)):
            if isinstance(target, int) and target not in numbers:
                numbers[target] = len(numbers)
                waiting.append(target)
    return numbers


def _row(row: dict[str, tuple[Any, Any]], rules: dict[Any, int], states: dict[int, int]) -> dict[str, int]:
    """See `parse_tables.Tables.states`."""
    pairs = sorted(row.items(), key=itemgetter(0))
    return {name: states[to] if isinstance(to, int) else ~rules[to] for name, (_, to) in pairs}


def _rule(rule: Any) -> list[Any]:
    picks = list(_picks(rule))
    return [str(rule.origin.name), len(rule.expansion), _makes(rule, picks), picks]


def _makes(rule: Any, picks: list[int | None]) -> str | None:
    if rule.origin.name.startswith("_"):
        return ""
    if rule.alias is None and rule.options.expand1 and len(picks) == 1:
        return None
    return str(rule.alias or rule.origin.name)


def _picks(rule: Any) -> Iterator[int | None]:
    """See `parse_tables.Rule`.  Lark marks absent children between the symbols, one True for each."""
    absent = rule.options.empty_indices or (False,) * len(rule.expansion)
    number = 0
    for is_absent in absent:
        if is_absent:
            yield None
            continue
        symbol = rule.expansion[number]
        if not symbol.is_term and symbol.name.startswith("_"):
            yield ~number
        elif rule.options.keep_all_tokens or not (symbol.is_term and symbol.filter_out):
            yield number
        number += 1
