"""Comparisons of editions, from files: the rules, and twice a catalogue, a book with its anchors, or the clauses."""

from __future__ import annotations

from rulekit import library
from rulekit.diagnostics import Diagnostic, Problems
from rulekit.source import Source
from rulekit.tools.audit.baseline import Accepted, parse_accepted, split, stale
from rulekit.tools.audit.claim_checking import audit_book
from rulekit.tools.audit.findings import AuditedRules, Finding
from rulekit.tools.audit.reports import anchors_of, book_of, rules_of
from rulekit.tools.audit.translation_check import pairs
from rulekit.tools.editions.edition import Edition, of_audit, of_rules, of_texts
from rulekit.tools.editions.edition_comparison import Comparison, compared, summary
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.language.po_files import read_po, report_faults
from rulekit.values import field, frozen


@frozen
class Named:
    """Where an edition is: a catalogue of a language, a book with its anchors, or neither for the clauses."""

    name: str
    language: str = ""
    catalogue: str = ""
    book: str = ""
    anchors: str = ""


@frozen
class EditionReport:
    """open, settled: differences that nobody has accepted, and those that somebody has; faults: of the files."""

    made: Comparison
    open: tuple[Finding, ...]
    settled: tuple[Finding, ...]
    faults: tuple[Diagnostic, ...]
    summary: Message
    rules: AuditedRules
    sources: dict[str, Source] = field(repr=False)


def of_editions(rules: str, first: Named, second: Named, accepted: str | None) -> EditionReport:
    """Two editions of a game.  Errors: `RulesError`, `Unreadable`, `Broken`."""
    sources: dict[str, Source] = {}
    problems = Problems()
    known = rules_of(rules, sources)
    one, other = _edition(first, known, sources, problems), _edition(second, known, sources, problems)
    made = compared(one, other, known)
    listed: tuple[Accepted, ...] = ()
    if accepted is not None:
        sources[accepted] = library.read(accepted)
        listed = parse_accepted(sources[accepted], problems)
    open_, settled = split(made.findings, listed)
    faults = (*problems.found, *stale(made.findings, listed))
    both, only_first, only_second = summary(made)
    said = Message("editions-sum", both=both, first=only_first, second=only_second, one=first.name, other=second.name)
    return EditionReport(made, tuple(open_), tuple(settled), faults, said, known, sources)


def _edition(named: Named, known: AuditedRules, sources: dict[str, Source], problems: Problems) -> Edition:
    if named.catalogue:
        sources[named.catalogue] = library.read_catalogue(named.catalogue)
        written = read_po(sources[named.catalogue])
        report_faults(written, named.catalogue, problems)
        found = pairs(written.entries, named.language, sources[named.catalogue])
        return of_texts(named.name, named.language, tuple(found), known)
    if not named.book:
        return of_rules(named.name, named.language, known)
    tied = anchors_of(named.anchors, known, sources, problems)
    audit = audit_book(book_of(named.book, tied.language, sources), tied, known)
    problems.found.extend(audit.faults)
    return of_audit(named.name, audit)
