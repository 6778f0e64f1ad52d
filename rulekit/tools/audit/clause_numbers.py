"""Clause numbers: every number of a game's own clauses with the value of the rules for which it stands.

Turns clauses, and a file of names where a game has one, into ties.  A clause
without names has to have the numbers of its own lines; any other number is
named, in order, in `text/NAME.reads` beside the rules:

    CL-7: deck[7]:steps, deck[7]:cost
    CL-8: - (counts the examples), players:most

`-` is a number that states no rule, `?` one that the rules carry out without
a number; both want a reason in brackets.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from rulekit.diagnostics import Label, Problems
from rulekit.model.game import Clause
from rulekit.source import NOWHERE, Source, Span
from rulekit.tools.audit.anchors import named_values
from rulekit.tools.audit.claim_checking import aligned, quoted
from rulekit.tools.audit.clause_words import word_findings
from rulekit.tools.audit.findings import AuditedRules, Finding, bounded, finding_of, joined
from rulekit.tools.audit.numeral_parsing import Numeral, numerals
from rulekit.tools.audit.value_names import NoValue, Value, as_value, value_of
from rulekit.tools.constants.constant_values import Constant
from rulekit.tools.language.lazy_message import Message
from rulekit.values import field, frozen

SOURCE = "en"
_LINE = re.compile(r"([^\s:]+): *(\S.*)")
_MARK = re.compile(r"([-?])(?: \((.+)\))?")
_NAMES = ("key", "label")
"""What only names a card or a choice is no quantity; where a clause means it, it says so."""
_SHOWN = 8


@frozen
class Named:
    """The names for the numbers of one clause, in order, each with where it is written."""

    names: tuple[str, ...]
    places: tuple[Span, ...] = field(eq=False, repr=False)


@frozen
class Tie:
    """A number of a clause.

    value:   of the rules; None where there is none, or where none is known.
    reason:  why it stands for none; "" if it has to.
    """

    numeral: Numeral
    value: Value | None
    reason: str = ""


def parse_reads(source: Source, ruled: AuditedRules, problems: Problems) -> dict[str, Named]:
    """By clause the names of a file; lines that cannot be understood are reported and left out."""
    found: dict[str, Named] = {}
    for text, place in source.entries():
        match = _LINE.fullmatch(text)
        if match is None:
            problems.add("reads-syntax", "this line names no numbers", place, hint="write `CLAUSE: name, name`")
        elif match[1] not in ruled.rules.game.clauses:
            problems.add("reads-clause", f"the game has no clause {match[1]}", place)
        else:
            found[match[1]] = Named(*named_values(match[2], place))
            _check(found[match[1]], ruled, problems)
    return found


def _check(named: Named, ruled: AuditedRules, problems: Problems) -> None:
    for name, place in zip(named.names, named.places, strict=True):
        mark = _MARK.fullmatch(name)
        if mark is not None and not mark[2]:
            problems.add("reads-reason", f"`{name}` needs a reason", place, hint="write it behind, in brackets")
        elif mark is None:
            try:
                value_of(name, ruled.rules)
            except NoValue as fault:
                problems.add("reads-value", str(fault), place)


# ---------------------------------------------------------------- ties


def ties(clause: Clause, ruled: AuditedRules, named: Named | None, problems: Problems) -> list[Tie]:
    """The numbers of a clause, each with its value."""
    inside = numerals(clause.text, SOURCE)
    if named is None:
        return _by_lines(inside, clause.id, ruled)
    values = [_value(name, ruled) for name in named.names]
    made = []
    for numeral, index in aligned(inside, named.names, values, is_told):
        if numeral is None:
            place = named.places[index or 0]
            problems.add("reads-number", f"{clause.id} has no number for `{named.names[index or 0]}`", place)
        elif index is None:
            made.append(Tie(numeral, None))
        else:
            mark = _MARK.fullmatch(named.names[index])
            made.append(Tie(numeral, values[index], (mark[2] or "") if mark else ""))
    return made


def _value(name: str, ruled: AuditedRules) -> Value | None:
    try:
        return None if _MARK.fullmatch(name) else value_of(name, ruled.rules)
    except NoValue:
        return None


def _by_lines(inside: Sequence[Numeral], id_: str, ruled: AuditedRules) -> list[Tie]:
    """Each number with a number of the clause's own lines, each of which stands for one number only."""
    free = [constant for constant in lines_of(id_, ruled) if constant.label not in _NAMES]
    made: list[Tie | None] = []
    for numeral in inside:
        fits = next((constant for constant in free if is_told(numeral, as_value("", constant))), None)
        if fits is not None:
            free.remove(fits)
        made.append(None if fits is None else Tie(numeral, as_value(_name(fits), fits)))
    # What is left over of both belongs together, in order.
    rest = iter(free)
    return [tie or Tie(numeral, _next(rest)) for numeral, tie in zip(inside, made, strict=True)]


