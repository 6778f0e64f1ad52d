"""Check for more cards than a game may have, as far as declarations state how many are laid out.

Input are the declared variables and kinds; output are findings.  Piles that are filled by options are left to the
start of a match.
"""

from __future__ import annotations

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.resolve.symbol_table import World


def check(world: World, least: int) -> None:
    """Adds `too-many` at the pile with which there are too many things.  least: the fewest players."""
    copies = [member.copies for kind in world.kinds.values() for member in kind.members]
    count = len(copies)
    for variable in world.variables:
        things = _known_things(world, variable.start) if variable.form == "pile" else None
        if things is None:
            continue
        count += _owners(world, variable, least) * sum(copies[thing] for thing in things)
        if count > limits.THINGS:
            title = f"with the cards of `{variable.name}` there are {count} things, more than {limits.THINGS}"
            world.error("too-many", title, variable.span, "print fewer copies of a card")
            return


def _known_things(world: World, e: x.Expr | None) -> tuple[int, ...] | None:
    """The printed cards that an expression always stands for; None where that is not known."""
    match e:
        case x.AllOf(kind):
            return tuple(range(world.kinds[kind].base, world.kinds[kind].base + len(world.kinds[kind].members)))
        case x.Const(int(thing)) if not isinstance(thing, bool):
            return (thing,)
        case x.Const(tuple(things)):
            return tuple(thing for thing in things if isinstance(thing, int))
        case x.Lookup(kind, x.Const(int(number))):
            return _with_number(world, kind, number)
        case x.Mapped(x.Listed(items), _, x.Lookup(kind, x.Element())):
            # Numbers where cards are wanted, as in `deck except [1, 2]`.
            numbers = [item.value for item in items if isinstance(item, x.Const) and isinstance(item.value, int)]
            known = tuple(thing for number in numbers for thing in _with_number(world, kind, number))
            return known if len(numbers) == len(items) else None
        case x.Listed(items):
            each = [_known_things(world, item) for item in items]
            return None if None in each else tuple(thing for things in each if things for thing in things)
        case x.Without(of, less):
            whole, others = _known_things(world, of), _known_things(world, less)
            return None if whole is None or others is None else tuple(one for one in whole if one not in others)
        case _:
            return None


def _with_number(world: World, kind: str, number: int) -> tuple[int, ...]:
    members = enumerate(world.kinds[kind].members, world.kinds[kind].base)
    return tuple(thing for thing, member in members if member.key == str(number))


def _owners(world: World, variable: model.Variable, least: int) -> int:
    if variable.owner == "player":
        return least
    return len(world.kinds[variable.owner].members) if variable.owner else 1
