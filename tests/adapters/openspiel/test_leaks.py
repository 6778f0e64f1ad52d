"""The search for leaks through OpenSpiel: what a player gets there differs only where it may know the difference.

Pairs of histories as in `tests.secrecy`, but what is compared, byte for byte, is what OpenSpiel's own calls return:
observations as text and as numbers, moves that can be made, and information states as messages.  Faults planted in the
adapter are found; where none is, nothing is.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve

from rulekit import REFEREE, SPECTATOR, Action, Game, State, decisions, view
from rulekit.adapters.openspiel import information
from rulekit.adapters.openspiel.extensive_form import Match
from rulekit.play.state.event import Event
from tests import paths
from tests.adapters.openspiel.spiel import KUHN, loaded
from tests.extras import needs
from tests.generators.random_matches import Answers, game
from tests.secrecy import histories, noninterference
from tests.secrecy.noninterference import Leak, Pair, Tally
from tests.secrecy.received import Heard, body
from tests.secrecy.twins import WAYS
from tests.sizes import IS_LONG

pytestmark = needs("openspiel")

HIDING = [
    *(paths.GAMES / f"{name}.rules" for name in ("foxy", "fuzzy_tiger", "hornochsen")),
    *(paths.EXAMPLES / f"{name}.rules" for name in ("indian_poker", "magpies", "mastermind", "stalls", "gem_mines")),
    KUHN,
]
"""The games and examples in which something is hidden from somebody who decides."""


MOMENTS = 6 if IS_LONG else 3
"""Positions of a match from which it goes on with something else hidden."""


@define
class Played(histories.Run):
    """A history as OpenSpiel's players receive it.  at: the match that its states hold."""

    at: Any = None

    def act(self, action: Action) -> None:
        before = self.state
        decision = next(each for each in decisions(before) if each.seat == action.seat)
        self.ledger.answered(before, decision, action.answer)
        told = self.information_states()
        with self.ledger.listening():
            events = self.match.act(action)
        self.ledger.stands(self.state, action.seat)
        self.at = Match(self.at.table, self.state, events, self.at, 0, action)
        now = self.information_states()
        for seat in self.ledger.sheets.keys() - self.deaf:
            if now.get(seat) != told.get(seat):
                self.unsent.setdefault(seat, Heard()).shown.append(now[seat])
        if self.waits:
            self.send()

    def information_states(self) -> dict[int, str]:
        return {seat: self.spiel().information_state_string(seat) for seat in range(self.state.setting.players)}

    def spiel(self) -> Any:
        """The state of OpenSpiel that is this position."""
        setting = self.state.setting
        of = loaded(setting.game, players=setting.players)
        if self.at is None:
            self.at = Match(of.table, self.state, self.match.opening)
        state = of.new_initial_state()
        state.match = self.at
        return state

    def _at_present(self, seat: int) -> tuple[bytes, list[str]]:
        state = self.spiel()
        if seat == SPECTATOR:
            return body([spectator(state)]), []
        asked = [list(map(str, state.legal_actions(seat)))] if self.waits else []
        numbers = [repr(number) for number in state.observation_tensor(seat)]
        return body([state.observation_string(seat), numbers, asked]), []

    def copy(self, state: State | None = None) -> Played:
        copied = histories_run.copy(self, state)
        at = self.at if state is None else evolve(self.at, state=state)
        found = {name: getattr(copied, name) for name in ("match", "ledger", "looks", "tried", "sent", "unsent")}
        return Played(**found, at=at)


histories_run = histories.Run


def spectator(state: Any) -> str:
    import pyspiel

    kind = pyspiel.IIGObservationType(public_info=True, private_info=pyspiel.PrivateInfoType.NONE, perfect_recall=False)
    text: str = state.get_game().make_py_observer(kind).string_from(state, 0)
    return text


@pytest.fixture(autouse=True)
def _through_openspiel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(histories, "Run", Played)


def search(rules: Game, matches: int = 2) -> Tally:
    """As `tests.secrecy.noninterference.searched`; who is asked answers in turn, as in OpenSpiel."""
    tally, seats = Tally(), min(rules.most, max(2, rules.least) + 1)
    for number in range(matches):
        answers = Answers(f"openspiel {number}")
        run = noninterference.begun(rules, seats, None if number % 2 == 0 else f"openspiel {number}")
        base = noninterference.played(run, answers, MOMENTS, most=60, in_turn=True)
        for moment in base.moments:
            for way in WAYS:
                # As long as chance is at work nobody is shown anything new there.
                for twin in (each for each in way(moment, answers) if each.acted or each.run.waits):
                    Pair(base, moment, twin, tally).follow(5, beyond=False)
                    tally.pairs += 1
    return tally


def _matches(file: Path) -> int:
    if file.parent == paths.GAMES:
        return 1
    return 8 if IS_LONG or file == KUHN else 3


@pytest.mark.parametrize("file", HIDING, ids=lambda file: file.stem)
def test_no_player_receives_what_it_may_not_know(file: Path) -> None:
    tally = search(game(file), matches=_matches(file))
    assert tally.pairs > 10
    assert sum(tally.equal.values()) > 10, "something hidden differed, and what was received did not"


# ---------------------------------------------------------------- planted faults

Plant = Callable[[pytest.MonkeyPatch], None]


def the_view_of_a_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = lambda state, seat: evolve(view(state, REFEREE), seat=seat)  # noqa: E731
    monkeypatch.setattr(information, "view", whole)


def all_events(monkeypatch: pytest.MonkeyPatch) -> None:
    def heard(event: Event, seat: int) -> Event:
        return evolve(event, audience=None, clauses=(), rule="")

    monkeypatch.setattr(information, "heard", heard)


def what_others_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    real = information._further

    def further(known: Any, match: Match, seat: int) -> Any:
        own = None if match.action is None else Action(seat, match.action.answer)
        return real(known, evolve(match, action=own), seat)

    monkeypatch.setattr(information, "_further", further)


@pytest.mark.parametrize("plant", [the_view_of_a_referee, all_events, what_others_answered])
def test_a_leak_in_the_adapter_is_found(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(monkeypatch)
    with pytest.raises(Leak, match="learns what it may not know"):
        search(game(paths.GAMES / "foxy.rules"))
