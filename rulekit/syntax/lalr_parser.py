"""The LALR(1) parser: a table-driven shift-reduce automaton, fed token by token; and the lexer.

Nodes are made as soon as a rule is reduced, from the inside outwards.  Knows
nothing of faults: a token that does not fit is not taken, and `expected` says
which would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from rulekit.source import Span
from rulekit.syntax.indentation import Mark
from rulekit.syntax.parse_tables import Rule, Tables
from rulekit.values import define, field

END = "$END"
NAME = "NAME"
CITE = "CITE"


def lexed(tables: Tables, text: str, line: int = 1) -> Iterator[Mark]:
    """The tokens of a text, counting lines from `line`.

    Every character is in one: the last of the terminals takes whatever no other one does.
    """
    begun, ignored, words = 0, tables.ignored, tables.words
    for match in tables.scanner.finditer(text):
        kind, word, (start, end), first, column = match.lastgroup or "", match[0], match.span(), line, begun - 1
        if "\n" in word:
            line += word.count("\n")
            begun = start + word.rindex("\n") + 1
        if kind not in ignored:
            yield Mark(
                words.get(word, kind) if kind == NAME else kind, word, first, start - column, line, end - begun + 1
            )


Build = Callable[[str, Span, list[Any]], Any]
"""Makes what a rule of the grammar (`Rule.makes`) stands for, of where it stands and its children."""


@define(eq=False)
class LalrParser:
    """The parser's stack: what has been read so far.

    build:    makes nodes of what is read; without it only places in the tables are followed.
    states:   from the first to the one it is in; values and extents lie between each and the next.
    extents:  from where to where a value goes, with the marks around it.
    """

    tables: Tables
    source: str = ""
    build: Build | None = None
    states: list[int] = field(factory=lambda: [0])
    values: list[Any] = field(factory=list, repr=False)
    extents: list[Mark | Span] = field(factory=list, repr=False)

    def feed(self, terminal: str, token: Mark) -> bool:
        """Go on by one token; False where it does not fit."""
        rows, rules, states = self.tables.states, self.tables.rules, self.states
        while True:
            step = rows[states[-1]].get(terminal)
            if step is None:
                return False
            if step >= 0:
                states.append(step)
                self.values.append(token.text)
                self.extents.append(token)
                return True
            rule = rules[~step]
            if rule.size == 1 and rule.makes is None:
                states[-1] = rows[states[-2]][rule.origin]
            else:
                self._reduce(rule)

    def feed_all(self, tokens: Sequence[Mark]) -> int | None:
        """Feed tokens and the end; the number of the one that did not fit, or None."""
        for number, token in enumerate(tokens):
            if token.type == CITE and not self.ends_part(tokens, number):
                continue
            if not self.feed(self.role(token), token):
                return number
        return None if self.takes(END) else len(tokens)

    def whole(self) -> Any:
        """The node of all that was read.  Only where `END` is taken."""
        rows, states = self.tables.states, self.states
        while states[-1] != self.tables.end:
            self._reduce(self.tables.rules[~rows[states[-1]][END]])
        return self.values[-1]

    def role(self, token: Mark) -> str:
        """The terminal that this token is here: a keyword that cannot stand here is a name."""
        if token.type == NAME or token.text not in self.tables.words:
            return token.type
        return token.type if self.takes(token.type) or not self.takes(NAME) else NAME

    def ends_part(self, tokens: Sequence[Mark], number: int) -> bool:
        """Whether a condition or value ends before the citation at this number; else the citation is the line's.

        What follows tells: in the middle of a sum or a comparison nothing ends.
        """
        if not self.takes(CITE):
            return False
        ahead = LalrParser(self.tables, states=list(self.states))
        ahead.feed(CITE, tokens[number])
        following = next(token for token in tokens[number:] if token.type != CITE)
        return ahead.takes(ahead.role(following))

    def takes(self, terminal: str) -> bool:
        """Whether `terminal` can really come next.

        A row of the table alone does not tell: it also reduces before words that only fit elsewhere.
        So the reductions are walked through, on the states only.
        """
        rows, rules = self.tables.states, self.tables.rules
        step = rows[self.states[-1]].get(terminal)
        stack = list(self.states) if step is not None and step < 0 else []
        while step is not None and step < 0:
            rule = rules[~step]
            if rule.size:
                del stack[-rule.size :]
            stack.append(rows[stack[-1]][rule.origin])
            if stack[-1] == self.tables.end:
                return terminal == END
            step = rows[stack[-1]].get(terminal)
        return step is not None

    def expected(self) -> list[str]:
        """The terminals that can come next, in alphabetical order."""
        row = self.tables.states[self.states[-1]]
        return sorted(name for name in row if name.isupper() and self.takes(name))

    def _reduce(self, rule: Rule) -> None:
        states, size = self.states, rule.size
        if self.build is not None:
            self._make(rule, self.build)
        if size:
            del states[-size:]
        states.append(self.tables.states[states[-1]][rule.origin])

    def _make(self, rule: Rule, build: Build) -> None:
        """One value out of the last few, and where it stands."""
        values, extents = self.values, self.extents
        first = len(values) - rule.size
        made: Any = []
        for pick in rule.picks:
            if pick is None:
                made.append(None)
            elif pick >= 0:
                made.append(values[first + pick])
            else:
                made += values[first + ~pick]
        extent = extents[first] if rule.size == 1 else self._extent(first)
        if rule.makes is None:
            (made,) = made
        elif rule.makes:
            if not isinstance(extent, Span):
                extent = Span(self.source, extent.line, extent.column, extent.end_line, extent.end_column)
            made = build(rule.makes, extent, made)
        values[first:] = (made,)
        extents[first:] = (extent,)

    def _extent(self, first: int) -> Span:
        if first == len(self.extents):
            return Span(self.source, 1, 1, 1, 1)
        start, end = self.extents[first], self.extents[-1]
        return Span(self.source, start.line, start.column, end.end_line, end.end_column)
