"""Completion: the words that may stand at the cursor, the likeliest first.

Keywords that the parser takes there; names of the right sort, in scope and of
the type that is wanted; behind `@` the ids of clauses.  Their order is that of
how often each came in such a place of the same text (`ngrams`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.model import builtin_signatures
from rulekit.model.elaborate.scenario_resolution import CHANCE, NOBODY
from rulekit.model.resolve.attributes import attribute_names
from rulekit.model.resolve.symbol_table import Scope
from rulekit.model.types import PLAIN, PLAYER, UNKNOWN, Type, fits
from rulekit.syntax import nodes
from rulekit.syntax.lalr_parser import NAME
from rulekit.syntax.parse_tables import tables
from rulekit.tools.editing import ngrams
from rulekit.tools.editing.document import Document
from rulekit.tools.editing.hover import sort_of
from rulekit.tools.editing.name_roles import LOCAL
from rulekit.tools.editing.occurrences import CLAUSE
from rulekit.tools.editing.typed_hole import HOLE, Expected, Hole, hole, word_around
from rulekit.values import frozen

MOST = 200
_CITING = re.compile(r"@([A-Za-z0-9-]*)$")


@frozen
class Offer:
    """A word that may stand there.  sort: keyword, builtin, or the sort of a name; detail: whose, in words."""

    word: str
    sort: str
    detail: str = ""


def completion(document: Document, line: int, column: int, *, keeps_rest: bool = True) -> tuple[Offer, ...]:
    """What may stand at the cursor and begins as the word there does, up to it; the likeliest first."""
    text = document.source.line(line)[: column - 1]
    if citing := _CITING.search(text):
        return _clause_ids(document, citing[1])
    start, _ = word_around(document.source.line(line), column)
    begun = text[start:]
    place = hole(document.source, document.blocks, line, column, keeps_rest=keeps_rest)
    if place is None or place.text is None:
        return ()
    offers = {offer.word: offer for offer in (*_names(document, place), *_keywords(place))}
    fit = [offer for offer in offers.values() if offer.word.startswith(begun) and offer.word != HOLE]
    return tuple(_ordered(place, fit))[:MOST]


def _clause_ids(document: Document, begun: str) -> tuple[Offer, ...]:
    """Clauses that the text has; those next to the place come first in the file's own order."""
    ids = [symbol for symbol in document.declared if symbol.sort == CLAUSE and symbol.name.startswith(begun)]
    return tuple(Offer(symbol.name, CLAUSE) for symbol in ids)


def _keywords(place: Hole) -> Iterator[Offer]:
    for word, terminal in tables().words.items():
        if terminal in place.terminals:
            yield Offer(word, "keyword")


# ---------------------------------------------------------------- names


def _names(document: Document, place: Hole) -> Iterator[Offer]:
    if NAME not in place.terminals:
        return
    if place.role is not None and place.role.of:
        yield from _of_sorts(document, place)
    elif place.met is not None and place.met.of is not None:
        yield from _behind_dot(place.met)
    elif place.met is not None:
        yield from _in_scope(document, place.met)
    elif place.role is None:
        yield from _all_names(document, place)


def _of_sorts(document: Document, place: Hole) -> Iterator[Offer]:
    assert place.role is not None
    for symbol in document.declared:
        if symbol.sort in place.role.of:
            yield Offer(symbol.name, symbol.sort, sort_of(symbol))
    plain = {nodes.Has: ("player",), nodes.Value: ("player", "direction", "number"), nodes.Travel: ("up", "down")}
    plain |= {nodes.Seen: ("owner", "nobody", "others", "top"), nodes.Parameter: tuple(PLAIN)}
    for word in plain.get(type(place.node), ()):
        yield Offer(word, "builtin")


def _behind_dot(met: Expected) -> Iterator[Offer]:
    assert met.of is not None
    for name in attribute_names(met.scope.world, met.of):
        yield Offer(name, "builtin" if name in builtin_signatures.ATTRIBUTES else "trait", str(met.of))


