"""Type inference of operators: logic, comparison, arithmetic, and choosing between two values."""

from __future__ import annotations

from rulekit.model import expr as x
from rulekit.model.resolve.name_resolution import called, named
from rulekit.model.resolve.symbol_table import Scope, Typed
from rulekit.model.resolve.type_inference import (
    INFER,
    arguments,
    as_type,
    coerce,
    expect,
    expect_set,
    has_copies,
    infer,
    unknown,
)
from rulekit.model.types import (
    CELL,
    FLAG,
    NOTHING,
    NUMBER,
    UNKNOWN,
    Type,
    fits,
    set_of,
    unify,
)
from rulekit.syntax import nodes
from rulekit.syntax.traversal import cites, walk
from rulekit.syntax.unparse_expr import written
from rulekit.values import evolve


def _unary(scope: Scope, node: nodes.Unary, wanted: Type | None) -> Typed:
    if node.op == "not":
        return Typed(x.Not(expect(scope, node.of, FLAG), span=node.span), FLAG)
    if node.op == "-":
        return Typed(x.Negative(expect(scope, node.of, NUMBER), span=node.span), NUMBER)
    if node.op == "possible":
        return _possible(scope, node)
    if node.op == "all":
        return _every_one(scope, node)
    of = expect_set(scope, node.of, wanted if node.op in ("first", "last") else None)
    if node.op == "count":
        return Typed(x.Count(of.expr, span=node.span), NUMBER)
    if node.op in ("any", "no"):
        return Typed(x.Some(of.expr, node.op == "no", span=node.span), FLAG)
    end: x.Expr = x.End(of.expr, node.op == "last", span=node.span)
    if of.type.element.is_set:
        # Of no sets it is the one that is empty.
        end = x.Choice(x.Some(of.expr, False, span=node.span), end, x.Const((), span=node.span), span=node.span)
    return Typed(end, of.type.element)


def _every_one(scope: Scope, node: nodes.Unary) -> Typed:
    """`all (S where C)`: of S there is none for which C does not hold; so it holds of nothing, too."""
    if not isinstance(node.of, nodes.Filter):
        title = "`all` asks whether a condition holds for every one of a set, and here is no condition"
        hint = f"put set and condition into brackets: `all ({written(node.of)} whose …)`"
        scope.world.error("wrong-type", title, node.span, hint)
        return Typed(unknown(node.span), UNKNOWN)
    these = infer(scope, node.of)
    if not isinstance(these.expr, x.Filter):
        return Typed(unknown(node.span), FLAG)
    test = these.expr.test
    failing = evolve(these.expr, test=x.Not(test, span=test.span))
    return Typed(x.Some(failing, True, span=node.span), FLAG)


def _possible(scope: Scope, node: nodes.Unary) -> Typed:
    call = node.of
    name = call.function.name if isinstance(call, nodes.Call) and isinstance(call.function, nodes.Word) else None
    name = call.name if isinstance(call, nodes.Word) else name
    if name is None:
        scope.world.error("not-a-word", "`possible` asks about an action, and this is none", node.span)
        return Typed(unknown(node.span), FLAG)
    if name not in scope.world.actions:
        scope.world.unknown(name, node.span, "action", set(scope.world.actions))
        return Typed(unknown(node.span), FLAG)
    args = call.args if isinstance(call, nodes.Call) else ()
    values = arguments(scope, scope.world.actions[name].parameters, args, name, node.span)
    return Typed(x.Possible(scope.world.code_ids[name], values, span=node.span), FLAG)


def _binary(scope: Scope, node: nodes.Binary, wanted: Type | None) -> Typed:
    if node.op in ("and", "or"):
        meant = _alternatives(scope, node)
        if meant is not None:
            return infer(scope, meant, FLAG)
        left, right = expect(scope, node.left, FLAG), expect(scope, node.right, FLAG)
        made = x.Both if node.op == "and" else x.Either
        return Typed(made(left, right, span=node.span), FLAG)
    if node.op in ("is", "is not") and (_is_in(scope, node) or _is_empty(scope, node)):
        return Typed(unknown(node.span), FLAG)
    if node.op in ("is", "is not"):
        return same_with_sides(scope, node)[0]
    if node.op in ("in", "not in"):
        return _among(scope, node)
    if node.op in ("below", "above", "at least", "at most"):
        left, right = expect(scope, node.left, NUMBER), expect(scope, node.right, NUMBER)
        return Typed(x.Compare(node.op, left, right, span=node.span), FLAG)
    return _arithmetic(scope, node, wanted)


