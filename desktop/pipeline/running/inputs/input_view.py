"""A network's input tensor as a frame: converted on the GPU by the pass that fills it, read on request."""

from __future__ import annotations

import math
import struct
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np
import wgpu

from desktop.base.resources import task_shader
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.readback import ReadbackRing, Slot
from desktop.compute.gpu.webgpu import Record, make_recorder
from desktop.compute.nn.session import Tensor
from desktop.pipeline.running.caller import Caller
from desktop.vision.models.preprocess import Preprocess

_MOST_BYTES: Final = 2 << 20
"""Limit in bytes of the frames of one network: 640 x 640 pixels are not reduced."""
_INTERVAL_S: Final = 0.1
_PACKING: Final = {"float32": 1, "int32": 1, "float16": 2, "uint8": 4, "int8": 4}
_PLAN: Final = "<12I12f"
_BINDINGS: Final = Bindings(
    (Binding.uniform("plan"), Binding.read_only("tensor"), Binding.storage("pictures"))
)


@dataclass(frozen=True)
class ObservedInput:
    """Inputs of a network, uint8 [items, height, width, 3] R'G'B'; for a secondary one, an item per object.

    Attributes:
        preprocess: the preprocessing, whose mean, deviation and range are undone.
        dtype: type of the tensor in memory.
        step: reduction factor: each pixel is the mean of `step` x `step` input pixels.
    """

    name: str
    pictures: np.ndarray
    preprocess: Preprocess
    dtype: str
    step: int


class Viewable(Protocol):
    """A network whose input can be shown; `view` converts each input to a frame while it is watched."""

    name: str
    preprocess: Preprocess
    view: InputView | None
    caller: Caller

    def make_view(self) -> InputView:
        """Return an object that makes frames of its input."""

    @property
    def items(self) -> int:
        """Number of inputs that were filled last."""


def undone(preprocess: Preprocess) -> np.ndarray:
    """Return float64 (3, 4) from a tensor's channels (0, 1, 2, and 1) to R'G'B' in 0..1; gray repeats."""
    rows = np.array(preprocess.rows)
    if len(rows) == 1:
        gain, shift = rows[0, :3].sum(), rows[0, 3]
        return np.tile((1.0 / gain, 0.0, 0.0, -shift / gain), (3, 1))
    inverse = np.linalg.inv(rows[:, :3])
    return np.hstack((inverse, -inverse @ rows[:, 3:]))


