"""Pages of a table in other languages: nothing on them is English, and links keep the language that was chosen."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from html.parser import HTMLParser
from pathlib import Path

import jinja2
import pytest
from jinja2 import nodes
from starlette.requests import Request

from rulekit import library
from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.source import PLACEHOLDER
from rulekit.tools.language.engine_extraction import engine_entries
from rulekit.tools.language.translation import needs_words
from rulekit.web.pages import too_slow
from rulekit.web.rate_limits import Limits, Rate
from rulekit.web.server import Server
from rulekit.web.translations import accepted, own_words
from tests import paths
from tests.web.asgi import ORIGIN, Answer, Browser, number, scope

KEY = "the-key-of-this-test"
TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
LANGUAGES = ("it", "de")
READ = ("alt", "aria-label", "placeholder", "title")
"""Attributes that people read, beside those whose names begin with `data-`."""
OWN = ("page", "web-", "table-", "log-", "back-")
"""How the ids of what pages say begin."""
UPLOADS = {"content-type": "multipart/form-data; boundary=of-this-test"}

APART = """game "Apart"
    players 2..4
option size "How many rounds?" 1..9 default 5
    requires size at most 8                            @AB-1
    conflicts size is 4 and count players is 2
> AB-1 Eight are the most.
play
    if size is 3: end game
result: rank players
"""

ASIDE = """game "Aside"
    players 2
cards all of card
    | card |
    | red  |
    | blue |
pile deck of card starts all
each player has
    pile hand of card
    pile aside of card
play
    each player
        move first deck to player.hand
        move player.hand to player.aside
    each player
        player chooses "Go on?"
            "yes"
result: rank players by highest seat
"""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER,)) as host:
        yield Browser(Server(host, KEY, lambda: {"other.rules": "there is no such file"}).app(("127.0.0.1",)))


class Shown(HTMLParser):
    """What people read of a page: texts, attributes, and the languages that it names."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.feed(page)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.texts += [value for name, value in attrs if value and (name in READ or name.startswith("data-"))]


def all_pages(browser: Browser, language: str, **headers: str) -> dict[str, Answer]:
    """Every page of a table, and what refuses: by a name of its own."""
    asked = f"?lang={language}" if language else ""
    form = {"game": TIGER, "kind": ["human", "human", "random"], "name": ["ada", "bob", "eve"]}
    host = f"/host/{KEY}{asked}"
    begun = browser.post(host, form, {"origin": ORIGIN, **headers})
    links = [unescape(link) for link in re.findall(r'href="(/(?:seat|together)/[^"]+)"', begun.text)]
    ada, bob, watching, together = (link.partition("?")[0] for link in links)
    found = {name: browser.get(path + asked, headers) for name, path in {
        "front": "/", "nothing": "/seat/nobody", "host": f"/host/{KEY}", "ada": ada, "watching": watching,
        "story": f"{ada}/story", "try": f"{ada}/try", "log": f"{ada}/log", "together": together,
    }.items()}  # fmt: skip
    wrong = {"number": number(found["ada"].text), "choice": "4000"}
    answer = {"number": wrong["number"], "choice": "0"}
    posts = {
        "not offered": (f"{ada}/answer", wrong),
        "no answer": (f"{ada}/answer", {"number": "x"}),
        "answered": (f"{ada}/answer", answer),
        "late": (f"{ada}/answer", answer),
        "nothing to take back": (f"{bob}/undo", {}),
        "no branch": (f"{ada}/at/0/branch", {}),
        "too few": (f"/host/{KEY}", {**form, "kind": ["human"], "name": ["ada"]}),
        "one name": (f"/host/{KEY}", {**form, "name": ["ada", "ada", "eve"]}),
        "no seat": (f"/host/{KEY}", {**form, "kind": ["human", "human", ""]}),
        "no such game": (f"/host/{KEY}", {"game": "none"}),
    }
    for name, (path, fields) in posts.items():
        found[name] = browser.post(path + asked, fields, {"origin": ORIGIN, **headers})
    found["foreign"] = browser.post(f"{ada}/answer{asked}", answer, {"origin": "http://evil.example", **headers})
    found["waiting"], found["earlier"] = (browser.get(ada + part + asked, headers) for part in ("", "/at/0"))
    found["why not"] = browser.get(f"{bob}/why-not{asked}", headers)
    for name, log in (("no file", b""), ("no log", b"\xff\xfe")):
        found[name] = browser.post(host, _upload(log), {"origin": ORIGIN, **UPLOADS, **headers})
    return {"begun": begun, **found}


