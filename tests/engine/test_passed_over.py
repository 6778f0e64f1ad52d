"""What does not happen is told where a clause decides it: things passed over, steps left out, pieces held back."""

from __future__ import annotations

import pytest

from rulekit import Event, start
from rulekit.loading import examine_text
from rulekit.source import Source

HEAD = """game "Passed over"
    players 2
each player has
    counter score 0..99
    piece pawn on lane at 2
cards deck of card
    card 1, odd
    card 2
    card 3, odd
track lane 0..9
    up is up
    > EDGE The ends are ends.
    edge stops
    > HALT At 5 everybody waits.
    halts at 5
    spaces 7..8 hold 1
    > FULL A full space holds back.
    full stops_short
result: rank players by highest score
"""
TAIL = "\n> A One.\n> B Two.\n"


def told(text: str, name: str = "pass", head: str = HEAD) -> list[Event]:
    loaded = examine_text(Source("passed.rules", head + text + TAIL))
    assert loaded.game is not None, loaded.findings
    return [event for event in start(loaded.game).events if event.name == name]


def facts(event: Event) -> list[str]:
    return [f"{fact.name} {getattr(fact.value, 'key', fact.value)}" for fact in event.facts]


def things(event: Event) -> list[str]:
    value = event.get("things")
    assert isinstance(value, tuple)
    return [str(getattr(one, "key", one)) for one in value]


def test_next_tells_what_it_passes_over_and_why() -> None:
    events = told(
        "play\n    each card in deck\n        if card.odd: next card   @A\n        raise (first players).score by 1"
    )
    assert [(things(e), e.clauses) for e in events] == [(["1"], ("A",)), (["3"], ("A",))]


def test_the_clause_may_stand_at_the_condition() -> None:
    loop = "each card in deck\n        if card.odd   @A\n            next card\n        raise starter.score by 1"
    assert next((things(e), e.clauses, e.decided_by) for e in told(f"play\n    {loop}")) == (["1"], (), ("A",))


@pytest.mark.parametrize(
    "lines",
    [
        "each card in deck\n        if card.odd: next card",
        "each card in deck   @A\n        if card.odd: next card",
        "each n in 1..3\n        if n is 2: next n   @A",
        "repeat\n        raise (first players).score by 1\n        stop repeat   @A",
        "each card in deck: if_last(card)".replace(": if_last(card)", "\n        if card is 3: stop card   @A"),
    ],
)
def test_where_no_clause_decides_or_nothing_is_left_nothing_is_told(lines: str) -> None:
    assert told(f"play\n    {lines}") == []


def test_stop_tells_all_that_are_left() -> None:
    events = told(
        "play\n    each card in deck\n        if card is 2: stop card   @A\n        raise (first players).score by 1"
    )
    assert [(things(e), e.clauses) for e in events] == [(["3"], ("A",))]


def test_leaving_an_action_passes_over_what_is_left_of_its_loops() -> None:
    text = """play: do turn
action turn
    each player in players
        each card in deck: do act(card), may stop turn
action act(card)
    if card is 2: stop turn   @B"""
    assert [(things(e), e.clauses) for e in told(text)] == [(["3"], ("B",)), (["blue"], ("B",))]


def test_leaving_an_action_tells_that_steps_are_left() -> None:
    turn = "    if starter.score is 0: stop turn   @A\n    step scoring\n        raise starter.score by 1"
    text = f"play: do turn\naction turn\n{turn}"
    assert [facts(e) for e in told(text)] == [["what turn"]]
    assert told(text.replace("    step scoring\n    ", "")) == []


def test_stop_tells_that_a_loop_over_numbers_had_more_to_do() -> None:
    loop = "each n in 1..3\n        raise starter.score by 1\n        if starter.score is 2: stop n   @A"
    assert [(facts(e), e.clauses) for e in told(f"play\n    {loop}")] == [(["what n"], ("A",))]
    assert told(f"play\n    {loop}".replace("score is 2", "score is 3")) == []
    assert told(f"play\n    {loop}".replace("   @A", "")) == []
    ways = "each way in orthogonals\n        if way is east: stop way   @A\n        raise starter.score by 1"
    assert [(facts(e), e.clauses) for e in told(f"play\n    {ways}")] == [(["what way"], ("A",))]


def test_leaving_an_action_tells_once_that_its_loops_over_numbers_had_more_to_do() -> None:
    text = """play: do hop(3)
action hop(distance of number)
    each n in 1..distance
        each k in 1..2
            raise starter.score by 1
            if starter.score is 3: stop hop   @A"""
    assert [(facts(e), e.clauses) for e in told(text)] == [(["what hop"], ("A",))]
    assert told(text.replace("score is 3", "score is 6")) == []
    found = told(text.replace("each k in 1..2", "each card in deck"))
    assert [(facts(e), e.clauses) for e in found] == [(["what hop"], ("A",))]
    found = told(text.replace("each k in 1..2", "each card in deck").replace("score is 3", "score is 4"))
    assert [(things(e), e.clauses) for e in found] == [(["2", "3"], ("A",))]


