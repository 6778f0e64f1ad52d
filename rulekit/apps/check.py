"""`rulekit check`: static analysis; all diagnostics of rules files, each with its place."""

from __future__ import annotations

import json
from collections import Counter

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.language import beside_games, frame
from rulekit.diagnostics import ERROR, NOTE, WARNING, Diagnostic, as_data, render_all
from rulekit.loading import examine
from rulekit.source import Source
from rulekit.tools.language.translation import Tongue


@click.command("check")
@o.takes(o.FILES, o.form("findings", "sarif"), o.LANG)
@click.option("--strict", is_flag=True, help="Warnings count as errors do.")
@click.option("--stops", is_flag=True, help="Tell also which calls may not come back, and what they stop.")
def command(files: tuple[str, ...], form: str, lang: str, strict: bool, stops: bool) -> int:
    """Find what is wrong in rules files, and say where.

    Errors keep a game from being played; warnings are for you to judge.
    Scenarios are run as well, and the setup is tried with the fewest and
    the most players: what fails is an error.

    \b
    rulekit check my_game.rules
    rulekit check games/*.rules --strict
    rulekit check my_game.rules --format json
    rulekit check my_game.rules --format sarif > findings.sarif

    A finding names the place and, if it can, what to write instead:

    \b
    error[unknown-name]: there is no name called `skore`
      my_game.rules:12:10
       12 |     raise skore by 1
          |           ^^^^^
      hint: did you mean `score`?

    Ends with 0 if there are no errors, else with 1.
    """
    found: list[Diagnostic] = []
    sources: dict[str, Source] = {}
    for path in files:
        found = list(dict.fromkeys([*found, *_findings(path, sources, stops)]))
    if form == "json":
        click.echo(json.dumps([as_data(entry) for entry in found], ensure_ascii=False, indent=2))
    elif form == "sarif":
        _tell_sarif(found)
    else:
        _tell(found, sources, len(files), beside_games(lang))
    levels = (ERROR, WARNING) if strict else (ERROR,)
    return FOUND if any(entry.level in levels for entry in found) else DONE


def _findings(path: str, sources: dict[str, Source], stops: bool) -> list[Diagnostic]:
    from rulekit.tools.analysis import setup_check
    from rulekit.tools.examples import runner

    loaded = examine(path)
    sources.update(loaded.sources)
    found = [*loaded.findings, *(loaded.notes if stops else ())]
    if loaded.game is not None:
        found += setup_check.findings(loaded.game)
        found += [runner.finding(result) for result in runner.run_all(loaded.game) if not result.passed]
    return found


def _tell(found: list[Diagnostic], sources: dict[str, Source], files: int, tongue: Tongue) -> None:
    if found:
        click.echo(render_all(found, sources, frame(tongue)) + "\n")
    counts = Counter(entry.level for entry in found)
    what = [tongue.count(f"count-{level}", counts[level]) for level in (ERROR, WARNING, NOTE) if counts[level]]
    click.echo(tongue.count("checked", files, what=", ".join(what) or tongue.say("nothing-found")))


def _tell_sarif(found: list[Diagnostic]) -> None:
    from rulekit.tools.interchange.sarif import Result, sarif

    click.echo(json.dumps(sarif(map(Result, found)), ensure_ascii=False, indent=2))
