"""A text as its reader takes it: broken words are whole again, and what nobody can decide is a doubt."""

from __future__ import annotations

import pytest

from rulekit.source import Source
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.audit.numeral_parsing import numerals
from rulekit.tools.documents.reader_text import DoubtKind

JOINED = (
    ("en", "twenty-\nsix", "twenty-six", [26]),
    ("en", "> twenty-\n> six", "> twenty-six", [26]),
    ("en", "6-\ncard hands, 10-\n12 points", "6-card hands, 10-12 points", [6, 10, 12]),
    ("en", "a six-card hand; a six-\ncard hand", "a six-card hand; a six-card hand", [6, 6]),
    ("en", "tension; a ten-\nsion", "tension; a tension", []),
    ("en", "play-\ners", "players", []),
    ("en", "twenty\u2011six, twenty\u2010six", "twenty-six, twenty-six", [26, 26]),
    ("en", "twenty\u00adsix, ven\u00adty\u00ad\nfold", "twenty-six, ventyfold", [26]),
    ("en", "seven-\u00ad\nteen, six\u00adteen", "seven-\nteen, sixteen", [7, 16]),
    ("it", "ven-\ntisei, tre-\nno", "ventisei, treno", [26]),
    ("it", "due-\ne tre", "due-\ne tre", [2, 3]),
    ("de", "sechsund-\nzwanzig, acht-\nsam", "sechsundzwanzig, achtsam", [26]),
    ("de", "Kreuz-\nSieben, Vor-\nund Nachteile", "Kreuz-Sieben, Vor-\nund Nachteile", [7]),
    ("de", "REGEL-\nBUCH", "REGELBUCH", []),
)


@pytest.mark.parametrize(("language", "broken", "whole", "numbers"), JOINED)
def test_a_word_broken_at_a_line_end_reads_as_on_one_line(
    language: str, broken: str, whole: str, numbers: list[int]
) -> None:
    book = indexed(Source("book", broken), language)
    assert book.source.text == whole
    assert [one.value for one in numerals(book.source.text, language)] == numbers
    assert book.doubts == ()


def test_places_are_those_of_the_file() -> None:
    text = "A soft\u00adly bro-\nken word, then twenty-\n  six feathers."
    book = indexed(Source("book", text), "en")
    (number,) = numerals(book.source.text, "en")
    span = book.span(number.start, number.end)
    assert (span.line, span.column, span.end_line, span.end_column) == (2, 16, 3, 6)
    at = book.source.text.index("feathers")
    assert book.span(at, at + 8).column == 7


REFERENCES = (
    ("pays &#52; coins", "pays 4 coins", [4]),
    ("pays 2&#x34; coins", "pays 24 coins", [24]),
    ("pays twenty&shy;four&nbsp;coins", "pays twenty-four\u00a0coins", [24]),
    ("x &lt; 5, R&D; &#60;b&#62; &#38; 4", "x &lt; 5, R&D; &lt;b&gt; &amp; 4", [5, 4]),
)


@pytest.mark.parametrize(("written", "text", "numbers"), REFERENCES)
def test_character_references_are_the_characters_that_a_page_shows(written: str, text: str, numbers: list[int]) -> None:
    book = indexed(Source("book", written), "en")
    assert book.source.text == text
    assert [one.value for one in numerals(text, "en")] == numbers
    at = book.source.text.rindex(" ") + 1
    assert book.span(at, at + 1).column == written.rindex(" ") + 2


def test_a_fraction_as_a_character_reference_is_a_doubt() -> None:
    book = indexed(Source("book", "pays 4&frac12; coins"), "en")
    assert [book.source.text[one.start : one.end] for one in book.doubts] == ["½"]


def test_a_hyphen_that_may_belong_to_a_compound_is_a_doubt() -> None:
    book = indexed(Source("book", "A three-\ncard hand."), "en")
    (doubt,) = book.doubts
    assert book.source.text[doubt.start : doubt.end] == "three-"


@pytest.mark.parametrize("text", ["takes 2½ cards", "takes ③ cards", "takes ¹⁄₂ cards", "S c o r e 1 2"])
def test_signs_that_may_be_numbers_are_doubts(text: str) -> None:
    assert len(indexed(Source("book", text), "en").doubts) == 1


@pytest.mark.parametrize("text", ["① Draw", "- ② Play", "7¹ cards", "1 2 3 4 5 6", "a b c d e f"])
def test_marks_of_items_references_and_lists_are_none(text: str) -> None:
    assert indexed(Source("book", text), "en").doubts == ()


@pytest.mark.parametrize("text", ["three cards1", "the cards.2 Then"])
def test_a_number_at_the_end_of_a_word_may_be_that_of_a_note(text: str) -> None:
    assert [doubt.kind for doubt in indexed(Source("book", text), "en").doubts] == [DoubtKind.REFERENCE]


@pytest.mark.parametrize(
    "text", ["holds ₁₃ gusts", "deals ¹³ gusts", "holds <sub>13</sub> gusts", "deal <sup>3</sup> cards"]
)
def test_lowered_digits_and_raised_digits_that_stand_alone_are_doubts(text: str) -> None:
    assert [doubt.kind for doubt in indexed(Source("book", text), "en").doubts] == [DoubtKind.SCRIPT]


@pytest.mark.parametrize("text", ["7 cards¹ more", "It ends. ¹ A note", "cards<sup>1</sup> more", "\n¹ a note"])
def test_references_behind_a_word_or_sentence_are_none(text: str) -> None:
    assert indexed(Source("book", text), "en").doubts == ()
