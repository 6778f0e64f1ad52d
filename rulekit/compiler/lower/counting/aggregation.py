"""Aggregation: what a match came to is added to the sums of its series, by a function of the plan.

Whether doing something more often than the others goes with winning is told
by two sums.  In one match let k be how often each of n seats did it, and w
whether it won.  Then T = n * sum(k * w) - sum(k) * sum(w) and
U = n * sum(k * k) - sum(k)^2 are, up to the factor n, the products about the
match's own means.  sum(T) / sum(U) over all matches is the least-squares slope
within matches (a fixed-effects regression): the chance of winning that comes
with doing it once more.  T*T, U*U and T*U give its standard error, with
matches as clusters.  Only seats of the same match are compared, so that long
matches weigh nothing.  A seat that did it more than a thousand times counts
as a thousand here, so that the sums of a piece of work stay within 64 bits.
"""

from __future__ import annotations

from functools import partial, reduce

from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.counting.counters import BINS, Counters
from rulekit.compiler.lower.counting.ranking_key import standing
from rulekit.compiler.lower.counting.schema import EDGES, ENTRY, LEAST_BIN, MEASURE, OFTEN, QUESTION, WIN
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same, word


def aggregation(program: Program, counters: Counters) -> p.Function:
    """The function that is told the status and the number of decisions of every match of a series.

    Matches that failed add to nothing.
    """
    m = Builder(program, "gathered")
    m.when(same(p.Get("status_of"), p.Const(p.Status.DONE)), lambda: _all(m, counters))
    return m.function("status_of decided")


def _all(m: Builder, counters: Counters) -> None:
    won = _places(m, counters)
    _beginner(m, counters, won)
    _measures(m, counters)
    for number, question in enumerate(counters.questions):
        first = counters.sheet.first_question + QUESTION * number
        for part, manner in enumerate(("+", "+", "max")):
            m.emit(p.Sum(p.Const(first + part), p.Word(p.Const(question.word + part)), manner))
    m.each_number(ZERO, p.Const(counters.size - 1), lambda entry: _entry(m, counters, entry, won))
    for at, tally in enumerate(m.setting.game.tallies, counters.sheet.first_tally):
        total: p.Expr = ZERO
        for place in counters.tallied(tally):
            total = m.atom(binary("|" if tally.is_any else "+", total, p.Word(p.Const(place))))
        m.emit(p.Sum(p.Const(at), total))


