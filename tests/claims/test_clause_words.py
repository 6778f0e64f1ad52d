"""The words of clauses held against their lines and against their translations."""

from __future__ import annotations

from pathlib import Path

from rulekit.tools.audit.findings import Finding
from rulekit.tools.audit.reports import of_clauses

RACE = """\
game "Race"
    players 2..4
each player has
    counter coins
play
    > A-1 {text}
    each player in players with lowest coins: raise player.coins by 1
    > A-2 Nobody gets a coin without a card.
    end game
result
    > A-3 The most coins win.
    rank players by highest coins
"""
TEXTS = {
    "it": (
        "Chi ha il valore più basso guadagna.",
        "Nessuno riceve una moneta senza una carta.",
        "Vince chi ha di più.",
    ),
    "de": ("Der niedrigste Wert gewinnt.", "Niemand bekommt eine Münze ohne Karte.", "Die meisten Münzen gewinnen."),
}


def found(folder: Path, text: str, languages: str = "it de") -> list[Finding]:
    (folder / "text").mkdir(exist_ok=True)
    (folder / "race.rules").write_text(RACE.format(text=text))
    for language in languages.split():
        entries = [
            f'msgctxt "A-{at}"\nmsgid "as it was"\nmsgstr "{told}"\n'
            for at, told in enumerate(TEXTS[language], start=1)
        ]
        (folder / "text" / f"race.{language}.po").write_text('msgid ""\nmsgstr ""\n\n' + "\n".join(entries))
    return list(of_clauses(str(folder / "race.rules"), None).open)


def test_a_clause_that_says_what_its_lines_and_translations_say_is_silent(tmp_path: Path) -> None:
    assert found(tmp_path, "Who has the lowest value gains.") == []


def test_what_only_the_clause_says_is_found_with_word_fact_and_line(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "Who has the lowest value loses.")
    assert (finding.code, finding.clauses, finding.read) == ("clause-claim", ("A-1",), "loses")
    assert finding.had == "raise player.coins"
    assert finding.rule.endswith("race.rules:7: each player in players with lowest coins: raise player.coins by 1")
    assert finding.diagnostic.title == "A-1 says “loses”, its translations have “gewinnt”"


def test_one_translation_is_no_majority(tmp_path: Path) -> None:
    assert found(tmp_path, "Who has the lowest value loses.", "it") == []


def test_what_lines_say_firmly_needs_no_translation(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "Who has the highest value gains.", "")
    assert (finding.read, finding.had) == ("highest", "players with lowest coins")


def test_a_negation_that_no_translation_has_is_found(tmp_path: Path) -> None:
    (finding,) = found(tmp_path, "Who has the lowest value does not gain.")
    assert finding.diagnostic.title == "A-1 has “not”, its translations no word for it"
    assert (finding.read, finding.had, finding.rule.split(":")[-3]) == ("“not”", "no word for it", "7")
