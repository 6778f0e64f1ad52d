"""What operations become that change values, move things between piles, or draw."""

from __future__ import annotations

from collections.abc import Callable

from rulekit.fast import plan as p
from rulekit.fast.board import put_piece
from rulekit.fast.layout import Unsupported
from rulekit.fast.maker import ANY, NOTHING, ONE, OPS, ZERO, Maker, Reach, add, binary, same, word
from rulekit.fast.sets import SETTLE, list_of, sort
from rulekit.fast.travel import on_its_place
from rulekit.fast.values import may_be_nothing, owner_index, reach, something
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model import ops

# ---------------------------------------------------------------- variables


def _assign(m: Maker, op: ops.Assign) -> None:
    variable = m.setting.game.variables[op.target.variable]
    if variable.form == "list":
        _assign_item(m, op, variable)
        return
    if variable.form == "snapshot":
        _assign_snapshot(m, op)
        return
    if variable.form not in ("counter", "flag", "value"):
        raise Unsupported(f"a change of a {variable.form}")
    at = add(owner_index(m, variable, op.target.of), p.Const(m.storage.word_base[op.target.variable]))
    if not isinstance(at, p.Const):
        at = m.atom(at)
    value = m.value(op.value)
    if variable.form == "counter":
        value = _in_bounds(m, variable, op.value, value)
    m.emit(p.Store(at, value))


def _assign_snapshot(m: Maker, op: ops.Assign) -> None:
    """Pieces with the cells they stand on, one after the other; another snapshot is copied."""
    to = _target(m, op.target)
    if isinstance(op.value, x.Stored) and m.setting.game.variables[op.value.variable].form == "snapshot":
        m.emit(p.Fill(to, p.Get(m.own(op.value))))
        return
    taken = m.new()
    if op.value != x.Const(None):
        m.over(op.value, lambda piece: m.emit(p.Push(taken, piece), p.Push(taken, word(m.storage.pieces, piece))))
    m.emit(p.Fill(to, p.Get(taken)))


def _in_bounds(m: Maker, variable: model.Variable, e: x.Expr, value: p.Expr) -> p.Expr:
    """A counter that leaves its bounds is a fault; so is one that gets nothing."""
    low, high = variable.low, variable.high
    known = reach(m, e)
    least = ANY[0] if low is None else low
    most = ANY[1] if high is None else high
    tests: list[p.Expr] = []
    value = m.atom(value)
    if may_be_nothing(m, e) or known[0] < least:
        tests.append(binary("<", value, p.Const(least)))
    if known[1] > most:
        tests.append(binary("<", p.Const(most), value))
    for test in tests:
        m.fault(test, "out-of-bounds")
    return value


def _assign_item(m: Maker, op: ops.Assign, variable: model.Variable) -> None:
    of = m.atom(list_of(m, op.target.variable, op.target.of))
    assert op.target.index is not None
    index = m.atom(m.value(op.target.index))
    value = m.value(op.value)
    m.fault(binary("|", binary("<", index, ONE), binary("<", p.Size(p.Stored(of)), index)), "outside")
    m.emit(p.Put(of, binary("-", index, ONE), _in_bounds(m, variable, op.value, value)))


def _set_starter(m: Maker, op: ops.SetStarter) -> None:
    seat = m.atom(m.value(op.value))
    if may_be_nothing(m, op.value):
        m.fault(same(seat, NOTHING), "not-a-starter")
    if m.setting.neutrals:
        m.fault(binary("<=", p.Const(m.setting.players), seat), "not-a-starter")
    m.emit(p.Store(p.Const(m.storage.starter), seat))


# ---------------------------------------------------------------- piles


def _target(m: Maker, target: ops.Target) -> p.Expr:
    return m.atom(list_of(m, target.variable, target.of))


