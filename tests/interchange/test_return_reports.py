"""Whatever comes back from a translator is accounted for: taken, not found, or refused with a reason."""

from __future__ import annotations

import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner, Result

from rulekit.apps.commands import cli
from rulekit.library import Unreadable
from rulekit.source import Source
from rulekit.tools.interchange import unit_table, xliff
from rulekit.tools.interchange.units import Sent, Unit, returned, sent
from rulekit.tools.language.catalogue_merge import merged
from rulekit.tools.language.catalogue_return import ReturnReport, back_catalogue, with_returned
from rulekit.tools.language.message_extraction import Entry
from rulekit.tools.language.po_files import parsed

RULES = """game "Ping"
    players 2
each player has
    counter points
play
    > P-1 Whoever is first gets 2 points.
    raise starter.points by 2
    > P-2 Then the game ends.
    end game
result: rank players by highest points
"""
HEAD = (
    'msgid ""\nmsgstr "Language: {}\\nPlural-Forms: nplurals=2; plural=n!=1;\\n"\n'
    '"Content-Type: text/plain; charset=UTF-8\\n"\n\n'
)
CARD = '#. note\nmsgctxt "kind card"\nmsgid "card"\nmsgid_plural "cards"\nmsgstr[0] "{}"\nmsgstr[1] "{}"\n'
TEXTS = {
    "P-1": ("Whoever is first gets 2 points.", "Chi è primo prende 2 punti."),
    "P-2": ("Then the game ends.", "Poi finisce."),
    "page": ("Begin", ""),
}


def po(texts: dict[str, tuple[str, str]], language: str = "it") -> str:
    entries = [
        f'#. note\nmsgctxt "{id_}"\nmsgid "{source}"\nmsgstr "{said}"\n' for id_, (source, said) in texts.items()
    ]
    return HEAD.format(language) + "\n".join(entries)


KEPT = Source("ping.it.po", po(TEXTS))


def back(**changed: tuple[str, str]) -> ReturnReport:
    """What becomes of a PO in which some texts are others; `P_1` stands for P-1."""
    return with_returned(
        KEPT, Source("back", po(TEXTS | {id_.replace("_", "-"): text for id_, text in changed.items()}))
    )


def counts(report: ReturnReport) -> tuple[int, ...]:
    return (report.read, len(report.changed), report.unchanged, len(report.missing), len(report.refused))


def said(report: ReturnReport, id_: str) -> tuple[str, bool]:
    entry = next(entry for entry in parsed(report.text) if entry.msgctxt == id_)
    return entry.msgstr, entry.fuzzy


def of_plural(*forms: str, index: int = 0) -> str:
    """An entry with these forms, the first of them under an index; "" leaves one out."""
    said = "".join(f'msgstr[{number}] "{form}"\n' for number, form in enumerate(forms, index) if form)
    return f'\n#. note\nmsgctxt "kind card"\nmsgid "card"\nmsgid_plural "cards"\n{said}'


RUSSIAN = HEAD.format("ru").replace("nplurals=2; plural=n!=1", "nplurals=3; plural=n==1 ? 0 : n<5 ? 1 : 2")


def test_every_text_that_comes_back_is_counted_once() -> None:
    report = back(P_1=(TEXTS["P-1"][0], "Il primo prende 2 punti."), P_9=("Nobody loses.", "Nessuno perde."))
    assert counts(report) == (4, 1, 2, 1, 0)
    assert (report.changed, report.missing) == (["P-1"], ["P-9"])
    assert said(report, "P-1") == ("Il primo prende 2 punti.", False)


@pytest.mark.parametrize("source", ["Whoever is first gets 2 points. ", "Whoever\u00a0is first gets 2 points."])
def test_a_source_that_differs_in_blanks_alone_is_the_same(source: str) -> None:
    report = back(P_1=(source, "nuovo"))
    assert (counts(report), said(report, "P-1")) == ((3, 1, 2, 0, 0), ("nuovo", False))


