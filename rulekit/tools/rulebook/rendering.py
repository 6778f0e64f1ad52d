"""Rendering of a rulebook with templates (Jinja): HTML that needs no other file, Markdown, or PDF (Typst).

Texts of a game reach a page only through its escapes; nothing in them can
become a tag, a mark or a command.
"""

from __future__ import annotations

import re
from functools import partial

from rulekit.distribution import install_hint
from rulekit.library import ABSENT, NoPackage
from rulekit.tools.drawing.drawing import boards_on_paper, printed_things
from rulekit.tools.drawing.picture import Picture
from rulekit.tools.drawing.text_board import Board, is_nothing, short_form
from rulekit.tools.language.translation import Tongue
from rulekit.tools.report.templates import rendered
from rulekit.tools.rulebook.book import Book, Chapter, Rule
from rulekit.tools.rulebook.chapters import chapters, numbers
from rulekit.tools.rulebook.diagram import text_diagram
from rulekit.tools.rulebook.edition import PARTS
from rulekit.tools.rulebook.glossary import Term
from rulekit.tools.rulebook.words import words
from rulekit.tools.rulebook.worked_examples import Example
from rulekit.values import evolve, frozen

_WIDTH = 640
"""Pixels: as wide as a drawing may be."""
_NARROW = 480
"""Pixels: so narrow are drawings of which two stand side by side."""
_NONE = "–"
"""What an owner has of something that is gone."""
_MARKS = re.compile(r"([\\`*_\[\]<>|#~])")


@frozen
class Look:
    """What a page shows besides the rules.

    law:    each rule under its number, to be looked up and linked to.
    ids:    the ids that clauses have in the rules file.
    terms, english:  the glossary of the language, and that of English, which says by which clause a term is told.
    """

    law: bool = False
    ids: bool = False
    terms: tuple[Term, ...] = ()
    english: tuple[Term, ...] = ()


PLAIN = Look()


def html(book: Book, tongue: Tongue, look: Look = PLAIN) -> str:
    return _rendered("rulebook.html.j2", book, tongue, look)


def markdown(book: Book, tongue: Tongue, look: Look = PLAIN) -> str:
    text = _rendered("rulebook.md.j2", book, tongue, look)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def pdf(book: Book, tongue: Tongue, look: Look = PLAIN) -> bytes:
    try:
        import typst
    except ABSENT:
        raise NoPackage(f"a rulebook in PDF needs one more package: {install_hint('book')}") from None
    source = _rendered("rulebook.typ.j2", book, tongue, look)
    return bytes(typst.compile(source.encode(), format="pdf"))


def contents(book: Book, tongue: Tongue, look: Look = PLAIN) -> tuple[Chapter, ...]:
    """The chapters of a book as a page has them, numbered."""
    there = {
        "examples": book.examples or book.beside_examples,
        "agreed": book.agreed or book.variants,
        "tables": book.tables,
        "unclear": book.unclear,
        "assumptions": book.assumed,
        "words": look.terms,
        "crib": book.crib,
    }
    held = {section.part for section in book.sections} | ({"box"} if book.components or book.board else set())
    titles = {part: tongue.say(f"part-{part}") for part in PARTS if part in held}
    return chapters(book, titles | {key: tongue.say(f"part-{key}") for key, what in there.items() if what})


def _rendered(name: str, book: Book, tongue: Tongue, look: Look) -> str:
    found = contents(book, tongue, look)
    keys = {chapter.key for chapter in found}
    anchors = {section.number: _anchor(chapter, section.number) for chapter in found for section in chapter.sections}
    anchors |= {number: id_ for id_, number in numbers(found).items()}
    return rendered(
        name,
        tongue,
        book=book,
        look=look,
        chapters=found,
        anchor=lambda number: anchors.get(number, ""),
        start_at="setup" if "setup" in keys else "box",
        words=words(look.terms, look.english, found, law=look.law),
        md=_md,
        t=_typst,
        drawn=lambda picture: text_diagram(short_form(picture, tongue)),
        draw=lambda picture: boards_on_paper(picture, _WIDTH),
        beside=_fit_beside,
        paragraphs=partial(_paragraphs, apart=look.law or look.ids),
        there=lambda rule: rule.number if look.law else rule.number.rpartition(".")[0],
        state=partial(_told_besides, tongue=tongue),
    )


