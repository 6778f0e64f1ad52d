"""Long tables are read in steps that grow as their rows do, counted and not by a clock."""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import pytest

from rulekit.loading import examine_text
from rulekit.model.declare import kinds
from rulekit.source import Source

HEAD = 'game "Long"\n    players 2\n'


def steps(rules: str) -> int:
    """How many instructions of Python the module of kinds carries out to read these rules."""
    count = 0

    def each(frame: FrameType, event: str, arg: object) -> Any:
        nonlocal count
        count += event == "opcode"
        return each

    def called(frame: FrameType, event: str, arg: object) -> Any:
        if frame.f_code.co_filename != kinds.__file__:
            return None
        frame.f_trace_opcodes = True
        return each

    before = sys.gettrace()
    sys.settrace(called)
    try:
        examine_text(Source("long.rules", HEAD + rules))
    finally:
        sys.settrace(before)
    return count


def linked(rows: int) -> str:
    """A table whose column `next` names spaces above, and leaves every other one to the row below."""
    lines = (f"    | s{row} | {'' if row % 2 else f's{row // 2}'} |\n" for row in range(rows))
    return "table ways of stop\n    | stop | next |\n" + "".join(lines)


def listed(rows: int) -> str:
    return "cards deck of card\n    | card |\n" + "".join(f"    | c{row} |\n" for row in range(rows))


def named(rows: int) -> str:
    """A table with a trait that names a thing of its own kind."""
    lines = (f"    | c{row} | c{row} |\n" for row in range(rows))
    return "cards deck of card\n    | card | like |\n" + "".join(lines)


@pytest.mark.parametrize("table", [linked, listed, named], ids=lambda table: table.__name__)
def test_ten_times_the_rows_take_ten_times_the_steps(table: Any) -> None:
    few = steps(table(30))
    assert few > 500
    assert steps(table(300)) < 12 * few
