"""A soak test: random matches under everything that can be agreed; none may fail, refuse what it offers, or never end.

    python -m tests.soak.games --games 200 --jobs 2 --seed 1

Every combination of a game's yes/no variants, and every value of every
option with those variants off and on, for every number of players.  Prints
one line of JSON; each failure with the command that plays it again.
"""

from __future__ import annotations

import argparse
import json
import shlex
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed

from attrs import define, field, frozen

from rulekit import Action, Game, LimitError, notation, outcome
from rulekit.bots.players.random_bot import RandomBot
from rulekit.play import invariants
from rulekit.play.engine import start
from rulekit.play.machine.working_state import thaw
from rulekit.record.match import Match
from tests.generators.combinations import Combination, covering, every
from tests.generators.random_matches import GAMES, game

MOST = 5_000
"""Decisions; a match of the games that ship has some hundreds at most."""
CHUNK = 5
"""Matches of one combination that are played in one go."""
STOPPED = 130
QUIET = 30.0
"""Seconds between two lines of progress in a file."""


@frozen
class Job:
    """Matches of one combination.  checked: secrets are watched in play, too."""

    combination: Combination
    numbers: range
    master: str
    checked: bool = False


@frozen
class Failure:
    combination: Combination
    seed: str
    reason: str

    @property
    def command(self) -> str:
        """What plays the match again, up to what fails; a broken invariant and a shown secret show only here."""
        chosen = [f"--option={name}={notation(value)}" for name, value in self.combination.options]
        where = f"games/{self.combination.path.name}"
        return shlex.join(
            ["rulekit", "run", where, f"--players={self.combination.players}", f"--seed={self.seed}", *chosen]
        )


@frozen
class Played:
    matches: int
    decisions: int
    failures: tuple[Failure, ...] = ()


def play(job: Job) -> Played:
    """The matches of a job, each by the same bots as those of `rulekit run`."""
    decisions = 0
    failures: list[Failure] = []
    rules = game(job.combination.path)
    for number in job.numbers:
        seed = job.combination.seed(job.master, number)
        tally = [0]
        try:
            one(rules, job.combination, seed, tally, checked=job.checked)
        except Exception as fault:
            reason = f"after {tally[0]} decisions: {type(fault).__name__}: {fault}"
            failures.append(Failure(job.combination, seed, reason))
        decisions += tally[0]
    return Played(len(job.numbers), decisions, tuple(failures))


def one(rules: Game, combination: Combination, seed: str, tally: list[int], *, checked: bool = False) -> None:
    """One match to its end; raises what goes wrong.  tally[0] counts decisions."""
    step = start(rules, dict(combination.options), combination.players, seed, checked=checked)
    match = Match(step.state, step.events)
    invariants.check(thaw(match.state))
    while asked := match.decisions():
        if tally[0] == MOST:
            raise LimitError("endless", f"no end within {MOST} decisions")
        bot = RandomBot(seed, match.state.setting.seats[asked[0].seat])
        match.act(Action(asked[0].seat, bot.answer(asked[0], match.answers(asked[0].seat))))
        invariants.check(thaw(match.state))
        tally[0] += 1
    _ended(match)


def _ended(match: Match) -> None:
    end = outcome(match.state)
    assert end is not None, "nothing is asked, but the match has not ended"
    placed = Counter(seat for place in end.ranking for seat in place)
    assert set(placed) | set(end.defeated) >= set(range(match.state.setting.players)), f"not all have a place: {end}"
    assert not placed or max(placed.values()) == 1, f"somebody has two places: {end}"


# ---------------------------------------------------------------- many


def jobs(combinations: list[Combination], games: int, master: str, *, checked: bool) -> Iterator[Job]:
    """The first matches of all combinations, then the next of all, so that a run cut short has met everything."""
    for first in range(0, games, CHUNK):
        for combination in combinations:
            yield Job(combination, range(first, min(first + CHUNK, games)), master, checked)


