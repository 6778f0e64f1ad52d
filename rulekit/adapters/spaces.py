"""What a seat receives of a position through an adapter: an observation and a mask, and what its match is worth."""

from __future__ import annotations

from rulekit.adapters.action_space import ActionSpace, action_space
from rulekit.adapters.answering import Position, mask
from rulekit.adapters.number_coding import Numbers
from rulekit.adapters.observation import ObservationSpace, observation_space
from rulekit.play.state.match_state import Outcome
from rulekit.play.state.setting import Setting
from rulekit.play.view import view
from rulekit.values import frozen


@frozen
class Spaces:
    """The same for all matches of a game with the same options and number of seats."""

    actions: ActionSpace
    observations: ObservationSpace


@frozen
class Received:
    """observation: as long as its space; mask: by index of an action 1 or 0, never all 0."""

    observation: Numbers
    mask: list[int]


def spaces(setting: Setting) -> Spaces:
    actions = action_space(setting)
    return Spaces(actions, observation_space(setting, actions))


def received(of: Spaces, position: Position, seat: int) -> Received:
    """All that a seat receives of a position."""
    observation = of.observations.observed(view(position.state, seat), position.asked(seat))
    return Received(observation, mask(of.actions, position, seat))


def rewards(end: Outcome, seats: int) -> tuple[float, ...]:
    """By seat 1 for the first place down to -1 for the last, shared places averaged; their sum is 0.

    Who is defeated is behind all others.  If everybody is, each has -1; a single seat that is not has 1.  Seats that
    are nobody's, behind the others, count for nothing.  What all reach together is from -1 for nothing to 1 for all.
    """
    defeated = [seat for seat in end.defeated if seat < seats]
    if len(defeated) == seats:
        return (-1.0,) * seats
    if end.together is not None:
        return (2 * end.together.part - 1,) * seats
    ranked = [[seat for seat in place if seat < seats and seat not in defeated] for place in end.ranking]
    found, better = [1.0] * seats, 0
    for place in (*ranked, defeated):
        for seat in place if seats > 1 else ():
            found[seat] = 1 - (2 * better + len(place) - 1) / (seats - 1)
        better += len(place)
    return tuple(found)
