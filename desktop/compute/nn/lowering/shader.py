"""Assemble the text of a dispatch's shader: bindings, constants and accessors before the kernel's template."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desktop.compute.nn.ir.epilogue import literal
from desktop.compute.nn.ir.scalar import element_type
from desktop.compute.nn.lowering.accessors import Variable, array_type, finisher, reader, saturated, writer
from desktop.compute.nn.lowering.functions import functions_in
from desktop.compute.nn.lowering.launch import Kernel
from desktop.compute.nn.lowering.plan import Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.template import render

OCTETS: Final = "array<vec4<u32>>"
"""Type with eight 16-bit floats in an element."""

_WORDS: Final = "array<vec2<u32>>"
"""Type in which `OCTETS` are bound if the kernel also writes them, a vec4 at a time."""


@dataclass(frozen=True)
class Binding:
    """A storage as a variable of a shader: its WGSL name and type."""

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

    def shared(self) -> Mapping[int, str]:
        """Map each storage that is both read and written to its variable: the first operand in it.

        WebGPU forbids two bindings of a buffer if one is written. Kernels write by accessors alone, so the
        variable has the operand's name.
        """
        written = {each.storage for each in self.results.values()}
        found: dict[int, str] = {}
        for name, each in self.operands.items():
            if each.storage in written:
                found.setdefault(each.storage, name)
        return found

    def reads(self, kernel: Kernel) -> tuple[Binding, ...]:
        """Return the read-only bindings."""
        shared = self.shared()
        tensors = [
            Binding(name, each.storage, OCTETS if name in kernel.octets else array_type(each, kernel.raw))
            for name, each in self.operands.items()
            if each.storage not in shared
        ]
        arrays = [Binding(name, storage, f"array<{kind}>") for name, (storage, kind) in self.arrays.items()]
        return (*tensors, *arrays)

    def writes(self, kernel: Kernel) -> tuple[Binding, ...]:
        """Return the bindings that are written, and perhaps read."""
        shared = self.shared()
        return tuple(
            Binding(
                shared.get(each.storage, name),
                each.storage,
                _WORDS if shared.get(each.storage) in kernel.octets else array_type(each, kernel.raw),
            )
            for name, each in self.results.items()
        )

    def variable(self, name: str, operand: Operand, kernel: Kernel) -> Variable:
        """Return the variable that an operand or a result is in."""
        shared = self.shared().get(operand.storage)
        return Variable(name) if shared is None else Variable(shared, shared in kernel.octets)


def shader_text(kernel: Kernel, arguments: Arguments, target: Target) -> str:
    """Return the WGSL of a kernel with its arguments."""
    result = arguments.results["y"]
    reads, writes = arguments.reads(kernel), arguments.writes(kernel)
    lines = [*kernel.directives, *(["enable f16;"] if target.f16 else [])]
    for index, each in enumerate((*reads, *writes)):
        access = "read" if index < len(reads) else "read_write"
        lines.append(f"@group(0) @binding({index}) var<storage, {access}> {each.name}: {each.type};")
    lines.append(f"alias Element = {element_type(result.dtype)};")
    lines += [f"const {name} = {literal(value)};" for name, value in kernel.floats.items()]
    if not kernel.raw:
        lines += [
            reader(name, operand, arguments.variable(name, operand, kernel))
            for name, operand in arguments.operands.items()
            if name not in kernel.octets
        ]
        finish = finisher(arguments.finish, result)
        lines += [
            *(
                writer(
                    name,
                    each,
                    each.dtype == target.dtype == "float16",
                    arguments.variable(name, each, kernel),
                )
                for name, each in arguments.results.items()
            ),
            functions_in(finish + kernel.calls),
            finish,
        ]
    lines.append(kernel.code)
    text = render(kernel.name, "\n".join(lines), kernel.numbers)
    return saturated(text) if kernel.raw and result.dtype == target.dtype == "float16" else text
