"""Traceability of rule text: which clauses there are, and which lines cite them."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from rulekit.model import game as model
from rulekit.model.declare.file_extension import Expanded
from rulekit.model.resolve.symbol_table import World
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, walk


@frozen
class _Ties:
    """How clauses are tied in one declaration, each in the order of the text.

    above: those that stand in it; carried: what its lines carry out; beside, inside: citations of its lines, and of
    parts of lines.
    """

    above: tuple[nodes.Clause, ...]
    carried: tuple[str, ...]
    beside: tuple[nodes.Citation, ...]
    inside: tuple[nodes.Citation, ...]


def clauses(world: World, text: Expanded) -> dict[str, model.Clause]:
    """All clauses by id in the order of the file; warns of ids twice, unknown citations and untied clauses."""
    found: dict[str, model.Clause] = {}
    ties = [_ties(text, node) for node in text.declarations]
    below = [part for part in text.tail if isinstance(part, nodes.Clause)]
    for clause in (*(clause for each in ties for clause in each.above), *below):
        if clause.id in found:
            world.problems.warn("duplicate-clause", f"the clause {clause.id} stands twice", clause.span)
        found.setdefault(clause.id, model.Clause(clause.id, clause.text, clause.needs_rule, span=clause.span))
    for cite in (*(cite for each in ties for cite in each.beside), *(cite for each in ties for cite in each.inside)):
        _check(world, cite, found)
    for each in ties:
        world.cited.update(each.carried, (cite.id for cite in each.inside))
    for clause in (clause for clause in below if clause.needs_rule):
        if clause.id not in world.cited:
            hint = f"cite it with @{clause.id} where it is carried out, or write `>- {clause.id} …`"
            world.problems.warn("uncited-clause", f"nothing carries out {clause.id}", clause.span, hint=hint)
    return found


def _ties(text: Expanded, node: nodes.Declaration) -> _Ties:
    """They are looked for once in each declaration, which is known by its identity."""
    known: dict[int, tuple[nodes.Declaration, _Ties]] = text.kept.setdefault("ties", {})
    if id(node) not in known:
        known[id(node)] = node, _found(node)
    return known[id(node)][1]


def _found(node: nodes.Declaration) -> _Ties:
    every = list(walk(node))
    lines = [part for part in every if isinstance(part, nodes.Line)]
    return _Ties(
        above=tuple(part for line in lines for part in line.margin.above if isinstance(part, nodes.Clause)),
        carried=tuple(dict.fromkeys(id_ for line in lines for id_ in cites(line))),
        beside=tuple(cite for line in lines for cite in line.margin.cites),
        inside=tuple(cite for part in every if isinstance(part, nodes.Cited) for cite in part.cites),
    )


def _check(world: World, cite: nodes.Citation, known: Iterable[str]) -> None:
    if cite.id not in known:
        title = f"no clause is called {cite.id}"
        world.problems.warn("unknown-clause", title, cite.span, hint=_meant(cite.id, known))


def _meant(id_: str, known: Iterable[str]) -> str:
    """Ids are too alike for the nearest one to help: only the same letters and digits in another order do."""
    alike = [other for other in known if sorted(other.upper()) == sorted(id_.upper())]
    return f"did you mean `{alike[0]}`?" if len(alike) == 1 else ""
