"""Games for OpenSpiel, registered from rules files: `load` gives a `pyspiel.Game`.

Chance is explicit: wherever the rules leave something to it there is a chance node.  All moves are sequential; those
who decide at the same time move one after the other and do not see each other's moves.
"""

from __future__ import annotations

import copyreg
import os
import re
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from rulekit import limits
from rulekit.adapters.openspiel.extensive_form import Match, Table
from rulekit.adapters.openspiel.facts import all_can_lose, has_chance, has_secrets, most_outcomes
from rulekit.adapters.openspiel.information import information_state, numbers, observation
from rulekit.adapters.openspiel.resampling import Resampler
from rulekit.adapters.openspiel.returns import PLACES, by_place, by_score, check_way
from rulekit.library import ABSENT
from rulekit.loading import load as load_rules
from rulekit.model.game import Game, Option
from rulekit.play import engine
from rulekit.play.match_arguments import option_values, seat_names
from rulekit.play.state.match_state import CHANCE
from rulekit.play.state.value import Value
from rulekit.play.view import SPECTATOR

try:
    import numpy as np
    import pyspiel
except ABSENT as fault:
    raise ImportError("games for OpenSpiel need the package open_spiel: pip install open_spiel") from fault

_REGISTERED: dict[str, Game] = {}
_NONE = "none"
_OWN = ("players", "returns", "margin", "max_game_length")


# ---------------------------------------------------------------- registering


def load(rules: Game | str | os.PathLike[str], name: str = "", **agreed: Any) -> pyspiel.Game:
    """A game of OpenSpiel from a rules file, registered under a name if it was not yet.

    agreed:  `players`, the smallest number if not given; options of the rules by name; `returns`, "places" or "scores";
             `margin`, how far a score can be from the mean; `max_game_length`, moves after which nobody is ahead.
    Errors:  `RulesError`, `BadSetup`, `ValueError`.
    """
    game = rules if isinstance(rules, Game) else load_rules(rules)
    return pyspiel.load_game(register(game, name), _parameters(game, agreed))


def register(game: Game, name: str = "") -> str:
    """Make a game known to OpenSpiel; the name by which `pyspiel.load_game` finds it.  Errors: `ValueError`."""
    name = name or "rulekit_" + re.sub(r"\W+", "_", game.title.lower()).strip("_")
    known = _REGISTERED.get(name)
    if known is None and name not in pyspiel.registered_names():
        pyspiel.register_game(_type(game, name), _Maker(name))
        _REGISTERED[name] = game
    elif known is None or _texts(known) != _texts(game):
        raise ValueError(f"OpenSpiel knows another game as `{name}`: give this one another name")
    return name


def _texts(game: Game) -> list[str]:
    """What a game is written in, by whatever paths it was reached."""
    return [text for _, text in game.sources]


def _type(game: Game, name: str, *, is_zero_sum: bool = False) -> pyspiel.GameType:
    kind = pyspiel.GameType
    return kind(
        short_name=name,
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC if has_chance(game) else kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.IMPERFECT_INFORMATION
        if has_secrets(game)
        else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if is_zero_sum else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.most,
        min_num_players=game.least,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=_defaults(game),
    )


def _defaults(game: Game) -> dict[str, Any]:
    """Every parameter with the value that it has if none is given."""
    own = {
        "players": game.least,
        "returns": PLACES,
        "margin": float(limits.INTEGER),
        "max_game_length": limits.DECISIONS,
    }
    return own | {option.name: _outward(option) for option in game.options}


def _outward(option: Option) -> Any:
    """The default of an option as a parameter: a reading by its name, a set as text."""
    default: Any = option.default
    if option.readings:
        return option.readings[default][0]
    return _text(default) if option.type.is_set else default


def _text(numbers: Iterable[int]) -> str:
    """A set as a parameter, which cannot be an empty text."""
    return " ".join(map(str, numbers)) or _NONE


def _parameters(game: Game, agreed: Mapping[str, Any]) -> dict[str, Any]:
    unknown = [name for name in agreed if name not in _OWN and game.option(name) is None]
    if unknown:
        option_values(game, {unknown[0]: 0})
    return {name: _parameter(game, name, value) for name, value in agreed.items()}


def _parameter(game: Game, name: str, value: Any) -> Any:
    option = game.option(name)
    if name == "margin":
        return float(value)
    return _text(value) if option is not None and option.type.is_set and not isinstance(value, str) else value


class _Maker:
    """Makes games of a name.  It holds itself: OpenSpiel lets go of it when Python is no longer there to take it."""

    def __init__(self, name: str) -> None:
        self.name, self.itself = name, self

    def __call__(self, params: Mapping[str, Any]) -> RulesGame:
        return RulesGame(self.name, params)


# ---------------------------------------------------------------- games


