"""Random program generation: rules files made by chance that pass `check` and ask much: small games without any sense.

Every file has the same bones: players with cards, a track, a score, rounds in
which everybody decides; what is declared and done in between differs.  What
could run dry stands under a condition, so that hardly a rule fails.  The same
seed gives the same text.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import contextmanager
from random import Random
from typing import TYPE_CHECKING

from attrs import define, field

if TYPE_CHECKING:
    from collections.abc import Iterator

ROUNDS = 12
"""With two players everybody decides so often at least."""
_REMEMBERING = 0.2
_OWN_COPIES = 0.25


@define(eq=False)
class Scope:
    """Names in force by type; asks: whether chance and questions may stand here."""

    numbers: list[str] = field(factory=list)
    cards: list[str] = field(factory=list)
    players: list[str] = field(factory=list)
    asks: bool = True

    def copy(self) -> Scope:
        return Scope(self.numbers[:], self.cards[:], self.players[:], self.asks)


@define(eq=False)
class Growth:
    """open_hands: whether everybody sees the hands, so that conditions may read them.

    remembers: whether rounds are compared with earlier ones; decided outside, so that all else stays as it was.
    own:       chance of its own about cards of which each copy has values of its own, where there are some; likewise.
    """

    random: Random
    lines: list[str] = field(factory=list)
    depth: int = 0
    count: int = 0
    scope: Scope = field(factory=Scope)
    open_hands: bool = False
    has_board: bool = False
    has_trade: bool = False
    waits_for_cards: bool = False
    actions: list[str] = field(factory=list)
    remembers: bool = False
    own: Random | None = None

    # ------------------------------------------------------------ writing

    def line(self, words: str) -> None:
        self.lines.append("    " * self.depth + words)

    @contextmanager
    def inside(self, words: str) -> Iterator[None]:
        """A block; names made in it end with it."""
        outer, self.scope = self.scope, self.scope.copy()
        self.line(words)
        self.depth += 1
        yield
        self.depth -= 1
        self.scope = outer

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"

    def some(self, *choices: str) -> str:
        return self.random.choice(choices)

    def likely(self, share: float) -> bool:
        return self.random.random() < share

    # ------------------------------------------------------------ values

    def number(self, depth: int = 2) -> str:
        if depth == 0 or self.likely(0.3):
            return self.leaf()
        a, b = self.number(depth - 1), self.number(depth - 1)
        forms = [
            f"({a} + {b})",
            f"({a} - {b})",
            f"({a} * {self.random.randrange(-3, 4)})",
            f"({a} / {self.some('2', '3', '-2')})",
            f"({a} / ({b} * 2 + 1))",
            f"({a} mod {self.some('2', '5', '7')})",
            f"min({a}, {b})",
            f"max({a}, {b})",
            f"abs({a})",
            f"(if {self.condition(depth - 1)} then {a} else {b})",
            f"count {self.players()}",
            f"(sum of score over {self.players()})",
            f"(most of score over {self.players()})",
            f"count (all of score mod 3 over {self.players()})",
            f"(sum of it over (all of it.worth * 2 - 3 over {self.cards_once()}))",
            f"(most of worth over (all of (waste whose worth above 2) over {self.players()}))",
        ]
        return self.some(*forms)

    def leaf(self) -> str:
        who = self.who()
        leaves = [
            str(self.random.randrange(10)),
            f"{who}.score",
            f"{who}.walker.number",
            f"{who}.sheet[{self.random.randrange(1, 4)}]",
            f"{who}.{self.tally()}",
            f"count {who}.hand",
            "count waste",
            "count stock",
            "stage",
            f"{who}.seat",
            "limit",
        ]
        return self.some(*leaves, *self.scope.numbers, *(f"{card}.worth" for card in self.scope.cards))

    def tally(self) -> str:
        """A place of a list that has one for each member of a kind."""
        cards = [f"cards_had[{card}]" for card in (*self.scope.cards, str(self.random.randrange(1, 5)))]
        return self.some("shades[red]", "shades[deck[2].tint]", *cards)

    def small(self, most: int) -> str:
        return f"{self.number()} mod {most}"

    def condition(self, depth: int = 1) -> str:
        if depth and self.likely(0.4):
            a, b = self.condition(depth - 1), self.condition(depth - 1)
            return self.some(f"({a} and {b})", f"({a} or {b})", f"not {a}")
        a, b = self.number(0), self.number(0)
        tests = [
            f"{a} {self.some('is', 'is not', 'below', 'above', 'at least', 'at most')} {b}",
            f"{a} in 1..5",
            f"{a} is {b} or {self.random.randrange(4)}",
            f"{self.who()}.ready",
            "night",
            "waste_first",
            "strict is hard",
            "any waste",
            f"{self.who()} is starter",
            f"any ({self.players()})",
            f"all (players where it.score {self.some('above', 'at most')} {a})",
            f"all ({self.some('waste', 'waste by highest worth')} whose tint is red)",
            f"all (players except {self.who()} whose ready)",
            *(f"{card}.tint is red" for card in self.scope.cards),
            *(f"{card} in waste" for card in self.scope.cards),
        ]
        return f"({self.some(*tests)})"

    def who(self) -> str:
        return self.some(*self.scope.players) if self.scope.players else "starter"

    def players(self) -> str:
        return self.some(
            "players",
            "(players where it.score above 3)",
            "(players whose ready)",
            f"(players where {self.some('night', 'waste_first')} and (it.score above 3 or strict is hard))",
            "(players with highest score)",
            "(players with lowest walker)",
            "(all of (players except it) over (players with lowest score))",
            f"(players except {self.who()})",
            f"(players where it.score at most {self.number(0)})",
        )

    def ordered(self) -> str:
        return self.some(
            "(players by highest score)",
            "(players by walker then highest score)",
            "(players by highest count it.hand then lowest turns_after(it, starter))",
            f"(players by (it.score + {self.random.randrange(3)}) mod 3)",
        )

    def cards(self) -> str:
        """Cards that everybody sees."""
        sets = [
            "waste",
            "(waste where it.tint is red)",
            "(waste by highest worth)",
            "(waste with lowest worth)",
            "(waste by worth then highest number)",
        ]
        if self.open_hands:
            who = self.who()
            sets += [f"{who}.hand", f"({who}.hand where it.worth above 2)", f"({who}.hand by highest worth)"]
        return self.some(*sets)

    # ------------------------------------------------------------ statements

    def body(self, size: int, depth: int) -> None:
        for _ in range(size):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        ways: list[Callable[[int], None]] = [self.change, self.change, self.travel, self.naming]
        if depth:
            ways += [self.branch, self.loop, self.counting, self.endless]
        if self.scope.asks:
            ways += [self.choose_card, self.choose_number, self.choose_player, self.choose_several, self.chance]
            ways += [self.choose_way] * bool(depth) + [self.call] * bool(self.actions)
            ways += [self.answer, self.in_order]
            ways += [self.trade] * self.has_trade + [self.settle] * self.has_board + [self.telling, self.deed]
        self.random.choice(ways)(depth)

    def change(self, depth: int) -> None:
        who = self.who()
        self.line(
            self.some(
                f"raise {who}.score by {self.small(20)}",
                f"lower {who}.score by min({who}.score, {self.small(9)})",
                f"set {who}.ready to {self.condition()}",
                f"set night to {self.condition()}",
                f"set {who}.sheet[{self.random.randrange(1, 4)}] to {self.small(10)}",
                f"raise {who}.sheet[2] by ({self.number()} mod 3) mod (10 - {who}.sheet[2])",
                f"set {who}.{self.tally()} to {self.small(10)}",
                f"set best to {who}",
                f"set starter to {who}",
                f"move {self.cards()} to waste",
                "shuffle stock" if self.scope.asks else "set night to no",
            )
        )

    def travel(self, depth: int) -> None:
        who, other = self.who(), self.who()
        self.line(
            self.some(
                f"move {who}.walker {self.some('forward', 'back')} by {self.small(6)}",
                f"move {who if who != other else 'players'}.walker home",
                f"move {who}.walker to {self.random.randrange(13)}",
                f"if {who} is not {other}: swap {who}.walker for {other}.walker",
            )
        )

    def naming(self, depth: int) -> None:
        if self.likely(0.6):
            name = self.fresh("n")
            self.line(f"let {name} be {self.number(3)}")
            self.scope.numbers.append(name)
            return
        name = self.fresh("c")
        with self.inside(f"if any {self.cards_once()}"):
            self.line(f"let {name} be {self.some('first', 'last')} {self.lines[-1].split('any ', 1)[1]}")
            self.scope.cards.append(name)
            self.change(0)

    def cards_once(self) -> str:
        return self.some("waste", "(waste where it.tint is red)")

    def branch(self, depth: int) -> None:
        with self.inside(f"if {self.condition()}"):
            self.body(1, depth - 1)
        if self.likely(0.5):
            with self.inside("else"):
                self.body(1, depth - 1)

    def loop(self, depth: int) -> None:
        asks, self.scope.asks = self.scope.asks, self.scope.asks and self.likely(0.3)
        name = self.fresh("p")
        if self.likely(0.6):
            with self.inside(f"each {name} in {self.some(self.players(), self.ordered())}"):
                self.scope.players.append(name)
                self.leaving(name)
                self.body(2, depth - 1)
        else:
            with self.inside(f"each {name} in {self.cards()}"):
                self.scope.cards.append(name)
                self.leaving(name)
                self.body(1, depth - 1)
        self.scope.asks = asks

    def leaving(self, name: str) -> None:
        if self.likely(0.3):
            self.line(f"if {self.condition()}: {self.some('next', 'stop')} {name}")

    def counting(self, depth: int) -> None:
        with self.inside(f"each {self.fresh('i')} in 1..({self.small(4)})"):
            self.scope.numbers.append(self.lines[-1].split()[1])
            self.body(1, depth - 1)

    def endless(self, depth: int) -> None:
        who = self.who()
        with self.inside("repeat"):
            self.line(f"raise {who}.score by {self.random.randrange(1, 4)}")
            self.line(f"if {who}.score above {self.random.randrange(40)} or {self.condition(0)}: stop repeat")
            self.line(f"if {self.condition(0)}: stop repeat")
            self.line(f"if {who}.score above 60: stop repeat")

    # ------------------------------------------------------------ questions and chance

    def choose_card(self, depth: int) -> None:
        who, name = self.who(), self.fresh("c")
        manner = self.some("", "", "always ")
        with self.inside(f"if any {who}.hand"):
            self.line(f"{who} {manner}chooses {name} from {who}.hand")
            self.scope.cards.append(name)
            self.body(1, 0)
            self.line(f"move {name} to {self.some('waste', f'{self.who()}.hand', 'stock')}")

    def choose_number(self, depth: int) -> None:
        name, least = self.fresh("n"), self.random.randrange(-1, 3)
        sets = f"{least}..{least + self.random.randrange(1, 4)}", f"[3, 1, {self.random.randrange(4, 7)}]"
        self.line(f"{self.who()} chooses {name} from {self.some(*sets)}")
        self.scope.numbers.append(name)
        self.change(0)

    def choose_player(self, depth: int) -> None:
        who, name = self.who(), self.fresh("p")
        if self.likely(0.5):
            self.line(f"{who} chooses {name} from players {self.some('', f'except {who}')}".rstrip())
            self.scope.players.append(name)
            return
        self.line(f"{who} may chooses {name} from players except {who}")
        with self.inside(f"if {name} is not none"):
            self.scope.players.append(name)
            self.change(0)

    def choose_several(self, depth: int) -> None:
        who, name = self.who(), self.fresh("s")
        least = self.random.randrange(3)
        with self.inside(f"if count {who}.hand at least {max(least, 1)}"):
            self.line(f"{who} chooses ({least}..{least + self.random.randrange(1, 3)}) {name} from {who}.hand")
            self.line(f"raise {who}.score by sum of worth over {name}")
            self.line(f"move {self.some(name, f'({name} by highest worth)')} to {self.some('waste', 'stock')}")

    def choose_way(self, depth: int) -> None:
        self.count += 1
        name = "worth_" + "".join(chr(ord("a") + int(digit)) for digit in str(self.count))
        self.line(f"let {name} be {self.number(1)}")
        who = f"{self.who()} {self.some('', '', 'always ')}"
        with self.inside(f'{who}chooses "Which way{self.some("", f", {{{name}}} or {{stage}}")}?"'):
            for way in range(self.random.randrange(2, 4)):
                test = f" if {self.condition()}" if way and self.likely(0.5) else ""
                with self.inside(f'"way {way}{self.some("", "", f" {{{name}}}", " for {best}")}"{test}'):
                    self.body(1, depth - 1)

    def chance(self, depth: int) -> None:
        who, name = self.who(), self.fresh("n")
        kind = self.random.randrange(4)
        if kind == 0:
            self.line(f"deal {self.random.randrange(1, 3)} from stock to {who}.hand")
        elif kind == 1:
            late = f" until {name} is {self.random.randrange(1, 7)} or not {self.condition()}"
            self.line(f"roll {name} from cube{late if self.likely(0.9) else ''}")
            self.scope.numbers.append(name)
        elif kind == 2:
            self.line(f"draw {name} from {self.some('players', '(players by highest score)')}")
            self.scope.players.append(name)
        else:
            with self.inside("if any waste"):
                self.line(f"draw {name} from waste")
                self.line(f"move {name} to {self.some('stock', f'{who}.hand', 'the top of stock')}")

    def telling(self, depth: int) -> None:
        who, cards = self.who(), self.cards_once()
        self.line(
            self.some(
                f"if count {cards} above 1: remove first {cards}" if self.likely(0.8) else "reveal players.bid",
                f"announce {self.number(1)} to {self.some('players', who)}",
                f"announce {self.some('stage', 'count waste')} to players",
                f"if any {who}.hand: reveal {who}.hand",
                f"if any waste: remove {self.some('first', 'last')} waste"
                if self.waits_for_cards
                else f"if any waste and any {who}.hand: swap first {who}.hand for {self.some('first', 'last')} waste",
            )
        )

    def in_order(self, depth: int) -> None:
        """Things that go on top of others or under them, or are dealt from there."""
        who, end = self.who(), self.some("top", "bottom")
        self.line(
            self.some(
                f"deal {self.number(0)} mod 3 from the {end} of stock to {self.some('waste', f'{who}.hand')}",
                f"deal 1 from the {end} of waste to {self.some('stock', f'{who}.hand')}",
                f"deal 1 from the {end} of {who}.hand to {self.some('stock', 'waste')}",
                f"move {self.cards()} to the {end} of {self.some('stock', 'waste')}",
                f"if any waste: move {self.some('first', 'last')} waste to the {end} of {self.some('waste', 'stock')}",
            )
        )

    def answer(self, depth: int) -> None:
        """A referee says something of what not everybody may see."""
        who, name = self.who(), self.fresh("said")
        if self.likely(0.3):
            self.line(f"reveal whether {self.some('all', 'any')} ({who}.hand where it.worth above 2) as {name}")
            self.line(f"if {name}: raise {self.who()}.score by {self.random.randrange(1, 4)}")
        elif self.likely(0.5):
            forms = f"count ({who}.hand where it.tint is red)", f"{who}.bid", f"sum of worth over {who}.hand - 3"
            self.line(f"reveal {self.some(*forms)} as {name}")
            self.scope.numbers.append(name)
        elif self.likely(0.5):
            self.line(f"reveal (players with {self.some('highest', 'lowest')} sum of worth over it.hand) as {name}")
            with self.inside(f"each {name}_one in {name}"):
                self.scope.players.append(f"{name}_one")
                self.change(0)
        else:
            with self.inside(f"if any {who}.hand"):
                self.line(f"reveal first ({who}.hand by highest worth then number) as {name}")
                self.scope.cards.append(name)
                self.change(0)

    def deed(self, depth: int) -> None:
        """A thing that has a body of its own."""
        name = self.fresh("d")
        self.line(f"{self.who()} chooses {name} from deed")
        self.line(f"do {name} for {self.who()}")

    def call(self, depth: int) -> None:
        self.line(f"do {self.some(*self.actions)}({self.who()}, {self.number(1)})")

    def trade(self, depth: int) -> None:
        who = self.who()
        with self.inside(f"if possible trade({who})"):
            self.line(f"do trade({who})")

    def settle(self, depth: int) -> None:
        who, name = self.who(), self.fresh("cell")
        free = f"(board where it.empty{self.some('', ' and it.row is not 2')})"
        with self.inside(f"if any ({who}.stones where not it.placed) and any {free}"):
            self.line(f"{who} chooses {name} from {free}")
            self.line(f"move (first ({who}.stones where not it.placed)) to {name}")
            self.line(f"raise {who}.score by count neighbours({name}, {self.some('orthogonals', 'directions')})")
            if self.likely(0.7):
                self.slide(f"({who}.stones where it.placed)")
            self.line(f"if any chain({name}, {self.some('north', 'east', 'southwest')}): set night to yes")

    def on_board(self) -> None:
        if self.has_board:
            self.settle(0)

    def slide(self, placed: str) -> None:
        """Move pieces on the grid, or take one away; nothing leaves the board."""
        room = "if count (board where it.row is 3 and not it.empty) is 0"
        compact = f"compact {placed} toward {self.some('north', 'west')}"
        push = f"{room} and any {placed}: push (first {placed}) toward south"
        shift = f"{room}: shift {placed} toward south by 1"
        for line in self.random.sample([compact, push, shift, f"if any {placed}: remove (first {placed})"], 3):
            self.line(line)

    # ------------------------------------------------------------ declarations

    def file(self) -> str:
        self.open_hands, self.has_board = self.likely(0.5), self.likely(0.4)
        self.waits_for_cards = self.likely(0.3)
        self.head()
        self.box()
        self.players_have()
        if self.open_hands:
            self.trading()
        for _ in range(self.random.randrange(1, 3)):
            self.action()
        if self.likely(0.5):
            self.reaction()
        if self.waits_for_cards or self.likely(0.3):
            self.waiting()
        self.setup()
        self.play()
        self.result()
        return "\n".join(self.lines) + "\n"

    def head(self) -> None:
        with self.inside('game "Made by chance"'):
            self.line("players 2..4")
            if self.likely(0.25):
                self.line("teams by player.seat mod 2")
        self.line('option waste_first "Is the waste open at first?" flag default no')
        self.line('option limit "How much?" 1..6 default 3')
        with self.inside('unclear strict "How strict?"'):
            self.line('mild "not at all" default')
            self.line('hard "very"')

    def box(self) -> None:
        self.line("kind colour: red, green, black")
        with self.inside("cards deck of card"):
            self.line("| card | tint | worth | copies |")
            for key in range(1, self.random.randrange(5, 9)):
                tint = self.some("red", "green", "black")
                self.line(f"| {key} | {tint} | {self.random.randrange(9)} | {self.random.randrange(1, 5)} |")
        with self.inside(f"track road 0..{self.random.randrange(12, 16)}"):
            self.line("forward is up, back is down")
            self.line(f"edge {self.some('stops', 'wraps', 'bounces')}")
            if self.likely(0.6):
                self.line(f"spaces {self.random.randrange(1, 4)}..{self.random.randrange(6, 11)} hold 1")
                self.line(f"full {self.some('stacks', 'goes_on', 'stops_short', 'swaps')}")
            if self.likely(0.3):
                self.line("steps free_spaces")
        if self.has_board:
            self.line("grid board 3 by 3")
        self.line("die cube: 1..6")
        with self.inside("kind deed"):
            for place in range(3):
                with self.inside(f'deed deed_{place} "Deed {place}"'):
                    self.scope.players, self.scope.asks = ["owner"], False
                    self.body(2, 1)
                    if place and self.likely(0.4):
                        self.line(f"do deed_{place - 1} for {self.who()}")
        self.line("pile stock of card starts deck, seen by nobody")
        self.line("pile waste of card")
        self.line("counter stage 0..99")
        self.line("flag night")
        self.line("value best of player")
        if self.remembers:
            self.line(f"history rounds of night, best, count waste, first waste for 1..{ROUNDS}")
        self.line("define side(player) is players where it.seat mod 2 is player.seat mod 2")
        if self.own is not None:
            self.herd(self.own)

    def herd(self, own: Random) -> None:
        with self.inside("cards herd of horse, each its own"):
            self.line("| horse | speed | copies |")
            for key in ("mare", "cob", "foal"):
                self.line(f"| {key} | {own.randrange(1, 6)} | {own.randrange(2, 4)} |")
        with self.inside("each horse has"):
            self.line("flag tired")
            self.line("counter apples 0..99")
            self.line("value rider of player")
        self.line(f"pile stable of horse starts herd{own.choice(('', ', seen by nobody'))}")
        self.line("pile meadow of horse")
        self.line("define fit(player) is meadow where not it.tired and it.speed above 1 and it.rider is not player")

    def ride(self, own: Random) -> None:
        """One copy is chosen, changed and asked about; others of its line stay as they are."""
        self.line(own.choice(("shuffle stable", "raise mare_1.apples by 1", "set cob_2.tired to not cob_1.tired")))
        self.line("if any stable: deal 1 from stable to meadow")
        with self.inside("if any fit(player)"):
            self.line(f"player {own.choice(('chooses', 'may chooses'))} horse from fit(player)")
            with self.inside("if horse is not none"):
                self.line("set horse.rider to player")
                self.line(own.choice(("set horse.tired to yes", "raise horse.apples by horse.speed")))
                alike = "count (meadow where it.speed is horse.speed and it is not horse)"
                self.line(f"raise player.score by {own.choice((alike, 'horse.apples mod 5', '1'))}")
                with self.inside("if horse.tired"):
                    self.line(own.choice(("move horse to stable", "move horse to the top of stable", "remove horse")))
        with self.inside(f"if count stable below {own.randrange(1, 4)}"):
            self.line(own.choice(("each horse in meadow: set horse.tired to no", "move meadow to stable")))

    def players_have(self) -> None:
        with self.inside("each player has"):
            self.line("piece walker on road at 0")
            self.line(f"pile hand of card{'' if self.open_hands else ', seen by owner'}")
            self.line("counter score 0..")
            self.line(f"counter bid 0..9, seen by {self.some('owner', 'owner', 'others', 'side')}")
            self.line("list sheet of 0..9 for 1..3")
            self.line("list shades of 0..9 for colour starts 2")
            self.line("list cards_had of 0..9 for card")
            self.line("flag ready")
            if self.has_board:
                self.line("pieces 3 stones of stone on board")

    def trading(self) -> None:
        """An action with a condition ahead of its choices."""
        with self.inside("action trade(owner of player)"):
            self.scope.players.append("owner")
            self.line("owner chooses given_up from owner.hand")
            self.line(f"owner chooses taken from {self.some('waste', '(waste by highest worth)')}")
            if self.likely(0.5):
                self.line("move given_up to waste")
                self.line("move taken to owner.hand")
                self.line(f"raise owner.score by {self.small(3)}")
            tests = ("given_up.tint is not taken.tint", "taken.worth above given_up.worth", "owner.score mod 2 is 0")
            self.line(f"only if {self.some(*tests)}")
        self.has_trade = True

    def action(self) -> None:
        name = self.fresh("act")
        with self.inside(f"action {name}(owner of player, much of number)"):
            self.scope.players, self.scope.numbers = ["owner"], ["much"]
            self.body(1, 2)
            if self.likely(0.5):
                self.line(f"if {self.condition()}: skip late_{name}")
            if self.likely(0.5):
                self.line(f"if {self.condition()}: stop {name}")
            leaves = self.likely(0.6)
            if leaves:
                self.line(f"do leave_{name}(owner){self.some('', f', may stop {name}')}")
            with self.inside(f"step late_{name}"):
                self.body(2, 2)
        self.actions.append(name)
        if leaves:
            with self.inside(f"action leave_{name}(owner of player)"):
                self.scope.players, self.scope.numbers = ["owner"], []
                self.change(0)
                self.line(f"if {self.condition()}: stop {name}")

    def reaction(self) -> None:
        event = self.some("lands", "lands on [3, 6]", "reaches 5", "enters 4..7", "leaves 2")
        with self.inside(f"when walker {event}"):
            self.line(f"raise walker.owner.score by {self.random.randrange(1, 4)}")
        if self.has_board:
            with self.inside("when stone lands"):
                self.line(f"raise stone.owner.score by {self.random.randrange(1, 4)}")
                if self.likely(0.3):
                    self.choose_number(0)

    def waiting(self) -> None:
        """What waits for counters and piles: it changes nothing that anything waits for."""
        mark = self.random.randrange(2, 30)
        event = self.some(f"reaches {mark}", f"enters {mark}..", f"enters [3, {mark}]", f"leaves 4..{mark + 2}")
        with self.inside(f"when score {event}"):
            self.line("set player.ready to not player.ready")  # nothing of all: scores change in secret too
        with self.inside(f"when stage {self.some('reaches 3', 'enters 2..6', 'leaves 1..4')}"):
            self.line(self.some("set (last players).sheet[1] to stage mod 10", "set night to not night"))
        if self.waits_for_cards:
            shown = "set player.cards_had[card] to stage mod 10" if self.open_hands else "set player.ready to yes"
            with self.inside("when card enters hand"):
                self.line(shown)
            with self.inside("when card enters waste"):
                self.line("if card.tint is red: set starter.sheet[2] to count waste mod 10")

    def setup(self) -> None:
        with self.inside("setup"):
            self.line("shuffle stock")
            self.line(f"each player: deal {self.random.randrange(1, 4)} from stock to player.hand")
            self.line("if waste_first: deal 2 from stock to waste")

    def play(self) -> None:
        with self.inside("play"), self.inside(f"each round in 1..{ROUNDS}"):
            self.scope.numbers.append("round")
            self.line("set stage to round")
            if self.remembers:
                self.line("raise (first players).score by seen_before(rounds)")
                self.line("note rounds")
            if self.likely(0.5):
                self.auction()
            with self.inside(f"each player in {self.some('players', self.ordered())}"):
                self.scope.players.append("player")
                self.choose_number(0)
                if self.has_trade:
                    self.trade(0)
                self.on_board()
                self.body(3, 2)
                self.call(0)
                if self.own is not None:
                    self.ride(self.own)
            if self.likely(0.3):
                self.line(f"if round above {ROUNDS - 3} and {self.condition()}: end game")

    def auction(self) -> None:
        """All decide at the same time."""
        with self.inside("secretly each player"):
            self.scope.players = ["player"]
            self.line("player chooses offer from 0..3")
            self.line(f"set player.bid to {self.some('offer', 'offer * 2', 'max(offer, player.score mod 9)')}")
        self.line("reveal players.bid")
        with self.inside(f"each buyer in (players with {self.some('highest', 'lowest')} bid)"):
            self.scope.players.append("buyer")
            self.change(0)

    def result(self) -> None:
        with self.inside("result"):
            if self.likely(0.3):
                self.line("defeat players where it.score is 0")
            second = self.some("lowest walker", "highest count it.hand", "lowest turns_after(it, starter)")
            self.line(f"rank players by {self.some('highest', 'lowest')} score then {second}")
            if self.likely(0.2):
                self.line("all reach stage")


def rules_by_chance(seed: int) -> str:
    remembers, own = Random(f"remembers {seed}").random() < _REMEMBERING, Random(f"own copies {seed}")
    return Growth(Random(seed), remembers=remembers, own=own if own.random() < _OWN_COPIES else None).file()
