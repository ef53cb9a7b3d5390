"""Texts shared by the parts of a site's plan: WGSL shaders and bind group layouts, each once."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Bindings


class Shaders:
    """The distinct shaders of a site: name, entry point and code, by index in `table`."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}
        self.table: list[dict[str, str]] = []

    def add(self, name: str, code: str, entry: str = "main") -> int:
        """Add a shader and return its number; `name` is for messages."""
        key = (code, entry)
        if key not in self._numbers:
            self._numbers[key] = len(self.table)
            self.table.append({"name": name, "entry": entry, "code": code})
        return self._numbers[key]

    def add_file(self, *names: str, entry: str = "main", changes: Mapping[str, str] | None = None) -> int:
        """Add a shader of `shaders/nn_tasks` files, with the replacements `changes`; return its number."""
        code = task_shader(*names)
        for old, new in (changes or {}).items():
            code = code.replace(old, new)
        return self.add(f"nn_tasks/{names[-1]}", code, entry)


def layout_table(bindings: Bindings) -> list[dict[str, Any]]:
    """Return bindings as entries of a `GPUBindGroupLayoutDescriptor`, each with its `name` added."""
    return [
        {
            "name": each.name,
            "binding": number,
            "visibility": bindings.visibility,
            _camel(each.kind): {_camel(key): value for key, value in each.description.items()},
        }
        for number, each in enumerate(bindings.bindings)
    ]


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def in_text(data: bytes) -> str:
    """Return bytes as base64 text: uniforms are computed here, where their layout is known."""
    return base64.b64encode(data).decode("ascii")
