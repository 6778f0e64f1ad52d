"""Series of matches between bots that answer by chance, in whichever engine is fastest here.

Match i of a series with seed S is the match with seed `S#i`, in every engine
and however the series is cut into pieces.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from attrs import define, field, frozen

from rulekit import limits
from rulekit.bots.random_bot import RandomBot
from rulekit.fast import wasm
from rulekit.fast.layout import Storage, Unsupported, lay_out
from rulekit.fast.lower import lowered
from rulekit.fast.machine import Machine
from rulekit.fast.plan import NONE, Status
from rulekit.fast.position import stored
from rulekit.fast.python import PythonMachine
from rulekit.model.game import Game
from rulekit.play import engine, generator
from rulekit.play.errors import LimitError, RuleError
from rulekit.play.state import Action
from rulekit.play.value import Value

ENGINES = ("auto", "interpreter", "python", "wasm")


@frozen
class Figure:
    """A number at the end of every match: seat by seat, or of the whole match (seat None)."""

    name: str
    seat: int | None
    word: int


@frozen
class Played:
    """The end of one match.

    status:   of `plan.Status`; DONE where the rules came to their end.
    places:   by seat the place, from 1; None for those who were defeated.
    winners:  the seats that won.
    figures:  values in the order of `Series.figures`; None for nothing.
    """

    index: int
    status: int
    decisions: int
    places: tuple[int | None, ...]
    winners: tuple[int, ...]
    figures: tuple[int | None, ...]


class Series(Protocol):
    """engine: which one it is; why: why no faster one."""

    engine: str
    why: str
    seats: tuple[str, ...]
    figures: tuple[Figure, ...]

    def played(self, first: int, count: int) -> list[Played]: ...


def series(game: Game, options: Mapping[str, Value], seats: int, seed: str, engine_name: str = "auto") -> Series:
    """Errors: `Unsupported` or `wasm.Missing` where the engine asked for cannot play; never for `auto`."""
    if engine_name == "interpreter":
        return Interpreted(game, options, seats, seed)
    try:
        plan, storage = lowered(game, options, seats)
    except Unsupported as fault:
        if engine_name != "auto":
            raise
        return Interpreted(game, options, seats, seed, f"no compiled engine can say {fault}")
    if engine_name == "python":
        return Compiled(PythonMachine(plan), storage, seed, "python")
    try:
        return Compiled(wasm.compiled(plan).machine(), storage, seed, "wasm")
    except wasm.Missing as missing:
        if engine_name == "wasm":
            raise
        why = str(missing)
    try:
        return Compiled(PythonMachine(plan), storage, seed, "python", why)
    except Unsupported as fault:
        return Interpreted(game, options, seats, seed, f"Python cannot say {fault}")


def figures_of(storage: Storage) -> tuple[Figure, ...]:
    """Counters and places on tracks, of players and of the match."""
    setting = storage.setting
    found: list[Figure] = []
    for index, variable in enumerate(setting.game.variables):
        base = storage.word_base.get(index)
        if variable.form == "piece" and setting.game.places[variable.place].form == "track":
            base = storage.pieces + setting.piece_first[index]
        elif variable.form != "counter":
            continue
        assert base is not None
        if variable.owner == "player":
            found += [Figure(variable.name, seat, base + seat) for seat in range(setting.players)]
        elif variable.owner == "":
            found.append(Figure(variable.name, None, base))
    return tuple(found)


@define(eq=False)
class Compiled:
    """A series in a compiled engine: whole runs of matches in one call."""

    machine: Machine
    storage: Storage
    seed: str
    engine: str
    why: str = ""
    seats: tuple[str, ...] = field(init=False)
    figures: tuple[Figure, ...] = field(init=False)
    _words: tuple[int, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.seats = self.storage.setting.seats
        self.figures = figures_of(self.storage)
        self._words = (*_outcome_words(self.storage), *(figure.word for figure in self.figures))

    def played(self, first: int, count: int) -> list[Played]:
        made = self.machine.playouts(generator.seed_number(self.seed), first, count, self._words)
        everyone = len(self.seats)
        return [
            _played(first + number, status, decisions, values, everyone)
            for number, (status, decisions, *values) in enumerate(made)
        ]


def _outcome_words(storage: Storage) -> tuple[int, ...]:
    everyone = range(storage.setting.everyone)
    return (*(storage.rank + seat for seat in everyone), *(storage.defeated + seat for seat in everyone))


def _played(index: int, status: int, decisions: int, values: Sequence[int], everyone: int) -> Played:
    ranks, defeated, figures = values[:everyone], values[everyone : 2 * everyone], values[2 * everyone :]
    places = _places(ranks, defeated)
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    told = tuple(None if value == NONE else value for value in figures)
    return Played(index, status, decisions, places, winners, told)


def _places(ranks: Sequence[int], defeated: Sequence[int]) -> tuple[int | None, ...]:
    """Whoever was not ranked stands behind all who were; the defeated have no place."""
    last = max((rank for rank in ranks if rank != NONE), default=0) + 1
    return tuple(
        None if lost != NONE else last if rank == NONE else rank for rank, lost in zip(ranks, defeated, strict=True)
    )


@define(eq=False)
class Interpreted:
    """A series in the reference engine: slow, and able to say everything."""

    game: Game
    options: Mapping[str, Value]
    count: int
    seed: str
    why: str = ""
    engine: str = field(init=False, default="interpreter")
    storage: Storage = field(init=False)
    seats: tuple[str, ...] = field(init=False)
    figures: tuple[Figure, ...] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.storage = lay_out(engine.prepared(self.game, self.options, self.count, "0", checked=False))
        self.seats = self.storage.setting.seats
        self.figures = figures_of(self.storage)

    def played(self, first: int, count: int) -> list[Played]:
        return [self._one(index) for index in range(first, first + count)]

    def _one(self, index: int) -> Played:
        seed, decisions = f"{self.seed}#{index}", 0
        bots = [RandomBot(seed, name) for name in self.seats]
        turns = [0] * len(bots)
        words, status = list(self.storage.words), int(Status.DONE)
        try:
            state = engine.start(self.game, self.options, self.count, seed).state
            while waiting := engine.decisions(state):
                if decisions == limits.DECISIONS:
                    status = int(Status.ENDLESS)
                    break
                decision = waiting[0]
                value = bots[decision.seat].answer(decision, turns[decision.seat])
                turns[decision.seat] += 1
                decisions += 1
                state = engine.apply(state, Action(decision.seat, value)).state
            words, _ = stored(self.storage, state)
        except RuleError as fault:
            status = int(Status.ENDLESS if isinstance(fault, LimitError) else Status.FAULT)
        values = [words[word] for word in (*_outcome_words(self.storage), *(f.word for f in self.figures))]
        return _played(index, status, decisions, values, len(self.seats))
