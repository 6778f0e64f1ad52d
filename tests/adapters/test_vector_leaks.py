"""The search for leaks through many matches at once: what the compiled engine shows of a position to the seat it asks.

Pairs of histories of which a seat may not know the difference are put into the module's memory as they are, all that
is hidden included, and observation and mask must be the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from struct import pack
from typing import Any

import pytest
from attrs import evolve

from rulekit import SPECTATOR, State, view
from rulekit.adapters.vector_env import VectorEnv
from rulekit.compiler.lower.driving import observation
from rulekit.compiler.lower.search import information_sets as sets
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.runtime.state_encoding import encoded_state
from rulekit.compiler.wasm.memory_layout import WAITS
from rulekit.play.state.match_state import Pending
from rulekit.play.view import joined
from tests import paths
from tests.differential.lockstep import options_of
from tests.extras import needs
from tests.generators.random_matches import game
from tests.secrecy import histories
from tests.secrecy.noninterference import Leak, Tally, searched
from tests.sizes import IS_LONG, some

pytestmark = needs("wasmtime")
HIDING = [
    *(paths.GAMES / f"{name}.rules" for name in ("foxy", "hornochsen", "fuzzy_tiger")),
    *(paths.EXAMPLES / f"{name}.rules" for name in ("indian_poker", "magpies", "mastermind", "stalls", "gem_mines")),
    *sorted((paths.CASES / "hidden").glob("*.rules")),
]
"""Games and examples in which something is hidden from somebody who decides, and cases made for that."""
_known: dict[Any, VectorEnv] = {}


@pytest.fixture(autouse=True)
def _through_many_matches(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """To what a seat receives at present comes what many matches show it where it is asked.

    What an observation leaves out, as what was only revealed, is in the view that stands beside it.
    """
    real = histories.present
    monkeypatch.setattr(histories, "present", lambda state, seat: [*real(state, seat), *shown(state, seat)])
    _known.clear()
    yield
    _known.clear()


def shown(state: State, seat: int) -> list[str]:
    """Observation and mask of a seat that is asked, as text."""
    branch = next((one for one in state.branches if one.seat == seat), None)
    pending = state.pending if branch is None else branch.pending
    if pending is None or pending.seat != seat or state.over:
        return []
    setting = state.setting
    key = id(setting.game), setting.players, setting.options
    if key not in _known:
        _known[key] = VectorEnv(setting.game, 1, dict(view(state, SPECTATOR).options), setting.players)
    code, place = (state.frames if branch is None else branch.frames)[-1][:2]
    return _shown(_known[key], state, pending, (code, place, branch is not None))


def _shown(env: VectorEnv, state: State, pending: Pending, asked: tuple[int, int, bool]) -> list[str]:
    machine, storage = env.at_work, env.storage
    number = next(at for at, one in enumerate(env.plan.asks) if (one.code, one.place, one.apart) == asked)
    turn = env.reset()
    m = joined(state)
    as_it_is = evolve(state, values=tuple(m.values), lies=tuple(m.lies))
    _put(machine, storage, as_it_is)
    options = options_of(pending)
    layout = machine.compiled.layout
    end = layout.arena + 8 + 8 * len(options)
    machine.raw[layout.arena : end] = pack(f"<II{len(options)}q", len(options), len(options), *options)
    asking = {"ask": number, "seat": pending.seat, "options": layout.arena, "frames": end}
    asking |= {"least": pending.least, "most": pending.most, "several": int(pending.form == "several")}
    for name, value in asking.items():
        machine.memory[(layout.waits >> 3) + WAITS.index(name)] = value
    machine.exports["offered"](machine.store, 0)
    return [repr(turn.observations.tolist()), repr(turn.masks.tolist())]


def _put(machine: Any, storage: Storage, state: State) -> None:
    """A position into the storage of the module."""
    layout = machine.compiled.layout
    words, lists = encoded_state(storage, state)
    machine.write(layout.words, words)
    for address, entries, room in zip(layout.lists, lists, machine.plan.rooms, strict=True):
        machine.raw[address : address + 8] = pack("<II", len(entries), room)
        machine.write(address + 8, entries)


def search(file: Path) -> Tally:
    rules, tally = game(file), Tally()
    for number in range(1 if not IS_LONG and file.parent == paths.GAMES else 2):
        seats = min(rules.most, max(2, rules.least) + 1)
        searched(rules, seats, f"many {number}", tally, chance=number % 2 == 0, every=5, horizon=6)
    return tally


@pytest.mark.parametrize("file", some(HIDING, 4), ids=lambda file: file.stem)
def test_nobody_is_shown_what_it_may_not_know(file: Path) -> None:
    tally = search(file)
    assert tally.pairs > 5
    assert tally.equal, "something hidden differed, and what was shown did not"


def all_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observation, "_test", lambda m, one: observation.ONE)


def what_others_do_at_the_same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Inside `secretly each` a seat is shown what the others have changed already."""
    monkeypatch.setattr(sets, "asking", lambda rules, question: sets.Asking(things=False, open=True, apart=False))


@pytest.mark.parametrize(
    ("plant", "name"), [(all_secrets, "fuzzy_tiger"), (what_others_do_at_the_same_time, "hornochsen")]
)
def test_a_leak_in_the_observation_is_found(plant: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak, match="learns what it may not know"):
        search(paths.GAMES / f"{name}.rules")
