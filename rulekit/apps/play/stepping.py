"""A log looked through on a terminal, decision by decision, forwards and backwards.

The log is never changed.  Who wants to go on from somewhere leaves with the number of that decision.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulekit.apps.play.screen import Screen
from rulekit.record.replay import LogReplay, Played
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.translation import Tongue
from rulekit.values import define, field

_FORWARD, _BACK, _ON, _END, _QUIT = ("", "n"), ("p",), ("c",), ("e",), ("q",)


@define(eq=False)
class Stepping:
    """Where somebody stands who looks through a log.

    played:  the setup and the decisions that were looked at so far; at: the last that is shown.
    """

    replaying: LogReplay
    tongue: Tongue
    screen: Screen
    played: list[Played] = field(factory=list)
    at: int = -1
    _rest: Iterator[Played] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._rest = iter(self.replaying)

    def looked_through(self) -> int | None:
        """Do what is typed until that is enough: the decision to go on from by playing, or None."""
        if not self._forward():
            return None
        self.screen.say(self.tongue.say("step-keys"))
        while True:
            typed = self._asked()
            if typed in _QUIT:
                return None
            if typed in _ON:
                return self.at
            if not self._moved(typed):
                self.screen.say(self.tongue.say("step-keys"))

    def _asked(self) -> str:
        """What somebody types; the end of the input is the end."""
        count = len(self.replaying.log.entries)
        try:
            return self.screen.ask(self.tongue.say("step", number=self.at, all=count) + " ").strip().lower()
        except EOFError:
            return _QUIT[0]

    def _moved(self, typed: str) -> bool:
        """Whether what was typed says where to."""
        if typed in _FORWARD:
            self._forward()
        elif typed in _BACK:
            self._jump(max(0, self.at - 1))
        elif typed in _END:
            self._jump(len(self.replaying.log.entries))
        elif typed.isascii() and typed.isdecimal() and len(typed) < 10:
            self._jump(int(typed))
        else:
            return False
        return True

    # ------------------------------------------------------------ where to

    def _forward(self) -> bool:
        """One further, if there is one; else why not is told."""
        if not self._reach(self.at + 1):
            self._tell_end()
            return False
        self.at += 1
        self._show()
        return True

    def _jump(self, to: int) -> None:
        if not self._reach(to):
            self._tell_end()
        if self.at != min(to, len(self.played) - 1):
            self.at = min(to, len(self.played) - 1)
            self._show()

    def _reach(self, number: int) -> bool:
        """Whether so many decisions hold; they are played if they were not yet."""
        while len(self.played) <= number:
            further = next(self._rest, None)
            if further is None:
                return False
            self.played.append(further)
        return True

    # ------------------------------------------------------------ what is shown

    def _show(self) -> None:
        """The decision with what followed from it, and the position to which that led, with what changed marked."""
        now = self.played[self.at]
        before = self.played[self.at - 1].state if self.at else None
        names = Names(now.state.setting, self.tongue)
        if now.action is not None:
            self.screen.say(said(now, names), style="bold")
        self.screen.tell(now.events, names, None)
        self.screen.board(now.state, None, names, before=before)

    def _tell_end(self) -> None:
        """Why it goes no further: a decision that does not hold, or the end of the log."""
        fault = self.replaying.fault
        if fault is not None:
            self.screen.say(f"error[{fault.code}]: {fault}", style="bold")
        else:
            self.screen.say(self.tongue.say("step-end"))


def said(played: Played, names: Names) -> str:
    """Who decided what, with its number."""
    assert played.action is not None
    seat = played.action.seat
    say = names.tongue.say
    who = say("chance") if seat < 0 else names.seat(names.setting.seats[seat])
    what, answer = names.tongue.words("asked", played.what.replace("_", " ")), names.value(played.action.answer)
    return say("replayed", number=played.number, player=who, what=what, answer=answer)
