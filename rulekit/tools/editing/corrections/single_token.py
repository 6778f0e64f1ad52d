"""Proposals by the grammar: one token put in, replaced or taken out (Burke and Fisher), and lines and blocks ended.

What may stand at a fault comes out of the parser's own tables; where a name
may stand, completion says which.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import islice

from rulekit.diagnostics import Diagnostic, closest
from rulekit.source import Source
from rulekit.syntax.indentation import Mark
from rulekit.syntax.lalr_parser import NAME, LalrParser
from rulekit.syntax.parse_tables import tables
from rulekit.tools.editing.completion import completion
from rulekit.tools.editing.corrections.lines import FaultyLine, Proposal, faulty_line
from rulekit.tools.editing.corrections.parsed_line import ParsedLine, fed, parsed_line
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import applied
from rulekit.tools.editing.typed_hole import fillings, reads, written
from rulekit.values import evolve

MAY_STAND = "here may stand"
"""So begins a hint that tells what the parser takes."""
_STEP = "    "
_ENDINGS = 12
"""So many ways to end a line are tried, the shortest first."""
_NAMES = 4
"""So many names are tried for the first that is missing."""
_NEW = "one"
"""What is called so where a new name must be given."""


def from_grammar(document: Document, entry: Diagnostic) -> Iterator[Proposal]:
    """What the parser would take at the fault; what ends a line that ends too early; a block that must follow."""
    is_block = "a block must follow" in entry.title
    if entry.code not in ("syntax", "layout", "unfinished") or not (is_block or entry.hint.startswith(MAY_STAND)):
        return
    line, found = faulty_line(document, entry), parsed_line(document, entry.span.line)
    if found is None:
        return
    if is_block:
        yield from _with_block(document, line, found)
    elif found.fault < len(found.words):
        yield from _one_token(document, line, found)
    else:
        yield from _ended(document, line, found)


# ---------------------------------------------------------------- one token


def _one_token(document: Document, line: FaultyLine, found: ParsedLine) -> Iterator[Proposal]:
    """Each token with which the parser reads the rest of the line, for the faulty one or before it; or without that."""
    wrong, *rest = found.words[found.fault :]
    if wrong.line != line.number:
        return
    start, end = wrong.column - 1, wrong.end_column - 1
    yield from _left_out(document, line, found)
    parser = found.at_fault()
    for terminal in _likest(wrong.text, parser.expected()):
        there = fed(parser.states, (Mark(terminal, "", 1, 1, 1, 1),)).states
        if reads(there, [*rest, *found.behind]):
            for word in _words(document, line, terminal, line.text[:start], wrong.text):
                yield line.with_(start, end, word)
        if reads(there, [wrong, *rest, *found.behind]):
            for word in _words(document, line, terminal, line.text[:start], ""):
                yield line.with_(start, start, f"{word} ")
    if reads(parser.states, [*rest, *found.behind]):
        yield line.with_(start, end, "")


def _left_out(document: Document, line: FaultyLine, found: ParsedLine) -> Iterator[Proposal]:
    """A name behind a point, where another word was taken for it: `move owner.nearer by 1`."""
    for place, point in enumerate(found.words[: found.fault - 1], 1):
        if point.text != "." or point.line != line.number:
            continue
        begun = fed(found.before.states, (*found.words[:place], Mark(NAME, "", 1, 1, 1, 1)))
        if reads(begun.states, [*found.words[place:], *found.behind]):
            start, end = point.end_column - 1, found.words[place].column - 1
            for name in _named(document, line, line.text[:start]):
                yield line.with_(start, end, f"{name} ")


def _likest(wrong: str, expected: Sequence[str]) -> list[str]:
    """The terminals, those that are written like the wrong word first."""
    best = closest(wrong, [written(terminal) for terminal in expected])
    return sorted(expected, key=lambda terminal: written(terminal) != best)


def _words(document: Document, line: FaultyLine, terminal: str, before: str, wrong: str) -> list[str]:
    """What such a token could be there; of a name the likeliest, first the wrong word in letters that may stand."""
    if terminal != NAME:
        return [_word(terminal)]
    plain = unicodedata.normalize("NFKD", wrong).encode("ascii", "ignore").decode().lower()
    spelt = [plain] if plain.isidentifier() and plain != wrong else []
    return [*spelt, *_named(document, line, before)]


def _named(document: Document, line: FaultyLine, before: str) -> list[str]:
    """Names that may stand behind the beginning of the line, the likeliest first; a new one where one is given."""
    trial = document.changed(_with_line(document, line, before))
    offers = completion(trial, line.number + before.count("\n"), len(before.rpartition("\n")[2]) + 1)
    known = [offer.word for offer in offers if offer.sort != "keyword"]
    return (known or _names_in(before))[:_NAMES] or [_NEW]


def _names_in(text: str) -> list[str]:
    """What may be meant by a name below a line that cannot be read: one that it gives."""
    said = re.sub(r'"[^"]*"', "", text.partition("\n")[0])
    return [word for word in re.findall(r"[a-z]\w*", said)[::-1] if word not in tables().words]


def _with_line(document: Document, line: FaultyLine, text: str) -> Source:
    return applied(document.source, line.with_(0, len(line.text), text).edits)


# ---------------------------------------------------------------- the rest of a line, a block


def _ended(document: Document, line: FaultyLine, found: ParsedLine) -> Iterator[Proposal]:
    """The line with what it lacks behind it."""
    end = line.said[1]
    yield from _shown(
        line.with_(end, end, text[end:])
        for text in _filled(document, line, found.at_fault(), found.behind, line.text[:end])
    )


def _with_block(document: Document, line: FaultyLine, found: ParsedLine) -> Iterator[Proposal]:
    """The line with one line below it."""
    parser = fed(found.before.states, (*found.words, _layout("_NL"), _layout("_INDENT")))
    behind = [_layout("_NL"), _layout("_DEDENT"), *found.behind[1:]]
    head = line.text[: line.said[1]]
    begun = f"{head}\n{line.indent}{_STEP}"
    yield from _shown(
        line.with_line_below(text[len(head) + 1 :]) for text in _filled(document, line, parser, behind, begun)
    )


def _layout(kind: str) -> Mark:
    return Mark(kind, "", 1, 1, 1, 1)


def _shown(proposals: Iterator[Proposal]) -> Iterator[Proposal]:
    """Those that are in order as they stand; at last the shortest, whose names people will put in."""
    tried = list(proposals)
    yield from tried[:_ENDINGS]
    yield from (evolve(each, is_told=True) for each in tried[:1])


def _filled(
    document: Document, line: FaultyLine, parser: LalrParser, behind: Sequence[Mark], begun: str
) -> Iterator[str]:
    """The begun line with the fewest words that end it, each name the likeliest there; for the first several."""
    for terminals in islice(fillings(parser.states, behind), _ENDINGS):
        yield from _spelt(document, line, terminals, begun, _NAMES)


def _spelt(document: Document, line: FaultyLine, terminals: Sequence[str], begun: str, most: int) -> Iterator[str]:
    if not terminals:
        yield begun
        return
    first, *rest = terminals
    blank = "" if begun.endswith((" ", "(", "[")) or first in ("RPAR", "RSQB", "COMMA", "COLON") else " "
    names = _named(document, line, begun + blank)[:most] if first == NAME else [_word(first)]
    for word in names:
        yield from _spelt(document, line, rest, f"{begun}{blank}{word}", 1 if first == NAME else most)


def _word(terminal: str) -> str:
    return '"…"' if terminal == "STRING" else written(terminal)
