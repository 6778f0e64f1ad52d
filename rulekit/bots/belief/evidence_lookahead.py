"""Evidence look-ahead: what a seat was told after a secret block, held against each seat's answers inside it.

While seats decide apart, nothing of it is told.  When the last one has finished, what each of them did is told in
their order, and then perhaps what lies in their piles.  So one seat's answers can be found wrong before the others
have answered: instead of all combinations, each seat's answers are tried alone (early pruning, as the look-ahead of an
auxiliary particle filter: Pitt and Shephard, 1999).

Whatever changes a pile is told to everybody, with the name of the pile.  So the first that is told of a pile after
its seat has finished speaks of what lies there then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, takewhile
from typing import Any

from rulekit.bots.belief.observation_matching import heard_by, multiset_difference
from rulekit.bots.random_playout import finished_seat
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Branch, State
from rulekit.play.state.value import Ref, Value


def events_after_block(state: State, told: Iterable[Event]) -> list[Event]:
    """What is told once all who decide apart have finished; nothing if that is not told yet."""
    left, open_seats = iter(told), {branch.seat for branch in state.branches if not branch.done}
    while open_seats:
        event = next(left, None)
        seat = None if event is None else finished_seat(state, event)
        if seat is None:
            return []
        open_seats.discard(seat)
    return list(left)


def first_block_events(state: State, seat: int) -> Iterator[Event]:
    """The events that a seat will hear first when all have finished.

    They are told in the order of the seats, so they are known up to the first seat that has not finished.
    """
    finished = takewhile(lambda branch: branch.done, state.branches)
    return chain.from_iterable(heard_by(branch.events, seat) for branch in finished)


def pile_mismatches(
    state: State, branch: Branch, seat: int, after: Sequence[Event]
) -> Iterator[tuple[tuple[Ref, ...], tuple[Value, ...]]]:
    """Piles that a seat changed in its secret block: what lies there, and what was told to lie there but does not."""
    own = heard_by(branch.events, seat)
    for slot in state.setting.pile_slots:
        lies: Any = branch.values[slot]
        path = state.setting.path(slot)
        if lies == state.values[slot]:
            continue
        before = sum(_mentions(event, path) for event in own)
        told = next(islice((event for event in after if _mentions(event, path)), before, None), None)
        things = () if told is None else _things(told, path)
        have = tuple(state.setting.ref(thing) for thing in lies)
        if missing := tuple(multiset_difference(things, have)):
            yield have, missing


def required_things(state: State, seat: int, told: Iterable[Event]) -> dict[int, tuple[Value, ...]]:
    """By seat the things that must lie in its piles when the secret block closes, as far as later events name them.

    seat:  who is told; it is left out, as it knows its own piles.
    """
    after, found = events_after_block(state, told), dict[int, tuple[Value, ...]]()
    for branch in state.branches if after else ():
        if branch.seat != seat:
            piles = [slot for slot in state.setting.pile_slots if state.setting.slot_owner[slot] == branch.seat]
            paths = [state.setting.path(slot) for slot in piles]
            found[branch.seat] = tuple(dict.fromkeys(chain.from_iterable(_first_named(p, paths, after) for p in paths)))
    return found


def _first_named(path: str, own: Sequence[str], after: Iterable[Event]) -> tuple[Value, ...]:
    """The things that the first event about a pile names; none if the event puts something there.

    own: the piles of the same owner; moves between these are passed over.
    """
    told = (event for event in after if _mentions(event, path))
    event = next((event for event in told if event.get("to") != path or event.get("from") not in own), None)
    return () if event is None or event.get("to") == path else _things(event, path)


def _mentions(event: Event, path: str) -> bool:
    return any(fact.value == path for fact in event.facts)


def _things(event: Event, path: str) -> tuple[Value, ...]:
    """The things of which an event says that they lie in a pile, as far as it names them."""
    things = event.get("value" if event.name == "reveal" else "things")
    speaks = event.name == "reveal" or event.get("from") == path
    return things if speaks and isinstance(things, tuple) else ()
