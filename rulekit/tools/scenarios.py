"""Scenarios run: a position, answers and chance, and what must be true then.

Without a `do` the setup is made first.  What it asks is answered by the
lines that stand first, as long as they fit, and otherwise by the first thing
offered.  Then what is given is put in place and play begins.  With a `do`
nothing is set up: the start values and what is given are the position, and
each `do` runs its action from there.  Either way the game goes on until an
answer is needed that the scenario has not said yet; there it waits, and what
is expected is looked at.  Chance is answered like everybody else.
"""

from __future__ import annotations

from typing import Any, NoReturn

from attrs import define, field, frozen

from rulekit.diagnostics import Diagnostic
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.types import Type
from rulekit.play import chance, engine, position
from rulekit.play.errors import BadSetup, IllegalAction, RuleError
from rulekit.play.evaluate import NeedsOrder
from rulekit.play.event import Event
from rulekit.play.machine import Machine, thaw
from rulekit.play.outward import outward
from rulekit.play.state import CHANCE, Action, Decision, Pending, State, Step
from rulekit.play.travel import shown_space
from rulekit.play.value import Value, notation
from rulekit.source import Source, Span
from rulekit.syntax import nodes


@frozen
class Difference:
    """The first line of a scenario that does not hold.

    said:     the line's own words, or what it needs.
    found:    what is true instead.
    clauses:  what acted since the expectation before it, in the order it acted.
    """

    span: Span
    said: str
    found: str
    clauses: tuple[str, ...] = ()


@frozen
class Result:
    """How one scenario ended; `difference` None: it passed."""

    scenario: model.Scenario
    difference: Difference | None

    @property
    def passed(self) -> bool:
        return self.difference is None


def run_all(game: model.Game) -> tuple[Result, ...]:
    """Every scenario of a game, in the order of the file."""
    return tuple(run(game, scenario) for scenario in game.scenarios)


def run(game: model.Game, scenario: model.Scenario) -> Result:
    """Play one scenario; never raises for a fault of the rules or of the scenario."""
    try:
        _Playing(game, scenario).play()
    except _Differs as differs:
        return Result(scenario, differs.difference)
    return Result(scenario, None)


def finding(result: Result) -> Diagnostic:
    """A scenario that failed, as `check` tells it."""
    difference = result.difference
    assert difference is not None, result
    acted = " ".join(f"@{clause}" for clause in difference.clauses)
    return Diagnostic(
        code="scenario",
        title=f'the scenario "{result.scenario.name}" fails: {difference.said}',
        span=difference.span,
        note=difference.found,
        hint=f"since the expectation before this line acted {acted}" if acted else "",
    )


class _Differs(Exception):
    def __init__(self, difference: Difference) -> None:
        super().__init__(difference)
        self.difference = difference


