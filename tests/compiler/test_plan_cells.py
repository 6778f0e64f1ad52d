"""Cells, reals and hashes in plans: what each engine makes of them."""

from __future__ import annotations

from itertools import chain
from math import inf, nextafter, sqrt
from typing import Any

import pytest

from rulekit.compiler.plan import ir as p
from rulekit.play.state import counter_rng
from tests.compiler.plan_reals import bits, signed
from tests.generators.handmade_plans import ENGINES, add, binary, const, function, get, plan, put, store, when, word

KNOWING = [make for name, make in ENGINES.items() if name != "python"]


@pytest.fixture(params=KNOWING)
def engine(request: pytest.FixtureRequest) -> Any:
    return request.param


def raised(at: int | p.Expr) -> p.Statement:
    return p.SetCell(const(at), binary("+", p.Cell(const(at)), 1))


def reals(*values: p.Expr) -> list[p.Statement]:
    return [add(0, value) for value in values]


def real(value: float) -> p.Expr:
    return const(bits(value))


def test_cells_outlive_matches(engine: Any) -> None:
    machine = engine(plan(raised(1), raised(1), store(0, p.Cell(const(1))), cells=2))
    for number in range(1, 4):
        assert machine.play(number) == p.Status.DONE
        assert machine.words()[0] == 2 * number
    assert engine(machine.plan).play(1) == p.Status.DONE


def test_every_machine_has_cells_of_its_own(engine: Any) -> None:
    made = plan(raised(0), store(0, p.Cell(const(0))), cells=1)
    for machine in (engine(made), engine(made)):
        machine.play(1)
        assert machine.words()[0] == 1


def test_cells_are_found_by_numbers(engine: Any) -> None:
    at = binary("+", word(0), 1)
    machine = engine(plan(store(0, 3), p.SetCell(at, const(7)), store(1, p.Cell(const(4))), cells=5))
    machine.play(1)
    assert machine.words()[:2] == [3, 7]


def test_no_try_takes_cells_back(engine: Any) -> None:
    """But all else, also where it fails."""
    tried = function("code_1", raised(0), store(0, 5), p.Fail(const(p.Status.FAULT)))
    machine = engine(plan(p.Try("t1", "code_1", ()), store(1, p.Cell(const(0))), functions=(tried,), cells=1))
    assert machine.play(1) == p.Status.DONE
    assert machine.words()[:2] == [0, 1]


ARITHMETIC: tuple[tuple[str, float, float, float], ...] = (
    ("+", 0.1, 0.2, 0.1 + 0.2),
    ("-", 0.3, 0.1, 0.3 - 0.1),
    ("*", 1e200, 1e-200, 1e200 * 1e-200),
    ("/", 1.0, 3.0, 1.0 / 3.0),
    ("max", -1.5, -2.5, -1.5),
    ("max", -0.0, 0.0, 0.0),
    ("max", 0.0, -0.0, 0.0),
)


@pytest.mark.parametrize(("op", "left", "right", "wanted"), ARITHMETIC)
def test_reals_are_rounded_as_doubles(engine: Any, op: str, left: float, right: float, wanted: float) -> None:
    known = [p.Set("t1", real(left)), p.SetCell(const(0), real(right))]
    both = p.Real(op, real(left), real(right)), p.Real(op, get("t1"), p.Cell(const(0)))
    machine = engine(plan(*known, *reals(*both), cells=1))
    machine.play(1)
    assert machine.lists()[0] == [bits(wanted)] * 2


def test_reals_of_one_operand(engine: Any) -> None:
    large = 2**53 + 1
    made = (p.Real("sqrt", real(2.0)), p.Real("float", const(-3)), p.Real("float", const(large)))
    machine = engine(plan(*reals(*made)))
    machine.play(1)
    assert machine.lists()[0] == [bits(sqrt(2.0)), bits(-3.0), bits(float(large))]


def test_reals_are_compared_as_numbers(engine: Any) -> None:
    """As integers with the same bits those below 0 would stand in the other order."""
    one, next_ = real(-1.0), real(nextafter(-1.0, inf))
    found = [
        when(p.Real("<", left, right), add(0, 1), other=(add(0, 0),)) for left, right in ((one, next_), (next_, one))
    ]
    flags = reals(p.Real("<", real(0.0), real(-0.0)), binary("&", p.Real("<", one, next_), 1))
    machine = engine(plan(*found, *flags))
    machine.play(1)
    assert machine.lists()[0] == [1, 0, 0, 1]


def test_a_hash_is_an_output_of_the_generator(engine: Any) -> None:
    pairs = [(0, 0), (1, 2), (-1, -1), (2**63 - 1, 5), (-(2**63), p.NONE)]
    made = chain(*([put("t1", key), add(0, p.Hash(get("t1"), const(value)))] for key, value in pairs))
    machine = engine(plan(*made))
    machine.play(1)
    assert machine.lists()[0] == [signed(counter_rng.output(key % 2**64, value % 2**64)) for key, value in pairs]
