"""Which clauses decide an event: only what decided it, nearest first, and told only to those who may know."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import rulekit
from rulekit import Event, Game, Value, seen
from rulekit.loading import examine_text
from rulekit.play import engine
from rulekit.play.state.match_state import Action, Step
from rulekit.source import Source

HEAD = """game "Provenance"
    players 2
    neutrals if wide then 1 else 0   @G
option wide "Wide?" flag default no   @F
option mode "Mode?"
    > F1 Plain.
    plain "plain" default
    > F2 Odd.
    odd   "odd"
each player has
    counter score -9..99 starts 2
    flag ready
    counter secret 0..9 starts 3, seen by owner
    pile hand of card starts cards_all, seen by owner
cards cards_all of card
    > K3 Three stirs.
    card 3, stirs 2
    > K7 Seven stirs.
    card 7, stirs 1
    card 9, stirs (4 @E)
track lane 0..9
    full refuses
"""
TAIL = """
result: rank players by highest score
> A One.
> B Two.
> C Three.
> D Four.
> E Five.
> F Six.
"""


def game(text: str) -> Game:
    loaded = examine_text(Source("provenance.rules", f"{HEAD}{text}{TAIL}"))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def played(text: str, answers: Sequence[Value] = (), **options: Value) -> list[Event]:
    """All that happens until the answers are used up."""
    step: Step = engine.start(game(text), options)
    events = list(step.events)
    for answer in answers:
        step = engine.apply(step.state, Action(engine.decisions(step.state)[0].seat, answer))
        events += step.events
    return events


def why(text: str, what: str = "red.score", answers: Sequence[Value] = (), **options: Value) -> tuple[str, ...]:
    """The clauses of the line and then, behind "|", those that decided, of the last event that set something."""
    found = [event for event in played(text, answers, **options) if event.get("what") == what]
    assert found
    return (*found[-1].clauses, "|", *found[-1].decided_by)


def first(line: str) -> str:
    """A body in which `red` names the first player."""
    return f"play\n    let red be first players\n    {line}"


# ---------------------------------------------------------------- values


@pytest.mark.parametrize(
    ("value", "clauses"),
    [
        ("1", ""),
        ("(1 @A)", "A"),
        ("(if red.ready then 1 @A else 3 @B)", "B"),
        ("(if red.ready @C then 1 @A else 3 @B)", "C B"),
        ("(1 @A + (3 @B))", "B"),
        ("((1 @A) + (3 @B))", "A B"),
        ("(if red.score is 2 @A or red.ready @B then 1 else 3)", "A"),
        ("(if red.ready @A or red.score is 2 @B then 1 else 3)", "B"),
        ("(if red.ready @A or red.score is 9 @B then 1 else 3)", "A B"),
        ("(if red.ready @A and red.score is 2 @B then 1 else 3)", "A"),
        ("(if red.score is 2 @A and red.ready @B then 1 else 3)", "B"),
        ("(if not red.ready @A and red.score is 2 @B then 1 else 3)", "A B"),
        ("(if no (players where it.ready @A) then 1 else 3)", "A"),
        ("(count (players where it.score is 2 @A or it.ready @B))", "A"),
        ("(if any ([1 @A, 3 @B] where it above 2 @C) then 1 else 3)", "B C"),
        ("(first [1 @A, 3 @B])", "A"),
        ("(last [1 @A, 3 @B])", "B"),
        ("(most of it over [1 @A, 3 @B])", "B"),
        ("(sum of it over [1 @A, 3 @B])", "A B"),
        ("(first ([1 @A, 3 @B] with highest (it @C)))", "B C"),
        ("(first ([3 @B] with highest (it @C)))", "B"),
        ("(first ([3 @A, 4 @B] by (it @C) then (it @D)))", "A C"),
        ("(last ([3 @A, 4 @B] by (it mod 1 @C) then (it mod 1 @D) then (it @E) then (it @F)))", "B C D E"),
        ("(first ([3 @A, 4 @B, 1] by (it / 3 @C) then (it @D)))", "C"),
        ("(last ([3 @A, 4 @B, 1] by highest (it / 3 @C) then (it @D)))", "C"),
        ("(first ([1 @A, 3 @B] except 1 @D))", "D B"),
        ("(if 3 in [1 @A, 3 @B] then 1 else 3)", "B"),
        ("(least of it over ([1 @A, 3 @B]))", "A"),
        ("min((1 @A), (3 @B))", "A"),
        ("max((1 @A), (3 @B))", "B"),
        ("max((3 @A), (3 @B))", "A B"),
        ("min((if red.ready then 1 @A else 5 @B), max((3 @C), (4 @D)))", "D"),
        ("abs((-1 @A))", "A"),
        ("(first cycle([1 @A, 3 @B], 1))", "A B"),
        ("[1 @A, 3 @B][2]", "B"),
        ("cards_all[3].stirs", "K3"),
        ("cards_all[7].stirs", "K7"),
        ("cards_all[9].stirs", "E"),
        ("cards_all[3].number", ""),
        ("(if wide then 1 else 3)", ""),
        ("(if mode is odd then 1 else 3)", "F1"),
        ("some", "C A"),
        ("twice(3 @B)", "D B"),
        ("never(3 @B)", "D"),
    ],
)
def test_a_value_is_decided_by_what_it_follows_from(value: str, clauses: str) -> None:
    defines = "define some is (1 @A)   @C\ndefine twice(n of number) is 2 * n  @D\ndefine never(n of number) is 4  @D\n"
    text = f"{defines}{first(f'raise red.score by {value}')}"
    assert " ".join(why(text)).partition("|")[2].split() == clauses.split()


def test_an_option_that_is_taken_decides() -> None:
    text = first("raise red.score by (if wide then 1 else 3)")
    assert why(text, wide=True) == ("|", "F")
    assert why(first("raise red.score by (if mode is odd then 1 else 3)"), mode="odd") == ("|", "F2")


UNCLEAR = """unclear begins "Who begins?"
    > U1 The text is silent.
    red_one  "the first" default
    blue_one "the last" @U2
