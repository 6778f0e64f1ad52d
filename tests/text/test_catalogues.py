"""Catalogues: what is extracted, what the tools of translators say, what is spoken, and what broken files do."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random

import pytest
from click import UsageError
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.diagnostics import Problems
from rulekit.loading import load
from rulekit.model.game import Game
from rulekit.source import Source
from rulekit.tools.language.catalogue_loader import catalogue, tongue, translation_fault
from rulekit.tools.language.catalogue_merge import merged, new_catalogue
from rulekit.tools.language.engine_extraction import extracted
from rulekit.tools.language.message_extraction import Entry, known
from rulekit.tools.language.plural_forms import plural_forms
from rulekit.tools.language.po_files import Written, parsed, read_po, template
from rulekit.tools.language.translation import SOURCE, Tongue, filled, has_stray_braces, placeholders
from rulekit.tools.tell.narration import sentence
from tests import paths
from tests.extras import needs
from tests.generators.random_matches import game as loaded

GAMES = sorted(paths.GAMES.glob("*.rules"))
LANGUAGES = ("it", "de")
CATALOGUES = [
    *((str(path), paths.GAMES / "text" / f"{path.stem}.{lang}.po") for path in GAMES for lang in LANGUAGES),
    *((None, paths.PACKAGE / "text" / f"{lang}.po") for lang in LANGUAGES),
]
SMALL = """game "Ping"
    players 2
> P-1 Whoever is first gets 2 points.
each player has
    counter points
play
    > P-2 Then 3 more, and the game ends.
    each player: raise player.points by 3
    end game
result
    rank players by highest points                                                @P-1
