"""Compares what seats are sent in pairs of matches that differ in one thing hidden from them, byte for byte.

    python -m tests.soak.pages --game foxy --exchanges 100000
    python -m tests.soak.pages --game foxy --exchanges 10000 --wire

Noninterference, see `tests.secrecy.noninterference`: twins branch off from matches by chance, in which somebody decided
otherwise in secret, or hidden things lie in other places.  As long as a seat may not know of it, its page must be the
same: the values that it is made of, and with `--wire` all bytes that the application answers to the seat's requests.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import closing
from itertools import count

from tests import paths
from tests.generators.random_matches import GAMES, game
from tests.secrecy.noninterference import Tally, searched
from tests.secrecy.pages import written
from tests.web.sent import Wire

FILES = {path.stem: path for path in (*GAMES, *paths.EXAMPLES.glob("*.rules"))}
OFTEN, FOLLOWED = 2, 3
"""Twins branch off at every other decision, and are followed for so many."""


def compared(name: str, exchanges: int, wire: Wire | None, first: int = 0) -> Iterator[Tally]:
    """What was compared, after each match, until it is so many exchanges; raises `Leak`."""
    rules, tally, pages = game(FILES[name]), Tally(), wire or written
    for number in count(first):
        seats = min(rules.most, max(rules.least, 2 + number % 2))
        searched(rules, seats, f"pages {number}", tally, every=OFTEN, horizon=FOLLOWED, pages=pages)
        yield tally
        if told(tally, wire)["exchanges"] >= exchanges:
            return


def told(tally: Tally, wire: Wire | None) -> dict[str, int]:
    """Of pages that were compared; over the wire each with its share of responses."""
    made = sum(wire.responses.values()) / max(1, wire.responses["page"]) if wire else 1
    return {"pairs": tally.pairs, "pages": tally.pages, "exchanges": int(made * tally.pages)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", choices=sorted(FILES), default="foxy")
    parser.add_argument("--exchanges", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0, help="of the matches")
    parser.add_argument("--wire", action="store_true", help="bytes over the application, not values")
    chosen = parser.parse_args()
    with closing(Wire()) as wire:
        used = wire if chosen.wire else None
        for tally in compared(chosen.game, chosen.exchanges, used, chosen.first):
            found = {"game": chosen.game, **told(tally, used), "ways": dict(tally.ways)}
            print(json.dumps(found | {"responses": dict(wire.responses)}), flush=True)


if __name__ == "__main__":
    main()
