"""Divergence of two games: in what two positions differ, and the line of a scenario that tells it.

Games diverge where they ask something else, hold another value, show
something else, come to another end, or where only one of them goes on.
Prompts, clauses and sentences do not count, nor does bookkeeping.
"""

from __future__ import annotations

from typing import Any

from rulekit.model.game import PAST
from rulekit.play import engine
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import thaw
from rulekit.play.meaning.travel import shown_space
from rulekit.play.state.errors import LimitError, RuleError
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import Decision, Outcome, State, Step
from rulekit.play.state.value import Ref, Value, notation, offer
from rulekit.tools.compare.bookkeeping import Cell, bookkeeping, cell, differing
from rulekit.tools.examples.scenario_values import seat_name
from rulekit.tools.examples.scenario_writer import (
    CannotSay,
    is_pictured,
    path_of,
    pictured,
    place_names,
    refusal_line,
    value_text,
)
from rulekit.tools.language.lazy_message import Message, Text
from rulekit.values import frozen

Side = Step | RuleError
"""Where one of the two stands; the error with which it ended."""


@frozen
class Divergence:
    """How two games differ after the same decisions.

    what:         the value, question or end that is not the same.
    here, there:  what it is in the first and in the second game.
    holds:        a line of a scenario that is true of the first alone; "" where none can be written.
    """

    what: Text
    here: Text
    there: Text
    holds: str = ""


def first_divergence(a: Side, b: Side, also: frozenset[Cell] = frozenset()) -> Divergence | None:
    """The first thing in which two positions differ; None if nothing can be told apart.

    also:  bookkeeping that counts all the same.
    """
    if isinstance(a, RuleError) or isinstance(b, RuleError):
        return _faults(a, b)
    if a.state.over or b.state.over:
        return _ends(a.state, b.state) or _values(a.state, b.state, also)
    return _values(a.state, b.state, also) or _questions(a.state, b.state) or _shown(a.state, b.state)


def _faults(a: Side, b: Side) -> Divergence | None:
    here, there = (
        Message("parting-error", title=s.title) if isinstance(s, RuleError) else Message("parting-goes-on")
        for s in (a, b)
    )
    if isinstance(a, RuleError) and isinstance(b, RuleError):
        same = a.code == b.code or isinstance(a, LimitError)
        return None if same else Divergence(Message("parting-wrong"), here, there)
    return Divergence(Message("parting-carried-out"), here, there)


def _ends(a: State, b: State) -> Divergence | None:
    if a.over != b.over:
        here, there = (Message("parting-over" if state.over else "parting-goes-on") for state in (a, b))
        return Divergence(Message("parting-end"), here, there, f"expect {'' if a.over else 'not '}game_over")
    one, other = engine.outcome(a), engine.outcome(b)
    assert one is not None, a
    assert other is not None, b
    if (one.ranking, one.defeated) == (other.ranking, other.defeated):
        return None
    return _results(a, one, other)


def _results(state: State, a: Outcome, b: Outcome) -> Divergence:
    seats = state.setting.seats
    for word in ("winners", "losers"):
        one, other = (tuple(seats[s] for s in (end.winners if word == "winners" else end.defeated)) for end in (a, b))
        if set(one) != set(other):
            held = f"expect {word} is [{', '.join(one)}]" if one else f"expect no {word}"
            here, there = (", ".join(names) or Message("nobody") for names in (one, other))
            return Divergence(Message(f"parting-{word}"), here, there, held)
    order, theirs = ("; ".join(" = ".join(seats[s] for s in place) for place in end.ranking) for end in (a, b))
    return Divergence(Message("parting-ranking"), order, theirs)


def _values(a: State, b: State, also: frozenset[Cell]) -> Divergence | None:
    if a.values == b.values:
        return None
    kept = (bookkeeping(a.setting.game) & bookkeeping(b.setting.game)) - also
    if not differing(a, b, kept):
        return None
    here, there = _told(a, kept), _told(b, kept)
    paths = [path for path, (value, _) in here.items() if path in there and there[path][0] != value]
    found = [_of_value(a, path, here[path], there[path][0]) for path in paths]
    return next((divergence for divergence in found if divergence.holds), found[0] if found else None)


def _of_value(a: State, path: str, here: tuple[Value, str], there: Value) -> Divergence:
    value, form = here
    try:
        held = _held(a, path, value, form, there)
    except CannotSay:
        held = ""
    return Divergence(f"`{path}`", notation(value), notation(there), held)


