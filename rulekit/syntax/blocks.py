"""Chunking: a text cut into blocks at the left margin, each of which can be read without the others.

What begins at the left margin is a declaration of the file, so that between blocks the parser is where it was at the
start.  Only an open bracket leads from one block into another; such blocks are joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rulekit.source import Source
from rulekit.values import field, frozen

_BLANKS = " \t"
_MARGINS = "#>"


@frozen
class Block:
    """Some lines of a source: the margins above a declaration, and that itself.

    name:   that of the source.
    first:  the number of its first line; next: of the line with which the next block begins below its margins.
    """

    name: str
    first: int
    next: int
    text: str = field(repr=False)

    @property
    def key(self) -> tuple[str, str, int]:
        """All that what is read in it depends on, but for how far down it stands."""
        return self.name, self.text, self.next - self.first

    def begins_with(self, word: str) -> bool:
        """Whether its declaration begins with a word."""
        head = next((line for line in self.text.split("\n") if not _is_margin(line)), "")
        return head.startswith(word) and not head[len(word) : len(word) + 1].isidentifier()


def whole(source: Source) -> Block:
    """A text as one block, for who wants its tokens in a row."""
    return Block(source.name, 1, source.text.count("\n") + 2, source.text)


def blocks(source: Source) -> tuple[list[Block], Block]:
    """The blocks of a text, and the margins below the last one."""
    lines = source.text.split("\n")
    begun = [*_begun(lines), (len(lines), len(lines))]
    tail = begun[-1][0]
    while tail and _is_margin(lines[tail - 1]):
        tail -= 1
    begun[-1] = tail, len(lines)
    found = [
        Block(source.name, start + 1, head + 1, "\n".join(lines[start:stop]))
        for (start, _), (stop, head) in pairwise(begun)
    ]
    return found, Block(source.name, tail + 1, len(lines) + 1, "\n".join(lines[tail:]))


def _begun(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Where each block begins, with and without the margins above it.  A first line that is indented begins one."""
    above, is_first = 0, True
    for number, line in enumerate(lines):
        if _is_margin(line):
            continue
        if is_first or line[0] not in _BLANKS:
            yield above, number
            is_first = False
        above = number + 1


def _is_margin(line: str) -> bool:
    """Whether a line says nothing itself: it is blank, a comment or a clause."""
    begin = line.lstrip(_BLANKS)
    return not begin or begin[0] in _MARGINS or begin == "\r"


def joined(parts: Sequence[Block], unmatched: Iterable[tuple[int, int]]) -> list[Block]:
    """The blocks, in which those that open a bracket are one with those that close it.

    unmatched:  by block the brackets that it closes and did not open, and those that it opens and does not close.
    """
    result: list[Block] = []
    opened: list[int] = []
    for part, (closed, opens) in zip(parts, unmatched, strict=True):
        into = len(result)
        for _ in range(min(closed, len(opened))):
            into = opened.pop()
        whole = _one([*result[into:], part])
        del result[into:]
        opened += [into] * opens
        result.append(whole)
    return result


def _one(parts: Sequence[Block]) -> Block:
    first, last = parts[0], parts[-1]
    return Block(first.name, first.first, last.next, "\n".join(part.text for part in parts))
