"""Runtime of every module, as WebAssembly text: memory and sequences.

Sequences lie as `memory_layout` says.  Those of functions lie in the arena
(region allocation), one above the other; a function gives back what it took
when it ends.  Each local sequence keeps its place while its function runs; one
that outgrows it moves.  Names in braces are numbers that the layout knows.
"""

MEMORY = """
(memory (export "memory") {pages} {most})
(global $arena (mut i32) (i32.const {arena}))
(global $top (mut i32) (i32.const {top}))
(global $overfull (export "overfull") (mut i32) (i32.const 0))

;; Too much of something that only needs a bound: the host ends the match.
(func $overflow
  (global.set $overfull (i32.const 1))
  unreachable)

(func $room (param $bytes i32) (result i32) (local $at i32) (local $end i32)
  (local.set $at (global.get $arena))
  (local.set $end (i32.add (local.get $at) (local.get $bytes)))
  (if (i32.gt_u (local.get $end) (global.get $top)) (then (call $widen (local.get $end))))
  (global.set $arena (local.get $end))
  (local.get $at))

(func $widen (param $end i32) (local $more i32)
  (local.set $more (i32.add (i32.const 16)
    (i32.shr_u (i32.sub (local.get $end) (global.get $top)) (i32.const 16))))
  (if (i32.eq (memory.grow (local.get $more)) (i32.const -1)) (then (call $overflow)))
  (global.set $top (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const {spare}))))
"""

_CLOSED = "".join(
    f"""
    (v128.store offset={8 + 8 * place} (local.get $at) (v128.bitselect
      (v128.load offset={16 + 8 * place} (local.get $at)) (v128.load offset={8 + 8 * place} (local.get $at))
      (v128.and (i64x2.gt_s (local.get $end) (v128.const i64x2 {place} {place + 1}))
        (i64x2.gt_s (v128.const i64x2 {place} {place + 1}) (local.get $gone)))))"""
    for place in range(0, 8, 2)
)
"""A gap is closed in eight entries: those from `$gone` to `$end` take what stands behind them."""
_COMPARED = "".join(
    f"""
      (local.set $found (i32.or (local.get $found) (i32.shl (i64x2.bitmask
        (i64x2.eq (v128.load offset={8 + 8 * place} (local.get $at)) (local.get $two))) (i32.const {place}))))"""
    for place in range(0, 8, 2)
)

