"""Provenance: which clauses decided a value, and who may know that.

Dynamic slicing.  While a match is traced, what an expression gives has a
trail: the clauses that decided it, with those who may know all that was read
to decide so.  The members of a set have trails of their own: what let each of
them in.  A trail ends where a value is stored: where a piece stands has no
history.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulekit.play.state.event import Audience
from rulekit.values import define, field


def meet(one: Audience, other: Audience) -> Audience:
    """Those who are in both."""
    return other if one is None else one if other is None else one & other


def _either(one: Audience, other: Audience) -> Audience:
    return None if one is None or other is None else one | other


@define(eq=False)
class Trail:
    """What decided a value.

    why:      the clauses, in the order in which they came up, each with who may know.
    read:     who may know all that was read for it.
    members:  of a set, by member what let it in; None where it is no set, or all of it is in `why`.
    """

    why: dict[str, Audience] = field(factory=dict)
    read: Audience = None
    members: dict[Any, Trail] | None = None

    def add(self, clauses: Iterable[str], known: Audience = None) -> None:
        for clause in clauses:
            self.why[clause] = _either(self.why[clause], known) if clause in self.why else known

    def join(self, other: Trail, by: Audience = None) -> None:
        """What decided the other decides this one.  by: who may know that it does."""
        if other.why:
            for clause, known in other.why.items():
                self.add((clause,), meet(known, by))
        if other.read is not None:
            self.read = meet(self.read, other.read)

    def hold(self, members: dict[Any, Trail] | None) -> None:
        """From here on this is the trail of a set with these members."""
        self.flatten()
        self.members = members

    def flatten(self) -> None:
        """From here on the trail of a value that follows from all members of a set."""
        if self.members is None:
            return
        members, self.members = self.members, None
        for trail in members.values():
            trail.flatten()
            self.join(trail)

    def known_to_all(self) -> Trail:
        """The same for a value that everybody was told, whatever it was worked out from."""
        members = self.members and {one: trail.known_to_all() for one, trail in self.members.items()}
        return Trail(self.why, None, members)

    def of(self, member: Any) -> Trail:
        """The trail of one member, with what decided the set."""
        made = Trail(dict(self.why), self.read)
        if self.members and member in self.members:
            made.join(self.members[member])
        return made

    def chosen(self, value: Any) -> Trail:
        """The trail of what was chosen of a set: of one member, or of several."""
        if self.members is None or not isinstance(value, tuple) or value in self.members:
            return self.of(value)
        members = {one: self.members[one] for one in value if one in self.members}
        return Trail(dict(self.why), self.read, members)


@define(eq=False)
class Trace:
    """What a machine knows of trails while its match is traced.

    trail:     of what is being worked out; elements and locals: of those in it.
    whole:     the trail of all that an operation is about, while it tells of a part of it.
    at:        the place of the operation at work in its code.
    blocks:    by seat what decided the names in its secret block.
    outer:     in a secret block, the call frames around it.
    """

    trail: Trail = field(factory=Trail)
    whole: Trail | None = None
    elements: list[Trail | None] = field(factory=list)
    locals: dict[int, Trail] = field(factory=dict)
    at: int = 0
    blocks: dict[int, tuple[FrameTrails | None, ...]] = field(factory=dict)
    outer: list[Any] = field(factory=list)

    def narrow(self, value: Any) -> None:
        """From here on the operation is about this of what it was worked out for, one thing or several."""
        self.whole = self.whole or self.trail
        self.trail = self.whole.chosen(value)


@define(eq=False)
class FrameTrails:
    """What decided the names in force in a call frame, and that it came where it is.

    locals:   by their numbers.
    control:  by the place of a condition, loop or choice what decided which way it went last.
    call:     what decided that it was called.
    skips:    by step that it will leave out what decided that.
    """

    locals: dict[int, Trail] = field(factory=dict)
    control: dict[int, Trail] = field(factory=dict)
    call: Trail = field(factory=Trail)
    skips: dict[str, Trail] = field(factory=dict)

    def copy(self) -> FrameTrails:
        """Trails that are entered here are not changed any more, so they are shared."""
        return FrameTrails(self.locals.copy(), self.control.copy(), self.call, self.skips.copy())
