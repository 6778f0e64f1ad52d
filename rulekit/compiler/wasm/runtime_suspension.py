"""Runtime of modules whose matches can be suspended and resumed, as WebAssembly text.

What a match is while it waits lies in one span of memory: storage, keys,
turns, `WAITS`, and the arena with what the functions put aside on top of it.
(What guards remember of answers is another, and mostly empty.)  Nothing else
has to be kept.  `hook` says who answers: 0 chance, 1 the host, 2 nobody:
the match waits.
"""

from __future__ import annotations

from rulekit.compiler.wasm.memory_layout import WAITS
from rulekit.compiler.wasm.runtime_matches import PLAIN

CHANCE, HOST, WAIT, SCRIPT = 0, 1, 2, 4
"""Who answers, each a bit."""


def _load(name: str) -> str:
    return f"(i32.load offset={8 * WAITS.index(name)} (i32.const {{waits}}))"


def _store(name: str, value: str) -> str:
    return f"(i64.store offset={8 * WAITS.index(name)} (i32.const {{waits}}) {value})"


def _keep(name: str, value: str) -> str:
    return _store(name, f"(i64.extend_i32_u {value})")


def _at(least: str, most: str, several: int, nothing: str) -> str:
    waits = (
        f"(call $waits (local.get $ask) (local.get $seat) (local.get $options) {least} {most} (i32.const {several}))"
    )
    stops = f"(if {waits} (then (return ({nothing}.const 0) (i32.const {{waiting}}))))"
    may = f"(i32.or (global.get $resuming) (i32.and (global.get $hook) (i32.const {WAIT | SCRIPT})))"
    return f"(if {may} (then {stops}))"


WAYS = {
    "whole": f"""{_keep("phase", "(i32.const 0)")}
  (call $on)""",
    "at_one": _at("(i64.const 1)", "(i64.const 1)", 0, "i64"),
    "at_several": _at("(local.get $least)", "(local.get $most)", 1, "i32"),
    "at_draw": f"""(if (i32.and (i32.eq (global.get $hook) (i32.const {SCRIPT})) (i32.eqz (global.get $trying)))
    (then (if (i32.lt_u (global.get $drawn_at) (global.get $drawn_end))
      (then (return (call $drawn_by_script (local.get $stream) (local.get $n)) (i32.const 0))))))""",
    "host": f"""(if (i32.eq (global.get $hook) (i32.const {HOST})) (then (call $host)))
  (if (i32.eq (global.get $hook) (i32.const {SCRIPT})) (then (call $answered_by_script
    (i32.wrap_i64 (local.get $seat)))))""",
    "place": PLAIN["place"],
}
"""In place of `runtime_matches.PLAIN`."""

