"""What the place of a clause in the rules file says: beside which card or option it stands, or that it is a remark."""

from __future__ import annotations

import re
from collections import Counter
from itertools import takewhile

from rulekit.model import game as model
from rulekit.source import Span


def letters(id_: str) -> str:
    found = re.match(r"[A-Za-z]*", id_)
    return found[0] if found else ""


def usual_letters(game: model.Game) -> str:
    """The letters of most clauses: `AB` of AB-1, AB-2, R1."""
    counts = Counter(letters(id_) for id_ in game.clauses)
    return counts.most_common(1)[0][0] if counts else ""


def _above(game: model.Game) -> dict[tuple[str, int], str]:
    return {(clause.span.source, clause.span.line): id_ for id_, clause in game.clauses.items()}


def _directly_above(at: dict[tuple[str, int], str], span: Span) -> tuple[str, ...]:
    lines = takewhile(lambda line: (span.source, line) in at, range(span.line - 1, 0, -1))
    return tuple(reversed([at[span.source, line] for line in lines]))


def card_clauses(game: model.Game) -> dict[tuple[str, str], tuple[str, ...]]:
    """By kind and key of a printed thing that does something: the clauses right above it."""
    at = _above(game)
    return {
        (kind.name, member.key): above
        for kind in game.kinds.values()
        for member in kind.members
        if member.code is not None and (above := _directly_above(at, member.span))
    }


def _block(game: model.Game, span: Span) -> list[int]:
    """The lines that are indented under a line."""
    lines = dict(game.sources).get(span.source, "").split("\n")
    return list(takewhile(lambda number: lines[number - 1].startswith(" "), range(span.line + 1, len(lines) + 1)))


def option_clauses(game: model.Game) -> dict[str, str]:
    """By clause the option that it stands above or in."""
    at, found = _above(game), dict[str, str]()
    for option in game.options:
        span = option.span
        inside = [at[span.source, line] for line in _block(game, span) if (span.source, line) in at]
        for id_ in (*_directly_above(at, span), *inside):
            found.setdefault(id_, option.name)
    return found
