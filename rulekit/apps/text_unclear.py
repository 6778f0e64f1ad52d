"""`rulekit text unclear`: what every reading of an unclear passage does to matches."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from rulekit import library
from rulekit.apps.console import DONE, Failed
from rulekit.diagnostics import printable, render
from rulekit.tools.choices import chosen
from rulekit.tools.edits import Rules, rules_of
from rulekit.tools.tally import Range
from rulekit.tools.unclear import Effect, Readings


@click.command("unclear")
@click.argument("file", metavar="FILE")
@click.option("--games", type=click.IntRange(1, 10**6), default=1000, show_default=True, help="Matches each.")
@click.option("--players", type=click.IntRange(min=1), help="How many play; else one more than the fewest.")
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="Choose an option for all of them.")
@click.option("--seed", default="unclear", show_default=True, help="Any text.")
@click.option("--json", "as_json", is_flag=True, help="The effects as one JSON object.")
def command(file: str, games: int, players: int | None, options: tuple[str, ...], seed: str, as_json: bool) -> int:
    """How much it matters how an unclear passage is read.

    Every reading is played against the default, with the same chance and the
    same answers: in what share of matches the two part, what that does to
    wins and length (with 95 % intervals), and the shortest position found
    that shows it.  A reading that never mattered says 0.

    \b
    rulekit text unclear games/NAME.rules --games 10000
    """
    rules = _rules(file)
    game = rules.game
    seats = players if players is not None else min(game.most, game.least + 1)
    if not game.least <= seats <= game.most:
        raise click.UsageError(f"--players: {game.title} is for {game.least} to {game.most} players")
    work = Readings(rules, seats, games, seed, chosen(game, None, options))
    stopped = _run(work)
    if as_json:
        told = [_data(effect) for effect in work.effects]
        click.echo(json.dumps({"players": seats, "stopped": stopped, "readings": told}))
        return DONE
    click.echo(f"{len(work.effects)} readings, {seats} players{', stopped before the end' if stopped else ''}")
    for effect in work.effects:
        click.echo("\n".join(_told(effect)))
    return DONE


def _rules(file: str) -> Rules:
    try:
        return rules_of(library.read(file))
    except library.Unreadable as fault:
        raise Failed(render(fault.finding, {})) from None


def _run(work: Readings) -> bool:
    terminal = sys.stderr.isatty()
    try:
        for games in work.run():
            if terminal:
                reading = work.effects[-1].reading
                sys.stderr.write(f"\r\x1b[K{reading.option.name}={reading.name}: {games:,} of {work.games:,} matches")
                sys.stderr.flush()
    except KeyboardInterrupt:
        return True
    finally:
        if terminal:
            sys.stderr.write("\r\x1b[K")
    return False


def _told(effect: Effect) -> list[str]:
    reading = effect.reading
    lines = ["", f"{reading.option.name}={reading.name}: {printable(reading.option.text)} {printable(reading.text)}"]
    if not effect.parted:
        most = 100 * effect.share().high
        return [*lines, f"  parts from the default in 0 of {effect.games} matches (in truth at most {most:.2g}%)"]
    lines.append(f"  parts from the default in {_percent(effect.share())} of {effect.games} matches")
    for seat in range(effect.seats):
        lines.append(f"  wins of seat {seat + 1}: {_percent(effect.win(seat), sign=True)}")
    length = effect.length.mean()
    lines.append(f"  decisions: {length.value:+.2f} ({length.low:+.2f} to {length.high:+.2f})")
    best = effect.shortest
    if best is not None and best.example is not None:
        lines.append(f"  shortest found, {best.decisions} decisions; holds by default, not by this reading:")
        text = best.example.text(f"where {reading.option.name}={reading.name} differs", reading.option.cites)
        lines += [f"    {line}" for line in text.rstrip().split("\n")]
    elif best is not None:
        lines.append(f"  shortest found: {best.decisions} decisions")
    return lines


def _percent(found: Range, *, sign: bool = False) -> str:
    form = "+.1f" if sign else ".1f"
    value, low, high = (format(100 * number, form) for number in (found.value, found.low, found.high))
    return f"{value}% ({low} to {high})"


def _data(effect: Effect) -> dict[str, Any]:
    best = effect.shortest
    wins = [_range(effect.win(seat)) for seat in range(effect.seats)] if effect.games else []
    return {
        "option": effect.reading.option.name,
        "reading": effect.reading.name,
        "text": effect.reading.text,
        "clauses": list(effect.reading.option.cites),
        "games": effect.games,
        "parted": effect.parted,
        "share": _range(effect.share()),
        "wins": wins,
        "decisions": _range(effect.length.mean()) if effect.games else None,
        "shortest": None if best is None else best.decisions,
        "scenario": None if best is None or best.example is None else best.example.text(),
    }


def _range(found: Range) -> dict[str, Any]:
    return {"value": found.value, "low": found.low, "high": found.high}