"""


OF_STYLE = (
    *("simplecaps", "startcaps", "acronyms", "startpunc", "puncspacing", "brackets", "unchanged"),
    *("singlequoting", "doublequoting", "doublewords"),
)
"""Checks of pofilter that differ between languages or ask for the order of words; `1, 1, 2, 2` is no double word."""


def read(path: Path) -> Written:
    return read_po(Source(str(path), path.read_text(encoding="utf-8")))


@cache
def texts_of(game: str | None) -> tuple[str, tuple[Entry, ...]]:
    return extracted(game)


def ran(*arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(cli, list(arguments), standalone_mode=False)
    if done.exception is not None:
        return 2 if isinstance(done.exception, UsageError) else 1, done.output
    return done.return_value, done.output


# ---------------------------------------------------------------- the catalogues that ship


@pytest.mark.parametrize(("game", "path"), CATALOGUES, ids=[path.name for _, path in CATALOGUES])
class TestShipped:
    def test_is_in_step_with_its_game(self, game: str | None, path: Path) -> None:
        wanted = [(entry.id, entry.text, entry.plural) for entry in texts_of(game)[1]]
        assert [(entry.id, entry.text, entry.plural) for entry in read(path).entries] == wanted

    def test_says_everything_and_nothing_is_fuzzy(self, game: str | None, path: Path) -> None:
        entries = read(path).entries
        assert [entry.id for entry in entries if entry.fuzzy or not all(entry.forms)] == []

    def test_keeps_placeholders_and_digits(self, game: str | None, path: Path) -> None:
        for entry in read(path).entries:
            for form in entry.forms:
                assert placeholders(form) <= placeholders(entry.text) | placeholders(entry.plural), entry.id
                assert not has_stray_braces(form), entry.id
            if not entry.plural:
                assert digits(entry.forms[0]) == digits(entry.text), entry.id

    @needs("gettext")
    def test_is_accepted_by_gettext(self, game: str | None, path: Path, tmp_path: Path) -> None:
        outside("msgfmt", "--check", "-o", str(tmp_path / "out.mo"), str(path))


def digits(text: str) -> list[str]:
    return sorted("".join(c if c.isdigit() else " " for c in text).split())


def outside(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return done.stdout


def test_pofilter_finds_no_fault(tmp_path: Path) -> None:
    """Of the checks of translate-toolkit those that are about faults, not about style: numbers, ends, variables …"""
    program = shutil.which("pofilter", path=str(Path(sys.executable).parent)) or shutil.which("pofilter")
    assert program is not None, "translate-toolkit belongs to the extra `test`"
    folder = tmp_path / "in"
    folder.mkdir()
    for game, path in CATALOGUES:
        shutil.copy(path, folder / f"{'engine.' if game is None else ''}{path.name}")
    without = [f"--excludefilter={check}" for check in OF_STYLE]
    subprocess.run([program, "--progress=none", *without, str(folder), str(tmp_path / "out")], check=True)
    found = [path.read_text(encoding="utf-8") for path in (tmp_path / "out").rglob("*.po")]
    assert "".join(found) == ""


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_the_template_is_that_of_the_game(path: Path) -> None:
    title, texts = texts_of(str(path))
    shipped = read(paths.GAMES / "text" / f"{path.stem}.pot")
    fresh = read_po(Source("fresh", template(texts, title)))
    assert [(e.id, e.text) for e in shipped.entries] == [(e.id, e.text) for e in fresh.entries]


# ---------------------------------------------------------------- what an entry holds


def small(tmp_path: Path, text: str = SMALL) -> Path:
    path = tmp_path / "ping.rules"
    path.write_text(text, encoding="utf-8")
    return path


def entry_of(path: Path, id_: str) -> Entry:
    return next(entry for entry in extracted(str(path))[1] if entry.id == id_)


def test_an_entry_says_what_the_engine_does(tmp_path: Path) -> None:
    entry = entry_of(small(tmp_path), "P-2")
    assert entry.notes == ("In play: for each player: raise player's points by 3",)
    assert [span.line for span in entry.spans] == [7]


def test_entries_stand_in_the_order_of_the_file() -> None:
    lines = [entry.spans[0].line for entry in texts_of(str(GAMES[0]))[1]]
    assert lines == sorted(lines)


def test_behaviour_changes_with_the_rules_and_with_nothing_else(tmp_path: Path) -> None:
    before = entry_of(small(tmp_path), "P-2").behaviour
    assert entry_of(small(tmp_path, SMALL.replace("points by 3", "points by 4")), "P-2").behaviour != before
    for other in (
        SMALL.replace("raise player", "raise  player"),
        SMALL.replace("    end game", "    # so\n    end game"),
    ):
        assert entry_of(small(tmp_path, other), "P-2").behaviour == before


# ---------------------------------------------------------------- merging


def after(tmp_path: Path, changed: str) -> dict[str, object]:
    """The entries of a translated catalogue after the rules have changed."""
    title, texts = extracted(str(small(tmp_path)))
    po = parsed(new_catalogue(texts, title, "it").text)
    for entry in po:
        entry.msgstr = "" if entry.msgid_plural else f"it:{entry.msgid}"
    result = merged(Source("old", f"{po}"), extracted(str(small(tmp_path, changed)))[1], title, "it")
    return {entry.msgctxt: entry for entry in sorted(parsed(result.text), key=lambda entry: -entry.obsolete)}


def test_a_merge_keeps_what_is_the_same(tmp_path: Path) -> None:
    entry = after(tmp_path, SMALL)["P-2"]
    assert (entry.msgstr, entry.fuzzy) == ("it:Then 3 more, and the game ends.", False)  # type: ignore[attr-defined]


def test_changed_rules_make_a_translation_fuzzy(tmp_path: Path) -> None:
    entries = after(tmp_path, SMALL.replace("points by 3", "points by 4"))
    assert entries["P-2"].fuzzy  # type: ignore[attr-defined]
    assert entries["P-2"].msgstr.startswith("it:")  # type: ignore[attr-defined]
    assert not entries["P-1"].fuzzy  # type: ignore[attr-defined]


def test_changed_words_make_a_translation_fuzzy_and_are_remembered(tmp_path: Path) -> None:
    entry = after(tmp_path, SMALL.replace("Then 3 more", "Then three more"))["P-2"]
    assert entry.fuzzy  # type: ignore[attr-defined]
    assert entry.previous_msgid == "Then 3 more, and the game ends."  # type: ignore[attr-defined]


def test_what_is_gone_stays_as_obsolete(tmp_path: Path) -> None:
    entry = after(tmp_path, SMALL.replace("    > P-2 Then 3 more, and the game ends.\n", ""))["P-2"]
    assert entry.obsolete  # type: ignore[attr-defined]


def test_extract_and_merge_as_commands(tmp_path: Path) -> None:
    rules, pot, po = small(tmp_path), tmp_path / "ping.pot", tmp_path / "ping.it.po"
    assert ran("text", "extract", str(rules), "-o", str(pot)) == (0, f"5 texts written to {pot}\n")
    code, output = ran("text", "merge", str(rules), str(po))
    assert (code, output) == (0, f"{po}: 0 kept, 0 to look at again, 5 new, 0 gone\n")
    assert '"Language: it\\n"' in po.read_text(encoding="utf-8")
    assert ran("text", "extract")[0] == 2
    assert ran("text", "merge", str(rules), str(rules))[0] == 1
    assert ran("text", "check", str(rules), "--lang", "it")[0] == 1
    assert ran("text", "check", str(GAMES[1]), "--lang", "it") == (0, "178 texts, 0 to do; 0 of the engine's to do\n")


# ---------------------------------------------------------------- speaking


def speaking(language: str, game: Game) -> Tongue:
    found, findings, _ = tongue(language, game, known(game))
    assert findings == []
    return found


@pytest.mark.parametrize(
    ("language", "wanted"),
    [("en", "a, b and c"), ("it", "a, b e c"), ("de", "a, b und c")],
)
def test_lists_and_plurals(language: str, wanted: str) -> None:
    words = speaking(language, loaded(GAMES[2]))
    assert words.listed(["a", "b", "c"]) == wanted
    one, two = (words.number("count card", "a card", "{count} cards", count) for count in (1, 2))
    assert (one, two) == {
        "en": ("a card", "2 cards"),
        "it": ("una carta", "2 carte"),
        "de": ("eine Karte", "2 Karten"),
    }[language]


@pytest.mark.parametrize(("path", "language"), list(zip(GAMES, ("it", "de", "it", "de", "it"), strict=True)))
def test_a_match_is_told_without_a_word_of_english(path: Path, language: str) -> None:
    code, output = ran("run", str(path), "--seed", "1", "--lang", language)
    assert code == 0
    english = {"the", "from", "chooses", "goes", "wins", "takes", "places", "is", "of", "now", "seed", "and"}
    letters = "".join(c if c.isalpha() or c == "'" else " " for c in output.lower())
    assert set(letters.split()) & english == set()


def test_a_question_is_asked_in_the_language() -> None:
    done = CliRunner().invoke(
        cli, ["run", str(GAMES[2]), "--seats", "human", "--seed", "1", "--lang", "it"], input="?\nnein\nq\n"
    )
    assert "Rosso: Gioca una carta [FT-05]" in done.output
    assert "FT-05: Ciascuno sceglie in segreto una carta dalla mano; si scoprono tutte insieme." in done.output
    assert "`nein` non c'è fra le possibilità; scrivi un numero" in done.output


def test_a_log_is_replayed_in_the_language(tmp_path: Path) -> None:
    log = str(tmp_path / "a.log")
    assert ran("run", str(GAMES[2]), "--seed", "1", "--record", log)[0] == 0
    code, output = ran("replay", log, "--lang", "de", "--to", "4")
    assert code == 0
    assert "Die ersten 4 von" in output
    code, output = ran("explain", log, "--lang", "de", "--at", "1")
    assert code == 0
    assert "FT-05: Jeder wählt geheim eine Karte aus der Hand; alle werden zugleich aufgedeckt." in output


def test_a_failing_example_names_the_clauses_in_the_language(tmp_path: Path) -> None:
    rules = tmp_path / "fuzzy_tiger.rules"
    text = GAMES[2].read_text(encoding="utf-8")
    rules.write_text(text.replace("expect red.monkey is 3, red.score is 0, tiger is 6", "expect red.monkey is 4"))
    code, output = ran("test", str(rules), "-k", "the liana leads back", "--lang", "it")
    assert code == 1
    assert "  FT-34: Liana: ci si muove di 2, oppure si va dritti allo spazio 3." in output
    assert output.endswith("0 riusciti, 1 falliti\n")


def test_a_variant_speaks_with_the_words_of_its_game() -> None:
    game = loaded(paths.EXAMPLES / "tenth_card.rules")
    assert speaking("it", game).text("card 8", "Lasso") == "Lazo"


# ---------------------------------------------------------------- broken catalogues


def faults(tmp_path: Path, change: tuple[str, str], language: str = "it") -> tuple[list[tuple[str, int]], Tongue]:
    """Findings, by code and line, of a good catalogue in which one thing was changed."""
    rules = small(tmp_path)
    title, texts = extracted(str(rules))
    po = parsed(new_catalogue(texts, title, "it").text)
    for entry in po:
        if entry.msgid_plural:
            entry.msgstr_plural = {0: entry.msgid, 1: entry.msgid_plural}
        else:
            entry.msgstr = entry.msgid
    path = tmp_path / "text" / "ping.it.po"
    path.parent.mkdir(exist_ok=True)
    text = f"{po}"
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    return found_in(rules, language)


def found_in(rules: Path, language: str = "it") -> tuple[list[tuple[str, int]], Tongue]:
    game = load(rules)
    words, findings, _ = tongue(language, game, known(game))
    assert all(entry.level == "warning" for entry in findings)
    return [(entry.code, entry.span.line) for entry in findings], words


BREAKS = {
    "a placeholder made up": ('msgstr "{owner}\'s points"', 'msgstr "{owner.__class__} {x}"'),
    "a placeholder lost": ('msgstr "{owner}\'s points"', 'msgstr "points"'),
    "another name": ('msgstr "{owner}\'s points"', 'msgstr "{seat}\'s points"'),
    "braces where there are none": ('msgstr "Whoever', 'msgstr "{x.__class__}'),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_wrong_placeholder_is_found_and_the_source_stands(name: str, tmp_path: Path) -> None:
    found, words = faults(tmp_path, BREAKS[name])
    assert [code for code, _ in found] == ["wrong-placeholders"]
    assert found[0][1] > 20
    assert words.text("path points", "{owner}'s points", owner="red") == "red's points"
    assert words.text("P-1", "Whoever is first gets 2 points.") == "Whoever is first gets 2 points."


LOST_COUNTS = [
    ("it", "nplurals=2; plural=n!=1;", ("una carta", "carte"), "lost"),
    ("it", "nplurals=2; plural=n!=1;", ("una carta", "{count} carte"), ""),
    ("ja", "nplurals=1; plural=0;", ("a",), "lost"),
    ("ru", "nplurals=2; plural=n%10!=1;", ("a", "{count} b"), "lost"),
]


@pytest.mark.parametrize(("language", "rule", "forms", "fault"), LOST_COUNTS)
def test_a_plural_form_may_lose_its_number_only_where_it_is_of_one(
    language: str, rule: str, forms: tuple[str, ...], fault: str
) -> None:
    assert fault in translation_fault("{count} card", "{count} cards", forms, plural_forms(rule))
    assert bool(fault) == bool(translation_fault("{count} card", "{count} cards", forms, plural_forms(rule)))


APART = """game "Apart"
    players 2
