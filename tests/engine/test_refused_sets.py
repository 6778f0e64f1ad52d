"""Things chosen together from which an `only if` further on cannot be met: refused, and asked for again."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

from rulekit import Action, RuleError, State, apply, decisions, start
from rulekit.bots.players import registry
from rulekit.bots.seated_bots import SeatedBots
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.play.state.errors import Refused
from rulekit.play.state.match_state import Decision
from rulekit.source import Source
from rulekit.tools.compare.differential_execution import Pair, ReplayedAnswers, played
from tests.cli.test_run import called

SEVEN = """game "Seven"
    players 2
cards deck of card
    | card |
    | 1..6 |
each player has
    pile hand of card starts deck
play
    each player: do pay(player)
> SEVEN One pays seven exactly.
action pay(owner of player)
    owner chooses 1..3 paid from owner.hand "Pay with which?"
    only if sum of number over paid is 7                              @SEVEN
    remove paid
result: rank players by highest count hand
"""
NEVER = SEVEN.replace("is 7 ", "is 70")
APART = SEVEN.replace("    each player: do pay(player)", "    secretly each player: do pay(player)")
EXAMPLE = """scenario "refused"
    players ann, bob
    do pay(ann)
    refuse ann chooses [1, 2]
    when ann chooses [6, 1]
    expect ann.hand is [2, 3, 4, 5]
"""


def game(text: str) -> Game:
    loaded = examine_text(Source("seven.rules", text))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def chosen(state: State, *keys: int) -> State:
    asked = decisions(state)[0]
    return apply(state, Action(asked.seat, tuple(asked.options[key - 1] for key in keys))).state


@pytest.mark.parametrize("text", [SEVEN, APART])
def test_a_set_that_breaks_an_only_if_is_refused_with_it(text: str) -> None:
    state = start(game(text)).state
    for _ in range(2):
        with pytest.raises(Refused, match="could not be met") as refused:
            chosen(state, 1, 2)
        assert refused.value.code == "refused"
        assert refused.value.cites == ("SEVEN",)
        assert refused.value.span.line == text.splitlines().index(SEVEN.splitlines()[12]) + 1
    assert len(decisions(state)) == (2 if text is APART else 1)
    assert decisions(chosen(state, 1, 6))[0].seat == 1


@pytest.mark.parametrize("text", [NEVER, NEVER.replace("each player: do", "secretly each player: do")])
def test_where_nothing_remains_the_message_says_so(text: str) -> None:
    with pytest.raises(RuleError, match="nothing remains to be chosen as `paid`"):
        chosen(start(game(text)).state, 1, 2)


def test_what_could_be_chosen_later_counts_too() -> None:
    later = "    owner chooses n from 1..2\n    only if sum of number over paid is n + 3  "
    rules = game(re.sub(" {4}only if sum of number over paid is 7 ", later, SEVEN))
    state = start(rules).state
    with pytest.raises(Refused):
        chosen(state, 1, 2)
    after = chosen(state, 1, 4)
    # 1 and 4 make 5, so only 2 is left of n, which is taken without asking.
    assert decisions(after)[0].name == "paid"


@pytest.mark.parametrize("kind", ["random", "greedy", "mcts:6"])
@pytest.mark.parametrize("text", [SEVEN, APART])
def test_every_bot_chooses_another(text: str, kind: str) -> None:
    rules = game(text)
    for seed in "abc":
        step = start(rules, seed=seed)
        names = step.state.setting.seats
        bots = {seat: registry.seated(kind, rules, {}, names, seat, seed) for seat in range(2)}
        table = SeatedBots(bots)
        table.tell(step.state, step.events)
        while waiting := decisions(step.state):
            value = table.answer(step.state, waiting[0])
            assert isinstance(value, tuple)
            assert sum(int(getattr(card, "key", 0)) for card in value) == 7
            step = apply(step.state, Action(waiting[0].seat, value))
            table.answered(waiting[0], value)
            table.tell(step.state, step.events, waiting[0].seat)


def test_what_was_refused_is_not_offered_again() -> None:
    """A bot that would go on with the same set, and one by chance, each over all sets that there are."""
    asked = decisions(start(game(SEVEN)).state)[0]
    sets = [some for size in (1, 2, 3) for some in combinations(asked.options, size)]
    bot = registry.seated("random", game(SEVEN), {}, ("a", "b"), 0, "seed")
    for refused in range(len(sets)):
        question = Decision(0, "paid", "", asked.options, 1, 3, several=True, refused=tuple(sets[:refused]))
        assert bot.answer(None, question) in sets[refused:]  # type: ignore[arg-type]


def test_a_series_is_the_same_in_both_engines(tmp_path: Path) -> None:
    path = tmp_path / "seven.rules"
    path.write_text(SEVEN, encoding="utf-8")
    simulated = [
        called("simulate", str(path), "--games", "60", "--seed", "1", "--engine", engine, typed="")
        for engine in ("wasm", "interpreter")
    ]
    assert simulated[0].returncode == 0, simulated[0].stderr
    lines = [[line for line in one.stdout.splitlines() if "engine" not in line] for one in simulated]
    assert lines[0] == lines[1]
    assert "a rule failed" not in simulated[0].stdout


def test_a_person_is_told_why_and_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "seven.rules"
    path.write_text(SEVEN, encoding="utf-8")
    log = tmp_path / "seven.log"
    done = called(*("run", str(path), "--seats", "human,random", "--record", str(log)), typed="1 2\n1 6\n")
    assert done.returncode == 0, done.stderr
    assert "whatever follows, `only if sum of number over paid is 7` could not be met" in done.stdout
    assert "SEVEN: One pays seven exactly." in done.stdout
    assert called("replay", str(log), typed="").returncode == 0


def test_examples_refuse_such_a_set(tmp_path: Path) -> None:
    path = tmp_path / "seven.rules"
    path.write_text(SEVEN + EXAMPLE, encoding="utf-8")
    assert called("test", str(path), typed="").returncode == 0


def test_games_that_refuse_otherwise_part() -> None:
    same, other = game(SEVEN), game(SEVEN.replace("paid is 7 ", "paid is 8 "))
    agree = played(Pair(start(same), start(same)), ReplayedAnswers((), 0), 10)
    assert agree.divergence is None
    assert agree.is_over
    assert played(Pair(start(same), start(other)), ReplayedAnswers((), 0), 10).divergence is not None
