"""Many matches at once in the compiled engine are the interpreter's, step by step, and show no more than views do."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve, fields

from rulekit import Game, RuleError, Value, load_text, outcome, start, view
from rulekit.adapters.answering import IllegalIndex, Position, after, mask
from rulekit.adapters.vector_env import Turn, VectorEnv
from rulekit.compiler import driving
from rulekit.compiler.driving import Undriven
from rulekit.compiler.lower.driving.observation import features
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.wasm import module
from rulekit.compiler.wasm.memory_layout import PAGE, Layout
from tests import paths
from tests.adapters import vector_oracle as oracle
from tests.adapters.test_action_space import MANY, ONLY_IF
from tests.differential.random_games import CELLS, WIDE, agreed
from tests.extras import needs
from tests.generators.random_matches import Answers, game
from tests.plans.validator import faults
from tests.sizes import IS_LONG, quick, some

pytestmark = needs("wasmtime")
FILES = [
    file
    for file in sorted([*paths.GAMES.glob("*.rules"), *paths.EXAMPLES.glob("*.rules")])
    if file.stem not in ("beggar", "farkle")
]
"""Those in which somebody decides, and no `only if` may refuse sets."""
MATCHES, STEPS = 3, 60 if IS_LONG else 30
SEEDS = 400 if IS_LONG else 6
"""Of games by chance of each sort, so many or half as many."""
TIC_TAC_TOE = game(paths.EXAMPLES / "tic_tac_toe.rules")


class Followed:
    """An environment of many matches, and each of them in the interpreter."""

    def __init__(self, rules: Game, options: Mapping[str, Value], seats: int, seed: str) -> None:
        self.rules, self.options, self.seats, self.seed = rules, options, seats, seed
        self.env = VectorEnv(rules, MATCHES, options, seats)
        self.features = features(self.env.storage)
        self.answers = Answers(seed)
        self.rounds = [-1] * MATCHES
        self.ended = 0
        try:
            self.turn = self.env.reset(seed)
        except Undriven:
            with pytest.raises(RuleError):
                self.positions = [self.begun(match) for match in range(MATCHES)]
            raise
        self.positions = [self.begun(match) for match in range(MATCHES)]
        self.compare()

    def begun(self, match: int) -> Position:
        """The next match in a place at which somebody is asked."""
        while True:
            self.rounds[match] += 1
            seed = f"{self.seed}#{match}#{self.rounds[match]}"
            position = Position(start(self.rules, self.options, self.seats, seed).state)
            if not position.is_over:
                return position

    def step(self) -> None:
        indices = [_any(self.answers, row) for row in self.turn.masks]
        before = [int(seat) for seat in self.turn.seats]
        try:
            self.turn = self.env.step(indices)
        except Undriven:
            self._see_a_rule_fail(before, indices)
            raise
        for match, (seat, index) in enumerate(zip(before, indices, strict=True)):
            to = after(self.env.space, self.positions[match], seat, index)
            assert bool(self.turn.terminated[match]) == to.is_over, (match, index)
            rewards = self.turn.rewards[match].tolist()
            if to.is_over:
                end = outcome(to.state)
                assert end is not None
                assert rewards == pytest.approx(oracle.rewards(end, self.seats)), end
                self.ended += 1
                to = self.begun(match)
            else:
                assert not any(rewards)
            self.positions[match] = to
        assert not self.turn.truncated.any()
        self.compare()

    def _see_a_rule_fail(self, seats: list[int], indices: list[int]) -> None:
        """It fails in the interpreter's match too, or in the one that follows."""
        assert any(map(self._fails, range(MATCHES), seats, indices))

    def _fails(self, match: int, seat: int, index: int) -> bool:
        try:
            if after(self.env.space, self.positions[match], seat, index).is_over:
                self.begun(match)
        except RuleError:
            return True
        return False

    def compare(self) -> None:
        for match, position in enumerate(self.positions):
            seat = int(self.turn.seats[match])
            assert seat in position.to_act(), (match, seat)
            assert self.env.seed_of(match) == f"{self.seed}#{match}#{self.rounds[match]}"
            allowed = mask(self.env.space, position, seat)
            assert self.turn.masks[match].tolist() == [bool(one) for one in allowed], (
                match,
                self.wrong(match, allowed),
            )
            wanted = self.observed(position, seat)
            assert self.turn.observations[match].tolist() == wanted, self.differs(match, wanted)

    def observed(self, position: Position, seat: int) -> list[int]:
        asked = position.asked(seat)
        assert asked is not None
        question, apart = self.question(position, seat)
        setting = position.state.setting
        return oracle.observation(setting, self.features, view(position.state, seat), asked, question, apart=apart)

    def question(self, position: Position, seat: int) -> tuple[int, bool]:
        """Which of the operations that ask it is, from 1, and whether others are asked apart from it."""
        state = position.state
        branch = next((one for one in state.branches if one.seat == seat), None)
        code, place = (state.frames if branch is None else branch.frames)[-1][:2]
        known = sorted({(one.code, one.place) for one in self.env.plan.asks})
        return known.index((code, place)) + 1, branch is not None

    def wrong(self, match: int, allowed: list[int]) -> list[str]:
        shown = self.turn.masks[match]
        return [self.env.space.meaning(at) for at, one in enumerate(allowed) if shown[at] != bool(one)]

    def differs(self, match: int, wanted: list[int]) -> list[tuple[str, int, int]]:
        shown = self.turn.observations[match].tolist()
        return [row for row in zip(self.env.names, shown, wanted, strict=True) if row[1] != row[2]]


