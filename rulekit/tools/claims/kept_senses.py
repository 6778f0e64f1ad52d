"""Kept senses: what a translation says wherever its source says it, learned from all texts that are translated.

A catalogue that has a word for *pad* in nine of ten clauses with pads keeps to it; one that says *own* now and then
does not, and that it has none in a clause means nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from rulekit.tools.claims.claim_values import CONTRARY, NAME, UNDECIDED, ClaimWord, kind_of
from rulekit.values import frozen

_OFTEN, _SHARE = 3, 0.7
"""So many texts have to have a sense on both sides, and such a share of those that have it on one."""


@frozen
class Told:
    """The words of a text and of its translation that claim something."""

    ours: tuple[ClaimWord, ...]
    theirs: tuple[ClaimWord, ...]


@frozen
class KeptSenses:
    """Senses that translations keep; those of which they have as many as their source."""

    kept: frozenset[str]
    counted: frozenset[str]


def kept_senses(texts: Sequence[Told]) -> KeptSenses:
    ours, theirs, both, any_, even = (Counter[str]() for _ in range(5))
    for told in texts:
        had, said = (_counted(words) for words in (told.ours, told.theirs))
        ours.update(had.keys())
        theirs.update(said.keys())
        both.update(had.keys() & said.keys())
        any_.update(had.keys() | said.keys())
        even.update(sense for sense in had if had[sense] == said[sense])
    kept = {s for s, n in both.items() if n >= _OFTEN and n >= _SHARE * max(ours[s], theirs[s])}
    return KeptSenses(frozenset(kept), frozenset(s for s in kept if even[s] >= _SHARE * any_[s]))


def _counted(words: Sequence[ClaimWord]) -> Counter[str]:
    return Counter(sense for word in words for sense in word.senses)


def exchanged(told: Told, known: KeptSenses) -> Iterator[tuple[ClaimWord, ClaimWord]]:
    """Words of a translation that its source has nothing of, each with one of the source that it has lost for it."""
    had, said = (_counted(words) for words in (told.ours, told.theirs))
    lost = [word for word in told.ours if not any(said[sense] for sense in word.senses)]
    more = [word for word in told.theirs if not any(had[sense] for sense in word.senses)]
    found = [(word, next((one for one in lost if _is_exchange(one, word, known)), None)) for word in more]
    pairs = {other.start: (word, other) for word, other in found if other is not None}
    yield from pairs.values()
    if not pairs:
        yield from _counts(told, had, said, known)


def _is_exchange(lost: ClaimWord, more: ClaimWord, known: KeptSenses) -> bool:
    """Whether both are of a kind and the translation keeps to both, or one says firmly the contrary of the other."""
    is_kept = bool(lost.senses & known.kept) and bool(more.senses & known.kept)
    others = {CONTRARY[sense] for sense in lost.senses - UNDECIDED if sense in CONTRARY}
    return bool(others & (more.senses - UNDECIDED)) or (is_kept and bool(lost.kinds & more.kinds))


def _counts(
    told: Told, had: Counter[str], said: Counter[str], known: KeptSenses
) -> Iterator[tuple[ClaimWord, ClaimWord]]:
    """One thing that is named more often than in the source where another is named less often; so are contraries."""
    fewer = {s for s in known.counted if said[s] < had[s]}
    for sense in sorted(s for s in known.counted if said[s] > had[s]):
        others = fewer if kind_of(sense) == NAME else fewer & {CONTRARY.get(sense, "")}
        others = {other for other in others if (kind_of(other) == NAME) == (kind_of(sense) == NAME)}
        if others:
            word = next(one for one in told.theirs if sense in one.senses)
            yield word, next(one for one in told.ours if one.senses & others)
            return
