"""The short form of the measurement, on a small game that tells the truth, and with lies planted in it."""

from __future__ import annotations

import json

import pytest

from rulekit.source import Source
from tests.paths import CASES, GAMES
from tests.soak.provenance.__main__ import main
from tests.soak.provenance.measuring import LINE, OWN, SHARED, UNCITED, Measurement
from tests.soak.provenance.replaying import DECISION
from tests.soak.provenance.stories import Example

COINS = CASES / "provenance" / "coins.rules"
STONES = CASES / "provenance" / "stones.rules"


def measurement(old: str = "", new: str = "") -> Measurement:
    """The small game with one line that cites something else."""
    text = COINS.read_text(encoding="utf-8")
    assert text.count(old) == 1 or not old
    return Measurement(Source("coins.rules", text.replace(old, new)), seed="short", matches_=10)


def of(one: Measurement, clause: str, line: str) -> set[str]:
    """What was found of a clause on events of one line."""
    judged = [each for each in one.pairs(None) if each.clause == clause and each.pair is not None]
    grades = {each.grade for each in judged if each.pair and line in one.parts.line(each.pair.place.event.span)}
    assert grades, (clause, line)
    return grades


def test_what_is_true_holds() -> None:
    found = measurement().pairs(60)
    assert len(found) == 60
    assert {each.clause for each in found} >= {"C-1", "C-2", "C-3", "C-5", "C-6"}
    assert {each.grade for each in found} <= {OWN, LINE}


def test_a_clause_that_no_event_cites_is_listed() -> None:
    found = {each.clause: each.grade for each in measurement().clauses()}
    assert found.pop("C-4") == UNCITED
    assert set(found.values()) <= {OWN, LINE}


def test_of_events_that_are_alike_several_are_tried() -> None:
    """Only a throw of 3 tells whether the sign counts; here it falls late, or in the example alone."""
    raised = "raise player.points by pips"
    signed = f"let gain be (if signed @C-7 then pips - 4 else abs(pips - 4))\n        {raised} + gain"
    text = COINS.read_text(encoding="utf-8").replace(raised, signed)
    option = '> C-7 The sign counts or not.\noption signed "Does the sign count?" flag default no'
    text = text.replace("die six", f"{option}\n\ndie six")
    example = (
        text.replace("chance chooses 5", "chance chooses 3")
        .replace("@C-2", "@C-7")
        .replace("points is 5", "points is 4")
    )
    for rules, matches in ((text, 8), (example, 1)):
        found = Measurement(Source("coins.rules", rules), seed="long", matches_=matches).clauses()
        assert {each.clause: each.grade for each in found}["C-7"] == OWN


def test_in_an_example_too_it_counts_what_else_was_offered() -> None:
    text = """game "Offers"
    players 2
option more "More?" flag default no
each player has
    counter points
play
    > C-1 Three, or five where that was agreed.
    starter chooses gain from (if more @C-1 then 0..5 else 0..3) "How many?"
    raise starter.points by gain
result: rank players by highest points
scenario "three"
    players red, green
    when red chooses 3
"""
    (found,) = Measurement(Source("offers.rules", text), seed="short", matches_=0).clauses()
    assert (found.clause, found.grade) == ("C-1", OWN)


def test_each_part_of_the_rules_has_a_change() -> None:
    """Ways of a course, who sees a pile, who decides and from what; what cannot be changed tells less."""
    stones = Measurement(Source("stones.rules", STONES.read_text(encoding="utf-8")), seed="short", matches_=4)
    assert {each.clause: each.grade for each in stones.clauses()} == {
        "S-1": OWN,
        "S-2": OWN,
        "S-3": OWN,
        "S-4": OWN,
        "S-5": OWN,
    }


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("lower player.coins by 1", "C-5"),
        ("raise player.throws by 1", "C-4"),
        ("raise player.points by pips", "C-3"),
    ],
)
def test_a_lie_on_a_line_with_clauses_of_its_own_is_caught(line: str, clause: str) -> None:
    lying = measurement(line, f"{line} @{clause}")
    assert of(lying, clause, line) <= {SHARED, DECISION}


def test_a_lie_on_a_line_without_any_is_told_as_doubtful() -> None:
    own = "> C-3 A throw below 3 brings nothing and costs a coin.\n        lower player.coins by 1"
    lying = measurement(own, "lower player.coins by 1  @C-5")
    assert of(lying, "C-5", "lower player.coins") == {LINE}
    lying = measurement("roll pips from six", "roll pips from six  @C-6")
    assert of(lying, "C-6", "roll pips") == {LINE}


def test_what_a_change_does_is_seen_in_examples_too() -> None:
    found = measurement().judged([pair for pair in measurement().drawn(400) if isinstance(pair.place.story, Example)])
    assert {each.clause for each in found} >= {"C-1", "C-2"}
    assert {each.grade for each in found} <= {OWN, LINE}


def test_the_command_tells_figures_and_misses(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--file", str(COINS), "--pairs", "20", "--clauses", "--told", "--matches", "4", "--json"]) == 0
    (one,) = json.loads(capsys.readouterr().out)
    assert one["pairs"]["counted"] == one["pairs"]["hold"] == 20
    assert [miss["clause"] for miss in one["clauses"]["misses"]] == ["C-4"]
    assert one["told"]["first rank"]["greatest"] == 1


def test_a_game_that_ships_can_be_measured() -> None:
    path = GAMES / "foxy.rules"
    found = Measurement(Source(path.name, path.read_text(encoding="utf-8")), seed="short", matches_=2).pairs(10)
    assert sum(each.counts for each in found) >= 9
