"""The generator is part of every log: the same seed gives the same numbers for ever."""

from __future__ import annotations

from collections import Counter

from rulekit.play.state import counter_rng


def test_the_published_vectors_of_splitmix64() -> None:
    # Key 1234567 as in the reference implementation's own test values.
    assert [counter_rng.output(1234567, i) for i in range(3)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


def test_a_series_counts_its_matches() -> None:
    series = counter_rng.seed_number("tuesday")
    assert counter_rng.seed_number("tuesday#17") == counter_rng.output(series, 17)
    assert counter_rng.seed_number("tuesday#") != series
    assert counter_rng.seed_number("tuesday#x") == counter_rng._hash("rulekit seed 2:tuesday#x")


def test_streams_are_apart_and_even() -> None:
    keys = {counter_rng.stream_key(7, name) for name in ("deck", "die", "red.hand")}
    assert len(keys) == 3
    counts: Counter[int] = Counter()
    key, index = counter_rng.stream_key(7, "die"), 0
    for _ in range(6000):
        value, index = counter_rng.below(key, index, 6)
        counts[value] += 1
    # Chi-square with 5 degrees of freedom; 20.5 is passed once in a thousand.
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 20.5