class InputView:
    """Makes frames of a network's input: `shape` is (items, height, width). For the rendering thread.

    `is_fresh`: something was recorded since the last copy.
    """

    def __init__(self, gpu: Gpu, preprocess: Preprocess, tensors: Sequence[Tensor]) -> None:
        """Compile for tensors filled one after the other, each with some items; they may share memory."""
        self._gpu = gpu
        counts = [tensor.shape[0] for tensor in tensors]
        items, width, height = sum(counts), preprocess.width, preprocess.height
        self.step = 1
        while items * math.ceil(width / self.step) * math.ceil(height / self.step) * 4 > _MOST_BYTES:
            self.step += 1
        self.shape = (items, math.ceil(height / self.step), math.ceil(width / self.step))
        self.dtype = tensors[0].dtype
        self.is_fresh = False
        usage = wgpu.BufferUsage
        self._pictures = gpu.buffer(self.bytes, usage.STORAGE | usage.COPY_SRC, "input view")
        self._plans: list[wgpu.GPUBuffer] = []
        firsts = np.cumsum([0, *counts])
        self._records = [
            self._make_record(preprocess, tensor, int(first))
            for tensor, first in zip(tensors, firsts[:-1], strict=True)
        ]

    @property
    def bytes(self) -> int:
        """Size of all frames."""
        return math.prod(self.shape) * 4

    def _make_record(self, preprocess: Preprocess, tensor: Tensor, first: int) -> Record:
        last, stored = preprocess.layout == "NHWC", preprocess.channels
        if tensor.layout == "NHWC":
            last, stored = True, max(tensor.padded_channels, stored)
        _, height, width = self.shape
        plan = struct.pack(
            _PLAN,
            *(preprocess.width, preprocess.height, width, height),
            *(preprocess.channels, stored, int(last), tensor.offset // np.dtype(tensor.dtype).itemsize),
            *(tensor.shape[0], first, self.step, int(tensor.dtype == "int8")),
            *undone(preprocess).ravel().tolist(),
        )
        usage = wgpu.BufferUsage.UNIFORM
        buffer = self._gpu.device.create_buffer_with_data(data=plan, usage=usage, label="input view plan")
        self._plans.append(buffer)
        pipeline = self._gpu.compute_pipeline(
            task_shader("input_view.wgsl"),
            "main",
            label="nn_tasks/input_view.wgsl",
            layouts=[_BINDINGS.layout(self._gpu)],
            constants={"packing": _PACKING[tensor.dtype], "whole": int(tensor.dtype == "int32")},
        )
        group = _BINDINGS.group(self._gpu, plan=buffer, tensor=tensor.buffer, pictures=self._pictures)
        return make_recorder(
            [(pipeline, (group,), (math.ceil(width / 8), math.ceil(height / 8), tensor.shape[0]))]
        )

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder, number: int = 0) -> None:
        """Record the frames of the tensor of a number, which was filled before in the same pass."""
        self._records[number](compute_pass)
        self.is_fresh = True

    def copy(self, encoder: wgpu.GPUCommandEncoder, target: wgpu.GPUBuffer, offset: int) -> None:
        """Record the copy of all frames."""
        encoder.copy_buffer_to_buffer(self._pictures, 0, target, offset, self.bytes)
        self.is_fresh = False

    def close(self) -> None:
        """Release its buffers."""
        self._pictures.destroy()
        for plan in self._plans:
            plan.destroy()


class InputWatch:
    """Reads frames of networks' inputs back some times a second, not blocking. For the rendering thread."""

    def __init__(self, gpu: Gpu, networks: Sequence[Viewable]) -> None:
        """Start watching networks, which are used by one analysis; at most two."""
        self.networks = tuple(networks)
        self._views: list[InputView] = []
        for network in self.networks:
            network.view = network.make_view()
            self._views.append(network.view)
        self._ring = ReadbackRing(gpu, slots=1, size=sum(view.bytes for view in self._views))
        self._slot: Slot | None = None
        self._due_at = 0.0
        self.seen: tuple[ObservedInput, ...] = ()

    def encode(self, encoder: wgpu.GPUCommandEncoder) -> None:
        """Record the copy of new frames, unless the previous one is still in flight or too recent."""
        if not any(view.is_fresh for view in self._views) or time.perf_counter() < self._due_at:
            return
        # A slot left by a refused frame is used again.
        self._slot = self._slot or self._ring.take()
        if self._slot is None:
            return
        offset = 0
        for view in self._views:
            view.copy(encoder, self._slot.buffer, offset)
            offset += view.bytes
        self._due_at = time.perf_counter() + _INTERVAL_S

    def submitted(self) -> None:
        """Record that the frame was submitted."""
        if self._slot is not None:
            slot, self._slot = self._slot, None
            note = tuple(network.items for network in self.networks)
            self._ring.submitted(slot, note, sum(view.bytes for view in self._views))

    @property
    def wants_frames(self) -> bool:
        """True while there is something new that no frame has copied."""
        return any(view.is_fresh for view in self._views)

    def poll(self) -> None:
        """Accept frames that were read back."""
        for arrival in self._ring.arrivals()[-1:]:
            found, offset = [], 0
            for network, view, items in zip(self.networks, self._views, arrival.note, strict=True):
                data = np.frombuffer(arrival.data, np.uint8, view.bytes, offset).reshape(*view.shape, 4)
                offset += view.bytes
                pictures = data[:items, :, :, :3]
                found.append(ObservedInput(network.name, pictures, network.preprocess, view.dtype, view.step))
            self.seen = tuple(found)

    def close(self) -> None:
        """Stop watching."""
        for network, view in zip(self.networks, self._views, strict=True):
            network.view = None
            view.close()
        self._ring.close()
