"""Measure what events say of their clauses: `python -m tests.soak.provenance --game foxy --pairs 200 --clauses`.

Pairs of an event and a clause of its line are drawn by chance from random
matches and examples (or, with `--lines`, one of each kind of event on each
line); the clause's part of the rules is changed, and the decision that led to
the event is played again.  What no change of its part changes is a miss.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rulekit.source import Source
from tests import paths
from tests.soak.provenance.measuring import (
    LINE,
    NO_CHANGE,
    NOTHING,
    SHARED,
    UNCITED,
    Measurement,
    Told,
    Verdict,
    middle,
)
from tests.soak.provenance.replaying import DECISION

_SHOWN = 12
"""So many of the changes that were tried are listed of a miss."""
_WORDS = {
    LINE: "only changes of the line on which it happens; other places that cite the clause make no difference",
    SHARED: "only changes of a line that it shares with other clauses; it has a part that says more of it",
    DECISION: "only something else that happens by the same decision",
    NOTHING: "no change of its part changes anything",
    NO_CHANGE: "no change of its part could be made and played",
    UNCITED: "no event cites it",
}


def measured(path: Path, args: argparse.Namespace) -> dict[str, Any]:
    """All figures of a game, and the misses."""
    begun = time.process_time()
    one = Measurement(Source(path.name, path.read_text(encoding="utf-8")), seed=args.seed, matches_=args.matches)
    result: dict[str, Any] = {"game": path.stem, "stories": len(one.stories)}
    if args.pairs:
        result["pairs"] = _figures(one, one.pairs(args.pairs))
    if args.lines:
        result["lines"] = _figures(one, one.pairs(None))
    if args.clauses:
        result["clauses"] = _figures(one, one.clauses(), counts_all=True)
    if args.told:
        result["told"] = _told(one.told())
    result["seconds"] = round(time.process_time() - begun, 1)
    return result


def _figures(one: Measurement, verdicts: Sequence[Verdict], *, counts_all: bool = False) -> dict[str, Any]:
    """counts_all: also what no change could be made of, as of a clause for which nothing speaks then."""
    counted = [each for each in verdicts if each.counts or counts_all]
    held = sum(each.holds for each in counted)
    loosely = sum(each.holds or each.grade in (SHARED, DECISION) for each in counted)
    return {
        "all": len(verdicts),
        "counted": len(counted),
        "hold": held,
        "share": round(100 * held / len(counted), 1) if counted else None,
        "loosely": round(100 * loosely / len(counted), 1) if counted else None,
        "grades": dict(Counter(each.grade for each in verdicts)),
        "doubtful": [_miss(one, each) for each in sorted(verdicts, key=_order) if each.grade == LINE],
        "misses": [_miss(one, each) for each in sorted(verdicts, key=_order) if not each.holds],
    }


def _order(verdict: Verdict) -> tuple[str, str, int]:
    line = 0 if verdict.pair is None else verdict.pair.place.event.span.line
    return verdict.grade, verdict.clause, line


def _miss(one: Measurement, verdict: Verdict) -> dict[str, Any]:
    found: dict[str, Any] = {
        "clause": verdict.clause,
        "text": one.parts.texts.get(verdict.clause, ""),
        "grade": verdict.grade,
        "reason": _WORDS[verdict.grade],
    }
    if verdict.pair is not None:
        event = verdict.pair.place.event
        facts = ", ".join(f"{fact.name} {fact.value}" for fact in event.facts)
        found |= {
            "event": f"{event.name}: {facts}",
            "rank": verdict.pair.rank,
            "line": event.span.line,
            "written": one.parts.line(event.span),
            "cites": " ".join(event.clauses),
            "story": str(verdict.pair.place.story),
            "step": verdict.pair.place.step,
        }
    found["tried"] = [f"{outcome}: {edit.operator} {edit}" for edit, outcome in verdict.tried[:_SHOWN]]
    return found


def _told(told: Told) -> dict[str, Any]:
    ranks = {"first rank": told.first, "second rank": told.second, "both": told.both}
    return {name: {"median": middle(found), "greatest": max(found, default=0)} for name, found in ranks.items()}


# ---------------------------------------------------------------- for people


def lines(result: dict[str, Any], *, doubtful: bool) -> Iterator[str]:
    yield f"{result['game']}: {result['stories']} matches and examples, {result['seconds']} s"
    for what in ("pairs", "lines", "clauses"):
        if what in result:
            found = result[what]
            grades = ", ".join(f"{name} {count}" for name, count in found["grades"].items())
            share = f"{found['share']} % ({found['loosely']} % loosely)"
            yield f"  {what}: {found['hold']} of {found['counted']} hold, {share}; {grades}"
            for miss in found["misses"] + (found["doubtful"] if doubtful else []):
                yield from block(miss)
    for name, found in result.get("told", {}).items():
        yield f"  told, {name}: median {found['median']}, greatest {found['greatest']}"


def block(miss: dict[str, Any]) -> Iterator[str]:
    yield f"    {miss['clause']} [{miss['grade']}] {miss['text']}"
    if "event" in miss:
        yield f"      {miss['event']}  (rank {miss['rank']}, step {miss['step']} of {miss['story']})"
        yield f"      line {miss['line']}: {miss['written']}   cites {miss['cites']}"
    for tried in miss["tried"]:
        yield f"      {tried}"


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", action="append", help="only this game; may be repeated")
    parser.add_argument("--file", action="append", default=[], help="a rules file instead; may be repeated")
    parser.add_argument("--pairs", type=int, default=0, help="so many pairs drawn by chance")
    parser.add_argument("--lines", action="store_true", help="a pair for each clause and kind of event of each line")
    parser.add_argument("--clauses", action="store_true", help="for each clause whether any event cites it rightly")
    parser.add_argument("--doubtful", action="store_true", help="also list what holds by the event's own line alone")
    parser.add_argument("--told", action="store_true", help="how many clauses events tell")
    parser.add_argument("--matches", type=int, help="random matches; as many as meet each option's values if not said")
    parser.add_argument("--seed", default="provenance")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> int:
    args = arguments(words)
    files = [Path(each) for each in args.file]
    games = [path for path in sorted(paths.GAMES.glob("*.rules")) if not args.game or path.stem in args.game]
    results = []
    for path in files or games:
        results.append(measured(path, args))
        if not args.json:
            print(*lines(results[-1], doubtful=args.doubtful), sep="\n", flush=True)
    if args.json:
        print(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
