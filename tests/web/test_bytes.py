"""What is sent to a seat depends on nothing that it may not know, byte for byte; leaks planted in pages are found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import pytest

from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.source import Source
from tests.generators.random_matches import game
from tests.secrecy.noninterference import Leak, Tally, searched
from tests.secrecy.pages import apart
from tests.secrecy.test_table_leaks import FILES
from tests.sizes import IS_LONG, some
from tests.web.plants import PLANTS, Plant
from tests.web.sent import MADE_UP_PAGES, Wire

SMALL = "overheard"
RULES = """game "Overheard"
    players 2
cards deck of card
    | card | worth | copies |
    | 1    | 1     | 3      |
    | 2    | 2     | 3      |
    | 3    | 2     | 3      |
pile stock of card starts deck, seen by nobody
each player has
    counter bid 0..3, seen by owner
    counter coins 0..9
    pile hand of card, seen by owner
    pile table of card
    pile aside of card, seen by owner
setup
    shuffle stock
    each player: deal 4 from stock to player.hand
play
    each round in 1..2
        secretly each player
            player chooses offer from 0..3 "Your bid?"
            set player.bid to offer
            player chooses card from player.hand "Your card?"
            move card to player.table
            let other be first player.hand
            if other.worth above 1
                move other to player.aside                                       @B-1
            else
                move other to player.aside                                       @B-2
    reveal players.table
result: rank players by highest coins
> B-1 Cards of worth go aside,
> B-2 and so do all others.
"""
"""A small game with all that hides: secret answers, hands, a pile, clauses that hidden things decide."""

MADE_UP = 2
"""Of so many positions pages are asked for that take as long as a bot's answer."""


@pytest.fixture
def wire() -> Iterator[Wire]:
    with closing(Wire()) as wire:
        yield wire


def rules_of(name: str) -> Game:
    if name != SMALL:
        return game(FILES[name])
    loaded = examine_text(Source(f"{name}.rules", RULES))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def search(wire: Wire, rules: Game, matches: int, every: int = 4, horizon: int = 6) -> Tally:
    """Whether somebody notices what another decides apart, and what twins differ in; raises `Leak`."""
    tally = Tally()
    for place, (before, after, unaware) in enumerate(apart(rules, "bytes", 6)):
        wire.made_up = place < MADE_UP
        for seat in unaware:
            if wire.heard(before, after, seat) or wire(before, seat) != wire(after, seat):
                raise Leak(f"seat {seat} notices what another decides apart")
            tally.pages += 1
    wire.made_up = False
    for number in range(matches):
        seats = min(rules.most, rules.least + 1)
        searched(rules, seats, f"bytes {number}", tally, every=every, horizon=horizon, pages=wire)
    return tally


@pytest.mark.parametrize("name", [SMALL, "foxy", "fuzzy_tiger", "hornochsen", "blocks"] if IS_LONG else [SMALL])
def test_no_byte_tells_what_is_hidden(name: str, wire: Wire) -> None:
    assert search(wire, rules_of(name), 1, every=2 if name == SMALL else 12, horizon=3).pages > 20
    assert set(wire.responses) == {"page", "story", "earlier", "news", "refused", "together", "stream", *MADE_UP_PAGES}


@pytest.mark.parametrize("plant", some(PLANTS, 7), ids=lambda plant: plant.__name__)
def test_a_planted_leak_is_found_in_the_bytes(plant: Plant, wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak):
        search(wire, rules_of(SMALL), 3, every=2)