def test_a_translation_of_other_words_is_taken_as_fuzzy_and_reported() -> None:
    report = back(P_1=("Whoever comes first gets 2 points.", "nuovo"))
    assert (counts(report), report.fuzzy) == ((3, 1, 2, 0, 0), ["P-1"])
    assert said(report, "P-1") == ("nuovo", True)
    entry = next(entry for entry in parsed(report.text) if entry.msgctxt == "P-1")
    assert entry.previous_msgid == "Whoever comes first gets 2 points."


def test_a_source_that_was_corrected_over_the_same_translation_changes_nothing() -> None:
    report = back(P_1=("Whoever comes first gets 2 points.", TEXTS["P-1"][1]))
    assert (counts(report), said(report, "P-1")) == ((3, 0, 3, 0, 0), (TEXTS["P-1"][1], False))


def test_an_id_in_other_capitals_is_found() -> None:
    units = [Unit(unit.id.lower(), unit.source, f"x{unit.target}", "translated") for unit in sent(KEPT).units]
    report = with_returned(KEPT, returned(units, KEPT).catalogue)
    assert counts(report) == (3, 3, 0, 0, 0)


def test_ids_that_a_program_has_counted_anew_are_found_by_their_words() -> None:
    units = [Unit(f"{n}", unit.source, f"x{unit.target}", "translated") for n, unit in enumerate(sent(KEPT).units)]
    report = with_returned(KEPT, returned(units, KEPT).catalogue)
    assert counts(report) == (3, 3, 0, 0, 0)


def test_of_two_texts_under_one_id_the_second_is_refused_with_its_id() -> None:
    twice = KEPT.text + '\n#. note\nmsgctxt "P-1"\nmsgid "Whoever is first gets 2 points."\nmsgstr "altro"\n'
    report = with_returned(KEPT, Source("back", twice))
    assert counts(report) == (4, 0, 3, 0, 1)
    assert report.refused[0].name == "P-1"
    units = [*sent(KEPT).units, Unit("P-1", TEXTS["P-1"][0], "altro", "translated")]
    file = returned(units, KEPT)
    assert [(refusal.name, "twice" in refusal.reason) for refusal in file.refused] == [("P-1", True)]


def test_an_entry_that_cannot_be_read_is_refused_with_its_line_and_the_rest_is_taken() -> None:
    text = po(TEXTS | {"P-1": (TEXTS["P-1"][0], "nuovo")}) + '\nmsgctxt "P-3"\nmsgid "x"\nmsgstr "y\n'
    report = with_returned(KEPT, Source("back", text))
    assert counts(report) == (4, 1, 2, 0, 1)
    assert report.refused[0].name == f"line {text.count(chr(10))}"


def test_a_character_that_no_text_holds_is_refused_by_its_name() -> None:
    report = back(P_1=(TEXTS["P-1"][0], "campana\\a"))
    assert (counts(report), said(report, "P-1")[0]) == ((3, 0, 2, 0, 1), TEXTS["P-1"][1])
    assert "U+0007" in report.refused[0].reason


def test_a_translation_of_blanks_takes_nothing_away() -> None:
    report = back(P_1=(TEXTS["P-1"][0], "   "))
    assert (counts(report), said(report, "P-1")[0]) == ((3, 0, 3, 0, 0), TEXTS["P-1"][1])


def test_more_plural_forms_than_the_language_has_are_refused() -> None:
    kept = (
        HEAD.format("it")
        + 'msgctxt "kind card"\nmsgid "card"\nmsgid_plural "cards"\nmsgstr[0] "carta"\nmsgstr[1] "carte"\n'
    )
    report = with_returned(Source("kept", kept), Source("back", f'{kept}msgstr[2] "cartone"\n'))
    assert counts(report) == (1, 0, 0, 0, 1)


def test_forms_of_a_plural_belong_together_though_a_blank_was_added() -> None:
    kept = Source("kept", HEAD.format("it") + CARD.format("", ""))
    forms = [("card ", "carta"), ("cards ", "carte")]
    units = [Unit("kind card", source, target, "", form=form) for form, (source, target) in enumerate(forms)]
    report = with_returned(kept, returned(units, kept).catalogue)
    assert parsed(report.text)[0].msgstr_plural == {0: "carta", 1: "carte"}