def _places(m: Builder, counters: Counters) -> list[p.Expr]:
    """Places and wins; gives for each seat whether it won."""
    storage, everyone = m.storage, counters.everyone
    last: p.Expr = ZERO
    for seat in range(everyone):
        last = m.atom(binary("max", last, p.Word(p.Const(storage.rank + seat))))
    last = m.atom(add(last, ONE))
    won: list[p.Expr] = []
    total: p.Expr = ZERO
    for seat in range(everyone):
        rank = m.atom(p.Word(p.Const(storage.rank + seat)))
        lost = binary("!=", p.Word(p.Const(storage.defeated + seat)), NOTHING)
        place = m.atom(p.Pick(lost, ZERO, p.Pick(same(rank, NOTHING), last, rank)))
        m.emit(p.Sum(add(place, p.Const(seat * (everyone + 1))), ONE))
        won.append(m.atom(same(place, ONE)))
        if seat == m.setting.team_of(seat)[0]:
            total = m.atom(p.Binary("+", total, won[-1]))
    first = counters.sheet.first_win
    for seat, one in enumerate(won):
        alone = binary("&", one, same(total, ONE))
        m.emit(p.Sum(p.Const(first + seat), alone), p.Sum(p.Const(first + everyone + seat), p.Binary("-", one, alone)))
    m.emit(p.Sum(p.Const(first + 2 * everyone), binary("<", ONE, total)))
    m.emit(p.Sum(p.Const(first + 2 * everyone + 1), same(total, ZERO)))
    part = m.atom(m.program.entry((0, *(WIN // winners for winners in range(1, everyone + 1))), total))
    for seat, one in enumerate(won):
        m.emit(p.Sum(p.Const(counters.sheet.first_part + seat), p.Binary("*", one, part)))
    return won[: counters.seats]


def _beginner(m: Builder, counters: Counters, won: list[p.Expr]) -> None:
    """Whether who began has won."""
    noted, now = p.Word(p.Const(counters.began)), p.Word(p.Const(m.storage.starter))
    began = m.atom(p.Pick(same(noted, NOTHING), now, noted))
    wins = _total([binary("&", same(began, p.Const(seat)), one) for seat, one in enumerate(won)])
    m.emit(p.Sum(p.Const(counters.sheet.first_part + counters.everyone), wins))


def _measures(m: Builder, counters: Counters) -> None:
    values: list[p.Expr] = [p.Get("decided")]
    if counters.round_start is not None:
        values.append(p.Word(p.Const(counters.rounds)))
    if counters.ranking_key is not None:
        values += _standings(m, counters)
    values += [p.Word(p.Const(figure.word)) for figure in counters.figures]
    for number, value in enumerate(values):
        _measure(m, counters.sheet.first_measure + number * (MEASURE + len(EDGES)), m.atom(value))


def _standings(m: Builder, counters: Counters) -> list[p.Expr]:
    """Lead changes, with a last look at the end; how far the best is from the worst."""
    if counters.round_start is not None:
        m.emit(p.Do(None, "counted_lead", ()))
    name, least, most, now = standing(m.program), m.temp(), m.temp(), m.temp()
    m.emit(p.Do(least, name, (ZERO,)), p.Set(most, p.Get(least)))
    for seat in range(1, counters.seats):
        m.emit(p.Do(now, name, (p.Const(seat),)))
        m.emit(p.Set(least, binary("min", p.Get(least), p.Get(now))))
        m.emit(p.Set(most, binary("max", p.Get(most), p.Get(now))))
    unknown = binary("|", same(p.Get(least), NOTHING), same(p.Get(most), p.Const(p.LARGEST)))
    spread = p.Pick(unknown, NOTHING, binary("-", p.Get(most), p.Get(least)))
    return [p.Word(p.Const(counters.changes)), spread]


def _measure(m: Builder, first: int, value: p.Expr) -> None:
    def known() -> None:
        m.emit(p.Sum(p.Const(first), value), p.Sum(p.Const(first + 1), p.Binary("*", value, value)))
        m.emit(p.Sum(p.Const(first + 2), value, "min"), p.Sum(p.Const(first + 3), value, "max"))
        shown = binary("min", binary("max", value, p.Const(-LEAST_BIN)), p.Const(EDGES[-1]))
        moved = m.atom(add(shown, p.Const(LEAST_BIN)))
        m.emit(p.Sum(add(m.program.entry(BINS, moved), p.Const(first + MEASURE)), ONE))

    m.when(binary("!=", value, NOTHING), known)


def _entry(m: Builder, counters: Counters, entry: p.Expr, won: list[p.Expr]) -> None:
    """What one thing that may come up did, see above."""
    seats = counters.seats
    row = m.atom(binary("*", entry, p.Const(seats)))
    times = [m.atom(word(counters.entries + seat, row)) for seat in range(seats)]
    total = m.atom(_total(times))

    def came() -> None:
        at = m.atom(add(binary("*", entry, p.Const(ENTRY)), p.Const(counters.sheet.first_entry)))
        did = [binary("<", ZERO, one) for one in times]
        wins = _total([binary("&", one, both) for one, both in zip(did, won, strict=True)])
        few = [m.atom(binary("min", one, p.Const(OFTEN))) for one in times]
        sums = [total, ONE, _total(did), wins, *_products(m, few, m.atom(_total(few)), won)]
        for number, value in enumerate(sums):
            m.emit(p.Sum(add(at, p.Const(number)), value))

    m.when(binary("!=", total, ZERO), came)


def _products(m: Builder, times: list[p.Expr], total: p.Expr, won: list[p.Expr]) -> list[p.Expr]:
    """T, T*T, U, U*U, T*U; for a single player there is nobody to compare with, and T, U are k*w, k."""
    together = m.atom(_total([p.Binary("*", k, w) for k, w in zip(times, won, strict=True)]))
    if len(times) == 1:
        t, u = together, total
    else:
        squares = _total([p.Binary("*", k, k) for k in times])
        count = p.Const(len(times))
        t = m.atom(p.Binary("-", p.Binary("*", together, count), p.Binary("*", total, _total(won))))
        u = m.atom(p.Binary("-", p.Binary("*", squares, count), p.Binary("*", total, total)))
    return [t, p.Binary("*", t, t), u, p.Binary("*", u, u), p.Binary("*", t, u)]


def _total(values: list[p.Expr]) -> p.Expr:
    return reduce(partial(p.Binary, "+"), values)
