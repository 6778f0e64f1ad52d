"""Information-set Monte Carlo tree search (ISMCTS): all of its functions, and by which a machine calls them.

There is a tree for every seat (Cowling, Powley, Whitehouse: Information Set Monte Carlo Tree Search, 2012).  A node is
an information set, so all that it counts is counted for its seat alone, and answers at the same time are chosen without
knowing one another.  A simulation follows the trees, tries one new answer, and goes on by chance.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from rulekit.compiler.lower.builder.ir_builder import Program
from rulekit.compiler.lower.search import backpropagation, information_sets, nodes, reals, selection
from rulekit.compiler.lower.search.tree import INSIDE
from rulekit.compiler.plan import ir as p

_FUNCTIONS: dict[str, Callable[[Program], p.Function]] = {
    "search_begin": nodes.begin,
    "search_node": nodes.node,
    "search_behind": nodes.behind,
    "search_key": information_sets.information_set,
    "search_exploration": reals.exploration,
    "search_below": selection.below,
    "search_passed": selection.passed,
    "search_choice": selection.choice,
    "search_choose_one": selection.choose_one,
    "search_choose_several": selection.choose_several,
    "search_place": backpropagation.place,
    "search_lead": backpropagation.lead,
    "search_learn": backpropagation.learn,
}


def search_functions(program: Program) -> p.Search:
    """Put the functions of a search into a program whose questions are all known."""
    for name, make in _FUNCTIONS.items():
        program.function(name, partial(make, program))
    return p.Search(inside=INSIDE.value, answer=nodes.shape(program).answer)
