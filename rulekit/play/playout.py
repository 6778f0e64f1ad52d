"""Playouts (rollouts): a match played to its end at once, with somebody who answers every question on the spot.

Nothing is frozen on the way and nobody is told anything: the rules run as
they do from decision to decision, and come to the same end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulekit.model import game as model
from rulekit.play import engine
from rulekit.play.interpreter.main_loop import run
from rulekit.play.machine.working_state import Answers, Machine
from rulekit.play.state.value import Value


def played(
    game: model.Game,
    options: Mapping[str, Value],
    seats: int,
    seed: str,
    answers: Answers,
    entered: Callable[[Any, int, list[Any]], None] | None = None,
    round_begun: Callable[[Any], Callable[[], None]] | None = None,
) -> Machine:
    """The machine at the end of the match; `play.machine.working_state.freeze` gives its state.

    entered, round_begun: as of `engine.start`.
    Errors: as `engine.start`, and whatever `answers` raises.
    """
    m = engine.opened(game, options, seats, seed, checked=False)
    m.setting.entered, m.setting.round_begun = entered, round_begun
    m.answers, m.silent = answers, True
    m.push(game.main, [])
    run(m)
    assert m.over, m.pending
    return m
