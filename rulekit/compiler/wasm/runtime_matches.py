"""Runtime of every module, as WebAssembly text: arithmetic, random numbers, matches and questions.

Names in braces are numbers that the layout knows, or what `PLAIN` says; `runtime_suspension` has other words for these.
"""

PLAIN = {
    "whole": """
  (local.set $status (call $main))
  (if (i32.eq (local.get $status) (i32.const {end})) (then (local.set $status (call $result))))
  (call $in_bounds (i32.and (local.get $status) (i32.const {status_bits})))""",
    "at_one": "",
    "at_several": "",
    "at_draw": "",
    "host": "(call $host)",
    "place": "(call $answered (local.get $ask) (local.get $seat) (local.get $options) (i64.const 1) (i64.const 1) "
    "(i32.const 0))",
}
"""How a match runs from its beginning, what a question and a draw do first, how an answer comes from outside, and how
the place of a single one does."""

NUMBERS = """
(func $floor_div (param $a i64) (param $b i64) (result i64) (local $q i64)
  (local.set $q (i64.div_s (local.get $a) (local.get $b)))
  (i64.sub (local.get $q) (i64.extend_i32_u (i32.and
    (i64.lt_s (i64.xor (local.get $a) (local.get $b)) (i64.const 0))
    (i64.ne (i64.mul (local.get $q) (local.get $b)) (local.get $a))))))

(func $floor_mod (param $a i64) (param $b i64) (result i64) (local $r i64)
  (local.set $r (i64.rem_s (local.get $a) (local.get $b)))
  (select (i64.add (local.get $r) (local.get $b)) (local.get $r) (i32.and
    (i64.lt_s (i64.xor (local.get $r) (local.get $b)) (i64.const 0))
    (i64.ne (local.get $r) (i64.const 0)))))
"""

CHANCE = """
(func $mixed (param $z i64) (result i64)
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30)))
    (i64.const 0xBF58476D1CE4E5B9)))
  (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27)))
    (i64.const 0x94D049BB133111EB)))
  (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))

(func $output (param $key i64) (param $index i64) (result i64)
  (call $mixed (i64.add (local.get $key)
    (i64.mul (i64.add (local.get $index) (i64.const 1)) (i64.const 0x9E3779B97F4A7C15)))))

;; A number below n, and the index of the next output.  Only the highest outputs may be passed over.  `output` is
;; written out here, as it is in every answer.
(func $below (param $key i64) (param $index i64) (param $n i64) (result i64 i64) (local $z i64)
  (local.set $index (i64.add (local.get $index) (i64.const 1)))
  (local.set $z (i64.add (local.get $key) (i64.mul (local.get $index) (i64.const 0x9E3779B97F4A7C15))))
  (loop $again
    (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 30)))
      (i64.const 0xBF58476D1CE4E5B9)))
    (local.set $z (i64.mul (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 27)))
      (i64.const 0x94D049BB133111EB)))
    (local.set $z (i64.xor (local.get $z) (i64.shr_u (local.get $z) (i64.const 31))))
    (if (i64.gt_u (local.get $z) (i64.sub (i64.const -1) (local.get $n)))
      (then
        (if (i64.gt_u (local.get $z)
              (i64.sub (i64.const -1) (i64.rem_u (i64.sub (i64.const 0) (local.get $n)) (local.get $n))))
          (then
            (local.set $index (i64.add (local.get $index) (i64.const 1)))
            (local.set $z (i64.add (local.get $key)
              (i64.mul (local.get $index) (i64.const 0x9E3779B97F4A7C15))))
            (br $again))))))
  (i64.rem_u (local.get $z) (local.get $n))
  (local.get $index))

(func $draw (param $stream i32) (param $n i64) (result i64 i32) (local $index i64)
  (if (i32.and (i32.ne (global.get $trying) (i32.const 0)) (i32.ge_u (global.get $answer) (global.get $given)))
    (then (return (i64.const 0) (i32.const {chance}))))
  {at_draw}
  (local.set $stream (i32.shl (local.get $stream) (i32.const 3)))
  (call $below (i64.load offset={keys} (local.get $stream)) (i64.load offset={draws} (local.get $stream))
    (local.get $n))
  (local.set $index)
  (i64.store offset={draws} (local.get $stream) (local.get $index))
  (i32.const 0))
"""

