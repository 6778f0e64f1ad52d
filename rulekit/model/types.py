"""The types of the language.

Every expression has one static type.  `UNKNOWN` is the type of what was
already reported, so that one fault is told once.
"""

from __future__ import annotations

from rulekit.values import field, frozen


@frozen
class Type:
    """name: number, flag, player, thing, cell, direction, offset, set, snapshot, history, none or unknown.

    kind:   of a thing, the name of its kind.
    of:     of a set or pile, the type of its elements.
    """

    name: str
    kind: str = field(default="", converter=str)
    of: Type | None = None

    def __str__(self) -> str:
        if self.name == "thing":
            return _one(self.kind)
        if self.name == "set":
            return "a set" if self.element == UNKNOWN else f"a set of {_plural(self.element)}"
        return {"none": "nothing", "unknown": "something unknown"}.get(self.name, _one(self.name))

    @property
    def element(self) -> Type:
        """The type of the members; `UNKNOWN` of `EMPTY`, for nothing is asked of members that are not there."""
        return self.of or UNKNOWN

    @property
    def is_set(self) -> bool:
        return self.name == "set"


def _one(noun: str) -> str:
    return f"an {noun}" if noun[:1] in "aeio" else f"a {noun}"


def _plural(kind: Type) -> str:
    return "nothing" if kind == NOTHING else f"{kind.kind}s" if kind.name == "thing" else f"{kind.name}s"


@frozen
class Parameter:
    """What a define or an action is asked with or handed."""

    name: str = field(converter=str)
    type: Type


NUMBER = Type("number")
FLAG = Type("flag")
PLAYER = Type("player")
CELL = Type("cell")
DIRECTION = Type("direction")
OFFSET = Type("offset")
PLAIN = {kind.name: kind for kind in (NUMBER, FLAG, PLAYER, DIRECTION, CELL, OFFSET)}
"""The types that every game has, by name."""
HISTORY = Type("history")
NOTHING = Type("none")
UNKNOWN = Type("unknown")
EMPTY = Type("set")
"""The type of `[]`: a set that has no members, so that it fits every type of set and says nothing of the others."""


def thing(kind: str) -> Type:
    return Type("thing", kind=kind)


def set_of(element: Type) -> Type:
    return Type("set", of=element)


def snapshot_of(kind: str) -> Type:
    return Type("snapshot", kind=kind)


def fits(given: Type, wanted: Type) -> bool:
    """Whether a value of type `given` may stand where `wanted` is asked for, as it is."""
    if UNKNOWN in (given, wanted) or given == wanted:
        return True
    if given == NOTHING:
        return wanted.name in ("thing", "player", "direction", "cell", "snapshot")
    if given.is_set and wanted.is_set:
        return given == EMPTY or (wanted != EMPTY and fits(given.element, wanted.element))
    return False


def unify(a: Type, b: Type) -> Type | None:
    """Return the narrowest type that values of both types have as they are; None if there is none."""
    if UNKNOWN in (a, b):
        return b if a == UNKNOWN else a
    if EMPTY not in (a, b) and a.is_set and b.is_set:
        element = unify(a.element, b.element)
        return None if element is None else set_of(element)
    return b if fits(a, b) else a if fits(b, a) else None
