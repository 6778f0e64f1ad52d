"""An edition of a game: what a catalogue, a published book or the rules themselves say about each clause.

An edition is parted into statements, each with the clauses that it is about and the numbers that it reads.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.source import Span
from rulekit.tools.audit.claim_checking import Audit
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.audit.numeral_parsing import Numeral, numerals
from rulekit.tools.audit.translation_check import Pair
from rulekit.tools.audit.value_names import Value
from rulekit.values import field, frozen


@frozen
class Reading:
    """A number of a statement, where it stands, and the value of the rules to which somebody has tied it."""

    numeral: Numeral
    place: Span
    value: Value | None = None


@frozen
class Statement:
    """What an edition says about some clauses."""

    clauses: tuple[str, ...]
    text: str = field(repr=False)
    place: Span
    readings: tuple[Reading, ...] = ()


@frozen
class Edition:
    """name: what it is called in findings; statements: in their order, all about clauses that the game has."""

    name: str
    language: str
    statements: tuple[Statement, ...] = field(repr=False)


def of_texts(name: str, language: str, found: tuple[Pair, ...], ruled: AuditedRules) -> Edition:
    """A translation, by the clauses among its entries."""
    known = ruled.rules.game.clauses
    made = (_stated((pair.id,), pair.other, language, pair.place) for pair in found if pair.id in known)
    return Edition(name, language, tuple(made))


def of_rules(name: str, language: str, ruled: AuditedRules) -> Edition:
    """The clauses as the rules have them."""
    clauses = ruled.rules.game.clauses.values()
    return Edition(name, language, tuple(_stated((one.id,), one.text, language, one.span) for one in clauses))


def _stated(clauses: tuple[str, ...], text: str, language: str, place: Span) -> Statement:
    return Statement(clauses, text, place, tuple(Reading(one, place) for one in numerals(text, language)))


def of_audit(name: str, audit: Audit) -> Edition:
    """A book, by its passages that are tied to clauses."""
    return Edition(name, audit.language, tuple(_passages(audit)))


def _passages(audit: Audit) -> Iterator[Statement]:
    text = audit.book.source.text
    for passage in audit.passages:
        if passage.anchor.clauses:
            inside = [reading for reading in audit.readings if reading.passage == passage]
            read = (Reading(r.numeral, audit.book.span(r.numeral.start, r.numeral.end), r.value) for r in inside)
            place = audit.book.span(passage.quoted, passage.end)
            yield Statement(passage.anchor.clauses, text[passage.quoted : passage.end], place, tuple(read))