MATCH = """
(global $hook (export "hook") (mut i32) (i32.const 0))
(global $decisions (export "decisions") (mut i32) (i32.const 0))
(global $done (export "done") (mut i32) (i32.const 0))
(global $every (export "every") (mut i64) (i64.const {sample}))
;; The steps that were counted, and how many are allowed.
(global $work (export "work") (mut i64) (i64.const 0))
(global $limit (mut i64) (i64.const 0))

(func $keyed (param $seed i64) (local $at i32)
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $at) (i32.const {numbers_size})))
      (i64.store offset={keys} (local.get $at)
        (call $mixed (i64.add (local.get $seed) (i64.load offset={numbers} (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $on))))

(func $begin (param $seed i64)
  (memory.copy (i32.const {storage}) (i32.const {image}) (i32.const {storage_size}))
  (call $keyed (local.get $seed))
  (memory.fill (i32.const {turns}) (i32.const 0) (i32.const {turns_size}))
  (global.set $decisions (i32.const 0))
  (global.set $work (i64.const 0))
  (call $allow)
  (global.set $arena (i32.const {arena}))
  (global.set $overfull (i32.const 0))
  (global.set $trying (i32.const 0))
  (global.set $script (i32.const {script}))
  (global.set $script_end (i32.const {script}))
  (global.set $guard (i32.const 0))
  (global.set $log_end (i32.const {log})))

;; As many steps from here on as between two answers.  Traps where the host requests a stop.
(func $allow
  (if (i32.load (i32.const {stop_request})) (then unreachable))
  (global.set $limit (i64.add (global.get $work) (i64.const {steps})))
  (if (i64.gt_s (global.get $limit) (i64.const {game_steps}))
    (then (global.set $limit (i64.const {game_steps})))))

;; The steps that are left, and before them the decisions until here.
(func $begin_apart (result i64)
  (i64.or (i64.shl (i64.extend_i32_u (global.get $decisions)) (i64.const 40))
    (i64.sub (global.get $limit) (global.get $work))))

(func $seat_apart (param $begun i64)
  (global.set $limit (i64.add (global.get $work)
    (i64.and (local.get $begun) (i64.const 0xffffffffff)))))

(func $end_apart (param $begun i64)
  (if (i64.ne (i64.shr_u (local.get $begun) (i64.const 40)) (i64.extend_i32_u (global.get $decisions)))
    (then (call $allow))))

;; The end of a run that took too many steps is that.
(func $in_bounds (param $status i32) (result i32)
  (if (i32.eq (local.get $status) (i32.const {waiting})) (then (return (local.get $status))))
  (select (i32.const {endless}) (local.get $status) (i64.gt_s (global.get $work) (global.get $limit))))

(func $run (export "run") (param $seed i64) (result i32) (local $status i32)
  (call $begin (local.get $seed))
  {whole})

;; The words asked for stand in the exchange; behind them status, decisions and these words for each match.  After many
;; decisions the host is given a turn.
(func $playouts (export "playouts") (param $series i64) (param $first i64) (param $count i32) (param $figures i32)
  (local $to i32) (local $at i32) (local $budget i32)
  (global.set $done (i32.const 0))
  (local.set $budget (i32.const {batch}))
  (local.set $figures (i32.add (i32.const {exchange}) (i32.shl (local.get $figures) (i32.const 3))))
  (local.set $to (local.get $figures))
  (block $over
    (loop $on
      (br_if $over (i32.ge_u (global.get $done) (local.get $count)))
      {spared}
      (i64.store (local.get $to) (i64.extend_i32_u (call $run (call $output (local.get $series)
        (i64.add (local.get $first) (i64.extend_i32_u (global.get $done)))))))
      (i64.store offset=8 (local.get $to) (i64.extend_i32_u (global.get $decisions)))
      (call $after (i64.load (local.get $to)) (i64.load offset=8 (local.get $to)))
      (local.set $to (i32.add (local.get $to) (i32.const 16)))
      (local.set $at (i32.const {exchange}))
      (block $copied
        (loop $copy
          (br_if $copied (i32.ge_u (local.get $at) (local.get $figures)))
          (i64.store (local.get $to) (i64.load offset={words}
            (i32.shl (i32.wrap_i64 (i64.load (local.get $at))) (i32.const 3))))
          (local.set $to (i32.add (local.get $to) (i32.const 8)))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $copy)))
      (global.set $done (i32.add (global.get $done) (i32.const 1)))
      (local.set $budget (i32.sub (local.get $budget) (i32.add (global.get $decisions) (i32.const 1))))
      (br_if $on (i32.gt_s (local.get $budget) (i32.const 0))))))
"""

