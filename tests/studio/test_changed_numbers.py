"""Numbers of the rules that are changed under a match: whatever comes of it, each part of the page says so.

Invariants that no longer hold, divisions by nothing, matches without an end, games for others: an author's, not ours.
"""

from __future__ import annotations

from pathlib import Path
from time import monotonic, sleep

import pytest

from benchmarks.studio import keys
from rulekit.hosting import rule_change
from rulekit.studio.figures.balance import FEW, Progress
from rulekit.studio.match_content import Looking, content
from rulekit.studio.server import _shown
from rulekit.studio.studio import Studio, Text
from rulekit.tools.language.translation import SOURCE
from tests import processes
from tests.paths import EXAMPLES, GAMES
from tests.sizes import IS_LONG, some
from tests.studio.studios import edited, played, settled, studio

STAIRS = """game "Stairs"
    players 2..3
> S-1 All choose.
> S-2 The weight is climbed.
> S-3 And a part.
> S-4 Two stones at most weigh 6, and there are so many steps.
cards stones of stone
    | stone | weight |
    | low   | 1      |
    | high  | 3      |
pile bag of stone starts stones
counter rounds 0..4
counter top 1..9 starts 6
counter parts 0..9 starts 2
each player has
    counter height 0..20
play
    repeat
        raise rounds by 1
        each player
            player chooses stone from bag "Which stone?"                          @S-1
            raise player.height by stone.weight                                   @S-2
            raise player.height by (4 / parts)                                    @S-3
        if rounds is 2: end game
result: rank players by highest height                                            @S-4
invariant "six steps": top is 6                                                   @S-4
invariant "nobody above the top but two": no (players where it.height above 10)   @S-4
"""
FILES = [EXAMPLES / "tic_tac_toe.rules", *sorted((*GAMES.glob("*.rules"), *EXAMPLES.glob("*.rules")))]


def figures(of: Studio, least: int = 1) -> Progress:
    """The figures of the newest text, once there are some or it is told why there are none."""
    until = monotonic() + processes.HANG
    while monotonic() < until and not of.failed:
        news = of.progress
        if news is not None and news.number == of.text.number and (news.done >= least or news.problem):
            return news
        sleep(0.01)
    raise AssertionError("no figures came", of.failed)


def told(of: Studio, text: str, least: int = 1) -> Progress:
    """Put a text, and hold that every part of the page says something of it."""
    of.put(Text(text, of.text.number + 1))
    assert of._checker.settled(processes.HANG)
    assert not of.failed
    assert (of.parts.newest("findings") or {})["number"] == of.text.number
    shown = content(of.match, Looking(), of.trace)
    assert shown["match"] or shown["why"]
    assert shown["kept"] or of.match.table is None or of.match.table.game is of.game
    made = figures(of, least)
    assert _shown("figures", {"progress": made}, SOURCE)
    settled(of)
    assert not of.failed
    return made


@pytest.fixture
def stairs(tmp_path: Path) -> Path:
    (made := tmp_path / "stairs.rules").write_text(STAIRS, encoding="utf-8")
    return made


def test_a_match_parts_at_the_set_up_or_at_the_decision_that_breaks_an_invariant(
    tmp_path: Path, stairs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rule_change, "known_of", None)  # All that was typed has been read.
    with studio(tmp_path / "studio", stairs) as made:
        played(made, 2)
        edited(made, "starts 6", "starts 7")
        kept = made.match.kept
        assert kept is not None
        assert (kept.parted.decision, kept.parted.clauses) == (0, ("S-4",))
        assert "six steps" in kept.parted.reason
        edited(made, "starts 7", "starts 6")
        assert made.match.kept is None
        edited(made, "height above 10", "height above 2")
        kept = made.match.kept
        assert kept is not None
        assert (kept.parted.decision, kept.parted.clauses) == (1, ("S-4",))
        assert kept.here is not None
        assert kept.there is not None


def test_why_matches_of_the_figures_come_to_no_end_is_told_with_the_line(tmp_path: Path, stairs: Path) -> None:
    with studio(tmp_path / "studio", stairs) as made:
        made.put(Text(STAIRS.replace("starts 6", "starts 7"), 1))
        found = figures(made, FEW)
        while found.unended is None:
            assert found.done < found.of
            found = figures(made, FEW)
        words = str(_shown("figures", {"progress": found}, SOURCE)["html"])
        assert "of these matches come to no end" in words
        assert "the invariant &#34;six steps&#34; does not hold" in words
        line = next(number for number, line in enumerate(STAIRS.split("\n"), 1) if "six steps" in line)
        assert f'data-line="{line}"' in words
        assert told(made, STAIRS, FEW).unended is None


def test_where_no_match_can_begin_the_page_says_why(tmp_path: Path, stairs: Path) -> None:
    stairs.write_text(STAIRS.replace("starts 6", "starts 7"), encoding="utf-8")
    with studio(tmp_path / "studio", stairs) as made:
        assert made.match.table is None
        assert "six steps" in content(made.match, Looking(), None)["why"]
        assert made.parts.newest("match") is not None
        edited(made, "starts 7", "starts 6")
        assert made.match.table is not None
        assert made.match.why == ""


def test_every_part_of_the_page_says_what_changed_numbers_come_to(tmp_path: Path, stairs: Path) -> None:
    others = [("starts 2", "starts 0"), ("players 2..3", "players 3"), ("0..20", "0..5"), ("starts stones", "")]
    with studio(tmp_path / "studio", stairs) as made:
        played(made, 2)
        for text in (*(STAIRS.replace(*one) for one in others), *keys(STAIRS, 5)):
            told(made, text)


@pytest.mark.parametrize("file", some(FILES, len(FILES)), ids=lambda path: path.stem)
def test_changed_numbers_of_games_that_ship(tmp_path: Path, file: Path) -> None:
    with studio(tmp_path, file) as made:
        for text in keys(made.text.text, 100 if IS_LONG else 2):
            told(made, text)
