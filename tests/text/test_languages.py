"""Reports in other languages: the words are the language's, the figures and what scripts read stay the same."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.apps.console import Failed
from tests import paths

SMALL = """game "Ping"
    players 2
unclear late "When is it over?"
    > U-1 It is over at ten.
    ten   "on ten or beyond" default
    later "beyond ten"
> P-0 Each has points.
each player has
    counter points 0..99
play
    repeat
        each player
            player chooses step from 1..3
            raise player.points by step
            > P-1 Riches bring more.
            if player.points above 90: raise player.points by 1
            > P-2 Whoever has enough ends the game.
            if player.points at least (if late is ten then 10 else 11): end game
scenario "a step"                                         @P-2
    players red, blue
    when red chooses 3
    expect red.points is 3
result: rank players by highest points
"""
TRANSLATED = (
    '{header}\nmsgctxt "P-1"\nmsgid "Riches bring more."\nmsgstr "Chi è ricco prende di più."\n\n'
    'msgctxt "P-2"\nmsgid "Whoever has enough ends the game."\nmsgstr "Chi ne ha abbastanza chiude la partita."\n'
)
HEADER = (
    'msgid ""\nmsgstr ""\n"Project-Id-Version: Ping\\n"\n"Language: it\\n"\n'
    '"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: nplurals=2; plural=(n != 1);\\n"\n'
)


@pytest.fixture
def rules(tmp_path: Path) -> str:
    path = tmp_path / "ping.rules"
    path.write_text(SMALL, encoding="utf-8")
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ping.it.po").write_text(TRANSLATED.format(header=HEADER), encoding="utf-8")
    return str(path)


def said(*arguments: str) -> str:
    """What is printed to standard output."""
    done = CliRunner().invoke(cli, list(arguments), standalone_mode=False)
    assert done.exception is None, done.exception
    return done.stdout


def test_coverage_tells_why_not_in_the_language(rules: str) -> None:
    told = said("text", "coverage", rules, "--games", "10", "--lang", "it")
    assert told.startswith("10 partite e 1 esempio\n")
    assert "  condizione mai vera: `player.points above 90` (riga 16)\n" in told
    assert "lettura late=ten" in told
    assert "la lettura di base; 1 esempio non ne dice nulla" in told
    assert re.search(r"^passo P-2 +1 +100\.0%$", told, re.MULTILINE)


def test_a_witness_is_told_in_the_language(rules: str) -> None:
    told = said("text", "witness", rules, "P-2", "--games", "20", "--lang", "it")
    assert told.startswith("# P-2: Chi ne ha abbastanza chiude la partita.\n")
    assert said("text", "witness", rules, "P-1", "--games", "5", "--lang", "it").startswith(
        "P-1 non è mai stato messo in atto in "
    )


def test_why_a_clause_has_no_witness_is_told_in_the_language(rules: str) -> None:
    done = CliRunner().invoke(cli, ["text", "witness", rules, "P-0", "--lang", "de"], standalone_mode=False)
    assert isinstance(done.exception, Failed)
    assert "P-0: das sagt, wie es ist, nicht, was getan wird" in str(done.exception)


def test_changes_that_nobody_notices_are_told_in_the_language(rules: str) -> None:
    told = said("text", "pin", rules, "--clause", "P-1", "--no-examples", "--lang", "it")
    assert "P-1: Chi è ricco prende di più.\n" in told
    assert re.search(r"ping\.rules:16:\d+: `90` diventa `91`\n", told)
    assert re.search(r"^\d+ modifiche provate: \d+ notate da un esempio, \d+ no$", told, re.MULTILINE)


def differing(rules: str, *options: str) -> str:
    other = Path(rules).with_name("other.rules")
    other.write_text(SMALL.replace("from 1..3", "from 1..2"), encoding="utf-8")
    done = CliRunner().invoke(cli, ["diff", rules, str(other), "--games", "5", *options], standalone_mode=False)
    assert done.return_value == 1
    return done.stdout


def test_a_difference_is_told_in_the_language(rules: str) -> None:
    told = differing(rules, "--lang", "it")
    assert "\nChe cosa può scegliere red:\n  nel primo: " in told
    assert '\nscenario "dove i due si separano"' in told
    assert differing(rules, "--json", "--lang", "it") == differing(rules, "--json")


def test_why_something_was_not_offered_is_told_in_the_language(rules: str, tmp_path: Path) -> None:
    path = Path(rules)
    path.write_text(SMALL.replace("from 1..3", "from 1..3 where it at most 2"), encoding="utf-8")
    log = str(tmp_path / "ping.log")
    said("run", rules, "--seats", "random,random", "--seed", "1", "--record", log)
    told = said("explain", log, "--at", "1", "--lang", "de")
    assert "nicht angeboten: 3: `it at most 2` gilt nicht: it ist 3 (Zeile 13)" in told


@pytest.mark.parametrize(
    "command",
    [
        ("text", "coverage", "RULES", "--games", "5"),
        ("text", "witness", "RULES", "P-2", "--games", "5"),
        ("text", "pin", "RULES", "--clause", "P-1", "--no-examples"),
        ("simulate", "RULES", "--games", "5", "--seed", "a", "--engine", "wasm"),
    ],
    ids=lambda command: "-".join(command[:2]).lower(),
)
def test_scripts_read_the_same_in_every_language(command: tuple[str, ...], rules: str) -> None:
    words = [rules if word == "RULES" else word for word in command]
    assert said(*words, "--json", "--lang", "it") == said(*words, "--json")


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "it_IT.UTF-8"}, "it"),
        ({"LANG": "it_IT.UTF-8", "LC_MESSAGES": "de_AT"}, "de"),
        ({"LANG": "it_IT", "LC_MESSAGES": "it", "LC_ALL": "de@euro"}, "de"),
        ({"LANG": "it_IT", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "tlh", "LC_ALL": ""}, "en"),
        ({"LANG": "../it"}, "en"),
        ({}, "en"),
    ],
)
def test_who_asks_for_no_language_is_told_in_the_own(
    environment: dict[str, str], language: str, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commands = (["run", rules, "--seed", "1"], ["check", rules], ["test", rules])
    wanted = [said(*command, "--lang", language) for command in commands]
    monkeypatch.delenv("LC_ALL")
    monkeypatch.delenv("LANG", raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert [said(*command) for command in commands] == wanted


@pytest.mark.parametrize(
    "command",
    [
        ("run", "RULES", "--seed", "1", "--json"),
        ("check", "RULES", "--format", "json"),
        ("test", "RULES", "--format", "json"),
        ("text", "gaps", "RULES", "--json"),
        ("text", "audit", "RULES", "--format", "sarif"),
        ("text", "compare", "RULES", "en", "it", "--format", "json"),
        ("rulebook", "RULES", "--markdown"),
    ],
    ids=lambda command: "-".join(command[:2]).lower(),
)
def test_the_environment_changes_nothing_that_programs_read(
    command: tuple[str, ...], rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = [rules if word == "RULES" else word for word in command]
    before = said(*words)
    monkeypatch.setenv("LC_ALL", "it_IT.UTF-8")
    assert said(*words) == before


def test_an_audit_is_told_in_the_own_language(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    catalogue = Path(rules).parent / "text" / "ping.it.po"
    catalogue.write_text(catalogue.read_text(encoding="utf-8").replace("prende di più", "prende 7 in più"), "utf-8")
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    told = said("text", "audit", rules, "--lang", "it")
    assert re.search(r"Warnung\[[a-z-]+\]: .*P-1", told)
    assert re.search(r"Tipp: [0-9a-f]{10} nimmt das an, mit einem Grund", told)
    assert "1 Befund, 0 angenommen" in told
    assert "1 osservazione, 0 accettate" in said("text", "audit", rules, "--lang", "it", "--html-lang", "it")


def test_the_frame_of_a_check_is_in_the_language(tmp_path: Path) -> None:
    path = tmp_path / "ping.rules"
    path.write_text(SMALL.replace("raise player.points by step", "raise player.pointz by step"), encoding="utf-8")
    told = said("check", str(path), "--lang", "it")
    assert re.search(r"errore\[[a-z-]+\]: .*`pointz`", told)
    assert "consiglio: did you mean `points`?" in told
    assert "1 file: 1 errore" in told


def test_a_series_is_told_in_the_language() -> None:
    rules = str(paths.GAMES / "fuzzy_tiger.rules")
    told = said("simulate", rules, "--games", "1001", "--seed", "a", "--engine", "wasm", "--lang", "it")
    assert told.startswith("1\u202f001 partite, 2 posti, seme a, motore wasm\n")
    assert re.search(r"^red +vince +\d+\.\d% \(da [\d.]+ a [\d.]+\)  piazzamenti 1: ", told, re.MULTILINE)
    assert re.search(r"^carta: 3 Lanciare Pietre +-\d+\.\d\d punti \(", told, re.MULTILINE)
    words = set(re.findall(r"[a-z]+", told.lower()))
    assert words & {"matches", "mean", "wins", "places", "never", "times", "answers", "card", "deviation"} == set()


def test_a_series_that_does_not_end_is_told_in_the_language(tmp_path: Path) -> None:
    rules = tmp_path / "endless.rules"
    rules.write_text(SMALL.replace(": end game", ": set player.points to 0"), encoding="utf-8")
    done = CliRunner().invoke(
        cli, ["simulate", str(rules), "--games", "7", "--seed", "a", "--lang", "de"], standalone_mode=False
    )
    assert "\n7 Partien von 7 sind fehlgeschlagen: " in done.output
    assert "Entscheidungen wird noch immer `step` gefragt (7 Partien, die erste ist Nummer 0)\n" in done.output
    assert "\n    zu sehen mit rulekit run " in done.output


def test_the_page_of_a_series_speaks_the_language(tmp_path: Path) -> None:
    rules, out = str(paths.GAMES / "fuzzy_tiger.rules"), tmp_path / "out"
    said("simulate", rules, "--games", "300", "--seed", "a", "--engine", "wasm", "--out", str(out), "--lang", "de")
    page = (out / "report.html").read_text(encoding="utf-8")
    assert '<html lang="de">' in page
    assert "<h2>Wer gewinnt</h2>" in page
    text = " ".join(re.findall(r">([^<>]+)<", re.sub(r"<(style|code)>.*?</\1>", "", page, flags=re.DOTALL)))
    english = {"the", "of", "wins", "matches", "surely", "mean", "seat", "to", "places", "played", "defeated", "rounds"}
    assert set(re.findall(r"[a-zäöüß]+", text.lower())) & english == set()


def test_tables_of_a_series_are_the_same_in_every_language(tmp_path: Path, rules: str) -> None:
    for lang in ("en", "it"):
        out = str(tmp_path / lang)
        said("simulate", rules, "--games", "9", "--seed", "a", "--engine", "wasm", "--out", out, "--lang", lang)
    for name in ("games.csv", "came.csv", "decisions.csv", "summary.json"):
        assert (tmp_path / "it" / name).read_bytes() == (tmp_path / "en" / name).read_bytes()


CHANGED = """game "Ping"
    players 2
