"""The printed rulebook: what it holds, in which order, and that no text of a game becomes a mark of the page."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.diagnostics import Problems
from rulekit.loading import load
from rulekit.source import Source
from rulekit.tools.drawing.drawing import boards_on_paper
from rulekit.tools.drawing.picture import Picture
from rulekit.tools.drawing.text_board import short_form
from rulekit.tools.language.catalogue_loader import tongue
from rulekit.tools.language.message_extraction import known
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.rulebook.book import Book, for_players
from rulekit.tools.rulebook.content import rulebook
from rulekit.tools.rulebook.edition import edition_of, read_edition
from rulekit.tools.rulebook.rendering import Look, html, markdown, pdf
from rulekit.tools.tell.clause_text import clause_words
from tests import paths
from tests.generators.random_matches import game as loaded

SVG = "{http://www.w3.org/2000/svg}"
TIGER = paths.GAMES / "fuzzy_tiger.rules"
SMALL = """game "Ping <b>*pong*</b> #x $y$"
    players 2
# ---------------------------------------------------------------- before a game
> P-0 At least {fewest} points win.
option fewest "How many points are enough?" 2..9 default 3
# ---------------------------------------------------------------- the cards <i>
track path 0..3
each player has
    piece pawn on path at 0
cards deck of card
    > P-1 Run: move 2.
    card 1 "Run": move owner.pawn up by 2
play
    do turn
action turn
    > P-2 Everybody runs & <script>alert(1)</script> \\"quotes\\" [a](b).
    each player
        player always chooses card from deck "Which?"
        do card for player
    end game
result
    rank players by highest pawn                                                  @P-0
# ---------------------------------------------------------------- worked examples
> EX-1 From 0 to 2.
scenario "a run"
    players red, blue
    given red.pawn is 1
    do turn
    when red chooses 1
    when blue chooses 1
    expect red.pawn is 3