def _paragraphs(rules: tuple[Rule, ...], *, apart: bool) -> list[list[Rule]]:
    """Rules that are read in one go, together.  apart: each by itself, since it has its number."""
    found: list[list[Rule]] = []
    for rule in rules:
        if found and rule.joined and not apart and not rule.remark and not found[-1][-1].remark:
            found[-1].append(rule)
        else:
            found.append([rule])
    return found


def _fit_beside(example: Example) -> bool:
    """Whether what was and what is are so narrow, each drawn, that they stand side by side."""
    drawn = [boards_on_paper(picture, _WIDTH) for picture in (example.before, example.after)]
    return all(each is None or each.width <= _NARROW for each in drawn)


def _anchor(chapter: Chapter, number: str) -> str:
    return f"c{number}" if number == chapter.number else f"s{number}"


def _told_besides(picture: Picture, before: Picture | None, tongue: Tongue) -> list[tuple[str, str]]:
    """The same where boards are drawn, and with them the things on which something is printed."""
    near, far = (None if each is None else _undrawn(each) for each in (before, picture))
    return [] if far is None else _state(far, near, tongue)


def _undrawn(picture: Picture) -> Picture:
    drawn = printed_things(picture)
    return evolve(picture, owners=tuple(owner for owner in picture.owners if owner not in drawn))


def _state(picture: Picture, before: Picture | None, tongue: Tongue) -> list[tuple[str, str]]:
    """What owners have that a drawing does not show, as (owner, words); of a later position what is no longer so.

    Things of which one number or pile is told share a line under its name.
    """
    shown, old = short_form(picture, tongue), _cells(short_form(before, tongue)) if before is not None else {}
    found: dict[str, list[tuple[str, str]]] = {}
    shared: dict[str, set[str]] = {}
    cells = _cells(shown)
    cells |= {cell: _NONE for cell, text in old.items() if cell not in cells and not is_nothing(text, tongue)}
    for (table, owner, head), text in cells.items():
        is_new = (table, owner, head) not in old and not is_nothing(text, tongue)
        if is_new or old.get((table, owner, head), text) != text:
            found.setdefault(f"{table} {owner}".strip() if table else _begun(owner), []).append((head, text))
            shared.setdefault(table, set()).add(head)
    return _together(found, {table: heads.pop() for table, heads in shared.items() if table and len(heads) == 1})


def _together(found: dict[str, list[tuple[str, str]]], alike: dict[str, str]) -> list[tuple[str, str]]:
    """Lines of owners; those of a table in which all tell the same thing are one.  alike: by table what they tell."""
    lines: dict[str, list[str]] = {}
    for owner, told in found.items():
        table = next((name for name in alike if owner.startswith(f"{name} ")), None)
        if table is None:
            lines[owner] = [f"{head} {text}" for head, text in told]
        else:
            title = _begun(f"{table}, {alike[table]}")
            lines.setdefault(title, []).append(f"{owner.removeprefix(table).strip()}: {told[0][1]}")
    return [(owner, "; ".join(parts)) for owner, parts in lines.items()]


def _begun(text: str) -> str:
    return text[:1].upper() + text[1:]


def _cells(shown: Board) -> dict[tuple[str, str, str], str]:
    """The texts of all tables by table ("" for that of the players), owner and head."""
    return {
        ("" if table.of_players else table.name, owner, head): text
        for table in shown.tables
        for owner, *values in table.rows
        for head, text in zip(table.columns, values, strict=True)
    }


def _md(text: str) -> str:
    """A text of a game in Markdown: every mark is escaped."""
    return _MARKS.sub(r"\\\1", text)


def _typst(text: str) -> str:
    """A text as a string literal of typst."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
