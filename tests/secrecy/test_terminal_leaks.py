"""Leaks planted in what `rulekit run` shows people, one for each thing they can read: each is found.

As `tests.secrecy.test_leaks`, where the engine is changed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest
from attrs import evolve

from rulekit import Decision, State, Value
from rulekit.apps.play import screen as screens
from rulekit.apps.play import session
from rulekit.apps.play.screen import JsonLines, Screen
from rulekit.apps.play.session import Session
from rulekit.play.state.match_state import Outcome
from rulekit.play.view import SPECTATOR
from rulekit.record.match import Match, NoWayBack, started
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.messages import PHRASES
from rulekit.tools.tell import menu as menus
from rulekit.tools.tell import narration
from tests import paths
from tests.generators.random_matches import GAMES, game
from tests.secrecy.noninterference import Leak, Tally, searched
from tests.secrecy.terminal import TYPED, TYPED_LATER, Paper, Person, session_of
from tests.sizes import some

HIDDEN = paths.CASES / "hidden"
Plant = Callable[[pytest.MonkeyPatch], None]
PLANTS: dict[str, tuple[str, Plant]] = {}
"""By name: the game in which it is planted, and how."""


def planted(where: str) -> Callable[[Plant], Plant]:
    def note(plant: Plant) -> Plant:
        PLANTS[plant.__name__] = (where, plant)
        return plant

    return note


def search(where: str, *, drawn: bool = False) -> None:
    paths_ = {path.stem: path for path in (*GAMES, *HIDDEN.glob("*.rules"))}
    rules = game(paths_[where])
    for number in range(1 if drawn else 2):
        seats, every = min(rules.most, rules.least + 1), 9 if drawn else 3
        searched(
            rules, seats, f"terminal {number}", Tally(), chance=False, screens=True, every=every, horizon=8, drawn=drawn
        )


def lying(state: State) -> int:
    """A number that changes with where anything lies and what anybody has, in private copies too."""
    return hash((state.values, tuple(branch.values for branch in state.branches))) % 97


def replaced(monkeypatch: pytest.MonkeyPatch, where: Any, name: str, made: Callable[..., Any]) -> None:
    """`made` takes what stood there before, then its arguments."""
    real = getattr(where, name)
    monkeypatch.setattr(where, name, lambda *args, **named: made(real, *args, **named))


# ---------------------------------------------------------------- at a question


@planted("screens")
def what_the_question_mark_explains(monkeypatch: pytest.MonkeyPatch) -> None:
    def explain(real: Any, self: Session, decision: Decision) -> None:
        real(self, decision)
        self.screen.say(f"{lying(self.match.state)}")

    replaced(monkeypatch, Session, "_explain", explain)


@planted("screens")
def how_many_lines_the_question_mark_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    def explain(real: Any, self: Session, decision: Decision) -> None:
        for _ in range(1 + lying(self.match.state) % 2):
            real(self, decision)

    replaced(monkeypatch, Session, "_explain", explain)


@planted("choice")
def the_board_asked_for_with_b(monkeypatch: pytest.MonkeyPatch) -> None:
    def wish(real: Any, self: Session, text: str, decision: Decision) -> bool:
        if text == "b":
            self.screen.board(self.match.state, None, self.names)
            return True
        return bool(real(self, text, decision))

    replaced(monkeypatch, Session, "_is_wish", wish)


@planted("choice")
def the_board_before_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(real: Any, self: Session, decision: Decision) -> None:
        self.screen.board(self.match.state, None, self.names)
        real(self, decision)

    replaced(monkeypatch, Session, "_ask", ask)


@planted("screens")
def the_order_of_the_menu(monkeypatch: pytest.MonkeyPatch) -> None:
    def entries(real: Any, shown: menus.Menu) -> list[str]:
        lines: list[str] = real(shown)
        return lines[::-1] if STATE and lying(STATE[-1]) % 2 else lines

    keep_the_state(monkeypatch)
    replaced(monkeypatch, screens, "_entries", entries)


@planted("screens")
def the_labels_of_options(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_the_state(monkeypatch)
    replaced(monkeypatch, menus, "_text", lambda real, *args: f"{real(*args)} {STATE and lying(STATE[-1])}")


@planted("screens")
def the_words_of_the_prompt(monkeypatch: pytest.MonkeyPatch) -> None:
    def question(real: Any, self: Screen, who: str, decision: Decision, *more: Any) -> None:
        real(self, who, evolve(decision, prompt=f"{decision.prompt} ({STATE and lying(STATE[-1])})"), *more)

    keep_the_state(monkeypatch)
    replaced(monkeypatch, Screen, "question", question)


@planted("screens")
def the_number_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def board(real: Any, self: Screen, state: State, seat: int | None, names: Names, **more: Any) -> None:
        real(self, state, seat, names, **more)
        for _ in range(lying(state) % 3):
            self.say()

    replaced(monkeypatch, Screen, "board", board)


@planted("choice")
def spaces_at_the_ends_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    def say(real: Any, self: Screen, text: str = "", **style: str) -> None:
        real(self, text + " " * (lying(STATE[-1]) % 3 if STATE else 0), **style)

    keep_the_state(monkeypatch)
    replaced(monkeypatch, Screen, "say", say)


@planted("screens")
def the_words_against_a_slip(monkeypatch: pytest.MonkeyPatch) -> None:
    def answer(real: Any, shown: Any, text: str, tongue: Any) -> Value:
        try:
            return real(shown, text, tongue)
        except menus.NotAnAnswer as slip:
            raise menus.NotAnAnswer(f"{slip} {STATE and lying(STATE[-1])}") from None

    keep_the_state(monkeypatch)
    replaced(monkeypatch, session, "answer", answer)


@planted("screens")
def what_happened_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a seat asks for with n is told as if nobody had secrets."""

    def situation(real: Any, self: Session, decision: Decision) -> Any:
        return evolve(real(self, decision), reader=None)

    replaced(monkeypatch, Session, "_situation", situation)