@pytest.mark.parametrize("separator", "\v\x85\u2028\u2029")
def test_no_letter_is_lost_at_a_line_separator(separator: str) -> None:
    units = [Unit("P-1", TEXTS["P-1"][0], f"un{separator}bottone", "translated")]
    file = returned(units, KEPT)
    assert said(with_returned(KEPT, file.catalogue), "P-1")[0] == "un bottone"
    assert file.with_line_breaks == ("P-1",)
    text = KEPT.text.replace(TEXTS["P-1"][1], f"un{separator}bottone")
    assert said(with_returned(KEPT, Source("back", text)), "P-1")[0] == "un bottone"
    assert back_catalogue(Source("back", text)).with_line_breaks == ("P-1",)


def test_a_line_feed_that_a_spreadsheet_adds_at_the_end_is_no_part_of_a_text() -> None:
    units = [Unit("P-1", TEXTS["P-1"][0], "nuovo\r\n", "translated")]
    assert said(with_returned(KEPT, returned(units, KEPT).catalogue), "P-1")[0] == "nuovo"


@pytest.mark.parametrize("name", ["back.csv", "back.xls", "back.mo"])
def test_a_file_of_another_kind_is_refused_with_the_kinds_that_are_read(name: str, tmp_path: Path) -> None:
    done, _ = merge(tmp_path, name, b"id,translation\n")
    assert "save it as PO, XLIFF 1.2 or XLSX" in str(done.exception)


@pytest.mark.parametrize("context", ['#~ msgctxt "P-1"\n', ""])
@pytest.mark.parametrize("live", [HEAD.format("it"), po({"P-2": TEXTS["P-2"]})])
def test_an_obsolete_entry_of_the_returned_file_replaces_nothing(context: str, live: str) -> None:
    obsolete = f'\n{context}#~ msgid "{TEXTS["P-1"][0]}"\n#~ msgstr "vecchia"\n'
    for flag in ("", "#, fuzzy\n"):
        report = with_returned(KEPT, Source("back", f"{live}\n{flag}{obsolete}"))
        assert (said(report, "P-1"), report.changed) == ((TEXTS["P-1"][1], False), [])
        assert report.obsolete == [f"“{TEXTS['P-1'][0]}”" if not context else "P-1"]


def test_an_obsolete_entry_that_says_the_same_or_fits_nowhere_is_not_reported() -> None:
    for words, translation in ((TEXTS["P-1"][0], TEXTS["P-1"][1]), ("Nobody loses.", "Nessuno perde.")):
        obsolete = f'\n#~ msgctxt "P-1"\n#~ msgid "{words}"\n#~ msgstr "{translation}"\n'
        assert with_returned(KEPT, Source("back", KEPT.text + obsolete)).obsolete == []


def test_of_one_text_in_a_catalogue_the_living_entry_counts_wherever_it_stands() -> None:
    obsolete = f'#~ msgctxt "P-1"\n#~ msgid "{TEXTS["P-1"][0]}"\n#~ msgstr "vecchia"\n\n'
    head, rest = KEPT.text[: len(HEAD.format("it"))], KEPT.text[len(HEAD.format("it")) :]
    kept = Source("kept", head + obsolete + rest)
    entries = [Entry("P-1", TEXTS["P-1"][0])]
    assert said_now(merged(kept, entries, "Ping", "it").text, "P-1") == TEXTS["P-1"][1]
    changed = Source("back", po({"P-1": (TEXTS["P-1"][0], "nuovo")}))
    assert said_now(with_returned(kept, changed).text, "P-1") == "nuovo"


def said_now(text: str, id_: str) -> str:
    (entry,) = (entry for entry in parsed(text) if entry.msgctxt == id_ and not entry.obsolete)
    return str(entry.msgstr)


@pytest.mark.parametrize(
    ("forms", "index", "after"),
    [
        (("a", "", "c"), 0, ("a", "карты", "c")),
        (("c",), 2, ("карта", "карты", "c")),
        (("b", "c"), 1, ("карта", "b", "c")),
    ],
)
def test_a_plural_form_stays_under_its_index(forms: tuple[str, ...], index: int, after: tuple[str, ...]) -> None:
    kept = Source("kept", RUSSIAN + of_plural("карта", "карты", "карт"))
    report = with_returned(kept, Source("back", RUSSIAN + of_plural(*forms, index=index)))
    assert tuple(parsed(report.text)[0].msgstr_plural.values()) == after
    units = [Unit("kind card", "cards", "c", "translated", form=2)]
    report = with_returned(kept, returned(units, kept).catalogue)
    assert tuple(parsed(report.text)[0].msgstr_plural.values()) == ("карта", "карты", "c")


