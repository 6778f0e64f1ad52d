"""The first minute in the studio as a moving picture: a browser is led through it, and its frames are put together.

    python docs/pictures/first_minute.py

Needs the extra `browser`, Chromium, and ImageMagick's `convert`; writes first_minute.gif beside this file.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

HERE = Path(__file__).resolve()
ROOT = HERE.parents[2]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from rulekit.studio.rules_file import RulesFile  # noqa: E402
from rulekit.studio.server import StudioServer  # noqa: E402
from rulekit.studio.studio import Studio  # noqa: E402
from rulekit.web.running import Running  # noqa: E402
from tests.extras import chromium  # noqa: E402

WIDTH, HEIGHT = 1080, 640
PATIENCE = 180_000
COLOURS = 48
CAPTION = """words => {
  let box = document.getElementById("caption");
  if (!box) { box = document.createElement("p"); box.id = "caption"; document.body.append(box); }
  box.textContent = words;
  Object.assign(box.style, {position: "fixed", left: "0", right: "0", bottom: "0", margin: "0", padding: "10px 16px",
    background: "#1d1d1f", color: "#ffffff", font: "600 20px system-ui", zIndex: "99"});
}"""


class Film:
    """Frames of a page, each with how long it is shown, in hundredths of a second."""

    def __init__(self, page: Any, folder: Path) -> None:
        self.page, self.folder, self.frames = page, folder, list[tuple[Path, int]]()

    def show(self, words: str, long: int = 260) -> None:
        self.page.evaluate(CAPTION, words)
        path = self.folder / f"{len(self.frames):02}.png"
        self.page.screenshot(path=path)
        self.frames.append((path, long))
        print(words, flush=True)

    def written(self, target: Path) -> None:
        parts = [word for path, long in self.frames for word in ("-delay", str(long), str(path))]
        flat = ["-layers", "OptimizePlus", "-dither", "None", "-colors", str(COLOURS)]
        subprocess.run(["convert", *parts, "-loop", "0", *flat, str(target)], check=True)  # noqa: S603, S607


def played(page: Any, film: Film) -> None:
    """The minute."""
    until: Callable[..., Any] = page.wait_for_selector
    until("#answer .choices")
    until("#series-result table")
    film.show("One page: the rules, a match under them, and what thousands of matches come to")
    page.locator("#match .choices button").first.click()
    until("#time[max='1']", state="attached")
    page.locator("#match .choices button").first.click()
    until("#story li[data-lines]")
    film.show("Play every seat, or let bots play some")
    page.locator("#story li[data-lines] > button").last.click()
    until(".ace_marker-layer .ran", state="attached")
    film.show("Press what happened: the lines that did it")
    page.evaluate("studio.editor.find('piece monkey on distance'); studio.editor.insert('piece monkey on distanse')")
    until("#findings li button")
    film.show("A slip is marked as you type, with what it may mean")
    page.evaluate("studio.editor.undo()")
    page.evaluate("studio.editor.find('piece tiger on sleep at 6'); studio.editor.selection.clearSelection()")
    until("#drag:not([hidden])")
    film.show("Put the cursor into a number: it can be dragged", 200)
    page.locator("#slider").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
        sleep(0.3)
        film.show("Matches play on both rules, from the same seeds, while it moves", 70)
    until("#series-result tr.clear")
    page.locator("#border").press("Home")
    page.evaluate("document.querySelector('#series-result table').scrollIntoView()")
    film.show("What the change does to who wins, how long, how close: with intervals", 320)
    page.locator("#drag-drop").click()
    for _ in range(10):
        page.locator("#border").press("ArrowDown")
    page.locator("#arrange").click()
    until(".arranged")
    film.show("Arrange a position by hand …", 160)
    tiger = "#picture [data-key='piece tiger']"
    page.locator(tiger).drag_to(page.locator("#picture [data-key='space sleep 2']"))
    until("#arrange-undo:enabled")
    page.locator(tiger).scroll_into_view_if_needed()
    film.show("… by mouse or by keys …", 160)
    page.locator("#arrange-name").fill("the tiger nearly wakes")
    page.keyboard.press("Enter")
    until("#examples .holds [data-name='the tiger nearly wakes'], #examples [data-name='the tiger nearly wakes']")
    page.locator("#examples [data-name='the tiger nearly wakes']").scroll_into_view_if_needed()
    film.show("… and keep it as an example, which runs at every change from now on", 360)


def main() -> None:
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        shutil.copy(ROOT / "games" / "fuzzy_tiger.rules", folder)
        os.chdir(folder)  # So that the page's title is no path.
        studio = Studio(RulesFile("fuzzy_tiger.rules"))
        server = Running(StudioServer(studio, "key"), ("127.0.0.1",), host="127.0.0.1", port=0, log_level="error")
        Thread(target=server.run, daemon=True).start()
        while not server.started:
            sleep(0.05)
        port = server.servers[0].sockets[0].getsockname()[1]
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, locale="en")
        page.set_default_timeout(PATIENCE)
        page.goto(f"http://127.0.0.1:{port}/key/")
        film = Film(page, folder)
        played(page, film)
        film.written(HERE.with_suffix(".gif"))
        browser.close()
        server.should_exit = True
        studio.close()


if __name__ == "__main__":
    main()
