"""A rulebook held against the rules: what it says in numbers, and what the rules have instead."""

from __future__ import annotations

import json
import textwrap
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.diagnostics import Problems, render
from rulekit.source import Source
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.audit.anchors import parse_anchors
from rulekit.tools.audit.baseline import as_line, parse_accepted, split, stale
from rulekit.tools.audit.claim_checking import MARKS, NO_RULE, Audit, agrees, audit_book
from rulekit.tools.audit.findings import AuditedRules
from rulekit.tools.audit.numeral_parsing import numerals
from rulekit.tools.audit.reports import anchors_of, rules_of
from rulekit.tools.audit.value_names import NoValue, Value, value_of
from rulekit.tools.documents.reader_text import Doubt, DoubtKind
from tests.audit.mutate_books import mutate
from tests.paths import BOOKS, EXAMPLES, GAMES

GOATS = EXAMPLES / "goat_path.rules"
BOOK, ANCHORS = BOOKS / "goat_path.it.md", BOOKS / "goat_path.it.anchors"


@cache
def rules(text: str = "") -> AuditedRules:
    return rules_of(str(GOATS), {})


def audited(book: str | None = None, anchors: str | None = None, known: AuditedRules | None = None) -> Audit:
    problems = Problems()
    tied = parse_anchors(Source("own.anchors", ANCHORS.read_text() if anchors is None else anchors), problems)
    assert not problems.found, problems.found
    return audit_book(indexed(Source("book", BOOK.read_text() if book is None else book)), tied, known or rules())


def faults(anchors: str, book: str = "eins zwei\n") -> list[str]:
    problems = Problems()
    tied = parse_anchors(Source("own.anchors", anchors), problems)
    made = audit_book(indexed(Source("book", book)), tied, rules()) if tied.language else None
    found = [*problems.found, *(made.faults if made else ())]
    assert all(entry.span.source == "own.anchors" and entry.span.line for entry in found)
    return [entry.code for entry in found]


def test_the_fault_of_the_small_book_is_found_with_everything_it_takes() -> None:
    (finding,) = audited().findings
    assert (finding.code, finding.read, finding.had) == ("number-differs", "2", "1")
    assert finding.clauses == ("GP-8", "GP-9")
    assert finding.rule.endswith("goat_path.rules:29: if steps is 1")
    assert (finding.diagnostic.span.line, finding.diagnostic.span.column) == (14, 16)
    assert "“2”" in finding.diagnostic.title


def test_nothing_is_wrong_with_the_anchors_of_the_small_book() -> None:
    assert audited().faults == ()
    assert all(reading.passage for reading in audited().readings)


def test_changes_of_numbers_are_seen() -> None:
    outcome = mutate("goat_path", BOOK, GOATS, ANCHORS)
    assert outcome.stating == outcome.tied == 16
    # One change makes the planted fault right by chance.
    assert outcome.seen == 15
    assert len(outcome.unseen) == 1
    assert (outcome.words, outcome.turned) == (2, 2)
    assert "tira un [2]" in outcome.unseen[0]


def test_changes_of_words_are_flagged_before_and_after_a_passage_is_tied() -> None:
    outcome = mutate("goat_path", BOOK, GOATS, ANCHORS, with_words=True)
    kinds = {name: (tried, seen) for name, tried, seen in outcome.kinds}
    assert kinds["negation dropped"] == (1, 1)
    assert kinds["negation dropped, before it was tied: the rules deny"] == (1, 1)
    assert (kinds["negation added"], kinds["negation added, before it was tied"]) == ((4, 4), (2, 2))
    assert kinds["comparison added"] == (4, 4)


def test_a_change_of_the_rules_is_seen_from_the_book(tmp_path: Path) -> None:
    other = tmp_path / "goats.rules"
    other.write_text(GOATS.read_text().replace("cliff 0..30", "cliff 0..31"))
    findings = audited(known=rules_of(str(other), {})).findings
    assert [(finding.read, finding.had) for finding in findings] == [("30", "31"), ("2", "1")]


def test_a_new_layout_changes_no_finding() -> None:
    wrapped = "\n".join(textwrap.fill(line, 33) for line in BOOK.read_text().split("\n"))
    assert [f.digest for f in audited(wrapped).findings] == [f.digest for f in audited().findings]


