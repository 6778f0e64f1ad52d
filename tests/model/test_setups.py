"""What the check says of a setup: decks too small for the deal, and what goes wrong in it."""

from __future__ import annotations

from rulekit.diagnostics import ERROR
from rulekit.loading import examine_text
from rulekit.play.engine import start
from rulekit.source import Source
from rulekit.tools.analysis import setup_check
from rulekit.tools.language.display_names import Names
from rulekit.tools.tell import narration

RULES = """game "Deals"
    players 2..4
cards deck of card
    | card |
    | 1..9 |
pile stock of card starts deck, seen by nobody
each player has
    pile hand of card, seen by owner
setup
{setup}
play
    if any players.hand: end game
result: rank players
"""


def found(*setup: str) -> list[tuple[str, int, str]]:
    """Code, line of the setup from 1, and words of each finding."""
    lines = "\n".join(f"    {line}" for line in setup)
    loaded = examine_text(Source("deals.rules", RULES.format(setup=lines)))
    assert loaded.game is not None, loaded.findings
    head = RULES.split("{setup}")[0].count("\n")
    return [(entry.code, entry.span.line - head, entry.title) for entry in setup_check.findings(loaded.game)]


def test_a_deck_that_is_just_large_enough_is_no_finding() -> None:
    assert found("each player: deal 2 from stock to player.hand") == []
    assert found("shuffle stock", "each player: deal 2 from stock to player.hand") == []


def test_a_deck_too_small_for_the_most_players_is_told() -> None:
    title = "with 4 players only 0 of 3 can be dealt here"
    assert found("each player: deal 3 from stock to player.hand") == [("short-deal", 1, title)]


def test_each_line_is_told_once_with_the_fewest_players_it_happens_with() -> None:
    title = "with 2 players only 4 of 5 can be dealt here"
    assert found("each player", "    deal 5 from stock to player.hand") == [("short-deal", 2, title)]


def test_a_number_of_cards_that_depends_on_the_players_is_worked_out() -> None:
    assert found("each player: deal 8 / count players from stock to player.hand") == []


def test_a_setup_that_goes_wrong_is_an_error_at_its_line() -> None:
    lines = ("each number in 1..5", "    each player: move first stock to player.hand")
    ((code, line, title),) = found(*lines)
    assert (code, line) == ("setup-fails", 2)
    assert title.startswith("with 2 players the setup fails: ")


def test_questions_of_a_setup_are_answered() -> None:
    lines = ("starter chooses n from 4..5", "each player: deal n from stock to player.hand")
    assert [code for code, _, _ in found(*lines)] == ["short-deal"]


def test_a_short_deal_is_told_in_play_too() -> None:
    loaded = examine_text(Source("deals.rules", RULES.format(setup="    deal 12 from stock to starter.hand")))
    assert loaded.game is not None
    assert [entry.code for entry in loaded.findings if entry.level == ERROR] == []
    step = start(loaded.game, seed="1")
    told = [narration.sentence(event, Names(step.state.setting), 1) for event in step.events]
    assert "There were only 9 of 12 left to deal." in told
