"""Selection: which answer a simulation tries, where it follows the trees.

One never tried, else the one that promises most by UCB1 (Auer, Cesa-Bianchi, Fischer, 2002): of an answer tried n of N
times, total / n + c * sqrt(log(N) / n), which is r * (total * r + c * sqrt(log(N))) by the rarity r = 1 / sqrt(n) that
is kept with it.  Of secret ones with some chance in it: else two seats that weigh answers to each other fall into step.
A choice of several things is a chain of choices: how many, then how many are passed over before each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.compiler.lower.builder.ir_builder import Builder, Program, Write
from rulekit.compiler.lower.search.information_sets import ASKED, as_seen, has_perfect_information, question_flag
from rulekit.compiler.lower.search.nodes import shape
from rulekit.compiler.lower.search.parameters import MAX_DEPTH
from rulekit.compiler.lower.search.reals import HALF, converted, real
from rulekit.compiler.lower.search.tree import (
    BEHIND,
    DEPTH,
    DRAWN,
    INSIDE,
    KNOWN,
    LINK,
    LUCK,
    PATH,
    RARITY,
    STEP,
    TOTAL,
    cell,
    change,
    raised,
)
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import ONE, ZERO, add, binary, negation, same
from rulekit.compiler.plan.ir import Get


def choose_one(program: Program) -> p.Function:
    """The answer of the search to a question, as its place; who learns of it keeps it in mind."""
    m = Builder(program, "search_choose_one")
    place, key, shown = m.temp(), m.temp(), question_flag(program, lambda asked: asked.open)
    m.emit(p.Do(key, "search_key", tuple(Get(name) for name, _ in ASKED)))
    m.emit(p.Do(place, "search_choice", (Get(key), p.Size(Get("options")), Get("seat"), shown)))
    _learned(m, shown, lambda learns: learns(Get(place)))
    m.emit(p.Return(Get(place)))
    return m.function("", "int", ASKED)


def choose_several(program: Program) -> p.Function:
    """The same for several things, as places in rising order."""
    m = Builder(program, "search_choose_several")
    places, key, shown = m.new(), m.temp(), question_flag(program, lambda asked: asked.open)
    m.emit(p.Do(key, "search_key", tuple(Get(name) for name, _ in ASKED)))
    _chain(m, key, places, shown)
    _learned(m, shown, lambda learns: m.each_in(Get(places), learns))
    m.emit(p.Return(Get(places)))
    return m.function("least most", "list", ASKED)


def _learned(m: Builder, shown: p.Expr, each: Callable[[Write], Any]) -> None:
    """All seats keep an answer in mind that all learn, else the one that gave it.  Links to nodes need no memory."""
    if has_perfect_information(m.program):
        return
    known = p.Cell(m.atom(p.Pick(shown, p.Const(KNOWN), add(Get("seat"), p.Const(KNOWN + 1)))))

    def learns(place: p.Expr) -> None:
        seen = as_seen(m.program, m.atom(p.Item(Get("options"), place)))
        m.emit(change(known, p.Hash(known, p.Binary("+", seen, Get("number")))))

    each(learns)


def _chain(m: Builder, key: str, places: str, shown: p.Expr) -> None:
    """Several things: how many, then how many are passed over before each."""
    at, over, more, left = (m.temp() for _ in range(4))
    sizes = add(p.Binary("-", Get("most"), Get("least")), ONE)
    m.emit(p.Do(more, "search_choice", (Get(key), sizes, Get("seat"), shown)))
    m.emit(*_behind(m, key, more), p.Set(more, p.Binary("+", Get(more), Get("least"))))
    spare = add(p.Binary("-", Get(left), Get(more)), ONE)
    inside = p.Do(over, "search_choice", (Get(key), spare, Get("seat"), shown))
    outside = p.Do(over, "search_passed", (Get(left), Get(more)))
    body = (
        p.If(same(Get(more), ZERO), (p.Break("chain"),)),
        p.Set(left, p.Binary("-", p.Size(Get("options")), Get(at))),
        p.If(p.Cell(INSIDE), (inside,), (outside,)),
        *_behind(m, key, over),
        p.Push(places, p.Binary("+", Get(at), Get(over))),
        p.Set(at, add(p.Binary("+", Get(at), Get(over)), ONE)),
        p.Set(more, binary("-", Get(more), ONE)),
    )
    m.emit(p.Loop("chain", body))


def _behind(m: Builder, key: str, place: str) -> p.Body:
    """On to the node behind the answer that was chosen."""
    return (p.Set(key, p.Cell(LINK) if has_perfect_information(m.program) else p.Hash(Get(key), Get(place))),)


def choice(program: Program) -> p.Function:
    """One of so many answers at a node; where the simulation has left the trees, or does so now, by chance.

    Parameters: the key of the node, how many answers it has, who answers, and whether all learn the answer.
    """
    m = Builder(program, "search_choice")
    node, at, new, made = m.temp(), m.temp(), m.temp(), shape(program)
    m.emit(p.If(same(Get("size"), ONE), (p.Return(ZERO),)))
    m.emit(p.If(p.Cell(INSIDE), (p.Do(node, "search_node", (Get("key"), Get("size"))),)))

    def outside() -> None:
        m.emit(p.SetCell(INSIDE, ZERO), p.Return(m.called("search_below", Get("size"))))

    m.when(same(Get(node), ZERO), outside)
    # As long as some were never tried, one of them is, so that each of the others was tried once.
    passed = p.Cell(binary("-", Get(node), ONE))
    m.emit(p.Set(new, binary("max", p.Binary("-", Get("size"), passed), ZERO)))
    m.when(Get(new), lambda: _never_tried(m, at, node, new), lambda: _most_promising(m, at, node, passed))
    row = m.atom(binary("*", p.Cell(DEPTH), p.Const(STEP)))
    for number, value in enumerate((Get(at), Get(node), Get("seat"))):
        m.emit(change(cell(PATH + number, row), value))
    m.emit(raised(DEPTH))
    if has_perfect_information(program):
        m.emit(p.SetCell(LINK, add(Get(at), p.Const(BEHIND))))
    m.emit(p.SetCell(INSIDE, binary("&", same(Get(new), ZERO), binary("<", p.Cell(DEPTH), p.Const(MAX_DEPTH)))))
    m.emit(p.Return(binary("//", p.Binary("-", Get(at), Get(node)), p.Const(made.answer))))
    return m.function("key size seat shown", "int")


def _each_answer(m: Builder, at: str, node: str, write: Callable[[], None]) -> None:
    """A loop over the answers of a node: `at` is the cell of each."""
    label, end, step = m.fresh("e"), m.temp(), p.Const(shape(m.program).answer)
    m.emit(p.Set(at, Get(node)), p.Set(end, p.Binary("+", Get(node), p.Binary("*", Get("size"), step))))
    leave = p.If(same(Get(at), Get(end)), (p.Break(label),))
    m.emit(p.Loop(label, (*m.collect(write), p.Set(at, add(Get(at), step)), leave)))


def _never_tried(m: Builder, at: str, node: str, new: str) -> None:
    """Any of those never tried."""
    skip = m.temp()
    m.emit(p.Do(skip, "search_below", (Get(new),)), p.Set(at, Get(node)))
    found = p.If(same(Get(skip), ZERO), (p.Break("skipping"),))
    untried = p.If(same(p.Cell(Get(at)), ZERO), (found, p.Set(skip, binary("-", Get(skip), ONE))))
    m.emit(p.Loop("skipping", (untried, p.Set(at, add(Get(at), p.Const(shape(m.program).answer))))))


def _most_promising(m: Builder, at: str, node: str, passed: p.Expr) -> None:
    """The answer with the highest upper confidence bound, the first of several."""
    curiosity, width, bound, best, better, found = (m.temp() for _ in range(6))
    m.emit(p.Set(width, m.called("search_exploration", passed)))
    m.emit(p.Set(best, real(-1.0)), p.Set(curiosity, Get(width)))
    with_chance = p.Real("*", Get(width), p.Real("+", HALF, _share()))

    def one() -> None:
        if not has_perfect_information(m.program):
            m.emit(p.If(negation(Get("shown")), (p.Set(curiosity, with_chance), raised(DRAWN))))
        rarity = cell(RARITY, Get(at))
        mean = p.Real("*", cell(TOTAL, Get(at)), rarity)
        m.emit(p.Set(bound, p.Real("*", rarity, p.Real("+", mean, Get(curiosity)))))
        # Nothing foretells which answer promises most so far, so that a jump would mostly be guessed wrong.
        m.emit(p.Set(better, p.Real("<", Get(best), Get(bound))))
        m.emit(p.Set(best, p.Pick(Get(better), Get(bound), Get(best))))
        m.emit(p.Set(found, p.Pick(Get(better), Get(at), Get(found))))

    _each_answer(m, at, node, one)
    m.emit(p.Set(at, Get(found)))


# ---------------------------------------------------------------- the search's own chance


_DRAWN = p.Hash(p.Cell(LUCK), p.Cell(DRAWN))
"""The next output of the search's own chance."""