@define(eq=False)
class _Playing:
    """One scenario while it runs.

    at:      the next scene.
    begun:   play has begun, or there is a `do`, so that no setup is wanted.
    events:  what happened since the last expectation.
    """

    game: model.Game
    scenario: model.Scenario
    state: State = field(init=False)
    at: int = 0
    begun: bool = False
    fresh: bool = True
    events: list[Event] = field(factory=list)

    # ------------------------------------------------------------ the road

    def play(self) -> None:
        self._prepare()
        while self.at < len(self.scenario.scenes):
            scene = self.scenario.scenes[self.at]
            if isinstance(scene, model.Given | model.GivenCells):
                self._given()
                continue
            self.at += 1
            self._begin(_span(scene) or self.scenario.span)
            if self._take(scene):
                return
        self._begin(self.scenario.span)

    def _take(self, scene: model.Scene) -> bool:
        """One scene; True if the scenario ends here, as it should."""
        if isinstance(scene, model.Answer):
            self._refused(scene) if scene.refused else self._answered(scene)
        elif isinstance(scene, model.Run):
            self._do(scene)
        elif isinstance(scene, model.Expect):
            return self._expected(scene)
        elif isinstance(scene, model.ExpectCells):
            self._expected_cells(scene)
        return False

    def differs(self, span: Span, said: str, found: str) -> NoReturn:
        cites = dict.fromkeys(clause for event in self.events for clause in event.clauses)
        raise _Differs(Difference(span, said, found, tuple(cites)))

    def text(self, span: Span) -> str:
        """What is written at a place, on one line."""
        sources = dict(self.game.sources)
        lines = Source(span.source, sources.get(span.source, "")).text.split("\n")[span.line - 1 : span.end_line]
        if not lines:
            return ""
        lines[-1] = lines[-1][: span.end_column - 1]
        lines[0] = lines[0][span.column - 1 :]
        return " ".join(line.strip() for line in lines)

    def _go(self, step: Step) -> None:
        step = position.settled(step)
        if self.fresh:
            self.events, self.fresh = [], False
        self.state = step.state
        self.events += step.events

    # ------------------------------------------------------------ the position

    def _prepare(self) -> None:
        choices = {name: _outward_choice(self.game.option(name), value) for name, value in self.scenario.choices}
        span = self.scenario.span
        try:
            self.state = position.position(self.game, choices, self.scenario.seats)
            if not self.scenario.has_run:
                for code in position.setups(self.game):
                    self._set_up(code)
        except (BadSetup, RuleError) as fault:
            self.differs(span, "the game cannot be set up", str(fault))
        self.begun = self.scenario.has_run

    def _set_up(self, code: int) -> None:
        self._go(position.run_alone(self.state, code))
        while waiting := engine.decisions(self.state):
            if not self._set_up_as_said():
                question = waiting[0]
                first = question.options[: question.least] if question.several else question.options[0]
                self._go(engine.apply(self.state, Action(question.seat, first)))

    def _set_up_as_said(self) -> bool:
        """Answer a question of the setup with the scenario's next line, if that fits."""
        scene = self.scenario.scenes[self.at] if self.at < len(self.scenario.scenes) else None
        if not isinstance(scene, model.Answer) or scene.refused or self._question(scene) is None:
            return False
        try:
            self._go(engine.apply(self.state, self._action(scene)))
        except IllegalAction:
            return False
        self.at += 1
        return True

    def _given(self) -> None:
        """All that is given on neighbouring lines, put in place at once."""
        scenes = self.scenario.scenes
        start = self.at
        while self.at < len(scenes) and isinstance(scenes[self.at], model.Given | model.GivenCells):
            self.at += 1
        given = [scene for scene in scenes[start : self.at] if isinstance(scene, model.Given | model.GivenCells)]
        spans = [fact.span for scene in given if isinstance(scene, model.Given) for fact in scene.facts]
        span = spans[0] if spans else self.scenario.span
        if not position.is_idle(self.state):
            self.differs(span, "something is given", f"that is too late: {self._waiting()}")
        try:
            self.state = position.arranged(self.state, given)
        except RuleError as fault:
            self.differs(fault.span if fault.span.line else span, "this cannot be given", fault.title)

    def _begin(self, span: Span) -> None:
        if self.begun:
            return
        self.begun = True
        try:
            self._go(position.begin_play(self.state))
        except RuleError as fault:
            self.differs(span, "play cannot begin", str(fault))

    # ------------------------------------------------------------ actions and answers

    def _do(self, scene: model.Run) -> None:
        said = self.text(scene.span)
        if not position.is_idle(self.state):
            self.differs(scene.span, said, self._waiting())
        try:
            self._go(position.run_alone(self.state, scene.code))
        except RuleError as fault:
            self.differs(scene.span, said, str(fault))

    def _answered(self, scene: model.Answer) -> None:
        said = self.text(scene.span)
        if self._question(scene) is None:
            self.differs(scene.span, said, self._waiting())
        try:
            self._go(engine.apply(self.state, self._action(scene)))
        except IllegalAction as fault:
            self.differs(scene.span, said, f"{fault.reason}; {self._waiting()}")
        except RuleError as fault:
            self.differs(scene.span, said, str(fault))

    def _refused(self, scene: model.Answer) -> None:
        said = self.text(scene.span)
        if self._question(scene) is None:
            self.differs(scene.span, said, self._waiting())
        try:
            engine.apply(self.state, self._action(scene))
        except IllegalAction:
            return
        except RuleError as fault:
            self.differs(scene.span, said, f"it is offered, and leads to: {fault}")
        self.differs(scene.span, said, f"it is offered; {self._waiting()}")

    def _question(self, scene: model.Answer) -> tuple[Pending, Decision] | None:
        """What the seat of an answer is asked now."""
        seat = CHANCE if scene.who is None else scene.who
        waiting = [branch.pending for branch in self.state.branches if branch.pending is not None]
        pending = waiting if self.state.branches else [self.state.pending]
        pairs = zip([question for question in pending if question is not None], engine.decisions(self.state), strict=True)
        return next(((question, decision) for question, decision in pairs if decision.seat == seat), None)

    def _action(self, scene: model.Answer) -> Action:
        found = self._question(scene)
        assert found is not None, scene
        return Action(found[1].seat, _meant(thaw(self.state), scene, *found))

    def _waiting(self) -> str:
        """What the game waits for, in words."""
        if self.state.over:
            return "the game is over"
        asked = engine.decisions(self.state)
        if not asked:
            return "nobody is asked anything now"
        return "; ".join(_asks(self.state, decision) for decision in asked)

    # ------------------------------------------------------------ expectations

    def _expected(self, scene: model.Expect) -> bool:
        m = thaw(self.state)
        said = self.text(scene.span)
        holds = self._evaluated(m, scene.test, scene.span, said)
        self.fresh = self.fresh or bool(holds)
        if scene.fails and holds:
            self.differs(scene.span, f"fails at {said}", "it holds")
        if not holds and not scene.fails:
            self.differs(scene.span, said, self._instead(m, scene))
        return scene.fails

    def _evaluated(self, m: Machine, test: x.Expr, span: Span, said: str) -> Any:
        try:
            return m.eval(test)
        except NeedsOrder as need:
            pile = m.setting.path(need.slot)
            self.differs(span, said, f"the order of the shuffled `{pile}` is not known yet")
        except RuleError as fault:
            self.differs(span, said, str(fault))

    def _instead(self, m: Machine, scene: model.Expect) -> str:
        """What is true where an `is` or a comparison does not hold."""
        if scene.sides is not None:
            left, right, left_type, right_type = scene.sides
            shown = _shown(m, left_type, m.eval(left))
            other = "" if isinstance(right, x.Const) else f", not {_shown(m, right_type, m.eval(right))}"
            return f"{self.text(left.span)} is {shown}{other}"
        if isinstance(scene.test, x.Compare):
            return f"{self.text(scene.test.left.span)} is {m.eval(scene.test.left)}"
        return "it does not hold"

    def _expected_cells(self, scene: model.ExpectCells) -> None:
        m = thaw(self.state)
        found = [(piece, m.values[m.setting.piece_slot[piece]]) for piece in scene.group if piece not in m.gone]
        standing = [(piece, cell) for piece, cell in found if cell is not None]
        place = m.setting.game.places[m.setting.piece_place[scene.group[0]]]
        free = place.width is None
        if _picture(m, standing, free) != _picture(m, list(scene.cells), free):
            self.differs(scene.span, "the picture", f"the pieces stand so: {_drawn(m, standing)}")
        self.fresh = True


