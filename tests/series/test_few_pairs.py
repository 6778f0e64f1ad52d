"""Differences of a few pairs: none is told that chance alone would make more often than in one of twenty series."""

from __future__ import annotations

from itertools import product
from math import comb

import pytest

from rulekit.tools.compare.paired_comparison import ERROR, PairedFigure
from rulekit.tools.estimation.confidence_intervals import share
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.report.pages import _apart
from rulekit.tools.report.plots import Bar


def figure(differences: tuple[int, ...], pairs: int, *, percent: bool = False) -> PairedFigure:
    made = PairedFigure("x", percent=percent)
    for each in differences:
        made.add(max(0, -each), max(0, each))
    made.count = pairs
    return made


def is_clear(of: PairedFigure) -> bool:
    found = of.difference()
    return found.low > 0 or found.high < 0


@pytest.mark.parametrize("pairs", [3, 4, 5, 1000])
def test_three_pairs_that_differ_to_one_side_show_nothing(pairs: int) -> None:
    for differences in ((1, 1, 1), (1, 2, 3), (40, 40, 40)):
        assert not is_clear(figure(differences, pairs))


@pytest.mark.parametrize("more", [0, 4, 1000])
def test_of_wins_that_differ_by_chance_one_series_of_twenty_seems_clear_at_most(more: int) -> None:
    """All numbers of pairs that differ, and all ways in which chance can share them out (the sign test)."""
    for count in range(1, 61):
        clear = sum(
            comb(count, less)
            for less in range(count + 1)
            if is_clear(figure((1,) * (count - less) + (-1,) * less, count + more, percent=True))
        )
        assert clear <= ERROR * 2**count


@pytest.mark.parametrize(
    "sizes", [(1,) * 10, tuple(range(1, 11)), (50, *(1,) * 9), (5, 5, 5, *(1,) * 7), (3, 2, 2, 1, 1, 1)]
)
@pytest.mark.parametrize("more", [0, 500])
def test_nor_of_numbers(sizes: tuple[int, ...], more: int) -> None:
    """All signs that the differences of a number can have (the sign-flip test)."""
    clear = sum(
        is_clear(figure(tuple(size * sign for size, sign in zip(sizes, signs, strict=True)), len(sizes) + more))
        for signs in product((1, -1), repeat=len(sizes))
    )
    assert clear <= ERROR * 2 ** len(sizes)


def test_six_pairs_to_one_side_are_enough() -> None:
    assert is_clear(figure((1,) * 6, 6, percent=True))
    assert is_clear(figure((1,) * 6, 1000, percent=True))
    assert is_clear(figure((2, 3, 2, 3, 2, 3), 6))


@pytest.mark.parametrize(("matches", "words"), [(5, "too few"), (40, "surely differ")])
def test_a_report_says_of_no_seat_that_it_is_better_after_five_matches(matches: int, words: str) -> None:
    bars = [Bar("red", share(matches, matches)), Bar("blue", share(0, matches))]
    assert words in _apart(bars, matches, SOURCE)


def test_an_interval_is_that_of_two_more_pairs_one_to_each_side() -> None:
    """Bonett and Price (2012), of 100 pairs of which 24 and 6 differ, worked out by hand."""
    found = figure((1,) * 24 + (-1,) * 6, 100, percent=True).difference()
    assert found.value == 0.18
    assert (round(found.low, 4), round(found.high, 4)) == (0.0733, 0.2796)


def test_all_pairs_that_differ_by_the_same_leave_room() -> None:
    found = figure((1,) * 6, 6).difference()
    assert 0 < found.low < found.value == 1 < found.high
