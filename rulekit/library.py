"""The only reader of grammar, rules files and logs, and the only writer of logs and of rules that are edited.

Finds what ships with the package, both in an installed wheel and in a
checkout, and turns bytes into text.  Knows nothing of what a text means.
"""

from __future__ import annotations

import os
import re
import stat
from functools import cache
from pathlib import Path
from typing import Literal

from rulekit import limits
from rulekit.diagnostics import Diagnostic, nearest, render
from rulekit.errors import BadInput
from rulekit.source import Source, Span

LANGUAGE = re.compile(r"[a-z]{2,3}(_[A-Z][a-z]{3})?(_([A-Z]{2}|[0-9]{3}))?(@[a-z]+)?")
"""A code as gettext writes it: `it`, `pt_BR`, `sr@latin`."""
_XML_ENCODING = re.compile(rb"""\s*<\?xml[^>]*encoding=["']([A-Za-z0-9-]+)""")
_PO_CHARSET = re.compile(rb"""^[^#\n]*Content-Type:[^"\n]*?charset=([A-Za-z0-9_.:-]+)""", re.IGNORECASE | re.MULTILINE)
_CHARSETS = re.compile(r"(?!utf-?8)(iso|windows|cp|koi8|euc|big5|gb|shift|utf|tis|johab|mac)", re.IGNORECASE)
"""Names of the character sets that `msgfmt` converts from, by their beginnings."""
_OF_MESSAGES = ("LC_ALL", "LC_MESSAGES", "LANG")
"""The variables of POSIX that say in which language somebody reads, the strongest first."""
GAME_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
"""What a new rules file may be called, without its ending."""
_BASE_NAME = re.compile(r"[a-z0-9_-]{1,64}")


class Unreadable(BadInput):
    """A file that cannot be read as rules text; carries the finding, and its text is what a person should read."""

    def __init__(self, finding: Diagnostic) -> None:
        super().__init__(render(finding, {}))
        self.finding = finding

    def report(self) -> str:
        return str(self)


ABSENT = (ImportError, OSError, RuntimeError, MemoryError)
"""What an import raises where a package is missing or cannot start: a wheel made for other machines raises
RuntimeError, a shared library that cannot be loaded OSError."""


class NoPackage(BadInput):
    """A package that is needed for something is not installed; the text says how to get it."""


def _shipped(folder: str) -> Path:
    """Where `folder` lies: inside the installed package, or at the top of the checkout."""
    package = Path(__file__).parent
    installed = package / "_data" / folder
    return installed if installed.is_dir() else package.parent / folder


def grammar() -> str:
    return (_shipped("grammar") / "rules.lark").read_text(encoding="utf-8")


def grammar_tables() -> str:
    """The tables that were made of the grammar when the package was built, as JSON; "" where there are none."""
    path = _shipped("grammar") / "rules.json"
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def template(name: str) -> str:
    """The text of a page's template."""
    return (Path(__file__).parent / "templates" / name).read_text(encoding="utf-8")


def reference() -> str:
    """The page of the language reference, in Markdown."""
    return (_shipped("docs") / "language.md").read_text(encoding="utf-8")


def templates() -> list[str]:
    """The names of all templates of pages."""
    return sorted(path.name for path in (Path(__file__).parent / "templates").glob("*.j2"))


def games() -> Path:
    """The folder of the games that ship."""
    return _shipped("games")


def shipped(name: str) -> Path | None:
    """The game that ships under a name: `NAME`, `NAME.rules` or `games/NAME.rules`; None if there is none."""
    path = Path(name)
    stem = path.name.removesuffix(".rules")
    if path.parent not in (Path(), Path("games")) or not _BASE_NAME.fullmatch(stem):
        return None
    found = games() / f"{stem}.rules"
    return found if found.is_file() else None


