"""Shader modules of Dawn, which cannot omit checks for a single module."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import wgpu

    from desktop.compute.gpu.checks import Checks


def make_module(device: wgpu.GPUDevice, code: str, label: str, checks: Checks) -> wgpu.GPUShaderModule:
    """Compile WGSL. `checks` is ignored; Tint omits index checks that it can prove needless."""
    return device.create_shader_module(code=code, label=label)
