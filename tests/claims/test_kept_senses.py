"""What a translation keeps of its source, and what it says in place of it."""

from __future__ import annotations

from rulekit.tools.claims.claim_values import ClaimWord
from rulekit.tools.claims.kept_senses import Told, exchanged, kept_senses

PADS = ("=pad", "=frog", "first")


def words(senses: str) -> tuple[ClaimWord, ...]:
    return tuple(ClaimWord(frozenset({one}), f"{one}!", at, at + 1) for at, one in enumerate(senses.split()))


def told(ours: str, theirs: str) -> Told:
    return Told(words(ours), words(theirs))


KEPT = [told("=pad =frog first", "=pad =frog first")] * 4 + [told("=pad own", "=pad last")]


def said(one: Told, others: list[Told] = KEPT) -> list[tuple[str, str]]:
    return [(word.text, lost.text) for word, lost in exchanged(one, kept_senses([*others, one]))]


def test_what_most_translations_have_is_kept() -> None:
    assert kept_senses(KEPT).kept == frozenset(PADS)
    assert kept_senses(KEPT[:2]).kept == frozenset(), "twice is too seldom"


def test_a_thing_in_the_place_of_another_is_an_exchange() -> None:
    assert said(told("=pad first", "=frog first")) == [("=frog!", "=pad!")]
    assert not said(told("=pad own", "=pad other")), "owners are often left out"
    assert not said(told("=pad =own", "=pad =frog")), "nothing keeps to the name"


def test_a_thing_that_is_named_once_too_often_for_another_is_an_exchange() -> None:
    assert said(told("=pad =pad =frog", "=pad =frog =frog")) == [("=frog!", "=pad!")]
    assert not said(told("=pad =pad =frog", "=pad =frog")), "a word more or less means nothing by itself"


def test_the_contrary_needs_no_habit() -> None:
    assert said(told("low", "high"), []) == [("high!", "low!")]
    assert not said(told("all", "one"), [])
    assert not said(told("low high", "high"), []), "the source says it as well"
