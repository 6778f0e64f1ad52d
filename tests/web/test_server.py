"""A table in the browser: what is sent to whom, what is refused, and that forms alone carry a match to its end."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.web import streams
from rulekit.web.guarding import LONGEST, POLICY
from rulekit.web.server import Server
from tests import paths
from tests.web.asgi import Browser, choices, number, scope

KEY = "the-key-of-this-test"
NEWS = b'"kind": "news"'
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
MARKUP = """game "<script>alert(1)</script> & more"
    players 2
counter n "<i>n</i>"
play
    (first players) chooses "<b>Which?</b>"
        "<img src=x>"
        "'\\">": raise n by 1
    raise n by 1
result: rank players by highest seat
"""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    markup = tmp_path / "markup.rules"
    markup.write_text(MARKUP.replace("\\", "").replace("'\">", "'>"), encoding="utf-8")
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER, str(markup))) as host:
        yield Browser(Server(host, KEY).app(("127.0.0.1",)))


def begun(browser: Browser, game: str, *kinds: str, names: tuple[str, ...] = ()) -> list[str]:
    """The addresses of the people's seats and of who watches."""
    named = names or ("",) * len(kinds)
    page = browser.post(f"/host/{KEY}", {"game": game, "kind": kinds, "name": named})
    assert page.status == 200, page.text
    return re.findall(r'href="(/seat/[^"]+)"', page.text)


def test_a_link_that_is_shown_can_be_sent(browser: Browser) -> None:
    """Whoever copies it as it is written has the whole address."""
    fields = {"game": TIGER, "kind": ("human", "human"), "name": ("", "")}
    text = browser.post(f"/host/{KEY}", fields).text
    assert len(re.findall(rf'href="(/seat/[^"]+)"[^>]*>http://{browser.host}\1</a>', text)) == 3


def answered(browser: Browser, seat: str, page: str) -> Any:
    form = [("number", number(page)), *(("choice", choice) for choice in choices(page)[:1])]
    return browser.post(f"{seat}/answer", form)


def test_a_match_is_played_to_its_end_by_forms_alone(browser: Browser) -> None:
    red, blue, watching = begun(browser, TIGER, "human", "human", "random")
    for _ in range(400):
        pages = [(seat, browser.get(seat).text) for seat in (red, blue)]
        asked = [(seat, page) for seat, page in pages if choices(page)]
        if "Winner" in pages[0][1] or 'class="result"' in pages[0][1]:
            break
        for seat, page in asked:
            assert answered(browser, seat, page).status in (303, 409)
    assert 'class="result"' in browser.get(red).text
    assert 'class="result"' in browser.get(watching).text
    assert browser.get(f"{red}/story").status == browser.get(f"{red}/at/0").status == 200


@pytest.mark.parametrize("file", sorted(paths.GAMES.glob("*.rules")), ids=lambda file: file.stem)
def test_every_game_has_its_pages(file: Path, tmp_path: Path) -> None:
    """With as few players as may be: China Moon has seats then that nobody sits at."""
    with Store(tmp_path / "m.db") as store, Host(store, (str(file),)) as host:
        browser = Browser(Server(host, KEY).app(("127.0.0.1",)))
        least = max(2, host.game(str(file)).least)
        for seat in begun(browser, str(file), *["human"] * least):
            assert browser.get(seat).status == browser.get(f"{seat}/story").status == 200
        assert browser.get(f"/host/{KEY}").status == 200


def test_which_card_another_chose_in_secret_changes_no_byte_of_a_page(tmp_path: Path) -> None:
    """That somebody has decided may be seen: others wait for fewer."""
    pages: list[dict[str, str]] = []
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER,)) as host:
        browser = Browser(Server(host, KEY).app(("127.0.0.1",)))
        for choice in ("0", "5"):
            made = host.create(TIGER, ("human", "human"), seed="the same")
            red, blue, watching = (f"/seat/{token}" for token in (*made.tokens, made.spectator))
            own = browser.get(red).text
            answer = browser.post(f"{red}/answer", {"number": number(own), "choice": choice})
            assert answer.status == 303
            assert browser.get(red).text != own
            shown = {"blue": blue, "blue's story": f"{blue}/story", "who watches": watching, "then": f"{blue}/at/0"}
            pages.append(
                {what: browser.get(path).text.replace(blue, "").replace(watching, "") for what, path in shown.items()}
            )
    assert pages[0] == pages[1]


def test_late_double_and_foreign_answers_change_nothing(browser: Browser) -> None:
    red, blue, watching = begun(browser, TIGER, "human", "human")
    page = browser.get(red).text
    form = {"number": number(page), "choice": "0"}
    assert browser.post(f"{red}/answer", form).status == 303
    after = browser.get(blue).body
    assert browser.post(f"{red}/answer", form).status == 409
    assert browser.post(f"{watching}/answer", form).status == 409
    assert browser.post("/seat/nobody/answer", form).status == 404
    for wrong in ({"number": "x"}, {"number": "0", "choice": "-1"}, {"number": "0", "choice": "99999999999"}):
        assert browser.post(f"{blue}/answer", wrong).status == 400
    assert browser.post(f"{blue}/answer", {"number": number(after.decode()), "choice": "4000"}).status == 409
    assert browser.get(blue).body == after


