"""Leaks planted in what seats are sent: each makes pages tell something that their seat may not know."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.listeners import Listeners
from rulekit.hosting.seat_page import Refused
from rulekit.hosting.table import Table
from rulekit.play.state.match_state import State
from rulekit.play.view import REFEREE
from rulekit.tools.language.lazy_message import Message
from rulekit.web import seat_content
from rulekit.web.seats import Seats
from rulekit.web.streams import Streams

Plant = Callable[[pytest.MonkeyPatch], None]
Values = dict[str, Any]
PLANTS: list[Plant] = []


def planted(plant: Plant) -> Plant:
    PLANTS.append(plant)
    return plant


def hidden(state: State) -> int:
    """A number that depends on all that is hidden."""
    return sum(place * len(str(value)) + sum(map(ord, str(value))) for place, value in enumerate(state.values))


def covered(state: State) -> int:
    """The thing that lies uppermost in the first pile, which nobody may see."""
    return int(state.values[state.setting.pile_slots[0]][0])


def content_with(monkeypatch: pytest.MonkeyPatch, change: Callable[[Table, int, Values], Values]) -> None:
    """What the page of a seat says is changed as its table stands."""
    real = seat_content.content

    def content(table: Table, page: Any, *more: Any) -> Values:
        values = real(table, page, *more)
        return values | change(table, page.seat, values)

    monkeypatch.setattr(seat_content, "content", content)


# ---------------------------------------------------------------- on the page


@planted
def a_notice_when_anybody_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stream says that something is new when one of several has decided in secret: how many have, and when."""
    real, calls = Streams._looks, count()
    monkeypatch.setattr(Listeners, "_has_changed", lambda self, table, seat: True)
    monkeypatch.setattr(
        Streams,
        "_looks",
        lambda self, places: {place: f"{look} {next(calls)}" for place, look in real(self, places).items()},
    )


@planted
def a_picture_for_a_referee(monkeypatch: pytest.MonkeyPatch) -> None:
    real = seat_content.drawn
    monkeypatch.setattr(seat_content, "drawn", lambda state, seat, *more, **named: real(state, REFEREE, *more, **named))


@planted
def a_refusal_that_tells_more(monkeypatch: pytest.MonkeyPatch) -> None:
    stale = Table._unanswerable

    def unanswerable(self: Table, seat: int, number: int, question: Any) -> Refused | None:
        refused = stale(self, seat, number, question)
        return refused and Refused(refused.code, Message("back-decided", player=str(hidden(self.state))))

    monkeypatch.setattr(Table, "_unanswerable", unanswerable)


@planted
def how_many_have_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(table: Table, seat: int, values: Values) -> Values:
        return {"undone": [f"{len(table.match.history)} answers"]}

    content_with(monkeypatch, counted)


@planted
def how_often_all_have_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "number", lambda self, seat: len(self.rows))


@planted
def an_option_of_another(monkeypatch: pytest.MonkeyPatch) -> None:
    def offered(table: Table, seat: int, values: Values) -> Values:
        return {"undone": [str(one.options) for one in table.match.decisions() if one.seat != seat]}

    content_with(monkeypatch, offered)


@planted
def a_card_in_the_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """What lies face down has its name in a text that is read out."""

    def drawn(table: Table, seat: int, values: Values) -> Values:
        name = table.state.setting.ref(covered(table.state))
        return {"pictures": [(kind, f"{text}<title>{name}</title>") for kind, text in values["pictures"]]}

    content_with(monkeypatch, drawn)


