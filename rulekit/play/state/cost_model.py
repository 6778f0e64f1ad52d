"""The cost model: how many steps the operations and expressions of a game take, in every engine.

Input: the setting of a match.  Output: by operation what is counted before it runs, by query what is counted for each
member while it runs.  All of it follows from the rules and the position (section 17 of the language), never from how
an engine evaluates.

A cost is *known* where the declarations bound it closely: then it is counted with the operation, whatever is really
gone through, so that engines may stop early, keep results or take another way.  Where they do not, a query is
*measured*: it counts each member that it goes through, and engines go through all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulekit import limits
from rulekit.model import builtin_signatures, ops
from rulekit.model import expr as x
from rulekit.model import game as model
from rulekit.model.traversal import children, parts, within
from rulekit.model.types import Parameter
from rulekit.play.state.setting import Setting
from rulekit.values import define, field, fields, frozen

MEMBER = 4
"""Steps for a member of a set that a query goes through, besides what is asked of it."""
SORTED = 16
"""The same where the members are put in order."""
SCANNED = 64
"""So many members of a set are compared with something in the time of a step."""
PASS = 8
"""Steps for a pass of a loop, besides its lines."""
CHEAP = 1024
"""An operation that takes no more steps is counted with the first one of its pass or call."""
LINE = 8
CHANGE = 400
"""Steps for a line that changes something or asks: it is told, which takes room."""
TRIAL = 100
"""Steps to begin a trial by `possible`."""
ANSWER = 512
"""Steps for each answer that is tried to a question behind the first one."""
CARD = 32
"""Steps for a card that is moved, shuffled or drawn."""
CLOSE = 4096
"""A set whose size is not exactly known is measured if going through the largest possible takes more steps."""
DEFERRED = 1024
"""What is worked out only under a condition is counted when it is, if it takes more steps."""
UNBOUNDED = 1 << 20
"""The size of a set of which no bound is known."""
MOST = 1 << 40
"""No cost is larger: more than any match may take."""

Size = tuple[int, bool]
"""How many members a set has at the most, and whether that is close to what it has."""


@frozen
class Cost:
    """What an expression takes.

    steps:     counted when the evaluation of what holds it begins.
    measured:  whether each member that the query itself goes through is counted while it runs.
    member:    the steps for each of them.
    """

    steps: int
    measured: bool = False
    member: int = 0


@define(eq=False)
class CostModel:
    """Costs in one setting, by the identity of the expressions of its game."""

    setting: Setting
    _costs: dict[int, tuple[x.Expr, Cost]] = field(factory=dict, init=False, repr=False)
    _sizes: dict[int, tuple[x.Expr, Size]] = field(factory=dict, init=False, repr=False)
    _codes: list[tuple[int, ...]] = field(factory=list, init=False, repr=False)
    _cards: dict[str, int] = field(factory=dict, init=False, repr=False)
    intervals: dict[int, tuple[x.Expr, tuple[int, int] | None]] = field(factory=dict, init=False, repr=False)
    _member_sizes: dict[int, tuple[x.Expr, Size]] = field(factory=dict, init=False, repr=False)
    locals: dict[int, Size] = field(factory=dict, init=False, repr=False)
    elements: dict[int, Size] = field(factory=dict, init=False, repr=False)

    # ------------------------------------------------------------ expressions

    def cost(self, e: x.Expr) -> Cost:
        """The cost of an expression."""
        known = self._costs.get(id(e))
        if known is None:
            known = self._costs[id(e)] = (e, _COSTS.get(type(e), _plain_cost)(self, e))
        return known[1]

    def steps(self, *several: object) -> int:
        """The steps that are counted ahead for expressions, in tuples too; None costs nothing."""
        total = 0
        for e in several:
            if isinstance(e, x.Expr):
                total += self.cost(e).steps
            elif isinstance(e, tuple):
                total += self.steps(*e)
        return min(total, MOST)

    def is_measured(self, e: x.Expr) -> bool:
        """True if an expression itself counts steps while it runs."""
        return self.cost(e).measured

    def counts_on_the_way(self, e: x.Expr) -> bool:
        """True if steps are counted while an expression is worked out, besides those that are counted ahead."""
        return any(
            isinstance(part, x.Possible) or self.is_measured(part) or any(map(self.deferred, _under_condition(part)))
            for part in within(e, self.setting.game.defines)
        )

    def deferred(self, e: x.Expr) -> int:
        """The steps that are counted only where an expression under a condition is worked out; 0: they were before."""
        steps = self.cost(e).steps
        return steps if steps > DEFERRED else 0

    def under_condition(self, e: x.Expr) -> int:
        """The steps that are counted ahead for an expression under a condition."""
        return self.cost(e).steps if not self.deferred(e) else 0

    def size(self, e: x.Expr) -> Size:
        """How many members a set has at the most."""
        known = self._sizes.get(id(e))
        if known is None:
            known = self._sizes[id(e)] = (e, _SIZES.get(type(e), _unknown_size)(self, e))
        return known[1]

    def member_size(self, e: x.Expr) -> Size:
        """How many members a member of a set of sets has at the most."""
        known = self._member_sizes.get(id(e))
        if known is None:
            known = self._member_sizes[id(e)] = (e, self._member_size(e))
        return known[1]

    def _member_size(self, e: x.Expr) -> Size:
        if isinstance(e, x.Filter | x.Without | x.Extreme | x.Ordered):
            return self.member_size(e.of)
        if isinstance(e, x.Builtin) and e.word == "groups":
            return self.size(e.args[0])[0], False
        if isinstance(e, x.Invoke):
            return self.member_size(self.setting.game.defines[e.define].value)
        if isinstance(e, x.Choice):
            return max(self.member_size(e.then)[0], self.member_size(e.other)[0]), False
        return UNBOUNDED, False

    def look_at(self, e: Any) -> None:
        """Enter what a query asks of each member."""
        self.elements[e.slot] = self.member_size(e.of)

    def bound(self, e: x.Expr, otherwise: int) -> int:
        """How many members a set has at the most, or another number where nothing is known."""
        size = self.size(e)[0]
        return otherwise if size >= UNBOUNDED else size

    # ------------------------------------------------------------ what the setting holds

    @property
    def pieces(self) -> int:
        return max((len(on) for on in self.setting.on_place.values()), default=0)

    @property
    def cells(self) -> int:
        """The cells of the largest grid with edges; on one without the pieces and the cells around them."""
        grids = [place for place in self.setting.places.values() if place.form == "grid"]
        sizes = [
            7 * self.pieces if place.width is None or place.height is None else place.width * place.height
            for place in grids
        ]
        return max(sizes, default=0)

    @property
    def cards(self) -> int:
        """The copies of cards that there are."""
        return len(self.setting.things) - self.setting.copy_base

    def cards_of(self, kind: str) -> int:
        """The copies of cards of a kind."""
        if kind not in self._cards:
            copies = self.setting.things[self.setting.copy_base :]
            self._cards[kind] = sum(thing.kind == kind for thing in copies)
        return self._cards[kind]

    # ------------------------------------------------------------ operations

    def prepare(self) -> None:
        """Work out all costs, in one order: of defines, those first that others ask for, then of codes."""
        if self._codes:
            return
        defines, done = self.setting.game.defines, set[int]()
        waiting = [*reversed(range(len(defines)))]
        while waiting:
            number = waiting[-1]
            asked = {e.define for e in parts(defines[number].value) if isinstance(e, x.Invoke)} - done - {number}
            if number not in done and asked:
                done.add(number)
                waiting += sorted(asked)
                continue
            waiting.pop()
            done.add(number)
            self._begin(defines[number].handed)
            self.cost(defines[number].value)
            self.size(defines[number].value)
            self.member_size(defines[number].value)
            interval(self, defines[number].value)
        self._codes = [self._code(code) for code in self.setting.game.codes]

    def _begin(self, handed: tuple[Parameter, ...]) -> None:
        """Enter a define or code, of whose locals only the types of the parameters are known."""
        self.locals = {index: self.typed_size(parameter.type) for index, parameter in enumerate(handed)}
        self.elements = {}

    def _code(self, code: ops.Code) -> tuple[int, ...]:
        self._begin(code.handed)
        made = []
        for op in code.ops:
            made.append(min(_OPERATIONS.get(type(op), _plain_operation)(self, op), MOST))
            _BINDERS.get(type(op), _bind_nothing)(self, op)
        return _gathered(code.ops, made)

    def code_costs(self, code: int) -> tuple[int, ...]:
        """By operation of a code the steps that are counted before it runs."""
        return self._codes[code]

    def typed_size(self, kind: Any) -> Size:
        """How many members a set of a type has at the most, if none comes twice."""
        if not kind.is_set:
            return 1, False
        element = kind.element
        if element.is_set:
            return UNBOUNDED, False
        if element.name == "thing":
            return self.setting.kind_count.get(element.kind, 0) + self.cards_of(element.kind), False
        return {"player": self.setting.everyone, "direction": 8, "flag": 2}.get(element.name, UNBOUNDED), False

    def journey_step(self, place: model.Place) -> int:
        """Steps for a space that a journey goes over one by one."""
        return LINE + (len(self.setting.on_place.get(place.name, ())) if place.free_only else 0)

    def arrival(self) -> int:
        """Steps for a piece that comes to rest, pushes others and starts reactions."""
        crowded = any(place.capacity for place in self.setting.places.values())
        pushed = any(full.word == "pushes" for place in self.setting.places.values() for full in place.full)
        policies = sum(
            self.steps(full.test) for place in self.setting.places.values() for full in place.full if full.test
        )
        tests = sum(LINE + self.steps(reaction.low, reaction.high) for reaction in self.setting.game.reactions)
        stop = CHANGE + tests + ((self.pieces + policies) if crowded else 0)
        return stop * (min(self.pieces, limits.REACTIONS) + 1 if pushed else 1)


def _gathered(flat: tuple[ops.Op, ...], costs: list[int]) -> tuple[int, ...]:
    """The costs of a code, where those of cheap operations are counted with the first one of its pass or call.

    All of them are, also those of branches that are not taken then.
    """
    heads = _heads(flat)
    made = [0 if cost <= CHEAP else cost for cost in costs]
    for at, cost in enumerate(costs):
        made[heads[at]] += cost if cost <= CHEAP else 0
    for head in set(heads):
        made[head] += PASS
    return tuple(made)


def _heads(flat: tuple[ops.Op, ...]) -> list[int]:
    """By operation the first one that runs in each pass of the innermost loop around it, or in each call."""
    heads = [0] * len(flat)
    loops = [(op.to, at) for at, op in enumerate(flat) if isinstance(op, ops.Jump) and op.to <= at]
    loops += [(at + 1, op.end - 1) for at, op in enumerate(flat) if isinstance(op, ops.SecretStart)]
    # `next` jumps back as well: the last jump back to a place ends its loop.
    for first, last in sorted(loops, key=lambda loop: loop[0] - loop[1]):
        head = first + 1 if isinstance(flat[first], ops.EachNext) else first
        for at in range(head, last + 1):
            heads[at] = head
    return heads


def _under_condition(e: x.Expr) -> tuple[x.Expr, ...]:
    """What is worked out right inside an expression under a condition."""
    if isinstance(e, x.Both | x.Either):
        return (e.right,)
    return (e.then, e.other) if isinstance(e, x.Choice) else ()


def cost_model(setting: Setting) -> CostModel:
    """The costs in a setting; made once for all matches at a table."""
    found: CostModel | None = setting.meanings.get("costs")
    if found is None:
        found = setting.meanings["costs"] = CostModel(setting)
        found.prepare()
    return found


# ---------------------------------------------------------------- costs of expressions


def _plain_cost(costs: CostModel, e: x.Expr) -> Cost:
    return Cost(min(1 + costs.steps(*children(e)), MOST))


def _query_cost(costs: CostModel, e: Any, of: x.Expr, steps: int, member: int, extra: int = 0) -> Cost:
    """steps: of the rest; member: for each member of the set; extra: of what the query makes."""
    size, is_close = costs.size(of)
    whole = size * member + extra
    if not is_close and whole > CLOSE:
        return Cost(min(1 + steps, MOST), True, min(member, MOST))
    return Cost(min(1 + steps + whole, MOST), False, min(member, MOST))


def _whole_cost(costs: CostModel, e: x.Expr) -> Cost:
    return Cost(1 + costs.steps(*children(e)) + costs.size(e)[0] // MEMBER)


def _filter_cost(costs: CostModel, e: x.Filter) -> Cost:
    costs.look_at(e)
    return _query_cost(costs, e, e.of, costs.steps(e.of), MEMBER + costs.steps(e.test))


def _mapped_cost(costs: CostModel, e: x.Mapped) -> Cost:
    costs.look_at(e)
    size, _ = costs.size(e)
    made = MEMBER * size if e.flat else 0
    made += size * (size // SCANNED) if e.distinct else 0
    cost = _query_cost(costs, e, e.of, costs.steps(e.of), MEMBER + costs.steps(e.value), made)
    if e.distinct and not cost.measured and size >= CLOSE:
        return Cost(min(1 + costs.steps(e.of), MOST), True, cost.member)
    return cost


def _fold_cost(costs: CostModel, e: x.Fold) -> Cost:
    costs.look_at(e)
    return _query_cost(costs, e, e.of, costs.steps(e.of), MEMBER + costs.steps(e.value))


def _extreme_cost(costs: CostModel, e: x.Extreme) -> Cost:
    costs.look_at(e)
    return _query_cost(costs, e, e.of, costs.steps(e.of), MEMBER + costs.steps(e.key))


def _ordered_cost(costs: CostModel, e: x.Ordered) -> Cost:
    costs.look_at(e)
    return _query_cost(costs, e, e.of, costs.steps(e.of), SORTED + costs.steps(*(key for key, _ in e.keys)))


def _without_cost(costs: CostModel, e: x.Without) -> Cost:
    less, _ = costs.size(e.less)
    steps = costs.steps(e.of, e.less)
    size, is_close = costs.size(e.of)
    whole = size * (MEMBER + less // SCANNED) + MEMBER * less
    if whole > CLOSE and not (is_close and costs.size(e.less)[1]):
        return Cost(min(1 + steps, MOST), True)
    return Cost(min(1 + steps + whole, MOST))


def _union_cost(costs: CostModel, e: x.Union) -> Cost:
    left, right = costs.size(e.left), costs.size(e.right)
    steps = costs.steps(e.left, e.right)
    whole = right[0] * (MEMBER + left[0] // SCANNED) + left[0]
    if whole > CLOSE and not (left[1] and right[1]):
        return Cost(min(1 + steps, MOST), True)
    return Cost(min(1 + steps + whole, MOST))


def _interval_cost(costs: CostModel, e: x.Interval) -> Cost:
    size, is_close = costs.size(e)
    steps = costs.steps(e.low, e.high)
    if not is_close and MEMBER * size > CLOSE:
        return Cost(min(1 + steps, MOST), True, MEMBER)
    return Cost(min(1 + steps + MEMBER * size, MOST), False, MEMBER)


def _among_cost(costs: CostModel, e: x.Among) -> Cost:
    size, is_close = costs.size(e.right)
    steps = costs.steps(e.left, e.right)
    if size // SCANNED > MEMBER and not is_close:
        return Cost(min(1 + steps, MOST), True)
    return Cost(min(1 + steps + size // SCANNED, MOST))


def _same_cost(costs: CostModel, e: x.Same) -> Cost:
    steps = costs.steps(e.left, e.right)
    if e.how in ("plain", "thing"):
        return Cost(min(1 + steps, MOST))
    sizes = costs.size(e.left), costs.size(e.right)
    whole = MEMBER * sum(size for size, _ in sizes)
    if whole > CLOSE and not all(is_close for _, is_close in sizes):
        return Cost(min(1 + steps, MOST), True)
    return Cost(min(1 + steps + whole, MOST))


def _short_cost(costs: CostModel, e: x.Both | x.Either) -> Cost:
    return Cost(min(1 + costs.steps(e.left) + costs.under_condition(e.right), MOST))


def _choice_cost(costs: CostModel, e: x.Choice) -> Cost:
    ways = max(costs.under_condition(e.then), costs.under_condition(e.other))
    return Cost(min(1 + costs.steps(e.test) + ways, MOST))


def _invoke_cost(costs: CostModel, e: x.Invoke) -> Cost:
    value = costs.setting.game.defines[e.define].value
    return Cost(min(1 + costs.steps(*e.args, value), MOST))


def _possible_cost(costs: CostModel, e: x.Possible) -> Cost:
    return Cost(min(TRIAL + len(costs.setting.values) // 4 + costs.steps(*e.args), MOST))


def _builtin_cost(costs: CostModel, e: x.Builtin) -> Cost:
    return Cost(min(1 + costs.steps(*e.args) + _WORDS.get(e.word, _of_arguments)(costs, e), MOST))


def _of_arguments(costs: CostModel, e: x.Builtin) -> int:
    """A word that goes through its arguments a few times: sets of pieces, cells or ways, or whatever they are."""
    return sum(costs.bound(arg, limits.SET // SORTED) for arg in _sets(e))


def _sets(e: x.Builtin) -> list[x.Expr]:
    """The arguments of a word that are sets."""
    takes = builtin_signatures.WORDS[e.word].takes
    return [arg for arg, kind in zip(e.args, takes, strict=False) if kind.split()[0] in _SET_KINDS]


_SET_KINDS = frozenset(("set", "pieces", "directions", "snapshot"))


def _of_grid(costs: CostModel, e: x.Builtin) -> int:
    """A word that reads where the pieces stand."""
    return LINE + 2 * costs.pieces + _of_items(costs, e)


def _of_items(costs: CostModel, e: x.Builtin) -> int:
    return sum(MEMBER * _items(costs, arg) for arg in _sets(e))


def _items(costs: CostModel, e: x.Expr) -> int:
    """How many pieces, cells or ways a set holds."""
    return min(costs.bound(e, UNBOUNDED), max(8, costs.pieces, costs.cells))


def _of_line(costs: CostModel, e: x.Builtin) -> int:
    return LINE + 2 * costs.pieces + _span(costs)


def _span(costs: CostModel) -> int:
    """How many steps along a line of a grid meet all that stands there; on one without edges a usual number."""
    grids = [place for place in costs.setting.places.values() if place.form == "grid"]
    return max((64 if g.width is None or g.height is None else g.width + g.height for g in grids), default=0)


def _of_groups(costs: CostModel, e: x.Builtin) -> int:
    size = max(_items(costs, arg) for arg in _sets(e))
    return LINE + 2 * costs.pieces + size * (SORTED + min(size, SORTED))


def _of_slides(costs: CostModel, e: x.Builtin) -> int:
    return LINE + 4 * costs.pieces + _items(costs, e.args[0]) * _span(costs)


def _of_jumps(costs: CostModel, e: x.Builtin) -> int:
    own = _items(costs, e.args[0])
    return LINE + 4 * costs.pieces + SORTED * own * own * max(1, costs.pieces)


def _of_course(costs: CostModel, e: x.Builtin) -> int:
    spaces = max((len(k.members) for k in costs.setting.game.kinds.values() if "next" in k.traits), default=1)
    return LINE + SORTED * spaces + costs.pieces * spaces


def _of_history(costs: CostModel, e: x.Builtin) -> int:
    history = e.args[0]
    assert isinstance(history, x.Stored)
    variable = costs.setting.game.variables[history.variable]
    return LINE + variable.last * (1 + _noted(costs, variable) // SCANNED) + _noted(costs, variable)


def _noted(costs: CostModel, variable: model.Variable) -> int:
    """How many values a situation of a history has."""
    return sum(costs.pieces if one.kind else 1 for one in variable.compared)


_WORDS: dict[str, Callable[[CostModel, x.Builtin], int]] = {
    **dict.fromkeys(("neighbours", "touching", "empty", "depth", "shifted", "alike"), _of_grid),
    **dict.fromkeys(("chain", "ahead", "first_gap"), _of_line),
    **dict.fromkeys(("contact_steps", "free_steps"), _of_slides),
    **dict.fromkeys(("first_free", "behind", "links"), _of_course),
    "groups": _of_groups,
    "contact_jumps": _of_jumps,
    "seen_before": _of_history,
    "a_copy": lambda costs, e: LINE + costs.cards,
}

_COSTS: dict[type, Callable[[CostModel, Any], Cost]] = {
    x.Filter: _filter_cost,
    x.Mapped: _mapped_cost,
    x.Fold: _fold_cost,
    x.Extreme: _extreme_cost,
    x.Ordered: _ordered_cost,
    x.Without: _without_cost,
    x.Union: _union_cost,
    x.Interval: _interval_cost,
    x.Among: _among_cost,
    x.Same: _same_cost,
    x.Both: _short_cost,
    x.Either: _short_cost,
    x.Choice: _choice_cost,
    x.Invoke: _invoke_cost,
    x.Possible: _possible_cost,
    x.Builtin: _builtin_cost,
    x.Cells: _whole_cost,
    x.AllOf: _whole_cost,
    x.GroupOf: _whole_cost,
}


# ---------------------------------------------------------------- sizes of sets


def _unknown_size(costs: CostModel, e: x.Expr) -> Size:
    return UNBOUNDED, False


def _some_of(costs: CostModel, e: Any) -> Size:
    return costs.size(e.of)[0], False


def _const_size(costs: CostModel, e: x.Const) -> Size:
    return (len(e.value), True) if isinstance(e.value, tuple) else (1, True)


def _option_size(costs: CostModel, e: x.OptionValue) -> Size:
    value = costs.setting.options[e.index]
    return (len(value), True) if isinstance(value, tuple) else (1, True)


def _stored_size(costs: CostModel, e: x.Stored) -> Size:
    variable = costs.setting.game.variables[e.variable]
    if variable.form == "pile":
        return costs.cards_of(variable.type.element.kind), False
    if variable.form == "list":
        return max(0, variable.last - variable.first + 1), True
    return (costs.pieces, False) if variable.form == "snapshot" else (variable.last or 1, False)


def _seats_size(costs: CostModel, e: x.Seats) -> Size:
    n, everyone = costs.setting.players, costs.setting.everyone
    return {"players": n, "everyone": everyone, "neutrals": everyone - n}[e.who], True


def _cells_size(costs: CostModel, e: x.Cells) -> Size:
    place = costs.setting.places[e.place]
    return (limits.SET, True) if place.width is None or place.height is None else (place.width * place.height, True)


def _mapped_size(costs: CostModel, e: x.Mapped) -> Size:
    costs.look_at(e)
    size, is_close = costs.size(e.of)
    if not e.flat:
        return size, is_close and not e.distinct
    inner, inner_close = costs.size(e.value)
    return min(size * inner, UNBOUNDED), is_close and inner_close and not e.distinct


def _union_size(costs: CostModel, e: x.Union) -> Size:
    (left, close_left), (right, close_right) = costs.size(e.left), costs.size(e.right)
    return min(left + right, UNBOUNDED), close_left and close_right


def _choice_size(costs: CostModel, e: x.Choice) -> Size:
    (then, close_then), (other, close_other) = costs.size(e.then), costs.size(e.other)
    return max(then, other), close_then and close_other and then == other


def _interval_size(costs: CostModel, e: x.Interval) -> Size:
    low, high = interval(costs, e.low), interval(costs, e.high)
    if low is None or high is None:
        return limits.SET, False
    size = max(0, high[1] - low[0] + 1)
    return min(size, limits.SET), low[0] == low[1] and high[0] == high[1]


def _invoke_size(costs: CostModel, e: x.Invoke) -> Size:
    return costs.size(costs.setting.game.defines[e.define].value)


def _builtin_size(costs: CostModel, e: x.Builtin) -> Size:
    made = _WORD_SIZES.get(e.word)
    return (UNBOUNDED, False) if made is None else (made(costs, e), False)


_WORD_SIZES: dict[str, Callable[[CostModel, x.Builtin], int]] = {
    **dict.fromkeys(("cycle", "going_round", "onward"), lambda costs, e: costs.size(e.args[0])[0]),
    "slice": lambda costs, e: costs.size(e.args[1])[0],
    **dict.fromkeys(("neighbours", "chain", "ahead"), lambda costs, e: costs.pieces),
    **dict.fromkeys(("groups", "shifted"), lambda costs, e: costs.size(e.args[0])[0]),
    "contact_jumps": lambda costs, e: 6 * max(1, costs.pieces) ** 2,
    **dict.fromkeys(
        ("first_free", "behind"),
        lambda costs, e: max((len(k.members) for k in costs.setting.game.kinds.values()), default=1),
    ),
    **dict.fromkeys(("winners", "runners_up", "losers"), lambda costs, e: costs.setting.everyone),
}

_SIZES: dict[type, Callable[[CostModel, Any], Size]] = {
    x.Const: _const_size,
    x.Direction: lambda costs, e: (1, True),
    x.OptionValue: _option_size,
    x.Stored: _stored_size,
    x.GroupOf: lambda costs, e: (costs.setting.game.variables[e.variable].count, True),
    x.AllOf: lambda costs, e: (costs.setting.kind_count.get(e.kind, 0), True),
    x.Seats: _seats_size,
    x.Spaces: lambda costs, e: (e.high - e.low + 1, True),
    x.Cells: _cells_size,
    x.Trait: lambda costs, e: (max((len(v) for v in e.values if isinstance(v, tuple)), default=1), False),
    x.Mapped: _mapped_size,
    x.Filter: _some_of,
    x.Without: _some_of,
    x.Extreme: _some_of,
    x.Ordered: lambda costs, e: costs.size(e.of),
    x.Union: _union_size,
    x.Listed: lambda costs, e: (len(e.items), True),
    x.Interval: _interval_size,
    x.Choice: _choice_size,
    x.Invoke: _invoke_size,
    x.Builtin: _builtin_size,
    x.Local: lambda costs, e: costs.locals.get(e.index, (UNBOUNDED, False)),
    x.Element: lambda costs, e: costs.elements.get(e.index, (UNBOUNDED, False)),
    x.End: lambda costs, e: costs.member_size(e.of),
    x.ItemOf: lambda costs, e: costs.member_size(e.of),
}


def interval(costs: CostModel, e: x.Expr) -> tuple[int, int] | None:
    """Between which bounds a number lies, as far as declarations say it."""
    known = costs.intervals.get(id(e))
    if known is None:
        made = _INTERVALS.get(type(e))
        known = costs.intervals[id(e)] = (e, None if made is None else made(costs, e))
    return known[1]


def _const_interval(costs: CostModel, e: x.Const) -> tuple[int, int] | None:
    return (int(e.value), int(e.value)) if isinstance(e.value, int) else None


def _option_interval(costs: CostModel, e: x.OptionValue) -> tuple[int, int] | None:
    value = costs.setting.options[e.index]
    return (int(value), int(value)) if isinstance(value, int) else None


def _stored_interval(costs: CostModel, e: x.Stored) -> tuple[int, int] | None:
    variable = costs.setting.game.variables[e.variable]
    return None if variable.low is None or variable.high is None else (variable.low, variable.high)


def _count_interval(costs: CostModel, e: x.Count) -> tuple[int, int] | None:
    size, is_close = costs.size(e.of)
    is_exact = is_close and isinstance(e.of, x.Seats)
    return None if size >= UNBOUNDED else (size if is_exact else 0, size)


def _trait_interval(costs: CostModel, e: x.Trait) -> tuple[int, int] | None:
    numbers = [value for value in e.values if isinstance(value, int)]
    return (min(numbers), max(numbers)) if numbers else None


def _joined_interval(costs: CostModel, one: x.Expr, other: x.Expr) -> tuple[int, int] | None:
    left, right = interval(costs, one), interval(costs, other)
    return None if left is None or right is None else (min(left[0], right[0]), max(left[1], right[1]))


def _arithmetic_interval(costs: CostModel, e: x.Arithmetic) -> tuple[int, int] | None:
    left, right = interval(costs, e.left), interval(costs, e.right)
    if left is None or right is None or e.op not in ("+", "-"):
        return None
    return (left[0] + right[0], left[1] + right[1]) if e.op == "+" else (left[0] - right[1], left[1] - right[0])


def _word_interval(costs: CostModel, e: x.Builtin) -> tuple[int, int] | None:
    if e.word in ("min", "max"):
        return _joined_interval(costs, *e.args)
    if e.word == "index":
        size = costs.size(e.args[1])[0]
        return None if size >= UNBOUNDED else (1, size)
    return (0, costs.setting.everyone) if e.word in ("seat", "seats_after", "turns_after") else None


_INTERVALS: dict[type, Callable[[CostModel, Any], tuple[int, int] | None]] = {
    x.Const: _const_interval,
    x.OptionValue: _option_interval,
    x.Stored: _stored_interval,
    x.Count: _count_interval,
    x.Trait: _trait_interval,
    x.Ordinal: lambda costs, e: (1, costs.setting.kind_count.get(e.kind, 1)),
    x.Choice: lambda costs, e: _joined_interval(costs, e.then, e.other),
    x.Arithmetic: _arithmetic_interval,
    x.Builtin: _word_interval,
    x.Invoke: lambda costs, e: interval(costs, costs.setting.game.defines[e.define].value),
}


# ---------------------------------------------------------------- costs of operations


def _plain_operation(costs: CostModel, op: ops.Op) -> int:
    return LINE + costs.steps(*_expressions(op))


def _expressions(op: ops.Op) -> Iterable[object]:
    """All that an operation works out itself."""
    for one in fields(type(op)):
        value = getattr(op, one.name)
        if isinstance(value, x.Expr | tuple):
            yield value
        elif isinstance(value, ops.Target):
            yield value.of
            yield value.index


def _changing(costs: CostModel, op: ops.Op) -> int:
    return CHANGE + costs.steps(*_expressions(op))


def _without_flow(costs: CostModel, op: ops.Op) -> int:
    return 0


def _question(costs: CostModel, op: ops.Ask) -> int:
    options = min(costs.bound(op.options, SCANNED), SCANNED)
    return CHANGE + MEMBER * options + costs.steps(*_expressions(op))


def _moving(costs: CostModel, op: Any) -> int:
    """Pieces that move, one after the other or together."""
    e = getattr(op, "pieces", None) or getattr(op, "piece", None)
    many = isinstance(op, ops.Compact | ops.Shift | ops.PushRun) or getattr(op, "many", False)
    count = 1
    if many:
        assert isinstance(e, x.Expr)
        count = costs.pieces if isinstance(op, ops.PushRun) else min(costs.bound(e, costs.pieces), costs.pieces)
    return costs.steps(*_expressions(op)) + (costs.arrival() + SORTED) * max(1, count) + 2 * costs.pieces


def _travelling(costs: CostModel, op: ops.Travel) -> int:
    halts = max((costs.steps(place.halts) for place in costs.setting.places.values() if place.halts), default=0)
    return costs.steps(op.piece, op.amount) + costs.arrival() + halts


def _placing(costs: CostModel, op: ops.Place) -> int:
    return (costs.arrival() + SORTED) * max(1, len(op.cells))


def _swapping(costs: CostModel, op: ops.Swap) -> int:
    return costs.steps(op.left, op.right) + 2 * costs.arrival()


def _cards(costs: CostModel, op: Any, things: x.Expr, count: int | None = None) -> int:
    many = costs.bound(things, costs.cards) if count is None else count
    return CHANGE + costs.steps(*_expressions(op)) + max(1, many) * (CARD + costs.cards // 8)


def _moving_cards(costs: CostModel, op: ops.MoveToPile | ops.RemoveCards) -> int:
    return _cards(costs, op, op.things, None if op.many else 1)


def _swapping_cards(costs: CostModel, op: ops.SwapCards) -> int:
    return _cards(costs, op, op.left, 2)


def _dealing(costs: CostModel, op: ops.Deal) -> int:
    return _cards(costs, op, op.source, _amount(costs, op.amount, costs.bound(op.source, costs.cards)))


def _drawing(costs: CostModel, op: ops.Draw) -> int:
    size = min(costs.bound(op.source, limits.SET), limits.SET)
    most = limits.SET if op.replaced else size
    count = 1 if op.amount is None else _amount(costs, op.amount, most)
    return CHANGE + costs.steps(op.source, op.amount) + max(1, count) * (CARD + size // SCANNED)


def _amount(costs: CostModel, e: x.Expr, most: int) -> int:
    known = interval(costs, e)
    return most if known is None else max(0, min(known[1], most))


def _shuffling(costs: CostModel, op: ops.Shuffle) -> int:
    variable = costs.setting.game.variables[op.pile.variable]
    return CHANGE + costs.steps(op.pile.of) + CARD * costs.cards_of(variable.type.element.kind)


def _noting(costs: CostModel, op: ops.Note) -> int:
    variable = costs.setting.game.variables[op.target.variable]
    return CHANGE + costs.steps(*_expressions(op)) + _noted(costs, variable) + variable.last // SCANNED


def _assigning(costs: CostModel, op: ops.Assign) -> int:
    variable = costs.setting.game.variables[op.target.variable]
    length = max(0, variable.last - variable.first) if variable.form == "list" else 0
    length = costs.pieces if variable.form == "snapshot" else length
    return CHANGE + costs.steps(*_expressions(op)) + length // MEMBER


def _announcing(costs: CostModel, op: ops.Op) -> int:
    return CHANGE + costs.steps(*_expressions(op))


def _ranking(costs: CostModel, op: ops.Rank) -> int:
    keys = costs.steps(*(key for key, _ in op.keys))
    return LINE + costs.steps(op.players) + costs.setting.everyone * (CHANGE + keys)


def _bind_nothing(costs: CostModel, op: ops.Op) -> None:
    pass


def _bind_value(costs: CostModel, op: ops.Let | ops.Declassify) -> None:
    costs.locals[op.local] = costs.size(op.value)


def _bind_answer(costs: CostModel, op: ops.Ask) -> None:
    several = op.least is not None
    costs.locals[op.local] = (costs.size(op.options)[0], False) if several else costs.member_size(op.options)


def _bind_drawn(costs: CostModel, op: ops.Draw) -> None:
    size = min(costs.size(op.source)[0], limits.SET)
    most = limits.SET if op.replaced else size
    costs.locals[op.local] = (1, True) if op.amount is None else (_amount(costs, op.amount, most), False)


def _bind_items(costs: CostModel, op: ops.EachStart) -> None:
    costs.locals[op.items] = costs.member_size(op.over)


def _bind_element(costs: CostModel, op: ops.EachNext) -> None:
    costs.locals[op.element] = costs.locals.get(op.items, (UNBOUNDED, False))


_BINDERS: dict[type, Callable[[CostModel, Any], None]] = {
    ops.Let: _bind_value,
    ops.Declassify: _bind_value,
    ops.Ask: _bind_answer,
    ops.Draw: _bind_drawn,
    ops.EachStart: _bind_items,
    ops.EachNext: _bind_element,
}
"""What is known of the locals that operations bind."""

_OPERATIONS: dict[type, Callable[[CostModel, Any], int]] = {
    **dict.fromkeys((ops.Jump, ops.EachNext, ops.EnterStep, ops.Return, ops.StopCode, ops.SecretEnd), _without_flow),
    **dict.fromkeys((ops.Call, ops.Perform), lambda costs, op: SORTED + _plain_operation(costs, op)),
    **dict.fromkeys((ops.MovePiece, ops.GoHome, ops.Remove, ops.PushRun, ops.Compact, ops.Shift), _moving),
    **dict.fromkeys((ops.MoveToPile, ops.RemoveCards), _moving_cards),
    **dict.fromkeys((ops.SetStarter, ops.AskWay, ops.Skip, ops.Defeat, ops.Together), _changing),
    **dict.fromkeys((ops.Reveal, ops.Declassify, ops.Announce), _announcing),
    ops.Ask: _question,
    ops.Travel: _travelling,
    ops.Place: _placing,
    ops.Swap: _swapping,
    ops.SwapCards: _swapping_cards,
    ops.Deal: _dealing,
    ops.Draw: _drawing,
    ops.Shuffle: _shuffling,
    ops.Note: _noting,
    ops.Assign: _assigning,
    ops.Rank: _ranking,
}