STOPPING = f"""
(global $resuming (mut i32) (i32.const 0))
(global $frame (mut i32) (i32.const 0))

;; Whether a question is to wait.  One that is asked again, as the match goes on, does not.
(func $waits (param $ask i32) (param $seat i64) (param $options i32) (param $least i64) (param $most i64)
  (param $several i32) (result i32)
  (if (global.get $resuming)
    (then
      (global.set $resuming (i32.const 0))
      (global.set $arena {_load("arena")})
      (return (i32.const 0))))
  (if (i32.eq (global.get $hook) (i32.const {SCRIPT}))
    (then (if (i32.lt_u (call $queue (i32.wrap_i64 (local.get $seat)) (i32.const 0))
                (call $queue (i32.wrap_i64 (local.get $seat)) (i32.const 4)))
      (then (return (i32.const 0)))))
    (else (if (i32.ne (global.get $hook) (i32.const {WAIT})) (then (return (i32.const 0))))))
  {_keep("ask", "(local.get $ask)")}
  {_store("seat", "(local.get $seat)")}
  {_keep("options", "(local.get $options)")}
  {_store("least", "(local.get $least)")}
  {_store("most", "(local.get $most)")}
  {_keep("several", "(local.get $several)")}
  {_keep("arena", "(global.get $arena)")}
  {_keep("guard", "(global.get $guard)")}
  {_keep("log", "(global.get $log_end)")}
  {_keep("decisions", "(global.get $decisions)")}
  (i32.const 1))

;; From the beginning, or from where it was; the result is a part of the match.
(func $on (result i32) (local $status i32)
  (if (i32.eqz {_load("phase")})
    (then
      (local.set $status (call $main))
      (if (i32.eq (local.get $status) (i32.const {{end}}))
        (then
          {_keep("phase", "(i32.const 1)")}
          (local.set $status (call $result)))))
    (else (local.set $status (call $result))))
  (if (i32.eq (local.get $status) (i32.const {{waiting}})) (then {_keep("frames", "(global.get $arena)")}))
  (call $in_bounds (i32.and (local.get $status) (i32.const {{status_bits}}))))

;; A script lies in the exchange: for each seat where its answers begin and end; there numbers, each answer a size and
;; its places; and chance, a stream, how many there were, and which.
(global $drawn_at (mut i32) (i32.const 0))
(global $drawn_end (mut i32) (i32.const 0))

(func $queue (param $seat i32) (param $end i32) (result i32)
  (i32.load offset={{queues}} (i32.add (i32.shl (local.get $seat) (i32.const 3)) (local.get $end))))

(func $answered_by_script (param $seat i32) (local $at i32) (local $bytes i32)
  (local.set $at (call $queue (local.get $seat) (i32.const 0)))
  (local.set $bytes (i32.shl (i32.add (i32.wrap_i64 (i64.load (local.get $at))) (i32.const 1)) (i32.const 3)))
  (memory.copy (i32.const {{answer_size}}) (local.get $at) (local.get $bytes))
  (i32.store offset={{queues}} (i32.shl (local.get $seat) (i32.const 3))
    (i32.add (local.get $at) (local.get $bytes))))

;; What the script leaves out is a draw from what is all alike.
(func $drawn_by_script (param $stream i32) (param $n i64) (result i64) (local $place i64) (local $count i32)
  (local.set $count (i32.shl (local.get $stream) (i32.const 3)))
  (i64.store offset={{draws}} (local.get $count)
    (i64.add (i64.load offset={{draws}} (local.get $count)) (i64.const 1)))
  (if (i32.and (i32.eq (i32.load (global.get $drawn_at)) (local.get $stream))
        (i64.eq (i64.load32_u offset=4 (global.get $drawn_at)) (local.get $n)))
    (then
      (local.set $place (i64.load32_u offset=8 (global.get $drawn_at)))
      (global.set $drawn_at (i32.add (global.get $drawn_at) (i32.const 16)))))
  (local.get $place))

;; A match that waits is to go on.
(func $taken_up
  (global.set $frame {_load("frames")})
  (global.set $arena {_load("frames")})
  (global.set $guard {_load("guard")})
  (global.set $log_end {_load("log")})
  (global.set $led (i32.const 0))
  (global.set $decisions {_load("decisions")})
  (global.set $work (i64.const 0))
  (call $allow)
  (global.set $overfull (i32.const 0))
  (global.set $trying (i32.const 0))
  (global.set $script (i32.const {{script}}))
  (global.set $script_end (i32.const {{script}})))

(func $resume (export "resume") (result i32)
  (global.set $resuming (i32.const 1))
  (call $taken_up)
  (call $on))

;; For the host, which sets no global: that takes it longer than a match.
(func (export "begin_waiting") (param $seed i64) (result i32)
  (global.set $hook (i32.const {WAIT}))
  (call $run (local.get $seed)))

(func (export "go_on") (result i32)
  (global.set $hook (i32.const {WAIT}))
  (call $resume))

(func (export "enter") (param $seed i64) (param $drawn_end i32) (result i32)
  (global.set $hook (i32.const {SCRIPT}))
  (global.set $drawn_at (i32.const {{drawn}}))
  (global.set $drawn_end (local.get $drawn_end))
  (call $run (local.get $seed)))

;; Memory up to an address.
(func $reserve (export "reserve") (param $end i32)
  (if (i32.gt_u (local.get $end) (global.get $top)) (then (call $widen (local.get $end)))))

;; A match that was saved: bytes of the match and of the log, then these; gives the address behind them.
(func $load_position (param $from i32) (result i32) (local $match i32) (local $log i32)
  (local.set $match (i32.load (local.get $from)))
  (local.set $log (i32.load offset=4 (local.get $from)))
  (local.set $from (i32.add (local.get $from) (i32.const 8)))
  (call $reserve (i32.add (local.get $match) (i32.const {{storage}})))
  (memory.copy (i32.const {{storage}}) (local.get $from) (local.get $match))
  (local.set $from (i32.add (local.get $from) (local.get $match)))
  (memory.copy (i32.const {{log}}) (local.get $from) (local.get $log))
  (i32.add (local.get $from) (local.get $log)))

;; The rest of the match that waits, with chance from another seed.
(func $playout (export "playout") (param $seed i64) (result i32)
  (call $keyed (local.get $seed))
  (global.set $hook (i32.const {CHANCE}))
  (call $resume))
"""
