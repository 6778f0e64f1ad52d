"""The page on which matches are begun: the games with their options and clauses, who plays, and what is played."""

from __future__ import annotations

import asyncio
import hmac
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from rulekit.bots.players.registry import UnknownBot
from rulekit.errors import RulekitError
from rulekit.hosting.host import Created, Host
from rulekit.hosting.seat_names import named
from rulekit.hosting.seat_page import Refused, SeatPage
from rulekit.hosting.store import Stored, StoreFault
from rulekit.hosting.tokens import new_token
from rulekit.legibility import without_joiners
from rulekit.loading import RulesError
from rulekit.model.game import Game, Option
from rulekit.play.seat_names import is_seat_name
from rulekit.play.state.errors import BadSetup, NotTogether, RuleError
from rulekit.play.view import SPECTATOR
from rulekit.record.log import HUMAN
from rulekit.tools.language.display_names import seat_words
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.language.translation import Tongue
from rulekit.tools.tell import narration
from rulekit.tools.tell.clause_text import clause_words, value_words
from rulekit.values import define, field
from rulekit.web.addresses import Address, base_of, in_others, origin_of, together_at
from rulekit.web.guarding import form
from rulekit.web.pages import nothing_here, page
from rulekit.web.translations import LANGUAGE, Translations, chosen, own_words, spoken
from rulekit.web.uploads import is_upload, uploaded

FIELDS = Mapping[str, Sequence[str]]
KINDS = ("", HUMAN, "random", "greedy", "mcts:50", "mcts:200", "mcts:1000")
"""Who may sit at a seat: the first is nobody; of those that search, the more simulations the stronger."""
LONGEST_NAME = 40
MOST_SEATS = 12
ONCE = "once"
"""The field that is another one each time a form is shown: who sends the same form again begins nothing again."""
REMEMBERED = 200
"""So many matches that were begun are known by their form."""
SHOWN = 50
"""So many matches are listed, the last ones."""


