"""Kills a match that is played at a terminal, takes it up again, and compares its end with that of one never killed.

    python -m tests.soak.resuming --kills 100

Fault injection: the process ends itself by SIGKILL at a random line of its log, before the line is written, in the
midst of it or behind it, several times in one match.  What a person types depends on the position alone, so that the
whole match must come out as it does without the kills, and every line that was written must still stand.
"""

from __future__ import annotations

import argparse
import io
import os
import random
import signal
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from rulekit import library
from rulekit.apps.play import resuming, session
from rulekit.apps.play.screen import Screen
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.play.state.match_state import Decision
from rulekit.record.log import Log
from rulekit.record.match import started
from rulekit.record.replay import read
from tests.cli.golden import games
from tests.paths import EXAMPLES

MOMENTS = ("before", "amid", "behind")


def typed(decision: Decision, number: int, seed: str) -> str:
    """What a person types as the answer to the so-manieth decision: keys of the menu, as they stand there."""
    rng = random.Random(f"{seed} {number}")
    keys = session.menu(decision, _NAMES[0]).entries
    some = rng.sample(keys, rng.randint(decision.least, decision.most)) if decision.several else [rng.choice(keys)]
    return " ".join(entry.key for entry in some)


_NAMES: list[session.Names] = []


def play(game: Game, path: str, kinds: tuple[str, ...], seed: str, log: Path) -> None:
    """A whole match whose answers follow from the position; taken up where its log ends, if it is there."""
    current: list[session.Session] = []
    made = session.Session.__attrs_post_init__

    def noted(self: session.Session) -> None:
        made(self)
        current[:], _NAMES[:] = [self], [self.names]

    def ask(_: Screen, __: str) -> str:
        match = current[0].match
        decision = next(each for each in match.decisions() if each.seat in match.people)
        tries[0] += 1
        return typed(decision, len(match.history), f"{seed} {tries[0] if tries[0] > 1 else 0}")

    tries = [0]
    session.Session.__attrs_post_init__ = noted  # type: ignore[method-assign]
    Screen.ask = ask  # type: ignore[method-assign]
    decided = session.Session._decide

    def deciding(self: session.Session, decision: Decision, value: object) -> None:
        decided(self, decision, value)  # type: ignore[arg-type]
        tries[0] = 0

    session.Session._decide = deciding  # type: ignore[method-assign, assignment]
    sys.stdout = sys.stderr = io.StringIO()
    if log.exists() and b"\n" in log.read_bytes():
        resuming.resumed(str(log), path, "en", False).run()
        return
    log.unlink(missing_ok=True)
    setup = session.Setup(path, len(kinds), kinds, seed, True, None, False)
    match = started(game, None, len(kinds), seed, people=setup.people)
    session.Session(match, setup, False, library.LogFile(log)).run()


def forked(work: Callable[[], None]) -> int:
    """Runs something in a process of its own: how it ended, as `os.wait` tells; 0 if well."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1]
    code = 1
    try:
        work()
        code = 0
    finally:
        os._exit(code)


def killed_at(line: int, moment: str, written: Path) -> None:
    """From now on the process ends at the so-manieth line that it writes; every line that was kept is noted apart."""
    put, count = library.LogFile.put, [0]

    def putting(self: library.LogFile, data: bytes) -> None:
        count[0] += 1
        if count[0] == line and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        if count[0] == line and moment == "amid":
            put(self, data[: len(data) // 2])
            os.kill(os.getpid(), signal.SIGKILL)
        put(self, data)
        with written.open("ab") as handle:
            handle.write(data)
        if count[0] == line:
            os.kill(os.getpid(), signal.SIGKILL)

    library.LogFile.put = putting  # type: ignore[method-assign]


def check(path: Path, seed: str, folder: Path) -> int:
    """One match with kills beside the same without: how often it was killed.  Errors: `AssertionError`."""
    game = load(str(path))
    seats = max(2, game.least)
    kinds = ("human", *["random"] * (min(seats, game.most) - 1))
    whole, cut, written = folder / "whole.log", folder / "cut.log", folder / "written"
    for file in (whole, cut, written):
        file.unlink(missing_ok=True)
    assert forked(lambda: play(game, str(path), kinds, seed, whole)) == 0
    lines, rng, kills = len(whole.read_bytes().splitlines()), random.Random(seed), 0
    while True:
        line, moment = rng.randint(1, max(2, lines // 3)), rng.choice(MOMENTS)

        def killed(line: int = line, moment: str = moment) -> None:
            killed_at(line, moment, written)
            play(game, str(path), kinds, seed, cut)

        ended = forked(killed)
        if not ended:
            break
        assert os.WTERMSIG(ended) == signal.SIGKILL, f"{path.name} {seed}: ended with {ended}"
        kills += 1
        kept = written.read_bytes() if written.exists() else b""
        assert cut.read_bytes().startswith(kept) if cut.exists() else not kept, f"{path.name} {seed}: a line is lost"
        if kept.splitlines()[-1:] == whole.read_bytes().splitlines()[-1:]:
            break  # Killed behind the last line: there is nothing to go on with.
    assert _told(read(cut)) == _told(read(whole)), f"{path.name} {seed}: another end"
    return kills


def _told(log: Log) -> object:
    assert log.end is not None
    return [(entry.seat, entry.what, entry.answer) for entry in log.entries], log.end.ranking, log.end.state


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100, help="of each game")
    parser.add_argument("--examples", action="store_true", help="the examples too")
    chosen = parser.parse_args()
    for path in [*games(), *(sorted(EXAMPLES.glob("*.rules")) if chosen.examples else [])]:
        with tempfile.TemporaryDirectory() as folder:
            kills = matches = 0
            while kills < chosen.kills:
                kills += check(path, f"kill {matches}", Path(folder))
                matches += 1
            print(f"{path.stem}: {matches} matches, killed {kills} times; each came to the end that it has without")


if __name__ == "__main__":
    main()