def test_a_changed_quote_is_still_found_and_reported() -> None:
    made = audited(BOOK.read_text().replace("La parete ha 30", "La parete aveva 30"), ANCHORS.read_text())
    assert [fault.code for fault in made.faults] == ["anchor-nowhere"]
    assert made.faults[0].title == "“La parete ha” is not in the book", "the heading is as like it"
    made = audited(BOOK.read_text().replace("Chi arriva su una", "Chi arriva sopra una"), ANCHORS.read_text())
    assert [fault.title for fault in made.faults] == ["“Chi arriva su” now reads “chi arriva sopra”"]
    longer = ANCHORS.read_text().replace('"Chi arriva su"', '"Chi arriva su una cengia occupata"')
    made = audited(BOOK.read_text().replace("Chi arriva su una", "Chi arriva sopra una"), longer)
    assert [(fault.code, fault.level) for fault in made.faults] == [("anchor-drifted", "warning")]
    assert len(made.findings) == 1


def test_a_quote_whose_words_before_it_are_gone_is_found_between_its_neighbours() -> None:
    made = audited(BOOK.read_text().replace("La capra sale", "Ogni capra sale"), ANCHORS.read_text())
    told = [fault.title for fault in made.faults]
    assert "“La capra sale” does not stand before “scivola e torna” any more" in told
    assert "“La capra sale” now reads “ogni capra sale”" in told
    assert [finding.code for finding in made.findings] == [finding.code for finding in audited().findings]


def test_a_drifted_quote_before_an_anchor_leads_no_other_passage_astray() -> None:
    anchors = """language it
"Chi ultimo arriva qui" : @GP-1
"La capra" after "Chi ultimo arriva qui" to "La fine adesso" : @GP-9
    reads climb:steps
    denies @GP-9
"""
    book = "La capra dorme. Chi ultimo arriva qui aspetta. La capra sale di 1. {}; poi non sale di 5."
    made = audited(book.format("La fine adesso"), anchors)
    assert (made.findings, made.faults) == ((), ())
    made = audited(book.format("La fine adesso").replace("ultimo", "primo"), anchors)
    assert [fault.code for fault in made.faults] == ["anchor-drifted", "anchor-drifted"]
    assert made.findings == ()
    made = audited(book.format("La fine intanto"), anchors)
    assert [fault.title for fault in made.faults] == ["“La fine adesso” now reads “la fine intanto”"]
    assert made.findings == ()
    made = audited(book.format("Intanto dorme"), anchors)
    assert [fault.code for fault in made.faults] == ["anchor-end"]
    assert made.findings == ()


def test_an_uncertain_number_is_reported_even_where_it_agrees() -> None:
    anchors = 'language en\n"The goat" : @GP-9\n    reads climb:steps\n    denies @GP-9\n'
    problems = Problems()
    tied = parse_anchors(Source("own.anchors", anchors), problems)
    for text, code in (("slips on 1½", "reading-uncertain"), ("slips on 1", None)):
        found = audit_book(indexed(Source("book", f"The goat {text}"), "en"), tied, rules()).findings
        assert [finding.code for finding in found if finding.code == "reading-uncertain"] == ([code] if code else [])
    doubt = Doubt(18, 19, DoubtKind.SPACED)
    found = audit_book(indexed(Source("book", "The goat slips on 2"), "en", [doubt]), tied, rules()).findings
    assert [finding.code for finding in found] == ["number-differs", "reading-uncertain"]
    assert "letters stand apart" in found[0].diagnostic.note


def test_a_number_more_and_a_number_less_upset_only_their_neighbours() -> None:
    more = audited(BOOK.read_text().replace("La parete ha 30", "La parete ha 12 pini e 30"))
    assert next((f.code, f.read) for f in more.findings) == ("number-unexpected", "12")
    assert len(more.findings) == 2
    less = audited(BOOK.read_text().replace("la valle è lo zero", "la valle sta sotto"))
    assert [fault.code for fault in less.faults] == ["anchor-reads"]


def test_without_names_any_number_of_the_clause_will_do() -> None:
    anchors = 'language it\n"Sulle cenge" to "Chi arriva" : @GP-3\n'
    assert audited(anchors=anchors).findings == ()
    wrong = audited(BOOK.read_text().replace("ventinove", "ventotto"), anchors).findings
    assert [(f.read, f.had) for f in wrong] == [("28", "1, 29, at most 1")]


