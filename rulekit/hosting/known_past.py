"""What a seat may know of what went before: which events, which earlier positions, and how often its question changed.

Nothing here is counted over the decisions of others, so that nothing moves when they decide in secret.
"""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.hosting.seat_page import Undone
from rulekit.hosting.store import Row
from rulekit.play.state.event import Event, heard, seen
from rulekit.play.state.match_state import CHANCE
from rulekit.play.view import SPECTATOR
from rulekit.record.match import Match, Past


def events_of(history: Iterable[Past], seat: int) -> tuple[Event, ...]:
    """What a seat may know of the events of these decisions, with what decided them."""
    return seen_by(seat, (event for past in history for event in past.events))


def seen_by(seat: int, events: Iterable[Event]) -> tuple[Event, ...]:
    """Events as a seat may know them, with what decided them."""
    return tuple(known for event in events if (known := seen(event, seat)) is not None)


def heard_by(seat: int, events: Iterable[Event]) -> tuple[Event, ...]:
    """The same without what decided them, in a fraction of the time: for comparing."""
    return tuple(known for event in events if (known := heard(event, seat)) is not None)


def moments(match: Match, seat: int) -> list[int]:
    """Places in the history that a seat can look at again; the present is the last."""
    count, over = len(match.history), match.block_start()
    return [*(place for place in range(count) if _may_look_at(match, place, seat, is_over=place < over)), count]


def _may_look_at(match: Match, place: int, seat: int, *, is_over: bool) -> bool:
    """Return whether a seat may see the position at a place of the history again.

    Everybody knows where a secret block began that is over (`is_over`); of the one that is going on, this would tell
    that somebody has decided there.  A seat that was asked in a block has its own decisions there instead: with both,
    it could count whether somebody answered before it.
    """
    past = match.history[place]
    if past.action.seat == seat:
        return True
    if past.state.branches:
        is_asked = any(branch.seat == seat for branch in past.state.branches)
        return is_over and not is_asked and match.begins_block(place)
    return past.action.seat != CHANCE  # How often chance is asked can follow from what is hidden.


def since(match: Match, seat: int) -> int:
    """Return the place in the history from which a seat's page tells what happened.

    A player is told everything since the own last answer; spectators, and players who are out, the last round.
    """
    last = match.last_of(seat)
    if seat == SPECTATOR or _was_out(match, seat):
        return max(last or 0, _last_round(match))
    return 0 if last is None else last


def _was_out(match: Match, seat: int) -> bool:
    """Return whether a seat was ranked or defeated before the last decision that everybody knows of."""
    place = match.block_start() - 1
    if place < 0:
        return False
    before = match.history[place].state
    return seat in before.defeated or any(seat in rank for rank in before.ranks)


def _last_round(match: Match) -> int:
    """Return where the last round began: since then as many seats were asked as there are players.

    A secret block that is over counts as an answer of each seat that it asked.
    """
    missing = match.state.setting.players
    for place in reversed(moments(match, SPECTATOR)[:-1]):
        missing -= len(match.history[place].state.branches) or 1
        if missing <= 0:
            return place
    return 0


def undone(rows: Iterable[Row], seat: int) -> tuple[Undone, ...]:
    """What was taken back since the seat's last answer, as far as all know of it or the seat did it."""
    found: list[Undone] = []
    for row in rows:
        if row.kind == "answer" and row.seat == seat:
            found.clear()
        if row.kind == "undo" and row.seat is not None and (not row.apart or row.seat == seat):
            found.append(Undone(row.seat))
    return tuple(found)


def number(rows: Iterable[Row], seat: int) -> int:
    """Of the seat's question: how often it has answered, and how often what it was asked became void since."""
    return sum(_counts_for(row, seat) for row in rows)


def _counts_for(row: Row, seat: int) -> bool:
    """Whether a line makes what the seat was asked before void: its own answer, or what all know to be taken back."""
    if row.kind == "answer":
        return row.seat == seat
    if row.kind == "undo":
        return row.seat == seat or not row.apart
    return row.kind == "rules" and row.edition > 0
