"""Two editions of a game held against each other: what one reads otherwise, and what only one of them says."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import polib
import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from tests.paths import BOOKS, EXAMPLES, GAMES

GOATS = EXAMPLES / "goat_path.rules"
BOOK, ANCHORS = BOOKS / "goat_path.it.md", BOOKS / "goat_path.it.anchors"
PLANTED = (
    ("FX-5", "Von 48 Karten", "Von 46 Karten", "edition-number"),
    ("FX-5", "19 ungesehen", "18 ungesehen", "edition-number"),
    ("FX-3", "Ein bis drei Tiere", "Ein bis vier Tiere", "edition-number"),
    ("FX-61", "; 5 sind insgesamt erlaubt", "; 6 sind insgesamt erlaubt", "edition-number"),
    ("FX-43", "sich zweimal, wenn", "sich etwas, wenn", "edition-lacks"),
    ("FX-22", "die vor ihm zu sehen waren", "die vor ihm an 7 Stellen zu sehen waren", "edition-lacks"),
    ("FX-16", "Niemand macht sich andere Notizen.", "Jeder macht sich andere Notizen.", "edition-not"),
    ("FX-44", "eine zu niedrige nicht.", "eine zu niedrige auch.", "edition-not"),
    ("FX-15", "muss den Kreis benutzen", "benutzt den Kreis", "edition-must"),
    ("FX-47", "Dann weniger durchgestrichene Zahlen.", "", "edition-only"),
)
"""Ten faults of the German edition: clause, words, what is planted, and how it is found."""


def compared(*args: str) -> tuple[int, list[tuple[str, str]]]:
    """The exit code, and by difference its clauses and code."""
    code, data = told(*args)
    return code, [(" ".join(one["clauses"]), one["code"]) for one in data["differences"] if not one["accepted"]]


def told(*args: str) -> tuple[int, dict[str, list[dict[str, object]]]]:
    made = CliRunner().invoke(cli, ["text", "compare", *args, "--format", "json"], standalone_mode=False)
    return made.return_value, json.loads(made.stdout)


@pytest.fixture
def foxy(tmp_path: Path) -> Path:
    (tmp_path / "text").mkdir()
    for name in ("foxy.it.po", "foxy.de.po"):
        shutil.copy(GAMES / "text" / name, tmp_path / "text")
    return Path(shutil.copy(GAMES / "foxy.rules", tmp_path))


def test_ten_planted_differences_are_found_and_nothing_else(foxy: Path) -> None:
    german = foxy.parent / "text" / "foxy.de.po"
    catalogue = polib.pofile(str(german))
    for id_, old, new, _ in PLANTED:
        entries = [entry for entry in catalogue if entry.msgctxt == id_]
        assert sum(entry.msgstr.count(old) for entry in entries) == 1, old
        for entry in entries:
            entry.msgstr = entry.msgstr.replace(old, new)
    catalogue.save()
    # The Italian clause says `senza guardare`, which denies; the German one says it without.
    expected = sorted([("FX-5", "edition-not"), *((id_, kind) for id_, _, _, kind in PLANTED)])
    for order in (("it", "de"), ("de", "it")):
        code, found = compared(str(foxy), *order)
        assert (code, sorted(found)) == (1, expected)


def test_a_difference_can_be_accepted_and_stands_on_the_page(tmp_path: Path) -> None:
    new, page, listed = (tmp_path / name for name in ("new.md", "page.html", "own.accepted"))
    new.write_text(BOOK.read_text().replace("ventinove", "ventotto"))
    both = (str(GOATS), str(BOOK), str(new), "--anchors", str(ANCHORS), "--anchors", str(ANCHORS))
    data = told(*both, "--html", str(page))[1]["differences"]
    assert "GP-3: goat_path.it.md reads 29, new.md has 28" in page.read_text()
    listed.write_text("".join(f"{one['digest']} {one['code']} GP-3: known\n" for one in data))
    assert compared(*both, "--accepted", str(listed)) == (0, [])


def test_two_books_are_compared_by_the_values_that_they_are_tied_to(tmp_path: Path) -> None:
    new = tmp_path / "new.md"
    new.write_text(BOOK.read_text().replace("ventinove", "ventotto").replace("trentesima", "trentunesima"))
    tied = ("--anchors", str(ANCHORS)) * 2
    code, data = told(str(GOATS), str(BOOK), str(new), *tied)
    assert (code, [(one["read"], one["had"]) for one in data["differences"]]) == (1, [("29", "28"), ("30", "31")])
    assert compared(str(GOATS), str(BOOK), str(BOOK), *tied) == (0, [])


def test_a_number_that_one_book_repeats_is_none_that_the_other_lacks(tmp_path: Path) -> None:
    new = tmp_path / "new.md"
    new.write_text(BOOK.read_text().replace("La parete ha 30 cenge", "La parete ha 30 cenge (sono 30)"))
    tied = ("--anchors", str(ANCHORS)) * 2
    assert compared(str(GOATS), str(BOOK), str(new), *tied) == (0, [])


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("it", "book.md"), "needs --anchors"),
        (("it", "xx"), "needs --anchors"),
        (("it", "de", "--anchors", "a"), "more --anchors than books"),
    ],
)
def test_what_is_not_clear_is_asked_for(foxy: Path, args: tuple[str, ...], words: str) -> None:
    made = CliRunner().invoke(cli, ["text", "compare", str(foxy), *args])
    assert (made.exit_code, words in made.output) == (2, True)
