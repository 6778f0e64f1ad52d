"""Rule claims: what the lines of a game claim beside numbers, by the clauses that they carry out.

Works on syntax alone, as the extraction of constants does: each form of the
language says what it says, and what a line names is a thing of the game.
Nothing is inferred from texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rulekit.source import NOWHERE, Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import all_cites
from rulekit.syntax.traversal import walk as all_nodes
from rulekit.syntax.unparse_expr import QUERY, at
from rulekit.tools.claims.claim_values import CONTRARY, RuleClaim
from rulekit.values import evolve, field, fields, frozen

_CONTAINERS = (
    nodes.Action | nodes.Part | nodes.Deck | nodes.KindBlock | nodes.Step | nodes.Has | nodes.Assume | nodes.GameHead
)
"""Lines whose clauses hold for the lines in them only where those have none."""
_DECLARED = nodes.Define | nodes.Action | nodes.VariableLine | nodes.Deck | nodes.Track | nodes.Grid | nodes.Course
"""What has a name by which lines use it."""
_WHOLE = 100
"""So many letters of an expression are quoted."""


@frozen
class _Place:
    """Where the walk is: the clauses of the line, those of its containers, the line, and the lines around it.

    parts:  the clauses that only a part of the line carries out.
    """

    near: tuple[str, ...] = ()
    far: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    line: Span = NOWHERE
    around: tuple[nodes.Line, ...] = ()

    @property
    def clauses(self) -> tuple[str, ...]:
        return self.near or self.far

    @property
    def aside(self) -> tuple[str, ...]:
        """The clauses that what stands here belongs to as well, though others are nearer."""
        return tuple(id_ for id_ in dict.fromkeys((*self.parts, *self.far)) if id_ not in self.clauses)


@frozen
class _Walk:
    """What a walk gathers: claims, and by the name of a definition or an action the clauses that use it."""

    claims: list[RuleClaim] = field(factory=list)
    users: dict[str, dict[str, None]] = field(factory=lambda: defaultdict(dict))


def rule_claims(declarations: Sequence[nodes.Declaration]) -> tuple[RuleClaim, ...]:
    """All claims of a game: what lines say, then what is around them and what they use, then what examples show."""
    walk, examples = _Walk(), _Walk()
    for node in declarations:
        if not isinstance(node, nodes.Invariant):
            _line(node, _Place(), examples if isinstance(node, nodes.Scenario) else walk)
    found = [*walk.claims, *_used(declarations, walk), *_shown(declarations, walk.claims)]
    own = {id_ for claim in walk.claims for id_ in claim.clauses}
    found += [claim for claim in examples.claims if not set(claim.clauses) & own]
    nearer = {word.means for node in declarations for word in _headings(node) if word.name == "nearer"}
    return tuple(claim for one in found for claim in _measured(one, nearer))


def _headings(node: nodes.Declaration) -> Iterator[nodes.Heading]:
    for line in node.arrivals if isinstance(node, nodes.Track) else ():
        yield from line.words if isinstance(line, nodes.Headings) else ()


def _measured(claim: RuleClaim, nearer: set[str]) -> Iterator[RuleClaim]:
    """Low is near where a track calls further down nearer, and far where it calls that farther; else it is neither."""
    if claim.sense not in ("near", "far") or nearer == {"down"}:
        yield claim
    elif nearer == {"up"}:
        yield evolve(claim, sense=CONTRARY[claim.sense])


def _used(declarations: Sequence[nodes.Declaration], walk: _Walk) -> Iterator[RuleClaim]:
    """What is declared of a name, for the clauses of the lines that use it."""
    for node in all_nodes(tuple(declarations)):
        users = walk.users.get(getattr(node, "name", ""), {}) if isinstance(node, _DECLARED) else {}
        if users:
            inner = _Walk()
            place = _Place(near=tuple(users), line=node.span)
            if isinstance(node, nodes.Deck | nodes.Track | nodes.Grid | nodes.Course):
                inner.claims.extend(_own(node, place, node.span))
            else:
                _parts(node, place, inner)
                inner.claims.extend(_own(node, place, node.span))
            yield from (evolve(claim, is_aside=True) for claim in inner.claims)


def _shown(declarations: Sequence[nodes.Declaration], claims: Sequence[RuleClaim]) -> Iterator[RuleClaim]:
    """What the clauses say that an example cites beside its own."""
    by_clause: dict[str, list[RuleClaim]] = defaultdict(list)
    for claim in claims:
        for id_ in claim.clauses:
            by_clause[id_].append(claim)
    for node in declarations:
        lines = (
            (line for line in all_nodes(node) if isinstance(line, nodes.Line))
            if isinstance(node, nodes.Scenario)
            else ()
        )
        cited = tuple(dict.fromkeys(id_ for line in lines for id_ in all_cites(line)))
        own = tuple(id_ for id_ in cited if id_ not in by_clause)
        if own:
            yield from (evolve(claim, clauses=own, is_aside=True) for id_ in cited for claim in by_clause[id_])


# ---------------------------------------------------------------- the walk


def _line(node: nodes.Line, place: _Place, walk: _Walk) -> None:
    own, parts = all_cites(node), tuple(sorted(node.margin.parts))
    own = tuple(id_ for id_ in own if id_ not in parts)
    inner = evolve(place, parts=parts, line=node.span, around=(*place.around, node))
    if isinstance(node, _CONTAINERS):
        inner = evolve(inner, far=own or place.far)
    else:
        inner = evolve(inner, near=tuple(dict.fromkeys((*own, *place.near))))
    if own:
        for outer in place.around:
            found = _own(outer, evolve(place, near=own), outer.span)
            walk.claims.extend(evolve(claim, is_aside=True) for claim in found)
    _node(node, inner, walk)


def _node(node: nodes.Node, place: _Place, walk: _Walk) -> None:
    walk.claims.extend(_own(node, place, node.span if node.span.line else place.line))
    for name in _named(node):
        walk.users[name].update(dict.fromkeys(place.clauses))
    _parts(node, place, walk)


def _parts(node: nodes.Node, place: _Place, walk: _Walk) -> None:
    for part in fields(type(node)):
        if part.name not in ("span", "margin"):
            _value(getattr(node, part.name), place, walk)


def _value(value: object, place: _Place, walk: _Walk) -> None:
    if isinstance(value, tuple):
        for item in value:
            _value(item, place, walk)
    elif isinstance(value, nodes.Line):
        _line(value, place, walk)
    elif isinstance(value, nodes.Cited):
        ids = tuple(cite.id for cite in value.cites)
        _value(value.of, evolve(place, near=tuple(dict.fromkeys((*ids, *place.near)))), walk)
    elif isinstance(value, nodes.Node):
        _node(value, place, walk)


def _own(node: nodes.Node, place: _Place, span: Span) -> list[RuleClaim]:
    """What a node says by itself, and what it names."""
    if not (place.clauses or place.aside):
        return []
    handler = _HANDLERS.get(type(node))
    senses = handler(node) if handler else ()
    said = _said(node) if senses else ""
    made = [(f"={name}", name) for name in _named(node)] + [(sense, said) for sense in senses]
    own = [RuleClaim(sense, what, place.clauses, span=span) for sense, what in made if place.clauses]
    return own + [RuleClaim(sense, what, place.aside, True, span=span) for sense, what in made if place.aside]


_UNNAMED = (
    *("op", "verb", "heading", "word", "manner", "label", "prompt", "text", "end", "whom", "title", "glyph", "form"),
    *("column", "may_stop", "ranking", "means", "author"),
)


def _named(node: nodes.Node) -> Iterator[str]:
    for part in fields(type(node)):
        value = getattr(node, part.name)
        if isinstance(value, str) and value and part.name not in _UNNAMED:
            yield value


def _said(node: nodes.Node) -> str:
    """A form as it is written, its first line."""
    shown = _SHOWN.get(type(node))
    return shown(node) if shown is not None else at(node, QUERY)[:_WHOLE]


# ---------------------------------------------------------------- what the forms say

_LOW = ("low", "few", "near", "young", "first")
_HIGH = ("high", "many", "far", "old", "last")
_HEADINGS: dict[str, tuple[str, ...]] = {
    "up": ("up", "gain", "forward"),
    "down": ("down", "lose", "back"),
    "nearer": ("forward", "near", "down"),
    "further": ("back", "far", "up"),
    "forward": ("forward",),
    "back": ("back",),
    "left": ("left",),
    "right": ("right",),
}
_OPS: dict[str, tuple[str, ...]] = {
    "first": ("first", "one"),
    "last": ("last", "one"),
    "least": ("low", "few"),
    "most": ("high", "many"),
    "all": ("all",),
    "any": ("one",),
    "no": ("but",),
    "not": ("but",),
    "not in": ("but",),
    "is not": ("but",),
    "below": ("below", "most"),
    "at most": ("most", "below"),
    "above": ("above", "least"),
    "at least": ("least", "above"),
}
_ALONG = ("forward", "back", "near", "far")
_AROUND = ("up", "down", "left", "right")
_WORDS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("owner", "mover", "this"), ("own",)),
    **dict.fromkeys(("orthogonals", "diagonals", "directions", "hexagonals"), _AROUND),
    "north": ("up",),
    "south": ("down",),
    "east": ("right",),
    "west": ("left",),
}
_ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "left": ("left", "next"),
    "right": ("right", "previous"),
    "next": ("next",),
    "previous": ("previous",),
    "owner": ("own",),
    "top": ("up",),
    "bottom": ("down",),
}


def _ordered(node: nodes.Ordered) -> tuple[str, ...]:
    """Its order by the first key, and the extremes that all keys speak of."""
    kinds = dict.fromkeys("high many far" if key.ranking == "highest" else "low few near" for key in node.keys)
    order = "descending" if node.keys[0].ranking == "highest" else "ascending"
    return (order, "first", "next", "after", *" ".join(kinds).split())


def _rank(node: nodes.Rank) -> tuple[str, ...]:
    """Who wins, by every key and extreme of the ranking."""
    keys = [part.ranking != "highest" for part in all_nodes(node) if isinstance(part, nodes.Key)]
    keys += [part.lowest for part in all_nodes(node) if isinstance(part, nodes.Extreme)]
    return ("gain", "win", *dict.fromkeys("least_wins" if is_low else "most_wins" for is_low in keys))


def _each(node: nodes.Each) -> tuple[str, ...]:
    return ("all", "secret", "together") if node.secretly else ("all",)


def _asked(node: Any) -> tuple[str, ...]:
    """What is chosen is free, that something is chosen is not, unless the rules say so."""
    must = () if getattr(node, "manner", None) == "may" else ("must",)
    return ("may", "one", "own", *must, *(("secret", "together") if node.secretly else ()))


def _body(node: nodes.Body) -> tuple[str, ...]:
    """What is done one after the other, and what is done without asking."""
    done = [part for part in node.statements if not isinstance(part, nodes.Choose | nodes.Ways | nodes.Let)]
    order = ("before", "after", "next") if len(node.statements) > 1 else ()
    return (*order, *(("must",) if done else ()))


_HANDLERS: dict[type, Callable[[Any], tuple[str, ...]]] = {
    nodes.Extreme: lambda node: _LOW if node.lowest else _HIGH,
    nodes.Ordered: _ordered,
    nodes.Fold: lambda node: _OPS.get(node.op, ()),
    nodes.Unary: lambda node: _OPS.get(node.op, ()),
    nodes.Binary: lambda node: _OPS.get(node.op, ()),
    nodes.Attribute: lambda node: _ATTRIBUTES.get(str(node.name), ()),
    nodes.Word: lambda node: _WORDS.get(str(node.name), ()),
    nodes.Full: lambda node: tuple(one for one in _HEADINGS.get(str(node.heading), ()) if one in _ALONG),
    nodes.Travel: lambda node: (*_HEADINGS.get(str(node.heading), ()), "must"),
    nodes.ChangeBy: lambda node: ("lose", "down") if node.verb == "lower" else ("gain", "up"),
    nodes.Each: _each,
    nodes.Choose: _asked,
    nodes.Ways: _asked,
    nodes.Body: _body,
    nodes.Reveal: lambda _: ("open", "together", "must"),
    nodes.Announce: lambda _: ("secret",),
    nodes.Seen: lambda node: ("secret",) if node.whom in ("owner", "nobody") else (),
    nodes.Except: lambda _: ("but", "other"),
    nodes.OnlyIf: lambda _: ("but",),
    nodes.If: lambda _: ("but",),
    nodes.Choice: lambda _: ("but",),
    nodes.Skip: lambda _: ("but",),
    nodes.Stop: lambda _: ("but", "end"),
    nodes.Next: lambda _: ("but", "next"),
    nodes.While: lambda _: ("but",),
    nodes.End: lambda _: ("end",),
    nodes.Rank: _rank,
    nodes.Defeat: lambda _: ("lose", "beaten"),
    nodes.Part: lambda node: ("start", "first") if node.word == "setup" else (),
    nodes.Step: lambda _: ("before", "after", "next"),
    nodes.MoveOnto: lambda node: ("up",) if node.end == "top" else ("down",),
    nodes.Deal: lambda _: ("gain",),
    nodes.DealFrom: lambda _: ("gain",),
    nodes.Remove: lambda _: ("lose", "out"),
    nodes.Push: lambda _: ("forward",),
}
"""By form what it says; forms that are not here claim nothing but what they name."""

_SHOWN: Mapping[type, Callable[[Any], str]] = {
    nodes.Body: lambda node: "one after the other" if len(node.statements) > 1 else "without a choice",
    nodes.Each: lambda node: f"{'secretly ' if node.secretly else ''}each {node.name}",
    nodes.Choose: lambda node: f"{'secretly ' if node.secretly else ''}chooses {node.name}",
    nodes.Ways: lambda node: f"{'secretly ' if node.secretly else ''}chooses one of {len(node.ways)} ways",
    nodes.If: lambda _: "if",
    nodes.Step: lambda node: f"step {node.name}",
    nodes.Part: lambda node: str(node.word),
    nodes.While: lambda _: "while",
    nodes.Travel: lambda node: f"move {at(node.piece, QUERY)} {node.heading}",
    nodes.ChangeBy: lambda node: f"{node.verb} {at(node.target, QUERY)}",
}