def test_a_plural_form_beyond_a_gap_is_more_than_the_language_has() -> None:
    kept = Source("kept", HEAD.format("it") + of_plural("carta", "carte"))
    report = with_returned(kept, Source("back", HEAD.format("it") + of_plural("a", "", "c")))
    assert (counts(report), parsed(report.text)[0].msgstr_plural) == ((1, 0, 0, 0, 1), {0: "carta", 1: "carte"})


def test_merging_a_catalogue_with_a_gap_moves_no_form() -> None:
    kept = Source("kept", RUSSIAN + of_plural("карта", "", "карт"))
    text = merged(kept, [Entry("kind card", "card", "cards")], "Ping", "ru").text
    assert parsed(text)[0].msgstr_plural == {0: "карта", 1: "", 2: "карт"}


SLOVENE = "nplurals=4; plural=n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3"
OTHER_SLOVENE = "nplurals=4; plural=n%100==1 ? 1 : n%100==2 ? 2 : n%100==3 || n%100==4 ? 3 : 0"
ITALIAN = "nplurals=2; plural=n!=1"
OTHER_ITALIAN = "nplurals=3; plural=n==1 ? 0 : n!=0 && n%1000000==0 ? 1 : 2"


@pytest.mark.parametrize(
    ("header", "own", "forms", "after"),
    [
        (OTHER_SLOVENE, SLOVENE, ("many", "one", "two", "three"), ("one", "two", "three", "many")),
        (OTHER_ITALIAN, ITALIAN, ("carta", "carte", "carte"), ("carta", "carte")),
        (OTHER_ITALIAN, ITALIAN, ("carta", "", "carte"), ("carta", "carte")),
        ("nplurals=1; plural=0", ITALIAN, ("carta",), None),
        ("nplurals=2; plural=n!=1", SLOVENE, ("one", "many"), None),
        ("nplurals=2; plural=n>1", ITALIAN, ("carta", "carte"), ("carta", "carte")),
        (ITALIAN, "nplurals=1; plural=0", ("札", ""), ("札",)),
        (ITALIAN, "nplurals=1; plural=0", ("札", "札達"), None),
        ("nplurals=2; plural=n>1", SLOVENE, ("one", "two", "three", "many"), ("one", "two", "three", "many")),
        ("nplurals=INTEGER; plural=EXPRESSION;", SLOVENE, ("one", "two"), ("one", "two", "", "")),
    ],
)
def test_plural_forms_go_by_the_numbers_for_which_the_header_has_them(
    header: str, own: str, forms: tuple[str, ...], after: tuple[str, ...] | None
) -> None:
    empty = of_plural(*("x" for _ in range(int(own[9])))).replace('"x"', '""')
    kept = Source("kept", HEAD.format("sl").replace("nplurals=2; plural=n!=1", own) + empty)
    sent_back = HEAD.format("sl").replace("nplurals=2; plural=n!=1", header) + of_plural(*forms)
    report = with_returned(kept, Source("back", sent_back))
    taken = tuple(parsed(report.text)[0].msgstr_plural.values())
    if after is None:
        assert (len(report.refused), any(taken)) == (1, False)
        assert "plural forms" in report.refused[0].reason
    else:
        assert (report.refused, taken) == ([], after)


def test_plural_forms_of_a_text_without_a_plural_are_refused() -> None:
    plural = po({"P-1": (TEXTS["P-1"][0], "x")}).replace(
        'msgstr "x"', 'msgid_plural "y"\nmsgstr[0] "a"\nmsgstr[1] "{}"'
    )
    report = with_returned(KEPT, Source("back", plural.replace("{}", "b")))
    assert (counts(report), said(report, "P-1")[0]) == ((1, 0, 0, 0, 1), TEXTS["P-1"][1])
    assert said(with_returned(KEPT, Source("back", plural.replace("{}", "a"))), "P-1")[0] == "a"


