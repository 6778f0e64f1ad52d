"""Finite domains: the answers that a question can have and the spaces that a piece can stand on, numbered from 0."""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.analysis.abstract_interpretation import element_interval
from rulekit.compiler.lower.builder.ir_builder import Builder, Program
from rulekit.compiler.lower.storage.layout import Storage
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ZERO, add, binary, same
from rulekit.model import builtin_signatures, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.play.state.external_values import outward
from rulekit.play.state.value import notation
from rulekit.values import frozen

NUMBERS = 100
"""Numbers from here on are counted together, and so are those below 0."""
CELLS = 400
"""Cells of larger grids are not counted."""
THINGS = 200
"""Nor things of larger kinds."""


@frozen
class Domain:
    """A finite set of values, each with the number of its entry.

    form:  number; row (a printed thing or one of its copies); plain (of consecutive numbers); cell; table; or option
           cell, as cell, but where a value may lie beyond the edges: it then counts as nothing.
    numbers:  of row and plain, the first; of a cell, columns and rows and how far they may be below 0; of a table,
              which values are meant.
    size:     how many entries, without the one for nothing.
    """

    form: str
    numbers: tuple[int, ...]
    size: int

    def entry(self, storage: Storage, value: int) -> int:
        """The entry of a value of a plan; nothing comes last."""
        if value == p.NONE:
            return self.size
        if self.form == "table":
            return self.numbers.index(value)
        if self.form == "option cell" and not self._holds(*p.unpaired(value)):
            return self.size
        found = self._there(Program(storage), p.Const(value))
        assert isinstance(found, p.Const), found
        return found.value

    def expression(self, program: Program, value: p.Expr) -> p.Expr:
        """The same in a plan; `value` is a local or a constant."""
        there = self._there(program, value)
        if self.form == "option cell":
            columns, rows, _ = self.numbers
            is_column = binary("&", binary("<=", ZERO, value), binary("<", value, p.Const(p.pair(columns, 0))))
            # A row above the board is, modulo the width, one far below it.
            is_row = binary("<", binary("%", value, p.Const(p.WIDTH)), p.Const(rows))
            return p.Pick(binary("&", is_column, is_row), there, p.Const(self.size))
        return p.Pick(same(value, NOTHING), p.Const(self.size), there)

    def _holds(self, column: int, row: int) -> bool:
        return 0 <= column < self.numbers[0] and 0 <= row < self.numbers[1]

    def _there(self, program: Program, value: p.Expr) -> p.Expr:
        if self.form == "number":
            return binary("min", binary("max", add(value, p.Const(1)), p.Const(0)), p.Const(NUMBERS + 1))
        if self.form == "row":
            return binary("-", program.entry(tuple(program.setting.row_of), value), p.Const(self.numbers[0]))
        if self.form == "plain":
            return binary("-", value, p.Const(self.numbers[0]))
        assert self.form in ("cell", "option cell"), self.form
        _, rows, below = self.numbers
        moved = add(value, p.Const(p.pair(below, below)))
        column, row = binary("//", moved, p.Const(p.WIDTH)), binary("%", moved, p.Const(p.WIDTH))
        return binary("+", binary("*", column, p.Const(rows)), row)


Found = tuple[Domain, tuple[str, ...]]
"""A domain and what its entries are called."""


def answers(storage: Storage, op: ops.Ask | ops.AskWay) -> Found | None:
    """What a question can be answered with, one thing at a time; None if that is not counted."""
    if isinstance(op, ops.AskWay):
        return Domain("plain", (0,), len(op.ways)), (*(str(label) for label, _, _ in op.ways), "none")
    kind: Any = op.type
    if op.least is not None:
        kind = kind.element
    if kind.name == "number":
        return _of_numbers(*element_interval(Builder(Program(storage), ""), op.options))
    form = "cell" if are_cells_of_grid(storage.setting.game, op.options) else "option cell"
    domain = _of_type(storage, kind, form)
    return None if domain is None else (domain, (*_labels(storage, kind, domain), "none"))


