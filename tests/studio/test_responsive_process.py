"""Garbage is collected when nobody waits, and what stood there from the beginning is not looked through each time."""

from __future__ import annotations

import gc

from rulekit.studio import responsive_process
from rulekit.studio.responsive_process import responsive


class Ring:
    """Refers to itself, so that only a collection ends it."""

    alive = 0

    def __init__(self) -> None:
        self.ring = self
        Ring.alive += 1

    def __del__(self) -> None:
        Ring.alive -= 1


def test_all_is_collected_when_nobody_waits() -> None:
    with responsive() as looked:
        gc.collect(1)
        looked(True)
        gc.disable()
        try:
            assert gc.get_freeze_count(), "what is there from the beginning is not looked through again"
            made = Ring()
            gc.collect(1)  # It is old now.
            del made
            alive = Ring.alive
            gc.collect(1)
            looked(False)
            assert Ring.alive == alive
            looked(True)
            assert Ring.alive < alive
        finally:
            gc.enable()
    assert not gc.get_freeze_count()


def test_who_never_rests_keeps_no_endless_garbage() -> None:
    with responsive() as looked:
        made = Ring()
        gc.collect(1)
        del made
        alive = Ring.alive
        for _ in range(responsive_process._MOST + 1):
            gc.collect(1)
        looked(False)
        assert Ring.alive < alive


def test_younger_garbage_is_looked_through_as_often_whatever_the_command_has_set() -> None:
    before = gc.get_threshold()
    gc.set_threshold(200_000)
    try:
        with responsive():
            assert gc.get_threshold()[:2] == (700, 10)
        assert gc.get_threshold()[0] == 200_000
    finally:
        gc.set_threshold(*before)
