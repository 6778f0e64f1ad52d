"""The parts of the page, each with its newest value and a number that goes up: who watches is told what has changed.

A publisher with one retained message for each topic: whoever comes late gets the newest of every part.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock

from rulekit.values import define, field

Payload = dict[str, object]
"""Plain values, as JSON has them."""


@define(eq=False)
class Parts:
    _newest: dict[str, tuple[int, Payload]] = field(init=False, factory=dict)
    _count: int = field(init=False, default=0)
    _listeners: list[Callable[[], None]] = field(init=False, factory=list)
    _lock: Lock = field(init=False, factory=Lock)

    def publish(self, part: str, payload: Payload) -> None:
        with self._lock:
            self._count += 1
            self._newest[part] = (self._count, payload)
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    def newest(self, part: str) -> Payload | None:
        found = self._newest.get(part)
        return None if found is None else found[1]

    def since(self, number: int) -> list[tuple[int, str, Payload]]:
        """What was published after a number and is still the newest of its part, in order."""
        with self._lock:
            found = [(at, part, payload) for part, (at, payload) in self._newest.items() if at > number]
        return sorted(found, key=lambda one: one[0])

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call a listener, from any thread, whenever a part is published; returns what ends it."""
        with self._lock:
            self._listeners.append(listener)

        def end() -> None:
            with self._lock:
                self._listeners.remove(listener)

        return end
