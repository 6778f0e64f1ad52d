"""Reports of audits, from files: rules, book and anchors or a catalogue in, findings out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from rulekit import library
from rulekit.diagnostics import Diagnostic, Problems
from rulekit.loading import RulesError, examine_text
from rulekit.source import Source, Span
from rulekit.tools.audit.anchor_matching import IndexedBook, indexed
from rulekit.tools.audit.anchors import Anchors, parse_anchors
from rulekit.tools.audit.baseline import parse_accepted, split, stale
from rulekit.tools.audit.claim_checking import Audit, audit_book
from rulekit.tools.audit.clause_numbers import Named, counts, own_clauses, parse_reads, ties
from rulekit.tools.audit.findings import AuditedRules, Finding, permitting
from rulekit.tools.audit.translation_check import Pair, compare, pairs
from rulekit.tools.audit.value_names import Rules
from rulekit.tools.claims.clause_claims import SOURCE
from rulekit.tools.claims.rule_claims import rule_claims
from rulekit.tools.constants.constant_extraction import constants, rule_denials
from rulekit.tools.documents.reading import read_manuscript
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.tools.language.po_files import Broken, Translated, read_po, report_faults
from rulekit.values import evolve, field, frozen


@frozen
class Report:
    """What an audit came to, in full.

    open, settled:  findings that nobody has accepted, and those that somebody has.
    faults:         about anchors, catalogue and list of accepted findings.
    audit, pairs:   what was compared: a book, or texts with their translations.
    named:          by clause what its own numbers are called.
    """

    open: tuple[Finding, ...]
    settled: tuple[Finding, ...]
    faults: tuple[Diagnostic, ...]
    summary: Text
    rules: AuditedRules
    audit: Audit | None = None
    pairs: tuple[Pair, ...] = ()
    sources: dict[str, Source] = field(factory=dict, repr=False)
    named: Mapping[str, Named] = field(factory=dict, repr=False)


def rules_of(path: str, sources: dict[str, Source]) -> AuditedRules:
    """The rules of a file; raises `RulesError` or `Unreadable`."""
    source = library.read(path)
    loaded = examine_text(source)
    sources.update(loaded.sources)
    if loaded.game is None:
        raise RulesError(loaded.findings, loaded.sources)
    lines = list(loaded.declarations)
    texts = {name: text.text.split("\n") for name, text in loaded.sources.items()}
    known = Rules(loaded.game, constants(lines))
    translated = cache(partial(_translated, path))
    claims = rule_claims(lines)
    return AuditedRules(known, texts, permitting(lines), loaded.declarations, rule_denials(lines), claims, translated)


def _translated(path: str, language: str) -> tuple[Translated, ...]:
    """The catalogue of a game in a language; for its own language any, which has its words as well."""
    other = next(iter(library.languages()), "") if language == SOURCE else language
    found = library.catalogue(path, other)
    try:
        return () if found is None else read_po(library.read_catalogue(found)).entries
    except (Broken, library.Unreadable):
        return ()


def book_of(path: str, language: str, sources: dict[str, Source]) -> IndexedBook:
    """The book in a file: text, Markdown, Word or PDF; raises `Unreadable`, and `NoPackage` for the last two."""
    read = read_manuscript(path)
    sources[path] = read.source
    return indexed(read.source, language, read.doubts)


def anchors_of(path: str, rules: AuditedRules, sources: dict[str, Source], problems: Problems) -> Anchors:
    """The anchors of a file; clauses that the game does not have are reported."""
    sources[path] = library.read(path)
    found = parse_anchors(sources[path], problems)
    for anchor in found.anchors:
        for id_ in anchor.clauses:
            if id_ not in rules.rules.game.clauses:
                problems.add("anchor-clause", f"the game has no clause {id_}", anchor.span)
    return found


# ---------------------------------------------------------------- three audits


def of_book(rules: str, book: str, anchors: str, accepted: str | None) -> Report:
    """One book against one game."""
    sources: dict[str, Source] = {}
    problems = Problems()
    known = rules_of(rules, sources)
    tied = anchors_of(anchors, known, sources, problems)
    text = book_of(book, tied.language, sources)
    audit = audit_book(text, tied, known) if tied.language else Audit(text, "", (), (), ())
    faults = [*problems.found, *audit.faults]
    inside = sum(reading.passage is not None for reading in audit.readings)
    numbers, within = Message("audit-numbers", len(audit.readings)), Message("audit-passages", len(audit.passages))
    summary = Message("audit-sum-book", numbers=numbers, inside=inside, passages=within)
    beside = str(anchors).removesuffix(".anchors") + ".accepted"
    made = _report(audit.findings, faults, summary, known, accepted, beside, sources, audit)
    return evolve(made, named=names_of(rules, known, {}, Problems()))


def of_catalogue(
    rules: str, catalogue: str, language: str, accepted: str | None, known: AuditedRules | None = None
) -> Report:
    """One translation against the clauses and names of its game, which may be read already."""
    sources: dict[str, Source] = {}
    known = known or rules_of(rules, sources)
    sources[catalogue] = library.read_catalogue(catalogue)
    try:
        written = read_po(sources[catalogue])
    except Broken as fault:
        place = Span(catalogue, fault.line, 1, fault.line, 2)
        return Report(
            (), (), (Diagnostic("broken-catalogue", f"no PO file: {fault}", place),), "", known, sources=sources
        )
    problems = Problems()
    report_faults(written, catalogue, problems)
    found = pairs(written.entries, language, sources[catalogue])
    clauses, names = known.rules.game.clauses, names_of(rules, known, sources, Problems())
    findings: list[Finding] = []
    for pair in found:
        clause = clauses.get(pair.id)
        own = ties(clause, known, names.get(pair.id), Problems()) if clause and clause.text == pair.text else ()
        findings += compare(pair, known, own)
    summary = Message("audit-sum-texts", len(found))
    return _report(
        findings, problems.found, summary, known, accepted, f"{catalogue}.accepted", sources, None, tuple(found)
    )


def of_clauses(rules: str, accepted: str | None, known: AuditedRules | None = None) -> Report:
    """The clauses of a rules file against its rules, which may be read already."""
    sources: dict[str, Source] = {}
    known = known or rules_of(rules, sources)
    problems = Problems()
    names = names_of(rules, known, sources, problems)
    findings = list(own_clauses(known, names, problems))
    total = counts(known, names)
    numbers = Message("audit-numbers", total.total())
    texts = Message("audit-clauses", len(known.rules.game.clauses))
    summary = Message("audit-sum-clauses", clauses=texts, numbers=numbers, marked=total["marked"])
    return _report(findings, problems.found, summary, known, accepted, _beside(rules, "accepted"), sources)


def _beside(rules: str, ending: str) -> str:
    """The file of a game beside its catalogues."""
    folder, slash, name = str(rules).removesuffix(".rules").rpartition("/")
    return f"{folder}{slash}text/{name}.{ending}"


def names_of(rules: str, known: AuditedRules, sources: dict[str, Source], problems: Problems) -> dict[str, Named]:
    """By clause the values named for its numbers, beside a game and those that it extends; a game needs none."""
    found: dict[str, Named] = {}
    for path in dict.fromkeys((*known.texts, str(rules))):
        named = _beside(path, "reads")
        try:
            sources[named] = library.read(named)
        except library.Unreadable as fault:
            if fault.finding.code != "no-such-file":
                raise
            continue
        # What an extension leaves out of a game is no fault of the names that the game has.
        found |= parse_reads(sources[named], known, problems if path == str(rules) else Problems())
    return found


def _report(
    findings: Sequence[Finding],
    faults: list[Diagnostic],
    summary: Text,
    known: AuditedRules,
    accepted: str | None,
    beside: str,
    sources: dict[str, Source],
    audit: Audit | None = None,
    compared: tuple[Pair, ...] = (),
) -> Report:
    """The findings parted by the list of accepted ones: that beside the file may be missing, a named one may not."""
    problems, listed = Problems(), accepted or beside
    try:
        sources[listed] = library.read(listed)
    except library.Unreadable as fault:
        if accepted or fault.finding.code != "no-such-file":
            raise
        sources[listed] = Source(listed, "")
    known_ones = parse_accepted(sources[listed], problems)
    open_, settled = split(findings, known_ones)
    told = (*faults, *problems.found, *stale(findings, known_ones))
    return Report(tuple(open_), tuple(settled), told, summary, known, audit, compared, sources)
