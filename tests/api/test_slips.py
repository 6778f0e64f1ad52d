"""Slips of who calls the API from Python: what is meant is taken, and what is not is refused in words that help."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import rulekit
from rulekit import (
    CHANCE,
    SPECTATOR,
    Action,
    BadSetup,
    Game,
    IllegalAction,
    Ref,
    State,
    apply,
    decisions,
    seen,
    start,
    view,
)
from rulekit.bots.players import registry
from rulekit.loading import examine_text
from rulekit.play.state.value import value_of
from rulekit.record.match import Match
from rulekit.source import Source
from tests.generators.random_matches import game as loaded
from tests.paths import GAMES

TIGER = loaded(GAMES / "fuzzy_tiger.rules")
FOXY = loaded(GAMES / "foxy.rules")


def made(text: str) -> Game:
    loaded = examine_text(Source("slips.rules", text))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def tiger() -> State:
    return start(TIGER, seats=2, seed="0").state


# ---------------------------------------------------------------- names that are not there


def test_a_value_that_is_not_there_names_the_nearest() -> None:
    with pytest.raises(KeyError, match=r"no value `red.hnd`; did you mean `red.hand`\?"):
        view(tiger(), 0)["red.hnd"]


def test_a_fact_that_is_not_there_names_the_nearest() -> None:
    step = apply(apply(tiger(), Action(0, "6")).state, Action(1, "2"))
    travel = next(event for event in step.events if event.name == "travel")
    with pytest.raises(KeyError, match=r"`travel` tells no `form`; did you mean `from`\?"):
        travel["form"]


def test_a_missing_value_does_not_shorten_what_is_mapped() -> None:
    seen_there = view(tiger(), 0)
    with pytest.raises(KeyError):
        list(map(seen_there.__getitem__, ("red.hand", "typo", "blue.hand")))


def test_what_tells_nothing_says_so() -> None:
    with pytest.raises(KeyError, match="it tells nothing"):
        made_event()["player"]


def made_event() -> Any:
    from rulekit import Event

    return Event("ready", ())


# ---------------------------------------------------------------- seats


@pytest.mark.parametrize("seat", [1, "blue", Ref("player", "blue")])
def test_a_seat_answers_by_number_name_or_player(seat: Any) -> None:
    assert apply(tiger(), Action(seat, "4")) == apply(tiger(), Action(1, "4"))
    assert view(tiger(), seat) == view(tiger(), 1)


def test_a_match_counts_answers_of_a_named_seat() -> None:
    match = Match(tiger())
    match.act(Action("blue", "4"))
    assert match.answers(1) == 1
    assert match.history[0].action == Action(1, "4")


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        ("bleu", "there is no seat `bleu`; did you mean `blue`?"),
        ("nobody", "there is no seat `nobody`; the seats are 0 (red), 1 (blue)"),
        (7, "there is no seat 7; the seats are 0 (red), 1 (blue)"),
        (None, "there is no seat None; the seats are 0 (red), 1 (blue)"),
        (True, "there is no seat True; the seats are 0 (red), 1 (blue)"),
        (1.0, "there is no seat 1.0; the seats are 0 (red), 1 (blue)"),
        (-9, "there is no seat -9; the seats are 0 (red), 1 (blue)"),
    ],
)
def test_a_seat_that_is_not_there_sees_and_does_nothing(seat: Any, words: str) -> None:
    with pytest.raises(IllegalAction) as refused:
        apply(tiger(), Action(seat, "4"))
    assert (refused.value.code, refused.value.reason) == ("no-such-seat", words)
    with pytest.raises(ValueError, match="there is no seat") as unseen:
        view(tiger(), seat)
    assert str(unseen.value) == words


def test_chance_has_no_view() -> None:
    with pytest.raises(ValueError, match="there is no seat -1"):
        view(tiger(), CHANCE)
    assert view(tiger(), SPECTATOR)["red.hand"].shown == ()


@pytest.mark.parametrize("seat", ["red", None, True, Ref("player", "red"), -7])
def test_an_event_is_seen_by_the_number_of_a_seat(seat: Any) -> None:
    with pytest.raises(ValueError, match="number of a seat"):
        seen(made_event(), seat)


# ---------------------------------------------------------------- seeds, options, answers


def test_a_number_as_a_seed_is_its_text() -> None:
    assert start(TIGER, seed=5) == start(TIGER, seed="5")
    assert start(TIGER, seed=-5) == start(TIGER, seed="-5")


@pytest.mark.parametrize("seed", [5.0, True, b"5", ("5",)])
def test_what_is_no_seed_is_said(seed: Any) -> None:
    with pytest.raises(BadSetup, match="a seed is a text, a number or None"):
        start(TIGER, seed=seed)


@pytest.mark.parametrize("seats", [2.0, True, "ab", ["ann", 3], [["ann"], "bob"]])
def test_what_is_no_seats_is_said(seats: Any) -> None:
    with pytest.raises(BadSetup, match="a number of players or their names"):
        start(TIGER, seats=seats)


GATHERED: list[Callable[[Any], Any]] = [list, set, frozenset, tuple]
PAY = """game "Pay"
    players 2
