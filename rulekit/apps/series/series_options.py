"""The command-line options that all commands about series share, and the work that they ask for."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click
from attrs import frozen

from rulekit.apps.series.batches import Work, Workers

if TYPE_CHECKING:
    from rulekit.model.game import Game

ENGINES = ("auto", "interpreter", "wasm")
"""`auto` is the fastest that is there."""
MOST = 10**9
_LONGEST_SEED = 200


def series_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that every command about series takes."""
    for option in (
        click.option("--scheduler", metavar="ADDRESS", help="Of the Dask cluster, such as tcp://host:8786."),
        click.option("--backend", type=click.Choice(["here", "dask"]), default="here", help="Where the work is done."),
        click.option("--engine", type=click.Choice(ENGINES), default="auto", help="What plays."),
        click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Workers at once."),
        click.option("--seed", help="Any text; the same seed gives the same matches."),
        click.option("--bots", help="Who plays, such as mcts:200,random: one for all seats, or one for each."),
        click.option("--players", type=click.IntRange(min=1), help="How many play; else the fewest."),
    ):
        command = option(command)
    return command


def work_of(game: Game, file: str, options: dict[str, Any], how: dict[str, Any]) -> tuple[Work, Workers]:
    """The series and the workers that the shared options ask for.  Errors: `click.UsageError`."""
    seats = game.least if how["players"] is None else how["players"]
    work = Work(file, options, seats, seed_of(how["seed"]), how["engine"], _bots(how["bots"], seats))
    if (how["backend"] == "dask") != bool(how["scheduler"]):
        raise click.UsageError("--backend dask and --scheduler ADDRESS go together")
    return work, Workers(how["jobs"], how["scheduler"] or "")


@frozen
class SimulateOptions:
    """What `simulate` alone takes on its command line."""

    options: tuple[str, ...]
    ruleset: str | None
    out: str | None
    as_json: bool
    parquet: bool = False
    lang: str = "en"


def seed_of(seed: str | None) -> str:
    """The seed that was given, or a new one.  Errors: `click.UsageError`."""
    if seed is not None and (len(seed) > _LONGEST_SEED or any("\ud800" <= c <= "\udfff" for c in seed)):
        raise click.UsageError(f"--seed: a text of at most {_LONGEST_SEED} characters in UTF-8")
    return secrets.token_hex(6) if seed is None else seed


def _bots(written: str | None, seats: int) -> tuple[str, ...]:
    if written is None:
        return ()
    from rulekit.bots.players import registry

    names = tuple(name.strip() for name in written.split(","))
    for name in names:
        try:
            registry.maker(name)
        except registry.UnknownBot as fault:
            raise click.UsageError(f"--bots: {fault}") from None
    if len(names) not in (1, seats):
        raise click.UsageError(f"--bots: one bot, or one for each of {seats} seats, not {len(names)}")
    return names * (seats // len(names))
