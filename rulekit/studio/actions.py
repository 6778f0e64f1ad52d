"""What the page can do, by name: each action takes what the page sends and answers plain values, or refuses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rulekit.bots.players import registry
from rulekit.diagnostics import Problems
from rulekit.errors import RulekitError
from rulekit.limits import FILE_BYTES
from rulekit.source import Source
from rulekit.studio.arranging import Arranging, CannotBe, arranging
from rulekit.studio.kept_example import examples_of, position_text, rules_under, stretch
from rulekit.studio.match_content import asked_seat
from rulekit.studio.played_match import Arrangement, seat_shown
from rulekit.studio.rules_file import Conflict, TooLong
from rulekit.studio.studio import Series, Studio, file_payload
from rulekit.studio.unsaved_texts import UnsavedText
from rulekit.syntax.parse import parse
from rulekit.syntax.unparse import unparse
from rulekit.tools.language.lazy_message import Message
from rulekit.tools.structure.line_difference import line_difference
from rulekit.web.host_page import KINDS

Sent = Mapping[str, Any]
MOST_NUMBER = 10**9
MAX_TIME = 10**15
"""Milliseconds since 1970."""
MAX_NAME = 100
"""Letters of the name that a page has for itself."""
TOO_LONG = Message("studio-too-long", most=FILE_BYTES // 1024)
MAX_LINES = 500
"""Lines of a difference that the page shows."""


class Refusal(RulekitError):
    """Why nothing was done, for a person.  more: what the page has to know besides."""

    def __init__(self, reason: Message, **more: object) -> None:
        super().__init__(str(reason))
        self.reason, self.more = reason, more


def put(studio: Studio, sent: Sent) -> dict[str, Any]:
    """The text of the editor: `text`, and the version of the file that was `read`; answers the `number` of the text.

    `page`: the name of the page, if somebody has typed there; `at`: when, in milliseconds.
    """
    if sent.get("page"):
        page, at = _text(sent, "page")[:MAX_NAME], _number(sent, "at", MAX_TIME)
        studio.keep_unsaved(page, UnsavedText(_text(sent, "text"), _text(sent, "read"), at))
    return {"number": studio.put_text(_text(sent, "text"), _text(sent, "read"))}


def save(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Write `text` to the file if that still holds the version that the page has `read`; answers its new state."""
    try:
        return file_payload(studio.file.save(_text(sent, "text"), _text(sent, "read")))
    except Conflict as fault:
        raise Refusal(Message("studio-conflict"), conflict=file_payload(fault.state)) from None
    except TooLong:
        raise Refusal(TOO_LONG) from None
    except UnicodeEncodeError:
        raise Refusal(Message("studio-no-text")) from None
    except OSError as fault:
        raise Refusal(Message("studio-not-saved", why=(fault.strerror or str(fault)).lower())) from None


def unsaved(studio: Studio, sent: Sent) -> dict[str, Any]:
    """The texts that pages other than `page` have not saved."""
    texts = studio.unsaved.texts_of_others(_text(sent, "page"))
    return {
        "unsaved": [{"name": name, "text": one.text, "read": one.read, "at": one.at} for name, one in texts.items()]
    }


