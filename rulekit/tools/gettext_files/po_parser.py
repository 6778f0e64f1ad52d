"""Parse PO files as gettext does (`msgfmt`), entry by entry.

An entry that cannot be read becomes a fault with its line; the others are read nevertheless.  Blanks between keyword,
index and text, several texts on a line, octal and hexadecimal escapes are all allowed, as they are in gettext.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulekit.errors import RulekitError
from rulekit.tools.gettext_files.line_breaks import has_line_breaks, replace_line_breaks
from rulekit.values import define, field, frozen

_TOKEN = re.compile(r'\s*(?:(?P<word>[A-Za-z_]+)|(?P<index>\[\s*\d{1,3}\s*\])|"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)")')
_ESCAPE = re.compile(r"((?:\\[0-7]{1,3}|\\x[0-9A-Fa-f]+)+)|\\(.?)")
_BYTE = re.compile(r"\\(?:x([0-9A-Fa-f]+)|([0-7]+))")
_SIMPLE = {"n": "\n", "t": "\t", "b": "\b", "r": "\r", "f": "\f", "v": "\v", "a": "\a", "\\": "\\", '"': '"'}
_OCCURRENCE = re.compile(r"(.+):(\d+)")


@frozen
class PoFault:
    """What is wrong at a line of a PO file."""

    line: int
    text: str


@define
class PoEntry:
    """One entry.

    line:       where it begins, comments included; msgstr_line: where its translation begins.
    msgstr:     by plural form; without a plural the form is 0.
    has_breaks: whether line separators of other programs became blanks.
    """

    line: int
    msgstr_line: int = 0
    msgctxt: str | None = None
    msgid: str | None = None
    msgid_plural: str | None = None
    msgstr: dict[int, str] = field(factory=dict)
    is_indexed: bool = False
    previous: dict[str, str] = field(factory=dict)
    remarks: list[str] = field(factory=list)
    notes: list[str] = field(factory=list)
    occurrences: list[tuple[str, str]] = field(factory=list)
    flags: list[str] = field(factory=list)
    is_obsolete: bool = False
    has_breaks: bool = False


@frozen
class PoText:
    """A whole file.  header: its first entry, if that has an empty id."""

    entries: tuple[PoEntry, ...]
    header: PoEntry | None
    faults: tuple[PoFault, ...]


def parse_po(text: str) -> PoText:
    """Parse a PO file; lines end with a line feed, or with a carriage return where there is no line feed."""
    reader = _Reader()
    lines = text.split("\n") if "\n" in text else text.split("\r")
    for number, line in enumerate(lines, 1):
        reader.read_line(number, line.strip())
    reader.finish_entry()
    header = next((entry for entry in reader.entries if not entry.msgid and entry.msgctxt is None), None)
    entries = tuple(entry for entry in reader.entries if entry is not header)
    return PoText(entries, header, tuple(reader.faults))


class _Fault(RulekitError):
    """An entry that cannot be read."""


@define
class _Reader:
    """Read lines into entries.  target: the text that a quoted text continues: a field, or a plural form."""

    entries: list[PoEntry] = field(factory=list)
    faults: list[PoFault] = field(factory=list)
    entry: PoEntry | None = None
    target: str | int = ""
    is_previous: bool = False
    is_broken: bool = False

    def read_line(self, number: int, line: str) -> None:
        if not line:
            if self.is_broken:
                self.finish_entry()
            return
        try:
            if line.startswith("#~"):
                self._read_obsolete(number, line[2:].strip())
            elif line.startswith("#"):
                self._read_comment(number, line)
            else:
                self._read_tokens(number, line, is_obsolete=False)
        except _Fault as fault:
            self._report(number, str(fault))

    def finish_entry(self) -> None:
        """End the entry that is being read; one without a translation is a fault."""
        entry, self.entry, self.target, self.is_previous = self.entry, None, "", False
        was_broken, self.is_broken = self.is_broken, False
        if entry is None or was_broken or (entry.msgid is None and entry.msgctxt is None):
            return
        if not entry.msgstr:
            self.faults.append(PoFault(entry.line, "this entry has no msgstr"))
        else:
            self.entries.append(_replace_breaks(entry))

    def _report(self, number: int, text: str) -> None:
        if not self.is_broken:
            self.faults.append(PoFault(number, text))
        self._current(number)
        self.is_broken = True

    def _current(self, number: int) -> PoEntry:
        if self.entry is None:
            self.entry = PoEntry(number)
        return self.entry

    # ------------------------------------------------------------ comments

    def _read_comment(self, number: int, line: str) -> None:
        if self.entry is not None and (self.entry.msgstr or self.is_broken):
            self.finish_entry()
        kind, rest = line[1:2], replace_line_breaks(line[2:])
        if kind == "|":
            self._read_tokens(number, rest.strip(), is_obsolete=False, is_previous=True)
            return
        entry = self._current(number)
        if kind == ".":
            entry.notes.append(rest.removeprefix(" "))
        elif kind == ":":
            entry.occurrences += (_occurrence(word) for word in rest.split())
        elif kind in (",", "="):
            entry.flags += (flag.strip() for flag in rest.split(",") if flag.strip())
        else:
            entry.remarks.append(replace_line_breaks(line.lstrip("#")).removeprefix(" "))

    def _read_obsolete(self, number: int, rest: str) -> None:
        if rest.startswith("|"):
            self._read_tokens(number, rest[1:].strip(), is_obsolete=True, is_previous=True)
        elif rest:
            self._read_tokens(number, rest, is_obsolete=True)

    # ------------------------------------------------------------ keywords and texts

    def _read_tokens(self, number: int, line: str, *, is_obsolete: bool, is_previous: bool = False) -> None:
        for word, index, text in _tokens(line):
            if word:
                self._begin(number, word, is_obsolete=is_obsolete, is_previous=is_previous)
            elif self.is_broken:
                return
            elif self.target == "domain":
                continue
            elif index is not None:
                self._index(index)
            elif self.entry is None or self.target == "" or self.is_previous != is_previous:
                raise _Fault("this text belongs to no keyword")
            elif self.entry.is_obsolete != is_obsolete and not is_previous:
                raise _Fault("one part of this entry is obsolete (`#~`), another is not")
            else:
                self._add(text)

    def _begin(self, number: int, word: str, *, is_obsolete: bool, is_previous: bool) -> None:
        """Begin a field of the entry, or with `msgctxt` and `msgid` a new entry."""
        if word == "domain" and not is_previous:
            # The directive says to which compiled catalogue the entries after it go; here there is only one.
            self.finish_entry()
            self.target = "domain"
            return
        entry = self.entry
        if is_previous:
            if entry is not None and (entry.msgstr or self.is_broken):
                self.finish_entry()
            if word not in ("msgctxt", "msgid", "msgid_plural"):
                raise _Fault(f"`{word}` is no keyword of a comment that begins with `#|`")
            self._current(number).previous[word] = ""
            self.target, self.is_previous = word, True
            return
        if entry is not None and (
            entry.msgstr
            or (word == "msgid" and entry.msgid is not None)
            or (word == "msgctxt" and (entry.msgid is not None or entry.msgctxt is not None))
        ):
            if word != "msgstr" and word != "msgid_plural":
                self.finish_entry()
            elif word == "msgid_plural":
                raise _Fault(f"`{word}` stands behind a translation")
        entry, self.target, self.is_previous = self._current(number), word, False
        if self.is_broken:
            _note_progress(entry, word)
            return
        if word in ("msgctxt", "msgid"):
            entry.is_obsolete = is_obsolete
            setattr(entry, word, "")
        elif word not in ("msgid_plural", "msgstr"):
            raise _Fault("this line is neither a comment nor a quoted text")
        elif entry.msgid is None:
            raise _Fault(f"`{word}` has no msgid before it")
        elif entry.is_obsolete != is_obsolete:
            raise _Fault("one part of this entry is obsolete (`#~`), another is not")
        elif word == "msgid_plural":
            entry.msgid_plural = ""
        else:
            self._begin_form(number, entry)

    def _begin_form(self, number: int, entry: PoEntry) -> None:
        if entry.msgstr and not entry.is_indexed:
            raise _Fault("this entry has a second msgstr")
        entry.msgstr_line = entry.msgstr_line or number

    def _index(self, form: int) -> None:
        """Take the index of `msgstr[1]`."""
        if self.entry is None or self.target != "msgstr":
            raise _Fault("an index in brackets belongs to msgstr")
        if form in self.entry.msgstr:
            raise _Fault(f"this entry has a second msgstr[{form}]")
        self.entry.is_indexed = True
        self.entry.msgstr[form] = ""
        self.target = form

    def _add(self, written: str) -> None:
        entry = self.entry
        assert entry is not None
        text = unescape_po(written)
        if "\0" in text:
            raise _Fault("a text holds the character NUL")
        if self.is_previous:
            entry.previous[str(self.target)] += text
        elif self.target == "msgctxt":
            entry.msgctxt = (entry.msgctxt or "") + text
        elif self.target == "msgid":
            entry.msgid = (entry.msgid or "") + text
        elif self.target == "msgid_plural":
            entry.msgid_plural = (entry.msgid_plural or "") + text
        else:
            form = 0 if self.target == "msgstr" else int(self.target)
            if self.target == "msgstr" and entry.is_indexed:
                raise _Fault("msgstr has an index in one place and none in another")
            entry.msgstr[form] = entry.msgstr.get(form, "") + text


def _note_progress(entry: PoEntry, word: str) -> None:
    """Record how far an entry that cannot be read has come, so that its end is noticed."""
    if word == "msgid":
        entry.msgid = entry.msgid or ""
    elif word == "msgstr":
        entry.msgstr.setdefault(0, "")


def _replace_breaks(entry: PoEntry) -> PoEntry:
    """Replace line separators of other programs in all texts of an entry."""
    entry.has_breaks = any(map(has_line_breaks, entry.msgstr.values()))
    entry.msgstr = {form: replace_line_breaks(text) for form, text in entry.msgstr.items()}
    entry.previous = {name: replace_line_breaks(text) for name, text in entry.previous.items()}
    entry.msgid = replace_line_breaks(entry.msgid or "")
    entry.msgctxt = None if entry.msgctxt is None else replace_line_breaks(entry.msgctxt)
    entry.msgid_plural = None if entry.msgid_plural is None else replace_line_breaks(entry.msgid_plural)
    return entry


def _occurrence(word: str) -> tuple[str, str]:
    found = _OCCURRENCE.fullmatch(word)
    return (found[1], found[2]) if found else (word, "")


def _tokens(line: str) -> Iterator[tuple[str, int | None, str]]:
    """The keywords, indices and texts of a line."""
    position = 0
    while position < len(line):
        found = _TOKEN.match(line, position)
        if found is None:
            raise _Fault(_reason(line[position:].lstrip()))
        position = found.end()
        index = found["index"]
        yield found["word"] or "", None if index is None else int(index.strip("[] \t")), found["text"] or ""


def _reason(rest: str) -> str:
    if rest.startswith('"'):
        return "this text has no quotation mark at its end"
    return "this line is neither a comment nor a quoted text"


def unescape_po(written: str) -> str:
    """Resolve the escapes of a quoted text.  Errors: `_Fault`."""
    return _ESCAPE.sub(_unescaped, written) if "\\" in written else written


def _unescaped(found: re.Match[str]) -> str:
    if found[1]:
        codes = bytes(
            (int(hexadecimal, 16) if hexadecimal else int(octal, 8)) & 0xFF
            for hexadecimal, octal in _BYTE.findall(found[1])
        )
        try:
            return codes.decode("utf-8")
        except UnicodeDecodeError:
            raise _Fault(f"`{found[1]}` is no character in UTF-8") from None
    if found[2] not in _SIMPLE:
        raise _Fault(f"`\\{found[2]}` is no escape: a backslash is written `\\\\`")
    return _SIMPLE[found[2]]
