"""Cards `each its own`: each copy is a member with values of its own, and shares what stands in its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import load_text
from rulekit.loading import examine_text, load
from rulekit.source import Source
from rulekit.tools.examples.runner import run_all

_DECK = """game "Copies"
    players 1
cards deck of card, each its own
    card bolt "Bolt", copies 2, cost 3: raise card_score by 1
    card wall, copies 1
each card has
    flag tapped
    counter marks 0..9
counter card_score
pile row_of_all of card starts deck
action tap(card): set card.tapped to yes
play: end game
result: rank players
"""
_TRUE = """scenario "copies"
    players ann
    do tap(bolt_2)
    do bolt_1 for ann
    expect {}
"""


@pytest.mark.parametrize(
    "fact",
    [
        "bolt_2.tapped and not bolt_1.tapped",
        "count row_of_all is 3 and count deck is 3",
        "bolt_1 is not bolt_2 and bolt_1.cost is bolt_2.cost",
        "card_score is 1",
        "not wall.tapped and wall.cost is 0",
        "count (deck whose tapped) is 1",
    ],
)
def test_each_copy_has_its_own_values_and_the_traits_of_its_line(fact: str) -> None:
    (one,) = run_all(load_text(_DECK + _TRUE.format(fact)))
    assert one.passed, one.failure


def test_members_are_called_by_numbers() -> None:
    kind = load_text(_DECK).kinds["card"]
    assert [member.key for member in kind.members] == ["bolt_1", "bolt_2", "wall"]
    assert [member.title for member in kind.members] == ["Bolt 1", "Bolt 2", "wall"]
    assert all(member.copies == 1 for member in kind.members)


@pytest.mark.parametrize(
    ("lines", "code"),
    [("card 3, copies 2", "wrong-row"), ("card bolt_1", "duplicate"), ("card big, copies no", "wrong-type")],
)
def test_what_cannot_be_told_apart_is_told(lines: str, code: str) -> None:
    text = _DECK.replace("    card wall, copies 1", f"    card wall, copies 1\n    {lines}")
    assert code in {one.code for one in examine_text(Source("text.rules", text)).findings}


def test_a_variant_replaces_all_copies_and_adds_more(tmp_path: Path) -> None:
    (tmp_path / "base.rules").write_text(_DECK, encoding="utf-8")
    more = 'game "More"\n    extends "base"\nreplace card bolt "Dart", copies 3\nadd card gate, copies 2\n'
    (tmp_path / "more.rules").write_text(more, encoding="utf-8")
    keys = [member.key for member in load(tmp_path / "more.rules").kinds["card"].members]
    assert sorted(keys) == ["bolt_1", "bolt_2", "bolt_3", "gate_1", "gate_2", "wall"]
