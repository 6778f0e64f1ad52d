"""Memory layout: where a plan lies in the linear memory of its module; an address, in bytes, for everything.

A sequence is one 32-bit integer for its length, one for its room, then its
entries of 64 bits; lists, rows and local sequences look alike.  At address 0
lies a sequence that is empty and without room.
"""

from __future__ import annotations

from itertools import accumulate
from struct import pack
from typing import Any

from rulekit import limits
from rulekit.compiler.plan.ir import Plan
from rulekit.compiler.runtime.wasm_host import STOP_REQUEST
from rulekit.values import define, field, frozen

PAGE = 65536
BEHIND = 80
"""Bytes of the memory behind all sequences, as eight entries and one more are looked at where there may be fewer."""
EXCHANGE = 1 << 20
"""Bytes for what goes to and fro: the places of an answer, the results of matches."""
ANSWER = 48
"""Where in the exchange an answer lies: its size, then its places; before it lies the question, six numbers."""
QUEUES, DRAWN = 1 << 18, 5 << 17
"""Where in the exchange a script lies: answers, and chance behind them."""
ANSWERS = 8 << 20
"""Bytes for the answers of a trial, as many for those a guard remembers and for how options led on."""
POSITIONS, MAX_POSITIONS = 32 << 20, 4096
"""Bytes for the positions that simulations begin with, and how many of them there may be."""
SLOTS, DRIVEN = 1 << 27, 1 << 27
"""Bytes for the matches that are driven, and for the arrays by which they are."""
FIELDS = (
    *("matches", "stride", "series", "at", "need"),
    *("actions", "codes", "masks", "seen", "seats", "asks", "ended", "rewards", "rounds", "ended_rounds"),
)
"""What stands where `driven` begins: how many matches, how many bytes each has, the seed of all, which is at work, how
many bytes it needs; then where each array begins."""
BEGIN = 64
WAITS = ("ask", "seat", "options", "least", "most", "several", "frames", "arena", "guard", "log", "decisions", "phase")
"""A match that waits: its question as it goes to the host, the ends of arena, frames and log, the innermost guard, how
many decisions were asked, whether the result is being reckoned."""
_WIDTHS = ((8, "b"), (16, "h"), (32, "i"), (64, "q"))


@frozen
class Table:
    """A constant table of integers.  width: of an entry, in bits."""

    address: int
    width: int


@frozen
class Rows:
    """A constant table of sequences.  table: where their addresses stand."""

    table: int
    addresses: tuple[int, ...]


@frozen
class Layout:
    """The addresses of everything.

    storage .. end:  the lists, then the words.  image: the position at the start, as it lies there.

    lists:    the address of each list; list_table: where these addresses stand.
    tables, rows:  of the plan's tables.
    numbers:  of the streams' names, then of the seats' own; keys: likewise; turns: by seat.
    waits:    what is known of a match that waits, see `WAITS`; storage, keys, turns, this and the arena are one span.
    sums:     of a series.  cells: those of the plan.
    starts:   of a plan that can be searched, the addresses of positions that simulations begin with; positions: these.
    driven:   of a plan whose matches are driven, what goes to and fro, see `FIELDS`; slots: these matches.
    data:     what stands in the memory from the beginning.
    """

    storage: int
    words: int
    lists: tuple[int, ...]
    end: int
    image: int
    list_table: int
    tables: tuple[Table, ...]
    rows: tuple[Rows, ...]
    numbers: int
    keys: int
    turns: int
    waits: int
    exchange: int
    script: int
    log: int
    ways: int
    arena: int
    pages: int
    sums: int
    cells: int
    starts: int
    positions: int
    driven: int
    slots: int
    data: tuple[tuple[int, bytes], ...] = field(repr=False)


