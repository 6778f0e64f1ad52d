"""What programs cost: the limit of steps is met at the same line in both engines, whatever the rules spend them on."""

from __future__ import annotations

import pytest

from rulekit import limits
from rulekit.compiler.pipeline import lowered
from rulekit.compiler.plan.ir import Status
from rulekit.loading import examine_text
from rulekit.model.game import Game
from rulekit.play.engine import start
from rulekit.play.state.errors import LimitError
from rulekit.source import Source
from tests.generators.costly_programs import PROGRAMS, text_of
from tests.generators.handmade_plans import ENGINES

BUDGET = 100_000


def game_of(text: str) -> Game:
    loaded = examine_text(Source("costly.rules", text))
    assert loaded.game is not None, loaded.findings
    return loaded.game


@pytest.mark.parametrize(("program", "size"), [(program, small) for program, _, small in PROGRAMS], ids=lambda x: "")
def test_costly_programs_meet_the_limit_in_both_engines(
    program: object, size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STEPS_PER_DECISION", BUDGET)
    game = game_of(text_of(program, size))  # type: ignore[arg-type]
    with pytest.raises(LimitError) as met:
        start(game, seats=2)
    assert met.value.code == "endless"
    machine = ENGINES["wasm"](lowered(game, {}, 2)[0])
    assert machine.play(1) == Status.ENDLESS
    assert machine.decisions() == 0


TWO_HALVES = """game "Halves"
    players 1
counter n
play
    each a in 1..{count}: raise n by 1
    starter always chooses "on?"
        "yes"
    each a in 1..{count}: raise n by 1
    starter always chooses "on?"
        "yes"
result: rank players
"""


@pytest.mark.parametrize(("count", "asked"), [(200, 2), (300, 0)])
def test_each_answer_allows_new_steps(count: int, asked: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "STEPS_PER_DECISION", BUDGET)
    machine = ENGINES["wasm"](lowered(game_of(TWO_HALVES.format(count=count)), {}, 1)[0])
    assert machine.play(1) == (Status.DONE if asked else Status.ENDLESS)
    assert machine.decisions() == asked


AHEAD = """game "Ahead"
    players 1
counter n
play
    starter chooses x from 1..4
    each a in 1..{count}
        if a is 0: raise n by 1
    only if x is 3
    end game
result: rank players
"""


@pytest.mark.parametrize(("count", "offered"), [(20, (3,)), (9_000, (1, 2, 3, 4))])
def test_what_takes_more_than_its_share_to_look_ahead_is_offered(
    count: int, offered: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "STEPS_PER_DECISION", BUDGET)
    game, found = game_of(AHEAD.format(count=count).replace("chooses", "always chooses")), list[tuple[int, ...]]()
    machine = ENGINES["wasm"](lowered(game, {}, 1)[0])

    def answer(_machine: object, _ask: int, _seat: int, options: tuple[int, ...], _least: int, _most: int) -> int:
        found.append(options)
        return 0

    machine.play(1, answer)
    assert found == [offered]
    waiting = start(game, seats=1).state.pending
    assert waiting is not None
    assert waiting.options == offered


TRIED_AGAIN = """game "Tried again"
    players 1
counter n
action pair(owner of player)
    owner chooses a from 1..3
    each i in 1..40
        if a is i: raise n by 1
    owner chooses b from 1..3
    only if a + b is 6
play
    if possible pair(starter): raise n by 1
    starter always chooses "on?"
        "yes"
result: rank players
"""


def test_what_is_run_again_to_try_another_answer_meets_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of(TRIED_AGAIN)
    steps = start(game, seats=1).state.steps
    for budget, status in ((steps, Status.DONE), (steps - 1, Status.ENDLESS)):
        monkeypatch.setattr(limits, "STEPS_PER_DECISION", budget)
        for engine in ENGINES:
            assert ENGINES[engine](lowered(game, {}, 1)[0]).play(1) == status, engine
    with pytest.raises(LimitError):
        start(game, seats=1)
