"""Mutation testing of the declared effects: each entry changed, one at a time, must make behaviour fail somewhere.

`python -m tests.operations.mutate_effects` changes every field of every row of `model.effects` in turn, runs what
`test_operations` checks of that operation, and prints the changes that nothing notices.  Taking away what is declared
must be noticed; adding what does not happen is often only careful: another plan, the same matches.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import attrs
from attrs import evolve, frozen

from rulekit.model import ops
from rulekit.model.effects import Effects, expressions
from tests.operations import checks, stories
from tests.operations.samples import LISTENERS, MORE, NOT_OWN, OWN, SAMPLES, THEN, kinds, parsed, reaction


@frozen
class Mutant:
    """A row with one entry changed.

    op, name:  the operation and the field of its row.
    change:    what was changed, in words.
    declared:  something that is declared was taken away; else something was added.
    """

    op: str
    name: str
    change: str
    declared: bool
    row: Effects

    def __str__(self) -> str:
        return f"{self.op}.{self.name}: {self.change}"


def mutants() -> Iterator[Mutant]:
    for op in kinds():
        for attribute in attrs.fields(Effects):
            yield from _changed(op, attribute.name)


def _changed(op: str, name: str) -> Iterator[Mutant]:
    kind: Any = getattr(ops, op)
    row: Effects = kind.effects
    default, held = getattr(Effects(), name), getattr(row, name)
    if isinstance(held, bool):
        yield Mutant(op, name, f"not {held}", held != default, evolve(row, **{name: not held}))
    elif isinstance(held, tuple):
        for one in held:
            left = tuple(other for other in held if other != one)
            yield Mutant(op, name, f"without {one}", True, evolve(row, **{name: left}))
        for one in set(_fitting(kind, name)) - set(held):
            yield Mutant(op, name, f"with {one}", False, evolve(row, **{name: (*held, one)}))
    elif held:
        yield Mutant(op, name, f"without {held}", True, evolve(row, **{name: ""}))


def _fitting(kind: Any, name: str) -> list[str]:
    """The fields of an operation that could stand in a list of its row."""
    types = kind.__annotations__
    if name == "jumps":
        return []
    if name in ("writes", "fills", "shuffles"):
        return [field for field, of in types.items() if of == "Target"]
    return [field for field in expressions(kind) if types[field].startswith("Expr")]


@contextmanager
def planted(mutant: Mutant) -> Iterator[None]:
    kind: Any = getattr(ops, mutant.op)
    row = kind.effects
    kind.effects = mutant.row
    try:
        yield
    finally:
        kind.effects = row


def is_noticed(mutant: Mutant) -> bool:
    """Whether something that is checked of the operation fails, in whatever way."""
    with planted(mutant):
        try:
            _check(mutant.op)
        except Exception:
            return True
    return False


def _check(op: str) -> None:
    known = dict(line.rsplit(" ", 1) for line in stories.KEPT.read_text(encoding="utf-8").splitlines())
    for name, text in stories.texts():
        if name.endswith(f" {op}"):
            assert stories.digest(text) == known[name], name
    for sample in (sample for sample in SAMPLES if sample.op == op):
        for then in THEN:
            checks.check_told(sample.game("n", "\n".join(reaction(piece, word, then) for piece, word in LISTENERS)))
        checks.check_secret(sample)
        checks.check_reasons(sample)
    for sample in (sample for sample in OWN if sample.op == op):
        checks.check_apart(sample)
    for sample in (sample for sample in NOT_OWN if sample.op == op):
        checks.check_forbidden(sample)
    for text in _deciding(op):
        checks.check_engines(text)


@cache
def _deciding(op: str) -> list[str]:
    """The games in which it may be this operation's row that decides."""
    codes = {text: parsed(text).codes for text in MORE.values()}
    return [
        text for text, found in codes.items() if any(type(one).__name__ == op for code in found for one in code.ops)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--declared", action="store_true", help="only take away what is declared")
    parser.add_argument("--part", default="0/1", help="the k-th of n parts, as k/n, to run several at once")
    chosen = parser.parse_args()
    part, parts = (int(number) for number in chosen.part.split("/"))
    made = [mutant for mutant in mutants() if mutant.declared or not chosen.declared][part::parts]
    for op in kinds():
        _deciding(op)
    survived = [mutant for mutant in made if not is_noticed(mutant)]
    for mutant in survived:
        print("survived", "declared" if mutant.declared else "added", mutant, flush=True)
    print(f"{len(made)} changes, {len(survived)} survived")


if __name__ == "__main__":
    main()
