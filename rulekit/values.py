"""Frozen value classes by attrs, quicker to define, for the modules that have very many of them.

attrs writes a program for each class and has it compiled whenever Python
starts, mostly to compare, hash and show values.  Here only the making of a
value is written so; the rest are the same few functions for all classes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    from attrs import frozen as frozen
else:

    def frozen(made: type | None = None, /, **how: Any) -> Any:
        """As `attrs.frozen`, with shared functions for `eq`, `hash` and `repr`."""
        if made is None:
            return partial(frozen, **how)
        made = attrs.frozen(made, eq=False, repr=False, **how)
        known = attrs.fields(made)
        _compared(made, [a.name for a in known if a.eq])
        made.__repr__ = _shown(tuple(a.name for a in known if a.repr))
        return made


def _compared(made: Any, names: list[str]) -> None:
    """Equal are values of one class that have equal attributes of these names."""
    each = tuple(attrgetter(name) for name in names)
    key: Callable[[Any], Any] = attrgetter(*names) if names else _nothing

    def equal(self: Any, other: object) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        # One by one, not as two tuples: deep values would meet Python's limit sooner.
        for of in each:  # noqa: SIM110
            if not of(self) == of(other):  # noqa: SIM201
                return False
        return True

    def hashed(self: Any) -> int:
        return hash(key(self))

    made.__eq__, made.__hash__ = equal, hashed


def _nothing(_: object) -> tuple[()]:
    return ()


def _shown(names: tuple[str, ...]) -> Callable[[Any], str]:
    def shown(self: Any) -> str:
        parts = []
        for name in names:
            parts.append(f"{name}={getattr(self, name)!r}")
        return f"{type(self).__qualname__}({', '.join(parts)})"

    return shown
