"""Many matches for a study: the game, who plays and what is agreed, as a Python program gives them."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rulekit.arguments import require_type
from rulekit.bots.players import registry
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.play.match_arguments import option_values, seat_names, seed_text
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.external_values import outward
from rulekit.play.state.value import Value, value_of
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.series import simulation
from rulekit.tools.series.failure_causes import SeriesSpec, find_causes
from rulekit.tools.series.simulation import Series

Rules = Game | str | os.PathLike[str]
"""A game, or the path of its rules file."""
Progress = Callable[[int, int], object]
"""Told how many matches are done and how many were asked for; where it answers False, no more are played."""


def game_of(rules: Rules) -> Game:
    """Errors: `RulesError` for a file with errors."""
    require_type("rules", rules, (Game, str, os.PathLike), "a Game, or the path of its rules file")
    return rules if isinstance(rules, Game) else load(rules)


def made_series(
    game: Game,
    options: Mapping[str, Any] | None,
    players: int | None,
    bots: Bots,
    seed: str | int,
    *,
    checked: bool = False,
    like: Series | None = None,
    paused: Callable[[], None] = lambda: None,
) -> Series:
    """A series made ready, in the fastest engine that can play it.  like, paused: as of `simulation.series`.

    Errors: `BadSetup`.
    """
    count = len(seat_names(game, players))
    text = seed_text(seed)
    if text is None:
        raise BadSetup("a series needs a seed: nobody is there to answer for chance")
    given, seated = agreed(game, options or {}), seated_bots(bots, count)
    wanted: Any = {"like": like, "paused": paused}
    made = simulation.series(game, given, count, text, bots=seated, **wanted)
    if checked:
        made.test_all()
    return made


def find_failures(
    game: Game,
    options: Mapping[str, Any] | None,
    one: Series,
    seed: str | int,
    bots: tuple[str, ...],
    failed: Sequence[tuple[int, int]],
    games: int,
    *,
    checked: bool = False,
) -> Failures:
    """The failed matches of a series made by `made_series`, with the lines at which they failed.

    failed: number and status of each; games: matches played.
    """
    spec = SeriesSpec(game, agreed(game, options or {}), one.counters.sheet.players, str(seed), bots, checked)
    return find_causes(spec, failed, games)


FAILURES = ("line", "fault", "games", "first")


def failure_rows(failures: Failures) -> list[tuple[Any, ...]]:
    """Rows with the columns `FAILURES`, one for each cause."""
    return [(one.where.line or None, str(one.why), one.count, one.first) for one in failures.causes]


def notice_html(failures: Failures) -> str:
    """A paragraph for a notebook that says that figures are incomplete; "" if no match failed."""
    from html import escape

    return "".join(f"<p>{escape(line.strip())}</p>" for line in failures.lines())


def agreed(game: Game, options: Mapping[str, Any]) -> dict[str, Value]:
    """Options as values, each of which the game has.  Errors: `BadSetup`."""
    option_values(game, options)
    return {name: value_of(value) for name, value in options.items()}


def every_option(one: Series) -> dict[str, Value]:
    """All options of a series with their values."""
    setting = one.counters.storage.setting
    pairs = zip(setting.game.options, setting.options, strict=True)
    return {option.name: outward(setting, option.type, value) for option, value in pairs}


Bots = str | Sequence[Any]
"""Who plays: names, as `mcts:200`, or bots of a program's own (`registry.register_custom`)."""


def seated_bots(named: Bots, seats: int) -> tuple[str, ...]:
    """A bot for every seat, or none where everybody answers by chance.  Errors: `BadSetup`.

    named: names of bots or own bots, or one text with commas as on the command line.
    """
    if isinstance(named, str):
        names = tuple(named.split(","))
    else:
        names = tuple(bot if isinstance(bot, str) else _name_of(bot) for bot in named)
    for name in names:
        try:
            registry.maker(name)
        except registry.UnknownBot as fault:
            raise BadSetup(str(fault)) from None
    if len(names) not in (0, 1, seats):
        raise BadSetup(f"one bot, or one for each of {seats} seats, not {len(names)}")
    return names * (seats // len(names)) if names else ()


def _name_of(bot: object) -> str:
    if not callable(bot) and not hasattr(bot, "answer"):
        raise BadSetup(f"a bot is a name, as 'mcts:200', or answers as docs/bots.md says, not {bot!r:.60}")
    return registry.register_custom(bot)
