"""Translator comments for clauses: the rule lines that cite a clause, in plain words, and a digest of them.

The digest changes when the behaviour does.  Works on syntax alone.  A line's
block counts with it, except for the lines in it that are tied to clauses of their own.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from typing import Any, cast

from rulekit import library
from rulekit.diagnostics import Problems
from rulekit.model.declare.file_extension import expanded
from rulekit.source import NOWHERE, Span
from rulekit.syntax import nodes
from rulekit.syntax.looks import is_look, without_look_columns, without_looks
from rulekit.syntax.traversal import all_cites, without_citations
from rulekit.syntax.unparse import unparse
from rulekit.syntax.unparse_expr import written
from rulekit.values import evolve, fields, frozen

_MOST_LINES = 14
"""So many lines of a long block are told to a translator."""
_PARTS = ("action", "step", "before", "after", "instead", "play", "setup", "result", "scenario", "card")


@frozen
class Tied:
    """A line tied to clauses.

    inside:  what it stands in, outermost first: `action round`, `step waking`.
    text:    the line with its block as rules text, without margins and without what has clauses of its own.
    """

    clauses: tuple[str, ...]
    inside: tuple[str, ...]
    text: str
    span: Span = NOWHERE


def tied_lines(path: str | os.PathLike[str]) -> list[Tied]:
    """The lines with clauses of a file without faults, and of the games that it extends."""
    return tied(expanded(library.read(path), Problems(), {}).declarations)


def tied(declarations: list[nodes.Declaration]) -> list[Tied]:
    """All lines with clauses, in the order of the file; scenarios and what is in them left out."""
    return [found for node in declarations if not isinstance(node, nodes.Scenario) for found in _tied(node, ())]


def behaviour_digest(lines: list[Tied]) -> str:
    """A short digest of what the lines say, which no comment, layout or clause text changes; "" for no lines."""
    if not lines:
        return ""
    text = "\n".join("/".join(line.inside) + "\n" + line.text for line in lines)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def comment_lines(lines: list[Tied]) -> list[str]:
    """The lines in plain words, for translators who do not write rules."""
    found: list[str] = []
    for line in lines:
        where = f"In {_words(', '.join(line.inside))}: " if line.inside else ""
        first, *rest = line.text.splitlines()
        found += [where + _words(first), *(_words(other) for other in rest)]
    if len(found) > _MOST_LINES:
        found = [*found[:_MOST_LINES], f"… and {len(found) - _MOST_LINES} more lines"]
    return found


# ---------------------------------------------------------------- which lines


def _tied(line: nodes.Line, inside: tuple[str, ...]) -> Iterator[Tied]:
    node = without_look_columns(line)
    ids = all_cites(node)
    if isinstance(node, nodes.Option):
        # What is said above a reading or condition is said of the question.
        ids += tuple(id_ for part in (*node.readings, *node.guards) for id_ in all_cites(part) if id_ not in ids)
    if ids:
        yield Tied(ids, inside, _bare_text(node), node.span)
    if isinstance(node, nodes.Option):
        return
    name = _name(node)
    for part in _lines_in(node):
        yield from _tied(part, (*inside, name) if name else inside)


def _name(node: nodes.Line) -> str:
    """What a line that holds others is called, "" if it only joins them."""
    if isinstance(node, nodes.If | nodes.Arm | nodes.Row | nodes.Has | nodes.By | nodes.Reading):
        return ""
    text = written(node).split("(")[0].rstrip(":")
    return text if text.split(" ", 1)[0] in _PARTS else ""


def _lines_in(node: object) -> Iterator[nodes.Line]:
    """The lines directly in a node, through bodies and tuples."""
    for field in fields(cast(Any, type(node))):
        if field.name in ("margin", "span"):
            continue
        yield from _lines_of(getattr(node, field.name))


def _lines_of(value: object) -> Iterator[nodes.Line]:
    if isinstance(value, tuple):
        for part in value:
            yield from _lines_of(part)
    elif isinstance(value, nodes.Line):
        yield value
    elif isinstance(value, nodes.Body):
        yield from _lines_of(value.statements)
    elif isinstance(value, nodes.Cases):
        yield from _lines_of(value.cases)


# ---------------------------------------------------------------- their text


def _bare_text(node: nodes.Line) -> str:
    bare = cast(nodes.Declaration, _bare(without_citations(node)))
    return without_looks(unparse(nodes.File((bare,)))).rstrip("\n")


def _bare(node: Any) -> Any:
    """The node without margins, without its looks and without the lines in it that have clauses of their own."""
    changed: dict[str, Any] = {}
    for field in fields(type(node)):
        value = getattr(node, field.name)
        if field.name == "margin":
            changed["margin"] = nodes.EMPTY
        elif isinstance(node, nodes.Member) and field.name == "traits":
            changed["traits"] = tuple(trait for trait in value if not is_look(trait.name))
        elif field.name != "span" and any(True for _ in _lines_of(value)):
            changed[field.name] = _bare_part(value)
    return evolve(node, **changed)


def _bare_part(value: Any) -> Any:
    if isinstance(value, tuple):
        kept = [part for part in value if not (isinstance(part, nodes.Line) and _is_own(part))]
        return tuple(_bare_part(part) for part in kept)
    return _bare(value) if isinstance(value, nodes.Line | nodes.Body | nodes.Cases) else value


def _is_own(line: nodes.Line) -> bool:
    """Whether a line in a block is told apart; the first arm of an `if` and an inline body never are."""
    return bool(all_cites(line)) and not isinstance(line, nodes.Arm | nodes.Reading | nodes.Guard)


# ---------------------------------------------------------------- in words

_WORDS: tuple[tuple[str, str], ...] = (
    (r"\blet (\w+) be\b", r"\1 is"),
    (r"\beach (\w+) in\b", r"for each \1 of"),
    (r"\beach (\w+)", r"for each \1"),
    (r"(\w)\.\.(\w)", r"\1 to \2"),
    (r"(\w)\.\.", r"\1 and more"),
    (r"(\w)\.(?=[a-z])", r"\1's "),
    (r"\bowner's\b", "the owner's"),
    (r"(\w)_(?=\w)", r"\1 "),
    (r" \* ", " times "),
    (r"\bfor for\b", "for"),
)


def _words(text: str) -> str:
    """A rules line as it would be said: `owner.piece` becomes `the owner's piece`."""
    parts = re.split(r'("[^"]*")', text)
    return "".join(part if part.startswith('"') else _said(part) for part in parts)


def _said(text: str) -> str:
    for pattern, words in _WORDS:
        text = re.sub(pattern, words, text)
    return text
