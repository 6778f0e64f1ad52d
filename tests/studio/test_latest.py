"""A worker takes the newest of what it was given, and gives up what is out of date."""

from __future__ import annotations

from threading import Event

from rulekit.studio.latest import IsStale, Latest
from tests import processes


def test_what_came_between_is_passed_over() -> None:
    begun, go_on = Event(), Event()
    done: list[int] = []

    def work(job: int, is_stale: IsStale) -> None:
        begun.set()
        assert go_on.wait(processes.HANG)
        done.append(job)

    worker = Latest("test", work)
    worker.put(0)
    assert begun.wait(processes.HANG)
    for job in range(1, 10):
        worker.put(job)
    go_on.set()
    assert worker.settled(processes.HANG)
    worker.close()
    assert done == [0, 9]


def test_long_work_hears_that_nobody_wants_it_any_more() -> None:
    begun, told = Event(), Event()
    gave_up: list[int] = []

    def work(job: int, is_stale: IsStale) -> None:
        begun.set()
        while job == 0 and not is_stale():
            told.wait(0.01)
        gave_up.append(job)

    worker = Latest("test", work)
    worker.put(0)
    assert begun.wait(processes.HANG)
    worker.put(1)
    assert worker.settled(processes.HANG)
    worker.close()
    assert gave_up == [0, 1]


def test_a_fault_ends_neither_the_worker_nor_is_it_lost() -> None:
    done: list[int] = []

    def work(job: int, is_stale: IsStale) -> None:
        done.append(10 // job)

    worker = Latest("test", work)
    worker.put(0)
    assert worker.settled(processes.HANG)
    worker.put(5)
    assert worker.settled(processes.HANG)
    worker.close()
    assert done == [2]
    assert [type(fault) for fault in worker.failed] == [ZeroDivisionError]


def test_what_is_put_next_is_not_itself_broken_off() -> None:
    begun, too_late = Event(), list[bool]()
    worker = Latest("test", lambda job, is_stale: begun.set(), lambda: too_late.append(begun.wait(0.05)))
    try:
        worker.put("new")
        assert worker.settled(processes.HANG)
    finally:
        worker.close()
    assert not too_late[0]
