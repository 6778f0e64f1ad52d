"""What the page of the desk shows, as plain values: the book in passages, and one of them with all that concerns it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulekit.review.desk import Desk, Reviewed
from rulekit.review.meanings import Meaning, current_names, meanings, readings
from rulekit.tools.audit.findings import bounded
from rulekit.values import field, frozen

NEGATIONS = ("denial-untold", "denial-unexpected")
"""Findings that are settled by saying that one side has it in other words."""


@frozen
class Typed:
    """What somebody sent that could not be done: it stays in the form.  why: the reason."""

    why: str = ""
    action: str = ""
    fields: Mapping[str, str] = field(factory=dict)

    def of(self, name: str, otherwise: str = "", **same: str) -> str:
        """What was typed into a field, if the other fields are the same; else what stands there anyway."""
        is_this = name in self.fields and all(self.fields.get(other) == value for other, value in same.items())
        return self.fields[name] if is_this else otherwise


def content(desk: Desk, at: int | None, typed: Typed) -> dict[str, Any]:
    """at: the place of a passage; None for the first with something open."""
    now = desk.now()
    place = _place(now, at)
    before = [one for one in now.open if one < place]
    after = [one for one in now.open if one > place]
    settled = len(now.report.settled)
    position = desk.position(place)
    texts = {id_: one.text for id_, one in now.report.rules.rules.game.clauses.items()}
    return {
        "title": now.report.rules.rules.game.title,
        "spoken": now.report.audit.language if now.report.audit else "en",
        "rows": now.rows,
        "at": place,
        "row": now.rows[place] if now.rows else None,
        "version": desk.passage_version(place),
        "open": len(now.report.open),
        "settled": settled,
        "reasons": desk.reasons(),
        "passages_done": len(now.rows) - len(now.open),
        "faults": [(str(fault.span), fault.title) for fault in now.report.faults],
        "next_open": next(iter(after + now.open), None),
        "last_open": next(iter(before[::-1] + now.open[::-1]), None),
        "typed": typed,
        "numbers": _numbers(now, place),
        "negations": [one.digest for one in now.report.open if one.code in NEGATIONS],
        "offered": [(id_, texts[id_]) for id_ in now.offered[place][0] if id_ in texts] if now.rows else [],
        "unsure": bool(now.rows) and now.offered[place][1],
        "unseen": [is_unseen for _, is_unseen in now.offered],
        "position": position,
        "search": desk.search(place) if position is None else None,
        "clauses": tuple(texts.items()),
        "translated": desk.translated([id_ for id_, _ in now.rows[place].clauses]) if now.rows else [],
        "translation": desk.tongue.language,
        "questions": len(desk.questions()),
    }


@frozen
class Number:
    """A number of the passage as it is read.  name: of what it stands for now; meanings: what it may stand for."""

    text: str
    value: str
    verdict: str
    name: str
    meanings: tuple[Meaning, ...]


def _numbers(now: Reviewed, place: int) -> list[Number]:
    report = now.report
    if report.audit is None or not report.audit.passages or not report.audit.passages[place].anchor.clauses:
        return []
    passage = report.audit.passages[place]
    names = current_names(report, passage)
    return [
        Number(
            one.numeral.text,
            str(bounded(one.numeral.value, one.numeral.bound, one.numeral.limit)),
            one.verdict,
            names[at],
            tuple(meanings(report, passage, at)),
        )
        for at, one in enumerate(readings(report, passage))
    ]


def _place(now: Reviewed, at: int | None) -> int:
    if at is not None:
        return max(0, min(at, len(now.rows) - 1))
    return next(iter(now.open), 0)
