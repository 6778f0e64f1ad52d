"""What a text claims beside numbers, held against what the rules claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit.diagnostics import Problems
from rulekit.source import NOWHERE, Source
from rulekit.tools.audit.anchor_matching import indexed
from rulekit.tools.audit.anchors import parse_anchors
from rulekit.tools.audit.claim_checking import audit_book
from rulekit.tools.audit.findings import AuditedRules, Finding
from rulekit.tools.audit.reports import of_clauses, rules_of
from rulekit.tools.audit.translation_check import Pair, compare
from rulekit.tools.claims.claim_values import CONTRARY, JOINT, KINDS
from rulekit.tools.claims.word_tables import BadTable, parsed_table, read_words, table_of

RACE = """\
game "Race"
    players 2..4
each player has
    counter coins
    pile hand of card starts deck, seen by owner
cards deck of card
    card 1 "One"
    card 2 "Two"
play
    > A-1 All choose a card in secret.
    secretly each player
        player chooses card from player.hand "Which?"
    > A-2 The lowest card gains a coin.
    each player in players with lowest coins: raise player.coins by 1
    > A-3 Who has as many coins as a rich one, or more, gets another.
    each player in players whose coins at least rich: raise player.coins by 1
    > A-5 Each in turn loses a card.
    each player in players by coins: player chooses card from player.hand "Which?"
    end game
result
    > A-4 The most coins win.
    rank players by highest coins