"""


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append(tag)
        assert not any(name in ("src", "onload", "onerror") for name, _ in attrs)


def book_of(path: Path, **options: int) -> Book:
    return rulebook(loaded(path), options)


@cache
def tiger() -> Book:
    """In the order of the file."""
    return book_of(TIGER)


@cache
def read_tiger() -> Book:
    """In the order in which it is read."""
    game = loaded(TIGER)
    return rulebook(game, {}, SOURCE, edition_of(game, Problems(), {}))


@pytest.mark.parametrize("book_in_order", ["tiger", "read_tiger"])
def test_every_clause_stands_in_the_book_once(book_in_order: str) -> None:
    game, book = loaded(TIGER), tiger() if book_in_order == "tiger" else read_tiger()
    rules = [rule.id for section in book.sections for rule in section.rules]
    rules += [rule.id for section in book.sections for card in section.cards for rule in card.rules]
    rules += [rule.id for choice in (*book.agreed, *book.unclear) for rule in choice.rules]
    shown = [*book.examples, *(example for section in book.sections for example in section.examples)]
    rules += [rule.id for rule in book.beside_examples] + [id_ for e in shown for id_ in e.id.split()]
    assert sorted(rules) == sorted(game.clauses)


def test_sections_follow_the_headings_of_the_file() -> None:
    titles = [section.title for section in tiger().sections if section.title]
    assert titles == [
        "Board and pieces",
        "A round",
        "One card, step by step",
        "The cards",
        "The tiger wakes",
        "The end",
    ]


def test_cards_stand_beside_their_names() -> None:
    cards = next(section.cards for section in tiger().sections if section.cards)
    assert [card.key for card in cards] == [str(number) for number in range(1, 10)]
    assert (cards[2].title, cards[2].traits) == ("Throw stones", "shared, stirs 2")
    assert cards[5].rules[0].text == "Move 3."


def test_remarks_on_the_text_are_told_from_rules() -> None:
    sections = book_of(paths.GAMES / "foxy.rules").sections
    remarks = {rule.id for section in sections for rule in section.rules if rule.remark}
    assert remarks
    assert {id_.rstrip("0123456789") for id_ in remarks} == {"G"}


def test_an_example_shows_what_comes_before_and_after() -> None:
    example = tiger().examples[0]
    boards = (short_form(example.before, SOURCE), short_form(example.after, SOURCE))
    before, after = ({track.name: track for track in board.tracks} for board in boards)
    assert [space.name for space in before["sleep"].spaces if space.pieces] == ["4"]
    assert [space.name for space in after["sleep"].spaces if space.pieces] == ["6"]
    assert ("Yellow's monkey moves from 4 to 2 on the distance track.", "FT-34") in [
        (text[:1].upper() + text[1:], ids.split()[0]) for text, ids in example.told
    ]


def test_markdown_draws_with_letters_and_tells_only_what_changed_after() -> None:
    text = markdown(tiger(), SOURCE)
    before, after = text.split("### Example: example A")[1].split("### ")[0].split("*After*")
    assert "\n    sleep: 0  1  2  3  4 [tiger]  5  6\n" in before
    assert "\n- **Green**: hand 1, 2, 3, 4, 5, 6, 7, 8, 9\n" in before
    assert "\n    sleep: 0  1  2  3  4  5  6 [tiger]\n" in after
    assert "\n- **Green**: hand 1, 2, 4, 5, 6, 7, 8, 9; discard 3\n" in after


def test_a_book_for_players_is_without_what_the_keeper_of_the_rules_asks() -> None:
    whole = book_of(paths.GAMES / "foxy.rules")
    book = for_players(whole)
    assert whole.unclear
    assert whole.assumed
    assert (book.unclear, book.assumed) == ((), ())
    said = {rule.id for section in book.sections for rule in section.rules}
    assert {id_.rstrip("0123456789") for id_ in said} == {"FX-", "FX-V"}


def test_the_command_adds_notes_when_it_is_asked(nasty: Path) -> None:
    noted = nasty.read_text(encoding="utf-8").replace("> P-2", "> R1 A remark.\n    > P-2", 1)
    nasty.write_text(noted, encoding="utf-8")
    pages = [
        CliRunner().invoke(cli, ["rulebook", str(nasty), "--markdown", *more]).output for more in ([], ["--notes"])
    ]
    assert ["A remark" in page for page in pages] == [False, True]


@pytest.mark.parametrize(
    ("game", "things"),
    [
        ("fuzzy_tiger", "45 × cards, 9 for each player"),
        ("fuzzy_tiger", "5 × monkeys, 1 for each player"),
        ("china_moon", "15 × frogs, 3 for each player"),
        ("foxy", "49 × cards"),
        ("shear_panic", "10 × buttons"),
        ("hornochsen", "99 × tiles"),
    ],
)
def test_things_in_the_box_are_counted_for_all_players(game: str, things: str) -> None:
    assert things in [each.words for each in book_of(paths.GAMES / f"{game}.rules").components]


def test_tracks_are_no_things_in_the_box() -> None:
    book = tiger()
    assert "Sleep: spaces 0 to 6" in book.board
    assert not any("spaces" in each.words for each in book.components)


def test_what_players_read_first_comes_first() -> None:
    text = markdown(for_players(read_tiger()), SOURCE)
    heads = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert heads == [
        "1 The aim",
        "2 In the box",
        "3 Setting up",
        "4 A round in short",
        "5 A round in detail",
        "6 The end, and who wins",
        "7 Variants, and what to agree on",
        "8 On one page",
    ]
    assert text.index("Monkeys tease a sleeping tiger") < text.index(heads[0])


def test_an_example_stands_beside_its_rule_and_is_told_in_not_too_many_sentences() -> None:
    game = loaded(paths.GAMES / "foxy.rules")
    book = rulebook(game, {}, SOURCE, edition_of(game, Problems(), {}))
    at = {example.title: section.number or section.title for section in book.sections for example in section.examples}
    assert at["circled and exact"] == "The count"
    assert all(0 < len(example.told) <= 16 for section in book.sections for example in section.examples)


def test_an_example_shows_only_what_it_gives_and_what_changes() -> None:
    game = loaded(paths.GAMES / "china_moon.rules")
    found = rulebook(game, {}, tongue("en", game, known(game))[0], edition_of(game, Problems(), {}))
    leap = next(e for section in found.sections for e in section.examples if e.title == "leaping from the start")
    assert [spot.name for spot in leap.before.boards[0].spots] == [str(number) for number in range(7)]
    assert len(leap.before.boards[0].spots) == len(leap.after.boards[0].spots)
    assert {part.title for owner in leap.after.owners for part in owner.parts} == {"bloom"}


def test_things_with_printed_spaces_are_drawn_with_the_boards() -> None:
    start = book_of(paths.GAMES / "hornochsen.rules").start
    assert start is not None
    drawn = boards_on_paper(start, 640)
    assert drawn is not None
    assert drawn.svg.count('class="panel"') == 12


def test_clauses_between_bars_are_one_paragraph_for_players_alone(tmp_path: Path) -> None:
    edition = read_edition(
        Source("x.edition", "turn: FT-10 / FT-11 FT-12\naim: FT-43 FT-42"), loaded(TIGER), Problems()
    )
    assert edition.joined() == {"FT-12"}
    book = rulebook(loaded(TIGER), {}, SOURCE, edition)
    said = {rule.id: rule.text for section in book.sections for rule in section.rules}
    assert f"- {said['FT-11']} {said['FT-12']}\n" in markdown(book, SOURCE)
    assert f"- **FT-12** {said['FT-12']}" in markdown(book, SOURCE, Look(ids=True))


def test_what_lies_where_is_told_for_each_number_of_players() -> None:
    game = loaded(paths.GAMES / "hornochsen.rules")
    table = rulebook(game, {}, SOURCE, edition_of(game, Problems(), {})).by_players
    assert table is not None
    assert table.columns == ("players", "supply", "hand of each")
    assert table.rows[0] == ("2", "83", "6")
    assert len(table.rows) == 7


def test_squares_that_are_printed_on_boards_are_no_things_in_the_box() -> None:
    game = loaded(paths.GAMES / "shear_panic.rules")
    book = rulebook(game, {}, SOURCE, edition_of(game, Problems(), {}))
    assert not any("square" in each.words for each in book.components)
    assert any("square" in words for words in book.board)


def test_dice_are_in_the_box_and_authors_are_joined_in_the_language() -> None:
    game = loaded(paths.GAMES / "shear_panic.rules")
    book = rulebook(game, {}, tongue("it", game, known(game))[0])
    assert "1 × dado del panico" in [each.words for each in book.components]
    assert book.author == "di Gordon Lamont e Fraser Lamont"


def test_a_piece_keeps_its_colour_from_before_to_after() -> None:
    example = tiger().examples[0]
    fills = [
        {disc.get("fill") for title, disc in discs(picture) if title == "tiger"}
        for picture in (example.before, example.after)
    ]
    assert len(fills[0]) == 1
    assert fills[0] == fills[1]


def discs(picture: Picture) -> list[tuple[str | None, ElementTree.Element]]:
    """The pieces that are drawn, behind their titles."""
    drawn = boards_on_paper(picture, 640)
    assert drawn is not None
    groups = ElementTree.fromstring(drawn.svg).iter(f"{SVG}g")
    return [(group.findtext(f"{SVG}title"), disc) for group in groups for disc in group.findall(f"{SVG}circle")]


def test_the_misprint_is_not_printed() -> None:
    assert all("as printed" not in example.title for example in tiger().examples)


def test_a_clause_names_the_chosen_number(tmp_path: Path) -> None:
    path = tmp_path / "ping.rules"
    path.write_text(SMALL.replace('\\"quotes\\"', ""), encoding="utf-8")
    assert book_of(path).agreed[0].rules[0].text == "At least 3 points win."
    assert book_of(path, fewest=5).agreed[0].rules[0].text == "At least 5 points win."
    assert book_of(path, fewest=5).agreed[0].chosen == "5"


@pytest.mark.parametrize(
    ("options", "language", "said"),
    [
        ({}, "en", "sleep (awake below 1);"),
        ({"wake_at": "one"}, "en", "sleep (awake on 1 or below);"),
        ({"wake_at": "one"}, "it", "sonno (sveglia su 1 o sotto);"),
    ],
)
def test_a_reading_stands_in_the_clause_that_names_it(options: dict[str, str], language: str, said: str) -> None:
    game = loaded(TIGER)
    spoken = SOURCE if language == "en" else tongue(language, game, known(game))[0]
    assert said in clause_words(game, "FT-01", spoken, options)


def test_a_question_explains_with_the_chosen_number(tmp_path: Path) -> None:
    path = tmp_path / "ping.rules"
    text = SMALL.replace('\\"quotes\\"', "").replace('deck "Which?"', 'deck "Which?"  @P-0')
    path.write_text(text, encoding="utf-8")
    arguments = ["run", str(path), "--seats", "human", "--option", "fewest=7"]
    assert "P-0: At least 7 points win." in CliRunner().invoke(cli, arguments, input="?\nq\n").output


@pytest.fixture(name="nasty")
def _nasty(tmp_path: Path) -> Path:
    path = tmp_path / "ping.rules"
    path.write_text(SMALL.replace('\\"quotes\\"', "“quotes”"), encoding="utf-8")
    return path


def test_no_text_of_a_game_becomes_a_tag(nasty: Path) -> None:
    text = html(book_of(nasty), SOURCE)
    tags = _Tags()
    tags.feed(text)
    assert not set(tags.found) & {"script", "i", "link", "img", "iframe"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "http" not in re.sub(r"http://www\.w3\.org/2000/svg", "", text)


def test_no_text_of_a_game_becomes_a_mark_of_markdown(nasty: Path) -> None:
    text = markdown(book_of(nasty), SOURCE)
    assert text.startswith(r"# Ping \<b\>\*pong\*\</b\> \#x $y$")
    assert r"\[a\](b)" in text


def test_no_text_of_a_game_becomes_a_command_of_a_pdf(nasty: Path) -> None:
    assert pdf(book_of(nasty), SOURCE).startswith(b"%PDF")


def test_a_book_speaks_its_language() -> None:
    game = loaded(TIGER)
    words, _, _ = tongue("it", game, known(game))
    text = html(rulebook(game, {}, words), words)
    assert '<html lang="it">' in text
    for said in ("Nella scatola", "Lanciare Pietre", "Un turno", "La scimmia di ", "Altri esempi"):
        assert said in text
    assert "The cards" not in text


def test_pieces_are_drawn_where_they_stand() -> None:
    before = tiger().examples[0].before
    drawn = boards_on_paper(before, 640)
    assert drawn is not None
    found = discs(before)
    assert len(found) == 10
    assert all(0 < float(disc.attrib["cx"]) < drawn.width <= 640 for _, disc in found)


def test_the_board_is_drawn_as_it_is_when_play_begins() -> None:
    game = loaded(paths.GAMES / "china_moon.rules")
    book = rulebook(game, {})
    assert book.start is not None
    assert len([title for title, _ in discs(book.start) if title and title.partition("'s ")[2].startswith("frog")]) == 9
    drawn = boards_on_paper(book.start, 640)
    assert drawn is not None
    assert drawn.svg in html(book, SOURCE)
    assert "pond: 0 [Red 1" in markdown(book, SOURCE)


def test_a_drawing_on_paper_is_light_in_dark_surroundings_too() -> None:
    drawn = boards_on_paper(tiger().examples[0].before, 640)
    assert drawn is not None
    assert "prefers-color-scheme" not in drawn.svg


@pytest.mark.parametrize("form", ["--html", "--markdown", "--pdf"])
def test_the_command_writes_a_page(form: str, nasty: Path, tmp_path: Path) -> None:
    page = tmp_path / "page"
    done = CliRunner().invoke(cli, ["rulebook", str(nasty), form, "-o", str(page)])
    assert done.exit_code == 0, done.output
    assert page.stat().st_size > 500


def test_a_ruleset_tells_the_members_of_a_set_that_it_chooses(tmp_path: Path) -> None:
    file = tmp_path / "sets.rules"
    sets = """option gone "Which are gone?" set of 1..4 default []
option late "Is it late?" flag default no
ruleset "Short"
    use gone is [1, 3]
    use late is yes
ruleset "Whole"
    use gone is []
"""
    file.write_text(SMALL.replace("> P-0", sets + "> P-0", 1), encoding="utf-8")
    assert rulebook(load(file), {}).variants == (
        ("Short", "Which are gone? 1 and 3; Is it late? yes"),
        ("Whole", "Which are gone? none"),
    )