"""


def test_a_clause_above_all_readings_is_told_with_each() -> None:
    text = UNCLEAR + first("raise red.score by (if begins is blue_one then 1 else 3)")
    assert why(text) == ("|", "U1")
    assert why(text, begins="blue_one") == ("|", "U2", "U1")


@pytest.mark.parametrize(
    ("value", "clauses"),
    [
        ("count players", ""),
        ("count everyone", "G"),
        ("count (everyone where it.score is 2)", "G"),
        ("count (everyone where it in players)", ""),
        ("(first everyone).score", ""),
        ("(last everyone).score", "G"),
        ("(sum of score over neutrals)", "G"),
        ("count everyone.hand", "G"),
    ],
)
def test_a_neutral_seat_takes_part_by_the_line_that_says_so(value: str, clauses: str) -> None:
    assert " ".join(why(first(f"raise red.score by {value}"), wide=True)) == f"| {clauses}".strip()
    assert why(first("raise red.score by count everyone")) == ("|",)


def test_what_happens_to_a_neutral_seat_happens_by_the_line_that_says_so() -> None:
    events = played("play\n    each p in everyone: raise p.score by 1   @A", wide=True)
    raised = [(event.get("what"), event.decided_by) for event in events if event.name == "set"]
    assert raised == [("red.score", ()), ("blue.score", ()), ("neutral.score", ("G",))]
    asking = first('each p in everyone\n        red chooses n from 1..2 "?"\n        raise p.score by n')
    events = played(asking, [1, 1, 1], wide=True)
    raised = [(event.get("what"), event.decided_by) for event in events if event.name == "set"]
    assert raised[1:] == [("blue.score", ()), ("neutral.score", ("G",))]


def test_a_name_carries_what_decided_its_value() -> None:
    text = first(
        "let gain be (if red.ready then 1 @A else 3 @B)\n    let more be gain + 1\n    raise red.score by more   @C"
    )
    assert why(text) == ("C", "|", "B")


def test_the_line_that_gives_a_name_its_value_decides_it() -> None:
    assert why(first("let gain be 1   @B\n    raise red.score by gain   @A")) == ("A", "|", "B")
    chosen = first('red chooses gain from 1..2 "?"   @B\n    raise red.score by gain   @A')
    assert why(chosen, answers=[2]) == ("A", "|", "B")


def test_what_is_stored_has_no_history() -> None:
    text = first("set red.secret to (4 @A)\n    raise red.score by red.secret   @C")
    assert why(text) == ("C", "|")


def test_a_name_carries_it_over_questions() -> None:
    text = (
        "play\n    let red be first players\n    let gain be (if red.ready then 1 @A else 3 @B)\n"
        '    red chooses steps from ([1, 2] where it above 1 @D or red.ready @E or it is 1 @C) "How far?"\n'
        '    red chooses\n        "go"\n            raise red.score by gain + steps\n        "stay" @F: end game'
    )
    events = played(text, [1, "go"])
    assert [e.decided_by for e in events if e.get("what") == "red.score"] == [("B", "C")]
    assert [e.decided_by for e in played(text, [2, "go"]) if e.get("what") == "red.score"] == [("B", "D")]
    chosen = [e for e in events if e.name == "choose"]
    assert [e.decided_by for e in chosen] == [("C",), ()]


def test_who_asks_first_changes_nothing() -> None:
    text = first('let gain be (1 @A)\n    red chooses n from 1..3 "?"\n    raise red.score by gain')
    late, early = played(text, [2]), played(text, [2])
    for event in early:
        assert event.decided_by is not None
    assert [e.decided_by for e in late] == [e.decided_by for e in early]


POOL = """
pile bag of card starts cards_all
pile heap of card
"""
LET_IN = "where it is cards_all[3] @A or it is cards_all[7] @B or it.stirs above 3 @C"


def first_told(text: str, name: str, answers: Sequence[Value] = (), seed: str | None = "0") -> list[Event]:
    step: Step = engine.start(game(text), seed=seed)
    events = list(step.events)
    for answer in answers:
        step = engine.apply(step.state, Action(engine.decisions(step.state)[0].seat, answer))
        events += step.events
    return [event for event in events if event.name == name]


BY_CARD = {"3": {"A"}, "7": {"B"}, "9": {"C", "E"}}


@pytest.mark.parametrize("seed", ["0", "1", "2", "3"])
@pytest.mark.parametrize(
    ("line", "name"),
    [
        (f"draw card from (bag {LET_IN})", "draw"),
        (f"draw 2 chosen from (bag {LET_IN})", "draw"),
        (f"roll card from (cards_all {LET_IN})", "roll"),
        (f"deal 1 from (bag {LET_IN}) to heap", "deal"),
        (f"deal 2 from (bag {LET_IN}) to heap", "deal"),
    ],
)
def test_of_what_chance_gives_only_what_let_it_in_decides(line: str, name: str, seed: str) -> None:
    (event,) = first_told(POOL + first(line), name, seed=seed)
    told = event.get("drawn") if name != "deal" else event.get("things")
    cards = told if isinstance(told, tuple) else (told,)
    assert set(event.decided_by) == set().union(*(BY_CARD[str(card.key)] for card in cards))


def test_of_what_chance_is_asked_for_only_what_let_it_in_decides() -> None:
    text = POOL + first(f"draw 2 chosen from (bag {LET_IN})\n    move chosen to heap")
    step = engine.start(game(text), seed=None)
    answers = [option for option in engine.decisions(step.state)[0].options if str(getattr(option, "key", "")) != "7"]
    for name in ("draw", "move"):
        (event,) = first_told(text, name, answers, seed=None)
        assert set(event.decided_by) == {"A", "C", "E"}


HOW_MANY = "(if red.ready then 1 else {least} @A)..(if red.score is 2 @D then 2 @B else 3)"


@pytest.mark.parametrize(("least", "answer"), [(0, ()), (0, ("7",)), (1, ("7", "9")), (2, ("7", "9"))])
def test_how_many_are_chosen_is_decided_by_what_says_so(least: int, answer: tuple[str, ...]) -> None:
    text = POOL + first(f'red chooses ({HOW_MANY.format(least=least)}) kept from bag "?"\n    move kept to heap')
    offered = engine.decisions(engine.start(game(text)).state)[0].options
    chosen = tuple(card for card in offered if str(getattr(card, "key", "")) in answer)
    for event in [*first_told(text, "choose", [chosen]), *first_told(text, "move", [chosen])]:
        assert " ".join(event.decided_by) == "A D B"


def test_who_is_asked_is_decided_by_what_says_so() -> None:
    text = first('(if red.ready then last players else red @B) chooses\n        "go"   @A: raise red.score by 1\n')
    text += '        "stay": end game'
    (chosen,) = first_told(text, "choose", ["go"])
    assert (chosen.clauses, chosen.decided_by) == (("A",), ("B",))
    assert why(text, answers=["go"]) == ("A", "|", "B")


def test_how_many_there_are_is_decided_also_where_nobody_is_asked() -> None:
    amount = "((if red.ready then 9 else 2 @A)..(if red.score is 2 @D then 2 @B else 3))"
    text = POOL + first(
        f'red chooses {amount} kept from (bag where it is cards_all[3] @C or it is cards_all[7] @E) "?"'
    )
    (event,) = first_told(text, "choose")
    assert set(event.decided_by) == {"A", "B", "C", "D", "E"}


@pytest.mark.parametrize("seed", ["0", None])
@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("draw ((2 @A)) drawn from bag", "draw"),
        ("roll ((2 @A)) dice as drawn from cards_all", "roll"),
        ("deal (2 @A) from bag to heap", "deal"),
    ],
)
def test_how_many_chance_gives_is_decided_by_what_says_so(line: str, name: str, seed: str | None) -> None:
    text, answers = POOL + first(line), list[Value]()
    step: Step = engine.start(game(text), seed=seed)
    while not step.state.over:
        answers.append(engine.decisions(step.state)[0].options[0])
        step = engine.apply(step.state, Action(engine.decisions(step.state)[0].seat, answers[-1]))
    assert [event.decided_by for event in first_told(text, name, answers, seed)] == [("A",)]


@pytest.mark.parametrize(
    ("line", "clauses"),
    [
        ("move first bag to (heap @A)", "A"),
        ("move first bag to (red.hand @A)", "A"),
        ("move first bag to ((if red.ready then last players else red @B).hand @A)", "B A"),
        ("move (bag @B) to (heap @A)", "B A"),
        ("deal 1 from bag to (heap @A)", "A"),
        ("shuffle (bag @A)", "A"),
        ("set (red.score @A) to 3", "A"),
        ("set ((red.marks @A)[1]) to 3", "A"),
        ("set (red.marks[1] @A) to (3 @B)", "A B"),
        ("raise (red.score @A) by 1", "A"),
        ("raise (red.score @A @B) by 1", "A B"),
    ],
)
def test_a_citation_may_stand_at_what_is_changed(line: str, clauses: str) -> None:
    own = "each player has\n    list marks of 0..9 for 1..3\n"
    events = [event for event in played(POOL + own + first(line)) if event.name not in ("end", "rank")]
    assert [" ".join((*event.clauses, "|", *sorted(event.decided_by))) for event in events] == [
        " ".join(("|", *sorted(clauses.split())))
    ]


PARTS = """
pile left of card starts cards_all, seen by nobody
pile right of card starts cards_all, seen by nobody
each player has
    piece pawn on lane at 1
