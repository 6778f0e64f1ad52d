"""Values of claims: the closed set of senses, what is contrary to what, and claims of rules and of texts.

A sense is what a word of a text and a line of the rules can have in common:
`low`, `secret`, `=NAME` for a thing of the game.  Nothing here knows a
language or a form of the rules.
"""

from __future__ import annotations

from rulekit.source import NOWHERE, Span
from rulekit.values import field, frozen

_CONTRARIES = {
    "extreme": "low/high near/far few/many young/old",
    "bound": "below/above least/most",
    "direction": "forward/back up/down left/right clockwise/counter across/along in/out",
    "sign": "gain/lose",
    "order": "before/after first/last next/previous ascending/descending start/end",
    "extent": "all/one",
    "exception": "but/also",
    "openness": "secret/open together/in_turn",
    "who": "own/other",
    "mood": "may/must",
    "outcome": "win/beaten",
    "ranking": "least_wins/most_wins",
}
"""By kind pairs of contrary senses; no sense is of two kinds."""
UNDECIDED = frozenset({"also", "even", "may", "all", "other", "below", "above", "least", "most"})
"""Senses that rules leave out too often for their contrary to mean anything; bounds are compared with their numbers."""
WHOLE_BOUNDS = frozenset({frozenset({"least", "above"}), frozenset({"most", "below"})})
"""What *equal or greater* says by itself: what the lines of a clause compare decides it."""
_FIRM = "low high near far few many secret open ascending descending clockwise counter left right least_wins most_wins"
FIRM = frozenset(_FIRM.split())
"""Senses that the text of a clause says as its lines do, if it says them at all."""
EXTREME = "extreme"
"""The kind of what is compared: texts that say one mean it, whatever else they say."""
NAME = "name"
"""The kind of a sense that begins with `=`: a thing of the game."""

_PAIRS = [(kind, *pair.split("/")) for kind, pairs in _CONTRARIES.items() for pair in pairs.split()]
KINDS = {sense: kind for kind, *pair in _PAIRS for sense in pair} | {"even": "exception"}
CONTRARY = {one: other for _, left, right in _PAIRS for one, other in ((left, right), (right, left))}


def kind_of(sense: str) -> str:
    return NAME if sense.startswith("=") else KINDS[sense]


JOINT = frozenset({"least_wins", "most_wins"})
"""Senses that two words of a sentence have together: *fewest* and *wins*, *most* and *loses*."""


@frozen
class RuleClaim:
    """What a line of the rules, or the text of a clause, claims.

    said:      in its own words.
    is_aside:  the clause's text says it, a line around its lines, or what they use.
    is_text:   the clause's text says it, or its translation.
    """

    sense: str
    said: str
    clauses: tuple[str, ...]
    is_aside: bool = False
    is_text: bool = False
    span: Span = field(default=NOWHERE, eq=False, repr=False)


@frozen
class ClaimWord:
    """A word or phrase of a text, and all that it may claim."""

    senses: frozenset[str]
    text: str
    start: int
    end: int

    @property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind_of(sense) for sense in self.senses)
