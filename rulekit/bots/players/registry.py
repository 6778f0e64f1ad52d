"""The registry of bots by name: `random`, `greedy`, `mcts:200`.

To add a bot, give it a function here.  Its module is imported when a bot of that name is seated, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from rulekit import limits
from rulekit.diagnostics import nearest
from rulekit.errors import BadInput

if TYPE_CHECKING:
    from rulekit.bots.bot import Bot, Chair
    from rulekit.model.game import Game
    from rulekit.play.state.value import Value

Maker = Callable[["Chair"], "Bot"]
RANDOM = "random"


class UnknownBot(BadInput, ValueError):
    """A name that no bot has; its text says which there are."""


_custom_bots: dict[str, Any] = {}
"""By name the bots that a program has brought along, in this process."""


def register_custom(bot: Any) -> str:
    """Return the name under which a program's own bot plays; the same bot keeps its name.

    bot: a class or function that makes a `Bot` for a `Chair`; or a `Bot`, a copy of which sits down in each match.
    """
    for name, known in _custom_bots.items():
        if known is bot:
            return name
    kind = bot if isinstance(bot, type) or not hasattr(bot, "answer") else type(bot)
    plain = name = getattr(kind, "__name__", type(kind).__name__).strip("<>")
    number = 2
    while name in _custom_bots or name in _PLAIN or name in _COUNTED:
        name, number = f"{plain}_{number}", number + 1
    _custom_bots[name] = bot
    return name


def is_custom(name: str) -> bool:
    """Return whether a program has brought this bot along."""
    return name in _custom_bots


def _make_custom(bot: Any, chair: Chair) -> Bot:
    if isinstance(bot, type) or not hasattr(bot, "answer"):
        made: Bot = bot(chair)
        return made
    return deepcopy(cast("Bot", bot))


def maker(name: str) -> Maker:
    """What seats a bot of this name.  Errors: `UnknownBot`."""
    if name in _custom_bots:
        return partial(_make_custom, _custom_bots[name])
    word, colon, number = name.partition(":")
    if word in _COUNTED:
        return _counted(name, word, number if colon else "")
    if name not in _PLAIN:
        raise UnknownBot(f"no bot is called `{ascii(name)[1:-1]}`; {nearest(name, _PLAIN) or names()}")
    return _PLAIN[name]


def seated(name: str, game: Game, options: Mapping[str, Value], seats: tuple[str, ...], seat: int, seed: str) -> Bot:
    """A bot of this name at one seat of a match.  Errors: `UnknownBot`.

    seed:  of the match.  Only `random` is given it, which draws as compiled matches do, and looks at nothing.
    """
    from rulekit.bots.bot import Chair, own_seed
    from rulekit.play.state.errors import BadSetup

    if not 0 <= seat < len(seats):
        raise BadSetup(f"there is no seat {seat}; the seats are 0 to {len(seats) - 1}")
    own = seed if name == RANDOM else own_seed(seed, seats[seat])
    return maker(name)(Chair(game, options, seats, seat, own))


def is_searching(name: str) -> bool:
    """Whether a bot searches by simulations, which run in WebAssembly where it can."""
    return name.partition(":")[0] in _COUNTED


def names() -> str:
    """Which bots there are, as a person reads it."""
    words = [*_PLAIN, *(f"{word}:N (for example {word}:200)" for word in _COUNTED)]
    return f"the bots are {', '.join(words)}"


def _counted(name: str, word: str, number: str) -> Maker:
    if not (number.isascii() and number.isdigit() and 0 < len(number) <= 9 and 0 < int(number) <= limits.SIMULATIONS):
        shown = ascii(name)[1:-1]
        raise UnknownBot(f"`{shown}`: {word} takes a number from 1 to {limits.SIMULATIONS:,}, such as {word}:200")
    return lambda chair: _COUNTED[word](chair, int(number))


def _random(chair: Chair) -> Bot:
    from rulekit.bots.players.random_bot import RandomSeat

    return RandomSeat(chair)


def _greedy(chair: Chair) -> Bot:
    from rulekit.bots.players.greedy import Greedy

    return Greedy(chair)


def _mcts(chair: Chair, simulations: int) -> Bot:
    from rulekit.bots.players.mcts import Mcts

    return Mcts(chair, simulations)


_PLAIN: dict[str, Maker] = {RANDOM: _random, "greedy": _greedy}
_COUNTED: dict[str, Callable[[Chair, int], Bot]] = {"mcts": _mcts}
