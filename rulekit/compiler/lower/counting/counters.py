"""Which counters a series keeps, and where: words that one match counts in, and sums over all matches.

A match counts in words behind its position: how often each answer was given,
each space was held, each rule ran.  When it is over, what it came to is added
to the sums.  The reference engine does the same with numbers of its own;
both know from here what stands where.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulekit.compiler.lower.counting import schema
from rulekit.compiler.lower.counting.domains import Domain, answers, spaces
from rulekit.compiler.lower.counting.never_offered import never_offered
from rulekit.compiler.lower.counting.ranking_key import ranking_key
from rulekit.compiler.lower.counting.schema import EDGES, LEAST_BIN, QUESTION, Schema, binned
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.plan.ir import NONE
from rulekit.model import game as model
from rulekit.model import ops, traversal
from rulekit.model.call_graph import Place, member_codes, reachable
from rulekit.model.expr import PieceOf
from rulekit.model.rounds import round_start
from rulekit.play.machine.working_state import Machine
from rulekit.values import define, evolve, field, frozen

PIECES = 12
"""Where pieces stand is counted for owners with at most so many of them; more would cost too much."""


@frozen
class Figure:
    """A number at the end of every match: seat by seat, or of the whole match (seat None)."""

    name: str
    seat: int | None
    word: int


def figures_of(storage: Storage) -> Iterator[Figure]:
    """Counters and places on tracks, of players and of the match."""
    setting = storage.setting
    for index, variable in enumerate(setting.game.variables):
        if variable.form == "piece" and setting.game.places[variable.place].form == "track":
            yield from _figures(variable, storage.pieces + setting.piece_first[index], setting.players)
        elif variable.form == "counter" and variable.is_written:
            yield from _figures(variable, storage.word_base[index], setting.players)


def _figures(variable: model.Variable, base: int, seats: int) -> list[Figure]:
    if variable.owner == "player":
        return [Figure(variable.name, seat, base + seat) for seat in range(seats)]
    return [Figure(variable.name, None, base)] if variable.owner == "" else []


@frozen
class Group:
    """Things that may come up, each an entry of its own, counted.

    told:    what they are.  domain: which is which.  first: the number of the first entry.
    op:      of answers, the code and the place in it that asks; of spaces, the variable and 0.
    """

    told: schema.Group
    domain: Domain
    op: tuple[int, int] = (0, 0)
    first: int = 0


@frozen
class Question:
    """A question of the rules, counted.

    op:    the code and the place in it that asks.
    word:  how often it was asked; then follow how many options it had in all, and at most.
    """

    told: schema.Question
    op: tuple[int, int]
    word: int = 0


@define(eq=False)
class Counters:
    """All that one series counts: the words for a match, and the schema of the sums.

    seats:        how many are counted for; everyone: how many have a place at the end.
    entries:      the word of entry e for seat s is entries + e * seats + s.
    round_start:  the operation with which each round begins; None where there are no rounds.
    measures:     names of the numbers that every match comes to, with the seat that each belongs to.
    sheet:        the schema: where each sum stands, and its name.
    """

    storage: Storage
    figures: tuple[Figure, ...]
    groups: list[Group] = field(factory=list)
    questions: list[Question] = field(factory=list)
    round_start: Place | None = None
    ranking_key: ops.Rank | None = None
    entries: int = 0
    size: int = 0
    rounds: int = 0
    changes: int = 0
    leader: int = 0
    began: int = 0
    sheet: Schema = field(init=False)

    @property
    def seats(self) -> int:
        return self.storage.setting.players

    @property
    def everyone(self) -> int:
        return self.storage.setting.everyone

    @property
    def measures(self) -> tuple[tuple[str, int | None], ...]:
        first = ["decisions", *(["rounds"] if self.round_start is not None else [])]
        ranked = ["lead changes", "spread"] if self.ranking_key else []
        return (*((name, None) for name in (*first, *ranked)), *((one.name, one.seat) for one in self.figures))

    @property
    def words(self) -> dict[tuple[str, int | None], int]:
        """The words that hold a measure when a match is over."""
        made: dict[tuple[str, int | None], int] = {}
        if self.round_start is not None:
            made["rounds", None] = self.rounds
            if self.ranking_key is not None:
                made["lead changes", None] = self.changes
        return {**made, **{(figure.name, figure.seat): figure.word for figure in self.figures}}

    def tallied(self, tally: model.Tally) -> Iterator[int]:
        """The words of a tally; of variables that are somebody's, those of neutral seats too."""
        for index in tally.variables:
            owners = self.storage.setting.owners(self.storage.setting.game.variables[index])
            yield from range(self.storage.word_base[index], self.storage.word_base[index] + owners)
        yield from (self.storage.unclear[index] for index in tally.options)


def counters_of(storage: Storage, m: Machine) -> Counters:
    """Everything that can be counted of a match that is set up, with new words of the storage for it."""
    made = Counters(storage, tuple(figures_of(storage)))
    made.round_start = round_start(storage.setting.game)
    made.ranking_key = ranking_key(storage) if made.seats > 1 else None
    _groups(made, m)
    _words(made)
    made.sheet = _sheet(made)
    return made


