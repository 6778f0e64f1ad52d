"""Who wants to hear when what a seat is shown has changed: where it sees no difference, it must notice nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from threading import Lock
from typing import Any

from rulekit.hosting.table import Table
from rulekit.values import define, field

Listener = Callable[[], None]


@define(eq=False)
class Listeners:
    """All of one host, by match and seat; they are called from whatever thread changed something."""

    _by_match: dict[str, dict[object, tuple[int, Listener]]] = field(init=False, factory=dict)
    _seen: dict[tuple[str, int], Any] = field(init=False, factory=dict)
    _lock: Lock = field(init=False, factory=Lock)

    def add(self, table: Table, seat: int, listener: Listener) -> Callable[[], None]:
        """Call `listener` from now on; what is returned ends it."""
        match, key = table.match_id, object()
        with table.lock:
            looks = table.look(seat)
            with self._lock:
                self._by_match.setdefault(match, {})[key] = seat, listener
                self._seen.setdefault((match, seat), looks)
        return lambda: self._end(match, seat, key)

    def _end(self, match: str, seat: int, key: object) -> None:
        with self._lock:
            left: Mapping[object, tuple[int, Listener]] = self._by_match.get(match, {})
            self._by_match.get(match, {}).pop(key, None)
            if not any(other == seat for other, _ in left.values()):
                self._seen.pop((match, seat), None)
            if not left:
                self._by_match.pop(match, None)

    def has_some(self, match: str) -> bool:
        """Whether anybody listens to a match."""
        return match in self._by_match

    def tell(self, table: Table) -> None:
        """Call those who would see something else now."""
        with self._lock:
            waiting = list(self._by_match.get(table.match_id, {}).values())
        changed = {seat for seat in {seat for seat, _ in waiting} if self._has_changed(table, seat)}
        for seat, listener in waiting:
            if seat in changed:
                listener()

    def _has_changed(self, table: Table, seat: int) -> bool:
        key = table.match_id, seat
        with table.lock:
            if table.broken:
                return False
            now = table.look(seat)
            with self._lock:
                before, self._seen[key] = self._seen.get(key), now
        return bool(now != before)