def _move_to_pile(m: Maker, op: ops.MoveToPile) -> None:
    if isinstance(op.things, x.Stored):
        _pour(m, list_of(m, op.things.variable, op.things.of), op.things.variable, _target(m, op.to))
        return
    if op.many:
        things, pile = m.held(op.things), _target(m, op.to)
        m.each_in(p.Get(things), lambda thing: put(m, thing, pile))
        return
    thing = m.atom(something(m, op.things, m.value(op.things)))
    lies = m.lying.get(op.things.index) if isinstance(op.things, x.Local) else None
    put(m, thing, _target(m, op.to), reach(m, op.things), lies)


def _pour(m: Maker, source: p.Expr, variable: int, pile: p.Expr) -> None:
    """A whole pile onto another one, in its order."""
    source = m.atom(source)

    def all_things() -> None:
        under(m, pile, p.Size(p.Stored(source)))
        m.each_in(p.Stored(source), lambda thing: m.emit(p.Add(pile, thing)))
        m.each_in(p.Stored(source), lambda thing: m.note_lies(thing, pile))
        m.emit(p.Fill(source, m.program.row(((),), ZERO)))
        where = known_word(m, source) if variable in m.storage.shuffled else None
        if where is not None:
            m.emit(p.Store(where, NOTHING))
            _if_counted(m, under_word(m, source), lambda word: m.emit(p.Store(word, ZERO)))

    m.when(binary("!=", source, pile), all_things)


Lies = tuple[p.Expr, p.Expr]
"""A list and the place in it where something lies."""


def put(m: Maker, thing: p.Expr, pile: p.Expr, known: Reach = ANY, lies: Lies | None = None) -> None:
    """Take one thing from where it lies to the end of a pile."""
    if known[0] < m.setting.copy_base:
        m.fault(binary("<", thing, p.Const(m.setting.copy_base)), "not-a-copy")
    take_out(m, thing, lies)
    m.emit(p.Add(pile, thing))
    m.note_lies(thing, pile)
    under(m, pile, ONE)


def take_out(m: Maker, thing: p.Expr, known: Lies | None = None) -> None:
    """Out of the pile in which a copy lies, if any; where it surely lies in one, that and its place are `known`."""
    lies = m.atom(m.lies(thing) if known is None else known[0])

    def out() -> None:
        at: p.Expr = p.Find(p.Stored(lies), thing) if known is None else known[1]
        if m.storage.known:
            at = m.atom(at)
        m.emit(p.Take(lies, at))
        if m.storage.known:
            _less_known(m, lies, at)

    m.when(binary("<=", ZERO, lies) if known is None else ONE, out)


def under(m: Maker, pile: p.Expr, more: p.Expr) -> None:
    """What is put on a pile whose order is not decided all the way lies under all of it."""
    counts, where = under_word(m, pile), known_word(m, pile)
    if counts is None or where is None:
        return
    undecided = binary("!=", p.Word(m.atom(where)), NOTHING)

    def lower(word: p.Expr) -> None:
        m.when(undecided, lambda: m.emit(p.Store(word, p.Binary("+", p.Word(word), more))))

    _if_counted(m, m.atom(counts), lower)


def _less_known(m: Maker, pile: p.Expr, at: p.Expr) -> None:
    """One of the known things of a shuffled pile may have gone, one of those under it, or the last undecided one."""
    where = known_word(m, pile)
    if where is None:
        return
    where, counts = m.atom(where), under_word(m, pile)
    counts = counts and m.atom(counts)

    def less() -> None:
        known = m.atom(p.Word(where))

        def fewer() -> None:
            left = m.atom(p.Binary("-", known, p.Binary("<", at, known)))
            lying = m.temp()
            m.emit(p.Set(lying, ZERO))
            _if_counted(m, counts, lambda word: m.emit(p.Set(lying, _less_under(pile, word, at))))
            decided = m.atom(binary("<=", p.Size(p.Stored(pile)), add(left, p.Get(lying))))
            m.emit(p.Store(where, p.Pick(decided, NOTHING, left)))
            _if_counted(m, counts, lambda word: m.emit(p.Store(word, p.Pick(decided, ZERO, p.Get(lying)))))

        m.when(binary("!=", known, NOTHING), fewer)

    m.when(binary("<=", ZERO, where), less)


