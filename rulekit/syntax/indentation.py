"""Layout: the off-side rule, logical lines, and margins (trivia in other parsers).

Turns a token stream into one with `_INDENT` and `_DEDENT`, finds the logical
lines (a line goes on inside brackets), and ties every clause, citation and
comment to the logical line it belongs to.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from rulekit import limits
from rulekit.diagnostics import Problems
from rulekit.errors import RulekitError
from rulekit.legibility import is_joined
from rulekit.source import Source, Span
from rulekit.syntax.blocks import Block
from rulekit.syntax.nodes import Citation, Clause, Comment, Margin
from rulekit.values import define, field, frozen

TAB = 4
_OPEN = frozenset({"LPAR", "LSQB"})
_CLOSE = frozenset({"RPAR", "RSQB"})
LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT"})
_DEEPENING = frozenset({
    "DOT", "LPAR", "LSQB", "NOT", "MINUS", "PLUS", "STAR", "SLASH", "MOD", "AND", "OR", "IF",
    "WHERE", "WHOSE", "EXCEPT", "AS", "WITH", "BY", "COUNT", "ANY", "FIRST", "LAST", "POSSIBLE",
    "SUM", "LEAST", "MOST", "NO", "IS", "IN", "BELOW", "ABOVE", "AT", "UPTO",
})  # fmt: skip
_IN_LINE = re.compile(r'"[^"\n]*"|\|[^\n]*\||(?P<cite>@[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)|(?P<comment>#[^\n]*)')
_CLAUSE = re.compile(r">(?P<free>-?)[ ]+(?P<id>[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*)(?:[ ]+(?P<text>\S[^\n]*))?")
_COMPARED = re.compile(r">(=?)\s*\d")
_CLOSED_TO_TEXT = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})


@define
class Mark:
    """One token: type, text and place.  The parser's own token class does not leave `parse`.

    Nobody changes it; as it is not frozen, it is made in half of the time, and there is one for each word.
    """

    type: str
    text: str
    line: int
    column: int
    end_line: int
    end_column: int


@frozen
class LogicalLine:
    first: Mark
    last: Mark


@frozen
class Margins:
    """Margins by the place (line, column) where their logical line begins; by its line where it ends."""

    by_place: dict[tuple[int, int], Margin] = field(factory=dict)
    ends: dict[int, tuple[int, int]] = field(factory=dict)


def check_characters(block: Block, problems: Problems) -> None:
    """Adds `bad-character` for anything that no editor should leave in a rules file."""
    for number, line in enumerate(block.text.split("\n"), block.first):
        indent = line[: len(line) - len(line.lstrip())]
        if "\t" in indent:
            place = Span(block.name, number, 1, number, len(indent) + 1)
            problems.add("tab", "this line is indented with a tab", place, hint="indent with 4 blanks a level")
        if line.isascii() and line.isprintable():
            continue
        for column, char in enumerate(line, 1):
            if char != "\t" and unicodedata.category(char) in _CLOSED_TO_TEXT and not is_joined(line, column - 1):
                place = Span(block.name, number, column, number, column + 1)
                title = f"the character U+{ord(char):04X} cannot stand in a rules file"
                problems.add("bad-character", title, place, hint="take it out")
                break


def indented(tokens: Sequence[Mark], unclosed: frozenset[int], block: Block, problems: Problems) -> Iterator[Mark]:
    """The tokens with `_INDENT` and `_DEDENT`; a level that fits none snaps to the nearest, with a finding.

    unclosed:  the numbers of brackets that nothing closes.
    """
    levels: list[list[int]] = [[0]]
    depth, chain = 0, 0
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token.type == "NAME" and depth + len(levels) <= limits.NESTING:
            yield token
            continue
        if token.type in _OPEN and index not in unclosed:
            depth += 1
            stack.append(chain)
        elif token.type in _CLOSE:
            depth = max(0, depth - 1)
            chain = stack.pop() if stack else 0
        elif token.type == "COMMA":
            chain = stack[-1] if stack else 0
        if token.type in _DEEPENING:
            chain += 1
        if depth + len(levels) > limits.NESTING or chain > limits.CHAIN:
            raise TooDeep(span_of(block, token))
        if token.type != "_NL":
            yield token
            continue
        if depth:
            continue
        chain = 0
        yield token
        yield from _levels(token, levels, block, problems)


def unmatched(tokens: Sequence[Mark]) -> tuple[int, frozenset[int]]:
    """How many brackets close nothing, and those that nothing closes.

    These do not hold lines together, or one would swallow the rest of the file.
    """
    waiting: list[int] = []
    closing = 0
    for index, token in enumerate(tokens):
        if token.type in _OPEN:
            waiting.append(index)
        elif token.type in _CLOSE and waiting:
            waiting.pop()
        elif token.type in _CLOSE:
            closing += 1
    return closing, frozenset(waiting)


class TooDeep(RulekitError):
    """Nested beyond `limits.NESTING` or `limits.CHAIN`."""

    def __init__(self, span: Span) -> None:
        super().__init__(str(span))
        self.span = span


def _levels(token: Mark, levels: list[list[int]], block: Block, problems: Problems) -> Iterator[Mark]:
    """`_INDENT` or `_DEDENT` before the next line.  A level is its width, then the widths that snapped to it."""
    blanks = token.text.rpartition("\n")[2]
    width = blanks.count(" ") + blanks.count("\t") * TAB
    line = token.line + token.text.count("\n")
    here = (line, width + 1, line, width + 1)
    if width > levels[-1][0]:
        levels.append([width])
        yield Mark("_INDENT", "", *here)
    while len(levels) > 1 and width <= levels[-2][0]:
        levels.pop()
        yield Mark("_DEDENT", "", *here)
    if width not in levels[-1]:
        levels[-1].append(width)
        place = Span(block.name, line, 1, line, width + 1)
        title = f"this line is indented by {width} blanks, which fits no line above it"
        problems.add("indentation", title, place, hint="indent with 4 blanks a level")


def logical_lines(tokens: Iterable[Mark]) -> list[LogicalLine]:
    """Runs of tokens between line ends; inside brackets a line goes on."""
    lines: list[LogicalLine] = []
    current: list[Mark] = []
    for token in tokens:
        if token.type not in LAYOUT:
            current.append(token)
        elif token.type == "_NL" and current:
            lines.append(LogicalLine(current[0], current[-1]))
            current = []
    if current:
        lines.append(LogicalLine(current[0], current[-1]))
    return lines


def margins(block: Block, lines: list[LogicalLine], problems: Problems) -> Margins:
    """Ties each clause and whole-line comment to the logical line below or around it, the rest to its own line."""
    text = block.text.split("\n")
    by_place: dict[tuple[int, int], Margin] = {}
    ends: dict[int, tuple[int, int]] = {}
    done = block.first - 1
    for line in lines:
        above = _above(block, text, done + 1, line.first.line, problems)
        done = line.last.end_line
        above += tuple(x for x in _above(block, text, line.first.line + 1, done, problems) if x != Comment(""))
        cites, comment = _beside(block, text, line.first.line, done)
        by_place[line.first.line, line.first.column] = Margin(above, cites, comment)
        ends[line.first.line] = (line.last.end_line, line.last.end_column)
    return Margins(by_place, ends)


def tail(block: Block, problems: Problems) -> tuple[Clause | Comment, ...]:
    """What stands below the last line of a file, without the blank lines at its end."""
    found = _above(block, block.text.split("\n"), block.first, block.next, problems)
    while found and found[-1] == Comment(""):
        found = found[:-1]
    return found


def _above(block: Block, text: list[str], start: int, stop: int, problems: Problems) -> tuple[Clause | Comment, ...]:
    """The clauses, comments and single blank lines from line `start` up to `stop`."""
    found: list[Clause | Comment] = []
    for number in range(start, stop):
        whole = text[number - block.first]
        line = whole.strip()
        if line.startswith(">"):
            found.append(_clause(block, number, whole, problems))
        elif line.startswith("#"):
            found.append(Comment(line))
        elif not line and found[-1:] != [Comment("")]:
            found.append(Comment(""))
    return tuple(found)


def _clause(block: Block, number: int, line: str, problems: Problems) -> Clause:
    column = line.index(">") + 1
    span = Span(block.name, number, column, number, len(line.rstrip()) + 1)
    match = _CLAUSE.fullmatch(line.strip())
    if match is None or not match["text"]:
        title = "a clause needs an id and its words"
        problems.add("clause", title, span, hint=_clause_hint(line.strip()))
    if match is None:
        return Clause("", line.strip(), span=span)
    return Clause(match["id"], match["text"] or "", not match["free"], span)


def _clause_hint(line: str) -> str:
    """What to write in place of a clause without id or words: a number behind `>` was meant to be compared."""
    if compared := _COMPARED.match(line):
        return f"to compare, write `{'at least' if compared[1] else 'above'}`"
    return "write it as `> AB-12 What the rule text says.`"


def _beside(block: Block, text: list[str], first: int, last: int) -> tuple[tuple[Citation, ...], str | None]:
    cites: list[Citation] = []
    comment: str | None = None
    for number in range(first, last + 1):
        line = text[number - block.first]
        if ("@" not in line and "#" not in line) or line.lstrip().startswith(("#", ">")):
            # Nothing stands behind it, or it is a whole-line margin inside brackets.
            continue
        for match in _IN_LINE.finditer(line):
            if match["cite"]:
                span = Span(block.name, number, match.start() + 1, number, match.end() + 1)
                cites.append(Citation(match["cite"][1:], span))
            elif match["comment"]:
                comment = match["comment"].rstrip() if comment is None else f"{comment} {match['comment'].rstrip()}"
    return tuple(cites), comment


def span_of(text: Source | Block, token: Mark) -> Span:
    """Where a token stands."""
    return Span(text.name, token.line, token.column, token.end_line, token.end_column)
