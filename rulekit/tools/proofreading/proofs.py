"""Proofreading of a rulebook: what can be checked of a book, as findings with places and hints.

Changes nothing, and prints nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.diagnostics import Problems
from rulekit.tools.proofreading import contents, order, wording
from rulekit.tools.proofreading.proof import Proof

__all__ = ["Proof", "proofread"]

_CHECKS: tuple[Callable[[Proof, Problems], None], ...] = (
    order.every_part,
    order.every_clause,
    order.told_before_used,
    contents.counts,
    contents.set_up,
    contents.options,
    contents.ties,
    contents.examples,
    wording.one_word,
    wording.kept_terms,
    wording.kept_forms,
    wording.articles,
    wording.short_sentences,
    wording.one_page,
)


def proofread(proof: Proof, problems: Problems) -> None:
    """Add what an editor would mark in a book."""
    for check in _CHECKS:
        check(proof, problems)
