"""The answers that a bot weighs: all of them, or of a great many sets a number drawn by chance."""

from __future__ import annotations

from rulekit.bots import proposals
from rulekit.bots.luck import Luck
from rulekit.bots.playing import any_answer
from rulekit.play.state import Decision
from rulekit.play.value import Value

MOST_SETS = 48
"""How many sets are weighed at most where several things are to be chosen."""


def candidates(decision: Decision, luck: Luck) -> tuple[Value, ...]:
    if not decision.several or proposals.count(decision) <= MOST_SETS:
        return tuple(answer for answer, _ in proposals.every(decision))
    drawn = (any_answer(decision, luck) for _ in range(2 * MOST_SETS))
    return tuple(dict.fromkeys(drawn))[:MOST_SETS]
