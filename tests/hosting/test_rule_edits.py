"""Rules that are edited under running matches: the short form of the long run, and what it would notice."""

from __future__ import annotations

import pytest

from rulekit.hosting.table import Table
from rulekit.model.game import Game
from tests.sizes import IS_LONG
from tests.soak.rule_edits import soak


def test_a_match_under_edited_rules_goes_on_or_tells_where_it_parts() -> None:
    told = soak(40 if IS_LONG else 2)
    assert told.counts["over"] > 0
    assert told.counts["over"] + told.counts["parted"] + told.counts["broken"] >= 4


def test_a_match_that_keeps_rules_it_could_leave_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def stays(self: Table, game: Game) -> None:
        return None

    monkeypatch.setattr(Table, "go_over", stays)
    with pytest.raises(AssertionError):
        soak(1)
