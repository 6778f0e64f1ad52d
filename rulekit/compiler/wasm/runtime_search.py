"""Runtime of modules that search, as WebAssembly text: information-set Monte Carlo tree search, see `tree_search`.

What a search remembers lies before the arena.  A node is its key, how many
answers there are and how often one was tried; then for each answer how often
and what that came to.  Names in braces are numbers that the layout knows.
"""

from __future__ import annotations

from struct import pack
from typing import Any

from attrs import frozen

from rulekit import limits
from rulekit.compiler.runtime import information_sets as s
from rulekit.compiler.runtime.tree_search import (
    DEFEATED,
    EXPLORATION,
    LEAD_WEIGHT,
    LOG_2,
    LOGS,
    MAX_ANSWERS,
    MAX_DEPTH,
    MAX_NODES,
    SEARCH_SEED,
    UNPLACED,
)
from rulekit.compiler.wasm.memory_layout import Allocator, Layout
from rulekit.compiler.wasm.runtime_suspension import WAYS as STOPPING_WAYS

SEARCH = 3
"""Who answers, beside those of `runtime_suspension`: the search at work."""
TABLE = 4 * MAX_NODES
"""Entries of the table that finds nodes; a power of 2."""
POSITIONS = 32 << 20
"""Bytes for the positions that simulations begin with."""
MAX_POSITIONS = 4096


@frozen
class SearchLayout:
    """Where the things of a search lie.

    known:   what the seats know of the answers.  path: of the simulation at work.  worths: by seat.
    looks:   for each seat where its looks stand and how many they are.  things: the printed thing of each.
    asks:    what is to be known of each question.  values: options as a seat can tell them apart.
    starts:  the addresses of positions; positions: these.
    """

    known: int
    path: int
    worths: int
    leads: int
    logs: int
    looks: int
    things: int
    asks: int
    values: int
    starts: int
    table: int
    nodes: int
    positions: int


def lay_out_search(sight: s.Observer, space: Allocator, words: int, lists: tuple[int, ...]) -> SearchLayout:
    """Take room for a search.  words, lists: where these lie."""
    seats = [_seat(space, looks, words, lists) for looks in sight.looks]
    flags = [one.things | one.open << 1 | one.apart << 2 for one in sight.asks]
    return SearchLayout(
        space.room(8 * (1 + len(sight.looks))),
        space.room(16 * (MAX_DEPTH + 1)),
        space.room(8 * len(sight.looks)),
        space.room(24),
        space.keep(pack(f"<{len(LOGS)}d", *LOGS)),
        space.keep(pack(f"<{2 * len(seats)}I", *(number for pair in seats for number in pair))),
        space.keep(pack(f"<{len(sight.rows)}i", *sight.rows)),
        space.keep(pack(f"<{len(flags)}i", *flags)),
        space.room(8 * limits.OPTIONS),
        space.room(4 * MAX_POSITIONS),
        space.room(4 * TABLE),
        space.room(16 * (MAX_NODES + MAX_ANSWERS)),
        space.room(POSITIONS),
    )


def _seat(space: Allocator, looks: tuple[s.Observable, ...], words: int, lists: tuple[int, ...]) -> tuple[int, int]:
    made = b"".join(
        pack(
            "<Iiii",
            words + 8 * look.number if look.form in (s.WORD, s.THING) else lists[look.number],
            look.form,
            look.owner,
            0,
        )
        for look in looks
    )
    return space.keep(made), len(looks)


def numbers(found: SearchLayout, sight: s.Observer, layout: Layout) -> dict[str, Any]:
    """What the names in braces mean."""
    words = layout.words
    leads = 0 if sight.leads is None else words + 8 * sight.leads
    return {
        "known": found.known, "known_size": 8 * (1 + len(sight.looks)), "path": found.path, "worths": found.worths,
        "leads": found.leads, "logs": found.logs, "looks": found.looks, "things": found.things, "asks": found.asks,
        "values": found.values, "starts": found.starts, "table": found.table, "nodes": found.nodes,
        "mask": TABLE - 1, "most_nodes": MAX_NODES, "most_answers": MAX_ANSWERS,
        "path_limit": found.path + 16 * MAX_DEPTH, "rows": len(sight.rows), "luck": SEARCH_SEED, "log_2": repr(LOG_2),
        "curiosity": repr(EXPLORATION), "lead": repr(LEAD_WEIGHT), "rest": repr(1.0 - LEAD_WEIGHT),
        "seats": len(sight.looks), "rank": words + 8 * sight.rank, "defeated": words + 8 * sight.defeated,
        "lead_words": leads, "has_leads": int(sight.leads is not None), "none_placed": UNPLACED, "all_behind": DEFEATED,
        "log_size": len(LOGS), "size": s.SIZE, "word": s.WORD, "thing": s.THING, "numbers_form": s.NUMBERS,
        "top_form": s.TOP,
    }  # fmt: skip


