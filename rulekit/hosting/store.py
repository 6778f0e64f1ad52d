"""The store: one SQLite file that holds every match line by line; rows are only ever added.

A match is kept as the lines of its log, so that what is stored can be handed
out as it is, and damage is found by the chain of links.  What belongs
together is written in one transaction, which is on the disk before `append`
returns.  One process opens a store at a time.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import RLock
from typing import Any

from rulekit.errors import BadInput
from rulekit.values import define, field, frozen

FORMAT = 1
_APPLICATION = 0x72756C6B
"""Tells a store from other SQLite files: `rulk`."""

_TABLES = """
create table rules (digest text primary key, sources text not null) strict, without rowid;
create table match (number integer primary key, id text not null unique, file text not null, rules text not null)
    strict;
create table line (match text not null, edition integer not null, number integer not null, kind text not null,
    seat integer, apart integer not null, line blob not null, primary key (match, edition, number))
    strict, without rowid;
create table token (hash text primary key, match text not null, seat integer not null) strict, without rowid;
"""


class StoreFault(BadInput):
    """The store cannot be opened, or did not take what was to be written; nothing of that is acknowledged."""


@frozen
class Row:
    """One line of a match's log as it is kept.

    edition:  0 for the rules that the match began with; one more each time that it went over to other rules.
    number:   its place in the edition, from 0, the header.
    kind:     rules (a header), answer, undo, again (a decision that stands still, written once more) or end.
    seat:     who answered or took back; None for chance and for what no seat did.
    apart:    whether the others may not know of it, since they decide in secret at the same time.
    """

    edition: int
    number: int
    kind: str
    seat: int | None
    apart: bool
    line: bytes


@frozen
class Stored:
    """A match in the store.  file: of its rules; rules: the digest of those that it began with."""

    id: str
    file: str
    rules: str


@define(eq=False)
class Store:
    """path:  of the file, which is made if it is not there; ":memory:" keeps nothing.

    Errors: `StoreFault` where another process has it open, or it is no store.
    """

    path: str | os.PathLike[str]
    connect: Callable[..., sqlite3.Connection] = field(default=sqlite3.connect, kw_only=True)
    _db: sqlite3.Connection = field(init=False)
    _lock: RLock = field(init=False, factory=RLock)

    def __attrs_post_init__(self) -> None:
        path = os.fspath(self.path)
        try:
            self._db = self.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as fault:
            raise StoreFault(f"{path}: no store can be opened here: {fault}") from None
        try:
            self._open()
        except sqlite3.Error as fault:
            self._db.close()
            raise StoreFault(f"{path}: {_told(fault)}") from None
        except StoreFault:
            self._db.close()
            raise

    def _open(self) -> None:
        self._db.execute("pragma locking_mode = exclusive")
        self._db.execute("pragma journal_mode = wal")
        self._db.execute("pragma synchronous = full")
        with self._written() as db:
            (made,), (format_,) = db.execute("pragma application_id"), db.execute("pragma user_version")
            tables = db.execute("select count(*) from sqlite_schema").fetchone()[0]
            if (made[0], tables) == (0, 0):
                for one in _TABLES.strip().rstrip(";").split(";\n"):
                    db.execute(one)
                db.execute(f"pragma application_id = {_APPLICATION}")
                db.execute(f"pragma user_version = {FORMAT}")
            elif made[0] != _APPLICATION:
                raise StoreFault(f"{os.fspath(self.path)}: this is a file of another program, not a store")
            elif format_[0] != FORMAT:
                word = f"a store of format {format_[0]}; this rulekit reads format {FORMAT}"
                raise StoreFault(f"{os.fspath(self.path)}: {word}")

    @contextmanager
    def _written(self) -> Iterator[sqlite3.Connection]:
        """A transaction: all of it is on the disk afterwards, or nothing and the fault is told."""
        with self._lock:
            self._db.execute("begin immediate")
            try:
                yield self._db
                self._db.execute("commit")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("rollback")
                raise

    @contextmanager
    def _told_as_fault(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._written() as db:
                yield db
        except sqlite3.Error as fault:
            raise StoreFault(f"{os.fspath(self.path)}: {_told(fault)}") from None

    # ------------------------------------------------------------ writing

    def add_rules(self, digest: str, sources: Sequence[tuple[str, str]]) -> None:
        """Keep rules texts under their digest; what is kept already stays."""
        with self._told_as_fault() as db:
            _add_rules(db, digest, sources)

    def add_match(
        self,
        match: Stored,
        sources: Sequence[tuple[str, str]],
        tokens: Mapping[str, int],
        rows: Iterable[Row],
    ) -> None:
        """A new match with its rules, the hashes of its seats' tokens and its first lines."""
        with self._told_as_fault() as db:
            _add_rules(db, match.rules, sources)
            db.execute("insert into match (id, file, rules) values (?, ?, ?)", (match.id, match.file, match.rules))
            for one, seat in tokens.items():
                db.execute("insert into token values (?, ?, ?)", (one, match.id, seat))
            _add_rows(db, match.id, rows)

    def append(self, match: str, rows: Iterable[Row]) -> None:
        """Add lines to a match; whoever wrote one of these numbers before is not written over."""
        with self._told_as_fault() as db:
            _add_rows(db, match, rows)

    # ------------------------------------------------------------ reading

    def matches(self) -> tuple[Stored, ...]:
        """All matches, in the order in which they were made."""
        return tuple(Stored(*row) for row in self._read("select id, file, rules from match order by number"))

    def running(self, file: str) -> tuple[Stored, ...]:
        """The matches of a rules file that are not over, in the order in which they were made."""
        words = """select id, file, rules from match where file = ? and not exists
            (select 1 from line where line.match = match.id and kind = 'end') order by number"""
        return tuple(Stored(*row) for row in self._read(words, file))

    def stored(self, name: str) -> Stored | None:
        """The match of this name; None if there is none."""
        return next((Stored(*row) for row in self._read("select id, file, rules from match where id = ?", name)), None)

    def rows(self, match: str) -> tuple[Row, ...]:
        """The lines of a match, in order, those under earlier rules first."""
        words = "select edition, number, kind, seat, apart, line from line where match = ? order by edition, number"
        return tuple(
            Row(edition, number, kind, seat, bool(apart), line)
            for edition, number, kind, seat, apart, line in self._read(words, match)
        )

    def sources(self, digest: str) -> tuple[tuple[str, str], ...]:
        """The rules texts under a digest.  Errors: `StoreFault` if there are none."""
        for (text,) in self._read("select sources from rules where digest = ?", digest):
            return tuple((name, words) for name, words in json.loads(text))
        raise StoreFault(f"{os.fspath(self.path)}: there are no rules {digest[:16]} in this store")

    def seat_of(self, token_hash: str) -> tuple[str, int] | None:
        """The match and the seat that a token opens; None if it opens nothing."""
        found = self._read("select match, seat from token where hash = ?", token_hash)
        return next(((match, seat) for match, seat in found), None)

    def _read(self, words: str, *values: object) -> list[tuple[Any, ...]]:
        with self._lock:
            try:
                return self._db.execute(words, values).fetchall()
            except sqlite3.Error as fault:
                raise StoreFault(f"{os.fspath(self.path)}: {_told(fault)}") from None

    def close(self) -> None:
        """Close the file, which another process can open then."""
        with self._lock:
            self._db.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _add_rules(db: sqlite3.Connection, digest: str, sources: Sequence[tuple[str, str]]) -> None:
    text = json.dumps([list(one) for one in sources])
    db.execute("insert or ignore into rules values (?, ?)", (digest, text))


def _add_rows(db: sqlite3.Connection, match: str, rows: Iterable[Row]) -> None:
    for row in rows:
        values = (match, row.edition, row.number, row.kind, row.seat, int(row.apart), row.line)
        db.execute("insert into line values (?, ?, ?, ?, ?, ?, ?)", values)


def _told(fault: sqlite3.Error) -> str:
    if "locked" in str(fault) or "busy" in str(fault):
        return "another process has this store open; end that first, or name another file"
    if "not a database" in str(fault):
        return "this is a file of another program, not a store"
    return f"the store cannot be read or written: {fault}"
