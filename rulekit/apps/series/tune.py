"""`rulekit tune`: hyperparameter search (Optuna, TPE sampler) for options with which a game meets its targets."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.language import spoken
from rulekit.apps.progress import Progress
from rulekit.apps.series.batches import Work, Workers, make_series_or_fail
from rulekit.apps.series.series_options import MOST, machine_options, series_options, work_of
from rulekit.apps.series.sweep import played
from rulekit.distribution import install_hint
from rulekit.library import ABSENT
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value, notation
from rulekit.record.json_values import rules_digest
from rulekit.tools.estimation import estimate_text as words
from rulekit.tools.estimation import metrics
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.estimation.failures import Failures, merge_failures
from rulekit.tools.estimation.metrics import Figure, Target
from rulekit.tools.language.translation import Tongue
from rulekit.tools.series.parameter_grid import Axis, assignment_text, parsed_grid
from rulekit.values import define, evolve, field, frozen

_BEST = 5


@click.command(name="tune")
@o.takes(o.FILE, o.axis("What may change."))
@click.option("--target", "targets", multiple=True, required=True, metavar="TEXT", help='"first seat wins 25%"')
@click.option("--trials", type=click.IntRange(1, 10_000), default=40, show_default=True, help="How many to try.")
@o.games("How many matches of each.", MOST, default=2000)
@click.option("--study", metavar="FILE", help="Keep all trials in this SQLite file, and go on from there.")
@series_options
@o.takes(o.as_json("The report as one JSON object."), o.LANG)
@machine_options
def command(
    file: str,
    options: tuple[str, ...],
    targets: tuple[str, ...],
    trials: int,
    games: int,
    study: str | None,
    as_json: bool,
    lang: str,
    **how: Any,
) -> int:
    """Search the values of options with which the game in FILE comes nearest to its targets.

    \b
    rulekit tune my.rules --option gift=0..5 --target "first seat wins 25%" --players 4
    rulekit tune my.rules --option rows=3..9 --option double=all --target "rounds 12" --target "ties 5%"
    rulekit tune my.rules --option rows=3..9 --target "rounds 12" --study rows.sqlite

    A target is a figure of `rulekit sweep --json` and a number.  Ctrl-C keeps
    what is done; with --study the same command goes on with it later.
    """
    game = load(file, examples=False)
    tongue = spoken(lang, game)
    space = parsed_grid(game, options)
    work, workers = work_of(game, file, {one.name: one.values[0] for one in space}, how)
    wished, seats = _targets(game, work, targets)
    search = _Search(game, work, workers, space, wished, games, seats)
    made = _study(search, study)
    search.go_on(made, trials, tongue)
    print(json.dumps(search.plain(made)) if as_json else "\n".join(search.lines(made, tongue)))
    return FOUND if any(found.failed for found in search.best(made)) else DONE


def _targets(game: Game, work: Work, written: tuple[str, ...]) -> tuple[tuple[Target, ...], tuple[str, ...]]:
    """The targets, parsed, and the names of the seats."""
    one = make_series_or_fail(work, game)
    known = list(metrics.figures(Tally(one.counters.sheet), one.seats))
    try:
        return tuple(metrics.target(text, known, one.seats) for text in written), one.seats
    except metrics.BadTarget as fault:
        raise click.UsageError(f"--target: {fault}") from None


def _study(search: _Search, file: str | None) -> Any:
    """A study of Optuna, new or gone on with; its seed is known, so that the same search goes the same way."""
    try:
        import optuna
    except ABSENT:
        raise Failed(f"error: tune needs the package optuna: {install_hint('tune')}") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    storage = None if file is None else f"sqlite:///{file}"
    try:
        made = optuna.create_study(study_name="rulekit", storage=storage, load_if_exists=True)
    except Exception as fault:
        if not type(fault).__module__.startswith(("sqlalchemy", "optuna", "sqlite3")):
            raise
        raise Failed(f"error: {file}: not a study that can be used ({type(fault).__name__})") from None
    made.sampler = optuna.samplers.TPESampler(seed=len(made.trials) + 1, n_startup_trials=10)
    known = made.user_attrs.get("search")
    if known is not None and known != search.receipt():
        raise Failed(f"error: {file} holds a search with other rules, options, targets or games; name a new file")
    made.set_user_attr("search", search.receipt())
    return made


@frozen
class _Found:
    """A trial that was played.  failed: how many of its matches failed; they count in no figure."""

    options: dict[str, Value]
    figures: dict[str, list[float]]
    distance: float
    failed: int = 0


@define(eq=False)
class _Search:
    """games: matches of each trial.  known: trials that were played already, by their options in words.

    failures: of the trials that were played, by their options in words.
    """

    game: Game
    work: Work
    workers: Workers
    space: tuple[Axis, ...]
    targets: tuple[Target, ...]
    games: int
    seats: tuple[str, ...]
    known: dict[str, dict[str, Figure]] = field(factory=dict)
    failures: dict[str, Failures] = field(factory=dict)

    def receipt(self) -> str:
        """All on which the figures depend: only trials of the same search are compared."""
        space = [(one.name, [notation(value) for value in one.values]) for one in self.space]
        targets = [str(one) for one in self.targets]
        work = self.work
        return json.dumps([rules_digest(self.game), space, targets, self.games, work.seats, work.seed, work.bots])

    def go_on(self, study: Any, trials: int, tongue: Tongue) -> None:
        """Until so many trials are in the study, or Ctrl-C."""
        with Progress(self.games * trials) as progress:
            while (done := len(_finished(study))) < trials:
                trial = study.ask()
                options = {one.name: _suggested(trial, one) for one in self.space}
                self._play(study, trial, options, progress, done)
        if progress.stopped:
            print(tongue.say("was-stopped"), file=sys.stderr)

    def _play(self, study: Any, trial: Any, options: dict[str, Value], progress: Progress, done: int) -> None:
        words = assignment_text(options)
        if words not in self.known:
            work = evolve(self.work, options=options)
            try:
                self.known[words], self.failures[words] = played(
                    self.game, work, self.workers, self.games, progress, self.games * done
                )
            except BadSetup:
                self.known[words], self.failures[words] = {}, Failures()
        found, failed = self.known[words], self.failures[words].failed
        ranges = {one.figure: found[one.figure].range for one in self.targets if found}
        trial.set_user_attr("figures", {name: [of.low, of.value, of.high] for name, of in ranges.items()})
        trial.set_user_attr("failed", failed)
        study.tell(trial, sum(one.distance(found) ** 2 for one in self.targets) if found else 1e6)

    # ------------------------------------------------------------ told

    def best(self, study: Any) -> list[_Found]:
        """Different ones, the nearest first."""
        found: dict[str, _Found] = {}
        for trial in sorted(_finished(study), key=lambda one: (one.value, one.number)):
            options = {one.name: one.values[trial.params[one.name]] for one in self.space}
            if trial.user_attrs["figures"]:
                failed = trial.user_attrs.get("failed", 0)
                made = _Found(options, trial.user_attrs["figures"], trial.value, failed)
                found.setdefault(assignment_text(options), made)
        return list(found.values())

    def lines(self, study: Any, tongue: Tongue) -> list[str]:
        best, seats = self.best(study), self.work.seats
        matches, players = tongue.counted("some-matches", self.games), tongue.count("some-players", seats)
        made = [tongue.count("tried", len(_finished(study)), matches=matches, players=players)]
        for one in self.targets:
            made.append(tongue.say("tune-target", target=f"{self._called(one.figure, tongue)} {one.value:g}"))
        for found in best[:_BEST]:
            made += ["", assignment_text(found.options)]
            for name, values in found.figures.items():
                made.append(f"    {self._called(name, tongue)}: {self._figure(name, values, tongue)}")
            made += [f"    {line}" for line in list(self._failures_of(found).lines(tongue))[:1]]
        if failures := merge_failures(self._failures_of(found) for found in best):
            made += ["", *failures.lines(tongue)]
        if best:
            options = "".join(f" --option {name}={notation(value)}" for name, value in best[0].options.items())
            command = f"rulekit simulate {self.work.file} --players {seats}{options}"
            made += ["", tongue.say("see-the-first", command=command)]
        return made

    def _failures_of(self, trial: _Found) -> Failures:
        """The failed matches of a trial; without a cause where an earlier run has played it."""
        return self.failures.get(assignment_text(trial.options)) or Failures(self.games, trial.failed)

    def _called(self, name: str, tongue: Tongue) -> str:
        return words.display_name(name, self.seats, tongue)

    def _figure(self, name: str, values: list[float], tongue: Tongue) -> str:
        low, value, high = values
        return Figure(Estimate(value, low, high), percent=metrics.is_share(name)).told(tongue)

    def plain(self, study: Any) -> dict[str, Any]:
        return {
            "trials": len(_finished(study)),
            "games": self.games,
            "targets": [str(one) for one in self.targets],
            "best": [
                {
                    "options": {name: notation(value) for name, value in found.options.items()},
                    "figures": found.figures,
                    "distance": found.distance,
                    "failed": found.failed,
                }
                for found in self.best(study)
            ],
        }


def _finished(study: Any) -> list[Any]:
    return [trial for trial in study.get_trials(deepcopy=False) if trial.value is not None]


def _suggested(trial: Any, one: Axis) -> Value:
    """A value; numbers in a row are searched as numbers, others as what they are."""
    last = len(one.values) - 1
    if one.numbers:
        place: int = trial.suggest_int(one.name, 0, last)
    else:
        place = trial.suggest_categorical(one.name, list(range(last + 1)))
    return one.values[place]