_ASKED = "(local.get $ask) (i32.wrap_i64 (local.get $seat)) (local.get $options)"
_RANGE = "(i32.wrap_i64 (local.get $least)) (i32.wrap_i64 (local.get $most)) (local.get $several)"
_SEARCHED = f"(if (i32.eq (global.get $hook) (i32.const {SEARCH})) (then (call $searched {_ASKED} {_RANGE})))"
WAYS = STOPPING_WAYS | {"host": f"{STOPPING_WAYS['host']} {_SEARCHED}"}
"""In place of those of `runtime_suspension`."""

TEXT = """
(global $inside (mut i32) (i32.const 0))
(global $luck (mut i64) (i64.const 0))
(global $luck_at (mut i64) (i64.const 0))
(global $path_end (mut i32) (i32.const 0))
(global $node_end (mut i32) (i32.const {nodes}))
(global $node_count (mut i32) (i32.const 0))
(global $answer_count (mut i32) (i32.const 0))
(global $begun (export "begun") (mut i32) (i32.const 0))
(global $ended (export "ended") (mut i32) (i32.const 0))

(func $mix (param $key i64) (param $value i64) (result i64)
  (call $mixed (i64.add (local.get $key) (local.get $value))))

(func $lucky (param $n i32) (result i32) (local $value i64)
  (call $below (global.get $luck) (global.get $luck_at) (i64.extend_i32_u (local.get $n)))
  (global.set $luck_at)
  (local.set $value)
  (i32.wrap_i64 (local.get $value)))

(func $logarithm (param $n i32) (result f64) (local $more f64)
  (block $done
    (loop $on
      (br_if $done (i32.lt_u (local.get $n) (i32.const {log_size})))
      (local.set $n (i32.shr_u (local.get $n) (i32.const 1)))
      (local.set $more (f64.add (local.get $more) (f64.const {log_2})))
      (br $on)))
  (f64.add (f64.load offset={logs} (i32.shl (local.get $n) (i32.const 3))) (local.get $more)))

;; The node of an information set; a new one where there is room, else 0.
(func $node (param $key i64) (param $size i32) (result i32) (local $at i32) (local $node i32) (local $bytes i32)
  (local.set $at (i32.and (i32.wrap_i64 (local.get $key)) (i32.const {mask})))
  (loop $on
    (local.set $node (i32.load offset={table} (i32.shl (local.get $at) (i32.const 2))))
    (if (local.get $node)
      (then
        (if (i64.eq (i64.load (local.get $node)) (local.get $key)) (then (return (local.get $node))))
        (local.set $at (i32.and (i32.add (local.get $at) (i32.const 1)) (i32.const {mask})))
        (br $on))))
  (if (i32.eqz (local.get $size)) (then (return (i32.const 0))))
  (if (i32.or (i32.ge_u (global.get $node_count) (i32.const {most_nodes}))
        (i32.gt_u (i32.add (global.get $answer_count) (local.get $size)) (i32.const {most_answers})))
    (then (return (i32.const 0))))
  (local.set $node (global.get $node_end))
  (local.set $bytes (i32.add (i32.const 16) (i32.shl (local.get $size) (i32.const 4))))
  (memory.fill (local.get $node) (i32.const 0) (local.get $bytes))
  (i64.store (local.get $node) (local.get $key))
  (i32.store offset=8 (local.get $node) (local.get $size))
  (i32.store offset={table} (i32.shl (local.get $at) (i32.const 2)) (local.get $node))
  (global.set $node_end (i32.add (local.get $node) (local.get $bytes)))
  (global.set $node_count (i32.add (global.get $node_count) (i32.const 1)))
  (global.set $answer_count (i32.add (global.get $answer_count) (local.get $size)))
  (local.get $node))

;; One of so many answers: never tried, else the one that promises most; of secret ones with some chance in it.
(func $choice (param $key i64) (param $size i32) (param $seat i32) (param $open i32) (result i32)
  (local $node i32) (local $new i32) (local $place i32)
  (if (i32.eq (local.get $size) (i32.const 1)) (then (return (i32.const 0))))
  (if (global.get $inside) (then (local.set $node (call $node (local.get $key) (local.get $size)))))
  (if (i32.eqz (local.get $node))
    (then
      (global.set $inside (i32.const 0))
      (return (call $lucky (local.get $size)))))
  (local.set $new (call $untried (local.get $node) (local.get $size)))
  (if (local.get $new)
    (then (local.set $place (call $new_one (local.get $node) (call $lucky (local.get $new)))))
    (else (local.set $place (call $most_promising (local.get $node) (local.get $size) (local.get $open)))))
  (i32.store (global.get $path_end) (local.get $node))
  (i32.store offset=4 (global.get $path_end)
    (i32.add (local.get $node) (i32.shl (local.get $place) (i32.const 4))))
  (i32.store offset=8 (global.get $path_end) (local.get $seat))
  (global.set $path_end (i32.add (global.get $path_end) (i32.const 16)))
  (global.set $inside (i32.and (i32.eqz (local.get $new))
    (i32.lt_u (global.get $path_end) (i32.const {path_limit}))))
  (local.get $place))

(func $untried (param $node i32) (param $size i32) (result i32) (local $count i32) (local $end i32)
  (local.set $end (i32.add (local.get $node) (i32.shl (local.get $size) (i32.const 4))))
  (loop $on
    (local.set $count (i32.add (local.get $count) (i64.eqz (i64.load offset=16 (local.get $node)))))
    (local.set $node (i32.add (local.get $node) (i32.const 16)))
    (br_if $on (i32.lt_u (local.get $node) (local.get $end))))
  (local.get $count))

(func $new_one (param $node i32) (param $skip i32) (result i32) (local $place i32)
  (loop $on
    (if (i64.eqz (i64.load offset=16 (local.get $node)))
      (then
        (if (i32.eqz (local.get $skip)) (then (return (local.get $place))))
        (local.set $skip (i32.sub (local.get $skip) (i32.const 1)))))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (local.set $node (i32.add (local.get $node) (i32.const 16)))
    (br $on))
  unreachable)

(func $share (result f64) (local $value i64)
  (local.set $value (call $output (global.get $luck) (global.get $luck_at)))
  (global.set $luck_at (i64.add (global.get $luck_at) (i64.const 1)))
  (f64.mul (f64.convert_i64_u (i64.shr_u (local.get $value) (i64.const 11))) (f64.const 0x1p-53)))

(func $most_promising (param $node i32) (param $size i32) (param $open i32) (result i32) (local $curiosity f64)
  (local $place i32) (local $found i32) (local $best f64) (local $promise f64) (local $visits f64) (local $logged f64)
  (local.set $logged (call $logarithm (i32.load offset=12 (local.get $node))))
  (local.set $best (f64.const -1))
  (local.set $curiosity (f64.const {curiosity}))
  (loop $on
    (if (i32.eqz (local.get $open))
      (then (local.set $curiosity (f64.mul (f64.const {curiosity}) (f64.add (f64.const 0.5) (call $share))))))
    (local.set $visits (f64.convert_i64_s (i64.load offset=16 (local.get $node))))
    (local.set $promise (f64.add
      (f64.div (f64.load offset=24 (local.get $node)) (local.get $visits))
      (f64.mul (local.get $curiosity) (f64.sqrt (f64.div (local.get $logged) (local.get $visits))))))
    (if (f64.gt (local.get $promise) (local.get $best))
      (then
        (local.set $best (local.get $promise))
        (local.set $found (local.get $place))))
    (local.set $node (i32.add (local.get $node) (i32.const 16)))
    (local.set $place (i32.add (local.get $place) (i32.const 1)))
    (br_if $on (i32.lt_u (local.get $place) (local.get $size))))
  (local.get $found))

;; A thing as a seat can tell it apart: the printed one.
(func $row (param $thing i64) (result i64)
  (if (i64.lt_u (local.get $thing) (i64.const {rows}))
    (then (return (i64.load32_s offset={things} (i32.shl (i32.wrap_i64 (local.get $thing)) (i32.const 2))))))
  (local.get $thing))

(func $valued (param $flags i32) (param $options i32) (local $at i32) (local $value i64)
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $at) (i32.load (local.get $options))))
      (local.set $value (i64.load offset=8
        (i32.add (local.get $options) (i32.shl (local.get $at) (i32.const 3)))))
      (if (i32.and (local.get $flags) (i32.const 1)) (then (local.set $value (call $row (local.get $value)))))
      (i64.store offset={values} (i32.shl (local.get $at) (i32.const 3)) (local.get $value))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $on))))

;; The key of an information set; the options stand among the values already.
(func $information (param $ask i32) (param $seat i32) (param $count i32) (param $flags i32) (result i64)
  (local $key i64) (local $at i32) (local $end i32)
  (local.set $key (call $mix (call $mix (i64.const 0) (i64.extend_i32_u (local.get $ask)))
    (i64.extend_i32_u (local.get $seat))))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
      (local.set $key (call $mix (local.get $key)
        (i64.load offset={values} (i32.shl (local.get $at) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $on)))
  (local.set $key (call $mix (local.get $key) (i64.load (i32.const {known}))))
  (local.set $key (call $mix (local.get $key)
    (i64.load offset={known} (i32.shl (i32.add (local.get $seat) (i32.const 1)) (i32.const 3)))))
  (local.set $at (i32.load offset={looks} (i32.shl (local.get $seat) (i32.const 3))))
  (local.set $end (i32.add (local.get $at) (i32.shl
    (i32.load offset={looks} (i32.add (i32.shl (local.get $seat) (i32.const 3)) (i32.const 4))) (i32.const 4))))
  (block $seen
    (loop $look
      (br_if $seen (i32.ge_u (local.get $at) (local.get $end)))
      (if (i32.eqz (i32.and (i32.shr_u (local.get $flags) (i32.const 2)) (i32.and
            (i32.ne (i32.load offset=8 (local.get $at)) (i32.const -1))
            (i32.ne (i32.load offset=8 (local.get $at)) (local.get $seat)))))
        (then (local.set $key (call $looked (local.get $key) (i32.load (local.get $at))
          (i32.load offset=4 (local.get $at))))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $look)))
  (local.get $key))

(func $looked (param $key i64) (param $of i32) (param $form i32) (result i64) (local $end i32) (local $value i64)
  (if (i32.eq (local.get $form) (i32.const {word}))
    (then (return (call $mix (local.get $key) (i64.load (local.get $of))))))
  (if (i32.eq (local.get $form) (i32.const {thing}))
    (then (return (call $mix (local.get $key) (call $row (i64.load (local.get $of)))))))
  (local.set $key (call $mix (local.get $key) (i64.load32_u (local.get $of))))
  (if (i32.eq (local.get $form) (i32.const {size})) (then (return (local.get $key))))
  (local.set $end (i32.add (local.get $of) (i32.shl (i32.load (local.get $of)) (i32.const 3))))
  (if (i32.and (i32.eq (local.get $form) (i32.const {top_form})) (i32.lt_u (local.get $of) (local.get $end)))
    (then (local.set $of (i32.sub (local.get $end) (i32.const 8)))))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $of) (local.get $end)))
      (local.set $value (i64.load offset=8 (local.get $of)))
      (if (i32.ne (local.get $form) (i32.const {numbers_form}))
        (then (local.set $value (call $row (local.get $value)))))
      (local.set $key (call $mix (local.get $key) (local.get $value)))
      (local.set $of (i32.add (local.get $of) (i32.const 8)))
      (br $on)))
  (local.get $key))

;; The answer of the search: its size and its places, where the host's would lie.
(func $searched (param $ask i32) (param $seat i32) (param $options i32) (param $least i32) (param $most i32)
  (param $several i32) (local $key i64) (local $flags i32) (local $size i32)
  (local.set $flags (i32.load offset={asks} (i32.shl (local.get $ask) (i32.const 2))))
  (local.set $size (i32.load (local.get $options)))
  (call $valued (local.get $flags) (local.get $options))
  (local.set $key (call $information (local.get $ask) (local.get $seat) (local.get $size) (local.get $flags)))
  (if (local.get $several)
    (then (call $chained (local.get $key) (local.get $size) (local.get $least) (local.get $most) (local.get $seat)
      (i32.and (local.get $flags) (i32.const 2))))
    (else
      (i64.store (i32.const {answer_size}) (i64.const 1))
      (i64.store (i32.const {answer}) (i64.extend_i32_u
        (call $choice (local.get $key) (local.get $size) (local.get $seat)
          (i32.and (local.get $flags) (i32.const 2)))))))
  (call $noticed (local.get $ask) (select (i32.const 0) (i32.add (local.get $seat) (i32.const 1))
    (i32.and (local.get $flags) (i32.const 2))))
  (if (i32.eqz (global.get $inside)) (then (global.set $hook (i32.const 0)))))

;; Several things: how many, then how many are passed over before each.
(func $chained (param $key i64) (param $size i32) (param $least i32) (param $most i32) (param $seat i32)
  (param $open i32) (local $wanted i32) (local $made i32) (local $at i32) (local $over i32) (local $more i32)
  (local.set $wanted (i32.add (local.get $least) (call $choice (local.get $key)
    (i32.add (i32.sub (local.get $most) (local.get $least)) (i32.const 1)) (local.get $seat) (local.get $open))))
  (local.set $key (call $mix (local.get $key) (i64.extend_i32_u (i32.add (local.get $wanted) (i32.const 1)))))
  (i64.store (i32.const {answer_size}) (i64.extend_i32_u (local.get $wanted)))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $made) (local.get $wanted)))
      (local.set $more (i32.sub (local.get $wanted) (local.get $made)))
      (if (global.get $inside)
        (then (local.set $over (call $choice (local.get $key)
          (i32.add (i32.sub (i32.sub (local.get $size) (local.get $at)) (local.get $more)) (i32.const 1))
          (local.get $seat) (local.get $open))))
        (else (local.set $over (call $passed (i32.sub (local.get $size) (local.get $at)) (local.get $more)))))
      (local.set $key (call $mix (local.get $key) (i64.extend_i32_u (i32.add (local.get $over) (i32.const 1)))))
      (local.set $at (i32.add (local.get $at) (local.get $over)))
      (i64.store offset={answer} (i32.shl (local.get $made) (i32.const 3)) (i64.extend_i32_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $made (i32.add (local.get $made) (i32.const 1)))
      (br $on))))

(func $passed (param $left i32) (param $wanted i32) (result i32) (local $count i32)
  (block $done
    (loop $on
      (br_if $done (i32.lt_u (call $lucky (i32.sub (local.get $left) (local.get $count))) (local.get $wanted)))
      (local.set $count (i32.add (local.get $count) (i32.const 1)))
      (br $on)))
  (local.get $count))

;; Who learns of an answer keeps it in mind.
(func $noticed (param $ask i32) (param $who i32) (local $at i32) (local $key i64)
  (local.set $who (i32.shl (local.get $who) (i32.const 3)))
  (local.set $key (i64.load offset={known} (local.get $who)))
  (block $done
    (loop $on
      (br_if $done (i64.ge_u (i64.extend_i32_u (local.get $at)) (i64.load (i32.const {answer_size}))))
      (local.set $key (call $mix (local.get $key) (i64.add
        (i64.load offset={values} (i32.shl (i32.wrap_i64
          (i64.load offset={answer} (i32.shl (local.get $at) (i32.const 3)))) (i32.const 3)))
        (i64.extend_i32_u (i32.add (local.get $ask) (i32.const 1))))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $on)))
  (i64.store offset={known} (local.get $who) (local.get $key)))

;; How a seat ended; smaller is better.
(func $class (param $seat i32) (result i64) (local $at i32) (local $place i64)
  (local.set $at (i32.shl (local.get $seat) (i32.const 3)))
  (if (i64.ne (i64.load offset={defeated} (local.get $at)) (i64.const {none}))
    (then (return (i64.const {all_behind}))))
  (local.set $place (i64.load offset={rank} (local.get $at)))
  (select (i64.const {none_placed}) (local.get $place) (i64.eq (local.get $place) (i64.const {none}))))

(func $part (param $seat i32) (result f64)
  (local $own i64) (local $other i64) (local $at i32) (local $better i32) (local $alike i32) (local $lost i32)
  (local.set $own (call $class (local.get $seat)))
  (loop $on
    (local.set $other (call $class (local.get $at)))
    (local.set $better (i32.add (local.get $better) (i64.lt_s (local.get $other) (local.get $own))))
    (local.set $alike (i32.add (local.get $alike) (i64.eq (local.get $other) (local.get $own))))
    (local.set $lost (i32.add (local.get $lost) (i64.eq (local.get $other) (i64.const {all_behind}))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $on (i32.lt_u (local.get $at) (i32.const {seats}))))
  (if (i32.eq (local.get $lost) (i32.const {seats})) (then (return (f64.const 0))))
  (if (i32.eq (i32.const {seats}) (i32.const 1)) (then (return (f64.const 1))))
  (f64.sub (f64.const 1) (f64.div
    (f64.convert_i32_s (i32.sub (i32.add (i32.shl (local.get $better) (i32.const 1)) (local.get $alike)) (i32.const 1)))
    (f64.convert_i32_s (i32.shl (i32.sub (i32.const {seats}) (i32.const 1)) (i32.const 1))))))

(func $lead (param $seat i32) (result i64) (local $at i32) (local $best i64) (local $value i64)
  (if (i32.eq (i32.const {seats}) (i32.const 1)) (then (return (i64.load (i32.const {lead_words})))))
  (local.set $best (i64.const 0x8000000000000000))
  (loop $on
    (if (i32.ne (local.get $at) (local.get $seat))
      (then
        (local.set $value (i64.load offset={lead_words} (i32.shl (local.get $at) (i32.const 3))))
        (if (i64.gt_s (local.get $value) (local.get $best)) (then (local.set $best (local.get $value))))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $on (i32.lt_u (local.get $at) (i32.const {seats}))))
  (i64.sub (i64.load offset={lead_words} (i32.shl (local.get $seat) (i32.const 3))) (local.get $best)))

;; A lead as a number from 0 to 1; a usual one in this search is 1/2.
(func $led (param $lead f64) (result f64) (local $mean f64) (local $away f64)
  (f64.store (i32.const {leads}) (f64.add (f64.load (i32.const {leads})) (f64.const 1)))
  (f64.store offset=8 (i32.const {leads}) (f64.add (f64.load offset=8 (i32.const {leads})) (local.get $lead)))
  (f64.store offset=16 (i32.const {leads}) (f64.add (f64.load offset=16 (i32.const {leads}))
    (f64.mul (local.get $lead) (local.get $lead))))
  (local.set $mean (f64.div (f64.load offset=8 (i32.const {leads})) (f64.load (i32.const {leads}))))
  (local.set $away (f64.div (f64.sub (local.get $lead) (local.get $mean)) (f64.sqrt (f64.max
    (f64.sub (f64.div (f64.load offset=16 (i32.const {leads})) (f64.load (i32.const {leads})))
      (f64.mul (local.get $mean) (local.get $mean)))
    (f64.const 1e-9)))))
  (f64.add (f64.const 0.5) (f64.div (f64.mul (f64.const 0.5) (local.get $away))
    (f64.add (f64.const 1) (f64.abs (local.get $away))))))

(func $has_leads (result i32) (local $at i32)
  (if (i32.eqz (i32.const {has_leads})) (then (return (i32.const 0))))
  (loop $on
    (if (i64.eq (i64.load offset={lead_words} (i32.shl (local.get $at) (i32.const 3))) (i64.const {none}))
      (then (return (i32.const 0))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $on (i32.lt_u (local.get $at) (i32.const {seats}))))
  (i32.const 1))

;; Place and lead together; a single seat has nobody to be ahead of, and its own value counts.
(func $ahead (param $part f64) (param $led f64) (result f64)
  (if (i32.eq (i32.const {seats}) (i32.const 1)) (then (return (f64.mul (local.get $part) (local.get $led)))))
  (f64.add (f64.mul (f64.const {rest}) (local.get $part)) (f64.mul (f64.const {lead}) (local.get $led))))

;; What the simulation at work came to.
(func $learn (local $at i32) (local $worth f64) (local $leads i32) (local $node i32) (local $entry i32)
  (local.set $leads (call $has_leads))
  (loop $seat
    (local.set $worth (call $part (local.get $at)))
    (if (local.get $leads)
      (then (local.set $worth (call $ahead (local.get $worth)
        (call $led (f64.convert_i64_s (call $lead (local.get $at))))))))
    (f64.store offset={worths} (i32.shl (local.get $at) (i32.const 3)) (local.get $worth))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $seat (i32.lt_u (local.get $at) (i32.const {seats}))))
  (local.set $at (i32.const {path}))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $at) (global.get $path_end)))
      (local.set $node (i32.load (local.get $at)))
      (local.set $entry (i32.load offset=4 (local.get $at)))
      (i32.store offset=12 (local.get $node) (i32.add (i32.load offset=12 (local.get $node)) (i32.const 1)))
      (i64.store offset=16 (local.get $entry)
        (i64.add (i64.load offset=16 (local.get $entry)) (i64.const 1)))
      (f64.store offset=24 (local.get $entry) (f64.add (f64.load offset=24 (local.get $entry))
        (f64.load offset={worths} (i32.shl (i32.load offset=8 (local.get $at)) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $on))))

;; The table is large, and mostly empty: each node takes its own entry out.
(func $forget (local $node i32) (local $at i32)
  (local.set $node (i32.const {nodes}))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $node) (global.get $node_end)))
      (local.set $at (i32.and (i32.wrap_i64 (i64.load (local.get $node))) (i32.const {mask})))
      (loop $look
        (if (i32.ne (i32.load offset={table} (i32.shl (local.get $at) (i32.const 2))) (local.get $node))
          (then
            (local.set $at (i32.and (i32.add (local.get $at) (i32.const 1)) (i32.const {mask})))
            (br $look))))
      (i32.store offset={table} (i32.shl (local.get $at) (i32.const 2)) (i32.const 0))
      (local.set $node (i32.add (local.get $node)
        (i32.add (i32.const 16) (i32.shl (i32.load offset=8 (local.get $node)) (i32.const 4)))))
      (br $on)))
  (memory.fill (i32.const {leads}) (i32.const 0) (i32.const 24))
  (global.set $node_end (i32.const {nodes}))
  (global.set $node_count (i32.const 0))
  (global.set $answer_count (i32.const 0)))

;; A position: bytes of the match and of the log, then these.
(func $load_position (param $from i32) (local $match i32) (local $log i32)
  (local.set $match (i32.load (local.get $from)))
  (local.set $log (i32.load offset=4 (local.get $from)))
  (local.set $from (i32.add (local.get $from) (i32.const 8)))
  (call $reserve (i32.add (local.get $match) (i32.const {words})))
  (memory.copy (i32.const {words}) (local.get $from) (local.get $match))
  (memory.copy (i32.const {log}) (i32.add (local.get $from) (local.get $match)) (local.get $log)))

(func $simulate (param $from i32) (param $seed i64) (result i32)
  (call $load_position (local.get $from))
  (global.set $path_end (i32.const {path}))
  (global.set $inside (i32.const 1))
  (memory.fill (i32.const {known}) (i32.const 0) (i32.const {known_size}))
  (global.set $luck (call $mixed (i64.add (local.get $seed) (i64.const {luck}))))
  (global.set $luck_at (i64.const 0))
  (call $keyed (local.get $seed))
  (global.set $hook (i32.const 3))
  (call $resume))

(func $search (export "search") (param $seed i64) (param $first i64) (param $count i32) (param $positions i64)
  (result i32) (local $number i64)
  (if (i64.eqz (local.get $first)) (then (call $forget)))
  (global.set $begun (i32.const 0))
  (global.set $ended (i32.const 0))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (global.get $begun) (local.get $count)))
      (local.set $number (i64.add (local.get $first) (i64.extend_i32_u (global.get $begun))))
      (global.set $begun (i32.add (global.get $begun) (i32.const 1)))
      (if (i32.eqz (call $simulate
            (i32.load offset={starts} (i32.shl (i32.wrap_i64
              (i64.rem_u (local.get $number) (local.get $positions))) (i32.const 2)))
            (call $output (local.get $seed) (local.get $number))))
        (then
          (call $learn)
          (global.set $ended (i32.add (global.get $ended) (i32.const 1)))))
      (br $on)))
  (i32.const 0))

;; The answers at the question that waits: where its node lies, or 0; the step of a chain is told by its key.
(func $weighed (export "weighed") (param $key i64) (result i32)
  (call $node (local.get $key) (i32.const 0)))

(func $root (export "root") (result i64) (local $ask i32) (local $flags i32) (local $options i32)
  (memory.fill (i32.const {known}) (i32.const 0) (i32.const {known_size}))
  (local.set $ask (i32.load (i32.const {waits})))
  (local.set $options (i32.load offset=16 (i32.const {waits})))
  (local.set $flags (i32.load offset={asks} (i32.shl (local.get $ask) (i32.const 2))))
  (call $valued (local.get $flags) (local.get $options))
  (call $information (local.get $ask) (i32.load offset=8 (i32.const {waits})) (i32.load (local.get $options))
    (local.get $flags)))
"""
