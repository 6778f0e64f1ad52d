"""From a grammar to parse tables as plain data, by Lark as parser generator: the only module that knows Lark.

The tables are read from the serialized form out of which Lark's own generator
makes standalone parsers.  What Lark would do with the children of a rule while
it parses (leave out marks, put lists into the rule around them, keep a place
for what is absent) is said here once for each alternative.  The build of the
package runs this module too, so it needs nothing but Lark.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from operator import itemgetter
from typing import Any

from rulekit.errors import RulekitError

FORM = 1
"""Raised whenever the same grammar comes to give other tables: kept ones are then made anew."""


class UnknownForm(RulekitError):
    """This version of Lark serializes a grammar otherwise than is read here."""


def text(grammar: str) -> str:
    """The tables of a grammar as they are kept: JSON, with the grammar and the form that they are good for."""
    return json.dumps({"form": FORM, "grammar": grammar, **made(grammar)}, separators=(",", ":"))


def made(grammar: str) -> dict[str, Any]:
    """The tables of a grammar as plain data, for `parse_tables.tables_in`.

    Errors: Lark's own for a faulty grammar; UnknownForm.
    """
    import lark

    try:
        return tables_of(*serialized(grammar))
    except (LookupError, TypeError, ValueError, AttributeError) as fault:
        told = f"Lark {lark.__version__} serializes a grammar otherwise than `lark_tables` reads it: {fault!r}"
        raise UnknownForm(told) from fault


def serialized(grammar: str) -> tuple[dict[str, Any], dict[int, Any]]:
    """What Lark makes of a grammar, as its generator of standalone parsers takes it: parser, and rules and terminals.

    The second holds each rule and each terminal by the number by which the first refers to it.
    """
    from lark import Lark
    from lark.grammar import Rule
    from lark.lark import PostLex
    from lark.lexer import TerminalDef

    class KeepBad(PostLex):
        """Keeps the terminal for unknown characters, though no rule has it: each is reported in its place."""

        always_accept = ("BAD",)

        def process(self, stream: Iterator[Any]) -> Iterator[Any]:
            return stream

    parser = Lark(grammar, parser="lalr", lexer="basic", postlex=KeepBad())
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    return data, memo


def tables_of(data: Mapping[str, Any], memo: Mapping[int, Any]) -> dict[str, Any]:
    """The tables out of what `serialized` gave.  Errors: those of a value that is missing or of another type."""
    lexer, table = data["parser"]["lexer_conf"], data["parser"]["parser"]
    terminals = [memo[one["@"]] for one in lexer["terminals"]]
    fixed = {one["pattern"]["value"]: one["name"] for one in terminals if _is_fixed(one)}
    rules = {one["@"]: number for number, one in enumerate(data["rules"])}
    rows = {state: _row(row, table["tokens"], rules) for state, row in table["states"].items()}
    numbers = _numbers(rows, table["start_states"]["start"])
    return {
        "scanner": _scanner(terminals),
        "words": {text: name for text, name in sorted(fixed.items()) if text.isidentifier()},
        "marks": {name: text for text, name in sorted(fixed.items()) if not text.isidentifier()},
        "ignored": sorted(lexer["ignore"]),
        "end": numbers[table["end_states"]["start"]],
        "rules": [_rule(memo[number]) for number in rules],
        "states": [
            {name: numbers[step] if step >= 0 else step for name, step in rows[state].items()} for state in numbers
        ],
    }


# ---------------------------------------------------------------- terminals


def _is_fixed(terminal: Mapping[str, Any]) -> bool:
    """Whether it is one text; else it is a regular expression."""
    return _is(terminal["pattern"], "PatternStr", "PatternRE")


def _is(value: Mapping[str, Any], one: str, other: str) -> bool:
    """Whether `value` is of the first of two classes of Lark."""
    found = value["__type__"]
    if found not in (one, other):
        raise ValueError(found)
    return bool(found == one)


def _scanner(terminals: list[Mapping[str, Any]]) -> str:
    """One pattern for all tokens but words, which are found as names; the first alternative that fits is taken.

    So fixed texts stand behind regular expressions, and each behind those that it begins.
    """
    marks = [one for one in terminals if not (_is_fixed(one) and one["pattern"]["value"].isidentifier())]
    return "|".join(f"(?P<{one['name']}>{_pattern(one)})" for one in sorted(marks, key=_place))


def _place(terminal: Mapping[str, Any]) -> tuple[Any, ...]:
    return -terminal["priority"], _is_fixed(terminal), -len(terminal["pattern"]["value"]), terminal["name"]


def _pattern(terminal: Mapping[str, Any]) -> str:
    pattern = terminal["pattern"]
    if pattern["flags"]:
        raise ValueError(f"flags of {terminal['name']}")
    return re.escape(pattern["value"]) if _is_fixed(terminal) else str(pattern["value"])


# ---------------------------------------------------------------- states and rules


def _row(row: Mapping[int, Any], names: Mapping[int, str], rules: Mapping[int, int]) -> dict[str, int]:
    """See `parse_tables.Tables.states`.  States still have Lark's own numbers."""
    steps = ((names[symbol], to if isinstance(to, int) else ~rules[to["@"]]) for symbol, (_, to) in row.items())
    return dict(sorted(steps, key=itemgetter(0)))


def _numbers(rows: Mapping[int, Mapping[str, int]], start: int) -> dict[int, int]:
    """New numbers for the states, as they are come to from the first: Lark's are others each time."""
    numbers = {start: 0}
    waiting = [start]
    for state in waiting:
        for step in rows[state].values():
            if step >= 0 and step not in numbers:
                numbers[step] = len(numbers)
                waiting.append(step)
    return numbers


def _rule(rule: Mapping[str, Any]) -> list[Any]:
    """See `parse_tables.Rule`."""
    picks = list(_picks(rule))
    return [rule["origin"]["name"], len(rule["expansion"]), _makes(rule, picks), picks]


def _makes(rule: Mapping[str, Any], picks: list[int | None]) -> str | None:
    name, alias = rule["origin"]["name"], rule["alias"]
    if name.startswith("_"):
        return ""
    if alias is None and rule["options"]["expand1"] and len(picks) == 1:
        return None
    return str(alias or name)


def _picks(rule: Mapping[str, Any]) -> Iterator[int | None]:
    """Lark marks absent children between the symbols, one True for each."""
    options, expansion = rule["options"], rule["expansion"]
    number = 0
    for is_absent in options["empty_indices"] or (False,) * len(expansion):
        if is_absent:
            yield None
            continue
        symbol = expansion[number]
        is_terminal = _is(symbol, "Terminal", "NonTerminal")
        if not is_terminal and symbol["name"].startswith("_"):
            yield ~number
        elif options["keep_all_tokens"] or not (is_terminal and symbol["filter_out"]):
            yield number
        number += 1
