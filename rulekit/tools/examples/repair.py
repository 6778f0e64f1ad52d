"""Program repair by search: the smallest changes that make an example pass, of one literal in it or in a rule.

A marked misprint (`fails at`) is read here as what the page prints: all of
the example must hold, and as in any example the game's invariants with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rulekit.diagnostics import Problems
from rulekit.model import game as model
from rulekit.model.elaborate.elaboration import resolve
from rulekit.syntax import nodes
from rulekit.syntax.traversal import walk
from rulekit.tools.examples import runner
from rulekit.tools.examples.expression_mutations import CONSTANT
from rulekit.tools.examples.mutation_operators import Edit, Located, Rules, edits, replaced, small_variants
from rulekit.tools.examples.mutation_variant import Constants, Variant, yes_or_no
from rulekit.values import evolve, field, frozen

_NUMBERS = range(10)
_NEAR = 3
_MARK = "candidate "
"""The source under which a changed literal stands while it is tried, so that an error tells which one it is."""


@frozen
class Repair:
    """A change with which the example passes.

    in_example:  it changes the example, not a rule.
    breaks:      names of other examples that pass now and would not any more.
    """

    edit: Edit
    in_example: bool
    breaks: tuple[str, ...] = ()
    size: int = field(default=0, eq=False, repr=False)


def is_misprint(scenario: model.Scenario) -> bool:
    """Whether a passing scenario is marked as one that does not come out as it is printed."""
    return any(isinstance(scene, model.Expect) and scene.fails for scene in scenario.scenes)


def in_example(rules: Rules, scenario: model.Scenario) -> list[Repair]:
    """Changes of one literal of the example, the least change first."""
    alone = rules.only(lambda node: not isinstance(node, nodes.Scenario) or node.span == scenario.span)
    found = [edit for edit in edits(alone, _Example(rules, scenario)) if edit.path]
    passing = _passing(alone, scenario, found)
    made = [Repair(edit, True, size=_size(edit)) for edit in passing]
    return sorted(made, key=lambda repair: (repair.size, repair.edit.span.line, repair.edit.span.column))


def in_rules(
    rules: Rules, scenario: model.Scenario, watch: Callable[[Iterable[Edit]], Iterable[Edit]] = iter
) -> list[Repair]:
    """Changes of one literal or condition of a rule, those first that break the fewest other examples.

    watch:  is given the changes to try and hands them on, to show how far it is.
    """
    alone = rules.only(lambda node: not isinstance(node, nodes.Scenario) or node.span == scenario.span)
    before = {result.scenario.name for result in runner.run_all(rules.game) if result.passed}
    made: list[Repair] = []
    for edit in watch(list(edits(alone, small_variants))):
        game = alone.changed(edit)
        if game is not None and _holds(game, _whole(game.scenarios[0])):
            made.append(Repair(edit, False, _broken(rules, edit, before - {scenario.name})))
    return sorted(made, key=lambda repair: (len(repair.breaks), repair.edit.span.line, repair.edit.span.column))


def _broken(rules: Rules, edit: Edit, passed: set[str]) -> tuple[str, ...]:
    """The other examples that no longer pass; the change is found again by what it changes."""
    again = next(each for each in edits(rules, small_variants) if (each.span, each.new) == (edit.span, edit.new))
    game = rules.changed(again)
    if game is None:
        return tuple(sorted(passed))
    return tuple(each.name for each in game.scenarios if each.name in passed and not runner.run(game, each).passed)


def _size(edit: Edit) -> int:
    """How far a change goes: between numbers their distance, between words more than that."""
    return abs(int(edit.old) - int(edit.new)) if edit.old.isdigit() and edit.new.isdigit() else 5


# ---------------------------------------------------------------- trying


def _whole(scenario: model.Scenario) -> model.Scenario:
    """The example with a marked misprint as one more thing that shall hold."""
    scenes = (evolve(scene, fails=False) if isinstance(scene, model.Expect) else scene for scene in scenario.scenes)
    return evolve(scenario, scenes=tuple(scenes))


def _holds(game: model.Game, scenario: model.Scenario) -> bool:
    return runner.run(game, scenario).passed


def _passing(alone: Rules, scenario: model.Scenario, found: list[Edit]) -> Iterator[Edit]:
    """The changes with which the example holds whole.  All are resolved at once, as examples beside each other."""
    game, kept = _together(alone, found)
    for edit, changed in zip(kept, game.scenarios, strict=True):
        if _holds(game, _whole(changed)):
            yield edit


def _together(alone: Rules, found: list[Edit]) -> tuple[model.Game, list[Edit]]:
    """One game that has the changed examples as its scenarios; those with errors are left out."""
    rest = [node for node in alone.declarations if not isinstance(node, nodes.Scenario)]
    kept = found
    while True:
        examples = [_changed(alone, edit, number) for number, edit in enumerate(kept)]
        problems = Problems()
        text = evolve(alone.text, declarations=[*rest, *examples])
        game = resolve(text, alone.source, alone.sources, problems)
        wrong = {entry.span.source for entry in problems.found if entry.level == "error"}
        if game is not None and not wrong:
            return game, kept
        good = [edit for number, edit in enumerate(kept) if f"{_MARK}{number}" not in wrong]
        # An error that stands at no changed literal could be anybody's: then one after the other.
        kept = good if len(good) < len(kept) else [edit for edit in kept if alone.changed(edit) is not None]


def _changed(alone: Rules, edit: Edit, number: int) -> nodes.Scenario:
    index = edit.path[0]
    assert isinstance(index, int), edit
    node = alone.declarations[index]
    new = evolve(edit.node, span=evolve(edit.node.span, source=f"{_MARK}{number}"))
    made: nodes.Scenario = replaced(node, edit.path[1:], new)
    return made


# ---------------------------------------------------------------- what an example can say instead


class _Example:
    """The other things that could stand in one example, by the literal that stands there."""

    def __init__(self, rules: Rules, scenario: model.Scenario) -> None:
        self.scenario = scenario
        self.keys = [[m.key for m in kind.members] for kind in rules.game.kinds.values() if not kind.numbered]
        self.labels = list(dict.fromkeys(n.label for n in walk(rules.declarations) if isinstance(n, nodes.Way)))
        self.readings = [[name for name, _ in option.readings] for option in rules.game.options if option.readings]

    def __call__(self, place: Located, _: Constants) -> Iterator[Variant]:
        lines, node = place.lines, place.node
        if len(lines) < 2 or not isinstance(lines[0], nodes.Scenario) or lines[0].span != self.scenario.span:
            return
        for old, new, other in self._others(node):
            yield Variant(CONSTANT, old, new, other, node.span)

    def _others(self, node: Any) -> Iterator[tuple[str, str, Any]]:
        if isinstance(node, nodes.Number):
            for value in _numbers(node.value):
                yield str(node.value), str(value), evolve(node, value=value)
        elif isinstance(node, nodes.Flag):
            yield yes_or_no(node.value), yes_or_no(not node.value), evolve(node, value=not node.value)
        elif isinstance(node, nodes.Label):
            for label in self.labels:
                if label != node.text:
                    yield f'"{node.text}"', f'"{label}"', evolve(node, text=label)
        elif isinstance(node, nodes.Word):
            for word in self._words(node.name):
                yield str(node.name), word, evolve(node, name=word)

    def _words(self, name: str) -> list[str]:
        """The seats, members or readings that a word is one of, without itself."""
        families = [list(self.scenario.seats), *self.keys, *self.readings]
        return [str(word) for family in families if name in family for word in family if word != name]


def _numbers(value: int) -> list[int]:
    near = range(max(0, value - _NEAR), value + _NEAR + 1)
    return [other for other in sorted({*near, *_NUMBERS}) if other != value]