def _is_in(scope: Scope, node: nodes.Binary) -> bool:
    """Whether this is `is in` and a set, which reads as an item of a set called `in`; then it is reported."""
    side = node.right
    base = side.of if isinstance(side, nodes.Item | nodes.CellAt) else side
    base = side.function if isinstance(side, nodes.Call) else base
    if base is side or not isinstance(base, nodes.Word) or base.name != "in" or named(scope, base) is not None:
        return False
    hint = f"write `{node.op.removeprefix('is').lstrip()} {written(side).replace('in', 'in ', 1)}`".replace("` ", "`")
    scope.world.error("wrong-type", "`is` and `in` are two comparisons", node.span, hint)
    return True


def _is_empty(scope: Scope, node: nodes.Binary) -> bool:
    """Whether a set or cell is said to be `empty`, which is no value; then it is reported."""
    if not isinstance(node.right, nodes.Word) or node.right.name != "empty" or named(scope, node.right) is not None:
        return False
    left, asked = infer(scope, node.left), written(node.left)
    if left.type.is_set:
        hint = f"write `{'no' if node.op == 'is' else 'any'} {written_inside(node.left)}`"
    else:
        hint = f"write `{'' if node.op == 'is' else 'not '}{asked}.empty`" if left.type == CELL else ""
    scope.world.error("unknown-name", "`empty` is not a value that something could be", node.right.span, hint)
    return True


def written_inside(node: nodes.Expr) -> str:
    """An expression as it is written behind a word such as `count`."""
    return written(nodes.Unary("count", node)).removeprefix("count ")


def _alternatives(scope: Scope, node: nodes.Binary) -> nodes.Expr | None:
    """`x is a or b`, where b is no condition, as `x in [a, b]`; None where nothing is meant so."""
    values: list[nodes.Expr] = []
    rest: nodes.Expr = node
    while isinstance(rest, nodes.Binary) and rest.op == "or" and _is_value(scope, rest.right):
        values.append(rest.right)
        rest = rest.left
    before = rest if isinstance(rest, nodes.Binary) and rest.op == "or" else None
    test = before.right if before else rest
    if not values or not isinstance(test, nodes.Binary) or test.op not in ("is", "is not"):
        return None
    listed = nodes.Listing((test.right, *reversed(values)), span=test.right.span)
    if test.op == "is not":
        hint = f"write `{written(nodes.Binary('not in', test.left, listed))}` if it is none of them"
        scope.world.error("wrong-type", "`is not` is asked of one value, and here are several", node.span, hint)
        return nodes.Flag(False, span=node.span)
    asked = nodes.Binary("in", test.left, listed, span=test.span)
    return evolve(before, right=asked) if before else asked


def _is_value(scope: Scope, node: nodes.Expr) -> bool:
    """Whether a number or a bare name stands here that is no condition."""
    if not isinstance(node, nodes.Word):
        return isinstance(node, nodes.Number)
    found = named(scope, node)
    return found is None or found.type not in (FLAG, UNKNOWN)


def _arithmetic(scope: Scope, node: nodes.Binary, wanted: Type | None) -> Typed:
    # Each side is resolved once only: twice at every level would double the work with every operator.
    left = infer(scope, node.left, wanted if node.op == "+" else NUMBER)
    if node.op == "+" and left.type.is_set:
        right = infer(scope, node.right, left.type)
        kind = unify(left.type, right.type) or left.type
        joined = as_type(scope, right, kind, node.right.span)
        how = "thing" if has_copies(scope.world, kind.element) else "plain"
        return Typed(x.Union(left.expr, joined, how, span=node.span), kind, left.name)
    value = as_type(scope, left, NUMBER, node.left.span)
    return Typed(x.Arithmetic(node.op, value, expect(scope, node.right, NUMBER), span=node.span), NUMBER)


def _sides(scope: Scope, node: nodes.Binary, in_set: bool) -> tuple[Typed, Typed]:
    """Both sides, the one that is clear by itself first, so that it can help the other to its type."""
    vague = isinstance(node.left, nodes.Word) and named(scope, node.left) is None
    if vague or isinstance(node.left, nodes.Nothing):
        right = infer(scope, node.right)
        wanted = right.type.element if in_set and right.type.is_set else right.type
        return infer(scope, node.left, wanted), right
    left = infer(scope, node.left)
    return left, infer(scope, node.right, set_of(left.type) if in_set else left.type)