def _held(a: State, path: str, value: Value, form: str, there: Value) -> str:
    """The line that says a value."""
    if form in PAST:
        return ""
    if form == "flag":
        return f"expect {'' if value else 'not '}{path}"
    if form == "pile" and isinstance(value, tuple) and isinstance(there, tuple) and len(value) != len(there):
        return f"expect count {path} is {len(value)}"
    if form in ("piece", "group") and None in (value, there):
        return f"expect {'not ' if value is None else ''}{path}.placed"
    if form == "group" and isinstance(value, Ref) and value.kind == "cell":
        return _picture_with(a)  # No expectation says where a piece without a name stands.
    if form == "list" and isinstance(value, tuple) and isinstance(there, tuple) and None in value:
        return _place_held(a, path, value, there)
    return f"expect {path} is {value_text(a, value)}"


def _place_held(a: State, path: str, value: tuple[Value, ...], there: tuple[Value, ...]) -> str:
    """The line that says the first place in which a list with empty places is another."""
    slot = next(slot for slot in range(len(a.values)) if _path(a, slot) == path)
    names = place_names(a, a.setting.game.variables[a.setting.slot_variable[slot]])
    # A list may be longer in the other game; then the places that both have may all be alike.
    at = next((at for at, (one, other) in enumerate(zip(value, there, strict=False)) if one != other), None)
    return "" if at is None else f"expect {path}[{names[at]}] is {value_text(a, value[at])}"


def _picture_with(a: State) -> str:
    """The line and the rows of a picture of the pieces of a group that have names; "" if there are none."""
    game = a.setting.game
    groups = [i for i, v in enumerate(game.variables) if v.form == "group" and is_pictured(game, v)]
    pictures = [picture for index in groups for picture in pictured(a, index)]
    return "\n        ".join([f"expect picture {pictures[0][0]}", *pictures[0][1:]]) if pictures else ""


def _told(state: State, but: frozenset[Cell] = frozenset()) -> dict[str, tuple[Value, str]]:
    """Every value of a position by its path, with the form of its variable; none of some variables."""
    setting, m = state.setting, thaw(state)
    found: dict[str, tuple[Value, str]] = {}
    for slot, raw in enumerate(state.values):
        index = setting.slot_variable[slot]
        variable = setting.game.variables[index]
        if cell(variable) in but:
            continue
        path, value = _path(state, slot), None
        if variable.form in ("piece", "group"):
            piece = setting.piece_first[index] + slot - setting.bases[index]
            value = shown_space(m, piece, raw)
            path = _piece(state, index, slot) if variable.form == "group" else path
        elif variable.form not in PAST:
            value = outward(setting, variable.type, raw)
        found[path] = (value, variable.form)
    return found


def told_again(a: State, b: State, path: str) -> str:
    """The line of a scenario that says a value, as it is in the first of two positions; "" if it does not differ."""
    here, there = _told(a), _told(b)
    if path not in here or path not in there or here[path][0] == there[path][0]:
        return ""
    return _of_value(a, path, here[path], there[path][0]).holds


def _piece(state: State, index: int, slot: int) -> str:
    """A piece of a group: by its name, if it has one, or by its number."""
    setting = state.setting
    thing = setting.things[setting.piece_first[index] + slot - setting.bases[index]]
    number = (slot - setting.bases[index]) % setting.game.variables[index].count + 1
    return thing.key if setting.game.kinds[thing.kind].members else f"{_path(state, slot)}[{number}]"


def changes(before: State, after: State) -> list[str]:
    """Facts true after something happened and not before, as a scenario expects them."""
    old, new = _told(before), _told(after)
    divergences = [_of_value(after, path, told, old[path][0]) for path, told in new.items() if told[0] != old[path][0]]
    return [divergence.holds.removeprefix("expect ") for divergence in divergences if divergence.holds]


def _path(state: State, slot: int) -> str:
    try:
        return path_of(state, slot)
    except CannotSay:
        return state.setting.path(slot)


def _questions(a: State, b: State) -> Divergence | None:
    here, there = engine.decisions(a), engine.decisions(b)
    if [_asked(question) for question in here] == [_asked(question) for question in there]:
        return None
    for one in here:
        other = next((each for each in there if each.seat == one.seat and each.name == one.name), None)
        if other is not None and _asked(one) != _asked(other):
            what = Message("parting-choice", who=seat_name(a, one.seat)) if one.seat >= 0 else Message("parting-chance")
            return Divergence(what, _offer(one), _offer(other), _offered(a, one, other))
    return Divergence(Message("parting-asked"), _who(a, here), _who(b, there), _first_answer(a, here))