def is_installed(path: str | os.PathLike[str]) -> bool:
    """Whether a file lies in the installed package; a checkout is somebody's own folder."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(Path(__file__).parent))


def shipped_games() -> list[Path]:
    """The rules files of all games that ship, by their names."""
    return sorted(games().glob("*.rules"))


def read(path: str | os.PathLike[str]) -> Source:
    """The text of a rules file, or of a game that ships by its bare name where no such file is.

    Errors: `Unreadable` with a finding that names the file.
    """
    name = os.fspath(path)
    if name.isidentifier() and not os.path.lexists(name) and (found := shipped(name)) is not None:
        name = str(found)
    return decode(name, _bytes(name))


def is_there(path: str | os.PathLike[str]) -> bool:
    """Whether anything stands at a path, be it readable or not."""
    return os.path.lexists(path)


def replace(path: str | os.PathLike[str], content: bytes) -> None:
    """Put bytes into a file, whole or not at all: written beside it and put in its place in one step.

    A link keeps pointing to it, and its rights stay; one that is gone is made.
    Errors: `OSError`; the file is as it was then.
    """
    import tempfile  # Seldom needed, and with it much else.

    target = os.path.realpath(path)
    handle, part = tempfile.mkstemp(prefix=".", suffix=".new", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(part, os.stat(target).st_mode & 0o7777 if os.path.exists(target) else 0o644)
        os.replace(part, target)
    except BaseException:
        os.unlink(part)
        raise


def write_whole(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file whole or not at all; a pipe or a device is written to as it is.

    Errors: `OSError` that names the file.
    """
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            with open(path, "wb") as stream:
                stream.write(data)
        else:
            replace(path, data)
    except OSError as fault:
        raise OSError(fault.errno, fault.strerror, os.fspath(path)) from None


def read_unchanged(path: str | os.PathLike[str]) -> str:
    """Return the text of a file with its line ends and its byte order mark.  Errors: `Unreadable`."""
    name = os.fspath(path)
    data = _bytes(name)
    decode(name, data)
    return data.decode("utf-8")


def ends_in_crlf(path: str | os.PathLike[str]) -> bool:
    """Whether the lines of a file end as they do on Windows.  Errors: `Unreadable`."""
    return _bytes(os.fspath(path)).partition(b"\n")[0].endswith(b"\r")


def find_base(name: str, beside: str) -> Path | None:
    """The file that `extends "name"` means: beside the file that says it, then among the games that ship."""
    if not _BASE_NAME.fullmatch(name):
        return None
    candidates = (Path(beside).parent / f"{name}.rules", games() / f"{name}.rules")
    # A link could lead out of the folder, to any file whose lines findings would then show.
    return next((path for path in candidates if path.is_file() and not path.is_symlink()), None)


def bases(beside: str) -> list[str]:
    """The names of all games that a file may extend: those beside it, then those that ship."""
    folders = (Path(beside).parent, games())
    found = (path.name.removesuffix(".rules") for folder in folders for path in sorted(folder.glob("*.rules")))
    return [name for name in dict.fromkeys(found) if _BASE_NAME.fullmatch(name) and name != Path(beside).stem]


def catalogue(rules: str, language: str) -> Path | None:
    """The translations of a rules file: in `text` beside it, or beside the games that ship if it is one of them."""
    return _companion(rules, f"{language}.po") if LANGUAGE.fullmatch(language) else None


def edition(rules: str) -> Path | None:
    """The order in which the clauses of a rules file are read, beside its translations."""
    return _companion(rules, "edition")


def forms(rules: str, language: str) -> Path | None:
    """How a language says what happens in a game, where names alone make no good sentence; beside its translations."""
    return _companion(rules, f"{language}.forms") if LANGUAGE.fullmatch(language) else None


def glossary(rules: str, language: str) -> Path | None:
    """The words of a language for the terms of a rules file, beside its translations."""
    return _companion(rules, f"{language}.glossary") if LANGUAGE.fullmatch(language) else None


def _companion(rules: str, ending: str) -> Path | None:
    """A file that goes by the name of a rules file, in `text` beside it or beside the games that ship."""
    stem = Path(rules).name.removesuffix(".rules")
    folders = (Path(rules).parent, games()) if (games() / f"{stem}.rules").is_file() else (Path(rules).parent,)
    candidates = (folder / "text" / f"{stem}.{ending}" for folder in folders)
    return next((path for path in candidates if path.is_file() and not path.is_symlink()), None)


def companions(rules: str) -> list[Path]:
    """The files in `text` beside a rules file that go by its name: catalogues, anchors and the like."""
    path = Path(rules)
    found = path.parent.joinpath("text").glob(f"{path.name.removesuffix('.rules')}.*")
    return sorted(each for each in found if each.is_file() and not each.is_symlink())


