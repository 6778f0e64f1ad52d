"""Many matches at once in the compiled engine are the interpreter's, step by step, and show no more than views do."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest

from rulekit import Game, Value, outcome, start, view
from rulekit.adapters.answering import Position, after, mask
from rulekit.adapters.vector_env import VectorEnv
from rulekit.compiler.lower.driving.observation import features
from rulekit.compiler.lower.storage.layout import Unsupported
from tests import paths
from tests.adapters import vector_oracle as oracle
from tests.extras import needs
from tests.generators.random_matches import Answers, game
from tests.plans.validator import faults

pytestmark = needs("wasmtime")
FILES = sorted([*paths.GAMES.glob("*.rules"), *paths.EXAMPLES.glob("*.rules")])
MATCHES, STEPS = 3, 60


class Followed:
    """An environment of many matches, and each of them in the interpreter."""

    def __init__(self, rules: Game, options: Mapping[str, Value], seats: int, seed: str) -> None:
        self.rules, self.options, self.seats, self.seed = rules, options, seats, seed
        self.env = VectorEnv(rules, MATCHES, options, seats)
        self.features = features(self.env.storage)
        self.answers = Answers(seed)
        self.rounds = [-1] * MATCHES
        self.ended = 0
        self.turn = self.env.reset(seed)
        self.positions = [self.begun(match) for match in range(MATCHES)]
        self.compare()

    def begun(self, match: int) -> Position:
        """The next match in a place at which somebody is asked."""
        while True:
            self.rounds[match] += 1
            seed = f"{self.seed}#{match}#{self.rounds[match]}"
            position = Position(start(self.rules, self.options, self.seats, seed).state)
            if not position.is_over:
                return position

    def step(self) -> None:
        indices = [self._answer(row) for row in self.turn.masks]
        before = [int(seat) for seat in self.turn.seats]
        self.turn = self.env.step(indices)
        for match, (seat, index) in enumerate(zip(before, indices, strict=True)):
            to = after(self.env.space, self.positions[match], seat, index)
            assert bool(self.turn.terminated[match]) == to.is_over, (match, index)
            rewards = self.turn.rewards[match].tolist()
            if to.is_over:
                end = outcome(to.state)
                assert end is not None
                assert rewards == pytest.approx(oracle.rewards(end, self.seats)), end
                self.ended += 1
                to = self.begun(match)
            else:
                assert not any(rewards)
            self.positions[match] = to
        assert not self.turn.truncated.any()
        self.compare()

    def _answer(self, row: np.ndarray) -> int:
        allowed = np.flatnonzero(row)
        return int(allowed[self.answers.below(len(allowed))])

    def compare(self) -> None:
        for match, position in enumerate(self.positions):
            seat = int(self.turn.seats[match])
            assert seat in position.to_act(), (match, seat)
            assert self.env.seed_of(match) == f"{self.seed}#{match}#{self.rounds[match]}"
            allowed = mask(self.env.space, position, seat)
            assert self.turn.masks[match].tolist() == [bool(one) for one in allowed], (
                match,
                self.wrong(match, allowed),
            )
            wanted = self.observed(position, seat)
            assert self.turn.observations[match].tolist() == wanted, self.differs(match, wanted)

    def observed(self, position: Position, seat: int) -> list[int]:
        asked = position.asked(seat)
        assert asked is not None
        question, apart = self.question(position, seat)
        setting = position.state.setting
        return oracle.observation(setting, self.features, view(position.state, seat), asked, question, apart=apart)

    def question(self, position: Position, seat: int) -> tuple[int, bool]:
        """Which of the operations that ask it is, from 1, and whether others are asked apart from it."""
        state = position.state
        branch = next((one for one in state.branches if one.seat == seat), None)
        code, place = (state.frames if branch is None else branch.frames)[-1][:2]
        known = sorted({(one.code, one.place) for one in self.env.plan.asks})
        return known.index((code, place)) + 1, branch is not None

    def wrong(self, match: int, allowed: list[int]) -> list[str]:
        shown = self.turn.masks[match]
        return [self.env.space.meaning(at) for at, one in enumerate(allowed) if shown[at] != bool(one)]

    def differs(self, match: int, wanted: list[int]) -> list[tuple[str, int, int]]:
        shown = self.turn.observations[match].tolist()
        return [row for row in zip(self.env.names, shown, wanted, strict=True) if row[1] != row[2]]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_matches_are_those_of_the_interpreter(file: Path) -> None:
    rules = game(file)
    if file.stem == "beggar":
        with pytest.raises(Unsupported, match="nobody decides"):
            VectorEnv(rules, MATCHES)
        return
    assert faults(VectorEnv(rules, 1).plan) == []
    for seats in sorted({rules.least, min(rules.most, 4)}):
        followed = Followed(rules, {}, seats, f"many {seats}")
        for _ in range(STEPS):
            followed.step()
