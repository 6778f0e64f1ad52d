"""Control-flow structuring: a control-flow graph becomes nested blocks, loops and branches.

A code's operations are cut into blocks at every place that is jumped to.
Each block is written once, inside its immediate dominator; a place where ways
meet stands behind a `Block` that they leave by `Break` (Ramsey: Beyond
Relooper, 2022).  What lies behind a loop is put behind it, not inside.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import negation
from rulekit.compiler.plan.traversal import statements
from rulekit.values import define, evolve, field, frozen


@frozen
class Terminator:
    """Where a block goes: `tests` decide one after the other, the last target is for the rest."""

    tests: tuple[p.Expr, ...]
    targets: tuple[int, ...]


@define(eq=False)
class Flow:
    """The control-flow graph of a code; blocks are named by their first place in the text.

    content:  writes a block: its statements, and where it goes (None: nowhere).
    made:     what it wrote.  order: reverse postorder; rank: the place in it.
    dominator:  the immediate dominator of a block.
    loops:    by the head of a natural loop, all its blocks.
    written_under:  the blocks that are written inside a block or right behind it.
    """

    content: Callable[[int], tuple[list[p.Statement], Terminator | None]]
    made: dict[int, tuple[list[p.Statement], Terminator | None]] = field(factory=dict)
    order: list[int] = field(factory=list)
    rank: dict[int, int] = field(factory=dict)
    dominator: dict[int, int] = field(factory=dict)
    predecessors: dict[int, list[int]] = field(factory=dict)
    loops: dict[int, set[int]] = field(factory=dict)
    written_under: dict[int, list[int]] = field(factory=dict)


def structured(content: Callable[[int], tuple[list[p.Statement], Terminator | None]]) -> p.Body:
    """The body that does what the blocks do, beginning with block 0."""
    flow = Flow(content)
    _visit(flow)
    _dominate(flow)
    _find_loops(flow)
    _find_parents(flow)
    return tidy(tuple(_tree(flow, 0)))


def _visit(flow: Flow) -> None:
    """Write every block that can be reached; reverse postorder."""
    done: list[int] = []
    waiting: list[tuple[int, list[int]]] = []

    def enter(block: int) -> None:
        flow.made[block] = flow.content(block)
        way = flow.made[block][1]
        waiting.append((block, list(dict.fromkeys(way.targets)) if way else []))

    enter(0)
    while waiting:
        block, left = waiting[-1]
        if not left:
            done.append(waiting.pop()[0])
            continue
        target = left.pop()
        if target not in flow.made:
            enter(target)
    flow.order = done[::-1]
    flow.rank = {block: place for place, block in enumerate(flow.order)}
    for block in flow.order:
        way = flow.made[block][1]
        for target in dict.fromkeys(way.targets) if way else ():
            flow.predecessors.setdefault(target, []).append(block)


def _dominate(flow: Flow) -> None:
    """Immediate dominators (Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm, 2001)."""
    above, rank = {0: 0}, flow.rank
    changed = True
    while changed:
        changed = False
        for block in flow.order[1:]:
            new = None
            for source in flow.predecessors[block]:
                if source in above:
                    new = source if new is None else _common_dominator(above, rank, source, new)
            assert new is not None
            if above.get(block) != new:
                above[block] = new
                changed = True
    flow.dominator = above


def _common_dominator(above: dict[int, int], rank: dict[int, int], a: int, b: int) -> int:
    while a != b:
        while rank[a] > rank[b]:
            a = above[a]
        while rank[b] > rank[a]:
            b = above[b]
    return a


def _find_loops(flow: Flow) -> None:
    for block in flow.order:
        for source in flow.predecessors.get(block, ()):
            if flow.rank[source] >= flow.rank[block]:
                members = flow.loops.setdefault(block, {block})
                _gather(flow, source, members)


def _gather(flow: Flow, source: int, members: set[int]) -> None:
    waiting = [source]
    while waiting:
        one = waiting.pop()
        if one not in members:
            members.add(one)
            waiting += flow.predecessors.get(one, ())


def _find_parents(flow: Flow) -> None:
    """Under which block each is written: its dominator, or the head of the outermost loop that it leaves."""
    for block in flow.order[1:]:
        parent = flow.dominator[block]
        while (head := _left(flow, parent, block)) is not None:
            if head == parent and head in flow.loops:
                break
            parent = head
        flow.written_under.setdefault(parent, []).append(block)


def _left(flow: Flow, parent: int, block: int) -> int | None:
    """The head of the outermost loop with `parent` but not `block` in it."""
    heads = [head for head, members in flow.loops.items() if parent in members and block not in members]
    return min(heads, key=lambda head: flow.rank[head]) if heads else None


def _tree(flow: Flow, block: int) -> list[p.Statement]:
    """A block with all that is written under it."""
    children = sorted(flow.written_under.get(block, ()), key=lambda child: flow.rank[child])
    members = flow.loops.get(block)
    outside = [child for child in children if members is not None and child not in members]
    inside = [child for child in children if child not in outside and _is_met(flow, child)]
    made = _within(flow, block, inside)
    if members is not None:
        made = [p.Loop(f"l{block}", tuple(made))]
    return _nested(flow, made, outside)


def _is_met(flow: Flow, block: int) -> bool:
    """Whether it is reached from several places, so that it cannot stand where it is jumped to."""
    forward = [s for s in flow.predecessors[block] if flow.rank[s] < flow.rank[block]]
    way = flow.made[forward[0]][1]
    return len(forward) > 1 or (way is not None and way.targets.count(block) > 1)


def _nested(flow: Flow, made: list[p.Statement], behind: list[int]) -> list[p.Statement]:
    """Statements that may break to the blocks behind them, the nearest of these innermost."""
    for block in behind:
        made = [p.Block(f"b{block}", tuple(made)), *_tree(flow, block)]
    return made


def _within(flow: Flow, block: int, met: list[int]) -> list[p.Statement]:
    begun, way = flow.made[block]
    made = list(begun)
    if way is not None:
        made += _go(flow, block, way.tests, way.targets)
    return _nested(flow, made, met)


def _go(flow: Flow, block: int, tests: tuple[p.Expr, ...], targets: tuple[int, ...]) -> list[p.Statement]:
    if not tests:
        return _branch(flow, block, targets[0])
    other = _go(flow, block, tests[1:], targets[1:])
    return [p.If(tests[0], tuple(_branch(flow, block, targets[0])), tuple(other))]


def _branch(flow: Flow, source: int, target: int) -> list[p.Statement]:
    if flow.rank[target] <= flow.rank[source]:
        return [p.Again(f"l{target}")]
    leaves = any(source in members and target not in members for members in flow.loops.values())
    if leaves or _is_met(flow, target):
        return [p.Break(f"b{target}")]
    return _tree(flow, target)


# ---------------------------------------------------------------- tidying


def tidy(body: p.Body) -> p.Body:
    """Without jumps to where control would come anyway, and without blocks that nobody leaves."""
    return _tidied(body, frozenset(), None)


def _tidied(body: p.Body, next_: frozenset[str], loop: str | None) -> p.Body:
    """next_: labels of blocks that end right behind this body; loop: the loop that starts again there."""
    made: list[p.Statement] = []
    for place, statement in enumerate(body):
        last = place == len(body) - 1
        made += _one(statement, next_ if last else frozenset(), loop if last else None)
        if made and never_falls_through(made[-1]):
            break
    return tuple(made)


_LOOPS = (p.Loop, p.Each, p.Count)


def _one(statement: p.Statement, next_: frozenset[str], loop: str | None) -> list[p.Statement]:
    if isinstance(statement, p.Break) and statement.label in next_:
        return []
    if isinstance(statement, p.Again) and statement.label == loop:
        return []
    if isinstance(statement, p.If):
        then = _tidied(statement.then, next_, loop)
        other = _tidied(statement.other, next_, loop)
        return _if(statement.test, then, other)
    if isinstance(statement, p.Block):
        inner = _tidied(statement.body, next_ | {statement.label}, loop)
        return list(inner) if not breaks(inner, statement.label) else [p.Block(statement.label, inner)]
    if isinstance(statement, _LOOPS):
        inner = _tidied(statement.body, frozenset(), statement.label)
        return [evolve(statement, body=inner)]
    return [statement]


def _if(test: p.Expr, then: p.Body, other: p.Body) -> list[p.Statement]:
    if then and never_falls_through(then[-1]) and other:
        return [p.If(test, then), *other]
    if other and never_falls_through(other[-1]) and then:
        return [p.If(negation(test), other), *then]
    if not then:
        return [p.If(negation(test), other)] if other else []
    return [p.If(test, then, other)]


_LEAVING = (p.Break, p.Again, p.Return, p.Unwind, p.Fail)


def never_falls_through(statement: p.Statement) -> bool:
    """Whether control never comes behind a statement."""
    if isinstance(statement, _LEAVING):
        return True
    if isinstance(statement, p.If):
        return bool(
            statement.then
            and statement.other
            and never_falls_through(statement.then[-1])
            and never_falls_through(statement.other[-1])
        )
    return isinstance(statement, p.Loop) and not breaks(statement.body, statement.label)


def breaks(body: p.Body, label: str) -> bool:
    """Whether some statement breaks out to a label."""
    return any(isinstance(s, p.Break) and s.label == label for s in statements(body))
