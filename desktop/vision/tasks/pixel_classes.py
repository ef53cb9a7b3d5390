"""Semantic segmentation as an analysis: each class's share of the image, and its mask, with a legend.

A class's mask is the margin of its score above the best other's, 0 at its border.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, ClassVar, Final

import numpy as np
import wgpu

from desktop.base.errors import ModelUnsupportedError
from desktop.base.resources import task_shader
from desktop.base.wording import sentence
from desktop.compute.gpu.bindings import Binding, Bindings
from desktop.compute.gpu.device import Gpu
from desktop.compute.gpu.webgpu import Command, make_recorder
from desktop.compute.nn.session import Tensor
from desktop.vision.models.builtin import TABLE_KEYS
from desktop.vision.models.facts import ModelFacts
from desktop.vision.models.findings import Finding, Match, sentence_of, unsettled
from desktop.vision.models.labels import (
    Labels,
    choose_labels,
    metadata_labels,
    read_labels,
    sidecar_labels,
)
from desktop.vision.models.model_file import ModelFile
from desktop.vision.models.preprocess import Preprocess
from desktop.vision.tasks import mask
from desktop.vision.tasks.common.dense import (
    DensePlan,
    DenseRequest,
    OutputLayout,
    WorkingInput,
    choose_output,
    layout_of,
)
from desktop.vision.tasks.common.mask_ring import MaskRing, mask_pixels
from desktop.vision.tasks.common.object_settings import CLASSES
from desktop.vision.tasks.detection.detector import unknown_classes
from desktop.vision.tasks.shapes import Label, Mask, Shape
from desktop.vision.tasks.task import (
    Features,
    Loaded,
    ReducingHead,
    Result,
    ResultTask,
    Setting,
    Size,
    Values,
)

_SHOWN: Final = 16
"""Most classes with a mask."""
_LISTED: Final = 64
"""Maximum number of listed classes."""
_LONGEST: Final = 640
"""Most texels of a mask's longer side."""
_NUMBERS: Final = 256
"""Assumed number of classes of a network whose output is class numbers."""
_LARGEST: Final = 1e4
_STRIP: Final = 32
"""Rows that are enlarged at a time, to limit the memory of 150 classes of 512 x 512 pixels."""
_ELEMENTS: Final = {"float32": 0, "float16": 1, "int32": 2, "uint32": 3}
_BYTES: Final = {"float32": 4, "float16": 2, "int32": 4, "uint32": 4}
_HEADER: Final = struct.Struct("<4I")
_ENTRY: Final = np.dtype([("index", "<u4"), ("pixels", "<u4")])
_BACKGROUND: Final = "background"
_VOC: Final = (
    *(_BACKGROUND, "aeroplane", "bicycle", "bird", "boat", "bottle", "bus", "car", "cat", "chair", "cow"),
    *("dining table", "dog", "horse", "motorbike", "person", "potted plant", "sheep", "sofa", "train"),
    "tv monitor",
)
_CITYSCAPES: Final = (
    *("road", "sidewalk", "building", "wall", "fence", "pole", "traffic light", "traffic sign", "vegetation"),
    *("terrain", "sky", "person", "rider", "car", "truck", "bus", "train", "motorcycle", "bicycle"),
)
_USUAL: Final = {
    1: Labels((_BACKGROUND, "foreground"), sentence("a mask's two sides")),
    2: Labels((_BACKGROUND, "foreground"), sentence("a mask's two sides")),
    len(_VOC): Labels(_VOC, "Pascal VOC"),
    len(_CITYSCAPES): Labels(_CITYSCAPES, "Cityscapes"),
}
_BINDINGS: Final = Bindings(
    (
        Binding.uniform("plan"),
        Binding.read_only("tensor"),
        Binding.storage("counts"),
        Binding.storage("result"),
        Binding.read_only("shown"),
        Binding.storage("drawn"),
        Binding.storage_texture("layers", "r32float", "2d-array"),
    )
)


@dataclass(frozen=True)
class ClassShare:
    """A class: its index in the network's output, its name, and its fraction of the image."""

    index: int
    label: str
    share: float


