"""Marks: which of the things drawn may be chosen, by which option, and which are new since an earlier look."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from rulekit.play.state.value import Ref, Value
from rulekit.play.view import Seen
from rulekit.tools.drawing.canvas import Canvas
from rulekit.tools.drawing.picture import Mark, Owned, Picture, Pile, Token
from rulekit.values import define, field, frozen

_XHTML = "http://www.w3.org/1999/xhtml"
Box = tuple[float, float, float, float]
"""Left, upper, width and height, in pixels."""


@frozen
class Control:
    """What a page makes of a thing that may be chosen.

    tag:  `a` stands around the drawn thing; any other, as `button`, `input` or `label`, lies over it and is not seen.
    """

    tag: str
    attributes: Mapping[str, str] = {}


@frozen
class Part:
    """A thing drawn that may be chosen.

    option: its place among the options of the decision, from 0.
    id:     of its element, which has `data-option` too; title: what a screen reader says.
    """

    option: int
    value: Value
    id: str
    title: str


Handle = Callable[[str], Mapping[str, object]]
"""Keys are `piece PATH`, `space BOARD VALUE`, `card PATH KEY`, `pile PATH` and `value PATH`."""


def _no_handle(_: str) -> Mapping[str, object]:
    return {}


@define(eq=False)
class Marks:
    """options: what may be chosen, in the order of the decision; before: by path what was seen at the earlier look.

    control: by the place of an option what a page makes of it; None: the thing is a button for a script to listen to.
    handle:  by the key of a thing drawn the attributes by which a script takes hold of it.
    """

    options: Sequence[Value] = ()
    before: Mapping[str, Seen] | None = None
    control: Callable[[int], Control] | None = None
    handle: Handle = _no_handle
    parts: list[Part] = field(factory=list)
    in_piles: frozenset[str] = frozenset()
    """Paths of the piles in which a card that is called like an option is what may be chosen."""
    _places: dict[Value, int] = field(init=False, repr=False)
    _called: set[tuple[str, str]] = field(init=False, repr=False)

    def __attrs_post_init__(self) -> None:
        # Of options that are equal the first counts.
        self._places = {option: at for at, option in reversed(list(enumerate(self.options)))}
        things = [option for option in self.options if isinstance(option, Ref)]
        self._called = {(thing.kind, thing.key.partition(" in ")[0]) for thing in things}

    @contextmanager
    def words(self, canvas: Canvas, says: str, key: str) -> Iterator[None]:
        """What is drawn meanwhile are words, which are one thing if a script takes hold of it."""
        handle = self.handle(key) if key else {}
        if not handle:
            yield
            return
        with canvas.group(says, **handle):
            yield

    def owner(self, value: Value) -> int | None:
        """The place of an owner among the options, if it does not stand on a board to be chosen there."""
        here = self.option(value)
        return None if any(part.option == here for part in self.parts) else here

    def option(self, value: Value) -> int | None:
        """The place of a thing among the options."""
        if not isinstance(value, Ref):
            return None
        return self._places.get(value)

    def offers(self, values: Iterable[Value]) -> bool:
        """Whether one of these things may be among the options, as itself or as it lies in a pile."""
        return bool(self._called) and any(
            isinstance(value, Ref) and (value.kind, value.key) in self._called for value in values
        )

    def card(self, value: Value, path: str) -> int | None:
        """The same of a card, which may lie in several piles."""
        if isinstance(value, Ref):
            here = self.option(Ref(value.kind, f"{value.key} in {path}"))
            if here is not None:
                return here
        return self.option(value) if path in self.in_piles else None

    def is_new(self, path: str, shown: Value) -> bool:
        """Whether a value is not what it was at the earlier look."""
        return self.before is not None and (path not in self.before or self.before[path].shown != shown)

    def is_new_token(self, token: Token) -> bool:
        """Whether a piece stands elsewhere, or is drawn by another value, than at the earlier look."""
        if self.is_new(token.path, token.on):
            return True
        return bool(token.painted_path) and self.is_new(token.painted_path, token.painted)

    def is_new_mark(self, mark: Mark) -> bool:
        """Whether a mark on a space was not there at the earlier look."""
        if self.before is None or not mark.in_pile:
            return self.is_new(mark.path, mark.shown)
        seen = self.before.get(mark.path)
        if seen is None:
            return True
        things = seen.shown if isinstance(seen.shown, tuple) else ()
        if isinstance(mark.shown, int):
            return (seen.count or 0) - len(things) != mark.shown
        return mark.shown not in things

    def were(self, paths: Iterable[str]) -> tuple[Seen | None, ...] | None:
        """What was seen by these paths at the earlier look: all that makes marks of news on them; None: no marks."""
        before = self.before
        return None if before is None else tuple([before.get(path) for path in paths])

    def new_cards(self, pile: Pile) -> Counter[Value]:
        """How many of each thing of a pile did not lie there before."""
        if self.before is None:
            return Counter()
        seen = self.before.get(pile.path)
        old = seen.shown if seen is not None and isinstance(seen.shown, tuple) else ()
        return Counter(card.value for card in pile.cards) - Counter(old)

    def new_covered(self, pile: Pile) -> bool:
        """Whether more or fewer things of a pile are covered than before."""
        if self.before is None:
            return False
        seen = self.before.get(pile.path)
        if seen is None:
            return True
        return (seen.count or 0) - (len(seen.shown) if isinstance(seen.shown, tuple) else 0) != pile.covered

    @contextmanager
    def thing(self, canvas: Canvas, says: str, option: int | None, box: Box, key: str = "") -> Iterator[None]:
        """What is drawn meanwhile is one thing, which may be chosen if it has an option."""
        handle = self.handle(key) if key else {}
        if option is None:
            with canvas.group(says, **handle):
                yield
            return
        told = {**handle, **self._placed(option, says)}
        control = None if self.control is None else self.control(option)
        if control is None:
            with canvas.group(says, **{**told, "role": "button", "tabindex": 0}):
                yield
        elif control.tag == "a":
            with canvas.within("a", **told, **control.attributes), canvas.group(says):
                yield
        else:
            with canvas.group(says, **told):
                yield
            _overlay(canvas, says, control, box)

    def _placed(self, option: int, says: str) -> dict[str, object]:
        """The attributes of a choosable thing; where it is drawn more than once, the first one has the id alone."""
        name = f"choice-{option}"
        if any(part.option == option for part in self.parts):
            return {"data_option": option}
        self.parts.append(Part(option, self.options[option], name, says))
        return {"id": name, "data_option": option}


def _overlay(canvas: Canvas, says: str, control: Control, box: Box) -> None:
    """An element of the page that lies over a thing."""
    x, y, width, height = box
    attributes = {"xmlns": _XHTML, "class": "control", "aria-label": says, "title": says, **control.attributes}
    with canvas.within("foreignObject", x=x, y=y, width=width, height=height):
        if control.tag == "input":
            canvas.put("input", **attributes)
            return
        # A reader of HTML takes `<button/>` for one that is never closed.
        with canvas.within(control.tag, **attributes):
            canvas.parts.append(" ")


def choosable_piles(picture: Picture, options: Sequence[Value], seat: int | None) -> frozenset[str]:
    """In which piles the things on offer lie: one that has all of them, of one's own first; else all that have some.

    A card that lies in two piles is called alike in both, so the decision alone does not tell.
    """
    wanted = {option for option in options if isinstance(option, Ref)} - set(_standing(picture))
    piles = [(owner, pile) for owner in owners(picture) for pile in owner.piles]
    held = {pile.path: wanted & {card.value for card in pile.cards} for _, pile in piles}
    on_offer = set().union(*held.values())
    whole = [(owner.seat != seat, len(pile.cards), pile.path) for owner, pile in piles if held[pile.path] == on_offer]
    if on_offer and whole:
        return frozenset({min(whole)[2]})
    own = frozenset(pile.path for owner, pile in piles if owner.seat == seat and held[pile.path])
    covers = set().union(*(held[path] for path in own)) == on_offer
    return own if covers else frozenset(path for path, things in held.items() if things)


def can_be_chosen(picture: Picture, marks: Marks) -> bool:
    """Whether anything that is drawn is on offer; a number is offered in words alone."""
    things = {option for option in marks.options if isinstance(option, Ref)}
    return bool(things) and (bool(marks.in_piles) or not things.isdisjoint(_standing(picture)))


def owners(picture: Picture) -> tuple[Owned, ...]:
    """All that own something."""
    return (picture.shared, *picture.things, *picture.players)


def _standing(picture: Picture) -> Iterator[Value]:
    """What on the boards, or as an owner, may be chosen as itself."""
    for board in picture.boards:
        for spot in board.spots:
            yield spot.value
            yield from (token.value for token in spot.tokens)
    for owner in owners(picture):
        yield owner.value
        yield from (token.value for token in owner.off)
