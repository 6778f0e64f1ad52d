"""Positions from Python: what a referee sees goes round unchanged, what is given is there, what cannot be is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rulekit import (
    REFEREE,
    SPECTATOR,
    Action,
    BadSetup,
    Game,
    IllegalAction,
    Ref,
    RuleError,
    RulesError,
    State,
    View,
    apply,
    decisions,
    load_text,
    outcome,
    position,
    read,
    start,
    view,
)
from tests import paths
from tests.generators.random_matches import GAMES, Answers, game, seat_counts, steps
from tests.sizes import IS_LONG, some

CASES = sorted((paths.ROOT / "tests" / "cases" / "engines").glob("*.rules"))
TIGER, MOON, FOXY = (game(paths.GAMES / f"{name}.rules") for name in ("fuzzy_tiger", "china_moon", "foxy"))


def whole(state: State) -> View:
    return view(state, REFEREE)


def what_stands(seen: View) -> tuple[object, ...]:
    return seen.values, seen.starter, seen.options, seen.seats


@pytest.mark.parametrize("path", some([*GAMES, *CASES], 2), ids=lambda path: path.stem)
def test_what_a_referee_sees_goes_round_unchanged(path: Path) -> None:
    rules, tested = game(path), 0
    for seats in seat_counts(rules):
        for state in met(rules, seats):
            seen = whole(state)
            made = position(rules, seen, begin=None).state
            assert what_stands(whole(made)) == what_stands(seen)
            assert position(rules, whole(made), begin=None).state == made
            tested += 1
    assert tested > 1


def met(rules: Game, seats: int) -> Iterator[State]:
    """The states of a random match, as far as it goes, in which nobody decides apart.

    What seats do apart need not be possible together.
    """
    with suppress(IllegalAction, RuleError):
        for _, _, step in steps(rules, seats, "round", most=120):
            if not step.state.branches:
                yield step.state


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_values_by_chance_are_there_as_they_were_given(path: Path) -> None:
    """Things of piles are dealt anew, counters and pieces put where others of the match were."""
    rules, tested = game(path), 0
    seats = min(3, rules.most)
    views = [whole(step.state) for _, _, step in steps(rules, seats, "values", most=100)]
    count = 10_000 if IS_LONG else 150
    for number in range(count):
        given = by_chance(rules, views, Answers(f"values {number}"))
        with suppress(BadSetup):
            state = position(rules, given, seats=seats, begin=None).state
            shown = {seen.path: seen.shown for seen in whole(state).values}
            assert {path: shown[path] for path in given} == given
            assert what_stands(whole(position(rules, whole(state), begin=None).state)) == what_stands(whole(state))
            tested += 1
    assert tested > count // 3


def by_chance(rules: Game, views: list[View], answers: Answers) -> dict[str, Any]:
    """By path the value that it had at some time or other; piles keep their things together."""
    at = answers.below(len(views))
    piles = {seen.path: seen.shown for seen in views[at].values if seen.count is not None}
    others = [seen.path for seen in views[0].values if seen.count is None and answers.below(3)]
    return piles | {path: views[answers.below(len(views))][path].shown for path in others}


# ---------------------------------------------------------------- as somebody writes it


def test_a_position_is_given_by_the_paths_of_a_view() -> None:
    given = {"red.monkey": 3, "red.hand": [1, 9], "red.discard": range(2, 9), "starter": "blue"}
    step = position(TIGER, given, seats=["red", "blue"])
    seen = whole(step.state)
    assert seen["red.monkey"].shown == 3
    assert seen["red.hand"].shown == (Ref("card", "1"), Ref("card", "9"))
    assert seen.starter == 1
    asked = next(decision for decision in decisions(step.state) if decision.seat == 0)
    assert [option.key for option in asked.options if isinstance(option, Ref)] == ["1", "9"]


def test_a_position_is_played_to_its_end() -> None:
    state, answers = position(TIGER, {"red.monkey": 3}, {"wake_at": "one"}, 3, seed=5).state, Answers("on")
    while waiting := decisions(state):
        state = apply(state, Action(waiting[0].seat, answers.to(waiting[0]))).state
    assert outcome(state) is not None


def test_without_anything_given_play_begins_without_its_setup() -> None:
    assert whole(position(TIGER, begin=None).state).values == whole(start(TIGER).state).values


def test_a_group_is_given_whole_or_piece_by_piece() -> None:
    pads = [seen.shown for seen in whole(start(MOON).state).values if seen.path == "frogs.red_1"]
    one = position(MOON, {"frogs.red_2": None}, seats=2, begin=None).state
    assert whole(one)["frogs.red_2"].shown is None
    assert whole(one)["frogs.red_1"].shown == pads[0]
    both = position(MOON, {"red.frogs": [pads[0]]}, seats=2, begin=None).state
    assert [whole(both)[f"frogs.red_{n}"].shown for n in (1, 2, 3)] == [pads[0], None, None]


def test_a_match_begins_at_the_turn_of_a_player() -> None:
    for turn, seat in (("blue", 1), (2, 2), (Ref("player", "red"), 0)):
        step = position(MOON, seats=3, turn=turn)
        assert (decisions(step.state)[0].seat, whole(step.state).turn) == (seat, seat)
        assert [event.decided_by for event in step.events]
    with pytest.raises(BadSetup, match="nobody has a turn there: begin with an action"):
        position(TIGER, turn="red")


def test_a_match_begins_inside_an_action() -> None:
    step = position(MOON, seats=3, begin=("turn", "green"))
    assert decisions(step.state)[0].seat == 2
    with pytest.raises(BadSetup, match=r"`turn` is handed `player` \(a player\): 1, not 0"):
        position(MOON, begin="turn")
    with pytest.raises(BadSetup, match=r"no action `trun`; did you mean `turn`\?"):
        position(MOON, begin=("trun", "red"))
    with pytest.raises(BadSetup, match=r"`turn`, `player`: there is no seat `nobody`"):
        position(MOON, begin=("turn", "nobody"))


@pytest.mark.parametrize("card", [8, "8", Ref("card", "8")])
def test_what_an_action_is_handed_is_read_as_a_scenario_reads_it(card: object) -> None:
    """A number was taken for the place of a card among all things before: 8 was card 9."""
    step = position(TIGER, seats=["ann", "bob"], begin=("act", card, ["ann"]))
    performed = next(event for event in step.events if event.name == "perform")
    assert Ref("card", "8") in [fact.value for fact in performed.facts]


@pytest.mark.parametrize(
    ("handed", "words"),
    [
        ((99, ["ann"]), "`act`, `card`: there is no card `99`; did you mean `9`?"),
        ((8, "ann"), "`act`, `owners`: ann is one thing, and a set of players is wanted: give a list"),
        ((8,), "`act` is handed `card` (a card), `owners` (a set of players): 2, not 1"),
        (("ann", ["ann"]), "`act`, `card`: there is no card `ann`; there are 1, 2, 3, 4, 5, 6, 7, 8, 9"),
    ],
)
def test_what_an_action_cannot_be_handed(handed: tuple[object, ...], words: str) -> None:
    with pytest.raises(BadSetup, match=re.escape(words)):
        position(TIGER, seats=["ann", "bob"], begin=("act", *handed))


def test_invariants_hold_in_a_position_that_is_verified() -> None:
    given = {"ann.hand": [1, 1], "ann.discard": [*range(2, 10)]}
    assert position(TIGER, given, seats=["ann", "bob"])
    with pytest.raises(BadSetup, match='the invariant "cards" does not hold'):
        position(TIGER, given, seats=["ann", "bob"], verified=True)
    assert position(TIGER, {"ann.monkey": 2}, seats=["ann", "bob"], verified=True)


ALL = range(1, 10)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"red.mnkey": 3}, "there is no value `red.mnkey`; did you mean `red.monkey`?"),
        ({"red.monkey": 9}, "`red.monkey`: `distance` has no space 9"),
        ({"red.monkey": 2, "blue.monkey": 2}, "`red.monkey`: 2 of `distance` holds 1 at most"),
        ({"red.monkey": "three"}, "`red.monkey`: three is not a number"),
        ({"red.monkey": True}, "`red.monkey`: yes is not a number"),
        ({"red.monkey": 1.5}, "`red.monkey`: float is no value of a game"),
        ({"red.hand": 4}, "`red.hand`: 4 is one thing, and a set of cards is wanted: give a list"),
        ({"red.hand": [44]}, "`red.hand`: there is no card `44`; did you mean `4`?"),
        ({"red.hand": [4, 4]}, "`red.hand`: [1, 2, 3, 5, 6, 7, 8, 9] lay in `red.hand` and are listed nowhere: give"),
        (
            {"red.hand": range(1, 10), "blue.hand": range(1, 10), "red.played": [9]},
            "`red.played`: there are not so many copies of card 9",
        ),
        ({"red.harm": -1}, "`red.harm`: `damage` has no space -1"),
        ({"starter": "nobody"}, "there is no seat `nobody`"),
    ],
)
def test_what_cannot_be_is_said_with_its_path(values: dict[str, Any], words: str) -> None:
    with pytest.raises(BadSetup) as caught:
        position(TIGER, values)
    assert str(caught.value).startswith(words)


def test_a_view_with_secrets_is_no_position() -> None:
    with pytest.raises(BadSetup, match=r"does not show blue.hand.*REFEREE"):
        position(TIGER, view(start(TIGER).state, "red"))


def test_a_piece_that_is_out_of_the_game_stays_out() -> None:
    rules = load_text(OUT)
    state = apply(start(rules).state, Action(0, "red_1")).state
    seen = whole(state)
    assert [piece.path for piece in seen.values if piece.is_out] == ["pawns.red_1"]
    again = position(rules, seen, begin=None).state
    assert again.gone == state.gone


OUT = """game "Out"
    players 2
