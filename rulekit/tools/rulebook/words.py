"""Glossary and index of a book: its terms, what they are, and where they stand."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.tools.rulebook.book import Chapter, Word
from rulekit.tools.rulebook.chapters import numbers
from rulekit.tools.rulebook.glossary import Term


def words(terms: Iterable[Term], english: Iterable[Term], found: tuple[Chapter, ...], *, law: bool) -> tuple[Word, ...]:
    """The terms in the order of their letters.

    terms:    of the language; english: those that say by which clause a term is told.
    law:      whether rules have numbers to point to, and not their sections alone.
    """
    told = {term.name: term.told for term in english}
    texts = {rule.id: rule.text for c in found for section in c.sections for rule in section.all_rules}
    said = [Word(t.words[0], texts.get(told.get(t.name, ""), ""), _where(t, found, law=law)) for t in terms]
    return tuple(sorted((word for word in said if word.where), key=lambda word: word.term.lower()))


def _where(term: Term, found: tuple[Chapter, ...], *, law: bool) -> tuple[str, ...]:
    told = numbers(found)
    places = [
        told[rule.id] if law else section.number
        for chapter in found
        for section in chapter.sections
        for rule in section.all_rules
        if not rule.again and section.number and term.is_in(rule.text)
    ]
    return tuple(dict.fromkeys(places))