def _shown(a: State, b: State) -> Divergence | None:
    """What the rules have shown on the board and nothing in play depends on."""
    here, there = _worth_showing(a), _worth_showing(b)
    for name, value in here.items():
        if name in there and there[name] != value:
            flag = isinstance(value, bool)
            held = f"expect {'' if value else 'not '}{name}" if flag else f"expect {name} is {value}"
            return Divergence(f"`{name}`", notation(value), notation(there[name]), held)
    return None


def announced_divergence(a: Side, b: Side) -> Divergence | None:
    """What is announced or revealed in one of two games that are alike in everything else."""
    if isinstance(a, RuleError) or isinstance(b, RuleError):
        return None
    for name in ("announce", "reveal"):
        here, there = (_heard(side, name) for side in (a, b))
        if here != there:
            return Divergence(Message(f"parting-{name}"), here or Message("nothing"), there or Message("nothing"))
    return None


def _heard(step: Step, name: str) -> str:
    told = [fact for event in step.events if event.name == name for fact in event.facts]
    return "; ".join(f"{fact.name} {notation(fact.value)}" for fact in told)


def _worth_showing(state: State) -> dict[str, Value]:
    """How long each track is, and the flags and numbers among what is shown, by what a scenario calls them."""
    names = {each.name for each in state.setting.game.shows}
    tracks = [place for place in state.setting.game.places.values() if place.form == "track"]
    found: dict[str, Value] = {
        f"count {place.name}": place.high - place.low + 1 for place in tracks if place.high is not None
    }
    for define_ in state.setting.game.defines:
        if define_.name in names and not define_.parameters:
            m = thaw(state)
            m.locals, m.elements = [], m.fresh_elements()
            value = evaluate(m, define_.value)
            found |= {define_.name: value} if isinstance(value, int) else {}
    return found


def _asked(question: Decision) -> tuple[Any, ...]:
    """What counts of a question: not how it is put into words."""
    return question.seat, question.name if question.seat < 0 else "", question.options, question.least, question.most


def _offer(question: Decision) -> Text:
    if not question.several:
        return offer(question.options)
    return Message("parting-some-of", least=question.least, most=question.most, options=offer(question.options))


def _offered(a: State, one: Decision, other: Decision) -> str:
    """A line about an answer that only one of the two takes."""
    more = [option for option in one.options if option not in other.options]
    less = [option for option in other.options if option not in one.options]
    try:
        if more and one.most > 0:
            return _when(a, one, more[0])
        if not one.several:
            return refusal_line(a, one.seat, less[0]) if less else ""
        if one.least != other.least or one.most != other.most:
            return _of_number(a, one, other)
        return refusal_line(a, one.seat, _several(other, less[0])) if less and one.most > 0 else ""
    except CannotSay:
        return ""


def _of_number(a: State, one: Decision, other: Decision) -> str:
    """An answer with a number of things that only the first takes."""
    sizes = [size for size in range(one.least, one.most + 1) if not other.least <= size <= other.most]
    if sizes:
        return f"when {seat_name(a, one.seat)} chooses {value_text(a, one.options[: sizes[0]])}"
    size = other.least if other.least < one.least else other.most
    return refusal_line(a, one.seat, other.options[:size])


def _when(a: State, question: Decision, option: Value) -> str:
    answer = _several(question, option) if question.several else option
    return f"when {seat_name(a, question.seat)} chooses {value_text(a, answer)}"


def _several(question: Decision, option: Value) -> tuple[Value, ...]:
    """As few things as may be chosen, this one among them."""
    rest = [each for each in question.options if each != option]
    return (option, *rest[: max(0, question.least - 1)])


def _first_answer(a: State, here: tuple[Decision, ...]) -> str:
    try:
        question = next((each for each in here if each.options and each.most > 0), None)
        return "" if question is None else _when(a, question, question.options[0])
    except CannotSay:
        return ""


def _who(state: State, questions: tuple[Decision, ...]) -> Text:
    return ", ".join(f"{seat_name(state, each.seat)} `{each.name}`" for each in questions) or Message("nobody")
