"""Loading message catalogues: PO files become a `Tongue`.

What is broken in a file is a finding and left out, so that the source text stands in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from rulekit import library
from rulekit.diagnostics import WARNING, Diagnostic, Problems, nearest, printable, printable_translation
from rulekit.model import ops
from rulekit.model.game import Game
from rulekit.source import Source, Span
from rulekit.tools.gettext_files.languages import is_same_language, nearest_code
from rulekit.tools.language.distinct_names import alike
from rulekit.tools.language.messages import PHRASES
from rulekit.tools.language.plural_forms import Form, plural_forms
from rulekit.tools.language.po_files import Broken, Written, read_po, report_faults
from rulekit.tools.language.translation import (
    PAGE,
    SOURCE,
    Forms,
    Tongue,
    english_plural,
    has_stray_braces,
    placeholders,
)
from rulekit.values import evolve, frozen

_FEWEST = 5
"""A catalogue of which not even one entry in so many is of this game is another game's."""
_NUMBERS = 203
"""Numbers that are tried to see whether a plural form is for one alone; up to 202 they come in every sort."""

Known = Mapping[tuple[str, str], str]
"""Source texts by id, each with its plural or ""."""


@frozen
class Read:
    """One catalogue, or several, as far as they can be used.  spans: where each text stands."""

    forms: dict[tuple[str, str], Forms]
    form: Callable[[int], int]
    spans: dict[tuple[str, str], Span]


def tongue(language: str, game: Game, known: Known) -> tuple[Tongue, list[Diagnostic], dict[str, Source]]:
    """The language for a game, with findings about its catalogues and the sources that these point into.

    known:  the texts of the game.  English needs no catalogue.
    """
    problems, sources = Problems(), dict[str, Source]()
    forms = forms_of(game, language, problems, sources)
    if language == SOURCE.language:
        return (evolve(SOURCE, forms=forms) if forms else SOURCE), problems.found, sources
    files = [path for name, _ in game.sources if (path := library.catalogue(name, language)) is not None]
    own = library.phrase_catalogue(language)
    if not files and own is None:
        title = f"there are no texts in the language `{printable(language)}`; what follows is in English"
        place = Span(game.sources[0][0] if game.sources else "<text>", 0, 0, 0, 0)
        problems.warn("unknown-language", title, place, hint=_spoken(language))
    texts = _all_of(files, known, game.title, problems, sources)
    _leave_out_alike(game, texts, problems)
    engine = _engine(own, problems, sources)
    found = Tongue(language, engine.forms, texts.forms, forms, engine.form, texts.form)
    return found, problems.found, sources


_OF_PIECES = frozenset({"piece", "owner", "origin", "goal", "steps", "direction", "way"})
_OF_THINGS = frozenset({"owner", "giver", "taker", "things", "count"})
_PLACES = {
    "from": _OF_THINGS,
    "to": frozenset({"owner"}),
    "move": _OF_PIECES,
    "push": _OF_PIECES,
    "swap": _OF_PIECES,
    "leave": _OF_PIECES,
    "put": _OF_PIECES | _OF_THINGS,
    "stay": frozenset({"piece", "owner", "goal"}),
    "skip": frozenset({"things"}),
    "remove": frozenset({"owner", "things", "count"}),
    "shuffle": frozenset({"owner"}),
    "reveal": frozenset({"owner", "value", "index"}),
    "set": frozenset({"owner", "value", "index"}),
    "choose": frozenset({"player", "answer", "number"}),
    "draw": frozenset({"drawn"}),
    "object": frozenset({"owner", "number", "title"}),
    "thing": frozenset({"title"}),
    "title": frozenset[str](),
    "many": frozenset[str](),
    "at": frozenset({"title"}),
    "perform": frozenset({"thing", "owner"}),
    "way": frozenset({"steps", "direction"}),
    "seat": frozenset[str](),
}
"""What a form may be of, with its placeholders: a place where things lie, what is done to it, an answer, a thing."""