def phrase_catalogue(language: str) -> Path | None:
    """The translations of what the engine itself says."""
    path = Path(__file__).parent / "text" / f"{language}.po"
    return path if LANGUAGE.fullmatch(language) and path.is_file() else None


def own_language() -> str:
    """The language of the environment, if the engine speaks it; else English."""
    written = next((os.environ[name] for name in _OF_MESSAGES if os.environ.get(name)), "")
    language = re.split(r"[_.@]", written)[0]
    return language if phrase_catalogue(language) is not None else "en"


def claim_words(language: str) -> Source:
    """The words of a language by which a text claims something beside numbers; empty where there is no table."""
    path = Path(__file__).parent / "text" / f"{language}.words"
    return read(path) if LANGUAGE.fullmatch(language) and path.is_file() else Source(path.name, "")


@cache
def languages() -> tuple[str, ...]:
    """Those that the engine itself speaks, beside English."""
    return tuple(sorted(path.stem for path in (Path(__file__).parent / "text").glob("*.po")))


def read_catalogue(path: str | os.PathLike[str]) -> Source:
    """The text of a PO file; raises `Unreadable` with a finding that names file and line."""
    name = os.fspath(path)
    data = _bytes(name, limits.CATALOGUE_BYTES, in_folder="name a file in it")
    source = decode(name, data)
    declared = _PO_CHARSET.search(data)
    if declared is not None and not _is_decoded_alike(data, declared[1].decode()):
        title = f"the header says that this file is in `{declared[1].decode()}`, and its bytes are UTF-8"
        raise unreadable(name, "not-utf-8", title, "save the file as UTF-8, with `charset=UTF-8` in its header")
    return source


def _is_decoded_alike(data: bytes, charset: str) -> bool:
    """Return whether bytes are the same text in a character set of gettext as in UTF-8."""
    if not _CHARSETS.match(charset):
        return True
    try:
        return data.decode(charset) == data.decode()
    except LookupError:
        return True
    except ValueError:
        return False


def read_xml(path: str | os.PathLike[str]) -> Source:
    """The text of an XML file in UTF-8, UTF-16 or the encoding that its first line names; raises `Unreadable`."""
    name = os.fspath(path)
    data = _bytes(name, limits.CATALOGUE_BYTES, in_folder="name a file in it")
    declared = _XML_ENCODING.match(data)
    encoding = declared[1].decode().lower() if declared else ""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    if encoding not in ("utf-16", "iso-8859-1", "windows-1252"):
        return decode(name, data)
    try:
        return Source(name, data.decode(encoding).replace("\r\n", "\n"))
    except UnicodeDecodeError:
        raise unreadable(name, "not-utf-8", f"this file is not {encoding}", "save the file as UTF-8") from None


