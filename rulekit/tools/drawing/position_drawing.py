"""A whole position as SVG: its boards, what belongs to all and to things, then what each player has."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import groupby

from rulekit.model.builtin_signatures import DIRECTIONS
from rulekit.play.state.value import Ref, Value
from rulekit.tools.drawing.board_drawing import draw_boards, draw_token
from rulekit.tools.drawing.canvas import Canvas, room, shortened
from rulekit.tools.drawing.marks import Marks
from rulekit.tools.drawing.picture import Figure, Owned, Picture, Pile, Strip
from rulekit.tools.drawing.picture_making import EMPTY
from rulekit.tools.drawing.pile_drawing import (
    count,
    draw_laid,
    draw_piles,
    draw_strip,
    frame,
    is_laid_on,
    least_strip_width,
    pile_width,
    strip_width,
)
from rulekit.tools.language.display_names import Kept
from rulekit.values import define, evolve

_EDGE = 6
"""Pixels around everything."""
_ARROWS = dict(zip(DIRECTIONS, "↑↗→↘↓↙←↖", strict=True))
_FEW = 12
"""Of so many things of a kind at most, piles are drawn also where nothing lies in them."""
_ROW, _NARROW, _WIDE = 150, 280, 620
"""Pixels: a panel of a thing and of a player is at least so wide; players' want no more than the last."""


def drawn(
    picture: Picture, says: str, width: int, marks: Marks, first: int | None = None, kept: Kept | None = None
) -> str:
    """The picture as SVG without its style.

    says: what it shows, for a screen reader; width: in pixels; first: the seat that looks, and comes before the others.
    kept: as of a `Canvas`, for pictures of this width that nobody else sees.
    """
    canvas = Canvas(width, kept)
    pen = _Pen(canvas, picture, marks, first)
    _key(canvas, picture.key)
    draw_boards(canvas, picture.boards, picture.colours, marks)
    if picture.shared.parts or picture.shared.off or picture.worth:
        pen.panel(evolve(picture.shared, parts=(*picture.worth, *picture.shared.parts)))
    for _, alike in groupby(picture.things, key=lambda thing: thing.kind):
        pen.things(_worth_drawing(list(alike)))
    begin = 0 if first is None else max(first, 0)
    pen.panels([*picture.players[begin:], *picture.players[:begin]])
    return canvas.finished(says, width)


def draw_printed(canvas: Canvas, picture: Picture, things: list[Owned]) -> None:
    """Things on which something is printed, with what lies on them, as a board has them."""
    _Pen(canvas, picture, Marks(), None).things(things)


def _key(canvas: Canvas, key: Sequence[tuple[str, str]]) -> None:
    """Says what the frames of things are."""
    canvas.flow([(room(words, 10) + 36, partial(_sign, canvas, look, words)) for look, words in key])


def _sign(canvas: Canvas, look: str, words: str) -> None:
    if look == "left":
        canvas.put("circle", look, cx=canvas.x + _EDGE + 9, cy=canvas.y + 10, r=7)
    else:
        canvas.put("rect", "card", look, x=canvas.x + _EDGE + 2, y=canvas.y + 4, width=14, height=12, rx=3)
    canvas.text(words, canvas.x + _EDGE + 24, canvas.y + 14, "small")
    canvas.y += 20


