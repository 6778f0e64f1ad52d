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
from rulekit.syntax import nodes, traversal
from rulekit.values import evolve, frozen

_INNER = (
    nodes.Action, nodes.Part, nodes.Change, nodes.Invariant, nodes.Scenario, nodes.Show, nodes.Ruleset,
)  # fmt: skip
"""Declarations of which an example sees nothing but the names that are in `Interface.names`."""


@frozen(eq=False)
class Interface:
    """What an example may name: declarations, wherever they stand and whatever is said beside them, and names."""

    declared: tuple[nodes.Declaration, ...]
    names: tuple[Any, ...]

    def is_same(self, other: Interface) -> bool:
        return self.names == other.names and traversal.alike(self.declared, other.declared)


@frozen
class _Resolved:
    """An example, the codes that it runs, and the number of the first of these."""

    interface: Interface
    first: int
    codes: tuple[ops.Code, ...]
    example: model.Scenario

    def moved(self, by: int) -> _Resolved:
        codes, example = traversal.moved((self.codes, self.example), by)
        return evolve(self, codes=codes, example=example)


def examples(codes: Codes, flat: list[nodes.Declaration], memo: DeclarationMemo) -> Iterator[model.Scenario]:
    """The examples among some declarations, resolved; the codes that they run are added."""
    here = _interface(codes, flat)
    is_same = {id(here): True}
    for node in (one for one in flat if isinstance(one, nodes.Scenario)):
        known = _known(memo, node)
        if known is not None and known.first == codes.count and _is_same(here, known.interface, is_same):
            memo.put("example", node, evolve(known, interface=here))
            codes.take(known.codes)
            yield known.example
        else:
            yield _resolved(codes, node, here, memo)


def _is_same(here: Interface, other: Interface, known: dict[int, bool]) -> bool:
    """known: of interfaces that were compared before, since most examples have one."""
    if id(other) not in known:
        known[id(other)] = here.is_same(other)
    return known[id(other)]


def _known(memo: DeclarationMemo, node: nodes.Scenario) -> _Resolved | None:
    """What an example was in the last text, where it stands in this one."""
    found: _Resolved | None = memo.get("example", node)
    if found is None and (last := memo.moves.last(node)) is not None:
        found = memo.get("example", last[0])
        found = found and found.moved(last[1])
    return found


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