def _less_under(pile: p.Expr, counts: p.Expr, at: p.Expr) -> p.Expr:
    """How many lie under the undecided things, when the one at a place was taken out."""
    below = binary("<=", binary("-", add(p.Size(p.Stored(pile)), ONE), p.Word(counts)), at)
    return p.Binary("-", p.Word(counts), below)


def _if_counted(m: Maker, counts: p.Expr | None, write: Callable[[p.Expr], None]) -> None:
    """Where it is counted how many things were put under a pile."""
    if counts is not None:
        m.when(binary("<=", ZERO, counts), lambda: write(counts))


def known_word(m: Maker, pile: p.Expr) -> p.Expr | None:
    """Where stands how many things of a pile are known; -1 of piles that are never shuffled."""
    table = tuple(m.storage.known.get(number, -1) for number in range(len(m.storage.lists)))
    return m.program.entry(table, pile)


def under_word(m: Maker, pile: p.Expr) -> p.Expr | None:
    """Where stands how many things were put under a pile since it was shuffled; -1 where none ever are."""
    table = tuple(m.storage.under.get(number, -1) for number in range(len(m.storage.lists)))
    found = m.program.entry(table, pile)
    return None if found == p.Const(-1) else found


def _remove(m: Maker, op: ops.Remove) -> None:
    if op.many:
        m.each_in(p.Get(m.held(op.things)), lambda thing: _take_away(m, thing))
    else:
        _take_away(m, m.atom(something(m, op.things, m.value(op.things))))


def _off_the_board(m: Maker, piece: p.Expr) -> None:
    names = [name for name, pieces in m.setting.on_place.items() if pieces]
    on_its_place(m, names, piece, lambda place: put_piece(m, place, piece, NOTHING))


def _take_away(m: Maker, thing: p.Expr) -> None:
    copies = m.setting.copy_base < len(m.setting.things)

    def piece() -> None:
        assert m.storage.gone is not None
        _off_the_board(m, thing)
        m.emit(p.Store(add(thing, p.Const(m.storage.gone)), ONE))

    def copy() -> None:
        take_out(m, thing)
        m.note_lies(thing, p.Const(-1))

    if not m.setting.piece_slot:
        m.fault(binary("<", thing, p.Const(m.setting.copy_base)), "not-a-copy")
        copy()
    elif not copies:
        piece()
    else:
        m.when(binary("<", thing, p.Const(m.setting.copy_base)), piece, copy)


def _nothing(m: Maker, op: ops.Op) -> None:
    """What only people see changes nothing in a plan."""


def _reveal(m: Maker, op: ops.Reveal) -> None:
    if op.things is not None:
        m.collect(lambda: m.list(op.things or x.Const(())))


# ---------------------------------------------------------------- chance


def _draw(m: Maker, op: ops.Draw) -> None:
    left = m.own(op.source)
    stream = m.storage.stream(op.stream)
    if op.amount is None:
        m.fault(same(p.Size(p.Get(left)), ZERO), "no-answer")
        place = m.temp()
        m.emit(p.Draw(place, stream, p.Size(p.Get(left))))
        bind(m, op.local, p.Item(p.Get(left), p.Get(place)), 0)
        m.sure.add(op.local)
        return
    drawn = _drawn(m, left, m.value(op.amount), stream)
    bind(m, op.local, p.Get(drawn), 1)
    m.sure.add(op.local)


def _drawn(m: Maker, left: str, amount: p.Expr, stream: int) -> str:
    """So many of a local sequence, one after the other, as far as there are any."""
    drawn, place = m.new(), m.temp()
    wanted = m.atom(binary("min", amount, p.Size(p.Get(left))))

    def one(_: p.Expr) -> None:
        m.emit(
            p.Draw(place, stream, p.Size(p.Get(left))),
            p.Push(drawn, p.Item(p.Get(left), p.Get(place))),
            p.Drop(left, p.Get(place)),
        )

    m.each_number(ONE, wanted, one)
    return drawn


