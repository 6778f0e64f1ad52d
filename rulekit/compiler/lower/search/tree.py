"""Where the trees of a search lie in the cells of a machine, and what is remembered of a simulation.

Of a node there is how often it was passed, then for each of its answers how often that was tried, what that came to,
and its rarity: 1 / sqrt(how often it was tried), of which upper confidence bounds are made without a division.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.search.parameters import MAX_DEPTH, MAX_NODES
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, add

INSIDE, DEPTH, LUCK, DRAWN, LINK, STAMP, NODES, ANSWERS, ROOT = map(p.Const, range(9))
"""Cells: whether the simulation at work follows the trees, and how many choices lie behind it; the key of the search's
own chance and how many numbers were drawn from it; the link by which it comes to its next node; the stamp of the
search, how many nodes and answers it has, and the link to its first node.  Links are only where nothing is hidden."""
LEADS = 9
"""How many leads there were in this search, their sum, and the sum of their squares."""
KNOWN = LEADS + 3
"""What all know of the answers since the search began, then what each seat knows besides."""
WORTHS = KNOWN + 1 + limits.SEATS
"""What the simulation came to, by seat."""
PATH, STEP = WORTHS + limits.SEATS, 3
"""Of each choice of the simulation the cell of the answer, the first one of its node, and the seat."""
TABLE = PATH + STEP * MAX_DEPTH
SLOTS = 4 * MAX_NODES
"""Entries of the table that finds nodes by their keys; a power of 2."""
VISITS, TOTAL, RARITY, BEHIND = range(4)
"""Cells of an answer, from its first one: how often it was tried, what that came to, its rarity; and the link to the
node behind it: the first cell of that, or 0."""


def cell(first: int, at: p.Expr) -> p.Cell:
    """The cell that stands `at` places behind the cell `first`."""
    return p.Cell(add(at, p.Const(first)))


def change(of: p.Cell, value: p.Expr) -> p.Statement:
    return p.SetCell(of.at, value)


def raised(at: p.Expr, by: p.Expr = ONE) -> p.Statement:
    """A cell grows."""
    return p.SetCell(at, p.Binary("+", p.Cell(at), by))
