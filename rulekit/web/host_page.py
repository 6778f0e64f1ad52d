"""The page on which matches are begun: the games with their options and clauses, who plays, and what is played."""

from __future__ import annotations

import hmac
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import define
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rulekit.bots.players.registry import UnknownBot
from rulekit.hosting.host import Created, Host
from rulekit.hosting.seat_page import SeatPage
from rulekit.hosting.store import StoreFault
from rulekit.loading import RulesError
from rulekit.model.game import Game, Option
from rulekit.play.state.errors import BadSetup, RuleError
from rulekit.play.state.value import notation
from rulekit.play.view import SPECTATOR
from rulekit.record.log import HUMAN
from rulekit.tools.language.translation import SOURCE
from rulekit.tools.tell.clause_text import clause_words
from rulekit.web.guarding import form
from rulekit.web.pages import nothing_here, page

FIELDS = Mapping[str, Sequence[str]]
KINDS = ("", HUMAN, "random", "greedy", "mcts:50", "mcts:200", "mcts:1000")
"""Who may sit at a seat: the first is nobody; of those that search, the more simulations the stronger."""
LONGEST_NAME = 40
MOST_SEATS = 12
SHOWN = 50
"""So many matches are listed, the last ones."""


@define(eq=False)
class HostPage:
    """key: who has it may begin matches.  problems: by rules file why it is no game now."""

    host: Host
    key: str
    problems: Callable[[], Mapping[str, str]]

    async def matches(self, request: Request) -> Response:
        """Shows the games and matches; begins a match if a form is sent."""
        if not hmac.compare_digest(request.path_params["key"].encode(), self.key.encode()):
            return await nothing_here(request)
        fields = await form(request) if request.method == "POST" else {}
        made, problem = await run_in_threadpool(self._begun, fields) if fields else (None, "")
        values = await run_in_threadpool(self._overview, {} if made else fields)
        links = [] if made is None else links_of(self.host, made)
        return page("web_host.html.j2", 400 if problem else 200, **values, links=links, problem=problem)

    def _overview(self, fields: FIELDS) -> dict[str, Any]:
        games = [
            (file, game, _options(game, given), _seats(game, given), bool(given))
            for file, game in self._games()
            for given in [fields if first(fields, "game") == file else {}]
        ]
        shown = [one for one in map(self._shown, self.host.matches()[-SHOWN:]) if one is not None]
        return {
            "title": "rulekit", "games": games, "problems": dict(self.problems()), "matches": shown, "kinds": KINDS
        }  # fmt: skip

    def _games(self) -> list[tuple[str, Game]]:
        found: list[tuple[str, Game]] = []
        for file in self.host.games:
            try:
                found.append((file, self.host.game(file)))
            except RulesError:  # Why, the watch of the rules says.
                continue
        return found

    def _shown(self, stored: Any) -> SeatPage | None:
        try:
            return self.host.table(stored.id).page(SPECTATOR)
        except StoreFault:
            return None

    def _begun(self, fields: FIELDS) -> tuple[Created | None, str]:
        """A new match, or why there is none."""
        file = first(fields, "game")
        if file not in self.host.games:
            return None, "There is no such game here."
        both = zip(fields.get("kind", ()), fields.get("name", ()), strict=False)
        seats = [(kind, unicodedata.normalize("NFC", name.strip())[:LONGEST_NAME]) for kind, name in both if kind]
        names = [name for _, name in seats]
        if not all(name.isprintable() for name in names):  # Some would turn the direction of what stands beside them.
            return None, "A name can hold only characters that can be seen."
        try:
            chosen = _chosen(self.host.game(file), fields)
            return self.host.create(file, [kind for kind, _ in seats], names if all(names) else None, chosen), ""
        except (RulesError, BadSetup, UnknownBot, RuleError, ValueError) as fault:
            return None, str(fault)


def links_of(host: Host, made: Created) -> list[tuple[str, str]]:
    """By name the addresses of the people's seats; of who watches; and where people share a screen, of all together."""
    seats = host.table(made.match).page(SPECTATOR).seats
    people = [(name, token) for name, token in zip(seats, made.tokens, strict=True) if token]
    links = [(name, f"/seat/{token}") for name, token in [*people, ("who watches", made.spectator)]]
    if len(people) > 1:
        links.append(("all on one screen, in turns", f"/together/{'.'.join(token for _, token in people)}"))
    return links


def first(fields: FIELDS, name: str) -> str:
    return (*fields.get(name, ()), "")[0]


def _seats(game: Game, given: FIELDS) -> list[tuple[str, str]]:
    """Who sits at each seat that there may be, and the name: people at as many as must be taken, or as was given."""
    usual = [HUMAN if seat < game.least else "" for seat in range(min(game.most, MOST_SEATS))]
    kinds, names = (given.get("kind", ()), given.get("name", ())) if given else (usual, ())
    return [(_at(kinds, seat), _at(names, seat)) for seat in range(len(usual))]


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""


def _options(game: Game, given: FIELDS) -> list[dict[str, Any]]:
    """The options as fields of a form."""
    return [
        {
            "name": f"option {option.name}",
            "text": option.text,
            "choices": option.readings or ((("yes", "yes"), ("no", "no")) if option.type.name == "flag" else ()),
            "usual": _usual(option),
            "chosen": first(given, f"option {option.name}"),
            "low": option.low,
            "high": option.high,
            "is_set": option.type.is_set,
            "clauses": [(id_, clause_words(game, id_, SOURCE)) for id_ in option.cites if id_ in game.clauses],
        }
        for option in game.options
    ]


def _usual(option: Option) -> str:
    if option.readings and isinstance(option.default, int):
        return option.readings[option.default][1]
    return notation(option.default)


def _chosen(game: Game, fields: FIELDS) -> dict[str, Any]:
    """What a form chooses of the options.  Errors: `ValueError` with the option whose value cannot be read."""
    chosen: dict[str, Any] = {}
    for option in game.options:
        text = first(fields, f"option {option.name}").strip()
        if not text:
            continue
        if option.readings or option.type.name == "flag":
            chosen[option.name] = text
        else:
            numbers = [_number(option, part) for part in text.replace(",", " ").split()]
            chosen[option.name] = tuple(numbers) if option.type.is_set else numbers[0]
    return chosen


def _number(option: Option, text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise ValueError(f"“{option.text}” takes numbers from {option.low} to {option.high}, not “{text}”")
    return int(text)
