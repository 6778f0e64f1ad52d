"""Piles as a position gives them: which copies of cards lie in them, and where those go that lay there before.

A given pile holds the listed cards in that order.  Copies are taken
from the pile itself, then from what its owner's other given piles no longer
hold and from those of the owner's piles that are not given, then the same of
everybody else, then from outside the game.  A copy that was in a given pile
and is listed nowhere goes to the last declared pile that nobody sees and that
is not given, of the same owner or else a shared one, as into a supply; or else
to one in which such things are at the start.  Where there is none, it must be
said in which of the other piles it lies; where no other pile is for such
things, it is out of the game.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.model import game as model
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning import state_changes
from rulekit.play.state.errors import RuleError
from rulekit.source import Span
from rulekit.values import define, field


@define(eq=False)
class GivenPile:
    """A given pile while it is being filled: printed cards, and for each its copy."""

    rows: tuple[int, ...]
    span: Span
    copies: list[int | None] = field(factory=list)


def fill(m: Machine, piles: dict[int, GivenPile]) -> None:
    """Make the piles what is given, from copies that lie elsewhere.  Errors: `RuleError` at the pile that cannot be."""
    spare = [(slot, thing) for slot, wanted in piles.items() for thing in _keep(m, slot, wanted)]
    for slot in piles:
        m.values[slot] = ()
        m.known.pop(slot, None)
    for slot, wanted in piles.items():
        for place, row in enumerate(wanted.rows):
            if wanted.copies[place] is None:
                wanted.copies[place] = _found(m, slot, row, spare, piles)
    for slot, wanted in piles.items():
        _lay(m, slot, [copy for copy in wanted.copies if copy is not None])
    near = {(slot, kind): _near(m, slot, kind, piles) for slot, kind in {(at, _kind(m, one)) for at, one in spare}}
    stranded = [(slot, thing) for slot, thing in spare if not _put_away(m, thing, near[slot, _kind(m, thing)])]
    if stranded:
        raise RuleError("given", _nowhere(m, stranded, piles), piles[stranded[0][0]].span)


def _keep(m: Machine, slot: int, wanted: GivenPile) -> list[int]:
    """What a given pile already has of what is listed; returns the rest, which now lies nowhere."""
    left = list(m.values[slot])
    for row in wanted.rows:
        copy = next((thing for thing in left if m.setting.row_of[thing] == row), None)
        wanted.copies.append(copy)
        if copy is not None:
            left.remove(copy)
    for thing in left:
        m.open_things.discard(thing)
        m.lies[thing - m.setting.copy_base] = -1
    return left


def _found(m: Machine, slot: int, row: int, spare: list[tuple[int, int]], piles: Mapping[int, GivenPile]) -> int:
    """A copy of a printed card for a given pile, taken from where it was."""
    near = [other for other in m.setting.pile_slots if _owner(m, other) == _owner(m, slot)]
    far = [other for other in m.setting.pile_slots if other not in near]
    for slots in (near, far):
        for at, (origin, thing) in enumerate(spare):
            if origin in slots and m.setting.row_of[thing] == row:
                del spare[at]
                return thing
        lying: list[int] = [thing for other in slots if other not in piles for thing in m.values[other]]
        for thing in lying:
            if m.setting.row_of[thing] == row:
                state_changes.take_out(m, thing)
                return thing
    return _from_outside(m, row, spare, piles, piles[slot].span)


def _from_outside(
    m: Machine, row: int, spare: list[tuple[int, int]], piles: Mapping[int, GivenPile], span: Span
) -> int:
    taken = {thing for _, thing in spare} | {copy for wanted in piles.values() for copy in wanted.copies}
    for thing in range(m.setting.copy_base, len(m.setting.things)):
        if m.setting.row_of[thing] == row and m.lies_in(thing) is None and thing not in taken:
            return thing
    printed = m.setting.things[row]
    raise RuleError("given", f"there are not so many copies of {printed.kind} {printed.key}", span)


def _owner(m: Machine, slot: int) -> tuple[str, int]:
    return _variable(m, slot).owner, m.setting.slot_owner[slot]


def _lay(m: Machine, slot: int, copies: list[int]) -> None:
    m.values[slot] = (*m.values[slot], *copies)
    for thing in copies:
        m.lies[thing - m.setting.copy_base] = slot


def _put_away(m: Machine, thing: int, near: list[list[int]]) -> bool:
    """A copy that is listed nowhere finds a pile that nobody sees or that such things come from; or it is out.

    Not so where it could lie in one of several others.
    """
    for stocks in (_unseen, _starting):
        for free in near:
            found = [slot for slot in free if stocks(m, slot)]
            if found:
                _lay(m, found[-1], [thing])
                return True
    return not any(near)


def _near(m: Machine, origin: int, kind: str, piles: Mapping[int, GivenPile]) -> list[list[int]]:
    """The piles of the same owner and the shared ones that can hold what lay in a given pile."""
    return [_free(m, owner, kind, piles) for owner in (_owner(m, origin), ("", 0))]


def _nowhere(m: Machine, stranded: list[tuple[int, int]], piles: Mapping[int, GivenPile]) -> str:
    """All that is missing, by the pile that it lay in, and where it could lie."""
    said: list[str] = []
    for origin in dict.fromkeys(slot for slot, _ in stranded):
        things = sorted(thing for slot, thing in stranded if slot == origin)
        near = [_near(m, origin, _kind(m, thing), piles) for thing in things]
        others = dict.fromkeys(slot for own, shared in near for slot in (own or shared))
        given = " or ".join(f"`{m.setting.path(slot)}`" for slot in others)
        keys = [m.setting.things[thing].key for thing in things]
        lay = f"{m.setting.things[things[0]].kind} {keys[0]} lay" if len(keys) == 1 else f"[{', '.join(keys)}] lay"
        is_listed = "is" if len(keys) == 1 else "are"
        said.append(f"{lay} in `{m.setting.path(origin)}` and {is_listed} listed nowhere: give {given} too")
    return "; ".join(said)


def _free(m: Machine, owner: tuple[str, int], kind: str, piles: Mapping[int, GivenPile]) -> list[int]:
    """The piles of an owner for such things that are not given."""
    slots = m.setting.pile_slots
    return [slot for slot in slots if slot not in piles and _owner(m, slot) == owner and _holds(m, slot) == kind]


def _unseen(m: Machine, slot: int) -> bool:
    return _variable(m, slot).seen == model.NOBODY


def _starting(m: Machine, slot: int) -> bool:
    return _variable(m, slot).start is not None


def _kind(m: Machine, thing: int) -> str:
    return m.setting.things[thing].kind


def _holds(m: Machine, slot: int) -> str:
    return _variable(m, slot).type.element.kind


def _variable(m: Machine, slot: int) -> model.Variable:
    return m.setting.game.variables[m.setting.slot_variable[slot]]
