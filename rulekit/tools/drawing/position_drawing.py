"""A whole position as SVG: its boards, what belongs to all and to things, then what each player has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from xml.etree import ElementTree

from attrs import define, evolve

from rulekit.tools.drawing import palette
from rulekit.tools.drawing.board_drawing import draw_boards, draw_token
from rulekit.tools.drawing.canvas import Canvas, room, shortened, wrapped
from rulekit.tools.drawing.marks import Box, Marks
from rulekit.tools.drawing.picture import Card, Figure, Owned, Picture, Pile
from rulekit.tools.drawing.picture_making import EMPTY

_EDGE, _GAP = 6, 6
"""Pixels: around everything, between cards."""
_CARD, _NUMBER, _EMPTY = (76.0, 58.0), (46.0, 40.0), (76.0, 14.0)
"""Width and height in pixels of a card, of one that has only a few letters, of the place of a pile without cards."""
_FEW = 12
"""Of so many things of a kind at most, piles are drawn also where nothing lies in them."""
_TOP, _LINE, _LINES = 19, 12, 7
"""Pixels: where the first line of a card stands, from one to the next; so many lines at most."""
_LETTERS = 4
"""A card with a name of so many at most, and nothing else on it, is small."""
_MANY = 40
"""So many cards of a pile are drawn; the rest is counted."""
_ROW, _NARROW, _WIDE = 150, 280, 620
"""Pixels: a panel of a thing and of a player is at least so wide; players' want no more than the last."""


def drawn(picture: Picture, says: str, width: int, marks: Marks, first: int | None = None) -> ElementTree.Element:
    """The picture as an SVG element without its style.

    says: what it shows, for a screen reader; width: in pixels; first: the seat that comes before the other ones.
    """
    canvas = Canvas(width)
    pen = _Pen(canvas, picture, marks)
    draw_boards(canvas, picture.boards, picture.seats, marks)
    if picture.shared.parts or picture.shared.off or picture.worth:
        pen.panel(evolve(picture.shared, parts=(*picture.worth, *picture.shared.parts)))
    for _, alike in groupby(picture.things, key=lambda thing: thing.kind):
        pen.things(_worth_drawing(list(alike)))
    begin = 0 if first is None else max(first, 0)
    pen.panels([*picture.players[begin:], *picture.players[:begin]])
    return canvas.finished(says, width)