@pytest.mark.parametrize(
    "headers",
    [{"origin": "http://evil.example"}, {"origin": "null"}, {"sec-fetch-site": "cross-site"}],
    ids=lambda headers: next(iter(headers.values())),
)
def test_forms_of_other_sites_are_refused(browser: Browser, headers: dict[str, str]) -> None:
    red, *_ = begun(browser, TIGER, "human", "human")
    page = browser.get(red)
    assert browser.post(f"{red}/answer", {"number": "0", "choice": "0"}, headers).status == 403
    assert browser.get(red).body == page.body


def test_other_hosts_are_refused(browser: Browser) -> None:
    browser.host = "evil.example"
    assert browser.get("/").status == 400


def test_what_no_page_makes_is_refused(browser: Browser) -> None:
    red, *_ = begun(browser, TIGER, "human", "human")
    assert browser.post(f"{red}/answer", b"choice=" + b"x" * LONGEST).status == 413
    assert browser.post(f"{red}/answer", b"&".join([b"choice=1"] * 1000)).status == 413
    assert browser.post(f"{red}/answer", b"\xff\xfe%%%").status == 400
    assert browser.post("/host/another", {"game": TIGER}).status == 404
    for form in ({"game": "/etc/passwd"}, {"game": TIGER, "kind": ["human"]}, {"game": TIGER, "kind": ["x", "y"]}):
        page = browser.post(f"/host/{KEY}", form)
        assert page.status == 400
        assert "Traceback" not in page.text


def test_texts_of_rules_and_people_are_no_markup(browser: Browser) -> None:
    game = re.findall(r'name="game" value="([^"]*markup.rules)"', browser.get(f"/host/{KEY}").text)[0]
    seats = begun(browser, game, "human", "human", names=("<b>ann</b>", "bob"))
    for path in (f"/host/{KEY}", *seats, f"{seats[0]}/story", f"{seats[0]}/at/0"):
        text = browser.get(path).text
        for tag in ("<script>alert", "<b>", "<i>", "<img"):
            assert tag not in text, (path, tag)


def test_every_answer_says_what_its_page_may_do(browser: Browser) -> None:
    red, *_ = begun(browser, TIGER, "human", "human")
    for path in ("/", "/nowhere", red, f"{red}/log", "/table.css", "/table.js", "/host/wrong"):
        browser.get(path)
    for answer in browser.answers:
        assert answer.headers["content-security-policy"] == POLICY
        assert "unsafe" not in POLICY
    assert not any(re.search(r"\s(style|on\w+)=\"", answer.text) for answer in browser.answers)


def test_an_open_page_hears_that_something_changed(browser: Browser) -> None:
    red, blue, _ = begun(browser, TIGER, "human", "human")
    form = [("number", number(browser.get(red).text)), ("choice", "0")]

    async def listened() -> list[bytes]:
        heard: list[bytes] = []
        is_new = asyncio.Event()

        async def receive() -> Any:
            await is_new.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            heard.append(message.get("body", b""))
            if b"".join(heard).count(NEWS) == 2:
                is_new.set()

        page = asyncio.create_task(browser.app(scope("GET", f"{blue}/news", {"host": browser.host}), receive, send))
        while NEWS not in b"".join(heard):
            await asyncio.sleep(0.01)
        await asyncio.to_thread(browser.post, f"{red}/answer", form)
        await asyncio.wait_for(page, 20)
        return heard

    heard = b"".join(asyncio.run(listened())).decode()
    assert heard.startswith(f"retry: 2000\n\nevent: alive\ndata: {streams.PULSE}\n\n")
    first, second = (json.loads(told) for told in re.findall(r"event: part\ndata: (.*)", heard))
    assert second["topic"] == first["topic"] == 0
    assert first["data"] != second["data"]
    assert f'data-look="{second["data"]}"' in browser.get(blue).text


def test_one_stream_tells_of_the_seats_of_all_pages_of_a_browser(browser: Browser) -> None:
    """Tokens that open nothing are left out, and a proxy is told to hold nothing back."""
    red, blue, _ = begun(browser, TIGER, "human", "human")
    tokens = [seat.rsplit("/", 1)[1] for seat in (red, blue)]
    looks = [re.findall(r'data-look="(\w+)"', browser.get(seat).text)[0] for seat in (red, blue)]

    async def opened() -> tuple[dict[bytes, bytes], str]:
        heard: list[Any] = []
        left = asyncio.Event()

        async def receive() -> Any:
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            heard.append(message)
            if b"".join(one.get("body", b"") for one in heard).count(NEWS) == 2:
                left.set()

        path = f"/seat/{tokens[0]}.nobody.{tokens[1]}/news"
        await asyncio.wait_for(browser.app(scope("GET", path, {"host": browser.host}), receive, send), 20)
        return dict(heard[0]["headers"]), b"".join(one.get("body", b"") for one in heard).decode()

    headers, text = asyncio.run(opened())
    assert headers[b"x-accel-buffering"] == b"no"
    told = [json.loads(one) for one in re.findall(r"event: part\ndata: (.*)", text)]
    assert [(one["topic"], one["data"]) for one in told] == [(0, looks[0]), (2, looks[1])]
    assert browser.get("/seat/nobody.nothing/news").status == 404


def test_a_page_that_is_as_it_was_is_not_sent_again(browser: Browser) -> None:
    red, *_ = begun(browser, TIGER, "human", "human")
    page = browser.get(red).text
    look = re.findall(r'data-look="(\w+)"', page)[0]
    assert browser.get(f"{red}?have={look}").status == 204
    answered(browser, red, page)
    assert browser.get(f"{red}?have={look}").status == 200
