"""The worked examples of a rules file as a rulebook prints them: the board before, what happens, the board after."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import takewhile

from rulekit.model import game as model
from rulekit.play.engine import start
from rulekit.play.state.errors import BadSetup, LimitError, RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value
from rulekit.play.view import SPECTATOR
from rulekit.tools.drawing.picture import Picture
from rulekit.tools.drawing.picture_making import picture
from rulekit.tools.examples.runner import played
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.outline import Printed, example_id, printed
from rulekit.tools.language.translation import Tongue
from rulekit.tools.rulebook.example_focus import focused
from rulekit.tools.tell import narration
from rulekit.tools.tell.clause_text import clause_words
from rulekit.values import evolve, frozen

_NOT_TOLD = ("reveal", "short")
_ENDS = ("end", "rank", "defeat", "reach")
_USUAL = 3
"""Seats of the match whose beginning is drawn, if so many may play."""
_MOST = 16
"""Sentences in which an example is retold at most."""


@frozen
class Example:
    """A worked example.

    id:     of its own clauses; cites: the clauses of the rules that it shows.
    told:   what happens, in few sentences, each with the ids of its clauses.
    """

    id: str
    title: str
    caption: str
    before: Picture
    told: tuple[tuple[str, str], ...]
    after: Picture
    cites: tuple[str, ...] = ()


def examples(game: model.Game, tongue: Tongue) -> tuple[Example, ...]:
    found = (_example(game, each, tongue) for each in printed(game))
    return tuple(example for example in found if example is not None)


def opening(game: model.Game, options: Mapping[str, Value], tongue: Tongue) -> Picture | None:
    """What everybody sees when play begins, as chance may have it; None if the setup goes wrong."""
    try:
        state = start(game, options, min(max(game.least, _USUAL), game.most)).state
    except (BadSetup, RuleError, LimitError):
        return None
    return picture(state, SPECTATOR, Names(state.setting, tongue))


def lying_at_first(game: model.Game, options: Mapping[str, Value], seats: int) -> Counter[str]:
    """By kind how many things lie in piles when play begins; nothing if the setup goes wrong."""
    try:
        state = start(game, options, seats).state
    except (BadSetup, RuleError, LimitError):
        return Counter()
    piles = [value for slot, value in enumerate(state.values) if _is_pile(state.setting, slot)]
    return Counter(state.setting.things[thing].kind for pile in piles for thing in pile)  # type: ignore[index, union-attr]


def piles_at_first(game: model.Game, options: Mapping[str, Value], seats: int) -> Counter[str]:
    """By name how many things lie in a pile when play begins, in the first seat's if each has one."""
    try:
        state = start(game, options, seats).state
    except (BadSetup, RuleError, LimitError):
        return Counter()
    found: Counter[str] = Counter()
    for slot, value in enumerate(state.values):
        variable = game.variables[state.setting.slot_variable[slot]]
        if variable.form == "pile" and variable.name not in found:
            found[variable.name] = len(value)  # type: ignore[arg-type]
    return found


def _is_pile(setting: Setting, slot: int) -> bool:
    return setting.game.variables[setting.slot_variable[slot]].form == "pile"


def _example(game: model.Game, each: Printed, tongue: Tongue) -> Example | None:
    events: list[Event] = []
    early: list[Event] = []
    opening = takewhile(lambda scene: isinstance(scene, model.Given | model.GivenCells), each.scenario.scenes)
    before = played(game, evolve(each.scenario, scenes=tuple(opening)), early.append)
    after = played(game, each.scenario, events.append)
    if before is None or after is None:
        return None
    names = Names(after.setting, tongue, in_print=True)
    first = played(game, evolve(each.scenario, scenes=()), lambda _: None)
    cites = tuple(id_ for id_ in each.scenario.cites if id_ not in each.own)
    heard = [event for event in narration.spoken_of(events[len(early) :]) if _is_told(event, frozenset(cites))]
    told = [(_begun_large(narration.sentence(event, names)), event) for event in _last_changes(heard)]
    few = _retold([(text, event) for text, event in told if text], frozenset(cites))
    sentences = tuple((text, " ".join(narration.nearest(event))) for text, event in few)
    caption = " ".join(clause_words(game, id_, tongue) for id_ in each.own)
    title = tongue.text(example_id(each.scenario), each.scenario.name)
    bare, was, now = (picture(state, None, names) for state in (first or before, before, after))
    near, far = focused(bare, was, now, names.is_unsaid)
    return Example(" ".join(each.own), title, caption, near, sentences, far, cites)


def _is_told(event: Event, cites: frozenset[str]) -> bool:
    """Whether an example tells an event; the end of its match only where it shows a rule about that."""
    is_about = not cites.isdisjoint((*event.clauses, *event.near))
    return event.name not in _NOT_TOLD and (is_about or event.name not in _ENDS)


def _begun_large(sentence: str) -> str:
    """A sentence as a book prints it, also where it begins with a name that is written small at the table."""
    return sentence[:1].upper() + sentence[1:]


def _last_changes(events: list[Event]) -> list[Event]:
    """Of a number that changes again and again only the last change: that is what a reader looks for on the table."""
    last = {event.get("what"): index for index, event in enumerate(events) if event.name == "set"}
    return [e for index, e in enumerate(events) if e.name != "set" or last[e.get("what")] == index]


def _retold(told: list[tuple[str, Event]], cites: frozenset[str]) -> list[tuple[str, Event]]:
    """The few sentences that show what an example is for, in their order.

    What moved on the board before who chose what and all else; what its own clauses did comes a step earlier.
    """

    def weight(index: int) -> tuple[int, int]:
        event = told[index][1]
        told_of = 0 if isinstance(event.get("piece"), Ref) else 1 if event.name == "choose" else 2
        return told_of + cites.isdisjoint((*event.clauses, *event.near)), index

    kept = sorted(range(len(told)), key=weight)[:_MOST]
    return [told[index] for index in sorted(kept)]
