"""What a seat's page says: plain values made of its `SeatPage`, for a template."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from rulekit.hosting.seat_page import Moment, SeatPage
from rulekit.hosting.table import Table
from rulekit.model.game import Game
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Decision, State
from rulekit.play.state.value import Ref
from rulekit.play.view import SPECTATOR, Seen
from rulekit.record.log import HUMAN
from rulekit.tools.drawing.card_making import about, as_printed
from rulekit.tools.drawing.drawing import drawings
from rulekit.tools.drawing.marks import Control
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import Tongue
from rulekit.tools.tell import narration
from rulekit.tools.tell.clause_text import clause_words
from rulekit.tools.tell.menu import Entry, asked, menu
from rulekit.values import frozen

WIDTHS = {"wide": 960, "narrow": 366}
"""Pixels of the drawings of a page: of both, its style shows the one that fits."""


@frozen
class Told:
    """A sentence of the story, with the clauses that say why: id and words of each."""

    words: str
    clauses: tuple[tuple[str, str], ...]


@frozen
class Question:
    """What a seat is asked.

    options: of each its place in the decision, its words and what may be said of it besides: cards as they are printed,
             other things as they are asked.
    least, most: how many of them make an answer.
    """

    number: int
    prompt: str
    clauses: tuple[tuple[str, str], ...]
    options: tuple[tuple[int, str, str], ...]
    several: bool
    least: int
    most: int


def content(table: Table, page: SeatPage, names: Names, width: str = "") -> dict[str, Any]:
    """What the template of a seat's page names.  width: of the only drawing that is wanted; "" for all."""
    state, tongue = table.state, names.tongue
    called = [names.seat(seat) for seat in page.seats]
    question = None if page.question is None else question_of(page.number, page.question, names, page.view.values)
    return {
        "title": tongue.text("title", page.title),
        "look": table.looked(page.seat),
        "you": tongue.say("own-seat"),
        "who": "" if page.seat == SPECTATOR else called[page.seat],
        "seats": [(name, _sitting(kind, tongue)) for name, kind in zip(called, page.players, strict=True)],
        "question": question,
        "waiting": [called[seat] for seat in page.waiting if seat != page.seat],
        "thinking": any(page.players[seat] != HUMAN for seat in page.waiting),
        "news": told(page.events, table.game, names, page.seat),
        "undone": [called[one.seat] for one in page.undone],
        "result": [] if page.outcome is None else narration.result(page.outcome, names),
        "pictures": drawn(state, page.seat, names, question, width, table.before(page.seat)),
        "undo": page.undo and page.undo.by(tongue),
        "moments": page.moments,
        "rules": page.rules,
        "editions": page.editions,
        "fault": page.fault and page.fault.by(tongue),
    }


def of_moment(moment: Moment, state: State, since: State | None, seat: int, names: Names) -> dict[str, Any]:
    """The same of an earlier position, at which nothing can be answered; since: the one before it, if any."""
    return {
        "title": names.tongue.text("title", state.setting.game.title),
        "moment": moment,
        "news": told(moment.events, state.setting.game, names, seat),
        "pictures": drawn(state, seat, names, None, since=since),
    }


def of_trial(moment: Moment, state: State, seat: int, names: Names) -> dict[str, Any]:
    """The same of a copy in which moves are tried."""
    offered, seen = moment.question, moment.view.values
    question = None if offered is None else question_of(moment.number, offered, names, seen)
    end = moment.view.outcome
    return {
        "title": names.tongue.text("title", state.setting.game.title),
        "question": question,
        "tried": moment.number,
        "news": told(moment.events, state.setting.game, names, seat),
        "result": [] if end is None else narration.result(end, names),
        "pictures": drawn(state, seat, names, question),
    }


def told(events: Iterable[Event], game: Game, names: Names, seat: int) -> tuple[Told, ...]:
    """Events in sentences, as a seat may hear them."""
    found: list[Told] = []
    for event in narration.spoken_of(events):
        words = narration.sentence(event, names, seat)
        if words:
            found.append(Told(words, _words(narration.nearest(event), game, names.tongue)))
    return tuple(found)


def _words(ids: Sequence[str], game: Game, tongue: Tongue) -> tuple[tuple[str, str], ...]:
    return tuple((id_, clause_words(game, id_, tongue)) for id_ in ids if id_ in game.clauses)


def question_of(number: int, decision: Decision, names: Names, seen: Sequence[Seen]) -> Question:
    """A decision as the form of a page asks it.  number: of the question; seen: what the seat sees, slot by slot."""
    tongue, game = names.tongue, names.setting.game
    prompt = names.filled(tongue.words("prompt", decision.prompt), decision.values) or tongue.say(
        "choose", what=asked(decision, tongue)
    )
    shown = menu(decision, names)
    clauses = _words(decision.clauses, game, tongue)
    options = tuple(
        (at, _called(shown.entries[at], names), about(decision.options[at], names, seen))
        for at in as_printed(decision.options, names)
    )
    return Question(number, prompt, clauses, options, decision.several, decision.least, decision.most)


def _called(entry: Entry, names: Names) -> str:
    """An option with its number, as it is printed on the thing too."""
    words, value = entry.text or entry.key, entry.value
    is_numbered = isinstance(value, Ref) and value.key.isdigit() and not names.is_renamed(value)
    if isinstance(value, Ref) and is_numbered and value.key not in words.split():
        return f"{value.key} {words}"
    return words


def _sitting(kind: str, tongue: Tongue) -> str:
    """Which bot sits at a seat; "" for a person."""
    return "" if kind == HUMAN else narration.who_sits(kind, tongue)


def drawn(
    state: State,
    seat: int,
    names: Names,
    question: Question | None,
    only: str = "",
    since: State | None = None,
) -> list[tuple[str, str]]:
    """The pictures by the kind of page that they are for, which is "" if there is one alone.

    What may be chosen is a part of the page's form; what is otherwise than at `since` is marked.
    """
    used = control(question)
    kinds = {"": WIDTHS[only]} if only else WIDTHS
    made = drawings(state, seat, tuple(kinds.values()), names, since, used)
    found = [(kind, one.inline) for kind, one in zip(kinds, made, strict=True)]
    # An id stands once on a page.
    return [
        (kind, text if not at else text.replace(' id="choice-', ' data-choice="'))
        for at, (kind, text) in enumerate(found)
    ]


def control(question: Question | None) -> Callable[[int], Control] | None:
    """What in a picture stands for each option, in the page's form `answer`; None where nothing is asked."""
    if question is None:
        return None
    if question.several:
        return lambda option: Control("label", {"for": f"option-{option}"})
    return lambda option: Control(
        "button", {"name": "choice", "value": str(option), "form": "answer", "type": "submit"}
    )
