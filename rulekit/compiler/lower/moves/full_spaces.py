"""Lower the policies of a full space.

The occupant is pushed on, or the newcomer is refused, stops short, goes on, stacks or swaps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulekit import limits
from rulekit.compiler.lower.builder.environment import named
from rulekit.compiler.lower.builder.ir_builder import Builder, Known, Program
from rulekit.compiler.lower.moves.placement import place_piece
from rulekit.compiler.lower.moves.spaces import capacity_of, may_stop, occupants, past_edge
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, binary, same, word
from rulekit.model import expr as x
from rulekit.model import game as model


def place_number(m: Builder, place: model.Place) -> int:
    return list(m.setting.game.places).index(place.name)


def on_full_space(m: Builder, place: model.Place, occupant: p.Expr) -> None:
    """Follow the first policy whose condition holds; without any, the arrival is a fault."""
    _by_policy(
        *(m, place.full, p.Get("piece"), occupant),
        lambda full: _FULL[full.word](m, place, occupant, full),
        lambda: m.emit(p.Unwind(m.program.fault(f"full: {place.name}"))),
    )


def _by_policy(
    m: Builder,
    left: Sequence[model.Full],
    piece: p.Expr,
    occupant: p.Expr,
    follow: Callable[[model.Full], None],
    otherwise: Callable[[], None],
) -> None:
    """Write what is done by each policy, under its condition, and where none of them holds."""
    if not left:
        otherwise()
        return
    test = ONE if left[0].test is None else policy_test(m, left[0].test, piece, occupant)
    m.when(test, lambda: follow(left[0]), lambda: _by_policy(m, left[1:], piece, occupant, follow, otherwise))


def policy_test(m: Builder, test: x.Expr, piece: p.Expr, occupant: p.Expr) -> p.Expr:
    """The condition of a policy, with the newcomer and the occupant as its two parameters."""
    with named(m, {0: Known(piece, maybe=False), 1: Known(occupant, maybe=False)}, {}), m.uncounted():
        return m.value(test)


def come_to_rest(m: Builder, place: model.Place) -> None:
    """End the arrival: the piece stands on the space that was reached."""
    place_piece(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
    m.emit(p.Return())


def with_turns(m: Builder, once: Callable[[], None]) -> None:
    """A loop that looks at one space after the other; `count_turn` ends it where that takes too long."""
    m.types["turns"] = "int"
    m.emit(p.Set("turns", p.Const(limits.REACTIONS)))
    m.emit(p.Loop("again", m.collect(once)))


def count_turn(m: Builder) -> None:
    """One space more; a fault where there were too many."""
    m.fault(same(p.Get("turns"), ZERO), "too-deep")
    m.emit(p.Set("turns", p.Binary("-", p.Get("turns"), ONE)))


# ---------------------------------------------------------------- pushing


def _pushes(m: Builder, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    """The occupant becomes the next piece that arrives, unless something down the line stops the push."""
    if always_gives_way(place):
        place_piece(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
        limited = _limited(place)
        known = limited[0] + full.way, limited[-1] + full.way
        on = m.atom(past_edge(m, place, binary("+", p.Get("space"), p.Const(full.way)), known))
        _send_on(m, occupant, on, full)
        return
    words = {other.word for other in place.full}
    if words - {"pushes"} or may_stop(place):
        _stopped(m, place, occupant, full)
    place_piece(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
    beyond = m.atom(past_edge(m, place, binary("+", p.Get("space"), p.Const(full.way))))
    m.emit(p.If(same(beyond, p.Get("space")), (p.Return(),)))
    _send_on(m, occupant, beyond, full)


def _send_on(m: Builder, occupant: p.Expr, space: p.Expr, full: model.Full) -> None:
    """The occupant is the piece that arrives from now on."""
    m.emit(p.Set("piece", occupant), p.Set("space", space), p.Set("way", p.Const(full.way)), p.Set("moved", ZERO))


def holds_one(place: model.Place) -> bool:
    """Whether each space holds either one piece or any number."""
    return place.form == "track" and all(hold == x.Const(1) for _, hold in place.capacity)


def always_gives_way(place: model.Place) -> bool:
    """Whether every chain of pushes on a place surely ends on a space that holds any number of pieces."""
    if not holds_one(place) or place.edge != "stops" or place.high is None or not place.full:
        return False
    full = place.full[0]
    if full.word != "pushes" or full.test is not None or full.way == 0:
        return False
    if place.high - place.low >= 10 * limits.REACTIONS:
        return False
    limited = _limited(place)
    steps_on = [min(max(s + full.way, place.low), place.high) for s in limited]
    return 0 < len(limited) < limits.REACTIONS and all(on != s for s, on in zip(limited, steps_on, strict=True))


def _limited(place: model.Place) -> list[int]:
    """The spaces of a track with a limited capacity."""
    assert place.high is not None
    return [s for s in range(place.low, place.high + 1) if any(one is None or s in one for one, _ in place.capacity)]


def _stopped(m: Builder, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    """Look ahead down the line before anything moves: what stops the chain of pushes stops the newcomer as well."""
    name = f"stopper_{place_number(m, place)}"
    m.program.function(name, lambda: _stopper_function(m.program, name, place))
    found = m.called(name, p.Get("piece"), occupant, p.Get("space"), p.Const(full.way))
    m.fault(same(found, ONE), "full")
    if any(other.word == "stops_short" for other in place.full):
        short = m.collect(lambda: _stops_short(m, place, occupant, full))
        m.emit(p.If(same(found, p.Const(2)), (*short, p.Again("again"))))


def _stopper_function(program: Program, name: str, place: model.Place) -> p.Function:
    """The function that looks ahead; it gives 0 if all can give way, 1 if refused, 2 if the newcomer stops short."""
    m = Builder(program, name)

    def once() -> None:
        count_turn(m)
        beyond = m.atom(past_edge(m, place, binary("+", p.Get("space"), p.Get("way"))))
        m.when(same(beyond, NOTHING), lambda: m.emit(p.Return(ZERO)))
        m.when(same(beyond, p.Get("space")), lambda: m.emit(p.Return(ONE)))
        room = m.atom(capacity_of(m, place, beyond))
        m.when(same(room, NOTHING), lambda: m.emit(p.Return(ZERO)))
        count, first = occupants(m, place, beyond, p.Get("pushed"), p.Get("mover"))
        m.when(binary("<", count, room), lambda: m.emit(p.Return(ZERO)))
        m.when(same(count, ZERO), lambda: m.emit(p.Return(ONE)))
        _by_policy(
            *(m, place.full, p.Get("pushed"), first),
            lambda full: _next_stop(m, full, first, beyond),
            lambda: m.emit(p.Return(ONE)),
        )

    with_turns(m, once)
    return m.function("mover pushed space way", "int", origin=place.name)


def _next_stop(m: Builder, full: model.Full, first: p.Expr, beyond: p.Expr) -> None:
    if full.word == "pushes":
        m.emit(p.Set("pushed", first), p.Set("space", beyond), p.Set("way", p.Const(full.way)), p.Again("again"))
    else:
        m.emit(p.Return(p.Const({"refuses": 1, "stops_short": 2}.get(full.word, 0))))


# ---------------------------------------------------------------- other lines


def _refuses(m: Builder, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    m.emit(p.Unwind(m.program.fault(f"full: {place.name}")))


def _stacks(m: Builder, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    come_to_rest(m, place)


def _goes_on(m: Builder, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    way = p.Pick(same(p.Get("way"), ZERO), ONE, p.Get("way"))
    ahead = m.atom(past_edge(m, place, binary("+", p.Get("space"), way)))
    m.when(same(ahead, p.Get("space")), lambda: come_to_rest(m, place))
    m.emit(p.Set("space", ahead))


def _stops_short(m: Builder, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    start = word(m.storage.pieces, p.Get("piece"))
    short = m.atom(binary("-", p.Get("space"), p.Get("way")))
    stays = binary("|", same(p.Get("way"), ZERO), same(short, start))
    m.emit(p.If(stays, (p.Return(),)), p.Set("space", short))


def _swaps(m: Builder, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    start = m.atom(word(m.storage.pieces, p.Get("piece")))
    other = m.atom(occupant)
    place_piece(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
    place_piece(m, place, other, start, ZERO)
    m.emit(p.Return())


_FULL: dict[str, Callable[[Builder, model.Place, p.Expr, model.Full], None]] = {
    "pushes": _pushes,
    "refuses": _refuses,
    "stacks": _stacks,
    "goes_on": _goes_on,
    "stops_short": _stops_short,
    "swaps": _swaps,
}