@define
class Report:
    """What was done so far."""

    matches: int = 0
    decisions: int = 0
    failures: list[Failure] = field(factory=list)
    combinations: set[Combination] = field(factory=set)
    began: float = field(factory=time.perf_counter)

    def add(self, job: Job, played: Played) -> None:
        self.matches += played.matches
        self.decisions += played.decisions
        self.combinations.add(job.combination)
        for failure in played.failures:
            self.failures.append(failure)
            print(f"\nFAILED {failure.combination}: {failure.reason}\n  {failure.command}", flush=True)

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.began

    def progress(self, wanted: int) -> str:
        rate = self.matches / max(self.seconds, 0.001)
        left = (wanted - self.matches) / max(rate, 0.001)
        failed = f", {len(self.failures)} FAILED" if self.failures else ""
        return f"{self.matches} of {wanted} matches, {rate:.1f} a second, {_span(left)} left{failed}"

    def line(self, **facts: object) -> str:
        done = {
            "matches": self.matches,
            "decisions": self.decisions,
            "combinations": len(self.combinations),
            "failures": len(self.failures),
            "seconds": round(self.seconds, 1),
        }
        return json.dumps(done | facts)


def _span(seconds: float) -> str:
    minutes = round(seconds / 60)
    if minutes < 2:
        return f"{round(seconds)} s"
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.1f} h"


def run(args: argparse.Namespace, report: Report) -> None:
    """Play and report, until all is played or somebody stops it."""
    combinations, shown = selected(args), [-QUIET]
    wanted = jobs(combinations, args.games, args.seed, checked=args.checked)
    workers = max(1, args.jobs)
    pool = ProcessPoolExecutor(workers, initializer=signal.signal, initargs=(signal.SIGINT, signal.SIG_IGN))
    try:
        for job, played in _results(pool, wanted, workers):
            report.add(job, played)
            _show(report.progress(args.games * len(combinations)), shown)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _results(pool: ProcessPoolExecutor, wanted: Iterator[Job], workers: int) -> Iterator[tuple[Job, Played]]:
    """Results as they come; only a few jobs wait in the pool, so that it can be stopped at once."""
    running: dict[Future[Played], Job] = {}
    while True:
        while len(running) < 2 * workers and (job := next(wanted, None)) is not None:
            running[pool.submit(play, job)] = job
        if not running:
            return
        done = next(as_completed(running))
        yield running.pop(done), done.result()


def _show(text: str, last: list[float]) -> None:
    """On a terminal one line that changes; elsewhere a line now and then."""
    now = time.monotonic()
    if sys.stderr.isatty():
        print(f"\r{text:<78}", end="", file=sys.stderr, flush=True)
    elif now - last[-1] > QUIET:
        last.append(now)
        print(text, file=sys.stderr, flush=True)


def selected(args: argparse.Namespace) -> list[Combination]:
    result: list[Combination] = []
    for path in GAMES:
        if args.game and path.stem not in args.game:
            continue
        found = covering(path, game(path)) if args.sample else every(path, game(path))
        result += [each for each in found if args.match in str(each)]
    return result


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1, help="matches of each combination")
    parser.add_argument("--game", action="append", help="only this game; may be repeated")
    parser.add_argument("--match", default="", help="only combinations whose text, as in a failure, holds this")
    parser.add_argument("--sample", action="store_true", help="few combinations in which each value is met")
    parser.add_argument("--checked", action="store_true", help="also watch in play that no rule shows a secret")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", default="1")
    return parser.parse_args()


def main() -> int:
    args, report, finished = arguments(), Report(), True
    try:
        run(args, report)
    except KeyboardInterrupt:
        finished = False
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(report.line(seed=args.seed, finished=finished))
    if not finished:
        return STOPPED
    return 1 if report.failures else 0


if __name__ == "__main__":
    raise SystemExit(main())