def test_moods_are_held_against_their_count_when_they_were_tied() -> None:
    (_, changed) = audited(BOOK.read_text().replace("si può tirare", "si deve tirare")).findings[:2]
    assert (changed.code, changed.read, changed.had) == ("words-changed", "may 0", "may 1")


BAD = (
    ("", "anchor-language"),
    ("language xx\n", "anchor-language"),
    ("language it\n", "no-anchors"),
    ('language it\n"eins zwei" @GP-1\n', "anchor-syntax"),
    ('language it\n"eins zwei" : GP-1\n', "anchor-syntax"),
    ("language it\nsome words\n", "anchor-syntax"),
    ('language it\n"eins"  :  @GP-1\n    says often\n', "anchor-syntax"),
    ('language it\n"eins"  :  @GP-1\n    denies never\n', "anchor-syntax"),
    ('language it\n"eins"  :  @GP-1\n    denies -\n', "anchor-syntax"),
    ('language it\n"a b c d e f g" : @GP-1\n', "anchor-quote"),
    ('language it\n"drei" : @GP-1\n', "anchor-nowhere"),
    ('language it\n"eins" to "drei" : @GP-1\n', "anchor-end"),
    ('language it\n"eins" : @GP-1\n    reads players:least\n', "anchor-reads"),
)


@pytest.mark.parametrize(("anchors", "code"), BAD)
def test_bad_anchors_are_findings_with_a_line(anchors: str, code: str) -> None:
    assert code in faults(anchors)


def test_a_quote_that_stands_twice_is_reported_with_both_lines() -> None:
    problems = Problems()
    tied = parse_anchors(Source("own.anchors", 'language it\n"x y" : @GP-1\n'), problems)
    (fault,) = audit_book(indexed(Source("book", "x y\nz\nx, y\n")), tied, rules()).faults
    assert (fault.code, fault.title) == ("anchor-twice", "“x y” stands 2 times in the book, in lines 1, 3")
    assert "own.anchors:2:1" in render(fault, {})
    assert faults('language it\n"x y" after "z" : @GP-1\n', "x y\nz\nx, y\n") == []


VALUES = (
    ("cliff:high", 30),
    ("size(cliff)", 31),
    ("cliff:spaces#2 + cliff:hold", 30),
    ("cliff:hold + players:most * cliff:hold", 5),
    ("count(goat, camp)", 2),
    ("count(ann, bob, cat)", 3),
    ("@GP-9", 1),
    ("cliff:high - 1", 29),
    ("just cliff:high", 30),
    ("nth(cliff:high in cliff)", 2),
    ("2 * players:most", 8),
    ('"one roll too many":chance#1', 5),
)


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_names_of_values(name: str, value: int) -> None:
    assert value_of(name, rules().rules).value == value


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("30", "`30` is only a number"),
        ("29 + 1", "is only a number"),
        ("clif:high", "did you mean `cliff`?"),
        ("cliff:top", "its numbers are about"),
        ("cliff", "has several numbers"),
        ("cliff:spaces#9", "there are only 2"),
        ("size(goat)", "no closed track"),
        ("count(sheep)", "nothing declared"),
        ("nth(sheep)", "no kind has a member"),
        ("nth(cliff:high in players)", "30 is none of these"),
        ("", "no name of a value"),
    ],
)
def test_what_is_no_name_of_a_value_says_why(name: str, says: str) -> None:
    with pytest.raises(NoValue, match=says.replace("(", r"\(").replace("?", r"\?")):
        value_of(name, rules().rules)