cards deck of card
    | card |
    | 1..6 |
each player has
    pile hand of card starts deck
play
    each player: do pay(player)
> PAY One pays with two.
action pay(owner of player)
    owner chooses 2 paid from owner.hand "Pay with which?"
    remove paid                              @PAY
result: rank players by highest count hand
"""


@pytest.mark.parametrize("gather", GATHERED, ids=lambda gather: gather.__name__)
def test_several_things_are_taken_however_they_are_gathered(gather: Callable[[Any], Any]) -> None:
    paying = start(made(PAY)).state
    assert apply(paying, Action(0, gather([1, 6]))) == apply(paying, Action(0, ("1", "6")))
    assert value_of([gather([1, 2]), "a"]) == ((1, 2), "a")
    left_out = start(TIGER, {"left_out": gather([1, 2])})
    assert left_out == start(TIGER, {"left_out": (1, 2)})


def test_a_range_and_the_keys_of_a_dict_are_several_things() -> None:
    assert value_of(range(1, 4)) == (1, 2, 3)
    assert value_of({"a": 1}.keys()) == ("a",)


class Whole:
    """A number of another library, such as NumPy."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


def test_a_whole_number_of_another_library_is_one() -> None:
    assert apply(tiger(), Action(0, Whole(4))) == apply(tiger(), Action(0, 4))  # type: ignore[arg-type]


@pytest.mark.parametrize("answer", [4.0, b"4", {"card": "4"}, object()])
def test_what_is_no_value_is_said(answer: Any) -> None:
    with pytest.raises(IllegalAction, match=f"{type(answer).__name__} is no value of a game") as refused:
        apply(tiger(), Action(0, answer))
    assert refused.value.code == "not-offered"
    with pytest.raises(BadSetup, match=f"{type(answer).__name__} is no value of a game"):
        start(TIGER, {"left_out": answer})


# ---------------------------------------------------------------- what a view says of piles


def test_a_pile_of_which_something_is_hidden_says_so() -> None:
    mine = view(tiger(), 0)
    assert mine["blue.hand"].hidden
    assert not mine["red.hand"].hidden
    assert mine["blue.hand"].count == mine["red.hand"].count == 9


def test_an_empty_pile_hides_nothing() -> None:
    for found in view(tiger(), SPECTATOR).values:
        if found.count is not None:
            assert found.hidden == (found.count > 0 and not found.shown), found


# ---------------------------------------------------------------- names of seats


OWNERS = """game "Owners"
    players 2
kind gem: ruby, jade
each player has
    counter worth
each gem has
    counter worth
play: end game
result: rank players
"""


@pytest.mark.parametrize("seats", [("ruby", "bob"), ("ann", "jade")])
def test_a_seat_named_like_a_member_that_has_the_same_is_refused(seats: tuple[str, str]) -> None:
    with pytest.raises(BadSetup, match=r"worth` would be two things: a seat cannot be called `(ruby|jade)` here"):
        start(made(OWNERS), seats=seats)


def test_every_path_of_a_view_is_there_once() -> None:
    paths = [found.path for found in view(start(made(OWNERS), seats=("ann", "bob")).state, 0).values]
    assert len(set(paths)) == len(paths) == 4


