"""What a bot is: a program that holds one seat of one match and knows what that seat may know.

The game, its options and the seats are public, and a bot gets them when it
sits down.  From then on it hears what its seat hears.  It keeps its memory
itself; a `State` never reaches it, nor does the seed of the match.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256
from typing import Protocol

from rulekit.model.game import Game
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.play.view import View
from rulekit.values import frozen


@frozen
class Chair:
    """What a bot is given when it sits down.

    options:  those that were chosen, by name.  seats: the names of all players.
    seat:     its own, 0-based.
    seed:     its own, see `own_seed`; what a bot draws comes from the stream `bot:` and its seat's name.
    """

    game: Game
    options: Mapping[str, Value]
    seats: tuple[str, ...]
    seat: int
    seed: str

    @property
    def name(self) -> str:
        return self.seats[self.seat]


def own_seed(seed: str, name: str) -> str:
    """The seed of a bot, for the seed of its match and the name of its seat; always the same.

    A one-way function (SHA-256): from the seed of the match all that chance will bring could be worked out.
    """
    return sha256(f"rulekit bot 1:{name}:{seed}".encode()).hexdigest()[:32]


class Bot(Protocol):
    """listens: whether it wants to be told anything; one that does not is spared the views."""

    listens: bool

    def told(self, view: View, events: tuple[Event, ...]) -> None:
        """Something changed for the seat: what it sees now, and what it heard since it was last told."""
        ...

    def answer(self, view: View, decision: Decision) -> Value:
        """One of the options, or a tuple of some of them where several are asked for."""
        ...

    def answered(self, decision: Decision, value: Value) -> None:
        """Its seat's answer was taken; what follows from it is told next.

        Also called for answers that it has not thought of itself, when a match goes on after an undo.
        """
        ...
