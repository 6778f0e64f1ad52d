"""A text whose rules run for long is given up as soon as another text is put in its place."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from rulekit.studio.rules_file import RulesFile
from rulekit.studio.studio import Studio, Text
from tests import processes

GOOD = """game "Good"
    players 2
each player has
    counter n 0..9
play
    starter chooses "Go on?"
        "on": raise starter.n by 1
        "further": raise starter.n by 2
result: rank players by highest n
"""
DOUBLING = "counter n\naction a0: raise n by 1\n{}\nplay: do a39\n".format(
    "\n".join(f"action a{number}\n    do a{number - 1}\n    do a{number - 1}" for number in range(1, 40))
)
LONG_QUERY = (
    "counter n 0..9\nplay\n    if count (1..9000 as a where any (1..9000 as b where a + b is 0)) is 1: set n to 1\n"
)


@pytest.mark.parametrize("rules", [DOUBLING, LONG_QUERY])
def test_the_next_text_takes_the_place_of_rules_that_run_for_long(tmp_path: Path, rules: str) -> None:
    path = tmp_path / "good.rules"
    path.write_text(GOOD, encoding="utf-8")
    studio = Studio(RulesFile(str(path)))
    try:
        assert studio.settled(processes.HANG, figures=False)
        studio.put(Text(f'game "Long"\n    players 2\n{rules}result: rank players\n', 1))
        run_for(studio, 1.0)
        begun = time.process_time()
        studio.put(Text(GOOD, 2))
        assert studio.settled(processes.HANG, figures=False)
        assert time.process_time() - begun < 1.5
        assert not studio.failed
    finally:
        studio.close()


def run_for(studio: Studio, seconds: float) -> None:
    """Let the studio use so much of the processor, or come to its end."""
    begun = time.process_time()
    while time.process_time() - begun < seconds and not studio.settled(0.01, figures=False):
        pass
