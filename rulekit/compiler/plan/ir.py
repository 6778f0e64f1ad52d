"""The intermediate representation (IR): a plan is what the compiled engines run.

One plan is made for one game with its options and number of seats, so these
are constants in it.  Everything is a 64-bit integer or a sequence of them.

Storage (the position; equal in every engine):
    words:  one integer each, by number.  `NONE` stands for nothing; a flag is
            0 or 1; a seat or thing is its number; a cell, offset or direction
            is packed by `pair`, so that adding packed pairs adds pairs.
    lists:  sequences with a fixed room, by number: piles, lists, snapshots.

Functions have parameters and locals, each an integer or a sequence; a local
sequence belongs to its function and ends with it.  Each time a function begins
its integers are 0 and its sequences empty.  Expressions never fail and change
nothing.  Statements run in order; `Break` and `Again` name a block or loop
around them, so that control is structured.

Sense.  A test holds unless it is 0.  `&`, `|` and `Pick` look at no operand
that does not count: the right one of `&` only where the left is 1.  A plan
never comes to an entry that a sequence, a table or the storage does not have,
to a division by 0, a number beyond 64 bits, a list beyond its room, a draw
from less than 1 or a question without options; no engine looks for these.

Sequences.  A local sequence is either the function's own (`New`, `Copy`, a
`Do`, an `AskSeveral` or a `Feasible` make it; only such a one is changed by
`Push`, `Drop` and `Sort`), or only a name (`Set`) for one that stands elsewhere and does not
change while the name is used; a parameter is a name too.  What a function
returns is a new sequence, its caller's own.

Unwinding: `Unwind` leaves all functions up to one that catches its status,
or the whole run.  Statuses are in `Status`: the end of the game, a trial
that failed, a run without end, an action that is stopped (STOP + code), a
fault (FAULT + number in `Plan.faults`).  A fault never tells what is wrong:
the reference engine plays the same match and says it.

Trying.  `Try` and `Feasible` run a function to see whether some answers lead
it to its end (the status END is an end too, FAILED is none, any other status
ends the whole run, whatever the functions around catch); then everything is
as it was, whatever came out: words, lists and the calls that run.  While
something is tried nobody is asked: every answer is explored, depth first,
first option first, of several things the smallest numbers first and in the
order of combinations.  Tries may stand inside tries.  In a try `Noted` and
`Live` do nothing.

Guards.  A function that `bounds` remembers, when it begins and nothing is
being tried, the storage and its arguments, and from then on every answer
given (`Ask`, `AskSeveral`, `Noted`), until it ends.  It is live or not, as
its `Live` said last: AHEAD, SURE or neither.  SURE: what it still does, with
all that the functions do that it calls, behind their questions, only changes
the position.  Then the function that began last, if it STANDS_IN, may be asked
in its place.  `Feasible` asks the outermost live function of each
option: from what it remembered, with the answers given since and this one, can
it come to its end?  The answers given so far are given again (they may draw
from chance, with the same result; each `Ask`, `AskSeveral` and `Noted` takes
one, and nothing is remembered); what follows is a try, and giving them again
is part of it.  All options are feasible where no function is live or
something is being tried.

Refusing.  An `AskSeveral` with a status `nothing` asks the outermost live
function as well, when it has its answer, and goes on only where that can come
to its end.  If not, but with some other answer, the question is put again as
the same one: what was answered, and the work of trying it, counts for nothing,
and who answers by chance draws on.  If with no answer, the status unwinds.

Steps.  `Spend` counts steps.  `limits.STEPS_PER_DECISION` are allowed, anew
after every answer to somebody asked, but not more than
`limits.STEPS_PER_GAME` in all since the match began or was gone on with.
Where more were counted, a checked `Spend` and a question to somebody unwind
with ENDLESS; a run that ends otherwise ends with ENDLESS too.  So does the
question that would be one more than `limits.DECISIONS`, before anybody is
asked.  A `Try` counts what it does, and `cost_model.ANSWER` for each answer that
it tries to a question; what is done again to come to the answer
that is tried counts once.  What `Feasible` and a refusal try does not count:
of each option, or of the refusal, as many steps are tried as are allowed
between two answers, shared equally among the options; what takes more comes
to its end.  `Apart` begins and ends what seats decide at once, each with the
steps that are left where that begins.  `Draw`
while something is tried unwinds with CHANCE.

Cells.  A machine has cells besides the storage: integers that are 0 when it is
made, by number.  They are no part of the position, so they outlive matches,
and no try takes them back.

Reals.  An integer may hold a real number: the 64 bits of an IEEE 754 double,
read as a signed integer.  Only `Real` and `Cell` make any sense of them.  No
operation of a plan comes to what is no number.

Waiting.  In functions that stop, a question outside of a try may unwind with
WAITING, which nothing catches.  On the way out every function puts aside its
parameters, its locals but for those that are `brief`, and its guard.  To go on, the first function is called again;
each function that stops takes back what it put aside, the first one out the
last one in, and runs from its beginning, until the question comes again and
has its answer.  Only then begins a function as usual.

What a valid plan is, `tests/plans/validator` says; `tests/plans/evaluator` runs plans by this text alone.
"""

