"""`rulekit text unclear`: sensitivity analysis; what every reading of an unclear passage does to matches."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.engine_notice import tell_without_webassembly
from rulekit.apps.language import spoken
from rulekit.apps.progress import is_stopped
from rulekit.tools.compare.sensitivity_analysis import Effect, Reading, Readings
from rulekit.tools.estimation.confidence_intervals import Estimate
from rulekit.tools.examples.mutation_operators import rules_of
from rulekit.tools.language.translation import Tongue
from rulekit.tools.series.option_values import chosen
from rulekit.values import asdict


@click.command("unclear")
@o.takes(o.FILE, o.games("How many matches each.", 10**6), o.players("one more than the fewest"))
@o.takes(o.option("Choose an option for all of them."), o.seed("unclear"), o.as_json("The effects as one JSON object."))
@o.LANG
def command(
    file: str, games: int, players: int | None, options: tuple[str, ...], seed: str, as_json: bool, lang: str
) -> int:
    """How much it matters how an unclear passage is read.

    Every reading is played against the default, with the same chance and the
    same answers: in what share of matches the two part, what that does to
    wins and length (with 95 % intervals), and the shortest position found
    that shows it.  A reading that never mattered says 0.

    \b
    rulekit text unclear games/NAME.rules --games 10000
    """
    rules = rules_of(library.read(file))
    game = rules.game
    seats = players if players is not None else min(game.most, game.least + 1)
    if not game.least <= seats <= game.most:
        raise click.UsageError(f"--players: {game.title} is for {game.least} to {game.most} players")
    tongue = spoken(lang, game)
    work = Readings(rules, seats, games, seed, chosen(game, None, options))
    tell_without_webassembly()
    stopped = is_stopped(work.run(), lambda games, _: _words(work, games))
    code = FOUND if any(any(effect.failures) for effect in work.effects) else DONE
    if as_json:
        told = [_data(effect) for effect in work.effects]
        click.echo(json.dumps({"players": seats, "stopped": stopped, "readings": told}))
        return code
    head = "readings-stopped" if stopped else "readings"
    click.echo(tongue.say(head, count=len(work.effects), seats=seats))
    for effect in work.effects:
        click.echo("\n".join(_told(effect, tongue)))
    return code


def _words(work: Readings, games: int) -> str:
    reading = work.effects[-1].reading
    return f"{reading.option.name}={reading.name}: {games:,} of {work.games:,} matches"


def _told(effect: Effect, tongue: Tongue) -> list[str]:
    reading, say = effect.reading, tongue.say
    question = tongue.text(f"option {reading.option.name}", reading.option.text)
    lines = ["", f"{reading.option.name}={reading.name}: {question} {_read_as(reading, tongue)}"]
    lines += _failed(effect, tongue)
    if not effect.games:
        return [*lines, "  " + say("never-in-both")]
    if not effect.parted:
        most = 100 * effect.share().high
        return [*lines, "  " + say("parts-never", games=effect.games, most=f"{most:.2g}")]
    lines.append("  " + say("parts", share=_percent(effect.share(), tongue), games=effect.games))
    for seat in range(effect.seats):
        lines.append("  " + say("wins-of-seat", seat=seat + 1, share=_percent(effect.win(seat), tongue, sign=True)))
    length = effect.length.mean()
    value, low, high = (f"{number:+.2f}" for number in (length.value, length.low, length.high))
    lines.append("  " + say("more-decisions", value=value, low=low, high=high))
    best = effect.shortest
    if best is None:
        return lines
    head = "shortest" if best.example is None else "shortest-example"
    lines.append("  " + say(head, decisions=tongue.count("decisions", best.decisions)))
    if best.example is not None:
        scenario = best.example.text(f"where {reading.option.name}={reading.name} differs", reading.option.cites)
        lines += [f"    {line}" for line in scenario.rstrip().split("\n")]
    return lines


def _failed(effect: Effect, tongue: Tongue) -> Iterator[str]:
    """Lines about the matches that failed, which count in no figure."""
    for head, failures in zip(("failed-by-default", "failed-as-read"), effect.failures, strict=True):
        first, *causes = failures.lines(tongue) if failures else [""]
        if first:
            yield "  " + tongue.say(head, failed=first)
            yield from (f"  {cause}" for cause in causes)


def _read_as(reading: Reading, tongue: Tongue) -> str:
    if not reading.option.readings:
        return tongue.say(reading.name) if reading.name in ("yes", "no") else reading.name
    return tongue.text(f"reading {reading.option.name}.{reading.name}", reading.text)


def _percent(found: Estimate, tongue: Tongue, *, sign: bool = False) -> str:
    form = "+.1f" if sign else ".1f"
    value, low, high = (format(100 * number, form) for number in (found.value, found.low, found.high))
    return tongue.say("percent", value=value, low=low, high=high)


def _data(effect: Effect) -> dict[str, Any]:
    best = effect.shortest
    wins = [asdict(effect.win(seat)) for seat in range(effect.seats)] if effect.games else []
    return {
        "option": effect.reading.option.name,
        "reading": effect.reading.name,
        "text": effect.reading.text,
        "clauses": list(effect.reading.option.cites),
        "games": effect.games,
        "failures": {name: of.data() for name, of in zip(("default", "reading"), effect.failures, strict=True)},
        "parted": effect.parted,
        "share": asdict(effect.share()),
        "wins": wins,
        "decisions": asdict(effect.length.mean()) if effect.games else None,
        "shortest": None if best is None else best.decisions,
        "scenario": None if best is None or best.example is None else best.example.text(),
    }
