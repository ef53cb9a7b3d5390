"""Versions of wgpu-py and wgpu-native in use, and those whose internals this package knows.

With others only wgpu-py's public methods are used: slower, as `lightloom doctor` reports.
"""

from __future__ import annotations

import functools
from typing import Final

import wgpu

from desktop.compute.gpu.versions import Versions

KNOWN: Final = Versions("0.32.0", "29.0.1.1")


@functools.cache
def versions_in_use() -> Versions:
    """Return the versions in use; cached. Loads the library, so call `types.prepare` before."""
    import wgpu.backends.wgpu_native as backend

    return Versions(wgpu.__version__, ".".join(map(str, backend.lib_version_info)))


def is_known() -> bool:
    """Return True if this package knows the internals of the versions in use."""
    return versions_in_use() == KNOWN


def binding_is_known() -> bool:
    """Return True if this package knows the internals of wgpu-py, without loading the library."""
    return bool(wgpu.__version__ == KNOWN.binding)
