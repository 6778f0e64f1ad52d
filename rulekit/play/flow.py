"""Operations of the flow: naming, jumping, looping, calling, stopping, ending."""

from __future__ import annotations

from typing import Any

from rulekit.model import ops
from rulekit.play.audience import inside, seeing
from rulekit.play.evaluate import ordered_pile, sort_keys
from rulekit.play.event import Told
from rulekit.play.machine import HANDLERS, Machine, Running, TrialEnd
from rulekit.play.value import Ref


def _let(m: Machine, frame: Running, op: ops.Let) -> None:
    frame.locals[op.local] = m.eval(op.value)


def _jump(m: Machine, frame: Running, op: ops.Jump) -> None:
    frame.pc = op.to


def _unless(m: Machine, frame: Running, op: ops.Unless) -> None:
    if not m.eval(op.test):
        frame.pc = op.to


def _each_start(m: Machine, frame: Running, op: ops.EachStart) -> None:
    frame.locals[op.items] = ordered_pile(m, op.over)
    frame.locals[op.position] = 0


def _each_next(m: Machine, frame: Running, op: ops.EachNext) -> None:
    items, position = frame.locals[op.items], frame.locals[op.position]
    if position >= len(items):
        frame.pc = op.exit
        return
    frame.locals[op.element] = items[position]
    frame.locals[op.position] = position + 1


def _enter_step(m: Machine, frame: Running, op: ops.EnterStep) -> None:
    if op.step in frame.skips:
        frame.skips.discard(op.step)
        frame.pc = op.end
        m.emit("skip", [Told("step", op.step)], inside(m))


def _skip(m: Machine, frame: Running, op: ops.Skip) -> None:
    codes = m.setting.game.codes
    for holder in reversed(m.frames):
        if op.step in codes[holder.code].steps:
            holder.skips.add(op.step)
            return
    raise m.error("no-such-step", f"no step `{op.step}` is running")


def _call(m: Machine, frame: Running, op: ops.Call) -> None:
    m.push(op.code, [m.eval(arg) for arg in op.args])


def _perform(m: Machine, frame: Running, op: ops.Perform) -> None:
    thing, owner = m.eval(op.thing), m.eval(op.owner)
    if thing is None:
        raise m.error("of-nothing", "there is nothing to do")
    row = m.setting.row_of[thing]
    _, member = m.setting.game.member(row)
    if member.code is not None:
        what = Told("thing", m.setting.ref(thing), seeing(m, thing))
        m.emit("perform", [what, Told("owner", player(m, owner))], inside(m))
        m.push(member.code, [owner, thing])


def _return(m: Machine, frame: Running, op: ops.Return) -> None:
    m.frames.pop()
    if m.trial is not None and len(m.frames) <= m.trial:
        raise TrialEnd(True)


def _stop_code(m: Machine, frame: Running, op: ops.StopCode) -> None:
    if not any(running.code == op.code for running in m.frames):
        # Run alone, as a scenario may: what would be left is not there, so everything here is.
        del m.frames[1:]
        m.frames[0].pc = len(m.setting.game.codes[m.frames[0].code].ops) - 1
        return
    while m.frames[-1].code != op.code:
        m.frames.pop()
    _return(m, m.frames[-1], ops.Return())


def _end_game(m: Machine, frame: Running, op: ops.EndGame) -> None:
    if m.trial is not None:
        raise TrialEnd(True)
    if m.branch is not None or m.ending:
        raise m.error("end-game", "the game cannot end here")
    m.emit("end", [])
    m.ending = True
    m.frames = []
    m.push(m.setting.game.result, [])


def player(m: Machine, seat: int | None) -> Ref | None:
    return None if seat is None else Ref("player", m.setting.seats[seat])


def _rank(m: Machine, frame: Running, op: ops.Rank) -> None:
    taken = {seat for place in m.ranks for seat in place} | set(m.defeated)
    seats = [seat for seat in m.eval(op.players) if seat not in taken]
    keys = sort_keys(m, tuple(seats), op.slot, op.keys)
    places: dict[Any, list[int]] = {}
    for key, seat in sorted(zip(keys, seats, strict=True)):
        places.setdefault(key, []).append(seat)
    for place in places.values():
        better = sum(len(before) for before in m.ranks)
        m.ranks.append(tuple(sorted(place)))
        m.emit("rank", [Told("place", 1 + better), Told("players", tuple(player(m, s) for s in sorted(place)))])


def _defeat(m: Machine, frame: Running, op: ops.Defeat) -> None:
    seats = [seat for seat in m.eval(op.players) if seat not in m.defeated]
    m.defeated += seats
    if seats:
        m.emit("defeat", [Told("players", tuple(player(m, seat) for seat in seats))])


HANDLERS.update(
    {
        ops.Let: _let,
        ops.Jump: _jump,
        ops.Unless: _unless,
        ops.EachStart: _each_start,
        ops.EachNext: _each_next,
        ops.EnterStep: _enter_step,
        ops.Skip: _skip,
        ops.Call: _call,
        ops.Perform: _perform,
        ops.Return: _return,
        ops.StopCode: _stop_code,
        ops.EndGame: _end_game,
        ops.Rank: _rank,
        ops.Defeat: _defeat,
    }
)
