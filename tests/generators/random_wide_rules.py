"""Rules files made by chance that hold more: defines, courses, boards with edges, secret blocks that do much.

What `random_rules` makes stands in them too.  The same seed gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import define, field

from tests.generators.random_rules import Growth, Scope

DEEP = 2
"""Sets and conditions inside one another."""


@define(eq=False)
class WideGrowth(Growth):
    """edge, crowd: what the edge of the board and a full cell do, or none; *_defines: what may be called.

    level:  how deep sets and conditions stand in one another.  ownly: nothing but the player's own may be changed here.
    """

    edge: str = ""
    crowd: str = ""
    has_trail: bool = False
    number_defines: list[str] = field(factory=list)
    player_defines: list[str] = field(factory=list)
    card_defines: list[str] = field(factory=list)
    ownly: bool = False
    level: int = 0

    # ------------------------------------------------------------ values

    def on_board(self) -> None:
        """What happens on wide boards is said by statements of their own."""

    def leaf(self) -> str:
        who = self.who()
        if self.level >= DEEP:
            return super().leaf()
        self.level += 1
        more = [
            f"seats_after({who})",
            f"index({who}, players)",
            f"turns_after({who}, starter)",
            f"{self.colour()}.tally",
            "count (everyone where it.score is 2)",
            f"players[{self.random.randrange(1, 3)}].score",
            f"count players[1..{self.random.randrange(1, 3)}]",
            f"(least of score over {self.players()})",
            f"count cycle(players, {who})",
            f"count (going_round(players, {who}.score)[2..] where it.ready)",
            "count extras",
        ]
        if self.has_board:
            more += [
                f"count groups({self.stones()})",
                f"count (groups({self.stones()}) where count it above 1)",
                f"count {self.stones()}",
            ]
        if self.has_trail:
            more += [
                f"links(stops[1], {who}.pawn.space)",
                f"count behind({who}.pawn.space)",
                f"count first_free({who}.pawn)",
                f"{who}.pawn.space.number",
            ]
        self.level -= 1
        return self.some(super().leaf(), self.some(*more))

    def number(self, depth: int = 2) -> str:
        if depth and self.number_defines and self.likely(0.15):
            return f"{self.some(*self.number_defines)}({self.who()}, {self.number(0)})"
        return super().number(depth)

    def players(self) -> str:
        if self.level >= DEEP:
            return self.some("players", "(players whose ready)", "(players with highest score)")
        self.level += 1
        made = self.more_players()
        self.level -= 1
        return made

    def more_players(self) -> str:
        if self.player_defines and self.likely(0.2):
            return f"({self.some(*self.player_defines)}({self.number(0)}))"
        if self.likely(0.2):
            return self.some(
                f"([{self.who()}] + (players whose ready))",
                "(players as p where count (players where it.score above p.score) below 2)",
                "(players by (if it.score above 9 and strict is hard then 1 else it.score))",
                "(players where it.ready or 12 / (it.score + 1) above 2)",
                "(players with highest (if it.ready and strict is mild then 9 else it.score))",
                "(players[1..2])",
                f"(cycle(players, {self.who()}))",
                f"(if {self.condition(0)} then players else (players whose ready))",
                "(players where it.wish is not none)",
            )
        return super().players()

    def cards(self) -> str:
        if self.card_defines and self.likely(0.2):
            return f"({self.some(*self.card_defines)}({self.number(0)}))"
        if self.likely(0.2):
            return self.some(
                "(waste except (waste where it.tint is green))",
                "(waste where it.worth is (most of worth over waste))",
                "(extras + waste)",
                "(extras where it.worth above 1)",
            )
        return super().cards()

    def condition(self, depth: int = 1) -> str:
        if self.level < DEEP and self.likely(0.2):
            self.level += 1
            who = self.who()
            tests = [
                f"{who}.wish is none",
                f"{who}.wish is {self.who()}",
                f"{who}.way in orthogonals",
                f"({who}.way is not none and {who}.way.left is north)",
                f"{who} in {self.players()}",
                f"{self.players()} is {self.players()}",
                f"{self.colour()}.shown",
                f"{who}.favourite is none",
                "waste[1..min(2, count waste)] is extras[1..min(2, count extras)]",
            ]
            if self.has_board:
                tests += [
                    f"touching({self.stones()}, {self.stones()}, {self.some('orthogonals', 'diagonals')})",
                    f"board[{self.random.randrange(1, 3)}, 2].empty",
                ]
            else:
                tests.append("(before_ is not none and alike(rocks, before_))")
            self.level -= 1
            return f"({self.some(*tests)})"
        return super().condition(depth)

    def colour(self) -> str:
        return self.some("red", "green", "black")

    def stones(self) -> str:
        who = self.who()
        return self.some(f"{who}.stones", "everyone.stones", f"({who}.stones where it.placed)", "players.stones")

    # ------------------------------------------------------------ statements

    def statement(self, depth: int) -> None:
        ways: list[Callable[[int], None]] = [self.own_change, self.kinds] if not self.ownly else [self.own_change]
        if self.has_board:
            ways += [self.board_move, self.groups_loop]
        if self.has_trail:
            ways.append(self.trail)
        if depth and not self.ownly:
            ways.append(self.while_loop)
        if self.scope.asks:
            ways += [self.secret_choice, self.choose_wish]
        if self.likely(0.4):
            self.random.choice(ways)(depth)
        elif self.ownly:
            self.some_own(depth)
        else:
            super().statement(depth)

    def some_own(self, depth: int) -> None:
        """Statements that change nothing but what is the player's own, if all goes well."""
        ways: list[Callable[[int], None]] = [self.own_change, self.own_change, self.own_travel, self.own_cards]
        if depth:
            ways += [self.branch, self.own_loop]
        if self.scope.asks:
            ways += [self.choose_number, self.choose_wish, self.own_choice]
        self.random.choice(ways)(depth)

    def change(self, depth: int) -> None:
        if self.ownly:
            self.own_change(depth)
        else:
            super().change(depth)

    def own_change(self, depth: int) -> None:
        who = "player" if self.ownly else self.who()
        self.line(f"set {who}.ready to {self.condition()}" if self.likely(0.2) else self.one_own_change(who))

    def one_own_change(self, who: str) -> str:
        changes = [
            f"raise {who}.score by abs({self.small(9)})",
            f"set {who}.wish to {self.some('none', self.who(), f'first {self.players()}')}",
            f"set {who}.way to {self.some('north', 'south.left', 'none', 'east.opposite')}",
            f"set {who}.favourite to {self.some('none', 'deck[2]', 'first waste', 'deck[3]')}",
            f"set {who}.sheet[{self.random.randrange(1, 4)}] to abs({self.small(10)})",
        ]
        if not self.has_board and not self.ownly:
            changes += ["set before_ to rocks", "move r1 to yard[2, 1]"]
        return self.some(*changes)

    def own_travel(self, depth: int) -> None:
        self.line(
            self.some(
                f"move player.walker {self.some('forward', 'back')} by {self.small(6)}",
                "move player.walker home",
                f"move player.walker to {self.random.randrange(13)}",
            )
        )

    def own_cards(self, depth: int) -> None:
        with self.inside("if any player.hand"):
            self.line(
                self.some(
                    "move first player.hand to player.kept",
                    "move player.hand to player.kept",
                    "move last player.hand to player.hand",
                )
                if self.open_hands
                else "move player.hand to player.kept"
            )
        if self.likely(0.4):
            self.line("move player.kept to player.hand")

    def own_choice(self, depth: int) -> None:
        name = self.fresh("c")
        with self.inside("if any player.hand"):
            self.line(f"player chooses {name} from player.hand")
            self.line(f"move {name} to player.kept")

    def own_loop(self, depth: int) -> None:
        name = self.fresh("p")
        with self.inside(f"each {name} in {self.some(self.players(), self.ordered())}"):
            self.scope.players.append(name)
            self.own_change(0)

    def kinds(self, depth: int) -> None:
        """What each member of a kind has, and things that are nobody's."""
        colour = self.colour()
        self.line(
            self.some(
                f"raise {colour}.tally by abs({self.small(4)})",
                f"set {colour}.shown to {self.condition()}",
                "each one_ in (colour where it.shown): raise one_.tally by 1",
                "each one_ in (colour by highest tally): set one_.shown to one_.tally mod 2 is 0",
                "if any waste: move first waste to extras",
                "if any extras: move last extras to waste",
                "if any waste: move last waste to extras"
                if self.waits_for_cards
                else "if any waste and any extras: swap (last waste) for first extras",
            )
        )

    def while_loop(self, depth: int) -> None:
        name = self.fresh("w")
        self.line(f"let {name} be {self.random.randrange(3, 40)}")
        with self.inside(f"while {self.who()}.score below {name} and {self.condition(0)}"):
            self.line(f"raise {self.lines[-1].split('while ')[1].split('.')[0]}.score by 3")

    def secret_choice(self, depth: int) -> None:
        who, name = self.who(), self.fresh("c")
        if self.ownly:
            who = "player"
        with self.inside(f"if any {who}.hand"):
            self.line(f"secretly {who} chooses (0..2) {name} from {who}.hand")
            self.line(f"move {name} to {who}.kept")

    def choose_wish(self, depth: int) -> None:
        who, name = ("player" if self.ownly else self.who()), self.fresh("p")
        sets = self.some("players", "everyone" if self.ownly else "players", self.ordered())
        self.line(f"{who} may chooses {name} from {sets}")
        self.line(f"if {name} is not none: set {who}.wish to {name}")

    # ------------------------------------------------------------ boards and courses

    def board_move(self, depth: int) -> None:
        who = "player" if self.ownly else self.who()
        way = self.some("north", "east", "southwest", "south")
        stone = f"{who}.stones[{self.random.randrange(1, 4)}]"
        moves = [f"if {stone}.placed: raise {who}.score by count ahead({stone}, {way})"]
        moves.append(f"if {stone}.placed and any {self.stones()}: raise {who}.score by count chain({stone}, {way})")
        moves.append(f"if {stone}.placed: raise {who}.score by depth({stone}, {who}.stones, {way}) mod 7")
        moves.append(f"if free_steps({who}.stones, {way}) is not none: raise {who}.score by 1")
        moves.append(f"if contact_steps({who}.stones, {way}) is 1: raise {who}.score by 2")
        moves.append(f"raise {who}.score by count contact_jumps({who}.stones) mod 5")
        moves.append(f"if {stone}.placed: set {who}.ready to first_gap({stone}, {way}).empty")
        moves.append(f"if {stone}.placed and beside({stone}, {way}).empty: raise {who}.score by 1")
        if self.edge in ("wraps", "leaves") and self.crowd != "refuses":
            moves.append(f"shift {who}.stones toward {way} by {self.random.randrange(1, 3)}")
            moves.append(f"if {stone}.placed: push {stone} toward {way}")
        moves.append(f"move {stone} to board[{self.random.randrange(1, 4)}, {self.random.randrange(1, 4)}]")
        if self.crowd == "refuses":
            del moves[-1]
        if self.edge != "leaves" and self.crowd != "refuses":
            all_placed = f"no ({who}.stones where not it.placed)"
            moves.append(f"if {all_placed}: compact {who}.stones toward {self.some('north', 'west')}")
        self.line(self.some(*moves))

    def groups_loop(self, depth: int) -> None:
        who = "player" if self.ownly else self.who()
        name, of = self.fresh("g"), self.stones()
        sets = self.some(
            f"groups({of})",
            f"(groups({of}) where count it above 1)",
            f"(groups({of}) with highest count it)",
            f"(groups({of}) by highest count it)",
        )
        with self.inside(f"each {name} in {sets}"):
            self.line(
                self.some(
                    f"raise {who}.score by count {name} mod 4",
                    f"if first {name} in {who}.stones: raise {who}.score by 1",
                    f"if touching({name}, {self.stones()}, diagonals): raise {who}.score by 1",
                    f"if {who}.stones[1] in {name}: set {who}.ready to yes",
                )
            )
            self.leaving(name)

    def trail(self, depth: int) -> None:
        who = "player" if self.ownly else self.who()
        name = self.fresh("stop")
        if self.scope.asks and self.likely(0.6):
            some = f"((stops where it.number above {self.number(0)}) + [stops[1]])"
            self.line(f"{who} chooses {name} from {self.some('stops', some)}")
            self.line(f"move {who}.pawn to {name}")
        else:
            with self.inside(f"each {name} in first_free({who}.pawn)"):
                self.line(f"raise {who}.score by {name}.number")
                self.line(f"if {self.condition(0)}: move {who}.pawn to {name}")
                self.line(f"stop {name}")

    # ------------------------------------------------------------ declarations

    def file(self) -> str:
        self.has_trail = self.likely(0.5)
        return super().file()

    def head(self) -> None:
        super().head()
        if self.likely(0.4):
            at = self.lines.index("    players 2..4")
            self.lines.insert(at + 1, "    neutrals if count players is 2 then 1 else 0")

    def box(self) -> None:
        super().box()
        if self.has_trail:
            with self.inside("table stops of stop"):
                self.line("| stop | next |")
                self.line(f"| 1 | {self.some('2 3', '3 4', '2 3 5')} |")
                self.line("| 2..6 | |")
                self.line(f"| 7 | {self.some('none', '1')} |")
            with self.inside("course trail of stop"):
                if self.likely(0.6):
                    self.line("spaces [2, 3, 5] hold 1")
                    self.line(f"full {self.some('stacks', 'swaps')}")
        self.board()
        if not self.has_board:
            self.line("grid yard unbounded")
            with self.inside("pieces rocks of rock on yard"):
                self.line("| rock | heavy |")
                self.line("| r1   | yes   |")
                self.line("| r2   | no    |")
                self.line("| r3   | no    |")
            self.line("snapshot before_ of rocks")
        self.line("pile extras of card")
        with self.inside("each colour has"):
            self.line("counter tally 0..")
            self.line("flag shown")

    def board(self) -> None:
        at = next((place for place, line in enumerate(self.lines) if line.startswith("grid board")), None)
        if at is None:
            return
        self.edge, self.crowd = self.some("stops", "wraps", "leaves"), self.some("stacks", "swaps", "refuses")
        lines = [f"grid board {self.random.randrange(3, 5)} by {self.random.randrange(3, 6)}", f"    edge {self.edge}"]
        if self.likely(0.6):
            lines += ["    spaces board hold 1", f"    full {self.crowd}"]
        else:
            self.crowd = ""
        self.lines[at : at + 1] = lines

    def players_have(self) -> None:
        super().players_have()
        seen = "" if self.open_hands else ", seen by owner"
        self.depth += 1
        self.line(f"pile kept of card{seen}")
        self.line("value wish of player")
        self.line("value way of direction")
        self.line("value favourite of card")
        if self.has_trail:
            self.line("piece pawn on trail at stops[1]")
        self.depth -= 1
        self.defines()

    def defines(self) -> None:
        outer = self.scope
        for _ in range(self.random.randrange(1, 3)):
            self.scope = Scope(["n"], [], ["player"], asks=False)
            value, name = self.number(2), self.fresh("of")
            if self.likely(0.3):
                self.cases(f"define {name}(player, n of number)", value)
            else:
                self.line(f"define {name}(player, n of number) is {value}")
            self.number_defines.append(name)
        for _ in range(self.random.randrange(2)):
            self.scope = Scope(["n"], [], [], asks=False)
            value, name = self.players(), self.fresh("those")
            self.line(f"define {name}(n of number) is ({value} where it.score at least n mod 5)")
            self.player_defines.append(name)
        if self.likely(0.4):
            self.scope = Scope(["n"], [], [], asks=False)
            value, name = self.cards(), self.fresh("cards")
            self.line(f"define {name}(n of number) is ({value} where it.worth above n mod 4)")
            self.card_defines.append(name)
        self.scope = outer

    def cases(self, head: str, last: str) -> None:
        with self.inside(head):
            for word in ["if", "else if", "else if"][: self.random.randrange(1, 4)]:
                self.line(f"{word} {self.condition(1)}: {self.number(1)}")
            self.line(f"else: {last}")

    def auction(self) -> None:
        if self.likely(0.5):
            super().auction()
            return
        with self.inside("secretly each player"):
            self.scope.players, self.ownly = ["player"], True
            self.line("player chooses offer from 0..3")
            self.scope.numbers.append("offer")
            self.line("set player.bid to offer")
            self.body(3, 2)
            self.ownly = False


def wide_rules_by_chance(seed: int) -> str:
    return WideGrowth(Random(seed)).file()
