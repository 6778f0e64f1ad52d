"""Fields of a Word document: which of its text belongs to an instruction, and is never printed.

A field is an instruction and the result that Word printed last.  Fields nested in the instruction of another have
results too, which only the outer instruction reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rulekit.tools.documents.word_package import name_of
from rulekit.values import define, field

_MARK, _KIND = name_of("w:fldChar"), name_of("w:fldCharType")


@define(eq=False)
class _OpenField:
    is_instruction: bool = True
    inside: list[Any] = field(factory=list)


def instruction_elements(runs: Iterable[Any]) -> set[Any]:
    """The elements of runs, in document order, that stand in instructions.

    An instruction that never ends hides nothing.
    """
    hidden: set[Any] = set()
    stack: list[_OpenField] = []
    for run in runs:
        for child in run:
            if child.tag != _MARK:
                for one in stack:
                    if one.is_instruction:
                        one.inside.append(child)
                continue
            kind = child.get(_KIND)
            if kind == "begin":
                stack.append(_OpenField())
            elif stack and kind in ("separate", "end"):
                if stack[-1].is_instruction:
                    hidden.update(stack[-1].inside)
                stack[-1].is_instruction = False
                if kind == "end":
                    stack.pop()
    return hidden
