"""Dawn's C functions; for the version known to `version.py`."""

from __future__ import annotations

import functools

from desktop.compute.gpu.native.library import Library


@functools.cache
def library() -> Library:
    """Return the loaded library."""
    from wgpudawn.backends.dawn import _api
    from wgpudawn.backends.dawn._ffi import ffi, lib

    return Library(_api, ffi, lib, lambda name: ffi.addressof(lib, name))
