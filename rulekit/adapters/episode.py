"""Matches one after the other as arrays: what the two forms of environment have in common.

The seed of each match comes from the generator that `reset(seed)` starts, so
one seed gives the same row of matches everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, Literal

from rulekit.adapters.action_space import WAIT
from rulekit.adapters.answering import IllegalIndex, Position, after, mask
from rulekit.adapters.packages import kinds, np
from rulekit.adapters.spaces import received, rewards, spaces
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.play.engine import outcome, start
from rulekit.play.state.value import Value, notation
from rulekit.play.view import SPECTATOR, view

Illegal = Literal["refuse", "replace"]
"""What becomes of an action outside the mask: an error, or the next one after it that is allowed, from 0 again."""

Given = str | os.PathLike[str] | Game
Observed = dict[str, Any]
"""`observation` and `action_mask`, both arrays."""


class Episode:
    """The match that runs now.  position: where it stands; spaces: the same for all matches."""

    def __init__(self, game: Given, options: Mapping[str, Value] | None, seats: int | None, illegal: Illegal) -> None:
        """Errors: `BadSetup`, and `RulesError` of a file."""
        if illegal not in ("refuse", "replace"):
            raise ValueError(f"illegal is `refuse` or `replace`, not {illegal!r}")
        self.game = game if isinstance(game, Game) else load(game)
        self._options, self._players, self._illegal = options, seats, illegal
        self._chance = np.random.default_rng()
        self.position = self._begun("0")
        self.spaces = spaces(self.position.state.setting)
        self.seats = range(self.position.state.setting.players)

    def agents(self) -> list[str]:
        return [f"player_{seat}" for seat in self.seats]

    def observation_space(self) -> kinds.Dict:
        bounds = np.array(self.spaces.observations.bounds, np.float32).T
        size = self.spaces.actions.size
        return kinds.Dict({"observation": kinds.Box(*bounds), "action_mask": kinds.Box(0, 1, (size,), np.int8)})

    def action_space(self) -> kinds.Discrete:
        return kinds.Discrete(self.spaces.actions.size)

    # ---------------------------------------------------------------- going on

    def reset(self, seed: int | None) -> None:
        """The first match of a seed; without one, of a seed that the machine chooses."""
        self._chance = np.random.default_rng(seed)
        self.next_match()

    def next_match(self) -> None:
        self.position = self._begun(str(self._chance.integers(2**63)))

    def _begun(self, seed: str) -> Position:
        return Position(start(self.game, self._options, self._players, seed, told=False).state)

    def act(self, seat: int, index: int) -> None:
        """Carry out an index that is legal."""
        if index != WAIT:
            self.position = after(self.spaces.actions, self.position, seat, index)

    def legal(self, seat: int, action: int) -> int:
        """The index that an action stands for.  Errors: `IllegalIndex` for one that is refused."""
        allowed, index = mask(self.spaces.actions, self.position, seat), int(action)
        size = len(allowed)
        if 0 <= index < size and allowed[index]:
            return index
        if self._illegal == "refuse":
            raise IllegalIndex(f"player_{seat} may not do {index} now")
        return next(at % size for at in range(index, index + size) if allowed[at % size])

    # ---------------------------------------------------------------- looking

    def receive(self, seat: int) -> Observed:
        now = received(self.spaces, self.position, seat)
        return {
            "observation": np.array(now.observation, np.float32),
            "action_mask": np.array(now.mask, np.int8),
        }

    def rewards(self) -> tuple[float, ...]:
        """By seat what a match was worth that is over."""
        end = outcome(self.position.state)
        assert end is not None, self.position
        return rewards(end, len(self.seats))

    def text(self) -> str:
        """What everybody sees, a line for each value."""
        values = view(self.position.state, SPECTATOR).values
        return "\n".join(f"{seen.path}: {'hidden' if seen.hidden else notation(seen.shown)}" for seen in values)
