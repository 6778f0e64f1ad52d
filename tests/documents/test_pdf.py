"""A book as PDF: read column by column, findings put over its words, answers read back, and once more."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any

import pypdf
import pytest

from rulekit import limits
from rulekit.library import Unreadable
from rulekit.source import Source
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.audit.reports import of_book
from rulekit.tools.documents.column_order import reading_order
from rulekit.tools.documents.pdf_text import placed_text
from rulekit.tools.documents.placed_text import Box
from rulekit.tools.documents.reading import read_book
from rulekit.tools.documents.writing import remarked
from tests.documents import pdf_people
from tests.documents.desk import ANCHORS, BOOK, DIGEST, GOATS, Desk


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    (tmp_path / "book.pdf").write_bytes(pdf_people.pdf_of(BOOK.read_text()))
    return Desk(tmp_path)


def change(desk: Desk, name: str, by: Callable[[Any], None]) -> None:
    path = desk.folder / name
    path.write_bytes(pdf_people.changed(path.read_bytes(), by))


def notes(desk: Desk, name: str) -> list[str]:
    return [str(note["/Contents"]) for _, note in pdf_people.notes((desk.folder / name).read_bytes())]


def _as_set(content: bytes) -> str:
    """What another reader finds on the pages, line by line."""
    return "\n".join(page.extract_text() for page in pypdf.PdfReader(BytesIO(content)).pages)


# ---------------------------------------------------------------- there


def test_a_book_as_pdf_has_the_findings_of_its_markdown_at_the_same_words(desk: Desk) -> None:
    report, plain = (of_book(GOATS, book, ANCHORS, None) for book in (desk.path("book.pdf"), str(BOOK)))
    assert report.faults == plain.faults == ()
    assert [one.digest for one in report.open] == [one.digest for one in plain.open] == [DIGEST]


def test_columns_are_read_in_order_without_heads_numbers_and_hyphens(desk: Desk) -> None:
    content = (desk.folder / "book.pdf").read_bytes()
    assert len(pypdf.PdfReader(BytesIO(content)).pages) > 2
    assert len(re.findall(r"-$", _as_set(content), re.M)) > 3
    text = indexed(read_book(desk.path("book.pdf"))).source.text
    words = [line.strip("# ") for line in BOOK.read_text().replace("'", "’").split("\n")]
    assert " ".join(text.split()) == " ".join(" ".join(words).split())


def test_a_finding_becomes_a_highlight_over_its_word(desk: Desk) -> None:
    told = desk.audit("book.pdf", "out.pdf", "--html-lang", "it")
    assert (told.code, "1 osservazione messa in" in told.out) == (1, True)
    content = (desk.folder / "out.pdf").read_bytes()
    ((page, note),) = pdf_people.notes(content)
    assert (note["/Subtype"], note["/T"], note["/NM"]) == ("/Highlight", "rulekit", f"rulekit_{DIGEST}")
    assert note["/Contents"].endswith(f"[number-differs {DIGEST} → 1]")
    assert "“resta: perché”" in note["/Contents"]
    placed = placed_text("book", content)
    (word,) = placed.within(at := placed.text.index("2 scivola"), at + 1)
    assert isinstance(word.place, Box)
    assert word.place.page == page
    assert [float(side) for side in note["/Rect"]] == pytest.approx(
        [word.place.left, word.place.bottom, word.place.right, word.place.top], abs=0.01
    )
    before = (desk.folder / "book.pdf").read_bytes()
    assert content.startswith(before)


TURNS = {0: "1 0 0 1", 90: "0 1 -1 0", 180: "-1 0 0 -1", 270: "0 -1 1 0"}


@pytest.mark.parametrize("turn", TURNS)
def test_a_turned_page_with_a_shifted_box_keeps_the_places_of_its_words(turn: int) -> None:
    drawn = f"BT /F 10 Tf {TURNS[turn]} 140 150 Tm (word) Tj ET".encode()
    placed = placed_text("book", pdf_people.raw(drawn, "", "10 20 310 220", f"/Rotate {turn}"))
    assert placed.text == "word"
    box = placed.stretches[0].place
    assert isinstance(box, Box)
    corners = product((box.left, box.right), (box.bottom, box.top))
    assert min(abs(x - 140) + abs(y - 150) for x, y in corners) < 4
    assert sorted((box.right - box.left, box.top - box.bottom)) == pytest.approx([10, 21], abs=2)


def test_columns_bands_and_what_spans_them_are_read_as_people_do() -> None:
    page = {
        "title": (0, 90, 100, 99),
        "left-1": (0, 70, 45, 80),
        "right-1": (55, 70, 100, 80),
        "left-2": (0, 55, 45, 65),
        "right-2": (55, 50, 100, 68),
        "middle": (0, 40, 100, 45),
        "left-3": (0, 0, 45, 30),
        "right-3": (55, 0, 100, 30),
    }
    order = ["title", "left-1", "left-2", "right-1", "right-2", "middle", "left-3", "right-3"]
    assert reading_order(sorted(page), page.__getitem__) == order


PLAIN = "#set page(width: 300pt, height: 220pt, margin: 20pt)\n#set text(size: 9pt)\n"
NUMBERED = PLAIN.replace(
    "margin: 20pt", 'margin: 35pt, numbering: "1 / 1", header-ascent: 20pt, header: [Harbour 2nd edition]'
)


def pages(setting: str, *firsts: str) -> str:
    """The text of a book whose pages begin with some lines, each in a paragraph of its own."""
    colours = ("red", "blue", "green", "black")
    parts = [
        f"{first}\n\n#v(15pt)\nIt is the turn of {colour} now." for first, colour in zip(firsts, colours, strict=False)
    ]
    return placed_text("book", pdf_people.pdf_of("\n\n#pagebreak()\n\n".join(parts), setting)).text


RULES_AT_THE_TOP = (
    ("Deal 6 cards to each.", "Deal 6 cards to each.", "Deal 9 cards to each.", "Deal 6 cards to each."),
    ("Set-up for 2 skippers", "Set-up for 3 skippers", "Set-up for 4 skippers", "Set-up for 5 skippers"),
    ("Draw cards: 12", "Draw cards: 9", "Draw cards: 26", "Draw cards: 15"),
    ("Deal 6 cards to each.", "Deal 6 cards to each.", "Deal 6 cards to each.", "Deal 6 cards to each."),
    ("Deal six cards to each.", "Deal six cards to each.", "Deal nine cards to each.", "Deal six cards to each."),
    ("13", "8", "20", "12"),
)


@pytest.mark.parametrize("lines", RULES_AT_THE_TOP, ids=lambda lines: " ".join(lines)[:20])
def test_lines_that_differ_by_more_than_the_page_number_are_no_running_heads(lines: tuple[str, ...]) -> None:
    read = pages(PLAIN, *lines).split("\n\n")
    assert [line for line in read if "turn" not in line] == list(lines)


def test_running_heads_and_page_numbers_are_left_out() -> None:
    read = pages(NUMBERED, "A", "B", "C", "D")
    assert "Harbour" not in read
    assert not re.search(r"\d", read)
    heads = ("Harbour - page 7 - Lights", "Harbour - page 8 - Lights", "Harbour - page 9 - Lights")
    assert "Harbour" not in pages(PLAIN, *heads)
    assert "Harbour" not in pages(PLAIN, *["© 2024 Harbour Games. All rights reserved."] * 3)


# ---------------------------------------------------------------- and back

ANSWERS: tuple[tuple[str, Callable[[Any], None], str], ...] = (
    ("answered", lambda w: pdf_people.answer(w, "resta: un refuso noto"), "un refuso noto (Anna)"),
    ("steering", lambda w: pdf_people.answer(w, "STAYS \x1b[2J so\x07 printed"), "[2J so printed (Anna)"),
    ("rejected", lambda w: pdf_people.answer(w, state="Rejected"), "its comment was rejected without a word"),
    ("ticked-off", lambda w: pdf_people.answer(w, state="Marked"), "its comment was resolved without a word"),
    ("deleted", pdf_people.delete_notes, "its comment was deleted"),
)


@pytest.mark.parametrize(("done", "reason"), [case[1:] for case in ANSWERS], ids=[case[0] for case in ANSWERS])
def test_what_people_let_stand_becomes_a_line_of_the_list(desk: Desk, done: Callable[[Any], None], reason: str) -> None:
    desk.audit("book.pdf", "out.pdf")
    change(desk, "out.pdf", done)
    told = desk.answers("out.pdf")
    assert told.out == f"{DIGEST} number-differs GP-8 GP-9: {reason}\n"
    assert (told.code, told.err) == (0, "1 stays\n")
    before = notes(desk, "out.pdf")
    again = desk.audit("out.pdf", "again.pdf")
    assert (again.code, "0 findings, 1 accepted" in again.out) == (0, True)
    assert notes(desk, "again.pdf") == before


def test_a_decision_counts_with_the_reason_that_was_written(desk: Desk) -> None:
    desk.audit("book.pdf", "out.pdf")
    change(desk, "out.pdf", lambda w: pdf_people.answer(w, "the box is older"))
    assert "the box is older (Anna)" in desk.answers("out.pdf").err
    change(desk, "out.pdf", lambda w: pdf_people.answer(w, state="Completed"))
    told = desk.answers("out.pdf")
    assert (told.code, told.out) == (1, "")
    assert told.err.startswith(f"to correct: {DIGEST}")
    change(desk, "out.pdf", lambda w: pdf_people.answer(w, state="Rejected"))
    assert desk.answers("out.pdf").out == f"{DIGEST} number-differs GP-8 GP-9: the box is older (Anna)\n"


def test_a_second_round_repeats_nothing_and_takes_out_what_is_mended(desk: Desk) -> None:
    desk.audit("book.pdf", "out.pdf")
    told = desk.audit("out.pdf", "again.pdf")
    assert "0 findings put into" in told.out
    assert "1 were there already" in told.out
    assert len(notes(desk, "again.pdf")) == 1
    mended = BOOK.read_text().replace("un 2 scivola", "un 1 scivola")
    new = pypdf.PdfWriter(clone_from=BytesIO(pdf_people.pdf_of(mended)))
    for number, note in pdf_people.notes((desk.folder / "out.pdf").read_bytes()):
        new.add_annotation(number - 1, note.clone(new))
    new.write(desk.folder / "mended.pdf")
    assert f"corrected: {DIGEST}" in desk.answers("mended.pdf").err
    assert "1 taken out again" in desk.audit("mended.pdf", "last.pdf").out
    assert notes(desk, "last.pdf") == []


# ---------------------------------------------------------------- what is no document


def _encrypted() -> bytes:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf_people.raw(b"", "")))
    writer.encrypt("secret", algorithm="RC4-128")
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def _many_pages() -> bytes:
    writer = pypdf.PdfWriter()
    for _ in range(limits.DOCUMENT_PAGES + 1):
        writer.add_blank_page(9, 9)
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


LETTERS = b"BT /F 1 Tf (" + b"x" * (limits.PAGE_LETTERS + 1) + b") Tj ET"
BOMB = bytes(80_000_000)
"""More than the reader of PDF files unpacks at all."""
BAD: tuple[tuple[str, Callable[[], bytes], str], ...] = (
    ("empty", lambda: b"", "broken-document"),
    ("text", lambda: b"Only words.\n", "broken-document"),
    ("closed", _encrypted, "closed-document"),
    ("pictures", lambda: pdf_people.raw(b"0 0 9 9 re f", ""), "no-text"),
    ("pages", _many_pages, "document-too-large"),
    ("damaged", lambda: pdf_people.raw(b"\x78\x9c\xff\xff" * 9), "broken-document"),
    ("cut", lambda: pdf_people.raw(pdf_people.packed(bytes(range(256)) * 9)[:150]), "broken-document"),
    ("letters", lambda: pdf_people.raw(LETTERS, ""), "document-too-large"),
    ("bomb", lambda: pdf_people.raw(pdf_people.packed(BOMB)), "document-too-large"),
    (
        "bomb-in-bomb",
        lambda: pdf_people.raw(pdf_people.packed(pdf_people.packed(BOMB)), "/FlateDecode/FlateDecode"),
        "document-too-large",
    ),
)


@pytest.mark.parametrize(("made", "code"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_what_is_no_document_is_a_finding_with_a_hint(tmp_path: Path, made: Callable[[], bytes], code: str) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(made())
    with pytest.raises(Unreadable) as caught:
        read_book(str(path))
    finding = caught.value.finding
    assert (finding.code, finding.span.source) == (code, str(path))
    assert finding.hint


def test_a_damaged_page_is_named(tmp_path: Path) -> None:
    writer = pypdf.PdfWriter()
    whole = pdf_people.raw(pdf_people.packed(b"BT /F 10 Tf 20 100 Td (12 cards) Tj ET"))
    for content in (whole, pdf_people.raw(pdf_people.packed(b"BT /F 10 Tf 20 100 Td (13 cards) Tj ET")[:-9])):
        writer.append(BytesIO(content))
    path = tmp_path / "book.pdf"
    writer.write(path)
    with pytest.raises(Unreadable) as caught:
        read_book(str(path))
    assert "page 2" in caught.value.finding.title


def test_a_book_behind_other_bytes_takes_comments_that_can_be_read_back(desk: Desk) -> None:
    book = (desk.folder / "book.pdf").read_bytes()
    (desk.folder / "mailed.pdf").write_bytes(b"Content-Type: application/pdf\n\n" + book)
    assert desk.audit("mailed.pdf", "out.pdf").code == 1
    assert (desk.folder / "out.pdf").read_bytes().startswith(book)
    change(desk, "out.pdf", lambda w: pdf_people.answer(w, "stays: known"))
    assert desk.answers("out.pdf").code == 0


def test_a_file_whose_places_count_the_bytes_before_it_takes_no_comments(tmp_path: Path) -> None:
    content, before = pdf_people.raw(b"BT /F 10 Tf 20 100 Td (12 cards) Tj ET", ""), b"mailed\n\n"
    content = re.sub(rb"(\d{10})(?= 00000 n)", lambda m: b"%010d" % (int(m[1]) + len(before)), content)
    content = re.sub(rb"(?<=startxref\n)\d+", lambda m: b"%d" % (int(m[0]) + len(before)), content)
    path = tmp_path / "book.pdf"
    path.write_bytes(before + content)
    assert read_book(str(path)).text == "12 cards"
    with pytest.raises(Unreadable) as caught:
        remarked(str(path), str(tmp_path / "out.pdf"), "12 cards", (), frozenset())
    assert caught.value.finding.code == "broken-document"


def test_figures_that_draw_themselves_again_and_again_come_to_an_end(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(pdf_people.raw(b"/X Do /X Do", ""))
    with pytest.raises(Unreadable):
        read_book(str(path))


def test_a_file_cut_or_changed_anywhere_is_read_or_refused(desk: Desk) -> None:
    whole = pdf_people.raw(b"BT /F 10 Tf 40 50 Td (words of a book) Tj ET", "")
    path = desk.folder / "broken.pdf"
    for at in range(0, len(whole), 40):
        for broken in (whole[:at], whole[:at] + bytes([whole[at] ^ 255]) + whole[at + 1 :]):
            path.write_bytes(broken)
            with suppress(Unreadable):
                assert isinstance(read_book(str(path)), Source)