"""
LEFT_OR_RIGHT = "(left where it is cards_all[7] @A) + (right where it is cards_all[3] @B or it.stirs above 3 @C)"
PAWNS = "(everyone where it is red @A or it is not red @B).pawn"


@pytest.mark.parametrize(
    ("lines", "name", "expected"),
    [
        (f"move {LEFT_OR_RIGHT} to heap", "move", ["A", "B C E"]),
        (f"reveal {LEFT_OR_RIGHT}", "reveal", ["A", "B C E"]),
        (f"remove {LEFT_OR_RIGHT}", "remove", ["A", "B", "C E"]),
        (f"move {PAWNS} to 2", "move", ["A", "B"]),
        (f"remove {PAWNS}", "remove", ["A", "B"]),
        ("defeat (players where it is red @A or it is not red @B)", "defeat", ["A B"]),
    ],
)
def test_each_thing_is_told_with_what_let_it_in(lines: str, name: str, expected: list[str]) -> None:
    text = POOL + PARTS + first(lines)
    found = first_told(text, name)[-len(expected) :]
    assert [" ".join(sorted(event.decided_by)) for event in found] == expected


# ---------------------------------------------------------------- lines and what lies around them


def test_a_clause_above_a_line_is_of_the_part_that_cites_it() -> None:
    text = first(
        "> G Plain.\n    > H Doubled.\n    let gain be (if red.ready then 2 @H else 1 @G)\n    raise red.score by gain"
    )
    assert why(text) == ("|", "G")
    text = first("> G Plain.\n    > H Doubled.\n    raise red.score by (if red.ready then 2 @H else 1)")
    assert why(text) == ("G", "|")


def test_what_needs_no_rule_decides_nothing() -> None:
    text = first(">- G It is said here.\n    > H Plain.\n    raise red.score by 1   @A")
    assert why(text) == ("H", "A", "|")
    body = "    raise player.score by 1   @A"
    assert why(f"{first('do gain(red)')}\n>- G It is said here.\naction gain(player)\n{body}") == ("A", "|")
    assert why(first(">- G It is said here.\n    raise red.score by 1   @G")) == ("G", "|")


def test_a_line_is_told_apart_from_what_lies_around_it() -> None:
    text = first("do gain(red)   @B") + "\naction gain(player)\n    raise player.score by 1   @A"
    assert why(text) == ("A", "|", "B")


def test_what_stands_on_one_line_is_one_line() -> None:
    text = first("if red.score is 2: raise red.score by 1   @A")
    assert why(text) == ("A", "|")


def test_conditions_and_loops_decide_that_it_happens_nearest_first() -> None:
    text = first(
        "each p in players where it.score is 2 @D\n        if not p.ready @B and p.score is 2 @C\n"
        "            if p is red @E and p.score below 3\n                raise p.score by 1   @A"
    )
    assert why(text) == ("A", "|", "E", "B", "C", "D")


def test_what_was_passed_by_decides_nothing() -> None:
    text = first("if red.ready @B and red.score is 2\n        set red.secret to 1\n    raise red.score by 1   @A")
    assert why(text) == ("A", "|")


def test_the_other_arm_is_decided_by_the_condition_that_failed() -> None:
    text = first(
        "if red.ready @B and red.score is 2\n        set red.secret to 1\n    else\n        raise red.score by 1   @A"
    )
    assert why(text) == ("A", "|", "B")


HELD = """action gain(steps of number)
    let red be first players
    only if red.score is 2 @B and (red.ready @C or not red.ready @D)   @E
