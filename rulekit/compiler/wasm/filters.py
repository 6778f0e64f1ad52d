"""Filters of what is searched: a word with a bit for each entry says at once of most values that they are not there.

A bit stands for many values (a Bloom filter with one hash), so that where it is set the sequence itself is searched.
Small numbers have bits of their own, and so have the cells of a small part of a grid.  A sequence has a filter if it
grows from nothing, entry by entry, and so has a parameter in which a loop searches.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulekit.compiler.plan import ir as p
from rulekit.compiler.plan.traversal import expressions, statements
from rulekit.compiler.wasm.writer import Writer

_COLUMN = 18
"""By so much a packed pair is shifted, so that the cells of 8 rows and 8 columns have different bits."""
_REMADE = (p.Set, p.Copy, p.Do, p.AskSeveral, p.Feasible)
"""What brings entries into a local sequence in other ways than by adding one; a bit of what was taken may stay."""


def filtered(function: p.Function) -> tuple[list[str], list[str]]:
    """The local sequences that have a filter, and the parameters."""
    inner = list(statements(function.body))
    remade = {s.local for s in inner if isinstance(s, _REMADE)}
    made = {s.local for s in inner if isinstance(s, p.New)} - remade
    params = {name for name, kind in function.params if kind == "list"} - remade
    searched = set(_searched(inner)) if made or params else set()
    params &= searched
    loops = [s for s in inner if isinstance(s, p.Each | p.Count | p.Loop)] if params else []
    in_loops = {name for loop in loops for name in _searched(statements(loop.body))}
    return sorted(searched & made), sorted(params & in_loops)


def _searched(inner: Iterable[p.Statement]) -> Iterator[str]:
    return (e.of.local for s in inner for e in expressions(s) if isinstance(e, p.Has) and isinstance(e.of, p.Get))


def begin(w: Writer, name: str) -> None:
    """Nothing is in a sequence."""
    if name in w.masks:
        w.put("i64.const 0", f"local.set {w.masks[name]}")


def add(w: Writer, name: str, item: str) -> None:
    """item: an instruction that gives the entry."""
    mask = w.masks[name]
    w.put(f"local.get {mask}", "i64.const 1", *_bit(item), "i64.shl", "i64.or", f"local.set {mask}")


def may_have(w: Writer, name: str, item: str) -> None:
    """Leaves whether a sequence may have an entry."""
    w.put(f"local.get {w.masks[name]}", *_bit(item), "i64.shr_u", "i64.const 1", "i64.and", "i32.wrap_i64")


def of_parameter(w: Writer, name: str) -> None:
    at, item, end = w.spare("i32"), w.spare("i64"), w.spare("i32")
    begin(w, name)
    w.put(f"local.get ${name}", f"local.tee {at}", f"local.get {at}", "i32.load", "i32.const 3", "i32.shl", "i32.add")
    w.put(f"local.set {end}", f"block $.all.{name}", f"loop $.entry.{name}")
    w.put(f"local.get {at}", f"local.get {end}", "i32.ge_u", f"br_if $.all.{name}")
    w.put(f"local.get {at}", "i64.load offset=8", f"local.set {item}")
    add(w, name, f"local.get {item}")
    w.put(f"local.get {at}", "i32.const 8", "i32.add", f"local.set {at}", f"br $.entry.{name}", "end", "end")


def _bit(item: str) -> tuple[str, ...]:
    """The bit of an entry; shifts take it modulo 64."""
    return item, item, f"i64.const {_COLUMN}", "i64.shr_u", "i64.xor"
