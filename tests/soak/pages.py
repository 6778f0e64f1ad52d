"""Compares what seats are sent in pairs of matches that differ in one thing hidden from them, byte for byte.

    python -m tests.soak.pages --game foxy --exchanges 100000
    python -m tests.soak.pages --game foxy --exchanges 10000 --wire

Noninterference, see `tests.secrecy.noninterference`: twins branch off from matches by chance, in which somebody decided
otherwise in secret, or hidden things lie in other places.  As long as a seat may not know of it, its page must be the
same: the values that it is made of, and with `--wire` all bytes that the application answers to the seat's requests.
An exchange is one response that was sent.  Told besides: for how many pages, and how many were compared with a twin's:
more, since a page that nothing was sent to has not changed, and is compared as it stands.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import count

from attrs import define

from rulekit.record.match import Match
from tests import paths
from tests.generators.random_matches import GAMES, game
from tests.secrecy.noninterference import Tally, searched
from tests.secrecy.pages import written
from tests.web.sent import Wire

FILES = {path.stem: path for path in (*GAMES, *paths.EXAMPLES.glob("*.rules"))}
OFTEN, FOLLOWED = 2, 3
"""Twins branch off at every other decision, and are followed for so many."""


@define(eq=False)
class Counted:
    """pages: what a seat is shown, as text; made: how often that was asked for."""

    pages: Callable[[Match, int], str]
    made: int = 0

    def __call__(self, match: Match, seat: int) -> str:
        self.made += 1
        return self.pages(match, seat)


def compared(name: str, exchanges: int, wire: Wire | None, first: int = 0) -> Iterator[dict[str, object]]:
    """What was sent and compared, after each match, until so many responses were sent; raises `Leak`."""
    rules, tally, pages = game(FILES[name]), Tally(), Counted(wire or written)
    for number in count(first):
        seats = min(rules.most, max(rules.least, 2 + number % 2))
        searched(rules, seats, f"pages {number}", tally, every=OFTEN, horizon=FOLLOWED, pages=pages)
        sent = sum(wire.responses.values()) if wire else pages.made
        yield {"game": name, "sent": sent, "pages": pages.made, "compared": tally.pages, "pairs": tally.pairs,
               "ways": dict(tally.ways), "responses": dict(wire.responses) if wire else {}}  # fmt: skip
        if sent >= exchanges:
            return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=sorted(FILES), default="foxy")
    parser.add_argument("--exchanges", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="of the matches")
    parser.add_argument("--wire", action="store_true", help="bytes over the application, not values")
    chosen = parser.parse_args()
    with closing(Wire()) as wire:
        for told in compared(chosen.game, chosen.exchanges, wire if chosen.wire else None, chosen.first):
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
