"""A whole position as SVG: its boards, then what each player has, then what belongs to all and to things."""

from __future__ import annotations

from rulekit.tools.drawing import palette
from rulekit.tools.drawing.board_drawing import Marks, draw_board, draw_token
from rulekit.tools.drawing.canvas import Canvas, room, shortened
from rulekit.tools.drawing.picture import Card, Figure, Owned, Picture, Pile

_EDGE, _CARD, _HIGH, _GAP = 6, 76, 58, 6
"""Pixels: around everything, a card's width and height, between cards."""
_MANY = 40
"""So many cards of a pile are drawn; the rest is counted."""


def svg(picture: Picture, says: str, width: int = 960, marks: Marks | None = None) -> str:
    """The picture as the text of an SVG element.  says: what it shows, for a screen reader; width: in pixels."""
    canvas, marks = Canvas(width), marks or Marks()
    for board in picture.boards:
        draw_board(canvas, board, picture.seats, marks)
    for player in picture.players:
        _owned(canvas, player, picture, marks)
    if picture.shared.piles or picture.shared.figures or picture.shared.off:
        _owned(canvas, picture.shared, picture, marks)
    for thing in picture.things:
        if thing.piles:
            _owned(canvas, thing, picture, marks)
    _lines(canvas, [thing for thing in picture.things if not thing.piles])
    return canvas.finished(says)


def _owned(canvas: Canvas, owner: Owned, picture: Picture, marks: Marks) -> None:
    top = canvas.y
    canvas.y += 8
    _head(canvas, owner, picture, marks)
    _figures(canvas, [figure for figure in owner.figures if not figure.boxes])
    for figure in owner.figures:
        if figure.boxes:
            _boxes(canvas, figure, marks)
    for pile in owner.piles:
        if pile.cards or pile.covered:
            _pile(canvas, pile, marks)
    canvas.y += 4
    canvas.put("rect", "panel", x=1, y=top + 1, width=canvas.width - 2, height=canvas.y - top - 2, rx=6)
    canvas.y += 4


def _lines(canvas: Canvas, things: list[Owned]) -> None:
    """Things that have only values, a line each."""
    for thing in things:
        told = ", ".join(f"{figure.title} {figure.text}".strip() for figure in thing.figures)
        canvas.text(shortened(f"{thing.name}: {told}", canvas.width - 2 * _EDGE, 12), _EDGE + 4, canvas.y + 13, "name")
        canvas.y += 17
    canvas.y += 4 if things else 0


def _head(canvas: Canvas, owner: Owned, picture: Picture, marks: Marks) -> None:
    """The name of the owner, with the pieces that stand nowhere."""
    x = float(_EDGE + 4)
    if owner.seat is not None:
        colour = palette.of_seat(picture.seats[owner.seat], owner.seat)
        canvas.put("circle", "token", cx=x + 6, cy=canvas.y + 8, r=6, style=f"fill:{colour}")
        x += 18
    if owner.name:
        sign = " ▸" if owner.seat is not None and owner.seat in picture.deciding else ""
        canvas.text(owner.name + sign, x, canvas.y + 13, "title")
        x += room(owner.name + sign, 14) + 12
    for token in owner.off:
        draw_token(canvas, token, (x + 8, canvas.y + 8), 8, picture.seats, marks)
        x += 20
    if owner.name or owner.off:
        canvas.y += 22


def _figures(canvas: Canvas, figures: list[Figure]) -> None:
    """Values one beside the other, as many in a line as fit."""
    x = float(_EDGE + 4)
    for number, figure in enumerate(figures):
        words = f"{figure.title}: {figure.text}"
        wide = room(words, 12) + 16
        if number and x + wide > canvas.width - _EDGE:
            x, canvas.y = float(_EDGE + 4), canvas.y + 18
        canvas.text(shortened(words, canvas.width - 2 * _EDGE, 12), x, canvas.y + 12, "name")
        x += wide
    canvas.y += 20 if figures else 0


