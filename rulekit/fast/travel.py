"""What movement on tracks and courses becomes: one function a place for arriving, made when a move needs it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit import limits
from rulekit.fast import plan as p
from rulekit.fast.board import count_word, is_kept, put_piece
from rulekit.fast.loops import without_unread
from rulekit.fast.maker import (
    ANY,
    NOTHING,
    ONE,
    OPS,
    ZERO,
    Maker,
    Program,
    Reach,
    add,
    binary,
    negation,
    same,
    word,
)
from rulekit.fast.sets import GRID, element_maybe
from rulekit.fast.standing import named
from rulekit.fast.values import home_of, may_be_nothing, places_of, reach, something, space_bounds
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops

# ---------------------------------------------------------------- which place


def on_its_place(m: Maker, names: list[str], piece: p.Expr, write: Callable[[model.Place], Any]) -> None:
    """Write something for the place of a piece, chosen by its number where there are several."""
    place = m.setting.places[names[0]]
    if len(names) == 1:
        write(place)
        return
    pieces = set(m.setting.on_place[names[0]])
    table = tuple(int(thing in pieces) for thing in range(len(m.setting.things)))
    m.when(m.program.entry(table, piece), lambda: write(place), lambda: on_its_place(m, names[1:], piece, write))


# ---------------------------------------------------------------- moves


def _move_piece(m: Maker, op: ops.MovePiece) -> None:
    space = m.value(op.to)
    names = places_of(m, op.piece)
    if not op.many:
        piece = something(m, op.piece, m.value(op.piece))
        move_to(m, names, piece, space, may_be_nothing(m, op.to), reach(m, op.to))
        return
    space = m.atom(space)
    maybe = element_maybe(m, op.piece)

    def one(piece: p.Expr) -> None:
        if maybe:
            m.fault(same(piece, NOTHING), "of-nothing")
        move_to(m, names, piece, space, may_be_nothing(m, op.to), reach(m, op.to))

    m.each_in(p.Get(m.held(op.piece)), one)


def move_to(m: Maker, names: list[str], piece: p.Expr, space: p.Expr, maybe: bool, known: Reach) -> None:
    piece, space = m.atom(piece), m.atom(space)

    def here(place: model.Place) -> None:
        if place.form == "grid":
            arrive(m, place, piece, GRID["goal"](m, place, space), ZERO, moved=False)
            return
        if place.form == "track":
            beyond = binary("<", space, p.Const(place.low)) if known[0] < place.low else ZERO
            if place.high is not None and known[1] > place.high:
                beyond = binary("|", beyond, binary("<", p.Const(place.high), space))
            if maybe:
                beyond = binary("&", binary("!=", space, NOTHING), beyond)
            m.fault(beyond, "off-the-board")
        arrive(m, place, piece, space, ZERO, moved=False, known=known)

    on_its_place(m, names, piece, here)


def _go_home(m: Maker, op: ops.GoHome) -> None:
    piece = m.atom(something(m, op.piece, m.value(op.piece)))
    home = home_of(m, piece, reach(m, op.piece))
    known = (home.value, home.value) if isinstance(home, p.Const) else ANY
    move_to(m, places_of(m, op.piece), piece, home, home == NOTHING or known == ANY, known)


def _travel(m: Maker, op: ops.Travel) -> None:
    piece = m.atom(something(m, op.piece, m.value(op.piece)))
    amount = something(m, op.amount, m.value(op.amount))
    start = m.atom(word(m.storage.pieces, piece))
    if not named(m.setting, op.piece) <= m.storage.always:
        m.fault(same(start, NOTHING), "not-placed")
    by = m.atom(amount if op.way > 0 else binary("-", ZERO, amount))
    low, high = reach(m, op.amount)
    known = (low, high) if op.way > 0 else (-high, -low)
    on_its_place(m, places_of(m, op.piece), piece, lambda place: _along(m, op, place, piece, start, by, known))


def _along(
    m: Maker, op: ops.Travel, place: model.Place, piece: p.Expr, start: p.Expr, by: p.Expr, known: Reach
) -> None:
    way = m.atom(_direction(op, by))
    low, high = space_bounds(m, place.name)
    ends = low + known[0], high + known[1]
    if not (place.halts is not None or place.free_only or place.edge == "bounces"):
        arrive(m, place, piece, edge(m, place, binary("+", start, by), ends), way, moved=True)
        return
    end, last_way = _step_by_step(m, place, piece, start, by, way)
    arrive(m, place, piece, end, last_way, moved=True)


def _direction(op: ops.Travel, by: p.Expr) -> p.Expr:
    """1 or -1; a journey of no steps looks the way the rule says."""
    if isinstance(by, p.Const):
        return p.Const(op.way if by.value == 0 else 1 if by.value > 0 else -1)
    sure = binary("<=", ZERO, by) if op.way > 0 else binary("<", ZERO, by)
    return p.Pick(sure, ONE, p.Const(-1))


def _step_by_step(
    m: Maker, place: model.Place, piece: p.Expr, start: p.Expr, by: p.Expr, way: p.Expr
) -> tuple[p.Expr, p.Expr]:
    halts = None if place.halts is None else p.Get(m.held(place.halts))
    space, left, turn = m.temp(), m.temp(), m.temp()
    m.emit(p.Set(space, start), p.Set(left, binary("max", by, binary("-", ZERO, by))), p.Set(turn, way))
    label = m.fresh("w")

    def step() -> None:
        m.emit(p.If(binary("<=", p.Get(left), ZERO), (p.Break(label),)), p.Tick())
        ahead = m.temp()
        m.emit(p.Set(ahead, binary("+", p.Get(space), p.Get(turn))))
        if place.edge == "bounces":
            back = (
                p.Set(turn, binary("-", ZERO, p.Get(turn))),
                p.Set(ahead, binary("+", p.Get(space), p.Get(turn))),
            )
            m.emit(p.If(binary("!=", edge(m, place, p.Get(ahead)), p.Get(ahead)), back))
        on = m.atom(edge(m, place, p.Get(ahead)))
        stays = binary("|", same(on, NOTHING), same(on, p.Get(space)))
        m.emit(p.If(stays, (p.Set(space, on), p.Break(label))), p.Set(space, on))
        fewer = p.Set(left, binary("-", p.Get(left), ONE))
        if place.free_only:
            m.when(has_room(m, place, p.Get(space), piece), lambda: m.emit(fewer))
        else:
            m.emit(fewer)
        if halts is not None:
            m.emit(p.If(p.Has(halts, p.Get(space)), (p.Break(label),)))

    m.emit(p.Loop(label, m.collect(step)))
    return p.Get(space), p.Get(turn)


def edge(m: Maker, place: model.Place, space: p.Expr, known: Reach = ANY) -> p.Expr:
    """A space, or what the edge makes of one beyond it; known: between which bounds it lies."""
    if place.low <= known[0] and place.high is not None and known[1] <= place.high:
        return space
    low = p.Const(place.low)
    if place.edge == "leaves":
        space = m.atom(space)
        beyond = binary("<", space, low)
        if place.high is not None:
            beyond = binary("|", beyond, binary("<", p.Const(place.high), space))
        return p.Pick(beyond, NOTHING, space)
    if place.edge == "wraps" and place.high is not None:
        return add(binary("%", binary("-", space, low), p.Const(place.high - place.low + 1)), low)
    if place.high is not None and known[1] > place.high:
        space = binary("min", space, p.Const(place.high))
    return binary("max", space, low) if known[0] < place.low else space


# ---------------------------------------------------------------- rooms and neighbours


def standing_on(m: Maker, place: model.Place, space: p.Expr, but: p.Expr) -> tuple[p.Expr, p.Expr]:
    """How many others stand on a space, and the first of them or nothing."""
    count, first = m.temp(), m.temp()
    m.emit(p.Set(count, ZERO), p.Set(first, NOTHING))
    if is_kept(m, place):
        taken = same(p.Word(m.atom(count_word(m, place, space))), ZERO)
        m.when(negation(m.atom(taken)), lambda: _look_for(m, place, space, but, count, first))
    else:
        _look_for(m, place, space, but, count, first)
    return p.Get(count), p.Get(first)


def _look_for(m: Maker, place: model.Place, space: p.Expr, but: p.Expr, count: str, first: str) -> None:

    def one(piece: p.Expr) -> None:
        here = binary("&", binary("!=", piece, but), same(word(m.storage.pieces, piece), space))
        # A piece that is gone stands nowhere, so it is never here.
        found = (
            p.If(same(p.Get(count), ZERO), (p.Set(first, piece),)),
            p.Set(count, p.Binary("+", p.Get(count), ONE)),
        )
        m.emit(p.If(here, found))

    _each_piece(m, place, one)


def _each_piece(m: Maker, place: model.Place, write: Callable[[p.Expr], Any]) -> None:
    pieces = m.setting.on_place.get(place.name, [])
    if not pieces:
        return
    if pieces == list(range(pieces[0], pieces[0] + len(pieces))):
        m.each_number(p.Const(pieces[0]), p.Const(pieces[-1]), write)
    else:
        m.each_in(m.program.row((tuple(pieces),), ZERO), write)


def room_of(m: Maker, place: model.Place, space: p.Expr) -> p.Expr:
    """How many pieces a space holds; `NONE` for any number."""
    if not place.capacity:
        return NOTHING
    if place.capacity[0][0] is None:
        return m.value(place.capacity[0][1])
    result = m.temp()
    m.emit(p.Set(result, NOTHING))
    _room(m, list(place.capacity), space, result)
    return p.Get(result)


Spaces = range | frozenset[int] | None


def _room(m: Maker, left: list[tuple[Spaces, x.Expr]], space: p.Expr, result: str) -> None:
    if not left:
        return
    spaces, hold = left[0]
    m.when(
        _inside(m, spaces, space),
        lambda: m.emit(p.Set(result, m.value(hold))),
        lambda: _room(m, left[1:], space, result),
    )


def _inside(m: Maker, spaces: Spaces, space: p.Expr) -> p.Expr:
    if spaces is None:
        return ONE
    low, high = _bounds(spaces)
    if isinstance(spaces, frozenset) and high - low + 1 > len(spaces):
        return p.Has(m.program.row((tuple(sorted(spaces)),), ZERO), space)
    return binary("&", binary("<=", p.Const(low), space), binary("<=", space, p.Const(high)))


def has_room(m: Maker, place: model.Place, space: p.Expr, but: p.Expr) -> p.Expr:
    if not place.capacity:
        return ONE
    room = m.atom(room_of(m, place, space))
    if isinstance(room, p.Const) and room != NOTHING:
        count, _ = standing_on(m, place, space, but)
        return binary("<", count, room)
    result = m.temp()
    m.emit(p.Set(result, ONE))

    def counted() -> None:
        count, _ = standing_on(m, place, space, but)
        m.emit(p.Set(result, binary("<", count, room)))

    m.when(binary("!=", room, NOTHING), counted)
    return p.Get(result)


# ---------------------------------------------------------------- arriving


def arrive(
    m: Maker, place: model.Place, piece: p.Expr, space: p.Expr, way: p.Expr, *, moved: bool, known: Reach = ANY
) -> None:
    """known:  between which bounds a space of a track lies."""
    if not place.capacity:
        stand(m, place, piece, space, p.Const(int(moved)))
        return

    def with_others() -> None:
        name = m.program.function(f"arrive_{_number(m, place)}", lambda: _arrive_function(m.program, place))
        m.emit(p.Do(None, name, (piece, space, way, p.Const(int(moved)))))

    if space == NOTHING or place.form == "grid":
        limited: p.Expr = p.Const(int(space != NOTHING))
    else:
        space = m.atom(space)
        limited = _is_limited(m, place, space, known)
    m.when(limited, with_others, lambda: stand(m, place, piece, space, p.Const(int(moved))))


def _is_limited(m: Maker, place: model.Place, space: p.Expr, known: Reach = ANY) -> p.Expr:
    """Whether a space holds a certain number of pieces only."""
    if isinstance(space, p.Const):
        inside = [spaces is None or space.value in spaces for spaces, _ in place.capacity]
        return p.Const(int(any(inside)))
    result: p.Expr = ZERO
    for spaces, _ in place.capacity:
        far = spaces is not None and (_bounds(spaces)[1] < known[0] or known[1] < _bounds(spaces)[0])
        result = result if far else binary("|", result, _inside(m, spaces, space))
    return result


def _bounds(spaces: range | frozenset[int]) -> Reach:
    return (spaces.start, spaces.stop - 1) if isinstance(spaces, range) else (min(spaces), max(spaces))


def _number(m: Maker, place: model.Place) -> int:
    return list(m.setting.game.places).index(place.name)


def stand(m: Maker, place: model.Place, piece: p.Expr, space: p.Expr, moved: p.Expr) -> None:
    """Put a piece somewhere, and note it where something may react to it."""
    if reacts(m, place):
        at = add(piece, p.Const(m.storage.pieces))
        m.emit(p.Add(p.Const(landings(m.program)), piece))
        m.emit(p.Add(p.Const(landings(m.program)), p.Word(at)))
        m.emit(p.Add(p.Const(landings(m.program)), space))
        m.emit(p.Add(p.Const(landings(m.program)), moved))
    put_piece(m, place, piece, space)


def reacts(m: Maker, place: model.Place) -> bool:
    kinds = {m.setting.things[piece].kind for piece in m.setting.on_place.get(place.name, ())}
    return any(reaction.kind in kinds for reaction in m.setting.game.reactions)


LANDINGS = "landings"
"""The list that holds, between a move and what reacts to it: piece, old space, new space, whether it travelled."""


def landings(program: Program) -> int:
    if LANDINGS not in program.storage.list_names:
        program.storage.list(LANDINGS, (), 4 * limits.REACTIONS + 4 * len(program.setting.things))
    return program.storage.list_names.index(LANDINGS)


def _arrive_function(program: Program, place: model.Place) -> p.Function:
    """Come to rest on a space; a full one does what its place says.  A push goes on down the line."""
    name = f"arrive_{list(program.setting.game.places).index(place.name)}"
    m = Maker(program, name)
    m.types["turns"] = "int"
    m.emit(p.Set("turns", p.Const(limits.REACTIONS)))
    m.emit(p.Loop("again", m.collect(lambda: _arrive_once(m, place))))
    params = (("piece", "int"), ("space", "int"), ("way", "int"), ("moved", "int"))
    return p.Function(name, params, tuple(m.types.items()), without_unread(tuple(m.body)), origin=place.name)


def _arrive_once(m: Maker, place: model.Place) -> None:
    piece, space = p.Get("piece"), p.Get("space")
    if _holds_one(place):
        _arrive_alone(m, place)
        return
    m.fault(same(p.Get("turns"), ZERO), "too-deep")
    m.emit(p.Set("turns", p.Binary("-", p.Get("turns"), ONE)))
    m.when(same(space, NOTHING), lambda: _rest(m, place))
    room = m.atom(room_of(m, place, space))
    m.when(same(room, NOTHING), lambda: _rest(m, place))
    count, first = standing_on(m, place, space, piece)
    m.when(binary("<", count, room), lambda: _rest(m, place))
    m.fault(same(count, ZERO), "full")
    _full(m, place, list(place.full), first)


def _holds_one(place: model.Place) -> bool:
    """Whether each space holds either one piece or any number."""
    return place.form == "track" and all(hold == x.Const(1) for _, hold in place.capacity)


def _arrive_alone(m: Maker, place: model.Place) -> None:
    """Where one piece is all that a space holds, the first other one that stands there is the only one that counts."""
    piece, space = p.Get("piece"), p.Get("space")
    endless = not _always_gives_way(place)
    if endless:
        m.fault(same(p.Get("turns"), ZERO), "too-deep")
        m.emit(p.Set("turns", p.Binary("-", p.Get("turns"), ONE)))
    m.when(negation(_is_limited(m, place, space)), lambda: _rest(m, place))
    first = _first_on(m, place, space, piece)
    m.when(same(first, NOTHING), lambda: _rest(m, place))
    _full(m, place, list(place.full), first)


def _first_on(m: Maker, place: model.Place, space: p.Expr, but: p.Expr) -> p.Expr:
    """The first other piece that stands on a space, or nothing."""
    first, label = m.temp(), m.fresh("f")

    def one(piece: p.Expr) -> None:
        here = binary("&", binary("!=", piece, but), same(word(m.storage.pieces, piece), space))
        m.emit(p.If(here, (p.Set(first, piece), p.Break(label))))

    m.emit(p.Set(first, NOTHING), p.Block(label, m.collect(lambda: _each_piece(m, place, one))))
    return p.Get(first)


def _always_gives_way(place: model.Place) -> bool:
    """Whether who is pushed always comes to stand further on, down to a space that holds any number."""
    if not _holds_one(place) or place.edge != "stops" or place.high is None or not place.full:
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
    """The spaces of a track that do not hold any number."""
    assert place.high is not None
    return [s for s in range(place.low, place.high + 1) if any(one is None or s in one for one, _ in place.capacity)]


def _rest(m: Maker, place: model.Place) -> None:
    stand(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
    m.emit(p.Return())


def _full(m: Maker, place: model.Place, left: list[model.Full], occupant: p.Expr) -> None:
    """The first line whose condition holds says what happens; without any, arrival is refused."""
    if not left:
        m.emit(p.Unwind(m.program.fault(f"full: {place.name}")))
        return
    full = left[0]
    test = ONE if full.test is None else policy_test(m, full.test, p.Get("piece"), occupant)
    m.when(test, lambda: _FULL[full.word](m, place, occupant, full), lambda: _full(m, place, left[1:], occupant))


def policy_test(m: Maker, test: x.Expr, piece: p.Expr, occupant: p.Expr) -> p.Expr:
    """A condition about the piece that arrives and the one that stands there."""
    outer, m.locals = m.locals, {0: piece, 1: occupant}
    sure, m.sure = m.sure, {0, 1}
    elements, m.elements = m.elements, {}
    value = m.value(test)
    m.locals, m.sure, m.elements = outer, sure, elements
    return value


def _pushes(m: Maker, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    """The occupant goes on, unless something down the line stops the push."""
    if _always_gives_way(place):
        stand(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
        limited = _limited(place)
        known = limited[0] + full.way, limited[-1] + full.way
        on = m.atom(edge(m, place, binary("+", p.Get("space"), p.Const(full.way)), known))
        m.emit(p.Set("piece", occupant), p.Set("space", on), p.Set("way", p.Const(full.way)), p.Set("moved", ZERO))
        return
    words = {other.word for other in place.full}
    if words - {"pushes"} or place.edge == "stops":
        _stopped(m, place, occupant, full)
    stand(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
    beyond = m.atom(edge(m, place, binary("+", p.Get("space"), p.Const(full.way))))
    m.emit(p.If(same(beyond, p.Get("space")), (p.Return(),)))
    m.emit(
        p.Set("piece", occupant),
        p.Set("space", beyond),
        p.Set("way", p.Const(full.way)),
        p.Set("moved", ZERO),
    )


def _stopped(m: Maker, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    """What stops a push somewhere down the line holds for the mover too."""
    name = m.program.function(f"stopper_{_number(m, place)}", lambda: _stopper_function(m.program, place))
    found = m.temp()
    m.emit(p.Do(found, name, (p.Get("piece"), occupant, p.Get("space"), p.Const(full.way))))
    m.fault(same(p.Get(found), ONE), "full")
    if any(other.word == "stops_short" for other in place.full):
        short = m.collect(lambda: _stops_short(m, place, occupant, full))
        m.emit(p.If(same(p.Get(found), p.Const(2)), (*short, p.Again("again"))))


def _stopper_function(program: Program, place: model.Place) -> p.Function:
    """0: all can give way; 1: refused; 2: stops short."""
    name = f"stopper_{list(program.setting.game.places).index(place.name)}"
    m = Maker(program, name)
    m.types["turns"] = "int"
    m.emit(p.Set("turns", p.Const(limits.REACTIONS)))

    def once() -> None:
        m.fault(same(p.Get("turns"), ZERO), "too-deep")
        m.emit(p.Set("turns", p.Binary("-", p.Get("turns"), ONE)))
        beyond = m.atom(edge(m, place, binary("+", p.Get("space"), p.Get("way"))))
        m.when(same(beyond, NOTHING), lambda: m.emit(p.Return(ZERO)))
        m.when(same(beyond, p.Get("space")), lambda: m.emit(p.Return(ONE)))
        room = m.atom(room_of(m, place, beyond))
        m.when(same(room, NOTHING), lambda: m.emit(p.Return(ZERO)))
        count, first = _standing_without(m, place, beyond)
        m.when(binary("<", count, room), lambda: m.emit(p.Return(ZERO)))
        m.when(same(count, ZERO), lambda: m.emit(p.Return(ONE)))
        _next_stop(m, list(place.full), first, beyond)

    m.emit(p.Loop("again", m.collect(once)))
    params = (("mover", "int"), ("pushed", "int"), ("space", "int"), ("way", "int"))
    return p.Function(name, params, tuple(m.types.items()), tuple(m.body), gives="int", origin=place.name)


def _standing_without(m: Maker, place: model.Place, space: p.Expr) -> tuple[p.Expr, p.Expr]:
    """Who stands on a space, without the pushed piece and the mover."""
    count, first = m.temp(), m.temp()
    m.emit(p.Set(count, ZERO), p.Set(first, NOTHING))

    def one(piece: p.Expr) -> None:
        others = binary("&", binary("!=", piece, p.Get("pushed")), binary("!=", piece, p.Get("mover")))
        here = binary("&", others, same(word(m.storage.pieces, piece), space))
        found = (
            p.If(same(p.Get(count), ZERO), (p.Set(first, piece),)),
            p.Set(count, p.Binary("+", p.Get(count), ONE)),
        )
        m.emit(p.If(here, found))

    _each_piece(m, place, one)
    return p.Get(count), p.Get(first)


def _next_stop(m: Maker, left: list[model.Full], first: p.Expr, beyond: p.Expr) -> None:
    if not left:
        m.emit(p.Return(ONE))
        return
    full = left[0]
    test = ONE if full.test is None else policy_test(m, full.test, p.Get("pushed"), first)

    def meant() -> None:
        if full.word == "pushes":
            m.emit(p.Set("pushed", first), p.Set("space", beyond), p.Set("way", p.Const(full.way)))
            m.emit(p.Again("again"))
        else:
            m.emit(p.Return(p.Const({"refuses": 1, "stops_short": 2}.get(full.word, 0))))

    m.when(test, meant, lambda: _next_stop(m, left[1:], first, beyond))


def _refuses(m: Maker, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    m.emit(p.Unwind(m.program.fault(f"full: {place.name}")))


def _stacks(m: Maker, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    _rest(m, place)


def _goes_on(m: Maker, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    way = p.Pick(same(p.Get("way"), ZERO), ONE, p.Get("way"))
    ahead = m.atom(edge(m, place, binary("+", p.Get("space"), way)))
    m.when(same(ahead, p.Get("space")), lambda: _rest(m, place))
    m.emit(p.Set("space", ahead))


def _stops_short(m: Maker, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    start = word(m.storage.pieces, p.Get("piece"))
    short = m.atom(binary("-", p.Get("space"), p.Get("way")))
    stays = binary("|", same(p.Get("way"), ZERO), same(short, start))
    m.emit(p.If(stays, (p.Return(),)), p.Set("space", short))


def _swaps(m: Maker, place: model.Place, occupant: p.Expr, full: model.Full) -> None:
    start = m.atom(word(m.storage.pieces, p.Get("piece")))
    other = m.atom(occupant)
    stand(m, place, p.Get("piece"), p.Get("space"), p.Get("moved"))
    stand(m, place, other, start, ZERO)
    m.emit(p.Return())


_FULL: dict[str, Callable[[Maker, model.Place, p.Expr, model.Full], None]] = {
    "pushes": _pushes,
    "refuses": _refuses,
    "stacks": _stacks,
    "goes_on": _goes_on,
    "stops_short": _stops_short,
    "swaps": _swaps,
}


def _swap(m: Maker, op: ops.Swap) -> None:
    left = m.atom(something(m, op.left, m.value(op.left)))
    right = m.atom(something(m, op.right, m.value(op.right)))
    if not op.pieces:
        _swap_things(m, left, right)
        return
    here, there = m.atom(word(m.storage.pieces, left)), m.atom(word(m.storage.pieces, right))
    on_its_place(m, places_of(m, op.left), left, lambda place: stand(m, place, left, there, ZERO))
    on_its_place(m, places_of(m, op.right), right, lambda place: stand(m, place, right, here, ZERO))


def _swap_things(m: Maker, left: p.Expr, right: p.Expr) -> None:
    from rulekit.fast.changes import put

    here, there = m.atom(m.lies(left)), m.atom(m.lies(right))
    m.fault(binary("|", binary("<", here, ZERO), binary("<", there, ZERO)), "not-placed")
    put(m, left, there)
    put(m, right, here)


OPS.update({ops.MovePiece: _move_piece, ops.GoHome: _go_home, ops.Travel: _travel, ops.Swap: _swap})
