"""A log that a form brings: taken up as a new match with its links, or refused in words, whatever the bytes are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.web.server import Server
from rulekit.web.uploads import LONGEST_FILE
from tests import paths
from tests.web.asgi import ORIGIN, Answer, Browser, choices, number
from tests.web.test_server import KEY, begun

TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
BOUNDARY = "------of-this-test"
HEADERS = {"origin": ORIGIN, "content-type": f"multipart/form-data; boundary={BOUNDARY}"}


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER,)) as host:
        yield Browser(Server(host, KEY).app(("127.0.0.1",)))


def part(log: bytes, name: str = "log", file: str = 'filename="match.log"') -> bytes:
    head = f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"; {file}\r\n\r\n'
    return head.encode() + log + b"\r\n"


def sent(browser: Browser, *parts: bytes) -> Answer:
    return browser.post(f"/host/{KEY}", b"".join(parts) + f"--{BOUNDARY}--\r\n".encode(), HEADERS)


def test_the_log_of_one_match_is_taken_up_as_another(browser: Browser) -> None:
    red, watching = begun(browser, TIGER, "human", "random")
    page = browser.get(red).text
    browser.post(f"{red}/answer", {"number": number(page), "choice": choices(page)[0]})
    assert 'id="take-up"' in browser.get(f"/host/{KEY}").text
    made = sent(browser, part(browser.get(f"{red}/log").body))
    assert made.status == 200
    other, also_watching = re.findall(r'href="(/seat/[^"]+)"', made.text)
    assert {other, also_watching}.isdisjoint({red, watching})
    told = [re.findall(r"<li>.*", browser.get(f"{seat}/story").text)[:3] for seat in (other, red)]
    assert told[0] == told[1] != []


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ([part(b"\xff\xfe no log <b>")], "This log cannot be taken up: line 1"),
        ([part(b"")], "No file was chosen"),
        ([part(b"", file='filename=""')], "No file was chosen"),
        ([part(b"text", file="")], "No file was chosen"),
        ([part(b"log", name="another")], "No file was chosen"),
        ([part(b"one"), part(b"two")], "No file was chosen"),
        ([b"no parts at all"], "No file was chosen"),
    ],
)
def test_what_is_no_log_is_refused_in_words(browser: Browser, parts: list[bytes], said: str) -> None:
    page = sent(browser, *parts)
    assert page.status == 400
    assert said in page.text
    assert "<b>" not in page.text


def test_a_file_that_is_too_large_is_not_read_to_its_end(browser: Browser) -> None:
    assert sent(browser, part(b"x" * LONGEST_FILE)).status == 413
    for headers in ({**HEADERS, "content-type": "multipart/form-data"}, {**HEADERS, "origin": "http://evil.example"}):
        assert browser.post(f"/host/{KEY}", part(b"x"), headers).status in (400, 403)
    assert browser.post("/host/another", part(b"x"), HEADERS).status == 404
