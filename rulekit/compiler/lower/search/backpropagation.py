"""Backpropagation: what a simulation came to is added to the answers that it tried, each for the seat that gave it.

The worth of an end for a seat is 1 for the first place and 0 for the last one, and a little of how far it is ahead.
"""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.search.parameters import LEAD_WEIGHT, LOSS_WEIGHT, MIN_VARIANCE, may_be_defeated
from rulekit.compiler.lower.search.reals import HALF, NO_REAL, ONE_REAL, converted, real
from rulekit.compiler.lower.search.tree import (
    DEPTH,
    LEADS,
    PATH,
    RARITY,
    STEP,
    TOTAL,
    WORTHS,
    cell,
    change,
    raised,
)
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same, word
from rulekit.compiler.plan.ir import Get

UNPLACED, DEFEATED = p.Const(1 << 40), p.Const(1 << 41)
"""In place of a place, for seats that have none."""


def learn(program: Program) -> p.Function:
    """What the simulation at work came to goes to all answers that it tried."""
    m = Builder(program, "search_learn")
    last, worth, leads, first = p.Const(m.setting.players - 1), m.temp(), m.temp(), m.storage.leads
    assert first is not None
    m.emit(p.Set(leads, ONE))
    m.each_number(ZERO, last, lambda seat: m.emit(p.If(same(word(first, seat), NOTHING), (p.Set(leads, ZERO),))))

    def of_seat(seat: p.Expr) -> None:
        m.emit(p.Do(worth, "search_place", (seat,)))
        m.when(Get(leads), lambda: m.emit(p.Set(worth, _together(m, Get(worth), m.called("search_lead", seat)))))
        m.emit(change(cell(WORTHS, seat), Get(worth)))

    def of_choice(number: p.Expr) -> None:
        row = m.atom(binary("*", number, p.Const(STEP)))
        visits = p.Cell(m.atom(cell(PATH, row)))
        total = cell(TOTAL, visits.at)
        m.emit(raised(visits.at), raised(binary("-", cell(PATH + 1, row), ONE)))
        m.emit(change(total, p.Real("+", total, cell(WORTHS, cell(PATH + 2, row)))))
        m.emit(change(cell(RARITY, visits.at), p.Real("/", ONE_REAL, p.Real("sqrt", converted(visits)))))

    m.each_number(ZERO, last, of_seat)
    m.each_number(ZERO, add(p.Cell(DEPTH), p.Const(-1)), of_choice)
    return m.function("")


def _together(m: Builder, place: p.Expr, lead: p.Expr) -> p.Expr:
    """Place and lead; a single seat has nobody to be ahead of, and its own value counts."""
    if m.setting.players == 1:
        return p.Real("*", place, lead)
    weighed = p.Real("*", real(1.0 - LEAD_WEIGHT), place)
    return p.Real("+", weighed, p.Real("*", real(LEAD_WEIGHT), lead))


def place(program: Program) -> p.Function:
    """1 for the first place, 0 for the last one, shared places averaged; 0 if everybody is defeated.

    Where all reach something together, it is how much of it they have, as `evaluation.shared_success` weighs it.
    """
    m = Builder(program, "search_place")
    seats, other, behind, lost = m.setting.players, m.temp(), m.temp(), m.temp()
    own = m.atom(_class(m, Get("seat")))

    def compared(seat: p.Expr) -> None:
        m.emit(p.Set(other, _class(m, seat)))
        both = p.Binary("+", binary("<", Get(other), own), binary("<=", Get(other), own))
        m.emit(p.Set(behind, p.Binary("+", Get(behind), both)))
        m.emit(p.Set(lost, p.Binary("+", Get(lost), same(Get(other), DEFEATED))))

    m.each_number(ZERO, p.Const(seats - 1), compared)
    is_lost = same(Get(lost), p.Const(seats))
    together = m.setting.game.together
    if together is not None:
        more = converted(binary("-", m.value(together.value), p.Const(together.low)))
        reached = m.atom(p.Real("/", more, real(float(together.high - together.low))))
        if may_be_defeated(m.setting.game):
            m.emit(p.If(is_lost, (p.Return(p.Real("*", real(LOSS_WEIGHT), reached)),)))
            reached = p.Real("+", real(LOSS_WEIGHT), p.Real("*", real(1.0 - LOSS_WEIGHT), reached))
        m.emit(p.Return(reached))
        return m.function("seat", "int")
    m.emit(p.If(is_lost, (p.Return(NO_REAL),)))
    middle = p.Real("/", converted(binary("-", Get(behind), ONE)), real(2.0 * (seats - 1)))
    m.emit(p.Return(p.Real("-", ONE_REAL, middle) if seats > 1 else ONE_REAL))
    return m.function("seat", "int")


def _class(m: Builder, seat: p.Expr) -> p.Expr:
    """How a seat ended; smaller is better."""
    rank = word(m.storage.rank, seat)
    placed = p.Pick(same(rank, NOTHING), UNPLACED, rank)
    return p.Pick(same(word(m.storage.defeated, seat), NOTHING), placed, DEFEATED)


def lead(program: Program) -> p.Function:
    """How far a seat is ahead, from 0 to 1; as far as is usual in this search is 1/2."""
    m = Builder(program, "search_lead")
    first, seats, best = m.storage.leads, m.setting.players, m.temp()
    assert first is not None
    m.emit(p.Set(best, NOTHING if seats > 1 else ZERO))

    def compared(seat: p.Expr) -> None:
        more = binary("max", Get(best), word(first, seat))
        m.emit(p.If(_against(m, seat), (p.Set(best, more),)))

    m.each_number(ZERO, p.Const(seats - 1), compared)
    ahead = m.atom(converted(p.Binary("-", word(first, Get("seat")), Get(best))))
    m.emit(p.Return(_normalized(m, ahead)))
    return m.function("seat", "int")


def _against(m: Builder, seat: p.Expr) -> p.Expr:
    """Whether a seat is another one than the one asked about, and of another team."""
    if not m.setting.teams:
        return binary("!=", seat, Get("seat"))
    teams = m.setting.team_numbers()
    return binary("!=", m.program.entry(teams, seat), m.program.entry(teams, Get("seat")))


def _normalized(m: Builder, value: p.Expr) -> p.Expr:
    """A lead by the mean and spread of all in this search, itself among them."""
    count, total, squares = (p.Cell(p.Const(LEADS + number)) for number in range(3))
    for of, more in ((count, ONE_REAL), (total, value), (squares, p.Real("*", value, value))):
        m.emit(change(of, p.Real("+", of, more)))
    mean = m.atom(p.Real("/", total, count))
    variance = p.Real("-", p.Real("/", squares, count), p.Real("*", mean, mean))
    spread = p.Real("sqrt", p.Real("max", variance, real(MIN_VARIANCE)))
    away = m.atom(p.Real("/", p.Real("-", value, mean), spread))
    size = p.Real("max", away, p.Real("-", NO_REAL, away))
    return p.Real("+", HALF, p.Real("/", p.Real("*", HALF, away), p.Real("+", ONE_REAL, size)))
