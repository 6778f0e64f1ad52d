"""The languages in which pages speak: of each game those of its catalogues."""

from __future__ import annotations

from attrs import define, field

from rulekit import library
from rulekit.model.game import Game
from rulekit.record.json_values import rules_digest
from rulekit.tools.language.catalogue_loader import tongue
from rulekit.tools.language.message_extraction import known
from rulekit.tools.language.translation import SOURCE, Tongue


@define(eq=False)
class Translations:
    """Each is loaded when it is first wanted."""

    _known: dict[tuple[str, str], Tongue] = field(init=False, factory=dict)

    def of(self, game: Game, language: str) -> Tongue:
        """The words of a game in a language; those it was written in where there are no others."""
        if language not in library.languages():
            return SOURCE
        key = rules_digest(game), language
        if key not in self._known:
            self._known[key] = tongue(language, game, known(game))[0]
        return self._known[key]


def languages() -> tuple[str, ...]:
    """All that there are, the source first."""
    return SOURCE.language, *library.languages()
