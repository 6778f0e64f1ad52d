"""Behind nginx: pages, forms, links, files and streams work as its documentation sets it up, below a path too."""

from __future__ import annotations

import http.client
import json
import re
import socket
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import sleep
from urllib.parse import urlencode, urlsplit

import pytest
from attrs import define

from rulekit.hosting.host import Host
from rulekit.hosting.store import Store
from rulekit.web.addresses import PublicUrl
from rulekit.web.server import Server
from tests import paths
from tests.browser.serving import KEY, served
from tests.extras import needs
from tests.web.asgi import Browser, choices, number

TIGER = str(paths.GAMES / "fuzzy_tiger.rules")
NAME = "games.example.org"
CONFIGURATION = """daemon off;
worker_processes 1;
pid {folder}/pid;
error_log stderr crit;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    {server}
}}
"""
SERVER = """server {{
        listen 127.0.0.1:{port};
        server_name _;
        location {path}/ {{
            proxy_pass {upstream};
            {more}
        }}
    }}"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


@contextmanager
def nginx(folder: Path, server: str, port: int) -> Iterator[None]:
    """nginx with one `server` block that listens on a port."""
    (folder / "nginx.conf").write_text(CONFIGURATION.format(folder=folder, server=server), encoding="utf-8")
    with subprocess.Popen(["nginx", "-p", str(folder), "-c", "nginx.conf"]) as running:
        try:
            while not _hears(port):
                assert running.poll() is None, "nginx has ended"
                sleep(0.02)
            yield
        finally:
            running.terminate()


def _hears(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except OSError:
        return False
    return True


@define(eq=False)
class Caller:
    """A browser that calls a public address, whose name leads to a port of this machine."""

    public: str
    port: int

    @property
    def origin(self) -> str:
        return self.public.removesuffix(urlsplit(self.public).path)

    def call(self, method: str, path: str, fields: object = None) -> tuple[int, str, str]:
        """Status, where it sends a browser on, and text of the answer."""
        with closing(self._sent(method, path, fields)) as connection:
            answer = connection.getresponse()
            return answer.status, answer.headers.get("location", ""), answer.read().decode()

    @contextmanager
    def stream(self, path: str) -> Iterator[http.client.HTTPResponse]:
        """An answer that does not end."""
        with closing(self._sent("GET", path)) as connection, connection.getresponse() as answer:
            yield answer

    def _sent(self, method: str, path: str, fields: object = None) -> http.client.HTTPConnection:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Host": urlsplit(self.public).netloc, "Connection": "close"}
        if fields:
            headers |= {"Origin": self.origin, "Content-Type": "application/x-www-form-urlencoded"}
        connection.request(method, path, urlencode(fields, doseq=True) if fields else None, headers)  # type: ignore[call-overload]
        return connection

    def begin(self) -> list[str]:
        """The addresses of the seats of a new match, as its links say them."""
        path = urlsplit(self.public).path.rstrip("/")
        fields = {"game": TIGER, "kind": ["human", "human"], "name": ["", ""]}
        status, _, text = self.call("POST", f"{path}/host/{KEY}", fields)
        assert status == 200, text
        links = re.findall(r'href="(/[^"]*/?seat/[^"]+)"[^>]*>([^<]+)</a>', text)
        assert [whole for _, whole in links] == [self.origin + link for link, _ in links]
        return [link for link, _ in links]


def news(stream: http.client.HTTPResponse) -> str:
    """What a stream says next of the page of its seat."""
    for line in iter(stream.readline, b""):
        if line.startswith(b"data: {"):
            return str(json.loads(line.removeprefix(b"data: "))["data"])
    raise AssertionError("the stream ended")


def play_through(caller: Caller) -> None:
    """All that browsers ask for when one answers and another hears of it."""
    red, blue, _ = caller.begin()
    page = caller.call("GET", blue)[2]
    files = re.findall(r'(?:href|src)="([^"]+\.(?:css|js|svg))"', page)
    assert len(files) == 5
    for address in [*files, *re.findall(r'href="([^"]+/story)"', page)]:
        assert caller.call("GET", address)[0] == 200, address
    with caller.stream(f"{blue}/news") as stream:
        before = news(stream)
        question = caller.call("GET", red)[2]
        action = re.findall(r'id="answer" method="post" action="([^"]+)"', question)[0]
        form = {"number": number(question), "choice": choices(question)[0]}
        status, location, _ = caller.call("POST", action, form)
        assert status == 303
        assert "Waiting for" in caller.call("GET", location)[2]
        assert news(stream) != before


@needs("nginx")
@pytest.mark.parametrize(
    ("path", "suffix", "more"),
    [
        ("", "", ""),
        ("", "", "proxy_set_header Host $host;"),
        ("", "", "proxy_set_header Host $http_host;"),
        ("/games", "", ""),
        ("/games", "/", "proxy_set_header Host $host;"),
    ],
    ids=["defaults", "host", "http_host", "below a path", "below a path that is taken away"],
)
def test_a_table_behind_nginx_works_from_its_public_address(path: str, suffix: str, more: str, tmp_path: Path) -> None:
    port = free_port()
    public = f"http://{NAME}:{port}{path}"
    with served(tmp_path, [TIGER], public=PublicUrl.parse(public)) as table:
        block = SERVER.format(port=port, path=path, upstream=table.address + suffix, more=more)
        with nginx(tmp_path, block, port):
            play_through(Caller(public, port))


@needs("nginx")
def test_the_documented_configuration_works(tmp_path: Path) -> None:
    """Word for word but for the ports and the certificate."""
    port = free_port()
    text = (paths.DOCS / "table.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```nginx\n(.*?)```", text, re.DOTALL)
    with served(tmp_path, [TIGER], public=PublicUrl.parse(f"https://{NAME}")) as table:
        block = re.sub(r" *ssl_.*\n", "", block.replace("443 ssl", f"127.0.0.1:{port}"))
        with nginx(tmp_path, block.replace("http://127.0.0.1:8000", table.address), port):
            play_through(Caller(f"https://{NAME}", port))


# ---------------------------------------------------------------- what is refused, and what to do about it


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with Store(tmp_path / "m.db") as store, Host(store, (TIGER,)) as host:
        yield Browser(Server(host, KEY, public=PublicUrl.parse("https://games.example.org:8443/t")).app(("127.0.0.1",)))


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "games.example.org", "games.example.org:8443", "GAMES.example.org"])
@pytest.mark.parametrize("path", ["", "/t"])
def test_the_public_address_is_called_by_either_name(host: str, path: str, browser: Browser) -> None:
    browser.host = host
    page = browser.get(f"{path}/host/{KEY}")
    assert page.status == 200
    assert 'href="/t/table.css"' in page.text


@pytest.mark.parametrize(
    "origin",
    [
        "https://evil.example",
        "http://games.example.org:8443",
        "https://games.example.org",
        "https://games.example.org:1",
    ],
)
def test_a_form_of_another_origin_is_refused_behind_a_proxy_too(origin: str, browser: Browser) -> None:
    refused = browser.post(f"/t/host/{KEY}", {"game": TIGER}, {"origin": origin})
    assert refused.status == 403
    assert f"{origin}. If browsers call this table so, start it with --public-url" in refused.text
    crossed = {"origin": "https://games.example.org:8443", "sec-fetch-site": "cross-site"}
    assert browser.post(f"/t/host/{KEY}", {"game": TIGER}, crossed).status == 403


def test_who_calls_it_by_another_name_hears_which_option_allows_it(browser: Browser) -> None:
    browser.host = "<b>.example:80"
    refused = browser.get("/")
    assert refused.status == 400
    assert "not called &lt;b&gt;.example:80." in refused.text
    assert "--public-url" in refused.text


@pytest.mark.parametrize(
    ("text", "origin", "path"),
    [
        ("https://games.example.org", "https://games.example.org", ""),
        ("HTTPS://Games.example.org:443/", "https://games.example.org", ""),
        ("http://games.example.org:8080/a/b/", "http://games.example.org:8080", "/a/b"),
        ("https://spiele.müller.example/t", "https://spiele.xn--mller-kva.example", "/t"),
        ("http://[::1]:8000", "http://[::1]:8000", ""),
    ],
)
def test_a_public_address_is_read_as_a_browser_reads_it(text: str, origin: str, path: str) -> None:
    found = PublicUrl.parse(text)
    assert (found.origin, found.path) == (origin, path)


@pytest.mark.parametrize(
    "text",
    ["", "games.example.org", "ftp://a.example", "https://", "https://a:b@c.example", "https://a.example/?x",
     "https://a.example/a b", "https://a.example/../b", "https://a.example/seat", "https://a.example:99999"],
)  # fmt: skip
def test_what_is_no_public_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"^it"):
        PublicUrl.parse(text)
