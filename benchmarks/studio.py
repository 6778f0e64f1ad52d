"""How long the studio takes from a key to what follows from it: findings, the board, the first interval.

    python -m benchmarks.studio [GAME…] [--keys 100]
    python -m benchmarks.studio [GAME…] --load    the processor's time to load a text again after an edit
    python -m benchmarks.studio [GAME…] --page    in Chromium, from a key to the next frame, while the server works

A studio without a page: each key changes another number of the rules, so that match and figures change too.  Told
are median and worst, by the clock and by the processor's time of this process in which it was found; on a machine with
other work only the latter says something.  The page adds what a browser takes to show it.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from statistics import median
from threading import Event
from time import monotonic, process_time
from typing import Any

from rulekit.loading import Workspace, examine_text
from rulekit.source import Source
from rulekit.studio.figures.balance import Progress
from rulekit.studio.match_content import Looking, content
from rulekit.studio.responsive_process import responsive
from rulekit.studio.rules_file import RulesFile
from rulekit.studio.studio import Studio, Text
from rulekit.values import define, field

GAMES = ("foxy", "fuzzy_tiger", "hornochsen", "china_moon", "shear_panic")
FOLDER = Path(__file__).parents[1] / "games"
GATES = {"findings": (0.150, 0.300), "board": (0.300, 0.300), "interval": (1.0, 1.0)}
"""Seconds at the median and at the worst."""
WAIT = 60.0


@define(eq=False)
class Stopwatch:
    """Hears of what a studio finds, and when.

    number:  of the text that is waited for; problem: why there are no figures of it.
    """

    studio: Studio
    number: int = 0
    problem: str = ""
    begun: tuple[float, float] = (0.0, 0.0)
    found: dict[str, tuple[float, float]] = field(factory=dict)
    _news: Event = field(factory=Event)
    _told: int = 0

    def begin(self, number: int) -> None:
        self.number, self.found, self.problem = number, {}, ""
        self._told = max((at for at, _, _ in self.studio.parts.since(0)), default=0)
        self.begun = (monotonic(), process_time())

    def listen(self) -> None:
        self._news.set()

    def wait(self) -> dict[str, tuple[float, float]]:
        """Seconds by the clock and of the processor until each was found."""
        until = monotonic() + WAIT
        while len(self.found) + bool(self.problem) < len(GATES) and monotonic() < until:
            self._news.wait(0.05)
            self._news.clear()
            for at, part, payload in self.studio.parts.since(self._told):
                self._told = max(self._told, at)
                self._look(part, payload)
        return self.found

    def _look(self, part: str, payload: dict[str, object]) -> None:
        if part == "findings" and payload["number"] == self.number:
            self._mark("findings")
        if part == "match" and "findings" in self.found:
            content(self.studio.match, Looking(), self.studio.trace)
            self._mark("board")
        progress = payload.get("progress")
        if isinstance(progress, Progress) and progress.number == self.number:
            self.problem = progress.problem
            if progress.done >= 2:
                self._mark("interval")

    def _mark(self, what: str) -> None:
        self.found.setdefault(what, (monotonic() - self.begun[0], process_time() - self.begun[1]))


def keys(text: str, count: int) -> Iterator[str]:
    """Texts in each of which one number of a rule is one higher than in the text, another one each time.

    None comes back to a text that was there before, since what is known of that need not be found again.
    """
    made, places = 0, _numbers(text)
    for step in range(1, 10):
        for first, last in places:
            changed = f"{text[:first]}{int(text[first:last]) + step}{text[last:]}"
            if made < count and examine_text(Source("keys.rules", changed)).game is not None:
                made += 1
                yield changed


def _numbers(text: str) -> list[tuple[int, int]]:
    """Where numbers of the rules stand, in an order in which those of one place are far from one another."""
    rules = text.partition("\nscenario ")[0]
    lines = re.finditer(r"^(?![ \t]*[#>]).*$", rules, re.MULTILINE)
    found = [
        (one.start() + at.start(), one.start() + at.end())
        for one in lines
        for at in _NUMBER.finditer(one[0])
        if at[0].isdecimal()
    ]
    return [place for start in range(_APART) for place in found[start::_APART]]


_NUMBER = re.compile(r'"[^"\n]*"|@.*$|(?<![\w.-])\d{1,3}(?![\w.-])')
"""A number, or what is passed over: a text in quotation marks, a citation."""
_APART = 23


def measured(game: str, count: int) -> dict[str, list[tuple[float, float]]]:
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in GATES}
    with tempfile.TemporaryDirectory() as folder, responsive() as looked:
        studio = Studio(RulesFile(shutil.copy(FOLDER / f"{game}.rules", folder)), looked)
        try:
            watch = Stopwatch(studio)
            end = studio.parts.subscribe(watch.listen)
            watch.wait()  # Figures of the first text, with which others are compared.
            studio.settled(WAIT, figures=False)
            for number, text in enumerate(keys(studio.text.text, count), 1):
                watch.begin(number)
                studio.put(Text(text, number))
                for name, took in watch.wait().items():
                    found[name].append(took)
                studio.settled(WAIT, figures=False)
            end()
        finally:
            studio.close()
    return found


def lines(game: str, found: dict[str, list[tuple[float, float]]]) -> Iterator[str]:
    count = len(found["findings"])
    for name, took in found.items():
        if not took:
            yield f"{game:12} {name:9} never"
            continue
        told = [f"{1000 * median(each):5.0f} {1000 * max(each):5.0f}" for each in zip(*took, strict=True)]
        without = f", {count - len(took)} keys without" if len(took) < count else ""
        yield f"{game:12} {name:9} {len(took):4}   clock {told[0]}   processor {told[1]}   gate {_gate(name)}{without}"


def _gate(name: str) -> str:
    return " ".join(f"{1000 * each:.0f}" for each in GATES[name])


FRAME = 16
"""Milliseconds."""
_LISTEN = """() => {
  window.took = [];
  addEventListener("keydown", () => {
    const begun = performance.now();
    requestAnimationFrame(() => window.took.push(performance.now() - begun));
  }, true);
  studio.editor.gotoLine(40, 0);
  studio.editor.focus();
}"""


def frames(browser: Any, game: str, keys: int) -> list[float]:
    """Milliseconds from each key to the frame that shows it."""
    from rulekit.studio.server import StudioServer
    from rulekit.web.running import Running
    from tests.browser.serving import KEY, in_a_thread

    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(RulesFile(shutil.copy(FOLDER / f"{game}.rules", folder)))
        try:
            server = Running(StudioServer(studio, KEY), ("127.0.0.1",), host="127.0.0.1", port=0, log_level="error")
            with in_a_thread(server) as address:
                page = browser.new_page()
                page.goto(f"{address}/{KEY}/")
                page.wait_for_selector("#series-result table", state="attached")
                page.evaluate(_LISTEN)
                for key in range(keys):
                    page.keyboard.press("# "[key % 2])
                    page.wait_for_timeout(60)
                took = [float(each) for each in page.evaluate("window.took")]
                page.close()
        finally:
            studio.close()
    return took


def told_frames(games: Sequence[str], count: int) -> None:
    from playwright.sync_api import sync_playwright

    from tests.extras import chromium

    print("milliseconds of the clock from a key to the next frame: median and worst; how many keys")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for game in games:
            took = frames(browser, game, count)
            print(f"{game:12} {median(took):5.1f} {max(took):5.1f} {len(took):4}   gate {FRAME}", flush=True)
        browser.close()


LOAD = 110
"""Milliseconds of the processor."""


def loads(game: str, count: int) -> Iterator[str]:
    """Milliseconds of the processor to load a text again: after a change of a number, and of a line at the top."""
    path, workspace = FOLDER / f"{game}.rules", Workspace()
    text = path.read_text("utf-8")
    edits = {
        "a number": list(keys(text, count)),
        "a line at the top": ["#\n" * lines + text for lines in range(1, count)],
    }
    workspace.examine_text(Source(str(path), text))
    for what, texts in edits.items():
        took = []
        for each in texts:
            begun = process_time()
            workspace.examine_text(Source(str(path), each))
            took.append(1000 * (process_time() - begun))
        yield f"{game:12} {what:17} {median(took):5.0f} {max(took):5.0f} {len(took):4}   gate {LOAD}"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--keys", type=int, default=100)
    parser.add_argument("--page", action="store_true", help="type in Chromium: from a key to the next frame")
    parser.add_argument("--load", action="store_true", help="load again after an edit, and nothing else")
    told = parser.parse_args(arguments)
    if told.load:
        print("milliseconds of the processor: median and worst; how many edits")
        for line in chain.from_iterable(loads(game, told.keys) for game in told.games):
            print(line, flush=True)
        return
    if told.page:
        told_frames(told.games, told.keys)
        return
    print("milliseconds: median and worst; how many keys came to each")
    for game in told.games:
        for line in lines(game, measured(game, told.keys)):
            print(line, flush=True)
        print(f"{game:12} memory    {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most so far")


if __name__ == "__main__":
    main()
