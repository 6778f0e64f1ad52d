"""Emission of queries as Python: a function that goes through a set; and whole sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulekit import limits
from rulekit.model import expr as x
from rulekit.model.traversal import parts
from rulekit.play.jit.expression_emitter import WRITTEN, Scope, SlowPath, Writer, bounded, rows_of, take_slow_path
from rulekit.play.meaning.operators import written_range
from rulekit.play.meaning.reading import pile_under


def _over(
    w: Writer,
    e: Any,
    inner: tuple[x.Expr, ...],
    at: Scope,
    each: Callable[..., list[str]],
    *,
    first: list[str],
    end: list[str],
) -> str | None:
    """A function that goes through a set: `each` is given the name of a member and the texts of what is asked of it."""
    items, name = w.text(e.of, at), f"e{e.slot}_{w.fresh('')}"
    asked = None if items is None else w.texts(inner, at.within(e.slot, name))
    if asked is None:
        return None
    body = [
        f"items = {items}",
        f"m.steps += len(items) * {len(inner)}",
        "if m.steps > m.step_limit: m.out_of_steps()",
        *first,
        f"for {name} in items:",
        *(f"    {line}" for line in each(name, *asked)),
        *end,
    ]
    return f"{w.function(at, body)}({at.handed()})"


def _filter(w: Writer, e: x.Filter, at: Scope) -> str | None:
    test = e.test
    if isinstance(test, x.Among) and test.how == "thing" and not test.negate and not _reads(test.left, e.slot):
        return _who_has(w, e, test, at)

    def each(item: str, holds: str) -> list[str]:
        return [f"if {holds}: found.append({item})"]

    return _over(w, e, (test,), at, each, first=["found = []"], end=["return tuple(found)"])


def _who_has(w: Writer, e: x.Filter, test: x.Among, at: Scope) -> str | None:
    """Those for whom one thing lies in some set."""
    thing, rows = w.text(test.left, at), w.need(rows_of)
    if thing is None:
        return None

    def each(item: str, things: str) -> list[str]:
        lying = f"for lying in {things}:"
        return [
            lying,
            f"    if lying is not None and {rows}[lying] == row:",
            f"        found.append({item})",
            "        break",
        ]

    first = ["found = []", f"row = {thing}", f"row = None if row is None else {rows}[row]"]
    return _over(w, e, (test.right,), at, each, first=first, end=["return tuple(found)"])


def _reads(e: x.Expr, slot: int) -> bool:
    return any(isinstance(part, x.Element) and part.index == slot for part in parts(e))


def _gather(item: str, value: str) -> list[str]:
    return [f"found.append({value})"]


def _mapped(w: Writer, e: x.Mapped, at: Scope) -> str | None:
    found = "dict.fromkeys(found)" if e.distinct else "found"

    def each(item: str, value: str) -> list[str]:
        return [f"found.{'extend' if e.flat else 'append'}({value})"]

    return _over(w, e, (e.value,), at, each, first=["found = []"], end=[f"return tuple({found})"])


_FOLDS = {"sum": "sum(found)", "least": "min(found, default=0)", "most": "max(found, default=0)"}


def _fold(w: Writer, e: x.Fold, at: Scope) -> str | None:
    end = [f"return {bounded(w, _FOLDS[e.op])}"]
    return _over(w, e, (e.value,), at, _gather, first=["found = []"], end=end)


def _extreme(w: Writer, e: x.Extreme, at: Scope) -> str | None:
    best = f"best = {'min' if e.lowest else 'max'}(found)"
    end = [_no_nothing(w), best, "return tuple([item for item, key in zip(items, found) if key == best])"]
    return _over(w, e, (e.key,), at, _gather, first=["if not items: return items", "found = []"], end=end)


def _ordered(w: Writer, e: x.Ordered, at: Scope) -> str | None:
    def each(item: str, *keys: str) -> list[str]:
        signed = [key if low else f"-{key}" for key, (_, low) in zip(keys, e.keys, strict=True)]
        return [f"found.append({signed[0]})" if len(signed) == 1 else f"found.append(({', '.join(signed)}))"]

    whole = _no_nothing(w) if len(e.keys) == 1 else f"if None in sum(found, ()): {w.same(take_slow_path)}()"
    end = "return tuple([items[at] for at in sorted(range(len(items)), key=found.__getitem__)])"
    keys = tuple(key for key, _ in e.keys)
    first = ["if not items: return ()", "found = []"]
    return _over(w, e, keys, at, each, first=first, end=[whole, end])


def _no_nothing(w: Writer) -> str:
    """Nothing cannot be ordered by."""
    return f"{w.same(_all_something)}(found)"


def _all_something(found: list[Any]) -> None:
    if None in found:
        raise SlowPath


# ---------------------------------------------------------------- whole sets


def _end(w: Writer, e: x.End, at: Scope) -> str | None:
    items = w.text(e.of, at) if pile_under(e.of) is None else None
    name = w.fresh("t")
    return None if items is None else f"({name}[{-1 if e.last else 0}] if ({name} := {items}) else None)"


def _without(w: Writer, e: x.Without, at: Scope) -> str | None:
    both = w.texts((e.of, e.less), at)
    if both is None:
        return None
    if e.how == "thing":
        return f"{w.same(_without_things)}({w.need(rows_of)}, {both[0]}, {both[1]})"
    return f"{w.same(_without_plain)}({both[0]}, {both[1]})"


def _without_plain(items: tuple[Any, ...], less: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple([item for item in items if item not in less])


def _without_things(row_of: list[int], items: tuple[Any, ...], less: tuple[Any, ...]) -> tuple[Any, ...]:
    rows = {row_of[item] for item in less if item is not None}
    return tuple([item for item in items if row_of[item] not in rows])


def _union(w: Writer, e: x.Union, at: Scope) -> str | None:
    both = w.texts((e.left, e.right), at)
    return None if both is None else f"{w.same(_united)}({both[0]}, {both[1]})"


def _united(left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
    return left + tuple([item for item in right if item not in left])


def _listed(w: Writer, e: x.Listed, at: Scope) -> str | None:
    items = w.texts(e.items, at)
    return None if items is None else f"({''.join(f'{item}, ' for item in items)})"


def _interval(w: Writer, e: x.Interval, at: Scope) -> str | None:
    known, both = written_range(e), w.texts((e.low, e.high), at)
    if known is not None:
        return w.same(known)
    return None if both is None else f"{w.same(_range)}({both[0]}, {both[1]})"


def _range(low: int, high: int) -> tuple[int, ...]:
    if high - low >= limits.SET:
        raise SlowPath
    return tuple(range(low, high + 1))


WRITTEN.update(
    {
        x.Filter: _filter,
        x.Mapped: _mapped,
        x.Fold: _fold,
        x.Extreme: _extreme,
        x.Ordered: _ordered,
        x.End: _end,
        x.Without: _without,
        x.Union: _union,
        x.Listed: _listed,
        x.Interval: _interval,
    }
)
