"""Message extraction (as by `xgettext`): all texts of a game that people read, with ids and notes for translators.

In the order of the rules file, which is the order of the rulebook.  Texts of
a game that is extended belong to that game's catalogue.  Knows no file
format; `po_files` writes what is found here.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.source import NOWHERE, Span
from rulekit.syntax.looks import GLYPH
from rulekit.tools.language import translator_comments
from rulekit.tools.language.display_names import assumed_id, participle, piece_words, place_words, plain, plural, titled
from rulekit.tools.language.outline import example_id, has_rules, headings, printed
from rulekit.tools.language.translation import needs_words
from rulekit.tools.language.translator_comments import Tied
from rulekit.values import evolve, frozen


@frozen
class Entry:
    """One text.

    id:         stable: stays when the words change.  With the text it is unique.
    plural:     the text for other numbers than one, "" if there is none.
    notes:      what happens there or where the text is shown, in plain words.
    spans:      where it stands, in order.
    behaviour:  a digest of the rules that carry it out, "" for what is no clause.
    """

    id: str
    text: str
    plural: str = ""
    notes: tuple[str, ...] = ()
    spans: tuple[Span, ...] = ()
    behaviour: str = ""


def entries(game: model.Game, lines: list[Tied]) -> tuple[Entry, ...]:
    """The texts of the game's own file; lines: all its lines that are tied to clauses."""
    own = game.sources[0][0] if game.sources else ""
    found: dict[tuple[str, str], Entry] = {}
    by_text: dict[tuple[str, str], tuple[str, str]] = {}
    for entry in sorted(_all(game, lines), key=lambda e: e.spans[0].line):
        if entry.spans[0].source != own or not needs_words(entry.text):
            continue
        # One text under many ids of one sort is one entry: what is said is looked up by its words.
        same = by_text.setdefault((entry.id.split(" ")[0], entry.text), (entry.id, entry.text))
        key = same if entry.id.split(" ")[0] in _BY_WORDS else (entry.id, entry.text)
        before = found.get(key)
        found[key] = entry if before is None else evolve(before, spans=(*before.spans, *entry.spans))
    return tuple(found.values())


def known(game: model.Game) -> dict[tuple[str, str], str]:
    """Every text of the game and of those it extends: by id and text its plural or ""."""
    return {(entry.id, entry.text): entry.plural for entry in _all(game, [])}


_BY_WORDS = ("prompt", "way", "asked", "source", "step")


def _all(game: model.Game, lines: list[Tied]) -> Iterator[Entry]:
    yield from _title(game)
    yield from _headings(game)
    yield from _clauses(game, lines)
    for part in (_options, _kinds, _places, _variables, _shows, _codes):
        yield from part(game)


def _noted(id_: str, text: str, note: str, span: Span) -> Entry:
    """A text with one note, one place and no plural."""
    return Entry(id_, text, "", (note,), (span,))


def _title(game: model.Game) -> Iterator[Entry]:
    first = Span(game.sources[0][0], 1, 1, 1, 1) if game.sources else NOWHERE
    yield _noted("title", game.title, "The name of the game.", first)
    for ruleset in game.rulesets:
        yield _noted(f"ruleset {ruleset.name}", plain(ruleset.name), "A set of options.", ruleset.span)
    for number, assumption in enumerate(game.assumptions, 1):
        note = "Assumed, since the rule text does not tell; listed after a match and in the rulebook."
        yield _noted(assumed_id(assumption, number), assumption.text, note, assumption.span)


def _headings(game: model.Game) -> Iterator[Entry]:
    found, seen = headings(game), set[str]()
    for heading in found:
        if heading.id not in seen and has_rules(game, found, heading):
            seen.add(heading.id)
            yield _noted(heading.id, heading.text, "A heading of the rulebook.", heading.span)
    for shown in (each.scenario for each in printed(game)):
        yield _noted(example_id(shown), shown.name, "The name of an example in the rulebook.", shown.span)


def _clauses(game: model.Game, lines: list[Tied]) -> Iterator[Entry]:
    ties: dict[str, list[Tied]] = {}
    for line in lines:
        for id_ in line.clauses:
            ties.setdefault(id_, []).append(line)
    for clause in game.clauses.values():
        tied = ties.get(clause.id, [])
        told = translator_comments.comment_lines(tied) or [
            "No rule carries this out: it says what does not happen, or gives reasons."
        ]
        yield Entry(clause.id, clause.text, "", tuple(told), (clause.span,), translator_comments.behaviour_digest(tied))


def _options(game: model.Game) -> Iterator[Entry]:
    for option in game.options:
        note = "A sentence that can be read in several ways." if option.unclear else "Agreed before a match."
        answers = "; ".join(text or name for name, text in option.readings)
        notes = (note, f"The answers: {answers}") if answers else (note,)
        yield Entry(f"option {option.name}", option.text, "", notes, (option.span,))
        for name, text in option.readings:
            said = f"An answer to: {option.text}"
            yield _noted(f"reading {option.name}.{name}", text or plain(name), said, option.span)


