"""Emission of expressions as Python, for codes that run often: the same meaning without a call for every node.

Whatever is not written here stays a call of the meaning that the tables give.
An expression that goes wrong as Python (nothing where something is needed)
takes the slow path: its meaning is asked again, which says in words what is
wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, frozen

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.traversal import parts
from rulekit.play.machine.closure_compilation import Meanings

Given = Callable[[Meanings], Any]
"""What a name stands for at a table."""


class SlowPath(Exception):
    """Generated code cannot say what is wrong with an expression: its meaning has to be asked."""


_DEEP = 20
"""So many defines inside one another are written out; beyond, their meanings count how deep they go."""
SLOW_PATH = (SlowPath, TypeError, ZeroDivisionError)


@frozen
class Scope:
    """What locals and elements are called where an expression stands; everything there gets `names` handed on."""

    names: tuple[str, ...]
    locals: str | tuple[str, ...]
    elements: tuple[tuple[int, str], ...] = ()

    def local(self, index: int) -> str:
        return f"{self.locals}[{index}]" if isinstance(self.locals, str) else self.locals[index]

    def element(self, slot: int) -> str:
        return dict(self.elements)[slot]

    def within(self, slot: int, name: str) -> Scope:
        others = tuple(pair for pair in self.elements if pair[0] != slot)
        return evolve(self, elements=(*others, (slot, name)))

    def handed(self) -> str:
        return ", ".join(("m", *self.names, *(name for _, name in self.elements)))


FRAME = Scope(("own",), "own")
"""In an operation: locals are those of its frame."""


@define
class Writer:
    """Text and what it needs.

    needs:     what the names k0, k1 … stand for.
    lines:     functions that the text calls.
    calls:     how often the text calls a meaning.
    """

    game: model.Game
    needs: list[Given] = field(factory=list)
    lines: list[str] = field(factory=list)
    calls: int = 0
    _numbers: int = 0
    _defines: dict[int, str | None] = field(factory=dict)
    _shallow: frozenset[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._shallow = _shallow(self.game)

    def need(self, given: Given) -> str:
        self.needs.append(given)
        return f"k{len(self.needs) - 1}"

    def same(self, value: Any) -> str:
        return self.need(lambda c: value)

    def fresh(self, letter: str) -> str:
        self._numbers += 1
        return f"{letter}{self._numbers}"

    def text(self, e: x.Expr, at: Scope = FRAME) -> str | None:
        """An expression as Python; None if it cannot be written so."""
        written = WRITTEN.get(type(e))
        if written is not None:
            needs, lines, defines = len(self.needs), len(self.lines), self._defines.copy()
            found = written(self, e, at)
            if found is not None:
                return found
            del self.needs[needs:], self.lines[lines:]
            self._defines = defines
        if any(isinstance(part, x.Local | x.Element) for part in parts(e)):
            return None
        self.calls += 1
        return f"{self.need(lambda c: c.of(e))}(m)"

    def texts(self, several: tuple[x.Expr, ...], at: Scope) -> list[str] | None:
        found = [self.text(e, at) for e in several]
        return None if None in found else found  # type: ignore[return-value]

    def function(self, at: Scope, body: list[str], more: tuple[str, ...] = ()) -> str:
        """A function of everything in scope; its name."""
        name = self.fresh("q")
        handed = ", ".join((at.handed(), *more))
        self.lines += [f"def {name}({handed}):", *(f"    {line}" for line in body)]
        return name

    def define(self, number: int) -> str | None:
        """The function of a `define`; None if it cannot be written or leads back to itself."""
        if number not in self._defines:
            self._defines[number] = None
            self._defines[number] = self._define(number)
        return self._defines[number]

    def _define(self, number: int) -> str | None:
        one = self.game.defines[number]
        names = tuple(f"a{place}" for place in range(one.parameters))
        value = self.text(one.value, Scope(names, names)) if number in self._shallow else None
        if value is None:
            return None
        return self.function(Scope(names, names), ["m.steps += 1", f"return {value}"])


def _shallow(game: model.Game) -> frozenset[int]:
    """The defines within which not more than `_DEEP` lie inside one another, themselves counted."""
    inner = [{part.define for part in parts(one.value) if isinstance(part, x.Invoke)} for one in game.defines]
    found: frozenset[int] = frozenset()
    for _ in range(_DEEP):
        found = frozenset(number for number, others in enumerate(inner) if others <= found)
    return found


Written = Callable[[Writer, Any, Scope], str | None]
WRITTEN: dict[type, Written] = {}
"""How each expression is written; None where this one cannot be.  Filled by `emitted_reading` and its like."""


def rows_of(c: Meanings) -> list[int]:
    return c.setting.row_of


def take_slow_path() -> None:
    raise SlowPath


def bounded(w: Writer, text: str) -> str:
    name = w.fresh("t")
    return f"({name} if -{limits.INTEGER} <= ({name} := {text}) <= {limits.INTEGER} else {w.same(take_slow_path)}())"
