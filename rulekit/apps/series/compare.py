"""`rulekit compare`: a paired comparison of two versions of a game (common random numbers), with a sequential test."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Generator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path
from typing import Any

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import spoken
from rulekit.apps.progress import Progress, deferred_interrupt
from rulekit.apps.series.batches import Work, Workers, batches, make_series_or_fail
from rulekit.apps.series.output_folder import error_text, new_folder, write_json
from rulekit.apps.series.series_options import MOST, machine_options, series_options, work_of
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.tools.compare import comparison_text, paired_comparison
from rulekit.tools.compare.paired_comparison import Pair, PairedComparison
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.language.translation import Tongue
from rulekit.tools.series import simulation
from rulekit.tools.series.option_values import chosen
from rulekit.tools.series.simulation import MatchResult, Series

_ENOUGH = re.compile(r"(\d{1,2}(?:\.\d{1,6})?)\s*%")


@click.command(name="compare")
@o.takes(o.ONE_OR_TWO_FILES, o.SIDES, o.option("An option of both."))
@o.games("How many pairs; else 10,000, with --until 1,000,000.", MOST, default=None, least=2)
@click.option("--until", metavar="0.5%", help="Stop when all wins differ clearly, or by no more than this.")
@series_options
@o.takes(o.folder("compare.json and report.html"), o.as_json("The report as one JSON object."), o.LANG)
@machine_options
def command(
    files: tuple[str, ...],
    first: tuple[str, ...],
    second: tuple[str, ...],
    options: tuple[str, ...],
    games: int | None,
    until: str | None,
    out: str | None,
    as_json: bool,
    lang: str,
    **how: Any,
) -> int:
    """Say what differs between two versions of a game, and how surely.

    \b
    rulekit compare games/NAME.rules my_variant.rules
    rulekit compare games/NAME.rules --a wake_at=below_one --b wake_at=one
    rulekit compare games/NAME.rules my.rules --until 0.5%

    Match by match both versions have the same seed.  With --until it is asked
    at fixed numbers of pairs whether the answer is clear; the intervals of
    wins stay valid however often that is.  Ctrl-C reports what is done so far.
    """
    if len(files) > 2:
        raise click.UsageError("compare takes one file or two")
    enough = None if until is None else _enough(until)
    games_of = [load(file, examples=False) for file in dict.fromkeys(files)]
    versions = [games_of[0], games_of[-1]]
    tongue = spoken(lang, versions[0])
    works, workers = _works(versions, files, ((*options, *first), (*options, *second)), how)
    folder = None if out is None else new_folder(out)
    sides = [make_series_or_fail(work, game) for work, game in zip(works, versions, strict=True)]
    made = _contrast(sides[0], sides[1])
    most = games or (10_000 if enough is None else 1_000_000)
    stopped = _compare(made, works, sides, workers, most, enough)
    failures = _find_failures(made, works, versions)
    told = comparison_text.plain(made, failures)
    print(json.dumps(told) if as_json else "\n".join(comparison_text.lines(made, tongue, failures)))
    if stopped and not as_json:
        print(tongue.say("was-stopped"))
    if folder is not None:
        _write(folder, made, works, tongue, failures)
    return FOUND if made.unended else DONE


def _find_failures(
    made: PairedComparison, works: Sequence[Work], versions: Sequence[Game]
) -> tuple[Failures, Failures]:
    """The failed matches of both versions, with the lines at which they failed."""
    first, second = (
        work.find_failures(game, failed, made.games)
        for work, game, failed in zip(works, versions, made.failed, strict=True)
    )
    return first, second


def _write(
    folder: Path,
    made: PairedComparison,
    works: Sequence[Work],
    tongue: Tongue,
    failures: tuple[Failures, Failures],
) -> None:
    from rulekit.tools.report.pages import comparison_page

    titles = tuple(_title(work) for work in works)
    page = comparison_page(made, titles, works[0].seed, tongue, failures)
    try:
        write_json(folder / "compare.json", comparison_text.plain(made, failures))
        library.write_whole(folder / "report.html", page)
    except OSError as fault:
        raise Failed(f"error: {fault.filename or folder}: {error_text(fault)}") from None
    print(f"written: {folder}", file=sys.stderr)


def _enough(text: str) -> float:
    found = _ENOUGH.fullmatch(text.strip())
    if found is None or not 0 < float(found[1]) < 100:
        raise click.UsageError("--until: a share above 0%, such as 0.5%")
    return float(found[1]) / 100


def _works(
    versions: list[Game], files: tuple[str, ...], options: tuple[tuple[str, ...], ...], how: dict[str, Any]
) -> tuple[list[Work], Workers]:
    made = []
    for game, file, written in zip(versions, (files[0], files[-1]), options, strict=True):
        work, workers = work_of(game, file, chosen(game, None, written), how)
        how = {**how, "seed": work.seed, "players": work.seats}
        made.append(work)
    return made, workers


def _title(work: Work) -> str:
    return " ".join([work.file, *(f"{name}={value}" for name, value in work.options.items())])


def _contrast(a: Series, b: Series) -> PairedComparison:
    """Of the figures that both versions have."""
    if a.seats != b.seats:
        raise Failed("error: the two versions do not have the same seats")
    return PairedComparison(a.seats, tuple(one for one in a.counters.words if one in b.counters.words))


def _compare(
    made: PairedComparison, works: list[Work], sides: list[Series], workers: Workers, most: int, enough: float | None
) -> bool:
    """Fill it; whether Ctrl-C came before it was done."""
    with Progress(most) as progress, closing(_pairs(made, works, sides, workers, most)) as pairs:
        for look in paired_comparison.looks(most):
            for pair in islice(pairs, look - made.games):
                with deferred_interrupt():
                    made.add(pair)
                progress.show_matches(made.games)
            if enough is not None and made.is_clear(enough):
                break
    return progress.stopped


def _pairs(
    made: PairedComparison, works: list[Work], sides: list[Series], workers: Workers, most: int
) -> Generator[Pair, None, None]:
    kept = made.figures
    with (
        closing(_matches(works[0], sides[0], workers, most, kept)) as a,
        closing(_matches(works[1], sides[1], workers, most, kept)) as b,
    ):
        yield from paired_comparison.paired(a, b)


def _matches(
    work: Work, one: Series, workers: Workers, most: int, kept: tuple[tuple[str, int | None], ...]
) -> Generator[MatchResult, None, None]:
    """Matches in order, with the figures that are kept."""
    words = one.counters.words
    places = tuple(words[name] for name in kept)
    with closing(batches(work, one, most, workers, simulation.result_words(one, places))) as made:
        for batch in made:
            for index, row in enumerate(batch.rows, batch.first):
                yield simulation.decoded(one, index, row)
