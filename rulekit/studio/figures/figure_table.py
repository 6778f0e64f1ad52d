"""Figures of both versions as a page shows them, with the game's own words for them, and how long they take."""

from __future__ import annotations

from rulekit.play.state.setting import Setting
from rulekit.studio.figures.balance import FEW, Progress
from rulekit.tools.compare import comparison_text
from rulekit.tools.compare.paired_comparison import PairedComparison, PairedFigure
from rulekit.tools.estimation import estimate_text
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

SOON = 10
"""Seconds of waiting of which nothing is said."""
CLOSE = 0.05
"""Shares that are known as closely as this are not called rough."""


@frozen
class Figure:
    """A figure of both versions, as a page shows it.

    low, value, high:  of the difference, in parts of the scale on which it is drawn, from -1 to 1; None if unknown.
    """

    name: str
    before: str
    now: str
    verdict: str
    is_clear: bool
    low: float | None = None
    value: float | None = None
    high: float | None = None


def wait(of: Progress) -> int:
    """Seconds until all are played, as far as it went until now; 0 if they are few, or nobody can know yet."""
    if of.stopped or of.counting or of.seconds < 1.0:
        return 0
    left = of.seconds / of.done * (of.of - of.done)
    return 0 if left < SOON else round(left)


@frozen
class Rough:
    """How far off a share of wins may be until now.

    points:  to either side, in parts of a hundred.
    pairs:   after which it is half of that; seconds: until then, 0 if nobody can know yet.  None: not that many follow.
    """

    points: int
    pairs: int | None
    seconds: int


def rough(of: Progress) -> Rough | None:
    """None where nothing is known yet, and where it is known closely."""
    if of.reports is None:
        return None
    tally = of.reports[1].tally
    if tally.finished == 0 or of.reports[1].sheet.together is not None:
        return None
    wins = [tally.wins(seat) for seat in range(tally.sheet.players)]
    off = max(max(one.high - one.value, one.value - one.low) for one in wins)
    pairs = 4 * of.done
    goes_on = not of.stopped and pairs <= of.of
    seconds = of.seconds / of.done * (pairs - of.done)
    return None if off <= CLOSE else Rough(round(100 * off), pairs if goes_on else None, round(seconds))


def figures(of: PairedComparison, tongue: Tongue, setting: Setting | None = None) -> tuple[Figure, ...]:
    """All that both versions have, wins first.  setting: as of `Progress`."""
    return tuple(_figure(of, line, tongue, setting) for line in of.lines if line.count)


def _name(line: PairedFigure, seats: tuple[str, ...], tongue: Tongue, setting: Setting | None) -> str:
    """What people call a figure, as the board does: `Red's score`."""
    names = None if setting is None else Names(setting, tongue)
    if names is not None and line.name.endswith(" wins") and (seat := line.name.removesuffix(" wins")) in seats:
        return tongue.say("figure-wins", seat=names.seat(seat))
    own = line.name.rpartition(".")[2]
    is_said = tongue.is_source or any(id_ == f"path {own}" for id_, _ in tongue.texts)
    if names is not None and is_said and names.variable(line.name) is not None:
        return names.path(line.name)
    return estimate_text.display_name(line.name, seats, tongue)


def _figure(of: PairedComparison, line: PairedFigure, tongue: Tongue, setting: Setting | None) -> Figure:
    (before, now), found = line.means, of.interval(line)
    name, verdict = _name(line, of.seats, tongue, setting), comparison_text.verdict(of, line, tongue)
    told = [_amount(mean, line) for mean in (before, now)]
    if not found.known:
        return Figure(name, told[0], told[1], verdict, is_clear=False)
    scale = 0.25 if line.percent else max(abs(before), abs(now), 1.0) / 2
    low, value, high = (max(-1.0, min(1.0, end / scale)) for end in (found.low, found.value, found.high))
    return Figure(name, told[0], told[1], verdict, found.low > 0 or found.high < 0, low, value, high)


def _amount(mean: float, line: PairedFigure) -> str:
    if line.percent and line.count < FEW:
        return f"{round(mean * line.count)}/{line.count}"
    return f"{100 * mean:.1f} %" if line.percent else f"{mean:.2f}"
