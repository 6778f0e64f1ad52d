"""Events as English sentences.

From an event's name and the facts that the reader may know, and from nothing
else, so that no sentence says more.  Nothing here belongs to one game; what
a rule calls a thing is what a sentence calls it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit.diagnostics import printable
from rulekit.model.game import Option
from rulekit.play.event import Event, seen
from rulekit.play.state import Outcome, State
from rulekit.play.value import Ref, Value, notation
from rulekit.tools.names import Names, listed, plain


def sentence(event: Event, names: Names, seat: int | None = None) -> str:
    """What a seat may hear of an event, in one sentence; None hears everything.

    "" if it may hear nothing, or if nothing changed.
    """
    known = event if seat is None else seen(event, seat)
    if known is None:
        return ""
    tell = _SENTENCES.get(event.name, _unknown)
    words = _secret_choice(known, names) if _keeps_answer(event, seat) else tell(known, names)
    if not words:
        return ""
    return f"{words if _named_first(words, names) else words[:1].upper() + words[1:]}."


def _keeps_answer(event: Event, seat: int | None) -> bool:
    """Whether an answer was given that this seat may not know."""
    if seat is None or event.name != "choose":
        return False
    answer = next(fact for fact in event.facts if fact.name == "answer")
    return answer.audience is not None and seat not in answer.audience


def result(outcome: Outcome, names: Names) -> list[str]:
    """The end of a match in sentences, best first."""
    lines, place = [], 1
    for seats in outcome.ranking:
        lines.append(f"{place}. {listed(_seats(seats, names))}")
        place += len(seats)
    if outcome.defeated:
        lines.append(f"Defeated: {listed(_seats(outcome.defeated, names))}.")
    return [*lines, _winners(outcome, names)]


def doubts(state: State, outcome: Outcome) -> list[str]:
    """Open readings that the result depended on, and what is assumed about the game."""
    game = state.setting.game
    lines = []
    unclear = [
        f"{option.name}: {printable(option.text)} Read as {_reading(option, value)}."
        for option, value in zip(game.options, state.setting.options, strict=True)
        if option.name in outcome.unclear
    ]
    if unclear:
        lines.append("The rule text can be read in more than one way, and this match depended on it:")
        lines += [f"  - {text}" for text in unclear]
    if game.assumptions:
        lines.append("Assumed, since the rule text does not tell:")
        lines += [f"  - {printable(assumption.text)}" for assumption in game.assumptions]
    return lines


def _reading(option: Option, value: Any) -> str:
    if not option.readings:
        return notation(value)
    name, text = option.readings[value]
    return f'"{printable(text)}" ({name})' if text else name


def _winners(outcome: Outcome, names: Names) -> str:
    winners = _seats(outcome.winners, names)
    if not winners:
        return "Nobody wins."
    return f"{listed(winners)} share the victory." if len(winners) > 1 else f"{winners[0]} wins."


def _seats(seats: tuple[int, ...], names: Names) -> list[str]:
    return [plain(names.setting.seats[seat]) for seat in seats]


def clauses(event: Event) -> str:
    """The ids that caused it, in brackets, or ""."""
    return f"[{', '.join(event.clauses)}]" if event.clauses else ""


def _named_first(words: str, names: Names) -> bool:
    """Whether a sentence begins with a seat's name, which keeps its own spelling."""
    return any(words.startswith((f"{plain(seat)} ", f"{plain(seat)}'s ")) for seat in names.setting.seats)


# ---------------------------------------------------------------- pieces


def _moves(verb: str) -> Callable[[Event, Names], str]:
    def tell(event: Event, names: Names) -> str:
        if event.get("piece") is None:
            return _things_move(event, names)
        origin, goal = event.get("from"), event.get("to")
        return "" if origin == goal else _way(event, names, verb, origin, goal)

    return tell


def _way(event: Event, names: Names, verb: str, origin: Value, goal: Value) -> str:
    piece = event["piece"]
    who = names.value(piece)
    on = names.on(piece) if isinstance(piece, Ref) else ""
    if goal is None:
        return f"{who} leaves {names.short(origin)}{on}"
    if origin is None:
        return f"{who} is put on {names.short(goal)}{on}"
    return f"{who} {verb} from {names.short(origin)} to {names.short(goal)}{on}"


def _swap(event: Event, names: Names) -> str:
    if event.get("from") == event.get("to"):
        return f"{names.value(event['piece'])} changes places and stays on {names.short(event['to'])}"
    return _way(event, names, "changes places", event.get("from"), event.get("to"))


# ---------------------------------------------------------------- things in piles


def _moved(event: Event, names: Names) -> tuple[str, bool]:
    """What moved, and whether it is more than one."""
    things = event.get("things")
    count = len(things) if isinstance(things, tuple) else things
    number = count if isinstance(count, int) and not isinstance(count, bool) else 1
    if isinstance(things, tuple):
        return names.value(things), number != 1
    pile = event.get("to") or event.get("from")
    return names.some(number, pile), number != 1


def _things_move(event: Event, names: Names) -> str:
    what, many = _moved(event, names)
    verb = ("are dealt" if many else "is dealt") if event.name == "deal" else ("go" if many else "goes")
    origin = event.get("from")
    begin = f" from {names.path(origin)}" if origin is not None else ""
    return f"{what} {verb}{begin} to {names.path(event.get('to'))}"


