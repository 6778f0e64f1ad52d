"""Mutation operators of what is declared: cells of tables and pictures, traits, words of places, options."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.model.declare.places import FULL_WORDS
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.looks import is_look
from rulekit.syntax.unparse_expr import written
from rulekit.tools.examples.expression_mutations import CONSTANT, ELEMENT, forced
from rulekit.tools.examples.mutation_variant import Constants, Operator, Variant, beside, swapped, without
from rulekit.values import evolve

DELETION = "declaration deletion"
CELLS = "cell swap"

_TOKENS = re.compile(r"-?\d+|[A-Za-z_][A-Za-z0-9_]*")
_TRUTHS = {"yes": "no", "no": "yes"}
_FULL = {word: FULL_WORDS[(at + 1) % len(FULL_WORDS)] for at, word in enumerate(FULL_WORDS)}


# ---------------------------------------------------------------- tables


def table(node: nodes.Deck | nodes.Pieces, constants: Constants) -> Iterator[Variant]:
    """Every cell behind the key of its row, and every row."""
    columns = _columns(node.rows)
    heads = node.rows[0].cells if node.rows and isinstance(node.rows[0], nodes.Row) else ()
    for at, row in enumerate(node.rows):
        if at == 0 or not isinstance(row, nodes.Row):
            continue
        for index, cell in enumerate(row.cells):
            if index and cell and not is_look(heads[index]):
                for variant in _cell(row, index, columns.get(index, ()), constants):
                    yield evolve(variant, path=("rows", at), lines=(row,))
        if len(node.rows) > 2:
            yield Variant(DELETION, _row(row), "", without(node.rows, at), row.span, ("rows",), (row,))


def _row(row: nodes.Row) -> str:
    return f"| {' | '.join(row.cells)} |"


def _columns(rows: Sequence[nodes.Row | nodes.Member]) -> dict[int, tuple[str, ...]]:
    """The words that stand in each column below its head, in order."""
    found: dict[int, dict[str, None]] = {}
    for row in rows[1:]:
        for index, cell in enumerate(row.cells if isinstance(row, nodes.Row) else ()):
            found.setdefault(index, {}).update(dict.fromkeys(_TOKENS.findall(cell)))
    return {index: tuple(words) for index, words in found.items()}


def _cell(row: nodes.Row, index: int, column: tuple[str, ...], constants: Constants) -> Iterator[Variant]:
    cell, span = row.cells[index], row.cell(index)
    tokens = list(_TOKENS.finditer(cell))
    for match in tokens:
        old = match[0]
        for new in _other_tokens(old, column, constants):
            changed = cell[: match.start()] + new + cell[match.end() :]
            yield Variant(CONSTANT, cell, changed, _with_cell(row, index, changed), _part(span, match))
    if len(tokens) > 1 and ".." not in cell:
        shorter = {_without(cell, match): match for match in tokens}
        for changed, match in shorter.items():
            yield Variant(ELEMENT, cell, changed, _with_cell(row, index, changed), _part(span, match))


def _other_tokens(old: str, column: tuple[str, ...], constants: Constants) -> list[str]:
    """What may stand in the place of a number or a word of a cell."""
    if old.lstrip("-").isdigit():
        value = int(old)
        return [str(other) for other in (beside(value) if value >= 0 else (value + 1, value - 1))]
    if old in _TRUTHS:
        return [_TRUTHS[old]]
    words = [word for word in column if not word.lstrip("-").isdigit()]
    if len(words) > 1:
        return [words[(words.index(old) + 1) % len(words)]]
    other = constants.beside(old) or next((word for word in column if word != old), None)
    return [] if other is None else [other]


def _with_cell(row: nodes.Row, index: int, cell: str) -> nodes.Row:
    return evolve(row, cells=(*row.cells[:index], cell, *row.cells[index + 1 :]))


def _part(span: Span, match: re.Match[str]) -> Span:
    """Where a part of a cell stands."""
    column = span.column + match.start()
    return Span(span.source, span.line, column, span.line, column + len(match[0]))


def _without(cell: str, match: re.Match[str]) -> str:
    """A list of several without one, and without the blank that parted it from the next."""
    return f"{cell[: match.start()]}{cell[match.end() :].lstrip()}".rstrip()


# ---------------------------------------------------------------- pictures


def picture(node: nodes.Picture, _: Constants) -> Iterator[Variant]:
    """Two neighbours of a row that change places."""
    for at, row in enumerate(node.rows):
        for index, cell in enumerate(row.cells):
            words = cell.split()
            for place, exchanged in swapped(words):
                if words[place] != words[place + 1]:
                    new = " ".join(exchanged)
                    yield Variant(CELLS, cell, new, _with_cell(row, index, new), row.cell(index), ("rows", at), (row,))


# ---------------------------------------------------------------- members


def member(node: nodes.Member, _: Constants) -> Iterator[Variant]:
    """A trait that one of them no longer has."""
    for index, trait in enumerate(node.traits):
        if is_look(trait.name):
            continue
        rest = without(node.traits, index)
        lines = (trait.value,) if isinstance(trait.value, nodes.Cited) else ()
        yield Variant(DELETION, written(trait), "", rest, trait.span, ("traits",), lines or (node,))


def group(node: nodes.PieceGroup, _: Constants) -> Iterator[Variant]:
    for count in beside(node.count):
        yield Variant(CONSTANT, str(node.count), str(count), evolve(node, count=count), node.span)


# ---------------------------------------------------------------- places


def place(node: Any, _: Constants) -> Iterator[Variant]:
    """What holds of arriving, one line of it left out."""
    for index, line in enumerate(node.arrivals):
        if not isinstance(line, nodes.Headings):
            yield Variant(DELETION, written(line), "", without(node.arrivals, index), line.span, ("arrivals",), (line,))


def full(node: nodes.Full, constants: Constants) -> Iterator[Variant]:
    yield from forced(node, constants)
    if node.heading is not None:
        other = constants.beside(node.heading)
        if other is not None:
            yield Variant(CONSTANT, node.heading, other, evolve(node, heading=other), node.span)
    elif node.word in _FULL:
        other = _FULL[node.word] if _FULL[node.word] != "pushes" else "refuses"
        yield Variant(CONSTANT, node.word, other, evolve(node, word=other), node.span)


# ---------------------------------------------------------------- options


def option(node: nodes.Option, _: Constants) -> Iterator[Variant]:
    """Another reading that holds where nothing is agreed."""
    defaults = [index for index, reading in enumerate(node.readings) if reading.default]
    if len(node.readings) < 2 or len(defaults) > 1:
        return
    now = defaults[0] if defaults else 0
    other = (now + 1) % len(node.readings)
    readings = tuple(evolve(each, default=index == other) for index, each in enumerate(node.readings))
    old, new = node.readings[now], node.readings[other]
    yield Variant(CONSTANT, str(old.name), str(new.name), readings, old.span, ("readings",))


TABLES: dict[type, tuple[Operator, ...]] = {
    nodes.Deck: (table,),
    nodes.Pieces: (table,),
    nodes.Picture: (picture,),
    nodes.Member: (member,),
    nodes.PieceGroup: (group,),
    nodes.Track: (place,),
    nodes.Course: (place,),
    nodes.Grid: (place, forced),
    nodes.Full: (full,),
    nodes.Change: (forced,),
    nodes.Option: (option,),
}
