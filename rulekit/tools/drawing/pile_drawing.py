"""Piles as SVG: cards that are seen, backs of those that are not, and beside them strips of what is printed."""

from __future__ import annotations

from collections import Counter
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
_LETTERED = 112.0
"""How wide a card is on which stands what it does."""
_TOP, _LINE, _LINES = 19, 12, 16
"""Pixels: where the first line of a card stands, from one to the next; so many lines at most."""
_LETTERS = 4
"""A card with a name of so many at most, and nothing else on it, is small."""
_MANY = 40
"""So many cards of a pile are drawn one by one; of more those that are alike are one card with their number."""
_SORTS = 80
"""So many sorts of cards are drawn; the rest is counted."""
_PRINTED = (26.0, 20.0)
"""The least width and the height of a box of a strip; where there is room it is as wide as a small card."""
_SMALL, _TIGHT, _LAID = 21.0, 2, 34.0
"""Pixels: the least width of a box where there is no room, and how far it is then from the next; how high one is on
which things can lie."""


def draw_piles(canvas: Canvas, piles: Sequence[Pile], marks: Marks) -> None:
    """Piles side by side, where they fit."""
    pen = _Pen(canvas, marks)
    canvas.flow([(pile_width(pile), partial(pen.pile, pile)) for pile in piles])


def draw_strip(canvas: Canvas, strip: Strip) -> None:
    """What is printed on a thing, each in a box; smaller ones where there is no room for all in a line."""
    for card, box in zip(strip.cards, _boxes(canvas, strip, _PRINTED[1]), strict=True):
        _printed(canvas, card, box)


def is_laid_on(pile: Pile, strip: Strip) -> bool:
    """Whether the things of a pile can lie on what is printed, one on each."""
    return not pile.covered and len(pile.cards) <= len(strip.cards) and all(map(_is_small, pile.cards))


def draw_laid(canvas: Canvas, pile: Pile, strip: Strip, marks: Marks) -> None:
    """A pile whose things lie on what is printed: of that what is covered stands small below, the rest is open."""
    pen, boxes, fresh = _Pen(canvas, marks), _boxes(canvas, strip, _LAID), marks.new_cards(pile)
    for card, box in zip(pile.cards, boxes, strict=False):
        pen.card(card, pile, box, fresh[card.value] > 0, strip.cards[boxes.index(box)])
        fresh[card.value] -= 1
    for printed, box in list(zip(strip.cards, boxes, strict=True))[len(pile.cards) :]:
        _printed(canvas, printed, box)


