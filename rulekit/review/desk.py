"""The desk: a book, its anchors and accepted findings, audited anew whenever a file changes, and what is done to them.

The files are the truth: nothing is kept here that they do not hold.  Every change is made to the text that stands in
the file at that moment, so that what somebody writes there by hand meanwhile stays.  Knows nothing of a page or HTTP.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from threading import Lock

from rulekit import library
from rulekit.diagnostics import Problems
from rulekit.errors import RulekitError
from rulekit.review.meanings import current_names, meanings
from rulekit.review.position import Shown, shown_position
from rulekit.review.witnesses import Search, Witnesses
from rulekit.review.written_files import (
    anchor_lines,
    offered,
    one_line,
    with_accepted,
    with_detail,
    with_question,
    with_tie,
    with_translation,
    without_accepted,
)
from rulekit.source import Source
from rulekit.tools.anchoring.anchor_suggestions import denials_said_otherwise, proposed_words
from rulekit.tools.audit.anchor_matching import Passage
from rulekit.tools.audit.baseline import parse_accepted
from rulekit.tools.audit.findings import Finding
from rulekit.tools.audit.page import Row, book_rows
from rulekit.tools.audit.reports import Report, of_book
from rulekit.tools.language.po_files import Broken, Translated, read_po
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.structure.line_ends import with_line_ends
from rulekit.values import define, evolve, field, frozen

QUESTIONS = ".questions"
"""How the list of questions ends, beside the anchors."""


class Refusal(RulekitError):
    """Why nothing was done, for a person."""


@frozen
class Papers:
    """The paths of what lies on the desk.  catalogue: the translation beside, "" for none."""

    rules: str
    book: str
    anchors: str
    accepted: str
    catalogue: str = ""


@frozen
class Reviewed:
    """A book as it is now.  rows: its passages in order; texts: of the files it was read from."""

    report: Report
    rows: tuple[Row, ...]
    texts: tuple[str, ...]
    offered: tuple[tuple[tuple[str, ...], bool], ...] = ()
    """By passage the clauses that were proposed for it, and whether a close look is still wanted."""

    @property
    def open(self) -> list[int]:
        """The places of the passages with something open, or that nobody has looked at, in the order of the book."""
        return [place for place, row in enumerate(self.rows) if self.is_open(place, row)]

    def is_open(self, place: int, row: Row) -> bool:
        return self.offered[place][1] or any(not settled for _, _, settled in row.findings)


@define(eq=False)
class Desk:
    """tongue: of the findings, and of the names of things."""

    papers: Papers
    tongue: Tongue = SOURCE
    _known: Reviewed | None = field(init=False, default=None)
    _lock: Lock = field(init=False, factory=Lock)
    _witnesses: Witnesses = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._witnesses = Witnesses(self.papers.rules, self.tongue)

    def now(self) -> Reviewed:
        """The book as the files have it.  Errors: `RulesError`, `Unreadable`."""
        with self._lock:
            papers = self.papers
            texts = (
                _text(papers.rules),
                _stamp(papers.book),
                *map(_text, (papers.anchors, papers.accepted)),
                _text(papers.catalogue) if papers.catalogue else "",
            )
            if self._known is None or self._known.texts != texts:
                self._known = self._audited(texts)
            return self._known

    def _audited(self, texts: tuple[str, ...]) -> Reviewed:
        report = of_book(self.papers.rules, self.papers.book, self.papers.anchors, None)
        rows = tuple(book_rows(report.audit, report, self.tongue)) if report.audit else ()
        told = tuple(offered(texts[2], one.anchor.span.line) for one in report.audit.passages) if report.audit else ()
        return Reviewed(report, rows, texts, told)

    def finding(self, digest: str) -> Finding:
        """An open finding.  Errors: `Refusal`."""
        found = next((one for one in self.now().report.open if one.digest == digest), None)
        if found is None:
            raise Refusal("this finding is not open any more")
        return found

    def accept(self, digest: str, reason: str) -> None:
        """Put a finding into the list of accepted ones.  Errors: `Refusal`; `OSError` (the file is as it was then)."""
        finding = self.finding(digest)
        if not one_line(reason):
            raise Refusal("an accepted finding needs a reason")
        self._write(self.papers.accepted, with_accepted(_text(self.papers.accepted), finding, reason))

    def reopen(self, digest: str) -> None:
        """Take a finding out of the list of accepted ones.  Errors: `Refusal`; `OSError`."""
        before = _text(self.papers.accepted)
        after = without_accepted(before, digest)
        if not digest or after == before:
            raise Refusal("this finding is not accepted any more")
        self._write(self.papers.accepted, after)

    def reasons(self) -> dict[str, str]:
        """By digest why findings were accepted."""
        listed = Source(self.papers.accepted, _text(self.papers.accepted))
        return {entry.digest: entry.reason for entry in parse_accepted(listed, Problems())}

    # ------------------------------------------------------------ a passage

    def passage(self, place: int, quote: str, version: str | None = None) -> Passage:
        """Return a passage by its place and its quote, if it is no other meanwhile.

        version: as of `passage_version`, where what is decided goes over what stands there; None to go over anything.
        Errors: `Refusal`.
        """
        audit = self.now().report.audit
        found = audit.passages[place] if audit and 0 <= place < len(audit.passages) else None
        if found is None or found.anchor.quote != quote:
            raise Refusal("the anchors have changed meanwhile: look at the passage again")
        if version not in (None, self.passage_version(place)):
            raise Refusal("this passage was changed meanwhile, in another page or by hand: look at it again")
        return found

    def passage_version(self, place: int) -> str:
        """Return a digest of what the anchors say of a passage; "" if there is no such passage."""
        now = self.now()
        if now.report.audit is None or not 0 <= place < len(now.report.audit.passages):
            return ""
        line = now.report.audit.passages[place].anchor.span.line
        return sha256(anchor_lines(now.texts[2], line).encode()).hexdigest()[:16]

    def position(self, place: int) -> Shown | None:
        """The shortest position of an example in which the clauses of a passage matter; None where none shows them."""
        now = self.now()
        ids = tuple(id_ for id_, _ in now.rows[place].clauses) if now.rows else ()
        return shown_position(now.report.rules, ids, self.tongue)

    def search(self, place: int) -> Search | None:
        """The search for a position of the first clause that is not given up, where no example shows one."""
        now = self.now()
        ids = tuple(id_ for id_, _ in now.rows[place].clauses) if now.rows else ()
        found = None
        for id_ in ids:
            found = self._witnesses.of(now.texts[0], id_)
            if found.shown is not None or not found.is_done:
                break
        return found

    def close(self) -> None:
        self._witnesses.close()

    def tie(self, place: int, quote: str, clauses: Sequence[str], version: str | None = None) -> None:
        """Tie a passage to other clauses, or to none where it states no rule.

        version: as of `passage`.  Errors: `Refusal`; `OSError`.
        """
        passage = self.passage(place, quote, version)
        known = self.now().report.rules.rules.game.clauses
        wrong = [id_ for id_ in clauses if id_ not in known]
        if wrong:
            raise Refusal(f"the game has no clause {wrong[0]}")
        report, text = self.now().report, _text(self.papers.anchors)
        bare = evolve(passage, anchor=evolve(passage.anchor, clauses=tuple(clauses), moods=(), claims=(), denies=None))
        is_other = tuple(clauses) != passage.anchor.clauses
        words = proposed_words(report.audit.book, bare, report.audit.language, report.rules) if report.audit else ()
        line = passage.anchor.span.line
        self._write(self.papers.anchors, with_tie(text, line, clauses, tuple(words) if is_other else None))

    def mean(self, place: int, quote: str, number: int, name: str, version: str | None = None) -> None:
        """Say for which value of the rules a number of a passage stands.

        version: as of `passage`.  Errors: `Refusal`; `OSError`.
        """
        passage = self.passage(place, quote, version)
        report = self.now().report
        names = current_names(report, passage)
        if not 0 <= number < len(names):
            raise Refusal("the passage has fewer numbers now")
        if name not in {meaning.name for meaning in meanings(report, passage, number)}:
            raise Refusal("this is none of the meanings that are offered")
        names[number] = name
        text = _text(self.papers.anchors)
        self._write(self.papers.anchors, with_detail(text, passage.anchor.span.line, "reads " + ", ".join(names)))

    def say_otherwise(self, place: int, quote: str, digest: str, version: str | None = None) -> None:
        """Say that a negation of one side is on the other in other words.

        version: as of `passage`.  Errors: `Refusal`; `OSError`.
        """
        passage, finding = self.passage(place, quote, version), self.finding(digest)
        report = self.now().report
        line = (
            denials_said_otherwise(report.audit.book, passage, report.audit.language, report.rules, finding)
            if report.audit
            else None
        )
        if line is None:
            raise Refusal("this finding is about no negation: accept it with a reason")
        self._write(self.papers.anchors, with_detail(_text(self.papers.anchors), passage.anchor.span.line, line))

    def ask(self, place: int, quote: str, question: str) -> None:
        """Put a question to the publisher into the list.  Errors: `Refusal`; `OSError`."""
        passage = self.passage(place, quote)
        if not one_line(question):
            raise Refusal("a question needs words")
        path = self.questions_path
        self._write(path, with_question(_text(path), passage.anchor.quote, passage.anchor.clauses, question))

    @property
    def questions_path(self) -> str:
        return self.papers.anchors.removesuffix(".anchors") + QUESTIONS

    def questions(self) -> list[str]:
        """The questions so far, a line each."""
        return [line for line in _text(self.questions_path).split("\n") if line.strip()]

    # ------------------------------------------------------------ the translation

    def translated(self, clauses: Sequence[str]) -> list[Translated]:
        """The entries of some clauses in the catalogue beside; those in several lines of plural forms are left out."""
        if not self.papers.catalogue:
            return []
        try:
            found = read_po(library.read_catalogue(self.papers.catalogue)).entries
        except Broken:
            return []
        return [entry for entry in found if entry.id in clauses and not entry.plural]

    def translate(self, clause: str, before: str, words: str) -> None:
        """Put another translation of a clause into the catalogue.  Errors: `Refusal`; `OSError`."""
        entry = next(iter(self.translated([clause])), None)
        if entry is None or entry.forms[0] != before:
            raise Refusal("the catalogue has changed meanwhile: look at the clause again")
        if not one_line(words):
            raise Refusal("a translation needs words")
        text = library.read_catalogue(self.papers.catalogue)
        if not text.line(entry.msgstr_line).startswith("msgstr"):
            raise Refusal("this entry of the catalogue is laid out in an unusual way: edit it there")
        self._write(self.papers.catalogue, with_translation(text.text, entry.msgstr_line, one_line(words)))

    def _write(self, path: str, text: str) -> None:
        file_text = library.read_unchanged(path) if library.is_there(path) else ""
        library.replace(path, with_line_ends(text, file_text).encode("utf-8"))


def _stamp(path: str) -> str:
    """What tells a version of the book from others, whatever kind of file it is."""
    return sha256(library.read_document(path)).hexdigest()


def _text(path: str) -> str:
    """What stands in a file; "" where there is none yet."""
    try:
        return library.read(path).text
    except library.Unreadable as fault:
        if fault.finding.code != "no-such-file":
            raise
        return ""