def bind(m: Maker, local: int, value: p.Expr, shaped: int) -> None:
    """A local of the rules gets its value."""
    name = f"v{local}"
    kind = "list" if shaped else "int"
    if m.types.setdefault(name, kind) != kind:
        raise Unsupported("a local of two shapes")
    m.emit(p.Copy(name, value) if shaped else p.Set(name, value))
    m.locals[local], m.shapes[local] = p.Get(name), shaped


def bind_list(m: Maker, local: int, value: p.Expr, is_new: bool, shaped: int) -> None:
    """A local of the rules gets a set: the sequence just made for it, a name for a row, or else a copy."""
    if is_new and isinstance(value, p.Get) and value.local not in m.aliases:
        m.locals[local], m.shapes[local] = value, shaped
        m.lasting.add(value.local)
        return
    name = f"v{local}"
    if m.types.setdefault(name, "list") != "list":
        raise Unsupported("a local of two shapes")
    m.emit(p.Set(name, value) if isinstance(value, p.Row) else p.Copy(name, value))
    m.locals[local], m.shapes[local] = p.Get(name), shaped
    m.lasting.add(name)


def _deal(m: Maker, op: ops.Deal) -> None:
    left = m.own(op.source)
    amount = m.value(op.amount)
    drawn = _drawn(m, left, amount, m.storage.stream(op.stream))
    pile = _target(m, op.to)
    m.each_in(p.Get(drawn), lambda thing: put(m, thing, pile))


def _shuffle(m: Maker, op: ops.Shuffle) -> None:
    """Nothing is known of the order; the things lie in the order of their numbers until it is decided."""
    pile = _target(m, op.pile)
    things, keys = m.temp("list", "s"), m.new()
    m.emit(p.Copy(things, p.Stored(pile)))
    rows = tuple(m.setting.row_of)

    def key(thing: p.Expr) -> None:
        m.emit(p.Push(keys, m.program.entry(rows, thing)), p.Push(keys, thing))

    m.each_in(p.Get(things), key)
    m.emit(p.Sort(things, p.Get(keys), 2), p.Fill(pile, p.Get(things)))
    where = known_word(m, pile)
    assert where is not None
    m.emit(p.Store(where, p.Pick(same(p.Size(p.Get(things)), ZERO), NOTHING, ZERO)))
    counts = _counts(m, op.pile.variable, pile)
    if counts is not None:
        m.emit(p.Store(counts, ZERO))


def _counts(m: Maker, variable: int, pile: p.Expr) -> p.Expr | None:
    """`under_word` for a pile that is shuffled; none if nothing is ever put on the piles of this variable."""
    return under_word(m, pile) if m.storage.list_base[variable] in m.storage.under else None


def settle(m: Maker, variable: int, pile: p.Expr, whole: bool) -> None:
    """Decide what lies on top of a shuffled pile, or its whole order."""
    name = f"settle_{'all' if whole else 'top'}_{variable}"
    function = m.program.function(name, lambda: _settle_function(m, name, variable, whole))
    where = known_word(m, pile)
    assert where is not None
    known = m.atom(p.Word(where))
    unknown = binary("!=", known, NOTHING) if whole else same(known, ZERO)
    m.when(unknown, lambda: m.emit(p.Do(None, function, (pile,))))


def _settle_function(m: Maker, name: str, variable: int, whole: bool) -> p.Function:
    inner = Maker(m.program, name)
    pile = p.Get("pile")
    where = known_word(inner, pile)
    assert where is not None
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
    return p.Function(name, (("pile", "int"),), tuple(inner.types.items()), tuple(inner.body))


SETTLE.append(settle)

# ---------------------------------------------------------------- results


