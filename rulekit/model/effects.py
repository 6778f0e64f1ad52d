"""What an operation may do, declared once beside its fields: op traits and memory effects, as in MLIR.

Whoever has to know which operations move pieces, jump, ask or show something
asks the operation and never lists classes; so a new operation is known to
all of them when it is declared.  What an operation *means* does not stand
here: that is said by the interpreter and, independently, by the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from rulekit.values import evolve, frozen

T = TypeVar("T")
Fields = tuple[str, ...]
"""Names of fields of the operation that declares them."""


@frozen
class Effects:
    """The effects of one class of operations.  Everything is a *may*: it can happen, it need not.

    Control flow:
    continues:  the next operation can come next.
    ends:       it ends the game.
    jumps:      fields that hold places in the same code where the flow can go on.
    calls:      the field with the number of a code that it runs.
    performs:   the field with a thing of which it runs what is printed on it, with `owner` and the thing.
    opens:      it begins a block of lines, and says by which condition, loop or step they are reached.
    joins:      it only holds other operations together: no line says it.

    Values:
    binds:      the field with the local that it fills.
    source:     the field from which that is worked out: an expression, or the number of another local.
    hides:      a flag: whether what it binds is told to nobody but who decided.
    declassifies:  everybody learns what it binds, whatever that was worked out from.
    asks:       the field with who decides.
    draws:      the field with the name of the stream of chance that it uses.
    writes:     fields with variables that it changes.
    alters:     what it changes of a match that is no variable: "starter".

    Things on boards and in piles:
    moves:      fields with pieces that it moves to another space; rules can react to that.
    along:      besides them it can move pieces that no field names.
    lifts:      fields with pieces that it can leave standing nowhere, whatever the edge of their place does.
    removes:    fields with pieces that it takes out of the match.
    takes:      fields with cards that it takes out of the pile they lie in.
    fills:      fields with piles that it puts cards on.
    exchanges:  what its two fields of things name ends where the other was.
    shuffles:   fields with piles of which it forgets the order.

    Who learns of it:
    shows:      fields whose values everybody can tell from what happens.
    steers:     fields whose values everybody can tell from what happens next; at the end of a match that is open.
    counts:     fields with sets, piles aside, of which everybody can tell how many they hold from what happens next.
    public:     how messages call it, if everybody sees that it is done: not to be done in secret.
    common:     how messages call it, if it is about all players: nobody's own, so not to be done in secret.
    """

    continues: bool = True
    ends: bool = False
    jumps: Fields = ()
    calls: str = ""
    performs: str = ""
    opens: bool = False
    joins: bool = False
    binds: str = ""
    source: str = ""
    hides: str = ""
    declassifies: bool = False
    asks: str = ""
    draws: str = ""
    writes: Fields = ()
    alters: str = ""
    moves: Fields = ()
    along: bool = False
    lifts: Fields = ()
    removes: Fields = ()
    takes: Fields = ()
    fills: Fields = ()
    exchanges: bool = False
    shuffles: Fields = ()
    shows: Fields = ()
    steers: Fields = ()
    counts: Fields = ()
    public: str = ""
    common: str = ""

    def named(self) -> set[str]:
        """All fields of the operation that it names."""
        told = [getattr(self, entry) for entry in type(self).__annotations__ if entry not in _WORDS]
        single = {names for names in told if isinstance(names, str)}
        return single.union(*(names for names in told if isinstance(names, tuple))) - {""}


_WORDS = ("alters", "public", "common")
"""What is said in words and names no field."""


def declared(kind: type) -> Effects:
    """The row of a class of operations.  Errors: `TypeError` if it has none of its own, or names a field it lacks."""
    row = kind.__dict__.get("effects")
    if not isinstance(row, Effects):
        raise TypeError(f"{kind.__name__} does not declare its effects")
    unknown = row.named() - set(kind.__annotations__)
    if unknown:
        raise TypeError(f"{kind.__name__} has no field {sorted(unknown)}, of which it declares effects")
    return row


# ---------------------------------------------------------------- asked of one operation


def targets(op: Any) -> tuple[int, ...]:
    """Where the flow can go on but at the next operation, as places in the same code."""
    found: list[int] = []
    for name in op.effects.jumps:
        held = getattr(op, name)
        found += [held] if isinstance(held, int) else [to for *_, to in held]
    return tuple(found)


def retargeted(op: T, place: Callable[[str, int, int], int]) -> T:
    """The operation with every place it can jump to replaced by `place(name, number, old)`.

    name, number:  the field that holds the place; which of several places in it.
    """
    old: Any = op
    made: dict[str, Any] = {}
    for name in old.effects.jumps:
        held = getattr(old, name)
        if isinstance(held, int):
            made[name] = place(name, 0, held)
        else:
            made[name] = tuple((*rest, place(name, number, to)) for number, (*rest, to) in enumerate(held))
    changed: T = evolve(old, **made) if made else old
    return changed


def binds(op: Any) -> int | None:
    """The local that the operation fills."""
    return getattr(op, op.effects.binds) if op.effects.binds else None


@cache
def expressions(kind: Any) -> Fields:
    """The fields of a class of operations that hold expressions, in order."""
    return tuple(name for name, of in kind.__annotations__.items() if "Expr" in of or "Target" in of)


def moved(op: Any) -> tuple[Any, ...]:
    """The expressions that give the pieces it moves."""
    return tuple(getattr(op, name) for name in op.effects.moves)


def may_react(row: Effects) -> bool:
    """Whether pieces come to rest by it, so that rules can react."""
    return bool(row.moves) or row.along


def may_move_cards(row: Effects) -> bool:
    """Whether cards can lie elsewhere afterwards, or in another order."""
    return bool(row.takes or row.fills or row.shuffles)


def may_call(row: Effects) -> bool:
    """Whether other codes can run before the next operation does, where rules react to pieces."""
    return bool(row.calls or row.performs) or may_react(row)


def ends_block(row: Effects) -> bool:
    """Whether something else than the next operation may follow, so that what is behind it need not run."""
    return bool(not row.continues or row.joins or row.jumps or row.asks or may_call(row))
