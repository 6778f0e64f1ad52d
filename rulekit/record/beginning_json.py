"""The position in which a match began, as the first line of a log holds it: to JSON and back, with validation."""

from __future__ import annotations

from typing import Any

from rulekit.play.beginning import Beginning
from rulekit.record.json_values import value_from_json, value_to_json
from rulekit.record.strict_json import BadJson, Json

_FIELDS = {"values", "out", "undecided", "open", "shown", "begin", "turn", "scenario"}


def beginning_out(at: Beginning) -> Json:
    return {
        "values": {path: value_to_json(value) for path, value in at.values.items()},
        "out": list(at.out),
        "undecided": [list(pile) for pile in at.undecided],
        "open": [list(thing) for thing in at.open],
        "shown": list(at.shown),
        "begin": value_to_json(at.begin),
        "turn": at.turn,
        "scenario": at.scenario,
    }


def beginning_in(data: Json) -> Beginning:
    """Errors: `BadJson` for what no beginning is written as; `BadSave` for what is no value."""
    if not isinstance(data, dict) or set(data) != _FIELDS or not isinstance(data["values"], dict):
        raise BadJson(f"`begun` has the fields {', '.join(sorted(_FIELDS))}")
    begin, turn, scenario = data["begin"], data["turn"], data["scenario"]
    if not isinstance(begin, list) or not isinstance(turn, str) or not isinstance(scenario, str):
        raise BadJson("`begin` is a list, and `turn` and `scenario` are texts")
    handed = value_from_json(begin)
    assert isinstance(handed, tuple), handed
    return Beginning(
        values={path: value_from_json(value) for path, value in data["values"].items()},
        out=tuple(_row(path, 0)[0] for path in _listed(data["out"])),
        undecided=tuple(_row(pile, 2) for pile in _listed(data["undecided"])),
        open=tuple(_row(thing, 1) for thing in _listed(data["open"])),
        shown=tuple(_row(path, 0)[0] for path in _listed(data["shown"])),
        begin=handed,
        turn=turn,
        scenario=scenario,
    )


def _listed(data: Json) -> list[Json]:
    if not isinstance(data, list):
        raise BadJson("a list is needed in `begun`")
    return data


def _row(data: Json, numbers: int) -> Any:
    """A path, with so many numbers behind it."""
    path, *rest = data if numbers and isinstance(data, list) and data else [data]
    if type(path) is not str or len(rest) != numbers or any(type(one) is not int or one < 0 for one in rest):
        raise BadJson("in `begun`, a path stands with its numbers")
    return (path, *rest)