def _next(rest: Iterator[Constant]) -> Value | None:
    constant = next(rest, None)
    return None if constant is None else as_value(_name(constant), constant)


def lines_of(id_: str, ruled: AuditedRules) -> list[Constant]:
    """The numbers that the lines of a clause hold."""
    found = [c for c in ruled.rules.constants if id_ in c.clauses]
    return [c for c in found if not (c.unless or c.is_word or c.is_example)]


def _name(constant: Constant) -> str:
    return ":".join(part for part in ((constant.homes or ("",))[-1], constant.label) if part)


def is_told(numeral: Numeral, value: Value) -> bool:
    """Whether a number of a clause is a value of the rules; signs and ranges are told in other words."""
    if numeral.bound and value.bound:
        return (numeral.bound, abs(numeral.limit)) == (value.bound, abs(value.limit))
    return abs(numeral.limit) == abs(value.limit)


# ---------------------------------------------------------------- findings


def own_clauses(ruled: AuditedRules, names: dict[str, Named], problems: Problems) -> Iterator[Finding]:
    """What the clauses say that is none of the rules, or another thing."""
    for clause in ruled.rules.game.clauses.values():
        yield from clause_findings(clause, ruled, names.get(clause.id), problems)


def clause_findings(clause: Clause, ruled: AuditedRules, named: Named | None, problems: Problems) -> Iterator[Finding]:
    """Numbers of a clause that are none of the rules, or another one, and words that only the clause says."""
    for tie in ties(clause, ruled, named, problems):
        if not tie.reason and (tie.value is None or not is_told(tie.numeral, tie.value)):
            yield _finding(clause, tie, ruled)
    yield from word_findings(clause, ruled)


def _finding(clause: Clause, tie: Tie, ruled: AuditedRules) -> Finding:
    read = bounded(tie.numeral.value, tie.numeral.bound, tie.numeral.limit)
    if tie.value is None:
        known = dict.fromkeys(str(constant.value) for constant in lines_of(clause.id, ruled)[:_SHOWN])
        had, rule = ", ".join(known), Label(NOWHERE, "")
        all_known = joined(known, "audit-no-number")
        said = Message("audit-clause-open", had=all_known, clause=clause.id, text=tie.numeral.text)
    else:
        told = bounded(tie.value.value, tie.value.bound, tie.value.limit)
        had, rule = str(told), Label(tie.value.span, f"the rule: {told}")
        phrase = "audit-clause-name" if tie.value.name else "audit-clause-number"
        said = Message(phrase, clause=clause.id, read=quoted(tie.numeral), had=told, name=tie.value.name)
    words = (clause.id, clause.text, str(read))
    return finding_of("clause-number", said, clause.span, (clause.id,), words, str(read), had, rule, ruled)


def counts(ruled: AuditedRules, names: dict[str, Named]) -> Counter[str]:
    """How many numbers the clauses have: tied to a value, without one for a reason, and open."""
    found: Counter[str] = Counter()
    for clause in ruled.rules.game.clauses.values():
        for tie in ties(clause, ruled, names.get(clause.id), Problems()):
            found["tied" if tie.value else "marked" if tie.reason else "open"] += 1
    return found