def _in_scope(document: Document, met: Expected) -> Iterator[Offer]:
    """All names that an expression may say there, and what they are."""
    scope, world = met.scope, met.scope.world
    for word in builtin_signatures.EVERYWHERE:
        yield Offer(word, "builtin")
    for word in builtin_signatures.OUTCOME if scope.seats else ():
        yield Offer(word, "builtin")
    for word in (CHANCE, NOBODY) if scope.seats and met.wanted == PLAYER else ():
        yield Offer(word, "builtin")
    for symbol in document.declared:
        if not symbol.owner and symbol.sort in ("option", "kind", "set", "place", "variable", "define", "die"):
            yield Offer(symbol.name, symbol.sort)
    for name in (*scope.seats, *scope.local_names()):
        if " " not in name:
            yield Offer(str(name), LOCAL)
    yield from _of_elements(scope)
    for kind in world.kinds.values():
        # A flag or a number may be read of a member; where a thing is wanted, it is one of that kind.
        if not kind.piece and (met.wanted is None or _element(met.wanted).kind in ("", kind.name)):
            yield from (Offer(member.key, "member", kind.name) for member in kind.members if not member.key.isdigit())
    for option in world.options:
        if met.wanted is not None and option.type == met.wanted:
            yield from (Offer(name, "reading", option.name) for name, _ in option.readings)


def _of_elements(scope: Scope) -> Iterator[Offer]:
    for looked in scope.elements:
        yield Offer(str(looked.name or "it"), LOCAL)
        if looked.bare:
            yield from (Offer(name, "trait") for name in attribute_names(scope.world, looked.type))
    if scope.elements:
        yield Offer("it", LOCAL)


def _element(wanted: Type) -> Type:
    return wanted.element if wanted.is_set else wanted


def _all_names(document: Document, place: Hole) -> Iterator[Offer]:
    """Where nothing is known but that a name may stand there: every name of the file and of the language."""
    for symbol in document.declared:
        if symbol.sort != CLAUSE:
            yield Offer(symbol.name, symbol.sort)
    for word in (*builtin_signatures.EVERYWHERE, *builtin_signatures.OUTCOME):
        yield Offer(word, "builtin")


# ---------------------------------------------------------------- their order


def _ordered(place: Hole, offers: list[Offer]) -> list[Offer]:
    above, below = place.others[: place.above], place.others[place.above :]
    assert place.around is not None
    contexts = ngrams.contexts_at_end(above, place.before)
    likely = ngrams.likely((*above, place.around, *below), contexts, HOLE)
    weights = {offer.word: likely.get(offer.word, 0.0) + _prior(place, offer) for offer in offers}
    return sorted(offers, key=lambda offer: (-weights[offer.word], offer.word))


def _prior(place: Hole, offer: Offer) -> float:
    """What speaks for a word that never came in such a place: that it is close, and that its type is wanted."""
    if place.met is None or offer.sort in ("keyword", "builtin"):
        return 0.0
    near = 0.3 if offer.sort == LOCAL else 0.0
    return near + (0.6 if place.met.wanted is not None and _has_type(place.met, offer) else 0.0)


def _has_type(met: Expected, offer: Offer) -> bool:
    world, wanted = met.scope.world, met.wanted
    if wanted is None or wanted == UNKNOWN:
        return False
    if offer.sort == "member":
        return _element(wanted) == Type("thing", kind=offer.detail)
    if offer.sort == "reading":
        return True
    local = met.scope.local(offer.word)
    if local is not None:
        return fits(local[1], wanted)
    index = world.by_owner.get(("", offer.word))
    if index is not None:
        return fits(world.variables[index].type, wanted)
    resolved = world.resolved.get(offer.word)
    return resolved is not None and fits(resolved[1].type, wanted)