AGREE = (
    ("sotto il valore 1", Value(0, "at most", 0, ""), True),
    ("sul valore 1", Value(0, "at most", 0, ""), False),
    ("sul valore 1", Value(1, "at most", 0, ""), False),
    ("due o più", Value(1, "at least", 2, ""), True),
    ("due o meno", Value(1, "at least", 2, ""), False),
    ("due", Value(1, "at least", 2, ""), False),
    ("meno di sei", Value(5, "at most", 5, ""), True),
    ("meno di sei", Value(6, "", 6, ""), False),
    ("meno di sette", Value(6, "", 6, ""), False),
    ("fino a 2", Value(2, "", 2, "", end="at most"), True),
    ("2", Value(2, "", 2, "", end="at most"), False),
    ("la seconda", Value(2, "", 2, "", end="at most"), True),
    ("oltre 2", Value(2, "", 2, "", end="at most"), False),
    ("solo 2", Value(2, "", 2, "", end="at most"), True),
    ("solo da una", Value(1, "", 1, "", end="at most"), True),
    ("una sola", Value(1, "", 1, "", end="at most"), True),
    ("una sola", Value(2, "", 2, "", end="at most"), False),
    ("solo 2", Value(2, "", 2, "", end="at least"), False),
    ("solo 2", Value(2, "", 2, ""), True),
    ("almeno una sola", Value(1, "", 1, "", end="at most"), False),
    ("almeno 2", Value(2, "", 2, "", end="at most"), False),
    ("vale -2 punti", Value(-2, "", -2, ""), True),
    ("vale -2 punti", Value(2, "", 2, "", sinks=True), True),
    ("vale -2 punti", Value(2, "", 2, ""), False),
    ("vale 2 punti", Value(-2, "", -2, ""), False),
    ("vale 2 punti", Value(2, "", 2, "", sinks=True), False),
    ("perde 2 punti", Value(-2, "", -2, ""), True),
)


@pytest.mark.parametrize(("text", "value", "expected"), AGREE)
def test_what_agrees_in_number_comparison_and_sign(text: str, value: Value, expected: bool) -> None:
    (numeral,) = numerals(text, "it")
    assert agrees(numeral, value) is expected


RANGES = (
    ("da 2 a 4", "it", ("at least", "at most")),
    ("dallo 0 al 20", "it", ("at least", "at most")),
    ("tra due e quattro", "it", ("at least", "at most")),
    ("2-4 giocatori", "it", ("at least", "at most")),
    ("2 o 1", "it", ("at most", "at least")),
    ("2 o 5", "it", ("", "")),
    ("2 e 4", "it", ("", "")),
    ("zwei bis vier", "de", ("at least", "at most")),
    ("between 2 and 4", "en", ("at least", "at most")),
    ("2 and 4", "en", ("", "")),
)


@pytest.mark.parametrize(("text", "language", "expected"), RANGES)
def test_a_range_that_is_spelled_out_says_both_of_its_ends(text: str, language: str, expected: tuple[str, str]) -> None:
    low, high = numerals(text, language)
    assert (low.edge, high.edge) == expected


@pytest.mark.parametrize(
    ("book", "name", "read", "had"),
    [
        ("La capra sale con 4 amici. Fine", "players:most", "4", "at most 4"),
        ("La capra sale con almeno 4 amici. Fine", "players:most", "at least 4", "at most 4"),
        ("La capra sale con 2 amici. Fine", "players:least", "2", "at least 2"),
        ("La capra sale al massimo con 4 amici. Fine", "players:most", "4", "at most 4"),
        ("La capra sale con al massimo 4 amici. Fine", "just players:most", "at most 4", "4"),
    ],
)
def test_a_bound_that_the_rules_have_must_be_said(book: str, name: str, read: str, had: str) -> None:
    (finding,) = audited(book, ANCHORED.format(f"reads {name}")).findings
    assert (finding.code, finding.read, finding.had) == ("number-differs", read, had)
    assert ("if the text leaves that unsaid" in finding.diagnostic.title) == (read == had[-1])


def test_an_article_that_is_left_of_a_bound_is_named() -> None:
    anchors = ANCHORED.format("reads players:most, at least bone#1")
    assert not audited("La capra: al massimo 4 passi, almeno una volta. Fine", anchors).findings
    audit = audited("La capra: al massimo 4 passi, una capra sale. Fine", anchors)
    assert [(f.code, f.read, f.had) for f in audit.findings] == [("number-differs", "1", "at least 1")]
    assert "“una”" in audit.findings[0].diagnostic.title
    assert not audit.faults
    (fault,) = audited("La capra: al massimo 4 passi, e sale. Fine", anchors).faults
    assert fault.code == "anchor-reads"


