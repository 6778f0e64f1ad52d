"""Values taken apart into plain ones, places and all: for values whose own comparison leaves places out."""

from __future__ import annotations

from typing import Any

import attrs

from rulekit.model.game import Memo
from rulekit.syntax import nodes


def exact(value: Any, *, names: bool = True) -> Any:
    """Equal only for values that are alike in everything, but for what is worked out of them later.

    names:  with the places of names; of the names in a game, where they are but letters, nobody asks them.
    """
    if isinstance(value, nodes.Name):
        return (str(value), value.span) if names else str(value)
    if isinstance(value, Memo):
        return None
    if isinstance(value, tuple | list):
        return [exact(part, names=names) for part in value]
    if isinstance(value, dict):
        return [(exact(key, names=names), exact(part, names=names)) for key, part in value.items()]
    if attrs.has(type(value)):
        return type(value), [exact(getattr(value, each.name), names=names) for each in attrs.fields(type(value))]
    return value