def forms_of(game: Game, language: str, problems: Problems, sources: dict[str, Source]) -> dict[str, str]:
    """Sentences and forms of names by their ids, from lines `from hand = out of {owner}'s hand`."""
    path = library.forms(game.sources[0][0], language) if game.sources else None
    if path is None:
        return {}
    source = library.read(path)
    sources[source.name] = source
    names = _named(game)
    found: dict[str, str] = {}
    for line, span in source.entries():
        id_, sign, text = (part.strip() for part in line.partition("="))
        verb, *words = id_.split() or [""]
        if not id_:
            problems.warn("unknown-form", "no name stands before `=`", span, hint="write `set points = …`")
        elif not sign:
            problems.warn("unknown-form", f"`{id_}` has no text: there is no `=`", span, hint=f"write `{id_} = …`")
        elif verb not in _PLACES or not words:
            hint = nearest(verb, _PLACES) or f"a form is of {', '.join(_PLACES)}"
            problems.warn("unknown-form", f"`{id_}` is no form of a name of this game", span, hint=hint)
        elif strangers := _unnamed(verb, words, names):
            hint = nearest(strangers[0], names)
            problems.warn("unknown-form", f"`{id_}` is no form of a name of this game", span, hint=hint)
        elif strange := placeholders(text) - _PLACES[verb]:
            title = f"`{id_}` has no place {', '.join(f'{{{name}}}' for name in sorted(strange))}"
            problems.warn("wrong-placeholders", title, span)
        else:
            found[id_] = printable_translation(text)
    return found


def _unnamed(verb: str, words: list[str], names: set[str]) -> list[str]:
    """What a form is of and no name of the game, as both piles of `from deck to hand`."""
    of = words[:1] if verb != "from" or words[1:2] != ["to"] else [words[0], *words[2:3]]
    return [] if verb in ("seat", "way") else [word for word in of if word not in names]


def _named(game: Game) -> set[str]:
    asked = {op.name for code in game.codes for op in code.ops if isinstance(op, ops.Ask)}
    acting = {code.name.partition(" ")[0] for code in game.codes}
    drawn = {op.stream for code in game.codes for op in code.ops if isinstance(op, ops.Draw)}
    left_out = {op.step for code in game.codes for op in code.ops if isinstance(op, ops.Skip)}
    declared = {variable.name for variable in game.variables} | {*game.kinds, *game.places}
    return declared | asked | acting | drawn | left_out


def engine_tongue(language: str) -> Tongue:
    """The language for what the engine says beside any game; English if it is not spoken."""
    own = library.phrase_catalogue(language)
    engine = _engine(own, Problems(), {})
    return SOURCE if own is None else Tongue(language, engine.forms, {}, {}, engine.form)


def _engine(file: Path | None, problems: Problems, sources: dict[str, Source]) -> Read:
    return _all_of([] if file is None else [file], phrases_known(), "", problems, sources)


def phrases_known() -> Known:
    """The texts of the engine, but for those that stand in templates."""
    return {(id_, phrase.text): phrase.plural for id_, phrase in PHRASES.items()}


def _spoken(language: str) -> str:
    there = ["en", *library.languages()]
    right = nearest_code(language)
    if right not in ("", language):
        return f"did you mean `{right}`?"
    return nearest(language, there) or f"there are {', '.join(there)}; another one begins with `rulekit text extract`"


def _all_of(files: Iterable[Path], known: Known, title: str, problems: Problems, sources: dict[str, Source]) -> Read:
    """Several files as one: the first that has a text says it."""
    whole = Read({}, english_plural, {})
    for place, path in enumerate(files):
        found = catalogue(path, known, title, problems, sources)
        if found is not None:
            for key, forms in found.forms.items():
                whole.forms.setdefault(key, forms)
                whole.spans.setdefault(key, found.spans[key])
            whole = evolve(whole, form=found.form if not place else whole.form)
    return whole


def catalogue(path: Path, known: Known, title: str, problems: Problems, sources: dict[str, Source]) -> Read | None:
    """What can be used of one file; adds a finding with its line for all that cannot."""
    try:
        source = library.read_catalogue(path)
        sources[source.name] = source
        written = read_po(source)
    except library.Unreadable as fault:
        found = fault.finding
        problems.add(found.code, found.title, found.span, note=found.note, hint=found.hint, level=WARNING)
        return None
    except Broken as fault:
        problems.warn("broken-catalogue", f"this is no PO file: {fault}", _at(str(path), fault.line))
        return None
    if is_foreign(written, known):
        words = f"these are not the texts of {title or 'the engine'}"
        problems.warn("foreign-catalogue", words, _at(source.name, 1), hint=_without_ids(written, known))
        return None
    _report_entries(source.name, written, path.stem.rpartition(".")[2], problems)
    return _usable(source.name, written, known, problems)


