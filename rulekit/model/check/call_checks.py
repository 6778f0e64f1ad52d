"""Interprocedural checks on the call graph: recursion, calls that may not return, steps that cannot be running.

Also called: a fixed-point analysis of non-local exits (which actions a call may stop) and reachability.
"""

from __future__ import annotations

from rulekit.diagnostics import nearest
from rulekit.model import expr as x
from rulekit.model import ops
from rulekit.model.call_graph import named_member
from rulekit.model.lower.code_builder import CallSite, Tally
from rulekit.model.resolve.symbol_table import World
from rulekit.source import Span

_LATER = "name which one it does, `do deck[1] for owner`, or put it on a pile of what is to be done after this"
_DOWNWARD = "what reacts may change what it waits for only downward, by a number: `lower x by 5`"


def check(world: World, tally: Tally, codes: tuple[ops.Code, ...], names: dict[str, int]) -> None:
    """Adds `recursion`, `idle-stop`, `secret` and `unknown-step`, and notes each call that may not come back."""
    callees = _callees(world, tally, codes)
    if _ring(world, codes, callees):
        return
    stops = _stops(tally, codes, callees)
    by_index = {index: name for name, index in names.items()}
    for site in tally.calls:
        _check_site(world, site, stops, by_index)
    _check_stops(world, tally, codes, callees, by_index)
    _check_skips(world, tally, codes, callees)
    _check_secrets(world, tally, codes, callees, stops)


def _callees(world: World, tally: Tally, codes: tuple[ops.Code, ...]) -> dict[int, set[int]]:
    found: dict[int, set[int]] = {index: set() for index in range(len(codes))}
    for index, code in enumerate(codes):
        found[index] |= {getattr(op, op.effects.calls) for op in code.ops if op.effects.calls}
    for site in tally.calls:
        found[site.caller] |= targets(world, site)
    return found


def targets(world: World, site: CallSite) -> set[int]:
    """The codes that a call may run: one action, or what any member of a kind does."""
    if site.code is not None:
        return {site.code}
    kind = world.kinds.get(site.kind or "")
    named = kind and site.thing and named_member([kind], site.thing)
    members = (named,) if named else kind.members if kind else ()
    return {member.code for member in members if member.code is not None}


def _way_out(ring: list[str], *, is_card: bool) -> str:
    """How what runs itself could be written instead; "" where nothing is better than another."""
    if any(name.startswith("when ") for name in ring):
        return _DOWNWARD
    return _LATER if is_card else ""


def _ring(world: World, codes: tuple[ops.Code, ...], callees: dict[int, set[int]]) -> bool:
    """Whether some action calls itself, however far round; each ring is reported once."""
    done: set[int] = set()
    found = False
    for start in callees:
        path: list[int] = []
        waiting = [(start, iter(sorted(callees[start])))] if start not in done else []
        while waiting:
            index, rest = waiting[-1]
            if not path or path[-1] != index:
                path.append(index)
            step = next(rest, None)
            if step is None:
                done.add(index)
                waiting.pop()
                path.pop()
            elif step in path:
                ring = [codes[i].name for i in [*path[path.index(step) :], step]]
                hint = _way_out(ring, is_card=codes[step].name not in world.code_ids)
                world.error("recursion", f"`{ring[0]}` runs itself: {' → '.join(ring)}", codes[step].span, hint)
                found = True
            elif step not in done:
                waiting.append((step, iter(sorted(callees[step]))))
    return found


def _stops(tally: Tally, codes: tuple[ops.Code, ...], callees: dict[int, set[int]]) -> dict[int, set[int]]:
    """For each code the actions outside itself that it may leave."""
    stops = {index: set(tally.stops.get(index, set())) - {index} for index in range(len(codes))}
    changed = True
    while changed:
        changed = False
        for index, below in callees.items():
            new = set().union(*(stops[b] for b in below)) - {index} if below else set()
            if not new <= stops[index]:
                stops[index] |= new
                changed = True
    return stops