def _share() -> p.Expr:
    """A real from 0 on, below 1: the highest 53 bits of an output."""
    high = binary("%", binary("//", _DRAWN, p.Const(2**11)), p.Const(2**53))
    return p.Real("*", converted(high), real(2.0**-53))


def below(program: Program) -> p.Function:
    """A number from 0 to size - 1, as `counter_rng.below` gives it.

    An output is unsigned; read as signed it is less by 2**64 where it is negative.  `rest` is the remainder of 2**64
    by the size, so that the highest outputs, which are passed over, are those from -rest on, below 0.
    """
    m = Builder(program, "search_below")
    size, value = Get("size"), m.temp()
    rest = m.atom(binary("%", binary("*", add(binary("%", p.Const(2**63 - 1), size), ONE), p.Const(2)), size))
    negative = binary("<", Get(value), ZERO)
    passed_over = binary("&", negative, binary("<=", binary("-", ZERO, rest), Get(value)))
    number = binary("%", p.Binary("+", binary("%", Get(value), size), p.Pick(negative, rest, ZERO)), size)
    body = (p.Set(value, _DRAWN), raised(DRAWN), p.If(negation(passed_over), (p.Return(number),)))
    m.emit(p.Loop("drawing", body))
    return m.function("size", "int")


def passed(program: Program) -> p.Function:
    """How many of those left are passed over before the next of those wanted, each set as likely as any other."""
    m = Builder(program, "search_passed")
    count, drawn = m.temp(), m.temp()
    body = (
        p.Do(drawn, "search_below", (p.Binary("-", Get("left"), Get(count)),)),
        p.If(binary("<", Get(drawn), Get("wanted")), (p.Return(Get(count)),)),
        p.Set(count, add(Get(count), ONE)),
    )
    m.emit(p.Loop("passing", body))
    return m.function("left wanted", "int")
