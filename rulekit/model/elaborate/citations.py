"""Traceability of rule text: which clauses there are, and which lines cite them."""

from __future__ import annotations

from collections.abc import Iterable

from rulekit.model import game as model
from rulekit.model.declare.contents import contents
from rulekit.model.declare.file_extension import Expanded
from rulekit.model.resolve.symbol_table import World
from rulekit.syntax import nodes


def clauses(world: World, text: Expanded) -> dict[str, model.Clause]:
    """All clauses by id in the order of the file; warns of ids twice, unknown citations and untied clauses."""
    found: dict[str, model.Clause] = {}
    ties = [contents(text.kept, node) for node in text.declarations]
    below = [part for part in text.tail if isinstance(part, nodes.Clause)]
    for clause in (*(clause for each in ties for clause in each.above), *below):
        if clause.id in found:
            world.problems.warn("duplicate-clause", f"the clause {clause.id} stands twice", clause.span)
        found.setdefault(clause.id, model.Clause(clause.id, clause.text, clause.needs_rule, span=clause.span))
    for cite in (*(cite for each in ties for cite in each.beside), *(cite for each in ties for cite in each.inside)):
        _check(world, cite, found)
    for each in ties:
        world.cited.update(id_ for _, ids in each.tied for id_ in ids)
    for clause in (clause for clause in below if clause.needs_rule):
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
