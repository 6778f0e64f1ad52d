"""The log of a match: an append-only file secured by a hash chain, written while the match goes on and read again.

Lines of canonical JSON: a header, one line for each decision by meaning, a
line for each step back, and a last line with the outcome.  Every line
carries a short hash of itself and all before it, so that damage is found
and its place told.  A log holds the secrets of its match.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

from rulekit import limits
from rulekit.errors import BadInput
from rulekit.play.beginning import Beginning
from rulekit.play.state.match_state import CHANCE, Action, Outcome, State
from rulekit.play.state.value import Value
from rulekit.record import strict_json
from rulekit.record.beginning_json import beginning_in, beginning_out
from rulekit.record.json_values import BadSave, state_digest, value_from_json, value_to_json
from rulekit.record.strict_json import BadJson, Json
from rulekit.values import asdict, define, evolve, field, fields, frozen

FORMAT = 1
HUMAN = "human"
"""What sits at a seat that a person holds."""
_LINK = 16
_LINE_BYTES = 1024 * 1024
"""No line of a log comes near this; a longer one costs more to read than it can mean."""


class Damaged(BadInput):
    """A log that cannot be read: `line 37: …`."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@frozen
class Header:
    """How a match was set up.

    rules:    SHA-256 of the rules text with all that it extends; file: where it was read.
    options:  every option with its value.  players: who sits where (`human`, `random`).
    seed:     None where all chance came from outside.
    begun:    the position in which it began, None if with its setup; such a header has no field for it.
    """

    rulekit: str
    file: str
    rules: str
    title: str
    options: Mapping[str, Value]
    ruleset: str
    seats: tuple[str, ...]
    players: tuple[str, ...]
    seed: str | None
    practice: bool = False
    begun: Beginning | None = None


@frozen
class Entry:
    """One decision.  seat None: chance.  line: where it stands in the log.

    ways:  of a choice between ways the texts of all; () for another, and in logs of earlier versions.
    or_what:  what else it may be called by now, where a list of renames leaves it open.
    """

    seat: str | None
    what: str
    answer: Value
    line: int = field(default=0, eq=False)
    ways: tuple[str, ...] = ()
    or_what: tuple[str, ...] = ()


@frozen
class End:
    ranking: tuple[tuple[str, ...], ...]
    defeated: tuple[str, ...]
    winners: tuple[str, ...]
    state: str
    line: int = field(default=0, eq=False)


@frozen
class Log:
    """entries: the decisions that stand; those taken back are gone.

    torn: the number of an unfinished last line that was set aside, or 0.
    link: of its last line; size: how many bytes stand, without what was set aside.
    """

    header: Header
    entries: tuple[Entry, ...]
    end: End | None = None
    torn: int = 0
    link: str = field(default="", eq=False)
    size: int = field(default=0, eq=False)


# ---------------------------------------------------------------- writing


@define(eq=False)
class Writer:
    """Hands over one finished line after the other; what was handed over is never changed."""

    put: Callable[[bytes], None]
    link: str = ""

    def header(self, header: Header) -> None:
        self._line(_header_out(header))

    def decision(self, seats: tuple[str, ...], action: Action, what: str, ways: tuple[str, ...] = ()) -> None:
        """ways: of a choice between ways, the texts of all."""
        seat = None if action.seat == CHANCE else seats[action.seat]
        told: dict[str, Json] = {"ways": list(ways)} if ways else {}
        self._line({"seat": seat, "what": what, "answer": value_to_json(action.answer), **told})

    def back(self, count: int) -> None:
        """Only the first `count` decisions stand."""
        self._line({"back": count})

    def end(self, state: State, outcome: Outcome) -> None:
        end = end_of(state, outcome)
        told = {"ranking": end.ranking, "defeated": end.defeated, "winners": end.winners}
        self._line({"end": told, "state": end.state})

    def _line(self, data: dict[str, Json]) -> None:
        self.link = _linked(self.link, data)
        self.put((strict_json.dumps({**data, "link": self.link}) + "\n").encode())


def _linked(before: str, data: dict[str, Json]) -> str:
    return sha256((before + strict_json.dumps(data)).encode()).hexdigest()[:_LINK]


def end_of(state: State, outcome: Outcome) -> End:
    def names(seats: tuple[int, ...]) -> tuple[str, ...]:
        return tuple(state.setting.seats[seat] for seat in seats)

    ranking = tuple(names(place) for place in outcome.ranking)
    return End(ranking, names(outcome.defeated), names(outcome.winners), state_digest(state))


def _header_out(header: Header) -> dict[str, Json]:
    options = {name: value_to_json(value) for name, value in header.options.items()}
    told = {"log": FORMAT, **asdict(header, recurse=False), "options": options}
    begun = {} if header.begun is None else {_BEGUN: beginning_out(header.begun)}
    return {name: told[name] for name in _HEADER if name != _BEGUN} | begun


# ---------------------------------------------------------------- reading


def parse(data: bytes) -> Log:
    """The log in a file's bytes; raises `Damaged` with the line."""
    if len(data) > limits.LOG_BYTES:
        raise Damaged(1, f"the log is larger than {limits.LOG_BYTES // 1024 // 1024} MiB")
    if not data.strip():
        raise Damaged(1, "the log is empty")
    lines = data.split(b"\n")
    torn = 0
    if lines[-1]:
        torn = 0 if len(lines) > 1 and _is_whole(lines[-1]) else len(lines)
    if torn or not lines[-1]:
        lines.pop()
    if not lines:
        raise Damaged(1, "only an unfinished first line is there")
    read = _Reader(torn).read(lines)
    return evolve(read, size=data.rfind(b"\n") + 1 if torn else len(data))