def same_with_sides(scope: Scope, node: nodes.Binary) -> tuple[Typed, Typed, Typed]:
    """What `is` or `is not` means, and each of its sides."""
    left, right = _sides(scope, node, in_set=False)
    return _sameness(scope, node, left, right), left, right


def _sameness(scope: Scope, node: nodes.Binary, left: Typed, right: Typed) -> Typed:
    pair = _matched(scope, left, right)
    if pair is None:
        hint = _held_hint(scope, node, left, right)
        scope.world.error("wrong-type", f"{left.type} is never {right.type}", node.span, hint)
        return Typed(unknown(node.span), FLAG)
    kind = left.type if left.type != NOTHING else right.type
    how = ("things" if pair[2] else "set") if kind.is_set else "thing" if pair[2] else "plain"
    if kind.is_set and NOTHING in (left.type, right.type):
        pair, how = (_or_none(pair[0]), _or_none(pair[1]), pair[2]), "plain"
    elif kind.is_set and (_one_each(pair[0]) or _one_each(pair[1])):
        how = f"ordered {how}"
    return Typed(x.Same(pair[0], pair[1], node.op == "is not", how, span=node.span), FLAG)


def _or_none(expr: x.Expr) -> x.Expr:
    """The same, read as what may be no set at all."""
    return evolve(expr, is_set_or_none=False) if isinstance(expr, x.Local) else expr


def _held_hint(scope: Scope, node: nodes.Binary, left: Typed, right: Typed) -> str:
    """How to ask whether a set holds what it is compared with; "" if it never could."""
    if left.type.is_set == right.type.is_set:
        return ""
    one, many = (left, right) if right.type.is_set else (right, left)
    if _matched(scope, Typed(one.expr, set_of(one.type)), many) is None:
        return ""
    looked = scope.elements[-1:]
    for part in walk(several := node.right if right.type.is_set else node.left):
        if looked and isinstance(part, nodes.Word) and part.name in called(looked[0].type):
            return f"`{part.name}` are all of them; the one that is looked at here is `it`"
    single = node.left if right.type.is_set else node.right
    word = node.op.replace("is not", "not in").replace("is", "in")
    return f"to ask whether a set holds it write `{written(nodes.Binary(word, single, several))}`"


def _one_each(expr: x.Expr) -> bool:
    """`players.score`: one value for each of a written or natural order, so that order counts when compared."""
    mapped = False
    while isinstance(expr, x.Mapped) and not (expr.flat or expr.distinct):
        expr, mapped = expr.of, True
    return mapped and isinstance(expr, x.Seats | x.AllOf)


def _matched(scope: Scope, left: Typed, right: Typed) -> tuple[x.Expr, x.Expr, bool] | None:
    """Both sides as values of one type, and whether they are things; anything may be compared with `none`."""
    if NOTHING in (left.type, right.type):
        other = left.type if right.type == NOTHING else right.type
        return left.expr, right.expr, other.name == "thing"
    if fits(left.type, right.type) or fits(right.type, left.type):
        kind = left.type if left.type not in (NOTHING, UNKNOWN) else right.type
        kind = kind.element if kind.is_set else kind
        return left.expr, right.expr, kind.name == "thing"
    to_right = coerce(scope, left, right.type)
    if to_right is not None and not _is_lookup(to_right):
        return to_right, right.expr, right.type.name == "thing"
    to_left = coerce(scope, right, left.type)
    if to_left is not None and not _is_lookup(to_left):
        return left.expr, to_left, left.type.name == "thing"
    return None


def _is_lookup(expr: x.Expr) -> bool:
    """A number beside a numbered thing: compare as numbers, which also holds for numbers that no thing has."""
    return isinstance(expr, x.Lookup) or (isinstance(expr, x.Mapped) and isinstance(expr.value, x.Lookup))


