"""The scenario of a rules file from which a match is to be played: found by its name, and its position made."""

from __future__ import annotations

import os

import click

from rulekit import library
from rulekit.apps.console import Failed
from rulekit.bots.players import registry
from rulekit.diagnostics import nearest
from rulekit.loading import examine
from rulekit.model.game import Game, Scenario
from rulekit.play.beginning import Beginning, beginning
from rulekit.play.state.value import Value
from rulekit.record.json_values import chosen_options
from rulekit.record.log import HUMAN


def scenario_named(game: Game, name: str) -> Scenario:
    """The scenario of this name, or the only one with these words in its name.  Errors: `Failed`."""
    known = {scenario.name: scenario for scenario in game.scenarios}
    like = [each for each in known if name.casefold() in each.casefold()]
    if name in known or len(like) == 1:
        return known[name if name in known else like[0]]
    if like:
        raise Failed(f"error: several scenarios have {name!r} in their name: {', '.join(map(repr, like))}")
    raise Failed(f"error: no scenario is called {name!r}; {nearest(name, known) or _all(list(known))}")


def _all(names: list[str]) -> str:
    return f"the scenarios are {', '.join(map(repr, names))}" if names else "this file has none"


def completed(context: click.Context, _: click.Parameter, begun: str) -> list[str]:
    """What a shell offers for the name of a scenario: those of the file that was named before."""
    # The option has no value yet, so click has left the arguments before it as they were.
    file = next((word for word in context.args if not word.startswith("-")), "")
    path = file if os.path.lexists(file) else library.shipped(file)
    game = None if path is None else examine(str(path)).game
    names = () if game is None else (scenario.name for scenario in game.scenarios)
    return [name for name in names if name.casefold().startswith(begun.casefold())]


def position_of(game: Game, scenario: Scenario) -> tuple[Beginning, dict[str, Value]]:
    """Where its match begins, with the options that it is played by.  Errors: `Failed` if that cannot be."""
    # No other match waits for it.
    from rulekit.tools.examples.runner import Failure, placed

    state = placed(game, scenario)
    if isinstance(state, Failure):
        raise Failed(f'error: {state.span}: from the scenario "{scenario.name}" nothing can be played: {state.found}')
    return beginning(state, scenario=scenario.name), dict(chosen_options(state.setting))


def check_unsearching(kinds: tuple[str, ...]) -> None:
    """Bots make out what they do not see from what has happened; here nothing has.  Errors: `click.UsageError`."""
    thinking = [kind for kind in kinds if kind not in (HUMAN, registry.RANDOM)]
    if thinking:
        raise click.UsageError(f"{thinking[0]} needs to know what happened before a scenario: take human or random")
