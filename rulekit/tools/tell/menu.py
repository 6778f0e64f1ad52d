"""A decision as a numbered menu, and what somebody types as its answer.

Where all options are numbers, or things with numbers, a menu goes by those,
so that card 3 is never line 2.
"""

from __future__ import annotations

import re

from rulekit.diagnostics import printable
from rulekit.errors import RulekitError
from rulekit.model.game import Game
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Ref, Value, notation
from rulekit.tools.language.display_names import Names, plain
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import frozen

_MANY = 12
_NOTHING_KEY = "0"


class NotAnAnswer(RulekitError):
    """What was typed answers nothing; its text says what would."""


@frozen
class Entry:
    """key: what is typed."""

    key: str
    text: str
    value: Value


@frozen
class Menu:
    """span: first and last number where any number between may be typed, instead of a long list."""

    entries: tuple[Entry, ...]
    least: int
    most: int
    several: bool
    span: tuple[int, int] | None = None


def menu(decision: Decision, names: Names) -> Menu:
    keys = _keys(decision.options, names)
    pairs = zip(keys, decision.options, strict=True)
    entries = tuple(Entry(key, _shown(decision, value, key, names), value) for key, value in pairs)
    span = None if decision.several else _span(decision.options)
    return Menu(entries, decision.least, decision.most, decision.several, span)


def _keys(options: tuple[Value, ...], names: Names) -> list[str]:
    numbers = [_number(value, names) for value in options if value is not None]
    spare = None not in options or _NOTHING_KEY not in numbers
    if spare and all(number is not None for number in numbers) and len(set(numbers)) == len(numbers):
        return [_number(value, names) or _NOTHING_KEY for value in options]
    return [str(place) for place in range(1, len(options) + 1)]


def _number(value: Value, names: Names) -> str | None:
    """The number that people know an option by, if it has one."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, Ref) and re.fullmatch("0|[1-9][0-9]*", value.key) and not names.is_renamed(value):
        return value.key
    return None


def _shown(decision: Decision, value: Value, key: str, names: Names) -> str:
    text = _text(value, key, names)
    return names.filled(text, decision.values) if isinstance(value, str) else text


def _text(value: Value, key: str, names: Names) -> str:
    """What stands behind the number; a number is not said once more, a thing without a title is: `column 4`."""
    if value is None:
        return names.tongue.say("none")
    text = names.entry(value)
    if isinstance(value, Ref) and text == value.key and text.isdigit():
        return names.ref(value)
    if text == key:
        return ""
    titled = re.fullmatch(rf"{re.escape(key)} \((.*)\)", text)
    return titled[1] if titled else text


def _span(options: tuple[Value, ...]) -> tuple[int, int] | None:
    if len(options) <= _MANY:
        return None
    numbers = [value for value in options if isinstance(value, int) and not isinstance(value, bool)]
    if len(numbers) < len(options) or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return None
    return numbers[0], numbers[-1]


def asked(decision: Decision, tongue: Tongue) -> str:
    """The name of what is chosen."""
    return tongue.words("asked", plain(decision.name))


def how(shown: Menu, tongue: Tongue = SOURCE) -> str:
    """What may be typed, in words."""
    say = tongue.say
    if shown.span:
        return say("how-span", low=shown.span[0], high=shown.span[1])
    if not shown.several:
        return say("how-one")
    if shown.least == shown.most:
        return tongue.count("how-some", shown.most)
    return say("how-range" if shown.least else "how-range-or-nothing", low=shown.least, high=shown.most)


def _how_of(shown: Menu, tongue: Tongue) -> str:
    """What may be typed, with the numbers themselves, for who typed something else."""
    if shown.span:
        return how(shown, tongue)
    return tongue.say("how-of", how=how(shown, tongue), numbers=", ".join(_runs([e.key for e in shown.entries])))


def _runs(keys: list[str]) -> list[str]:
    """Numbers as few words: three or more in a row as `3-5`."""
    runs: list[list[str]] = []
    for key in keys:
        if runs and int(key) == int(runs[-1][-1]) + 1:
            runs[-1].append(key)
        else:
            runs.append([key])
    return [word for run in runs for word in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else run)]


def answer(shown: Menu, text: str, tongue: Tongue = SOURCE) -> Value:
    """The value that was typed, by its number or its name; raises `NotAnAnswer`."""
    if not shown.several:
        return _entry(shown, text, (), tongue).value
    taken: list[Entry] = []
    for word in re.split(r"[\s,]+", text.strip()):
        if word:
            taken.append(_entry(shown, word, tuple(taken), tongue))
    if not shown.least <= len(taken) <= shown.most:
        raise NotAnAnswer(tongue.say("please-type", how=_how_of(shown, tongue)))
    return tuple(entry.value for entry in shown.entries if any(entry is each for each in taken))


def _entry(shown: Menu, text: str, taken: tuple[Entry, ...], tongue: Tongue) -> Entry:
    word = text.strip().lower()
    if not word:
        raise NotAnAnswer(tongue.say("please-type", how=_how_of(shown, tongue)))
    for entry in shown.entries:
        if word == entry.key and not any(entry is each for each in taken):
            return entry
    named = [entry for entry in shown.entries if word in (entry.text.lower(), notation(entry.value).lower())]
    left = [entry for entry in named if not any(entry is each for each in taken)]
    if left:
        return left[0]
    raise NotAnAnswer(tongue.say("not-among", text=printable(text.strip()[:40]), how=_how_of(shown, tongue)))


def clauses_of(game: Game, option: Value) -> tuple[str, ...]:
    """The clauses that say what a card, space or word on offer does."""
    if not isinstance(option, Ref) or option.kind not in game.kinds:
        return ()
    members = (member for member in game.kinds[option.kind].members if member.key == option.key)
    return tuple(name for m in members if m.code is not None for name in game.codes[m.code].cites)
