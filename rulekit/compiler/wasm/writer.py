"""The writer of WebAssembly text: one function under construction, and what all functions of a module know."""

from __future__ import annotations

from rulekit.compiler.plan import ir as p
from rulekit.compiler.wasm.memory_layout import Layout
from rulekit.values import define, field, frozen

KINDS = {"int": "i64", "list": "i32"}


@frozen
class Module:
    """What all functions of a module know.

    unwinding:  functions that give a status, behind what else they give.
    bounding:   numbers of those that bound.
    most:       nodes that a loop may become when it is written out.
    """

    plan: p.Plan
    layout: Layout
    functions: dict[str, p.Function]
    unwinding: frozenset[str]
    bounding: dict[str, int]
    most: int


@define(eq=False)
class Writer:
    """A function being written.

    types:    of its locals.  extra: locals of ours, with their types.
    sizes:    for local sequences that grow, our local that has the size; in memory it is written down when the
              sequence is looked at from elsewhere.
    renamed:  local sequences whose place must not be used again, as another name may still stand for it.
    places:   of local sequences, where their place begins in the room that the function takes when it begins.
    roomy:    those that get room in the arena, and when made anew take it again.
    room:     how many bytes that is.  bounded: the most entries of those that always fit into their place.
    brief:    those that need not be put aside.
    masks:    for local sequences that are searched, our local with a bit for each entry, see `filters`.
    """

    module: Module
    function: p.Function
    types: dict[str, str]
    sizes: dict[str, str]
    renamed: frozenset[str]
    places: dict[str, int] = field(factory=dict)
    roomy: frozenset[str] = frozenset()
    brief: frozenset[str] = field(init=False)
    room: int = 0
    bounded: dict[str, int] = field(factory=dict)
    masks: dict[str, str] = field(factory=dict)
    out: list[str] = field(factory=list)
    extra: list[tuple[str, str]] = field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.brief = frozenset(self.function.brief)

    @property
    def layout(self) -> Layout:
        return self.module.layout

    def put(self, *lines: str) -> None:
        self.out += lines

    def spare(self, kind: str) -> str:
        """A fresh local of our own."""
        name = f"$.{len(self.extra)}"
        self.extra.append((name, kind))
        return name