@dataclass(frozen=True)
class PixelClasses(Result):
    """Classes of a frame's pixels, the most frequent first, and masks of the shown ones."""

    classes: tuple[ClassShare, ...]
    masks: tuple[Mask, ...] = field(repr=False)

    def json(self) -> dict[str, Any]:
        """Return 'classes': index, label and fraction of each class present."""
        return {"classes": [asdict(item) for item in self.classes]}

    def lines(self) -> tuple[str, ...]:
        """Share and name of each class."""
        return tuple(f"{item.share:7.2%}  {item.label}" for item in self.classes)

    def shapes(self) -> tuple[Shape, ...]:
        """The labels of the shown classes, which are the legend, and their masks."""
        shares = {item.index: item for item in self.classes}
        legend = (shares[mask.index] for mask in self.masks)
        return (*(Label(i.label, i.share, i.index, colored=True) for i in legend), *self.masks)


class PixelClassesTask(ResultTask):
    """Semantic segmentation; stated for a network, or requested for one that is a stage by itself."""

    id = "pixel_classes"
    title = sentence("Classes of pixels")
    summary = sentence("Classes of pixels: colors with a legend, and how much each covers")
    icon = "task_mask"
    page = "segmentation.md"
    order = 65
    names_classes = True
    finds = False
    settings: ClassVar[tuple[Setting, ...]] = (CLASSES,)
    table_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "input": ("turns",),
        "output": TABLE_KEYS["output"],
    }

    def recognize(self, facts: ModelFacts) -> Match | None:
        """See `Task`: such a network is a stage, unless this is stated."""
        return None

    def prepare(
        self, file: ModelFile, values: Values, preset: Values
    ) -> tuple[Preprocess, tuple[Finding, ...]]:
        """See `Task`: as for the stage, with the whole image stretched over the input."""
        plan, findings = mask.TASK.prepare(file, mask.TASK.checked({}), {})
        given = {each.name: getattr(plan, each.name) for each in fields(Preprocess)}
        chosen, unknown = Preprocess(**{**given, "resize": "stretch"}).updated(preset)
        return chosen.checked(file.facts), (*unsettled(findings, preset), *unknown)

    def head(self, loaded: Loaded, values: Values) -> PixelClassesHead:
        return PixelClassesHead(loaded, values)


TASK: Final = PixelClassesTask()


