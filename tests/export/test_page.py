"""What stands in an exported page, and what it may reach; the real Python only where its folder is named."""

from __future__ import annotations

import io
import os
import re
import zipfile
from base64 import b64decode, b64encode
from gzip import decompress
from hashlib import sha256, sha384
from pathlib import Path

import pytest
from click.testing import CliRunner

from rulekit.apps.commands import cli
from rulekit.export import browser_python
from rulekit.export.browser_python import INTEGRITY, ORIGIN, VERSION
from rulekit.export.bundle import START
from tests.extras import needs
from tests.paths import EXAMPLES, GAMES, ROOT

TIGER = GAMES / "fuzzy_tiger.rules"
MOST = 10_000_000
"""Bytes of a page: mail takes so much as an attachment."""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with files of the right names, which are no Python."""
    folder = tmp_path_factory.mktemp("python") / "py"
    folder.mkdir()
    for name in INTEGRITY:
        (folder / name).write_bytes(name.encode())
    with zipfile.ZipFile(folder / "python_stdlib.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("abc.py", "x = 1\n" * 100)
    return folder


@pytest.fixture(scope="module")
def tiger(python: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A page with that Python."""
    return exported(TIGER, tmp_path_factory.mktemp("tiger") / "game.html", "--pyodide", str(python))


def exported(rules: Path, page: Path, *options: str) -> str:
    ran = CliRunner().invoke(cli, ["export", str(rules), "-o", str(page), *options])
    assert ran.exit_code == 0, ran.output
    return page.read_text(encoding="utf-8")


def parts(page: str) -> dict[str, bytes]:
    """The files that stand in a page."""
    found = re.findall(r'<script type="application/octet-stream" data-name="([^"]+)">([^<]+)</script>', page)
    return {name: decompress(b64decode(text)) for name, text in found}


def archive(page: str) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(parts(page)["bundle.zip"]))


def policy(page: str) -> dict[str, str]:
    (text,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    words = text.replace("&#39;", "'").split("; ")
    return {name: rest for name, _, rest in (one.partition(" ") for one in words)}


def test_a_page_holds_python_and_the_rules_and_may_reach_nothing(tiger: str) -> None:
    assert set(parts(tiger)) == {*INTEGRITY, "bundle.zip"}
    assert parts(tiger)["pyodide.asm.wasm"] == b"pyodide.asm.wasm"
    assert zipfile.ZipFile(io.BytesIO(parts(tiger)["python_stdlib.zip"])).read("abc.py") == b"x = 1\n" * 100
    names = archive(tiger).namelist()
    wanted = {
        f"games/{TIGER.name}",
        "games/text/fuzzy_tiger.it.po",
        "games/text/fuzzy_tiger.de.po",
        "games/text/fuzzy_tiger.en.forms",
        "games/text/fuzzy_tiger.de.forms",
        "starlette/routing.py",
    }
    assert wanted | {f"{START.replace('.', '/')}.py", "rulekit/_data/grammar/rules.json"} <= set(names)
    assert not [name for name in names if name.startswith(("lark", "wasmtime", "rulekit/apps", "click"))]
    assert policy(tiger)["default-src"] == "'none'"
    assert policy(tiger)["connect-src"] == "data:"
    assert "https:" not in " ".join(policy(tiger).values())


def test_only_the_scripts_and_styles_that_stand_in_the_page_run(tiger: str) -> None:
    (script,), (style,) = (
        re.findall(r"<script>(.*?)</script>", tiger, re.S),
        re.findall(r"<style>(.*?)</style>", tiger, re.S),
    )
    for text, where in ((script, "script-src"), (style, "style-src")):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in policy(tiger)[where].split()
        assert "'unsafe-inline'" not in policy(tiger)[where]
        assert "'unsafe-eval'" not in policy(tiger)[where].split()


def test_a_page_without_python_says_where_it_takes_it_from_and_reaches_only_that(tmp_path: Path) -> None:
    page = exported(TIGER, tmp_path / "game.html", "--lang", "it")
    assert len(page) < 2_000_000
    taken = dict(re.findall(r'data-from="([^"]+)" data-is="([^"]+)"', page))
    assert taken == {f"{ORIGIN}/npm/pyodide@{VERSION}/{name}": digest for name, digest in INTEGRITY.items()}
    assert policy(page)["connect-src"] == f"data: {ORIGIN}"
    assert f"prende il suo Python da {ORIGIN}" in page
    assert '<html lang="it">' in page


def test_the_same_rules_give_the_same_page(tiger: str, python: Path, tmp_path: Path) -> None:
    assert exported(TIGER, tmp_path / "game.html", "--pyodide", str(python)) == tiger


def test_a_variant_goes_with_what_it_extends_and_its_title_is_text(python: Path, tmp_path: Path) -> None:
    variant = tmp_path / "variant.rules"
    variant.write_text('game "</title><script>alert(1)</script>"\n    extends "magpies"\n', encoding="utf-8")
    (tmp_path / "magpies.rules").write_bytes((EXAMPLES / "magpies.rules").read_bytes())
    page = exported(variant, tmp_path / "game.html", "--pyodide", str(python))
    assert {"games/variant.rules", "games/magpies.rules"} <= set(archive(page).namelist())
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


def test_a_folder_without_python_is_told(python: Path, tmp_path: Path) -> None:
    (python / "pyodide.asm.wasm").unlink()
    ran = CliRunner().invoke(cli, ["export", str(TIGER), "-o", str(tmp_path / "game.html"), "--pyodide", str(python)])
    assert ran.exit_code == 1
    assert "holds no whole Pyodide; missing: pyodide.asm.wasm" in str(ran.exception)
    assert not (tmp_path / "game.html").exists()


def test_the_version_is_the_one_that_is_tested() -> None:
    assert f"pyodide@{VERSION}" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@needs("pyodide")
def test_what_pages_take_from_the_network_is_what_is_tested() -> None:
    folder = Path(os.environ["RULEKIT_PYODIDE"], "node_modules", "pyodide")
    made = {name: sha384((folder / name).read_bytes()).digest() for name in INTEGRITY}
    assert {name: f"sha384-{b64encode(digest).decode()}" for name, digest in made.items()} == INTEGRITY


@needs("pyodide")
@pytest.mark.parametrize("rules", sorted(GAMES.glob("*.rules")), ids=lambda path: path.stem)
def test_a_whole_page_can_be_sent_by_mail(rules: Path, tmp_path: Path) -> None:
    page = exported(rules, tmp_path / "game.html", "--pyodide", os.environ["RULEKIT_PYODIDE"])
    assert len(page.encode()) <= MOST
    assert browser_python.ORIGIN not in page
