"""A phrase of the engine to be translated later (a lazy message): made in one place, put into words in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.values import field, frozen


@frozen(init=False)
class Message:
    """id: of the phrase; values: what fills its places, sayings too; number: what its form depends on, if on anything.

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
        values = {
            name: value.by(tongue) if isinstance(value, Message) else value for name, value in self.values.items()
        }
        values |= {name: tongue.words(*text) for name, text in self.texts.items()}
        return tongue.say(self.id, **values) if self.number is None else tongue.counted(self.id, self.number, **values)

    def __str__(self) -> str:
        return self.by(SOURCE)


Text = Message | str
"""Words of the engine; or what the rules themselves write, in whatever language."""


def all_of(parts: Sequence[Text]) -> Text:
    """`a`, `a and b`, `a, b and c`; at least one."""
    whole = parts[0]
    for part in parts[1:-1]:
        whole = Message("comma", words=whole, next=part)
    return whole if len(parts) == 1 else Message("and", words=whole, last=parts[-1])


def in_words(said: Text, tongue: Tongue) -> str:
    """What is said, in a language; a text that is none of the engine's stays as it is."""
    return said.by(tongue) if isinstance(said, Message) else said
