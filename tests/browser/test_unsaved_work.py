"""What somebody has typed into the studio is never lost: by a reload, a second page, another editor, a new server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from rulekit.studio.rules_file import RulesFile
from rulekit.studio.studio import Studio
from tests.browser.conftest import NewPerson
from tests.browser.people import Person
from tests.browser.serving import KEY, in_a_thread
from tests.browser.test_studio import Opened
from tests.extras import needs
from tests.studio.studios import studio

pytestmark = needs("browser")
NO_CONFLICT, CONFLICT = "#disk[hidden]", "#disk:not([hidden]) pre"


@contextmanager
def served(made: Studio, port: int = 0) -> Iterator[str]:
    """The address of the page of a studio."""
    from rulekit.studio.server import StudioServer
    from rulekit.web.running import Running

    server = Running(StudioServer(made, KEY), ("127.0.0.1",), host="127.0.0.1", port=port, log_level="error")
    with in_a_thread(server) as address:
        yield f"{address}/{KEY}/"


@contextmanager
def two_pages(one: Person, folder: Path) -> Iterator[tuple[Opened, Opened]]:
    """Two pages of one studio in one browser."""
    with studio(folder) as made, served(made) as address:
        two = Person(one.page.context.new_page())
        pages = Opened(made, one), Opened(made, two)
        for each in pages:
            each.person.sit(address)
            each.sees("#state", "no fault")
        yield pages
        for each in pages:
            each.page.goto("about:blank")
        assert one.problems == two.problems == []


def put_first(of: Opened, line: str) -> None:
    """Type a line above all others."""
    of.page.evaluate("studio.editor.focus(); studio.editor.gotoLine(1, 0)")
    of.page.keyboard.insert_text(f"{line}\n")


def file_of(of: Opened) -> Path:
    return Path(of.studio.file.path)


def choose(of: Opened, words: str) -> None:
    of.page.locator("#disk button", has_text=words).click()


def test_a_page_that_is_loaded_again_shows_what_was_saved_last(person: NewPerson, tmp_path: Path) -> None:
    """And not the text that others wrote before."""
    with two_pages(person(), tmp_path) as (one, other):
        path = file_of(one)
        path.write_text("# other\n" + path.read_text("utf-8"), "utf-8")
        for each in (one, other):
            each.person.until(lambda each=each: each.text().startswith("# other\n"))  # type: ignore[misc]
        put_first(one, "# mine")
        one.page.keyboard.press("Control+s")
        one.sees("#done", "Saved")
        other.person.until(lambda: other.text().startswith("# mine\n"))
        one.page.reload()
        one.sees("#state", "no fault")
        one.until("#unsaved[hidden]")
        assert one.text().startswith("# mine\n# other\n")
        put_first(one, "# later")
        one.page.keyboard.press("Control+s")
        one.sees("#done", "Saved")
        assert path.read_text("utf-8").startswith("# later\n# mine\n# other\n")
        one.until(NO_CONFLICT)


def test_of_two_pages_the_later_save_shows_the_difference_and_keeps_both_choices(
    person: NewPerson, tmp_path: Path
) -> None:
    with two_pages(person(), tmp_path) as (one, two):
        path, opened = file_of(one), one.text()
        put_first(one, "# one")
        put_first(two, "# two")
        two.page.keyboard.press("Control+s")
        two.sees("#done", "Saved")
        one.until(CONFLICT)
        for _ in range(2):
            one.page.evaluate("document.getElementById('done').textContent = ''")
            one.page.keyboard.press("Control+s")
            one.sees("#done", "changed by somebody else")
        assert path.read_text("utf-8") == "# two\n" + opened
        one.sees("#disk del", "# two")
        one.sees("#disk ins", "# one")
        put_first(one, "# one again")
        one.sees("#disk pre", "# one again")
        choose(one, "Take what is there")
        one.until(NO_CONFLICT)
        assert one.text() == "# two\n" + opened
        one.page.evaluate("studio.editor.undo()")
        assert one.text().startswith("# one again\n# one\n"), "what was typed here can be had back"
        one.page.keyboard.press("Control+s")
        one.sees("#done", "Saved")
        two.person.until(lambda: two.text().startswith("# one again\n"))


def test_of_a_text_that_is_replaced_nothing_in_between_is_sent(person: NewPerson, tmp_path: Path) -> None:
    """Who loads the page just then would get an empty text."""
    with two_pages(person(), tmp_path) as (one, _):
        sent = list[str]()
        one.page.on("request", lambda request: sent.append(request.post_data if "/do/put" in request.url else ""))
        path = file_of(one)
        path.write_text("# other\n" + path.read_text("utf-8"), "utf-8")
        one.person.until(lambda: any(sent))
        assert all(json.loads(each)["text"].startswith("# other\n") for each in sent if each)


def test_a_version_that_was_never_shown_is_not_written_over(person: NewPerson, tmp_path: Path) -> None:
    with two_pages(person(), tmp_path) as (one, two):
        path, opened = file_of(one), one.text()
        put_first(one, "# mine")
        path.write_text("# first\n" + opened, "utf-8")
        one.until(CONFLICT)
        one.studio._closed.set()
        one.studio._watch.join()
        path.write_text("# second\n" + opened, "utf-8")
        choose(one, "Save mine over it")
        one.sees("#disk del", "# second")
        assert path.read_text("utf-8") == "# second\n" + opened
        choose(one, "Save mine over it")
        one.sees("#done", "Saved")
        assert path.read_text("utf-8") == "# mine\n" + opened
        two.person.until(lambda: two.text() == "# mine\n" + opened)


def test_what_was_not_saved_outlives_the_studio_the_page_and_the_tab(person: NewPerson, tmp_path: Path) -> None:
    """An open page comes back by itself; one that is loaded again has its draft; that of a closed one is offered."""
    who = person()
    with studio(tmp_path) as made, served(made) as address:
        opened, path, port = made.text.text, made.file.path, int(address.split(":")[2].split("/")[0])
        first = Opened(made, who)
        who.sit(address)
        first.sees("#state", "no fault")
        put_first(first, "# mine")
        first.until("#unsaved:not([hidden])")
    first.sees("#done", "cannot be reached")
    who.problems.clear()
    again = Studio(RulesFile(path))
    with closing(again), served(again, port):
        who.until(lambda: again.text.text == "# mine\n" + opened)
        assert first.text() == "# mine\n" + opened
        first.sees("#state", "no fault")
    who.problems.clear()
    for reloads in (True, False):
        again = Studio(RulesFile(path))
        if not reloads:
            page, who.page = who.page, who.page.context.new_page()
            page.close()
        with closing(again), served(again, port):
            if reloads:
                who.page.reload()
                first.until("#unsaved:not([hidden])")
            else:
                who.sit(address)
                assert first.text() == opened
                first.sees("#draft ins", "# mine")
                who.page.locator("#draft button", has_text="Restore it").click()
            who.until(lambda again=again: again.text.text == "# mine\n" + opened)  # type: ignore[misc]
            assert first.text() == "# mine\n" + opened
    who.problems.clear()
    again = Studio(RulesFile(path))
    with closing(again), served(again, port):
        who.until(lambda: again.text.text == "# mine\n" + opened)
        who.page.keyboard.press("Control+s")
        first.sees("#done", "Saved")
        assert Path(path).read_text("utf-8") == "# mine\n" + opened
        assert who.page.evaluate("localStorage.length") == 0
        who.page.goto("about:blank")


def test_other_pages_begin_with_the_file_and_offer_what_one_has_not_saved(person: NewPerson, tmp_path: Path) -> None:
    """In another browser, and in a second page when the first was closed; what is discarded does not come again."""
    with studio(tmp_path) as made, served(made) as address:
        opened, first, elsewhere = made.text.text, Opened(made, person()), Opened(made, person())
        first.person.sit(address)
        first.sees("#state", "no fault")
        put_first(first, "# mine")
        first.person.until(lambda: made.text.text.startswith("# mine\n"))
        elsewhere.person.sit(address)
        elsewhere.sees("#draft ins", "# mine")
        assert elsewhere.text() == opened
        elsewhere.until("#unsaved[hidden]")
        second = Opened(made, Person(first.person.context.new_page()))
        first.page.close()
        second.person.sit(address)
        second.sees("#draft ins", "# mine")
        assert second.text() == opened
        second.page.locator("#draft button", has_text="Discard it").click()
        second.until("#draft[hidden]")
        second.page.reload()
        second.sees("#state", "no fault")
        second.until("#draft[hidden]")
        assert second.text() == opened
        elsewhere.page.locator("#draft button", has_text="Restore it").click()
        elsewhere.person.until(lambda: made.text.text == "# mine\n" + opened)
        elsewhere.until("#unsaved:not([hidden])")
        elsewhere.page.evaluate("studio.editor.undo()")
        elsewhere.until("#unsaved[hidden]")
        assert elsewhere.text() == opened
        assert file_of(second).read_text("utf-8") == opened


def test_the_key_saves_wherever_the_focus_is_and_what_is_too_long_is_told(person: NewPerson, tmp_path: Path) -> None:
    with studio(tmp_path) as made, served(made) as address:
        one = Opened(made, person())
        one.person.sit(address)
        one.sees("#state", "no fault")
        for line, focus in (("# text", "studio.editor.focus()"), ("# box", "wrap.focus()"), ("# none", "0")):
            put_first(one, line)
            one.page.evaluate(f"document.activeElement.blur(); {focus}")
            one.page.keyboard.press("Control+s")
            one.person.until(lambda line=line: file_of(one).read_text("utf-8").startswith(line))  # type: ignore[misc]
        one.sees("#done", "Saved")
        one.page.evaluate("studio.editor.setValue(('#' + 'x'.repeat(999) + '\\n').repeat(2100))")
        one.sees("#done", "at most 256 kB")
        one.page.evaluate("document.getElementById('done').textContent = ''")
        one.page.keyboard.press("Control+s")
        one.sees("#done", "at most 256 kB")
        one.page.evaluate("studio.editor.undo()")
        one.until("#unsaved[hidden]")
