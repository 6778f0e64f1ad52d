"""Catalogues as XLIFF and XLSX: there and back nothing is lost, and no file of a stranger does harm."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import openpyxl
import polib
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from rulekit.apps.commands import cli
from rulekit.source import Source
from rulekit.tools.interchange import spreadsheet, unit_table, xliff
from rulekit.tools.interchange.interchange import FORMS, read_back_file, written
from rulekit.tools.interchange.units import Unit, returned, sent
from rulekit.tools.language.catalogue_return import BackFile, with_returned
from rulekit.tools.language.po_files import Broken, header, parsed
from tests import paths

SHIPPED = sorted(paths.GAMES.glob("text/*.po"))
_XLIFF = "{urn:oasis:names:tc:xliff:document:1.2}"


def catalogue(*entries: polib.POEntry, language: str = "it") -> Source:
    po = polib.POFile(wrapwidth=100)
    po.metadata = header("Game", language, "nplurals=2; plural=(n != 1);")
    po.extend(entries)
    return Source("game.it.po", f"{po}")


def entry(id_: str, source: str, target: str = "", **more: Any) -> polib.POEntry:
    return polib.POEntry(msgctxt=id_, msgid=source, msgstr=target, comment="What it does.", **more)


CARD = polib.POEntry(
    msgctxt="kind card", msgid="card", msgid_plural="cards", msgstr_plural={0: "carta", 1: "carte"}, comment="A name."
)
GAME = catalogue(
    entry("P-1", "The first has {count} points.", "Il primo ha {count} punti.", tcomment="fewer than before"),
    entry("P-2", "=SUM(A1:A2)", "-2 per tutti", flags=["fuzzy"]),
    entry("P-3", "Nobody wins <b>alone</b> & unseen.\nNever."),
    CARD,
    entry("page", "end"),
    entry("page", "begin", "inizio"),
)


def through(source: Source, ending: str, folder: Path) -> Source:
    """A catalogue that was sent in a form and came back as it was."""
    path = folder / f"sent{ending}"
    path.write_bytes(written(source, ending)[0])
    return put_back(source, read_back_file(str(path), source))


def put_back(source: Source, back: BackFile) -> Source:
    """A catalogue with what came back."""
    return Source("back", with_returned(source, back.catalogue).text)


def whole(source: Source) -> list[tuple[Any, ...]]:
    return [
        (e.msgctxt, e.msgid, e.msgid_plural, e.msgstr, e.msgstr_plural, e.flags, e.comment, e.tcomment, e.obsolete)
        for e in parsed(source.text)
    ]


@pytest.mark.parametrize("ending", FORMS)
@pytest.mark.parametrize("path", SHIPPED[::3], ids=lambda path: path.name)
def test_nothing_is_lost_there_and_back_twice(path: Path, ending: str, tmp_path: Path) -> None:
    source = Source(path.name, path.read_text(encoding="utf-8"))
    once = through(source, ending, tmp_path)
    assert whole(once) == whole(source)
    assert through(once, ending, tmp_path).text == once.text


@pytest.mark.parametrize("ending", FORMS)
def test_states_remarks_and_forms_come_back(ending: str, tmp_path: Path) -> None:
    assert whole(through(GAME, ending, tmp_path)) == whole(GAME)


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufffe\uffff\x7f", min_codepoint=32))


@settings(deadline=None, max_examples=30)
@given(source=TEXTS.filter(str.strip), target=TEXTS, remark=TEXTS)
def test_any_text_is_the_same_in_every_form(source: str, target: str, remark: str) -> None:
    unit = Unit("P-1", source, target, "translated" if target else "needs-translation", "note", remark)
    told = sent(catalogue()).__class__((unit,), "it", "Game")
    assert xliff.read_xliff(Source("x", xliff.xliff(told, "game.po"))).units == (unit,)
    assert unit_table.read_table(unit_table.table(told)).units == (unit,)


def test_what_a_translator_wrote_in_xliff_is_taken_over() -> None:
    root = ElementTree.fromstring(written(GAME, ".xlf")[0])
    for unit in root.iter(f"{_XLIFF}trans-unit"):
        target = unit.find(f"{_XLIFF}target")
        assert target is not None
        if unit.get("resname") in ("P-2", "P-3", "kind card[1]"):
            target.text, target.attrib["state"] = f"detto: {unit.get('resname')}", "final"
        if unit.get("resname") == "P-3":
            ElementTree.SubElement(unit, f"{_XLIFF}note", {"from": "Anna"}).text = "is unseen needed?"
    back = returned(xliff.read_xliff(Source("back", ElementTree.tostring(root, encoding="unicode"))).units, GAME)
    found = {e.msgctxt: e for e in parsed(put_back(GAME, back).text)}
    assert (found["P-2"].msgstr, found["P-2"].fuzzy) == ("detto: P-2", False)
    assert (found["P-3"].msgstr, found["P-3"].tcomment) == ("detto: P-3", "is unseen needed?")
    assert found["kind card"].msgstr_plural == {0: "carta", 1: "detto: kind card[1]"}
    assert found["P-1"].tcomment == "fewer than before"


def test_without_a_state_what_changed_was_looked_at() -> None:
    units = [Unit(u.id, u.source, u.target, "", u.note, u.remark, u.form) for u in sent(GAME).units]
    as_it_was = put_back(GAME, returned(units, GAME))
    assert whole(as_it_was) == whole(GAME)
    changed = [Unit(u.id, u.source, u.target + "!" if u.target else "", "", u.note) for u in units if u.form is None]
    assert not any(e.fuzzy for e in parsed(put_back(GAME, returned(changed, GAME)).text))


def test_a_spreadsheet_holds_no_formula_and_keeps_what_was_typed() -> None:
    book = openpyxl.load_workbook(io.BytesIO(written(GAME, ".xlsx")[0]))
    sheet = book.worksheets[0]
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value is not None} == {"s"}
    typed = next(row for row in sheet.iter_rows() if row[0].value == "P-3")
    typed[3].value, typed[4].value = 5, "translated"
    sheet.move_range("A1:F9", cols=1)
    made = io.BytesIO()
    book.save(made)
    back = returned(unit_table.read_table(made.getvalue()).units, GAME)
    assert {e.msgctxt: e.msgstr for e in parsed(put_back(GAME, back).text)}["P-3"] == "5"


def test_a_csv_holds_no_formula() -> None:
    made = spreadsheet.csv_table(("a",), [("=1+1",), ("@x",), ("plain",)])
    assert made == "\ufeffa\r\n'=1+1\r\n'@x\r\nplain\r\n"


# ---------------------------------------------------------------- bad files


def workbook(*rows: tuple[Any, ...]) -> bytes:
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    made = io.BytesIO()
    book.save(made)
    return made.getvalue()


def bomb() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/workbook.xml", b" " * (129 * 1024 * 1024))
    return made.getvalue()


_ENTITY = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hosts">]><x>&e;</x>'
BAD = {
    "empty.xlsx": (b"", "this is no workbook"),
    "words.xlsx": (b"id,source", "this is no workbook"),
    "torn.xlsx": (workbook(("id",))[:900], "this is no workbook"),
    "bomb.xlsx": (bomb(), "unpacked it is larger"),
    "other.xlsx": (workbook(("id", "source")), "no column translation, state"),
    "state.xlsx": (workbook(unit_table.HEAD, ("P-1", "", "a", "b", "finished")), "there is no state `finished`"),
    "empty.xlf": (b"", "this is no XML"),
    "torn.xlf": (written(GAME, ".xlf")[0][:700], "this is no XML"),
    "entity.xlf": (_ENTITY.encode(), "no declarations of its own"),
    "two.xlf": (b'<xliff xmlns="urn:oasis:names:tc:xliff:document:2.0" version="2.0"/>', "version 2 of XLIFF"),
    "other.xlf": (b"<html/>", "it begins as html"),
    "latin.xlf": ("è".encode("latin-1"), "is not UTF-8"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_file_that_is_none_is_refused_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    content, says = BAD[name]
    back, po = tmp_path / name, tmp_path / "foxy.it.po"
    back.write_bytes(content)
    po.write_text(GAME.text, encoding="utf-8")
    done = CliRunner().invoke(cli, ["text", "merge", str(paths.GAMES / "foxy.rules"), str(po), "--from", str(back)])
    assert done.exit_code == 1
    assert says in str(done.exception)
    assert po.read_text(encoding="utf-8") == GAME.text


@pytest.mark.parametrize("ending", FORMS[1:])
def test_it_goes_there_and_back_by_commands(ending: str, tmp_path: Path) -> None:
    po, out = tmp_path / "hornochsen.it.po", tmp_path / f"sent{ending}"
    po.write_text((paths.GAMES / "text" / po.name).read_text(encoding="utf-8"), encoding="utf-8")
    before = whole(Source("", po.read_text(encoding="utf-8")))
    done = CliRunner().invoke(cli, ["text", "send", str(po), "-o", str(out)])
    assert (done.exit_code, done.output) == (0, f"{len([e for e in before if not e[-1]])} texts written to {out}\n")
    again = CliRunner().invoke(cli, ["text", "send", str(po), "-o", str(out)])
    assert "there is a file already" in str(again.exception)
    merge = ["text", "merge", str(paths.GAMES / "hornochsen.rules"), str(po), "--from", str(out)]
    assert CliRunner().invoke(cli, merge).exit_code == 0
    assert whole(Source("", po.read_text(encoding="utf-8"))) == before


def test_what_xml_cannot_hold_is_refused_with_its_line() -> None:
    with pytest.raises(Broken, match="a character that such a file cannot hold"):
        written(catalogue(entry("P-1", "bell\x07", "x")), ".xlf")


def test_an_ending_that_is_none_of_ours_is_said(tmp_path: Path) -> None:
    done = CliRunner().invoke(cli, ["text", "send", "games/text/foxy.it.po", "-o", str(tmp_path / "x.doc")])
    assert done.exit_code == 2
    assert "name a file that ends in .xlf or .xliff or .xlsx" in done.output
