"""The language server's addresses, malformed requests and ways to end, spoken to in plain JSON over its pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from tests.editing.texts import GAME
from tests.processes import HANG

FAULTY = GAME.replace("sleeper.score by", "sleeper.skore by")


class PlainClient:
    """Client that sends requests as they are given, malformed ones too."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulekit", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.number = 0

    def send(self, method: str, params: Any, **more: Any) -> None:
        body = json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **more}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def request(self, method: str, params: Any) -> dict[str, Any]:
        """Send a request and return its response; findings that arrive before it are dropped."""
        self.number += 1
        self.send(method, params, id=self.number)
        return next(message for message in self.messages() if message.get("id") == self.number)

    def messages(self) -> Iterator[dict[str, Any]]:
        assert self.process.stdout is not None
        while True:
            size = 0
            while (line := self.process.stdout.readline()).strip():
                if line.lower().startswith(b"content-length"):
                    size = int(line.split(b":")[1])
            assert size, "the server has closed its output"
            yield json.loads(self.process.stdout.read(size))

    def findings(self, uri: str) -> list[dict[str, Any]]:
        """Return the findings that are published next for exactly this spelling of an address."""
        for message in self.messages():
            if message.get("method") == "textDocument/publishDiagnostics" and message["params"]["uri"] == uri:
                return list(message["params"]["diagnostics"])
        raise AssertionError

    def open(self, uri: str, text: str) -> None:
        self.send("textDocument/didOpen", {"textDocument": _item(uri, text)})

    def change(self, uri: str, text: str, version: int) -> None:
        name = {"uri": uri, "version": version}
        self.send("textDocument/didChange", {"textDocument": name, "contentChanges": [{"text": text}]})


def _item(uri: str, text: str) -> dict[str, Any]:
    return {"uri": uri, "languageId": "rules", "version": 1, "text": text}


@pytest.fixture(scope="module", name="client")
def _client() -> Iterator[PlainClient]:
    client = started()
    yield client
    client.process.kill()
    client.process.communicate()


def started() -> PlainClient:
    client = PlainClient()
    client.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    client.send("initialized", {})
    return client


