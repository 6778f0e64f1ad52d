"""What an editor would mark in a rulebook: a small book without a fault, and faults planted in it one by one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.diagnostics import Diagnostic, Problems
from rulekit.loading import load
from rulekit.source import NOWHERE
from rulekit.tools.language.catalogue_loader import forms_of, tongue
from rulekit.tools.language.message_extraction import known
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.proofreading.proofs import Proof, proofread
from rulekit.tools.rulebook.agreement import disagreements
from rulekit.tools.rulebook.content import rulebook
from rulekit.tools.rulebook.edition import edition_of
from rulekit.tools.rulebook.glossary import Term, glossary_of
from tests import paths

RULES = """game "Ping"
    >- P-1 Run along a path.
    >- P-2 Be ahead in the end.
    players 2
> P-3 At least {fewest} points win.

option fewest "How many points are enough?" 2..9 default 3                     @P-3
track path 0..9
> P-4 There are 4 cards, and a pawn for each player.
each player has
    piece pawn on path at 0                                                       @P-4
    pile hand of card starts pack
> P-5 Pawns begin at the start of the path, the cards are in hand.
cards pack of card                                                                @P-4
    | card | value |
    | 1    | 1     |
    | 2    | 2     |
play
    do turn
# ---------------------------------------------------------------- the turn
action turn
    > P-6 Everybody runs.
    > P-7 A run goes two spaces.
    each player: move player.pawn up by 2                                         @P-6
    end game
# ---------------------------------------------------------------- the end
result
    > P-8 Who is ahead wins.
    > P-9 If several are, they share the victory.
    rank players by highest pawn                                                  @P-8 @P-9
# ---------------------------------------------------------------- worked examples
> EX-1 From 0 to 2.
scenario "a run"                                                                  @P-6
    players red, blue
    given red.pawn is 1
    do turn
    expect red.pawn is 3
"""
EDITION = """about: P-1
aim: P-2
box: P-4
setup: P-5
round: P-6
turn:
    the turn: P-7 P-6
end: P-8 P-9
agreed:
    fewest: P-3
