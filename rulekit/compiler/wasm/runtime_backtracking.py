"""Runtime of every module, as WebAssembly text: tries and guards, by backtracking.

The script of a try is a row of answers, each with the number of answers that
there are; a try runs its function again and again, each time with the script
of the next branch.  An answer of several things is its number of things, then
for each how many were passed over before it.  A guard's log is a row of
answers in the same terms.  Names in braces are numbers that the layout knows.
"""

TRYING = """
(global $trying (mut i32) (i32.const 0))
(global $script (mut i32) (i32.const {script}))
(global $script_end (mut i32) (i32.const {script}))
(global $answer (mut i32) (i32.const {script}))
(global $given (mut i32) (i32.const {script}))
(global $guard (mut i32) (i32.const 0))
(global $log_end (mut i32) (i32.const {log}))
(global $led (mut i32) (i32.const 0))
(global $led_guard (mut i32) (i32.const 0))
(global $led_steps (mut i64) (i64.const 0))
;; Where the script of an attempt ended when it began, and the steps that were counted by then.
(global $given_again (mut i32) (i32.const 0))
(global $before (mut i64) (i64.const 0))

;; Behind the last answer that was given before: what came before it was counted already.
(func $came_to (param $answer i32)
  (if (i32.eq (local.get $answer) (global.get $given_again))
    (then (global.set $work (global.get $before)))))

;; The script's next answer among n; at its end it grows by the first answer there is.
(func $choose (param $n i32) (result i64) (local $at i32)
  (local.set $at (global.get $answer))
  (if (i32.ge_u (local.get $at) (global.get $script_end))
    (then (call $write (i32.const 0) (local.get $n))))
  (global.set $answer (i32.add (local.get $at) (i32.const 8)))
  (call $came_to (global.get $answer))
  (i64.load32_u (local.get $at)))

(func $write (param $choice i32) (param $n i32)
  (if (i32.ge_u (global.get $script_end) (i32.const {script_limit})) (then (call $overflow)))
  (i32.store (global.get $script_end) (local.get $choice))
  (i32.store offset=4 (global.get $script_end) (local.get $n))
  (global.set $script_end (i32.add (global.get $script_end) (i32.const 8))))

(func $chosen_in_try (param $options i32) (param $least i64) (param $most i64) (result i32)
  (local $made i32) (local $size i32) (local $passed i32) (local $spare i32)
  (if (i32.ge_u (global.get $answer) (global.get $script_end))
    (then (global.set $work (i64.add (global.get $work) (i64.const {answer_steps})))))
  (local.set $made (call $fresh (i32.load (local.get $options))))
  (local.set $size (i32.wrap_i64 (i64.add (local.get $least) (call $choose
    (i32.wrap_i64 (i64.add (i64.sub (local.get $most) (local.get $least)) (i64.const 1)))))))
  (local.set $spare (i32.sub (i32.load (local.get $options)) (local.get $size)))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (i32.load (local.get $made)) (local.get $size)))
      (local.set $passed (i32.wrap_i64 (call $choose (i32.add (local.get $spare) (i32.const 1)))))
      (local.set $spare (i32.sub (local.get $spare) (local.get $passed)))
      (local.set $options (i32.add (local.get $options) (i32.shl (local.get $passed) (i32.const 3))))
      (call $add (local.get $made) (i64.load offset=8 (local.get $options)))
      (local.set $options (i32.add (local.get $options) (i32.const 8)))
      (br $on)))
  (local.get $made))

;; What was, put aside: seven numbers, then the storage.  `from`: what every attempt begins with.
(func $begin_try (result i32) (local $frame i32)
  (local.set $frame (call $room (i32.const {try_size})))
  (i32.store (local.get $frame) (global.get $script))
  (i32.store offset=4 (local.get $frame) (global.get $script_end))
  (i32.store offset=8 (local.get $frame) (global.get $answer))
  (i32.store offset=12 (local.get $frame) (global.get $given))
  (i32.store offset=16 (local.get $frame) (i32.add (local.get $frame) (i32.const 32)))
  (i32.store offset=20 (local.get $frame) (global.get $given_again))
  (i64.store offset=24 (local.get $frame) (global.get $before))
  (memory.copy (i32.add (local.get $frame) (i32.const 32)) (i32.const {storage}) (i32.const {undone_size}))
  (global.set $trying (i32.add (global.get $trying) (i32.const 1)))
  (global.set $script (global.get $script_end))
  (global.set $answer (global.get $script_end))
  (global.set $given (global.get $script_end))
  (global.set $given_again (i32.const 0))
  (local.get $frame))

;; Whether an attempt failed and there is another branch; then everything is ready for it.
(func $next_try (param $frame i32) (param $status i32) (result i32) (local $last i32)
  (if (i32.ne (local.get $status) (i32.const {failed})) (then (return (i32.const 0))))
  (loop $on
    (if (i32.le_u (global.get $script_end) (global.get $script)) (then (return (i32.const 0))))
    (local.set $last (i32.sub (global.get $script_end) (i32.const 8)))
    (i32.store (local.get $last) (i32.add (i32.load (local.get $last)) (i32.const 1)))
    (if (i32.ge_u (i32.load (local.get $last)) (i32.load offset=4 (local.get $last)))
      (then
        (global.set $script_end (local.get $last))
        (br $on))))
  (global.set $work (i64.add (global.get $work) (i64.const {answer_steps})))
  (call $begin_attempt (local.get $frame))
  (i32.const 1))

;; What leads to the answers given again was counted already: until the last of them no limit is met.  Traps where the
;; host requests a stop: a search may take seconds.
(func $begin_attempt (param $frame i32)
  (if (i32.load (i32.const {stop_request})) (then unreachable))
  (global.set $answer (global.get $script))
  (global.set $given_again (global.get $script_end))
  (global.set $before (global.get $work))
  (if (i32.gt_u (global.get $given_again) (global.get $script))
    (then (global.set $work (i64.sub (global.get $work) (i64.const {repeated})))))
  (global.set $arena (i32.add (local.get $frame) (i32.const {try_size})))
  (memory.copy (i32.const {storage}) (i32.load offset=16 (local.get $frame)) (i32.const {undone_size})))

;; A status that ends the whole run is caught by nothing.
(func $end_try (param $frame i32) (param $status i32) (result i64 i32)
  (memory.copy (i32.const {storage}) (i32.add (local.get $frame) (i32.const 32)) (i32.const {undone_size}))
  (global.set $given_again (i32.load offset=20 (local.get $frame)))
  (global.set $before (i64.load offset=24 (local.get $frame)))
  (global.set $script (i32.load (local.get $frame)))
  (global.set $script_end (i32.load offset=4 (local.get $frame)))
  (global.set $answer (i32.load offset=8 (local.get $frame)))
  (global.set $given (i32.load offset=12 (local.get $frame)))
  (global.set $trying (i32.sub (global.get $trying) (i32.const 1)))
  (global.set $arena (local.get $frame))
  (i64.extend_i32_u (i32.le_u (local.get $status) (i32.const {end})))
  (select (i32.const 0) (i32.or (local.get $status) (i32.const {uncaught}))
    (i32.le_u (local.get $status) (i32.const {failed}))))
"""

