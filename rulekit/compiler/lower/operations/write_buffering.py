"""Write buffering for `secretly each`: every seat reads shared variables as they stood before the first.

The changes of each block are buffered (privatization) and committed when all
have finished.  Without a finite set of variables, `snapshots` buffers everything.
"""

from __future__ import annotations

from rulekit.compiler.lower.builder.ir_builder import ONE, ZERO, Builder, binary, word
from rulekit.compiler.lower.operations import snapshots
from rulekit.compiler.plan import ir as p

BUFFERED = ("counter", "flag", "value")
"""Forms of variables that can be buffered one by one: their values are words."""


def begin(m: Builder, place: int) -> None:
    """Create the empty buffers of the block at a place."""
    variables = m.aside[place]
    if variables is None:
        snapshots.begin(m, place)
        return
    for variable in variables:
        m.types[_was(place, variable)] = "int"
    for name in [_who(place), *(_made(place, variable) for variable in variables)] if variables else []:
        m.types[name] = "list"
        m.emit(p.New(name))


def save(m: Builder, place: int, seat: p.Expr) -> None:
    """Save the values before a seat's block."""
    for variable in m.aside[place] or ():
        m.emit(p.Set(_was(place, variable), word(m.storage.word_base[variable], seat)))


def buffer(m: Builder, place: int, seat: p.Expr) -> None:
    """Buffer the values that a seat's block has written, and restore those from before it."""
    variables = m.aside[place]
    if variables is None:
        snapshots.buffer(m, place, seat)
        return
    for variable in variables:
        base = m.storage.word_base[variable]
        m.emit(p.Push(_made(place, variable), word(base, seat)))
        m.emit(p.Store(binary("+", seat, p.Const(base)), p.Get(_was(place, variable))))
    if variables:
        m.emit(p.Push(_who(place), seat))


def commit(m: Builder, place: int) -> None:
    """Write all buffered values, in the order in which the seats were asked."""
    variables = m.aside[place]
    if variables is None:
        snapshots.commit(m, place)
    if not variables:
        return

    def one(number: p.Expr) -> None:
        seat = m.atom(p.Item(p.Get(_who(place)), number))
        for variable in variables:
            at = binary("+", seat, p.Const(m.storage.word_base[variable]))
            m.emit(p.Store(at, p.Item(p.Get(_made(place, variable)), number)))

    m.each_number(ZERO, binary("-", p.Size(p.Get(_who(place))), ONE), one)


def _was(place: int, variable: int) -> str:
    return f"was{place}_{variable}"


def _made(place: int, variable: int) -> str:
    return f"made{place}_{variable}"


def _who(place: int) -> str:
    return f"who{place}"
