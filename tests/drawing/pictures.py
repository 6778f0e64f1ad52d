"""Takes pictures of seats' pages in mid-game, as a browser shows them, to be looked at.

    python -m tests.drawing.pictures FOLDER                       the five games, wide and narrow, light and dark
    python -m tests.drawing.pictures FOLDER --game foxy --language it

Each match is played by chance up to its middle, and shown to the seat that is asked then.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from playwright.sync_api import sync_playwright

from rulekit.hosting.host import Host
from rulekit.hosting.table import Table
from rulekit.record.log import HUMAN
from tests.browser.serving import Served, served
from tests.extras import chromium
from tests.generators.random_matches import GAMES, Answers
from tests.hosting.tables import asked, people, play

WINDOWS = {"wide": (1280, 900), "narrow": (390, 844)}
SCHEMES = ("light", "dark")
SEED = "middle"
NAMES = ("Ann", "Ben", "Cleo")
FILES = {path.stem: path for path in GAMES}


def half(host: Host, file: Path) -> int:
    """How many answers are half of a match by chance."""
    _, table = people(host, file, len(NAMES), SEED)
    play(host, table, 10_000, Answers(SEED))
    return len(table.match.history) // 2


def middle(at: Served, file: Path) -> str:
    """The address of the seat that is asked in the middle of a match."""
    made = at.host.create(str(file), (HUMAN,) * len(NAMES), NAMES, seed=SEED)
    table: Table = at.host.table(made.match)
    play(at.host, table, half(at.host, file), Answers(SEED))
    return f"{at.address}/seat/{made.tokens[asked(table)]}"


def taken(chrome: Any, address: str, language: str, name: Path) -> None:
    """A picture of a page for each window and scheme."""
    for window, (width, height) in WINDOWS.items():
        for scheme in SCHEMES:
            context = chrome.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
            page = context.new_page()
            page.goto(f"{address}?lang={language}")
            page.screenshot(path=f"{name}-{window}-{scheme}.png", full_page=True)
            context.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--game", choices=sorted(FILES), action="append")
    parser.add_argument("--language", default="en")
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    files = [FILES[name] for name in wanted.game or sorted(FILES)]
    with TemporaryDirectory() as folder, served(Path(folder), [str(file) for file in files]) as at:
        addresses = [middle(at, file) for file in files]
        with sync_playwright() as playwright:
            chrome = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            for file, address in zip(files, addresses, strict=True):
                taken(chrome, address, wanted.language, wanted.folder / file.stem)
            chrome.close()


if __name__ == "__main__":
    main()