SEQUENCES = (
    """
(func $fresh (param $room i32) (result i32) (local $at i32)
  (local.set $at (call $room (i32.add (i32.const 8) (i32.shl (local.get $room) (i32.const 3)))))
  (i32.store (local.get $at) (i32.const 0))
  (i32.store offset=4 (local.get $at) (local.get $room))
  (local.get $at))

;; Twice the room and more: where it is if it lies on top, else above all others.
(func $grown (param $of i32) (result i32) (local $room i32) (local $at i32)
  (local.set $room (i32.load offset=4 (local.get $of)))
  (if (i32.eq (global.get $arena)
        (i32.add (local.get $of) (i32.add (i32.const 8) (i32.shl (local.get $room) (i32.const 3)))))
    (then
      (drop (call $room (i32.shl (i32.add (local.get $room) (i32.const 8)) (i32.const 3))))
      (i32.store offset=4 (local.get $of) (i32.add (i32.shl (local.get $room) (i32.const 1)) (i32.const 8)))
      (return (local.get $of))))
  (local.set $at (call $fresh (i32.add (i32.shl (local.get $room) (i32.const 1)) (i32.const 8))))
  (i32.store (local.get $at) (i32.load (local.get $of)))
  (call $entries (local.get $at) (local.get $of))
  (local.get $at))

;; As many entries as the first is long, from the second: an odd one, then two at a time.
(func $entries (param $to i32) (param $from i32) (local $end i32)
  (local.set $end (i32.add (local.get $to) (i32.shl (i32.load (local.get $to)) (i32.const 3))))
  (if (i32.and (i32.load (local.get $to)) (i32.const 1))
    (then
      (i64.store offset=8 (local.get $to) (i64.load offset=8 (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 8)))
      (local.set $from (i32.add (local.get $from) (i32.const 8)))))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $to) (local.get $end)))
      (v128.store offset=8 (local.get $to) (v128.load offset=8 (local.get $from)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $from (i32.add (local.get $from) (i32.const 16)))
      (br $on))))

;; A copy, in the old place if there is room.
(func $copy (param $old i32) (param $of i32) (result i32)
  (if (i32.or (i32.eqz (local.get $old))
        (i32.lt_u (i32.load offset=4 (local.get $old)) (i32.load (local.get $of))))
    (then (local.set $old (call $fresh (i32.or (i32.load (local.get $of)) (i32.const 7))))))
  (i32.store (local.get $old) (i32.load (local.get $of)))
  (call $entries (local.get $old) (local.get $of))
  (local.get $old))

;; What was made on top of the arena, put into the old place if there is room.
(func $into (param $old i32) (param $made i32) (result i32)
  (if (i32.or (i32.eqz (local.get $old))
        (i32.lt_u (i32.load offset=4 (local.get $old)) (i32.load (local.get $made))))
    (then (return (local.get $made))))
  (i32.store (local.get $old) (i32.load (local.get $made)))
  (call $entries (local.get $old) (local.get $made))
  (global.set $arena (local.get $made))
  (local.get $old))

;; The last that a function does: what it gives moves to where its room began.
(func $kept (param $mark i32) (param $of i32) (result i32) (local $size i32) (local $bytes i32)
  (local.set $size (i32.load (local.get $of)))
  (local.set $bytes (i32.shl (local.get $size) (i32.const 3)))
  (if (i32.ne (local.get $mark) (local.get $of))
    (then
      (global.set $arena (local.get $mark))
      (drop (call $room (i32.add (i32.const 8) (local.get $bytes))))
      (memory.copy (i32.add (local.get $mark) (i32.const 8)) (i32.add (local.get $of) (i32.const 8))
        (local.get $bytes))))
  (i32.store (local.get $mark) (local.get $size))
  (i32.store offset=4 (local.get $mark) (local.get $size))
  (global.set $arena (i32.add (local.get $mark) (i32.add (i32.const 8) (local.get $bytes))))
  (local.get $mark))

;; A list has all the room it needs; where it has not, the plan is wrong.
(func $add (param $of i32) (param $value i64) (local $size i32)
  (local.set $size (i32.load (local.get $of)))
  (if (i32.ge_u (local.get $size) (i32.load offset=4 (local.get $of))) (then unreachable))
  (i64.store offset=8 (i32.add (local.get $of) (i32.shl (local.get $size) (i32.const 3))) (local.get $value))
  (i32.store (local.get $of) (i32.add (local.get $size) (i32.const 1))))

(func $fill (param $list i32) (param $of i32)
  (if (i32.gt_u (i32.load (local.get $of)) (i32.load offset=4 (local.get $list))) (then unreachable))
  (i32.store (local.get $list) (i32.load (local.get $of)))
  (call $entries (local.get $list) (local.get $of)))

;; Eight entries at a time are all written, each as it was or the one behind it: how many there are is foreseen better
;; than which goes.  Behind the end nothing changes.
(func $take (param $of i32) (param $place i32)
  (local $size i32) (local $at i32) (local $from i32) (local $gone v128) (local $end v128)
  (if (i32.ge_u (local.get $place) (i32.load (local.get $of))) (then unreachable))
  (local.set $size (i32.sub (i32.load (local.get $of)) (i32.const 1)))
  (i32.store (local.get $of) (local.get $size))
  (if (i32.eqz (local.get $size)) (then (return)))
  (local.set $from (i32.and (local.get $place) (i32.const -8)))
  (local.set $gone (i64x2.splat (i64.extend_i32_s (i32.sub (i32.and (local.get $place) (i32.const 7)) (i32.const 1)))))
  (loop $on
    (local.set $at (i32.add (local.get $of) (i32.shl (local.get $from) (i32.const 3))))
    (local.set $end (i64x2.splat (i64.extend_i32_s (i32.sub (local.get $size) (local.get $from)))))
"""
    + _CLOSED
    + """
    (local.set $gone (v128.const i64x2 -1 -1))
    (local.set $from (i32.add (local.get $from) (i32.const 8)))
    (br_if $on (i32.lt_u (local.get $from) (local.get $size)))))

(func $move (param $of i32) (param $start i32) (param $end i32) (local $value i64)
  (local.set $start (i32.add (local.get $of) (i32.shl (local.get $start) (i32.const 3))))
  (local.set $end (i32.add (local.get $of) (i32.shl (local.get $end) (i32.const 3))))
  (local.set $value (i64.load offset=8 (local.get $start)))
  (block $done
    (loop $on
      (br_if $done (i32.le_u (local.get $start) (local.get $end)))
      (i64.store offset=8 (local.get $start) (i64.load (local.get $start)))
      (local.set $start (i32.sub (local.get $start) (i32.const 8)))
      (br $on)))
  (i64.store offset=8 (local.get $end) (local.get $value)))
"""
)

