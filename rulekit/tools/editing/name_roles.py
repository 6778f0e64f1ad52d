"""The roles of names: which field of which node declares what, and which names what is declared elsewhere.

One row a field.  Names in expressions have no row: what they mean depends on
types, and is told by the resolver (`occurrences`).  Never looks at a name
itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.syntax import nodes
from rulekit.values import frozen

GLOBAL = ("option", "kind", "set", "place", "variable", "define", "action", "die")
"""Sorts of which no two things of a game have one name."""
LOCAL = "local"


@frozen
class Role:
    """declares: the sort of what the name is given to; "" where it names what has it already, one of the sorts `of`."""

    declares: str = ""
    of: tuple[str, ...] = ()


def _new(sort: str) -> Role:
    return Role(declares=sort)


def _known(*sorts: str) -> Role:
    return Role(of=sorts)


_VARIABLES = (
    nodes.Counter, nodes.FlagVariable, nodes.Value, nodes.Piece, nodes.PieceGroup, nodes.Pile, nodes.Snapshot,
    nodes.History, nodes.ListVariable,
)  # fmt: skip
_LOCALS = (
    nodes.Let, nodes.Each, nodes.Choose, nodes.Chance, nodes.Dice, nodes.Different, nodes.Until, nodes.Naming,
    nodes.Declassify,
)  # fmt: skip
_TARGETS = ("step", "action", "kind", "member", "variable", "place")

ROLES: Mapping[tuple[Any, str], Role] = {
    (nodes.Option, "name"): _new("option"),
    (nodes.Reading, "name"): _new("reading"),
    (nodes.Use, "option"): _known("option"),
    (nodes.Kind, "name"): _new("kind"),
    (nodes.KindBlock, "name"): _new("kind"),
    (nodes.Face, "name"): _new("member"),
    (nodes.Deck, "name"): _new("set"),
    (nodes.Deck, "kind"): _new("kind"),
    (nodes.Member, "kind"): _known("kind"),
    (nodes.Member, "key"): _new("member"),
    (nodes.Trait, "name"): _new("trait"),
    (nodes.Pieces, "name"): _new("variable"),
    (nodes.Pieces, "kind"): _new("kind"),
    (nodes.Pieces, "place"): _known("place"),
    (nodes.Track, "name"): _new("place"),
    (nodes.Course, "name"): _new("place"),
    (nodes.Course, "kind"): _known("kind"),
    (nodes.Grid, "name"): _new("place"),
    (nodes.Full, "heading"): _known("heading"),
    (nodes.Heading, "name"): _new("heading"),
    (nodes.Die, "name"): _new("die"),
    (nodes.Has, "kind"): _known("kind"),
    (nodes.Value, "of"): _known("kind", "set", "place", "die"),
    (nodes.Piece, "place"): _known("place"),
    (nodes.PieceGroup, "kind"): _new("kind"),
    (nodes.PieceGroup, "place"): _known("place"),
    (nodes.Pile, "of"): _known("kind"),
    (nodes.Snapshot, "of"): _known("variable"),
    (nodes.Note, "history"): _known("variable"),
    (nodes.Seen, "whom"): _known("define"),
    (nodes.Define, "name"): _new("define"),
    (nodes.Parameter, "name"): _new(LOCAL),
    (nodes.Parameter, "of"): _known("kind", "set", "place", "variable"),
    (nodes.Action, "name"): _new("action"),
    (nodes.Change, "target"): _known(*_TARGETS),
    (nodes.When, "piece"): _known("variable", "kind", "set"),
    (nodes.Show, "name"): _known(*GLOBAL),
    (nodes.ShownAs, "kind"): _known("kind"),
    (nodes.ShownAs, "value"): _known("variable", "trait"),
    (nodes.PlaceLines, "name"): _known("place"),
    (nodes.Travel, "heading"): _known("heading"),
    (nodes.Do, "may_stop"): _known("step", "action"),
    (nodes.Skip, "step"): _known("step"),
    (nodes.Stop, "what"): _known("step", "action"),
    (nodes.Next, "what"): _known("step", LOCAL),
    (nodes.Step, "name"): _new("step"),
    (nodes.AfterStep, "step"): _known("step"),
    (nodes.Picture, "place"): _known("variable", "place"),
    (nodes.GivenPicture, "place"): _known("variable", "place"),
    (nodes.ExpectPicture, "place"): _known("variable", "place"),
    (nodes.Seats, "names"): _new(LOCAL),
    **{(kind, "name"): _new("variable") for kind in _VARIABLES},
    **{(kind, "name"): _new(LOCAL) for kind in _LOCALS},
}
"""By node and field.  What has no row is no name of the game, but a word that says how a track ends, or a fact."""
