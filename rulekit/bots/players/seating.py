"""Bots brought to the seats of a match, also of one that has begun: they are told all that has happened so far."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.bots.players import registry
from rulekit.bots.seated_bots import SeatedBots
from rulekit.record.json_values import chosen_options
from rulekit.record.log import HUMAN
from rulekit.record.match import Match


def joined(match: Match, kinds: Sequence[str], seed: str) -> SeatedBots:
    """Bots at the seats of a match that may have begun, told all that has happened so far.

    kinds:  who sits at each seat; a person's is left to them.
    """
    setting = match.state.setting
    seats, options = setting.seats[: setting.players], dict(chosen_options(setting))
    seated = SeatedBots({
        seat: registry.seated(kind, setting.game, options, seats, seat, seed)
        for seat, kind in enumerate(kinds)
        if kind != HUMAN
    })  # fmt: skip
    seated.tell(match.history[0].state if match.history else match.state, match.opening)
    catch_up(seated, match, 0)
    return seated


def catch_up(seated: SeatedBots, match: Match, told: int) -> None:
    """Tell bots what was decided since they heard of the first `told` decisions."""
    positions = [*(past.state for past in match.history[told:]), match.state]
    for past, after in zip(match.history[told:], positions[1:], strict=True):
        seated.answered(past.question, past.action.answer)
        seated.tell(after, past.events, past.action.seat)
