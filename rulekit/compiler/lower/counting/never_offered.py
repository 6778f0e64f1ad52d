"""Which members of a kind the rules themselves leave out of a question, whatever the position: `deck except 1`.

Three-valued: an expression is worked out for one member as far as it looks at nothing else; None is "not known".
"""

from __future__ import annotations

import operator
from collections.abc import Callable

from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.values import frozen

_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "above": operator.gt,
    "below": operator.lt,
    "at least": operator.ge,
    "at most": operator.le,
}


def never_offered(game: model.Game, options: x.Expr, kind: model.Kind) -> tuple[int, ...]:
    """The places among the members of a kind of those that never are among the options."""
    members = range(len(kind.members))
    return tuple(place for place in members if _One(game, kind, place).is_in(options) is False)


@frozen
class _One:
    """One member of a kind, of which expressions are asked."""

    game: model.Game
    kind: model.Kind
    place: int

    def is_in(self, e: x.Expr) -> bool | None:
        """Whether it is in a set."""
        match e:
            case x.AllOf(kind):
                return True if kind == self.kind.name else None
            case x.Without(of, less):
                return _both(self.is_in(of), _no(self.is_in(less)))
            case x.Filter(of, slot, test):
                return _both(self.is_in(of), self._truth(test, slot))
            case x.Listed(items):
                return _any([self._same(item) for item in items])
            case x.Mapped(x.Listed(items), slot, x.Lookup(kind, x.Element(of))) if of == slot:
                return _any([self._same(x.Lookup(kind, item)) for item in items])
            case x.Invoke(define, ()):
                return self.is_in(self.game.defines[define].value)
        return None

    def _same(self, e: x.Expr) -> bool | None:
        value = self._value(e, None)
        return None if value is None else value == self.kind.base + self.place

    def _truth(self, e: x.Expr, slot: int) -> bool | None:
        """Whether a condition about the element of a query holds of it."""
        match e:
            case x.Both(left, right):
                return _both(self._truth(left, slot), self._truth(right, slot))
            case x.Either(left, right):
                return _any([self._truth(left, slot), self._truth(right, slot)])
            case x.Not(of):
                return _no(self._truth(of, slot))
            case x.Same(left, right, negate):
                return self._compared(operator.ne if negate else operator.eq, left, right, slot)
            case x.Compare(op, left, right):
                return self._compared(_COMPARED[op], left, right, slot)
            case x.Among(x.Element(of), right, negate) if of == slot:
                return _no(self.is_in(right)) if negate else self.is_in(right)
        return None

    def _compared(self, test: Callable[[int, int], bool], left: x.Expr, right: x.Expr, slot: int) -> bool | None:
        one, other = self._value(left, slot), self._value(right, slot)
        return None if one is None or other is None else test(one, other)

    def _value(self, e: x.Expr, slot: int | None) -> int | None:
        """A number, or the number of a thing."""
        match e:
            case x.Const(int(value)):
                return value
            case x.Element(of) if of == slot:
                return self.kind.base + self.place
            case x.NumberOf(x.Element(of)) if of == slot and self.kind.numbered:
                return int(self.kind.members[self.place].key)
            case x.Trait(x.Element(of), kind, name) if of == slot and kind == self.kind.name:
                written = self.kind.traits[name][self.place]
                return written if isinstance(written, int) else None
            case x.Lookup(kind, x.Const(key)):
                keys = [member.key for member in self.game.kinds[kind].members]
                return self.game.kinds[kind].base + keys.index(str(key)) if str(key) in keys else None
        return None


def _both(left: bool | None, right: bool | None) -> bool | None:
    if left is False or right is False:
        return False
    return True if left and right else None


def _no(one: bool | None) -> bool | None:
    return None if one is None else not one


def _any(several: list[bool | None]) -> bool | None:
    if any(several):
        return True
    return False if all(one is False for one in several) else None
