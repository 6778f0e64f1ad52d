"""Values of a match beside the rules: what a variable held where the match that was played last ended."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from functools import partial

from rulekit.bots.players.random_bot import RandomBot
from rulekit.bots.seated_bots import accepted
from rulekit.model.game import Game, Scenario
from rulekit.play import engine
from rulekit.play.machine.working_state import thaw
from rulekit.play.meaning.travel import shown_space
from rulekit.play.state.errors import RuleError
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import Action, State
from rulekit.play.state.value import Value
from rulekit.tools.editing.occurrences import Symbol
from rulekit.tools.examples import runner
from rulekit.tools.examples.scenario_writer import path_of, value_text

_LONGEST = 2000
"""So many decisions are made by chance in a match that is played on."""
_SHOWN, _WIDEST = 8, 120
"""Of a variable that many have so many are told, each cut at this width."""


def run(game: Game, name: str) -> tuple[runner.Result | None, State | None]:
    """A scenario played, and the position up to which it came; None where the game has none of that name."""
    scenario = named(game, name)
    return (None, None) if scenario is None else (runner.run(game, scenario), runner.reached(game, scenario))


def named(game: Game, name: str) -> Scenario | None:
    return next((one for one in game.scenarios if one.name == name), None)


def played_on(state: State, seed: str = "on") -> State:
    """The match from here on by chance, to its end, or as far as that goes."""
    bots = [RandomBot(seed, name) for name in state.setting.seats]
    with suppress(RuleError):
        for turn in range(_LONGEST):
            waiting = engine.decisions(state)
            if not waiting:
                break
            answer = partial(bots[waiting[0].seat].answer, turn=turn)
            state = engine.apply(state, Action(waiting[0].seat, accepted(state, waiting[0], answer))).state
    return state


def values(state: State, symbol: Symbol) -> Mapping[str, str]:
    """What a variable held, by the path that a scenario calls each of its values."""
    found: dict[str, str] = {}
    for slot, index in enumerate(state.setting.slot_variable):
        variable = state.setting.game.variables[index]
        if symbol.sort == "variable" and (variable.name, variable.owner) == (symbol.name, symbol.owner):
            found[path_of(state, slot)] = _value(state, slot, index)
    return found


def _value(state: State, slot: int, index: int) -> str:
    variable, value = state.setting.game.variables[index], state.values[slot]
    if variable.form in ("piece", "group"):
        piece = state.setting.piece_first[index] + slot - state.setting.bases[index]
        shown: Value = shown_space(thaw(state), piece, value)
    else:
        shown = outward(state.setting, variable.type, value)
    text = value_text(state, shown)
    return text if len(text) <= _WIDEST else f"{text[:_WIDEST]}…"


def told(state: State, symbol: Symbol) -> str:
    """The same as one sentence of Markdown; "" where the symbol holds nothing."""
    found = list(values(state, symbol).items())
    if not found:
        return ""
    shown = ", ".join(f"`{path}` {text}" for path, text in found[:_SHOWN]) + (", …" if len(found) > _SHOWN else "")
    return f"In the last match: {shown}"
