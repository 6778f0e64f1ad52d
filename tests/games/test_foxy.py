"""Foxy as its specification says it: the count reckoned apart from the rules, what may be seen, who speaks, edits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest
from attrs import define, field

from rulekit import (
    Action,
    Decision,
    Event,
    IllegalAction,
    Outcome,
    Ref,
    State,
    Value,
    apply,
    decisions,
    outcome,
    start,
    view,
)
from rulekit.diagnostics import Problems, render_all
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.play.view import SPECTATOR
from rulekit.record.match import NoWayBack, started
from rulekit.source import Source
from rulekit.syntax import nodes
from rulekit.syntax.parse import parse
from rulekit.syntax.traversal import cites, walk
from rulekit.tools.examples import runner
from tests import paths
from tests.generators.random_matches import Answers

RULES = paths.GAMES / "foxy.rules"
CLAUSES = {
    *(f"FX-{n}" for n in (*range(1, 19), *range(20, 25), *range(30, 34), *range(40, 50), 60, 61)),
    *(f"FX-V{n}" for n in range(1, 7)),
    *(f"G{n}" for n in range(1, 23)),
    *(f"EX-{n}" for n in range(1, 5)),
}
"""The clauses of the specification, and FX-8, FX-9, FX-17, FX-18, G19 to G22 out of the book."""
NOT_BY_A_SCENARIO = {
    "FX-1": "the head; played here with every number of players",
    "FX-2": "a declaration",
    "FX-3": "a table, held by an invariant",
    "FX-6": "nothing happens",
    "FX-7": "every option is declared before play",
    "FX-8": "what it is about",
    "FX-9": "the aim, as FX-45 to FX-49 count it",
    "FX-11": "the views, tested here",
    "FX-16": "there is nothing else to write",
    "FX-18": "said of an option that G6 is about",
    "FX-31": "the views, tested here",
    "FX-32": "the views, tested here",
    "FX-33": "the views and undo, tested here",
    "FX-49": "the whole ranking, tested here",
    "FX-V6": "one option with one value",
    "G6": "the views, tested here",
    "G12": "one option with one value",
    "G15": "a table",
    "G16": "a table",
    "G17": "the head",
    "G18": "nothing happens",
    "G20": "a table, held by an invariant",
}
SPECIES = ("hen", "pig", "rabbit", "bear", "zebra", "giraffe", "dolphin", "octopus", "cat")
ROUNDS = 20


@cache
def text() -> str:
    return RULES.read_text(encoding="utf-8")


@cache
def game_of(rules: str) -> Game:
    found = examine_text(Source("foxy.rules", rules))
    assert found.game is not None, render_all(found.findings, found.sources)
    return found.game


def game() -> Game:
    return game_of(text())


# ---------------------------------------------------------------- clauses and scenarios


def test_there_are_no_findings() -> None:
    assert examine_text(Source("foxy.rules", text())).findings == ()


def test_every_clause_stands_in_the_file() -> None:
    assert set(game().clauses) == CLAUSES


def test_every_clause_is_shown_by_a_scenario() -> None:
    file = parse(Source(str(RULES), text()), Problems()).file
    lines = [line for node in file.declarations if isinstance(node, nodes.Scenario) for line in walk((node,))]
    shown = {clause for line in lines if isinstance(line, nodes.Line) for clause in cites(line)}
    assert CLAUSES - shown == set(NOT_BY_A_SCENARIO)


def test_a_wrong_number_in_any_scenario_is_found_on_its_line() -> None:
    """The first number that each scenario expects is made another one."""
    lines, wrong, name, done = text().split("\n"), {}, "", True
    for number, line in enumerate(lines):
        if line.startswith("scenario "):
            name, done = line.split('"')[1], False
        elif line.startswith("    expect ") and (match := re.search(r" is (-?\d+)(?=,|$| )", line)) and not done:
            wrong[name], done = number + 1, True
            lines[number] = f"{line[: match.start(1)]}{int(match[1]) + 1}{line[match.end(1) :]}"
    assert len(wrong) > 35
    found = examine_text(Source("foxy.rules", "\n".join(lines))).game
    assert found is not None
    for result in runner.run_all(found):
        if result.scenario.name in wrong:
            assert result.failure is not None, result.scenario.name
            assert result.failure.span.line == wrong[result.scenario.name]


@pytest.mark.parametrize(
    ("old", "new", "hint"),
    [
        ("answered_last else", "answerd_last else", "did you mean `answered_last`?"),
        ("| hen pig cat         | 1", "| hen pgi cat         | 1", "did you mean `pig`?"),
        ("fox_asks is variety:", "fox_asks is varietty:", "did you mean `variety`?"),
        ("for 1..rounds starts", "for 1..round starts", "did you mean `rounds`?"),
        ("jo.score is 4, winners is", "jo.score is 4, winers is", "did you mean `winners`?"),
        ("    secretly each player", "    secretely each player", "did you mean `secretly`?"),
        ("rank players by highest score", "rank players by highest scor", "did you mean `score`?"),
    ],
)
def test_a_misspelt_word_is_found_in_its_place_with_the_right_one(old: str, new: str, hint: str) -> None:
    assert text().count(old) == 1
    changed = text().replace(old, new)
    (found,) = examine_text(Source("foxy.rules", changed)).findings
    line = changed.split("\n")[found.span.line - 1]
    assert line[found.span.column - 1 : found.span.end_column - 1] in re.findall(r"\w+", new)
    assert found.hint == hint


# ---------------------------------------------------------------- whole matches


@define
class Played:
    """A finished match: what was turned up, written and said.

    cards:   the keys in the order of play.
    last:    by turn, who was the last to write a number.
    speakers, spoken, drawn:  by turn, who announced which number, and the seat drawn by lot.
    """

    state: State
    options: dict[str, Value]
    cards: list[str] = field(factory=list)
    last: list[str] = field(factory=list)
    speakers: list[str] = field(factory=list)
    spoken: list[Value] = field(factory=list)
    drawn: list[str] = field(factory=list)

    def of(self, seat: int, what: str) -> Value:
        return view(self.state, SPECTATOR)[f"{self.state.setting.seats[seat]}.{what}"].shown

    def number(self, seat: int, what: str) -> int:
        value = self.of(seat, what)
        assert isinstance(value, int), value
        return value

    def sheet(self, seat: int) -> tuple[int, ...]:
        boxes = self.of(seat, "sheet")
        assert isinstance(boxes, tuple)
        return tuple(box for box in boxes if isinstance(box, int))

    def result(self) -> Outcome:
        end = outcome(self.state)
        assert end is not None
        return end


def shown(state: State, seat: int = SPECTATOR) -> list[str]:
    cards = view(state, seat)["shown"].shown
    assert isinstance(cards, tuple)
    return [card.key for card in cards if isinstance(card, Ref)]


def play(rules: Game, options: dict[str, Value], seats: int, name: str) -> Iterator[Played]:
    """A match after each decision: the numbers lie near the truth, in whatever order the seats answer."""
    answers = Answers(name)
    made = Played(start(rules, options, seats=seats, seed=name, checked=True).state, options)
    made.cards = shown(made.state)
    yield made
    while waiting := decisions(made.state):
        asked = waiting[answers.below(len(waiting))]
        if asked.name == "guess":
            made.last = [*made.last[: len(made.cards) - 1], made.state.setting.seats[asked.seat]]
        step = apply(made.state, Action(asked.seat, answer(made, asked, answers)))
        made.state = step.state
        for event in step.events:
            note(made, event)
        made.cards = [*made.cards, shown(made.state)[-1]] if turn(made) > len(made.cards) else made.cards
        yield made


def turn(made: Played) -> int:
    return view(made.state, SPECTATOR)["shown"].count or 0


def answer(made: Played, asked: Decision, answers: Answers) -> Value:
    if asked.name != "guess":
        return asked.options[answers.below(len(asked.options))]
    near = exact_values(made)[-1] + answers.below(5) - 3
    return near if near in asked.options else asked.options[0]


def note(made: Played, event: Event) -> None:
    if event.name == "announce" and isinstance(event["value"], Ref):
        made.speakers.append(event["value"].key)
    elif event.name == "announce":
        made.spoken.append(event["value"])
    elif event.name == "draw":
        drawn = event["drawn"]
        assert isinstance(drawn, tuple)
        assert isinstance(drawn[0], Ref)
        made.drawn.append(drawn[0].key)


def whole(rules: Game, options: dict[str, Value], seats: int, name: str) -> Played:
    return list(play(rules, options, seats, name))[-1]


# ---------------------------------------------------------------- the count, reckoned apart


def animals(card: str) -> list[str]:
    return [part for part in card.split("_") if part in SPECIES]


def exact_values(made: Played) -> list[int]:
    tally = dict.fromkeys(SPECIES, 0)
    values = []
    for place, card in enumerate(made.cards):
        for animal in animals(card):
            tally[animal] += 1
        if card == "fox":
            values.append(fox_value(made, place, tally))
            tally["cat"] += made.options.get("fox_asks") == "one_cat" and made.options.get("fox_stays", True) is True
        else:
            values.append(sum(tally[animal] for animal in animals(card)))
    return values


def fox_value(made: Played, place: int, tally: dict[str, int]) -> int:
    asked = made.options.get("fox_asks", "variety")
    if asked == "variety":
        return sum(count > 0 for count in tally.values())
    if asked == "majority":
        return max(tally.values())
    if asked == "singles":
        return sum(len(animals(card)) == 1 for card in made.cards[:place])
    return tally["cat"] + (made.options.get("fox_counts", True) is True)


def check_score(made: Played, seat: int, exact: list[int]) -> tuple[int, int, int]:
    """FX-42 to FX-47 and G7; gives the key of the ranking."""
    total = ringed = crossed = 0
    for box, (written, value) in enumerate(zip(made.sheet(seat), exact, strict=True), 1):
        circle = made.of(seat, "circled") == box
        must = circle or made.options.get("hard", False) is True
        failed = written != value if must else written > value
        points = 0 if failed else written * (2 if circle else 1)
        total, ringed = total + points, points if circle else ringed
        crossed += failed if made.options.get("cross_failures", False) else written > value
    found = tuple(made.number(seat, what) for what in ("score", "from_circle", "crossed"))
    assert found == (total, ringed, crossed)
    return -total, -ringed, crossed


def check(made: Played, seats: int) -> None:
    exact, end = exact_values(made), made.result()
    assert len(made.cards) == ROUNDS
    assert made.cards.count("fox") == 1
    keys = [check_score(made, seat, exact) for seat in range(seats)]
    if seats == 1:
        apart = [written - value for written, value in zip(made.sheet(0), exact, strict=True)]
        off = sum(apart) if made.options.get("totals_only", False) else sum(abs(each) for each in apart)
        assert (end.winners, end.defeated) == (((0,), ()) if abs(off) <= 5 else ((), (0,)))
        assert made.of(0, "circled") == 0
        return
    places = sorted(set(keys))
    assert end.ranking == tuple(tuple(s for s in range(seats) if keys[s] == key) for key in places)
    assert (end.winners, end.defeated) == (end.ranking[0], ())


def choices() -> list[tuple[str, dict[str, Value]]]:
    """The defaults, every other value alone, and some together."""
    found: list[tuple[str, dict[str, Value]]] = [("defaults", {})]
    for option in game().options:
        names = [name for name, _ in option.readings] or [0, 1]
        values: list[Value] = [not option.default] if option.type.name == "flag" else [*names]
        found += [(f"{option.name}-{value}", {option.name: value}) for value in values]
    found.append(("cat-counted-later", {"fox_asks": "one_cat", "fox_counts": False}))
    found.append(("cat-counted-then", {"fox_asks": "one_cat", "fox_stays": False}))
    found.append(("no-cat-counted", {"fox_asks": "one_cat", "fox_counts": False, "fox_stays": False}))
    found.append(("hard-crossed", {"hard": True, "cross_failures": True, "corrections": True}))
    return found


@pytest.mark.parametrize("seats", range(1, 13))
def test_the_count_for_every_number_of_players(seats: int) -> None:
    check(whole(game(), {}, seats, f"count {seats}"), seats)


@pytest.mark.parametrize("seats", [1, 2, 4])
@pytest.mark.parametrize(("name", "options"), choices(), ids=lambda value: value if isinstance(value, str) else "")
def test_the_count_by_every_reading(name: str, options: dict[str, Value], seats: int) -> None:
    check(whole(game(), options, seats, name), seats)


def test_places_are_shared_and_the_next_left_out() -> None:
    """FX-49: places 1, 1, 3, in the ranking and in what is told."""
    state = start(game(), seats=3, seed="places").state
    told: list[tuple[Value, Value]] = []
    while waiting := decisions(state):
        step = apply(state, Action(waiting[0].seat, answer_all_alike(waiting[0])))
        told += [(event["place"], event["players"]) for event in step.events if event.name == "rank"]
        state = step.state
    end = outcome(state)
    assert end is not None
    assert end.ranking == ((0, 1), (2,))
    assert [place for place, _ in told] == [1, 3]


def answer_all_alike(asked: Decision) -> Value:
    """The first two write 1 and never circle; the third writes 99."""
    return asked.options[99 if asked.seat == 2 else 1] if asked.name == "guess" else "leave it"


# ---------------------------------------------------------------- what may be seen


@pytest.mark.parametrize("open_pile", [False, True])
def test_only_the_top_card_is_seen_until_the_count(open_pile: bool) -> None:
    for made in play(game(), {"open_pile": open_pile}, 3, "views"):
        if not decisions(made.state):
            assert shown(made.state) == made.cards
            break
        for seat in (0, 1, 2, SPECTATOR):
            seen = view(made.state, seat)
            assert shown(made.state, seat) == (made.cards if open_pile else made.cards[-1:])
            assert (seen["shown"].count, seen["deck"].count) == (len(made.cards), ROUNDS - len(made.cards))
            assert (seen["deck"].shown, seen["rest"].shown, seen["rest"].count) == ((), (), 29)
            hidden = [seen[f"{name}.{what}"].hidden for name in seen.seats for what in ("sheet", "circled")]
            assert hidden == [other != seat for other in range(3) for _ in range(2)]
            assert all(seen[f"{animal}.marks"].shown == 0 for animal in SPECIES)
            assert set(seen.waiting) == {asked.seat for asked in decisions(made.state)}


def test_nothing_is_taken_back_once_it_is_handed_in() -> None:
    """FX-13, FX-33: no way leads back to an earlier card."""
    match = started(game(), seats=1, seed="back", people=frozenset([0]))
    first = shown(match.state)
    match.act(Action(0, 3))
    assert shown(match.state) != first
    assert match.undo(0) == NoWayBack("chance")
    assert turn(Played(match.state, {})) == 2


def test_a_number_that_is_too_high_is_refused_in_few_words() -> None:
    state = apply(start(game(), seats=2).state, Action(0, "leave it")).state
    with pytest.raises(IllegalAction) as caught:
        apply(state, Action(0, 100))
    assert str(caught.value) == "100 is not among 0..99"


# ---------------------------------------------------------------- who speaks


@pytest.mark.parametrize("seats", [2, 3, 5])
@pytest.mark.parametrize("reading", ["answered", "by_turns", "by_lot"])
def test_the_last_to_write_says_the_number(reading: str, seats: int) -> None:
    made = whole(game(), {"easy": True, "last_to_write": reading}, seats, f"{reading} of {seats}")
    names = made.state.setting.seats
    in_turn = [names[box % seats] for box in range(ROUNDS)]
    who = {"answered": made.last, "by_turns": in_turn, "by_lot": made.drawn}[reading]
    assert made.spoken == [made.sheet(names.index(name))[box] for box, name in enumerate(who)]
    assert made.speakers == list(who)
    assert len(made.spoken) == ROUNDS
    assert bool(made.drawn) == (reading == "by_lot")
    assert len(set(who)) == seats


def test_nobody_speaks_alone_or_otherwise() -> None:
    assert not whole(game(), {"easy": True, "last_to_write": "by_lot"}, 1, "alone").spoken
    assert not whole(game(), {"last_to_write": "by_lot"}, 3, "not easy").drawn


# ---------------------------------------------------------------- a designer's edits


def edited(old: str, new: str) -> Game:
    assert text().count(old) == 1, old
    return game_of(text().replace(old, new))


def failing(rules: Game) -> set[str]:
    return {result.scenario.name for result in runner.run_all(rules) if not result.passed}


def test_the_number_of_rounds_stands_in_one_place() -> None:
    rules = edited("define rounds is 20", "define rounds is 14")
    assert failing(rules) == {"two species share the majority", "twenty cards, one of them the fox"}
    made = whole(rules, {}, 3, "short")
    assert len(made.cards) == len(made.sheet(0)) == 14


def test_what_a_circle_is_worth_stands_in_one_place() -> None:
    rules = edited("to 2 * guess", "to 3 * guess")
    circled = {
        "circled and exact",
        "corrected until handed in",
        "one circle in a game",
        "a circle on the fox turn",
        "only exact numbers",
        "the circle breaks a tie",
    }
    assert failing(rules) == circled


@pytest.mark.parametrize("copies", ["2 2 2 2 2 2", "3 3 2 1 1 2"])
def test_another_pack_is_another_table(copies: str) -> None:
    """The other packs that fit what is known of the cards: copies of A, B, A+B, A+cat, B+cat, A+B+cat."""
    row = re.compile(r"(\| (?!fox )\w+ +\| [a-z ]+ \| )\d")
    counts = iter(copies.split() * 4)
    rules = game_of(row.sub(lambda found: found[1] + next(counts), text()))
    assert sum(member.copies for member in rules.kinds["card"].members) == 49
    for seats in (1, 2, 5):
        check(whole(rules, {}, seats, copies), seats)
