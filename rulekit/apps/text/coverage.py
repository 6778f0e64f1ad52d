"""`rulekit text coverage`: rule coverage; which clauses, rules, cards and readings examples and matches exercise."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.engine_notice import tell_without_webassembly
from rulekit.apps.language import spoken
from rulekit.apps.progress import is_stopped
from rulekit.diagnostics import printable_translation
from rulekit.loading import load
from rulekit.play.state.value import Value
from rulekit.record import strict_json
from rulekit.record.strict_json import Json
from rulekit.tools.coverage.clause_coverage import Agreed, Counted, Coverage, Line, Way
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.language.translation import Tongue
from rulekit.tools.series.option_values import chosen
from rulekit.tools.series.worker_processes import process_pool, results
from rulekit.values import define

_CLOSE = 20
"""Matches that are looked at event by event."""


@click.command("coverage")
@o.takes(
    o.FILE,
    o.games("How many random matches.", 10**7),
    o.players("every number in turn"),
    o.option(),
    o.seed("coverage"),
)
@o.JOBS
@click.option("--never", is_flag=True, help="Only what no example, or no match, exercises.")
@o.takes(o.as_json("The table as one JSON object."), o.LANG)
def command(
    file: str,
    games: int,
    players: int | None,
    options: tuple[str, ...],
    seed: str,
    jobs: int,
    never: bool,
    as_json: bool,
    lang: str,
) -> int:
    """What is exercised of the game in FILE, clause by clause.

    By which of its examples, and in how many random matches; of what never
    happened in the matches the reason: never reached, a condition that was
    never true, or a line before it that always goes elsewhere.  A clause
    counts where the line, branch, row or define that it stands at does.
    Then the conditions that never held, or never failed, in the matches that
    looked at them.  Ctrl-C shows what is known by then.

    \b
    rulekit text coverage games/NAME.rules --games 1000 --never
    """
    game = load(file)
    tongue = spoken(lang, game)
    agreed = chosen(game, None, options)
    seats = (players,) if players is not None else tuple(range(game.least, min(game.most, game.least + 4) + 1))
    tell_without_webassembly()
    coverage, work = Coverage(game), _Work(file, agreed, seats, seed, games)
    stopped = is_stopped(_look(coverage, work, jobs), lambda what, s: _words(coverage, games, what, s, tongue))
    failures = coverage.find_failures()
    lines = [line for line in coverage.lines() if not never or line.is_never or not line.examples]
    if as_json:
        one_way: list[Json] = [_way_data(way) for way in coverage.ways()]
        rows: list[Json] = [_data(line) for line in lines]
        told: Json = {
            "games": coverage.games,
            "failures": failures.data(),
            "stopped": stopped,
            "lines": rows,
            "conditions": one_way,
        }
        click.echo(strict_json.dumps(told))
    else:
        click.echo("\n".join(_table(lines, coverage, failures, tongue, stopped=stopped)))
    return FOUND if failures else DONE


@define
class _Work:
    """What is played: the matches are shared out evenly among the numbers of players."""

    file: str
    options: dict[str, Value]
    seats: tuple[int, ...]
    seed: str
    games: int

    def parts(self) -> Iterator[tuple[Agreed, int]]:
        """What is agreed and the number of matches."""
        each, more = divmod(self.games, len(self.seats))
        for index, seats in enumerate(self.seats):
            yield Agreed(seats, self.options), each + (index < more)

    def pieces(self, jobs: int) -> Iterator[tuple[Agreed, str, int, int]]:
        """The same in pieces for so many workers: what is agreed, the seed, the first match and how many."""
        for agreed, games in self.parts():
            cuts = [games * number // jobs for number in range(jobs + 1)]
            yield from ((agreed, self.seed, a, b - a) for a, b in pairwise(cuts) if b > a)


def _look(coverage: Coverage, work: _Work, jobs: int) -> Iterator[str]:
    """Examples and matches, one after the other: what is looked at."""
    for _ in coverage.look_at_examples():
        yield "bar-examples"
    for _ in _alone(coverage, work) if jobs == 1 else _together(coverage, work, jobs):
        yield "bar-matches"
    close = Agreed(work.seats[0], work.options)
    for _ in coverage.look_closely(close, min(_CLOSE, work.games), work.seed):
        yield "bar-closely"


def _words(coverage: Coverage, games: int, what: str, seconds: float, tongue: Tongue) -> str:
    done, every = tongue.grouped(coverage.started), tongue.grouped(games)
    return tongue.say(what, done=done, all=every, seconds=f"{seconds:.0f}")


def _alone(coverage: Coverage, work: _Work) -> Iterator[None]:
    for agreed, games in work.parts():
        for _ in coverage.play(agreed, games, work.seed):
            yield None


def _together(coverage: Coverage, work: _Work, jobs: int) -> Iterator[None]:
    """The same matches, by several processes."""
    for counted in results(process_pool(jobs, _coverage_of, work.file), _piece, work.pieces(jobs)):
        coverage.join(counted)
        yield None


def _coverage_of(file: str) -> Coverage:
    return Coverage(load(file))


def _piece(mine: Coverage, agreed: Agreed, seed: str, first: int, count: int) -> Counted:
    mine.forget()
    for _ in mine.play(agreed, count, seed, first):
        pass
    return mine.counted()


# ---------------------------------------------------------------- telling


def _table(
    lines: list[Line], coverage: Coverage, failures: Failures, tongue: Tongue, *, stopped: bool
) -> Iterator[str]:
    say, count = tongue.say, tongue.count
    examples, matches = count("some-examples", len(coverage.game.scenarios)), count("some-matches", coverage.games)
    yield say("exercised-stopped" if stopped else "exercised", matches=matches, examples=examples)
    yield from failures.lines(tongue)
    heads = [f"{say(id_):>8}" for id_ in ("column-examples", "column-matches")]
    yield f"{'':30} {' '.join(heads)}"
    for line in lines:
        yield _row(line, coverage.games, tongue, [len(head) for head in heads])
    never = sum(line.is_never for line in lines)
    yield say("never-and-bare", never=never, bare=sum(not line.examples for line in lines))
    ways = list(coverage.ways())
    if ways:
        yield from ("", say("one-way"), *(_way_row(way, tongue) for way in ways))


def _way_row(way: Way, tongue: Tongue) -> str:
    clauses = "".join(f"  @{clause}" for clause in way.clauses)
    examples = f"  ({tongue.count('some-examples', len(way.examples))})" if way.examples else ""
    said = tongue.say(f"way-{way.missing}", line=way.span.line, test=way.text)
    return f"{printable_translation(said)}{clauses}{examples}"


def _row(line: Line, games: int, tongue: Tongue, widths: list[int]) -> str:
    share = "" if line.games is None else f"{100 * line.games / max(games, 1):.1f}%"
    why = "" if line.why is None else f"  {printable_translation(line.why.by(tongue))}"
    name = printable_translation(f"{tongue.say(f'sort-{line.kind}')} {line.name.removeprefix(f'{line.kind} ')}")
    return f"{name[:30]:30} {len(line.examples) or '-':>{widths[0]}} {share:>{widths[1]}}{why}".rstrip()


def _data(line: Line) -> Json:
    return {
        "kind": line.kind,
        "name": line.name,
        "line": line.span.line,
        "text": line.text,
        "examples": list(line.examples),
        "games": line.games,
        "why": "" if line.why is None else str(line.why),
    }


def _way_data(way: Way) -> Json:
    return {
        "test": way.text,
        "line": way.span.line,
        "clauses": list(way.clauses),
        "missing": way.missing,
        "games": way.games,
        "examples": list(way.examples),
    }
