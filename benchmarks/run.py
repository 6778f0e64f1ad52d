"""All contenders in turn, round after round; what counts are the ratios within a round.

    python -m benchmarks.run --rounds 7 --seconds 0.4 --json ratios.json
    python -m benchmarks.run --only fuzzy_tiger --yardstick FOLDER
    python -m benchmarks.run --yardstick FOLDER --older CHECKOUT

The last is the whole table: CHECKOUT is another version with rulekit and wasmtime in its `.venv`, see `versions`.

A figure by itself says little on a machine that others use, too; a ratio of
two that were measured one after the other says more.  Printed are the median
and the range of each ratio over the rounds.  OpenSpiel and PettingZoo take
part where they are installed (`pip install -e '.[peers]'`), C where there is a
compiler.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import rulekit
from benchmarks import versions
from benchmarks.contenders import Contender, Rate, engines, handmade, rate, search
from benchmarks.driven import many_at_once
from benchmarks.peers import OPEN_SPIEL, PETTING_ZOO, peers
from benchmarks.single import singles
from rulekit.values import asdict, frozen

ROOT = Path(__file__).parent.parent
SEATS = 4
PYTHON_GATES = ((7, 15), (8, 20), (5, 8))
SEARCH_GATES = (1, 2, 1.5)
"""By board, in the order of `OPEN_SPIEL`: from Python with what is hoped for; of a search."""


@frozen
class Question:
    """A ratio that is wanted: `above` over `below`, in matches or decisions a second.  gate, aim: what is hoped for."""

    game: str
    above: str
    below: str
    unit: str
    gate: float
    aim: float
    at_most: bool = False


@frozen
class Answer:
    question: Question
    median: float
    low: float
    high: float
    rounds: int


QUESTIONS = [
    Question("fuzzy_tiger", "WebAssembly", "yardstick in Python", "matches", 38, 55),
    Question("fuzzy_tiger", "WebAssembly, counting", "yardstick in Python", "matches", 33, 48),
    Question("fuzzy_tiger", "yardstick in C", "WebAssembly", "matches", 1.45, 1, at_most=True),
    # By our own programs, which are quicker than the yardsticks and have no goal of their own.
    Question("fuzzy_tiger", "WebAssembly", "Python by hand", "decisions", 10, 40),
    Question("fuzzy_tiger", "C by hand", "WebAssembly", "decisions", 4, 1.25, at_most=True),
    Question("fuzzy_tiger", "Python by hand", "yardstick in Python", "matches", 1, 1),
    Question("fuzzy_tiger", "C by hand", "yardstick in C", "matches", 1, 1),
    *(
        Question(game, "WebAssembly", "OpenSpiel from Python", "matches", gate, aim)
        for game, (gate, aim) in zip(OPEN_SPIEL, PYTHON_GATES, strict=True)
    ),
    *(Question(game, "WebAssembly", "OpenSpiel's own loop", "matches", 3, 6) for game in OPEN_SPIEL),
    *(
        Question(game, "search", "OpenSpiel's search", "matches", gate, 5)
        for game, gate in zip(OPEN_SPIEL, SEARCH_GATES, strict=True)
    ),
    *(Question(game, "WebAssembly", "PettingZoo", "matches", 2, 10) for game in PETTING_ZOO),
    *(Question(game, "many at once", "PettingZoo", "decisions", 10, 100) for game in PETTING_ZOO),
]


def contenders(game: str, yardstick: Path | None) -> list[Contender]:
    folder = "examples" if game in OPEN_SPIEL else "games"
    rules = rulekit.load(ROOT / folder / f"{game}.rules")
    seats = 2 if game in OPEN_SPIEL else SEATS
    found = engines(rules, seats)
    if game == "fuzzy_tiger":
        names = rulekit.start(rules, seats=seats, seed="1").state.setting.seats
        found += handmade(tuple(names), yardstick)
    if game in OPEN_SPIEL:
        found += [search(rules, seats), *many_at_once(rules), *peers(game)]
    wanted = {name for question in QUESTIONS if question.game == game for name in (question.above, question.below)}
    return [one for one in found if one.name in wanted]


def measured(game: str, rounds: int, seconds: float, yardstick: Path | None) -> Iterator[dict[str, Rate]]:
    """Round by round the rate of each; the order turns, so that nobody is always first."""
    found = contenders(game, yardstick)
    for number in range(rounds):
        turned = found[number % len(found) :] + found[: number % len(found)]
        yield {one.name: rate(one, seconds) for one in turned}


def answers(game: str, rounds: list[dict[str, Rate]]) -> list[Answer]:
    made = []
    for question in (question for question in QUESTIONS if question.game == game):
        pairs = [(one.get(question.above), one.get(question.below)) for one in rounds]
        ratios = [_unit(a, question.unit) / _unit(b, question.unit) for a, b in pairs if a and b]
        if ratios:
            made.append(Answer(question, statistics.median(ratios), min(ratios), max(ratios), len(ratios)))
    return made


def _unit(one: Rate, unit: str) -> float:
    value = getattr(one, unit)
    assert value, f"nobody counts {unit}"
    return float(value)


def row(answer: Answer) -> str:
    question, sign = answer.question, "≤" if answer.question.at_most else "≥"
    names = f"{question.game}: {question.above} / {question.below}"
    spread = f"{answer.low:.3g} to {answer.high:.3g}"
    return f"| {names} | {answer.median:.3g} | {spread} | {sign} {question.gate:g} | {sign} {question.aim:g} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=0.4, help="of processor, for each contender in each round")
    parser.add_argument("--only", action="append", help="only this game, `older` or `single`; may be repeated")
    parser.add_argument("--yardstick", type=Path, help="a folder with ft_bespoke.py and ft.c")
    parser.add_argument("--older", type=Path, help="a checkout of an older version, to play the same matches")
    parser.add_argument("--json", type=Path, help="a file for all figures")
    wanted = parser.parse_args()
    if wanted.rounds < 1 or wanted.seconds <= 0:
        parser.error("rounds and seconds must be above 0")
    made: list[dict[str, Any]] = []
    print("| ratio | median | range | gate | aim |\n|---|---|---|---|---|")
    for game in dict.fromkeys(question.game for question in QUESTIONS):
        if wanted.only and game not in wanted.only:
            continue
        rounds = []
        for one in measured(game, wanted.rounds, wanted.seconds, wanted.yardstick):
            rounds.append(one)
            if sys.stderr.isatty():
                print(f"\r\x1b[K{game}: round {len(rounds)} of {wanted.rounds}", end="\r", file=sys.stderr)
        for answer in answers(game, rounds):
            print(row(answer), flush=True)
        made.append(
            {
                "game": game,
                "rates": [{name: asdict(each) for name, each in one.items()} for one in rounds],
                "ratios": [asdict(answer) for answer in answers(game, rounds)],
            }
        )
    if wanted.older and (not wanted.only or "older" in wanted.only):
        for line in versions.rows(wanted.older.absolute(), wanted.rounds, wanted.seconds):
            print(line, flush=True)
    if not wanted.only or "single" in wanted.only:
        for line in singles(wanted.rounds):
            print(line, flush=True)
    if wanted.json:
        wanted.json.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
