"""Unusual words: where a text has another word than it has elsewhere in such a place, and the rules have that one.

Two witnesses are wanted: how the text uses its words, and what the clauses of the passage claim.  The more the rules
have of the word that stands there, the stronger the first has to speak.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rulekit.tools.claims.claim_values import CONTRARY, EXTREME, NAME, ClaimWord, RuleClaim, kind_of
from rulekit.tools.claims.clause_claims import ClauseClaims
from rulekit.tools.claims.word_usage import Place, Usage
from rulekit.values import frozen

_UNKNOWN, _KNOWN = 12.0, 14.0
"""How strongly usage must speak against a word that lines and texts have nothing of, and against one that they have."""
_OFTEN = 3
"""So often a name must have been seen before another may stand in its place."""
_ALIKE = 4
"""Names that share so many letters may be forms of one."""
_BESIDE = frozenset({"-1", "+1", "-2", "+2"})
_LEAST = 2.0
"""How strongly usage must speak against a word that only a text contradicts; for a line it must not speak for it."""


@frozen
class Unusual:
    """A word, the usual one in its place, and the claim of the rules that has that."""

    word: ClaimWord
    usual: str
    claim: RuleClaim


def unusual_words(
    places: Sequence[Place], clauses: Sequence[str], known: ClauseClaims, usage: Usage
) -> Iterator[Unusual]:
    """The unusual words of a passage that belongs to some clauses."""
    claims: dict[str, list[RuleClaim]] = {}
    for claim in known.of(clauses):
        claims.setdefault(claim.sense, []).append(claim)
    told = frozenset[str]().union(*(place.word.senses for place in places))
    claims = {
        sense: found
        for sense, found in claims.items()
        if sense not in told or kind_of(sense) == EXTREME or not _is_text(found)
    }
    for place in places:
        least = _KNOWN if _is_known(place.word, clauses, known) else _UNKNOWN
        rated = ((usage.odds(other, place), other, sense) for other, sense in _others(place, claims, usage))
        odds, other, sense = max(rated, default=(0.0, "", ""))
        if odds > least:
            yield Unusual(place.word, other, claims[sense][0])


def _is_text(claims: Iterable[RuleClaim]) -> bool:
    """Whether only texts claim something: where a passage says it too, its contrary speaks of something else."""
    return all(claim.is_text for claim in claims)


def _is_known(word: ClaimWord, clauses: Sequence[str], known: ClauseClaims) -> bool:
    """Whether a line or a text of some clauses has a word, not only what is around or behind them."""
    return any(claim.sense in word.senses and claim.is_text >= claim.is_aside for claim in known.of(clauses))


def _others(place: Place, claims: dict[str, list[RuleClaim]], usage: Usage) -> Iterator[tuple[str, str]]:
    """The words that rules have and that might have stood there: other names, or what says the contrary."""
    senses, beside = place.word.senses, {text for at, text in place.around if at in _BESIDE}
    wanted = _contraries(senses, claims)
    is_name = any(kind_of(sense) == NAME for sense in senses)
    for other, theirs in usage.senses.items():
        if senses & theirs or other in beside:
            continue
        said = wanted & theirs
        if is_name and usage.words[other] >= _OFTEN and other[:_ALIKE] != place.word.text[:_ALIKE]:
            said = said or {sense for sense in theirs & claims.keys() if kind_of(sense) == NAME}
        if said:
            yield other, min(said)


def _contraries(senses: frozenset[str], claims: dict[str, list[RuleClaim]]) -> set[str]:
    """What rules have that is contrary to a word and nearer to the clause than what they have of the word itself."""
    wanted = {CONTRARY[sense] for sense in senses if sense in CONTRARY} & claims.keys()
    own = _nearness(claim for sense in senses for claim in claims.get(sense, ()))
    return {sense for sense in wanted if kind_of(sense) == EXTREME or _nearness(claims[sense]) > own}


def _nearness(claims: Iterable[RuleClaim]) -> int:
    """2 for what the lines of a clause say, 1 for what they use or stand in and for what texts say."""
    return max((1 if claim.is_aside else 2 for claim in claims), default=0)


def odds_against(place: Place, usage: Usage) -> float | None:
    """How much likelier than the word at a place one is that says the contrary, by usage alone; None without any."""
    senses = place.word.senses
    wanted = {CONTRARY.get(sense, "") for sense in senses}
    others = [other for other, theirs in usage.senses.items() if theirs & wanted and not theirs & senses]
    return max((usage.odds(other, place) for other in others), default=None)


def is_contradicted(place: Place | None, claim: RuleClaim, usage: Usage) -> bool:
    """Whether usage lets a claim of the rules speak against the word at a place that says the contrary."""
    odds = odds_against(place, usage) if place is not None else None
    return not claim.is_text if odds is None else odds >= (_LEAST if claim.is_text else 0.0)