define rich is 3
"""
LANGUAGES = ("it", "en", "de")


@pytest.fixture
def rules(tmp_path_factory: pytest.TempPathFactory) -> AuditedRules:
    path = tmp_path_factory.mktemp("race") / "race.rules"
    path.write_text(RACE)
    return rules_of(str(path), {})


def findings(rules: AuditedRules, text: str, clause: str, claims: str = "") -> list[Finding]:
    lines = f'language it\n"Regola" : @{clause}\n' + (f"    claims {claims}\n" if claims else "")
    anchors = parse_anchors(Source("own.anchors", lines), Problems())
    made = audit_book(indexed(Source("book", f"Regola. {text}\n")), anchors, rules).findings
    return [finding for finding in made if finding.code == "claim-differs"]


def test_the_contrary_of_an_extreme_is_found_with_word_fact_and_line(rules: AuditedRules) -> None:
    assert not findings(rules, "La carta più bassa guadagna.", "A-2")
    (finding,) = findings(rules, "La carta più alta guadagna.", "A-2")
    assert (finding.read, finding.had) == ("più alta", "players with lowest coins")
    assert finding.rule.endswith("race.rules:14: each player in players with lowest coins: raise player.coins by 1")
    assert "“più alta”" in finding.diagnostic.title
    assert finding.diagnostic.span.column == 18


def test_what_is_read_over_the_end_of_a_line_is_quoted_in_one(rules: AuditedRules) -> None:
    (finding,) = findings(rules, "La carta più\nalta guadagna.", "A-2")
    assert finding.read == "più alta"


def test_a_whole_comparison_is_held_against_what_lines_compare(rules: AuditedRules) -> None:
    assert not findings(rules, "Chi ha un valore uguale o maggiore è ricco.", "A-3")
    (finding,) = findings(rules, "Chi ha un valore uguale o\nminore è ricco.", "A-3")
    assert (finding.read, finding.had) == ("uguale o minore", "coins at least rich")


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Vince chi ha più punti.", []),
        ("Chi ha meno punti perde.", []),
        ("Vince chi ha meno punti.", ["meno punti"]),
        ("Chi ha più punti perde.", ["più punti"]),
        ("Chi ha più punti perde, chi vince decide.", []),
    ],
)
def test_who_wins_is_said_by_an_extreme_and_an_outcome_together(
    rules: AuditedRules, text: str, read: list[str]
) -> None:
    found = [finding for finding in findings(rules, text, "A-4") if finding.read == "perde"]
    assert [finding.read for finding in findings(rules, text, "A-4") if finding not in found] == read


def test_where_a_phrase_goes_on_otherwise_is_pointed_at(rules: AuditedRules) -> None:
    named = "carta, dal più basso al più alto, carta"
    assert not findings(rules, "Una carta, dal più basso al più alto, e un'altra carta.", "A-5", named)
    (finding,) = findings(rules, "Una carta, dal più basso al più basso, e un'altra carta.", "A-5", named)
    assert (finding.read, finding.had) == ("al più basso", "players by coins")


def test_a_sign_that_was_named_is_found_when_it_turns(rules: AuditedRules) -> None:
    assert not findings(rules, "Il più basso guadagna.", "A-2", "più basso, guadagna")
    assert not findings(rules, "Il più basso riceve.", "A-2", "più basso, guadagna")
    (finding,) = findings(rules, "Il più basso perde.", "A-2", "più basso, guadagna")
    assert (finding.read, finding.had) == ("perde", "raise player.coins")


def test_a_word_that_was_named_is_missed(rules: AuditedRules) -> None:
    assert not findings(rules, "Scelgono una carta in segreto, tutti insieme.", "A-1", "carta, in segreto")
    (finding,) = findings(rules, "Scelgono una carta, tutti insieme.", "A-1", "in segreto")
    assert finding.had == "secretly each player"
    assert finding.rule.endswith("race.rules:11: secretly each player")
    assert not findings(rules, "Scelgono una carta.", "A-2", "in segreto"), "the lines have nothing of it"


def test_what_the_rules_do_not_decide_is_silent(rules: AuditedRules) -> None:
    assert not findings(rules, "Il più basso va avanti, in segreto.", "A-2")
    assert not findings(rules, "La più alta guadagna.", "A-1")


def test_secret_and_open_are_contrary(rules: AuditedRules) -> None:
    assert not findings(rules, "Scelgono segretamente.", "A-1")
    assert [finding.read for finding in findings(rules, "Scelgono apertamente.", "A-1")] == ["apertamente"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_has_words_for_every_sense(language: str) -> None:
    found = {sense for senses in table_of(language, {}).senses.values() for sense in senses}
    found |= {sense for _, senses in table_of(language, {}).starred for sense in senses}
    assert found | JOINT == set(KINDS) >= set(CONTRARY)


def test_the_longest_phrase_counts() -> None:
    (word,) = read_words("Il *più* basso", table_of("it", {"basso": frozenset({"=voice"})}))
    assert (word.text, word.senses) == ("più basso", {"low"})


def test_a_line_that_names_no_sense_is_refused() -> None:
    with pytest.raises(BadTable, match="1:1"):
        parsed_table(Source("xx.words", "middling: so so\n"))


def test_a_clause_that_says_the_contrary_of_its_lines_is_found(tmp_path: Path) -> None:
    path = tmp_path / "race.rules"
    path.write_text(RACE)
    assert not of_clauses(str(path), None).open
    path.write_text(RACE.replace("The lowest card", "The highest card"))
    (finding,) = of_clauses(str(path), None).open
    assert (finding.code, finding.read, finding.had) == ("clause-claim", "highest", "players with lowest coins")


@pytest.mark.parametrize(
    ("language", "same", "other"),
    [
        ("it", "La carta più bassa guadagna.", "La carta più alta guadagna."),
        ("de", "Die niedrigste Karte bekommt eine Münze.", "Die höchste Karte bekommt eine Münze."),
        ("it", "La carta più bassa guadagna.", "La carta più bassa perde."),
    ],
)
def test_a_translation_that_says_the_contrary_is_found(
    rules: AuditedRules, language: str, same: str, other: str
) -> None:
    text = "The lowest card gains a coin."
    assert not list(compare(Pair("A-2", text, same, language, NOWHERE), rules))
    (finding,) = compare(Pair("A-2", text, other, language, NOWHERE), rules)
    assert finding.code == "translation-claim"


def test_more_and_fewer_of_a_thing_of_the_game_are_one_phrase() -> None:
    table = table_of("it", {"mosche": frozenset({"=fly"})})
    assert [(word.text, word.senses) for word in read_words("Chi ha meno mosche, più mosche, più sole.", table)] == [
        ("meno mosche", {"few"}),
        ("più mosche", {"many"}),
    ]
