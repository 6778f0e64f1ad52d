"""Canonical JSON: one text for each value, and a strict reader that refuses everything ambiguous.

Written: keys sorted, no blanks, whole numbers only, so that equal values are
equal bytes.  Read: no fractions, no NaN, no key twice, no number beyond what
every program holds exactly, bounded depth and length.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from rulekit import limits
from rulekit.errors import BadInput

Json = Any
"""None, a bool, an int, a str, a list or a dict of these."""
_SHOWN = 40
"""How much of a key a message shows."""


class BadJson(BadInput):
    """A text that is not JSON as it is written here; its text says why."""


def dumps(value: Json) -> str:
    """One line of canonical JSON, ASCII only."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def loads(data: bytes) -> Json:
    """The value of a JSON text; raises `BadJson`."""
    if len(data) > limits.LOG_BYTES:
        raise BadJson(f"larger than {limits.LOG_BYTES // 1024 // 1024} MiB")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as fault:
        raise BadJson(f"byte 0x{data[fault.start]:02X} is not UTF-8") from None
    _check_depth(text)
    try:
        value = json.loads(
            text,
            object_pairs_hook=_pairs,
            parse_float=_no_fraction,
            parse_constant=_no_fraction,
            parse_int=_whole,
        )
    except ValueError:
        raise BadJson("this is not JSON") from None
    _check_strings(value)
    return value


def _check_depth(text: str) -> None:
    """Count brackets outside strings before the parser, which recurses, sees them."""
    depth, inside, escaped = 0, False, False
    for c in text:
        if inside:
            inside = escaped or c != '"'
            escaped = c == "\\" and not escaped
        elif c == '"':
            inside = True
        elif c in "[{":
            depth += 1
            if depth > limits.NESTING:
                raise BadJson(f"nested more than {limits.NESTING} deep")
        elif c in "]}":
            depth -= 1


def _pairs(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result: dict[str, Json] = {}
    for key, value in pairs:
        if key in result:
            raise BadJson(f'the key "{key[:_SHOWN]}" stands twice')
        result[key] = value
    return result


def _no_fraction(word: str) -> NoReturn:
    raise BadJson(f"{word[:20]} is not a whole number")


def _whole(digits: str) -> int:
    # The length first: turning a very long text into a number takes very long.
    if len(digits) > 17 or abs(int(digits)) > limits.INTEGER:
        raise BadJson(f"a number larger than {limits.INTEGER}")
    return int(digits)


def _check_strings(value: Json) -> None:
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            if len(item) > limits.STRING:
                raise BadJson(f"a text of more than {limits.STRING} characters")
            if any("\ud800" <= c <= "\udfff" for c in item):
                raise BadJson("half of a character pair")
        elif isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += [*item.keys(), *item.values()]
