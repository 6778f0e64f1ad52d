"""Rules files made by chance about the paths through an action on which its choices meet an `only if`.

Choices and conditions stand anywhere in loops of every sort, in ways, behind `next`, `stop` and `skip`, and in actions
that are called.  Every action is run only where it is possible, so that no rule fails.  The same seed gives the same
text.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

from attrs import define, field

CHOICES = 6
"""On each path through an action at most, since every answer to each of them is tried."""


@define(eq=False)
class PathGrowth:
    """passes: of all loops around, at most.  choices: that may still be added.  loops: words by which they are left.

    leaves: the action that `stop` may leave.  names: numbers in force.
    """

    random: Random
    lines: list[str] = field(factory=list)
    depth: int = 0
    count: int = 0
    passes: int = 1
    choices: int = CHOICES
    loops: list[str] = field(factory=list)
    names: list[str] = field(factory=list)
    leaves: str = ""
    has_inner: bool = False

    def line(self, words: str) -> None:
        self.lines.append("    " * self.depth + words)

    @contextmanager
    def inside(self, words: str) -> Iterator[None]:
        names = self.names[:]
        self.line(words)
        self.depth += 1
        yield
        self.depth -= 1
        self.names = names

    def fresh(self, prefix: str) -> str:
        self.count += 1
        return f"{prefix}_{self.count}"

    def some(self, *choices: str) -> str:
        return self.random.choice(choices)

    # ------------------------------------------------------------ the file

    def file(self) -> str:
        with self.inside('game "Paths by chance"'):
            self.line("players 2..4")
        self.line('option waste_first "Read by nobody?" flag default no')
        self.line('option limit "How much?" 1..6 default 3')
        with self.inside("each player has"):
            self.line("counter total 0..999")
            self.line("counter steps 0..99")
        self.action("inner", 2)
        self.has_inner = True
        self.action("walk", CHOICES)
        with self.inside("play"), self.inside("each round in 1..6"), self.inside("each player"):
            self.line('player always chooses add from 0..2 "How much?"')
            self.line("raise player.total by add")
            self.line("set player.steps to 0")
            self.line("if possible walk(player): do walk(player)")
        self.line("result: rank players by highest total")
        return "\n".join(self.lines) + "\n"

    def action(self, name: str, choices: int) -> None:
        self.choices, self.leaves, self.names = choices, name, []
        with self.inside(f"action {name}(player)"):
            self.random.choice([self.each, self.until])(1)
            with self.inside(f"step late_{name}"):
                self.choose()
                if self.random.random() < 0.3:
                    self.body(2, 1)

    def body(self, size: int, depth: int) -> None:
        for _ in range(size):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        ways = [self.choose, self.choose, self.condition, self.leave]
        if depth:
            ways += [self.each, self.until, self.ways, self.branch]
        if self.has_inner:
            ways.append(self.call)
        self.random.choice(ways)(depth)

    # ------------------------------------------------------------ statements

    def may_ask(self, choices: int = 1) -> bool:
        """Take so many choices in each pass from those that are left."""
        if choices * self.passes > self.choices:
            return False
        self.choices -= choices * self.passes
        return True

    def choose(self, depth: int = 0) -> None:
        name = self.fresh("n")
        if not self.may_ask():
            self.line(f"raise player.total by {self.number()} mod 3")
            return
        self.line(f"player {self.some('', 'always ')}chooses {name} from {self.some('1..2', '0..2', '[2, 1]')}")
        self.line(f"raise player.total by {name}")
        self.names.append(name)

    def condition(self, depth: int = 0) -> None:
        self.line(f"only if {self.test()}")

    def test(self) -> str:
        number = self.number()
        rest = self.random.randrange(3)
        return self.some(
            f"{number} mod 3 is not {rest}", f"{number} mod 4 is not {rest}", f"player.total at least {number}"
        )

    def number(self) -> str:
        return self.some(*["player.total"] * 4, "player.steps", "player.seat", *self.names)

    def leave(self, depth: int = 0) -> None:
        ways = [f"stop {self.leaves}", f"skip late_{self.leaves}"]
        ways += [f"{word} {loop}" for loop in self.loops for word in ("next", "stop") for _ in range(2)]
        self.line(f"if {self.test()}: {self.some(*ways)}")

    @contextmanager
    def loop(self, words: str, name: str, passes: int) -> Iterator[None]:
        """Within a loop; only the innermost `repeat` or `while` can be named."""
        outer, self.passes = self.passes, self.passes * passes
        loops = self.loops[:]
        self.loops = [one for one in self.loops if one != name] + [name]
        with self.inside(words):
            yield
        self.passes, self.loops = outer, loops

    def each(self, depth: int) -> None:
        name, passes = self.fresh("i"), self.random.randrange(2, 4)
        members = self.some(f"1..{passes}", f"[{', '.join(map(str, range(passes)))}]")
        with self.loop(f"each {name} in {members}", name, passes):
            self.names.append(name)
            self.looped(depth - 1)

    def until(self, depth: int) -> None:
        passes = self.random.randrange(2, 4)
        begun = self.fresh("begun")
        self.line(f"let {begun} be player.steps")
        bound = f"player.steps - {begun}"
        if self.random.random() < 0.5:
            with self.loop(f"while {bound} below {passes}", "while", passes):
                self.line("raise player.steps by 1")
                self.looped(depth - 1)
            return
        with self.loop("repeat", "repeat", passes):
            self.line(f"if {bound} at least {passes}: stop repeat")
            self.line("raise player.steps by 1")
            self.looped(depth - 1)

    def looped(self, depth: int) -> None:
        """The body of a loop, in which mostly a condition stands before a choice or behind it."""
        for part in self.random.sample([self.condition, self.choose, self.statement], 3):
            part(depth)

    def ways(self, depth: int) -> None:
        if not self.may_ask():
            self.branch(depth)
            return
        with self.inside('player chooses "Which way?"'):
            for way in ("this", "that"):
                with self.inside(f'"{way}"'):
                    self.line("raise player.total by 1")
                    self.body(1, depth - 1)

    def branch(self, depth: int) -> None:
        with self.inside(f"if {self.test()}"):
            self.body(1, depth - 1)
        if self.random.random() < 0.5:
            with self.inside("else"):
                self.body(1, depth - 1)

    def call(self, depth: int = 0) -> None:
        """What the called action asks for binds nothing here, so it must be possible."""
        if self.may_ask(2):
            self.line("if possible inner(player): do inner(player)")
        else:
            self.choose()


def path_rules_by_chance(seed: int) -> str:
    return PathGrowth(Random(seed)).file()