@define(eq=False)
class HostPage:
    """key: who has it may begin matches.  problems: by rules file why it is no game now.

    others:  who sits beside the first person as long as nobody has chosen.
    """

    host: Host
    key: str
    translations: Translations
    problems: Callable[[], Mapping[str, str]] = dict
    others: str = HUMAN
    _sent: dict[str, Created] = field(init=False, factory=dict)
    _beginning: Lock = field(init=False, factory=Lock)

    async def matches(self, request: Request) -> Response:
        """Shows the games and matches; begins a match, or takes one up from a log, if a form is sent."""
        if not hmac.compare_digest(request.path_params["key"].encode(), self.key.encode()):
            return await nothing_here(request)
        fields: FIELDS = {}
        made, problem = None, ""
        try:
            if request.method == "POST" and is_upload(request):
                made = await self._taken_up(request)
            elif request.method == "POST" and (fields := await form(request)):
                made = await run_in_threadpool(self._begun_once, fields, spoken(request))
        except BadForm as fault:
            problem = str(fault)
        return await self._shown_with(request, fields if problem else {}, made, problem)

    async def _shown_with(self, request: Request, fields: FIELDS, made: Created | None, problem: str) -> Response:
        language = spoken(request)
        tongue = own_words(language)
        values = await run_in_threadpool(self._overview, fields, language)
        links = (
            []
            if made is None
            else links_of(self.host, made, Address("", chosen(request), base=base_of(request)), tongue)
        )
        # The links are shown once: nothing on that page leads away from them.
        others = [] if links else in_others(lambda other: f"?{LANGUAGE}={other}", language)
        more = {"links": links, "origin": origin_of(request), "problem": problem, "languages": others}
        return page(request, "web_host.html.j2", 400 if problem else 200, tongue, **values, **more)

    async def _taken_up(self, request: Request) -> Created:
        """The match in a log that is sent, going on.  Errors: `BadForm`."""
        tongue = own_words(spoken(request))
        log = await uploaded(request, "log")
        if not log:
            raise BadForm(tongue.say("web-no-file"))
        made = await asyncio.wrap_future(self.host.aside(lambda: self.host.take_up(log)))
        if isinstance(made, Refused):
            raise BadForm(made.reason.by(tongue))
        return made

    def _overview(self, fields: FIELDS, language: str) -> dict[str, Any]:
        games = [
            self._offered(file, game, fields if first(fields, "game") == file else {}, language)
            for file, game in self._games()
        ]
        stored = self.host.matches()[-SHOWN:]
        shown = [one for one in (self._shown(one, language) for one in stored) if one is not None]
        kinds = [(kind, narration.who_sits(kind, own_words(language))) for kind in KINDS]
        return {
            "title": "rulekit",
            "once": new_token(),
            "games": games,
            "problems": dict(self.problems()),
            "matches": shown,
            "kinds": kinds,
        }

    def _offered(self, file: str, game: Game, given: FIELDS, language: str) -> dict[str, Any]:
        """A game with its form, filled in as it was sent."""
        tongue = self.translations.of(game, language)
        return {
            "file": file,
            "title": tongue.text("title", game.title),
            "least": game.least,
            "most": game.most,
            "options": _options(game, given, tongue),
            "seats": _seats(game, given, self.others),
            "is_given": bool(given),
        }

    def _games(self) -> list[tuple[str, Game]]:
        found: list[tuple[str, Game]] = []
        for file in self.host.games:
            try:
                found.append((file, self.host.game(file)))
            except RulesError:  # Why, the watch of the rules says.
                continue
        return found

    def _shown(self, stored: Stored, language: str) -> tuple[str, SeatPage] | None:
        """A match: the title of its game, and what who watches sees."""
        try:
            table = self.host.table(stored.id)
            return self.translations.of(table.game, language).text("title", table.game.title), table.page(SPECTATOR)
        except StoreFault:
            return None

    def _begun_once(self, fields: FIELDS, language: str) -> Created:
        """A new match, or that which the same form began before.  Errors: `BadForm`."""
        once = first(fields, ONCE)
        with self._beginning:
            if once in self._sent:
                return self._sent[once]
            made = self._begun(fields, language)
            if once:
                self._sent[once] = made
            if len(self._sent) > REMEMBERED:
                del self._sent[next(iter(self._sent))]
        return made

    def _begun(self, fields: FIELDS, language: str) -> Created:
        """A new match.  Errors: `BadForm`."""
        file = first(fields, "game")
        if file not in self.host.games:
            raise BadForm(Message("web-no-game").by(own_words(language)))
        try:
            game = self.host.game(file)
            tongue = self.translations.of(game, language)
            kinds, names = _players(game, fields, tongue)
            return self.host.create(file, kinds, names, _chosen(game, fields, tongue))
        except NotTogether as fault:
            raise BadForm(_not_together(game, fault, tongue)) from None
        except (RulesError, BadSetup, UnknownBot, RuleError) as fault:
            raise BadForm(str(fault)) from None


class BadForm(RulekitError):
    """No match can begin as it was sent; the text says why, in the language of the page where words of ours do."""


def _players(game: Game, fields: FIELDS, tongue: Tongue) -> tuple[list[str], list[str]]:
    """Who sits at each seat, and the names.  Errors: `BadForm`; more a match finds when it begins."""
    both = list(zip(fields.get("kind", ()), fields.get("name", ()), strict=False))
    if unseated := [name.strip() for kind, name in both if not kind and name.strip()]:
        raise BadForm(tongue.say("web-unseated", name=unseated[0][:LONGEST_NAME]))
    seats = [(kind, unicodedata.normalize("NFC", name.strip())[:LONGEST_NAME]) for kind, name in both if kind]
    names = named(game, [name for _, name in seats], lambda number: tongue.say("web-player", number=number))
    if not all(map(is_seat_name, names)):
        raise BadForm(tongue.say("web-unseen"))
    if not game.least <= len(names) <= game.most:
        raise BadForm(_how_many(game, len(names), tongue))
    if len(set(map(without_joiners, names))) < len(names):
        raise BadForm(tongue.say("web-same-name"))
    return [kind for kind, _ in seats], names


