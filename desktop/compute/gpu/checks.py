"""Runtime checks of a compiled shader."""

from __future__ import annotations

import enum


class Checks(enum.Flag):
    """Runtime checks of a shader. WebGPU requires all, as shaders of web pages (and users) are untrusted.

    INDICES: keeps indices in range. Without it only storage buffers are safe (with robustBufferAccess).
    LOOPS: ends a loop after 2^64 iterations, so that compilers cannot treat an endless loop as unreachable.
    """

    NONE = 0
    INDICES = enum.auto()
    LOOPS = enum.auto()
    ALL = INDICES | LOOPS
