"""XLIFF 1.2, the form in which translators' programs exchange texts (OASIS standard of 2008).

Ids, notes, states and translators' remarks go along; plurals as the standard's guide for gettext has them, one unit
for each form in a group.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from xml.etree import ElementTree

from rulekit.source import Source
from rulekit.tools.gettext_files.languages import canonical_code
from rulekit.tools.interchange.units import NEW, REVIEW, TRANSLATED, Sent, Unit, named
from rulekit.tools.language.po_files import Broken

_SPACE = "urn:oasis:names:tc:xliff:document:1.2"
_XML = "http://www.w3.org/XML/1998/namespace"
_DECLARED = re.compile(r"<!(DOCTYPE|ENTITY)", re.IGNORECASE)
_COPY = re.compile(r"#\d+$")
"""What `xliff` adds to an id that another unit has already."""
_INDENTED = re.compile(r"[ \t]*\n[ \t]+")
_DONE = frozenset({TRANSLATED, "final", "signed-off"})
"""States of the standard in which nobody has to look at a text again."""
_RIGHTS = {TRANSLATED: "yes", REVIEW: "no", NEW: "no"}


def xliff(told: Sent, original: str) -> str:
    """The text of an XLIFF file.  original: the name of the catalogue that is sent."""
    ElementTree.register_namespace("", _SPACE)
    root = ElementTree.Element(_tag("xliff"), {"version": "1.2"})
    about = {
        "original": original,
        "source-language": "en",
        "target-language": told.language.replace("_", "-"),
        "datatype": "po",
        "product-name": told.title,
    }
    body = into = ElementTree.SubElement(ElementTree.SubElement(root, _tag("file"), about), _tag("body"))
    taken: Counter[str] = Counter()
    for unit in told.units:
        if not unit.form:
            into = body if unit.form is None else _group(body, unit)
        taken[unit.name] += 1
        _write(into, unit, f"{unit.name}#{taken[unit.name]}" if taken[unit.name] > 1 else unit.name)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _tag(name: str) -> str:
    return f"{{{_SPACE}}}{name}"


def _group(into: ElementTree.Element, unit: Unit) -> ElementTree.Element:
    """Where the forms of one plural stand."""
    about = {"resname": unit.id, "restype": "x-gettext-plurals"}
    return ElementTree.SubElement(into, _tag("group"), about)


def _write(into: ElementTree.Element, unit: Unit, id_: str) -> None:
    about = {
        "id": id_,
        "resname": unit.name,
        "approved": _RIGHTS[unit.state],
        f"{{{_XML}}}space": "preserve",
    }
    made = ElementTree.SubElement(into, _tag("trans-unit"), about)
    ElementTree.SubElement(made, _tag("source")).text = unit.source
    ElementTree.SubElement(made, _tag("target"), {"state": unit.state}).text = unit.target
    for origin, text in (("developer", unit.note), ("translator", unit.remark)):
        if text:
            ElementTree.SubElement(made, _tag("note"), {"from": origin}).text = text


# ---------------------------------------------------------------- what comes back


def read_xliff(back: Source) -> Sent:
    """The units of an XLIFF file that came back, its language, and the game that it names.

    Errors: `Broken`, with the line; also where its parts are in several languages.
    """
    if (found := _DECLARED.search(back.text)) is not None:
        line = back.text.count("\n", 0, found.start()) + 1
        raise Broken("an XLIFF file has no declarations of its own", line)
    try:
        # What its first line says of an encoding is of the bytes, which are text already.  Without entities, which
        # were looked for above, no XML grows when it is read.
        root = ElementTree.fromstring(re.sub(r"^\s*<\?xml[^>]*\?>", "", back.text))  # noqa: S314
    except ElementTree.ParseError as fault:
        raise Broken(f"this is no XML: {fault.msg}", fault.position[0]) from None
    if root.tag != _tag("xliff"):
        version = "version 2 of XLIFF is another form" if "xliff:document:2" in root.tag else f"it begins as {root.tag}"
        raise Broken(f"this is no XLIFF 1.2: {version}", 1)
    files = list(root.iter(_tag("file")))
    languages = dict.fromkeys(canonical_code(file.get("target-language", "")) for file in files)
    spoken = [language for language in languages if language]
    if len(spoken) > 1:
        raise Broken(f"its parts are in several languages: {', '.join(spoken)}", 1)
    titles = {file.get("product-name", "") for file in files}
    return Sent(tuple(_units(root)), "".join(spoken), titles.pop() if len(titles) == 1 else "")


def _units(root: ElementTree.Element) -> Iterator[Unit]:
    for one in root.iter(_tag("trans-unit")):
        id_, form = named(one.get("resname") or _COPY.sub("", one.get("id", "")))
        notes = [(note.get("from", ""), _text(note)) for note in one.iterfind(_tag("note"))]
        note = "\n".join(text for origin, text in notes if origin == "developer")
        remark = "\n".join(text for origin, text in notes if origin != "developer")
        source, target = (_without_layout(_text(one.find(_tag(side)))) for side in ("source", "target"))
        if "\n" not in source:
            target = _INDENTED.sub(" ", target)
        yield Unit(id_, source, target, _state(one), note, remark, form)


def _without_layout(text: str) -> str:
    """A text without the line breaks and blanks around it by which a program lays out XML."""
    begins, ends = _INDENTED.match(text) or text.startswith("\n"), re.search(r"\n[ \t]*$", text)
    return text.strip() if begins and ends else text


def _text(found: ElementTree.Element | None) -> str:
    return "" if found is None else "".join(found.itertext())


def _state(unit: ElementTree.Element) -> str:
    """What a program says of a text: by the state of its translation, or else by whether it was approved."""
    target = unit.find(_tag("target"))
    if target is None or not _text(target):
        return NEW
    if not (told := target.get("state", "")):
        return TRANSLATED if unit.get("approved") == "yes" else ""
    return TRANSLATED if told in _DONE else REVIEW