from __future__ import annotations

from enum import IntEnum

from rulekit.values import field, frozen

NONE = -(2**60)
"""Nothing.  No number of the language is so small."""
LARGEST = 2**60
"""No number of the language is so large."""
WIDTH = 2**21
"""A pair (x, y) is x * WIDTH + y; no coordinate comes near half of it."""


def pair(x: int, y: int) -> int:
    return x * WIDTH + y


def unpaired(packed: int) -> tuple[int, int]:
    y = (packed + WIDTH // 2) % WIDTH - WIDTH // 2
    return (packed - y) // WIDTH, y


class Status(IntEnum):
    DONE = 0
    END = 1
    FAILED = 2
    ENDLESS = 3
    CHANCE = 4
    WAITING = 5
    STOP = 1 << 10
    FAULT = 1 << 20


# ---------------------------------------------------------------- expressions


class Expr:
    """An integer or a sequence; see each."""


@frozen
class Const(Expr):
    value: int


@frozen
class Get(Expr):
    """A local, integer or sequence."""

    local: str


@frozen
class Word(Expr):
    at: Expr


@frozen
class Binary(Expr):
    """op: + - * // % (rounding down, as in mathematics), < <= == !=, & | (of flags, which are 0 or 1), min max."""

    op: str
    left: Expr
    right: Expr


@frozen
class Not(Expr):
    of: Expr


@frozen
class Pick(Expr):
    """then if test else other."""

    test: Expr
    then: Expr
    other: Expr


@frozen
class Entry(Expr):
    """An entry of a constant table of integers, from 0."""

    table: int
    at: Expr


@frozen
class Row(Expr):
    """A constant sequence: an entry of a table of sequences, from 0."""

    table: int
    at: Expr


@frozen
class Bits(Expr):
    """A sequence that only an `Each` goes through: the places of the bits of a natural number, from `first` on."""

    first: int
    mask: Expr


@frozen
class Size(Expr):
    """How long a sequence is."""

    of: Expr


@frozen
class Item(Expr):
    """The entry of a sequence at a place from 0 that it has."""

    of: Expr
    at: Expr


@frozen
class Stored(Expr):
    """A list of the storage, as a sequence; good until that list changes."""

    list: Expr


@frozen
class Has(Expr):
    of: Expr
    item: Expr


@frozen
class Find(Expr):
    """The first place of an item from 0, or -1."""

    of: Expr
    item: Expr


@frozen
class Alike(Expr):
    """Whether two sequences are equal; in any order if not `ordered`."""

    left: Expr
    right: Expr
    ordered: bool


@frozen
class Cell(Expr):
    at: Expr


@frozen
class Trying(Expr):
    """Whether something is tried."""


@frozen
class Spent(Expr):
    """How many steps were counted."""


@frozen
class StepsLeft(Expr):
    """How many steps are left, which are not too few, with the number of decisions until here; for `Apart`."""


@frozen
class Real(Expr):
    """Arithmetic of reals, each rounded once, to the nearest.

    op: + - * / max, which give a real, < a flag; without a right operand sqrt, and float: the real nearest to an
        integer.
    """

    op: str
    left: Expr
    right: Expr | None = None


@frozen
class Hash(Expr):
    """A hash of a key and a value: output `value` of the stream with this key, see `play.state.counter_rng`.

    Both and what it gives are read as unsigned integers of the same 64 bits; nothing is too large for it.
    """

    key: Expr
    value: Expr


# ---------------------------------------------------------------- statements


class Statement:
    """Does something; see each."""


Body = tuple[Statement, ...]


@frozen
class Set(Statement):
    """An integer, or another name for a sequence."""

    local: str
    value: Expr


@frozen
class Store(Statement):
    at: Expr
    value: Expr


@frozen
class If(Statement):
    test: Expr
    then: Body
    other: Body = ()


@frozen
class Loop(Statement):
    """Runs for ever; left by `Break`, gone on with by its end or by `Again`."""

    label: str
    body: Body


@frozen
class Block(Statement):
    label: str
    body: Body


@frozen
class Each(Statement):
    """Once for each entry of a sequence that does not change meanwhile; `Break` and `Again` as in a loop.

    The local of an `Each` or `Count` is set by nothing else and read in the body alone; several loops, not one inside
    the other, may share it.
    """

    label: str
    local: str
    of: Expr
    body: Body


@frozen
class Count(Statement):
    """For each integer from low to high, both included; these are reckoned once."""

    label: str
    local: str
    low: Expr
    high: Expr
    body: Body


@frozen
class Break(Statement):
    label: str


@frozen
class Again(Statement):
    label: str


@frozen
class Do(Statement):
    """Call a function; what it returns goes to `local`, if any."""

    local: str | None
    function: str
    args: tuple[Expr, ...]


@frozen
class Return(Statement):
    value: Expr | None = None


@frozen
class Unwind(Statement):
    status: Expr


@frozen
class Fail(Statement):
    """Unwinds with FAILED while something is tried, else with this status."""

    status: Expr


@frozen
class New(Statement):
    """An empty local sequence."""

    local: str


@frozen
class Copy(Statement):
    """A local sequence of its own, equal to another."""

    local: str
    of: Expr


@frozen
class Push(Statement):
    local: str
    value: Expr


@frozen
class Drop(Statement):
    """Take the entry at a place out of a local sequence."""

    local: str
    at: Expr


@frozen
class Sort(Statement):
    """Order a local sequence by keys, smallest first, equal ones as they were.

    keys: a sequence with `width` keys for each entry, the most important first.
    """

    local: str
    keys: Expr
    width: int


@frozen
class Add(Statement):
    """Append to a list of the storage."""

    list: Expr
    value: Expr


@frozen
class Take(Statement):
    """Take the entry at a place out of a list of the storage."""

    list: Expr
    at: Expr


@frozen
class Put(Statement):
    """Change the entry at a place of a list of the storage."""

    list: Expr
    at: Expr
    value: Expr


@frozen
class Move(Statement):
    """Take the entry at `start` of a list and put it in before the entry at `end`, which is not behind it.

    It then stands at `end`; both are places before the move.
    """

    list: Expr
    start: Expr
    end: Expr


@frozen
class Fill(Statement):
    """A list of the storage gets the entries of a sequence."""

    list: Expr
    of: Expr


@frozen
class Draw(Statement):
    """A number from 0 to n - 1 from a stream of chance."""

    local: str
    stream: int
    n: Expr


@frozen
class Ask(Statement):
    """A decision; `local` gets the place of the answer among the options, from 0.

    ask:    the number of the question in `Plan.asks`.
    among:  where a guard took options away, all of them (different ones): remembered and
            explored is then the place among these, and `options` are all of them in a try.
    """

    local: str
    ask: int
    seat: Expr
    options: Expr
    among: Expr | None = None


@frozen
class AskSeveral(Statement):
    """A decision for least to most things; `local` is a new sequence of the entries chosen, in the order of options.

    nothing:  a status; with it, answers may be refused.
    """

    local: str
    ask: int
    seat: Expr
    options: Expr
    least: Expr
    most: Expr
    nothing: Expr | None = None


@frozen
class Noted(Statement):
    """An answer that was not asked for because a guard left no other: its place among all options."""

    answer: Expr


@frozen
class Live(Statement):
    """Whether the bounding function that says it still has a condition ahead: AHEAD, SURE, STANDS_IN or 0."""

    on: int


AHEAD, SURE, STANDS_IN = 1, 2, 3


@frozen
class Try(Statement):
    """Whether some answers lead a function to its end; 1 or 0.  Everything is as it was afterwards."""

    local: str
    function: str
    args: tuple[Expr, ...]


@frozen
class Feasible(Statement):
    """`local` gets the feasible ones of the options of the `Ask` that follows, in order."""

    local: str
    options: Expr


@frozen
class Spend(Statement):
    """Counts steps.  checked: unwinds with ENDLESS where more were counted than are allowed."""

    steps: Expr
    checked: bool = False


@frozen
class Apart(Statement):
    """The steps of what seats decide at once.

    begun:  what `StepsLeft` gave where that began.
    ends:   it ends: if somebody was asked since, as many steps are allowed as after an answer.
            Else a seat begins, and as many are left as then.
    """

    begun: Expr
    ends: bool


@frozen
class Sum(Statement):
    """A sum of the series gets a value more (+), or becomes the less (min) or the more (max) of both."""

    at: Expr
    value: Expr
    manner: str = "+"


@frozen
class SetCell(Statement):
    at: Expr
    value: Expr


# ---------------------------------------------------------------- the whole


@frozen
class Function:
    """gives:    "" (nothing), "int" or "list".
    params, locals:  (name, "int" or "list"); params are no locals, but may be set.
    catches:  the statuses (of actions that are stopped) that end here as if the function, which gives nothing, had
              returned.
    bounds:   `Feasible` inside it runs it again from its start.
    returns:  it may come to itself again, and sees to it that this ends after a hundred times or so.
    stops:    a run may be left inside it and gone on with; see `passes.suspension`.
    brief:    locals whose values nobody reads after it was gone on with: they begin anew then.
    """

    name: str
    params: tuple[tuple[str, str], ...]
    locals: tuple[tuple[str, str], ...]
    body: Body = field(repr=False)
    gives: str = ""
    catches: tuple[int, ...] = ()
    bounds: bool = False
    origin: str = ""
    stops: bool = False
    returns: bool = False
    brief: tuple[str, ...] = ()


@frozen
class Question:
    """code, place: of the operation that asks.  form: one, several or way.  apart: inside a `secretly each`."""

    code: int
    place: int
    name: str
    form: str
    apart: bool = False


@frozen
class Search:
    """What a machine that runs the simulations of a search must know of a plan that can be searched.

    It has these functions (`SEARCHING`):
    search_begin:  before each simulation: takes its number, 0 for the first of a new search, and the key of the chance
              that the search itself has.
    search_key:  takes the number of a question, the seat and the options (a sequence); gives the key of its node.
    search_choose_one:  at an `Ask`: takes the same; gives the place of the answer.
    search_choose_several:  at an `AskSeveral`: takes the same, then least and most; gives the places of the answer, in
              rising order.
    search_learn:  behind a simulation that came to its end.
    search_node:  takes the key of a node and 0; gives the first cell of what is known of its answers, `answer` for
              each: how often it was tried, what that came to, a real, and others; 0 where the search never came there.
    search_behind:  takes the key of a node that there is and the place of an answer, where a question is answered by
              several choices; gives the key of the next node.

    inside:   the cell that is 0 once the simulation at work answers by chance, and the search chooses no more.
    """

    inside: int
    answer: int


@frozen
class Drive:
    """The cells by which many matches are answered by number, and observed; see `lower.driving`.

    The plan has these functions (`DRIVING`):
    drive_offer:  at a question, takes its number, the seat, the options, least and most: marks what each number does.
    drive_observe:  at a question, takes its number and the seat: what that seat sees.
    drive_reward:  takes a seat, behind a match that came to its end: gives what it came to for this seat, a real.

    done:     the number by which a set is complete.
    page, count, picked:  cells: the page of options that was chosen, or -1; how many things were chosen for a set, and
              from there on their places among the options, in rising order.
    lacking:  the cell that is 1 once something was offered that has no number.
    codes:    the first cell of what numbers do, `actions` of them, all 0 when an offer begins: 0 nothing, from 1 on an
              option's place and 1 more, below 0 a page and 1 more, `COMPLETE` for `done`.
    seen:     the first cell of what is observed, of `width`; all 0 when that begins.
    """

    done: int
    page: int
    count: int
    picked: int
    lacking: int
    codes: int
    actions: int
    seen: int
    width: int


SEARCHING = (
    *("search_begin", "search_key", "search_choose_one", "search_choose_several", "search_learn"),
    *("search_node", "search_behind"),
)
DRIVING = ("drive_offer", "drive_observe", "drive_reward")
"""Functions that are called from outside."""
COMPLETE = 1 << 30
"""What the number does by which a set is complete: more than there are options."""
REPEATED = 1 << 38
"""Steps taken off while a try runs again up to the answer that it changes: more than a match may take."""
SAMPLE = 100
"""Of a series the first match is tested for invariants, and then each so many; a series may be told to test all."""


@frozen
class Plan:
    """words, lists: the position at the start.  rooms: the most that each list can hold.

    kept:     how many words, the last ones, a try leaves as it found or made them.
    sums:     what the sums of a series are before its first match.  They are no part of the position; nothing reads
              them, and nothing that may be tried changes them.
    after:    the function that is told the status and the number of decisions behind every match of a series, or "".
    cells:    how many cells there are.  search: how the plan is searched, if it can be; drive: how many of its matches
              are driven at once, if they can be.
    spares:   the cell that is 1 where the match to come is spared the test of its invariants; None if no match has it.
              A series sets it before each match, see `SAMPLE`.
    streams:  names of the streams of chance; first_draw: word of the count of the first, the others follow.
    main:     the function that plays; result: the one that runs after the status END.
    seats:    how many decide; names of all seats, neutral ones included.
    names:    of words and lists, for people who read the source.
    """

    title: str
    words: tuple[int, ...] = field(repr=False)
    lists: tuple[tuple[int, ...], ...] = field(repr=False)
    rooms: tuple[int, ...] = field(repr=False)
    tables: tuple[tuple[int, ...], ...] = field(repr=False)
    rows: tuple[tuple[tuple[int, ...], ...], ...] = field(repr=False)
    streams: tuple[str, ...]
    first_draw: int
    functions: tuple[Function, ...] = field(repr=False)
    main: str
    result: str
    seats: int
    names: tuple[str, ...]
    asks: tuple[Question, ...] = field(repr=False)
    faults: tuple[str, ...] = field(repr=False)
    word_names: tuple[str, ...] = field(repr=False)
    list_names: tuple[str, ...] = field(repr=False)
    kept: int = 0
    sums: tuple[int, ...] = field(default=(), repr=False)
    after: str = ""
    cells: int = 0
    search: Search | None = None
    spares: int | None = None
    drive: Drive | None = None
