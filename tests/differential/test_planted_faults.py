"""Fault injection: faults planted in lowering and engines are found by comparing with the reference engine.

Without them the same games agree; `test_random_rules` and `test_stepping` say so.
"""

from __future__ import annotations

from collections.abc import Callable
from math import fmod
from typing import Any

import pytest
from attrs import evolve, has

from rulekit.compiler import pipeline
from rulekit.compiler.passes import suspension
from rulekit.compiler.plan import ir as p
from rulekit.compiler.wasm import module, runtime_backtracking, runtime_matches, runtime_memory, runtime_suspension
from tests.differential.lockstep import same_match
from tests.differential.random_games import agreed, examined
from tests.differential.test_stepping import ENGINES as STEPPING
from tests.differential.test_stepping import GUARDED, same_in_steps, watched
from tests.generators.handmade_plans import ENGINES
from tests.generators.random_plans import plan_by_chance
from tests.plans import closures, evaluator
from tests.plans.closures import GUARD
from tests.plans.evaluator import Evaluator
from tests.sizes import some

Patch = pytest.MonkeyPatch
SEEDS = range(160)
"""Enough that faults which few games show are met too; the first game that differs ends the search."""
PLANS = range(60)


def found(engine: str) -> bool:
    """Whether some match differs: of a game two, one after the other, are played on one machine."""
    return any(_differs(seed, engine) for seed in SEEDS)


def _differs(seed: int, engine: str) -> bool:
    rules, options, seats = agreed(seed)
    try:
        plan, storage = pipeline.lowered(rules, options, seats)
        machine = ENGINES[engine](plan)
        for number in range(2):
            same_match(machine, storage, rules, options, seats, f"planted-{seed}-{number}#0")
    except (AssertionError, LookupError, ArithmeticError):
        return True
    return False


# ---------------------------------------------------------------- in the plan


def changed(node: Any, change: Callable[[Any], Any]) -> Any:
    """A plan or a part of one with `change` done to all that is in it."""
    if isinstance(node, tuple):
        return tuple(one for part in node for one in _as_many(part, changed(part, change)))
    if not has(type(node)):
        return node
    values = {one.name: changed(getattr(node, one.name), change) for one in type(node).__attrs_attrs__}
    return change(evolve(node, **values))


def _as_many(before: Any, after: Any) -> tuple[Any, ...]:
    """A statement may become several or none."""
    return after if isinstance(before, p.Statement) and isinstance(after, tuple) else (after,)


def no_sort(node: Any) -> Any:
    return () if isinstance(node, p.Sort) else node


def one_round_less(node: Any) -> Any:
    return evolve(node, high=p.Binary("-", node.high, p.Const(1))) if isinstance(node, p.Count) else node


def one_stream(node: Any) -> Any:
    return evolve(node, stream=0) if isinstance(node, p.Draw) else node


def one_less_to_draw(node: Any) -> Any:
    if not isinstance(node, p.Draw):
        return node
    return evolve(node, n=p.Binary("max", p.Const(1), p.Binary("-", node.n, p.Const(1))))


def draws_after_asking(node: Any) -> Any:
    """An order of chance and questions that is another."""
    return (node, p.Draw(node.local, 0, p.Const(2))) if isinstance(node, p.Draw) else node


def an_option_lost(node: Any) -> Any:
    """The last of more than two."""
    if not isinstance(node, p.Ask) or not isinstance(node.options, p.Get):
        return node
    last = p.Binary("-", p.Size(node.options), p.Const(1))
    lost = (p.Copy(node.options.local, node.options), p.Drop(node.options.local, last))
    return (p.If(p.Binary("<", p.Const(2), p.Size(node.options)), lost), node)


def nothing_caught(node: Any) -> Any:
    return evolve(node, catches=()) if isinstance(node, p.Function) else node


def least_for_most(node: Any) -> Any:
    return evolve(node, most=node.least) if isinstance(node, p.AskSeveral) else node


def the_smaller_for_the_larger(node: Any) -> Any:
    return evolve(node, op="min") if isinstance(node, p.Binary) and node.op == "max" else node