# ---------------------------------------------------------------- things


def _kinds(game: model.Game) -> Iterator[Entry]:
    owned = {variable.type.element.kind for variable in game.variables if variable.form == "pile"}
    for kind in game.kinds.values():
        where = _kind_span(game, kind)
        name = plain(kind.name)
        yield Entry(f"kind {kind.name}", name, plural(name), ("A kind of thing: one, several.",), (where,))
        if kind.name in owned:
            note = "So many of them, when nothing more is known."
            yield Entry(f"count {kind.name}", f"a {name}", f"{{count}} {plural(name)}", (note,), (where,))
        if not kind.piece:
            note = "{title} is a name or number of one of them."
            yield _noted(f"one {kind.name}", f"{name} {{title}}", note, where)
            note = "{titles} is a list of names or numbers."
            yield _noted(f"several {kind.name}", f"{plural(name)} {{titles}}", note, where)
        elif kind.members:
            yield _noted(f"piece {kind.name}", f"{name} {{title}}", "{title} is its name on the board.", where)
        for member in kind.members:
            title = member.title or plain(member.key)
            yield _noted(f"{kind.name} {member.key}", title, f"The name of a {name}.", member.span)
        for trait in kind.traits:
            yield _noted(f"trait {kind.name}.{trait}", plain(trait), "The head of a column.", where)


def _kind_span(game: model.Game, kind: model.Kind) -> Span:
    if kind.members:
        return kind.members[0].span
    spans = (v.span for v in game.variables if kind.name in (v.type.kind, v.name) or _element(v) == kind.name)
    return next(spans, NOWHERE)


def _element(variable: model.Variable) -> str:
    return variable.type.element.kind if variable.form == "group" else ""


def _places(game: model.Game) -> Iterator[Entry]:
    for place in game.places.values():
        yield _noted(f"place {place.name}", plain(place.name), f"The name of a {place.form}.", place.span)
        note = "Where a piece moves, at the end of a sentence."
        yield _noted(f"on {place.name}", place_words(place), note, place.span)
        for look in place.looks:
            if look.look == GLYPH:
                yield _noted(f"glyph {place.name}", look.word, "Written on a space, in five letters.", place.span)


def _variables(game: model.Game) -> Iterator[Entry]:
    for variable in game.variables:
        if variable.form in model.PAST:
            continue
        if variable.form in ("piece", "group"):
            yield from _piece(game, variable)
            continue
        yield _noted(f"name {variable.name}", titled(variable), _form(variable), variable.span)
        if variable.form != "flag":
            text = f"{{owner}}'s {participle(variable)}" if variable.owner else f"the {participle(variable)}"
            yield _noted(f"path {variable.name}", text, "The same in a sentence.", variable.span)


def _form(variable: model.Variable) -> str:
    form = {"counter": "number", "flag": "mark"}.get(variable.form, variable.form)
    owner = f"of each {plain(variable.owner)}" if variable.owner else "of the game"
    return f"The name of a {form} {owner}, as the head of a column."


def _piece(game: model.Game, variable: model.Variable) -> Iterator[Entry]:
    kind = variable.type.kind if variable.form == "piece" else variable.type.element.kind
    if not game.kinds[kind].members:
        note = "A piece, at the beginning or inside of a sentence."
        yield _noted(f"piece {variable.name}", piece_words(variable), note, variable.span)


# ---------------------------------------------------------------- what rules say


def _shows(game: model.Game) -> Iterator[Entry]:
    for show in game.shows:
        yield _noted(f"show {show.name}", show.text, "Shown beside the board, with its value behind it.", show.span)


def _codes(game: model.Game) -> Iterator[Entry]:
    for code in game.codes:
        count = 0
        for op in code.ops:
            if isinstance(op, ops.Ask | ops.AskWay) and op.prompt:
                yield _noted(f"prompt {plain(code.name)}", op.prompt, _asks(op), op.span)
            if isinstance(op, ops.Ask):
                note = "What is chosen, as in: red chooses 2 (steps)."
                yield _noted(f"asked {op.name}", plain(op.name), note, op.span)
            elif isinstance(op, ops.AskWay):
                for label, _, _ in op.ways:
                    count += 1
                    yield _noted(f"way {plain(code.name)}.{count}", label, "An answer in a menu.", op.span)
            elif isinstance(op, ops.Draw):
                yield _noted(f"source {op.stream}", plain(op.stream), "What chance draws from or rolls.", op.span)
            elif isinstance(op, ops.Declassify):
                yield _noted(f"answer {op.name}", plain(op.name), "What all learn, as in: guessed: yes.", op.span)
            elif isinstance(op, ops.EnterStep):
                note = "A step of the rules that can be left out."
                yield _noted(f"step {op.step}", plain(op.step), note, op.span)


def _asks(op: ops.Ask | ops.AskWay) -> str:
    if isinstance(op, ops.AskWay):
        return "A question; the answers: " + "; ".join(label for label, _, _ in op.ways)
    return f"A question; what is chosen is called `{plain(op.name)}`."