@planted("choice")
def the_words_against_taking_back(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, Match, "undo", lambda real, self, seat: NoWayBack("decided", str(lying(self.state))))


STATE: list[State] = []
"""The last position of which a board was shown."""


def keep_the_state(monkeypatch: pytest.MonkeyPatch) -> None:
    def board(real: Any, self: Screen, state: State, *more: Any, **named: Any) -> None:
        STATE[:] = [state]
        real(self, state, *more, **named)

    replaced(monkeypatch, Screen, "board", board)


# ---------------------------------------------------------------- when something happens


@planted("choice")
def what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, narration, "sentence", lambda real, event, names, _: real(event, names, None))


@planted("choice")
def the_clauses_behind_what_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def clauses(real: Any, event: Any, *rest: Any) -> str:
        return f"{real(event, *rest)} {[fact.value for fact in event.facts]}"

    replaced(monkeypatch, narration, "clauses", clauses)


@planted("choice")
def that_the_screen_is_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "covered", lambda before, after: lying(after) % 2 == 1)


@planted("choice")
def lines_of_json(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, JsonLines, "decision", lambda real, self, *decided: real(JsonLines(None), *decided))


@planted("foxy")
def how_many_have_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: whoever takes something back heard of all decisions together, secret ones too."""

    def back(self: JsonLines, left: Iterable[Decision]) -> None:
        self.put("back", decisions=len(list(left)))

    monkeypatch.setattr(JsonLines, "back", back)


# ---------------------------------------------------------------- at the end


@planted("choice")
def the_board_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    def finish(real: Any, self: Session) -> None:
        if self.lines is None:
            self.screen.board(self.match.state, None, self.names)
        real(self)

    replaced(monkeypatch, Session, "_finish", finish)


@planted("choice")
def the_words_of_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    def caveats(real: Any, state: State, *more: Any) -> list[str]:
        return [*real(state, *more), str(lying(state))]

    replaced(monkeypatch, narration, "caveats", caveats)


@planted("choice")
def the_result_in_json(monkeypatch: pytest.MonkeyPatch) -> None:
    def outcome(real: Any, self: JsonLines, state: State, end: Outcome, **facts: Any) -> None:
        real(self, state, end, lying=lying(state), **facts)

    replaced(monkeypatch, JsonLines, "outcome", outcome)


# ---------------------------------------------------------------- people at one screen


@planted("screens")
def a_screen_that_is_not_wiped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.secrecy.terminal.PlainTerminal.clear", lambda self: None)


@planted("screens")
def secrets_that_nobody_thinks_of(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "_has_secrets", lambda self, seat: False)


@planted("screens")
def what_was_shown_to_one_before_all_look_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: two who had no secrets any more found what one had seen alone."""

    def hand_over(real: Any, self: Session, seat: int, *more: Any, **named: Any) -> None:
        clear, self.screen.clear = self.screen.clear, lambda: None
        real(self, seat, *more, **named)
        self.screen.clear = clear
        if not self.together:
            clear()

    replaced(monkeypatch, Session, "_hand_over", hand_over)


@planted("screens")
def what_is_told_to_one_of_several(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: what happened was told as the last one asked may hear it, whoever looked on."""
    reader = property(lambda self: SPECTATOR if self.current is None else self.current)
    monkeypatch.setattr(Session, "reader", reader)


@planted("choice")
def what_others_were_told_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    replaced(monkeypatch, Screen, "tell", lambda real, self, events, names, _: real(self, events, names, None))


@planted("choice")
def what_the_last_one_saw_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """As it was: at the end several people looked together at a screen that nobody had wiped."""
    monkeypatch.setattr(Session, "_gather", lambda self: setattr(self, "together", True))


# ---------------------------------------------------------------- found, and only then


@pytest.mark.parametrize("plant", some(list(PLANTS), 4))
def test_a_leak_planted_in_a_session_is_found(plant: str, monkeypatch: pytest.MonkeyPatch) -> None:
    where, how = PLANTS[plant]
    STATE.clear()
    how(monkeypatch)
    with pytest.raises(Leak, match="may not know"):
        search(where)


@pytest.mark.parametrize(
    "where", some(sorted({where for where, _ in PLANTS.values()} - {path.stem for path in GAMES}), 2)
)
def test_where_nothing_is_planted_nothing_is_found(where: str) -> None:
    """In the games that ship, `tests.secrecy.test_hidden` finds nothing."""
    search(where)


def test_on_a_terminal_with_tables_and_colours_nothing_is_found_either() -> None:
    search("screens", drawn=True)


def test_all_that_can_be_typed_is_typed() -> None:
    """The line below each question names the keys; a new one belongs into `TYPED`."""
    assert PHRASES["keys"].text == "(u takes back, b shows the board, ? explains, q quits)"
    assert PHRASES["shortened"].text == "Shortened: n tells all that happened, b shows the whole board."
    assert {"u", "b", "n", "?"} < {*TYPED, *TYPED_LATER}


def test_who_quits_is_shown_the_seed_and_nothing_else() -> None:
    paper = Paper()
    at = session_of(started(game(HIDDEN / "choice.rules"), seats=2, seed="seed"), frozenset([0]), paper)
    with Person(paper, "q").typing():
        at.run()
    assert paper.getvalue().partition(">\n")[2] == "Stopped after 0 decisions.\nSeed: seed; 0 decisions.\n"