option gift "How much the first gets." 0..3 default 0
each player has
    counter points 0..9
setup
    raise starter.points by gift
play
    each player
        player chooses n from 0..3
        raise player.points by n
result
    rank players by highest points
"""
ENGLISH = {
    "the",
    "of",
    "wins",
    "matches",
    "surely",
    "mean",
    "seat",
    "to",
    "less",
    "ties",
    "decisions",
    "pairs",
}


@pytest.fixture
def gifts(tmp_path: Path) -> str:
    (tmp_path / "gifts.rules").write_text(CHANGED, encoding="utf-8")
    return str(tmp_path / "gifts.rules")


def words_of_page(folder: Path) -> set[str]:
    page = (folder / "report.html").read_text(encoding="utf-8").replace(str(folder.parent), "")
    page = re.sub(r"<(style|code)>.*?</\1>", "", page, flags=re.DOTALL)
    return set(re.findall(r"[a-zäöüß]+", " ".join(re.findall(r">([^<>]+)<", page)).lower()))


def test_a_comparison_is_told_in_the_language(gifts: str, tmp_path: Path) -> None:
    words = ("compare", gifts, "--b", "gift=2", "--games", "1200", "--seed", "a", "--engine", "wasm")
    told = said(*words, "--lang", "it")
    assert told.startswith("1\u202f200 coppie di partite con gli stessi semi; ")
    assert re.search(r"^red vince +\d+\.\d% → \d+\.\d%  \+\d+\.\d\d punti \(da \+", told, re.MULTILINE)
    assert not set(re.findall(r"[a-z]+", told)) & ENGLISH
    assert said(*words, "--lang", "it", "--json") == said(*words, "--json")
    said(*words, "--lang", "de", "--out", str(tmp_path / "out"))
    assert not words_of_page(tmp_path / "out") & ENGLISH


def test_a_sweep_is_told_in_the_language(gifts: str, tmp_path: Path) -> None:
    words = ("sweep", gifts, "--option", "gift=0..2", "--games", "50", "--seed", "a", "--engine", "wasm")
    told = said(*words, "--lang", "de")
    assert re.match(r" +red gewinnt +blue gewinnt +", told)
    assert " bis " in told
    assert said(*words, "--lang", "de", "--json") == said(*words, "--json")
    said(*words, "--lang", "it", "--out", str(tmp_path / "out"))
    assert not words_of_page(tmp_path / "out") & ENGLISH


def test_a_search_for_options_is_told_in_the_language(gifts: str) -> None:
    words = ("tune", gifts, "--option", "gift=0..1", "--target", "first seat wins 50%", "--trials", "2")
    how = ("--games", "50", "--seed", "a", "--engine", "wasm")
    told = said(*words, *how, "--lang", "it")
    assert told.startswith("2 tentativi di 50 partite, 2 giocatori\nobiettivo: red vince 0.5\n")
    assert "\nper vedere il primo: rulekit simulate " in told
    assert said(*words, *how, "--lang", "it", "--json") == said(*words, *how, "--json")
