"""Proposals about layout: blanks, blocks, signs too many or missing, and lines that people write out of habit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.source import Span
from rulekit.syntax.error_repair import Line, rewritten
from rulekit.syntax.indentation import LAYOUT
from rulekit.tools.editing.corrections.lines import FaultyLine, Proposal, blamed, faulty_line, forms_in
from rulekit.tools.editing.corrections.parsed_line import parsed_line
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit
from rulekit.values import evolve

_STEP = "    "


def from_layout(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """By what the hint asks for, in its own words."""
    line, hint = faulty_line(document, entry), entry.hint
    if entry.code in ("syntax", "layout"):
        yield from _habit(document, line)
    if "4 blanks a level" in hint:
        yield from _indented(document, line)
    if "4 blanks more" in hint:
        yield from _deeper(document, line)
    if "take the blanks away" in hint:
        yield from _shallower(document, line)
    if "take it out" in hint or "take it away" in hint:
        yield line.with_(line.start, line.end, "")
        yield line.with_(line.said[1] - 1, line.said[1], "")
    if hint.startswith("close it with"):
        end = line.with_(line.said[1], len(line.text), forms_in(hint)[0], f"write `{forms_in(hint)[0]}` at the end")
        yield evolve(end, is_told=True)
        yield line.with_(len(line.text), len(line.text), forms_in(hint)[0])
    yield from _away(line, entry)


def _habit(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """What is meant by a line that people write out of habit."""
    found = parsed_line(document, line.number)
    if found is None or not found.words:
        return
    behind = [token for token in found.behind if token.type in LAYOUT]
    if text := rewritten(Line(found.before, list(found.words), behind, found.fault)):
        first, last = found.words[0], found.words[-1]
        place = Span(line.source, first.line, first.column, last.end_line, last.end_column)
        block = text.replace("\n", f"\n{line.indent}{_STEP}")
        yield Proposal(f"write `{' '.join(text.split())}`", (Edit(place, block),), is_told=True)


def _indented(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """The line at each level that it could be meant for, the nearest first."""
    width = len(line.indent.expandtabs(4))
    for wanted in sorted({width - width % 4, width + (-width % 4), width + 4, width - 4}, key=lambda w: abs(w - width)):
        if wanted >= 0:
            yield line.with_(0, len(line.indent), " " * wanted, f"indent by {wanted} blanks")
    yield from _block_indented(document, line)


def _block_indented(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """The line and those below it that are as deep or deeper, at the level of any line above."""
    lines, width = document.source.text.split("\n"), len(line.indent)
    stop = line.number
    while stop < len(lines) and lines[stop].strip() and _width(lines[stop]) >= width - 3 > 0:
        stop += 1
    above = {_width(text) for text in lines[: line.number - 1] if text.strip()}
    for level in sorted(above, key=lambda level: (abs(level - width), level)):
        places = [Span(line.source, n, 1, n, _width(lines[n - 1]) + 1) for n in range(line.number, stop + 1)]
        edits = tuple(Edit(place, " " * level) for place in places)
        yield Proposal(f"indent {len(edits)} lines by {level} blanks", edits)


def _width(text: str) -> int:
    return len(text) - len(text.lstrip())


def _deeper(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """The next line, or all up to a blank one, deeper; where nothing follows, `skip` has no block to give."""
    lines = document.source.text.split("\n")
    count = next((n for n in range(line.number, len(lines)) if not lines[n].strip()), len(lines)) - line.number
    for more in dict.fromkeys((1, count)):
        numbers = range(line.number + 1, line.number + 1 + more)
        edits = tuple(Edit(Span(line.source, each, 1, each, 1), _STEP) for each in numbers if each <= len(lines))
        if edits:
            yield Proposal(f"indent the next {len(edits)} line(s)" if len(edits) > 1 else "indent the next line", edits)


def _shallower(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """The line, or all lines as deep below it, as far left as the line above."""
    lines = document.source.text.split("\n")
    above = next((text for text in reversed(lines[: line.number - 1]) if text.strip()), "")
    wanted = len(above) - len(above.lstrip())
    depth = len(line.indent)
    stop = line.number
    while stop < len(lines) and len(lines[stop]) - len(lines[stop].lstrip()) >= depth and lines[stop].strip():
        stop += 1
    for left in dict.fromkeys((wanted, 0)):
        edits = tuple(
            Edit(Span(line.source, n, 1, n, depth - left + 1), "") for n in range(line.number, stop + 1) if depth > left
        )
        if edits:
            yield Proposal("take the blanks away", edits, is_told=True)


def _away(line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """`take X … away`: from X to the end of the line, or the faulty words."""
    if not re.search(r"\btake .* (away|out)$|take it (away|out)", entry.hint):
        return
    for form in (*forms_in(entry.hint), *blamed(entry)):
        start = line.text.find(form.partition("…")[0].rstrip())
        if start >= 0:
            end = line.said[1] if "…" in form else start + len(form)
            yield line.with_(start, end, "")
