"""One rules text as an editor holds it: what is worked out about it, each thing once and only when somebody asks.

A new text is a new document, which shares with the one before the blocks
that were read.  Knows no editor: lines and columns count from 1, in code points.
"""

from __future__ import annotations

from functools import cached_property

from rulekit.diagnostics import Diagnostic, Problems
from rulekit.loading import Loaded, examine_text
from rulekit.model.declare.contents import DeclarationMemo
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.blocks import whole
from rulekit.syntax.indentation import Mark, TooDeep
from rulekit.syntax.lalr_parser import CITE, LalrParser
from rulekit.syntax.parse import Blocks, parse, tokenized
from rulekit.syntax.parse_tables import tables
from rulekit.tools.analysis import setup_check
from rulekit.tools.coverage.clause_coverage import Coverage
from rulekit.tools.editing import occurrences
from rulekit.tools.examples import runner
from rulekit.values import evolve, field, frozen


@frozen(eq=False)
class Document:
    """A text with its name, which is its path where it has one: beside that are searched the games that it extends.

    blocks, memo:  what was read, and worked out for declarations, in this and in the texts before it.
    """

    source: Source = field(repr=False)
    blocks: Blocks = field(factory=Blocks, repr=False)
    memo: DeclarationMemo = field(factory=DeclarationMemo, repr=False)

    def changed(self, source: Source) -> Document:
        """Another text instead of this one, or one that is only tried."""
        return Document(source, self.blocks, self.memo)

    def forget(self) -> None:
        """Keep what is known of this text and the last one, and nothing older."""
        self.blocks.forget()
        self.memo.retain(self.blocks.declarations())

    @cached_property
    def loaded(self) -> Loaded:
        return examine_text(self.source, self.blocks)

    @cached_property
    def file(self) -> nodes.File:
        """The tree of what can be read."""
        return parse(self.source, Problems(), self.blocks).file

    @cached_property
    def tokens(self) -> tuple[tuple[str, Mark], ...]:
        """The tokens, each with its role: a keyword that cannot stand there is a name."""
        return roles(self.source)

    @cached_property
    def index(self) -> occurrences.Index:
        return occurrences.index(self.source, self.file, self.blocks)

    @cached_property
    def examples(self) -> tuple[runner.Result, ...]:
        """What came of its scenarios; none of a text with errors."""
        return () if self.loaded.game is None else tuple(runner.run_all(self.loaded.game))

    @cached_property
    def covered(self) -> dict[str, list[str]]:
        """By clause the scenarios that come by it."""
        if self.loaded.game is None or not all(result.passed for result in self.examples):
            return {}
        coverage = Coverage(self.loaded.game)
        for _ in coverage.look_at_examples():
            pass
        return coverage.shown

    @cached_property
    def declared(self) -> dict[occurrences.Symbol, Span]:
        """Where each symbol is made known first."""
        return occurrences.declared(self.source, self.file, self.blocks, self.memo)


def roles(source: Source) -> tuple[tuple[str, Mark], ...]:
    """The tokens of a text with their roles; none of one that is nested too deep."""
    try:
        tokens = tokenized(whole(source), Problems())
    except TooDeep:
        return ()
    parser = LalrParser(tables())
    found: list[tuple[str, Mark]] = []
    for number, token in enumerate(tokens):
        if token.type == CITE and not parser.ends_part(tokens, number):
            continue
        role = parser.role(token)
        # Behind a token that does not fit the parser stays where it was, so that the next line has its colours again.
        parser.feed(role, token)
        found.append((role, token))
    return tuple(found)


def findings(document: Document) -> tuple[Diagnostic, ...]:
    """All that `check` finds in this text: in its lines, in its setup, in its examples.

    What is wrong with a text that it extends stands where it says so, if nothing is wrong here.
    """
    found = list(document.loaded.findings)
    if document.loaded.game is not None:
        found += setup_check.findings(document.loaded.game)
        found += [runner.finding(result) for result in document.examples if not result.passed]
    own = tuple(dict.fromkeys(entry for entry in found if entry.span.source == document.source.name))
    return own if own or document.loaded.game is not None else _of_bases(document)


def _of_bases(document: Document) -> tuple[Diagnostic, ...]:
    heads = (node for node in document.file.declarations if isinstance(node, nodes.GameHead))
    place = next((fact.span for head in heads for fact in head.facts if isinstance(fact, nodes.Extends)), None)
    if place is None:
        return ()
    found = document.loaded.findings
    return tuple(evolve(one, span=place, note=f"in {one.span.source}, line {one.span.line}") for one in found)
