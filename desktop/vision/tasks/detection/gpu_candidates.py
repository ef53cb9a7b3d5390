"""`choose_candidates` on the GPU: only the best anchors are read back, at most 215 of some thousand.

An entry has 16 bytes, and 4 for each of the family's extra columns, so that fewer of those fit.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, make_recorder
from desktop.compute.nn.session import Tensor
from desktop.vision.tasks.detection.candidates import Candidates, most_candidates
from desktop.vision.tasks.detection.decoder import CLASS_LIMIT, Activation, AnchorGroup, Columns

CAPACITY: Final = 8192
"""Maximum of anchors that are ranked, by comparing all pairs; of more, arbitrary ones are left out."""
_MOST_ANCHORS: Final = 1 << 20
_MOST_CLASSES: Final = CLASS_LIMIT + 1
_HEADER_BYTES: Final = 16
_LISTED_BYTES: Final = 16  # of a candidate on the list
_LABEL: Final = "nn_tasks/candidates.wgsl"
_PACKING: Final = {"float32": 1, "float16": 2}
_PLAN: Final = "<12I2f10I"
_ACTIVATIONS: Final[dict[Activation, int]] = {"none": 0, "sigmoid": 1, "softmax": 2}
_INTEGER_DTYPE: Final = "int32"
_THREADS: Final = 64
_NO_COLUMN: Final = 0xFFFFFFFF
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("plan"),
        Binding.read_only("scores"),
        Binding.read_only("objectness"),
        Binding.read_only("boxes"),
        Binding.read_only("settings"),
        Binding.storage("list"),
        Binding.storage("result"),
        Binding.read_only("numbers"),
        Binding.read_only("rows"),
    )
)


class GpuCandidates:
    """Records the dispatches that write the best candidates to `result`. For the render thread.

    `result` (COPY_SRC) has a header of 16 bytes, whose first u32 is the number of candidates that passed. At
    most `entries` entries of 16 + 4 * `extras` bytes follow, best first: key (u32: anchor in the lower 20
    bits, class in the upper 12), score (f32), the box's four numbers as the network encodes them (f16), and
    the extra columns (f32).
    """

    def __init__(
        self,
        gpu: Gpu,
        tensors: Mapping[str, Tensor],
        groups: Sequence[AnchorGroup],
        powers: tuple[float, float],
    ) -> None:
        """Compile it for contiguous float32 or float16 outputs; nothing passes before `adjust`.

        Raises ModelUnsupportedError for other outputs, and too many anchors or classes.
        """
        _check(tensors, groups)
        self._gpu = gpu
        self._powers = powers
        self._classes = max(group.numbers for group in groups)
        anchors = sum(group.anchors for group in groups)
        self.extras = extras = groups[0].extras
        self._entry = np.dtype(
            [("key", "<u4"), ("score", "<f4"), ("values", "<f2", 4), ("extras", "<f4", (extras,))]
        )
        self.entries = min(most_candidates(groups), anchors)
        self.result_bytes = _HEADER_BYTES + self.entries * self._entry.itemsize
        usage = wgpu.BufferUsage
        self.result = gpu.buffer(self.result_bytes, usage.STORAGE | usage.COPY_SRC, "candidates")
        capacity = min(CAPACITY, anchors)
        size = _HEADER_BYTES + capacity * _LISTED_BYTES
        self._list = gpu.buffer(size, usage.STORAGE, "candidates that passed")
        settings = 16 + 4 * -(-self._classes // 32)
        self._settings = gpu.buffer(settings, usage.STORAGE | usage.COPY_DST, "detection settings")
        self._plans: list[wgpu.GPUBuffer] = []
        self._record = make_recorder(self._commands(tensors, groups, capacity))

    def _commands(
        self, tensors: Mapping[str, Tensor], groups: Sequence[AnchorGroup], capacity: int
    ) -> list[Command]:
        layouts = [_BINDINGS.layout(self._gpu)]
        code = task_shader("candidates.wgsl")
        packing = _PACKING[tensors[groups[0].scores.output].dtype]

        def pipeline(entry: str, **constants: float) -> wgpu.GPUComputePipeline:
            return self._gpu.compute_pipeline(code, entry, label=_LABEL, layouts=layouts, constants=constants)

        scored, ranked, first = [], [], 0
        for group in groups:
            plan = self._plan(tensors, group, first)
            extra = group.extra or group.rest or group.box
            scored.append((self._bound(tensors, group, plan, group.box.output), group.anchors))
            ranked.append(self._bound(tensors, group, plan, extra.output))
            first += group.anchors
        activation = _ACTIVATIONS[groups[0].activation]  # of all groups: a family has one
        whole = any(tensors[g.class_number.output].dtype == _INTEGER_DTYPE for g in groups if g.class_number)
        whole_rows = any(tensors[g.rows].dtype == _INTEGER_DTYPE for g in groups if g.rows)
        score = pipeline("score", packing=packing, activation=activation, whole=whole, whole_rows=whole_rows)
        has_rest = groups[0].rest is not None
        begin = pipeline("begin")
        rank = pipeline("rank", packing=packing, extras=groups[0].extras, has_rest=has_rest)
        return [
            (begin, (scored[0][0],), (1, 1, 1)),
            *((score, (bound,), (-(-anchors // _THREADS), 1, 1)) for bound, anchors in scored),
            *((rank, (bound,), (-(-capacity // _THREADS), 1, 1)) for bound in ranked),
        ]

    def _plan(self, tensors: Mapping[str, Tensor], group: AnchorGroup, first: int) -> wgpu.GPUBuffer:
        objectness = group.objectness or group.scores
        power = self._powers[0] if group.objectness else 0.0
        slots = (group.scores, objectness, group.box)
        places = [
            value for slot in slots for value in column_place(tensors[slot.output], slot, group.anchors)
        ]
        number, number_step = _NO_COLUMN, 0
        numbers = group.class_number or group.scores
        if group.class_number is not None:
            number, number_step, _ = column_place(tensors[numbers.output], numbers, group.anchors)
        extra = (0, 0, 0)
        further = group.extra or group.rest
        if further is not None:
            extra = column_place(tensors[further.output], further, group.anchors)
        plan = struct.pack(
            _PLAN,
            *(first, group.anchors, group.numbers, *places),
            *(power, self._powers[1]),
            *(number, group.others, *extra, number_step),
            *(group.bins, _first(tensors[group.rows]) if group.rows else _NO_COLUMN, group.peaks, 0),
        )
        usage = wgpu.BufferUsage
        uniform = self._gpu.device.create_buffer_with_data(
            data=plan, usage=usage.UNIFORM, label="candidates plan"
        )
        self._plans.append(uniform)
        return uniform

    def _bound(
        self, tensors: Mapping[str, Tensor], group: AnchorGroup, plan: wgpu.GPUBuffer, boxes: str
    ) -> wgpu.GPUBindGroup:
        objectness, numbers = group.objectness or group.scores, group.class_number or group.scores
        return _BINDINGS.group(
            self._gpu,
            plan=plan,
            scores=tensors[group.scores.output].buffer,
            objectness=tensors[objectness.output].buffer,
            boxes=tensors[boxes].buffer,
            settings=self._settings,
            list=self._list,
            result=self.result,
            numbers=tensors[numbers.output].buffer,
            rows=tensors[group.rows or group.scores.output].buffer,
        )

    def adjust(self, threshold: float, shown: np.ndarray) -> None:
        """Set the least score and the shown classes, bool (classes,), from the next frame on."""
        bits = np.zeros(-(-self._classes // 32) * 32, bool)
        bits[: len(shown)] = shown
        words = np.packbits(bits, bitorder="little").tobytes()
        self._gpu.queue.write_buffer(self._settings, 0, struct.pack("<f3I", threshold, 0, 0, 0) + words)

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        """Record the dispatches into an open compute pass, after the network's."""
        self._record(compute_pass)

    def decode(self, data: bytes | memoryview) -> Candidates:
        """Return the candidates in what was copied from `result`."""
        passed = int.from_bytes(bytes(data[:4]), "little")
        count = min(passed, self.entries)
        found = np.frombuffer(bytes(data), self._entry, count, _HEADER_BYTES)
        anchors = (found["key"] & (_MOST_ANCHORS - 1)).astype(np.int64)
        classes = (found["key"] >> 20).astype(np.int64)
        scores, values = found["score"].astype(np.float64), found["values"].astype(np.float64)
        return Candidates(anchors, classes, scores, values, passed, found["extras"].astype(np.float64))

    def close(self) -> None:
        """Release the buffers that it made."""
        for buffer in (self.result, self._list, self._settings, *self._plans):
            buffer.destroy()


