"""What is in the box and on the boards, counted, and what lies where when play begins."""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play.state.value import Value
from rulekit.tools.language.display_names import plain, several, titled
from rulekit.tools.language.translation import Tongue
from rulekit.tools.rulebook.worked_examples import lying_at_first, piles_at_first
from rulekit.values import frozen

_LONGEST_TABLE = 60
"""Members of a kind that are listed one by one."""


@frozen
class Component:
    """Like things in the box.  kind: what they are in the rules; form: piece, card or die; count: how many in all."""

    kind: str
    form: str
    count: int
    words: str


@frozen
class Table:
    """A table of things.  columns: their heads; rows: a text for each column."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Box:
    """printed: kinds that are printed on boards; with_rules: kinds whose members stand in the book with their rules."""

    def __init__(
        self, game: model.Game, options: Mapping[str, Value], tongue: Tongue, printed: tuple[str, ...] = ()
    ) -> None:
        self.game, self.options, self.tongue, self.printed = game, options, tongue, printed

    def components(self) -> tuple[Component, ...]:
        things = (*self._pieces(), *self._piles(), *self._dice())
        return tuple(each for each in things if each.kind not in self.printed)

    def board(self) -> tuple[str, ...]:
        found = [self._place(place) for place in self.game.places.values()]
        found += [each.words for each in self._piles() if each.kind in self.printed]
        holding = dict.fromkeys(v.owner for v in self.game.variables if v.form == "pile" and v.owner in self.game.kinds)
        drawn = {place.kind for place in self.game.places.values()}
        counts = {name: len(self.game.kinds[name].members) for name in holding if name not in drawn}
        found += [f"{count} × {self._kind_words(name, count)}" for name, count in counts.items() if count]
        return tuple(words[:1].upper() + words[1:] for words in found)

    def _place(self, place: model.Place) -> str:
        name = self.tongue.text(f"place {place.name}", plain(place.name))
        if place.form == "course":
            return self.tongue.say("spaces", place=name, count=len(self.game.kinds[place.kind].members))
        if place.form == "grid":
            if place.width is None or place.bounded is not None:
                return self.tongue.say("endless-cells", place=name)
            return self.tongue.say("cells", place=name, width=place.width, height=place.height)
        if place.high is None:
            return self.tongue.say("spaces-on", place=name, low=place.low)
        return self.tongue.say("spaces-range", place=name, low=place.low, high=place.high)

    def _pieces(self) -> list[Component]:
        found = []
        for variable in self.game.variables:
            if variable.form in ("piece", "group"):
                kind = variable.type.kind if variable.form == "piece" else variable.type.element.kind
                count = max(variable.count, len(self.game.kinds[kind].members))
                found.append(self._things(kind, "piece", count, for_each=variable.owner == "player"))
        return found

    def _things(self, kind: str, form: str, count: int, *, for_each: bool) -> Component:
        """`45 × cards, 9 for each player`, or `49 × cards` of things that nobody has of their own."""
        number = count * self.game.most if for_each else count
        words = f"{number} × {self._kind_words(kind, number)}"
        words = self.tongue.say("for-each-player", things=words, each=count) if for_each else words
        return Component(kind, form, number, words)

    def _piles(self) -> list[Component]:
        piles = [variable for variable in self.game.variables if variable.form == "pile"]
        kinds = dict.fromkeys(pile.type.element.kind for pile in piles)
        lying = {seats: lying_at_first(self.game, self.options, seats) for seats in self._seats()}
        found = []
        for name in kinds:
            kind = self.game.kinds[name]
            count = sum(member.copies for member in kind.members)
            if not kind.piece and count:
                for_each = all(there[name] == count * seats for seats, there in lying.items() if there)
                most = max(count, *(there[name] for there in lying.values()))
                found.append(self._things(name, "card", count if for_each else most, for_each=for_each))
        return found

    def _seats(self) -> range:
        return range(self.game.least, self.game.most + 1)

    def _dice(self) -> list[Component]:
        rolls = [op for code in self.game.codes for op in code.ops if isinstance(op, ops.Draw) and op.verb == "roll"]
        dice = dict.fromkeys(op.stream for op in rolls)
        named = {die: self.tongue.text(f"source {die}", plain(die)) for die in dice}
        return [Component(die, "die", 1, f"1 × {name}") for die, name in named.items()]

    def _kind_words(self, name: str, count: int = 2) -> str:
        return self.tongue.number(f"kind {name}", plain(name), several(name, self.tongue), count)

    def by_players(self) -> Table | None:
        """For each number of players how many things lie in each pile when play begins; None if nothing does."""
        lying = {seats: piles_at_first(self.game, self.options, seats) for seats in self._seats()}
        piles = [v for v in self.game.variables if v.form == "pile" and v.owner in ("", "player")]
        piles = [v for v in piles if any(there[v.name] for there in lying.values())]
        if not piles:
            return None
        heads = [self.tongue.text(f"name {pile.name}", titled(pile)) for pile in piles]
        each = [self.tongue.say("of-each", pile=h) if pile.owner else h for pile, h in zip(piles, heads, strict=True)]
        rows = [(str(seats), *(str(there[pile.name]) for pile in piles)) for seats, there in lying.items()]
        if len({row[1:] for row in rows}) == 1:
            rows = [(self.players(), *rows[0][1:])]
        return Table(self.tongue.say("by-players"), (self.tongue.say("players"), *each), tuple(rows))

    def players(self) -> str:
        least, most = self.game.least, self.game.most
        return str(least) if least == most else f"{least}–{most}"

    def tables(self, with_rules: frozenset[str], wanted: tuple[str, ...] | None = None) -> tuple[Table, ...]:
        """What is printed on things that have no rules of their own; only of wanted kinds, if some are named."""
        return tuple(
            self._table(kind)
            for kind in self.game.kinds.values()
            if kind.traits and 0 < len(kind.members) <= _LONGEST_TABLE and kind.name not in with_rules
            if wanted is None or kind.name in wanted
        )

    def _table(self, kind: model.Kind) -> Table:
        traits = [trait for trait, values in kind.traits.items() if not _repeats_keys(kind, values)]
        heads = [self.tongue.text(f"trait {kind.name}.{trait}", plain(trait)) for trait in traits]
        rows = []
        for place, member in enumerate(kind.members):
            title = self.tongue.text(f"{kind.name} {member.key}", member.title or plain(member.key))
            values = [self._value(kind, trait, kind.traits[trait][place]) for trait in traits]
            rows.append((title, *values))
        return Table(self._kind_words(kind.name), (self._kind_words(kind.name, 1), *heads), tuple(rows))

    def _value(self, kind: model.Kind, trait: str, value: object) -> str:
        if isinstance(value, tuple):
            words = [self._value(kind, trait, item) for item in value]
            return ("" if all(word.isdigit() for word in words) else ",").join(f" {word}" for word in words).strip()
        if value is None:
            return "–"
        if isinstance(value, bool):
            return "✓" if value else "–"
        of = kind.trait_types[trait]
        of = of.element if of.is_set else of
        if of.name == "thing" and isinstance(value, int):
            other, member = self.game.member(value)
            return self.tongue.text(f"{other.name} {member.key}", member.title or plain(member.key))
        return str(value)


def _repeats_keys(kind: model.Kind, values: tuple[object, ...]) -> bool:
    """Whether a column says only what the names of the members say."""
    return all(str(value) == member.key for value, member in zip(values, kind.members, strict=True))
