"""A book as a Word document: read with its places, findings put at the word, answers read back, and once more."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

import docx
import pytest
from docx.enum.style import WD_STYLE_TYPE

from rulekit import library, limits
from rulekit.library import Unreadable
from rulekit.review import desk as review
from rulekit.review.desk import Papers
from rulekit.source import Source
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.audit.reports import of_book
from rulekit.tools.documents.reading import read_book
from rulekit.tools.documents.remarks import Remark
from rulekit.tools.documents.word_package import name_of, opened, parsed
from rulekit.tools.documents.word_remarks import with_remarks
from rulekit.tools.documents.word_text import placed_text
from tests.documents import word_people
from tests.documents.desk import ANCHORS, BOOK, DIGEST, GOATS, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / "book.docx").write_bytes(word_people.word_of(BOOK.read_text()))
    return Desk(tmp_path)


def change(desk: Desk, name: str, by: Callable[[Any], None]) -> None:
    path = desk.folder / name
    path.write_bytes(word_people.changed(path.read_bytes(), by))


def comments(desk: Desk, name: str) -> list[str]:
    return [one.text for one in word_people.comments((desk.folder / name).read_bytes())]


def body(path: Path) -> str:
    with zipfile.ZipFile(path) as archive:
        return archive.read("word/document.xml").decode()


# ---------------------------------------------------------------- there


def test_a_book_from_word_has_the_findings_of_its_markdown_at_the_same_words(desk: Desk) -> None:
    word = of_book(GOATS, desk.path("book.docx"), ANCHORS, None)
    plain = of_book(GOATS, str(BOOK), ANCHORS, None)
    assert [one.digest for one in word.open] == [one.digest for one in plain.open] == [DIGEST]
    for report in (word, plain):
        assert report.audit is not None
        at = report.open[0].diagnostic.span
        assert report.audit.book.source.line(at.line)[at.column - 1 :].startswith("2 scivola")


def test_a_finding_becomes_a_comment_at_its_word_with_the_one_number_possible(desk: Desk) -> None:
    told = desk.audit("book.docx", "out.docx", "--html-lang", "it")
    assert (told.code, "1 osservazione messa in" in told.out) == (1, True)
    (comment,) = comments(desk, "out.docx")
    assert "GP-8" in comment
    assert "“resta: perché”" in comment
    assert comment.endswith(f"[number-differs {DIGEST} → 1]")
    xml = body(desk.folder / "out.docx")
    marked = xml[xml.index("commentRangeStart") : xml.index("commentRangeEnd")]
    assert ">2</w:delText>" in marked
    assert ">1</w:t>" in marked
    before, after = (read_book(desk.path(name)).text for name in ("book.docx", "out.docx"))
    assert before == after


def test_runs_are_cut_at_the_word_and_nothing_is_lost(desk: Desk) -> None:
    content = (desk.folder / "book.docx").read_bytes()
    text = placed_text(opened("book", content)).text
    places = [(start, min(start + size, len(text))) for start in range(0, len(text), 11) for size in (1, 9)]
    remarks = [
        Remark(f"{n:010x}", "a-code", start, end, "told", "x" * (n % 3)) for n, (start, end) in enumerate(places)
    ]
    made = with_remarks("book", content, text, remarks, {one.digest for one in remarks})
    assert made.added == len(remarks)
    assert placed_text(opened("book", made.content)).text == text
    assert with_remarks("book", made.content, text, remarks, {one.digest for one in remarks}).added == 0
    assert placed_text(opened("book", with_remarks("book", made.content, text, [], set()).content)).text == text


def test_each_stretch_says_where_it_stands(desk: Desk) -> None:
    placed = placed_text(opened("book", (desk.folder / "book.docx").read_bytes()))
    at = placed.text.index("scivola e torna")
    found = placed.within(at, at + len("scivola e torna"))
    assert "scivola e torna" in placed.text[found[0].start : found[-1].end]
    assert {stretch.place.paragraph for stretch in found} == {7}


def test_insertions_count_and_deletions_do_not(desk: Desk) -> None:
    change(desk, "book.docx", lambda document: word_people.edit(document, "ha 30 cenge", "ha 31 cenge"))
    assert "La parete ha 31 cenge, la valle" in read_book(desk.path("book.docx")).text
    report = of_book(GOATS, desk.path("book.docx"), ANCHORS, None)
    assert [(one.read, one.had) for one in report.open] == [("31", "30"), ("2", "1")]


def test_tables_and_notes_are_read_where_they_stand() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("Before the note")
    reference = paragraph.add_run()._r
    reference.append(reference.makeelement(name_of("w:footnoteReference"), {name_of("w:id"): "2"}))
    table = document.add_table(2, 2)
    for cell, words in zip([cell for row in table.rows for cell in row.cells], "abcd", strict=True):
        cell.text = words
    document.add_paragraph("After")
    space = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
    inner = '<w:footnote w:id="2"><w:p><w:r><w:t>the note</w:t></w:r></w:p></w:footnote>'
    note = f"<w:footnotes {space}>{inner}</w:footnotes>"
    kind = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    part = word_people.Part(word_people.PackURI("/word/footnotes.xml"), kind, note.encode(), document.part.package)
    document.part.relate_to(part, "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes")
    content = word_people.saved(document)
    text = placed_text(opened("book", content)).text
    assert text == "Before the note\n\nthe note\n\na | b\n\nc | d\n\nAfter"
    at = text.index("the note", 20 - 4)
    made = with_remarks(
        "book", content, text, [Remark("0123456789", "a-code", at, at + 3, "told", "x")], {"0123456789"}
    )
    assert placed_text(opened("book", made.content)).text == text
    assert len(word_people.comments(made.content)) == 1


def raised(paragraph: Any, text: str, **how: str) -> None:
    """A run with properties of its own: `vertAlign="superscript"`, say."""
    properties = paragraph.add_run(text)._r.get_or_add_rPr()
    for name, value in how.items():
        properties.append(properties.makeelement(name_of(f"w:{name}"), {name_of("w:val"): value}))


def in_style(document: Any, paragraph: Any, text: str) -> None:
    document.styles.add_style("Reference", WD_STYLE_TYPE.CHARACTER).font.superscript = True
    paragraph.add_run(text).style = "Reference"


RAISED: dict[str, Callable[[Any, Any], None]] = {
    "aligned": lambda document, paragraph: raised(paragraph, "12", vertAlign="superscript"),
    "by hand": lambda document, paragraph: raised(paragraph, "12", position="8", sz="14"),
    "by style": lambda document, paragraph: in_style(document, paragraph, "12"),
}


@pytest.mark.parametrize("how", RAISED)
def test_a_raised_number_belongs_to_no_number_before_it(how: str) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("From 1 to 7")
    RAISED[how](document, paragraph)
    paragraph.add_run(" cards")
    assert placed_text(opened("book", word_people.saved(document))).text == "From 1 to 7¹² cards"


def test_lowered_numbers_and_raised_words_are_told_apart() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("x")
    raised(paragraph, "2", vertAlign="subscript")
    paragraph.add_run(" on the 3")
    raised(paragraph, "rd of 4 rounds", vertAlign="superscript")
    assert placed_text(opened("book", word_people.saved(document))).text == "x₂ on the 3rd of 4 rounds"


def script_run(paragraph: Any, text: str, how: str) -> None:
    raised(paragraph, text, **({"position": "8"} if how == "by hand" else {"vertAlign": "superscript"}))


def read_with_comment(paragraphs: Callable[[Any], None], word: str) -> tuple[str, str]:
    """The text of a document before and after a comment is put at a word of it."""
    document = docx.Document()
    paragraphs(document)
    data = word_people.saved(document)
    text = placed_text(opened("book", data)).text
    at = text.index(word)
    remark = Remark("0123456789", "number-differs", at, at + len(word), "a remark")
    made = with_remarks("book", data, text, [remark], {"0123456789"})
    return text, placed_text(opened("book", made.content)).text


SCRIPT_STRETCHES = (
    ("Deal ", ("4",), " cards", "⁴", "Deal ⁴ cards"),
    ("Deal 7", ("456",), " cards", "⁵", "Deal 7⁴⁵⁶ cards"),
    ("Deal ", ("4",), "", "⁴", "Deal ⁴"),
    ("the 3", ("rd of 4 rounds",), "", "4", "the 3rd of 4 rounds"),
    ("the ", ("1", "st"), " round", "1", "the 1st round"),
    ("Deal 7", ("1a",), " cards", "¹", "Deal 7¹a cards"),
)


@pytest.mark.parametrize("how", ["by hand", "aligned"])
@pytest.mark.parametrize(("before", "stretch", "behind", "word", "text"), SCRIPT_STRETCHES)
def test_a_raised_stretch_reads_the_same_with_a_comment_at_a_part_of_it(
    how: str, before: str, stretch: tuple[str, ...], behind: str, word: str, text: str
) -> None:
    def write(document: Any) -> None:
        paragraph = document.add_paragraph(before)
        for part in stretch:
            script_run(paragraph, part, how)
        paragraph.add_run(behind)

    assert read_with_comment(write, word) == (text, text)


def test_a_paragraph_that_is_raised_as_a_whole_is_plain_text() -> None:
    assert read_with_comment(lambda document: script_run(document.add_paragraph(), "4", "by hand"), "4") == ("4", "4")


_MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
UNUSUAL = {
    "equation": ("<m:oMath><m:r><m:t>17</m:t></m:r></m:oMath>", "take 17 cards", "17"),
    "fraction": (
        "<m:oMath><m:f><m:num><m:r><m:t>1</m:t></m:r></m:num><m:den><m:r><m:t>2</m:t></m:r></m:den></m:f></m:oMath>",
        "take 1/2 cards",
        "1",
    ),
    "symbol": ('<w:r><w:sym w:font="Wingdings" w:char="F083"/></w:r>', "take ③ cards", "③"),
    "symbols": (
        '<w:r><w:rPr><w:rFonts w:ascii="Webdings"/></w:rPr><w:t>4</w:t></w:r>',
        "take \ufffd cards",
        "\ufffd",
    ),
    "hidden": ("<w:r><w:rPr><w:vanish/></w:rPr><w:t>12</w:t></w:r>", "take  cards", ""),
    "struck": ("<w:r><w:rPr><w:strike/></w:rPr><w:t>12</w:t></w:r>", "take 12 cards", "12"),
    "struck twice": ("<w:r><w:rPr><w:dstrike/></w:rPr><w:t>12</w:t></w:r>", "take 12 cards", "12"),
    "drawn": (r"<w:r><w:instrText> EQ \f(1,2)</w:instrText></w:r>", "take  cards", ""),
}


@pytest.mark.parametrize("kind", UNUSUAL)
def test_what_is_no_plain_text_is_read_with_a_doubt(kind: str) -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("take ")
    xml, text, doubtful = UNUSUAL[kind]
    for node in parsed(f"<w:p {_WORD} {_MATH}>{xml}</w:p>".encode()):
        paragraph._p.append(node)
    paragraph.add_run(" cards")
    content = word_people.saved(document)
    placed = placed_text(opened("book", content))
    assert placed.text == text
    doubts = indexed(Source("book", placed.text), "en", placed.doubts).doubts
    assert placed.text[doubts[0].start : doubts[0].end] == doubtful
    at = max(0, text.index(" cards") - 1)
    made = with_remarks("book", content, text, [Remark("0123456789", "a-code", at, at + 1, "told", "")], {"0123456789"})
    assert placed_text(opened("book", made.content)).text == text


def read_body(*xml: str) -> str:
    """The text of a document with some XML in place of its paragraphs."""
    document = docx.Document()
    for node in parsed(f"<w:body {_WORD}>{''.join(xml)}</w:body>".encode()):
        document.element.body.insert(-1, node)
    return placed_text(opened("book", word_people.saved(document))).text


def mark(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def instruction(text: str) -> str:
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


_PAGE = f"{mark('begin')}{instruction('PAGE')}{mark('separate')}<w:r><w:t>7</w:t></w:r>{mark('end')}"
FIELDS = {
    "nested": (
        f"{mark('begin')}{instruction('IF ')}{_PAGE}{mark('separate')}<w:r><w:t>13</w:t></w:r>{mark('end')}",
        "13",
    ),
    "in the result": (f"{mark('begin')}{instruction('IF')}{mark('separate')}{_PAGE}{mark('end')}", "7"),
    "without a result": (f"{mark('begin')}{instruction('SET a ')}{_PAGE}{mark('end')}", ""),
    "never ended": (f"{mark('begin')}{_PAGE}", "7"),
    "only ended": (f"{mark('separate')}<w:r><w:t>13</w:t></w:r>{mark('end')}", "13"),
}


@pytest.mark.parametrize("kind", FIELDS)
def test_only_the_printed_result_of_a_field_is_text(kind: str) -> None:
    xml, printed = FIELDS[kind]
    assert (
        read_body(f"<w:p><w:r><w:t>takes</w:t></w:r>{xml}<w:r><w:t>cards</w:t></w:r></w:p>") == f"takes{printed}cards"
    )


def test_a_field_over_two_paragraphs_hides_only_its_instruction() -> None:
    first = f"<w:p>{mark('begin')}{instruction('IF ')}{_PAGE}</w:p>"
    second = f"<w:p>{mark('separate')}<w:r><w:t>13</w:t></w:r>{mark('end')}</w:p>"
    assert read_body(first, second) == "13"


@pytest.mark.parametrize(("letter", "rest"), [("T", "hree to five"), ("1", "2 gusts")])
@pytest.mark.parametrize("how", ["drop", "margin"])
def test_a_drop_cap_is_the_first_letter_of_the_next_paragraph(how: str, letter: str, rest: str) -> None:
    cap = f'<w:p><w:pPr><w:framePr w:dropCap="{how}" w:lines="3"/></w:pPr><w:r><w:t>{letter}</w:t></w:r></w:p>'
    assert read_body(cap, f"<w:p><w:r><w:t>{rest}</w:t></w:r></w:p>") == letter + rest


def test_a_frame_that_is_no_drop_cap_is_a_paragraph() -> None:
    frame = '<w:p><w:pPr><w:framePr w:dropCap="none"/></w:pPr><w:r><w:t>1</w:t></w:r></w:p>'
    assert read_body(frame, "<w:p><w:r><w:t>2</w:t></w:r></w:p>") == "1\n\n2"


def test_a_tab_of_any_kind_parts_a_word_from_its_number() -> None:
    run = "<w:r><w:t>Gusts</w:t><w:ptab/><w:t>13</w:t><w:tab/><w:t>8</w:t></w:r>"
    assert read_body(f"<w:p>{run}</w:p>") == "Gusts\t13\t8"


def test_the_strict_variant_of_the_format_is_read_and_takes_comments(desk: Desk) -> None:
    path, strict = desk.folder / "book.docx", BytesIO()
    old = re.compile(rb"http://schemas\.openxmlformats\.org/(\w+)/2006/(\w+)")
    with zipfile.ZipFile(path) as archive, zipfile.ZipFile(strict, "w") as made:
        for part in archive.namelist():
            content = archive.read(part)
            if part.startswith(("word/", "_rels/")) and part.endswith((".xml", ".rels")):
                content = old.sub(rb"http://purl.oclc.org/ooxml/\1/\2", content)
            made.writestr(part, content)
    text = read_book(str(path)).text
    (desk.folder / "strict.docx").write_bytes(strict.getvalue())
    assert read_book(desk.path("strict.docx")).text == text
    assert desk.audit("strict.docx", "out.docx").code == 1
    assert read_book(desk.path("out.docx")).text == text


def test_text_under_a_gloss_is_read_and_the_gloss_is_not() -> None:
    document = docx.Document()
    paragraph = document.add_paragraph("take ")
    gloss = "<w:rt><w:r><w:t>99</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>six</w:t></w:r></w:rubyBase>"
    paragraph._p.append(parsed(f"<w:r {_WORD}><w:ruby>{gloss}</w:ruby></w:r>".encode()))
    assert placed_text(opened("book", word_people.saved(document))).text == "take six"


# ---------------------------------------------------------------- and back


def test_a_second_round_makes_no_second_comment_and_keeps_those_of_people(desk: Desk) -> None:
    desk.audit("book.docx", "out.docx")
    change(desk, "out.docx", lambda document: document.add_comment(document.paragraphs[1].runs[0], "Mine", "Anna"))
    told = desk.audit("out.docx", "again.docx")
    assert "0 findings put into" in told.out
    assert "1 were there already" in told.out
    assert [text.splitlines()[-1] for text in comments(desk, "again.docx")] == [
        f"[number-differs {DIGEST} → 1]",
        "Mine",
    ]


def _resolve(document: Any) -> None:
    word_people.answer(document, is_done=True)


ANSWERS: tuple[tuple[str, Callable[[Any], None], str], ...] = (
    ("answered", lambda d: word_people.answer(d, "Resta: un refuso\nnoto"), "un refuso noto (Anna)"),
    ("answered-in-english", lambda d: word_people.answer(d, "stays — so printed"), "so printed (Anna)"),
    ("resolved", _resolve, "its comment was resolved without a word"),
    ("resolved-with-a-word", lambda d: word_people.answer(d, "old box", is_done=True), "old box (Anna)"),
    ("refused", lambda d: word_people.decide(d, takes=False), "the suggested “1” was refused"),
    ("deleted", word_people.delete_comments, "its comment was deleted"),
)


@pytest.mark.parametrize(("done", "reason"), [case[1:] for case in ANSWERS], ids=[case[0] for case in ANSWERS])
def test_what_people_let_stand_becomes_a_line_of_the_list(desk: Desk, done: Callable[[Any], None], reason: str) -> None:
    desk.audit("book.docx", "out.docx")
    change(desk, "out.docx", done)
    told = desk.answers("out.docx")
    assert told.out == f"{DIGEST} number-differs GP-8 GP-9: {reason}\n"
    assert (told.code, told.err) == (0, "1 stays\n")
    again = desk.audit("out.docx", "again.docx")
    assert (again.code, "0 findings, 1 accepted" in again.out) == (0, True)
    assert "0 findings put into" in again.out


def test_an_accepted_edit_is_told_as_corrected_and_its_comment_goes(desk: Desk) -> None:
    desk.audit("book.docx", "out.docx")
    change(desk, "out.docx", lambda document: word_people.decide(document, takes=True))
    told = desk.answers("out.docx")
    assert (told.code, told.out, told.err) == (0, "", f"corrected: {DIGEST}\n1 corrected\n")
    assert "1 taken out again" in desk.audit("out.docx", "again.docx").out
    assert comments(desk, "again.docx") == []
    assert "rulekit" not in body(desk.folder / "again.docx")


def test_an_answer_that_decides_nothing_leaves_the_finding_open(desk: Desk) -> None:
    desk.audit("book.docx", "out.docx")
    told = desk.answers("out.docx")
    assert (told.code, told.out) == (1, "")
    assert told.err.endswith("1 waiting\n")
    change(desk, "out.docx", lambda document: word_people.answer(document, "What is meant?"))
    told = desk.answers("out.docx")
    assert (told.code, told.out) == (1, "")
    assert "What is meant? (Anna)" in told.err


def test_words_that_change_beside_a_finding_give_it_a_new_comment_in_place_of_the_old(desk: Desk) -> None:
    desk.audit("book.docx", "out.docx")
    change(desk, "out.docx", word_people.begin_inside_edits)
    assert "1 were there already" in desk.audit("out.docx", "same.docx").out
    change(desk, "out.docx", lambda document: word_people.write_behind_comments(document, " dunque"))
    desk.audit("out.docx", "again.docx")
    (comment,) = comments(desk, "again.docx")
    assert "→ 1]" in comment
    assert DIGEST not in comment
    assert body(desk.folder / "again.docx").count("<w:del ") == 1
    assert read_book(desk.path("again.docx")).text == read_book(desk.path("out.docx")).text


def test_a_comment_that_was_deleted_leaves_no_trace_once_its_word_is_mended(desk: Desk) -> None:
    desk.audit("book.docx", "out.docx")
    change(desk, "out.docx", word_people.delete_comments)
    assert "0 findings put into" in desk.audit("out.docx", "again.docx").out
    change(desk, "again.docx", lambda document: word_people.decide(document, takes=True))
    desk.audit("again.docx", "last.docx")
    assert "rulekit" not in body(desk.folder / "last.docx")


def test_other_commands_about_books_take_word_documents(desk: Desk) -> None:
    word, plain = (("--book", book, "--anchors", ANCHORS) for book in (desk.path("book.docx"), str(BOOK)))
    assert desk.run("anchor", GOATS, *word).out == desk.run("anchor", GOATS, *plain).out
    both = (desk.path("book.docx"), str(BOOK), "--anchors", ANCHORS, "--anchors", ANCHORS)
    assert "0 differences" in desk.run("compare", GOATS, *both).out
    papers = Papers(GOATS, desk.path("book.docx"), ANCHORS, desk.path("none.accepted"), "")
    assert [one.digest for one in review.Desk(papers).now().report.open] == [DIGEST]


# ---------------------------------------------------------------- what is no document


def test_nothing_is_written_over(desk: Desk) -> None:
    before = (desk.folder / "book.docx").read_bytes()
    with pytest.raises(Exception, match="is there already"):
        desk.audit("book.docx", "book.docx")
    assert (desk.folder / "book.docx").read_bytes() == before
    desk.audit("book.docx", "book.docx", "--overwrite")
    assert len(comments(desk, "book.docx")) == 1
    with pytest.raises(Unreadable, match="not the kind of file"):
        desk.audit("book.docx", "out.pdf")
    assert not (desk.folder / "out.pdf").exists()


def _archive(**parts: bytes) -> bytes:
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return made.getvalue()


ENTITY = b'<!DOCTYPE w [<!ENTITY a "aaaa">]><w>&a;</w>'
BAD: tuple[tuple[str, bytes, str], ...] = (
    ("empty", b"", "broken-document"),
    ("text", b"Only words.\n", "broken-document"),
    ("old", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "closed-document"),
    ("other-archive", _archive(a=b"b"), "broken-document"),
    ("entities", _archive(word__document_xml=ENTITY), "hostile-document"),
    ("entities-in-utf-16", _archive(word__document_xml=ENTITY.decode().encode("utf-16")), "hostile-document"),
    ("bomb", _archive(word__document_xml=b" " * (limits.DOCUMENT_XML_BYTES + 1)), "document-too-large"),
    ("many", _archive(**{f"p{n}": b"" for n in range(limits.DOCUMENT_PARTS + 1)}), "document-too-large"),
)


@pytest.mark.parametrize(("content", "code"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_no_document_is_a_finding_with_a_hint(tmp_path: Path, content: bytes, code: str) -> None:
    path = tmp_path / "book.docx"
    path.write_bytes(content)
    with pytest.raises(Unreadable) as caught:
        read_book(str(path))
    finding = caught.value.finding
    assert (finding.code, finding.span.source) == (code, str(path))
    assert finding.hint


def test_a_document_cut_or_changed_anywhere_is_read_or_refused(desk: Desk) -> None:
    whole = (desk.folder / "book.docx").read_bytes()
    path = desk.folder / "broken.docx"
    step = max(1, len(whole) // 20)
    for at in range(0, len(whole), step):
        for broken in (whole[:at], whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :]):
            path.write_bytes(broken)
            with suppress(Unreadable):
                assert isinstance(read_book(str(path)), Source)


@pytest.mark.parametrize("name", ["book.doc", "book.odt", "book.RTF"])
def test_other_kinds_are_refused_with_those_that_are_read(name: str) -> None:
    with pytest.raises(Unreadable, match=r"\.docx"):
        read_book(name)


def test_plain_text_takes_no_comments(desk: Desk) -> None:
    (desk.folder / "book.md").write_text(BOOK.read_text())
    with pytest.raises(Unreadable, match="takes no comments"):
        desk.audit("book.md", "out.docx")
    assert not library.is_there(desk.path("out.docx"))
