"""Runtime of modules whose matches are driven: many lie side by side, and one call plays each on to its next question.

A match that waits is brought to where matches play, given its answer, played on, observed, and put back.  All that
goes to and fro lies in arrays, an entry for each match; `FIELDS` says where they begin.  Names in braces are numbers
that the layout knows.
"""

from __future__ import annotations

from typing import Any

from rulekit.compiler.plan.ir import COMPLETE, Drive
from rulekit.compiler.wasm.memory_layout import FIELDS, WAITS, Layout
from rulekit.compiler.wasm.runtime_suspension import WAIT

ON, ANEW, KEEP = range(3)
"""What becomes of a match: it gets its answer, begins anew, or waits already and has but to be put aside."""
FINE, FULL, UNASKED, UNNUMBERED, REFUSED = range(5)
"""How a call ends: a match takes more room than it has; no match comes to a question; an option has no number; a number
may not be given, and nothing was played."""
MOST_UNASKED = 1000
"""Matches, one after the other, that may end without a question."""
HEAD = 16
"""Bytes before a match that is put aside: the page chosen, how many things, its size and that of its log."""


def numbers(drive: Drive, layout: Layout, seats: int) -> dict[str, Any]:
    """What the names in braces mean."""

    def cell(number: int) -> int:
        return layout.cells + 8 * number

    return {
        **{name: cell(getattr(drive, name)) for name in ("page", "count", "picked", "lacking", "codes", "seen")},
        **{f"at_{name}": layout.driven + 8 * number for number, name in enumerate(FIELDS)},
        **{f"waits_{name}": layout.waits + 8 * number for number, name in enumerate(WAITS)},
        "drive_actions": drive.actions,
        "codes_size": 8 * drive.actions,
        "seen_size": 8 * drive.width,
        "seats": seats,
        "complete": COMPLETE,
    }


def _field(name: str) -> str:
    return f"(i32.load (i32.const {{at_{name}}}))"


def _entry(name: str, shift: int = 3) -> str:
    """The address of a match's entry."""
    return f"(i32.add {_field(name)} (i32.shl (local.get $match) (i32.const {shift})))"


def _row(name: str, width: str, shift: int) -> str:
    """The address of a match's row of so many entries."""
    wide = f"(i32.shl (i32.mul (local.get $match) (i32.const {width})) (i32.const {shift}))"
    return f"(i32.add {_field(name)} {wide})"


_SLOT = f"(i32.add (i32.const {{slots}}) (i32.mul (local.get $match) {_field('stride')}))"
_ASKED = "(i64.load (i32.const {waits_ask}))"
_SEAT = "(i64.load (i32.const {waits_seat}))"


