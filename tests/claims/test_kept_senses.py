"""What a translation keeps of its source, and what it says in place of it."""

from __future__ import annotations

from rulekit.tools.claims.claim_values import ClaimWord
from rulekit.tools.claims.kept_senses import Told, exchanged, kept_senses


def words(senses: str) -> tuple[ClaimWord, ...]:
    """Each word says what it is called, or several things: `gain+win`."""
    return tuple(ClaimWord(frozenset(one.split("+")), f"{one}!", at, at + 1) for at, one in enumerate(senses.split()))


def told(ours: str, theirs: str) -> Told:
    return Told(words(ours), words(theirs))


KEPT = [told("=pad =frog first", "=pad =frog first")] * 9 + [told("=pad own", "=pad last")] * 3


def said(one: Told, others: list[Told] = KEPT) -> list[tuple[str, str]]:
    found = exchanged(one, kept_senses([*others, one]))
    return [(each.lost.text, each.more.text if each.more else "") for each in found]


def test_a_thing_in_the_place_of_another_is_an_exchange() -> None:
    assert said(told("=pad first", "=frog first")) == [("=pad!", "=frog!")]
    assert not said(told("=pad own", "=pad last")), "owners are always left out"
    assert not said(told("=pad =own", "=pad =frog")), "nothing keeps to the name"


def test_a_thing_that_is_named_once_too_often_for_another_is_an_exchange() -> None:
    assert said(told("=pad =pad =frog", "=pad =frog =frog")) == [("=pad!", "=frog!")]


def test_what_others_always_keep_is_missed_where_nothing_stands_for_it() -> None:
    assert said(told("=pad first", "=pad")) == []
    assert said(told("=pad first", "=pad"), [*KEPT, *KEPT, *KEPT]) == [("first!", "")]


def test_the_contrary_needs_no_habit() -> None:
    kept = [told("low", "low"), told("high", "high")]
    assert said(told("low", "high"), kept) == [("low!", "high!")]
    assert said(told("but", "even"), [told("but", "but"), told("even", "even")]) == [("but!", "even!")]
    assert not said(told("low high", "high"), []), "the source says it as well"


def test_a_word_is_lost_only_with_all_that_it_says() -> None:
    assert not said(told("gain+lose", "lose"), [told("gain", "gain")] * 9)
    assert said(told("gain+win", "lose"), [told("gain", "gain"), told("lose", "lose")]) == [("gain+win!", "lose!")]