cards deck of card
    card vine "Vine"
    card rope "Rope"
option length "How long?"
    short "until noon" default
    long "until night"
pile heap of card starts deck
each player has
    counter points
    counter marks
play
    > A-1 One may go on or stay.
    starter chooses "What now?"
        "go on": raise starter.points by 1
        "stay": raise starter.marks by 1
    end game
result: rank players by highest points
"""
PAIRS = {
    "cards": ("Rope", "Vine"),
    "readings": ("until noon", "until night"),
    "answers": ("go on", "stay"),
    "columns": ("marks", "points"),
}


@pytest.mark.parametrize("name", PAIRS)
def test_one_name_for_two_that_must_be_told_apart_is_found_and_the_source_stands(name: str, tmp_path: Path) -> None:
    rules = small(tmp_path, APART)
    title, texts = extracted(str(rules))
    po = parsed(new_catalogue(texts, title, "it").text)
    for entry in po:
        if entry.msgid in PAIRS[name] and not entry.msgctxt.startswith("trait"):
            entry.msgstr = "Liana" if entry.msgid == PAIRS[name][0] else " liana"
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ping.it.po").write_text(f"{po}", encoding="utf-8")
    found, words = found_in(rules)
    assert [code for code, _ in found] == ["same-name"]
    assert words.texts == {}
    assert ran("text", "check", str(rules), "--lang", "it")[0] == 1


def test_one_name_for_two_that_are_never_side_by_side_is_no_finding(tmp_path: Path) -> None:
    rules = small(tmp_path, APART)
    title, texts = extracted(str(rules))
    po = parsed(new_catalogue(texts, title, "it").text)
    for entry in po:
        if entry.msgid in ("Rope", "until noon", "go on", "marks"):
            entry.msgstr = "Liana"
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ping.it.po").write_text(f"{po}", encoding="utf-8")
    assert found_in(rules)[0] == []


def test_wrong_plural_lines_are_found(tmp_path: Path) -> None:
    found, _ = faults(tmp_path, ("plural=(n != 1)", "plural=__import__('os')"))
    assert found == [("wrong-plurals", 1)]


def test_a_text_that_is_no_po_file_is_found(tmp_path: Path) -> None:
    found, words = faults(tmp_path, ('msgstr "Ping"', 'msgstr Ping"'))
    assert [code for code, _ in found] == ["broken-catalogue"]
    assert found[0][1] > 1
    assert words.text("title", "Ping") == "Ping"


def test_one_entry_that_cannot_be_read_leaves_the_others(tmp_path: Path) -> None:
    found, words = faults(tmp_path, ('msgstr "Then 3', "msgstr Then 3"))
    assert [code for code, _ in found] == ["broken-catalogue"]
    text = (tmp_path / "text" / "ping.it.po").read_text(encoding="utf-8")
    assert found[0][1] == text[: text.index("msgstr Then")].count("\n") + 1
    assert ("title", "Ping") in words.texts


def test_an_entry_that_stands_there_twice_is_found_and_the_first_counts(tmp_path: Path) -> None:
    found, words = faults(tmp_path, ('msgstr "Ping"', 'msgstr "Ping"\n\nmsgctxt "title"\nmsgid "Ping"\nmsgstr "Pong"'))
    assert [code for code, _ in found] == ["duplicate-entry"]
    assert words.text("title", "Ping") == "Ping"


def test_a_header_that_names_another_language_is_found(tmp_path: Path) -> None:
    assert faults(tmp_path, ('"Language: it', '"Language: de'))[0] == [("other-language", 1)]


def test_a_language_is_found_however_its_code_is_written(tmp_path: Path) -> None:
    faults(tmp_path, ('"Language: it', '"Language: pt_BR'))
    text = tmp_path / "text"
    (text / "ping.it.po").rename(text / "ping.pt_BR.po")
    for code in ("pt-br", "pt_BR", "PT-BR"):
        assert "unknown-language" not in ran("text", "check", str(tmp_path / "ping.rules"), "--lang", code)[1]
    assert "did you mean `ja`?" in ran("text", "check", str(tmp_path / "ping.rules"), "--lang", "jp")[1]


def test_bytes_that_are_not_utf_8_are_found(tmp_path: Path) -> None:
    faults(tmp_path, ("Ping", "Pong"))
    path = tmp_path / "text" / "ping.it.po"
    data = path.read_bytes().replace(b'msgstr "Pong"', b'msgstr "P\xecng"')
    path.write_bytes(data)
    found, _ = found_in(tmp_path / "ping.rules")
    assert found == [("not-utf-8", data[: data.index(b"\xec")].count(b"\n") + 1)]


def test_another_games_catalogue_is_found(tmp_path: Path) -> None:
    faults(tmp_path, ("Ping", "Pong"))
    shutil.copy(paths.GAMES / "text" / "foxy.it.po", tmp_path / "text" / "ping.it.po")
    found, words = found_in(tmp_path / "ping.rules")
    assert found == [("foreign-catalogue", 1)]
    assert words.texts == {}


def test_a_catalogue_without_ids_is_told_how_to_get_them_back(tmp_path: Path) -> None:
    faults(tmp_path, ("Ping", "Pong"))
    path = tmp_path / "text" / "ping.it.po"
    path.write_text(re.sub(r"msgctxt .*\n", "", path.read_text(encoding="utf-8")), encoding="utf-8")
    assert "foreign-catalogue" in ran("text", "check", str(tmp_path / "ping.rules"), "--lang", "it")[1]
    assert (
        "its ids are lost; `rulekit text merge`"
        in ran("text", "check", str(tmp_path / "ping.rules"), "--lang", "it")[1]
    )
    assert "4 kept" in ran("text", "merge", str(tmp_path / "ping.rules"), str(path))[1]
    assert found_in(tmp_path / "ping.rules")[0] == []


def test_an_unknown_language_is_told_and_english_stands(tmp_path: Path) -> None:
    found, words = found_in(small(tmp_path), "tlh")
    assert found == [("unknown-language", 0)]
    assert words.say("nobody-wins") == "Nobody wins."
    code, output = ran("run", str(GAMES[2]), "--seed", "1", "--lang", "../x")
    assert code == 0
    assert "warning[unknown-language]" in output


def test_a_fuzzy_translation_is_not_shown(tmp_path: Path) -> None:
    _, words = faults(tmp_path, ('msgid "Ping"\nmsgstr "Ping"', '#, fuzzy\nmsgid "Ping"\nmsgstr "Pong"'))
    assert words.text("title", "Ping") == "Ping"


@pytest.mark.parametrize("text", ["", "x", "msgid", 'msgid "a"\nmsgstr[9] "b"\n', "/etc/passwd", "\0", 'msgstr "'])
def test_no_text_raises(text: str, tmp_path: Path) -> None:
    rules = small(tmp_path)
    (tmp_path / "text").mkdir()
    (tmp_path / "text" / "ping.it.po").write_text(text, encoding="utf-8")
    found_in(rules)


def test_no_mutation_of_a_catalogue_raises(tmp_path: Path) -> None:
    chance, data = Random(1), (paths.GAMES / "text" / "foxy.it.po").read_bytes()[:6000]
    texts, path = known(loaded(GAMES[1])), tmp_path / "foxy.it.po"
    marks = (b'"', b"{", b"}", b"\\", b"\n", b"msgstr[", b"#,", b"#~", b"\0", b"[9]", b'msgid_plural "x"\n')
    codes: set[str] = set()
    for _ in range(120):
        changed, at = bytearray(data), chance.randrange(len(data))
        changed[at : at + chance.choice((0, 0, 9))] = chance.choice(marks)
        path.write_bytes(changed)
        problems = Problems()
        catalogue(path, texts, "Foxy", problems, {})
        assert all(entry.span.source == str(path) for entry in problems.found)
        codes |= {entry.code for entry in problems.found}
    assert codes <= {
        *("broken-catalogue", "not-utf-8", "wrong-placeholders", "wrong-plurals", "foreign-catalogue"),
        *("duplicate-entry", "other-language"),
    }
    assert "broken-catalogue" in codes


# ---------------------------------------------------------------- filling and plural lines


def test_filling_looks_into_nothing() -> None:
    assert filled("{a} {a.b} {0} {b}", {"a": "{b}", "c": 1}) == "{b} {a.b} {0} {b}"
    assert filled("{a} moves {where}", {"a": "x", "where": ""}) == "x moves"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("nplurals=2; plural=(n != 1);", [1, 0, 1, 1, 1]),
        ("nplurals=1; plural=0;", [0, 0, 0, 0, 0]),
        ("nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;", [2, 0, 1, 1, 1]),
        ("nplurals=2; plural=!(n<2);", [0, 0, 1, 1, 1]),
        ("nplurals=2; plural=n;", None),
        ("nplurals=2; plural=n/0;", None),
        ("nplurals=2; plural=print(n);", None),
        ("nplurals=2; plural=" + "(" * 500 + "n" + ")" * 500 + ";", None),
        ("nonsense", None),
    ],
)
def test_plural_lines(line: str, wanted: list[int] | None) -> None:
    found = plural_forms(line)
    assert (None if found is None else [found[1](number) for number in range(5)]) == wanted


def test_the_source_is_spoken_without_any_file() -> None:
    assert SOURCE.is_source
    assert callable(sentence)


def test_an_audit_names_an_entry_that_cannot_be_read(tmp_path: Path) -> None:
    faults(tmp_path, ('msgstr "Then 3', "msgstr Then 3"))
    assert "broken-catalogue" in ran("text", "audit", str(tmp_path / "ping.rules"), "--lang", "it")[1]
