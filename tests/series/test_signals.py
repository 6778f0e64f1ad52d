"""Ctrl-C and SIGTERM end a command within a second, also in the middle of a compiled match."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import processes

LONG = """game "Long"
    players 2
counter rounds 0..1000000
play
    repeat
        starter chooses "Go on?"
            "on"
            "further"
        if count (1..3000 as a where any (1..300 as b where a is b * 7)) is 77: raise rounds by 1
result: rank players by highest seat
"""
"""A compiled match takes seconds of processor, an interpreted one minutes."""
BUSY = 3.0
"""Seconds of processor after which a match is being played; to start and to compile takes less."""


@pytest.mark.parametrize("arguments", [["--jobs", "1"], ["--jobs", "2"], ["--engine", "interpreter"]])
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_a_series_in_the_middle_of_a_match(
    tmp_path: Path, number: signal.Signals, code: int, arguments: list[str]
) -> None:
    rules = tmp_path / "hungry.rules"
    rules.write_text(LONG, encoding="utf-8")
    command = [sys.executable, "-m", "rulekit", "simulate", str(rules), "--games", "1000", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        while processor_seconds(process.pid) < BUSY:
            assert process.poll() is None, process.communicate()
            time.sleep(0.01)
        begun = processor_seconds(process.pid)
        process.send_signal(number)
        while process.poll() is None and processor_seconds(process.pid) - begun < 1.5:
            time.sleep(0.01)
        has_ended = process.poll() is not None
        process.kill()
        assert has_ended, "it still runs after a second and a half of processor"
        _, said = process.communicate(timeout=processes.HANG)
    assert process.returncode == code
    assert b"Traceback" not in said


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
