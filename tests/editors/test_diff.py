"""Two games played side by side: where they part, and the scenario that tells it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulekit import library
from rulekit.apps.commands import cli
from rulekit.source import Source
from rulekit.tools.compare.differential_testing import Search
from rulekit.tools.compare.shrinking import Version
from rulekit.tools.examples.mutation_operators import Rules, edits, rule_variants, rules_of
from rulekit.tools.examples.scenario_writer import passes
from tests.editors.planted import look, planted, seats_of
from tests.paths import GAMES

SMALL = """game "Steps"
    players 2..3
option far "How far?" 3..6 default 5
    requires far at most 5 or count players is 2
track road 0..
    forward is up
cards deck of card
    | card  | worth |
    | short | 1     |
    | long  | 4     |
each player has
    piece pawn on road at 0
    pile hand of card starts deck, seen by owner
    counter coins 0..999
play
    repeat
        each player
            > S-1 A card is played and comes back.
            player chooses card from player.hand
            move player.pawn forward by card.worth
            > S-2 Who comes far is paid for it.
            if player.pawn at least 37: raise player.coins by 1
        > S-3 Whoever is rich ends the game.
        if any (players where it.coins at least far): end game
result: rank players by highest coins
"""


def rules(*changes: tuple[str, str]) -> Rules:
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return rules_of(Source("small.rules", text))


def search(a: Rules, b: Rules, games: int = 50) -> Search:
    made = Search(Version(a, {}, a.game), Version(b, {}, b.game), (2, 3), games, "test")
    for _ in made.run():
        pass
    return made


def test_a_game_is_equal_to_itself() -> None:
    assert search(rules(), rules(), 2).best is None
    other_words = rules(("A card is played and comes back", "One plays a card"))
    assert search(rules(), other_words, 2).best is None


def test_a_late_difference_is_told_from_a_position_near_by() -> None:
    a, b = rules(), rules(("at least 37", "at least 38"))
    found = search(a, b).best
    assert found is not None
    assert found.example is not None
    assert found.decisions <= 3 < len(found.past)
    assert found.clauses[0] == ("S-2",)
    assert passes(a, found.example)
    assert not passes(b, found.example)


def test_another_value_in_a_table() -> None:
    found = search(rules(), rules(("| long  | 4     |", "| long  | 3     |"))).best
    assert found is not None
    assert str(found.divergence.what).endswith(".pawn`")
    assert found.clauses == (("S-1",), ("S-1",))


def test_what_may_be_agreed_is_a_difference() -> None:
    a, b = rules(), rules(("far at most 5", "far at most 6"))
    found = search(a, b, 3).best
    assert found is not None
    assert str(found.divergence.what) == "whether the game can start"
    assert found.decisions == 0


SHOWN = """game "Two variants"
    players 2
option rich "Rich?" flag default no
option slow "Slow?" flag default no
grid field unbounded
    full refuses
pieces flock of sheep on field
    | sheep |
    | ann   |
    | bea   |
counter coins 0..99
define wealthy is coins above 2
show wealthy as "Wealthy"
setup
    picture flock
        | ann bea |
play
    each round in 1..3
        each player
            player chooses step from 1..2
            raise coins by if rich and slow then step + 1 else 1
    remove ann
result: rank players
"""


def shown(old: str, new: str) -> tuple[Rules, Rules]:
    assert old in SHOWN
    return tuple(rules_of(Source("small.rules", text)) for text in (SHOWN, SHOWN.replace(old, new)))  # type: ignore[return-value]


def test_two_options_that_must_come_together_are_tried_where_they_are_looked_at() -> None:
    found = search(*shown("then step + 1", "then step + 2")).best
    assert found is not None
    assert found.options == {"rich": True, "slow": True}
    assert found.decisions == 1


def test_what_may_not_be_agreed_together_is_a_difference() -> None:
    texts = ("rich and slow", "rich and not slow")
    a, b = (
        rules_of(
            Source("small.rules", SHOWN.replace("flag default no\ngrid", f"flag default no\n    conflicts {t}\ngrid"))
        )
        for t in texts
    )
    found = search(a, b, 2).best
    assert found is not None
    assert found.is_of_the_agreement


def test_what_is_shown_is_a_difference_though_nothing_depends_on_it() -> None:
    a, b = shown("coins above 2", "coins above 3")
    found = search(a, b).best
    assert found is not None
    assert found.example is not None
    assert found.example.lines[-1] == "expect wealthy"
    assert passes(a, found.example)
    assert not passes(b, found.example)


def test_what_is_only_announced_counts_if_nothing_else_differs() -> None:
    loud = ("> S-3 Whoever is rich", "announce 1 to players\n        > S-3 Whoever is rich")
    found = search(rules(loud), rules((loud[0], loud[1].replace("announce 1", "announce 2"))), 2).best
    assert found is not None
    assert str(found.divergence.what) == "what is announced"
    assert found.example is None


def test_an_empty_place_of_a_list_is_told_alone() -> None:
    sheets = ("    counter coins 0..999", "    counter coins 0..999\n    list sheet of 0..9 for 2..5 starts none")
    written = (
        "            move player.pawn",
        "            set player.sheet[3] to card.worth\n            move player.pawn",
    )
    other = (written[0], written[1].replace("sheet[3] to card.worth", "sheet[card.worth + 1] to 7"))
    # The result reads it: else it would be bookkeeping.
    scored = ("by highest coins", "by highest coins then highest (if sheet[3] is none then 0 else 1)")
    a, b = rules(sheets, written, scored), rules(sheets, other, scored)
    found = search(a, b)
    assert found.best is not None
    assert found.best.example is not None
    assert any(".sheet[" in line and " is none" in line for line in found.best.example.text().splitlines())
    assert passes(a, found.best.example)
    assert not passes(b, found.best.example)


KEPT = """game "Owed"
    players 2
