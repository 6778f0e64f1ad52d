"""What a table has beside play: options in its form, trying moves, earlier points, one screen, rules that change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulekit.hosting.host import Host
from rulekit.hosting.store import Store, StoreFault
from rulekit.web.rules_watch import RulesWatch
from rulekit.web.server import Server
from tests import paths
from tests.web.asgi import Browser, choices, number
from tests.web.test_server import KEY, begun

TIGER, FOXY = (str(paths.GAMES / f"{name}.rules") for name in ("fuzzy_tiger", "foxy"))
RULES = """game "Steps"
    players 2
counter steps 0..100
option many "How many?" 1..9 default 2
play
    each round in 1..5
        each player
            > ST-1 A player goes one or two steps.
            player chooses "How far?"
                "one": raise steps by 1
                "two": raise steps by 2
result: rank players by highest seat
"""


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    file = tmp_path / "steps.rules"
    file.write_text(RULES, encoding="utf-8")
    return file


@pytest.fixture
def host(tmp_path: Path, steps: Path) -> Iterator[Host]:
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER, FOXY, str(steps))) as host:
        yield host


@pytest.fixture
def browser(host: Host) -> Browser:
    return Browser(Server(host, KEY).app(("127.0.0.1",)))


def answer(browser: Browser, seat: str, choice: int = 0) -> None:
    page = browser.get(seat).text
    assert browser.post(f"{seat}/answer", {"number": number(page), "choice": str(choice)}).status == 303


# ---------------------------------------------------------------- beginning


def test_options_show_their_clauses_and_what_they_usually_are(browser: Browser) -> None:
    page = browser.get(f"/host/{KEY}").text
    assert '<input name="option many" inputmode="numeric"' in page
    assert "1 to 9" in page
    assert "as usual: " in page
    assert "<summary>FX-V5</summary><span>" in page


def test_what_was_typed_stays_where_it_is_refused(browser: Browser, steps: Path) -> None:
    form = {"game": str(steps), "kind": ["human", "mcts:50"], "name": ["ann", "bob"], "option many": "ten"}
    page = browser.post(f"/host/{KEY}", form)
    assert page.status == 400
    assert "“How many?” takes numbers from 1 to 9, not “ten”" in page.text
    for kept in ('value="ann"', 'value="ten"', '<option value="mcts:50" selected>', "<details open>"):
        assert kept in page.text
    assert "not 77" in browser.post(f"/host/{KEY}", {**form, "option many": "77"}).text
    assert browser.post(f"/host/{KEY}", {**form, "option many": "7"}).status == 200


def test_a_form_that_is_sent_again_begins_no_second_match(browser: Browser, host: Host) -> None:
    """As by reloading the page that shows the links, or by a second click."""
    once = re.findall(r'name="once" value="([^"]+)"', browser.get(f"/host/{KEY}").text)[0]
    form = {"game": TIGER, "kind": ["human", "human"], "name": ["ann", "bob"], "once": once}
    links = [re.findall(r'href="(/seat/[^"]+)"', browser.post(f"/host/{KEY}", form).text) for _ in range(2)]
    assert len(links[0]) == 3
    assert links[0] == links[1]
    assert len(host.matches()) == 1
    other = re.findall(r'name="once" value="([^"]+)"', browser.get(f"/host/{KEY}").text)[0]
    assert re.findall(r'href="(/seat/[^"]+)"', browser.post(f"/host/{KEY}", {**form, "once": other}).text) != links[0]
    assert len(host.matches()) == 2


def test_a_name_at_a_seat_that_nobody_plays_is_asked_about(browser: Browser) -> None:
    form = {"game": TIGER, "kind": ["human", "human", ""], "name": ["ann", "bob", "eve"]}
    sent = browser.post(f"/host/{KEY}", form)
    assert sent.status == 400
    assert "eve has no seat yet: choose who plays there, or take the name away." in sent.text
    assert 'value="eve"' in sent.text


# ---------------------------------------------------------------- trying, and going on from earlier


def test_moves_are_tried_on_a_copy_that_nobody_sees(browser: Browser) -> None:
    red, blue, _ = begun(browser, TIGER, "human", "human")
    before = [browser.get(seat).body for seat in (red, blue)]
    page = browser.get(f"{red}/try")
    assert page.status == 200
    assert choices(page.text)
    assert browser.post(f"{red}/try", {"choice": "3"}).status == 303
    tried = browser.get(f"{red}/try")
    assert tried.body != page.body
    assert browser.post(f"{red}/try", {"do": "back"}).status == 303
    assert choices(browser.get(f"{red}/try").text) == choices(page.text)
    assert browser.post(f"{red}/try", {"do": "again"}).status == 303
    assert browser.post(f"{red}/try", {"choice": "x"}).status == 303
    assert [browser.get(seat).body for seat in (red, blue)] == before


def test_who_only_watches_tries_nothing(browser: Browser) -> None:
    *_, watching = begun(browser, TIGER, "human", "human")
    assert browser.get(f"{watching}/try").status == 409
    assert browser.get("/seat/nobody/try").status == 404


def test_a_new_match_goes_on_from_an_earlier_point(browser: Browser, host: Host, steps: Path) -> None:
    one, _ = begun(browser, str(steps), "human", "random")
    for _ in range(3):
        host.settled()
        answer(browser, one)
    host.settled()
    back = f"{one}/at/1"
    assert "Go on from here as a new match" in browser.get(back).text
    made = browser.post(f"{back}/branch", {})
    assert made.status == 200
    other = re.findall(r'href="(/seat/[^"?]+)"', made.text)[0]
    told = [browser.get(f"{seat}/story").text.count("<li>") for seat in (other, one)]
    assert 0 < told[0] < told[1]
    host.settled()
    answer(browser, other)
    assert browser.post(f"{one}/at/77/branch", {}).status == 409


def test_while_several_people_play_nobody_goes_on_elsewhere(browser: Browser) -> None:
    red, *_ = begun(browser, TIGER, "human", "human")
    assert "as a new match" not in browser.get(f"{red}/at/0").text
    assert browser.post(f"{red}/at/0/branch", {}).status == 409


# ---------------------------------------------------------------- one screen


def test_at_one_screen_nobody_sees_anything_until_it_is_handed_over(browser: Browser) -> None:
    page = browser.post(f"/host/{KEY}", {"game": TIGER, "kind": ["human", "human"], "name": ["ann", "bob"]}).text
    together = re.findall(r'href="(/together/[^"]+)"', page)[0]
    shown = browser.get(together).text
    assert shown.count("I am ") == 2
    assert "<svg" not in shown
    assert "table.js" not in shown
    ann = re.findall(r'href="(/seat/[^"]+)"', shown)[0].replace("&amp;", "&")
    own = browser.get(ann).text
    # Without the script no news puts one's cards on a screen that another looks at.
    assert "table.js" not in own
    post = re.findall(r'action="(/seat/[^"]+/answer[^"]*)"', own)[0].replace("&amp;", "&")
    done = browser.post(post, {"number": number(own), "choice": "0"})
    assert done.headers["location"].startswith(together)
    assert browser.get(together).text.count("I am ") == 1
    for wrong in ("/together/nobody", f"{together}.nobody", "/together/."):
        assert browser.get(wrong).status == 404


# ---------------------------------------------------------------- rules that change


def test_rules_that_change_go_under_a_running_match(browser: Browser, host: Host, steps: Path) -> None:
    one, *_ = begun(browser, str(steps), "human", "human")
    answer(browser, one)
    watch = RulesWatch(host)
    watch.look()
    assert "rules were changed" not in browser.get(one).text
    steps.write_text(RULES.replace('"two": raise', '"three": raise'), encoding="utf-8")
    watch.look()
    assert "goes on under the new ones" in browser.get(one).text
    steps.write_text(
        RULES.replace('"one": raise steps by 1', '"four": raise steps by 4\n                "five": raise steps by 5')
    )
    watch.look()
    assert "keeps the old ones, because of ST-1" in browser.get(one).text
    assert re.search(r'/at/\d+">Where they part</a>', browser.get(one).text)


def test_a_file_that_is_no_game_now_is_told_and_matches_go_on(host: Host, steps: Path) -> None:
    watch = RulesWatch(host)
    browser = Browser(Server(host, KEY, watch.told).app(("127.0.0.1",)))
    one, other, _ = begun(browser, str(steps), "human", "human")
    steps.write_text(RULES.replace("rank players", "rnk players"), encoding="utf-8")
    watch.look()
    page = browser.get(f"/host/{KEY}").text
    assert "is no game now" in page
    assert "`rnk` does not fit here" in page
    answer(browser, one)
    answer(browser, other)
    steps.unlink()
    watch.look()
    assert "there is no such file" in browser.get(f"/host/{KEY}").text
    steps.write_text(RULES, encoding="utf-8")
    watch.look()
    assert watch.told() == {}
    answer(browser, one)


def test_a_store_that_takes_nothing_ends_no_watch(
    browser: Browser, host: Host, steps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, *_ = begun(browser, str(steps), "human", "human")
    answer(browser, one)
    watch = RulesWatch(host)

    def refusing(*_: object) -> None:
        raise StoreFault("the disk is full")

    with monkeypatch.context() as broken:
        broken.setattr(Store, "append", refusing)
        steps.write_text(RULES.replace('"two": raise', '"three": raise'), encoding="utf-8")
        watch.look()
    assert watch.told() == {str(steps): "the disk is full"}
    answer(browser, begun(browser, str(steps), "human", "human")[0])