def _boxes(canvas: Canvas, figure: Figure, marks: Marks) -> None:
    """A list as a strip of boxes, each with its place above what it holds."""
    canvas.text(figure.title, _EDGE + 4, canvas.y + 11, "small")
    canvas.y += 14
    side = max(26.0, max(max(room(place, 10), room(text, 12)) for place, text in figure.boxes) + 6)
    side = min(side, canvas.width - 2 * _EDGE)
    across = max(1, int((canvas.width - 2 * _EDGE - 4) // side))
    for number, (place, text) in enumerate(figure.boxes):
        x, y = _EDGE + 4 + number % across * side, canvas.y + number // across * 32
        with canvas.group(f"{figure.title} {place}: {text or '–'}"):
            changed = ["changed"] if figure.path in marks.changed else []
            canvas.put("rect", "card", *changed, x=x, y=y, width=side, height=30)
            canvas.text(shortened(place, side, 10), x + side / 2, y + 10, "small", "middle")
            canvas.text(shortened(text, side, 12), x + side / 2, y + 25, "name", "middle")
    canvas.y += -(-len(figure.boxes) // across) * 32 + 4


# ---------------------------------------------------------------- piles and cards


def _pile(canvas: Canvas, pile: Pile, marks: Marks) -> None:
    count = len(pile.cards) + pile.covered
    changed = pile.path in marks.changed
    canvas.text(f"{pile.title} ({count})", _EDGE + 4, canvas.y + 11, "small")
    canvas.y += 15
    across = max(1, int((canvas.width - 2 * _EDGE - 4 + _GAP) // (_CARD + _GAP)))
    shown = pile.cards[:_MANY]
    more = len(pile.cards) - len(shown)
    places = len(shown) + bool(pile.covered) + bool(more)
    for number in range(places):
        x, y = _EDGE + 4 + number % across * (_CARD + _GAP), canvas.y + number // across * (_HIGH + _GAP)
        if number < len(shown):
            _card(canvas, shown[number], (x, y), marks, changed)
        else:
            _back(canvas, pile, more if more and number == len(shown) else pile.covered, (x, y))
    canvas.y += -(-places // across) * (_HIGH + _GAP)


def _card(canvas: Canvas, card: Card, place: tuple[float, float], marks: Marks, changed: bool) -> None:
    (x, y), choice = place, marks.choice(card.value)
    says = ". ".join(part for part in (card.title or card.name, *card.lines) if part)
    classes = ["card"] + ["choosable"] * (choice is not None) + ["changed"] * changed
    with canvas.group(says, data_choice=choice, tabindex=None if choice is None else 0):
        canvas.put("rect", *classes, x=x, y=y, width=_CARD, height=_HIGH, rx=4)
        if card.colour:
            style = f"fill:{palette.of_thing(card.colour, 0)}"
            canvas.put("rect", x=x + 1, y=y + 1, width=_CARD - 2, height=5, style=style)
        name = _wrapped(f"{card.name} {card.title}".strip(), _CARD - 8, 12)[:2]
        more = _wrapped(", ".join(card.lines), _CARD - 8, 10)[: 4 - len(name)]
        for number, words in enumerate([*name, *more]):
            canvas.text(words, x + 4, y + 17 + number * 12, "name" if number < len(name) else "small")


def _back(canvas: Canvas, pile: Pile, count: int, place: tuple[float, float]) -> None:
    """Cards that are not seen, or not drawn: their number."""
    x, y = place
    with canvas.group(f"{pile.title}: {count}"):
        canvas.put("rect", "back", x=x, y=y, width=_CARD, height=_HIGH, rx=4)
        canvas.text(f"× {count}", x + _CARD / 2, y + _HIGH / 2 + 5, "middle", style="fill:#ffffff;font-size:14px")


def _wrapped(words: str, width: float, size: float) -> list[str]:
    """A text in lines that fit, broken between words where there are some."""
    lines: list[str] = []
    for word in words.split():
        if lines and room(f"{lines[-1]} {word}", size) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(shortened(word, width, size))
    return lines
