"""The state of a match: everything true now, hidden things included; plain values, equal and hashable.

The place in the flow is a stack of frames, each two numbers and the locals
in force (a reified continuation); so a state can be kept, copied, compared
and saved at any decision.  States are compared by their canonical form, at
the end of this module.  Beside it stand the values that cross the engine's
border: decisions, actions, steps and outcomes.
"""

from __future__ import annotations

from typing import Any

from rulekit.model.expr import Value as Inner
from rulekit.play.state.event import Event, Telling
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref, Value
from rulekit.source import NOWHERE, Span
from rulekit.values import field, frozen

CHANCE = -1
"""The seat of chance, when its decisions are asked of the caller."""

FLOW_FRAMES = 2
"""Frames below those of actions: the flow of the game, and the part (setup, play, result) that it has come to."""

Frame = tuple[int, int, tuple[Inner, ...], frozenset[str], tuple[tuple[int, str], ...]]
"""Code, place in it, locals in force (None elsewhere), steps to be skipped, and in a watched match secret locals."""

Shuffled = tuple[int, int, int]
"""A shuffled pile: its slot, how many things on top are known, how many were put under it since."""


@frozen
class Pending:
    """A question that waits, in the engine's own values.

    form:     one, several, way (options are places among the labels) or chance.
    weights:  of chance's options; `drawn` of `wanted` things are settled already; replaced: they stay options.
    pile:     the slot of a shuffled pile whose next thing is to be known.
    values:   what its texts name in braces.
    """

    seat: int
    name: str
    form: str
    options: tuple[Inner, ...]
    least: int = 1
    most: int = 1
    type: Any = None
    secret: bool = False
    prompt: str = ""
    labels: tuple[str, ...] = ()
    values: tuple[tuple[str, Value], ...] = ()
    weights: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    rule: str = ""
    drawn: tuple[Inner, ...] = ()
    wanted: int = 1
    replaced: bool = False
    stream: str = ""
    pile: int | None = None
    span: Span = field(default=NOWHERE, eq=False, repr=False)

    def key(self, setting: Setting, values: tuple[Inner, ...]) -> tuple[Any, ...]:
        """What makes two questions equal that wait among these values."""
        options: tuple[Any, ...] = self.options
        drawn: tuple[Any, ...] = self.drawn
        if getattr(self.type, "name", "") == "thing":
            options = tuple(thing if thing is None else _copy_form(setting, values, thing) for thing in options)
            drawn = tuple(_copy_form(setting, values, thing) for thing in drawn)
        return (self.seat, self.name, self.form, options, drawn)


def _frame_key(setting: Setting, values: tuple[Inner, ...], frame: Frame) -> tuple[Any, ...]:
    code, pc, kept, skips, _ = frame
    return (code, pc, tuple(_local_form(setting, values, value) for value in kept), tuple(sorted(skips)))


def keep_machine(at: State | Branch, machine: Any) -> None:
    """Keep a machine with the state or branch at which it stands, for the first who takes it."""
    object.__setattr__(at, "_left", [machine])


def keep_recording(at: State, recording: Any) -> None:
    """Keep with a state where it can be asked what decided the names in force there."""
    object.__setattr__(at, "_recording", recording)


def recording_of(at: State) -> Any:
    """That recording; None if nothing was kept."""
    return getattr(at, "_recording", None)


def keep_place(at: State, place: Any) -> None:
    """Keep with a state where it is for the legality oracle of its match."""
    object.__setattr__(at, "_place", place)


def place_of(at: State) -> Any:
    """That place; None where nobody but the interpreter says what leads on."""
    return getattr(at, "_place", None)


def take_machine(at: State | Branch) -> Any:
    """The machine that is kept there, for the first who asks; None for everybody after."""
    left = getattr(at, "_left", None)
    try:
        return left.pop() if left else None
    except IndexError:
        return None


class _Apart(Telling):
    __slots__ = ("_left",)


@frozen
class Branch(_Apart):
    """One seat's private copy of a `secretly each` block while others have not finished.

    known, open_things, open_slots, gone, unclear:  as in a state.
    """

    seat: int
    values: tuple[Inner, ...]
    lies: tuple[int, ...]
    frames: tuple[Frame, ...]
    pending: Pending | None
    events: tuple[Event, ...] = ()
    done: bool = False
    known: tuple[Shuffled, ...] = ()
    open_things: frozenset[int] = frozenset()
    open_slots: frozenset[int] = frozenset()
    gone: frozenset[int] = frozenset()
    unclear: frozenset[int] = frozenset()

    def key(self, setting: Setting) -> tuple[Any, ...]:
        """What makes two branches equal."""
        return (
            self.seat,
            _values_form(setting, self.values, self.known),
            tuple(_frame_key(setting, self.values, frame) for frame in self.frames),
            None if self.pending is None else self.pending.key(setting, self.values),
            self.done,
            self.known,
            _copies_form(setting, self.values, self.open_things),
            tuple(sorted(self.open_slots)),
            tuple(sorted(self.gone)),
        )


