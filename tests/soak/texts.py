"""Mutated rules texts: none may raise anything but what it is meant to, or take over two seconds of a processor.

Mutation-based fuzzing.

    python -m tests.soak.texts --count 100000 --jobs 2 --seed 1

Each text is one of the games with a few tokens, characters or lines
deleted, doubled, exchanged, replaced or taken from another game.  It is
checked; if it checks, it is played for twenty decisions.  Prints one line of
JSON; a failing text is kept in tests/corpus, which the tests replay.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import signal
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

from rulekit import Action, BadSetup, LimitError, RuleError, apply, decisions, start
from rulekit.diagnostics import render_all
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.play.state import counter_rng
from rulekit.source import Source
from tests.paths import CASES, CORPUS, EXAMPLES, GAMES

TEXTS = [path.read_text(encoding="utf-8") for path in sorted(GAMES.glob("*.rules"))]
SMALL = [
    part
    for path in [*sorted(CASES.rglob("*.rules")), *sorted(EXAMPLES.glob("*.rules"))]
    for part in path.read_text(encoding="utf-8").split("# ---- chunk\n")
]
"""The tests' own cases: every construct in a few lines, a tenth of the work of a whole game."""
HEAD, END = 'game "Case"\n    players 2..4\n', "\nresult\n    rank players\n"
TOKENS = re.compile(r"[ \t]+|\n|\w+|\"[^\"\n]*\"|[^\w\s]")
ODD = (
    "(", ")", "[", "]", "|", '"', "'", "@X-1", "> X", "\t", "    ", "\n", "\x00", "\u202e", "é", "0", "-1",
    "9007199254740993", "none", "it", "repeat", "where", "whose", "do", "players", "1..", "each player", "only if",
)  # fmt: skip
SECONDS = 2.0


class Chooser:
    """Numbers from a named stream, the same everywhere."""

    def __init__(self, seed: str) -> None:
        self._key, self._index = counter_rng.stream_key(counter_rng.seed_number(seed), "mutations"), 0

    def below(self, n: int) -> int:
        value, self._index = counter_rng.below(self._key, self._index, n)
        return value


def mutated(choose: Chooser, small: bool) -> str:
    texts = SMALL if small else TEXTS
    text = texts[choose.below(len(texts))]
    if small:
        text = text if text.lstrip().startswith("game ") else HEAD + text
        text = text if "\nresult" in text or "extends" in text else text + END
    if not small and choose.below(2) == 0:
        lines = text.split("\n")
        start_ = choose.below(len(lines))
        text = "\n".join(lines[:3] + lines[start_ : start_ + 40])
    for _ in range(1 + choose.below(4)):
        text = _once(text, choose)
    return text


def _once(text: str, choose: Chooser) -> str:
    by_line = choose.below(2) == 0
    parts = text.split("\n") if by_line else TOKENS.findall(text)
    if not parts:
        return text
    at, other = choose.below(len(parts)), choose.below(len(parts))
    form = choose.below(6)
    if form == 0:
        del parts[at]
    elif form == 1:
        parts.insert(other, parts[at])
    elif form == 2:
        parts[at], parts[other] = parts[other], parts[at]
    elif form == 3:
        parts[at] = ODD[choose.below(len(ODD))]
    elif form == 4:
        stranger = TEXTS[choose.below(len(TEXTS))]
        strange = stranger.split("\n") if by_line else TOKENS.findall(stranger)
        parts[at] = strange[choose.below(len(strange))]
    else:
        parts.insert(at, ODD[choose.below(len(ODD))])
    return ("\n" if by_line else "").join(parts)


def play(game: Game, choose: Chooser, most: int = 20) -> str:
    """Twenty decisions of a game that checks; how it ended."""
    try:
        step = start(game, seed="soak")
        for _ in range(most):
            waiting = decisions(step.state)
            if not waiting:
                return "over"
            decision = waiting[choose.below(len(waiting))]
            count = decision.least if decision.several else 1
            answer = (
                decision.options[:count] if decision.several else decision.options[choose.below(len(decision.options))]
            )
            step = apply(step.state, Action(decision.seat, answer))
    except LimitError:
        return "limit"
    except (RuleError, BadSetup):
        return "rule error"
    return "played"


def one(text: str, choose: Chooser) -> str:
    """What became of a text; anything raised here is a fault of ours."""
    source = Source("mutant.rules", text)
    loaded = examine_text(source)
    render_all(loaded.findings, loaded.sources)
    return play(loaded.game, choose) if loaded.game is not None else "findings"


def _late(*_: object) -> None:
    raise TimeoutError("took over ten seconds of the processor")


def batch(job: tuple[str, int, int, bool]) -> tuple[Counter[str], list[tuple[str, str]], float]:
    seed, first, count, small = job
    tally: Counter[str] = Counter()
    failed: list[tuple[str, str]] = []
    slowest = 0.0
    signal.signal(signal.SIGPROF, _late)
    for number in range(first, first + count):
        choose = Chooser(f"{seed}:{number}")
        text = mutated(choose, small)
        began = time.process_time()
        # By the processor's time: on a busy machine a text may wait for its turn for as long.
        signal.setitimer(signal.ITIMER_PROF, 10)
        try:
            tally[one(text, choose)] += 1
        except Exception as fault:
            failed.append((text, f"{type(fault).__name__}: {fault}"))
        signal.setitimer(signal.ITIMER_PROF, 0)
        taken = time.process_time() - began
        slowest = max(slowest, taken)
        if taken > SECONDS:
            failed.append((text, f"{taken:.1f} s"))
    return tally, failed, slowest


def keep(text: str, reason: str) -> None:
    CORPUS.mkdir(exist_ok=True)
    name = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    (CORPUS / f"{name}.rules").write_text(text, encoding="utf-8")
    print(json.dumps({"failed": name, "reason": reason[:200]}), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=2000)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--small", action="store_true", help="mutate the tests' cases instead of whole games")
    args = parser.parse_args()
    size = max(1, min(500, args.count // max(1, args.jobs)))
    jobs = [(args.seed, first, min(size, args.count - first), args.small) for first in range(0, args.count, size)]
    tally: Counter[str] = Counter()
    failures, slowest, began = 0, 0.0, time.perf_counter()
    with ProcessPoolExecutor(args.jobs) as pool:
        for done, failed, slow in pool.map(batch, jobs):
            tally += done
            slowest = max(slowest, slow)
            failures += len(failed)
            for text, reason in failed:
                keep(text, reason)
    seconds = round(time.perf_counter() - began, 1)
    result = {
        "count": args.count,
        "failures": failures,
        "slowest": round(slowest, 2),
        "seconds": seconds,
        "seed": args.seed,
    }
    print(json.dumps(result | dict(tally)))
    return 1 if failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