@pytest.mark.parametrize("game", ["china_moon", "hornochsen"])
def test_a_seat_named_like_a_neutral_one_is_refused(game: str) -> None:
    rules = loaded(GAMES / f"{game}.rules")
    plain = start(rules, seats=2).state
    if plain.setting.neutrals:
        with pytest.raises(BadSetup, match="every seat needs a name of its own"):
            start(rules, seats=("ann", plain.setting.seats[-1]))


# ---------------------------------------------------------------- pieces that nobody can tell apart


STONES = """game "Stones"
    players 2
track road 0..9
each player has
    pieces 3 stones of stone on road at 0
play
    each player
        player always chooses first_one from player.stones
        move first_one up by 1
        player always chooses other from player.stones except first_one where it.space is 0
        move other up by 2
    end game
result: rank players
"""


def test_a_piece_may_be_named_for_which_one_like_it_is_offered() -> None:
    state = start(made(STONES), seats=2).state
    assert [option.key for option in decisions(state)[0].options if isinstance(option, Ref)] == ["red_1"]
    first = apply(state, Action(0, "red_1"))
    assert apply(state, Action(0, "red_3")) == first
    assert apply(state, Action(0, Ref("stone", "red_2"))) == first
    assert apply(first.state, Action(0, "red_3")) == apply(first.state, Action(0, "red_2"))


@pytest.mark.parametrize("other", ["red_1", "blue_1", "red_4", Ref("stone", "blue_3"), 3])
def test_a_piece_is_refused_for_which_none_is_offered(other: Any) -> None:
    state = apply(start(made(STONES), seats=2).state, Action(0, "red_1")).state
    with pytest.raises(IllegalAction) as refused:
        apply(state, Action(0, other))
    assert refused.value.code == "not-offered"


# ---------------------------------------------------------------- arguments of another type


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rulekit.load(None), "`path` is the path of a rules file or the name of a game that ships, not None"),
        (lambda: rulekit.load_text(b"game"), "`text` is the text of a rules file, a str, not b'game'"),
        (lambda: start("foxy"), "`game` is a Game, which `load` reads from a file, not 'foxy'"),
        (lambda: decisions(start(TIGER, seats=2)), "`state` is a State, which a Step holds as `step.state`, not Step"),
        (lambda: rulekit.outcome(TIGER), "`state` is a State, which a Step holds as `step.state`, not Game"),
        (lambda: apply(tiger(), (0, "4")), r"`action` is an Action\(seat, answer\), not \(0, '4'\)"),
        (lambda: rulekit.simulate(TIGER, "10"), "`games` is a number of matches, not '10'"),
        (lambda: rulekit.simulate(None, 2), "`rules` is a Game, or the path of its rules file, not None"),
    ],
)
def test_an_argument_of_another_type_is_refused_by_name(call: Callable[[], object], words: str) -> None:
    with pytest.raises(TypeError, match=words):
        call()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: rulekit.position(TIGER, "x"), "values are given by path"),
        (lambda: rulekit.position(TIGER, {3: 4}), "values are given by path"),
        (lambda: start(TIGER, [1]), "options are given by name"),
        (lambda: start(TIGER, seats={"ann": 1, "bob": 2}), "the seats are a number of players or their names in order"),
        (lambda: rulekit.simulate(TIGER, 2, bots=[object(), object()]), "a bot is a name"),
        (
            lambda: registry.seated("random", TIGER, {}, ("ann", "bob"), 5, "0"),
            "there is no seat 5; the seats are 0 to 1",
        ),
    ],
)
def test_an_argument_that_cannot_be_meant_is_a_bad_setup(call: Callable[[], object], words: str) -> None:
    with pytest.raises(BadSetup, match=words):
        call()


def test_bots_can_be_named_as_on_the_command_line() -> None:
    report = rulekit.simulate(TIGER, 2, bots="random,random").report
    assert report.bots == ("random", "random")


def test_dir_lists_the_public_names() -> None:
    listing = subprocess.run(
        [sys.executable, "-c", "import rulekit; print(*dir(rulekit))"], capture_output=True, text=True, check=True
    )
    assert set(rulekit.__all__) <= set(listing.stdout.split())
