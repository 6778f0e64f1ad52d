"""A game as a parallel environment of PettingZoo: all act in each cycle, and who is not asked waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.adapters.episode import Episode, Given, Illegal, Observed
from rulekit.adapters.packages import ParallelEnv, kinds
from rulekit.play.state.value import Value

Dicts = tuple[dict[str, Observed], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]


class ParallelGame(ParallelEnv):
    """One match after `reset`, or with `again` one after the other.

    In a cycle everybody who is asked answers one question, or chooses one thing of a set.  A match in which nobody is
    asked anything takes one cycle.
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

        max_cycles:  truncated after so many; None: never.
        again:       whether a match that is over is followed by another one, with rewards in between.
        """
        super().__init__()
        self.episode = Episode(game, options, seats, illegal)
        self.max_cycles, self.again, self.render_mode = max_cycles, again, render_mode
        self.metadata = {"name": self.episode.game.title, "render_modes": ["ansi"]}
        self.possible_agents = self.episode.agents()
        self.agents: list[str] = []
        self.observation_spaces = {agent: self.episode.observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: self.episode.action_space() for agent in self.possible_agents}
        self._cycles = 0

    def observation_space(self, agent: str) -> kinds.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> kinds.Space[Any]:
        return self.action_spaces[agent]

    def render(self) -> str:
        """What everybody sees."""
        return self.episode.text()

    def close(self) -> None:
        """Nothing is held open."""

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observed], dict[str, dict[str, Any]]]:
        self.episode.reset(seed)
        self.agents, self._cycles = self.possible_agents.copy(), 0
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions: Mapping[str, int]) -> Dicts:
        agents, ended = self.agents, False
        # All are looked at before any is carried out: nobody answers to what another does in the same cycle.
        legal = [self.episode.legal(seat, actions[agent]) for seat, agent in enumerate(agents)]
        for seat, index in enumerate(legal):
            self.episode.act(seat, index)
        self._cycles += 1
        rewards = dict.fromkeys(agents, 0.0)
        if agents and self.episode.position.is_over:
            rewards, ended = dict(zip(agents, self.episode.rewards(), strict=True)), not self.again
            if self.again:
                self.episode.next_match()
        stopped = not ended and self.max_cycles is not None and self._cycles >= self.max_cycles
        found = self._observed()
        self.agents = [] if ended or stopped else agents
        ends, stops = dict.fromkeys(agents, ended), dict.fromkeys(agents, stopped)
        return found, rewards, ends, stops, {agent: {} for agent in agents}

    def _observed(self) -> dict[str, Observed]:
        return {agent: self.episode.receive(seat) for seat, agent in enumerate(self.agents)}
