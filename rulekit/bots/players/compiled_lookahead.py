"""What comes of single answers inside a compiled machine, from histories that a seat believes in.

The position that an answer leads to is judged as `evaluation` does it: by the result of the rules as if the match
ended there.  What all reach together is no result of the machine, so that such games are left to the reference engine.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulekit.bots.belief.history import Node
from rulekit.bots.bot import Chair
from rulekit.bots.players.compiled_search import CompiledSearch, compiled_search
from rulekit.bots.players.evaluation import Evaluation, leads_of, utilities_of
from rulekit.bots.random_playout import random_places
from rulekit.bots.rng import Rng
from rulekit.compiler.plan.ir import NONE, Status
from rulekit.compiler.runtime.state_encoding import answer_places
from rulekit.compiler.wasm.stepping import Saved
from rulekit.play.state.match_state import Decision
from rulekit.play.state.value import Value
from rulekit.values import define, field


@define(eq=False)
class CompiledLookahead:
    """begins:  the positions of the histories asked about last, as the machine saved them."""

    compiled: CompiledSearch
    seat: int
    begins: list[Saved] = field(factory=list)

    def believe(self, histories: Sequence[Node], rng: Rng) -> bool:
        """Begin at these histories from now on; whether the machine comes to a question with each of them."""
        machine, self.begins = self.compiled.machine, []
        for node in histories:
            if machine.enter(self.compiled.scripts.of(node), rng.below(2**63)) == Status.WAITING:
                self.begins.append(machine.saved())
        return len(self.begins) == len(histories)

    def evaluations(self, decision: Decision, answer: Value, key: int) -> list[Evaluation | None]:
        """For each history how the seats stand after an answer; None where that cannot be said.

        key:  of the chance by which others answer who decide at the same time; the same for each answer.
        """
        given = answer_places(decision.options, answer, several=decision.several)
        return [self._after(begin, len(decision.options), given, Rng(key, 2**32)) for begin in self.begins]

    def _after(self, begin: Saved, options: int, given: tuple[int, ...], rng: Rng) -> Evaluation | None:
        machine, answered = self.compiled.machine, False
        machine.restore(begin)
        status = int(Status.WAITING)
        while status == Status.WAITING:
            asked = machine.waiting()
            question = machine.plan.asks[asked.ask]
            several = question.form == "several"
            if asked.seat == self.seat and not answered:
                if len(asked.options) != options:
                    return None
                places, answered = given, True
            elif question.apart and asked.seat != self.seat:
                places = (rng.below(len(asked.options)),)
                if several:
                    places = random_places(len(asked.options), asked.least, asked.most, rng)
            else:
                break
            status = machine.resume(places if several else places[0])
        if status == Status.WAITING:
            status = machine.judge(self.compiled.scripts.storage.ending)
        return self._read() if status == Status.DONE else None

    def _read(self) -> Evaluation:
        storage, words = self.compiled.scripts.storage, self.compiled.machine.words()
        setting = storage.setting
        seats = range(setting.players)
        ranks: dict[int, list[int]] = {}
        for seat in seats:
            if words[storage.rank + seat] != NONE:
                ranks.setdefault(words[storage.rank + seat], []).append(seat)
        defeated = [seat for seat in seats if words[storage.defeated + seat] != NONE]
        utilities = utilities_of([ranks[rank] for rank in sorted(ranks)], defeated, setting.players)
        assert storage.leads is not None
        first = words[storage.leads : storage.leads + setting.players]
        return Evaluation(utilities, None if NONE in first else leads_of(first, setting))


def compiled_lookahead(chair: Chair) -> CompiledLookahead | None:
    """None where no plan can say the game, or what all reach together, or nothing runs one."""
    compiled = compiled_search(chair) if chair.game.together is None else None
    return None if compiled is None else CompiledLookahead(compiled, chair.seat)
