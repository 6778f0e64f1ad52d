"""Sets that are put together of parts some of which are `[]`: the type is that of all parts, in every engine."""

from __future__ import annotations

from itertools import count
from typing import Any

from attrs import Factory, define
from hypothesis import given, settings
from hypothesis import strategies as st

import rulekit
from rulekit import Ref
from rulekit.loading import examine_text
from rulekit.play import engine
from rulekit.source import Source
from rulekit.tools.examples.runner import run_all
from tests.differential.lockstep import plan_of, same_match
from tests.generators.handmade_plans import ENGINES
from tests.sizes import IS_LONG

HEAD = """game "Parts"
    players 2
track road 1..3
grid board 3 by 3
kind colour: green, white
pieces men of man on board
    | man |
    | a   |
    | b   |
cards deck of card
    | card | copies |
    | 1..2 | 1      |
pile stock of card starts deck
flag night
counter total
each player has
    counter hits
each man has
    counter hits
each card has
    counter hits
each colour has
    counter hits
define joined_players(those of players) is [] + those
define joined_men(those of men) is [] + those
define joined_cells(those of board) is [] + those
define joined_cards(those of deck) is [] + those
define joined_numbers(those of road) is [] + those
"""


@define(frozen=True)
class Sort:
    """members: how each is written and what `read` gives; worth: by how much the line raises the total, if it does."""

    members: tuple[tuple[str, Any], ...]
    joining: str
    line: str
    worth: tuple[int, ...] = ()


def _owned(kind: str, **members: str) -> tuple[tuple[str, Any], ...]:
    return tuple((text, Ref(kind, key.strip("_"))) for key, text in members.items())


HIT = "raise member.hits by 1"
SORTS = {
    "player": Sort(_owned("player", red="players[1]", blue="players[2]"), "joined_players", HIT),
    "man": Sort(_owned("man", a="a", b="b"), "joined_men", HIT),
    "card": Sort(_owned("card", _1="stock[1]", _2="stock[2]"), "joined_cards", HIT),
    "colour": Sort(_owned("colour", green="green", white="white"), "", HIT),
    "cell": Sort(
        (("board[1, 2]", Ref("cell", "1,2")), ("board[3, 1]", Ref("cell", "3,1"))),
        "joined_cells",
        "raise total by 10 * member.column + member.row",
        (12, 31),
    ),
    "number": Sort((("1", 1), ("3", 3)), "joined_numbers", "raise total by member", (1, 3)),
}
CONDITIONS = {"count players is 2": True, "count players is 1": False, "night": False, "not night": True}
LEAVES = st.one_of(st.just(("list",)), st.sampled_from([("list", 0), ("list", 1), ("list", 1, 0)]))