def column_place(tensor: Tensor, columns: Columns, anchors: int) -> tuple[int, int, int]:
    """Return a tensor's columns: element of anchor 0, stride between anchors, stride between columns."""
    first = _first(tensor)
    if columns.columns_last or tensor.layout == "NHWC":
        across = (
            tensor.padded_channels
            if tensor.layout == "NHWC"
            else int(np.prod(tensor.shape)) // max(anchors, 1)
        )
        return first + columns.first, across, 1
    return first + columns.first * anchors, 1, anchors


def _first(tensor: Tensor) -> int:
    return tensor.offset * _PACKING.get(tensor.dtype, 1) // 4


def _check(tensors: Mapping[str, Tensor], groups: Sequence[AnchorGroup]) -> None:
    # Numbers of classes and of rows may be whole; int64 is int32 on the GPU.
    numbers = {group.class_number.output for group in groups if group.class_number is not None}
    numbers |= {group.rows for group in groups if group.rows}
    types = sorted(
        {t.dtype for name, t in tensors.items() if name not in numbers or t.dtype != _INTEGER_DTYPE}
    )
    if len(types) != 1 or types[0] not in _PACKING:
        raise ModelUnsupportedError(
            sentence(
                "The detector's outputs are {types}; the GPU path takes float32 or float16, choose "
                "onnxruntime.",
                types=" and ".join(types),
            ),
            tuple(f"output type {name}" for name in types),
        )
    anchors, classes = sum(g.anchors for g in groups), max(g.numbers for g in groups)
    if anchors >= _MOST_ANCHORS or classes >= _MOST_CLASSES:
        raise ModelUnsupportedError(
            sentence(
                "The detector has {anchors} anchors and {classes} classes; the GPU path takes "
                "{most_anchors} and "
                "{most_classes}, choose onnxruntime.",
                anchors=anchors,
                classes=classes,
                most_anchors=_MOST_ANCHORS - 1,
                most_classes=_MOST_CLASSES - 1,
            ),
            (f"{anchors} anchors", f"{classes} classes"),
        )