@define(eq=False)
class _Pen:
    canvas: Canvas
    picture: Picture
    marks: Marks
    own: int | None

    # ------------------------------------------------------------ owners

    def panels(self, owners: Sequence[Owned]) -> None:
        """Owners side by side, where there is room."""
        wanted = min(max((_wanted(owner, _NARROW) for owner in owners), default=0), _WIDE)
        self.canvas.columns(wanted, [partial(self.panel, owner) for owner in owners])

    def things(self, things: list[Owned]) -> None:
        """Things of a kind: those with piles as panels, those that have only values in few words."""
        rows = [thing for thing in things if thing.piles]
        blocks = [partial(self.panel, thing) for thing in rows]
        if any(thing.strips for thing in rows):
            wanted = max(_wanted(thing, _ROW) for thing in rows)
            least = max(least_strip_width(strip) for thing in rows for strip in thing.strips) + 2 * _EDGE + 6
            self.canvas.downwards(wanted if 2 * wanted <= self.canvas.width else max(least, _ROW), blocks)
        else:
            self.canvas.flow([(_wanted(thing, _ROW), block) for thing, block in zip(rows, blocks, strict=True)])
        lines = [(thing, _told(thing)) for thing in things if not thing.piles]
        self.canvas.flow([(room(told, 12) + 24, partial(self._line, thing, told)) for thing, told in lines])
        self.canvas.y += 6 if lines else 0

    def panel(self, owner: Owned) -> None:
        cards = (card.value for pile in owner.piles for card in pile.cards)
        if self.marks.offers((owner.value, *(token.value for token in owner.off), *cards)):
            self._draw_panel(owner)
            return
        off = (path for token in owner.off for path in token.paths)
        news = self.marks.were([*(part.path for part in owner.parts), *off])
        is_deciding = owner.seat in self.picture.deciding
        given = owner, news, is_deciding, owner.seat == self.own, self.picture.colours
        self.canvas.as_before(("panel", owner.kind, owner.name), given, partial(self._draw_panel, owner))

    def _draw_panel(self, owner: Owned) -> None:
        canvas = self.canvas
        top, begin = canvas.y, len(canvas.parts)
        canvas.y += 6
        self._head(owner)
        told = [figure for figure in owner.figures if not figure.boxes and not self._is_silent(figure)]
        self._figures([*told, *map(_without_cards, _empty_piles(owner))])
        for figure in owner.figures:
            if figure.boxes:
                self._boxes(figure)
        self._piles(owner)
        canvas.y += 4
        box = {"x": canvas.x + 1, "y": top + 1, "width": canvas.width - 2, "height": round(canvas.y - top - 2)}
        canvas.put_behind(begin, "rect", "panel", **box, rx=6)
        canvas.y += 4

    def _line(self, thing: Owned, told: str) -> None:
        canvas, option = self.canvas, self.marks.owner(thing.value)
        new = any(self.marks.is_new(figure.path, figure.shown) for figure in thing.figures)
        box = (canvas.x + 1, canvas.y, canvas.width - 2, 22.0)
        with self.marks.thing(canvas, told, option, box):
            if option is not None:
                frame(canvas, "card", box, chosen=True)
            words = shortened(told, canvas.width - 2 * _EDGE, 12)
            canvas.text(words, canvas.x + _EDGE + 4, canvas.y + 15, *_new(new))
        canvas.y += 22

    def _head(self, owner: Owned) -> None:
        """The name of the owner, with the pieces that stand nowhere."""
        canvas, x = self.canvas, self.canvas.x + _EDGE + 4
        left, right = x, canvas.x + canvas.width - _EDGE
        if owner.name:
            x += self._name(owner, x)
        for token in owner.off:
            wide = 21 if owner.seat is not None else 21 + room(token.title, 12)
            if x > left and x + wide > right:
                x, canvas.y = left, canvas.y + 21
            draw_token(canvas, token, (x + 9, canvas.y + 9), 9, self.picture.colours, self.marks)
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
        own = f" ({self.picture.you})" if owner.seat is not None and owner.seat == self.own else ""
        beside = own + (f" ▸ {self.picture.decides}" if decides else "")
        left = canvas.x + canvas.width - x - (2 * _EDGE if owner.seat is None else 90)
        words = shortened(owner.name, left, 14) + beside
        wide = room(words, 14) + (18 if owner.seat is not None else 0)
        box = (x - 4, canvas.y - 2, wide + 8, 22.0)
        with self.marks.thing(canvas, words.replace(" ▸", ":"), option, box):
            if option is not None:
                frame(canvas, "card", box, chosen=True)
            if owner.seat is not None:
                fill = self.picture.colours[owner.seat]
                canvas.put("circle", "waiting" if decides else "token", cx=x + 6, cy=canvas.y + 9, r=6, fill=fill)
            canvas.text(words, x + (18 if owner.seat is not None else 0), canvas.y + 14, "title")
        return wide + 14

    # ------------------------------------------------------------ values

    def _figures(self, figures: Sequence[Figure]) -> None:
        """Values one beside the other, as many in a line as fit."""
        canvas = self.canvas
        x = first = canvas.x + _EDGE + 4
        for figure in figures:
            words = f"{figure.title}: {figure.text if figure.text != EMPTY else '–'}{_pointing(figure.shown)}"
            wide = room(words, 12) + 12
            if x > first and x + wide > canvas.x + canvas.width - _EDGE:
                x, canvas.y = first, canvas.y + 18
            new = self.marks.is_new(figure.path, figure.shown) if figure.path else False
            with self.marks.words(canvas, words, f"value {figure.path}" if figure.path else ""):
                canvas.text(shortened(words, canvas.width - 2 * _EDGE - 4, 12), x, canvas.y + 12, *_new(new))
            x += wide
        canvas.y += 20 if figures else 0

    def _is_silent(self, figure: Figure) -> bool:
        """Whether a value is left out: a no, or nothing, that is not new."""
        says = not figure.is_nothing or (isinstance(figure.shown, int) and not isinstance(figure.shown, bool))
        return not says and not (figure.path and self.marks.is_new(figure.path, figure.shown))

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
            says, key = f"{figure.title} {place}: {text or '–'}", f"value {figure.path}[#{number}]"
            with self.marks.thing(canvas, says, None, (x, y, side, 30.0), key):
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

    # ------------------------------------------------------------ piles

    def _piles(self, owner: Owned) -> None:
        canvas, empty = self.canvas, _empty_piles(owner)
        canvas.x, canvas.width = canvas.x + _EDGE + 4, canvas.width - 2 * _EDGE - 6
        shown = [pile for pile in owner.piles if pile not in empty and (count(pile) or not owner.strips)]
        laid = _laid(owner)
        draw_piles(canvas, [pile for pile in shown if laid is None or pile is not laid[0]], self.marks)
        if laid is not None:
            draw_laid(canvas, *laid, self.marks)
        for strip in owner.strips if laid is None else ():
            draw_strip(canvas, strip)
        canvas.x, canvas.width = canvas.x - _EDGE - 4, canvas.width + 2 * _EDGE + 6


