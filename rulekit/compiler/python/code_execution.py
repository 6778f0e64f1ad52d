"""Execution of generated code: the only place where text made by the engine is run.

Such text holds names that the engine made, numbers, and words of the rules in
comments alone.  It stands in `linecache`, so that tracebacks show it.
"""

from __future__ import annotations

import linecache
from itertools import count
from types import CodeType
from typing import Any

_numbers = count(1)


def compiled(text: str, what: str) -> CodeType:
    """What a text does; its `co_filename` is its name in `linecache`."""
    name = f"<{what} {next(_numbers)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    return compile(text, name, "exec", dont_inherit=True)


def execute(code: CodeType, space: dict[str, Any]) -> None:
    """Fills a space of names with what a text defines."""
    exec(code, space)  # noqa: S102
