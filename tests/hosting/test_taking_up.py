"""A log that somebody brings: the match goes on at a table where it stood, or the host is told why it does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from attrs import evolve

from rulekit.hosting.host import Created, Host
from rulekit.hosting.seat_page import Refused
from rulekit.hosting.store import Store
from rulekit.play.beginning import Beginning
from rulekit.record.log import Header, Writer, parse
from tests.generators.random_matches import Answers
from tests.hosting.tables import MAGPIES, people, play


def log_of(folder: Path, count: int = 3) -> bytes:
    """Of a match in another store."""
    with Host(Store(folder / "other.store")) as host:
        _, table = people(host)
        play(host, table, count, Answers("a match to take up"))
        return table.log()


def again(log: bytes, change: Callable[[dict[str, object]], object]) -> bytes:
    """The header of a log alone, changed, with a link that fits."""
    lines: list[bytes] = []
    writer = Writer(lines.append)
    header = json.loads(log.split(b"\n")[0])
    del header["link"]
    change(header)
    writer._line(header)
    return b"".join(lines)


def begun_elsewhere(log: bytes) -> bytes:
    """A log of the same match in a position of its own."""
    lines: list[bytes] = []
    Writer(lines.append).header(evolve(parse(log).header, begun=Beginning({})))
    return b"".join(lines)


@pytest.mark.parametrize("count", [0, 3, 1000])
def test_a_match_goes_on_where_its_log_stands(count: int, tmp_path: Path) -> None:
    """At its beginning, in the middle, and at its end, where one looks back at it."""
    log = log_of(tmp_path, count)
    with Host(Store(tmp_path / "m.store"), (str(MAGPIES),)) as host:
        made = host.take_up(log)
        assert isinstance(made, Created)
        assert len(made.tokens) == 2
        table = host.table(made.match)
        assert [entry.answer for entry in parse(table.log()).entries] == [entry.answer for entry in parse(log).entries]
        assert (table.match.outcome() is None) == (count < 1000)
        play(host, table, 2, Answers("on"))
        kept = table.log()
    with Host(Store(tmp_path / "m.store")) as host:
        assert host.table(made.match).log() == kept


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda log: b"%PDF-1.7 \xff\xfe", "line 1"),
        (lambda log: b"", "the log is empty"),
        (lambda log: log[:-20], "it ends in the middle of a line"),
        (lambda log: log.replace(b'"answer"', b'"ansver"', 1), "its link does not fit"),
        (lambda log: again(log, lambda header: header.update(rules="0" * 64)), "rules of Magpies that are none of"),
        (lambda log: again(log, lambda header: header.update(players=["human", "nobody"])), "nobody here can play"),
        (lambda log: again(log, lambda header: header.update(players=["human"])), "2 seats and 1 players"),
        (lambda log: again(log, lambda header: header.update(seed=None)), "its chance came from outside"),
        (lambda log: begun_elsewhere(log), "it began in a position of its own"),
        (lambda log: again(log, lambda header: header.update(seats=["a\u202eb", "c"])), "cannot be seen"),
        (lambda log: again(log, lambda header: header.update(seats=["a" * 99, "c"])), "more than 64 letters"),
        (lambda log: again(log, lambda header: header.update(options={"odd": 1})), "its setup does not hold"),
    ],
)
def test_what_cannot_be_taken_up_is_told_and_nothing_is_begun(
    change: Callable[[bytes], bytes], reason: str, tmp_path: Path
) -> None:
    log = change(log_of(tmp_path))
    with Host(Store(tmp_path / "m.store"), (str(MAGPIES),)) as host:
        found = host.take_up(log)
        assert isinstance(found, Refused)
        assert reason in str(found.reason)
        assert host.matches() == ()


def test_a_decision_that_the_rules_refuse_is_named(tmp_path: Path) -> None:
    log = parse(log_of(tmp_path))
    lines: list[bytes] = []
    writer = Writer(lines.append)
    writer.header(log.header)
    assert isinstance(log.header, Header)
    entry = log.entries[0]
    writer._line({"seat": entry.seat, "what": entry.what, "answer": 4711})
    with Host(Store(tmp_path / "m.store"), (str(MAGPIES),)) as host:
        found = host.take_up(b"".join(lines))
    assert isinstance(found, Refused)
    assert "line 2: decision 1 does not hold" in str(found.reason)
