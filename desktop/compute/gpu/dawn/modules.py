"""Shader modules. Dawn omits checks only for a whole device, so Tint itself drops needless index checks."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import wgpu

    from desktop.compute.gpu.checks import Checks


def make_module(device: wgpu.GPUDevice, code: str, label: str, checks: Checks) -> wgpu.GPUShaderModule:
    """Compile WGSL, with all checks."""
    return device.create_shader_module(code=code, label=label)
