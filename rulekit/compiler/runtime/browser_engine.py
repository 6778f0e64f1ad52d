"""WebAssembly in a browser's Python (Pyodide): so much of wasmtime's interface as `wasm_host` and the back end use.

A browser has no assembler for the text of modules, so they are looked up by the digest of their text in `FOLDER`.
Whoever makes a page puts them there.
"""

from __future__ import annotations

import re
import sys
from hashlib import sha256
from pathlib import Path
from struct import pack, unpack
from typing import Any

from rulekit.errors import RulekitError
from rulekit.values import frozen

FOLDER = Path("modules")
_EXPORT = r'\(func [^"\n]*\(export "(\w+)"\)((?: \(param \S+ \w+\))*)'
_KINDS = r"\(param \S+ (\w+)\)"


class NoModule(RulekitError):
    """A module that nobody has put there."""


def is_here() -> bool:
    """Whether this is such a Python, and has modules to run."""
    return sys.platform == "emscripten" and FOLDER.is_dir()


def name_of(text: str) -> str:
    """The file of a module."""
    return f"{sha256(text.encode()).hexdigest()[:32]}.wasm"


@frozen
class Module:
    """code: as the browser has compiled it.  kinds: of what each function takes, since a browser does not tell."""

    code: Any
    kinds: dict[str, tuple[str, ...]]


def module(text: str) -> Module:
    """Errors: `NoModule`."""
    import js

    try:
        found = (FOLDER / name_of(text)).read_bytes()
    except FileNotFoundError:
        raise NoModule from None
    code = js.Uint8Array.new(len(found))
    code.assign(found)
    return Module(js.WebAssembly.Module.new(code), kinds(text))


def kinds(text: str) -> dict[str, tuple[str, ...]]:
    """What each function takes that a module offers."""
    return {name: tuple(re.findall(_KINDS, taken)) for name, taken in re.findall(_EXPORT, text)}


def trap() -> type[Exception]:
    """What is raised where a module stops."""
    from pyodide.ffi import JsException

    made: type[Exception] = JsException
    return made


def exports(of: Module, asked: Any) -> dict[str, Any]:
    """What a new instance of a module offers, and its memory as numbers under "memory"."""
    import js
    from pyodide.ffi import create_proxy, to_js

    given = to_js({"host": {"ask": create_proxy(asked)}}, dict_converter=js.Object.fromEntries)
    made = js.WebAssembly.Instance.new(of.code, given).exports
    functions = {name: Function(getattr(made, name), kinds) for name, kinds in of.kinds.items()}
    names = [name for name in js.Object.keys(made) if name not in functions and name != "memory"]
    return {**functions, **{name: Global(getattr(made, name)) for name in names}, "memory": Memory(made.memory, "q")}


@frozen
class Function:
    """A function of a module.  store: of no use here."""

    call: Any
    kinds: tuple[str, ...]

    def __call__(self, store: object, *values: int) -> Any:
        from pyodide.ffi import JsBigInt

        pairs = zip(self.kinds, values, strict=True)
        return self.call(*(JsBigInt(value) if kind == "i64" else value for kind, value in pairs))


@frozen
class Global:
    here: Any

    def value(self, store: object) -> int:
        return int(self.here.value)

    def set_value(self, store: object, value: int) -> None:
        self.here.value = value


@frozen
class Memory:
    """A module's memory as a sequence: of numbers ("q") or bytes ("B").

    It moves when it grows, so that each access looks for it anew.
    """

    memory: Any
    kind: str

    def cast(self, kind: str) -> Memory:
        return Memory(self.memory, kind)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return memoryview(self._bytes(place.start, place.stop).to_bytes()).cast(self.kind)  # type: ignore[call-overload]
        return unpack(f"<{self.kind}", self._bytes(place, place + 1).to_bytes())[0]

    def __setitem__(self, place: Any, value: Any) -> None:
        if isinstance(place, slice):
            self._bytes(place.start, place.stop).assign(value)
        else:
            self._bytes(place, place + 1).assign(pack(f"<{self.kind}", value))

    def _bytes(self, start: int, stop: int) -> Any:
        import js

        size = 8 if self.kind == "q" else 1
        return js.Uint8Array.new(self.memory.buffer, start * size, (stop - start) * size)
