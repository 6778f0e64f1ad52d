"""Clauses that say a number which the rules no longer have, since it was changed there and not in their words.

Numbers of clauses are tied to numbers of their own lines, as the audit of a game's own texts does it.  A clause is out
of date where one of its numbers was that of its lines when the rules were opened, is not any more, and its words are
as they were.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rulekit.diagnostics import Problems
from rulekit.model.game import Clause, Game
from rulekit.syntax import nodes
from rulekit.tools.audit.clause_numbers import is_told, ties
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.audit.value_names import Rules
from rulekit.tools.constants.constant_extraction import constants
from rulekit.tools.language.translation import Tongue
from rulekit.values import evolve, frozen


@frozen
class Said:
    """A number of a clause.  has: what its lines have for it, "" if nothing; is_so: whether that is the same."""

    number: str
    has: str
    is_so: bool


Numbers = Mapping[tuple[str, str], tuple[Said, ...]]
"""By id and words of a clause what its numbers say."""


@frozen
class Outdated:
    """clause, text: id and words; said: the number that stands there, as it is written; has: that of the rules."""

    clause: str
    text: str
    said: str
    has: str


def numbers(game: Game, declarations: Sequence[nodes.Declaration]) -> Numbers:
    """The numbers of all clauses of a game."""
    ruled = AuditedRules(Rules(game, constants(list(declarations))), {})
    return {(one.id, one.text): tuple(_said(one, ruled)) for one in game.clauses.values()}


def _said(clause: Clause, ruled: AuditedRules) -> Iterator[Said]:
    for tie in ties(clause, ruled, None, Problems()):
        value = tie.value
        yield Said(
            tie.numeral.text,
            "" if value is None else str(value.value),
            value is not None and is_told(tie.numeral, value),
        )


def outdated(opened: Numbers, now: Numbers) -> tuple[Outdated, ...]:
    """What was so when the rules were opened, and is not any more."""
    return tuple(
        Outdated(*key, after.number, after.has)
        for key, said in now.items()
        for before, after in zip(opened.get(key, ()), said, strict=False)
        if before.is_so and after.has and not after.is_so
    )


def marked(tongue: Tongue, found: Sequence[Outdated]) -> Tongue:
    """The words of a game, in which it stands behind a clause that it is out of date."""
    notes = {
        (one.clause, one.text): tongue.say("clause-outdated", said=one.said, has=one.has) for one in reversed(found)
    }
    return evolve(tongue, notes=notes) if notes else tongue
