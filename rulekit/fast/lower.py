"""From a checked game to its plan, for given options and number of seats.

Every action becomes a function.  Its operations are written block by block
and put back into nested control by `graph`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from attrs import evolve

from rulekit.fast import aside, asking, changes, few_numbers, grid, grid_slides, grid_words, travel, turned, words
from rulekit.fast import plan as p
from rulekit.fast.apart import shared
from rulekit.fast.counters import counters_of
from rulekit.fast.counting import counted, entered
from rulekit.fast.gathering import gathered
from rulekit.fast.graph import Way, structured, tidy
from rulekit.fast.inlining import inlined
from rulekit.fast.layout import ComesBack, Storage, Unsupported, lay_out
from rulekit.fast.loops import Cursor, looped, noted_lies, with_own_elements, without_unread
from rulekit.fast.maker import ONE, OPS, ZERO, Maker, Program, binary, same
from rulekit.fast.notes import without_known_notes
from rulekit.fast.reacting import deeper, react, reacting_codes, settled
from rulekit.fast.sets import FEW, as_numbers, decide_order, element_maybe, element_reach, most, shape
from rulekit.fast.unrolled import unrolled
from rulekit.fast.values import may_be_nothing, reach, something
from rulekit.model import game as model
from rulekit.model import ops
from rulekit.play import engine
from rulekit.play.value import Value

MEANINGS = (asking, changes, few_numbers, grid, grid_slides, grid_words, travel, turned, words)
"""The modules that fill the tables."""


def planned(game: model.Game, options: Mapping[str, Value] | None = None, seats: int | None = None) -> p.Plan:
    """The plan of a game; errors as of `lowered`."""
    return lowered(game, options, seats)[0]


def lowered(
    game: model.Game,
    options: Mapping[str, Value] | None = None,
    seats: int | None = None,
    *,
    checked: bool = False,
    counting: bool = False,
    leading: bool = False,
) -> tuple[p.Plan, Storage]:
    """The plan of a game, and where in it everything lies.

    checked:  an invariant that does not hold at a question or at the end is a fault.
    counting: matches count what comes up in them, and sum it up, see `counters`.
    leading:  the values that rank the seats first are kept, see `Storage.leads`.
    Errors:  `Unsupported` for what a plan cannot say; `BadSetup` as of `engine.start`.
    """
    wanted = {"checked": checked, "counting": counting, "leading": leading}
    try:
        return _lowered(game, options, seats, deep=False, **wanted)
    except ComesBack:
        return _lowered(game, options, seats, deep=True, **wanted)


def _lowered(
    game: model.Game,
    options: Mapping[str, Value] | None,
    seats: int | None,
    *,
    checked: bool,
    counting: bool,
    leading: bool,
    deep: bool,
) -> tuple[p.Plan, Storage]:
    """deep:  it is counted how many rules are running, one in another."""
    machine = engine.prepared(game, options or {}, seats, "0", checked=False)
    program = Program(lay_out(machine))
    program.guarded, program.checked = _guarded(game), checked
    _step_words(program)
    if deep:
        program.storage.deep = program.storage.word("skip depth", 1)
    if leading:
        program.storage.leads = len(program.storage.words)
        for name in program.setting.seats:
            program.storage.word(f"lead of {name}", p.NONE)
    if counting:
        program.storage.counters = counters_of(program.storage)
    main = code_function(program, game.main, "")
    result = code_function(program, game.result, "")
    return _plan(program, main, result), program.storage


def _step_words(program: Program) -> None:
    """A word for every step that some rule may skip."""
    codes = program.setting.game.codes
    skipped = {op.step for code in codes for op in code.ops if isinstance(op, ops.Skip)}
    for number, code in enumerate(codes):
        for step in sorted(code.steps & skipped):
            program.steps[number, step] = program.storage.word(f"skip {step}", 0)


def _plan(program: Program, main: str, result: str) -> p.Plan:
    storage, setting = program.storage, program.setting
    counters = program.counters
    after = program.function("gathered", partial(gathered, program, counters)) if counters is not None else ""
    functions = counted(program, tuple(one for one in program.functions.values() if one is not None))
    storage.notes_lies = program.reads_lies
    functions = _simpler(program, functions, tuple(name for name in (main, result, after) if name))
    return p.Plan(
        title=setting.game.title,
        words=tuple(storage.words),
        lists=tuple(storage.lists),
        rooms=tuple(storage.rooms),
        tables=tuple(program.tables),
        rows=tuple(program.rows),
        streams=tuple(storage.streams),
        first_draw=storage.first_draw,
        functions=functions,
        main=main,
        result=result,
        seats=setting.players,
        names=setting.seats,
        asks=tuple(program.asks),
        faults=tuple(program.faults),
        word_names=tuple(storage.word_names),
        list_names=tuple(storage.list_names),
        kept=len(storage.unclear),
        sums=() if program.counters is None else tuple(program.counters.sheet.cells()),
        after=after,
    )


def _simpler(program: Program, made: tuple[p.Function, ...], starts: tuple[str, ...]) -> tuple[p.Function, ...]:
    """The functions as they are run: what need not be done is left out, what is done in one place stands there."""
    plain = [evolve(function, body=noted_lies(function.body, program.reads_lies)) for function in made]
    whole = without_known_notes(inlined(plain, starts), starts, len(program.storage.unclear))
    tables = tuple(program.tables)
    return tuple(evolve(function, body=unrolled(tables, function.body)) for function in whole)


# ---------------------------------------------------------------- who calls whom


def _callees(game: model.Game, code: ops.Code) -> set[int]:
    """Codes that a code may run: called, performed, reacting or tried."""
    found: set[int] = set()
    for op in code.ops:
        if isinstance(op, ops.Call):
            found.add(op.code)
        elif isinstance(op, ops.Perform):
            found |= member_codes(game)
        elif isinstance(op, ops.MovePiece | ops.Travel | ops.GoHome | ops.Swap):
            found |= reacting_codes(game)
    return found


def member_codes(game: model.Game) -> set[int]:
    return {member.code for kind in game.kinds.values() for member in kind.members if member.code is not None}


def reachable(game: model.Game, codes: Iterable[int]) -> set[int]:
    """These codes and all that they may run."""
    waiting, found = list(codes), set[int]()
    while waiting:
        code = waiting.pop()
        if code not in found:
            found.add(code)
            waiting += _callees(game, game.codes[code])
    return found


def _guarded(game: model.Game) -> frozenset[int]:
    """Codes in which a question may have an `only if` ahead of it, in them or around them."""
    return frozenset(reachable(game, [number for number, code in enumerate(game.codes) if code.has_only_if]))


# ---------------------------------------------------------------- codes


def code_function(program: Program, code: int, sorts: str, *, secret: bool = False) -> str:
    """The function of a code for parameters of these sorts, a letter each.

    n: one thing, m: a set; o and l: likewise, but it may be nothing or hold nothing; f: a set of few; p: a printed
    member or a piece; k: the printed member whose code it is, which is not passed.
    secret:  called inside `secretly each`, where also what has one answer is asked.
    """
    name = "_".join(["code", str(code), *([sorts] if sorts else []), *(["apart"] if secret else [])])
    return program.function(name, lambda: _code_function(program, code, name, sorts, secret))


def _code_function(program: Program, number: int, name: str, sorts: str, secret: bool) -> p.Function:
    code = program.setting.game.codes[number]
    m = Maker(program, name, code=number, rule=code.name, secret=secret)
    params = tuple((f"v{index}", "list" if sort in "lmf" else "int") for index, sort in enumerate(sorts) if sort != "k")
    for index, sort in enumerate(sorts):
        _parameter(m, index, sort)
    written = tidy(looped(structured(lambda start: _block(m, code, start))))
    body = without_unread(with_own_elements(written, m.types))
    stops = any(isinstance(op, ops.StopCode) and op.code == number for c in program.setting.game.codes for op in c.ops)
    known = {one for one, _ in params}
    return p.Function(
        name,
        params,
        tuple((local, kind) for local, kind in m.types.items() if local not in known),
        (*_begun(program, number, sorts), *body),
        catches=(p.Status.STOP + number,) if stops else (),
        bounds=code.has_only_if,
        origin=code.name,
    )


def _begun(program: Program, number: int, sorts: str) -> list[p.Statement]:
    """What every code begins with: it is counted, none of its steps is to be skipped, the result runs alone."""
    deep = program.storage.deep
    alone = deep is not None and number == program.setting.game.result
    return [
        *entered(program, number, bool(sorts) and sorts[0] in "nop"),
        *([p.Store(p.Const(deep), ONE)] if deep is not None and alone else []),
        *_fresh_steps(program, number),
    ]


def _parameter(m: Maker, index: int, sort: str) -> None:
    """What is known of a parameter by its sort."""
    m.locals[index], m.shapes[index] = p.Get(f"v{index}"), int(sort in "lmf")
    m.lasting.add(f"v{index}")
    if sort in "nmfpk":
        m.sure.add(index)
    if sort == "p":
        m.reaches[index] = 0, m.setting.copy_base - 1
    if sort == "f":
        m.mosts[index] = FEW
    if sort == "k":
        thing = next(thing for thing, code in _members(m.setting.game) if code == m.code)
        m.locals[index], m.reaches[index] = p.Const(thing), (thing, thing)


def _members(game: model.Game) -> list[tuple[int, int]]:
    """The printed members that have a code, with it."""
    return [
        (kind.base + place, member.code)
        for kind in game.kinds.values()
        for place, member in enumerate(kind.members)
        if member.code is not None
    ]


def _fresh_steps(program: Program, code: int) -> list[p.Statement]:
    """No step is to be skipped when its action begins."""
    return [p.Store(p.Const(word), ZERO) for (owner, _), word in sorted(program.steps.items()) if owner == code]


def _targets(op: ops.Op) -> tuple[int, ...]:
    if isinstance(op, ops.Jump | ops.Unless):
        return (op.to,)
    if isinstance(op, ops.EachNext):
        return (op.exit,)
    if isinstance(op, ops.EnterStep | ops.SecretStart):
        return (op.end,)
    if isinstance(op, ops.AskWay):
        return tuple(start for _, _, start in op.ways)
    return ()


def _starts(code: ops.Code) -> set[int]:
    """Where blocks begin: at what is jumped to."""
    found = {target for op in code.ops for target in _targets(op)}
    for place, op in enumerate(code.ops):
        if isinstance(op, ops.SecretStart):
            found |= {place, place + 1, op.end}
    return found


def _block(m: Maker, code: ops.Code, start: int) -> tuple[list[p.Statement], Way | None]:
    """The statements of a block and where it goes.  A loop over seats apart is entered at a place of its own."""
    m.body, m.noted = [], set()
    m.lying.clear()
    starts = _starts(code)
    if start >= _LAST:
        aside.put_back(m, start - _LAST)
        return m.body, Way((), (_targets(code.ops[start - _LAST])[0],))
    if start >= _FIRST:
        return m.body, _first_apart(m, code, start - _FIRST)
    if start >= _NEXT:
        return m.body, _next_apart(m, code, start - _NEXT)
    place = start
    while True:
        op = code.ops[place]
        m.op, m.place = op, place
        m.apart = m.secret or _apart(code, place) is not None
        ending = _WAYS.get(type(op))
        if ending is not None:
            return m.body, ending(m, code, place, op)
        _before(m, code, place, op)
        made = OPS.get(type(op))
        if made is None:
            raise Unsupported(type(op).__name__)
        made(m, op)
        _after(m, code, op)
        if not isinstance(op, ops.Ask | ops.Let | ops.Reveal | ops.Announce):
            m.lying.clear()
        place += 1
        if place in starts:
            return m.body, Way((), (place,))


def _before(m: Maker, code: ops.Code, place: int, op: ops.Op) -> None:
    """A bounding function says whether a condition still lies ahead wherever somebody may be asked."""
    if code.has_only_if and isinstance(op, ops.Ask | ops.AskWay | ops.Call | ops.Perform):
        ahead = any(isinstance(later, ops.OnlyIf) for later in code.ops[place:])
        m.emit(p.Live(int(ahead)))


def _after(m: Maker, code: ops.Code, op: ops.Op) -> None:
    react(m, op)
    if isinstance(op, ops.Ask | ops.Call | ops.Perform) and _notes_order(m, code, m.place):
        m.emit(p.Set(_asked(code, m.place), ONE))


# ---------------------------------------------------------------- operations that end a block


def _return(m: Maker, code: ops.Code, place: int, op: ops.Return) -> None:
    if m.code == m.setting.game.result:
        asking.check(m)
    m.emit(p.Return())


def _stop(m: Maker, code: ops.Code, place: int, op: ops.StopCode) -> None:
    m.emit(p.Unwind(p.Const(p.Status.STOP + op.code)))


def _end_game(m: Maker, code: ops.Code, place: int, op: ops.EndGame) -> None:
    ending = p.Const(m.storage.ending)
    m.fault(p.Word(ending), "end-game")
    m.emit(p.Store(ending, ONE), p.Unwind(p.Const(p.Status.END)))


def _jump(m: Maker, code: ops.Code, place: int, op: ops.Jump) -> Way:
    if op.to <= place and not isinstance(code.ops[op.to], ops.EachNext):
        m.emit(p.Tick())
    return Way((), (op.to,))


def _unless(m: Maker, code: ops.Code, place: int, op: ops.Unless) -> Way:
    test = m.value(op.test)
    if isinstance(test, p.Const):
        return Way((), (place + 1 if test.value else op.to,))
    return Way((test,), (place + 1, op.to))


def _each_next(m: Maker, code: ops.Code, place: int, op: ops.EachNext) -> Way:
    element, position, there = f"v{op.element}", f"v{op.position}", m.temp()
    m.types[position] = m.types[element] = "int"
    m.emit(Cursor(there, element, position, *m.cursors[op.items]))
    m.locals[op.element] = p.Get(element)
    return Way((p.Get(there),), (place + 1, op.exit))


def _enter_step(m: Maker, code: ops.Code, place: int, op: ops.EnterStep) -> Way:
    at = m.program.steps.get((m.code, op.step))
    if at is None:
        return Way((), (place + 1,))
    skipped = m.temp()
    m.emit(p.Set(skipped, p.Word(p.Const(at))), p.Store(p.Const(at), ZERO))
    return Way((p.Get(skipped),), (op.end, place + 1))


def _ask_way(m: Maker, code: ops.Code, place: int, op: ops.AskWay) -> Way:
    _before(m, code, place, op)
    chosen = asking.ask_way(m, op)
    if _notes_order(m, code, place):
        m.emit(p.Set(_asked(code, place), ONE))
    tests = tuple(same(chosen, p.Const(number)) for number in range(len(op.ways) - 1))
    return Way(tests, tuple(start for _, _, start in op.ways))


# ---------------------------------------------------------------- apart from each other


_NEXT, _FIRST, _LAST = 1_000_000, 2_000_000, 3_000_000
"""Where a `secretly each` at place n looks for its next seat, begins its block and ends, each so far behind n."""


def _apart(code: ops.Code, place: int) -> int | None:
    """The `secretly each` inside which an operation stands."""
    for start, op in enumerate(code.ops):
        if isinstance(op, ops.SecretStart) and start < place < op.end:
            return start
    return None


def _notes_order(m: Maker, code: ops.Code, place: int) -> bool:
    return m.storage.order_matters and _apart(code, place) is not None


def _asked(code: ops.Code, place: int) -> str:
    return f"asked{_apart(code, place)}"


def _secret_start(m: Maker, code: ops.Code, place: int, op: ops.SecretStart) -> Way:
    """One seat after the other: nobody's block finds what another's has changed, or the plan is refused."""
    m.aside[place] = shared(m, code.ops[place + 1 : op.end], op.local)
    aside.begin(m, place)
    bounds = as_numbers(m, op.over)
    if bounds is None:
        m.cursors[-1 - place] = (ZERO, m.held(op.over), ZERO)
    else:
        m.cursors[-1 - place] = (bounds[0], None, bounds[1])
    m.emit(p.Set(f"turn{place}", m.cursors[-1 - place][0]))
    m.types[f"turn{place}"] = m.types[f"v{op.local}"] = "int"
    for step, word in _own_steps(m):
        m.types[step] = "int"
        m.emit(p.Set(step, p.Word(p.Const(word))))
    m.reaches[op.local] = 0, m.setting.players - 1
    m.sure.add(op.local)
    return Way((), (place + _NEXT,))


def _own_steps(m: Maker) -> list[tuple[str, int]]:
    """Each seat skips steps for itself: the words of this code's steps, and where they are kept meanwhile."""
    return [(f"step{word}", word) for (code, _), word in sorted(m.program.steps.items()) if code == m.code]


