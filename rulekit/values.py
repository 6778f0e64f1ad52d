"""Frozen values by attrs, for the modules that have very many of them.

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
        """As `attrs.frozen` without `eq`, `hash`, `order`, `repr` or `str`."""
        if made is None:
            return partial(frozen, **how)
        made = attrs.frozen(made, eq=False, repr=False, **how)
        known = attrs.fields(made)
        _compared(made, [a.name for a in known if a.eq])
        made.__repr__ = _shown(tuple(a.name for a in known if a.repr))
        return made


def _compared(made: Any, names: list[str]) -> None:
    """Equal are values of one class that have equal attributes of these names."""
    key: Callable[[Any], Any] = attrgetter(*names) if names else _nothing

    def equal(self: Any, other: object) -> bool:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: Any) -> int:
        return hash(key(self))

    made.__eq__, made.__hash__ = equal, hashed


def _nothing(_: object) -> tuple[()]:
    return ()


def _shown(names: tuple[str, ...]) -> Callable[[Any], str]:
    def shown(self: Any) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return shown
