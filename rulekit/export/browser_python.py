"""The browser's Python (Pyodide): its files out of a folder, or where a page takes them from and what they must be."""

from __future__ import annotations

import io
import zipfile
from base64 import b64encode
from gzip import compress
from pathlib import Path

from rulekit.errors import BadInput
from rulekit.values import frozen

VERSION = "314.0.7"
"""Pages that take Python from the network take this one."""
ORIGIN = "https://cdn.jsdelivr.net"
_STANDARD_LIBRARY = "python_stdlib.zip"
_UNUSED = (
    "_pyrepl/", "bdb.py", "doctest.py", "ftplib.py", "imaplib.py", "mailbox.py", "multiprocessing/", "optparse.py",
    "pdb.py", "pickletools.py", "pydoc", "smtplib.py", "unittest/", "wsgiref/", "xmlrpc/",
    "encodings/cp0", "encodings/cp1", "encodings/cp5", "encodings/cp7", "encodings/cp8", "encodings/iso8859",
    "encodings/koi8", "encodings/mac_",
)  # fmt: skip
"""How files of the standard library begin that no table needs: a quarter of its weight."""
INTEGRITY = {
    "pyodide.mjs": "sha384-Lp79fMwxa4n2BLtugpUAoQMlbxIdg8iCUiP1r3h7nJLkQjwlXT1JzZTeHVL+f4Dg",
    "pyodide.asm.mjs": "sha384-/2281iaC0Iimw0B3Kagy1DBfZcJG3W4KYW+EmOqhsdY3fR9BJ88FE2Zt6y0KQKpa",
    "pyodide.asm.wasm": "sha384-y++qrQ72KPA1fTjLIuGMP+jppgGxjbLCgfdb0zMrnNnQVhxRUXTOTF6rTxNzllSu",
    _STANDARD_LIBRARY: "sha384-xW3A5jmenkrPXbsgrIaB1FCJh9OuLT7FRMagsJMgtlhVc19k/mSy3+7nMaF/d767",
    "pyodide-lock.json": "sha384-o8SQQvpVlZnOl04+3dFTJipKxul9GbViVusA379wlOrfHSgxbzt0yPiqCTxOiYES",
}
"""By name each file that is needed, and the digest of the version above: a page takes no other bytes."""


class NoPython(BadInput):
    """A folder in which there is no whole Pyodide; the text says what is missing."""


@frozen
class Part:
    """A file of a page.  base64: of its bytes, compressed (gzip); or address and integrity of where it is fetched."""

    name: str
    base64: str = ""
    address: str = ""
    integrity: str = ""


def packed(name: str, content: bytes) -> Part:
    """A part that stands in the page itself."""
    return Part(name, b64encode(compress(content, 9, mtime=0)).decode())


def from_network() -> list[Part]:
    base = f"{ORIGIN}/npm/pyodide@{VERSION}"
    return [Part(name, address=f"{base}/{name}", integrity=digest) for name, digest in INTEGRITY.items()]


def from_folder(folder: Path) -> list[Part]:
    """Errors: `NoPython`."""
    inner = folder / "node_modules" / "pyodide"
    where = inner if inner.is_dir() else folder
    missing = [name for name in INTEGRITY if not (where / name).is_file()]
    if missing:
        raise NoPython(f"{folder} holds no whole Pyodide; missing: {', '.join(missing)}")
    contents = {name: (where / name).read_bytes() for name in INTEGRITY}
    contents[_STANDARD_LIBRARY] = _lightened(contents[_STANDARD_LIBRARY])
    return [packed(name, content) for name, content in contents.items()]


def _lightened(archive: bytes) -> bytes:
    """The files of an archive that are used, none of them compressed: compressed as a whole it becomes smaller."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as before, zipfile.ZipFile(made, "w") as after:
        for one in before.infolist():
            if not one.filename.startswith(_UNUSED):
                after.writestr(zipfile.ZipInfo(one.filename, one.date_time), before.read(one))
    return made.getvalue()
