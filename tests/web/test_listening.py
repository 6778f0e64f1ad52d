"""The address that a command prints is where it hears, and a port that is taken is told with what to do."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from urllib.request import urlopen

import pytest

from rulekit.apps.commands import cli
from rulekit.apps.console import FOUND, INTERRUPTED, guarded
from rulekit.apps.listening import address, called, listening
from tests.paths import BOOKS, EXAMPLES, GAMES
from tests.processes import HANG, take_interrupts

GAME = str(GAMES / "fuzzy_tiger.rules")


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as other:
        yield int(other.getsockname()[1])


def test_any_free_port_is_printed_as_it_is() -> None:
    command = [sys.executable, "-m", "rulekit", "serve", GAME, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=take_interrupts) as running:
        assert running.stdout is not None
        told = re.search(r"http://127\.0\.0\.1:(\d+)/host/\S+", running.stdout.readline())
        assert told is not None
        assert int(told[1]) > 0
        # Asked at once: who is told an address may call there.
        with urlopen(told[0], timeout=HANG) as answer:
            assert answer.status == 200
        running.send_signal(signal.SIGINT)
        assert running.wait(HANG) == INTERRUPTED


BOOK = ["--book", str(BOOKS / "goat_path.it.md"), "--anchors", str(BOOKS / "goat_path.it.anchors")]
REVIEW = ["text", "review", str(EXAMPLES / "goat_path.rules"), *BOOK]


@pytest.mark.parametrize("command", [["serve", GAME], ["studio", GAME], REVIEW], ids=["serve", "studio", "review"])
def test_a_port_that_is_taken_is_told_with_a_hint(
    command: list[str], taken: int, capsys: pytest.CaptureFixture[str]
) -> None:
    code = guarded(lambda: cli([*command, "--port", str(taken)], standalone_mode=False), debug=False)
    out, err = capsys.readouterr()
    assert code == FOUND
    assert out == ""
    assert err == (
        f"error: port {taken} is taken by another program\n  hint: name another one, or --port 0 for any that is free\n"
    )


def test_a_host_that_is_elsewhere_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["serve", GAME, "--port", "0", "--host", "192.0.2.1"]
    assert guarded(lambda: cli(words, standalone_mode=False), debug=False) == FOUND
    assert "192.0.2.1 is no address of this machine\n  hint: 127.0.0.1 is" in capsys.readouterr().err


@pytest.mark.parametrize("host", ["", " ", "[]"])
def test_an_empty_host_is_refused(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It would mean every address of the machine."""
    words = ["serve", GAME, "--port", "0", "--host", host]
    assert guarded(lambda: cli(words, standalone_mode=False), debug=False) == FOUND
    assert "--host is empty" in capsys.readouterr().err


def test_a_public_address_is_printed_with_that_of_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["serve", GAME, "--port", "0", "--public-url", "games.example.org"]
    assert guarded(lambda: cli(words, standalone_mode=False), debug=False) == FOUND
    assert "it must begin with http:// or https://" in capsys.readouterr().err
    command = [sys.executable, "-m", "rulekit", *words[:-1], "https://games.example.org/t"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, preexec_fn=take_interrupts) as running:
        assert running.stdout is not None
        assert re.match(r"Begin matches at https://games\.example\.org/t/host/\S+\n", running.stdout.readline())
        assert re.match(r"The proxy calls http://127\.0\.0\.1:\d+\n", running.stdout.readline())
        running.send_signal(signal.SIGINT)
        assert running.wait(HANG) == INTERRUPTED


@pytest.mark.parametrize("host", ["::1", "[::1]"])
def test_an_address_of_version_six_stands_in_brackets(host: str) -> None:
    assert called(host) == "[::1]"
    with listening("127.0.0.1", 0) as heard:
        assert address(host, heard) == f"http://[::1]:{heard.getsockname()[1]}"
