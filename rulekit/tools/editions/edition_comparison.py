"""Comparison of two editions: numbers, words for not, may and must, and what only one of them says.

Statements that are about the same clauses are held against each other, also where one edition says in one passage what
the other says in three.  Numbers tied to the same value of the rules belong together; then those that are equal; then
those that are left, in their order.  Neither edition counts as the right one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Any

from rulekit.diagnostics import Label
from rulekit.source import Span
from rulekit.tools.audit.findings import AuditedRules, Finding, bounded, finding_of, joined, listed, rule_span
from rulekit.tools.audit.numeral_parsing import modality_counts
from rulekit.tools.editions.edition import Edition, Reading, Statement
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.values import field, frozen

_MODALITIES = {"not": "audit-negation", "may": "audit-permission", "must": "audit-duty"}
_CODES = {"not": "edition-not", "may": "edition-may", "must": "edition-must"}


@frozen
class Opposed:
    """What both editions say about some clauses, and what they say otherwise."""

    clauses: tuple[str, ...]
    first: tuple[Statement, ...] = field(repr=False)
    second: tuple[Statement, ...] = field(repr=False)
    findings: tuple[Finding, ...] = ()


@frozen
class Comparison:
    first: Edition
    second: Edition
    opposed: tuple[Opposed, ...]

    @property
    def findings(self) -> tuple[Finding, ...]:
        return tuple(finding for one in self.opposed for finding in one.findings)


def compared(first: Edition, second: Edition, ruled: AuditedRules) -> Comparison:
    """Everything in which two editions of a game differ, in the order of the first."""
    made = []
    for clauses, ours, theirs in _groups(first, second):
        sides = (_Side(first, ours), _Side(second, theirs))
        made.append(Opposed(clauses, ours, theirs, tuple(_differences(clauses, *sides, ruled))))
    return Comparison(first, second, tuple(made))


@frozen
class _Side:
    """One edition's part of what is opposed."""

    edition: Edition
    statements: tuple[Statement, ...]

    @property
    def readings(self) -> list[Reading]:
        return [reading for statement in self.statements for reading in statement.readings]

    @property
    def text(self) -> str:
        return " ".join(" ".join(statement.text.split()) for statement in self.statements)

    def numbers(self) -> Text:
        return joined((_told(reading) for reading in self.readings), "audit-no-number")

    def says(self, kind: str) -> int:
        return sum(modality_counts(one.text, self.edition.language)[kind] for one in self.statements)


def _groups(
    first: Edition, second: Edition
) -> Iterator[tuple[tuple[str, ...], tuple[Statement, ...], tuple[Statement, ...]]]:
    """Statements joined wherever two share a clause (connected components), in the order of the first edition."""
    group = {id_: {id_} for each in (first, second) for one in each.statements for id_ in one.clauses}
    for statement in (*first.statements, *second.statements):
        whole = set().union(*(group[id_] for id_ in statement.clauses))
        group.update(dict.fromkeys(whole, whole))
    for clauses in {id(ids): tuple(ids) for ids in group.values()}.values():
        sides = [tuple(one for one in each.statements if one.clauses[0] in clauses) for each in (first, second)]
        order = dict.fromkeys(id_ for side in sides for one in side for id_ in one.clauses)
        yield tuple(order), sides[0], sides[1]


# ---------------------------------------------------------------- differences


def _differences(clauses: tuple[str, ...], one: _Side, other: _Side, ruled: AuditedRules) -> Iterator[Finding]:
    if not one.statements or not other.statements:
        yield _only(clauses, one if one.statements else other, other if one.statements else one, ruled)
        return
    for ours, theirs in _paired(one.readings, other.readings):
        if ours is not None and theirs is not None:
            yield _number(clauses, one, other, ours, theirs, ruled)
        elif ours is not None:
            yield _lacking(clauses, one, other, ours, ruled)
        elif theirs is not None:
            yield _lacking(clauses, other, one, theirs, ruled)
    for kind, told in _MODALITIES.items():
        if bool(one.says(kind)) != bool(other.says(kind)):
            yield _words(clauses, *((one, other) if one.says(kind) else (other, one)), kind, Message(told), ruled)


