"""A rulebook as a page: HTML that needs no other file, Markdown, or PDF.

Texts of a game reach a page only through its escapes; nothing in them can
become a tag, a mark or a command.
"""

from __future__ import annotations

import re
from typing import Any

from rulekit import library
from rulekit.tools.board import EMPTY
from rulekit.tools.rulebook import Book
from rulekit.tools.rulebook_board import drawing
from rulekit.tools.translate import Tongue

_INSTALL = "python -m pip install 'rulekit[book]'"
_MARKS = re.compile(r"([\\`*_\[\]<>|#~])")


class NoBinding(Exception):
    """A package that makes pages is not installed; the text says how to."""


def html(book: Book, tongue: Tongue) -> str:
    return _rendered("rulebook.html.j2", book, tongue, escaped=True)


def markdown(book: Book, tongue: Tongue) -> str:
    text = _rendered("rulebook.md.j2", book, tongue, escaped=False)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def pdf(book: Book, tongue: Tongue) -> bytes:
    try:
        import typst
    except ImportError:
        raise NoBinding(f"a rulebook in PDF needs one more package: {_INSTALL}") from None
    source = _rendered("rulebook.typ.j2", book, tongue, escaped=False)
    return bytes(typst.compile(source.encode(), format="pdf"))


def _rendered(name: str, book: Book, tongue: Tongue, *, escaped: bool) -> str:
    try:
        import jinja2
    except ImportError:
        raise NoBinding(f"a rulebook needs one more package: {_INSTALL}") from None

    def autoescape(template: str | None) -> bool:
        # A drawing is XML wherever it stands.
        return escaped or (template or "").startswith("board.svg")

    loader = jinja2.FunctionLoader(library.template)
    made = jinja2.Environment(loader=loader, autoescape=autoescape, undefined=jinja2.StrictUndefined)  # noqa: S701
    words: dict[str, Any] = {"say": tongue.say, "count": tongue.count, "md": _md, "t": _typst, "draw": drawing}
    empty = (EMPTY, "0", tongue.say("no"))
    made.globals.update(words)
    return made.get_template(name).render(book=book, empty=empty)


def _md(text: str) -> str:
    """A text of a game in Markdown: every mark is escaped."""
    return _MARKS.sub(r"\\\1", text)


def _typst(text: str) -> str:
    """A text as a string literal of typst."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
