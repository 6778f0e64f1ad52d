"""Translation checks: the clauses of a game in one language against another, and against the rules.

A translation must have the numbers of what it translates, and deny, permit and
oblige where that does (negation and deontic modality).  The clauses of the
rules file themselves must have numbers that their lines, or what these lines
use, know of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from attrs import frozen

from rulekit.diagnostics import Diagnostic, Label
from rulekit.model.game import Clause
from rulekit.source import NOWHERE, Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, walk
from rulekit.tools.audit.claim_checking import is_same_number
from rulekit.tools.audit.constant_extraction import Constant
from rulekit.tools.audit.findings import AuditedRules, Finding, finding_of
from rulekit.tools.audit.numeral_parsing import Numeral, modality_counts, numerals
from rulekit.tools.language.po_files import Translated

SOURCE = "en"
_TITLES = ("heading ", "example ")
"""What is only called something says nothing of the rules."""
_MODALITIES = {"not": "a negation", "may": "a permission", "must": "a duty"}


@frozen
class Pair:
    """One text and its translation."""

    id: str
    text: str
    other: str
    language: str
    place: Span


def pairs(entries: Iterable[Translated], language: str, source: Source) -> list[Pair]:
    """What of a catalogue can be compared: entries that are translated, not fuzzy, and without plural forms."""
    made = []
    for entry in entries:
        place = _written_at(entry.line, source)
        if entry.forms[0] and not entry.plural and not entry.fuzzy and not entry.id.startswith(_TITLES):
            made.append(Pair(entry.id, entry.text, entry.forms[0], language, place))
    return made


def _written_at(line: int, source: Source) -> Span:
    """Where the translation of an entry begins; the entry begins with its comments."""
    while source.line(line) and not source.line(line).startswith("msgstr"):
        line += 1
    return Span(source.name, line, 1, line, len(source.line(line)) + 1)


def compare(pair: Pair, ruled: AuditedRules) -> Iterator[Finding]:
    """What a translation says otherwise than its source; names are only held against numbers."""
    ours, theirs = _numbers(pair.text, SOURCE), _numbers(pair.other, pair.language)
    for value in sorted((theirs - ours).keys() | (ours - theirs).keys()):
        yield _number(pair, value, theirs[value] > ours[value], ours, theirs, ruled)
    if pair.id in ruled.rules.game.clauses:
        yield from _modalities(pair, ruled)


def _numbers(text: str, language: str) -> Counter[int]:
    """The numbers of a text; 1 is an article too often to be compared."""
    return Counter(number.value for number in numerals(text, language) if number.value != 1)


def _number(
    pair: Pair, value: int, is_more: bool, ours: Counter[int], theirs: Counter[int], ruled: AuditedRules
) -> Finding:
    had = ", ".join(str(number) for number in sorted(ours.elements())) or "no number"
    if is_more:
        title = f"the translation of {pair.id} reads {value}, the text and its rules have {had}"
        return _finding("translation-number", title, pair, str(value), had, ruled)
    read = ", ".join(str(number) for number in sorted(theirs.elements())) or "no number"
    title = f"the translation of {pair.id} lacks {value}: it has {read}, the text {had}"
    return _finding("translation-number", title, pair, read, str(value), ruled)


def _modalities(pair: Pair, ruled: AuditedRules) -> Iterator[Finding]:
    ours, theirs = modality_counts(pair.text, SOURCE), modality_counts(pair.other, pair.language)
    for name, told in _MODALITIES.items():
        if bool(ours[name]) != bool(theirs[name]):
            where = "only in the translation" if theirs[name] else "only in the text"
            title = f"{pair.id} has {told} {where}"
            yield _finding(f"translation-{name}", title, pair, f"{name} {theirs[name]}", f"{name} {ours[name]}", ruled)


def _finding(code: str, title: str, pair: Pair, read: str, had: str, ruled: AuditedRules) -> Finding:
    told, rule = Diagnostic(code, title, pair.place, note=pair.other), Label(_rule(pair.id, ruled), "the rule")
    return finding_of(told, (pair.id,), (pair.id, pair.text, pair.other, read), read, had, rule, ruled)


def _rule(id_: str, ruled: AuditedRules) -> Span:
    """A line that carries out the clause, else the clause itself."""
    tied = [constant for constant in ruled.rules.constants if id_ in constant.clauses]
    first = min(tied, key=lambda constant: constant.is_word, default=ruled.rules.game.clauses.get(id_))
    return first.span if first else NOWHERE


# ---------------------------------------------------------------- the clauses themselves


def own_clauses(ruled: AuditedRules) -> Iterator[Finding]:
    """Numbers in the clauses of the rules file that neither their lines nor what these use know of."""
    used = _used(ruled.declarations)
    for clause in ruled.rules.game.clauses.values():
        if not any(clause.id in c.clauses and not (c.is_example or c.is_word) for c in ruled.rules.constants):
            continue
        known = list(_within_reach(clause.id, used.get(clause.id, frozenset()), ruled))
        for number in numerals(clause.text, SOURCE):
            if number.value != 1 and not _known(number, known):
                yield _own(clause, number, known, ruled)


def _used(declarations: tuple[nodes.Declaration, ...]) -> dict[str, frozenset[str]]:
    """For every clause the names in the lines that cite it."""
    found: dict[str, set[str]] = {}
    for line in (node for node in walk(declarations) if isinstance(node, nodes.Line)):
        ids = cites(line)
        if ids:
            names = {str(getattr(part, "name", "")) for part in walk(line)} - {""}
            for id_ in ids:
                found.setdefault(id_, set()).update(names)
    return {id_: frozenset(names) for id_, names in found.items()}


def _within_reach(id_: str, names: frozenset[str], ruled: AuditedRules) -> Iterator[Constant]:
    for constant in (c for c in ruled.rules.constants if not (c.is_example or c.is_word)):
        if id_ in constant.clauses or names & set(constant.homes) or constant.label in names:
            yield constant


def _known(number: Numeral, known: list[Constant]) -> bool:
    """Whether a number is one of the rules, or their difference or sum with a neighbour."""
    values = {abs(constant.value) for constant in known}
    fits = any(is_same_number(number, c) for c in known)
    return fits or bool({number.value - 1, number.value + 1} & values)


def _own(clause: Clause, number: Numeral, known: list[Constant], ruled: AuditedRules) -> Finding:
    had = ", ".join(dict.fromkeys(str(abs(c.value)) for c in known if not c.is_example))
    title = f"{clause.id} says “{number.text}”, and its rules know only {had or 'other numbers'}"
    pair = Pair(clause.id, clause.text, "", SOURCE, clause.span)
    return _finding("clause-number", title, pair, str(number.value), had, ruled)
