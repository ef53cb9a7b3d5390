"""Resources that a shader binds. A binding has one number in layout, WGSL and bind group: its index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self, TypeAlias

import wgpu

from desktop.compute.gpu.device import Gpu

Resource: TypeAlias = "wgpu.GPUBuffer | wgpu.GPUTexture | wgpu.GPUSampler"

_SCALARS: Final = {"uint": "u32", "sint": "i32"}


@dataclass(frozen=True)
class Binding:
    """A resource that a shader binds; `kind` is 'buffer', 'sampler', 'texture' or 'storage_texture'.

    Attributes:
        description: layout of this kind, such as WebGPU's `GPUBufferBindingLayout`.
        space: address space of a buffer in WGSL, '' for the others.
        wgsl: its type in WGSL; '' for a buffer that only the shader's own file declares.
    """

    name: str
    kind: str
    description: Mapping[str, str]
    space: str
    wgsl: str

    def resource(self, given: Resource) -> Any:
        """Return the bind group entry of a resource: the whole buffer, or a view of all of the texture."""
        if self.kind == "buffer":
            return {"buffer": given, "offset": 0, "size": given.size}
        if self.kind == "sampler":
            return given
        return given.create_view(dimension=self.description["view_dimension"])

    @classmethod
    def uniform(cls, name: str, wgsl: str = "") -> Self:
        """Return the binding of a uniform buffer."""
        return cls(name, "buffer", {"type": "uniform"}, "uniform", wgsl)

    @classmethod
    def storage(cls, name: str, wgsl: str = "") -> Self:
        """Return the binding of a storage buffer that is read and written."""
        return cls(name, "buffer", {"type": "storage"}, "storage, read_write", wgsl)

    @classmethod
    def read_only(cls, name: str, wgsl: str = "") -> Self:
        """Return the binding of a storage buffer that is read."""
        return cls(name, "buffer", {"type": "read-only-storage"}, "storage", wgsl)

    @classmethod
    def sampler(cls, name: str) -> Self:
        """Return the binding of a filtering sampler."""
        return cls(name, "sampler", {"type": "filtering"}, "", "sampler")

    @classmethod
    def texture(cls, name: str, sample_type: str = "float", dimension: str = "2d") -> Self:
        """Return the binding of a texture that is sampled or loaded.

        `sample_type`: 'float', 'unfilterable-float', 'uint', 'sint'; `dimension`: '2d', '2d-array', '3d'.
        """
        description = {"sample_type": sample_type, "view_dimension": dimension}
        return cls(
            *(name, "texture", description, ""),
            f"texture_{dimension.replace('-', '_')}<{_SCALARS.get(sample_type, 'f32')}>",
        )

    @classmethod
    def storage_texture(cls, name: str, fmt: str, dimension: str = "2d") -> Self:
        """Return the binding of a texture of a format that is written; `dimension` is '2d' or '2d-array'."""
        description = {"access": "write-only", "format": fmt, "view_dimension": dimension}
        wgsl = f"texture_storage_{dimension.replace('-', '_')}<{fmt}, write>"
        return cls(name, "storage_texture", description, "", wgsl)


@dataclass(frozen=True)
class Bindings:
    """The bindings of one group, numbered in order."""

    bindings: tuple[Binding, ...]
    visibility: int = wgpu.ShaderStage.COMPUTE

    def layout(self, gpu: Gpu) -> wgpu.GPUBindGroupLayout:
        """Return the bind group layout; equal bindings have the same one."""
        return gpu.bind_group_layout(
            [
                {"binding": number, "visibility": self.visibility, binding.kind: dict(binding.description)}
                for number, binding in enumerate(self.bindings)
            ]
        )

    def declarations(self, group: int) -> list[str]:
        """Return a line of WGSL for each binding."""
        return [
            f"@group({group}) @binding({number}) var{f'<{b.space}>' if b.space else ''} {b.name}: {b.wgsl};"
            for number, b in enumerate(self.bindings)
        ]

    def group(self, gpu: Gpu, /, **resources: Resource) -> wgpu.GPUBindGroup:
        """Return a bind group of resources by name; raise KeyError if bindings and resources do not match."""
        if unknown := resources.keys() - {binding.name for binding in self.bindings}:
            raise KeyError(*unknown)
        entries = [
            {"binding": number, "resource": binding.resource(resources[binding.name])}
            for number, binding in enumerate(self.bindings)
        ]
        return gpu.device.create_bind_group(layout=self.layout(gpu), entries=entries)