@frozen
class Score:
    """By which numbers a seat was ranked, in the order in which they count; open if everybody may see them."""

    seat: int
    numbers: tuple[int, ...]
    is_open: bool


@frozen
class Ended:
    """The line that ended a match: the rule in which it stands, and its clauses."""

    rule: str
    clauses: tuple[str, ...]


Asked = tuple[Pending, "Decision", tuple[Inner, ...]]
"""What waits, as it is asked, and its options in the engine's own values."""


class _Asking:
    """Questions as they are asked, and how the match came there, beside what a state is; no copy has them."""

    __slots__ = ("_left", "_place", "_questions", "_recording")
    _questions: dict[int, Asked]

    def questions(self) -> dict[int, Asked]:
        """By seat what waits for it, and as it is asked."""
        known: dict[int, Asked] | None = getattr(self, "_questions", None)
        if known is None:
            known = {}
            object.__setattr__(self, "_questions", known)
        return known

    def share_questions(self, before: _Asking) -> None:
        """Those of a state that has the same values: what waits there and here is asked alike."""
        object.__setattr__(self, "_questions", before.questions())


@frozen(eq=False)
class State(_Asking):
    """One position of a match.  Two are equal if every declared value, the flow and what is pending are.

    known:    the piles whose order is not decided all the way.
    arrived:  who has finished a secret block, in that order; it makes no difference.
    scores, ended:  by what the seats were ranked and which line ended the match; told beside, and no difference either.
    """

    setting: Setting = field(repr=False)
    values: tuple[Inner, ...]
    lies: tuple[int, ...] = field(repr=False)
    frames: tuple[Frame, ...]
    streams: tuple[tuple[str, int], ...] = ()
    known: tuple[Shuffled, ...] = ()
    open_things: frozenset[int] = frozenset()
    open_slots: frozenset[int] = frozenset()
    ranks: tuple[tuple[int, ...], ...] = ()
    defeated: tuple[int, ...] = ()
    starter: int = 0
    last_answer: int | None = None
    over: bool = False
    pending: Pending | None = None
    branches: tuple[Branch, ...] = ()
    gone: frozenset[int] = frozenset()
    arrived: tuple[int, ...] = ()
    ending: bool = False
    steps: int = 0
    unclear: frozenset[int] = frozenset()
    scores: tuple[Score, ...] = ()
    ended: Ended | None = None

    def key(self) -> tuple[Any, ...]:
        """All that makes two states equal; identical copies of a card are not told apart."""
        setting = self.setting
        return (
            setting.game.title,
            setting.options,
            setting.seats,
            setting.seed,
            self.printed_values(),
            self.streams,
            self.known,
            self.opened(),
            tuple(sorted(self.open_slots)),
            (self.ranks, self.defeated, self.starter, self.last_if_asked(), self.over, self.ending),
            self.place_key(),
            tuple(sorted(self.gone)),
        )

    def place_key(self) -> tuple[Any, ...]:
        """Where the match stands in the rules, with what is named and asked there; all empty at its end."""
        return (
            tuple(_frame_key(self.setting, self.values, frame) for frame in self.frames),
            None if self.pending is None else self.pending.key(self.setting, self.values),
            tuple(branch.key(self.setting) for branch in self.branches),
        )

    def opened(self) -> tuple[tuple[int, int, int], ...]:
        """The things that all may see now, each as printed card, slot of its pile and place among its like there."""
        return _copies_form(self.setting, self.values, self.open_things)

    def printed_values(self) -> tuple[Any, ...]:
        """All declared values, with printed cards in piles, and those sorted whose order nobody has decided."""
        return _values_form(self.setting, self.values, self.known)

    def last_if_asked(self) -> int | None:
        """Who answered last, if the rules ever ask; in which order others did, none can."""
        return self.last_answer if self.setting.asks_for_order else None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        return self is other or self.key() == other.key()

    def __hash__(self) -> int:
        return hash(self.key())

    def _repr_html_(self) -> str:
        """As a notebook shows it: what everybody sees, drawn, with all values below on request."""
        import rulekit

        values = rulekit.view(self, rulekit.SPECTATOR)._repr_html_()
        return f"{rulekit.drawing(self).svg}<details><summary>values</summary>{values}</details>"

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, known: object) -> State:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # How a state is saved is known further on; the package's public names lead there.
        import rulekit

        return rulekit.restore, (rulekit.dump(self), self.setting.game)


@frozen
class Decision:
    """One question to one seat.

    seat:     who answers, 0-based in seat order; CHANCE for chance.
    name:     what is chosen, as the rules call it.
    options:  what may be chosen, in rule order; a set answer takes least to most of them.
    weights:  relative chances of the options, for CHANCE only.
    source:   of chance, what decides: the path of a pile, a die, or whatever else is drawn from.
    follow:   of chance, how many questions follow for the same draw, at most.
    refused:  sets that were answered and refused: whoever asks again says so.
    values:   what the prompt and the ways name in braces, as `{price}`: names with their values.
    """

    seat: int
    name: str
    prompt: str
    options: tuple[Value, ...]
    least: int = 1
    most: int = 1
    several: bool = False
    secret: bool = False
    weights: tuple[int, ...] = ()
    clauses: tuple[str, ...] = ()
    rule: str = ""
    refused: tuple[Value, ...] = ()
    source: str = ""
    follow: int = 0
    values: tuple[tuple[str, Value], ...] = ()


