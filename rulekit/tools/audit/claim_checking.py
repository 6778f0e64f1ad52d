"""Claim checking: a published rulebook held against the rules, by its numbers and by every not, may and must.

Turns a book, its anchors and the rules into findings.  Numbers and the values
that they must agree with are paired in order, by edit distance where their
counts differ.  A finding says what the book reads, what the rules have and
where; nothing here knows whether the book or the rules are right.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import product, zip_longest
from typing import Any, TypeVar

from rulekit.diagnostics import Diagnostic, Label, Problems
from rulekit.source import Span
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage, passages
from rulekit.tools.audit.anchors import Anchors
from rulekit.tools.audit.findings import (
    AuditedRules,
    Finding,
    bounded,
    clause_span,
    finding_of,
    joined,
    listed,
    of_clauses,
    rule_span,
)
from rulekit.tools.audit.modality_checking import modality_findings
from rulekit.tools.audit.numeral_parsing import Numeral, articles, numerals
from rulekit.tools.audit.passage_claims import claim_findings
from rulekit.tools.audit.value_names import NoValue, Value, as_value, value_of
from rulekit.tools.constants.constant_values import Constant
from rulekit.tools.documents.reader_text import Doubt, DoubtKind
from rulekit.tools.language.lazy_message import Message
from rulekit.values import frozen

T = TypeVar("T")

AGREES, DIFFERS, UNNAMED, APART = "agrees", "differs", "unnamed", "not anchored"
NO_RULE, NO_NUMBER = "no rule", "no number in the rules"
MARKS = {"-": NO_RULE, "?": NO_NUMBER}
"""What stands for a value where there is none: the text states no rule, or the rules say it without a number."""
Ones = Callable[[], Sequence[Numeral]]
"""The articles of a book that might be numbers, read only where a number is missing."""
_BESIDE_ONE = 2
"""`More than one` is at least two, the greatest bound that the word for one can stand for."""
_SHOWN = 8
_BESIDE = 40
"""So many letters before a doubt without text are looked at for words to show."""
_TABLE = 250_000
"""Longer lists that do not fit are paired in order alone."""


@frozen
class NumberCheck:
    """A number of the book, what it must agree with (None: nothing), and the verdict: `AGREES` to `NO_NUMBER`."""

    numeral: Numeral
    passage: Passage | None
    value: Value | None
    verdict: str


@frozen
class Audit:
    """What one book came to.  findings: about the book; faults: about the anchors file."""

    book: IndexedBook
    language: str
    passages: tuple[Passage, ...]
    readings: tuple[NumberCheck, ...]
    findings: tuple[Finding, ...]
    faults: tuple[Diagnostic, ...] = ()


def audit_book(book: IndexedBook, anchors: Anchors, ruled: AuditedRules, whole: str = "") -> Audit:
    """Everything that a book and the rules disagree on; raises `NoPackage` without the reader of number words.

    whole:  the text of which the book is only a part, for how it uses its words.
    """
    problems = Problems()
    read = ruled.claimed(anchors.language).text_read(book.source.text, whole)
    placed = passages(book, anchors.anchors, problems)
    found = numerals(book.source.text, anchors.language)
    readings: list[NumberCheck] = []
    findings: list[Finding] = []
    for passage in placed:
        inside = _between(found, passage.start, passage.end)
        if passage.is_end_lost and passage.anchor.reads is not None:
            inside = inside[: len(passage.anchor.reads)]
        made = list(_read(passage, inside, lambda: articles(book.source.text, anchors.language), ruled, problems))
        readings += made
        doubts = _doubts(book, passage, made)
        findings += _number_findings(book, made, passage, doubts, ruled)
        findings += _doubt_findings(book, passage, [doubt for doubt, _ in doubts], ruled)
        if not passage.is_end_lost:
            findings += modality_findings(book, passage, anchors.language, ruled)
            findings += claim_findings(book, passage, anchors.language, ruled, read)
    seen = {reading.numeral for reading in readings}
    readings += [NumberCheck(n, None, None, APART) for n in found if n not in seen]
    readings.sort(key=lambda reading: reading.numeral.start)
    return Audit(book, anchors.language, placed, tuple(readings), tuple(findings), tuple(problems.found))


def _between(numbers: tuple[Numeral, ...], start: int, end: int) -> list[Numeral]:
    first = bisect_left(numbers, start, key=lambda number: number.start)
    return list(numbers[first : bisect_left(numbers, end, key=lambda number: number.start)])


# ---------------------------------------------------------------- numbers


def agrees(numeral: Numeral, value: Constant | Value) -> bool:
    """Whether a number of a text says what a value of the rules does, with its comparison and its sign."""
    return _same_bound(numeral, value) and _same_sign(numeral, value)


def _same_bound(numeral: Numeral, value: Constant | Value) -> bool:
    said, had = numeral.bound, value.bound or value.end
    if not said and had:
        # `Two to four` says the ends of a range; an ordinal names one of its places, which needs no bound.
        said = value.end if numeral.kind == "ordinal" else numeral.edge
    return said == had and abs(numeral.limit) == abs(value.limit)


def leaves_bound(numeral: Numeral, value: Constant | Value) -> bool:
    """Whether a number of a text is that of a value and only leaves its bound unsaid."""
    is_bare = bool(value.bound or value.end) and not numeral.bound
    return is_bare and abs(numeral.value) == abs(value.limit) and _same_sign(numeral, value)


def _same_sign(numeral: Numeral, value: Constant | Value) -> bool:
    """A minus sign needs a value that takes away; a text without one must then speak of a loss."""
    takes = value.value < 0 or value.sinks
    return takes if numeral.value < 0 else numeral.may_sink or not takes


def _read(
    passage: Passage, inside: list[Numeral], ones: Ones, ruled: AuditedRules, problems: Problems
) -> Iterator[NumberCheck]:
    anchor = passage.anchor
    if not anchor.clauses and anchor.reads is None:
        yield from (NumberCheck(numeral, passage, None, NO_RULE) for numeral in inside)
    elif anchor.reads is None:
        yield from (_any(numeral, passage, ruled) for numeral in inside)
    else:
        values = [_named(name, anchor.place(i), ruled, problems) for i, name in enumerate(anchor.reads)]
        yield from _paired(passage, inside, ones, anchor.reads, values, problems)


def _any(numeral: Numeral, passage: Passage, ruled: AuditedRules) -> NumberCheck:
    """A number without a name: any value of the clauses will do."""
    fits = [c for c in of_clauses(passage.anchor.clauses, ruled) if agrees(numeral, c)]
    if not fits:
        return NumberCheck(numeral, passage, None, DIFFERS)
    return NumberCheck(numeral, passage, as_value(fits[0].label, fits[0]), AGREES)


def _named(name: str, place: Span, ruled: AuditedRules, problems: Problems) -> Value | None:
    if name in MARKS:
        return None
    try:
        return value_of(name, ruled.rules)
    except NoValue as fault:
        problems.add("anchor-value", str(fault), place)
        return None


def _paired(
    passage: Passage,
    inside: list[Numeral],
    ones: Ones,
    names: tuple[str, ...],
    values: list[Value | None],
    problems: Problems,
) -> Iterator[NumberCheck]:
    """Numbers and values one by one, in order; if there are more of either, the pairing with least strife."""
    pairs = aligned(inside, names, values, agrees)
    for place, (numeral, index) in enumerate(pairs):
        if numeral is None:
            value = values[index or 0]
            bare = _article(pairs, place, passage, ones) if value is not None and _needs_word(value) else None
            if bare is not None:
                yield NumberCheck(bare, passage, value, DIFFERS)
                continue
            told = f" (the rules have {bounded(value.value, value.bound or value.end, value.limit)})" if value else ""
            title = f"the passage after “{passage.anchor.quote}” has no number for `{names[index or 0]}`{told}"
            at = passage.anchor.place(index or 0)
            problems.add("anchor-reads", title, at, hint="name a value for each number, in order")
        elif index is None:
            yield NumberCheck(numeral, passage, None, UNNAMED)
        else:
            yield _judged(numeral, passage, names[index], values[index])


def _needs_word(value: Value) -> bool:
    """Whether a value is told by `one` and a comparison, without which an article is left."""
    return bool(value.bound or value.end) and abs(value.limit) <= _BESIDE_ONE


def _article(
    pairs: Sequence[tuple[Numeral | None, int | None]], place: int, passage: Passage, ones: Ones
) -> Numeral | None:
    """The first article between the numbers before and behind one that is missing."""
    before = [numeral.end for numeral, _ in pairs[:place] if numeral is not None]
    behind = [numeral.start for numeral, _ in pairs[place:] if numeral is not None]
    first, last = (before or [passage.start])[-1], (behind or [passage.end])[0]
    return next((one for one in ones() if first <= one.start < last), None)


def _judged(numeral: Numeral, passage: Passage, name: str, value: Value | None) -> NumberCheck:
    if value is None:
        return NumberCheck(numeral, passage, None, MARKS.get(name, UNNAMED))
    fits = agrees(numeral, value)
    return NumberCheck(numeral, passage, value, AGREES if fits else DIFFERS)


def aligned(
    inside: Sequence[Numeral],
    names: Sequence[str],
    values: Sequence[T | None],
    fits: Callable[[Numeral, T], bool],
) -> list[tuple[Numeral | None, int | None]]:
    """Numbers and names in order, as pairs; if there are more of either, the pairing in which the fewest do not fit."""
    if len(inside) == len(names) or len(inside) * len(names) > _TABLE:
        return list(zip_longest(inside, range(len(names))))
    # Edit distance from the end, so that the pairs come out in order.
    costs = [list(range(len(names) + left, left - 1, -1)) for left in range(len(inside), -1, -1)]
    for i, j in product(reversed(range(len(inside))), reversed(range(len(names)))):
        costs[i][j] = min(
            costs[i + 1][j] + 1, costs[i][j + 1] + 1, costs[i + 1][j + 1] + _clash(inside[i], values[j], fits)
        )
    made: list[tuple[Numeral | None, int | None]] = []
    i = j = 0
    while i < len(inside) and j < len(names):
        is_pair = costs[i][j] == costs[i + 1][j + 1] + _clash(inside[i], values[j], fits)
        takes_number = is_pair or costs[i][j] == costs[i + 1][j] + 1
        takes_name = is_pair or not takes_number
        made.append((inside[i] if takes_number else None, j if takes_name else None))
        i, j = i + takes_number, j + takes_name
    # At most one of the two has anything left.
    return [*made, *((number, None) for number in inside[i:]), *((None, place) for place in range(j, len(names)))]


def _clash(numeral: Numeral, value: T | None, fits: Callable[[Numeral, T], bool]) -> int:
    return int(value is not None and not fits(numeral, value))


# ---------------------------------------------------------------- findings


def _number_findings(
    book: IndexedBook,
    made: list[NumberCheck],
    passage: Passage,
    doubts: Sequence[tuple[Doubt, Numeral | None]],
    ruled: AuditedRules,
) -> Iterator[Finding]:
    notes = {numeral: str(_why(doubt.kind)) for doubt, numeral in doubts if numeral is not None}
    for reading in made:
        note = notes.get(reading.numeral, "")
        if reading.verdict == DIFFERS:
            yield _differs(book, reading, passage, note, ruled)
        elif reading.verdict == UNNAMED:
            yield _unnamed(book, reading, passage, note, ruled)


def _differs(book: IndexedBook, reading: NumberCheck, passage: Passage, note: str, ruled: AuditedRules) -> Finding:
    numeral, value = reading.numeral, reading.value
    clauses = passage.anchor.clauses
    if value is None:
        known = of_clauses(clauses, ruled)
        told = (bounded(abs(c.value), c.bound or c.end, abs(c.limit)) for c in known[: 4 * _SHOWN])
        had, rule = joined(told, "audit-no-number"), rule_span(clauses, ruled)
    else:
        had, rule = bounded(value.value, value.bound or value.end, value.limit), value.span
    both: dict[str, Any] = {"read": quoted(numeral), "clauses": listed(clauses), "had": had}
    said = Message("audit-differs", **both) if value is None else _differs_from(numeral, value, both)
    return _finding("number-differs", said, book, numeral, clauses, str(had), rule, note, ruled)


def _differs_from(numeral: Numeral, value: Value, both: dict[str, Any]) -> Message:
    """The same where a value was named: also how anchors say that only its bound is left out, if that is so."""
    phrase = "audit-differs-bound" if leaves_bound(numeral, value) else "audit-differs-name"
    return Message(phrase, name=value.name, **both)


def _unnamed(book: IndexedBook, reading: NumberCheck, passage: Passage, note: str, ruled: AuditedRules) -> Finding:
    clauses, rule = passage.anchor.clauses, clause_span(passage.anchor.clauses, ruled)
    said = Message("audit-unnamed", read=quoted(reading.numeral), clauses=listed(clauses))
    return _finding("number-unexpected", said, book, reading.numeral, clauses, "", rule, note, ruled)


def quoted(numeral: Numeral) -> Message:
    told = bounded(numeral.value, numeral.bound, numeral.limit)
    if told == numeral.text:
        return Message("audit-quoted", text=numeral.text)
    return Message("audit-read", text=numeral.text, figure=told)


def _finding(
    code: str,
    said: Message,
    book: IndexedBook,
    at: Numeral,
    clauses: tuple[str, ...],
    had: str,
    rule: Span,
    note: str,
    ruled: AuditedRules,
) -> Finding:
    place, words = book.span(at.start, at.end), (*clauses, *book.around(at.start, at.end))
    read, label = str(bounded(at.value, at.bound, at.limit)), f"the rule: {had}" if had else "the clause"
    return finding_of(code, said, place, clauses, words, read, had, Label(rule, label), ruled, note=note)


# ---------------------------------------------------------------- doubts


def _doubts(book: IndexedBook, passage: Passage, made: Sequence[NumberCheck]) -> list[tuple[Doubt, Numeral | None]]:
    """What a passage about rules may be read wrongly in, each with the number at its place.

    Numbers that state no rule are left out.  What may be the number of a note matters only where it was read as one.
    """
    if not passage.anchor.clauses:
        return []
    first = bisect_left(book.doubts, passage.start, key=lambda doubt: doubt.start)
    found = []
    for doubt in book.doubts[first : bisect_left(book.doubts, passage.end, key=lambda doubt: doubt.start)]:
        last = bisect_right(made, doubt.end, key=lambda reading: reading.numeral.start) - 1
        reading = made[last] if last >= 0 and made[last].numeral.end >= doubt.start else None
        is_idle = doubt.kind == DoubtKind.REFERENCE if reading is None else reading.verdict == NO_RULE
        if not is_idle:
            found.append((doubt, None if reading is None else reading.numeral))
    return found


def _doubt_findings(
    book: IndexedBook, passage: Passage, doubts: Sequence[Doubt], ruled: AuditedRules
) -> Iterator[Finding]:
    """One finding for each kind of doubt, at the first place."""
    clauses, rule = passage.anchor.clauses, clause_span(passage.anchor.clauses, ruled)
    for kind in dict.fromkeys(one.kind for one in doubts):
        first, *others = [one for one in doubts if one.kind == kind]
        read = joined((Message("audit-quoted", text=_shown(book, one)) for one in (first, *others[:_SHOWN])), "")
        said = Message("audit-uncertain", read=read, why=_why(kind))
        words = (*clauses, *book.around(first.start, first.end))
        place = book.span(first.start, max(first.end, first.start + 1))
        yield finding_of(
            "reading-uncertain", said, place, clauses, words, _shown(book, first), "", Label(rule, "the clause"), ruled
        )


def _shown(book: IndexedBook, doubt: Doubt) -> str:
    """The words at a doubt; what is no text shows the word before it."""
    shown = " ".join(book.source.text[doubt.start : doubt.end].split())
    return shown or " ".join(book.source.text[max(0, doubt.start - _BESIDE) : doubt.start].split()[-2:])


def _why(kind: DoubtKind) -> Message:
    return Message(f"doubt-{kind.value}")
