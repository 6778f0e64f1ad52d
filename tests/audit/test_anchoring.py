"""Clauses proposed for the sentences of a book: by words, numbers, order, and by what is tied already."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.tools.anchoring.proposals import Proposal, first_file, proposals
from rulekit.tools.anchoring.sentences import APART, BESIDE, HEADED, sentences
from rulekit.tools.anchoring.wording import Wording, wording
from rulekit.tools.audit.anchor_matching import indexed, passages
from rulekit.tools.audit.anchors import Anchor, parse_anchors, words
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.audit.numeral_parsing import numerals
from rulekit.tools.audit.reports import rules_of
from rulekit.tools.language.translation import SOURCE
from tests.audit.anchoring import scored, tied
from tests.paths import BOOKS, EXAMPLES, GAMES

FOXY, GOATS = GAMES / "foxy.rules", EXAMPLES / "goat_path.rules"


@cache
def rules(path: Path = FOXY) -> AuditedRules:
    return rules_of(str(path), {})


@cache
def said(path: Path = FOXY, language: str = "it") -> Wording:
    return wording(str(path), language, rules(path))


def proposed(text: str, path: Path = FOXY, anchors: tuple[Anchor, ...] = ()) -> list[Proposal]:
    book = indexed(Source("book", text))
    placed = passages(book, anchors, Problems())
    return proposals(book, "it", rules(path), said(path), placed)


def firsts(made: list[Proposal]) -> list[str]:
    return [one.clauses[0][0] if one.clauses else "-" for one in made]


def test_sentences_say_what_parts_them() -> None:
    text = "Inizio\nSi gioca in tre. Poi vedi fig. 3 qui.\n\nFine\n\n2. Chi perde?\n"
    found = sentences(text)
    assert [text[one.start : one.end].strip() for one in found] == [
        "Inizio\nSi gioca in tre.",
        "Poi vedi fig. 3 qui.",
        "Fine",
        "2. Chi perde?",
    ]
    assert [one.follows for one in found] == [APART, BESIDE, APART, HEADED]
    assert [one.is_heading for one in found] == [False, False, True, False]
    assert [one.shows > 0 for one in found] == [False, True, True, True]


def test_the_clauses_themselves_are_found_with_a_third_of_their_words_gone() -> None:
    texts = {id_: text for id_, text in said().texts.items() if len(text.split()) > 5}
    book = "\n\n".join(" ".join(w for n, w in enumerate(text.split()) if n % 3 != 1) + "." for text in texts.values())
    made = proposed(book)
    by_place = [one for one in made if one.clauses]
    right = sum(
        texts[one.clauses[0][0]].split()[0] in book[one.start : one.end]
        for one in by_place
        if one.clauses[0][0] in texts
    )
    assert right >= 0.9 * len(texts)
    assert any(one.is_sure for one in made)


def test_a_number_that_a_clause_has_too_makes_nothing_sure() -> None:
    """Nothing of the goats is known in Italian: only numbers are left."""
    one = tied(BOOKS / "goat_path.it.md", GOATS, BOOKS / "goat_path.it.anchors")
    made = proposals(one.book, one.language, one.rules, one.said)
    assert one.said.is_foreign
    assert not any(each.is_sure for each in made)
    assert scored(one, made).first > 0


def test_what_somebody_has_tied_stays_and_teaches_its_words() -> None:
    book = "Oggi un bizzarro zufolo suona.\n\nTutto tace.\n\nIl bizzarro zufolo suona ancora forte.\n"
    assert "FX-22" not in firsts(proposed(book))
    taught = proposed(book, anchors=(Anchor("Oggi un", to="Tutto tace", clauses=("FX-22",)),))
    assert [firsts(taught)[place] for place in (0, 2)] == ["FX-22", "FX-22"]
    free = proposed(book, anchors=(Anchor("Oggi un", to="Tutto tace"),))
    assert firsts(free)[0] == "-"


REPEATED = (
    "Si gioca.\n\nVince la volpe.\n\nSi gioca.\n\nChi perde ride.\n\nSi gioca.",
    "Vince la volpe.\n\n3 carte.\n\nVince la volpe ancora.\n\nVince.",
)


@pytest.mark.parametrize("text", REPEATED)
def test_every_quote_of_a_first_file_finds_its_sentence(text: str) -> None:
    made = proposed(text)
    book = indexed(Source("book", text))
    written = first_file(made, book, "it", rules(), SOURCE)
    problems = Problems()
    anchors = parse_anchors(Source("own", written), problems).anchors
    placed = passages(book, anchors, problems)
    assert not problems.found
    for one, sentence in zip(placed, [one for one in made if one.quote], strict=True):
        is_inside = sentence.start <= one.quoted < sentence.end
        assert is_inside or not words(text[one.start : sentence.start])


def test_a_sentence_that_begins_with_a_number_has_it_in_its_passage() -> None:
    text = "Vince la volpe rossa.\n\n7: si pescano due carte.\n\n25 punti bastano."
    book = indexed(Source("book", text))
    made = proposed(text)
    anchors = parse_anchors(Source("own", first_file(made, book, "it", rules(), SOURCE)), Problems()).anchors
    placed = passages(book, anchors, Problems())
    assert [one.value for one in numerals(text[placed[1].start : placed[1].end], "it")] == [7, 2]
    assert [one.value for one in numerals(text[placed[2].start : placed[2].end], "it")] == [25]
