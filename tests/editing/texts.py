"""Texts with a cursor: `│` stands where it is."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from rulekit.source import Source
from rulekit.tools.editing.document import Document
from tests.paths import GAMES

CURSOR = "│"
GAME = """game "Hill"
    players 2..4

> HI-1 Who is tired rests.
option long "A long game?" flag default no
option ties "Who wins ties?"
    first_seat "the first seat" default
    nobody_wins "nobody"
kind mood: calm, angry
cards deck of card
    | card  | cost | mood  |
    | run   | 2    | angry |
    | sleep | 0    | calm  |
track hill 0..9
    back is down
each player has
    counter score 0..99 starts 3
    flag tired
    pile hand of card, seen by owner
    piece goat on hill at 0
counter round 0..20
define tired_ones is players where it.tired
define twice(number) is number * 2
action rest(owner of player)                     @HI-1
    step lying: set owner.tired to no
    if owner.score above 3: raise owner.score by twice(round)
play
    repeat
        each player: do rest(player)
        each sleeper in tired_ones
            lower sleeper.score by 1
        if long or round is 9: stop repeat
result: rank players by highest score

scenario "nobody is tired"
    players ann, bob
    given ann.score is 4
    do rest(ann)
    expect ann.score is 4, not ann.tired
"""
"""A game in which most sorts of names stand."""


def document(text: str) -> Document:
    return Document(Source("hill.rules", text))


def at(text: str) -> tuple[Document, int, int]:
    """A text without its cursor, and where that was."""
    before = text.partition(CURSOR)[0]
    assert CURSOR in text
    line = before.count("\n") + 1
    return document(text.replace(CURSOR, "")), line, len(before.split("\n")[-1]) + 1


def with_cursor(line: str, *, behind: str = "", text: str = GAME) -> tuple[Document, int, int]:
    """The game with a line in which the cursor stands, behind the line that begins as is said; else at the end."""
    lines = text.split("\n")
    place = next((n for n, each in enumerate(lines, 1) if behind and each.startswith(behind)), len(lines))
    return at("\n".join([*lines[:place], line, *lines[place:]]))


@cache
def shipped(path: Path) -> Document:
    return Document(Source(str(path), path.read_text(encoding="utf-8")))


def games() -> list[Path]:
    return sorted(GAMES.glob("*.rules"))
