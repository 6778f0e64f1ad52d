"""The letters of a PDF as they are seen: scripts, letters drawn twice, turned or spaced text, restrictions."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pypdf
import pytest

from rulekit.library import Unreadable
from rulekit.source import Source
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.documents.pdf_letters import Letter, without_void_blanks
from rulekit.tools.documents.pdf_text import placed_text
from rulekit.tools.documents.placed_text import PlacedText
from rulekit.tools.documents.reader_text import DoubtKind
from rulekit.tools.documents.reading import read_book
from rulekit.tools.documents.writing import remarked
from rulekit.values import frozen
from tests.documents import pdf_people


@frozen
class LetterItem:
    text: str

    def get_text(self) -> str:
        return self.text


def drawn(*text: str) -> PlacedText:
    """A page with text operators."""
    return placed_text("book", pdf_people.raw(f"BT {' '.join(text)} ET".encode(), ""))


SCRIPTS = {
    "rise": "/F 11 Tf 20 100 Td (From 1 to 7) Tj 4 Ts /F 6 Tf (12) Tj 0 Ts /F 11 Tf ( cards) Tj",
    "moved": "/F 11 Tf 1 0 0 1 20 100 Tm (From 1 to 7) Tj /F 6 Tf 1 0 0 1 77 104 Tm (12) Tj "
    "/F 11 Tf 1 0 0 1 88 100 Tm (cards) Tj",
    "same-size": "/F 11 Tf 20 100 Td (From 1 to 7) Tj 5 Ts (12) Tj 0 Ts ( cards) Tj",
}


@pytest.mark.parametrize("how", SCRIPTS)
def test_a_raised_number_belongs_to_no_number_before_it(how: str) -> None:
    assert drawn(SCRIPTS[how]).text == "From 1 to 7¹² cards"


def test_a_lowered_number_does_not_either() -> None:
    assert drawn("/F 11 Tf 20 100 Td (x) Tj -2 Ts /F 6 Tf (2) Tj 0 Ts /F 11 Tf ( cards) Tj").text == "x₂ cards"


def test_the_number_before_a_note_is_a_reference_as_in_the_text() -> None:
    text = "/F 11 Tf 20 100 Td (A card) Tj 4 Ts /F 6 Tf (1) Tj 0 Ts /F 8 Tf 0 -60 Td (1 Or a tile.) Tj"
    assert drawn(text).text.split("\n")[-1] == "¹ Or a tile."


def test_numbers_beside_a_drop_cap_and_in_small_print_stay_numbers() -> None:
    cap = "/F 30 Tf 1 0 0 1 20 90 Tm (A) Tj /F 10 Tf 1 0 0 1 42 104 Tm (2 of us) Tj 1 0 0 1 42 91 Tm (take 3) Tj"
    assert "2 of us" in drawn(cap).text
    assert drawn("/F 11 Tf 20 100 Td (cards ) Tj /F 8 Tf (12 of them) Tj").text == "cards 12 of them"


NARROW = "#set page(width: 300pt, height: 100pt)\n#set text(size: 10pt)\n"


JUSTIFIED = """#set page(width: 105pt, height: 280pt, margin: 10pt)
#set text(size: 12pt, lang: "en", hyphenate: true)
#set par(justify: true)
"""


def test_narrow_justified_lines_keep_the_order_of_their_words_and_their_hyphens() -> None:
    text = (
        "Each player receives twenty-six cards, plays a six-card hand, and later pays thirty-two coins towards "
        "the bottom of the valley unless somebody objects."
    )
    read = placed_text("book", pdf_people.pdf_of(text, JUSTIFIED)).text
    assert "\xad" not in read
    assert indexed(Source("book", read), "en").source.text.split() == text.split()


def test_a_superscript_of_the_font_belongs_to_no_number_before_it() -> None:
    text = "Pay 2#super[1] coins or 11#super[12] coins."
    assert placed_text("book", pdf_people.pdf_of(text, NARROW)).text == "Pay 2¹ coins or 11¹² coins."


def test_a_narrow_digit_that_nothing_is_like_is_a_doubt() -> None:
    made = placed_text("book", pdf_people.pdf_of("Pay 2#super[1] coins.", NARROW))
    assert [one.kind for one in made.doubts] == [DoubtKind.REFERENCE]


def test_letters_drawn_again_to_look_bold_count_once() -> None:
    twice = "/F 11 Tf 1 0 0 1 20 100 Tm (take 11 cards) Tj 1 0 0 1 20.3 100 Tm (take 11 cards) Tj"
    assert drawn(twice).text == "take 11 cards"


@pytest.mark.parametrize(("sign", "width"), [(r"\040", 278), (r"\040\040", 556)])
def test_a_blank_without_room_inside_a_word_does_not_part_it(sign: str, width: int) -> None:
    read = drawn(
        f"/F 11 Tf 20 100 Td [(ven{sign}) {width} (ti{sign}) {width} (tre carte, 1{sign}) {width} (4 dadi)] TJ"
    )
    assert (read.text, read.doubts) == ("ventitre carte, 14 dadi", ())


def test_a_soft_hyphen_without_room_inside_a_word_is_none_and_a_drawn_one_is_a_hyphen() -> None:
    def letters(behind: float) -> list[Letter]:
        places = (("n", 20.0), ("\xad", 25.0), ("t", behind))
        return [Letter(sign, x, 100, 5, 10, 0, (x, 98, x + 5, 108), LetterItem(sign)) for sign, x in places]

    assert [one.text for one in without_void_blanks(letters(25.2))] == ["n", "t"]
    assert [one.text for one in without_void_blanks(letters(30))] == ["n", "\xad", "t"]


def test_a_blank_too_narrow_to_part_words_is_a_doubt() -> None:
    read = drawn("/F 11 Tf 20 100 Td [(twen ) 200 (four cards, ) 100 (10 dice)] TJ")
    assert [read.text[one.start : one.end] for one in read.doubts] == ["twen", "four"]
    assert {one.kind for one in read.doubts} == {DoubtKind.SPACED}


@pytest.mark.parametrize("turn", ["0 1 -1 0", "0 -1 1 0", "-1 0 0 -1"])
def test_turned_text_beside_the_text_is_read_in_its_own_direction(turn: str) -> None:
    text = f"/F 11 Tf 1 0 0 1 60 150 Tm (The longer text: 4 cards) Tj {turn} 30 100 Tm (aside: 16) Tj"
    assert sorted(drawn(text).text.split("\n\n")) == ["The longer text: 4 cards", "aside: 16"]


def test_spaced_letters_are_words() -> None:
    assert drawn("/F 11 Tf 2 Tc 20 100 Td (Score 12 points) Tj").text == "Score 12 points"
    assert drawn("/F 11 Tf 20 100 Td (take) Tj 4 0 Td 2 Tc 30 0 Td (exactly) Tj 0 Tc ( 12 now) Tj").text.endswith(
        "12 now"
    )


def test_numbers_apart_stay_apart() -> None:
    apart = "/F 11 Tf " + " ".join(f"1 0 0 1 {20 + 9.5 * n} 100 Tm ({n}) Tj" for n in range(1, 7))
    assert drawn(apart).text == "1 2 3 4 5 6"


def test_two_digits_a_little_apart_are_a_doubt() -> None:
    made = drawn("/F 11 Tf 1 0 0 1 20 100 Tm (1) Tj 1 0 0 1 28 100 Tm (2) Tj")
    assert made.doubts


@pytest.mark.parametrize("spacing", [2, 3, 4, 5, 6])
def test_a_number_whose_digits_alone_stand_apart_is_one_and_a_doubt(spacing: int) -> None:
    made = drawn(f"/F 11 Tf 20 100 Td (back ) Tj {spacing} Tc (53) Tj 0 Tc ( planks) Tj")
    assert made.text == "back 53 planks"
    assert [(made.text[one.start : one.end], one.kind) for one in made.doubts] == [("53", DoubtKind.SPACED)]


def test_columns_of_digits_on_a_line_with_blanks_stay_apart() -> None:
    made = drawn("/F 11 Tf 20 100 Td (gust cards) Tj 70 0 Td (5) Tj 20 0 Td (3) Tj")
    assert made.text.split() == ["gust", "cards", "5", "3"]
    assert made.doubts == ()


@pytest.mark.parametrize("gap", [5, 12, 20])
def test_a_justified_line_with_wide_gaps_is_one_line(gap: int) -> None:
    words = ["A", "game", "for", "2", "to", "5", "skippers"]
    shown = f" {gap} 0 Td ".join(f"({word} ) Tj {4 + 5 * len(word)} 0 Td" for word in words)
    assert drawn(f"/F 8 Tf 5 100 Td {shown}").text == " ".join(words)


def test_blanks_that_group_digits_part_no_number() -> None:
    made = placed_text("book", pdf_people.pdf_of("Pay 1\u202f200 coins, 1\u00a0500 planks, 3\u00a0cards.", NARROW)).text
    assert made.replace("\u202f", "_").replace("\u00a0", "_") == "Pay 1_200 coins, 1_500 planks, 3 cards."


def restricted(algorithm: str, password: str = "") -> bytes:
    writer = pypdf.PdfWriter(clone_from=BytesIO(pdf_people.raw(b"BT /F 10 Tf 20 100 Td (12 cards) Tj ET", "")))
    writer.encrypt(password, "owner", algorithm=algorithm, permissions_flag=0)
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


@pytest.mark.parametrize("algorithm", ["RC4-40", "RC4-128", "AES-128", "AES-256", "AES-256-R5"])
def test_a_file_that_only_restricts_copying_is_read(algorithm: str, tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(restricted(algorithm))
    assert read_book(str(path)).text == "12 cards"
    with pytest.raises(Unreadable) as caught:
        remarked(str(path), str(tmp_path / "out.pdf"), "12 cards", (), frozenset())
    assert caught.value.finding.code == "restricted-document"


def test_a_file_with_a_password_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "book.pdf"
    path.write_bytes(restricted("AES-256", "secret"))
    with pytest.raises(Unreadable) as caught:
        read_book(str(path))
    assert caught.value.finding.code == "closed-document"