def _how_many(game: Game, count: int, tongue: Tongue) -> str:
    title = tongue.text("title", game.title)
    if game.least == game.most:
        return tongue.count("web-players", game.least, title=title, chosen=count)
    return tongue.say("web-players-range", title=title, low=game.least, high=game.most, chosen=count)


def _not_together(game: Game, fault: NotTogether, tongue: Tongue) -> str:
    option = next(option for option in game.options if option.name == fault.option)
    phrase = "web-conflicts" if fault.conflicts else "web-requires"
    told = [tongue.say(phrase, option=_text(option, tongue), line=fault.line)]
    return " ".join([*told, *(f"{id_}: {clause_words(game, id_, tongue)}" for id_ in fault.clauses)])


def links_of(host: Host, made: Created, here: Address, tongue: Tongue) -> list[tuple[str, str]]:
    """By name the addresses of the people's seats; of who watches; and where people share a screen, of all together.

    here:  an address whose base and language, if one was chosen, those of the links have.
    """
    seats = host.table(made.match).page(SPECTATOR).seats
    people = [(seat_words(name, tongue), token) for name, token in zip(seats, made.tokens, strict=True) if token]
    watching = (tongue.say("web-who-watches"), made.spectator)
    links = [(name, Address(token, here.language, base=here.base).to()) for name, token in [*people, watching]]
    if len(people) > 1:
        together = together_at(".".join(token for _, token in people), here.language, here.base)
        links.append((tongue.say("web-one-screen"), together))
    return links


def first(fields: FIELDS, name: str) -> str:
    return (*fields.get(name, ()), "")[0]


def _seats(game: Game, given: FIELDS, others: str) -> list[tuple[str, str]]:
    """Who sits at each seat that there may be, and the name: as many as there must be, or as was given."""
    usual = [(others if seat else HUMAN) if seat < game.least else "" for seat in range(min(game.most, MOST_SEATS))]
    kinds, names = (given.get("kind", ()), given.get("name", ())) if given else (usual, ())
    return [(_at(kinds, seat), _at(names, seat)) for seat in range(len(usual))]


def _at(texts: Sequence[str], place: int) -> str:
    return texts[place] if place < len(texts) else ""


def _options(game: Game, given: FIELDS, tongue: Tongue) -> list[dict[str, Any]]:
    """The options as fields of a form."""
    return [
        {
            "name": f"option {option.name}",
            "text": _text(option, tongue),
            "choices": _choices(option, tongue),
            "usual": value_words(option, {}, tongue),
            "chosen": first(given, f"option {option.name}"),
            "low": option.low,
            "high": option.high,
            "is_set": option.type.is_set,
            "clauses": [(id_, clause_words(game, id_, tongue)) for id_ in option.cites if id_ in game.clauses],
        }
        for option in game.options
    ]


def _text(option: Option, tongue: Tongue) -> str:
    return tongue.text(f"option {option.name}", option.text)


def _choices(option: Option, tongue: Tongue) -> list[tuple[str, str]]:
    """What can be chosen, each with its words; none where a number is typed."""
    if option.type.name == "flag" and not option.readings:
        return [(name, tongue.say(name)) for name in ("yes", "no")]
    return [(name, value_words(option, {option.name: name}, tongue)) for name, _ in option.readings]


def _chosen(game: Game, fields: FIELDS, tongue: Tongue) -> dict[str, Any]:
    """What a form chooses of the options.  Errors: `BadForm` with the option whose value cannot be read."""
    chosen: dict[str, Any] = {}
    for option in game.options:
        text = first(fields, f"option {option.name}").strip()
        if not text:
            continue
        if option.readings or option.type.name == "flag":
            chosen[option.name] = text
        else:
            numbers = [_number(option, part, tongue) for part in text.replace(",", " ").split()]
            chosen[option.name] = tuple(numbers) if option.type.is_set else numbers[0]
    return chosen


def _number(option: Option, text: str, tongue: Tongue) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        bounds = {"low": option.low, "high": option.high}
        raise BadForm(tongue.say("web-no-number", option=_text(option, tongue), text=text, **bounds))
    return int(text)
