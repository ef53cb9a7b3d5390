"""From a graph to a plan: gives tensors their memory and layout and turns kernels into dispatches.

Every operator's `lower` gets a `Lowering` and says which kernel computes it on which operands. A kernel in `shaders/nn` reads
`read_<name>(pixel, block)` and writes `write_y(pixel, block, v)`: vec4<f32> values of four channels, whatever layout and
element type lie below. The accessors and the epilogue are generated here.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from desktop.compute.nn.epilogue import Step, literal, statements
from desktop.compute.nn.functions import functions_in
from desktop.compute.nn.graph import Graph, Node, Value
from desktop.compute.nn.plan import BYTES, Dispatch, Operand, Plan, Storage, assign_slots
from desktop.compute.nn.rounds import TooLong, bounded
from desktop.compute.nn.scalar import element_type, hold, is_float, stored_dtype
from desktop.compute.nn.template import render
from desktop.compute.nn.tuning import C, Decision, Tuning
from desktop.errors import ModelUnsupportedError
from desktop.wording import sentence

CHANNELS_LAST: Final = "channels-last"
PLANAR: Final = "planar"

_OF_CHANNELS: Final = frozenset(
    {
        *(
            "Conv",
            "ConvTranspose",
            "DeformConv",
            "MaxPool",
            "AveragePool",
            "LpPool",
            "GlobalAveragePool",
            "GlobalMaxPool",
        ),
        *("Resize", "Upsample", "GridSample", "Pad", "InstanceNormalization", "BatchNormalization", "LRN"),
    }
)
"""Operators whose kernels read channels last."""


@dataclass(frozen=True)
class Target:
    """What the plan is made for.

    Attributes:
        dtype: element type of inner tensors and weights, 'float16' or 'float32'.
        f16: the device has `shader-f16`.
        workgroups: how many workgroups fill the GPU (1 for a software adapter).
        max_binding: bytes of the largest storage buffer binding.
        max_groups: largest number of workgroups in a dimension.
        max_storages: storage buffers a stage.
        rounds: how many rounds the loops of one thread may make together; 0 for any number (see rounds.py).
    """

    dtype: str
    f16: bool
    workgroups: int
    max_binding: int
    max_groups: int
    max_storages: int
    rounds: int = 0

    @property
    def is_software(self) -> bool:
        """True for an adapter that computes on the CPU."""
        return self.workgroups == 1


def ceil_div(a: int, b: int) -> int:
    """a / b rounded up."""
    return -(-a // b)


def _planar_index(operand: Operand, channel: str) -> str:
    """Index of a channel of `pixel` in a row-major tensor."""
    plane, channels = operand.plane, operand.channels
    if operand.batch == 1:
        return f"({channel}) * {plane}u + pixel"
    return f"(pixel / {plane}u * {channels}u + {channel}) * {plane}u + pixel % {plane}u"


def _reader(name: str, operand: Operand) -> str:
    head = f"fn read_{name}(pixel: u32, block: u32) -> vec4<f32> {{\n"
    if operand.layout == CHANNELS_LAST:
        return f"{head}  return vec4<f32>({name}[pixel * {operand.stride}u + {operand.start}u + block]);\n}}"
    lanes = []
    for lane in range(4):
        channel = f"block * 4u + {lane}u"
        value = f"f32({name}[{_planar_index(operand, channel)}])"
        lanes.append(
            value if operand.channels % 4 == 0 else f"select(0.0, {value}, {channel} < {operand.channels}u)"
        )
    return f"{head}  return vec4<f32>({', '.join(lanes)});\n}}"


def _writer(operand: Operand, saturates: bool) -> str:
    """`write_y`; `saturates`: what is beyond a 16-bit float becomes the largest one, for two infinities may make no number."""
    element = element_type(operand.dtype)
    head = "fn write_y(pixel: u32, block: u32, value: vec4<f32>) {\n"
    largest = "vec4<f32>(65504.0)"
    # NaN stays. By its bits, without `is_nan`: the function may be in the kernel or not.
    missing = "(bitcast<vec4<u32>>(value) & vec4<u32>(0x7fffffffu)) > vec4<u32>(0x7f800000u)"
    bounded = f"select(clamp(value, -{largest}, {largest}), value, {missing})"
    head += f"  let v = {bounded};\n" if saturates else "  let v = value;\n"
    if operand.layout == CHANNELS_LAST:
        value = f"vec4<{element}>(v)"
        if operand.channels % 4:
            # The lanes past the last channel stay zero, whatever the epilogue made of them: later kernels sum over them.
            lanes = f"block * 4u + vec4<u32>(0u, 1u, 2u, 3u) < vec4<u32>({operand.channels}u)"
            value = f"vec4<{element}>(select(vec4<f32>(0.0), v, {lanes}))"
        return f"{head}  y[pixel * {operand.stride}u + {operand.start}u + block] = {value};\n}}"
    lines = []
    for lane in range(4):
        channel = f"block * 4u + {lane}u"
        store = f"y[{_planar_index(operand, channel)}] = {element}(v[{lane}]);"
        lines.append(
            f"  if ({channel} < {operand.channels}u) {{ {store} }}" if operand.channels % 4 else f"  {store}"
        )
    return head + "\n".join(lines) + "\n}"


def _array_type(operand: Operand, raw: bool) -> str:
    element = element_type(operand.dtype)
    if raw:
        return f"array<{element}>"
    return f"array<vec4<{element}>>" if operand.layout == CHANNELS_LAST else f"array<{element}>"


def _finisher(steps: list[str]) -> str:
    body = "".join(f"  {step}\n" for step in steps)
    return (
        "fn finish(pixel: u32, block: u32, value: vec4<f32>) {\n"
        f"  var v = value;\n{body}  write_y(pixel, block, v);\n}}"
    )


def _aligned(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    return (1,) * (rank - len(shape)) + shape


def _broadcast_read(name: str, operand: Operand, shape: tuple[int, ...]) -> str:
    """WGSL expression of an epilogue operand at (pixel, block) of a result of `shape`; the operand's rank is the result's."""
    own = operand.shape
    block = "0u" if own[1] == 1 and shape[1] > 1 else "block"
    suffix = ".xxxx" if block == "0u" else ""
    if own[0] == shape[0] and own[2:] == shape[2:]:
        pixel = "pixel"
    elif math.prod(own) == own[1]:
        pixel = "0u"
    else:
        terms, below, own_below = [], 1, 1
        for size, own_size in reversed(
            [(s, o) for i, (s, o) in enumerate(zip(shape, own, strict=True)) if i != 1]
        ):
            if own_size > 1:
                terms.append(f"pixel / {below}u % {size}u * {own_below}u")
            below, own_below = below * size, own_below * own_size
        pixel = " + ".join(terms) or "0u"
    return f"read_{name}({pixel}, {block}){suffix}"


def pack(array: np.ndarray, dtype: str) -> np.ndarray:
    """A constant of shape (batch, channels, spatial...) as channels-last bytes, channels padded with zeros to a multiple of 4."""
    rows = array.reshape((1,) * (2 - array.ndim) + array.shape) if array.ndim < 2 else array
    last = np.moveaxis(rows, 1, -1)
    padding = [(0, 0)] * (last.ndim - 1) + [(0, -last.shape[-1] % 4)]
    return np.ascontiguousarray(np.pad(last, padding)).astype(dtype)


@dataclass(frozen=True)
class Site:
    """A dispatch whose kernel was chosen: its place among the dispatches, and what it writes."""

    index: int
    decision: Decision[Any]
    result: Operand


class Lowering:
    """Collects storages and dispatches while the graph's nodes are lowered in order."""

    def __init__(
        self,
        graph: Graph,
        target: Target,
        placements: Mapping[str, tuple[str, int]],
        tuning: Tuning | None = None,
    ) -> None:
        """
        Args:
            placements: value -> (concatenated value, first channel) for values that are written into another one's memory.
            tuning: kernels to take in place of the rules'.
        """
        self.graph = graph
        self.target = target
        self.sites: list[Site] = []
        self._tuning = tuning or Tuning()
        self._placements = placements
        self._storages: list[Storage] = []
        self._dispatches: list[Dispatch] = []
        self._operands: dict[str, Operand] = {}
        self._converted: dict[tuple[str, str], Operand] = {}
        self._tables: dict[str, int] = {}
        self._consumers = graph.consumers()
        self._outputs = frozenset(graph.outputs)
        self._fills: list[tuple[Callable[[np.ndarray], None], np.ndarray]] = []

    # -- memory ----------------------------------------------------------------------------------------------------

    def storage(self, size: int, *, pinned: bool = False, data: np.ndarray | None = None) -> int:
        """Add memory of `size` bytes.

        Raises:
            ModelUnsupportedError: more than the adapter lets a shader bind.
        """
        size = ceil_div(max(size, 16), 16) * 16
        if size > self.target.max_binding:
            raise ModelUnsupportedError(
                sentence(
                    "The model needs a tensor of {size:.0f} MiB, but this adapter binds at most {limit:.0f} MiB; use "
                    "a smaller input or the onnxruntime backend.",
                    size=size / 2**20,
                    limit=self.target.max_binding / 2**20,
                )
            )
        self._storages.append(Storage(len(self._storages), size, pinned, data))
        return len(self._storages) - 1

    def io_dtype(self, value: Value) -> str:
        """Element type of a network input or output in its buffer."""
        return stored_dtype(
            value.dtype, "float16" if value.dtype == "float16" and self.target.f16 else "float32"
        )

    def add_input(self, name: str) -> None:
        """Give a network input its own row-major buffer."""
        value = self.graph.values[name]
        dtype = self.io_dtype(value)
        storage = self.storage(value.size * BYTES[dtype], pinned=True)
        self._operands[name] = Operand(storage, value.shape, dtype, PLANAR)

    def constant(self, array: np.ndarray, *, dtype: str | None = None) -> int:
        """Upload an array that already lies as the kernel wants it; returns its storage."""
        data = np.ascontiguousarray(array, dtype=dtype or self.target.dtype)
        if data.nbytes % 4:  # an odd number of 16-bit floats: WebGPU writes whole words
            data = np.append(data, data.dtype.type(0))
        return self.storage(data.nbytes, pinned=True, data=data)

    def filled(self, shape: tuple[int, ...], dtype: str, fill: Callable[[np.ndarray], None]) -> int:
        """Upload an array of zeros that `fill` is to write into; returns its storage.

        `finish` calls all of them, on several threads: packing ResNet50's weights took 0.2 s of 0.6 s of loading it.
        """
        data = np.zeros(shape, dtype)
        self._fills.append((fill, data))
        return self.storage(data.nbytes, pinned=True, data=data)

    def _upload(self, name: str, rank: int) -> Operand:
        """A constant of the graph as a channels-last operand, its shape aligned to `rank` dimensions as broadcasting does."""
        array = self.graph.constants[name]
        shape = _aligned(array.shape, max(rank, 2))
        key = (name, str(len(shape)))
        if key not in self._converted:
            # A number a channel costs nothing, and the factors of quantised networks must not be rounded.
            dtype = stored_dtype(
                array.dtype.name, "float32" if math.prod(shape) == shape[1] else self.target.dtype
            )
            array = hold(array, dtype, name)
            storage = self.constant(pack(array.reshape(shape), dtype), dtype=dtype)
            self._converted[key] = Operand(storage, shape, dtype, CHANNELS_LAST, stride=ceil_div(shape[1], 4))
        return self._converted[key]

    def _upload_planar(self, name: str) -> Operand:
        """A constant of the graph as it lies in ONNX."""
        key = (name, PLANAR)
        if key not in self._converted:
            array = self.graph.constants[name]
            dtype = stored_dtype(array.dtype.name, self.target.dtype)
            storage = self.constant(hold(array, dtype, name), dtype=dtype)
            self._converted[key] = Operand(storage, array.shape, dtype, PLANAR)
        return self._converted[key]

    def add_constant_output(self, name: str) -> None:
        """Give a network's output that is known already its buffer."""
        array, dtype = self.graph.constants[name], self.io_dtype(self.graph.values[name])
        storage = self.constant(hold(array, dtype, name), dtype=dtype)
        self._operands[name] = Operand(storage, array.shape, dtype, PLANAR)

    def _table(self, name: str) -> tuple[int, str]:
        """Storage and WGSL element type of an epilogue's table."""
        if name not in self._tables:
            array = self.graph.constants[name]
            self._tables[name] = self.constant(array, dtype=array.dtype.name)
        return self._tables[name], "u32" if self.graph.constants[name].dtype == np.uint32 else "f32"

    def _broadcastable(self, name: str, shape: tuple[int, ...]) -> Operand:
        """An operand of an epilogue on a result of `shape`, with its rank.

        With other channels than before, it has to lie row-major. Where it has more dimensions, the result is seen as a matrix, and
        so is the operand: rows of whole vec4s.
        """
        rank = len(shape)
        if name in self.graph.constants:
            return self._upload(name, rank)
        operand = self.any(name)
        if len(operand.shape) == rank:
            return operand
        if len(operand.shape) > rank:
            return replace(self.planar(name), shape=shape, layout=CHANNELS_LAST, stride=shape[1] // 4)
        return replace(self.planar(name), shape=_aligned(operand.shape, rank))

    # -- operands --------------------------------------------------------------------------------------------------

    def any(self, name: str) -> Operand:
        """A tensor in whatever layout it has."""
        return self._upload(name, 2) if name in self.graph.constants else self._operands[name]

    def channels_last(self, name: str) -> Operand:
        """A tensor as vec4s of channels; adds a conversion where it lies otherwise."""
        return self._as(name, CHANNELS_LAST)

    def planar(self, name: str) -> Operand:
        """A tensor row-major, as in ONNX; adds a conversion where its bytes lie otherwise."""
        return self._as(name, PLANAR)

    def _as(self, name: str, layout: str) -> Operand:
        if layout == PLANAR and name in self.graph.constants:
            return self._upload_planar(name)
        operand = self.any(name)
        if operand.layout == layout:
            return operand
        if not is_float(operand.dtype):
            raise ModelUnsupportedError(
                sentence(
                    "'{name}' holds integers where only floats are supported; use the onnxruntime backend.",
                    name=name,
                ),
                (f"'{name}': integers, for a kernel of floats",),
            )
        # Rows of whole vec4s are the same bytes either way; so is a single row, but for the zeros that fill its last vec4.
        whole = operand.plane == 1 and operand.channels % 4 == 0
        if layout == PLANAR and operand.stride == operand.blocks and (whole or operand.pixels == 1):
            return replace(operand, layout=PLANAR, stride=0)
        if layout == CHANNELS_LAST and whole:
            return replace(operand, layout=CHANNELS_LAST, stride=operand.blocks)
        key = (name, layout)
        if key not in self._converted:
            result = self._new(operand.shape, layout, operand.dtype)
            self._copy(name, operand, result)
            self._converted[key] = result
        return self._converted[key]

    def _new(self, shape: tuple[int, ...], layout: str, dtype: str, *, pinned: bool = False) -> Operand:
        bare = Operand(-1, shape, dtype, layout)
        if layout == PLANAR:
            return replace(bare, storage=self.storage(math.prod(shape) * BYTES[dtype], pinned=pinned))
        size = bare.pixels * bare.blocks * 4 * BYTES[dtype]
        return replace(bare, storage=self.storage(size, pinned=pinned), stride=bare.blocks)

    def result(self, name: str, layout: str = CHANNELS_LAST) -> Operand:
        """Memory for a node's output. A network's output is row-major in the model's element type, whatever `layout` says."""
        if name in self._operands:
            return self._operands[name]
        value = self.graph.values[name]
        layout = layout if is_float(value.dtype) else PLANAR
        if name in self._outputs:
            operand = self._new(value.shape, PLANAR, self.io_dtype(value), pinned=True)
        elif name in self._placements and layout == CHANNELS_LAST:
            root, channel = self._placements[name]
            whole = self.result(root)
            operand = replace(whole, shape=value.shape, start=whole.start + channel // 4)
        else:
            operand = self._new(
                value.shape,
                layout,
                stored_dtype(value.dtype, self.target.dtype),
                pinned=name in self.graph.kept,
            )
        self._operands[name] = operand
        return operand

    def scratch(self, shape: tuple[int, ...]) -> Operand:
        """float32 memory for numbers that one kernel of a node hands to the next, bound as an array of vec4<f32>."""
        return Operand(self.storage(math.prod(shape) * 4), shape, "float32", CHANNELS_LAST, stride=1)

    def movable(self, name: str) -> Operand:
        """Memory for an output that `strided.copy_box` writes, which takes any layout: the one that its readers want."""
        wanted = len(self.graph.shape(name)) > 2 and self._feeds_channels(name)
        return self.result(name, CHANNELS_LAST if wanted else PLANAR)

    def _feeds_channels(self, name: str, depth: int = 4) -> bool:
        """True if a kernel that reads channels last gets `name`, straight or through element-wise steps and concatenations."""
        for node in self._consumers.get(name, ()):
            passes = node.op in ("Elementwise", "Concat") and depth > 0
            if node.op in _OF_CHANNELS or (passes and self._feeds_channels(node.outputs[0], depth - 1)):
                return True
        return False

    def is_placed(self, name: str, root: str) -> bool:
        """True if `name` was written straight into the memory of `root`."""
        return self._placements.get(name, ("", 0))[0] == root and self.result(root).layout == CHANNELS_LAST

    def view(self, source: str, name: str) -> None:
        """Make `name` the same row-major bytes as `source` with another shape; copies only into a network's output."""
        operand = replace(self.planar(source), shape=self.graph.shape(name))
        if name in self.graph.pinned:
            self._copy(name, operand, self.result(name, PLANAR))
        else:
            self._operands[name] = operand

    def part(self, source: Operand, name: str, first: int) -> bool:
        """Make `name` the channels of `source` from `first` on, where they lie.

        False where it needs memory of its own: the parts are no whole vec4s, or `source` lies in a Concat's memory, so that what reads
        `name` may write the same buffer.
        """
        shape = self.graph.shape(name)
        whole = first % 4 == 0 and (shape[1] % 4 == 0 or first + shape[1] == source.channels)
        own = source.layout == CHANNELS_LAST and source.start == 0 and source.stride == source.blocks
        if not (whole and own) or name in self.graph.pinned:
            return False
        self._operands[name] = replace(source, shape=shape, start=first // 4)
        return True

    # -- choices ---------------------------------------------------------------------------------------------------

    def decide(
        self, key: str, rule: C, others: Callable[[], Sequence[C]], *, exact: bool = False
    ) -> Decision[C]:
        """Choose between the kernels that are valid for a shape (see `Decision`); to be handed to `dispatch`.

        All of them read and write the same storages: only code and workgroups differ.
        """
        return self._tuning.decide(key, rule, others, exact=exact)

    # -- dispatches ------------------------------------------------------------------------------------------------

    def _copy(self, node: str, source: Operand, result: Operand) -> None:
        self._elementwise(node, source, result, ())

    def copy(self, node: Node, source: Operand, result: Operand) -> None:
        """Apply the node's epilogue to `source`, changing layout and element type as needed."""
        self._elementwise(node.name, source, result, node.epilogue)

    def _elementwise(self, node: str, source: Operand, result: Operand, epilogue: tuple[Step, ...]) -> None:
        if not is_float(result.dtype):
            self._copy_words(node, source, result)
            return
        width, rows = self.spread(result.pixels * result.blocks)
        numbers = {"PIXELS": result.pixels, "BLOCKS": result.blocks, "WIDTH": width * 64}
        self.dispatch(
            node,
            "elementwise",
            {"x": source},
            result,
            (width, rows, 1),
            numbers,
            epilogue=epilogue,
        )

    def _copy_words(self, node: str, source: Operand, result: Operand) -> None:
        """Row-major integers: `elementwise` would take them through f32."""
        count = math.prod(result.shape)
        width, rows = self.spread(count)
        numbers = {
            "COUNT": count,
            "WIDTH": width * 64,
            "RANK": 1,
            "X_FIRST": 0,
            "Y_FIRST": 0,
            "VECTOR": 0,
            "LANES": 0,
        }
        numbers |= {"SIZE_0": count, "X_0": 1, "Y_0": 1}
        self.dispatch(node, "strided", {"x": source}, result, (width, rows, 1), numbers, raw=True)

    @staticmethod
    def spread(count: int) -> tuple[int, int]:
        """Workgroups in x and y that give each of `count` items one of 64 threads; the item is `id.y * (x * 64) + id.x`."""
        groups = ceil_div(count, 64)
        width = min(groups, 4096)
        return width, ceil_div(groups, max(width, 1))

    def dispatch(
        self,
        node: str,
        kernel: str,
        reads: Mapping[str, Operand],
        result: Operand,
        workgroups: tuple[int, int, int],
        numbers: Mapping[str, int],
        *,
        constants: Mapping[str, tuple[int, str]] | None = None,
        epilogue: tuple[Step, ...] = (),
        floats: Mapping[str, float] | None = None,
        raw: bool = False,
        code: str = "",
        calls: str = "",
        decision: Decision[Any] | None = None,
    ) -> None:
        """Add a dispatch of `shaders/nn/<kernel>.wgsl`.

        Args:
            reads: the tensors that the kernel reads as `read_<name>(pixel, block)`.
            numbers: become u32 constants of the kernel and loop counts of its template.
            constants: packed arrays: name -> (storage, WGSL element type of the array).
            epilogue: steps that the kernel applies through `finish(pixel, block, v)`.
            floats: become f32 constants of the kernel.
            raw: bind the tensors as arrays of numbers, with no accessors and no epilogue.
            code: functions of the operator that the kernel calls.
            calls: names with a parenthesis, as in a call, of what the kernel calls of `functions.py`, where it is not `raw`.
            decision: how the kernel was chosen, where there was a choice.

        A dispatch without workgroups (an empty tensor) is left out.

        Raises:
            ModelUnsupportedError: more workgroups or buffers than the adapter has.
        """
        if min(workgroups) == 0:
            return
        if not raw and not all(is_float(operand.dtype) for operand in (*reads.values(), result)):
            what = f"{node}: integers, which its kernel '{kernel}' does not take"
            raise ModelUnsupportedError(
                sentence("Not supported: {what}; use the onnxruntime backend.", what=what), (what,)
            )
        if max(workgroups) > self.target.max_groups:
            raise ModelUnsupportedError(
                sentence(
                    "The node '{node}' needs {count} workgroups in a row, but this adapter takes {max_groups}; use a "
                    "smaller input or the onnxruntime backend.",
                    node=node,
                    count=max(workgroups),
                    max_groups=self.target.max_groups,
                )
            )
        operands = dict(reads)
        expressions: dict[str, str] = {}
        arrays = dict(constants or {})
        tables: dict[str, str] = {}
        for step in epilogue:
            if step.table and step.table not in tables:
                tables[step.table] = f"t{len(tables)}"
                arrays[tables[step.table]] = self._table(step.table)
            if step.operand and step.operand not in expressions:
                key = f"e{len(expressions)}"
                shape = _aligned(result.shape, 2)
                operands[key] = self._broadcastable(step.operand, shape)
                expressions[step.operand] = _broadcast_read(key, operands[key], shape)
        bound: list[tuple[str, int, str]] = [
            (name, operand.storage, _array_type(operand, raw)) for name, operand in operands.items()
        ]
        bound += [(name, storage, f"array<{kind}>") for name, (storage, kind) in arrays.items()]
        if len(bound) + 1 > self.target.max_storages:
            raise ModelUnsupportedError(
                sentence("The node '{node}' binds more buffers than this adapter has a stage.", node=node)
            )
        lines = ["enable f16;"] if self.target.f16 else []
        for index, (name, _, kind) in enumerate(bound):
            lines.append(f"@group(0) @binding({index}) var<storage, read> {name}: {kind};")
        lines.append(
            f"@group(0) @binding({len(bound)}) var<storage, read_write> y: {_array_type(result, raw)};"
        )
        lines.append(f"alias Element = {element_type(result.dtype)};")
        lines += [f"const {name} = {literal(value)};" for name, value in (floats or {}).items()]
        if not raw:
            lines += [_reader(name, operand) for name, operand in operands.items()]
            finisher = _finisher(statements(epilogue, expressions, tables))
            lines += [
                _writer(result, result.dtype == self.target.dtype == "float16"),
                functions_in(finisher + calls),
                finisher,
            ]
        lines.append(code)
        text = self._bounded(node, render(kernel, "\n".join(lines), numbers))
        storages = tuple(storage for _, storage, _ in bound)
        if decision is not None:
            self.sites.append(Site(len(self._dispatches), decision, result))
        tuned = "" if decision is None else decision.tuned
        self._dispatches.append(Dispatch(node, kernel, text, storages, result.storage, workgroups, tuned))

    def _bounded(self, node: str, text: str) -> str:
        if not self.target.rounds:
            return text
        try:
            return bounded(text, self.target.rounds)
        except TooLong as error:
            what = f"{node}: {error.rounds} rounds of a loop in one thread"
            raise ModelUnsupportedError(
                sentence(
                    "The node '{node}' needs {rounds} rounds of a loop in one thread, which this software adapter "
                    "does not make; use a smaller input or the onnxruntime backend.",
                    node=node,
                    rounds=error.rounds,
                ),
                (what,),
            ) from error

    @property
    def dispatches(self) -> tuple[Dispatch, ...]:
        """Everything lowered so far."""
        return tuple(self._dispatches)

    def finish(self) -> Plan:
        """The plan of everything lowered so far; storages that nothing uses are left without memory."""
        with ThreadPoolExecutor(max_workers=min(8, os.cpu_count() or 1)) as pool:
            list(pool.map(lambda each: each[0](each[1]), self._fills))
        storages = tuple(self._storages)
        slots, slot_of = assign_slots(storages, tuple(self._dispatches))
        return Plan(storages, tuple(self._dispatches), dict(self._operands), slots, slot_of)
