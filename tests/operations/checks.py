"""What tools and engines say of a small game, compared with what happens in it.

Each check has an oracle of its own: matches of the interpreter followed step
by step, the compiled engine, or two histories that differ in one secret.
"""

from __future__ import annotations

from collections import Counter

from attrs import define, field

from rulekit import Action, Decision, RuleError, Value, apply, decisions, seen, start, view
from rulekit.bots.players.random_bot import RandomBot
from rulekit.compiler.plan.ir import Status
from rulekit.loading import examine_text
from rulekit.model import ops
from rulekit.model.call_graph import Place
from rulekit.model.game import Game
from rulekit.play.state.event import Event
from rulekit.source import Source
from rulekit.tools.coverage.clause_coverage import Agreed, Coverage
from rulekit.tools.estimation.aggregates import Tally
from rulekit.tools.explain.execution_trace import Caused, Ran, Tracer
from rulekit.tools.series import simulation
from rulekit.tools.series.simulation import Series
from tests.operations.samples import LISTENERS, Sample, apart_text, parsed, reaction
from tests.secrecy.received import plain

SEED = "samples"
MATCHES = 6


@define
class Followed:
    """What happened in matches of the interpreter.

    runs:   by match, the operations that ran.
    asked:  by name, how often a question was answered.
    faults: matches that ended with an error of the rules.
    """

    runs: list[set[Place]] = field(factory=list)
    asked: Counter[str] = field(factory=Counter)
    faults: int = 0


def followed(game: Game) -> Followed:
    """Random matches, the same as those of a series, traced operation by operation."""
    found = Followed()
    tracer = Tracer(game)
    for number in range(MATCHES):
        came: set[Place] = set()
        reader = tracer.reader()
        step = start(tracer.traced, seats=2, seed=f"{SEED}#{number}")
        bots = [RandomBot(f"{SEED}#{number}", name) for name in step.state.setting.seats]
        turns = [0] * len(bots)
        try:
            while True:
                ran = [one for one in reader.told(step.events, step.state.setting) if isinstance(one, Ran)]
                came |= {(one.code, one.pc) for one in ran}
                waiting = decisions(step.state)
                if not waiting:
                    break
                seat = waiting[0].seat
                found.asked[waiting[0].name] += 1
                step = apply(step.state, Action(seat, bots[seat].answer(waiting[0], turns[seat])))
                turns[seat] += 1
        except RuleError:
            found.faults += 1
        found.runs.append(came)
    return found


def matches_with(truth: Followed, places: tuple[Place, ...]) -> int:
    """In how many matches one of these operations ran."""
    return sum(bool(ran & set(places)) for ran in truth.runs)


def told_by_coverage(game: Game) -> Coverage:
    made = Coverage(game)
    for _ in made.play(Agreed(2, {}), MATCHES, SEED):
        pass
    return made


def series(game: Game, engine: str) -> tuple[Series, list[tuple[int, ...]], list[int]]:
    """Matches in one engine: the series, each with its status and all values at its end, and all sums.

    Of a match that does not come to its end only that is compared.  Which of two cards that are alike lies
    where, and which steps are to be skipped, engines may keep differently.
    """
    one = simulation.series(game, {}, 2, SEED, engine)
    names = one.counters.storage.word_names
    own = [word for word in range(one.counters.entries) if names[word].startswith("skip ") or "lies in" in names[word]]
    words = [word for word in range(one.counters.entries) if word not in own]
    rows = one.rows(0, MATCHES, tuple(words))
    return one, [row if row[0] == Status.DONE else () for row in rows], one.sums()


def told_by_tables(one: Series, rows: list[tuple[int, ...]], sums: list[int]) -> dict[str, int]:
    """How often each question was asked, as `simulate` counts it."""
    tally = Tally(one.counters.sheet)
    tally.add(0, [row[:2] for row in rows], sums)
    found: Counter[str] = Counter()
    for asked in tally.questions():
        found[asked.question.name] += asked.times
    return dict(found)


# ---------------------------------------------------------------- why it happened


def misplaced(game: Game) -> list[str]:
    """Events whose nearest cause, as the trace tells it, is not the line that the interpreter was at."""
    wrong: list[str] = []
    tracer = Tracer(game)
    reader = tracer.reader()
    step = start(tracer.traced, seats=2, seed=f"{SEED}#0")
    while True:
        for one in reader.told(step.events, step.state.setting):
            if isinstance(one, Caused) and one.event.span.line and _line(one) != one.event.span.line:
                wrong.append(f"{one.event.name} of line {one.event.span.line} told of line {_line(one)}")
        waiting = decisions(step.state)
        if not waiting:
            return wrong
        step = apply(step.state, Action(waiting[0].seat, _last(waiting[0])))


def _line(caused: Caused) -> int:
    return caused.causes[0].span.line if caused.causes else 0


# ---------------------------------------------------------------- what follows from a secret


