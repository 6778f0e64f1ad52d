"""A phrase of the engine that is in no language yet: found in one place, said in another."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import field, frozen

from rulekit.tools.translate import SOURCE, Tongue


@frozen(init=False)
class Saying:
    """id: of the phrase; values: what fills its places; number: what its form depends on, if on anything.

    texts:  places filled with a text of the game that is known by its words alone: their sort and these words.
    """

    id: str
    values: Mapping[str, object]
    number: int | None = None
    texts: Mapping[str, tuple[str, str]] = field(factory=dict)

    def __init__(
        self,
        id_: str,
        number: int | None = None,
        texts: Mapping[str, tuple[str, str]] | None = None,
        **values: object,
    ) -> None:
        self.__attrs_init__(id_, values, number, texts or {})

    def by(self, tongue: Tongue) -> str:
        """The words in a language."""
        values = {**self.values, **{name: tongue.words(*text) for name, text in self.texts.items()}}
        return tongue.say(self.id, **values) if self.number is None else tongue.count(self.id, self.number, **values)

    def __str__(self) -> str:
        return self.by(SOURCE)


def in_words(said: Saying | str, tongue: Tongue) -> str:
    """What is said, in a language; a text that is none of the engine's stays as it is."""
    return said.by(tongue) if isinstance(said, Saying) else said
