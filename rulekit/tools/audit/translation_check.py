"""Translation checks: the texts of a game in one language against another, and against the rules.

A translation must have the numbers of what it translates, each with the value
of the rules behind it, and deny, permit and oblige where that does (negation
and deontic modality).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from attrs import frozen

from rulekit.diagnostics import Diagnostic, Label
from rulekit.source import NOWHERE, Source, Span
from rulekit.tools.audit.claim_checking import aligned
from rulekit.tools.audit.clause_numbers import SOURCE, Tie
from rulekit.tools.audit.findings import AuditedRules, Finding, bounded_text, finding_of
from rulekit.tools.audit.numeral_parsing import Numeral, modality_counts, numerals
from rulekit.tools.language.po_files import Translated

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


def compare(pair: Pair, ruled: AuditedRules, known: Sequence[Tie] = ()) -> Iterator[Finding]:
    """What a translation says otherwise than its source; names are only held against numbers.

    known:  the numbers of the source with the values of the rules behind them, where it is a clause.
    """
    ours = list(known) or [Tie(numeral, None) for numeral in numerals(pair.text, SOURCE)]
    theirs = list(numerals(pair.other, pair.language))
    yield from _numbers(pair, ours, theirs, ruled)
    if pair.id in ruled.rules.game.clauses:
        yield from _modalities(pair, ruled)


def _numbers(pair: Pair, ours: list[Tie], theirs: list[Numeral], ruled: AuditedRules) -> Iterator[Finding]:
    """Numbers that only one of both has; those that stand at the same place belong together."""
    lost, more = _unmatched(ours, theirs)
    for place, numeral in sorted(more.items(), key=lambda entry: (entry[1].value == 1, entry[0])):
        near = min(
            lost, key=lambda at: (lost[at].numeral.value == 1, abs(at / len(ours) - place / len(theirs))), default=None
        )
        tie = None if near is None else lost.pop(near)
        # 1 is an article too often to be compared with nothing.
        if tie is not None or numeral.value != 1:
            yield _other(pair, numeral, tie, ours, ruled)
    for tie in lost.values():
        if tie.numeral.value != 1:
            yield _lacking(pair, tie, theirs, ruled)


def _unmatched(ours: list[Tie], theirs: list[Numeral]) -> tuple[dict[int, Tie], dict[int, Numeral]]:
    """By place what has no partner of the same value: first in the order of both texts, then in any."""
    lost, more = dict(enumerate(ours)), dict(enumerate(theirs))
    at = {id(numeral): place for place, numeral in more.items()}
    for numeral, index in aligned(theirs, [tie.numeral.text for tie in ours], ours, _is_same):
        if numeral is not None and index is not None and _is_same(numeral, ours[index]):
            del lost[index], more[at[id(numeral)]]
    for place, numeral in list(more.items()):
        twin = next((at for at, tie in lost.items() if tie.numeral.value == numeral.value), None)
        if twin is not None:
            del lost[twin], more[place]
    return lost, more


def _is_same(numeral: Numeral, tie: Tie) -> bool:
    return numeral.value == tie.numeral.value


def _other(pair: Pair, numeral: Numeral, tie: Tie | None, ours: list[Tie], ruled: AuditedRules) -> Finding:
    value = tie.value if tie else None
    if tie is None:
        had = ", ".join(str(entry.numeral.value) for entry in ours) or "no number"
        title = f"the translation of {pair.id} reads {numeral.value}, the text and its rules have {had}"
    elif value is None:
        had = str(tie.numeral.value)
        title = f"the translation of {pair.id} reads “{numeral.text}” ({numeral.value}), the text has {had}"
    else:
        had = bounded_text(value.value, value.bound, value.limit)
        read = f"the translation of {pair.id} reads “{numeral.text}” ({numeral.value})"
        title = f"{read}, the rules have {had} (`{value.name}`)"
    span = value.span if value is not None and value.span.line else _rule(pair.id, ruled)
    return _finding("translation-number", title, pair, str(numeral.value), had, span, ruled)


def _lacking(pair: Pair, tie: Tie, theirs: list[Numeral], ruled: AuditedRules) -> Finding:
    read = ", ".join(str(numeral.value) for numeral in theirs) or "no number"
    title = f"the translation of {pair.id} lacks {tie.numeral.value}: it has {read}"
    span = tie.value.span if tie.value is not None and tie.value.span.line else _rule(pair.id, ruled)
    return _finding("translation-number", title, pair, read, str(tie.numeral.value), span, ruled)


def _modalities(pair: Pair, ruled: AuditedRules) -> Iterator[Finding]:
    ours, theirs = modality_counts(pair.text, SOURCE), modality_counts(pair.other, pair.language)
    for name, told in _MODALITIES.items():
        if bool(ours[name]) != bool(theirs[name]):
            where = "only in the translation" if theirs[name] else "only in the text"
            title = f"{pair.id} has {told} {where}"
            read, had = f"{name} {theirs[name]}", f"{name} {ours[name]}"
            yield _finding(f"translation-{name}", title, pair, read, had, _rule(pair.id, ruled), ruled)


def _finding(code: str, title: str, pair: Pair, read: str, had: str, span: Span, ruled: AuditedRules) -> Finding:
    told, rule = Diagnostic(code, title, pair.place, note=pair.other), Label(span, f"the rule: {had}")
    return finding_of(told, (pair.id,), (pair.id, pair.text, pair.other, read), read, had, rule, ruled)


def _rule(id_: str, ruled: AuditedRules) -> Span:
    """A line that carries out the clause, else the clause itself."""
    tied = [constant for constant in ruled.rules.constants if id_ in constant.clauses]
    first = min(tied, key=lambda constant: constant.is_word, default=ruled.rules.game.clauses.get(id_))
    return first.span if first else NOWHERE