track road 0..9
each player has
    pieces 2 pawns of pawn on road at 0
play
    each player
        player always chooses lost from player.pawns
        remove lost
        player always chooses kept from player.pawns
    end game
result: rank players
"""

# ---------------------------------------------------------------- texts


def test_a_game_is_loaded_from_a_text() -> None:
    assert load_text(OUT).title == "Out"
    longer = 'game "Longer"\n    extends "fuzzy_tiger"\nadd card 10 "Nap": move owner.monkey further by 1\n'
    assert load_text(longer).title == "Longer"


def test_a_text_with_errors_says_what_is_wrong() -> None:
    with pytest.raises(RulesError, match=r"nap.rules:2"):
        load_text('game "Nap"\n    plyers 2\n', name="nap.rules")


# ---------------------------------------------------------------- defines


def test_a_define_is_read_in_a_position() -> None:
    state = start(MOON, seats=3).state
    assert read(state, "triangle", 4) == 10
    assert read(state, "total", "red") == read(state, "total", Ref("player", "red"), seat="blue") == 0
    assert read(state, "owned", "red", Ref("flower", "pink")) == 0
    assert len(items(read(state, "racing"))) == 9


def items(value: Any) -> tuple[Any, ...]:
    assert isinstance(value, tuple)
    return value


def test_a_define_that_is_not_there_or_not_so_is_said() -> None:
    state = start(MOON, seats=3).state
    with pytest.raises(KeyError, match=r"no define `totl`; did you mean `total`\?"):
        read(state, "totl")
    with pytest.raises(ValueError, match=r"`total` is handed `player` \(a player\): 1, not 0"):
        read(state, "total")
    with pytest.raises(ValueError, match="there is no seat `nobody`"):
        read(state, "total", "nobody")
    with pytest.raises(ValueError, match="there is no flower `punk`"):
        read(state, "owned", "red", Ref("flower", "punk"))


SECRET = """game "Secret"
    players 2
cards deck of card
    | card |
    | 1..5 |
pile stock of card starts deck, seen by nobody
each player has
    counter hidden, seen by owner
define held is sum of it.hidden over players
define top is first stock
setup: shuffle stock
play
    secretly each player
        player chooses number from 1..3
        set player.hidden to number
    player always chooses number from 1..3
    end game
result: rank players
"""


def test_who_may_not_see_what_a_define_reads_may_not_read_it() -> None:
    rules = load_text(SECRET.replace("    player always", "    each player: player always"))
    state = start(rules).state
    state = apply(state, Action(0, 3)).state
    assert read(state, "held") == 3
    state = apply(state, Action(1, 2)).state
    assert read(state, "held") == 5
    for seat in ("red", 1, SPECTATOR):
        with pytest.raises(ValueError, match="only REFEREE may read it"):
            read(state, "held", seat=seat)
    with pytest.raises(ValueError, match="`top` needs the order of `stock`, which is not decided yet"):
        read(state, "top")
