"""Moving pieces on places: journeys, arriving, pushing, swapping."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.model.types import CELL
from rulekit.play.machine.closure_compilation import HANDLERS, Act, Meanings, evaluate, spend
from rulekit.play.machine.provenance import meet
from rulekit.play.machine.working_state import CallFrame, Machine
from rulekit.play.meaning import passing_over
from rulekit.play.meaning.state_changes import put_on_pile
from rulekit.play.state.cost_model import cost_model
from rulekit.play.state.event import Audience, Later, Told
from rulekit.play.state.external_values import outward
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value

# ---------------------------------------------------------------- where pieces stand


def place_of(m: Machine, piece: int) -> model.Place:
    return m.setting.place_at[piece]


def space_of(m: Machine, piece: int) -> Any:
    return m.values[m.setting.piece_slot[piece]]


def declared(m: Machine, piece: int) -> model.Variable:
    """The variable by which a piece is on the table: it says where its home is."""
    return m.setting.game.variables[m.setting.slot_variable[m.setting.piece_slot[piece]]]


def occupants(m: Machine, place: model.Place, space: Any, but: int) -> list[int]:
    """The pieces on a space, without the one that arrives."""
    values, slots, gone = m.values, m.setting.piece_slot, m.gone
    pieces = m.setting.on_place[place.name]
    return [p for p in pieces if values[slots[p]] == space and p != but and p not in gone]


def room(m: Machine, place: model.Place, space: Any) -> int | None:
    """How many pieces a space holds; None for any number."""
    for spaces, hold in place.capacity:
        if spaces is None or space in spaces:
            return int(hold.value if isinstance(hold, x.Const) else evaluate(m, hold))  # type: ignore[arg-type]
    return None


def has_room(m: Machine, place: model.Place, space: Any, but: int) -> bool:
    hold = room(m, place, space)
    if hold is None:
        return True
    standing = occupants(m, place, space, but)
    if len(standing) >= hold:
        tell_full(m, place, space, standing)
    return len(standing) < hold


def tell_full(m: Machine, place: model.Place, space: Any, standing: Sequence[int]) -> None:
    """That a space holds no more decides what follows, for those who may know who stands there."""
    if m.trace is None:
        return
    known: Audience = None
    for piece in standing:
        known = meet(known, m.sees(m.setting.piece_slot[piece]))
    at = next(at for at, (spaces, _) in enumerate(place.capacity) if spaces is None or space in spaces)
    m.trace.trail.add(place.holding[at], known)


def overfull(m: Machine, piece: int) -> str:
    """Why a piece cannot stand where it does beside the others there; "" if it can."""
    place, space = place_of(m, piece), space_of(m, piece)
    hold = None if space is None else room(m, place, space)
    others = [] if hold is None else occupants(m, place, space, piece)
    if hold is None or len(others) < hold or (others and _policy(m, place, piece, others[0]).word == "stacks"):
        return ""
    return f"{shown_space(m, piece, space)} of `{place.name}` holds {hold} at most"


def shown_space(m: Machine, piece: int, space: Any) -> Value:
    return _shown(m.setting, piece, space)


def _shown(setting: Setting, piece: int, space: Any) -> Value:
    place = setting.places[setting.piece_place[piece]]
    if space is None or place.form == "track":
        return space  # type: ignore[no-any-return]
    if place.form == "course":
        return setting.ref(space)
    return outward(setting, CELL, space)


def stand(m: Machine, piece: int, space: Any, word: str, moved: bool, clauses: tuple[str, ...] | None = None) -> None:
    """Put a piece somewhere and say so; note it for reactions.  One that was out of the game is back in it.

    clauses:  those that it carries out, where they are not the ones of the line.
    """
    slot = m.setting.piece_slot[piece]
    if m.branch is not None:
        m.check_write(slot)
    old = m.values[slot]
    m.values[slot] = space
    if space is not None:
        m.gone.discard(piece)
    m.changed()
    if not m.silent and (old != space or word == "swap"):
        m.emit(word, Later(_told, m.setting, piece, old, space), None, clauses)
    if m.setting.game.reactions:
        m.landings.append((piece, old, space, moved))


def _told(setting: Setting, piece: int, old: Any, space: Any) -> tuple[Told, ...]:
    origin, goal = _shown(setting, piece, old), _shown(setting, piece, space)
    return Told("piece", setting.ref(piece)), Told("from", origin), Told("to", goal)


# ---------------------------------------------------------------- moving


def _move_piece(c: Meanings, op: ops.MovePiece) -> Act:
    pieces_of, goal_of, many = c.of(op.piece), c.of(op.to), op.many

    def move_piece(m: Machine, frame: CallFrame) -> bool:
        pieces, space = pieces_of(m), goal_of(m)
        for piece in pieces if many else (pieces,):
            if piece is None:
                raise m.error("of-nothing", "there is no piece to move")
            m.about(piece)
            move_to(m, piece, space)
        return bool(m.landings)

    return move_piece


def move_to(m: Machine, piece: int, space: Any) -> None:
    """Put down on a space: it passes nothing, but arrival applies."""
    arrive(m, piece, None if space is None else goal(m, place_of(m, piece), space), 0, "move")


def goal(m: Machine, place: model.Place, space: Any) -> Any:
    """A space of its place; None for a cell beyond the edge of a grid that pieces leave.

    Errors:  `off-the-board` for any other space that the place does not have.
    """
    if place.form == "track" and not (place.low <= space and (place.high is None or space <= place.high)):
        raise m.error("off-the-board", f"`{place.name}` has no space {space}")
    if place.form != "grid" or on_board(place, space):
        return space
    if place.edge == "leaves":
        return None
    assert place.edge in ("stops", "wraps"), place.edge
    raise m.error("off-the-board", f"`{place.name}` has no cell {space[0] + 1},{space[1] + 1}")


def on_board(place: model.Place, cell: tuple[int, int]) -> bool:
    """Whether a grid has a cell; an unbounded one has all."""
    if place.width is None or place.height is None:
        return True
    return 0 <= cell[0] < place.width and 0 <= cell[1] < place.height


def _go_home(c: Meanings, op: ops.GoHome) -> Act:
    pieces_of, homes, many = c.of(op.piece), c.setting.piece_home, op.many

    def go_home(m: Machine, frame: CallFrame) -> bool:
        pieces = pieces_of(m)
        for piece in pieces if many else (pieces,):
            if piece is None:
                raise m.error("of-nothing", "there is no piece to move")
            m.about(piece)
            m.because(declared(m, piece).cites)
            move_to(m, piece, homes.get(piece))
        return bool(m.landings)

    return go_home


def _travel(c: Meanings, op: ops.Travel) -> Act:
    piece_of, amount_of, setting, slots = c.of(op.piece), c.of(op.amount), c.setting, c.setting.piece_slot

    def travel(m: Machine, frame: CallFrame) -> bool:
        piece, amount = piece_of(m), amount_of(m)
        if piece is None:
            raise m.error("of-nothing", "there is no piece to move")
        if amount is None:
            raise m.error("of-nothing", "it is not said how far to move")
        start = m.values[slots[piece]]
        if start is None:
            raise m.error("not-placed", f"`{setting.things[piece].title}` stands nowhere")
        way = op.way if amount >= 0 else -op.way
        place = setting.place_at[piece]
        end, way = _along(m, place, piece, start, way, abs(amount))
        held = _cut_short(place, start, end, way, abs(amount))
        m.because(held)
        held += arrive(m, piece, end, way, "travel")
        if amount and not m.silent and m.values[slots[piece]] == start:
            passing_over.tell_held(m, piece, _shown(setting, piece, start), held)
        return bool(m.landings)

    return travel


def _cut_short(place: model.Place, start: int, end: int | None, way: int, amount: int) -> tuple[str, ...]:
    """The clauses of what ends a journey early: a space at which it halts, or the edge of its track.

    Where no line says what the edge does it is the track's own, which tells how far it goes.
    """
    if end == start + way * amount or place.free_only:
        return ()
    at_edge = end is None or end in (place.low, place.high) or place.halts is None
    return place.tied.get("edge", place.cites) if at_edge else place.tied.get("halts", ())


def _along(m: Machine, place: model.Place, piece: int, start: int, way: int, amount: int) -> tuple[int | None, int]:
    """Where a journey of `amount` steps ends, and in which way it goes on there."""
    if place.halts is None and not place.free_only and place.edge != "bounces":
        return _edge(m, place, start + way * amount), way
    halts = frozenset(evaluate(m, place.halts)) if place.halts is not None else frozenset()
    space, left, steps = start, amount, cost_model(m.setting).journey_step(place)
    while left > 0:
        spend(m, steps)
        ahead = space + way
        if place.edge == "bounces" and _edge(m, place, ahead) != ahead:
            way = -way
            ahead = space + way
        on = _edge(m, place, ahead)
        if on is None or on == space:
            return on, way
        space = on
        if not place.free_only or has_room(m, place, space, piece):
            left -= 1
        if space in halts:
            break
    return space, way


def _edge(m: Machine, place: model.Place, space: int) -> int | None:
    """A space, or what the edge makes of one beyond it: stop there, come in at the other end, or leave."""
    if place.low <= space and (place.high is None or space <= place.high):
        return space
    return _EDGES[place.edge](place, space)


def _stops(place: model.Place, space: int) -> int:
    return max(place.low, space if place.high is None else min(space, place.high))


def _wraps(place: model.Place, space: int) -> int:
    """An open track has no other end to come in at: it stops."""
    if place.high is None:
        return _stops(place, space)
    return place.low + (space - place.low) % (place.high - place.low + 1)


def _leaves(place: model.Place, space: int) -> None:
    return None


_EDGES: dict[str, Callable[[model.Place, int], int | None]] = {
    "stops": _stops,
    "bounces": _stops,
    "wraps": _wraps,
    "leaves": _leaves,
}
"""What an edge does with a space beyond it.  One that bounces turns journeys before; what is pushed it stops."""


# ---------------------------------------------------------------- arriving


_REFUSED = model.Full("refuses", 0, None)


def arrive(m: Machine, piece: int, space: Any, way: int, word: str) -> tuple[str, ...]:
    """Come to rest on a space; a full one does what its place says.  A push goes on down the line.

    Gives the clauses of the lines about full spaces by which the piece itself stays or comes to rest elsewhere.
    """
    first, by = piece, tuple[str, ...]()
    moved, tied = word == "travel", None
    for _ in range(limits.REACTIONS):
        if space is None:
            stand(m, piece, None, word, moved, tied)
            return by
        place = m.setting.place_at[piece]
        hold = room(m, place, space) if place.capacity else None
        standing = [] if hold is None else occupants(m, place, space, piece)
        if hold is None or len(standing) < hold:
            stand(m, piece, space, word, moved, tied)
            return by
        if not standing:
            raise m.error("full", f"nothing can stand on {shown_space(m, piece, space)} of `{place.name}`")
        tell_full(m, place, space, standing)
        full = _policy(m, place, piece, standing[0])
        if full.word == "pushes":
            full = _stopper(m, place, piece, standing[0], space, full.way) or full
        step = _FULL[full.word](m, piece, standing[0], space, way, word, full, tied)
        if step is None:
            return (*by, *full.cites) if piece == first else by
        by += full.cites if step[0] == first else ()
        # Who is pushed moves by the line about full spaces; for others that line decides where they come to rest.
        tied = full.cites if step[0] != piece else tied
        m.because(full.cites if step[0] == piece else ())
        piece, space, way, word = step
    raise m.error("too-deep", "a push or a search for a free space does not end")


def _policy(m: Machine, place: model.Place, piece: int, occupant: int) -> model.Full:
    """The first line about full spaces whose condition holds; without any, arrival is refused."""
    outer_locals, outer_elements = m.locals, m.elements
    m.locals, m.elements = [piece, occupant], m.fresh_elements()
    try:
        for full in place.full:
            if full.test is None or evaluate(m, full.test):
                return full
    finally:
        m.locals, m.elements = outer_locals, outer_elements
    return _REFUSED


def _stopper(m: Machine, place: model.Place, mover: int, pushed: int, space: Any, way: int) -> model.Full | None:
    """What stops a push somewhere down the line, so that it holds for the mover too; None if all can give way."""
    for _ in range(limits.REACTIONS):
        beyond = _edge(m, place, space + way)
        if beyond is None:
            return None
        if beyond == space:
            return _REFUSED
        standing = [p for p in occupants(m, place, beyond, pushed) if p != mover]
        hold = room(m, place, beyond)
        if hold is None or len(standing) < hold:
            return None
        full = _policy(m, place, pushed, standing[0]) if standing else _REFUSED
        if full.word != "pushes":
            return full if full.word in ("refuses", "stops_short") else None
        pushed, space, way = standing[0], beyond, full.way
    raise m.error("too-deep", "a push does not end")


Next = tuple[int, Any, int, str] | None
"""Who goes on to arrive where, in which way, called what; None if all is done."""
Tied = tuple[str, ...] | None
"""The clauses by which a piece arrives, where they are not those of the line."""


def _pushes(
    m: Machine, piece: int, occupant: int, space: Any, way: int, word: str, full: model.Full, tied: Tied
) -> Next:
    stand(m, piece, space, word, word == "travel", tied)
    place = place_of(m, occupant)
    beyond = _edge(m, place, space + full.way)
    if beyond == space:
        return None
    return occupant, beyond, full.way, "push"


def _refuses(
    m: Machine, piece: int, occupant: int, space: Any, way: int, word: str, full: model.Full, tied: Tied
) -> Next:
    names = m.setting.things[piece].title, m.setting.things[occupant].title
    raise m.error("full", f"{names[0]} cannot stand where {names[1]} stands")


def _stacks(
    m: Machine, piece: int, occupant: int, space: Any, way: int, word: str, full: model.Full, tied: Tied
) -> Next:
    stand(m, piece, space, word, word == "travel", tied)
    return None


def _goes_on(
    m: Machine, piece: int, occupant: int, space: Any, way: int, word: str, full: model.Full, tied: Tied
) -> Next:
    place = place_of(m, piece)
    ahead = _edge(m, place, space + (way or 1))
    if ahead == space:
        stand(m, piece, space, word, word == "travel", tied)
        return None
    return piece, ahead, way, word


def _stops_short(
    m: Machine, piece: int, occupant: int, space: Any, way: int, word: str, full: model.Full, tied: Tied
) -> Next:
    start = space_of(m, piece)
    if way == 0 or space - way == start:
        return None
    return piece, space - way, way, word


def _swaps(
    m: Machine, piece: int, occupant: int, space: Any, way: int, word: str, full: model.Full, tied: Tied
) -> Next:
    start = space_of(m, piece)
    stand(m, piece, space, word, word == "travel", tied)
    stand(m, occupant, start, "swap", False, full.cites)
    return None


_FULL = {
    "pushes": _pushes,
    "refuses": _refuses,
    "stacks": _stacks,
    "goes_on": _goes_on,
    "stops_short": _stops_short,
    "swaps": _swaps,
}


def _swap(c: Meanings, op: ops.Swap) -> Act:
    left_of, right_of = c.of(op.left), c.of(op.right)

    def swap(m: Machine, frame: CallFrame) -> bool:
        left, right = left_of(m), right_of(m)
        if left is None or right is None:
            raise m.error("of-nothing", "there is nothing to change places with")
        here, there = space_of(m, left), space_of(m, right)
        stand(m, left, there, "swap", False)
        stand(m, right, here, "swap", False)
        return bool(m.landings)

    return swap


def _swap_cards(c: Meanings, op: ops.SwapCards) -> Act:
    left_of, right_of = c.of(op.left), c.of(op.right)

    def swap(m: Machine, frame: CallFrame) -> None:
        left, right = left_of(m), right_of(m)
        if left is None or right is None:
            raise m.error("of-nothing", "there is nothing to change places with")
        here, there = m.lies_in(left), m.lies_in(right)
        if here is None or there is None:
            raise m.error("not-placed", "both must lie in a pile to change places")
        put_on_pile(m, (left,), there, "move")
        put_on_pile(m, (right,), here, "move")

    return swap


def _remove(c: Meanings, op: ops.Remove) -> Act:
    pieces_of, many = c.of(op.pieces), op.many

    def remove(m: Machine, frame: CallFrame) -> None:
        pieces = pieces_of(m)
        for piece in pieces if many else (pieces,):
            if piece is None:
                raise m.error("of-nothing", "there is nothing to remove")
            slot = m.setting.piece_slot[piece]
            m.check_write(slot)
            m.values[slot] = None
            m.gone.add(piece)
            m.changed()
            m.about(piece)
            m.emit("remove", [Told("things", (m.setting.ref(piece),))])

    return remove


HANDLERS.update(
    {
        ops.MovePiece: _move_piece,
        ops.GoHome: _go_home,
        ops.Travel: _travel,
        ops.Swap: _swap,
        ops.SwapCards: _swap_cards,
        ops.Remove: _remove,
    }
)
