"""A WebAssembly machine whose matches wait at every question, and can be copied there; it also searches.

A match that waits is copied as a span of memory; nothing of it lies elsewhere.  All simulations of a search run inside
the module.
"""

from __future__ import annotations

from collections.abc import Sequence
from struct import pack

from rulekit.compiler.passes.suspension import suspendable
from rulekit.compiler.plan.ir import Plan, Status
from rulekit.compiler.runtime.questions import Answer, Asked, Script, Weighed
from rulekit.compiler.runtime.tree_search import weighed
from rulekit.compiler.runtime.wasm_host import signed
from rulekit.compiler.wasm import backend
from rulekit.compiler.wasm.memory_layout import ANSWER, DRAWN, EXCHANGE, MAX_POSITIONS, PAGE, POSITIONS, QUEUES, WAITS
from rulekit.values import define, field, frozen

_FRAMES, _LOG, _DECISIONS = WAITS.index("frames"), WAITS.index("log"), WAITS.index("decisions")


@frozen
class Saved:
    """Bytes: storage, chance and all functions at work; and what guards remember of answers."""

    match: bytes = field(repr=False)
    log: bytes = field(repr=False)


def stepping(plan: Plan) -> WasmStepping:
    """A machine for a plan, which is made suspendable here.  It searches if the plan was lowered with `searching=True`.

    Errors: `wasm_host.Missing`.
    """
    return WasmStepping(backend.compiled(suspendable(plan)))


