"""Monte Carlo simulation: series of matches between bots, in the fastest engine that can play them here.

Match i of a series with seed S is the match with seed `S#i`, in every engine
and however the series is cut into pieces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from rulekit.bots.players import registry
from rulekit.compiler.compiler_faults import faults_refused
from rulekit.compiler.lower.counting.counters import Counters
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import NONE
from rulekit.compiler.runtime import module_cache, wasm_host
from rulekit.compiler.wasm import backend
from rulekit.compiler.wasm.backend import WasmMachine
from rulekit.model.game import Game
from rulekit.play.state import counter_rng
from rulekit.play.state.value import Value
from rulekit.tools.series.match_instrumentation import places_of
from rulekit.values import define, field, frozen


@frozen
class MatchResult:
    """The end of one match.

    status:   a `Status` of the plan; DONE where the rules came to their end.
    places:   by seat the place, from 1; None for those who were defeated.
    winners:  the seats that won.
    figures:  values in the order of `Series.figures`; None for nothing.
    is_tie:   whether several seats won that are against one another.
    """

    index: int
    status: int
    decisions: int
    places: tuple[int | None, ...]
    winners: tuple[int, ...]
    figures: tuple[int | None, ...]
    is_tie: bool = False


class Series(Protocol):
    """Matches of one game with fixed options and seats, in one engine.

    engine:  which one it is; why: why it is no faster one, "" if it was wanted.
    """

    engine: str
    why: str
    counters: Counters

    @property
    def seats(self) -> tuple[str, ...]: ...

    def rows(self, first: int, count: int, words: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Matches from `first` on: of each the status, how many decisions, and these words at its end."""
        ...

    def test_all(self) -> None:
        """Every match is tested for invariants, not a sample of them."""
        ...

    def sums(self) -> list[int]:
        """What the matches since this was last asked came to: the cells of `Counters.sheet`."""
        ...

    def interrupt(self) -> None:
        """From any thread: let `rows` raise `Interrupted`, in the middle of a match too, until `go_on`."""
        ...

    def go_on(self) -> None:
        """Play again after `interrupt`."""
        ...


def played(one: Series, first: int, count: int) -> list[MatchResult]:
    """Matches with all that `MatchResult` has."""
    words = all_result_words(one)
    return [decoded(one, first + number, row) for number, row in enumerate(one.rows(first, count, words))]


def all_result_words(one: Series) -> tuple[int, ...]:
    """What `decoded` reads, with all figures."""
    return result_words(one, tuple(figure.word for figure in one.counters.figures))


def result_words(one: Series, figures: tuple[int, ...]) -> tuple[int, ...]:
    """The words of a position that say who came where, then those of some figures."""
    storage, everyone = one.counters.storage, range(one.counters.everyone)
    places = (*(storage.rank + seat for seat in everyone), *(storage.defeated + seat for seat in everyone))
    return (*places, *figures)


def decoded(one: Series, index: int, row: tuple[int, ...]) -> MatchResult:
    """A row of `Series.rows` that was asked for with `result_words`."""
    everyone = one.counters.everyone
    status, decisions, *values = row
    places = places_of(values[:everyone], values[everyone : 2 * everyone])
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    figures = tuple(None if value == NONE else value for value in values[2 * everyone :])
    setting = one.counters.storage.setting
    is_tie = setting.game.together is None and len({setting.team_of(seat) for seat in winners}) > 1
    return MatchResult(index, status, decisions, tuple(places), winners, figures, is_tie)


def series(
    game: Game,
    options: Mapping[str, Value],
    seats: int,
    seed: str,
    engine_name: str = "auto",
    bots: tuple[str, ...] = (),
    *,
    like: Series | None = None,
    paused: Callable[[], None] = lambda: None,
) -> Series:
    """A series in the engine asked for; `auto`: in the fastest that can play it.

    bots:  one for every seat; none: all answer by chance.
    like:  one of a game that may have much in common with it: it is made sooner then.
    paused:  called now and then while it is made, so that whoever no longer wants it can raise `Interrupted`.

    Errors: `Unsupported` or `wasm_host.Missing` where the engine asked for cannot play; never for `auto`.
    """
    assert engine_name in ("auto", "interpreter", "wasm"), engine_name
    if any(bot != registry.RANDOM for bot in bots):
        if engine_name not in ("auto", "interpreter"):
            raise Unsupported("bots that think")
        return _interpreted(game, options, seats, seed, "", bots)
    if engine_name == "interpreter":
        return _interpreted(game, options, seats, seed)
    try:
        return _compiled(game, options, seats, seed, like, paused)
    except (Unsupported, wasm_host.Missing) as fault:
        if engine_name != "auto":
            raise
        why = f"no compiled engine can say {fault}" if isinstance(fault, Unsupported) else str(fault)
        return _interpreted(game, options, seats, seed, why)


def _compiled(
    game: Game,
    options: Mapping[str, Value],
    seats: int,
    seed: str,
    like: Series | None,
    paused: Callable[[], None],
) -> Compiled:
    known = like.machine.compiled if isinstance(like, Compiled) else None
    with faults_refused(game.title):
        plan, storage = lowered(game, options, seats, counting=True, paused=paused)
        paused()
        made = backend.compiled(plan, like=known)
        return Compiled(made.machine(), storage.counters, seed)


def _interpreted(
    game: Game, options: Mapping[str, Value], seats: int, seed: str, why: str = "", bots: tuple[str, ...] = ()
) -> Series:
    # Imported where it is needed alone, since it is slow to come.
    from rulekit.tools.series.reference_series import Interpreted

    return Interpreted(game, options, seats, seed, why, bots)


@define(eq=False)
class Compiled:
    """A series in WebAssembly: whole runs of matches in one call."""

    machine: WasmMachine
    counters: Counters
    seed: str
    tests_all: bool = field(init=False, default=False)
    engine: str = field(init=False, default="wasm")
    why: str = field(init=False, default="")

    @property
    def seats(self) -> tuple[str, ...]:
        return self.counters.storage.setting.seats

    def twin(self) -> Compiled:
        """The same series for another thread.  Errors: `Missing` where nothing is left for another memory."""
        twin = Compiled(self.machine.compiled.machine(), self.counters, self.seed)
        if self.tests_all:
            twin.test_all()
        return twin

    def module(self) -> module_cache.Module:
        """What another process needs to play it."""
        made = self.machine.compiled
        return module_cache.Module(bytes(made.module.serialize()), made.places, self.counters.sheet)

    @property
    def reserved(self) -> int:
        """Bytes of addresses that its memory takes; modules made for other sizes are of no use here."""
        return self.machine.compiled.host.reserved

    def rows(self, first: int, count: int, words: tuple[int, ...]) -> list[tuple[int, ...]]:
        return self.machine.playouts(counter_rng.seed_number(self.seed), first, count, words)

    def test_all(self) -> None:
        self.tests_all = True
        self.machine.test_all()

    def sums(self) -> list[int]:
        return self.machine.sums()

    def interrupt(self) -> None:
        self.machine.request_stop()

    def go_on(self) -> None:
        self.machine.clear_stop_request()
