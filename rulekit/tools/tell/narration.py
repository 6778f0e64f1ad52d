"""Narration: events as sentences, in the language of the names.

From an event's name and the facts that the reader may know, and from nothing
else, so that no sentence says more.  Nothing here belongs to one game; what
a rule calls a thing is what a sentence calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulekit.model.game import PAST, Option
from rulekit.play.seat_names import SEAT_NAMES
from rulekit.play.state.event import Event, heard, seen
from rulekit.play.state.match_state import Outcome, State
from rulekit.play.state.value import Ref, Value, notation
from rulekit.tools.language.display_names import Names, assumed_id, plain
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell.own_sentences import own_sentence

_SITTERS = ("human", "random", "greedy")


def sentence(event: Event, names: Names, seat: int | None = None) -> str:
    """What a seat may hear of an event, in one sentence; None hears everything.

    "" if it may hear nothing, or if nothing changed.
    """
    known = event if seat is None else heard(event, seat)
    if known is None:
        return ""
    words = _secret_choice(known, names) if _keeps_answer(event, seat) else _words(known, names)
    if not words:
        return ""
    return f"{words if _named_first(words, names) else words[:1].upper() + words[1:]}."


def spoken_of(events: Iterable[Event]) -> Iterator[Event]:
    """Events but for those of which nobody speaks: an answer without a choice, a number that changes again at once."""
    before: Event | None = None
    for event in events:
        if event.name == "ready" or event.get("asked") is False:
            continue
        if before is not None and not _changes_again(before, event):
            yield before
        before = event
    if before is not None:
        yield before


def _changes_again(before: Event, event: Event) -> bool:
    """Whether two events set the same value, for the same people to know."""
    same = before.name == event.name == "set" and before.get("what") == event.get("what")
    return same and before.audience == event.audience and _hidden(before) == _hidden(event)


def _hidden(event: Event) -> tuple[object, ...]:
    return tuple(fact.audience for fact in event.facts)


def _words(event: Event, names: Names) -> str:
    """An event in the words that a language has for it, else by what its facts are called."""
    own = own_sentence(event, names)
    return _SENTENCES.get(event.name, _unknown)(event, names) if own is None else own


def _keeps_answer(event: Event, seat: int | None) -> bool:
    """Whether an answer was given that this seat may not know."""
    if seat is None or event.name != "choose":
        return False
    answer = next(fact for fact in event.facts if fact.name == "answer")
    return answer.audience is not None and seat not in answer.audience


def result(outcome: Outcome, names: Names) -> list[str]:
    """The end of a match in sentences, best first."""
    tongue, lines, place = names.tongue, [], 1
    if outcome.together is not None and len(outcome.ranking) == 1 and not outcome.defeated:
        return [tongue.say("reached-together", value=outcome.together.value, most=outcome.together.most)]
    for seats in outcome.ranking:
        lines.append(tongue.say("place", place=place, players=tongue.listed(_seats(seats, names))))
        place += len(seats)
    if outcome.defeated:
        beaten = _seats(outcome.defeated, names)
        lines.append(tongue.count("defeated-line", len(beaten), players=tongue.listed(beaten)))
    return [*lines, _winners(outcome, names)]


def caveats(state: State, outcome: Outcome, tongue: Tongue = SOURCE) -> list[str]:
    """Open readings that the result depended on, and what is assumed about the game."""
    game = state.setting.game
    options = zip(game.options, state.setting.options, strict=True)
    unclear = [_read_as(option, value, tongue) for option, value in options if option.name in outcome.unclear]
    assumed = [tongue.text(assumed_id(entry, n), entry.text) for n, entry in enumerate(game.assumptions, 1)]
    lines: list[str] = []
    for head, texts in (("doubtful", unclear), ("assumed", assumed)):
        lines += [tongue.say(head), *(f"  - {text}" for text in texts)] if texts else []
    return lines


def _read_as(option: Option, value: Any, tongue: Tongue) -> str:
    question = tongue.text(f"option {option.name}", option.text)
    text = _reading(option, value, tongue)
    named = option.readings[value][0] if option.readings else notation(value)
    return tongue.say("read-as", option=option.name, question=question, reading=text, value=named)


def _reading(option: Option, value: Any, tongue: Tongue) -> str:
    """The chosen answer to a question of reading."""
    if not option.readings:
        return tongue.say("yes" if value else "no") if isinstance(value, bool) else str(notation(value))
    name, text = option.readings[value]
    return tongue.text(f"reading {option.name}.{name}", text) if text else plain(name)


def _winners(outcome: Outcome, names: Names) -> str:
    winners = _seats(outcome.winners, names)
    if not winners:
        return names.tongue.say("nobody-wins")
    return names.tongue.count("wins", len(winners), players=names.tongue.listed(winners))


def _seats(seats: tuple[int, ...], names: Names) -> list[str]:
    return [names.seat(names.setting.seats[seat]) for seat in seats]


def clauses(event: Event, seat: int | None = None) -> str:
    """The ids that a reader is told beside a sentence, in brackets, or ""; a seat only those that it may know."""
    known = event if seat is None else seen(event, seat)
    ids = () if known is None else nearest(known)
    return f"[{', '.join(ids)}]" if ids else ""


def nearest(event: Event) -> tuple[str, ...]:
    """Few clauses that say why: those of the line, or, where it has none, the nearest around it.

    Without asking what decided it, which takes longer than what happened; `explain` does.
    """
    return event.clauses or event.near[:1]


def _named_first(words: str, names: Names) -> bool:
    """Whether a sentence begins with the name that somebody gave a seat, which keeps its own spelling."""
    seats = [names.seat(seat) for seat in names.setting.seats if seat not in SEAT_NAMES]
    return any(words.startswith((f"{seat} ", f"{seat}'s ", f"{seat}: ", f"{seat}, ")) for seat in seats)


def _says(phrase: str, *facts: str) -> Callable[[Event, Names], str]:
    """Tells an event by a phrase whose places are called after its facts."""

    def tell(event: Event, names: Names) -> str:
        return names.tongue.say(phrase, **{fact: names.value(event.get(fact)) for fact in facts})

    return tell


# ---------------------------------------------------------------- pieces


def _moves(phrase: str) -> Callable[[Event, Names], str]:
    def tell(event: Event, names: Names) -> str:
        if event.get("piece") is None:
            return _things_move(event, names)
        origin, goal = event.get("from"), event.get("to")
        return "" if origin == goal else _way(event, names, phrase, origin, goal)

    return tell


def _way(event: Event, names: Names, phrase: str, origin: Value, goal: Value) -> str:
    piece = event["piece"]
    who = names.value(piece)
    on = names.on(piece) if isinstance(piece, Ref) else ""
    say = names.tongue.say
    if goal is None:
        return say("leaves", piece=who, origin=names.short(origin), where=on)
    if origin is None:
        return say("put", piece=who, goal=names.short(goal), where=on)
    return say(phrase, piece=who, origin=names.short(origin), goal=names.short(goal), where=on)


def _swap(event: Event, names: Names) -> str:
    if event.get("from") == event.get("to"):
        piece, goal = names.value(event["piece"]), names.short(event["to"])
        return names.tongue.say("swap-stays", piece=piece, goal=goal)
    return _way(event, names, "changes-places", event.get("from"), event.get("to"))


# ---------------------------------------------------------------- things in piles


def _moved(event: Event, names: Names) -> tuple[str, int]:
    """What moved, and how many."""
    things = event.get("things")
    count = len(things) if isinstance(things, tuple) else things
    number = count if isinstance(count, int) and not isinstance(count, bool) else 1
    if isinstance(things, tuple):
        return names.value(things), number
    return names.some(number, event.get("to") or event.get("from")), number


def _things_move(event: Event, names: Names) -> str:
    moved, end = _from_pile_to_pile(event, names), event.get("end")
    return moved if end is None else names.tongue.say("on-top" if end == "top" else "at-bottom", moved=moved)


def _from_pile_to_pile(event: Event, names: Names) -> str:
    what, number = _moved(event, names)
    phrase, goal = "dealt" if event.name == "deal" else "goes", names.goal(event.get("to"), event.get("from"))
    origin = event.get("from")
    if origin is None:
        return names.tongue.count(f"{phrase}-to", number, things=what, goal=goal)
    return names.tongue.count(phrase, number, things=what, origin=names.origin(origin), goal=goal)


def _remove(event: Event, names: Names) -> str:
    what, number = _moved(event, names)
    origin = event.get("from")
    if origin is None:
        return names.tongue.count("removed", number, things=what)
    return names.tongue.count("removed-from", number, things=what, origin=names.origin(origin))


def _reveal(event: Event, names: Names) -> str:
    what, value, answer = event.get("what"), names.value(event.get("value")), event.get("as")
    if answer is not None:
        return names.tongue.say("answer", what=names.tongue.words("answer", plain(notation(answer))), value=value)
    if what is None:
        return names.tongue.say("revealed", value=value)
    return names.tongue.count("revealed-what", _many(what, names), what=names.path(what), value=value)


def _announce(event: Event, names: Names) -> str:
    """What is announced, and to whom if not to everybody."""
    value = names.value(event.get("value"))
    if event.audience is None:
        return names.tongue.say("announced", value=value)
    players = names.tongue.listed(_seats(tuple(sorted(event.audience)), names))
    return names.tongue.say("announced-only", players=players, value=value)


def _shuffle(event: Event, names: Names) -> str:
    pile = event.get("pile")
    return names.tongue.count("shuffled", _many(pile, names), pile=names.path(pile))


def _many(path: Value, names: Names) -> int:
    """The number that what a path is called takes: two of a plural."""
    return 2 if names.is_many(path) else 1


# ---------------------------------------------------------------- variables


def _set(event: Event, names: Names) -> str:
    what, value = event.get("what"), event.get("value")
    variable = names.variable(notation(what))
    if isinstance(value, bool) and variable is not None:
        return _flag(names, what, names.column(variable), value)
    if variable is not None and variable.form in PAST:
        return ""
    if what == "starter":
        return names.tongue.say("starter", player=names.value(value))
    return names.tongue.say("now", what=names.path(what), value=names.value(value))


def _flag(names: Names, what: Value, name: str, value: bool) -> str:
    owner = names.owner(what)
    if owner:
        return names.tongue.say("marked" if value else "unmarked", owner=owner, name=name)
    return names.tongue.say("on" if value else "off", name=name)


# ---------------------------------------------------------------- decisions and chance


def _choose(event: Event, names: Names) -> str:
    who, answer = names.value(event.get("player")), event.get("answer")
    what = names.tongue.words("asked", plain(notation(event.get("what"))))
    if answer is None:
        return names.tongue.say("chooses-none", player=who, what=what)
    phrase = "chooses" if event.get("asked") is not False else "can-only-choose"
    said = names.chosen(answer)
    if isinstance(answer, Ref | tuple):
        return names.tongue.say(phrase, player=who, answer=said)
    if isinstance(answer, str):
        said = names.filled(said, tuple((fact.name.removeprefix("with "), fact.value) for fact in event.facts))
        return names.tongue.say(f"{phrase}-label", player=who, answer=said)
    return names.tongue.say(f"{phrase}-number", player=who, answer=said, what=what)


def _secret_choice(event: Event, names: Names) -> str:
    who, count = names.value(event.get("player")), event.get("answer")
    if isinstance(count, int):
        return names.tongue.say("secret-choice-of", player=who, count=count)
    return names.tongue.say("secret-choice", player=who)


def _draw(event: Event, names: Names) -> str:
    drawn, origin = event.get("drawn"), names.tongue.words("source", plain(notation(event.get("from"))))
    if event.name == "roll":
        return names.tongue.say("shows", die=origin, drawn=names.value(drawn))
    if drawn in ((), 0):
        return ""
    if not isinstance(drawn, tuple):
        count = drawn if isinstance(drawn, int) else 1
        return names.tongue.count("drawn", count, things=names.some(count, event.get("from")), origin=origin)
    return names.tongue.say("drawn-what", origin=origin, drawn=names.value(drawn))


# ---------------------------------------------------------------- the flow


def _perform(event: Event, names: Names) -> str:
    owner, thing = event.get("owner"), names.value(event.get("thing"))
    if owner is None:
        return names.tongue.say("takes-effect", thing=thing)
    return names.tongue.say("takes-effect-for", thing=thing, owner=names.value(owner))


def _skip(event: Event, names: Names) -> str:
    return names.tongue.say("left-out", step=names.tongue.words("step", plain(notation(event.get("step")))))


def _pass(event: Event, names: Names) -> str:
    piece, things = event.get("piece"), event.get("things")
    if piece is not None:
        on = names.on(piece) if isinstance(piece, Ref) else ""
        return names.tongue.say("stays", piece=names.value(piece), goal=names.short(event.get("at")), where=on)
    if isinstance(things, tuple):
        return names.tongue.count("passed-over", len(things), things=names.value(things))
    if things is not None:
        return ""
    return names.tongue.say("cut-short")


def _rank(event: Event, names: Names) -> str:
    players, place = event.get("players"), names.tongue.ordinal(notation(event.get("place")))
    return names.tongue.count("ranked", _number(players), players=names.value(players), place=place)


def _defeat(event: Event, names: Names) -> str:
    players = event.get("players")
    return names.tongue.count("defeated", _number(players), players=names.value(players))


def _reach(event: Event, names: Names) -> str:
    value, most = names.value(event.get("value")), names.value(event.get("most"))
    return names.tongue.say("reached", value=value, most=most)


def _number(players: Value) -> int:
    return 2 if isinstance(players, tuple) and len(players) > 1 else 1


def who_sits(kind: str, tongue: Tongue) -> str:
    """What sits at a seat, a person or a bot; a bot with settings is called as it was named."""
    return tongue.say(kind) if kind in _SITTERS else kind


def _unknown(event: Event, names: Names) -> str:
    if isinstance(event.get("piece"), Ref):
        return _moves("moves")(event, names)
    facts = [f"{plain(fact.name)} {names.value(fact.value)}" for fact in event.facts]
    return f"{plain(event.name)}: {names.tongue.listed(facts)}" if facts else plain(event.name)


_SENTENCES: dict[str, Callable[[Event, Names], str]] = {
    "travel": _moves("moves"),
    "move": _moves("moves"),
    "push": _moves("pushed"),
    "swap": _swap,
    "deal": _things_move,
    "short": _says("short", "dealt", "wanted"),
    "remove": _remove,
    "reveal": _reveal,
    "shuffle": _shuffle,
    "set": _set,
    "choose": _choose,
    "draw": _draw,
    "roll": _draw,
    "ready": _says("decided", "player"),
    "announce": _announce,
    "perform": _perform,
    "skip": _skip,
    "pass": _pass,
    "end": _says("ends"),
    "rank": _rank,
    "reach": _reach,
    "defeat": _defeat,
}