TEXT = f"""
;; What the seat is asked that now waits: what each number does, and which may be given.
(func $offered (export "offered") (param $match i32)
  (local $at i32) (local $codes i32) (local $masks i32) (local $code i32)
  (global.set $arena (i32.load (i32.const {{waits_frames}})))
  (memory.fill (i32.const {{codes}}) (i32.const 0) (i32.const {{codes_size}}))
  (call $plan.drive_offer {_ASKED} {_SEAT} (i32.load (i32.const {{waits_options}}))
    (i64.load (i32.const {{waits_least}})) (i64.load (i32.const {{waits_most}})))
  (local.set $codes {_row("codes", "{drive_actions}", 2)})
  (local.set $masks {_row("masks", "{drive_actions}", 0)})
  (loop $on
    (local.set $code (i32.load offset={{codes}} (i32.shl (local.get $at) (i32.const 3))))
    (i32.store (i32.add (local.get $codes) (i32.shl (local.get $at) (i32.const 2))) (local.get $code))
    (i32.store8 (i32.add (local.get $masks) (local.get $at)) (i32.ne (local.get $code) (i32.const 0)))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $on (i32.lt_u (local.get $at) (i32.const {{drive_actions}}))))
  (memory.fill (i32.const {{seen}}) (i32.const 0) (i32.const {{seen_size}}))
  (call $plan.drive_observe {_ASKED} {_SEAT})
  (memory.copy {_row("seen", "{seen_size}", 0)} (i32.const {{seen}}) (i32.const {{seen_size}}))
  (i64.store {_entry("seats")} {_SEAT})
  (i64.store {_entry("asks")} {_ASKED}))

;; Put a match that waits aside; FULL if it takes more room than it has.
(func $put_aside (param $match i32) (result i32) (local $to i32) (local $bytes i32) (local $log i32) (local $picked i32)
  (local.set $bytes (i32.sub (i32.load (i32.const {{waits_frames}})) (i32.const {{storage}})))
  (local.set $log (i32.sub (i32.load (i32.const {{waits_log}})) (i32.const {{log}})))
  (local.set $picked (i32.shl (i32.load (i32.const {{count}})) (i32.const 3)))
  (local.set $to (i32.add (i32.const {HEAD})
    (i32.add (local.get $bytes) (i32.add (local.get $log) (local.get $picked)))))
  (if (i32.gt_u (local.get $to) {_field("stride")})
    (then
      (i32.store (i32.const {{at_need}}) (local.get $to))
      (return (i32.const {FULL}))))
  (local.set $to {_SLOT})
  (i32.store (local.get $to) (i32.load (i32.const {{page}})))
  (i32.store offset=4 (local.get $to) (i32.load (i32.const {{count}})))
  (i32.store offset=8 (local.get $to) (local.get $bytes))
  (i32.store offset=12 (local.get $to) (local.get $log))
  (local.set $to (i32.add (local.get $to) (i32.const {HEAD})))
  (memory.copy (local.get $to) (i32.const {{storage}}) (local.get $bytes))
  (local.set $to (i32.add (local.get $to) (local.get $bytes)))
  (memory.copy (local.get $to) (i32.const {{log}}) (local.get $log))
  (memory.copy (i32.add (local.get $to) (local.get $log)) (i32.const {{picked}}) (local.get $picked))
  (i32.const {FINE}))

(func $take_up (param $match i32) (local $from i32)
  (local.set $from {_SLOT})
  (i64.store (i32.const {{page}}) (i64.load32_s (local.get $from)))
  (i64.store (i32.const {{count}}) (i64.load32_u offset=4 (local.get $from)))
  (memory.copy (i32.const {{picked}}) (call $load_position (i32.add (local.get $from) (i32.const 8)))
    (i32.shl (i32.load (i32.const {{count}})) (i32.const 3))))

(func $nothing_chosen
  (i64.store (i32.const {{page}}) (i64.const -1))
  (i64.store (i32.const {{count}}) (i64.const 0)))

;; A place more, among those in rising order.
(func $pick (param $place i64) (local $at i32) (local $before i32)
  (local.set $at (i32.add (i32.const {{picked}}) (i32.shl (i32.load (i32.const {{count}})) (i32.const 3))))
  (block $there
    (loop $on
      (local.set $before (i32.sub (local.get $at) (i32.const 8)))
      (br_if $there (i32.lt_u (local.get $before) (i32.const {{picked}})))
      (br_if $there (i64.lt_s (i64.load (local.get $before)) (local.get $place)))
      (i64.store (local.get $at) (i64.load (local.get $before)))
      (local.set $at (local.get $before))
      (br $on)))
  (i64.store (local.get $at) (local.get $place))
  (i64.store (i32.const {{count}}) (i64.add (i64.load (i32.const {{count}})) (i64.const 1))))

;; What a number does; whether the answer to the question is complete, which then lies where the host's would.
(func $chosen (param $code i32) (result i32)
  (if (i32.lt_s (local.get $code) (i32.const 0))
    (then
      (i64.store (i32.const {{page}}) (i64.extend_i32_s (i32.sub (i32.const -1) (local.get $code))))
      (return (i32.const 0))))
  (if (i32.eqz (i32.load (i32.const {{waits_several}})))
    (then
      (i64.store (i32.const {{answer_size}}) (i64.const 1))
      (i64.store (i32.const {{answer}}) (i64.extend_i32_u (i32.sub (local.get $code) (i32.const 1))))
      (return (i32.const 1))))
  (i64.store (i32.const {{page}}) (i64.const -1))
  (if (i32.ne (local.get $code) (i32.const {{complete}}))
    (then
      (call $pick (i64.extend_i32_u (i32.sub (local.get $code) (i32.const 1))))
      (if (i64.lt_u (i64.load (i32.const {{count}})) (i64.load (i32.const {{waits_most}})))
        (then (return (i32.const 0))))))
  (i64.store (i32.const {{answer_size}}) (i64.load (i32.const {{count}})))
  (memory.copy (i32.const {{answer}}) (i32.const {{picked}})
    (i32.shl (i32.load (i32.const {{count}})) (i32.const 3)))
  (i32.const 1))

;; The end of a match: how it ended, and what it came to.
(func $note_end (param $match i32) (param $status i32) (local $seat i32)
  (i64.store {_entry("ended")} (i64.extend_i32_u (local.get $status)))
  (i64.store {_entry("ended_rounds")} (i64.load {_entry("rounds")}))
  (if (i32.eqz (local.get $status))
    (then
      (loop $on
        (i64.store
          (i32.add {_row("rewards", "{seats}", 3)} (i32.shl (local.get $seat) (i32.const 3)))
          (call $plan.drive_reward (i64.extend_i32_u (local.get $seat))))
        (local.set $seat (i32.add (local.get $seat) (i32.const 1)))
        (br_if $on (i32.lt_u (local.get $seat) (i32.const {{seats}})))))))

;; The next match in this place.
(func $next_round (param $match i32) (result i32)
  (i64.store {_entry("rounds")} (i64.add (i64.load {_entry("rounds")}) (i64.const 1)))
  (global.set $hook (i32.const {WAIT}))
  (global.set $resuming (i32.const 0))
  (call $run (call $output
    (call $output (i64.load (i32.const {{at_series}})) (i64.extend_i32_u (local.get $match)))
    (i64.load {_entry("rounds")}))))

;; One match on to its next question; those that end without any are passed over.
(func $drive_one (param $match i32) (param $how i32) (result i32) (local $status i32) (local $tries i32)
  (i64.store {_entry("ended")} (i64.const -1))
  (memory.fill {_row("rewards", "{seats}", 3)} (i32.const 0) (i32.shl (i32.const {{seats}}) (i32.const 3)))
  (if (i32.eq (local.get $how) (i32.const {ON}))
    (then
      (call $take_up (local.get $match))
      (if (i32.eqz (call $chosen (i32.load (i32.add {_row("codes", "{drive_actions}", 2)}
            (i32.shl (i32.wrap_i64 (i64.load {_entry("actions")})) (i32.const 2))))))
        (then
          (call $offered (local.get $match))
          (return (call $put_aside (local.get $match)))))
      (global.set $hook (i32.const {WAIT}))
      (local.set $status (call $resume))
      (if (i32.ne (local.get $status) (i32.const {{waiting}}))
        (then
          (call $note_end (local.get $match) (local.get $status))
          (local.set $status (call $next_round (local.get $match))))))
    (else (local.set $status (call $next_round (local.get $match)))))
  (block $asks
    (loop $on
      (br_if $asks (i32.eq (local.get $status) (i32.const {{waiting}})))
      ;; A rule that fails is told all the same.
      (if (i32.gt_u (local.get $status) (i32.const {{endless}}))
        (then (call $note_end (local.get $match) (local.get $status))))
      (local.set $tries (i32.add (local.get $tries) (i32.const 1)))
      (if (i32.eq (local.get $tries) (i32.const {MOST_UNASKED})) (then (return (i32.const {UNASKED}))))
      (local.set $status (call $next_round (local.get $match)))
      (br $on)))
  (call $nothing_chosen)
  (call $offered (local.get $match))
  (if (i32.load (i32.const {{lacking}})) (then (return (i32.const {UNNUMBERED}))))
  (call $put_aside (local.get $match)))

;; Whether all numbers given may be given: the first match whose number may not, or how many matches there are.
(func $refused (result i32) (local $match i32) (local $action i64)
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $match) {_field("matches")}))
      (local.set $action (i64.load {_entry("actions")}))
      (br_if $done (i64.ge_u (local.get $action) (i64.const {{drive_actions}})))
      (br_if $done (i32.eqz (i32.load8_u
        (i32.add {_row("masks", "{drive_actions}", 0)} (i32.wrap_i64 (local.get $action))))))
      (local.set $match (i32.add (local.get $match) (i32.const 1)))
      (br $on)))
  (local.get $match))

;; Every match gets its number, if all may be given; else `at` is the first whose number may not.
(func (export "go_on_all") (result i32)
  (i32.store (i32.const {{at_at}}) (call $refused))
  (if (i32.lt_u {_field("at")} {_field("matches")}) (then (return (i32.const {REFUSED}))))
  (i32.store (i32.const {{at_at}}) (i32.const 0))
  (call $drive (i32.const {ON}) (i32.const {ON})))

;; All matches from `at` on; that says how far it came.
;; how: what becomes of the first of them; then: of the others.
(func $drive (export "drive") (param $how i32) (param $then i32) (result i32) (local $match i32) (local $came i32)
  (local.set $match {_field("at")})
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $match) {_field("matches")}))
      (i32.store (i32.const {{at_at}}) (local.get $match))
      (local.set $came (if (result i32) (i32.eq (local.get $how) (i32.const {KEEP}))
        (then (call $put_aside (local.get $match)))
        (else (call $drive_one (local.get $match) (local.get $how)))))
      (if (i32.ne (local.get $came) (i32.const {FINE})) (then (return (local.get $came))))
      (local.set $how (local.get $then))
      (local.set $match (i32.add (local.get $match) (i32.const 1)))
      (br $on)))
  (i32.const {FINE}))
"""