def _next_apart(m: Maker, code: ops.Code, place: int) -> Way:
    op, there = code.ops[place], m.temp()
    assert isinstance(op, ops.SecretStart)
    m.emit(*(p.Store(p.Const(word), p.Get(step)) for step, word in _own_steps(m)))
    m.emit(Cursor(there, f"v{op.local}", f"turn{place}", *m.cursors[-1 - place]))
    m.locals[op.local], m.shapes[op.local] = p.Get(f"v{op.local}"), 0
    return Way((p.Get(there),), (_FIRST + place, _LAST + place))


def _first_apart(m: Maker, code: ops.Code, place: int) -> Way:
    if m.storage.order_matters:
        m.types[f"asked{place}"] = "int"
        m.emit(p.Set(f"asked{place}", ZERO))
    op = code.ops[place]
    assert isinstance(op, ops.SecretStart)
    aside.keep(m, place, p.Get(f"v{op.local}"))
    return Way((), (place + 1,))


def _secret_end(m: Maker, code: ops.Code, place: int, op: ops.SecretEnd) -> Way:
    start = _apart(code, place)
    assert start is not None
    begin = code.ops[start]
    assert isinstance(begin, ops.SecretStart)
    if m.storage.order_matters:
        last = p.Store(p.Const(m.storage.last_answer), p.Get(f"v{begin.local}"))
        m.emit(p.If(p.Get(_asked(code, place)), (last,)))
    aside.put_aside(m, start, p.Get(f"v{begin.local}"))
    return Way((), (start + _NEXT,))


