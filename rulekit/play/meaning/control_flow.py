"""Control-flow operations: naming, jumping, looping, calling, stopping, ending."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulekit.model import ops
from rulekit.play.machine.closure_compilation import HANDLERS, LEFT, Act, Meanings
from rulekit.play.machine.visibility import inside, seeing
from rulekit.play.machine.working_state import CallFrame, Machine, TrialEnd
from rulekit.play.meaning import passing_over
from rulekit.play.meaning.operators import arguments
from rulekit.play.meaning.queries import sort_keys
from rulekit.play.meaning.reading import ordered_pile
from rulekit.play.state.event import Audience, Later, Told
from rulekit.play.state.match_state import Ended, Score
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Ref

# ---------------------------------------------------------------- inside a frame


def _let(c: Meanings, op: ops.Let) -> Act:
    local, value = op.local, c.of(op.value)

    def let(m: Machine, frame: CallFrame) -> None:
        frame.locals[local] = value(m)

    return let


def _jump(c: Meanings, op: ops.Jump) -> Act:
    to, codes = op.to, c.setting.game.codes

    def jump_over(m: Machine, frame: CallFrame) -> None:
        if not m.silent and op.passes == "next":
            passing_over.tell_next(m, frame, codes[frame.code].ops[to])
        elif not m.silent:
            passing_over.tell_stop(m, frame, to)
        jump(m, frame)

    def jump(m: Machine, frame: CallFrame) -> None:
        frame.pc = to

    return jump_over if op.passes else jump


def _unless(c: Meanings, op: ops.Unless) -> Act:
    test, to = c.of(op.test), op.to

    def unless(m: Machine, frame: CallFrame) -> None:
        if not test(m):
            frame.pc = to

    return unless


def _each_start(c: Meanings, op: ops.EachStart) -> Act:
    over, items, position = ordered_pile(c, op.over), op.items, op.position

    def each_start(m: Machine, frame: CallFrame) -> None:
        frame.locals[items] = over(m)
        frame.locals[position] = 0

    return each_start


def _each_next(c: Meanings, op: ops.EachNext) -> Act:
    items, position, element, out = op.items, op.position, op.element, op.exit

    def each_next(m: Machine, frame: CallFrame) -> None:
        own = frame.locals
        at = own[position]
        if at < len(own[items]):
            own[element] = own[items][at]
            own[position] = at + 1
        else:
            frame.pc = out

    return each_next


def _enter_step(c: Meanings, op: ops.EnterStep) -> Act:
    step, end = op.step, op.end

    def enter_step(m: Machine, frame: CallFrame) -> None:
        if step in frame.skips:
            frame.skips -= {step}
            frame.pc = end
            m.emit("skip", [Told("step", step)], inside(m))

    return enter_step


def _skip(c: Meanings, op: ops.Skip) -> Act:
    codes = c.setting.game.codes

    def skip(m: Machine, frame: CallFrame) -> None:
        for holder in reversed(m.frames):
            if op.step in codes[holder.code].steps:
                holder.skips |= {op.step}
                return
        raise m.error("no-such-step", f"no step `{op.step}` is running")

    return skip


# ---------------------------------------------------------------- from frame to frame


def _call(c: Meanings, op: ops.Call) -> Act:
    code, args_of = op.code, arguments(c, op.args)

    def call(m: Machine, frame: CallFrame) -> bool:
        m.push(code, args_of(m))
        return LEFT

    return call


def _perform(c: Meanings, op: ops.Perform) -> Act:
    setting, thing_of, owner_of = c.setting, c.of(op.thing), c.of(op.owner)

    def perform(m: Machine, frame: CallFrame) -> bool:
        thing, owner = thing_of(m), owner_of(m)
        if thing is None:
            raise m.error("of-nothing", "there is nothing to do")
        _, member = setting.game.member(setting.row_of[thing])
        if member.code is not None:
            if not m.silent:
                m.emit("perform", Later(_told, setting, thing, seeing(m, thing), owner), inside(m))
            m.push(member.code, [owner, thing])
            return LEFT
        return False

    return perform


def _told(setting: Setting, thing: int, audience: Audience, owner: int | None) -> tuple[Told, ...]:
    who = None if owner is None else setting.seat_refs[owner]
    return Told("thing", setting.ref(thing), audience), Told("owner", who)


def _return(c: Meanings, op: ops.Return) -> Act:
    def leave(m: Machine, frame: CallFrame) -> bool:
        if not m.silent:
            passing_over.tell_leaving(m, [frame])
        return _leave(m, frame)

    return leave if op.passes else _leave


def _leave(m: Machine, frame: CallFrame) -> bool:
    m.frames.pop()
    if m.trial is not None and len(m.frames) <= m.trial:
        raise TrialEnd(True)
    return LEFT


def _stop_code(c: Meanings, op: ops.StopCode) -> Act:
    code, codes, passes = op.code, c.setting.game.codes, op.passes

    def stop_code(m: Machine, frame: CallFrame) -> bool:
        if passes and not m.silent:
            place = max((place for place, at in enumerate(m.frames) if at.code == code), default=0)
            passing_over.tell_leaving(m, m.frames[place:])
        if not any(running.code == code for running in m.frames):
            # Run alone, as a scenario may: what would be left is not there, so everything here is.
            del m.frames[1:]
            m.frames[0].pc = len(codes[m.frames[0].code].ops) - 1
            return LEFT
        while m.frames[-1].code != code:
            m.frames.pop()
        return _leave(m, m.frames[-1])

    return stop_code


# ---------------------------------------------------------------- the end


def _end_game(c: Meanings, op: ops.EndGame) -> Act:
    result = c.setting.game.result

    def end_game(m: Machine, frame: CallFrame) -> bool:
        if m.trial is not None:
            raise TrialEnd(True)
        if m.branch is not None or m.ending:
            raise m.error("end-game", "the game cannot end here")
        m.emit("end", [])
        m.ending, m.ended = True, Ended(m.rule(), m.cites())
        m.frames = []
        m.push(result, [])
        return LEFT

    return end_game


def player(m: Machine, seat: int | None) -> Ref | None:
    """A seat as events speak of it."""
    return None if seat is None else m.setting.seat_refs[seat]


def _rank(c: Meanings, op: ops.Rank) -> Act:
    players, keys_of = c.of(op.players), sort_keys(c, op.slot, op.keys)

    def rank(m: Machine, frame: CallFrame) -> None:
        seats = unplaced(m, players(m))
        put_in_places(m, op, seats, keys_of(m, seats))

    return rank


def _numbers(op: ops.Rank, key: Any) -> tuple[int, ...]:
    """The numbers of a sort key as the rules reckon them: where the highest comes first, a key has them negated."""
    columns = key if isinstance(key, tuple) else (key,)
    return tuple([+number if low else -number for number, (_, low) in zip(columns, op.keys, strict=True)])


def unplaced(m: Machine, seats: Iterable[int]) -> tuple[int, ...]:
    """Those among them who have no place yet and were not defeated."""
    taken = {seat for place in m.ranks for seat in place} | set(m.defeated)
    return tuple(seat for seat in seats if seat not in taken)


def put_in_places(m: Machine, op: ops.Rank, seats: tuple[int, ...], keys: Sequence[Any]) -> None:
    """Give places behind those that are taken, the lowest key first; who has the same keys shares one.

    A team stands where the first of its players stands.
    """
    if op.keys:
        m.scores += [Score(seat, _numbers(op, key), op.is_open) for key, seat in zip(keys, seats, strict=True)]
    places: dict[Any, list[int]] = {}
    placed: set[int] = set()
    for key, seat in sorted(zip(keys, seats, strict=True)):
        if seat not in placed:
            places.setdefault(key, []).extend(m.setting.team_of(seat))
            placed.update(m.setting.team_of(seat))
    for place in places.values():
        better = sum(len(before) for before in m.ranks)
        shared = tuple(sorted(place))
        m.ranks.append(shared)
        m.about(shared)
        m.emit("rank", [Told("place", 1 + better), Told("players", tuple(player(m, s) for s in shared))])


def _defeat(c: Meanings, op: ops.Defeat) -> Act:
    players = c.of(op.players)

    def defeat(m: Machine, frame: CallFrame) -> None:
        found = dict.fromkeys(mate for seat in players(m) for mate in m.setting.team_of(seat))
        seats = [seat for seat in found if seat not in m.defeated]
        m.defeated += seats
        if seats:
            m.about(tuple(seats))
            m.emit("defeat", [Told("players", tuple(player(m, seat) for seat in seats))])

    return defeat


def _together(c: Meanings, op: ops.Together) -> Act:
    value = c.of(op.value)

    def together(m: Machine, frame: CallFrame) -> None:
        m.emit("reach", [Told("value", value(m)), Told("most", op.high)])

    return together


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
        ops.Together: _together,
    }
)
