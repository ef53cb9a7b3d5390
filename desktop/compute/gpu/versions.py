"""Versions of a WebGPU implementation: of its Python package and of the library in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Versions:
    """Versions of a package and its library, with their names."""

    binding: str
    library: str
    package: str = "wgpu"
    title: str = "wgpu-native"

    def __str__(self) -> str:
        return f"{self.package} {self.binding} with {self.title} {self.library}"
