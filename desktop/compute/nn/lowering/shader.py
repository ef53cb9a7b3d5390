"""Assemble the text of a dispatch's shader: bindings, constants and accessors before the kernel's template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.scalar import element_type
from desktop.compute.nn.lowering.accessors import array_type, finisher, reader, saturated, writer
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.template import render

OCTETS: Final = "array<vec4<u32>>"
"""Type with eight 16-bit floats in an element."""


@dataclass(frozen=True)
class Binding:
    """A storage that a shader reads, as a variable: its WGSL name and type."""

    name: str
    storage: int
    type: str


@dataclass(frozen=True)
class Arguments:
    """Tensors and tables that a kernel reads and writes, by WGSL name; the first result is `y`.

    Attributes:
        operands: those of the epilogue included.
        arrays: packed constants and the epilogue's tables: name -> (storage, element type).
        finish: the epilogue as WGSL statements on `v`.
    """

    operands: Mapping[str, Operand]
    results: Mapping[str, Operand]
    arrays: Mapping[str, tuple[int, str]]
    finish: Sequence[str]

    def bindings(self, raw: bool, octets: frozenset[str] = frozenset()) -> tuple[Binding, ...]:
        """Return the read-only bindings; `raw`: as arrays of numbers, `octets`: as 16 bytes an element."""
        tensors = [
            Binding(name, each.storage, OCTETS if name in octets else array_type(each, raw))
            for name, each in self.operands.items()
        ]
        arrays = [Binding(name, storage, f"array<{kind}>") for name, (storage, kind) in self.arrays.items()]
        return (*tensors, *arrays)


def shader_text(kernel: Kernel, arguments: Arguments, target: Target) -> str:
    """Return the WGSL of a kernel with its arguments."""
    result = arguments.results["y"]
    bindings = arguments.bindings(kernel.raw, kernel.octets)
    lines = [*kernel.directives, *(["enable f16;"] if target.f16 else [])]
    for index, each in enumerate(bindings):
        lines.append(f"@group(0) @binding({index}) var<storage, read> {each.name}: {each.type};")
    for index, (name, written) in enumerate(arguments.results.items(), len(bindings)):
        kind = array_type(written, kernel.raw)
        lines.append(f"@group(0) @binding({index}) var<storage, read_write> {name}: {kind};")
    lines.append(f"alias Element = {element_type(result.dtype)};")
    lines += [f"const {name} = {literal(value)};" for name, value in kernel.floats.items()]
    if not kernel.raw:
        lines += [
            reader(name, operand) for name, operand in arguments.operands.items() if name not in kernel.octets
        ]
        finish = finisher(arguments.finish, result)
        lines += [
            *(
                writer(name, each, each.dtype == target.dtype == "float16")
                for name, each in arguments.results.items()
            ),
            functions_in(finish + kernel.calls),
            finish,
        ]
    lines.append(kernel.code)
    text = render(kernel.name, "\n".join(lines), kernel.numbers)
    return saturated(text) if kernel.raw and result.dtype == target.dtype == "float16" else text