def read_document(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a document that a word processor or a layout program made; raises `Unreadable`."""
    return _bytes(os.fspath(path), limits.DOCUMENT_BYTES, in_folder="name a file in it")


def write_new(path: str | os.PathLike[str], content: bytes) -> None:
    """A new file; raises `Unreadable` if there is one already, or where none can be written."""
    name = os.fspath(path)
    try:
        with open(name, "xb") as handle:
            try:
                handle.write(content)
                handle.flush()
            except OSError:
                os.unlink(name)
                raise
    except FileExistsError:
        raise unreadable(name, "file-exists", "there is a file already", "name a new one, or move it") from None
    except (OSError, ValueError) as fault:
        raise unreadable(name, "unwritable-file", f"this file cannot be written: {_reason(fault)}") from None


def read_log(path: str | os.PathLike[str]) -> bytes:
    """The bytes of a log; raises `Unreadable`."""
    return _bytes(os.fspath(path), limits.LOG_BYTES, in_folder="name a log in it")


class LogFile:
    """A file to which finished lines are added; every line is with the system before `put` returns.

    mode:  "xb" for a new file; "r+b" for one that is there, which nobody else writes on from then on, and in which
           `keep` says where it goes on.

    has_content: whether a line was written; a new file that takes not even the first is deleted.
    """

    def __init__(self, path: str | os.PathLike[str], mode: Literal["xb", "r+b"] = "xb") -> None:
        """Raises `Unreadable` if there is a file already, if there is none, or if another process writes it."""
        self.name = os.fspath(path)
        self.has_content = mode == "r+b"
        try:
            self._handle = open(self.name, mode, buffering=0)  # noqa: SIM115
            self._alone()
        except FileExistsError:
            hint = "name a new one, or move it"
            raise unreadable(self.name, "file-exists", "there is a file already", hint) from None
        except BlockingIOError:
            self._handle.close()
            raise unreadable(self.name, "log-in-use", "this match is being played by another process") from None
        except (OSError, ValueError) as fault:
            raise unreadable(self.name, "unwritable-file", f"no log can be written here: {_reason(fault)}") from None

    def keep(self, size: int) -> None:
        """The first `size` bytes stand, and end as a line does; behind them it goes on."""
        self._handle.truncate(size)
        self._handle.seek(max(size - 1, 0))
        if self._handle.read(1) not in (b"", b"\n"):
            self.put(b"\n")

    def written(self) -> bytes:
        """All that is there; read through this handle, since the lock goes when any other of this process is closed."""
        self._handle.seek(0)
        return self._handle.read(limits.LOG_BYTES + 1)

    def _alone(self) -> None:
        """No other process writes it.  Errors: `BlockingIOError`; none where a system has no such locks."""
        try:
            import fcntl
        except ImportError:  # Windows, or a browser.
            return
        fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def put(self, line: bytes) -> None:
        """Add a line whole; raises `OSError` naming the file if the disk does not take it."""
        try:
            while line:
                line = line[self._handle.write(line) :]
            self.has_content = True
        except OSError as fault:
            if not self.has_content:
                self.close()
                os.unlink(self.name)
            raise OSError(fault.errno, fault.strerror, self.name) from None

    def close(self) -> None:
        self._handle.close()


def new_log(path: str | os.PathLike[str]) -> LogFile:
    """The same for who calls from Python.  Errors: `FileExistsError`, or another `OSError`."""
    try:
        return LogFile(path)
    except Unreadable as fault:
        kind = FileExistsError if fault.finding.code == "file-exists" else OSError
        raise kind(f"{os.fspath(path)}: {fault.finding.title}") from None


def _bytes(name: str, limit: int = limits.FILE_BYTES, *, in_folder: str = "name a .rules file in it") -> bytes:
    """in_folder: the hint where the name is that of a folder."""
    try:
        with open(name, "rb", opener=_without_waiting) as handle:
            mode = os.fstat(handle.fileno()).st_mode
            if not stat.S_ISREG(mode):
                raise unreadable(name, "not-a-file", "this is not a regular file")
            data = handle.read(limit + 1)
    except FileNotFoundError:
        raise unreadable(name, "no-such-file", "there is no such file", _shipped_hint(name)) from None
    except IsADirectoryError:
        raise unreadable(name, "not-a-file", "this is a folder, not a file", in_folder) from None
    except (OSError, ValueError) as fault:
        raise unreadable(name, "unreadable-file", f"this file cannot be read: {_reason(fault)}") from None
    if len(data) > limit:
        raise unreadable(name, "file-too-large", f"this file is larger than {limit // 1024} KiB")
    return data


def _shipped_hint(name: str) -> str:
    """Which game that ships may have been meant; "" if none is called alike."""
    return nearest(Path(name).name.removesuffix(".rules"), [path.stem for path in shipped_games()])


def _without_waiting(name: str, flags: int) -> int:
    """Open even a pipe that nobody writes to at once, to find that it is none of ours."""
    return os.open(name, flags | getattr(os, "O_NONBLOCK", 0))


def _reason(fault: Exception) -> str:
    return (fault.strerror or "unknown fault").lower() if isinstance(fault, OSError) else str(fault)


def unreadable(name: str, code: str, title: str, hint: str = "") -> Unreadable:
    """What to raise about a whole file."""
    return Unreadable(Diagnostic(code, title, Span(name, 0, 0, 0, 0), hint=hint))


def decode(name: str, data: bytes) -> Source:
    """UTF-8 text with one byte-order mark dropped and CRLF read as LF; raises `Unreadable`."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or 4 * data[:400].count(0) > len(data[:400]):
        raise unreadable(name, "not-utf-8", "this file is UTF-16, not UTF-8", "save the file as UTF-8")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        before = data[: fault.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        title = f"byte 0x{data[fault.start]:02X} is not UTF-8"
        place = Span(name, line, column, line, column + 1)
        raise Unreadable(Diagnostic("not-utf-8", title, place, hint="save the file as UTF-8")) from None
    return Source(name, text.replace("\r\n", "\n"))
