"""Check whether an adapter can present to a window's surface."""

from __future__ import annotations

from typing import Any

import wgpu


def can_present(context: Any, adapter: wgpu.GPUAdapter) -> bool:
    """Tell whether the surface of a rendercanvas context takes an adapter's pictures: OpenGL's adapters draw into no window."""
    return not str(adapter.info["backend_type"]).startswith("OpenGL")
