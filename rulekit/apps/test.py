"""`rulekit test`: run the scenarios in rules files."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import spoken
from rulekit.diagnostics import Diagnostic, as_data, nearest, render, render_all
from rulekit.loading import Loaded, examine
from rulekit.model.game import Game, Scenario
from rulekit.source import Source
from rulekit.tools.examples import repair, runner
from rulekit.tools.examples.mutation_operators import Edit, Rules, rules_of
from rulekit.tools.examples.repair import Repair
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell.clause_text import clause_words
from rulekit.values import define, field


@define
class _Tally:
    """What was run so far.  broken: findings of files that could not be loaded."""

    results: list[tuple[str, runner.Result]] = field(factory=list)
    broken: list[Diagnostic] = field(factory=list)
    broken_files: int = 0
    sources: dict[str, Source] = field(factory=dict)
    without: list[str] = field(factory=list)
    repairs: dict[tuple[str, int], list[Repair]] = field(factory=dict)
    tongues: dict[str, Tongue] = field(factory=dict)
    games: dict[str, Game] = field(factory=dict)

    @property
    def passed(self) -> int:
        return sum(result.passed for _, result in self.results)

    @property
    def failed(self) -> int:
        return len(self.results) - self.passed + self.broken_files


@click.command("test")
@o.FILES
@click.option("-k", "name", metavar="NAME", default="", help="Only scenarios with these words in their name.")
@click.option("-v", "--verbose", is_flag=True, help="One line for each scenario.")
@click.option("--repair", "mend", is_flag=True, help="What would mend those that fail or are misprints.")
@o.takes(o.form("results"), o.LANG)
def command(files: tuple[str, ...], name: str, verbose: bool, mend: bool, form: str, lang: str) -> int:
    """Run the scenarios in rules files.

    A scenario is an example that runs: a position, what players choose, and
    what must be true then.  Write it at the end of a rules file:

    \b
    scenario "two steps at once"
        players ann, bob
        given ann.marker is 3
        when ann chooses 2
        expect ann.marker is 5

    \b
    rulekit test my_game.rules
    rulekit test my_game.rules -v -k "two steps"

    With --repair every single literal of such an example, then of the rules,
    is tried as something else, and those changes are told with which it passes.

    The last line is `N passed, M failed`; a file that cannot be loaded counts
    as one that failed.  Ends with 0 if all passed, else with 1.
    """
    tally = _Tally()
    games = [(path, _loaded(path, tally)) for path in files]
    tally.games = {path: loaded.game for path, loaded in games if loaded.game is not None}
    tally.tongues = {path: spoken(lang, game) for path, game in tally.games.items()}
    chosen = [(path, loaded, s) for path, loaded in games for s in _named(loaded, name)]
    if name and not chosen and not tally.broken_files:
        raise Failed(f"error: no scenario is called `{name}`" + _hint(name, games))
    _run(chosen, tally, verbose and form == "text", form == "text")
    if mend:
        _repair(chosen, tally, form == "text")
    if form == "json":
        click.echo(json.dumps(_data(tally), ensure_ascii=False, indent=2))
    else:
        _tell(tally)
    return FOUND if tally.failed else DONE


def _loaded(path: str, tally: _Tally) -> Loaded:
    loaded = examine(path)
    tally.sources.update(loaded.sources)
    if loaded.game is not None and not loaded.game.scenarios:
        tally.without.append(path)
    if loaded.game is None:
        tally.broken += [entry for entry in loaded.findings if entry.level == "error"]
        tally.broken_files += 1
    return loaded


def _named(loaded: Loaded, name: str) -> list[Scenario]:
    if loaded.game is None:
        return []
    return [scenario for scenario in loaded.game.scenarios if name.casefold() in scenario.name.casefold()]


def _hint(name: str, games: list[tuple[str, Loaded]]) -> str:
    hint = nearest(name, [scenario.name for _, loaded in games for scenario in _named(loaded, "")])
    return f"\n  hint: {hint}" if hint else ""


def _run(chosen: list[tuple[str, Loaded, Scenario]], tally: _Tally, verbose: bool, progress: bool) -> None:
    hidden = verbose or not progress or not sys.stderr.isatty()
    with click.progressbar(chosen, label="scenarios", file=sys.stderr, hidden=hidden) as bar:
        for path, _, scenario in bar:
            result = runner.run(tally.games[path], scenario)
            tally.results.append((path, result))
            if verbose:
                verdict = tally.tongues[path].say("passed" if result.passed else "failed")
                click.echo(f"{verdict}  {path}: {scenario.name}")


def _repair(chosen: list[tuple[str, Loaded, Scenario]], tally: _Tally, progress: bool) -> None:
    """Look for the smallest changes with which failing and misprinted examples come out."""
    results = {(path, result.scenario.span.line): result for path, result in tally.results}
    rules: dict[str, Rules] = {}
    for path, loaded, scenario in chosen:
        place = (path, scenario.span.line)
        if place in results and results[place].passed and not repair.is_misprint(scenario):
            continue
        if path not in rules:
            rules[path] = rules_of(loaded.sources[scenario.span.source])
        found = repair.in_example(rules[path], scenario)
        tally.repairs[place] = found + repair.in_rules(rules[path], scenario, _watched(scenario, progress))


def _watched(scenario: Scenario, progress: bool) -> Callable[[Iterable[Edit]], Iterable[Edit]]:
    """Progress on a terminal while the changes of rules are tried."""

    def watch(edits: Iterable[Edit]) -> Iterator[Edit]:
        hidden = not progress or not sys.stderr.isatty()
        label = f'mending "{scenario.name}"'
        with click.progressbar(list(edits), label=label, file=sys.stderr, hidden=hidden) as bar:
            yield from bar

    return watch


def _mended(found: list[Repair]) -> Iterator[str]:
    for each in found:
        what = "the example" if each.in_example else "a rule"
        count = len(each.breaks)
        others = f"; {count} other example{'s' * (count != 1)} would fail" if count else ""
        yield f"  {what}: {each.edit}{others}"
    if not found:
        yield "  no single change makes it pass"


def _tell(tally: _Tally) -> None:
    if tally.broken:
        click.echo(render_all(tally.broken, tally.sources) + "\n")
    for path, result in tally.results:
        if not result.passed:
            click.echo("\n".join([render(runner.finding(result), tally.sources), *_acted(tally, path, result), ""]))
    names = {(path, result.scenario.span.line): result.scenario.name for path, result in tally.results}
    for place, found in tally.repairs.items():
        click.echo("\n".join([f'what would make "{names[place]}" come out as it is printed:', *_mended(found)]) + "\n")
    for path in tally.without:
        click.echo(f"{path}: no scenarios here; those of a game it extends are not run")
    tongue = next(iter(tally.tongues.values()), SOURCE)
    click.echo(tongue.say("passed-failed", passed=tally.passed, failed=tally.failed))


def _acted(tally: _Tally, path: str, result: runner.Result) -> list[str]:
    """The words of the clauses that acted before the difference, if another language than the file's is spoken."""
    tongue, game = tally.tongues[path], tally.games[path]
    if tongue.is_source or result.failure is None:
        return []
    known = [id_ for id_ in result.failure.clauses if id_ in game.clauses]
    return [f"  {id_}: {clause_words(game, id_, tongue)}" for id_ in known]


def _data(tally: _Tally) -> dict[str, object]:
    return {
        "passed": tally.passed,
        "failed": tally.failed,
        "scenarios": [_result(tally, path, result) for path, result in tally.results],
        "findings": [as_data(entry) for entry in tally.broken],
    }


def _result(tally: _Tally, path: str, result: runner.Result) -> dict[str, object]:
    difference, found = result.failure, tally.repairs.get((path, result.scenario.span.line))
    told = {
        "file": path,
        "name": result.scenario.name,
        "line": result.scenario.span.line,
        "passed": result.passed,
        "finding": None if difference is None else as_data(runner.finding(result)),
        "clauses": [] if difference is None else list(difference.clauses),
    }
    return told if found is None else {**told, "repairs": [_repaired(each) for each in found]}


def _repaired(each: Repair) -> dict[str, object]:
    return {
        "in": "example" if each.in_example else "rule",
        "file": each.edit.span.source,
        "line": each.edit.span.line,
        "column": each.edit.span.column,
        "old": each.edit.old,
        "new": each.edit.new,
        "clauses": list(each.edit.clauses),
        "breaks": list(each.breaks),
    }
