"""Answers as numbers, and back: a fixed number of actions for a game with given options and seats.

What `moves` gives is the action mask (invalid action masking).

Every question of the rules has a block of indices.  Where all that it can
offer is known beforehand (`option_domains`), each value has its index; else
an index is the place of an option among those that are offered now.  A set is
chosen one thing at a time and closed by `DONE`; as one index there would be
two to the power of its things.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

from rulekit import limits
from rulekit.adapters.option_domains import Domain, Question, domain_of
from rulekit.model import ops
from rulekit.play.state.match_state import Decision
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value, notation
from rulekit.values import evolve, field, frozen

WAIT = 0
"""The index of who is not asked anything."""
DONE = 1
"""The index by which a set is complete."""
_FREE = 2
"""The first index of the blocks."""
PAGE = 100
"""Of options told by their places, so many can be told at once; of more, first the page is chosen, then the place."""

Name = tuple[str, str]
"""A question, by the rule that asks it and what is chosen."""


@frozen
class Block:
    """The indices of one question.

    first:   the least of them.
    values:  by index from there, what each means; None if it is a place among what is offered, or its page.
    several: whether sets of these are chosen.
    """

    first: int
    values: Domain | None
    several: bool = False
    _places: dict[Value, int] = field(init=False, repr=False, eq=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "_places", {value: at for at, value in enumerate(self.values or ())})

    @property
    def size(self) -> int:
        return len(self.values) if self.values is not None else PAGE + limits.OPTIONS // PAGE

    def place(self, value: Value, at: int) -> int:
        """The place in the block of an option, which is the `at`-th of those that are offered."""
        return at % PAGE if self.values is None else self._places[value]


@frozen
class ActionSpace:
    """size: how many indices there are, `WAIT` and `DONE` among them.  blocks: by question, its indices, in order."""

    size: int
    blocks: dict[Name, Block]

    def block(self, decision: Decision) -> Block:
        return self.blocks[decision.rule, decision.name]

    def meaning(self, index: int) -> str:
        """What an index stands for, for people: `turn column: 4`."""
        if index in (WAIT, DONE):
            return ("wait", "done")[index]
        (rule, name), block = next((name, one) for name, one in self.blocks.items() if index < one.first + one.size)
        asked, at = rule if rule == name else f"{rule} {name}", index - block.first
        if block.values is not None:
            return f"{asked}: {notation(block.values[at])}"
        return f"{asked}: place {at + 1}" if at < PAGE else f"{asked}: page {at - PAGE + 1}"


def action_space(setting: Setting) -> ActionSpace:
    """The indices of all answers that can ever be given in matches of this setting, the same in each of them."""
    asked: dict[Name, list[Question]] = {}
    for code in setting.game.codes:
        for op in code.ops:
            if isinstance(op, ops.Ask | ops.AskWay):
                name = op.name if isinstance(op, ops.Ask) else code.name
                asked.setdefault((code.name, name), []).append(op)
    blocks, free = {}, _FREE
    for question, alike in asked.items():
        several = any(isinstance(op, ops.Ask) and op.least is not None for op in alike)
        blocks[question] = Block(free, _union([domain_of(setting, op) for op in alike]), several)
        free += blocks[question].size
    return ActionSpace(free, blocks)


def _union(domains: list[Domain | None]) -> Domain | None:
    known = [domain for domain in domains if domain is not None]
    return tuple(dict.fromkeys(value for domain in known for value in domain)) if len(known) == len(domains) else None


# ---------------------------------------------------------------- answering


@frozen
class Partial:
    """A question as far as it is answered.

    picked:  the places of the options that were chosen for a set so far, in that order.
    page:    which page of the options was chosen, where they are told by their places.
    """

    decision: Decision
    picked: tuple[int, ...] = ()
    page: int | None = None

    @property
    def things(self) -> tuple[Value, ...]:
        """What was chosen for a set so far."""
        return tuple([self.decision.options[at] for at in self.picked])


@frozen
class Complete:
    """An answer that the engine takes."""

    answer: Value


Accepts = Callable[[tuple[Value, ...]], bool]
Moves = dict[int, Partial | Complete]


def moves(space: ActionSpace, asked: Partial, accepts: Accepts | None = None) -> Moves:
    """By index all that can be done now, with what it leads to.

    accepts:  whether a set of things would be taken, where rules may refuse some (`only if`).
    """
    decision = asked.decision
    if asked.page is not None:
        return _chosen(space, asked, range(asked.page * PAGE, min(len(decision.options), (asked.page + 1) * PAGE)))
    is_full = decision.several and len(asked.picked) >= decision.most
    found = {} if is_full else _chosen(space, asked, range(len(decision.options)))
    if not decision.several:
        return found
    if len(asked.picked) >= decision.least:
        found = {DONE: Complete(asked.things), **found}
    return found if accepts is None else {at: to for at, to in found.items() if _leads_on(decision, to, accepts)}


def _chosen(space: ActionSpace, asked: Partial, places: range) -> Moves:
    """The options at these places that are still free; of those that read alike the first."""
    block, options = space.block(asked.decision), asked.decision.options
    free = [at for at in places if at not in asked.picked]
    if block.values is not None:
        return {block.first + block.place(options[at], at): _with(asked, at) for at in reversed(free)}
    if asked.page is None and len(options) > PAGE:
        pages = dict.fromkeys(at // PAGE for at in free)
        return {block.first + PAGE + page: evolve(asked, page=page) for page in pages}
    return {block.first + block.place(options[at], at): _with(asked, at) for at in free}


def _with(asked: Partial, at: int) -> Partial | Complete:
    decision = asked.decision
    if not decision.several:
        return Complete(decision.options[at])
    more = evolve(asked, picked=(*asked.picked, at), page=None)
    return Complete(more.things) if len(more.picked) == decision.most else more


def _leads_on(decision: Decision, to: Partial | Complete, accepts: Accepts) -> bool:
    """Whether a set can still become one that is taken."""
    if isinstance(to, Complete):
        assert isinstance(to.answer, tuple), to
        return accepts(to.answer)
    if to.page is not None:
        places = range(to.page * PAGE, min(len(decision.options), (to.page + 1) * PAGE))
        return any(_leads_on(decision, _with(to, at), accepts) for at in places if at not in to.picked)
    free = [at for at in range(len(decision.options)) if at not in to.picked]
    counts = range(max(0, decision.least - len(to.picked)), decision.most - len(to.picked) + 1)
    return any(accepts(evolve(to, picked=to.picked + more).things) for n in counts for more in combinations(free, n))
