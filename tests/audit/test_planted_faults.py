"""The count of planted faults: what a list may say, and that a broken quote is no find."""

from __future__ import annotations

import pytest

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.audit.anchors import parse_anchors
from rulekit.tools.audit.claim_checking import audit_book
from rulekit.tools.audit.reports import rules_of
from tests.audit.planted_faults import BadFault, Book, Fault, change_of, faults_of, found
from tests.claims.test_claims import RACE

TEXT = "Storia. Scelta: tutti scelgono\nsegretamente una carta. Poi la carta più bassa guadagna una moneta. Fine.\n"
TIED = """\
language it
"Storia" : -
"Scelta" to "Poi la carta" : @A-1
    claims segretamente
"Poi la carta" to "Fine" : @A-2
    claims più bassa, guadagna
"""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Book:
    path = tmp_path_factory.mktemp("race") / "race.rules"
    path.write_text(RACE)
    rules, anchors = rules_of(str(path), {}), parse_anchors(Source("own.anchors", TIED), Problems())
    return Book(audit_book(indexed(Source("book", TEXT)), anchors, rules), anchors, rules)


def fault(old: str, new: str) -> Fault:
    (made,) = faults_of(f"# a remark\n\nrace | {old} | {new} | contrary | a note\n")
    return made


@pytest.mark.parametrize(
    ("old", "new", "reads"),
    [
        ("tutti scelgono segretamente", "tutti scelgono apertamente", ["apertamente"]),
        ("carta più bassa guadagna", "carta più alta guadagna", ["più alta"]),
        ("Poi la carta più bassa", "Poi quella carta più alta", ["più alta"]),
        ("Scelta: tutti", "Decisione: tutti", []),
        ("Fine", "Ecco la fine", []),
        ("Storia", "Apertamente", []),
    ],
)
def test_only_what_contradicts_the_rules_is_a_find(book: Book, old: str, new: str, reads: list[str]) -> None:
    assert [finding.read for finding in found(fault(old, new), book)] == reads


def test_old_words_must_stand_in_the_book_once() -> None:
    assert TEXT[change_of(fault("scelgono segretamente", "scelgono poi"), TEXT).start :].startswith("segretamente")
    for old in ("carta", "nowhere"):
        with pytest.raises(BadFault, match="times in race"):
            change_of(fault(old, "other"), TEXT)


def test_words_can_be_taken_out_and_put_in() -> None:
    for old, new in (("Fine.", "La Fine."), ("tutti scelgono", "tutti non scelgono"), ("una carta.", "una.")):
        change = change_of(fault(old, new), TEXT)
        assert " ".join((TEXT[: change.start] + change.other + TEXT[change.end :]).split()) == " ".join(
            TEXT.replace(old, new).split()
        )


def test_a_line_of_another_form_is_refused() -> None:
    with pytest.raises(BadFault, match="line 2"):
        faults_of("# fine\nrace | old | new\n")
