"""`rulekit text send`: a translation as the files that translators' programs and spreadsheets open."""

from __future__ import annotations

from pathlib import Path

import click

from rulekit import library
from rulekit.apps.console import DONE, Failed
from rulekit.tools.interchange.interchange import FORMS, written
from rulekit.tools.language.po_files import Broken


@click.command("send")
@click.argument("po", metavar="PO")
@click.option("-o", "--output", required=True, metavar="FILE", help=f"Where to write: a new {' or '.join(FORMS)}.")
def command(po: str, output: str) -> int:
    """Write the translation PO as XLIFF or as a spreadsheet.

    Each text keeps its id, the note on what the rules do there, whether it is
    to be looked at again, and what translators have remarked.  What comes
    back is put into the same PO:

    \b
    rulekit text send games/text/NAME.it.po -o NAME.it.xlf
    rulekit text merge games/NAME.rules games/text/NAME.it.po --from NAME.it.xlf

    XLIFF is for translators' programs, XLSX for Excel and LibreOffice.
    """
    if Path(output).suffix.lower() not in FORMS:
        raise click.UsageError(f"-o: name a file that ends in {' or '.join(FORMS)}")
    try:
        content, count = written(library.read_catalogue(po), Path(output).suffix.lower())
    except Broken as fault:
        raise Failed(f"error[broken-catalogue]: {po}:{fault.line}: {fault}") from None
    library.write_new(output, content)
    click.echo(f"{count} texts written to {output}")
    return DONE
