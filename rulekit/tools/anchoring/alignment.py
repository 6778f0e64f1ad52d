"""Sequence alignment of sentences and clauses: a hidden Markov model, decoded by the forward-backward algorithm.

The state behind a sentence is its clause, or none.  A book mostly stays at a clause or goes on to one of the next, as
the rules have them, sometimes back, and now and then anywhere.  Given are the figures of `clause_evidence`; what comes
out is for each sentence how likely each clause is, all others of the book considered.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, tanh
from operator import mul

from rulekit.tools.anchoring.claim_evidence import Matrix
from rulekit.tools.anchoring.clause_evidence import EXAMPLE, NOTE, Clauses, Evidence
from rulekit.tools.anchoring.sentences import APART, HEADED, Sentence
from rulekit.values import frozen

_NEXT = 0.5
_TO_NONE, _IN_NONE = 0.03, 0.8
"""How likely a sentence states no rule: after one that does, and after one that does not."""
_NEVER = -60.0


@frozen
class Weights:
    """What each sort of evidence counts for; measured on published books by `tests.audit.anchoring`.

    words:     all that words say; of this parts, names, things and claims beside stems; beside: that of the neighbours.
    numbers:   what shared numbers say; rare: those of few sentences; ceiling: beyond which more adds little.
    notes:     a clause that only explains a reading; examples: one of a worked example where none is spoken of; shown:
               where one is.
    nothing:   a sentence that states no rule.
    stay, forward, back, jump, reach:  where the next sentence leads, and how far.
    apart:     how much less likely it is to stay after a blank line.
    """

    words: float = 0.4
    parts: float = 0.12
    names: float = 0.25
    things: float = 0.4
    claims: float = 1.0
    beside: float = 0.1
    numbers: float = 0.6
    rare: float = 0.4
    ceiling: float = 9.0
    notes: float = -2.0
    examples: float = 0.0
    shown: float = 0.5
    nothing: float = 1.0
    stay: float = 4.0
    forward: float = 0.1
    back: float = 0.1
    jump: float = 1.0
    reach: float = 10.0
    apart: float = 0.3


BY_NUMBERS = Weights(numbers=2.0, ceiling=8.0, nothing=0.0, stay=0.3, jump=2.0)
"""Where the clauses are in another language than the book: nothing but numbers is left."""


def likelihoods(
    made: Sequence[Sentence],
    found: Evidence,
    known: Clauses,
    weights: Weights,
    accepted: Mapping[int, Sequence[int]] | None = None,
) -> Matrix:
    """By sentence how likely each clause is (0 to 1), last that it states no rule.

    accepted:  by sentence the clauses that somebody has tied it to; it can have no other; () where it states no rule.
    """
    if not made:
        return []
    rows = _emissions(made, found, known, weights)
    for place, clauses in (accepted or {}).items():
        kept = set(clauses) or {len(known.ids)}
        rows[place] = [figure if state in kept else _NEVER for state, figure in enumerate(rows[place])]
    odds = [[exp(figure - max(row)) for figure in row] for row in rows]
    follows = [one.follows for one in made]
    return _decoded(odds, follows, _moves(len(known.ids), weights))


def _emissions(made: Sequence[Sentence], found: Evidence, known: Clauses, weights: Weights) -> Matrix:
    """By sentence the figure of each clause, last of none."""
    shares = (1.0, weights.parts, weights.names, weights.things, weights.claims)
    said = [
        [weights.words * sum(map(mul, shares, figures)) for figures in zip(*rows, strict=True)]
        for rows in zip(found.stems, found.parts, found.names, found.things, found.claims, strict=True)
    ]
    rows = []
    for place, one in enumerate(made):
        row = _with_neighbours(said, made, place, weights)
        shared = zip(row, found.numbers[place], found.rare[place], strict=True)
        row = [figure + weights.numbers * number + weights.rare * rare for figure, number, rare in shared]
        before = {EXAMPLE: weights.examples * (1 - one.shows) + weights.shown * one.shows, NOTE: weights.notes}
        evened = [weights.ceiling * tanh(figure / weights.ceiling) for figure in row]
        told = [figure + before.get(role, 0.0) for figure, role in zip(evened, known.roles, strict=True)]
        rows.append([*told, weights.nothing])
    return rows


def _with_neighbours(said: Matrix, made: Sequence[Sentence], place: int, weights: Weights) -> list[float]:
    """What a sentence says, and a little of what those beside it in the paragraph say; a heading says what is below."""
    row = said[place]
    if place and made[place].follows != APART:
        row = [a + weights.beside * b for a, b in zip(row, said[place - 1], strict=True)]
    if place + 1 < len(made) and made[place + 1].follows != APART:
        share = weights.beside * (2 if made[place + 1].follows == HEADED else 1)
        row = [a + share * b for a, b in zip(row, said[place + 1], strict=True)]
    return row


# ---------------------------------------------------------------- the model


def _moves(size: int, weights: Weights) -> list[Matrix]:
    """How likely one state follows another, by how the sentence follows."""
    stays = (weights.stay, weights.stay * weights.apart, weights.stay)
    return [_transitions(size, stay, weights) for stay in stays]


def _transitions(size: int, stay: float, weights: Weights) -> Matrix:
    rows = []
    for here in range(size):
        row = [_step(there - here, stay, weights) + weights.jump / size for there in range(size)]
        total = sum(row)
        rows.append([*(figure / total * (1 - _TO_NONE) for figure in row), _TO_NONE])
    return [*rows, [*[(1 - _IN_NONE) / max(size, 1)] * size, _IN_NONE]]


def _step(distance: int, stay: float, weights: Weights) -> float:
    if distance in (0, 1):
        return (stay, _NEXT)[distance]
    if distance > 1:
        return weights.forward * exp(-(distance - 1) / weights.reach)
    return weights.back * exp(distance / weights.reach)


def _decoded(odds: Matrix, follows: Sequence[int], moves: Sequence[Matrix]) -> Matrix:
    columns = [[list(column) for column in zip(*move, strict=True)] for move in moves]
    ahead = [_share(odds[0])]
    for place in range(1, len(odds)):
        came = [sum(map(mul, ahead[-1], column)) for column in columns[follows[place]]]
        ahead.append(_share(list(map(mul, came, odds[place]))))
    behind = [[1.0] * len(odds[0])]
    for place in range(len(odds) - 1, 0, -1):
        later = list(map(mul, odds[place], behind[-1]))
        behind.append(_share([sum(map(mul, later, row)) for row in moves[follows[place]]]))
    return [_share(list(map(mul, one, other))) for one, other in zip(ahead, reversed(behind), strict=True)]


def _share(row: list[float]) -> list[float]:
    total = sum(row) or 1.0
    return [figure / total for figure in row]