def _upload(log: bytes) -> bytes:
    head = b'--of-this-test\r\nContent-Disposition: form-data; name="log"; filename="match.log"\r\n\r\n'
    return head + log + b"\r\n--of-this-test--\r\n"


def english(page: str, language: str) -> list[str]:
    """The words of pages that stand on one as they are in English, though the language has others."""
    texts = {text.strip() for text in Shown(page).texts} - {""}
    return [words for words, pattern in patterns(language) if any(map(pattern.fullmatch, texts))]


@cache
def patterns(language: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What pages say and the language has other words for, and how it would stand on a page."""
    words = own_words(language)
    return tuple(
        (entry.text, re.compile(".+".join(re.escape(part) for part in PLACEHOLDER.split(entry.text)[::2])))
        for entry in engine_entries()
        if entry.id.startswith(OWN) and words.phrases[entry.id, entry.text][0] != entry.text
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_has_an_english_word_of_its_template(browser: Browser, language: str) -> None:
    for name, answer in all_pages(browser, language).items():
        if answer.status != 303:
            assert english(answer.text, language) == [], name
            assert f'<html lang="{language}">' in answer.text, name


def test_english_is_found_where_it_stands(browser: Browser) -> None:
    for name, answer in all_pages(browser, "en").items():
        if name in ("host", "ada", "together", "try", "earlier", "story", "begun", "why not", "no file", "no log"):
            assert english(answer.text, "it"), name


@pytest.mark.parametrize(
    ("size", "told"),
    [
        ("9", "La risposta a «How many rounds?» richiede `size at most 8` (FILE:4:14). AB-1: Eight are the most."),
        ("4", "La risposta a «How many rounds?» è in conflitto con `size is 4 and count players is 2` (FILE:5:15)."),
    ],
)
def test_options_that_do_not_go_together_are_told_in_the_language(size: str, told: str, tmp_path: Path) -> None:
    rules = tmp_path / "apart.rules"
    rules.write_text(APART, encoding="utf-8")
    with Store(tmp_path / "m.db") as store, Host(store, (str(rules),)) as host:
        browser = Browser(Server(host, KEY).app(("127.0.0.1",)))
        form = {"game": str(rules), "kind": ["human", "human"], "name": ["", ""], "option size": size}
        refused = browser.post(f"/host/{KEY}?lang=it", form)
        assert refused.status == 400
        assert told.replace("FILE", str(rules)) in unescape(refused.text)
        assert browser.post(f"/host/{KEY}?lang=it", {**form, "option size": "5"}).status == 200


def test_who_sends_too_much_or_too_slowly_is_told_so_in_the_language(tmp_path: Path) -> None:
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER,)) as host:
        once = Browser(Server(host, KEY, limits=Limits(link=Rate(1, 0.001))).app(("127.0.0.1",)))
        assert once.get(f"/host/{KEY}?lang=it").status == 200
        assert "troppe richieste" in once.get(f"/host/{KEY}?lang=it").text
        assert "zu viele Anfragen" in once.get(f"/host/{KEY}", {"accept-language": "de"}).text
    slow = asyncio.run(too_slow(Request(scope("POST", "/", {"accept-language": "de"})), None))
    assert "nicht rechtzeitig" in bytes(slow.body).decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_page_says_is_in_the_language_that_the_browser_likes_best(browser: Browser, language: str) -> None:
    liked = {"accept-language": f"xx, en;q=0.5, {language}-{language.upper()};q=0.9"}
    pages = all_pages(browser, "", **liked)
    for name, answer in pages.items():
        if answer.status != 303:
            assert f'<html lang="{language}">' in answer.text, name
    assert "lang=" not in "".join(re.findall(r'action="([^"]+)"', pages["ada"].text))
    assert '<html lang="en">' in browser.get("/?lang=en", liked).text


def test_links_keep_the_language_that_was_chosen(browser: Browser) -> None:
    pages = all_pages(browser, "it")
    for name in ("begun", "ada", "together", "story", "earlier"):
        text = re.sub(r'<p class="languages">.*?</p>', "", pages[name].text)
        links = [unescape(link) for link in re.findall(r'(?:href|action)="(/(?:seat|together)/[^"]+)"', text)]
        assert links, name
        assert all("lang=it" in link for link in links), (name, links)
    assert "lang=it" in pages["answered"].headers["location"]


@pytest.mark.parametrize("name", ["host", "ada", "together"])
def test_other_languages_are_offered_by_their_own_names(browser: Browser, name: str) -> None:
    page = all_pages(browser, "de")[name].text
    offered = re.findall(r'<p class="languages">.*?</p>', page)[0]
    assert re.findall(r'hreflang="(\w+)" lang="(\w+)">(\w+)<', offered) == [
        ("en", "en", "English"),
        ("it", "it", "Italiano"),
    ]
    assert "Deutsch" in offered


def test_links_that_are_shown_once_are_not_left_for_a_language(browser: Browser) -> None:
    begun = all_pages(browser, "it")["begun"]
    assert "La partita è cominciata" in begun.text
    assert 'class="languages"' not in begun.text


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Blue lays a card aside."), ("it", "Blu mette via una carta.")],
)
def test_pages_speak_in_the_sentences_of_the_game(language: str, sentence: str, tmp_path: Path) -> None:
    """In English too, the language of the rules file."""
    (tmp_path / "text").mkdir()
    rules = tmp_path / "aside.rules"
    rules.write_text(ASIDE, encoding="utf-8")
    for code, words in (("en", "{owner} lays a card aside"), ("it", "{owner} mette via una carta")):
        (tmp_path / "text" / f"aside.{code}.forms").write_text(f"from hand to aside = {words}\n", encoding="utf-8")
    with Store(tmp_path / "m.db") as store, Host(store, (str(rules),)) as host:
        made = host.create(str(rules), ("human", "random"), seed="1")
        browser = Browser(Server(host, KEY).app(("127.0.0.1",)))
        assert sentence in browser.get(f"/seat/{made.tokens[0]}/story?lang={language}").text


def test_a_language_that_is_not_spoken_changes_nothing(browser: Browser) -> None:
    for named in ("tlh", "../x", "%22%3E"):
        assert '<html lang="en">' in browser.get(f"/host/{KEY}?lang={named}").text


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("it-IT, it;q=0.9, en;q=0.8", ["it-IT", "it", "en"]),
        ("en;q=0.1,de", ["de", "en"]),
        ("de;q=0, it", ["it"]),
        ("de;q=x, *;q=0.1", ["*"]),
        ("", [""]),
        (";;,=;q==,x;q", [""]),
    ],
)
def test_languages_are_liked_by_their_weights(header: str, wanted: list[str]) -> None:
    assert accepted(header) == wanted


# ---------------------------------------------------------------- templates


def left_unmarked(template: str) -> list[str]:
    """What people would read of a template that stands in it without being marked for translators."""
    page = "".join(node.data for node in jinja2.Environment().parse(template).find_all(nodes.TemplateData))
    own = re.findall(rf'\b(?:{"|".join(READ)}|data-[\w-]+)="([^"]*)"', page)
    texts = re.split(r'<[^>]*>|[\w-]+="[^"]*"|/\w+\.svg', page)
    return [text.strip() for text in (*own, *texts) if needs_words(text)]


@pytest.mark.parametrize("name", [name for name in library.templates() if name.startswith("web_")])
def test_all_words_of_a_page_are_marked_for_translators(name: str) -> None:
    assert left_unmarked(library.template(name)) == []


@pytest.mark.parametrize(
    "template",
    [
        "<p>Hello</p>",
        '<p aria-label="story">{{ x }}</p>',
        "{% if x %}Choose {{ x }}{% endif %}",
        '<i data-say="Go on">',
    ],
)
def test_words_that_are_not_marked_are_found(template: str) -> None:
    assert left_unmarked(template)
    assert not left_unmarked('<p class="story" id="one">{{ _("Hello") }}: {{ x }}</p>')


@pytest.mark.parametrize("name", ["table.js", "swap.js"])
def test_the_script_of_a_page_says_nothing_itself(name: str) -> None:
    script = re.sub(r"//.*|/\*.*?\*/", "", library.template(name))
    assert [text for text in re.findall(r'"([^"\n]*)"', script) if re.search(r"[A-Za-z]{2} [A-Za-z]{2}", text)] == [
        "use strict"
    ]
