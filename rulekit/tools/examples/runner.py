"""Runs the scenarios of a rules file as its tests: a position, answers and chance, and what must be true then.

Without a `do` the setup is made first.  What it asks is answered by the
lines that stand first, as long as they fit, and otherwise by the first thing
offered.  Then what is given is put in place and play begins.  With a `do`
nothing is set up: the start values and what is given are the position, and
each `do` runs its action from there.  Either way the game goes on until an
answer is needed that the scenario has not said yet; there it waits, and what
is expected is looked at.  Chance is answered like everybody else.  Without a
`do` the game's invariants must hold of what is given and wherever it waits.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NoReturn

from rulekit.diagnostics import Diagnostic
from rulekit.errors import RulekitError
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.play import engine, invariants, position_setup
from rulekit.play.invariants import setup_codes
from rulekit.play.machine.closure_compilation import NeedsOrder, evaluate
from rulekit.play.machine.working_state import Machine, thaw
from rulekit.play.state.errors import BadSetup, IllegalAction, LimitError, RuleError
from rulekit.play.state.event import Event
from rulekit.play.state.match_state import Action, Decision, Pending, State, Step
from rulekit.play.state.setting import Visits
from rulekit.play.state.value import Value
from rulekit.source import Span
from rulekit.tools.analysis.setup_check import first_answered
from rulekit.tools.examples import expectations
from rulekit.tools.examples.expectations import waited_for
from rulekit.tools.examples.scenario_values import (
    answer_value,
    drawn,
    is_possible_answer,
    picture,
    shown,
)
from rulekit.tools.examples.step_pauses import Pauses, with_pauses
from rulekit.tools.explain.source_text import written
from rulekit.values import define, evolve, field, frozen


@frozen
class Failure:
    """The first line of a scenario that does not hold.

    said:     the line's own words, or what it needs.
    found:    what is true instead.
    clauses:  what acted since the expectation before it, in the order it acted.
    """

    span: Span
    said: str
    found: str
    clauses: tuple[str, ...] = ()
    at_limit: bool = False


@frozen
class Result:
    """How one scenario ended; `failure` None: it passed."""

    scenario: model.Scenario
    failure: Failure | None

    @property
    def passed(self) -> bool:
        return self.failure is None


def run_all(game: model.Game) -> tuple[Result, ...]:
    """Every scenario of a game, in the order of the file."""
    results: list[Result] = []
    for scenario in game.scenarios:
        spent = bool(results) and results[-1].failure is not None and results[-1].failure.at_limit
        # After one that met a limit the others are not run, so that a check stays quick.
        left_out = Failure(scenario.span, "not run", "a scenario before it met a limit", at_limit=True)
        results.append(Result(scenario, left_out) if spent else run(game, scenario))
    return tuple(results)


def run(
    game: model.Game,
    scenario: model.Scenario,
    on_event: Callable[[Event], None] | None = None,
    visits: Visits | None = None,
) -> Result:
    """Play one scenario; never raises for a fault of the rules or of the scenario.

    on_event:  is given every event.  visits: filled with where play came by.
    """
    try:
        _Playing(game, scenario, on_event, visits).play()
    except _Fails as fault:
        return Result(scenario, fault.failure)
    return Result(scenario, None)


def played(game: model.Game, scenario: model.Scenario, on_event: Callable[[Event], None] | None = None) -> State | None:
    """The position in which a scenario ends; None if it does not come out."""
    playing = _Playing(game, scenario, on_event)
    try:
        playing.play()
    except _Fails:
        return None
    return playing.state


def placed(game: model.Game, scenario: model.Scenario) -> State | Failure:
    """The position of a scenario before play, or its first `do`, begins; or why it cannot be."""
    scenes = tuple(scene for scene in scenario.scenes if not isinstance(scene, model.AfterStep))
    playing = _Playing(game, evolve(scenario, scenes=scenes))
    try:
        playing.place()
    except _Fails as fault:
        return fault.failure
    return playing.state


def reached(game: model.Game, scenario: model.Scenario) -> State | None:
    """The position up to which a scenario comes, though it may fail there; None if the game cannot even be set up."""
    playing = _Playing(game, scenario)
    with suppress(_Fails):
        playing.play()
    return getattr(playing, "state", None)


def finding(result: Result) -> Diagnostic:
    """A scenario that failed, as `check` tells it."""
    failure = result.failure
    assert failure is not None, result
    acted = " ".join(f"@{clause}" for clause in failure.clauses)
    return Diagnostic(
        code="scenario",
        title=f'the scenario "{result.scenario.name}" fails: {failure.said}',
        span=failure.span,
        note=failure.found,
        hint=f"since the expectation before this line acted {acted}" if acted else "",
    )


class _Fails(RulekitError):
    def __init__(self, failure: Failure) -> None:
        super().__init__(failure)
        self.failure = failure


@define(eq=False)
class _Playing:
    """One scenario while it runs.

    at:      the next scene.
    begun:   play has begun, or there is a `do`, so that no setup is wanted.
    events:  what happened since the last expectation.
    pauses:  where steps end of which the scenario speaks; is_told: it spoke of the one at whose end it stands.
    """

    game: model.Game
    scenario: model.Scenario
    on_event: Callable[[Event], None] | None = None
    visits: Visits | None = None
    state: State = field(init=False)
    at: int = 0
    begun: bool = False
    fresh: bool = True
    events: list[Event] = field(factory=list)
    pauses: Pauses = field(factory=Pauses)
    is_told: bool = False

    # ------------------------------------------------------------ the road

    def place(self) -> None:
        """The setup, and what is given before anything happens."""
        self._prepare()
        if self.at < len(self.scenario.scenes) and isinstance(
            self.scenario.scenes[self.at], model.Given | model.GivenCells
        ):
            self._given()

    def play(self) -> None:
        self._prepare()
        while self.at < len(self.scenario.scenes):
            scene = self.scenario.scenes[self.at]
            if isinstance(scene, model.Given | model.GivenCells):
                self._given()
                continue
            self._begin(scene.span)
            self.at += 1
            if self._take(scene):
                return
        self._begin(self.scenario.span)

    def _take(self, scene: model.Scene) -> bool:
        """One scene; True if the scenario ends here, as it should."""
        if isinstance(scene, model.Answer | model.Run | model.Asked | model.Offered | model.Ranked):
            self._resume()
        if isinstance(scene, model.Answer):
            self._refused(scene) if scene.refused else self._answered(scene)
        elif isinstance(scene, model.Run):
            self._do(scene)
        elif isinstance(scene, model.Expect):
            return self._expected(scene)
        elif isinstance(scene, model.ExpectCells):
            self._expected_cells(scene)
        elif isinstance(scene, model.AfterStep):
            self._ended(scene)
        else:
            assert not isinstance(scene, model.Given | model.GivenCells), scene
            self._held(scene)
        return False

    def fail(self, span: Span, said: str, found: str) -> NoReturn:
        cites = dict.fromkeys(clause for event in self.events for clause in event.all_clauses)
        # Called while the fault is being handled, if a limit was met.
        at_limit = isinstance(sys.exc_info()[1], LimitError)
        raise _Fails(Failure(span, said, found, tuple(cites), at_limit))

    def _go(self, step: Step) -> None:
        """Takes what an answer or an action brings, up to the end of a step if the next line speaks of one."""
        scene = self.scenario.scenes[self.at] if self.at < len(self.scenario.scenes) else None
        goal = scene.step if isinstance(scene, model.AfterStep) else None
        self._follow(self.pauses.onward(step, goal))

    def _follow(self, step: Step) -> None:
        self.is_told = False
        step = position_setup.settled(step)
        if self.fresh:
            self.events, self.fresh = [], False
        self.state = step.state
        self.events += step.events
        if self.on_event is not None:
            for event in step.events:
                self.on_event(event)

    def _verify(self, span: Span, said: str) -> None:
        """Every invariant holds here; an action that runs alone may leave undone what follows it in play."""
        if self.scenario.has_run or not self.game.invariants:
            return
        try:
            invariants.check(thaw(self.state))
        except RuleError as fault:
            self.fail(span, said, fault.title)

    # ------------------------------------------------------------ the position

    def _prepare(self) -> None:
        chosen: dict[str, Any] = dict(self.scenario.choices)
        choices = {name: _outward_choice(self.game.option(name), value) for name, value in chosen.items()}
        span = self.scenario.span
        try:
            steps = frozenset(scene.step for scene in self.scenario.scenes if isinstance(scene, model.AfterStep))
            self.state = position_setup.position(with_pauses(self.game, steps), choices, self.scenario.seats)
            # No rule may show a secret; but an action run alone may have missed the reveal before it.
            self.state.setting.watched = not self.scenario.has_run
            if self.visits is not None:
                self.state.setting.note(self.visits)
                self.visits.apart = self.state.setting.game is not self.game
            if not self.scenario.has_run:
                for code in setup_codes(self.game):
                    self._set_up(code)
        except (BadSetup, RuleError) as fault:
            self.fail(span, "the game cannot be set up", str(fault))
        self.begun = self.scenario.has_run

    def _set_up(self, code: int) -> None:
        self._go(position_setup.run_alone(self.state, code))
        while waiting := engine.decisions(self.state):
            if not self._set_up_as_said():
                self._go(first_answered(self.state, waiting[0]))

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
        if not position_setup.is_idle(self.state):
            self.fail(span, "something is given", f"that is too late: {self._waiting()}")
        try:
            self.state = position_setup.arranged(self.state, given)
        except RuleError as fault:
            self.fail(fault.span if fault.span.line else span, "this cannot be given", fault.title)
        self._verify(span, "this position cannot be")

    def _begin(self, span: Span) -> None:
        if self.begun:
            return
        self.begun = True
        self._verify(span, "play cannot begin")
        try:
            self._go(position_setup.begin_play(self.state))
        except RuleError as fault:
            self.fail(span, "play cannot begin", str(fault))
        self._verify(span, "play begins")

    # ------------------------------------------------------------ actions and answers

    def _do(self, scene: model.Run) -> None:
        said = written(self.game, scene.span)
        if not position_setup.is_idle(self.state):
            self.fail(scene.span, said, self._waiting())
        try:
            self._go(position_setup.run_alone(self.state, scene.code))
        except RuleError as fault:
            self.fail(scene.span, said, str(fault))

    def _answered(self, scene: model.Answer) -> None:
        said = written(self.game, scene.span)
        if self._question(scene) is None:
            self.fail(scene.span, said, self._waiting())
        try:
            self._go(engine.apply(self.state, self._action(scene)))
        except IllegalAction as fault:
            self.fail(scene.span, said, f"{fault.reason}; {self._waiting()}")
        except RuleError as fault:
            self.fail(scene.span, said, str(fault))
        self._verify(scene.span, said)

    def _refused(self, scene: model.Answer) -> None:
        said = written(self.game, scene.span)
        asked = self._question(scene)
        if asked is None:
            self.fail(scene.span, said, self._waiting())
        try:
            engine.apply(self.state, self._action(scene))
        except IllegalAction:
            if not is_possible_answer(self.state.setting, asked[0], self._action(scene).answer):
                self.fail(scene.span, said, f"something else is asked now: {self._waiting()}")
            return
        except RuleError as fault:
            self.fail(scene.span, said, f"it is offered, and leads to: {fault}")
        self.fail(scene.span, said, f"it is offered; {self._waiting()}")

    def _question(self, scene: model.Answer) -> tuple[Pending, Decision] | None:
        """What the seat of an answer is asked now."""
        return expectations.asked(self.state, scene.who)

    def _action(self, scene: model.Answer) -> Action:
        found = self._question(scene)
        assert found is not None, scene
        return Action(found[1].seat, answer_value(thaw(self.state), scene, *found))

    def _waiting(self) -> str:
        return f"the step {self.pauses.ended} has just ended" if self.pauses.ended else waited_for(self.state)

    # ------------------------------------------------------------ expectations

    def _held(self, scene: model.Expectation) -> None:
        found = expectations.instead(self.state, self.events, scene)
        if found:
            self.fail(scene.span, written(self.game, scene.span), found)
        self.fresh = True

    def _ended(self, scene: model.AfterStep) -> None:
        """Goes on to the end of a step, if what led here has not stopped there already."""
        if self.pauses.ended != scene.step or self.is_told:
            self._resume(scene.step)
        if self.pauses.ended != scene.step:
            self.fail(scene.span, written(self.game, scene.span), f"it does not end before this: {self._waiting()}")
        self.is_told = True

    def _resume(self, goal: str | None = None) -> None:
        if self.pauses.ended:
            self._follow(self.pauses.resumed(self.state, goal))

    def _expected(self, scene: model.Expect) -> bool:
        m = thaw(self.state)
        said = written(self.game, scene.span)
        holds = self._evaluated(m, scene.test, scene.span, said)
        self.fresh = self.fresh or bool(holds)
        if scene.fails and holds:
            self.fail(scene.span, f"fails at {said}", "it holds")
        if not holds and not scene.fails:
            self.fail(scene.span, said, self._instead(m, scene))
        return scene.fails

    def _evaluated(self, m: Machine, test: x.Expr, span: Span, said: str) -> Any:
        try:
            return evaluate(m, test)
        except NeedsOrder as need:
            pile = m.setting.path(need.slot)
            self.fail(span, said, f"the order of the shuffled `{pile}` is not known yet")
        except RuleError as fault:
            self.fail(span, said, str(fault))

    def _instead(self, m: Machine, scene: model.Expect) -> str:
        """What is true where an `is` or a comparison does not hold."""
        if scene.sides is not None:
            left, right, left_type, right_type = scene.sides
            found = shown(m, left_type, evaluate(m, left))
            other = "" if isinstance(right, x.Const) else f", not {shown(m, right_type, evaluate(m, right))}"
            return f"{written(self.game, left.span)} is {found}{other}"
        if isinstance(scene.test, x.Compare):
            return f"{written(self.game, scene.test.left.span)} is {evaluate(m, scene.test.left)}"
        return "it does not hold"

    def _expected_cells(self, scene: model.ExpectCells) -> None:
        m = thaw(self.state)
        wanted = scene.picture
        found = [(piece, m.values[m.setting.piece_slot[piece]]) for piece in wanted.group if piece not in m.gone]
        standing = [(piece, cell) for piece, cell in found if cell is not None]
        place = m.setting.places[m.setting.piece_place[wanted.group[0]]]
        free, shown = place.width is None, wanted.shown
        if picture(m, standing, free, shown) != picture(m, list(wanted.cells), free, shown, dict(wanted.values)):
            self.fail(scene.span, "the picture", f"the pieces stand so: {drawn(m, standing, shown)}")
        self.fresh = True


def _outward_choice(option: model.Option | None, value: Value) -> Value:
    """A choice by meaning; a reading is kept as its place among the readings."""
    if option is not None and option.readings and isinstance(value, int):
        return option.readings[value][0]
    return value