def _is_whole(line: bytes) -> bool:
    """Whether a line without its end is JSON all the same; its link is checked with the others."""
    if len(line) > _LINE_BYTES:
        # Not set aside as unfinished, but refused by its length when it is read.
        return True
    try:
        return isinstance(strict_json.loads(line), dict)
    except BadJson:
        return False


@define(eq=False)
class _Reader:
    torn: int
    link: str = ""
    number: int = 0
    entries: list[Entry] = field(factory=list)
    end: End | None = None

    def read(self, lines: list[bytes]) -> Log:
        self.number = 1
        try:
            header = _header_in(self._line(lines[0]))
            for number, line in enumerate(lines[1:], 2):
                self.number = number
                self._take(self._line(line), header)
        except (BadJson, BadSave) as fault:
            raise Damaged(self.number, str(fault)) from None
        return Log(header, tuple(self.entries), self.end, self.torn, self.link)

    def _line(self, line: bytes) -> dict[str, Json]:
        """A line without its link, which must fit."""
        if len(line) > _LINE_BYTES:
            raise BadJson(f"this line is longer than {_LINE_BYTES // 1024 // 1024} MiB")
        data = strict_json.loads(line.rstrip(b"\r"))
        if not isinstance(data, dict):
            raise BadJson("this is not a line of a log")
        if self.number == 1 and data.get("log") != FORMAT:
            strange = f"a log of format {data['log']!r}; this rulekit reads format {FORMAT}" if "log" in data else ""
            raise BadJson(strange or "this is not the header of a log")
        found = data.pop("link", None)
        self.link = _linked(self.link, data)
        if found != self.link:
            raise BadJson("its link does not fit: this line was changed, or one before it is missing or moved")
        return data

    def _take(self, data: dict[str, Json], header: Header) -> None:
        if self.end is not None:
            raise BadJson("the match was over before this line")
        keys = set(data)
        if keys - {"ways"} == {"seat", "what", "answer"}:
            self._decision(data, header)
        elif keys == {"back"}:
            self._back(data["back"])
        elif keys == {"end", "state"}:
            self.end = _end_in(data, self.number)
        else:
            raise BadJson(f"no line of a log has the fields {', '.join(sorted(keys)) or '(none)'}")

    def _decision(self, data: dict[str, Json], header: Header) -> None:
        seat, what = data["seat"], data["what"]
        if seat is not None and seat not in header.seats:
            raise BadJson(f"there is no seat {seat!r}")
        if not isinstance(what, str):
            raise BadJson("`what` is a text")
        if len(self.entries) >= limits.DECISIONS:
            raise BadJson(f"more than {limits.DECISIONS} decisions")
        answer, ways = value_from_json(data["answer"]), _texts(data.get("ways", []))
        if "ways" in data and answer not in ways:
            raise BadJson("the answer is none of the `ways`")
        self.entries.append(Entry(seat, what, answer, self.number, ways))

    def _back(self, count: Json) -> None:
        if type(count) is not int or not 0 <= count < len(self.entries):
            raise BadJson(f"there is no way back to {count!r} decisions from {len(self.entries)}")
        del self.entries[count:]


_JSON_TYPES: dict[str, tuple[type, ...]] = {
    "str": (str,),
    "str | None": (str, type(None)),
    "bool": (bool,),
    "Mapping[str, Value]": (dict,),
    "tuple[str, ...]": (list,),
    "Beginning | None": (dict,),
}
_HEADER = {"log": (int,)} | {one.name: _JSON_TYPES[str(one.type)] for one in fields(Header)}
"""The fields of a header's line in their order, and what each is in JSON."""
_BEGUN = "begun"
"""The one that a header need not have."""


def _header_in(data: dict[str, Json]) -> Header:
    if set(data) | {_BEGUN} != set(_HEADER):
        odd = ", ".join(sorted((set(data) | {_BEGUN}) ^ set(_HEADER)))
        raise BadJson(f"the header lacks or has too much: {odd}")
    for name in data:
        if type(data[name]) not in _HEADER[name]:
            raise BadJson(f"`{name}` in the header is not of its type")
    told: dict[str, Any] = {name: data[name] for name in data if name != "log"}
    told["options"] = {name: value_from_json(value) for name, value in data["options"].items()}
    told["seats"], told["players"] = _texts(data["seats"]), _texts(data["players"])
    if len(set(told["seats"])) < len(told["seats"]):
        raise BadJson("two seats have the same name")
    told[_BEGUN] = beginning_in(data[_BEGUN]) if _BEGUN in data else None
    return Header(**told)


def _end_in(data: dict[str, Json], line: int) -> End:
    told = data["end"]
    if not isinstance(told, dict) or set(told) != {"ranking", "defeated", "winners"} or type(data["state"]) is not str:
        raise BadJson("the last line is not of its form")
    if not isinstance(told["ranking"], list):
        raise BadJson("`ranking` is a list of places")
    ranking = tuple(_texts(place) for place in told["ranking"])
    return End(ranking, _texts(told["defeated"]), _texts(told["winners"]), data["state"], line)


def _texts(data: Json) -> tuple[str, ...]:
    if not isinstance(data, list) or any(not isinstance(item, str) for item in data):
        raise BadJson("a list of texts is needed here")
    return tuple(data)
