"""The engine's interface, on which every front-end, bot and test stands.

`start`, `decisions`, `apply` and `outcome`; all are pure functions: a state
is never changed, an action leads to another state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rulekit import limits
from rulekit.arguments import require_type
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.play import invariants
from rulekit.play.interpreter import decision_options, feasibility, fork_join, reactions
from rulekit.play.interpreter.main_loop import run
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.legality import LegalityOracle, Place
from rulekit.play.machine.working_state import Machine, freeze, resume, suspend, suspend_apart, thaw
from rulekit.play.match_arguments import check_names, option_values, seat_names, seed_number
from rulekit.play.meaning import (
    chance,
    control_flow,
    grid,
    grid_builtins,
    grid_slides,
    histories,
    operators,
    plain_builtins,
    queries,
    reading,
    state_changes,
    travel,
)
from rulekit.play.recording import Recording, carries, recorded, tracing
from rulekit.play.state.errors import BadSetup, IllegalAction, NotTogether, Refused, RuleError
from rulekit.play.state.event import telling, told_before
from rulekit.play.state.external_values import options_outward
from rulekit.play.state.match_state import (
    CHANCE,
    Action,
    Asked,
    Branch,
    Decision,
    Ended,
    Outcome,
    Pending,
    Reached,
    State,
    Step,
    keep_place,
    keep_recording,
    place_of,
)
from rulekit.play.state.setting import Setting, copy_of, lay_out, seat_number
from rulekit.play.state.value import Ref, Value, notation, offer, value_of
from rulekit.play.tracing import flow, orders, sets, showing, things, values
from rulekit.values import evolve

MEANINGS = (
    *(operators, queries, reading, grid_slides, grid_builtins, histories, plain_builtins),
    *(fork_join, chance, decision_options, feasibility, state_changes, control_flow, grid, travel),
    *(values, things, sets, orders, showing, flow),
)
"""The modules that say what operations and words do; importing them fills the tables."""

# ---------------------------------------------------------------- starting


_STATE = "a State, which a Step holds as `step.state`"


def start(
    game: model.Game,
    options: Mapping[str, Value] | None = None,
    seats: int | Sequence[str] | None = None,
    seed: str | int | None = "0",
    *,
    checked: bool = False,
    verified: bool = False,
    told: bool = True,
    entered: Callable[[Any, int, list[Any]], None] | None = None,
    round_begun: Callable[[Any], Callable[[], None]] | None = None,
    oracle: LegalityOracle | None = None,
) -> Step:
    """The first state with a decision, and the events of the setup.

    options:  by name; the others have their defaults.  Readings by name.
    seats:    a number of players or their names; the smallest number if None.
    seed:     any text, or a number, which is its text; None asks the caller for every chance, as decisions of `CHANCE`.
    verified: test every invariant whenever the match waits, once its setup is made.
    checked:  this, and that no rule shows a secret.
    told:     whether it can be asked of every event which clauses decided it.
    entered:  told of every rule that begins to run in this match, not in what is tried: machine, code, arguments.
    round_begun: told of the machine where a round begins, not in what is tried; returns what takes that back.
    oracle:   says in this match which options lead on, in place of trying them; never in one that is `checked`.
    Errors:   `BadSetup` for options or seats with which the game cannot start, `RuleError`.
    """

    def opening() -> Machine:
        return opened(game, options or {}, seats, seed, checked=checked)

    m = opening()
    m.setting.entered, m.setting.told, m.setting.checked = entered, told, checked or verified
    m.setting.round_begun = round_begun
    if told:
        m.origin = Recording(lambda: _traced(opening()), _begin)
    place = None if oracle is None or checked else oracle.begins(m.setting, options or {})
    m.verdicts = None if place is None else place.verdicts()
    try:
        _begin(m)
    except RuleError as fault:
        raise _told_so_far(m, fault) from None
    _heed_no_more(m)
    return _step(m, suspend(m), place)


def _traced(m: Machine) -> Machine:
    m.setting = tracing(m.setting)
    return m


def _begin(m: Machine) -> None:
    m.push(m.setting.game.main, [])
    run(m)


def prepared(
    game: model.Game,
    options: Mapping[str, Value],
    seats: int | Sequence[str] | None,
    seed: str | int | None,
    *,
    checked: bool,
) -> Machine:
    """A machine with all start values and nothing running yet."""
    names, values = seat_names(game, seats), option_values(game, options)
    number = seed_number(seed)
    setting = lay_out(game, values, names, 0, number)
    if neutrals := _neutrals(game, setting):
        more = [f"neutral_{i + 1}" if neutrals > 1 else "neutral" for i in range(neutrals)]
        setting = lay_out(game, values, (*names, *more), neutrals, number)
    check_names(setting)
    setting.checked = setting.watched = checked
    m = _machine(setting)
    _check_guards(m)
    _open_grids(m)
    _say_who_sees(m)
    m.setting.teams = _teams(m)
    _start_values(m)
    # How many cards there are is known only now, and costs depend on it.
    setting.meanings.clear()
    return m


def opened(
    game: model.Game,
    options: Mapping[str, Value],
    seats: int | Sequence[str] | None,
    seed: str | int | None,
    *,
    checked: bool,
) -> Machine:
    """As `prepared`, but what belongs to the table alone is worked out once, for all matches at it."""
    table = seat_names(game, seats), option_values(game, options), checked
    tables: dict[Any, State] = game.kept.setdefault("tables", {})
    if table not in tables:
        if len(tables) == _TABLES:
            tables.clear()
        tables[table] = freeze(prepared(game, options, seats, None, checked=checked))
    m = thaw(tables[table])
    m.setting = evolve(m.setting, seed=seed_number(seed))
    m.limit_steps(limits.STEPS_PER_DECISION)
    return m


_TABLES = 50
"""So many tables of one game are kept; each takes less than half a megabyte in the games that ship."""


def _machine(setting: Setting) -> Machine:
    return Machine(setting, list(setting.values), [], [], step_limit=limits.STEPS_PER_DECISION)


def _neutrals(game: model.Game, without: Setting) -> int:
    if game.neutrals is None:
        return 0
    count = evaluate(_machine(without), game.neutrals)
    if not isinstance(count, int) or not 0 <= count <= limits.SEATS:
        raise BadSetup(f"a game cannot have {count} neutral seats")
    return count


def _check_guards(m: Machine) -> None:
    for option in m.setting.game.options:
        for guard in option.guards:
            if bool(evaluate(m, guard.test)) == guard.conflicts:
                raise _broken(m.setting.game, option, guard)


def _broken(game: model.Game, option: model.Option, guard: model.Guard) -> NotTogether:
    """What a choice does not go together with: the line as it is written, and its clauses."""
    word, line = "conflicts with" if guard.conflicts else "requires", game.quoted(guard.span)
    clauses = tuple(id_ for id_ in guard.cites if id_ in game.clauses)
    told = "".join(f"; {id_}: {game.clauses[id_].text}" for id_ in clauses)
    text = f"the choice of `{option.name}` {word} {line}{told}"
    return NotTogether(text, option.name, line, clauses, conflicts=guard.conflicts)


def _open_grids(m: Machine) -> None:
    """A grid whose condition does not hold has no end in this match."""
    for name, place in m.setting.places.items():
        if place.bounded is not None and not evaluate(m, place.bounded):
            m.setting.open(name, evolve(place, width=None, height=None))


def _say_who_sees(m: Machine) -> None:
    """Who sees a variable of which a define says it, for each of its owners."""
    for index, variable in enumerate(m.setting.game.variables):
        if variable.watchers is None:
            continue
        for slot in range(m.setting.bases[index], m.setting.bases[index] + m.setting.owners(variable)):
            owner = m.setting.slot_owner[slot]
            first = 0 if variable.owner in ("", "player") else m.setting.kind_base[variable.owner]
            args = (x.Const(first + owner),) if variable.owner else ()
            seats: Any = evaluate(m, x.Invoke(variable.watchers, args))
            m.setting.show(slot, frozenset(seats))


def _teams(m: Machine) -> tuple[tuple[int, ...], ...]:
    """The seats of each team.  Errors: `BadSetup` for a single one."""
    define = m.setting.game.teams
    if define is None:
        return ()
    found = {tuple(sorted(evaluate(m, x.Invoke(define, (x.Const(seat),))))) for seat in range(m.setting.players)}
    if len(found) == 1:
        raise BadSetup(f"with {m.setting.players} players all would be in one team")
    return tuple(sorted(found))


def _start_values(m: Machine) -> None:
    """Plain values first, then pieces, then piles, each in the order of declaration."""
    game = m.setting.game
    order = {"piece": 1, "group": 1, "pile": 2}
    for index, variable in sorted(enumerate(game.variables), key=lambda pair: order.get(pair[1].form, 0)):
        width = m.setting.owners(variable) * (variable.count if variable.form == "group" else 1)
        for slot in range(m.setting.bases[index], m.setting.bases[index] + width):
            m.values[slot] = _start_value(m, variable, slot)
        m.changed()
    for piece, slot in m.setting.piece_slot.items():
        m.setting.piece_home[piece] = m.values[slot]


def _start_value(m: Machine, variable: model.Variable, slot: int) -> Any:
    given = None if variable.start is None else evaluate(m, variable.start)
    if variable.form == "pile":
        return _filled(m, given or (), slot)
    if variable.form == "list":
        first = given if variable.start is not None else variable.low or 0
        state_changes.check_bounds(m, slot, first)
        return (first,) * (variable.last - variable.first + 1)
    if variable.form == "counter":
        value = given if given is not None else (variable.low or 0)
        state_changes.check_bounds(m, slot, value)
        return value
    if variable.form == "flag":
        return bool(given)
    return given


def _filled(m: Machine, printed: tuple[Any, ...], slot: int) -> tuple[int, ...]:
    """New copies of printed cards for a pile, as many of each as its `copies` say."""
    made: list[int] = []
    for thing in printed:
        _, member = m.setting.game.member(m.setting.row_of[thing])
        if len(m.setting.things) + member.copies > limits.THINGS:
            variable = m.setting.game.variables[m.setting.slot_variable[slot]]
            where = f"{variable.span.source}:{variable.span.line}"
            raise BadSetup(f"the game has more than {limits.THINGS} things with those of `{variable.name}` ({where})")
        made += [copy_of(m.setting, m.setting.row_of[thing]) for _ in range(member.copies)]
    m.lies += [slot] * len(made)
    return tuple(made)


# ---------------------------------------------------------------- going on


def decisions(state: State) -> tuple[Decision, ...]:
    """The questions that wait: none when the match is over, several when they are simultaneous."""
    if type(state) is not State:
        require_type("state", state, State, _STATE)
    if state.branches:
        return tuple([_asked(state, branch.pending)[1] for branch in state.branches if branch.pending is not None])
    return () if state.pending is None else (_asked(state, state.pending)[1],)


def _asked(state: State, question: Pending) -> Asked:
    """A question as it is asked; worked out once for a state."""
    questions = state.questions()
    kept = questions.get(question.seat)
    if kept is None or kept[0] is not question:
        by_chance = question.form == "chance"
        options, weights = chance.weights(state.setting, question) if by_chance else (question.options, ())
        kept = questions[question.seat] = question, _decision(state, question, options, weights), options
    return kept


def _decision(state: State, question: Pending, options: tuple[Any, ...], weights: tuple[int, ...]) -> Decision:
    return Decision(
        seat=question.seat,
        name=question.name,
        prompt=question.prompt,
        options=_offered(state, question, options),
        least=question.least,
        most=question.most,
        several=question.form == "several",
        secret=question.secret or bool(state.branches),
        weights=weights,
        clauses=question.clauses,
        rule=question.rule,
        source=question.stream,
        follow=_following(question),
        values=question.values,
    )


def _following(question: Pending) -> int:
    """How many answers of chance are still wanted after this one; those that are sure then are not asked for."""
    if question.form != "chance":
        return 0
    left = question.wanted - len(question.drawn)
    return max(0, left if question.replaced else min(left, len(question.options))) - 1


def _offered(state: State, question: Pending, options: tuple[Any, ...]) -> tuple[Value, ...]:
    if question.form == "way":
        return tuple(question.labels[option] for option in options)
    return options_outward(state, question.type, options)


def apply(state: State, action: Action) -> Step:
    """The next state and the events on the way; `IllegalAction` if the action is not offered.

    Errors: `Refused` for things chosen together that keep an `only if` further on from being met; `RuleError`.
    """
    if type(state) is not State or type(action) is not Action:
        require_type("state", state, State, _STATE)
        require_type("action", action, Action, "an Action(seat, answer)")
    if type(action.seat) is not int:
        action = seated(state, action)
    branch = _branch_of(state, action.seat) if state.branches else None
    question = branch.pending if branch else None if state.branches else state.pending
    if question is None or question.seat != action.seat:
        raise _not_asked(state, action)
    value = _chosen(state, question, action)
    m, place = resume(state), place_of(state)
    if place is not None:
        place = place.after(question, value)
        m.verdicts = place.verdicts()
    if state.setting.told:
        m.origin = recorded(state, partial(_answer, question=question, value=value))
    try:
        is_apart = _answer(m, question, value)
    except RuleError as fault:
        raise _told_so_far(m, fault) from None
    _heed_no_more(m)
    return _step(m, suspend_apart(m, state) if is_apart else suspend(m), place)


def _heed_no_more(m: Machine) -> None:
    """At a question or the end: what was not tried here has met its readings too."""
    if m.verdicts is not None:
        m.unclear |= m.verdicts.met()
        m.verdicts = None


def seated(state: State, action: Action) -> Action:
    """The action with its seat by number, however it is called; `IllegalAction` if there is no such seat."""
    if type(action.seat) is int:
        return action
    try:
        return Action(seat_number(state.setting, action.seat, state.setting.players), action.answer)
    except ValueError as fault:
        raise IllegalAction("no-such-seat", str(fault)) from None


def meant(state: State, action: Action) -> Action:
    """The action as the rules offer it, however seat and answer were called; errors as of `apply`, but `Refused`."""
    action = seated(state, action)
    branch = _branch_of(state, action.seat) if state.branches else None
    question = branch.pending if branch else state.pending
    if question is None or question.seat != action.seat:
        raise _not_asked(state, action)
    _, decision, options = _asked(state, question)
    chosen = _chosen(state, question, action)
    if question.form != "several":
        return Action(action.seat, decision.options[options.index(chosen)])
    return Action(action.seat, tuple(decision.options[options.index(one)] for one in chosen))


def _told_so_far(m: Machine, fault: RuleError) -> RuleError:
    """The fault with what happened before it."""
    fault.events = told_before(m.events)
    return fault


def refusal(state: State, action: Action) -> Refused | None:
    """Why things chosen together cannot be, where an `only if` further on could not be met; else None.

    Errors: as `apply`; `RuleError` if nothing could be chosen instead.
    """
    if (asked := _asked_for_set(state, action)) is None:
        return None
    m, question = asked
    try:
        decision_options.answer(m, m.frames[-1], question, _chosen(state, question, action))
    except Refused as fault:
        return fault
    return None


def leads_on(state: State, action: Action) -> bool:
    """Whether things chosen together are not refused; what could be chosen instead is not looked for, which is faster.

    Errors: as `apply`.
    """
    if (asked := _asked_for_set(state, action)) is None:
        return True
    m, question = asked
    return feasibility.leads_on(m, m.frames[-1], question, _chosen(state, question, action))


def _asked_for_set(state: State, action: Action) -> tuple[Machine, Pending] | None:
    """The question for several things that waits, and a machine that stands there, where an answer could be refused."""
    if not state.setting.has_only_if:
        return None
    branch = _branch_of(state, action.seat) if state.branches else None
    question = branch.pending if branch else state.pending
    if question is None or question.form != "several":
        return None
    return (thaw(state) if branch is None else fork_join.thawed(thaw(state), branch)), question


def _answer(m: Machine, question: Pending, value: Any) -> bool:
    """Go on with an answer to a question that waits; whether only one seat in a secret block went on."""
    branch = _branch_of(m, question.seat) if m.branches else None
    if branch:
        fork_join.answer_apart(m, branch, value)
        if m.branches:
            return True
    elif question.form == "chance":
        if question.pile is None:
            flow.answered(m, value)
        chance.answer(m, question, value)
    else:
        frame = m.frames[-1]
        m.locals = frame.locals
        flow.answered(m, value)
        decision_options.answer(m, frame, question, value)
    if m.landings:
        reactions.react(m)
    run(m)
    return False


def _branch_of(state: State | Machine, seat: int) -> Branch | None:
    for branch in state.branches:
        if branch.seat == seat:
            return branch
    return None


def _not_asked(state: State, action: Action) -> IllegalAction:
    if state.over:
        return IllegalAction("over", "the match is over")
    try:
        seat = CHANCE if action.seat == CHANCE else seat_number(state.setting, action.seat, state.setting.players)
    except ValueError as fault:
        return IllegalAction("no-such-seat", str(fault))
    who = "chance" if seat == CHANCE else state.setting.seats[seat]
    return IllegalAction("not-asked", f"{who} is not asked anything now")


def _chosen(state: State, question: Pending, action: Action) -> Any:
    """The inner value of an answer; `IllegalAction` with a reason if it is not among the options."""
    _, decision, options = _asked(state, question)
    offered, answer = decision.options, _answered(action.answer)
    if question.form != "several":
        at = _place(offered, answer)
        return _stood_for(state, question, answer) if at is None else options[at]
    if not isinstance(answer, tuple):
        raise IllegalAction("not-a-set", "several things are to be chosen: answer with a set of them")
    count = len(answer)
    if not question.least <= count <= question.most:
        span = f"{question.least}" if question.least == question.most else f"{question.least} to {question.most}"
        raise IllegalAction("wrong-number", f"{span} are to be chosen, not {count}")
    return _several(options, offered, answer, question)


def _answered(answer: object) -> Value:
    try:
        return value_of(answer)
    except TypeError as fault:
        raise IllegalAction("not-offered", str(fault)) from None


def _several(options: tuple[Any, ...], offered: tuple[Value, ...], answer: tuple[Value, ...], question: Pending) -> Any:
    left = list(range(len(options)))
    chosen: list[int] = []
    for item in answer:
        at = next((i for i in left if matches(offered[i], item)), None)
        if at is None:
            raise IllegalAction("not-offered", f"{notation(item)} is not among {offer(offered)}")
        left.remove(at)
        chosen.append(at)
    return tuple(options[i] for i in sorted(chosen))


def _place(offered: tuple[Value, ...], answer: Value) -> int | None:
    if isinstance(answer, Ref):
        try:
            return offered.index(answer)
        except ValueError:
            return None
    return next((index for index, value in enumerate(offered) if matches(value, answer)), None)


def _stood_for(state: State, question: Pending, answer: Value) -> Any:
    """The option that stands for a piece which nobody can tell from it; `IllegalAction` for what is not offered."""
    m, branch = thaw(state), _branch_of(state, question.seat)
    if question.form == "one":
        for piece, option in decision_options.stand_ins(fork_join.thawed(m, branch) if branch else m, question):
            if matches(state.setting.ref(piece), answer):
                return option
    _, decision, _ = _asked(state, question)
    if isinstance(answer, tuple) and answer:
        after = " then ".join(map(notation, answer))
        raise IllegalAction("not-offered", f"one at a time is asked for, {after}, and {notation(answer)} is several")
    raise IllegalAction("not-offered", f"{notation(answer)} is not among {offer(decision.options)}")


def matches(offered: Value, answer: Value) -> bool:
    """Whether an answer means an option: the same value, or its short text."""
    if offered == answer and type(offered) is type(answer):
        return True
    if isinstance(offered, Ref) and isinstance(answer, str | int) and not isinstance(answer, bool):
        return offered.key == str(answer)
    if isinstance(offered, tuple) and isinstance(answer, tuple):
        return _match_all(offered, answer)
    return isinstance(answer, str) and not isinstance(offered, str) and notation(offered) == answer


def _match_all(offered: tuple[Value, ...], answer: tuple[Value, ...]) -> bool:
    """Whether a set means an option that is a set: the same members in any order."""
    left = list(answer)
    for member in offered:
        at = next((i for i, item in enumerate(left) if matches(member, item)), None)
        if at is None:
            return False
        left.pop(at)
    return not left


def _step(m: Machine, state: State, place: Place | None) -> Step:
    if m.setting.checked:
        invariants.check(m)
    if place is not None:
        keep_place(state, place)
    if m.origin is not None and carries(state):
        keep_recording(state, m.origin)
    return telling(Step(state, ()), m.events)


# ---------------------------------------------------------------- the end


def outcome(state: State) -> Outcome | None:
    """Who stands where at the end; None while the match goes on."""
    require_type("state", state, State, _STATE)
    if not state.over:
        return None
    placed = {seat for place in state.ranks for seat in place} | set(state.defeated)
    rest = tuple(seat for seat in range(state.setting.players) if seat not in placed)
    ranking = (*state.ranks, rest) if rest else state.ranks
    winners = tuple(seat for seat in ranking[0] if seat not in state.defeated) if ranking else ()
    unclear = tuple(state.setting.game.options[index].name for index in sorted(state.unclear))
    scores = {score.seat: score.numbers for score in state.scores}
    ended = state.ended or Ended("", ())
    told = tuple([scores.get(seat) for seat in range(state.setting.players)])
    return Outcome(ranking, state.defeated, winners, unclear, told, ended.rule, ended.clauses, _reached(state))


def _reached(state: State) -> Reached | None:
    op = state.setting.game.together
    if op is None:
        return None
    value: Any = state.values[state.setting.slot(op.value.variable, None)]
    return Reached(value, op.low, op.high)
