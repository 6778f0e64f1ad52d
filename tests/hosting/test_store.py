"""Matches in a store: what was acknowledged stands, one process has it, damage and strangers are told."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.store import Row, Store, StoreFault
from rulekit.play.view import SPECTATOR
from rulekit.record.log import parse
from rulekit.record.replay import replay
from tests.generators.random_matches import Answers
from tests.hosting.tables import answer, asked, hosting, people, play
from tests.paths import ROOT
from tests.sizes import IS_LONG
from tests.soak.hosting import soak
from tests.soak.killed_processes import killed


def test_a_match_is_the_same_after_the_store_was_opened_again(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made, table = people(host)
        play(host, table, 9, Answers("again"))
        pages = [table.page(seat) for seat in (SPECTATOR, 0, 1)]
    with hosting(tmp_path) as host:
        table = host.table(made.match)
        assert [table.page(seat) for seat in (SPECTATOR, 0, 1)] == pages
        assert host.seat_of(made.tokens[1]).seat == 1  # type: ignore[union-attr]
        play(host, table, 1000, Answers("on"))
        assert table.match.outcome() is not None
        again = replay(parse(table.log()), table.game)
        assert (again.fault, again.same_rules) == (None, True)


def test_a_match_goes_on_under_its_own_rules_when_the_file_is_gone(tmp_path: Path) -> None:
    folder = tmp_path / "rules"
    folder.mkdir()
    (folder / "base.rules").write_text((ROOT / "examples" / "magpies.rules").read_text())
    (folder / "more.rules").write_text('game "More magpies"\n    extends "base"\n')
    with hosting(tmp_path) as host:
        made, table = people(host, folder / "more.rules")
        play(host, table, 3, Answers("gone"))
        digest = table.header.rules
    for file in folder.glob("*"):
        file.unlink()
    with hosting(tmp_path) as host:
        table = host.table(made.match)
        assert table.header.rules == digest
        answer(host, table, asked(table), Answers("gone on"))
        assert len(table.match.history) == 4


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "matches.store"
    program = "import sys; from rulekit.hosting.store import Store; Store(sys.argv[1])"
    with Store(path):
        done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, cwd=ROOT)
    assert "another process has this store open" in done.stderr
    Store(path).close()


def test_files_of_others_are_no_stores(tmp_path: Path) -> None:
    text, other = tmp_path / "text", tmp_path / "other"
    text.write_text("rules " * 100)
    with sqlite3.connect(other) as db:
        db.execute("create table mine (x)")
    db.close()
    for path in (text, other):
        with pytest.raises(StoreFault, match="a file of another program"):
            Store(path)
    assert text.read_text() == "rules " * 100
    with pytest.raises(StoreFault, match="no store can be opened"):
        Store(tmp_path / "nowhere" / "matches.store")


def test_a_line_is_never_written_over() -> None:
    with Store(":memory:") as store:
        row = Row(0, 0, "rules", None, False, b"{}\n")
        store.append("match", [row])
        with pytest.raises(StoreFault):
            store.append("match", [Row(0, 1, "answer", 0, False, b"1\n"), row])
        assert store.rows("match") == (row,)


def test_a_damaged_line_is_told(tmp_path: Path) -> None:
    with hosting(tmp_path) as host:
        made, table = people(host)
        play(host, table, 3, Answers("damage"))
    with sqlite3.connect(tmp_path / "matches.store") as db:
        db.execute("update line set line = cast(replace(line, '\"seat\"', '\"saet\"') as blob) where number = 2")
    db.close()
    with hosting(tmp_path) as host, pytest.raises(StoreFault, match="line 3"):
        host.table(made.match)


def test_an_answer_that_cannot_be_kept_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Store, *_: object) -> None:
        raise StoreFault("the disk is full")

    with hosting(tmp_path) as host:
        made, table = people(host)
        before = table.page(0)
        monkeypatch.setattr(Store, "append", full)
        with pytest.raises(StoreFault):
            answer(host, table, asked(table), Answers("full"))
        assert host.table(made.match) is not table
        assert host.table(made.match).page(0) == before


def test_a_killed_host_loses_nothing_acknowledged() -> None:
    assert soak(2000 if IS_LONG else 25, "test", large=IS_LONG).answers > 10


def test_killed_processes_lose_nothing_acknowledged() -> None:
    lives = killed(1000 if IS_LONG else 40, "test", large=IS_LONG)
    assert lives.acknowledged > (100 if IS_LONG else 50)
    assert len(lives.died) > (15 if IS_LONG else 8)


def told_before_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    saving = Host._saving
    held: list[object] = []

    def late(self: Host, match: str) -> object:
        def save(rows: object) -> None:
            if held:
                saving(self, match)(held.pop())  # type: ignore[arg-type]
            held.append(rows)

        return save

    monkeypatch.setattr(Host, "_saving", late)


def written_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    @contextmanager
    def written(self: Store) -> Iterator[sqlite3.Connection]:
        with self._lock:
            yield self._db

    monkeypatch.setattr(Store, "_told_as_fault", written)


@pytest.mark.parametrize("plant", [told_before_it_is_written, written_in_parts], ids=lambda one: one.__name__)
def test_a_store_that_loses_something_is_found(
    plant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(monkeypatch)
    with pytest.raises(AssertionError, match=r"lost|another|cannot be read"):
        killed(400, "test", large=False)


def test_a_kill_that_loses_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    told_before_it_is_written(monkeypatch)
    with pytest.raises(AssertionError, match="lost"):
        soak(20, "test", large=False)
