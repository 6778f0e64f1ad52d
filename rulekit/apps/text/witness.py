"""`rulekit text witness`: a reachability witness; a position in which a clause is carried out, as a scenario."""

from __future__ import annotations

from collections.abc import Callable

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.apps.engine_notice import tell_without_webassembly
from rulekit.apps.language import spoken
from rulekit.apps.progress import is_stopped
from rulekit.diagnostics import nearest, printable
from rulekit.record import strict_json
from rulekit.record.strict_json import Json
from rulekit.tools.compare.differential_execution import answer_lines
from rulekit.tools.coverage.reachability_witness import Witness, WitnessSearch
from rulekit.tools.examples.mutation_operators import Rules, rules_of
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import SOURCE, Tongue
from rulekit.tools.tell.clause_text import clause_words


@click.command("witness")
@o.FILE
@click.argument("clause", metavar="CLAUSE")
@o.takes(o.games("Matches looked through.", 10**6), o.seed("witness"), o.as_json("The scenario as one JSON object."))
@o.LANG
def command(file: str, clause: str, games: int, seed: str, as_json: bool, lang: str) -> int:
    """A short game or position found in which CLAUSE is carried out.

    As a scenario that passes, ready to paste into the file or to print in the
    rulebook.  It fails with a change of what the rules make of the clause;
    that change is named.  Where no such scenario is found it is said why.

    \b
    rulekit text witness games/NAME.rules AB-12
    """
    rules = rules_of(library.read(file))
    if clause not in rules.game.clauses:
        hint = nearest(clause, rules.game.clauses)
        raise Failed(f"error: there is no clause {printable(clause[:40])}" + (f"; {hint}" if hint else ""))
    tongue, looking = spoken(lang, rules.game), WitnessSearch(rules, clause, games, seed)
    tell_without_webassembly()
    stopped = looking.is_done_by_rules and is_stopped(looking.run(), _progress(tongue))
    if as_json:
        click.echo(strict_json.dumps(_data(looking, stopped)))
    elif looking.found is not None:
        click.echo(_told(rules, looking.found, clause, tongue))
    elif stopped:
        matches = tongue.count("some-matches", looking.compared)
        click.echo(tongue.say("not-carried-out-stopped", clause=clause, matches=matches))
    elif looking.is_without_lines:
        raise Failed(f"{clause}: {looking.why_not.by(tongue)}")
    else:
        click.echo(looking.why_not.by(tongue))
    if not as_json:
        # What was found is meant to be pasted: what concerns it alone stands on standard output.
        click.echo("\n".join(looking.failures.lines(tongue)), err=True, nl=bool(looking.failures))
    return FOUND if looking.found is None or looking.failures else DONE


def _progress(tongue: Tongue) -> Callable[[int, float], str]:
    return lambda compared, _: tongue.counted("bar-witness", compared)


def _told(rules: Rules, found: Witness, clause: str, tongue: Tongue) -> str:
    words = f"# {clause}: {clause_words(rules.game, clause, tongue, found.options)}"
    words += f"\n# {_proof(found, tongue)}"
    if found.example is not None:
        name = tongue.say("example-witness", clause=clause)
        return f"{words}\n{found.example.text(name, (clause,)).rstrip()}"
    decisions = tongue.count("decisions", len(found.past))
    head = tongue.say("carried-out-after", decisions=decisions, seed=found.seed)
    return "\n".join([words, f"# {head}", *(f"#   {line}" for line in answer_lines(found.past, tongue))])


def _proof(found: Witness, tongue: Tongue) -> str:
    """The change with which it would be otherwise, and how."""
    assert found.proof is not None
    edit, divergence = found.proof.edit, found.proof.divergence
    parts = {"what": divergence.what, "here": divergence.here, "there": divergence.there}
    said = {name: in_words(part, tongue) for name, part in parts.items()}
    return tongue.say(
        "proved-by" if edit.new else "proved-without", old=edit.old, new=edit.new, line=edit.span.line, **said
    )


def _data(looking: WitnessSearch, stopped: bool) -> Json:
    found = looking.found
    told: dict[str, Json] = {
        "clause": looking.clause,
        "games": looking.compared,
        "failures": looking.failures.data(),
        "stopped": stopped,
    }
    if found is None:
        return {**told, "found": False, "why": str(looking.why_not)}
    name = SOURCE.say("example-witness", clause=looking.clause)
    text = None if found.example is None else found.example.text(name, (looking.clause,))
    answers = answer_lines(found.past, SOURCE)
    proof = _proof(found, SOURCE)
    return {**told, "found": True, "seed": found.seed, "scenario": text, "answers": list(answers), "proof": proof}