def _report_entries(name: str, written: Written, language: str, problems: Problems) -> None:
    """Report entries that cannot be read or stand there twice, and a header that names another language."""
    report_faults(written, name, problems)
    if not is_same_language(written.language or language, language):
        title = f"the header of this catalogue says that its language is `{printable(written.language)}`"
        problems.warn("other-language", title, _at(name, 1), hint=f"`Language: {language}` belongs there")


def _at(name: str, line: int) -> Span:
    return Span(name, line, 1, line, 1)


def is_foreign(written: Written, known: Known) -> bool:
    """Return whether too few entries of a catalogue are of this game, by ids and words."""
    here = sum((entry.id, entry.text) in known for entry in written.entries)
    ids = {id_ for id_, _ in known}
    alike = sum(entry.id in ids for entry in written.entries)
    return bool(written.entries) and max(here, alike // 2) * _FEWEST < len(written.entries)


def _without_ids(written: Written, known: Known) -> str:
    """What to do with a catalogue that has the right words, as it comes back from a tool that drops ids."""
    texts = {text for _, text in known}
    here = sum(entry.text in texts for entry in written.entries)
    return "" if here * _FEWEST < len(written.entries) else "its ids are lost; `rulekit text merge` finds them again"


def _usable(name: str, written: Written, known: Known, problems: Problems) -> Read:
    plurals = plural_forms(written.plurals)
    if plurals is None:
        title = f"the plural forms `{written.plurals}` cannot be understood"
        problems.warn("wrong-plurals", title, _at(name, 1), hint="write `nplurals=2; plural=(n != 1);` in the header")
    forms: dict[tuple[str, str], Forms] = {}
    for entry in written.entries:
        # What stands in templates is not looked for: that would take longer than all the rest.
        is_known = (entry.id, entry.text) in known or entry.id.partition(" ")[0] == PAGE
        if not all(entry.forms) or entry.fuzzy or not is_known:
            continue
        fault = translation_fault(entry.text, entry.plural, entry.forms, plurals)
        if fault:
            code = "wrong-plurals" if "plural" in fault else "wrong-placeholders"
            problems.warn(code, f"{fault} in the translation of {entry.id}", _at(name, entry.line))
        elif not (entry.plural and plurals is None):
            forms[entry.id, entry.text] = tuple(map(printable_translation, entry.forms))
    spans = {(entry.id, entry.text): _at(name, entry.line) for entry in written.entries}
    return Read(forms, english_plural if plurals is None else plurals[1], spans)


def _leave_out_alike(game: Game, texts: Read, problems: Problems) -> None:
    """Take out what has one name for two things that must be told apart; adds a finding for each pair."""
    by_words = {(id_.partition(" ")[0], text): (id_, text) for id_, text in reversed(texts.forms)}
    ways = {("way", text): key for (sort, text), key in by_words.items() if sort == "way"}
    keys = {key: key for key in texts.forms} | ways
    for pair in list(alike(game, {name: texts.forms[key][0] for name, key in keys.items()})):
        translated = [keys[name] for name in pair if name in keys]
        title = f"there is one name for “{pair[0][1]}” and “{pair[1][1]}”"
        problems.warn("same-name", title, texts.spans[translated[-1]], hint="give each a name of its own")
        for key in translated:
            texts.forms.pop(key, None)


def translation_fault(source: str, plural: str, forms: Forms, plurals: tuple[int, Form] | None) -> str:
    """Return what is wrong with the forms of a translation, "" if nothing is."""
    count = None if plurals is None else plurals[0]
    if bool(plural) != (len(forms) > 1) and count != 1:
        return "a plural is wanted, and one form is given" if plural else "plural forms are given where none is wanted"
    if plural and count is not None and len(forms) != count:
        return f"{len(forms)} plural forms stand where the header says {count}"
    wanted = placeholders(source) | placeholders(plural)
    for index, form in enumerate(forms):
        if has_stray_braces(form) and not has_stray_braces(source):
            return "braces that are no placeholder"
        made_up, lost = placeholders(form) - wanted, wanted - placeholders(form)
        if made_up:
            return f"the placeholder {{{min(made_up)}}} is made up"
        # One thing may go without its number: `a card`.
        if plural and "count" in lost and _is_form_of_one(index, plurals):
            lost = lost - {"count"}
        if lost:
            return f"the placeholder {{{min(lost)}}} is lost"
    return ""


def _is_form_of_one(index: int, plurals: tuple[int, Form] | None) -> bool:
    """Return whether a plural form is for the number one alone; the first one, where the forms are not known."""
    if plurals is None:
        return index == 0
    return all((plurals[1](number) == index) == (number == 1) for number in range(_NUMBERS))
