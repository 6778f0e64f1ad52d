"""The search for leaks through the adapters: pairs of histories of which a seat may not know the difference.

What a seat receives is here its observation and its mask, number by number.
Environments that show too much or whose masks lie pass the suites of the
frameworks for which they are made; here each planted fault is found.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from rulekit import REFEREE, SPECTATOR, RuleError, State, decisions, view
from rulekit.adapters import answering
from rulekit.adapters import spaces as made
from rulekit.adapters.answering import Position
from rulekit.adapters.spaces import Spaces, spaces
from rulekit.play.state.setting import Setting
from rulekit.play.view import View
from tests import paths
from tests.adapters import proofs
from tests.generators.random_matches import game
from tests.secrecy import histories
from tests.secrecy.noninterference import Leak, Tally, searched
from tests.sizes import IS_LONG, some
from tests.soak.leaks import DIFFERING, by_chance

HIDING = [
    *(paths.GAMES / f"{name}.rules" for name in ("foxy", "hornochsen", "fuzzy_tiger")),
    *(paths.EXAMPLES / f"{name}.rules" for name in ("indian_poker", "magpies", "mastermind", "stalls", "gem_mines")),
]
"""The games and examples in which something is hidden from somebody who decides."""


@pytest.fixture(autouse=True)
def _through_the_adapter(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a seat sees at present is what the adapter gives it; a spectator has no seat there, and its view."""
    known: dict[Setting, Spaces] = {}
    real = histories.present

    def present(state: State, seat: int) -> list[Any]:
        if seat == SPECTATOR:
            return real(state, seat)
        of = known.get(state.setting) or known.setdefault(state.setting, spaces(state.setting))
        now = made.received(of, Position(state), seat)
        return [[repr(number) for number in now.observation], now.mask]

    monkeypatch.setattr(histories, "present", present)


def search(file: Path) -> Tally:
    rules, tally = game(file), Tally()
    for number in range(1 if not IS_LONG and file.parent == paths.GAMES else 2):
        seats = min(rules.most, max(2, rules.least) + 1)
        searched(rules, seats, f"adapter {number}", tally, chance=number % 2 == 0, every=5, horizon=6)
    return tally


@pytest.mark.parametrize("file", some(HIDING, 4), ids=lambda file: file.stem)
def test_nobody_receives_what_it_may_not_know(file: Path) -> None:
    tally = search(file)
    assert tally.pairs > 10
    assert sum(tally.equal.values()) > 10, "something hidden differed, and what was received did not"


@pytest.mark.parametrize("seed", some(range(6), 2))
def test_nobody_receives_it_in_games_made_by_chance(seed: int) -> None:
    tally, rules = Tally(), by_chance(seed // 2, wide=bool(seed % 2))
    with suppress(RuleError):  # as in `tests.soak.leaks`
        searched(rules, 2 + seed % 2, f"adapter {seed}", tally, ways=DIFFERING, chance=False, every=4, horizon=8)
    assert tally.pairs


# ---------------------------------------------------------------- planted faults

Plant = Callable[[pytest.MonkeyPatch], None]


def all_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "view", lambda state, seat: whole(state, seat))


def whole(state: State, seat: int) -> View:
    """What a referee sees, as if it were the seat's own view."""
    return evolve(view(state, REFEREE), seat=seat)


def the_questions_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    real = made.mask

    def mask(space: Any, position: Position, seat: int) -> list[int]:
        asked = [real(space, position, decision.seat) for decision in decisions(position.state)]
        return [max(one) for one in zip(*asked, strict=True)] if asked else real(space, position, seat)

    monkeypatch.setattr(made, "mask", mask)


@pytest.mark.parametrize("plant", [all_secrets, the_questions_of_others])
def test_a_leak_in_the_adapter_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak, match="learns what it may not know"):
        search(paths.GAMES / "fuzzy_tiger.rules")


def test_what_an_observation_leaves_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made, "view", lambda state, seat: view(state, SPECTATOR))
    with pytest.raises(Leak, match="not shown what it may know"):
        search(paths.GAMES / "fuzzy_tiger.rules")


def allows_too_much(found: dict[int, Any]) -> dict[int, Any]:
    return {**found, max(found) + 1: found[max(found)]} if found else found


def allows_too_little(found: dict[int, Any]) -> dict[int, Any]:
    return dict(list(found.items())[1:]) if len(found) > 1 else found


def test_a_mask_that_allows_too_much_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The index behind the last one is allowed too, but leads nowhere."""
    real = answering.allowed
    monkeypatch.setattr(proofs, "mask", lying(real, allows_too_much))
    with pytest.raises(answering.IllegalIndex):
        proofs.masks_are_sound(some_positions())


def test_a_mask_that_allows_too_little_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = answering.allowed
    monkeypatch.setattr(proofs, "mask", lying(real, allows_too_little))
    with pytest.raises(pytest.fail.Exception, match="DID NOT RAISE"):
        proofs.masks_are_sound(some_positions())


def test_moves_that_leave_answers_out_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = answering.moves
    monkeypatch.setattr(answering, "moves", lambda *given: allows_too_little(real(*given)))
    with pytest.raises(AssertionError):
        proofs.all_answers_can_be_given(some_positions())


def some_positions() -> Iterator[Position]:
    return proofs.positions(game(paths.EXAMPLES / "tic_tac_toe.rules"), "lies", 20)


def lying(real: Any, lie: Callable[[dict[int, Any]], dict[int, Any]]) -> Callable[..., list[int]]:
    def mask(space: Any, position: Position, seat: int) -> list[int]:
        found = lie(real(space, position, seat)) or (answering.WAIT,)
        return [int(index in found) for index in range(space.size)]

    return mask
