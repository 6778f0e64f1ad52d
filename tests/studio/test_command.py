"""`rulekit studio`: which file it opens, and under which address."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulekit import library, user_cache
from rulekit.apps.console import Failed
from rulekit.apps.listening import page_key
from rulekit.apps.pages import studio as command
from tests.paths import GAMES


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which the command is called."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(user_cache.FOLDER, str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.parametrize("name", ["foxy", "foxy.rules", "games/foxy"])
def test_a_game_that_ships_is_opened_as_a_copy(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command._editable(name) == ("foxy.rules", True)
    assert (folder / "foxy.rules").read_bytes() == (GAMES / "foxy.rules").read_bytes()
    assert "foxy ships with rulekit and stays as it is: copied to foxy.rules" in capsys.readouterr().err
    assert library.catalogue("foxy.rules", "de") == GAMES / "text" / "foxy.de.po"


def test_a_copy_that_is_there_already_is_gone_on_with(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "foxy.rules").write_text("mine\n", "utf-8")
    assert command._editable("foxy") == ("foxy.rules", True)
    assert (folder / "foxy.rules").read_text("utf-8") == "mine\n"
    assert "going on with foxy.rules in this folder" in capsys.readouterr().err


def test_a_file_of_the_installed_package_is_copied_whatever_its_path(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    installed = folder / "site" / "rulekit" / "_data" / "games" / "foxy.rules"
    installed.parent.mkdir(parents=True)
    installed.write_text("shipped\n", "utf-8")
    monkeypatch.setattr(library, "__file__", str(folder / "site" / "rulekit" / "library.py"))
    (folder / "link.rules").symlink_to(installed)
    for path in (str(installed), "link.rules"):
        assert command._editable(path) == ("foxy.rules", True)
        assert not (folder / "foxy.rules").is_symlink()
        (folder / "foxy.rules").unlink()
    (folder / "foxy.rules").symlink_to(installed)
    with pytest.raises(Failed, match="another folder"):
        command._editable(str(installed))
    assert installed.read_text("utf-8") == "shipped\n"


def test_any_other_file_is_opened_where_it_is(folder: Path) -> None:
    (folder / "mine.rules").write_text("mine\n", "utf-8")
    for path in ("mine.rules", str(folder / "mine.rules")):
        assert command._editable(path) == (path, False)


@pytest.mark.parametrize(
    ("name", "hint"),
    [("race.rules", "`rulekit new race`"), ("My race", "`rulekit new my_game`"), ("foxi", "did you mean `foxy`?")],
)
def test_where_there_is_no_file_it_is_told_how_to_begin(name: str, hint: str, folder: Path) -> None:
    with pytest.raises(Failed, match="there is no such file") as failed:
        command._editable(name)
    assert hint in str(failed.value)
    assert not list(folder.glob("*.rules"))


def test_a_studio_that_begins_again_has_the_same_address_for_the_same_file(folder: Path) -> None:
    keys = {page_key("studio", path) for path in ("a.rules", "./a.rules", str(folder / "a.rules"))}
    assert len(keys) == 1
    assert not keys & {page_key("studio", "b.rules"), page_key("review", "a.rules")}
    [secret] = (folder / "cache").iterdir()
    assert secret.stat().st_mode & 0o777 == 0o600
    secret.chmod(0o644)
    assert page_key("studio", "a.rules") not in keys, "others may have read it"
    assert secret.stat().st_mode & 0o777 == 0o600


def test_where_nothing_may_be_kept_each_studio_has_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(user_cache.FOLDER, "")
    assert page_key("studio", "a.rules") != page_key("studio", "a.rules")
