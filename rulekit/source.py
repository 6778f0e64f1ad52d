"""Where something was written: a source text and a span in it.

Lines and columns count from 1, columns in code points.  Nothing here knows
what the text means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from rulekit.values import field, frozen

PLACEHOLDER = re.compile(r"\{([a-z_][a-z0-9_]*)\}")
"""A name in braces in a text that people see, in whose place its value is shown."""


@frozen
class Source:
    """A text and the name under which people know it (a path, or `<text>`)."""

    name: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """The text of line `number` (from 1) without its end; "" past the last line."""
        lines = _lines(self.text)
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""

    def entries(self) -> Iterator[tuple[str, Span]]:
        """The lines of a list: each line that says something and is no `#` comment, stripped, with its place."""
        for number, line in enumerate(_lines(self.text), 1):
            text = line.strip()
            if text and not text.startswith("#"):
                yield text, Span(self.name, number, 1, number, len(line) + 1)


@frozen
class Span:
    """A stretch of one source: from (line, column) up to and without (end_line, end_column)."""

    source: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        return f"{self.source}:{self.line}:{self.column}"


@lru_cache(maxsize=4)
def _lines(text: str) -> list[str]:
    """Kept for the texts asked about last: whoever asks for one line asks for many."""
    return text.split("\n")


NOWHERE = Span("", 0, 0, 0, 0)