GUARDS = """
;; What a function remembers that bounds, where nothing is tried: the guard around it, whether it is live, its number,
;; where its answers begin; then the storage, then its arguments.
(func $begin_guard (param $number i32) (param $args i32) (result i32) (local $frame i32)
  (global.set $led (i32.const 0))
  (local.set $frame (call $room (i32.add (i32.const {guard_size}) (local.get $args))))
  (i32.store (local.get $frame) (global.get $guard))
  (i32.store offset=4 (local.get $frame) (i32.const 0))
  (i32.store offset=8 (local.get $frame) (local.get $number))
  (i32.store offset=12 (local.get $frame) (global.get $log_end))
  (memory.copy (i32.add (local.get $frame) (i32.const 16)) (i32.const {storage}) (i32.const {undone_size}))
  (global.set $guard (local.get $frame))
  (local.get $frame))

(func $end_guard (param $frame i32)
  (global.set $guard (i32.load (local.get $frame)))
  (if (i32.eqz (global.get $guard)) (then (global.set $log_end (i32.const {log})))))

(func $note (param $answer i32)
  (if (i32.ge_u (global.get $log_end) (i32.const {log_limit})) (then (call $overflow)))
  (i32.store (global.get $log_end) (local.get $answer))
  (global.set $log_end (i32.add (global.get $log_end) (i32.const 4))))

;; In a try, one of the answers given is taken where there is one.
(func $noted (param $answer i64)
  (if (global.get $trying)
    (then
      (if (i32.lt_u (global.get $answer) (global.get $given))
        (then
          (global.set $answer (i32.add (global.get $answer) (i32.const 8)))
          (call $came_to (global.get $answer))))
      (return)))
  (if (global.get $guard) (then (call $note (i32.wrap_i64 (local.get $answer))))))

(func $outermost (result i32) (local $frame i32) (local $found i32) (local $sure i32)
  (local.set $frame (global.get $guard))
  (block $done
    (loop $on
      (br_if $done (i32.eqz (local.get $frame)))
      (if (i32.eq (i32.load offset=4 (local.get $frame)) (i32.const {ahead}))
        (then (local.set $found (local.get $frame))))
      (if (i32.eq (i32.load offset=4 (local.get $frame)) (i32.const {sure}))
        (then (local.set $sure (local.get $frame))))
      (local.set $frame (i32.load (local.get $frame)))
      (br $on)))
  (if (i32.or (local.get $found) (i32.eqz (local.get $sure))) (then (return (local.get $found))))
  (select (global.get $guard) (local.get $sure)
    (i32.eq (i32.load offset=4 (global.get $guard)) (i32.const {stands_in}))))

;; Whether the outermost live function can come to its end with the answers given.
(func $passes (result i64 i32) (local $guard i32) (local $frame i32) (local $status i32)
  (local $work i64) (local $limit i64)
  (if (global.get $trying) (then (return (i64.const 1) (i32.const 0))))
  (local.set $guard (call $outermost))
  (if (i32.eqz (local.get $guard)) (then (return (i64.const 1) (i32.const 0))))
  (local.set $work (global.get $work))
  (local.set $limit (global.get $limit))
  (local.set $frame (call $begin_try_of (local.get $guard)))
  (local.set $status (call $looked_ahead (local.get $guard) (local.get $frame) (i32.const -1) (i64.const {steps})))
  (global.set $work (local.get $work))
  (global.set $limit (local.get $limit))
  (call $end_try (local.get $frame) (local.get $status)))

;; The same with so many steps; what takes more of them comes to its end.
(func $looked_ahead (param $guard i32) (param $frame i32) (param $answer i32) (param $steps i64) (result i32)
  (local $status i32)
  (global.set $work (i64.const 0))
  (global.set $limit (local.get $steps))
  (local.set $status (call $explored (local.get $guard) (local.get $frame) (local.get $answer)))
  (if (i32.or (i64.gt_s (global.get $work) (global.get $limit))
        (i32.eq (i32.and (local.get $status) (i32.const {status_bits})) (i32.const {endless})))
    (then (return (i32.const {done}))))
  (local.get $status))

(func $begin_try_of (param $guard i32) (result i32) (local $frame i32)
  (local.set $frame (call $begin_try))
  (i32.store offset=16 (local.get $frame) (i32.add (local.get $guard) (i32.const 16)))
  (local.get $frame))

(func $explored (param $guard i32) (param $frame i32) (param $answer i32) (result i32) (local $status i32)
  (global.set $script_end (global.get $script))
  (call $give (i32.load offset=12 (local.get $guard)) (local.get $answer))
  (call $begin_attempt (local.get $frame))
  (loop $again
    (local.set $status (call $rerun (local.get $guard)))
    (br_if $again (call $next_try (local.get $frame) (local.get $status))))
  (local.get $status))

;; How an option led on: up to four of the answers behind it, each by one more than its place, in 16 bits.
(func $way_on (result i64) (local $at i32) (local $way i64) (local $shift i64)
  (local.set $at (global.get $given))
  (loop $on
    (if (i32.and (i32.lt_u (local.get $at) (global.get $script_end)) (i64.lt_u (local.get $shift) (i64.const 64)))
      (then
        (local.set $way (i64.or (local.get $way)
          (i64.shl (i64.add (i64.load32_u (local.get $at)) (i64.const 1)) (local.get $shift))))
        (local.set $shift (i64.add (local.get $shift) (i64.const 16)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $on))))
  (local.get $way))

;; How the answer that was given last led on, where nothing else was asked since its question.
(func $way_from_last (param $guard i32) (result i64)
  (if (i32.or (i32.ne (local.get $guard) (global.get $led_guard))
        (i32.ne (global.get $log_end) (i32.add (global.get $led) (i32.const 4))))
    (then (return (i64.const 0))))
  (i64.load offset={ways} (i32.shl (i32.load (global.get $led)) (i32.const 3))))

;; A sequence of the feasible options, in the old place if there is room.  While they are tried their places stand in
;; it, since the options may lie in the storage; that is put aside once for all of them.  Where the answer before was
;; tried, in no more steps than there are for each option now, the first option that led on from it does, and those
;; before it do not.
(func $feasible (param $old i32) (param $options i32) (result i32 i32)
  (local $guard i32) (local $frame i32) (local $status i32) (local $made i32) (local $place i32) (local $count i32)
  (local $way i64) (local $known i32) (local $work i64) (local $limit i64) (local $share i64)
  (if (i32.eqz (global.get $trying)) (then (local.set $guard (call $outermost))))
  (if (i32.eqz (local.get $guard))
    (then (return (call $copy (local.get $old) (local.get $options)) (i32.const 0))))
  (local.set $count (i32.load (local.get $options)))
  (local.set $made (call $fresh (local.get $count)))
  (local.set $work (global.get $work))
  (local.set $limit (global.get $limit))
  (local.set $share (i64.div_u (i64.const {steps})
    (i64.extend_i32_u (select (local.get $count) (i32.const 1) (local.get $count)))))
  (local.set $frame (call $begin_try_of (local.get $guard)))
  (local.set $way (call $way_from_last (local.get $guard)))
  (local.set $known (i32.and (i64.ne (local.get $way) (i64.const 0))
    (i64.le_s (global.get $led_steps) (local.get $share))))
  (if (i32.eqz (local.get $known)) (then (global.set $led_steps (i64.const 0))))
  (if (local.get $known)
    (then (local.set $place (i32.sub (i32.wrap_i64 (i64.and (local.get $way) (i64.const 65535))) (i32.const 1)))))
  (global.set $led (global.get $log_end))
  (global.set $led_guard (local.get $guard))
  (block $done
    (loop $next
      (br_if $done (i32.ge_u (local.get $place) (local.get $count)))
      (if (local.get $known)
        (then (local.set $way (i64.shr_u (local.get $way) (i64.const 16))))
        (else
          (local.set $status (call $looked_ahead (local.get $guard) (local.get $frame) (local.get $place)
            (local.get $share)))
          (br_if $done (i32.gt_u (local.get $status) (i32.const {failed})))
          (if (i64.gt_s (global.get $work) (global.get $led_steps))
            (then (global.set $led_steps (global.get $work))))
          (local.set $way (select (i64.const 0) (call $way_on)
            (i64.gt_s (global.get $work) (global.get $limit))))))
      (local.set $known (i32.const 0))
      (if (i32.le_u (local.get $status) (i32.const {end}))
        (then
          (call $add (local.get $made) (i64.extend_i32_u (local.get $place)))
          (i64.store offset={ways} (i32.shl (local.get $place) (i32.const 3)) (local.get $way))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br $next)))
  (global.set $work (local.get $work))
  (global.set $limit (local.get $limit))
  (call $end_try (local.get $frame) (local.get $status))
  (local.set $status)
  (drop)
  (if (local.get $status) (then (return (i32.const 0) (local.get $status))))
  (local.set $place (local.get $made))
  (local.set $count (i32.add (local.get $made) (i32.shl (i32.load (local.get $made)) (i32.const 3))))
  (block $named
    (loop $name
      (br_if $named (i32.ge_u (local.get $place) (local.get $count)))
      (local.set $place (i32.add (local.get $place) (i32.const 8)))
      (i64.store (local.get $place) (i64.load offset=8 (i32.add (local.get $options)
        (i32.shl (i32.wrap_i64 (i64.load (local.get $place))) (i32.const 3)))))
      (br $name)))
  (call $into (local.get $old) (local.get $made))
  (i32.const 0))

;; The answers since then, and the one in question unless it is below 0, begin the script; there are no others in their
;; place.
(func $give (param $from i32) (param $answer i32)
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $from) (global.get $log_end)))
      (call $write (i32.load (local.get $from)) (i32.const 0))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br $on)))
  (if (i32.ge_s (local.get $answer) (i32.const 0)) (then (call $write (local.get $answer) (i32.const 0))))
  (global.set $given (global.get $script_end)))
"""
