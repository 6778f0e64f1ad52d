"""Claim evidence: what sentences and clauses both say beside numbers, and the things that both name.

What a sense counts for is the more the fewer sentences and the fewer clauses have it, whatever words say so: *loses* in
a book and a line that lowers something have the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log, sqrt

from rulekit.tools.claims.claim_values import NAME, RuleClaim, kind_of
from rulekit.tools.claims.clause_claims import ClauseClaims

_LINE, _TEXT, _ASIDE = 1.0, 0.7, 0.3
"""What a claim counts for that the lines of a clause make, its text, and what is around or behind its lines."""
_FULL, _EVENED, _COMMON = 2.0, 0.5, 0.8
"""As for words: how soon a claim that is repeated counts no more, how far a clause with many counts less."""
Matrix = list[list[float]]
"""A row for each sentence, in it a figure for each clause."""


def by_claims(sentences: Sequence[str], ids: Sequence[str], told: ClauseClaims) -> tuple[Matrix, Matrix]:
    """How much each sentence speaks for each clause, by the things that it names and by what else it claims."""
    said = [Counter(sense for word in told.words(text) for sense in word.senses) for text in sentences]
    had = [_senses(told.by_clause.get(id_, ())) for id_ in ids]
    things, claims = (
        ([_part(one, is_name) for one in said], [_part(one, is_name) for one in had]) for is_name in (True, False)
    )
    return _rated(*things), _rated(*claims)


def _senses(claims: Sequence[RuleClaim]) -> dict[str, float]:
    """By sense the most that a claim of it counts for."""
    found: dict[str, float] = {}
    for claim in claims:
        worth = _LINE if not claim.is_aside else _TEXT if claim.is_text else _ASIDE
        found[claim.sense] = max(worth, found.get(claim.sense, 0.0))
    return found


def _part(senses: Mapping[str, float], is_name: bool) -> dict[str, float]:
    return {sense: worth for sense, worth in senses.items() if (kind_of(sense) == NAME) is is_name}


def _rated(said: Sequence[Mapping[str, float]], had: Sequence[Mapping[str, float]]) -> Matrix:
    """BM25, where a sense is rare by both sides."""
    ours, theirs = _rarity(said), _rarity(had)
    mean = sum(sum(one.values()) for one in had) / max(len(had), 1) or 1.0
    evened = [_FULL * (1 - _EVENED + _EVENED * sum(one.values()) / mean) for one in had]
    return [
        [
            sum(sqrt(ours[s] * theirs[s]) * one[s] * (_FULL + 1) / (one[s] + even) for s in sorted(here & one.keys()))
            for one, even in zip(had, evened, strict=True)
        ]
        for here in (set(sentence) for sentence in said)
    ]


def _rarity(among: Sequence[Mapping[str, float]]) -> dict[str, float]:
    counts = Counter(sense for one in among for sense in one)
    return {sense: max(0.0, _COMMON * log((len(among) + 1) / (count + 0.5))) for sense, count in counts.items()}