_WAYS: dict[type, Any] = {
    ops.Return: _return,
    ops.StopCode: _stop,
    ops.EndGame: _end_game,
    ops.Jump: _jump,
    ops.Unless: _unless,
    ops.EachNext: _each_next,
    ops.EnterStep: _enter_step,
    ops.AskWay: _ask_way,
    ops.SecretStart: _secret_start,
    ops.SecretEnd: _secret_end,
}

# ---------------------------------------------------------------- operations that go on


def _let(m: Maker, op: ops.Let) -> None:
    shaped = shape(m, op.value)
    (m.cells.add if grid_words.are_cells(m, op.value) else m.cells.discard)(op.local)
    if shaped:
        m.mosts[op.local] = most(m, op.value)
        changes.bind_list(m, op.local, *m.made(op.value), shaped)
        known, sure = element_reach(m, op.value), not element_maybe(m, op.value)
    else:
        changes.bind(m, op.local, m.value(op.value), 0)
        known, sure = reach(m, op.value), not may_be_nothing(m, op.value)
    m.reaches[op.local] = known
    (m.sure.add if sure else m.sure.discard)(op.local)


def _each_start(m: Maker, op: ops.EachStart) -> None:
    """Work counts once a loop, since a set is short, and not at all where it is very short."""
    decide_order(m, op.over, whole=True)
    position = f"v{op.position}"
    m.types[position] = "int"
    bounds = as_numbers(m, op.over)
    if bounds is not None:
        m.cursors[op.items] = (bounds[0], None, bounds[1])
        m.emit(p.Set(position, bounds[0]))
    else:
        m.cursors[op.items] = (ZERO, m.held(op.over), ZERO)
        m.emit(p.Set(position, ZERO))
    if most(m, op.over) > FEW:
        m.emit(p.Tick())
    after = m.setting.game.codes[m.code].ops[m.place + 1]
    assert isinstance(after, ops.EachNext)
    m.shapes[after.element] = shape(m, op.over) - 1
    (m.cells.add if grid_words.are_cells(m, op.over) else m.cells.discard)(after.element)
    m.reaches[after.element] = element_reach(m, op.over)
    (m.sure.discard if element_maybe(m, op.over) else m.sure.add)(after.element)


