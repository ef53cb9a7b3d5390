"""What a compiled shader checks while it runs."""

from __future__ import annotations

import enum


class Checks(enum.Flag):
    """WebGPU asks for all of them, because a page's shaders are a stranger's; so are a user's filters.

    INDICES: one beyond the end of an array means another of its elements. Without, one beyond the end of a storage buffer still
        reads and writes nothing foreign where the driver sees to that (Vulkan's robustBufferAccess, which wgpu always asks for); of
        other arrays and drivers nothing is known.
    LOOPS: rounds are counted, and a loop is left after 2^64 of them, lest a compiler take one that has no end for unreachable.
    """

    NONE = 0
    INDICES = enum.auto()
    LOOPS = enum.auto()
    ALL = INDICES | LOOPS