def _inside(part: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    condition = st.sampled_from(sorted(CONDITIONS))
    return st.one_of(
        st.tuples(st.sampled_from(["choice", "cases"]), condition, part, part),
        st.tuples(st.sampled_from(["union", "except"]), part, part),
        st.tuples(st.sampled_from(["joined", "named", "where", "gathered", "first"]), part),
    )


TREES = st.recursive(LEAVES, _inside, max_leaves=5)
PARTS = st.lists(st.tuples(st.sampled_from(sorted(SORTS)), TREES), min_size=4, max_size=8)


@define
class Text:
    """A game that is written part by part, with what each part must come to."""

    defines: list[str] = Factory(list)
    play: list[str] = Factory(list)
    numbers: count[int] = Factory(count)

    def part(self, sort: Sort, tree: Any) -> tuple[str, list[int]]:
        """How a set is written, and which of the sort's members it has."""
        match tree:
            case ("list", *places):
                return f"[{', '.join(sort.members[place][0] for place in places)}]", list(places)
            case ("choice" | "cases" as form, test, then, other):
                (yes, first), (no, second) = self.part(sort, then), self.part(sort, other)
                written = f"(if {test} then {yes} else {no})"
                if form == "cases":
                    written = self.defined(f"\n    if {test}: {yes}\n    else: {no}")
                return written, first if CONDITIONS[test] else second
            case ("union", left, right):
                (one, first), (two, second) = self.part(sort, left), self.part(sort, right)
                return f"({one} + {two})", first + [place for place in second if place not in first]
            case ("except", left, right):
                (one, first), (two, second) = self.part(sort, left), self.part(sort, right)
                return f"({one} except {two})", [place for place in first if place not in second]
            case ("joined", part):
                written, places = self.part(sort, part)
                return (f"{sort.joining}({written})" if sort.joining else written), places
            case ("named", part):
                written, places = self.part(sort, part)
                name = f"named_{next(self.numbers)}"
                self.play.append(f"    let {name} be {written}\n    each member in {name}: raise total by 0\n")
                return written, places
            case ("where", part):
                written, places = self.part(sort, part)
                return f"({written} where not night)", places
            case ("gathered", part):
                written, places = self.part(sort, part)
                return f"(all of {written} over (1..2))", places
            case ("first", part):
                written, places = self.part(sort, part)
                return f"(first [{written}, []])", places
        raise AssertionError(tree)

    def defined(self, value: str) -> str:
        name = f"set_{next(self.numbers)}"
        self.defines.append(f"define {name}{value}\n")
        return name


@settings(max_examples=100 if IS_LONG else 10, deadline=None, derandomize=not IS_LONG)
@given(PARTS)
def test_a_set_with_empty_parts_has_the_type_of_the_others(parts: list[tuple[str, Any]]) -> None:
    text, wanted, total = Text(), {}, 0
    hits = {(sort, place): 0 for sort, each in SORTS.items() if not each.worth for place in (0, 1)}
    for name, tree in parts:
        sort = SORTS[name]
        written, places = text.part(sort, tree)
        wanted[one := text.defined(f" is {written}")] = tuple(sort.members[place][1] for place in places)
        text.play.append(f"    each member in {one}: {sort.line}\n")
        total += sum(sort.worth[place] for place in places if sort.worth)
        for place in places:
            if not sort.worth:
                hits[name, place] += 1
    asked = {f"hits_{name}_{place}": f"{SORTS[name].members[place][0]}.hits" for name, place in hits}
    asked["whole"] = "total"
    reading = "".join(f"define {name} is {value}\n" for name, value in asked.items())
    source = "".join([HEAD, *text.defines, reading, "play\n", *text.play, "result: rank players by highest hits\n"])

    loaded = examine_text(Source("parts.rules", source))
    game = loaded.game
    assert game is not None, (source, loaded.findings)
    state = engine.start(game, {}, 2, "0").state
    for name, members in wanted.items():
        assert rulekit.read(state, name) == members, source
    counted = {f"hits_{name}_{place}": times for (name, place), times in hits.items()} | {"whole": total}
    assert {name: rulekit.read(state, name) for name in asked} == counted, source
    plan, storage = plan_of(game, {}, 2)
    same_match(ENGINES["wasm"](plan), storage, game, {}, 2, "0")


BEHIND_AN_EMPTY_LIST = """game "An empty list"
    players 2
kind mark
    mark none_yet, sides []
    mark some, sides [north_side]
kind side: north_side, south_side
each player has
    counter hit 0..9
define nobody_or_last is if count players is 1 then [] else [last players]
define sides_of(mark) is [] + mark.sides
play
    each player in nobody_or_last: raise player.hit by 1
result: rank players by highest hit
scenario "the last is hit"
    players ann, bob
    expect bob.hit is 1, sides_of(some) is [north_side], no sides_of(none_yet)
"""


def test_what_stands_behind_an_empty_list_is_found() -> None:
    game = examine_text(Source("parts.rules", BEHIND_AN_EMPTY_LIST)).game
    assert game is not None
    (result,) = run_all(game)
    assert result.passed, result.failure
    plan, storage = plan_of(game, {}, 2)
    same_match(ENGINES["wasm"](plan), storage, game, {}, 2, "0")