class RulesGame(pyspiel.Game):
    """One game with all that was agreed.  table: what its matches have in common."""

    def __init__(self, name: str, params: Mapping[str, Any] | None = None) -> None:
        rules = _REGISTERED[name]
        given = dict(params or {})
        agreed = _defaults(rules) | given
        self.returns, self.margin = check_way(rules, agreed["returns"]), agreed["margin"]
        seats = seat_names(rules, agreed["players"])
        options = {option.name: _inward(option, agreed[option.name]) for option in rules.options}
        self.is_zero_sum = len(seats) > 1 and not (self.returns == PLACES and all_can_lose(rules))
        most = 1.0 if self.returns == PLACES else self.margin
        self._table = partial(Table, game=rules, options=options, seats=seats, most=agreed["max_game_length"])
        super().__init__(
            _type(rules, name, is_zero_sum=self.is_zero_sum),
            pyspiel.GameInfo(
                num_distinct_actions=self._table(name=name).spaces.actions.size,
                max_chance_outcomes=most_outcomes(rules),
                num_players=len(seats),
                min_utility=-most,
                max_utility=most,
                utility_sum=0.0 if self.is_zero_sum else None,
                max_game_length=agreed["max_game_length"],
            ),
            given,
        )
        self.table = self._table(name=str(self))
        self.resampler = BeliefResampler(self)

    def new_initial_state(self) -> RulesState:
        """The state in which a match begins."""
        return RulesState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> RulesObserver:
        """Who looks at states as one of the seats, or as a spectator."""
        return RulesObserver(self, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)

    def worth(self, match: Match) -> list[float]:
        """What a match is worth to each seat: nothing to anybody before its end, or where it was broken off."""
        count, end = len(self.table.seats), engine.outcome(match.state)
        if end is None:
            return [0.0] * count
        if self.returns == PLACES:
            return by_place(end, count, is_zero_sum=self.is_zero_sum)
        return by_score(self.table.game, end, self.margin)


def _inward(option: Option, given: Any) -> Value:
    """An option's value as the rules take it, from a parameter."""
    if option.type.is_set and isinstance(given, str):
        return () if given == _NONE else tuple(int(word) for word in given.split())
    value: Value = given
    return value


# ---------------------------------------------------------------- states


class RulesState(pyspiel.State):
    """A position.  match: the same with the way that led there.  coming: where the next move leads, if known."""

    def __init__(self, game: RulesGame) -> None:
        super().__init__(game)
        self.match: Match = game.table.opening

    def current_player(self) -> int:
        """Who moves next."""
        asked = self.match.asked
        if asked is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if asked.seat == CHANCE else asked.seat

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.match.asked is None

    def returns(self) -> list[float]:
        """What the match is worth to each seat."""
        worth: list[float] = self.get_game().worth(self.match)
        return worth

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of chance with their probabilities."""
        asked = self.match.asked
        assert asked is not None
        whole = sum(asked.weights)
        return [(move, asked.weights[move] / whole) for move in self.match.legal]

    def resample_from_infostate(self, player: int, sampler: object = None) -> RulesState:
        """A state in which a seat was told the same, drawn by the game's own seed; see `BeliefResampler`."""
        found: RulesState = self.get_game().resampler(self, player)
        return found

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self.match.legal)

    def _apply_action(self, move: int) -> None:
        self.match = self.__dict__.pop("coming", None) or self.match.after(move)

    def _action_to_string(self, player: int, move: int) -> str:
        return self.match.told(move)

    def __str__(self) -> str:
        return self.match.text


class RulesObserver:
    """What a seat may know: as text and as numbers what it sees now, or with perfect recall as text all it was told.

    Where nothing private is wanted, what a spectator may know.
    """

    def __init__(self, game: RulesGame, kind: Any, params: Any) -> None:
        if params:
            raise ValueError(f"an observer has no parameters; given are {params}")
        if not kind.public_info or kind.private_info == pyspiel.PrivateInfoType.ALL_PLAYERS:
            raise ValueError("there is what one seat may know, and what a spectator may know")
        self._text = information_state if kind.perfect_recall else observation
        self._is_public = kind.private_info == pyspiel.PrivateInfoType.NONE
        size = len(game.table.spaces.observations.names)
        self.tensor = None if kind.perfect_recall else np.zeros(size, np.float32)
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: RulesState, player: int) -> None:
        """Fill `tensor` with what a seat sees."""
        if self.tensor is not None:
            self.tensor[:] = numbers(state.match, self._seat(player))

    def string_from(self, state: RulesState, player: int) -> str:
        """What a seat may know, as text."""
        return self._text(state.match, self._seat(player))

    def _seat(self, player: int) -> int:
        return SPECTATOR if self._is_public else player


# ---------------------------------------------------------------- resampling


class BeliefResampler:
    """For `set_resampler` of OpenSpiel's IS-MCTS: states in which a player would have been told the same.

    They are drawn from the belief that our own bots keep; each is checked.
    """

    def __init__(self, game: RulesGame, seed: str = "0") -> None:
        self.game, self.seed = game, seed
        self._by_seat: dict[int, Resampler] = {}
        self._about: Match | None = None
        self._states: dict[Match, RulesState] = {}

    def __call__(self, state: RulesState, player: int) -> RulesState:
        """A state that the player cannot tell from this one.  Errors: `NothingFits`."""
        resampler = self._by_seat.get(player)
        if resampler is None:
            resampler = self._by_seat[player] = Resampler(self.game.table, player, self.seed)
        if self._about is not state.match:
            self._about, self._states = state.match, {}
        match = resampler.drawn(state.match)
        if match not in self._states:
            self._states[match] = self._led_to(match)
        clone: RulesState = self._states[match].clone()
        return clone

    def _led_to(self, match: Match) -> RulesState:
        """The state that holds a match; its rules are not played again."""
        state = self.game.new_initial_state()
        for each in match.way:
            state.coming = each
            state.apply_action(each.move)
        return state


# ---------------------------------------------------------------- saving


def again(name: str, moves: tuple[int, ...]) -> Match:
    """A match of a registered game once more, move by move."""
    match: Match = pyspiel.load_game(name).table.opening
    for move in moves:
        match = match.after(move)
    return match


def _saved(match: Match) -> tuple[Any, ...]:
    return again, (match.table.name, match.moves)


copyreg.pickle(Match, _saved)