@define(eq=False)
class WasmStepping(backend.WasmMachine):
    """A machine whose matches wait at every question, and can be copied there.

    raw:    the memory as bytes.  waits: whether a match waits.
    """

    raw: memoryview[int] = field(init=False, repr=False)
    waits: bool = field(init=False, default=False)

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.raw = self.memory.cast("B")

    def begin(self, seed: int) -> int:
        """A match up to its first question; gives WAITING, or how the match ended."""
        return self._went(self._called("begin_waiting", signed(seed)))

    def play(self, seed: int, answer: Answer | None = None) -> int:
        return self._went(super().play(seed, answer))

    def enter(self, script: Script, seed: int = 0) -> int:
        """A match that goes as the script says, up to the first question for which it has no answer.

        seed:  of chance that the script does not know any more.
        """
        exchange = self.compiled.layout.exchange
        queues = _queues(script, exchange + QUEUES)
        drawn = b"".join(pack("<iIii", stream, n, place, 0) for stream, n, place in script.chance)
        assert len(queues) <= DRAWN - QUEUES, "a script without room"
        assert len(drawn) <= EXCHANGE - DRAWN, "a script without room"
        self.raw[exchange + QUEUES : exchange + QUEUES + len(queues)] = queues
        self.raw[exchange + DRAWN : exchange + DRAWN + len(drawn)] = drawn
        return self._went(self._called("enter", signed(seed), exchange + DRAWN + len(drawn)))

    def waiting(self) -> Asked:
        """The question at which the match waits."""
        assert self.waits
        ask, seat, options, least, most, _ = self._known()[:6]
        return Asked(ask, seat, tuple(self._sequence(options)), least, most)

    def asks(self) -> tuple[int, int]:
        """Of the question that waits: whose it is, and among how many options."""
        _, seat, options = self._known()[:3]
        return seat, self._size(options)

    def resume(self, answer: int | tuple[int, ...]) -> int:
        """On to the next question.  answer: as of `Answer`."""
        assert self.waits
        _, _, options, least, most, several = self._known()[:6]
        return self.go_on(backend.answered(answer, self._size(options), least, most, several=bool(several)))

    def go_on(self, places: tuple[int, ...]) -> int:
        """Resume with an answer that is known to be one: how many places, and which."""
        self.write(self.compiled.layout.exchange + ANSWER, places)
        return self._went(self._called("go_on"))

    def playout(self, seed: int) -> int:
        """The rest of the match that waits; seats answer by chance, and all chance is that of another seed."""
        assert self.waits
        return self._went(self._called("playout", signed(seed)))

    def saved(self) -> Saved:
        """The match as it waits, which nothing changes any more; for machines of the same plan."""
        assert self.waits
        layout, known = self.compiled.layout, self._known()
        match, log = self.raw[layout.storage : known[_FRAMES]], self.raw[layout.log : known[_LOG]]
        return Saved(match.tobytes(), log.tobytes())

    def restore(self, saved: Saved) -> None:
        """Wait again where this was saved."""
        layout = self.compiled.layout
        end = layout.storage + len(saved.match)
        # So much memory is there from the beginning.
        if end > layout.pages * PAGE:
            self.exports["reserve"](self.store, end)
        self.raw[layout.storage : end] = saved.match
        self.raw[layout.log : layout.log + len(saved.log)] = saved.log
        self.waits = True

    def decisions(self) -> int:
        return self._known()[_DECISIONS] if self.waits else super().decisions()

    # ------------------------------------------------------------ searches

    def judge(self, ending: int) -> int:
        """The result of the rules as if the match that waits ended now; gives how that ended.  It does not go on.

        ending:  the word of the storage that is 1 where a match ends.
        """
        assert self.waits
        self.write(self.compiled.layout.words + 8 * ending, (1,))
        self.waits = False
        return self._called("judge")

    def search(self, positions: Sequence[Saved], seed: int, first: int, count: int) -> int:
        """Simulations `first` to `first + count - 1` of a search, which begins anew with 0.

        positions:  saved ones that fit what the searching seat knows; simulation i begins at the i-th, going round.
        Gives how many of them came to an end.  Simulation i has all its chance from `generator.output(seed, i)`.
        """
        self._place(positions)
        done = ended = 0
        while done < count:
            self._called("search", signed(seed), first + done, count - done, len(positions))
            # A simulation that took too much room ended the call, and is passed over.
            done += self.number("begun")
            ended += self.number("ended")
        self.waits = False
        return ended

    def weighed(self, position: Saved) -> list[Weighed]:
        """How the answers to the question of a position fared in the last search.

        position:  one that the search began with; where others were asked apart before the searching seat, that in
                   which it is asked itself.
        Of one thing all answers; of several the set that was tried most.  Empty where the search never came there.
        """
        self.restore(position)
        asked, key = self.waiting(), int(self.exports["root"](self.store))
        return weighed(self, key, asked, several=self.plan.asks[asked.ask].form == "several")

    def _place(self, positions: Sequence[Saved]) -> None:
        """Put the positions where the module finds them."""
        layout = self.compiled.layout
        assert 0 < len(positions) <= MAX_POSITIONS, len(positions)
        at, starts = layout.positions, []
        for one in positions:
            written = pack("<II", len(one.match), len(one.log)) + one.match + one.log
            assert at + len(written) <= layout.positions + POSITIONS, "positions without room"
            self.raw[at : at + len(written)] = written
            starts.append(at)
            at += -(-len(written) // 8) * 8
        listed = pack(f"<{len(starts)}I", *starts)
        self.raw[layout.starts : layout.starts + len(listed)] = listed

    def answers(self, key: int, size: int) -> Sequence[Sequence[int]]:
        """As of `tree_search.Nodes`, as the next one."""
        assert self.plan.search is not None
        first, width = int(self.exports["node"](self.store, key)), self.plan.search.answer
        cells = self.read(self.compiled.layout.cells + 8 * first, width * size) if first else []
        return [cells[at : at + 2] for at in range(0, len(cells), width)]

    def behind(self, key: int, place: int) -> int:
        return int(self.exports["behind"](self.store, key, place))

    # ------------------------------------------------------------ what a match is

    def _known(self) -> Sequence[int]:
        return self.read(self.compiled.layout.waits, len(WAITS))

    def _went(self, status: int) -> int:
        self.waits = status == Status.WAITING
        return status


def _queues(script: Script, at: int) -> bytes:
    """For each seat where its answers begin and end, then these."""
    heads, body = b"", b""
    at += 8 * len(script.answers)
    for answers in script.answers:
        made = b"".join(pack(f"<{1 + len(places)}q", len(places), *places) for places in answers)
        heads += pack("<II", at + len(body), at + len(body) + len(made))
        body += made
    return heads + body
