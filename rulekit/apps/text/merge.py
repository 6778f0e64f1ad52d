"""`rulekit text merge`: a translation brought in step with its game."""

from __future__ import annotations

from pathlib import Path

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, Failed
from rulekit.source import Source
from rulekit.tools.interchange.interchange import came_back
from rulekit.tools.language.catalogue_merge import merged, new_catalogue
from rulekit.tools.language.catalogue_return import with_returned
from rulekit.tools.language.engine_extraction import extracted
from rulekit.tools.language.po_files import Broken, read_po


@click.command("merge")
@click.argument("files", metavar="[FILE] PO", nargs=-1, required=True)
@o.ENGINE_TEXTS
@click.option("--from", "returned", metavar="BACK", help="Take over what came back: a PO, XLIFF or XLSX.")
def command(files: tuple[str, ...], engine: bool, returned: str | None) -> int:
    """Bring the translation PO in step with the game in FILE.

    Translations are kept.  Those whose words changed are marked fuzzy, with
    the words as they were; so are those whose words stayed but whose rules
    now do something else.  What is gone stays at the end, as obsolete, and is
    used again when it comes back.  A PO that is not there yet is begun: the
    language is read from its name.

    \b
    rulekit text merge games/NAME.rules games/text/NAME.it.po
    """
    if len(files) != (1 if engine else 2):
        raise click.UsageError("name the PO, and before it the rules FILE or --engine")
    file, po = (None if engine else o.RULES_FILE.convert(files[0], None, None)), files[-1]
    title, texts = extracted(file)
    path = Path(po)
    language = path.stem.rpartition(".")[2]
    if path.exists():
        result = merged(_catalogue(path, returned), texts, title, language)
    elif returned is None:
        result = new_catalogue(texts, title, language)
    else:
        raise click.UsageError(f"there is no {po} that could have been sent")
    library.write_whole(path, result.text)
    click.echo(f"{po}: {result.kept} kept, {result.fuzzy} to look at again, {result.new} new, {result.gone} gone")
    return DONE


def _catalogue(path: Path, returned: str | None) -> Source:
    """The translation as it is, with what came back.  Errors: `Failed`, if one of the two cannot be read."""
    kept = _checked(path)
    return kept if returned is None else with_returned(kept, _came_back(returned, kept))


def _came_back(path: str, kept: Source) -> Source:
    """What a translator sent, as a PO."""
    try:
        return came_back(path, kept) or _checked(Path(path))
    except Broken as fault:
        raise Failed(f"error[broken-catalogue]: {path}:{fault.line}: {fault}") from None


def _checked(path: Path) -> Source:
    source = library.read_catalogue(path)
    try:
        read_po(source)
    except Broken as fault:
        raise Failed(f"error[broken-catalogue]: {path}:{fault.line}: {fault}") from None
    return source
