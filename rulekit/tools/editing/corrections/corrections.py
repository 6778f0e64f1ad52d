"""Quick fixes: the changes that carry out what the hint of a finding says (generate and test).

Every proposal is tried: the changed text is checked again, and only what takes
the finding away, and brings no other one into the changed lines, is offered.
"""

from __future__ import annotations

from attrs import frozen

from rulekit.diagnostics import ERROR, Diagnostic
from rulekit.loading import Loaded
from rulekit.tools.editing.corrections.forms import from_forms
from rulekit.tools.editing.corrections.layout import from_layout
from rulekit.tools.editing.corrections.lines import Proposal
from rulekit.tools.editing.corrections.whole_lines import from_lines
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, applied

_TRIED = 40
"""So many proposals are tried for one finding, the likeliest first."""
OFFERED = 3
_READING = ("syntax", "layout", "unfinished", "indentation", "tab")
"""Codes of texts that cannot be read."""


@frozen
class Correction:
    """What is done, in words, and the changes that do it."""

    title: str
    edits: tuple[Edit, ...]


def corrections(document: Document, entry: Diagnostic, most: int = OFFERED) -> tuple[Correction, ...]:
    """What mends a finding of this text, the likeliest first; nothing where the hint leaves it to people."""
    found: list[Correction] = []
    seen: set[str] = set()
    for tried, proposal in enumerate(_proposals(document, entry)):
        if tried >= _TRIED or len(found) >= most:
            break
        after = applied(document.source, proposal.edits).text
        if after not in seen and _mends(document, entry, proposal):
            found.append(Correction(proposal.title, proposal.edits))
        seen.add(after)
    return tuple(found)


def _proposals(document: Document, entry: Diagnostic) -> list[Proposal]:
    if not entry.hint or entry.span.source != document.source.name:
        return []
    makers = (from_lines, from_layout, from_forms)
    return [proposal for maker in makers for proposal in maker(document, entry)]


def _mends(document: Document, entry: Diagnostic, proposal: Proposal) -> bool:
    before, after = document.loaded, document.changed(applied(document.source, proposal.edits)).loaded
    if entry.level != ERROR and after.game is None:
        return False
    if _count(after, (entry.code,)) >= _count(before, (entry.code,)) or _count(after, _READING) > _count(
        before, _READING
    ):
        return False
    known = {(one.code, one.title) for one in before.findings}
    lines = {line for edit in proposal.edits for line in _lines(edit)}
    return not any(one.span.line in lines for one in after.findings if (one.code, one.title) not in known)


def _count(loaded: Loaded, codes: tuple[str, ...]) -> int:
    return sum(one.code in codes for one in loaded.findings)


def _lines(edit: Edit) -> range:
    return range(edit.span.line, edit.span.line + edit.text.count("\n") + 1)
