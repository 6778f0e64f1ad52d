"""Put faults that somebody wrote into rulebooks, one at a time: does the audit find them?

`python -m tests.audit.planted_faults LIST FOLDER` reads a list of faults and the books `NAME.it.md` of a folder that
have rules in `games/` and anchors in `games/text/`.  Each line of the list is a fault; `#` begins a remark:

    book | old words | new words | kind | note
    foxy | a faccia in giù. Posizionate | a faccia in su. Posizionate | contrary | the deck is hidden

book:       the name of the game.
old words:  as they stand in the book, mark-up and all; line breaks and spaces count alike.  They must stand there
            exactly once, so take in words beside them, which the new words then repeat.
new words:  what stands there instead; empty to take the old ones out.
kind, note: anything; figures are told by kind.

`--check` only says whether each line can be applied: the book is there, and the old words stand in it exactly once.

Each fault is put into the book alone and audited with the anchors that ship.  Quotes that the fault runs through are
quoted anew, those of negations too unless the negation itself is changed, so that a broken quote does not count.  A
fault is found if a finding at its passage, beyond those of the unchanged book, names what was read, what the rules
have, and the line of the rule; another count of words does not count.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import takewhile
from pathlib import Path

from attrs import evolve, frozen

from rulekit.diagnostics import Problems
from rulekit.source import Source
from rulekit.tools.audit.anchor_matching import IndexedBook, Passage, indexed, places
from rulekit.tools.audit.anchors import QUOTE_WORDS, Anchor, Anchors, Denial
from rulekit.tools.audit.claim_checking import Audit, audit_book
from rulekit.tools.audit.findings import AuditedRules, Finding
from rulekit.tools.audit.modality_checking import book_denials, matched_denials
from rulekit.tools.audit.reports import anchors_of, book_of, rules_of
from tests.paths import GAMES

_COLUMNS = 5
_COUNTED = "words-changed"
"""The finding of another count of words."""


@frozen
class Fault:
    """One line of a list, with its number."""

    line: int
    book: str
    old: str
    new: str
    kind: str
    note: str


@frozen
class Book:
    """A book as it is, its rules and anchors, and what the audit says of it."""

    clean: Audit
    anchors: Anchors
    rules: AuditedRules


class BadFault(ValueError):
    """A line that cannot be read or applied; the text says why."""


def faults_of(text: str) -> list[Fault]:
    """The faults of a list; raises `BadFault`."""
    made = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            parts = [part.strip() for part in line.split("|")]
            if len(parts) != _COLUMNS or not parts[0] or not parts[1]:
                raise BadFault(f"line {number}: write `book | old words | new words | kind | note`")
            made.append(Fault(number, *parts))
    return made


def book_named(name: str, folder: Path) -> Book:
    sources: dict[str, Source] = {}
    path = folder / f"{name}.it.md"
    tied = GAMES / "text" / f"{name}.it.anchors"
    if not path.is_file() or not tied.is_file():
        raise BadFault(f"there is no book `{name}`, or it is not tied")
    rules = rules_of(str(GAMES / f"{name}.rules"), sources)
    anchors = anchors_of(str(tied), rules, sources, Problems())
    return Book(audit_book(book_of(str(path), anchors.language, sources), anchors, rules), anchors, rules)


# ---------------------------------------------------------------- the change


@frozen
class Change:
    """Other letters for a stretch of the book, as short as the fault allows."""

    start: int
    end: int
    other: str

    def moved(self, place: int) -> int:
        """Where a place of the old text is in the new one; inside the change, at its nearer end."""
        if place <= self.start:
            return place
        return place + len(self.other) - (self.end - self.start) if place >= self.end else self.start

    def touches(self, start: int, end: int) -> bool:
        """Whether it runs through some letters, or takes away or adds beside one of them."""
        return self.start < end and max(self.end, self.start + 1) > start


def change_of(fault: Fault, text: str) -> Change:
    """What a fault changes; raises `BadFault`."""
    words = fault.old.split()
    found = list(re.finditer(r"\s+".join(map(re.escape, words)), text))
    if len(found) != 1:
        raise BadFault(f"line {fault.line}: “{fault.old}” stands {len(found)} times in {fault.book}")
    old, new = [match.group() for match in re.finditer(r"\S+", found[0].group())], fault.new.split()
    if old == new:
        raise BadFault(f"line {fault.line}: the new words are the old ones")
    before = _shared(old, new)
    behind = _shared(old[before:][::-1], new[before:][::-1])
    edges = [(match.start(), match.end()) for match in re.finditer(r"\S+", found[0].group())]
    lost, put = edges[before : len(edges) - behind], " ".join(new[before : len(new) - behind])
    if lost:
        return Change(found[0].start() + lost[0][0], found[0].start() + lost[-1][1], put)
    if before:
        at = found[0].start() + edges[before - 1][1]
        return Change(at, at, f" {put}")
    return Change(found[0].start(), found[0].start(), f"{put} ")


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    return len(list(takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))))


# ---------------------------------------------------------------- quotes taken anew


def retied(book: Book, change: Change, now: IndexedBook) -> Anchors:
    """The anchors with the quotes that a change runs through as they read now; a passage that is gone has none."""
    made = []
    by_anchor = {passage.anchor: passage for passage in book.clean.passages}
    for anchor in book.anchors.anchors:
        passage = by_anchor.get(anchor)
        if passage is not None and change.start <= passage.quoted and passage.end <= change.end:
            continue
        made.append(anchor if passage is None else _anew(book, passage, change, now))
    return evolve(book.anchors, anchors=tuple(made))


def _anew(book: Book, passage: Passage, change: Change, now: IndexedBook) -> Anchor:
    anchor = passage.anchor
    if change.touches(passage.quoted, passage.start) or not _is_placed(anchor, now):
        anchor = _quoted(anchor, change.moved(passage.quoted), now)
    if anchor.to and (change.touches(passage.end, passage.end + 1) or not places(now, anchor.to)):
        anchor = evolve(anchor, to=_unique(now, change.moved(passage.end)))
    if anchor.denies and change.touches(passage.quoted, passage.end):
        anchor = evolve(anchor, denies=tuple(_denials(book, passage, change, now)))
    return anchor


def _is_placed(anchor: Anchor, now: IndexedBook) -> bool:
    found = places(now, anchor.quote)
    return len(found) == 1 if not anchor.after else bool(found and places(now, anchor.after))


def _quoted(anchor: Anchor, at: int, now: IndexedBook) -> Anchor:
    """The same passage by the words that stand there now; where they stand elsewhere too, after words before them."""
    quote = _unique(now, at)
    if len(places(now, quote)) == 1:
        return evolve(anchor, quote=quote, after="")
    before = [place for place in range(len(now.words)) if now.words[place][1] < at]
    tried = (_words(now, now.words[place][1], QUOTE_WORDS) for place in reversed(before))
    after = next((words for words in tried if len(places(now, words)) == 1), "")
    return evolve(anchor, quote=quote, after=after)


def _unique(now: IndexedBook, at: int) -> str:
    """The fewest words at a place that stand nowhere else, or the most that a quote may have."""
    tried = [_words(now, at, size) for size in range(1, QUOTE_WORDS + 1)]
    return next((words for words in tried if len(places(now, words)) == 1), tried[-1])


def _words(now: IndexedBook, at: int, size: int) -> str:
    return " ".join(now.words_from(at, size))


def _denials(book: Book, passage: Passage, change: Change, now: IndexedBook) -> Iterator[Denial]:
    """Negations in the words that stand behind them now, but for one that is changed itself."""
    entries = passage.anchor.denies or ()
    found = book_denials(book.clean.book, passage, book.anchors.language)
    at = {entry: word for entry, word in matched_denials([e for e in entries if e.words], found) if entry and word}
    for entry in entries:
        word = at.get(entry)
        if word is None or change.touches(word.start, word.end):
            yield entry
        else:
            yield evolve(entry, words=tuple(now.words_from(change.moved(word.start), len(entry.words))))


# ---------------------------------------------------------------- outcomes


def found(fault: Fault, book: Book) -> list[Finding]:
    """The findings at the passage of a fault beyond those of the unchanged book; raises `BadFault`."""
    change = change_of(fault, book.clean.book.source.text)
    text = book.clean.book.source.text
    now = indexed(Source(book.clean.book.source.name, text[: change.start] + change.other + text[change.end :]))
    audit = audit_book(now, retied(book, change, now), book.rules)
    known = Counter(map(_key, book.clean.findings))
    last = change.start + len(change.other)
    here = [passage for passage in audit.passages if passage.quoted <= last and change.start <= passage.end]
    fresh = []
    for finding in audit.findings:
        known[_key(finding)] -= 1
        if known[_key(finding)] < 0 and _says_all(finding) and any(_is_in(finding, one, now) for one in here):
            fresh.append(finding)
    return fresh


def _key(finding: Finding) -> tuple[str, ...]:
    """What a finding says, whatever words stand beside it."""
    return (finding.code, finding.read, finding.had, finding.rule, *finding.clauses)


def _says_all(finding: Finding) -> bool:
    is_line = re.search(r":\d+: \S", finding.rule)
    return bool(finding.read and finding.had and is_line and finding.code != _COUNTED)


def _is_in(finding: Finding, passage: Passage, now: IndexedBook) -> bool:
    outer, span = now.span(passage.quoted, passage.end), finding.diagnostic.span
    return (outer.line, outer.column) <= (span.line, span.column) < (outer.end_line, outer.end_column)


def main() -> None:
    asked = argparse.ArgumentParser(description="Count how many planted faults the audit finds.")
    asked.add_argument("list", type=Path)
    asked.add_argument("folder", type=Path)
    asked.add_argument("--check", action="store_true", help="only say whether each fault can be applied")
    said = asked.parse_args()
    wanted = faults_of(said.list.read_text(encoding="utf-8"))
    books: dict[str, Book] = {}
    total: Counter[tuple[str, bool]] = Counter()
    faulty = 0
    for fault in wanted:
        try:
            if fault.book not in books:
                books[fault.book] = book_named(fault.book, said.folder)
            change_of(fault, books[fault.book].clean.book.source.text)
        except BadFault as problem:
            faulty += 1
            print(f"cannot be applied: {problem}")
            continue
        if not said.check:
            total.update(_told(fault, found(fault, books[fault.book])))
    for kind in sorted({kind for kind, _ in total}):
        print(f"{kind}: {total[kind, True]} of {total[kind, True] + total[kind, False]} found")
    print(f"{len(wanted)} faults, {faulty} cannot be applied")
    sys.exit(bool(faulty))


def _told(fault: Fault, findings: list[Finding]) -> list[tuple[str, bool]]:
    mark = f"found {findings[0].code}: {findings[0].diagnostic.title}" if findings else "missed"
    print(f"{fault.line}: {fault.kind}, {fault.book}: {fault.old} → {fault.new}: {mark}")
    return [(fault.kind, bool(findings)), ("total", bool(findings))]


if __name__ == "__main__":
    main()
