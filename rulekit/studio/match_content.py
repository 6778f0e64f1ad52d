"""What the page shows of the match: plain values for a template, as seen from a seat, now or at an earlier decision."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rulekit.hosting.table import Table
from rulekit.play import engine
from rulekit.play.state.event import Event, seen
from rulekit.play.state.match_state import State
from rulekit.play.state.value import Ref
from rulekit.play.view import REFEREE, view
from rulekit.studio.arranging import NOWHERE_KEY, Arranging, slot_paths
from rulekit.studio.line_trace import LineTrace, Told
from rulekit.studio.played_match import Kept, PlayedMatch, asked_person, seat_shown
from rulekit.tools.drawing.drawing import drawing
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell import narration
from rulekit.tools.tell.clause_text import clause_words
from rulekit.values import frozen
from rulekit.web.seat_content import Question, control, question_of

EVERYTHING = "everything"
SHOWN = 60
"""So many of the last sentences of the story are shown."""
HALF = 440
"""Pixels of each of two drawings side by side."""


@frozen
class Looking:
    """From where somebody looks.  seat: as of `seat_shown`; at: before which decision, None for now; width: pixels."""

    seat: str = ""
    at: int | None = None
    width: int = 640


@frozen
class Line:
    """A sentence of the story, the lines that led to it, and the clauses that say why, each with its words.

    about: what it happened to, by the keys of a drawing; a card by its own alone.
    """

    words: str
    lines: tuple[int, ...]
    about: tuple[str, ...]
    clauses: tuple[tuple[str, str], ...]


def content(match: PlayedMatch, looking: Looking, trace: LineTrace | None, tongue: Tongue = SOURCE) -> dict[str, Any]:
    """What the template of the match names."""
    table = match.table
    if table is None:
        return {"match": None, "why": match.why}
    with table.lock:
        length = len(table.match.history)
        place = length if looking.at is None else max(0, min(looking.at, length))
        state, seat = table.position(place), seat_shown(table, looking.seat)
        names = Names(state.setting, tongue)
        question = _question(table, seat, names, state) if place == length else None
        drawn = drawing(state, seat, looking.width, control=control(question), tongue=tongue, handle=_key)
        end = engine.outcome(state)
        return {
            "match": table.header,
            "seats": state.setting.seats[: state.setting.players],
            "seen_by": EVERYTHING if seat == REFEREE else state.setting.seats[seat],
            "wanted": looking.seat,
            "place": place,
            "length": length,
            "question": question,
            "asked": state.setting.seats[asked_seat(table, seat)] if question else "",
            "seat": seat,
            "waiting": [state.setting.seats[one.seat] for one in table.match.decisions() if one.seat >= 0],
            "picture": drawn.inline,
            "result": [] if end is None else narration.result(end, names),
            "story": list(_story(trace, state, seat, place, tongue)),
            "fault": table.fault,
            "kept": None if match.kept is None else _parting(match.kept, seat, tongue),
        }


def _key(key: str) -> dict[str, object]:
    return {"data_key": key}


def _grip(key: str) -> dict[str, object]:
    """What can be pressed, from the keyboard too."""
    return {"data_key": key, "role": "button", "tabindex": 0}


def arranged_content(of: Arranging, looking: Looking, tongue: Tongue) -> dict[str, Any]:
    """What the template of a position that is arranged by hand names."""
    names = Names(of.state.setting, tongue)
    return {
        "picture": drawing(of.state, REFEREE, looking.width, tongue=tongue, handle=_grip).inline,
        "choices": of.choices(names),
        "nowhere": NOWHERE_KEY,
        "changed": len(of.steps) > 1,
    }


def _question(table: Table, seat: int, names: Names, state: State) -> Question | None:
    asked = asked_person(table)
    if asked is None or seat not in (asked.seat, REFEREE):
        asked = next((one for one in table.match.decisions() if one.seat == seat), None)
    if asked is None:
        return None
    return question_of(table.number(asked.seat), asked, names, view(state, seat).values)


def asked_seat(table: Table, seat: int) -> int:
    """Whose question is shown to who looks from a seat."""
    asked = asked_person(table)
    return seat if asked is None or seat != REFEREE else asked.seat


def _story(trace: LineTrace | None, state: State, seat: int, place: int, tongue: Tongue) -> Iterator[Line]:
    """The last sentences up to a decision."""
    told = [] if trace is None else [one for one in trace.events if one.decision <= place]
    found, paths = list[Line](), slot_paths(state)
    for one in reversed(told):
        line = _line(one, state, seat, tongue, paths)
        if line is not None:
            found.append(line)
        if len(found) == SHOWN:
            break
    yield from reversed(found)


def _line(told: Told, state: State, seat: int, tongue: Tongue, paths: Sequence[str]) -> Line | None:
    event = told.event if seat == REFEREE else seen(told.event, seat)
    if event is None or event.name == "ready" or event.get("asked") is False:
        return None
    words = narration.sentence(event, Names(state.setting, tongue), None if seat == REFEREE else seat)
    game = state.setting.game
    clauses = tuple((id_, clause_words(game, id_, tongue)) for id_ in narration.nearest(event) if id_ in game.clauses)
    return Line(words, told.lines, tuple(_about(event, state, paths)), clauses) if words else None


def _about(event: Event, state: State, paths: Sequence[str]) -> Iterator[str]:
    """The keys of what an event tells of."""
    setting = state.setting
    pieces = {setting.ref(piece): paths[slot] for piece, slot in setting.piece_slot.items()}
    for fact in event.facts:
        if fact.name == "what" and isinstance(fact.value, str) and fact.value in setting.paths:
            yield f"value {fact.value}"
        for one in fact.value if isinstance(fact.value, tuple) else (fact.value,):
            if isinstance(one, Ref):
                yield f"piece {pieces[one]}" if one in pieces else f"card {one.key}"


def _parting(kept: Kept, seat: int, tongue: Tongue) -> dict[str, Any]:
    """Where match and rules part, with both boards."""
    boards = [
        (words, drawing(state, seat, HALF, tongue=tongue).inline)
        for words, state in (("kept", kept.here), ("now", kept.there))
        if state is not None
    ]
    return {
        "decision": kept.parted.decision,
        "reason": in_words(kept.parted.reason, tongue),
        "clauses": kept.parted.clauses,
        "boards": boards,
    }