# ---------------------------------------------------------------- what there is


def _groups(made: Counters, m: Machine) -> None:
    game = m.setting.game
    known = sorted(reachable(game, (game.main, game.result)))
    for code in known:
        for place, op in enumerate(game.codes[code].ops):
            if isinstance(op, ops.Ask | ops.AskWay):
                _question(made, m, (code, place), op)
    for index, variable in enumerate(game.variables):
        _spaces(made, index, variable)
    members, domain = member_codes(game), Domain("table", tuple(known), len(known))
    labels = tuple(game.codes[code].name for code in known)
    _group(made, Group(schema.Group("rule", "rule", 0, labels, tuple(code in members for code in known)), domain))


def _question(made: Counters, m: Machine, at: tuple[int, int], op: ops.Ask | ops.AskWay) -> None:
    rule = m.setting.game.codes[at[0]].name
    name = op.name if isinstance(op, ops.Ask) else rule
    made.questions.append(Question(schema.Question(name, rule, op.span.line), at))
    found = answers(made.storage, op)
    if found is not None:
        domain, labels = found
        told = schema.Group("answer", name, op.span.line, labels, (True,) * len(labels))
        _group(made, Group(_named(m, told, domain, op), domain, at))


def _named(m: Machine, told: schema.Group, domain: Domain, op: ops.Ask | ops.AskWay) -> schema.Group:
    """Answers, with whether the rules name them one by one, and which of them they never offer."""
    if isinstance(op, ops.AskWay):
        return evolve(told, named=True)
    asked: Any = op.type
    game = m.setting.game
    kind = asked.kind or asked.element.kind
    # Spaces that nobody chose tell of the way there, not of the space.
    if domain.form != "row" or any(place.form == "course" and place.kind == kind for place in game.places.values()):
        return told
    return evolve(told, named=True, barred=never_offered(m, op.options, game.kinds[kind]))


def _spaces(made: Counters, index: int, variable: model.Variable) -> None:
    if variable.form not in ("piece", "group") or variable.owner not in ("", "player") or variable.count > PIECES:
        return
    place = made.storage.setting.places[variable.place]
    found = spaces(made.storage, place, endless=bool(variable.owner) and not _is_score(made, index, variable))
    if found is not None:
        domain, labels = found
        told = schema.Group("space", variable.name, variable.span.line, labels, (True,) * len(labels))
        _group(made, Group(told, domain, (index, 0)))


def _is_score(made: Counters, index: int, variable: model.Variable) -> bool:
    """Whether a piece only shows what ranks its owner: nothing happens where it stands."""
    game = made.storage.setting.game
    kind = variable.type.kind or variable.type.element.kind
    if any(reaction.kind == kind for reaction in game.reactions):
        return False
    keys = () if made.ranking_key is None else traversal.parts(made.ranking_key.keys[0][0])
    return any(isinstance(part, PieceOf) and part.variable == index for part in keys)


def _group(made: Counters, group: Group) -> None:
    made.groups.append(evolve(group, first=made.size))
    made.size += len(group.told.labels)


# ---------------------------------------------------------------- where it lies


def _words(made: Counters) -> None:
    storage = made.storage
    made.entries = len(storage.words)
    for group in made.groups:
        for label in group.told.labels:
            for seat in storage.setting.seats[: made.seats]:
                storage.word(f"{group.told.name} {label} of {seat}", 0)
    made.questions = [evolve(one, word=_row(storage, f"{one.told.name} asked", QUESTION)) for one in made.questions]
    made.rounds = storage.word("rounds", 0)
    made.changes = storage.word("lead changes", 0)
    made.leader = storage.word("leader", NONE)
    made.began = storage.word("began", NONE)


def _row(storage: Storage, name: str, count: int) -> int:
    return min([storage.word(name, 0) for _ in range(count)])


# ---------------------------------------------------------------- how it is told


def _sheet(made: Counters) -> Schema:
    game = made.storage.setting.game
    reached = game.together
    return Schema(
        title=game.title,
        author=game.author,
        seats=made.storage.setting.seats,
        players=made.seats,
        measures=made.measures,
        figures=len(made.figures),
        questions=tuple(one.told for one in made.questions),
        groups=tuple(group.told for group in made.groups),
        begins=made.seats > 1 and any(op.effects.alters == "starter" for code in game.codes for op in code.ops),
        teams=made.storage.setting.teams,
        tallies=len(game.tallies),
        together=None if reached is None else (game.variables[reached.value.variable].name, reached.high),
        reached_word=None if reached is None else made.words[game.variables[reached.value.variable].name, None],
    )


# ---------------------------------------------------------------- bins

BINS = tuple(binned(value) for value in range(-LEAST_BIN, EDGES[-1] + 1))
"""The bin of value v is at v + LEAST_BIN, where v is clamped to the ends first."""
