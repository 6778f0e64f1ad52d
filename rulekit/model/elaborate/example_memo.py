"""Separate compilation of examples: one is resolved again only if it has changed, or something that it may name.

An example names what is declared, and of what rules do only actions, steps and ways: these are the interface of a
game.  While it is the same, an example stays what it was, whatever else the rules do.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.declare.contents import DeclarationMemo
from rulekit.model.elaborate.code_table import Codes
from rulekit.model.elaborate.scenario_resolution import scenario
from rulekit.syntax import nodes
from rulekit.values import frozen

_INNER = (
    nodes.Action, nodes.Part, nodes.Change, nodes.Invariant, nodes.Scenario, nodes.Show, nodes.Ruleset,
)  # fmt: skip
"""Declarations of which an example sees nothing but the names that are in `Interface.names`."""


@frozen(eq=False)
class Interface:
    """What an example may name: declarations, which are compared by identity, and names."""

    declared: tuple[nodes.Declaration, ...]
    names: tuple[Any, ...]

    def is_same(self, other: Interface) -> bool:
        if len(self.declared) != len(other.declared) or self.names != other.names:
            return False
        return all(one is its for one, its in zip(self.declared, other.declared, strict=True))


@frozen
class _Resolved:
    """An example, the codes that it runs, and the number of the first of these."""

    interface: Interface
    first: int
    codes: tuple[ops.Code, ...]
    example: model.Scenario


def examples(codes: Codes, flat: list[nodes.Declaration], memo: DeclarationMemo) -> Iterator[model.Scenario]:
    """The examples among some declarations, resolved; the codes that they run are added."""
    here = _interface(codes, flat)
    for node in (one for one in flat if isinstance(one, nodes.Scenario)):
        known: _Resolved | None = memo.get("example", node)
        if known is not None and known.first == codes.count and here.is_same(known.interface):
            codes.take(known.codes)
            yield known.example
        else:
            yield _resolved(codes, node, here, memo)


def _interface(codes: Codes, flat: list[nodes.Declaration]) -> Interface:
    world = codes.world
    steps = frozenset(step for steps in codes.tally.steps.values() for step in steps)
    actions = tuple((name, action.parameters) for name, action in world.actions.items())
    names = actions, tuple(world.code_ids.items()), steps, frozenset(world.ways), world.lost
    return Interface(tuple(node for node in flat if not isinstance(node, _INNER)), names)


def _resolved(codes: Codes, node: nodes.Scenario, here: Interface, memo: DeclarationMemo) -> model.Scenario:
    """Kept is only what nothing is wrong with: what was found is told in every run."""
    first, found = codes.count, len(codes.world.problems.found)
    made = scenario(codes.world, codes.tally, codes.run, node)
    if not codes.world.problems.has_errors and len(codes.world.problems.found) == found:
        run = tuple(codes.made[index] for index in range(first, codes.count))
        memo.put("example", node, _Resolved(here, first, run, made))
    return made