def test_a_bound_is_said_or_named_as_left_unsaid() -> None:
    said = (("al massimo 4", "players:most"), ("4", "just players:most"))
    assert all(not audited(f"La capra: {text}. Fine", ANCHORED.format(f"reads {name}")).findings for text, name in said)
    ranged = audited("La capra: da 2 a 4. Fine", ANCHORED.format("reads players:least, players:most"))
    assert not ranged.findings


def test_the_ends_of_ranges_are_bounds_where_a_book_makes_them_so() -> None:
    (most, least, room) = (value_of(name, rules().rules) for name in ("players:most", "players:least", "cliff:hold"))
    assert [(value.bound, value.end) for value in (most, least, room)] == [
        ("", "at most"),
        ("", "at least"),
        ("", "at most"),
    ]


def test_the_smaller_of_two_is_bounded_by_the_number_among_them() -> None:
    flock = rules_of(str(GAMES / "hornochsen.rules"), {})
    ends = [(c.value, c.end) for c in flock.rules.constants if "HO-20" in c.clauses and "allowed" in c.homes]
    assert (3, "at most") in ends


def test_what_is_denied_is_bounded_the_other_way() -> None:
    flock = rules_of(str(GAMES / "hornochsen.rules"), {})
    hand = value_of("@HO-21:count it.hand", flock.rules)
    assert (hand.value, hand.bound, hand.limit) == (9, "at most", 9)


ANCHORED = """language it
"La capra" to "Fine" : @GP-8
    {}
"""


def denials(book: str, says: str, clause: str = "GP-8") -> list[tuple[str, str, str]]:
    anchors = ANCHORED.format(says).replace("GP-8", clause)
    found = audited(book, anchors).findings
    assert all(f.rule.startswith("examples") or ".rules:" in f.rule for f in found)
    return [(f.code, f.read, f.had) for f in found]


@pytest.mark.parametrize("word", ["doesn't", "doesn’t"])
def test_a_contraction_is_one_word_of_a_negation(word: str) -> None:
    def findings(says: str) -> list[tuple[str, str]]:
        anchors = ANCHORED.format(says).replace("language it", "language en")
        return [(one.code, one.read) for one in audited(f"La capra {word} climb. Fine", anchors).findings]

    assert findings("says may 0") == [("denial-unexpected", "doesn't climb")]
    assert findings(f'denies "{word} climb" ?') == findings('denies "doesn t climb" ?') == []


def test_a_negation_that_the_rules_do_not_have_is_named_with_what_they_have() -> None:
    assert denials("La capra sale. Fine", "says may 0") == []
    assert denials("La capra non sale. Fine", "says may 0") == [("denial-unexpected", "non sale", "no negation")]
    assert denials("La capra non sale. Fine", 'denies "non sale" @GP-8') == [
        ("denial-unexpected", "non sale", "no negation")
    ]
    assert denials("La capra non sale. Fine", 'denies "non sale" ?') == []
    assert denials("La capra non sale. Fine", 'denies "non sale" ???')[0][0] == "denial-unexpected"


def test_a_negation_that_is_gone_is_named_by_the_words_that_stand_there_now() -> None:
    said = 'denies "non sale niente" @GP-5'
    assert denials("La capra non sale niente. Fine", said + ', "niente fine" -', "GP-5") == []
    assert denials("La capra sale su. Fine", said, "GP-5") == [("denial-missing", "sale", "“nothing” in GP-5")]
    assert denials("La capra cade. Fine", said, "GP-5") == [("denial-missing", "La capra", "“nothing” in GP-5")]


def test_of_two_negations_alike_the_one_that_is_gone_is_found() -> None:
    said = 'denies "non sale niente oggi" @GP-5, "niente oggi" -, "non sale su ora" -'
    (finding,) = audited(
        "La capra sale niente oggi, e non sale su ora. Fine", ANCHORED.format(said).replace("GP-8", "GP-5")
    ).findings
    assert (finding.code, finding.read) == ("denial-missing", "sale")


def test_the_words_behind_a_lost_negation_may_stand_in_the_next_passage() -> None:
    said = 'denies "niente fine corsa" @GP-5'
    assert denials("La capra sale, niente. Fine corsa", said, "GP-5") == []
    assert denials("La capra sale. Fine corsa", said, "GP-5") == [("denial-missing", "fine corsa", "“nothing” in GP-5")]


