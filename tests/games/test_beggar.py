"""Beggar My Neighbour: the longest games that somebody has found, card by card and trick by trick.

Deals found by Reed Nessler and others, as listed on Wikipedia, "Beggar-my-neighbour": a letter for a card that asks,
a dash for one that does not, the top card first.
"""

from __future__ import annotations

import pytest

from rulekit.loading import examine_text
from rulekit.source import Source
from rulekit.tools.examples.runner import run_all
from tests import paths

CARDS = {"-": "plain", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
RECORDS = [
    ("---AJ--Q---------QAKQJJ-QK", "-----A----KJ-K--------A---", 8344, 1164),
    ("K-KK----K-A-----JAA--Q--J-", "---Q---Q-J-----J------AQ--", 7157, 1007),
]


def pile(deal: str) -> str:
    return f"[{', '.join(CARDS[letter] for letter in deal)}]"


@pytest.mark.parametrize(("first", "second", "cards", "tricks"), RECORDS)
def test_a_record_is_as_long_as_was_published(first: str, second: str, cards: int, tricks: int) -> None:
    text = (
        (paths.EXAMPLES / "beggar.rules").read_text(encoding="utf-8")
        + f"""scenario "a record"
    players ann, bob
    given ann.stock is {pile(first)}, bob.stock is {pile(second)}, payer is ann
    do to_the_end
    expect laid is {cards}, tricks is {tricks}, game_over, winners is [bob]
action to_the_end
    repeat: do lay
"""
    )
    loaded = examine_text(Source("beggar.rules", text))
    assert loaded.game is not None, loaded.findings
    failed = [verdict for verdict in run_all(loaded.game) if not verdict.passed]
    assert not failed
