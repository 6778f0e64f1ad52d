"""Formatting: the one layout, as changes of the lines that are not in it."""

from __future__ import annotations

from difflib import SequenceMatcher

from rulekit.diagnostics import Problems
from rulekit.source import Source, Span
from rulekit.syntax.parse import parse
from rulekit.syntax.unparse import unparse
from rulekit.tools.editing.edits import Edit


def formatting(source: Source, first: int = 1, last: int | None = None) -> tuple[Edit, ...]:
    """Changes that give these lines their layout, or all; none of a text that cannot be read whole."""
    problems = Problems()
    file = parse(source, problems).file
    if problems.found:
        return ()
    old, new = source.text.split("\n"), unparse(file).split("\n")
    found = []
    for kind, start, stop, begin, end in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        touches = last is None or (start < last and max(stop, start + 1) >= first)
        if kind != "equal" and touches:
            found.append(_lines(source, old, start, stop, new[begin:end]))
    return tuple(found)


def _lines(source: Source, old: list[str], start: int, stop: int, new: list[str]) -> Edit:
    """`new` in place of the lines from `start` up to `stop`, counted from 0."""
    if stop < len(old):
        return Edit(Span(source.name, start + 1, 1, stop + 1, 1), "".join(f"{line}\n" for line in new))
    if start == 0:
        return Edit(Span(source.name, 1, 1, len(old), len(old[-1]) + 1), "\n".join(new))
    before = len(old[start - 1]) + 1
    return Edit(Span(source.name, start, before, len(old), len(old[-1]) + 1), "".join(f"\n{line}" for line in new))
