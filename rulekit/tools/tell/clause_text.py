"""A clause in a language, with the options that it names in braces as they were chosen."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from rulekit.model import game as model
from rulekit.play.state.value import Value, notation
from rulekit.record.json_values import option_outward
from rulekit.tools.language.display_names import plain
from rulekit.tools.language.translation import SOURCE, Tongue

_DEFAULTS: Mapping[str, Value] = MappingProxyType({})


def clause_words(game: model.Game, id_: str, tongue: Tongue = SOURCE, options: Mapping[str, Value] = _DEFAULTS) -> str:
    """The words of a clause.  options: chosen by meaning; the others have their defaults."""
    text = game.clauses[id_].text
    return tongue.text(id_, text, **(option_words(game, options, tongue) if "{" in text else {}))


def option_words(game: model.Game, options: Mapping[str, Value], tongue: Tongue) -> dict[str, str]:
    """Each option's value as a clause may name it: `{fewest}`."""
    return {option.name: value_words(option, options, tongue) for option in game.options}


def value_words(option: model.Option, options: Mapping[str, Value], tongue: Tongue) -> str:
    value = options[option.name] if option.name in options else option_outward(option, option.default)
    name = notation(value)
    for reading, text in option.readings:
        if reading == name:
            return tongue.text(f"reading {option.name}.{reading}", text or plain(reading))
    return _plain_value(value, tongue)


def _plain_value(value: object, tongue: Tongue) -> str:
    if isinstance(value, bool):
        return tongue.say("yes" if value else "no")
    if isinstance(value, tuple):
        return tongue.listed([str(item) for item in value]) or tongue.say("none")
    return str(value)
