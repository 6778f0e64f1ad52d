"""Whatever comes back from a translator is accounted for: taken, not found, or refused with a reason."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from click.testing import CliRunner, Result

from rulekit.apps.commands import cli
from rulekit.source import Source
from rulekit.tools.interchange import unit_table, xliff
from rulekit.tools.interchange.units import Sent, Unit, returned, sent
from rulekit.tools.language.catalogue_return import ReturnReport, back_catalogue, with_returned
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


# ---------------------------------------------------------------- forms of files


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
