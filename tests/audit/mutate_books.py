"""Change one number of a rulebook at a time: does the audit see it?

Mutation testing of the audit.  `python -m tests.audit.mutate_books DIR` goes through all `NAME.LANG.md` of a folder
that have rules in `games/` and anchors in `games/text/` (or in another folder like it, as
second argument).  A change counts as seen only if a new finding at its place names the number read, what the rules
have instead, and the line of the rule.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

from rulekit.diagnostics import Problems
from rulekit.source import Source, Span
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.audit.anchors import Anchors
from rulekit.tools.audit.baseline import parse_accepted, split
from rulekit.tools.audit.claim_checking import NO_RULE, Audit, NumberCheck, audit_book
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.audit.reports import anchors_of, book_of, rules_of
from tests.audit import mutate_words
from tests.paths import GAMES

RINGS = (
    "due tre quattro cinque sei sette otto nove dieci",
    "secondo terzo quarto quinto",
    "seconda terza quarta quinta",
    "two three four five six seven eight nine ten",
    "second third fourth fifth",
    "ventotto ventinove trenta",
    "trentesima trentunesima",
    "zwei drei vier fünf sechs sieben acht neun zehn",
)
TURNED = {
    "può": "deve",
    "possono": "devono",
    "deve": "può",
    "devono": "possono",
    "non": "poi",
    "may": "must",
    "must": "may",
    "darf": "muss",
    "muss": "darf",
}
"""Permissions and duties turned into each other, and a negation taken away."""
SAID = ("words-changed", "denial-missing", "denial-unexpected", "denial-untold")
SINGLE = {
    **dict.fromkeys(("un", "uno", "una"), "due"),
    "zero": "tre",
    "primo": "secondo",
    "prima": "seconda",
    "primi": "secondi",
    "prime": "seconde",
    **dict.fromkeys(("doppio", "raddoppio"), "triplo"),
    "doppia": "tripla",
    **dict.fromkeys(("entrambi", "entrambe"), "tutti e tre"),
    "one": "two",
    "both": "all three",
    "twice": "thrice",
    "double": "triple",
    "first": "second",
}


@frozen
class Outcome:
    """What became of a book.

    numbers, stating:  all that were read, and those that state a rule.
    tied, seen:        of these the ones in passages, outside quotes; and the changes that were seen.
    words, turned:     how many words for not, may and must were changed, and how often that was seen.
    kinds:             by kind of number or change how many were tried and how many flagged.
    missed:            changes of words that were not flagged, though the rules say something of them.
    apart:             those that were not flagged because the rules do not: why, and what they say.
    """

    name: str
    numbers: int
    stating: int
    tied: int
    seen: int
    words: int
    turned: int
    alarms: tuple[str, ...]
    unseen: tuple[str, ...]
    untied: tuple[str, ...]
    kinds: tuple[tuple[str, int, int], ...] = ()
    missed: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


def changed(text: str, turn: int) -> str:
    """Another number in the same writing: digits one up or down, words the next."""
    if text.isdigit():
        return str(int(text) + (1 if turn % 2 or text == "0" else -1))
    low = text.lower()
    for ring in RINGS:
        words = ring.split()
        if low in words:
            return _as(words[(words.index(low) + 1) % len(words)], text)
    return _as(SINGLE.get(low, low), text)


def _as(word: str, model: str) -> str:
    return word.upper() if model.isupper() and len(model) > 1 else word.capitalize() if model[0].isupper() else word


def mutate(name: str, book: Path, rules: Path, anchors: Path, *, with_words: bool = False) -> Outcome:
    """What becomes of every number of a book; with its words, of every change of a negation, comparison or sign."""
    sources: dict[str, Source] = {}
    problems = Problems()
    known = rules_of(str(rules), sources)
    tied = anchors_of(str(anchors), known, sources, problems)
    clean = audit_book(book_of(str(book), tied.language, sources), tied, known)
    accepted = anchors.with_suffix(".accepted")
    listed = Source(str(accepted), accepted.read_text(encoding="utf-8") if accepted.is_file() else "")
    open_, _ = split(clean.findings, parse_accepted(listed, problems))
    stating = [reading for reading in clean.readings if reading.verdict != NO_RULE]
    unseen = [r for turn, r in enumerate(stating) if not seen(clean, r, turn, tied, known)]
    words = list(mutate_words.tried(clean, tied, known)) if with_words else []
    return Outcome(
        name,
        len(clean.readings),
        len(stating),
        sum(reading.passage is not None for reading in stating),
        len(stating) - len(unseen),
        *turned(clean, tied, known),
        tuple(finding.diagnostic.title for finding in open_),
        tuple(shown(clean, reading) for reading in unseen),
        tuple(shown(clean, reading) for reading in stating if reading.passage is None),
        (*_by_kind(stating, unseen), *_by_change(words)),
        tuple(_told(clean, entry) for entry in words if not entry.is_flagged and not entry.change.apart),
        tuple(_apart(clean, entry, known) for entry in words if not entry.is_flagged and entry.change.apart),
    )


def _by_kind(stating: list[NumberCheck], unseen: list[NumberCheck]) -> list[tuple[str, int, int]]:
    kinds = {"numeral": stating, "ordinal": [r for r in stating if r.numeral.kind == "ordinal"]}
    return [(name, len(found), sum(r not in unseen for r in found)) for name, found in kinds.items()]


def _by_change(words: list[mutate_words.Tried]) -> list[tuple[str, int, int]]:
    keys = sorted({(entry.change.kind, entry.is_before) for entry in words})
    made = []
    for kind, is_before in keys:
        found = [entry for entry in words if (entry.change.kind, entry.is_before) == (kind, is_before)]
        name = f"{kind}, before it was tied" if is_before else kind
        made.append((name, len(found), sum(entry.is_flagged for entry in found)))
        if is_before and kind == mutate_words.DROPPED:
            made += _by_reason(name, found)
    return made


def _by_reason(name: str, found: list[mutate_words.Tried]) -> Iterator[tuple[str, int, int]]:
    """Those for which the rules deny, and why the others cannot be compared."""
    for apart in ("", *mutate_words.APART.values()):
        some = [entry for entry in found if entry.change.apart == apart]
        yield f"{name}: {apart or 'the rules deny'}", len(some), sum(entry.is_flagged for entry in some)


def _apart(clean: Audit, entry: mutate_words.Tried, known: AuditedRules) -> str:
    clauses = known.rules.game.clauses
    said = "; ".join(f"{id_} {clauses[id_].text}" for id_ in entry.change.clauses)
    return f"{_told(clean, entry)}: {entry.change.apart}: {said}"


def _told(clean: Audit, entry: mutate_words.Tried) -> str:
    text, change = clean.book.source.text, entry.change
    around = f"{text[max(0, change.start - 30) : change.start]}[{text[change.start : change.end]}→{change.other}]"
    words = " ".join((around + text[change.end : change.end + 30]).split())
    return f"{clean.book.span(change.start, change.end).line}: {change.kind}{' (before)' * entry.is_before}: …{words}…"


def seen(clean: Audit, reading: NumberCheck, turn: int, anchors: Anchors, rules: AuditedRules) -> bool:
    """Whether the change of one number makes a finding that says everything."""
    text, at = clean.book.source.text, reading.numeral
    other = changed(at.text, turn)
    assert other.lower() != at.text.lower(), f"no other number for {at.text!r}"
    name = clean.book.source.name
    now = audit_book(indexed(Source(name, text[: at.start] + other + text[at.end :])), anchors, rules)
    before = {finding.digest for finding in clean.findings}
    changed_at = now.book.span(at.start, at.start + len(other))
    return any(
        finding.digest not in before
        and within(finding.diagnostic.span, changed_at)
        and re.search(r"\d", finding.read)
        and finding.had
        and re.search(r":\d+: \S", finding.rule)
        for finding in now.findings
    )


def turned(clean: Audit, anchors: Anchors, rules: AuditedRules) -> tuple[int, int]:
    """How many words for not, may and must there are, and how many changes of them are seen."""
    text, before = clean.book.source.text, {finding.digest for finding in clean.findings}
    found = list(re.finditer(rf"\b({'|'.join(TURNED)})\b", text))
    noticed = 0
    for match in found:
        other = text[: match.start()] + TURNED[match[1]] + text[match.end() :]
        now = audit_book(indexed(Source(clean.book.source.name, other)), anchors, rules)
        noticed += any(f.digest not in before and f.code in SAID for f in now.findings)
    return len(found), noticed


def within(inner: Span, outer: Span) -> bool:
    first, last = (outer.line, outer.column), (outer.end_line, outer.end_column)
    return first <= (inner.line, inner.column) < last


def shown(audit: Audit, reading: NumberCheck) -> str:
    text, at = audit.book.source.text, reading.numeral
    line = audit.book.span(at.start, at.end).line
    words = text[max(0, at.start - 30) : at.start] + f"[{at.text}]" + text[at.end : at.end + 15]
    return f"{line}: …{' '.join(words.split())}…"


def main(folder: str, games: Path = GAMES) -> None:
    outcomes = []
    for book in sorted(Path(folder).glob("*.md")):
        name, language = book.name.removesuffix(".md").rsplit(".", 1)
        rules, anchors = games / f"{name}.rules", games / "text" / f"{name}.{language}.anchors"
        if rules.is_file() and anchors.is_file():
            outcomes.append(mutate(name, book, rules, anchors, with_words=True))
            tell(outcomes[-1])
    stating, found = sum(o.stating for o in outcomes), sum(o.seen for o in outcomes)
    if stating:
        print(f"all: {found} of {stating} changes seen ({found / stating:.1%})")
    for kind in sorted({kind for outcome in outcomes for kind, _, _ in outcome.kinds}):
        counts = [(tried, seen) for outcome in outcomes for name, tried, seen in outcome.kinds if name == kind]
        tried, seen = (sum(column) for column in zip(*counts, strict=True))
        print(f"all, {kind}: {seen} of {tried} ({seen / tried:.1%})" if tried else f"all, {kind}: none")


def tell(outcome: Outcome) -> None:
    share = outcome.seen / outcome.stating if outcome.stating else 0.0
    tied = outcome.tied / outcome.stating if outcome.stating else 0.0
    print(f"{outcome.name}: {outcome.numbers} numbers, {outcome.stating} state rules, {tied:.1%} of these tied")
    print(f"    {outcome.seen} changes seen ({share:.1%}), {len(outcome.alarms)} open findings on the unchanged text")
    print(f"    {outcome.turned} of {outcome.words} changes of not, may and must seen")
    for title, lines in (
        ("open", outcome.alarms),
        ("not seen", outcome.unseen),
        ("not tied", outcome.untied),
        ("missed", outcome.missed),
        ("apart", outcome.apart),
    ):
        for line in lines:
            print(f"    {title}: {line}")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]) if len(sys.argv) > 2 else GAMES)
