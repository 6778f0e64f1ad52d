"""The parts of the rules that clauses are cited by, and the changes of each.

A change belongs to the clauses of the innermost line, or part of a line, that
cites any.  Where it belongs to several, it says little about any one of them:
what tells most of a clause are the changes that it shares with fewest others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TypeVar

from attrs import evolve

from rulekit import Game
from rulekit.source import Source, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, walk
from rulekit.tools.examples.mutation_operators import Edit, edits, rules_of
from tests.soak.provenance.more_changes import CHOICE, every_variant

MOST = 60
"""So many changes of a part are tried that are shared with equally many clauses."""
_ASIDE = (nodes.Scenario, nodes.Invariant)


class Parts:
    """A game whose parts can be changed, clause by clause."""

    def __init__(self, source: Source) -> None:
        rules = rules_of(source)
        self.texts = {clause.id: clause.text for clause in rules.game.clauses.values()}
        scenarios = [each for each in rules.declarations if isinstance(each, nodes.Scenario)]
        self.clauses = [clause for clause in rules.game.clauses.values() if clause.id not in _of_examples(scenarios)]
        self._bare = rules.only(lambda each: not isinstance(each, _ASIDE))
        rest = [*self._bare.declarations, *scenarios]
        self._whole = evolve(self._bare, text=evolve(self._bare.text, declarations=rest))
        self._lines = source.text.splitlines()
        whole = self._whole.resolved(rest)
        assert whole is not None, source.name
        self.game = whole

    @cached_property
    def by_clause(self) -> dict[str, list[Edit]]:
        """The changes of the part of each clause, those first that tell most of it."""
        found: dict[str, list[Edit]] = defaultdict(list)
        for edit in edits(self._bare, every_variant):
            for clause in owners(edit):
                found[clause].append(edit)
            for clause in self._of_ways.get((edit.span.line, edit.span.column), ()):
                found[clause].append(evolve(edit, nearest=(clause,)))
        return {clause: _by_shares(all_) for clause, all_ in found.items()}

    @cached_property
    def _of_ways(self) -> dict[tuple[int, int], tuple[str, ...]]:
        """By line and column of the ways on, which stand in the table of its spaces, the clauses of a course."""
        lines = list(walk(self._bare.declarations))
        tables = {line.kind: line.rows for line in lines if isinstance(line, nodes.Deck)}
        found: dict[tuple[int, int], tuple[str, ...]] = {}
        for course in (line for line in lines if isinstance(line, nodes.Course)):
            head, *rows = (row for row in tables[course.kind] if isinstance(row, nodes.Row))
            for span in (row.cell(head.cells.index("next")) for row in rows):
                found |= {(span.line, at): cites(course) for at in range(span.column, span.end_column)}
        return found

    def changed(self, edit: Edit, *, scenarios: bool = False) -> Game | None:
        """The game after a change; None if it is no correct game any more."""
        return (self._whole if scenarios else self._bare).changed(edit)

    def line(self, span: Span) -> str:
        return self._lines[span.line - 1].strip() if 0 < span.line <= len(self._lines) else ""

    def acts_at_the_start(self, edit: Edit) -> bool:
        """Whether it is about what there is, or how it is laid out, rather than about what happens."""
        at = edit.path[0]
        assert isinstance(at, int)
        declared = self._bare.declarations[at]
        if isinstance(declared, nodes.Part):
            return declared.word == "setup"
        return not isinstance(declared, nodes.Define | nodes.Action | nodes.Change | nodes.When)


def _of_examples(scenarios: Iterable[nodes.Scenario]) -> set[str]:
    """The clauses that stand above examples and tell only of these."""
    return {line.id for each in scenarios for line in each.margin.above if isinstance(line, nodes.Clause)}


def _by_shares(found: Sequence[Edit]) -> list[Edit]:
    """Those first that are shared with fewest clauses; of many that are shared alike, as in a long table, a sample."""
    result: list[Edit] = []
    for count in sorted({len(owners(edit)) for edit in found}):
        result += spread([edit for edit in found if len(owners(edit)) == count], MOST)
    return result


Item = TypeVar("Item")


def spread(items: Sequence[Item], most: int) -> list[Item]:
    """At most so many of them, evenly from the first to the last."""
    return list(items) if len(items) <= most else [items[at * len(items) // most] for at in range(most)]


def owners(edit: Edit) -> tuple[str, ...]:
    """The clauses whose part it changes."""
    return edit.nearest


def fewest(found: Iterable[Edit], can_be_made: Callable[[Edit], bool] = lambda edit: True) -> int:
    """With how few clauses one shares a change that can be made, itself counted; those of options count if alone."""
    changes = [edit for edit in found if edit.operator != CHOICE] or list(found)
    by_share = sorted(changes, key=lambda edit: len(owners(edit)))
    return next((len(owners(edit)) for edit in by_share if can_be_made(edit)), 0)