"""


@pytest.mark.parametrize(
    ("lines", "clauses"),
    [
        ("raise red.score by steps   @A", ["B D E"]),
        ("if red.score is 2 @F: raise red.score by steps   @A", ["F B D E"]),
        ("each n in 1..2\n        raise red.score by steps   @A", ["B D E", "B D E"]),
    ],
)
def test_an_only_if_that_held_decides_what_comes_behind_it(lines: str, clauses: list[str]) -> None:
    text = f"{first('do gain(1)')}\n{HELD}    {lines}"
    raised = [event for event in played(text) if event.get("what") == "red.score"]
    assert [(event.clauses, " ".join(event.decided_by)) for event in raised] == [(("A",), each) for each in clauses]


@pytest.mark.parametrize(
    ("lines", "clauses"),
    [
        ("if steps is 1\n        only if red.ready is no @C\n    raise red.score by steps   @A", [""]),
        ("each n in 1..2\n        if n is 1: only if red.ready is no @C\n        raise red.score by 1   @A", ["", ""]),
        (
            "each n in 1..2\n        if n is 1\n            only if red.ready is no @C\n"
            "        else\n            raise red.score by 1   @A",
            [""],
        ),
        ("each n in 1..2\n        only if red.ready is no @C\n        raise red.score by 1   @A", ["C", "C"]),
        ("raise red.score by 1   @A\n    only if red.ready is no @C\n    raise red.score by 1   @A", ["", "C"]),
    ],
)
def test_an_only_if_decides_nothing_that_happens_without_it(lines: str, clauses: list[str]) -> None:
    text = f"{first('do gain(1)')}\naction gain(steps of number)\n    let red be first players\n    {lines}"
    raised = [event for event in played(text) if event.get("what") == "red.score"]
    assert [" ".join(event.decided_by) for event in raised] == clauses


def test_a_card_decides_what_it_does() -> None:
    table = """
