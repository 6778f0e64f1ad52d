"""Which word most likely comes next: a back-off n-gram model over the other lines of the same text.

Contexts from the closest to the loosest: the two words before, the word
before; at the start of a line the line before it and the block around it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

from rulekit.diagnostics import Problems
from rulekit.syntax.blocks import Block
from rulekit.syntax.indentation import LAYOUT, Mark, TooDeep
from rulekit.syntax.lalr_parser import CITE
from rulekit.syntax.parse import tokenized

_WEIGHTS = (8.0, 3.0, 1.0, 0.25)
"""How much each context counts, the closest first; the last is the text as a whole."""
_KEPT = 4096
"""Of so many blocks the counts are kept, so that a key counts only in the block where it is pressed."""
_PLAIN = {"INT": "1", "STRING": '""', "ROW": "|"}
"""Tokens whose letters tell nothing."""

Context = tuple[Hashable, ...]
_Counts = Mapping[Context, Sequence[str]]
"""By context the words that came next, each as often as it did."""


def likely(parts: Iterable[Block], contexts: Sequence[Context], left_out: str) -> dict[str, float]:
    """Words with how likely each comes next, in no unit; a word that never came in any context is missing.

    parts:     the text.  left_out: a word that is not one.
    """
    counted: list[list[str]] = [[] for _ in contexts]
    last = ""
    for part in parts:
        counts, last = _counted(part.text, part.next - part.first, last)
        for words, context in zip(counted, contexts, strict=True):
            words += counts.get(context, ())
    found: dict[str, float] = defaultdict(float)
    for weight, words in zip(_WEIGHTS, counted, strict=True):
        for word, count in Counter(words).items():
            found[word] += weight * count / (len(words) + 1)
    found.pop(left_out, None)
    return found


@lru_cache(_KEPT)
def _counted(text: str, lines: int, above: str) -> tuple[_Counts, str]:
    """Counts of a block, and its first word.  above: the first word of the block before it."""
    try:
        tokens = tokenized(Block("", 1, lines + 1, text), Problems())
    except TooDeep:
        return {}, above
    words = [token for token in tokens if token.type != CITE]
    counts: dict[Context, list[str]] = defaultdict(list)
    for number, contexts in _walked(words, above):
        for context in contexts:
            counts[context].append(_said(words[number]))
    first = next((_said(token) for token in words if token.type not in LAYOUT), above)
    return dict(counts), first


def contexts_at_end(above: Sequence[Block], tokens: Sequence[Mark]) -> tuple[Context, ...]:
    """The contexts of what comes behind the last of these tokens of a block.  above: the blocks above it."""
    last = ""
    for part in above[-1:]:
        _, last = _counted(part.text, part.next - part.first, "")
    end = [*tokens, Mark("NAME", "", 0, 0, 0, 0)]
    return list(_walked(end, last))[-1][1]


def _walked(tokens: Sequence[Mark], last: str) -> Iterator[tuple[int, tuple[Context, ...]]]:
    """Each word of a block with its contexts; heads: the first words of the lines around and of the line before."""
    heads, line = [""], list[str]()
    for number, mark in enumerate(tokens):
        if mark.type == "_INDENT":
            heads.append(last)
            last = ""
        elif mark.type == "_DEDENT":
            last = heads.pop() if len(heads) > 1 else ""
        if mark.type in LAYOUT:
            line = []
            continue
        yield number, _contexts(heads, last, line)
        word = _said(mark)
        if not line:
            last = word
        line.append(word)


def _contexts(heads: list[str], last: str, line: list[str]) -> tuple[Context, ...]:
    head = heads[-1]
    if not line:
        return ("^", head, last), ("^", head), ("^", len(heads)), ()
    if len(line) == 1:
        return ("^", head, line[0]), ("^", line[0]), (line[0],), ()
    return (line[-2], line[-1]), (line[0], line[-1]), (line[-1],), ()


def _said(token: Mark) -> str:
    return _PLAIN.get(token.type, token.text)