def rows(*entries: tuple[str, str]) -> str:
    """A PO as `csv2po` writes it: no ids, no notes, each form of a plural a text of its own."""
    return HEAD.format("it") + "\n".join(
        f'#: ping.rules:4\nmsgid "{source}"\nmsgstr "{translation}"\n' for source, translation in entries
    )


@pytest.mark.parametrize(
    ("texts", "after"),
    [
        ((("card", "carta"), ("cards", "carte")), ("carta", "carte")),
        ((("card", "carta"), ("cards", "cartoni")), ("carta", "cartoni")),
        ((("cards", "cartoni"), ("card", "carta")), ("carta", "cartoni")),
        ((("card", ""), ("cards", "cartoni")), ("carta", "cartoni")),
        ((("cards", "cartoni"),), ("carta", "cartoni")),
        ((("card", "cartina"),), ("cartina", "carte")),
    ],
)
def test_both_rows_of_a_plural_in_a_table_are_one_text(texts: tuple[tuple[str, str], ...], after: Any) -> None:
    kept = Source("kept", HEAD.format("it") + of_plural("carta", "carte"))
    report = with_returned(kept, Source("back", rows(*texts)))
    is_changed = int(after != ("carta", "carte"))
    assert counts(report) == (1, is_changed, 1 - is_changed, 0, 0)
    assert tuple(parsed(report.text)[0].msgstr_plural.values()) == after


def test_a_plural_in_the_words_of_its_singular_keeps_its_second_form() -> None:
    kept = Source("kept", HEAD.format("de") + of_plural("Art", "Arten").replace('"cards"', '"card"'))
    report = with_returned(kept, Source("back", rows(("card", "Art"))))
    assert parsed(report.text)[0].msgstr_plural == {0: "Art", 1: "Arten"}
    report = with_returned(kept, Source("back", rows(("card", "Sorte"), ("card", "Sorten"))))
    assert parsed(report.text)[0].msgstr_plural == {0: "Sorte", 1: "Sorten"}


def test_a_row_of_a_plural_with_a_character_of_no_text_is_refused() -> None:
    kept = Source("kept", HEAD.format("it") + of_plural("carta", "carte"))
    report = with_returned(kept, Source("back", rows(("card", "carta"), ("cards", "cartoni\\a"))))
    assert (report.changed, len(report.refused)) == ([], 1)


def test_a_text_in_the_words_of_a_plural_keeps_its_own_row() -> None:
    kept = Source("kept", HEAD.format("it") + of_plural("", "") + '\nmsgctxt "P-1"\nmsgid "cards"\nmsgstr ""\n')
    kept = Source("kept", kept.text.replace('"cards"\n\n', '"cards"\nmsgstr[0] ""\nmsgstr[1] ""\n\n'))
    report = with_returned(kept, Source("back", rows(("card", "carta"), ("cards", "carte"))))
    assert report.missing == []
    assert parsed(report.text)[0].msgstr_plural == {0: "carta", 1: "carte"}
    assert parsed(report.text)[1].msgstr == "carte"


def test_a_language_with_one_form_takes_one_row_of_a_table() -> None:
    japanese = HEAD.format("ja").replace("nplurals=2; plural=n!=1", "nplurals=1; plural=0")
    kept = Source("kept", japanese + of_plural("札"))
    report = with_returned(kept, Source("back", rows(("card", "カード"), ("cards", "カード"))))
    assert (report.missing, report.refused) == ([], [])
    assert parsed(report.text)[0].msgstr_plural == {0: "カード"}


@pytest.mark.parametrize("invisible", ["\u200b", "\ufeff \u2060", "\u200f\u00ad", "\u3164"])
def test_a_translation_of_which_nothing_is_seen_takes_nothing_away(invisible: str) -> None:
    report = back(P_1=(TEXTS["P-1"][0], invisible))
    assert (counts(report), said(report, "P-1")[0]) == ((3, 0, 3, 0, 0), TEXTS["P-1"][1])


