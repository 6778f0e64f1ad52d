"""`rulekit simulate`: a Monte Carlo study of a game, thousands of matches between bots.

Imports little at first: what was compiled before is played at once, without
reading the rules again.
"""

from __future__ import annotations

import json
from contextlib import closing
from typing import Any

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.progress import Progress, ProgressLine, deferred_interrupt
from rulekit.apps.series import disk_cache
from rulekit.apps.series.batches import batches_of
from rulekit.apps.series.disk_cache import CacheEntry
from rulekit.apps.series.series_options import MOST, SimulateOptions, machine_options, series_options
from rulekit.compiler.runtime import module_cache, wasm_host
from rulekit.compiler.runtime.module_cache import CachedSeries
from rulekit.compiler.runtime.wasm_host import Missing
from rulekit.tools.estimation import summary
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.estimation.summary import SeriesReport
from rulekit.tools.language.translation import SOURCE


@click.command(name="simulate")
@o.takes(o.FILE, o.games("How many matches.", MOST))
@series_options
@o.takes(o.CHOICES, o.folder("tables, summary.json and report.html"))
@click.option("--checked", is_flag=True, help="Test the invariants in every match, not in every hundredth.")
@o.takes(o.as_json("The report as one JSON object."), o.LANG)
@machine_options
@click.option("--parquet", is_flag=True, help="With --out: the tables also as Parquet, for programs that read that.")
def command(
    file: str,
    games: int,
    options: tuple[str, ...],
    ruleset: str | None,
    out: str | None,
    parquet: bool,
    as_json: bool,
    lang: str,
    **how: Any,
) -> int:
    """Play many matches of the game in FILE between bots, and report.

    \b
    rulekit simulate games/NAME.rules --games 100000 --players 4
    rulekit simulate my.rules --bots mcts:200,random --games 200
    rulekit simulate my.rules --games 20000 --out results

    What the rules call an invariant is tested in every hundredth match.

    Ctrl-C reports what is done so far.  Every match can be looked at:
    `rulekit run FILE --players N --seed SEED#NUMBER`.  With several bots each
    sits one seat further on in every match.
    """
    if parquet and out is None:
        raise click.UsageError("--parquet goes with --out DIR")
    written = SimulateOptions(options, ruleset, out, as_json, parquet, lang)
    ready = _kept(file, written, how)
    if ready is not None:
        return _quickly(file, games, written, how, ready)
    from rulekit.apps.series.simulation_run import simulate

    return simulate(file, games, written, how)


def _kept(file: str, written: SimulateOptions, how: dict[str, Any]) -> tuple[CacheEntry, CachedSeries] | None:
    """The series in a module that was compiled before, where that can do what is asked."""
    plain = how["engine"] in ("auto", "wasm") and how["bots"] is None and how["backend"] == "here"
    if not plain or written.out is not None or how["scheduler"] or written.lang != SOURCE.language:
        return None
    try:
        host = wasm_host.host()
    except Missing:
        return None
    key = disk_cache.CacheKey(file, how["players"], written.options, written.ruleset, host.reserved)
    found = disk_cache.find(key)
    if found is None:
        return None
    how["seed"] = o.seed_of(how["seed"])
    try:
        one = module_cache.open_series(found.module, how["seed"], host)
    except Exception:
        # Whatever another wasmtime says of it: the road from the rules is always there.
        return None
    if how["checked"]:
        one.test_all()
    return found, one


def _quickly(
    file: str, games: int, written: SimulateOptions, how: dict[str, Any], found: tuple[CacheEntry, CachedSeries]
) -> int:
    """Play and report without reading the rules."""
    entry, one = found
    tally, words = Tally(entry.module.sheet), entry.module.sheet.row_words
    with closing(batches_of(one, games, how["jobs"], words)) as made, Progress(games) as progress:
        for batch in made:
            with deferred_interrupt():
                tally.add(batch.first, batch.rows, batch.sums, words)
            progress.show_matches(tally.games)
    failures = None
    if tally.unfinished:
        failures = Failures(tally.games, len(tally.unfinished))
        # Whoever stops a series does not wait until failed matches are played again.
        if not progress.stopped:
            with ProgressLine():
                failures = _find_failures(file, written, how, tally)
    told = SeriesReport(
        file, entry.options, how["seed"], one.engine, tally, stopped=progress.stopped, failures=failures
    )
    print(json.dumps(summary.plain(told)) if written.as_json else "\n".join(summary.lines(told)))
    return DONE if not tally.unfinished else FOUND


def _find_failures(file: str, written: SimulateOptions, how: dict[str, Any], tally: Tally) -> Failures:
    """Read the rules after all, to see where matches failed."""
    from rulekit.apps.series.series_options import work_of
    from rulekit.loading import load
    from rulekit.tools.series.option_values import chosen

    game = load(file, examples=False)
    work, _ = work_of(game, file, chosen(game, written.ruleset, written.options), how)
    return work.find_failures(game, tally.unfinished, tally.games)
