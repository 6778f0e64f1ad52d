"""Piles as SVG: cards that are seen, backs of those that are not, and beside them strips of what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rulekit.tools.drawing import palette
from rulekit.tools.drawing.canvas import Canvas, room, shortened, wrapped
from rulekit.tools.drawing.marks import Box, Marks
from rulekit.tools.drawing.picture import Card, Pile, Strip
from rulekit.values import define

_GAP = 6
"""Pixels between cards."""
_CARD, _NUMBER, _EMPTY = (76.0, 58.0), (46.0, 40.0), (76.0, 14.0)
"""Width and height in pixels of a card, of one that has only a few letters, of the place of a pile without cards."""
_TOP, _LINE, _LINES = 19, 12, 9
"""Pixels: where the first line of a card stands, from one to the next; so many lines at most."""
_LETTERS = 4
"""A card with a name of so many at most, and nothing else on it, is small."""
_MANY = 40
"""So many cards of a pile are drawn; the rest is counted."""
_PRINTED = (26.0, 20.0)
"""The least width and the height of a box of a strip; where there is room it is as wide as a small card above it."""


def draw_piles(canvas: Canvas, piles: Sequence[Pile], marks: Marks) -> None:
    """Piles side by side, where they fit."""
    pen = _Pen(canvas, marks)
    canvas.flow([(pile_width(pile), partial(pen.pile, pile)) for pile in piles])


def draw_strip(canvas: Canvas, strip: Strip) -> None:
    """What is printed on a thing, each in a box; smaller ones where there is no room for all in a line."""
    across = min(len(strip.cards), max(1, int((canvas.width + _GAP) // (_PRINTED[0] + _GAP))))
    step = min(_NUMBER[0] + _GAP, (canvas.width + _GAP) / across)
    for number, card in enumerate(strip.cards):
        x, y = canvas.x + number % across * step, canvas.y + number // across * (_PRINTED[1] + 4)
        _printed(canvas, card, (x, y, step - _GAP, _PRINTED[1]))
    canvas.y += -(-len(strip.cards) // across) * (_PRINTED[1] + 4)


def _printed(canvas: Canvas, card: Card, box: Box) -> None:
    x, y, wide, high = box
    fill = palette.of_thing(card.colour, 0) if card.colour else None
    read = () if fill is None else (palette.read_on(fill),)
    with canvas.group(card.title or card.name):
        canvas.put(
            "rect", "space", "plain" if fill is None else "lit", x=x, y=y, width=wide, height=high, rx=3, fill=fill
        )
        words = shortened(card.glyph or card.name, wide, 10)
        canvas.text(words, x + wide / 2, y + 14, "small", "middle", *read)


def frame(canvas: Canvas, look: str, box: Box, chosen: bool = False, new: bool = False) -> None:
    """Around a card or a name."""
    classes = [look, *["choosable"] * chosen, *["new"] * (new and not chosen)]
    canvas.put("rect", *classes, x=box[0], y=box[1], width=box[2], height=box[3], rx=4)


def pile_width(pile: Pile) -> float:
    """How wide a pile would like to be."""
    title = room(f"{pile.title} ({count(pile)})", 10)
    return max(_places(pile) * (_size(pile)[0] + _GAP) - _GAP, min(title, 2 * _CARD[0]))


def strip_width(strip: Strip) -> float:
    """The same of a strip."""
    return len(strip.cards) * (_NUMBER[0] + _GAP)


def count(pile: Pile) -> int:
    """How many things lie in a pile."""
    return len(pile.cards) + pile.covered


@define(eq=False)
class _Pen:
    canvas: Canvas
    marks: Marks

    def pile(self, pile: Pile) -> None:
        canvas, (wide, high) = self.canvas, _size(pile)
        title = f"{pile.title} ({count(pile)})"
        with self.marks.words(canvas, title, f"pile {pile.path}"):
            canvas.text(shortened(title, canvas.width, 10), canvas.x, canvas.y + 11, "small")
        canvas.y += 15
        across = max(1, int((canvas.width + _GAP) // (wide + _GAP)))
        shown, fresh = pile.cards[:_MANY], self.marks.new_cards(pile)
        places = _places(pile)
        for number in range(places):
            x, y = canvas.x + number % across * (wide + _GAP), canvas.y + number // across * (high + _GAP)
            if number < len(shown):
                card = shown[number]
                self._card(card, pile, (x, y, wide, high), fresh[card.value] > 0)
                fresh[card.value] -= 1
            else:
                more = len(pile.cards) - len(shown) if number == len(shown) else 0
                self._back(pile, more or pile.covered, (x, y, wide, high))
        canvas.y += -(-places // across) * (high + _GAP)

    def _card(self, card: Card, pile: Pile, box: Box, is_new: bool) -> None:
        canvas, (x, y, wide, high), option = self.canvas, box, self.marks.card(card.value, pile.path)
        says = ". ".join(part for part in (card.title or card.name, *card.lines, card.text) if part)
        with self.marks.thing(canvas, says, option, box, f"card {pile.path} {card.value}"):
            frame(canvas, "card", box, option is not None, is_new)
            if card.colour:
                canvas.put("rect", x=x + 2, y=y + 2, width=wide - 4, height=6, fill=palette.of_thing(card.colour, 0))
            if (wide, high) == _NUMBER:
                canvas.text(card.glyph or card.name, x + wide / 2, y + high / 2 + 7, "middle", "big")
            else:
                self._words(card, box)

    def _words(self, card: Card, box: Box) -> None:
        canvas, (x, y, _, _) = self.canvas, box
        name, more = _written(card)
        for number, words in enumerate([*name, *more]):
            looks = () if number < len(name) else ("small",)
            canvas.text(words, x + 4, y + _TOP + number * _LINE, *looks)

    def _back(self, pile: Pile, count: int, box: Box) -> None:
        """Cards that are not seen, or not drawn: their number; of an empty pile its place."""
        canvas, (x, y, wide, high) = self.canvas, box
        with canvas.group(f"{pile.title}: {count}"):
            frame(canvas, "back" if count else "empty", box, new=self.marks.new_covered(pile))
            if count:
                canvas.text(f"× {count}", x + wide / 2, y + high / 2 + 5, "middle", "big", "on-dark")


def _size(pile: Pile) -> tuple[float, float]:
    if not count(pile):
        return _EMPTY
    if all(len(card.name) <= _LETTERS and not card.lines and not card.title and not card.text for card in pile.cards):
        return _NUMBER
    lines = max(sum(map(len, _written(card))) for card in pile.cards[:_MANY])
    return _CARD[0], max(_CARD[1], _TOP + _LINE * lines - 4)


def _places(pile: Pile) -> int:
    """How many cards, backs and empty places are drawn of a pile."""
    return max(1, min(len(pile.cards), _MANY) + bool(pile.covered) + (len(pile.cards) > _MANY))


def _written(card: Card) -> tuple[list[str], list[str]]:
    """The lines of a card: its name, and its traits below."""
    wide = _CARD[0] - 8
    name = _some(wrapped(f"{card.glyph} {card.name} {card.title}".strip(), wide, 12), 2)
    more = [*wrapped(", ".join(card.lines), wide, 10), *wrapped(card.text, wide, 10)]
    return name, _some(more, _LINES - len(name))


def _some(lines: list[str], most: int) -> list[str]:
    """The first lines; an ellipsis if there are more."""
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1].rstrip(",") + "…"]
