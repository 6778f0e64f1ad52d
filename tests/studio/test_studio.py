"""A text that is edited: what follows from it is found, the match goes on under it or says where it parts."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest

from rulekit.compiler.plan.ir import Status
from rulekit.errors import Interrupted
from rulekit.loading import load_text
from rulekit.record.log import parse
from rulekit.studio.figures import balance, figure_table
from rulekit.studio.figures.balance import FEW, THINKING, Progress
from rulekit.studio.figures.changed_things import changed_things
from rulekit.studio.figures.effects import effects
from rulekit.studio.figures.figure_table import Figure
from rulekit.studio.match_content import Looking, content
from rulekit.studio.played_match import Arrangement
from rulekit.studio.rules_file import RulesFile
from rulekit.studio.server import StudioServer, _shown
from rulekit.studio.studio import Series, Studio, Text
from rulekit.tools.compare.paired_comparison import Pair, PairedComparison
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.series.simulation import MatchResult
from rulekit.values import evolve
from tests import processes
from tests.paths import EXAMPLES, GAMES
from tests.series.test_interrupting import HUNGRY, rounds
from tests.sizes import IS_LONG
from tests.studio.studios import copied, edited, played, settled, studio

LINES = 10_000 if IS_LONG else 1_000


def findings(of: Studio) -> list[Any]:
    news: Any = of.parts.newest("findings")
    assert news["number"] == of.text.number
    return list(news["found"])


def figures(of: Studio) -> Progress:
    news: Any = of.parts.newest("figures")
    return news["progress"]  # type: ignore[no-any-return]


def told(of: Progress) -> tuple[Figure, ...]:
    assert of.pairs is not None, of.problem
    return figure_table.figures(of.pairs, SOURCE)


def differing(of: Studio) -> int:
    pairs = figures(of).pairs
    assert pairs is not None
    return pairs.differing


def test_faults_are_told_and_what_was_found_before_stays(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        game, table = made.game, made.match.table
        assert findings(made) == []
        edited(made, "game ", "gme ")
        assert [one["level"] for one in findings(made)] == ["error"]
        assert findings(made)[0]["from"][0] == next(
            number for number, line in enumerate(made.text.text.split("\n"), 1) if line.startswith("gme")
        )
        assert made.game is game
        assert made.match.table is table
        edited(made, "gme ", "game ")
        assert findings(made) == []


def test_the_match_goes_on_under_rules_in_which_it_holds(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "fuzzy_tiger.rules") as made:
        played(made, 6)
        edited(made, "piece tiger on sleep at 6", "piece tiger on sleep at 5")
        table = made.match.table
        assert table is not None
        assert made.match.kept is None
        assert len(table.match.history) == 6
        assert table.game is made.game


def test_where_the_match_parts_is_told_with_both_boards_and_it_goes_on_when_the_text_fits_again(
    tmp_path: Path,
) -> None:
    with studio(tmp_path) as made:
        played(made, 4)
        before = made.match.table.game if made.match.table else None
        edited(made, "| 1..7    |", "| 2..7    |")
        shown = content(made.match, Looking(), made.trace)["kept"]
        kept = made.match.kept
        assert kept is not None
        assert 0 < kept.parted.decision <= 4
        assert kept.parted.clauses
        assert [words for words, _ in shown["boards"]] == ["kept", "now"]
        assert made.match.table is not None
        assert made.match.table.game is before
        edited(made, "| 2..7    |", "| 1..7    |")
        assert made.match.kept is None


def test_lines_are_counted_as_they_ran_and_events_lead_to_their_lines(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        played(made, 5)
        trace, lines = made.trace, made.text.text.split("\n")
        assert trace is not None
        assert trace.counts
        assert all(lines[number - 1].strip() for number in trace.counts)
        assert any(one.lines and set(one.lines) <= set(trace.counts) for one in trace.events)
        story = content(made.match, Looking(), trace)["story"]
        assert any(line.lines for line in story)


def test_while_a_text_has_faults_match_and_figures_say_which_rules_they_belong_to(tmp_path: Path) -> None:
    hours = ["12:03"]
    made = Studio(RulesFile(str(copied(tmp_path))), time_of_day=lambda: hours[-1])
    server = StudioServer(made, "key")
    try:
        settled(made, figures=True)
        assert "still shows" not in server._match(Looking(), "en")
        hours.append("12:09")
        edited(made, "players 2..5", "players 2..4", figures=True)
        hours.append("12:15")
        number = made.text.number
        for broken in ("", "no game"):
            made.put(Text(broken, made.text.number + 1))
            settled(made, figures=True)
            news: Any = made.parts.newest("findings")
            assert (news["is_game"], news["game_time"]) == (False, "12:09")
            assert "this still shows the rules as of 12:09" in server._match(Looking(), "en")
            assert figures(made).number == made.game_number == number
            assert [(made.parts.newest(part) or {})["number"] for part in ("trace", "lines")] == [number, number]
    finally:
        made.close()


def test_a_match_from_an_example_that_is_gone_says_so_and_names_no_clause(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        assert made.begin_at("the last find") is None
        played(made, 1)
        edited(made, 'scenario "the last find"', 'scenario "the last one"')
        kept = content(made.match, Looking(), made.trace)["kept"]
        assert (kept["reason"], kept["clauses"]) == ("there is no example “the last find” in the rules any more", ())


def test_figures_compare_with_what_was_kept(tmp_path: Path) -> None:
    with studio(tmp_path, figures=True) as made:
        first = figures(made)
        assert first.pairs is not None
        assert (first.done, first.pairs.differing) == (first.of, 0)
        assert all(one.before == one.now for one in told(first))
        edited(made, "| 1..7    |", "| 2..7    |", figures=True)
        assert differing(made) > 0
        made.keep()
        settled(made, figures=True)
        assert differing(made) == 0


def test_versions_that_cannot_be_paired_say_why(tmp_path: Path) -> None:
    with studio(tmp_path, figures=True) as made:
        made.measure(Series(60))
        settled(made, figures=True)
        assert "players" in figures(made).problem


def test_a_changed_number_shows_in_the_figures_with_its_interval(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "fuzzy_tiger.rules", figures=True) as made:
        edited(made, "piece tiger on sleep at 6", "piece tiger on sleep at 3", figures=True)
        found = figures(made)
        assert found.number == made.text.number
        assert differing(made) > 0
        rounds = next(one for one in told(found) if one.name == "rounds")
        assert rounds.is_clear
        assert rounds.low is not None
        assert rounds.high is not None
        assert rounds.low <= rounds.high


def test_who_comes_back_to_a_version_waits_for_no_compiler(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        games = [made.game]
        for old, new in (("2..5", "2..4"), ("2..4", "2..5")):
            edited(made, f"players {old}", f"players {new}")
            games.append(made.game)
        series: list[set[int]] = []
        for game in games:
            assert game is not None
            made._balance.play(balance.Versions(game, game, 1, {}, 2, "", 4), lambda: False)
            series.append(set(map(id, made._balance._series.values())))
        # The second may be there before it is asked for, if figures of the edit had begun.
        assert series[0] <= series[1] == series[2]
        assert len(series[2]) == 2


def test_a_key_breaks_off_the_compiler(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        game, asked = load_text(made.text.text.replace("players 2..5", "players 2..3")), list[bool]()

        def is_stale() -> bool:
            asked.append(len(asked) > 1)
            return asked[-1]

        made._balance.play(balance.Versions(game, game, 1, {}, 2, "", 4), is_stale)
        assert asked == [False, False, True]
        assert figures(made).stopped
        assert game.sources not in [key[0] for key in made._balance._series]


def test_a_match_that_takes_long_to_play_again_holds_up_no_key(tmp_path: Path) -> None:
    """It goes over as soon as somebody stops typing, also where the text is no game by then."""
    with studio(tmp_path) as made:
        played(made, 3)
        table, text = made.match.table, made.text.text
        assert table is not None
        before, asked = table.game, list[int]()

        def is_stale() -> bool:
            asked.append(len(table.match.history))
            return len(asked) > 2

        with pytest.raises(Interrupted):
            made._take(load_text(text.replace("players 2..5", "players 2..4"), made.file.path), 1, is_stale)
        assert len(asked) == 3
        assert table.game is before
        made.put(Text("game", 1))
        settled(made)
        assert table.game is made.game
        assert table.game is not before
        assert len(table.match.history) == 3


def test_the_story_of_a_match_comes_where_the_text_is_no_game_meanwhile(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        played(made, 2)
        text, told = made.text, made.trace
        made.put(Text(text.text.replace("players 2..5", "players 2..4"), 1))
        made.put(Text("game", 2))
        settled(made)
        made.put(Text(text.text.replace("players 2..5", "players 2..4"), 3))
        assert made._checker.settled(processes.HANG)
        made.put(Text("game", 4))
        settled(made)
        assert made.trace is not told


def test_other_players_and_bots_can_be_measured(tmp_path: Path) -> None:
    with studio(tmp_path, figures=True) as made:
        made.measure(Series(4))
        settled(made, figures=True)
        assert sum(one.name.endswith(" wins") for one in told(figures(made))) == 4


def test_examples_run_at_each_change(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "fuzzy_tiger.rules") as made:
        news: Any = made.parts.newest("examples")
        assert news["examples"]
        assert all(one["passed"] for one in news["examples"])
        edited(made, "piece tiger on sleep at 6", "piece tiger on sleep at 5")
        news = made.parts.newest("examples")
        failed = [one for one in news["examples"] if not one["passed"]]
        assert failed
        assert all(one["found"] for one in failed)


def test_a_match_is_begun_with_bots_and_taken_back_past_them(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        assert made.begin(Arrangement(("human", "random"), seed="7")) is None
        played(made, 1)
        assert made.match.undo() is None
        table = made.match.table
        assert table is not None
        assert not [past for past in table.match.history if past.action.seat == 0]


def test_what_cannot_be_begun_says_why(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        assert "players" in str(made.begin(Arrangement(("human",) * 60)))


def test_going_back_keeps_what_chance_did(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        played(made, 4)
        table = made.match.table
        assert table is not None
        there = table.position(2)
        assert made.match.go_back(2) is None
        assert table.state == there


def test_going_on_from_where_a_bot_has_yet_to_choose_in_secret_stands_just_there(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "fuzzy_tiger.rules") as made:
        bots, ahead = made.match._bots, Event()
        bots.pool.submit(ahead.wait)
        assert made.begin(Arrangement(("human", "random"))) is None
        played(made, 1)
        ahead.set()
        assert bots.settled(processes.HANG)
        table = made.match.table
        assert table is not None
        before = list(table.match.history)
        assert [past.action.seat for past in before[:2]] == [0, 1], "the person has chosen apart, then the bot"
        assert made.match.go_back(1) is None
        assert bots.settled(processes.HANG)
        assert table.match.history[:1] == before[:1]
        assert table.match.history[1].action.seat == 1, "the bot chooses anew"
        assert len(parse(table.log()).entries) == len(table.match.history)


def test_going_on_from_before_the_end_of_a_match(tmp_path: Path) -> None:
    with studio(tmp_path, EXAMPLES / "tic_tac_toe.rules") as made:
        table = made.match.table
        assert table is not None
        while table.match.outcome() is None:
            played(made, 1)
        there = table.position(3)
        assert made.match.go_back(3) is None
        assert (len(table.match.history), table.state) == (3, there)
        played(made, 1)


def test_each_seat_and_everything_can_be_looked_at(tmp_path: Path) -> None:
    with studio(tmp_path, GAMES / "fuzzy_tiger.rules") as made:
        played(made, 1)
        shown = {seat: content(made.match, Looking(seat), made.trace) for seat in ("red", "blue", "everything")}
        assert {values["seen_by"] for values in shown.values()} == {"red", "blue", "everything"}
        assert len({values["picture"] for values in shown.values()}) == 3
        earlier = content(made.match, Looking("red", at=0), made.trace)
        assert (earlier["place"], earlier["length"], earlier["question"]) == (0, 1, None)


def test_the_last_of_many_texts_wins(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        text = made.text.text
        for number in range(1, 30):
            made.put(Text(text + f"# {number}\n", number))
        settled(made)
        assert findings(made) == []
        news: Any = made.parts.newest("findings")
        assert news["number"] == 29


def test_it_is_told_whether_who_begins_is_favoured_what_choices_do_and_how_close_matches_are(tmp_path: Path) -> None:
    with studio(tmp_path, EXAMPLES / "tic_tac_toe.rules", figures=True) as made:
        reports = figures(made).reports
        assert reports is not None
        found = effects(reports[0].tally, reports[1].tally, SOURCE)
        # By chance the first of two wins 58.5 of 100 matches and shares 12.7; the middle is worth most.
        assert found.beginner is not None
        assert (found.games, found.beginner.sign) == (4000, 1)
        assert found.beginner.wins.low < 0.712 < found.beginner.wins.high
        assert 0.54 < found.beginner.fair < 0.58
        assert {one.name for one in found.close} == {"ties"}
        choices = dict(found.kinds)["answer"]
        best = max(choices, key=lambda one: one.now.value)
        assert best.name.endswith("2,2")
        assert best.before == best.now.value
        assert made.text.text.split("\n")[best.line - 1].strip()


def test_a_card_that_was_changed_is_marked_and_there_whether_its_effect_is_clear_or_not(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        edited(made, "    | 1..7    |", "    | 1..6    |\n    | 7       |")
        made.keep()
        edited(made, "    | 7       |", "    | 7       |  # the last", figures=True)
        found = figures(made)
        assert "7" in found.changed
        assert "3" not in found.changed
        reports = found.reports
        assert reports is not None
        choices = dict(effects(reports[0].tally, reports[1].tally, SOURCE, found.changed).kinds)["answer"]
        told = [(one.is_clear, one.is_changed) for one in choices]
        assert len(told) == 7, "all cards"
        assert sorted(told, key=lambda one: not one[0]) == told, "what is clear comes first"
        assert [one.name for one in choices if one.is_changed] == ["feather: 7"]


def test_only_a_card_whose_own_lines_differ_is_marked_however_long_the_text_below_it_became() -> None:
    path = str(GAMES / "fuzzy_tiger.rules")
    text = Path(path).read_text("utf-8")
    before = load_text(text, path)
    run = text.replace('card 6 "Run": move owner.monkey nearer by 3', 'card 6 "Run": move owner.monkey nearer by 2')
    example = text[text.index("\nscenario ") :].split("\n\n")[0]
    for edit in (run, run + example.replace('"', '"again ', 1) + "\n", "# a line above\n" + run + "\n" * 500):
        assert changed_things(before, load_text(edit, path)) == {"6 Run", "card 6"}


def test_it_is_told_how_long_the_rest_takes_and_of_few_matches_no_parts_of_a_hundred(tmp_path: Path) -> None:
    with studio(tmp_path, figures=True) as made:
        found = figures(made)
        assert figure_table.wait(found) == 0, "all are played"
        assert figure_table.wait(evolve(found, done=100, of=1100, seconds=30.0, stopped=False)) == 300
        assert figure_table.wait(evolve(found, done=100, of=110, seconds=30.0, stopped=False)) == 0
        made._balance.play(balance.Versions(*[load_text(made.text.text)] * 2, 1, {}, 2, "", FEW - 1), lambda: False)
        few = figures(made)
        assert few.pairs is not None
        shown = figure_table.figures(few.pairs, SOURCE, few.setting)
        wins = {one.name: one.now for one in shown if "wins" in one.name}
        assert set(wins) == {"Red wins", "Blue wins"}
        assert all(now.endswith(f"/{FEW - 1}") for now in wins.values())


@pytest.mark.parametrize(("pairs", "is_clear"), [(3, False), (5, False), (6, True)])
def test_of_a_few_pairs_the_interval_is_shown_and_nothing_that_it_does_not_carry(pairs: int, is_clear: bool) -> None:
    of = PairedComparison(("red", "blue"), ())
    for index in range(pairs):
        ends = [MatchResult(index, int(Status.DONE), 9, (1, 2), (seat,), ()) for seat in (0, 1)]
        of.add(Pair(ends[0], ends[1]))
    red = figure_table.figures(of, SOURCE)[0]
    assert red.is_clear == is_clear
    assert red.low is not None
    assert red.high is not None
    assert (red.low < 0 < red.high or red.high >= 0) != is_clear
    assert is_clear != ("no difference that" in red.verdict)


def test_a_rough_answer_says_so_and_how_long_a_closer_one_takes(tmp_path: Path) -> None:
    with studio(tmp_path, figures=True) as made:
        found = figures(made)
        assert figure_table.rough(found) is None, "4,000 pairs"
        versions = balance.Versions(*[load_text(made.text.text)] * 2, 1, {}, 2, "", 9)
        made._balance.play(versions, lambda: False)
        few = evolve(figures(made), of=400, seconds=18.0)
        rough = figure_table.rough(few)
        assert rough is not None
        assert 25 <= rough.points <= 60
        assert (rough.pairs, rough.seconds) == (36, 54)
        words = str(_shown("figures", {"progress": few}, SOURCE)["html"])
        assert "Rough so far:" in words
        assert "Half of that after 36 pairs, in about 54 seconds." in words
        assert "too few to tell whether that is an advantage" in words
        stopped = figure_table.rough(evolve(few, stopped=True))
        assert stopped is not None
        assert stopped.pairs is None


def test_what_figures_compare_with_has_a_name(tmp_path: Path) -> None:
    def since() -> str:
        words = str(_shown("figures", {"progress": figures(made)}, SOURCE)["html"])
        return words.partition('id="since">(')[2].partition(")")[0]

    hours = ["12:03"]
    made = Studio(RulesFile(str(copied(tmp_path))), time_of_day=lambda: hours[-1])
    try:
        settled(made, figures=True)
        assert since() == "as opened at 12:03"
        hours.append("12:14")
        made.keep()
        settled(made, figures=True)
        assert since() == "as they were at 12:14"
        hours.append("12:20")
        made.compare_opened()
        settled(made, figures=True)
        assert since() == "as opened at 12:03"
    finally:
        made.close()


def test_figures_compare_again_with_the_rules_as_they_were_opened(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        opened = made.game
        edited(made, "| 1..7    |", "| 2..7    |")
        made.keep()
        assert made.before is made.game
        made.compare_opened()
        assert made.before is opened
        settled(made)


def test_lines_are_counted_over_the_matches_of_the_simulation(tmp_path: Path) -> None:
    with studio(tmp_path, EXAMPLES / "tic_tac_toe.rules", figures=True) as made:
        news: Any = made.parts.newest("lines")
        lines = made.text.text.split("\n")
        assert (news["number"], news["games"]) == (made.text.number, 1000)
        won = next(number for number, line in enumerate(lines, 1) if "defeat players except" in line)
        reports = figures(made).reports
        assert reports is not None
        assert abs(news["counts"][won] - (1 - reports[1].tally.ties / 4000)) < 0.04


def test_playing_pairs_can_be_stopped(tmp_path: Path) -> None:
    with studio(tmp_path, figures=True) as made:
        made.measure(Series(bots="mcts:50"))
        while made.progress is None or made.progress.of != THINKING or not made.progress.done:
            assert not made.failed
        made.stop_series()
        settled(made, figures=True)
        assert figures(made).stopped
        assert 0 < figures(made).done < figures(made).of == THINKING


def test_a_match_that_runs_to_every_limit_is_broken_off_by_the_next_key(tmp_path: Path) -> None:
    """Not only once the next text has been read: a text that is no game stops it too, until it is one."""
    (hungry := tmp_path / "hungry.rules").write_text(HUNGRY, encoding="utf-8")
    with studio(tmp_path / "studio", hungry) as made:
        made.play_series()
        wait_in_a_match(made)
        before = made._pairs
        made.put(Text(HUNGRY + "cards", 1))
        assert made._checker.settled(processes.HANG)
        assert findings(made)[0]["level"] == "error"
        assert made._pairs is not before, "what was broken off is played again"
        made.put(Text(HUNGRY, 2))
        settled(made)
        assert made.progress is not None
        assert (made.progress.done, made.progress.stopped) == (0, True), "no match came to an end"


def wait_in_a_match(of: Studio) -> None:
    while not any(rounds(one) for one in of._balance._at_work):
        assert not of.failed


def test_examples_wait_for_the_first_figures_and_no_longer(tmp_path: Path) -> None:
    came: list[str] = []
    with studio(tmp_path) as made:
        end = made.parts.subscribe(lambda: came.append(made.parts.since(0)[-1][1]))
        edited(made, "players 2..5", "players 2..4", figures=True)
        end()
    assert came.index("findings") < came.index("match") < came.index("figures") < came.index("examples")
    assert came.index("examples") < len(came) - 1, "figures go on after the examples"


def test_a_text_of_very_many_lines_is_looked_at_and_the_next_one_too(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        long = "".join(f"> ZZ-{number} Words.\ndefine d{number} is {number}\n" for number in range(LINES // 2))
        made.put(Text(made.text.text + long, made.text.number + 1))
        settled(made)
        assert {one["code"] for one in findings(made)} == {"never-read"}
        edited(made, long, "")
        assert findings(made) == []


def test_rules_that_cannot_be_are_refused_with_the_reason_and_nothing_is_lost(tmp_path: Path) -> None:
    with studio(tmp_path) as made:
        table = made.match.table
        edited(made, "players 2..5", "players 2..500000")
        assert "at most 64" in findings(made)[0]["title"]
        edited(made, "players 2..500000", "players 2..5\x00")
        assert findings(made)[0]["level"] == "error"
        edited(made, "players 2..5\x00", "players 2..5")
        assert findings(made) == []
        assert made.match.table is table
