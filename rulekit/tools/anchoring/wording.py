"""The wording of a game in a language: its clauses, and what it calls the things that its rules name."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from rulekit import library
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.language.po_files import Broken, Translated, read_po
from rulekit.tools.language.translation import SOURCE
from rulekit.values import field, frozen


@frozen
class Wording:
    """texts: by clause its translation, else its own words; names: by word of the rules those of the language.

    is_foreign:  whether nothing is known of the language, so that a book shares only numbers with the clauses.
    """

    texts: Mapping[str, str] = field(repr=False)
    names: Mapping[str, tuple[str, ...]] = field(repr=False)
    is_foreign: bool = False


def wording(rules: str, language: str, known: AuditedRules) -> Wording:
    """What a game is called in a language, as far as there is a translation beside it."""
    own = {id_: clause.text for id_, clause in known.rules.game.clauses.items()}
    entries = [entry for entry in _entries(rules, language) if entry.forms and entry.forms[0]]
    translated = {entry.id: entry.forms[0] for entry in entries if entry.id in own}
    names: dict[str, list[str]] = defaultdict(list)
    for entry in entries:
        if entry.id not in own:
            names[re.split(r"[ .]", entry.id)[-1].lower()] += entry.forms
    is_foreign = language != SOURCE.language and not translated
    return Wording(own | translated, {word: tuple(forms) for word, forms in names.items()}, is_foreign)


def _entries(rules: str, language: str) -> tuple[Translated, ...]:
    path = library.catalogue(rules, language)
    try:
        return tuple(read_po(library.read_catalogue(path)).entries) if path is not None else ()
    except Broken:
        return ()
