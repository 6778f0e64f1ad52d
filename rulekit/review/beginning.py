"""The first anchors of a book that nobody has tied yet: proposed, to be looked through at the desk."""

from __future__ import annotations

from rulekit.source import Source
from rulekit.tools.anchoring.proposals import first_file, proposals
from rulekit.tools.anchoring.wording import wording
from rulekit.tools.audit.reports import book_of, rules_of
from rulekit.tools.language.translation import SOURCE


def first_anchors(rules: str, book: str, language: str) -> str:
    """What `rulekit text anchor` writes for a book in a language.  Errors: `RulesError`, `Unreadable`."""
    sources: dict[str, Source] = {}
    known = rules_of(rules, sources)
    text = book_of(book, language, sources)
    made = proposals(text, language, known, wording(rules, language, known))
    return first_file(made, text, language, known, SOURCE)
