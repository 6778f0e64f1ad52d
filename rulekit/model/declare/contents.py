"""What stands in each declaration: its nodes, and how clauses are tied there; looked for once in each (memoization)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulekit.syntax import nodes
from rulekit.syntax.parse import Blocks, Moves
from rulekit.syntax.traversal import cites, moved, walk
from rulekit.values import define, field, frozen


@define(eq=False)
class DeclarationMemo:
    """A memo table by identity: what stages work out of declarations.

    It holds on to them, so that no other can come to have their identity.
    moves:  which of them are others that stood elsewhere.
    """

    moves: Moves = field(factory=Moves, repr=False)
    _found: dict[tuple[str, int], tuple[nodes.Declaration, Any]] = field(factory=dict, init=False, repr=False)

    def get(self, what: str, node: nodes.Declaration) -> Any:
        """What is known of a declaration; None if nothing is."""
        return self._found.get((what, id(node)), (node, None))[1]

    def put(self, what: str, node: nodes.Declaration, found: object) -> None:
        self._found[what, id(node)] = node, found

    def retain(self, declarations: Iterable[nodes.Declaration]) -> None:
        """Forget all but what is known of these."""
        kept = {id(node) for node in declarations}
        self._found = {key: found for key, found in self._found.items() if key[1] in kept}


@define(eq=False)
class Known:
    """What is kept of texts that are read again after an edit."""

    blocks: Blocks = field(factory=Blocks)
    memo: DeclarationMemo = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.memo = DeclarationMemo(self.blocks.moves)

    def apart(self) -> Known:
        """The same for who compares other texts with these, as of `Blocks.apart`."""
        made = Known(self.blocks.apart())
        made.memo = self.memo
        return made

    def forget(self) -> None:
        """Keep what the last texts held, and nothing older."""
        self.blocks.forget()
        self.memo.retain(self.blocks.declarations())


@frozen
class Contents:
    """What stands in one declaration, in the order of the text.

    every:  all its nodes; of an example that was moved the parts as they stood before, since nothing is told of them.
    tied:   the lines and parts of lines that carry out clauses, with their ids; the same of examples.
    above:  the clauses that stand in it; beside, inside: citations of its lines, and of parts of lines.
    """

    every: tuple[nodes.Node, ...]
    tied: tuple[tuple[nodes.Node, tuple[str, ...]], ...]
    above: tuple[nodes.Clause, ...]
    beside: tuple[nodes.Citation, ...]
    inside: tuple[nodes.Citation, ...]


def contents(memo: DeclarationMemo, node: nodes.Declaration) -> Contents:
    """What stands in a declaration."""
    known: Contents | None = memo.get("contents", node)
    if known is None:
        known = _kept(memo, node) or _found(node)
        memo.put("contents", node, known)
    return known


def _kept(memo: DeclarationMemo, node: nodes.Declaration) -> Contents | None:
    """Of an example that has been moved: what is known of it, without a look at its parts."""
    if not isinstance(node, nodes.Scenario) or (last := memo.moves.last(node)) is None:
        return None
    before, by = last
    known: Contents | None = memo.get("contents", before)
    if known is None:
        return None
    above, beside, inside = moved((known.above, known.beside, known.inside), by)
    return Contents((node, *known.every[1:]), known.tied, above, beside, inside)


def _found(node: nodes.Declaration) -> Contents:
    every = tuple(walk(node))
    marked = [part for part in every if isinstance(part, nodes.Line | nodes.Cited)]
    lines = [part for part in marked if isinstance(part, nodes.Line)]
    return Contents(
        every=every,
        tied=tuple((part, ids) for part in marked if (ids := _tied(part))),
        above=tuple(part for line in lines for part in line.margin.above if isinstance(part, nodes.Clause)),
        beside=tuple(cite for line in lines for cite in line.margin.cites),
        inside=tuple(cite for part in marked if isinstance(part, nodes.Cited) for cite in part.cites),
    )


def _tied(node: nodes.Line | nodes.Cited) -> tuple[str, ...]:
    return cites(node) if isinstance(node, nodes.Line) else tuple(cite.id for cite in node.cites)
