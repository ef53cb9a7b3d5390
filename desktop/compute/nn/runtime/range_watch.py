"""Detect overflow of float16 in a network's first runs, by scanning every tensor that its dispatches write.

Beyond 65504 a number becomes that or infinite and may return into range: wrong, but inconspicuous. Each
tensor is scanned on the GPU after its dispatch, as later ones reuse memory. Not a float32 run beside it:
twice the memory, and it does not locate the fault. Intended values out of range (masks, infinite inputs) are
no fault of dispatches that read them or have them in their shader.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import wgpu

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command
from desktop.compute.nn.lowering.plan import NCHW, Dispatch, Operand, Plan

LARGEST: Final = 65504.0
_END: Final = float(np.finfo(np.float32).max)
_PACKING: Final = {"float32": 1, "float16": 2}
_THREADS: Final = 256
_MOST_GROUPS: Final = 256
_LABEL: Final = "nn_tasks/out_of_range.wgsl"
_BINDINGS: Final = Bindings((Binding.uniform("plan"), Binding.read_only("values"), Binding.storage("found")))
_NUMBER: Final = re.compile(r"\bf32\((-?[0-9.]+(?:e[+-]?[0-9]+)?)\)")
_BOUND: Final = re.compile(r"@binding\((\d+)\) var<storage, read> \w+: array<(?:vec4<)?(f16|f32)>")
_BEFORE: Final = -1
"""Index that stands for the network's inputs."""


@dataclass(frozen=True)
class _Scan:
    """A scan of a storage after the dispatch with index `behind`, which was the last to write it."""

    behind: int
    storage: int
    dtype: str
    count: int


def _bits(number: float) -> int:
    return int(np.float32(number).view(np.uint32))


def _count(operand: Operand) -> int:
    """Return the count of numbers of a tensor in memory, the padding of vec4s included."""
    if operand.layout == NCHW:
        return int(np.prod(operand.shape, dtype=np.int64))
    return operand.pixels * operand.stride * 4


def _scans(plan: Plan, inputs: Sequence[str]) -> Iterator[_Scan]:
    known: dict[int, Operand] = {}
    for operand in plan.operands.values():
        before = known.get(operand.storage)
        if operand.dtype in _PACKING and (before is None or _count(operand) > _count(before)):
            known[operand.storage] = operand
    last = {storage: at for at, dispatch in enumerate(plan.dispatches) for storage in dispatch.writes}
    last |= {plan.operands[name].storage: _BEFORE for name in inputs}
    for storage, at in last.items():
        if storage in known:
            largest = known[storage]
            fits = min(_count(largest), plan.storages[storage].size // (4 // _PACKING[largest.dtype]))
            yield _Scan(at, storage, largest.dtype, fits)


class RangeWatch:
    """Commands that scan a network's tensors, and their findings. For the thread that runs the network."""

    def __init__(
        self, gpu: Gpu, plan: Plan, inputs: Sequence[str], memory: Callable[[int], wgpu.GPUBuffer]
    ) -> None:
        """Make the commands; `inputs` are the network's by name, `memory` returns a storage's buffer."""
        self._gpu, self._plan, self._memory = gpu, plan, memory
        self._scans = tuple(look for look in _scans(plan, inputs) if look.count)
        self._flags = self._words(len(self._scans))
        self._behind: dict[int, list[Command]] = {}
        for word, look in enumerate(self._scans):
            command = self._command(memory(look.storage), look.dtype, look.count, word, self._flags)
            self._behind.setdefault(look.behind, []).append(command)

    def _words(self, count: int) -> wgpu.GPUBuffer:
        usage = wgpu.BufferUsage
        return self._gpu.buffer(4 * count, usage.STORAGE | usage.COPY_SRC, "out of range")

    def _command(
        self,
        values: wgpu.GPUBuffer,
        dtype: str,
        count: int,
        word: int,
        found: wgpu.GPUBuffer,
        least: float = _END,
    ) -> Command:
        """Return the command of a scan; `least`: the smallest float32 that is reported."""
        groups = max(1, min(_MOST_GROUPS, -(-count // _THREADS)))
        plan = self._gpu.device.create_buffer_with_data(
            data=struct.pack("<2I8x", count, word), usage=wgpu.BufferUsage.UNIFORM, label=_LABEL
        )
        pipeline = self._gpu.compute_pipeline(
            task_shader("out_of_range.wgsl"),
            "look",
            label=_LABEL,
            layouts=[_BINDINGS.layout(self._gpu)],
            constants={"packing": _PACKING[dtype], "threads": groups * _THREADS, "least": _bits(least)},
        )
        return pipeline, (_BINDINGS.group(self._gpu, plan=plan, values=values, found=found),), (groups, 1, 1)

    def around(self, commands: Sequence[Command]) -> tuple[tuple[Command, ...], tuple[int, ...]]:
        """Return the dispatches, each with a scan behind, and the index of each one's begin, then the end."""
        mixed: list[Command] = []
        places = []
        for at, command in enumerate(commands):
            places.append(len(mixed))
            if at == 0:
                mixed += self._behind.get(_BEFORE, [])
            mixed += [command, *self._behind.get(at, [])]
        return tuple(mixed), (*places, len(mixed))

    def first_overflow(self) -> Dispatch | None:
        """Return the first dispatch that left the range by itself in the runs so far; waits for them."""
        words = np.frombuffer(self._gpu.queue.read_buffer(self._flags), np.uint32)
        if not words[: len(self._scans)].any():
            return None
        seen = {
            (look.behind, look.storage): bool(word) for look, word in zip(self._scans, words, strict=False)
        }
        out = {storage: is_out for (at, storage), is_out in seen.items() if at == _BEFORE}
        for at, dispatch in enumerate(self._plan.dispatches):
            # What lies beside a result in its memory stays there, and the kernel may have read it.
            given = any(out.get(storage, False) for storage in dispatch.touches)
            for storage in dispatch.writes:
                is_out = seen.get((at, storage))
                if is_out and not given and not self._means_it(dispatch):
                    return dispatch
                out[storage] = (given or out.get(storage, False)) if is_out is None else is_out
        return None

    def _means_it(self, dispatch: Dispatch) -> bool:
        """Return True if the dispatch's shader or constants have a number out of range."""
        if any(abs(float(number)) >= LARGEST for number in _NUMBER.findall(dispatch.code)):
            return True
        kinds = {int(binding): kind for binding, kind in _BOUND.findall(dispatch.code)}
        storages = [(storage, kinds.get(at)) for at, storage in enumerate(dispatch.reads)]
        constants = [
            (storage, "float16" if kind == "f16" else "float32")
            for storage, kind in storages
            if kind is not None and self._plan.storages[storage].is_constant
        ]
        return bool(constants) and self._any_out(constants)

    def _any_out(self, constants: Sequence[tuple[int, str]]) -> bool:
        found = self._words(1)
        encoder = self._gpu.command_encoder()
        compute_pass = encoder.begin_compute_pass()
        for storage, dtype in constants:
            size = self._plan.storages[storage].size // (4 // _PACKING[dtype])
            pipeline, groups, workgroups = self._command(
                self._memory(storage), dtype, size, 0, found, LARGEST
            )
            compute_pass.set_pipeline(pipeline)
            compute_pass.set_bind_group(0, groups[0])
            compute_pass.dispatch_workgroups(*workgroups)
        compute_pass.end()
        self._gpu.queue.submit([encoder.finish()])
        return any(bytes(self._gpu.queue.read_buffer(found, 0, 4)))