def _of_numbers(low: int, high: int) -> Found:
    """Only those that can come, where that is known."""
    if not low <= high < low + NUMBERS:
        return Domain("number", (), NUMBERS + 2), (*_NUMBERS, "none")
    return Domain("plain", (low,), high - low + 1), (*(str(n) for n in range(low, high + 1)), "none")


_NUMBERS = ("below 0", *(str(n) for n in range(NUMBERS)), f"{NUMBERS} and more")


def are_cells_of_grid(game: model.Game, options: x.Expr) -> bool:
    """Whether a set surely holds no cell beyond the edges, because it is taken out of all cells of a grid."""
    match options:
        case x.Cells():
            return True
        case x.Filter() | x.Without() | x.Extreme() | x.Ordered():
            return are_cells_of_grid(game, options.of)
        case x.Union():
            return are_cells_of_grid(game, options.left) and are_cells_of_grid(game, options.right)
        case x.Choice():
            return are_cells_of_grid(game, options.then) and are_cells_of_grid(game, options.other)
        case x.Invoke():
            return are_cells_of_grid(game, game.defines[options.define].value)
    return False


def _of_type(storage: Storage, kind: Any, form: str) -> Domain | None:
    """form:  of the domain of cells."""
    setting = storage.setting
    match kind.name:
        case "flag":
            return Domain("plain", (0,), 2)
        case "player":
            return Domain("plain", (0,), setting.everyone)
        case "thing":
            return _of_things(storage, kind.kind)
        case "direction":
            return Domain("cell", (3, 3, 1), 9)
        case "cell":
            grids = [place for place in setting.places.values() if place.form == "grid"]
            return _of_grid(grids[0], form) if len(grids) == 1 else None
    return None


def _of_things(storage: Storage, kind: str) -> Domain | None:
    setting = storage.setting
    members = setting.game.kinds[kind].members
    size = len(members) or setting.kind_count.get(kind, 0)
    if not 0 < size <= THINGS:
        return None
    return Domain("row" if members else "plain", (setting.kind_base[kind],), size)


def _of_grid(place: model.Place, form: str) -> Domain | None:
    if place.width is None or place.height is None or place.width * place.height > CELLS:
        return None
    return Domain(form, (place.width, place.height, 0), place.width * place.height)


def _labels(storage: Storage, kind: Any, domain: Domain) -> tuple[str, ...]:
    numbers = range(domain.size)
    if kind.name == "direction":
        names = {way: name for name, way in builtin_signatures.DIRECTIONS.items()}
        return tuple(names.get((n // 3 - 1, n % 3 - 1), "none") for n in numbers)
    if domain.form in ("cell", "option cell"):
        return _cells(domain)
    if kind.name == "thing":
        return tuple(_of_thing(storage, domain.numbers[0] + n) for n in numbers)
    first = domain.numbers[0]
    inner = [bool(n) if kind.name == "flag" else first + n for n in numbers]
    return tuple(notation(outward(storage.setting, kind, value)) for value in inner)


def _cells(domain: Domain) -> tuple[str, ...]:
    """As people count columns and rows, from 1."""
    rows = domain.numbers[1]
    return tuple(f"{n // rows + 1},{n % rows + 1}" for n in range(domain.size))


def _of_thing(storage: Storage, number: int) -> str:
    thing = storage.setting.things[number]
    return thing.key if thing.title in ("", thing.key) else f"{thing.key} {thing.title}"


def spaces(storage: Storage, place: model.Place, *, endless: bool) -> Found | None:
    """Where a piece can stand; None if that is not counted.  endless: whether it is on a track without an end."""
    if place.form == "track" and place.high is not None and place.high - place.low < THINGS:
        track = Domain("plain", (place.low,), place.high - place.low + 1)
        return track, (*(str(place.low + n) for n in range(track.size)), "nowhere")
    if place.form == "track" and endless:
        domain = Domain("number", (), NUMBERS + 2)
        return domain, (*_NUMBERS, "nowhere")
    if place.form == "grid":
        grid = _of_grid(place, "cell")
        return None if grid is None else (grid, (*_cells(grid), "nowhere"))
    if place.form == "course":
        course = _of_things(storage, place.kind)
        if course is not None:
            return course, (*(_of_thing(storage, course.numbers[0] + n) for n in range(course.size)), "nowhere")
    return None