@define(eq=False)
class _Pen:
    canvas: Canvas
    picture: Picture
    marks: Marks

    # ------------------------------------------------------------ owners

    def panels(self, owners: Sequence[Owned]) -> None:
        """Owners side by side, where there is room."""
        wanted = min(max((_wanted(owner, _NARROW) for owner in owners), default=0), _WIDE)
        self.canvas.columns(wanted, [partial(self.panel, owner) for owner in owners])

    def things(self, things: list[Owned]) -> None:
        """Things of a kind: those with piles as panels, those that have only values in few words."""
        rows = [thing for thing in things if thing.piles]
        self.canvas.flow([(_wanted(thing, _ROW), partial(self.panel, thing)) for thing in rows])
        lines = [(thing, _told(thing)) for thing in things if not thing.piles]
        self.canvas.flow([(room(told, 12) + 24, partial(self._line, thing, told)) for thing, told in lines])
        self.canvas.y += 6 if lines else 0

    def panel(self, owner: Owned) -> None:
        canvas = self.canvas
        top = canvas.y
        frame = canvas.put("rect", "panel", x=canvas.x + 1, y=top + 1, width=canvas.width - 2, rx=6)
        canvas.y += 6
        self._head(owner)
        self._figures([figure for figure in owner.figures if not figure.boxes])
        for figure in owner.figures:
            if figure.boxes:
                self._boxes(figure)
        self._piles(owner)
        canvas.y += 4
        frame.set("height", f"{canvas.y - top - 2:.0f}")
        canvas.y += 4

    def _line(self, thing: Owned, told: str) -> None:
        canvas, option = self.canvas, self.marks.owner(thing.value)
        new = any(self.marks.is_new(figure.path, figure.shown) for figure in thing.figures)
        box = (canvas.x + 1, canvas.y, canvas.width - 2, 22.0)
        with self.marks.thing(canvas, told, option, box):
            if option is not None:
                self._frame("card", box, chosen=True)
            words = shortened(told, canvas.width - 2 * _EDGE, 12)
            canvas.text(words, canvas.x + _EDGE + 4, canvas.y + 15, *_new(new))
        canvas.y += 22

    def _frame(self, look: str, box: Box, chosen: bool = False, new: bool = False) -> None:
        classes = [look, *["choosable"] * chosen, *["new"] * (new and not chosen)]
        self.canvas.put("rect", *classes, x=box[0], y=box[1], width=box[2], height=box[3], rx=4)

    def _head(self, owner: Owned) -> None:
        """The name of the owner, with the pieces that stand nowhere."""
        canvas, x = self.canvas, self.canvas.x + _EDGE + 4
        if owner.name:
            x += self._name(owner, x)
        for token in owner.off:
            draw_token(canvas, token, (x + 9, canvas.y + 9), 9, self.picture.seats, self.marks)
            x += 21
            if owner.seat is None:
                canvas.text(token.title, x, canvas.y + 13)
                x += room(token.title, 12) + 8
        if owner.name or owner.off:
            canvas.y += 24

    def _name(self, owner: Owned, x: float) -> float:
        """Draws the name; how much room it took."""
        canvas, option = self.canvas, self.marks.owner(owner.value)
        decides = owner.seat is not None and owner.seat in self.picture.deciding
        words = shortened(owner.name, canvas.width - 60, 14) + (f" ▸ {self.picture.decides}" if decides else "")
        wide = room(words, 14) + (18 if owner.seat is not None else 0)
        box = (x - 4, canvas.y - 2, wide + 8, 22.0)
        with self.marks.thing(canvas, words.replace(" ▸", ":"), option, box):
            if option is not None:
                self._frame("card", box, chosen=True)
            if owner.seat is not None:
                fill = palette.of_seat(self.picture.seats[owner.seat], owner.seat)
                canvas.put("circle", "waiting" if decides else "token", cx=x + 6, cy=canvas.y + 9, r=6, fill=fill)
            canvas.text(words, x + (18 if owner.seat is not None else 0), canvas.y + 14, "title")
        return wide + 14

    # ------------------------------------------------------------ values

    def _figures(self, figures: Sequence[Figure]) -> None:
        """Values one beside the other, as many in a line as fit."""
        canvas = self.canvas
        x = first = canvas.x + _EDGE + 4
        for figure in figures:
            words = f"{figure.title}: {figure.text if figure.text != EMPTY else '–'}"
            wide = room(words, 12) + 12
            if x > first and x + wide > canvas.x + canvas.width - _EDGE:
                x, canvas.y = first, canvas.y + 18
            new = self.marks.is_new(figure.path, figure.shown) if figure.path else False
            canvas.text(shortened(words, canvas.width - 2 * _EDGE - 4, 12), x, canvas.y + 12, *_new(new))
            x += wide
        canvas.y += 20 if figures else 0

    def _boxes(self, figure: Figure) -> None:
        """A list as a strip of boxes, each with its place above what it holds."""
        canvas, left = self.canvas, self.canvas.x + _EDGE + 4
        canvas.text(figure.title, left, canvas.y + 11, "small")
        canvas.y += 14
        side = max(26.0, max(max(room(place, 10), room(text, 12)) for place, text in figure.boxes) + 6)
        side = min(side, canvas.width - 2 * _EDGE)
        across = max(1, int((canvas.width - 2 * _EDGE - 4) // side))
        for number, (place, text) in enumerate(figure.boxes):
            x, y = left + number % across * side, canvas.y + number // across * 32
            with canvas.group(f"{figure.title} {place}: {text or '–'}"):
                canvas.put("rect", "card", x=x, y=y, width=side, height=30)
                canvas.text(shortened(place, side, 10), x + side / 2, y + 10, "small", "middle")
                new = _new(self._is_new_box(figure, number))
                canvas.text(shortened(text, side, 12), x + side / 2, y + 25, "middle", *new)
        canvas.y += -(-len(figure.boxes) // across) * 32 + 4

    def _is_new_box(self, figure: Figure, number: int) -> bool:
        if not self.marks.is_new(figure.path, figure.shown) or not isinstance(figure.shown, tuple):
            return False
        seen = (self.marks.before or {}).get(figure.path)
        old = seen.shown if seen is not None and isinstance(seen.shown, tuple) else ()
        return number >= len(old) or old[number] != figure.shown[number]

    # ------------------------------------------------------------ piles and cards

    def _piles(self, owner: Owned) -> None:
        """Piles side by side, where they fit."""
        canvas = self.canvas
        canvas.x, canvas.width = canvas.x + _EDGE + 4, canvas.width - 2 * _EDGE - 6
        blocks: list[tuple[float, Callable[[], None]]] = []
        for pile in owner.piles:
            blocks.append((_pile_width(pile), partial(self._pile, pile)))
        canvas.flow(blocks)
        canvas.x, canvas.width = canvas.x - _EDGE - 4, canvas.width + 2 * _EDGE + 6

    def _pile(self, pile: Pile) -> None:
        canvas, (wide, high) = self.canvas, _size(pile)
        title = f"{pile.title} ({_count(pile)})"
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
        says = ". ".join(part for part in (card.title or card.name, *card.lines) if part)
        with self.marks.thing(canvas, says, option, box):
            self._frame("card", box, option is not None, is_new)
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
            self._frame("back" if count else "empty", box, new=self.marks.new_covered(pile))
            if count:
                canvas.text(f"× {count}", x + wide / 2, y + high / 2 + 5, "middle", "big", "on-dark")


def _size(pile: Pile) -> tuple[float, float]:
    if not _count(pile):
        return _EMPTY
    if all(len(card.name) <= _LETTERS and not card.lines and not card.title for card in pile.cards):
        return _NUMBER
    lines = max(sum(map(len, _written(card))) for card in pile.cards[:_MANY])
    return _CARD[0], max(_CARD[1], _TOP + _LINE * lines - 4)


def _wanted(owner: Owned, least: float) -> float:
    """How wide a panel would like to be."""
    piles = max((_pile_width(pile) for pile in owner.piles), default=0)
    boxes = max((len(figure.boxes) * 30 for figure in owner.figures), default=0)
    return max(least, piles + 2 * _EDGE + 6, boxes + 2 * _EDGE)


def _pile_width(pile: Pile) -> float:
    title = room(f"{pile.title} ({_count(pile)})", 10)
    return max(_places(pile) * (_size(pile)[0] + _GAP) - _GAP, min(title, 2 * _CARD[0]))


def _count(pile: Pile) -> int:
    return len(pile.cards) + pile.covered


def _places(pile: Pile) -> int:
    """How many cards, backs and empty places are drawn of a pile."""
    return max(1, min(len(pile.cards), _MANY) + bool(pile.covered) + (len(pile.cards) > _MANY))


def _written(card: Card) -> tuple[list[str], list[str]]:
    """The lines of a card: its name, and its traits below."""
    wide = _CARD[0] - 8
    name = _some(wrapped(f"{card.glyph} {card.name} {card.title}".strip(), wide, 12), 2)
    return name, _some(wrapped(", ".join(card.lines), wide, 10), _LINES - len(name))


def _some(lines: list[str], most: int) -> list[str]:
    """The first lines; an ellipsis if there are more."""
    return lines if len(lines) <= most else [*lines[: most - 1], lines[most - 1].rstrip(",") + "…"]


def _worth_drawing(things: list[Owned]) -> list[Owned]:
    """Of things that are many those that have something; of the values of each those that are not nothing."""
    few = len(things) <= _FEW
    made = [
        evolve(
            thing,
            parts=tuple(
                part for part in thing.parts if (few or _count(part) if isinstance(part, Pile) else not part.is_nothing)
            ),
        )
        for thing in things
    ]
    return [thing for thing in made if thing.parts]


def _told(thing: Owned) -> str:
    return f"{thing.name}: " + ", ".join(f"{figure.title} {figure.text}".strip() for figure in thing.figures)


def _new(is_new: bool) -> tuple[str, ...]:
    return ("new",) if is_new else ()
