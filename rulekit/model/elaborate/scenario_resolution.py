"""Scenarios: positions, answers and expected facts, with names resolved.

What a player answers is matched by meaning when the decision is known, so
plain words and numbers stay as they were written.  Answers that are said to
be refused must name something that can be chosen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import chain

from rulekit.model import builtin_signatures, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.declare.options import option_choice
from rulekit.model.declare.pictures import placed
from rulekit.model.lower import change_statements, code_builder
from rulekit.model.resolve import operator_expressions, type_inference
from rulekit.model.resolve.attributes import space_type
from rulekit.model.resolve.symbol_table import Scope, World
from rulekit.model.types import FLAG, PLAYER, UNKNOWN, Type, set_of
from rulekit.source import Span
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, walk
from rulekit.syntax.unparse_expr import written

_PLAIN = (nodes.Number, nodes.Word, nodes.Flag, nodes.Nothing)
STARTER = -1
CHANCE, NOBODY = "chance", "nobody"
LowerRun = Callable[[nodes.Run, Scope], int]
_NUMBERED = re.compile(r"_\d+$")
_SHORT_TEXT = re.compile(r"\S*[^a-z_\s]\S*|.* in .*")
"""Texts that stand for things without a name: `4,-2`, `[3, 5]`, `8 in red.hand`."""


def scenario(world: World, tally: code_builder.Tally, run: LowerRun, node: nodes.Scenario) -> model.Scenario:
    seats = next((scene.names for scene in node.scenes if isinstance(scene, nodes.Seats)), ())
    if not seats:
        world.error("no-players", "the scenario does not say who plays", node.span, "write `players red, green` first")
    for name in {name for name in seats if seats.count(name) > 1}:
        world.error("duplicate", f"two players are called `{name}`", node.span)
    builder = _Scenes(world, tally, run, seats)
    choices: list[tuple[str, x.Value]] = []
    scenes: list[model.Scene] = []
    for scene in node.scenes:
        if isinstance(scene, nodes.Use):
            choice = option_choice(world, scene)
            choices += [] if choice is None else [choice]
        elif not isinstance(scene, nodes.Seats):
            scenes += builder.scene(scene)
    has_run = any(isinstance(scene, model.Run) for scene in scenes)
    return model.Scenario(node.name, seats, tuple(choices), tuple(scenes), has_run, cites=cites(node), span=node.span)


class _Scenes:
    """One scenario being resolved; only its seats may be named besides the game's own names."""

    def __init__(self, world: World, tally: code_builder.Tally, run: LowerRun, seats: tuple[str, ...]) -> None:
        self.world = world
        self.seats = seats
        self.run = run
        self.steps = {step for steps in tally.steps.values() for step in steps}
        self.low = code_builder.Lowering(world, code_builder.Tally(), -1, "scenario", self.scope())

    def scope(self) -> Scope:
        return Scope(self.world, seats=self.seats)

    def scene(self, node: nodes.Scene) -> list[model.Scene]:
        if isinstance(node, nodes.Given):
            return [model.Given(tuple(f for fact in node.facts if (f := self._fact(fact)) is not None))]
        if isinstance(node, nodes.GivenPicture):
            shown = placed(self.world, node.place, node.rows, node.span, self.seats)
            return [] if shown is None else [shown]
        if isinstance(node, nodes.Answer | nodes.Refuse):
            replies = node.replies if isinstance(node, nodes.Answer) else (node.reply,)
            return [a for reply in replies if (a := self._answer(node, reply)) is not None]
        if isinstance(node, nodes.Run):
            return [model.Run(self.run(node, self.scope()), span=node.span)]
        if isinstance(node, nodes.ExpectPicture):
            shown = placed(self.world, node.place, node.rows, node.span, self.seats)
            return [] if shown is None else [model.ExpectCells(shown, span=node.span)]
        if isinstance(node, nodes.Fails):
            return [self._expect(node.fact, True)]
        if isinstance(node, nodes.Expect):
            return [self._expect(fact, False) for fact in node.facts]
        made = self._waiting(node)
        return [] if made is None else [made]

    def _waiting(self, node: nodes.Scene) -> model.Scene | None:
        """What is expected of where the game waits, and of how it came there; None where a name is unknown."""
        if isinstance(node, nodes.Asked):
            nobody = [who.name for who in node.who if isinstance(who, nodes.Word)] == [NOBODY]
            return model.Asked(() if nobody else tuple(self._seats(node.who, True)), span=node.span)
        if isinstance(node, nodes.Offered):
            who = self._seats((node.who,), True)
            replies = tuple(self._replied(who[0], reply, node.span) for reply in node.replies) if who else ()
            return model.Offered(who[0], replies, span=node.span) if who else None
        if isinstance(node, nodes.Ranked):
            places = tuple(tuple(seat for seat in self._seats(one.who) if seat is not None) for one in node.places)
            return model.Ranked(places, span=node.span)
        if isinstance(node, nodes.Happened):
            told = [(fact.name, self._replied(None, fact.value, fact.span), written(fact.value)) for fact in node.facts]
            return model.Happened(node.event, tuple(told), span=node.span)
        assert isinstance(node, nodes.AfterStep), node
        if node.step not in self.steps:
            self.world.unknown(node.step, node.span, "step", self.steps)
        return model.AfterStep(node.step, span=node.span)

    def _seats(self, who: tuple[nodes.Expr, ...], chance: bool = False) -> list[int | None]:
        """The seats that are named; None is chance.  Others are reported and left out."""
        found: list[int | None] = []
        for node in who:
            if chance and isinstance(node, nodes.Word) and node.name == CHANCE:
                found.append(None)
                continue
            expr = type_inference.expect(self.scope(), node, PLAYER)
            if isinstance(expr, x.Const) and isinstance(expr.value, int):
                found.append(expr.value)
            elif not isinstance(expr, x.Const):
                self.world.error("not-a-literal", "name one of the players of this scenario", node.span)
        return found

    def _expect(self, node: nodes.Expr, fails: bool) -> model.Expect:
        if isinstance(node, nodes.Binary) and node.op == "is":
            test, left, right = operator_expressions.same_with_sides(self.scope(), node)
            sides = left.expr, right.expr, left.type, right.type
            return model.Expect(test.expr, fails, sides, span=node.span)
        return model.Expect(type_inference.expect(self.scope(), node, FLAG), fails, span=node.span)

    def _answer(self, node: nodes.Answer | nodes.Refuse, reply: nodes.Expr | nodes.Label) -> model.Answer | None:
        refused = isinstance(node, nodes.Refuse)
        who = self._seats((node.who,), True)
        if refused and (isinstance(reply, nodes.Label) or _is_plain(reply)):
            _check_refused(self.world, self.seats, reply)
        return self._replied(who[0], reply, node.span, refused) if who else None

    def _replied(
        self, who: int | None, reply: nodes.Expr | nodes.Label, span: Span, refused: bool = False
    ) -> model.Answer:
        if isinstance(reply, nodes.Label) or _is_plain(reply):
            return model.Answer(who, reply, None, refused, span=span)
        typed = type_inference.infer(self.scope(), reply)
        return model.Answer(who, typed.expr, typed.type, refused, span=span)

    def _fact(self, node: nodes.Expr) -> model.Fact | None:
        if not isinstance(node, nodes.Binary) or node.op != "is":
            self.world.error("not-a-fact", "write what is given as `X is V`", node.span)
            return None
        if isinstance(node.left, nodes.Word) and node.left.name == "starter":
            value = type_inference.expect(self.scope(), node.right, PLAYER)
            return model.Fact(ops.Target(STARTER, None), value, PLAYER, span=node.span)
        found = self._target(node.left)
        if found is None and type_inference.infer(self.scope(), node.left).type == UNKNOWN:
            return None
        if found is None:
            self.world.error("not-changeable", "this cannot be given", node.left.span, "name a variable, piece or pile")
            return None
        target, wanted = found
        variable = self.world.variables[target.variable]
        empty = variable.form == "piece" or (variable.may_be_empty and target.index is not None)
        if isinstance(node.right, nodes.Nothing) and empty:
            return model.Fact(target, x.Const(None, span=node.right.span), wanted, span=node.span)
        return model.Fact(target, type_inference.expect(self.scope(), node.right, wanted), wanted, span=node.span)

    def _target(self, node: nodes.Expr) -> tuple[ops.Target, Type] | None:
        """The variable and what it is given: a piece gets its space, a group one space for each piece."""
        typed = type_inference.infer(self.scope(), node)
        if isinstance(typed.expr, x.GroupOf):
            space = space_type(self.world, typed.type.element.kind)
            return ops.Target(typed.expr.variable, typed.expr.of, span=node.span), set_of(space)
        found = change_statements.target(self.low, node)
        if found is not None and isinstance(typed.expr, x.PieceOf):
            return found[0], space_type(self.world, typed.type.kind)
        return found


