"""Expressions of a plan as Python text, with no bracket that Python does not need.

Names in the text: `M` the words, `L` the lists and `L3` one of them, `T3` a
table, `R3` a table of sequences; locals keep theirs.
"""

from __future__ import annotations

from rulekit.compiler.plan import ir as p

PICK, OR, AND, NOT, COMPARE, SUM, PRODUCT, UNARY, ATOM = range(9)
_LEVELS = {"|": OR, "&": AND, "+": SUM, "-": SUM, "*": PRODUCT, "//": PRODUCT, "%": PRODUCT}
_SIGNS = {"|": "or", "&": "and"}
_TURNED = {"==": "!=", "!=": "==", "<": ">=", "<=": ">"}


def text(expr: p.Expr, level: int = PICK) -> str:
    """The expression, in brackets if it binds less than `level`."""
    made, own = _written(expr)
    return made if own >= level else f"({made})"


def truth(expr: p.Expr, level: int = PICK) -> str:
    """The expression where only its truth counts: whether there are entries asks nobody how many."""
    match expr:
        case p.Binary("==", p.Size(of), p.Const(0)) | p.Not(p.Binary("<", p.Const(0), p.Size(of))):
            made, own = f"not {text(of, NOT)}", NOT
        case p.Binary("!=", p.Size(of), p.Const(0)) | p.Binary("<", p.Const(0), p.Size(of)):
            made, own = _written(of)
        case p.Binary("&" | "|" as op, left, right):
            own = _LEVELS[op]
            made = f"{truth(left, own)} {_SIGNS[op]} {truth(right, own + 1)}"
        case _:
            made, own = _written(expr)
    return made if own >= level else f"({made})"


def _written(expr: p.Expr) -> tuple[str, int]:
    match expr:
        case p.Const(value):
            return ("NONE", ATOM) if value == p.NONE else (str(value), UNARY if value < 0 else ATOM)
        case p.Get(local):
            return local, ATOM
        case p.Word(at):
            return f"M[{text(at)}]", ATOM
        case p.Binary(op, left, right):
            return _binary(op, left, right)
        case p.Not(of):
            return _not(of)
        case p.Pick(test, then, other):
            return f"{text(then, OR)} if {text(test, OR)} else {text(other)}", PICK
    return _of_sequence(expr)


def _of_sequence(expr: p.Expr) -> tuple[str, int]:
    match expr:
        case p.Entry(table, at):
            return f"T{table}[{text(at)}]", ATOM
        case p.Row(table, at):
            return f"R{table}[{text(at)}]", ATOM
        case p.Size(of):
            return f"len({text(of)})", ATOM
        case p.Item(of, at):
            return f"{text(of, ATOM)}[{text(at)}]", ATOM
        case p.Stored(number):
            return storage(number), ATOM
        case p.Has(of, item):
            return f"{text(item, SUM)} in {text(of, SUM)}", COMPARE
        case p.Find(of, item):
            return _find(of, item)
        case p.Alike(left, right, ordered):
            return _alike(left, right) if ordered else (f"sorted({text(left)}) == sorted({text(right)})", COMPARE)
    raise AssertionError(expr)


def storage(number: p.Expr) -> str:
    """A list of the storage."""
    return f"L{number.value}" if isinstance(number, p.Const) else f"L[{text(number)}]"


def _binary(op: str, left: p.Expr, right: p.Expr) -> tuple[str, int]:
    if op in ("min", "max"):
        return _extreme("<=" if op == "min" else ">=", left, right)
    if op in _TURNED:
        return f"{text(left, SUM)} {op} {text(right, SUM)}", COMPARE
    if op in "+-" and isinstance(right, p.Const) and 0 > right.value != p.NONE:
        op, right = ("-" if op == "+" else "+"), p.Const(-right.value)
    own = _LEVELS[op]
    return f"{text(left, own)} {_SIGNS.get(op, op)} {text(right, own + (op not in _SIGNS))}", own


def _extreme(sign: str, left: p.Expr, right: p.Expr) -> tuple[str, int]:
    """Written out: a call of `min` costs as much as five operations.  What is read twice is kept in `W1` and so on."""
    height = max(_height(left), _height(right))
    first = first_again = text(left, SUM)
    if not is_plain(left):
        first, first_again = f"(W{height + 1} := {text(left)})", f"W{height + 1}"
    second = second_again = text(right, SUM)
    if not is_plain(right):
        second, second_again = f"(W{height + 2} := {text(right)})", f"W{height + 2}"
    return f"{first_again} if {first} {sign} {second} else {second_again}", PICK


def _height(expr: p.Expr) -> int:
    """The highest number of such a kept value in the text of an expression."""
    inner = max((_height(getattr(expr, name)) for name in _operands(expr)), default=0)
    return inner + 2 if isinstance(expr, p.Binary) and expr.op in ("min", "max") else inner


def _operands(expr: p.Expr) -> list[str]:
    return [name for name in getattr(expr, "__match_args__", ()) if isinstance(getattr(expr, name), p.Expr)]


def is_plain(expr: p.Expr) -> bool:
    """Whether to write it twice costs next to nothing."""
    if isinstance(expr, p.Word):
        return isinstance(expr.at, p.Const)
    return isinstance(expr, p.Const | p.Get)


def _not(of: p.Expr) -> tuple[str, int]:
    match of:
        case p.Binary(op, left, right) if op in _TURNED:
            return f"{text(left, SUM)} {_TURNED[op]} {text(right, SUM)}", COMPARE
        case p.Has(sequence, item):
            return f"{text(item, SUM)} not in {text(sequence, SUM)}", COMPARE
        case p.Not(inner):
            return f"not not {text(inner, NOT)}", NOT
    return f"not {text(of, NOT)}", NOT


def _find(of: p.Expr, item: p.Expr) -> tuple[str, int]:
    if not is_plain(item) or not isinstance(of, p.Get | p.Stored):
        return f"find({text(of)}, {text(item)})", ATOM
    return f"{text(of)}.index({text(item)}) if {text(item, SUM)} in {text(of)} else -1", PICK


def _alike(left: p.Expr, right: p.Expr) -> tuple[str, int]:
    return f"{text(left, SUM)} == {text(right, SUM)}", COMPARE
