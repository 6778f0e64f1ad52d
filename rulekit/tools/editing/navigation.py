"""Go to definition, find references, highlight: places of a name; and the outline and the folds of a file."""

from __future__ import annotations

from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.occurrences import Occurrence
from rulekit.values import frozen


def definition(document: Document, line: int, column: int) -> Span | None:
    """Where the name under the cursor is made known."""
    here = document.index.at(document.source.name, line, column)
    return document.declared.get(here.symbol) if here is not None else None


def references(document: Document, line: int, column: int) -> tuple[Occurrence, ...]:
    """All places of the name under the cursor, in this text and those that it extends."""
    here = document.index.at(document.source.name, line, column)
    return document.index.of(here.symbol) if here is not None else ()


@frozen
class Outlined:
    """A declaration with what is declared in it.

    sort:      the word that it begins with.
    whole:     from its first line to the end of its block; name: the stretch to go to.
    """

    title: str
    sort: str
    whole: Span
    name: Span
    inner: tuple[Outlined, ...] = ()


_INNER = ("declarations", "members", "variables", "readings", "declaration")


def outline(document: Document) -> tuple[Outlined, ...]:
    """The declarations of the file, each with those inside it."""
    ends = _ends(document)
    return tuple(_outlined(document, node, ends) for node in document.file.declarations)


def _outlined(document: Document, node: nodes.Line, ends: dict[int, int]) -> Outlined:
    inner: list[nodes.Line] = []
    for part in _INNER:
        value = getattr(node, part, ())
        inner += [each for each in (value if isinstance(value, tuple) else (value,)) if isinstance(each, nodes.Line)]
    names = [value for value in _names(node) if isinstance(value, nodes.Name) and value.span.line]
    place = names[0].span if names else node.span
    end = ends.get(node.span.line, node.span.end_line)
    whole = Span(node.span.source, node.span.line, node.span.column, end, node.span.end_column)
    if end > node.span.end_line:
        whole = Span(node.span.source, node.span.line, node.span.column, end + 1, 1)
    word = document.source.line(node.span.line).split()[0].strip(":")
    return Outlined(_title(node) or word, word, whole, place, tuple(_outlined(document, each, ends) for each in inner))


def _names(node: nodes.Line) -> list[object]:
    return [getattr(node, part, None) for part in ("name", "key", "title", "target", "kind", "piece")]


def _title(node: nodes.Line) -> str:
    texts = [str(value) for value in (*_names(node), getattr(node, "text", None)) if isinstance(value, str) and value]
    return texts[0] if texts else ""


def _ends(document: Document) -> dict[int, int]:
    """By the line of each head the last line of the block below it."""
    lines = document.source.text.split("\n")
    found: dict[int, int] = {}
    open_heads: list[tuple[int, int]] = []
    last = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        width = len(line) - len(line.lstrip())
        while open_heads and width <= open_heads[-1][1]:
            found[open_heads.pop()[0]] = last
        open_heads.append((number, width))
        last = number
    found.update((head, last) for head, _ in open_heads)
    return {head: end for head, end in found.items() if end > head}


def folds(document: Document) -> tuple[tuple[int, int], ...]:
    """First and last line of every block that can be folded away."""
    return tuple(sorted(_ends(document).items()))


# ---------------------------------------------------------------- what can cause what


@frozen
class Caller:
    """A declaration in which something is said, and where in it."""

    title: str
    name: Span
    places: tuple[Span, ...]


def causes(document: Document, line: int, column: int) -> tuple[Caller, ...]:
    """What can lead to what stands under the cursor (call hierarchy): the declarations that name it or cite it."""
    here = document.index.at(document.source.name, line, column)
    places = document.index.of(here.symbol) if here is not None else ()
    return _gathered(document, [one.span for one in places if not one.declares])


def effects(document: Document, line: int, column: int) -> tuple[Caller, ...]:
    """What is led to from the declaration around the cursor: the actions and defines that it names."""
    around = _around(document, line)
    if around is None:
        return ()
    found = []
    for symbol, place in document.declared.items():
        inside = tuple(
            one.span
            for one in document.index.of(symbol)
            if not one.declares and one.span.source == document.source.name and _holds(around.whole, one.span.line)
        )
        if symbol.sort in ("action", "define", "step") and inside:
            found.append(Caller(symbol.name, place, inside))
    return tuple(found)


def _gathered(document: Document, spans: list[Span]) -> tuple[Caller, ...]:
    by_head: dict[Span, list[Span]] = {}
    titles: dict[Span, str] = {}
    for span in spans:
        around = _around(document, span.line) if span.source == document.source.name else None
        if around is not None:
            by_head.setdefault(around.name, []).append(span)
            titles[around.name] = around.title
    return tuple(Caller(titles[name], name, tuple(places)) for name, places in by_head.items())


def _around(document: Document, line: int) -> Outlined | None:
    return next((one for one in outline(document) if _holds(one.whole, line)), None)


def _holds(whole: Span, line: int) -> bool:
    return whole.line <= line <= (whole.end_line - 1 if whole.end_column == 1 else whole.end_line)
