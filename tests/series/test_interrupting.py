"""A series is broken off in the middle of a match, and goes on as if nothing had been."""

from __future__ import annotations

import gc
from contextlib import suppress
from threading import Thread
from weakref import ref

import pytest

from rulekit.errors import Interrupted
from rulekit.loading import load_text
from rulekit.model.game import Game
from rulekit.tools.series.simulation import Compiled, Series, series
from tests import processes

HUNGRY = """game "Hungry"
    players 2
counter rounds 0..1000000
play
    repeat
        raise rounds by 1
        starter chooses "Go on?"
            "on"
            "further"
        if count (1..3000 as a where any (1..300 as b where a is b * 7)) is 77: raise rounds by 1
result: rank players by highest seat
"""
"""A match runs to the limit of steps: about a second even when it is compiled, minutes when it is not."""
SHORT = HUNGRY.replace("1..3000 as a", "1..3 as a").replace(
    "        raise rounds by 1\n        starter",
    "        if rounds is 5: end game\n        raise rounds by 1\n        starter",
)


@pytest.fixture(params=["wasm", "interpreter"])
def engine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def made(game: Game, engine: str) -> Series:
    return series(game, {}, 2, "0", engine)


def rounds(of: Series) -> int:
    """How far the match has come; may be asked while it is played."""
    if isinstance(of, Compiled):
        places = of.machine.compiled.places
        return int(of.machine.memory[(places.words >> 3) + of.counters.storage.word_base[0]])
    return 1


def test_after_an_interrupt_nothing_is_played_until_it_goes_on(engine: str) -> None:
    game = load_text(SHORT)
    one = made(game, engine)
    first = one.rows(0, 3, ())
    one.interrupt()
    for _ in range(2):
        with pytest.raises(Interrupted):
            one.rows(3, 3, ())
    one.go_on()
    one.sums()
    again, sums = one.rows(0, 6, ()), one.sums()
    plain = series(game, {}, 2, "0", engine)
    assert (again, sums) == (plain.rows(0, 6, ()), plain.sums())
    assert again[:3] == first


def test_what_was_broken_off_and_is_dropped_is_gone_at_once(engine: str) -> None:
    """What tells of the interrupt holds no memory until garbage is looked for."""
    one = made(load_text(SHORT), engine)
    one.interrupt()
    with suppress(Interrupted):
        one.rows(0, 3, ())
    left = ref(one.machine if isinstance(one, Compiled) else one)
    gc.disable()
    try:
        del one
        assert left() is None
    finally:
        gc.enable()


def test_a_match_is_broken_off_in_its_middle(engine: str) -> None:
    one, raised = made(load_text(HUNGRY), engine), list[Exception]()

    def play() -> None:
        try:
            one.rows(0, 1_000_000, ())
        except Interrupted as fault:
            raised.append(fault)

    player = Thread(target=play, daemon=True)
    player.start()
    while player.is_alive() and not rounds(one):
        player.join(0.01)
    one.interrupt()
    player.join(processes.HANG)
    assert raised
    assert not player.is_alive()
    assert rounds(one) < 300, "the match came to its own end"