@pytest.mark.parametrize(
    "uri",
    [
        "file:///games/a/x.rules",
        "file:///games/my%20games/x.rules",
        "file:///games/caff%C3%A8/x.rules",
        "file:///games/100%25/x.rules",
        "file:///c%3A/games/x.rules",
        "file:///C:/Games/x.rules",
        "file:///c:/my%20games/x.rules",
        "file://server/share/my%20games/x.rules",
        "vscode-remote://wsl%2Bubuntu/home/a/x.rules",
        "vscode-vfs://github/a%2Fb/x.rules",
        "untitled:Untitled-1",
        "untitled:my%20game",
    ],
)
def test_a_text_is_checked_and_answered_at_any_address(client: PlainClient, uri: str) -> None:
    client.open(uri, FAULTY)
    assert [entry["code"] for entry in client.findings(uri)] == ["unknown-attribute"]
    symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})
    assert symbols["result"]
    client.change(uri, GAME, 2)
    assert "unknown-attribute" not in [entry["code"] for entry in client.findings(uri)]
    client.send("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.findings(uri) == []


def test_two_spellings_of_an_address_are_one_text(client: PlainClient) -> None:
    client.open("file:///c%3A/games/two.rules", GAME)
    symbols = client.request("textDocument/documentSymbol", {"textDocument": {"uri": "file:///C:/games/two.rules"}})
    assert symbols["result"]


def test_a_change_of_a_text_that_is_not_open_is_ignored(client: PlainClient) -> None:
    client.change("file:///games/never%20opened.rules", GAME, 2)
    answer = client.request(
        "textDocument/documentSymbol", {"textDocument": {"uri": "file:///games/never%20opened.rules"}}
    )
    assert answer["error"]["message"] == "no text is open at this address"


@pytest.mark.parametrize("params", [{}, {"textDocument": {"uri": "untitled:x"}, "position": {"line": -1}}])
def test_a_malformed_request_is_answered_with_an_error(client: PlainClient, params: Any) -> None:
    assert client.request("textDocument/hover", params)["error"]["code"] == -32602


@pytest.mark.parametrize("method", ["completion", "hover", "definition", "documentHighlight", "references"])
def test_a_position_past_the_end_is_the_end(client: PlainClient, method: str) -> None:
    client.open("untitled:short", GAME)
    params = {
        "textDocument": {"uri": "untitled:short"},
        "position": {"line": 99999, "character": 7},
        "context": {"includeDeclaration": True, "triggerKind": 1},
    }
    assert "error" not in client.request(f"textDocument/{method}", params)


@pytest.mark.parametrize("orderly", [True, False])
def test_the_server_ends_as_the_protocol_says(orderly: bool) -> None:
    client = started()
    if orderly:
        client.request("shutdown", None)
    client.send("exit", None)
    _, said = client.process.communicate(timeout=HANG)
    assert client.process.returncode == (0 if orderly else 1)
    assert b"a fault of rulekit" not in said


# ---------------------------------------------------------------- names of texts in answers

STRANGE = [
    "git:/home/me/one.rules?%7B%22ref%22%3A%22~%22%7D",
    "vscode-notebook-cell:/x/one.rules#W0",
    "file:///c%3A/games/one.rules",
    "file:///C:/games/one.rules",
    "file:///d%3a/games\\one.rules",
    "file:///x/citt%E0/one.rules",
    "file:////server/share/one.rules",
    "file://localhost/x/one.rules",
    "file:/x/one.rules",
    "FILE:///x/one.rules",
    "file:///x//one.rules",
    "file:///x/è/%c3%a8/(x)/%7E/one.rules?x=1#L3",
    "file:///a%00b/one.rules",
    "file://[No Name]",
    "oil://[zz/one.rules",
    "file:///a\ud800b/one.rules",
    "untitled:one",
]


@pytest.mark.parametrize("uri", STRANGE)
def test_answers_name_an_open_text_as_the_editor_does(client: PlainClient, uri: str) -> None:
    client.open(uri, FAULTY)
    client.findings(uri)
    line = next(number for number, line in enumerate(GAME.split("\n")) if "do rest(player)" in line)
    column = GAME.split("\n")[line].index("rest")
    place: dict[str, Any] = {"textDocument": {"uri": uri}, "position": {"line": line, "character": column + 1}}
    assert client.request("textDocument/definition", place)["result"]["uri"] == uri
    found = client.request("textDocument/references", {**place, "context": {"includeDeclaration": True}})["result"]
    assert {one["uri"] for one in found} == {uri}
    client.change(uri, GAME, 2)
    client.findings(uri)
    renamed = client.request("textDocument/rename", {**place, "newName": "pause"})["result"]
    assert list(renamed["changes"]) == [uri]
    (item,) = client.request("textDocument/prepareCallHierarchy", place)["result"]
    assert item["uri"] == uri
    calls = client.request("callHierarchy/incomingCalls", {"item": item})["result"]
    assert {call["from"]["uri"] for call in calls} == {uri}
    symbols = client.request("workspace/symbol", {"query": "rest"})["result"]
    assert uri in {symbol["location"]["uri"] for symbol in symbols}
    client.send("textDocument/didClose", {"textDocument": {"uri": uri}})


@pytest.mark.parametrize("prefix", ["file://localhost", "FILE://LocalHost", "file://"])
def test_an_extended_game_is_found_and_named_under_each_spelling(
    client: PlainClient, prefix: str, tmp_path: Path
) -> None:
    folder = tmp_path / "citta\u0300 (x)"
    folder.mkdir()
    (folder / "hill.rules").write_text(GAME, encoding="utf-8")
    text = 'game "Valley"\n    extends "hill"\nafter rest: raise round by 1\n'
    uri, base = (f"{prefix}{folder}/{name}.rules".replace("\u0300", "%cc%80") for name in ("valley", "hill"))
    client.open(uri, text)
    assert [entry for entry in client.findings(uri) if entry["severity"] == 1] == []
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 7}}
    assert unquote(client.request("textDocument/definition", place)["result"]["uri"]).endswith("/hill.rules")
    client.open(base, GAME)
    client.findings(base)
    assert client.request("textDocument/definition", place)["result"]["uri"] == base
    renamed = client.request("textDocument/rename", {**place, "newName": "pause"})["result"]
    assert set(renamed["changes"]) == {uri, base}
    for each in (uri, base):
        client.send("textDocument/didClose", {"textDocument": {"uri": each}})


def test_a_rename_waits_until_an_extended_game_that_is_open_is_saved(client: PlainClient, tmp_path: Path) -> None:
    (tmp_path / "hill.rules").write_text(GAME, encoding="utf-8")
    uri, base = (f"file://{tmp_path}/{name}.rules" for name in ("valley", "hill"))
    client.open(base, f"# not saved\n{GAME}")
    client.findings(base)
    client.open(uri, 'game "Valley"\n    extends "hill"\nafter rest: raise round by 1\n')
    client.findings(uri)
    place = {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 7}, "newName": "pause"}
    assert "save hill.rules first" in client.request("textDocument/rename", place)["error"]["message"]
    client.change(base, GAME, 2)
    client.findings(base)
    assert set(client.request("textDocument/rename", place)["result"]["changes"]) == {uri, base}
    for each in (uri, base):
        client.send("textDocument/didClose", {"textDocument": {"uri": each}})


def test_a_refusal_is_an_answer_and_no_fault() -> None:
    client = started()
    client.open("untitled:x", GAME)
    place = {"textDocument": {"uri": "untitled:x"}, "position": {"line": 0, "character": 0}, "newName": "x"}
    assert client.request("textDocument/rename", place)["error"]["message"]
    client.request("shutdown", None)
    client.send("exit", None)
    _, said = client.process.communicate(timeout=HANG)
    assert b"Traceback" not in said


def test_a_request_after_shutdown_is_refused() -> None:
    client = started()
    client.request("shutdown", None)
    place = {"textDocument": {"uri": "untitled:x"}, "position": {"line": 0, "character": 0}}
    for method, params in (("textDocument/hover", place), ("shutdown", None)):
        assert client.request(method, params)["error"]["code"] == -32600
    client.send("exit", None)
    client.process.communicate(timeout=HANG)
    assert client.process.returncode == 0
