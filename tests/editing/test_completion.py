"""Completion offers what may stand at the cursor; `python -m tests.editing.test_completion` tries every place.

It tells for each game that ships how many words are among the first ten that are offered before they are written, and
the processor time at the median a place; with a number so many places of each, by chance.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import process_time

import pytest

from rulekit.tools.editing.completion import completion
from tests.editing.texts import games, shipped, with_cursor
from tests.sizes import IS_LONG, quick, some

PLACES = 12 if IS_LONG else 4
"""So many words of each game are looked at here."""
FIRST = 10


def _offered(line: str, behind: str = "play") -> list[str]:
    return [one.word for one in completion(*with_cursor(line, behind=behind))]


@pytest.mark.parametrize(
    ("line", "behind", "offered", "not_offered"),
    [
        ("    set │", "play", {"round"}, {"rest", "above"}),
        ("    each goer in players: set goer.│", "play", {"score", "tired"}, {"round", "cost", "long"}),
        ("    each goer in players: set go│", "play", {"goer"}, {"round"}),
        ("    each one in deck: set round to one.│", "play", {"cost", "mood"}, {"score", "tired"}),
        ("    if ties is │", "play", {"first_seat", "nobody_wins"}, set()),
        ("    let one be first deck\n    if one.mood is │", "play", {"calm", "angry"}, {"run"}),
        ("    do │", "play", {"rest"}, set()),
        ("    skip │", "play", {"lying"}, {"rest"}),
        ("    move starter.goat │", "play", {"back", "up", "down", "to", "home"}, {"score"}),
        ("    deal 2 │", "play", {"from"}, {"to", "set"}),
        ("    pile rest_of of │", "each player", {"card", "mood"}, {"score", "long"}),
        ("    raise round by 1                           @│", "play", {"HI-1"}, {"rest"}),
        ("    let one be (long\n        and round │", "play", {"is", "above"}, {"rest"}),
        ("    when │", "    do rest", {"chance", "ann", "bob"}, {"score"}),
        ("│", "counter", {"define", "action", "scenario"}, {"set", "score"}),
    ],
)
def test_what_may_stand_there_is_offered(line: str, behind: str, offered: set[str], not_offered: set[str]) -> None:
    found = set(_offered(line, behind))
    assert offered <= found
    assert not not_offered & found


def test_only_words_that_begin_so_are_offered() -> None:
    assert _offered("    set rou│") == ["round"]


def test_the_rest_of_the_line_may_stand() -> None:
    offers = [
        one.word for one in completion(*with_cursor("    each one in deck: set round to one.│ + 1", behind="play"))
    ]
    assert {"cost", "mood"} <= set(offers)


def test_elsewhere_in_the_file_something_may_be_wrong() -> None:
    found = completion(
        *with_cursor(
            "    each goer in players: set goer.│",
            behind="play",
            text=with_cursor("│")[0].source.text + "define x iss 3\n",
        )
    )
    assert "score" in {one.word for one in found}


def _tried(path: Path, places: int | None, seed: int) -> Iterator[tuple[bool, float]]:
    """For so many words of a file, by chance: whether each is among the first that are offered before it is written.

    With the processor time.  Of the line only what stands before is left.  Names that are given there cannot be known,
    and do not count.
    """
    of = shipped(path)
    given = {(one.span.line, one.span.column) for one in of.index.all if one.declares}
    words = [token for _, token in of.tokens if token.text[:1].isalpha() and (token.line, token.column) not in given]
    for token in words if places is None else random.Random(seed).sample(words, min(places, len(words))):
        began = process_time()
        offers = completion(of, token.line, token.column, keeps_rest=False)
        yield token.text in [one.word for one in offers[:FIRST]], process_time() - began


def test_nine_of_ten_words_are_offered_before_they_are_written() -> None:
    tried = [is_found for path in some(quick(games()), 2) for is_found, _ in _tried(path, PLACES, 5)]
    assert sum(tried) >= 0.85 * len(tried), tried


if __name__ == "__main__":
    for each in games():
        found, took = zip(*_tried(each, int(sys.argv[1]) if len(sys.argv) > 1 else None, 1), strict=True)
        share, milliseconds = 100 * sum(found) / len(found), 1000 * median(took)
        print(f"{each.stem}: {sum(found)} of {len(found)}, {share:.1f} %, {milliseconds:.0f} ms", flush=True)
