"""Merging loses no translation: texts that change, go and come back, and catalogues that come back from other tools."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.source import Source
from rulekit.tools.gettext_files.languages import plural_line
from rulekit.tools.language.catalogue_merge import Merged, merged, new_catalogue
from rulekit.tools.language.catalogue_return import with_returned
from rulekit.tools.language.engine_extraction import extracted
from rulekit.tools.language.message_extraction import Entry
from rulekit.tools.language.po_files import parsed
from tests import paths
from tests.extras import needs
from tests.sizes import some
from tests.text.round_trips import through_csv, through_xliff
from tests.text.test_catalogues import outside

CARD = Entry("kind card", "card", "cards", ("A kind of thing: one, several.",))
FIRST = Entry("P-1", "Whoever is first gets 2 points.", behaviour="aaaaaaaaaaaa")
SECOND = Entry("P-2", "Then 3 more, and the game ends.", behaviour="bbbbbbbbbbbb")
EXAMPLE = Entry("example three_bears", "three bears and two cats")
TEXTS = (CARD, FIRST, SECOND, EXAMPLE)


def changed(entry: Entry, **fields: str) -> Entry:
    return Entry(**{"id": entry.id, "text": entry.text, "behaviour": entry.behaviour, **fields})


def translated(*texts: Entry, language: str = "it") -> str:
    """A catalogue in which everything is said."""
    return filled(new_catalogue(texts, "Ping", language).text)


def filled(text: str, mark: str = "it") -> str:
    """The same with all that is missing or fuzzy translated, as a translator would leave it."""
    po = parsed(text)
    for entry in po:
        if entry.obsolete or entry.translated():
            continue
        entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
        entry.previous_msgid = entry.previous_msgctxt = None
        if entry.msgid_plural:
            entry.msgstr_plural = {place: f"{mark}{place}:{entry.msgid}" for place in entry.msgstr_plural}
        else:
            entry.msgstr = f"{mark}:{entry.msgid}"
    return f"{po}"


def again(text: str, *texts: Entry, language: str = "it") -> Merged:
    return merged(Source("old", text), texts, "Ping", language)


def entries(text: str) -> list[Any]:
    return list(parsed(text))


def entry(text: str, id_: str) -> Any:
    found = [each for each in parsed(text) if each.msgctxt == id_ and not each.obsolete]
    assert len(found) == 1, text
    return found[0]


def is_whole(text: str, one: Entry) -> bool:
    found = entry(text, one.id)
    return bool(found.msgstr == f"it:{one.text}" and not found.fuzzy)


# ---------------------------------------------------------------- what goes and comes back


def test_a_clause_that_goes_and_comes_back_is_whole() -> None:
    without = again(translated(*TEXTS), CARD, FIRST, EXAMPLE)
    assert without.gone == 1
    back = again(without.text, *TEXTS)
    assert (back.kept, back.fuzzy, back.new, back.gone) == (4, 0, 0, 0)
    assert is_whole(back.text, SECOND)
    assert len(entries(back.text)) == 4


def test_a_clause_that_comes_back_over_other_rules_is_fuzzy() -> None:
    without = again(translated(*TEXTS), CARD, FIRST, EXAMPLE)
    back = again(without.text, CARD, FIRST, changed(SECOND, behaviour="cccccccccccc"), EXAMPLE)
    found = entry(back.text, "P-2")
    assert found.fuzzy
    assert found.msgstr == "it:Then 3 more, and the game ends."
    assert "changed after it was translated" in found.comment


def test_what_translators_remarked_goes_and_comes_back_too() -> None:
    text = translated(*TEXTS).replace("#. behaviour: bbb", "# a remark\n#. behaviour: bbb")
    without = again(text, CARD, FIRST, EXAMPLE).text
    assert "# a remark\n# behaviour: bbbbbbbbbbbb\n#~ msgctxt" in without
    assert entry(again(without, *TEXTS).text, "P-2").tcomment == "a remark"


def test_a_doubled_obsolete_entry_is_kept_once() -> None:
    """As catalogues have it that were merged before obsolete entries came back."""
    words = "Then 3 more, and the game ends."
    old = f'\n#~ msgctxt "P-2"\n#~ msgid "{words}"\n#~ msgstr "it:{words}"\n'
    back = again(translated(CARD, FIRST) + old + old, CARD, FIRST, SECOND)
    assert [each.msgctxt for each in entries(back.text)] == ["kind card", "P-1", "P-2"]
    assert entry(back.text, "P-2").msgstr == f"it:{words}"
    assert entry(back.text, "P-2").fuzzy, "nobody knows over which rules it was translated"


# ---------------------------------------------------------------- what changes


def test_a_changed_clause_id_keeps_its_translation_whole() -> None:
    renamed = changed(SECOND, id="P-7")
    result = again(translated(*TEXTS), CARD, FIRST, renamed, EXAMPLE)
    assert (result.kept, result.fuzzy, result.new, result.gone) == (4, 0, 0, 0)
    assert is_whole(result.text, renamed)


def test_exchanged_clause_ids_exchange_their_translations() -> None:
    one, other = changed(FIRST, id="P-2"), changed(SECOND, id="P-1")
    result = again(translated(*TEXTS), CARD, one, other, EXAMPLE)
    assert is_whole(result.text, one)
    assert is_whole(result.text, other)


def test_a_new_answer_before_others_takes_nothing_from_them() -> None:
    ways = [Entry(f"way round.{place}", words) for place, words in enumerate(("go on", "stay"), 1)]
    later = [Entry(f"way round.{place}", words) for place, words in enumerate(("turn back", "go on", "stay"), 1)]
    result = again(translated(*ways), *later)
    assert (result.kept, result.fuzzy + result.new) == (2, 1)
    assert all(is_whole(result.text, way) for way in later[1:])


def test_a_changed_title_of_an_example_is_fuzzy_with_the_words_as_they_were() -> None:
    renamed = Entry("example three_bears_two_cats", "three bears, two cats")
    result = again(translated(*TEXTS), CARD, FIRST, SECOND, renamed)
    found = entry(result.text, renamed.id)
    assert (found.msgstr, found.fuzzy) == ("it:three bears and two cats", True)
    assert (found.previous_msgctxt, found.previous_msgid) == (EXAMPLE.id, EXAMPLE.text)
    assert (result.new, result.gone) == (0, 0)


def test_words_that_have_nothing_in_common_are_not_offered() -> None:
    result = again(translated(EXAMPLE), Entry("example sixteen_lions", "sixteen lions"))
    assert (result.new, result.gone) == (1, 1)


def test_the_same_words_of_another_sort_are_fuzzy() -> None:
    name = Entry("name card", "card")
    result = again(translated(Entry("prompt card", "card")), Entry("prompt card", "card"), name)
    assert (entry(result.text, "name card").msgstr, entry(result.text, "name card").fuzzy) == ("it:card", True)
    assert is_whole(result.text, Entry("prompt card", "card"))


def test_words_that_change_and_change_back_have_their_translation_again() -> None:
    reworded = changed(SECOND, text="Then three more, and the game ends.")
    there = filled(again(translated(*TEXTS), CARD, FIRST, reworded, EXAMPLE).text)
    assert is_whole(there, reworded)
    back = again(there, *TEXTS)
    assert back.kept == 4
    assert is_whole(back.text, SECOND)


def test_a_fuzzy_entry_keeps_the_words_for_which_it_was_translated() -> None:
    text = translated(*TEXTS)
    for words in ("Then 3 more; the game ends.", "Then 3 more; the game ends.", "Then 3 more; the whole game ends."):
        text = again(text, CARD, FIRST, changed(SECOND, text=words), EXAMPLE).text
        assert entry(text, "P-2").previous_msgid == SECOND.text
    assert sum(each.obsolete for each in parsed(text)) == 1


def test_a_fuzzy_entry_keeps_the_reason() -> None:
    text = translated(*TEXTS)
    for _ in range(2):
        text = again(text, CARD, FIRST, changed(SECOND, behaviour="cccccccccccc"), EXAMPLE).text
        assert entry(text, "P-2").comment.startswith("The rules behind this changed after it was translated.\n")
    assert "changed after" not in again(filled(text), CARD, FIRST, changed(SECOND, behaviour="cccccccccccc")).text


def test_a_translation_that_waits_for_changed_rules_stays_with_its_words() -> None:
    doubted = again(translated(*TEXTS), CARD, FIRST, changed(SECOND, behaviour="cccccccccccc"), EXAMPLE).text
    reworded = again(doubted, CARD, FIRST, changed(SECOND, text="Then 3 more; the game ends."), EXAMPLE).text
    back = again(filled(reworded).replace("it:Then 3 more; the", "so"), *TEXTS).text
    assert entry(back, "P-2").msgstr == f"it:{SECOND.text}"


@needs("gettext")
def test_gettext_takes_an_id_that_changed_over_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "x.po"
    other = Entry("name card", "card")
    path.write_text(again(translated(Entry("prompt card", "card")), other).text, encoding="utf-8")
    assert '#| msgctxt "prompt card"' in path.read_text(encoding="utf-8")
    outside("msgfmt", "--check", "-o", str(tmp_path / "out.mo"), str(path))


@pytest.mark.parametrize("language", ["pl", "ja", "it"])
def test_a_plural_has_as_many_forms_as_the_language(language: str) -> None:
    wanted = int(plural_line(language)[len("nplurals=")])
    text = translated(CARD, language=language)
    assert len(entry(text, "kind card").msgstr_plural) == wanted
    text = again(translated(Entry("kind card", "card"), language=language), CARD, language=language).text
    assert len(entry(text, "kind card").msgstr_plural) == wanted


# ---------------------------------------------------------------- what comes back from other tools

SHIPPED = sorted(paths.GAMES.glob("text/*.it.po"))
WAYS = {"xliff": through_xliff, "csv": through_csv}
"""What they lose: ids, both; CSV also notes and what is fuzzy, so that all of it has to be looked at."""


def rules_of(catalogue: Path) -> str:
    return str(paths.GAMES / f"{catalogue.name.partition('.')[0]}.rules")


def words_of(text: str) -> list[tuple[Any, ...]]:
    return [
        (each.msgctxt, each.msgid, each.msgid_plural, each.msgstr, each.msgstr_plural, each.fuzzy)
        for each in parsed(text)
    ]


@pytest.mark.parametrize("path", some(SHIPPED, 3), ids=lambda path: path.name)
@pytest.mark.parametrize("way", WAYS)
def test_a_catalogue_that_comes_back_is_the_one_that_was_sent(path: Path, way: str, tmp_path: Path) -> None:
    sent, back = tmp_path / path.name, tmp_path / "back.po"
    sent.write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    back.write_text(WAYS[way](path.read_text(encoding="utf-8"), {}), encoding="utf-8")
    words = ["text", "merge", rules_of(path), str(sent), "--from", str(back)]
    done = CliRunner().invoke(cli, words, standalone_mode=False)
    assert done.return_value == 0, done.output
    assert words_of(sent.read_text(encoding="utf-8")) == words_of(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_without_the_one_that_was_sent_words_find_their_ids(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    title, texts = extracted(rules_of(path))
    result = merged(Source("back", through_xliff(text, {})), texts, title, "it")
    lost = [one.id for one, found in zip(texts, parsed(result.text), strict=False) if not found.translated()]
    twins = {one.id for one in texts if sum((o.text, o.spans) == (one.text, one.spans) for o in texts) > 1}
    assert set(lost) <= twins
    assert result.gone == 0
    result = merged(Source("back", through_csv(text, {})), texts, title, "it")
    assert (result.kept, result.new) == (0, 0)


@pytest.mark.parametrize("way", WAYS)
def test_what_was_translated_elsewhere_is_taken_over(way: str) -> None:
    new, plus = Entry("P-3", "Nobody wins alone.", behaviour="dddddddddddd"), Entry("way round.1", "-2 for each")
    sent = again(translated(*TEXTS), CARD, changed(FIRST, behaviour="cccccccccccc"), new, plus).text
    said = {new.text: "-- da soli non si vince", FIRST.text: "Il primo ha 2 punti.", plus.text: "+2 per ciascuno"}
    if way == "csv":
        # So it stands in a CSV, and so spreadsheets keep it.
        said |= {"'-2 for each": "'+2 per ciascuno", new.text: "'-- da soli non si vince"}
    back = with_returned(Source("sent", sent), Source("back", WAYS[way](sent, said))).text
    assert {each.msgctxt: each.msgstr for each in parsed(back) if each.msgid in said} == {
        "P-1": "Il primo ha 2 punti.",
        "P-3": "-- da soli non si vince",
        "way round.1": "+2 per ciascuno",
    }
    assert not any(each.fuzzy for each in parsed(back))
    assert entry(back, "kind card").msgstr_plural == {0: "it0:card", 1: "it1:card"}


def test_a_table_does_not_confirm_what_is_fuzzy() -> None:
    sent = again(translated(*TEXTS), CARD, changed(FIRST, behaviour="cccccccccccc")).text
    back = with_returned(Source("sent", sent), Source("back", through_csv(sent, {}))).text
    assert entry(back, "P-1").fuzzy


def test_an_empty_translation_takes_nothing_away() -> None:
    sent = translated(*TEXTS)
    emptied = re.sub(r'msgstr(\[.\])? "it.*"', r'msgstr\1 ""', sent)
    assert emptied != sent
    assert words_of(with_returned(Source("sent", sent), Source("back", emptied)).text) == words_of(sent)


@needs("gettext")
@pytest.mark.parametrize("way", WAYS)
def test_gettext_is_content_with_what_comes_back(way: str, tmp_path: Path) -> None:
    for language in ("it", "pl", "ja"):
        text = WAYS[way](translated(*TEXTS, language=language), {})
        path = tmp_path / f"{language}.po"
        path.write_text(again(text, CARD, SECOND, language=language).text, encoding="utf-8")
        outside("msgfmt", "--check", "-o", str(tmp_path / "out.mo"), str(path))


def test_nothing_that_was_not_sent_can_come_back(tmp_path: Path) -> None:
    back = tmp_path / "back.po"
    back.write_text(translated(*TEXTS), encoding="utf-8")
    words = ["text", "merge", rules_of(SHIPPED[0]), str(tmp_path / "x.it.po"), "--from", str(back)]
    assert CliRunner().invoke(cli, words).exit_code == 2


# ---------------------------------------------------------------- ids that many texts share


def test_a_new_text_is_lent_no_translation_by_an_id_that_others_share() -> None:
    one, other = Entry("page", "Back to the table"), Entry("page", "Try moves")
    made = again(translated(one, other), one, other, Entry("page", "Waiting for {names}."))
    assert (made.kept, made.fuzzy, made.new, made.gone) == (2, 0, 1, 0)
    alike = again(translated(one, other), one, Entry("page", "Try some moves"))
    assert (alike.kept, alike.fuzzy, alike.new) == (1, 1, 0)
