"""Ends processes that host matches at each statement of their store in turn, and plays on in new processes.

    python -m tests.soak.killed_processes --kills 10000

Fault injection: every life is a process of its own, forked from one that has read the rules.  It opens the store, looks
for every line that was ever acknowledged, plays on, and ends at once (`os._exit`) before its so-many-th statement or
behind it, one further on than the life before; or SIGKILL ends it at any moment.  What is answered depends on the match
so far alone: the log of a match that was killed on its way must be, byte for byte, that of one that was not.  Ctrl-C
ends the run with what was counted.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sqlite3
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import Any

from attrs import define, evolve, field, frozen

from rulekit.hosting.host import Host
from rulekit.hosting.seat_page import Accepted
from rulekit.hosting.store import Store
from rulekit.record.log import HUMAN
from tests.generators.random_matches import Answers, game
from tests.hosting.tables import chosen
from tests.paths import EXAMPLES, GAMES
from tests.soak.interrupts import NONE, Interrupts

SMALL = tuple(EXAMPLES / f"{name}.rules" for name in ("magpies", "tic_tac_toe", "mastermind", "raft", "goat_path"))
LARGE = tuple(sorted(GAMES.glob("*.rules")))
TOGETHER = 2
"""So many matches of one store are played by turns."""
STATEMENTS = 60
"""Lives end at this statement at the latest; a store is open after about ten."""
SCRIPTS = 3
"""So many matches of a game differ."""
FAULT, KILLED, OVER = 1, 3, 0


@frozen
class Script:
    """A match that comes out the same however often it is taken up.  sits: who sits there."""

    file: Path
    sits: tuple[str, ...]
    seed: str

    def begin(self, host: Host) -> tuple[str, tuple[str, ...]]:
        made = host.create(str(self.file), self.sits, seed=self.seed)
        return made.match, made.tokens

    def step(self, host: Host, match: str) -> bool:
        """One answer, or one that is taken back; whether the match goes on."""
        # A table that is read from the store wakes its bots.
        table = host.table(match)
        assert host.settled(60), f"{self}: a bot does not come to an end"
        if table.match.outcome() is not None:
            return False
        answers = Answers(f"{self.seed} {len(table.rows)}")
        waiting = [one.seat for one in table.match.decisions() if one.seat in table.people]
        seat = waiting[answers.below(len(waiting))]
        if answers.below(10) == 0 and isinstance(host.undo(match, seat), Accepted):
            return True
        page = table.page(seat)
        assert page.question is not None, f"{self}: nobody is asked"
        while not isinstance(host.answer(match, seat, page.number, chosen(page.question, answers)), Accepted):
            pass  # What cannot be chosen together.
        return True


@cache
def script(file: Path, number: int) -> Script:
    rules = game(file)
    bots = ("random",) * (number % 2) if rules.most > rules.least else ()
    return Script(file, (HUMAN,) * max(rules.least, 2 - len(bots), 1) + bots, f"killed {number}")


@cache
def unkilled(one: Script) -> bytes:
    """The log of the match, played by one process in one go."""
    with warm(Store(":memory:"), one.file) as host:
        match, _ = one.begin(host)
        while one.step(host, match):
            pass
        return host.table(match).log()


def warm(store: Store, *files: Path) -> Host:
    """A host that need not read the rules."""
    host = Host(store, threads=1)
    for file in files:
        host.known.keep(str(file), game(file))
    return host


# ---------------------------------------------------------------- one life


@frozen
class Death:
    """When a life ends: before or behind this statement, from 0; never by itself if None."""

    statement: int | None
    behind: bool = False


def dying(death: Death, tell: Callable[..., None]) -> Callable[..., sqlite3.Connection]:
    """How a store connects whose process ends itself."""
    count, lock = iter(range(1_000_000)), Lock()

    def end(words: str) -> None:
        what = " ".join(words.split()[:3])
        tell(died=f"{'behind' if death.behind else 'before'} {what}")
        os._exit(KILLED)

    class Connection(sqlite3.Connection):
        def execute(self, *words: Any) -> Any:
            with lock:
                is_last = next(count) == death.statement
                if is_last and not death.behind:
                    end(words[0])
                done = super().execute(*words)
                if is_last:
                    end(words[0])
                return done

    return lambda *given, **named: sqlite3.connect(*given, **named, factory=Connection)


@frozen
class Known:
    """What was acknowledged of a match.  rows: how many lines; last: the digest of the last of them."""

    script: Script
    match: str = ""
    tokens: tuple[str, ...] = ()
    rows: int = 0
    last: str = ""
    over: bool = False

    def check(self, host: Host) -> None:
        """All that was acknowledged stands; what is over is as if nobody had been killed."""
        rows = host.store.rows(self.match)
        assert len(rows) >= self.rows, f"{self.script}: an acknowledged line is lost"
        assert not self.rows or digest(rows[self.rows - 1].line) == self.last, f"{self.script}: a line is another"
        for seat, token in enumerate(self.tokens):
            place = host.seat_of(token) if token else None
            assert not token or (place is not None and (place.match, place.seat) == (self.match, seat)), "a token"
        if self.over:
            assert host.table(self.match).log() == unkilled(self.script), f"{self.script}: it ended in another way"


def digest(line: bytes) -> str:
    return sha256(line).hexdigest()


def live(path: Path, known: Sequence[Known], death: Death, seed: str, pipe: int) -> None:
    """A life, in its own process, told to the pipe as far as it comes; it does not return."""

    def tell(**what: Any) -> None:
        os.write(pipe, json.dumps(what).encode() + b"\n")

    try:
        host = warm(Store(path, connect=dying(death, tell)), *(one.script.file for one in known))
        play(host, known, random.Random(seed), tell)
        os._exit(OVER)
    except BaseException:
        tell(fault=traceback.format_exc())
        os._exit(FAULT)


def play(host: Host, known: Sequence[Known], rng: random.Random, tell: Callable[..., None]) -> None:
    for one in known:
        if one.match:
            one.check(host)
    matches = {at: one.match for at, one in enumerate(known) if not one.over}
    while matches:
        at = rng.choice(list(matches))
        if not matches[at]:
            matches[at], tokens = known[at].script.begin(host)
            tell(at=at, match=matches[at], tokens=tokens)
        elif not known[at].script.step(host, matches[at]):
            tell(at=at, over=True)
            evolve(known[at], match=matches.pop(at), over=True).check(host)
            continue
        rows = list(host.table(matches[at]).rows)
        tell(at=at, rows=len(rows), last=digest(rows[-1].line))


# ---------------------------------------------------------------- many lives


@define(eq=False)
class Lives:
    """All lives of a run.  died: how often at which statement; acknowledged: how many lines; ended: matches by game."""

    folder: Path
    rng: random.Random
    files: Sequence[Path]
    interrupts: Interrupts = NONE
    kills: int = 0
    stores: int = 0
    acknowledged: int = 0
    died: Counter[str] = field(factory=Counter)
    ended: Counter[str] = field(factory=Counter)

    def one_store(self, kills: int) -> None:
        """Matches of one store are played to their ends; killed on the way as long as kills are wanted."""
        path, self.stores = self.folder / f"{self.stores}.store", self.stores + 1
        known = [Known(script(self.rng.choice(self.files), self.rng.randrange(SCRIPTS))) for _ in range(TOGETHER)]
        for one in known:
            unkilled(one.script)
        while not all(one.over for one in known) and not self.interrupts.came:
            known = self.one_life(path, known, self.kills < kills)
        with warm(Store(path)) as host:
            for one in known:
                if one.match:
                    one.check(host)
        self.ended.update(one.script.file.stem for one in known if one.over)
        for rest in self.folder.iterdir():
            rest.unlink()

    def one_life(self, path: Path, known: list[Known], is_killed: bool) -> list[Known]:
        by_signal = is_killed and self.rng.random() < 0.1
        at = self.kills // 2 % STATEMENTS if is_killed and not by_signal else None
        death, seed = Death(at, bool(self.kills % 2)), str(self.rng.random())
        reading, writing = os.pipe()
        child = os.fork()
        if not child:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            os.close(reading)
            live(path, known, death, seed, writing)
        os.close(writing)
        if by_signal:
            time.sleep(self.rng.random() * 0.08)
            os.kill(child, signal.SIGKILL)
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read().splitlines(keepends=True)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return self.heard(known, [json.loads(line) for line in told if line.endswith(b"\n")], code)

    def heard(self, known: list[Known], told: list[dict[str, Any]], code: int) -> list[Known]:
        """What is known after a life that ended with this code."""
        known = list(known)
        for one in told:
            assert "fault" not in one, one["fault"]
            if "died" in one:
                self.died[one["died"]] += 1
                continue
            self.acknowledged += "rows" in one
            known[one["at"]] = evolve(known[one["at"]], **{name: one[name] for name in one if name != "at"})
        assert code in (OVER, KILLED, -signal.SIGKILL), code
        self.died["by SIGKILL"] += code < 0
        self.kills += code != OVER
        return known


def killed(kills: int, seed: str, *, large: bool, interrupts: Interrupts = NONE) -> Lives:
    """Small matches, and among ten one of a game that ships."""
    files = [*SMALL * 5, *LARGE] if large else [*SMALL]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        lives = Lives(Path(folder), random.Random(seed), files, interrupts)
        while lives.kills < kills and not interrupts.came:
            lives.one_store(kills)
        return lives


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", default="killed")
    chosen_ = parser.parse_args()
    lives = killed(chosen_.kills, chosen_.seed, large=True, interrupts=Interrupts.taken())
    told = {"kills": lives.kills, "acknowledged": lives.acknowledged, "stores": lives.stores,
            "ended": dict(sorted(lives.ended.items())), "died": dict(sorted(lives.died.items()))}  # fmt: skip
    print(json.dumps(told, indent=1))


if __name__ == "__main__":
    main()
