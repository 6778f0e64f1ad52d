"""The legality oracle of compiled games: a twin of the match, in WebAssembly, tries what the interpreter would.

The twin gets the same answers with the same chance, and notes what comes of its tries (`lower.builder.verdicts`).
Making it costs as much as ten million steps of tries or two, so it is made only when matches at a table have taken
so many.  A game that no plan can say, or a place where nothing runs WebAssembly, has no twin.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import finalize

from rulekit.compiler.legality.way import Way
from rulekit.compiler.runtime.state_encoding import answer_places
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.call_graph import guarded
from rulekit.model.game import Game
from rulekit.model.traversal import parts
from rulekit.play.machine.legality import LegalityOracle
from rulekit.play.state.match_state import Pending
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value
from rulekit.values import define, field, frozen

if TYPE_CHECKING:
    from rulekit.compiler.legality.twin import Said, Twin

T = TypeVar("T")
WORTH = 20_000_000
"""So many steps of tries at a table, and a twin is made."""
_TABLES = 4
"""For so many tables twins are kept; each of them reserves the addresses of a module."""


@define(eq=False)
class Shared:
    """What all matches of a game with the same options and seats share.  worth: as of `CompiledLegality`.

    takes_sets:  whether a question for several things may have an `only if` ahead of it.
    shuffles:    whether the order of some pile is decided when a rule asks for it.
    tried:  the steps that its matches have spent with trying.
    twin:   None until it is wanted, and for ever where there can be none.
    """

    game: Game
    options: Mapping[str, Value]
    seats: tuple[str, ...]
    worth: int
    guarded: frozenset[int]
    takes_sets: bool
    shuffles: bool
    tried: int = 0
    twin: Twin | None = None
    is_made: bool = False
    lock: Any = field(factory=threading.RLock)

    def ready(self) -> Twin | None:
        """Its twin, if it has one or deserves one by now."""
        if not self.is_made and self.tried >= self.worth:
            from rulekit.compiler.legality.twin import twin_of

            self.is_made = True
            self.twin = twin_of(self.game, self.options, self.seats)
        return self.twin


@define(eq=False)
class CompiledLegality:
    """See `play.machine.legality.LegalityOracle`.  worth: how many steps of tries are worth a twin."""

    worth: int = WORTH
    tables: OrderedDict[Any, Shared] = field(factory=OrderedDict)
    lock: Any = field(factory=threading.Lock)

    def __attrs_post_init__(self) -> None:
        # Modules must go before the interpreter takes apart what they need to go.
        finalize(self, self.tables.clear)

    def begins(self, setting: Setting, options: Mapping[str, Value]) -> Place | None:
        game = setting.game
        if setting.seed is None or not asks_by_effect(game):
            return None
        key = id(game), setting.options, setting.seats
        with self.lock:
            if key not in self.tables:
                seats = setting.seats[: setting.players]
                self.tables[key] = _shared(game, options, seats, self.worth)
                if len(self.tables) > _TABLES:
                    self.tables.popitem(last=False)
            self.tables.move_to_end(key)
            return Place(self.tables[key], Way(setting.seed))


_STANDARD = CompiledLegality()


def standard() -> LegalityOracle:
    """The one that commands, tables and the studio hand to their matches; a match that nobody handed one has none."""
    return _STANDARD


def _shared(game: Game, options: Mapping[str, Value], seats: tuple[str, ...], worth: int) -> Shared:
    ahead = guarded(game)
    asked = [op for code in ahead for op in game.codes[code].ops if isinstance(op, ops.Ask)]
    takes_sets = any(op.least is not None for op in asked)
    shuffles = any(op.effects.shuffles for code in game.codes for op in code.ops)
    return Shared(game, dict(options), seats, worth, ahead, takes_sets, shuffles)


def asks_by_effect(game: Game) -> bool:
    """Whether a game has conditions by effect, all of them where a twin comes to them when the interpreter does."""
    known: bool | None = game.kept.get("asks by effect")
    if known is None:
        known = game.kept["asks by effect"] = _asks_by_effect(game)
    return known


def _asks_by_effect(game: Game) -> bool:
    codes = [op for code in game.codes for op in code.ops]
    if any(_tries(value) for op in codes if isinstance(op, ops.Ask | ops.AskWay) for _, value, _ in op.values):
        # What a text names in braces is worked out again for whoever reads it.
        return False
    in_defines = any(_tries(one.value) for one in game.defines)
    if in_defines and any(isinstance(op, ops.SecretStart) for op in codes):
        return False
    return in_defines or any(code.has_only_if for code in game.codes) or any(_tries(op) for op in codes)


def _tries(part: Any) -> bool:
    return any(isinstance(one, x.Possible) for one in parts(part))


@frozen(eq=False)
class Place:
    """See `play.machine.legality.Place`."""

    shared: Shared
    way: Way

    def after(self, question: Pending, value: Any) -> Place:
        places = answer_places(question.options, value, several=question.form == "several")
        return Place(self.shared, Way(self.way.seed, self.way, question.seat, places, len(question.options)))

    def verdicts(self) -> Asked:
        return Asked(self.shared, self.way)


@define(eq=False)
class Asked:
    """What is said on the way to a place, see `play.machine.legality.Verdicts`.

    said:    what the twin noted, once it was asked; None where it cannot say anything.
    is_fixed:  whether it was decided for this way who tries.
    """

    shared: Shared
    way: Way
    said: Said | None = None
    is_fixed: bool = False

    def leads_on(self, code: int, kind: Any, options: tuple[Any, ...], *, alone: bool) -> Sequence[bool] | None:
        shared = self.shared
        if code not in shared.guarded or (alone and shared.takes_sets) or (said := self._said()) is None:
            return None
        # A twin that has taken it has come to its end, or to a question from which that can be met.
        return (True,) if alone else self._trusted(lambda: said.leads_on(code, kind, options))

    def is_possible(self, code: int, arguments: Sequence[Any]) -> tuple[bool, int] | None:
        said = self._said()
        return None if said is None else self._trusted(lambda: said.is_possible(code, arguments))

    def holds(self) -> bool:
        # Where one does not the twin comes to no question; but it may ask for the order of a pile.
        return not self.shared.shuffles and self._said() is not None

    def tried(self, steps: int) -> None:
        self.shared.tried += steps

    def asked_again(self) -> None:
        # What was said in its first part would be said once only.
        self.said, self.is_fixed = None, True

    def distrust(self, why: str) -> None:
        self._give_up(AssertionError(why))

    def met(self) -> frozenset[int]:
        return frozenset() if self.said is None else self.said.met

    def _said(self) -> Said | None:
        if not self.is_fixed:
            self.is_fixed = True
            with self.shared.lock:
                twin = self.shared.ready()
                self.said = None if twin is None else self._trusted(lambda: twin.comes_to(self.way))
        return self.said

    def _trusted(self, ask: Callable[[], T]) -> T | None:
        """What a twin says; None after a fault of it, which must not end a match of people."""
        try:
            return ask()
        except Exception as fault:
            self._give_up(fault)
            return None

    def _give_up(self, fault: Exception) -> None:
        """Play on without the twin, as do all matches that share it."""
        from rulekit.compiler.compiler_faults import report_fault

        self.said, self.is_fixed = None, True
        self.shared.is_made, self.shared.twin = True, None
        report_fault(fault, self.shared.game.title)
