"""Four board games against other people's programs: the same moves are legal at every turn, and the same seats win.

OpenSpiel and PettingZoo know nothing of our rules, so what all of them say is
not one misreading of ours.  A move is named the same for all: the numbers
that OpenSpiel and PettingZoo give to cells and columns, or for breakthrough
OpenSpiel's own text, as `a7b6`.
"""

from __future__ import annotations

import importlib
import random
import warnings
from collections.abc import Callable, Iterable
from typing import Any, Protocol

import pytest

from benchmarks.peers import OPEN_SPIEL, PETTING_ZOO
from rulekit import Action, Ref, State, Value, apply, decisions, outcome, start, view
from tests.extras import needs
from tests.generators.random_matches import game
from tests.paths import EXAMPLES

pytestmark = [needs("peers"), pytest.mark.filterwarnings("ignore")]

MATCHES = {"tic_tac_toe": 40, "connect_four": 15, "breakthrough": 4, "hex": 6}
THEIRS = {**OPEN_SPIEL, "hex": "hex(board_size=7)"}


class Peer(Protocol):
    """A match in another program."""

    def moves(self) -> set[str]:
        """Nothing at the end of the match."""

    def play(self, move: str) -> None: ...

    def returns(self) -> list[float]:
        """By seat, when the match is over: positive for who has won, negative for who has lost."""


class OpenSpiel:
    def __init__(self, name: str) -> None:
        import pyspiel

        self.state: Any = pyspiel.load_game(THEIRS[name]).new_initial_state()
        self.in_words = name == "breakthrough"

    def moves(self) -> set[str]:
        return set() if self.state.is_terminal() else set(self._actions())

    def _actions(self) -> dict[str, int]:
        """A move that takes ends with a star there."""
        legal = self.state.legal_actions()
        return {self.state.action_to_string(a).rstrip("*") if self.in_words else str(a): a for a in legal}

    def play(self, move: str) -> None:
        self.state.apply_action(self._actions()[move])

    def returns(self) -> list[float]:
        return list(self.state.returns())


class PettingZoo:
    def __init__(self, name: str) -> None:
        with warnings.catch_warnings(action="ignore"):
            self.match: Any = importlib.import_module(f"pettingzoo.classic.{PETTING_ZOO[name]}").raw_env()
        self.match.reset()

    def moves(self) -> set[str]:
        observation, _, is_over, is_cut, _ = self.match.last()
        mask = [] if is_over or is_cut else observation["action_mask"]
        return {str(place) for place, is_open in enumerate(mask) if is_open}

    def play(self, move: str) -> None:
        self.match.step(int(move))

    def returns(self) -> list[float]:
        return [self.match.rewards[agent] for agent in self.match.possible_agents]


# ---------------------------------------------------------------- our answers by their names


class Named:
    """Names of our answers: of a cell or a column its number, of a pawn the square it stands on, of a way where to.

    stands:  by pawn, its square; the first player is at the top there, in rows 8 and 7.
    pawn:    the one that was chosen last.
    """

    def __init__(self, state: State) -> None:
        seen = [(each.path, each.shown) for each in view(state, 0).values]
        self.stands = {path.partition(".")[2]: _place(shown) for path, shown in seen if isinstance(shown, Ref)}
        self.pawn = ""
        self.columns = next(place.width or 0 for place in state.setting.places.values() if place.form == "grid")

    def name(self, answer: Value) -> str:
        if not isinstance(answer, Ref):
            return str(int(str(answer)) - 1)
        if answer.kind == "cell":
            # Rows with OpenSpiel are columns with PettingZoo, which is the same game.
            column, row = _place(answer)
            return str((row - 1) * self.columns + column - 1)
        column, row = self.stands[answer.key] if answer.kind == "pawn" else self._beside(answer.key)
        return f"{'abcdefgh'[column - 1]}{9 - row}"

    def _beside(self, way: str) -> tuple[int, int]:
        column, row = self.stands[self.pawn]
        return column + ("east" in way) - ("west" in way), row + ("south" in way) - ("north" in way)

    def answered(self, answer: Value) -> None:
        if isinstance(answer, Ref) and answer.kind == "pawn":
            self.pawn = answer.key
        elif isinstance(answer, Ref) and answer.kind == "direction":
            self.stands[self.pawn] = self._beside(answer.key)


def _place(cell: Value) -> tuple[int, int]:
    assert isinstance(cell, Ref)
    column, row = cell.key.split(",")
    return int(column), int(row)


def won(state: State) -> list[int]:
    """By seat 1 for who has won alone, -1 for who has not, 0 if nobody has."""
    end = outcome(state)
    assert end is not None
    return [0, 0] if len(end.winners) == 2 else [1 if seat in end.winners else -1 for seat in range(2)]


# ---------------------------------------------------------------- side by side


class Both:
    """One match, played here and there.  begun: the name of a move, as far as it is chosen."""

    def __init__(self, state: State, theirs: Peer) -> None:
        self.state, self.theirs = state, theirs
        self.named, self.begun = Named(state), ""

    def offer(self, options: Iterable[Value]) -> None:
        """What is offered here is what is legal there."""
        names = {self.begun + self.named.name(option) for option in options}
        legal = {move for move in self.theirs.moves() if move.startswith(self.begun)}
        assert names == {move[: max(map(len, names))] for move in legal}

    def choose(self, answer: Value) -> None:
        """Questions with one option are answered by the rules themselves, and told like the others."""
        step = apply(self.state, Action(decisions(self.state)[0].seat, answer))
        for event in step.events:
            if event.name == "choose":
                if not event["asked"]:
                    self.offer([event["answer"]])
                self._chosen(event["answer"])
        self.state = step.state

    def _chosen(self, answer: Value) -> None:
        self.begun += self.named.name(answer)
        self.named.answered(answer)
        if self.begun in self.theirs.moves():
            self.theirs.play(self.begun)
            self.begun = ""


PEERS = [(OpenSpiel, name) for name in THEIRS] + [(PettingZoo, name) for name in PETTING_ZOO]


@pytest.mark.parametrize(("peer", "name"), PEERS, ids=lambda value: getattr(value, "__name__", value))
def test_the_same_moves_are_legal_and_the_same_seats_win(peer: Callable[[str], Peer], name: str) -> None:
    chance, ends = random.Random(1), set()
    for _ in range(MATCHES[name]):
        both = Both(start(game(EXAMPLES / f"{name}.rules"), seats=2).state, peer(name))
        while asked := decisions(both.state):
            both.offer(asked[0].options)
            both.choose(chance.choice(asked[0].options))
        assert (both.begun, both.theirs.moves()) == ("", set())
        assert won(both.state) == both.theirs.returns()
        ends.add(tuple(won(both.state)))
    assert {(1, -1), (-1, 1)} <= ends, "never exercised"