def _paired(ours: list[Reading], theirs: list[Reading]) -> Iterator[tuple[Reading | None, Reading | None]]:
    """The numbers that have no equal on the other side; those left over on both stand beside each other."""
    left, others = list(ours), list(theirs)
    for belongs in (_is_same_value, _is_equal):
        for reading in list(left):
            twin = next((each for each in others if belongs(reading, each)), None)
            if twin is not None:
                left.remove(reading)
                others.remove(twin)
                if not _is_equal(reading, twin):
                    yield reading, twin
    # 1 is an article too often to be missed; where it stands against another number it counts.
    # What one side only repeats, the other does not lack.
    short, long = sorted((left, others), key=len)
    opposite = ours if long is others else theirs
    idle = [each for each in long if each.numeral.value == 1 or any(_is_equal(each, other) for other in opposite)][
        : len(long) - len(short)
    ]
    yield from zip_longest(*([each for each in side if each not in idle] for side in (left, others)))


def _is_same_value(one: Reading, other: Reading) -> bool:
    """Whether both are tied to one place of the rules."""
    return one.value is not None and other.value is not None and one.value.name == other.value.name


def _is_equal(one: Reading, other: Reading) -> bool:
    """A comparison that only one of both says is left to its words."""
    bounds = {one.numeral.bound, other.numeral.bound} - {""}
    if len(bounds) == 2 or (len(bounds) == 1 and one.numeral.bound == other.numeral.bound):
        return (one.numeral.bound, abs(one.numeral.limit)) == (other.numeral.bound, abs(other.numeral.limit))
    figures = [{abs(each.numeral.value), abs(each.numeral.limit)} for each in (one, other)]
    return bool(figures[0] & figures[1])


# ---------------------------------------------------------------- in words


def _number(
    clauses: tuple[str, ...], one: _Side, other: _Side, ours: Reading, theirs: Reading, ruled: AuditedRules
) -> Finding:
    both: dict[str, Any] = {"first": one.edition.name, "second": other.edition.name, "clauses": listed(clauses)}
    said = Message("editions-number", read=_told(ours), had=_told(theirs), **both)
    return _finding("edition-number", said, clauses, one, other, ours, str(_told(theirs)), ruled)


def _lacking(clauses: tuple[str, ...], one: _Side, other: _Side, ours: Reading, ruled: AuditedRules) -> Finding:
    both: dict[str, Any] = {"first": one.edition.name, "second": other.edition.name, "clauses": listed(clauses)}
    said = Message("editions-lacks", read=_told(ours), had=other.numbers(), **both)
    return _finding("edition-lacks", said, clauses, one, other, ours, str(other.numbers()), ruled)


def _words(
    clauses: tuple[str, ...], one: _Side, other: _Side, kind: str, what: Message, ruled: AuditedRules
) -> Finding:
    both: dict[str, Any] = {"first": one.edition.name, "second": other.edition.name, "clauses": listed(clauses)}
    said = Message("editions-words", what=what, **both)
    return _finding(_CODES[kind], said, clauses, one, other, None, f"{kind} 0", ruled)


def _only(clauses: tuple[str, ...], one: _Side, other: _Side, ruled: AuditedRules) -> Finding:
    said = Message("editions-only", first=one.edition.name, second=other.edition.name, clauses=listed(clauses))
    return _finding("edition-only", said, clauses, one, other, None, "", ruled)


def _finding(
    code: str,
    said: Message,
    clauses: tuple[str, ...],
    one: _Side,
    other: _Side,
    at: Reading | None,
    had: str,
    ruled: AuditedRules,
) -> Finding:
    span = at.place if at is not None else one.statements[0].place
    value = at.value.span if at is not None and at.value is not None else rule_span(clauses, ruled)
    read = str(_told(at)) if at is not None else ""
    note = f"{_place(other.statements[0].place)}: {other.text}" if other.statements else ""
    words = (one.edition.language, one.text, other.edition.language, other.text, read)
    return finding_of(code, said, span, clauses, words, read, had, Label(value, "the rule"), ruled, note=note)


def _place(span: Span) -> str:
    return f"{span.source}:{span.line}"


def _told(reading: Reading) -> Text:
    return bounded(reading.numeral.value, reading.numeral.bound, reading.numeral.limit)


def summary(made: Comparison) -> Sequence[int]:
    """How many clauses both have, and how many only the first and only the second."""
    sizes = [0, 0, 0]
    for one in made.opposed:
        sizes[0 if one.first and one.second else 1 if one.first else 2] += len(one.clauses)
    return sizes
