"""What the editor of the page asks while somebody types: words that may stand there, what a word is, corrections.

The functions of `tools/editing`, with places as the page gives them: lines and columns from 1, in code points.
"""

from __future__ import annotations

import re
from typing import Any

from rulekit.source import Source
from rulekit.tools.editing.completion import completion
from rulekit.tools.editing.corrections.corrections import corrections
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit
from rulekit.tools.editing.hover import hover
from rulekit.tools.editing.navigation import definition, outline
from rulekit.values import define, field

_MARKUP = re.compile(r"^```.*\n?|\*\*|`", re.MULTILINE)
"""What Markdown has beside words."""


@define(eq=False)
class Assistance:
    """path: of the file.  Keeps what was worked out about the text that was asked about last."""

    path: str
    _document: Document | None = field(init=False, default=None)

    def _of(self, text: str) -> Document:
        found = self._document
        if found is None or found.source.text != text:
            source = Source(self.path, text)
            found = self._document = Document(source) if found is None else found.changed(source)
            found.forget()
        return found

    def completion(self, text: str, line: int, column: int) -> list[dict[str, Any]]:
        """The words that may stand at a place, the likeliest first."""
        return [
            {"word": one.word, "sort": one.sort, "detail": one.detail}
            for one in completion(self._of(text), line, column)
        ]

    def hover(self, text: str, line: int, column: int) -> str:
        """What stands at a place, in plain words; "" if nothing is to be said."""
        found = hover(self._of(text), line, column)
        return "" if found is None else _MARKUP.sub("", found.text).strip()

    def definition(self, text: str, line: int, column: int) -> int | None:
        """The line of this file in which the name at a place is declared."""
        found = definition(self._of(text), line, column)
        return None if found is None or found.source != self.path else found.line

    def outline(self, text: str) -> list[dict[str, Any]]:
        """What the text declares, in its order, with lines."""
        return [
            {"line": one.name.line, "words": one.title if one.title == one.sort else f"{one.sort} {one.title}"}
            for one in outline(self._of(text))
        ]

    def corrections(self, text: str, line: int, code: str) -> list[dict[str, Any]]:
        """What would mend a finding of a line, each with its edits."""
        document = self._of(text)
        entry = next((one for one in document.loaded.findings if (one.span.line, one.code) == (line, code)), None)
        found = () if entry is None else corrections(document, entry)
        return [{"title": one.title, "edits": [_edit(each) for each in one.edits]} for one in found]


def _edit(one: Edit) -> dict[str, Any]:
    span = one.span
    return {"from": [span.line, span.column], "to": [span.end_line, span.end_column], "text": one.text}
