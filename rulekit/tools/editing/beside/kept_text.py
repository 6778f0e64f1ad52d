"""A text held against itself as it was kept last: which clauses changed, and an example that shows what it does."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulekit.source import Source, Span
from rulekit.tools.compare.clause_attribution import changes_behind, named_first
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.scenario_reduction import reduced
from rulekit.tools.compare.shrinking import Version
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.edits import Edit, whole
from rulekit.tools.examples.mutation_operators import rules_of
from rulekit.tools.structure.clause_relevance import nearest_clauses
from rulekit.tools.structure.structural_difference import structural_difference

_MATCHES = 200
_SEATS = 6
_SEED = "difference"
_NAME = "a difference"


def changed_clauses(before: Document, now: Document) -> Mapping[str, tuple[int, ...]]:
    """By clause the lines of the text that are not as they were; nothing where one of the two has errors."""
    games = before.loaded.game, now.loaded.game
    if games[0] is None or games[1] is None or before.source.text == now.source.text:
        return {}
    found: dict[str, set[int]] = {}
    for hunk in structural_difference(before.loaded.declarations, now.loaded.declarations):
        sites = [site.span.line for site in hunk.there if site.span.source == now.source.name]
        for clause in nearest_clauses(hunk, (games[0], games[1]), ()):
            found.setdefault(clause, set()).update(sites[:1])
    return {clause: tuple(sorted(lines)) for clause, lines in found.items()}


def may_differ(before: Document, now: Document) -> bool:
    """Whether the two can be played and their rules are not the same."""
    playable = before.loaded.game is not None and now.loaded.game is not None
    return playable and bool(structural_difference(before.loaded.declarations, now.loaded.declarations))


def difference(before: Source, now: Source, in_time: Callable[[], bool]) -> str:
    """A scenario that holds under the text as it is now and fails as it was; "" where none is found.

    in_time:  whether more matches may be played, then whether more may be left out of the scenario.
    Errors: `RulesError` where one of the two cannot be played.
    """
    a, b = (Version(rules, {}, rules.game) for rules in (rules_of(now), rules_of(before)))
    least, most = max(a.game.least, b.game.least), min(a.game.most, b.game.most, _SEATS)
    search = Search(a, b, tuple(range(least, max(least, most) + 1)), _MATCHES, _SEED)
    for _ in search.run():
        if not in_time():
            break
    if search.best is None or search.best.example is None:
        return ""
    found = reduced(a, b, search.best, in_time)
    changes = changes_behind(a, b, found, f"{_SEED}#{found.number}", lambda: False)
    clauses = named_first(changes, a.game, ()) or found.clauses[0]
    return "" if found.example is None else found.example.text(_NAME, clauses)


def at_end(source: Source, text: str) -> Edit:
    """A declaration behind all others, a blank line before it."""
    place = whole(source)
    blank = "\n" if source.text.endswith("\n") else "\n\n"
    return Edit(Span(place.source, place.end_line, place.end_column, place.end_line, place.end_column), blank + text)
