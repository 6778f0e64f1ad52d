"""The logical line of a finding as the parser meets it, with whatever is wrong above it left out."""

from __future__ import annotations

from rulekit.diagnostics import Problems
from rulekit.syntax.blocks import whole
from rulekit.syntax.indentation import LAYOUT, Mark, TooDeep
from rulekit.syntax.lalr_parser import LalrParser
from rulekit.syntax.parse import tokenized
from rulekit.syntax.parse_tables import tables
from rulekit.syntax.recovery import faulty_lines
from rulekit.tools.editing.document import Document
from rulekit.values import frozen

_FAULTS = 20
"""So many faulty lines above are left out."""


@frozen
class ParsedLine:
    """A logical line.

    before:  the parser at its start; words: all of it; behind: the layout that follows, and the first word after that.
    fault:   the number of the word that does not fit; that of words if all do.
    """

    before: LalrParser
    words: tuple[Mark, ...]
    behind: tuple[Mark, ...]
    fault: int

    def at_fault(self) -> LalrParser:
        """The parser behind the words that fit."""
        return fed(self.before.states, self.words[: self.fault])


def fed(states: list[int], tokens: tuple[Mark, ...]) -> LalrParser:
    """A parser that goes on from these states, as far as the tokens fit."""
    parser = LalrParser(tables(), states=list(states))
    for token in tokens:
        if not parser.feed(parser.role(token), token):
            break
    return parser


def parsed_line(document: Document, number: int) -> ParsedLine | None:
    """The logical line that goes over this one; None where there is none."""
    try:
        tokens = tokenized(whole(document.source), Problems())
    except TooDeep:
        return None
    for _ in range(_FAULTS):
        start = _start(tokens, number)
        if start is None:
            return None
        parser = LalrParser(tables())
        fault = parser.feed_all(tokens[:start])
        is_headless = parser.expected() == ["_INDENT"]
        if not is_headless and (fault is None or fault >= start):
            return _line(parser, tokens, start)
        if fault is None or is_headless:
            fault = max(n for n in range(fault or start) if tokens[n].type not in LAYOUT)
        first, last = faulty_lines(tokens, fault)
        if last > start:
            return None
        tokens = tokens[:first] + tokens[last:]
    return None


def _start(tokens: list[Mark], number: int) -> int | None:
    """The first token of the logical line."""
    at = next((n for n, one in enumerate(tokens) if one.end_line >= number and one.type not in LAYOUT), None)
    while at and tokens[at - 1].type not in LAYOUT:
        at -= 1
    return at


def _line(before: LalrParser, tokens: list[Mark], start: int) -> ParsedLine:
    stop = next((n for n in range(start, len(tokens)) if tokens[n].type in LAYOUT), len(tokens))
    end = next((n for n in range(stop, len(tokens)) if tokens[n].type not in LAYOUT), len(tokens))
    trial, words = LalrParser(tables(), states=list(before.states)), tuple(tokens[start:stop])
    fault = next((n for n, token in enumerate(words) if not trial.feed(trial.role(token), token)), len(words))
    return ParsedLine(before, words, tuple(tokens[stop : end + 1]), fault)
