"""Runtime of modules that search, as WebAssembly text: simulations from saved positions, by the functions of the plan.

Names in braces are numbers that the layout knows; the functions are those of `ir.Search`.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.lower.search.parameters import SEARCH_SEED
from rulekit.compiler.plan.ir import Search
from rulekit.compiler.wasm.memory_layout import Layout
from rulekit.compiler.wasm.runtime_suspension import CHANCE, WAIT
from rulekit.compiler.wasm.runtime_suspension import WAYS as STOPPING_WAYS

SEARCH = 8
"""Who answers, beside those of `runtime_suspension`: the search at work."""
_QUESTION = "(i64.extend_i32_u (local.get $ask)) (local.get $seat) (local.get $options)"
_SEARCHED = f"""(if (i32.eq (global.get $hook) (i32.const {SEARCH}))
    (then (call $searched (call $plan.search_choose_several {_QUESTION} (local.get $least) (local.get $most)))))"""
_ONE = f"""(if (result i64) (i32.eq (global.get $hook) (i32.const {SEARCH}))
  (then (call $plan.search_choose_one {_QUESTION}) (call $left_trees))
  (else {STOPPING_WAYS["place"]}))"""
WAYS = STOPPING_WAYS | {"host": f"{STOPPING_WAYS['host']} {_SEARCHED}", "place": _ONE}
"""In place of those of `runtime_suspension`."""


def numbers(search: Search, layout: Layout) -> dict[str, Any]:
    """What the names in braces mean."""
    return {"luck": SEARCH_SEED, "inside": layout.cells + 8 * search.inside}


TEXT = f"""
(global $begun (export "begun") (mut i32) (i32.const 0))
(global $ended (export "ended") (mut i32) (i32.const 0))

;; From where the search has no node on, chance answers.
(func $left_trees
  (if (i64.eqz (i64.load (i32.const {{inside}}))) (then (global.set $hook (i32.const {CHANCE})))))

;; The answer of the search, a sequence on top of the arena, goes where the host's would lie.
(func $searched (param $made i32)
  (i64.store (i32.const {{answer_size}}) (i64.load32_u (local.get $made)))
  (memory.copy (i32.const {{answer}}) (i32.add (local.get $made) (i32.const 8))
    (i32.shl (i32.load (local.get $made)) (i32.const 3)))
  (global.set $arena (local.get $made))
  (call $left_trees))

(func $simulate (param $from i32) (param $number i64) (param $seed i64) (result i32)
  (drop (call $load_position (local.get $from)))
  (call $plan.search_begin (local.get $number) (call $mixed (i64.add (local.get $seed) (i64.const {{luck}}))))
  (call $keyed (local.get $seed))
  (global.set $hook (i32.const {SEARCH}))
  (call $resume))

(func $search (export "search") (param $seed i64) (param $first i64) (param $count i32) (param $positions i64)
  (result i32) (local $number i64)
  (global.set $begun (i32.const 0))
  (global.set $ended (i32.const 0))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (global.get $begun) (local.get $count)))
      (local.set $number (i64.add (local.get $first) (i64.extend_i32_u (global.get $begun))))
      (global.set $begun (i32.add (global.get $begun) (i32.const 1)))
      (if (i32.eqz (call $simulate
            (i32.load offset={{starts}} (i32.shl (i32.wrap_i64
              (i64.rem_u (local.get $number) (local.get $positions))) (i32.const 2)))
            (local.get $number)
            (call $output (local.get $seed) (local.get $number))))
        (then
          (call $plan.search_learn)
          (global.set $ended (i32.add (global.get $ended) (i32.const 1)))))
      (br $on)))
  (i32.const 0))

;; The result as if the match that waits ended now.
(func (export "judge") (result i32)
  (call $taken_up)
  (global.set $hook (i32.const {WAIT}))
  (global.set $guard (i32.const 0))
  (global.set $log_end (i32.const {{log}}))
  (i32.and (call $result) (i32.const {{status_bits}})))

;; The key of the question that waits, as that with which simulations begin; where the answers of a node begin;
;; and the key of the node behind an answer.
(func (export "root") (result i64)
  (call $plan.search_begin (i64.const 1) (i64.const 0))
  (call $plan.search_key (i64.load (i32.const {{waits}})) (i64.load offset=8 (i32.const {{waits}}))
    (i32.load offset=16 (i32.const {{waits}}))))

(func (export "node") (param $key i64) (result i64)
  (call $plan.search_node (local.get $key) (i64.const 0)))

(func (export "behind") (param $key i64) (param $place i64) (result i64)
  (call $plan.search_behind (local.get $key) (local.get $place)))
"""
