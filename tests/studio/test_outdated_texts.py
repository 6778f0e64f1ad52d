"""Texts of clauses that say an old number are marked wherever the match shows them, until they say the new one."""

from __future__ import annotations

from pathlib import Path

from rulekit.studio.match_content import Looking
from rulekit.studio.server import StudioServer
from rulekit.studio.studio import Studio
from tests.paths import GAMES
from tests.studio.studios import edited, studio

RUN = ('card 6 "Run": move owner.monkey nearer by 3', 'card 6 "Run": move owner.monkey nearer by 2')


def shown(of: Studio, language: str = "en") -> str:
    return StudioServer(of, "key")._match(Looking("red"), language)


def test_a_card_whose_number_was_changed_in_the_rules_says_that_its_text_is_out_of_date(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "fuzzy_tiger.rules") as made:
        assert "move 3.<" in shown(made)
        assert "out of date" not in shown(made)
        edited(made, *RUN)
        assert "move 3. (out of date: it says 3, the rules have 2)" in shown(made)
        assert "nicht mehr richtig" in shown(made, "de")
        edited(made, "Run: move 3.", "Run: move 2.")
        assert "out of date" not in shown(made)
        edited(made, "Run: move 2.", "Run: move 3.")
        edited(made, *reversed(RUN))
        assert "out of date" not in shown(made)
