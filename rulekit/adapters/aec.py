"""A game as an AEC environment of PettingZoo (agent environment cycle): whoever is asked acts, one after the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.adapters.episode import Episode, Given, Illegal, Observed
from rulekit.adapters.packages import AECEnv, kinds
from rulekit.play.state.value import Value


class AECGame(AECEnv):
    """One match after `reset`, or with `again` one after the other.

    Those who are asked at the same time are asked in the order of seats, and nobody sees what the others answered.
    Where nobody is asked anything in a whole match, each seat waits once.
    """

    def __init__(
        self,
        game: Given,
        options: Mapping[str, Value] | None = None,
        seats: int | None = None,
        *,
        max_cycles: int | None = None,
        again: bool = False,
        illegal: Illegal = "refuse",
        render_mode: str | None = None,
    ) -> None:
        """game: a checked game or the path of its file; options and seats as of `rulekit.start`.

        max_cycles:  truncated where somebody who acted so many times is asked again; None: never.
        again:       whether a match that is over is followed by another one, with rewards in between.
        """
        super().__init__()
        self.episode = Episode(game, options, seats, illegal)
        self.max_cycles, self.again, self.render_mode = max_cycles, again, render_mode
        self.metadata = {"name": self.episode.game.title, "render_modes": ["ansi"], "is_parallelizable": False}
        self.possible_agents = self.episode.agents()
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.episode.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.episode.action_space() for agent in self.possible_agents}
        self._idle: list[int] = []
        self._turns: list[int] = []

    def observation_space(self, agent: str) -> kinds.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> kinds.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> Observed:
        """What an agent may see: `observation` and `action_mask`."""
        return self.episode.receive(self.possible_agents.index(agent))

    def render(self) -> str:
        """What everybody sees."""
        return self.episode.text()

    def close(self) -> None:
        """Nothing is held open."""

    # ---------------------------------------------------------------- going on

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.episode.reset(seed)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations, self.truncations = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._skip_agent_selection = None
        self._turns = [0] * len(self.agents)
        self._begin()
        self._select()

    def _begin(self) -> None:
        self._idle = list(self.episode.seats) if self.episode.position.is_over else []

    def _select(self) -> None:
        """The next who is asked."""
        seat = (*self.episode.position.to_act(), *self._idle)[0]
        self.agent_selection = self.possible_agents[seat]
        if self.max_cycles is not None and self._turns[seat] >= self.max_cycles:
            self.truncations = dict.fromkeys(self.agents, True)

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None, "an agent that lives must act"
        seat = self.possible_agents.index(self.agent_selection)
        self.episode.act(seat, self.episode.legal(seat, action))
        self._turns[seat] += 1
        self._idle = self._idle[1:]
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        if self.episode.position.is_over and not self._idle:
            self._finish()
        if not self.terminations[self.agent_selection]:
            self._select()
        self._accumulate_rewards()

    def _finish(self) -> None:
        self.rewards = dict(zip(self.possible_agents, self.episode.rewards(), strict=True))
        if self.again:
            self.episode.next_match()
            self._begin()
        else:
            self.terminations = dict.fromkeys(self.agents, True)
