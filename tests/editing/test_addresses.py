"""The language server's addresses, malformed requests and ways to end, spoken to in plain JSON over its pipes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

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
