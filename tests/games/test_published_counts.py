"""Published figures of the games in `benchmarks/games`, which were written from the documentation alone.

Sources: for chess the perft tables of the Chess Programming Wiki (initial position, "Kiwipete", positions 3 to 5); for
international draughts, xiangqi and Hive the like tables for these games; for Dobutsu shogi and the opening roll 3-1 of
backgammon independent generators; for cribbage the distribution over all 12,994,800 hands of four cards with a starter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from math import comb
from random import Random

import pytest

import rulekit
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.wasm.stepping import WasmStepping, stepping
from tests.games.test_perft import ways
from tests.paths import ROOT

GAMES = ROOT / "benchmarks" / "games"
FIRST_MOVES = [
    ("chess", "man", (20, 400)),
    ("xiangqi", "man", (44,)),
    ("intl_draughts", "man", (9, 81, 658, 4265)),
    ("hive", "tile", (4, 96)),
    ("hive_frontier", "tile", (4, 96, 1440)),
    ("dobutsu", "piece", (4, 17, 123, 976)),
]
"""A game, the question with which a move begins, and in how many ways the first 1, 2, 3, … moves can be made."""
DEEPER = [
    ("chess", "man", 3, 8902),
    ("xiangqi", "man", 2, 1920),
    ("intl_draughts", "man", 5, 27117),
    ("hive", "tile", 3, 1440),
    ("hive_frontier", "tile", 4, 21600),
]


def stepped(name: str) -> WasmStepping:
    return stepping(lowered(rulekit.load(GAMES / f"{name}.rules"), {}, 2)[0])


@pytest.mark.parametrize(("name", "first", "counts"), FIRST_MOVES)
def test_the_first_moves_can_be_made_in_as_many_ways_as_published(
    name: str, first: str, counts: tuple[int, ...]
) -> None:
    machine = stepped(name)
    assert tuple(ways(machine, first, machine.begin(1), depth) for depth in range(1, len(counts) + 1)) == counts


@pytest.mark.parametrize(("name", "first", "depth", "count"), DEEPER)
def test_deeper_counts_are_as_published(name: str, first: str, depth: int, count: int) -> None:
    machine = stepped(name)
    assert ways(machine, first, machine.begin(1), depth) == count


# ---------------------------------------------------------------- chess from given positions

LETTERS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
CASTLING_ROOKS = {"K": (8, 8), "Q": (1, 8), "k": (8, 1), "q": (1, 1)}
"""Column and row, from the top, of the rook with which a side may castle."""
POSITIONS = [
    ("kiwipete", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq", (48, 2039)),
    ("position_3", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w -", (14, 191, 2812)),
    ("position_4", "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq", (6, 264)),
    ("position_5", "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ", (44, 1486)),
]
"""A name, the position in Forsyth-Edwards notation, and how many sequences of 1, 2, 3 moves it allows."""


def chess_position(notation: str) -> rulekit.State:
    """Set up a position given in Forsyth-Edwards notation; red plays white, and pawns off their row have moved."""
    placement, turn, castling = notation.split()
    values: dict[str, object] = {}
    numbers = {"red": 0, "blue": 0}
    for row, line in enumerate(placement.split("/"), 1):
        column = 1
        for letter in line:
            if letter.isdigit():
                column += int(letter)
                continue
            seat = "red" if letter.isupper() else "blue"
            numbers[seat] += 1
            man = f"{seat}_{numbers[seat]}"
            values[f"men.{man}"] = rulekit.Ref("cell", f"{column},{row}")
            values[f"{man}.rank"] = LETTERS[letter.lower()]
            values[f"{man}.moved"] = has_moved(letter, column, row, castling)
            column += 1
    assert turn == "w"
    game = rulekit.load(GAMES / "chess.rules")
    return rulekit.position(game, values, seats=["red", "blue"], turn="red").state


def has_moved(letter: str, column: int, row: int, castling: str) -> bool:
    if letter in "Pp":
        return row != (7 if letter == "P" else 2)
    if letter in "Rr":
        sides = castling.upper() if letter == "R" else castling.lower()
        own = [side for side in CASTLING_ROOKS if side in sides and side.isupper() == letter.isupper()]
        return (column, row) not in [CASTLING_ROOKS[side] for side in own]
    return letter in "Kk" and not any(side.isupper() == letter.isupper() for side in castling)


def count_sequences(state: rulekit.State, moves: int) -> int:
    """Return how many sequences of so many moves can be made; each begins with the choice of a man."""
    waiting = rulekit.decisions(state)
    if not waiting:
        return int(moves == 0)
    decision = waiting[0]
    if decision.name == "man":
        if moves == 0:
            return 1
        moves -= 1
    answers = (rulekit.Action(decision.seat, option) for option in decision.options)
    return sum(count_sequences(rulekit.apply(state, answer).state, moves) for answer in answers)


@pytest.mark.parametrize(
    ("notation", "depth", "count"),
    [
        pytest.param(notation, depth, count, id=f"{name}-{depth}")
        for name, notation, counts in POSITIONS
        for depth, count in enumerate(counts, 1)
    ],
)
def test_a_chess_position_allows_as_many_sequences_as_published(notation: str, depth: int, count: int) -> None:
    assert count_sequences(chess_position(notation), depth) == count


# ---------------------------------------------------------------- backgammon


def final_positions(state: rulekit.State) -> Iterator[tuple[object, ...]]:
    waiting = rulekit.decisions(state)
    if not waiting:
        seen = rulekit.view(state, rulekit.REFEREE)
        yield tuple(sorted(str(value.shown) for value in seen.values if value.path.startswith("men.red")))
        return
    for option in waiting[0].options:
        yield from final_positions(rulekit.apply(state, rulekit.Action(waiting[0].seat, option)).state)


def test_the_opening_roll_3_1_of_backgammon_can_be_played_in_16_ways() -> None:
    game = rulekit.load(GAMES / "backgammon.rules")
    start = rulekit.start(game, seats=["red", "blue"], seed="0").state
    values = {value.path: value.shown for value in rulekit.view(start, rulekit.REFEREE).values}
    men = {path: value for path, value in values.items() if path.startswith("men.")}
    state = rulekit.position(game, men, seats=["red", "blue"], begin=("use_dice", "red", 3, 1)).state
    assert len(set(final_positions(state))) == 16


# ---------------------------------------------------------------- cribbage

HANDS_BY_SCORE = {
    0: 1009008,
    1: 99792,
    2: 2813796,
    3: 505008,
    4: 2855676,
    5: 697508,
    6: 1800268,
    7: 751324,
    8: 1137236,
    9: 361224,
    10: 388740,
    11: 51680,
    12: 317340,
    13: 19656,
    14: 90100,
    15: 9168,
    16: 58248,
    17: 11196,
    18: 2708,
    20: 8068,
    21: 2496,
    22: 444,
    23: 356,
    24: 3680,
    28: 76,
    29: 4,
}
ALL_HANDS = comb(52, 4) * 48


def test_cribbage_scores_are_as_frequent_as_published() -> None:
    """Compare the scores of a sample with the published distribution, by chi-square over the frequent scores."""
    assert sum(HANDS_BY_SCORE.values()) == ALL_HANDS
    game = rulekit.load(GAMES / "cribbage.rules")
    state = rulekit.start(game, seats=2, seed="0").state
    random, sample = Random(29), 1500
    scores = Counter(cribbage_score(state, random.sample(range(1, 53), 5)) for _ in range(sample))
    assert scores.keys() <= HANDS_BY_SCORE.keys()
    frequent = [score for score, hands in HANDS_BY_SCORE.items() if hands * sample / ALL_HANDS >= 5]
    expected = {score: HANDS_BY_SCORE[score] * sample / ALL_HANDS for score in frequent}
    observed = {score: scores[score] for score in frequent}
    expected[-1], observed[-1] = sample - sum(expected.values()), sample - sum(observed.values())
    chi_square = sum((observed[score] - expected[score]) ** 2 / expected[score] for score in expected)
    assert chi_square < 45  # One sample in 10,000 exceeds it with 17 degrees of freedom.


def cribbage_score(state: rulekit.State, cards: list[int]) -> int:
    hand = [rulekit.Ref("card", str(card)) for card in cards]
    score = rulekit.read(state, "show_worth", hand[:4], hand[4], False)
    assert isinstance(score, int)
    return score


def test_each_pair_in_a_cribbage_hand_scores_two() -> None:
    """Four alike with any starter: six pairs, and fifteens of two or three cards."""
    state = rulekit.start(rulekit.load(GAMES / "cribbage.rules"), seats=2, seed="0").state
    sixes = [6, 19, 32, 45]
    assert cribbage_score(state, [*sixes, 13]) == 2 * len(list(combinations(sixes, 2)))
