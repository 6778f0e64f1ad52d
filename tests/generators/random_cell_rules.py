"""Rules files made by chance in which cells, ways and sets of them are handed to actions, defines and reactions.

What `random_wide_rules` makes stands in them too.  The same seed gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import define, field

from tests.generators.random_rules import Scope
from tests.generators.random_wide_rules import WideGrowth


@define(eq=False)
class CellGrowth(WideGrowth):
    """cells, ways: names in force for a cell and a direction; the defines and actions have fixed names."""

    cells: list[str] = field(factory=list)
    ways: list[str] = field(factory=list)
    has_defines: bool = False

    # ------------------------------------------------------------ values

    def cell(self) -> str:
        column, row = self.random.randrange(1, 4), self.random.randrange(1, 4)
        return self.some(f"board[{column}, {row}]", f"(first {self.cell_set()})", *self.cells, *self.cells)

    def cell_set(self) -> str:
        sets = ["board", "(board where it.row is 1)", "(board where it.column at most 2)", "(board except board[2, 2])"]
        sets.append(f"(all of [it, board[2, it.row]] over (board where it.column is {self.random.randrange(1, 4)}))")
        if self.has_defines:
            sets += [f"marked(board, {self.number(0)})", f"by_way(board[2, 2], {self.way()})"]
        return self.some(*sets)

    def way(self) -> str:
        return self.some("north", "east.left", "southwest", *self.ways, *self.ways)

    def way_set(self) -> str:
        return self.some("orthogonals", "diagonals", "directions", f"[{self.way()}, {self.way()}]")

    def cell_number(self) -> str:
        cell, way = self.cell(), self.way()
        numbers = [
            f"count chain({cell}, {way})",
            f"count ahead({cell}, {way})",
            f"count neighbours({cell}, {self.way_set()})",
            f"{cell}.row",
            f"index({cell}, board)",
            f"count {self.cell_set()}",
            f"(if {cell}.empty then 1 else 2)",
            f"(if {cell} in {self.cell_set()} then 3 else 4)",
        ]
        if self.has_defines:
            numbers += [
                f"along({cell}, {way})",
                f"fitting({cell}, {self.way_set()})",
                f"there({self.cell_set()})",
            ]
        return self.some(*numbers)

    def leaf(self) -> str:
        # The square of the board is what a set may be empty of, so that no first of nothing is asked for.
        return f"({self.cell_number()})" if self.has_board and self.has_defines and self.likely(0.1) else super().leaf()

    # ------------------------------------------------------------ statements

    def statement(self, depth: int) -> None:
        if self.has_board and self.has_defines and not self.ownly and self.likely(0.25):
            ways: list[Callable[[int], None]] = [self.each_cell, self.name_cell]
            if self.scope.asks:
                ways += [self.choose_cell, self.choose_cells, self.choose_the_way, self.draw_cell]
                ways += [self.hand_over] * bool(self.actions)
            self.random.choice(ways)(depth)
        elif self.scope.asks and not self.ownly and self.likely(0.06):
            self.roll_dice(depth)
        else:
            super().statement(depth)

    def roll_dice(self, depth: int) -> None:
        name, who = self.fresh("dice"), self.who()
        self.line(f"roll ({self.number(0)} mod 5) {self.some('dice as', 'different')} {name} from cube")
        self.line(
            self.some(
                f"raise {who}.score by sum of it over {name}",
                f"raise {who}.score by count ({name} where it above 3)",
                f"if count {name} above 1: set {who}.ready to {name}[1] is {name}[2]",
                f"each pip in ({name} by highest it): raise {who}.score by pip",
            )
        )

    def look(self, *cells: str) -> None:
        """A statement about cells that were named just now, which are in force for it alone."""
        self.cells += cells
        self.line(f"raise {self.who()}.score by {self.cell_number()}")
        del self.cells[len(self.cells) - len(cells) :]

    def each_cell(self, depth: int) -> None:
        name = self.fresh("each_cell")
        with self.inside(f"each {name} in {self.cell_set()}"):
            self.look(name)

    def name_cell(self, depth: int) -> None:
        name, those = self.fresh("cell"), self.fresh("cells")
        self.line(f"let {those} be {self.cell_set()}")
        with self.inside(f"if any {those}"):
            self.line(f"let {name} be {self.some('first', 'last')} {those}")
            self.look(name)

    def choose_cell(self, depth: int) -> None:
        name = self.fresh("chosen")
        self.line(f"{self.who()} chooses {name} from (board where it.row is 1) + {self.cell_set()}")
        self.look(name)

    def choose_cells(self, depth: int) -> None:
        name = self.fresh("chosen")
        self.line(f"{self.who()} chooses 1..2 {name} from board where it.row is 1")
        self.look(f"(first {name})", f"(last {name})")

    def choose_the_way(self, depth: int) -> None:
        name = self.fresh("way")
        self.line(f"{self.who()} chooses {name} from {self.way_set()}")
        self.ways.append(name)
        self.look()
        self.ways.pop()

    def draw_cell(self, depth: int) -> None:
        name = self.fresh("drawn")
        self.line(f"draw {name} from board")
        self.look(name)

    def hand_over(self, depth: int) -> None:
        self.line(f"do on_cell({self.who()}, {self.cell()}, {self.way()})")
        if self.likely(0.5):
            self.line(f"do on_cells({self.who()}, (board where it.column is 1) + {self.cell_set()}, {self.way_set()})")

    # ------------------------------------------------------------ declarations

    def defines(self) -> None:
        super().defines()
        if not self.has_board:
            return
        outer, self.scope = self.scope, Scope([], [], [], asks=False)
        self.cells, self.ways = ["cell"], ["w"]
        self.line(f"define along(cell, w of direction) is {self.cell_number()} + count chain(cell, w)")
        self.line("define marked(those of board, n of number) is those where it.row is not abs(n) mod 3")
        self.line("define by_way(c of cell, w of direction) is board where beside(it, w) is c or it is c")
        self.line(f"define there(those of board) is count (those where it{self.some('.empty', '.row is 2')})")
        fitting = self.some("count (ws where any chain(c, it))", "count ws")
        self.line(f"define fitting(c of cell, ws of directions) is {fitting}")
        self.cells, self.ways, self.scope, self.has_defines = [], [], outer, True

    def action(self) -> None:
        if self.has_board and not self.actions:
            self.on_cells()
        super().action()

    def on_cells(self) -> None:
        with self.inside("action on_cell(owner of player, cell, w of direction)"):
            self.scope.players, self.cells, self.ways = ["owner"], ["cell"], ["w"]
            for _ in range(2):
                self.line(f"raise owner.score by {self.cell_number()}")
            self.cells, self.ways = [], []
        with self.inside("action on_cells(owner of player, those of board, ws of directions)"):
            self.scope.players = ["owner"]
            self.line("owner chooses c from those")
            self.line("owner chooses w from ws")
            self.line("do on_cell(owner, c, w)")
            self.line("raise owner.score by there(those) + fitting(c, ws)")

    def reaction(self) -> None:
        super().reaction()
        if self.has_board:
            with self.inside("when stone lands"):
                self.scope.players, self.cells = ["stone.owner"], ["space"]
                self.line(f"raise stone.owner.score by {self.cell_number()}")
                self.cells = []


def cell_rules_by_chance(seed: int) -> str:
    return CellGrowth(Random(seed)).file()