def _is_plain(node: object) -> bool:
    if isinstance(node, nodes.Listing):
        return all(_is_plain(item) for item in node.items)
    if isinstance(node, nodes.Unary):
        return node.op == "-" and _is_plain(node.of)
    return isinstance(node, _PLAIN)


# ---------------------------------------------------------------- refused answers


def _check_refused(world: World, seats: tuple[str, ...], reply: nodes.Expr | nodes.Label) -> None:
    """Adds `unknown-name` for a plain answer that names no thing, player, direction or way.

    What nobody could ever choose is always refused, so a slip would never show.
    """
    names = {*_choosable(world), *seats}
    if isinstance(reply, nodes.Label):
        if reply.text not in names | world.ways and not _SHORT_TEXT.fullmatch(reply.text):
            world.unknown(reply.text, reply.span, "way to choose", world.ways)
        return
    for part in walk(reply):
        if isinstance(part, nodes.Word) and not {part.name, _NUMBERED.sub("", part.name)} & names:
            world.unknown(part.name, part.span, "answer", {name for name in names if name[0].isalpha()})


def _choosable(world: World) -> set[str]:
    """The keys of all things that do not belong to a player, and the directions."""
    keys = chain.from_iterable((member.key for member in kind.members) for kind in world.kinds.values())
    pieces = (variable.name for variable in world.variables if variable.form in ("piece", "group"))
    return {*keys, *pieces, *builtin_signatures.DIRECTIONS, "neutral"}