def _any(answers: Answers, row: np.ndarray) -> int:
    allowed = np.flatnonzero(row)
    return int(allowed[answers.below(len(allowed))])


@pytest.mark.parametrize("file", quick(FILES), ids=lambda file: file.stem)
def test_matches_are_those_of_the_interpreter(file: Path) -> None:
    rules = game(file)
    for seats in sorted({rules.least, min(rules.most, 4)}):
        followed = Followed(rules, {}, seats, f"many {seats}")
        assert faults(followed.env.plan) == []
        for _ in range(STEPS):
            followed.step()


CASES = sorted([*(paths.CASES / "engines").glob("*.rules"), *(paths.CASES / "hidden").glob("*.rules")])


@pytest.mark.parametrize("file", some(CASES, 4), ids=lambda file: file.stem)
def test_matches_of_cases_are_those_of_the_interpreter(file: Path) -> None:
    rules = game(file)
    seats = max(rules.least, min(rules.most, 3))
    if file.stem == "refused":
        with pytest.raises(Unsupported, match="an `only if` may refuse"):
            VectorEnv(rules, MATCHES, seats=seats)
        return
    with suppress(Undriven):
        followed = Followed(rules, {}, seats, "case")
        for _ in range(STEPS // 2):
            followed.step()


def test_what_nobody_can_change_at_the_same_time_is_seen_by_all() -> None:
    """Cards are chosen in secret, and everybody sees where all stand; what others have chosen already nobody sees."""
    env = VectorEnv(game(paths.GAMES / "fuzzy_tiger.rules"), 1, seats=3)
    turn = env.reset()
    assert env.plan.asks[env.at_work.asks[0]].apart
    shown = dict(zip(env.names, turn.observations[0].tolist(), strict=True))
    assert all(shown[f"{name}.monkey"] for name in env.seat_names)


def test_matches_of_games_by_chance_are_those_of_the_interpreter() -> None:
    ended, refused = 0, list[str]()
    for seed in [*range(SEEDS), *range(WIDE, WIDE + SEEDS // 2), *range(CELLS, CELLS + SEEDS // 2)]:
        try:
            followed = Followed(*agreed(seed), f"chance {seed}")
            for _ in range(60):
                followed.step()
            ended += followed.ended
        except (Unsupported, Undriven) as reason:
            refused.append(str(reason))
    assert ended > SEEDS // 2
    assert len(refused) <= SEEDS // 4, refused


@pytest.mark.parametrize("file", some(quick(FILES), 3), ids=lambda file: file.stem)
def test_what_is_masked_in_is_taken_and_what_is_not_is_refused(file: Path) -> None:
    env, answers = VectorEnv(game(file), 2), Answers(f"both ways {file.stem}")
    turn, indices = env.reset("both"), list[list[int]]()
    for moment in range(13):
        if moment % 4 == 0:
            taken_both_ways(env, turn, indices)
            turn = again(env, indices)
        indices.append([_any(answers, row) for row in turn.masks])
        turn = env.step(indices[-1])


def taken_both_ways(env: VectorEnv, turn: Turn, indices: list[list[int]]) -> None:
    """Each index of the first match, where the other gets one that it may be given."""
    rows, other = turn.masks.copy(), int(turn.masks[1].argmax())
    for index in [-1, *range(env.space.size), env.space.size, 2**40]:
        if 0 <= index < env.space.size and rows[0, index]:
            env.step([index, other])
            turn = again(env, indices)
        else:
            before = kept(turn)
            for pair in ([index, other],):
                with pytest.raises(IllegalIndex, match=f"match 0 may not be given {index} now"):
                    env.step(pair)
            assert kept(turn) == before, "nothing was played"


def again(env: VectorEnv, indices: list[list[int]]) -> Turn:
    """The same matches up to the same moment."""
    turn = env.reset("both")
    for one in indices:
        turn = env.step(one)
    return turn


def kept(turn: Turn) -> list[bytes]:
    """What a turn shows, bytes by bytes."""
    return [getattr(turn, one.name).tobytes() for one in fields(Turn)]


def test_an_index_that_is_refused_leaves_all_matches_as_they_were() -> None:
    """The first match's index is allowed, the second one's is not: neither was played."""
    env, twin = (VectorEnv(TIC_TAC_TOE, 2) for _ in range(2))
    before = kept(env.reset("together"))
    twin.reset("together")
    with pytest.raises(IllegalIndex, match="match 1 may not be given 0 now"):
        env.step([2, 0])
    assert kept(twin.step([2, 3])) == kept(env.step([2, 3])) != before


@pytest.mark.parametrize("given", [[2], [2, 3, 4], [[2, 3]], [2.0, 3.0], [True, True], ["2", "3"]])
def test_indices_are_one_whole_number_for_each_match(given: Any) -> None:
    env = VectorEnv(TIC_TAC_TOE, 2)
    with pytest.raises(ValueError, match="call `reset` first"):
        env.step([2, 3])
    env.reset()
    with pytest.raises(ValueError, match="an index for each of 2 matches is wanted"):
        env.step(given)


def test_what_is_shown_cannot_be_written() -> None:
    turn = VectorEnv(TIC_TAC_TOE, 2).reset()
    for one in (turn.masks, turn.observations, turn.seats, turn.rewards):
        with pytest.raises(ValueError, match="read-only"):
            one[0] = 1


def played(env: VectorEnv, seed: str, steps: int = 40) -> list[list[bytes]]:
    """What the first match of an environment shows; the others are answered as it is, or as they may be."""
    turn, rows = env.reset(seed), []
    for number in range(steps):
        rows.append([getattr(turn, one.name)[:1].tobytes() for one in fields(Turn)])
        turn = env.step([np.flatnonzero(row)[number % int(row.sum())] for row in turn.masks])
    return rows


@pytest.mark.parametrize("name", ["hornochsen", "foxy"])
def test_a_seed_gives_the_same_matches_however_many_there_are(name: str) -> None:
    rules = game(paths.GAMES / f"{name}.rules")
    env = VectorEnv(rules, 5)
    once = played(env, "same")
    assert played(env, "same") == once, "an environment that was used before"
    assert played(VectorEnv(rules, 1), "same") == once
    assert played(env, "other") != once


def test_matches_follow_one_another_in_a_place() -> None:
    """Each in a place of its own and with its own seed, so that no two are the same."""
    env = VectorEnv(game(paths.GAMES / "foxy.rules"), 40)
    turn, seeds = env.reset("many"), set[str]()
    for _ in range(30):
        seeds |= {env.seed_of(match) for match in range(40)}
        turn = env.step(turn.masks.argmax(1))
    assert len(seeds) == 80
    assert len({row.tobytes() for row in turn.observations}) > 10


# ---------------------------------------------------------------- room, bounds and faults


def test_matches_get_more_room_when_they_need_it(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = game(paths.GAMES / "hornochsen.rules")
    wide = played(VectorEnv(rules, 5), "room")
    monkeypatch.setattr(driving, "_SPARE", 0)
    narrow = VectorEnv(rules, 5)
    before = narrow.stride
    assert played(narrow, "room") == wide
    assert narrow.stride > before


def test_too_many_matches_are_refused_with_how_many_there_may_be() -> None:
    with pytest.raises(driving.TooMany, match=r"1000000 matches are too many .* room for \d+"):
        VectorEnv(TIC_TAC_TOE, 1_000_000)
    with pytest.raises(ValueError, match="0 matches cannot be played"):
        VectorEnv(TIC_TAC_TOE, 0)


def test_matches_that_outgrow_their_module_must_begin_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(driving, "_SPARE", 0)
    env = VectorEnv(game(paths.GAMES / "hornochsen.rules"), 4400)
    with pytest.raises(driving.TooMany, match=r"4400 matches are too many .* room for \d\d\d\d"):
        env.reset()
    with pytest.raises(ValueError, match="call `reset` first"):
        env.step([2] * 4400)


LOOP = """game "Loop"
    players 1
counter turns 0..9
counter far
play
    starter chooses n from 1..3 "How long?"
    if n is 2
        repeat
            raise far by 1
    if n is 3
        set turns to 99
    starter chooses m from 1..2 "And then?"
result: rank players
"""


def test_a_match_that_meets_a_bound_is_cut_and_the_others_go_on() -> None:
    env = VectorEnv(load_text(LOOP, "loop.rules"), 3)
    first = env.space.blocks["play", "n"].first
    env.reset()
    turn = env.step([first, first + 1, first])
    assert turn.truncated.tolist() == [False, True, False]
    assert not turn.terminated.any()
    assert not turn.rewards.any()
    assert turn.masks[1].tolist() == env.reset().masks[0].tolist(), "it began anew"


def test_a_rule_that_fails_is_told_with_the_seed_of_its_match() -> None:
    env = VectorEnv(load_text(LOOP, "loop.rules"), 3)
    first = env.space.blocks["play", "n"].first
    env.reset("fails")
    with pytest.raises(Undriven, match="a rule fails in the match with the seed fails#1#0"):
        env.step([first, first + 2, first])


LARGE = """game "Large"
    players 1
play
    starter chooses n from 1..2 "How many?"
    starter chooses m from 1..n * n * 2000 "Which?"
result: rank players
"""


def test_a_match_that_takes_too_much_memory_is_cut_and_the_others_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Here 2000 numbers have room behind the storage, and 8000 have not."""
    real = module.lay_out

    def small(*given: Any) -> Layout:
        layout = real(*given)
        pages = layout.arena // PAGE + 1
        monkeypatch.setattr(module, "MOST", pages * PAGE)
        return evolve(layout, pages=pages)

    monkeypatch.setattr(module, "lay_out", small)
    env = VectorEnv(load_text(LARGE, "large.rules"), 4)
    first = env.space.blocks["play", "n"].first
    begin = env.reset("large").masks[1].tolist()
    turn = env.step([first, first + 1, first + 1, first])
    assert turn.truncated.tolist() == [False, True, True, False]
    assert [row.tolist() == begin for row in turn.masks] == [False, True, True, False]
    assert env.seed_of(1) == "large#1#1"
    page = turn.masks[0].argmax()
    turn = env.step([page, first, first + 1, page])
    assert turn.truncated.tolist() == [False, False, True, False]


NOBODY = """game "Nobody"
    players 1
counter turns
play
    raise turns by 1
    if turns is 2: starter chooses n from 1..3 "How long?"
result: rank players
"""


def test_games_that_cannot_be_driven_are_refused_with_the_reason() -> None:
    with pytest.raises(Unsupported, match="a game in which nobody decides"):
        VectorEnv(game(paths.EXAMPLES / "beggar.rules"))
    with pytest.raises(Unsupported, match="several things to choose that an `only if` may refuse"):
        VectorEnv(load_text(ONLY_IF, "only_if.rules"))
    with pytest.raises(Undriven, match="1000 matches in a row ended before anybody was asked"):
        VectorEnv(load_text(NOBODY, "nobody.rules")).reset()


@pytest.mark.parametrize(
    "text", [MANY.format(numbers="0..2 * 617"), ONLY_IF.replace("    only if worth is 5\n", "")], ids=["pages", "sets"]
)
def test_pages_and_sets_are_chosen_as_in_the_interpreter(text: str) -> None:
    followed = Followed(load_text(text, "text.rules"), {}, 1, "pages and sets")
    for _ in range(STEPS):
        followed.step()
    assert followed.ended > 10
