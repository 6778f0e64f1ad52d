"""`rulekit explain`: why what a log tells happened, and why nothing else was offered."""

from __future__ import annotations

from collections.abc import Iterable

import click

from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND
from rulekit.apps.language import spoken
from rulekit.apps.play.log_file import open_log
from rulekit.apps.play.screen import Screen, forgive_streams
from rulekit.diagnostics import printable_translation
from rulekit.model.game import Game
from rulekit.record import strict_json
from rulekit.record.json_values import chosen_options, value_to_json
from rulekit.record.strict_json import Json
from rulekit.tools.explain.execution_trace import Caused, Ran
from rulekit.tools.explain.recorded_match import Explained, Explainer
from rulekit.tools.explain.source_text import line_of
from rulekit.tools.explain.why_not import Refused
from rulekit.tools.language.display_names import Names
from rulekit.tools.language.lazy_message import in_words
from rulekit.tools.language.translation import Tongue
from rulekit.tools.tell import narration
from rulekit.tools.tell.clause_text import clause_words
from rulekit.values import define, field

_MOST_NAMED = 12
"""Options with one reason that are named; of more the rest is counted."""


@click.command("explain")
@o.LOG
@click.option("--at", "number", type=click.IntRange(min=0), help="Only this decision; 0 is the setup.")
@click.option("--tree", "as_tree", is_flag=True, help="Every line of the rules that ran, with what it read.")
@o.takes(o.rules("Explain it"), o.RENAMES, o.as_json("One JSON line for each decision."), o.LANG)
def command(
    log_file: str, number: int | None, as_tree: bool, rules: str | None, renames: str | None, as_json: bool, lang: str
) -> int:
    """Say why: for each event of a recorded game the clauses that caused it.

    With the values that mattered; and for everything that could have been
    meant at a decision and was not offered, the first condition that
    excludes it.

    \b
    rulekit run games/NAME.rules --seed 1 --record my.log
    rulekit explain my.log --at 12

    A log holds the secrets of its match, and so does what is shown here.
    """
    forgive_streams()
    log, game = open_log(log_file, rules, number, renames=renames)
    explaining, tongue = Explainer(log, game, number), spoken(lang, game)
    _tell(explaining, tongue, number, as_tree, as_json)
    if explaining.fault is not None and explaining.fault.code != "other-state":
        click.echo(f"{tongue.say('level-error')}[{explaining.fault.code}]: {explaining.fault}", err=True)
        return FOUND
    return DONE


def _tell(explaining: Explainer, tongue: Tongue, number: int | None, as_tree: bool, as_json: bool) -> None:
    for explained in explaining:
        if number is not None and explained.number != number:
            continue
        if as_json:
            click.echo(strict_json.dumps(_data(explained)))
        else:
            _Told(explaining.tracer.game, explained, tongue, in_full=number is not None, as_tree=as_tree).say()


# ---------------------------------------------------------------- for people


