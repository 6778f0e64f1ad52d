"""A canvas: SVG elements with places in pixels, and how much room words take.

Built with ElementTree, which escapes what stands in texts; what is drawn has
classes, whose looks `STYLE` says once for light and for dark surroundings.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from xml.etree import ElementTree

from attrs import define, field

_NAMESPACE = "http://www.w3.org/2000/svg"
_LETTER = 0.58
"""How wide a letter is at most on the average, in parts of its height; fonts differ."""

STYLE = """\
svg { font-family: system-ui, sans-serif; color-scheme: light dark }
text { fill: #1d1d1f }
.title { font-weight: 600; font-size: 14px }
.small { font-size: 10px; fill: #4a4a4f }
.name { font-size: 12px }
.middle { text-anchor: middle }
.space { fill: #f7f2e6; stroke: #8a8272 }
.way { stroke: #8a8272; stroke-width: 1.5; fill: none }
.card { fill: #fffdf7; stroke: #6d675c }
.back { fill: #5d6b82; stroke: #3e4859 }
.panel { fill: none; stroke: #b9b2a3 }
.token { stroke: #1d1d1f; stroke-width: 1 }
.choosable { stroke: #c2185b; stroke-width: 3 }
.changed { stroke: #0072b2; stroke-width: 3; stroke-dasharray: 4 2 }
.on-space { fill: #1d1d1f }
@media (prefers-color-scheme: dark) {
  text { fill: #ececf0 }
  .small { fill: #b9b9c2 }
  .space { fill: #2c2a26; stroke: #8f8878 }
  .card { fill: #26241f; stroke: #a29b8c }
  .panel { stroke: #5c5749 }
  .way { stroke: #8f8878 }
  .token { stroke: #ececf0 }
  .choosable { stroke: #ff6fa5 }
  .changed { stroke: #56b4e9 }
}
"""


def room(text: str, size: float) -> float:
    """About how wide a text is, in pixels, at a font size."""
    return len(text) * size * _LETTER


def shortened(text: str, width: float, size: float) -> str:
    """A text that fits into a width; its end gives way to an ellipsis."""
    most = int(width / (size * _LETTER))
    return text if len(text) <= most else text[: max(1, most - 1)] + "…"


@define(eq=False)
class Canvas:
    """width: of the whole, in pixels.  y: where the next thing may stand."""

    width: int
    y: float = 0
    root: ElementTree.Element = field(init=False)
    into: ElementTree.Element = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.root = ElementTree.Element("svg", {"xmlns": _NAMESPACE, "role": "group"})
        ElementTree.SubElement(self.root, "style").text = STYLE
        self.into = self.root

    def put(self, tag: str, *classes: str, **attributes: object) -> ElementTree.Element:
        """An element; `_` in the names of attributes is `-`, a number has at most one decimal."""
        told = {name.replace("_", "-"): _written(value) for name, value in attributes.items() if value is not None}
        if classes:
            told["class"] = " ".join(classes)
        return ElementTree.SubElement(self.into, tag, told)

    def text(self, words: str, x: float, y: float, *classes: str, **attributes: object) -> None:
        self.put("text", *classes, x=x, y=y, **attributes).text = words

    @contextmanager
    def group(self, says: str, **attributes: object) -> Iterator[None]:
        """What is drawn meanwhile is one thing, of which a screen reader says `says`."""
        before = self.into
        self.into = self.put("g", role="img", aria_label=says, **attributes)
        ElementTree.SubElement(self.into, "title").text = says
        yield
        self.into = before

    def finished(self, says: str) -> str:
        """The picture as text."""
        height = max(1, round(self.y))
        self.root.attrib.update(
            {"viewBox": f"0 0 {self.width} {height}", "width": str(self.width), "height": str(height)}
        )
        self.root.set("aria-label", says)
        return ElementTree.tostring(self.root, encoding="unicode")


def _written(value: object) -> str:
    return f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
