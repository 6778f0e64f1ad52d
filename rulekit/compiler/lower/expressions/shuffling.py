"""Lazy shuffling: each position of a shuffled pile is drawn when a rule first reads it.

An incremental Fisher-Yates shuffle by the principle of deferred decisions.  A
word for each such pile counts how many of its top things are decided, another
one how many things were put under the undecided ones since.
"""

from __future__ import annotations

from collections.abc import Callable

from rulekit.compiler.lower.builder.ir_builder import OPS, Builder
from rulekit.compiler.lower.expressions.sequences import target_list
from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.arithmetic import NOTHING, ONE, ZERO, add, binary, same
from rulekit.model import ops


def _shuffle(m: Builder, op: ops.Shuffle) -> None:
    """Forget the order: the things are sorted by number, and none of them is decided."""
    pile = target_list(m, op.pile)
    things, keys = m.temp("list", "s"), m.new()
    m.emit(p.Copy(things, p.Stored(pile)))
    rows = m.setting.row_of
    places = {thing: place for place, thing in enumerate(sorted(range(len(rows)), key=lambda one: (rows[one], one)))}
    ranks = tuple(places[thing] for thing in range(len(rows)))
    m.each_in(p.Get(things), lambda thing: m.emit(p.Push(keys, m.program.entry(ranks, thing))))
    m.emit(p.Sort(things, p.Get(keys), 1), p.Fill(pile, p.Get(things)))
    where = known_word(m, pile)
    m.emit(p.Store(where, p.Pick(same(p.Size(p.Get(things)), ZERO), NOTHING, ZERO)))
    counts = _counts(m, op.pile.variable, pile)
    if counts is not None:
        m.emit(p.Store(counts, ZERO))


def settle(m: Builder, variable: int, pile: p.Expr, whole: bool) -> None:
    """Draw what lies on top of a shuffled pile, or its whole order, unless it is decided already."""
    name = f"settle_{'all' if whole else 'top'}_{variable}"
    function = m.program.function(name, lambda: _settle_function(m, name, variable, whole))
    where = known_word(m, pile)
    known = m.atom(p.Word(where))
    unknown = binary("!=", known, NOTHING) if whole else same(known, ZERO)
    m.when(unknown, lambda: m.emit(p.Do(None, function, (pile,))))


def _settle_function(m: Builder, name: str, variable: int, whole: bool) -> p.Function:
    inner = Builder(m.program, name)
    pile = p.Get("pile")
    where = known_word(inner, pile)
    place, known = inner.temp(), inner.temp()
    counts = _counts(inner, variable, pile)
    lying = ZERO if counts is None else inner.atom(p.Word(counts))
    base = m.storage.list_base[variable]
    owners = m.setting.owners(m.setting.game.variables[variable])

    def draw(owner: int) -> None:
        stream = m.storage.stream(m.storage.list_names[base + owner])
        left = binary("-", p.Binary("-", p.Size(p.Stored(pile)), p.Get(known)), lying)
        inner.emit(p.Draw(place, stream, left))

    def by_owner(owner: int) -> None:
        if owner == owners - 1:
            draw(owner)
        else:
            inner.when(same(pile, p.Const(base + owner)), lambda: draw(owner), lambda: by_owner(owner + 1))

    def one() -> None:
        inner.emit(p.Set(known, p.Word(where)))
        by_owner(0)
        inner.emit(p.Move(pile, p.Binary("+", p.Get(known), p.Get(place)), p.Get(known)))
        all_known = p.Binary("<=", p.Size(p.Stored(pile)), add(p.Binary("+", p.Get(known), ONE), lying))
        decided = inner.atom(all_known)
        inner.emit(p.Store(where, p.Pick(decided, NOTHING, p.Binary("+", p.Get(known), ONE))))
        if counts is not None:
            inner.emit(p.Store(counts, p.Pick(decided, ZERO, lying)))

    if whole:
        body = inner.collect(one)
        done = p.If(same(p.Word(where), NOTHING), (p.Return(),))
        inner.emit(p.Loop("again", (done, *body)))
    else:
        one()
    return inner.function("pile")


