"""A page: what happened, the board, one's own things and the question, made to fit a terminal.

Arranges what it is given; looks nothing up and draws nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulekit.apps.play.board_text import place_lines, row_lines, shared_lines, short_table_lines, wrapped
from rulekit.apps.play.fitting import Fitted, Part, fitted
from rulekit.tools.drawing.board_changes import has_marks
from rulekit.tools.drawing.text_board import Board, is_nothing
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

_NEWS = 5
"""So many lines of what happened last come before the board where there is no room for all."""
_MINE = 3
_LONG_MENU = 10
"""Lines of a menu that need not be put side by side."""
_GAP = 3


@frozen
class Content:
    """What there is to show.

    news:     what happened, in sentences; empty if they stand on the screen already.
    brief:    the same without those that tell a value, which the board shows with a mark.
    board:    as the reader sees it, with marks.
    owner:    what the reader is called in the table of the players.
    head:     the question.
    entries:  the lines of its menu.
    foot:     how it is answered.
    """

    news: tuple[str, ...]
    brief: tuple[str, ...]
    board: Board
    owner: str
    head: str
    entries: tuple[str, ...]
    foot: str


@frozen
class Page:
    """Lines with their styles: "" or `board`, `hint`, `head`.  whole: whether nothing was left out."""

    lines: tuple[tuple[str, str], ...]
    whole: bool


def page(content: Content, tongue: Tongue, width: int, room: int) -> Page:
    """All of it in at most so many lines, or as much as there is room for; that something is left out is told."""
    room -= len(wrapped(content.head, width)) + len(wrapped(content.foot, width)) + (1 if content.news else 0)
    parts, brief = (_parts(content, news, tongue, width) for news in (content.news, content.brief))
    new = tongue.say("new") if has_marks(content.board) else ""
    hint = wrapped(new, width)
    given = fitted(parts, room - len(hint))
    whole = all(part.whole for part in given)
    if not whole:
        hint = wrapped(f"{new} {tongue.say('shortened')}".strip(), width)
        given = fitted(brief, room - len(hint))
    return Page(tuple(_lines(content, given, hint, tongue, width)), whole)


def _parts(content: Content, news: Sequence[str], tongue: Tongue, width: int) -> list[Part]:
    """In the order in which they matter: the menu, what happened, the board, one's own things, those of others."""
    menu = [tuple(in_columns(content.entries, width, height)) for height in (1, _LONG_MENU)]
    board, (mine, others) = content.board, _rows(content, tongue, width)
    places = [*place_lines(board, tongue, width, short=True), *_things(board, tongue, width)]
    return [
        Part(tuple(menu), len(menu[0])),
        Part((tuple(wrapped(" ".join(news), width)),), _NEWS, from_end=True),
        Part((tuple(places),), len(places)),
        Part((tuple(mine),), _MINE),
        Part((tuple(others),)),
    ]


def _things(board: Board, tongue: Tongue, width: int) -> Iterator[str]:
    """What belongs to nobody, and to things."""
    yield from shared_lines(board, width)
    for table in board.tables:
        if table.rows and not table.of_players:
            yield from short_table_lines(table, tongue, width)


def _rows(content: Content, tongue: Tongue, width: int) -> tuple[list[str], list[str]]:
    """The lines of the reader, and those of the other players."""
    mine: list[str] = []
    others: list[str] = []
    for table in content.board.tables:
        for row in table.rows if table.of_players else ():
            is_own = row[0] == content.owner
            if any(not is_nothing(text, tongue) for text in row[1:]):
                (mine if is_own else others).extend(row_lines(table, row, tongue, width, bare=True))
    return mine, others


def _lines(
    content: Content, given: Sequence[Fitted], hint: Sequence[str], tongue: Tongue, width: int
) -> Iterator[tuple[str, str]]:
    menu, news, places, mine, others = given
    if content.news:
        yield tongue.say("since" if news.whole else "since-last"), "hint"
        yield from ((line, "") for line in news.lines)
    yield from ((line, "board") for line in (*places.lines, *others.lines, *mine.lines))
    yield from ((line, "hint") for line in hint)
    yield from ((line, "head") for line in wrapped(content.head, width))
    yield from ((line, "") for line in menu.lines)
    yield from ((line, "") for line in wrapped(content.foot, width))


def in_columns(entries: Sequence[str], width: int, height: int) -> list[str]:
    """One a line; side by side, as far as the width allows, where they are more lines than `height`."""
    if not entries:
        return []
    broad = max(len(entry) for entry in entries) + _GAP
    columns = max(1, min(width // broad, -(-len(entries) // height)))
    rows = -(-len(entries) // columns)
    return ["".join(entry.ljust(broad) for entry in entries[place::rows]).rstrip() for place in range(rows)]
