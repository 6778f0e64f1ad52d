"""Looks of things: the columns and traits that say how a thing is drawn, which are none that rules see."""

from __future__ import annotations

import re

from rulekit.diagnostics import nearest
from rulekit.model import game as model
from rulekit.model.colours import COLOURS, LEAST, contrast, text_on
from rulekit.model.expr import Expr
from rulekit.model.resolve.symbol_table import World
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.looks import COLOUR, GLYPH, LOOKS, NAME, X, Y

Cell = tuple[str | None, nodes.Expr | None, Span]
"""The words of a table cell, or the value of a member's trait."""
_FARTHEST, _LETTERS, _LONGEST = 99, 5, 40


def looks(world: World, kind: str, cells: list[dict[str, Cell]], heads: dict[str, Span]) -> dict[str, tuple[str, ...]]:
    """By look the words of each member, "" where it has none.

    cells: of each member, by name; heads: where each look stands first.
    """
    for name in heads:
        if name not in LOOKS:
            hint = nearest(name, set(LOOKS)) or f"the looks are {', '.join(LOOKS)}"
            world.error("wrong-look", f"there is no look called `{name}`", heads[name], hint)
    found = {name: tuple(_word(own.get(name)) for own in cells) for name in LOOKS if name in heads}
    for name, words in found.items():
        for own, word in zip(cells, words, strict=True):
            if name == NAME and own.get(name, ("", None))[1] is not None:
                hint = "write it in quotation marks behind the key, as its title"
                world.error("wrong-look", f"`{NAME}` is a column of tables", own[name][2], hint)
            elif word:
                _check(world, name, word, own[name][2])
    if X in found or Y in found:
        _check_places(world, kind, found)
    return found


def space_look(world: World, line: nodes.SpaceColour | nodes.SpaceGlyph, at: Expr) -> model.SpaceLook:
    """How spaces of a track are drawn."""
    name = COLOUR if isinstance(line, nodes.SpaceColour) else GLYPH
    _check(world, name, line.word, line.span)
    return model.SpaceLook(name, line.word, at)


def _word(cell: Cell | None) -> str:
    """What is written, as one word; a trait may be a number or a name."""
    if cell is None:
        return ""
    text, node, _ = cell
    if node is None:
        return (text or "").strip()
    if isinstance(node, nodes.Number):
        return str(node.value)
    return str(node.name) if isinstance(node, nodes.Word) else "?"


def _check(world: World, name: str, word: str, span: Span) -> None:
    if name == COLOUR:
        _check_colour(world, word, span)
    elif name == GLYPH:
        if len(word) > _LETTERS or not word.isprintable():
            world.error("wrong-look", f"`{word}` is no glyph", span, f"a glyph has at most {_LETTERS} letters")
    elif name == NAME:
        if len(word) > _LONGEST or not word.isprintable():
            world.error("wrong-look", f"`{word}` is no name", span, f"a name has at most {_LONGEST} letters")
    elif not word.isdecimal() or int(word) > _FARTHEST:
        world.error("wrong-look", f"`{word}` is no place", span, f"write a whole number from 0 to {_FARTHEST}")


def _check_colour(world: World, word: str, span: Span) -> None:
    if re.fullmatch("#[0-9a-f]{6}", word):
        if contrast(word, text_on(word)) < LEAST:
            hint = "take a darker or a lighter one: what is written has a contrast below 4.5 to 1 on it"
            world.error("wrong-look", f"nothing can be read on the colour `{word}`", span, hint)
    elif word not in COLOURS:
        hint = nearest(word, set(COLOURS)) or f"the colours are {', '.join(COLOURS)}, and `#rrggbb` in a table"
        world.error("wrong-look", f"there is no colour called `{word}`", span, hint)


def _check_places(world: World, kind: str, found: dict[str, tuple[str, ...]]) -> None:
    """Each member has a place for itself."""
    members = world.kinds[kind].members
    nothing = ("",) * len(members)
    taken: dict[tuple[str, str], str] = {}
    for member, x, y in zip(members, found.get(X, nothing), found.get(Y, nothing), strict=True):
        if not (x and y):
            title = f"`{member.key}` has no place: each {kind} has `{X}` and `{Y}`, or none has"
            world.error("wrong-look", title, member.span)
        elif taken.setdefault((x, y), member.key) != member.key:
            world.error("wrong-look", f"`{member.key}` lies on `{taken[x, y]}`", member.span)
