"""A worker thread that takes the newest of what it was given (conflation): what came between is passed over.

So work that is slower than typing never queues up, and the last text wins.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Condition, Thread
from typing import Any, Generic, TypeVar

from rulekit.errors import Interrupted
from rulekit.play.machine.cancellation import cancel_when
from rulekit.values import define, field

Job = TypeVar("Job")
IsStale = Callable[[], bool]
"""Asked in the middle of long work: whether something newer waits, so that nobody wants the result any more."""


@define(eq=False)
class Latest(Generic[Job]):
    """name:    of the thread.  work: is given what is newest, one at a time.

    interrupt: breaks off what is worked on, from any thread, sooner than it would ask whether it is stale.
    failed:  faults of ours in the work, for whoever runs the program.
    """

    name: str
    work: Callable[[Job, IsStale], None]
    interrupt: Callable[[], None] = lambda: None
    failed: list[BaseException] = field(init=False, factory=list)
    _waiting: list[Job] = field(init=False, factory=list)
    _busy: bool = field(init=False, default=False)
    _closed: bool = field(init=False, default=False)
    _stopped: bool = field(init=False, default=False)
    _changed: Condition = field(init=False, factory=Condition)
    _thread: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._thread = Thread(target=self._run, name=self.name, daemon=True)
        self._thread.start()

    def put(self, job: Job) -> None:
        """Work on this next, instead of whatever waited; returns at once."""
        with self._changed:
            self._waiting[:] = [job]
            self._changed.notify_all()
            # While nobody can take the job: it is not what is broken off.
            self.interrupt()

    def is_stale(self) -> bool:
        return bool(self._waiting) or self._closed or self._stopped

    def is_busy(self) -> bool:
        """Whether something is worked on, or waits."""
        return bool(self._waiting) or self._busy

    def stop(self) -> None:
        """Break off what is worked on, and forget what waits."""
        with self._changed:
            self._waiting.clear()
            self._stopped = True
            self.interrupt()

    def settled(self, timeout: float | None = None) -> bool:
        """Wait until nothing waits nor is worked on; whether that came within so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: not self.is_busy(), timeout)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()
        self.interrupt()
        self._thread.join()

    def _run(self) -> None:
        while (job := self._next()) is not None:
            try:
                with cancel_when(self.is_stale):
                    self.work(job[0], self.is_stale)
            except Interrupted:
                pass  # Something newer waits.
            except Exception as fault:
                self.failed.append(fault)
            with self._changed:
                self._busy = False
                self._changed.notify_all()

    def _next(self) -> list[Any] | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed)
            if self._closed:
                return None
            taken = list(self._waiting)
            self._waiting.clear()
            self._busy, self._stopped = True, False
            return taken
