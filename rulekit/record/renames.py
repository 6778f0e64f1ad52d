"""Renames: names of a game as logs have them, and as its rules have them now.

A log is a record of people and is left alone.  A list of renames, the oldest first, says what its names are called in
rules that were edited since: `option long -> slow`, `member card.run -> walk`.  It is carried out on the log that was
read, and only if it fits: each old name is gone from the rules, and each new one is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from rulekit import limits
from rulekit.errors import BadInput
from rulekit.model import ops
from rulekit.model.game import Game
from rulekit.play.beginning import Beginning
from rulekit.play.state.value import Ref, Value
from rulekit.record.log import Entry, Log
from rulekit.source import Source
from rulekit.values import evolve, frozen

_LINE = re.compile(r"(?P<sort>[a-z]+) +(?:(?P<owner>\w+)\.)?(?P<old>\w+) *-> *(?P<new>\w+)")
OWNED = {"reading": "option", "member": "kind"}
"""Sorts whose names stand behind that of what they belong to, and what that is."""
SHARED = "choice"
"""Several actions may ask under one name: where others keep it, that of the action stands before it."""


class BadRenames(BadInput):
    """A list that cannot be read, or does not fit the rules: `line 3: …`."""


@frozen
class Rename:
    """sort: as in `SORTS`; owner: the option of a reading, the kind of a member, as it was called then; else "".

    Of a choice the action that asks, if others ask under its old name too.
    """

    sort: str
    old: str
    new: str
    owner: str = ""
    line: int = 0

    def __str__(self) -> str:
        owner = f"{self.owner}." if self.owner else ""
        return f"{self.sort} {owner}{self.old} -> {self.new}"


def parse(source: Source) -> tuple[Rename, ...]:
    """The renames in a text, one a line; blank lines and comments behind `#` say nothing.  Errors: `BadRenames`."""
    found = []
    for number, line in enumerate(source.text.split("\n"), 1):
        said = line.partition("#")[0].strip()
        if said:
            found.append(_parsed(said, number))
    if len(found) > limits.RENAMES:
        raise BadRenames(f"more than {limits.RENAMES} renames")
    return tuple(found)


def _parsed(said: str, number: int) -> Rename:
    match = _LINE.fullmatch(said)
    if match is None:
        raise BadRenames(f"line {number}: a rename is written as in `option long -> slow`")
    sort, owner = match["sort"], match["owner"] or ""
    if sort not in SORTS:
        raise BadRenames(f"line {number}: a log holds no names of a {sort}, but of: {', '.join(SORTS)}")
    if bool(owner) != (sort in OWNED) and sort != SHARED:
        said_so = f"is written behind its {OWNED[sort]} and a dot" if sort in OWNED else "is written without a dot"
        raise BadRenames(f"line {number}: the name of a {sort} {said_so}")
    return Rename(sort, match["old"], match["new"], owner, number)


# ---------------------------------------------------------------- whether they fit


def _readings(game: Game, owner: str) -> Iterator[str]:
    option = game.option(owner)
    yield from (name for name, _ in option.readings) if option else ()


def _members(game: Game, owner: str) -> Iterator[str]:
    yield from (member.key for member in game.kinds[owner].members) if owner in game.kinds else ()


def _choices(game: Game, _: str) -> Iterator[str]:
    yield from (str(op.name) for code in game.codes for op in code.ops if isinstance(op, ops.Ask))


SORTS: dict[str, Callable[[Game, str], Iterable[str]] | None] = {
    "option": lambda game, _: (option.name for option in game.options),
    "reading": _readings,
    "kind": lambda game, _: game.kinds,
    "member": _members,
    "variable": lambda game, _: (variable.name for variable in game.variables),
    "die": None,
    "set": None,
    "define": None,
    "place": lambda game, _: game.places,
    "action": lambda game, _: (code.name for code in game.codes),
    "choice": _choices,
}
"""What has names that logs hold or that chance goes by, and those that a game has; None where it keeps none."""


def check(renames: tuple[Rename, ...], game: Game) -> None:
    """Errors: `BadRenames` where the rules still have an old name, or have no such new one."""
    for number, one in enumerate(renames):
        later = renames[number + 1 :]
        owner = "" if one.sort == SHARED else _followed(one.owner, OWNED.get(one.sort, ""), later)
        is_shared = one.sort == SHARED and bool(one.owner)
        names_of = SORTS[one.sort]
        if names_of is None:
            continue
        names = set(names_of(game, owner))
        now = _followed(one.new, one.sort, later, owner_then=one.owner)
        of = f" of `{owner}`" if owner else ""
        if now not in names:
            raise BadRenames(f"line {one.line}: these rules have no {one.sort} `{now}`{of}")
        if (
            one.old in names
            and not is_shared
            and all(other.new != one.old or other.sort != one.sort for other in renames)
        ):
            raise BadRenames(f"line {one.line}: `{one.old}` is still a {one.sort}{of} in these rules")


def _followed(name: str, sort: str, later: Iterable[Rename], owner_then: str = "") -> str:
    """What a name became by the renames after it; the owner may get another name on the way."""
    for other in later:
        if other.sort == OWNED.get(sort) and other.old == owner_then:
            owner_then = other.new
        elif (other.sort, other.old) == (sort, name) and (sort == SHARED or other.owner == owner_then):
            name = other.new
    return name


# ---------------------------------------------------------------- carried out


def applied(log: Log, game: Game, renames: tuple[Rename, ...]) -> tuple[Log, Game]:
    """The log under the new names, and the game with chance as it came under the old ones.

    Each stream of chance follows from the seed and from the name of the pile or die.
    Errors: `BadRenames` where the list does not fit the rules.
    """
    check(renames, game)
    for one in renames:
        log = _renamed(log, one)
    back = tuple(evolve(one, old=one.new, new=one.old) for one in reversed(renames))
    return log, evolve(game, streams_then=partial(_stream, back, log.header.seats))


def _stream(back: tuple[Rename, ...], seats: tuple[str, ...], name: str) -> str:
    for one in back:
        name = _path(name, one, seats)
    return name


def _renamed(log: Log, one: Rename) -> Log:
    header = log.header
    options = {_option(name, one): _reading(name, value, one) for name, value in header.options.items()}
    begun = None if header.begun is None else _beginning(header.begun, one, header.seats)
    entries = tuple(_entry(entry, one) for entry in log.entries)
    return evolve(log, header=evolve(header, options=options, begun=begun), entries=entries)


def _option(name: str, one: Rename) -> str:
    return one.new if one.sort == "option" and name == one.old else name


def _reading(option: str, value: Value, one: Rename) -> Value:
    return one.new if one.sort == "reading" and (option, value) == (one.owner, one.old) else value


def _entry(entry: Entry, one: Rename) -> Entry:
    """What chose is named by the choice, or between ways by the action around it.

    Where several actions asked under one name, a log does not say which of them did.
    """
    answer, names = _value(entry.answer, one), (entry.what, *entry.or_what)
    if one.sort != ("action" if entry.ways else SHARED) or one.old not in names:
        return evolve(entry, answer=answer)
    if one.sort == SHARED and one.owner:
        return evolve(entry, or_what=(*entry.or_what, one.new), answer=answer)
    what, *others = (one.new if name == one.old else name for name in names)
    return evolve(entry, what=what, or_what=tuple(others), answer=answer)


def _value(value: Value, one: Rename) -> Value:
    if isinstance(value, tuple):
        return tuple(_value(part, one) for part in value)
    if not isinstance(value, Ref):
        return value
    if one.sort in ("member", "reading"):
        kind = one.owner if one.sort == "member" else one.sort
        return Ref(kind, one.new) if (value.kind, value.key) == (kind, one.old) else value
    if one.sort in ("kind", "place", "variable") and value.kind == one.old:
        # What one piece is called is its kind too; the spaces of a place are things of its kind.
        return Ref(one.new, _numbered(value.key, one))
    return value


def _path(path: str, one: Rename, seats: tuple[str, ...]) -> str:
    """A name such as `red.goods[salt]`: what stands before the dot is whose it is, a seat or a thing."""
    owner, dot, own = path.rpartition(".")
    if one.sort in ("variable", "die", "set", "define"):
        return owner + dot + _numbered(own, one)
    if one.sort in ("member", "kind"):
        owner = owner if owner in seats else _numbered(owner, one)
        return owner + dot + _numbered(own, one)
    return path


def _numbered(name: str, one: Rename) -> str:
    """A word of a name, also where it has the number of a copy behind it, or a place of a list."""
    return re.sub(rf"\b{re.escape(one.old)}(?=(_\d+)?\b)", one.new, name)


def _beginning(at: Beginning, one: Rename, seats: tuple[str, ...]) -> Beginning:
    """`begin` is `play`, or an action with what it is handed."""
    first, *handed = at.begin
    action = one.new if one.sort == "action" and first == one.old else first
    return evolve(
        at,
        values={_path(path, one, seats): _value(value, one) for path, value in at.values.items()},
        out=tuple(_path(path, one, seats) for path in at.out),
        undecided=tuple((_path(path, one, seats), top, under) for path, top, under in at.undecided),
        open=tuple((_path(path, one, seats), place) for path, place in at.open),
        shown=tuple(_path(path, one, seats) for path in at.shown),
        begin=(action, *(_value(value, one) for value in handed)),
    )
