"""Completion offers what may stand at the cursor; `python -m tests.editing.test_completion 400` tries more places."""

from __future__ import annotations

import random
import sys
from pathlib import Path

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


def _share(path: Path, places: int, seed: int) -> tuple[int, int]:
    """Of so many words of a file, by chance: how many are among the first that are offered before they are written.

    Of the line only what stands before is left.  Names that are given there cannot be known, and do not count.
    """
    of = shipped(path)
    given = {(one.span.line, one.span.column) for one in of.index.all if one.declares}
    words = [token for _, token in of.tokens if token.text[:1].isalpha() and (token.line, token.column) not in given]
    found = 0
    chosen = random.Random(seed).sample(words, min(places, len(words)))
    for token in chosen:
        offers = completion(of, token.line, token.column, keeps_rest=False)
        found += token.text in [one.word for one in offers[:FIRST]]
    return found, len(chosen)


def test_nine_of_ten_words_are_offered_before_they_are_written() -> None:
    counted = [_share(path, PLACES, 5) for path in some(quick(games()), 2)]
    assert sum(found for found, _ in counted) >= 0.85 * sum(of for _, of in counted), counted


if __name__ == "__main__":
    for each in games():
        print(each.stem, *_share(each, int(sys.argv[1]), 1), flush=True)
