"""The file of a studio: saved whole or not at all, and never over what others have written."""

from __future__ import annotations

from pathlib import Path
from threading import Thread

import pytest

from rulekit import library, limits
from rulekit.studio.rules_file import GONE, UNREADABLE, Conflict, FileState, RulesFile, TooLong, version_of


def made(folder: Path, content: bytes = b"one\n") -> tuple[Path, RulesFile]:
    path = folder / "a.rules"
    path.write_bytes(content)
    return path, RulesFile(str(path))


def test_a_text_is_saved(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.chmod(0o640)
    saved = file.save("two\n", file.state.version)
    assert path.read_bytes() == b"two\n"
    assert path.stat().st_mode & 0o777 == 0o640
    assert [each.name for each in tmp_path.iterdir()] == ["a.rules"]
    assert file.look() == saved


def test_who_looks_while_a_text_is_saved_sees_it_as_it_was_saved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, file = made(tmp_path)
    changes = list[FileState]()
    file.on_change = changes.append
    looking = Thread(target=file.look)
    replace = library.replace

    def looked_at(name: str, data: bytes) -> None:
        replace(name, data)
        looking.start()
        looking.join(0.2)

    monkeypatch.setattr(library, "replace", looked_at)
    saved = file.save("two\n", file.state.version)
    looking.join()
    assert changes == [saved]
    assert path.read_bytes() == b"two\n"


def test_a_save_is_refused_where_the_file_holds_another_version_than_was_read(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    read = file.state.version
    path.write_bytes(b"theirs\n")
    with pytest.raises(Conflict) as refused:
        file.save("mine\n", read)
    assert path.read_bytes() == b"theirs\n"
    assert refused.value.state.text == "theirs\n"
    path.write_bytes(b"theirs again\n")
    with pytest.raises(Conflict):
        file.save("mine\n", refused.value.state.version)
    assert path.read_bytes() == b"theirs again\n", "only a version that was shown is written over"
    file.save("mine\n", version_of("theirs again\n"))
    assert path.read_bytes() == b"mine\n"


def test_of_two_who_read_the_same_version_the_later_save_is_refused(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    read = file.state.version
    file.save("first\n", read)
    with pytest.raises(Conflict):
        file.save("second\n", read)
    assert path.read_bytes() == b"first\n"
    assert file.save("first\n", read) == file.state, "the same text twice is no conflict"


def test_each_change_of_the_file_is_told_once(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    changes = list[FileState]()
    file.on_change = changes.append
    path.write_bytes(b"theirs\n")
    assert file.look() == file.look() == FileState("theirs\n", version_of("theirs\n"), 2)
    path.unlink()
    assert file.look() == file.look() == FileState(None, GONE, 3)
    assert [state.serial for state in changes] == [2, 3]


def test_a_file_that_is_gone_is_made_again(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.unlink()
    file.save("one\n", file.state.version)
    assert path.read_bytes() == b"one\n"


def test_line_ends_stay_as_they_are(tmp_path: Path) -> None:
    path, file = made(tmp_path, b"one\r\ntwo\r\n")
    text = file.state.text
    assert text is not None
    file.save(text + "three\n", file.state.version)
    assert path.read_bytes() == b"one\r\ntwo\r\nthree\r\n"
    path.write_bytes(b"one\ntwo\nfour\n")
    file.save("one\n", file.look().version)
    assert path.read_bytes() == b"one\n", "as they are by now"


def test_lines_that_nobody_touched_stay_byte_for_byte(tmp_path: Path) -> None:
    path, file = made(tmp_path, b"\xef\xbb\xbfone\r\ntwo\nthree\n")
    assert file.state.text == "one\ntwo\nthree\n"
    saved = file.save("one\ntwo\n2\nthree\n", file.state.version)
    assert path.read_bytes() == b"\xef\xbb\xbfone\r\ntwo\n2\nthree\n"
    assert file.look() == saved


def test_carriage_returns_inside_lines_are_counted_and_become_line_ends(tmp_path: Path) -> None:
    """As an editor shows them."""
    path, file = made(tmp_path, b"# x\ry\r\n# z\r\n")
    assert (file.state.text, file.state.returns) == ("# x\ny\n# z\n", 1)
    saved = file.save("# x\ny\n# z\n", file.state.version)
    assert path.read_bytes() == b"# x\r\ny\r\n# z\r\n"
    assert saved.returns == 0
    assert file.look() == saved


def test_a_text_is_too_long_with_its_line_ends(tmp_path: Path) -> None:
    path, file = made(tmp_path, b"one\r\n")
    with pytest.raises(TooLong):
        file.save("\n" * limits.FILE_BYTES, file.state.version)
    assert path.read_bytes() == b"one\r\n"


def test_a_link_keeps_pointing_to_its_file(tmp_path: Path) -> None:
    path, _ = made(tmp_path)
    link = tmp_path / "link.rules"
    link.symlink_to(path)
    RulesFile(str(link)).save("two\n", version_of("one\n"))
    assert link.is_symlink()
    assert path.read_bytes() == b"two\n"


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, file = made(tmp_path)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(library.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        file.save("two\n", file.state.version)
    assert path.read_bytes() == b"one\n"
    assert [each.name for each in tmp_path.iterdir()] == ["a.rules"]


def test_what_cannot_be_read_is_not_written_over_unasked(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    read = file.state.version
    path.write_bytes(b"\xff\xfe theirs")
    with pytest.raises(Conflict) as refused:
        file.save("mine\n", read)
    assert (refused.value.state.text, refused.value.state.version) == (None, UNREADABLE)
    assert path.read_bytes() == b"\xff\xfe theirs"
    file.save("mine\n", UNREADABLE)
    assert path.read_bytes() == b"mine\n"


def test_where_a_folder_came_nothing_is_lost(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    path.unlink()
    path.mkdir()
    assert file.look().version == UNREADABLE
    with pytest.raises(OSError, match="directory"):
        file.save("mine\n", UNREADABLE)
    assert [each.name for each in tmp_path.iterdir()] == ["a.rules"]


def test_a_text_that_nothing_would_read_again_is_not_saved(tmp_path: Path) -> None:
    path, file = made(tmp_path)
    for text in ("\u00e4" * (limits.FILE_BYTES // 2) + "x", "x" * (limits.FILE_BYTES + 1)):
        with pytest.raises(TooLong):
            file.save(text, file.state.version)
    assert path.read_bytes() == b"one\n"
    file.save("x" * limits.FILE_BYTES, file.state.version)
    assert library.read(path).text == "x" * limits.FILE_BYTES


def test_of_two_studios_on_one_file_neither_writes_over_the_other(tmp_path: Path) -> None:
    path, first = made(tmp_path)
    second = RulesFile(str(path))
    first.save("first\n", first.state.version)
    with pytest.raises(Conflict):
        second.save("second\n", version_of("one\n"))
    second.save("both\n", second.look().version)
    with pytest.raises(Conflict):
        first.save("first again\n", version_of("first\n"))
    assert path.read_bytes() == b"both\n"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there is no file here that never ends")
def test_what_never_ends_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(library.Unreadable):
        RulesFile("/dev/zero")
    path, file = made(tmp_path)
    path.unlink()
    path.symlink_to("/dev/zero")
    assert file.look().text is None
    path.unlink()
    path.write_bytes(b"#" * (limits.FILE_BYTES + 1))
    assert file.look().text is None, "still nothing that can be edited"
