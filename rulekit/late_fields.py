"""Attributes of value classes that are worked out when somebody asks for them (lazy evaluation)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple


class Late(NamedTuple):
    """What stands in the place of a value until somebody asks for it."""

    work: Callable[[Any, int], Any]
    of: Any
    by: int


class LateField:
    """An attribute that may be given as `Late`; whoever reads it gets what that comes to."""

    def __init__(self, slot: Any) -> None:
        self.slot = slot

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        value = self.slot.__get__(instance)
        if value.__class__ is Late:
            # Two threads may both work it out: they come to equal values.
            value = value.work(value.of, value.by)
            self.slot.__set__(instance, value)
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        self.slot.__set__(instance, value)

    def raw(self, instance: Any) -> Any:
        """As it was given, if nobody has asked for it yet."""
        return self.slot.__get__(instance)


def has_late(kind: type, name: str) -> None:
    """Lets an attribute of a value class be given as `Late`."""
    setattr(kind, name, LateField(getattr(kind, name)))