flag warned
flag spare, seen by nobody
counter tally 0..99
counter points 0..99
each player has
    counter score 0..99
> K-1 Who takes 2 is warned.
play
    each round in 1..4
        each player
            player chooses taken from 1..2
            > K-2 Taking 2 is noted.
            if taken is 2: set warned to yes
            > K-3 With a note, 2 counts once.
            if warned and round above 2: raise player.score by 1
            else: raise player.score by taken                             @K-3
            set spare to no
            raise tally by 1
            set warned to (warned and round below 4)
result: rank players by highest score
"""


def kept(*changes: tuple[str, str]) -> Rules:
    text = KEPT
    for old, new in changes:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return rules_of(Source("kept.rules", text))


def test_bookkeeping_is_no_difference_until_something_else_differs() -> None:
    a, b = kept(), kept(("if taken is 2: set", "if taken is 1: set"))
    found = search(a, b).best
    assert found is not None
    assert str(found.divergence.what) in ("`red.score`", "`blue.score`")
    assert found.since is not None
    assert found.since < len(found.past)
    assert found.example is not None
    assert passes(a, found.example)
    assert not passes(b, found.example)


NEVER_AGAIN = ("if warned and round above 2", "if warned and round above 9")


@pytest.mark.parametrize(
    ("first", "edit"),
    [
        ([], ("set spare to no", "set spare to yes")),
        ([], ("(warned and round below 4)", "(warned and round below 4 and taken at least 1)")),
        ([NEVER_AGAIN], ("(warned and round below 4)", "(round is 1 or warned and round below 4)")),
    ],
)
def test_bookkeeping_that_nobody_sees_or_that_leads_to_nothing_is_none(
    first: list[tuple[str, str]], edit: tuple[str, str]
) -> None:
    assert search(kept(*first), kept(*first, edit)).best is None


def test_what_is_counted_for_all_to_see_is_a_difference_in_the_end() -> None:
    found = search(kept(), kept(("raise tally by 1", "raise tally by 2"))).best
    assert found is not None
    assert str(found.divergence.what) == "`tally`"


def test_a_longer_track_is_a_difference() -> None:
    a, b = (rules(("0..\n    forward", f"0..{last}\n    edge stops\n    forward")) for last in (88, 99))
    found = search(a, b, 2).best
    assert found is not None
    assert found.divergence.holds == "expect count road is 89"


def test_a_piece_with_a_name_is_told_by_it() -> None:
    a, b = shown("remove ann", "remove bea")
    found = search(a, b).best
    assert found is not None
    assert str(found.divergence.what) == "`ann`"
    assert found.divergence.holds == "expect not ann.placed"


@pytest.mark.parametrize("name", ["fuzzy_tiger"])
def test_planted_edits_are_found(name: str) -> None:
    for _, made, _ in look(GAMES / f"{name}.rules", 20, 1):
        assert made.best is not None
        assert made.best.decisions <= 10


def test_as_many_edits_as_wanted_are_planted() -> None:
    made = rules_of(library.read(GAMES / "foxy.rules"))
    spans = [edit.span for edit, _ in planted(made, 5)]
    assert len(set(spans)) == 5
    assert seats_of(made)[0] == made.game.least


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other = tmp_path / "one.rules", tmp_path / "other.rules"
    one.write_text(SMALL)
    other.write_text(SMALL.replace("at least 37", "at least 3"))
    assert cli(["diff", str(one), str(other), "--games", "20"], standalone_mode=False) == 1
    out = capsys.readouterr().out
    assert "They part after" in out
    assert 'scenario "where the two part"' in out
    one.write_text(SMALL + out[out.index('scenario "where') :])
    assert cli(["test", str(one)], standalone_mode=False) == 0
    assert cli(["diff", str(one), "--a", "far=3", "--b", "far=4", "--json"], standalone_mode=False) == 1
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["equal"] is False
    assert cli(["diff", str(one), str(one), "--games", "3"], standalone_mode=False) == 0


def test_a_difference_inside_an_action_is_told_from_its_call() -> None:
    made = rules_of(library.read(GAMES / "foxy.rules"))
    twice = next(e for e in edits(made, rule_variants) if "2 * guess" in made.source.line(e.span.line) and e.old == "2")
    other = made.edited(twice)
    assert other is not None
    found = Search(Version(made, {}, made.game), Version(other, {}, other.game), (2,), 60, "planted")
    for _ in found.run():
        pass
    assert found.best is not None
    assert found.best.example is not None
    assert found.best.example.call == "counting"
    assert found.best.decisions == 0 < len(found.best.past)
    assert passes(made, found.best.example)
    assert not passes(other, found.best.example)
