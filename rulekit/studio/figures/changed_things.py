"""Which printed things an edit of the rules has changed, by the names under which a series counts them."""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model.game import Game, Member


def changed_things(before: Game, now: Game) -> frozenset[str]:
    """Names of cards and other printed things whose own lines differ: as answers, and as what they do."""
    old, new = _said(before), _said(now)
    changed = [key for key, lines in new.items() if old.get(key) != lines]
    members = {(name, one.key): one for name, kind in now.kinds.items() for one in kind.members}
    return frozenset(name for key in changed for name in _names(members[key], now))


def _said(of: Game) -> dict[tuple[str, str], list[str]]:
    """By kind and key the lines of each printed thing, wherever they stand in the file."""
    text, members = (
        of.sources[0][1].split("\n"),
        [(name, one) for name, kind in of.kinds.items() for one in kind.members],
    )
    return {(name, one.key): [text[line - 1] for line in sorted(_lines(one, of))] for name, one in members}


def _lines(of: Member, game: Game) -> set[int]:
    file = game.sources[0][0]
    spans = [of.span, *(op.span for op in (game.codes[of.code].ops if of.code is not None else ()))]
    return {line for span in spans if span.source == file for line in range(span.line, span.end_line + 1)}


def _names(of: Member, game: Game) -> Iterator[str]:
    yield of.key if of.title in ("", of.key) else f"{of.key} {of.title}"
    if of.code is not None:
        yield game.codes[of.code].name
