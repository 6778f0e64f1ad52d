"""`rulekit text merge`: a translation brought in step with its game, and what a translator sent taken over."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, FOUND, Failed
from rulekit.diagnostics import printable
from rulekit.source import Source
from rulekit.tools.gettext_files.languages import canonical_code, is_language, is_same_language, nearest_code
from rulekit.tools.interchange.interchange import read_back_file
from rulekit.tools.language.catalogue_loader import is_foreign
from rulekit.tools.language.catalogue_merge import Merged, merged, new_catalogue
from rulekit.tools.language.catalogue_return import BackFile, ReturnReport, is_same_project, with_returned
from rulekit.tools.language.engine_extraction import extracted
from rulekit.tools.language.message_extraction import Entry
from rulekit.tools.language.po_files import Broken, parsed, read_po
from rulekit.values import frozen

_MAX_LISTED = 20


@click.command("merge")
@click.argument("files", metavar="[FILE] PO", nargs=-1, required=True)
@o.ENGINE_TEXTS
@click.option("--from", "returned", metavar="BACK", help="Take over what came back: a PO, XLIFF or XLSX.")
@click.option("--force-language", is_flag=True, help="Take over another language; begin any code.")
@click.option("--force-game", is_flag=True, help="Take over the catalogue of another game.")
@o.as_json("What was merged as one JSON object.")
def command(
    files: tuple[str, ...],
    engine: bool,
    returned: str | None,
    force_language: bool,
    force_game: bool,
    as_json: bool,
) -> int:
    """Bring the translation PO in step with the game in FILE.

    Translations are kept.  Those whose words changed are marked fuzzy, with
    the words as they were; so are those whose words stayed but whose rules
    now do something else.  What is gone stays at the end, as obsolete, and is
    used again when it comes back.  A PO that is not there yet is begun: the
    language is read from its name.

    With --from it is told how many texts were read, and which of them were
    not found in PO or refused; then the command ends with 1.

    \b
    rulekit text merge games/NAME.rules games/text/NAME.it.po
    """
    if len(files) != (1 if engine else 2):
        raise click.UsageError("name the PO, and before it the rules FILE or --engine")
    file, po = (None if engine else o.RULES_FILE.convert(files[0], None, None)), files[-1]
    title, texts = extracted(file)
    path = Path(po)
    language = path.stem.rpartition(".")[2]
    back: _Back | None = None
    if path.exists():
        kept = _checked(path)
        if returned is not None:
            forced = {"force_game": force_game, "force_language": force_language}
            back = _take_back(returned, kept, title, language, **forced)
        if not force_game:
            _check_game(kept, title, texts)
        result = merged(kept if back is None else Source(kept.name, back.report.text), texts, title, language)
    elif returned is None:
        _check_code(language, po, force=force_language)
        result = new_catalogue(texts, title, language)
    else:
        raise click.UsageError(f"there is no {po} that could have been sent")
    library.write_whole(path, result.text)
    if as_json:
        click.echo(json.dumps(_as_data(po, result, back), ensure_ascii=False))
    else:
        click.echo("\n".join([*(_lines(back) if back else ()), _summary(po, result)]))
    return DONE if back is None or back.is_whole else FOUND


@frozen
class _Back:
    """What came back, and what became of it."""

    path: str
    file: BackFile
    report: ReturnReport

    @property
    def is_whole(self) -> bool:
        return not (self.report.missing or self.report.refused)


def _take_back(path: str, kept: Source, title: str, name: str, *, force_game: bool, force_language: bool) -> _Back:
    """Put what came back into the catalogue.

    title:  of the game; name: the language in the name of the catalogue.
    Errors: `Failed`, if the file holds no text, is another game's, or is in another language.
    """
    try:
        file = read_back_file(path, kept)
        spoken = parsed(kept.text).metadata.get("Language") or name
        if file.language and not force_language and not is_same_language(file.language, spoken):
            languages = f"this file is in `{printable(file.language)}`, {kept.name} in `{spoken}`"
            hint = "name the catalogue of that language, or say --force-language"
            raise Failed(f"error[other-language]: {path}: {languages}\n  hint: {hint}")
        report = with_returned(kept, file.catalogue)
    except Broken as fault:
        raise Failed(f"error[broken-catalogue]: {path}:{fault.line}: {fault}") from None
    report.refused += file.refused
    if not report.read:
        only = " but obsolete ones" if report.obsolete else ""
        raise Failed(f"error[empty-catalogue]: {path}: there is no text in this file{only}")
    if not force_game and report.is_of_other_game(file.project, title):
        fitting = len(report.changed) + report.unchanged
        counts = f"of {report.read} texts {fitting} are in {kept.name}"
        named = f", and it names the project “{printable(file.project)}”" if file.project else ""
        raise Failed(
            f"error[foreign-catalogue]: {path}: {counts}{named}"
            "\n  hint: it may belong to another game; to take over what fits, say --force-game"
        )
    return _Back(path, file, report)


def _check_game(kept: Source, title: str, texts: Sequence[Entry]) -> None:
    """Refuse a catalogue that names another game and whose texts are hardly of this one.  Errors: `Failed`."""
    written = read_po(kept)
    known = {(entry.id, entry.text): entry.plural for entry in texts}
    words = {entry.text for entry in texts}
    n_fitting = sum(entry.text in words for entry in written.entries)
    if is_same_project(written.project, title) or 2 * n_fitting >= len(written.entries):
        return
    if is_foreign(written, known):
        named = f" of “{printable(written.project)}”" if written.project else ""
        raise Failed(
            f"error[foreign-catalogue]: {kept.name}: these texts{named} are not those of {printable(title)}"
            "\n  hint: to make all others obsolete, say --force-game"
        )


def _checked(path: Path) -> Source:
    """The catalogue as it is.  Errors: `Failed`, if any of it cannot be read, with each line."""
    source = library.read_catalogue(path)
    try:
        faults = read_po(source).faults
        parsed(source.text)
    except Broken as fault:
        raise Failed(f"error[broken-catalogue]: {path}:{fault.line}: {fault}") from None
    if faults:
        raise Failed("\n".join(f"error[broken-catalogue]: {path}:{fault.line}: {fault.text}" for fault in faults))
    return source


def _check_code(language: str, po: str, *, force: bool) -> None:
    """Refuse to begin a catalogue whose name ends in no code of a language.  Errors: `Failed`."""
    right = nearest_code(language)
    if force or right == language:
        return
    if right:
        hint = f"did you mean `{Path(po).name.removesuffix(f'{language}.po')}{right}.po`? Else say --force-language"
    else:
        hint = "the name ends in a code of ISO 639, as in game.it.po; to begin it nevertheless, say --force-language"
    reason = "is written otherwise" if is_language(canonical_code(language)) else "is the code of no language"
    raise Failed(f"error[unknown-language]: {po}: `{printable(language)}` {reason}\n  hint: {hint}")


# ---------------------------------------------------------------- what is told


def _summary(po: str, result: Merged) -> str:
    return f"{po}: {result.kept} kept, {result.fuzzy} to look at again, {result.new} new, {result.gone} gone"


def _lines(back: _Back) -> Iterator[str]:
    report = back.report
    missing = f" ({_listed(report.missing)})" if report.missing else ""
    counts = f"read {report.read}, changed {len(report.changed)}, unchanged {report.unchanged}"
    yield f"{back.path}: {counts}, not found {len(report.missing)}{missing}, refused {len(report.refused)}"
    for refusal in report.refused:
        yield f"  refused: {printable(refusal.name)}: {printable(refusal.reason)}"
    if report.fuzzy:
        yield f"  fuzzy, since translated from other words: {_listed(report.fuzzy)}"
    if report.obsolete:
        yield f"  other translations, not taken since obsolete in this file: {_listed(report.obsolete)}"
    if back.file.with_line_breaks:
        yield f"  line separators of other programs became blanks: {_listed(back.file.with_line_breaks)}"


def _listed(names: Sequence[str]) -> str:
    more = f", … and {len(names) - _MAX_LISTED} more" if len(names) > _MAX_LISTED else ""
    return ", ".join(map(printable, names[:_MAX_LISTED])) + more


def _as_data(po: str, result: Merged, back: _Back | None) -> dict[str, object]:
    data: dict[str, object] = {
        "catalogue": po,
        "kept": result.kept,
        "fuzzy": result.fuzzy,
        "new": result.new,
        "gone": result.gone,
    }
    if back is not None:
        report = back.report
        data["from"] = {
            "file": back.path,
            "read": report.read,
            "changed": report.changed,
            "unchanged": report.unchanged,
            "not_found": report.missing,
            "refused": [{"text": refusal.name, "reason": refusal.reason} for refusal in report.refused],
            "translated_from_other_words": report.fuzzy,
            "obsolete": report.obsolete,
            "line_separators": back.file.with_line_breaks,
        }
    return data
