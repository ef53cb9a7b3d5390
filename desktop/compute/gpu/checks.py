"""Runtime checks of a compiled shader."""

from __future__ import annotations

import enum


class Checks(enum.Flag):
    """Checks that a shader makes while it runs. WebGPU requires all of them, because web pages' shaders are
    untrusted, as users' filters are.

    INDICES: one out of range accesses another element of the array. Without it, one past the end of a storage
    buffer still touches no
        other memory if the driver ensures that (Vulkan's robustBufferAccess, which wgpu always requests); for other arrays and
        drivers nothing is guaranteed.
    LOOPS: iterations are counted, and a loop ends after 2^64 of them, so that compilers cannot treat an
    endless loop as unreachable.
    """

    NONE = 0
    INDICES = enum.auto()
    LOOPS = enum.auto()
    ALL = INDICES | LOOPS
