"""From syntax to text: the formatter, a pretty-printer with one canonical layout.

What it writes parses to an equal file, and is itself left as it is by a
second run.  Never looks at what a name means, nor at spans except for the
order of an option's lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.syntax.unparse_expr import words, written
from rulekit.syntax.unparse_line import Inside, bracketed_head, inside
from rulekit.values import frozen

INDENT = 4
WIDTH = 118
CITES_AT = 83
"""The column where citations stand when the line leaves them room."""

_JOINTS = words("where whose except with by then else and or")
_CITED_LAST = re.compile(r" @[A-Za-z0-9-]+$")
_MARKS = re.compile(r'"[^"]*"|[(\[]|[)\]]| (?P<word>[a-z]*)')


def unparse(file: nodes.File) -> str:
    """The canonical text of `file`, with every comment, clause and citation; "" for an empty one."""
    lines = [*_block(file.declarations, 0), *_above(file.tail, 0)]
    return "".join(line + "\n" for line in lines)


# ---------------------------------------------------------------- blocks and lines


def _block(block: Sequence[nodes.Line], level: int) -> Iterator[str]:
    """The lines of one block; its rows and its readings stand in columns."""
    columns = _columns([line.cells for line in block if isinstance(line, nodes.Row)])
    width = max((written(line).index(" ") for line in block if isinstance(line, nodes.Reading)), default=0)
    for line in block:
        if isinstance(line, nodes.Row):
            yield from _entry([_row(line, columns)], None, line.margin, level)
        elif isinstance(line, nodes.Reading):
            name, _, rest = written(line).partition(" ")
            yield from _entry([f"{name:{width}} {rest}"], None, line.margin, level)
        else:
            yield from _logical(line, level)


def _logical(line: nodes.Line, level: int) -> Iterator[str]:
    """A line with its block; the further arms of an `if` stand beside its first."""
    text, block = written(line), inside(line)
    if isinstance(block, nodes.Body) and block.inline:
        text, block = f"{text}: {_closed(written(block.statements[0]), block.statements[0])}", None
    elif len(text) > WIDTH - INDENT * level > WIDTH / 2:
        text = _closed(bracketed_head(line), line)
    else:
        text = _closed(text, line)
    yield from _entry(_wrapped(text, WIDTH - INDENT * level), block, line.margin, level)
    if isinstance(line, nodes.If):
        for arm in line.arms[1:]:
            yield from _logical(arm, level)


def _closed(text: str, line: nodes.Line) -> str:
    """With brackets around a part of the line that ends with its citation: behind the line it would be the line's."""
    if not _CITED_LAST.search(text):
        return text
    parts = (written(part) for part in walk(line) if isinstance(part, nodes.Cited))
    last = max((part for part in parts if text.endswith(part)), key=len)
    return f"{text.removesuffix(last)}({last})"


def _entry(lines: Sequence[str], block: Inside, margin: nodes.Margin, level: int) -> Iterator[str]:
    """The margin above, the line itself with the margin beside it, and its block."""
    yield from _above(margin.above, level)
    *begun, last = (_indented(line, level) for line in lines)
    yield from begun
    yield _beside(last, margin)
    if block:
        yield from _block(block.statements if isinstance(block, nodes.Body) else block, level + 1)


def _indented(text: str, level: int) -> str:
    return " " * INDENT * level + text if text else ""


# ---------------------------------------------------------------- margins


def _above(lines: Iterable[nodes.Clause | nodes.Comment], level: int) -> Iterator[str]:
    for line in lines:
        yield _indented(_clause(line) if isinstance(line, nodes.Clause) else line.text, level)


def _clause(clause: nodes.Clause) -> str:
    if not clause.id:  # It could not be read, and stays as it stood.
        return clause.text
    return f"{'>' if clause.needs_rule else '>-'} {clause.id} {clause.text}".rstrip()


def _beside(line: str, margin: nodes.Margin) -> str:
    if margin.cites:
        room = CITES_AT - 1
        line = line.ljust(room) if len(line) < room else line + "  "
        line += " ".join(f"@{cite.id}" for cite in margin.cites)
    return line if margin.comment is None else f"{line}  {margin.comment}"


# ---------------------------------------------------------------- tables


def _columns(rows: Sequence[tuple[str, ...]]) -> list[int]:
    """The width of each column."""
    count = max((len(row) for row in rows), default=0)
    return [max(len(row[i]) for row in rows if i < len(row)) for i in range(count)]


def _row(row: nodes.Row, columns: Sequence[int]) -> str:
    return "|" + "".join(f" {cell:{width}} |" for cell, width in zip(row.cells, columns, strict=False))


# ---------------------------------------------------------------- long lines


@frozen
class _Break:
    """A blank inside brackets where a line may go on below; the smaller, the better to read."""

    depth: int
    rank: int  # 0 before `else`, 1 at a comma or another connective, 2 elsewhere
    place: int


def _wrapped(text: str, width: int) -> list[str]:
    """A logical line as lines of at most `width`, as far as there are brackets to break in."""
    breaks, lines, start, room = _breaks(text), [], 0, width
    while len(text) - start > room:
        place = _best([x for x in breaks if x.place > start], start + room)
        if place is None:
            break
        lines.append(text[start:place])
        start, room = place + 1, width - INDENT
    lines.append(text[start:])
    return [lines[0], *(" " * INDENT + line for line in lines[1:])]


def _best(breaks: Sequence[_Break], stop: int) -> int | None:
    """The last of the best breaks up to `stop`, or the first one after it."""
    near = [x for x in breaks if x.place <= stop]
    if not near:
        return breaks[0].place if breaks else None
    best = min((x.depth, x.rank) for x in near)
    return max(x.place for x in near if (x.depth, x.rank) == best)


def _breaks(text: str) -> list[_Break]:
    found, depth = [], 0
    for match in _MARKS.finditer(text):
        depth += (match[0] in "([") - (match[0] in ")]")
        if match["word"] is not None and depth and not text.startswith("@", match.end()):
            is_joint = match["word"] in _JOINTS or text[match.start() - 1] == ","
            rank = 0 if match["word"] == "else" else 1 if is_joint else 2
            found.append(_Break(depth, rank, match.start()))
    return found
