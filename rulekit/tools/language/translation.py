"""Message lookup in one language (gettext: translations): what the engine and a game say.

A `Tongue` gives the words for an id; where a catalogue has none it gives the
source text.  Placeholders are filled here and by nothing else: a name in
braces becomes the text given for it, and no text is ever run or looked into.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from rulekit.diagnostics import printable
from rulekit.source import PLACEHOLDER
from rulekit.tools.language.messages import PHRASES
from rulekit.values import field, frozen

_A_WORD = re.compile(r"[^\W\d_]{2}")
_BLANKS = re.compile(r" {2,}")
_THIN = "\N{NARROW NO-BREAK SPACE}"

PAGE = "page"
"""The id of all words that stand in the templates of pages; behind it a context, if they have one."""
Forms = tuple[str, ...]
"""A translation for each plural form, or one alone."""


def english_plural(count: int) -> int:
    """The index of the English plural form: 0 for one, else 1."""
    return 0 if count == 1 else 1


def english_suffix(number: int) -> str:
    """What stands behind a number as a place in a row: `st` of `1st`."""
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


@frozen(eq=False)
class Tongue:
    """The texts of one language; without any, those of the source.

    phrases:  the engine's; texts: the game's.  Each by id and source text, with its plural forms.
    forms:    of names and sentences of the game, as far as the language needs other ones than it has names for.
    notes:    what is told behind texts of the game, by id and source text.
    phrase_form, text_form:  the index of the plural form that a number takes.
    """

    language: str = "en"
    phrases: Mapping[tuple[str, str], Forms] = field(factory=dict, repr=False)
    texts: Mapping[tuple[str, str], Forms] = field(factory=dict, repr=False)
    forms: Mapping[str, str] = field(factory=dict, repr=False)
    phrase_form: Callable[[int], int] = english_plural
    text_form: Callable[[int], int] = english_plural
    notes: Mapping[tuple[str, str], str] = field(factory=dict, repr=False)
    _by_words: dict[tuple[str, str], str] = field(factory=dict, init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        for (id_, source), forms in self.texts.items():
            self._by_words.setdefault((id_.partition(" ")[0], source), forms[0])

    @property
    def is_source(self) -> bool:
        return not self.phrases and not self.texts

    # ------------------------------------------------------------ the engine's own

    def say(self, id_: str, **values: object) -> str:
        """A phrase of the engine, with its placeholders filled."""
        return self._said(id_, PHRASES[id_].text, values)

    def count(self, id_: str, number: int, **values: object) -> str:
        """The form of a phrase for a number, which also fills `{count}`."""
        source = PHRASES[id_]
        return self._numbered(id_, source.text, source.plural, number, values)

    def _said(self, id_: str, source: str, values: Mapping[str, object]) -> str:
        forms = self.phrases.get((id_, source))
        return filled(forms[0] if forms else source, values)

    def _numbered(self, id_: str, source: str, plural: str, number: int, values: Mapping[str, object]) -> str:
        forms = self.phrases.get((id_, source))
        text = forms[self.phrase_form(number)] if forms else (source, plural)[english_plural(number)]
        return filled(text, {"count": number, **values})

    def ordinal(self, number: str) -> str:
        """A place in a row: `1st`; in other languages the number, to which their phrase adds what they write."""
        return number + english_suffix(int(number)) if self.is_source else number

    def counted(self, id_: str, number: int, **values: object) -> str:
        """The same of a number that may be large."""
        return self.count(id_, number, **{"count": self.grouped(number), **values})

    def grouped(self, number: int) -> str:
        """A number with its thousands apart."""
        return self.with_separators(f"{number:,}")

    def with_separators(self, shown: str) -> str:
        """A number that is written with commas, as the language sets its thousands apart.

        A comma is a decimal sign in half of the languages.
        """
        return shown if self.is_source else shown.replace(",", _THIN)

    def listed(self, words: Sequence[str]) -> str:
        """`a`, `a and b`, `a, b and c`."""
        return self._joined(words, "and")

    def either(self, words: Sequence[str]) -> str:
        """`a`, `a or b`, `a, b or c`."""
        return self._joined(words, "or")

    def _joined(self, words: Sequence[str], phrase: str) -> str:
        if len(words) < 2:
            return "".join(words)
        before = words[0]
        for word in words[1:-1]:
            before = self.say("comma", words=before, next=word)
        return self.say(phrase, words=before, last=words[-1])

    # ------------------------------------------------------------ what stands in templates

    def gettext(self, source: str, /, **values: object) -> str:
        """The words of a page, which are known by themselves."""
        return self._said(PAGE, source, values)

    def ngettext(self, source: str, plural: str, number: int, /, **values: object) -> str:
        """The form of the words of a page for a number, which also fills `{count}`."""
        return self._numbered(PAGE, source, plural, number, values)

    def pgettext(self, context: str, source: str, /, **values: object) -> str:
        """Words of a page that mean something else elsewhere."""
        return self._said(f"{PAGE} {context}", source, values)

    # ------------------------------------------------------------ the game's

    def text(self, id_: str, source: str, **values: object) -> str:
        """A text of the game by its id; control characters are shown as escapes."""
        forms = self.texts.get((id_, source))
        found = filled(forms[0] if forms else printable(source), values)
        return f"{found} {self.notes[id_, source]}" if (id_, source) in self.notes else found

    def has(self, id_: str, source: str) -> bool:
        """Whether there is a translation, under this id or for these words."""
        return (
            (id_, source) in self.texts or (id_.partition(" ")[0], source) in self._by_words or not needs_words(source)
        )

    def number(self, id_: str, source: str, plural: str, number: int) -> str:
        """The form of a game's text for a number."""
        forms = self.texts.get((id_, source))
        text = forms[self.text_form(number)] if forms else (source, plural)[english_plural(number)]
        return filled(printable(text) if not forms else text, {"count": number})

    def form(self, id_: str, **values: object) -> str | None:
        """A form of a name, or a sentence, that the language has of its own; None if it has none."""
        text = self.forms.get(id_)
        return None if text is None else filled(text, values)

    def words(self, sort: str, source: str) -> str:
        """A text that is looked up by its sort and its words, not by an id: a prompt, the label of a way, a step."""
        return self._by_words.get((sort, source), printable(source))


SOURCE = Tongue()
"""Everything as the rules file and the engine have it."""


def needs_words(text: str) -> bool:
    """Whether there is anything to translate: two letters in a row outside of placeholders."""
    return _A_WORD.search(PLACEHOLDER.sub("", text)) is not None


def filled(text: str, values: Mapping[str, object]) -> str:
    """A text with its placeholders filled; without values it stays as it is, braces and all.

    Where a value is empty, so is one of the blanks around it.
    """
    if not values:
        return text
    done = PLACEHOLDER.sub(lambda found: str(values.get(found[1], found[0])), text)
    return _BLANKS.sub(" ", done).strip() if "" in values.values() else done


def placeholders(text: str) -> frozenset[str]:
    """The names of the placeholders in a text."""
    return frozenset(PLACEHOLDER.findall(text))


def has_stray_braces(text: str) -> bool:
    """Whether there are braces that are no plain placeholder: `{x.y}`, `{0}`, `{`."""
    return bool(set(PLACEHOLDER.sub("", text)) & set("{}"))