@define(eq=False)
class Allocator:
    """A bump allocator of linear memory.  next: the first byte that is free.  data: what stands where."""

    next: int
    data: list[tuple[int, bytes]] = field(factory=list)

    def keep(self, content: bytes) -> int:
        """The address of bytes that stand there from the beginning."""
        address = self.room(len(content))
        self.data.append((address, content))
        return address

    def room(self, size: int) -> int:
        """The address of so many bytes, rounded up to 8."""
        address, self.next = self.next, self.next + -(-size // 8) * 8
        return address


def lay_out(plan: Plan, numbers: tuple[int, ...]) -> Layout:
    """Where a plan lies in memory.

    numbers: of the streams' names, then of the streams by which the seats answer.

    What a match changes lies last and together, the arena behind it, so that it is copied as one.
    """
    storage = _around(plan, numbers, (0,) * len(plan.lists))[0].next
    *lists, words = _addresses(plan, storage)
    space, fixed = _around(plan, numbers, tuple(lists))
    space.keep(_storage(plan))
    end = space.next
    keys, turns, waits = space.room(8 * len(numbers)), space.room(8 * plan.seats), space.room(8 * len(WAITS))
    own: dict[str, Any] = {"storage": storage, "words": words, "lists": tuple(lists), "end": end}
    own |= {"keys": keys, "turns": turns, "waits": waits}
    return Layout(**fixed, **own, arena=space.next, pages=space.next // PAGE + 1 + 16, data=tuple(space.data))


def _around(plan: Plan, numbers: tuple[int, ...], lists: tuple[int, ...]) -> tuple[Allocator, dict[str, Any]]:
    """Everything that is no part of a match; it takes the same room wherever lists lie."""
    space = Allocator(BEGIN)
    return space, {
        "image": space.keep(_storage(plan)),
        "list_table": space.keep(pack(f"<{len(lists)}I", *lists)),
        "tables": tuple(_table(space, entries) for entries in plan.tables),
        "rows": _rows(space, plan),
        "numbers": space.keep(pack(f"<{len(numbers)}Q", *numbers)),
        "sums": space.keep(pack(f"<{len(plan.sums)}q", *plan.sums)),
        "exchange": space.room(EXCHANGE),
        "script": space.room(ANSWERS),
        "log": space.room(ANSWERS),
        "ways": space.room(ANSWERS),
        "cells": space.room(8 * plan.cells),
        "starts": space.room(4 * MAX_POSITIONS if plan.search is not None else 0),
        "positions": space.room(POSITIONS if plan.search is not None else 0),
        "driven": space.room(DRIVEN if plan.drive is not None else 0),
        "slots": space.room(SLOTS if plan.drive is not None else 0),
    }


def sequence(entries: tuple[int, ...], room: int) -> bytes:
    """The bytes of a sequence with room for so many entries."""
    padding = (0,) * (room - len(entries))
    return pack(f"<II{room}q", len(entries), room, *entries, *padding)


def _storage(plan: Plan) -> bytes:
    lists = (sequence(entries, room) for entries, room in zip(plan.lists, plan.rooms, strict=True))
    return b"".join(lists) + pack(f"<{len(plan.words)}q", *plan.words)


def _addresses(plan: Plan, storage: int) -> tuple[int, ...]:
    """Those of the lists, then that of the words."""
    return tuple(accumulate((8 + 8 * room for room in plan.rooms), initial=storage))


def _table(space: Allocator, entries: tuple[int, ...]) -> Table:
    least, most = min(entries, default=0), max(entries, default=0)
    width, code = next((w, c) for w, c in _WIDTHS if -(1 << (w - 1)) <= least and most < 1 << (w - 1))
    return Table(space.keep(pack(f"<{len(entries)}{code}", *entries)), width)


def _rows(space: Allocator, plan: Plan) -> tuple[Rows, ...]:
    """Rows that are equal lie in one place."""
    known: dict[tuple[int, ...], int] = {}
    made = []
    for table in plan.rows:
        for row in table:
            if row not in known:
                known[row] = space.keep(sequence(row, len(row))) if row else 0
        addresses = tuple(known[row] for row in table)
        made.append(Rows(space.keep(pack(f"<{len(table)}I", *addresses)), addresses))
    return tuple(made)


assert QUEUES >= 16 * limits.OPTIONS
assert STOP_REQUEST + 8 <= BEGIN