def below_or_equal(node: Any) -> Any:
    return evolve(node, op="<=") if isinstance(node, p.Binary) and node.op == "<" else node


def never_feasible_but_all(node: Any) -> Any:
    """A condition ahead takes no option away."""
    return p.Copy(node.local, node.options) if isinstance(node, p.Feasible) else node


IN_THE_PLAN = (
    no_sort, one_round_less, one_stream, one_less_to_draw, draws_after_asking, an_option_lost, nothing_caught,
    least_for_most, the_smaller_for_the_larger, below_or_equal, never_feasible_but_all,
)  # fmt: skip


@pytest.mark.parametrize("fault", some(IN_THE_PLAN, 2), ids=lambda fault: fault.__name__)
def test_faults_of_lowering_are_found(fault: Callable[[Any], Any], monkeypatch: Patch) -> None:
    made = pipeline._plan
    monkeypatch.setattr(pipeline, "_plan", lambda *parts: changed(made(*parts), fault))
    assert found("wasm")


# ---------------------------------------------------------------- in the evaluator


def undo_forgets_lists(patch: Patch) -> None:
    def restore(self: Any, position: Any, kept: int = 0) -> None:
        words, lists = position
        self.words[kept:] = words[kept:]
        self.lists[1:] = lists[1:]

    patch.setattr(closures.Storage, "restore", restore)


def no_result(patch: Patch) -> None:
    usual = Evaluator._run

    def run(self: Any, function: str) -> int:
        return p.Status.DONE.value if function == self.plan.result else usual(self, function)

    patch.setattr(Evaluator, "_run", run)


def only_the_first_way_is_tried(patch: Patch) -> None:
    patch.setattr(evaluator.Trial, "goes_on", lambda self: False)


def remainders_towards_zero(patch: Patch) -> None:
    def remainder(left: Any, right: Any) -> Any:
        return lambda frame: int(fmod(left(frame), right(frame)))

    patch.setitem(closures._BINARY, "%", remainder)


IN_THE_EVALUATOR = (undo_forgets_lists, no_result, only_the_first_way_is_tried, remainders_towards_zero)