@define
class _Told:
    """One decision told in lines.  in_full: with the words of the clauses."""

    game: Game
    explained: Explained
    tongue: Tongue
    in_full: bool
    as_tree: bool
    screen: Screen = field(factory=Screen)
    names: Names = field(init=False)
    cited: dict[str, None] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.names = Names(self.explained.state.setting, self.tongue)

    def say(self) -> None:
        self.screen.say(self._title(), style="bold")
        self._refused()
        if self.as_tree:
            for entry in self.explained.told:
                self._branch(entry)
        else:
            for caused in self.explained.events:
                self._event(caused)
        if self.in_full:
            self._clauses()

    def _title(self) -> str:
        action = self.explained.played.action
        if action is None:
            return self.tongue.say("setup")
        who = self.tongue.say("chance") if action.seat < 0 else self.names.seat(self.names.setting.seats[action.seat])
        what = self.tongue.words("asked", self.explained.played.what.replace("_", " "))
        answer = self.names.value(action.answer)
        return self.tongue.say("replayed", number=self.explained.number, player=who, what=what, answer=answer)

    def _refused(self) -> None:
        by_reason: dict[tuple[str, tuple[str, ...], int], list[Refused]] = {}
        for each in self.explained.refused:
            reason = printable_translation(in_words(each.reason, self.tongue))
            by_reason.setdefault((reason, each.clauses, each.span.line), []).append(each)
        for (reason, clauses, line), options in by_reason.items():
            named = [self.names.value(each.option) for each in options[:_MOST_NAMED]]
            left = len(options) - _MOST_NAMED
            more = [self.tongue.count("more", left)] if left > 0 else []
            said = self.tongue.listed([*named, *more])
            words = self.tongue.say("not-offered", options=said, reason=reason, line=line)
            self.screen.say(f"  {words}", dim=self._ids(clauses))

    def _ids(self, clauses: Iterable[str]) -> str:
        self.cited.update(dict.fromkeys(clauses))
        return f"[{', '.join(clauses)}]" if clauses else ""

    def _why(self, caused: Caused) -> str:
        """The clauses of its line, and told apart from them those that decided it, nearest first."""
        if not caused.decided_by:
            return self._ids(caused.clauses)
        self.cited.update(dict.fromkeys((*caused.clauses, *caused.decided_by)))
        decided = self.tongue.say("decided-by", clauses=", ".join(caused.decided_by))
        return f"[{'; '.join(filter(None, (', '.join(caused.clauses), decided)))}]"

    def _event(self, caused: Caused) -> None:
        sentence = narration.sentence(caused.event, self.names)
        if not sentence:
            return
        self.screen.say(f"  {sentence}", dim=self._why(caused))
        for ran in caused.causes[:3]:
            if ran.readings or ran is caused.causes[0]:
                self.screen.say(f"      {self._line(ran)}", dim=self._ids(ran.clauses))

    def _line(self, ran: Ran) -> str:
        say = self.tongue.say
        values = "; ".join(say("why-is", what=reading.text, value=reading.value) for reading in ran.readings)
        line = self.tongue.say("rule-line", line=ran.span.line, rule=ran.rule, text=line_of(self.game, ran.span))
        return printable_translation(f"{line}   ({values})" if values else line)

    def _branch(self, entry: Ran | Caused) -> None:
        if isinstance(entry, Caused):
            depth = entry.causes[0].depth if entry.causes else 0
            sentence = narration.sentence(entry.event, self.names)
            if sentence:
                self.screen.say(f"{'  ' * (depth + 2)}→ {sentence}", dim=self._why(entry))
        elif entry.span.line:
            self.screen.say(f"{'  ' * (entry.depth + 1)}{self._line(entry)}", dim=self._ids(entry.clauses))

    def _clauses(self) -> None:
        for name in self.cited:
            if name in self.game.clauses:
                options = dict(chosen_options(self.explained.state.setting))
                self.screen.say(f"  {name}: {clause_words(self.game, name, self.tongue, options)}")


# ---------------------------------------------------------------- for programs


def _data(explained: Explained) -> Json:
    action = explained.played.action
    return {
        "decision": explained.number,
        "seat": None if action is None or action.seat < 0 else explained.state.setting.seats[action.seat],
        "what": explained.played.what,
        "answer": None if action is None else value_to_json(action.answer),
        "offered": [] if explained.asked is None else [value_to_json(option) for option in explained.asked.options],
        "refused": [
            {
                "option": value_to_json(each.option),
                "reason": str(each.reason),
                "clauses": list(each.clauses),
                "line": each.span.line,
            }
            for each in explained.refused
        ],
        "told": [_entry(entry) for entry in explained.told],
    }


def _entry(entry: Ran | Caused) -> Json:
    if isinstance(entry, Ran):
        return {"ran": _ran(entry)}
    facts: dict[str, Json] = {fact.name: value_to_json(fact.value) for fact in entry.event.facts}
    causes: list[Json] = [_ran(ran) for ran in entry.causes]
    why: dict[str, Json] = {"clauses": list(entry.clauses), "decided_by": list(entry.decided_by)}
    return {"event": entry.event.name, "facts": facts, **why, "causes": causes}


def _ran(ran: Ran) -> Json:
    values: dict[str, Json] = {reading.text: reading.value for reading in ran.readings}
    return {"line": ran.span.line, "rule": ran.rule, "clauses": list(ran.clauses), "values": values, "depth": ran.depth}
