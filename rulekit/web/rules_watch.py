"""Rules files that change while matches run: looked at every second, and put under the matches played by them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from threading import Event, Thread

from rulekit.hosting.host import Host
from rulekit.hosting.store import StoreFault
from rulekit.loading import RulesError
from rulekit.values import define, field

EVERY = 1.0
"""Seconds between two looks."""
Stamp = tuple[tuple[str, int, int], ...]


@define(eq=False)
class RulesWatch:
    """problems: by file why it is no game now."""

    host: Host
    problems: dict[str, str] = field(init=False, factory=dict)
    _stamps: dict[str, Stamp] = field(init=False, factory=dict)
    _sources: dict[str, tuple[str, ...]] = field(init=False, factory=dict)
    _stopped: Event = field(init=False, factory=Event)
    _thread: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        for file in self.host.games:
            self._note(file)
        self._thread = Thread(target=self._run, daemon=True)

    def look(self) -> None:
        """Put what has changed under the running matches."""
        for file in self.host.games:
            if self._stamp(file) != self._stamps[file]:
                self._note(file, self._reloaded(file))

    def _reloaded(self, file: str) -> str:
        """What was wrong with it, or with the store in which its matches are kept; "" if nothing was."""
        try:
            return self.host.reload(file).problem
        except StoreFault as fault:
            return str(fault)

    def told(self) -> Mapping[str, str]:
        return dict(self.problems)

    def _note(self, file: str, problem: str = "") -> None:
        """What its files are like now; of a file that is no game those that it was made of before."""
        try:
            self._sources[file] = tuple(name for name, _ in self.host.game(file).sources)
        except RulesError as fault:
            problem = problem or str(fault)
        self._stamps[file] = self._stamp(file)
        self.problems.pop(file, None)
        if problem:
            self.problems[file] = problem

    def _stamp(self, file: str) -> Stamp:
        """Size and time of each file; of one that cannot be had, that it cannot."""
        return tuple(_looked_at(name) for name in self._sources.get(file, (file,)))

    def _run(self) -> None:
        while not self._stopped.wait(EVERY):
            self.look()

    def __enter__(self) -> RulesWatch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()


def _looked_at(name: str) -> tuple[str, int, int]:
    try:
        found = os.stat(name)
    except OSError:
        return name, -1, -1
    return name, found.st_size, found.st_mtime_ns
