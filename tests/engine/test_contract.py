"""What every game and every state promises, on random matches."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import Action, Game, IllegalAction, State, apply, decisions, notation, outcome, start, view
from rulekit.loading import examine_text
from rulekit.play.machine.closure_compilation import meanings
from rulekit.source import Source
from tests.generators.random_matches import GAMES, game, seat_counts, steps


def cases() -> list[object]:
    return [pytest.param(path, n, id=f"{path.stem}-{n}") for path in GAMES for n in seat_counts(game(path))]


@pytest.mark.parametrize(("path", "seats"), cases())
def test_the_same_action_leads_to_the_same_step(path: Path, seats: int) -> None:
    for before, action, step in steps(game(path), seats, "same", most=60):
        if action is not None:
            again = apply(before, action)
            assert again == step
            assert hash(again.state) == hash(step.state)


@pytest.mark.parametrize(("path", "seats"), cases())
def test_a_state_is_never_changed(path: Path, seats: int) -> None:
    for before, action, step in steps(game(path), seats, "pure", most=60):
        if action is not None:
            key = before.key()
            apply(before, action)
            assert before.key() == key
            assert step.state != before


@pytest.mark.parametrize(("path", "seats"), cases())
def test_options_read_apart_and_only_those_asked_may_answer(path: Path, seats: int) -> None:
    for _, _, step in steps(game(path), seats, "legal", most=80):
        waiting = decisions(step.state)
        assert len({decision.seat for decision in waiting}) == len(waiting)
        for decision in waiting:
            texts = [notation(option) for option in decision.options]
            assert decision.several or len(set(texts)) == len(texts), texts
            assert 0 <= decision.least <= decision.most <= max(1, len(decision.options))
        asked = {decision.seat for decision in waiting}
        for seat in set(range(seats)) - asked:
            with pytest.raises(IllegalAction):
                apply(step.state, Action(seat, waiting[0].options[0] if waiting else 1))


@pytest.mark.parametrize(("path", "seats"), cases())
def test_what_is_not_offered_is_refused(path: Path, seats: int) -> None:
    for _, _, step in steps(game(path), seats, "refused", most=40):
        for decision in decisions(step.state):
            for wrong in ("no such thing", 10**6, (), None):
                if wrong in decision.options or (decision.several and wrong == () and decision.least == 0):
                    continue
                with pytest.raises(IllegalAction):
                    apply(step.state, Action(decision.seat, wrong))


@pytest.mark.parametrize(("path", "seats"), cases())
def test_a_match_ends_with_everybody_placed(path: Path, seats: int) -> None:
    last = None
    for _, _, last in steps(game(path), seats, "whole"):
        if decisions(last.state):
            assert outcome(last.state) is None
    assert last is not None
    end = outcome(last.state)
    assert end is not None, "no end within 10,000 decisions"
    placed = sorted([seat for place in end.ranking for seat in place] + list(end.defeated))
    assert placed == sorted(set(placed)) or set(end.defeated) <= set(range(seats))
    assert set(placed) >= set(range(seats))


@pytest.mark.parametrize(("path", "seats"), cases())
def test_order_of_simultaneous_answers_changes_nothing(path: Path, seats: int) -> None:
    for _, _, step in steps(game(path), seats, "order", most=60):
        waiting = decisions(step.state)
        if len(waiting) < 2 or any(decision.several for decision in waiting):
            continue
        actions = [Action(decision.seat, decision.options[-1]) for decision in waiting]
        forth, back = step.state, step.state
        for action in actions:
            forth = apply(forth, action).state
        for action in reversed(actions):
            back = apply(back, action).state
        if not forth.branches:
            assert [view(forth, seat).values for seat in range(seats)] == [
                view(back, seat).values for seat in range(seats)
            ]


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_seeds_are_text_and_decide_everything(path: Path) -> None:
    rules = game(path)
    assert start(rules, seed="5") == start(rules, seed="5")
    assert start(rules, seed="5").state != start(rules, seed="5 ").state


@pytest.mark.parametrize("path", GAMES, ids=lambda p: p.stem)
def test_every_event_says_why(path: Path) -> None:
    rules = game(path)
    for _, _, step in steps(rules, rules.least, "why", most=120):
        for event in step.events:
            if event.name not in ("ready", "end", "rank", "defeat"):
                assert event.clauses or event.decided_by, event
            assert set(event.clauses) <= set(rules.clauses), event


BIDS = """game "Bids"
    players 3
each player has
    counter bid 0..3, seen by owner
    counter points
play
    repeat: do auction
action auction
    secretly each player
        player chooses offer from 0..3 "Your bid?"
        set player.bid to offer
    reveal players.bid
    {asked}
    if any (players where it.points at least 2): end game
result: rank players by highest points
"""


def after(rules: Game, *answers: tuple[int, int]) -> State:
    state = start(rules, seats=3, seed="order").state
    for seat, value in answers:
        state = apply(state, Action(seat, value)).state
    return state


def bids(asked: str) -> Game:
    loaded = examine_text(Source("bids.rules", BIDS.format(asked=asked)))
    assert loaded.game is not None, loaded.findings
    return loaded.game


def test_who_answered_first_in_a_block_makes_no_difference_where_nobody_asks() -> None:
    rules = bids("each player: raise player.points by player.bid")
    for count in (2, 3):
        answers = [(0, 0), (1, 1), (2, 0)][:count]
        one, other = after(rules, *answers), after(rules, *reversed(answers))
        assert one == other
        assert hash(one) == hash(other)
    assert after(rules, (0, 0)) != after(rules, (1, 0))
    assert after(rules, (0, 0), (1, 1)) != after(rules, (0, 1), (1, 0))


def test_who_answered_last_makes_a_difference_where_the_rules_ask() -> None:
    rules = bids("each player\n        if answered_last is player: raise player.points by 1")
    answers = [(0, 0), (1, 1), (2, 0)]
    assert after(rules, *answers[:2]) != after(rules, *reversed(answers[:2]))
    assert after(rules, *answers) != after(rules, *reversed(answers))
    assert after(rules, *answers) == after(rules, answers[1], answers[0], answers[2])


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_what_was_played_once_makes_no_more_closures(path: Path) -> None:
    """A watched match holds no more for having been played for longer."""
    for before, action, step in steps(game(path), game(path).least, "again", most=30):
        if action is not None:
            apply(before, action)
            made = len(meanings(step.state.setting)._made)
            apply(before, action)
            assert len(meanings(step.state.setting)._made) == made