def _call(m: Maker, op: ops.Call) -> None:
    sorts, args = words.arguments(m, op.args)
    deep = deeper(m)
    m.emit(p.Do(None, code_function(m.program, op.code, sorts, secret=m.apart), args))
    settled(m, deep)


def _perform(m: Maker, op: ops.Perform) -> None:
    thing = m.atom(something(m, op.thing, m.value(op.thing)))
    owner = m.atom(m.value(op.owner))
    known = reach(m, op.thing)
    printed = 0 <= known[0] <= known[1] < m.setting.copy_base and not may_be_nothing(m, op.thing)
    sorts = ("o" if may_be_nothing(m, op.owner) else "n") + ("k" if printed else "n")
    row = m.atom(m.program.entry(tuple(m.setting.row_of), thing, known))
    deep = deeper(m)
    _one_of(m, sorted(_members(m.setting.game)), row, sorts, (owner,) if printed else (owner, thing))
    settled(m, deep)


def _one_of(m: Maker, cases: list[tuple[int, int]], row: p.Expr, sorts: str, args: tuple[p.Expr, ...]) -> None:
    """Of many the half in which the number lies is looked for first."""
    if not cases:
        return
    if len(cases) > 2:
        middle = len(cases) // 2
        below = binary("<", row, p.Const(cases[middle][0]))
        lower, upper = cases[:middle], cases[middle:]
        m.when(below, lambda: _one_of(m, lower, row, sorts, args), lambda: _one_of(m, upper, row, sorts, args))
        return
    id_, code = cases[0]
    run = p.Do(None, code_function(m.program, code, sorts, secret=m.apart), args)
    m.when(same(row, p.Const(id_)), lambda: m.emit(run), lambda: _one_of(m, cases[1:], row, sorts, args))


def _skip(m: Maker, op: ops.Skip) -> None:
    at = m.program.steps.get((m.code, op.step))
    if at is None:
        game = m.setting.game
        named = [(code, word) for (code, step), word in m.program.steps.items() if step == op.step]
        holders = [word for code, word in named if m.code in reachable(game, [code])]
        if len(holders) != 1:
            raise Unsupported("a step of this name in several actions")
        at = holders[0]
    m.emit(p.Store(p.Const(at), ONE))


OPS.update({ops.Let: _let, ops.EachStart: _each_start, ops.Call: _call, ops.Perform: _perform, ops.Skip: _skip})