@pytest.mark.parametrize(
    ("line", "clauses", "space"),
    [
        ("set starter to first players\n    move starter.pawn up by 0", None, 2),
        ("move (first players).pawn to 2", None, 2),
        ("move (first players).pawn to 0\n    move (first players).pawn down by 3   @A", ("EDGE",), 0),
        (
            "move (first players).pawn to 7\n    move (last players).pawn to 8\n    move (first players).pawn up by 1",
            ("FULL",),
            7,
        ),
    ],
)
def test_a_piece_that_is_held_back_stays_and_says_why(line: str, clauses: tuple[str, ...] | None, space: int) -> None:
    events = told(f"play\n    {line}")
    expected = [] if clauses is None else [(["piece red", f"at {space}"], clauses)]
    assert [(facts(e), e.clauses) for e in events] == expected


def test_what_cuts_a_journey_short_decides_where_it_ends() -> None:
    moved = told(
        "play\n    move (first players).pawn up by 4   @A\n    move (last players).pawn down by 9   @B", "travel"
    )
    assert [(e.get("to"), e.clauses, e.decided_by) for e in moved] == [(5, ("A",), ("HALT",)), (0, ("B",), ("EDGE",))]


def test_where_nothing_is_said_of_the_edge_the_track_says_how_far_it_goes() -> None:
    bare = HEAD.replace("    > EDGE The ends are ends.\n    edge stops\n", "")
    bare = bare.replace("track lane", "> TRACK The lane has ten spaces.\ntrack lane")
    down = "play\n    move (last players).pawn down by 9   @B\n"
    (moved,) = told(down, "travel", bare)
    assert (moved.get("to"), moved.clauses, moved.decided_by) == (0, ("B",), ("TRACK",))
    (held,) = told(f"{down}    move (last players).pawn down by 1   @A", head=bare)
    assert (facts(held), held.clauses) == (["piece blue", "at 0"], ("TRACK",))
    (halted,) = told("play\n    move (first players).pawn up by 4   @A", "travel", bare)
    assert (halted.clauses, halted.decided_by) == (("A",), ("HALT",))


def test_a_movement_of_nothing_is_not_told() -> None:
    moves = "play\n    move (first players).pawn up by 0   @A\n    move (first players).pawn to 2   @A"
    assert told(moves, "travel") == told(moves, "move") == []


@pytest.mark.parametrize(
    "line",
    [
        "draw 0 drawn from deck",
        "roll 0 dice as drawn from deck",
        "roll 0 different drawn from deck",
        "draw 2 drawn from (deck where it is 2 and it.odd)",
        "deal 0 from pool to heap",
        "move (pool where it is 2 and it.odd) to heap",
        "reveal (pool where it is 2 and it.odd)",
        "remove (pool where it is 2 and it.odd)",
    ],
)
def test_a_movement_of_no_things_is_not_told(line: str) -> None:
    loaded = examine_text(
        Source("passed.rules", f"{HEAD}pile pool of card starts deck\npile heap of card\nplay\n    {line}   @A{TAIL}")
    )
    assert loaded.game is not None, loaded.findings
    assert {event.name for event in start(loaded.game).events} == {"end", "rank"}


def test_a_step_that_is_left_out_says_why() -> None:
    text = """play: do turn
action turn
    step first_part
        if starter.score is 0: skip second   @A
    > S2 A step.
    step second
        raise starter.score by 1"""
    (event,) = told(text, "skip")
    assert (event.clauses, event.decided_by) == (("S2",), ("A",))


PILES = """game "Piles"
    players 2
cards deck of card
    card 1
    card 2
pile open_one of card starts [1]
pile heap of card starts [2], seen by nobody
pile stack of card, seen on top
value secret of player, seen by nobody
counter score 0..9
result: rank players by highest score
"""


@pytest.mark.parametrize(
    ("lines", "revealed"),
    [
        (["reveal open_one"], []),
        (["reveal score"], []),
        (["reveal heap"], ["heap"]),
        (["reveal heap", "reveal heap"], ["heap"]),
        (["reveal open_one + heap"], ["heap"]),
        (["reveal secret", "reveal secret"], ["secret"]),
        (["move open_one to stack", "reveal stack", "reveal stack"], ["stack"]),
        (["reveal heap", "move heap to open_one", "reveal open_one"], ["heap"]),
        (["reveal secret", "set secret to starter", "reveal secret"], ["secret", "secret"]),
    ],
)
def test_what_everybody_sees_is_not_told_as_revealed(lines: list[str], revealed: list[str]) -> None:
    events = told("play\n    " + "\n    ".join(lines), "reveal", PILES)
    assert [str(event["what"]) for event in events] == revealed
