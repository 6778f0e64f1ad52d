"""The command-line options that all commands about series share, and the work that they ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rulekit.apps import options as o
from rulekit.apps.series.batches import Work, Workers
from rulekit.values import frozen

if TYPE_CHECKING:
    from rulekit.model.game import Game

    Choice = click.Choice[str]
else:
    Choice = click.Choice

ENGINES = ("auto", "interpreter", "wasm")
"""`auto` is the fastest that is there."""
_WITHDRAWN = "python"
MOST = 10**9


class EngineChoice(Choice):
    """One of `ENGINES`; for an engine that is no more it says what plays in its place."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if value == _WITHDRAWN:
            self.fail("Python made of rules is no engine any more; leave --engine out, or name interpreter", param, ctx)
        return super().convert(value, param, ctx)


series_options = o.takes(
    o.players("the fewest"),
    click.option("--bots", help="Who plays, such as mcts:200,random: one for all seats, or one for each."),
    o.seed(),
)
"""The options that every command about series takes."""
machine_options = o.takes(
    o.JOBS,
    click.option(
        "--engine", type=EngineChoice(ENGINES), default="auto", help="How matches are played; auto is the fastest way."
    ),
    click.option(
        "--backend", type=click.Choice(["here", "dask"]), default="here", help="Play here or on many machines."
    ),
    click.option("--scheduler", metavar="ADDRESS", help="Of those machines, such as tcp://host:8786 (docs/scale.md)."),
)
"""The options about machines and speed, which stand last: they change no figure."""


def work_of(game: Game, file: str, options: dict[str, Any], how: dict[str, Any]) -> tuple[Work, Workers]:
    """The series and the workers that the shared options ask for.  Errors: `click.UsageError`."""
    seats = game.least if how["players"] is None else how["players"]
    seed, checked = o.seed_of(how["seed"]), how.get("checked", False)
    work = Work(file, options, seats, seed, how["engine"], _bots(how["bots"], seats), checked=checked)
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
