"""Type reconstruction: what type the value of a resolved expression has, so that it can be shown by meaning.

The checker knew it and did not keep it.  Where nothing can be told without
running, the answer is `UNKNOWN`, never a guess.
"""

from __future__ import annotations

from rulekit.model import builtin_signatures, effects, ops
from rulekit.model import expr as x
from rulekit.model.game import Game
from rulekit.model.types import CELL, DIRECTION, FLAG, NUMBER, PLAYER, UNKNOWN, Type, set_of, thing
from rulekit.values import define, field

_NUMBERS = (x.NumberOf, x.Ordinal, x.Count, x.Fold, x.Arithmetic, x.Negative)
_FLAGS = (x.Not, x.Some, x.Both, x.Either, x.Compare, x.Same, x.Among, x.Placed, x.Possible)
_WITHIN = (x.Filter, x.Without, x.Extreme, x.Ordered)
_ALWAYS: dict[type, Type] = {
    **dict.fromkeys(_NUMBERS, NUMBER),
    **dict.fromkeys(_FLAGS, FLAG),
    **dict.fromkeys((x.Spaces, x.Interval), set_of(NUMBER)),
    x.Seats: set_of(PLAYER),
    x.Cells: set_of(CELL),
    x.CellAt: CELL,
    x.OwnerOf: PLAYER,
    x.Direction: DIRECTION,
}
"""Expressions of which every one has the same type."""


@define(eq=False)
class ExpressionTypes:
    """The types of one game's expressions; those of locals are found from what binds them."""

    game: Game
    _locals: dict[tuple[int, int], Type] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        self._locals = {}
        self._members()
        # A parameter is known when its caller is: a few rounds reach every call.
        for _ in range(4):
            for index, code in enumerate(self.game.codes):
                for op in code.ops:
                    self._bind(index, op)

    def _members(self) -> None:
        for kind in self.game.kinds.values():
            for member in kind.members:
                if member.code is not None:
                    self._locals[member.code, 0] = PLAYER
                    self._locals[member.code, 1] = thing(kind.name)
        for reaction in self.game.reactions:
            self._locals[reaction.code, 0] = thing(reaction.kind)

    def _bind(self, code: int, op: ops.Op) -> None:
        local = effects.binds(op)
        if local is not None:
            self._note(code, local, self._bound(code, op))
        if isinstance(op, ops.Call):
            for place, arg in enumerate(op.args):
                self._note(op.code, place, self.of(arg, code))

    def _bound(self, code: int, op: ops.Op) -> Type:
        """The type of the local that an operation fills: declared, that of its source, or a seat."""
        declared = getattr(op, "type", None)
        if isinstance(declared, Type):
            return declared
        source = getattr(op, op.effects.source) if op.effects.source else None
        if isinstance(source, int):
            return self._locals.get((code, source), UNKNOWN).element
        return PLAYER if source is None else self.of(source, code)

    def _note(self, code: int, local: int, kind: Type) -> None:
        if kind != UNKNOWN:
            self._locals.setdefault((code, local), kind)

    def of(self, e: x.Expr, code: int, elements: tuple[Type, ...] = (), args: tuple[Type, ...] | None = None) -> Type:
        """The type of a value.

        code:      the place of the code whose locals it reads.
        elements:  of the queries around it; args: of the define in which it stands.
        """
        if isinstance(e, x.Local):
            return self._local(e, code, args)
        if isinstance(e, x.Element):
            return elements[e.index] if e.index < len(elements) else UNKNOWN
        if isinstance(e, x.Choice):
            then = self.of(e.then, code, elements, args)
            return then if then != UNKNOWN else self.of(e.other, code, elements, args)
        if isinstance(e, x.Invoke):
            given = tuple(self.of(arg, code, elements, args) for arg in e.args)
            return self.of(self.game.defines[e.define].value, code, (), given)
        if isinstance(e, _WITHIN):
            return self.of(e.of, code, elements, args)
        if isinstance(e, x.End | x.ItemOf):
            return self.of(e.of, code, elements, args).element
        if isinstance(e, x.Union):
            left = self.of(e.left, code, elements, args)
            return left if left != UNKNOWN else self.of(e.right, code, elements, args)
        if isinstance(e, x.Mapped):
            inner = (*elements[: e.slot], self.of(e.of, code, elements, args).element)
            value = self.of(e.value, code, inner, args)
            return value if e.flat or value == UNKNOWN else set_of(value)
        if isinstance(e, x.Listed):
            found = [kind for item in e.items if (kind := self.of(item, code, elements, args)) != UNKNOWN]
            return set_of(found[0]) if found else UNKNOWN
        if isinstance(e, x.Builtin) and builtin_signatures.WORDS[e.word].gives == "same":
            return self.of(e.args[0], code, elements, args)
        if isinstance(e, x.SpaceOf | x.HomeOf):
            return self._space(self.of(e.piece, code, elements, args))
        return self._plain(e)

    def _space(self, piece: Type) -> Type:
        """What a space is where pieces of a kind stand."""
        for variable in self.game.variables:
            if variable.place and piece.kind in (variable.type.kind, variable.type.element.kind):
                place = self.game.places[variable.place]
                return {"track": NUMBER, "grid": CELL}.get(place.form) or thing(place.kind)
        return UNKNOWN

    def _local(self, e: x.Local, code: int, args: tuple[Type, ...] | None) -> Type:
        if args is not None:
            return args[e.index] if e.index < len(args) else UNKNOWN
        return self._locals.get((code, e.index), UNKNOWN)

    def _plain(self, e: x.Expr) -> Type:
        """The type of what does not depend on where it stands."""
        if isinstance(e, x.Stored | x.PieceOf | x.GroupOf):
            return self.game.variables[e.variable].type
        if isinstance(e, x.OptionValue):
            return self.game.options[e.index].type
        if isinstance(e, x.Trait):
            return self.game.kinds[e.kind].trait_types.get(e.name, UNKNOWN)
        if isinstance(e, x.Lookup):
            return thing(e.kind)
        if isinstance(e, x.AllOf):
            return set_of(thing(e.kind))
        if isinstance(e, x.Builtin):
            return builtin_signatures.WORDS[e.word].type
        if isinstance(e, x.Const) and isinstance(e.value, bool):
            return FLAG
        return _ALWAYS.get(type(e), UNKNOWN)