def _check_site(world: World, site: CallSite, stops: dict[int, set[int]], names: dict[int, str]) -> None:
    may: set[int] = set()
    for target in targets(world, site):
        may |= stops[target]
    spoken = {names.get(index, "?") for index in may}
    for name in sorted(spoken):
        world.problems.remark("may-stop", f"this call may not come back: it may stop `{name}`", site.span)
    if site.may_stop is not None and site.may_stop not in spoken:
        title = f"this call never stops `{site.may_stop}`"
        hint = nearest(site.may_stop, spoken) or "take `, may stop …` away"
        world.error("idle-stop", title, site.span, hint)


def _check_stops(
    world: World, tally: Tally, codes: tuple[ops.Code, ...], callees: dict[int, set[int]], names: dict[int, str]
) -> None:
    for index, targets_ in tally.stops.items():
        for target in targets_:
            if index not in _reached(callees, {target}):
                span = next((op.span for op in codes[index].ops if isinstance(op, ops.StopCode)), codes[index].span)
                title = f"`{names.get(target, '?')}` cannot be running here"
                world.error("idle-stop", title, span, "only an action that led here can be stopped")


def _check_secrets(
    world: World,
    tally: Tally,
    codes: tuple[ops.Code, ...],
    callees: dict[int, set[int]],
    stops: dict[int, set[int]],
) -> None:
    """What may not happen inside `secretly each`, directly or in an action that is called there."""
    called: set[int] = set()
    sites: dict[tuple[int, Span], set[int]] = {}
    for site in tally.calls:
        sites.setdefault((site.caller, site.span), set()).update(targets(world, site))
    for index, code in enumerate(codes):
        for op in (code.ops[place] for place in sorted(ops.secret_blocks(code))):
            if isinstance(op, ops.SecretStart):
                continue
            _check_own(world, op)
            below = sites[index, op.span] if op.effects.calls or op.effects.performs else set()
            called |= _reached(callees, below)
            if any(stops[number] - below for number in below):
                world.error("secret", "a `secretly each` block cannot be left from inside", op.span)
    for index in sorted(called):
        for op in codes[index].ops:
            _check_own(world, op)
            if op.effects.public:
                title = f"{op.effects.public} cannot stand in an action that `secretly each` calls"
                world.error("secret", title, op.span)


def _check_own(world: World, op: ops.Op) -> None:
    """A variable of the whole game, or of a kind, is nobody's own: it cannot change in secret."""
    row = op.effects
    if row.public:
        return
    if row.common:
        title = f"{row.common} is about all players, so it cannot stand inside `secretly each`"
        world.error("secret", title, op.span)
        return
    names = dict.fromkeys((*row.writes, *row.fills, *row.moves, *row.removes))
    changed = (getattr(op, name) for name in names)
    for variable in (part.variable for part in changed if isinstance(part, ops.Target | x.PieceOf | x.GroupOf)):
        if world.variables[variable].owner != "player":
            title = f"`{world.variables[variable].name}` is no player's own, so it cannot change inside `secretly each`"
            world.error("secret", title, op.span)


def _reached(callees: dict[int, set[int]], codes: set[int]) -> set[int]:
    """These codes and all that they may run."""
    seen, new = set[int](), codes
    while new:
        seen |= new
        new = set().union(*(callees[code] for code in new)) - seen
    return seen


def _check_skips(world: World, tally: Tally, codes: tuple[ops.Code, ...], callees: dict[int, set[int]]) -> None:
    for index, step, span in tally.skips:
        holders = {i for i, steps in tally.steps.items() if step in steps}
        if index not in _reached(callees, holders):
            known = {name for i, steps in tally.steps.items() for name in steps if index in _reached(callees, {i})}
            if step not in world.lost:
                title = f"no step called `{step}` can be running here"
                world.error("unknown-step", title, span, nearest(step, known))
