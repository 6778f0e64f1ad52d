"""Kills a host of matches at chosen statements of its store, opens the store again, and plays on.

    python -m tests.soak.hosting --kills 10000

Fault injection: from one statement on, before it or behind it, nothing is written any more, as when the process is
ended; what is on the disk then is taken up, the file of the last writes often torn at any byte behind what was
acknowledged.  Every acknowledged answer must still stand, every token must open its seat, and every match must come
to its end.  Ctrl-C ends the run with what was counted.  Processes that end themselves, or are ended, are in
`tests.soak.killed_processes`.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from attrs import define, field

from rulekit.hosting.host import Created, Host
from rulekit.hosting.known_games import KnownGames
from rulekit.hosting.seat_page import Accepted
from rulekit.hosting.store import Row, Store, StoreFault
from rulekit.loading import load
from rulekit.record.log import HUMAN, parse
from rulekit.record.replay import LogReplay
from tests.paths import EXAMPLES, GAMES
from tests.soak.interrupts import NONE, Interrupts

SMALL = ("magpies", "tic_tac_toe", "connect_four", "mastermind", "raft", "goat_path")
LARGE = ("foxy", "hornochsen", "fuzzy_tiger")


class Killed(BaseException):
    """The process has ended: nothing goes on behind this."""


@define(eq=False)
class Death:
    """When writing ends.  left: so many statements are still carried out; None for all.  behind: also the last one."""

    left: int | None = None
    behind: bool = False
    dead: bool = False
    connections: list[sqlite3.Connection] = field(factory=list)

    def passes(self, go_on: Callable[[], Any]) -> Any:
        if self.dead:
            raise Killed
        if self.left is None:
            return go_on()
        self.left -= 1
        if self.left >= 0:
            return go_on()
        self.dead = True
        if self.behind:
            go_on()
        raise Killed


def dying(death: Death) -> Callable[..., sqlite3.Connection]:
    """How a store connects that will be killed."""

    class Connection(sqlite3.Connection):
        def execute(self, *words: Any) -> Any:
            return death.passes(lambda: super(Connection, self).execute(*words))

    def connect(*given: Any, **named: Any) -> sqlite3.Connection:
        death.connections.append(sqlite3.connect(*given, **named, factory=Connection))
        return death.connections[-1]

    return connect


@define(eq=False)
class Soak:
    """One store through many lives.

    kept:   by match, the lines that were acknowledged.
    main:   the store's own file when they were.
    whole:  bytes of the file of the last writes then.
    """

    folder: Path
    rng: random.Random
    files: Sequence[str]
    lives: int = 0
    kills: int = 0
    torn: int = 0
    finished: int = 0
    answers: int = 0
    games: KnownGames = field(factory=KnownGames)
    kept: dict[str, list[Row]] = field(factory=dict)
    made: dict[str, Created] = field(factory=dict)
    main: bytes = b""
    whole: int = 0

    @property
    def path(self) -> Path:
        return self.folder / f"{self.lives % 2}.store"

    def live(self) -> None:
        """One life: the store is opened and played on until it is killed."""
        self.died_opening()
        death = Death()
        host = Host(Store(self.path, connect=dying(death)), threads=1, known=self.games)
        if self.rng.random() < 0.3:
            # So that the last writes go over into the store's own file now and then.
            death.connections[0].execute("pragma wal_autocheckpoint = 4")
        try:
            self.check(host)
            death.left, death.behind = self.rng.randint(0, 40), self.rng.random() < 0.5
            while True:
                self.play(host)
        except (Killed, StoreFault):
            assert death.dead
        host.settled(30)
        self.bury(death)
        host._bots.close()

    def died_opening(self) -> None:
        """Now and then it is killed while it opens; a new store too."""
        if self.rng.random() < 0.2:
            death = Death(self.rng.randint(0, 12), self.rng.random() < 0.5)
            try:
                store = Store(self.path, connect=dying(death))
            except (Killed, StoreFault):
                assert death.dead
                self.bury(death)
            else:
                death.left = None
                store.close()
                self.stands()

    def bury(self, death: Death) -> None:
        """What is on the disk is all that is left of it."""
        before = self.path
        self.kills += 1
        self.lives += 1
        for end in ("", "-wal"):
            other = Path(f"{self.path}{end}")
            other.unlink(missing_ok=True)
            if Path(f"{before}{end}").exists():
                shutil.copy(f"{before}{end}", other)
        size = wal_size(self.path)
        # SQLite takes writes over into its own file only when they are on the disk for good, where nothing tears.
        is_same = self.path.exists() and self.path.read_bytes() == self.main
        if is_same and size > self.whole and self.rng.random() < 0.5:
            os.truncate(f"{self.path}-wal", self.rng.randint(self.whole, size))
            self.torn += 1
        for connection in death.connections:
            sqlite3.Connection.close(connection)

    def check(self, host: Host) -> None:
        for match, rows in self.kept.items():
            assert list(host.store.rows(match)[: len(rows)]) == rows, f"{match}: an acknowledged line is lost"
            for seat, token in enumerate(self.made[match].tokens):
                place = host.seat_of(token) if token else None
                assert not token or (place is not None and (place.match, place.seat) == (match, seat))

    def play(self, host: Host) -> None:
        """One answer, or a new match."""
        if not self.kept:
            small = self.rng.random() < 0.97
            file = self.rng.choice(self.files[: len(SMALL)] if small else self.files)
            game = load(file)
            people = [HUMAN] * game.least + ["random"] * (self.rng.random() < 0.3 and game.most > game.least)
            made = host.create(file, people)
            self.stands()
            self.made[made.match], self.kept[made.match] = made, []
            self.acknowledged(host, made.match)
        match = next(iter(self.kept))
        table = host.table(match)
        assert host.settled(30), f"{match}: a bot does not come to an end"
        if table.match.outcome() is not None or len(table.match.history) > 80:
            self.end(host, match)
            return
        self.acknowledged(host, match)
        seat = self.rng.choice([one.seat for one in table.match.decisions() if one.seat in table.people])
        page = table.page(seat)
        assert page.question is not None, f"{match}: nobody is asked"
        if self.rng.random() < 0.1 and isinstance(host.undo(match, seat), Accepted):
            self.acknowledged(host, match)
            return
        result = host.answer(match, seat, page.number, some(page.question, self.rng))
        assert isinstance(result, Accepted) or result.code == "refused", result
        self.answers += 1
        self.acknowledged(host, match)

    def acknowledged(self, host: Host, match: str) -> None:
        table = host.table(match)
        with table.lock:
            self.kept[match] = list(table.rows)
            self.stands()

    def stands(self) -> None:
        """All that is on the disk now stays there.  In this order: a bot may be writing."""
        self.main = self.path.read_bytes()
        self.whole = wal_size(self.path)

    def end(self, host: Host, match: str) -> None:
        """A match that came to its end holds as a log."""
        table = host.table(match)
        again = LogReplay(parse(table.log()), table.game)
        for _ in again:
            pass
        assert again.fault is None, again.fault
        assert again.same_rules
        self.finished += 1
        del self.kept[match]


def wal_size(path: Path) -> int:
    wal = Path(f"{path}-wal")
    return wal.stat().st_size if wal.exists() else 0


def some(question: Any, rng: random.Random) -> list[int]:
    """An answer by chance, by places among the options."""
    places = range(len(question.options))
    return (
        sorted(rng.sample(places, rng.randint(question.least, question.most)))
        if question.several
        else [rng.choice(places)]
    )


def soak(kills: int, seed: str, large: bool, interrupts: Interrupts = NONE) -> Soak:
    names = [str(EXAMPLES / f"{name}.rules") for name in SMALL] + [
        str(GAMES / f"{name}.rules") for name in LARGE if large
    ]
    with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
        one = Soak(Path(folder), random.Random(seed), [str(name) for name in names])
        while one.kills < kills and not interrupts.came:
            one.live()
        return one


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", default="hosting")
    chosen = parser.parse_args()
    one = soak(chosen.kills, chosen.seed, large=True, interrupts=Interrupts.taken())
    told = f"{one.answers} answers, {one.finished} matches came to their end, {one.torn} files torn"
    print(f"killed {one.kills} times: {told}; nothing acknowledged was lost")


if __name__ == "__main__":
    main()
