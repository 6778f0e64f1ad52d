"""How runs of a Word document look, as far as it changes their text: raised, lowered, hidden, in a font of symbols.

Looks at the run's own properties first, then at its character style and the style of its paragraph.  Never depends
on where runs are cut, or on the marks of comments between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Set
from typing import Any

from rulekit.tools.documents.reader_text import UNREADABLE, lowered, raised
from rulekit.tools.documents.word_package import name_of
from rulekit.values import define, field, frozen

_TEXTS = (name_of("w:t"), name_of("w:delText"))
_RPR, _PPR, _P, _STYLE, _VAL = map(name_of, ("w:rPr", "w:pPr", "w:p", "w:style", "w:val"))
_ALIGNED, _POSITION, _VANISH, _FONTS = map(name_of, ("w:vertAlign", "w:position", "w:vanish", "w:rFonts"))
_STRUCK = (name_of("w:strike"), name_of("w:dstrike"))
_RAISED, _LOWERED = 1, -1
_LEAST = 4
"""So many half points higher or lower is a script that somebody made by hand."""
_REFERENCE = re.compile(r"[\d\s,;*†‡–-]+")
_SYMBOL_FONT = re.compile("wingdings|webdings|dingbats", re.IGNORECASE)
_DEPTH = 20
"""So many styles may be based on one another."""


@frozen
class Look:
    """script: 1 for raised, -1 for lowered text, 0 for text on the line."""

    script: int = 0
    is_hidden: bool = False
    is_symbol: bool = False
    is_struck: bool = False

    def shown(self, text: str) -> str:
        """A text of the same length as people see it, signs of a symbol font as unreadable."""
        return "".join(each if each.isspace() else UNREADABLE for each in text) if self.is_symbol else text


def mark_script(text: str, script: int, before: str) -> str:
    """A raised or lowered stretch, however many runs it has, with its digits as superscripts or subscripts.

    A stretch that is more than references stays text (`3rd`), unless it begins as the exponent of a number.

    before:  the text on the line before it.
    """
    reference = _REFERENCE.match(text)
    if not script or reference is None or (reference.end() < len(text) and not before[-1:].isdecimal()):
        return text
    return (raised if script > 0 else lowered)(reference.group()) + text[reference.end() :]


def text_heights(runs: Iterable[Any]) -> frozenset[int]:
    """How much the runs of a paragraph that have text are moved up, in half points."""
    return frozenset(
        _half_points(run) for run in runs if any((child.text or "").strip() for child in run.iter(*_TEXTS))
    )


@define(eq=False)
class Looks:
    """styles: the XML of the document's styles, None if it has none."""

    styles: Any | None = None
    _by_id: dict[str, Any] = field(init=False, factory=dict)

    def __attrs_post_init__(self) -> None:
        for style in () if self.styles is None else self.styles.iter(_STYLE):
            self._by_id[style.get(name_of("w:styleId"))] = style

    def of(self, run: Any, heights: Set[int]) -> Look:
        """The look of a run.  heights: of the text of its paragraph."""
        properties = list(self._properties(run))
        aligned = _value(properties, _ALIGNED)
        script = {"superscript": _RAISED, "subscript": _LOWERED}.get(aligned or "", 0)
        if not script and run.find(_RPR) is not None:
            script = _script_by_hand(run, heights)
        is_hidden, is_struck = _is_on(properties, (_VANISH,)), _is_on(properties, _STRUCK)
        fonts = next((found for one in properties if (found := one.find(_FONTS)) is not None), None)
        is_symbol = fonts is not None and any(_SYMBOL_FONT.search(name) for name in fonts.attrib.values())
        return Look(script, is_hidden, is_symbol, is_struck)

    def _properties(self, run: Any) -> Iterator[Any]:
        """The properties of a run and of its styles, those that count more first."""
        own = run.find(_RPR)
        if own is not None:
            yield own
            yield from self._styled(own.find(name_of("w:rStyle")))
        paragraph = next(run.iterancestors(_P), None)
        about = None if paragraph is None else paragraph.find(_PPR)
        if about is not None:
            yield from self._styled(about.find(name_of("w:pStyle")))

    def _styled(self, named: Any | None) -> Iterator[Any]:
        for _ in range(_DEPTH):
            style = None if named is None else self._by_id.get(named.get(_VAL))
            if style is None:
                return
            if style.find(_RPR) is not None:
                yield style.find(_RPR)
            named = style.find(name_of("w:basedOn"))


def _is_on(properties: list[Any], kinds: tuple[str, ...]) -> bool:
    """Whether the properties that count most switch one of some kinds on."""
    found = [next((mark for one in properties if (mark := one.find(kind)) is not None), None) for kind in kinds]
    return any(mark is not None and mark.get(_VAL) not in ("0", "false", "off") for mark in found)


def _value(properties: list[Any], kind: str) -> str | None:
    found = next((found for one in properties if (found := one.find(kind)) is not None), None)
    return None if found is None else found.get(_VAL)


def _script_by_hand(run: Any, heights: Set[int]) -> int:
    """Whether somebody moved a run up or down beside other text of its paragraph."""
    moved = _half_points(run)
    if abs(moved) < _LEAST or not any(abs(moved - height) >= _LEAST for height in heights):
        return 0
    return _RAISED if moved > 0 else _LOWERED


def _half_points(run: Any) -> int:
    """How much a run stands above its line."""
    own = run.find(_RPR)
    written = None if own is None else _value([own], _POSITION)
    return int(written) if written is not None and re.fullmatch(r"-?\d{1,4}", written) else 0
