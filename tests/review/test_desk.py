"""What the desk writes: the same as a person would by hand, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import sleep

import pytest

from rulekit.review.beginning import first_anchors
from rulekit.review.desk import Desk, Papers, Refusal
from rulekit.review.meanings import current_names, meanings
from rulekit.review.page_content import Typed, content
from rulekit.review.witnesses import Search
from rulekit.source import Source
from rulekit.tools.audit.anchors import words
from rulekit.tools.audit.page import Piece
from rulekit.tools.language.po_files import read_po
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.report.templates import rendered
from tests.paths import GAMES
from tests.review.desks import desk


def changed(path: str, do: Callable[[], None]) -> tuple[list[str], list[str]]:
    """The lines that a change takes away and puts in."""
    before = Path(path).read_text().split("\n")
    do()
    after = Path(path).read_text().split("\n")
    return [line for line in before if line not in after], [line for line in after if line not in before]


def place_of(made: Desk, quote: str) -> int:
    audit = made.now().report.audit
    assert audit is not None
    return [passage.anchor.quote for passage in audit.passages].index(quote)


def test_what_stands_in_a_list_stays_as_it_is(tmp_path: Path) -> None:
    made = desk(tmp_path)
    path = Path(made.papers.accepted)
    before = b"# kept \xe2\x80\x93 by hand\r\n\r\n0123456789 number-differs X: older"
    path.write_bytes(before)
    finding = made.now().report.open[0]
    made.accept(finding.digest, "a misprint")
    line = f"{finding.digest} number-differs GP-8 GP-9: a misprint\r\n".encode()
    assert path.read_bytes() == before + b"\r\n" + line


def test_a_finding_is_accepted_once(tmp_path: Path) -> None:
    made = desk(tmp_path)
    digest = made.now().report.open[0].digest
    made.accept(digest, "a misprint")
    with pytest.raises(Refusal):
        made.accept(digest, "a misprint")
    assert len(Path(made.papers.accepted).read_text().splitlines()) == 1


def test_an_accepted_finding_can_be_opened_again(tmp_path: Path) -> None:
    made = desk(tmp_path)
    path = Path(made.papers.accepted)
    path.write_bytes(b"# by hand\r\n")
    finding = made.now().report.open[0]
    made.accept(finding.digest, "a misprint")
    assert made.reasons() == {finding.digest: "a misprint"}
    made.reopen(finding.digest)
    assert path.read_bytes() == b"# by hand\r\n"
    assert [one.digest for one in made.now().report.open] == [finding.digest]
    with pytest.raises(Refusal):
        made.reopen(finding.digest)


def test_every_word_of_the_book_is_shown(tmp_path: Path) -> None:
    made = desk(tmp_path)
    path, book = Path(made.papers.anchors), Path(made.papers.book).read_text()
    path.write_text(path.read_text().replace('"La parete ha"', '"La parete ha" to "la valle"').split('"Il turno"')[0])
    stretches = [
        each
        for row in made.now().rows
        for part in (row.before, (Piece(row.quote),), row.pieces, row.behind)
        for each in part
    ]
    assert [word for each in stretches for word, _, _ in words(each.text)] == [word for word, _, _ in words(book)]
    assert [each.kind for row in made.now().rows for each in row.behind if each.kind]


def test_a_passage_is_tied_elsewhere_in_one_line(tmp_path: Path) -> None:
    made = desk(tmp_path)
    at = place_of(made, "La parete ha")
    found = changed(made.papers.anchors, lambda: made.tie(at, "La parete ha", ["GP-2", "GP-3"]))
    assert found == (['"La parete ha" : @GP-2'], ['"La parete ha" : @GP-2 @GP-3'])
    assert made.now().rows[at].clauses[1][0] == "GP-3"


def test_a_passage_without_a_rule_loses_what_it_read(tmp_path: Path) -> None:
    made = desk(tmp_path)
    at = place_of(made, "La parete ha")
    gone, new = changed(made.papers.anchors, lambda: made.tie(at, "La parete ha", []))
    assert new == ['"La parete ha" : -']
    assert gone == ['"La parete ha" : @GP-2', "    reads just cliff:high, just cliff:low"]
    assert not made.now().rows[at].clauses


def test_a_meaning_is_chosen_from_the_rules_of_the_clause(tmp_path: Path) -> None:
    made = desk(tmp_path)
    at = place_of(made, "Sulle cenge")
    report = made.now().report
    assert report.audit is not None
    passage = report.audit.passages[at]
    before = current_names(report, passage)
    offered = meanings(report, passage, 1)
    assert offered[0].fits
    assert "29 (line 9: spaces 1..29 hold 1)" in offered[0].said
    assert [meaning.name for meaning in offered[-2:]] == ["-", "?"]
    made.mean(at, "Sulle cenge", 1, "-")
    now = made.now().report
    assert now.audit is not None
    assert current_names(now, now.audit.passages[at]) == [before[0], "-", *before[2:]]
    with pytest.raises(Refusal, match="none of the meanings"):
        made.mean(at, "Sulle cenge", 1, "99")


def test_what_has_changed_meanwhile_is_refused(tmp_path: Path) -> None:
    made = desk(tmp_path)
    path = Path(made.papers.anchors)
    path.write_text(path.read_text().replace('"La parete ha"', '"parete ha"'))
    with pytest.raises(Refusal, match="meanwhile"):
        made.tie(1, "La parete ha", [])
    with pytest.raises(Refusal, match="no clause GP-99"):
        made.tie(place_of(made, "parete ha"), "parete ha", ["GP-99"])


def test_questions_are_a_list_to_print(tmp_path: Path) -> None:
    made = desk(tmp_path)
    at = place_of(made, "La parete ha")
    made.ask(at, "La parete ha", "Is the valley\n a ledge?")
    assert made.questions() == ['"La parete ha" GP-2: Is the valley a ledge?']
    with pytest.raises(Refusal):
        made.ask(at, "La parete ha", " ")


def test_a_translation_changes_where_it_stands_and_nowhere_else(tmp_path: Path) -> None:
    catalogue = tmp_path / "foxy.it.po"
    catalogue.write_bytes((GAMES / "text" / "foxy.it.po").read_bytes())
    papers = desk(tmp_path).papers
    made = Desk(Papers(papers.rules, papers.book, papers.anchors, papers.accepted, str(catalogue)))
    before = {entry.id: entry.forms for entry in read_po(Source("it", catalogue.read_text())).entries}
    words = 'Nessuno "passa"; il numero va nella casella del turno, sempre e comunque, fino alla fine della partita.'
    for said in (words, "Breve."):
        made.translate("FX-12", made.translated(["FX-12"])[0].forms[0], said)
        after = {entry.id: entry.forms for entry in read_po(Source("it", catalogue.read_text())).entries}
        assert after == before | {"FX-12": (said,)}
    assert 'msgstr "Breve."' in catalogue.read_text()
    with pytest.raises(Refusal, match="meanwhile"):
        made.translate("FX-12", "older words", "x")


def test_a_book_begins_from_what_is_proposed(tmp_path: Path) -> None:
    papers = desk(tmp_path).papers
    Path(papers.anchors).write_text(first_anchors(papers.rules, papers.book, "it"))
    made = Desk(papers)
    now = made.now()
    at = next(place for place, (clauses, is_unsure) in enumerate(now.offered) if is_unsure and len(clauses) > 1)
    assert at in now.open
    quote, (first, second, *_) = now.rows[at].anchor, now.offered[at][0]
    made.tie(at, quote, [first])
    assert made.now().offered[at] == (now.offered[at][0], False)
    gone, new = changed(papers.anchors, lambda: made.tie(at, quote, [second]))
    assert new[0].endswith(f" : @{second}")
    assert gone[0].endswith(f" : @{first}")


def test_what_a_passage_claims_goes_with_its_clause(tmp_path: Path) -> None:
    made = desk(tmp_path)
    path = Path(made.papers.anchors)
    line = '"La parete ha" : @GP-2'
    path.write_text(path.read_text().replace(line, f"{line}\n    claims parete"))
    gone, _ = changed(made.papers.anchors, lambda: made.tie(place_of(made, "La parete ha"), "La parete ha", ["GP-3"]))
    assert gone == [line, "    claims parete"]


def test_the_shortest_example_of_a_clause_is_drawn(tmp_path: Path) -> None:
    made = desk(tmp_path)
    rows = made.now().rows
    shown = made.position(next(place for place, row in enumerate(rows) if "GP-9" in dict(row.clauses)))
    assert shown is not None
    assert (shown.name, shown.svg[:4]) == ("one roll too many", "<svg")
    # The content security policy of the page allows no style inside of it.
    assert "<style" not in shown.svg
    made.tie(0, rows[0].anchor, [])
    assert made.position(0) is None


def test_a_negation_in_other_words_is_settled_by_the_anchors(tmp_path: Path) -> None:
    made = desk(tmp_path)
    rules = Path(made.papers.rules)
    rules.write_text(rules.read_text().replace("> GP-2 ", "> GP-2 Nobody asks: "))
    book = Path(made.papers.book)
    book.write_text(book.read_text().replace("Sulle cenge", "Sulle cenge non si sta comodi: "))
    untold = next(one for one in made.now().report.open if one.code == "denial-untold")
    new = changed(
        made.papers.anchors, lambda: made.say_otherwise(place_of(made, "La parete ha"), "La parete ha", untold.digest)
    )
    assert new == ([], ["    denies @GP-2"])
    more = next(one for one in made.now().report.open if one.code == "denial-unexpected")
    new = changed(
        made.papers.anchors, lambda: made.say_otherwise(place_of(made, "Sulle cenge"), "Sulle cenge", more.digest)
    )
    assert new == ([], ['    denies "non si sta comodi da" ?'])
    assert [one.code for one in made.now().report.open] == ["number-differs"]
    with pytest.raises(Refusal, match="no negation"):
        made.say_otherwise(0, made.now().rows[0].anchor, made.now().report.open[0].digest)


def test_numbers_that_a_clause_itself_has_are_offered(tmp_path: Path) -> None:
    made = desk(tmp_path)
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "goat_path.reads").write_text("GP-3: cliff:spaces#1, cliff:spaces#2 - 9, - (a camp)\n")
    report = made.now().report
    assert report.audit is not None
    offered = meanings(report, report.audit.passages[place_of(made, "Sulle cenge")], 1)
    assert "20, as GP-3 itself says (cliff:spaces#2 - 9)" in [meaning.said for meaning in offered]


def test_a_position_is_looked_for_where_no_example_shows_one(tmp_path: Path) -> None:
    made = desk(tmp_path)
    rules = Path(made.papers.rules)
    rules.write_text(rules.read_text().partition("\nscenario")[0] + "\n")
    shown, never = place_of(made, "Chi arriva su"), place_of(made, "La parete ha")
    assert made.position(shown) is None
    found, given_up = searched(made, shown), searched(made, never)
    assert found.shown is not None
    assert found.shown.svg.startswith("<svg")
    assert (given_up.shown, given_up.why) == (None, "it says how things are, not what is done")
    page = rendered("review.html.j2", SOURCE, **content(made, shown, Typed()))
    assert "from here GP-4 is carried out" in page
    made.close()


def searched(made: Desk, place: int) -> Search:
    """What a search comes to; it is asked for until it is done."""
    for _ in range(1000):
        found = made.search(place)
        if found is not None and found.is_done:
            return found
        sleep(0.02)
    raise AssertionError("the search does not end")
