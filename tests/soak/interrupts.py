"""Ctrl-C during a long run that ends between two of its steps, and tells what it counted."""

from __future__ import annotations

import signal

from attrs import define


@define(eq=False)
class Interrupts:
    """came: whether somebody wants the run to end."""

    came: bool = False

    @classmethod
    def taken(cls) -> Interrupts:
        """From now on; a second one ends the process as ever."""
        found = cls()

        def take(number: int, frame: object) -> None:
            found.came = True
            signal.signal(number, signal.default_int_handler)

        signal.signal(signal.SIGINT, take)
        return found


NONE = Interrupts()
"""Those of a run that is not asked to listen."""