# ---------------------------------------------------------------- how much of the order is decided


def note_added(m: Builder, pile: p.Expr, more: p.Expr) -> None:
    """Count things that are put under a pile whose order is not wholly decided.

    more:  how many were added.
    """
    counts = under_word(m, pile)
    if counts is None:
        return
    undecided = binary("!=", p.Word(m.atom(known_word(m, pile))), NOTHING)

    def lower(word: p.Expr) -> None:
        m.when(undecided, lambda: m.emit(p.Store(word, p.Binary("+", p.Word(word), more))))

    if_counted(m, m.atom(counts), lower)


def note_laid_on(m: Builder, pile: p.Expr) -> None:
    """Count a thing that is put on a pile whose order is not wholly decided: what lies on top is known."""
    where = m.atom(known_word(m, pile))

    def more() -> None:
        undecided = binary("!=", p.Word(where), NOTHING)
        m.when(undecided, lambda: m.emit(p.Store(where, p.Binary("+", p.Word(where), ONE))))

    m.when(binary("<=", ZERO, where), more)


def note_taken(m: Builder, pile: p.Expr, at: p.Expr) -> None:
    """Correct both counts after one thing was taken out of a pile.

    at:  where it lay, from 0: among the decided, the undecided, or those put under them.
    """
    where, counts = m.atom(known_word(m, pile)), under_word(m, pile)
    counts = counts and m.atom(counts)

    def less() -> None:
        known = m.atom(p.Word(where))

        def fewer() -> None:
            left = m.atom(p.Binary("-", known, p.Binary("<", at, known)))
            lying = m.temp()
            m.emit(p.Set(lying, ZERO))
            if_counted(m, counts, lambda word: m.emit(p.Set(lying, _less_under(pile, word, at))))
            decided = m.atom(binary("<=", p.Size(p.Stored(pile)), add(left, p.Get(lying))))
            m.emit(p.Store(where, p.Pick(decided, NOTHING, left)))
            if_counted(m, counts, lambda word: m.emit(p.Store(word, p.Pick(decided, ZERO, p.Get(lying)))))

        m.when(binary("!=", known, NOTHING), fewer)

    m.when(binary("<=", ZERO, where), less)


def _less_under(pile: p.Expr, counts: p.Expr, at: p.Expr) -> p.Expr:
    """How many lie under the undecided things after the one at `at` was taken out."""
    below = binary("<=", binary("-", add(p.Size(p.Stored(pile)), ONE), p.Word(counts)), at)
    return p.Binary("-", p.Word(counts), below)


def if_counted(m: Builder, counts: p.Expr | None, write: Callable[[p.Expr], None]) -> None:
    """Write something for the address of the count, where the pile has one."""
    if counts is not None:
        m.when(binary("<=", ZERO, counts), lambda: write(counts))


def known_word(m: Builder, pile: p.Expr) -> p.Expr:
    """The address of the count of decided things of a pile; -1 for piles that are never shuffled."""
    table = tuple(m.storage.known.get(number, -1) for number in range(len(m.storage.lists)))
    return m.program.entry(table, pile)


def under_word(m: Builder, pile: p.Expr) -> p.Expr | None:
    """The address of the count of things put under a pile since it was shuffled; -1 where none ever are."""
    table = tuple(m.storage.under.get(number, -1) for number in range(len(m.storage.lists)))
    found = m.program.entry(table, pile)
    return None if found == p.Const(-1) else found


def _counts(m: Builder, variable: int, pile: p.Expr) -> p.Expr | None:
    """`under_word` for a pile that is shuffled; none if nothing is ever put on the piles of this variable."""
    return under_word(m, pile) if m.storage.list_base[variable] in m.storage.under else None


OPS.update({ops.Shuffle: _shuffle})