# ---------------------------------------------------------------- what is meant


def _outward_choice(option: model.Option | None, value: Any) -> Value:
    assert option is not None
    return option.readings[value][0] if option.readings else value


def _span(scene: model.Scene) -> Span | None:
    return None if isinstance(scene, model.Given | model.GivenCells) else scene.span


def _meant(m: Machine, scene: model.Answer, question: Pending, decision: Decision) -> Value:
    """The answer by meaning: written out, or what its expression is worth now."""
    if isinstance(scene.reply, nodes.Expr | nodes.Label):
        return _spoken(scene.reply)
    assert scene.type is not None, scene
    value = m.eval(scene.reply)
    if scene.type.is_set:
        return tuple(_chosen(m, scene.type.element, item, question, decision) for item in value)
    return _chosen(m, scene.type, value, question, decision)


def _spoken(node: nodes.Expr | nodes.Label) -> Value:
    """A plain answer as it was written; `matches` finds what it means among what is offered."""
    if isinstance(node, nodes.Listing):
        return tuple(_spoken(item) for item in node.items)
    if isinstance(node, nodes.Unary):
        number = _spoken(node.of)
        assert isinstance(number, int), node
        return -number
    if isinstance(node, nodes.Word):
        return node.name
    if isinstance(node, nodes.Number | nodes.Flag):
        return node.value
    return node.text if isinstance(node, nodes.Label) else None


