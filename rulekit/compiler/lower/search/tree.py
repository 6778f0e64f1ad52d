"""The trees of a search, in the cells of a machine: nodes by their keys, and what is remembered of a simulation.

A node is its key, then for each answer how often it was tried and what that came to.  Which cell that is says a hash
table with linear probing.  A new search forgets the nodes before by a new stamp: an entry of the table is the stamp of
its search and the first cell of a node together, so that older entries are below the stamp and count as empty.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.compiler.lower.builder.ir_builder import ONE, ZERO, Builder, Program, add, binary, same
from rulekit.compiler.lower.search.parameters import MAX_ANSWERS, MAX_DEPTH, MAX_NODES
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Get

INSIDE, DEPTH, LUCK, DRAWN, STAMP, NODES, ANSWERS = map(p.Const, range(7))
"""Cells: whether the simulation at work follows the trees, and how many choices lie behind it; the key of the search's
own chance and how many numbers were drawn from it; the stamp of the search, how many nodes and answers it has."""
LEADS = 7
"""How many leads there were in this search, their sum, and the sum of their squares."""
KNOWN = LEADS + 3
"""What all know of the answers since the search began, then what each seat knows besides."""
WORTHS = KNOWN + 1 + limits.SEATS
"""What the simulation came to, by seat."""
PATH = WORTHS + limits.SEATS
"""Of each choice of the simulation the cell of the answer, and the seat."""
TABLE = PATH + 2 * MAX_DEPTH
SLOTS = 4 * MAX_NODES
"""Entries of the table that finds nodes; a power of 2."""
FIRST_NODE = TABLE + SLOTS
CELLS = FIRST_NODE + MAX_NODES + 2 * MAX_ANSWERS
_STAMPS = p.Const(1 << 32)
"""How far stamps lie apart: more than there are cells."""
TWO = p.Const(2)


def cell(first: int, at: p.Expr) -> p.Cell:
    """The cell that stands `at` places behind the cell `first`."""
    return p.Cell(add(at, p.Const(first)))


def change(of: p.Cell, value: p.Expr) -> p.Statement:
    return p.SetCell(of.at, value)


def raised(at: p.Expr, by: p.Expr = ONE) -> p.Statement:
    """A cell grows."""
    return p.SetCell(at, p.Binary("+", p.Cell(at), by))


def begin(program: Program) -> p.Function:
    """A simulation begins, with this key of the search's own chance; with the first one a new search."""
    m = Builder(program, "search_begin")
    forget = (raised(STAMP, _STAMPS), *(p.SetCell(p.Const(at), ZERO) for at in range(NODES.value, KNOWN)))
    m.emit(p.If(same(Get("number"), ZERO), forget))
    m.emit(p.SetCell(INSIDE, ONE), p.SetCell(DEPTH, ZERO), p.SetCell(LUCK, Get("luck")), p.SetCell(DRAWN, ZERO))
    m.each_number(ZERO, p.Const(m.setting.players), lambda who: m.emit(change(cell(KNOWN, who), ZERO)))
    return m.function("number luck")


def node(program: Program) -> p.Function:
    """The cell where the answers of a node begin; 0 if there is none, and none is to be made or there is no room."""
    m = Builder(program, "search_node")
    slot, found = m.temp(), m.temp()
    m.emit(p.Set(slot, binary("%", Get("key"), p.Const(SLOTS))))
    entry = cell(TABLE, Get(slot))
    probe = (
        p.Set(found, p.Binary("-", entry, p.Cell(STAMP))),
        p.If(binary("<", Get(found), ONE), (p.Break("probing"),)),
        p.If(same(p.Cell(Get(found)), Get("key")), (p.Return(add(Get(found), ONE)),)),
        p.Set(slot, binary("%", add(Get(slot), ONE), p.Const(SLOTS))),
    )
    m.emit(p.Loop("probing", probe))
    many = binary("<", p.Const(MAX_ANSWERS), p.Binary("+", p.Cell(ANSWERS), Get("size")))
    full = binary("|", binary("<", p.Const(MAX_NODES - 1), p.Cell(NODES)), many)
    m.emit(p.If(binary("|", same(Get("size"), ZERO), full), (p.Return(ZERO),)))
    taken = p.Binary("+", p.Cell(NODES), p.Binary("*", p.Cell(ANSWERS), TWO))
    m.emit(p.Set(found, add(taken, p.Const(FIRST_NODE))), raised(NODES), raised(ANSWERS, Get("size")))
    m.emit(change(entry, p.Binary("+", p.Cell(STAMP), Get(found))), p.SetCell(Get(found), Get("key")))
    last = p.Binary("+", Get(found), p.Binary("*", Get("size"), TWO))
    m.each_number(add(Get(found), ONE), last, lambda at: m.emit(p.SetCell(at, ZERO)))
    m.emit(p.Return(add(Get(found), ONE)))
    return m.function("key size", "int")
