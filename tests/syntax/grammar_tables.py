"""The tables of the grammar, made anew with `python -m tests.syntax.grammar_tables`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rulekit import library
from rulekit.syntax.lark_tables import made
from rulekit.syntax.parse_tables import digest
from tests import paths

KEPT = paths.GRAMMAR / "rules.json"


def text() -> str:
    grammar = library.grammar()
    return "".join(_lines({"grammar": digest(grammar), **made(grammar)}))


def _lines(data: dict[str, Any]) -> Iterator[str]:
    """One rule or state a line, so that a change can be read."""
    for number, (name, value) in enumerate(data.items()):
        yield f"{'{' if number == 0 else ','}\n{json.dumps(name)}: "
        if isinstance(value, list) and value and not isinstance(value[0], str):
            yield "[\n" + ",\n".join(json.dumps(one, separators=(",", ":")) for one in value) + "\n]"
        else:
            yield json.dumps(value)
    yield "\n}\n"


if __name__ == "__main__":
    KEPT.write_text(text(), encoding="utf-8")
