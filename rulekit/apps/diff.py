"""`rulekit diff`: differential testing; where two games first differ in behaviour, told as a scenario."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.engine_notice import tell_without_webassembly
from rulekit.apps.language import spoken
from rulekit.apps.progress import is_stopped
from rulekit.diagnostics import printable, printable_translation
from rulekit.record import strict_json
from rulekit.record.json_values import value_to_json
from rulekit.record.strict_json import Json
from rulekit.source import Span
from rulekit.tools.compare.clause_attribution import Change, changes_behind, named_first
from rulekit.tools.compare.differential_execution import answer_lines
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.scenario_reduction import reduced
from rulekit.tools.compare.shrinking import Difference, Version
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.series.option_values import chosen
from rulekit.tools.tell.clause_text import clause_words
from rulekit.values import evolve

_MOST_SEATS = 6
_FEW = 3
"""So many clauses are told of each side; the JSON object has all."""
_LEAST_SECONDS, _SHARE = 0.5, 0.6
"""An example is reduced for such a share of the processor time that was needed to find it, and at least for so much."""
_PROOF_SECONDS = 2.0
"""So much processor time goes into finding which of several changes makes the games part."""


@click.command("diff")
@o.takes(o.ONE_OR_TWO_FILES, o.SIDES, o.players("every number in turn"), o.games("How many matches to compare.", 10**6))
@o.takes(o.seed("diff"), o.as_json("The difference as one JSON object."), o.LANG)
def command(
    files: tuple[str, ...],
    first: tuple[str, ...],
    second: tuple[str, ...],
    players: int | None,
    games: int,
    seed: str,
    as_json: bool,
    lang: str,
) -> int:
    """Where two games part: not in their text but in what they do.

    Two files, or one file with two options or readings.  The shortest way
    found to a difference is told as a scenario that holds in the first game
    and fails in the second, with the lines of the rules that make them part,
    their clauses, and then the clauses that acted on each side.  Nothing
    can be left out of the scenario, unless finding that out takes more than
    0.6 of the search's processor time (or 0.5 s); then this is said.

    \b
    rulekit diff games/NAME.rules my_edit.rules
    rulekit diff games/NAME.rules --a reading=one --b reading=other

    Ends with 0 if the games are equal in all matches compared, with 1 if not,
    and if matches failed.
    """
    if len(files) > 2 or (len(files) == 1 and first == second):
        raise click.UsageError("name two files, or one file and what differs by --a and --b")
    a = _version(files[0], first)
    b = _version(files[-1], second, a.rules if files[0] == files[-1] else None)
    least, most = max(a.game.least, b.game.least), min(a.game.most, b.game.most, _MOST_SEATS)
    seats = (players,) if players is not None else tuple(range(least, max(least, most) + 1))
    search, begun = Search(a, b, seats, games, seed), time.process_time()
    tongue = spoken(lang, a.game)
    tell_without_webassembly()
    stopped = is_stopped(search.run(), lambda done, s: tongue.counted("bar-compared", done, seconds=f"{s:.0f}"))
    is_smallest = _reduced(search, time.process_time() - begun)
    changes = _explained(search)
    # Where the games differ, the difference is what is asked for.
    failures = search.find_failures() if search.best is None else Failures()
    if as_json:
        click.echo(strict_json.dumps({**_data(search, changes, stopped, is_smallest), "failures": failures.data()}))
    else:
        rest = [] if is_smallest else ["", tongue.say("could-be-smaller")]
        click.echo("\n".join([*_told(search, changes, tongue, stopped), *rest, *failures.lines(tongue)]))
    return DONE if search.best is None and not failures else FOUND


def _reduced(search: Search, seconds: float) -> bool:
    """Whether nothing can be left out of the example that is kept; in so much processor time all may not be tried."""
    if search.best is None or search.best.example is None:
        return True
    in_time = _within(max(_LEAST_SECONDS, _SHARE * seconds))
    search.best = reduced(search.a, search.b, search.best, in_time)
    return in_time()


def _explained(search: Search) -> tuple[Change, ...]:
    """What in the rules makes them part; on each side its clauses come before those that only acted."""
    found = search.best
    if found is None:
        return ()
    changes = changes_behind(search.a, search.b, found, f"{search.seed}#{found.number}", _within(_PROOF_SECONDS))
    games = (search.a.game, search.b.game)
    named = [named_first(changes, game, acted) for game, acted in zip(games, found.clauses, strict=True)]
    search.best = evolve(found, find=lambda: (named[0], named[1]))
    return changes


def _within(seconds: float) -> Callable[[], bool]:
    until = time.process_time() + seconds
    return lambda: time.process_time() < until


def _version(path: str, options: tuple[str, ...], rules: Rules | None = None) -> Version:
    rules = rules or rules_of(library.read(path))
    return Version(rules, chosen(rules.game, None, options), rules.game)


# ---------------------------------------------------------------- telling


def _told(search: Search, changes: tuple[Change, ...], tongue: Tongue, stopped: bool) -> list[str]:
    found, say = search.best, tongue.say
    note = [tongue.count("stopped-after-matches", search.compared)] if stopped else []
    if found is None:
        return [*note, tongue.count("equal-in", search.compared)]
    place = "part-from-position" if found.example is not None else "part-from-start"
    decisions = tongue.count("decisions", found.decisions)
    players = tongue.count("with-players", found.seats)
    lines = [*note, say(place, decisions=decisions, players=players)]
    lines += [*_changed(search, changes, tongue), *_sides(search, found, tongue)]
    if found.example is not None:
        text = found.example.text(say("example-parts"), _cited(search, found, changes))
        return [*lines, "", say("holds-in-first"), "", text.rstrip()]
    answers = [f"  {line}" for line in answer_lines(found.past, tongue)]
    return [*lines, "", say("match-with-seed", seed=f"{search.seed}#{found.number}"), *answers]


def _cited(search: Search, found: Difference, changes: tuple[Change, ...]) -> tuple[str, ...]:
    """The clauses that an example is about: those of what differs, or, where no clause covers it, those that acted."""
    return named_first(changes, search.a.game, ()) or found.clauses[0]


def _changed(search: Search, changes: tuple[Change, ...], tongue: Tongue) -> Iterator[str]:
    """The lines that differ, with their clauses."""
    for change in changes:
        ids = f" [{', '.join(change.clauses)}]" if change.clauses else ""
        yield f"{tongue.say('rules-differ')}{ids}"
        for sign, span, version in (("-", change.here, search.a), ("+", change.there, search.b)):
            if span is not None:
                yield f"  {sign} {span.source}:{span.line}: {printable(_line(version, span))}"


def _line(version: Version, span: Span) -> str:
    return " ".join(version.rules.sources[span.source].line(span.line).split())


def _sides(search: Search, found: Difference, tongue: Tongue) -> list[str]:
    what = in_words(found.divergence.what, tongue)
    lines = [f"{what[:1].upper()}{what[1:]}:"]
    sides = (("in-first", found.divergence.here, search.a), ("in-second", found.divergence.there, search.b))
    for (phrase, value, version), clauses in zip(sides, found.clauses, strict=True):
        said = tongue.say(phrase, value=printable_translation(in_words(value, tongue)))
        clauses = clauses[:_FEW]
        lines.append(f"  {said}" + (f" [{', '.join(clauses)}]" if clauses else ""))
        game, options = version.game, {**version.options, **found.options}
        known = [name for name in clauses if name in game.clauses]
        lines += [f"    {name}: {clause_words(game, name, tongue, options)}" for name in known]
    return lines


def _data(search: Search, changes: tuple[Change, ...], stopped: bool, is_smallest: bool) -> Json:
    found = search.best
    told = {"equal": found is None, "games": search.compared, "stopped": stopped}
    if found is None:
        return told
    return {
        **told,
        "decisions": found.decisions,
        "seats": found.seats,
        "seed": f"{search.seed}#{found.number}",
        "options": {name: value_to_json(value) for name, value in found.options.items()},
        "what": str(found.divergence.what),
        "clauses": list(named_first(changes, search.a.game, found.clauses[0])),
        "changes": [_change(search, change) for change in changes],
        "first": {"value": str(found.divergence.here), "clauses": list(found.clauses[0])},
        "second": {"value": str(found.divergence.there), "clauses": list(found.clauses[1])},
        "scenario": None
        if found.example is None
        else found.example.text(SOURCE.say("example-parts"), _cited(search, found, changes)),
        "smallest": is_smallest,
        "answers": list(answer_lines(found.past, SOURCE)),
    }


def _change(search: Search, change: Change) -> Json:
    sides = (("first", change.here, search.a), ("second", change.there, search.b))
    told: dict[str, Json] = {"clauses": list(change.clauses)}
    for name, span, version in sides:
        told[name] = None if span is None else {"line": span.line, "text": _line(version, span)}
    return told
