"""Values taken apart into plain ones, places and all: for values whose own comparison leaves places out."""

from __future__ import annotations

from typing import Any

import attrs

from rulekit.model.game import Memo
from rulekit.syntax import nodes


def exact(value: Any) -> Any:
    """Equal only for values that are alike in everything, but for what is worked out of them later."""
    if isinstance(value, nodes.Name):
        return str(value), value.span
    if isinstance(value, Memo):
        return None
    if isinstance(value, tuple | list):
        return [exact(part) for part in value]
    if isinstance(value, dict):
        return [(exact(key), exact(part)) for key, part in value.items()]
    if attrs.has(type(value)):
        return type(value), [exact(getattr(value, each.name)) for each in attrs.fields(type(value))]
    return value