def received(game: Game, secret: int) -> list[object]:
    """All that the second seat receives if the first has chosen this in secret and everybody else the last answer."""
    step = start(game, seats=2, seed="3")
    found: list[object] = []
    while True:
        found.append([_heard(step.events), plain(view(step.state, 1))])
        waiting = decisions(step.state)
        if not waiting:
            return found
        step = apply(step.state, _action(waiting[0], secret))


def _heard(events: tuple[Event, ...]) -> list[object]:
    return [plain(event) for event in (seen(event, 1) for event in events) if event is not None]


def objected(game: Game, secret: int) -> bool:
    """Whether the same match, watched, stops because something shows a secret."""
    step = start(game, seats=2, seed="3", checked=True)
    try:
        while waiting := decisions(step.state):
            step = apply(step.state, _action(waiting[0], secret))
    except RuleError as fault:
        if fault.code != "secret-shown":
            raise
        return True
    return False


def fault_of(game: Game) -> str:
    """The code of the error with which a match of last answers stops; "" if it comes to its end."""
    step = start(game, seats=2, seed="1")
    try:
        while waiting := decisions(step.state):
            step = apply(step.state, Action(waiting[0].seat, _last(waiting[0])))
    except RuleError as fault:
        return fault.code
    return ""


def _action(decision: Decision, secret: int) -> Action:
    if decision.seat == 0 and decision.name == "mine":
        return Action(0, secret)
    return Action(decision.seat, _last(decision))


def _last(decision: Decision) -> Value:
    """The last answer: also where a secret of who answers leaves out some, it stays the same."""
    return decision.options[: decision.least] if decision.several else decision.options[-1]


# ---------------------------------------------------------------- compared


def check_told(game: Game) -> None:
    """Coverage, tables, explanations and both engines say what happens."""
    truth, made = followed(game), told_by_coverage(game)
    one, rows, sums = series(game, "wasm")
    assert (rows, sums) == series(game, "interpreter")[1:]
    if truth.faults:
        return
    told = {line.name: line.games for line in made.lines() if line.kind == "clause" and line.games is not None}
    assert {name: matches_with(truth, made.ties.places[name]) for name in told} == told
    assert {name: count for name, count in told_by_tables(one, rows, sums).items() if count} == truth.asked
    assert not misplaced(game)


def check_reasons(sample: Sample) -> None:
    """What would react is never said to be called by nobody."""
    for piece, word in LISTENERS:
        reacts = reaction(piece, word, "goes on")
        game = sample.game("n", reacts)
        if matches_with(followed(game), Coverage(game).ties.places["C-3"]):
            never = told_by_coverage(sample.game("n", reacts, guard="n is 5"))
            told = {line.name: str(line.why) for line in never.lines()}
            assert "nothing calls" not in told["C-3"], (piece, word)


def check_secret(sample: Sample) -> None:
    """A watched match stops where what another seat receives differs with the secret, and only there."""
    game = sample.game("(first players).plan")
    leaks = received(game, 1) != received(game, 2)
    stopped = any(objected(game, secret) for secret in (1, 2))
    if getattr(ops, sample.op).effects.declassifies:
        assert leaks, "it is there to tell it"
        assert not stopped
        assert not warned(sample.text("(first players).plan"))
        return
    assert leaks == (bool(sample.unfollowed) or stopped)
    assert not (stopped and sample.unfollowed), "it is followed now: take the reason away"
    assert not stopped or warned(sample.text("(first players).plan")), "`check` says nothing of it"


def warned(text: str) -> bool:
    """Whether `check` says of a game that something shows a secret."""
    codes = {finding.code for finding in examine_text(Source("sample.rules", text)).findings}
    return bool(codes & {"secret-shown", "secret-branch"})


def check_apart(sample: Sample) -> None:
    """Done by all at the same time, it comes to the same in both engines."""
    game = parsed(apart_text(sample))
    assert series(game, "wasm")[1:] == series(game, "interpreter")[1:]
    truth = followed(game)
    assert not truth.faults
    began = {line.span: line.games for line in told_by_coverage(game).lines() if line.kind in ("rule", "card")}
    codes = {index: code.span for index, code in enumerate(game.codes) if code.span in began}
    assert {span: _matches_in(truth, index) for index, span in codes.items()} == began


def _matches_in(truth: Followed, code: int) -> int:
    """In how many matches any operation of a code ran."""
    return sum(any(place[0] == code for place in ran) for ran in truth.runs)


def check_engines(text: str) -> None:
    """Both engines play it alike."""
    game = parsed(text)
    assert series(game, "wasm")[1:] == series(game, "interpreter")[1:]


def check_forbidden(sample: Sample) -> None:
    """It is found before the game is played or, where it depends on what is moved, at the latest then."""
    loaded = examine_text(Source("sample.rules", apart_text(sample)))
    if "secret" in {finding.code for finding in loaded.findings}:
        return
    assert loaded.game is not None, loaded.findings
    assert fault_of(loaded.game) in ("secret-write", "trial")
    assert series(loaded.game, "wasm")[1] == series(loaded.game, "interpreter")[1]