Seat = int | str | Ref
"""A seat as somebody calls it: by its number, its name, or the player that an event tells."""


def _as_called(seat: Seat) -> int:
    return seat  # type: ignore[return-value]


@frozen
class Action:
    """One answer of one seat: a value among the options, or several of them.

    seat:  its number.  It may be given by name: who carries the action out looks it up (`engine.seated`).
    """

    seat: int = field(converter=_as_called)
    answer: Value


@frozen
class Step(Telling):
    """What an action led to: the next state and what happened on the way."""

    state: State
    events: tuple[Event, ...]

    def __reduce__(self) -> tuple[Any, ...]:
        return Step, (self.state, self.events)

    def _repr_html_(self) -> str:
        """As a notebook shows it: where it led."""
        return self.state._repr_html_()


@frozen
class Reached:
    """What all players reached together, and the least and the most that there is to reach."""

    value: int
    least: int
    most: int

    @property
    def part(self) -> float:
        """How much of it, from 0 to 1."""
        return (self.value - self.least) / (self.most - self.least)


@frozen
class Outcome:
    """The end of a match.

    ranking:   seats by place, best first; seats that share a place together.
    defeated:  seats that lost outright, behind all ranked ones.
    winners:   the first place, unless everybody in it is defeated.
    unclear:   open readings of the rule text that this match depended on.
    scores:    by seat the numbers by which it was ranked, in the order in which they count; None for who was not,
               and in a view where they follow from what not everybody may see.
    rule:      the action in which the match was ended; `game` if `play` ended it or came to its end.
    clauses:   of the line that ended it.
    together:  what all players reached; None where each stands for itself, or each team.
    """

    ranking: tuple[tuple[int, ...], ...]
    defeated: tuple[int, ...]
    winners: tuple[int, ...]
    unclear: tuple[str, ...] = ()
    scores: tuple[tuple[int, ...] | None, ...] = ()
    rule: str = ""
    clauses: tuple[str, ...] = ()
    together: Reached | None = None

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        from rulekit.table import Table

        scores = {seat: numbers for seat, numbers in enumerate(self.scores) if numbers is not None}
        rows = [
            ("defeated" if seat in self.defeated else place, seat, _columns(scores.get(seat)), seat in self.winners)
            for place, seats in enumerate((*self.ranking, self.defeated), 1)
            for seat in seats
        ]
        return Table(("place", "seat", "score", "wins"), dict.fromkeys(rows))._repr_html_()


def _columns(numbers: tuple[int, ...] | None) -> str | None:
    return None if numbers is None else ", ".join(map(str, numbers))


# ---------------------------------------------------------------- canonical form

# Identical copies of a card are interchangeable (a symmetry of the game), so a copy is written as its printed card and
# where it lies; what is undecided in a shuffled pile has no order.


def _values_form(setting: Setting, values: tuple[Any, ...], known: tuple[Shuffled, ...]) -> tuple[Any, ...]:
    """All declared values, piles by printed cards.  known: the shuffled piles, see `Shuffled`."""
    result = list(values)
    undecided = {slot: (top, len(values[slot]) - under) for slot, top, under in known}
    for slot in setting.pile_slots:
        rows = [setting.row_of[thing] for thing in values[slot]]
        first, last = undecided.get(slot, (0, 0))
        result[slot] = (*rows[:first], *sorted(rows[first:last]), *rows[last:])
    return tuple(result)


def _copy_form(setting: Setting, values: tuple[Any, ...], thing: int) -> tuple[int, int, int]:
    """A copy as printed card, pile and place among its like there."""
    if thing < setting.copy_base:
        return (thing, -1, 0)
    for slot in setting.pile_slots:
        if thing in values[slot]:
            same = [t for t in values[slot] if setting.row_of[t] == setting.row_of[thing]]
            return (setting.row_of[thing], slot, same.index(thing))
    return (setting.row_of[thing], -1, 0)


def _copies_form(setting: Setting, values: tuple[Any, ...], things: frozenset[int]) -> tuple[tuple[int, int, int], ...]:
    """Things in an order that does not depend on which copies they are."""
    return tuple(sorted(_copy_form(setting, values, thing) for thing in things))


def _local_form(setting: Setting, values: tuple[Any, ...], value: Any) -> Any:
    """A local of a frame.  Locals carry no types, so a number that could be a copy is written both ways."""
    if isinstance(value, tuple):
        return tuple(_local_form(setting, values, item) for item in value)
    if isinstance(value, int) and not isinstance(value, bool) and setting.copy_base <= value < len(setting.things):
        return ("copy", _copy_form(setting, values, value))
    return value