def _rank(m: Maker, op: ops.Rank) -> None:
    """Players not yet placed, best first; equal ones share a place."""
    seats = m.new()
    storage = m.storage

    def one(seat: p.Expr) -> None:
        free = binary("&", same(word(storage.rank, seat), NOTHING), same(word(storage.defeated, seat), NOTHING))
        m.when(free, lambda: m.emit(p.Push(seats, seat)))

    m.over(op.players, one)
    keys = m.new()
    m.emit(p.Copy(keys, p.Get(seats)))
    made = sort(m, seats, op.slot, op.keys, op.players) if op.keys else None
    m.emit(p.Sort(keys, _with_places(m, made, keys, len(op.keys)), len(op.keys))) if made is not None else None
    _give_places(m, seats, made, len(op.keys), keys)


def _with_places(m: Maker, made: p.Expr, keys: str, width: int) -> p.Expr:
    """From now on `keys` holds for each seat, in the new order, its place before: that of its keys."""
    m.emit(p.New(keys))
    count = binary("//", p.Size(made), p.Const(width))
    m.each_number(ZERO, binary("-", count, ONE), lambda i: m.emit(p.Push(keys, i)))
    return made


def _give_places(m: Maker, seats: str, made: p.Expr | None, width: int, order: str) -> None:
    places, before = p.Const(m.storage.places), m.temp()
    m.emit(p.Set(before, p.Const(-1)))

    def one(i: p.Expr) -> None:
        new: p.Expr = same(p.Get(before), p.Const(-1))
        if made is not None:
            at = m.atom(p.Item(p.Get(order), i))
            for number in range(width):
                mine = p.Item(made, add(binary("*", at, p.Const(width)), p.Const(number)))
                new = binary("|", new, _differs(m, made, width, number, before, mine))
            m.when(new, lambda: m.emit(p.Store(places, p.Binary("+", p.Word(places), ONE))))
            m.emit(p.Set(before, at))
        else:
            m.when(new, lambda: m.emit(p.Store(places, p.Binary("+", p.Word(places), ONE))))
            m.emit(p.Set(before, ZERO))
        seat = p.Item(p.Get(seats), i)
        m.emit(p.Store(add(seat, p.Const(m.storage.rank)), p.Word(places)))
        if made is not None and m.storage.leads is not None:
            # Keys are smallest for the best.
            first = p.Item(made, binary("*", p.Get(before), p.Const(width)))
            _note_lead(m, add(seat, p.Const(m.storage.leads)), binary("-", ZERO, first))

    m.each_number(ZERO, binary("-", p.Size(p.Get(seats)), ONE), one)


def _note_lead(m: Maker, at: p.Expr, value: p.Expr) -> None:
    """The first ranking counts."""
    m.when(same(p.Word(at), NOTHING), lambda: m.emit(p.Store(at, value)))


def _differs(m: Maker, made: p.Expr, width: int, number: int, before: str, mine: p.Expr) -> p.Expr:
    at = p.Binary("max", p.Get(before), ZERO)
    other = p.Item(made, add(binary("*", at, p.Const(width)), p.Const(number)))
    return binary("!=", mine, other)


def _defeat(m: Maker, op: ops.Defeat) -> None:
    count = p.Const(m.storage.defeats)

    def one(seat: p.Expr) -> None:
        at = m.atom(add(seat, p.Const(m.storage.defeated)))

        def lose() -> None:
            m.emit(p.Store(at, p.Word(count)), p.Store(count, p.Binary("+", p.Word(count), ONE)))

        m.when(same(p.Word(at), NOTHING), lose)

    m.each_in(p.Get(m.held(op.players)), one)


OPS.update(
    {
        ops.Assign: _assign,
        ops.SetStarter: _set_starter,
        ops.MoveToPile: _move_to_pile,
        ops.Remove: _remove,
        ops.Reveal: _reveal,
        ops.Announce: _nothing,
        ops.Draw: _draw,
        ops.Deal: _deal,
        ops.Shuffle: _shuffle,
        ops.Rank: _rank,
        ops.Defeat: _defeat,
    }
)
