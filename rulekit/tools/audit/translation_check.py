"""Translation checks: the texts of a game in one language against another, and against the rules.

A translation must have the numbers of what it translates, each with the value
of the rules behind it, and deny, permit and oblige where that does (negation
and deontic modality).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rulekit.diagnostics import Label
from rulekit.source import Source, Span
from rulekit.tools.audit.claim_checking import aligned
from rulekit.tools.audit.clause_numbers import SOURCE, Tie
from rulekit.tools.audit.findings import AuditedRules, Finding, bounded, finding_of, joined, rule_line
from rulekit.tools.audit.modality_checking import MODALITIES, moods
from rulekit.tools.audit.numeral_parsing import Numeral, modal_words, numerals
from rulekit.tools.claims.kept_senses import Told, exchanged
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.tools.language.po_files import Translated
from rulekit.values import frozen

_TITLES = ("heading ", "example ")
"""What is only called something says nothing of the rules."""


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
        place = _line_span(entry.msgstr_line, source)
        if entry.forms[0] and not entry.plural and not entry.fuzzy and not entry.id.startswith(_TITLES):
            made.append(Pair(entry.id, entry.text, entry.forms[0], language, place))
    return made


def _line_span(line: int, source: Source) -> Span:
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
        yield from _claims(pair, ruled)


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
    both: dict[str, Any] = {"id": pair.id, "figure": numeral.value, "text": numeral.text}
    had: Text
    if tie is None:
        had = joined((str(entry.numeral.value) for entry in ours), "audit-no-number")
        said = Message("audit-translation-reads", had=had, **both)
    elif value is None:
        had = str(tie.numeral.value)
        said = Message("audit-translation-text", had=had, **both)
    else:
        had = bounded(value.value, value.bound, value.limit)
        said = Message("audit-translation-rules", had=had, name=value.name, **both)
    span = value.span if value is not None and value.span.line else rule_line(pair.id, ruled)
    return _finding("translation-number", said, pair, str(numeral.value), str(had), span, ruled)


def _lacking(pair: Pair, tie: Tie, theirs: list[Numeral], ruled: AuditedRules) -> Finding:
    read = joined((str(numeral.value) for numeral in theirs), "audit-no-number")
    said = Message("audit-translation-lacks", id=pair.id, lost=tie.numeral.value, had=read)
    span = tie.value.span if tie.value is not None and tie.value.span.line else rule_line(pair.id, ruled)
    return _finding("translation-number", said, pair, str(read), str(tie.numeral.value), span, ruled)


def _modalities(pair: Pair, ruled: AuditedRules) -> Iterator[Finding]:
    ours, theirs = (moods(text, language) for text, language in ((pair.text, SOURCE), (pair.other, pair.language)))
    for name, told in MODALITIES.items():
        if ours[name] != theirs[name]:
            said = _only(pair, name, told) if not (ours[name] and theirs[name]) else _words(pair, name)
            read, had = f"{name} {theirs[name]}", f"{name} {ours[name]}"
            yield _finding(f"translation-{name}", said, pair, read, had, rule_line(pair.id, ruled), ruled)


def _only(pair: Pair, name: str, told: str) -> Message:
    is_translated = any(word.kind == name for word in modal_words(pair.other, pair.language))
    return Message("audit-only-translated" if is_translated else "audit-only-original", id=pair.id, what=Message(told))


def _words(pair: Pair, name: str) -> Message:
    """What both say of a kind, where one says it more often."""
    ours, theirs = (
        " … ".join(word.text for word in modal_words(text, language) if word.kind == name)
        for text, language in ((pair.text, SOURCE), (pair.other, pair.language))
    )
    return Message("audit-translation-claims", id=pair.id, read=theirs, had=ours)


def _claims(pair: Pair, ruled: AuditedRules) -> Iterator[Finding]:
    """Words of the translation that stand where the text has others, as far as the catalogue keeps to these."""
    ours, theirs = ruled.claimed(SOURCE).words(pair.text), ruled.claimed(pair.language).words(pair.other)
    for one in exchanged(Told(ours, theirs), ruled.keeps(pair.language)):
        had, rule = one.lost.text, rule_line(pair.id, ruled)
        if one.more is not None:
            said = Message("audit-translation-claims", id=pair.id, read=one.more.text, had=had)
            yield _finding("translation-claim", said, pair, one.more.text, had, rule, ruled)
        else:
            read = joined((word.text for word in theirs if word.kinds & one.lost.kinds), "audit-no-word")
            said = Message("audit-translation-lacks", id=pair.id, lost=had, had=read)
            yield _finding("translation-claim", said, pair, str(read), had, rule, ruled)


def _finding(code: str, said: Message, pair: Pair, read: str, had: str, span: Span, ruled: AuditedRules) -> Finding:
    rule, words = Label(span, f"the rule: {had}"), (pair.id, pair.text, pair.other, read)
    return finding_of(code, said, pair.place, (pair.id,), words, read, had, rule, ruled, note=pair.other)
