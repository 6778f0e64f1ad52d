"""The IR validator, and with it the written specification of plans: `faults` says what is wrong with one.

Names.      Functions, locals and labels have names of small letters, digits
            and `_`; no two functions share a name, nor two locals of one.
Numbers.    All constants fit 64 bits.
Storage.    Each list has a room that its first content fits in.  Words of
            draws, names of words, lists and seats are as many as there must
            be.  Places in the storage, tables, rows, streams, questions and
            faults exist, as far as they are constant.
Types.      Integers stand where integers are wanted, sequences where these.
Flags.      A constant operand of `&`, `|` and `Not` is 0 or 1.
Sequences.  A local sequence is one of its function's own or a name for
            another, never both.
Loops.      What an `Each` or `Count` sets nothing else sets, nor is it read
            outside of its body.
Control.    `Break` and `Again` name something around them, `Again` a loop; a
            label does not stand inside its like.  A function that gives
            something returns it on every path, others return nothing.
Calls.      Called, tried, first and last functions exist and are called with
            what they want; none comes to itself again, also not by a try, but by
            a function that `returns`.
Unwinding.  What is caught is the stop of an action, by functions that give
            nothing; nothing unwinds with DONE.  `Live` stands in functions
            that bound.
Sums.       The sums that are named exist, as far as they are constant; what
            runs behind every match takes two integers.
Cells.      So do the cells; the functions of a search take and give what
            `ir.Search` says.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import calls
from tests.plans.function_validator import FORMS, INT, LEAST, LIST, MOST, Check


def faults(plan: p.Plan) -> list[str]:
    """All that is wrong with a plan, in words for us; empty for a valid one."""
    found = list(_of_storage(plan))
    known: dict[str, p.Function] = {}
    for function in plan.functions:
        if function.name in known:
            found.append(f"{function.name}: there are two of this name")
        known[function.name] = function
    for name in (plan.main, plan.result):
        found += _of_start(known, name)
    if plan.after:
        found += _of_kind(known, plan.after, (INT, INT), "")
    if plan.search is not None:
        found += _of_search(known, plan.search, plan.cells)
    if plan.drive is not None:
        found += _of_drive(known, plan.drive, plan.cells)
    for function in plan.functions:
        found += _of_function(plan, known, function)
    return found + _rings(known)


def _of_storage(plan: p.Plan) -> Iterator[str]:
    if len(plan.rooms) != len(plan.lists):
        yield "rooms: not as many as lists"
    for number, (entries, room) in enumerate(zip(plan.lists, plan.rooms, strict=False)):
        if len(entries) > room:
            yield f"list {number}: {len(entries)} entries in a room for {room}"
    if len(plan.word_names) not in (0, len(plan.words)) or len(plan.list_names) not in (0, len(plan.lists)):
        yield "names of words or lists: not as many as these"
    if not 0 <= plan.seats <= len(plan.names):
        yield "seats: more than names"
    if plan.streams and not 0 <= plan.first_draw <= len(plan.words) - len(plan.streams):
        yield "first_draw: not each stream has a word"
    for question in plan.asks:
        if question.form not in FORMS:
            yield f"question {question.name}: no form {question.form}"
    sequences = (plan.words, *plan.lists, *plan.tables, *(row for table in plan.rows for row in table))
    if any(not LEAST <= value <= MOST for sequence in sequences for value in sequence):
        yield "storage or tables: a number beyond 64 bits"


def _of_start(known: dict[str, p.Function], name: str) -> list[str]:
    function = known.get(name)
    if function is None:
        return [f"{name}: there is no such function"]
    return [f"{name}: starts with nothing and gives nothing"] if function.params or function.gives else []


def _of_kind(known: dict[str, p.Function], name: str, takes: tuple[str, ...], gives: str) -> list[str]:
    function = known.get(name)
    if function is None:
        return [f"{name}: there is no such function"]
    right = tuple(kind for _, kind in function.params) == takes and function.gives == gives
    return [] if right else [f"{name}: does not take {', '.join(takes) or 'nothing'} and give {gives or 'nothing'}"]


def _of_search(known: dict[str, p.Function], search: p.Search, cells: int) -> Iterator[str]:
    if not 0 <= search.inside < cells:
        yield "search: no cell says how far it came"
    asked = (INT, INT, LIST)
    found = (INT, INT), INT
    kinds = (((INT, INT), ""), (asked, INT), (asked, INT), ((*asked, INT, INT), LIST), ((), ""), found, found)
    for name, (takes, gives) in zip(p.SEARCHING, kinds, strict=True):
        yield from _of_kind(known, name, takes, gives)


def _of_drive(known: dict[str, p.Function], drive: p.Drive, cells: int) -> Iterator[str]:
    if not max(drive.page, drive.count, drive.lacking) < drive.picked < drive.codes <= drive.codes + drive.actions:
        yield "drive: cells that lie in one another"
    if not drive.codes + drive.actions <= drive.seen <= drive.seen + drive.width <= cells:
        yield "drive: cells that there are not"
    if not 0 <= drive.done < drive.actions:
        yield "drive: no number completes a set"
    kinds = (((INT, INT, LIST, INT, INT), ""), ((INT, INT), ""), ((INT,), INT))
    for name, (takes, gives) in zip(p.DRIVING, kinds, strict=True):
        yield from _of_kind(known, name, takes, gives)


def _of_function(plan: p.Plan, known: dict[str, p.Function], function: p.Function) -> list[str]:
    check = Check(plan, known, function)
    check.heading()
    check.body(function.body)
    check.ending()
    return [f"{function.name}: {title}" for title in check.found]


def _rings(known: dict[str, p.Function]) -> list[str]:
    """Functions that come to themselves again; found without recursion, which a ring would make endless."""
    callers = {name: set(calls(function)) & set(known) for name, function in known.items() if not function.returns}
    for called in callers.values():
        called &= set(callers)
    while leaves := [name for name, called in callers.items() if not called]:
        for name in leaves:
            del callers[name]
        for called in callers.values():
            called.difference_update(leaves)
    return [f"{', '.join(callers)}: call themselves or lead to those that do"] if callers else []
