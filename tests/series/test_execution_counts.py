"""How often each line ran: the same in the compiled engine, in the reference engine, and as its main loop sees it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from benchmarks.fuel import spent
from rulekit.compiler.lower.storage.layout import Unsupported
from rulekit.compiler.pipeline import lowered
from rulekit.loading import load_text
from rulekit.model.call_graph import Place
from rulekit.model.game import Game
from rulekit.play.interpreter import main_loop
from rulekit.play.machine.closure_compilation import Meanings
from rulekit.play.machine.working_state import Machine
from rulekit.tools.analysis.execution_counts import ExecutionCounts
from rulekit.tools.compare.differential_execution import random_match
from rulekit.tools.series.simulation import series
from tests.generators.random_matches import GAMES, game
from tests.generators.random_rules import rules_by_chance
from tests.sizes import quick

MATCHES = 20
RULES = """game "Counted"
    players 2
each player has
    counter coins 0..99
    counter hidden 0..9, seen by owner
counter rounds 0..9
play
    repeat
        raise rounds by 1
        secretly each player
            raise player.hidden by 1
        each player
            raise player.coins by rounds
            if player.coins above 2
                lower player.coins by 1
            player chooses "Go on?"
                "pay" if possible pay(player): do pay(player)
                "wait"
        if rounds is 3: end game
action pay(who of player)
    only if who.coins above 90
    lower who.coins by 1
result: rank players by highest coins
"""
EXPECTED = {
    "raise rounds by 1": 3,
    "secretly each player": 3,
    "raise player.hidden by 1": 6,
    "each player": 3,
    "raise player.coins by rounds": 6,
    "if player.coins above 2": 6,
    "lower player.coins by 1": 4,
    'player chooses "Go on?"': 6,
    "only if who.coins above 90": 0,
    "lower who.coins by 1": 0,
    "if rounds is 3: end game": 3,
    "end game": 1,
}


def test_lines_and_tests_are_counted_and_what_is_tried_is_not() -> None:
    counts = ExecutionCounts(load_text(RULES))
    *_, (last, _) = random_match(counts.counted, {}, 2, "0")
    found = counts.of_state(last.state)
    text = RULES.split("\n")
    lines = {text[span.line - 1][span.column - 1 :]: ran for span, ran in counts.lines(found).items()}
    assert {line: lines[line] for line in EXPECTED} == EXPECTED
    told = {text[test.span.line - 1].strip(): (test.held, test.failed) for test in counts.tests(found)}
    assert told == {"if player.coins above 2": (4, 2), "if rounds is 3: end game": (1, 2)}


def test_what_a_secret_block_calls_is_not_counted() -> None:
    text = RULES.replace("raise player.hidden by 1", "do hide(player)")
    text = text.replace("action pay", "action hide(who of player)\n    raise who.hidden by 1\naction pay")
    counts = ExecutionCounts(load_text(text))
    *_, (last, _) = random_match(counts.counted, {}, 2, "0")
    at = text.split("\n").index("    raise who.hidden by 1") + 1
    lines = counts.lines(counts.of_state(last.state))
    assert at not in {span.line for span in lines}
    assert {span.line: ran for span, ran in lines.items()}[
        text.split("\n").index("            do hide(player)") + 1
    ] == 6


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_counting_takes_at_most_half_as_much_again(path: Path) -> None:
    """In instructions, which are the same on every machine."""
    made = game(path)
    seats = min(4, made.most)
    plain, _ = spent(lowered(made, {}, seats, counting=True)[0], MATCHES)
    counting, _ = spent(lowered(ExecutionCounts(made).counted, {}, seats, counting=True)[0], MATCHES)
    assert plain < counting < 1.5 * plain


def seen_by_the_main_loop(made: Game, seats: int, seed: str, monkeypatch: pytest.MonkeyPatch) -> Counter[Place]:
    """What a match of the game itself runs, operation by operation, but for what is only tried."""
    ran = Counter[Place]()

    def run_frame(m: Machine, c: Meanings) -> None:
        frame = m.frames[-1]
        m.locals, acts, left = frame.locals, c.acts(frame.code), None
        while not left:
            at = (frame.code, frame.pc)
            m.op, steps, act = acts[frame.pc]
            frame.pc += 1
            m.steps += steps
            left = act(m, frame)
            if m.trial is None:
                ran[at] += 1

    with monkeypatch.context() as patched:
        patched.setattr(main_loop, "_run_frame", run_frame)
        for _ in random_match(made, {}, seats, seed):
            pass
    return ran


def assert_counts(made: Game, seats: int, seed: str, monkeypatch: pytest.MonkeyPatch) -> Counter[Place]:
    counts = ExecutionCounts(made)
    *_, (last, _) = random_match(counts.counted, {}, seats, f"{seed}#0")
    found = counts.of_state(last.state)
    seen = seen_by_the_main_loop(made, seats, f"{seed}#0", monkeypatch)
    assert {place: seen[place] for place in counts.counters} == found
    one = series(counts.counted, {}, seats, seed, "wasm")
    one.rows(0, 1, ())
    assert counts.summed(one.counters.sheet, one.sums()) == found
    return found


@pytest.mark.parametrize("path", quick(GAMES), ids=lambda path: path.stem)
def test_lines_run_as_often_in_every_engine(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = game(path)
    found = assert_counts(made, min(3, made.most), "counts", monkeypatch)
    assert sum(found.values()) > 100


def test_lines_of_games_by_chance_run_as_often_in_every_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for seed in range(8):
        made = load_text(rules_by_chance(seed))
        try:
            assert_counts(made, made.least, str(seed), monkeypatch)
        except Unsupported:
            continue
        compared += 1
    assert compared > 3