def _among(scope: Scope, node: nodes.Binary) -> Typed:
    left, right = _sides(scope, node, in_set=True)
    negate = node.op == "not in"
    if not right.type.is_set and right.type != UNKNOWN:
        title = f"`{node.op}` needs a set on its right, but this is {right.type}"
        scope.world.error("wrong-type", title, node.right.span, "use `is` to compare with one value")
        return Typed(unknown(node.span), FLAG)
    pair = _matched(scope, Typed(left.expr, set_of(left.type)), right)
    if pair is None:
        hint = "ask for one of them: `first S in T`, or `any (S where it in T)`" if left.type.is_set else ""
        scope.world.error("wrong-type", f"{left.type} is never in {right.type}", node.span, hint)
        return Typed(unknown(node.span), FLAG)
    # A converted left side came back as a mapping over a set that it is not: convert the one value instead.
    converted = isinstance(pair[0], x.Mapped) and pair[0].of is left.expr
    element = coerce(scope, left, right.type.element) if converted else pair[0]
    how = "thing" if pair[2] else "plain"
    return Typed(x.Among(element or left.expr, pair[1], negate, how, span=node.span), FLAG)


def _choice(scope: Scope, node: nodes.Choice, wanted: Type | None) -> Typed:
    test = expect(scope, node.test, FLAG)
    then = infer(scope, node.then, wanted)
    other = infer(scope, node.other, wanted or then.type)
    kind = _common(scope, then, other, wanted)
    if kind is None:
        title = f"the two values differ in type: {then.type} and {other.type}"
        scope.world.error("wrong-type", title, node.span)
        return Typed(unknown(node.span), UNKNOWN)
    left, right = coerce(scope, then, kind), coerce(scope, other, kind)
    return Typed(x.Choice(test, left or then.expr, right or other.expr, span=node.span), kind)


def _cases(scope: Scope, node: nodes.Cases, wanted: Type | None) -> Typed:
    """The same as one choice inside the other; each value knows the clauses of its line."""
    misplaced = next((case for at, case in enumerate(node.cases) if case.word not in _words_at(at, node)), None)
    if misplaced is not None or node.cases[-1].test is not None:
        _not_of_cases(scope, misplaced, node)
        return Typed(unknown(node.span), UNKNOWN)
    *tested, last = node.cases
    value = _of_case(last)
    for case in reversed(tested):
        assert case.test is not None, case
        value = nodes.Choice(case.test, _of_case(case), value, span=case.span)
    return infer(scope, value, wanted)


def _words_at(at: int, node: nodes.Cases) -> tuple[str, ...]:
    """What may begin the case of this number."""
    if at == 0:
        return ("if",)
    return ("else if", "else") if at == len(node.cases) - 1 else ("else if",)


def _not_of_cases(scope: Scope, misplaced: nodes.Case | None, node: nodes.Cases) -> None:
    if misplaced is None:
        scope.world.error(
            "cases", "where none of these holds there is no value", node.cases[-1].span, "end with `else: …`"
        )
    elif misplaced is node.cases[0]:
        scope.world.error("cases", "the first case has a condition", misplaced.span, "write `if …: …`")
    elif misplaced.word == "if":
        scope.world.error("cases", "only the first case begins with `if`", misplaced.span, "write `else if …: …`")
    else:
        scope.world.error("cases", "behind `else: …` no case is reached", misplaced.span, "`else: …` stands last")


def _of_case(case: nodes.Case) -> nodes.Expr:
    ids = tuple(nodes.Citation(id_, case.span) for id_ in cites(case))
    return nodes.Cited(case.value, ids, span=case.value.span) if ids else case.value


def _cited(scope: Scope, node: nodes.Cited, wanted: Type | None) -> Typed:
    """The value itself, which knows its clauses: nothing that reads it has to look through anything."""
    typed = infer(scope, node.of, wanted)
    ids = (*typed.expr.cites, *(cite.id for cite in node.cites))
    return evolve(typed, expr=evolve(typed.expr, cites=tuple(dict.fromkeys(ids))))


def _common(scope: Scope, a: Typed, b: Typed, wanted: Type | None) -> Type | None:
    together = unify(a.type, b.type)
    for kind in (wanted, together, a.type, b.type):
        if kind in (None, NOTHING, UNKNOWN) or (kind.is_set and kind.element == UNKNOWN):
            continue
        if coerce(scope, a, kind) is not None and coerce(scope, b, kind) is not None:
            return kind
    return together


INFER.update(
    {
        nodes.Unary: _unary,
        nodes.Binary: _binary,
        nodes.Choice: _choice,
        nodes.Cases: _cases,
        nodes.Cited: _cited,
    }
)
