"""Agreement of articles with the terms of a glossary: gender and number, in the languages that have both.

A term whose gender a glossary gives has its singular first and its plural
second.  What stands right before such a word, if it is an article, must go
with it; nothing else of grammar is looked at.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from rulekit.tools.rulebook.glossary import Term

_PREPOSITIONS = ("d", "a", "da", "ne", "su")


def _contracted(*endings: str) -> tuple[str, ...]:
    """Italian prepositions grown together with an article: `dello`, `allo`, `dallo`."""
    whole = {"d": "de", "a": "a", "da": "da", "ne": "ne", "su": "su"}
    return tuple(whole[preposition] + ending for preposition, ending in product(_PREPOSITIONS, endings))


ARTICLES: dict[str, dict[tuple[str, bool], tuple[str, ...]]] = {
    "it": {
        ("m", False): ("il", "lo", "l'", "un", "uno", *_contracted("l", "llo", "ll'")),
        ("f", False): ("la", "l'", "una", "un'", *_contracted("lla", "ll'")),
        ("m", True): ("i", "gli", *_contracted("i", "gli")),
        ("f", True): ("le", *_contracted("lle")),
    },
    "de": {
        ("m", False): ("der", "den", "dem", "des", "ein", "einen", "einem", "eines", "vom", "zum", "im", "am", "beim"),
        ("f", False): ("die", "der", "eine", "einer", "zur"),
        ("n", False): ("das", "dem", "des", "ein", "einem", "eines", "vom", "zum", "im", "am", "beim", "ins", "ans"),
        **{(gender, True): ("die", "der", "den") for gender in "mfn"},
    },
}
"""By language, gender and whether it is a plural: the articles that may stand before a noun, in any case."""


def disagreements(term: Term, text: str, language: str) -> Iterator[str]:
    """The articles of a text that do not go with a term behind them, each with it."""
    known = ARTICLES.get(language, {})
    if not term.gender or not known:
        return
    any_article = "|".join(
        sorted({re.escape(word) for words in known.values() for word in words}, key=len, reverse=True)
    )
    singular, plural = term.words[0], term.words[1] if len(term.words) > 1 else term.words[0]
    for word in dict.fromkeys((singular, plural)):
        numbers = [many for many, of in ((False, singular), (True, plural)) if of == word]
        fitting = {article for many in numbers for article in known[term.gender, many]}
        if word == plural and _is_weak(term, language):
            fitting |= {*known["m", False]} - {"der", "ein"}
        for found in re.finditer(rf"(?<!\w)({any_article})\s*(?<=['\s]){re.escape(word)}(?!\w)", text, re.IGNORECASE):
            if found[1].lower() not in fitting:
                yield found[0]


def _is_weak(term: Term, language: str) -> bool:
    """Whether a German masculine looks in other cases as in the plural: `der Affe`, `dem Affen`."""
    singular, plural = term.words[0], term.words[1] if len(term.words) > 1 else ""
    return language == "de" and term.gender == "m" and plural in (f"{singular}n", f"{singular}en")
