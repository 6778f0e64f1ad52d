"""Witnesses in the background: positions found for clauses that no example shows, one search at a time.

A search plays matches in a thread of its own; whoever looks at the page meanwhile is told how far it is, and waits for
nothing.  What was found is kept until the rules change.
"""

from __future__ import annotations

from threading import Lock, Thread

from rulekit import library
from rulekit.library import Unreadable
from rulekit.loading import RulesError
from rulekit.play.state.errors import RuleError
from rulekit.review.position import Shown, drawn
from rulekit.tools.coverage.reachability_witness import Witness, WitnessSearch
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from rulekit.tools.examples.runner import Failure, placed
from rulekit.tools.examples.scenario_writer import CannotSay, with_example
from rulekit.tools.language.translation import Tongue
from rulekit.values import define, field

_MATCHES, _MOST = 200, 4000
"""So many matches are played at a time, and looked through at most."""
_PATIENCE = 1.0
"""So many seconds a search that is given up is waited for; it ends with the process at the latest."""


@define(eq=False)
class Search:
    """What became of the search for one clause.  compared: matches looked through; why: why nothing was found."""

    clause: str
    is_done: bool = False
    compared: int = 0
    shown: Shown | None = None
    why: str = ""


@define(eq=False)
class Witnesses:
    """path: of the rules; tongue: of what is drawn."""

    path: str
    tongue: Tongue
    _known: dict[tuple[str, str], Search] = field(init=False, factory=dict)
    _thread: Thread | None = field(init=False, default=None)
    _lock: Lock = field(init=False, factory=Lock)
    _is_closed: bool = field(init=False, default=False)

    def of(self, text: str, clause: str) -> Search:
        """What is known for a clause of rules with this text; begins a search where there is none and none is on."""
        with self._lock:
            if (text, clause) not in self._known:
                is_on = self._thread is not None and self._thread.is_alive()
                if is_on or self._is_closed:
                    return Search(clause)
                self._known = {key: search for key, search in self._known.items() if key[0] == text}
                search = self._known[text, clause] = Search(clause)
                self._thread = Thread(target=self._look, args=(search,), daemon=True)
                self._thread.start()
            return self._known[text, clause]

    def close(self) -> None:
        """End a search that is on."""
        with self._lock:
            self._is_closed = True
            thread = self._thread
        if thread is not None:
            thread.join(_PATIENCE)

    def _look(self, search: Search) -> None:
        try:
            rules = rules_of(library.read(self.path))
            looking = WitnessSearch(rules, search.clause, _MATCHES)
            for compared in looking.run() if looking.is_done_by_rules else ():
                search.compared = compared
                if self._is_closed or compared >= _MOST:
                    break
            found = looking.found or looking.unproved
            search.shown = None if found is None else self._drawn(rules, found)
            search.why = "" if search.shown is not None else str(looking.why_not)
        except (RulesError, Unreadable, RuleError, CannotSay) as fault:
            search.why = str(fault)
        finally:
            search.is_done = True

    def _drawn(self, rules: Rules, found: Witness) -> Shown | None:
        """Where the example that was found begins; where no example can say it, the end of the match."""
        if found.example is None:
            return drawn("", found.past[-1].state, self.tongue) if found.past else None
        state = placed(*with_example(rules, found.example))
        return None if isinstance(state, Failure) else drawn("", state, self.tongue)
