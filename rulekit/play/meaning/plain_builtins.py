"""Built-in words about numbers, sets, seats, directions and courses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.model import builtin_signatures
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.play.machine.closure_compilation import WORDS, fail
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning.travel import has_room, place_of, space_of

_WAYS = tuple(builtin_signatures.DIRECTIONS.values())


def _index(m: Machine, e: Any, args: list[Any]) -> int:
    item, items = args
    at = _place_in(m, e, items, item)
    if at < 0:
        raise fail(m, e, "outside", "this thing is not in the set")
    return at + 1


def _cycle(m: Machine, e: Any, args: list[Any]) -> Any:
    items, item = args
    at = _place_in(m, e, items, item)
    return items[at + 1 :] + items[: max(at, 0)]


def _place_in(m: Machine, e: x.Builtin, items: Any, item: Any) -> int:
    """The place of something in a set, from 0: of the very thing, else of the first equal card; -1 for none."""
    if item in items:
        return int(items.index(item))
    row_of = m.setting.row_of
    if e.how != "thing" or item is None:
        return -1
    return next((at for at, one in enumerate(items) if one is not None and row_of[one] == row_of[item]), -1)


def _a_copy(m: Machine, e: Any, args: list[Any]) -> Any:
    """The first copy of a printed card that lies anywhere; the printed card if none does."""
    row = args[0]
    for slot in m.setting.pile_slots:
        for thing in m.values[slot]:
            if m.setting.row_of[thing] == row:
                return thing
    return row


def _slice(m: Machine, e: Any, args: list[Any]) -> Any:
    items, places = args
    if any(not 1 <= place <= len(items) for place in places):
        raise fail(m, e, "outside", f"there are only {len(items)} in this set")
    return tuple(items[place - 1] for place in places)


def _onward(m: Machine, e: Any, args: list[Any]) -> Any:
    items, place = args
    if place < 1:
        raise fail(m, e, "outside", f"places are counted from 1, and this is {place}")
    return items[place - 1 :]


def _going_round(m: Machine, e: Any, args: list[Any]) -> Any:
    items, place = args
    at = (place - 1) % max(1, len(items))
    return items[at:] + items[:at]


def _seats_after(m: Machine, e: Any, args: list[Any]) -> int:
    if args[0] is None:
        raise fail(m, e, "of-nothing", "there is no player whose seat could be asked")
    return int((args[0] - m.starter) % m.setting.players)


def _turns_after(m: Machine, e: Any, args: list[Any]) -> int:
    if None in args:
        raise fail(m, e, "of-nothing", "there is no player whose seat could be asked")
    return int((args[0] - args[1] - 1) % m.setting.players) + 1


def _of_something(
    word: Callable[[Machine, Any, list[Any]], Any], what: str
) -> Callable[[Machine, Any, list[Any]], Any]:
    """A word that cannot be asked of nothing."""

    def asked(m: Machine, e: Any, args: list[Any]) -> Any:
        if None in args:
            raise fail(m, e, "of-nothing", f"there is nothing whose {what} could be asked")
        return word(m, e, args)

    return asked


def _of_numbers(word: Callable[[list[int]], int]) -> Callable[[Machine, Any, list[Any]], int]:
    def asked(m: Machine, e: Any, args: list[Any]) -> int:
        if None in args:
            raise fail(m, e, "of-nothing", "there is nothing whose number could be asked")
        return word(args)

    return asked


def _turned(steps: int) -> Any:
    def turn(m: Machine, e: Any, args: list[Any]) -> Any:
        return _WAYS[(_WAYS.index(args[0]) + steps) % 8]

    return turn


# ---------------------------------------------------------------- the end


def _game_over(m: Machine, e: Any, args: list[Any]) -> bool:
    return m.over and m.ending


def _place(number: int) -> Callable[[Machine, Any, list[Any]], Any]:
    """Who shares a place, without the defeated; players whom no line ranked share the last one."""

    def word(m: Machine, e: Any, args: list[Any]) -> Any:
        ranked = {seat for place in m.ranks for seat in place}
        rest = tuple(seat for seat in range(m.setting.players) if seat not in ranked | set(m.defeated))
        places = [*m.ranks, rest] if _game_over(m, e, args) else []
        return tuple(seat for place in places[number - 1 : number] for seat in place if seat not in m.defeated)

    return word


# ---------------------------------------------------------------- courses


def _links_of(m: Machine, space: int) -> tuple[int, ...]:
    kind = m.setting.game.kinds[m.setting.things[space].kind]
    links: Any = kind.traits["next"][space - kind.base]
    return tuple(links)


def _leading_to(m: Machine, kind: model.Kind) -> dict[int, list[int]]:
    """By space the spaces from which a link leads to it; worked out once for a game."""
    known: dict[str, dict[int, list[int]]] = m.setting.game.kept.setdefault("leading to", {})
    if kind.name not in known:
        known[kind.name] = {to: [] for to in kind.ids}
        for space in kind.ids:
            for to in _links_of(m, space):
                known[kind.name][to].append(space)
    return known[kind.name]


def _tell_course(m: Machine, kind: str) -> None:
    """Where the links of its spaces lead is what a course says, if there is but one on them."""
    courses = [] if m.trace is None else [p for p in m.setting.places.values() if p.form == "course" and p.kind == kind]
    if len(courses) == 1:
        m.because(courses[0].cites)


def _first_free(m: Machine, e: Any, args: list[Any]) -> Any:
    """Along every path forward the first space with room; where a path ends before one, its end."""
    piece = args[0]
    place, start = place_of(m, piece), space_of(m, piece)
    if start is None:
        raise fail(m, e, "not-placed", "this piece stands nowhere")
    m.because(place.cites)
    found: dict[int, None] = {}
    waiting, seen = list(_links_of(m, start)), set()
    while waiting:
        space = waiting.pop(0)
        if space in seen:
            continue
        seen.add(space)
        onward = _links_of(m, space)
        if has_room(m, place, space, piece) or not onward:
            found[space] = None
        else:
            waiting += onward
    return tuple(sorted(found))


def _behind(m: Machine, e: Any, args: list[Any]) -> Any:
    kind = m.setting.game.kinds[m.setting.things[args[0]].kind]
    _tell_course(m, kind.name)
    before = _leading_to(m, kind)
    reached, edge = {args[0]}, {args[0]}
    while edge:
        edge = {space for one in edge for space in before[one]} - reached
        reached |= edge
    return tuple(s for s in kind.ids if s in reached and s != args[0])


def _links(m: Machine, e: Any, args: list[Any]) -> int:
    start, goal = args
    _tell_course(m, m.setting.things[start].kind)
    edge, seen, steps = {start}, {start}, 0
    while edge:
        if goal in edge:
            return steps
        edge = {to for space in edge for to in _links_of(m, space)} - seen
        seen |= edge
        steps += 1
    raise fail(m, e, "outside", "no path leads from one space to the other")


WORDS.update(
    {
        "min": _of_numbers(min),
        "max": _of_numbers(max),
        "abs": _of_something(lambda m, e, args: abs(args[0]), "number"),
        "index": _index,
        "cycle": _cycle,
        "going_round": _of_something(_going_round, "place"),
        "slice": _slice,
        "onward": _of_something(_onward, "place"),
        "a_copy": _a_copy,
        "seats_after": _seats_after,
        "turns_after": _turns_after,
        "seat": _of_something(lambda m, e, args: args[0] + 1, "seat"),
        "starter": lambda m, e, args: m.starter,
        "answered_last": lambda m, e, args: m.last_answer,
        "game_over": _game_over,
        "winners": _place(1),
        "runners_up": _place(2),
        "losers": lambda m, e, args: tuple(m.defeated),
        "left": _of_something(_turned(-2), "left"),
        "right": _of_something(_turned(2), "right"),
        "opposite": _of_something(_turned(4), "opposite"),
        "first_free": _of_something(_first_free, "next free space"),
        "behind": _of_something(_behind, "way behind"),
        "links": _of_something(_links, "links"),
    }
)
