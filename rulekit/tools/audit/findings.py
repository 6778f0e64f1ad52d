"""Findings of an audit: what a text says, what the rules have instead, and where; and the rules as an audit needs them.

A finding can be accepted by its digest, which changes when the words around it
or the line of the rule change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

from rulekit.diagnostics import WARNING, Diagnostic, Label
from rulekit.source import NOWHERE, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import all_cites, walk
from rulekit.tools.audit.value_names import Rules
from rulekit.tools.claims.claim_values import RuleClaim
from rulekit.tools.claims.clause_claims import SOURCE, ClauseClaims, clause_claims
from rulekit.tools.claims.kept_senses import KeptSenses, Told, kept_senses
from rulekit.tools.constants.constant_values import AT_LEAST, AT_MOST, Constant, RuleDenial
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.tools.language.po_files import Translated
from rulekit.values import field, frozen

_BOUNDS = {AT_MOST: "audit-at-most", AT_LEAST: "audit-at-least"}


@frozen
class Finding:
    """One disagreement.

    read:    the number as the book has it; had: the values of the rules, as text.
    digest:  changes when the words around the number or the rule change, not when the text is wrapped anew.
    said:    what the diagnostic says, for other languages.
    """

    code: str
    clauses: tuple[str, ...]
    read: str
    had: str
    rule: str
    digest: str
    diagnostic: Diagnostic
    said: Message


@frozen
class AuditedRules:
    """The rules as the audit needs them: values, lines by file, clauses that permit, syntax, what lines deny
    and claim."""

    rules: Rules
    texts: dict[str, list[str]] = field(repr=False)
    may: frozenset[str] = frozenset()
    declarations: tuple[nodes.Declaration, ...] = field(default=(), repr=False)
    denials: tuple[RuleDenial, ...] = field(default=(), repr=False)
    claims: tuple[RuleClaim, ...] = field(default=(), repr=False)
    translated: Callable[[str], tuple[Translated, ...]] = field(default=lambda language: (), eq=False, repr=False)
    """The game's catalogue in a language, empty where there is none."""
    told: dict[str, ClauseClaims] = field(factory=dict, eq=False, repr=False)
    """By language what clauses claim: what was put together already."""
    kept: dict[str, KeptSenses] = field(factory=dict, eq=False, repr=False)
    """By language what translations keep of that, as far as somebody has asked."""

    def claimed(self, language: str) -> ClauseClaims:
        """What the clauses claim beside numbers, in the words of a language."""
        if language not in self.told:
            entries = self.translated(language)
            self.told[language] = clause_claims(self.claims, self.rules.game.clauses, entries, language)
        return self.told[language]

    def keeps(self, language: str) -> KeptSenses:
        """What the game's catalogue in a language keeps of what the clauses claim."""
        if language not in self.kept:
            ours, theirs, clauses = self.claimed(SOURCE), self.claimed(language), self.rules.game.clauses
            texts = [(clauses[one.id].text, one.forms[0]) for one in self.translated(language) if one.id in clauses]
            self.kept[language] = kept_senses([Told(ours.words(text), theirs.words(other)) for text, other in texts])
        return self.kept[language]

    def line(self, span: Span) -> str:
        lines = self.texts.get(span.source, [])
        return lines[span.line - 1].strip() if 0 < span.line <= len(lines) else ""


def permitting(declarations: list[nodes.Declaration]) -> frozenset[str]:
    """The clauses whose lines leave a choice open: `may choose`."""
    chosen = [node for node in walk(tuple(declarations)) if isinstance(node, nodes.Choose) and node.manner == "may"]
    return frozenset(id_ for node in chosen for id_ in all_cites(node))


def of_clauses(clauses: tuple[str, ...], ruled: AuditedRules) -> list[Constant]:
    """The numbers that the default readings use in the lines of some clauses, not in examples if there are others."""
    found = [c for c in ruled.rules.constants if not (c.unless or c.is_word) and set(clauses) & set(c.clauses)]
    return [c for c in found if not c.is_example] or found


def bounded(value: int, bound: str, limit: int) -> Text:
    """A number with its bound: `at most 0`."""
    return Message(_BOUNDS[bound], limit=limit) if bound else str(value)


def joined(parts: Iterable[Text], nothing: str) -> Text:
    """`a, b, c`, each once; without any the phrase for that."""
    first, *rest = {str(part): part for part in parts}.values() or (Message(nothing),)
    for part in rest:
        first = Message("comma", words=first, next=part)
    return first


def listed(clauses: tuple[str, ...]) -> Text:
    return joined(clauses, "audit-no-clause")


def clause_span(clauses: tuple[str, ...], ruled: AuditedRules) -> Span:
    return next((ruled.rules.game.clauses[id_].span for id_ in clauses if id_ in ruled.rules.game.clauses), NOWHERE)


def rule_span(clauses: tuple[str, ...], ruled: AuditedRules) -> Span:
    known = of_clauses(clauses, ruled)
    return known[0].span if known else clause_span(clauses, ruled)


def rule_line(id_: str, ruled: AuditedRules) -> Span:
    """A line that carries out a clause, else the clause itself."""
    tied = [constant for constant in ruled.rules.constants if id_ in constant.clauses]
    first = min(tied, key=lambda constant: constant.is_word, default=ruled.rules.game.clauses.get(id_))
    return first.span if first else NOWHERE


def finding_of(
    code: str,
    said: Message,
    at: Span,
    clauses: tuple[str, ...],
    words: tuple[str, ...],
    read: str,
    had: str,
    rule: Label,
    ruled: AuditedRules,
    note: str = "",
) -> Finding:
    """A diagnostic that can be accepted, by a digest of words of the text, of what the rules have and of their line."""
    text = ruled.line(rule.span)
    digest = hashlib.sha256("\n".join((code, *words, had, text)).encode()).hexdigest()[:10]
    labels = (rule,) if rule.span.line else ()
    hint = f"{digest} accepts this, with a reason"
    entry = Diagnostic(code, str(said), at, note=note, hint=hint, level=WARNING, labels=labels)
    place = f"{rule.span.source}:{rule.span.line}: {text}"
    return Finding(code, clauses, read, had, place, digest, entry, said)
