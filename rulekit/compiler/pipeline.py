"""The compiler's pipeline: from a checked game to its plan, for given options and number of seats.

The storage is laid out, every action becomes a function (`code_function`), counting is put in if it
is wanted, and the passes simplify what was made.  Lowering that needs a costly feature starts again with it
(`layout.Restart`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from rulekit import limits
from rulekit.compiler.lower.builder import verdicts as noted
from rulekit.compiler.lower.builder.ir_builder import Lying, Program
from rulekit.compiler.lower.counting.aggregation import aggregation
from rulekit.compiler.lower.counting.counters import counters_of
from rulekit.compiler.lower.expressions import (
    bitsets,
    builtins,
    defines,
    membership,
    ordering,
    reductions,
    scalars,
    sequences,
    sets,
    shuffling,
)
from rulekit.compiler.lower.moves import connected_components, courses, grid, grid_builtins, grid_slides, piles, travel
from rulekit.compiler.lower.operations import (
    assignments,
    branches,
    calls,
    chance,
    decisions,
    histories,
    ranking,
    reactions,
    simultaneous_blocks,
    verification,
)
from rulekit.compiler.lower.operations.basic_blocks import code_function
from rulekit.compiler.lower.operations.dynamic_scope import step_words
from rulekit.compiler.lower.storage.layout import APART, DEEP, Restart, Storage, Unsupported, keep, lay_out
from rulekit.compiler.passes.dead_stores import without_dead_stores
from rulekit.compiler.passes.sure_conditions import with_sure_conditions
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import is_same, with_bodies
from rulekit.model import call_graph
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.traversal import parts
from rulekit.play import engine
from rulekit.play.state.value import Value
from rulekit.values import evolve

if TYPE_CHECKING:
    from rulekit.compiler.lower.driving.actions import Actions

MEANINGS = (
    *(bitsets, builtins, defines, membership, ordering, reductions, scalars, sequences, sets, shuffling),
    *(connected_components, courses, grid, grid_builtins, grid_slides, piles, travel),
    *(assignments, branches, calls, chance, decisions, histories, ranking, reactions, simultaneous_blocks),
)
"""The modules that say what expressions and operations become; importing them fills the tables."""


def lowered(
    game: model.Game,
    options: Mapping[str, Value] | None = None,
    seats: int | Sequence[str] | None = None,
    *,
    checked: bool = False,
    counting: bool = False,
    searching: bool = False,
    driving: Actions | None = None,
    verdicts: bool = False,
    paused: Callable[[], None] = lambda: None,
) -> tuple[p.Plan, Storage]:
    """The plan of a game, and where in it everything lies.

    checked:  an invariant that does not hold at a question or at the end is a fault.
    counting: this, and matches count what comes up in them, and sum it up, see `counters`.
    searching: the plan can be searched, see `ir.Search`; for that the values that rank the seats first are kept.
    driving:  many of its matches can be driven at once by numbers that mean this, see `ir.Drive`; without the others.
    verdicts: what comes of its tries is noted, see `builder.verdicts`; without the others.
    paused:   called now and then, so that whoever no longer wants the plan can raise `Interrupted`.
    Errors:  `Unsupported` for what a plan cannot say; `BadSetup` as of `engine.start`.
    """
    assert (driving is not None) + verdicts + (checked or counting or searching) <= 1
    if call_graph.most_defines(game) > limits.DEFINES:
        raise Unsupported(f"defines that ask for one another more than {limits.DEFINES} deep")
    needs = {DEEP} if call_graph.most_calls(game) > limits.CALLS else set[str]()
    while True:
        machine = engine.prepared(game, options or {}, seats, "0", checked=False)
        program = Program(lay_out(machine), paused=paused)
        program.tries = machine.setting.has_only_if or tries(game)
        program.guarded, program.checked = call_graph.guarded(game), (checked or counting) and not searching
        program.searching, program.driven, program.verdicts = searching, driving is not None, verdicts
        _lay_out_features(program, needs)
        keep(program.storage, machine)
        if counting:
            program.storage.counters = counters_of(program.storage, machine)
        try:
            return _plan(program, driving), program.storage
        except Restart as restart:
            if restart.need in needs:
                raise
            needs.add(restart.need)


def tries(game: model.Game) -> bool:
    """Return whether some expression tries an action."""
    bodies = tuple(code.ops for code in game.codes), tuple(define.value for define in game.defines)
    return any(isinstance(part, x.Possible) for part in parts(bodies))


def _lay_out_features(program: Program, needs: set[str]) -> None:
    """Words that only some plans have."""
    step_words(program)
    if DEEP in needs:
        program.storage.deep = program.storage.word("skip depth", 1)
    if APART in needs:
        program.storage.apart_for = program.storage.word("skip apart", p.NONE)
    if program.searching:
        program.storage.leads = len(program.storage.words)
        for name in program.setting.seats:
            program.storage.word(f"lead of {name}", p.NONE)


def _plan(program: Program, driving: Actions | None) -> p.Plan:
    storage, setting, counters = program.storage, program.setting, program.counters
    main = code_function(program, setting.game.main, ())
    result = code_function(program, setting.game.result, ())
    after = program.function("gathered", partial(aggregation, program, counters)) if counters is not None else ""
    search = None if storage.leads is None else _searched(program)
    drive = None if driving is None else _driven(program, driving)
    storage.notes_lies = program.reads_lies
    return p.Plan(
        title=setting.game.title,
        words=tuple(storage.words),
        lists=tuple(storage.lists),
        rooms=tuple(storage.rooms),
        tables=tuple(program.tables),
        rows=tuple(program.rows),
        streams=tuple(storage.streams),
        first_draw=storage.first_draw,
        functions=_simpler(program),
        main=main,
        result=result,
        seats=setting.players,
        names=setting.seats,
        asks=tuple(program.asks),
        faults=tuple(program.faults),
        word_names=tuple(storage.word_names),
        list_names=tuple(storage.list_names),
        kept=len(storage.words) - storage.kept,
        sums=() if counters is None else tuple(counters.sheet.cells()),
        after=after,
        cells=_cells(program, search, drive),
        search=search,
        drive=drive,
        spares=verification.SPARED if verification.verifies(program) else None,
    )


def _searched(program: Program) -> p.Search:
    # Few plans are searched or driven, and commands that make others start sooner without.
    from rulekit.compiler.lower.search.functions import search_functions

    return search_functions(program)


def _driven(program: Program, actions: Actions) -> p.Drive:
    from rulekit.compiler.lower.driving.functions import drive_functions

    return drive_functions(program, actions)


def _cells(program: Program, search: p.Search | None, drive: p.Drive | None) -> int:
    if drive is not None:
        return drive.seen + drive.width
    if program.verdicts:
        return noted.CELLS
    if search is not None:
        from rulekit.compiler.lower.search.nodes import shape

        return shape(program).end
    return verification.CELLS if verification.verifies(program) else 0


def _simpler(program: Program) -> tuple[p.Function, ...]:
    """The passes over the whole plan: dead stores go, and conditions that surely hold are told."""
    made = [one for one in program.functions.values() if one is not None]
    located = tuple(evolve(one, body=_with_locations(one.body, program.reads_lies)) for one in made)
    return with_sure_conditions(located, program.storage.kept)


def _with_locations(body: p.Body, wanted: bool) -> p.Body:
    """A `Lying` (in which list a copy lies) becomes a store if wanted; else it goes, with all that it alone reads."""
    made = _located(body, wanted)
    return made if wanted or is_same(made, body) else without_dead_stores(made)


def _located(body: p.Body, wanted: bool) -> p.Body:
    made: list[p.Statement] = []
    for statement in body:
        if isinstance(statement, Lying):
            made += [p.Store(statement.at, statement.value)] if wanted else []
        else:
            made.append(with_bodies(statement, lambda inside: _located(inside, wanted)))
    return tuple(made)
