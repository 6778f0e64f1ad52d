"""Translations against their clauses, clauses against their rules; proposals; the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from attrs import evolve
from click.testing import CliRunner
from markupsafe import escape

from rulekit.apps.commands import cli
from rulekit.diagnostics import ERROR, Problems, render
from rulekit.source import Source, Span
from rulekit.tools.audit.baseline import as_line
from rulekit.tools.audit.clause_numbers import ties
from rulekit.tools.audit.findings import Finding
from rulekit.tools.audit.page import page
from rulekit.tools.audit.reports import of_book, of_catalogue, of_clauses, rules_of
from rulekit.tools.audit.translation_check import Pair, compare
from rulekit.tools.language.catalogue_loader import engine_tongue
from rulekit.tools.language.engine_extraction import template_entries
from rulekit.tools.language.lazy_message import in_words
from tests import paths
from tests.paths import BOOKS
from tests.sizes import some

GOATS = paths.EXAMPLES / "goat_path.rules"
BOOK, ANCHORS = BOOKS / "goat_path.it.md", BOOKS / "goat_path.it.anchors"
GAMES = sorted(paths.GAMES.glob("*.rules"))


def found(id_: str, text: str, other: str, language: str = "it") -> list[Finding]:
    return list(compare(Pair(id_, text, other, language, Span("x.po", 3, 1, 3, 9)), rules_of(str(GOATS), {})))


CASES = (
    ("it", "Take three cards and 2 coins.", "Prendi tre carte e due monete.", []),
    ("it", "Take three cards and 2 coins.", "Prendi quattro carte e due monete.", ["translation-number"]),
    ("it", "Take three cards and 2 coins.", "Prendi 2 monete e tre carte.", []),
    ("it", "Take three cards and 2 coins.", "Prendi una carta e due monete.", ["translation-number"]),
    ("it", "Take three cards.", "Prendi tre carte e due monete.", ["translation-number"]),
    ("it", "Take double points.", "Prendi il doppio dei punti.", []),
    ("it", "Take double points.", "Prendi dei punti.", ["translation-number"]),
    ("de", "Both take two.", "Beide nehmen zwei.", []),
    ("de", "The twenty-first card.", "Die einundzwanzigste Karte.", []),
    ("de", "Nobody may pass.", "Niemand darf passen.", []),
    ("de", "Nobody may pass.", "Alle müssen passen.", ["translation-may", "translation-must", "translation-not"]),
    ("it", "You have to draw.", "Si può pescare.", ["translation-may", "translation-must"]),
    ("it", "Sheltered or not.", "Al riparo o no.", []),
)


@pytest.mark.parametrize(("language", "text", "other", "codes"), CASES)
def test_a_translation_says_the_same_numbers_and_moods(language: str, text: str, other: str, codes: list[str]) -> None:
    assert sorted(finding.code for finding in found("GP-9", text, other, language)) == codes


def test_a_finding_names_number_value_and_rule() -> None:
    (finding,) = found("GP-9", "Take 3.", "Prendi 4.")
    assert (finding.read, finding.had) == ("4", "3")
    assert finding.rule.endswith("goat_path.rules:29: if steps is 1")
    (less,) = found("GP-9", "Take 3.", "Prendi.")
    assert "lacks 3" in less.diagnostic.title


def test_a_translated_number_is_held_against_the_value_behind_the_clause() -> None:
    known = rules_of(str(GOATS), {})
    clause = known.rules.game.clauses["GP-3"]
    own = ties(clause, known, None, Problems())
    pair = Pair("GP-3", clause.text, "Ogni cengia da 1 a 28 porta una capra.", "it", Span("x.po", 3, 1, 3, 9))
    (finding,) = compare(pair, known, own)
    assert finding.diagnostic.title == "the translation of GP-3 reads “28” (28), the rules have 29 (`cliff:spaces`)"
    assert finding.rule.endswith("goat_path.rules:9: spaces 1..29 hold 1")


def test_the_clauses_of_the_small_game_agree_with_its_rules() -> None:
    assert of_clauses(str(GOATS), None).open == ()


@pytest.mark.parametrize("path", some(GAMES, 2), ids=lambda path: path.stem)
def test_nothing_is_open_in_what_ships(path: Path) -> None:
    known = rules_of(str(path), {})
    reports = [of_clauses(str(path), None, known)]
    for language in ("it", "de"):
        catalogue = str(path.parent / "text" / f"{path.stem}.{language}.po")
        reports.append(of_catalogue(str(path), catalogue, language, None, known))
    assert [finding.diagnostic.title for report in reports for finding in report.open] == []
    assert [fault.title for report in reports for fault in report.faults if fault.level == ERROR] == []


def test_a_catalogue_that_is_none_is_a_finding_with_a_line(tmp_path: Path) -> None:
    broken = tmp_path / "x.it.po"
    broken.write_text('msgid "a"\nmsgstr "b\n')
    report = of_catalogue(str(GOATS), str(broken), "it", None)
    assert [(fault.code, fault.span.line) for fault in report.faults] == [("broken-catalogue", 2)]


# ---------------------------------------------------------------- commands


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["text", *arguments], standalone_mode=False)
    code = result.return_value if isinstance(result.return_value, int) else 1
    return code, result.output + (str(result.exception) if result.exception else "")


def test_audit_of_the_clauses_alone() -> None:
    assert run("audit", str(GOATS)) == (
        0,
        "11 clauses compared with their rules: 9 numbers, 1 of them without a value for a reason\n"
        "0 findings, 0 accepted\n",
    )


def test_audit_without_a_translation_says_how_to_begin_one() -> None:
    code, output = run("audit", str(GOATS), "--lang", "it")
    assert code == 1
    assert "has no translation into `it`" in output
    assert "no table of numerals for `xx`" in run("audit", str(GOATS), "--lang", "xx")[1]


def test_a_book_needs_anchors() -> None:
    assert "--anchors" in run("audit", str(GOATS), "--book", str(BOOK))[1]


def test_proposals_find_the_clauses_by_their_numbers() -> None:
    code, output = run("anchor", str(GOATS), "--book", str(BOOK))
    assert code == 0
    assert output.startswith("# Proposed: look through every line, then remove this one.\nlanguage it\n")
    assert re.search(r'"sulle cenge" : @GP-3\n', output)


def test_what_is_proposed_can_be_read_again(tmp_path: Path) -> None:
    first = tmp_path / "first.it.anchors"
    first.write_text(run("anchor", str(GOATS), "--book", str(BOOK))[1])
    code, output = run("anchor", str(GOATS), "--book", str(BOOK), "--anchors", str(first))
    assert code == 1
    assert "error" not in output
    assert "is followed by uno ventinove una\n    reads cliff:spaces#1, cliff:spaces#2, cliff:hold" in output


def test_nothing_is_left_to_do_in_whole_anchors() -> None:
    code, output = run("anchor", str(GOATS), "--book", str(BOOK), "--anchors", str(ANCHORS))
    assert (code, output) == (0, "11 passages, 0 left to do\n")


def test_what_is_said_and_denied_is_proposed(tmp_path: Path) -> None:
    book, anchors = tmp_path / "b.it.md", tmp_path / "b.it.anchors"
    book.write_text("La capra non sale niente, ma deve tirare.\n")
    anchors.write_text('language it\n"La capra" : @GP-5\n')
    code, output = run("anchor", str(GOATS), "--book", str(book), "--anchors", str(anchors))
    assert code == 1
    denies = 'denies "non sale niente ma deve" @GP-5, "niente ma deve tirare" ???'
    assert f"    says may 0, must 1\n    claims sale\n    {denies}\n" in output
    assert run("audit", str(GOATS), "--book", str(book), "--anchors", str(anchors))[0] == 1


def test_numbers_in_no_passage_are_listed(tmp_path: Path) -> None:
    few = tmp_path / "few.it.anchors"
    few.write_text('language it\n"Il turno" to "Fine" : @GP-8\n    reads bone#1, bone#2, climb:steps\n')
    words = ["anchor", str(GOATS), "--book", str(BOOK), "--anchors", str(few)]
    code, output = run(*words)
    assert code == 1
    assert "ventinove is tied to nothing" in output
    assert "ventinove non è legato a nulla" in run(*words, "--lang", "it")[1]


def test_a_bound_left_unsaid_is_proposed_with_it_so_that_the_audit_asks(tmp_path: Path) -> None:
    book, tied = tmp_path / "own.it.md", tmp_path / "own.it.anchors"
    book.write_text("La parete ha una cengia con 4 capre.\n")
    tied.write_text('language it\n"La parete ha" : @GP-1\n')
    _, output = run("anchor", str(GOATS), "--book", str(book), "--anchors", str(tied))
    assert "players:most" in output
    tied.write_text('language it\n"cengia con" : @GP-1\n    reads players:most\n')
    code, output = run("audit", str(GOATS), "--book", str(book), "--anchors", str(tied))
    assert (code, "`just players:most` if the text leaves that unsaid" in output) == (1, True)


def test_the_page_shows_book_clause_rule_and_example(tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    code, _ = run("audit", str(GOATS), "--book", str(BOOK), "--anchors", str(ANCHORS), "--html", str(out))
    text = out.read_text()
    assert code == 1
    assert '<b class="open" title="climb:steps = 1">2</b>' in text
    assert '<b class="same" title="just cliff:high = 30">30</b>' in text
    assert "GP-9</span> A 1 is a slip" in text
    assert "<i>29</i>if steps is 1" in text
    assert "one roll too many" in text
    assert "<script" not in text


def test_the_page_escapes_what_the_book_says(tmp_path: Path) -> None:
    book = tmp_path / "book.md"
    book.write_text(BOOK.read_text().replace("La capra sale", "La <capra & <script>alert(1)</script> sale"))
    text = page(of_book(str(GOATS), str(book), str(ANCHORS), None))
    assert "<script" not in text
    assert "La &lt;capra &amp;" in text


def test_the_page_of_a_translation(tmp_path: Path) -> None:
    path = paths.GAMES / "foxy.rules"
    text = page(of_catalogue(str(path), str(path.parent / "text" / "foxy.de.po"), "de", None))
    assert "FX-5</span> Of 48 cards" in text
    assert 'lang="de"' in text


@pytest.mark.parametrize("language", ["it", "de"])
def test_the_page_speaks_the_language_that_is_asked_for(language: str, tmp_path: Path) -> None:
    out = tmp_path / "page.html"
    plain = ("audit", str(GOATS), "--book", str(BOOK), "--anchors", str(ANCHORS))
    assert run(*plain, "--html", str(out), "--html-lang", language)[0] == 1
    text, words = out.read_text(), engine_tongue(language)
    shown = [part.strip() for part in re.findall(r">([^<>]+)<", text)]
    for entry in template_entries():
        if any(span.source == "audit.html.j2" for span in entry.spans):
            assert words.phrases[entry.id, entry.text][0] != entry.text
            assert entry.text not in shown, entry.text
    report = of_book(str(GOATS), str(BOOK), str(ANCHORS), None)
    for finding in report.open:
        assert finding.said.by(words) != finding.diagnostic.title
        assert escape(finding.said.by(words)) in text
    assert f'<html lang="{language}">' in text
    assert in_words(report.summary, words) in text


def test_a_long_line_is_cut_around_its_finding() -> None:
    text = "a" * 500 + "7" + "b" * 500
    finding = of_book(str(GOATS), str(BOOK), str(ANCHORS), None).open[0].diagnostic

    shown = render(evolve(finding, span=Span("long", 1, 501, 1, 502), labels=()), {"long": Source("long", text)})
    lines = shown.splitlines()
    assert max(map(len, lines)) < 200
    assert lines[2].index("7") == lines[3].index("^")


def test_a_line_to_accept_a_finding_with() -> None:
    finding = of_book(str(GOATS), str(BOOK), str(ANCHORS), None).open[0]
    assert re.fullmatch(r"[0-9a-f]{10} number-differs GP-8 GP-9: ", as_line(finding))
