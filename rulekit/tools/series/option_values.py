"""Option values from a command line: `NAME=VALUE` and the name of a ruleset, as values for `engine.start`.

A wrong name or value is a `BadSetup` with the nearest right word.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from rulekit.diagnostics import nearest, printable
from rulekit.model.game import Game, Option
from rulekit.play.state.errors import BadSetup
from rulekit.play.state.value import Value
from rulekit.record.json_values import option_outward

_SHOWN = 40
"""How much of a refused text a message shows."""
_NUMBER = re.compile(r"-?[0-9]{1,16}")


def chosen(game: Game, ruleset: str | None, written: Iterable[str]) -> dict[str, Value]:
    """The options of a ruleset, then those written as `NAME=VALUE`, which override them.  Errors: `BadSetup`."""
    result = {} if ruleset is None else _of_ruleset(game, ruleset)
    given: set[str] = set()
    for text in written:
        name, equals, value = text.partition("=")
        name = name.strip()
        option = game.option(name)
        if option is None:
            raise BadSetup(_no_such("option", name, [each.name for each in game.options]))
        if not equals:
            raise BadSetup(f"an option is written `{name}=VALUE`; {_values(option)}")
        if name in given:
            raise BadSetup(f"the option `{name}` is given twice")
        given.add(name)
        result[name] = value_of(option, value.strip())
    return result


def _of_ruleset(game: Game, name: str) -> dict[str, Value]:
    ruleset = next((each for each in game.rulesets if each.name == name), None)
    if ruleset is None:
        raise BadSetup(_no_such("ruleset", name, [each.name for each in game.rulesets]))
    options = {option.name: option for option in game.options}
    return {option: option_outward(options[option], value) for option, value in ruleset.choices}


def _no_such(what: str, name: str, known: list[str]) -> str:
    hint = nearest(name, known) or f"the {what}s are: {', '.join(known) or '(none)'}"
    return f"there is no {what} `{_short(name)}`; {hint}"


def value_of(option: Option, text: str) -> Value:
    """The value that a text means for an option; raises `BadSetup`."""
    names = words_of(option)
    if not names:
        return _set(option, text) if option.type.is_set else _number(option, text)
    if text not in names:
        raise _wrong(option, text, nearest(text, names))
    return text if option.readings else text == "yes"


def words_of(option: Option) -> list[str]:
    """The words that stand for its values: its readings, or no and yes; none for numbers."""
    return [name for name, _ in option.readings] or (["no", "yes"] if option.type.name == "flag" else [])


def _number(option: Option, text: str) -> Value:
    if _NUMBER.fullmatch(text) and option.low <= int(text) <= option.high:
        return int(text)
    raise _wrong(option, text)


def _set(option: Option, text: str) -> Value:
    inside = text[1:-1] if text.startswith("[") and text.endswith("]") else text
    if not inside.strip():
        return ()
    words = [word.strip() for word in inside.split(",")]
    if all(_NUMBER.fullmatch(word) and option.low <= int(word) <= option.high for word in words):
        return tuple(sorted({int(word) for word in words}))
    raise _wrong(option, text)


def _wrong(option: Option, text: str, hint: str = "") -> BadSetup:
    return BadSetup(f"`{option.name}` cannot be `{_short(text)}`; {hint or _values(option)}")


def _short(text: str) -> str:
    return printable(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}...")


def _values(option: Option) -> str:
    if option.readings:
        return f"it is one of {', '.join(name for name, _ in option.readings)}"
    if option.type.name == "flag":
        return "it is yes or no"
    what = "a set of numbers such as 1,2, each" if option.type.is_set else "a number"
    return f"it is {what} from {option.low} to {option.high}"
