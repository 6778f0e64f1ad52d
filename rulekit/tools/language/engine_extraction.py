"""Message extraction from the engine: its phrases, and the words that stand in the templates of its pages.

In a template words are marked as gettext wants it: `_("…")`, `ngettext` for a plural, `pgettext` where the same words
mean two things.  A comment before them that begins with `note:` is for translators.
"""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO

from rulekit import library
from rulekit.loading import load
from rulekit.source import Span
from rulekit.tools.language import translator_comments
from rulekit.tools.language.message_extraction import Entry, entries
from rulekit.tools.language.messages import PHRASES
from rulekit.tools.language.translation import PAGE
from rulekit.values import evolve

ENGINE = "rulekit"
"""The title of the engine's own catalogue."""
_FUNCTIONS = ("_", "ngettext", "pgettext")
_NOTE = "note:"


def extracted(file: str | None) -> tuple[str, tuple[Entry, ...]]:
    """Title and texts of the game in a file; of the engine if there is no file.  Errors: `RulesError`."""
    if file is None:
        return ENGINE, engine_entries()
    game = load(file)
    return game.title, entries(game, translator_comments.tied_lines(file))


def engine_entries() -> tuple[Entry, ...]:
    """What the engine itself says."""
    found = PHRASES.items()
    phrases = (Entry(id_, said.text, said.plural, (said.note,) if said.note else ()) for id_, said in found)
    return *phrases, *template_entries()


def template_entries() -> tuple[Entry, ...]:
    """The words in all templates; what stands in several is one entry."""
    found: dict[tuple[str, str], Entry] = {}
    for entry in (each for name in library.templates() for each in _marked(name, library.template(name))):
        before = found.setdefault((entry.id, entry.text), entry)
        if before is not entry:
            assert entry.plural in ("", before.plural) or not before.plural, entry
            notes = dict.fromkeys((*before.notes, *entry.notes))
            plural, spans = before.plural or entry.plural, (*before.spans, *entry.spans)
            found[entry.id, entry.text] = evolve(before, plural=plural, notes=tuple(notes), spans=spans)
    return tuple(found.values())


def _marked(name: str, text: str) -> Iterator[Entry]:
    """The marked words of one template, in its order."""
    # Only translators wait for it.
    from jinja2.ext import babel_extract

    marked = babel_extract(BytesIO(text.encode()), _FUNCTIONS, (_NOTE,), {"silent": "no"})
    for line, function, said, notes in sorted(marked, key=lambda one: one[0]):
        first, *rest = [said] if isinstance(said, str) else [part for part in said or () if part is not None]
        spans = (Span(name, line, 1, line, 1),)
        if function == "pgettext":
            yield Entry(f"{PAGE} {first}", rest[0], "", tuple(notes), spans)
        else:
            yield Entry(PAGE, first, rest[0] if rest else "", tuple(notes), spans)
