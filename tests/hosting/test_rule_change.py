"""Where a match parts from other rules: the same whatever was read before, and with little that is read again."""

from __future__ import annotations

import pytest

from rulekit.hosting.match_log import first_rows, log_of, new_header
from rulekit.hosting.rule_change import Parted, parting
from rulekit.loading import Workspace
from rulekit.model.game import Game
from rulekit.record.log import HUMAN, Log, parse
from rulekit.record.match import started
from rulekit.source import Source
from rulekit.syntax import parse as syntax
from rulekit.syntax.blocks import Block

STEPS = """game "Steps"
    players 2
> S-1 All choose.
> S-2 It counts.
> S-3 Six steps.
> S-4 Whoever is far wins.
cards stones of stone
    | stone | weight |
    | low   | 1      |
    | high  | 3      |
pile bag of stone starts stones
counter top 1..9 starts 6                                     @S-3
counter rounds 0..4
define far(player) is player.height                             @S-4
define goal is 2                                              @S-4
each player has
    counter height 0..20
play
    repeat
        raise rounds by 1
        each player
            player chooses stone from bag "Which stone?"      @S-1
            raise player.height by stone.weight               @S-2
        if rounds is goal: end game
result: rank players by highest far(it)                       @S-4
invariant "six steps": top is 6                               @S-3
"""
HIGHER = ("starts 6", "starts 7")
CASES = {
    "one": ((), (HIGHER,)),
    "two": ((("| high  | 3", "| high  | 2"),), (HIGHER,)),
    "moved": ((), (("> S-1", "# a line\n> S-1"), HIGHER)),
    "renamed": ((("far(", "wide("),), (("goal", "aim"), HIGHER)),
    "names change places": (
        (),
        (("far(", "goal_of("), ("define goal is 2", "define far is 2"), ("is goal:", "is far:"), HIGHER),
    ),
}


def changed(text: str, changes: tuple[tuple[str, str], ...]) -> str:
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def begun(game: Game) -> Log:
    match = started(game, {}, game.least, "parts", people=frozenset({0}))
    header = new_header("steps.rules", match, (HUMAN,) * game.least, "parts", None)
    return parse(log_of(first_rows(header, match)))


def typed(*texts: str) -> tuple[Workspace, list[Game]]:
    """The games of texts that are typed one after the other."""
    desk = Workspace()
    games = [desk.examine_text(Source("steps.rules", text)).game for text in texts]
    return desk, [game for game in games if game is not None]


@pytest.mark.parametrize("case", CASES)
def test_what_was_read_before_changes_nothing(case: str) -> None:
    first, then = CASES[case]
    desk, games = typed(changed(STEPS, first), STEPS, changed(STEPS, then))
    old, new = games[0], games[-1]
    plain, quick = parting(begun(old), old, new), parting(begun(old), old, new, known=desk.known())
    assert plain == quick
    assert isinstance(plain, Parted)
    assert (plain.decision, plain.clauses) == (0, ("S-3",))


def test_of_rules_that_part_only_what_differs_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    desk, games = typed(STEPS.replace("high  | 3", "high  | 2"), STEPS, changed(STEPS, (("> S-1", "\n> S-1"), HIGHER)))
    read: list[str] = []
    whole = syntax._read

    def noted(block: Block) -> object:
        read.append(block.text)
        return whole(block)

    monkeypatch.setattr(syntax, "_read", noted)
    assert parting(begun(games[0]), games[0], games[-1], known=desk.known()) is not None
    assert len(read) == 1
    assert "| high  | 2" in read[0]