crib: P-6
"""
GLOSSARY = """path = path; not road
pawn = pawn, pawns
run = run, runs; told P-7
"""


def findings(folder: Path, rules: str = RULES, edition: str = EDITION, glossary: str = GLOSSARY) -> list[Diagnostic]:
    """What is marked in a book of these three files."""
    (folder / "text").mkdir(exist_ok=True)
    (folder / "ping.rules").write_text(rules, encoding="utf-8")
    (folder / "text" / "ping.edition").write_text(edition, encoding="utf-8")
    (folder / "text" / "ping.en.glossary").write_text(glossary, encoding="utf-8")
    return proofs(folder / "ping.rules")


def proofs(path: Path, language: str = "en") -> list[Diagnostic]:
    game, problems = load(path), Problems()
    words = SOURCE if language == "en" else tongue(language, game, known(game))[0]
    edition, english = edition_of(game, problems, {}), glossary_of(game, "en", problems, {})
    terms = english if language == "en" else glossary_of(game, language, problems, {})
    forms = forms_of(game, "en", Problems(), {})
    proofread(Proof(game, rulebook(game, {}, words, edition), words, edition, terms, english, forms), problems)
    return problems.found


def test_a_sound_book_has_nothing_to_mark(tmp_path: Path) -> None:
    assert findings(tmp_path) == []


LONG = " ".join(["and on"] * 20)
FAULTS = [
    ("book-count", "rules", "There are 4 cards", "There are 5 cards"),
    ("not-set-up", "rules", "Pawns begin at the start of the path, the cards", "All begins at the start, the cards"),
    ("option-untold", "edition", "agreed:\n    fewest: P-3\n", ""),
    ("ties-untold", "rules", "If several are, they share the victory", "The others do not"),
    ("two-words", "rules", "Everybody runs.", "Everybody runs on the road."),
    ("example-fails", "rules", "expect red.pawn is 3", "expect red.pawn is 4"),
    ("example-unplayed", "rules", "> EX-1 From 0 to 2.\nscenario", "> P-10 From 0 to 2.\n\nscenario"),
    ("told-late", "edition", "P-7 P-6", "P-6 P-7"),
    ("long-sentence", "rules", "Everybody runs.", f"Everybody runs {LONG}."),
    ("left-out", "edition", "P-8 P-9", "P-9"),
    ("leads-nowhere", "edition", "aim: P-2", "aim:"),
    ("part-missing", "edition", "crib: P-6\n", ""),
    ("edition-clause", "edition", "crib: P-6", "crib: P-66"),
    ("edition-title", "edition", "the turn:", "the turns:"),
    ("edition-part", "edition", "about:", "abut:"),
    ("edition-line", "edition", "aim: P-2", "aim P-2"),
    ("told-twice", "edition", "P-8 P-9", "P-8 P-9 P-8"),
    ("two-things", "glossary", "pawn = pawn", "piece = pawn\npawn = pawn"),
    ("glossary-line", "glossary", "path = path", "path: path"),
    ("glossary-clause", "glossary", "told P-7", "told P-77"),
    ("long-crib", "rules", "Everybody runs.", f"Everybody runs. {(LONG + '. ') * 10}"),
]


@pytest.mark.parametrize(("code", "where", "was", "fault"), FAULTS, ids=[fault[0] for fault in FAULTS])
def test_a_planted_fault_is_found(code: str, where: str, was: str, fault: str, tmp_path: Path) -> None:
    sound = {"rules": RULES, "edition": EDITION, "glossary": GLOSSARY}
    assert was in sound[where]
    found = findings(tmp_path, **{**sound, where: sound[where].replace(was, fault, 1)})
    assert code in [each.code for each in found]
    assert all(each.span.line for each in found)


@pytest.mark.parametrize("game", ["china_moon", "foxy", "fuzzy_tiger", "hornochsen", "shear_panic"])
@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_nothing_is_to_be_marked_in_the_games_that_ship(game: str, language: str) -> None:
    assert [f"{each.code}: {each.title}" for each in proofs(paths.GAMES / f"{game}.rules", language)] == []


def test_the_command_tells_findings_with_their_places(tmp_path: Path) -> None:
    findings(tmp_path, edition=EDITION.replace("P-8 P-9", "P-9"))
    arguments = ["rulebook", str(tmp_path / "ping.rules"), "--check"]
    done = CliRunner().invoke(cli, arguments, standalone_mode=False)
    assert done.return_value == 1
    assert re.search(r"error\[left-out\]: no part of the book has P-8\n.*ping\.rules:\d+:", done.output)
    findings(tmp_path)
    assert CliRunner().invoke(cli, arguments, standalone_mode=False).return_value == 0


def test_the_law_numbers_each_rule_and_links_to_it(tmp_path: Path) -> None:
    findings(tmp_path)
    done = CliRunner().invoke(cli, ["rulebook", str(tmp_path / "ping.rules"), "--law"])
    assert '<a class="id" href="#P-7">' in done.output
    numbers = re.findall(r'href="#P-[789]">([\d.]+)</a>', done.output)
    assert len(set(numbers)) == 3
    targets = set(re.findall(r'id="([^"]+)"', done.output))
    assert set(re.findall(r'href="#([^"]+)"', done.output)) <= targets


# ---------------------------------------------------------------- articles and sentences of play

ROW = Term("row", ("fila", "file"), (), "", NOWHERE, "f")
MONKEY = Term("monkey", ("Affe", "Affen"), (), "", NOWHERE, "m")


@pytest.mark.parametrize(
    ("term", "language", "text", "wrong"),
    [
        (ROW, "it", "la fila, nella fila, dell'altra fila, le file e delle file", []),
        (ROW, "it", "Il fila, nei file e la file", ["Il fila", "nei file", "la file"]),
        (MONKEY, "de", "der Affe sieht den Affen, die Affen helfen dem Affen eines Affen", []),
        (MONKEY, "de", "das Affe und die Affe", ["das Affe", "die Affe"]),
        (ROW, "fr", "il fila", []),
    ],
)
def test_an_article_goes_with_the_term_behind_it(term: Term, language: str, text: str, wrong: list[str]) -> None:
    assert sorted(disagreements(term, text, language)) == sorted(wrong)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("{owner} muove la pedina", ""),
        ("{owner} muove il pedina", "article"),
        ("{owner} muove la figura", "not-the-term"),
        ("-", ""),
    ],
)
def test_sentences_of_play_keep_to_the_glossary(said: str, code: str, tmp_path: Path) -> None:
    findings(tmp_path)
    folder = tmp_path / "text"
    (folder / "ping.en.forms").write_text("move pawn = {owner} moves the pawn\n", encoding="utf-8")
    (folder / "ping.it.forms").write_text(f"move pawn = {said}\n", encoding="utf-8")
    (folder / "ping.it.glossary").write_text("pawn = pedina, pedine; f\n", encoding="utf-8")
    found = proofs(tmp_path / "ping.rules", "it")
    assert [each.code for each in found if "move pawn" in each.title] == [code][: bool(code)]


def test_an_unknown_clause_of_an_option_is_reported_and_the_book_is_printed(tmp_path: Path) -> None:
    findings(tmp_path, edition=EDITION.replace("fewest: P-3", "fewest: P-33"))
    done = CliRunner().invoke(cli, ["rulebook", str(tmp_path / "ping.rules")], standalone_mode=False)
    assert done.exception is None
    assert "edition-clause" in done.output


@pytest.mark.parametrize(
    ("line", "code"), [("row = fila, file; n", "glossary-gender"), ("row = ,; f", "glossary-line")]
)
def test_a_line_of_a_glossary_that_cannot_be_used_is_found(line: str, code: str, tmp_path: Path) -> None:
    findings(tmp_path)
    (tmp_path / "text" / "ping.it.glossary").write_text(f"pawn = pedina, pedine; f\n{line}\n", encoding="utf-8")
    assert [
        (each.code, each.span.line) for each in proofs(tmp_path / "ping.rules", "it") if "glossary" in each.code
    ] == [(code, 2)]
