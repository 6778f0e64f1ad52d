"""Type checks of arguments at the border of the Python API.

Input: an argument as a program passes it.  Raises `TypeError` in the words of the API, so that a caller
without a type checker does not meet an `AttributeError` from inside the package.
"""

from __future__ import annotations

from typing import Any


def require_type(name: str, value: Any, kind: type | tuple[type, ...], expected: str) -> None:
    """Raise `TypeError` unless a value is of a type.  expected: noun phrase, such as `a State`."""
    if not isinstance(value, kind):
        shown = repr(value)
        raise TypeError(f"`{name}` is {expected}, not {shown if len(shown) <= 60 else type(value).__name__}")