table spells of spell
    > D One.
    spell 1: raise owner.score by 1
    > E Two.
    spell 2
        raise owner.score by 2"""
    assert why(first("do spells[2] for red") + table) == ("|", "E")


TOKENS = """
table tokens of token
    | token | home | worth |
    > T1 The first.
    | one   |      | 2     |
    > T2 The second.
    | two   | yes  |       |
    > T3 The third.
    | three | no   | 0     |
kind sign
    > S1 A sign.
    sign plain
    > S2 Another.
    sign lit, shines
"""


@pytest.mark.parametrize(
    ("value", "clauses"),
    [
        ("(if tokens[one].home then 1 else 3)", ""),
        ("(if tokens[two].home then 1 else 3)", "T2"),
        ("(if tokens[three].home then 1 else 3)", "T3"),
        ("(tokens[one].worth + 1)", "T1"),
        ("(tokens[two].worth + 1)", ""),
        ("(tokens[three].worth + 1)", "T3"),
        ("(if plain.shines then 1 else 3)", ""),
        ("(if lit.shines then 1 else 3)", "S2"),
    ],
)
def test_what_is_not_printed_on_a_thing_is_told_by_none_of_its_clauses(value: str, clauses: str) -> None:
    assert " ".join(why(TOKENS + first(f"raise red.score by {value}"))) == f"| {clauses}".strip()


NUMBERED = """
cards numbered of chip
    | chip | worth |
    > N1 The one.
    | 1    | 2     |
    > N2 The two.
    | 2    | 2     |
