"""Translation between the words of a scenario and the values of a game: what an answer means, how a value is shown.

Answers written out stay as they are, since `engine.matches` finds what they mean
among what is offered; an expression is evaluated when its answer is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rulekit.model import builtin_signatures
from rulekit.model import game as model
from rulekit.model.types import Type, set_of
from rulekit.play.machine.closure_compilation import evaluate
from rulekit.play.machine.working_state import Machine
from rulekit.play.meaning import chance
from rulekit.play.meaning.travel import shown_space
from rulekit.play.state.external_values import outward
from rulekit.play.state.match_state import CHANCE, Decision, Pending, State
from rulekit.play.state.setting import Setting
from rulekit.play.state.value import Value, notation, offer
from rulekit.syntax import nodes

# ---------------------------------------------------------------- what is meant


def answer_value(m: Machine, scene: model.Answer, question: Pending, decision: Decision) -> Value:
    """The answer by meaning: written out, or what its expression is worth now."""
    if isinstance(scene.reply, nodes.Expr | nodes.Label):
        return _spoken(scene.reply)
    assert scene.type is not None, scene
    value = evaluate(m, scene.reply)
    if scene.type.is_set:
        return tuple(_chosen(m, scene.type.element, item, question, decision) for item in value)
    return _chosen(m, scene.type, value, question, decision)


def meant(m: Machine, scene: model.Answer) -> Value:
    """What is written, or what its expression is worth now, where nothing is asked."""
    if isinstance(scene.reply, nodes.Expr | nodes.Label):
        return _spoken(scene.reply)
    assert scene.type is not None, scene
    return outward(m.setting, scene.type, evaluate(m, scene.reply))


def _spoken(node: nodes.Expr | nodes.Label) -> Value:
    """A plain answer as it was written; `matches` finds what it means among what is offered."""
    if isinstance(node, nodes.Listing):
        return tuple(_spoken(item) for item in node.items)
    if isinstance(node, nodes.Unary):
        number = _spoken(node.of)
        assert isinstance(number, int), node
        return -number
    if isinstance(node, nodes.Word):
        return node.name
    if isinstance(node, nodes.Number | nodes.Flag):
        return node.value
    return node.text if isinstance(node, nodes.Label) else None


def _chosen(m: Machine, kind: Type, value: Any, question: Pending, decision: Decision) -> Value:
    """The option that a value means: itself, or what nobody can tell from it and is offered in its place."""
    options = question.options if question.form != "chance" else chance.weights(m.setting, question)[0]
    if kind == question.type:
        if value in options:
            return decision.options[options.index(value)]
        for option, text in zip(options, decision.options, strict=True):
            if kind.name == "thing" and None not in (option, value) and _look(m, option) == _look(m, value):
                return text
    return outward(m.setting, kind, value)


def is_possible_answer(setting: Setting, question: Pending, answer: Value) -> bool:
    """Whether an answer is of the question's type, so that it could be legal at some time: a thing, way or number."""
    if question.form == "way":
        return answer in question.labels
    kind = set_of(question.type) if question.form == "several" else question.type
    return _is_of_type(setting, kind, answer)


def _is_of_type(setting: Setting, kind: Type, answer: Value) -> bool:
    if answer is None:
        return True
    if kind.is_set:
        return isinstance(answer, tuple) and all(_is_of_type(setting, kind.element, item) for item in answer)
    if kind.name in ("number", "flag"):
        return isinstance(answer, int)
    if kind.name == "thing":
        return any(thing.kind == kind.kind and thing.key == str(answer) for thing in setting.things)
    known = {"player": setting.seats, "direction": tuple(builtin_signatures.DIRECTIONS)}.get(kind.name)
    return known is None or str(answer) in known


def _look(m: Machine, thing: Any) -> tuple[Any, ...]:
    """Equal for pieces of one group on one space, and for copies of a card in one pile."""
    slot = m.setting.piece_slot.get(thing)
    if slot is None:
        return (m.setting.row_of[thing], m.lies_in(thing))
    return (m.setting.slot_variable[slot], m.setting.slot_owner[slot], m.values[slot])


# ---------------------------------------------------------------- what is found


def seat_name(state: State, seat: int) -> str:
    """What a scenario calls who answers: a seat by its name, or chance."""
    return "chance" if seat == CHANCE else state.setting.seats[seat]


def question_text(state: State, decision: Decision) -> str:
    """What is asked, for a message: `red chooses [1, 2]`."""
    several = f"{decision.least} to {decision.most} of " if decision.several else ""
    return f"{seat_name(state, decision.seat)} chooses {several}{offer(decision.options)}"


def shown(m: Machine, kind: Type, value: Any) -> str:
    """A value for people: a piece by where it stands."""
    if kind.is_set and kind.element.name == "thing" and value and value[0] in m.setting.piece_slot:
        return "[" + ", ".join(shown(m, kind.element, piece) for piece in value) + "]"
    if kind.name == "thing" and value in m.setting.piece_slot:
        return notation(shown_space(m, value, m.values[m.setting.piece_slot[value]]))
    return notation(outward(m.setting, kind, value))


def picture(
    m: Machine,
    standing: list[tuple[int, Any]],
    free: bool,
    by: int | None = None,
    values: Mapping[int, Any] = MappingProxyType({}),
) -> list[tuple[Any, Any]]:
    """Cells and what is seen on each, in order, so that two positions compare.

    free:   the board has no edges; cells are counted from the leftmost and topmost piece.
    by:     the variable by which pieces are drawn; values: what it is, by piece, where that is not what it is now.
    """
    left = min((cell[0] for _, cell in standing), default=0) if free else 0
    top = min((cell[1] for _, cell in standing), default=0) if free else 0
    return sorted(
        (
            (cell[0] - left, cell[1] - top),
            (str(values.get(piece, _by(m, piece, by))),) if by is not None else _seen(m, piece),
        )
        for piece, cell in standing
    )


def _by(m: Machine, piece: int, variable: int) -> Any:
    """What a piece has of the variable by which it is drawn."""
    return m.values[m.setting.slot(variable, piece)]


def _seen(m: Machine, piece: int) -> tuple[str, ...]:
    """What tells pieces of a picture apart: their traits, or without any their names."""
    kind = m.setting.game.kinds[m.setting.things[piece].kind]
    values = tuple(str(values[piece - kind.base]) for values in kind.traits.values())
    return values or (m.setting.things[piece].key,)


def drawn(m: Machine, standing: list[tuple[int, Any]], by: int | None = None) -> str:
    """The pieces by row: `a1 . b2 / . c1 .`; those that are drawn by a variable as scenarios say what it is."""
    at = {cell: m.setting.things[piece].key for piece, cell in standing}
    if by is not None:
        kind = m.setting.game.variables[by].type
        at = {cell: shown(m, kind, _by(m, piece, by)) for piece, cell in standing}
    columns, rows = [cell[0] for cell in at], [cell[1] for cell in at]
    if not at:
        return "nowhere"
    across = range(min(columns), max(columns) + 1)
    down = range(min(rows), max(rows) + 1)
    return " / ".join(" ".join(at.get((column, row), ".") for column in across) for row in down)
