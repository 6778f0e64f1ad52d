"""Every event that there is, with what it tells: the table from which the reference is made, and which tests hold.

An event of one name may come in several forms, as a `move` of a piece and
one of cards do.
"""

from __future__ import annotations

from rulekit.values import frozen


@frozen
class Fact:
    """One fact: its name, what kind of value it is (see `KINDS`), and what that is here.

    instead:  what those are told who may not know it; "" if everybody who hears of the event may.
    """

    name: str
    kind: str
    text: str = ""
    instead: str = ""


@frozen
class EventForm:
    """An event: its name, when it happens, and its facts in their order.

    heard:  by whom, where not everybody hears of it.
    more:   a fact that may follow any number of times, each under a name that begins with this one.
    """

    name: str
    when: str
    facts: tuple[Fact, ...] = ()
    heard: str = ""
    more: Fact | None = None


KINDS = {
    "player": "the `Ref` of a seat",
    "players": "a tuple of these",
    "piece": "the `Ref` of a piece",
    "thing": "the `Ref` of a card, word or other member",
    "things": "a tuple of such",
    "space": "a number on a track, the `Ref` of a space or cell elsewhere, None off the board",
    "path": "a path as in a view, such as `red.hand`",
    "text": "a text",
    "number": "a number",
    "flag": "True or False",
    "value": "any value",
}
"""What kinds of values facts are."""

_HOW_MANY = "how many"
_ALONE = "inside `secretly each` by its player alone"
_JOURNEY = (Fact("piece", "piece"), Fact("from", "space"), Fact("to", "space"))
_CARDS = (
    Fact("things", "things", "in the order in which they went", _HOW_MANY),
    Fact("count", "number", "how many"),
    Fact("from", "path", "None from outside the game or from several piles"),
    Fact("to", "path"),
)
_CHANCE = (
    Fact("what", "text", "the name that the rule gives it"),
    Fact("drawn", "value", "a tuple, in its order", _HOW_MANY),
    Fact("from", "text", "the pile, the die, or what else it was drawn from"),
)

EVENTS = (
    EventForm("travel", "a piece goes along a track, a course or over a grid, a step or a journey", _JOURNEY),
    EventForm("move", "a piece is put on another space", _JOURNEY),
    EventForm("move", "things come to a pile", _CARDS, "by whoever sees the pile, where they stay in it"),
    EventForm(
        "move", "things come onto a pile or under it", (*_CARDS, Fact("end", "text", "`top` or `bottom`")),
        "by whoever sees the pile, where they stay in it",
    ),
    EventForm("push", "a piece is pushed on", _JOURNEY),
    EventForm("swap", "a piece changes places with another, which has an event of its own", _JOURNEY),
    EventForm("shift", "a piece moves together with others as they stand", _JOURNEY),
    EventForm("compact", "a piece slides to the end of its line, as all of its set do", _JOURNEY),
    EventForm("place", "a piece that stood nowhere is put on a grid", _JOURNEY),
    EventForm("remove", "a piece leaves the game", (Fact("things", "things", "the piece alone"),)),
    EventForm(
        "remove", "a thing leaves the game",
        (Fact("things", "things", "the thing alone", _HOW_MANY), Fact("from", "path", "None from outside of piles")),
    ),
    EventForm("deal", "things are dealt by chance", _CARDS),
    EventForm(
        "short", "fewer things were there to be dealt than were to be",
        (Fact("dealt", "number", "how many were"), Fact("wanted", "number", "how many were to be")),
    ),
    EventForm("shuffle", "the order of a pile becomes unknown", (Fact("pile", "path"),)),
    EventForm("draw", "something is drawn by chance", _CHANCE),
    EventForm("roll", "dice are rolled", _CHANCE),
    EventForm(
        "set", "a counter, a flag, a value, a list or the starter changes",
        (Fact("what", "path", "or `starter`"), Fact("value", "value", "what it is now")), "by whoever sees it",
    ),
    EventForm(
        "reveal", "a value is shown, or things of a pile are",
        (Fact("what", "path", "None for things in no pile"), Fact("value", "value", "the value, or the things shown")),
    ),
    EventForm(
        "reveal", "all hear an answer about something hidden",
        (Fact("as", "text", "the name that the rule gives it"), Fact("value", "value")),
    ),
    EventForm("announce", "players hear a value once", (Fact("value", "value"),), "by those to whom it is announced"),
    EventForm(
        "choose", "somebody decides, or has but one answer",
        (
            Fact("player", "player"),
            Fact("what", "text", "the name of the choice; of ways the action around it"),
            Fact("answer", "value", "what was chosen; of ways the text", "for several things how many, else None"),
            Fact("asked", "flag", "False where there was but one answer"),
        ),
        _ALONE,
        Fact("with", "value", "a value that the text of the way shows, under its name there, as `with price`", "None"),
    ),
    EventForm("ready", "a seat is done in a `secretly each`", (Fact("player", "player"),)),
    EventForm(
        "perform", "what a card or another member does begins",
        (Fact("thing", "thing", "", "None"), Fact("owner", "player", "for whom; None for nobody")), _ALONE,
    ),
    EventForm("skip", "a step that was to be skipped is passed over", (Fact("step", "text"),), _ALONE),
    EventForm("pass", "a loop or an action is cut short", (Fact("what", "text", "its name"),), _ALONE),
    EventForm(
        "pass", "a loop over a set leaves some out",
        (Fact("what", "text", "the loop's name"), Fact("things", "value", "those left out", _HOW_MANY)), _ALONE,
    ),
    EventForm("pass", "a piece does not stop where it could", (Fact("piece", "piece"), Fact("at", "space"))),
    EventForm("end", "the match comes to its end"),
    EventForm("rank", "players get a place", (Fact("place", "number", "from 1"), Fact("players", "players"))),
    EventForm(
        "reach", "all players reach something together",
        (Fact("value", "number"), Fact("most", "number", "the most that can be reached")),
    ),
    EventForm("defeat", "players are defeated", (Fact("players", "players"),)),
)  # fmt: skip
"""All of them, in the order of the reference."""


def forms_of(name: str) -> tuple[EventForm, ...]:
    """The forms in which an event of this name comes."""
    return tuple(form for form in EVENTS if form.name == name)