> M1 Marks from one to three.
cards marks of mark
    mark 1
    > M2 Two stays.
    mark 2, stays
pile chips of chip starts numbered
pile marked of mark starts marks
"""


@pytest.mark.parametrize(
    ("value", "clauses"),
    [
        ("numbered[1].number", "N1"),
        ("numbered[2]", "N2"),
        ("marks[1].number", "M1"),
        ("marks[2].number", ""),
        ("(sum of number over chips)", "N1 N2"),
        ("(sum of number over (chips where it is numbered[2]))", "N2"),
        ("(count (chips where it above 1))", "N2"),
        ("(count (chips where it in 1..2))", "N1 N2"),
        ("(count (chips where it is 2))", ""),
        ("(count (chips where it.number is 2 or it is 1))", ""),
        ("(count (chips where it in [1, 2]))", ""),
        ("(if (first chips).number is (last chips).number then 1 else 3)", "N1 N2"),
    ],
)
def test_a_number_in_a_row_is_told_by_it_as_other_cells_are(value: str, clauses: str) -> None:
    assert " ".join(why(NUMBERED + first(f"raise red.score by {value}"))) == f"| {clauses}".strip()


def test_a_push_is_told_with_the_line_about_full_spaces() -> None:
    track = """
track path 0..9
    nearer is down
    spaces 1..4 hold 1
    > G Who stands there is pushed.
    full pushes nearer
each player has
    piece pawn on path at 5"""
    moves = "move (last players).pawn to 3\n    move red.pawn nearer by 2   @A"
    moved = [e for e in played(first(moves) + track) if e.name in ("travel", "push")]
    assert [(e.name, e.clauses) for e in moved] == [("travel", ("A",)), ("push", ("G",))]
    assert moved[1].decided_by == ("A",)


def test_a_way_is_told_with_the_way_that_was_chosen() -> None:
    text = first(
        'red chooses\n        "go"   @A\n            raise red.score by 1\n        "stay"   @B\n            end game'
    )
    chosen = [e for e in played(text, ["go"]) if e.name == "choose"]
    assert [e.clauses for e in chosen] == [("A",)]
    assert why(text, answers=["go"]) == ("|", "A")


def test_an_untold_match_knows_no_reasons() -> None:
    step = rulekit.start(game(first("raise red.score by (1 @A)")), told=False)
    assert {event.decided_by for event in step.events} == {()}


RANKING = """game "Ranking"
    players 3
