"""Cache wgpu-py's C types, so that its header is not parsed at each start.

Parsing takes cffi 0.3 s, and each of 75 types 12 to 15 ms; from its tables (out-of-line ABI mode) in the
cache folder they load in 10 ms. With a wgpu-py unknown to `version.py` the header is parsed.
"""

from __future__ import annotations

import ast
import io
import logging
import sys
import threading
from pathlib import Path
from typing import Any, Final

from desktop.base.disk_cache import cached
from desktop.base.paths import user_cache_folder
from desktop.compute.gpu.wgpu_native import version

log = logging.getLogger(__name__)

_BACKEND: Final = "wgpu.backends.wgpu_native"
_lock = threading.Lock()


def prepare(folder: Path | None = None) -> None:
    """Import wgpu's backend with types from the tables in `folder`, once, before wgpu is used."""
    import cffi

    with _lock:
        if f"{_BACKEND}._ffi" in sys.modules:
            return
        parser = cffi.FFI
        if version.binding_is_known():
            cffi.FFI = lambda: _Types(parser, folder or user_cache_folder() / "types")
        try:
            __import__(_BACKEND)
        except (ImportError, OSError, RuntimeError) as error:
            # wgpu reports it again, when an adapter is requested.
            log.info("wgpu's library cannot be loaded: %s", error)
        finally:
            cffi.FFI = parser


class _Types:
    """Replacement of the `cffi.FFI` that wgpu-py makes: it becomes one when it is given the header."""

    def __init__(self, parser: Any, folder: Path) -> None:
        self._parser = parser
        self._folder = folder

    def cdef(self, header: str, **options: Any) -> None:
        """Load the types of a header."""
        # Any other FFI made at this moment, on another thread, is unaffected.
        ffi = _from_tables(self._parser, header, self._folder) if "wgpuGetVersion" in header else None
        if ffi is None:
            ffi = self._parser()
            ffi.cdef(header, **options)
        # Into the object itself: wgpu looks its attributes up in every call.
        vars(self).update({name: getattr(ffi, name) for name in dir(ffi) if not name.startswith("__")})

    def set_source(self, *_: object) -> None:
        """Ignore the source: nothing is compiled."""


def _from_tables(parser: Any, header: str, folder: Path) -> Any:
    try:
        import _cffi_backend

        # The format is cffi's. Other Pythons' tables are kept: a checkout and a bundle alternate.
        name = f"wgpu-{sys.implementation.cache_tag}"
        owner = f"{_cffi_backend.__version__} {header}"
        return _cffi_backend.FFI("wgpu", **cached(folder, name, owner, lambda: _tables(parser, header)))
    except Exception as error:  # of any kind: the tables only save time
        log.info("wgpu's types are read from its header: %s", error)
        return None


def _tables(parser: Any, header: str) -> dict[str, Any]:
    """Return the `_cffi_backend.FFI` arguments of cffi's module, parsed: no stored code is run."""
    from cffi.recompiler import make_py_source

    ffi = parser()
    ffi.cdef(header)
    ffi.set_source("wgpu", None)
    text = io.StringIO()
    make_py_source(ffi, "wgpu", text)  # not `ffi.emit_python_code`, which prints to the terminal
    [made] = [node for node in ast.walk(ast.parse(text.getvalue())) if isinstance(node, ast.Call)]
    return {word.arg: ast.literal_eval(word.value) for word in made.keywords if word.arg}