def _boxes(canvas: Canvas, strip: Strip, high: float) -> list[Box]:
    """Where each printed thing stands, in as many lines as it takes; what follows stands below."""
    gap = _GAP if canvas.width >= strip_width(strip) - _GAP else _TIGHT
    across = min(len(strip.cards), max(1, int((canvas.width + gap) // (_SMALL + gap))))
    step, left, top = min(_NUMBER[0] + gap, (canvas.width + gap) / across), canvas.x, canvas.y
    canvas.y += -(-len(strip.cards) // across) * (high + 4)
    return [
        (left + number % across * step, top + number // across * (high + 4), step - gap, high)
        for number in range(len(strip.cards))
    ]


def _printed(canvas: Canvas, card: Card, box: Box) -> None:
    x, y, wide, high = box
    fill = palette.of_thing(card.colour, 0) if card.colour else None
    read = () if fill is None else (palette.read_on(fill),)
    with canvas.group(card.title or card.name):
        canvas.put(
            "rect", "space", "plain" if fill is None else "lit", x=x, y=y, width=wide, height=high, rx=3, fill=fill
        )
        words = shortened(card.glyph or card.name, wide, 10)
        canvas.text(words, x + wide / 2, y + high / 2 + 4, "small", "middle", *read)


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


def least_strip_width(strip: Strip) -> float:
    """How much it needs to stand in one line."""
    return len(strip.cards) * (_SMALL + _TIGHT)


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
        shown, fresh = _shown(pile), self.marks.new_cards(pile)
        rest = len(pile.cards) - sum(number for _, number in shown)
        places = _places(pile)
        for place in range(places):
            x, y = canvas.x + place % across * (wide + _GAP), canvas.y + place // across * (high + _GAP)
            if place < len(shown):
                card, number = shown[place]
                self.card(card, pile, (x, y, wide, high), fresh[card.value] > 0, number=number)
                fresh[card.value] -= 1
            else:
                self._back(pile, (rest if place == len(shown) else 0) or pile.covered, (x, y, wide, high))
        canvas.y += -(-places // across) * (high + _GAP)

    def card(
        self, card: Card, pile: Pile, box: Box, is_new: bool, covered: Card | None = None, *, number: int = 1
    ) -> None:
        """covered: the printed thing on which it lies; number: how many cards of a pile it stands for."""
        canvas, (x, y, wide, high), option = self.canvas, box, self.marks.card(card.value, pile.path)
        says = ". ".join(part for part in (card.title or card.name, *card.lines, card.text) if part)
        says = f"{says} × {number}" if number > 1 else says
        with self.marks.thing(canvas, says, option, box, f"card {pile.path} {card.value}"):
            frame(canvas, "card", box, option is not None, is_new)
            if card.colour:
                canvas.put("rect", x=x + 2, y=y + 2, width=wide - 4, height=6, fill=palette.of_thing(card.colour, 0))
            if covered is not None:
                canvas.text(
                    card.glyph or card.name, x + wide / 2, y + 17, "middle", "big" if wide > _PRINTED[0] else ""
                )
                canvas.text(shortened(covered.glyph or covered.name, wide, 9), x + wide / 2, y + 29, "small", "middle")
            elif (wide, high) == _NUMBER:
                canvas.text(card.glyph or card.name, x + wide / 2, y + high / 2 + 7, "middle", "big")
            else:
                self._words(card, box)
            if number > 1:
                canvas.text(f"× {number}", x + wide / 2, y + high - 4, "small", "middle")

    def _words(self, card: Card, box: Box) -> None:
        canvas, (x, y, wide, _) = self.canvas, box
        name, traits, does = _written(card, wide)
        looks = [(), ("small", "trait") if does else ("small",), ("small",)]
        lines = [(words, look) for part, look in zip((name, traits, does), looks, strict=True) for words in part]
        for number, (words, look) in enumerate(lines):
            canvas.text(words, x + 4, y + _TOP + number * _LINE, *look)

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
    if all(map(_is_small, pile.cards)):
        return _NUMBER
    wide, shown = _LETTERED if any(card.text for card in pile.cards) else _CARD[0], _shown(pile)
    # A card that stands for several has their number in a line of its own.
    lines = max(sum(map(len, _written(card, wide))) + (number > 1) for card, number in shown)
    return wide, max(_CARD[1], _TOP + _LINE * lines - 4)


def _is_small(card: Card) -> bool:
    """Whether a few letters are all that stands on it."""
    return len(card.name) <= _LETTERS and not (card.lines or card.title or card.text)


def _places(pile: Pile) -> int:
    """How many cards, backs and empty places are drawn of a pile."""
    shown = _shown(pile)
    is_cut = sum(number for _, number in shown) < len(pile.cards)
    return max(1, len(shown) + bool(pile.covered) + is_cut)


def _shown(pile: Pile) -> list[tuple[Card, int]]:
    """The cards that are drawn of a pile, each with how many it stands for."""
    if len(pile.cards) <= _MANY:
        return [(card, 1) for card in pile.cards]
    sorts = {card.value: card for card in reversed(pile.cards)}
    return [(sorts[value], number) for value, number in Counter(card.value for card in pile.cards).items()][:_SORTS]


def _written(card: Card, wide: float) -> tuple[list[str], list[str], list[str]]:
    """The lines of a card that is so wide: its name, below it its traits, then what it does."""
    name = _some(wrapped(f"{card.glyph} {card.name} {card.title}".strip(), wide - 8, 12), 2)
    traits = _some(wrapped(", ".join(card.lines), wide - 8, 10), _LINES - len(name))
    return name, traits, _some(wrapped(card.text, wide - 8, 10), _LINES - len(name) - len(traits))


def _some(lines: list[str], most: int) -> list[str]:
    """The first lines; an ellipsis if there are more."""
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1].rstrip(",") + "…"]