def test_a_negation_of_the_rules_has_to_be_said_or_named_as_said_in_other_words() -> None:
    assert denials("La capra non sale. Fine", 'denies "non sale" -', "GP-5") == [
        ("denial-untold", "La capra", "“nothing” in GP-5")
    ]
    assert denials("La capra non sale. Fine", 'denies "non sale" -, @GP-5', "GP-5") == []


def test_a_clause_that_denies_without_saying_not_has_to_be_told_as_well() -> None:
    assert denials("La capra sale. Fine", "says may 0", "GP-7") == [("denial-untold", "La capra", "“until” in GP-7")]
    assert denials("La capra sale. Fine", "denies @GP-7", "GP-7") == []
    assert denials("La capra non sale. Fine", 'denies "non sale" @GP-7', "GP-7") == []


def test_where_a_clause_denies_nothing_its_lines_count() -> None:
    found = audited("La capra sale. Fine", ANCHORED.format("says may 0").replace("GP-8", "GP-9")).findings
    assert [(f.code, f.had) for f in found] == [("denial-untold", "“stop” in GP-9")]
    assert found[0].rule.endswith("goat_path.rules:31: stop climb")
    assert denials("La capra non sale. Fine", 'denies "non sale" @GP-9', "GP-9") == []


def test_a_clause_denies_no_more_than_its_words_do() -> None:
    said = 'denies "non sale" @GP-9, "mai oggi" {}'
    assert denials("La capra non sale mai oggi. Fine", said.format("@GP-9"), "GP-9") == [
        ("denial-unexpected", "mai oggi", "“stop” in GP-9")
    ]
    assert denials("La capra non sale mai oggi. Fine", said.format("="), "GP-9") == []


@pytest.mark.parametrize("clause", ["GP-7", "GP-9", "GP-5"])
def test_a_negation_that_was_lost_before_its_passage_was_tied_is_found_where_the_rules_deny(clause: str) -> None:
    # Whoever ties the faulty text sees no negation, and so writes nothing of one.
    assert [code for code, _, _ in denials("La capra sale. Fine", "says may 0", clause)] == ["denial-untold"]


@pytest.mark.parametrize("book", ["La capra può salire. Fine", "La capra deve salire. Fine"])
def test_a_permission_and_a_duty_that_the_anchor_does_not_list_are_compared(book: str) -> None:
    assert [code for code, _, _ in denials(book, "says not 0")] == ["words-changed"]


def test_words_of_the_language_that_are_numbers() -> None:
    sheep = rules_of(str(GAMES / "shear_panic.rules"), {}).rules
    names = ("shove:push", "shove:chooses", "turn_flock:left", "deed[boing]:first_gap")
    assert [value_of(name, sheep).value for name in names] == [1, 1, 90, 1]
    any_own = value_of("can_act:any", sheep)
    assert (any_own.bound, any_own.limit) == ("at least", 1)
    with pytest.raises(NoValue, match="its numbers are about"):
        value_of("turn_flock", sheep)


DENYING = """game "G"
    players 2
> A-1 One.
> A-2 Two.
> A-3 Three.
track path 0..9                                             @A-1
    edge stops                                              @A-2
unclear way "Which?"
    left "left" default
    right "right"
each player has
    piece goat on path at 0
play
    do turns
action turns
    repeat
        each player: do go(player), may stop turns          @A-3
action go(player)
    if player.goat is not 3 @A-1 or no (players whose goat is 4) @A-2: stop go
    if way is right: stop turns                             @A-1
    player chooses other from players except player "Who?"  @A-2
    only if other.goat not in 1..4
    skip jump                                               @A-3
    step jump: move player.goat up by 1
    each one in players
        if one.goat is 5: next one                          @A-1
result: rank players by highest goat
invariant "none": no (players whose goat is 9)              @A-1
scenario "s"                                                @A-2
    players ann, bob
    expect not ann.goat is 3
"""


