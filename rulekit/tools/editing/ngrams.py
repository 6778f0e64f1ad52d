"""Which word most likely comes next: a back-off n-gram model over the other lines of the same text.

Contexts from the closest to the loosest: the two words before, the word
before; at the start of a line the line before it and the block around it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence

from rulekit.syntax.indentation import LAYOUT, Mark
from rulekit.values import field, frozen

_WEIGHTS = (8.0, 3.0, 1.0, 0.25)
"""How much each context counts, the closest first; the last is the text as a whole."""
_PLAIN = {"INT": "1", "STRING": '""', "ROW": "|"}
"""Tokens whose letters tell nothing."""

Context = tuple[Hashable, ...]
Tokens = Sequence[tuple[str, Mark]]


@frozen
class Model:
    """counts: by context how often each word came next."""

    counts: Mapping[Context, Counter[str]] = field(repr=False)

    def likely(self, contexts: Sequence[Context]) -> dict[str, float]:
        """Words with how likely each comes next, in no unit; a word that never came in any context is missing."""
        found: dict[str, float] = defaultdict(float)
        for weight, context in zip(_WEIGHTS, contexts, strict=True):
            counted = self.counts.get(context)
            if counted:
                total = counted.total() + 1
                for word, count in counted.items():
                    found[word] += weight * count / total
        return found


def model(tokens: Tokens, left_out: str) -> Model:
    """Counts of a text.  left_out: a word that is not one."""
    counts: dict[Context, Counter[str]] = defaultdict(Counter)
    for number, contexts in _walked(tokens):
        word = _said(tokens[number])
        if word != left_out:
            for context in contexts:
                counts[context][word] += 1
    return Model(counts)


def contexts_at_end(tokens: Tokens) -> tuple[Context, ...]:
    """The contexts of what comes behind the last of these tokens."""
    end = [*tokens, ("NAME", Mark("NAME", "", 0, 0, 0, 0))]
    return list(_walked(end))[-1][1]


def _walked(tokens: Tokens) -> Iterator[tuple[int, tuple[Context, ...]]]:
    """Each word of the text with its contexts; heads: the first words of the lines around and of the line before."""
    heads, last, line = [""], "", list[str]()
    for number, (role, mark) in enumerate(tokens):
        if mark.type == "_INDENT":
            heads.append(last)
            last = ""
        elif mark.type == "_DEDENT":
            last = heads.pop() if len(heads) > 1 else ""
        if mark.type in LAYOUT:
            line = []
            continue
        yield number, _contexts(heads, last, line)
        word = _said((role, mark))
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


def _said(token: tuple[str, Mark]) -> str:
    return _PLAIN.get(token[1].type, token[1].text)
