"""Leaks planted in the engine, one for each way by which something could reach a seat: each is found within seconds.

Mutation testing of `tests.secrecy.noninterference`.  Where nothing is planted, the same search finds nothing.
What is shown at a terminal is in `tests.secrecy.test_terminal_leaks`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest
from attrs import evolve

from rulekit import Decision, Game, IllegalAction, State, Value, notation
from rulekit.loading import examine_text
from rulekit.play import engine
from rulekit.play import view as views
from rulekit.play.interpreter import answering, decision_options, fork_join
from rulekit.play.machine.provenance import Trail
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning import state_changes
from rulekit.play.state.event import Reason, Reasons, Told
from rulekit.play.tracing import flow, reasons, values
from rulekit.play.view import Seen
from rulekit.record.match import Match, NoWayBack
from rulekit.source import Source
from tests import paths
from tests.generators.random_matches import GAMES, game
from tests.secrecy import received
from tests.secrecy.noninterference import Leak, Tally, searched

SECONDS = 10
SHORT = ("choice", "clauses")
TEXTS = paths.CASES / "hidden"
Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: dict[str, tuple[str, Plant]] = {}
"""By name: the game in which it is planted, and how."""


def planted(where: str) -> Callable[[Plant], Plant]:
    def note(plant: Plant) -> Plant:
        PLANTS[plant.__name__] = (where, plant)
        return plant

    return note


def rules_of(where: str) -> Game:
    paths = {path.stem: path for path in (*GAMES, *TEXTS.glob("*.rules"))}
    return game(paths[where])


def search(rules: Game, *, short: bool = False) -> None:
    """A few matches, of a short game more."""
    for number in range(8 if short else 2):
        chance = number % 2 == 0
        seats, every = min(rules.most, rules.least + 1), 3 if short else 6
        searched(rules, seats, f"leak {number}", Tally(), chance=chance, every=every, horizon=6)


# ---------------------------------------------------------------- by looking


@planted("hornochsen")
def the_hands_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "_things", lambda m, _, slot, __: tuple(m.setting.ref(t) for t in m.values[slot]))


@planted("foxy")
def the_values_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    real = views._seen

    def seen(m: Machine, slot: int, seat: int) -> Seen:
        found = real(m, slot, seat)
        return evolve(found, shown=str(m.values[slot])) if found.hidden else found

    monkeypatch.setattr(views, "_seen", seen)


def beside(monkeypatch: pytest.MonkeyPatch, what: Callable[[State], Any]) -> None:
    """Something stands in every view beside what belongs there."""
    real = received.view

    def view(state: State, seat: int) -> Any:
        found = real(state, seat)
        return evolve(found, options=(*found.options, ("beside", what(state))))

    monkeypatch.setattr(received, "view", view)


def first_pile(state: State) -> Any:
    return state.values[state.setting.pile_slots[0]]


@planted("foxy")
def how_it_all_lay_at_first(monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, lambda state: tuple(state.setting.ref(thing) for thing in first_pile(state)))


@planted("foxy")
def the_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, lambda state: str(state.setting.seed))


@planted("foxy")
def how_often_was_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, lambda state: sum(count for _, count in state.streams))


@planted("hornochsen")
def how_long_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, lambda state: state.steps)


@planted("foxy")
def numbers_on_the_backs_of_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, first_pile)


@planted("piles")
def the_order_of_a_shuffled_pile(monkeypatch: pytest.MonkeyPatch) -> None:
    real = views._things

    def things(m: Machine, variable: Any, slot: int, seat: int) -> Value:
        known, m.known = m.known, {}
        found = real(m, variable, slot, seat)
        m.known = known
        return found

    monkeypatch.setattr(views, "_things", things)


@planted("blocks")
def a_spectator_at_a_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    real = received.view
    monkeypatch.setattr(received, "view", lambda state, seat: real(state, max(seat, 0)))


# ---------------------------------------------------------------- by who is asked what


@planted("foxy")
def who_has_answered_half(monkeypatch: pytest.MonkeyPatch) -> None:
    real = received.view

    def view(state: State, seat: int) -> Any:
        begun = {branch.seat for branch in state.branches if branch.events}
        found = real(state, seat)
        return evolve(found, waiting=tuple(seat for seat in found.waiting if seat not in begun))

    monkeypatch.setattr(received, "view", view)


@planted("choice")
def who_has_a_choice_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    real = decision_options._put

    def put(m: Machine, frame: Any, op: Any, seat: int, options: Any, least: int = 1, most: int = 1) -> bool:
        if decision_options._settled(op, options, least, most):
            answering.take(m, frame, op, seat, decision_options._only_answer(op, options, most), asked=False)
            return False
        return real(m, frame, op, seat, options, least, most)

    monkeypatch.setattr(decision_options, "_put", put)


@planted("fuzzy_tiger")
def the_order_of_options(monkeypatch: pytest.MonkeyPatch) -> None:
    real = engine._offered

    def offered(m: Machine, question: Any, options: Any) -> tuple[Value, ...]:
        found = real(m, question, options)
        lying = sum(
            (slot + 1) * place * thing for slot in m.setting.pile_slots for place, thing in enumerate(m.values[slot])
        )
        return found[::-1] if lying % 2 else found

    monkeypatch.setattr(engine, "_offered", offered)


@planted("hornochsen")
def the_words_of_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    real = engine._decision

    def decision(state: State, *asked: Any) -> Decision:
        found = real(state, *asked)
        return evolve(found, prompt=f"{found.prompt} ({sum(hash(value) for value in state.values)})")

    monkeypatch.setattr(engine, "_decision", decision)


@planted("fuzzy_tiger")
def the_words_of_a_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(state: State, action: Any) -> IllegalAction:
        done = [branch.values for branch in state.branches if branch.done]
        return IllegalAction("not-asked", f"wait for the others, who have {done}")

    monkeypatch.setattr(engine, "_not_asked", refuse)


@planted("foxy")
def the_reason_against_an_undo(monkeypatch: pytest.MonkeyPatch) -> None:
    def reason(self: Match, seat: int, index: int) -> NoWayBack | None:
        return NoWayBack("others") if self.history[index + 1 :] else None

    monkeypatch.setattr(Match, "why_not_back", reason)


# ---------------------------------------------------------------- by what is told


@planted("hornochsen")
def what_is_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_changes, "_knowers", lambda *_, **__: None)


@planted("foxy")
def what_was_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    real = answering._tell

    def tell(m: Machine, op: Any, *answered: Any) -> None:
        branch, m.branch = m.branch, None
        real(m, evolve(op, secretly=False), *answered)
        m.branch = branch

    monkeypatch.setattr(answering, "_tell", tell)


@planted("blocks")
def the_order_of_effects(monkeypatch: pytest.MonkeyPatch) -> None:
    real = fork_join.merge_if_done

    def merge(m: Machine) -> None:
        if all(branch.done for branch in m.branches):
            m.branches.sort(key=lambda branch: [str(event.get("answer")) for event in branch.events])
        real(m)

    monkeypatch.setattr(fork_join, "merge_if_done", merge)


@planted("hornochsen")
def the_number_of_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    real = state_changes._tell_move

    def tell(m: Machine, word: str, moved: list[int], *more: Any) -> None:
        for _ in range(1 + moved[0] % 2):
            real(m, word, moved, *more)

    monkeypatch.setattr(state_changes, "_tell_move", tell)


@planted("hornochsen")
def the_size_of_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Machine.emit

    def emit(self: Machine, name: str, facts: list[Told], audience: Any = None, clauses: Any = None) -> None:
        blank = [evolve(fact, instead="*" * len(notation(fact.value))) for fact in facts]
        real(self, name, blank, audience, clauses)

    monkeypatch.setattr(Machine, "emit", emit)


@planted("clauses")
def the_clauses_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    real = reasons._reasons
    monkeypatch.setattr(reasons, "_reasons", lambda m, line: evolve(real(m, line), line=None))


@planted("clauses")
def the_clauses_that_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    real = reasons._reasons

    def told(m: Machine, line: tuple[str, ...]) -> Reasons:
        found = real(m, line)
        return evolve(found, decided=tuple(Reason(each.clause) for each in found.decided))

    monkeypatch.setattr(reasons, "_reasons", told)


@planted("clauses")
def what_a_condition_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if nobody minded what decided which half of an `or` or which branch it was."""
    monkeypatch.setattr(values, "knowing", lambda m, slot: None)


