"""The file of a studio: saved whole or not at all, and never over what others have written."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from rulekit import library, limits
from rulekit.studio.rules_file import Conflict, RulesFile, TooLong


def made(folder: Path, content: bytes = b"one\n") -> tuple[Path, RulesFile]:
    path = folder / "a.rules"
    path.write_bytes(content)
    return path, RulesFile(str(path))


def test_a_text_is_saved(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.chmod(0o640)
    file.save("two\n")
    assert path.read_bytes() == b"two\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["a.rules"]
    assert file.news() == (False, "two\n")


def test_what_is_saved_is_no_news_while_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "own.rules"
    path.write_text("one\n")
    file, told = RulesFile(str(path)), list[tuple[bool, str | None]]()
    looking = Thread(target=lambda: told.append(file.news()))
    replace = library.replace

    def looked_at(name: str, data: bytes) -> None:
        replace(name, data)
        looking.start()
        looking.join(0.2)

    monkeypatch.setattr(library, "replace", looked_at)
    file.save("two\n")
    looking.join()
    assert told == [(False, "two\n")]


def test_what_others_wrote_is_not_lost(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.write_bytes(b"theirs\n")
    with pytest.raises(Conflict):
        file.save("mine\n")
    assert path.read_bytes() == b"theirs\n"
    file.save("mine\n", over=True)
    assert path.read_bytes() == b"mine\n"


def test_who_takes_what_others_wrote_may_save_again(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.write_bytes(b"theirs\n")
    assert file.news() == (True, "theirs\n")
    assert file.news() == (False, "theirs\n")
    file.taken("theirs\n")
    file.save("both\n")
    assert path.read_bytes() == b"both\n"


def test_a_file_that_is_gone_is_told_once_and_made_again(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.unlink()
    assert file.news() == (True, None)
    assert file.news() == (False, None)
    file.save("one\n")
    assert path.read_bytes() == b"one\n"


def test_line_ends_stay_as_they_are(tmp_path: Path) -> None:
    path, file = made(tmp_path, b"one\r\ntwo\r\n")
    file.save(file.known + "three\n")
    assert path.read_bytes() == b"one\r\ntwo\r\nthree\r\n"


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    path, _ = made(tmp_path)
    link = tmp_path / "link.rules"
    link.symlink_to(path)
    RulesFile(str(link)).save("two\n")
    assert link.is_symlink()
    assert path.read_bytes() == b"two\n"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, file = made(tmp_path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(library.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        file.save("two\n")
    assert path.read_bytes() == b"one\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.rules"]


def test_what_cannot_be_read_is_not_written_over_unasked(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.write_bytes(b"\xff\xfe theirs")
    assert file.news() == (True, None)
    with pytest.raises(Conflict):
        file.save("mine\n")
    assert path.read_bytes() == b"\xff\xfe theirs"
    file.save("mine\n", over=True)
    assert path.read_bytes() == b"mine\n"


def test_where_a_folder_came_nothing_is_lost(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.unlink()
    path.mkdir()
    assert file.news() == (True, None)
    with pytest.raises(OSError, match="directory"):
        file.save("mine\n", over=True)
    assert [each.name for each in tmp_path.iterdir()] == ["a.rules"]


def test_a_text_that_nothing_would_read_again_is_not_saved(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    for text in ("\u00e4" * (limits.FILE_BYTES // 2) + "x", "x" * (limits.FILE_BYTES + 1)):
        with pytest.raises(TooLong):
            file.save(text, over=True)
    assert path.read_bytes() == b"one\n"
    file.save("x" * limits.FILE_BYTES)
    assert library.read(path).text == "x" * limits.FILE_BYTES


def test_of_two_studios_on_one_file_neither_writes_over_the_other(tmp_path: Path) -> None:
    path, first = made(tmp_path)
    second = RulesFile(str(path))
    first.save("first\n")
    with pytest.raises(Conflict):
        second.save("second\n")
    assert second.news() == (True, "first\n")
    second.taken("first\n")
    second.save("both\n")
    assert first.news() == (True, "both\n")
    with pytest.raises(Conflict):
        first.save("first again\n")
    assert path.read_bytes() == b"both\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file here that never ends")
def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(library.Unreadable):
        RulesFile("/dev/zero")
    path, file = made(tmp_path)
    path.unlink()
    path.symlink_to("/dev/zero")
    assert file.news() == (True, None)
    path.unlink()
    path.write_bytes(b"#" * (limits.FILE_BYTES + 1))
    assert file.news() == (False, None), "still nothing that can be edited"
    assert file.known
