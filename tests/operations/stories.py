"""All that is told of the small game around each operation, as text, and a digest of it.

`python -m tests.operations.stories` prints a line for each sample; with a number, the whole story of that
one, so that two versions can be compared; `--renew` writes `tests/operation_stories.txt`.  A story that is another
now means that an operation does something else, or that something else is said of it.
"""

from __future__ import annotations

import argparse
import hashlib
from collections.abc import Iterator

from rulekit import Action, RuleError, apply, decisions, outcome, start
from rulekit.bots.players.random_bot import RandomBot
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.analysis.state_hash import with_state_hash
from rulekit.tools.explain.execution_trace import Caused, Ran, Tracer
from rulekit.tools.series import simulation
from tests import paths
from tests.operations.checks import MATCHES, SEED, told_by_coverage
from tests.operations.samples import (
    LISTENERS,
    MORE,
    NOT_OWN,
    OWN,
    SAMPLES,
    apart_text,
    reaction,
)  # fmt: skip

KEPT = paths.ROOT / "tests" / "operation_stories.txt"


def texts() -> Iterator[tuple[str, str]]:
    """The name of every small game, and its rules."""
    reacts = "\n".join(reaction(piece, word, "goes on") for piece, word in LISTENERS)
    for number, sample in enumerate(SAMPLES):
        yield f"{number} {sample.op}", sample.text("n", reacts)
    for number, sample in enumerate(OWN):
        yield f"own {number} {sample.op}", apart_text(sample)
    for number, sample in enumerate(NOT_OWN):
        yield f"not own {number} {sample.op}", apart_text(sample)
    yield from MORE.items()


def story(text: str) -> Iterator[str]:
    """What is found before the game is played, what happens in a match and why, what coverage says."""
    loaded = examine_text(Source("sample.rules", text))
    yield from (f"{finding.code} {finding.span.line} {finding.title}" for finding in loaded.findings)
    if loaded.game is None:
        return
    yield from _match(loaded.game)
    for line in told_by_coverage(loaded.game).lines():
        yield f"{line.kind} {line.name} {line.games} {line.why}"
    hashed, variable = with_state_hash(loaded.game, 2)
    one = simulation.series(hashed, {}, 2, SEED)
    word = one.counters.storage.word_base[variable]
    yield f"state hashes {[row[2] for row in one.rows(0, MATCHES, (word,))]}"


def _match(game: Game) -> Iterator[str]:
    tracer = Tracer(game)
    reader = tracer.reader()
    step = start(tracer.traced, seats=2, seed=SEED)
    bots = [RandomBot(SEED, name) for name in step.state.setting.seats]
    for turn in range(1000):
        yield from (_told(one) for one in reader.told(step.events, step.state.setting))
        waiting = decisions(step.state)
        if not waiting:
            break
        seat = waiting[0].seat
        answer = bots[seat].answer(waiting[0], turn)
        yield f"{waiting[0].name} of {seat} among {waiting[0].options}: {answer}"
        try:
            step = apply(step.state, Action(seat, answer))
        except RuleError as fault:
            yield f"{fault.code} {fault}"
            break
    yield f"{step.state.steps} steps, {outcome(step.state)}"


def _told(one: Ran | Caused) -> str:
    if isinstance(one, Caused):
        return f"  {one.event.name} {one.event.facts} {one.clauses} because of {[ran.span.line for ran in one.causes]}"
    return f"{one.rule} {one.span.line} {[(reading.text, reading.value) for reading in one.readings]}"


def digest(text: str) -> str:
    return hashlib.sha256("\n".join(story(text)).encode()).hexdigest()[:16]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", nargs="?", help="the name of one game, to print its story")
    parser.add_argument("--renew", action="store_true", help="write the digests of today")
    chosen = parser.parse_args()
    if chosen.name:
        print("\n".join(story(dict(texts())[chosen.name])))
        return
    lines = [f"{name} {digest(text)}" for name, text in texts()]
    print("\n".join(lines))
    if chosen.renew:
        KEPT.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
