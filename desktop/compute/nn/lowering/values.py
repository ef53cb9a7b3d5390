"""Assign memory and layouts to the values of a graph."""

from __future__ import annotations

import math
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from desktop.base.errors import ModelUnsupportedError
from desktop.base.wording import sentence
from desktop.compute.nn.ir.graph import Graph, Value
from desktop.compute.nn.ir.scalar import check_held, is_float, narrowed, stored_dtype
from desktop.compute.nn.lowering.memory import Storages
from desktop.compute.nn.lowering.plan import BYTES, NCHW, NHWC, Operand
from desktop.compute.nn.lowering.target import Target
from desktop.compute.nn.lowering.workgroups import ceil_div


def aligned(shape: tuple[int, ...], rank: int) -> tuple[int, ...]:
    """Return the shape with 1s before it, up to `rank` dimensions, as in broadcasting."""
    return (1,) * (rank - len(shape)) + shape


def _packed(array: np.ndarray, dtype: str) -> np.ndarray:
    """Pack a constant (batch, channels, spatial...) as NHWC bytes, channels padded with zeros to vec4s."""
    packed = np.zeros(_packed_shape(array.shape), dtype)
    moved = np.moveaxis(array, 1, -1)
    # Without a copy if nothing can become infinite: weights are large.
    with np.errstate(over="ignore"):  # see `hold`
        packed[..., : array.shape[1]] = narrowed(moved, dtype) if dtype == "float16" else moved
    return packed


def _packed_shape(shape: tuple[int, ...]) -> tuple[int, ...]:
    return (shape[0], *shape[2:], ceil_div(shape[1], 4) * 4)


def _has_no_gaps(operand: Operand) -> bool:
    """Return True for floats without padding: row-major ones, and whole vec4s of channels."""
    whole = operand.channels % 4 == operand.start == 0 and operand.stride == operand.blocks
    return is_float(operand.dtype) and (operand.layout == NCHW or whole)


@dataclass(frozen=True)
class Saved:
    """What is known of values at one time."""

    operands: Mapping[str, Operand]
    converted: Mapping[tuple[str, str], Operand]
    tables: Mapping[str, int]
    copied: frozenset[tuple[str, int, int]]


