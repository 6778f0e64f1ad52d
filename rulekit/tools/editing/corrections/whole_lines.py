"""Proposals that write lines of their own, give another name, or let all hear what a line goes by."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.diagnostics import Diagnostic
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.tools.editing.corrections.lines import STAND_IN, FaultyLine, Proposal, faulty_line, forms_in
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, whole
from rulekit.tools.editing.occurrences import CLAUSE
from rulekit.tools.editing.rename import Refused, renamed

_STEP = "    "
_PARTS = {"play": "play: end game", "result": "result: rank players"}
"""The shortest of each part that a game must have."""


def from_lines(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """By what the hint asks for, in its own words."""
    line, hint = faulty_line(document, entry), entry.hint
    if "another name" in hint:
        yield from _another_name(document, line)
    if hint.startswith("begin with `game"):
        yield _game(document, forms_in(hint)[0])
    if hint.startswith("write `players"):
        yield line.with_line_below(f"{line.indent}{_STEP}{forms_in(hint)[0]}")
    if entry.code == "no-part":
        yield from _part(document, forms_in(hint)[0])
    if hint.startswith("declare it in `"):
        yield _inside(line, forms_in(hint)[0])
    if "cite it with @" in hint and "@ID" not in hint:
        yield from _cited(document, line)
    if hint.startswith("write it as `>"):
        yield from _clause(document, line)
    if "reveal" in hint and " as answer`" in hint:
        yield from _heard(line, "whether" in hint)
    if "as its title" in hint:
        yield from _titled(line)
    if entry.code == "no-links":
        yield from _links(document, entry)


def _another_name(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """Each name that is given in the line, with a number behind it."""
    for one in document.index.all:
        if one.declares and (one.span.source, one.span.line) == (line.source, line.number):
            new = f"{one.symbol.name}_2"
            made = renamed(document, one.span.line, one.span.column, new)
            if not isinstance(made, Refused):
                yield Proposal(f"call it `{new}`", made)
            place = Edit(one.span, new)
            yield Proposal(f"call it `{new}` here", (place,))


def _game(document: Document, head: str) -> Proposal:
    """The head of a game above all, and the parts that are missing below."""
    said = {node.word for node in document.file.declarations if isinstance(node, nodes.Part)}
    parts = [_at_end(document, text) for part, text in _PARTS.items() if part not in said]
    top = Edit(Span(document.source.name, 1, 1, 1, 1), f"{head}\n{_STEP}players 2..4\n")
    more = (Edit(parts[0].span, "".join(part.text for part in parts)),) if parts else ()
    return Proposal(f"write `{head}` and what a game must have{STAND_IN}", (top, *more))


def _part(document: Document, part: str) -> Iterator[Proposal]:
    if part in _PARTS:
        yield Proposal(f"write `{_PARTS[part]}`{STAND_IN}", (_at_end(document, _PARTS[part]),))


def _at_end(document: Document, text: str) -> Edit:
    end = whole(document.source)
    place = Span(end.source, end.end_line, end.end_column, end.end_line, end.end_column)
    return Edit(place, f"\n{text}\n" if end.end_column > 1 else f"{text}\n")


def _inside(line: FaultyLine, head: str) -> Proposal:
    start = len(line.indent)
    return line.with_(start, start, f"{head}\n{line.indent}{_STEP}", f"put it into `{head}`")


def _cited(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """With the clause next above it, or any."""
    clauses = [(place, symbol.name) for symbol, place in document.declared.items() if symbol.sort == CLAUSE]
    for _, id_ in sorted(clauses, key=lambda one: (one[0].line > line.number, -one[0].line))[:3]:
        yield line.with_(line.said[1], line.said[1], f"  @{id_}", f"cite {id_}, if that is the clause that says so")


def _clause(document: Document, line: FaultyLine) -> Iterator[Proposal]:
    """An id that no clause has, before the words that are there."""
    used = {symbol.name for symbol in document.declared if symbol.sort == CLAUSE}
    new = next(f"N-{number}" for number in range(1, len(used) + 2) if f"N-{number}" not in used)
    words = line.text.strip().lstrip(">- ")
    first, _, rest = words.partition(" ")
    id_ = first.rstrip(":.;") if re.fullmatch(r"[A-Z][A-Z0-9-]*\d\w*[:.;]?", first) else ""
    said = (rest if id_ and id_ not in used else words) or "What the rule text says."
    yield line.with_(len(line.indent), len(line.text), f"> {id_ if id_ and id_ not in used else new} {said}")


def _heard(line: FaultyLine, is_whether: bool) -> Iterator[Proposal]:
    """All hear what the stretch is, and the line goes by that."""
    what = line.text[line.start : line.end].strip(" :")
    stretches = [
        what,
        *re.findall(r"(?:\bif|\bto|\bby|\bwhile|\bin|\bdefeat|:) (.+?)(?=:|$)", line.text[: line.said[1]]),
    ]
    for part in dict.fromkeys(stretches):
        start = line.text.find(part)
        if start < 0 or not part:
            continue
        query = f"({part})" if re.search(r"\b(where|whose|with|by|except)\b", part) and not is_whether else part
        said = f"reveal {'whether ' if is_whether else ''}{query} as answer"
        above = Edit(Span(line.source, line.number, 1, line.number, 1), f"{line.indent}{said}\n")
        yield Proposal(f"let all hear `{part}` first", (above, *line.with_(start, start + len(part), "answer").edits))


def _titled(line: FaultyLine) -> Iterator[Proposal]:
    """What is written as a look of a member is its title, in place of one that stands there."""
    found = re.match(r'(\s*\w+ \w+)(?: "[^"]*")?(.*?),? look_name (?:"([^"]*)"|(\S+))', line.text)
    if found is not None:
        member, between, quoted, word = found.groups()
        title = f'{member} "{quoted or word}"{between}'
        yield line.with_(0, found.end(), title, f"make `{quoted or word}` its title")


def _links(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """A column `next` behind the others: where it is empty, the space below follows."""
    course = next(
        (
            node
            for node in walk(document.file.declarations)
            if isinstance(node, nodes.Course) and node.span == entry.span
        ),
        None,
    )
    tables = (node for node in walk(document.file.declarations) if isinstance(node, nodes.Deck))
    for table in tables:
        rows = [row for row in table.rows if isinstance(row, nodes.Row)]
        if course is not None and table.kind == course.kind and rows:
            places = [
                Span(row.span.source, row.span.line, row.span.end_column, row.span.line, row.span.end_column)
                for row in rows
            ]
            edits = tuple(Edit(place, " next |" if place is places[0] else " |") for place in places)
            yield Proposal("write a column `next`", edits)