@pytest.mark.parametrize("character", ["\ufdd0", "\ufdef", "\ufffe", "\U0001ffff", "\U0010fffe", "\x9b"])
def test_every_noncharacter_is_refused(character: str) -> None:
    report = back(P_1=(TEXTS["P-1"][0], f"a{character}b"))
    assert (counts(report), said(report, "P-1")[0]) == ((3, 0, 2, 0, 1), TEXTS["P-1"][1])


# ---------------------------------------------------------------- whose file it is

OTHERS = {f"Q-{number}": (f"Another rule, the {number}th.", f"Altra regola {number}.") for number in range(9)}


def of_game(title: str, texts: dict[str, tuple[str, str]]) -> bytes:
    return po(texts).replace('msgstr "', f'msgstr "Project-Id-Version: {title}\\n', 1).encode()


@pytest.mark.parametrize(
    ("title", "texts", "is_refused"),
    [
        ("Pong", {"P-1": (TEXTS["P-1"][0], "nuovo"), **OTHERS}, True),
        ("Pong", {"P-1": (TEXTS["P-1"][0], "nuovo"), "P-2": ("The hand is dealt anew.", "Si ridà.")} | OTHERS, True),
        ("Pong", {"P-1": ("Deal five cards to each.", "Cinque"), "P-2": ("Draw one.", "Pesca.")}, True),
        ("", {"P-1": (TEXTS["P-1"][0], "nuovo"), **OTHERS}, True),
        ("PACKAGE VERSION", {"P-1": (TEXTS["P-1"][0], "nuovo"), **OTHERS}, True),
        ("Ping", {"P-1": (TEXTS["P-1"][0], "nuovo"), **OTHERS}, False),
        ("ping 1.2", {"P-1": (TEXTS["P-1"][0], "nuovo"), **OTHERS}, False),
        ("All our games", {"P-1": (TEXTS["P-1"][0], "nuovo"), "Q-1": OTHERS["Q-1"]}, False),
        ("Pong", {"P-1": ("Whoever comes first gets 2 points.", "nuovo")}, False),
        ("", {"P-1": ("Deal five cards to each.", "nuovo")}, False),
    ],
)
def test_the_project_and_the_share_that_fits_tell_whose_file_it_is(
    title: str, texts: dict[str, tuple[str, str]], *, is_refused: bool, tmp_path: Path
) -> None:
    done, catalogue = merge(tmp_path, "back.po", of_game(title, texts))
    assert ("foreign-catalogue" in str(done.exception)) == is_refused
    assert (catalogue.read_text(encoding="utf-8") == KEPT.text) == is_refused
    done, catalogue = merge(tmp_path, "back.po", of_game(title, texts), "--force-game")
    assert done.exception is None
    assert "nuovo" in catalogue.read_text(encoding="utf-8") or "Cinque" in catalogue.read_text(encoding="utf-8")


def test_the_catalogue_of_another_game_is_not_brought_in_step_with_this_one(tmp_path: Path) -> None:
    rules, catalogue = tmp_path / "ping.rules", tmp_path / "ping.it.po"
    rules.write_text(RULES, encoding="utf-8")
    catalogue.write_bytes(of_game("Pong", OTHERS))
    words = ["text", "merge", str(rules), str(catalogue)]
    done = CliRunner().invoke(cli, words, standalone_mode=False)
    assert "foreign-catalogue" in str(done.exception)
    assert catalogue.read_bytes() == of_game("Pong", OTHERS)
    assert CliRunner().invoke(cli, [*words, "--force-game"], standalone_mode=False).exception is None


# ---------------------------------------------------------------- forms of files


@pytest.mark.parametrize("content", [b"", b"\n", HEAD.format("it").encode(), b'#~ msgid "a"\n#~ msgstr "b"\n'])
def test_a_file_without_a_text_is_refused(content: bytes, tmp_path: Path) -> None:
    done, catalogue = merge(tmp_path, "back.po", content)
    assert "no text" in str(done.exception)
    assert catalogue.read_text(encoding="utf-8") == KEPT.text


