"""The shortest position in which a clause matters, drawn: where the shortest example that shows it begins."""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.play.state.match_state import State
from rulekit.syntax import nodes
from rulekit.syntax.traversal import all_cites, walk
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.drawing.drawing import drawing
from rulekit.tools.examples.runner import Failure, placed
from rulekit.tools.language.translation import Tongue
from rulekit.values import frozen

_WIDTH = 360
"""Pixels, so that it can be read on a telephone as well."""


@frozen
class Shown:
    """A position as a picture, and the example that begins there, "" for none.

    svg:  for a page that has `STYLE` in its style sheet.
    """

    name: str
    svg: str


def shown_position(rules: AuditedRules, clauses: Sequence[str], tongue: Tongue) -> Shown | None:
    """Where the shortest example of some clauses begins, by the first clause that has one."""
    game = rules.rules.game
    for id_ in clauses:
        names = _examples(rules, id_)
        for scenario in sorted((one for one in game.scenarios if one.name in names), key=lambda one: len(one.scenes)):
            state = placed(game, scenario)
            if not isinstance(state, Failure):
                return drawn(scenario.name, state, tongue)
    return None


def drawn(name: str, state: State, tongue: Tongue) -> Shown:
    return Shown(name, drawing(state, width=_WIDTH, tongue=tongue).inline)


def _examples(rules: AuditedRules, id_: str) -> frozenset[str]:
    """The names of those that show a clause, as a whole or in one of their lines."""
    found = [node for node in rules.declarations if isinstance(node, nodes.Scenario)]
    lines = {str(node.name): [line for line in walk(node) if isinstance(line, nodes.Line)] for node in found}
    return frozenset(name for name, inside in lines.items() if any(id_ in all_cites(line) for line in inside))
