"""Values as they cross the border: by meaning, never by the engine's own numbers.

A number, a flag, nothing, a `Ref` to a thing, a label, or a tuple of these.
Decisions, actions, events, views and logs hold only such values.
"""

from __future__ import annotations

from attrs import frozen


@frozen
class Ref:
    """A thing by kind and key: a player, a card, a space, a direction, a reading."""

    kind: str
    key: str

    def __str__(self) -> str:
        return self.key


Value = int | bool | str | Ref | None | tuple["Value", ...]


def notation(value: Value) -> str:
    """Short text for a value, as in logs, menus and scenarios."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "[" + ", ".join(notation(item) for item in value) + "]"
    return str(value)