each player has
    counter score 0..9
    counter second 0..9
play
    {}
result: rank players by highest score @A then highest second @B then lowest (score @C)
> A One.
> B Two.
> C Three.
"""


@pytest.mark.parametrize(
    ("scores", "places"),
    [((5, 3, 1), ["A", "A", "A"]), ((5, 5, 1), ["A B", "A B", "A"]), ((1, 1, 1), ["A B", "A B C"])],
)
def test_who_is_equal_by_one_key_has_a_place_by_the_next(scores: tuple[int, ...], places: list[str]) -> None:
    lines = [f"set players[{at}].score to {score}" for at, score in enumerate(scores, 1)]
    text = RANKING.format("\n    ".join([*lines, "set players[2].second to 1"]))
    loaded = examine_text(Source("ranking.rules", text))
    assert loaded.game is not None, loaded.findings
    ranked = [event for event in engine.start(loaded.game).events if event.name == "rank"]
    assert [" ".join((*event.clauses, *event.decided_by)) for event in ranked] == places


# ---------------------------------------------------------------- who may know


def told(text: str, seat: int, answers: Sequence[Value] = ()) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Both ranks of what happens to scores, as a seat may know them."""
    events = [seen(event, seat) for event in played(text, answers) if event.get("what") == "red.score"]
    return [(event.clauses, event.decided_by) for event in events if event is not None]


@pytest.mark.parametrize(
    ("line", "own", "other"),
    [
        ("raise red.score by (1 @B)   @A", ("A", "B"), ("A", "B")),
        ("raise red.score by (if red.secret is 3 then 1 @B else 1 @C)   @A", ("A", "B"), ("A",)),
        ("raise red.score by (if red.secret is 3 @D or red.ready @E then 1 else 2)   @A", ("A", "D"), ("A",)),
        ("raise red.score by count (players where it.secret is 3 @D or it.ready @E)   @A", ("A",), ("A",)),
        ("raise red.score by (first red.hand).stirs   @A", ("A", "K3"), ("A",)),
        ("if red.secret is 3 @D or red.ready @E\n        raise red.score by 1   @A", ("A", "D", "E"), ()),
        ("let gain be (if red.secret is 3 then 1 @B else 1 @C)\n    raise red.score by gain   @A", ("A", "B"), ("A",)),
        ("raise red.score by min((red.secret @B), (5 @C))   @A", ("A", "B"), ("A",)),
        ("raise red.score by min((red.secret @B), (2 @C))   @A", ("A", "C"), ("A",)),
        ("only if red.secret is 3 @D or red.ready @E\n    raise red.score by 1   @A", ("A", "D", "E"), ("A", "E")),
        ("only if red.secret is 3   @D\n    raise red.score by 1   @A", ("A", "D"), ("A", "D")),
        ("do paid(red.secret is 3)   @D", ("A", "B", "D"), ("A", "D")),
        ("each card in red.hand\n        if card is 3: raise red.score by 1   @A", ("A",), ()),
    ],
)
def test_a_clause_is_told_to_those_who_may_know_what_decided_it(
    line: str, own: tuple[str, ...], other: tuple[str, ...]
) -> None:
    paid = (
        "\naction paid(f of flag)\n    let red be first players\n    raise red.score by (if f then 1 @B else 2 @C)   @A"
    )
    text = first(line) + paid
    for seat, expected in ((0, own), (1, other)):
        ((line_clauses, decided),) = told(text, seat)
        assert {*line_clauses, *decided} == set(expected)


# ---------------------------------------------------------------- what is declared

RACE = """track race 0..9
    steps free_spaces
    spaces 1..9 hold 1   @A
track queue 0..9
    spaces 1..9 hold 1   @B
    full goes_on         @C
each player has
    piece runner on race at 0   @D
    piece waiter on queue at 0
"""


