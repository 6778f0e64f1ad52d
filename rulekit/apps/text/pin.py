"""`rulekit text pin`: mutation testing; which changes of the rules the examples would not notice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.engine_notice import tell_without_webassembly
from rulekit.apps.language import spoken
from rulekit.apps.progress import is_stopped
from rulekit.diagnostics import printable
from rulekit.record import strict_json
from rulekit.record.strict_json import Json
from rulekit.tools.coverage.mutation_testing import Found, MutationTest, Survivor, by_clause
from rulekit.tools.estimation.failures import Failures
from rulekit.tools.examples.mutation_operators import Edit, rules_of
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.series.worker_processes import process_pool, results
from rulekit.tools.tell.clause_text import clause_words

_PIECE = 8


@click.command("pin")
@o.FILE
@click.option("--clause", "clauses", multiple=True, metavar="ID", help="Only what this clause says; may be repeated.")
@o.games("Matches for a proposal.", 10**6, default=300)
@click.option("--all", "whole", is_flag=True, help="Try every change, not one of each place.")
@click.option("--no-examples", "bare", is_flag=True, help="Only name the changes; propose no examples.")
@o.takes(o.JOBS, o.as_json("The changes as one JSON object."), o.LANG)
def command(
    file: str, clauses: tuple[str, ...], games: int, whole: bool, bare: bool, jobs: int, as_json: bool, lang: str
) -> int:
    """Do the examples of the game in FILE pin its rules down?

    Each cell, number, condition and line of the rules is changed, left out or
    exchanged with the next, one at a time, and only the examples are run:
    which changes would nobody notice?  They are told by clause, with a new
    example that would notice it.  Ctrl-C tells what is known by then.

    Of each place one change is tried (of a number those to either side), and
    of each line one new example is looked for; with --clause or --all every
    change is tried, and an example looked for each.

    \b
    rulekit text pin games/NAME.rules --clause AB-12

    Ends with 0 if every change is noticed, with 1 if not.
    """
    rules = rules_of(library.read(file))
    unknown = [clause for clause in clauses if clause not in rules.game.clauses]
    if unknown:
        raise Failed(f"error: there is no clause {printable(unknown[0][:40])}")
    tongue = spoken(lang, rules.game)
    pinning = MutationTest(rules, games, propose=not bare, only=clauses, whole=whole)
    tell_without_webassembly()
    stopped = _run(pinning, file, jobs, tongue)
    if as_json:
        click.echo(strict_json.dumps(_data(pinning, stopped)))
    else:
        click.echo("\n".join(_told(pinning, tongue, stopped=stopped)))
    return FOUND if pinning.survivors or pinning.failures else DONE


def _run(pinning: MutationTest, file: str, jobs: int, tongue: Tongue) -> bool:
    changes = pinning.changes()
    every = len(changes)

    def words(done: int, seconds: float) -> str:
        numbers = {"done": done, "changes": every, "missed": len(pinning.survivors)}
        return tongue.say("bar-pin", **numbers, seconds=f"{seconds / done * (every - done):.0f}")

    return is_stopped(_alone(pinning, changes) if jobs == 1 else _together(pinning, changes, file, jobs), words)


def _alone(pinning: MutationTest, changes: Sequence[Edit]) -> Iterator[int]:
    for done, _ in enumerate(pinning.run(changes), 1):
        yield done


def _together(pinning: MutationTest, changes: Sequence[Edit], file: str, jobs: int) -> Iterator[int]:
    """The same changes, in pieces, by several processes that number them alike."""
    pool = process_pool(jobs, _changes_of, file, pinning.games, pinning.propose, tuple(pinning.only), pinning.whole)
    pieces = list(_pieces(changes))
    for (_, last), done in zip(pieces, results(pool, _piece, pieces), strict=True):
        tried, wrong, killed, unpinned, failures = done
        pinning.join(tried, wrong, killed, [Survivor(changes[at], found) for at, found in unpinned], failures)
        yield last


def _pieces(changes: Sequence[Edit]) -> Iterator[tuple[int, int]]:
    """Some whole lines each: what is looked for on a line does not depend on how many processes there are."""
    first = 0
    for at, edit in enumerate(changes, 1):
        is_whole = at == len(changes) or changes[at].span.line != edit.span.line
        if is_whole and (at == len(changes) or at - first >= _PIECE):
            yield first, at
            first = at


_Mine = tuple[MutationTest, list[Edit]]
"""What a worker process has."""


def _changes_of(file: str, games: int, propose: bool, only: tuple[str, ...], whole: bool) -> _Mine:
    pinning = MutationTest(rules_of(library.read(file)), games, propose=propose, only=only, whole=whole)
    return pinning, pinning.changes()


def _piece(mine: _Mine, first: int, last: int) -> tuple[int, int, dict[str, int], list[tuple[int, Found]], Failures]:
    """What came of some changes; trees stay here, so a change is told by its number."""
    pinning, changes = mine
    pinning.forget()
    for _ in pinning.run(changes[first:last]):
        pass
    at = {id(edit): index for index, edit in enumerate(changes)}
    unpinned = [(at[id(each.edit)], each.found) for each in pinning.survivors]
    return pinning.tried, pinning.wrong, pinning.killed, unpinned, pinning.failures


# ---------------------------------------------------------------- telling


def _told(pinning: MutationTest, tongue: Tongue, *, stopped: bool) -> Iterator[str]:
    game = pinning.rules.game
    for clause, found in by_clause(pinning.survivors).items():
        bare = clause not in game.clauses
        yield tongue.say("no-clause-lines") if bare else f"{clause}: {clause_words(game, clause, tongue)}"
        for each in found:
            edit = each.edit
            place = f"{edit.span.source}:{edit.span.line}:{edit.span.column}"
            yield "  " + tongue.say("becomes", place=place, old=edit.old, new=edit.new)
            yield from _example(each, clause, tongue)
        yield ""
    head, missed = ("changes-tried-stopped" if stopped else "changes-tried"), len(pinning.survivors)
    yield tongue.count(head, pinning.tried, noticed=pinning.noticed, missed=missed)
    yield from pinning.failures.lines(tongue)
    if pinning.left_out:
        yield tongue.counted("changes-left-out", pinning.left_out)


def _example(each: Survivor, clause: str, tongue: Tongue) -> Iterator[str]:
    if each.example is not None:
        yield "  " + tongue.say("would-notice")
        text = each.example.text(_name(each, tongue), (clause,) if clause else ())
        yield from (f"    {line}" for line in text.rstrip().split("\n"))
    elif each.found.parts:
        yield "  " + tongue.say("parts-agreed" if each.found.agreed else "parts-unsayable")
    elif each.found.games:
        yield "  " + tongue.say("may-change-nothing", matches=tongue.count("some-matches", each.found.games))


def _name(each: Survivor, tongue: Tongue) -> str:
    return tongue.say("example-pins", line=each.edit.span.line)


def _data(pinning: MutationTest, stopped: bool) -> Json:
    return {
        "stopped": stopped,
        "failures": pinning.failures.data(),
        "tried": pinning.tried,
        "left_out": pinning.left_out,
        "noticed": pinning.noticed,
        "wrong": pinning.wrong,
        "noticed_by": {**pinning.killed},
        "unnoticed": [_change(each) for each in pinning.survivors],
    }


def _change(each: Survivor) -> Json:
    return {
        "file": each.edit.span.source,
        "line": each.edit.span.line,
        "column": each.edit.span.column,
        "old": each.edit.old,
        "new": each.edit.new,
        "clauses": list(each.edit.clauses),
        "parts": each.found.parts,
        "agreed": each.found.agreed,
        "games": each.found.games,
        "scenario": None if each.example is None else each.example.text(_name(each, SOURCE), each.edit.clauses[:1]),
    }
