"""PO files are read as `msgfmt` reads them, and what cannot be read is named with its line."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from rulekit.source import Source
from rulekit.tools.gettext_files.languages import (
    canonical_code,
    is_language,
    is_same_language,
    nearest_code,
    plural_line,
)
from rulekit.tools.gettext_files.po_parser import parse_po
from rulekit.tools.language.plural_forms import plural_forms
from rulekit.tools.language.po_files import Broken, parsed, read_po
from tests.extras import needs

HEAD = 'msgid ""\nmsgstr "Language: it\\nContent-Type: text/plain; charset=UTF-8\\n"\n\n'
GOOD = 'msgctxt "P-1"\nmsgid "a button"\nmsgstr "un bottone"\n\n'

UNUSUAL = {
    "a flag without a blank": ('#,fuzzy\nmsgctxt "x"\nmsgid "a"\nmsgstr "b"', "b"),
    "a keyword without a blank": ('msgctxt"x"\nmsgid"a"\nmsgstr"b"', "b"),
    "an index with blanks": ('msgctxt "x"\nmsgid "a"\nmsgid_plural "as"\nmsgstr [ 0 ]"b"\nmsgstr[1] "c"', "b"),
    "texts on one line": ('msgctxt "x" msgid "a" msgstr "b" "c"', "bc"),
    "a text on the next line": ('msgctxt "x"\nmsgid\n"a"\nmsgstr\n"b"', "b"),
    "octal": ('msgctxt "x"\nmsgid "a"\nmsgstr "\\303\\251"', "é"),
    "hexadecimal": ('msgctxt "x"\nmsgid "a"\nmsgstr "\\xc3\\xa9t"', "ét"),
    "octal of three digits": ('msgctxt "x"\nmsgid "a"\nmsgstr "\\47\\1234"', "'S4"),
    "escapes": ('msgctxt "x"\nmsgid "a"\nmsgstr "\\t\\"\\\\n"', '\t"\\n'),
}


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_msgfmt_reads_is_read(name: str) -> None:
    text, said = UNUSUAL[name]
    written = read_po(Source("x.po", HEAD + text + "\n"))
    assert written.faults == ()
    (entry,) = written.entries
    assert (entry.id, entry.text, entry.forms[0]) == ("x", "a", said)
    assert entry.fuzzy == ("fuzzy" in text)


@pytest.mark.parametrize("name", UNUSUAL)
def test_what_was_read_is_written_back_intact(name: str) -> None:
    once = parsed(HEAD + UNUSUAL[name][0] + "\n")
    again = parsed(f"{once}")
    assert [(e.msgid, e.msgstr, e.msgstr_plural, e.fuzzy) for e in again] == [
        (e.msgid, e.msgstr, e.msgstr_plural, e.fuzzy) for e in once
    ]


@needs("gettext")
@pytest.mark.parametrize("name", UNUSUAL)
def test_msgunfmt_tells_the_same(name: str, tmp_path: Path) -> None:
    text, said = UNUSUAL[name]
    plurals = HEAD.replace('charset=UTF-8\\n"', 'charset=UTF-8\\nPlural-Forms: nplurals=2; plural=n!=1;\\n"')
    (tmp_path / "x.po").write_text(plurals + text.replace("#,fuzzy\n", "") + "\n", encoding="utf-8")
    subprocess.run(["msgfmt", "-o", "x.mo", "x.po"], cwd=tmp_path, check=True)
    done = subprocess.run(["msgunfmt", "x.mo"], cwd=tmp_path, check=True, capture_output=True)
    (entry,) = read_po(Source("x.po", done.stdout.decode())).entries
    assert entry.forms[0] == said


@pytest.mark.parametrize("separator", "\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_a_line_separator_of_another_program_becomes_a_blank(separator: str) -> None:
    for between in (separator, f" {separator}"):
        text = HEAD + GOOD.replace("un bottone", f"un{between}bottone").replace("a button", "a button")
        written = read_po(Source("x.po", text))
        assert written.entries[0].forms == ("un bottone",)
        assert written.with_line_breaks == ("P-1",)
        assert parsed(text)[0].msgstr == "un bottone"
    assert read_po(Source("x.po", HEAD + GOOD.replace("un b", f"{separator}un b"))).entries[0].forms == ("un bottone",)


@pytest.mark.parametrize("directive", ['domain "foxy"\n', '\n# a remark\ndomain\n"fo" "xy"\n\n', 'domain "messages"\n'])
def test_a_domain_is_no_part_of_an_entry(directive: str) -> None:
    written = read_po(Source("x.po", HEAD + GOOD + directive + GOOD.replace("P-1", "P-2")))
    assert written.faults == ()
    assert [(entry.id, entry.forms) for entry in written.entries] == [(id_, ("un bottone",)) for id_ in ("P-1", "P-2")]


BROKEN = {
    "no quotation mark": ('msgctxt "x"\nmsgid "a\nmsgstr "b"', 2, "no quotation mark at its end"),
    "a misspelt keyword": ('msgctx "x"\nmsgid "a"\nmsgstr "b"', 1, "neither a comment nor a quoted text"),
    "words": ("hello there", 1, "neither a comment nor a quoted text"),
    "no escape": ('msgctxt "x"\nmsgid "a"\nmsgstr "\\q"', 3, "`\\q` is no escape"),
    "no UTF-8": ('msgctxt "x"\nmsgid "a"\nmsgstr "\\303"', 3, "no character in UTF-8"),
    "NUL": ('msgctxt "x"\nmsgid "a"\nmsgstr "b\\0"', 3, "NUL"),
    "no msgstr": ('msgctxt "x"\nmsgid "a"', 1, "no msgstr"),
    "no msgid": ('msgctxt "x"\nmsgstr "b"', 2, "no msgid before it"),
    "a second msgstr": ('msgctxt "x"\nmsgid "a"\nmsgstr "b"\nmsgstr "c"', 4, "a second msgstr"),
    "obsolete in part": ('#~ msgid "a"\nmsgstr "b"', 2, "obsolete"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_one_bad_entry_is_named_with_its_line_and_the_others_are_read(name: str) -> None:
    text, line, says = BROKEN[name]
    where = (HEAD + GOOD).count("\n")
    for behind in ("\n\n" + GOOD.replace("P-1", "P-2"), "\n# a remark\n" + GOOD.replace("P-1", "P-2")):
        written = read_po(Source("x.po", HEAD + GOOD + text + behind))
        assert [(fault.line - where, says in fault.text) for fault in written.faults] == [(line, True)]
        assert [entry.id for entry in written.entries] == ["P-1", "P-2"]
    with pytest.raises(Broken, match=re.escape(says)) as told:
        parsed(HEAD + GOOD + text + "\n")
    assert told.value.line - where == line


def test_an_entry_of_which_each_part_stands_on_a_line_of_its_own_knows_where_its_translation_begins() -> None:
    (entry,) = read_po(
        Source("x.po", "#. a note\n\nmsgctxt\n'x'\n".replace("'", '"') + 'msgid "a"\n  msgstr "b"\n')
    ).entries
    assert (entry.line, entry.msgstr_line) == (1, 6)


def test_a_file_with_old_line_ends_is_read() -> None:
    assert len(parse_po((HEAD + GOOD).replace("\n", "\r")).entries) == 1


def test_an_entry_of_blanks_is_not_translated() -> None:
    assert read_po(Source("x.po", HEAD + GOOD.replace("un bottone", "  "))).entries[0].forms == ("",)


def test_the_first_of_two_entries_counts_and_the_other_is_named() -> None:
    written = read_po(Source("x.po", HEAD + GOOD + GOOD.replace("un bottone", "altro")))
    assert [entry.forms for entry in written.entries] == [("un bottone",)]
    assert [(fault.line, "says something else than in line 6" in fault.text) for fault in written.duplicates] == [
        (8, True)
    ]
    with pytest.raises(Broken, match="keep one of them"):
        parsed(HEAD + GOOD + GOOD.replace("un bottone", "altro"))
    assert len(parsed(HEAD + GOOD + GOOD)) == 1


# ---------------------------------------------------------------- languages

COUNTS = {
    "ar": 6,
    "cy": 6,
    "ga": 5,
    "lt": 3,
    "sr": 3,
    "sr@latin": 3,
    "sl": 4,
    "pl": 3,
    "cs": 3,
    "ja": 1,
    "zh_Hant": 1,
    "it": 2,
}


@pytest.mark.parametrize("code", COUNTS)
def test_a_language_has_the_plural_forms_of_cldr(code: str) -> None:
    found = plural_forms(plural_line(code))
    assert found is not None
    assert found[0] == COUNTS[code]


def test_every_line_of_plural_forms_can_be_read() -> None:
    from rulekit.tools.gettext_files.language_table import PLURALS

    assert sum(len(codes.split()) for codes in PLURALS.values()) > 200
    for line in PLURALS:
        found = plural_forms(line)
        assert found is not None, line
        assert {found[1](number) for number in range(1001)} == set(range(found[0])), line


@pytest.mark.parametrize(
    ("code", "forms"),
    [("fr", [0, 0, 1, 1]), ("pt_PT", [1, 0, 1, 1]), ("pt", [0, 0, 1, 1]), ("ru", [2, 0, 1, 1]), ("de", [1, 0, 1, 1])],
)
def test_numbers_take_their_forms(code: str, forms: list[int]) -> None:
    found = plural_forms(plural_line(code))
    assert found is not None
    assert [found[1](number) for number in range(4)] == forms


def test_codes_are_written_as_gettext_does() -> None:
    written = ["pt-br", "IT", "sr-Latn", "zh-Hant-TW", "sr@latin", "es-419", "no code"]
    assert [canonical_code(code) for code in written] == [
        *("pt_BR", "it", "sr_Latn", "zh_Hant_TW", "sr@latin", "es_419", "no code"),
    ]


def test_the_right_code_is_named_where_it_is_known() -> None:
    assert [nearest_code(code) for code in ("IT", "jp", "cz", "ita", "german", "xx", "zz-ZZ")] == [
        *("it", "ja", "cs", "it", "de", "", ""),
    ]
    assert is_language("pt_BR")
    assert not is_language("xx")


def test_a_code_without_a_country_is_the_same_language() -> None:
    assert is_same_language("it", "it-IT")
    assert is_same_language("pt-br", "pt_BR")
    assert is_same_language("Italian", "it")
    assert not is_same_language("zh_TW", "zh_CN")
    assert not is_same_language("de", "it")