class Values:
    """Memory and layouts of a graph's values, assigned on first use."""

    def __init__(
        self,
        graph: Graph,
        target: Target,
        memory: Storages,
        placements: Mapping[str, tuple[str, int]],
        channels_last: Container[str],
        full_precision: Container[str] = (),
    ) -> None:
        """`placements`, `channels_last`, `full_precision`: see `Lowering`."""
        self._graph = graph
        self._target = target
        self._memory = memory
        self._placements = placements
        self._channels_last = channels_last
        self._full_precision = full_precision
        self._operands: dict[str, Operand] = {}
        self._converted: dict[tuple[str, str], Operand] = {}
        self._tables: dict[str, int] = {}
        self._copied: set[tuple[str, int, int]] = set()
        self._outputs = frozenset(graph.outputs)

    @property
    def operands(self) -> Mapping[str, Operand]:
        """Return the operand of each value that has memory so far."""
        return dict(self._operands)

    def saved(self) -> Saved:
        """Return what is known so far, for `restore`."""
        return Saved(dict(self._operands), dict(self._converted), dict(self._tables), frozenset(self._copied))

    def restore(self, saved: Saved) -> None:
        """Remove what was added since."""
        self._operands, self._converted = dict(saved.operands), dict(saved.converted)
        self._tables, self._copied = dict(saved.tables), set(saved.copied)

    # -- inputs, constants -----------------------------------------------------------------------------------

    def _dtype(self, name: str) -> str:
        """Return the type in which floats of this value are stored; integers have their own."""
        return "float32" if name in self._full_precision else self._target.dtype

    def _io_dtype(self, value: Value) -> str:
        """Return the element type of a network input or output in its buffer."""
        return stored_dtype(
            value.dtype, "float16" if value.dtype == "float16" and self._target.f16 else "float32"
        )

    def has(self, name: str) -> bool:
        """Return True for a value that has memory."""
        return name in self._operands

    def is_exact(self, name: str) -> bool:
        """Return True for a value that is stored in float32 whatever the others are."""
        return name in self._full_precision

    def add_input(self, name: str) -> None:
        """Give a network input its own row-major buffer."""
        value = self._graph.values[name]
        dtype = self._io_dtype(value)
        storage = self._memory.reserve(value.size * BYTES[dtype], pinned=True)
        self._operands[name] = Operand(storage, value.shape, dtype, NCHW)

    def add_constant_output(self, name: str) -> None:
        """Give its buffer to a network output that is known already."""
        array, dtype = self._graph.constants[name], self._io_dtype(self._graph.values[name])
        check_held(array, dtype, name)
        storage = self._memory.constant(array, dtype=dtype)
        self._operands[name] = Operand(storage, array.shape, dtype, NCHW)

    def constant(self, name: str, rank: int, *, flat: bool = False) -> Operand:
        """Return a constant as an NHWC operand, aligned to `rank` dimensions; `flat`: as one row."""
        array = self._graph.constants[name]
        own = array.shape[-1:] if flat else array.shape
        shape = aligned(own, max(rank, 2))
        key = (name, str(len(shape)))
        if key not in self._converted:
            # A number a channel costs little, and the factors of quantized networks must not be rounded.
            dtype = stored_dtype(
                array.dtype.name, "float32" if math.prod(shape) == shape[1] else self._dtype(name)
            )
            check_held(array, dtype, name)
            rows = array.reshape(shape)
            storage = self._memory.made(_packed_shape(shape), dtype, lambda: _packed(rows, dtype))
            self._converted[key] = Operand(storage, shape, dtype, NHWC, stride=ceil_div(shape[1], 4))
        return self._converted[key]

    def _upload_planar(self, name: str) -> Operand:
        """Upload a constant of the graph in ONNX's layout."""
        key = (name, NCHW)
        if key not in self._converted:
            array = self._graph.constants[name]
            dtype = stored_dtype(array.dtype.name, self._dtype(name))
            check_held(array, dtype, name)
            storage = self._memory.constant(array, dtype=dtype)
            self._converted[key] = Operand(storage, array.shape, dtype, NCHW)
        return self._converted[key]

    def table(self, name: str) -> tuple[int, str]:
        """Return storage and WGSL element type of an epilogue's table."""
        if name not in self._tables:
            array = self._graph.constants[name]
            self._tables[name] = self._memory.constant(array, dtype=array.dtype.name)
        return self._tables[name], "u32" if self._graph.constants[name].dtype == np.uint32 else "f32"

    # -- tensors in their layouts ------------------------------------------------------------------------

    def any(self, name: str) -> Operand:
        """Return a tensor in the layout that it has."""
        return self.constant(name, 2) if name in self._graph.constants else self._operands[name]

    def operand_in_layout(self, name: str, layout: str) -> Operand | None:
        """Return a tensor in `layout`; None if it is stored in another and must be copied (`add_copy`).

        Raises:
            ModelUnsupportedError: integers in NHWC, as they are always row-major.
        """
        if layout == NCHW and name in self._graph.constants:
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
                (sentence("integers where the engine computes only floats"),),
            )
        # Rows of whole vec4s have the same bytes in both layouts; so has a single row, but for its padding.
        whole = operand.plane == 1 and operand.channels % 4 == 0
        if layout == NCHW and operand.stride == operand.blocks and (whole or operand.pixels == 1):
            return replace(operand, layout=NCHW, stride=0)
        if layout == NHWC and whole:
            return replace(operand, layout=NHWC, stride=operand.blocks)
        return self._converted.get((name, layout))

    def add_copy(self, name: str, layout: str) -> Operand:
        """Allocate a copy of a tensor in another layout; `operand_in_layout` returns it from now on."""
        operand = self.any(name)
        result = self._new(operand.shape, layout, operand.dtype)
        self._converted[name, layout] = result
        return result

    def half_of(self, name: str, operand: Operand) -> tuple[Operand, bool]:
        """Return the 16-bit copy of an operand of a tensor, and whether it was allocated by this call.

        It has a name of its own, so that its numbers are watched for those beyond float16's range.
        """
        copied = f"{name} in 16 bits, {operand.layout} {operand.shape}"
        is_new = copied not in self._operands
        if is_new:
            self._operands[copied] = self._new(operand.shape, operand.layout, "float16")
        return self._operands[copied], is_new

    # -- results, views --------------------------------------------------------------------------------------

    def _new(self, shape: tuple[int, ...], layout: str, dtype: str, *, pinned: bool = False) -> Operand:
        bare = Operand(-1, shape, dtype, layout)
        if layout == NCHW:
            return replace(bare, storage=self._memory.reserve(math.prod(shape) * BYTES[dtype], pinned=pinned))
        size = bare.pixels * bare.blocks * 4 * BYTES[dtype]
        return replace(bare, storage=self._memory.reserve(size, pinned=pinned), stride=bare.blocks)

    def result(self, name: str, layout: str = NHWC) -> Operand:
        """Allocate a node's output; a network's output is row-major in the model's type despite `layout`."""
        if name in self._operands:
            return self._operands[name]
        value = self._graph.values[name]
        layout = layout if is_float(value.dtype) else NCHW
        if name in self._outputs:
            operand = self._new(value.shape, NCHW, self._io_dtype(value), pinned=True)
        elif name in self._placements and layout == NHWC:
            root, channel = self._placements[name]
            whole = self.result(root)
            operand = replace(whole, shape=value.shape, start=whole.start + channel // 4)
        else:
            operand = self._new(
                value.shape,
                layout,
                stored_dtype(value.dtype, self._dtype(name)),
                pinned=name in self._graph.kept,
            )
        self._operands[name] = operand
        return operand

    def scratch(self, shape: tuple[int, ...], dtype: str = "float32") -> Operand:
        """Allocate an array of vec4s for numbers that one kernel of a node passes to the next."""
        return Operand(self._memory.reserve(math.prod(shape) * BYTES[dtype]), shape, dtype, NHWC, stride=1)

    def movable(self, name: str) -> Operand:
        """Allocate an output for `strided.copy_box`, in the layout that its readers prefer."""
        wanted = len(self._graph.shape(name)) > 2 and name in self._channels_last
        return self.result(name, NHWC if wanted else NCHW)

    def wants_channels_last(self, name: str) -> bool:
        """Return True for a value that is read as NHWC, or written into a Concat that is."""
        return name in self._channels_last or name in self._placements

    def lies_at(self, name: str, place: Operand) -> bool:
        """Return True if `name` was written straight into its place in a Concat or copied there."""
        key = (name, place.storage, place.start)
        return key in self._copied or self._operands.get(name) == place

    def copied_to(self, name: str, place: Operand) -> None:
        """Record that `name` is also in the memory of a Concat from now on."""
        self._copied.add((name, place.storage, place.start))

    def alias(self, name: str, operand: Operand) -> None:
        """Make `name` another value's operand."""
        self._operands[name] = operand

    def turned(self, name: str, source: str, order: Sequence[int]) -> bool:
        """Make `name` a view of `source` with its dimensions in another order; False if no layout has it."""
        x = self.any(source)
        if source in self._graph.constants or name in self._graph.pinned or not _has_no_gaps(x):
            return False
        shape, steps = self._graph.shape(name), [x.strides[i] for i in order]
        for layout in (NCHW, NHWC):
            y = replace(x, shape=shape, layout=layout, stride=0)
            y = replace(y, stride=y.blocks) if layout == NHWC else y
            fits = layout == NCHW or _has_no_gaps(y)
            if fits and all(n == 1 or a == b for n, a, b in zip(shape, y.strides, steps, strict=True)):
                self._operands[name] = y
                return True
        return False

    def reshaped(self, name: str, source: str) -> bool:
        """Make `name` a reshaped view of NHWC `source` if only pixels are renumbered for NHWC readers."""
        x, shape = self.any(source), self._graph.shape(name)
        if source in self._graph.constants or name in self._graph.pinned or name not in self._channels_last:
            return False
        if x.layout != NHWC or not _has_no_gaps(x) or len(x.shape) < 3 or shape[:2] != x.shape[:2]:
            return False
        self._operands[name] = replace(x, shape=shape)
        return True

    def part(self, source: Operand, name: str, first: int) -> bool:
        """Make `name` a view of the channels of `source` from `first` on; return True if that is possible.

        Not for partial vec4s, nor inside a Concat's memory, which a reader of `name` may write.
        """
        shape = self._graph.shape(name)
        is_row = source.layout == NCHW and source.pixels == 1 and source.channels % 4 == 0
        if is_row and is_float(self._graph.values[name].dtype):
            # A single pixel's channels have the same bytes in both layouts, where they fill their vec4s.
            source = replace(source, layout=NHWC, stride=source.blocks)
        whole = first % 4 == 0 and (shape[1] % 4 == 0 or first + shape[1] == source.channels)
        own = source.layout == NHWC and source.start == 0 and source.stride == source.blocks
        if not (whole and own) or name in self._graph.pinned:
            return False
        self._operands[name] = replace(source, shape=shape, start=first // 4)
        return True
