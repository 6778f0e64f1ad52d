"""Proposals about layout: blanks, blocks, signs too many or missing, and lines that people write out of habit."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic, Problems
from rulekit.source import Span
from rulekit.syntax.blocks import whole
from rulekit.syntax.error_repair import Line, rewritten
from rulekit.syntax.indentation import LAYOUT, TooDeep
from rulekit.syntax.lalr_parser import LalrParser
from rulekit.syntax.parse import tokenized
from rulekit.syntax.parse_tables import tables
from rulekit.tools.editing.corrections.lines import FaultyLine, Proposal, blamed, faulty_line, forms_in
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit

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
        yield line.with_(line.said[1], len(line.text), forms_in(hint)[0], f"write `{forms_in(hint)[0]}` at the end")
        yield line.with_(len(line.text), len(line.text), forms_in(hint)[0])
    yield from _away(line, entry)


def _habit(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """What is meant by a line that people write out of habit."""
    found = _line_at(document, line.number)
    text = rewritten(found) if found is not None else ""
    if text and found is not None:
        first, last = found.words[0], found.words[-1]
        place = Span(line.source, first.line, first.column, last.end_line, last.end_column)
        block = text.replace("\n", f"\n{line.indent}{_STEP}")
        yield Proposal(f"write `{text.splitlines()[0]}`", (Edit(place, block),))


def _line_at(document: Document, number: int) -> Line | None:
    """The logical line that goes over this line, with the parser as it is before it, whatever is wrong above."""
    try:
        tokens = tokenized(whole(document.source), Problems())
    except TooDeep:
        return None
    at = next((n for n, one in enumerate(tokens) if one.line >= number and one.type not in LAYOUT), None)
    if at is None:
        return None
    while at and tokens[at - 1].type not in LAYOUT:
        at -= 1
    before = LalrParser(tables())
    for token in tokens[:at]:
        before.feed(before.role(token), token)
    stop = next((n for n in range(at, len(tokens)) if tokens[n].type in LAYOUT), len(tokens))
    end = next((n for n in range(stop, len(tokens)) if tokens[n].type not in LAYOUT), len(tokens))
    trial = LalrParser(tables(), states=list(before.states))
    words = tokens[at:stop]
    fault = next((n for n, token in enumerate(words) if not trial.feed(trial.role(token), token)), len(words))
    return Line(before, words, tokens[stop:end], fault)


def _indented(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """The line at each level that it could be meant for, the nearest first."""
    width = len(line.indent.expandtabs(4))
    for wanted in sorted({width - width % 4, width + (-width % 4), width + 4, width - 4}, key=lambda w: abs(w - width)):
        if wanted >= 0:
            yield line.with_(0, len(line.indent), " " * wanted, f"indent by {wanted} blanks")


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
        yield Proposal("take the blanks away", edits)


def _away(line: FaultyLine, entry: Diagnostic) -> Iterator[Proposal]:
    """`take X … away`: from X to the end of the line, or the faulty words."""
    if "away" not in entry.hint and "out" not in entry.hint:
        return
    for form in (*forms_in(entry.hint), *blamed(entry)):
        start = line.text.find(form.partition("…")[0].rstrip())
        if start >= 0:
            end = line.said[1] if "…" in form else start + len(form)
            yield line.with_(start, end, "")
