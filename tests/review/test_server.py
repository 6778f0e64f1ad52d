"""The desk over HTTP: who has the key, what the page shows, and what its forms write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulekit.review.desk import Desk
from rulekit.review.server import ReviewServer
from tests.review.desks import desk
from tests.web.asgi import Answer, Browser

KEY = "the-key-of-these-tests"


@pytest.fixture
def made(tmp_path: Path) -> Desk:
    return desk(tmp_path)


@pytest.fixture
def browser(made: Desk) -> Browser:
    return Browser(ReviewServer(made, KEY).app(("127.0.0.1",)))


def act(browser: Browser, action: str, key: str = KEY, **fields: str) -> Answer:
    return browser.post(f"/{key}/do/{action}", fields)


def test_the_page_shows_the_first_finding_with_clause_and_rule(browser: Browser) -> None:
    page = browser.get(f"/{KEY}/")
    assert page.status == 200
    assert "1 open, 0 accepted; 10 of 11 passages" in page.text
    assert "the book reads “2”, the rules of GP-8, GP-9 have 1" in page.text
    assert "if steps is 1" in page.text
    assert 'class="open" title="climb:steps = 1">2</b>' in page.text
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for file in ("/review.js", "/review.css", "/icon.svg"):
        assert browser.get(file).status == 200


@pytest.mark.parametrize("path", ["/", "/wrong/", f"/{KEY}"])
def test_nobody_without_the_key_sees_anything(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert answer.status in (307, 404)
    assert b"Goat" not in answer.body


def test_nobody_without_the_key_does_anything_nor_does_another_site(browser: Browser, made: Desk) -> None:
    digest = made.now().report.open[0].digest
    assert act(browser, "accept", key="wrong", digest=digest, reason="so").status == 404
    fields = {"digest": digest, "reason": "so"}
    assert browser.post(f"/{KEY}/do/accept", fields, {"origin": "http://elsewhere.example"}).status == 403
    assert not Path(made.papers.accepted).exists()


def test_accepting_writes_the_line_that_a_person_writes(browser: Browser, made: Desk) -> None:
    (finding,) = made.now().report.open
    answer = act(browser, "accept", digest=finding.digest, reason="  a misprint,\n the example  rolls a 1", at="7")
    assert (answer.status, answer.headers["location"]) == (303, f"/{KEY}/?at=7")
    written = Path(made.papers.accepted).read_text()
    assert written == f"{finding.digest} number-differs GP-8 GP-9: a misprint, the example rolls a 1\n"
    assert "0 open, 1 accepted; 11 of 11 passages" in browser.get(f"/{KEY}/").text
    at = next(place for place, row in enumerate(made.now().rows) if row.findings)
    assert "(accepted: a misprint, the example rolls a 1)" in browser.get(f"/{KEY}/?at={at}").text
    assert act(browser, "reopen", digest=finding.digest, at=str(at)).status == 303
    assert "1 open, 0 accepted" in browser.get(f"/{KEY}/").text


def test_what_cannot_be_done_comes_back_with_what_was_typed(browser: Browser, made: Desk) -> None:
    digest = made.now().report.open[0].digest
    answer = act(browser, "accept", digest=digest, reason=" ")
    assert (answer.status, "needs a reason" in answer.text) == (409, True)
    gone = act(browser, "accept", digest="0000000000", reason="typed & kept")
    assert (gone.status, "not open any more" in gone.text) == (409, True)
    assert act(browser, "fly").status == 404
    assert not Path(made.papers.accepted).exists()


def shown_version(browser: Browser, at: int) -> str:
    """The version of a passage, as the forms of its page send it."""
    return re.findall(r'name="version" value="([0-9a-f]{16})"', browser.get(f"/{KEY}/?at={at}").text)[0]


def test_every_form_of_the_page_does_what_it_says(browser: Browser, made: Desk) -> None:
    quote = made.now().rows[2].anchor
    page = browser.get(f"/{KEY}/?at=2").text
    assert all(f'action="do/{action}"' in page for action in ("tie", "untie", "mean", "ask"))
    forms: tuple[tuple[str, dict[str, str]], ...] = (
        ("mean", {"number": "0", "name": "-"}),
        ("ask", {"question": "Why?"}),
        ("tie", {"clauses": "@GP-3, GP-4"}),
        ("untie", {}),
    )
    for action, fields in forms:
        done = act(browser, action, at="2", quote=quote, version=shown_version(browser, 2), **fields)
        assert done.status == 303
    assert f'"{quote}" : -\n' in Path(made.papers.anchors).read_text()
    assert "GP-3: Why?" in browser.get(f"/{KEY}/questions").text


@pytest.mark.parametrize(
    ("action", "fields"), [("tie", {"clauses": "GP-4"}), ("untie", {}), ("mean", {"number": "0", "name": "-"})]
)
def test_a_page_that_shows_an_older_decision_does_not_write_over_a_newer_one(
    browser: Browser, made: Desk, action: str, fields: dict[str, str]
) -> None:
    """It is refused with the reason; the page that comes shows what was decided, and from there it goes."""
    sent = {"at": "2", "quote": made.now().rows[2].anchor, **fields}
    old, anchors = shown_version(browser, 2), Path(made.papers.anchors)
    assert act(browser, "tie", **{**sent, "clauses": "GP-5"}, version=old).status == 303
    decided = anchors.read_bytes()
    refused = act(browser, action, **sent, version=old)
    assert (refused.status, "changed meanwhile" in refused.text) == (409, True)
    assert "<b>GP-5</b>" in refused.text
    assert anchors.read_bytes() == decided
    if action != "mean":
        assert act(browser, action, **sent, version=shown_version(browser, 2)).status == 303
        assert anchors.read_bytes() != decided


UNSHOWN: tuple[tuple[str, dict[str, str]], ...] = (
    ("tie", {"clauses": "GP-99"}),
    ("tie", {"clauses": ""}),
    ("mean", {"number": "77", "name": "-"}),
    ("mean", {"number": "x", "name": "-"}),
    ("ask", {"question": ""}),
    ("translate", {"clause": "GP-1", "words": "x"}),
    ("untie", {"at": "99999999"}),
    ("untie", {"quote": "other words"}),
)


def test_forms_that_nobody_was_shown_change_nothing(browser: Browser, made: Desk) -> None:
    before = Path(made.papers.anchors).read_bytes()
    for action, fields in UNSHOWN:
        sent = {"at": "2", "quote": made.now().rows[2].anchor, "version": shown_version(browser, 2), **fields}
        answer = act(browser, action, **sent)
        assert (answer.status, 'role="alert"' in answer.text) == (409, True), (action, fields)
    assert Path(made.papers.anchors).read_bytes() == before


def test_files_changed_by_hand_count_at_once(browser: Browser, made: Desk) -> None:
    book = Path(made.papers.book)
    book.write_text(book.read_text().replace("tira un 2", "tira un 1"))
    assert "0 open, 0 accepted" in browser.get(f"/{KEY}/").text
    Path(made.papers.rules).write_text("game\n")
    assert (browser.get(f"/{KEY}/").status, "mend them" in browser.get(f"/{KEY}/").text) == (409, True)


@pytest.mark.parametrize("at", ["0", "10", "99999", "-1", "x", "9" * 40])
def test_any_place_can_be_asked_for(browser: Browser, at: str) -> None:
    assert browser.get(f"/{KEY}/?at={at}").status == 200
