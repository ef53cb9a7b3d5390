"""A WebGPU library as its Python package has loaded it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Library:
    """A loaded library; both packages wrap webgpu.h by cffi, and their classes have one set of names.

    Attributes:
        api: the module of the package's GPU classes, with `libf`, its functions that raise reported errors.
        ffi: the package's cffi types.
        lib: its constants and functions.
        pointer: returns a function's address by its name, as a cffi pointer.
    """

    api: Any
    ffi: Any
    lib: Any
    pointer: Callable[[str], Any]

    def function(self, name: str, *arguments: Any, result: Any = None) -> Callable[..., Any]:
        """Return a C function that is called without releasing the interpreter's lock.

        It must neither wait nor compile nor call back from another thread. `arguments` and `result`: ctypes
        types; without arguments none is checked.
        """
        return ctypes.PYFUNCTYPE(result, *arguments)(self.address(self.pointer(name)))

    def untyped(self, name: str) -> Any:
        """Return a C function as `function` does, whose arguments are not checked."""
        return ctypes.PYFUNCTYPE(None)(self.address(self.pointer(name)))

    def address(self, thing: Any) -> int:
        """Return the address of a cffi pointer."""
        return int(self.ffi.cast("uintptr_t", thing))
