"""Names for the seats of a match: as people gave them, and one for each that was given none."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulekit.model.game import Game
from rulekit.play.seat_names import default_names


def named(game: Game, given: Sequence[str], numbered: Callable[[int], str]) -> list[str]:
    """The names of the seats; of those that were given none, a colour, or their number from `numbered`.

    A number where players have things of their own that are called like colours: who is red there may not be `red`.
    """
    spare = default_names(len(given))
    if set(spare) & _had(game):
        spare = tuple(numbered(seat) for seat in range(1, len(given) + 1))
    names = list(given)
    for seat in (seat for seat, name in enumerate(given) if not name):
        names[seat] = next(one for one in (*spare[seat:], *spare) if one not in names)
    return names


def _had(game: Game) -> set[str]:
    """What the things are called of which each player has one as a value."""
    kinds = {one.type.kind for one in game.variables if one.owner == "player" and one.type.name == "thing"}
    return {member.key for kind in kinds if kind in game.kinds for member in game.kinds[kind].members}
