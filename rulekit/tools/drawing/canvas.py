"""A canvas: SVG elements with places in pixels, and how much room words take.

Elements are written as text at once, and here alone, where all that stands in
them is escaped.  Looks are classes, which `STYLE` tells once for light and for
dark surroundings; colours of single things are attributes, so that a page may
forbid styles within elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulekit.tools.language.display_names import Kept
from rulekit.values import define, field

NAMESPACE = "http://www.w3.org/2000/svg"
_LETTER = 0.58
"""How wide a letter is at most on the average, in parts of its height; fonts differ."""
_BESIDE = 8
"""Pixels between blocks that stand side by side."""

STYLE = """\
.rulekit { font-family: system-ui, sans-serif; font-size: 12px; color-scheme: light dark }
.rulekit text { fill: #1d1d1f }
.rulekit .title { font-weight: 600; font-size: 14px }
.rulekit .small { font-size: 10px; fill: #4a4a4f }
.rulekit .trait, .rulekit .side { font-weight: 600 }
.rulekit .big { font-size: 16px }
.rulekit .middle { text-anchor: middle }
.rulekit .space { stroke: #8a8272 }
.rulekit .plain { fill: #f7f2e6 }
.rulekit .way { stroke: #8a8272; stroke-width: 1.5; fill: none }
.rulekit .card { fill: #fffdf7; stroke: #6d675c }
.rulekit .back { fill: #5d6b82; stroke: #3e4859 }
.rulekit .empty { fill: none; stroke: #8a8272; stroke-dasharray: 3 3 }
.rulekit .panel { fill: none; stroke: #b9b2a3 }
.rulekit .token { stroke: #1d1d1f }
.rulekit .left { fill: none; stroke: #5f584b; stroke-dasharray: 2 2 }
.rulekit .waiting { stroke: #1d1d1f; stroke-width: 2 }
.rulekit text.new { fill: #005a8e; font-weight: 600 }
.rulekit .new { stroke: #0072b2; stroke-width: 3; stroke-dasharray: 5 2 }
.rulekit text.new, .rulekit text.on-dark, .rulekit text.on-light { stroke: none }
.rulekit .choosable { stroke: #c2185b; stroke-width: 3 }
.rulekit .chosen .choosable { stroke-width: 6 }
.rulekit a:hover .choosable { stroke-width: 5 }
.rulekit .control { display: block; width: 100%; height: 100%; margin: 0; padding: 0; cursor: pointer }
.rulekit .control { background: none; border: 0; color: transparent }
.rulekit .control:hover { outline: 2px solid #c2185b; outline-offset: -4px }
.rulekit .control:focus-visible, .rulekit [tabindex]:focus-visible { outline: 3px solid #0b66c3; outline-offset: -3px }
@media (prefers-color-scheme: dark) {
  .rulekit text { fill: #ececf0 }
  .rulekit .small { fill: #b9b9c2 }
  .rulekit .space { stroke: #8f8878 }
  .rulekit .plain { fill: #2c2a26 }
  .rulekit .card { fill: #26241f; stroke: #a29b8c }
  .rulekit .empty { stroke: #a29b8c }
  .rulekit .panel { stroke: #5c5749 }
  .rulekit .way { stroke: #8f8878 }
  .rulekit .token { stroke: #ececf0 }
  .rulekit .token.lit { stroke: #1d1d1f }
  .rulekit .left { stroke: #b9b2a3 }
  .rulekit .left.lit { stroke: #5f584b }
  .rulekit .waiting { stroke: #ececf0 }
  .rulekit text.new { fill: #7cc7f2 }
  .rulekit .new { stroke: #56b4e9 }
  .rulekit .choosable { stroke: #ff6fa5 }
  .rulekit .lit.choosable { stroke: #c2185b }
}
.rulekit text.on-light { fill: #1d1d1f }
.rulekit text.on-dark { fill: #ffffff }
"""


_DARK = STYLE.index("@media"), STYLE.rindex(".rulekit text.on-light {")
ON_PAPER = (STYLE[: _DARK[0]] + STYLE[_DARK[1] :]).replace("; color-scheme: light dark", "")
"""The looks in light surroundings alone."""


def room(text: str, size: float) -> float:
    """About how wide a text is, in pixels, at a font size."""
    return len(text) * size * _LETTER


def shortened(text: str, width: float, size: float) -> str:
    """A text that fits into a width; its end gives way to an ellipsis."""
    most = int(width / (size * _LETTER) + 0.01)
    return text if len(text) <= most else text[: max(1, most - 1)] + "…"


def wrapped(words: str, width: float, size: float) -> list[str]:
    """A text in lines that fit, broken between words where there are some."""
    lines: list[str] = []
    for word in words.split():
        if lines and room(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(shortened(word, width, size))
    return lines


@define(eq=False)
class Canvas:
    """width: of the part that is drawn on now, in pixels; x: its left edge.  y: where the next thing may stand.

    kept:  by the place of a part what it was drawn of last time, its text, and where the next thing stood then; None:
           nothing is kept.
    parts: what was drawn, as text.
    """

    width: float
    kept: Kept | None = None
    x: float = field(default=0, init=False)
    y: float = field(default=0, init=False)
    parts: list[str] = field(init=False, factory=list)

    def put(self, tag: str, *classes: str, **attributes: object) -> None:
        """An element; `_` in the names of attributes is `-`, a number has at most one decimal."""
        self.parts.append(f"<{tag}{_attributes(classes, attributes)} />")

    def put_behind(self, since: int, tag: str, *classes: str, **attributes: object) -> None:
        """The same, behind all that was drawn since there were so many parts."""
        self.parts.insert(since, f"<{tag}{_attributes(classes, attributes)} />")

    def text(self, words: str, x: float, y: float, *classes: str, **attributes: object) -> None:
        told = _attributes(classes, {"x": x, "y": y, **attributes})
        self.parts.append(f"<text{told}>{_escaped(words)}</text>" if words else f"<text{told} />")

    @contextmanager
    def group(self, says: str, **attributes: object) -> Iterator[None]:
        """What is drawn meanwhile is one thing, of which a screen reader says `says`."""
        told = _attributes((), {"aria_label": says, "role": "img", **attributes})
        self.parts.append(f"<g{told}><title>{_escaped(says)}</title>" if says else f"<g{told}><title />")
        yield
        self.parts.append("</g>")

    @contextmanager
    def within(self, tag: str, **attributes: object) -> Iterator[None]:
        """What is drawn meanwhile stands within an element."""
        self.parts.append(f"<{tag}{_attributes((), attributes)}>")
        yield
        self.parts.append(f"</{tag}>")

    def as_before(self, place: object, given: object, draw: Callable[[], None]) -> None:
        """A part of the picture, which is drawn only if it is not of the same things, or not where it was last time.

        place: one of its own in a picture; given: all that it depends on but where it is drawn.
        """
        if self.kept is None:
            draw()
            return
        given, begin = (given, self.x, self.y, self.width), len(self.parts)
        text, self.y = self.kept.as_before(place, given, lambda: self._drawn(draw, begin))
        self.parts[begin:] = [text]

    def _drawn(self, draw: Callable[[], None], begin: int) -> tuple[str, float]:
        draw()
        return "".join(self.parts[begin:]), self.y

    def flow(self, blocks: Sequence[tuple[float, Callable[[], None]]]) -> None:
        """Blocks side by side, as many in a row as fit: how wide each wants to be, and what draws it."""
        left, whole, top, x, lowest = self.x, self.width, self.y, self.x, self.y
        for wanted, draw in blocks:
            wide = min(wanted, whole)
            if x > left and x + wide > left + whole + 0.5:
                x, top = left, lowest
            self.x, self.y, self.width = x, top, wide
            draw()
            lowest, x = max(lowest, self.y), x + wide + _BESIDE
        self.x, self.y, self.width = left, lowest, whole

    def columns(self, wanted: float, blocks: Sequence[Callable[[], None]]) -> None:
        """Blocks of equal width, at least the wanted one, in as many columns as there is room for."""
        count = max(1, min(len(blocks), int((self.width + _BESIDE) // (wanted + _BESIDE))))
        wide = (self.width - (count - 1) * _BESIDE) / count
        self.flow([(wide, draw) for draw in blocks])

    def downwards(self, wanted: float, blocks: Sequence[Callable[[], None]]) -> None:
        """The same, but what follows stands below: the first ones in the left column, as on a printed board."""
        most = max(1, min(len(blocks), int((self.width + _BESIDE) // (wanted + _BESIDE))))
        down = -(-len(blocks) // most)
        across = [blocks[row::down] for row in range(down)]
        wide = (self.width - (most - 1) * _BESIDE) / most
        for row in across:
            self.flow([(wide, draw) for draw in row])

    def finished(self, says: str, width: int) -> str:
        """The picture as text, without the style."""
        height = max(1, -int(-self.y // 1))
        size = {"viewBox": f"0 0 {width} {height}", "width": width, "height": height}
        about = {"xmlns": NAMESPACE, "class": "rulekit", "role": "group", **size, "aria_label": says}
        return f"<svg{_attributes((), about)}>{''.join(self.parts)}</svg>"


def styled(picture: str, looks: str = STYLE) -> str:
    """A picture that stands by itself."""
    head, _, rest = picture.partition(">")
    return f"{head}><style>{_escaped(looks)}</style>{rest}"


_MARKUP = re.compile(r'[&<>"\r\n\t]')


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;") if _MARKUP.search(text) else text


def _attributes(classes: Sequence[str], attributes: Mapping[str, object]) -> str:
    told = [f' {_ATTRIBUTES[name]}="{_written(value)}"' for name, value in attributes.items() if value is not None]
    if classes:
        told.append(f' class="{" ".join(classes)}"')
    return "".join(told)


def _written(value: object) -> str:
    """The value of an attribute."""
    if type(value) is float:
        text = f"{value:.1f}"
        return text[:-2] if text.endswith(".0") else text
    if type(value) is not str:
        return str(value)
    if not _MARKUP.search(value):
        return value
    text = _escaped(value).replace('"', "&quot;")
    return text.replace("\r", "&#13;").replace("\n", "&#10;").replace("\t", "&#09;")


class _Names(dict[str, str]):
    """The names of attributes by those of Python."""

    def __missing__(self, name: str) -> str:
        made = self[name] = name.replace("_", "-")
        return made


_ATTRIBUTES = _Names()