@planted
def the_number_of_a_copy_in_an_id(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cards that look alike have ids of their own: who saw one of them would know it again."""

    def marked(table: Table, seat: int, values: Values) -> Values:
        mark = f'<svg id="thing-{covered(table.state)}"'
        return {"pictures": [(kind, text.replace("<svg", mark, 1)) for kind, text in values["pictures"]]}

    content_with(monkeypatch, marked)


@planted
def a_card_in_the_title(monkeypatch: pytest.MonkeyPatch) -> None:
    def titled(table: Table, seat: int, values: Values) -> Values:
        return {"title": f"{values['title']} {table.state.setting.row_of[covered(table.state)]}"}

    content_with(monkeypatch, titled)


@planted
def the_order_of_players(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those stand first whose values are large."""

    def sorted_(table: Table, seat: int, values: Values) -> Values:
        return {"seats": values["seats"][:: 1 if hidden(table.state) % 2 else -1]}

    content_with(monkeypatch, sorted_)


@planted
def spaces_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the length of the page tells."""
    content_with(monkeypatch, lambda table, seat, values: {"who": values["who"] + " " * (hidden(table.state) % 5)})


@planted
def whether_others_may_take_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def said(table: Table, seat: int, values: Values) -> Values:
        return {"undo": " ".join(str(table.why_no_undo(one)) for one in sorted(table.people))}

    content_with(monkeypatch, said)


# ---------------------------------------------------------------- beside it


@planted
def a_digest_of_the_whole_position(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "look", lambda self, seat: (self.state.values,))


@planted
def a_header(monkeypatch: pytest.MonkeyPatch) -> None:
    answered_with(monkeypatch, lambda answer, number: answer.headers.append("etag", str(number)))


@planted
def the_order_of_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    answered_with(monkeypatch, lambda answer, number: answer.raw_headers.sort(reverse=bool(number % 2)))


@planted
def a_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(answer: Any, number: int) -> None:
        answer.status_code = 200 + number % 2

    answered_with(monkeypatch, told)


def answered_with(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any, int], None]) -> None:
    real = Seats._table

    async def table(self: Seats, request: Any, place: Any, *more: Any) -> Any:
        answer = await real(self, request, place, *more)
        change(answer, hidden(self.host.table(place.match).state))
        return answer

    monkeypatch.setattr(Seats, "_table", table)


@planted
def what_happened_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Seats._told

    def told(self: Seats, place: Any, *more: Any) -> Values:
        history = self.host.table(place.match).match.history
        events = [str(event) for past in history for event in past.events]
        return real(self, place, *more) | {"news": [seat_content.Told(" ".join(events), ())]}

    monkeypatch.setattr(Seats, "_told", told)


@planted
def the_story_as_a_referee_hears_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its sentences keep what is hidden once more, each for its seat: only the clauses beside them tell."""
    real = Table.story
    monkeypatch.setattr(Table, "story", lambda self, seat: real(self, REFEREE))


@planted
def a_trial_that_knows_how_many_have_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    def trial(self: Host, match: str, seat: int) -> Refused:
        return Refused("no-trial", Message("back-decided", player=str(len(self.table(match).match.history))))

    monkeypatch.setattr(Host, "trial", trial)


@planted
def positions_at_which_others_decided_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Table, "_moments", lambda self, seat: list(range(len(self.match.history) + 1)))


@planted
def the_order_on_a_shared_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Seats._people

    def people(self: Seats, tokens: str) -> Any:
        found = real(self, tokens) or []
        return found[:: 1 if hidden(self.host.table("match").state) % 2 else -1]

    monkeypatch.setattr(Seats, "_people", people)


@planted
def the_first_words_of_a_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Streams._stream

    async def stream(self: Streams, request: Any, seats: Any) -> Any:
        place = next(iter(seats))
        async for part in real(self, request, seats):
            yield part.replace("2000", str(2000 + hidden(self.host.table(place.match).state)))

    monkeypatch.setattr(Streams, "_stream", stream)


@planted
def the_words_of_news(monkeypatch: pytest.MonkeyPatch) -> None:
    """News tell a seat by how many answers of others the position came about."""
    real_looks, real_change = Streams._looks, Listeners._has_changed

    def looks(self: Streams, places: Any) -> Any:
        return {
            place: f"{look}{len(self.host.table(place.match).rows)}" for place, look in real_looks(self, places).items()
        }

    def has_changed(self: Listeners, table: Table, seat: int) -> bool:
        return real_change(self, table, seat) or len(table.rows) % 2 == 0

    monkeypatch.setattr(Streams, "_looks", looks)
    monkeypatch.setattr(Listeners, "_has_changed", has_changed)