def discard(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Give up the unsaved text of a `page`."""
    studio.unsaved.discard(_text(sent, "page"))
    return {}


def difference(studio: Studio, sent: Sent) -> dict[str, Any]:
    """The lines in which the text `new` differs from `old`, at most `MAX_LINES`; `more`: how many are left out."""
    lines = line_difference(_text(sent, "old"), _text(sent, "new"))
    shown = [{"side": line.side.value, "text": line.text} for line in lines[:MAX_LINES]]
    return {"lines": shown, "more": len(lines) - len(shown)}


def answer(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Answer the question `number` with the options `chosen`, as seen from `seat`."""
    table = studio.match.table
    if table is None:
        raise Refusal(Message("studio-no-match"))
    seat = asked_seat(table, seat_shown(table, _text(sent, "seat")))
    _done(studio, studio.match.answer(seat, _number(sent, "number"), _numbers(sent, "chosen")))
    return {}


def undo(studio: Studio, sent: Sent) -> dict[str, Any]:
    _done(studio, studio.match.undo())
    return {}


def go_back(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Go on from before decision `at`."""
    _done(studio, studio.match.go_back(_number(sent, "at")))
    return {}


def begin(studio: Studio, sent: Sent) -> dict[str, Any]:
    """A new match: `players` by seat, a `seed`."""
    players = sent.get("players")
    known = isinstance(players, list) and all(isinstance(kind, str) and kind in KINDS[1:] for kind in players)
    if not known or not isinstance(players, list):
        raise Refusal(Message("studio-who-plays"))
    seed = _text(sent, "seed").strip()[:80] or "studio"
    _refuse(studio.begin(Arrangement(tuple(players), seed=seed)))
    return {}


def begin_at(studio: Studio, sent: Sent) -> dict[str, Any]:
    """A match from the position of an example: `name`."""
    _refuse(studio.begin_at(_text(sent, "name")))
    return {}


def position(studio: Studio, sent: Sent) -> dict[str, Any]:
    """The position before decision `at`, as an example that can be changed by hand."""
    return {"text": _said(studio, lambda table: position_text(table, _number(sent, "at")))}


def stretch_said(studio: Studio, sent: Sent) -> dict[str, Any]:
    """The decisions before `at`, the last `count` of them, as an example with what came of them.

    It stands in place of the `lines` of the example of `text` from which the match began, if that checks nothing yet.
    """
    table = studio.match.table
    made = None if table is None else stretch(table, _number(sent, "at"), _number(sent, "count"))
    if made is None:
        raise Refusal(Message("studio-no-words"))
    names = examples_of(Source(studio.file.path, _text(sent, "text")))
    bare = names.get(made.begun) if made.first == 1 else None
    if bare is None:
        return {"text": made.text(names)}
    return {"text": made.text(names, bare.clauses), "lines": bare.lines}


def arrange(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Begin to arrange a position by hand: the one before decision `at`."""
    table = studio.match.table
    if table is None:
        raise Refusal(Message("studio-no-match"))
    studio.arranged = arranging(table, rules_under(table), _number(sent, "at"))
    return {}


def arrange_move(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Put the piece or card `what` to `to`: keys of the drawing."""
    _step(studio, lambda of: of.move(_text(sent, "what"), _text(sent, "to")))
    return {}


def arrange_set(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Give what is called `what` the value that is written in `value`."""
    _step(studio, lambda of: of.set(_text(sent, "what").removeprefix("value "), _text(sent, "value")[:200]))
    return {}


def arrange_undo(studio: Studio, sent: Sent) -> dict[str, Any]:
    _step(studio, lambda of: of.take_back())
    return {}


def arrange_keep(studio: Studio, sent: Sent) -> dict[str, Any]:
    """The position as the text of an example with this `name`, and no more arranging."""
    name = _text(sent, "name").replace('"', "'").strip()[:80] or "a position"
    made: list[str] = []
    _step(studio, lambda of: made.append(of.example(name)))
    studio.arranged = None
    return {"text": made[0]}


def arrange_leave(studio: Studio, sent: Sent) -> dict[str, Any]:
    studio.arranged = None
    return {}


def _step(studio: Studio, act: Callable[[Arranging], object]) -> None:
    if studio.arranged is None:
        raise Refusal(Message("studio-not-arranging"))
    try:
        act(studio.arranged)
    except CannotBe as fault:
        raise Refusal(fault.why) from None


def measure(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Play the series with other `players` or `bots`."""
    bots = _text(sent, "bots")
    try:
        _ = bots and registry.maker(bots)
    except registry.UnknownBot:
        raise Refusal(Message("studio-no-bot")) from None
    players = sent.get("players")
    studio.measure(Series(players if isinstance(players, int) and 0 < players < 65 else None, bots))
    return {}


def keep(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Compare with the rules as they are now from now on."""
    studio.keep()
    return {}


def compare_opened(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Compare with the rules as they were opened from now on."""
    studio.compare_opened()
    return {}


def stop(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Play no more pairs until something changes."""
    studio.stop_series()
    return {}


def tidy(studio: Studio, sent: Sent) -> dict[str, Any]:
    """`text` in the one layout."""
    problems = Problems()
    file = parse(Source(studio.file.path, _text(sent, "text")), problems).file
    if problems.has_errors:
        raise Refusal(Message("studio-not-tidied"))
    return {"text": unparse(file)}


def complete(studio: Studio, sent: Sent) -> dict[str, Any]:
    """The words that may stand in `text` at `line` and `column`."""
    return {"offers": studio.assistance.completion(*_place(sent))}


def hover(studio: Studio, sent: Sent) -> dict[str, Any]:
    """What stands in `text` at `line` and `column`, in words."""
    return {"words": studio.assistance.hover(*_place(sent))}


def definition(studio: Studio, sent: Sent) -> dict[str, Any]:
    """Where what stands in `text` at `line` and `column` is declared."""
    return {"line": studio.assistance.definition(*_place(sent))}


def outline(studio: Studio, sent: Sent) -> dict[str, Any]:
    """What `text` declares, with lines."""
    return {"declared": studio.assistance.outline(_text(sent, "text"))}


def correct(studio: Studio, sent: Sent) -> dict[str, Any]:
    """What would mend the finding `code` in a `line` of `text`; nothing where only people can say what is meant."""
    text, code = _text(sent, "text"), _text(sent, "code")
    return {"corrections": studio.assistance.corrections(text, _number(sent, "line"), code)}


ACTIONS: Mapping[str, Callable[[Studio, Sent], dict[str, Any]]] = {
    "put": put,
    "save": save,
    "unsaved": unsaved,
    "discard": discard,
    "difference": difference,
    "answer": answer,
    "undo": undo,
    "go-back": go_back,
    "begin": begin,
    "begin-at": begin_at,
    "position": position,
    "stretch": stretch_said,
    "arrange": arrange,
    "arrange-move": arrange_move,
    "arrange-set": arrange_set,
    "arrange-undo": arrange_undo,
    "arrange-keep": arrange_keep,
    "arrange-leave": arrange_leave,
    "measure": measure,
    "keep": keep,
    "compare-opened": compare_opened,
    "stop": stop,
    "tidy": tidy,
    "complete": complete,
    "hover": hover,
    "definition": definition,
    "outline": outline,
    "correct": correct,
}


# ---------------------------------------------------------------- what is sent


def _text(sent: Sent, name: str) -> str:
    found = sent.get(name)
    if not isinstance(found, str):
        raise Refusal(Message("studio-not-sent", name=name))
    return found


def _number(sent: Sent, name: str, most: int = MOST_NUMBER) -> int:
    found = sent.get(name)
    if type(found) is not int or not 0 <= found < most:
        raise Refusal(Message("studio-not-sent", name=name))
    return found


def _numbers(sent: Sent, name: str) -> list[int]:
    found = sent.get(name)
    if not isinstance(found, list) or any(type(one) is not int for one in found):
        raise Refusal(Message("studio-not-sent", name=name))
    return found


def _place(sent: Sent) -> tuple[str, int, int]:
    return _text(sent, "text"), _number(sent, "line"), _number(sent, "column")


def _refuse(reason: Message | None) -> None:
    """Errors: `Refusal`, if there is a reason for it."""
    if reason is not None:
        raise Refusal(reason)


def _done(studio: Studio, reason: Message | None) -> None:
    _refuse(reason)
    studio.tell_match()


def _said(studio: Studio, say: Callable[[Any], str]) -> str:
    table = studio.match.table
    text = "" if table is None else say(table)
    if not text:
        raise Refusal(Message("studio-no-words"))
    return text
