"""Kept senses: what a translation says wherever its source says it, learned from all texts that are translated.

A catalogue that has a word for *pad* in nine of ten clauses with pads keeps to it; one that says *own* now and then
does not, and that it has none in a clause means little.  How rarely a sense is lost or gained on the way, as a
logarithm, is how much it means where it happens (surprisal).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import log

from rulekit.tools.claims.claim_values import CONTRARY, ClaimWord
from rulekit.values import frozen

_CONTRARY, _SAME, _ALONE = 1.0, 3.5, 3.0
"""How rare it must be that a sense is lost and its contrary gained, another of its kind, or nothing in its place."""
_OPPOSED = {sense: {other} for sense, other in CONTRARY.items()} | {"even": {"but"}, "but": {"also", "even"}}
"""Texts say *also* for the contrary of *only*, whatever rules do."""
_COUNTED = frozenset({"mood"})
"""Permissions and duties are counted by themselves."""


@frozen
class Told:
    """The words of a text and of its translation that claim something."""

    ours: tuple[ClaimWord, ...]
    theirs: tuple[ClaimWord, ...]


@frozen
class Exchange:
    """A word of the text that the translation has not, or less often, and what it has more of; nothing for None."""

    lost: ClaimWord
    more: ClaimWord | None


@frozen
class Rarity:
    """How many texts have a sense, how many of these have none of it on the other side, and how many have fewer."""

    texts: Counter[str]
    none: Counter[str]
    fewer: Counter[str]

    def of(self, sense: str, is_gone: bool) -> float:
        """How much it means that one of these texts has none or fewer: the logarithm of how rarely others have."""
        others = (self.none if is_gone else self.fewer)[sense] - 1
        return -log((max(0, others) + 1) / (max(0, self.texts[sense] - 1) + 2))


@frozen
class KeptSenses:
    """How rare it is that a sense is lost on the way, and that one comes from nowhere."""

    lost: Rarity
    gained: Rarity


def kept_senses(texts: Sequence[Told]) -> KeptSenses:
    pairs = [(counted(told.ours), counted(told.theirs)) for told in texts]
    return KeptSenses(_rarity(pairs), _rarity([(said, had) for had, said in pairs]))


def _rarity(pairs: Sequence[tuple[Counter[str], Counter[str]]]) -> Rarity:
    """Of the senses of the first texts by what the second ones have of them."""
    texts, none, fewer = Counter[str](), Counter[str](), Counter[str]()
    for had, said in pairs:
        texts.update(had.keys())
        none.update(sense for sense in had if not said[sense])
        fewer.update(sense for sense in had if said[sense] < had[sense])
    return Rarity(texts, none, fewer)


def counted(words: Iterable[ClaimWord]) -> Counter[str]:
    return Counter(sense for word in words for sense in word.senses)


def exchanged(told: Told, known: KeptSenses) -> Iterator[Exchange]:
    """What a translation, one of those learned from, has lost that others keep, each with what it has gained for it."""
    had, said = counted(told.ours), counted(told.theirs)
    lost, more = _rated(told.ours, had, said, known.lost), _rated(told.theirs, said, had, known.gained)
    seen: set[int] = set()
    for word, rarity in lost:
        pairs = [(rarity + rare - _least(word, other), other) for other, rare in more if word.kinds & other.kinds]
        excess, other = max(pairs, key=lambda pair: pair[0], default=(-1.0, None))
        if other is not None and excess >= 0:
            if other.start not in seen:
                seen.add(other.start)
                yield Exchange(word, other)
        elif rarity > _ALONE:
            yield Exchange(word, None)


def _least(lost: ClaimWord, more: ClaimWord) -> float:
    contrary = set[str]().union(*(_OPPOSED.get(sense, ()) for sense in lost.senses))
    return _CONTRARY if more.senses & contrary else _SAME


def _rated(
    words: Sequence[ClaimWord], here: Counter[str], there: Counter[str], known: Rarity
) -> list[tuple[ClaimWord, float]]:
    """The words of one text all of whose senses the other has less often, each with how rare that is at least."""
    return [
        (word, max(known.of(sense, not there[sense]) for sense in word.senses))
        for word in words
        if word.kinds != _COUNTED and all(there[sense] < here[sense] for sense in word.senses)
    ]
