"""Scenarios and positions: what may be given, how answers are understood, what is said when one fails.

`cases/play/good/*.rules` and `cases/play/bad/*.rules` begin with a game; each
chunk behind it, separated by lines `# ---- chunk`, is tried with that game.  In
a good chunk every scenario passes; in a bad one it fails on the line with the
comment `### words`, and says those words.
"""

from __future__ import annotations

import re

import pytest

from rulekit import Action, apply, decisions, outcome, start
from rulekit.diagnostics import render_all
from rulekit.loading import examine_text
from rulekit.model.game import Game, Given
from rulekit.play import position_setup
from rulekit.play.machine.closure_compilation import WORDS
from rulekit.play.machine.working_state import thaw
from rulekit.play.state.errors import BadSetup
from rulekit.source import Source
from rulekit.tools.examples import runner
from tests import paths
from tests.generators.random_matches import game as loaded
from tests.paths import GAMES
from tests.sizes import some

CASES = paths.CASES / "play"
_CHUNK = re.compile(r"^# ---- chunk\n", re.M)
_WORDS = re.compile(r"### (.*)$", re.M)


def chunks(folder: str) -> list[tuple[str, str]]:
    """(name, whole text) of every chunk; its lines have the numbers that they have in the file."""
    found = []
    for path in sorted((CASES / folder).glob("*.rules")):
        text = path.read_text(encoding="utf-8")
        head, *parts = _CHUNK.split(text)
        line = head.count("\n")
        for part in parts:
            gap = "\n" * (line + 1 - head.count("\n"))
            found.append((f"{path.stem}-{line + 2}", head + gap + part))
            line += part.count("\n") + 1
    return found


def game_of(text: str) -> Game:
    loaded = examine_text(Source("case.rules", text))
    assert loaded.game is not None, render_all(loaded.findings, loaded.sources)
    return loaded.game


def head() -> str:
    return _CHUNK.split((CASES / "good" / "scenarios.rules").read_text(encoding="utf-8"))[0]


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in chunks("good")])
def test_a_good_scenario_passes(text: str) -> None:
    game = game_of(text)
    results = runner.run_all(game)
    assert results
    for result in results:
        assert result.passed, result.failure


@pytest.mark.parametrize("text", [pytest.param(text, id=name) for name, text in chunks("bad")])
def test_a_bad_scenario_says_where_and_what(text: str) -> None:
    (result,) = runner.run_all(game_of(text))
    marked = [number for number, line in enumerate(text.split("\n"), 1) if "### " in line]
    words = _WORDS.findall(text)
    assert result.failure is not None, "it passes"
    said = f"{result.failure.said}: {result.failure.found}"
    assert [result.failure.span.line] == marked, said
    assert words[0] in said


def test_a_failure_names_what_acted_since_the_expectation_before() -> None:
    text = """game "Case"
    players 2
> A-1 A step goes up by one.
> A-2 A leap goes up by three.
each player has
    counter score 0..9
play: end game
action step(player): raise player.score by 1      @A-1
action leap(player): raise player.score by 3      @A-2
result: rank players by highest score
scenario "both"
    players ann, bob
    do step(ann)
    expect ann.score is 1
    do leap(ann)
    do leap(bob)
    expect ann.score is 4, bob.score is 1
"""
    (result,) = runner.run_all(game_of(text))
    assert result.failure is not None
    assert result.failure.clauses == ("A-2",)
    finding = runner.finding(result)
    assert (finding.code, finding.level, finding.span.line) == ("scenario", "error", 17)
    assert finding.hint == "since the expectation before this line acted @A-2"


def test_a_scenario_without_anything_but_players_still_starts() -> None:
    game = game_of(head() + 'scenario "bare"\n    players ann, bob\n')
    assert runner.run_all(game)[0].passed


def test_choices_that_exclude_each_other_are_told() -> None:
    text = head().replace("default 1\n", "default 1\n    requires pace below 3\n", 1)
    game = game_of(text + 'scenario "fast"\n    players ann, bob\n    use pace is 3\n    expect yes\n')
    difference = runner.run_all(game)[0].failure
    assert difference is not None
    assert "requires" in difference.found


@pytest.mark.parametrize("word", ["game_over", "winners", "runners_up", "losers"])
def test_words_about_the_end_belong_to_scenarios(word: str) -> None:
    test = word if word == "game_over" else f"any {word}"
    loaded = examine_text(Source("case.rules", f'{head()}invariant "no": not ({test})\n'))
    assert [entry.code for entry in loaded.findings if entry.level == "error"] == ["unknown-name"]


def test_winners_and_losers_are_those_of_the_outcome() -> None:
    ended = set()
    for path in sorted(GAMES.glob("*.rules")):
        game = loaded(path)
        for seats in some(range(game.least, min(game.most, 5) + 1), 3):
            state = start(game, seats=seats, seed="end", told=False).state
            while waiting := decisions(state):
                first = waiting[0]
                answer = first.options[: first.least] if first.several else first.options[-1]
                state = apply(state, Action(first.seat, answer)).state
                if state.steps > 20_000_000:
                    break
            result = outcome(state)
            if result is None:
                continue
            m = thaw(state)
            assert set(WORDS["winners"](m, None, [])) == set(result.winners)
            second = [seat for seat in (*result.ranking, (), ())[1] if seat not in result.defeated]
            assert list(WORDS["runners_up"](m, None, [])) == second
            assert set(WORDS["losers"](m, None, [])) == set(result.defeated)
            ended.add(path.stem)
    assert len(ended) > 2, ended


def test_a_position_keeps_every_card_in_exactly_one_place() -> None:
    """Whatever is given, no copy is doubled; those listed nowhere are only lost where no pile is left for them."""
    for _, text in chunks("good"):
        game = game_of(text)
        for scenario in game.scenarios:
            given = [scene for scene in scenario.scenes if isinstance(scene, Given)]
            state = position_setup.position(game, seats=scenario.seats)
            for scene in given:
                state = position_setup.arranged(state, [scene])
                m, first = thaw(state), state.setting.copy_base
                lying = [thing for slot in m.setting.pile_slots for thing in m.values[slot]]
                assert len(lying) == len(set(lying))
                for slot in m.setting.pile_slots:
                    assert all(m.lies[thing - first] == slot for thing in m.values[slot])
                assert len(lying) + m.lies.count(-1) == len(m.lies)


def test_a_position_is_a_state_like_any_other() -> None:
    game = game_of(head() + 'scenario "x"\n    players ann, bob\n    given ann.hand is [3, 1]\n')
    given = [scene for scene in game.scenarios[0].scenes if isinstance(scene, Given)]
    one = position_setup.position(game, seats=["ann", "bob"], given=given)
    assert one == position_setup.position(game, seats=["ann", "bob"], given=given)
    assert one != position_setup.position(game, seats=["ann", "bob"])
    assert decisions(one) == ()
    assert outcome(one) is None
    begun = position_setup.begin_play(one).state
    assert [question.seat for question in decisions(begun)] == [0, 1]


def test_a_position_is_for_as_many_as_the_game() -> None:
    with pytest.raises(BadSetup):
        position_setup.position(game_of(head()), seats=5)
