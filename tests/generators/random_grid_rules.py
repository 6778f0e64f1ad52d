"""Rules files made by chance about sets: cells of grids of every sort, things by the hundred, piles, and tries.

Grids have an end or none, edges that stop or wrap, four or six sides; sets hold 1 to 300 things, so that each way of
keeping one comes up.  Moves may be legal only by what they bring about.  The same seed gives the same text.
"""

from __future__ import annotations

from random import Random

from attrs import define

from tests.generators.random_rules import Growth

SIZES = (1, 2, 5, 12, 31, 32, 33, 63, 64, 65, 100, 128, 129, 200, 256, 300)
"""Of sets: about the widths of words, where a representation may change."""
SIDES = ((1, 1), (2, 3), (3, 3), (4, 4), (8, 4), (8, 8), (9, 7), (13, 5), (16, 8), (12, 11), (17, 17), (300, 1))
_LOOKED_THROUGH = 64
"""Cells of a grid whose sets are worked out anew for each, at most: the interpreter counts each look as a step."""
HEXAGONS = ((3, 3), (5, 4), (8, 8), (11, 6), (16, 8))


@define(eq=False)
class GridGrowth(Growth):
    """columns, rows: of the grid, 0 where it has no end.  things: how many cards there are; stones: of each player."""

    columns: int = 0
    rows: int = 0
    things: int = 0
    stones: int = 2
    is_hexagonal: bool = False
    wraps: bool = False
    is_crowded: bool = False

    @property
    def is_bounded(self) -> bool:
        return self.columns > 0

    @property
    def is_small(self) -> bool:
        return self.columns * self.rows <= _LOOKED_THROUGH

    # ------------------------------------------------------------ declarations

    def file(self) -> str:
        self.choose_sizes()
        with self.inside('game "Sets by chance"'):
            self.line("players 2..4")
        self.line('option waste_first "Is the waste open at first?" flag default no')
        self.line('option limit "How much?" 1..6 default 3')
        self.grid()
        self.cards()
        self.players_have()
        self.defines()
        self.actions_by_effect()
        self.setup()
        self.play()
        self.line(f"result: rank players by highest score then lowest {self.some('walked', 'count it.hand')}")
        return "\n".join(self.lines) + "\n"

    def choose_sizes(self) -> None:
        self.things = self.random.choice(SIZES)
        kind = self.random.randrange(4)
        self.is_hexagonal = kind == 0
        if kind < 3:
            self.columns, self.rows = self.random.choice(HEXAGONS if self.is_hexagonal else SIDES)
        self.wraps = kind in (1, 2) and self.columns > 2 < self.rows and self.likely(0.3)
        self.stones = (
            min(self.random.choice((1, 2, 3, 8, 20)), max(1, self.columns * self.rows // 8)) if kind < 3 else 3
        )
        self.is_crowded = self.likely(0.3)

    def grid(self) -> None:
        if not self.is_bounded:
            self.line("grid board unbounded")
            return
        self.line(f"grid board {self.columns} by {self.rows}{' hexagonal' * self.is_hexagonal}")
        if self.wraps:
            self.line("    edge wraps")
        if not self.is_crowded:
            self.lines += ["    spaces board hold 1", "    full stacks"]

    def cards(self) -> None:
        self.line("kind colour: red, green, black")
        with self.inside("cards deck of card"):
            self.line("| card | tint | worth |")
            first = 1
            while first <= self.things:
                last = min(self.things, first + self.random.randrange(1 + self.things // 3))
                tint = self.some("red", "green", "black")
                self.line(f"| {f'{first}..{last}' if last > first else first} | {tint} | {self.random.randrange(9)} |")
                first = last + 1
        self.line("pile stock of card starts deck, seen by nobody")
        self.line("pile waste of card")
        self.line("flag night")

    def players_have(self) -> None:
        with self.inside("each player has"):
            self.line("counter score 0..")
            self.line("counter walked 0..")
            self.line("pile hand of card")
            self.line("value aim of card")
            self.line(f"pieces {self.stones} stones of stone on board")

    def defines(self) -> None:
        self.line("define here(player) is player.stones where it.placed")
        self.line("define all_here is players.stones where it.placed")
        if self.is_bounded:
            self.line(f"define free is board where it.empty{self.free_test()}")
        self.line(f"define liked(player) is {self.card_set('player')}")
        self.line(f"define lively(stone, way of direction) is {self.run('stone', 'way')}")

    def free_test(self) -> str:
        tests = ["", " and any neighbours(it, {ways})", " and count neighbours(it, {ways}) below 3"]
        if not self.is_hexagonal:
            tests += [" and (it.row + it.column) mod 2 is 0", " and it.column above 1", " or it.row is 1"]
        return self.some(*tests).format(ways=self.ways())

    def actions_by_effect(self) -> None:
        """A move that is legal by what it brings about, and an action without any change that is so by a value."""
        with self.inside("action move_of(player)"):
            self.line("player chooses stone from here(player)")
            self.line(f"player chooses way from {self.ways()}")
            self.line(f"player chooses steps from 1..{self.random.randrange(1, 3)}")
            self.line("let before be count groups(here(player))" if not self.is_hexagonal else "let before be 2")
            if self.likely(0.4):
                self.line("let met be ahead(stone, way) where it.owner is not player")
                self.line("if any met and free_steps(stone, way) below steps: remove first met")
            self.line("shift stone toward way by steps" if self.stays_on_board() else "raise player.walked by steps")
            self.line(f"only if {self.outcome()}")
        with self.inside("action trade_of(player)"):
            self.line("player chooses given from player.hand")
            self.line(f"player chooses taken from {self.some('waste', '(waste where it.worth above 1)')}")
            self.line("move given to waste")
            self.line("move taken to player.hand")
            self.line(f"only if {self.some('any (player.hand where it.tint is red)', 'given is not taken')}")

    def stays_on_board(self) -> bool:
        return self.wraps or not self.is_bounded

    def outcome(self) -> str:
        return self.some(
            "before at most 3 or night",
            f"any (here(player) where any neighbours(it, {self.ways()}))",
            f"no (here(player) where count lively(it, {self.way()}) above 3)",
            "player.walked mod 3 is not 1",
            f"count (all_here where it.owner is player) at least {self.random.randrange(3)}",
        )

    # ------------------------------------------------------------ values

    def way(self) -> str:
        if self.is_hexagonal:
            return self.some("east", "northeast", "south", "north.opposite")
        return self.some("north", "east.left", "southwest", "west", "south.opposite")

    def ways(self) -> str:
        square = ("orthogonals", "diagonals", "directions", "[north, east]", "(directions except [south, west])")
        return self.some("hexagonals", "[north, east, south]") if self.is_hexagonal else self.some(*square)

    def run(self, start: str, way: str) -> str:
        return self.some(
            f"ahead({start}, {way})",
            f"chain({start}, {way})",
            f"(ahead({start}, {way}) where it.owner is not starter)",
            f"neighbours({start}, {self.ways()})",
        )

    def pieces(self) -> str:
        return self.some("all_here", "here(player)", "(all_here except here(player))")

    def cells(self) -> str:
        sets = ["board", "free", "(board where not it.empty)", "(board except free)", "(board[2..] where it.empty)"]
        if not self.is_hexagonal:
            sets += ["(board where it.row is 1)", "(board where it.column at most 2)", "(board by highest it.column)"]
        return self.some(*sets)

    def card_set(self, who: str, depth: int = 2) -> str:
        if depth and self.likely(0.5):
            a, b = self.card_set(who, depth - 1), self.card_set(who, depth - 1)
            return self.some(
                f"({a} where it in {b})",
                f"({a} except {b})",
                f"({a} where it.worth at least {self.random.randrange(9)})",
                f"({a} where it.number mod {self.random.randrange(2, 5)} is 1)",
                f"(if night then {a} else {b})",
                f"({a} by highest worth then number)",
                f"({a} with lowest worth)",
            )
        return self.some("deck", "waste", f"{who}.hand", "players.hand", f"(waste + {who}.hand)", "(deck except waste)")

    def amount(self) -> str:
        amounts = [
            f"count {self.card_set('player')}",
            f"(sum of worth over {self.card_set('player')})",
            f"count (all of it.tint over {self.card_set('player')})",
            "count liked(player)",
            f"count groups({self.pieces()})",
            f"count (groups({self.pieces()}) where count it above 1)",
            f"(most of count {self.run('it', self.way())} over here(player))",
            f"count (here(player) where any {self.run('it', self.way())})",
            f"(sum of count neighbours(it, {self.ways()}) over {self.pieces()})",
        ]
        if self.is_bounded:
            test = "it in free" if self.is_small else "it.empty"
            amounts += [f"count {self.cells()}", f"count ({self.cells()} where {test})"]
            amounts.append(f"count ({self.cells()} where any neighbours(it, {self.ways()}))")
        return self.some(*amounts)

    # ------------------------------------------------------------ statements

    def setup(self) -> None:
        with self.inside("setup"):
            self.line("shuffle stock")
            self.line("each player: deal min(3, count stock) from stock to player.hand")
            self.line("if waste_first and any stock: deal min(limit, count stock) from stock to waste")
            with self.inside("each player"):
                if self.is_bounded:
                    with self.inside("if any free"):
                        self.line("draw cell from free")
                        self.line("move (first player.stones) to cell")
                else:
                    self.line("move (first player.stones) to board[2 * player.seat, player.seat mod 3]")

    def play(self) -> None:
        with self.inside("play"), self.inside("each round in 1..6"), self.inside("each player"):
            self.line(f"player chooses pace from 0..{self.random.randrange(1, 4)}")
            self.line("raise player.walked by pace")
            for _ in range(self.random.randrange(3, 6)):
                self.turn()
            self.line("set night to not night")

    def turn(self) -> None:
        ways = [self.score, self.by_effect, self.trade_by_effect, self.pile, self.pick, self.pick_several, self.aim]
        ways += [self.settle, self.settle, self.loop] if self.is_bounded else [self.slide]
        self.random.choice(ways)()

    def score(self) -> None:
        self.line(f"raise player.score by {self.amount()} mod {self.random.randrange(2, 9)}")

    def by_effect(self) -> None:
        with self.inside("if possible move_of(player)"):
            self.line("do move_of(player)")

    def trade_by_effect(self) -> None:
        with self.inside("if possible trade_of(player)"):
            self.line("do trade_of(player)")

    def pile(self) -> None:
        end = self.some("top", "bottom")
        moves = [
            f"if any stock: deal 1 from the {end} of stock to player.hand",
            f"if any player.hand: move last player.hand to the {end} of {self.some('stock', 'waste')}",
            f"if any waste: move waste to {self.some('stock', 'the top of stock', 'player.hand')}",
            "shuffle stock",
            "if any waste and any player.hand: swap first player.hand for last waste",
        ]
        self.line(self.some(*moves))

    def pick(self) -> None:
        name = self.fresh("card")
        with self.inside("if any player.hand"):
            self.line(f"player {self.some('chooses', 'may chooses')} {name} from player.hand")
            self.line(f"if {name} is not none: move {name} to waste")

    def pick_several(self) -> None:
        name = self.fresh("cards")
        with self.inside("if count waste above 1"):
            self.line(f"player chooses (0..2) {name} from {self.some('waste', '(waste by highest worth then number)')}")
            self.line(f"raise player.score by count ({name} where it in liked(player))")
            self.line(f"move {name} to player.hand")

    def aim(self) -> None:
        name, those = self.fresh("drawn"), self.fresh("those")
        self.line(f"let {those} be {self.card_set('player')}")
        with self.inside(f"if any {those}"):
            self.line(f"draw {name} from {those}" if self.likely(0.6) else f"let {name} be last {those}")
            self.line(f"if player.aim is {name}: raise player.score by 5")
            self.line(f"set player.aim to {name}")

    def settle(self) -> None:
        name = self.fresh("cell")
        with self.inside("if any free and any (player.stones where not it.placed)"):
            self.line(f"player chooses {name} from free")
            self.line(f"move first (player.stones where not it.placed) to {name}")
            self.line(f"raise player.score by count {self.run(name, self.way())}")
        if self.likely(0.3):
            self.line("if count here(player) above 2: remove first here(player)")

    def loop(self) -> None:
        name = self.fresh("each_cell")
        with self.inside(f"each {name} in {self.cells()}"):
            test = f"{name} in {self.cells()}" if self.is_small else f"{name}.empty"
            self.line(f"if {test}: raise player.walked by count {self.run(name, self.way())} mod 3")
            self.line(f"if player.walked mod 5 is 4: {self.some('next', 'stop')} {name}")

    def slide(self) -> None:
        name = self.fresh("stone")
        self.line(f"player chooses {name} from here(player)")
        self.line(self.some(f"push {name} toward {self.way()}", f"shift {name} toward {self.way()} by 2"))
        self.line(f"raise player.score by count {self.run(name, self.way())}")


def grid_rules_by_chance(seed: int) -> str:
    return GridGrowth(Random(seed)).file()