@pytest.mark.parametrize("fault", some(IN_THE_EVALUATOR, 2), ids=lambda fault: fault.__name__)
def test_faults_of_the_evaluator_are_found(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    for seed in SEEDS:
        assert examined(seed).game is not None
    fault(monkeypatch)
    assert found("evaluator")


# ---------------------------------------------------------------- in the engine that is WebAssembly


def written(patch: Patch, module: Any, name: str, old: str, new: str) -> None:
    text = getattr(module, name)
    assert old in text, f"{name} says it in another way now"
    patch.setattr(module, name, text.replace(old, new))


def a_trial_forgets_the_last_list(patch: Patch) -> None:
    usual = module._numbers

    def numbers(plan: p.Plan, layout: Any) -> dict[str, int]:
        made = usual(plan, layout)
        first = 8 * (len(plan.words) - plan.kept)
        return made | {"undone_size": first}

    patch.setattr(module, "_numbers", numbers)


def remainders_with_the_wrong_sign(patch: Patch) -> None:
    written(patch, runtime_matches, "NUMBERS", "(i64.ne (local.get $r) (i64.const 0))", "(i64.eqz (local.get $r))")


def quotients_towards_zero(patch: Patch) -> None:
    written(patch, runtime_matches, "NUMBERS", "(i64.sub (local.get $q) (i64", "(i64.add (local.get $q) (i64")


def an_output_passed_over(patch: Patch) -> None:
    written(patch, runtime_matches, "CHANCE", "(i64.add (local.get $index) (i64.const 1))", "(i64.add (local.get $index) (i64.const 2))")  # fmt: skip  # noqa: E501


def the_last_option_found(patch: Patch) -> None:
    written(patch, runtime_memory, "LOOKING", "(i32.const -1))\n\n(func $alike ", "(i32.const 0))\n\n(func $alike ")


def one_entry_not_copied(patch: Patch) -> None:
    written(patch, runtime_memory, "SEQUENCES", "(i64.store offset=8 (local.get $to) (i64.load offset=8 (local.get $from)))", "(nop)")  # fmt: skip  # noqa: E501


def an_end_without_its_result(patch: Patch) -> None:
    patch.setitem(runtime_matches.PLAIN, "whole", "(i32.and (call $main) (i32.const {status_bits}))")


def the_first_way_alone_is_tried(patch: Patch) -> None:
    written(patch, runtime_backtracking, "TRYING", "(if (i32.ne (local.get $status) (i32.const {failed})) (then", "(if (i32.const 1) (then")  # fmt: skip  # noqa: E501


def equal_ones_turned_round(patch: Patch) -> None:
    written(patch, runtime_memory, "LOOKING", "(i32.const 0))\n\n(func $in_order", "(i32.const 1))\n\n(func $in_order")


def chance_kept_from_the_match_before(patch: Patch) -> None:
    keyed = "(call $keyed (local.get $seed))\n  (memory"
    unkeyed = "(if (i64.eqz (i64.load offset={keys} (i32.const 0))) (then (call $keyed (local.get $seed))))\n  (memory"
    written(patch, runtime_matches, "MATCH", keyed, unkeyed)


def others_than_those_chosen(patch: Patch) -> None:
    flag = "(i64.load offset=8 (local.get $flags))"
    written(patch, runtime_matches, "ASKING", f"(if (i64.eqz {flag})", f"(if (i64.ne (i64.const 0) {flag})")


IN_WASM = (
    a_trial_forgets_the_last_list, remainders_with_the_wrong_sign, quotients_towards_zero, an_output_passed_over,
    the_last_option_found, one_entry_not_copied, an_end_without_its_result, the_first_way_alone_is_tried,
    equal_ones_turned_round, chance_kept_from_the_match_before, others_than_those_chosen,
)  # fmt: skip


@pytest.mark.parametrize("fault", some(IN_WASM, 2), ids=lambda fault: fault.__name__)
def test_faults_of_webassembly_are_found(fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    assert found("wasm")


# ---------------------------------------------------------------- in matches that wait


def copies_share_what_functions_put_aside(patch: Patch) -> None:
    patch.setattr(evaluator, "_copied", lambda frame: frame)


def turns_are_not_copied(patch: Patch) -> None:
    usual = Evaluator.restore

    def restore(self: Any, saved: Any) -> None:
        turns = self.match.turns
        usual(self, saved)
        self.match.turns = turns

    patch.setattr(Evaluator, "restore", restore)


def guards_are_not_put_aside(patch: Patch) -> None:
    usual = evaluator._copied
    patch.setattr(evaluator, "_copied", lambda frame: [*usual(frame)[:GUARD], None, *frame[GUARD + 1 :]])


def guards_are_lost(patch: Patch) -> None:
    usual = runtime_suspension._load
    lost = "(global.set $guard " + usual("guard") + ")"
    written(patch, runtime_suspension, "STOPPING", lost, "(global.set $guard (i32.const 0))")


def skips_too_far(patch: Patch) -> None:
    usual = suspension._not_behind
    patch.setattr(suspension, "_not_behind", lambda place: usual(place - 1))


IN_WAITING = {
    "evaluator": (copies_share_what_functions_put_aside, turns_are_not_copied, guards_are_not_put_aside, skips_too_far),
    "wasm": (guards_are_lost, skips_too_far),
}


@pytest.mark.parametrize(
    ("engine", "fault"), [(engine, fault) for engine in IN_WAITING for fault in IN_WAITING[engine]]
)
def test_faults_of_waiting_are_found(engine: str, fault: Callable[[Patch], None], monkeypatch: Patch) -> None:
    fault(monkeypatch)
    assert any(_parts(plan, engine) for plan in (*GUARDED, *map(plan_by_chance, PLANS)))


def _parts(plan: p.Plan, engine: str) -> bool:
    try:
        same_in_steps(STEPPING[engine](plan), watched(plan, 5))
    except (AssertionError, LookupError, ArithmeticError):
        return True
    return False