@pytest.mark.parametrize(
    ("lines", "clauses"),
    [
        (["move red.runner up by 1"], ""),
        (["move blue.runner up by 1", "move red.runner up by 1"], "A"),
        (["move red.waiter up by 1"], ""),
        (["move blue.waiter up by 1", "move red.waiter up by 1"], "B C"),
        (["move red.runner up by 1", "move red.runner home"], "D"),
        (["reveal (players.secret @E)"], "E"),
        (["reveal (red.secret @E)"], "E"),
        (["reveal (red.hand @E)"], "E"),
    ],
)
def test_what_is_declared_decides_what_follows_from_it(lines: list[str], clauses: str) -> None:
    text = f"{RACE}{first('let blue be last players')}\n    " + "\n    ".join(lines)
    told = [event for event in played(text) if event.name in ("travel", "move", "reveal")]
    assert sorted(told[-1].decided_by) == clauses.split()


HIDDEN = """
pile shown of card starts cards_all, seen on top   @A
each player has   @F
    counter luck 0..9 starts 3, seen by owner      @B
    counter veiled 0..9 starts 3, seen by owner
    > C Nobody looks at another's cards.
    pile cards of card starts cards_all, seen by owner
    counter open 0..9 starts 3                     @D
"""


@pytest.mark.parametrize(
    ("line", "clauses"),
    [
        ("reveal shown", "A"),
        ("reveal (first shown)", "A"),
        ("reveal red.luck", "B"),
        ("reveal players.luck", "B B"),
        ("reveal red.veiled", ""),
        ("reveal red.cards", "C"),
        ("reveal (red.cards where it is red.luck)", "C"),
        ("reveal players.cards", "C C"),
        ("reveal (if red.luck is 3 then shown else [])", "A"),
        ("reveal [first shown] + red.cards", "A C A C"),
        ("announce red.luck to players", "B"),
        ("announce red.luck + red.open to players", "B"),
        ("announce red.open to players", ""),
        ("move first red.cards to shown", ""),
    ],
)
def test_what_is_shown_is_told_by_the_line_that_hid_it(line: str, clauses: str) -> None:
    told = [event for event in played(HIDDEN + first(line)) if event.name in ("reveal", "announce", "move")]
    assert told
    assert " ".join(clause for event in told for clause in event.decided_by) == clauses


# ---------------------------------------------------------------- courses

COURSE = """
table stops of stop
    | stop | next |
    | 1    | 2 3  |
    | 2..6 |      |
    | 7    | none |
> G The arrows lead on.
course way of stop
    spaces [2, 3] hold 1
    full stacks
each player has
    piece walker on way at 1
"""


@pytest.mark.parametrize(
    ("value", "clauses"),
    [
        ("(first first_free(red.walker)).number", "G"),
        ("links(stops[1], stops[6])", "G"),
        ("count behind(stops[3])", "G"),
        ("(if stops[6] in behind(stops[3]) then 1 else 2)", "G"),
        ("red.walker.space.number", ""),
    ],
)
def test_what_follows_a_course_follows_from_its_line(value: str, clauses: str) -> None:
    assert " ".join(why(first(f"raise red.score by {value}") + COURSE)) == f"| {clauses}".strip()


def test_a_space_that_a_course_leads_to_is_known_for_that_over_questions() -> None:
    lines = 'red chooses n from 1..2 "?"\n    move red.walker to first ahead'
    text = first(f"let ahead be first_free(red.walker)\n    {lines}")
    moved = [event for event in played(text + COURSE, [1]) if event.name == "move"]
    assert [event.decided_by for event in moved] == [("G",)]


def test_of_two_courses_on_the_same_spaces_the_one_on_which_a_piece_stands_is_told() -> None:
    other = f"{COURSE}    piece runner on other at 1\n> H The arrows lead elsewhere.\ncourse other of stop\n"
    text = first("raise red.score by (first first_free(red.runner)).number") + other
    assert why(text) == ("|", "H")
    assert why(first("raise red.score by links(stops[1], stops[6])") + other) == ("|",)
