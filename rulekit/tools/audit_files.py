"""The road from files to an audit: rules, book and anchors in, findings out."""

from __future__ import annotations

from rulekit import library
from rulekit.diagnostics import Problems
from rulekit.loading import RulesError, examine_text
from rulekit.model.extend import expanded
from rulekit.source import Source
from rulekit.tools.anchors import Anchors, parse_anchors
from rulekit.tools.anchors_place import Book, opened
from rulekit.tools.anchors_values import Rules
from rulekit.tools.audit import Audit, Ruled, audit_book, permitting
from rulekit.tools.audit_constants import constants


def ruled(path: str, sources: dict[str, Source]) -> Ruled:
    """The rules of a file; raises `RulesError` or `Unreadable`."""
    source = library.read(path)
    loaded = examine_text(source)
    sources.update(loaded.sources)
    if loaded.game is None:
        raise RulesError(loaded.findings, loaded.sources)
    declarations = expanded(source, Problems(), {}).declarations
    texts = {name: text.text.split("\n") for name, text in loaded.sources.items()}
    return Ruled(Rules(loaded.game, constants(declarations)), texts, permitting(declarations))


def book_of(path: str, sources: dict[str, Source]) -> Book:
    sources[path] = library.read(path)
    return opened(sources[path])


def anchors_of(path: str, rules: Ruled, sources: dict[str, Source], problems: Problems) -> Anchors:
    """The anchors of a file; clauses that the game does not have are reported."""
    sources[path] = library.read(path)
    found = parse_anchors(sources[path], problems)
    for anchor in found.anchors:
        for id_ in anchor.clauses:
            if id_ not in rules.rules.game.clauses:
                problems.add("anchor-clause", f"the game has no clause {id_}", anchor.span)
    return found


def audited(rules: str, book: str, anchors: str, sources: dict[str, Source], problems: Problems) -> Audit:
    """One book against one game; what is wrong with the anchors goes to problems."""
    known = ruled(rules, sources)
    text = book_of(book, sources)
    tied = anchors_of(anchors, known, sources, problems)
    if not tied.language:
        return Audit(text, "", (), (), ())
    return audit_book(text, tied, known)
