"""A confidence sequence: bounds of a mean that hold however often they are looked at (anytime-valid inference).

The construction is testing by betting.  Somebody who holds that the mean is m
is offered bets on every difference x from -1 to 1: of each coin put in,
1 + r(x - m) come back.  If m is right, or too low for him who bets on less, the
wealth of the gambler is a nonnegative supermartingale: the chance of ever
having 1 / e coins for one is at most e (Ville's inequality).  So whoever has
that many shows m to be wrong.  The coin is spread over several r, so that one
of them suits; what they come to depends on how many differences of each kind
there were, not on their order.  Nothing is approximated.

Source: Waudby-Smith and Ramdas, Estimating means of bounded random variables
by betting, JRSS B 86 (2024); Ville's inequality; mixtures after Robbins.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from rulekit.tools.estimation.confidence_intervals import Estimate

_STAKES = tuple(2.0**-power for power in range(1, 12))
"""The r: at most a half, so that no bet can lose more than was put in; the least suits some millions of matches."""
_HALVINGS = 40


def mean_bounds(more: int, less: int, count: int, error: float) -> Estimate:
    """The mean of `count` differences, of which so many were +1 and -1 and the others 0.

    error:  the chance that its bounds are ever wrong, at any of the numbers of matches together.
    """
    if not count:
        return Estimate(math.nan, -math.inf, math.inf)
    limit = math.log(2 / error)
    low = _bisected(lambda m: _log_wealth(more, less, count, m) < limit)
    high = -_bisected(lambda m: _log_wealth(less, more, count, m) < limit)
    value = (more - less) / count
    return Estimate(value, min(low, value), max(high, value))


def _log_wealth(more: int, less: int, count: int, m: float) -> float:
    """The logarithm of what the bets that the mean is above m have made of one coin; the less, the greater m."""
    same = count - more - less
    logs = [
        more * math.log1p(r * (1 - m)) + same * math.log1p(-r * m) + less * math.log1p(-r * (1 + m)) for r in _STAKES
    ]
    most = max(logs)
    return most + math.log(sum(math.exp(one - most) for one in logs) / len(logs))


def _bisected(is_open: Callable[[float], bool]) -> float:
    """The least m from -1 on that is open, from below; all above it are."""
    low, high = -1.0, 1.0
    if is_open(low):
        return low
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if is_open(middle) else (middle, high)
    return low
