"""Versions of a WebGPU's Python package and of the library in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Versions:
    """Of a package and of its library, with what both are called."""

    binding: str
    library: str
    package: str = "wgpu"
    title: str = "wgpu-native"

    def __str__(self) -> str:
        return f"{self.package} {self.binding} with {self.title} {self.library}"
