"""No text that somebody wrote becomes a tag or an attribute of a page: of a game, a book, a command, a file name."""

from __future__ import annotations

from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from tests.paths import BOOKS, EXAMPLES

NASTY = """<script>alert()</script>'&amp;{{ title }}{seed}{% raw %}"""
"""What would run, close an attribute, be an entity, or be carried out by a template."""
QUOTED = f'{NASTY}" onload="x'
"""The same with the sign that no text of a rules file can hold."""
PLAIN = "tame"

GAME = """game "NASTY"
    by "NASTY"
    players 2
option gift "NASTY" 0..6 default 0
cards offers of offer
    | offer | worth |
    | 1     | 3     |
    | 2     | 0     |
cards others of other
    > N-1 NASTY
    other 1 "NASTY": raise owner.score by 1
    other 2 "NASTY": raise owner.score by 2
each player has
    counter score 0..99
define seed is 1
setup
    raise starter.score by gift
play
    > N-2 NASTY 3 times.
    each turn in 1..3
        each player
            player chooses offer from offers "NASTY"
            raise player.score by offer.worth
            player chooses other from others "NASTY"
            do other for player
result: rank players by highest score
scenario "NASTY"
    players red, blue
    given red.score is 1
    expect red.score is 1                                              @N-2
"""


class _Page(HTMLParser):
    """The tags with the names of their attributes, and the texts that are read."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: Counter[tuple[str, ...]] = Counter()
        self.texts = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag, *sorted(name for name, _ in attrs)] += 1
        self.texts += "".join(value or "" for _, value in attrs)

    def handle_data(self, data: str) -> None:
        self.texts += data


def written(folder: Path, text: str) -> str:
    """A rules file whose texts hold this, in a file that is called by some of it."""
    folder.mkdir()
    file = folder / f"{text[:8]}'&.rules".replace("/", "")
    file.write_text(GAME.replace("NASTY", text), encoding="utf-8")
    return str(file)


def made(folder: Path, *words: str) -> str:
    """The page that a command writes; `PAGE` stands for where to."""
    page = folder / "page"
    done = CliRunner().invoke(cli, [word.replace("PAGE", str(page)) for word in words], catch_exceptions=False)
    assert page.exists(), done.output
    return (page / "report.html" if page.is_dir() else page).read_text(encoding="utf-8")


PAGES = {
    "simulate": ("simulate", "FILE", "--games", "200", "--seed", "SEED", "--out", "PAGE"),
    "simulate-bots": ("simulate", "FILE", "--games", "6", "--bots", "greedy,random", "--seed", "SEED", "--out", "PAGE"),
    "compare": (
        "compare",
        "FILE",
        "--a",
        "gift=0",
        "--b",
        "gift=4",
        "--games",
        "50",
        "--seed",
        "SEED",
        "--out",
        "PAGE",
    ),
    "sweep": ("sweep", "FILE", "--option", "gift=0..2", "--games", "9", "--seed", "SEED", "--out", "PAGE"),
    "audit": ("text", "audit", "FILE", "--html", "PAGE"),
    "rulebook": ("rulebook", "FILE", "--html", "-o", "PAGE"),
}


@pytest.mark.parametrize("words", PAGES.values(), ids=PAGES)
def test_a_hostile_game_makes_the_tags_of_a_tame_one(words: tuple[str, ...], tmp_path: Path) -> None:
    pages = []
    for name, text, seed in (("tame", PLAIN, PLAIN), ("nasty", NASTY, QUOTED)):
        known = {"FILE": written(tmp_path / name, text), "SEED": seed}
        pages.append(_Page(made(tmp_path / name, *(known.get(word, word) for word in words))))
    tame, nasty = pages
    assert set(nasty.tags) == set(tame.tags)
    assert NASTY in nasty.texts
    assert "SEED" not in words or QUOTED in nasty.texts


def test_a_hostile_book_makes_no_tags_in_its_audit(tmp_path: Path) -> None:
    book = tmp_path / "<script>'&.md"
    text = (BOOKS / "goat_path.it.md").read_text(encoding="utf-8")
    # What stands in `<…>` is mark-up of the book and left out.
    book.write_text(text.replace("La capra sale", f"La <capra &{QUOTED[8:]} sale"), encoding="utf-8")
    anchors = str(BOOKS / "goat_path.it.anchors")
    words = ("text", "audit", str(EXAMPLES / "goat_path.rules"), "--book", str(book), "--anchors", anchors)
    page = _Page(made(tmp_path, *words, "--html", "PAGE"))
    assert not {tag for tag in page.tags if tag[0] == "script" or "onload" in tag}
    assert '{{ title }}{seed}{% raw %}" onload="x' in page.texts
