"""Quick fixes: the changes that carry out what the hint of a finding says (generate and test).

Every proposal is tried: the changed text is checked again, and only what takes
the finding away, and brings no other one into the changed lines, is offered.
"""

from __future__ import annotations

from rulekit.diagnostics import ERROR, Diagnostic
from rulekit.loading import Loaded
from rulekit.source import Span
from rulekit.tools.editing.corrections.declared import from_declarations
from rulekit.tools.editing.corrections.depths import READING, from_depths
from rulekit.tools.editing.corrections.fitting import from_values
from rulekit.tools.editing.corrections.forms import from_forms
from rulekit.tools.editing.corrections.layout import from_layout
from rulekit.tools.editing.corrections.lines import IF_MEANT, Proposal
from rulekit.tools.editing.corrections.restated import from_statements
from rulekit.tools.editing.corrections.single_token import from_grammar
from rulekit.tools.editing.corrections.whole_lines import from_lines
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, applied, written
from rulekit.values import evolve, frozen

_TRIED = 40
"""So many proposals are tried for one finding, the likeliest first."""
OFFERED = 3
_EFFECTS = {
    "possible ": ": it is asked whether that can be carried through, and nothing is done",
    "from the top of": ": in the order in which it lies, no longer at random",
}
"""By how what is written begins, what it does to the game."""


@frozen
class Correction:
    """What is done, in words, and the changes that do it."""

    title: str
    edits: tuple[Edit, ...]


def corrections(document: Document, entry: Diagnostic, most: int = OFFERED) -> tuple[Correction, ...]:
    """What mends a finding of this text, the likeliest first; nothing where the hint leaves it to people."""
    found: list[Correction] = []
    seen: set[tuple[str, bool]] = set()
    for tried, proposal in enumerate(_proposals(document, entry)):
        if tried >= _TRIED or len(found) >= most:
            break
        after = applied(document.source, proposal.edits).text, proposal.is_told
        if after not in seen and _mends(document, entry, proposal):
            found.append(Correction(proposal.title, proposal.edits))
            seen.add((after[0], not proposal.is_told))
        seen.add(after)
    return tuple(found)


def _proposals(document: Document, entry: Diagnostic) -> list[Proposal]:
    if not entry.hint or entry.span.source != document.source.name:
        return []
    makers = (
        from_depths,
        from_declarations,
        from_values,
        from_statements,
        from_lines,
        from_layout,
        from_grammar,
        from_forms,
    )
    return [_told(entry, proposal) for maker in makers for proposal in maker(document, entry)]


def _told(entry: Diagnostic, proposal: Proposal) -> Proposal:
    """With what it does to the game, where its words alone do not say it."""
    said = next((words for form, words in _EFFECTS.items() if proposal.edits[0].text.startswith(form)), "")
    said = said or (IF_MEANT if entry.code == "unknown-heading" else "")
    return evolve(proposal, title=proposal.title + said)


def _mends(document: Document, entry: Diagnostic, proposal: Proposal) -> bool:
    """Whether the text no longer has the finding, can be read as well as before, and what was written is in order.

    A word that is put in must make sense in its line; what ends or indents a line says nothing of the rest of it.
    """
    before, after = document.loaded, document.changed(applied(document.source, proposal.edits)).loaded
    if entry.level != ERROR and after.game is None:
        return False
    faults = _count(before, READING) - _count(after, READING)
    is_read = faults > 0 if entry.code in READING else faults == 0
    if not is_read or _alike(after, entry) >= _alike(before, entry):
        return False
    if proposal.is_told:
        return True
    known = {(one.code, one.title) for one in before.findings}
    new = [one.span for one in after.findings if (one.code, one.title) not in known and one.level == entry.level]
    places = written(document.source, proposal.edits)
    if entry.code in READING and entry.code != "syntax":
        return not any(_overlap(one, place) for one in new for place in places)
    return not any(place.line <= one.line <= place.end_line for one in new for place in places)


def _alike(loaded: Loaded, entry: Diagnostic) -> int:
    return sum((one.code, one.title) == (entry.code, entry.title) for one in loaded.findings)


def _count(loaded: Loaded, codes: tuple[str, ...]) -> int:
    return sum(one.code in codes for one in loaded.findings)


def _overlap(one: Span, other: Span) -> bool:
    return (one.line, one.column) <= (other.end_line, other.end_column) and (other.line, other.column) <= (
        one.end_line,
        one.end_column,
    )