def _remove(event: Event, names: Names) -> str:
    what, many = _moved(event, names)
    origin = event.get("from")
    begin = f" from {names.path(origin)}" if origin is not None else ""
    return f"{what} {'are' if many else 'is'} taken out of the game{begin}"


def _short(event: Event, names: Names) -> str:
    return f"there were only {names.value(event['dealt'])} of {names.value(event['wanted'])} left to deal"


def _reveal(event: Event, names: Names) -> str:
    what, value = event.get("what"), event.get("value")
    if what is None:
        return f"revealed: {names.value(value)}"
    return f"{names.path(what)} {'are' if names.is_many(what) else 'is'} revealed: {names.value(value)}"


def _shuffle(event: Event, names: Names) -> str:
    pile = event.get("pile")
    return f"{names.path(pile)} {'are' if names.is_many(pile) else 'is'} shuffled"


# ---------------------------------------------------------------- variables


def _set(event: Event, names: Names) -> str:
    what, value = event.get("what"), event.get("value")
    variable = names.variable(notation(what))
    if isinstance(value, bool) and variable is not None:
        return _flag(names, what, plain(variable.name), value)
    if variable is not None and variable.form == "snapshot":
        return ""
    if what == "starter":
        return f"{names.value(value)} is now the starter"
    return f"{names.path(what)} is now {names.value(value)}"


def _flag(names: Names, what: Value, name: str, value: bool) -> str:
    owner = names.owner(what)
    if owner:
        return f'{owner} is {"now" if value else "no longer"} marked "{name}"'
    return f'"{name}" is now {"on" if value else "off"}'


# ---------------------------------------------------------------- decisions and chance


def _choose(event: Event, names: Names) -> str:
    who, answer = names.value(event.get("player")), event.get("answer")
    what = plain(notation(event.get("what")))
    can = "chooses" if event.get("asked") is not False else "can only choose"
    if answer is None:
        return f"{who} chooses no {what}"
    if isinstance(answer, Ref | tuple):
        return f"{who} {can} {names.value(answer)}"
    if isinstance(answer, str):
        return f'{who} {can} "{names.value(answer)}"'
    return f"{who} {can} {names.value(answer)} ({what})"


def _secret_choice(event: Event, names: Names) -> str:
    who, count = names.value(event.get("player")), event.get("answer")
    how_many = f" of {count}" if isinstance(count, int) else ""
    return f"{who} makes a secret choice{how_many}"


def _draw(event: Event, names: Names) -> str:
    drawn, origin = event.get("drawn"), plain(notation(event.get("from")))
    if event.name == "roll":
        return f"{origin} shows {names.value(drawn)}"
    if drawn in ((), 0):
        return ""
    if not isinstance(drawn, tuple):
        count = drawn if isinstance(drawn, int) else 1
        return f"{names.some(count, event.get('from'))} {'is' if count == 1 else 'are'} drawn from {origin}"
    return f"drawn from {origin}: {names.value(drawn)}"


def _ready(event: Event, names: Names) -> str:
    return f"{names.value(event.get('player'))} has decided"


def _announce(event: Event, names: Names) -> str:
    return f"announced: {names.value(event.get('value'))}"


# ---------------------------------------------------------------- the flow


def _perform(event: Event, names: Names) -> str:
    owner = event.get("owner")
    whom = f" for {names.value(owner)}" if owner is not None else ""
    return f"{names.value(event.get('thing'))} takes effect{whom}"


def _skip(event: Event, names: Names) -> str:
    return f'the step "{plain(notation(event.get("step")))}" is left out'


def _end(event: Event, names: Names) -> str:
    return "the game ends"


def _rank(event: Event, names: Names) -> str:
    players = event.get("players")
    shared = isinstance(players, tuple) and len(players) > 1
    return f"{names.value(players)} {'share' if shared else 'takes'} place {names.value(event.get('place'))}"


def _defeat(event: Event, names: Names) -> str:
    players = event.get("players")
    many = isinstance(players, tuple) and len(players) > 1
    return f"{names.value(players)} {'are' if many else 'is'} defeated"


def _unknown(event: Event, names: Names) -> str:
    if isinstance(event.get("piece"), Ref):
        return _moves("moves")(event, names)
    facts = [f"{plain(fact.name)} {names.value(fact.value)}" for fact in event.facts]
    return f"{plain(event.name)}: {listed(facts)}" if facts else plain(event.name)


_SENTENCES: dict[str, Callable[[Event, Names], str]] = {
    "travel": _moves("moves"),
    "move": _moves("moves"),
    "push": _moves("is pushed"),
    "swap": _swap,
    "deal": _things_move,
    "short": _short,
    "remove": _remove,
    "reveal": _reveal,
    "shuffle": _shuffle,
    "set": _set,
    "choose": _choose,
    "draw": _draw,
    "roll": _draw,
    "ready": _ready,
    "announce": _announce,
    "perform": _perform,
    "skip": _skip,
    "end": _end,
    "rank": _rank,
    "defeat": _defeat,
}
