"""What can be agreed before a match, laid out from a game's declarations: no option is named here.

A combination is a number of players and a value for each option that is not left at its default.  Where not all can be
played, few are chosen in which every value occurs: a covering array (of strength one).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import cycle, product
from pathlib import Path

from attrs import frozen

from rulekit import BadSetup, Game, Value, notation
from rulekit.model.game import Option
from rulekit.play.engine import prepared
from rulekit.record.json_values import option_outward

SWITCHES = 6
"""Games with at most so many yes/no variants are played with every combination of them."""

Choices = dict[str, Value]


@frozen
class Combination:
    """options: names with values as `rulekit run --option` takes them."""

    path: Path
    players: int
    options: tuple[tuple[str, Value], ...]

    def __str__(self) -> str:
        chosen = [f"{name}={notation(value)}" for name, value in self.options]
        return " ".join([self.path.stem, f"players={self.players}", *chosen])

    def seed(self, master: str, number: int) -> str:
        """The seed of its match with this number; the same whatever else is played."""
        return f"{master}-{sha256(str(self).encode()).hexdigest()[:12]}-{number}"


def counts(game: Game) -> range:
    return range(game.least, game.most + 1)


def is_allowed(game: Game, players: int, choices: Choices) -> bool:
    """Whether the game's own `requires` and `conflicts` let a match begin like this."""
    if not any(option.guards for option in game.options):
        return True
    try:
        prepared(game, choices, players, None, checked=False)
    except BadSetup:
        return False
    return True


def values(game: Game, option: Option, players: int) -> list[Value]:
    """All values of an option; of a set the empty one, each single member and the largest that is allowed."""
    numbers = range(option.low, option.high + 1)
    if option.readings:
        every: list[Value] = [name for name, _ in option.readings]
    elif option.type.name == "flag":
        every = [False, True]
    elif option.type.is_set:
        every = [(), *((number,) for number in numbers)]
        every += [largest] if (largest := _largest(game, option, players)) not in every else []
    else:
        every = list(numbers)
    return [value for value in every if is_allowed(game, players, {option.name: value})]


def _largest(game: Game, option: Option, players: int) -> Value:
    sizes = range(option.high - option.low + 1, -1, -1)
    sets = (tuple(range(option.low, option.low + size)) for size in sizes)
    return next(each for each in sets if is_allowed(game, players, {option.name: each}))


def switches(game: Game) -> list[Choices]:
    """Every combination of the yes/no variants, where they are few; else all off and all on."""
    names = [option.name for option in game.options if option.type.name == "flag" and not option.unclear]
    if len(names) <= SWITCHES:
        return [dict(zip(names, chosen, strict=True)) for chosen in product((False, True), repeat=len(names))]
    return [dict.fromkeys(names, False), dict.fromkeys(names, True)]


def every(path: Path, game: Game) -> Iterator[Combination]:
    """Each combination of variants, and each value of each option with the variants off and on, for all players."""
    for players in counts(game):
        chosen = switches(game)
        for base in (chosen[0], chosen[-1]):
            chosen += [{**base, o.name: value} for o in game.options for value in values(game, o, players)]
        allowed = (choices for choices in chosen if is_allowed(game, players, choices))
        yield from dict.fromkeys(_combination(path, game, players, choices) for choices in allowed)


def _combination(path: Path, game: Game, players: int, choices: Choices) -> Combination:
    """Without what is the default anyway, and in the order of the file."""
    chosen = [(option, choices[option.name]) for option in game.options if option.name in choices]
    kept = [(option.name, value) for option, value in chosen if value != option_outward(option, option.default)]
    return Combination(path, players, tuple(kept))


# ---------------------------------------------------------------- a small sample


def covering(path: Path, game: Game) -> list[Combination]:
    """Few combinations in which every number of players and every value of every option is met: a covering array."""
    wanted = list(_all_values(game))
    chosen: list[Combination] = []
    for players in cycle(counts(game)):
        if not wanted and len(chosen) >= len(counts(game)):
            return chosen
        taken = _together(game, players, wanted)
        wanted = [pair for pair in wanted if pair not in taken.items()]
        mixed = _together(game, players, [*taken.items(), *_mixed(game, players, len(chosen))])
        chosen.append(_combination(path, game, players, mixed))
    raise AssertionError("a game is for at least one number of players")


def _all_values(game: Game) -> dict[tuple[str, Value], None]:
    """Each option with each value that it can have with some number of players."""
    pairs = ((o.name, value) for o in game.options for n in counts(game) for value in values(game, o, n))
    return dict.fromkeys(pairs)


def _together(game: Game, players: int, wanted: Iterable[tuple[str, Value]]) -> Choices:
    """The first value of each option, as far as they go together."""
    taken: Choices = {}
    for name, value in wanted:
        if name not in taken and is_allowed(game, players, {**taken, name: value}):
            taken[name] = value
    return taken


def _mixed(game: Game, players: int, number: int) -> Iterator[tuple[str, Value]]:
    for option in game.options:
        place = int(sha256(f"{option.name} {number}".encode()).hexdigest(), 16)
        some = values(game, option, players)
        yield option.name, some[place % len(some)]
