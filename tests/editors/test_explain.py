"""Why, and why not: every event has a clause, everything not offered a reason, with the values that counted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit import Action, decisions, start
from rulekit import apply as answer
from rulekit.apps.commands import cli
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.play.state.match_state import State
from rulekit.source import Source
from rulekit.tools.explain.execution_trace import Caused, Ran, Tracer, is_ours
from rulekit.tools.explain.why_not import refused
from tests.editors.explained import explained
from tests.generators.random_matches import GAMES, game, steps

SMALL = """game "Steps"
    players 2
track road 0..9
    forward is up
    spaces 1..9 hold 1
    > S-9 Two on one space: the first goes back.
    full pushes back
    back is down
cards deck of card
    | card | worth |
    | 1    | 2     |
    | 2    | 5     |
    | 3    | 4     |
each player has
    piece pawn on road at 0
    pile hand of card starts (deck except 3), seen by owner
    flag tired
> S-5 A card may be played by those who can pay for it.
define playable(seat of player) is seat.hand where it.worth at most 3 + seat.pawn and not seat.tired
play
    > S-1 The players take turns.
    repeat
        each player: do turn(player)
action turn(who of player)
    > S-2 A card is played.
    who always chooses card from playable(who) "Play"
    > S-3 The piece goes as far as the card is worth, but not the tired.
    if card.worth above 1 and not who.tired
        move who.pawn forward by card.worth
    > S-4 Or a way is chosen.
    who chooses "How?"
        "wait": set who.tired to no
        "on": set who.tired to no
        "off" if who.pawn above 90: set who.tired to yes
    if who.pawn at least 6: end game
result: rank players by highest pawn
"""


def small() -> Game:
    loaded = examine_text(Source("small.rules", SMALL))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def reasons(state: State) -> dict[str, tuple[str, tuple[str, ...]]]:
    seat = decisions(state)[0].seat
    return {str(each.option): (str(each.reason), each.clauses) for each in refused(state, seat)}


def test_a_condition_of_a_define_is_named_with_its_values_and_clause() -> None:
    found = reasons(start(small()).state)
    assert found["2"] == (
        "`it.worth at most 3 + seat.pawn` does not hold: it.worth is 5 and 3 + seat.pawn is 3",
        ("S-5",),
    )


CITED = """game "Cited"
    players 2
cards deck of card
    card 1
    card 2, old
    card 3, odd
    card 4, old, odd
each player has
    pile hand of card starts deck
    flag tired
    counter score starts 2
play
    let mine be (first players).hand
    let usual be mine where not (it.old and it.odd @A) and (it.odd @B or not it.old @C)   @D
    > E Something is chosen.
    (first players) always chooses card from {options} "Which?"
    (first players) chooses "How?"
        "rest": end game
        "wait": end game
        "go" if not (first players).tired and ((first players).score above 2 @A): end game
        "run" if (first players).score above (9 @B) or (first players).tired @C   @D: end game
