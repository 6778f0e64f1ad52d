"""`rulekit text merge`: a translation brought in step with its game."""

from __future__ import annotations

from pathlib import Path

import click

from rulekit import library
from rulekit.apps import options as o
from rulekit.apps.console import DONE, Failed
from rulekit.tools.language.catalogue_merge import merged, new_catalogue
from rulekit.tools.language.message_extraction import extracted
from rulekit.tools.language.po_files import Broken


@click.command("merge")
@click.argument("files", metavar="[FILE] PO", nargs=-1, required=True)
@o.ENGINE_TEXTS
def command(files: tuple[str, ...], engine: bool) -> int:
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
    file, po = (None if engine else files[0]), files[-1]
    title, texts = extracted(file)
    path = Path(po)
    language = path.stem.rpartition(".")[2]
    try:
        if path.exists():
            result = merged(library.read_catalogue(path), texts, title, language)
        else:
            result = new_catalogue(texts, title, language)
    except Broken as fault:
        raise Failed(f"error[broken-catalogue]: {po}:{fault.line}: {fault}") from None
    path.write_text(result.text, encoding="utf-8", newline="\n")
    click.echo(f"{po}: {result.kept} kept, {result.fuzzy} to look at again, {result.new} new, {result.gone} gone")
    return DONE
