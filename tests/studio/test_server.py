"""The studio's page over HTTP: who has the key, what is sent and refused, and that nothing else is let in."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from rulekit import library
from rulekit.studio.rules_file import version_of
from rulekit.studio.server import LONGEST, StudioServer, _shown
from rulekit.studio.studio import Studio
from rulekit.studio.unsaved_texts import MAX_KEPT
from rulekit.tools.language.translation import SOURCE
from tests.studio.studios import settled, studio
from tests.web.asgi import Answer, Browser

KEY = "the-key-of-these-tests"


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as one:
        yield one


@pytest.fixture
def browser(made: Studio) -> Browser:
    return Browser(StudioServer(made, KEY).app(("127.0.0.1",)))


def act(browser: Browser, action: str, key: str = KEY, **values: Any) -> Answer:
    return browser.post(f"/{key}/do/{action}", json.dumps(values).encode())


def test_the_page_holds_the_text_and_loads_nothing_from_elsewhere(browser: Browser, made: Studio) -> None:
    page = browser.get(f"/{KEY}/")
    assert page.status == 200
    assert "Magpies quarrel over five finds" in page.text
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    for file in ("/ace/ace.js", "/ace/css/ace.css", "/studio.js", "/studio.css", "/icon.svg"):
        assert browser.get(file).status == 200


@pytest.mark.parametrize("path", ["/", "/wrong/", "/wrong/match", "/wrong/news", f"/{KEY}"])
def test_nobody_without_the_key_sees_anything(browser: Browser, path: str) -> None:
    answer = browser.get(path)
    assert answer.status in (307, 404)
    assert b"Magpies" not in answer.body


def test_nobody_without_the_key_does_anything(browser: Browser, made: Studio) -> None:
    before = Path(made.file.path).read_bytes()
    assert act(browser, "save", key="wrong", text="gone", read=made.file.state.version).status == 404
    assert Path(made.file.path).read_bytes() == before


def test_other_sites_and_other_names_are_refused(made: Studio) -> None:
    app = StudioServer(made, KEY).app(("127.0.0.1",))
    sent = json.dumps({"text": "gone"}).encode()
    assert Browser(app).post(f"/{KEY}/do/save", sent, {"origin": "http://evil.example"}).status == 403
    assert Browser(app, host="evil.example").get(f"/{KEY}/").status == 400


def test_a_text_is_put_and_saved(browser: Browser, made: Studio) -> None:
    text = made.text.text.replace("Magpies quarrel", "Crows quarrel")
    read = made.file.state.version
    assert act(browser, "put", text=text, read=read).status == 200
    settled(made)
    assert made.text.text == text
    assert act(browser, "save", text=text, read=read).status == 200
    assert Path(made.file.path).read_text("utf-8") == text


def test_a_page_begins_with_the_file_whatever_other_pages_have_not_saved(browser: Browser, made: Studio) -> None:
    opened, read = made.text.text, made.file.state.version
    assert 'data-number="0"' in browser.get(f"/{KEY}/").text
    act(browser, "put", text=opened + "# mine\n", read=read, page="a", at=1)
    page = browser.get(f"/{KEY}/").text
    assert "# mine" not in page
    assert "data-saved" in page
    assert f'data-read="{read}"' in page
    assert 'data-number=""' in page, "the studio has looked at another text"
    Path(made.file.path).unlink()
    page = browser.get(f"/{KEY}/").text
    assert "# mine" in page, "where the file is gone, nothing else is left"
    assert "data-saved" not in page


def unsaved(browser: Browser, page: str) -> list[tuple[str, str, str, int]]:
    found = json.loads(act(browser, "unsaved", page=page).body)["unsaved"]
    return [(one["name"], one["text"], one["read"], one["at"]) for one in found]


def test_unsaved_texts_are_offered_to_other_pages_until_somebody_discards_them(browser: Browser, made: Studio) -> None:
    opened, read = made.text.text, made.file.state.version
    act(browser, "put", text=opened + "# a\n", read=read, page="a", at=1)
    act(browser, "put", text=opened + "# again\n", read=read, page="a", at=2)
    act(browser, "put", text=opened + "# b\n", read=read, page="b", at=3)
    act(browser, "put", text=opened, read=read)
    a, b = ("a", opened + "# again\n", read, 2), ("b", opened + "# b\n", read, 3)
    assert [unsaved(browser, page) for page in "abc"] == [[b], [a], [a, b]]
    act(browser, "discard", page="b")
    assert unsaved(browser, "c") == [a]
    act(browser, "put", text=opened, read=read, page="a", at=4)
    assert unsaved(browser, "c") == [], "it was taken back"


@pytest.mark.parametrize("is_saved_here", [True, False])
def test_a_text_that_the_file_holds_is_offered_no_more(browser: Browser, made: Studio, is_saved_here: bool) -> None:
    opened, read = made.text.text, made.file.state.version
    mine = opened + "# mine\n"
    act(browser, "put", text=mine, read=read, page="a", at=1)
    if is_saved_here:
        act(browser, "save", text=mine, read=read)
    else:
        Path(made.file.path).write_text(mine, "utf-8")
        made.file.look()
    Path(made.file.path).write_text(opened, "utf-8")
    made.file.look()
    assert unsaved(browser, "b") == []


def test_of_very_many_unsaved_texts_the_newest_are_kept(browser: Browser, made: Studio) -> None:
    for number in range(MAX_KEPT + 1):
        act(browser, "put", text=f"# {number}\n", read="", page=str(number), at=number)
    assert [name for name, *_ in unsaved(browser, "")] == [str(number) for number in range(1, MAX_KEPT + 1)]


def test_a_nul_of_the_file_reaches_the_editor(browser: Browser, made: Studio) -> None:
    """HTML holds none: a page would begin with another text than the file."""
    path, opened = Path(made.file.path), made.text.text
    assert "data-exact" not in browser.get(f"/{KEY}/").text
    path.write_text(f"# a\0b's\n{opened}", "utf-8")
    page = browser.get(f"/{KEY}/").text
    exact = page.partition("data-exact='")[2].partition("'")[0]
    assert json.loads(unescape(exact)) == f"# a\0b's\n{opened}"


def test_a_page_that_is_loaded_is_told_the_file_as_it_was_saved_last(browser: Browser, made: Studio) -> None:
    """And not the last text that others wrote."""
    path, opened = Path(made.file.path), made.text.text
    path.write_text("# other\n" + opened, "utf-8")
    read = made.file.look().version
    mine = "# mine\n# other\n" + opened
    act(browser, "put", text=mine, read=read)
    saved = json.loads(act(browser, "save", text=mine, read=read).body)
    assert made.parts.newest("disk") == saved
    assert saved == {"text": mine, "version": version_of(mine), "serial": 3, "returns": 0}
    assert f'data-read="{saved["version"]}"' in browser.get(f"/{KEY}/").text


def test_of_two_pages_the_later_save_gets_what_the_earlier_wrote(browser: Browser, made: Studio) -> None:
    path, opened, read = Path(made.file.path), made.text.text, made.file.state.version
    two, one = "# two\n" + opened, "# one\n" + opened
    assert act(browser, "save", text=two, read=read).status == 200
    refused = act(browser, "save", text=one, read=read)
    assert refused.status == 409
    conflict = json.loads(refused.body)["conflict"]
    assert conflict["text"] == path.read_text("utf-8") == two
    lines = json.loads(act(browser, "difference", old=conflict["text"], new=one).body)["lines"]
    assert [(line["side"], line["text"]) for line in lines[:2]] == [("old", "# two"), ("new", "# one")]
    assert act(browser, "save", text=one, read=conflict["version"]).status == 200
    assert path.read_text("utf-8") == one


def test_figures_of_other_bots_begin_with_none(browser: Browser, made: Studio) -> None:
    came: list[tuple[bool, str]] = []
    made.play_series()
    settled(made, figures=True)
    end = made.parts.subscribe(lambda: came.append(_figures(made)))
    act(browser, "measure", bots="greedy", players=2)
    while not any("<table" in html for _, html in came):
        assert not made.failed
    made.stop_series()
    settled(made)
    end()
    assert came[0][0]
    assert "The matches begin" in came[0][1]
    assert "<td>" not in came[0][1]


def _figures(of: Studio) -> tuple[bool, str]:
    news: Any = of.parts.newest("figures")
    shown = _shown("figures", news, SOURCE)
    return shown["begins"], shown["html"]


def test_saving_over_what_others_wrote_is_refused_with_the_reason(browser: Browser, made: Studio) -> None:
    read = made.file.state.version
    Path(made.file.path).write_text("theirs\n", "utf-8")
    answer = act(browser, "save", text="mine\n", read=read)
    assert answer.status == 409
    assert json.loads(answer.body)["conflict"]["text"] == "theirs\n"
    assert Path(made.file.path).read_text("utf-8") == "theirs\n"


def test_the_match_is_answered_and_an_old_question_is_not(browser: Browser, made: Studio) -> None:
    assert 'name="number" value="0"' in browser.get(f"/{KEY}/match").text
    assert act(browser, "answer", seat="", number=0, chosen=[0]).status == 200
    table = made.match.table
    assert table is not None
    assert len(table.match.history) == 1
    seat = table.state.setting.seats[table.match.history[0].action.seat]
    again = act(browser, "answer", seat=seat, number=0, chosen=[0])
    assert again.status == 409
    assert act(browser, "undo").status == 200
    assert not table.match.history


@pytest.mark.parametrize(
    "sent",
    [b"", b"[]", b"{", b"7", b'{"read": ""}', b'{"text": 3, "read": ""}', b'{"text": "x"}',
     b'{"text": "x", "read": 1e400}', b'{"text": "x", "read": null}', b"[" * 100_000, b"\xff\xfe"],
)  # fmt: skip
def test_what_makes_no_sense_changes_nothing(browser: Browser, made: Studio, sent: bytes) -> None:
    before = made.text
    assert 400 <= browser.post(f"/{KEY}/do/put", sent).status < 500
    assert made.text == before


def test_what_is_too_long_is_refused(browser: Browser, made: Studio) -> None:
    assert browser.post(f"/{KEY}/do/put", b" " * (LONGEST + 1)).status == 413


def test_of_two_pages_with_the_same_text_neither_waits_for_what_the_other_sent(browser: Browser, made: Studio) -> None:
    text, read = made.text.text + "# mine\n", made.file.state.version
    numbers = [json.loads(act(browser, "put", text=text, read=read).body)["number"] for _ in range(2)]
    assert numbers == [1, 1]
    assert json.loads(act(browser, "put", text=made.text.text + "# two\n", read=read).body)["number"] == 2


@pytest.mark.parametrize(
    ("action", "sent", "said"),
    [
        ("answer", {"seat": "", "number": 99, "chosen": [0]}, "beantwortet"),
        ("undo", {}, "noch niemand"),
        ("go-back", {"at": 99}, "keine solche Stellung"),
        ("begin", {"players": ["human"] * 60, "seed": ""}, "so kann keine Partie beginnen"),
        ("put", {}, "kein brauchbares text"),
        ("save", {"text": "mine", "read": ""}, "von jemand anderem"),
        ("arrange-move", {"what": "card red.wing 3", "to": "nowhere"}, "keine Stellung"),
    ],
)
def test_refusals_speak_the_language_of_the_page(
    browser: Browser, action: str, sent: dict[str, Any], said: str
) -> None:
    answer = browser.post(f"/{KEY}/do/{action}?lang=de", json.dumps(sent).encode())
    assert answer.status == 409
    assert said in json.loads(answer.body)["problem"]


@pytest.mark.parametrize("name", ["nothing", "__class__", "put/../save"])
def test_there_are_no_other_actions(browser: Browser, name: str) -> None:
    assert act(browser, name).status in (400, 404)


def test_a_match_begins_in_the_position_of_an_example(browser: Browser, made: Studio) -> None:
    assert act(browser, "begin-at", name="the last find").status == 200
    table = made.match.table
    assert table is not None
    assert table.header.begun is not None
    assert table.header.options["homing"] is True
    assert act(browser, "begin-at", name="no such example").status == 409


def test_a_text_is_put_into_the_one_layout(browser: Browser, made: Studio) -> None:
    text = made.text.text
    untidy = text.replace("game ", "game   ")
    assert json.loads(act(browser, "tidy", text=untidy).body)["text"] == text
    assert act(browser, "tidy", text=text.replace("game ", "gme ")).status == 409


def test_the_editor_is_offered_words_and_told_what_they_are(browser: Browser, made: Studio) -> None:
    text = made.text.text
    line = 1 + text.split("\n").index("    while any bush: do day")
    place = {"text": text, "line": line, "column": len("    while any bu") + 1}
    assert json.loads(act(browser, "complete", **place).body)["offers"][0]["word"] == "bush"
    assert "bush" in json.loads(act(browser, "hover", **place).body)["words"]
    declared = json.loads(act(browser, "definition", **place).body)["line"]
    assert text.split("\n")[declared - 1].startswith("pile bush")


def test_what_mends_a_finding_is_told_or_that_nothing_does(browser: Browser, made: Studio) -> None:
    text = made.text.text.replace("do day", "do dya")
    line = 1 + text.split("\n").index("    while any bush: do dya")
    found = json.loads(act(browser, "correct", text=text, line=line, code="unknown-name").body)["corrections"]
    assert [edit["text"] for edit in found[0]["edits"]] == ["day"]
    text = made.text.text.replace("    players 2..5", "players 2..5")
    line = 1 + text.split("\n").index("players 2..5")
    found = json.loads(act(browser, "correct", text=text, line=line, code="syntax").body)["corrections"]
    assert [edit["text"] for edit in found[0]["edits"]] == ["    "]
    nothing = act(browser, "correct", text=text, line=1, code="unknown-name")
    assert (nothing.status, json.loads(nothing.body)) == (200, {"corrections": []})


def test_a_full_disk_is_told_and_the_text_stays(
    browser: Browser, made: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    before = Path(made.file.path).read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(library.os, "fsync", full)
        answer = act(browser, "save", text=made.text.text + "# mine\n", read=made.file.state.version)
    assert (answer.status, json.loads(answer.body)["problem"]) == (
        409,
        "it could not be saved: no space left on device",
    )
    assert Path(made.file.path).read_bytes() == before
    assert act(browser, "save", text=made.text.text + "# mine\n", read=made.file.state.version).status == 200


@pytest.mark.parametrize(("text", "said"), [("x" * 300_000, "at most 256 kB"), ("\ud800", "are none")])
def test_what_no_rules_file_can_hold_is_not_saved(browser: Browser, made: Studio, text: str, said: str) -> None:
    before = Path(made.file.path).read_bytes()
    answer = act(browser, "save", text=text, read=made.file.state.version)
    assert answer.status == 409
    assert said in json.loads(answer.body)["problem"]
    assert Path(made.file.path).read_bytes() == before


def test_a_position_is_arranged_step_by_step_and_what_makes_no_sense_is_refused(browser: Browser, made: Studio) -> None:
    assert act(browser, "arrange-move", what="card red.wing 3", to="pile red.shown").status == 409
    assert act(browser, "arrange", at=0).status == 200
    assert "card red.wing 3" in browser.get(f"/{KEY}/match").text
    assert act(browser, "arrange-move", what="card red.wing 3", to="pile red.shown").status == 200
    assert "card red.shown 3" in browser.get(f"/{KEY}/match").text
    for sent in ({"what": 3, "to": "pile"}, {"what": "card red.wing 3"}, {"what": "card red.wing 3", "to": "pile red"}):
        assert act(browser, "arrange-move", **sent).status == 409
    assert act(browser, "arrange-undo").status == 200
    assert act(browser, "arrange-undo").status == 200
    assert "card red.wing 3" in browser.get(f"/{KEY}/match").text
    said = json.loads(act(browser, "arrange-keep", name='a "quoted" name').body)["text"]
    assert said.startswith("scenario \"a 'quoted' name\"")
    assert 'id="answer"' in browser.get(f"/{KEY}/match").text


def test_bots_of_any_strength_are_measured_and_nothing_else_is(browser: Browser, made: Studio) -> None:
    assert act(browser, "measure", bots="mcts:7").status == 200
    assert made.series.bots == "mcts:7"
    for name in ("mcts:0", "mcts:many", "nobody", "mcts:99999999999"):
        assert act(browser, "measure", bots=name).status == 409
    assert made.series.bots == "mcts:7"
    assert act(browser, "measure", bots="").status == 200
    made.stop_series()


@pytest.mark.parametrize(
    ("bots", "selected"),
    [("", []), ("greedy", ["<option selected>greedy"]), ("mcts:7", ['value="mcts" selected', 'value="7"'])],
)
def test_a_page_shows_what_the_figures_are_about(
    browser: Browser, made: Studio, bots: str, selected: list[str]
) -> None:
    """And not what they are about at first, beside figures of other bots."""
    act(browser, "measure", bots=bots, players=3)
    made.stop_series()
    page = browser.get(f"/{KEY}/").text
    form = page[page.index('<form id="series"') : page.index('<div id="series-result"')]
    assert form.count(" selected") == len(bots[:1])
    assert all(words in form for words in ['max="64" value="3"', *selected])
    assert ('id="strength" hidden' in form) == (not bots.startswith("mcts"))


def test_the_report_is_that_of_the_series(browser: Browser, made: Studio) -> None:
    assert browser.get("/wrong/report").status == 404
    made.play_series()
    settled(made, figures=True)
    page = browser.get(f"/{KEY}/report?lang=de")
    assert page.status == 200
    assert "Wer gewinnt" in page.text
    assert "script" not in page.headers["content-security-policy"].replace("default-src 'none'", "")
