"""The meanings of a number: the values that the rules of its clauses hold, each as a sentence with its value.

Nobody who looks through a book writes the name of a value: it is chosen from here.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.tools.anchoring.anchor_suggestions import name_of, proposed_reads
from rulekit.tools.audit.anchor_matching import Passage
from rulekit.tools.audit.claim_checking import NO_NUMBER, NO_RULE, NumberCheck, agrees
from rulekit.tools.audit.findings import bounded, of_clauses
from rulekit.tools.audit.numeral_parsing import Numeral
from rulekit.tools.audit.reports import Report
from rulekit.tools.audit.value_names import NoValue, as_value, value_of
from rulekit.tools.constants.constant_values import Constant
from rulekit.values import frozen

_UNKNOWN = "???"
_MARKS = {"-": "it states no rule", "?": "the rules do it without a number"}


@frozen
class Meaning:
    """name: as anchors write it; said: for a person; fits: whether the rules have the number that the book reads."""

    name: str
    said: str
    fits: bool = False


def readings(report: Report, passage: Passage) -> list[NumberCheck]:
    """The numbers of a passage, in order."""
    return [one for one in report.audit.readings if one.passage == passage] if report.audit else []


def current_names(report: Report, passage: Passage) -> list[str]:
    """For each number of a passage the name that stands behind it; `???` where none does."""
    inside = readings(report, passage)
    if passage.anchor.reads is None:
        return proposed_reads(passage, [one.numeral for one in inside], report.rules)
    marks = {NO_RULE: "-", NO_NUMBER: "?"}
    return [one.value.name if one.value else marks.get(one.verdict, _UNKNOWN) for one in inside]


def meanings(report: Report, passage: Passage, number: int) -> list[Meaning]:
    """What a number of a passage may stand for, the likely ones first; that which it stands for now is among them."""
    numeral = readings(report, passage)[number].numeral
    made: dict[str, Meaning] = {}
    for constant in of_clauses(passage.anchor.clauses, report.rules):
        name = name_of(constant, report.rules.rules)
        if name != _UNKNOWN:
            made.setdefault(name, Meaning(name, _said(constant, report), agrees(numeral, constant)))
    for meaning in _of_texts(report, passage, numeral):
        made.setdefault(meaning.name, meaning)
    now = current_names(report, passage)[number]
    if now != _UNKNOWN and now not in (*made, *_MARKS):
        value = readings(report, passage)[number].value
        told = f": {bounded(value.value, value.bound, value.limit)}" if value else ""
        made[now] = Meaning(now, f"as it is now ({now}){told}", True)
    found = sorted(made.values(), key=lambda meaning: not meaning.fits)
    return [*found, *(Meaning(name, said) for name, said in _MARKS.items())]


def _of_texts(report: Report, passage: Passage, numeral: Numeral) -> Iterator[Meaning]:
    """What the numbers of the clauses' own texts stand for, as far as it is named beside the game: sums, counts."""
    for id_ in passage.anchor.clauses:
        for name in report.named[id_].names if id_ in report.named else ():
            try:
                value = value_of(name, report.rules.rules)
            except NoValue:
                continue
            told = bounded(value.value, value.bound or value.end, value.limit)
            yield Meaning(name, f"{told}, as {id_} itself says ({name})", agrees(numeral, value))


def _said(constant: Constant, report: Report) -> str:
    """`the steps of climb: 1 - line 29: if steps is 1`."""
    value = as_value("", constant)
    home = _plain(constant.homes[-1]) if constant.homes else ""
    label = _plain(constant.label)
    named = f"{label} of {home}" if label and home and label != home else label or home or "a number"
    line = report.rules.line(constant.span).split("  @")[0].strip()
    return f"{named}: {bounded(value.value, value.bound, value.limit)} (line {constant.span.line}: {line})"


def _plain(name: str) -> str:
    return name.replace("_", " ")