@pytest.mark.parametrize("charset", ["UTF-7", "ISO-8859-1", "koi8-r", "ISO-2022-JP"])
def test_a_charset_that_contradicts_the_bytes_is_refused(charset: str, tmp_path: Path) -> None:
    said = {"UTF-7": "perch+AOk", "ISO-2022-JP": "\x1b$BF|\x1b(B"}.get(charset, "perché")
    text = po({"P-1": (TEXTS["P-1"][0], said)})
    done, catalogue = merge(tmp_path, "back.po", text.replace("charset=UTF-8", f"charset={charset}").encode())
    assert f"`{charset}`" in str(done.exception)
    assert catalogue.read_text(encoding="utf-8") == KEPT.text


@pytest.mark.parametrize("charset", ["utf8", "CHARSET", "US-ASCII", "UTF-8", "ISO-8859-1"])
def test_a_charset_that_fits_the_bytes_is_read(charset: str, tmp_path: Path) -> None:
    text = po({"P-1": (TEXTS["P-1"][0], "nuovo")}).replace("charset=UTF-8", f"charset={charset}")
    done, _ = merge(tmp_path, "back.po", text.encode())
    assert "changed 1" in done.output


@pytest.mark.parametrize("name", ["folder", "folder.xlf", "folder.xlsx"])
def test_a_folder_in_place_of_a_translation_is_refused_with_what_is_read(name: str, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    rules, catalogue = tmp_path / "ping.rules", tmp_path / "ping.it.po"
    rules.write_text(RULES, encoding="utf-8")
    catalogue.write_text(KEPT.text, encoding="utf-8")
    words = ["text", "merge", str(rules), str(catalogue), "--from", str(tmp_path / name)]
    done = CliRunner().invoke(cli, words, standalone_mode=False)
    assert isinstance(done.exception, Unreadable)
    assert (done.exception.finding.code, ".rules" in done.exception.finding.hint) == ("not-a-file", False)


def xliff_of(target: str, language: str = "it") -> str:
    return (
        '<?xml version="1.0"?><xliff xmlns="urn:oasis:names:tc:xliff:document:1.2" version="1.2">'
        f'<file original="x" source-language="en" target-language="{language}" datatype="po"><body>'
        f'<trans-unit id="1" resname="P-1"><source>{TEXTS["P-1"][0]}</source><target>{target}</target></trans-unit>'
        "</body></file></xliff>"
    )


def test_layout_of_xml_is_no_part_of_a_text() -> None:
    (unit,) = xliff.read_xliff(Source("x", xliff_of("\n        un\n        bottone\n      "))).units
    assert unit.target == "un bottone"
    (unit,) = xliff.read_xliff(Source("x", xliff_of("un\nbottone"))).units
    assert unit.target == "un\nbottone"


@pytest.mark.parametrize("encoding", ["utf-16", "utf-8-sig", "utf-8"])
def test_xliff_is_read_in_every_encoding_of_xml(encoding: str, tmp_path: Path) -> None:
    done, catalogue = merge(tmp_path, "back.xlf", xliff_of("è nuovo").encode(encoding))
    assert "changed 1" in done.output
    assert "è nuovo" in catalogue.read_text(encoding="utf-8")


def test_a_code_of_a_workbook_for_a_character_is_that_character() -> None:
    book = openpyxl.Workbook()
    for row in (unit_table.HEAD, ("P-1", "", "a", "un_x000B_bottone_x005F_x0041_", "translated", "")):
        book.active.append(row)
    assert unit_table.read_table(saved(book)).units[0].target == "un\vbottone_x0041_"


def saved(book: Any) -> bytes:
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def test_the_head_of_a_table_names_the_language() -> None:
    units = (Unit("P-1", "a", "b", "translated"),)
    assert unit_table.read_table(unit_table.table(Sent(units, "it", "Ping"))) == Sent(units, "it", "")


# ---------------------------------------------------------------- the command


def merge(folder: Path, name: str, content: bytes, *more: str) -> tuple[Result, Path]:
    rules, catalogue, sent_back = folder / "ping.rules", folder / "ping.it.po", folder / name
    rules.write_text(RULES, encoding="utf-8")
    catalogue.write_text(KEPT.text, encoding="utf-8")
    sent_back.write_bytes(content)
    words = ["text", "merge", str(rules), str(catalogue), "--from", str(sent_back), *more]
    return CliRunner().invoke(cli, words, standalone_mode=False), catalogue


def test_the_command_tells_the_counts_as_text_and_as_json(tmp_path: Path) -> None:
    content = po({"P-1": (TEXTS["P-1"][0], "nuovo"), "P-9": ("Nobody loses.", "Nessuno perde.")}).encode()
    done, _ = merge(tmp_path, "back.po", content)
    assert "back.po: read 2, changed 1, unchanged 0, not found 1 (P-9), refused 0" in done.output
    assert done.return_value == 1
    done, _ = merge(tmp_path, "back.po", content, "--json")
    told = json.loads(done.output)["from"]
    assert (told["read"], told["changed"], told["not_found"]) == (2, ["P-1"], ["P-9"])
    done, _ = merge(tmp_path, "back.po", KEPT.text.encode())
    assert done.return_value == 0


@pytest.mark.parametrize("name", ["back.po", "back.xlf", "back.xlsx"])
def test_another_language_is_refused_unless_it_is_forced(name: str, tmp_path: Path) -> None:
    units = (Unit("P-1", TEXTS["P-1"][0], "Wer zuerst ist, bekommt 2.", "translated"),)
    told = Sent(units, "de", "Ping")
    content = {
        "back.po": po(TEXTS | {"P-1": (units[0].source, units[0].target)}, "de").encode(),
        "back.xlf": xliff.xliff(told, "ping.de.po").encode(),
        "back.xlsx": unit_table.table(told),
    }[name]
    done, catalogue = merge(tmp_path, name, content)
    assert "this file is in `de`" in str(done.exception)
    assert catalogue.read_text(encoding="utf-8") == KEPT.text
    done, catalogue = merge(tmp_path, name, content, "--force-language")
    assert "Wer zuerst ist" in catalogue.read_text(encoding="utf-8")


def test_the_file_of_another_game_is_refused(tmp_path: Path) -> None:
    done, catalogue = merge(tmp_path, "back.po", po({"Q-1": ("Draw a card.", "Pesca una carta.")}).encode())
    assert "another game" in str(done.exception)
    assert catalogue.read_text(encoding="utf-8") == KEPT.text


@pytest.mark.parametrize(("code", "says"), [("xx", "no language"), ("IT", "`ping.it.po`"), ("jp", "`ping.ja.po`")])
def test_a_code_of_no_language_is_not_begun_without_a_word(code: str, says: str, tmp_path: Path) -> None:
    rules, path = tmp_path / "ping.rules", tmp_path / f"ping.{code}.po"
    rules.write_text(RULES, encoding="utf-8")
    done = CliRunner().invoke(cli, ["text", "merge", str(rules), str(path)])
    assert says in str(done.exception)
    assert not path.exists()
    CliRunner().invoke(cli, ["text", "merge", str(rules), str(path), "--force-language"])
    assert path.exists()


def test_a_changed_plural_of_the_source_makes_its_translation_fuzzy() -> None:
    kept = Source("kept", HEAD.format("it") + of_plural("carta", "carte"))
    back = HEAD.format("it") + of_plural("carta", "mazzi").replace('"cards"', '"decks of cards"')
    report = with_returned(kept, Source("back", back))
    assert (report.changed, report.fuzzy) == (["kind card"], ["kind card"])


@pytest.mark.parametrize(("value", "kind"), [("=1/0", "e"), (date(2026, 5, 10), "d"), (True, "b")])
def test_a_cell_that_holds_no_text_is_refused(value: object, kind: str) -> None:
    book = openpyxl.Workbook()
    book.active.append(unit_table.HEAD)
    book.active.append(("P-1", "", "One.", "Uno.", "translated", ""))
    cell = book.active.cell(2, unit_table.HEAD.index("translation") + 1)
    cell.value = "#DIV/0!" if kind == "e" else value
    assert cell.data_type == kind
    book.save(made := io.BytesIO())
    kept = Source("kept", HEAD.format("it") + 'msgctxt "P-1"\nmsgid "One."\nmsgstr "Uno."\n')
    back = returned(unit_table.read_table(made.getvalue()).units, kept)
    assert [refusal.name for refusal in back.refused] == ["P-1"]
    assert not [entry for entry in parsed(back.catalogue.text) if "2026" in entry.msgstr or "True" in entry.msgstr]
