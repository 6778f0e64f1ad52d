"""Selection: which answer a simulation tries, where it follows the trees.

One never tried, else the one that promises most by UCB1 (Auer, Cesa-Bianchi, Fischer, 2002).  Of secret ones with some
chance in it: else two seats that weigh answers to each other fall into step.  A choice of several things is a chain of
choices: how many, then how many are passed over before each.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.builder.ir_builder import ONE, ZERO, Builder, Program, add, binary, negation, same
from rulekit.compiler.lower.search.information_sets import ASKED, as_seen, question_flag
from rulekit.compiler.lower.search.parameters import EXPLORATION, MAX_DEPTH
from rulekit.compiler.lower.search.reals import HALF, converted, real
from rulekit.compiler.lower.search.tree import DEPTH, DRAWN, INSIDE, KNOWN, LUCK, PATH, TWO, cell, change, raised
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.ir import Get


def choose(program: Program) -> p.Function:
    """The answer of the search to a question, as places; who learns of it keeps it in mind."""
    m = Builder(program, "search_choose")
    places, shown = m.new(), question_flag(program, lambda asked: asked.open)
    several = program.entry(tuple(int(one.form == "several") for one in program.asks) or (0,), Get("number"))
    key = m.temp()
    m.emit(p.Do(key, "search_key", tuple(Get(name) for name, _ in ASKED)))

    def single() -> None:
        place = m.called("search_choice", Get(key), p.Size(Get("options")), Get("seat"), shown)
        m.emit(p.Push(places, place))

    m.when(several, lambda: _chain(m, key, places, shown), single)
    known = p.Cell(m.atom(p.Pick(shown, p.Const(KNOWN), add(Get("seat"), p.Const(KNOWN + 1)))))

    def learns(place: p.Expr) -> None:
        seen = as_seen(program, m.atom(p.Item(Get("options"), place)))
        m.emit(change(known, p.Hash(known, p.Binary("+", seen, Get("number")))))

    m.each_in(Get(places), learns)
    m.emit(p.Return(Get(places)))
    return m.function("least most", "list", ASKED)


def _chain(m: Builder, key: str, places: str, shown: p.Expr) -> None:
    """Several things: how many, then how many are passed over before each."""
    at, over, more, left = (m.temp() for _ in range(4))
    sizes = add(p.Binary("-", Get("most"), Get("least")), ONE)
    m.emit(p.Do(more, "search_choice", (Get(key), sizes, Get("seat"), shown)))
    m.emit(p.Set(more, p.Binary("+", Get(more), Get("least"))), p.Set(key, p.Hash(Get(key), Get(more))))
    spare = add(p.Binary("-", Get(left), Get(more)), ONE)
    inside = p.Do(over, "search_choice", (Get(key), spare, Get("seat"), shown))
    outside = p.Do(over, "search_passed", (Get(left), Get(more)))
    body = (
        p.If(same(Get(more), ZERO), (p.Break("chain"),)),
        p.Set(left, p.Binary("-", p.Size(Get("options")), Get(at))),
        p.If(p.Cell(INSIDE), (inside,), (outside,)),
        p.Set(key, p.Hash(Get(key), Get(over))),
        p.Push(places, p.Binary("+", Get(at), Get(over))),
        p.Set(at, add(p.Binary("+", Get(at), Get(over)), ONE)),
        p.Set(more, binary("-", Get(more), ONE)),
    )
    m.emit(p.Loop("chain", body))


def choice(program: Program) -> p.Function:
    """One of so many answers at a node; where the simulation has left the trees, or does so now, by chance.

    Parameters: the key of the node, how many answers it has, who answers, and whether all learn the answer.
    """
    m = Builder(program, "search_choice")
    node, at, new, tried = (m.temp() for _ in range(4))
    m.emit(p.If(same(Get("size"), ONE), (p.Return(ZERO),)))
    m.emit(p.If(p.Cell(INSIDE), (p.Do(node, "search_node", (Get("key"), Get("size"))),)))

    def outside() -> None:
        m.emit(p.SetCell(INSIDE, ZERO), p.Return(m.called("search_below", Get("size"))))

    def count() -> None:
        m.emit(p.Set(new, p.Binary("+", Get(new), same(p.Cell(Get(at)), ZERO))))
        m.emit(p.Set(tried, p.Binary("+", Get(tried), p.Cell(Get(at)))))

    m.when(same(Get(node), ZERO), outside)
    _each_answer(m, at, node, count)
    m.when(Get(new), lambda: _never_tried(m, at, node, new), lambda: _most_promising(m, at, node, tried))
    row = binary("*", p.Cell(DEPTH), TWO)
    m.emit(change(cell(PATH, row), Get(at)), change(cell(PATH + 1, row), Get("seat")), raised(DEPTH))
    m.emit(p.SetCell(INSIDE, binary("&", same(Get(new), ZERO), binary("<", p.Cell(DEPTH), p.Const(MAX_DEPTH)))))
    m.emit(p.Return(binary("//", p.Binary("-", Get(at), Get(node)), TWO)))
    return m.function("key size seat shown", "int")


def _each_answer(m: Builder, at: str, node: str, write: Callable[[], None]) -> None:
    """A loop over the answers of a node: `at` is the cell of each."""
    label, end = m.fresh("e"), m.temp()
    m.emit(p.Set(at, Get(node)), p.Set(end, p.Binary("+", Get(node), p.Binary("*", Get("size"), TWO))))
    leave = p.If(same(Get(at), Get(end)), (p.Break(label),))
    m.emit(p.Loop(label, (*m.collect(write), p.Set(at, add(Get(at), TWO)), leave)))


def _never_tried(m: Builder, at: str, node: str, new: str) -> None:
    """Any of those never tried."""
    skip = m.temp()
    m.emit(p.Do(skip, "search_below", (Get(new),)), p.Set(at, Get(node)))
    found = p.If(same(Get(skip), ZERO), (p.Break("skipping"),))
    untried = p.If(same(p.Cell(Get(at)), ZERO), (found, p.Set(skip, binary("-", Get(skip), ONE))))
    m.emit(p.Loop("skipping", (untried, p.Set(at, add(Get(at), TWO)))))


def _most_promising(m: Builder, at: str, node: str, tried: str) -> None:
    """The answer with the highest upper confidence bound, the first of several."""
    curiosity, visits, bound, best, found = (m.temp() for _ in range(5))
    logged = m.called("search_logarithm", Get(tried))
    m.emit(p.Set(best, real(-1.0)), p.Set(curiosity, real(EXPLORATION)))
    with_chance = p.Real("*", real(EXPLORATION), p.Real("+", HALF, _share()))

    def one() -> None:
        m.emit(p.If(negation(Get("shown")), (p.Set(curiosity, with_chance), raised(DRAWN))))
        m.emit(p.Set(visits, converted(p.Cell(Get(at)))))
        mean = p.Real("/", p.Cell(add(Get(at), ONE)), Get(visits))
        bonus = p.Real("*", Get(curiosity), p.Real("sqrt", p.Real("/", logged, Get(visits))))
        m.emit(p.Set(bound, p.Real("+", mean, bonus)))
        m.emit(p.If(p.Real("<", Get(best), Get(bound)), (p.Set(best, Get(bound)), p.Set(found, Get(at)))))

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
    rest = m.atom(binary("%", binary("*", add(binary("%", p.Const(2**63 - 1), size), ONE), TWO), size))
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