class PixelClassesHead(ReducingHead):
    """Head that computes counts and margins of classes."""

    def __init__(self, loaded: Loaded, values: Values) -> None:
        """Find the map in the outputs, and compile it; raise ModelUnsupportedError if there is none."""
        file, self._preprocess = loaded.file, loaded.preprocess
        info, self._layout, findings = _layout(loaded)
        self._output = info
        whole = self._layout.activation == "argmax"
        self._classes = _NUMBERS if whole else max(2, self._layout.channels)
        self._kind = 1 if whole else 2 if self._layout.channels == 1 else 0
        # Between a probability's two sides, and a logit's.
        self._edge = 0.5 if self._layout.activation == "none" else 0.0
        self.labels = labels_of(self._classes, whole, file)
        self.features = Features(TASK.id, self.labels.names, {})
        self.notes = (
            *map(sentence_of, findings),
            sentence("Labels: {origin}.", origin=self.labels.origin),
            *unknown_classes(values["classes"], self.labels),
        )
        # Maximum texels a side of a mask: 16 masks of 2 million texels would be 0.5 GB.
        width, height = self._layout.size
        self._step = -(-max(width, height) // _LONGEST)
        size = (-(-width // self._step), -(-height // self._step))
        self._ring = MaskRing(loaded.gpu, size, min(_SHOWN, self._classes))
        self._layers: dict[int, np.ndarray] = {}  # which classes are shown in a slot of the ring
        self._gpu: _GpuClasses | None = None
        if loaded.on_gpu:
            plan = (self._layout, self._kind, self._classes, self._edge, self._step)
            self._gpu = _GpuClasses(loaded.gpu, loaded.tensor(info), self._ring, plan)
            self.result_buffer, self.result_bytes = self._gpu.result, self._gpu.result_bytes
        self.adjust(values)

    def adjust(self, values: Values) -> None:
        """See `Head`: sets the shown classes; by default all but those named as background."""
        wanted = {name.casefold() for name in TASK.checked(values)["classes"]}
        names = [self.labels[i].casefold() for i in range(self._classes)]
        self._shown = np.array([name in wanted if wanted else name != _BACKGROUND for name in names])
        if self._gpu is not None:
            self._gpu.adjust(self._shown)

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> None:
        assert self._gpu is not None
        self._layers[self._gpu.encode(compute_pass)] = self._shown

    def decode(self, data: bytes | memoryview, size: Size) -> PixelClasses:
        whole = bytes(data)
        present, slot, _, _ = _HEADER.unpack_from(whole)
        found = np.frombuffer(whole, _ENTRY, min(present, _LISTED, self._classes), _HEADER.size)
        turn = self._ring.turn(slot)

        def reader(layer: int) -> np.ndarray | None:
            layers = self._ring.fetch(turn)
            return None if layers is None else layers[layer]

        # Chosen anew since the frame was recorded, the classes would not be those of the layers.
        shown = self._layers[slot]
        return self._result(found["index"], found["pixels"], shown, turn, reader, size)

    def read(self, outputs: Mapping[str, np.ndarray], size: Size) -> PixelClasses:
        best, margin = self._margins(outputs[self._output])
        counts = np.bincount(best.ravel(), minlength=self._classes)
        order = np.argsort(-counts, kind="stable")[: min(_LISTED, np.count_nonzero(counts))]
        shown = self._shown
        drawn = [int(index) for index in order if shown[index]][: self._ring.layers]
        layers = np.array([self._thinned(margin(index)) for index in drawn], np.float32)
        slot = self._ring.take()
        if drawn:
            self._ring.put(slot, layers)

        def reader(layer: int) -> np.ndarray:
            return layers[layer]

        return self._result(order, counts[order], shown, self._ring.turn(slot), reader, size)

    def _thinned(self, margin: np.ndarray) -> np.ndarray:
        """The pixel at the center of each texel of a mask."""
        (across, down), first = self._ring.size, (self._step - 1) // 2
        rows, columns = (
            np.minimum(np.arange(n) * self._step + first, limit - 1)
            for n, limit in zip((down, across), margin.shape, strict=True)
        )
        return np.asarray(margin[np.ix_(rows, columns)])

    def _margins(self, output: np.ndarray) -> tuple[np.ndarray, Callable[[int], np.ndarray]]:
        """Return each pixel's best class (height, width), and a function of a class's margin, float32."""
        scores = _PixelScores(self._layout, output)
        if self._kind == 1:
            best = np.clip(np.rint(scores.channel(0)), 0, self._classes - 1).astype(np.int64)
            return best, lambda index: np.where(best == index, 1.0, -1.0).astype(np.float32)
        if self._kind == 2:
            above = scores.channel(0) - np.float32(self._edge)
            return (above > 0).astype(np.int64), lambda index: above if index else -above
        best, first, second = scores.two_best()

        def margin(index: int) -> np.ndarray:
            return np.where(best == index, first - second, scores.channel(index) - first)

        return best, margin

    def _result(
        self,
        order: np.ndarray,
        pixels: np.ndarray,
        shown: np.ndarray,
        turn: int,
        reader: Callable[[int], np.ndarray | None],
        size: Size,
    ) -> PixelClasses:
        layout = self._layout
        # The last texels may reach beyond the output.
        across, down = (n * self._step for n in self._ring.size)
        width, height = layout.size
        part = (0.0, 0.0, width / across, height / down)
        classes: list[ClassShare] = []
        masks: list[Mask] = []
        texture = self._ring.textures[turn % len(self._ring.textures)]
        for index, count in zip(order.tolist(), pixels.tolist(), strict=True):
            classes.append(ClassShare(index, self.labels[index], count / (width * height)))
            layer = len(masks)
            if layer < self._ring.layers and shown[index]:
                masks.append(
                    Mask(
                        *(self.labels[index], index, texture),
                        layer=layer,
                        part=part,
                        level=0.0,
                        is_class=True,
                        reader=_pixels(reader, layer, part, size),
                    )
                )
        return PixelClasses(tuple(classes), tuple(masks))


def _pixels(
    reader: Callable[[int], np.ndarray | None],
    layer: int,
    part: tuple[float, float, float, float],
    size: Size,
) -> Callable[[], np.ndarray | None]:
    everything = (0.0, 0.0, 1.0, 1.0)

    def read() -> np.ndarray | None:
        values = reader(layer)
        return None if values is None else mask_pixels(values, part, everything, size, 0.0)

    return read


def _layout(loaded: Loaded) -> tuple[str, OutputLayout, tuple[Finding, ...]]:
    """Return the name of the output that covers the image, its layout, and the findings about it."""
    file, plan = loaded.file, loaded.preprocess
    given = {name: value for name, value in asdict(plan).items() if name != "inner"}
    bounded = file.facts.last_operator in ("Sigmoid", "HardSigmoid", "Softmax")
    dense = DensePlan(
        WorkingInput(**given, inner=(plan.width, plan.height)),
        file.facts,
        file.statement.output_name,
        DenseRequest("classes"),
        file.statement,
        (0.0, 1.0) if bounded else None,
    )
    info = choose_output(dense, loaded.session.outputs, file.name)

    def run(array: np.ndarray) -> np.ndarray:
        return loaded.session.run({file.facts.input_name: array})[info.name]

    settled, layout = mask.TASK.settle(dense, layout_of(dense, info, file.name), run, file.name)
    return info.name, layout, settled.findings


def labels_of(classes: int, whole: bool, file: ModelFile) -> Labels:
    """Return class names: a file's, or of a data set of this size; raise ModelInvalidError if unreadable.

    If `whole`, the output has class numbers, which do not show how many classes there are.
    """
    usual = None if whole else _USUAL.get(classes)
    beside = sidecar_labels(file.path)
    named = read_labels(beside) if beside is not None else metadata_labels(file.facts.metadata)
    if whole and named is not None and len(named) <= classes:
        return named
    return choose_labels(
        classes, model=file.path, input_name=file.facts.input_name, metadata=file.facts.metadata, usual=usual
    )


class _PixelScores:
    """Scores enlarged, a strip of rows at a time, to the size at which classes are decided."""

    def __init__(self, layout: OutputLayout, output: np.ndarray) -> None:
        x, y, c = layout.strides
        larger = layout.enlargement
        columns, rows = layout.size if larger is None else larger.cells
        flat = np.ascontiguousarray(output, np.float32).ravel()
        step = flat.itemsize
        values = np.lib.stride_tricks.as_strided(
            flat, (rows, columns, layout.channels), (y * step, x * step, c * step), writeable=False
        )
        values = np.nan_to_num(values, nan=-_LARGEST, posinf=_LARGEST, neginf=-_LARGEST)
        self._values, self._larger = np.clip(values, -_LARGEST, _LARGEST), larger
        self._width, self._height = layout.size

    def channel(self, index: int) -> np.ndarray:
        """Return one channel: float32 (height, width)."""
        return self._enlarged(self._values[..., index, None], 0, self._height)[..., 0]

    def two_best(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return the best channel's index, its score and the second best score: (height, width) each."""
        best = np.empty((self._height, self._width), np.int64)
        two = np.empty((2, self._height, self._width), np.float32)
        for start in range(0, self._height, _STRIP):
            strip = self._enlarged(self._values, start, min(start + _STRIP, self._height))
            rows = slice(start, start + len(strip))
            best[rows] = strip.argmax(axis=-1)
            two[:, rows] = np.partition(strip, -2, axis=-1)[..., -2:].transpose(2, 0, 1)
        return best, two[1], two[0]

    def _enlarged(self, values: np.ndarray, start: int, end: int) -> np.ndarray:
        """The rows from `start` to `end` of values (rows, columns, channels)."""
        if self._larger is None:
            return values[start:end]
        above, below, down = self._larger.taps(1, np.arange(start, end))
        left, right, across = self._larger.taps(0, np.arange(self._width))
        rows, first = values[min(above) : max(below) + 1], min(above)
        wide = _mixed(rows[:, left], rows[:, right], across[:, None])
        return _mixed(wide[above - first], wide[below - first], down[:, None, None])


def _mixed(first: np.ndarray, second: np.ndarray, share: np.ndarray) -> np.ndarray:
    return np.asarray(first * (1 - share) + second * share, np.float32)


class _GpuClasses:
    """Records the dispatches that write shares to `result` and margins to the ring. For the render thread."""

    def __init__(
        self, gpu: Gpu, tensor: Tensor, ring: MaskRing, plan: tuple[OutputLayout, int, int, float, int]
    ) -> None:
        layout, kind, classes, edge, step = plan
        if tensor.dtype not in _ELEMENTS or tensor.layout != "NCHW":
            raise ModelUnsupportedError(
                sentence(
                    "The network's output is {dtype}; the GPU path takes float32 and float16, choose "
                    "onnxruntime.",
                    dtype=tensor.dtype,
                ),
                (f"output type {tensor.dtype}",),
            )
        usage = wgpu.BufferUsage
        self._ring = ring
        self.result_bytes = _HEADER.size + min(_LISTED, classes) * _ENTRY.itemsize
        self.result = gpu.buffer(self.result_bytes, usage.STORAGE | usage.COPY_SRC, "classes of pixels")
        counts = gpu.buffer(4 * classes, usage.STORAGE, "pixels of classes")
        code = task_shader("scores.wgsl", "pixel_classes.wgsl")
        width, height = layout.size
        tiles = (-(-width // 8), -(-height // 8), 1)
        across, down = ring.size
        steps = {
            "begin": (-(-classes // 64), 1, 1),
            "count": tiles,
            "choose": (1, 1, 1),
            "margins": (-(-across // 8), -(-down // 8), 1),
        }
        reading: dict[str, float] = {"element_type": _ELEMENTS[tensor.dtype]}
        pipelines = {
            entry: gpu.compute_pipeline(
                code,
                entry,
                label="nn_tasks/pixel_classes.wgsl",
                layouts=[_BINDINGS.layout(gpu)],
                constants=reading if entry in ("count", "margins") else {},
            )
            for entry in steps
        }
        self._shown = gpu.buffer(
            4 * -(-classes // 32), usage.STORAGE | usage.COPY_DST, "classes that are shown"
        )
        drawn = gpu.buffer(4 * (1 + ring.layers), usage.STORAGE, "classes that are drawn")
        self._gpu = gpu
        self._buffers = [self.result, counts, self._shown, drawn]
        self._records = []
        for slot, texture in enumerate(ring.textures):
            data = struct.pack(
                "<10IfI2I2f",
                *(width, height, *layout.strides, layout.channels),
                *(tensor.offset // _BYTES[tensor.dtype], kind, classes, slot, edge, step),
                *layout.enlargement_numbers,
            )
            uniform = gpu.device.create_buffer_with_data(
                data=data, usage=usage.UNIFORM, label="classes' plan"
            )
            self._buffers.append(uniform)
            bound = _BINDINGS.group(
                gpu,
                plan=uniform,
                tensor=tensor.buffer,
                counts=counts,
                result=self.result,
                shown=self._shown,
                drawn=drawn,
                layers=texture,
            )
            commands: list[Command] = [(pipelines[entry], (bound,), size) for entry, size in steps.items()]
            self._records.append(make_recorder(commands))

    def adjust(self, shown: np.ndarray) -> None:
        """Set which classes have masks, bool (classes,); from the next frame on."""
        bits = np.zeros(-(-len(shown) // 32) * 32, bool)
        bits[: len(shown)] = shown
        self._gpu.queue.write_buffer(self._shown, 0, np.packbits(bits, bitorder="little").tobytes())

    def encode(self, compute_pass: wgpu.GPUComputePassEncoder) -> int:
        """Record the dispatches into an open compute pass after the network; return the ring's slot."""
        slot = self._ring.take()
        self._records[slot](compute_pass)
        return slot

    def close(self) -> None:
        """Release the buffers that it made."""
        for buffer in self._buffers:
            buffer.destroy()