@planted("clauses")
def what_was_answered_in_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flow, "_answerer", lambda m, op: None)


@planted("clauses")
def what_was_read_before_a_name_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    real = values._bring

    def bring(m: Machine, trail: Trail | None, value: Any) -> None:
        before = values.here(m).read
        real(m, trail, value)
        values.here(m).read = before

    monkeypatch.setattr(values, "_bring", bring)


# ---------------------------------------------------------------- by the rules themselves


RULES = """game "Rules"
    players 3
cards deck of card
    | card |
    | 1..9 |
pile stock of card starts deck, seen by nobody
each player has
    counter secret 0..9, seen by owner
    pile hand of card, seen by owner
setup
    shuffle stock
    each player: deal 2 from stock to player.hand
play
    each round in 1..3
        secretly each player
            player chooses number from 0..3
            set player.secret to number
{rule}
result: rank players
"""
RULE = {
    "who is asked": "        each p in players by secret\n            p always chooses n from 1..1",
    "whether anybody is asked": "        if any (players whose secret above 2): starter always chooses n from 1..1",
    "what is offered": "        starter chooses n from 0..sum of secret over players",
    "how it ends": "        if any (players whose secret is 3): end game",
}

ROLLED = """game "A roll that decides what is offered"
    players 2
die cube: 1..3
play
    each player
        roll face from cube
        player always chooses n from 1..face "How many?"
result: rank players
"""


