"""Two games played side by side with the same answers, until they part.

They part where they ask something else, hold another value, come to another
end, or where only one of them goes on.  Prompts, clauses and sentences do
not count.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import takewhile
from typing import Any

from attrs import define, field, frozen

from rulekit.play import engine, position
from rulekit.play.errors import IllegalAction, LimitError, RuleError
from rulekit.play.event import Event
from rulekit.play.machine import thaw
from rulekit.play.outward import outward
from rulekit.play.state import Action, Decision, Outcome, State, Step
from rulekit.play.travel import shown_space
from rulekit.play.value import Value, notation, offer
from rulekit.tools.example import CannotSay, path_of, refusal_line, said

Side = Step | RuleError
"""Where one of the two stands; the error with which it ended."""


@frozen
class Parting:
    """How two games differ after the same decisions.

    what:         the value, question or end that is not the same.
    here, there:  what it is in the first and in the second game.
    holds:        a line of a scenario that is true of the first alone; "" where none can be written.
    """

    what: str
    here: str
    there: str
    holds: str = ""


@frozen
class Moment:
    """A decision made in both games.  state: of the first, before it."""

    state: State
    action: Action


@define(eq=False)
class Pair:
    """Two games at the same decision; `parting` is set when they differ."""

    a: Side
    b: Side
    past: list[Moment] = field(factory=list)
    parting: Parting | None = None

    def __attrs_post_init__(self) -> None:
        self.parting = apart(self.a, self.b)

    @property
    def is_over(self) -> bool:
        return self.parting is not None or isinstance(self.a, RuleError) or self.a.state.over

    def act(self, action: Action) -> None:
        """The same answer in both."""
        assert isinstance(self.a, Step), self.a
        assert isinstance(self.b, Step), self.b
        self.past.append(Moment(self.a.state, action))
        self.a, self.b = _applied(self.a.state, action), _applied(self.b.state, action)
        self.parting = apart(self.a, self.b)

    def waiting(self) -> tuple[Decision, ...]:
        return engine.decisions(self.a.state) if isinstance(self.a, Step) else ()


def _applied(state: State, action: Action) -> Side:
    try:
        return position.settled(engine.apply(state, action))
    except IllegalAction as fault:
        raise AssertionError(f"{action} was offered to both: {fault}") from None
    except RuleError as fault:
        return fault


def played(pair: Pair, answers: Callable[[Decision], Value], most: int) -> Pair:
    """Go on until they part, one of them ends, or so many decisions are made."""
    while not pair.is_over and len(pair.past) < most and (waiting := pair.waiting()):
        question = waiting[0]
        pair.act(Action(question.seat, answers(question)))
    return pair


# ---------------------------------------------------------------- comparing


def apart(a: Side, b: Side) -> Parting | None:
    """The first thing in which two positions differ; None if nothing can be told apart."""
    if isinstance(a, RuleError) or isinstance(b, RuleError):
        return _faults(a, b)
    if a.state.over or b.state.over:
        return _ends(a.state, b.state) or _values(a.state, b.state)
    return _values(a.state, b.state) or _questions(a.state, b.state)


def _faults(a: Side, b: Side) -> Parting | None:
    here, there = (f"an error: {s.title}" if isinstance(s, RuleError) else "play goes on" for s in (a, b))
    if isinstance(a, RuleError) and isinstance(b, RuleError):
        same = a.code == b.code or isinstance(a, LimitError)
        return None if same else Parting("what goes wrong", here, there)
    return Parting("whether the rules can be carried out", here, there)


def _ends(a: State, b: State) -> Parting | None:
    if a.over != b.over:
        here, there = ("it is over" if state.over else "it goes on" for state in (a, b))
        return Parting("the game", here, there, f"expect {'' if a.over else 'not '}game_over")
    one, other = engine.outcome(a), engine.outcome(b)
    assert one is not None, a
    assert other is not None, b
    if (one.ranking, one.defeated) == (other.ranking, other.defeated):
        return None
    return _results(a, one, other)


def _results(state: State, a: Outcome, b: Outcome) -> Parting:
    seats = state.setting.seats
    for word in ("winners", "losers"):
        one, other = (tuple(seats[s] for s in (end.winners if word == "winners" else end.defeated)) for end in (a, b))
        if set(one) != set(other):
            held = f"expect {word} is [{', '.join(one)}]" if one else f"expect no {word}"
            return Parting(word, ", ".join(one) or "nobody", ", ".join(other) or "nobody", held)
    here, there = ("; ".join(" and ".join(seats[s] for s in place) for place in end.ranking) for end in (a, b))
    return Parting("the ranking", here, there)


def _values(a: State, b: State) -> Parting | None:
    if a.values == b.values and not a.branches:
        return None
    here, there = _told(a), _told(b)
    for path, (value, _) in here.items():
        if path in there and there[path][0] != value:
            return _of_value(a, path, here[path], there[path][0])
    return None


def _of_value(a: State, path: str, here: tuple[Value, str], there: Value) -> Parting:
    value, form = here
    try:
        held = f"expect {path} is {said(a, value)}" if form != "snapshot" else ""
        if form == "flag":
            held = f"expect {'' if value else 'not '}{path}"
        elif form in ("piece", "value") and value is None:
            held = f"expect not {path}.placed" if form == "piece" else f"expect {path} is none"
    except CannotSay:
        held = ""
    return Parting(f"`{path}`", notation(value), notation(there), held)


def _told(state: State) -> dict[str, tuple[Value, str]]:
    """Every value of a position by its path, with the form of its variable."""
    setting, m = state.setting, thaw(state)
    found: dict[str, tuple[Value, str]] = {}
    for slot, raw in enumerate(state.values):
        index = setting.slot_variable[slot]
        variable = setting.game.variables[index]
        path, value = _path(state, slot), None
        if variable.form in ("piece", "group"):
            piece = setting.piece_first[index] + slot - setting.bases[index]
            value = shown_space(m, piece, raw)
            number = (slot - setting.bases[index]) % variable.count + 1
            path = f"{path}[{number}]" if variable.form == "group" else path
        elif variable.form != "snapshot":
            value = _outward(state, variable.type, raw)
        found[path] = (value, variable.form)
    return found


def changes(before: State, after: State) -> list[str]:
    """Facts true after something happened and not before, as a scenario expects them."""
    old, new = _told(before), _told(after)
    partings = [_of_value(after, path, told, old[path][0]) for path, told in new.items() if told[0] != old[path][0]]
    return [parting.holds.removeprefix("expect ") for parting in partings if parting.holds]


def _path(state: State, slot: int) -> str:
    try:
        return path_of(state, slot)
    except CannotSay:
        return state.setting.path(slot)


def _outward(state: State, kind: Any, raw: Any) -> Value:
    return outward(state.setting, kind, raw)


def _questions(a: State, b: State) -> Parting | None:
    here, there = engine.decisions(a), engine.decisions(b)
    if [_asked(question) for question in here] == [_asked(question) for question in there]:
        return None
    for one in here:
        other = next((each for each in there if each.seat == one.seat and each.name == one.name), None)
        if other is not None and _asked(one) != _asked(other):
            who = "chance" if one.seat < 0 else a.setting.seats[one.seat]
            return Parting(f"what {who} may choose", _offer(one), _offer(other), _offered(a, one, other))
    return Parting("who is asked", _who(a, here), _who(b, there), _first_answer(a, here))


def _asked(question: Decision) -> tuple[Any, ...]:
    """What counts of a question: not how it is put into words."""
    return question.seat, question.name if question.seat < 0 else "", question.options, question.least, question.most


def _offer(question: Decision) -> str:
    several = f"{question.least} to {question.most} of " if question.several else ""
    return f"{several}{offer(question.options)}"


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
        return f"when {_name(a, one.seat)} chooses {said(a, one.options[: sizes[0]])}"
    size = other.least if other.least < one.least else other.most
    return refusal_line(a, one.seat, other.options[:size])


def _when(a: State, question: Decision, option: Value) -> str:
    answer = _several(question, option) if question.several else option
    return f"when {_name(a, question.seat)} chooses {said(a, answer)}"


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


def _name(state: State, seat: int) -> str:
    return "chance" if seat < 0 else state.setting.seats[seat]


def _who(state: State, questions: tuple[Decision, ...]) -> str:
    return ", ".join(f"{_name(state, each.seat)} `{each.name}`" for each in questions) or "nobody"


# ---------------------------------------------------------------- which clauses acted


def acted(side: Side, other: Side) -> tuple[str, ...]:
    """The clauses behind the first thing that happened in one game and not, or otherwise, in the other.

    Where nothing more happened: those of what is asked, or of what happened last.
    """
    if isinstance(side, RuleError):
        return side.cites
    theirs = other.events if isinstance(other, Step) else ()
    same = _common(side.events, theirs)
    own = side.events[same : same + 1]
    asked = [clause for question in engine.decisions(side.state) for clause in question.clauses]
    before = [event.clauses for event in side.events[:same] if event.clauses]
    found = [clause for event in own for clause in event.clauses]
    return tuple(dict.fromkeys(found or asked or (before[-1] if before else ())))


def _common(mine: Sequence[Event], theirs: Sequence[Event]) -> int:
    """How many events are the same at first."""
    pairs = zip(mine, theirs, strict=False)
    return sum(1 for _ in takewhile(lambda pair: _key(pair[0]) == _key(pair[1]), pairs))


def _key(event: Event) -> tuple[Any, ...]:
    return event.name, tuple((fact.name, notation(fact.value)) for fact in event.facts)
