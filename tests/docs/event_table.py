"""The tables of events in docs/api.md, made from `rulekit.play.state.event_table`; run it to renew them."""

from __future__ import annotations

from rulekit.play.state.event_table import EVENTS, KINDS, EventForm, Fact
from tests.paths import DOCS

PAGE = DOCS / "api.md"
BEGIN, END = "<!-- made by `python -m tests.docs.event_table` -->\n", "<!-- as far as here -->\n"


def table() -> str:
    """What stands between the marks."""
    lines = ["| event | when | facts |", "|---|---|---|", *map(_row, EVENTS)]
    kinds = ["| kind | value |", "|---|---|", *(f"| {kind} | {text} |" for kind, text in KINDS.items())]
    return "\n".join([*lines, "", *kinds, ""])


def _row(form: EventForm) -> str:
    heard = f"; heard {form.heard}" if form.heard else ""
    return f"| `{form.name}` | {form.when}{heard} | {'; '.join(map(_fact, _facts(form)))} |"


def _facts(form: EventForm) -> tuple[Fact, ...]:
    return form.facts if form.more is None else (*form.facts, form.more)


def _fact(fact: Fact) -> str:
    text = f" {fact.kind}" + (f", {fact.text}" if fact.text else "")
    instead = f" (who may not know it: {fact.instead})" if fact.instead else ""
    return f"`{fact.name}`:{text}{instead}"


def renewed(page: str) -> str:
    """The page with the tables as they should be."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    return before + BEGIN + "\n" + table() + "\n" + END + after


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
