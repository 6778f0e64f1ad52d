"""Claim checking: a published rulebook held against the rules, by its numbers and by every not, may and must.

Turns a book, its anchors and the rules into findings.  Numbers and the values
that they must agree with are paired in order, by edit distance where their
counts differ.  A finding says what the book reads, what the rules have and
where; nothing here knows whether the book or the rules are right.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator
from itertools import product, zip_longest

from attrs import evolve, field, frozen

from rulekit.diagnostics import WARNING, Diagnostic, Label, Problems
from rulekit.source import NOWHERE, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, walk
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage, passages
from rulekit.tools.audit.anchors import Anchors
from rulekit.tools.audit.constant_extraction import Constant
from rulekit.tools.audit.numeral_parsing import EXACT, Numeral, modality_counts, numerals
from rulekit.tools.audit.value_names import NoValue, Rules, Value, as_value, value_of

AGREES, DIFFERS, UNNAMED, APART = "agrees", "differs", "unnamed", "not anchored"
NO_RULE, NO_NUMBER = "no rule", "no number in the rules"
MARKS = {"-": NO_RULE, "?": NO_NUMBER}
"""What stands for a value where there is none: the text states no rule, or the rules say it without a number."""
_SHOWN = 8
_TABLE = 250_000
"""Longer lists that do not fit are paired in order alone."""
_CONTEXT = 5
"""How many words beside a number make it the same number in another edition."""


@frozen
class Finding:
    """One disagreement.

    read:    the number as the book has it; had: the values of the rules, as text.
    digest:  changes when the words around the number or the rule change, not when the text is wrapped anew.
    """

    code: str
    clauses: tuple[str, ...]
    read: str
    had: str
    rule: str
    digest: str
    diagnostic: Diagnostic


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


@frozen
class AuditedRules:
    """The rules as the audit needs them: values, lines of text by file, clauses that permit, syntax."""

    rules: Rules
    texts: dict[str, list[str]] = field(repr=False)
    may: frozenset[str] = frozenset()
    declarations: tuple[nodes.Declaration, ...] = field(default=(), repr=False)

    def line(self, span: Span) -> str:
        lines = self.texts.get(span.source, [])
        return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""


def permitting(declarations: list[nodes.Declaration]) -> frozenset[str]:
    """The clauses whose lines leave a choice open: `may choose`."""
    chosen = [node for node in walk(tuple(declarations)) if isinstance(node, nodes.Choose) and node.manner == "may"]
    return frozenset(id_ for node in chosen for id_ in cites(node))


def audit_book(book: IndexedBook, anchors: Anchors, ruled: AuditedRules) -> Audit:
    """Everything that a book and the rules disagree on; raises `NoPackage` without the reader of number words."""
    problems = Problems()
    placed = passages(book, anchors.anchors, problems)
    found = numerals(book.source.text, anchors.language)
    readings: list[NumberCheck] = []
    findings: list[Finding] = []
    for passage in placed:
        inside = _between(found, passage.start, passage.end)
        made = list(_read(passage, inside, ruled, problems))
        readings += made
        findings += _number_findings(book, made, passage, ruled)
        findings += _modality_findings(book, passage, anchors.language, ruled)
    seen = {reading.numeral for reading in readings}
    readings += [NumberCheck(n, None, None, APART) for n in found if n not in seen]
    readings.sort(key=lambda reading: reading.numeral.start)
    return Audit(book, anchors.language, placed, tuple(readings), tuple(findings), tuple(problems.found))


def _between(numbers: tuple[Numeral, ...], start: int, end: int) -> list[Numeral]:
    first = bisect_left(numbers, start, key=lambda number: number.start)
    return list(numbers[first : bisect_left(numbers, end, key=lambda number: number.start)])


# ---------------------------------------------------------------- numbers


def agrees(numeral: Numeral, value: int, bound: str, limit: int) -> bool:
    """Whether a number of a text says what a value of the rules does; without signs, which a text puts in words."""
    if bound and numeral.bound == bound:
        return abs(numeral.limit) == abs(limit)
    return numeral.value == abs(value) or (numeral.bound == EXACT and numeral.value == abs(limit))


def _read(passage: Passage, inside: list[Numeral], ruled: AuditedRules, problems: Problems) -> Iterator[NumberCheck]:
    anchor = passage.anchor
    if not anchor.clauses and anchor.reads is None:
        yield from (NumberCheck(numeral, passage, None, NO_RULE) for numeral in inside)
    elif anchor.reads is None:
        yield from (_any(numeral, passage, ruled) for numeral in inside)
    else:
        values = [_named(name, anchor.place(i), ruled, problems) for i, name in enumerate(anchor.reads)]
        yield from _paired(passage, inside, anchor.reads, values, problems)


def _any(numeral: Numeral, passage: Passage, ruled: AuditedRules) -> NumberCheck:
    """A number without a name: any value of the clauses will do."""
    fits = [c for c in of_clauses(passage.anchor.clauses, ruled) if agrees(numeral, c.value, c.bound, c.limit)]
    if not fits:
        return NumberCheck(numeral, passage, None, DIFFERS)
    return NumberCheck(numeral, passage, as_value(fits[0].label, fits[0]), AGREES)


def of_clauses(clauses: tuple[str, ...], ruled: AuditedRules) -> list[Constant]:
    """The numbers that the default readings use in the lines of some clauses, not in examples if there are others."""
    found = [c for c in ruled.rules.constants if not (c.unless or c.is_word) and set(clauses) & set(c.clauses)]
    return [c for c in found if not c.is_example] or found


def _named(name: str, place: Span, ruled: AuditedRules, problems: Problems) -> Value | None:
    if name in MARKS:
        return None
    try:
        return value_of(name, ruled.rules)
    except NoValue as fault:
        problems.add("anchor-value", str(fault), place)
        return None


def _paired(
    passage: Passage, inside: list[Numeral], names: tuple[str, ...], values: list[Value | None], problems: Problems
) -> Iterator[NumberCheck]:
    """Numbers and values one by one, in order; if there are more of either, the pairing with least strife."""
    pairs = _aligned(inside, names, values)
    for numeral, index in pairs:
        if numeral is None:
            title = f"the passage after “{passage.anchor.quote}” has no number for `{names[index or 0]}`"
            place = passage.anchor.place(index or 0)
            problems.add("anchor-reads", title, place, hint="name a value for each number, in order")
        elif index is None:
            yield NumberCheck(numeral, passage, None, UNNAMED)
        else:
            yield _judged(numeral, passage, names[index], values[index])


def _judged(numeral: Numeral, passage: Passage, name: str, value: Value | None) -> NumberCheck:
    if value is None:
        return NumberCheck(numeral, passage, None, MARKS.get(name, UNNAMED))
    fits = agrees(numeral, value.value, value.bound, value.limit)
    return NumberCheck(numeral, passage, value, AGREES if fits else DIFFERS)


def _aligned(
    inside: list[Numeral], names: tuple[str, ...], values: list[Value | None]
) -> list[tuple[Numeral | None, int | None]]:
    if len(inside) == len(names) or len(inside) * len(names) > _TABLE:
        return list(zip_longest(inside, range(len(names))))
    # Edit distance from the end, so that the pairs come out in order.
    costs = [list(range(len(names) + left, left - 1, -1)) for left in range(len(inside), -1, -1)]
    for i, j in product(reversed(range(len(inside))), reversed(range(len(names)))):
        costs[i][j] = min(costs[i + 1][j] + 1, costs[i][j + 1] + 1, costs[i + 1][j + 1] + _clash(inside[i], values[j]))
    made: list[tuple[Numeral | None, int | None]] = []
    i = j = 0
    while i < len(inside) and j < len(names):
        is_pair = costs[i][j] == costs[i + 1][j + 1] + _clash(inside[i], values[j])
        takes_number = is_pair or costs[i][j] == costs[i + 1][j] + 1
        takes_name = is_pair or not takes_number
        made.append((inside[i] if takes_number else None, j if takes_name else None))
        i, j = i + takes_number, j + takes_name
    # At most one of the two has anything left.
    return [*made, *((number, None) for number in inside[i:]), *((None, place) for place in range(j, len(names)))]


def _clash(numeral: Numeral, value: Value | None) -> int:
    return int(value is not None and not agrees(numeral, value.value, value.bound, value.limit))


# ---------------------------------------------------------------- findings


def _number_findings(
    book: IndexedBook, made: list[NumberCheck], passage: Passage, ruled: AuditedRules
) -> Iterator[Finding]:
    for reading in made:
        if reading.verdict == DIFFERS:
            yield _differs(book, reading, passage, ruled)
        elif reading.verdict == UNNAMED:
            yield _unnamed(book, reading, passage, ruled)


def _differs(book: IndexedBook, reading: NumberCheck, passage: Passage, ruled: AuditedRules) -> Finding:
    numeral, value = reading.numeral, reading.value
    clauses = passage.anchor.clauses
    if value is None:
        known = of_clauses(clauses, ruled)
        had = ", ".join(dict.fromkeys(str(abs(c.value)) for c in known[: 4 * _SHOWN])) or "no number"
        rule = _rule_span(clauses, ruled)
    else:
        had, rule = bounded_text(abs(value.value), value.bound, abs(value.limit)), value.span
    name = "" if value is None else f" (`{value.name}`)"
    title = f"the book reads {_quoted(numeral)}, the rules of {_listed(clauses)} have {had}{name}"
    return _finding("number-differs", title, book, numeral, clauses, had, rule, ruled)


def _unnamed(book: IndexedBook, reading: NumberCheck, passage: Passage, ruled: AuditedRules) -> Finding:
    clauses = passage.anchor.clauses
    title = f"the book reads {_quoted(reading.numeral)} where the anchors of {_listed(clauses)} name no number"
    return _finding("number-unexpected", title, book, reading.numeral, clauses, "", _clause_span(clauses, ruled), ruled)


def _quoted(numeral: Numeral) -> str:
    told = bounded_text(numeral.value, numeral.bound, numeral.limit)
    return f"“{numeral.text}”" + ("" if told == numeral.text else f" ({told})")


def bounded_text(value: int, bound: str, limit: int) -> str:
    """A number with its bound: `at most 0`."""
    return f"{bound} {limit}" if bound else str(value)


def _listed(clauses: tuple[str, ...]) -> str:
    return ", ".join(clauses) or "no clause"


def _clause_span(clauses: tuple[str, ...], ruled: AuditedRules) -> Span:
    return next((ruled.rules.game.clauses[id_].span for id_ in clauses if id_ in ruled.rules.game.clauses), NOWHERE)


def _rule_span(clauses: tuple[str, ...], ruled: AuditedRules) -> Span:
    known = of_clauses(clauses, ruled)
    return known[0].span if known else _clause_span(clauses, ruled)


def _finding(
    code: str,
    title: str,
    book: IndexedBook,
    at: Numeral,
    clauses: tuple[str, ...],
    had: str,
    rule: Span,
    ruled: AuditedRules,
) -> Finding:
    told = Diagnostic(code, title, book.span(at.start, at.end))
    read, label = bounded_text(at.value, at.bound, at.limit), f"the rule: {had}" if had else "the clause"
    return finding_of(told, clauses, (*clauses, *_around(book, at)), read, had, Label(rule, label), ruled)


def finding_of(
    told: Diagnostic,
    clauses: tuple[str, ...],
    words: tuple[str, ...],
    read: str,
    had: str,
    rule: Label,
    ruled: AuditedRules,
) -> Finding:
    """A diagnostic that can be accepted, by a digest of words of the text, of what the rules have and of their line."""
    text = ruled.line(rule.span)
    digest = hashlib.sha256("\n".join((told.code, *words, had, text)).encode()).hexdigest()[:10]
    labels = (rule,) if rule.span.line else ()
    entry = evolve(told, hint=f"{digest} accepts this, with a reason", level=WARNING, labels=labels)
    place = f"{rule.span.source}:{rule.span.line}: {text}"
    return Finding(told.code, clauses, read, had, place, digest, entry)


def _around(book: IndexedBook, at: Numeral) -> list[str]:
    """The words beside a number, so that its place survives a new layout."""
    first = bisect_left(book.words, at.start, key=lambda word: word[1])
    last = bisect_left(book.words, at.end, key=lambda word: word[1])
    before = [word for word, _, _ in book.words[max(0, first - _CONTEXT) : first]]
    after = [word for word, _, _ in book.words[last : last + _CONTEXT]]
    return [*before, at.text.lower(), *after]


# ---------------------------------------------------------------- not, may, must


def _modality_findings(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> Iterator[Finding]:
    """What the passage says of duty and permission, against its count when it was anchored and against the rules."""
    anchor = passage.anchor
    text = book.source.text[passage.start : passage.end]
    found = modality_counts(text, language)
    at = Numeral(0, EXACT, 0, passage.quoted, passage.start, anchor.quote, "word")
    rule = _rule_span(anchor.clauses, ruled)
    for name, count in anchor.moods:
        if found[name] != count:
            title = (
                f"the passage after “{anchor.quote}” says {name} {found[name]} times, {count} when it was tied to "
                + (_listed(anchor.clauses))
            )
            made = _finding("words-changed", title, book, at, anchor.clauses, f"{name} {count}", rule, ruled)
            yield evolve(made, read=f"{name} {found[name]}")
    open_ = [id_ for id_ in anchor.clauses if id_ in ruled.may]
    if open_ and found["must"] and not found["may"]:
        title = f"the book obliges where the rules of {_listed(tuple(open_))} leave a choice"
        made = _finding("must-for-may", title, book, at, anchor.clauses, "must 0", rule, ruled)
        yield evolve(made, read=f"must {found['must']}")
