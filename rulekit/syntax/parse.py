"""From text to syntax, with error recovery.

Never raises for bad text.  A text is read block by block, so that reading it again after an edit reads only what the
edit has changed (incremental parsing, `Blocks`).  What does not parse is left to `recovery`, with what stands around
it.  A keyword is taken as a name wherever the parser cannot take it as a keyword.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain

from rulekit import limits
from rulekit.diagnostics import Diagnostic, Problems
from rulekit.source import Source, Span
from rulekit.syntax import indentation, nodes
from rulekit.syntax.ast_builder import AstBuilder
from rulekit.syntax.blocks import Block, blocks, joined
from rulekit.syntax.indentation import Margins, Mark, span_of
from rulekit.syntax.lalr_parser import CITE, LalrParser, lexed
from rulekit.syntax.parse_tables import tables
from rulekit.syntax.recovery import Parsed, recovering
from rulekit.syntax.traversal import moved
from rulekit.values import define, evolve, field, frozen


def keywords() -> dict[str, str]:
    """Every keyword of the grammar with the name of its terminal."""
    return tables().words


@frozen
class _Read:
    """What a block says.

    declarations:  None where it could not be parsed.
    unmatched:     how many brackets it closes and did not open, and opens and does not close.
    too_deep:      where it is nested too deep; nothing is said of what follows there.
    """

    block: Block
    unmatched: tuple[int, int]
    declarations: tuple[nodes.Declaration, ...] | None = None
    found: tuple[Diagnostic, ...] = ()
    too_deep: Span | None = None

    def at(self, block: Block) -> _Read:
        """The same, as it stands in another place of its source."""
        by = block.first - self.block.first
        if not by:
            return self
        declarations, found, too_deep = moved((self.declarations, self.found, self.too_deep), by)
        return _Read(block, self.unmatched, declarations, found, too_deep)


@define(eq=False)
class Moves:
    """Which declarations of a text stood elsewhere in the one before, by identity."""

    _of: dict[int, tuple[nodes.Declaration, nodes.Declaration, int]] = field(factory=dict, init=False)

    def note(self, here: _Read, before: _Read) -> None:
        by = here.block.first - before.block.first
        for new, old in zip(here.declarations or (), before.declarations or (), strict=True):
            self._of[id(new)] = new, old, by

    def last(self, node: nodes.Declaration) -> tuple[nodes.Declaration, int] | None:
        """What a declaration was in the text before, and how far it has moved; None if it did not move."""
        known = self._of.get(id(node))
        return None if known is None else known[1:]

    def forget(self) -> None:
        self._of.clear()


@define(eq=False)
class Blocks:
    """Blocks that were read before: those of the last texts, and those of the texts that are being read now.

    placed:    whether what stands elsewhere now is given with the lines of that place; else as it was read.
    examples:  whether scenarios are read; nothing that is played needs them.
    """

    moves: Moves = field(factory=Moves)
    placed: bool = True
    examples: bool = True
    _before: dict[object, _Read] = field(factory=dict, init=False)
    _now: dict[object, _Read] = field(factory=dict, init=False)

    def forget(self) -> None:
        """Keep only what was read since this was called last."""
        self._before, self._now = self._now, {}
        self.moves.forget()

    def declarations(self) -> Iterator[nodes.Declaration]:
        """Those of all blocks that are known."""
        for one in (*self._before.values(), *self._now.values()):
            yield from one.declarations or ()

    def read(self, block: Block) -> _Read:
        known = self._now.get(block.key) or self._before.get(block.key)
        made = self._now[block.key] = (known.at(block) if self.placed else known) if known else _read(block)
        if known and made is not known:
            self.moves.note(made, known)
        return made

    def apart(self) -> Blocks:
        """What is known here, for who compares other texts with these: nothing of them is kept here, nor is placed."""
        made = Blocks(self.moves, placed=False)
        made._before = {**self._before, **self._now}
        return made


def parse(source: Source, problems: Problems, known: Blocks | None = None) -> Parsed:
    """The syntax of a rules file; what could not be read is left out and in `problems`.

    known:  what was read before, and need not be read again.
    """
    known = known or Blocks()
    parts, below = blocks(source)
    if not known.examples:
        parts = [part for part in parts if not part.begins_with("scenario")]
    read = [known.read(part) for part in parts]
    if sum(one.unmatched[0] for one in read) and sum(one.unmatched[1] for one in read):
        read = [known.read(part) for part in joined(parts, [one.unmatched for one in read])]
    indentation.check_characters(below, problems)
    tail = indentation.tail(below, problems)
    problems.found.extend(chain.from_iterable(one.found for one in read))
    if any(one.too_deep for one in read):
        return Parsed(nodes.File(()), broken=True)
    got = _whole(read, source, problems)
    broken = got.broken or any(entry.code in ("indentation", "tab") for entry in problems.found)
    return evolve(got, file=evolve(got.file, tail=tail), broken=broken)


def _whole(read: list[_Read], source: Source, problems: Problems) -> Parsed:
    """All blocks in one file; those that could not be parsed, with their neighbours, as recovery reads them."""
    faulty = {place for place, one in enumerate(read) if one.declarations is None}
    around = sorted(faulty.union(*({place - 1, place + 1} for place in faulty)) & set(range(len(read))))
    parsed = chain.from_iterable(one.declarations or () for place, one in enumerate(read) if place not in around)
    if not faulty:
        return Parsed(_file(parsed))
    got = _recovered([read[place].block for place in around], source, problems)
    return evolve(got, file=_file(sorted((*parsed, *got.file.declarations), key=lambda node: node.span.line)))


def _file(declarations: Iterable[nodes.Declaration]) -> nodes.File:
    found = tuple(declarations)
    if not found:
        return nodes.File(())
    first, last = found[0].span, found[-1].span
    return nodes.File(found, span=evolve(first, end_line=last.end_line, end_column=last.end_column))


def _recovered(parts: list[Block], source: Source, problems: Problems) -> Parsed:
    """What can be read of blocks that do not all parse."""
    read_before = Problems()
    tokens = [tokenized(part, read_before) for part in parts]
    found = Margins()
    for part, words in zip(parts, tokens, strict=True):
        beside = indentation.margins(part, indentation.logical_lines(words), read_before)
        found.by_place.update(beside.by_place)
        found.ends.update(beside.ends)
    return recovering(list(chain.from_iterable(tokens)), source, found, problems)


# ---------------------------------------------------------------- one block


def _read(block: Block) -> _Read:
    problems = Problems()
    indentation.check_characters(block, problems)
    words = _lexed(block)
    closing, unclosed = indentation.unmatched(words)
    unmatched = (closing, len(unclosed))
    try:
        tokens = _laid_out(words, unclosed, block, problems)
    except indentation.TooDeep as fault:
        title = f"nested more than {limits.NESTING} deep, or more than {limits.CHAIN} operators in one expression"
        problems.add("nesting", title, fault.span, hint="name a part of it with `define` or `let`")
        return _Read(block, unmatched, None, tuple(problems.found), fault.span)
    margins = indentation.margins(block, indentation.logical_lines(tokens), problems)
    return _Read(block, unmatched, _parsed(tokens, block, margins), tuple(problems.found))


def _parsed(tokens: list[Mark], block: Block, margins: Margins) -> tuple[nodes.Declaration, ...] | None:
    """The declarations of a block; None if something in it does not fit."""
    parser = LalrParser(tables(), block.name, AstBuilder(block.name, margins).make)
    if parser.feed_all(tokens) is not None:
        return None
    file: nodes.File = parser.whole()
    return file.declarations


def tokenized(block: Block, problems: Problems) -> list[Mark]:
    """The tokens of a block with its layout, as the parser takes them.  Errors: indentation.TooDeep."""
    words = _lexed(block)
    return _laid_out(words, indentation.unmatched(words)[1], block, problems)


def _lexed(block: Block) -> list[Mark]:
    """The tokens of a block, up to where the next one begins.

    A line is put before it, so that a first indented line is seen as such.
    """
    below = "\n" * (block.next - block.first - block.text.count("\n"))
    return list(lexed(tables(), f"\n{block.text}{below}", line=block.first - 1))


def _laid_out(words: list[Mark], unclosed: frozenset[int], block: Block, problems: Problems) -> list[Mark]:
    tokens = list(indentation.indented(words, unclosed, block, problems))
    for token in tokens:
        if token.type == "INT" or len(token.text) > _SHORT:
            _check_length(token, block, problems)
    tokens = _without_margins(tokens)
    return tokens[1:] if tokens and tokens[0].type == "_NL" else tokens


def _without_margins(tokens: list[Mark]) -> list[Mark]:
    """Without the citations behind a line: those belong to the line."""
    kept: list[Mark] = []
    for token in tokens:
        while token.type in indentation.LAYOUT and kept and kept[-1].type == CITE:
            kept.pop()
        kept.append(token)
    while kept and kept[-1].type == CITE:
        kept.pop()
    return kept


_SHORT = min(limits.NAME, limits.STRING)
"""Characters that no name and no text is too long with."""


def _check_length(token: Mark, block: Block, problems: Problems) -> None:
    if token.type == "NAME" and len(token.text) > limits.NAME:
        _too_long(token, "name", limits.NAME, block, problems)
    elif token.type == "STRING" and len(token.text) - 2 > limits.STRING:
        _too_long(token, "text", limits.STRING, block, problems)
    elif token.type == "INT" and (len(token.text) > 16 or int(token.text) > limits.INTEGER):
        place = span_of(block, token)
        problems.add("number-too-large", f"this number is larger than {limits.INTEGER}", place)


def _too_long(token: Mark, what: str, limit: int, block: Block, problems: Problems) -> None:
    problems.add("too-long", f"this {what} is longer than {limit} characters", span_of(block, token))
