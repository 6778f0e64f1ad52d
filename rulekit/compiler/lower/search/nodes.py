"""The nodes of a search: how one is found, made and forgotten.

Where something is hidden, a node is an information set, and which cell it is says a hash table with linear probing.  A
new search forgets the nodes before by a new stamp: an entry of the table is the stamp of its search and the first cell
of a node together, so that older entries are below the stamp and count as empty.  Its key stands before the node.

In a game of perfect information answers alone lead to a position, so that nodes are a tree: every answer has a link to
the node behind it, and a key is the number of the cell where the link lies.
"""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.search.information_sets import has_perfect_information
from rulekit.compiler.lower.search.parameters import MAX_ANSWERS, MAX_NODES
from rulekit.compiler.lower.search.tree import (
    ANSWERS,
    BEHIND,
    DEPTH,
    DRAWN,
    INSIDE,
    KNOWN,
    LINK,
    LUCK,
    NODES,
    ROOT,
    SLOTS,
    STAMP,
    TABLE,
    cell,
    change,
    raised,
)
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, add, binary, same
from rulekit.compiler.plan.ir import Get
from rulekit.values import frozen

_STAMPS = p.Const(1 << 32)
"""How far stamps lie apart: more than there are cells."""


@frozen
class Shape:
    """head: cells of a node before its first answer.  answer: cells of an answer.  first: the first cell of nodes."""

    head: int
    answer: int
    first: int

    @property
    def end(self) -> int:
        """So many cells there are."""
        return self.first + self.head * MAX_NODES + self.answer * MAX_ANSWERS


def shape(program: Program) -> Shape:
    return Shape(1, BEHIND + 1, TABLE) if has_perfect_information(program) else Shape(2, BEHIND, TABLE + SLOTS)


def begin(program: Program) -> p.Function:
    """A simulation begins, with this key of the search's own chance; with the first one a new search."""
    m = Builder(program, "search_begin")
    forget = (raised(STAMP, _STAMPS), *(p.SetCell(p.Const(at), ZERO) for at in range(NODES.value, KNOWN)))
    m.emit(p.If(same(Get("number"), ZERO), forget))
    m.emit(p.SetCell(INSIDE, ONE), p.SetCell(DEPTH, ZERO), p.SetCell(LUCK, Get("luck")), p.SetCell(DRAWN, ZERO))
    if has_perfect_information(program):
        m.emit(p.SetCell(LINK, ROOT))
    else:
        m.each_number(ZERO, p.Const(m.setting.players), lambda who: m.emit(change(cell(KNOWN, who), ZERO)))
    return m.function("number luck")


def node(program: Program) -> p.Function:
    """The cell where the answers of a node begin; 0 if there is none, and none is to be made or there is no room."""
    m = Builder(program, "search_node")
    if has_perfect_information(program):
        m.emit(p.If(p.Cell(Get("key")), (p.Return(p.Cell(Get("key"))),)))
        m.emit(*_made(m, p.Cell(Get("key")), ZERO))
        return m.function("key size", "int")
    slot, found = m.temp(), m.temp()
    m.emit(p.Set(slot, binary("%", Get("key"), p.Const(SLOTS))))
    entry = cell(TABLE, Get(slot))
    own = p.Cell(p.Binary("-", Get(found), p.Const(2)))
    probe = (
        p.Set(found, p.Binary("-", entry, p.Cell(STAMP))),
        p.If(binary("<", Get(found), ONE), (p.Break("probing"),)),
        p.If(same(own, Get("key")), (p.Return(Get(found)),)),
        p.Set(slot, binary("%", add(Get(slot), ONE), p.Const(SLOTS))),
    )
    m.emit(p.Loop("probing", probe), *_made(m, entry, p.Cell(STAMP)))
    return m.function("key size", "int")


def _made(m: Builder, entry: p.Cell, stamp: p.Expr) -> p.Body:
    """A new node, of which `entry` tells from now on; 0 where none is to be made or there is no room."""
    made, of = shape(m.program), m.temp()

    def write() -> None:
        many = binary("<", p.Const(MAX_ANSWERS), p.Binary("+", p.Cell(ANSWERS), Get("size")))
        full = binary("|", binary("<", p.Const(MAX_NODES - 1), p.Cell(NODES)), many)
        m.emit(p.If(binary("|", same(Get("size"), ZERO), full), (p.Return(ZERO),)))
        heads = binary("*", add(p.Cell(NODES), ONE), p.Const(made.head))
        before = p.Binary("+", heads, binary("*", p.Cell(ANSWERS), p.Const(made.answer)))
        m.emit(p.Set(of, add(before, p.Const(made.first))), raised(NODES), raised(ANSWERS, Get("size")))
        m.emit(change(entry, p.Binary("+", stamp, Get(of))))
        if made.head == 2:
            m.emit(p.SetCell(p.Binary("-", Get(of), p.Const(2)), Get("key")))
        last = p.Binary("+", Get(of), binary("*", Get("size"), p.Const(made.answer)))
        m.each_number(binary("-", Get(of), ONE), binary("-", last, ONE), lambda at: m.emit(p.SetCell(at, ZERO)))
        m.emit(p.Return(Get(of)))

    return m.collect(write)


def behind(program: Program) -> p.Function:
    """The key of the node behind an answer, within one question; of an answer that has a node before it."""
    m = Builder(program, "search_behind")
    if has_perfect_information(program):
        place = binary("*", Get("place"), p.Const(shape(program).answer))
        m.emit(p.Return(add(p.Binary("+", p.Cell(Get("key")), place), p.Const(BEHIND))))
    else:
        m.emit(p.Return(p.Hash(Get("key"), Get("place"))))
    return m.function("key place", "int")