LOOKING = (
    """
(func $find (param $of i32) (param $item i64) (result i32)
  (local $at i32) (local $end i32) (local $found i32) (local $two v128)
  ;; Of none or one.
  (if (i32.le_u (i32.load (local.get $of)) (i32.const 1))
    (then (return (i32.sub (i32.and (i32.load (local.get $of))
      (i64.eq (i64.load offset=8 (local.get $of)) (local.get $item))) (i32.const 1)))))
  (local.set $at (local.get $of))
  (local.set $end (i32.add (local.get $of) (i32.shl (i32.load (local.get $of)) (i32.const 3))))
  (local.set $two (i64x2.splat (local.get $item)))
  ;; Eight at a time, by a bit for each; behind the end there may be anything.
  (block $none
    (loop $on
      (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $found (i32.const 0))"""
    + _COMPARED
    + """
      (if (local.get $found)
        (then
          (local.set $at (i32.add (local.get $at) (i32.shl (i32.ctz (local.get $found)) (i32.const 3))))
          (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
          (return (i32.shr_u (i32.sub (local.get $at) (local.get $of)) (i32.const 3)))))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (br $on)))
  (i32.const -1))

(func $alike (param $left i32) (param $right i32) (result i32) (local $end i32)
  (if (i32.ne (i32.load (local.get $left)) (i32.load (local.get $right))) (then (return (i32.const 0))))
  (local.set $end (i32.add (local.get $left) (i32.shl (i32.load (local.get $left)) (i32.const 3))))
  (loop $on
    (if (i32.lt_u (local.get $left) (local.get $end))
      (then
        (if (i64.ne (i64.load offset=8 (local.get $left)) (i64.load offset=8 (local.get $right)))
          (then (return (i32.const 0))))
        (local.set $left (i32.add (local.get $left) (i32.const 8)))
        (local.set $right (i32.add (local.get $right) (i32.const 8)))
        (br $on))))
  (i32.const 1))

;; Alike in any order: alike when both are sorted.
(func $alike_sorted (param $left i32) (param $right i32) (result i32) (local $mark i32) (local $same i32)
  (if (i32.ne (i32.load (local.get $left)) (i32.load (local.get $right))) (then (return (i32.const 0))))
  (if (call $alike (local.get $left) (local.get $right)) (then (return (i32.const 1))))
  (local.set $mark (global.get $arena))
  (local.set $left (call $copy (i32.const 0) (local.get $left)))
  (local.set $right (call $copy (i32.const 0) (local.get $right)))
  (call $sort (local.get $left) (local.get $left) (i32.const 1))
  (call $sort (local.get $right) (local.get $right) (i32.const 1))
  (local.set $same (call $alike (local.get $left) (local.get $right)))
  (global.set $arena (local.get $mark))
  (local.get $same))

;; Places are sorted by their keys: short runs by insertion, then these are merged.  Then the entries, from a copy, are
;; put in the order of the places.
(func $sort (param $of i32) (param $keys i32) (param $width i32)
  (local $size i32) (local $mark i32) (local $from i32) (local $to i32) (local $run i32) (local $at i32)
  (local.set $size (i32.load (local.get $of)))
  (if (i32.lt_u (local.get $size) (i32.const 2)) (then (return)))
  (if (i32.and (i32.eq (local.get $width) (i32.const 1)) (i32.le_u (local.get $size) (i32.const 16)))
    (then (call $sort_short (local.get $of) (local.get $keys)) (return)))
  (local.set $mark (global.get $arena))
  (local.set $from (call $room (i32.shl (local.get $size) (i32.const 3))))
  (local.set $to (call $room (i32.shl (local.get $size) (i32.const 3))))
  (loop $fill
    (i64.store (i32.add (local.get $from) (i32.shl (local.get $at) (i32.const 3)))
      (i64.extend_i32_u (local.get $at)))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $fill (i32.lt_u (local.get $at) (local.get $size))))
  (local.set $at (i32.const 0))
  (loop $short
    (call $inserted (local.get $from) (local.get $keys) (local.get $width) (local.get $at)
      (call $least (i32.add (local.get $at) (i32.const 16)) (local.get $size)))
    (local.set $at (i32.add (local.get $at) (i32.const 16)))
    (br_if $short (i32.lt_u (local.get $at) (local.get $size))))
  (local.set $run (i32.const 16))
  (block $sorted (loop $runs
    (br_if $sorted (i32.ge_u (local.get $run) (local.get $size)))
    (local.set $at (i32.const 0))
    (loop $pairs
      (call $merge (local.get $from) (local.get $to) (local.get $keys) (local.get $width)
        (local.get $at)
        (call $least (i32.add (local.get $at) (local.get $run)) (local.get $size))
        (call $least (i32.add (local.get $at) (i32.shl (local.get $run) (i32.const 1))) (local.get $size)))
      (local.set $at (i32.add (local.get $at) (i32.shl (local.get $run) (i32.const 1))))
      (br_if $pairs (i32.lt_u (local.get $at) (local.get $size))))
    (local.get $from) (local.get $to) (local.set $from) (local.set $to)
    (local.set $run (i32.shl (local.get $run) (i32.const 1)))
    (br $runs)))
  (call $in_order (local.get $of) (local.get $from) (local.get $to) (local.get $size))
  (global.set $arena (local.get $mark)))

;; A short sequence by one key for each entry: by insertion, with a copy of the keys that moves along, if these are not
;; the entries themselves.
(func $sort_short (param $of i32) (param $keys i32)
  (local $next i32) (local $to i32) (local $end i32) (local $item i64) (local $key i64) (local $less i32)
  (local $mark i32)
  (local.set $mark (global.get $arena))
  (if (i32.ne (local.get $keys) (local.get $of))
    (then (local.set $keys (call $copy (i32.const 0) (local.get $keys)))))
  ;; From an entry to its key.
  (local.set $less (i32.sub (local.get $keys) (local.get $of)))
  (local.set $end (i32.add (local.get $of) (i32.shl (i32.load (local.get $of)) (i32.const 3))))
  (local.set $next (local.get $of))
  (loop $on
    (local.set $next (i32.add (local.get $next) (i32.const 8)))
    (if (i32.lt_u (local.get $next) (local.get $end))
      (then
        (local.set $item (i64.load offset=8 (local.get $next)))
        (local.set $key (i64.load offset=8 (i32.add (local.get $next) (local.get $less))))
        (local.set $to (local.get $next))
        (block $found
          (loop $back
            (br_if $found (i32.le_u (local.get $to) (local.get $of)))
            (br_if $found (i64.le_s (i64.load (i32.add (local.get $to) (local.get $less))) (local.get $key)))
            (i64.store offset=8 (local.get $to) (i64.load (local.get $to)))
            (i64.store offset=8 (i32.add (local.get $to) (local.get $less))
              (i64.load (i32.add (local.get $to) (local.get $less))))
            (local.set $to (i32.sub (local.get $to) (i32.const 8)))
            (br $back)))
        (i64.store offset=8 (local.get $to) (local.get $item))
        (i64.store offset=8 (i32.add (local.get $to) (local.get $less)) (local.get $key))
        (br $on))))
  (global.set $arena (local.get $mark)))

(func $least (param $a i32) (param $b i32) (result i32)
  (select (local.get $a) (local.get $b) (i32.lt_u (local.get $a) (local.get $b))))

;; A run of places sorted by insertion.
(func $inserted (param $places i32) (param $keys i32) (param $width i32) (param $low i32) (param $high i32)
  (local $next i32) (local $to i32) (local $place i64)
  (local.set $next (i32.add (local.get $places) (i32.shl (local.get $low) (i32.const 3))))
  (local.set $high (i32.add (local.get $places) (i32.shl (local.get $high) (i32.const 3))))
  (local.set $low (local.get $next))
  (loop $on
    (local.set $to (local.get $next))
    (local.set $place (i64.load (local.get $next)))
    (block $found
      (loop $back
        (br_if $found (i32.le_u (local.get $to) (local.get $low)))
        (br_if $found (i32.eqz (call $before (local.get $keys) (local.get $width)
          (i32.wrap_i64 (local.get $place))
          (i32.wrap_i64 (i64.load (i32.sub (local.get $to) (i32.const 8)))))))
        (i64.store (local.get $to) (i64.load (i32.sub (local.get $to) (i32.const 8))))
        (local.set $to (i32.sub (local.get $to) (i32.const 8)))
        (br $back)))
    (i64.store (local.get $to) (local.get $place))
    (local.set $next (i32.add (local.get $next) (i32.const 8)))
    (br_if $on (i32.lt_u (local.get $next) (local.get $high)))))

;; Two runs of places, low to middle and middle to high, become one.
(func $merge (param $from i32) (param $to i32) (param $keys i32) (param $width i32)
  (param $low i32) (param $middle i32) (param $high i32)
  (local $left i32) (local $right i32) (local $a i32) (local $b i32) (local $second i32)
  (local.set $left (local.get $low))
  (local.set $right (local.get $middle))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $low) (local.get $high)))
      (local.set $a (i32.add (local.get $from) (i32.shl (local.get $left) (i32.const 3))))
      (local.set $b (i32.add (local.get $from) (i32.shl (local.get $right) (i32.const 3))))
      (local.set $second (i32.const 0))
      (if (i32.lt_u (local.get $right) (local.get $high))
        (then
          (local.set $second (i32.const 1))
          (if (i32.lt_u (local.get $left) (local.get $middle))
            (then (local.set $second (call $before (local.get $keys) (local.get $width)
              (i32.wrap_i64 (i64.load (local.get $b))) (i32.wrap_i64 (i64.load (local.get $a)))))))))
      (i64.store (i32.add (local.get $to) (i32.shl (local.get $low) (i32.const 3)))
        (i64.load (select (local.get $b) (local.get $a) (local.get $second))))
      (local.set $right (i32.add (local.get $right) (local.get $second)))
      (local.set $left (i32.add (local.get $left) (i32.eqz (local.get $second))))
      (local.set $low (i32.add (local.get $low) (i32.const 1)))
      (br $on))))

;; Whether the keys of one place come before those of another.
(func $before (param $keys i32) (param $width i32) (param $one i32) (param $other i32) (result i32)
  (local $a i64) (local $b i64)
  (local.set $one (i32.add (local.get $keys)
    (i32.shl (i32.mul (local.get $one) (local.get $width)) (i32.const 3))))
  (local.set $other (i32.add (local.get $keys)
    (i32.shl (i32.mul (local.get $other) (local.get $width)) (i32.const 3))))
  (loop $on
    (local.set $a (i64.load offset=8 (local.get $one)))
    (local.set $b (i64.load offset=8 (local.get $other)))
    (if (i64.ne (local.get $a) (local.get $b)) (then (return (i64.lt_s (local.get $a) (local.get $b)))))
    (local.set $one (i32.add (local.get $one) (i32.const 8)))
    (local.set $other (i32.add (local.get $other) (i32.const 8)))
    (local.set $width (i32.sub (local.get $width) (i32.const 1)))
    (br_if $on (local.get $width)))
  (i32.const 0))

(func $in_order (param $of i32) (param $places i32) (param $copy i32) (param $size i32) (local $at i32)
  (local.set $of (i32.add (local.get $of) (i32.const 8)))
  (memory.copy (local.get $copy) (local.get $of) (i32.shl (local.get $size) (i32.const 3)))
  (loop $on
    (i64.store (i32.add (local.get $of) (i32.shl (local.get $at) (i32.const 3)))
      (i64.load (i32.add (local.get $copy) (i32.shl (i32.wrap_i64
        (i64.load (i32.add (local.get $places) (i32.shl (local.get $at) (i32.const 3))))) (i32.const 3)))))
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (br_if $on (i32.lt_u (local.get $at) (local.get $size)))))
"""
)
