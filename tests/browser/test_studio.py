"""The studio in Chromium: the loop of edit, see and measure, with faults, other hands on the file, and keys alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen

from rulekit.studio.studio import Studio
from tests.browser.conftest import NewPerson
from tests.browser.people import Person
from tests.browser.serving import KEY, in_a_thread
from tests.extras import needs
from tests.paths import EXAMPLES
from tests.studio.studios import MAGPIES, settled, studio

pytestmark = needs("browser")
FAULTS = "[id=findings] li"


@frozen
class Opened:
    """A studio, and a person who has its page open."""

    studio: Studio
    person: Person

    @property
    def page(self) -> Any:
        return self.person.page

    def typed(self, old: str, new: str) -> None:
        """Put other words in the place of some, as who edits does: the place is marked, and typed over."""
        assert self.page.evaluate("old => !!studio.editor.find(old, {caseSensitive: true})", old)
        self.page.evaluate("studio.editor.focus()")
        self.page.keyboard.insert_text(new)

    def text(self) -> str:
        return str(self.page.evaluate("studio.editor.getValue()"))

    def until(self, selector: str) -> Any:
        return self.page.wait_for_selector(selector, state="attached")

    def sees(self, selector: str, words: str) -> None:
        """Wait until a part of the page holds words."""
        self.person.until(lambda: words in str(self.page.locator(selector).inner_text()))


@contextmanager
def opened(person: Person, folder: Path, file: Path = MAGPIES) -> Iterator[Opened]:
    from rulekit.studio.server import StudioServer
    from rulekit.web.running import Running

    with studio(folder, file) as made:
        made.play_series()
        server = Running(StudioServer(made, KEY), ("127.0.0.1",), host="127.0.0.1", port=0, log_level="error")
        with in_a_thread(server) as address:
            person.sit(f"{address}/{KEY}/")
            person.page.wait_for_selector("#answer .choices")
            person.page.wait_for_selector("#series-result table")
            yield Opened(made, person)
            person.page.goto("about:blank")


def test_a_fault_is_marked_told_and_gone_when_it_is_mended(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        made.typed("action day", "acton day")
        made.until(FAULTS)
        made.sees("#state", "fault")
        assert made.page.locator(".ace_gutter .ace_error, .ace_gutter .ace_error_fold").count()
        made.typed("acton day", "action day")
        made.sees("#state", "no fault")
        assert not made.page.locator(FAULTS).count()


def test_the_match_goes_on_or_says_by_which_decision_it_parts(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        for decision in (1, 2):
            made.page.locator("#match .choices button").first.click()
            made.sees("label[for=time]", f"of {decision}")
        made.typed("| 1..7    |", "| 1..9    |")
        made.sees("#match .choices", "8")
        assert not made.page.locator("#match .notice").count()
        made.typed("| 1..9    |", "| 2..9    |")
        made.until("#match .notice")
        assert made.page.locator("#match .notice figure").count() == 2
        made.typed("| 2..9    |", "| 1..7    |")
        made.until("#match:not(:has(.notice))")


def test_while_the_text_has_faults_what_belongs_to_earlier_rules_is_grey(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        page = made.page
        page.locator("#match .choices button").first.click()
        ran = """(({doc, gutterRenderer}) => doc.getAllLines().map(
            (_, row) => gutterRenderer.getText(null, row).startsWith("\u00d7")))(studio.editor.session)"""
        made.person.until(lambda: any(page.evaluate(ran)))
        before = page.evaluate(ran)
        made.typed("action day", "acton day")
        made.until("#match.old .old-note")
        made.until("#figures.old #figures-old:not([hidden])")
        made.until("#editor.old-counts")
        made.sees("#figures-old", "this still shows the rules")
        page.evaluate("studio.editor.session.insert({row: 0, column: 0}, '\\n')")
        assert page.evaluate(ran) == [False, *before], "counts stay beside their lines"
        made.typed("acton day", "action day")
        made.sees("#state", "no fault")
        made.until("#match:not(.old):not(:has(.old-note))")
        made.until("#figures:not(.old):not(.begins)")
        made.until("#editor:not(.old-counts)")


def test_the_time_of_the_match_is_dragged_through_all_decisions_in_one_go(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        page = made.page
        for decision in (1, 2, 3, 4):
            page.locator("#match .choices button").first.click()
            made.sees("label[for=time]", f"of {decision}")
        box = page.locator("#time").bounding_box()
        page.mouse.move(box["x"] + box["width"] - 5, box["y"] + box["height"] / 2)
        page.mouse.down()
        for part, place in ((0.75, "3"), (0.5, "2"), (0.25, "1")):
            page.mouse.move(box["x"] + box["width"] * part, box["y"] + box["height"] / 2)
            made.sees("label[for=time]", f"{place} of 4")
        page.mouse.up()
        made.sees("#match p.past", "an earlier position, after decision 1: only to look at")
        assert page.locator("#picture.past").count() == 1
        assert not page.locator("#answer .choices").count()
        page.locator("#to-now").click()
        made.sees("label[for=time]", "4 of 4")
        assert not page.locator("#picture.past").count()
        page.locator("#time").focus()
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        made.sees("label[for=time]", "1 of 4")
        page.locator("#go-back").click()
        made.sees("label[for=time]", "1 of 1")
        assert page.locator("#time").input_value() == page.locator("#time").get_attribute("max") == "1"


def test_a_number_is_dragged_the_figures_follow_and_it_is_dropped(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        before = made.text()
        made.page.evaluate("studio.editor.find('worth 9'); studio.editor.selection.clearSelection()")
        made.page.evaluate("studio.editor.navigateLeft(1)")
        made.page.locator("#slider").focus()
        for _ in range(8):
            made.page.keyboard.press("ArrowLeft")
        assert "worth 1\n" in made.text()
        made.sees("#drag-value", "9 → 1")
        made.sees("#series-result", "came to another end")
        made.page.locator("#drag-drop").click()
        assert made.text() == before
        made.sees("#series-result", "all came to the same end")


def test_what_is_not_saved_is_marked_and_asked_about(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        page = made.page
        made.until("#unsaved[hidden]")
        made.typed("action day", "action  day")
        made.until("#unsaved:not([hidden])")
        made.person.until(lambda: made.studio.text.text == made.text())
        with page.expect_event("dialog") as asked:
            page.once("dialog", lambda dialog: dialog.accept())
            page.reload()
        assert asked.value.type == "beforeunload"
        made.until("#unsaved:not([hidden])")
        page.locator("#save").click()
        made.until("#unsaved[hidden]")
        assert Path(made.studio.file.path).read_text("utf-8") == made.text()


def test_a_press_on_a_number_moves_no_text_and_keeping_it_compares_as_before(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        page = made.page
        page.evaluate("studio.editor.find('worth 9'); studio.editor.selection.clearSelection()")
        page.evaluate("studio.editor.gotoLine(1, 0)")
        place = "studio.editor.find('worth 9', {start: {row: 0, column: 0}}).end"
        at = page.evaluate(f"(end => studio.editor.renderer.textToScreenCoordinates(end.row, end.column))({place})")
        page.evaluate("studio.editor.gotoLine(1, 0)")
        top = page.locator("#editor").bounding_box()
        page.mouse.move(at["pageX"] - 2, at["pageY"] + 4)
        page.mouse.down()
        made.until("#drag:not([hidden])")
        page.mouse.up()
        assert page.evaluate("studio.editor.getSelectedText()") == ""
        assert page.locator("#editor").bounding_box() == top
        page.keyboard.press("Backspace")
        page.keyboard.type("7")
        made.sees("#drag-line", str(page.evaluate("studio.editor.getCursorPosition().row + 1")))
        made.sees("#drag-value", "7")
        assert page.locator("#drag-drop").is_disabled(), "what was typed is not the slider's to take back"
        page.locator("#slider").focus()
        page.keyboard.press("ArrowLeft")
        made.sees("#drag-value", "7 → 6")
        page.evaluate("studio.editor.session.insert({row: 0, column: 0}, '\\n')")
        page.locator("#drag-keep").click()
        assert "worth 6" in made.text()
        made.sees("#series-result", "came to another end")
        made.person.until(lambda: made.studio.game is not None and made.studio.game.sources[0][1] == made.text())
        page.locator("#keep").click()
        made.sees("#done", "From now on")
        made.sees("#series-result", "all came to the same end")
        page.locator("#compare-opened").click()
        made.sees("#done", "as they were opened")
        made.sees("#series-result", "came to another end")


def test_what_fails_is_told_at_the_head_and_so_it_is_when_the_page_is_loaded_again(
    person: NewPerson, tmp_path: Path
) -> None:
    with opened(person(), tmp_path) as made:
        made.typed("| 1..7    |", "| 2..7    |")
        made.sees("#fails", "not hold")
        made.page.reload()
        made.sees("#state", "no fault")
        made.sees("#fails", "not hold")
        made.page.locator("#fails button").click()
        assert made.page.evaluate("document.activeElement.id") == "examples-head"


def test_who_has_no_mouse_types_saves_and_gets_out_of_the_editor(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        made.page.locator("#save").focus()
        inside = "document.activeElement.closest('#editor') !== null"
        for _ in range(6):
            made.page.keyboard.press("Tab")
            if made.page.evaluate(inside):
                break
        assert made.page.evaluate(inside)
        assert "Escape, then Tab leaves" in made.page.locator("#keys").inner_text()
        made.page.evaluate("studio.editor.focus(); studio.editor.navigateFileEnd()")
        made.page.keyboard.press("Tab")
        made.page.keyboard.type("# typed")
        made.page.keyboard.press("Control+s")
        made.sees("#done", "Saved")
        assert Path(made.studio.file.path).read_text("utf-8").endswith("\n    # typed"), "Tab indents"
        made.page.keyboard.press("Shift+Tab")
        assert made.text().endswith("\n# typed")
        made.page.keyboard.press("Escape")
        made.page.keyboard.press("Tab")
        made.page.keyboard.press("Tab")
        assert not made.page.evaluate(inside)


def test_keys_show_and_are_taken_back_whatever_the_server_does(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as one:
        before = one.text()
        held: list[Any] = []
        one.page.route("**/do/**", lambda route: held.append(route))
        one.page.evaluate("studio.editor.focus(); studio.editor.navigateFileEnd()")
        one.page.keyboard.type("# seen at once")
        assert one.text() == before + "# seen at once"
        one.person.until(lambda: bool(held))
        while one.text() != before:
            before_that = one.text()
            one.page.keyboard.press("Control+z")
            assert len(one.text()) < len(before_that)
        for each in held:
            each.continue_()
        one.page.unroute("**/do/**")


def test_what_others_write_is_taken_or_asked_about(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        path = Path(made.studio.file.path)
        path.write_text(path.read_text("utf-8") + "# theirs\n", "utf-8")
        made.person.until(lambda: made.text().endswith("# theirs\n"))
        made.page.evaluate("studio.editor.navigateFileEnd()")
        made.page.evaluate("studio.editor.focus()")
        made.page.keyboard.insert_text("# mine\n")
        path.write_text(path.read_text("utf-8") + "# theirs again\n", "utf-8")
        made.until("#disk button")
        assert made.text().endswith("# mine\n")
        made.page.locator("#disk button", has_text="Save mine").click()
        made.sees("#done", "Saved")
        assert path.read_text("utf-8").endswith("# mine\n")
        path.unlink()
        made.sees("#done", "The file is gone")
        made.page.locator("#save").click()
        made.sees("#done", "Saved")
        assert path.exists()


def test_a_line_shows_what_it_did_and_an_event_its_lines(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        made.page.locator("#match .choices button").first.click()
        made.page.locator("#match .choices button").first.click()
        made.page.locator("#story li[data-lines] > button").first.click()
        made.until(".ace_marker-layer .ran")
        settled(made.studio)
        assert "×" in made.page.locator(".ace_gutter").inner_text()
        made.page.locator("#story .marked").wait_for(state="detached")
        made.page.locator("#picture [data-key^='card branch']").first.click()
        made.until("#story .marked")


def test_a_position_is_arranged_by_mouse_and_by_keys_and_kept_as_an_example(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path, EXAMPLES / "tic_tac_toe.rules") as made:
        page = made.page
        page.locator("#arrange").click()
        made.until(".arranged")
        key = "#picture [data-key='{}']"
        page.locator(key.format("piece marks.red_1")).drag_to(page.locator(key.format("space board 1,1")))
        made.until("#arrange-undo:enabled")
        page.locator(key.format("piece marks.red_2")).focus()
        page.keyboard.press("Enter")
        made.sees("#done", "Press where it goes")
        page.evaluate("document.getElementById('arrange-move').dataset.old = 'as it was before the press'")
        page.locator(key.format("space board 2,2")).focus()
        page.keyboard.press(" ")
        made.until("#arrange-move:not([data-old])")
        made.person.until(lambda: page.evaluate("document.activeElement.dataset.key") == "space board 2,2")
        page.locator("#arrange-move select[name=what]").select_option("piece marks.blue_1")
        page.locator("#arrange-move select[name=to]").select_option("space board 1,1")
        page.locator("#arrange-move button").click()
        made.sees("#done", "holds 1 at most")
        page.locator("#arrange-set select").select_option("value length")
        page.locator("#arrange-value").fill("2")
        page.keyboard.press("Enter")
        made.sees("#arrange-set", "length: 2")
        page.locator("#arrange-name").fill("two on a slant")
        page.keyboard.press("Enter")
        made.sees("#examples", "two on a slant")
        assert "given red.marks is [board[1, 1], board[2, 2]], length is 2" in made.text()
        page.evaluate("document.querySelector('#answer .choices').dataset.old = 'of the match before'")
        page.locator("#examples .play[data-name='two on a slant']").click()
        made.until("#answer .choices:not([data-old])")
        page.locator("#match .choices button").first.click()
        made.sees("label[for=time]", "of 1")
        page.locator("#more summary").click()
        page.locator("#stretch").click()
        made.sees("#examples", "two on a slant, decisions 1 to 1")
        assert made.text().count("two on a slant") == 1, "it stands in place of the one that checked nothing"


def test_a_declaration_is_gone_to_and_bots_of_any_strength_are_measured_anew(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as one:
        one.until("#outline option:nth-child(5)")
        last = one.page.locator("#outline option").last
        words, line = str(last.inner_text()), str(last.get_attribute("value"))
        one.page.select_option("#outline", line)
        one.sees("#cursor", line)
        assert words.split()[-1] in one.page.evaluate(
            "studio.editor.session.getLine(studio.editor.getCursorPosition().row)"
        )
        assert not one.page.locator("[name=strength]").is_visible()
        one.studio.stop_series()
        settled(one.studio)
        one.page.route("**/do/measure*", lambda route: None)
        one.page.select_option("[name=bots]", "mcts")
        one.until("#figures.begins.asked")
        assert one.page.locator("#begins").is_visible(), "figures of what was played before are grey"
        one.page.unroute("**/do/measure*")
        one.page.fill("[name=strength]", "3")
        one.page.locator("[name=strength]").press("Tab")
        one.person.until(lambda: one.studio.series.bots == "mcts:3")
        one.studio.stop_series()


def test_the_page_speaks_the_language_that_is_chosen(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(locale="it-IT"), tmp_path) as made:
        made.sees("#state", "Le regole non hanno errori.")
        made.sees("#series-result", "coppie di partite")
        assert made.page.locator("#undo").inner_text() == "Annulla"
        made.page.locator(".languages a[lang=de]").click()
        made.sees("#state", "Die Regeln haben keinen Fehler.")
        made.sees("#series-result", "Paare von Partien")


def test_words_are_offered_told_found_and_mended(person: NewPerson, tmp_path: Path) -> None:
    with opened(person(), tmp_path) as made:
        made.typed("while any bush: do day", "while any bu")
        made.page.keyboard.press("Control+Space")
        made.until(".ace_autocomplete .ace_completion-meta")
        made.page.keyboard.press("Tab")
        made.person.until(lambda: "while any bush\n" in made.text())
        made.page.keyboard.insert_text(": do dya")
        made.until(FAULTS)
        made.page.locator(FAULTS + " button", has_text="Mend").first.click()
        made.person.until(lambda: "while any bush: do day\n" in made.text())
        made.sees("#state", "no fault")
        made.page.evaluate(
            "studio.editor.find('do day'); studio.editor.selection.clearSelection(); studio.editor.focus()"
        )
        made.page.keyboard.press("Control+i")
        made.sees("#hover", "day")
        made.page.keyboard.press("F12")
        line = "studio.editor.session.getLine(studio.editor.getCursorPosition().row)"
        made.person.until(lambda: made.page.evaluate(line).startswith("action day"))


def test_the_border_between_match_and_figures_goes_by_mouse_and_by_keys_long_lines_wrap_and_nothing_is_cut_off(
    person: NewPerson, tmp_path: Path
) -> None:
    with opened(person(), tmp_path) as made:
        page, border = made.page, made.page.locator("#border")
        high = page.locator("#match").bounding_box()["height"]
        border.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        assert border.get_attribute("aria-valuenow") == "67"
        assert page.locator("#match").bounding_box()["height"] > high
        there = border.bounding_box()
        page.mouse.move(there["x"] + 50, there["y"] + 4)
        page.mouse.down()
        page.mouse.move(there["x"] + 50, 200, steps=3)
        page.mouse.up()
        assert page.locator("#match").bounding_box()["height"] < high
        page.locator("#wrap").check()
        assert page.evaluate("studio.editor.session.getUseWrapMode()")
        assert page.evaluate(UNDERSCORE) >= 1
        assert page.locator(".ace_gutter").bounding_box()["width"] < 125, "the numbers of lines, and how often they ran"
        high = page.locator("body > header").bounding_box()
        page.evaluate("document.getElementById('done').textContent = 'Nothing can be done about it. '.repeat(8)")
        assert page.locator("body > header").bounding_box() == high, "whatever is told there"


UNDERSCORE = """() => {
    const pen = document.createElement("canvas").getContext("2d"), font = getComputedStyle(studio.editor.container);
    pen.font = `${font.fontSize} ${font.fontFamily}`;
    const ink = pen.measureText("_"), whole = ink.fontBoundingBoxAscent + ink.fontBoundingBoxDescent;
    const row = studio.editor.renderer.lineHeight;
    return row - ((row - whole) / 2 + ink.fontBoundingBoxAscent + ink.actualBoundingBoxDescent);
}"""
"""Pixels between the lower end of an underscore and that of its row, beyond which nothing is drawn."""


def test_what_nobody_can_mend_says_so_in_place_of_the_button(person: NewPerson, tmp_path: Path) -> None:
    who = person()
    with opened(who, tmp_path) as made:
        made.typed("action day", "acton then then")
        mend = made.page.locator(FAULTS + " button", has_text="Mend").first
        made.page.route("**/do/correct*", lambda route: route.fulfill(body='{"corrections": []}'))
        mend.click()
        made.sees(FAULTS, "(only you can say what is meant here)")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing(person: NewPerson, tmp_path: Path, width: int, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    who = person(viewport={"width": width, "height": 900}, color_scheme=scheme)
    with opened(who, tmp_path) as made:
        made.typed("action day", "acton day")
        made.until(FAULTS)
        found = Axe().run(made.page).response["violations"]
        assert [(one["id"], [node["target"] for node in one["nodes"]]) for one in found] == []
