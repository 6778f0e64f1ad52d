"""Suggested lines of anchors: likely value names, what a passage permits, obliges to and denies, and what is left.

What is proposed is for a person to look through; nothing here decides anything.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rulekit.tools.audit.anchor_matching import IndexedBook, Passage
from rulekit.tools.audit.anchors import Denial
from rulekit.tools.audit.claim_checking import Audit, agrees, leaves_bound
from rulekit.tools.audit.findings import AuditedRules, Finding, of_clauses
from rulekit.tools.audit.modality_checking import MARKS, book_denials, clause_denials, matched_denials
from rulekit.tools.audit.numeral_parsing import Numeral, modality_counts
from rulekit.tools.audit.passage_claims import proposed_claims
from rulekit.tools.audit.value_names import NoValue, Rules, value_of
from rulekit.tools.constants.constant_values import Constant
from rulekit.tools.language.translation import Tongue

_PLAIN = re.compile(r"[\w\[\]]+")
_UNKNOWN = "???"
_COUNTED = ("may", "must")
_LEAST = 0.15
"""How alike a sentence and a clause must be to be tied at all."""
_SHOWN, _AROUND = 90, 30
"""How much of the book is shown beside a proposal and beside a number."""
_SENTENCE = re.compile(r"(?<=[.!?:])\s+|\n\s*\n|\n(?=\s*[-*#>\d])")


def proposed_reads(passage: Passage, inside: Sequence[Numeral], ruled: AuditedRules) -> list[str]:
    """For each number the name of a value that has it: of several the next in the order of the rules, else `???`."""
    known = of_clauses(passage.anchor.clauses, ruled)
    names: list[str] = []
    last = -1
    for numeral in inside:
        # What leaves a bound unsaid is named with it all the same, so that the audit asks for it at once.
        fits = [i for i, c in enumerate(known) if agrees(numeral, c) or leaves_bound(numeral, c)]
        later = [i for i in fits if i > last]
        chosen = (later or fits or [-1])[0]
        names.append(_named(numeral, known[chosen], ruled.rules) if chosen >= 0 else _UNKNOWN)
        last = chosen if chosen >= 0 else last
    return names


def _named(numeral: Numeral, constant: Constant, rules: Rules) -> str:
    """The name of a value for a number; of one end of a range, which a text leaves unsaid, the number alone."""
    name = name_of(constant, rules)
    is_end = bool(constant.end) and not constant.bound and leaves_bound(numeral, constant)
    return f"just {name}" if is_end and name != _UNKNOWN and not agrees(numeral, constant) else name


def name_of(constant: Constant, rules: Rules) -> str:
    """The shortest name that means this constant and no other value."""
    for group in (*reversed(constant.homes), *(f"@{id_}" for id_ in constant.clauses)):
        word = group if group.startswith("@") or _PLAIN.fullmatch(group) else f'"{group}"'
        for name in _names(word, constant):
            if _means(name, constant, rules):
                return name
    return _UNKNOWN


def _names(group: str, constant: Constant) -> Iterator[str]:
    label = f"{group}:{constant.label}" if constant.label and not set(constant.label) & set("#,") else group
    yield label
    yield from (f"{label}#{nth}" for nth in range(1, 40))


def _means(name: str, constant: Constant, rules: Rules) -> bool:
    """Whether a name means this constant; without a number it may stand for several that all have this value."""
    try:
        found = value_of(name, rules)
    except NoValue:
        return False
    # A name without a number may stand for several that all have this value.
    is_same = "#" not in name and (found.value, found.bound) == (constant.value, constant.bound)
    return found.span == constant.span or is_same


def proposed_denials(
    book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules
) -> tuple[tuple[Denial, ...], bool]:
    """The negations of a passage, each with its clause, and whether the anchor lacks one.

    What the anchor names is kept; else it is a clause that denies more often than was said so far, or `???`.
    """
    anchor = passage.anchor
    named = [entry for entry in anchor.denies or () if entry.words]
    bare = [entry for entry in anchor.denies or () if not entry.words]
    told = Counter(entry.clause for entry in anchor.denies or ())
    made = []
    for entry, word in matched_denials(named, book_denials(book, passage, language)):
        if word is not None and entry is None:
            free = [id_ for id_ in anchor.clauses if told[id_] < len(clause_denials(id_, ruled))]
            made.append(Denial(word.words, (free or [_UNKNOWN])[0]))
            told[made[-1].clause] += 1
        elif word is not None and entry is not None:
            made.append(entry)
    found = (*made, *bare)
    return found, found != (anchor.denies or ())


def proposed_words(book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules) -> Iterator[str]:
    """The lines `says`, `claims` and `denies` that a passage lacks, or has other than it should."""
    if not passage.anchor.clauses:
        return
    counts = modality_counts(book.source.text[passage.start : passage.end], language)
    anchored = dict(passage.anchor.moods)
    if any(counts[name] != anchored.get(name, 0) for name in _COUNTED):
        yield "says " + ", ".join(f"{name} {counts[name]}" for name in _COUNTED)
    claims = proposed_claims(book, passage, language, ruled)
    if claims != passage.anchor.claims:
        yield "claims " + ", ".join(claims)
    denies, is_other = proposed_denials(book, passage, language, ruled)
    if is_other:
        yield "denies " + (", ".join(_entry(entry) for entry in denies))


def denials_said_otherwise(
    book: IndexedBook, passage: Passage, language: str, ruled: AuditedRules, finding: Finding
) -> str | None:
    """The line `denies` that settles a finding: one side says a negation in other words; None for other findings."""
    anchor = passage.anchor
    bare = [entry for entry in anchor.denies or () if not entry.words]
    if finding.code == "denial-untold":
        (id_,) = finding.clauses
        told = sum(entry.clause == id_ for entry in anchor.denies or ())
        bare += [Denial((), id_)] * (len(clause_denials(id_, ruled)) - told)
    elif finding.code != "denial-unexpected":
        return None
    made = []
    named = [entry for entry in anchor.denies or () if entry.words]
    for entry, word in matched_denials(named, book_denials(book, passage, language)):
        is_meant = word is not None and book.span(word.start, word.end) == finding.diagnostic.span
        if is_meant and word is not None:
            made.append(Denial(word.words, "?"))
        elif entry is not None:
            made.append(entry)
    return "denies " + ", ".join(_entry(entry) for entry in (*made, *bare))


def _entry(entry: Denial) -> str:
    clause = entry.clause if entry.clause in (*MARKS, _UNKNOWN) else f"@{entry.clause}"
    return f'"{" ".join(entry.words)}" {clause}' if entry.words else clause


# ---------------------------------------------------------------- what is left to do


def unnamed(audit: Audit, ruled: AuditedRules, tongue: Tongue) -> list[str]:
    """For each passage the lines that it lacks: likely names of values, what it permits, obliges to and denies."""
    found = []
    for passage in audit.passages:
        inside = [reading.numeral for reading in audit.readings if reading.passage == passage]
        names = passage.anchor.reads
        lines = list(proposed_words(audit.book, passage, audit.language, ruled))
        if inside and passage.anchor.clauses and (names is None or len(names) != len(inside)):
            lines.append("reads " + ", ".join(proposed_reads(passage, inside, ruled)))
        if lines:
            read = " ".join(numeral.text for numeral in inside) or "…"
            said = tongue.say(
                "anchor-followed", line=passage.anchor.span.line, quote=passage.anchor.quote, numbers=read
            )
            found.append("\n    ".join([said, *lines]))
    return found


def untied(audit: Audit, tongue: Tongue) -> list[str]:
    """The numbers of a book that no anchor covers: those in no passage, or in a quote."""
    text = audit.book.source.text
    found = []
    for numeral in (reading.numeral for reading in audit.readings if reading.passage is None):
        place = audit.book.span(numeral.start, numeral.end)
        around = " ".join(text[max(0, numeral.start - _AROUND) : numeral.end + _AROUND].split())
        found.append(tongue.say("anchor-untied", place=place, number=numeral.text, around=f"…{around}…"))
    return found
