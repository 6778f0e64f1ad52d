"""The languages in which pages speak: which one somebody wants, the engine's words in it, and those of each game."""

from __future__ import annotations

from functools import lru_cache
from weakref import WeakKeyDictionary

from starlette.requests import Request

from rulekit import library
from rulekit.hosting.table import Table
from rulekit.model.game import Game
from rulekit.record.json_values import rules_digest
from rulekit.tools.language.catalogue_loader import engine_tongue, tongue
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.message_extraction import known
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import define, field

LANGUAGE = "lang"
"""What an address says where a language was chosen."""


@define(eq=False)
class Translations:
    """Each is loaded when it is first wanted.

    What drawings work out once in the words of a seat is kept as long as its table, and for no other seat.
    """

    _known: dict[tuple[str, str], Tongue] = field(init=False, factory=dict)
    _names: WeakKeyDictionary[Table, dict[tuple[int, str], Names]] = field(init=False, factory=WeakKeyDictionary)

    def names(self, table: Table, seat: int, language: str) -> Names:
        """The words of a seat's pages; only for who holds the lock of the table."""
        tongue, setting = self.of(table.game, language), table.state.setting
        kept = self._names.setdefault(table, {})
        found = kept.get((seat, language))
        if found is None or found.setting is not setting or found.tongue is not tongue:
            found = kept[seat, language] = Names(setting, tongue)
        return found

    def of(self, game: Game, language: str) -> Tongue:
        """The words of a game in a language; those it was written in where there are no others."""
        if language not in (SOURCE.language, *library.languages()):
            return SOURCE
        key = rules_digest(game), language
        if key not in self._known:
            self._known[key] = tongue(language, game, known(game))[0]
        return self._known[key]


@lru_cache(maxsize=64)
def own_words(language: str) -> Tongue:
    """The words of pages that are about no game, in one of `languages`."""
    return engine_tongue(language)


def languages() -> tuple[tuple[str, str], ...]:
    """All that there are, the source first, each with its name in itself."""
    return tuple((one, own_words(one).say("language")) for one in (SOURCE.language, *library.languages()))


def chosen(request: Request) -> str:
    """The language that an address names; "" if it names none that is spoken."""
    named = request.query_params.get(LANGUAGE, "")
    return named if named in (SOURCE.language, *library.languages()) else ""


def spoken(request: Request) -> str:
    """The language that was chosen, else the one that a browser likes best among those that there are."""
    liked = (one.partition("-")[0].lower() for one in accepted(request.headers.get("accept-language", "")))
    there = (SOURCE.language, *library.languages())
    return chosen(request) or next((one for one in liked if one in there), SOURCE.language)


def accepted(header: str) -> list[str]:
    """The languages of an `Accept-Language` header (RFC 9110), those that are liked best first."""
    found = [(_weight(rest), name.strip()) for name, _, rest in (one.partition(";") for one in header.split(","))]
    return [name for weight, name in sorted(found, key=lambda one: -one[0]) if weight > 0]


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    try:
        return float(value) if name == "q" else 1.0
    except ValueError:
        return 0.0