result: rank players by highest score
> A One.
> B Two.
> C Three.
> D Four.
"""


def cited(options: str) -> State:
    loaded = examine_text(Source("cited.rules", CITED.format(options=options)))
    assert loaded.game is not None, loaded.findings
    return start(loaded.game).state


@pytest.mark.parametrize(
    ("options", "clauses"),
    [
        ("usual", {"2": ("B", "C", "D"), "4": ("A", "D")}),
        ("mine where it.odd @A and not it.old @B", {"1": ("A", "E"), "2": ("A", "E"), "4": ("B", "E")}),
        ("(mine where it.odd @A) where (if it.odd then not it.old @B else it.odd @C)", {"1": ("A", "E")}),
        ("mine where (not it.odd) and (not it.odd @C)", {"3": ("E",), "4": ("E",)}),
        ("mine except (mine where it.odd @A) @B", {"3": ("B", "A", "E")}),
        ("(mine with highest (it @C))", {"1": ("C", "E")}),
        ("(mine where it.odd @A) + (mine where it.old and it.odd @B)", {"1": ("A", "E"), "2": ("A", "B", "E")}),
    ],
)
def test_what_fails_is_told_with_the_clauses_of_that_part(options: str, clauses: dict[str, tuple[str, ...]]) -> None:
    found = reasons(cited(options))
    assert {name: found[name][1] for name in clauses} == clauses


def test_labels_are_written_without_citations() -> None:
    told = [text for text, _ in reasons(cited("usual")).values()]
    assert "`not (it.old and it.odd)` does not hold" in told
    assert not [text for text in told if "@" in text]


def test_ways_are_told_with_the_clauses_of_what_fails() -> None:
    state = cited("usual")
    state = answer(state, Action(0, decisions(state)[0].options[0])).state
    assert {way: clauses for way, (_, clauses) in reasons(state).items()} == {"go": ("A",), "run": ("B", "C", "D")}


def test_what_is_not_in_the_pile_is_told_with_the_pile() -> None:
    reason, clauses = reasons(start(small()).state)["3"]
    assert reason == "`seat.hand` is [1, 2]"
    assert clauses == ("S-5",)


def test_a_way_whose_condition_fails() -> None:
    state = answer(start(small()).state, Action(0, 1)).state
    assert reasons(state) == {"off": ("`who.pawn above 90` does not hold: who.pawn is 2", ("S-4",))}


def traced(rules: Game, answers: list[object]) -> list[Ran | Caused]:
    tracer = Tracer(rules)
    reader, step = tracer.reader(), start(tracer.traced)
    told = list(reader.told(step.events, step.state.setting))
    for each in answers:
        step = answer(step.state, Action(decisions(step.state)[0].seat, each))  # type: ignore[arg-type]
        told += reader.told(step.events, step.state.setting)
    return told


def test_an_event_has_its_line_its_conditions_and_their_values() -> None:
    told = traced(small(), [1])
    event = next(entry for entry in told if isinstance(entry, Caused) and entry.event.name == "travel")
    assert (event.clauses, event.decided_by) == ((), ("S-5", "S-2", "S-3", "S-1"))
    own, condition = event.causes[:2]
    assert [(r.text, r.value) for r in own.readings] == [("card.worth", "2")]
    assert [(r.text, r.value) for r in condition.readings] == [("card.worth", "2"), ("who.tired", "no")]


def test_a_push_has_the_clause_of_its_track() -> None:
    told = traced(small(), [1, "on", 1])
    event = next(entry for entry in told if isinstance(entry, Caused) and entry.event.name == "push")
    assert (event.clauses, event.decided_by) == (("S-9",), ("S-5", "S-2", "S-3", "S-1"))


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_traced_match_is_the_match(path: Path) -> None:
    rules = game(path)
    plain = [(action, step.events) for _, action, step in steps(rules, rules.least, "traced", 20)]
    watched = [
        (action, tuple(event for event in step.events if not is_ours(event)))
        for _, action, step in steps(Tracer(rules).traced, rules.least, "traced", 20)
    ]
    assert watched == plain


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_event_has_a_clause_and_everything_refused_a_reason(path: Path) -> None:
    rules = game(path)
    told = explained(rules, rules.least, "why 0", 120)
    assert not told.without, told.without
    assert told.events


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = tmp_path / "small.rules"
    rules.write_text(SMALL)
    log = tmp_path / "small.log"
    cli(["run", str(rules), "--seed", "1", "--record", str(log)], standalone_mode=False)
    capsys.readouterr()
    assert cli(["explain", str(log), "--at", "1"], standalone_mode=False) == 0
    told = capsys.readouterr().out
    assert "not offered: card 2: `it.worth at most 3 + seat.pawn` does not hold" in told
    assert "S-2: A card is played." in told
    assert cli(["explain", str(log), "--json"], standalone_mode=False) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["decision"] == 0
    assert lines[1]["refused"][0]["clauses"] == ["S-5"]
    assert cli(["explain", str(log), "--tree"], standalone_mode=False) == 0
    assert "→" in capsys.readouterr().out


LATER = """game "Later"
    players 2
each player has
    counter score
    flag done
play
    each player: do turn(player)
action turn(who of player)
    who chooses many from 1..6 "How many?"
    do pay(who, many)
    > L-1 Nobody has more than nine in the end.
    only if who.score at most 9
action pay(who of player, many of number)
    who chooses times from 1..3 "How often?"
    > L-2 Five is never paid, and six only once.
    only if many is not 5 and (many is not 6 or times is 1)
    raise who.score by many * times * 2
result: rank players by highest score
"""


def test_the_only_if_is_told_that_an_answer_leads_into_and_not_another() -> None:
    """The one of an action in which others run was told before, whatever kept the answer from being offered."""
    loaded = examine_text(Source("later.rules", LATER))
    assert loaded.game is not None, loaded.findings
    state = start(loaded.game).state
    found = reasons(state)
    assert found["5"] == (
        "whatever follows, `only if many is not 5 and (many is not 6 or times is 1)` could not be met",
        ("L-2",),
    )
    both = "`only if who.score at most 9` and `only if many is not 5 and (many is not 6 or times is 1)`"
    assert found["6"] == (f"whatever follows, {both} could not be met", ("L-1",))
    two = answer(state, Action(0, 2)).state
    assert reasons(two)["3"] == ("`who.score at most 9` does not hold: who.score is 12", ("L-1",))
