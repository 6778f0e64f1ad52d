"""A game's own clauses: every number is a value of the rules, or says why it is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.diagnostics import Problems
from rulekit.tools.audit.clause_numbers import counts
from rulekit.tools.audit.reports import Report, names_of, of_clauses, rules_of
from tests import paths
from tests.audit.raise_numbers import Raised, clauses, game, translation
from tests.sizes import some

GOATS = paths.EXAMPLES / "goat_path.rules"
CARDS = """game "Cards"
    players 2..4
track road 0..9
    ahead is up
each player has
    piece runner on road at 0
    pile hand of card starts deck, seen by owner
cards deck of card
    > C-1 {text}
    card 3 "Dash", costs 2: move owner.runner ahead by 4
    > C-2 A card of one's own is played.
    card 4 "Walk", costs 1: move owner.runner ahead by 1
play
    each player
        player chooses card from player.hand "Which?"
        do card for player
result: rank players by highest runner
"""


def audited(folder: Path, text: str, reads: str = "") -> Report:
    (folder / "text").mkdir(exist_ok=True)
    (folder / "cards.rules").write_text(CARDS.replace("{text}", text))
    (folder / "text" / "cards.reads").write_text(reads)
    return of_clauses(str(folder / "cards.rules"), None)


RIGHT = (
    ("Dash: go 4, it costs 2.", ""),
    ("It costs 2 to go four.", ""),
    ("Dash, card 3: go 4.", "C-1: deck[3]:key, deck[3]:owner.runner"),
    ("Dash: go 6 for 2.", "C-1: deck[3]:owner.runner + deck[3]:costs, deck[3]:costs"),
    ("Dash: go 4; 7 cards are better.", "C-1: deck[3]:owner.runner, - (an opinion)"),
    ("Dash: go 4, up to the second space from the end.", "C-1: deck[3]:owner.runner, ? (nothing stops there)"),
    ("Dash: the first of 2 cards.", "C-1: nth(3), count(deck)"),
    ("Dash: at most 9 in all.", "C-1: road:high"),
)


@pytest.mark.parametrize(("text", "reads"), RIGHT)
def test_a_number_is_accounted_for(text: str, reads: str, tmp_path: Path) -> None:
    report = audited(tmp_path, text, reads)
    assert ([f.diagnostic.title for f in report.open], report.faults) == ([], ())


WRONG = (
    ("Dash: go 5, it costs 2.", "", "5", "4"),
    ("Dash: go 4, it costs 3.", "", "3", "2"),
    ("Dash: go four for 1.", "", "1", "2"),
    ("Dash, card 4: go 4.", "C-1: deck[3]:key, deck[3]:owner.runner", "4", "3"),
    ("Dash: go 7 for 2.", "C-1: deck[3]:owner.runner + deck[3]:costs, deck[3]:costs", "7", "6"),
    ("Dash: the second of 2 cards.", "C-1: nth(3), count(deck)", "2", "1"),
    ("Dash: at most 8 in all.", "C-1: road:high", "at most 8", "9"),
)


@pytest.mark.parametrize(("text", "reads", "read", "had"), WRONG)
def test_another_number_is_told_with_value_and_line(text: str, reads: str, read: str, had: str, tmp_path: Path) -> None:
    (finding,) = audited(tmp_path, text, reads).open
    assert (finding.code, finding.clauses, finding.read, finding.had) == ("clause-number", ("C-1",), read, had)
    assert "cards.rules:" in finding.rule
    assert f"the rules have {had}" in finding.diagnostic.title


def test_a_number_that_no_line_holds_has_to_be_named(tmp_path: Path) -> None:
    (finding,) = audited(tmp_path, "Dash: go 4 for 2, and 7 more.").open
    assert finding.diagnostic.title == "C-1 says “7”, and its lines have 3, 2, 4: name the value for which it stands"


FAULTS = (
    ("nonsense", "reads-syntax"),
    ("C-9: deck[3]:key", "reads-clause"),
    ("C-1: deck[3]:key, deck[3]:speed", "reads-value"),
    ("C-1: deck[3]:owner.runner, -", "reads-reason"),
    ("C-1: deck[3]:owner.runner, deck[3]:costs, deck[3]:key", "reads-number"),
)


@pytest.mark.parametrize(("reads", "code"), FAULTS)
def test_what_is_wrong_with_names_is_told_with_their_line(reads: str, code: str, tmp_path: Path) -> None:
    faults = audited(tmp_path, "Dash: go 4 for 2.", f"# names\n{reads}\n").faults
    assert code in [fault.code for fault in faults]
    assert all(fault.span.line == 2 for fault in faults)


def test_an_extension_has_the_names_of_the_game_that_it_extends(tmp_path: Path) -> None:
    audited(tmp_path, "Dash, card 3: go 4.", "C-1: deck[3]:key, deck[3]:owner.runner")
    more = tmp_path / "more.rules"
    more.write_text('game "More"\n    extends "cards"\n> M-1 Nothing new.\n')
    known = rules_of(str(more), {})
    names = names_of(str(more), known, {}, Problems())
    assert counts(known, names) == {"tied": 2}


# ---------------------------------------------------------------- raised by one


def test_every_number_of_the_small_game_is_seen_when_it_is_raised() -> None:
    made = clauses(game(GOATS))
    assert (made.numbers, made.stating, made.seen, made.alarms) == (9, 8, 8, ())
    assert [line.partition("camp.…: ")[2] for line in made.marked] == ["the camp that a goat begins with"]


def all_of(path: Path) -> list[Raised]:
    of = game(path)
    return [clauses(of), translation(of, "it"), translation(of, "de")]


@pytest.mark.parametrize("path", some(sorted(paths.GAMES.glob("*.rules")), 2), ids=lambda path: path.stem)
def test_numbers_of_the_games_that_ship_are_seen_when_they_are_raised(path: Path) -> None:
    for made in all_of(path):
        assert made.seen >= 0.95 * made.stating, (made.name, made.unseen)
        assert len(made.alarms) <= 2, (made.name, made.alarms)
        assert not [line for line in made.marked if line.endswith(": OPEN")]
        assert len(made.marked) <= 0.08 * made.numbers, (made.name, made.marked)
