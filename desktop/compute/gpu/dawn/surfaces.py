"""Check whether an adapter can present to a window's surface."""

from __future__ import annotations

from typing import Any

import wgpu


def can_present(context: Any, adapter: wgpu.GPUAdapter) -> bool:
    """Return True if an adapter can present to a rendercanvas context: OpenGL's adapters cannot."""
    return not str(adapter.info["backend_type"]).startswith("OpenGL")
