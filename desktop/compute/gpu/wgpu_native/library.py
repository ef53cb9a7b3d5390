"""wgpu-native's C functions; for the versions known to `version.py`."""

from __future__ import annotations

import functools

from desktop.compute.gpu.native.library import Library


@functools.cache
def library() -> Library:
    """Return the loaded library."""
    # Importing wgpu-py's backend before `types.prepare` would parse its header.
    from wgpu.backends.wgpu_native import _api
    from wgpu.backends.wgpu_native._ffi import ffi, lib

    return Library(_api, ffi, lib, lambda name: getattr(lib, name))