def ruled(rule: str) -> Game:
    return loaded_text(RULES.format(rule=rule))


def loaded_text(text: str) -> Game:
    loaded = examine_text(Source("rules.rules", text))
    assert loaded.game is not None, loaded.findings
    return loaded.game


# ---------------------------------------------------------------- found, and only then


@pytest.mark.parametrize("plant", PLANTS)
def test_a_leak_planted_in_the_engine_is_found(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, how = PLANTS[plant]
    rules, began = rules_of(where), time.process_time()
    how(monkeypatch)
    with pytest.raises(Leak, match="may not know"):
        search(rules, short=where in SHORT)
    assert time.process_time() - began < SECONDS


@pytest.mark.parametrize("kind", RULE)
def test_a_leak_written_into_rules_is_found(kind: str) -> None:
    with pytest.raises(Leak, match="may not know"):
        search(ruled(RULE[kind]), short=True)


@pytest.mark.parametrize("where", sorted({where for where, _ in PLANTS.values()}))
def test_where_nothing_is_planted_nothing_is_found(where: str) -> None:
    search(rules_of(where), short=where in SHORT)


def test_rules_that_show_nothing_pass() -> None:
    search(ruled("        deal 1 from stock to starter.hand"), short=True)


def test_a_roll_in_force_is_known_to_all() -> None:
    tally = Tally()
    searched(loaded_text(ROLLED), 2, "roll", tally, every=1, horizon=2)
    assert tally.ways["otherwise"]


def test_what_is_not_shown_though_it_is_public_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    real = views._seen
    monkeypatch.setattr(views, "_seen", lambda m, slot, seat: evolve(real(m, slot, seat), shown=None, count=None))
    with pytest.raises(Leak, match="not shown what it may know"):
        search(rules_of("fuzzy_tiger"))


def test_anything_but_data_in_what_a_seat_receives_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    beside(monkeypatch, lambda state: state.setting.path)
    with pytest.raises(TypeError, match="is no data"):
        search(rules_of("foxy"))
