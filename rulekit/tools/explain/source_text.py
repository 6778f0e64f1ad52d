"""Source text for explanations: what is written at a place of the rules, and values as the rules write them."""

from __future__ import annotations

import re
from typing import Any

from rulekit.model.game import Game
from rulekit.model.types import UNKNOWN, Type
from rulekit.play.state.external_values import outward
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import notation
from rulekit.source import Source, Span

_LONGEST = 12
"""Members of a set that are written out; of a longer one the rest is counted."""


def written(game: Game, span: Span) -> str:
    """The text of a span on one line, without citations; "" where nothing was written."""
    lines = _lines(game, span.source)[span.line - 1 : span.end_line] if span.line else []
    if not lines:
        return ""
    lines[-1] = lines[-1][: span.end_column - 1]
    lines[0] = lines[0][span.column - 1 :]
    return _CITED.sub(lambda found: found["quoted"] or "", " ".join(line.strip() for line in lines)).strip()


def _lines(game: Game, source: str) -> list[str]:
    """The lines of one of the game's texts; they are divided once for a game."""
    known: dict[str, list[str]] = game.kept.setdefault("lines", {})
    if source not in known:
        known[source] = dict(game.sources).get(source, "").split("\n")
    return known[source]


_CITED = re.compile(r'(?P<quoted>"[^"]*")|\s*@[A-Z][A-Za-z0-9]*(-[A-Za-z0-9]+)*')
"""A citation; or a text in which nothing is one."""


def line_of(game: Game, span: Span) -> str:
    """The first line that a span touches, without its margin."""
    source = Source(span.source, dict(game.sources).get(span.source, ""))
    text = source.line(span.line) if span.line else ""
    for mark in ("  #", "  @", " @"):
        text = text.split(mark)[0]
    return text.strip()


def valued(setting: Setting, kind: Type, value: Any) -> str:
    """An inner value as text; of a type that nobody knows only what cannot mislead.

    What is too long or not known is counted in signs, which every language reads: `[1, 2, … +5]`.
    """
    if isinstance(value, tuple) and kind.is_set and len(value) > _LONGEST:
        more = len(value) - _LONGEST
        return f"{valued(setting, kind, value[:_LONGEST])[:-1]}, … +{more}]"
    if kind == UNKNOWN or (kind.is_set and kind.element == UNKNOWN):
        return _unknown(value)
    try:
        return notation(outward(setting, kind, value))
    except (TypeError, IndexError, KeyError):
        return _unknown(value)


def _unknown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return notation(value)
    return f"[… +{len(value)}]" if isinstance(value, tuple) else ""
