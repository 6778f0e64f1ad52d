"""Which texts of a game stand beside one another and must be told apart, in every language.

The members of a kind, the answers of a question, the heads of columns.  A
translation that has one name for two of them makes a choice that nobody can make.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulekit.legibility import without_invisible
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.tools.language.display_names import piece_words, plain, titled

Key = tuple[str, str]
"""The id of a text and the text; of an answer in a menu the id is `way`, since it is looked up by its words."""


def alike(game: model.Game, said: Mapping[Key, str]) -> Iterator[tuple[Key, Key]]:
    """Pairs of texts that must be told apart and are not, of which at least one is translated.

    said:  the translations; a text that has none is shown as it is.
    """
    for group in _groups(game):
        seen: dict[str, Key] = {}
        for key in group:
            other = seen.setdefault(_shown(key, said), key)
            if other[1] != key[1] and not said.keys().isdisjoint((key, other)):
                yield other, key


def _shown(key: Key, said: Mapping[Key, str]) -> str:
    return without_invisible(said.get(key, key[1])).strip().casefold()


def _groups(game: model.Game) -> Iterator[list[Key]]:
    yield [(f"kind {kind.name}", plain(kind.name)) for kind in game.kinds.values()]
    yield [(f"place {place.name}", plain(place.name)) for place in game.places.values()]
    yield [(f"ruleset {ruleset.name}", plain(ruleset.name)) for ruleset in game.rulesets]
    yield [(f"option {option.name}", option.text) for option in game.options]
    yield from _of_kinds(game)
    yield from _of_variables(game)
    for option in game.options:
        yield [(f"reading {option.name}.{name}", text or plain(name)) for name, text in option.readings]
    for op in (op for code in game.codes for op in code.ops if isinstance(op, ops.AskWay)):
        yield [("way", label) for label, _, _ in op.ways]


def _of_kinds(game: model.Game) -> Iterator[list[Key]]:
    for kind in game.kinds.values():
        yield [(f"{kind.name} {member.key}", member.title or plain(member.key)) for member in kind.members]
        yield [(f"trait {kind.name}.{trait}", plain(trait)) for trait in kind.traits]


def _of_variables(game: model.Game) -> Iterator[list[Key]]:
    """The columns of the game and those of each player; the pieces."""
    columns = [v for v in game.variables if v.form not in (*model.PAST, "piece", "group")]
    for owner in sorted({variable.owner for variable in columns}):
        yield [(f"name {v.name}", titled(v)) for v in columns if v.owner == owner]
    yield [(f"piece {v.name}", piece_words(v)) for v in game.variables if v.form in ("piece", "group")]
