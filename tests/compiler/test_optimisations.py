"""What the compiler leaves out, by the plans of small games; that matches stay as they are, others hold."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import evolve

from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import expressions, statements
from rulekit.compiler.wasm.module import text
from tests.engine.test_scenarios import game_of

HEAD = """game "Small"
    players 4
unclear wide "?"
    > R1 It may be read in two ways.
    narrow "no" default
    broad  "yes"
track steps 0..6
counter best 0..99
each player has
    piece pawn on steps at 3
    flag tired
    counter age 0..99
play
    do small(players whose tired, 3)
    end game
result
    rank players by highest age
"""


def plan_of(*rules: str) -> p.Plan:
    """rules: the statements of a rule that is given some players and a number."""
    rule = "action small(some of players, number)\n" + "".join(f"    {line}\n" for line in rules)
    return lowered(game_of(HEAD + rule), {}, 4)[0]


def rule_of(plan: p.Plan) -> p.Function:
    return next(function for function in plan.functions if function.origin == "small")


def all_expressions(function: p.Function) -> Iterator[p.Expr]:
    return (e for s in statements(function.body) for e in expressions(s))


def kinds(function: p.Function) -> set[type]:
    return {type(statement) for statement in statements(function.body)}


def stores_to(plan: p.Plan, word: str) -> int:
    at = plan.word_names.index(word)
    return sum(isinstance(s, p.Store) and s.at == p.Const(at) for s in statements(rule_of(plan).body))


def test_what_stands_under_a_reading_that_was_not_chosen_is_not_written() -> None:
    plan = plan_of("if number above 2 and wide is broad: set best to 5")
    assert (stores_to(plan, "wide was met"), stores_to(plan, "best")) == (1, 0)
    loops = plan_of("each player in players whose tired and wide is broad: set best to 5")
    assert (stores_to(loops, "wide was met"), stores_to(loops, "best")) == (1, 0)
    other = plan_of("if number above 2 or wide is narrow: set best to 5")
    assert stores_to(other, "wide was met") == 1
    assert p.Store(p.Const(other.word_names.index("best")), p.Const(5)) in rule_of(other).body


def test_what_only_tells_whether_a_reading_is_met_ends_once_it_was() -> None:
    plan = plan_of("if (sum of age over some) above 3 and wide is broad: set best to 5")
    met = p.Word(p.Const(plan.word_names.index("wide was met")))
    first = next(statement for statement in rule_of(plan).body if not isinstance(statement, p.Spend))
    assert isinstance(first, p.If)
    assert first.test == p.Not(met)
    assert p.Store(met.at, p.Const(1)) in [*statements(first.then)]


def test_a_test_that_is_the_same_for_all_elements_stands_before_their_loop() -> None:
    plan = plan_of("let found be players whose number is 3 and tired", "set best to count found")
    asked = p.Binary("==", p.Get("v1"), p.Const(3))
    assert [*all_expressions(rule_of(plan))].count(asked) == 1


def test_seats_are_passed_and_chosen_from_as_bits() -> None:
    plan = plan_of(
        "let found be some whose pawn at most 2", "each player in found by lowest pawn: set best to player.age"
    )
    function = rule_of(plan)
    assert function.params == (("v0", "int"), ("v1", "int"))
    body = tuple(s for s in function.body if not isinstance(s, p.If))
    assert not {p.New, p.Push, p.Copy} & {type(s) for s in statements(body)}
    assert p.Copy in kinds(function), "two are sorted in a copy"
    assert "i64.ctz" in text(plan).text


def lines_of(plan: p.Plan) -> list[str]:
    return text(plan).text.split(f"(func $plan.{rule_of(plan).name} ")[1].split("(func ")[0].split("\n")


def test_what_depends_on_a_condition_and_is_short_is_chosen_without_a_jump() -> None:
    plan = plan_of("let found be players whose tired", "set best to count found")
    assert "select" in lines_of(plan)
    assert "if" not in lines_of(plan)[: lines_of(plan).index("select")]


def test_the_place_of_what_grows_is_worked_out_once() -> None:
    at = p.Binary("*", p.Word(p.Const(0)), p.Word(p.Const(1)))
    made = evolve(plan_of("set best to 1"), functions=())
    grown = p.Function("grown", (), (), (p.Store(at, p.Binary("+", p.Word(at), p.Const(1))),))
    assert text(evolve(made, functions=(grown,), main="grown", result="grown")).text.count("i64.mul\n") == 1


PILE = (
    HEAD
    + """
cards deck of card
"""
    + "".join(f"    card {number}\n" for number in range(1, 10))
)


def test_members_that_others_refer_to_are_bits_in_order() -> None:
    rules = PILE.replace("    flag tired", "    pile hand of card starts deck\n    flag tired")
    rule = "action small(some of players, number)\n    each card in deck where it in players.hand: set best to card\n"
    plan = lowered(game_of(rules + rule.replace("to card", "to card.number")), {}, 4)[0]
    assert any(isinstance(e, p.Bits) for e in all_expressions(rule_of(plan)))
    assert p.Sort not in kinds(rule_of(plan))


FIELD = """game "Field"
    players 2
grid field unbounded
    spaces field hold 1
    full refuses
pieces men of man on field
    | man |
    | x   |
    | y   |
    | z   |
each player has
    counter age 0..99
play
    each player
        player chooses man from (men where it.placed) "Who?"
        player chooses way from directions "Where to?"
        if no ahead(man, way): set player.age to count groups(men)
        end game
result
    rank players by highest age
