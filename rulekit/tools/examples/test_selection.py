"""Safe regression test selection: which examples may come out otherwise in a changed game.

It is noted once where each example comes by, and those that come by nothing that a change affects need not be run
again: they do the same as before.  One thing is left out of account: a loop that grew takes more steps, so that an
example close to the limit of steps may meet it.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulekit.model import game as model
from rulekit.play.state.setting import Visits
from rulekit.tools.analysis.change_impact import impact
from rulekit.tools.examples import runner


def visits_of(game: model.Game) -> dict[str, Visits]:
    """Where the examples come by that pass, by their names; as with `runner.run_all`, none behind one at a limit."""
    found: dict[str, Visits] = {}
    for scenario in game.scenarios:
        visits = Visits()
        result = runner.run(game, scenario, visits=visits)
        if result.passed:
            found[scenario.name] = visits
        elif result.failure is not None and result.failure.at_limit:
            break
    return found


def affected(old: model.Game, new: model.Game, visits: Mapping[str, Visits]) -> set[str]:
    """The names of the examples that may come out otherwise by the new rules, as they are written.

    visits:  as in the old game.
    """
    change = impact(old, new)
    return {name for name, seen in visits.items() if change is None or change.reaches(seen)}