def _laid(owner: Owned) -> tuple[Pile, Strip] | None:
    """The pile whose things lie on what is printed on their owner: the only one, on the only strip."""
    if len(owner.piles) == len(owner.strips) == 1 and is_laid_on(owner.piles[0], owner.strips[0]):
        return owner.piles[0], owner.strips[0]
    return None


def _wanted(owner: Owned, least: float) -> float:
    """How wide a panel would like to be."""
    piles = max(map(pile_width, owner.piles), default=0)
    strips = max(map(strip_width, owner.strips), default=0)
    boxes = max((len(figure.boxes) * 30 for figure in owner.figures), default=0)
    return max(least, piles + 2 * _EDGE + 6, strips + 2 * _EDGE + 6, boxes + 2 * _EDGE)


def _empty_piles(owner: Owned) -> list[Pile]:
    """Piles of a player, or of all, that are told in words; of a thing they are places, and are drawn."""
    return [pile for pile in owner.piles if not count(pile)] if owner.value is None or owner.seat is not None else []


def _without_cards(pile: Pile) -> Figure:
    return Figure(pile.path, pile.title, EMPTY, shown=())


def _worth_drawing(things: list[Owned]) -> list[Owned]:
    """Of things that are many those that have something; of the values of each those that are not nothing."""
    few = len(things) <= _FEW
    made = [(thing, [part for part in thing.parts if _is_worth(part, few)]) for thing in things]
    return [_with(thing, parts) for thing, parts in made if parts]


def _is_worth(part: Pile | Figure, few: bool) -> bool:
    return few or count(part) > 0 if isinstance(part, Pile) else not part.is_nothing


def _with(thing: Owned, parts: list[Pile | Figure]) -> Owned:
    return thing if len(parts) == len(thing.parts) else evolve(thing, parts=tuple(parts))


def _told(thing: Owned) -> str:
    return f"{thing.name}: " + ", ".join(f"{figure.title} {figure.text}".strip() for figure in thing.figures)


def _pointing(shown: Value) -> str:
    """The arrow of a direction as boards are drawn: north is above."""
    return f" {_ARROWS[shown.key]}" if isinstance(shown, Ref) and shown.kind == "direction" else ""


def _new(is_new: bool) -> tuple[str, ...]:
    return ("new",) if is_new else ()
