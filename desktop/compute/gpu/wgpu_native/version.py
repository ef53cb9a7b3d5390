"""Which versions of wgpu-py and wgpu-native this package was written for, and whether these are here.

pyproject.toml pins wgpu-py, which carries its wgpu-native; a distribution's packages, or a library that WGPU_LIB_PATH names, may be others.
Then nothing here is relied on: dispatches are recorded and results waited for by wgpu-py's public methods, and its header is read
at each start. All of that gives the same pictures, later; `lightloom doctor` says so.
"""

from __future__ import annotations

import functools
from typing import Final

import wgpu

from desktop.compute.gpu.versions import Versions

KNOWN: Final = Versions("0.32.0", "29.0.1.1")


@functools.cache
def versions_in_use() -> Versions:
    """Return the versions in use; looked for once. Loads the library, so `types.prepare` comes first."""
    import wgpu.backends.wgpu_native as backend

    return Versions(wgpu.__version__, ".".join(map(str, backend.lib_version_info)))


def is_known() -> bool:
    """True if the insides of the versions in use are the ones that this package knows."""
    return versions_in_use() == KNOWN


def binding_is_known() -> bool:
    """The same of wgpu-py alone, without loading the library."""
    return bool(wgpu.__version__ == KNOWN.binding)
