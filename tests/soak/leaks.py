"""Search games made by chance for leaks: `python -m tests.soak.leaks --files 200`.

Each is played at terminals, with twins that differ in one hidden fact: see `tests.secrecy.noninterference`.
Twins in which a hand lies in another order are left out: who openly chooses several cards of it
shows in which order these lie, since a set that was chosen keeps the order of what it was chosen from.
"""

from __future__ import annotations

import argparse
import json
import sys
from contextlib import suppress

from rulekit import Game, RuleError
from rulekit.loading import examine_text
from rulekit.source import Source
from tests.generators.random_rules import rules_by_chance
from tests.generators.random_wide_rules import wide_rules_by_chance
from tests.secrecy.noninterference import Leak, Tally, searched
from tests.secrecy.twins import WAYS, reordered

DIFFERING = tuple(way for way in WAYS if way is not reordered)


def by_chance(seed: int, *, wide: bool) -> Game:
    text = wide_rules_by_chance(seed) if wide else rules_by_chance(seed)
    loaded = examine_text(Source(f"chance_{seed}.rules", text))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def looked_through(seed: int, *, wide: bool, every: int = 8) -> Tally:
    """One game that holds little or much, and what was compared in it; raises `Leak`."""
    tally, game, name = Tally(), by_chance(seed, wide=wide), f"chance {seed}"
    with suppress(RuleError):  # games by chance may change in secret what is no player's own
        searched(game, 2 + seed % 2, name, tally, ways=DIFFERING, chance=False, screens=True, every=every, horizon=8)
    return tally


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    args = parser.parse_args(words)
    whole, leaks = Tally(), []
    for number in range(args.first, args.first + args.files):
        try:
            whole.add(looked_through(number // 2, wide=bool(number % 2)))
        except Leak as leak:
            leaks.append(f"{number}: {leak}")
    print(json.dumps({"pairs": whole.pairs, "messages": whole.messages, "leaks": leaks}, indent=1))
    return bool(leaks)


if __name__ == "__main__":
    sys.exit(main())
