"""Traceability of rule text: which clauses there are, and which lines cite them."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.model import game as model
from rulekit.model.resolve.symbol_table import World
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, cites_inside, walk


def clauses(
    world: World, declarations: list[nodes.Declaration], tail: tuple[nodes.Clause | nodes.Comment, ...]
) -> dict[str, model.Clause]:
    """All clauses by id in the order of the file; warns of ids twice, unknown citations and untied clauses."""
    found: dict[str, model.Clause] = {}
    lines = [node for node in walk(tuple(declarations)) if isinstance(node, nodes.Line)]
    above = [clause for line in lines for clause in line.margin.above] + list(tail)
    for clause in (part for part in above if isinstance(part, nodes.Clause)):
        if clause.id in found:
            world.problems.warn("duplicate-clause", f"the clause {clause.id} stands twice", clause.span)
        found.setdefault(clause.id, model.Clause(clause.id, clause.text, clause.needs_rule, span=clause.span))
    for line in lines:
        world.cited.update(cites(line))
        for cite in line.margin.cites:
            _check(world, cite, found)
    for cite in cites_inside(tuple(declarations)):
        world.cited.add(cite.id)
        _check(world, cite, found)
    for clause in (part for part in tail if isinstance(part, nodes.Clause) and part.needs_rule):
        if clause.id not in world.cited:
            hint = f"cite it with @{clause.id} where it is carried out, or write `>- {clause.id} …`"
            world.problems.warn("uncited-clause", f"nothing carries out {clause.id}", clause.span, hint=hint)
    return found


def _check(world: World, cite: nodes.Citation, known: Iterable[str]) -> None:
    if cite.id not in known:
        title = f"no clause is called {cite.id}"
        world.problems.warn("unknown-clause", title, cite.span, hint=_meant(cite.id, known))


def _meant(id_: str, known: Iterable[str]) -> str:
    """Ids are too alike for the nearest one to help: only the same letters and digits in another order do."""
    alike = [other for other in known if sorted(other.upper()) == sorted(id_.upper())]
    return f"did you mean `{alike[0]}`?" if len(alike) == 1 else ""