def _chosen(m: Machine, kind: Type, value: Any, question: Pending, decision: Decision) -> Value:
    """The option that a value means: itself, or what nobody can tell from it and is offered in its place."""
    options = question.options if question.form != "chance" else chance.weights(m, question)[0]
    if kind == question.type:
        if value in options:
            return decision.options[options.index(value)]
        for option, shown in zip(options, decision.options, strict=True):
            if kind.name == "thing" and None not in (option, value) and _look(m, option) == _look(m, value):
                return shown
    return outward(m.setting, kind, value)


def _look(m: Machine, thing: Any) -> tuple[Any, ...]:
    """Equal for pieces of one group on one space, and for copies of a card in one pile."""
    slot = m.setting.piece_slot.get(thing)
    if slot is None:
        return (m.setting.row_of[thing], m.lies_in(thing))
    return (m.setting.slot_variable[slot], m.setting.slot_owner[slot], m.values[slot])


# ---------------------------------------------------------------- what is found


def _asks(state: State, decision: Decision) -> str:
    who = "chance" if decision.seat == CHANCE else state.setting.seats[decision.seat]
    several = f"{decision.least} to {decision.most} of " if decision.several else ""
    return f"{who} chooses {several}{notation(decision.options)}"


def _shown(m: Machine, kind: Type, value: Any) -> str:
    """A value for people: a piece by where it stands."""
    if kind.is_set and kind.element.name == "thing" and value and value[0] in m.setting.piece_slot:
        return "[" + ", ".join(_shown(m, kind.element, piece) for piece in value) + "]"
    if kind.name == "thing" and value in m.setting.piece_slot:
        return notation(shown_space(m, value, m.values[m.setting.piece_slot[value]]))
    return notation(outward(m.setting, kind, value))


def _picture(m: Machine, standing: list[tuple[int, Any]], free: bool) -> list[tuple[Any, Any]]:
    """Cells and what is to be seen on them, where the board has no edges moved into one corner."""
    left = min((cell[0] for _, cell in standing), default=0) if free else 0
    top = min((cell[1] for _, cell in standing), default=0) if free else 0
    return sorted(((cell[0] - left, cell[1] - top), _seen(m, piece)) for piece, cell in standing)


def _seen(m: Machine, piece: int) -> tuple[str, ...]:
    """What tells pieces of a picture apart: their traits, or without any their names."""
    kind = m.setting.game.kinds[m.setting.things[piece].kind]
    values = tuple(str(values[piece - kind.base]) for values in kind.traits.values())
    return values or (m.setting.things[piece].key,)


def _drawn(m: Machine, standing: list[tuple[int, Any]]) -> str:
    """The pieces by row: `a1 . b2 / . c1 .`."""
    at = {cell: m.setting.things[piece].key for piece, cell in standing}
    columns, rows = [cell[0] for cell in at], [cell[1] for cell in at]
    if not at:
        return "nowhere"
    across = range(min(columns), max(columns) + 1)
    down = range(min(rows), max(rows) + 1)
    return " / ".join(" ".join(at.get((column, row), ".") for column in across) for row in down)