"""


def called(plan: p.Plan, name: str) -> p.Function:
    return next(function for function in plan.functions if function.name == name)


def test_nobody_walks_on_a_grid_without_edges_to_see_who_stands_ahead() -> None:
    counted = lowered(game_of(FIELD.replace("no ahead(man, way)", "count ahead(man, way) is 0")), {}, 2)[0]
    assert not {p.Loop, p.Do} & kinds(called(counted, "ahead"))


def test_who_only_asks_whether_anybody_stands_ahead_makes_no_list_of_them() -> None:
    assert "ahead" not in {function.name for function in lowered(game_of(FIELD), {}, 2)[0].functions}


def test_groups_grow_cell_by_cell_without_searching_lists() -> None:
    plan = lowered(game_of(FIELD), {}, 2)[0]
    made = called(plan, "groups_of_few")
    assert not {p.Has, p.Drop} & ({type(e) for e in all_expressions(made)} | kinds(made))


def test_groups_are_made_once_for_all_their_uses_in_an_operation() -> None:
    rules = FIELD.replace("count groups(men)", "count (groups(men) as one where any (groups(men) where it is one))")
    plan = lowered(game_of(rules), {}, 2)[0]
    calls = [s for f in plan.functions for s in statements(f.body) if isinstance(s, p.Do)]
    assert [call.function for call in calls].count("groups_of_few") == 1


WALKED = """
action walk(mover of player)
    let barred be mover.age is 3
    do stroll(mover)
    set mover.age to 1
    only if not (barred and no groups(men))
action stroll(mover of player)
    mover chooses way from directions "Where to?"
    push x toward way
"""


def test_where_a_flag_decides_all_the_rest_the_function_that_asks_stands_in() -> None:
    for more, sure in (("", True), ("set mover.age to mover.age + 1", False), ("mover chooses a from men", False)):
        walked = WALKED.replace("set mover.age to 1", more or "set mover.age to 1")
        plan = lowered(game_of(FIELD.replace("end game", "do walk(player)\n        end game") + walked), {}, 2)[0]
        said = {f.origin: {s.on for s in statements(f.body) if isinstance(s, p.Live)} for f in plan.functions}
        assert (p.SURE in said["walk"]) is sure
        assert said["stroll"] == {p.STANDS_IN}


CHOSEN = """
action small(mover of player, herd of men)
    let some be herd where it.placed
    mover chooses man from some "Who?"
    move man to field[1, 1]
"""


def test_options_that_are_apart_where_a_rule_is_called_are_not_compared() -> None:
    for herd, compared in (("men", False), ("[x, x]", True)):
        plan = lowered(game_of(FIELD.replace("end game", f"do small(player, {herd})") + CHOSEN))[0]
        assert (p.Has in {type(e) for e in all_expressions(rule_of(plan))}) is compared


def test_what_is_tried_takes_the_options_as_they_are() -> None:
    plan = plan_of("each player", "    player chooses n from 1..number", "    only if n above 1", "    set best to n")
    function = rule_of(plan)
    assert p.Copy not in kinds(function)
    (asked,) = (s for s in statements(function.body) if isinstance(s, p.Ask))
    assert isinstance(asked.options, p.Pick)
    assert asked.options.other == asked.among
    looked = [s for s in statements(function.body) if isinstance(s, p.If) and s.test == asked.options.test]
    assert [{type(inner) for inner in s.then} for s in looked] == [{p.Feasible}]


def test_what_is_drawn_from_known_things_is_looked_up() -> None:
    function = rule_of(plan_of("draw step from [1, 2, 5]", "set best to step"))
    assert not {p.Copy, p.New} & kinds(function)
    assert any(isinstance(e, p.Entry) for e in all_expressions(function))


def test_who_is_ranked_and_what_is_shuffled_is_sorted_once_by_one_key() -> None:
    plan = lowered(
        game_of(PILE + "pile stock of card starts deck\naction small(some of players, number)\n    shuffle stock\n"),
        {},
        4,
    )[0]
    sorts = {f.origin: [s.width for s in statements(f.body) if isinstance(s, p.Sort)] for f in plan.functions}
    assert (sorts["small"], sorts["result"]) == ([1], [1])


STONES = """game "Stones"
    players 2
grid board 3 by 3
each player has
    pieces 2 stones of stone on board
    counter score 0..
play
    each player: raise player.score by count (STONES where it.space.row above 1)
    end game
result: rank players by highest score
"""


def test_where_a_condition_says_that_a_piece_stands_nobody_looks_again() -> None:
    sets = "player.stones", "(player.stones where it.placed)"
    faults = [lowered(game_of(STONES.replace("STONES", some)), {}, 2)[0].faults for some in sets]
    assert [any("not-placed" in fault for fault in some) for some in faults] == [True, False]


def test_where_pieces_are_looked_through_their_owner_is_known_and_that_they_stand() -> None:
    choose = "player chooses stone from player.stones where it.placed and it.owner is player"
    rules = STONES.replace("3 by 3", "3 by 3\n    spaces board hold 1").replace(
        ": raise player.score by count (STONES where it.space.row above 1)",
        f"\n        {choose}\n        remove stone",
    )
    plan = lowered(game_of(rules), {}, 2)[0]
    asking = next(f for f in plan.functions if any(isinstance(s, p.Ask) for s in statements(f.body)))
    assert not any(isinstance(e, p.Entry) for e in all_expressions(asking))
    assert sum(isinstance(s, p.Push) for s in statements(asking.body)) == 1
    gone = plan.word_names.index(next(name for name in plan.word_names if name.endswith("gone")))
    read = {e.at for e in all_expressions(asking) if isinstance(e, p.Word)}
    assert not any(isinstance(at, p.Binary) and isinstance(at.left, p.Get) and at.right == p.Const(gone) for at in read)
