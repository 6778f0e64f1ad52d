"""What a seat may know of what went before: which events, which earlier positions, and how often its question changed.

Nothing here is counted over the decisions of others, so that nothing moves when they decide in secret.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


def moments(history: Sequence[Past], seat: int) -> list[int]:
    """Places in the history that a seat can look at again; the present is the last."""
    past = enumerate(history)
    return [*(at for at, one in past if _is_open(one) or one.action.seat == seat), len(history)]


def _is_open(past: Past) -> bool:
    """Whether everybody knows that this was decided; how often chance is asked can follow from what is hidden."""
    return not past.state.branches and past.action.seat != CHANCE


def since(match: Match, seat: int) -> int:
    """From which decision on a seat is told what happened: its own last one, or for who watches the last round."""
    last = match.last_of(seat)
    if last is not None:
        return last
    return 0 if seat != SPECTATOR else moments(match.history, seat)[-match.state.setting.players - 1 :][0]


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