ASKING = """
;; Whether this question is one too many, or there were too many steps; else new ones are allowed.
(func $bounded (result i32)
  (if (i32.or (i32.ge_u (global.get $decisions) (i32.const {decisions}))
        (i64.gt_s (global.get $work) (global.get $limit)))
    (then (return (i32.const 1))))
  (call $allow)
  (i32.const 0))

;; Counts a question to a seat; gives the key of its stream and the place there where its answer begins.
(func $asked (param $seat i64) (result i64 i64) (local $at i32) (local $turn i64)
  (global.set $decisions (i32.add (global.get $decisions) (i32.const 1)))
  (local.set $at (i32.shl (i32.wrap_i64 (local.get $seat)) (i32.const 3)))
  (local.set $turn (i64.load offset={turns} (local.get $at)))
  (i64.store offset={turns} (local.get $at) (i64.add (local.get $turn) (i64.const {turn})))
  (i64.load offset={seat_keys} (local.get $at))
  (local.get $turn))

(func $ask (param $ask i32) (param $seat i64) (param $options i32) (param $among i32) (result i64 i32) (local $at i32)
  (if (i32.eqz (global.get $trying))
    (then (return (call $ask_now (local.get $ask) (local.get $seat) (local.get $options) (local.get $among)))))
  ;; `choose`, written out.
  (local.set $at (global.get $answer))
  (if (i32.ge_u (local.get $at) (global.get $script_end))
    (then
      (call $write (i32.const 0) (i32.load (local.get $options)))
      (global.set $work (i64.add (global.get $work) (i64.const {answer_steps})))))
  (global.set $answer (i32.add (local.get $at) (i32.const 8)))
  (if (i32.eq (global.get $answer) (global.get $given_again)) (then (global.set $work (global.get $before))))
  (i64.load32_u (local.get $at))
  (i32.const 0))

(func $ask_now (param $ask i32) (param $seat i64) (param $options i32) (param $among i32) (result i64 i32)
  (local $place i64) (local $at i32)
  ;; `bounded`, `allow` and `asked`, written out.
  (if (i32.or (i32.ge_u (global.get $decisions) (i32.const {decisions}))
        (i64.gt_s (global.get $work) (global.get $limit)))
    (then (return (i64.const 0) (i32.const {endless}))))
  (if (i32.load (i32.const {stop_request})) (then unreachable))
  (global.set $limit (i64.add (global.get $work) (i64.const {steps})))
  (if (i64.gt_s (global.get $limit) (i64.const {game_steps}))
    (then (global.set $limit (i64.const {game_steps}))))
  {at_one}
  (global.set $decisions (i32.add (global.get $decisions) (i32.const 1)))
  (local.set $at (i32.shl (i32.wrap_i64 (local.get $seat)) (i32.const 3)))
  (local.set $place (i64.load offset={turns} (local.get $at)))
  (i64.store offset={turns} (local.get $at) (i64.add (local.get $place) (i64.const {turn})))
  (if (global.get $hook)
    (then
      (local.set $place {place}))
    (else
      (call $below (i64.load offset={seat_keys} (local.get $at)) (local.get $place)
        (i64.load32_u (local.get $options)))
      (drop)
      (local.set $place)))
  (if (global.get $guard)
    (then (call $note (call $place_among (local.get $options) (local.get $among)
      (i32.wrap_i64 (local.get $place))))))
  (local.get $place)
  (i32.const 0))

(func $place_among (param $options i32) (param $among i32) (param $place i32) (result i32)
  (if (i32.eq (local.get $options) (local.get $among)) (then (return (local.get $place))))
  (call $find (local.get $among)
    (i64.load offset=8 (i32.add (local.get $options) (i32.shl (local.get $place) (i32.const 3))))))

;; A question goes to the host by the exchange: six numbers; behind them come the size of the answer and its places.
(func $answered (param $ask i32) (param $seat i64) (param $options i32) (param $least i64) (param $most i64)
  (param $several i32) (result i64)
  (i64.store (i32.const {exchange}) (i64.extend_i32_u (local.get $ask)))
  (i64.store offset=8 (i32.const {exchange}) (local.get $seat))
  (i64.store offset=16 (i32.const {exchange}) (i64.extend_i32_u (local.get $options)))
  (i64.store offset=24 (i32.const {exchange}) (local.get $least))
  (i64.store offset=32 (i32.const {exchange}) (local.get $most))
  (i64.store offset=40 (i32.const {exchange}) (i64.extend_i32_u (local.get $several)))
  {host}
  (if (i64.lt_s (i64.load offset=48 (i32.const {exchange})) (i64.const 0)) (then unreachable))
  (i64.load (select (i32.const {answer_size}) (i32.const {answer}) (local.get $several))))

;; nothing: the status that ends the run where every answer is refused; 0 where none is.
(func $ask_several (param $ask i32) (param $seat i64) (param $options i32) (param $least i64) (param $most i64)
  (param $nothing i32) (result i32 i32) (local $flags i32) (local $made i32) (local $size i64) (local $index i64)
  (local $log i32) (local $refused i32) (local $status i32)
  (if (global.get $trying)
    (then (return (call $chosen_in_try (local.get $options) (local.get $least) (local.get $most)) (i32.const 0))))
  (if (call $bounded) (then (return (i32.const 0) (i32.const {endless}))))
  (local.set $index (i64.const -1))
  (local.set $log (global.get $log_end))
  (loop $again
    {at_several}
    (local.set $made (call $fresh (i32.load (local.get $options))))
    (local.set $flags (call $fresh (i32.load (local.get $options))))
    (memory.fill (i32.add (local.get $flags) (i32.const 8)) (i32.const 0)
      (i32.shl (i32.load (local.get $options)) (i32.const 3)))
    (if (global.get $hook)
      (then (local.set $size (call $told (local.get $ask) (local.get $seat) (local.get $options)
        (local.get $least) (local.get $most) (local.get $flags))))
      (else
        (call $drawn (local.get $seat) (i32.load (local.get $options))
          (local.get $least) (local.get $most) (local.get $flags) (local.get $index))
        (local.set $index)
        (local.set $size)))
    (if (global.get $guard)
      (then (call $note (i32.wrap_i64 (i64.sub (local.get $size) (local.get $least))))))
    (call $collect (local.get $options) (local.get $flags) (local.get $made))
    (global.set $arena (local.get $flags))
    (call $refuses (local.get $nothing) (local.get $log))
    (local.set $status)
    (local.set $refused)
    (if (local.get $status) (then (return (i32.const 0) (local.get $status))))
    (if (local.get $refused)
      (then
        (if (global.get $hook) (then (call $unasked (local.get $seat))))
        (global.set $arena (local.get $made))
        (br $again))))
  (local.get $made)
  (i32.const 0))

;; Whether the answer just noted is refused; or a status: there is no other, or trying it came to no end.
(func $refuses (param $nothing i32) (param $log i32) (result i32 i32)
  (local $passed i64) (local $status i32)
  (if (i32.eqz (local.get $nothing)) (then (return (i32.const 0) (i32.const 0))))
  (call $passes)
  (local.set $status)
  (local.set $passed)
  (if (i32.or (local.get $status) (i32.wrap_i64 (local.get $passed)))
    (then (return (i32.const 0) (local.get $status))))
  (global.set $log_end (local.get $log))
  (call $passes)
  (local.set $status)
  (local.set $passed)
  (i32.const 1)
  (select (local.get $status) (select (i32.const 0) (local.get $nothing) (i32.wrap_i64 (local.get $passed)))
    (local.get $status)))

;; A question that is put again is the same one.
(func $unasked (param $seat i64) (local $at i32)
  (local.set $at (i32.shl (i32.wrap_i64 (local.get $seat)) (i32.const 3)))
  (global.set $decisions (i32.sub (global.get $decisions) (i32.const 1)))
  (i64.store offset={turns} (local.get $at)
    (i64.sub (i64.load offset={turns} (local.get $at)) (i64.const {turn}))))

;; The host's answer, as flags; gives how many things it is.
(func $told (param $ask i32) (param $seat i64) (param $options i32) (param $least i64) (param $most i64)
  (param $flags i32) (result i64) (local $size i64) (local $at i32)
  (drop (drop (call $asked (local.get $seat))))
  (local.set $size (call $answered (local.get $ask) (local.get $seat) (local.get $options)
    (local.get $least) (local.get $most) (i32.const 1)))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $at) (i32.wrap_i64 (local.get $size))))
      (i64.store offset=8 (i32.add (local.get $flags) (i32.shl (i32.wrap_i64
        (i64.load offset={answer} (i32.shl (local.get $at) (i32.const 3)))) (i32.const 3))) (i64.const 1))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br $on)))
  (local.get $size))

;; An answer by chance, as flags: first how many, then one after the other of those left; gives how many, and the index
;; of the next output.  index: where to draw on, if the question is put again; else it is counted.
(func $drawn (param $seat i64) (param $left i32) (param $least i64) (param $most i64) (param $flags i32)
  (param $index i64) (result i64 i64) (local $key i64) (local $size i64) (local $place i64) (local $count i64)
  (local $all i32) (local $rest i32)
  (if (i64.lt_s (local.get $index) (i64.const 0))
    (then
      (call $asked (local.get $seat))
      (local.set $index)
      (local.set $key))
    (else (local.set $key
      (i64.load offset={seat_keys} (i32.shl (i32.wrap_i64 (local.get $seat)) (i32.const 3))))))
  (call $below (local.get $key) (local.get $index)
    (i64.add (i64.sub (local.get $most) (local.get $least)) (i64.const 1)))
  (local.set $index)
  (local.set $size)
  (local.set $size (i64.add (local.get $size) (local.get $least)))
  (local.set $all (local.get $left))
  (local.set $rest (call $fresh (local.get $all)))
  (loop $number
    (if (i32.lt_u (i32.load (local.get $rest)) (local.get $all))
      (then (call $add (local.get $rest) (i64.extend_i32_u (i32.load (local.get $rest)))) (br $number))))
  (block $done
    (loop $on
      (br_if $done (i64.ge_s (local.get $count) (local.get $size)))
      (call $below (local.get $key) (local.get $index) (i64.load32_u (local.get $rest)))
      (local.set $index)
      (local.set $place)
      (i64.store offset=8 (i32.add (local.get $flags) (i32.shl (i32.wrap_i64 (i64.load offset=8
        (i32.add (local.get $rest) (i32.shl (i32.wrap_i64 (local.get $place)) (i32.const 3)))))
        (i32.const 3))) (i64.const 1))
      (call $take (local.get $rest) (i32.wrap_i64 (local.get $place)))
      (local.set $count (i64.add (local.get $count) (i64.const 1)))
      (br $on)))
  (local.get $size)
  (local.get $index))

;; The options whose flags are set; a guard notes how many were passed over before each.
(func $collect (param $options i32) (param $flags i32) (param $made i32) (local $end i32) (local $passed i32)
  (local.set $end (i32.add (local.get $options) (i32.shl (i32.load (local.get $options)) (i32.const 3))))
  (block $done
    (loop $on
      (br_if $done (i32.ge_u (local.get $options) (local.get $end)))
      (if (i64.eqz (i64.load offset=8 (local.get $flags)))
        (then (local.set $passed (i32.add (local.get $passed) (i32.const 1))))
        (else
          (call $add (local.get $made) (i64.load offset=8 (local.get $options)))
          (if (global.get $guard) (then (call $note (local.get $passed))))
          (local.set $passed (i32.const 0))))
      (local.set $options (i32.add (local.get $options) (i32.const 8)))
      (local.set $flags (i32.add (local.get $flags) (i32.const 8)))
      (br $on))))
"""
