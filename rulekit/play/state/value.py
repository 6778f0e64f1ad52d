"""Values as they cross the border: by meaning, never by the engine's own numbers.

A number, a flag, nothing, a `Ref` to a thing, a label, or a tuple of these.
Decisions, actions, events, views and logs hold only such values.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from operator import index

from rulekit.values import frozen


@frozen
class Ref:
    """A thing by kind and key: a player, a card, a space, a direction, a reading."""

    kind: str
    key: str

    def __str__(self) -> str:
        return self.key


Value = int | bool | str | Ref | None | tuple["Value", ...]


_PLAIN = (int, str, Ref, bool, type(None))


def value_of(given: object) -> Value:
    """A value as somebody gives it from Python: several things may be in a list, a set or a range.

    Errors: `TypeError` for what no value of a game is.
    """
    if type(given) in _PLAIN or isinstance(given, str | Ref):
        return given  # type: ignore[return-value]
    if isinstance(given, tuple | list | AbstractSet | range):
        return tuple([value_of(item) for item in given])
    try:
        return int(index(given))  # type: ignore[arg-type]
    except TypeError:
        pass
    what = f"{type(given).__name__} is no value of a game"
    raise TypeError(f"{what}: give a number, a text, yes or no (a bool), None, a `Ref`, or several of these")


def notation(value: Value) -> str:
    """Short text for a value, as in logs, menus and scenarios."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "[" + ", ".join(notation(item) for item in value) + "]"
    return str(value)


_RUN = 10
"""So many numbers in a row are told by the first and the last."""


def offer(options: tuple[Value, ...]) -> str:
    """What may be chosen, as short text: `[walk, rest]`, `0..99`."""
    first = options[0] if options else None
    if len(options) >= _RUN and type(first) is int and options == tuple(range(first, first + len(options))):
        return f"{first}..{options[-1]}"
    return notation(options)