def test_what_lines_deny_belongs_to_the_clauses_cited_nearest(tmp_path: Path) -> None:
    path = tmp_path / "g.rules"
    path.write_text(DENYING)
    found = rules_of(str(path), {}).denials
    assert [(denial.word, denial.clauses) for denial in found if not (denial.unless or denial.is_example)] == [
        ("edge stops", ("A-2",)),
        ("may stop", ("A-3",)),
        ("is not", ("A-1",)),
        ("no", ("A-2",)),
        ("stop", ("A-1", "A-2")),
        ("except", ("A-2",)),
        ("only if", ()),
        ("not in", ()),
        ("skip", ("A-3",)),
        ("next", ("A-1",)),
    ]
    assert [(denial.word, denial.clauses, denial.unless) for denial in found if denial.unless] == [
        ("stop", ("A-1",), "way")
    ]
    assert [(denial.word, denial.clauses) for denial in found if denial.is_example] == [("not", ("A-2",))]


def test_only_the_default_reading_is_what_the_rules_have() -> None:
    tiger = rules_of(str(GAMES / "fuzzy_tiger.rules"), {})
    awake = value_of("awake", tiger.rules)
    assert (awake.value, awake.bound, awake.limit) == (0, "at most", 0)


def test_what_is_accepted_stays_so_until_text_or_rule_changes(tmp_path: Path) -> None:
    (finding,) = audited().findings
    accepted = parse_accepted(Source("list", as_line(finding) + "a misprint\n"), Problems())
    assert split(audited().findings, accepted) == ([], [finding])
    assert not stale([finding], accepted)
    other = audited(BOOK.read_text().replace("tira un 2", "tira un 3")).findings
    assert split(other, accepted)[0] == list(other)
    assert [entry.code for entry in stale(other, accepted)] == ["accepted-gone"]


def test_accepting_takes_a_reason() -> None:
    problems = Problems()
    assert parse_accepted(Source("list", "0123456789 number-differs GP-1: \nnonsense\n"), problems) == ()
    assert [(entry.code, entry.span.line) for entry in problems.found] == [
        ("accepted-reason", 1),
        ("accepted-syntax", 2),
    ]


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(cli, ["text", "audit", *arguments], standalone_mode=False)
    code = result.return_value if isinstance(result.return_value, int) else 1
    return code, result.output + (str(result.exception) if result.exception else "")


def test_the_command_tells_findings_and_ends_with_one() -> None:
    code, output = run(str(GOATS), "--book", str(BOOK), "--anchors", str(ANCHORS))
    assert code == 1
    assert "the book reads “2”, the rules of GP-8, GP-9 have 1 (`climb:steps`)" in output
    assert "1 finding, 0 accepted" in output


def test_the_command_writes_json() -> None:
    code, output = run(str(GOATS), "--book", str(BOOK), "--anchors", str(ANCHORS), "--format", "json")
    (finding,) = json.loads(output)["findings"]
    assert code == 1
    assert (finding["read"], finding["had"], finding["line"], finding["accepted"]) == ("2", "1", 14, False)


def test_accepted_findings_end_with_zero(tmp_path: Path) -> None:
    listed = tmp_path / "own.accepted"
    listed.write_text(as_line(audited().findings[0]) + "a misprint\n")
    code, output = run(str(GOATS), "--book", str(BOOK), "--anchors", str(ANCHORS), "--accepted", str(listed))
    assert (code, "0 findings, 1 accepted" in output) == (0, True)


def test_a_book_that_is_not_utf_8_is_named_with_its_line(tmp_path: Path) -> None:
    bad = tmp_path / "book.md"
    bad.write_bytes(b"eins\nzw\xe4i\n")
    code, output = run(str(GOATS), "--book", str(bad), "--anchors", str(ANCHORS))
    assert code == 1
    assert "not-utf-8" in output
    assert "book.md:2:3" in output


@pytest.mark.parametrize("path", sorted((GAMES / "text").glob("*.anchors")), ids=lambda path: path.name)
def test_shipped_anchors_are_whole(path: Path) -> None:
    """Without the book: clauses and names of values are those of the game, quotes short and free of numbers."""
    problems = Problems()
    known = rules_of(str(GAMES / f"{path.name.split('.')[0]}.rules"), {})
    tied = anchors_of(str(path), known, {}, problems)
    assert not problems.found
    for anchor in tied.anchors:
        assert not numerals(anchor.quote, tied.language), anchor.quote
        for name in anchor.reads or ():
            assert name in MARKS or value_of(name, known.rules)


def test_numbers_without_rules_are_told_apart() -> None:
    assert [r.numeral.text for r in audited().readings if r.verdict == NO_RULE] == ["sei", "prima"]
